/* SPDX-License-Identifier: MIT */
/*
 * A capture's records taken apart, each part of which can be left out: submissions, their packets,
 * the registers that those set, pages and their dwords.
 */
#ifndef ATOLL_TOOLS_PARTS_H
#define ATOLL_TOOLS_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <atoll/capture.h>

/* Of an IB of the graphics ring; what is no packet there is one with all that is left. */
struct packet {
   uint32_t at, count; /* dwords */
   uint8_t on;
   bool draws; /* or dispatches */
   bool sets;  /* consecutive registers, from dword 2 on */
};

struct part {
   struct atoll_capture_record record;
   const uint8_t *payload; /* in the records */
   uint8_t on;
   uint32_t dwords;   /* of the payload that can be left out; 0: it is whole */
   uint8_t *dword_on; /* [dwords] */
   struct packet *packets;
   uint32_t num_packets;
};

struct parts {
   struct part *list;
   size_t count, max;
};

/* What a capture has, of the parts that are not left out. */
struct parts_size {
   uint64_t submissions, draws, dwords, pages, bytes; /* dwords: of IBs; bytes: of records */
};

/** Takes records apart; they must outlive *parts.  False: there is no memory for it.  What follows
 *  the last whole record is left out. */
bool parts_read(struct parts *parts, const char *records, size_t size);
void parts_finish(struct parts *parts);

/** Appends the records of all parts that are not left out to *bytes, which has *size and grows.
 *  A hash goes with its submission.  Of registers the first and the last ones of a packet can be
 *  left out, others are 0 then, as dwords of pages are.  False: there is no memory for it. */
bool parts_write(const struct parts *parts, char **bytes, size_t *size, size_t *room);

/** The file of records: a header like the one of the capture that they are from, but of this build
 *  and its format, and the records, packed.  free() *bytes in any case.  False: there is no memory
 *  for it. */
bool parts_pack(const struct atoll_capture_header *from, const char *records, size_t size,
                int level, char **bytes, size_t *num_bytes);

void parts_measure(const struct parts *parts, struct parts_size *size);

#endif
