/* SPDX-License-Identifier: MIT */
/*
 * What the device has to say: faults and oddities of command streams.  Messages go to a ring that
 * a test or a tool can read, and with ATOLL_DEBUG=device to stderr.
 */
#ifndef ATOLL_REPORT_H
#define ATOLL_REPORT_H

#include <stddef.h>
#include <stdint.h>

struct report;

/* Never NULL but on lack of memory. */
struct report *report_create(void);
void report_destroy(struct report *report);

/* Adds a message.  A message equal to the last one is counted, not repeated; after
 * REPORT_PER_SECOND in one second the rest of it is counted only.  Thread-safe. */
void report_message(struct report *report, const char *format, ...)
   __attribute__((format(printf, 2, 3)));
#define REPORT_PER_SECOND 200

/* For gfx_options.report: `data` is the report. */
void report_text(void *data, const char *message);

/* Messages so far, dropped and repeated ones included. */
uint64_t report_count(struct report *report);

/* Copies the newest messages that fit into `buffer`, oldest first, one a line, ended by a null
 * byte.  Returns the length. */
size_t report_read(struct report *report, char *buffer, size_t size);

#endif
