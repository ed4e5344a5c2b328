/* SPDX-License-Identifier: MIT */
/*
 * Filters of volumes (special.h): one level, all lanes between the texels of two slices.  The
 * results are those of sample.c, bit for bit.
 */
#include "td/kinds.h"
#include "td/near.h"
#include "td/special.h"

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
