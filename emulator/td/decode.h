/* SPDX-License-Identifier: MIT */
/*
 * From the bytes of an element to the four values a shader sees, 64 lanes at a time: what vertex
 * fetch and every sampler share.  For kernels only.
 *
 * Normalised values of n bits: unsigned c / (2^n - 1); signed, max(c / (2^(n-1) - 1),
 * -1) or (2c + 1) / (2^n - 1); each correctly rounded.  Integers are handed on as bits.  A channel
 * that the format lacks reads 0, W reads 1.
 */
#ifndef ATOLL_TD_DECODE_H
#define ATOLL_TD_DECODE_H

#include "arith.h"
#include "kernel.h"
#include "lanes.h"
#include "td/formats.h"

/* How to read one format with one number format; made by td_decode_init(). */
struct td_decode {
   uint8_t cls, format, bytes, conversion;
   uint8_t byte_swap, srgb;
   bool no_zero; /* signed values are (2c + 1) / (2^n - 1) */
   bool unorm8;  /* leave 8-bit unsigned normalised channels as 0.0 to 255.0 */
   uint8_t sign[4];
   struct format_channel channel[4];
};

/* Elements as read from memory, one array per dword; bytes beyond the element are zero. */
struct td_raw {
   wave_lane dword[4];
};

V_INLINE bool
td_decode_is_int(const struct td_decode *d)
{
   return d->conversion == CONVERT_INT && (d->cls == CLASS_PLAIN || d->cls == CLASS_FLOAT_INT);
}

/* The format as tables have it; blocks become what td_block_texel() makes of them. */
static inline void
td_decode_init(struct td_decode *d, unsigned format, unsigned conversion, const uint8_t sign[4],
               bool no_zero, unsigned byte_swap, bool srgb)
{
   const struct format_info *f = &format_info[format];

   *d = (struct td_decode){
      .cls = f->cls,
      .format = (uint8_t)format,
      .bytes = f->bytes,
      .conversion = (uint8_t)conversion,
      .byte_swap = (uint8_t)byte_swap,
      .no_zero = no_zero,
   };
   for (unsigned c = 0; c < 4; c++) {
      d->channel[c] = f->channel[c];
      d->sign[c] = sign[c];
   }
   if (f->cls == CLASS_BLOCKS || f->cls == CLASS_SUBSAMPLED) {
      d->byte_swap = BYTE_SWAP_NONE;
      d->conversion = CONVERT_NORM;
      d->cls = CLASS_PLAIN;
      if (format == FORMAT_BC4 || format == FORMAT_BC5 || format == FORMAT_BC6) {
         d->cls = CLASS_FLOAT;
         srgb = false;
         for (unsigned c = 0; c < 4; c++)
            if (d->channel[c].bits && format != FORMAT_BC6)
               d->channel[c] = (struct format_channel){ (uint8_t)(32 * c), 32 };
      } else {
         for (unsigned c = 0; c < 4; c++)
            d->sign[c] = CHANNEL_UNSIGNED;
      }
   }
   if (srgb && d->cls == CLASS_PLAIN && d->conversion == CONVERT_NORM)
      for (unsigned c = 0; c < 3; c++)
         if (d->channel[c].bits == 8)
            d->srgb |= (uint8_t)(1u << c);
}

/* All channels are 8-bit unsigned normalised: filtering may stay in integers. */
static inline bool
td_decode_can_unorm8(const struct td_decode *d)
{
   if (d->cls != CLASS_PLAIN || d->conversion != CONVERT_NORM || d->srgb)
      return false;
   for (unsigned c = 0; c < 4; c++)
      if (d->channel[c].bits && (d->channel[c].bits != 8 || d->sign[c] != CHANNEL_UNSIGNED))
         return false;
   return true;
}

/* 1.0, or 1 for integers, or what stands for it before the division by 255. */
V_INLINE uint32_t
td_one(const struct td_decode *d)
{
   return td_decode_is_int(d) ? 1u : d->unorm8 ? F32_255 : F32_ONE;
}

V_INLINE vf
td_from_small_float(vu x, unsigned bits)
{
   return vf_from_half(vu_shl(x, 15 - bits));
}

/* c / max for integers beyond float's 24 bits. */
static inline vf
td_wide_norm(vu x, bool is_signed, unsigned bits, bool no_zero)
{
   uint32_t a[VW];
   float r[VW];
   double max =
      is_signed && !no_zero ? (double)((1u << (bits - 1)) - 1) : (double)(~0u >> (32 - bits));
   memcpy(a, &x, sizeof(a));
   for (unsigned i = 0; i < VW; i++) {
      double v = is_signed ? (double)(int32_t)a[i] : (double)a[i];
      if (is_signed && no_zero)
         v = 2 * v + 1;
      v /= max;
      r[i] = (float)(v < -1 ? -1 : v);
   }
   vf out;
   memcpy(&out, r, sizeof(out));
   return out;
}

static inline vu
td_decode_plain(const struct td_decode *d, unsigned c, vu x)
{
   unsigned bits = d->channel[c].bits;
   const unsigned sign = d->sign[c];
   bool is_signed = sign != CHANNEL_UNSIGNED;
   vi s = (vi)x;

   if (bits < 32)
      x &= vu_splat((1u << bits) - 1);
   if (sign == CHANNEL_SIGNED)
      s = vi_sar((vi)vu_shl(x, 32 - bits), 32 - bits);
   else if (is_signed)
      s = (vi)(x - vu_splat(1u << (bits - 1)));

   switch (d->conversion) {
   case CONVERT_INT:
      return is_signed ? (vu)s : x;
   case CONVERT_SCALED:
      /* There is no scaled form of 32 bits: stock r600 reads its integers this way. */
      if (bits == 32)
         return x;
      return (vu)(is_signed ? vf_from_vi(s) : vf_from_vu(x));
   default:
      break;
   }
   if (!is_signed) {
      if (d->srgb >> c & 1) {
         uint32_t a[VW];
         vf out;
         memcpy(a, &x, sizeof(a));
         for (unsigned i = 0; i < VW; i++)
            out[i] = td_srgb_to_linear[a[i] & 255];
         return (vu)out;
      }
      if (bits > 24)
         return (vu)td_wide_norm(x, false, bits, false);
      vf f = vf_from_vi((vi)x);
      return (vu)(d->unorm8 ? f : f / vf_splat((float)((1u << bits) - 1)));
   }
   if (bits > 23)
      return (vu)td_wide_norm((vu)s, true, bits, d->no_zero);
   if (d->no_zero)
      return (vu)(vf_from_vi(s + s + vi_splat(1)) / vf_splat((float)((1u << bits) - 1)));
   int32_t max = bits > 1 ? (1 << (bits - 1)) - 1 : 1;
   return (vu)vf_max_second(vf_from_vi(s) / vf_splat((float)max), vf_splat(-1.0f));
}

/* Channel `c` of vector `n` of the wave. */
static inline vu
td_decode_channel(const struct td_decode *d, const struct td_raw *raw, unsigned c, unsigned n)
{
   unsigned bits = d->channel[c].bits, pos = d->channel[c].pos;

   if (bits == 0)
      return vu_splat(c == 3 ? td_one(d) : 0);
   vu x = vu_shr(vu_load(&raw->dword[pos / 32][n * VW]), pos % 32);
   switch (d->cls) {
   case CLASS_PLAIN:
      return td_decode_plain(d, c, x);
   case CLASS_FLOAT_INT:
      return c == 0 ? x : td_decode_plain(d, c, x);
   case CLASS_FLOAT:
      if (bits == 32)
         return x;
      if (bits == 16)
         return (vu)vf_from_half(x & vu_splat(0xffff));
      return (vu)td_from_small_float(x & vu_splat((1u << bits) - 1), bits);
   case CLASS_SHARED_EXPONENT: {
      vu e = vu_shr(vu_load(&raw->dword[0][n * VW]), 27);
      vf scale = (vf)vu_shl(e + vu_splat(127 - 24), 23);
      return (vu)(vf_from_vi((vi)(x & vu_splat(511))) * scale);
   }
   default:
      return vu_splat(0);
   }
}

/* Channel `c` of the whole wave; the common cases without a decision per vector. */
static inline void
td_decode_wave(const struct td_decode *d, const struct td_raw *raw, unsigned c, wave_lane out)
{
   unsigned bits = d->channel[c].bits, pos = d->channel[c].pos;
   const uint32_t *from = raw->dword[pos / 32];

   if (bits == 32 && (d->cls != CLASS_PLAIN || d->conversion == CONVERT_INT)) {
      lanes_copy(out, from);
   } else if (bits == 16 && d->cls == CLASS_FLOAT) {
      for (unsigned n = 0; n < VECTORS; n++) {
         vu x = vu_shr(vu_load(&from[n * VW]), pos % 32) & vu_splat(0xffff);
         vf_store(&out[n * VW], vf_from_half(x));
      }
   } else if (bits && bits <= 24 && d->cls == CLASS_PLAIN && d->conversion == CONVERT_NORM &&
              d->sign[c] == CHANNEL_UNSIGNED && !(d->srgb >> c & 1)) {
      vu mask = vu_splat((1u << bits) - 1);
      vf max = vf_splat((float)((1u << bits) - 1));
      for (unsigned n = 0; n < VECTORS; n++) {
         vf x = vf_from_vi((vi)(vu_shr(vu_load(&from[n * VW]), pos % 32) & mask));
         vf_store(&out[n * VW], d->unorm8 ? x : x / max);
      }
   } else {
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&out[n * VW], td_decode_channel(d, raw, c, n));
   }
}

/* VW pairs of dwords to a vector of the first and one of the second halves. */
V_INLINE void
td_split_pairs(const uint64_t *pairs, vu *first, vu *second)
{
#if VW == 16
   const __m512i even =
      _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
   const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
   __m512i a = _mm512_load_si512(pairs), b = _mm512_load_si512(pairs + 8);
   *first = (vu)_mm512_permutex2var_epi32(a, even, b);
   *second = (vu)_mm512_permutex2var_epi32(a, odd, b);
#elif VW == 8
   __m256 a = _mm256_load_ps((const float *)pairs), b = _mm256_load_ps((const float *)(pairs + 4));
   __m256d x = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0x88));
   __m256d y = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0xdd));
   *first = (vu)_mm256_permute4x64_pd(x, 0xd8);
   *second = (vu)_mm256_permute4x64_pd(y, 0xd8);
#else
   __m128 a = _mm_load_ps((const float *)pairs), b = _mm_load_ps((const float *)(pairs + 2));
   *first = (vu)_mm_shuffle_ps(a, b, 0x88);
   *second = (vu)_mm_shuffle_ps(a, b, 0xdd);
#endif
}

V_INLINE uint32_t
td_swap_dword(uint32_t v, unsigned byte_swap)
{
   if (byte_swap == BYTE_SWAP_16)
      return (v & 0x00ff00ffu) << 8 | (v >> 8 & 0x00ff00ffu);
   return __builtin_bswap32(v);
}

static inline void
td_raw_swap(struct td_raw *raw, unsigned byte_swap, unsigned dwords)
{
   if (byte_swap == BYTE_SWAP_NONE)
      return;
   for (unsigned i = 0; i < dwords; i++)
      for (unsigned l = 0; l < WAVE_LANES; l++)
         raw->dword[i][l] = td_swap_dword(raw->dword[i][l], byte_swap);
   if (byte_swap == BYTE_SWAP_64)
      for (unsigned i = 0; i + 1 < dwords; i += 2)
         for (unsigned l = 0; l < WAVE_LANES; l++) {
            uint32_t t = raw->dword[i][l];
            raw->dword[i][l] = raw->dword[i + 1][l];
            raw->dword[i + 1][l] = t;
         }
}

/* Elements of `bytes` at p[lane] for the lanes of a mask; other lanes read zero.  Unaligned. */
static inline void
td_raw_load(struct td_raw *raw, const uint8_t *const p[WAVE_LANES], unsigned bytes, uint64_t lanes)
{
   unsigned dwords = (bytes + 3) / 4;

   if (~lanes)
      memset(raw->dword, 0, dwords * sizeof(wave_lane));
#define TD_EACH_LANE(...)                           \
   if (lanes == ~UINT64_C(0)) {                     \
      for (unsigned l = 0; l < WAVE_LANES; l++)     \
         __VA_ARGS__                                \
   } else {                                         \
      for (uint64_t m = lanes; m; m &= m - 1) {     \
         unsigned l = (unsigned)__builtin_ctzll(m); \
         __VA_ARGS__                                \
      }                                             \
   }                                                \
   break
   switch (bytes) {
   case 1:
      TD_EACH_LANE({ raw->dword[0][l] = p[l][0]; });
   case 2:
      TD_EACH_LANE({
         uint16_t v;
         memcpy(&v, p[l], 2);
         raw->dword[0][l] = v;
      });
   case 3:
      TD_EACH_LANE(
         { raw->dword[0][l] = p[l][0] | (uint32_t)p[l][1] << 8 | (uint32_t)p[l][2] << 16; });
   case 4:
      TD_EACH_LANE({ memcpy(&raw->dword[0][l], p[l], 4); });
   case 6:
      TD_EACH_LANE({
         uint16_t v;
         memcpy(&raw->dword[0][l], p[l], 4);
         memcpy(&v, p[l] + 4, 2);
         raw->dword[1][l] = v;
      });
   default:
      for (unsigned i = 0; i < dwords; i++) {
         for (uint64_t m = lanes; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctzll(m);
            memcpy(&raw->dword[i][l], p[l] + 4 * i, 4);
         }
      }
      break;
   }
#undef TD_EACH_LANE
}

#endif
