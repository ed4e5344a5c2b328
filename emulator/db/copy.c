/* SPDX-License-Identifier: MIT */
/* Copies of depth and stencil to colour targets (kernels). */
#include "cb/cb.h"
#include "db/test.h"

/* Bits of a component that holds a depth. */
static uint32_t
depth_as(const struct cb_channel *c, unsigned format, uint32_t raw)
{
   const unsigned from = format == DEPTH_UNORM16 ? 16 : 24;
   const uint32_t max = format == DEPTH_UNORM16 ? 0xffff : 0xffffff;
   float z;

   if (format != DEPTH_FLOAT32 && c->type != NUMERIC_FLOAT && c->bits == from)
      return raw & max;
   if (format == DEPTH_FLOAT32)
      memcpy(&z, &raw, sizeof(z));
   else
      z = (float)(raw & max) / (float)max;
   if (c->type == NUMERIC_FLOAT) {
      uint32_t bits;

      memcpy(&bits, &z, sizeof(bits));
      return bits;
   }
   z = z > 0.0f ? z : 0.0f;
   z = z < 1.0f ? z : 1.0f;
   return (uint32_t)((double)z * (double)(0xffffffffu >> (32 - c->bits)) + 0.5);
}

void
K(db_copy_block)(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t cover)
{
   const struct db_state *db = t->draw->db;
   const struct cb_state *cb = t->draw->cb;
   const struct target *planes[2] = { db->copy_z ? &db->z : NULL, db->copy_s ? &db->s : NULL };

   for (unsigned i = 0; i < CB_TARGETS; i++) {
      const struct cb_target *target = &cb->target[i];

      if (!(cb->bound & 1u << i))
         continue;
      for (uint64_t m = cover; m; m &= m - 1) {
         const unsigned l = (unsigned)__builtin_ctzll(m);
         const uint32_t px = (uint32_t)x + (l & 7), py = (uint32_t)y + (l >> 3);
         uint8_t *to = target_pixel(&target->surface, px, py, prim->layer);

         for (unsigned plane = 0; plane < 2; plane++) {
            const struct target *s = planes[plane];
            const struct cb_channel *c = &target->channel[plane];
            uint32_t value, word, mask;

            if (!s)
               continue;
            if (plane && !c->bits && !db->copy_z)
               c = &target->channel[0];
            if (!c->bits || (c->bits == 32 && c->dword * 4u + 4 > target->surface.cpp))
               continue;
            value = read_value(target_pixel(s, px, py, prim->layer) +
                                  (db->copy_sample & ((1u << s->log2_samples) - 1)) * s->cpp,
                               plane ? 1 : db->z_bytes);
            if (!plane)
               value = depth_as(c, db->z_format, value);
            mask = 0xffffffffu >> (32 - c->bits) << c->shift;
            const unsigned bytes = target->surface.cpp < 4 ? target->surface.cpp : 4;
            word = read_value(to + c->dword * 4, bytes);
            write_value(to + c->dword * 4, bytes, (word & ~mask) | (value << c->shift & mask));
         }
      }
   }
}
