/* SPDX-License-Identifier: MIT */
/*
 * Captures: everything clients gave to the device, in a file that replays to the same results.
 * ATOLL_CS_CAPTURE=FILE writes one; atoll-replay runs it.
 *
 * The file is a header, then records, each a struct atoll_capture_record and a payload of whole
 * 64-bit words.  All numbers are little-endian.  From version 4 on the records are one stream of
 * zstd, flushed after each submission: of a process that was killed, what came before it is there.
 *
 * Memory that only the device wrote is not in the file, since replaying writes it again: before a
 * submission, the pages of its buffers that differ from what they were after the one before.
 *
 * A capture may begin at any submission: what the device counts up from its beginning on is a
 * record then, and the memory is written as submissions name it.  Registers are not: as on the
 * chip, a submission inherits none.
 */
#ifndef ATOLL_CAPTURE_H
#define ATOLL_CAPTURE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ATOLL_CAPTURE_MAGIC   "ATOLLCAP"
#define ATOLL_CAPTURE_VERSION 4u
#define ATOLL_CAPTURE_PAGE    4096u

/* What stands at the beginning of the file; texts are printable ASCII padded with null bytes, at
 * least one. */
struct atoll_capture_header {
   char magic[8]; /* without a null byte */
   uint32_t version;
   uint32_t bytes; /* of the header: records begin there; a multiple of 8, at least this struct's */
   char device[48]; /* DRM driver, then in brackets its description: radeon (Atoll's Cayman) */
   char build[64];  /* atoll_device_build() */
   uint32_t isa;    /* enum atoll_isa */
   uint32_t frame;  /* that it begins with, from 1 on; 0 before version 4 */
};

/* Version 2 ends before `isa`: Cayman. */
#define ATOLL_CAPTURE_HEADER_2 (offsetof(struct atoll_capture_header, isa))

/* Version 1 has these eight bytes for a header. */
#define ATOLL_CAPTURE_MAGIC_1 "ATOLLCP1"

enum atoll_capture_kind {
   ATOLL_CAPTURE_MAP = 1,       /* a: VA, b: bytes */
   ATOLL_CAPTURE_UNMAP = 2,     /* a: VA, b: bytes */
   ATOLL_CAPTURE_PAGE_DATA = 3, /* a: VA; payload: a page */
   ATOLL_CAPTURE_SUBMIT = 4,    /* a: ring, b: dwords; payload: the IB, padded to 8 bytes */
   ATOLL_CAPTURE_HASH = 5,      /* a: the client's memory after the submission; see below */
   /* From version 4 on. */
   ATOLL_CAPTURE_COUNTERS = 6, /* a: how many; payload: what the device has counted, in the order
                                * of struct gfx_counters; before the first submission */
   ATOLL_CAPTURE_FRAME = 7     /* a: its number; before its first submission */
};

#define ATOLL_CAPTURE_COUNTERS_MAX 64u

struct atoll_capture_record {
   uint64_t kind;   /* enum atoll_capture_kind */
   uint64_t client; /* its number; clients have address spaces of their own */
   uint64_t a, b;
};

/* Bytes of the payload after a record. */
static inline uint64_t
atoll_capture_carries(const struct atoll_capture_record *record)
{
   switch (record->kind) {
   case ATOLL_CAPTURE_PAGE_DATA:
      return ATOLL_CAPTURE_PAGE;
   case ATOLL_CAPTURE_SUBMIT:
      return record->b < UINT32_MAX ? (record->b + 1) / 2 * 8 : UINT64_MAX;
   case ATOLL_CAPTURE_COUNTERS:
      return record->a < UINT32_MAX ? record->a * 8 : UINT64_MAX;
   default:
      return 0;
   }
}

/* The hash of a client's memory starts at 0 and takes in, by ascending VA, each page of the buffers
 * that its submissions have named and that are still mapped, but for pages of zeros: a replay need
 * not know which buffers were never used. */
static inline uint64_t
atoll_capture_mix(uint64_t hash, uint64_t value)
{
   hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
   return hash ^ hash >> 29;
}

/* In a file of that version: of all words one after the other, and from 4 on of each fourth, then
 * of the four, which a processor does beside each other. */
static inline uint64_t
atoll_capture_hash_page(const void *page, uint32_t version)
{
   uint64_t lane[4] = { 1, 1, 1, 1 }, value;

   for (size_t i = 0; version < 4 && i < ATOLL_CAPTURE_PAGE; i += 8) {
      memcpy(&value, (const char *)page + i, 8);
      lane[0] = atoll_capture_mix(lane[0], value);
   }
   if (version < 4)
      return lane[0];
   for (size_t i = 0; i < ATOLL_CAPTURE_PAGE; i += 32)
      for (unsigned n = 0; n < 4; n++) {
         memcpy(&value, (const char *)page + i + 8 * n, 8);
         lane[n] = atoll_capture_mix(lane[n], value);
      }
   return atoll_capture_mix(atoll_capture_mix(atoll_capture_mix(lane[0], lane[1]), lane[2]),
                            lane[3]);
}

static inline uint64_t
atoll_capture_hash_zeros(uint32_t version)
{
   static const uint8_t zeros[ATOLL_CAPTURE_PAGE] = { 0 };

   return atoll_capture_hash_page(zeros, version);
}

/* Takes in the page at `va`; its hash is `page`. */
static inline uint64_t
atoll_capture_add_page(uint64_t hash, uint64_t va, uint64_t page)
{
   return atoll_capture_mix(atoll_capture_mix(hash, va), page);
}

#endif
