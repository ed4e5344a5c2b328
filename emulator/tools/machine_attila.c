/* SPDX-License-Identifier: MIT */
/*
 * Runs the threads of an ATTILA program for atoll-run.  The instruction set has vertex and fragment
 * threads and no stores, so groups are numbers alone: i0.xyz is the thread in its group, i1.xyz the
 * group and i0.w the thread of all, PARAM is constant buffer 0, attribute N (LDA) is buffer N as
 * elements of four dwords, and what a thread leaves in oN goes to its element of buffer N.
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attila/attila.h"

/* Of a wave for an instruction: one for each thread. */
#define CYCLES WAVE_LANES

struct state {
   struct machine *m;
   const struct at_kernels *kernels;
   struct at_program *program;
   struct at_bind bind;
   wave_lane *file;
   uint64_t thread; /* of all threads, the next group's first */
};

static void
load_inputs(const struct state *s, uint64_t thread, const uint32_t group[3], unsigned wave)
{
   const struct machine *m = s->m;

   memset(s->file, 0, s->program->num_rows * sizeof(*s->file));
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      uint32_t t = wave * WAVE_LANES + lane;
      const uint32_t inputs[2][4] = {
         { t % m->threads[0], t / m->threads[0] % m->threads[1], t / m->threads[0] / m->threads[1],
           (uint32_t)(thread + lane) },
         { group[0], group[1], group[2], 0 },
      };
      for (unsigned i = 0; i < s->program->num_inputs && i < 2; i++) {
         for (unsigned c = 0; c < 4; c++) {
            s->file[4 * i + c][lane] = inputs[i][c];
         }
      }
   }
}

static void
store_outputs(const struct state *s, uint64_t thread, uint64_t lanes)
{
   for (unsigned n = 0; n < s->program->num_outputs && n < MACHINE_BUFFERS; n++) {
      const struct machine_buffer *b = &s->m->buffer[n];
      for (uint64_t left = lanes; left; left &= left - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(left);
         for (unsigned c = 0; c < 4; c++) {
            uint64_t at = 4 * (thread + lane) + c;
            if (at < b->count) {
               b->words[at] = s->file[s->program->output_row + 4 * n + c][lane];
            }
         }
      }
   }
}

static bool
run_group(void *state, const uint32_t group[3], char *error, size_t size)
{
   struct state *s = state;
   const struct machine *m = s->m;
   uint32_t threads = m->threads[0] * m->threads[1] * m->threads[2];
   uint64_t thread = s->thread; /* of all */

   s->thread += threads;
   for (unsigned w = 0; w * WAVE_LANES < threads; w++) {
      uint32_t left = threads - w * WAVE_LANES;
      struct at_wave wave = { .file = s->file,
                              .bind = &s->bind,
                              .active =
                                 left < WAVE_LANES ? (UINT64_C(1) << left) - 1 : UINT64_MAX };
      load_inputs(s, thread + w * WAVE_LANES, group, w);
      s->bind.budget = machine_wave_budget(m, 0) / CYCLES;
      s->kernels->run(s->program, &wave);
      s->m->cycles += CYCLES * wave.instructions;
      if (wave.faulted) {
         snprintf(error, size, "instruction %u: %s (group %u,%u,%u, wave %u)", wave.fault_pc,
                  wave.fault, group[0], group[1], group[2], w);
         return false;
      }
      store_outputs(s, thread + w * WAVE_LANES, wave.active);
   }
   return true;
}

bool
machine_run_attila(struct machine *m, char *error, size_t size)
{
   struct at_source source = { .words = m->words, .num_dwords = m->num_dwords };
   struct state s = { .m = m, .kernels = at_kernels_of(kernels_choose()) };

   s.program = s.kernels->lift(&source);
   bool ok = s.program && !s.program->error;
   if (!ok) {
      snprintf(error, size, "%s", s.program ? s.program->error : "no memory");
   } else {
      s.file = aligned_alloc(64, s.program->num_rows * sizeof(*s.file));
      ok = s.file != NULL;
      if (!ok) {
         snprintf(error, size, "no memory");
      }
   }
   s.bind.constants = m->constant[0].words;
   s.bind.num_constants = m->constant[0].count / 4;
   for (unsigned n = 0; n < MACHINE_BUFFERS; n++) {
      s.bind.attribute[n] = (struct at_attribute){ m->buffer[n].words, m->buffer[n].count / 4 };
   }
   ok = ok && machine_each_group(m, run_group, &s, error, size);
   s.kernels->free(s.program);
   free(s.file);
   return ok;
}
