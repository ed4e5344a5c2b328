/* SPDX-License-Identifier: MIT */
/*
 * Texels of a vector that lie together.  Where quads are side by side and pixels are about as large
 * as texels, the upper two lanes of all quads read one row of texels and the lower two another:
 * each row is one load, a window of as many texels as a vector has lanes, from which every lane
 * takes its own.  Loads by lane are several times as many.  For kernels only.
 *
 * Offsets are signed bytes.  A window begins at its row's first lane, and is read as a whole: all
 * of it has to be inside the texture.
 */
#ifndef ATOLL_TD_WINDOW_H
#define ATOLL_TD_WINDOW_H

#include "kernel.h"

/* Texels of one, two or four bytes can be read so; SSE2 cannot permute lanes. */
#define WINDOWS (VW > 4)

/* What its row's first lane has. */
V_INLINE vu
window_first(vu at)
{
#if VW == 16
   const __m512i row = _mm512_setr_epi32(0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 2);
   return (vu)_mm512_permutexvar_epi32(row, (__m512i)at);
#elif VW == 8
   const __m256i row = _mm256_setr_epi32(0, 0, 2, 2, 0, 0, 2, 2);
   return (vu)_mm256_permutevar8x32_epi32((__m256i)at, row);
#else
   return at;
#endif
}

/* log2 of a window's bytes. */
V_INLINE unsigned
window_shift(unsigned bytes)
{
   return (VW == 16 ? 4 : 3) + (bytes == 4 ? 2 : bytes == 2);
}

/* Bits are set where texels at `at`, and `more` bytes further, are not all in their window, or it
 * does not begin before `end`. */
V_INLINE vu
window_misses(vu at, unsigned bytes, unsigned more, int32_t end)
{
   vu far = at - window_first(at);
   vu past = vu_from_mask(vi_gt((vi)at, vi_splat(end)));
   return vu_shr(far | (far + vu_splat(more)), window_shift(bytes)) | past;
}

/* Where the last window of `rows` rows begins. */
V_INLINE int64_t
window_end(uint32_t width, uint32_t rows, uint32_t pitch, unsigned bytes)
{
   return (int64_t)(rows - 1) * pitch + ((int64_t)width - VW) * bytes;
}

#if WINDOWS
/* A row's texels as dwords. */
V_INLINE vu
window_load(const uint8_t *p, unsigned bytes)
{
#if VW == 16
   if (bytes == 4)
      return (vu)_mm512_loadu_si512(p);
   if (bytes == 2)
      return (vu)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)p));
   return (vu)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
#else
   if (bytes == 4)
      return (vu)_mm256_loadu_si256((const __m256i *)(const void *)p);
   if (bytes == 2)
      return (vu)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
   return (vu)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
#endif
}

/* Both windows of a vector. */
struct window {
   vu upper, lower;
};

V_INLINE struct window
window_read(const uint8_t *base, const uint32_t *at, unsigned bytes)
{
   return (struct window){ window_load(base + (int32_t)at[0], bytes),
                           window_load(base + (int32_t)at[2], bytes) };
}

/* The same of texels at `at`, and whether all are in their windows, none of which may begin after
 * `end`. */
V_INLINE struct window
window_at(const uint8_t *base, vu at, unsigned bytes)
{
   return (struct window){ window_load(base + (int32_t)at[0], bytes),
                           window_load(base + (int32_t)at[2], bytes) };
}

V_INLINE bool
window_holds(vu at, unsigned bytes, int32_t end)
{
   const vu far = at - window_first(at);
   const bool inside = (int32_t)at[0] <= end && (int32_t)at[2] <= end;
#if VW == 16
   return inside && !vm_any(vu_gt(far, vu_splat((1u << window_shift(bytes)) - 1)));
#else
   return inside &&
          _mm256_testz_si256((__m256i)vu_shr(far, window_shift(bytes)), _mm256_set1_epi32(-1));
#endif
}

/* The index in its window of each lane's texel. */
V_INLINE vu
window_index(vu at, unsigned bytes)
{
   return vu_shr(at - window_first(at), bytes == 4 ? 2 : bytes == 2);
}

V_INLINE vu
window_take(struct window w, vu index)
{
#if VW == 16
   const __m512i row = _mm512_setr_epi32(0, 0, 16, 16, 0, 0, 16, 16, 0, 0, 16, 16, 0, 0, 16, 16);
   return (vu)_mm512_permutex2var_epi32((__m512i)w.upper, _mm512_or_si512((__m512i)index, row),
                                        (__m512i)w.lower);
#else
   __m256i upper = _mm256_permutevar8x32_epi32((__m256i)w.upper, (__m256i)index);
   __m256i lower = _mm256_permutevar8x32_epi32((__m256i)w.lower, (__m256i)index);
   return (vu)_mm256_blend_epi32(upper, lower, 0xcc);
#endif
}
#endif

#endif
