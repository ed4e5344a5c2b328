/* SPDX-License-Identifier: MIT */
/* Reads the device's environment variables; see options.h. */
#include "options.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

bool
options_debug(const char *word)
{
   const char *list = getenv("ATOLL_DEBUG");
   size_t length = strlen(word);

   while (list && *list) {
      size_t item = strcspn(list, ",");

      if (item == length && !strncmp(list, word, length))
         return true;
      list += item;
      list += *list == ',';
   }
   return false;
}

bool
options_flag(const char *name)
{
   const char *value = getenv(name);

   return value && *value && strcmp(value, "0") && strcmp(value, "false");
}

bool
options_word(const char *name, const char *value)
{
   const char *set = getenv(name);

   return set && !strcmp(set, value);
}

uint64_t
options_number(const char *name, uint64_t otherwise)
{
   const char *value = getenv(name);
   char *end = NULL;
   uint64_t number = value ? strtoull(value, &end, 0) : 0;

   return value && *value && !*end ? number : otherwise;
}

unsigned
options_threads(void)
{
   const char *value = getenv("ATOLL_THREADS");
   unsigned long threads = value ? strtoul(value, NULL, 10) : 0;
   cpu_set_t cpus;

   if (!threads && !sched_getaffinity(0, sizeof(cpus), &cpus))
      threads = (unsigned long)CPU_COUNT(&cpus);
   return threads < 1 ? 1 : threads > 64 ? 64 : (unsigned)threads;
}
