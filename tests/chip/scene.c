/* SPDX-License-Identifier: MIT */
/*
 * Compiles the scene's programs from IL and fills its memory; see model/scene.h.
 */
#include "model/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <atoll/cayman/enums.h>
#include <atoll/format_numbers.h>
#include <atoll/device.h>

#include "compiler/cayman/cayman_compile.h"
#include "compiler/shader.h"
#include "il/conventions.h"
#include "il/il.h"

#define ISA(NAME, name) extern const struct shader_compiler name##_compiler;
#include <atoll/isas.def>

static const char vertex[] = "il_vs_2_0\n"
                             "dcl_input_generic v0\n"
                             "dcl_input_generic v1\n"
                             "dcl_input_generic v2\n"
                             "dcl_output_position o0\n"
                             "dcl_output_generic o32\n"
                             "dcl_output_generic o33\n"
                             "mov o0, v0\n"
                             "mov o32, v1\n"
                             "mov o33, v2\n"
                             "end\n";

static const char pixel[] =
   "il_ps_2_0\n"
   "dcl_cb cb0[2]\n"
   "dcl_input_generic_interp(linear) v32.xy__\n"
   "dcl_input_generic_interp(linear) v33\n"
   "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_output_generic o0\n"
   "sample_resource(0)_sampler(0) r0, v32.xy00\n"
   "mul_ieee r0, r0, v33\n"
   "mad_ieee o0, r0, cb0[0], cb0[1]\n"
   "end\n";

static const char compute[] = "il_cs_2_0\n"
                              "dcl_num_thread_per_group 16, 1, 1\n"
                              "dcl_raw_uav_id(0)\n"
                              "dcl_cb cb0[3]\n"
                              "dcl_literal l0, 2, 0, 0, 0\n"
                              "umul r1.x___, vAbsTid.x, vAbsTid.x\n"
                              "iadd r1.x___, r1.x, cb0[2].x\n"
                              "ishl r0.x___, vAbsTid.x, l0.x\n"
                              "uav_raw_store_id(0) mem.x___, r0.x, r1.x\n"
                              "end\n";

#define ADDED 0x12345u

uint32_t
scene_computed(uint32_t n)
{
   return n * n + ADDED;
}

static void
put(struct scene *s, uint32_t at, const void *data, size_t bytes, uint32_t room)
{
   assert_true(bytes <= room);
   memcpy((uint8_t *)s->memory + at, data, bytes);
}

/* A program at `at`, and what its compiler wants to be in the driver's buffer. */
static void
compile(struct scene *s, const struct shader_compiler *compiler, const char *text,
        struct shader_code *out, uint32_t at, uint32_t driver_at)
{
   struct il_error wrong;
   struct il_program *il = il_parse(text, strlen(text), &wrong);
   char error[256];

   if (!il)
      fail_msg("line %u:%u: %s", wrong.where, wrong.column, wrong.text);
   if (!compiler->compile(il, 0, out, error, sizeof(error)))
      fail_msg("%s: %s", compiler->name, error);
   il_program_free(il);
   put(s, at, out->words, 4 * (size_t)out->num_dwords, 0x800);
   if (out->num_icb)
      put(s, driver_at + 16 * IL_DRV_SIZE, out->icb, 16 * (size_t)out->num_icb,
          DRIVER_BYTES - 16 * IL_DRV_SIZE);
}

/* Vertex elements of four floats, one after the other: a subroutine of Cayman's, or descriptors
 * (docs/valhall-chip.rst). */
static void
describe_vertices(struct scene *s)
{
   struct cayman_vertex_element elements[3];
   uint32_t *words;
   unsigned count;

   for (unsigned n = 0; n < 3; n++) {
      const uint32_t descriptor[8] = {
         5 | 16 * n << 16,
         FORMAT_R32G32B32A32_FLOAT | SQ_NUM_FORMAT_SCALED << 8 | 1u << 10 | 1u << 11 | 0u << 20 |
            1u << 23 | 2u << 26 | 3u << 29,
      };

      elements[n] = (struct cayman_vertex_element){
         .offset = (uint16_t)(16 * n),
         .data_format = FMT_32_32_32_32_FLOAT,
         .num_format = SQ_NUM_FORMAT_SCALED,
         .is_signed = true,
         .srf_no_zero = true,
         .dst_sel = { 0, 1, 2, 3 },
      };
      put(s, FETCHES_AT + 32 * n, descriptor, sizeof(descriptor), 32);
   }
   if (s->isa != ATOLL_ISA_CAYMAN)
      return;
   count = cayman_build_fetch_shader(elements, 3, &words);
   assert_int_not_equal(count, 0);
   put(s, FETCHES_AT, words, 4 * (size_t)count, 0x200);
   free(words);
}

static void
fill(struct scene *s)
{
   static const float vertices[VERTICES][VERTEX_BYTES / 4] = {
      { -0.9f, -0.8f, -0.5f, 1, 0, 0, 0, 1, 1, 0.25f, 0.5f, 0.9f },
      { 1.8f, -1.2f, 0.25f, 2, 2.5f, 0.5f, 0, 1, 0.25f, 1, 0.5f, 0.3f },
      { -0.1f, 1.35f, 0.9f, 1.5f, 0.75f, 3.25f, 0, 1, 0.5f, 0.75f, 1, 0.6f },
   };
   static const float constants[8] = { 0.75f, 1, 0.875f, 1, 0.125f, 0, 0.0625f, 0 };
   const uint32_t added = ADDED;
   float *depth = (float *)(void *)((uint8_t *)s->memory + DEPTH_AT);

   put(s, VERTICES_AT, vertices, sizeof(vertices), 0x100);
   put(s, CONSTANTS_AT, constants, sizeof(constants), CONSTANT_BYTES);
   put(s, CONSTANTS_AT + 32, &added, sizeof(added), CONSTANT_BYTES - 32);
   for (unsigned y = 0; y < TEXTURE_SIZE; y++)
      for (unsigned x = 0; x < TEXTURE_SIZE; x++)
         s->memory[TEXTURE_AT / 4 + TEXTURE_PITCH * y + x] = 0x20u * x | (0xffu - 0x18u * y) << 8 |
                                                             0x13u * (x ^ y) << 16 |
                                                             (0xffu - 0x11u * x) << 24;
   /* Nearer in the left half than in the right: some of the triangle is hidden. */
   for (unsigned n = 0; n < PICTURE_SIZE * PICTURE_SIZE; n++) {
      const unsigned x = n % PICTURE_SIZE;

      s->memory[COLOR_AT / 4 + n] = 0x80402010u + n;
      depth[n] = x < PICTURE_SIZE / 2 ? 0.6f : 0.85f;
   }
}

void
scene_make(struct scene *s, unsigned isa)
{
   static const struct shader_compiler *const compilers[] = {
#define ISA(NAME, name) [ATOLL_ISA_##NAME] = &name##_compiler,
#include <atoll/isas.def>
   };
   const struct shader_compiler *compiler = compilers[isa];

   *s = (struct scene){
      .isa = isa,
      .computes = isa != ATOLL_ISA_ATTILA,
      .keeps_halves = isa == ATOLL_ISA_VALHALL,
      .memory = calloc(1, SCENE_BYTES),
   };
   assert_non_null(s->memory);
   compile(s, compiler, vertex, &s->vs, VS_AT, DRIVER_VS_AT);
   compile(s, compiler, pixel, &s->ps, PS_AT, DRIVER_PS_AT);
   if (s->computes)
      compile(s, compiler, compute, &s->cs, CS_AT, DRIVER_CS_AT);
   describe_vertices(s);
   fill(s);
}

void
scene_free(struct scene *s)
{
   shader_code_finish(&s->vs);
   shader_code_finish(&s->ps);
   if (s->computes)
      shader_code_finish(&s->cs);
   free(s->memory);
}
