/* SPDX-License-Identifier: MIT */
/*
 * A draw's registers become the pipeline's state; see draw.h.
 *
 * The blocks' states are made of context registers alone, and kept until one of these changes or
 * memory is mapped anew, for targets are host addresses.  Stages' sources are kept in the same way.
 * What programs read is kept by the pipeline, and the numbers `tables` and `constants` tell it when
 * it may.  VGT's
 * state is decoded for each draw: it has config registers, too.
 */
#include "chip/cayman/draw.h"

#include "chip/cayman/cayman.h"
#include "chip/cayman/r600.h"
#include "chip/cayman/source.h"
#include "memory/vm.h"
#include "pass/pass.h"
#include "vgt/geometry.h"
#include "vgt/vgt.h"

#define SCRATCH_MAX 0x7fffu /* dwords a *TMP_RING_ITEMSIZE can name */

/* Whether what was decoded is of other addresses. */
static bool
has_moved(const struct cayman_decoded *d, const struct vm *vm)
{
   return !d->state || d->vm != vm || d->vm_generation != vm_generation(vm);
}

/* Decodes what has changed since the draw before. */
static void
decode(struct cayman_decoded *d, struct gfx *gfx, struct regs *r, const struct vm *vm, bool moved)
{
   if (moved || (r->dirty & REGS_DIRTY_CONTEXT)) {
      cayman_decode_blocks(d, r, vm);
      d->state = gfx_number(gfx);
   }
   if (moved || (r->dirty & REGS_DIRTY_TABLES))
      d->tables = gfx_number(gfx);
   if (moved || (r->dirty & (REGS_DIRTY_CONTEXT | REGS_DIRTY_CONSTANTS)))
      d->constants = gfx_number(gfx);
   d->vm = vm;
   d->vm_generation = vm_generation(vm);
   r->dirty = 0;
}

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

/* Finds the programs of the stages that there are; NULL, or what is wrong with one.  Their sources
 * are those of the draw before, unless registers have changed, and so are the programs, within a
 * pass: nothing that it is told of has written memory. */
static const char *
find_programs(struct cayman_decoded *d, struct gfx *gfx, struct stages *st,
              const struct cayman_draw *draw, bool gs, bool tess, bool moved)
{
   struct regs *r = draw->regs;
   const bool changed = moved || (r->dirty & REGS_DIRTY_TABLES);
   const struct cayman_stage *const stage[STAGES] = {
      [STAGE_LS] = tess ? &cayman_ls : NULL,
      [STAGE_HS] = tess ? &cayman_hs : NULL,
      [STAGE_ES] = !gs    ? NULL
                   : tess ? &cayman_es_domain
                          : &cayman_es,
      [STAGE_GS] = gs ? &cayman_gs : NULL,
      /* Copy and domain shaders fetch no vertices. */
      [STAGE_VS] = gs || tess ? &cayman_vs_inner : &cayman_vs,
      [STAGE_PS] = &cayman_ps,
   };

   if (!changed && d->pass == gfx_pass(gfx)) {
      for (unsigned n = 0; n < STAGES && (r->dirty & REGS_DIRTY_BASES); n++) {
         d->source[n].source.base_vertex = r->ctl[0];
         d->source[n].source.start_instance = r->ctl[1];
      }
      *st = d->stages;
      return NULL;
   }
   d->pass = 0;
   *st = (struct stages){ 0 };
   for (unsigned n = 0; n < STAGES; n++) {
      if (!stage[n])
         continue;
      if (changed) {
         cayman_source(&d->source[n], stage[n], role(n, tess, gs), r, draw->vm, gfx);
      } else if (r->dirty & REGS_DIRTY_BASES) {
         d->source[n].source.base_vertex = r->ctl[0];
         d->source[n].source.start_instance = r->ctl[1];
      }
      st->source[n] = &d->source[n].source;
   }

   const char *why = gfx_find_stages(gfx, st);

   for (unsigned n = 0; !why && n < STAGES; n++)
      if (stage[n] && st->program[n]->uses_scratch)
         st->scratch_bytes[n] = (reg(r, stage[n]->scratch_item) & SCRATCH_MAX) * 4;
   if (gs) {
      st->ring_va[STAGE_GS] = (uint64_t)reg(r, R_SQ_ESGS_RING_BASE) << 8;
      st->ring_va[STAGE_VS] = (uint64_t)reg(r, R_SQ_GSVS_RING_BASE) << 8;
   }
   if (!why) {
      d->stages = *st;
      d->pass = gfx_pass(gfx);
   }
   return why;
}

void
cayman_draw(struct cayman_decoded *d, struct gfx *gfx, const struct cayman_draw *draw)
{
   struct regs *r = draw->regs;
   struct geometry geometry;
   struct vgt_state vgt;
   struct stages stages;
   const char *why;
   bool moved;

   if (!draw->count || !gfx_begin_draw(gfx))
      return;
   if (regs_chip(r)->old)
      r600_convert(r);
   moved = has_moved(d, draw->vm);
   why = cayman_decode_vgt(&vgt, r);
   if (!why && (vgt.gs || vgt.tess))
      why = cayman_decode_geometry(&geometry, &vgt, r);
   if (!why)
      why = find_programs(d, gfx, &stages, draw, vgt.gs, vgt.tess, moved);
   if (why) {
      gfx_drop(gfx, "draw", why);
      return;
   }
   decode(d, gfx, r, draw->vm, moved);
   gfx_draw(gfx, &(struct gfx_draw){
                    .vm = draw->vm,
                    .state = d->state,
                    .tables = d->tables,
                    .constants = d->constants,
                    .indexed = draw->indexed || draw->immediate,
                    .index_bytes = draw->index_bytes,
                    .index_va = draw->index_va,
                    .index_max = draw->index_max,
                    .immediate = draw->immediate,
                    .count = draw->count,
                    .instances = draw->instances,
                    .base_vertex = r->ctl[0],
                    .start_instance = r->ctl[1],
                    .vgt = &vgt,
                    .geometry = vgt.gs || vgt.tess ? &geometry : NULL,
                    .pa = &d->pa,
                    .sc = &d->sc,
                    .spi = &d->spi,
                    .sx = &d->sx,
                    .db = &d->db,
                    .cb = &d->cb,
                    .stages = &stages,
                 });
}

/* ---- Dispatches ---- */

/* Of a thread: what the program can name, as far as the registers allow.  The stock driver names no
 * size for compute, and uses scratch all the same. */
static uint32_t
scratch_bytes(const struct core_program *program, const struct regs *r)
{
   const uint32_t item = reg(r, R_SQ_LSTMP_RING_ITEMSIZE) & SCRATCH_MAX;

   if (program->scratch_dwords == UINT32_MAX)
      return item * 4;
   return (item && item < program->scratch_dwords ? item : program->scratch_dwords) * 4;
}

void
cayman_dispatch(struct gfx *gfx, const struct cayman_dispatch *dispatch)
{
   const struct regs *r = dispatch->regs;
   const uint32_t lds_bytes = cayman_lds_bytes(r);
   struct cayman_source source;
   struct gfx_dispatch d = {
      .source = &source.source,
      .lds_bytes = lds_bytes < CORE_LDS_BYTES ? lds_bytes : CORE_LDS_BYTES,
   };
   const char *why;

   for (unsigned n = 0; n < 3; n++) {
      d.block[n] = reg(r, R_SPI_COMPUTE_NUM_THREAD_X + 4 * n);
      d.first[n] = reg(r, R_VGT_COMPUTE_START_X + 4 * n);
      d.groups[n] = dispatch->groups[n];
   }
   if (!gfx_begin_dispatch(gfx) || !d.groups[0] || !d.groups[1] || !d.groups[2])
      return;
   cayman_source(&source, &cayman_cs, CORE_COMPUTE, dispatch->regs, dispatch->vm, gfx);
   d.program = gfx_find(gfx, d.source, &why);
   if (!d.program) {
      gfx_drop(gfx, "dispatch", why);
      return;
   }
   d.scratch_bytes = scratch_bytes(d.program, r);
   gfx_dispatch(gfx, &d);
}
