/* SPDX-License-Identifier: MIT */
/*
 * Finds and binds the programs of a draw; see stages.h.
 */
#include "pass/stages.h"

#include <stdlib.h>
#include <string.h>

#include "vgt/geometry.h"
#include "spi/spi.h"
#include "sq/sq.h"
#include "vgt/vgt.h"

#define SCRATCH_MAX 0x7fffu /* dwords a *TMP_RING_ITEMSIZE can name */

const char *
stages_find(struct gfx *g, struct stages *st, const struct regs *r, const struct vm *vm)
{
   const uint32_t en = reg(r, R_VGT_SHADER_STAGES_EN);
   const bool gs = REG_FIELD_GET(en, VGT_SHADER_STAGES_EN, GS_EN);
   const bool tess = REG_FIELD_GET(en, VGT_SHADER_STAGES_EN, HS_EN);
   const char *why = NULL;

   *st = (struct stages){
      .stage = {
         [STAGE_LS] = tess ? &bind_ls : NULL,
         [STAGE_HS] = tess ? &bind_hs : NULL,
         [STAGE_ES] = !gs ? NULL : tess ? &bind_es_domain : &bind_es,
         [STAGE_GS] = gs ? &bind_gs : NULL,
         /* Copy and domain shaders fetch no vertices. */
         [STAGE_VS] = gs || tess ? &bind_vs_inner : &bind_vs,
         [STAGE_PS] = &bind_ps,
      },
   };
   for (unsigned n = 0; n < STAGES; n++) {
      if (!st->stage[n])
         continue;
      st->program[n] = bind_program(g->cache, st->stage[n], r, vm, &why);
      if (!st->program[n])
         return why;
   }
   return NULL;
}

/* Where the draw has it. */
static struct core_bind **
place_of(struct draw_state *s, unsigned n)
{
   switch (n) {
   case STAGE_LS:
      return &s->geometry->ls;
   case STAGE_HS:
      return &s->geometry->hs;
   case STAGE_ES:
      return &s->geometry->es;
   case STAGE_GS:
      return &s->geometry->gs;
   case STAGE_VS:
      return &s->vs;
   default:
      return &s->ps;
   }
}

struct sq_bind *
stages_bind_of(struct draw_state *s, unsigned n)
{
   return (struct sq_bind *)*place_of(s, n);
}

/* What a stage of the hardware is to OpenGL. */
static enum core_stage
role(const struct stages *st, unsigned n)
{
   const bool tess = st->stage[STAGE_HS], gs = st->stage[STAGE_GS];

   switch (n) {
   case STAGE_LS:
      return CORE_LOCAL;
   case STAGE_HS:
      return CORE_CONTROL;
   case STAGE_ES:
      return tess ? CORE_EVALUATION : CORE_VERTEX;
   case STAGE_GS:
      return CORE_GEOMETRY;
   case STAGE_VS:
      return gs ? CORE_COPY : tess ? CORE_EVALUATION : CORE_VERTEX;
   default:
      return CORE_PIXEL;
   }
}

/* Every worker has scratch for the largest stage so far. */
static bool
reserve_scratch(struct gfx *g, uint32_t bytes)
{
   for (unsigned i = 0; i < g->options.threads; i++) {
      struct worker *w = &g->worker[i];

      if (w->scratch && w->scratch_capacity >= bytes)
         continue;
      free(w->scratch);
      w->scratch = calloc(WAVE_LANES, bytes);
      w->scratch_capacity = w->scratch ? bytes : 0;
      if (!w->scratch)
         return false;
   }
   return true;
}

/* Lists the stage's fetches from the ring whose address is in `base`. */
static bool
ring_reads(struct gfx *g, struct sq_bind *bind, const struct stages *st, unsigned n,
           const struct regs *r, uint32_t base)
{
   struct sq_ring_read *reads =
      pool_alloc(&g->pool, (st->program[n]->num_vtx + 1) * sizeof(*reads));

   if (!reads)
      return false;
   bind->ring_reads = reads;
   bind->num_ring_reads =
      bind_ring_reads(reads, st->program[n], st->stage[n], r, (uint64_t)reg(r, base) << 8);
   return true;
}

const char *
stages_bind(struct gfx *g, struct draw_state *s, const struct stages *st, const struct regs *r,
            const struct draw_state *same)
{
   static const char out_of_memory[] = "out of memory";

   s->geometry = NULL;
   if (s->vgt->gs || s->vgt->tess) {
      struct geometry *geo = pool_alloc(&g->pool, sizeof(*geo));
      const char *why;

      if (!geo)
         return out_of_memory;
      memset(geo, 0, sizeof(*geo));
      s->geometry = geo;
      why = geometry_decode(geo, s->vgt, r);
      if (why)
         return why;
      for (unsigned i = 0; i < g->options.threads; i++)
         if (!geometry_reserve(&g->worker[i].geometry, geo))
            return out_of_memory;
   }
   for (unsigned n = 0; n < STAGES; n++) {
      const struct core_bind *reuse = !same ? NULL : n == STAGE_VS ? same->vs : same->ps;
      const struct core_program *program;
      struct core_bind **place;
      struct sq_bind *bind;

      if (!st->stage[n])
         continue;
      bind = pool_alloc(&g->pool, sizeof(*bind));
      if (!bind)
         return out_of_memory;
      program = &st->program[n]->core;
      place = place_of(s, n);
      *place = &bind->core;
      if (!bind_stage(bind, st->program[n], st->stage[n], r, s->vm, g->options.kernels,
                      (const struct sq_bind *)reuse, &g->pool))
         return out_of_memory;
      bind->core.entry =
         n == STAGE_PS ? &s->spi->entry : program->engine->entry(program, role(st, n), r, NULL);
      if (st->stage[STAGE_GS] &&
          ((n == STAGE_GS && !ring_reads(g, bind, st, n, r, R_SQ_ESGS_RING_BASE)) ||
           (n == STAGE_VS && !ring_reads(g, bind, st, n, r, R_SQ_GSVS_RING_BASE))))
         return out_of_memory;
      if (!program->uses_scratch)
         continue;
      bind->core.scratch_bytes = (reg(r, st->stage[n]->scratch_item) & SCRATCH_MAX) * 4;
      /* More than the program can name would be cleared for nothing. */
      if (bind->core.scratch_bytes > program->scratch_dwords * 4)
         bind->core.scratch_bytes = program->scratch_dwords * 4;
      if (!reserve_scratch(g, bind->core.scratch_bytes))
         return out_of_memory;
   }
   return NULL;
}

bool
stages_read(const struct stages *st, const struct regs *r, struct target_range range)
{
   for (unsigned n = 0; n < STAGES; n++)
      if (st->stage[n] && bind_reads(st->program[n], st->stage[n], r, range))
         return true;
   return false;
}
