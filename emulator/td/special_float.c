/* SPDX-License-Identifier: MIT */
/*
 * Samplers (special.h) of formats that are not filtered as integers: each texel of the footprint
 * becomes floats, which are weighed and summed in sample.c's order, so that the bits are the same.
 * Point samplers for these and for integers and compressed formats, too.
 *
 * A kind is how the channels are read.  Those whose values are finite need no care with texels of
 * weight zero: their product is a zero, and adding it changes no sum.
 */
#include "td/special.h"

enum kind {
   UNORM, /* up to 24 bits a channel */
   SNORM, /* up to 16; -1 has two forms */
   SRGB,  /* 8_8_8_8 */
   SHAREDEXP,
   HALF,  /* 16-bit floats */
   SMALL, /* 11- and 10-bit floats */
   WORDS, /* dwords as they are */
   INTS,
};

V_INLINE bool
is_finite(enum kind kind)
{
   return kind <= SHAREDEXP;
}

/* table[index] per lane. */
V_INLINE vf
look_up_float(const float *table, vu index)
{
#if VW == 16
   return (vf)_mm512_i32gather_ps((__m512i)index, table, 4);
#elif VW == 8
   return (vf)_mm256_i32gather_ps(table, (__m256i)index, 4);
#else
   vf r;
   for (unsigned i = 0; i < VW; i++)
      r[i] = table[index[i]];
   return r;
#endif
}

/* Channel `c` of texels of up to four dwords, in the mode that rounds to nearest where it divides.
 * Elements of more than four bytes have channels of equal size. */
V_INLINE vf
decode(const struct td_decode *d, enum kind kind, unsigned dwords, const vu texel[4], unsigned c)
{
   unsigned bits = d->channel[c].bits, pos = d->channel[c].pos;
   vu x;

   if (bits == 0)
      return (vf)vu_splat(c == 3 ? td_one(d) : 0);
   if (kind == WORDS)
      return (vf)texel[c < dwords ? c : 0];
   if (dwords == 2)
      x = c & 1 ? vu_shr(texel[c >> 1], 16) : texel[c >> 1] & vu_splat(0xffff);
   else
      x = vu_shr(texel[0], pos) & vu_splat(~0u >> (32 - bits));
   switch (kind) {
   case SRGB:
      if (d->srgb >> c & 1)
         return look_up_float(td_srgb_to_linear, x);
      return divide(vf_from_vi((vi)x), 255.0f, true);
   case UNORM:
      return divide(vf_from_vi((vi)x), (float)((1u << bits) - 1), true);
   case SNORM: {
      vi s = vi_sar((vi)vu_shl(x, 32 - bits), 32 - bits);
      float max = bits > 1 ? (float)((1 << (bits - 1)) - 1) : 1.0f;
      return vf_max_second(divide(vf_from_vi(s), max, true), vf_splat(-1.0f));
   }
   case SHAREDEXP: {
      vf scale = (vf)vu_shl(vu_shr(texel[0], 27) + vu_splat(127 - 24), 23);
      return vf_from_vi((vi)x) * scale;
   }
   case HALF:
      return vf_from_half(x);
   case SMALL:
      return td_from_small_float(x, bits);
   default:
      if (d->comp[c] == SQ_FORMAT_COMP_SIGNED)
         x = (vu)vi_sar((vi)vu_shl(x, 32 - bits), 32 - bits);
      return (vf)x;
   }
}

/* ---------------------------------------------------------------------------------------------
 * Texels
 */

/* Two neighbours of a row of each lane, in 8, 16 or 32 bytes; of compressed textures as
 * td_block_read() has them. */
struct stage {
   uint8_t row[2][WAVE_LANES * 32] __attribute__((aligned(64)));
};

/* A texel of up to four bytes becomes a dword. */
V_INLINE void
stage_row(const uint8_t *base, const uint32_t *row, const uint32_t *step, bool neighbours,
          unsigned bytes, uint8_t *out)
{
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      const uint8_t *left = base + (int32_t)row[l];
      const uint8_t *right = left + (neighbours ? (int32_t)bytes : (int32_t)step[l]);
      if (bytes < 4) {
         uint32_t a = 0, b = 0;
         memcpy(&a, left, bytes);
         memcpy(&b, right, bytes);
         memcpy(out + 8 * l, &a, 4);
         memcpy(out + 8 * l + 4, &b, 4);
      } else if (neighbours) {
         memcpy(out + 2 * bytes * l, left, 2 * bytes);
      } else {
         memcpy(out + 2 * bytes * l, left, bytes);
         memcpy(out + 2 * bytes * l + bytes, right, bytes);
      }
   }
}

static void
stage_texels(const struct tex *t, const struct place *p, unsigned bytes, struct stage *out)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;

   for (unsigned r = 0; r < 2; r++) {
#define STAGE(size)                                                     \
   case size:                                                           \
      if (p->neighbours)                                                \
         stage_row(base, p->row[r], p->step, true, size, out->row[r]);  \
      else                                                              \
         stage_row(base, p->row[r], p->step, false, size, out->row[r]); \
      break
      switch (bytes) {
         STAGE(1);
         STAGE(2);
         STAGE(4);
         STAGE(8);
         STAGE(16);
      default:
         break;
      }
#undef STAGE
   }
}

/* Vector n of elements of 16 bytes that are `stride` bytes apart, as dwords. */
V_INLINE void
load_elements(const uint8_t *from, unsigned stride, unsigned n, vu out[4])
{
   vf v[4];

   for (unsigned i = 0; i < 4; i++) {
      const float *p[VW / 4];
      for (unsigned q = 0; q < VW / 4; q++)
         p[q] = (const float *)(const void *)(from + (n * VW + 4 * q + i) * stride);
      v[i] = vf_load_quads(p);
   }
   vf_transpose_quads(v);
   for (unsigned i = 0; i < 4; i++)
      out[i] = (vu)v[i];
}

V_INLINE void
load_row(const uint8_t *row, unsigned dwords, bool blocks, unsigned n, vu left[4], vu right[4])
{
   if (blocks && dwords <= 2) {
      for (unsigned i = 0; i < dwords; i++) {
         left[i] = vu_load(row + (i * WAVE_LANES + n * VW) * 4);
         right[i] = vu_load(row + ((dwords + i) * WAVE_LANES + n * VW) * 4);
      }
   } else if (dwords == 1) {
      td_split_pairs((const uint64_t *)(const void *)(row + n * VW * 8), &left[0], &right[0]);
   } else if (dwords == 2) {
      vu both[4];
      load_elements(row, 16, n, both);
      left[0] = both[0], left[1] = both[1];
      right[0] = both[2], right[1] = both[3];
   } else {
      load_elements(row, 32, n, left);
      load_elements(row + 16, 32, n, right);
   }
}

/* ---------------------------------------------------------------------------------------------
 * Filters
 */

/* Channels that a register takes. */
V_INLINE unsigned
channels_of(const struct outputs *o)
{
   unsigned channels = 0;

   for (unsigned i = 0; i < 4; i++) {
      channels |= (unsigned)(o->channel[i] != NULL) << i;
      channels |= o->sel[i] <= SQ_SEL_W ? 1u << o->sel[i] : 0;
   }
   return channels;
}

/* The weighed sum of vector n at one level, of the channels asked for. */
V_INLINE void
filter(const struct tex *t, enum kind kind, unsigned dwords, const struct stage *in,
       const struct place *p, unsigned n, unsigned channels, vf color[4])
{
   vi full = vi_splat(256), x1 = vi_load(&p->wx[n * VW]), y1 = vi_load(&p->wy[n * VW]);
   vf fx1 = vf_from_vi(x1), fx0 = vf_from_vi(full - x1), scale = vf_splat(0x1p-16f);
   vf fy1 = vf_from_vi(y1) * scale, fy0 = vf_from_vi(full - y1) * scale;
   const vf weight[4] = { fx0 * fy0, fx1 * fy0, fx0 * fy1, fx1 * fy1 };
   vu texel[4][4];

   load_row(in->row[0], dwords, t->shift_x != 0, n, texel[0], texel[1]);
   load_row(in->row[1], dwords, t->shift_x != 0, n, texel[2], texel[3]);
   for (unsigned c = 0; c < 4; c++) {
      vf sum = vf_splat(0.0f);
      if (!(channels >> c & 1)) {
         color[c] = sum;
         continue;
      }
      for (unsigned k = 0; k < 4; k++) {
         vf v = decode(&t->decode, kind, dwords, texel[k], c);
         vf add = sum + v * weight[k];
         if (!is_finite(kind)) {
            /* A texel alone keeps its bits. */
            add = vf_select(vf_eq(weight[k], vf_splat(1.0f)), v, add);
            add = vf_select(vf_ne(weight[k], vf_splat(0.0f)), add, sum);
         }
         sum = add;
      }
      color[c] = sum;
   }
}

V_INLINE void
run_filter(const struct td_tex_bind *bind, const struct td_tex_args *args, enum kind kind,
           unsigned dwords)
{
   const struct tex *t = tex_of(bind);
   unsigned bytes = t->decode.bytes;
   bool uniform, between, blocks = t->shift_x != 0;
   struct td_lod lod;
   struct place p[2];
   struct stage stage[2];
   struct outputs out;

   if (is_finite(kind) && !rounds_to_nearest()) {
      K(td_sample_general)(bind, args);
      return;
   }
   uniform = find_levels(t, args, &lod);
   between = (lod.between & args->lanes) != 0;
   for (unsigned i = 0; i < 1u + between; i++) {
      const uint32_t *level = lod.level[i];
      uint32_t *const rows[2] = { (uint32_t *)(void *)stage[i].row[0],
                                  (uint32_t *)(void *)stage[i].row[1] };
      uint32_t *const *to = blocks ? rows : NULL;
      bool ok = uniform ? find_place(t, args, level, true, lod.linear, bytes, false, to, &p[i])
                        : find_place(t, args, level, false, lod.linear, bytes, false, to, &p[i]);
      if (!ok) {
         K(td_sample_general)(bind, args);
         return;
      }
      if (!blocks)
         stage_texels(t, &p[i], bytes, &stage[i]);
   }
   find_outputs(t, args, &out);
   unsigned channels = channels_of(&out);
   uint64_t filtered = t->z_filter == SQ_TEX_Z_FILTER_LINEAR ? ~UINT64_C(0) : lod.linear;
   for (unsigned n = 0; n < VECTORS; n++) {
      vf color[4], upper[4];
      filter(t, kind, dwords, &stage[0], &p[0], n, channels, color);
      for (unsigned c = 0; c < 4 && !is_finite(kind); c++) {
         /* Sums are canonical; between levels below. */
         if (!between)
            color[c] = vf_select(vm_lanes(filtered, n), vf_canon(color[c]), color[c]);
      }
      if (between) {
         vi f1 = vi_load(&lod.fraction[n * VW]);
         vf scale = vf_splat(0x1p-8f);
         vf weight0 = vf_from_vi(vi_splat(256) - f1) * scale, weight1 = vf_from_vi(f1) * scale;
         vm none = vi_eq(f1, vi_splat(0));
         filter(t, kind, dwords, &stage[1], &p[1], n, channels, upper);
         for (unsigned c = 0; c < 4; c++) {
            vf a = color[c], r = a * weight0 + upper[c] * weight1;
            if (!is_finite(kind)) {
               vf one = vf_select(vm_lanes(filtered, n), vf_canon(a), a);
               r = vf_select(none, one, vf_canon(r));
            }
            color[c] = r;
         }
      }
      write_vector(args, &out, n, color);
   }
}

/* ---------------------------------------------------------------------------------------------
 * Point
 */

V_INLINE void
find_points(const struct tex *t, const struct td_tex_args *args, const uint32_t *level,
            bool uniform, uint32_t *xs, uint32_t *ys)
{
   uint32_t width = tex_size(t->width, level[0]), height = tex_size(t->height, level[0]);
   bool wraps_x = t->clamp[0] == SQ_TEX_WRAP, wraps_y = t->clamp[1] == SQ_TEX_WRAP;

   for (unsigned n = 0; n < VECTORS; n++) {
      vu l = vu_load(&level[n * VW]);
      vi w = level_size(t->width, l, uniform, width);
      vi h = level_size(t->height, l, uniform, height);
      vi x = vi_sar(fixed_coord(t, 0, wraps_x, vf_loadu(&args->src[0][n * VW]), vf_from_vi(w)), 8);
      vi y = vi_sar(fixed_coord(t, 1, wraps_y, vf_loadu(&args->src[1][n * VW]), vf_from_vi(h)), 8);
      vi_store(&xs[n * VW], wrap_near(t, 0, x, w, w - vi_splat(1)));
      vi_store(&ys[n * VW], wrap_near(t, 1, y, h, h - vi_splat(1)));
   }
}

/* From the base level. */
V_INLINE void
point_offsets(const struct tex *t, const uint32_t *level, bool uniform, const uint32_t *xs,
              const uint32_t *ys, uint32_t *at)
{
   unsigned bytes = t->decode.bytes;
   struct level_table table;

   find_table(t, &table);
   for (unsigned n = 0; n < VECTORS; n++) {
      vu l = vu_load(&level[n * VW]);
      vu pitch = uniform ? vu_splat(table.pitch[level[0]]) : look_up(table.pitch, l);
      vu begin = uniform ? vu_splat(table.begin[level[0]]) : look_up(table.begin, l);
      vu_store(&at[n * VW],
               begin + vu_load(&xs[n * VW]) * vu_splat(bytes) + vu_load(&ys[n * VW]) * pitch);
   }
}

static void
load_points(const struct tex *t, const uint32_t *at, struct td_raw *raw)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;

   for (unsigned l = 0; l < WAVE_LANES; l++) {
      const uint8_t *p = base + (int32_t)at[l];
      switch (t->decode.bytes) {
      case 1:
         raw->dword[0][l] = *p;
         break;
      case 2:
         raw->dword[0][l] = 0;
         memcpy(&raw->dword[0][l], p, 2);
         break;
      case 4:
         memcpy(&raw->dword[0][l], p, 4);
         break;
      case 8:
         memcpy(&raw->dword[0][l], p, 4);
         memcpy(&raw->dword[1][l], p + 4, 4);
         break;
      default:
         for (unsigned i = 0; i < 4; i++)
            memcpy(&raw->dword[i][l], p + 4 * i, 4);
         break;
      }
   }
}

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
   if (t->levels == 0 || t->mip == SQ_TEX_Z_FILTER_NONE)
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&lod.level[0][n * VW], vu_splat(t->base));
   else
      uniform = find_levels(t, args, &lod);
   if (uniform)
      find_points(t, args, lod.level[0], true, xs, ys);
   else
      find_points(t, args, lod.level[0], false, xs, ys);
   if (t->shift_x) {
      const uint32_t *const x[2] = { xs }, *const y[2] = { ys };
      uint32_t *const to[2] = { raw.dword[0] };
      if (!K(td_block_read)(t, lod.level[0], uniform, args->lanes, x, y, 1, to)) {
         K(td_sample_general)(bind, args);
         return;
      }
   } else {
      if (uniform)
         point_offsets(t, lod.level[0], true, xs, ys, at);
      else
         point_offsets(t, lod.level[0], false, xs, ys, at);
      load_points(t, at, &raw);
   }
   find_outputs(t, args, &out);
   unsigned channels = channels_of(&out);
   bool canon = t->z_filter == SQ_TEX_Z_FILTER_LINEAR; /* never of integers */
   for (unsigned n = 0; n < VECTORS; n++) {
      vu texel[4];
      vf color[4];
      for (unsigned i = 0; i < dwords; i++)
         texel[i] = vu_load(&raw.dword[i][n * VW]);
      for (unsigned c = 0; c < 4; c++) {
         color[c] = channels >> c & 1 ? decode(&t->decode, kind, dwords, texel, c) : vf_splat(0.0f);
         if (canon)
            color[c] = vf_canon(color[c]);
      }
      write_vector(args, &out, n, color);
   }
}

/* ---------------------------------------------------------------------------------------------
 * The table
 */
#define POINT(kind, dwords)                                            \
   static void point_##kind##_##dwords(const struct td_tex_bind *bind, \
                                       const struct td_tex_args *args) \
   {                                                                   \
      run_point(bind, args, kind, dwords);                             \
   }
#define SAMPLERS(kind, dwords)                                          \
   POINT(kind, dwords)                                                  \
   static void filter_##kind##_##dwords(const struct td_tex_bind *bind, \
                                        const struct td_tex_args *args) \
   {                                                                    \
      run_filter(bind, args, kind, dwords);                             \
   }
SAMPLERS(UNORM, 1)
SAMPLERS(UNORM, 2)
SAMPLERS(SNORM, 1)
SAMPLERS(SNORM, 2)
SAMPLERS(SRGB, 1)
SAMPLERS(SHAREDEXP, 1)
SAMPLERS(HALF, 1)
SAMPLERS(HALF, 2)
SAMPLERS(SMALL, 1)
SAMPLERS(WORDS, 1)
SAMPLERS(WORDS, 2)
SAMPLERS(WORDS, 4)
POINT(INTS, 1)
POINT(INTS, 2)

/* False: none of the kinds. */
static bool
kind_of(const struct td_decode *d, enum kind *kind)
{
   unsigned present = 0, words = 0, halves = 0, is_signed = 0, most = 0;

   for (unsigned c = 0; c < 4; c++) {
      unsigned bits = d->channel[c].bits;
      if (!bits)
         continue;
      present++;
      words += bits == 32 && d->channel[c].pos == 32 * c;
      halves += bits == 16 && d->channel[c].pos == 16 * c;
      is_signed += d->comp[c] == SQ_FORMAT_COMP_SIGNED;
      if (d->comp[c] != SQ_FORMAT_COMP_SIGNED && d->comp[c] != SQ_FORMAT_COMP_UNSIGNED)
         return false;
      most = bits > most ? bits : most;
   }
   bool whole = words == present;
   if (!whole && d->bytes > 4 && halves != present)
      return false;
   switch (d->cls) {
   case TD_FLOAT:
      *kind = whole ? WORDS : halves == present ? HALF : SMALL;
      return whole || halves == present || most < 16;
   case TD_SHAREDEXP:
      *kind = SHAREDEXP;
      return true;
   case TD_PLAIN:
      break;
   default:
      return false;
   }
   if (d->num_format == SQ_NUM_FORMAT_INT) {
      *kind = whole ? WORDS : INTS;
      return true;
   }
   if (d->num_format != SQ_NUM_FORMAT_NORM || most > 24)
      return false;
   if (d->srgb) {
      *kind = SRGB;
      return d->bytes == 4 && !is_signed && most == 8;
   }
   *kind = is_signed ? SNORM : UNORM;
   return !is_signed ||
          (is_signed == present && most <= 16 && d->srf == SRF_MODE_ZERO_CLAMP_MINUS_ONE);
}

td_tex_fn *
K(td_sample_float)(struct tex *t)
{
#define ROW(kind, dwords) [kind][dwords] = { point_##kind##_##dwords, filter_##kind##_##dwords }
   static td_tex_fn *const table[INTS + 1][5][2] = {
      ROW(UNORM, 1),
      ROW(UNORM, 2),
      ROW(SNORM, 1),
      ROW(SNORM, 2),
      ROW(SRGB, 1),
      ROW(SHAREDEXP, 1),
      ROW(HALF, 1),
      ROW(HALF, 2),
      ROW(SMALL, 1),
      ROW(WORDS, 1),
      ROW(WORDS, 2),
      ROW(WORDS, 4),
      [INTS][1] = { point_INTS_1 },
      [INTS][2] = { point_INTS_2 },
   };
#undef ROW
   struct td_decode d = t->decode;
   unsigned bytes = t->shift_x == 2 ? 4 * td_block_dwords(d.format) : d.bytes;
   enum kind kind;

   if (t->shift_x == 1 || bytes > 16 || (bytes & (bytes - 1)))
      return NULL;
   /* As td_block_read() gives it. */
   d.bytes = (uint8_t)bytes;
   if (!kind_of(&d, &kind))
      return NULL;
   td_tex_fn *fn = table[kind][(bytes + 3) / 4][(t->mag | t->min) & 1];
   /* What a point sampler reads is not summed. */
   if (fn && !((t->mag | t->min) & 1))
      t->decode.unorm8 = false;
   return fn;
}
