/* SPDX-License-Identifier: MIT */
/* Devices' processes and their ends, for tests: found by their command lines. */
#ifndef ATOLL_TEST_PROCESS_FIND_H
#define ATOLL_TEST_PROCESS_FIND_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The words of /proc/PID/cmdline, with blanks between them; "" of a process that has ended. */
static inline void
find_command(int pid, char text[512])
{
   char path[64];
   FILE *file;
   size_t length;

   snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
   file = fopen(path, "re");
   length = file ? fread(text, 1, 511, file) : 0;
   if (file)
      fclose(file);
   text[length] = 0;
   for (size_t i = 0; i + 1 < length; i++)
      text[i] = text[i] ? text[i] : ' ';
}

/* The process of atoll-device with that argument that was started last; 0: none. */
static inline int
find_device(const char *argument)
{
   DIR *all = opendir("/proc");
   int last = 0;

   for (struct dirent *entry; all && (entry = readdir(all));) {
      const int pid = atoi(entry->d_name);
      char text[512];

      if (pid <= last)
         continue;
      find_command(pid, text);
      if (strstr(text, "atoll-device") && strstr(text, argument))
         last = pid;
   }
   if (all)
      closedir(all);
   return last;
}

static inline int
find_device_of(pid_t owner)
{
   char argument[32];

   snprintf(argument, sizeof(argument), "--owner=%d", (int)owner);
   return find_device(argument);
}

/* Ends it, where there is one: between two there may be none. */
static inline void
find_and_kill(int pid)
{
   if (pid > 0)
      kill(pid, SIGKILL);
}

/* Waits until it has ended; false after ten seconds. */
static inline bool
find_end_of(int pid)
{
   char text[512];

   for (int i = 0; i < 1000; i++) {
      find_command(pid, text);
      if (!*text)
         return true;
      usleep(10000);
   }
   return false;
}

#endif
