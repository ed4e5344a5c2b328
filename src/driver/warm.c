/* SPDX-License-Identifier: MIT */
/*
 * A program that nobody draws with: a thread compiles it before the first one that a draw needs.
 *
 * Mesa's tables of algebraic rules, its passes and the compiler after them are some megabytes of
 * the library, which the system maps when they are first touched: three microseconds for 64 KiB.
 * Small programs wait for that longer than for most passes. What one compilation has touched is
 * mapped for all threads.
 */
#include "context.h"

#include "compiler/nir/nir_builder.h"

#include "compiler/nir/nir_to_il.h"

/* A little of all that shaders do: each operation has rules of its own in Mesa's tables. */
static nir_def *
some_of_everything(nir_builder *b, nir_def *v)
{
   nir_def *length = nir_frsq(b, nir_fdot3(b, v, v));
   nir_def *unit = nir_fmul(b, v, length);
   nir_def *shine = nir_fpow(b, nir_fmax(b, nir_channel(b, unit, 2), nir_imm_float(b, 0.25f)),
                             nir_imm_float(b, 12.5f));
   nir_def *wave = nir_fadd(b, nir_fsin(b, length), nir_fcos(b, shine));
   nir_def *cell = nir_iadd(b, nir_f2i32(b, nir_ffloor(b, wave)),
                            nir_iadd(b, nir_imm_int(b, 3), nir_imm_int(b, 4)));
   nir_def *mixed = nir_flrp(b, v, nir_fneg(b, unit), nir_fsat(b, nir_frcp(b, wave)));
   nir_def *inside = nir_flt(b, nir_fabs(b, shine), nir_fmin(b, wave, nir_ffract(b, length)));
   nir_def *constant = nir_fmul(b, nir_fneg(b, nir_imm_float(b, 1.5f)), nir_imm_float(b, 3.5f));
   nir_def *chosen = nir_bcsel(b, inside, mixed, nir_fsub(b, v, nir_fadd(b, unit, constant)));

   return nir_ffma(b, chosen, unit, nir_fadd(b, v, nir_i2f32(b, nir_ishl_imm(b, cell, 2))));
}

static nir_shader *
make_program(const struct atoll_screen *screen)
{
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT,
                                                  atoll_screen_nir_options(screen), "warm");
   nir_variable *out = nir_variable_create(b.shader, nir_var_shader_out, glsl_vec4_type(), "color");

   out->data.location = FRAG_RESULT_DATA0;
   b.shader->info.outputs_written = BITFIELD64_BIT(FRAG_RESULT_DATA0);
   b.shader->info.num_ubos = 1;
   b.shader->info.first_ubo_is_default_ubo = true;
   nir_def *constant =
      nir_load_ubo(&b, 4, 32, nir_imm_int(&b, 0), nir_imm_int(&b, 0), .align_mul = 16,
                   .align_offset = 0, .range_base = 0, .range = 16);
   nir_def *v = nir_fadd(&b, nir_load_frag_coord(&b), constant);
   nir_store_var(&b, out, some_of_everything(&b, v), 0xF);
   return b.shader;
}

void
atoll_warm_compiler(struct atoll_screen *screen)
{
   const struct shader_compiler *compiler = screen->backend->compiler;
   const struct atoll_nir_key key = { .color_count = 1 };
   nir_shader *nir = make_program(screen);
   char error[256];

   atoll_nir_lower(nir, NULL, screen->backend->limits->wave);
   struct il_program *il = atoll_nir_to_il(nir, &key, NULL, NULL, error, sizeof(error));
   if (il) {
      struct shader_code code;
      compiler->compile(il, 0, &code, error, sizeof(error));
      shader_code_finish(&code);
      il_program_free(il);
   }
   ralloc_free(nir);
}
