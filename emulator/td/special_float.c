/* SPDX-License-Identifier: MIT */
/*
 * Samplers (special.h) of formats that are not filtered as integers: each texel of the footprint
 * becomes floats, which are weighed and summed in sample.c's order, so that the bits are the same.
 * Point samplers for these and for integers and compressed formats, too.
 */
#include "td/grid_float.h"
#include "td/near.h"
#include "td/points.h"
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
stage_texels(const struct tex *t, const struct place *p, unsigned bytes, union stage *out)
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
load_row(const struct tex *t, unsigned dwords, const struct place *p, const union stage *in,
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
find_bytes(const struct tex *t, const struct place *p, const union stage *in, unsigned n,
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
decode_bytes(const struct tex *t, const struct place *p, const union stage *in, unsigned n,
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
       const struct place *p, unsigned n, unsigned channels, uint64_t filtered, vf color[4])
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
            bool uniform, uint64_t linear, struct place *p, union stage *stage)
{
   uint32_t *const rows[2] = { stage->blocks[0], stage->blocks[1] };
   uint32_t *const *to = t->shift_x ? rows : NULL;
   unsigned bytes = t->decode.bytes;

   if (uniform)
      find_place(t, args, level, true, linear, bytes, false, to, p);
   else
      find_place(t, args, level, false, linear, bytes, false, to, p);
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
   struct place p[2];
   union stage stage[2];
   struct outputs out;

   if (kind != WORDS && !rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   if ((t->levels == 0 || t->mip == MIP_FILTER_NONE) && t->mag == t->min)
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

/* ---------------------------------------------------------------------------------------------
 * Point
 */

/* Texels of lanes on one level: where they are, and how far they are from the base level. */
V_INLINE void
find_points_of(const struct tex *t, const struct td_tex_args *args, unsigned level, bool wraps_x,
               bool wraps_y, bool nearest, bool usual, uint32_t *xs, uint32_t *ys, uint32_t *at)
{
   uint32_t width = tex_size(t->width, level), height = tex_size(t->height, level);
   vu pitch = vu_splat(t->level[level].pitch), size = vu_splat(t->decode.bytes);
   vu begin = vu_splat((uint32_t)(t->level[level].base - t->level[t->base].base));

   for (unsigned n = 0; n < VECTORS; n++) {
      vi x = point_axis(t, 0, wraps_x, vf_loadu(&args->src[0][n * VW]), width, nearest, usual);
      vi y = point_axis(t, 1, wraps_y, vf_loadu(&args->src[1][n * VW]), height, nearest, usual);
      if (!usual && t->shift_x) { /* who reads blocks asks which texel of one */
         vi_store(&xs[n * VW], x);
         vi_store(&ys[n * VW], y);
      }
      vu_store(&at[n * VW], begin + (vu)x * size + (vu)y * pitch);
   }
}

static void
find_points_on(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
               bool uniform, uint32_t *xs, uint32_t *ys, uint32_t *at)
{
   bool wraps_x = t->clamp[0] == WRAP_REPEAT, wraps_y = t->clamp[1] == WRAP_REPEAT;
   struct level_table table;

   if (uniform) {
      bool nearest = rounds_to_nearest();
      bool usual = t->truncate && t->normalized[0] && t->normalized[1] && !t->shift_x;
      if (usual && wraps_x && wraps_y)
         find_points_of(t, args, level[0], true, true, nearest, true, xs, ys, at);
      else if (usual && !wraps_x && !wraps_y)
         find_points_of(t, args, level[0], false, false, nearest, true, xs, ys, at);
      else
         find_points_of(t, args, level[0], wraps_x, wraps_y, nearest, false, xs, ys, at);
      return;
   }
   find_table(t, &table);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu l = vu_load(&level[n * VW]), size = vu_splat(t->decode.bytes);
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

static void
load_points(const struct tex *t, const uint32_t *at, int32_t end, struct td_raw *raw)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;

   switch (t->decode.bytes) {
   case 1:
      load_wave(base, at, 1, end, raw->dword[0]);
      break;
   case 2:
      load_wave(base, at, 2, end, raw->dword[0]);
      break;
   case 4:
      load_wave(base, at, 4, end, raw->dword[0]);
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

/* Channels to a register each, in all lanes.  False: it is not so. */
V_INLINE bool
write_in_turn(const struct tex *t, const struct td_tex_args *args, const struct td_raw *raw,
              enum kind kind, unsigned dwords, bool canon)
{
   const struct td_decode d = t->decode;
   uint32_t *to[4];

   if (!registers_in_turn(t, args, to))
      return false;
   const unsigned together =
      decode_together(kind, (const vu *)(const void *)raw->dword[0], 1, t->in_turn, to);
#pragma GCC unroll 4
   for (unsigned c = 0; c < 4; c++) {
      if (c < together)
         continue;
      for (unsigned n = 0; n < VECTORS && c < t->in_turn; n++) {
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
   const bool canon = t->z_filter == SLICE_FILTER_LINEAR; /* never of integers */
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
              uint32_t *at)
{
   const unsigned bytes = t->decode.bytes;
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
          unsigned dwords)
{
   const struct tex *t = tex_of(bind);
   bool uniform = true;
   struct td_lod lod;
   struct td_raw raw;
   struct outputs out;
   wave_lane xs, ys, at;

   if (is_finite(kind) && !rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   const bool one = t->levels == 0 || t->mip == MIP_FILTER_NONE;
   /* Where windows may still hold a vector's texels, if any: not where lanes are on different
    * levels. */
   int32_t end = INT32_MIN;
   bool placed = false;
#if WINDOWS
   if (one && t->points.usual) {
      if (point_windows(t, args, kind, dwords, at))
         return;
      /* Larger ones are read one by one. */
      if (t->decode.bytes <= 4)
         end = t->points.end * t->decode.bytes;
      placed = true;
   }
#endif
   if (!placed) {
      if (one)
         base_level(t, &lod);
      else
         uniform = find_levels(t, args, &lod);
      find_points_on(t, args, lod.level[0], uniform, xs, ys, at);
      if (uniform)
         end = last_window(t, lod.level[0][0], t->decode.bytes);
   }
   if (t->shift_x) {
      const uint32_t *const x[2] = { xs }, *const y[2] = { ys };
      uint32_t *const to[2] = { raw.dword[0] };
      K(td_block_read)(t, lod.level[0], uniform, args->lanes, x, y, 1, to);
   } else {
      load_points(t, at, end, &raw);
   }
   bool canon = t->z_filter == SLICE_FILTER_LINEAR; /* never of integers */
   if (write_in_turn(t, args, &raw, kind, dwords, canon))
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

/* ---------------------------------------------------------------------------------------------
 * The table
 */
#define EACH_SAMPLER(S)    \
   S(point, UNORM, 1)      \
   S(point, UNORM, 2)      \
   S(point, SNORM, 1)      \
   S(point, SNORM, 2)      \
   S(point, SRGB, 1)       \
   S(point, SHAREDEXP, 1)  \
   S(point, HALF, 1)       \
   S(point, HALF, 2)       \
   S(point, SMALL, 1)      \
   S(point, WORDS, 1)      \
   S(point, WORDS, 2)      \
   S(point, WORDS, 3)      \
   S(point, WORDS, 4)      \
   S(point, INTS, 1)       \
   S(point, INTS, 2)       \
   S(filter, UNORM, 1)     \
   S(filter, UNORM, 2)     \
   S(filter, SNORM, 1)     \
   S(filter, SNORM, 2)     \
   S(filter, SRGB, 1)      \
   S(filter, SHAREDEXP, 1) \
   S(filter, HALF, 1)      \
   S(filter, HALF, 2)      \
   S(filter, SMALL, 1)     \
   S(filter, WORDS, 1)     \
   S(filter, WORDS, 2)     \
   S(filter, WORDS, 3)     \
   S(filter, WORDS, 4)

#define FUNCTION(filter, kind, dwords)                                    \
   static void filter##_##kind##_##dwords(const struct td_tex_bind *bind, \
                                          const struct td_tex_args *args) \
   {                                                                      \
      run_##filter(bind, args, kind, dwords);                             \
   }
EACH_SAMPLER(FUNCTION)

enum { SAMPLE_point, SAMPLE_filter };
#define ROW(filter, kind, dwords) \
   [kind][dwords][SAMPLE_##filter] = { filter##_##kind##_##dwords, #filter "_" #kind "_" #dwords },
static const struct td_sampler samplers[INTS + 1][5][2] = { EACH_SAMPLER(ROW) };

const struct td_sampler *
K(td_sample_float)(struct tex *t, const char **why)
{
   struct td_decode d = t->decode;
   unsigned bytes = t->shift_x == 2 ? 4 * td_block_dwords(d.format) : d.bytes;
   const bool linear = (t->mag | t->min) & FILTER_LINEAR;
   enum kind kind;

   if (t->shift_x == 1)
      return td_no_sampler(why, "texels share channels");
   if (!has_loops(bytes))
      return td_no_sampler(why, "texels of three or six bytes");
   /* As td_block_read() gives it. */
   d.bytes = (uint8_t)bytes;
   if (!kind_of(&d, &kind))
      return td_no_sampler(why, "channels of that kind have no loop");
   const struct td_sampler *s = &samplers[kind][(bytes + 3) / 4][linear];
   if (!s->run)
      return td_no_sampler(why, "texels of that kind and size have no loop");
   /* What a point sampler reads is not summed. */
   if (!linear)
      t->decode.unorm8 = false;
   return s;
}
