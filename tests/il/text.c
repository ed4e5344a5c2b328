/* SPDX-License-Identifier: MIT */
/* IL text: every opcode printed, parsed and printed again; the document's spellings. */
#include "common.h"

#include "il/fields.h"

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

/* What AMD's compilers and the kernels of their time wrote (docs/il.rst, Dialects). */
static void
dialects(void **state)
{
   (void)state;
   /* modifiers before the swizzle, several of them, on both sides of it */
   canonical("imax r1.x___, r0.x000, r0_neg(xyzw).x000",
             "imax r1.x___, r0.x000, r0.x000_neg(xyzw)");
   canonical("mov r1,cb0[1]_abs_neg(xyzw).wzyx", "mov r1, cb0[1].wzyx_abs_neg(xyzw)");
   canonical("add r1, r2_neg(y)_abs.x, r3_bx2.yx_neg(x)",
             "add r1, r2.x_abs_neg(y), r3.yxxx_bias_x2_neg(x)");
   canonical("mov r1, r2_abs_sign_neg(xyzw).x000", "mov r1, r2.x000_sign_abs_neg(xyzw)");
   canonical("dadd r5.xy__,r3.xy00,r4_neg(y).xy00", "dadd r5.xy__, r3.xy00, r4.xy00_neg(y)");
   canonical("texld_stage(0) r0, vT0_divcomp(w).xyz", "texld_stage(0) r0, vT0.xyzz_divcomp(w)");
   canonical("mov r1, x0[r2_neg(x).x + 3]_neg(x).y", "mov r1, x0[r2.x_neg(x)+3].y_neg(x)");
   /* scales and saturation of the result, with its register */
   canonical("add r0_sat, r1, r2", "add_sat r0.xyzw, r1, r2");
   canonical("add r0_x2_sat.x_z_, r1, r2", "add_x2_sat r0.x_z_, r1, r2");
   canonical("add r0.xyzw_sat, r1, r2", "add_sat r0.xyzw, r1, r2");
   canonical("add r0.x_sat, r1, r2", "add_sat r0.x___, r1, r2");
   canonical("add r0.xy___d4, r1, r2", "add_d4 r0.xy__, r1, r2");
   canonical("add r0.x0_1_x8_sat, r1, r2", "add_x8_sat r0.x0_1, r1, r2");
   canonical("add_x2 r0_sat.x, r1, r2", "add_x2_sat r0.x___, r1, r2");
   canonical("mcall(4)(r2,r3),(r1)", "mcall(4) (r2, r3), (r1)");
   canonical("mcall_sat(3) (r0, r1_x2.xy), (r2)", "mcall(3) (r0_sat.xyzw, r1_x2.xy__), (r2)");
   /* enumerations by their names in the document's lists, whole or without the prefix */
   canonical("dcl_input_position_interp(linear_noperspective) v0.xy__",
             "dcl_input_usage(position)_interp(noperspective) v0.xy__");
   canonical("dcl_input_pos_interp(IL_INTERPMODE_LINEAR_CENTROID) v0",
             "dcl_input_usage(position)_interp(centroid) v0");
   canonical("dcl_input_wincoord v0", "dcl_input_usage(position) v0");
   canonical("dcl_input_generic_interp(linear_noperspective_sample) v1",
             "dcl_input_usage(generic)_interp(noper_sample) v1");
   canonical("dcl_output_usage(pos) o0", "dcl_output_usage(position) o0");
   canonical(
      "dcl_resource_id(0)_type(2dms_array)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)",
      "dcl_resource_id(0)_type(2darraymsaa)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)");
   canonical("dcl_resource_id(0)_type(IL_USAGE_PIXTEX_CUBEMAPARRAY,unnorm)_fmtx(float)_fmty(float)"
             "_fmtz(float)_fmtw(float)",
             "dcl_resource_id(0)_type(cubemaparray,unnorm)_fmtx(float)_fmty(float)_fmtz(float)"
             "_fmtw(float)");
   canonical("dclpi_x(1)_y(*)_z(-)_w(-) vT0", "dclpi_x(1)_y(*)_z(unused)_w(unused) vT0");
   canonical("rcp_zeroop(flt_max) r0, r1", "rcp r0, r1");
   canonical("rcp_zeroop(Inf_else_max) r0, r1", "rcp_zeroop(inf_else_max) r0, r1");
   canonical("rcp_zeroop(0) r0, r1", "rcp r0, r1"); /* a number, no name */
   canonical("rcp_zeroop(IL_ZEROOP_0) r0, r1", "rcp_zeroop(zero) r0, r1");
   canonical("ffb_hi r0, r1", "ffb(hi) r0, r1");
   canonical("ffb(HIGH_INT) r0, r1", "ffb(shi) r0, r1");
   canonical("uav_raw_load_id(1)_cached r1.x_z_, r0.x",
             "uav_raw_load_id(1)_cache(cached) r1.x_z_, r0.x");
   canonical("uav_arena_load_id(1)_size(dword)_cached r0.x, r1.y",
             "uav_arena_load_id(1)_size(dword)_cache(cached) r0.x___, r1.y");
   canonical("dcl_output_topology triangle_strip", "dcl_output_topology trianglestrip");
   canonical("dcl_lds_sharing_mode _wavefrontRel", "dcl_lds_sharing_mode _wavefrontRel");
   canonical("dcl_lds_sharing_mode wavefront_abs", "dcl_lds_sharing_mode _wavefrontAbs");
   canonical("dcl_global_flags refactoring_allowed|ENABLE_DOUBLE_PRECISION_FLOAT_OPS",
             "dcl_global_flags refactoringAllowed|enableDoublePrecisionFloatOps");
   /* registers and mnemonics of the first compilers; local data with owners */
   canonical("mov r0, vTid0.x", "mov r0, vTidInGrpFlat.x");
   canonical("mov r0.x, vaTid0.x", "mov r0.x___, vAbsTidFlat.x");
   canonical("mov g[vTGroupid0.x], r1", "mov g[vThreadGrpIdFlat.x], r1");
   canonical("mov r0, vWinCoord0.xyxx", "mov r0, vWinCoord.xyxx");
   canonical("dcl_num_thread_per_blk 64", "dcl_num_thread_per_group 64");
   canonical("sample_clz_resource(0)_sampler(1) r0,r1.xy00,r2.x000",
             "sample_c_lz_resource(0)_sampler(1) r0, r1.xy00, r2.x000");
   canonical("round_posinf r0,r1", "round_plusinf r0, r1");
   canonical("lds_read_vec_neighborExch  r0, r1.xy00",
             "lds_read_vec_neighborExch_sharingMode(rel) r0, r1.xy00");
   canonical("lds_write_vec_lOffset(4) mem0.xyzw,r0",
             "lds_write_vec_lOffset(4)_sharingMode(rel) mem.xyzw, r0");
   canonical("mov r0,cb0[l0.x + 5].y000", "mov r0, cb0[l0.x+5].y000");
   canonical("mov g[r40.x +  10].xy__, r1", "mov g[r40.x+10].xy__, r1");
   canonical("dcl_literal l7,1024.0f,-0.5f , 0x0,-1\t; odd\r",
             "dcl_literal l7, 0x44800000, 0xBF000000, 0x00000000, 0xFFFFFFFF ; 1024 -0.5 0 -nan");
}

/* Each member of each enumeration has three spellings, and they mean the same. */
static void
spelled(const struct il_op_info *info, const struct il_field *f, const struct il_name *m,
        const char *name, bool bare)
{
   static const char operands[] = " r1, r2, r3, r4, r5";
   char text[300], field[100];
   struct il_error err;
   struct il_program *p = NULL;

   snprintf(field, sizeof(field), bare ? "_%.0s%s" : "_%s(%s)", f->name, name);
   /* As many operands as it takes. */
   for (size_t n = 0; !p && n < sizeof(operands); n += n ? 4 : 3) {
      snprintf(text, sizeof(text), "il_ps_2_0\n%s%s%.*s\nend\n", info->name, field, (int)n,
               operands);
      p = il_parse(text, strlen(text), &err);
      if (n == 0 && !p && strstr(err.text, "unknown"))
         break;
   }
   if (!p)
      fail_msg("%s%s: %u:%u: %s", info->name, field, err.where, err.column, err.text);
   const struct il_inst *inst = &p->insts[0];
   const uint32_t words[3] = { inst->ctl, inst->pri, inst->ndata ? inst->data[0] : 0 };
   assert_int_equal(words[f->where] >> f->shift & ((1u << f->width) - 1), m->value);
   il_program_free(p);
}

static void
full_names(void **state)
{
   unsigned tried = 0;

   (void)state;
   for (unsigned i = 0; il_op_row(i); i++) {
      const struct il_op_info *info = il_op_row(i);
      if (!info->shape_known || info->value == IL_OP_PREFIX || info->data != IL_DATA_NONE)
         continue;
      for (const struct il_field *f = il_fields(info->ctl, info->value); f->name; f++) {
         if (f->form != IL_FIELD_ENUM)
            continue;
         const struct il_name *end = f->names;
         while (end->text)
            end++;
         for (const struct il_name *m = f->names; m->text; m++) {
            char whole[100];
            if (m->value >> f->width)
               continue;
            spelled(info, f, m, m->text, false);
            if (m->member && (m->member[0] < '0' || m->member[0] > '9'))
               spelled(info, f, m, m->member, false);
            snprintf(whole, sizeof(whole), "%s%s", end->member, m->member ? m->member : m->text);
            spelled(info, f, m, whole, false);
            if (!strcmp(f->name, "usage"))
               spelled(info, f, m, m->text, true);
            tried++;
         }
      }
   }
   assert_true(tried > 300);
}

/* An instruction ends where its operands do: several may share a line. */
static void
lines(void **state)
{
   static const char line[] =
      "il_ps_2_0 dcl_cb cb0[2] dcl_output_generic o0 dcl_literal l0, 1, 2,\r\n 3, ; four\n4 mov "
      "r0, "
      "cb0[0]\tif_logicalnz r0.x call 2 endif mov o0, r0_neg(x).yxzw endmain /* main */ func 2 add "
      "r0, r0,\n r0 ret end";
   struct il_error err;
   char *text;

   (void)state;
   struct il_program *p = il_parse(line, strlen(line), &err);
   if (!p)
      fail_msg("%u:%u: %s", err.where, err.column, err.text);
   text = il_print(p);
   assert_string_equal(text, "il_ps_2_0\n"
                             "dcl_cb cb0[2]\n"
                             "dcl_output_usage(generic) o0\n"
                             "dcl_literal l0, 0x00000001, 0x00000002, 0x00000003, 0x00000004 ; "
                             "1.4013e-45 2.8026e-45 4.2039e-45 5.60519e-45\n"
                             "mov r0, cb0[0]\n"
                             "if_logicalnz r0.x\n"
                             "   call 2\n"
                             "endif\n"
                             "mov o0, r0.yxzw_neg(x)\n"
                             "endmain\n"
                             "func 2\n"
                             "   add r0, r0, r0\n"
                             "   ret\n"
                             "end\n");
   free(text);
   il_program_free(p);
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

/* Every byte of a program replaced, one at a time: an error or a program, never a crash. */
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
      cmocka_unit_test(every_opcode), cmocka_unit_test(spellings), cmocka_unit_test(dialects),
      cmocka_unit_test(full_names),   cmocka_unit_test(lines),     cmocka_unit_test(long_calls),
      cmocka_unit_test(mutations),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
