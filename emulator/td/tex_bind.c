/* SPDX-License-Identifier: MIT */
/*
 * Decodes texture and sampler descriptors (HD 6900 ISA 5, include/atoll/cayman/descriptors.def)
 * into struct tex and chooses the kernel that runs them.
 *
 * Whatever the words say, the result is defined: dimensions come from fields of fixed width, every
 * coordinate is clamped to them before it becomes an address, and a texture that is not wholly
 * mapped is read texel by texel through vm_read(), which gives zero for what is missing.
 */
#include <atoll/cayman/descriptors.h>
#include <atoll/float_bits.h>

#include "memory/vm.h"
#include "td/blocks.h"
#include "td/near.h"
#include "td/surface.h"
#include "td/tex.h"

static void
run_zero(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   wave_lane zero[4];
   memset(zero, 0, sizeof(zero));
   K(td_write)(tex_of(bind), args, zero);
}

void
K(td_write)(const struct tex *t, const struct td_tex_args *args, const wave_lane color[4])
{
   uint32_t one = td_decode_is_int(&t->decode) && t->op != TD_GET_LOD && !t->compare ? 1u : F32_ONE;
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = t->dst_sel[i];
      if (!args->dst[i] || sel > SQ_SEL_1)
         continue;
      for (unsigned n = 0; n < VECTORS; n++) {
         vu v =
            sel <= SQ_SEL_W ? vu_load(&color[sel][n * VW]) : vu_splat(sel == SQ_SEL_1 ? one : 0);
         vu_store_masked(&args->dst[i][n * VW], vm_lanes(args->lanes, n), v);
      }
   }
}

V_INLINE uint64_t
texel_address(const struct tex *t, unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
   const struct tex_level *v = &t->level[level];
   return v->base + (uint64_t)slice * v->slice8 * 8 + (uint64_t)y * v->pitch + x;
}

/* Whether offsets from one level's base reach the texels of all lanes, which mostly do. */
V_INLINE bool
on_one_level(const struct tex *t, const uint32_t *level)
{
   const vu first = vu_splat(level[0]);
   vu differ = vu_splat(0);

   for (unsigned n = 0; n < VECTORS; n++)
      differ = differ | (vu_load(&level[n * VW]) ^ first);
   return t->near && !vm_any(vu_ne(differ, vu_splat(0)));
}

/* Offsets of a vector's texels from a level's base. */
V_INLINE vu
find_offsets(const struct tex_level *level, const uint32_t *x, const uint32_t *y,
             const uint32_t *slice, unsigned bytes)
{
   return vu_load(x) * vu_splat(bytes) + vu_load(y) * vu_splat(level->pitch) +
          vu_load(slice) * vu_splat(level->slice8 * 8);
}

/* All lanes, no blocks, one sample, all readable. */
V_INLINE void
find_addresses(const struct tex *t, const uint32_t *level, const uint32_t *x, const uint32_t *y,
               const uint32_t *slice, unsigned bytes, const uint8_t *at[WAVE_LANES])
{
   if (!on_one_level(t, level)) {
      for (unsigned l = 0; l < WAVE_LANES; l++)
         at[l] =
            (const uint8_t *)(uintptr_t)texel_address(t, level[l], x[l] * bytes, y[l], slice[l]);
      return;
   }
   const struct tex_level *v = &t->level[level[0]];
   const uint8_t *base = (const uint8_t *)(uintptr_t)v->base;
   for (unsigned n = 0; n < VECTORS; n++) {
      uint32_t offset[VW] __attribute__((aligned(VW * 4)));
      vu_store(offset, find_offsets(v, &x[n * VW], &y[n * VW], &slice[n * VW], bytes));
      for (unsigned i = 0; i < VW; i++)
         at[n * VW + i] = base + offset[i];
   }
}

/* The same for texels of four or eight bytes, which are read. */
V_INLINE void
fetch_near(const struct tex_level *level, const uint32_t *x, const uint32_t *y,
           const uint32_t *slice, unsigned bytes, struct td_raw *raw)
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)level->base;

   for (unsigned n = 0; n < VECTORS; n++) {
      vu texel[2];

      load_near(base, find_offsets(level, &x[n * VW], &y[n * VW], &slice[n * VW], bytes), bytes,
                texel);
      vu_store(&raw->dword[0][n * VW], texel[0]);
      if (bytes == 8)
         vu_store(&raw->dword[1][n * VW], texel[1]);
   }
}

V_INLINE void
fetch_plain(const struct tex *t, const uint32_t *level, const uint32_t *x, const uint32_t *y,
            const uint32_t *slice, unsigned bytes, struct td_raw *raw)
{
   uint64_t pairs[WAVE_LANES] __attribute__((aligned(64)));
   const uint8_t *at[WAVE_LANES];

   if ((bytes == 4 || bytes == 8) && on_one_level(t, level)) {
      fetch_near(&t->level[level[0]], x, y, slice, bytes, raw);
      return;
   }
   find_addresses(t, level, x, y, slice, bytes, at);
   if (bytes == 12 || bytes == 16) {
      for (unsigned n = 0; n < VECTORS; n++) {
         vu v[4];
         load_longs(&at[n * VW], bytes, v);
         for (unsigned i = 0; i < bytes / 4; i++)
            vu_store(&raw->dword[i][n * VW], v[i]);
      }
      return;
   }
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      if (bytes <= 4) {
         uint32_t v = 0;
         memcpy(&v, at[l], bytes);
         raw->dword[0][l] = v;
      } else {
         memcpy(&pairs[l], at[l], 8);
      }
   }
   if (bytes == 8) {
      for (unsigned n = 0; n < VECTORS; n++) {
         vu a, b;
         td_split_pairs(&pairs[n * VW], &a, &b);
         vu_store(&raw->dword[0][n * VW], a);
         vu_store(&raw->dword[1][n * VW], b);
      }
   }
}

/* Compressed and subsampled texels become the dwords that the decoder was set up for.  `origin` is
 * td_block_origin()'s of each lane's layer and level. */
static void
fetch_blocks(const struct tex *t, const uint8_t *const p[WAVE_LANES],
             const uint32_t origin[WAVE_LANES], const wave_lane x, const wave_lane y,
             uint64_t lanes, struct td_raw *raw)
{
   unsigned bytes = t->decode.bytes, dwords = td_block_dwords(t->decode.format);
   unsigned kind = td_block_kind(&t->decode);

   if (td_block_is_simple(t->decode.format) && lanes) {
      const uint8_t *all[WAVE_LANES];
      struct td_raw blocks;
      wave_lane texel;
      for (unsigned l = 0; l < WAVE_LANES; l++) {
         all[l] = p[lanes >> l & 1 ? l : (unsigned)__builtin_ctzll(lanes)];
         texel[l] = (x[l] & 3) | (y[l] & 3) << 2;
      }
      K(td_block_load)(all, bytes, &blocks);
      K(td_block_texels)
      (t->decode.format, td_block_signs(&t->decode), &blocks, texel, raw->dword[0], raw->dword[1]);
      return;
   }
   bool kept = t->decode.format == FMT_BC6 || t->decode.format == FMT_BC7;
   struct td_block_cache *c = kept ? K(td_block_cache_of)(t->decode.format) : NULL;
   memset(raw->dword, 0, 2 * sizeof(wave_lane));
   for (uint64_t m = lanes; m; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t texel[2] = { 0, 0 };
      if (c) {
         uint32_t place = td_block_place(origin[l], x[l] >> 2, y[l] >> 2);
         td_block_need(c, place, kind, p[l]);
         memcpy(texel, c->texel + (place * 16 + (y[l] & 3) * 4 + (x[l] & 3)) * dwords, 4 * dwords);
      } else {
         K(td_block_one)(&t->decode, p[l], x[l], y[l], texel);
      }
      raw->dword[0][l] = texel[0];
      raw->dword[1][l] = texel[1];
   }
}

void
K(td_fetch_texels)(const struct tex *t, const wave_lane level, const wave_lane x, const wave_lane y,
                   const wave_lane slice, const wave_lane *sample, uint64_t lanes,
                   struct td_raw *raw)
{
   const uint8_t *p[WAVE_LANES];
   uint32_t origin[WAVE_LANES];
   unsigned bytes = t->decode.bytes, dwords = (bytes + 3) / 4;
   uint8_t copy[WAVE_LANES][16];
   bool blocks = (t->shift_x | t->shift_y) != 0;

   if (t->inside && !blocks && t->samples == 1 && lanes == ~UINT64_C(0)) {
      switch (bytes) {
      case 1:
         fetch_plain(t, level, x, y, slice, 1, raw);
         break;
      case 2:
         fetch_plain(t, level, x, y, slice, 2, raw);
         break;
      case 4:
         fetch_plain(t, level, x, y, slice, 4, raw);
         break;
      case 8:
         fetch_plain(t, level, x, y, slice, 8, raw);
         break;
      case 12:
         fetch_plain(t, level, x, y, slice, 12, raw);
         break;
      case 16:
         fetch_plain(t, level, x, y, slice, 16, raw);
         break;
      default:
         goto any;
      }
      td_raw_swap(raw, t->decode.endian, dwords);
      return;
   }
any:
   for (uint64_t m = lanes; m; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t element = x[l] >> t->shift_x;
      if (t->samples > 1)
         element = element * t->samples + (sample ? (*sample)[l] : 0);
      uint64_t at = texel_address(t, level[l], element * bytes, y[l] >> t->shift_y, slice[l]);
      if (blocks)
         origin[l] = td_block_origin(texel_address(t, level[l], 0, 0, slice[l]), level[l]);
      if (t->inside) {
         p[l] = (const uint8_t *)(uintptr_t)at;
      } else {
         vm_read(t->space, at, copy[l], bytes);
         p[l] = copy[l];
      }
   }
   if (!blocks) {
      td_raw_load(raw, p, bytes, lanes);
      td_raw_swap(raw, t->decode.endian, dwords);
      return;
   }

   fetch_blocks(t, p, origin, x, y, lanes, raw);
}

/* ---------------------------------------------------------------------------------------------
 * The queries
 */
static void
run_resinfo(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   const struct tex *t = tex_of(bind);
   wave_lane color[4];

   for (unsigned l = 0; l < WAVE_LANES; l++) {
      uint32_t lod = t->op == TD_GET_SAMPLES ? 0 : args->src[0][l];
      bool in = lod <= t->levels;
      unsigned level = t->base + (in ? lod : 0);
      uint32_t layers = t->num_layers;
      color[0][l] = in ? tex_size(t->width, level) : 0;
      color[1][l] = in ? tex_size(t->height, level) : 0;
      color[2][l] = in ? layers : 0;
      switch (t->dim) {
      case SQ_TEX_DIM_1D_ARRAY:
         color[1][l] = in ? layers : 0;
         break;
      case SQ_TEX_DIM_3D:
         color[2][l] = in ? tex_size(t->depth, level) : 0;
         break;
      case SQ_TEX_DIM_CUBEMAP:
         color[2][l] = in ? layers / 6 : 0;
         break;
      default:
         break;
      }
      color[3][l] = t->op == TD_GET_SAMPLES ? t->samples : t->levels + 1u;
   }
   K(td_write)(t, args, color);
}

/* ---------------------------------------------------------------------------------------------
 * Decoding
 */

static void
decode_format(struct tex *t, const uint32_t *w, const uint32_t *s)
{
   unsigned comp[4] = {
      REG_FIELD_GET(w[4], TEX_WORD4, FORMAT_COMP_X),
      REG_FIELD_GET(w[4], TEX_WORD4, FORMAT_COMP_Y),
      REG_FIELD_GET(w[4], TEX_WORD4, FORMAT_COMP_Z),
      REG_FIELD_GET(w[4], TEX_WORD4, FORMAT_COMP_W),
   };
   bool degamma = REG_FIELD_GET(w[4], TEX_WORD4, FORCE_DEGAMMA) ||
                  (s && REG_FIELD_GET(s[2], SAMPLER_WORD2, FORCE_DEGAMMA));
   td_decode_init(&t->decode, REG_FIELD_GET(w[7], TEX_WORD7, DATA_FORMAT),
                  REG_FIELD_GET(w[4], TEX_WORD4, NUM_FORMAT_ALL), comp,
                  REG_FIELD_GET(w[4], TEX_WORD4, SRF_MODE_ALL),
                  REG_FIELD_GET(w[4], TEX_WORD4, ENDIAN_SWAP), degamma);
   const struct td_format *f = &td_formats[t->decode.format];
   t->shift_x = f->block_w == 8 ? 3 : f->block_w == 4 ? 2 : f->block_w == 2 ? 1 : 0;
   t->shift_y = f->block_h == 4 ? 2 : 0;
   t->sel[0] = REG_FIELD_GET(w[4], TEX_WORD4, DST_SEL_X);
   t->sel[1] = REG_FIELD_GET(w[4], TEX_WORD4, DST_SEL_Y);
   t->sel[2] = REG_FIELD_GET(w[4], TEX_WORD4, DST_SEL_Z);
   t->sel[3] = REG_FIELD_GET(w[4], TEX_WORD4, DST_SEL_W);
}

/* `base_only`: no other level is read. */
static void
decode_levels(struct tex *t, const uint32_t *w, bool base_only)
{
   const struct td_format *f = &td_formats[t->decode.format];
   bool array = false, msaa = false;
   uint32_t depth = REG_FIELD_GET(w[1], TEX_WORD1, TEX_DEPTH) + 1;
   uint32_t pitch = (REG_FIELD_GET(w[0], TEX_WORD0, PITCH) + 1) * 8;
   unsigned last = REG_FIELD_GET(w[5], TEX_WORD5, LAST_LEVEL);

   t->dim = REG_FIELD_GET(w[0], TEX_WORD0, DIM);
   t->width = REG_FIELD_GET(w[0], TEX_WORD0, TEX_WIDTH) + 1;
   t->height = REG_FIELD_GET(w[1], TEX_WORD1, TEX_HEIGHT) + 1;
   t->depth = 1;
   t->samples = 1;
   t->base = REG_FIELD_GET(w[4], TEX_WORD4, BASE_LEVEL);
   t->base_array = REG_FIELD_GET(w[5], TEX_WORD5, BASE_ARRAY);
   t->num_layers = REG_FIELD_GET(w[5], TEX_WORD5, LAST_ARRAY);
   t->num_layers = t->num_layers < t->base_array ? 1 : t->num_layers - t->base_array + 1;

   struct surface s = {
      .width = t->width,
      .height = t->height,
      .depth = 1,
      .layers = 1,
      .pitch = pitch >> t->shift_x,
      .array_mode = REG_FIELD_GET(w[1], TEX_WORD1, ARRAY_MODE),
      .bytes = f->bytes,
      .block_w = f->block_w,
      .block_h = f->block_h,
   };
   switch (t->dim) {
   case SQ_TEX_DIM_1D:
      s.height = t->height = 1;
      break;
   case SQ_TEX_DIM_1D_ARRAY:
      s.height = t->height = 1;
      array = true;
      break;
   case SQ_TEX_DIM_3D:
      s.depth = t->depth = depth;
      t->base_array = 0;
      t->num_layers = 1;
      break;
   case SQ_TEX_DIM_CUBEMAP:
      s.layers = depth * 6;
      t->num_layers = (t->num_layers + 5) / 6 * 6;
      break;
   case SQ_TEX_DIM_2D_ARRAY:
      array = true;
      break;
   case SQ_TEX_DIM_2D_MSAA:
      msaa = true;
      break;
   case SQ_TEX_DIM_2D_ARRAY_MSAA:
      array = msaa = true;
      break;
   default:
      break;
   }
   if (array)
      s.layers = depth;
   else if (t->dim != SQ_TEX_DIM_CUBEMAP)
      t->num_layers = 1;
   if (msaa) {
      t->samples = (uint8_t)(1u << (last > 4 ? 4 : last));
      t->base = 0;
      last = 0;
   }
   s.samples = t->samples;
   if (REG_FIELD_GET(w[7], TEX_WORD7, DEPTH_SAMPLE_ORDER))
      s.align_x = surface_plane_align(s.array_mode, t->width, pitch,
                                      REG_FIELD_GET(w[7], TEX_WORD7, BANK_HEIGHT));
   last = last > TEX_LEVELS - 1 ? TEX_LEVELS - 1 : last;
   t->base = t->base > last ? (uint8_t)last : t->base;
   last = base_only ? t->base : last;
   t->levels = (uint8_t)(last - t->base);
   surface_macro_tile(
      &s, REG_FIELD_GET(w[7], TEX_WORD7, BANK_WIDTH), REG_FIELD_GET(w[7], TEX_WORD7, BANK_HEIGHT),
      REG_FIELD_GET(w[7], TEX_WORD7, MACRO_TILE_ASPECT), REG_FIELD_GET(w[7], TEX_WORD7, NUM_BANKS));

   struct surface_level levels[SURFACE_MAX_LEVELS];
   surface_layout(&s, last, levels);

   uint64_t base = (uint64_t)w[2] << 8, mips = (uint64_t)w[3] << 8;
   uint64_t element = (uint64_t)s.bytes * s.samples;
   t->inside = t->near = true;
   for (unsigned l = t->base; l <= last; l++) {
      struct tex_level *v = &t->level[l];
      uint64_t slices =
         t->dim == SQ_TEX_DIM_3D ? tex_size(t->depth, l) : (uint64_t)t->base_array + t->num_layers;
      uint64_t rows = (tex_size(t->height, l) + (1u << t->shift_y) - 1) >> t->shift_y;
      uint64_t cols = (tex_size(t->width, l) + (1u << t->shift_x) - 1) >> t->shift_x;
      v->base = (l ? mips : base) + levels[l].offset;
      v->slice8 = (uint32_t)(levels[l].slice_bytes / 8);
      v->pitch = (uint32_t)(levels[l].pitch * element);
      uint64_t need = (slices - 1) * v->slice8 * 8 + (rows - 1) * v->pitch + cols * element;
      if (need > INT32_MAX)
         t->near = false;
      if (v->base >= VM_SIZE || vm_extent(t->space, v->base, need) < need)
         t->inside = false;
   }
   /* Faces are square: seamless filtering relies on it. */
   if (t->dim == SQ_TEX_DIM_CUBEMAP)
      t->width = t->height = t->width < t->height ? t->width : t->height;
   if (t->inside)
      for (unsigned l = t->base; l <= last; l++)
         t->level[l].base = (uintptr_t)vm_pointer(t->space, t->level[l].base);
}

static float
float_of(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, 4);
   return f;
}

/* Border colours are components, after the resource's DST_SEL, limited to what the format can
 * hold. */
static void
decode_border(struct tex *t, unsigned type, const struct td_border *border)
{
   const struct td_decode *d = &t->decode;
   bool ints = td_decode_is_int(d);

   for (unsigned c = 0; c < 4; c++) {
      bool one = type == SQ_TEX_BORDER_COLOR_OPAQUE_WHITE ||
                 (type == SQ_TEX_BORDER_COLOR_OPAQUE_BLACK && c == 3);
      uint32_t v = one ? (ints ? 1u : F32_ONE) : 0;
      if (type == SQ_TEX_BORDER_COLOR_REGISTER && border)
         v = border->rgba[c];
      if (!ints && d->cls == TD_PLAIN && d->num_format == SQ_NUM_FORMAT_NORM) {
         unsigned channel = t->sel[c] <= SQ_SEL_W ? t->sel[c] : 0;
         float f = float_of(v), lo = d->comp[channel] == SQ_FORMAT_COMP_UNSIGNED ? 0.0f : -1.0f;
         f = f > lo ? f : lo;
         f = f < 1.0f ? f : 1.0f;
         if (d->unorm8)
            f = (float)(int)(f * 255.0f + 0.5f);
         memcpy(&v, &f, 4);
      }
      t->border[c] = v;
   }
}

static void
decode_sampler(struct tex *t, const struct td_tex_desc *desc, unsigned resource_aniso)
{
   static const uint32_t none[3];
   const uint32_t *s = desc->sampler ? desc->sampler : none;
   bool gather = t->op == TD_GATHER4 || t->op == TD_GATHER4_O || t->op == TD_GATHER4_C ||
                 t->op == TD_GATHER4_C_O;

   t->clamp[0] = REG_FIELD_GET(s[0], SAMPLER_WORD0, CLAMP_X);
   t->clamp[1] = REG_FIELD_GET(s[0], SAMPLER_WORD0, CLAMP_Y);
   t->clamp[2] = REG_FIELD_GET(s[0], SAMPLER_WORD0, CLAMP_Z);
   t->mag = REG_FIELD_GET(s[0], SAMPLER_WORD0, XY_MAG_FILTER);
   t->min = REG_FIELD_GET(s[0], SAMPLER_WORD0, XY_MIN_FILTER);
   t->z_filter = REG_FIELD_GET(s[0], SAMPLER_WORD0, Z_FILTER);
   t->mip = REG_FIELD_GET(s[0], SAMPLER_WORD0, MIP_FILTER);
   t->aniso = REG_FIELD_GET(s[0], SAMPLER_WORD0, MAX_ANISO_RATIO);
   t->aniso = t->aniso > resource_aniso ? (uint8_t)resource_aniso : t->aniso;
   t->aniso = t->aniso > 4 ? 4 : t->aniso;
   t->compare_func = REG_FIELD_GET(s[0], SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION);
   t->reduction = REG_FIELD_GET(s[0], SAMPLER_WORD0, FILTER_MODE);
   t->truncate = REG_FIELD_GET(s[2], SAMPLER_WORD2, TRUNCATE_COORD) && !gather;
   t->cube_wrap = !REG_FIELD_GET(s[2], SAMPLER_WORD2, DISABLE_CUBE_WRAP);
   t->min_lod = (int16_t)REG_FIELD_GET(s[1], SAMPLER_WORD1, MIN_LOD);
   t->max_lod = (int16_t)REG_FIELD_GET(s[1], SAMPLER_WORD1, MAX_LOD);
   int32_t bias = (int32_t)(REG_FIELD_GET(s[2], SAMPLER_WORD2, LOD_BIAS) << 18) >> 18;
   t->lod_bias = (int16_t)(bias + desc->lod_bias * 16);

   /* Integers are not filtered; nor does multisampling go with it. */
   bool ints = td_decode_is_int(&t->decode);
   if (ints || t->samples > 1)
      t->mag = t->min = SQ_TEX_XY_FILTER_POINT;
   if (ints && t->mip == SQ_TEX_Z_FILTER_LINEAR)
      t->mip = SQ_TEX_Z_FILTER_POINT;
   if (ints)
      t->z_filter = SQ_TEX_Z_FILTER_POINT;
   if (!((t->mag | t->min) & 2))
      t->aniso = 0;
   if (t->levels == 0)
      t->mip = SQ_TEX_Z_FILTER_NONE;

   t->compare = t->op >= TD_SAMPLE_C && t->op <= TD_GATHER4_C_O;
   t->decode.unorm8 =
      td_decode_can_unorm8(&t->decode) && t->dim != SQ_TEX_DIM_3D && !t->aniso && !t->compare;
   decode_border(t, REG_FIELD_GET(s[0], SAMPLER_WORD0, BORDER_COLOR_TYPE), desc->border);
}

/* Whether the operation is a lookup by coordinates that gives a colour. */
static bool
is_sample(enum td_tex_op op)
{
   switch (op) {
   case TD_SAMPLE:
   case TD_SAMPLE_L:
   case TD_SAMPLE_LB:
   case TD_SAMPLE_LZ:
   case TD_SAMPLE_G:
   case TD_SAMPLE_G_LB:
   case TD_SAMPLE_C:
   case TD_SAMPLE_C_L:
   case TD_SAMPLE_C_LB:
   case TD_SAMPLE_C_LZ:
   case TD_SAMPLE_C_G:
   case TD_SAMPLE_C_G_LB:
      return true;
   default:
      return false;
   }
}

static bool
has_mip_filter(const uint32_t *sampler)
{
   return sampler && REG_FIELD_GET(sampler[0], SAMPLER_WORD0, MIP_FILTER) != SQ_TEX_Z_FILTER_NONE;
}

void
K(td_bind_tex)(struct td_tex_bind *bind, const struct td_tex_desc *desc)
{
   struct tex *t = (struct tex *)(void *)bind->state;
   const uint32_t *w = desc->resource;

   /* The levels are only written where they exist. */
   memset(t, 0, offsetof(struct tex, level));
   t->space = desc->vm;
   t->op = desc->op;
   t->inst_mod = desc->inst_mod & 3;
   t->plain_gather = desc->plain_gather;
   for (unsigned i = 0; i < 4; i++)
      t->dst_sel[i] = desc->dst_sel[i];
   for (unsigned i = 0; i < 3; i++) {
      t->offset[i] = desc->offset[i];
      t->normalized[i] = desc->coord_type >> i & 1;
   }
   bind->run = run_zero;
   bind->run_series = NULL;
   if (!w)
      return;

   unsigned type = REG_FIELD_GET(w[7], TEX_WORD7, TYPE);
   if (type == SQ_RESOURCE_BUFFER && desc->op == TD_GET_RESINFO) {
      t->width = w[4];
      t->height = t->num_layers = t->depth = t->samples = 1;
      bind->run = run_resinfo;
      return;
   }
   if (type != SQ_RESOURCE_TEXTURE)
      return;
   decode_format(t, w, desc->sampler);
   if (t->decode.cls == TD_INVALID)
      return;
   decode_levels(t, w, is_sample(desc->op) && !has_mip_filter(desc->sampler));

   switch (desc->op) {
   case TD_LD:
      bind->run = K(td_load_choose)(t);
      return;
   case TD_GET_RESINFO:
   case TD_GET_SAMPLES:
      t->decode.num_format = SQ_NUM_FORMAT_INT;
      bind->run = run_resinfo;
      return;
   default:
      break;
   }
   decode_sampler(t, desc, REG_FIELD_GET(w[6], TEX_WORD6, MAX_ANISO_RATIO));
   switch (desc->op) {
   case TD_GET_LOD:
      bind->run = K(td_lod_general);
      return;
   case TD_GATHER4:
   case TD_GATHER4_O:
   case TD_GATHER4_C:
   case TD_GATHER4_C_O:
      bind->run = K(td_gather_general);
      return;
   default:
      break;
   }
   if (!is_sample(desc->op))
      return;
   td_tex_fn *special = t->reduction ? NULL : K(td_sample_special)(t);
   bind->run = special ? special : K(td_sample_general);
   bind->run_series = special ? K(td_series_of)(t) : NULL;
}
