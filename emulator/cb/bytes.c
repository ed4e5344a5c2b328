/* SPDX-License-Identifier: MIT */
/*
 * Pixels of four bytes (kernels): two loops for each rule of blending, and for logic operations.
 * One is for any segment of a wave.  The other is for whole blocks: their pixels go from a wave's
 * colours to rows of memory, and back where they are blended, without being put down in between.
 */
#include "cb/bytes.h"
#include "cb/rows.h"

/* ---- Segments ---- */

/* Colours as they are, all components of them. */
V_INLINE void
store(const struct segment *g)
{
   struct tile *t = g->t;
   const unsigned first = g->first, last = g->last, count = (last + VW / 4 - 1) * 4 / VW;
   const uint64_t lanes = g->lanes;
   const bool partial = !segment_apart(g) && (lanes != segment_all(g) || (g->block && ~lanes));
   const struct order_8888 order = order_of(g->target);
   const uint32_t *src[4];

   source(t->worker->outputs, g->index, src);
   if (partial)
      load32(g, t->old);
   for (unsigned n = first * 4 / VW; n < count; n++) {
      vf c[4];

      for (unsigned k = 0; k < 4; k++)
         c[k] = vf_load(src[k] + n * VW);
      vu v = pack_8888(&order, c, false);
      if (partial)
         v = vu_select(vm_lanes(lanes, n), v, vu_load(t->old[0] + n * VW));
      vu_store(t->raw[0] + n * VW, v);
   }
   store32(g, t->raw);
}

void
K(cb_bytes_samples)(const struct segment *g)
{
   struct tile *t = g->t;
   const unsigned last = g->last;
   const struct order_8888 order = order_of(g->target);
   const uint32_t *src[4];

   source(t->worker->outputs, g->index, src);
   for (unsigned n = g->first * 4 / VW; n * VW < last * 4; n++) {
      vf c[4];

      for (unsigned k = 0; k < 4; k++)
         c[k] = vf_load(src[k] + n * VW);
      vu_store(t->raw[0] + n * VW, pack_8888(&order, c, false));
   }
   for (uint64_t m = g->lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);

      _mm_storeu_si128((__m128i *)(g->row[l / 4][l >> 1 & 1] + (l & 1) * g->pixel_bytes),
                       _mm_set1_epi32((int)t->raw[0][l]));
   }
}

/* Vector n's pixels over what it had. */
V_INLINE void
put_over(const struct segment *g, vu written, unsigned n, vu pixels)
{
   const vu old = vu_load(g->t->old[0] + n * VW), mask = vu_keep(vm_lanes(g->lanes, n), written);

   vu_store(g->t->raw[0] + n * VW, (pixels & mask) | (old & ~mask));
}

V_INLINE void
blend(const struct segment *g, struct cb_blend b, unsigned rule)
{
   const struct cb_target *target = g->target;
   const bool any = rule == RULE_ANY, dual = any && g->t->draw->cb->dual_source;
   const unsigned first = g->first * 4 / VW, end = (g->last * 4 + VW - 1) / VW;
   const struct order_8888 order = order_of(target);
   const vu written = vu_splat(target->pixel_mask[0]), one = alpha_one_8888(target);
   const uint32_t *src[4], *src1[4];
   struct blend_colors colors[VECTORS];
   vf out[VECTORS][4];
   float constant[4];

   source(g->t->worker->outputs, g->index, src);
   source(g->t->worker->outputs, dual ? 1 : g->index, src1);
   clamped_constant(target, g->t->draw->cb->constant, constant);
   load32(g, g->t->old);
   for (unsigned n = first; n < end; n++) {
      const vu old = vu_load(g->t->old[0] + n * VW) | one;
      struct blend_colors *c = &colors[any ? n - first : 0];

      c->constant = constant;
      for (unsigned k = 0; k < 4; k++) {
         c->src[k] = vf_saturate(vf_load(src[k] + n * VW));
         c->src1[k] = dual ? vf_saturate(vf_load(src1[k] + n * VW)) : c->src[k];
      }
      if (any)
         floats_8888(&order, old, c->dst);
      else
         put_over(g, written, n, blend_8888(&order, &b, rule, c, old));
   }
   if (any)
      K(cb_blend)(&b, colors, end - first, out);
   for (unsigned n = first; n < end && any; n++)
      put_over(g, written, n, pack_8888(&order, out[n - first], true));
   store32(g, g->t->raw);
}

/* A loop for each rule, which the list names.  Not inline: each leaves the others no registers. */
#define INSTANCE(name, ...)                                                    \
   static __attribute__((noinline)) void blend_##name(const struct segment *g) \
   {                                                                           \
      blend(g, (struct cb_blend)RULE_BLEND(__VA_ARGS__), RULE_##name);         \
   }
BLEND_RULES(INSTANCE)
#undef INSTANCE

/* A logic operation instead of blending. */
static __attribute__((noinline)) void
logic(const struct segment *g)
{
   const struct order_8888 order = order_of(g->target);
   const vu written = vu_splat(g->target->pixel_mask[0]);
   const unsigned table = g->t->draw->cb->logic;
   const uint32_t *src[4];

   source(g->t->worker->outputs, g->index, src);
   load32(g, g->t->old);
   for (unsigned n = g->first * 4 / VW; n * VW < g->last * 4; n++) {
      vf c[4];

      for (unsigned k = 0; k < 4; k++)
         c[k] = vf_load(src[k] + n * VW);
      put_over(g, written, n,
               logic_of(table, pack_8888(&order, c, false), vu_load(g->t->old[0] + n * VW)));
   }
   store32(g, g->t->raw);
}

static __attribute__((noinline)) void
blend_any(const struct segment *g)
{
   blend(g, g->target->blend, RULE_ANY);
}

void
K(cb_bytes)(const struct segment *g)
{
   if (g->target->key.rule == RULE_COPY && !g->target->key.reads) {
      store(g);
      return;
   }
   if (g->target->key.logic) {
      logic(g);
      return;
   }
   switch (g->target->key.rule) {
#define CASE(name, ...) \
   case RULE_##name:    \
      blend_##name(g);  \
      break;
      BLEND_RULES(CASE)
#undef CASE
   default:
      blend_any(g);
      break;
   }
}

/* ---- Whole blocks ---- */

#if VW > 4

V_INLINE struct rows
next_rows(struct rows r, size_t row_bytes)
{
   return (struct rows){ r.upper + 2 * row_bytes, r.lower + 2 * row_bytes };
}

static void
store_block(const struct cb_target *target, struct rows rows, const uint32_t *const src[4])
{
   const struct order_8888 order = order_of(target);
   const size_t row_bytes = target->surface.row_bytes;

#pragma GCC unroll 4
   for (unsigned k = 0; k < 4; k++, rows = next_rows(rows, row_bytes)) {
      vu v[PAIR_VECTORS];

      for (unsigned p = 0; p < PAIR_VECTORS; p++) {
         const unsigned at = (k * PAIR_VECTORS + p) * VW;
         const vf c[4] = { vf_load(src[0] + at), vf_load(src[1] + at), vf_load(src[2] + at),
                           vf_load(src[3] + at) };

         v[p] = pack_8888(&order, c, false);
      }
      store_rows(rows, v);
   }
}

V_INLINE void
blend_block(const struct cb_target *target, struct rows rows, const uint32_t *const src[4],
            struct cb_blend b, unsigned rule)
{
   const struct order_8888 order = order_of(target);
   const size_t row_bytes = target->surface.row_bytes;
   const vu one = alpha_one_8888(target);
   struct blend_colors c = { .constant = NULL };

   for (unsigned k = 0; k < 4; k++, rows = next_rows(rows, row_bytes)) {
      vu v[PAIR_VECTORS];

      load_rows(rows, v);
      for (unsigned p = 0; p < PAIR_VECTORS; p++) {
         for (unsigned n = 0; n < 4; n++)
            c.src[n] = vf_saturate(vf_load(src[n] + (k * PAIR_VECTORS + p) * VW));
         v[p] = blend_8888(&order, &b, rule, &c, v[p] | one);
      }
      store_rows(rows, v);
   }
}

static void
logic_block(const struct cb_target *target, struct rows rows, const uint32_t *const src[4],
            unsigned table)
{
   const struct order_8888 order = order_of(target);
   const size_t row_bytes = target->surface.row_bytes;

   for (unsigned k = 0; k < 4; k++, rows = next_rows(rows, row_bytes)) {
      vu v[PAIR_VECTORS];

      load_rows(rows, v);
      for (unsigned p = 0; p < PAIR_VECTORS; p++) {
         vf c[4];

         for (unsigned n = 0; n < 4; n++)
            c[n] = vf_load(src[n] + (k * PAIR_VECTORS + p) * VW);
         v[p] = logic_of(table, pack_8888(&order, c, false), v[p]);
      }
      store_rows(rows, v);
   }
}

bool
K(cb_block)(struct tile *t)
{
   const struct pixel_wave *w = t->wave;
   const unsigned index = t->draw->cb->only - 1u;
   const struct cb_target *target = &t->draw->cb->target[index];
   const uint32_t x = (uint32_t)w->x[0], y = (uint32_t)w->y[0];
   const uint32_t *src[4];

   if (y + PIXEL_BLOCK > target->surface.height || !target->full_mask)
      return false;

   uint8_t *first = target_pixel(&target->surface, x, y, w->prim[0]->layer);
   const struct rows rows = { first, first + target->surface.row_bytes };

   source(t->worker->outputs, index, src);
   switch (target->key.rule) {
   case RULE_COPY:
      if (target->key.logic)
         logic_block(target, rows, src, t->draw->cb->logic);
      else
         store_block(target, rows, src);
      return true;
#define CASE(name, ...)                                                                      \
   case RULE_##name:                                                                         \
      blend_block(target, rows, src, (struct cb_blend)RULE_BLEND(__VA_ARGS__), RULE_##name); \
      return true;
      BLENDING_RULES(CASE)
#undef CASE
   default:
      return false;
   }
}

#endif
