/* SPDX-License-Identifier: MIT */
/* IL text: every opcode printed, parsed and printed again; the document's spellings. */
#include "common.h"

static void
every_opcode(void **state)
{
   struct il_error err;
   for (unsigned i = 0; il_op_row(i); i++) {
      const struct il_op_info *info = il_op_row(i);
      if (!info->shape_known || info->value == IL_OP_PREFIX || info->value == IL_OP_MACRODEF ||
          info->value == IL_OP_END)
         continue;
      for (unsigned variant = 0; variant < 4; variant++) {
         struct il_program *p = one_inst(info, variant);
         char *a = il_print(p);
         struct il_program *q = il_parse(a, strlen(a), &err);
         if (!q)
            fail_msg("%u:%u: %s in\n%s", err.where, err.column, err.text, a);
         char *b = il_print(q);
         assert_string_equal(a, b);
         if (!il_equal(p, q))
            fail_msg("other bits behind the text\n%s", a);
         free(a);
         free(b);
         il_program_free(p);
         il_program_free(q);
      }
   }
}

static void
canonical(const char *text, const char *want)
{
   struct il_error err;
   char buf[400];
   snprintf(buf, sizeof(buf), "il_ps_2_0\n%s\nend\n", text);
   struct il_program *p = il_parse(buf, strlen(buf), &err);
   if (!p)
      fail_msg("%s: %u:%u: %s", text, err.where, err.column, err.text);
   il_print_inst(p, &p->insts[0], buf, sizeof(buf));
   assert_string_equal(buf, want);
   il_program_free(p);
}

/* Spellings of the document and of other tools, and what we make of them. */
static void
spellings(void **state)
{
   canonical("ADD r0.x, R1, r2", "add r0.x___, r1, r2");
   canonical("mov r0.xw, r1.zyx1", "mov r0.x__w, r1.zyx1");
   canonical("mov r0._0_w, r1.r", "mov r0._0_w, r1.x");
   canonical("add r0, r1_bx2, r2_neg(xw)_abs", "add r0, r1.xyzw_bias_x2, r2.xyzw_abs_neg(xw)");
   canonical("mad_prec_ieee r0, r1, r2, r3", "mad_prec_ieee r0, r1, r2, r3");
   canonical("mul_ieee_prec(xy) r0, r1, r2", "mul_prec(xy)_ieee r0, r1, r2");
   canonical("add_x2_sat r0, r1, r2", "add_x2_sat r0.xyzw, r1, r2");
   canonical("and r0, r1, r2", "iand r0, r1, r2");
   canonical("div_zeroop(infinity) r0, r1, r2", "div_zeroop(infinity) r0, r1, r2");
   canonical("ffb(hi) r0, r1", "ffb(hi) r0, r1");
   canonical("dcl_input_position_interp(noperspective) v0.xy",
             "dcl_input_usage(position)_interp(noperspective) v0.xy__");
   canonical("dcl_input_usage(position)_interp(noperspective) v0.xy__",
             "dcl_input_usage(position)_interp(noperspective) v0.xy__");
   canonical("dcl_resource_id(3)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)",
             "dcl_resource_id(3)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)");
   canonical("sample_resource(1)_sampler(2)_addroffimmi(1,-0.5,7.5) r0, r1",
             "sample_resource(1)_sampler(2)_aoffimmi(1,-0.5,7.5) r0, r1");
   canonical("sample_ext_resource(1)_sampler(2)_resourcetype(2darray) r0, r1, r2.x, r3.y",
             "sample_ext_resource(1)_sampler(2)_resourcetype(2darray) r0, r1, r2.x, r3.y");
   canonical("fetch4_resource(0)_sampler(0)_compselect(z) r0, r1",
             "fetch4_resource(0)_sampler(0)_compselect(z) r0, r1");
   canonical("dcl_literal l0, 1.0, -0.5, 7, 0x10",
             "dcl_literal l0, 0x3F800000, 0xBF000000, 0x00000007, 0x00000010 ; 1 -0.5 9.80909e-45 "
             "2.24208e-44");
   canonical("dcl_cb cb0[16]", "dcl_cb cb0[16]");
   canonical("dcl_cb icb[2], 1, 2", "dcl_cb icb[2], 0x00000001, 0x00000002");
   canonical("mov r0, cb0[r1.x + 4].y ; comment", "mov r0, cb0[r1.x+4].y");
   canonical("mov /* inside */ r0, vTid", "mov r0, vTidInGrpFlat");
   canonical("mov r0, r1 // behind", "mov r0, r1");
   canonical("mcall(2), (r1),(r2,r3,r4.x)", "mcall(2) (r1), (r2, r3, r4.x)");
   canonical("mcall(2) (r1), (r2)", "mcall(2) (r1), (r2)");
   canonical("dcl_global_flags refactoringAllowed|forceEarlyDepthStencil",
             "dcl_global_flags refactoringAllowed|forceEarlyDepthStencil");
   canonical("fence_lds_threads", "fence_threads_lds");
   canonical("mov r0, v[1][2].xyxx", "mov r0, v[1][2].xyxx");
   canonical("x_sysval_id(base_vertex) r0.x", "x_sysval_id(base_vertex) r0.x___");
   canonical("dcl_x_streamout_buffer(1)_stream(2) o3.xy, 5",
             "dcl_x_streamout_buffer(1)_stream(2) o3.xy__, 5");
}

/* Macro calls hold as many operands in text as in a stream. */
static void
long_calls(void **state)
{
   for (unsigned count = 254; count <= 256; count++) {
      char text[4096] = "il_ps_2_0\nmcall(2) (r1), (r0";
      struct il_error err;
      for (unsigned n = 1; n < count; n++)
         snprintf(text + strlen(text), sizeof(text) - strlen(text), ", r%u", n);
      strcat(text, ")\nend\n");
      struct il_program *p = il_parse(text, strlen(text), &err);
      if (count > 255) {
         assert_null(p);
         assert_non_null(strstr(err.text, "at most 255 operands"));
         continue;
      }
      assert_non_null(p);
      char *again = il_print(p);
      assert_string_equal(again, text);
      free(again);
      il_program_free(p);
   }
}

/* Every byte of a program replaced in turn: an error or a program, never a crash. */
static void
mutations(void **state)
{
   static const char text[] =
      "il_ps_2_0\ndcl_cb cb0[4]\ndcl_literal l0, 1.0, 0x2, 3, 4\n"
      "mad_prec(x)_ieee_x2_sat r0.x_0w, r1.xyz1_neg(x), cb0[r1.x+2], x1[3]\n"
      "sample_resource(1)_sampler(2)_aoffimmi(1,2,3) r0, v[1][2]\nend\n";
   char buf[sizeof(text)];
   struct il_error err;
   unsigned parsed = 0;
   for (size_t i = 0; i < sizeof(text) - 1; i++)
      for (int c = 0; c < 256; c += 1) {
         memcpy(buf, text, sizeof(text));
         buf[i] = (char)c;
         struct il_program *p = il_parse(buf, sizeof(text) - 1, &err);
         parsed += p != NULL;
         il_program_free(p);
      }
   for (size_t n = 0; n < sizeof(text) - 1; n++) {
      struct il_program *p = il_parse(text, n, &err);
      /* Only the last newline may be missing. */
      assert_true(!p == (n < sizeof(text) - 2));
      il_program_free(p);
   }
   assert_true(parsed > 500);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_opcode),
      cmocka_unit_test(spellings),
      cmocka_unit_test(long_calls),
      cmocka_unit_test(mutations),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
