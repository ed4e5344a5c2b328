/* SPDX-License-Identifier: MIT */
/*
 * Binds the programs of a draw; see stages.h.
 */
#include "pass/stages.h"

#include <stdlib.h>

#include "vgt/geometry.h"
#include "spi/spi.h"

/* Where the draw has its bind. */
static struct core_bind **
bind_of(struct draw_state *s, unsigned n)
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

/* Binds one stage. */
static bool
bind_stage(struct gfx *g, struct draw_state *s, const struct stages *st, unsigned n,
           const struct draw_state *reuse)
{
   const struct binder *binder = g->options.binder;
   const struct core_program *program = st->program[n];
   const struct bind_source *source = st->source[n];
   const struct core_bind *old = !reuse ? NULL : n == STAGE_VS ? reuse->vs : reuse->ps;
   struct core_bind *bind = binder->bind(program, source, old);

   if (!bind)
      return false;
   *bind_of(s, n) = bind;
   bind->observer = g->observer;
   if (g->observer && binder->keep && !binder->keep(bind, source))
      return false;
   bind->entry = n == STAGE_PS ? &s->spi->entry : binder_entry(program, source, NULL);
   if (binder->bind_ring && st->program[STAGE_GS] && (n == STAGE_GS || n == STAGE_VS) &&
       !binder->bind_ring(bind, source, st->ring_va[n]))
      return false;
   if (program->stores_tile && !reserve_stores(g))
      return false;
   if (program->writes_memory && binder->bind_memory &&
       !binder->bind_memory(&g->share, bind, source,
                            n == STAGE_PS ? &s->ordered_tiles : &s->ordered_front))
      return false;
   if (!program->uses_scratch)
      return true;
   /* More than the program can name would be cleared for nothing. */
   bind->scratch_bytes = st->scratch_bytes[n] / 4 > program->scratch_dwords
                            ? program->scratch_dwords * 4
                            : st->scratch_bytes[n];
   return reserve_scratch(g, bind->scratch_bytes);
}

bool
stages_bind(struct gfx *g, struct draw_state *s, const struct stages *st,
            const struct draw_state *reuse)
{
   for (unsigned i = 0; s->geometry && i < g->options.threads; i++)
      if (!geometry_reserve(&g->worker[i].geometry, s->geometry))
         return false;
   s->writes_memory = stages_write_memory(st);
   s->ordered_front = s->ordered_tiles = false;
   for (unsigned n = 0; n < STAGES; n++)
      if (st->program[n] && !bind_stage(g, s, st, n, reuse))
         return false;
   return true;
}

const struct core_bind *
stages_rebind_vertices(struct gfx *g, const struct draw_state *s, const struct stages *st,
                       const struct core_bind *reuse)
{
   struct core_bind *bind =
      g->options.binder->bind(st->program[STAGE_VS], st->source[STAGE_VS], reuse);

   if (!bind)
      return NULL;
   bind->entry = s->vs->entry;
   bind->scratch_bytes = s->vs->scratch_bytes;
   bind->observer = s->vs->observer;
   return bind;
}

bool
stages_write_memory(const struct stages *st)
{
   for (unsigned n = 0; n < STAGES; n++)
      if (st->program[n] && st->program[n]->writes_memory)
         return true;
   return false;
}

static bool
stage_reads(const struct gfx *g, const struct stages *st, unsigned n, struct target_range range)
{
   return g->options.binder->reads(st->program[n], st->source[n], range);
}

bool
stages_read(const struct gfx *g, const struct stages *st, struct target_range range)
{
   for (unsigned n = 0; n < STAGES; n++)
      if (st->program[n] && stage_reads(g, st, n, range))
         return true;
   return false;
}

bool
stages_pixels_read(const struct gfx *g, const struct stages *st, struct target_range range)
{
   return stage_reads(g, st, STAGE_PS, range);
}
