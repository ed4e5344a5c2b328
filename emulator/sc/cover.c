/* SPDX-License-Identifier: MIT */
/* Coverage of 8x8 blocks; see cover.h. */
#include "sc/cover.h"

uint64_t
K(sc_cover_block)(const struct edges *edges, unsigned count, const unsigned *which,
                  const int64_t *e)
{
   vi outside[VECTORS];
   const vi lane = vi_lane_index();
   const vi lx = lane & vi_splat(7), ly = (vi)vu_shr((vu)lane, 3);

   for (unsigned k = 0; k < count; k++) {
      const unsigned i = which[k];
      const uint32_t a = (uint32_t)edges->a[i], b = (uint32_t)edges->b[i];
      /* A crossing edge's values fit: its range over the block includes zero. */
      const uint32_t e0 = (uint32_t)(e[k] < INT32_MIN   ? INT32_MIN
                                     : e[k] > INT32_MAX ? INT32_MAX
                                                        : e[k]);
      vu v = vu_splat(e0) + (vu)lx * vu_splat(a) + (vu)ly * vu_splat(b);

#if VW == 4
      const vu right = v + vu_splat(4 * a);
      for (unsigned n = 0; n < VECTORS; n++) {
         vi value = (vi)((n & 1 ? right : v) + vu_splat(b * (n / 2)));
         outside[n] = k ? outside[n] | value : value;
      }
#else
      const vu step = vu_splat(b * (VW / 8));
      for (unsigned n = 0; n < VECTORS; n++) {
         outside[n] = k ? outside[n] | (vi)v : (vi)v;
         v += step;
      }
#endif
   }
   uint64_t inside = 0;
   for (unsigned n = 0; n < VECTORS; n++)
      inside |= vm_to_lanes(vi_ge(outside[n], vi_splat(0)), n);
   return inside;
}

void
K(sc_cover_samples)(const struct tile *t, const struct edges *edges, unsigned count,
                    const unsigned *which, const int64_t *e, uint64_t inside, uint64_t *samples)
{
   static const uint64_t pixels[4] = {
      UINT64_C(0x0055005500550055),
      UINT64_C(0x00aa00aa00aa00aa),
      UINT64_C(0x5500550055005500),
      UINT64_C(0xaa00aa00aa00aa00),
   };
   const struct sc_state *sc = t->draw->sc;
   const bool same = !memcmp(sc->sample_x[0], sc->sample_x[1], sizeof(sc->sample_x[0])) &&
                     !memcmp(sc->sample_x[0], sc->sample_x[2], sizeof(sc->sample_x[0])) &&
                     !memcmp(sc->sample_x[0], sc->sample_x[3], sizeof(sc->sample_x[0])) &&
                     !memcmp(sc->sample_y[0], sc->sample_y[1], sizeof(sc->sample_y[0])) &&
                     !memcmp(sc->sample_y[0], sc->sample_y[2], sizeof(sc->sample_y[0])) &&
                     !memcmp(sc->sample_y[0], sc->sample_y[3], sizeof(sc->sample_y[0]));

   for (unsigned s = 0; s < t->num_covered; s++) {
      uint64_t lanes = UINT64_MAX, allowed = 0;

      if (count && !sc->msaa) {
         lanes = K(sc_cover_block)(edges, count, which, e);
      } else if (count) {
         /* Usually the pixels of a quad have their samples at equal positions. */
         uint64_t all = 0;

         for (unsigned p = 0; p < (same ? 1u : 4u); p++) {
            int64_t at[4];

            for (unsigned k = 0; k < count; k++)
               at[k] = e[k] + edges->sample[which[k]][s][p];
            all |= K(sc_cover_block)(edges, count, which, at) & (same ? UINT64_MAX : pixels[p]);
         }
         lanes = all;
      }
      for (unsigned p = 0; p < 4; p++)
         if (sc->sample_mask[p] & 1u << s)
            allowed |= pixels[p];
      samples[s] = lanes & inside & allowed;
   }
}

uint64_t
K(sc_clip)(const struct sc_state *sc, int32_t x, int32_t y, uint64_t cover)
{
   uint64_t in[4], keep = 0;

   for (unsigned i = 0; i < 4; i++) {
      const struct sc_rect *r = &sc->cliprect[i];
      int32_t x0 = r->x0 - x, y0 = r->y0 - y, x1 = r->x1 - 1 - x, y1 = r->y1 - 1 - y;

      x0 = x0 < 0 ? 0 : x0;
      y0 = y0 < 0 ? 0 : y0;
      x1 = x1 > 7 ? 7 : x1;
      y1 = y1 > 7 ? 7 : y1;
      in[i] = x0 <= x1 && y0 <= y1 ? lanes_in_rect(x0, y0, x1, y1) : 0;
   }
   for (unsigned n = 0; n < 16; n++) {
      if (!(sc->cliprect_rule & 1u << n))
         continue;
      keep |= (n & 1 ? in[0] : ~in[0]) & (n & 2 ? in[1] : ~in[1]) & (n & 4 ? in[2] : ~in[2]) &
              (n & 8 ? in[3] : ~in[3]);
   }
   return cover & keep;
}

uint64_t
K(sc_stipple)(const struct sc_state *sc, const struct sc_prim *prim, int32_t x, int32_t y,
              uint64_t cover)
{
   uint64_t keep = 0;

   for (uint64_t m = cover; m; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctzll(m);
      float dx = (float)(x + (int32_t)(l & 7) - prim->x0);
      float dy = (float)(y + (int32_t)(l >> 3) - prim->y0);
      float counter = prim->stipple[0] + prim->stipple[1] * dx + prim->stipple[2] * dy;
      uint32_t step = counter > 0 && counter < 16777216.0f ? (uint32_t)counter : 0;

      if (sc->line_pattern >> (step / sc->line_repeat & 15) & 1)
         keep |= UINT64_C(1) << l;
   }
   return keep;
}
