/* SPDX-License-Identifier: MIT */
/*
 * Runs the work groups of a Valhall compute program for atoll-run.  Registers hold what a Mali
 * preloads: the place in the group in r55 (x and y in 16 bits each) and r56, the group in r57 to
 * r59, the thread of all in r60 to r62.  Buffer N is memory from (N + 1) << 32 on, and its address
 * stands in u[2N] and u[2N + 1]; constant buffer 0 follows from u16 on.
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/valhall/valhall.h"
#include "valhall/valhall.h"

#define MAX_WAVES      32u /* 2048 threads */
#define UNIFORMS       256u
#define FIRST_CONSTANT (2 * MACHINE_BUFFERS)
#define THREAD_BYTES   4096u
#define LDS_BYTES      32768u

/* Of the regions of memory: buffers first. */
enum { REGION_LDS = MACHINE_BUFFERS + 1, REGION_THREADS };

struct state {
   struct machine *m;
   const struct vh_kernels *kernels;
   struct vh_program *program;
   struct vh_bind bind;
   uint32_t uniforms[UNIFORMS];
   struct vh_wave wave[MAX_WAVES];
   wave_lane *file; /* [MAX_WAVES][VH_ROWS] */
   uint8_t *lds, *threads;
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
   } else if (region == REGION_LDS) {
      base = s->lds;
      bytes = s->m->lds_bytes;
   } else if (region == REGION_THREADS) {
      base = s->threads;
      bytes = (uint64_t)MAX_WAVES * WAVE_LANES * THREAD_BYTES;
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
   if (from) {
      memcpy(data, from, there);
   }
   return there;
}

static uint64_t
memory_write(void *context, uint64_t va, const void *data, uint64_t size)
{
   uint64_t there;
   uint8_t *to = find(context, va, size, &there);

   if (to) {
      memcpy(to, data, there);
   }
   return there;
}

static bool
prepare(struct state *s, char *error, size_t size)
{
   const struct machine *m = s->m;
   size_t count;
   uint64_t *words = valhall_words(m->words, m->num_dwords, &count);
   struct vh_source source = { .words = words, .count = count };

   s->kernels = vh_kernels_of(kernels_choose());
   s->program = words ? s->kernels->lift(&source) : NULL;
   free(words);
   s->file = aligned_alloc(64, MAX_WAVES * VH_ROWS * sizeof(*s->file));
   s->lds = malloc(LDS_BYTES);
   s->threads = calloc(MAX_WAVES * WAVE_LANES, THREAD_BYTES);
   const char *refused = s->program ? s->kernels->error(s->program) : "no memory";
   if (!refused && !(s->file && s->lds && s->threads)) {
      refused = "no memory";
   }
   if (refused) {
      snprintf(error, size, "%s", refused);
      return false;
   }
   for (unsigned n = 0; n < MACHINE_BUFFERS; n++) {
      s->uniforms[2 * n + 1] = n + 1;
   }
   for (uint32_t i = 0; i < m->constant[0].count && FIRST_CONSTANT + i < UNIFORMS; i++) {
      s->uniforms[FIRST_CONSTANT + i] = m->constant[0].words[i];
   }
   s->bind = (struct vh_bind){
      .memory = { s, memory_read, memory_write },
      .uniforms = s->uniforms,
      .num_uniforms = UNIFORMS,
      .thread_storage = (uint64_t)REGION_THREADS << 32,
      .thread_bytes = THREAD_BYTES,
      .workgroup_storage = (uint64_t)REGION_LDS << 32,
   };
   return true;
}

static void
preload(const struct machine *m, wave_lane *file, unsigned wave, const uint32_t group[3])
{
   memset(file, 0, VH_ROWS * sizeof(*file));
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      uint32_t t = wave * WAVE_LANES + lane;
      const uint32_t local[3] = { t % m->threads[0], t / m->threads[0] % m->threads[1],
                                  t / m->threads[0] / m->threads[1] };
      file[55][lane] = local[0] | local[1] << 16;
      file[56][lane] = local[2];
      for (unsigned c = 0; c < 3; c++) {
         file[57 + c][lane] = group[c];
         file[60 + c][lane] = group[c] * m->threads[c] + local[c];
      }
   }
}

/* The waves of a group run in turn, each up to the next barrier. */
static bool
run_group(void *state, const uint32_t group[3], char *error, size_t size)
{
   struct state *s = state;
   struct machine *m = s->m;
   uint32_t threads = m->threads[0] * m->threads[1] * m->threads[2];
   unsigned waves = (threads + WAVE_LANES - 1) / WAVE_LANES;
   uint32_t running = waves < 32 ? (UINT32_C(1) << waves) - 1 : UINT32_MAX;
   /* Storage of a thread is its wave's; waves of a group are told apart by the bind. */
   struct vh_bind binds[MAX_WAVES];

   memset(s->lds, 0, LDS_BYTES);
   for (unsigned n = 0; n < waves; n++) {
      uint32_t left = threads - n * WAVE_LANES;
      binds[n] = s->bind;
      binds[n].thread_storage += (uint64_t)n * WAVE_LANES * THREAD_BYTES;
      s->wave[n] = (struct vh_wave){
         .file = s->file + (size_t)n * VH_ROWS,
         .bind = &binds[n],
         .active = left < WAVE_LANES ? (UINT64_C(1) << left) - 1 : UINT64_MAX,
         .first_warp = n * (WAVE_LANES / 16),
      };
      s->wave[n].valid = s->wave[n].active;
      preload(m, s->wave[n].file, n, group);
   }
   while (running) {
      for (uint32_t left = running; left; left &= left - 1) {
         unsigned n = (unsigned)__builtin_ctz(left);
         uint64_t before = WAVE_LANES * s->wave[n].instructions;
         binds[n].budget = machine_wave_budget(m, before) / WAVE_LANES;
         if (!s->kernels->run(s->program, &s->wave[n])) {
            running &= ~(UINT32_C(1) << n);
         }
         m->cycles += WAVE_LANES * s->wave[n].instructions - before;
      }
   }
   for (unsigned n = 0; n < waves; n++) {
      if (s->wave[n].faulted) {
         snprintf(error, size, "instruction %u: %s (group %u,%u,%u, wave %u)", s->wave[n].fault_pc,
                  s->wave[n].fault, group[0], group[1], group[2], n);
         return false;
      }
   }
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
   ok = ok && machine_each_group(m, run_group, s, error, size);
   if (s->program) {
      s->kernels->free(s->program);
   }
   free(s->file);
   free(s->lds);
   free(s->threads);
   free(s);
   return ok;
}
