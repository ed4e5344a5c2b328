/* SPDX-License-Identifier: MIT */
/*
 * Rows of lanes: often those of a work group's row.  Elements of one follow each other, and each
 * begins somewhere else.  For kernels only.
 */
#ifndef ATOLL_TD_ROWS_H
#define ATOLL_TD_ROWS_H

#include <string.h>

#include "arith.h"
#include "kernel.h"

/* Lanes of a row, and rows of a vector. */
#define ROW_LANES (VW < 8 ? VW : 8)
#define ROW_COUNT (VW / ROW_LANES)

/* What the first lane of each row has, in all lanes of the row. */
V_INLINE vu
first_of_rows(const uint32_t *v)
{
   const vu first = vu_splat(v[0]);

   return ROW_COUNT == 1 ? first : vu_select(vm_lanes(0xff, 0), first, vu_splat(v[VW - ROW_LANES]));
}

/* How many bytes after its row's first lane's each lane's element of `bytes` is where they follow
 * each other. */
V_INLINE vu
steps_of_rows(unsigned bytes)
{
   return ((vu)vi_lane_index() & vu_splat(ROW_LANES - 1)) * vu_splat(bytes);
}

/* What the next lane of the same row has; of a row's last lane anything. */
V_INLINE vu
next_of_rows(vu v)
{
#if VW == 16
   return (vu)_mm512_alignr_epi32((__m512i)v, (__m512i)v, 1);
#elif VW == 8
   return (vu)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 7));
#else
   return (vu)_mm_shuffle_epi32((__m128i)v, 0xf9);
#endif
}

/* Lanes that are not their row's last one. */
V_INLINE vm
has_next_in_row(void)
{
   return vm_lanes(VW < 8 ? 0x7 : 0x7f7f, 0);
}

/* A dword of each lane, of rows that begin at p and, the second one, q: each at any byte. */
V_INLINE vu
load_rows(const uint8_t *p, const uint8_t *q)
{
#if VW == 16
   const __m512i first =
      _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)p));

   return (vu)_mm512_inserti64x4(first, _mm256_loadu_si256((const __m256i *)(const void *)q), 1);
#else
   vu row;

   (void)q;
   memcpy(&row, p, sizeof(row));
   return row;
#endif
}

#endif
