/* SPDX-License-Identifier: MIT */
/*
 * The samplers that most textured scenes run on: 2D textures of 8-bit unsigned normalised channels
 * (8, 8_8, 8_8_8_8), wholly mapped, wrapping or clamped to their last texel, point, bilinear or
 * trilinear.  The results are those of sample.c, bit for bit.
 *
 * Bilinear: the two texels of a row are one load (a lane whose two texels are not neighbours, at
 * a wrap, sends its wave to a variant with two loads).  Rows are blended in 16-bit integers, which
 * hold 255 * 256, columns in 32-bit ones; the sum of at most 255 * 65536 is divided once.
 */
#include "td/sample.h"

/* ---------------------------------------------------------------------------------------------
 * What simd.h does not have
 */
V_INLINE vu
mul_low16(vu a, vu b) /* 16-bit halves, low halves of the products */
{
#if VW == 16
   return (vu)_mm512_mullo_epi16((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vu)_mm256_mullo_epi16((__m256i)a, (__m256i)b);
#else
   return (vu)_mm_mullo_epi16((__m128i)a, (__m128i)b);
#endif
}

V_INLINE vu
mul_add16(vu a, vu b) /* sum of both signed products of halves */
{
#if VW == 16
   return (vu)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vu)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#else
   return (vu)_mm_madd_epi16((__m128i)a, (__m128i)b);
#endif
}

V_INLINE vu
add16(vu a, vu b)
{
#if VW == 16
   return (vu)_mm512_add_epi16((__m512i)a, (__m512i)b);
#elif VW == 8
   return (vu)_mm256_add_epi16((__m256i)a, (__m256i)b);
#else
   return (vu)_mm_add_epi16((__m128i)a, (__m128i)b);
#endif
}

V_INLINE vu
blend16(vu low, vu high) /* low halves of one, high halves of the other */
{
   return (low & vu_splat(0xffff)) | (high & vu_splat(0xffff0000u));
}

/* n / d, correctly rounded, for floats n of integers and the d used here (255 times a power of
 * two: checked for every significand).  With another rounding mode it takes the division. */
V_INLINE vf
divide(vf n, float d, bool nearest)
{
#if VW > 4
   if (nearest) {
      vf r = vf_splat(1.0f / d), q = n * r;
      vf e = vf_fma(q, vf_splat(-d), n);
      return vf_fma(e, r, q);
   }
#endif
   return n / vf_splat(d);
}

V_INLINE bool
rounds_to_nearest(void)
{
   /* Sums between two neighbours of 1 say what the control register would, which is slow to read:
    * above the middle it is the upper one but in the modes towards zero and down, below it the
    * lower one but in the mode up. */
   float one = 1.0f, above = 0x1.8p-24f, below = 0x1p-25f;
   __asm__("" : "+x"(one), "+x"(above), "+x"(below));
   return one + above > 1.0f && one + below == 1.0f;
}

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
   if (t->clamp[a] != SQ_TEX_WRAP)
      return vi_min(vi_max(i, vi_splat(0)), last);
   i = vi_select(vi_lt(i, vi_splat(0)), last, i);
   return vi_select(vi_gt(i, last), i - size, i);
}

struct place {
   wave_lane row[2]; /* byte offsets of the left texel in both rows, from the base level */
   wave_lane step;   /* bytes from there to the right texel, unless `neighbours` */
   wave_lane wx, wy; /* weights of the right texel and the lower row */
   bool neighbours;  /* the right texel is the next one everywhere */
};

/* The size of an axis at a level per lane. */
V_INLINE vi
level_size(uint32_t base, vu level, bool uniform, uint32_t same)
{
   if (uniform)
      return vi_splat((int32_t)same);
   return vi_max((vi)vu_shrv(vu_splat(base), level), vi_splat(1));
}

/* Weights and the two texels of an axis.  `linear`: lanes that filter; the others get their
 * nearest texel with weight 0.  `pairs`: beyond an edge, where both texels are the last one, they
 * become a pair by weight.  Returns whether all are pairs. */
V_INLINE bool
find_axis(const struct tex *t, unsigned a, bool wraps, const uint32_t *coord, const uint32_t *level,
          bool uniform, uint64_t linear, bool pairs, uint32_t *i0, uint32_t *i1, uint32_t *weight)
{
   uint32_t base = a ? t->height : t->width, same = tex_size(base, level[0]);
   bool all = linear == ~UINT64_C(0);
   vm apart = vm_none();

   for (unsigned n = 0; n < VECTORS; n++) {
      vm lin = all ? vm_all() : vm_lanes(linear, n);
      vi one = vi_splat(1), zero = vi_splat(0);
      vi size = level_size(base, vu_load(&level[n * VW]), uniform, same), last = size - one;
      vi f = fixed_coord(t, a, wraps, vf_loadu(&coord[n * VW]), vf_from_vi(size));
      f = f - (vi)vu_keep(lin, vu_splat(128));
      vi x0 = vi_sar(f, 8), x1, w = (vi)vu_keep(lin, (vu)f & vu_splat(255));
      if (wraps) {
         x0 = vi_select(vi_lt(x0, zero), last, x0);
         x0 = vi_select(vi_gt(x0, last), x0 - size, x0);
         x1 = x0 + one;
         x1 = vi_select(vi_gt(x1, last), zero, x1);
      } else if (pairs) {
         w = vi_select(vi_lt(x0, zero), zero, vi_select(vi_ge(x0, last), vi_splat(256), w));
         x0 = vi_max(vi_min(x0, last - one), zero);
         x1 = vi_min(x0 + one, last);
      } else {
         x1 = vi_min(vi_max(x0 + one, zero), last);
         x0 = vi_min(vi_max(x0, zero), last);
      }
      if (pairs)
         apart = vm_or(apart, vi_ne(x1, x0 + one));
      vi_store(&i0[n * VW], x0);
      vi_store(&i1[n * VW], x1);
      vi_store(&weight[n * VW], w);
   }
   return !vm_any(apart);
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

V_INLINE void
find_place(const struct tex *t, const struct td_tex_args *args, const uint32_t *level, bool uniform,
           uint64_t linear, unsigned bytes, struct place *p)
{
   wave_lane x0, x1, y0, y1;
   struct level_table table;

   p->neighbours =
      t->clamp[0] == SQ_TEX_WRAP
         ? find_axis(t, 0, true, args->src[0], level, uniform, linear, true, x0, x1, p->wx)
         : find_axis(t, 0, false, args->src[0], level, uniform, linear, true, x0, x1, p->wx);
   if (t->clamp[1] == SQ_TEX_WRAP)
      find_axis(t, 1, true, args->src[1], level, uniform, linear, false, y0, y1, p->wy);
   else
      find_axis(t, 1, false, args->src[1], level, uniform, linear, false, y0, y1, p->wy);

   find_table(t, &table);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu l = vu_load(&level[n * VW]), size = vu_splat(bytes);
      vu pitch = uniform ? vu_splat(table.pitch[level[0]]) : look_up(table.pitch, l);
      vu begin = uniform ? vu_splat(table.begin[level[0]]) : look_up(table.begin, l);
      vu x = vu_load(&x0[n * VW]);
      begin = begin + x * size;
      vu_store(&p->row[0][n * VW], begin + vu_load(&y0[n * VW]) * pitch);
      vu_store(&p->row[1][n * VW], begin + vu_load(&y1[n * VW]) * pitch);
      vu_store(&p->step[n * VW], (vu_load(&x1[n * VW]) - x) * size);
   }
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

V_INLINE uint64_t
load_pair(const uint8_t *p, unsigned bytes)
{
   uint64_t v = 0;
   memcpy(&v, p, 2 * bytes);
   if (bytes == 4)
      return v;
   uint32_t mask = (1u << (8 * bytes)) - 1;
   return (v & mask) | (v >> (8 * bytes)) << 32;
}

struct pairs {
   uint64_t row[2][WAVE_LANES] __attribute__((aligned(64)));
};

/* The two texels of both rows; offsets are signed. */
V_INLINE void
load_pairs(const struct tex *t, const struct place *p, unsigned bytes, struct pairs *out)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;

   for (unsigned r = 0; r < 2; r++) {
      if (p->neighbours) {
         for (unsigned l = 0; l < WAVE_LANES; l++) {
            uint64_t v = load_pair(base + (int32_t)p->row[r][l], bytes);
            /* Scalar loads and stores are the fastest way: keep the compiler from joining them. */
            __asm__("" : "+r"(v));
            out->row[r][l] = v;
         }
      } else {
         for (unsigned l = 0; l < WAVE_LANES; l++) {
            const uint8_t *left = base + (int32_t)p->row[r][l];
            uint64_t v = load_texel(left + (int32_t)p->step[l], bytes);
            v = v << 32 | load_texel(left, bytes);
            __asm__("" : "+r"(v));
            out->row[r][l] = v;
         }
      }
   }
}

/* Sums of four texels of each channel, times 65536. */
V_INLINE void
filter_pairs(const struct pairs *in, const struct place *p, unsigned n, vu sum[4])
{
   vu bytes = vu_splat(0x00ff00ffu), bias = vu_splat(0x80008000u);
   vu wx1 = vu_load(&p->wx[n * VW]), wy1 = vu_load(&p->wy[n * VW]);
   vu rb[2], ga[2];

   wx1 = wx1 | vu_shl(wx1, 16);
   vu wx0 = vu_splat(0x01000100u) - wx1;
   vu wy = (vu_splat(256) - wy1) | vu_shl(wy1, 16);
   for (unsigned r = 0; r < 2; r++) {
      vu a, b;
      td_split_pairs(&in->row[r][n * VW], &a, &b);
      rb[r] = add16(mul_low16(a & bytes, wx0), mul_low16(b & bytes, wx1)) ^ bias;
      ga[r] =
         add16(mul_low16(vu_shr(a, 8) & bytes, wx0), mul_low16(vu_shr(b, 8) & bytes, wx1)) ^ bias;
   }
   /* The bias makes the halves signed for the multiplication: 32768 * 256 comes off again. */
   vu back = vu_splat(32768u * 256u);
   sum[0] = mul_add16(blend16(rb[0], vu_shl(rb[1], 16)), wy) + back;
   sum[1] = mul_add16(blend16(ga[0], vu_shl(ga[1], 16)), wy) + back;
   sum[2] = mul_add16(blend16(vu_shr(rb[0], 16), rb[1]), wy) + back;
   sum[3] = mul_add16(blend16(vu_shr(ga[0], 16), ga[1]), wy) + back;
}

/* ---------------------------------------------------------------------------------------------
 * Results
 */

/* Where channels go: the first register that takes one, and what is left for afterwards. */
struct outputs {
   uint32_t *channel[4];
   uint8_t sel[4]; /* per register: channel 0 to 3, 4 for 0, 5 for 1, 7 for nothing or done */
   bool rest;
   bool simple; /* all lanes of all channels to a register each, and nothing else */
};

static void
place_outputs(struct tex *t)
{
   for (unsigned c = 0; c < 4; c++)
      t->first[c] = -1;
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = t->dst_sel[i];
      sel = sel <= SQ_SEL_W ? t->sel[sel] : sel;
      sel = sel > SQ_SEL_1 && t->dst_sel[i] <= SQ_SEL_W ? SQ_SEL_0 : sel;
      if (sel <= SQ_SEL_W && !t->decode.channel[sel].bits)
         sel = sel == SQ_SEL_W ? SQ_SEL_1 : SQ_SEL_0;
      t->also[i] = (uint8_t)sel;
      if (sel <= SQ_SEL_W && t->first[sel] < 0) {
         t->first[sel] = (int8_t)i;
         t->also[i] = SQ_SEL_MASK;
      }
   }
}

V_INLINE void
find_outputs(const struct tex *t, const struct td_tex_args *args, struct outputs *o)
{
   o->rest = false;
   o->simple = args->lanes == ~UINT64_C(0);
   for (unsigned i = 0; i < 4; i++) {
      o->channel[i] = t->first[i] < 0 ? NULL : args->dst[t->first[i]];
      o->sel[i] = args->dst[i] ? t->also[i] : SQ_SEL_MASK;
      o->rest |= o->sel[i] <= SQ_SEL_1;
      o->simple &= o->channel[i] != NULL;
   }
   o->simple &= !o->rest;
}

V_INLINE void
write_vector(const struct td_tex_args *args, const struct outputs *o, unsigned n, const vf color[4])
{
   bool all = args->lanes == ~UINT64_C(0);

   if (o->simple) {
      for (unsigned c = 0; c < 4; c++)
         vf_store(&o->channel[c][n * VW], color[c]);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!o->channel[c])
         continue;
      if (all)
         vf_store(&o->channel[c][n * VW], color[c]);
      else
         vf_store_masked(&o->channel[c][n * VW], vm_lanes(args->lanes, n), color[c]);
   }
   if (!o->rest)
      return;
   for (unsigned i = 0; i < 4; i++) {
      vf v;
      if (o->sel[i] > SQ_SEL_1)
         continue;
      if (o->sel[i] > SQ_SEL_W)
         v = vf_splat(o->sel[i] == SQ_SEL_1 ? 1.0f : 0.0f);
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
   if (t->mip == SQ_TEX_Z_FILTER_LINEAR) {
      fixed = vi_clamp(fixed, 0, t->levels << 8);
      r.level = vi_sar(fixed, 8);
      r.fraction = fixed & vi_splat(255);
   } else if (t->mip != SQ_TEX_Z_FILTER_NONE) {
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
static bool
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

/* ---------------------------------------------------------------------------------------------
 * Samplers
 */
V_INLINE void
point_wave(const struct tex *t, const struct td_tex_args *args, const uint32_t *level, bool uniform,
           unsigned bytes, uint32_t *texels)
{
   uint32_t width = tex_size(t->width, level[0]), height = tex_size(t->height, level[0]);
   bool wraps_x = t->clamp[0] == SQ_TEX_WRAP, wraps_y = t->clamp[1] == SQ_TEX_WRAP;
   wave_lane at;
   struct level_table table;

   find_table(t, &table);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu l = vu_load(&level[n * VW]);
      vi w = level_size(t->width, l, uniform, width);
      vi h = level_size(t->height, l, uniform, height);
      vi x = vi_sar(fixed_coord(t, 0, wraps_x, vf_loadu(&args->src[0][n * VW]), vf_from_vi(w)), 8);
      vi y = vi_sar(fixed_coord(t, 1, wraps_y, vf_loadu(&args->src[1][n * VW]), vf_from_vi(h)), 8);
      x = wrap_near(t, 0, x, w, w - vi_splat(1));
      y = wrap_near(t, 1, y, h, h - vi_splat(1));
      vu pitch = uniform ? vu_splat(table.pitch[level[0]]) : look_up(table.pitch, l);
      vu begin = uniform ? vu_splat(table.begin[level[0]]) : look_up(table.begin, l);
      vu_store(&at[n * VW], begin + (vu)x * vu_splat(bytes) + (vu)y * pitch);
   }
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      uint32_t v = load_texel(base + (int32_t)at[l], bytes);
      __asm__("" : "+r"(v));
      texels[l] = v;
   }
}

/* The texel of an axis of `size` texels: what fixed_coord() and wrap_near() find, in fewer steps.
 * Beyond the edges a coordinate is limited before it is rounded, and scaling by a power of two
 * does not round. */
V_INLINE vi
point_axis(const struct tex *t, unsigned a, bool wraps, vf u, uint32_t size, bool nearest)
{
   vf zero = vf_splat(0.0f), scale = vf_splat(t->normalized[a] ? (float)size * 256.0f : 256.0f);
   if (wraps)
      u = vf_max_second(u - vf_floor(u), zero) * scale;
   else
      u = vf_min_second(vf_max_second(u * scale, zero), vf_splat((float)(size * 256u - 1)));
   vi i = t->truncate ? vi_trunc_raw(u) : nearest ? vi_round_raw(u) : vi_trunc_raw(vf_rndne(u));
   i = vi_sar(i, 8);
   if (wraps)
      i = vi_select(vi_eq(i, vi_splat((int32_t)size)), vi_splat(0), i);
   return i;
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

/* Texels of one level for all lanes. */
V_INLINE void
point_level(const struct tex *t, const struct td_tex_args *args, unsigned level, bool wraps_x,
            bool wraps_y, unsigned bytes, bool nearest, uint32_t *texels)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[level].base;
   uint32_t width = tex_size(t->width, level), height = tex_size(t->height, level);
   vu pitch = vu_splat(t->level[level].pitch), size = vu_splat(bytes);
   wave_lane at;

   for (unsigned n = 0; n < VECTORS; n++) {
      vi x = point_axis(t, 0, wraps_x, vf_loadu(&args->src[0][n * VW]), width, nearest);
      vi y = point_axis(t, 1, wraps_y, vf_loadu(&args->src[1][n * VW]), height, nearest);
      vu_store(&at[n * VW], (vu)x * size + (vu)y * pitch);
   }
   for (unsigned n = 0; n < VECTORS && bytes == 4; n++) {
      vu a = vu_load(&at[n * VW]);
      vu first = (vu)vf_quad_permute((vf)a, 0xa0), odd = (vu)vi_lane_index() & vu_splat(1);
      bool pairs = !vm_any(vu_ne(a, first + vu_shl(odd, 2)));
      vu_store(&texels[n * VW], pairs ? load_vector(base, &at[n * VW], true)
                                      : load_vector(base, &at[n * VW], false));
   }
   for (unsigned l = 0; l < WAVE_LANES && bytes != 4; l++) {
      uint32_t v = load_texel(base + (int32_t)at[l], bytes);
      __asm__("" : "+r"(v));
      texels[l] = v;
   }
}

V_INLINE void
run_point(const struct td_tex_bind *bind, const struct td_tex_args *args, unsigned bytes)
{
   const struct tex *t = tex_of(bind);
   bool nearest = rounds_to_nearest();
   wave_lane texels;
   struct outputs out;

   /* Without a filter between levels the base one is the only one. */
   if (t->levels == 0 || t->mip == SQ_TEX_Z_FILTER_NONE) {
      bool wraps_x = t->clamp[0] == SQ_TEX_WRAP, wraps_y = t->clamp[1] == SQ_TEX_WRAP;
      if (wraps_x && wraps_y)
         point_level(t, args, t->base, true, true, bytes, nearest, texels);
      else if (!wraps_x && !wraps_y)
         point_level(t, args, t->base, false, false, bytes, nearest, texels);
      else
         point_level(t, args, t->base, wraps_x, wraps_y, bytes, nearest, texels);
   } else {
      struct td_lod lod;
      if (find_levels(t, args, &lod))
         point_wave(t, args, lod.level[0], true, bytes, texels);
      else
         point_wave(t, args, lod.level[0], false, bytes, texels);
   }
   find_outputs(t, args, &out);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu v = vu_load(&texels[n * VW]), byte = vu_splat(255);
      vf color[4];
      color[0] = divide(vf_from_vi((vi)(v & byte)), 255.0f, nearest);
      color[1] = divide(vf_from_vi((vi)(vu_shr(v, 8) & byte)), 255.0f, nearest);
      color[2] = divide(vf_from_vi((vi)(vu_shr(v, 16) & byte)), 255.0f, nearest);
      color[3] = divide(vf_from_vi((vi)vu_shr(v, 24)), 255.0f, nearest);
      write_vector(args, &out, n, color);
   }
}

V_INLINE void
bilinear_wave(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
              bool uniform, uint64_t linear, unsigned bytes, struct place *p, struct pairs *pairs)
{
   find_place(t, args, level, uniform, linear, bytes, p);
   load_pairs(t, p, bytes, pairs);
}

V_INLINE void
run_bilinear(const struct td_tex_bind *bind, const struct td_tex_args *args, unsigned bytes)
{
   const struct tex *t = tex_of(bind);
   bool nearest = rounds_to_nearest(), uniform = true;
   struct td_lod lod;
   struct place p;
   struct pairs pairs;
   struct outputs out;

   if ((t->levels == 0 || t->mip == SQ_TEX_Z_FILTER_NONE) && t->mag == t->min) {
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&lod.level[0][n * VW], vu_splat(t->base));
      lod.linear = ~UINT64_C(0);
      lod.between = 0;
   } else {
      uniform = find_levels(t, args, &lod);
   }
   if (uniform)
      bilinear_wave(t, args, lod.level[0], true, lod.linear, bytes, &p, &pairs);
   else
      bilinear_wave(t, args, lod.level[0], false, lod.linear, bytes, &p, &pairs);
   find_outputs(t, args, &out);
   if (!(lod.between & args->lanes)) {
      for (unsigned n = 0; n < VECTORS; n++) {
         vu sum[4];
         vf color[4];
         filter_pairs(&pairs, &p, n, sum);
         for (unsigned c = 0; c < 4; c++)
            color[c] = divide(vf_from_vi((vi)sum[c]), 255.0f * 65536.0f, nearest);
         write_vector(args, &out, n, color);
      }
      return;
   }

   struct place upper_p;
   struct pairs upper_pairs;
   if (uniform && t->levels)
      bilinear_wave(t, args, lod.level[1], true, lod.linear, bytes, &upper_p, &upper_pairs);
   else
      bilinear_wave(t, args, lod.level[1], false, lod.linear, bytes, &upper_p, &upper_pairs);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu f1 = vu_load(&lod.fraction[n * VW]), f0 = vu_splat(256) - f1;
      vu lower[4], upper[4];
      vf color[4];
      filter_pairs(&pairs, &p, n, lower);
      filter_pairs(&upper_pairs, &upper_p, n, upper);
      for (unsigned c = 0; c < 4; c++)
         color[c] =
            divide(vf_from_vu(lower[c] * f0 + upper[c] * f1), 255.0f * 65536.0f * 256.0f, nearest);
      write_vector(args, &out, n, color);
   }
}

#define SAMPLERS(bytes)                                                                         \
   static void point_##bytes(const struct td_tex_bind *bind, const struct td_tex_args *args)    \
   {                                                                                            \
      run_point(bind, args, bytes);                                                             \
   }                                                                                            \
   static void bilinear_##bytes(const struct td_tex_bind *bind, const struct td_tex_args *args) \
   {                                                                                            \
      run_bilinear(bind, args, bytes);                                                          \
   }
SAMPLERS(1)
SAMPLERS(2)
SAMPLERS(4)

td_tex_fn *
K(td_sample_special)(struct tex *t)
{
   if (!t->inside || !t->decode.unorm8 || t->decode.endian || t->samples > 1 || t->base_array)
      return NULL;
   if (t->dim != SQ_TEX_DIM_2D || t->offset[0] || t->offset[1])
      return NULL;
   if (t->shift_x || t->compare || t->aniso)
      return NULL;
   /* Offsets from the base level fit in 32 signed bits. */
   for (unsigned l = t->base; l <= (unsigned)t->base + t->levels; l++) {
      int64_t from = (int64_t)(t->level[l].base - t->level[t->base].base);
      int64_t to = from + (int64_t)tex_size(t->height, l) * t->level[l].pitch + (1 << 18);
      if (from < INT32_MIN || to > INT32_MAX)
         return NULL;
   }
   for (unsigned a = 0; a < 2; a++) {
      if (t->clamp[a] == SQ_TEX_WRAP ? !t->normalized[a] : t->clamp[a] != SQ_TEX_CLAMP_LAST_TEXEL)
         return NULL;
   }
   place_outputs(t);
   /* A point filter within levels that are blended is rare. */
   bool point = !((t->mag | t->min) & 1);
   if (point && t->mip == SQ_TEX_Z_FILTER_LINEAR)
      return NULL;
   switch (t->decode.bytes) {
   case 1:
      return point ? point_1 : bilinear_1;
   case 2:
      return point ? point_2 : bilinear_2;
   case 4:
      return point ? point_4 : bilinear_4;
   default:
      return NULL;
   }
}
