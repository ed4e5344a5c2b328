/* SPDX-License-Identifier: MIT */
/*
 * What follows from a draw's depth and stencil state, and what passes ask about it.
 */
#include "db/db.h"

#include <stddef.h>

#include "port/state.h"

unsigned
db_depth_bytes(unsigned format)
{
   static const uint8_t bytes[] = {
      [DEPTH_UNORM16] = 2,
      [DEPTH_UNORM24] = 4,
      [DEPTH_FLOAT32] = 4,
   };

   return format < sizeof(bytes) ? bytes[format] : 0;
}

static bool
face_writes(const struct db_face *f)
{
   return f->write_mask && (f->fail != STENCIL_OP_KEEP || f->zfail != STENCIL_OP_KEEP ||
                            f->zpass != STENCIL_OP_KEEP);
}

void
db_finish(struct db_state *s)
{
   s->z_bytes = s->z_bytes ? s->z_bytes : s->z.cpp;
   s->copy_z &= s->z.host != NULL;
   s->copy_s &= s->s.host != NULL;
   /* A copy reads the planes and leaves them alone. */
   const bool copies = s->copy_z || s->copy_s;
   const bool z = s->z.host && !copies, stencil = s->s.host && !copies;

   s->z_func = z && s->z_test ? s->z_func : TEST_ALWAYS;
   s->z_write &= z && s->z_test;
   s->z_test = s->z_func != TEST_ALWAYS;
   s->stencil &= stencil;
   s->z_clear &= z;
   s->s_clear &= stencil;
   s->writes = s->z_write || s->z_clear || s->s_clear ||
               (s->stencil && (face_writes(&s->face[0]) || face_writes(&s->face[1])));
   s->active = s->writes || s->z_test || s->stencil;

   /* Whether a pixel that the program may drop was drawn must be known before anything is
    * written or counted; program values must be known before they are compared. */
   s->drops |= s->export_mask;
   s->early = s->forced_early ||
              (!s->export_z && !s->export_stencil && !(s->drops && (s->writes || s->count)));
   s->late_order &= !s->forced_early;
}

static bool
face_overwrites(const struct db_face *f)
{
   return f->func == TEST_ALWAYS && f->write_mask == 255 &&
          (f->zpass == STENCIL_OP_REPLACE || f->zpass == STENCIL_OP_ZERO);
}

bool
db_overwrites(const struct db_state *s, unsigned samples)
{
   return (!s->z.host || 1u << s->z.log2_samples == samples) &&
          (!s->s.host || 1u << s->s.log2_samples == samples) && !s->z_test &&
          (!s->stencil || (face_overwrites(&s->face[0]) && face_overwrites(&s->face[1])));
}

bool
db_same_targets(const struct db_state *a, const struct db_state *b)
{
   return target_same(&a->z, &b->z) && target_same(&a->s, &b->s) &&
          (!a->z.host || a->z_format == b->z_format) && a->copy_z == b->copy_z &&
          a->copy_s == b->copy_s;
}

unsigned
db_ranges(const struct db_state *s, struct target_range out[2])
{
   unsigned n = 0;

   out[n] = target_range(&s->z);
   n += out[n].size != 0;
   if (s->s.host)
      out[n++] = target_range(&s->s);
   return n;
}
