/* SPDX-License-Identifier: MIT */
/* Reads the device's environment variables; see options.h. */
#include "options.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
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

/* Where nothing else is asked for: of host time, and of contexts that hear of no reset by the wall
 * clock. */
#define HOST_SECONDS    30
#define PATIENT_SECONDS 120
#define WALL_PART       1.5 /* by the wall clock, of host time */
#define MAX_SECONDS     1e9
#define SECOND_NS       1e9

/* Digits, and digits after a point, whatever the program's locale has for one; -1: none. */
static double
read_seconds(const char *text, char **end)
{
   double value = 0, unit = 1;
   const char *at = text;

   for (; *at >= '0' && *at <= '9'; at++)
      value = value * 10 + (*at - '0');
   if (*at == '.')
      for (at++; *at >= '0' && *at <= '9'; at++)
         value += (*at - '0') * (unit /= 10);
   *end = (char *)at;
   return at == text ? -1 : value;
}

bool
options_budget(struct options_budget *budget)
{
   const char *value = getenv("ATOLL_BUDGET");
   char *end = NULL, *real_end = NULL;
   unsigned long long cycles;
   double seconds;

   *budget = (struct options_budget){ .host_ns = (int64_t)(HOST_SECONDS * SECOND_NS),
                                      .wall_ns = (int64_t)(HOST_SECONDS * WALL_PART * SECOND_NS),
                                      .patient_ns = (int64_t)(PATIENT_SECONDS * SECOND_NS) };
   if (!value || !*value)
      return true;
   if (!strcmp(value, "none")) {
      *budget = (struct options_budget){ .set = true };
      return true;
   }
   cycles = strtoull(value, &end, 0);
   if (*value >= '0' && *value <= '9' && !strcmp(end, "c") && cycles) {
      /* Of cycles alone nothing depends on time, but for the wall clock. */
      *budget = (struct options_budget){ .cycles = cycles,
                                         .wall_ns = (int64_t)(PATIENT_SECONDS * SECOND_NS),
                                         .set = true };
      return true;
   }
   seconds = read_seconds(value, &real_end);
   if (!(seconds > 0 && seconds <= MAX_SECONDS) || (*real_end && strcmp(real_end, "s") != 0)) {
      fprintf(stderr,
              "atoll: ATOLL_BUDGET=%s: neither seconds (1.5), cycles (300000c) nor none; it is as "
              "without\n",
              value);
      return false;
   }
   *budget = (struct options_budget){ .host_ns = (int64_t)(seconds * SECOND_NS),
                                      .wall_ns = (int64_t)(seconds * SECOND_NS * WALL_PART),
                                      .set = true };
   return true;
}

/* Digits, and a letter where it is a number of bytes.  False: neither, or more than 64 bits. */
static bool
read_number(const char *text, size_t length, bool bytes, uint64_t *number)
{
   static const char units[] = "KMG";
   const char *unit = bytes && length ? strchr(units, text[length - 1]) : NULL;
   const unsigned shift = unit && *unit ? 10 * (unsigned)(unit - units + 1) : 0;
   uint64_t value = 0;

   length -= shift != 0;
   for (size_t n = 0; n < length; n++) {
      if (text[n] < '0' || text[n] > '9' || value > UINT64_MAX / 10 - 1)
         return false;
      value = value * 10 + (uint64_t)(text[n] - '0');
   }
   *number = value << shift;
   return length && *number >> shift == value;
}

bool
options_limits(struct options_limits *limits)
{
   const char *list = getenv("ATOLL_LIMITS");
   struct options_limits found = *limits;

   while (list && *list) {
      const size_t item = strcspn(list, ","), name = strcspn(list, "=");
      uint64_t value;

      if (name >= item)
         return false;
      const bool bytes = name == 6 && (!strncmp(list, "memory", 6) || !strncmp(list, "client", 6));
      if (!read_number(list + name + 1, item - name - 1, bytes, &value) ||
          (!bytes && value > UINT32_MAX))
         return false;
      if (bytes)
         *(*list == 'm' ? &found.memory : &found.client) = value;
      else if (name == 7 && !strncmp(list, "handles", 7))
         found.handles = (uint32_t)value;
      else if (name == 7 && !strncmp(list, "compile", 7))
         found.compile = (uint32_t)value;
      else
         return false;
      list += item;
      list += *list == ',';
   }
   *limits = found;
   return true;
}

static bool
read_numbers(const char *path, long long *numbers, int count)
{
   FILE *file = fopen(path, "re");
   int found = 0;

   while (file && found < count && fscanf(file, "%lld", &numbers[found]) == 1)
      found++;
   if (file)
      fclose(file);
   return found == count;
}

/* Processors that the control group's quota is worth, rounded up; 0 without one.  A container sees
 * its own group at the root. */
static unsigned long
read_quota(void)
{
   long long n[2];

   if (!read_numbers("/sys/fs/cgroup/cpu.max", n, 2) &&
       !(read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", &n[0], 1) &&
         read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_period_us", &n[1], 1)))
      return 0;
   return n[0] > 0 && n[1] > 0 ? (unsigned long)(n[0] / n[1] + (n[0] % n[1] != 0)) : 0;
}

/* Asked once: a device that is confined later reads no files. */
static unsigned long quota_read;
static pthread_once_t quota_once = PTHREAD_ONCE_INIT;

static void
keep_quota(void)
{
   quota_read = read_quota();
}

static unsigned long
quota(void)
{
   pthread_once(&quota_once, keep_quota);
   return quota_read;
}

static unsigned long
wanted_threads(void)
{
   const char *value = getenv("ATOLL_THREADS");

   return value ? strtoul(value, NULL, 10) : 0;
}

unsigned
options_threads(void)
{
   unsigned long threads = wanted_threads();
   cpu_set_t cpus;

   if (!threads && !sched_getaffinity(0, sizeof(cpus), &cpus)) {
      const unsigned long most = quota();

      threads = (unsigned long)CPU_COUNT(&cpus);
      threads = most && most < threads ? most : threads;
   }
   return threads < 1 ? 1 : threads > 64 ? 64 : (unsigned)threads;
}

/* More than this does not help beside a few other programs. */
#define RESERVE_THREADS 8u

unsigned
options_reserve(void)
{
   const unsigned threads = options_threads();

   /* A process with a quota gets no more by it, and one processor's thread waits for no other. */
   if (wanted_threads() || quota() || threads == 1)
      return 0;
   return threads < RESERVE_THREADS ? threads : RESERVE_THREADS;
}

bool
options_alone(void)
{
   return !wanted_threads() && options_threads() == 1;
}
