/* SPDX-License-Identifier: MIT */
/*
 * The programs of the documents, executed directly and compiled, in every way of compiling and on
 * many inputs.  Those of AMD IL 2.4, chapter 3, are of shader model 3: what they compute is kept,
 * their inputs, outputs and constants are written as those of model 4.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "case.h"
#include "direct/direct.h"
#include "kernel.h"

#define ROUNDS 40

#define PIXEL                                      \
   "il_ps_2_0\n"                                   \
   "dcl_cb cb0[2]\n"                               \
   "dcl_input_usage(generic)_interp(linear) v32\n" \
   "dcl_input_usage(generic)_interp(linear) v33\n" \
   "dcl_output_generic o0\n"

/* R600 assembly language guide, 2. */
static const char product[] = PIXEL "mul o0, cb0[0], cb0[1]\nend\n";

/* AMD IL 3: green stripes, vT0 in v32 and vPriColor0 in v33. */
static const char stripes[] = PIXEL "dcl_literal l0, 0.5, 1.0, 0, 0\n"
                                    "dcl_literal l1, 0.0, 1.0, 0.0, 1.0\n"
                                    "mod r0.x, v32.x, l0.y\n"
                                    "ifc_relop(lt) r0.x, l0.x\n"
                                    "mov o0, v33\n"
                                    "else\n"
                                    "mov o0.rgb1, l1\n"
                                    "endif\n"
                                    "end\n";

/* AMD IL 3: a red checkerboard, without mod. */
static const char checkerboard[] = PIXEL "dcl_literal l0, 0, 1.0, 0.5, 0\n"
                                         "dcl_literal l1, 2.0, 2.0, 0.0, 0.0\n"
                                         "dcl_literal l2, 1.0, 0.0, 0.0, 0.0\n"
                                         "mul r10.x, v32.x, l1.x\n"
                                         "mov r10.y, l0.y\n"
                                         "call 1\n"
                                         "mov r1.x, r11.x\n"
                                         "mul r10.x, v32.y, l1.y\n"
                                         "mov r10.y, l0.y\n"
                                         "call 1\n"
                                         "mov r2.x, r11.x\n"
                                         "ifc_relop(lt) r1.x, l0.z\n"
                                         "ifc_relop(lt) r2.x, l0.z\n"
                                         "mov r0, v33\n"
                                         "else\n"
                                         "mov r0, l2\n"
                                         "endif\n"
                                         "else\n"
                                         "ifc_relop(lt) r2.x, l0.z\n"
                                         "mov r0, v33\n"
                                         "else\n"
                                         "mov r0, l2\n"
                                         "endif\n"
                                         "endif\n"
                                         "mov o0, r0.rgb1\n"
                                         "endmain\n"
                                         "func 1\n"
                                         "rcp r12.y, r10.y\n"
                                         "mul r12.x, r10.x, r12.y\n"
                                         "frc r12.z, r12.x\n"
                                         "sub r12.x, r12.x, r12.z\n"
                                         "mul r12.x, r12.x, r10.y\n"
                                         "sub r10.x, r10.x, r12.x\n"
                                         "ifc_relop(lt) r10.x, l0.x\n"
                                         "add r10.x, r10.x, r10.y\n"
                                         "endif\n"
                                         "mov r11.x, r10.x\n"
                                         "ret\n"
                                         "endfunc\n"
                                         "end\n";

/* R600 assembly language guide, 8: where a thread's texel is; stored, not fetched. */
static const char texel[] = "il_cs_2_0\n"
                            "dcl_cb cb0[1]\n"
                            "dcl_num_thread_per_group 16, 6\n"
                            "dcl_raw_uav_id(0)\n"
                            "dcl_literal l0, 4, 0, 0, 0\n"
                            "itof r0.z, vAbsTidFlat.x\n"
                            "mul r0.y, r0.z, cb0[0].y\n"
                            "mod r0.x, r0.z, cb0[0].x\n"
                            "flr r0, r0\n"
                            "ishl r1.x, vAbsTidFlat.x, l0.x\n"
                            "uav_raw_store_id(0) mem, r1.x, r0.xy\n"
                            "ret_dyn\n"
                            "end\n";

static void
both(const char *text)
{
   static struct inputs in;
   struct il_error where;
   char error[256];
   struct il_program *p = il_parse(text, strlen(text), &where);

   if (!p)
      fail_msg("line %u: %s", where.where, where.text);
   for (unsigned n = 0; n < ROUNDS; n++) {
      struct rng r = { n };
      make_inputs(&in, &r);
      for (unsigned flags = 0; flags < 8; flags++)
         if (run_case(p, flags, 0, &in, error, sizeof(error)) != SAME)
            fail_msg("round %u, flags %u: %s\n%s", n, flags, error, text);
   }
   il_program_free(p);
}

static void
listing(void **state)
{
   (void)state;
   both(product);
   both(texel);
}

static void
chapter_3(void **state)
{
   (void)state;
   both(stripes);
   both(checkerboard);
}

/* Streams with wrong bits are lifted or refused, whatever they say. */
static void
hostile(void **state)
{
   const struct kernels *kernels = kernels_choose();
   static const struct views none;
   unsigned lifted = 0, refused = 0;
   char message[256];
   (void)state;

   choose_opcodes(ISA_ID_cayman, false);
   for (unsigned n = 0; n < 120; n++) {
      struct rng r = { 1000 + n };
      struct about about;
      struct il_error error;
      struct direct_program direct;
      uint32_t count;
      struct il_program *p =
         make_program(&r, n % 2 ? IL_SHADER_VERTEX : IL_SHADER_COMPUTE, &none, &about);
      assert_non_null(p);
      uint32_t *words = il_write(p, IL_NUMBERING_STREAM, &count, &error);
      assert_non_null(words);
      il_program_free(p);
      for (unsigned k = 0; k < 30; k++) {
         uint32_t at = 2 + rng_pick(&r, count - 2), old = words[at];
         words[at] = rng_pick(&r, 2) ? old ^ 1u << rng_pick(&r, 32) : rng_bits(&r);
         p = il_read(words, count, IL_NUMBERING_STREAM, &error);
         if (p && direct_lift(kernels, p, 0, &direct, message, sizeof(message))) {
            lifted++;
            direct_free(kernels, &direct);
         } else {
            refused++;
         }
         il_program_free(p);
         words[at] = old;
      }
      free(words);
   }
   assert_true(lifted > 100 && refused > 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(hostile),
      cmocka_unit_test(listing),
      cmocka_unit_test(chapter_3),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
