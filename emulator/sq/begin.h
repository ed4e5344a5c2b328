/* SPDX-License-Identifier: MIT */
/*
 * How a wave begins.  Kernels only.
 */
#ifndef ATOLL_SQ_BEGIN_H
#define ATOLL_SQ_BEGIN_H

#include "core/begin.h"
#include "sq/engine.h"
#include "uop/coefficients.h"

/* As one of 64 bits: a vector of two that were stored apart would wait for both. */
V_INLINE uint64_t
alone(uint64_t v)
{
#if defined(__GNUC__)
   __asm__("" : "+r"(v));
#endif
   return v;
}

/* A wave's lanes, its coefficients, and registers that are read before they are written. */
V_INLINE void
sq_begin_lanes(struct exec *x, const struct core_wave *wave, const struct program *p)
{
   const uint64_t active = alone(wave->active), valid = alone(wave->valid);

   x->launch = x->active = x->lanes = active;
   x->valid = valid;
   x->pred = x->pred_next = 0;
   x->one_primitive = wave->one_primitive;
   if (p->uses_parameters)
      uop_bind_coefficients(x, wave->coef);
   for (uint32_t n = 0; n < p->num_clear; n++)
      if (!core_entry_filled(x->bind->core.entry, p->clear[n] / COMP_BYTES))
         lanes_clear(x->file + p->clear[n]);
}

/* What of the state is the wave's, its bind's or its program's. */
V_INLINE void
sq_find_addresses(struct exec *x, struct core_wave *wave, const struct program *p, uint32_t *uni)
{
   x->file = (uint8_t *)wave->rows;
   x->uni = uni;
   x->code = p->bound.native;
   x->program = p;
   x->bind = (const struct sq_bind *)wave->bind;
   x->wave = wave;
}

/** State of a wave before its first instruction, but for LDS and its queue; `uni` has UNI_MAX
 *  dwords, and constants already if they are `known`. */
V_INLINE void
sq_begin(struct exec *x, struct core_wave *wave, uint32_t *uni, bool known)
{
   const struct sq_bind *bind = (const struct sq_bind *)wave->bind;
   const struct sq_program *program = sq_program_of(bind);
   const struct program *p = (const struct program *)program;

   sq_find_addresses(x, wave, p, uni);
   x->branch = x->cont = x->brk = 0;
   x->fail = 0;
   x->fail_pending = false;
   x->masked = false;
   x->dx10_clamp = p->dx10_clamp;
   x->kills = p->stage == SQ_STAGE_PS;
   x->num_gprs = p->head.num_gprs;
   x->loop_index = 0;
   x->cf_idx[0] = x->cf_idx[1] = 0;
   x->clause_global = 0;
   x->fp_single = x->fp_now = p->fp_single;
   x->fp_double = p->fp_double;
   lanes_clear((uint8_t *)x->ar);
   x->oq = NULL;
   x->waits = x->gws.waits = false;
   x->watcher = NULL;
   x->oq_head = x->oq_count = 0;
   x->lds = NULL;
   x->lds_bytes = 0;
   sq_begin_lanes(x, wave, p);
   if (known)
      return;
   if (program->num_consts)
      memcpy(uni, bind->consts, program->num_consts * sizeof(uint32_t));
   if (p->code.num_literals)
      memcpy(uni + program->num_consts, p->code.literals, p->code.num_literals * sizeof(uint32_t));
}

#endif
