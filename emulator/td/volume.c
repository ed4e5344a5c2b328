/* SPDX-License-Identifier: MIT */
/*
 * Filters of volumes (special.h): one level, all lanes between the texels of two slices.  The
 * results are those of sample.c, bit for bit.
 */
#include "td/kinds.h"
#include "td/near.h"
#include "td/samplers.h"
#include "td/special.h"

/* An axis of a vector: both texels, and their weights. */
struct span {
   vi low, high;
   vf weight[2];
};

/* Where the left texel is, in 1 / 256: fixed_coord() in fewer steps, in the mode that rounds to
 * nearest.  `scale`: 256 times the size, or 256 where coordinates are not normalised. */
V_INLINE vi
find_fixed(bool wraps, bool truncates, vf u, vf scale)
{
   if (wraps)
      u = vf_max_second(u - vf_floor(u), vf_splat(0.0f));
   u = u * scale;
   if (truncates)
      u = vf_floor(u);
   return vi_round_raw(vf_clamp(u, -0x1p29f, 0x1p29f)) - vi_splat(128);
}

V_INLINE struct span
find_span(const struct tex *t, unsigned a, vf u, uint32_t size)
{
   const bool wraps = tex_wraps(t, a);
   const vi count = vi_splat((int32_t)size), last = count - vi_splat(1), one = vi_splat(1);
   const vf scale = vf_splat(t->normalized[a] ? (float)size * 256.0f : 256.0f);
   const vi fixed = find_fixed(wraps, t->truncate, u, scale), i = vi_sar(fixed, 8);
   const vf upper = vf_from_vi(fixed & vi_splat(255)) * vf_splat(0x1p-8f);

   return (struct span){
      .low = wrap_near(t, a, i, count, last),
      .high = wrap_near(t, a, i + one, count, last),
      .weight = { vf_splat(1.0f) - upper, upper },
   };
}

/* The texels of four rows, left and right ones.  `follow`: of four bytes each, and a lane's right
 * one follows its left one. */
V_INLINE void
load_corners(const struct tex *t, const struct span axis[3], const uint32_t step[3],
             unsigned dwords, bool follow, vu texel[8][4])
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
   const unsigned bytes = t->decode.bytes;
   vu at[3][2];

#pragma GCC unroll 3
   for (unsigned a = 0; a < 3; a++) {
      at[a][0] = (vu)axis[a].low * vu_splat(step[a]);
      at[a][1] = (vu)axis[a].high * vu_splat(step[a]);
   }
#pragma GCC unroll 4
   for (unsigned r = 0; r < 4; r++) {
      const vu row = at[1][r & 1] + at[2][r >> 1];
      if (follow) {
         vu both[2];
         load_followed(base, row + at[0][0], both);
         texel[2 * r][0] = both[0];
         texel[2 * r + 1][0] = both[1];
         continue;
      }
#pragma GCC unroll 2
      for (unsigned i = 0; i < 2; i++) {
         const vu at_texel = row + at[0][i];
         vu *out = texel[2 * r + i];
         if (dwords == 1)
            out[0] = load_texels(base, at_texel, bytes, INT32_MIN);
         else if (dwords == 2)
            load_near(base, at_texel, 8, out);
         else
            load_elements(base, (const uint32_t *)&at_texel, dwords, out);
      }
   }
}

/* Of four bytes each, where all lanes' texels lie in boxes of two by two by two, from `at` on. */
V_INLINE void
load_boxes(const uint8_t *base, vu at, const uint32_t step[3], vu texel[8][4])
{
   const uint8_t *row[4] = { base, base + step[1], base + step[2],
                             base + ((size_t)step[1] + step[2]) };
   int32_t offset[VW] __attribute__((aligned(VW * 4)));
   vf half[4];

#if VW == 16
   if (gathers_are_quick()) {
#pragma GCC unroll 4
      for (unsigned r = 0; r < 4; r++) {
         vu both[2];

         gather_pairs(row[r], at, both);
         texel[2 * r][0] = both[0];
         texel[2 * r + 1][0] = both[1];
      }
      return;
   }
#endif
   vu_store(offset, at);
   /* From memory: lane by lane out of a register takes longer.  A row's address and a lane's offset
    * make each address without an addition. */
   __asm__("" : "+m"(offset));
   __asm__("" : "+r"(row[0]), "+r"(row[1]), "+r"(row[2]), "+r"(row[3]));
#pragma GCC unroll 4
   for (unsigned r = 0; r < 4; r++)
      half[r] = load_halves(row[r], offset);
#pragma GCC unroll 4
   for (unsigned r = 0; r < 4; r++) {
      const vf other = load_halves(row[r], offset + 2);

      texel[2 * r][0] = (vu)quad_shuffle(half[r], other, 0x88);
      texel[2 * r + 1][0] = (vu)quad_shuffle(half[r], other, 0xdd);
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
 * care.  A weight is one only of the first texel, the bits of which are kept. */
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
         if (__builtin_expect(vm_any(vf_isnan(sum)), 0)) {
            /* Copies, so that the others stay in registers. */
            vf value[8], its_weight[8];

            for (unsigned k = 0; k < 8; k++) {
               value[k] = v[k];
               its_weight[k] = weight[k];
            }
            sum = vf_canon(vf_select(alone, v[0], sum_weighted(value, its_weight)));
         } else {
            sum = vf_select(alone, v[0], sum);
         }
      }
      color[c] = sum;
   }
}

/* What all vectors have alike. */
struct volume {
   const uint8_t *base;
   uint32_t size[3], step[3]; /* texels, and bytes from one to the next */
   unsigned channels;
   struct outputs out;
   uint32_t *only; /* takes the first channel, in all lanes, which is all that is taken, or NULL */
};

/* A vector wherever its texels are. */
V_INLINE void
filter_vector(const struct tex *t, const struct td_tex_args *args, const struct volume *v,
              enum kind kind, unsigned dwords, unsigned n)
{
   const vm live = vm_lanes(args->lanes, n);
   struct span axis[3];
   vu texel[8][4];
   vf color[4];

#pragma GCC unroll 3
   for (unsigned a = 0; a < 3; a++)
      axis[a] = find_span(t, a, vf_loadu(&args->src[a][n * VW]), v->size[a]);
   /* Mostly a lane's second texel follows its first. */
   const vm apart = vm_and(live, vi_ne(axis[0].high - axis[0].low, vi_splat(1)));
   if (dwords == 1 && t->decode.bytes == 4 && !vm_any(apart)) {
      axis[0].low = (vi)vu_keep(live, (vu)axis[0].low);
      load_corners(t, axis, v->step, dwords, true, texel);
   } else {
      load_corners(t, axis, v->step, dwords, false, texel);
   }
   sum_corners(t, kind, dwords, axis, texel, v->channels, color);
   write_vector(args, &v->out, n, color);
}

/* Of a wave, where each lane's texels are two by two by two. */
struct boxes {
   wave_lane at;        /* where they begin, bytes; anything if not */
   wave_lane strange;   /* the sign says that they are not */
   wave_lane weight[3]; /* of the upper ones */
};

V_INLINE void
find_along(const struct tex *t, const struct volume *v, const uint32_t *src, unsigned a, bool wraps,
           bool truncates, struct boxes *b)
{
   const vf scale = vf_splat(t->normalized[a] ? (float)v->size[a] * 256.0f : 256.0f);
   const vi last = vi_splat((int32_t)v->size[a] - 2);
   const vu step = vu_splat(v->step[a]);

#pragma GCC unroll 1
   for (unsigned n = 0; n < VECTORS; n++) {
      const vi fixed = find_fixed(wraps, truncates, vf_loadu(&src[n * VW]), scale);
      const vi i = vi_sar(fixed, 8);

      vf_store(&b->weight[a][n * VW], vf_from_vi(fixed & vi_splat(255)) * vf_splat(0x1p-8f));
      vu_store(&b->at[n * VW], vu_load(&b->at[n * VW]) + (vu)i * step);
      vi_store(&b->strange[n * VW], vi_load(&b->strange[n * VW]) | i | (last - i));
   }
}

static __attribute__((noinline)) void
find_boxes(const struct tex *t, const struct td_tex_args *args, const struct volume *v,
           struct boxes *b)
{
   lanes_clear(b->at);
   lanes_clear(b->strange);
   for (unsigned a = 0; a < 3; a++) {
      const bool wraps = tex_wraps(t, a);

      if (t->truncate)
         find_along(t, v, args->src[a], a, wraps, true, b);
      else if (wraps)
         find_along(t, v, args->src[a], a, true, false, b);
      else
         find_along(t, v, args->src[a], a, false, false, b);
   }
}

/* The vectors of boxes, of texels of four bytes; those that are not are left: a bit each. */
V_INLINE unsigned
filter_boxes(const struct tex *t, const struct td_tex_args *args, const struct volume *v,
             enum kind kind, unsigned channels)
{
   unsigned left = 0;
   struct boxes b;

   find_boxes(t, args, v, &b);
#pragma GCC unroll 1
   for (unsigned n = 0; n < VECTORS; n++) {
      const vm strange = vi_lt(vi_load(&b.strange[n * VW]), vi_splat(0));
      const uint32_t live = (uint32_t)(args->lanes >> n * VW) & ((1u << VW) - 1);
      struct span axis[3];
      vu texel[8][4];
      vf color[4];

      /* Rays end at different depths, and what they read beyond is neither needed nor near
       * what the others read. */
      if (!live)
         continue;
      if (vm_bits(strange) & live) {
         left |= 1u << n;
         continue;
      }
      load_boxes(v->base, vu_keep(vm_not(strange), vu_load(&b.at[n * VW])), v->step, texel);
#pragma GCC unroll 3
      for (unsigned a = 0; a < 3; a++) {
         axis[a].weight[1] = vf_load(&b.weight[a][n * VW]);
         axis[a].weight[0] = vf_splat(1.0f) - axis[a].weight[1];
      }
      sum_corners(t, kind, 1, axis, texel, channels, color);
      if (channels == 1 && v->only)
         vf_store(&v->only[n * VW], color[0]);
      else
         write_vector(args, &v->out, n, color);
   }
   return left;
}

V_INLINE void
run_volume(const struct td_tex_bind *bind, const struct td_tex_args *args, enum kind kind,
           unsigned dwords)
{
   const struct tex *t = tex_of(bind);
   const struct tex_level *level = &t->level[t->base];
   struct volume v = {
      .base = (const uint8_t *)(uintptr_t)level->base,
      .size = { tex_size(t->width, t->base), tex_size(t->height, t->base),
                tex_size(t->depth, t->base) },
      .step = { t->decode.bytes, level->pitch, level->slice8 * 8 },
   };
   unsigned left = 0;

   if (!rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   find_outputs(t, args, &v.out);
   v.channels = channels_of(&v.out);
   v.only = v.channels == 1 && v.out.simple ? v.out.channel[0] : NULL;
   if (dwords == 1 && t->decode.bytes == 4 && v.channels == 1)
      left = filter_boxes(t, args, &v, kind, 1);
   else if (dwords == 1 && t->decode.bytes == 4)
      left = filter_boxes(t, args, &v, kind, v.channels);
   else
      for (unsigned n = 0; n < VECTORS; n++)
         left |= (unsigned)vm_any(vm_lanes(args->lanes, n)) << n;
   for (; left; left &= left - 1)
      filter_vector(t, args, &v, kind, dwords, (unsigned)__builtin_ctz(left));
   write_constants(args, &v.out);
}

#define SAMPLER(loop, kind, size) SAMPLER_OF(loop, kind, size, run_volume)
VOLUME_SAMPLERS(SAMPLER)
