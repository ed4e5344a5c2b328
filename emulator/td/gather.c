/* SPDX-License-Identifier: MIT */
/*
 * Gathers in fewer steps, with sample.c's bits: of the textures that special samplers take
 * (choice.c), the four texels that a bilinear filter would weigh (special.h), and of these the one
 * component.  Instructions with offsets, comparisons and Cayman's gathers of integers are left to
 * the general form.
 */
#include "td/samplers.h"
#include "td/special.h"

/* The wave's four texels: upper left and right, lower left and right. */
V_INLINE void
read_texels(const struct tex *t, const struct footprint *p, const union pairs *pairs,
            unsigned bytes, struct td_raw raw[4])
{
   const uint8_t *base = (const uint8_t *)(uintptr_t)t->level[t->base].base;
   const vu mask = vu_splat(bytes < 4 ? (1u << 8 * bytes) - 1 : ~0u);
   const unsigned dwords = (bytes + 3) / 4;

   for (unsigned r = 0; r < 2; r++) {
      for (unsigned n = 0; n < VECTORS; n++) {
         vu texel[2][4];

         if (bytes <= 4) {
            read_pairs(t, p, pairs, bytes, false, r, n, &texel[0][0], &texel[1][0]);
            texel[0][0] &= mask;
            texel[1][0] &= mask;
         } else {
            uint32_t next[VW] __attribute__((aligned(VW * 4)));

            vu_store(next, vu_load(&p->row[r][n * VW]) + vu_load(&p->step[n * VW]));
            load_elements(base, &p->row[r][n * VW], dwords, texel[0]);
            load_elements(base, next, dwords, texel[1]);
         }
         for (unsigned side = 0; side < 2; side++)
            for (unsigned i = 0; i < dwords; i++)
               vu_store(&raw[2 * r + side].dword[i][n * VW], texel[side][i]);
      }
   }
}

V_INLINE void
run_gather(const struct tex *t, const struct td_tex_args *args, unsigned bytes,
           struct td_raw raw[4])
{
   struct footprint p;
   union pairs pairs;
   wave_lane level;

   for (unsigned n = 0; n < VECTORS; n++)
      vu_store(&level[n * VW], vu_splat(t->base));
   find_footprint(t, args, level, true, ~UINT64_C(0), bytes, false, NULL, &p);
   if (bytes <= 4)
      load_pairs(t, &p, bytes, &pairs);
   read_texels(t, &p, &pairs, bytes, raw);
}

void
K(td_gather_near)(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   static const uint8_t order[4] = { 2, 3, 1, 0 };
   const struct tex *t = tex_of(bind);
   const unsigned sel = t->sel[t->modifier & 3];
   struct td_raw raw[4];
   wave_lane out[4];

   switch (t->decode.bytes) {
   case 1:
      run_gather(t, args, 1, raw);
      break;
   case 2:
      run_gather(t, args, 2, raw);
      break;
   case 4:
      run_gather(t, args, 4, raw);
      break;
   case 8:
      run_gather(t, args, 8, raw);
      break;
   case 12:
      run_gather(t, args, 12, raw);
      break;
   default:
      run_gather(t, args, 16, raw);
      break;
   }
   for (unsigned i = 0; i < 4; i++) {
      td_decode_wave(&t->decode, &raw[order[i]], sel, out[i]);
      for (unsigned n = 0; n < VECTORS && t->decode.unorm8; n++)
         vf_store(&out[i][n * VW], vf_load(&out[i][n * VW]) / vf_splat(255.0f));
   }
   K(td_write)(t, args, out);
}
