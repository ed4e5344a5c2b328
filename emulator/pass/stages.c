/* SPDX-License-Identifier: MIT */
/*
 * Finds and binds the programs of a draw; see stages.h.
 */
#include "pass/stages.h"

#include <stdlib.h>
#include <string.h>

#include "chip/cayman/cayman.h"
#include "vgt/geometry.h"
#include "spi/spi.h"
#include "vgt/vgt.h"

#define SCRATCH_MAX 0x7fffu /* dwords a *TMP_RING_ITEMSIZE can name */

/* What a stage of the hardware is to OpenGL. */
static enum core_stage
role(unsigned n, bool tess, bool gs)
{
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

static struct bind_source
source_of(const struct stages *st, unsigned n)
{
   struct bind_source source = st->source;

   source.stage = st->stage[n];
   source.role = st->role[n];
   return source;
}

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
      .source = { .regs = r, .vm = vm, .kernels = g->options.kernels, .pool = &g->pool },
   };
   for (unsigned n = 0; n < STAGES; n++) {
      if (!st->stage[n])
         continue;
      st->role[n] = role(n, tess, gs);
      const struct bind_source source = source_of(st, n);

      st->program[n] = g->binder->find(g->cache, &source, &why);
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

/* Every worker has scratch for the largest stage so far. */
static bool
reserve_scratch(struct gfx *g, uint32_t bytes)
{
   for (unsigned i = 0; i < g->options.threads; i++) {
      struct worker *w = &g->worker[i];

      if (w->scratch_capacity >= bytes)
         continue;
      free(w->scratch);
      w->scratch = aligned_alloc(64, (size_t)WAVE_LANES * bytes); /* launchers clear it */
      w->scratch_capacity = w->scratch ? bytes : 0;
      if (!w->scratch)
         return false;
   }
   return true;
}

/* Every worker has room for what a wave stores to its pixels. */
static bool
reserve_stores(struct gfx *g)
{
   for (unsigned i = 0; i < g->options.threads; i++) {
      struct worker *w = &g->worker[i];

      if (!w->stores)
         w->stores = aligned_alloc(64, sizeof(*w->stores)); /* launchers clear it */
      if (!w->stores)
         return false;
   }
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
      s->geometry = geo;
      why = cayman_decode_geometry(geo, s->vgt, r);
      if (why)
         return why;
      geometry_begin(geo, s->vgt);
      for (unsigned i = 0; i < g->options.threads; i++)
         if (!geometry_reserve(&g->worker[i].geometry, geo))
            return out_of_memory;
   }
   for (unsigned n = 0; n < STAGES; n++) {
      const struct core_bind *reuse = !same ? NULL : n == STAGE_VS ? same->vs : same->ps;
      const struct core_program *program = st->program[n];
      const struct bind_source source = source_of(st, n);
      struct core_bind *bind;

      if (!st->stage[n])
         continue;
      bind = g->binder->bind(program, &source, reuse);
      if (!bind)
         return out_of_memory;
      *place_of(s, n) = bind;
      bind->entry = n == STAGE_PS ? &s->spi->entry : cayman_entry(program, st->role[n], r, NULL);
      if (st->stage[STAGE_GS] && (n == STAGE_GS || n == STAGE_VS)) {
         const uint32_t base = n == STAGE_GS ? R_SQ_ESGS_RING_BASE : R_SQ_GSVS_RING_BASE;

         if (!g->binder->bind_ring(bind, &source, (uint64_t)reg(r, base) << 8))
            return out_of_memory;
      }
      if (program->stores_tile && !reserve_stores(g))
         return out_of_memory;
      if (!program->uses_scratch)
         continue;
      bind->scratch_bytes = (reg(r, st->stage[n]->scratch_item) & SCRATCH_MAX) * 4;
      /* More than the program can name would be cleared for nothing. */
      if (bind->scratch_bytes / 4 > program->scratch_dwords)
         bind->scratch_bytes = program->scratch_dwords * 4;
      if (!reserve_scratch(g, bind->scratch_bytes))
         return out_of_memory;
   }
   return NULL;
}

bool
stages_bind_memory(struct gfx *g, struct draw_state *s, const struct stages *st, struct regs *r)
{
   s->writes_memory = s->ordered_front = s->ordered_tiles = false;
   for (unsigned n = 0; n < STAGES; n++) {
      if (!st->stage[n] || !st->program[n]->writes_memory)
         continue;
      const struct bind_source source = source_of(st, n);

      s->writes_memory = true;
      if (!g->binder->bind_memory(&g->share, *place_of(s, n), &source, r,
                                  n == STAGE_PS ? &s->ordered_tiles : &s->ordered_front))
         return false;
   }
   return true;
}

static bool
stage_reads(const struct gfx *g, const struct stages *st, unsigned n, struct target_range range)
{
   const struct bind_source source = source_of(st, n);

   return g->binder->reads(st->program[n], &source, range);
}

bool
stages_read(const struct gfx *g, const struct stages *st, struct target_range range)
{
   for (unsigned n = 0; n < STAGES; n++)
      if (st->stage[n] && stage_reads(g, st, n, range))
         return true;
   return false;
}

bool
stages_pixels_read(const struct gfx *g, const struct stages *st, struct target_range range)
{
   return stage_reads(g, st, STAGE_PS, range);
}
