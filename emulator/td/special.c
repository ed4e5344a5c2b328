/* SPDX-License-Identifier: MIT */
/*
 * The samplers that most textured scenes run on (special.h): 8-bit unsigned normalised channels (8,
 * 8_8, 8_8_8_8, and bilinear BC1 to BC3 and BC7), point, bilinear or trilinear.  The results are
 * those of sample.c, bit for bit.
 *
 * Bilinear: the two texels of a row are one load (a lane whose two texels are not neighbours, at
 * a wrap, sends its wave to a variant with two loads).  The sum of at most 255 * 65536 (bilinear.h)
 * is divided once.
 */
#include "td/bilinear.h"
#include "td/grid.h"
#include "td/points.h"
#include "td/special.h"

/* ---------------------------------------------------------------------------------------------
 * Filter
 */

/* Sums of four texels of each channel, as sum_texels() has them. */
V_INLINE void
filter_pairs(const struct tex *t, const union pairs *in, const struct place *p, unsigned bytes,
             bool blocks, unsigned n, vu sum[4])
{
   vu left[2], right[2];

   for (unsigned r = 0; r < 2; r++)
      read_pairs(t, p, in, bytes, blocks, r, n, &left[r], &right[r]);
   sum_texels(left, right, column_weights(vu_load(&p->wx[n * VW])),
              row_weights(vu_load(&p->wy[n * VW])), sum);
}

/* ---------------------------------------------------------------------------------------------
 * Samplers
 */
V_INLINE void
point_wave(const struct tex *t, const struct td_tex_args *args, const uint32_t *level, bool uniform,
           unsigned bytes, uint32_t *texels)
{
   uint32_t width = tex_size(t->width, level[0]), height = tex_size(t->height, level[0]);
   bool wraps_x = t->clamp[0] == WRAP_REPEAT, wraps_y = t->clamp[1] == WRAP_REPEAT;
   wave_lane at;
   struct level_table table;

   find_table(t, &table);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu l = vu_load(&level[n * VW]);
      vi w = level_size(t->width, l, uniform, width);
      vi h = level_size(t->height, l, uniform, height);
      vi x = vi_sar(fixed_coord(t, 0, wraps_x, vf_loadu(&args->src[0][n * VW]), vf_from_vi(w)), 8);
      vi y = vi_sar(fixed_coord(t, 1, wraps_y, vf_loadu(&args->src[1][n * VW]), vf_from_vi(h)), 8);
      x = wrap_near(t, 0, x, w, w - vi_splat(1));
      y = wrap_near(t, 1, y, h, h - vi_splat(1));
      vu pitch = uniform ? vu_splat(table.pitch[level[0]]) : look_up(table.pitch, l);
      vu begin = uniform ? vu_splat(table.begin[level[0]]) : look_up(table.begin, l);
      vu_store(&at[n * VW], begin + (vu)x * vu_splat(bytes) + (vu)y * pitch);
   }
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      uint32_t v = load_texel(base + (int32_t)at[l], bytes);
      __asm__("" : "+r"(v));
      texels[l] = v;
   }
}

/* Texels of one level for all lanes.  Places first, then all loads: where each vector has its
 * windows nothing is decided in between. */
V_INLINE void
point_level(const struct tex *t, const struct td_tex_args *args, unsigned level, bool wraps_x,
            bool wraps_y, unsigned bytes, bool nearest, bool usual, uint32_t *texels)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[level].base;
   uint32_t width = tex_size(t->width, level), height = tex_size(t->height, level);
   vu pitch = vu_splat(t->level[level].pitch), size = vu_splat(bytes);
   int32_t end = (int32_t)window_end(width, height, t->level[level].pitch, bytes);
   wave_lane at;

   for (unsigned n = 0; n < VECTORS; n++) {
      vi x = point_axis(t, 0, wraps_x, vf_loadu(&args->src[0][n * VW]), width, nearest, usual);
      vi y = point_axis(t, 1, wraps_y, vf_loadu(&args->src[1][n * VW]), height, nearest, usual);
      vu_store(&at[n * VW], (vu)x * size + (vu)y * pitch);
   }
   load_wave(base, at, bytes, end, texels);
}

/* Bytes to a register each, in all lanes.  False: it is not so. */
V_INLINE bool
write_in_turn(const struct tex *t, const struct td_tex_args *args, const uint32_t *texels)
{
   uint32_t *to[4];

   if (!registers_in_turn(t, args, to))
      return false;
#pragma GCC unroll 4
   for (unsigned c = 0; c < 4; c++)
      for (unsigned n = 0; n < VECTORS && c < t->in_turn; n++)
         vf_store(&to[c][n * VW], byte_quotient(vu_load(&texels[n * VW]), c, true));
   return true;
}

/* Texels of bytes to registers, of the channels named. */
V_INLINE void
write_bytes(const struct td_tex_args *args, const struct outputs *out, const uint32_t *texels,
            unsigned channels, bool nearest)
{
   for (unsigned n = 0; n < VECTORS; n++) {
      vu v = vu_load(&texels[n * VW]);
      vf color[4];
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++)
         color[c] = channels >> c & 1 ? byte_quotient(v, c, nearest) : vf_splat(0.0f);
      write_vector(args, out, n, color);
   }
}

#if WINDOWS
/* Texels in windows to registers.  False: it is not so, and the texels are in `texels`. */
V_INLINE bool
point_windows(const struct tex *t, const struct td_tex_args *args, unsigned bytes, bool nearest,
              uint32_t *texels)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
   uint32_t *to[4];
   struct points p;
   vu texel[VECTORS][4];

   if (!find_usual_points(t, args, &p)) {
      load_usual_points(t, base, &p, bytes, texels);
      return false;
   }
#pragma GCC unroll 8
   for (unsigned n = 0; n < VECTORS; n++)
      take_points(base, &p, bytes, n, texel[n]);
   if (!nearest || !leading_registers(t, args, to)) {
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&texels[n * VW], texel[n][0]);
      return false;
   }
#pragma GCC unroll 4
   for (unsigned c = 0; c < bytes; c++) {
      if (c >= t->leading)
         break;
#pragma GCC unroll 8
      for (unsigned n = 0; n < VECTORS; n++)
         vf_store(&to[c][n * VW], byte_quotient_nearest(texel[n][0], c));
   }
   write_others(t, args, to);
   return true;
}
#endif

V_INLINE void
run_point(const struct td_tex_bind *bind, const struct td_tex_args *args, unsigned bytes)
{
   const struct tex *t = tex_of(bind);
   bool nearest = rounds_to_nearest();
   wave_lane texels;
   struct outputs out;

   /* Without a filter between levels the base one is the only one. */
   if (t->levels == 0 || t->mip == MIP_FILTER_NONE) {
      bool wraps_x = t->clamp[0] == WRAP_REPEAT, wraps_y = t->clamp[1] == WRAP_REPEAT;
      bool usual = t->truncate && t->normalized[0] && t->normalized[1];
#if WINDOWS
      if (t->points.usual) {
         if (point_windows(t, args, bytes, nearest, texels))
            return;
      } else
#endif
         if (usual && wraps_x && wraps_y)
         point_level(t, args, t->base, true, true, bytes, nearest, true, texels);
      else if (usual && !wraps_x && !wraps_y)
         point_level(t, args, t->base, false, false, bytes, nearest, true, texels);
      else
         point_level(t, args, t->base, wraps_x, wraps_y, bytes, nearest, false, texels);
   } else {
      struct td_lod lod;
      if (find_levels(t, args, &lod))
         point_wave(t, args, lod.level[0], true, bytes, texels);
      else
         point_wave(t, args, lod.level[0], false, bytes, texels);
   }
   if (nearest && write_in_turn(t, args, texels))
      return;
   find_outputs(t, args, &out);
   write_bytes(args, &out, texels, channels_of(&out), nearest);
   write_constants(args, &out);
}

V_INLINE void
bilinear_wave(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
              bool uniform, uint64_t linear, unsigned bytes, bool blocks, struct place *p,
              union pairs *pairs)
{
   uint32_t *const rows[2] = { pairs->narrow[0], pairs->narrow[1] };
   find_place(t, args, level, uniform, linear, bytes, true, blocks ? rows : NULL, p);
   if (!blocks)
      load_pairs(t, p, bytes, pairs);
}

/* The texels of a wave on one or two levels, with the upper one's weights if there are two. */
struct filtered {
   struct place place[2];
   union pairs pairs[2];
   const uint32_t *fraction;
};

/* What bilinear filters make of a wave, of one level or of two, to registers: in turn the first
 * `count` channels, or by `out` (count 0). */
V_INLINE void
write_sums(const struct tex *t, const struct td_tex_args *args, const struct filtered *f,
           unsigned bytes, bool blocks, bool nearest, uint32_t *const to[4], unsigned count,
           const struct outputs *out)
{
   for (unsigned n = 0; n < VECTORS; n++) {
      vu sum[4];
      vf color[4];

      filter_pairs(t, &f->pairs[0], &f->place[0], bytes, blocks, n, sum);
      if (f->fraction) {
         vu upper[4];

         filter_pairs(t, &f->pairs[1], &f->place[1], bytes, blocks, n, upper);
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
   for (unsigned k = 0; k < GRID_PAIRS; k++) {
      vf color[4][GRID_PARTS];

#pragma GCC unroll 2
      for (unsigned p = 0; p < GRID_PARTS; p++) {
         vu sum[4], upper[4];

         grid_sums(&g[0].level, &g[0].columns, &g[0].rows, k, p, bytes, wide, sum);
         if (f)
            grid_sums(&g[1].level, &g[1].columns, &g[1].rows, k, p, bytes, g[1].columns.wide,
                      upper);
#pragma GCC unroll 4
         for (unsigned c = 0; c < count; c++)
            color[c][p] = f ? levels_quotient(sum[c], upper[c], grid_from_quads(f, k, p), true)
                            : sum_quotient(sum[c], true);
      }
#pragma GCC unroll 4
      for (unsigned c = 0; c < count; c++) {
         grid_to_quads(color[c]);
         for (unsigned p = 0; p < GRID_PARTS; p++)
            vf_store(&to[c][(k * GRID_PARTS + p) * VW], color[c][p]);
      }
   }
}

V_INLINE bool
find_grid(const struct tex *t, const struct td_tex_args *args, unsigned level, unsigned bytes,
          struct grid *g)
{
   g->level = grid_level(t, level);
   return find_grid_columns(t, &g->level, &grid_footing, args->src[0], bytes, &g->columns) &&
          find_grid_rows(t, &g->level, &grid_footing, args->src[1], &g->rows) &&
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

   if (~lod->linear || (bytes == 4 ? t->in_turn < 3 : t->in_turn != bytes))
      return false;
   if (!find_grid(t, args, lod->level[0][0], bytes, &g[0]) ||
       (f && !find_grid(t, args, lod->level[1][0], bytes, &g[1])) ||
       !registers_in_turn(t, args, to))
      return false;
   const unsigned count = bytes == 4 ? 3 : bytes;

   const bool all = bytes == 4 && t->in_turn == 4;

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
run_linear(const struct td_tex_bind *bind, const struct td_tex_args *args, unsigned bytes,
           bool blocks)
{
   const struct tex *t = tex_of(bind);
   bool nearest = rounds_to_nearest(), uniform = true;
   struct td_lod lod;
   struct filtered f;
   struct outputs out;
   uint32_t *to[4];

   if ((t->levels == 0 || t->mip == MIP_FILTER_NONE) && t->mag == t->min)
      base_level(t, &lod);
   else
      uniform = find_levels(t, args, &lod);
   f.fraction = lod.between & args->lanes ? lod.fraction : NULL;
#if WINDOWS
   if (uniform && nearest && !blocks && bilinear_grid(t, args, &lod, f.fraction != NULL, bytes))
      return;
#endif
   if (uniform)
      bilinear_wave(t, args, lod.level[0], true, lod.linear, bytes, blocks, &f.place[0],
                    &f.pairs[0]);
   else
      bilinear_wave(t, args, lod.level[0], false, lod.linear, bytes, blocks, &f.place[0],
                    &f.pairs[0]);
   if (f.fraction && uniform && t->levels)
      bilinear_wave(t, args, lod.level[1], true, lod.linear, bytes, blocks, &f.place[1],
                    &f.pairs[1]);
   else if (f.fraction)
      bilinear_wave(t, args, lod.level[1], false, lod.linear, bytes, blocks, &f.place[1],
                    &f.pairs[1]);

   if (nearest && t->in_turn >= 3 && registers_in_turn(t, args, to)) {
      if (t->in_turn == 4)
         write_sums(t, args, &f, bytes, blocks, true, to, 4, NULL);
      else
         write_sums(t, args, &f, bytes, blocks, true, to, 3, NULL);
      return;
   }
   find_outputs(t, args, &out);
   write_sums(t, args, &f, bytes, blocks, nearest, to, 0, &out);
   write_constants(args, &out);
}

/* Of one, two and four bytes; blocks become four. */
#define EACH_SAMPLER(S)                           \
   S(point, 1, run_point(bind, args, 1))          \
   S(point, 2, run_point(bind, args, 2))          \
   S(point, 4, run_point(bind, args, 4))          \
   S(linear, 1, run_linear(bind, args, 1, false)) \
   S(linear, 2, run_linear(bind, args, 2, false)) \
   S(linear, 4, run_linear(bind, args, 4, false)) \
   S(blocks, 4, run_linear(bind, args, 4, true))

#define FUNCTION(filter, bytes, call)                                 \
   static void filter##_bytes_##bytes(const struct td_tex_bind *bind, \
                                      const struct td_tex_args *args) \
   {                                                                  \
      call;                                                           \
   }
EACH_SAMPLER(FUNCTION)

enum { SAMPLE_point, SAMPLE_linear, SAMPLE_blocks };
#define ROW(filter, bytes, call) \
   [SAMPLE_##filter][bytes] = { filter##_bytes_##bytes, #filter "_bytes_" #bytes },
static const struct td_sampler samplers[][5] = { EACH_SAMPLER(ROW) };

const struct td_sampler *
K(td_sample_special)(struct tex *t, const char **why)
{
   const bool volume = t->dim == TEXTURE_3D;

   if (!t->inside)
      return td_no_sampler(why, "not all of the texture is mapped");
   if (t->decode.byte_swap)
      return td_no_sampler(why, "bytes change ends");
   if (t->samples > 1)
      return td_no_sampler(why, "it has several samples");
   if (!(volume || t->dim == TEXTURE_2D))
      return td_no_sampler(why, "neither 2D nor 3D");
   if (t->base_array)
      return td_no_sampler(why, "a layer of an array");
   if (t->offset[0] || t->offset[1] || (volume && t->offset[2]))
      return td_no_sampler(why, "the instruction has offsets");
   if (t->compare)
      return td_no_sampler(why, "it compares");
   if (t->aniso)
      return td_no_sampler(why, "an anisotropic filter");
   if (t->shift_x == 3)
      return td_no_sampler(why, "blocks of eight columns");
   /* Offsets from the base level fit in 32 signed bits. */
   for (unsigned l = t->base; l <= (unsigned)t->base + t->levels; l++) {
      int64_t from = (int64_t)(t->level[l].base - t->level[t->base].base);
      int64_t to = from + (int64_t)tex_size(t->height, l) * t->level[l].pitch + (1 << 18);
      if (volume)
         to += (int64_t)tex_size(t->depth, l) * t->level[l].slice8 * 8;
      if (from < INT32_MIN || to > INT32_MAX)
         return td_no_sampler(why, "levels lie too far apart");
   }
   for (unsigned a = 0; a < (volume ? 3 : 2); a++) {
      if (t->clamp[a] == WRAP_REPEAT && !t->normalized[a])
         return td_no_sampler(why, "coordinates in texels repeat");
      if (t->clamp[a] != WRAP_REPEAT && t->clamp[a] != WRAP_CLAMP_TO_EDGE)
         return td_no_sampler(why, "it neither repeats nor clamps to the edge");
   }
   td_place_outputs(t);
   if (volume)
      return K(td_sample_volume)(t, why);
   bool point = !((t->mag | t->min) & FILTER_LINEAR);
   if (point && t->mip == MIP_FILTER_LINEAR)
      return td_no_sampler(why, "levels are blended, and texels within them are not");
#if WINDOWS
   if (point)
      find_usual(t);
#endif
   if (!t->decode.unorm8 || t->shift_x == 1 || (t->shift_x && point))
      return K(td_sample_float)(t, why);
   const struct td_sampler *s =
      &samplers[t->shift_x ? SAMPLE_blocks
                : point    ? SAMPLE_point
                           : SAMPLE_linear][t->shift_x ? 4 : t->decode.bytes];
   return s->run ? s : td_no_sampler(why, "texels of three bytes");
}
