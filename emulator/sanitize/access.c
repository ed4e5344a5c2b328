/* SPDX-License-Identifier: MIT */
/*
 * Accesses to memory, and barriers.
 *
 * Invocations of one work group are ordered by barriers: what one does before a barrier comes
 * before what another one does after it.  So each wave counts the barriers that it got past, its
 * epoch, and two accesses of a group meet if their epochs are equal.  Lanes of a wave run in step
 * here, and elsewhere they need not: they are invocations like any others.  Invocations of
 * different groups have no order.
 *
 * Two accesses that meet are a race if one of them writes, but for these:
 *
 *    both are atomic operations;
 *    both write the same value;
 *    one is atomic, the other one reads: it polls;
 *    the later one's wave did an atomic operation since the earlier one: locks, counters and flags
 *       hand memory over so, and are given the benefit of the doubt.
 *
 * Of each dword the last write and two readers are remembered, for as long as its group or its
 * dispatch runs.
 *
 * A read of what is not there, or of shared memory that nobody wrote, gives a bad value
 * (values.c); a write to what is not there is a finding.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sanitize/internal.h"
#include "uop/exec.h"

#define SLOTS_MAX  (1u << 20) /* for dwords of memory, of which half are used */
#define KEPT_SLOTS (1u << 16) /* from dispatch to dispatch */

/* ------------------------------------------------------------------------------------------------
 * Groups
 */

static struct group_shadow *
group_of(const struct core_wave *wave)
{
   return wave->group && wave->identity.stage == CORE_COMPUTE ? wave->group->observed : NULL;
}

void
access_begin(struct sanitizer *s, struct core_wave *wave)
{
   struct group_shadow *g = group_of(wave);

   if (!wave->group || wave->identity.stage != CORE_COMPUTE)
      return;
   if (!g) {
      g = s->groups;
      if (g)
         s->groups = g->next;
      else
         g = malloc(sizeof(*g));
      if (!g)
         return;
      memset(g, 0, offsetof(struct group_shadow, lds));
      memset(g->lds, 0, (wave->group->lds_bytes + 3) / 4 * sizeof(*g->lds));
      g->next = s->in_use;
      s->in_use = g;
      wave->group->observed = g;
   }
   g->started++;
}

/* It has ended: no wave of it runs any more. */
static void
release(struct sanitizer *s, struct group_shadow *g)
{
   struct group_shadow **at = &s->in_use;

   while (*at && *at != g)
      at = &(*at)->next;
   if (*at)
      *at = g->next;
   g->next = s->groups;
   s->groups = g;
}

static void
tell_uneven(struct sanitizer *s, const struct core_wave *wave, struct group_shadow *g,
            uint32_t origin, const char *what)
{
   const struct finding f = {
      .kind = SANITIZE_BARRIER,
      .wave = wave,
      .first = g->last,
      .second = origin,
      .variant = 1,
   };

   if (g->uneven || !sanitize_looks_for(s, SANITIZE_BARRIER))
      return;
   g->uneven = true;
   if (findings_add(s->findings, &f))
      findings_tell(s->findings, &f, "wave %u %s the barrier of other waves of its group, the %uth",
                    wave->identity.wave, what, g->reached);
}

void
access_end(struct sanitizer *s, struct core_wave *wave)
{
   struct group_shadow *g = group_of(wave);

   if (!g)
      return;
   if (!wave->faulted && shadow_of(wave) && shadow_of(wave)->barriers < g->reached)
      tell_uneven(s, wave, g, UINT32_MAX, "ended before it came to");
   if (++g->ended < wave->group->num_waves)
      return;
   wave->group->observed = NULL;
   release(s, g);
}

void
access_barrier(struct sanitizer *s, const struct exec *x)
{
   const struct core_wave *wave = x->wave;
   struct group_shadow *g = group_of(wave);
   struct shadow *w = shadow_of(wave);
   const uint64_t out = x->launch & ~x->lanes;
   const struct finding f = {
      .kind = SANITIZE_BARRIER,
      .wave = wave,
      .lane = out ? (uint8_t)__builtin_ctzll(out) : 0,
      .first = wave->origin,
      .second = UINT32_MAX,
   };
   char first[64], other[64];

   if (!g || !w)
      return;
   if (out && sanitize_looks_for(s, SANITIZE_BARRIER) && findings_add(s->findings, &f)) {
      sanitize_name(s, wave, (unsigned)__builtin_ctzll(out), first, sizeof(first));
      sanitize_name(s, wave, (unsigned)__builtin_ctzll(x->lanes), other, sizeof(other));
      findings_tell(s->findings, &f,
                    "a barrier in divergent flow: %d of the wave's invocations do not reach it, "
                    "%s is the first of them; %s does",
                    __builtin_popcountll(out), first, other);
   }
   w->barriers++;
   if (w->barriers > g->reached) {
      if (g->reached && g->ended)
         tell_uneven(s, wave, g, wave->origin, "waits after the last of");
      g->reached = w->barriers;
      g->last = wave->origin;
   } else if (w->barriers == g->reached && g->last != wave->origin) {
      tell_uneven(s, wave, g, wave->origin, "waits at another instruction than");
   }
}

static const char *
memory_name(const struct core_access *access)
{
   return access->memory == CORE_MEMORY_LDS         ? "shared memory"
          : access->image                           ? "an image"
          : access->memory == CORE_MEMORY_CONSTANTS ? "a constant buffer"
                                                    : "a buffer";
}

/* ------------------------------------------------------------------------------------------------
 * Races
 */

void
access_forget(struct sanitizer *s)
{
   free(s->memory.key);
   free(s->memory.cell);
   s->memory.key = NULL;
   s->memory.cell = NULL;
   s->memory.used = s->memory.size = 0;
}

static uint32_t
slot_of(const struct sanitizer *s, uint64_t key)
{
   uint32_t n = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (s->memory.size - 1);

   while (s->memory.key[n] && s->memory.key[n] != key)
      n = (n + 1) & (s->memory.size - 1);
   return n;
}

static bool
grow(struct sanitizer *s)
{
   uint64_t *const old_key = s->memory.key;
   struct cell *const old_cell = s->memory.cell;
   const uint32_t old = s->memory.size, size = old ? 2 * old : 1024;
   uint64_t *key = calloc(size, sizeof(*key));
   struct cell *cell = calloc(size, sizeof(*cell));

   if (!key || !cell || size > SLOTS_MAX) {
      free(key);
      free(cell);
      return false;
   }
   s->memory.key = key;
   s->memory.cell = cell;
   s->memory.size = size;
   for (uint32_t n = 0; n < old; n++) {
      if (!old_key[n])
         continue;
      const uint32_t at = slot_of(s, old_key[n]);

      key[at] = old_key[n];
      cell[at] = old_cell[n];
   }
   free(old_key);
   free(old_cell);
   return true;
}

/* What is known of a dword of memory; NULL: no more can be remembered. */
static struct cell *
cell_at(struct sanitizer *s, const struct core_wave *wave, uint64_t dword)
{
   const struct core_identity *id = &wave->identity;

   if (s->memory.submission != id->submission || s->memory.number != id->draw) {
      s->memory.submission = id->submission;
      s->memory.number = id->draw;
      /* Which costs as much as it has slots. */
      if (s->memory.size > KEPT_SLOTS)
         access_forget(s);
      if (s->memory.used) {
         memset(s->memory.key, 0, s->memory.size * sizeof(*s->memory.key));
         memset(s->memory.cell, 0, s->memory.size * sizeof(*s->memory.cell));
      }
      s->memory.used = 0;
   }
   if (2 * s->memory.used >= s->memory.size && !grow(s))
      return NULL;

   const uint32_t n = slot_of(s, dword + 1);

   s->memory.used += !s->memory.key[n];
   s->memory.key[n] = dword + 1;
   return &s->memory.cell[n];
}

/* One side of a race. */
struct side {
   uint32_t invocation, group, epoch, origin;
   uint8_t bytes;
   uint64_t at;
};

/* Whether nothing orders what another invocation did before. */
static bool
meets(const struct shadow *w, const struct side *now, const struct side *before)
{
   if (!before->invocation || !(now->bytes & before->bytes) || w->synchronised > before->at)
      return false;
   if (now->group != before->group)
      return true;
   return now->invocation != before->invocation && now->epoch == before->epoch;
}

static void
tell_race(struct sanitizer *s, const struct core_wave *wave, const struct core_access *access,
          const struct side *now, const struct side *before, const char *did, bool writes)
{
   const struct finding f = {
      .kind = SANITIZE_RACE,
      .wave = wave,
      .lane = access->lane,
      .first = before->origin < now->origin ? before->origin : now->origin,
      .second = before->origin < now->origin ? now->origin : before->origin,
   };
   const char *counts = wave->bind->program->engine->origin;
   char name[64], other[64];

   if (!findings_add(s->findings, &f))
      return;
   sanitize_name(s, wave, access->lane, name, sizeof(name));
   snprintf(other, sizeof(other), "invocation %u of group %u", before->invocation - 1,
            before->group);
   findings_tell(
      s->findings, &f,
      "a race on bytes %llu to %llu of %s: %s %s (%s %u) what %s %s (%s %u), and nothing "
      "orders them",
      (unsigned long long)access->address,
      (unsigned long long)(access->address + access->bytes - 1), memory_name(access), name,
      writes ? "writes" : "reads", counts, now->origin, other, did, counts, before->origin);
}

/* Remembers the access, and finds those that it meets. */
static void
race(struct sanitizer *s, const struct core_wave *wave, const struct core_access *access,
     struct cell *c, uint8_t bytes, uint64_t value)
{
   struct shadow *w = shadow_of(wave);
   const bool atomic = access->how == (CORE_READS | CORE_WRITES);
   const bool writes = access->how & CORE_WRITES;
   const struct side now = {
      .invocation = wave->identity.wave * WAVE_LANES + access->lane + 1,
      .group = wave->identity.part,
      .epoch = w->barriers,
      .origin = wave->origin,
      .bytes = bytes,
   };
   const struct side written = { c->writer,       c->writer_group, c->write_epoch,
                                 c->write_origin, c->write_bytes,  c->written_at };
   const bool alike = writes && !atomic && !c->atomic && c->value == value;
   const bool polls = !writes && c->atomic;

   if (!(atomic && c->atomic) && !alike && !polls && meets(w, &now, &written))
      tell_race(s, wave, access, &now, &written, "wrote", writes);
   for (unsigned n = 0; writes && !atomic && n < 2; n++) {
      const struct side read = { c->reader[n],      c->reader_group[n], c->read_epoch[n],
                                 c->read_origin[n], c->read_bytes[n],   c->read_at[n] };

      if (meets(w, &now, &read))
         tell_race(s, wave, access, &now, &read, "read", true);
   }
   if (writes) {
      c->writer = now.invocation;
      c->writer_group = now.group;
      c->write_epoch = now.epoch;
      c->write_origin = now.origin;
      c->write_bytes = bytes;
      c->written_at = s->now;
      c->value = value;
      c->atomic = atomic;
   } else {
      /* The newest, and the newest of another invocation's. */
      const bool same = c->reader[0] == now.invocation && c->reader_group[0] == now.group;

      if (!same) {
         c->reader[1] = c->reader[0];
         c->reader_group[1] = c->reader_group[0];
         c->read_epoch[1] = c->read_epoch[0];
         c->read_origin[1] = c->read_origin[0];
         c->read_bytes[1] = c->read_bytes[0];
         c->read_at[1] = c->read_at[0];
      }
      c->reader[0] = now.invocation;
      c->reader_group[0] = now.group;
      c->read_epoch[0] = now.epoch;
      c->read_origin[0] = now.origin;
      c->read_bytes[0] = bytes;
      c->read_at[0] = s->now;
   }
}

/* ------------------------------------------------------------------------------------------------
 * Accesses
 */

/* The bytes of its dword n that an access has. */
static uint8_t
bytes_of(uint64_t address, uint32_t bytes, unsigned n)
{
   uint8_t mask = 0;

   for (unsigned b = 0; b < 4; b++) {
      const uint64_t at = address / 4 * 4 + 4 * n + b;

      mask |= (uint8_t)((at >= address && at - address < bytes) << b);
   }
   return mask;
}

/* Shared memory remembers which invocation wrote what is there, and whether that is any good. */
static void
shared(struct sanitizer *s, const struct core_wave *wave, const struct core_access *access)
{
   struct group_shadow *g = group_of(wave);
   struct shadow *w = shadow_of(wave);

   for (unsigned n = 0; n <= (access->address % 4 + access->bytes - 1) / 4; n++) {
      struct cell *c = &g->lds[access->address / 4 + n];
      const uint8_t bytes = bytes_of(access->address, access->bytes, n);

      if (sanitize_looks_for(s, SANITIZE_RACE))
         race(s, wave, access, c, bytes, access->value);
      if (access->how & CORE_READS) {
         if (bytes & ~c->filled && sanitize_looks_for(s, SANITIZE_SHARED))
            values_loaded(wave, access->lane,
                          maker_number(s, wave, SANITIZE_SHARED, false,
                                       "a read of shared memory that nobody wrote"));
         else if (c->made)
            values_loaded(wave, access->lane, c->made);
      }
      if (access->how & CORE_WRITES) {
         const bool bad = w->data.lanes >> access->lane & 1;

         /* What an operation makes of nothing stays nothing. */
         if (!(access->how & CORE_READS) || !(bytes & ~c->filled)) {
            c->filled |= bytes;
            if (!(access->how & CORE_READS) || bad)
               c->made = bad ? w->data.maker[access->lane] : 0;
         }
      }
   }
}

static void
beyond(struct sanitizer *s, const struct core_wave *wave, const struct core_access *access)
{
   const unsigned kind = access->image ? SANITIZE_IMAGE : SANITIZE_BOUNDS;
   const struct finding f = {
      .kind = (uint8_t)kind,
      .wave = wave,
      .lane = access->lane,
      .first = wave->origin,
      .second = UINT32_MAX,
   };
   const char *what = memory_name(access);
   char name[64];

   if (!sanitize_looks_for(s, kind))
      return;
   if (!(access->how & CORE_WRITES)) {
      char text[80];

      snprintf(text, sizeof(text), "a read beyond the end of %s", what);
      values_loaded(wave, access->lane, maker_number(s, wave, kind, false, text));
      return;
   }
   if (!findings_add(s->findings, &f))
      return;
   sanitize_name(s, wave, access->lane, name, sizeof(name));
   if (access->image)
      findings_tell(s->findings, &f, "%s writes outside of an image", name);
   else
      findings_tell(s->findings, &f, "%s writes bytes %llu to %llu of %s, which has %llu", name,
                    (unsigned long long)access->address,
                    (unsigned long long)(access->address + access->bytes - 1), what,
                    (unsigned long long)access->limit);
}

/* What stages hand to each other and to memory by fixed function is in order without a barrier. */
static bool
is_ordered(unsigned memory)
{
   return memory == CORE_MEMORY_RING || memory == CORE_MEMORY_STREAM ||
          memory == CORE_MEMORY_SCATTER || memory == CORE_MEMORY_FACTORS;
}

/* Memory that others see, too. */
static void
elsewhere(struct sanitizer *s, const struct core_wave *wave, const struct core_access *access)
{
   const bool races = wave->identity.stage == CORE_COMPUTE && sanitize_looks_for(s, SANITIZE_RACE);
   const uintptr_t at = (uintptr_t)access->host;

   for (unsigned n = 0; n <= (at % 4 + access->bytes - 1) / 4; n++) {
      const uint8_t bytes = bytes_of(at, access->bytes, n);
      struct cell *c = races ? cell_at(s, wave, at / 4 + n) : NULL;

      if (c)
         race(s, wave, access, c, bytes, access->value);
      if (shadow_of(wave)->order && !is_ordered(access->memory))
         order_access(s, wave, access, at / 4 + n, bytes);
   }
}

void
access_seen(void *data, const struct core_wave *wave, const struct core_access *access)
{
   struct sanitizer *s = data;
   struct shadow *w = shadow_of(wave);
   /* Of a vector that is loaded, components beyond the end may be thrown away. */
   const uint32_t needed = access->how & CORE_WRITES ? access->bytes : 1;
   const bool inside =
      access->address <= access->limit && access->limit - access->address >= needed;

   if (!w || !access->bytes)
      return;
   s->now++;
   if (access->limit != CORE_NO_LIMIT && !inside) {
      beyond(s, wave, access);
      return;
   }
   if (access->memory == CORE_MEMORY_LDS && group_of(wave))
      shared(s, wave, access);
   else if (access->host)
      elsewhere(s, wave, access);
   /* From the next instruction on: lanes of this one have no order yet. */
   if (access->how == (CORE_READS | CORE_WRITES))
      w->synchronises = s->now;
}
