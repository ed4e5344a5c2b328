/* SPDX-License-Identifier: MIT */
/*
 * Which variants of the bound shaders a draw uses, what runs in which hardware stage, and what
 * changes with them.
 *
 *                       LS    HS    ES    GS    VS
 *   VS                                          VS
 *   VS GS                           VS    GS    copy shader
 *   VS TCS TES          VS    TCS               TES
 *   VS TCS TES GS       VS    TCS   TES   GS    copy shader
 *
 * ES has the resources of VS, so the API's vertex shader moves to other ones with tessellation.
 */
#include "context.h"

#include "util/u_framebuffer.h"
#include "util/u_math.h"
#include "util/u_prim.h"

/* Everything that is bound for a stage, as seen from its hardware stage. */
static uint64_t
resources_of(enum atoll_stage stage)
{
   return ATOM_BIT(ATOM_CONST + stage) | ATOM_BIT(ATOM_VIEWS + stage) |
          ATOM_BIT(ATOM_SAMPLERS + stage) | ATOM_BIT(ATOM_MEMORY + stage);
}

static void
use_variant(struct atoll_context *ctx, enum atoll_stage stage, struct atoll_variant *v)
{
   const struct atoll_variant *old = ctx->variants[stage];
   if (old == v)
      return;
   if (stage == ATOLL_PS && (!old || atoll_smooths(old) != atoll_smooths(v)))
      atoll_dirty(ctx, ATOM_RASTERIZER);
   if (stage == ATOLL_PS && v && ctx->shaders[stage]->reads_targets)
      atoll_dirty(ctx, ATOM_FRAMEBUFFER);
   if (v && v->p.uavs.count)
      atoll_dirty(ctx, ATOM_MEMORY + stage);
   ctx->variants[stage] = v;
   ctx->drv_va[stage] = 0;
   ctx->dirty |= old ? ATOM_BIT(ATOM_CONST + stage) : resources_of(stage);
   if (stage == ATOLL_PS)
      ctx->dirty |= ATOM_BIT(ATOM_PS) | ATOM_BIT(ATOM_PS_INPUTS) | ATOM_BIT(ATOM_CB_MISC) |
                    ATOM_BIT(ATOM_DB_MISC) | ATOM_BIT(ATOM_MSAA);
   else
      ctx->dirty |= ATOM_BIT(ATOM_STAGES) | ATOM_BIT(ATOM_ES) | ATOM_BIT(ATOM_GS);
   if (stage <= ATOLL_TES)
      atoll_dirty_patches(ctx);
   if (stage == ATOLL_TES && !old != !v) { /* VS moves between the slots of VS and LS */
      ctx->dirty |= resources_of(ATOLL_VS);
      ctx->drv_va[ATOLL_VS] = 0;
   }
   if (stage == ATOLL_GS && !old)
      atoll_dirty(ctx, ATOM_RINGS);
}

static void
use_hw_vs(struct atoll_context *ctx, struct atoll_variant *v)
{
   if (ctx->hw_vs == v)
      return;
   if (atoll_chooses_viewport(v) && !atoll_chooses_viewport(ctx->hw_vs))
      atoll_dirty(ctx, ATOM_VIEWPORT);
   ctx->hw_vs = v;
   ctx->dirty |=
      ATOM_BIT(ATOM_VS) | ATOM_BIT(ATOM_CLIP) | ATOM_BIT(ATOM_STREAMOUT) | ATOM_BIT(ATOM_SCISSOR);
}

static bool
select_variant_of(struct atoll_context *ctx, enum atoll_stage stage, struct atoll_shader *shader,
                  const struct atoll_key *key)
{
   struct atoll_key own = *key;
   own.counters_in_memory = ctx->counters_in_memory && shader && shader->counters.used;
   own.makes_values = shader && __atomic_load_n(&shader->makes_values, __ATOMIC_RELAXED);
   own.limited_references = shader ? shader->compares & ctx->textures[stage].limited_mask : 0;
   struct atoll_variant *v = shader ? atoll_get_variant(shader, &own, &ctx->base.debug) : NULL;
   if (!v || !v->bo || (stage == ATOLL_GS && !v->copy) || !atoll_reserve_returns(ctx->screen, v)) {
      atoll_report_left_out(ctx, shader, v);
      return false;
   }
   use_variant(ctx, stage, v);
   return true;
}

static bool
select_variant(struct atoll_context *ctx, enum atoll_stage stage, const struct atoll_key *key)
{
   return select_variant_of(ctx, stage, ctx->shaders[stage], key);
}

/* What the rasteriser gets to see of `prim`. */
static unsigned
rasterised_shape(const struct atoll_context *ctx, unsigned prim)
{
   if (prim == ATOLL_PRIM_RECTLIST)
      return MESA_PRIM_TRIANGLES;
   if (ctx->shaders[ATOLL_GS])
      return u_reduced_prim(ctx->shaders[ATOLL_GS]->output_prim);
   if (ctx->shaders[ATOLL_TES])
      return atoll_tessellated_prim(ctx->shaders[ATOLL_TES]);
   return u_reduced_prim(prim);
}

/* What becomes of it: triangles may be drawn as lines or points. */
static unsigned
drawn_shape(const struct atoll_context *ctx, unsigned prim)
{
   const unsigned fill = ctx->rs->state.fill_front, shape = rasterised_shape(ctx, prim);

   if (shape != MESA_PRIM_TRIANGLES || prim == ATOLL_PRIM_RECTLIST)
      return shape;
   return fill == PIPE_POLYGON_MODE_LINE    ? MESA_PRIM_LINES
          : fill == PIPE_POLYGON_MODE_POINT ? MESA_PRIM_POINTS
                                            : MESA_PRIM_TRIANGLES;
}

/* Whether sizes of points that a program writes are rounded.  What streamout captures is not. */
static bool
rounds_points(const struct atoll_context *ctx)
{
   const struct atoll_shader *last = ctx->shaders[ATOLL_GS]    ? ctx->shaders[ATOLL_GS]
                                     : ctx->shaders[ATOLL_TES] ? ctx->shaders[ATOLL_TES]
                                                               : ctx->shaders[ATOLL_VS];

   if (!ctx->draws_points || !ctx->rs->whole_points || !ctx->rs->state.point_size_per_vertex)
      return false;
   for (unsigned i = 0; i < last->so.num_outputs; i++)
      if (last->so.output[i].register_index == VARYING_SLOT_PSIZ)
         return false;
   return true;
}

static bool
select_ps(struct atoll_context *ctx, unsigned prim)
{
   const struct pipe_rasterizer_state *s = &ctx->rs->state;
   const struct atoll_shader *ps = ctx->shaders[ATOLL_PS];
   const unsigned shape = drawn_shape(ctx, prim);
   struct atoll_key key;

   memset(&key, 0, sizeof(key));
   if (rasterised_shape(ctx, prim) == MESA_PRIM_TRIANGLES && prim != ATOLL_PRIM_RECTLIST)
      key.poly_stipple = s->poly_stipple_enable && s->fill_front == PIPE_POLYGON_MODE_FILL;
   key.point_smooth = s->point_smooth && shape == MESA_PRIM_POINTS;
   /* Smoothness is the share of samples that are covered; without, edges are as they are, and so
    * where no more samples are rasterised than targets have. */
   if (ctx->samples == 1 && prim != ATOLL_PRIM_RECTLIST &&
       !atoll_screen(ctx->base.screen)->backend->five_slots) {
      key.line_smooth = s->line_smooth && shape == MESA_PRIM_LINES;
      key.poly_smooth = s->poly_smooth && shape == MESA_PRIM_TRIANGLES;
      key.smooth_samples = key.point_smooth || key.line_smooth || key.poly_smooth;
   }
   key.no_samples = ps->reads_samples && ctx->samples > 1 && !s->multisample;
   key.own_sample =
      ps->reads_coverage && ctx->samples > 1 && s->multisample && ctx->min_samples > 1;
   if (ps->reads_targets) {
      key.target_samples = ctx->samples > 1;
      key.target_layers = util_framebuffer_get_num_layers(&ctx->fb) > 1;
   }
   key.alpha_to_one = ctx->blend->alpha_to_one && s->multisample && ctx->samples > 1;
   /* What the device makes coverage of is 1 by then. */
   if (key.alpha_to_one && ctx->blend->alpha_to_mask && ctx->screen->backend->limits->sample_mask) {
      key.alpha_samples = ctx->samples;
      key.alpha_dither = REG_FIELD_GET(ctx->blend->alpha_to_mask, DB_ALPHA_TO_MASK, OFFSET_ROUND);
   }
   if (ps->counts_colors)
      key.color_count = MAX2(ctx->fb.nr_cbufs, 1);
   key.one_source = ps->writes_second && !ctx->blend->dual_source;
   return select_variant(ctx, ATOLL_PS, &key);
}

/* The contexts' streams run one after the other, so one pair of rings does for all. */
static bool
reserve_rings(struct atoll_screen *screen)
{
   if (__atomic_load_n(&screen->gsvs_ring, __ATOMIC_ACQUIRE))
      return true;
   simple_mtx_lock(&screen->rings_lock);
   if (!screen->esgs_ring)
      screen->esgs_ring =
         atoll_bo_create(screen->ws, ATOLL_ESGS_RING_BYTES, 256, ATOLL_BO_NO_SUBALLOC);
   if (screen->esgs_ring && !screen->gsvs_ring) {
      struct atoll_bo *bo =
         atoll_bo_create(screen->ws, ATOLL_GSVS_RING_BYTES, 256, ATOLL_BO_NO_SUBALLOC);
      __atomic_store_n(&screen->gsvs_ring, bo, __ATOMIC_RELEASE);
   }
   bool ok = screen->gsvs_ring != NULL;
   simple_mtx_unlock(&screen->rings_lock);
   return ok;
}

/* The stages of patches, from the last one on: `key` has what the evaluation shader's outputs are
 * for, and gets to say the same of the vertex shader's. */
static bool
select_tess(struct atoll_context *ctx, struct atoll_key *key)
{
   const struct atoll_shader *tes = ctx->shaders[ATOLL_TES];

   if (!tes) {
      use_variant(ctx, ATOLL_TES, NULL);
      use_variant(ctx, ATOLL_TCS, NULL);
      return true;
   }
   if (!select_variant(ctx, ATOLL_TES, key))
      return false;
   memset(key, 0, sizeof(*key));
   key->tess_domain = tes->tess_domain;
   key->link_slots = ctx->variants[ATOLL_TES]->p.input_slots;
   if (!select_variant_of(ctx, ATOLL_TCS, atoll_control_shader(ctx), key))
      return false;
   memset(key, 0, sizeof(*key));
   key->as_ls = true;
   key->link_slots = ctx->variants[ATOLL_TCS]->p.input_slots;
   return atoll_fits_patches(ctx);
}

/* Atoms of all state that keys depend on, but for textures: what is bound makes them dirty. */
#define ATOMS_OF_KEYS                                                               \
   (ATOM_BIT(ATOM_FRAMEBUFFER) | ATOM_BIT(ATOM_BLEND) | ATOM_BIT(ATOM_RASTERIZER) | \
    ATOM_BIT(ATOM_MSAA))

/* What else two variants were selected for. */
static struct atoll_selection
selection_of(const struct atoll_context *ctx, unsigned prim)
{
   const struct atoll_shader *vs = ctx->shaders[ATOLL_VS];

   return (struct atoll_selection){
      .prim = prim,
      .deletions = __atomic_load_n(&ctx->screen->deletions, __ATOMIC_ACQUIRE),
      .limited = { ctx->textures[ATOLL_VS].limited_mask, ctx->textures[ATOLL_PS].limited_mask },
      .makes_values = vs && __atomic_load_n(&vs->makes_values, __ATOMIC_RELAXED),
   };
}

/* Whether the last draw's variants are the next one's. */
static bool
is_selected(const struct atoll_context *ctx, const struct atoll_selection *is)
{
   const struct atoll_selection *was = &ctx->selected;

   return ctx->is_selected && !(ctx->dirty & ATOMS_OF_KEYS) && was->prim == is->prim &&
          was->deletions == is->deletions && was->limited[0] == is->limited[0] &&
          was->limited[1] == is->limited[1] && was->makes_values == is->makes_values;
}

/* Whether the stage's program neither counts nor writes memory. */
static bool
is_plain(const struct atoll_context *ctx, enum atoll_stage stage)
{
   return !ctx->shaders[stage]->counters.used && !ctx->variants[stage]->p.uavs.count;
}

bool
atoll_update_shaders(struct atoll_context *ctx, unsigned prim)
{
   const struct atoll_selection selection = selection_of(ctx, prim);
   if (is_selected(ctx, &selection))
      return true;

   const struct atoll_shader *vs = ctx->shaders[ATOLL_VS], *gs = ctx->shaders[ATOLL_GS];
   const struct atoll_shader *ps = ctx->shaders[ATOLL_PS];
   const struct pipe_rasterizer_state *s = &ctx->rs->state;
   struct atoll_key key;

   ctx->is_selected = false;
   atoll_forget_deleted(ctx);
   if (!vs || !ps)
      return false;
   ctx->counters_in_memory = atoll_counters_in_memory(ctx, false);
   if (ctx->draws_points != (drawn_shape(ctx, prim) == MESA_PRIM_POINTS)) {
      ctx->draws_points = !ctx->draws_points;
      ctx->dirty |= ATOM_BIT(ATOM_RASTERIZER) | ATOM_BIT(ATOM_VIEWPORT);
   }
   /* The reader first: what it reads is part of the writer's key. */
   memset(&key, 0, sizeof(key));
   key.whole_points = rounds_points(ctx);
   if (gs) {
      if (!select_variant(ctx, ATOLL_GS, &key))
         return false;
      if (!reserve_rings(ctx->screen)) {
         atoll_leave_out(ctx, "no memory for what its geometry shader reads and emits");
         return false;
      }
      memset(&key, 0, sizeof(key));
      key.as_es = true;
      key.link_slots = ctx->variants[ATOLL_GS]->p.input_slots;
   } else {
      use_variant(ctx, ATOLL_GS, NULL);
      key.edge_flags =
         vs->writes_edge_flag && !ctx->shaders[ATOLL_TES] &&
         (s->fill_front != PIPE_POLYGON_MODE_FILL || s->fill_back != PIPE_POLYGON_MODE_FILL);
      key.primitive_id = ps->reads_primitive_id;
   }
   if (!select_tess(ctx, &key) || !select_variant(ctx, ATOLL_VS, &key))
      return false;
   use_hw_vs(ctx, gs                         ? ctx->variants[ATOLL_GS]->copy
                  : ctx->variants[ATOLL_TES] ? ctx->variants[ATOLL_TES]
                                             : ctx->variants[ATOLL_VS]);
   if (!select_ps(ctx, prim))
      return false;
   ctx->selected = selection;
   ctx->is_selected =
      !gs && !ctx->shaders[ATOLL_TES] && is_plain(ctx, ATOLL_VS) && is_plain(ctx, ATOLL_PS);
   return true;
}
