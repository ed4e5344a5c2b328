/* SPDX-License-Identifier: MIT */
/* What the compiler makes for five-slot chips in another way than for Cayman: a needle in the
 * listing, or one that must not be there.  What the code computes, fuzz-il-run compares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"
#include "isa/cayman/cayman.h"

static struct shader_code shader;
static char *listing;

static int
release(void **state)
{
   (void)state;
   shader_code_finish(&shader);
   free(listing);
   listing = NULL;
   return 0;
}

static bool
try_compile(const char *text, char *error, size_t size)
{
   struct il_error il_error;
   struct il_program *il = il_parse(text, strlen(text), &il_error);

   release(NULL);
   if (!il)
      fail_msg("line %u:%u: %s", il_error.where, il_error.column, il_error.text);
   const bool ok = evergreen_compile(il, 0, &shader, error, size);
   il_program_free(il);
   if (ok)
      listing = cayman_listing_text(CAYMAN_VLIW5, shader.words, shader.num_dwords, NULL);
   return ok;
}

static void
compile(const char *text)
{
   char error[300];

   if (!try_compile(text, error, sizeof(error)))
      fail_msg("%s", error);
   assert_non_null(listing);
}

static void
has(const char *needle)
{
   if (!strstr(listing, needle))
      fail_msg("no \"%s\" in\n%s", needle, listing);
}

static void
lacks(const char *needle)
{
   if (strstr(listing, needle))
      fail_msg("\"%s\" in\n%s", needle, listing);
}

#define PIXEL                           \
   "il_ps_2_0\ndcl_output_generic o0\n" \
   "dcl_input_generic_interp(linear) v32\ndcl_cb cb0[4]\n"

static void
once_in_t(void **state)
{
   (void)state;
   compile(PIXEL "mov r0, cb0[0]\nrcp_vec r1, r0\nmov o0, r1\nend\n");
   has("t: RECIP_");
   lacks("x: RECIP_");
   lacks("z: RECIP_");
   compile(PIXEL "umul r0, cb0[0], cb0[1]\nmov o0, r0\nend\n");
   has("t: MULLO_");
   lacks("x: MULLO_");
}

/* Five operations that do not wait for each other, and what is read of t from PS. */
static void
five_in_a_group(void **state)
{
   (void)state;
   compile(PIXEL "iadd r0, cb0[0], cb0[1].wzyx\niadd r1, cb0[0], cb0[0].yzwx\nixor r0, r0, r1\n"
                 "iadd r1, r0, r0.wzyx\nior r1, r1, r0.zwxy\nmov o0, r1\nend\n");
   has("t: XOR_INT");
   compile(PIXEL "mov r0, cb0[0]\nrcp r0.x, r0.x\nadd r0.y, r0.x, r0.x\nmov o0, r0.yyyy\nend\n");
   has("PS");
}

static void
lanes_leave_by_clauses(void **state)
{
   (void)state;
   compile(PIXEL "mov r0, cb0[0]\nmov r1, r0\nwhileloop\nige r2.x, r1.x, cb0[1].x\n"
                 "break_logicalnz r2.x\niadd r1.x, r1.x, cb0[2].y\nendloop\n"
                 "mov o0, r1\nend\n");
   has("ALU_BREAK");
   lacks("BREAK_EXEC");
}

static void
last_instruction_ends(void **state)
{
   (void)state;
   compile(PIXEL "mov o0, cb0[0]\nend\n");
   has("END_OF_PROGRAM");
   lacks("NOP");
   /* What a branch jumps past. */
   compile("il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\nif_logicalnz vTidInGrp.x\n"
           "uav_raw_store_id(0) mem.x___, vTidInGrp.x, vTidInGrp.x\nendif\nend\n");
   has("NOP");
}

static void
no_doubles(void **state)
{
   char error[300] = "";

   (void)state;
   assert_false(try_compile(PIXEL "dadd r0.xy, cb0[0].xy, cb0[1].xy\nmov o0, r0\nend\n", error,
                            sizeof(error)));
   assert_non_null(strstr(error, "doubles"));
   compile(PIXEL "dmov r0.xy, cb0[0].xy\nmov o0, r0\nend\n");
}

static void
fetch_shaders(void **state)
{
   const struct cayman_vertex_element element = {
      .data_format = CAYMAN_FMT_32_32_32_32_FLOAT,
      .dst_sel = { 0, 1, 2, 3 },
      .instance_divisor = 3,
   };
   const struct cayman_limits limits = {
      .vliw = CAYMAN_VLIW5, .num_gprs = 2, .num_clause_temps = 4, .fetch_shader = true
   };
   uint32_t *words;
   char error[200];
   const unsigned n = evergreen_build_fetch_shader(&element, 1, &words);

   (void)state;
   assert_int_not_equal(n, 0);
   if (!cayman_validate(words, n, &limits, error, sizeof(error)))
      fail_msg("%s", error);
   release(NULL);
   listing = cayman_listing_text(CAYMAN_VLIW5, words, n, NULL);
   free(words);
   has("t: MULHI_UINT");
   has("MEGAFETCH(15)");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(once_in_t, release),
      cmocka_unit_test_teardown(five_in_a_group, release),
      cmocka_unit_test_teardown(lanes_leave_by_clauses, release),
      cmocka_unit_test_teardown(last_instruction_ends, release),
      cmocka_unit_test_teardown(no_doubles, release),
      cmocka_unit_test_teardown(fetch_shaders, release),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
