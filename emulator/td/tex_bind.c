/* SPDX-License-Identifier: MIT */
/*
 * Makes struct tex of a texture, a sampler and an instruction, and chooses the kernel that runs
 * them; reads texels where no special sampler does.
 *
 * Whatever they say, the result is defined: every coordinate is clamped to the texture's sizes
 * before it becomes an address, and a texture that is not wholly mapped is read texel by texel
 * through vm_read(), which gives zero for what is missing.
 */
#include <atoll/float_bits.h>

#include "memory/vm.h"
#include "td/blocks.h"
#include "td/near.h"
#include "td/samplers.h"
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
      if (!args->dst[i] || sel > SWIZZLE_1)
         continue;
      for (unsigned n = 0; n < VECTORS; n++) {
         vu v =
            sel <= SWIZZLE_W ? vu_load(&color[sel][n * VW]) : vu_splat(sel == SWIZZLE_1 ? one : 0);
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
   bool kept = t->decode.format == FORMAT_BC6 || t->decode.format == FORMAT_BC7;
   struct td_block_cache *c = kept ? K(td_block_cache_of)(t->decode.format) : NULL;
   memset(raw->dword, 0, 2 * sizeof(wave_lane));
   for (uint64_t m = lanes; m; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t texel[2] = { 0, 0 };
      if (c) {
         uint32_t slot = td_block_slot(origin[l], x[l] >> 2, y[l] >> 2);
         td_block_need(c, slot, kind, p[l]);
         memcpy(texel, c->texel + (slot * 16 + (y[l] & 3) * 4 + (x[l] & 3)) * dwords, 4 * dwords);
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
      td_raw_swap(raw, t->decode.byte_swap, dwords);
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
      td_raw_swap(raw, t->decode.byte_swap, dwords);
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
      case TEXTURE_1D_ARRAY:
         color[1][l] = in ? layers : 0;
         break;
      case TEXTURE_3D:
         color[2][l] = in ? tex_size(t->depth, level) : 0;
         break;
      case TEXTURE_CUBE:
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
 * Binding
 */

static void
set_format(struct tex *t, const struct texture *texture, const struct sampler *sampler)
{
   const struct format_info *f = &format_info[texture->format];

   td_decode_init(&t->decode, texture->format, texture->conversion, texture->sign, texture->no_zero,
                  texture->byte_swap, texture->srgb || sampler->srgb);
   t->shift_x = f->width == 8 ? 3 : f->width == 4 ? 2 : f->width == 2 ? 1 : 0;
   t->shift_y = f->height == 4 ? 2 : 0;
   for (unsigned c = 0; c < 4; c++)
      t->sel[c] = texture->swizzle[c];
}

static void
set_levels(struct tex *t, const struct texture *texture)
{
   const uint64_t element = (uint64_t)format_info[texture->format].bytes * texture->samples;

   t->dim = texture->dim;
   t->width = texture->width;
   t->height = texture->height;
   t->depth = texture->depth;
   t->samples = texture->samples;
   t->base = texture->base_level;
   t->levels = texture->last_level - texture->base_level;
   t->base_array = texture->first_layer;
   t->num_layers = texture->layers;
   t->inside = t->near = true;
   for (unsigned l = t->base; l <= texture->last_level; l++) {
      struct tex_level *v = &t->level[l];
      uint64_t slices =
         t->dim == TEXTURE_3D ? tex_size(t->depth, l) : (uint64_t)t->base_array + t->num_layers;
      uint64_t rows = (tex_size(t->height, l) + (1u << t->shift_y) - 1) >> t->shift_y;
      uint64_t cols = (tex_size(t->width, l) + (1u << t->shift_x) - 1) >> t->shift_x;
      v->base = texture->level[l].va;
      v->slice8 = (uint32_t)(texture->level[l].slice_bytes / 8);
      v->pitch = texture->level[l].pitch;
      uint64_t need = (slices - 1) * v->slice8 * 8 + (rows - 1) * v->pitch + cols * element;
      if (need > INT32_MAX)
         t->near = false;
      if (v->base >= VM_SIZE || vm_extent(t->space, v->base, need) < need)
         t->inside = false;
   }
   /* Faces are square: seamless filtering relies on it. */
   if (t->dim == TEXTURE_CUBE)
      t->width = t->height = t->width < t->height ? t->width : t->height;
   if (t->inside)
      for (unsigned l = t->base; l <= texture->last_level; l++)
         t->level[l].base = (uintptr_t)vm_pointer(t->space, t->level[l].base);
}

static float
float_of(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, 4);
   return f;
}

/* What a fraction of a channel's largest value is; a component that is no channel has the number
 * itself. */
static uint32_t
whole_border(const struct td_decode *d, unsigned sel, float fraction)
{
   const bool channel = sel <= SWIZZLE_W && d->channel[sel].bits;
   const bool negative = !channel || d->sign[sel] != CHANNEL_UNSIGNED;
   const unsigned bits = (channel ? d->channel[sel].bits : 32u) - negative;
   const double most = (double)((UINT64_C(1) << bits) - 1);
   double v = channel ? fraction * most : fraction;

   v = v > (negative ? -most : 0) ? v : negative ? -most : 0;
   v = v < most ? v : most;
   return (uint32_t)(int64_t)(v < 0 ? v - 0.5 : v + 0.5);
}

/* Border colours are components, after the texture's swizzle, limited to what the format can
 * hold. */
static void
set_border(struct tex *t, const struct sampler *sampler)
{
   const struct td_decode *d = &t->decode;
   bool ints = td_decode_is_int(d);

   for (unsigned c = 0; c < 4; c++) {
      bool one = sampler->border == BORDER_OPAQUE_WHITE ||
                 (sampler->border == BORDER_OPAQUE_BLACK && c == 3);
      uint32_t v = one ? (ints ? 1u : F32_ONE) : 0;
      if (sampler->border == BORDER_CUSTOM)
         v = sampler->border_color[c];
      if (sampler->border == BORDER_CUSTOM && ints && sampler->border_fractions)
         v = whole_border(d, t->sel[c], float_of(v));
      if (!ints && d->cls == CLASS_PLAIN && d->conversion == CONVERT_NORM) {
         unsigned channel = t->sel[c] <= SWIZZLE_W ? t->sel[c] : 0;
         float f = float_of(v), lo = d->sign[channel] == CHANNEL_UNSIGNED ? 0.0f : -1.0f;
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
set_sampler(struct tex *t, const struct sampler *sampler, unsigned anisotropy, int lod_bias)
{
   bool gather = t->op == TD_GATHER4 || t->op == TD_GATHER4_O || t->op == TD_GATHER4_C ||
                 t->op == TD_GATHER4_C_O;

   for (unsigned a = 0; a < 3; a++)
      t->clamp[a] = sampler->wrap[a];
   t->mag = sampler->mag;
   t->min = sampler->min;
   t->z_filter = sampler->slices;
   t->mip = sampler->mip;
   t->aniso = sampler->anisotropy;
   t->aniso = t->aniso > anisotropy ? (uint8_t)anisotropy : t->aniso;
   t->aniso = t->aniso > 4 ? 4 : t->aniso;
   t->compare_func = sampler->compare;
   t->reduction = sampler->reduction;
   t->truncate = sampler->truncate && !gather;
   t->cube_wrap = !sampler->cube_faces;
   t->min_lod = sampler->min_lod;
   t->max_lod = sampler->max_lod;
   t->lod_bias = (int16_t)(sampler->lod_bias + lod_bias * 16);

   /* Integers are not filtered; nor does multisampling go with it. */
   bool ints = td_decode_is_int(&t->decode);
   if (ints || t->samples > 1)
      t->mag = t->min = FILTER_POINT;
   if (ints && t->mip == MIP_FILTER_LINEAR)
      t->mip = MIP_FILTER_POINT;
   if (ints)
      t->z_filter = SLICE_FILTER_POINT;
   if (!((t->mag | t->min) & FILTER_ANISOTROPIC_POINT))
      t->aniso = 0;
   if (t->levels == 0)
      t->mip = MIP_FILTER_NONE;

   t->compare = t->op >= TD_SAMPLE_C && t->op <= TD_GATHER4_C_O;
   t->decode.unorm8 =
      td_decode_can_unorm8(&t->decode) && t->dim != TEXTURE_3D && !t->aniso && !t->compare;
   set_border(t, sampler);
}

void
K(td_bind_tex)(struct td_tex_bind *bind, const struct td_lookup *lookup,
               const struct texture *texture, const struct sampler *sampler)
{
   struct tex *t = (struct tex *)(void *)bind->state;

   /* The levels are only written where they exist. */
   memset(t, 0, offsetof(struct tex, level));
   t->op = lookup->op;
   t->modifier = lookup->modifier;
   t->plain_gather = lookup->plain_gather;
   for (unsigned i = 0; i < 4; i++)
      t->dst_sel[i] = lookup->swizzle[i];
   for (unsigned i = 0; i < 3; i++) {
      t->offset[i] = lookup->offset[i];
      t->normalized[i] = lookup->normalized >> i & 1;
   }
   bind->run = run_zero;
   bind->run_series = NULL;
   bind->multisampled = false;
   if (!texture)
      return;
   t->space = texture->vm;
   if (texture->dim == TEXTURE_BUFFER) {
      if (t->op != TD_GET_RESINFO)
         return;
      t->dim = TEXTURE_BUFFER;
      t->width = texture->width;
      t->height = t->num_layers = t->depth = t->samples = 1;
      bind->run = run_resinfo;
      return;
   }
   set_format(t, texture, sampler);
   if (t->decode.cls == CLASS_NONE)
      return;
   set_levels(t, texture);
   bind->multisampled = t->dim == TEXTURE_2D_SAMPLES || t->dim == TEXTURE_2D_ARRAY_SAMPLES;

   switch (t->op) {
   case TD_LD:
      bind->run = K(td_load_choose)(t);
      return;
   case TD_GET_RESINFO:
   case TD_GET_SAMPLES:
      t->decode.conversion = CONVERT_INT;
      bind->run = run_resinfo;
      return;
   default:
      break;
   }
   set_sampler(t, sampler, texture->anisotropy, lookup->lod_bias);
   switch (t->op) {
   case TD_GET_LOD:
      bind->run = K(td_lod_general);
      return;
   case TD_GATHER4:
   case TD_GATHER4_O:
   case TD_GATHER4_C:
   case TD_GATHER4_C_O:
      K(td_choose_gather)(bind, t);
      return;
   default:
      break;
   }
   if (!td_op_samples(t->op))
      return;
   K(td_choose_sampler)(bind, t);
}
