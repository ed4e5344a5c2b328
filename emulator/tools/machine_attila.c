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

struct state {
   struct machine *m;
   const struct at_kernels *kernels;
   struct at_program *program;
   struct at_bind bind;
   struct core_entry entry;
   uint64_t thread; /* of all threads, the next wave's first */
};

/* What a wave's threads left in their outputs goes to the buffers. */
static void
store_outputs(void *state, const struct core_wave *wave)
{
   struct state *s = state;

   for (unsigned n = 0; n < s->program->num_outputs && n < MACHINE_BUFFERS; n++) {
      const struct machine_buffer *b = &s->m->buffer[n];
      for (uint64_t left = wave->active; left; left &= left - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(left);
         for (unsigned c = 0; c < 4; c++) {
            uint64_t at = 4 * (s->thread + lane) + c;
            if (at < b->count)
               b->words[at] = wave->rows[s->program->output_row + 4 * n + c][lane];
         }
      }
   }
   s->thread += (unsigned)__builtin_popcountll(wave->active);
}

bool
machine_run_attila(struct machine *m, char *error, size_t size)
{
   struct at_source source = { .words = m->words, .num_dwords = m->num_dwords };
   struct state s = { .m = m, .kernels = at_kernels_of(kernels_choose()) };

   s.program = s.kernels->lift(&source);
   bool ok = s.program && !s.program->core.error;
   if (!ok) {
      snprintf(error, size, "%s", s.program ? s.program->core.error : "no memory");
   } else {
      const struct core_program *p = &s.program->core;
      s.bind.core.program = p;
      s.bind.core.entry = p->engine->entry(p, CORE_COMPUTE, NULL, &s.entry);
   }
   s.bind.constants = m->constant[0].words;
   s.bind.num_constants = m->constant[0].count / 4;
   for (unsigned n = 0; n < MACHINE_BUFFERS; n++)
      s.bind.attribute[n] = (struct at_attribute){ m->buffer[n].words, m->buffer[n].count / 4 };
   ok =
      ok && machine_dispatch(m, &s.bind.core, s.program->num_rows, store_outputs, &s, error, size);
   s.kernels->free(s.program);
   return ok;
}
