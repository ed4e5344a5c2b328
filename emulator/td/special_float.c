/* SPDX-License-Identifier: MIT */
/*
 * Samplers (special.h) of formats that are not filtered as integers: each texel of the footprint
 * becomes floats, which are weighed and summed in sample.c's order, so that the bits are the same.
 * Point samplers for these and for integers and compressed formats, too; and filters of volumes.
 */
#include "td/grid_float.h"
#include "td/near.h"
#include "td/points.h"
#include "td/special.h"

/* ---------------------------------------------------------------------------------------------
 * Texels
 */

/* What is read before vectors are filtered: pairs of texels of up to four bytes, and those of
 * compressed textures as td_block_read() has them. */
union stage {
   union pairs pairs;
   uint32_t blocks[2][4 * WAVE_LANES];
};

static void
stage_texels(const struct tex *t, const struct place *p, unsigned bytes, union stage *out)
{
   switch (bytes) {
   case 1:
      load_pairs(t, p, 1, &out->pairs);
      break;
   case 2:
      load_pairs(t, p, 2, &out->pairs);
      break;
   case 4:
      load_pairs(t, p, 4, &out->pairs);
      break;
   default:
      break;
   }
}

/* VW texels of 12 or 16 bytes at offsets, as dwords. */
V_INLINE void
load_elements(const uint8_t *base, const uint32_t *at, unsigned dwords, vu out[4])
{
   const uint8_t *p[VW];

   for (unsigned i = 0; i < VW; i++)
      p[i] = base + (int32_t)at[i];
   load_longs(p, 4 * dwords, out);
}

/* Two of 8 bytes each, the second one `step` bytes further. */
V_INLINE void
load_two_elements(const uint8_t *base, const uint32_t *at, const uint32_t *step, vu out[4])
{
   vf v[4];

   for (unsigned i = 0; i < 4; i++) {
      __m128 q[VW / 4];
      for (unsigned k = 0; k < VW / 4; k++) {
         const uint8_t *p = base + (int32_t)at[4 * k + i];
         double left, right;
         memcpy(&left, p, 8);
         memcpy(&right, p + (int32_t)step[4 * k + i], 8);
         q[k] = _mm_castpd_ps(_mm_set_pd(right, left));
      }
      v[i] = join_quads(q);
   }
   vf_transpose_quads(v);
   for (unsigned i = 0; i < 4; i++)
      out[i] = (vu)v[i];
}

/* Vector n of a row: left and right texels. */
V_INLINE void
load_row(const struct tex *t, unsigned dwords, const struct place *p, const union stage *in,
         unsigned r, unsigned n, vu left[4], vu right[4])
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
   const uint32_t *row = &p->row[r][n * VW], *step = &p->step[n * VW];

   if (dwords <= 2 && t->shift_x) {
      for (unsigned i = 0; i < dwords; i++) {
         left[i] = vu_load(&in->blocks[r][i * WAVE_LANES + n * VW]);
         right[i] = vu_load(&in->blocks[r][(dwords + i) * WAVE_LANES + n * VW]);
      }
   } else if (dwords == 1) {
      read_pairs(t, p, &in->pairs, t->decode.bytes, false, r, n, &left[0], &right[0]);
   } else if (dwords == 2) {
      vu both[4];
      if (p->neighbours)
         load_elements(base, row, 4, both);
      else
         load_two_elements(base, row, step, both);
      left[0] = both[0], left[1] = both[1];
      right[0] = both[2], right[1] = both[3];
   } else {
      uint32_t next[VW] __attribute__((aligned(VW * 4)));
      vu by = p->neighbours ? vu_splat(4 * dwords) : vu_load(step);
      vu_store(next, vu_load(row) + by);
      load_elements(base, row, dwords, left);
      load_elements(base, next, dwords, right);
   }
}

/* ---------------------------------------------------------------------------------------------
 * Filters
 */

/* A vector's footprint. */
struct texels {
   vu texel[4][4];
   vf weight[4];
};

/* The sums of channels, leaving out texels of weight zero; a texel alone keeps its bits. */
V_INLINE void
add_with_care(const struct td_decode *d, enum kind kind, unsigned dwords, const struct texels *in,
              unsigned channels, vm filtered, vf color[4])
{
   for (unsigned c = 0; c < 4; c++) {
      vf sum = vf_splat(0.0f);
      for (unsigned k = 0; k < 4 && channels >> c & 1; k++) {
         vf v = decode(d, kind, dwords, in->texel[k], c, false), w = in->weight[k];
         vf add = vf_select(vf_eq(w, vf_splat(1.0f)), v, sum + v * w);
         sum = vf_select(vf_ne(w, vf_splat(0.0f)), add, sum);
      }
      color[c] = vf_select(filtered, vf_canon(sum), sum);
   }
}

#define WITH_CARE(kind, dwords)                                                           \
   static __attribute__((noinline)) void care_##kind##_##dwords(                          \
      const struct td_decode *d, const struct texels *in, unsigned channels, vm filtered, \
      vf color[4])                                                                        \
   {                                                                                      \
      add_with_care(d, kind, dwords, in, channels, filtered, color);                      \
   }
WITH_CARE(HALF, 1)
WITH_CARE(HALF, 2)
WITH_CARE(SMALL, 1)
WITH_CARE(WORDS, 1)
WITH_CARE(WORDS, 2)
WITH_CARE(WORDS, 3)
WITH_CARE(WORDS, 4)
#undef WITH_CARE

/* The weighed sums of vector n at one level, of the channels asked for; NaNs of the `filtered`
 * lanes are canonical. */
V_INLINE void
filter(const struct tex *t, enum kind kind, unsigned dwords, const union stage *in,
       const struct place *p, unsigned n, unsigned channels, uint64_t filtered, vf color[4])
{
   vi full = vi_splat(256), x1 = vi_load(&p->wx[n * VW]), y1 = vi_load(&p->wy[n * VW]);
   vf fx1 = vf_from_vi(x1), fx0 = vf_from_vi(full - x1), scale = vf_splat(0x1p-16f);
   vf fy1 = vf_from_vi(y1) * scale, fy0 = vf_from_vi(full - y1) * scale;
   const vf weight[4] = { fx0 * fy0, fx1 * fy0, fx0 * fy1, fx1 * fy1 };
   vm alone = vi_eq(x1 | y1, vi_splat(0)), nan = vm_none();
   vu texel[4][4];

   load_row(t, dwords, p, in, 0, n, texel[0], texel[1]);
   load_row(t, dwords, p, in, 1, n, texel[2], texel[3]);

   /* With AVX-512 a wave's lanes are as many as the texels here. */
   wave_lane linear[3];
   uint32_t *const to[3] = { linear[0], linear[1], linear[2] };
   const unsigned together = decode_together(kind, &texel[0][0], 4, 3, to);

#pragma GCC unroll 4
   for (unsigned c = 0; c < 4; c++) {
      if (!(channels >> c & 1)) {
         color[c] = vf_splat(0.0f);
         continue;
      }
      vf value[4];
#pragma GCC unroll 4
      for (unsigned k = 0; k < 4; k++)
         value[k] = c < together ? vf_load(&linear[c][k * VW])
                                 : decode(&t->decode, kind, dwords, texel[k], c, true);
      const vf first = value[0];
      /* Products of what is never negative need no +0 before them. */
      vf sum = first * weight[0];
      if (!is_positive(kind))
         sum = vf_splat(0.0f) + sum;
#pragma GCC unroll 3
      for (unsigned k = 1; k < 4; k++) {
         vf add = sum + value[k] * weight[k];
         /* Of words a sum may be a flushed -0, which a +0 would change. */
         sum = kind == WORDS ? vf_select(vf_ne(weight[k], vf_splat(0.0f)), add, sum) : add;
      }
      if (!is_finite(kind)) {
         sum = vf_select(alone, first, sum);
         nan = vm_or(nan, vf_isnan(sum));
      }
      color[c] = sum;
   }
   /* Where infinities and NaNs met weights of zero, and NaNs that are left. */
   if (is_finite(kind) || __builtin_expect(!vm_any(nan), 1))
      return;
   struct texels all;
   for (unsigned k = 0; k < 4; k++) {
      for (unsigned i = 0; i < dwords; i++)
         all.texel[k][i] = texel[k][i];
      all.weight[k] = weight[k];
   }
   vm lanes = vm_lanes(filtered, n);
   if (kind == SMALL)
      care_SMALL_1(&t->decode, &all, channels, lanes, color);
   else if (kind == HALF)
      (dwords == 1 ? care_HALF_1 : care_HALF_2)(&t->decode, &all, channels, lanes, color);
   else
      (dwords == 1   ? care_WORDS_1
       : dwords == 2 ? care_WORDS_2
       : dwords == 3 ? care_WORDS_3
                     : care_WORDS_4)(&t->decode, &all, channels, lanes, color);
}

/* Of one level; compressed texels are read at once, others where that is faster. */
static __attribute__((noinline)) void
find_texels(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
            bool uniform, uint64_t linear, struct place *p, union stage *stage)
{
   uint32_t *const rows[2] = { stage->blocks[0], stage->blocks[1] };
   uint32_t *const *to = t->shift_x ? rows : NULL;
   unsigned bytes = t->decode.bytes;

   if (uniform)
      find_place(t, args, level, true, linear, bytes, false, to, p);
   else
      find_place(t, args, level, false, linear, bytes, false, to, p);
   if (!t->shift_x)
      stage_texels(t, p, bytes, stage);
}

V_INLINE void
run_filter(const struct td_tex_bind *bind, const struct td_tex_args *args, enum kind kind,
           unsigned dwords)
{
   const struct tex *t = tex_of(bind);
   bool uniform = true, between;
   struct td_lod lod;
   struct place p[2];
   union stage stage[2];
   struct outputs out;

   if (kind != WORDS && !rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   if ((t->levels == 0 || t->mip == SQ_TEX_Z_FILTER_NONE) && t->mag == t->min)
      base_level(t, &lod);
   else
      uniform = find_levels(t, args, &lod);
   between = (lod.between & args->lanes) != 0;
#if FLOAT_GRIDS
   if (dwords <= 2 && uniform && !t->shift_x && !~lod.linear && rounds_to_nearest() &&
       filter_grid(t, args, kind, dwords, &lod, between))
      return;
#endif
   for (unsigned i = 0; i < 1u + between; i++)
      find_texels(t, args, lod.level[i], uniform, lod.linear, &p[i], &stage[i]);
   find_outputs(t, args, &out);
   unsigned channels = channels_of(&out);
   uint64_t filtered = t->z_filter == SQ_TEX_Z_FILTER_LINEAR ? ~UINT64_C(0) : lod.linear;
   for (unsigned n = 0; n < VECTORS; n++) {
      vf color[4];
#pragma GCC unroll 1
      for (unsigned i = 0; i < 1u + between; i++) {
         vf sum[4];
         filter(t, kind, dwords, &stage[i], &p[i], n, channels, filtered, sum);
         if (i == 0) {
            memcpy(color, sum, sizeof(color));
            continue;
         }
         vi f1 = vi_load(&lod.fraction[n * VW]);
         vf scale = vf_splat(0x1p-8f);
         vf weight0 = vf_from_vi(vi_splat(256) - f1) * scale, weight1 = vf_from_vi(f1) * scale;
         vm none = vi_eq(f1, vi_splat(0));
         for (unsigned c = 0; c < 4; c++) {
            vf r = color[c] * weight0 + sum[c] * weight1;
            color[c] = is_finite(kind) ? r : vf_select(none, color[c], vf_canon(r));
         }
      }
      write_vector(args, &out, n, color);
   }
   write_constants(args, &out);
}

/* ---------------------------------------------------------------------------------------------
 * Point
 */

/* Texels of lanes on one level: where they are, and how far they are from the base level. */
V_INLINE void
find_points_of(const struct tex *t, const struct td_tex_args *args, unsigned level, bool wraps_x,
               bool wraps_y, bool nearest, bool usual, uint32_t *xs, uint32_t *ys, uint32_t *at)
{
   uint32_t width = tex_size(t->width, level), height = tex_size(t->height, level);
   vu pitch = vu_splat(t->level[level].pitch), size = vu_splat(t->decode.bytes);
   vu begin = vu_splat((uint32_t)(t->level[level].base - t->level[t->base].base));

   for (unsigned n = 0; n < VECTORS; n++) {
      vi x = point_axis(t, 0, wraps_x, vf_loadu(&args->src[0][n * VW]), width, nearest, usual);
      vi y = point_axis(t, 1, wraps_y, vf_loadu(&args->src[1][n * VW]), height, nearest, usual);
      if (!usual && t->shift_x) { /* who reads blocks asks which texel of one */
         vi_store(&xs[n * VW], x);
         vi_store(&ys[n * VW], y);
      }
      vu_store(&at[n * VW], begin + (vu)x * size + (vu)y * pitch);
   }
}

static void
find_points_on(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
               bool uniform, uint32_t *xs, uint32_t *ys, uint32_t *at)
{
   bool wraps_x = t->clamp[0] == SQ_TEX_WRAP, wraps_y = t->clamp[1] == SQ_TEX_WRAP;
   struct level_table table;

   if (uniform) {
      bool nearest = rounds_to_nearest();
      bool usual = t->truncate && t->normalized[0] && t->normalized[1] && !t->shift_x;
      if (usual && wraps_x && wraps_y)
         find_points_of(t, args, level[0], true, true, nearest, true, xs, ys, at);
      else if (usual && !wraps_x && !wraps_y)
         find_points_of(t, args, level[0], false, false, nearest, true, xs, ys, at);
      else
         find_points_of(t, args, level[0], wraps_x, wraps_y, nearest, false, xs, ys, at);
      return;
   }
   find_table(t, &table);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu l = vu_load(&level[n * VW]), size = vu_splat(t->decode.bytes);
      vi w = level_size(t->width, l, false, 0), h = level_size(t->height, l, false, 0);
      vi x = vi_sar(fixed_coord(t, 0, wraps_x, vf_loadu(&args->src[0][n * VW]), vf_from_vi(w)), 8);
      vi y = vi_sar(fixed_coord(t, 1, wraps_y, vf_loadu(&args->src[1][n * VW]), vf_from_vi(h)), 8);
      x = wrap_near(t, 0, x, w, w - vi_splat(1));
      y = wrap_near(t, 1, y, h, h - vi_splat(1));
      vi_store(&xs[n * VW], x);
      vi_store(&ys[n * VW], y);
      vu_store(&at[n * VW],
               look_up(table.begin, l) + (vu)x * size + (vu)y * look_up(table.pitch, l));
   }
}

V_INLINE void
load_long_points(const uint8_t *base, const uint32_t *at, unsigned dwords, struct td_raw *raw)
{
   for (unsigned n = 0; n < VECTORS; n++) {
      vu out[4];

      load_elements(base, &at[n * VW], dwords, out);
      for (unsigned i = 0; i < dwords; i++)
         vu_store(&raw->dword[i][n * VW], out[i]);
   }
}

static void
load_points(const struct tex *t, const uint32_t *at, int32_t end, struct td_raw *raw)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;

   switch (t->decode.bytes) {
   case 1:
      load_wave(base, at, 1, end, raw->dword[0]);
      break;
   case 2:
      load_wave(base, at, 2, end, raw->dword[0]);
      break;
   case 4:
      load_wave(base, at, 4, end, raw->dword[0]);
      break;
   case 8:
      for (unsigned n = 0; n < VECTORS; n++) {
         vu out[2];
         load_near(base, vu_load(&at[n * VW]), 8, out);
         vu_store(&raw->dword[0][n * VW], out[0]);
         vu_store(&raw->dword[1][n * VW], out[1]);
      }
      break;
   case 12:
      load_long_points(base, at, 3, raw);
      break;
   default:
      load_long_points(base, at, 4, raw);
      break;
   }
}

/* Channels to a register each, in all lanes.  False: it is not so. */
V_INLINE bool
write_in_turn(const struct tex *t, const struct td_tex_args *args, const struct td_raw *raw,
              enum kind kind, unsigned dwords, bool canon)
{
   const struct td_decode d = t->decode;
   uint32_t *to[4];

   if (!registers_in_turn(t, args, to))
      return false;
   const unsigned together =
      decode_together(kind, (const vu *)(const void *)raw->dword[0], 1, t->in_turn, to);
#pragma GCC unroll 4
   for (unsigned c = 0; c < 4; c++) {
      if (c < together)
         continue;
      for (unsigned n = 0; n < VECTORS && c < t->in_turn; n++) {
         vu texel[4];
         for (unsigned i = 0; i < dwords; i++)
            texel[i] = vu_load(&raw->dword[i][n * VW]);
         const vf color = decode(&d, kind, dwords, texel, c, false);
         vf_store(&to[c][n * VW], canon ? vf_canon(color) : color);
      }
   }
   return true;
}

#if WINDOWS
/* Texels in windows to registers. */
V_INLINE void
write_windows(const struct tex *t, enum kind kind, unsigned dwords, unsigned bytes,
              const struct points *p, uint32_t *const to[4])
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
   const bool canon = t->z_filter == SQ_TEX_Z_FILTER_LINEAR; /* never of integers */
   /* What is stored to registers does not change a copy, which a compiler does not see of t. */
   const struct td_decode d = t->decode;
   const bool at_once = VW == 8 && dwords == 4; /* more than there are registers */
   vu texel[VECTORS][4];

#pragma GCC unroll 8
   for (unsigned n = 0; n < VECTORS; n++) {
      take_points(base, p, bytes, n, texel[n]);
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4 && at_once; c++) {
         const vf color = decode(&d, kind, dwords, texel[n], c, false);
         if (c < t->leading)
            vf_store(&to[c][n * VW], canon ? vf_canon(color) : color);
      }
   }
   if (at_once)
      return;
   const unsigned together = decode_together(kind, &texel[0][0], 4, t->leading, to);
#pragma GCC unroll 4
   for (unsigned c = 0; c < 4; c++) {
      if (c < together)
         continue;
      if (c >= t->leading)
         break;
#pragma GCC unroll 8
      for (unsigned n = 0; n < VECTORS; n++) {
         const vf color = decode(&d, kind, dwords, texel[n], c, false);
         vf_store(&to[c][n * VW], canon ? vf_canon(color) : color);
      }
   }
}

/* False: they do not hold all, or registers take other channels; `at` is where texels are. */
V_INLINE bool
point_windows(const struct tex *t, const struct td_tex_args *args, enum kind kind, unsigned dwords,
              uint32_t *at)
{
   const unsigned bytes = t->decode.bytes;
   uint32_t *to[4];
   struct points p;

   if (!find_usual_points(t, args, &p) || !leading_registers(t, args, to)) {
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&at[n * VW], vu_load(&p.at[n * VW]) * vu_splat(bytes));
      return false;
   }
   if (dwords == 2)
      write_windows(t, kind, 2, 8, &p, to);
   else if (dwords == 4)
      write_windows(t, kind, 4, 16, &p, to);
   else if (bytes == 4)
      write_windows(t, kind, 1, 4, &p, to);
   else if (bytes == 2)
      write_windows(t, kind, 1, 2, &p, to);
   else
      write_windows(t, kind, 1, 1, &p, to);
   write_others(t, args, to);
   return true;
}
#endif

V_INLINE void
run_point(const struct td_tex_bind *bind, const struct td_tex_args *args, enum kind kind,
          unsigned dwords)
{
   const struct tex *t = tex_of(bind);
   bool uniform = true;
   struct td_lod lod;
   struct td_raw raw;
   struct outputs out;
   wave_lane xs, ys, at;

   if (is_finite(kind) && !rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   const bool one = t->levels == 0 || t->mip == SQ_TEX_Z_FILTER_NONE;
   /* Where windows may still hold a vector's texels, if any: not where lanes are on different
    * levels. */
   int32_t end = INT32_MIN;
   bool placed = false;
#if WINDOWS
   if (one && t->points.usual) {
      if (point_windows(t, args, kind, dwords, at))
         return;
      /* Larger ones are read one by one. */
      if (t->decode.bytes <= 4)
         end = t->points.end * t->decode.bytes;
      placed = true;
   }
#endif
   if (!placed) {
      if (one)
         base_level(t, &lod);
      else
         uniform = find_levels(t, args, &lod);
      find_points_on(t, args, lod.level[0], uniform, xs, ys, at);
      if (uniform)
         end = last_window(t, lod.level[0][0], t->decode.bytes);
   }
   if (t->shift_x) {
      const uint32_t *const x[2] = { xs }, *const y[2] = { ys };
      uint32_t *const to[2] = { raw.dword[0] };
      K(td_block_read)(t, lod.level[0], uniform, args->lanes, x, y, 1, to);
   } else {
      load_points(t, at, end, &raw);
   }
   bool canon = t->z_filter == SQ_TEX_Z_FILTER_LINEAR; /* never of integers */
   if (write_in_turn(t, args, &raw, kind, dwords, canon))
      return;
   find_outputs(t, args, &out);
   unsigned channels = channels_of(&out);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu texel[4];
      vf color[4];
      for (unsigned i = 0; i < dwords; i++)
         texel[i] = vu_load(&raw.dword[i][n * VW]);
      for (unsigned c = 0; c < 4; c++) {
         color[c] =
            channels >> c & 1 ? decode(&t->decode, kind, dwords, texel, c, false) : vf_splat(0.0f);
         if (canon)
            color[c] = vf_canon(color[c]);
      }
      write_vector(args, &out, n, color);
   }
   write_constants(args, &out);
}

/* ---------------------------------------------------------------------------------------------
 * Volumes: one level, all lanes between the texels of two slices
 */

/* An axis of a vector: both texels, from where the axis begins, and their weights. */
struct span {
   vu at[2];
   vf weight[2];
};

/* Weights are counts of 1 / 256, times `scale`. */
V_INLINE struct span
find_span(const struct tex *t, unsigned a, vf u, uint32_t size, uint32_t step, float scale)
{
   const bool wraps = t->clamp[a] == SQ_TEX_WRAP;
   const vi count = vi_splat((int32_t)size), last = count - vi_splat(1), one = vi_splat(1);
   const vi fixed = fixed_coord(t, a, wraps, u, vf_from_vi(count)) - vi_splat(128);
   const vi i = vi_sar(fixed, 8), upper = fixed & vi_splat(255);

   return (struct span){
      .at = { (vu)wrap_near(t, a, i, count, last) * vu_splat(step),
              (vu)wrap_near(t, a, i + one, count, last) * vu_splat(step) },
      .weight = { vf_from_vi(vi_splat(256) - upper) * vf_splat(scale),
                  vf_from_vi(upper) * vf_splat(scale) },
   };
}

/* The texels of four rows, left and right ones.  `follow`: of four bytes each, and a lane's right
 * one follows its left one. */
V_INLINE void
load_corners(const struct tex *t, const struct span axis[3], unsigned dwords, bool follow,
             vu texel[8][4])
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
   const unsigned bytes = t->decode.bytes;

#pragma GCC unroll 4
   for (unsigned r = 0; r < 4; r++) {
      const vu row = axis[1].at[r & 1] + axis[2].at[r >> 1];
      if (follow) {
         vu both[2];
         load_followed(base, row + axis[0].at[0], both);
         texel[2 * r][0] = both[0];
         texel[2 * r + 1][0] = both[1];
         continue;
      }
#pragma GCC unroll 2
      for (unsigned i = 0; i < 2; i++) {
         const vu at = row + axis[0].at[i];
         vu *out = texel[2 * r + i];
         if (dwords == 1)
            out[0] = load_texels(base, at, bytes, INT32_MIN);
         else if (dwords == 2)
            load_near(base, at, 8, out);
         else
            load_elements(base, (const uint32_t *)&at, dwords, out);
      }
   }
}

/* With AVX-512 gathers take what a lane's four rows have. */
#define BOXES (VW < 16)

/* Of four bytes each, where all lanes' texels lie in boxes of two by two by two, from `at` on: one
 * address serves four rows. */
V_INLINE void
load_boxes(const uint8_t *base, vu at, const uint32_t step[3], vu texel[8][4])
{
   const size_t row[4] = { 0, step[1], step[2], (size_t)step[1] + step[2] };
   uint32_t offset[VW] __attribute__((aligned(VW * 4)));
   float part[8][VW / 4][4] __attribute__((aligned(16)));

   vu_store(offset, at);
   /* From memory: lane by lane out of a register takes longer. */
   __asm__("" : "+m"(offset));
#pragma GCC unroll 2
   for (unsigned q = 0; q < VW / 4; q++) {
      const uint8_t *lane[4];

      for (unsigned l = 0; l < 4; l++)
         lane[l] = base + (int32_t)offset[4 * q + l];
#pragma GCC unroll 4
      for (unsigned r = 0; r < 4; r++) {
         __m128 pair[2];

         for (unsigned i = 0; i < 2; i++) {
            const __m128i left = _mm_loadl_epi64((const __m128i *)(lane[2 * i] + row[r]));
            const __m128i right = _mm_loadl_epi64((const __m128i *)(lane[2 * i + 1] + row[r]));

            pair[i] = _mm_castsi128_ps(_mm_unpacklo_epi64(left, right));
         }
         _mm_store_ps(part[2 * r][q], _mm_shuffle_ps(pair[0], pair[1], 0x88));
         _mm_store_ps(part[2 * r + 1][q], _mm_shuffle_ps(pair[0], pair[1], 0xdd));
      }
   }
#pragma GCC unroll 8
   for (unsigned k = 0; k < 8; k++) {
      const float *of[VW / 4];

      for (unsigned q = 0; q < VW / 4; q++)
         of[q] = part[k][q];
      texel[k][0] = (vu)vf_load_quads(of);
   }
}

/* The sum of those that have a weight. */
static __attribute__((noinline)) vf
sum_weighted(const vf v[8], const vf weight[8])
{
   vf sum = vf_splat(0.0f);

   for (unsigned k = 0; k < 8; k++) {
      const vm weighs = vf_ne(weight[k], vf_splat(0.0f));

      /* Nothing changes a sum as little as -0. */
      sum = sum + vf_select(weighs, v[k] * weight[k], vf_splat(-0.0f));
   }
   return sum;
}

/* The sums of sample.c, in its order: where values are finite, those of weight zero and one need no
 * care.  A weight is one only of the first texel, whose bits are kept. */
V_INLINE void
sum_corners(const struct tex *t, enum kind kind, unsigned dwords, const struct span axis[3],
            const vu texel[8][4], unsigned channels, vf color[4])
{
   const vf zero = vf_splat(0.0f);
   vf weight[8];

#pragma GCC unroll 8
   for (unsigned k = 0; k < 8; k++)
      weight[k] = axis[1].weight[k >> 1 & 1] * axis[2].weight[k >> 2] * axis[0].weight[k & 1];
   const vm alone = vf_eq(weight[0], vf_splat(1.0f));
#pragma GCC unroll 4
   for (unsigned c = 0; c < 4; c++) {
      color[c] = zero;
      if (!(channels >> c & 1))
         continue;
      vf sum = zero, v[8];
#pragma GCC unroll 8
      for (unsigned k = 0; k < 8; k++) {
         v[k] = decode(&t->decode, kind, dwords, texel[k], c, false);
         sum = sum + v[k] * weight[k];
      }
      if (!is_finite(kind)) {
         /* One that is not, of weight zero, leaves the sum no number. */
         if (__builtin_expect(vm_any(vf_isnan(sum)), 0))
            sum = sum_weighted(v, weight);
         sum = vf_canon(vf_select(alone, v[0], sum));
      }
      color[c] = kind == BYTES ? sum / vf_splat(255.0f * 65536.0f) : sum;
   }
}

V_INLINE void
run_volume(const struct td_tex_bind *bind, const struct td_tex_args *args, enum kind kind,
           unsigned dwords)
{
   const struct tex *t = tex_of(bind);
   const struct tex_level *level = &t->level[t->base];
   const uint32_t size[3] = { tex_size(t->width, t->base), tex_size(t->height, t->base),
                              tex_size(t->depth, t->base) };
   const uint32_t step[3] = { t->decode.bytes, level->pitch, level->slice8 * 8 };
   const float whole = kind == BYTES ? 1.0f : 0x1p-8f;
   struct outputs out;

   if (!rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   find_outputs(t, args, &out);
   const unsigned channels = channels_of(&out);
   for (unsigned n = 0; n < VECTORS; n++) {
      struct span axis[3];
      vu texel[8][4];
      vf color[4];

#pragma GCC unroll 3
      for (unsigned a = 0; a < 3; a++)
         axis[a] = find_span(t, a, vf_loadu(&args->src[a][n * VW]), size[a], step[a],
                             a == 2 ? 0x1p-8f : whole);
      /* Mostly a lane's second texel follows its first. */
      const vu apart = axis[0].at[1] ^ (axis[0].at[0] + vu_splat(4));
      const bool follow = dwords == 1 && t->decode.bytes == 4 && !vm_any(vu_ne(apart, vu_splat(0)));
      const vu rows = (axis[1].at[1] ^ (axis[1].at[0] + vu_splat(step[1]))) |
                      (axis[2].at[1] ^ (axis[2].at[0] + vu_splat(step[2])));
      if (BOXES && follow && !vm_any(vu_ne(rows, vu_splat(0))))
         load_boxes((const uint8_t *)(uintptr_t)level->base,
                    axis[0].at[0] + axis[1].at[0] + axis[2].at[0], step, texel);
      else if (follow)
         load_corners(t, axis, dwords, true, texel);
      else
         load_corners(t, axis, dwords, false, texel);
      sum_corners(t, kind, dwords, axis, texel, channels, color);
      write_vector(args, &out, n, color);
   }
   write_constants(args, &out);
}

/* ---------------------------------------------------------------------------------------------
 * The table
 */
#define POINT(kind, dwords)                                            \
   static void point_##kind##_##dwords(const struct td_tex_bind *bind, \
                                       const struct td_tex_args *args) \
   {                                                                   \
      run_point(bind, args, kind, dwords);                             \
   }
#define SAMPLERS(kind, dwords)                                          \
   POINT(kind, dwords)                                                  \
   static void filter_##kind##_##dwords(const struct td_tex_bind *bind, \
                                        const struct td_tex_args *args) \
   {                                                                    \
      run_filter(bind, args, kind, dwords);                             \
   }
SAMPLERS(UNORM, 1)
SAMPLERS(UNORM, 2)
SAMPLERS(SNORM, 1)
SAMPLERS(SNORM, 2)
SAMPLERS(SRGB, 1)
SAMPLERS(SHAREDEXP, 1)
SAMPLERS(HALF, 1)
SAMPLERS(HALF, 2)
SAMPLERS(SMALL, 1)
SAMPLERS(WORDS, 1)
SAMPLERS(WORDS, 2)
SAMPLERS(WORDS, 3)
SAMPLERS(WORDS, 4)
POINT(INTS, 1)
POINT(INTS, 2)

/* Texels of 3 and 6 bytes take the general path. */
static bool
has_loops(unsigned bytes)
{
   return bytes <= 16 && (!(bytes & (bytes - 1)) || bytes == 12);
}

/* False: none of the kinds. */
static bool
kind_of(const struct td_decode *d, enum kind *kind)
{
   unsigned present = 0, words = 0, halves = 0, is_signed = 0, most = 0;

   for (unsigned c = 0; c < 4; c++) {
      unsigned bits = d->channel[c].bits;
      if (!bits)
         continue;
      present++;
      words += bits == 32 && d->channel[c].pos == 32 * c;
      halves += bits == 16 && d->channel[c].pos == 16 * c;
      is_signed += d->comp[c] == SQ_FORMAT_COMP_SIGNED;
      if (d->comp[c] != SQ_FORMAT_COMP_SIGNED && d->comp[c] != SQ_FORMAT_COMP_UNSIGNED)
         return false;
      most = bits > most ? bits : most;
   }
   bool whole = words == present;
   if (!whole && d->bytes > 4 && halves != present)
      return false;
   switch (d->cls) {
   case TD_FLOAT:
      *kind = whole ? WORDS : halves == present ? HALF : SMALL;
      return whole || halves == present || most < 16;
   case TD_SHAREDEXP:
      *kind = SHAREDEXP;
      return true;
   case TD_PLAIN:
      break;
   default:
      return false;
   }
   if (d->num_format == SQ_NUM_FORMAT_INT) {
      *kind = whole ? WORDS : INTS;
      return true;
   }
   if (d->num_format != SQ_NUM_FORMAT_NORM || most > 24)
      return false;
   if (d->srgb) {
      *kind = SRGB;
      return d->bytes == 4 && !is_signed && most == 8;
   }
   *kind = is_signed ? SNORM : UNORM;
   return !is_signed ||
          (is_signed == present && most <= 16 && d->srf == SRF_MODE_ZERO_CLAMP_MINUS_ONE);
}

#define VOLUME(kind, dwords)                                            \
   static void volume_##kind##_##dwords(const struct td_tex_bind *bind, \
                                        const struct td_tex_args *args) \
   {                                                                    \
      run_volume(bind, args, kind, dwords);                             \
   }
VOLUME(BYTES, 1)
VOLUME(UNORM, 1)
VOLUME(UNORM, 2)
VOLUME(HALF, 1)
VOLUME(HALF, 2)
VOLUME(WORDS, 1)
VOLUME(WORDS, 2)
VOLUME(WORDS, 3)
VOLUME(WORDS, 4)

td_tex_fn *
K(td_sample_volume)(struct tex *t)
{
   static td_tex_fn *const table[INTS + 1][5] = {
      [BYTES] = { NULL, volume_BYTES_1 },
      [UNORM] = { NULL, volume_UNORM_1, volume_UNORM_2 },
      [HALF] = { NULL, volume_HALF_1, volume_HALF_2 },
      [WORDS] = { NULL, volume_WORDS_1, volume_WORDS_2, volume_WORDS_3, volume_WORDS_4 },
   };
   const struct td_decode *d = &t->decode;
   const unsigned bytes = d->bytes;
   enum kind kind;

   if (t->shift_x || !has_loops(bytes) || !kind_of(d, &kind))
      return NULL;
   /* Everything between texels, in all directions. */
   if (!(t->mag & t->min & 1) || t->z_filter == SQ_TEX_Z_FILTER_POINT)
      return NULL;
   if (t->levels && t->mip != SQ_TEX_Z_FILTER_NONE)
      return NULL;
   return table[d->unorm8 ? BYTES : kind][(bytes + 3) / 4];
}

td_tex_fn *
K(td_sample_float)(struct tex *t)
{
#define ROW(kind, dwords) [kind][dwords] = { point_##kind##_##dwords, filter_##kind##_##dwords }
   static td_tex_fn *const table[INTS + 1][5][2] = {
      ROW(UNORM, 1),
      ROW(UNORM, 2),
      ROW(SNORM, 1),
      ROW(SNORM, 2),
      ROW(SRGB, 1),
      ROW(SHAREDEXP, 1),
      ROW(HALF, 1),
      ROW(HALF, 2),
      ROW(SMALL, 1),
      ROW(WORDS, 1),
      ROW(WORDS, 2),
      ROW(WORDS, 3),
      ROW(WORDS, 4),
      [INTS][1] = { point_INTS_1 },
      [INTS][2] = { point_INTS_2 },
   };
#undef ROW
   struct td_decode d = t->decode;
   unsigned bytes = t->shift_x == 2 ? 4 * td_block_dwords(d.format) : d.bytes;
   enum kind kind;

   if (t->shift_x == 1 || !has_loops(bytes))
      return NULL;
   /* As td_block_read() gives it. */
   d.bytes = (uint8_t)bytes;
   if (!kind_of(&d, &kind))
      return NULL;
   td_tex_fn *fn = table[kind][(bytes + 3) / 4][(t->mag | t->min) & 1];
   /* What a point sampler reads is not summed. */
   if (fn && !((t->mag | t->min) & 1))
      t->decode.unorm8 = false;
   return fn;
}
