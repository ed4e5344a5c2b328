/* SPDX-License-Identifier: MIT */
/*
 * What pixel programs read of colour targets, and store to them, at the pixels they are at
 * (kernels): components by the target's format, no blending.  A store is kept in the wave's
 * outputs until its pixel has passed all tests; what is read before has it in it, under the
 * target's mask.  Lanes are in quad order, and no pixel occurs twice.
 */
#include "port/pack.h"
#include "port/quads.h"
#include "cb/cb.h"

_Static_assert(CORE_STORE_TARGETS == CB_TARGETS && CORE_STORE_SAMPLES == SC_MAX_SAMPLES,
               "every sample of every target can be stored to");

/* The sample of a target with fewer samples than are rasterised. */
static unsigned
sample_of(const struct target *s, unsigned sample)
{
   return sample & ((1u << s->log2_samples) - 1);
}

/* NULL: outside, where lanes may be that are there for their quad alone. */
static uint8_t *
pixel(const struct tile *t, const struct target *s, unsigned lane, unsigned sample)
{
   const struct pixel_wave *w = t->wave;
   const unsigned q = lane / 4;
   const uint32_t x = (uint32_t)w->x[q] + (lane & 1), y = (uint32_t)w->y[q] + (lane >> 1 & 1);

   if (q >= w->num_quads || x >= s->width || y >= s->height)
      return NULL;
   return target_pixel(s, x, y, wave_prim(w, q)->layer) + (size_t)sample * s->cpp;
}

static void
load_words(const struct tile *t, const struct target *s, unsigned sample, uint64_t lanes,
           wave_lane words[4])
{
   for (unsigned d = 0; d < 4; d++)
      memset(words[d], 0, sizeof(words[d]));
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);
      const uint8_t *from = pixel(t, s, l, sample);
      uint32_t word[4] = { 0, 0, 0, 0 };

      if (from)
         memcpy(word, from, s->cpp <= sizeof(word) ? s->cpp : sizeof(word));
      for (unsigned d = 0; d < 4; d++)
         words[d][l] = word[d];
   }
}

/* Puts what lanes stored over the words of their pixels. */
static void
apply_stores(const struct cb_target *target, const wave_lane value[4], uint64_t lanes,
             wave_lane words[4])
{
   for (unsigned i = 0; i < VECTORS; i++) {
      const vm m = vm_lanes(lanes, i);
      vu out[4] = { vu_splat(0), vu_splat(0), vu_splat(0), vu_splat(0) };

      for (unsigned k = 0; k < 4; k++) {
         const struct cb_channel *ch = &target->channel[k];

         if (ch->bits)
            out[ch->dword & 3] |= pack_channel(ch, vu_load(&value[k][i * VW]));
      }
      for (unsigned d = 0; d < 4; d++) {
         const vu mask = vu_keep(m, vu_splat(target->pixel_mask[d]));
         uint32_t *to = &words[d][i * VW];

         vu_store(to, (out[d] & mask) | (vu_load(to) & ~mask));
      }
   }
}

void
K(cb_load)(const struct tile *t, unsigned index, unsigned sample, uint64_t lanes,
           uint32_t *const out[4])
{
   const struct cb_target *target = &t->draw->cb->target[index];
   const struct core_stores *stores = t->core.stores;
   wave_lane words[4];
   bool integers = false;

   if (!target->surface.host)
      return;
   sample = sample_of(&target->surface, sample);
   load_words(t, &target->surface, sample, lanes, words);
   if (stores && stores->lanes[index][sample])
      apply_stores(target, stores->value[index][sample], stores->lanes[index][sample], words);
   for (unsigned k = 0; k < 4; k++)
      integers |= target->channel[k].bits && (target->channel[k].type == NUMERIC_UINT ||
                                              target->channel[k].type == NUMERIC_SINT);
   for (unsigned k = 0; k < 4; k++) {
      const struct cb_channel *ch = &target->channel[k];
      const bool one = k == 3 && (!ch->bits || target->dst_alpha_one);

      for (unsigned i = 0; i < VECTORS; i++) {
         vu v = vu_splat(!one ? 0 : integers ? 1 : F32_ONE);

         if (ch->bits && !one)
            v = unpack_channel(ch, vu_load(&words[ch->dword & 3][i * VW]));
         vu_store(&out[k][i * VW], v);
      }
   }
}

void
K(cb_store)(struct tile *t, uint64_t lanes, unsigned sample)
{
   const struct cb_state *cb = t->draw->cb;
   const struct core_stores *stores = t->core.stores;

   if (cb->mode != CB_COLORS || t->key.no_color)
      return;
   for (uint32_t m = cb->bound; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      const struct cb_target *target = &cb->target[i];
      const struct target *s = &target->surface;
      const uint64_t stored = stores->lanes[i][sample] & lanes;
      wave_lane words[4];

      if (!stored || sample >> s->log2_samples)
         continue;
      load_words(t, s, sample, stored, words);
      apply_stores(target, stores->value[i][sample], stored, words);
      for (uint64_t l = stored; l; l &= l - 1) {
         const unsigned lane = (unsigned)__builtin_ctzll(l);
         const uint32_t word[4] = { words[0][lane], words[1][lane], words[2][lane],
                                    words[3][lane] };
         uint8_t *to = pixel(t, s, lane, sample);

         if (to)
            memcpy(to, word, s->cpp <= sizeof(word) ? s->cpp : sizeof(word));
      }
   }
}
