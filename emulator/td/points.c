/* SPDX-License-Identifier: MIT */
/*
 * Point samplers (samplers.h): of any kind of channels, and of compressed formats.
 *
 * Mostly coordinates are as drivers have them, normalised and truncated, there is one level, and a
 * vector's texels are in windows (window.h): of VW texels, of eight bytes as many as one vector
 * holds, and of sixteen bytes eight.  Other texels are found by their offsets from the base level.
 */
#include "td/kinds.h"
#include "td/near.h"
#include "td/samplers.h"
#include "td/special.h"

/* ---------------------------------------------------------------------------------------------
 * Windows
 */
#if WINDOWS

/* Where a wave's texels are, in texels. */
struct points {
   wave_lane at;    /* from the level's first one */
   wave_lane index; /* in a window */
};

void
K(td_find_points)(struct tex *t)
{
   const uint32_t width = tex_size(t->width, t->base), height = tex_size(t->height, t->base);
   const unsigned bytes = t->decode.bytes, window = bytes <= 4 ? VW : bytes == 8 ? VW / 2 : 8;
   struct tex_points *u = &t->points;

   u->usual = t->truncate && t->normalized[0] && t->normalized[1] && !t->shift_x;
   /* Texels of three dwords are in no window. */
   if (!bytes || bytes == 12 || t->level[t->base].pitch % bytes)
      u->usual = false;
   if (!u->usual)
      return;
   u->size[0] = (float)width;
   u->size[1] = (float)height;
   u->pitch = t->level[t->base].pitch / bytes;
   u->window = window;
   u->end = (int32_t)((height - 1) * u->pitch + width) - (int32_t)window;
   /* With AVX2 texels of sixteen bytes are read one by one, wherever they are. */
   if (bytes > 8 && VW == 8) {
      u->window = 0;
      u->end = INT32_MAX;
   }
}

#if VW == 16
/* An axis' texels: point_axis() in fewer steps.  What is no number, and what is rounded up to the
 * first one beyond, is not in *inside: texel 0. */
V_INLINE vu
usual_axis(bool wraps, vf u, vf size, vm *inside)
{
   if (wraps) {
      const vf i = (u - vf_floor(u)) * size;

      *inside = vf_lt(i, size);
      return (vu)vi_trunc_raw(i);
   }
   *inside = vm_all();
   u = vf_max_second(u * size, vf_splat(0.0f));
   return (vu)vi_trunc_raw(vf_min_second(u, size - vf_splat(0.5f)));
}

/* From the level's first texel. */
V_INLINE vu
usual_offset(const bool wraps[2], vf u, vf v, vf width, vf height, vu pitch)
{
   vm column, row;
   const vu x = usual_axis(wraps[0], u, width, &column);
   const vu y = usual_axis(wraps[1], v, height, &row);
   const __m512i at = _mm512_maskz_mullo_epi32(row, (__m512i)y, (__m512i)pitch);

   return (vu)_mm512_mask_add_epi32(at, column, at, (__m512i)x);
}
#else
V_INLINE vu
usual_axis(bool wraps, vf u, vf size)
{
   const vf zero = vf_splat(0.0f);

   if (wraps) {
      const vf i = vf_max_second(u - vf_floor(u), zero) * size;

      return (vu)vi_trunc_raw(vf_keep(vf_lt(i, size), i));
   }
   u = vf_max_second(u * size, zero);
   return (vu)vi_trunc_raw(vf_min_second(u, size - vf_splat(0.5f)));
}

V_INLINE vu
usual_offset(const bool wraps[2], vf u, vf v, vf width, vf height, vu pitch)
{
   return usual_axis(wraps[0], u, width) + usual_axis(wraps[1], v, height) * pitch;
}
#endif

V_INLINE bool
find_points(const struct tex *t, const struct td_tex_args *args, bool wraps_x, bool wraps_y,
            struct points *p)
{
   const struct tex_points *u = &t->points;
   const vf width = vf_splat(u->size[0]), height = vf_splat(u->size[1]);
   const vu pitch = vu_splat(u->pitch);
   const bool wraps[2] = { wraps_x, wraps_y };
   vu far = vu_splat(0);
   vi most = vi_splat(0);

   for (unsigned n = 0; n < VECTORS; n++) {
      const vu at = usual_offset(wraps, vf_loadu(&args->src[0][n * VW]),
                                 vf_loadu(&args->src[1][n * VW]), width, height, pitch);
      const vu first = window_first(at), index = at - first;

      vu_store(&p->at[n * VW], at);
      vu_store(&p->index[n * VW], index);
      far = far | index;
      most = vi_max(most, (vi)first);
   }
   return !vm_any(vm_or(vu_gt(far, vu_splat(u->window - 1)), vi_gt(most, vi_splat(u->end))));
}

/* The texels of the wave on the base level.  Whether windows hold them all. */
static __attribute__((noinline)) bool
find_usual_points(const struct tex *t, const struct td_tex_args *args, struct points *p)
{
   switch (t->key.wraps & 3) {
   case 0:
      return find_points(t, args, false, false, p);
   case 1:
      return find_points(t, args, true, false, p);
   case 2:
      return find_points(t, args, false, true, p);
   default:
      return find_points(t, args, true, true, p);
   }
}

/* The dwords of vector n's texels. */
V_INLINE void
take_points(const uint8_t *base, const struct points *p, unsigned bytes, unsigned n, vu out[4])
{
   const uint32_t *at = &p->at[n * VW];
   const uint8_t *upper = base + (uint64_t)at[0] * bytes, *lower = base + (uint64_t)at[2] * bytes;
   const vu index = vu_load(&p->index[n * VW]) * vu_splat(bytes <= 4 ? 1 : bytes / 4);

   if (bytes <= 4) {
      const struct window w = { window_load(upper, bytes), window_load(lower, bytes) };

      out[0] = window_take(w, index);
      return;
   }
   if (bytes == 8) {
      const struct window w = { window_load(upper, 4), window_load(lower, 4) };

      out[0] = window_take(w, index);
      out[1] = window_take(w, index + vu_splat(1));
      return;
   }
#if VW == 16
   const __m512i u[2] = { _mm512_loadu_si512(upper), _mm512_loadu_si512(upper + 64) };
   const __m512i l[2] = { _mm512_loadu_si512(lower), _mm512_loadu_si512(lower + 64) };

#pragma GCC unroll 4
   for (unsigned i = 0; i < 4; i++) {
      const __m512i k = (__m512i)(index + vu_splat(i));

      out[i] = (vu)_mm512_mask_blend_epi32(0xcccc, _mm512_permutex2var_epi32(u[0], k, u[1]),
                                           _mm512_permutex2var_epi32(l[0], k, l[1]));
   }
#else
   vf v[4];

#pragma GCC unroll 4
   for (unsigned i = 0; i < 4; i++) {
      const uint8_t *left = base + (uint64_t)at[i] * 16, *right = base + (uint64_t)at[4 + i] * 16;

      v[i] = vf_load_quads((const float *[]){ (const float *)(const void *)left,
                                              (const float *)(const void *)right });
   }
   vf_transpose_quads(v);
#pragma GCC unroll 4
   for (unsigned i = 0; i < 4; i++)
      out[i] = (vu)v[i];
#endif
}
#endif

/* ---------------------------------------------------------------------------------------------
 * Texels
 */

/* Texels of lanes on one level, and how far they are from its first one. */
V_INLINE void
find_points_of(const struct tex *t, const struct td_tex_args *args, unsigned level, bool wraps_x,
               bool wraps_y, bool nearest, bool usual, unsigned bytes, uint32_t *xs, uint32_t *ys,
               uint32_t *at)
{
   uint32_t width = tex_size(t->width, level), height = tex_size(t->height, level);
   vu pitch = vu_splat(t->level[level].pitch), size = vu_splat(bytes);

   for (unsigned n = 0; n < VECTORS; n++) {
      vi x = point_axis(t, 0, wraps_x, vf_loadu(&args->src[0][n * VW]), width, nearest, usual);
      vi y = point_axis(t, 1, wraps_y, vf_loadu(&args->src[1][n * VW]), height, nearest, usual);
      if (!usual && t->shift_x) { /* of blocks it matters which texel of one it is */
         vi_store(&xs[n * VW], x);
         vi_store(&ys[n * VW], y);
      }
      vu_store(&at[n * VW], (vu)x * size + (vu)y * pitch);
   }
}

V_INLINE void
find_points_on(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
               bool uniform, unsigned bytes, uint32_t *xs, uint32_t *ys, uint32_t *at)
{
   bool wraps_x = tex_wraps(t, 0), wraps_y = tex_wraps(t, 1);
   struct level_table table;

   if (uniform) {
      bool nearest = rounds_to_nearest();
      bool usual = t->truncate && t->key.normalized && !t->shift_x;
      if (usual && wraps_x && wraps_y)
         find_points_of(t, args, level[0], true, true, nearest, true, bytes, xs, ys, at);
      else if (usual && !wraps_x && !wraps_y)
         find_points_of(t, args, level[0], false, false, nearest, true, bytes, xs, ys, at);
      else
         find_points_of(t, args, level[0], wraps_x, wraps_y, nearest, false, bytes, xs, ys, at);
      return;
   }
   find_table(t, &table);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu l = vu_load(&level[n * VW]), size = vu_splat(bytes);
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

/* The same of elements of any size; not inline, as it is in many loops. */
static __attribute__((noinline)) void
find_any_points(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
                bool uniform, uint32_t *xs, uint32_t *ys, uint32_t *at)
{
   find_points_on(t, args, level, uniform, t->decode.bytes, xs, ys, at);
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

/* `apart`: not all vectors' texels are in windows. */
static void
load_points(const uint8_t *base, unsigned bytes, const uint32_t *at, int32_t end, bool apart,
            struct td_raw *raw)
{
   switch (bytes) {
   case 1:
      load_wave(base, at, 1, end, apart, raw->dword[0]);
      break;
   case 2:
      load_wave(base, at, 2, end, apart, raw->dword[0]);
      break;
   case 4:
      load_wave(base, at, 4, end, apart, raw->dword[0]);
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

/* Whether NaNs are made canonical: a filter between slices, which there never is of integers. */
V_INLINE bool
filters_slices(const struct tex *t, enum kind kind)
{
   return !is_finite(kind) && t->z_filter == SLICE_FILTER_LINEAR;
}

/* Channels to a register each, in all lanes.  False: it is not so. */
V_INLINE bool
write_in_order(const struct tex *t, const struct td_tex_args *args, const struct td_raw *raw,
               enum kind kind, unsigned dwords, bool canon)
{
   const struct td_decode d = t->decode;
   uint32_t *to[4];

   if (!registers_in_order(t, args, to))
      return false;
   const unsigned together =
      decode_together(kind, (const vu *)(const void *)raw->dword[0], 1, t->in_order, to);
#pragma GCC unroll 4
   for (unsigned c = 0; c < 4; c++) {
      if (c < together)
         continue;
      for (unsigned n = 0; n < VECTORS && c < t->in_order; n++) {
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
   const bool canon = filters_slices(t, kind);
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
              unsigned bytes, uint32_t *at)
{
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
          unsigned size)
{
   const struct tex *t = tex_of(bind);
   const unsigned dwords = kind == BYTES ? 1 : size;
   const unsigned bytes = kind == BYTES ? size : t->decode.bytes;
   bool uniform = true;
   struct td_lod lod;
   struct td_raw raw;
   struct outputs out;
   wave_lane xs, ys, at;

   if (is_finite(kind) && !rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   /* Where windows may still hold a vector's texels, if any: not where lanes are on different
    * levels. */
   int32_t end = INT32_MIN;
   bool located = false;
   unsigned level = t->base; /* on which offsets begin */
#if WINDOWS
   if (t->key.one_level && t->points.usual) {
      if (point_windows(t, args, kind, dwords, bytes, at))
         return;
      /* Larger ones are read one by one. */
      if (bytes <= 4)
         end = t->points.end * (int32_t)bytes;
      located = true;
   }
#endif
   if (!located) {
      if (t->key.one_level)
         base_level(t, &lod);
      else
         uniform = find_levels(t, args, &lod);
      if (kind == BYTES)
         find_points_on(t, args, lod.level[0], uniform, bytes, xs, ys, at);
      else
         find_any_points(t, args, lod.level[0], uniform, xs, ys, at);
      if (uniform) {
         level = lod.level[0][0];
         end = (int32_t)window_end(tex_size(t->width, level), tex_size(t->height, level),
                                   t->level[level].pitch, bytes);
      }
   }
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[level].base;
   if (t->shift_x) {
      const uint32_t *const x[2] = { xs }, *const y[2] = { ys };
      uint32_t *const to[2] = { raw.dword[0] };
      K(td_block_read)(t, lod.level[0], uniform, args->lanes, x, y, 1, to);
   } else if (kind == BYTES) {
      load_wave(base, at, bytes, end, located, raw.dword[0]);
   } else {
      load_points(base, bytes, at, end, located, &raw);
   }
   const bool canon = filters_slices(t, kind);
   if (write_in_order(t, args, &raw, kind, dwords, canon))
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

#define SAMPLER(loop, kind, size) SAMPLER_OF(loop, kind, size, run_point)
POINT_SAMPLERS(SAMPLER)
