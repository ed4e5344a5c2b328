/* SPDX-License-Identifier: MIT */
/* The ring of messages: what is kept, what is only counted, and what fits into a buffer. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "frontdoor/report.h"

enum { KEPT = 128, LONGEST = 239 };

/* A second of the report's clock begins: what follows is within it. */
static void
await_second(void)
{
   struct timespec now, start;

   clock_gettime(CLOCK_MONOTONIC_COARSE, &start);
   do {
      nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
      clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
   } while (now.tv_sec == start.tv_sec);
}

static void
order(void **state)
{
   struct report *r = report_create();
   char text[100];

   assert_non_null(r);
   assert_int_equal(report_count(r), 0);
   assert_int_equal(report_read(r, text, sizeof(text)), 0);
   assert_string_equal(text, "");
   report_message(r, "one %d", 1);
   report_text(r, "%s is not a format here");
   const size_t length = report_read(r, text, sizeof(text));
   assert_int_equal(length, strlen(text));
   assert_string_equal(text, "one 1\n%s is not a format here\n");
   assert_int_equal(report_count(r), 2);
   report_destroy(r);
   report_destroy(NULL);
}

/* A message that comes again at once is counted; one that comes again later is kept. */
static void
repeated(void **state)
{
   struct report *r = report_create();
   char text[100];

   for (unsigned n = 0; n < 5; n++)
      report_message(r, "same");
   report_message(r, "other");
   report_message(r, "same");
   report_read(r, text, sizeof(text));
   assert_string_equal(text, "same\nother\nsame\n");
   assert_int_equal(report_count(r), 7);
   report_destroy(r);

   /* An empty one is a message, too: also if it is the first. */
   r = report_create();
   report_message(r, "%s", "");
   assert_int_equal(report_read(r, text, sizeof(text)), 1);
   assert_string_equal(text, "\n");
   report_destroy(r);
}

static void
lengths(void **state)
{
   struct report *r = report_create();
   char text[1000], longest[600];

   memset(longest, 'a', sizeof(longest) - 1);
   longest[sizeof(longest) - 1] = 0;
   report_text(r, longest);
   assert_int_equal(report_read(r, text, sizeof(text)), LONGEST + 1);
   assert_int_equal(text[LONGEST - 1], 'a');
   assert_string_equal(text + LONGEST, "\n");
   /* It differs beyond what is kept: nothing tells them apart. */
   longest[LONGEST] = 'b';
   report_text(r, longest);
   assert_int_equal(report_read(r, text, sizeof(text)), LONGEST + 1);
   assert_int_equal(report_count(r), 2);
   report_destroy(r);
}

/* The newest that fit whole, for every size of buffer; nothing is written past it. */
static void
buffers(void **state)
{
   struct report *r = report_create();
   char whole[100], text[100];

   for (unsigned n = 0; n < 8; n++)
      report_message(r, "%.*s", (int)n + 1, "abcdefgh");
   const size_t length = report_read(r, whole, sizeof(whole));
   assert_int_equal(length, 8 * 9 / 2 + 8);
   for (size_t size = 0; size <= length + 2; size++) {
      memset(text, '#', sizeof(text));
      const size_t got = report_read(r, text, size);
      assert_true(size == 0 ? got == 0 : got < size);
      for (size_t k = size; k < sizeof(text); k++)
         assert_int_equal(text[k], '#');
      if (!size)
         continue;
      assert_int_equal(text[got], 0);
      /* The end of the whole, from a line's beginning, and as much of it as there is room for. */
      assert_string_equal(text, whole + length - got);
      if (got < length) {
         assert_true(got == 0 || whole[length - got - 1] == '\n');
         size_t next = length - got - 1;
         while (next && whole[next - 1] != '\n')
            next--;
         assert_true(length - next + 1 > size);
      }
   }
   report_destroy(r);
}

/* More than there is room for, and more than a second may have. */
static void
flood(void **state)
{
   struct report *r = report_create();
   static char text[KEPT * 10];
   unsigned lines = 0, last = 0;

   await_second();
   for (unsigned n = 0; n < 1000; n++)
      report_message(r, "%u", n);
   report_read(r, text, sizeof(text));
   assert_int_equal(report_count(r), 1000);
   for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
      unsigned number;

      assert_int_equal(sscanf(line, "%u", &number), 1);
      assert_true(!lines || number == last + 1);
      last = number;
      lines++;
   }
   /* Of a second's messages the first are kept, of these what the ring holds. */
   assert_int_equal(lines, KEPT);
   assert_int_equal(last, REPORT_PER_SECOND - 1);
   /* Another second has messages again. */
   await_second();
   report_message(r, "again");
   report_read(r, text, 10);
   assert_string_equal(text, "again\n");
   report_destroy(r);
}

static void *
write_many(void *report)
{
   for (unsigned n = 0; n < 2000; n++)
      report_message(report, "%u", n);
   return NULL;
}

static void
threads(void **state)
{
   struct report *r = report_create();
   pthread_t ids[4];
   char text[500];

   for (unsigned n = 0; n < 4; n++)
      assert_int_equal(pthread_create(&ids[n], NULL, write_many, r), 0);
   for (unsigned n = 0; n < 200; n++)
      assert_true(report_read(r, text, sizeof(text)) < sizeof(text));
   for (unsigned n = 0; n < 4; n++)
      pthread_join(ids[n], NULL);
   assert_int_equal(report_count(r), 4 * 2000);
   report_destroy(r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(order),   cmocka_unit_test(repeated), cmocka_unit_test(lengths),
      cmocka_unit_test(buffers), cmocka_unit_test(flood),    cmocka_unit_test(threads),
   };

   return cmocka_run_group_tests_name("frontdoor/report", tests, NULL, NULL);
}
