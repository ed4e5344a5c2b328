/* SPDX-License-Identifier: MIT */
/*
 * Memory barriers between draws and dispatches.
 *
 * What a shader stores to a buffer or an image, another draw or dispatch may read after a
 * glMemoryBarrier() alone.  The driver tells where barriers are, as a number that changes with
 * each: sanitizer_order().  So of each dword of memory that was stored to under the number at hand
 * the draw is remembered, and a read by another draw under the same number is a finding.
 *
 * Two atomic operations need none.  A write after a write is not looked at, nor are reads of what a
 * sampler filters, and of contexts that follow each other under numbers of their own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sanitize/internal.h"

#define NUMBERS_MAX 65536u     /* of a submission that are told apart */
#define STORED_MAX  (1u << 19) /* dwords */

struct stored {
   uint64_t dword; /* of host memory, + 1; 0: free */
   uint64_t program;
   uint32_t submission, draw, origin;
   uint8_t bytes, stage;
   bool atomic;
};

struct order {
   uint32_t submission;
   struct {
      uint32_t from, order; /* draws from this number on */
   } * numbers;
   uint32_t count, cap;
   uint32_t of;           /* what is remembered was stored under this number */
   struct stored *stored; /* by hash */
   uint32_t used, size;   /* a power of two, or 0 */
};

void
order_destroy(struct order *o)
{
   if (!o)
      return;
   free(o->numbers);
   free(o->stored);
   free(o);
}

void
sanitizer_order(struct sanitizer *s, uint32_t submission, uint32_t number, uint32_t order)
{
   struct order *o = s->order;
   bool room;

   if (!o)
      o = s->order = calloc(1, sizeof(*o));
   if (!o)
      return;
   if (o->submission != submission)
      o->count = 0;
   o->submission = submission;
   if (o->count == o->cap && o->cap < NUMBERS_MAX) {
      const uint32_t cap = o->cap ? 2 * o->cap : 64;
      void *more = realloc(o->numbers, cap * sizeof(*o->numbers));

      if (more) {
         o->numbers = more;
         o->cap = cap;
      }
   }
   room = o->count < o->cap;
   /* Those for which there is no room have an order that is not known. */
   if (room)
      o->numbers[o->count++].from = number;
   if (o->count)
      o->numbers[o->count - 1].order = room ? order : 0;
}

uint32_t
order_of(const struct sanitizer *s, const struct core_wave *wave)
{
   const struct order *o = s->order;

   if (!o || o->submission != wave->identity.submission)
      return 0;
   for (uint32_t n = o->count; n-- > 0;)
      if (o->numbers[n].from <= wave->identity.draw)
         return o->numbers[n].order;
   return 0;
}

static struct stored *
slot_of(struct stored *table, uint32_t size, uint64_t dword)
{
   uint32_t n = (uint32_t)(dword * UINT64_C(0xd6e8feb86659fd93) >> 33) & (size - 1);

   while (table[n].dword && table[n].dword != dword)
      n = (n + 1) & (size - 1);
   return &table[n];
}

/* Room for one more; false: there is none. */
static bool
make_room(struct order *o)
{
   const uint32_t size = o->size ? 2 * o->size : 4096;
   struct stored *table;

   if (2 * o->used < o->size)
      return true;
   table = size <= STORED_MAX ? calloc(size, sizeof(*table)) : NULL;
   if (!table)
      return false;
   for (uint32_t n = 0; n < o->size; n++)
      if (o->stored[n].dword)
         *slot_of(table, size, o->stored[n].dword) = o->stored[n];
   free(o->stored);
   o->stored = table;
   o->size = size;
   return true;
}

static void
tell(struct sanitizer *s, const struct core_wave *wave, const struct core_access *access,
     const struct stored *before)
{
   const struct finding f = {
      .kind = SANITIZE_ORDER,
      .wave = wave,
      .lane = access->lane,
      .first = before->origin,
      .second = wave->origin,
      .variant = (uint32_t)before->program,
   };
   const char *counts = wave->bind->program->engine->origin;
   const bool dispatch = before->stage == CORE_COMPUTE;
   char name[64];

   if (!findings_add(s->findings, &f))
      return;
   sanitize_name(s, wave, access->lane, name, sizeof(name));
   findings_tell(s->findings, &f,
                 "%s reads bytes %llu to %llu of %s (%s %u), which %s %u of submission %u wrote "
                 "(%s program at 0x%llx, %s %u), and no memory barrier is between them",
                 name, (unsigned long long)access->address,
                 (unsigned long long)(access->address + access->bytes - 1),
                 access->image ? "an image" : "a buffer", counts, wave->origin,
                 dispatch ? "dispatch" : "draw", before->draw, before->submission,
                 findings_stage(before->stage), (unsigned long long)before->program, counts,
                 before->origin);
}

void
order_access(struct sanitizer *s, const struct core_wave *wave, const struct core_access *access,
             uint64_t dword, uint8_t bytes)
{
   const uint32_t order = shadow_of(wave)->order;
   const bool writes = access->how & CORE_WRITES;
   const bool atomic = writes && access->how & CORE_READS;
   struct order *o = s->order;
   struct stored *at;

   if (!order || !o || (!writes && o->of != order))
      return;
   if (o->of != order && o->used) {
      memset(o->stored, 0, o->size * sizeof(*o->stored));
      o->used = 0;
   }
   o->of = order;
   if (writes ? !make_room(o) : !o->used)
      return;
   at = slot_of(o->stored, o->size, dword + 1);
   if (at->dword && access->how & CORE_READS && bytes & at->bytes && !(atomic && at->atomic) &&
       (at->submission != wave->identity.submission || at->draw != wave->identity.draw))
      tell(s, wave, access, at);
   if (!writes)
      return;
   o->used += !at->dword;
   *at = (struct stored){
      .dword = dword + 1,
      .program = wave->bind->program->va,
      .submission = wave->identity.submission,
      .draw = wave->identity.draw,
      .origin = wave->origin,
      .bytes = bytes,
      .stage = wave->identity.stage,
      .atomic = atomic,
   };
}
