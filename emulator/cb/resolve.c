/* SPDX-License-Identifier: MIT */
/* Averages of samples (kernels). */
#include "cb/bytes.h"
#include "cb/cb.h"
#include "port/pack.h"
#include "cb/sizes.h"
#include "port/quads.h"
#include "port/quotient.h"

/* One sample of a block's pixels, row-major. */
V_INLINE void
load_sample_of(const uint8_t *base, size_t row_bytes, unsigned log2_samples, unsigned size,
               uint64_t lanes, wave_lane *out)
{
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t word[4] = { 0, 0, 0, 0 };

      memcpy(word, base + (l >> 3) * row_bytes + ((size_t)((l & 7) * size) << log2_samples), size);
      for (unsigned k = 0; k < (size + 3) / 4; k++)
         out[k][l] = word[k];
   }
}

/* All four samples of 32 bits of a block's pixels: pixels of 16 bytes, transposed.  Rows without
 * lanes are not read. */
static void
load_four_samples(const uint8_t *base, size_t row_bytes, uint64_t lanes, wave_lane out[4])
{
   static const float nothing[4];

   for (unsigned n = 0; n < VECTORS; n++) {
      vf v[4];

      for (unsigned i = 0; i < 4; i++) {
         const float *p[VW / 4];

         for (unsigned q = 0; q < VW / 4; q++) {
            const unsigned l = n * VW + 4 * q + i, y = l / PIXEL_BLOCK, x = l % PIXEL_BLOCK;

            p[q] = nothing;
            if (lanes >> PIXEL_BLOCK * y & 255)
               p[q] = (const float *)(const void *)(base + y * row_bytes + (size_t)x * 16);
         }
         v[i] = vf_load_quads(p);
      }
      vf_transpose_quads(v);
      for (unsigned s = 0; s < 4; s++)
         vf_store(&out[s][n * VW], v[s]);
   }
}

/* All samples of a block's pixels, row-major. */
V_INLINE void
store_pixels_of(uint8_t *base, size_t row_bytes, unsigned log2_samples, unsigned size,
                uint64_t lanes, wave_lane *in)
{
   for (unsigned y = 0; y < PIXEL_BLOCK && size == 4 && !log2_samples; y++) {
      const uint64_t row = UINT64_C(255) << PIXEL_BLOCK * y;

      if ((lanes & row) != row)
         continue;
      memcpy(base + y * row_bytes, &in[0][PIXEL_BLOCK * y], PIXEL_BLOCK * 4);
      lanes &= ~row;
   }
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);
      uint8_t *p = base + (l >> 3) * row_bytes + ((size_t)((l & 7) * size) << log2_samples);
      uint32_t word[4] = { 0, 0, 0, 0 };

      for (unsigned k = 0; k < (size + 3) / 4; k++)
         word[k] = in[k][l];
      for (unsigned s = 0; s < 1u << log2_samples; s++, p += size)
         memcpy(p, word, size);
   }
}

/* Of a block of four samples of 32 bits a pixel: rows of pixels with samples that are alike, as
 * most are, end in what the samples have, since averages of unsigned normalised components are
 * rounded to the nearest.  Returns the lanes of other rows. */
static uint64_t
resolve_alike(const struct cb_target *target, const uint8_t *from, size_t from_row, uint8_t *to,
              size_t to_row, uint64_t lanes)
{
   uint64_t rest = 0;
   uint32_t mask = 0;

   for (unsigned k = 0; k < 4; k++) {
      const struct cb_channel *c = &target->channel[k];

      if (c->bits && (c->type != NUMERIC_UNORM || c->bits > 16))
         return lanes;
      if (c->bits)
         mask |= 0xffffffffu >> (32 - c->bits) << c->shift;
   }
   for (unsigned y = 0; y < PIXEL_BLOCK; y++, from += from_row, to += to_row) {
      const uint64_t row = lanes & UINT64_C(255) << 8 * y;
      vu differ = vu_splat(0);

      if (!row)
         continue;
      for (unsigned n = 0; n < 4 * PIXEL_BLOCK; n += VW) {
         const vu v = vu_loadu(from + 4 * n);
         differ |= v ^ (vu)vf_quad_permute((vf)v, 0);
      }
      if (vm_any(vu_ne(differ, vu_splat(0)))) {
         rest |= row;
         continue;
      }
      for (uint64_t m = row; m; m &= m - 1) {
         const unsigned x = (unsigned)__builtin_ctzll(m) & 7;
         uint32_t word;

         memcpy(&word, from + 16 * x, 4);
         word &= mask;
         memcpy(to + 4 * x, &word, 4);
      }
   }
   return rest;
}

#if VW > 4
/* Whether all that a pixel of four bytes has are bytes, unsigned normalised; bits that it has. */
static bool
has_bytes(const struct cb_target *target, uint32_t *bits)
{
   *bits = 0;
   for (unsigned k = 0; k < 4; k++) {
      const struct cb_channel *c = &target->channel[k];

      if (!c->bits)
         continue;
      if (c->type != NUMERIC_UNORM || c->bits != 8 || c->shift % 8)
         return false;
      *bits |= 0xffu << c->shift;
   }
   return true;
}

/* Averages of four samples of bytes: the general way's, in fewer steps.  A vector is so many rows
 * of pixels. */
#define RESOLVED_ROWS (VW / PIXEL_BLOCK)

static void
resolve_bytes(uint32_t bits, const uint8_t *from, size_t from_row, uint8_t *to, size_t to_row,
              uint64_t lanes)
{
   const struct cb_target bytes = {
      .channel = { { .shift = 0 }, { .shift = 8 }, { .shift = 16 }, { .shift = 24 } },
   };
   const struct order_8888 order = order_of(&bytes);

   for (unsigned y = 0; y < PIXEL_BLOCK; y += RESOLVED_ROWS) {
      const uint8_t *row[RESOLVED_ROWS], *any = NULL;
      uint32_t pixel[VW];
      vf v[4], mean[4];

      /* Rows without lanes may not be there. */
      for (unsigned r = 0; r < RESOLVED_ROWS; r++) {
         row[r] = lanes >> PIXEL_BLOCK * (y + r) & 255 ? from + (y + r) * from_row : NULL;
         any = row[r] ? row[r] : any;
      }
      if (!any)
         continue;
      for (unsigned i = 0; i < 4; i++) {
         const uint8_t *p = row[i * RESOLVED_ROWS / 4] ? row[i * RESOLVED_ROWS / 4] : any;

         v[i] = vf_loadu(p + i % (4 / RESOLVED_ROWS) * VW * 4);
      }
      /* A vector of each sample: lane 4k + i is pixel k of vector i. */
      vf_transpose_quads(v);
#pragma GCC unroll 4
      for (unsigned k = 0; k < 4; k++) {
         vf sum = byte_quotient_nearest((vu)v[0], k);

#pragma GCC unroll 3
         for (unsigned s = 1; s < 4; s++)
            sum = sum + byte_quotient_nearest((vu)v[s], k);
         mean[k] = sum * vf_splat(0.25f);
      }
      const vu packed = pack_8888(&order, mean, true) & vu_splat(bits);

#if VW == 16
      vu_storeu(pixel, (vu)_mm512_permutexvar_epi32(
                          _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),
                          (__m512i)packed));
#else
      vu_storeu(pixel, (vu)_mm256_permutevar8x32_epi32((__m256i)packed,
                                                       _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
#endif
      for (unsigned r = 0; r < RESOLVED_ROWS; r++) {
         const uint32_t *in = pixel + r * PIXEL_BLOCK;
         uint8_t *out = to + (y + r) * to_row;
         uint32_t m = (uint32_t)(lanes >> PIXEL_BLOCK * (y + r)) & 255;

         if (m == 255) {
            memcpy(out, in, PIXEL_BLOCK * 4);
            continue;
         }
         for (; m; m &= m - 1)
            memcpy(out + __builtin_ctz(m) * 4, &in[__builtin_ctz(m)], 4);
      }
   }
}
#endif

void
K(cb_resolve_block)(struct tile *t, int32_t x, int32_t y, unsigned layer, uint64_t lanes)
{
   const struct cb_state *cb = t->draw->cb;
   const struct target *from = &cb->resolve_src, *to = &cb->resolve_dst;
   const struct cb_target *target = &cb->target[0];
   const unsigned count = 1u << from->log2_samples, cpp = from->cpp;
   const bool integer = target->numeric == NUMERIC_UINT || target->numeric == NUMERIC_SINT;
   const bool four = cpp == 4 && from->log2_samples == 2 && !integer;
   wave_lane sample[4];
   vf sum[4][VECTORS];

   if (!from->host || !to->host || from->cpp != to->cpp || layer >= to->num_layers ||
       layer >= from->num_layers)
      return;
   uint8_t *out = target_pixel(to, (uint32_t)x, (uint32_t)y, layer);
   if (cpp == 4 && from->log2_samples == 2 && !to->log2_samples)
      lanes = resolve_alike(target, target_pixel(from, (uint32_t)x, (uint32_t)y, layer),
                            from->row_bytes, out, to->row_bytes, lanes);
   if (!lanes)
      return;
#if VW > 4
   uint32_t bits;

   if (four && !to->log2_samples && has_bytes(target, &bits)) {
      resolve_bytes(bits, target_pixel(from, (uint32_t)x, (uint32_t)y, layer), from->row_bytes, out,
                    to->row_bytes, lanes);
      return;
   }
#endif
   if (four)
      load_four_samples(target_pixel(from, (uint32_t)x, (uint32_t)y, layer), from->row_bytes, lanes,
                        sample);
   for (unsigned s = 0; s < (integer ? 1 : count); s++) {
      const uint8_t *base = target_pixel(from, (uint32_t)x, (uint32_t)y, layer) + (size_t)s * cpp;

      if (!four)
         EACH_SIZE(cpp,
                   load_sample_of(base, from->row_bytes, from->log2_samples, SIZE, lanes, t->old);)
      for (unsigned c = 0; c < 4; c++) {
         const struct cb_channel *ch = &target->channel[c];

         for (unsigned n = 0; n < VECTORS && ch->bits; n++) {
            const uint32_t *word = four ? sample[s & 3] : t->old[ch->dword & 3];
            const vf v = (vf)unpack_channel(ch, vu_load(word + n * VW));

            sum[c][n] = s ? sum[c][n] + v : v;
         }
      }
   }
   for (unsigned n = 0; n < VECTORS; n++) {
      vu out[4] = { vu_splat(0), vu_splat(0), vu_splat(0), vu_splat(0) };

      for (unsigned c = 0; c < 4; c++) {
         const struct cb_channel *ch = &target->channel[c];

         if (!ch->bits)
            continue;
         vf v = integer ? sum[c][n] : vf_canon(sum[c][n] * vf_splat(1.0f / (float)count));
         out[ch->dword & 3] |= pack_channel(ch, (vu)v);
      }
      for (unsigned k = 0; k < 4; k++)
         vu_store(t->raw[k] + n * VW, out[k]);
   }
   EACH_SIZE(cpp, store_pixels_of(out, to->row_bytes, to->log2_samples, SIZE, lanes, t->raw);)
}
