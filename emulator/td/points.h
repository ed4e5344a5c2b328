/* SPDX-License-Identifier: MIT */
/*
 * Point filters of waves whose texels are in windows (window.h), on one level, with coordinates as
 * drivers have them, normalised and truncated.  For kernels only.
 *
 * Windows are VW texels, or of eight bytes as many as one vector holds, and of sixteen bytes eight.
 */
#ifndef ATOLL_TD_POINTS_H
#define ATOLL_TD_POINTS_H

#include "td/special.h"

#if WINDOWS

/* Where a wave's texels are, in texels. */
struct points {
   wave_lane at;    /* from the level's first one */
   wave_lane index; /* in a window */
};

/* At the binding. */
static inline void
find_usual(struct tex *t)
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
usual_place(const bool wraps[2], vf u, vf v, vf width, vf height, vu pitch)
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
usual_place(const bool wraps[2], vf u, vf v, vf width, vf height, vu pitch)
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
      const vu at = usual_place(wraps, vf_loadu(&args->src[0][n * VW]),
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
   const bool x = t->clamp[0] == WRAP_REPEAT, y = t->clamp[1] == WRAP_REPEAT;

   if (x)
      return y ? find_points(t, args, true, true, p) : find_points(t, args, true, false, p);
   return y ? find_points(t, args, false, true, p) : find_points(t, args, false, false, p);
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
/* Texels of up to four bytes that windows do not hold, at least not all. */
V_INLINE void
load_usual_points(const struct tex *t, const uint8_t *base, const struct points *p, unsigned bytes,
                  uint32_t *texels)
{
   const int32_t end = t->points.end * (int32_t)bytes;

   for (unsigned n = 0; n < VECTORS; n++)
      vu_store(&texels[n * VW],
               load_texels(base, vu_load(&p->at[n * VW]) * vu_splat(bytes), bytes, end));
}
#endif

#endif
