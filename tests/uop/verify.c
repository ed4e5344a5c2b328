/* SPDX-License-Identifier: MIT */
/*
 * The printer's lines, and what the verifier refuses, a rule a case.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/share.h"
#include "uop/uop.h"

static struct uop_code code;
static struct uop_builder b;

static int
begin(void **state)
{
   (void)state;
   memset(&code, 0, sizeof(code));
   code.num_uniforms = 4;
   code.num_dynamic = 2;
   code.num_components = 16;
   code.num_origins = 10;
   code.num_predicates = 4;
   b = (struct uop_builder){ .code = &code, .first_temp = 8, .end_temp = 10 };
   return 0;
}

static int
end(void **state)
{
   (void)state;
   uop_code_free(&code);
   return 0;
}

static uint32_t
at(unsigned component)
{
   return component * COMP_BYTES;
}

static const struct uop_operand none;

static void
prints(const struct uop *u, const char *line)
{
   char text[256] = "";
   FILE *f = fmemopen(text, sizeof(text), "w");
   assert_non_null(f);
   uop_print_one(f, &code, u);
   fclose(f);
   assert_string_equal(text, line);
}

static void
printer(void **state)
{
   struct uop_operand one = uop_literal(&b, 0x3f800000), seven = uop_literal(&b, 7);
   struct uop *u;

   (void)state;
   u = uop_emit(&b, UOP_MULADD, at(5), uop_row(at(0)), uop_neg(uop_abs(uop_uniform(2))), one);
   prints(u, "r1.y = MULADD r0.x, -|c2|, 1");
   u->scale = UOP_SCALE_HALF;
   u->clamp = true;
   u->when = UOP_IF_PRED;
   prints(u, "if pred: r1.y = MULADD r0.x, -|c2|, 1 /2 clamp");
   u = uop_emit(&b, UOP_AND_INT, at(1), uop_not(uop_row(at(2))), seven, none);
   prints(u, "r0.y = AND_INT ~r0.z, 0x7");
   u = uop_emit(&b, UOP_PRED_SETGT, at(3), uop_row(at(0)), one, none);
   u->p.predicate.update_exec = true;
   prints(u, "r0.w = PRED_SETGT r0.x, 1 fails:DEACTIVATE");
   u = uop_add(&b, UOP_LOAD_CONST);
   u->dst = 1;
   u->p.constant = (struct uop_constant){ .dword = 4, .end = 64, .bank = 3, .by_loop = true };
   prints(u, "d1 = LOAD_CONST bank:3 dword:4 end:64 +aL");
   u = uop_emit(&b, UOP_AT_SETP, 0, uop_row(at(0)), one, none);
   u->p.setp = (struct uop_setp){ .predicate = 2, .compare = UOP_LESS, .invert = true };
   prints(u, "AT_SETP r0.x, 1 p2 compare:2 invert");
}

static void
accepted(void)
{
   char message[256] = "";
   if (!uop_verify(&code, (struct uop_run){ 0, code.num_uops }, message, sizeof(message)))
      fail_msg("%s", message);
}

static void
refused(const char *text)
{
   char message[256] = "";
   if (uop_verify(&code, (struct uop_run){ 0, code.num_uops }, message, sizeof(message)))
      fail_msg("accepted, though: %s", text);
   if (!strstr(message, text))
      fail_msg("%s, not: %s", message, text);
}

/* An addition that is right, to be broken. */
static struct uop *
addition(void)
{
   code.num_uops = 0;
   struct uop *u = uop_emit(&b, UOP_ADD, at(1), uop_row(at(0)), uop_uniform(1), none);
   accepted();
   return u;
}

static void
verifier(void **state)
{
   struct uop *u;

   (void)state;
   addition()->op = UOP_COUNT;
   refused("no operation");
   addition()->op = UOP_PART;
   refused("no operation");
   addition()->src[1].kind = UOP_NONE;
   refused("1 operands instead of 2");
   addition()->src[2] = uop_row(0);
   refused("3 operands instead of 2");
   addition()->src[0].at = at(16);
   refused("operand 0 is outside the register file");
   addition()->src[0].at = 4;
   refused("operand 0 is outside the register file");
   addition()->src[1].at = 4;
   refused("operand 1 is uniform 4 of 4");
   addition()->src[1] = (struct uop_operand){ .kind = UOP_LITERAL, .at = 0 };
   refused("operand 1 is literal 0 of 0");
   addition()->src[1] = (struct uop_operand){ .kind = UOP_DYNAMIC, .at = 2 };
   refused("operand 1 is dynamic value 2 of 2");
   addition()->src[1].mods = 8;
   refused("unknown modifiers");
   addition()->dst = at(16);
   refused("result 0 is outside the register file");
   addition()->scale = 4;
   refused("scale 4");
   addition()->when = 3;
   refused("condition 3");
   addition()->origin = 10;
   refused("origin 10 of 10");
   addition()->length = 2;
   refused("the run ends within it");
   addition()->length = 0;
   refused("length 0");

   /* Two at once: equal ones, unless one is scaled. */
   addition();
   uop_emit(&b, UOP_ADD, at(2), uop_row(at(0)), uop_uniform(1), none);
   code.uops[0].length = 2;
   refused("cannot be done at once"); /* the uniform comes first */
   uop_normalise(&code.uops[0]);
   uop_normalise(&code.uops[1]);
   accepted();
   code.uops[1].scale = UOP_SCALE_2;
   refused("cannot be done at once");
   code.uops[1].scale = UOP_SCALE_1;
   code.uops[1].op = UOP_MUL;
   refused("cannot be done at once");

   /* Groups. */
   code.num_uops = 0;
   u = uop_add(&b, UOP_DOT4);
   for (unsigned n = 0; n < 4; n++)
      u[n].src[0] = u[n].src[1] = uop_row(at(n));
   u->p.group.writes = 1;
   accepted();
   u[2].op = UOP_MOV;
   refused("record 2 is");
   u[2].op = UOP_PART;
   u->p.group.writes = 16;
   refused("writes 10");
   u->p.group.writes = 8;
   u[3].dst = at(99);
   refused("result 3 is outside");

   /* Parameters. */
   code.num_uops = 0;
   u = uop_emit(&b, UOP_ARRAY_LOAD, at(0), uop_row(at(1)), none, none);
   u->p.array = (struct uop_array){ .row = 1, .rows = 3 };
   accepted();
   u->p.array.rows = 4;
   refused("rows 1 + 4");
   u->p.array = (struct uop_array){ .row = UINT32_MAX, .rows = 2 };
   refused("rows");
   code.num_uops = 0;
   u = uop_emit(&b, UOP_PRED_SETE, at(0), uop_row(at(1)), uop_row(at(1)), none);
   u->p.predicate.exec_op = UOP_FAIL_KILL;
   accepted();
   u->p.predicate.exec_op = UOP_FAIL_COUNT;
   refused("mask 4");
   code.num_uops = 0;
   u = uop_add(&b, UOP_LOAD_CONST);
   u->dst = 1;
   u->p.constant.bank_index = UOP_INDEX_1;
   accepted();
   u->p.constant.bank_index = UOP_INDEX_1 + 1;
   refused("index 3");
   code.num_uops = 0;
   u = uop_add(&b, UOP_LOAD_SPECIAL);
   u->dst = 1;
   u->p.special.source = UOP_SPECIAL_WAVES_OF_GROUP;
   accepted();
   prints(u, "d1 = LOAD_SPECIAL WAVES_OF_GROUP");
   u->p.special.source = UOP_SPECIAL_COUNT;
   refused("source 10");
   code.num_uops = 0;
   u = uop_emit(&b, UOP_MOVA_INT, 0, uop_row(at(1)), none, none);
   u->p.mova.to = UOP_ADDRESS_GLOBAL_BYTE_3;
   accepted();
   prints(u, "MOVA_INT r0.y to:GLOBAL_BYTE_3");
   u->p.mova.to = UOP_ADDRESS_COUNT;
   refused("address 8");
   code.num_uops = 0;
   u = uop_emit(&b, UOP_LDS, 0, uop_row(at(1)), uop_row(at(1)), none);
   u->p.lds.op = CORE_SHARE_LOAD_U16;
   accepted();
   u->p.lds.op = CORE_SHARE_OPS;
   refused("operation 29");
   code.num_uops = 0;
   u = uop_emit(&b, UOP_AT_SETP, 0, uop_row(at(1)), uop_row(at(1)), none);
   accepted();
   u->p.setp.predicate = 4;
   refused("predicate 4");
   code.num_uops = 0;
   u = uop_emit(&b, UOP_VH_MEMORY, 0, uop_row(at(1)), uop_row(at(1)), none);
   refused("message 0");
   code.num_uops = 0;
   u = uop_emit(&b, UOP_TABLE_AT, at(0), uop_row(at(1)), uop_literal(&b, 3), none);
   u->p.table.dwords = 1;
   accepted();
   u->p.table.dwords = 2;
   refused("the table ends at literal 2");
}

/* What the builder promises: shared literals, temporaries that end. */
static void
builder(void **state)
{
   (void)state;
   assert_int_equal(uop_literal(&b, 5).at, 0);
   assert_int_equal(uop_literal(&b, 6).at, 1);
   assert_int_equal(uop_literal(&b, 5).at, 0);
   assert_int_equal(code.num_literals, 2);
   assert_int_equal(uop_temp(&b).at, at(8));
   assert_int_equal(uop_temp(&b).at, at(9));
   assert_false(b.out_of_temps);
   uop_temp(&b);
   assert_true(b.out_of_temps);
   uop_free_temps(&b, 1);
   assert_int_equal(uop_temp(&b).at, at(9));
   b.origin = 7;
   assert_int_equal(uop_add(&b, UOP_DOT4)[3].origin, 7);
   assert_int_equal(code.num_uops, 4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(printer, begin, end),
      cmocka_unit_test_setup_teardown(verifier, begin, end),
      cmocka_unit_test_setup_teardown(builder, begin, end),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
