/* SPDX-License-Identifier: MIT */
/*
 * Gathers in fewer steps, with sample.c's bits: of the textures that special samplers take
 * (choice.c), the four texels that a bilinear filter would weigh (special.h), and of these the one
 * component.  Comparisons and Cayman's gathers of integers are left to the general form.
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

static bool
has_offsets(const struct tex *t, const struct td_tex_args *args)
{
   return t->op == TD_GATHER4_O ? args->offset[0] || args->offset[1] : t->offset[0] || t->offset[1];
}

/* Both texels of an axis of vector n, with the instruction's offsets, which lead anywhere. */
static void
find_offset_texels(const struct tex *t, const struct td_tex_args *args, unsigned a, unsigned n,
                   vi texel[2])
{
   const vi size = vi_splat((int32_t)tex_size(a ? t->height : t->width, t->base));
   const vi zero = vi_splat(0), last = size - vi_splat(1);
   const bool wraps = tex_wraps(t, a);
   vf u = vf_loadu(&args->src[a][n * VW]);
   vi offset = vi_splat(t->offset[a]);

   if (t->op == TD_GATHER4_O)
      offset = args->offset[a] ? td_lane_offset(args, a, n) : zero;
   if (t->normalized[a]) {
      if (wraps)
         u = vf_max_second(u - vf_floor(u), vf_splat(0.0f));
      u = u * vf_from_vi(size);
   }
   u = (u + vf_from_vi(offset) * vf_splat(0.5f)) * vf_splat(256.0f);
   const vi fixed = vi_trunc_raw(vf_clamp(vf_rndne(u), -0x1p29f, 0x1p29f)) - vi_splat(128);

   for (int i = 0; i < 2; i++) {
      const vi at = vi_sar(fixed, 8) + vi_splat(i);

      texel[i] = wraps ? td_modulo(at, size) : vi_min(vi_max(at, zero), last);
   }
}

static void
find_with_offsets(const struct tex *t, const struct td_tex_args *args, unsigned bytes,
                  struct footprint *p)
{
   const vu pitch = vu_splat(t->level[t->base].pitch), size = vu_splat(bytes);
   vm apart = vm_none();

   for (unsigned n = 0; n < VECTORS; n++) {
      vi x[2], y[2];

      find_offset_texels(t, args, 0, n, x);
      find_offset_texels(t, args, 1, n, y);
      for (unsigned r = 0; r < 2; r++)
         vu_store(&p->row[r][n * VW], (vu)x[0] * size + (vu)y[r] * pitch);
      vu_store(&p->step[n * VW], (vu)(x[1] - x[0]) * size);
      apart = vm_or(apart, vi_ne(x[1], x[0] + vi_splat(1)));
   }
   p->neighbours = !vm_any(apart);
   p->windows = false;
   p->at_once = bytes == 4 && !gathers_are_quick();
}

V_INLINE void
run_gather(const struct tex *t, const struct td_tex_args *args, unsigned bytes,
           struct td_raw raw[4])
{
   struct footprint p;
   union pairs pairs;
   wave_lane level;

   if (has_offsets(t, args)) {
      find_with_offsets(t, args, bytes, &p);
   } else {
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&level[n * VW], vu_splat(t->base));
      find_footprint(t, args, level, true, ~UINT64_C(0), bytes, false, NULL, &p);
   }
   if (bytes <= 4)
      load_pairs(t, &p, bytes, &pairs);
   read_texels(t, &p, &pairs, bytes, raw);
}

/* Which of read_texels()'s a component of the result is. */
static const uint8_t order[4] = { 2, 3, 1, 0 };

/* td_write() of one byte of texels, normalised. */
V_INLINE void
write_bytes(const struct tex *t, const struct td_tex_args *args, const struct td_raw raw[4],
            unsigned byte)
{
   const bool all = td_writes_all(args);

   for (unsigned i = 0; i < 4; i++) {
      const unsigned sel = t->dst_sel[i];

      if (!args->dst[i] || sel > SWIZZLE_1)
         continue;
      for (unsigned n = 0; n < VECTORS; n++) {
         vu v = vu_splat(sel == SWIZZLE_1 ? F32_ONE : 0);

         if (sel <= SWIZZLE_W)
            v = (vu)byte_quotient_nearest(vu_load(&raw[order[sel]].dword[0][n * VW]), byte);
         if (all)
            vu_store(&args->dst[i][n * VW], v);
         else
            vu_store_masked(&args->dst[i][n * VW], vm_lanes(args->lanes, n), v);
      }
   }
}

void
K(td_gather_near)(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
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
   if (t->decode.unorm8 && t->decode.bytes == 4 && t->decode.channel[sel].bits == 8 &&
       rounds_to_nearest()) {
      switch (t->decode.channel[sel].pos) {
      case 0:
         write_bytes(t, args, raw, 0);
         return;
      case 8:
         write_bytes(t, args, raw, 1);
         return;
      case 16:
         write_bytes(t, args, raw, 2);
         return;
      case 24:
         write_bytes(t, args, raw, 3);
         return;
      default:
         break;
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      td_decode_wave(&t->decode, &raw[order[i]], sel, out[i]);
      for (unsigned n = 0; n < VECTORS && t->decode.unorm8; n++)
         vf_store(&out[i][n * VW], vf_load(&out[i][n * VW]) / vf_splat(255.0f));
   }
   K(td_write)(t, args, out);
}
