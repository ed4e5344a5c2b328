/* SPDX-License-Identifier: MIT */
/*
 * The samplers that most textured scenes run on (samplers.h): bilinear and trilinear filters of
 * 8-bit unsigned normalised channels (8, 8_8, 8_8_8_8, and BC1 to BC3 and BC7).
 *
 * The two texels of a row are one load (a lane of which they are not neighbours, at a wrap, sends
 * its wave to a variant with two loads).  The sum of at most 255 * 65536 (bilinear.h) is divided
 * once.
 */
#include "td/bilinear.h"
#include "td/grid.h"
#include "td/kinds.h"
#include "td/samplers.h"
#include "td/special.h"

/* ---------------------------------------------------------------------------------------------
 * Filter
 */

/* Sums of four texels of each channel, as sum_texels() has them. */
V_INLINE void
filter_pairs(const struct tex *t, const union pairs *in, const struct footprint *p, unsigned bytes,
             bool blocks, unsigned n, vu sum[4])
{
   vu left[2], right[2];

   for (unsigned r = 0; r < 2; r++)
      read_pairs(t, p, in, bytes, blocks, r, n, &left[r], &right[r]);
   sum_texels(left, right, column_weights(vu_load(&p->wx[n * VW])),
              row_weights(vu_load(&p->wy[n * VW])), sum);
}

V_INLINE void
bilinear_wave(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
              bool uniform, uint64_t linear, unsigned bytes, bool blocks, struct footprint *p,
              union pairs *pairs)
{
   uint32_t *const rows[2] = { pairs->narrow[0], pairs->narrow[1] };
   find_footprint(t, args, level, uniform, linear, bytes, true, blocks ? rows : NULL, p);
   if (!blocks)
      load_pairs(t, p, bytes, pairs);
}

/* The texels of a wave on one or two levels, with the upper one's weights if there are two. */
struct filtered {
   struct footprint footprint[2];
   union pairs pairs[2];
   const uint32_t *fraction;
};

/* What bilinear filters make of a wave, of one level or of two, to registers: the first `count`
 * channels in order, or by `out` (count 0). */
V_INLINE void
write_sums(const struct tex *t, const struct td_tex_args *args, const struct filtered *f,
           unsigned bytes, bool blocks, bool nearest, uint32_t *const to[4], unsigned count,
           const struct outputs *out)
{
   for (unsigned n = 0; n < VECTORS; n++) {
      vu sum[4];
      vf color[4];

      filter_pairs(t, &f->pairs[0], &f->footprint[0], bytes, blocks, n, sum);
      if (f->fraction) {
         vu upper[4];

         filter_pairs(t, &f->pairs[1], &f->footprint[1], bytes, blocks, n, upper);
         for (unsigned c = 0; c < 4; c++)
            color[c] = levels_quotient(sum[c], upper[c], vu_load(&f->fraction[n * VW]), nearest);
      } else {
         for (unsigned c = 0; c < 4; c++)
            color[c] = sum_quotient(sum[c], nearest);
      }
      if (!count)
         write_vector(args, out, n, color);
#pragma GCC unroll 4
      for (unsigned c = 0; c < count; c++)
         vf_store(&to[c][n * VW], color[c]);
   }
}

#if WINDOWS
/* The same where each level is a grid; `f`: weights of the second one, or NULL. */
V_INLINE void
write_grid_sums(const struct grid *g, bool wide, const uint32_t *f, unsigned bytes,
                uint32_t *const to[4], unsigned count)
{
   for (unsigned k = 0; k < GRID_PAIRS; k++)
      grid_look_up(&g[0].level, &g[0].columns, &g[0].rows, &g[1], f, k, bytes, true, wide, to,
                   count);
}

V_INLINE bool
find_grid(const struct tex *t, const struct td_tex_args *args, unsigned level, unsigned bytes,
          struct grid *g)
{
   g->level = grid_level(t, level);
   return find_grid_columns(t, &g->level, &byte_footing, args->src[0], bytes, &g->columns) &&
          find_grid_rows(t, &g->level, &byte_footing, args->src[1], &g->rows) &&
          grid_holds(&g->level, &g->columns, &g->rows, bytes);
}

/* False: one is none, or not all lanes filter or are written. */
V_INLINE bool
bilinear_grid(const struct tex *t, const struct td_tex_args *args, const struct td_lod *lod,
              bool between, unsigned bytes)
{
   const uint32_t *f = between ? lod->fraction : NULL;
   uint32_t *to[4];
   struct grid g[2];

   if (~lod->linear || (bytes == 4 ? t->in_order < 3 : t->in_order != bytes))
      return false;
   if (!find_grid(t, args, lod->level[0][0], bytes, &g[0]) ||
       (f && !find_grid(t, args, lod->level[1][0], bytes, &g[1])) ||
       !registers_in_order(t, args, to))
      return false;
   const unsigned count = bytes == 4 ? 3 : bytes;

   const bool all = bytes == 4 && t->in_order == 4;

   if (all && f)
      write_grid_sums(g, g[0].columns.wide, f, bytes, to, 4);
   else if (f)
      write_grid_sums(g, g[0].columns.wide, f, bytes, to, count);
   else if (all && !g[0].columns.wide)
      write_grid_sums(g, false, NULL, bytes, to, 4);
   else if (all)
      write_grid_sums(g, true, NULL, bytes, to, 4);
   else if (!g[0].columns.wide)
      write_grid_sums(g, false, NULL, bytes, to, count);
   else
      write_grid_sums(g, true, NULL, bytes, to, count);
   return true;
}
#endif

V_INLINE void
run_filter(const struct td_tex_bind *bind, const struct td_tex_args *args, unsigned bytes,
           bool blocks)
{
   const struct tex *t = tex_of(bind);
   bool nearest = rounds_to_nearest(), uniform = true;
   struct td_lod lod;
   struct filtered f;
   struct outputs out;
   uint32_t *to[4];

   if (t->key.one_level && t->mag == t->min)
      base_level(t, &lod);
   else
      uniform = find_levels(t, args, &lod);
   f.fraction = lod.between & args->lanes ? lod.fraction : NULL;
#if WINDOWS
   if (uniform && nearest && !blocks && bilinear_grid(t, args, &lod, f.fraction != NULL, bytes))
      return;
#endif
   if (uniform)
      bilinear_wave(t, args, lod.level[0], true, lod.linear, bytes, blocks, &f.footprint[0],
                    &f.pairs[0]);
   else
      bilinear_wave(t, args, lod.level[0], false, lod.linear, bytes, blocks, &f.footprint[0],
                    &f.pairs[0]);
   if (f.fraction && uniform && t->levels)
      bilinear_wave(t, args, lod.level[1], true, lod.linear, bytes, blocks, &f.footprint[1],
                    &f.pairs[1]);
   else if (f.fraction)
      bilinear_wave(t, args, lod.level[1], false, lod.linear, bytes, blocks, &f.footprint[1],
                    &f.pairs[1]);

   if (nearest && t->in_order >= 3 && registers_in_order(t, args, to)) {
      if (t->in_order == 4)
         write_sums(t, args, &f, bytes, blocks, true, to, 4, NULL);
      else
         write_sums(t, args, &f, bytes, blocks, true, to, 3, NULL);
      return;
   }
   find_outputs(t, args, &out);
   write_sums(t, args, &f, bytes, blocks, nearest, to, 0, &out);
   write_constants(args, &out);
}

V_INLINE void
run_linear(const struct td_tex_bind *bind, const struct td_tex_args *args, enum kind kind,
           unsigned size)
{
   (void)kind;
   run_filter(bind, args, size, false);
}

V_INLINE void
run_blocks(const struct td_tex_bind *bind, const struct td_tex_args *args, enum kind kind,
           unsigned size)
{
   (void)kind;
   run_filter(bind, args, size, true);
}

#define SAMPLER(loop, kind, size) SAMPLER_OF(loop, kind, size, run_##loop)
BYTE_SAMPLERS(SAMPLER)
