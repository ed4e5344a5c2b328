/* SPDX-License-Identifier: MIT */
/*
 * Filters of waves that are grids (grid.h), of channels that become floats: all texels that a wave
 * reads are decoded once, to a table, of which eight rows of pixels then take theirs.  The sums are
 * those of special_float.c, in its order.  Infinities and NaNs are left to it.  For kernels only.
 */
#ifndef ATOLL_TD_GRID_FLOAT_H
#define ATOLL_TD_GRID_FLOAT_H

#include "td/grid.h"
#include "td/kinds.h"

#if WINDOWS

/* VW texels of up to eight bytes as dwords. */
V_INLINE void
load_dwords(const uint8_t *p, unsigned bytes, vu out[2])
{
   if (bytes <= 4) {
      out[0] = window_load(p, bytes);
      return;
   }
#if VW == 16
   const __m512i even =
      _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
   const __m512i a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + 64);

   out[0] = (vu)_mm512_permutex2var_epi32(a, even, b);
   out[1] = (vu)_mm512_permutex2var_epi32(a, _mm512_or_si512(even, _mm512_set1_epi32(1)), b);
#else
   const vf a = vf_loadu(p), b = vf_loadu(p + 32);

   out[0] = (vu)_mm256_permute4x64_epi64((__m256i)GRID_SHUFFLE(a, b, 0x88), 0xd8);
   out[1] = (vu)_mm256_permute4x64_epi64((__m256i)GRID_SHUFFLE(a, b, 0xdd), 0xd8);
#endif
}

/* ---------------------------------------------------------------------------------------------
 * Filters.  With AVX-512 one vector at a time is as fast or faster.
 */
#define FLOAT_GRIDS (VW == 8)
#if FLOAT_GRIDS
#define TABLE_ROWS 17

struct float_grid {
   struct grid_columns columns;
   vi x1;                                            /* weights of right texels */
   vf fx[2];                                         /* of both, as floats */
   float fy[2][VW] __attribute__((aligned(VW * 4))); /* of both rows, / 65536 */
   uint32_t y1[VW] __attribute__((aligned(VW * 4)));
   uint32_t row[2][VW] __attribute__((aligned(VW * 4))); /* in the table */
   float texel[TABLE_ROWS][4][2 * VW] __attribute__((aligned(64)));
};

static const struct footing float_footing = {
   .uniform = true,
   .all = true,
   .pairs = false,
   .nearest = true,
   .linear = ~UINT64_C(0),
};

V_INLINE bool
find_float_grid(const struct tex *t, const struct td_tex_args *args, enum kind kind,
                unsigned dwords, unsigned level, unsigned channels, struct float_grid *f)
{
   const struct grid_level l = grid_level(t, level);
   const unsigned bytes = t->decode.bytes;
   struct grid_columns *c = &f->columns;
   struct grid_rows rows;

   if (!find_grid_columns(t, &l, &float_footing, args->src[0], bytes, c) ||
       !find_grid_rows(t, &l, &float_footing, args->src[1], &rows))
      return false;
   if (!grid_holds(&l, c, &rows, bytes))
      return false;

   /* Both orders of rows are there. */
   const uint32_t first = rows.number[0][0], last = rows.number[0][7];
   const uint32_t least = first < last ? first : last;
   const vu upper = vu_load(rows.number[0]) - vu_splat(least);
   const vu lower = vu_load(rows.number[1]) - vu_splat(least);
   const uint32_t count = rows.most - least + 1;

   const vu most = vu_splat(TABLE_ROWS - 1);

   if (count > TABLE_ROWS || vm_any(vm_or(vu_gt(upper, most), vu_gt(lower, most))))
      return false;
   vu_store(f->row[0], upper);
   vu_store(f->row[1], lower);

   const vi full = vi_splat(256), y1 = (vi)vu_load(rows.weight);
   const vf scale = vf_splat(0x1p-16f);

   f->x1 = (vi)c->weight;
   f->fx[0] = vf_from_vi(full - f->x1);
   f->fx[1] = vf_from_vi(f->x1);
   vu_store(f->fy[0], (vu)(vf_from_vi(full - y1) * scale));
   vu_store(f->fy[1], (vu)(vf_from_vi(y1) * scale));
   vu_store(f->y1, (vu)y1);

   const vu inf = vu_splat(0x7f800000u);
   vm strange = vm_none();
   const struct td_decode d = t->decode; /* which stores do not change */

   for (uint32_t j = 0; j < count; j++) {
      const uint8_t *row = l.base + (uint32_t)((least + j) * l.pitch);

      for (unsigned w = 0; w < 1u + c->wide; w++) {
         vu texel[4] = { vu_splat(0), vu_splat(0), vu_splat(0), vu_splat(0) };

         switch (bytes) {
         case 1:
            load_dwords(row + c->start[w], 1, texel);
            break;
         case 2:
            load_dwords(row + c->start[w], 2, texel);
            break;
         case 4:
            load_dwords(row + c->start[w], 4, texel);
            break;
         default:
            load_dwords(row + c->start[w], 8, texel);
            break;
         }
#pragma GCC unroll 4
         for (unsigned i = 0; i < 4; i++) {
            if (!(channels >> i & 1))
               continue;
            vf v;

            if (kind == SRGB && (d.srgb >> i & 1) && linear_is_by_loads())
               v = linear_of_bytes(row + c->start[w] + d.channel[i].pos / 8, 4);
            else
               v = decode(&d, kind, dwords, texel, i, true);
            vf_store(&f->texel[j][i][w * VW], v);
            if (!is_finite(kind))
               strange = vm_or(strange, vi_eq((vi)((vu)v & inf), (vi)inf));
         }
      }
   }
   return is_finite(kind) || !vm_any(strange);
}

/* What a row of pixels takes of a row of the table. */
V_INLINE vf
take_floats(const float *row, vu index, bool wide)
{
   const struct grid_texels v = { { vu_load(row), wide ? vu_load(row + VW) : vu_load(row) } };

   return (vf)grid_take(v, index, wide);
}

/* Sums of a row of pixels. */
V_INLINE void
sum_floats(const struct float_grid *f, enum kind kind, unsigned channels, unsigned row, bool wide,
           vf color[4])
{
   const vf fy0 = vf_splat(f->fy[0][row]), fy1 = vf_splat(f->fy[1][row]);
   const vf weight[4] = { f->fx[0] * fy0, f->fx[1] * fy0, f->fx[0] * fy1, f->fx[1] * fy1 };
   const vm alone = vi_eq(f->x1 | vi_splat((int32_t)f->y1[row]), vi_splat(0));
   const vu left = f->columns.index, right = left + vu_splat(1);

#pragma GCC unroll 4
   for (unsigned c = 0; c < 4; c++) {
      if (!(channels >> c & 1)) {
         color[c] = vf_splat(0.0f);
         continue;
      }
      const float *const texel[2] = { f->texel[f->row[0][row]][c], f->texel[f->row[1][row]][c] };
      const vf first = take_floats(texel[0], left, wide);
      vf sum = first * weight[0];

      if (!is_positive(kind))
         sum = vf_splat(0.0f) + sum;
#pragma GCC unroll 3
      for (unsigned k = 1; k < 4; k++) {
         const vf v = take_floats(texel[k >> 1], k & 1 ? right : left, wide);
         const vf add = sum + v * weight[k];

         sum = kind == WORDS ? vf_select(vf_ne(weight[k], vf_splat(0.0f)), add, sum) : add;
      }
      color[c] = is_finite(kind) ? sum : vf_select(alone, first, sum);
   }
}

/* False: a level is no grid, or has what is not finite. */
V_INLINE bool
filter_grid(const struct tex *t, const struct td_tex_args *args, enum kind kind, unsigned dwords,
            const struct td_lod *lod, bool between)
{
   struct float_grid f[2];
   struct outputs out;

   find_outputs(t, args, &out);
   const unsigned channels = channels_of(&out);

   for (unsigned i = 0; i < 1u + between; i++)
      if (!find_float_grid(t, args, kind, dwords, lod->level[i][0], channels, &f[i]))
         return false;
   for (unsigned k = 0; k < GRID_PAIRS; k++) {
      vf color[4][GRID_PARTS];

      for (unsigned p = 0; p < GRID_PARTS; p++) {
         vf sum[4], upper[4];

         if (f[0].columns.wide)
            sum_floats(&f[0], kind, channels, 2 * k + p, true, sum);
         else
            sum_floats(&f[0], kind, channels, 2 * k + p, false, sum);
         if (between) {
            const vi f1 = (vi)grid_from_quads(lod->fraction, k, p);
            const vf scale = vf_splat(0x1p-8f);
            const vf weight0 = vf_from_vi(vi_splat(256) - f1) * scale;
            const vf weight1 = vf_from_vi(f1) * scale;
            const vm none = vi_eq(f1, vi_splat(0));

            sum_floats(&f[1], kind, channels, 2 * k + p, f[1].columns.wide, upper);
            for (unsigned c = 0; c < 4; c++) {
               const vf r = sum[c] * weight0 + upper[c] * weight1;

               sum[c] = is_finite(kind) ? r : vf_select(none, sum[c], vf_canon(r));
            }
         }
         for (unsigned c = 0; c < 4; c++)
            color[c][p] = sum[c];
      }
      for (unsigned c = 0; c < 4; c++)
         grid_to_quads(color[c]);
      for (unsigned p = 0; p < GRID_PARTS; p++) {
         const vf v[4] = { color[0][p], color[1][p], color[2][p], color[3][p] };

         write_vector(args, &out, k * GRID_PARTS + p, v);
      }
   }
   write_constants(args, &out);
   return true;
}

#endif

#else
#define FLOAT_GRIDS 0
#endif
#endif
