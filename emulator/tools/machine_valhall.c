/* SPDX-License-Identifier: MIT */
/*
 * Runs the work groups of a Valhall compute program for atoll-run.  Registers hold what a Mali
 * preloads: the position in the group in r55 (x and y in 16 bits each) and r56, the group in r57 to
 * r59, the thread of all in r60 to r62.  Buffer N is memory from (N + 1) << 32 on, and its address
 * stands in u[2N] and u[2N + 1]; constant buffer 0 follows from u16 on.
 *
 * Where the machine is asked to be the chip (machine.chip), uniforms and resources are those of
 * docs/valhall-chip.rst instead: constant buffers are table 0, storage buffers table 6, and
 * read-only buffers table 4.
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/valhall/valhall.h"
#include "valhall/valhall.h"

#define UNIFORMS       256u
#define FIRST_CONSTANT (2 * MACHINE_BUFFERS)
#define THREAD_BYTES   4096u
#define CHIP_BYTES     32768u /* as many as a compiler uses */

/* Of the regions of memory: buffers first; the engine finds the others itself. */
enum { REGION_LDS = MACHINE_BUFFERS + 1, REGION_THREADS, REGION_TABLES, REGION_CONSTANTS };

#define NUM_TABLES       9u
#define TABLE_CONSTANTS  0u
#define TABLE_TEXTURES   4u
#define TABLE_STORAGE    6u
#define ENTRIES          32u /* of a table */
#define ENTRY_DWORDS     8u
#define BUFFER_TYPE      9u
#define FIRST_WORDS      192u /* uniforms that are constant buffer 0 */
#define DRIVER_CONSTANTS 15u

struct state {
   struct machine *m;
   const struct vh_kernels *kernels;
   struct core_program *program;
   struct vh_bind bind;
   struct core_entry entry;
   uint32_t uniforms[UNIFORMS];
   uint32_t tables[NUM_TABLES * (4 + ENTRIES * ENTRY_DWORDS)];
};

/* Memory at an address, and how much of `size` is there. */
static uint8_t *
find(struct state *s, uint64_t va, uint64_t size, uint64_t *there)
{
   uint64_t region = va >> 32, at = va & UINT32_MAX, bytes = 0;
   uint8_t *base = NULL;

   if (region >= 1 && region <= MACHINE_BUFFERS) {
      base = (uint8_t *)s->m->buffer[region - 1].words;
      bytes = 4 * (uint64_t)s->m->buffer[region - 1].count;
   }
   if (region == REGION_TABLES) {
      base = (uint8_t *)s->tables;
      bytes = sizeof(s->tables);
   } else if (region >= REGION_CONSTANTS && region < REGION_CONSTANTS + MACHINE_CONSTANTS) {
      base = (uint8_t *)s->m->constant[region - REGION_CONSTANTS].words;
      bytes = 4 * (uint64_t)s->m->constant[region - REGION_CONSTANTS].count;
   }
   *there = base && at < bytes ? bytes - at : 0;
   *there = size < *there ? size : *there;
   return *there ? base + at : NULL;
}

static uint64_t
memory_read(void *context, uint64_t va, void *data, uint64_t size)
{
   uint64_t there;
   const uint8_t *from = find(context, va, size, &there);

   memset(data, 0, size);
   if (from)
      memcpy(data, from, there);
   return there;
}

static uint64_t
memory_write(void *context, uint64_t va, const void *data, uint64_t size)
{
   uint64_t there;
   uint8_t *to = find(context, va, size, &there);

   if (to)
      memcpy(to, data, there);
   return there;
}

/* A descriptor of memory from a region's start on. */
static void
describe(struct state *s, unsigned table, unsigned entry, uint32_t region, uint32_t dwords)
{
   uint32_t *d = s->tables + 4 * NUM_TABLES + (table * ENTRIES + entry) * ENTRY_DWORDS;
   d[0] = BUFFER_TYPE;
   d[1] = 4 * dwords;
   d[3] = region;
}

static void
describe_chip(struct state *s)
{
   const struct machine *m = s->m;

   for (unsigned t = 0; t < NUM_TABLES; t++) {
      s->tables[4 * t] = 16 * NUM_TABLES + t * ENTRIES * ENTRY_DWORDS * 4;
      s->tables[4 * t + 1] = REGION_TABLES;
      s->tables[4 * t + 2] = ENTRIES * ENTRY_DWORDS * 4;
   }
   for (unsigned n = 0; n < MACHINE_CONSTANTS; n++)
      describe(s, TABLE_CONSTANTS, n, REGION_CONSTANTS + n, m->constant[n].count);
   for (unsigned n = 0; n < MACHINE_BUFFERS; n++) {
      describe(s, TABLE_STORAGE, n, n + 1, m->buffer[n].count);
      describe(s, TABLE_TEXTURES, n, n + 1, m->buffer[n].count);
   }
   for (uint32_t i = 0; i < FIRST_WORDS; i++)
      s->uniforms[i] = i < m->constant[0].count ? m->constant[0].words[i] : 0;
   const struct machine_buffer *driver = &m->constant[DRIVER_CONSTANTS];
   for (uint32_t i = 0; i < UNIFORMS - FIRST_WORDS; i++)
      s->uniforms[FIRST_WORDS + i] = i < driver->count ? driver->words[i] : 0;
}

static bool
prepare(struct state *s, char *error, size_t size)
{
   const struct machine *m = s->m;
   size_t count;
   uint64_t *words = valhall_words(m->words, m->num_dwords, &count);
   struct vh_source source = { .words = words,
                               .count = count,
                               .flush = m->chip ? VH_FLUSH_FLOATS : VH_FLUSH_NONE };

   s->kernels = vh_kernels_of(kernels_choose());
   s->program = words ? s->kernels->lift(&source) : NULL;
   free(words);
   const char *refused = s->program ? s->program->error : "no memory";
   if (refused) {
      snprintf(error, size, "%s", refused);
      return false;
   }
   if (m->chip)
      describe_chip(s);
   for (unsigned n = 0; n < MACHINE_BUFFERS && !m->chip; n++)
      s->uniforms[2 * n + 1] = n + 1;
   for (uint32_t i = 0; !m->chip && i < m->constant[0].count && FIRST_CONSTANT + i < UNIFORMS; i++)
      s->uniforms[FIRST_CONSTANT + i] = m->constant[0].words[i];
   s->bind = (struct vh_bind){
      .core = { .program = s->program,
                .entry = s->program->engine->entry(s->program, CORE_COMPUTE, NULL, &s->entry),
                .scratch_bytes = !s->program->uses_scratch ? 0
                                 : m->chip                 ? CHIP_BYTES
                                                           : THREAD_BYTES },
      .memory = { s, memory_read, memory_write },
      .uniforms = s->uniforms,
      .num_uniforms = UNIFORMS,
      .resources = (uint64_t)REGION_TABLES << 32,
      .num_tables = m->chip ? NUM_TABLES : 0,
      .thread_storage = (uint64_t)REGION_THREADS << 32,
      .workgroup_storage = (uint64_t)REGION_LDS << 32,
   };
   return true;
}

bool
machine_run_valhall(struct machine *m, char *error, size_t size)
{
   struct state *s = calloc(1, sizeof(*s));

   if (!s) {
      snprintf(error, size, "no memory");
      return false;
   }
   s->m = m;
   bool ok = prepare(s, error, size);
   ok = ok && machine_dispatch(m, &s->bind.core, VH_ROWS, NULL, NULL, error, size);
   if (s->program)
      s->kernels->free(s->program);
   free(s);
   return ok;
}
