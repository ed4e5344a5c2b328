/* SPDX-License-Identifier: MIT */
/* A ring of messages, and how often they are printed; see report.h. */
#include "frontdoor/report.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "options.h"

#define RING   128
#define LENGTH 240

struct report {
   pthread_mutex_t lock;
   bool print;
   uint64_t count, stored;
   time_t second;
   unsigned in_second, suppressed;
   char ring[RING][LENGTH];
};

struct report *
report_create(void)
{
   struct report *report = calloc(1, sizeof(*report));

   if (report) {
      pthread_mutex_init(&report->lock, NULL);
      report->print = options_debug("device");
   }
   return report;
}

void
report_destroy(struct report *report)
{
   if (report) {
      pthread_mutex_destroy(&report->lock);
      free(report);
   }
}

void
report_text(void *data, const char *message)
{
   struct report *report = data;
   struct timespec now;
   char *slot;

   clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
   pthread_mutex_lock(&report->lock);
   report->count++;
   if (now.tv_sec != report->second) {
      if (report->print && report->suppressed)
         fprintf(stderr, "atoll: device: %u more messages\n", report->suppressed);
      report->second = now.tv_sec;
      report->in_second = report->suppressed = 0;
   }
   slot = report->ring[(report->stored + RING - 1) % RING];
   if (++report->in_second > REPORT_PER_SECOND ||
       (report->stored && !strncmp(slot, message, LENGTH - 1))) {
      report->suppressed++;
   } else {
      slot = report->ring[report->stored++ % RING];
      snprintf(slot, LENGTH, "%s", message);
      if (report->print)
         fprintf(stderr, "atoll: device: %s\n", slot);
   }
   pthread_mutex_unlock(&report->lock);
}

void
report_message(struct report *report, const char *format, ...)
{
   char text[LENGTH];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   report_text(report, text);
}

uint64_t
report_count(struct report *report)
{
   uint64_t count;

   pthread_mutex_lock(&report->lock);
   count = report->count;
   pthread_mutex_unlock(&report->lock);
   return count;
}

size_t
report_read(struct report *report, char *buffer, size_t size)
{
   size_t length = 0;

   if (!size)
      return 0;
   pthread_mutex_lock(&report->lock);

   uint64_t first = report->stored, total = 1;
   while (first && report->stored - first < RING) {
      size_t add = strlen(report->ring[(first - 1) % RING]) + 1;

      if (total + add > size)
         break;
      total += add;
      first--;
   }
   for (; first < report->stored; first++)
      length += (size_t)sprintf(buffer + length, "%s\n", report->ring[first % RING]);
   buffer[length] = 0;
   pthread_mutex_unlock(&report->lock);
   return length;
}
