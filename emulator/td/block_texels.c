/* SPDX-License-Identifier: MIT */
/*
 * Texels of BC1 to BC5 a vector at a time, each from a block of its own: what bc.c's
 * td_block_texel() gives, bit for bit.  Nothing is kept, so neighbours and texels far from each
 * other cost the same.
 *
 * The quotients by 3, 5 and 7 are products with a reciprocal in 1/65536: exact for the sums that
 * occur, of at most 766, 1277 and 1788.
 */
#include "halves.h"
#include "td/blocks.h"
#include "port/quotient.h"

V_INLINE vu
third(vu x) /* of both halves */
{
   return vu_shr(mul_high16(x, vu_splat(0xaaabaaabu)), 1) & vu_splat(0x7fff7fff);
}

/* Colours in bits 23:0, alpha above: 255, or 0 where punched through. */
V_INLINE vu
bc1_texel(vu endpoints, vu indices, vu texel, bool punch_through)
{
   vu c0 = endpoints & vu_splat(0xffff), c1 = vu_shr(endpoints, 16), five = vu_splat(31);
   vu twice = texel + texel, index = vu_shrv(indices, twice) & vu_splat(3);
   /* Thirds of the second endpoint: 0, 3, 1, 2. */
   vu w1 = vu_shrv(vu_splat(0x9c), index + index) & vu_splat(3);
   w1 = w1 | vu_shl(w1, 16);
   vu w0 = vu_splat(0x00030003) - w1, half = vu_splat(0x00010001);
   vu rb0 = vu_shr(c0, 11) | vu_shl(c0 & five, 16), rb1 = vu_shr(c1, 11) | vu_shl(c1 & five, 16);
   vu g0 = vu_shr(c0, 5) & vu_splat(63), g1 = vu_shr(c1, 5) & vu_splat(63);

   rb0 = vu_shl(rb0, 3) | (vu_shr(rb0, 2) & vu_splat(0x00070007));
   rb1 = vu_shl(rb1, 3) | (vu_shr(rb1, 2) & vu_splat(0x00070007));
   g0 = vu_shl(g0, 2) | vu_shr(g0, 4);
   g1 = vu_shl(g1, 2) | vu_shr(g1, 4);
   vu rb = third(mul_low16(rb0, w0) + mul_low16(rb1, w1) + half);
   vu g = third(mul_low16(g0, w0) + mul_low16(g1, w1) + half);
   vu color = rb | vu_shl(g, 8) | vu_splat(0xff000000u);
   if (punch_through) {
      vm three = vu_le(c0, c1);
      vu middle = (vu_shr(rb0 + rb1, 1) & vu_splat(0x00ff00ff)) | vu_shl(vu_shr(g0 + g1, 1), 8) |
                  vu_splat(0xff000000u);
      color = vu_select(vm_and(three, vu_eq(index, vu_splat(2))), middle, color);
      color = vu_select(vm_and(three, vu_eq(index, vu_splat(3))), vu_splat(0), color);
   }
   return color;
}

/* The ramp's numerator at a texel; lanes of `sevenths` are over 7, others over 5. */
V_INLINE vi
ramp_texel(vu low, vu high, vu texel, bool is_signed, vm *sevenths)
{
   vu at = texel + texel + texel + vu_splat(16), shift = at & vu_splat(31);
   vu first = vu_shrv(low, shift) | vu_shlv(high, vu_splat(32) - shift);
   vi index = (vi)(vu_select(vu_lt(at, vu_splat(32)), first, vu_shrv(high, shift)) & vu_splat(7));
   vi a = (vi)(low & vu_splat(255)), b = (vi)(vu_shr(low, 8) & vu_splat(255));
   int32_t least = 0, most = 255;

   if (is_signed) {
      a = vi_max(vi_sar((vi)vu_shl(low, 24), 24), vi_splat(-127));
      b = vi_max(vi_sar((vi)vu_shl(low, 16), 24), vi_splat(-127));
      least = -127, most = 127;
   }
   vm seven = vi_gt(a, b);
   vi steps = vi_select(seven, vi_splat(7), vi_splat(5)), one = vi_splat(1);
   /* Index 1 is the second endpoint, from 2 on it is mixed in. */
   vi w1 = vi_select(vi_eq(index, one), steps, vi_max(index - one, vi_splat(0)));
   vi n = (steps - w1) * a + w1 * b;
   vi end = vi_select(vi_eq(index, vi_splat(6)), vi_splat(5 * least), vi_splat(5 * most));
   *sevenths = seven;
   return vi_select(vm_and(vm_not(seven), vi_ge(index, vi_splat(6))), end, n);
}

V_INLINE vu
bc3_alpha(vu low, vu high, vu texel)
{
   vm sevenths;
   vu n = (vu)ramp_texel(low, high, texel, false, &sevenths);
   vu seventh = mul_high16(n + vu_splat(3), vu_splat(9363));
   vu fifth = mul_high16(n + vu_splat(2), vu_splat(13108));
   return vu_shl(vu_select(sevenths, seventh, fifth), 24);
}

V_INLINE vf
bc4_texel(vu low, vu high, vu texel, bool is_signed, bool nearest)
{
   static const struct reciprocal by[2][2] = { { RECIPROCAL(5 * 255.0), RECIPROCAL(7 * 255.0) },
                                               { RECIPROCAL(5 * 127.0), RECIPROCAL(7 * 127.0) } };
   vm sevenths;
   float most = is_signed ? 127.0f : 255.0f;
   vf n = vf_from_vi(ramp_texel(low, high, texel, is_signed, &sevenths));
   vf fifth = quotient(n, 5 * most, by[is_signed][0], nearest);
   return vf_select(sevenths, quotient(n, 7 * most, by[is_signed][1], nearest), fifth);
}

void
K(td_block_texels)(unsigned format, unsigned signs, const struct td_raw *blocks,
                   const uint32_t *texel, uint32_t *first, uint32_t *second)
{
#define EACH_VECTOR(dwords, ...)                    \
   for (unsigned n = 0; n < VECTORS; n++) {         \
      vu at = vu_load(&texel[n * VW]), d[4];        \
      for (unsigned i = 0; i < dwords; i++)         \
         d[i] = vu_load(&blocks->dword[i][n * VW]); \
      __VA_ARGS__                                   \
   }                                                \
   break

   bool nearest = rounds_to_nearest();
   switch (format) {
   case FORMAT_BC1:
      EACH_VECTOR(2, vu_store(&first[n * VW], bc1_texel(d[0], d[1], at, true)););
   case FORMAT_BC2:
      EACH_VECTOR(4, {
         vu color = bc1_texel(d[2], d[3], at, false) & vu_splat(0xffffff);
         vu nibbles = vu_select(vu_lt(at, vu_splat(8)), d[0], d[1]);
         vu alpha = vu_shrv(nibbles, vu_shl(at & vu_splat(7), 2)) & vu_splat(15);
         vu_store(&first[n * VW], color | vu_shl(alpha, 24) | vu_shl(alpha, 28));
      });
   case FORMAT_BC3:
      EACH_VECTOR(4, {
         vu color = bc1_texel(d[2], d[3], at, false) & vu_splat(0xffffff);
         vu_store(&first[n * VW], color | bc3_alpha(d[0], d[1], at));
      });
   case FORMAT_BC4:
      EACH_VECTOR(2, {
         vf_store(&first[n * VW], bc4_texel(d[0], d[1], at, signs & 1, nearest));
         vu_store(&second[n * VW], vu_splat(0));
      });
   case FORMAT_BC5:
      EACH_VECTOR(4, {
         vf_store(&first[n * VW], bc4_texel(d[0], d[1], at, signs & 1, nearest));
         vf_store(&second[n * VW], bc4_texel(d[2], d[3], at, signs >> 1 & 1, nearest));
      });
   default:
      break;
   }
#undef EACH_VECTOR
}

/* Blocks of 8 or 16 bytes, all of which can be read. */
void
K(td_block_load)(const uint8_t *const p[WAVE_LANES], unsigned bytes, struct td_raw *blocks)
{
   uint64_t pairs[WAVE_LANES] __attribute__((aligned(64)));

   if (bytes == 8) {
      for (unsigned l = 0; l < WAVE_LANES; l++)
         memcpy(&pairs[l], p[l], 8);
      for (unsigned n = 0; n < VECTORS; n++) {
         vu a, b;
         td_split_pairs(&pairs[n * VW], &a, &b);
         vu_store(&blocks->dword[0][n * VW], a);
         vu_store(&blocks->dword[1][n * VW], b);
      }
      return;
   }
   for (unsigned n = 0; n < VECTORS; n++) {
      vf v[4];
      for (unsigned i = 0; i < 4; i++) {
         const float *q[VW / 4];
         for (unsigned k = 0; k < VW / 4; k++)
            q[k] = (const float *)(const void *)p[n * VW + 4 * k + i];
         v[i] = vf_load_quads(q);
      }
      vf_transpose_quads(v);
      for (unsigned i = 0; i < 4; i++)
         vf_store(&blocks->dword[i][n * VW], v[i]);
   }
}
