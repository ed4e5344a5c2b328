/* SPDX-License-Identifier: MIT */
/*
 * DB_*: depth and stencil.
 */
#include <string.h>

#include "chip/cayman/cayman.h"
#include "chip/cayman/map.h"
#include "db/db.h"
#include "port/state.h"

#include <atoll/cayman/enums.h>
#include <atoll/cayman/r600.h>

static void
decode_surfaces(struct db_state *s, const struct regs *r, const struct vm *vm)
{
   const uint32_t info = reg(r, R_DB_Z_INFO), view = reg(r, R_DB_DEPTH_VIEW);
   struct target_desc desc = {
      .va = (uint64_t)reg(r, R_DB_Z_WRITE_BASE) << 8,
      .pitch = (REG_FIELD_GET(reg(r, R_DB_DEPTH_SIZE), DB_DEPTH_SIZE, PITCH_TILE_MAX) + 1) * 8,
      .slice_tiles = REG_FIELD_GET(reg(r, R_DB_DEPTH_SLICE), DB_DEPTH_SLICE, SLICE_TILE_MAX) + 1,
      .log2_samples = regs_chip(r)->five_slots ? cayman_log2_samples(r)
                                               : REG_FIELD_GET(info, DB_Z_INFO, NUM_SAMPLES),
      .first_layer = REG_FIELD_GET(view, DB_DEPTH_VIEW, SLICE_START),
      .last_layer = REG_FIELD_GET(view, DB_DEPTH_VIEW, SLICE_MAX),
   };

   s->z_format = cayman_depth_format[REG_FIELD_GET(info, DB_Z_INFO, FORMAT)];
   desc.cpp = db_depth_bytes(s->z_format);
   target_decode(&s->z, vm, &desc);

   if (REG_FIELD_GET(reg(r, R_DB_STENCIL_INFO), DB_STENCIL_INFO, FORMAT) == DB_STENCIL_8) {
      desc.va = (uint64_t)reg(r, R_DB_STENCIL_WRITE_BASE) << 8;
      desc.cpp = 1;
      target_decode(&s->s, vm, &desc);
   }
}

/* R600's and R700's: one surface, of which stencil has a byte. */
static void
decode_packed(struct db_state *s, const struct regs *r, const struct vm *vm)
{
   static const struct {
      uint8_t format, z_bytes, cpp, stencil; /* stencil: its byte; 0: there is none */
   } formats[8] = {
      [R600_Z_16] = { DEPTH_UNORM16, 2, 2, 0 },
      [R600_Z_X8_24] = { DEPTH_UNORM24, 4, 4, 0 },
      [R600_Z_8_24] = { DEPTH_UNORM24, 3, 4, 3 },
      [R600_Z_32_FLOAT] = { DEPTH_FLOAT32, 4, 4, 0 },
      [R600_Z_X24_8_32_FLOAT] = { DEPTH_FLOAT32, 4, 8, 4 },
   };
   const unsigned n = REG_FIELD_GET(reg(r, R_DB_Z_INFO), R600_DB_DEPTH_INFO, FORMAT);
   const uint32_t view = reg(r, R_DB_DEPTH_VIEW);
   const struct target_desc desc = {
      .va = (uint64_t)reg(r, R_DB_Z_WRITE_BASE) << 8,
      .pitch = (reg(r, R_DB_DEPTH_SIZE) + 1) * 8,
      .slice_tiles = reg(r, R_DB_DEPTH_SLICE) + 1,
      .cpp = formats[n].cpp,
      .log2_samples = cayman_log2_samples(r),
      .first_layer = REG_FIELD_GET(view, DB_DEPTH_VIEW, SLICE_START),
      .last_layer = REG_FIELD_GET(view, DB_DEPTH_VIEW, SLICE_MAX),
   };

   s->z_format = formats[n].format;
   s->z_bytes = formats[n].z_bytes;
   target_decode(&s->z, vm, &desc);
   if (formats[n].stencil && s->z.host) {
      s->s = s->z;
      s->s.host += formats[n].stencil;
      s->s.va += formats[n].stencil;
   }
}

void
cayman_decode_db(struct db_state *s, const struct regs *r, const struct vm *vm)
{
   const uint32_t control = reg(r, R_DB_DEPTH_CONTROL), render = reg(r, R_DB_RENDER_CONTROL);
   const uint32_t shader = reg(r, R_DB_SHADER_CONTROL);
   const uint32_t front = reg(r, R_DB_STENCILREFMASK), back = reg(r, R_DB_STENCILREFMASK_BF);

   memset(s, 0, sizeof(*s));
   if (regs_chip(r)->old)
      decode_packed(s, r, vm);
   else
      decode_surfaces(s, r, vm);

   s->z_test = REG_FIELD_GET(control, DB_DEPTH_CONTROL, Z_ENABLE);
   s->z_func = cayman_test[REG_FIELD_GET(control, DB_DEPTH_CONTROL, ZFUNC)];
   s->z_write = REG_FIELD_GET(control, DB_DEPTH_CONTROL, Z_WRITE_ENABLE);

#define OP(field)   cayman_stencil_op[REG_FIELD_GET(control, DB_DEPTH_CONTROL, field)]
#define FUNC(field) cayman_test[REG_FIELD_GET(control, DB_DEPTH_CONTROL, field)]
   s->stencil = REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCIL_ENABLE);
   s->face[0] = (struct db_face){
      .func = FUNC(STENCILFUNC),
      .fail = OP(STENCILFAIL),
      .zfail = OP(STENCILZFAIL),
      .zpass = OP(STENCILZPASS),
      .ref = REG_FIELD_GET(front, DB_STENCILREFMASK, STENCILREF),
      .mask = REG_FIELD_GET(front, DB_STENCILREFMASK, STENCILMASK),
      .write_mask = REG_FIELD_GET(front, DB_STENCILREFMASK, STENCILWRITEMASK),
   };
   s->face[1] = s->face[0];
   if (REG_FIELD_GET(control, DB_DEPTH_CONTROL, BACKFACE_ENABLE))
      s->face[1] = (struct db_face){
         .func = FUNC(STENCILFUNC_BF),
         .fail = OP(STENCILFAIL_BF),
         .zfail = OP(STENCILZFAIL_BF),
         .zpass = OP(STENCILZPASS_BF),
         .ref = REG_FIELD_GET(back, DB_STENCILREFMASK_BF, STENCILREF_BF),
         .mask = REG_FIELD_GET(back, DB_STENCILREFMASK_BF, STENCILMASK_BF),
         .write_mask = REG_FIELD_GET(back, DB_STENCILREFMASK_BF, STENCILWRITEMASK_BF),
      };
#undef OP
#undef FUNC

   s->z_clear = REG_FIELD_GET(render, DB_RENDER_CONTROL, DEPTH_CLEAR_ENABLE);
   s->s_clear = REG_FIELD_GET(render, DB_RENDER_CONTROL, STENCIL_CLEAR_ENABLE);
   s->z_clear_value = reg_float(r, R_DB_DEPTH_CLEAR);
   s->s_clear_value = REG_FIELD_GET(reg(r, R_DB_STENCIL_CLEAR), DB_STENCIL_CLEAR, CLEAR);
   s->copy_z = REG_FIELD_GET(render, DB_RENDER_CONTROL, DEPTH_COPY_ENABLE);
   s->copy_s = REG_FIELD_GET(render, DB_RENDER_CONTROL, STENCIL_COPY_ENABLE);
   s->copy_sample = REG_FIELD_GET(render, DB_RENDER_CONTROL, COPY_SAMPLE);
   s->color_disable = REG_FIELD_GET(render, DB_RENDER_CONTROL, COLOR_DISABLE);

   s->export_z = REG_FIELD_GET(shader, DB_SHADER_CONTROL, Z_EXPORT_ENABLE);
   s->export_stencil = REG_FIELD_GET(shader, DB_SHADER_CONTROL, STENCIL_EXPORT_ENABLE);
   s->export_mask = REG_FIELD_GET(shader, DB_SHADER_CONTROL, MASK_EXPORT_ENABLE);
   s->viewport_clamp =
      !REG_FIELD_GET(reg(r, R_DB_RENDER_OVERRIDE), DB_RENDER_OVERRIDE, DISABLE_VIEWPORT_CLAMP);
   s->count = !REG_FIELD_GET(reg(r, R_DB_COUNT_CONTROL), DB_COUNT_CONTROL, ZPASS_INCREMENT_DISABLE);
   s->drops = REG_FIELD_GET(shader, DB_SHADER_CONTROL, KILL_ENABLE);
   s->forced_early = REG_FIELD_GET(shader, DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER);
   s->coverage_after_tests =
      REG_FIELD_GET(shader, DB_SHADER_CONTROL, PRE_SHADER_DEPTH_COVERAGE_ENABLE);
   s->late_order = REG_FIELD_GET(shader, DB_SHADER_CONTROL, Z_ORDER) == DB_LATE_Z;
   db_finish(s);
}
