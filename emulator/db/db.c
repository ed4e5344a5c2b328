/* SPDX-License-Identifier: MIT */
/*
 * Decodes DB.
 */
#include <string.h>

#include "db/db.h"

#include <atoll/cayman/enums.h>

static void
decode_surfaces(struct db_state *s, const struct regs *r, const struct vm *vm)
{
   static const uint8_t z_bytes[4] = {
      [DB_Z_INVALID] = 0,
      [DB_Z_16] = 2,
      [DB_Z_24] = 4,
      [DB_Z_32_FLOAT] = 4,
   };
   uint32_t info = reg(r, R_DB_Z_INFO), view = reg(r, R_DB_DEPTH_VIEW);
   uint32_t size = reg(r, R_DB_DEPTH_SIZE);
   struct target_desc desc = {
      .va = (uint64_t)reg(r, R_DB_Z_WRITE_BASE) << 8,
      .pitch = (REG_FIELD_GET(size, DB_DEPTH_SIZE, PITCH_TILE_MAX) + 1) * 8,
      .slice_tiles = REG_FIELD_GET(reg(r, R_DB_DEPTH_SLICE), DB_DEPTH_SLICE, SLICE_TILE_MAX) + 1,
      .array_mode = REG_FIELD_GET(info, DB_Z_INFO, ARRAY_MODE),
      .log2_samples = REG_FIELD_GET(info, DB_Z_INFO, NUM_SAMPLES),
      .first_layer = REG_FIELD_GET(view, DB_DEPTH_VIEW, SLICE_START),
      .last_layer = REG_FIELD_GET(view, DB_DEPTH_VIEW, SLICE_MAX),
   };

   s->z_format = REG_FIELD_GET(info, DB_Z_INFO, FORMAT);
   desc.cpp = z_bytes[s->z_format];
   target_decode(&s->z, vm, &desc);

   if (REG_FIELD_GET(reg(r, R_DB_STENCIL_INFO), DB_STENCIL_INFO, FORMAT) == DB_STENCIL_8) {
      desc.va = (uint64_t)reg(r, R_DB_STENCIL_WRITE_BASE) << 8;
      desc.cpp = 1;
      target_decode(&s->s, vm, &desc);
   }
}

static bool
face_writes(const struct db_face *f)
{
   return f->write_mask &&
          (f->fail != STENCIL_KEEP || f->zfail != STENCIL_KEEP || f->zpass != STENCIL_KEEP);
}

void
db_decode(struct db_state *s, const struct regs *r, const struct vm *vm)
{
   uint32_t control = reg(r, R_DB_DEPTH_CONTROL), render = reg(r, R_DB_RENDER_CONTROL);
   uint32_t shader = reg(r, R_DB_SHADER_CONTROL), count = reg(r, R_DB_COUNT_CONTROL);
   uint32_t front = reg(r, R_DB_STENCILREFMASK), back = reg(r, R_DB_STENCILREFMASK_BF);

   memset(s, 0, sizeof(*s));
   decode_surfaces(s, r, vm);

   s->z_test = s->z.host && REG_FIELD_GET(control, DB_DEPTH_CONTROL, Z_ENABLE);
   s->z_func = s->z_test ? REG_FIELD_GET(control, DB_DEPTH_CONTROL, ZFUNC) : COMPARE_ALWAYS;
   s->z_write = s->z_test && REG_FIELD_GET(control, DB_DEPTH_CONTROL, Z_WRITE_ENABLE);
   s->z_test = s->z_func != COMPARE_ALWAYS;

   s->stencil = s->s.host && REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCIL_ENABLE);
   s->face[0] = (struct db_face){
      .func = REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCILFUNC),
      .fail = REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCILFAIL),
      .zfail = REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCILZFAIL),
      .zpass = REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCILZPASS),
      .ref = REG_FIELD_GET(front, DB_STENCILREFMASK, STENCILREF),
      .mask = REG_FIELD_GET(front, DB_STENCILREFMASK, STENCILMASK),
      .write_mask = REG_FIELD_GET(front, DB_STENCILREFMASK, STENCILWRITEMASK),
   };
   s->face[1] = s->face[0];
   if (REG_FIELD_GET(control, DB_DEPTH_CONTROL, BACKFACE_ENABLE)) {
      s->face[1] = (struct db_face){
         .func = REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCILFUNC_BF),
         .fail = REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCILFAIL_BF),
         .zfail = REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCILZFAIL_BF),
         .zpass = REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCILZPASS_BF),
         .ref = REG_FIELD_GET(back, DB_STENCILREFMASK_BF, STENCILREF_BF),
         .mask = REG_FIELD_GET(back, DB_STENCILREFMASK_BF, STENCILMASK_BF),
         .write_mask = REG_FIELD_GET(back, DB_STENCILREFMASK_BF, STENCILWRITEMASK_BF),
      };
   }

   s->z_clear = s->z.host && REG_FIELD_GET(render, DB_RENDER_CONTROL, DEPTH_CLEAR_ENABLE);
   s->s_clear = s->s.host && REG_FIELD_GET(render, DB_RENDER_CONTROL, STENCIL_CLEAR_ENABLE);
   s->z_clear_value = reg_float(r, R_DB_DEPTH_CLEAR);
   s->s_clear_value = REG_FIELD_GET(reg(r, R_DB_STENCIL_CLEAR), DB_STENCIL_CLEAR, CLEAR);
   s->copy_z = s->z.host && REG_FIELD_GET(render, DB_RENDER_CONTROL, DEPTH_COPY_ENABLE);
   s->copy_s = s->s.host && REG_FIELD_GET(render, DB_RENDER_CONTROL, STENCIL_COPY_ENABLE);
   s->copy_centroid = REG_FIELD_GET(render, DB_RENDER_CONTROL, COPY_CENTROID);
   s->copy_sample = REG_FIELD_GET(render, DB_RENDER_CONTROL, COPY_SAMPLE);
   s->color_disable = REG_FIELD_GET(render, DB_RENDER_CONTROL, COLOR_DISABLE);
   if (s->copy_z || s->copy_s) {
      /* A copy reads the planes and leaves them alone. */
      s->z_test = s->z_write = s->stencil = s->z_clear = s->s_clear = false;
      s->z_func = COMPARE_ALWAYS;
   }

   s->export_z = REG_FIELD_GET(shader, DB_SHADER_CONTROL, Z_EXPORT_ENABLE);
   s->export_stencil = REG_FIELD_GET(shader, DB_SHADER_CONTROL, STENCIL_EXPORT_ENABLE);
   s->export_mask = REG_FIELD_GET(shader, DB_SHADER_CONTROL, MASK_EXPORT_ENABLE);
   s->viewport_clamp =
      !REG_FIELD_GET(reg(r, R_DB_RENDER_OVERRIDE), DB_RENDER_OVERRIDE, DISABLE_VIEWPORT_CLAMP);
   s->count = !REG_FIELD_GET(count, DB_COUNT_CONTROL, ZPASS_INCREMENT_DISABLE);
   s->writes = s->z_write || s->z_clear || s->s_clear ||
               (s->stencil && (face_writes(&s->face[0]) || face_writes(&s->face[1])));
   s->active = s->writes || s->z_test || s->stencil;

   /* Whether a pixel that the program may drop was drawn must be known before anything is
    * written or counted; program values must be known before they are compared. */
   bool forced = REG_FIELD_GET(shader, DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER);
   bool drops = REG_FIELD_GET(shader, DB_SHADER_CONTROL, KILL_ENABLE) || s->export_mask;
   s->early = forced || (!s->export_z && !s->export_stencil && !(drops && (s->writes || s->count)));
   s->forced_early = forced;
   s->coverage_after_tests =
      REG_FIELD_GET(shader, DB_SHADER_CONTROL, PRE_SHADER_DEPTH_COVERAGE_ENABLE);
   s->late_order = !forced && REG_FIELD_GET(shader, DB_SHADER_CONTROL, Z_ORDER) == DB_LATE_Z;
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
