/* SPDX-License-Identifier: MIT */
/* The validator: good programs pass, each rule has a program that breaks it. */
#include "common.h"

#include "il/conventions.h"

static void
check(const char *shader, const char *body, enum il_standard std, const char *rule)
{
   static char text[40000];
   struct il_error err;
   snprintf(text, sizeof(text), "il_%s_2_0\n%s\nend\n", shader, body);
   struct il_program *p = il_parse(text, strlen(text), &err);
   if (!p)
      fail_msg("%s: %u:%u %s", body, err.where, err.column, err.text);
   bool ok = il_validate(p, std, &err);
   if (ok != !rule)
      fail_msg("%s: %s", body, ok ? "passed" : err.text);
   if (rule && strncmp(err.text, rule, strlen(rule)))
      fail_msg("%s: expected '%s', got '%s'", body, rule, err.text);
   il_program_free(p);
}

#define OK(shader, body)           check(shader, body, IL_STD_EXTENDED, NULL)
#define BROKEN(shader, body, rule) check(shader, body, IL_STD_EXTENDED, rule)

static void
good(void **state)
{
   OK("vs", "dcl_input_generic v0\ndcl_output_position o0\nmov o0, v0");
   OK("ps", "dcl_input_generic_interp(linear) v32.xy\ndcl_output_generic o0\n"
            "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
            "sample_resource(0)_sampler(0) r0, v32.xy00\nmov o0, r0");
   OK("ps",
      "dcl_literal l0, 1, 2, 3, 4\nwhileloop\nif_logicalnz l0.x\nbreak\nelse\ncontinue\nendif\n"
      "endloop");
   OK("vs", "dcl_x_version 1\ndcl_cb cb15[48]\nx_sysval_id(draw_id) r0.x\nmov r1, cb15[r0.x+0]");
   OK("vs", "dcl_x_version 1\ndcl_cb cb16[48]\nmov r1, cb16[47]");
   OK("vs", "dcl_x_version 1\ndcl_x_uav_id(40)_type(2d)\ndcl_raw_uav_id(3)\nuav_raw_store_id(3) "
            "mem.x, r0.x, r1\nuav_store_id(40) r0, r1\nfence_memory");
   OK("ps", "dcl_indexed_temp_array x0[4]\nmov x0[r0.x+1], r1\nmov r2, x0[3]");
   OK("hs", "dcl_x_version 1\ndcl_x_flat_hs\ndcl_num_ocp 3\nfence_threads_lds\n"
            "mov vpc[r0.x+3].x, vpc30");
   OK("ps", "dcl_cb cb2[8]\ndcl_indexed_temp_array x0[4]\nmov x0[r0.x], cb2[r0.y]");
   /* Moves take all that no rule denies them (2.2.5, 2.2.7). */
   OK("ps", "cmov_logical r0, r1_abs, r2_abs_neg(xy), r3_x2");
   OK("ps", "cmov_logical_sat r0, r1, r2_invert, r3_bias\ncmov_logical_d2 r0, r1, r2, r3_sign");
   OK("ps", "invariant_move_sat r0, r1_abs_neg(w)\nmov_x4 r0, r1_divcomp(y)");
   OK("ps", "switch r0.x\ncase 1\nbreak\ndefault\nbreak\nendswitch");
}

/* A subroutine ends with ret, or with endfunc, or with both (7.4). */
static void
subroutines(void **state)
{
   (void)state;
   OK("ps", "call 1\nendmain\nfunc 1\nmov r0, r1\nret");
   OK("ps", "call 1\nendmain\nfunc 1\ncall 2\nret\nfunc 2\nret\nendfunc\nfunc 3\nendfunc");
   OK("ps", "endmain\nfunc 1\nif_logicalnz r0.x\nret_dyn\nendif\nret_dyn\nret");
   OK("ps", "endmain\nfunc 1\nret\ndcl_literal l0, 1, 2, 3, 4\nfunc 2\nmov r0, l0\nret");
   OK("ps", "endmain\nfunc 1\nif_logicalnz r0.x\nret\nendif\nmov r0, r1\nret\nendfunc");
   OK("ps", "mov r0, r1\nret_dyn\nmov r0, r2\nret");
   OK("ps", "endmain\nfunc 1\nret\nmov r0, r1\nret\nendfunc\nfunc 2\nret\nmov r0, r1");
   BROKEN("ps", "endmain\nfunc 1\nmov r0, r1", "structure: a func without");
   BROKEN("ps", "endmain\nfunc 1\nret_dyn\nfunc 2\nret", "structure: a func in front");
   BROKEN("ps", "endmain\nfunc 1\nret\nendfunc\nendfunc", "structure: endfunc");
   BROKEN("ps", "endmain\nfunc 1\nif_logicalnz r0.x\nret", "structure: end inside");
   BROKEN("ps", "func 1\nret\nendmain", "structure: func only");
}

/* Global memory, which any program has; samples without derivatives in compute programs. */
static void
memory(void **state)
{
   static const char texture[] =
      "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n%s";
   char text[300];

   (void)state;
   OK("ps", "mov g[r0.x], r1");
   OK("cs", "add g[2].x, r4, g[r0.y+4]_neg(xyzw).x");
   BROKEN("ps", "mov g[r0.xy], r1", "index");
   BROKEN("ps", "iadd r0, g[1]_abs, r1", "modifier");
   snprintf(text, sizeof(text), texture, "sample_resource(0)_sampler(0) r1, r0.xy00");
   OK("ps", text);
   OK("cs", text);
   BROKEN("vs", text, "stage");
   snprintf(text, sizeof(text), texture, "sample_b_resource(0)_sampler(0) r1, r0.xy00, r0.x");
   OK("cs", text);
   snprintf(text, sizeof(text), texture, "getlod_resource(0)_sampler(0) r1, r0.xy00");
   BROKEN("cs", text, "stage");
   BROKEN("cs", "dsx r0, r1", "stage");
   BROKEN("cs", "sample_resource(1)_sampler(0) r1, r0.xy00", "declared");
}

/* Declarations of any number that there is. */
static void
numbers(void **state)
{
   static const char literal[] = "dcl_literal l%u, 1, 2, 3, 4\nmov r0, l%u";
   static const char array[] = "dcl_indexed_temp_array x%u[2]\nmov x%u[1], r0";
   static const char input[] = "dcl_input_generic v%u\nmov r0, v%u";
   static const unsigned number[] = { 0, 7, 8, 127, 128, 129, 4000, 40000, 65535 };
   char text[200];

   for (unsigned n = 0; n < sizeof(number) / sizeof(*number); n++) {
      const char *const all[] = { literal, input, number[n] < 4096 ? array : literal };
      for (unsigned k = 0; k < sizeof(all) / sizeof(*all); k++) {
         snprintf(text, sizeof(text), all[k], number[n], number[n]);
         OK("vs", text);
         snprintf(text, sizeof(text), all[k], number[n], number[n] ^ 1);
         BROKEN("vs", text, "declared");
         snprintf(text, sizeof(text), all[k], number[n] ^ 1, number[n]);
         BROKEN("vs", text, "declared");
      }
   }
   BROKEN("vs", "dcl_indexed_temp_array x4096[2]", "range");
   BROKEN("vs", "dcl_literal l40000, 1, 2, 3, 4\ndcl_literal l40000, 1, 2, 3, 4", "declared");
   BROKEN("vs", "dcl_indexed_temp_array x300[2]\ndcl_indexed_temp_array x300[3]", "declared");
}

static void
bad(void **state)
{
   BROKEN("ps", "endif", "structure");
   BROKEN("ps", "if_logicalnz r0.x", "structure");
   BROKEN("ps", "if_logicalnz r0.x\nelse\nelse\nendif", "structure");
   BROKEN("ps", "break", "structure");
   BROKEN("ps", "switch r0.x\ncontinue\nendswitch", "structure");
   BROKEN("ps", "case 1", "structure");
   BROKEN("vs", "discard_logicalz r0.x", "stage");
   BROKEN("vs", "mov oDepth, r0", "stage");
   BROKEN("ps", "dcl_resource_id(0)_type(15)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)",
          "enumerant");
   BROKEN("ps", "set_relop(7) r0, r1, r2", "enumerant");
   BROKEN("ps", "dcl_literal l0, 1, 2, 3, 4\nmov l0, r0", "access");
   BROKEN("ps", "dcl_output_generic o0\nmov r0, o0", "access");
   BROKEN("ps", "mov r0, l0", "declared");
   BROKEN("ps", "dcl_literal l0, 1, 2, 3, 4\ndcl_literal l0, 1, 2, 3, 4", "declared");
   BROKEN("ps", "mov r0, cb0[1]", "declared");
   BROKEN("ps", "mov r0, x0[1]", "declared");
   BROKEN("ps", "mov r0, v0", "declared");
   BROKEN("ps", "mov o0, r0", "declared");
   BROKEN("ps", "sample_resource(0)_sampler(0) r0, r1", "declared");
   BROKEN("ps", "dcl_cb cb0[4]\nmov r0, cb0[4]", "range");
   BROKEN("ps", "dcl_indexed_temp_array x0[4]\nmov r0, x0[4]", "range");
   BROKEN("ps", "dcl_cb cb0[5000]", "range");
   BROKEN("ps", "iadd r0, r1_abs, r2", "modifier");
   BROKEN("ps", "ixor r0, r1_neg(x), r2", "modifier");
   BROKEN("ps", "iadd r0, r1, r2_bias", "modifier");
   BROKEN("ps", "if_logicalnz r0.x_neg(x)\nendif", "modifier");
   BROKEN("ps", "dcl_cb cb0[8]\nmov r0, cb0[r1.x_neg(x)+1]", "modifier");
   BROKEN("ps", "iadd_sat r0, r1, r2", "modifier");
   BROKEN("ps", "dcl_cb cb0[4]\nmov r0, cb0[r0.xy+1]", "index");
   BROKEN("ps", "texld_stage(0) r0, r1\ndcl_global_flags refactoringAllowed\ndcl_cb cb0[1]",
          "model");
   BROKEN("ps", "x_sysval_id(draw_id) r0.x", "extension");
   BROKEN("ps", "dcl_cb cb15[4]", "extension");
   BROKEN("ps", "dcl_cb cb16[4]", "extension");
   BROKEN("ps", "dcl_x_version 1\ndcl_cb cb17[4]", "range");
   BROKEN("ds", "mov vpc3, r0", "access");
   check("ps", "dcl_x_version 1", IL_STD_2_4, "extension");
   BROKEN("vs", "dcl_raw_uav_id(3)", "stage");
   BROKEN("gs", "fence_memory", "stage");
   BROKEN("vs", "dcl_x_version 1\nfence_memory\nlds_add_id(0) r0.x, r1.x", "stage");
   BROKEN("ps", "dcl_x_uav_id(16)_type(2d)", "extension");
}

/* As many branches inside each other as there may be, and one more. */
static void
depth(void **state)
{
   static const char begin[] = "if_logicalnz r0.x\n", end[] = "endif\n";
   static char text[(IL_MAX_DEPTH + 1) * (sizeof(begin) + sizeof(end))];

   (void)state;
   for (unsigned over = 0; over < 2; over++) {
      char *at = text;
      for (unsigned n = 0; n < IL_MAX_DEPTH + over; n++)
         at = stpcpy(at, begin);
      for (unsigned n = 0; n < IL_MAX_DEPTH + over; n++)
         at = stpcpy(at, end);
      if (over)
         BROKEN("ps", text, "structure");
      else
         OK("ps", text);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(good),    cmocka_unit_test(subroutines), cmocka_unit_test(memory),
      cmocka_unit_test(numbers), cmocka_unit_test(bad),         cmocka_unit_test(depth),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
