/* SPDX-License-Identifier: MIT */
/*
 * Waves of whole blocks, eight by eight pixels, in which x is one in all pixels of a column and y
 * in all pixels of a row: what draws of screens, pictures and text have.  Eight columns and eight
 * rows are found instead of 64 positions, and a row of pixels reads rows of texels.
 *
 * Coordinates of a column need not be equal, since interpolation rounds: what counts is that all
 * lie between two that give the same texel and weight.  The order of columns within a vector is
 * that in which upper and lower rows of pixels become vectors of quads by one unpacking (AVX2: 0 1
 * 4 5 2 3 6 7), or that of quads, twice (AVX-512).  For kernels only; not for SSE2.
 */
#ifndef ATOLL_TD_GRID_H
#define ATOLL_TD_GRID_H

#include "td/bilinear.h"
#include "td/special.h"

#if WINDOWS

#define GRID_SIDE  8
#define GRID_PAIRS 4 /* of rows of pixels */

/* Columns of a level's texels. */
struct grid_columns {
   vu index;          /* of each pixel's left texel, from where its texels are read */
   vu weight;         /* column_weights(), or as they are */
   uint32_t start[2]; /* bytes from a row's first texel to where they are read */
   bool wide;         /* from two addresses (AVX2), or more than eight at once (AVX-512) */
};

/* Rows of a level's texels. */
struct grid_rows {
   /* Bytes from the level's first row; by grid_row(). */
   uint32_t at[2][VW] __attribute__((aligned(VW * 4)));
   uint32_t number[2][VW] __attribute__((aligned(VW * 4))); /* of rows */
   uint32_t weight[VW] __attribute__((aligned(VW * 4)));    /* row_weights(), or as they are */
   uint32_t most, last; /* the last row's number, and where it is */
};

/* A level as a grid reads it. */
struct grid_level {
   const uint8_t *base;
   uint32_t width, height, pitch;
};

struct grid {
   struct grid_level level;
   struct grid_columns columns;
   struct grid_rows rows;
};

V_INLINE struct grid_level
grid_level(const struct tex *t, unsigned level)
{
   return (struct grid_level){
      .base = (const uint8_t *)(uintptr_t)t->level[level].base,
      .width = tex_size(t->width, level),
      .height = tex_size(t->height, level),
      .pitch = t->level[level].pitch,
   };
}

V_INLINE unsigned
grid_row(unsigned row)
{
   return VW == 16 && row >= 4 ? row + 4 : row;
}

#if VW == 16
#define GRID_SHUFFLE(a, b, imm) ((vf)_mm512_shuffle_ps((__m512)(a), (__m512)(b), imm))
#else
#define GRID_SHUFFLE(a, b, imm) ((vf)_mm256_shuffle_ps((__m256)(a), (__m256)(b), imm))
#endif

/* Each column's coordinate, if all pixels of it have the same bits. */
V_INLINE bool
equal_columns(const void *u, vf *column)
{
   const uint8_t *at = u;
#if VW == 16
   const vf first = vf_quad_permute(vf_loadu(u), 0x44);
   vu differ = vu_splat(0);

   for (unsigned n = 0; n < VECTORS; n++)
      differ |= vu_loadu(at + n * VW * 4) ^ (vu)first;
   *column = first;
#else
   const vf left = vf_loadu(u), right = vf_loadu(at + VW * 4);
   const vu a = (vu)vf_quad_permute(left, 0x44), b = (vu)vf_quad_permute(right, 0x44);
   vu differ = vu_splat(0);

   for (unsigned n = 0; n < VECTORS; n += 2)
      differ |= (vu_loadu(at + n * VW * 4) ^ a) | (vu_loadu(at + (n + 1) * VW * 4) ^ b);
   /* Even vectors have the left columns, odd ones the right. */
   *column = GRID_SHUFFLE(left, right, 0x44);
#endif
   return !vm_any(vu_ne(differ, vu_splat(0)));
}

/* The same of rows. */
V_INLINE bool
equal_rows(const void *u, vf *row)
{
   const float *at = u;
   vu differ = vu_splat(0);
   __m128 quad[GRID_PAIRS];

   for (unsigned k = 0; k < GRID_PAIRS; k++) {
      quad[k] = _mm_loadu_ps(at + 16 * k);
      const __m128 first = _mm_permute_ps(quad[k], 0xa0);
#if VW == 16
      differ |= vu_loadu(at + 16 * k) ^ (vu)_mm512_broadcast_f32x4(first);
#else
      const vu both = (vu)_mm256_set_m128(first, first);

      differ |= (vu_loadu(at + 16 * k) ^ both) | (vu_loadu(at + 16 * k + 8) ^ both);
#endif
   }
   const __m128 low = _mm_shuffle_ps(quad[0], quad[1], 0x88);
   const __m128 high = _mm_shuffle_ps(quad[2], quad[3], 0x88);
#if VW == 16
   *row = (vf)_mm512_insertf32x4(_mm512_castps128_ps512(low), high, 2);
#else
   *row = (vf)_mm256_set_m128(high, low);
#endif
   return !vm_any(vu_ne(differ, vu_splat(0)));
}

/* The smallest and the largest coordinate of each column.  False: some are no numbers. */
V_INLINE bool
range_of_columns(const void *u, vf range[2])
{
   const uint8_t *at = u;
   vm strange = vm_none();
   vf low[2], high[2];

   for (unsigned n = 0; n < VECTORS; n += 2) {
      const vf a = vf_loadu(at + n * VW * 4), b = vf_loadu(at + (n + 1) * VW * 4);

      strange = vm_or(strange, vf_unordered(a, b));
      low[0] = n ? vf_min_second(low[0], a) : a;
      high[0] = n ? vf_max_second(high[0], a) : a;
      low[1] = n ? vf_min_second(low[1], b) : b;
      high[1] = n ? vf_max_second(high[1], b) : b;
   }
#if VW == 16
   range[0] = vf_min_second(low[0], low[1]);
   range[1] = vf_max_second(high[0], high[1]);
   range[0] = vf_min_second(range[0], vf_quad_permute(range[0], 0x4e));
   range[1] = vf_max_second(range[1], vf_quad_permute(range[1], 0x4e));
#else
   range[0] = vf_min_second(GRID_SHUFFLE(low[0], low[1], 0x44), GRID_SHUFFLE(low[0], low[1], 0xee));
   range[1] =
      vf_max_second(GRID_SHUFFLE(high[0], high[1], 0x44), GRID_SHUFFLE(high[0], high[1], 0xee));
#endif
   return !vm_any(strange);
}

/* Of four vectors of which each has two rows in its quads, the same of all eight. */
#define GRID_REDUCE(v, of)                                                       \
   do {                                                                          \
      v[0] = of(GRID_SHUFFLE(v[0], v[1], 0x88), GRID_SHUFFLE(v[0], v[1], 0xdd)); \
      v[2] = of(GRID_SHUFFLE(v[2], v[3], 0x88), GRID_SHUFFLE(v[2], v[3], 0xdd)); \
      v[0] = of(GRID_JOIN(v[0], v[2], 0), GRID_JOIN(v[0], v[2], 1));             \
   } while (0)
#if VW == 16
#define GRID_JOIN(a, b, high) \
   ((vf)_mm512_shuffle_f32x4((__m512)(a), (__m512)(b), (high) ? 0xee : 0x44))
#else
#define GRID_JOIN(a, b, high) \
   ((vf)_mm256_permute2f128_ps((__m256)(a), (__m256)(b), (high) ? 0x31 : 0x20))
#endif

/* The same of rows. */
V_INLINE bool
range_of_rows(const void *u, vf range[2])
{
   const uint8_t *at = u;
   vm strange = vm_none();
   vf low[GRID_PAIRS], high[GRID_PAIRS];

   for (unsigned k = 0; k < GRID_PAIRS; k++) {
#if VW == 16
      low[k] = high[k] = vf_loadu(at + k * VW * 4);
      strange = vm_or(strange, vf_isnan(low[k]));
#else
      const vf a = vf_loadu(at + 2 * k * VW * 4), b = vf_loadu(at + (2 * k + 1) * VW * 4);

      strange = vm_or(strange, vf_unordered(a, b));
      low[k] = vf_min_second(a, b);
      high[k] = vf_max_second(a, b);
#endif
   }
   GRID_REDUCE(low, vf_min_second);
   GRID_REDUCE(high, vf_max_second);
#if VW == 16
   low[0] = vf_min_second(low[0], (vf)_mm512_shuffle_f32x4((__m512)low[0], (__m512)low[0], 0xb1));
   high[0] =
      vf_max_second(high[0], (vf)_mm512_shuffle_f32x4((__m512)high[0], (__m512)high[0], 0xb1));
#endif
   range[0] = low[0];
   range[1] = high[0];
   return !vm_any(strange);
}

/* Where all is between two that are found alike, so is what is found of it, since rounding keeps
 * the order: of what wraps, if it has the same integral part and is no quarter of the texture
 * apart.  Bits are set where it is not so. */
V_INLINE vu
range_wraps(vf low, vf high)
{
   const vm apart = vm_not(vf_lt(high - low, vf_splat(0.25f)));

   return ((vu)vf_floor(low) ^ (vu)vf_floor(high)) | vu_from_mask(apart);
}

V_INLINE int32_t
smaller(int32_t a, int32_t b)
{
   return a < b ? a : b;
}

/* From columns of left texels, which `more` follow. */
V_INLINE bool
set_columns(vi x, unsigned bytes, unsigned more, struct grid_columns *c)
{
   int32_t at[VW] __attribute__((aligned(VW * 4)));
   int32_t start[2];
   vu index;

   vi_store(at, x);
#if VW == 16
   start[0] = start[1] = smaller(at[0], at[13]);
   index = (vu)(x - vi_splat(start[0]));
#else
   start[0] = start[1] = smaller(at[0], at[7]);
   index = (vu)(x - vi_splat(start[0]));
#endif
   c->wide = vm_any(vu_gt(index, vu_splat(7 - more)));
   if (c->wide) {
#if VW == 8
      start[0] = smaller(at[0], at[5]);
      start[1] = smaller(at[2], at[7]);
      index = (vu)(x - (vi)_mm256_blend_epi32(_mm256_set1_epi32(start[0]),
                                              _mm256_set1_epi32(start[1]), 0xcc));
#endif
      if (vm_any(vu_gt(index, vu_splat(VW - 1 - more))))
         return false;
   }
#if VW == 16
   /* Texels of the lower row of pixels follow those of the upper one. */
   const __m512i lower = _mm512_setr_epi32(0, 0, 8, 8, 0, 0, 8, 8, 0, 0, 8, 8, 0, 0, 8, 8);

   index = index | vu_shl((vu)lower, c->wide);
#endif
   c->index = index;
   c->start[0] = (uint32_t)start[0] * bytes;
   c->start[1] = (uint32_t)start[1] * bytes;
   return true;
}

/* Rows' offsets in bytes. */
V_INLINE void
set_rows(vi y0, vi y1, uint32_t pitch, struct grid_rows *r)
{
   const vi most = vi_max(y0, y1);
   __m128i m = _mm_max_epi32(
#if VW == 16
      _mm512_castsi512_si128((__m512i)most), _mm512_extracti32x4_epi32((__m512i)most, 2));
#else
      _mm256_castsi256_si128((__m256i)most), _mm256_extracti128_si256((__m256i)most, 1));
#endif

   m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0x4e));
   m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0xb1));
   r->most = (uint32_t)_mm_cvtsi128_si32(m);
   r->last = r->most * pitch;
   vu_store(r->number[0], (vu)y0);
   vu_store(r->number[1], (vu)y1);
   vu_store(r->at[0], (vu)y0 * vu_splat(pitch));
   vu_store(r->at[1], (vu)y1 * vu_splat(pitch));
}

/* Whether all that is read is inside the level. */
V_INLINE bool
grid_holds(const struct grid_level *l, const struct grid_columns *c, const struct grid_rows *r,
           unsigned bytes)
{
   const unsigned texels = VW == 16 && !c->wide ? 8 : VW;
   const uint32_t start = c->start[0] > c->start[1] ? c->start[0] : c->start[1];
   const int64_t end = (int64_t)(l->height - 1) * l->pitch + ((int64_t)l->width - texels) * bytes;

   return (int64_t)r->last + start <= end;
}

V_INLINE struct axis_texels
grid_axis(const struct tex *t, const struct footing *f, unsigned axis, bool wraps, vf u,
          uint32_t size)
{
   if (f)
      return find_axis(t, f, axis, wraps, 0, u, vu_splat(0), vi_splat((int32_t)size));
   const vi i = point_axis(t, axis, wraps, u, size, true, false);

   return (struct axis_texels){ i, i, vi_splat(0) };
}

/* The texels of each column (axis 0) or row (1), in the mode that rounds to nearest: of bilinear
 * filters by `f`, where all lanes filter, of point ones by NULL.  False: it is no grid. */
V_INLINE bool
find_grid_axis(const struct tex *t, const struct grid_level *l, const struct footing *f,
               unsigned axis, const void *u, struct axis_texels *out)
{
   const uint32_t size = axis ? l->height : l->width;
   const bool wraps = tex_wraps(t, axis);
   const float *c = u;
   vf range[2] = { vf_splat(0.0f), vf_splat(0.0f) };

   /* One look that most waves of other shapes do not pass. */
   if (!t->normalized[axis] ||
       !(__builtin_fabsf(c[0] - c[axis ? 13 : 50]) * (float)size < 1.0f / 64))
      return false;
   const bool equal = axis ? equal_rows(u, &range[0]) : equal_columns(u, &range[0]);

   if (!equal && !(axis ? range_of_rows(u, range) : range_of_columns(u, range)))
      return false;
   *out = grid_axis(t, f, axis, wraps, range[0], size);
   if (equal)
      return true;
   const struct axis_texels other = grid_axis(t, f, axis, wraps, range[1], size);
   vu differ = (vu)(out->low ^ other.low) | (vu)(out->weight ^ other.weight);

   if (wraps)
      differ |= range_wraps(range[0], range[1]);
   return !vm_any(vu_ne(differ, vu_splat(0)));
}

static __attribute__((noinline, unused)) bool
find_grid_columns(const struct tex *t, const struct grid_level *l, const struct footing *f,
                  const void *u, unsigned bytes, struct grid_columns *c)
{
   struct axis_texels a;

   if (!find_grid_axis(t, l, f, 0, u, &a) || (f && vm_any(vi_ne(a.high, a.low + vi_splat(1)))))
      return false;
   c->weight = f && f->pairs ? column_weights((vu)a.weight) : (vu)a.weight;
   return set_columns(a.low, bytes, f != NULL, c);
}

static __attribute__((noinline, unused)) bool
find_grid_rows(const struct tex *t, const struct grid_level *l, const struct footing *f,
               const void *u, struct grid_rows *r)
{
   struct axis_texels a;

   if (!find_grid_axis(t, l, f, 1, u, &a))
      return false;
   vu_store(r->weight, f && f->pairs ? row_weights((vu)a.weight) : (vu)a.weight);
   set_rows(a.low, a.high, l->pitch, r);
   return true;
}

/* ---------------------------------------------------------------------------------------------
 * Reading.  A part is what one vector does: one row of pixels (AVX2) or a pair (AVX-512).
 */
#define GRID_PARTS (VECTORS / GRID_PAIRS) /* of a pair of rows */

/* What rows are read from: eight or sixteen texels as dwords. */
#if VW == 16
V_INLINE __m256i
grid_load_half(const uint8_t *p, unsigned bytes)
{
   if (bytes == 4)
      return _mm256_loadu_si256((const __m256i *)(const void *)p);
   if (bytes == 2)
      return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
   return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}

V_INLINE vu
grid_load_halves(const uint8_t *upper, const uint8_t *lower, unsigned bytes)
{
   return (vu)_mm512_inserti64x4(_mm512_castsi256_si512(grid_load_half(upper, bytes)),
                                 grid_load_half(lower, bytes), 1);
}
#endif

/* A part's texels at both addresses, or in both rows: in a wide one v[0] and v[1]. */
struct grid_texels {
   vu v[2];
};

V_INLINE struct grid_texels
grid_load(const struct grid_level *l, const struct grid_columns *c, const uint32_t *at,
          unsigned pair, unsigned part, unsigned bytes, bool wide)
{
   struct grid_texels r;

#if VW == 16
   const uint8_t *upper = l->base + at[grid_row(2 * pair)] + c->start[0];
   const uint8_t *lower = l->base + at[grid_row(2 * pair + 1)] + c->start[0];

   (void)part;
   if (wide) {
      r.v[0] = window_load(upper, bytes);
      r.v[1] = window_load(lower, bytes);
   } else {
      r.v[0] = r.v[1] = grid_load_halves(upper, lower, bytes);
   }
#else
   const uint8_t *row = l->base + at[2 * pair + part];

   r.v[0] = window_load(row + c->start[0], bytes);
   r.v[1] = wide ? window_load(row + c->start[1], bytes) : r.v[0];
#endif
   return r;
}

/* Weights of a part's texels in v[i]. */
V_INLINE vu
grid_row_weights(const struct grid_rows *r, unsigned pair, unsigned part, unsigned i, bool wide)
{
#if VW == 16
   const uint32_t *w = r->weight + grid_row(2 * pair);

   (void)part;
   if (wide)
      return vu_splat(w[i]);
   return (vu)_mm512_mask_set1_epi32(_mm512_set1_epi32((int)w[0]), 0xff00, (int)w[1]);
#else
   (void)i, (void)wide;
   return vu_splat(r->weight[2 * pair + part]);
#endif
}

/* Each pixel's own. */
V_INLINE vu
grid_take(struct grid_texels t, vu index, bool wide)
{
#if VW == 16
   if (wide)
      return (vu)_mm512_permutex2var_epi32((__m512i)t.v[0], (__m512i)index, (__m512i)t.v[1]);
   return (vu)_mm512_permutexvar_epi32((__m512i)index, (__m512i)t.v[0]);
#else
   const __m256i a = _mm256_permutevar8x32_epi32((__m256i)t.v[0], (__m256i)index);

   if (!wide)
      return (vu)a;
   return (vu)_mm256_blend_epi32(a, _mm256_permutevar8x32_epi32((__m256i)t.v[1], (__m256i)index),
                                 0xcc);
#endif
}

/* Both rows' vectors to vectors of quads. */
V_INLINE void
grid_to_quads(vf v[GRID_PARTS])
{
#if VW == 8
   const vf a = v[0], b = v[1];

   v[0] = GRID_SHUFFLE(a, b, 0x44);
   v[1] = GRID_SHUFFLE(a, b, 0xee);
#else
   (void)v;
#endif
}

/* The texels of a pair of rows, as vectors of quads. */
V_INLINE void
grid_points(const struct grid_level *l, const struct grid_columns *c, const struct grid_rows *r,
            unsigned pair, unsigned bytes, bool wide, vu texels[GRID_PARTS])
{
   vf v[GRID_PARTS];

   for (unsigned p = 0; p < GRID_PARTS; p++)
      v[p] = (vf)grid_take(grid_load(l, c, r->at[0], pair, p, bytes, wide), c->index, wide);
   grid_to_quads(v);
   for (unsigned p = 0; p < GRID_PARTS; p++)
      texels[p] = (vu)v[p];
}

/* sum_columns() of a part. */
V_INLINE void
grid_sums(const struct grid_level *l, const struct grid_columns *c, const struct grid_rows *r,
          unsigned pair, unsigned part, unsigned bytes, bool wide, vu sum[4])
{
   const struct grid_texels upper = grid_load(l, c, r->at[0], pair, part, bytes, wide);
   const struct grid_texels lower = grid_load(l, c, r->at[1], pair, part, bytes, wide);
   const vu next = c->index + vu_splat(1);
   struct grid_texels rb, ga;

   for (unsigned i = 0; i < 1u + wide; i++) {
      const struct halves h =
         blend_rows(upper.v[i], lower.v[i], grid_row_weights(r, pair, part, i, wide));

      rb.v[i] = h.rb;
      ga.v[i] = h.ga;
   }
   const struct halves left = { grid_take(rb, c->index, wide), grid_take(ga, c->index, wide) };
   const struct halves right = { grid_take(rb, next, wide), grid_take(ga, next, wide) };

   sum_columns(left, right, c->weight, sum);
}

/* A vector of lanes of quads as parts have them. */
V_INLINE vu
grid_from_quads(const uint32_t *lanes, unsigned pair, unsigned part)
{
#if VW == 16
   (void)part;
   return vu_load(lanes + pair * VW);
#else
   const vf a = vf_load(lanes + 2 * pair * VW), b = vf_load(lanes + (2 * pair + 1) * VW);

   return part ? (vu)GRID_SHUFFLE(a, b, 0xee) : (vu)GRID_SHUFFLE(a, b, 0x44);
#endif
}

/* A pair of rows of a lookup: its first `count` channels, to `to`.  With weights `f` of a second
 * level, `above`. */
V_INLINE void
grid_look_up(const struct grid_level *l, const struct grid_columns *x, const struct grid_rows *y,
             const struct grid *above, const uint32_t *f, unsigned pair, unsigned bytes, bool sums,
             bool wide, uint32_t *const to[4], unsigned count)
{
   vf color[4][GRID_PARTS];
   vu texels[GRID_PARTS];

   if (!sums)
      grid_points(l, x, y, pair, bytes, wide, texels);
#pragma GCC unroll 2
   for (unsigned p = 0; p < GRID_PARTS; p++) {
      vu sum[4], upper[4];

      if (sums)
         grid_sums(l, x, y, pair, p, bytes, wide, sum);
      if (f)
         grid_sums(&above->level, &above->columns, &above->rows, pair, p, bytes,
                   above->columns.wide, upper);
#pragma GCC unroll 4
      for (unsigned c = 0; c < count; c++)
         color[c][p] = !sums ? byte_quotient_nearest(texels[p], c)
                       : f   ? levels_quotient(sum[c], upper[c], grid_from_quads(f, pair, p), true)
                             : sum_quotient(sum[c], true);
   }
#pragma GCC unroll 4
   for (unsigned c = 0; c < count; c++) {
      if (sums)
         grid_to_quads(color[c]);
      for (unsigned p = 0; p < GRID_PARTS; p++)
         vf_store(&to[c][(pair * GRID_PARTS + p) * VW], color[c][p]);
   }
}

#endif
#endif
