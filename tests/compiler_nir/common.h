/* SPDX-License-Identifier: MIT */
/* Shaders built with nir_builder, and the IL text they become. */
#ifndef TESTS_COMPILER_NIR_COMMON_H
#define TESTS_COMPILER_NIR_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_to_il.h"
#include "nir_builder.h"

static inline nir_builder
begin_for(gl_shader_stage stage, bool doubles, bool fuses)
{
   nir_builder b =
      nir_builder_init_simple_shader(stage, atoll_nir_options(doubles, fuses, false), "test");
   b.shader->info.io_lowered = true;
   b.shader->info.first_ubo_is_default_ubo = true;
   return b;
}

static inline nir_builder
begin(gl_shader_stage stage)
{
   return begin_for(stage, true, false);
}

static inline nir_def *
vs_input(nir_builder *b, unsigned n, unsigned comps)
{
   return nir_load_input(b, comps, 32, nir_imm_int(b, 0), .base = n, .dest_type = nir_type_float32,
                         .io_semantics = { .location = VERT_ATTRIB_GENERIC0 + n, .num_slots = 1 });
}

static inline nir_def *
ps_flat(nir_builder *b, unsigned var, unsigned comps)
{
   return nir_load_input(b, comps, 32, nir_imm_int(b, 0), .base = var, .dest_type = nir_type_int32,
                         .io_semantics = { .location = VARYING_SLOT_VAR0 + var, .num_slots = 1 });
}

static inline nir_def *
ps_smooth(nir_builder *b, unsigned location, unsigned comps, enum glsl_interp_mode mode)
{
   nir_def *bary = nir_load_barycentric_pixel(b, 32, .interp_mode = mode);
   return nir_load_interpolated_input(b, comps, 32, bary, nir_imm_int(b, 0),
                                      .dest_type = nir_type_float32,
                                      .io_semantics = { .location = location, .num_slots = 1 });
}

static inline void
output(nir_builder *b, unsigned location, nir_def *value)
{
   nir_store_output(b, value, nir_imm_int(b, 0), .src_type = nir_type_float32,
                    .write_mask = BITFIELD_MASK(value->num_components),
                    .io_semantics = { .location = location, .num_slots = 1 });
}

/* The text of the shader, lowered and translated, and what the driver works out for it (NULL:
 * nothing); free() both.  Fails the test when there is none. */
static inline char *
finish_with(nir_builder *b, const struct atoll_nir_key *key, struct atoll_nir_values *values)
{
   static const struct atoll_nir_key none;
   char error[200];
   nir_shader_gather_info(b->shader, nir_shader_get_entrypoint(b->shader));
   atoll_nir_lower(b->shader, NULL, 64);
   struct il_program *p =
      atoll_nir_to_il(b->shader, key ? key : &none, NULL, values, error, sizeof(error));
   ralloc_free(b->shader);
   if (!p)
      fail_msg("%s", error);

   /* The debug path of the driver: out and in again, to the same bits. */
   struct il_error err;
   uint32_t n;
   uint32_t *words = il_write(p, IL_NUMBERING_STREAM, &n, &err);
   assert_non_null(words);
   struct il_program *q = il_read(words, n, IL_NUMBERING_STREAM, &err);
   assert_non_null(q);
   assert_true(il_equal(p, q));
   il_program_free(p);
   free(words);
   char *text = il_print(q);
   p = il_parse(text, strlen(text), &err);
   if (!p)
      fail_msg("%u: %s in\n%s", err.where, err.text, text);
   assert_true(il_equal(p, q));
   il_program_free(p);
   il_program_free(q);
   return text;
}

static inline char *
finish(nir_builder *b, const struct atoll_nir_key *key)
{
   return finish_with(b, key, NULL);
}

static inline void
contains(const char *text, const char *part)
{
   if (!strstr(text, part))
      fail_msg("no '%s' in\n%s", part, text);
}

static inline void
lacks(const char *text, const char *part)
{
   if (strstr(text, part))
      fail_msg("unexpected '%s' in\n%s", part, text);
}

#endif
