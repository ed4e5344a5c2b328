/* SPDX-License-Identifier: MIT */
/*
 * fork() of a process that has a device, for tests.
 *
 * AddressSanitizer's run-time library keeps locks of its own for memory and for threads, and a
 * child keeps them as the moment of fork() left them.  So under it a process forks while its other
 * threads sleep, and no child looks for leaks (it would look for its parent's threads).
 */
#ifndef FORKING_H
#define FORKING_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../sanitizers.h"

#if SANITIZER_ADDRESS
static bool forking_in_child;

/* LeakSanitizer asks at exit. */
int __lsan_is_turned_off(void);
int
__lsan_is_turned_off(void)
{
   return forking_in_child;
}

static bool
forking_others_sleep(void)
{
   DIR *tasks = opendir("/proc/self/task");
   bool sleep = true;

   for (struct dirent *task; tasks && (task = readdir(tasks));) {
      char path[300], state = 'S';
      FILE *file;

      snprintf(path, sizeof(path), "/proc/self/task/%s/stat", task->d_name);
      file = atoi(task->d_name) && atoi(task->d_name) != getpid() ? fopen(path, "r") : NULL;
      if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
         state = 'S'; /* it has ended */
      if (file)
         fclose(file);
      sleep &= state == 'S';
   }
   if (tasks)
      closedir(tasks);
   return sleep;
}

static inline pid_t
forking_fork(void)
{
   pid_t child;

   while (!forking_others_sleep())
      usleep(100);
   child = fork();
   forking_in_child |= !child;
   return child;
}
#else
static inline pid_t
forking_fork(void)
{
   return fork();
}
#endif

#endif /* FORKING_H */
