/* SPDX-License-Identifier: MIT */
/*
 * LD: texels by their numbers, HD 6900 ISA 8.2.
 *
 * What lies outside of the texture reads 0 in all components that are of a channel.  Textures of
 * one level of two dimensions, with texels that lie in rows and can all be read, have a quick form:
 * programs mostly read what is at their own pixel, so that a quad's left and right texels are
 * neighbours and one load has both.
 */
#include "td/near.h"
#include "port/quotient.h"
#include "td/rows.h"
#include "td/samplers.h"
#include "td/tex.h"
#include "td/texel.h"
#include "td/window.h"

/* Decodes texels and writes the registers; `good`: the lanes that are inside. */
static void
finish_load(const struct tex *t, const struct td_tex_args *args, const struct td_raw *raw,
            uint64_t good)
{
   const bool all = td_writes_all(args);
   wave_lane own;

   for (unsigned i = 0; i < 4; i++) {
      const unsigned component = t->dst_sel[i];
      const unsigned sel = component <= SWIZZLE_W ? t->sel[component] : component;
      uint32_t *to = all ? args->dst[i] : own;

      if (!args->dst[i] || component > SWIZZLE_1)
         continue;
      if (sel <= SWIZZLE_W)
         td_decode_wave(&t->decode, raw, sel, to);
      else
         for (unsigned n = 0; n < VECTORS; n++)
            vu_store(&to[n * VW], vu_splat(sel == SWIZZLE_1 ? td_one(&t->decode) : 0));
      for (unsigned n = 0; n < VECTORS && sel <= SWIZZLE_W && ~good; n++)
         vu_store(&to[n * VW], vu_keep(vm_lanes(good, n), vu_load(&to[n * VW])));
      for (unsigned n = 0; n < VECTORS && !all; n++)
         vu_store_masked(&args->dst[i][n * VW], vm_lanes(args->lanes, n), vu_load(&to[n * VW]));
   }
}

static void
load_general(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   const struct tex *t = tex_of(bind);
   bool msaa = t->dim == TEXTURE_2D_SAMPLES || t->dim == TEXTURE_2D_ARRAY_SAMPLES;
   wave_lane x, y, slice, level, sample, color[4];
   uint64_t good = 0;

   if (t->modifier == 1) { /* fragment pointers: samples are stored in order */
      uint32_t known = t->samples < 8 ? (1u << (4 * t->samples)) - 1 : ~0u;
      for (unsigned c = 0; c < 4; c++)
         for (unsigned n = 0; n < VECTORS; n++)
            vu_store(&color[c][n * VW], vu_splat(0x76543210u & known));
      K(td_write)(t, args, color);
      return;
   }
   bool has_y = t->dim != TEXTURE_1D && t->dim != TEXTURE_1D_ARRAY;
   bool has_z = t->dim != TEXTURE_1D && t->dim != TEXTURE_2D && t->dim != TEXTURE_2D_SAMPLES;
   bool volume = t->dim == TEXTURE_3D;
   for (unsigned n = 0; n < VECTORS; n++) {
      vu one = vu_splat(1), w3 = vu_loadu(&args->src[3][n * VW]);
      vu l = vu_splat(t->base);
      /* Lanes that are not asked for read, too, what they name: quads stay whole. */
      vm in = vm_all();

      if (!msaa) {
         in = vm_and(in, vu_le(w3, vu_splat(t->levels)));
         l = l + vu_keep(in, w3);
      } else {
         in = vm_and(in, vu_lt(w3, vu_splat(t->samples)));
         vu_store(&sample[n * VW], vu_keep(in, w3));
      }
      vu w = vu_max(vu_shrv(vu_splat(t->width), l), one);
      vu cx = vu_loadu(&args->src[0][n * VW]) + vu_splat((uint32_t)(t->offset[0] >> 1));
      vu cy = vu_splat(0), cz = vu_splat(0);
      in = vm_and(in, vu_lt(cx, w));
      if (has_y) {
         vu h = vu_max(vu_shrv(vu_splat(t->height), l), one);
         cy = vu_loadu(&args->src[1][n * VW]) + vu_splat((uint32_t)(t->offset[1] >> 1));
         in = vm_and(in, vu_lt(cy, h));
      }
      if (has_z) {
         vu d = volume ? vu_max(vu_shrv(vu_splat(t->depth), l), one) : vu_splat(t->num_layers);
         cz = vu_loadu(&args->src[2][n * VW]);
         cz = volume ? cz + vu_splat((uint32_t)(t->offset[2] >> 1)) : cz;
         in = vm_and(in, vu_lt(cz, d));
      }
      vu_store(&level[n * VW], l);
      vu_store(&x[n * VW], vu_keep(in, cx));
      vu_store(&y[n * VW], vu_keep(in, cy));
      vu_store(&slice[n * VW], vu_keep(in, cz) + vu_splat(t->base_array));
      good |= vm_to_lanes(in, n);
   }
   good &= args->lanes;

   /* Lanes that are out read texel 0, which is as good as any, and drop it. */
   struct td_raw raw;
   bool all = t->inside && !(t->shift_x | t->shift_y);
   K(td_fetch_texels)
   (t, level, x, y, slice, msaa ? &sample : NULL, all ? ~UINT64_C(0) : good, &raw);
   finish_load(t, args, &raw, good);
}

/* For observers: where LD finds a texel; false: nothing is known of it. */
bool
K(td_tex_texel)(const struct td_tex_bind *bind, const uint32_t at[4], struct td_element *e)
{
   const struct tex *t = tex_of(bind);
   const bool lines = t->dim == TEXTURE_1D || t->dim == TEXTURE_1D_ARRAY;
   const bool flat = t->dim == TEXTURE_1D || t->dim == TEXTURE_2D;

   *e = (struct td_element){ .bytes = 0 };
   if (t->op != TD_LD || t->modifier == 1 || !t->inside || t->shift_x || t->shift_y ||
       bind->multisampled)
      return false;
   e->bytes = t->decode.bytes;
   if (at[3] > t->levels)
      return true;

   const unsigned l = t->base + at[3];
   const uint32_t x = at[0] + (uint32_t)(t->offset[0] >> 1);
   const uint32_t y = lines ? 0 : at[1] + (uint32_t)(t->offset[1] >> 1);
   const bool volume = t->dim == TEXTURE_3D;
   const uint32_t z = flat ? 0 : at[2] + (volume ? (uint32_t)(t->offset[2] >> 1) : 0);
   const uint32_t layers = volume ? tex_size(t->depth, l) : t->num_layers;

   if (x >= tex_size(t->width, l) || y >= (lines ? 1 : tex_size(t->height, l)) ||
       z >= (flat ? 1 : layers))
      return true;
   e->at = 8 * (uint64_t)t->level[l].slice8 * (z + t->base_array) +
           (uint64_t)t->level[l].pitch * y + (uint64_t)e->bytes * x;
   e->size = UINT64_MAX;
   e->host = (const uint8_t *)(uintptr_t)t->level[l].base + e->at;
   return true;
}

/* ---------------------------------------------------------------------------------------------
 * The quick form
 */

/* A wave's texels. */
struct texels {
   uint32_t at[WAVE_LANES] __attribute__((aligned(64))); /* bytes from the level's first one */
   vm inside[VECTORS]; /* lanes that are; the others read texel 0, which is as good as any */
   bool pairs;         /* each quad's right texels follow the left ones */
   bool windows;       /* all are in windows (window.h) */
};

/* With AVX2 a window takes as long as its pairs. */
#define LOOKS_FOR_WINDOWS(bytes) (VW == 16 && (bytes) == 4)

V_INLINE void
find_texels(const struct tex *t, const struct td_tex_args *args, unsigned bytes, struct texels *p)
{
   const uint32_t width = tex_size(t->width, t->base), height = tex_size(t->height, t->base);
   const vu pitch = vu_splat(t->level[t->base].pitch), size = vu_splat(bytes);
   const vu x0 = vu_splat((uint32_t)(t->offset[0] >> 1));
   const vu y0 = vu_splat((uint32_t)(t->offset[1] >> 1));
   const vu step = ((vu)vi_lane_index() & vu_splat(1)) * size;
   vu apart = vu_splat(0);

   for (unsigned n = 0; n < VECTORS; n++) {
      const vu x = vu_loadu(&args->src[0][n * VW]) + x0, y = vu_loadu(&args->src[1][n * VW]) + y0;
      const vm in = vm_and(vu_lt(x, vu_splat(width)), vu_lt(y, vu_splat(height)));
      const vu at = vu_keep(in, x * size + y * pitch);

      p->inside[n] = in;
      vu_store(&p->at[n * VW], at);
      apart |= at ^ ((vu)vf_quad_permute((vf)at, 0xa0) + step);
   }
   /* All right texels are inside, then, which none is of those that are texel 0 instead. */
   p->pairs = !vm_any(vu_ne(apart, vu_splat(0)));
   p->windows = false;
#if WINDOWS
   if (LOOKS_FOR_WINDOWS(bytes)) {
      const int64_t end = window_end(width, height, t->level[t->base].pitch, bytes);
      vu misses = vu_splat(0);

      for (unsigned n = 0; n < VECTORS; n++)
         misses |= window_misses(vu_load(&p->at[n * VW]), bytes, 0, (int32_t)end);
      p->windows = !vm_any(vu_ne(misses, vu_splat(0)));
   }
#endif
}

V_INLINE __m128
load_both(const uint8_t *base, uint32_t left, uint32_t right)
{
   const __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)(base + left));

   return _mm_loadh_pi(_mm_castsi128_ps(v), (const __m64 *)(const void *)(base + right));
}

/* A vector's texels of four or eight bytes, of pairs, as dwords. */
V_INLINE void
load_vector_pairs(const uint8_t *base, const uint32_t *at, unsigned bytes, vu out[2])
{
   if (bytes == 4) {
#if VW == 16
      const __m256i left = _mm512_cvtepi64_epi32(_mm512_load_si512(at));

      out[0] = (vu)_mm512_i32gather_epi64(left, base, 1);
#else
      __m128 q[VW / 4];

      for (unsigned k = 0; k < VW / 4; k++)
         q[k] = load_both(base, at[4 * k], at[4 * k + 2]);
      out[0] = (vu)join_quads(q);
#endif
      return;
   }
   const float *upper[VW / 4], *lower[VW / 4];

   for (unsigned k = 0; k < VW / 4; k++) {
      upper[k] = (const float *)(const void *)(base + at[4 * k]);
      lower[k] = (const float *)(const void *)(base + at[4 * k + 2]);
   }
   const vf a = vf_load_quads(upper), b = vf_load_quads(lower);
   out[0] = (vu)quad_shuffle(a, b, 0x88);
   out[1] = (vu)quad_shuffle(a, b, 0xdd);
}

/* What is known of where a wave's texels lie: a constant. */
enum order {
   ORDER_NONE,
   ORDER_PAIRS,
   ORDER_WINDOWS,
};

/* A vector's texels as dwords. */
V_INLINE void
load_vector(const uint8_t *base, const struct texels *p, unsigned bytes, unsigned n,
            enum order order, vu out[4])
{
   const uint32_t *at = &p->at[n * VW];

#if WINDOWS
   if (order == ORDER_WINDOWS) {
      const vu offset = vu_load(at);

      out[0] = window_take(window_read(base, at, bytes), window_index(offset, bytes));
      return;
   }
#endif
   if (order == ORDER_PAIRS) {
      load_vector_pairs(base, at, bytes, out);
   } else if (bytes == 4 || bytes == 8) {
      load_near(base, vu_load(at), bytes, out);
   } else if (bytes == 12 || bytes == 16) {
      load_elements(base, at, bytes / 4, out);
   } else {
      uint32_t texel[VW];

      for (unsigned i = 0; i < VW; i++) {
         texel[i] = 0;
         memcpy(&texel[i], base + at[i], bytes);
      }
      out[0] = vu_loadu(texel);
   }
}

enum kind {
   LOAD_WORDS, /* dwords as they are */
   LOAD_BYTES, /* four unsigned normalised ones */
   LOAD_ANY,
};

/* What registers take besides the first of each channel, which are written. */
V_INLINE void
write_rest(const struct tex *t, const struct td_tex_args *args, const uint32_t *const to[4],
           bool all)
{
   for (unsigned i = 0; i < 4; i++) {
      const unsigned sel = t->also[i];
      const uint32_t constant = sel == SWIZZLE_1 ? td_one(&t->decode) : 0;

      if (sel > SWIZZLE_1 || !args->dst[i])
         continue;
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store_masked(&args->dst[i][n * VW], all ? vm_all() : vm_lanes(args->lanes, n),
                         sel > SWIZZLE_W ? vu_splat(constant) : vu_load(&to[sel][n * VW]));
   }
}

/* Channel c of a vector's texels, given as dwords. */
V_INLINE vu
channel_of(const vu *texel, enum kind kind, unsigned c)
{
   return kind == LOAD_BYTES ? (vu)byte_quotient_nearest(texel[0], c) : texel[c];
}

/* Where texels are at bytes from. */
V_INLINE const uint8_t *
first_texel(const struct tex *t)
{
   const struct tex_level *level = &t->level[t->base];

   return (const uint8_t *)(uintptr_t)(level->base + (uint64_t)t->base_array * level->slice8 * 8);
}

/* Where texels of four bytes are, in bytes from the level's first one.  False: not all are inside,
 * or those of some row of lanes (rows.h) do not follow each other. */
V_INLINE bool
find_wave_rows(const struct tex *t, const struct td_tex_args *args, wave_lane at)
{
   const vu width = vu_splat(tex_size(t->width, t->base));
   const vu height = vu_splat(tex_size(t->height, t->base));
   const vu pitch = vu_splat(t->level[t->base].pitch);
   const vu x0 = vu_splat((uint32_t)(t->offset[0] >> 1));
   const vu y0 = vu_splat((uint32_t)(t->offset[1] >> 1));
   vu strays = vu_splat(0);
   vm inside = vm_all();

   for (unsigned n = 0; n < VECTORS; n++) {
      const vu x = vu_loadu(&args->src[0][n * VW]) + x0, y = vu_loadu(&args->src[1][n * VW]) + y0;
      const vu offset = vu_shl(x, 2) + y * pitch;

      inside = vm_and(inside, vm_and(vu_lt(x, width), vu_lt(y, height)));
      strays |= next_of_rows(offset) - offset - vu_splat(4);
      vu_store(&at[n * VW], offset);
   }
   const vm miss = vu_ne(vu_keep(has_next_in_row(), strays), vu_splat(0));

   return !vm_any(vm_or(miss, vm_not(inside)));
}

/* Channel c of all texels to the register that takes it first: returns that. */
V_INLINE const uint32_t *
write_channel(const struct tex *t, const struct td_tex_args *args, const vu texels[VECTORS],
              enum kind kind, unsigned c)
{
   uint32_t *to = t->first[c] < 0 ? NULL : args->dst[t->first[c]];

   for (unsigned n = 0; n < VECTORS && to; n++)
      vu_store(&to[n * VW], channel_of(&texels[n], kind, c));
   return to;
}

/* All texels of four bytes where each row's follow each other; false: they do not. */
V_INLINE bool
load_wave_rows(const struct tex *t, const struct td_tex_args *args, enum kind kind)
{
   const uint8_t *base = first_texel(t);
   vu texels[VECTORS];
   struct td_raw raw;
   wave_lane at;

   if ((kind != LOAD_ANY && !td_writes_all(args)) || !find_wave_rows(t, args, at))
      return false;
   for (unsigned n = 0; n < VECTORS; n++)
      texels[n] = load_rows(base + at[n * VW], base + at[n * VW + VW - ROW_LANES]);
   if (kind == LOAD_ANY) {
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&raw.dword[0][n * VW], texels[n]);
      finish_load(t, args, &raw, ~UINT64_C(0));
      return true;
   }
   const uint32_t *to[4];
   to[0] = write_channel(t, args, texels, kind, 0);
   for (unsigned c = 1; c < 4; c++)
      to[c] = to[0];
   if (kind == LOAD_BYTES) {
      to[1] = write_channel(t, args, texels, kind, 1);
      to[2] = write_channel(t, args, texels, kind, 2);
      to[3] = write_channel(t, args, texels, kind, 3);
   }
   write_rest(t, args, to, true);
   return true;
}

/* Texels where find_texels() has found them. */
V_INLINE void
read_texels(const struct tex *t, const struct td_tex_args *args, const struct texels *p,
            unsigned bytes, enum kind kind, enum order order)
{
   const uint8_t *base = first_texel(t);
   const bool all = td_writes_all(args);
   const unsigned channels = kind == LOAD_BYTES ? 4 : bytes / 4;
   uint32_t *to[4];
   uint64_t good = 0;
   struct td_raw raw;

   for (unsigned c = 0; c < 4 && kind != LOAD_ANY; c++)
      to[c] = t->first[c] < 0 ? NULL : args->dst[t->first[c]];
   if (kind != LOAD_ANY && all && t->in_order == channels) {
      for (unsigned n = 0; n < VECTORS; n++) {
         vu texel[4];

         load_vector(base, p, bytes, n, order, texel);
#pragma GCC unroll 4
         for (unsigned c = 0; c < channels; c++)
            vu_store(&to[c][n * VW], vu_keep(p->inside[n], channel_of(texel, kind, c)));
      }
      write_rest(t, args, (const uint32_t *const *)to, all);
      return;
   }
   for (unsigned n = 0; n < VECTORS; n++) {
      vu texel[4];

      load_vector(base, p, bytes, n, order, texel);
      if (kind == LOAD_ANY) {
         for (unsigned i = 0; i < (bytes + 3) / 4; i++)
            vu_store(&raw.dword[i][n * VW], texel[i]);
         good |= vm_to_lanes(p->inside[n], n);
         continue;
      }
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++) {
         if (!to[c] || c >= channels)
            continue;
         const vu in = vu_keep(p->inside[n], channel_of(texel, kind, c));

         if (all)
            vu_store(&to[c][n * VW], in);
         else
            vu_store_masked(&to[c][n * VW], vm_lanes(args->lanes, n), in);
      }
   }
   if (kind == LOAD_ANY) {
      finish_load(t, args, &raw, good);
      return;
   }
   write_rest(t, args, (const uint32_t *const *)to, all);
}

V_INLINE void
load_quick(const struct td_tex_bind *bind, const struct td_tex_args *args, unsigned bytes,
           enum kind kind)
{
   const struct tex *t = tex_of(bind);
   vu levels = vu_splat(0);
   struct texels p;

   for (unsigned n = 0; n < VECTORS; n++)
      levels |= vu_loadu(&args->src[3][n * VW]);
   bool usual = !vm_any(vu_ne(levels, vu_splat(0)));
   if (kind == LOAD_BYTES)
      usual &= rounds_to_nearest();
   for (unsigned c = 0; c < 4 && kind != LOAD_ANY; c++)
      usual &= t->first[c] < 0 || args->dst[t->first[c]];
   if (!usual) {
      load_general(bind, args);
      return;
   }
   if (bytes == 4 && load_wave_rows(t, args, kind))
      return;
   find_texels(t, args, bytes, &p);
   if (LOOKS_FOR_WINDOWS(bytes) && p.windows)
      read_texels(t, args, &p, bytes, kind, ORDER_WINDOWS);
   else if ((bytes == 4 || bytes == 8) && p.pairs)
      read_texels(t, args, &p, bytes, kind, ORDER_PAIRS);
   else
      read_texels(t, args, &p, bytes, kind, ORDER_NONE);
}

/* Of `bytes` a texel. */
#define LOADS(L) \
   L(WORDS, 4)   \
   L(WORDS, 8)   \
   L(WORDS, 12)  \
   L(WORDS, 16)  \
   L(BYTES, 4)   \
   L(ANY, 1)     \
   L(ANY, 2)     \
   L(ANY, 4)     \
   L(ANY, 8)     \
   L(ANY, 12)    \
   L(ANY, 16)
#define LOAD(kind, bytes)                                            \
   static void load_##kind##_##bytes(const struct td_tex_bind *bind, \
                                     const struct td_tex_args *args) \
   {                                                                 \
      load_quick(bind, args, bytes, LOAD_##kind);                    \
   }
LOADS(LOAD)
#undef LOAD

static bool
is_words(const struct td_decode *d)
{
   bool words = d->cls == CLASS_FLOAT || (d->cls == CLASS_PLAIN && d->conversion == CONVERT_INT);

   for (unsigned c = 0; c < 4; c++)
      words &= !d->channel[c].bits || (d->channel[c].bits == 32 && d->channel[c].pos == 32 * c);
   return words;
}

static bool
is_bytes(const struct td_decode *d)
{
   return td_decode_can_unorm8(d) && d->format == FORMAT_R8G8B8A8;
}

/* Of a channel that there is not; but for the fourth it is 0, as it is outside. */
static bool
takes_lacking(const struct tex *t)
{
   bool takes = false;

   for (unsigned c = 0; c < 4; c++)
      takes |= t->sel[c] == SWIZZLE_W;
   return takes && !t->decode.channel[3].bits;
}

/* Why the general form is all there is, or NULL. */
static const char *
find_reason(const struct tex *t)
{
   if (t->dim != TEXTURE_2D)
      return "not 2D";
   if (t->samples > 1 || t->modifier == 1)
      return "it has several samples";
   if (!t->inside)
      return "not all of the texture is mapped";
   if (!t->near)
      return "texels lie too far apart";
   if (t->shift_x || t->shift_y)
      return "texels of blocks";
   if (t->decode.byte_swap != BYTE_SWAP_NONE)
      return "bytes change ends";
   return NULL;
}

td_tex_fn *
K(td_load_choose)(struct tex *t)
{
#define ROW(kind, bytes) [LOAD_##kind][bytes] = { load_##kind##_##bytes, "load " #kind " " #bytes },
   static const struct {
      td_tex_fn *run;
      const char *name;
   } loads[3][17] = { LOADS(ROW) };
#undef ROW
   const struct td_decode *d = &t->decode;
   const char *why = find_reason(t);
   enum kind kind = LOAD_ANY;

   if (!why && (d->bytes > 16 || !loads[LOAD_ANY][d->bytes].run))
      why = "texels of three or six bytes";
   if (why) {
      K(td_print_load)(t, NULL, why);
      return load_general;
   }
   td_assign_outputs(t);
   if (!takes_lacking(t) && d->bytes >= 4 && is_words(d))
      kind = LOAD_WORDS;
   else if (is_bytes(d))
      kind = LOAD_BYTES;
   K(td_print_load)(t, loads[kind][d->bytes].name, NULL);
   return loads[kind][d->bytes].run;
}
