/* SPDX-License-Identifier: MIT */
/*
 * What the samplers for the common case share (special.c: 8-bit unsigned normalised channels,
 * special_float.c: everything else): 2D textures, wholly mapped, wrapping or clamped to their last
 * texel.  Coordinates, levels of detail and results, in fewer steps than the general path's and
 * with the same bits.  For kernels only.
 */
#ifndef ATOLL_TD_SPECIAL_H
#define ATOLL_TD_SPECIAL_H

#include "td/blocks.h"
#include "td/near.h"
#include "port/quotient.h"
#include "td/sample.h"
#include "td/window.h"

/* ---------------------------------------------------------------------------------------------
 * Coordinates
 */

/* Fixed-point coordinate of an axis before the half texel is taken off; 8 fraction bits. */
V_INLINE vi
fixed_coord(const struct tex *t, unsigned a, bool wraps, vf u, vf size)
{
   if (t->normalized[a]) {
      if (wraps)
         u = vf_max_second(u - vf_floor(u), vf_splat(0.0f));
      u = u * size;
   }
   u = u * vf_splat(256.0f);
   u = vf_clamp(t->truncate ? vf_floor(u) : vf_rndne(u), -0x1p29f, 0x1p29f);
   return vi_trunc_raw(u);
}

/* Wraps a texel that is at most one outside. */
V_INLINE vi
wrap_near(const struct tex *t, unsigned a, vi i, vi size, vi last)
{
   if (!tex_wraps(t, a))
      return vi_min(vi_max(i, vi_splat(0)), last);
   i = vi_select(vi_lt(i, vi_splat(0)), last, i);
   return vi_select(vi_gt(i, last), i - size, i);
}

struct footprint {
   wave_lane row[2]; /* byte offsets of the left texel in both rows, from the base level */
   wave_lane step;   /* bytes from there to the right texel, unless `neighbours` */
   wave_lane wx, wy; /* weights of the right texel and the lower row */
   bool neighbours;  /* the right texel is the next one everywhere */
   bool windows;     /* and each vector's texels are in windows (window.h) */
   bool at_once;     /* they are not staged, but loaded when they are used */
};

/* The size of an axis at a level per lane. */
V_INLINE vi
level_size(uint32_t base, vu level, bool uniform, uint32_t same)
{
   if (uniform)
      return vi_splat((int32_t)same);
   return vi_max((vi)vu_shrv(vu_splat(base), level), vi_splat(1));
}

/* The same for `scale`, 256 times the size where coordinates are normalised, and 256 where not, if
 * what lies beyond the edges may come out as the edges do, in the mode that rounds to nearest. */
V_INLINE vi
near_coord(const struct tex *t, bool wraps, vf u, vf scale, vi size)
{
   const vf zero = vf_splat(0.0f);

   if (wraps)
      u = vf_max_second(u - vf_floor(u), zero) * scale;
   else
      u = vf_min_second(vf_max_second(u * scale, zero), vf_from_vi(size) * vf_splat(256.0f));
   return t->truncate ? vi_trunc_raw(u) : vi_round_raw(u);
}

/* What is found of both axes. */
struct footing {
   bool uniform;    /* all lanes are on the level of lane 0 */
   bool all;        /* all filter */
   bool pairs;      /* texels are summed as integers, and those of a row read as pairs */
   bool nearest;    /* rounds_to_nearest() */
   uint64_t linear; /* lanes that filter; the others get their nearest texel with weight 0 */
};

/* Of bilinear filters of bytes, where all lanes filter, on one level. */
static const struct footing byte_footing __attribute__((unused)) = {
   .uniform = true,
   .all = true,
   .pairs = true,
   .nearest = true,
   .linear = ~UINT64_C(0),
};

/* The two texels of an axis, and the upper one's weight. */
struct axis_texels {
   vi low, high, weight;
};

/* Of vector n.  As pairs both columns, which are the last one beyond an edge, become neighbours by
 * weight, which sums of integers do not notice; and of weight 0 both rows are the upper one, as
 * row_weights() wants it. */
V_INLINE struct axis_texels
find_axis(const struct tex *t, const struct footing *f, unsigned a, bool wraps, unsigned n, vf u,
          vu level, vi same)
{
   const vm lin = f->all ? vm_all() : vm_lanes(f->linear, n);
   const vi one = vi_splat(1), zero = vi_splat(0);
   const vi size =
      f->uniform ? same : vi_max((vi)vu_shrv(vu_splat(a ? t->height : t->width), level), one);
   const vi last = size - one;
   vi fixed;

   if (f->nearest && (wraps || f->pairs)) {
      const vf texels = t->normalized[a] ? vf_from_vi(size) : vf_splat(1.0f);
      fixed = near_coord(t, wraps, u, texels * vf_splat(256.0f), size);
   } else {
      fixed = fixed_coord(t, a, wraps, u, vf_from_vi(size));
   }
   fixed = fixed - (vi)vu_keep(lin, vu_splat(128));

   const vi x0 = vi_sar(fixed, 8), w = (vi)vu_keep(lin, (vu)fixed & vu_splat(255));
   const vi next = f->pairs && a == 1 ? vi_min(w, one) : one;
   struct axis_texels r = { x0, x0, w };
   if (wraps) {
      r.low = vi_select(vi_lt(x0, zero), last, x0);
      if (!f->all || !f->nearest)
         r.low = vi_select(vi_gt(r.low, last), r.low - size, r.low);
      r.high = r.low + next;
      r.high = vi_select(vi_gt(r.high, last), zero, r.high);
   } else if (f->pairs && a == 0) {
      r.weight = vi_select(vi_lt(x0, zero), zero, vi_select(vi_ge(x0, last), vi_splat(256), w));
      r.low = vi_max(vi_min(x0, last - one), zero);
      r.high = vi_min(r.low + one, last);
   } else {
      r.high = vi_min(vi_max(x0 + next, zero), last);
      r.low = vi_min(vi_max(x0, zero), last);
   }
   return r;
}

/* table[index] per lane, indices below 16. */
V_INLINE vu
look_up(const uint32_t table[16], vu index)
{
#if VW == 16
   return (vu)_mm512_permutexvar_epi32((__m512i)index, _mm512_loadu_si512(table));
#else
   uint32_t i[VW], r[VW];
   memcpy(i, &index, sizeof(i));
   for (unsigned l = 0; l < VW; l++)
      r[l] = table[i[l] & 15];
   vu out;
   memcpy(&out, r, sizeof(out));
   return out;
#endif
}

/* Rows' lengths and where levels begin, as look_up() wants them. */
struct level_table {
   uint32_t pitch[16], begin[16];
};

V_INLINE void
find_table(const struct tex *t, struct level_table *table)
{
   memset(table, 0, sizeof(*table));
   for (unsigned l = t->base; l <= (unsigned)t->base + t->levels; l++) {
      table->pitch[l] = t->level[l].pitch;
      table->begin[l] = (uint32_t)(t->level[l].base - t->level[t->base].base);
   }
}

/* Where the last window of a level begins, from the base level. */
V_INLINE int32_t
last_window(const struct tex *t, uint32_t level, unsigned bytes)
{
   const int64_t begin = (int64_t)(t->level[level].base - t->level[t->base].base);
   return (int32_t)(begin + window_end(tex_size(t->width, level), tex_size(t->height, level),
                                       t->level[level].pitch, bytes));
}

/* The texels of a compressed texture's lanes, which are read at once. */
V_INLINE void
read_blocks(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
            const struct footing *f, uint32_t *const blocks[2], struct footprint *p)
{
   const bool wraps_x = tex_wraps(t, 0), wraps_y = tex_wraps(t, 1);
   const vi width = vi_splat((int32_t)tex_size(t->width, level[0]));
   const vi height = vi_splat((int32_t)tex_size(t->height, level[0]));
   wave_lane x0, x1, y0, y1;

   for (unsigned n = 0; n < VECTORS; n++) {
      const vu l = vu_load(&level[n * VW]);
      const struct axis_texels x =
         find_axis(t, f, 0, wraps_x, n, vf_loadu(&args->src[0][n * VW]), l, width);
      const struct axis_texels y =
         find_axis(t, f, 1, wraps_y, n, vf_loadu(&args->src[1][n * VW]), l, height);
      vi_store(&x0[n * VW], x.low);
      vi_store(&x1[n * VW], x.high);
      vi_store(&p->wx[n * VW], x.weight);
      vi_store(&y0[n * VW], y.low);
      vi_store(&y1[n * VW], y.high);
      vi_store(&p->wy[n * VW], y.weight);
   }
   const uint32_t *const x[2] = { x0, x1 }, *const y[2] = { y0, y1 };
   K(td_block_read)(t, level, f->uniform, args->lanes, x, y, 2, blocks);
}

V_INLINE void
find_rows(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
          const struct footing *f, bool wraps_x, bool wraps_y, unsigned bytes, struct footprint *p)
{
   bool look = WINDOWS && f->uniform && bytes <= 4;
   const int32_t end = look ? last_window(t, level[0], bytes) : 0;
   const vi width = vi_splat((int32_t)tex_size(t->width, level[0]));
   const vi height = vi_splat((int32_t)tex_size(t->height, level[0]));
   const vu size = vu_splat(bytes);
   const uint32_t to_level = (uint32_t)(t->level[level[0]].base - t->level[t->base].base);
   struct level_table table;
   vm apart = vm_none();

   if (!f->uniform)
      find_table(t, &table);
   for (unsigned n = 0; n < VECTORS; n++) {
      const vu l = vu_load(&level[n * VW]);
      const vu pitch = f->uniform ? vu_splat(t->level[level[0]].pitch) : look_up(table.pitch, l);
      const vu begin = f->uniform ? vu_splat(to_level) : look_up(table.begin, l);
      const struct axis_texels x =
         find_axis(t, f, 0, wraps_x, n, vf_loadu(&args->src[0][n * VW]), l, width);
      const struct axis_texels y =
         find_axis(t, f, 1, wraps_y, n, vf_loadu(&args->src[1][n * VW]), l, height);
      const vu left = begin + (vu)x.low * size;
      const vu upper = left + (vu)y.low * pitch, lower = left + (vu)y.high * pitch;

      vi_store(&p->wx[n * VW], x.weight);
      vi_store(&p->wy[n * VW], y.weight);
      vu_store(&p->row[0][n * VW], upper);
      vu_store(&p->row[1][n * VW], lower);
      vu_store(&p->step[n * VW], (vu)(x.high - x.low) * size);
      apart = vm_or(apart, vi_ne(x.high, x.low + vi_splat(1)));
      /* One vector without them, and the others are not looked at. */
      if (look)
         look = !vm_any(
            vu_ne(window_misses(upper, bytes, bytes, end) | window_misses(lower, bytes, bytes, end),
                  vu_splat(0)));
   }
   p->neighbours = !vm_any(apart);
   p->windows = look && p->neighbours;
}

/* The four texels of each lane.  `pairs`, `linear`: see struct footing.  Of a compressed texture
 * they are read at once, to `blocks` (otherwise NULL) as td_block_read() has it. */
V_INLINE void
find_footprint(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
               bool uniform, uint64_t linear, unsigned bytes, bool pairs, uint32_t *const blocks[2],
               struct footprint *p)
{
   const bool wraps_x = tex_wraps(t, 0), wraps_y = tex_wraps(t, 1);
   const struct footing f = {
      .uniform = uniform,
      .all = linear == ~UINT64_C(0),
      .pairs = pairs,
      .nearest = rounds_to_nearest(),
      .linear = linear,
   };
   const struct footing usual = {
      .uniform = uniform,
      .all = true,
      .pairs = pairs,
      .nearest = true,
      .linear = ~UINT64_C(0),
   };

   p->neighbours = p->windows = p->at_once = false;
   if (blocks)
      read_blocks(t, args, level, &f, blocks, p);
   else if (!f.all || !f.nearest || wraps_x != wraps_y)
      find_rows(t, args, level, &f, wraps_x, wraps_y, bytes, p);
   else if (wraps_x)
      find_rows(t, args, level, &usual, true, true, bytes, p);
   else
      find_rows(t, args, level, &usual, false, false, bytes, p);
   /* With AVX2 sRGB's bytes are looked up where they are staged (special_float.c). */
   p->at_once = !blocks && bytes == 4 && !gathers_are_quick() && !(VW == 8 && t->decode.srgb != 0);
}

/* ---------------------------------------------------------------------------------------------
 * Texels
 */
V_INLINE uint32_t
load_texel(const uint8_t *p, unsigned bytes)
{
   uint32_t v = 0;
   memcpy(&v, p, bytes);
   return v;
}

/* The two texels of both rows: of four bytes a pair of dwords a lane; of fewer both in one dword,
 * the right one above the left one; of compressed textures all left texels, then all right ones. */
union pairs {
   uint64_t wide[2][WAVE_LANES] __attribute__((aligned(64)));
   uint32_t narrow[2][2 * WAVE_LANES];
};

#if VW == 16
/* A row of texels of four bytes. */
V_INLINE void
gather_row(const uint8_t *base, const struct footprint *p, const uint32_t *row, uint64_t *out)
{
   const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
   const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));

   for (unsigned l = 0; l < WAVE_LANES && p->neighbours; l += 8) {
      const __m256i at = _mm256_load_si256((const __m256i *)(const void *)&row[l]);

      _mm512_store_si512(&out[l], _mm512_i32gather_epi64(at, base, 1));
   }
   for (unsigned l = 0; l < WAVE_LANES && !p->neighbours; l += VW) {
      const vu at = vu_load(&row[l]), next = at + vu_load(&p->step[l]);
      const __m512i left = _mm512_i32gather_epi32((__m512i)at, base, 1);
      const __m512i right = _mm512_i32gather_epi32((__m512i)next, base, 1);

      _mm512_store_si512(&out[l], _mm512_permutex2var_epi32(left, low, right));
      _mm512_store_si512(&out[l + 8], _mm512_permutex2var_epi32(left, high, right));
   }
}
#endif

/* Of up to four bytes; offsets are signed.  What lies in windows, or is loaded at once, is read by
 * read_pairs(). */
V_INLINE void
load_pairs(const struct tex *t, const struct footprint *p, unsigned bytes, union pairs *out)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;

   if (p->windows || p->at_once)
      return;
   for (unsigned r = 0; r < 2; r++) {
#if VW == 16
      if (bytes == 4) {
         gather_row(base, p, p->row[r], out->wide[r]);
         continue;
      }
#endif
      for (unsigned l = 0; l < WAVE_LANES && p->neighbours; l++) {
         uint64_t v = 0;
         memcpy(&v, base + (int32_t)p->row[r][l], 2 * bytes);
         /* Scalar loads and stores are the fastest way: keep the compiler from joining them. */
         __asm__("" : "+r"(v));
         if (bytes == 4)
            out->wide[r][l] = v;
         else
            out->narrow[r][l] = (uint32_t)v;
      }
      for (unsigned l = 0; l < WAVE_LANES && !p->neighbours; l++) {
         const uint8_t *left = base + (int32_t)p->row[r][l];
         uint32_t v = load_texel(left, bytes), w = load_texel(left + (int32_t)p->step[l], bytes);

         if (bytes < 4)
            v |= w << (8 * bytes);
         __asm__("" : "+r"(v), "+r"(w));
         if (bytes < 4) {
            out->narrow[r][l] = v;
            continue;
         }
         memcpy(&out->wide[r][l], &v, 4);
         memcpy((uint8_t *)&out->wide[r][l] + 4, &w, 4);
      }
   }
}

/* Four texels of four bytes; of pairs the second is the first one's neighbour. */
V_INLINE __m128i
load_quad(const uint8_t *base, const int32_t *at, bool pairs)
{
   uint32_t v[4];
   uint64_t w[2];
   if (pairs) {
      memcpy(&w[0], base + at[0], 8);
      memcpy(&w[1], base + at[2], 8);
      return _mm_set_epi64x((int64_t)w[1], (int64_t)w[0]);
   }
   for (unsigned l = 0; l < 4; l++)
      memcpy(&v[l], base + at[l], 4);
   return _mm_set_epi32((int)v[3], (int)v[2], (int)v[1], (int)v[0]);
}

V_INLINE vu
load_vector(const uint8_t *base, const uint32_t *offsets, bool pairs)
{
   const int32_t *at = (const int32_t *)offsets;
#if VW == 16
   __m512i v = _mm512_castsi128_si512(load_quad(base, at, pairs));
   v = _mm512_inserti32x4(v, load_quad(base, at + 4, pairs), 1);
   v = _mm512_inserti32x4(v, load_quad(base, at + 8, pairs), 2);
   return (vu)_mm512_inserti32x4(v, load_quad(base, at + 12, pairs), 3);
#elif VW == 8
   __m256i v = _mm256_castsi128_si256(load_quad(base, at, pairs));
   return (vu)_mm256_inserti128_si256(v, load_quad(base, at + 4, pairs), 1);
#else
   return (vu)load_quad(base, at, pairs);
#endif
}

/* A vector's texels of one, two or four bytes, wherever they lie. */
V_INLINE vu
load_apart(const uint8_t *base, vu at, unsigned bytes)
{
   uint32_t offset[VW] __attribute__((aligned(VW * 4))), texel[VW];

#if VW == 16
   if (bytes == 4)
      return (vu)_mm512_i32gather_epi32((__m512i)at, base, 1);
#endif
   vu_store(offset, at);
   if (bytes == 4) {
      vu odd = (vu)vi_lane_index() & vu_splat(1);
      vu first = (vu)vf_quad_permute((vf)at, 0xa0);
      bool pairs = !vm_any(vu_ne(at, first + vu_shl(odd, 2)));
      return pairs ? load_vector(base, offset, true) : load_vector(base, offset, false);
   }
   for (unsigned l = 0; l < VW; l++) {
      uint32_t v = load_texel(base + (int32_t)offset[l], bytes);
      __asm__("" : "+r"(v));
      texel[l] = v;
   }
   return vu_loadu(texel);
}

#define LOAD_APART(bytes)                                                                     \
   static __attribute__((noinline, unused)) vu load_apart_##bytes(const uint8_t *base, vu at) \
   {                                                                                          \
      return load_apart(base, at, bytes);                                                     \
   }
LOAD_APART(1)
LOAD_APART(2)
LOAD_APART(4)
#undef LOAD_APART

/* Vector n of a row.  Above a texel of fewer than four bytes there may be another one. */
V_INLINE void
read_pairs(const struct tex *t, const struct footprint *p, const union pairs *in, unsigned bytes,
           bool blocks, unsigned r, unsigned n, vu *left, vu *right)
{
#if WINDOWS
   if (!blocks && p->windows) {
      const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
      const uint32_t *at = &p->row[r][n * VW];
      struct window w = window_read(base, at, bytes);
      vu index = window_index(vu_load(at), bytes);
      *left = window_take(w, index);
      *right = window_take(w, index + vu_splat(1));
      return;
   }
#endif
   if (!blocks && bytes == 4 && p->at_once) {
      const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
      const vu step = vu_load(&p->step[n * VW]);
      vu both[2];

      if (p->neighbours || !vm_any(vu_ne(step, vu_splat(4)))) {
         load_neighbours(base, (const int32_t *)&p->row[r][n * VW], both);
         *left = both[0];
         *right = both[1];
      } else {
         const vu at = vu_load(&p->row[r][n * VW]);

         *left = load_apart_4(base, at);
         *right = load_apart_4(base, at + step);
      }
      return;
   }
   if (blocks) {
      *left = vu_load(&in->narrow[r][n * VW]);
      *right = vu_load(&in->narrow[r][WAVE_LANES + n * VW]);
   } else if (bytes == 4) {
      td_split_pairs(&in->wide[r][n * VW], left, right);
   } else {
      *left = vu_load(&in->narrow[r][n * VW]);
      *right = vu_shr(*left, 8 * bytes);
   }
}

/* ---------------------------------------------------------------------------------------------
 * Points
 */

/* The texel of an axis of `size` texels: what fixed_coord() and wrap_near() find, in fewer steps.
 * Beyond the edges a coordinate is limited before it is rounded, and scaling by a power of two
 * does not round.  `usual`: coordinates are normalised and truncated, as drivers have it where
 * nothing is filtered. */
V_INLINE vi
point_axis(const struct tex *t, unsigned a, bool wraps, vf u, uint32_t size, bool nearest,
           bool usual)
{
   vf zero = vf_splat(0.0f);
   vf scale = vf_splat(usual || t->normalized[a] ? (float)size * 256.0f : 256.0f);
   if (wraps)
      u = vf_max_second(u - vf_floor(u), zero) * scale;
   else
      u = vf_min_second(vf_max_second(u * scale, zero), vf_splat((float)(size * 256u - 1)));
   vi i = usual || t->truncate ? vi_trunc_raw(u)
          : nearest            ? vi_round_raw(u)
                               : vi_trunc_raw(vf_rndne(u));
   i = vi_sar(i, 8);
   if (wraps)
      i = vi_select(vi_eq(i, vi_splat((int32_t)size)), vi_splat(0), i);
   return i;
}

/* load_apart() where they may lie in windows, none of which begins after `end`. */
V_INLINE vu
load_texels(const uint8_t *base, vu at, unsigned bytes, int32_t end)
{
#if WINDOWS
   if (window_holds(at, bytes, end)) {
      struct window w = window_at(base, at, bytes);
      return window_take(w, window_index(at, bytes));
   }
#else
   (void)end;
#endif
   return bytes == 4   ? load_apart_4(base, at)
          : bytes == 2 ? load_apart_2(base, at)
                       : load_apart_1(base, at);
}

/* The same of a whole wave, at `at`: one look decides for all vectors, unless it is known that they
 * are not alike (`apart`). */
V_INLINE void
load_wave(const uint8_t *base, const uint32_t *at, unsigned bytes, int32_t end, bool apart,
          uint32_t *texels)
{
#if WINDOWS
   vu misses = vu_splat(apart ? ~0u : 0);

   for (unsigned n = 0; n < WAVE_LANES && !apart; n += VW)
      misses = misses | window_misses(vu_load(&at[n]), bytes, 0, end);
   if (!vm_any(vu_ne(misses, vu_splat(0)))) {
      for (unsigned n = 0; n < WAVE_LANES; n += VW)
         vu_store(&texels[n], window_take(window_read(base, &at[n], bytes),
                                          window_index(vu_load(&at[n]), bytes)));
      return;
   }
#endif
   for (unsigned n = 0; n < WAVE_LANES; n += VW)
      vu_store(&texels[n], load_texels(base, vu_load(&at[n]), bytes, end));
}

/* ---------------------------------------------------------------------------------------------
 * Results
 */

/* Where channels go: the first register that takes one, and what is left for afterwards. */
struct outputs {
   uint32_t *channel[4];
   uint8_t sel[4]; /* per register: channel 0 to 3, 4 for 0, 5 for 1, 7 for nothing or done */
   bool rest;
   uint32_t one;
   bool simple; /* all lanes, and what is left are constants, for write_constants() */
};

V_INLINE void
find_outputs(const struct tex *t, const struct td_tex_args *args, struct outputs *o)
{
   o->rest = false;
   o->one = td_decode_is_int(&t->decode) ? 1u : 0x3f800000u;
   o->simple = td_writes_all(args);
   for (unsigned i = 0; i < 4; i++) {
      o->channel[i] = t->first[i] < 0 ? NULL : args->dst[t->first[i]];
      o->sel[i] = args->dst[i] ? t->also[i] : SWIZZLE_NONE;
      o->rest |= o->sel[i] <= SWIZZLE_1;
      o->simple &= o->sel[i] > SWIZZLE_W;
   }
}

/* Where channels 0 to leading - 1 go first, if that is all that registers take.  False: it is not,
 * or not all lanes are written. */
V_INLINE bool
leading_registers(const struct tex *t, const struct td_tex_args *args, uint32_t *to[4])
{
   bool all = t->leading && td_writes_all(args);

   for (unsigned c = 0; c < t->leading && all; c++) {
      to[c] = args->dst[t->first[c]];
      all = to[c] != NULL;
   }
   return all;
}

/* Fills what is left when channels are where leading_registers() said: copies and constants. */
V_INLINE void
write_others(const struct tex *t, const struct td_tex_args *args, uint32_t *const to[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const unsigned sel = t->also[i];

      if (sel > SWIZZLE_1 || !args->dst[i])
         continue;
      if (sel <= SWIZZLE_W) {
         lanes_copy(args->dst[i], to[sel]);
         continue;
      }
      const uint32_t one = td_decode_is_int(&t->decode) ? 1u : F32_ONE;

      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&args->dst[i][n * VW], vu_splat(sel == SWIZZLE_1 ? one : 0));
   }
}

/* Where channels 0 to in_order - 1 go, if that says all; what else there is, constants, is written.
 * False: it does not, or not all lanes are written. */
V_INLINE bool
registers_in_order(const struct tex *t, const struct td_tex_args *args, uint32_t *to[4])
{
   if (!t->in_order || !leading_registers(t, args, to))
      return false;
   if (t->constants)
      write_others(t, args, to);
   return true;
}

/* Channels that registers take. */
V_INLINE unsigned
channels_of(const struct outputs *o)
{
   unsigned channels = 0;

   for (unsigned i = 0; i < 4; i++) {
      channels |= (unsigned)(o->channel[i] != NULL) << i;
      channels |= o->sel[i] <= SWIZZLE_W ? 1u << o->sel[i] : 0;
   }
   return channels;
}

/* What write_vector() leaves of simple outputs, when all coordinates have been read. */
V_INLINE void
write_constants(const struct td_tex_args *args, const struct outputs *o)
{
   if (!o->simple || !o->rest)
      return;
   for (unsigned i = 0; i < 4; i++)
      for (unsigned n = 0; n < VECTORS && o->sel[i] <= SWIZZLE_1; n++)
         vu_store(&args->dst[i][n * VW], vu_splat(o->sel[i] == SWIZZLE_1 ? o->one : 0));
}

V_INLINE void
write_vector(const struct td_tex_args *args, const struct outputs *o, unsigned n, const vf color[4])
{
   const bool all = td_writes_all(args);

   for (unsigned c = 0; c < 4; c++) {
      if (!o->channel[c])
         continue;
      if (all)
         vf_store(&o->channel[c][n * VW], color[c]);
      else
         vf_store_masked(&o->channel[c][n * VW], vm_lanes(args->lanes, n), color[c]);
   }
   if (!o->rest || o->simple)
      return;
   for (unsigned i = 0; i < 4; i++) {
      vf v;
      if (o->sel[i] > SWIZZLE_1)
         continue;
      if (o->sel[i] > SWIZZLE_W)
         v = (vf)vu_splat(o->sel[i] == SWIZZLE_1 ? o->one : 0);
      else
         v = color[o->sel[i]];
      vf_store_masked(&args->dst[i][n * VW], vm_lanes(args->lanes, n), v);
   }
}

/* ---------------------------------------------------------------------------------------------
 * Level of detail: lod.c's for two dimensions, in one loop
 */

/* From lambda in 1/256, before the limits. */
struct level_of {
   vi level, fraction;
   vm linear;
};

V_INLINE struct level_of
limit_level(const struct tex *t, vi fixed)
{
   struct level_of r = { vi_splat(0), vi_splat(0), vm_none() };

   fixed = vi_min(vi_max(fixed, vi_splat(t->min_lod)), vi_splat(t->max_lod));
   vm minify = vi_gt(fixed, vi_splat(0));
   r.linear = vm_or(t->min & 1 ? minify : vm_none(), t->mag & 1 ? vm_not(minify) : vm_none());
   if (t->mip == MIP_FILTER_LINEAR) {
      fixed = vi_clamp(fixed, 0, t->levels << 8);
      r.level = vi_sar(fixed, 8);
      r.fraction = fixed & vi_splat(255);
   } else if (t->mip != MIP_FILTER_NONE) {
      r.level = vi_clamp(vi_sar(fixed + vi_splat(127), 8), 0, t->levels);
   }
   r.level = r.level + vi_splat(t->base);
   return r;
}

V_INLINE vi
fixed_lambda(const struct tex *t, vf lambda)
{
   vi fixed = vi_round_raw(vf_clamp(lambda, -64.0f, 64.0f) * vf_splat(256.0f));
   return fixed + vi_splat(t->lod_bias);
}

/* lambda of 4 * VW lanes' quads: after the transposition lane 4k + i of a vector is the quad at
 * lanes 4k of vector i. */
V_INLINE vf
quad_lambda(const struct tex *t, const struct td_tex_args *args, unsigned n)
{
   vf width = vf_splat(t->normalized[0] ? (float)tex_size(t->width, t->base) : 1.0f);
   vf height = vf_splat(t->normalized[1] ? (float)tex_size(t->height, t->base) : 1.0f);
   vf x[4], y[4];

   for (unsigned i = 0; i < 4; i++) {
      x[i] = vf_loadu(&args->src[0][(n + i) * VW]);
      y[i] = vf_loadu(&args->src[1][(n + i) * VW]);
   }
   vf_transpose_quads(x);
   vf_transpose_quads(y);
   vf hx = (x[1] - x[0]) * width, vx = (x[2] - x[0]) * width;
   vf hy = (y[1] - y[0]) * height, vy = (y[2] - y[0]) * height;
   vf h2 = hx * hx + hy * hy, v2 = vx * vx + vy * vy;
   return vf_log2(vf_select(vf_ge(h2, v2), h2, v2)) * vf_splat(0.5f);
}

V_INLINE void
store_level(const struct tex *t, struct td_lod *lod, unsigned n, struct level_of r)
{
   vi last = vi_splat(t->base + t->levels);
   vi_store(&lod->level[0][n * VW], r.level);
   vi_store(&lod->level[1][n * VW], vi_min(r.level + vi_splat(1), last));
   vi_store(&lod->fraction[n * VW], r.fraction);
   lod->linear |= vm_to_lanes(r.linear, n);
   lod->between |= vm_to_lanes(vi_ne(r.fraction, vi_splat(0)), n);
}

#define SPREAD(v, i) ((vi)vf_quad_lane((vf)(v), i))

/* Returns whether all lanes have the same levels. */
static inline bool
find_levels(const struct tex *t, const struct td_tex_args *args, struct td_lod *lod)
{
   bool implicit = t->op == TD_SAMPLE || t->op == TD_SAMPLE_LB;
   vu differ = vu_splat(0), first = vu_splat(0);

   if (t->op == TD_SAMPLE_G || t->op == TD_SAMPLE_G_LB || (implicit && ~args->valid)) {
      struct td_coords in;
      td_read_coords(t, args, &in);
      K(td_find_lod)(t, args, &in, lod);
      return false;
   }
   lod->between = lod->linear = 0;
   for (unsigned n = 0; n < VECTORS; n += 4) {
      if (t->op == TD_SAMPLE) {
         struct level_of q = limit_level(t, fixed_lambda(t, quad_lambda(t, args, n)));
         vi linear = (vi)vu_from_mask(q.linear), zero = vi_splat(0);
         if (n == 0)
            first = vu_splat(((uint32_t *)&q.level)[0]);
         differ = differ | ((vu)q.level ^ first);
#define STORE(i)                                                             \
   store_level(t, lod, n + i,                                                \
               (struct level_of){ SPREAD(q.level, i), SPREAD(q.fraction, i), \
                                  vi_ne(SPREAD(linear, i), zero) })
         STORE(0);
         STORE(1);
         STORE(2);
         STORE(3);
#undef STORE
         continue;
      }
      vf lambda[4] = { vf_splat(0.0f), vf_splat(0.0f), vf_splat(0.0f), vf_splat(0.0f) };
      if (implicit) {
         vf q = quad_lambda(t, args, n);
         lambda[0] = vf_quad_lane(q, 0);
         lambda[1] = vf_quad_lane(q, 1);
         lambda[2] = vf_quad_lane(q, 2);
         lambda[3] = vf_quad_lane(q, 3);
      }
      for (unsigned i = 0; i < 4; i++) {
         if (t->op != TD_SAMPLE_LZ)
            lambda[i] = lambda[i] + vf_loadu(&args->src[3][(n + i) * VW]);
         struct level_of r = limit_level(t, fixed_lambda(t, lambda[i]));
         if (n + i == 0)
            first = vu_splat(((uint32_t *)&r.level)[0]);
         differ = differ | ((vu)r.level ^ first);
         store_level(t, lod, n + i, r);
      }
   }
   return !vm_any(vu_ne(differ, vu_splat(0)));
}

/* The same where there is nothing to find: all filters and no other level. */
V_INLINE void
base_level(const struct tex *t, struct td_lod *lod)
{
   for (unsigned n = 0; n < VECTORS; n++)
      vu_store(&lod->level[0][n * VW], vu_splat(t->base));
   lod->linear = ~UINT64_C(0);
   lod->between = 0;
}

#endif
