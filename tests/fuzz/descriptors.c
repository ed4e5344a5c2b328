/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of textures, samplers and vertex buffers, and the lookup that uses them: any bits.
 *
 *    byte 0     bits 2:0 the coordinates' scale, a power of 16; bit 3: many vertices; bit 4: the
 *               dwords of vertices count
 *    dwords     8 texture, 3 sampler, 8 vertices, 4 lookup: their exclusive or with right ones
 *
 * What must hold: as in draws.c; the same input gives the same picture; and none leaves another
 * client's memory, or the right draw's picture, other than it was.
 */
#include "cayman_draw.h"

#define DWORDS (8 + 3 + 8 + 4)

static unsigned picture_pixels; /* of the last, those that were drawn */

static uint64_t
run_once(uint8_t head, const uint32_t words[DWORDS])
{
   struct cayman_draw *d = draw_begin();
   uint32_t texture[8], vertices[8], lookup[4];
   const float scale = (float)(1u << (head & 7) * 4);
   uint64_t hash = 1;

   draw_memory(d);
   draw_state(d);
   draw_descriptors(texture, vertices);
   memcpy(lookup, d->door.mem + d->texture_word, sizeof(lookup));
   for (unsigned n = 0; n < 8; n++) {
      texture[n] ^= words[n];
      if (head & 16)
         vertices[n] ^= words[11 + n];
   }
   for (unsigned n = 0; n < 4; n++)
      lookup[n] ^= words[19 + n];
   memcpy(d->door.mem + d->texture_word, lookup, sizeof(lookup));
   draw_resource(&d->ib, CAYMAN_RESOURCE_PS, texture);
   draw_resource(&d->ib, CAYMAN_RESOURCE_VS, vertices);
   IB_ADD(&d->ib, PM4_SET_SAMPLER, CAYMAN_SAMPLER_PS, words[8], words[9], words[10]);
   /* Coordinates beyond the texture: positions as they are, which the viewport makes small. */
   for (unsigned n = 0; n < 24; n++) {
      float corner;

      memcpy(&corner, d->door.mem + DRAW_VERTICES_AT / 4 + n, 4);
      corner *= n % 4 < 2 ? scale : 1;
      memcpy(d->door.mem + DRAW_VERTICES_AT / 4 + n, &corner, 4);
   }
   IB_ADD(&d->ib, PM4_DRAW_INDEX_AUTO, head & 8 ? 60 : 6, DI_SRC_SEL_AUTO_INDEX);
   draw_submit(d);
   for (unsigned n = 0; n < DOOR_BYTES / 4; n++) {
      hash = (hash ^ d->door.mem[n]) * UINT64_C(0x9e3779b97f4a7c15);
      hash ^= hash >> 29;
   }
   picture_pixels = 0;
   for (unsigned n = 0; n < DRAW_SIDE * DRAW_SIDE; n++)
      picture_pixels += d->door.mem[DRAW_COLOR_AT / 4 + 4 * n + 3] != 0;
   draw_end(d);
   return hash;
}

FUZZ_ENTRY(descriptors)
{
   uint32_t words[DWORDS] = { 0 };

   if (size < 1 || size > 1 + sizeof(words))
      return 0;
   memcpy(words, data + 1, size - 1);
   static uint64_t right;
   static const uint32_t same[DWORDS];
   if (!right) {
      right = run_once(0, same);
      FUZZ_CHECK(picture_pixels == DRAW_SIDE * DRAW_SIDE);
   }
   const uint64_t first = run_once(data[0], words);
   FUZZ_CHECK(run_once(data[0], words) == first);
   FUZZ_CHECK(run_once(0, same) == right);
   return 0;
}
