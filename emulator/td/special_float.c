/* SPDX-License-Identifier: MIT */
/*
 * Bilinear samplers (samplers.h) of formats that are not filtered as integers: each texel of the
 * footprint becomes floats, which are weighed and summed in sample.c's order, so that the bits are
 * the same.
 */
#include "td/grid_float.h"
#include "td/near.h"
#include "td/samplers.h"
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
stage_texels(const struct tex *t, const struct footprint *p, unsigned bytes, union stage *out)
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
load_row(const struct tex *t, unsigned dwords, const struct footprint *p, const union stage *in,
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

#if VW == 8
/* Where the texels of four bytes of a vector are staged, `*step` bytes apart.  False: they are
 * not. */
V_INLINE bool
find_bytes(const struct tex *t, const struct footprint *p, const union stage *in, unsigned n,
           const uint8_t *at[4], unsigned *step)
{
   const bool blocks = t->shift_x != 0;

   for (unsigned r = 0; r < 2; r++) {
      const void *left = blocks ? (const void *)&in->blocks[r][n * VW] : &in->pairs.wide[r][n * VW];

      at[2 * r] = left;
      at[2 * r + 1] = at[2 * r] + (blocks ? 4 * WAVE_LANES : 4);
   }
   *step = blocks ? 4 : 8;
   return blocks || !(p->windows || p->at_once);
}
#endif

/* Channel c of the four texels of sRGB of a vector; false: it is done elsewhere. */
V_INLINE bool
decode_bytes(const struct tex *t, const struct footprint *p, const union stage *in, unsigned n,
             unsigned c, vf value[4])
{
#if VW == 8
   const uint8_t *at[4];
   unsigned step;

   if (!(t->decode.srgb >> c & 1) || !linear_is_by_loads() || !find_bytes(t, p, in, n, at, &step))
      return false;
   const unsigned byte = t->decode.channel[c].pos / 8;

   for (unsigned k = 0; k < 4; k++)
      value[k] = step == 4 ? linear_of_bytes(at[k] + byte, 4) : linear_of_bytes(at[k] + byte, 8);
   return true;
#else
   (void)t, (void)p, (void)in, (void)n, (void)c, (void)value;
   return false;
#endif
}

/* The weighed sums of vector n at one level, of the channels asked for; NaNs of the `filtered`
 * lanes are canonical. */
V_INLINE void
filter(const struct tex *t, enum kind kind, unsigned dwords, const union stage *in,
       const struct footprint *p, unsigned n, unsigned channels, uint64_t filtered, vf color[4])
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
      const bool done = kind == SRGB && decode_bytes(t, p, in, n, c, value);
#pragma GCC unroll 4
      for (unsigned k = 0; k < 4 && !done; k++)
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
            bool uniform, uint64_t linear, struct footprint *p, union stage *stage)
{
   uint32_t *const rows[2] = { stage->blocks[0], stage->blocks[1] };
   uint32_t *const *to = t->shift_x ? rows : NULL;
   unsigned bytes = t->decode.bytes;

   if (uniform)
      find_footprint(t, args, level, true, linear, bytes, false, to, p);
   else
      find_footprint(t, args, level, false, linear, bytes, false, to, p);
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
   struct footprint p[2];
   union stage stage[2];
   struct outputs out;

   if (kind != WORDS && !rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   if (t->key.one_level && t->mag == t->min)
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
   uint64_t filtered = t->z_filter == SLICE_FILTER_LINEAR ? ~UINT64_C(0) : lod.linear;
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

#define SAMPLER(loop, kind, size) SAMPLER_OF(loop, kind, size, run_filter)
FLOAT_SAMPLERS(SAMPLER)

/* ---------------------------------------------------------------------------------------------
 * Comparisons
 */

/* A texel counts with its weight where the comparison is true.  Components have one channel
 * (choice.c). */
V_INLINE void
run_compare(const struct td_tex_bind *bind, const struct td_tex_args *args, enum kind kind,
            unsigned dwords)
{
   const struct tex *t = tex_of(bind);
   const uint32_t *reference = td_reference(t, args);
   const bool limit = td_limits_reference(t);
   struct footprint p;
   union stage stage;
   struct outputs out;
   struct td_lod lod;
   unsigned channel = 0;

   if (!rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   while (channel < 3 && t->sel[channel] > SWIZZLE_W)
      channel++;
   channel = t->sel[channel] & 3;
   base_level(t, &lod);
   find_texels(t, args, lod.level[0], true, lod.linear, &p, &stage);
   find_outputs(t, args, &out);
   for (unsigned n = 0; n < VECTORS; n++) {
      const vi full = vi_splat(256), x1 = vi_load(&p.wx[n * VW]), y1 = vi_load(&p.wy[n * VW]);
      const vf fx1 = vf_from_vi(x1), fx0 = vf_from_vi(full - x1), scale = vf_splat(0x1p-16f);
      const vf fy1 = vf_from_vi(y1) * scale, fy0 = vf_from_vi(full - y1) * scale;
      const vf weight[4] = { fx0 * fy0, fx1 * fy0, fx0 * fy1, fx1 * fy1 };
      const vf given = vf_loadu(&reference[n * VW]), ref = limit ? vf_saturate(given) : given;
      vf sum = vf_splat(0.0f);
      vu texel[4][4];

      load_row(t, dwords, &p, &stage, 0, n, texel[0], texel[1]);
      load_row(t, dwords, &p, &stage, 1, n, texel[2], texel[3]);
#pragma GCC unroll 4
      for (unsigned k = 0; k < 4; k++) {
         const vf value = decode(&t->decode, kind, dwords, texel[k], channel, false);

         sum = sum + vf_keep(td_compare(t->compare_func, ref, value), weight[k]);
      }
      const vf color[4] = { sum, sum, sum, sum };

      write_vector(args, &out, n, color);
   }
   write_constants(args, &out);
}

#undef SAMPLER
#define SAMPLER(loop, kind, size) SAMPLER_OF(loop, kind, size, run_compare)
COMPARE_SAMPLERS(SAMPLER)
