/* SPDX-License-Identifier: MIT */
/*
 * See reduce.h.  First memory loses the pixels that are to be kept, where the capture has them made
 * again: or nothing but a page would be left.  Then, level by level, the coarsest first, units are
 * left out in runs: all of them, then halves, quarters, down to single ones, the last first.  A run
 * that what is kept does not need stays out.  All levels are gone through again until nothing more
 * goes.
 */
#include "reduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

/* Rounds of all levels at most. */
#define ROUNDS 8u

/* For zstd: what is left is small. */
#define PACK_LEVEL 19

enum level { PIXELS, SUBMISSIONS, PAGES, RECORDS, DRAWS, PACKETS, REGISTERS, DWORDS, LEVELS };

struct reducer {
   struct keep_trials *trials;
   uint64_t limit;
   struct parts parts;
   /* The units of the level at hand that are not left out. */
   uint8_t **units;
   size_t num_units, max_units;
   char *bytes; /* the newest records that were tried */
   size_t size, room;
   bool failed; /* there is no memory */
};

static bool
write_records(struct reducer *r)
{
   r->size = 0;
   r->failed |= !parts_write(&r->parts, &r->bytes, &r->size, &r->room);
   return !r->failed;
}

static bool
holds(struct reducer *r)
{
   return write_records(r) && keep_holds(r->trials, r->bytes, r->size);
}

/* ---- Units ---- */

static void
add_unit(struct reducer *r, uint8_t *on)
{
   if (!*on || r->failed)
      return;
   if (r->num_units == r->max_units) {
      const size_t max = r->max_units ? 2 * r->max_units : 1024;
      uint8_t **units = realloc(r->units, max * sizeof(*units));

      r->failed = !units;
      if (!units)
         return;
      r->units = units;
      r->max_units = max;
   }
   r->units[r->num_units++] = on;
}

static void
add_of_submission(struct reducer *r, struct part *p, enum level level)
{
   for (uint32_t n = 0; n < p->num_packets; n++) {
      struct packet *packet = &p->packets[n];

      if (level == PACKETS || (level == DRAWS && packet->draws))
         add_unit(r, &packet->on);
      for (uint32_t k = 2; level == REGISTERS && packet->on && packet->sets && k < packet->count;
           k++)
         add_unit(r, &p->dword_on[packet->at + k]);
   }
}

static void
add_of_page(struct reducer *r, struct part *p)
{
   const uint32_t *words = (const uint32_t *)(const void *)p->payload;

   for (uint32_t n = 0; n < p->dwords; n++)
      if (words[n])
         add_unit(r, &p->dword_on[n]);
}

/* The dwords of pixels that are to be kept. */
static void
add_pixels(struct reducer *r, struct part *p)
{
   for (unsigned n = 0; n < r->trials->count; n++) {
      const struct history_memory *m = &r->trials->keeps[n].memory;
      const uint64_t at = m->va - p->record.a;

      if (!m->bytes || m->client != p->record.client || at >= ATOLL_CAPTURE_PAGE)
         continue;
      for (uint32_t k = (uint32_t)at / 4; k < p->dwords && 4 * k < at + m->bytes; k++)
         add_unit(r, &p->dword_on[k]);
   }
}

static void
find_units(struct reducer *r, enum level level)
{
   r->num_units = 0;
   for (size_t n = 0; n < r->parts.count; n++) {
      struct part *p = &r->parts.list[n];
      const enum level whole = p->record.kind == ATOLL_CAPTURE_SUBMIT      ? SUBMISSIONS
                               : p->record.kind == ATOLL_CAPTURE_PAGE_DATA ? PAGES
                                                                           : RECORDS;

      if (!p->on || p->record.kind == ATOLL_CAPTURE_HASH)
         continue;
      if (level == whole)
         add_unit(r, &p->on);
      else if (whole == SUBMISSIONS)
         add_of_submission(r, p, level);
      else if (whole == PAGES && level == DWORDS)
         add_of_page(r, p);
      else if (whole == PAGES && level == PIXELS)
         add_pixels(r, p);
   }
}

static void
set(struct reducer *r, size_t first, size_t end, bool on)
{
   for (size_t n = first; n < end; n++)
      *r->units[n] = on;
}

/* Leaves out what is not needed.  Whether that is anything. */
static bool
shrink(struct reducer *r, enum level level)
{
   bool any = false;

   find_units(r, level);
   for (size_t size = r->num_units; size && !r->failed; size = size > 1 ? (size + 1) / 2 : 0) {
      size = size < r->num_units ? size : r->num_units;
      for (size_t end = r->num_units; end && r->trials->trials < r->limit;) {
         const size_t first = end > size ? end - size : 0;

         set(r, first, end, false);
         if (holds(r)) {
            memmove(&r->units[first], &r->units[end], (r->num_units - end) * sizeof(*r->units));
            r->num_units -= end - first;
            any = true;
         } else {
            set(r, first, end, true);
         }
         end = first;
      }
   }
   return any;
}

/* ---- What is said, and written ---- */

static void
say(const struct reducer *r, const char *what)
{
   struct parts_size s;

   parts_measure(&r->parts, &s);
   printf("%s%" PRIu64 " submissions, %" PRIu64 " draws, %" PRIu64 " dwords of packets, %" PRIu64
          " pages, %" PRIu64 " bytes; %" PRIu64 " trials\n",
          what, s.submissions, s.draws, s.dwords, s.pages, s.bytes, r->trials->trials);
   fflush(stdout);
}

/* The hashes are those of what is left. */
static bool
set_hashes(struct reducer *r)
{
   const uint64_t *hashes = keep_hashes(r->trials, r->bytes, r->size);
   struct atoll_capture_record record;

   for (size_t at = 0; hashes && at < r->size;) {
      memcpy(&record, r->bytes + at, sizeof(record));
      if (record.kind == ATOLL_CAPTURE_HASH) {
         record.a = *hashes++;
         memcpy(r->bytes + at, &record, sizeof(record));
      }
      at += sizeof(record) + atoll_capture_carries(&record);
   }
   return hashes != NULL;
}

static int
write_file(struct reducer *r, const char *path)
{
   const struct play *p = r->trials->play;
   char *bytes = NULL;
   size_t size = 0;
   int code = TOOL_SYSTEM;

   if (!write_records(r))
      return TOOL_SYSTEM;
   /* What ends the process that plays it has no hashes: those are the capture's. */
   set_hashes(r);
   if (parts_pack(&r->trials->header, r->bytes, r->size, PACK_LEVEL, &bytes, &size) &&
       tool_write(p->tool, path, bytes, size))
      code = TOOL_OK;
   if (!code)
      printf("%s: %zu bytes, of %zu\n", path, size, p->file->size);
   free(bytes);
   return code;
}

/* Whether there is something to look for: the capture has it, and not without reason. */
static int
check(struct reducer *r)
{
   const struct play *p = r->trials->play;

   if (!holds(r)) {
      tool_error(p->file, 0, 0, "the capture itself does not do what is to be kept");
      return TOOL_REFUSED;
   }
   if (keep_holds(r->trials, r->bytes, 0)) {
      tool_error(p->file, 0, 0, "an empty capture does what is to be kept as well");
      return TOOL_REFUSED;
   }
   return TOOL_OK;
}

static int
search(struct reducer *r, const char *path)
{
   int code = check(r);
   bool more = true;

   if (code)
      return code;
   say(r, "has   ");
   for (unsigned round = 0; round < ROUNDS && more; round++) {
      more = false;
      for (unsigned level = 0; level < LEVELS; level++)
         more |= shrink(r, level);
      say(r, "keeps ");
   }
   return r->failed ? TOOL_SYSTEM : write_file(r, path);
}

int
reduce(struct keep_trials *t, uint64_t limit, const char *path)
{
   struct reducer r = { .trials = t, .limit = limit };
   int code = TOOL_SYSTEM;

   r.failed = !parts_read(&r.parts, t->play->records, t->play->size);
   for (size_t n = 0; n < r.parts.count; n++)
      t->num_hashes += r.parts.list[n].record.kind == ATOLL_CAPTURE_HASH;
   if (!r.failed)
      code = keep_begin(t);
   if (!r.failed && !code)
      code = search(&r, path);
   if (r.failed)
      fprintf(stderr, "%s: no memory\n", t->play->tool->name);
   keep_end(t);
   parts_finish(&r.parts);
   free(r.units);
   free(r.bytes);
   return code;
}
