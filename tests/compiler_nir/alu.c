/* SPDX-License-Identifier: MIT */
/* ALU operations: each NIR op alone, and the IL instruction it must become. */
#include "common.h"

/* A vertex shader that applies one op to inputs that nothing can fold. */
static char *
one_op(nir_op op, bool exact, unsigned comps)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   const nir_op_info *info = &nir_op_infos[op];
   nir_def *src[4] = { NULL };
   for (unsigned i = 0; i < info->num_inputs; i++) {
      unsigned n = info->input_sizes[i] ? info->input_sizes[i] : comps;
      src[i] = vs_input(&b, i, n);
      if (nir_alu_type_get_type_size(info->input_types[i]) == 1)
         src[i] = nir_ine_imm(&b, src[i], 0);
   }
   b.exact = exact;
   nir_def *d = nir_build_alu(&b, op, src[0], src[1], src[2], src[3]);
   b.exact = false;
   if (d->bit_size == 1)
      d = nir_b2f32(&b, d);
   output(&b, VARYING_SLOT_POS, d);
   return finish(&b, NULL);
}

static void
becomes(nir_op op, const char *il)
{
   char *t = one_op(op, false, nir_op_infos[op].output_size ? nir_op_infos[op].output_size : 4);
   char line[64];
   snprintf(line, sizeof(line), "\n%s r", il);
   if (!strstr(t, line))
      fail_msg("%s: no %s in\n%s", nir_op_infos[op].name, il, t);
   free(t);
}

static void
single_instructions(void **state)
{
   becomes(nir_op_fadd, "add");
   becomes(nir_op_fmul, "mul_ieee");
   becomes(nir_op_ffma, "fma");
   becomes(nir_op_fmin, "min_ieee");
   becomes(nir_op_fmax, "max_ieee");
   becomes(nir_op_frcp, "rcp_vec_zeroop(infinity)");
   becomes(nir_op_frsq, "rsq_vec");
   becomes(nir_op_fsqrt, "sqrt_vec");
   becomes(nir_op_fexp2, "exp_vec");
   becomes(nir_op_flog2, "log_vec");
   becomes(nir_op_fsin, "sin_vec");
   becomes(nir_op_fcos, "cos_vec");
   becomes(nir_op_ffloor, "round_neginf");
   becomes(nir_op_fceil, "round_plusinf");
   becomes(nir_op_ftrunc, "round_z");
   becomes(nir_op_fround_even, "round_nearest");
   becomes(nir_op_ffract, "frc");
   becomes(nir_op_flt, "lt");
   becomes(nir_op_fge, "ge");
   becomes(nir_op_feq, "eq");
   becomes(nir_op_fneu, "ne");
   becomes(nir_op_ilt, "ilt");
   becomes(nir_op_ige, "ige");
   becomes(nir_op_ieq, "ieq");
   becomes(nir_op_ine, "ine");
   becomes(nir_op_ult, "ult");
   becomes(nir_op_uge, "uge");
   becomes(nir_op_iadd, "iadd");
   becomes(nir_op_ineg, "inegate");
   becomes(nir_op_imul, "imul");
   becomes(nir_op_imul_high, "imul_high");
   becomes(nir_op_umul_high, "umul_high");
   becomes(nir_op_udiv, "udiv");
   becomes(nir_op_umod, "umod");
   becomes(nir_op_idiv, "udiv");
   becomes(nir_op_irem, "umod");
   becomes(nir_op_imod, "umod");
   becomes(nir_op_imin, "imin");
   becomes(nir_op_imax, "imax");
   becomes(nir_op_umin, "umin");
   becomes(nir_op_umax, "umax");
   becomes(nir_op_iand, "iand");
   becomes(nir_op_ior, "ior");
   becomes(nir_op_ixor, "ixor");
   becomes(nir_op_inot, "inot");
   becomes(nir_op_ishl, "ishl");
   becomes(nir_op_ishr, "ishr");
   becomes(nir_op_ushr, "ushr");
   becomes(nir_op_f2i32, "ftoi");
   becomes(nir_op_f2u32, "ftou");
   becomes(nir_op_i2f32, "itof");
   becomes(nir_op_u2f32, "utof");
   becomes(nir_op_bcsel, "cmov_logical");
   becomes(nir_op_bit_count, "icbits");
   becomes(nir_op_bitfield_reverse, "ubit_reverse");
   becomes(nir_op_find_lsb, "ffb(lo)");
   becomes(nir_op_ufind_msb, "ffb(hi)");
   becomes(nir_op_ifind_msb, "ffb(shi)");
   becomes(nir_op_bitfield_insert, "ubit_insert");
   becomes(nir_op_ubitfield_extract, "ubit_extract");
   becomes(nir_op_ibitfield_extract, "ibit_extract");
   becomes(nir_op_fdot2, "dp2_ieee");
   becomes(nir_op_fdot3, "dp3_ieee");
   becomes(nir_op_fdot4, "dp4_ieee");
   becomes(nir_op_uadd_carry, "icarry");
   becomes(nir_op_usub_borrow, "iborrow");
   becomes(nir_op_unpack_half_2x16, "f162f");
   becomes(nir_op_pack_half_2x16, "f2f16");
}

/* Everything else that GLSL can produce must at least become something. */
static void
all_others(void **state)
{
   static const nir_op ops[] = {
      nir_op_fneg,
      nir_op_fabs,
      nir_op_fsat,
      nir_op_fsign,
      nir_op_isign,
      nir_op_iabs,
      nir_op_fpow,
      nir_op_fdiv,
      nir_op_fmod,
      nir_op_flrp,
      nir_op_ldexp,
      nir_op_slt,
      nir_op_sge,
      nir_op_seq,
      nir_op_sne,
      nir_op_ball_fequal4,
      nir_op_bany_fnequal3,
      nir_op_ball_iequal2,
      nir_op_bany_inequal4,
      nir_op_fdph,
      nir_op_pack_unorm_4x8,
      nir_op_pack_snorm_4x8,
      nir_op_pack_unorm_2x16,
      nir_op_pack_snorm_2x16,
      nir_op_unpack_unorm_4x8,
      nir_op_unpack_snorm_4x8,
      nir_op_unpack_unorm_2x16,
      nir_op_unpack_snorm_2x16,
      nir_op_isub,
      nir_op_fsub,
      nir_op_frem,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
      char *t = one_op(ops[i], false, 3);
      contains(t, "mov o0");
      free(t);
   }
}

static void
exactness(void **state)
{
   char *t = one_op(nir_op_ffma, true, 4);
   contains(t, "\nfma_prec r");
   free(t);
   t = one_op(nir_op_fmul, true, 4);
   contains(t, "\nmul_prec_ieee r");
   free(t);
}

/* Scalars share temps; sources are moved to the component that is written. */
static void
packing(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *v = vs_input(&b, 0, 4);
   nir_def *x = nir_frcp(&b, nir_channel(&b, v, 0));
   nir_def *y = nir_frcp(&b, nir_channel(&b, v, 1));
   output(&b, VARYING_SLOT_POS, nir_vec4(&b, y, x, nir_fneg(&b, x), nir_imm_float(&b, 2.0)));
   char *t = finish(&b, NULL);
   contains(t, "rcp_vec_zeroop(infinity) r1.x___, r0.x\n");
   contains(t, "rcp_vec_zeroop(infinity) r1._y__, r0.y\n");
   contains(t, "mov r1.__z_, r1.x_neg(xyzw)\n");
   contains(t, "mov r2.xyz_, r1.yxzy\n");
   contains(t, "mov r2.___w, l0.x\n");
   free(t);
}

/* A reused constant has one literal; four scalars share one. */
static void
literals(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *v = vs_input(&b, 0, 4);
   v = nir_fmul(&b, v, nir_imm_vec4(&b, 2, 3, 2, 5));
   v = nir_fadd(&b, v, nir_imm_float(&b, 7));
   v = nir_fmax(&b, v, nir_imm_vec4(&b, 7, 5, 3, 2));
   output(&b, VARYING_SLOT_POS, v);
   char *t = finish(&b, NULL);
   contains(t, ", l0.xyxz, l0.w\n");
   contains(t, "l0.wzyx\n");
   lacks(t, "l1");
   free(t);
}

/* Products by what needs none leave a sum of four, and products by 0 leave any. */
static void
plain_products(void **state)
{
   (void)state;
   static const struct {
      float factor[4];
      unsigned comps;
      const char *has, *lacks;
   } cases[] = {
      { { 2, 3, 4, 1 }, 4, "fma r", "dp4" }, { { 2, 3, 4, 5 }, 4, "dp4_ieee", "fma r" },
      { { 2, 0, 4, 5 }, 4, "fma r", "dp4" }, { { 2, 3, -1 }, 3, "dp3_ieee", "fma r" },
      { { 2, 3, 0 }, 3, "fma r", "dp3" },
   };
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      nir_builder b = begin(MESA_SHADER_VERTEX);
      nir_def *x = vs_input(&b, 0, cases[n].comps), *y[4];
      for (unsigned i = 0; i < cases[n].comps; i++)
         y[i] = nir_imm_float(&b, cases[n].factor[i]);
      nir_def *factor = nir_vec(&b, y, cases[n].comps);
      output(&b, VARYING_SLOT_POS,
             cases[n].comps == 4 ? nir_fdot4(&b, x, factor) : nir_fdot3(&b, x, factor));
      char *text = finish(&b, NULL);
      contains(text, cases[n].has);
      lacks(text, cases[n].lacks);
      free(text);
   }
}

/* A target that multiplies and adds in one instruction has it used where that is allowed; dot
 * products are chains of them where there is nothing better.  What is exact stays two. */
static void
fused(void **state)
{
   static const struct {
      bool doubles, fuses;
      const char *sum, *no_sum, *dot, *no_dot;
   } targets[] = {
      { true, false, "fma r", "mad_ieee", "dp4_ieee", "\nnothing" },
      { false, true, "fma r", "mad_ieee", "fma r", "dp4" },
      { false, false, "mad_ieee r", "fma r", "dp4_ieee", "\nnothing" },
   };
   for (unsigned n = 0; n < 2 * ARRAY_SIZE(targets); n++) {
      const bool exact = n & 1;
      nir_builder b = begin_for(MESA_SHADER_VERTEX, targets[n / 2].doubles, targets[n / 2].fuses);
      nir_def *x = vs_input(&b, 0, 4), *y = vs_input(&b, 1, 4);
      b.exact = exact;
      nir_def *sum = nir_fadd(&b, nir_fmul(&b, x, y), vs_input(&b, 2, 4));
      b.exact = false;
      output(&b, VARYING_SLOT_POS, nir_fadd(&b, sum, nir_fdot4(&b, x, y)));
      char *t = finish(&b, NULL);
      contains(t, targets[n / 2].dot);
      lacks(t, targets[n / 2].no_dot);
      if (exact) {
         contains(t, "mul_prec");
         contains(t, "add_prec");
      } else {
         contains(t, targets[n / 2].sum);
         lacks(t, "_prec");
      }
      lacks(t, targets[n / 2].no_sum);
      free(t);
   }
}

/* Divisors and widths that are constants. */
static void
constant_operands(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *x = vs_input(&b, 0, 4);
   nir_def *divided[] = {
      nir_udiv(&b, nir_channel(&b, x, 0), nir_imm_int(&b, 7)),
      nir_umod(&b, nir_channel(&b, x, 1), nir_imm_int(&b, 40)),
      nir_idiv(&b, nir_channel(&b, x, 2), nir_imm_int(&b, -5)),
      nir_irem(&b, nir_channel(&b, x, 3), nir_imm_int(&b, 3)),
   };
   output(&b, VARYING_SLOT_POS, nir_vec(&b, divided, 4));
   char *t = finish(&b, NULL);
   lacks(t, "udiv");
   lacks(t, "umod");
   contains(t, "umul_high");
   contains(t, "imul_high");
   free(t);

   const int widths[] = { 8, 31, 32 };
   for (unsigned i = 0; i < 3; i++) {
      b = begin(MESA_SHADER_VERTEX);
      x = vs_input(&b, 0, 2);
      output(&b, VARYING_SLOT_POS,
             nir_bitfield_insert(&b, nir_channel(&b, x, 0), nir_channel(&b, x, 1),
                                 nir_imm_int(&b, 0), nir_imm_int(&b, widths[i])));
      t = finish(&b, NULL);
      assert_int_equal(strstr(t, "cmov_logical") != NULL, widths[i] == 32);
      free(t);
   }
}

/* a / b of vertex attributes, of what is interpolated, or by a constant. */
static char *
quotient(gl_shader_stage stage, nir_op op, float divisor, bool fuses, bool doubles)
{
   nir_builder b = begin_for(stage, doubles, fuses);
   const bool pixel = stage == MESA_SHADER_FRAGMENT;
   nir_def *a =
      pixel ? ps_smooth(&b, VARYING_SLOT_VAR0, 1, INTERP_MODE_SMOOTH) : vs_input(&b, 0, 1);
   nir_def *d = divisor ? nir_imm_float(&b, divisor)
                : pixel ? ps_flat(&b, 1, 1)
                        : vs_input(&b, 1, 1);
   nir_def *q = nir_build_alu(&b, op, a, d, NULL, NULL);
   output(&b, pixel ? FRAG_RESULT_DATA0 : VARYING_SLOT_POS, nir_replicate(&b, q, 4));
   return finish(&b, NULL);
}

static unsigned
count(const char *text, const char *part)
{
   unsigned n = 0;
   while ((text = strstr(text, part))) {
      n++;
      text++;
   }
   return n;
}

/* Corrected where both operands are numbers, and a choice where something may not be finite. */
static void
quotients(void **state)
{
   static const struct {
      gl_shader_stage stage;
      nir_op op;
      float divisor;
      unsigned reciprocals, fmas, choices;
   } cases[] = {
      { MESA_SHADER_VERTEX, nir_op_fdiv, 0, 1, 2, 1 },
      { MESA_SHADER_VERTEX, nir_op_fdiv, 41, 0, 1, 0 },
      { MESA_SHADER_VERTEX, nir_op_fdiv, 8, 0, 0, 0 },
      { MESA_SHADER_VERTEX, nir_op_fdiv, 1e30f, 0, 2, 1 },
      { MESA_SHADER_VERTEX, nir_op_fmod, 0, 1, 3, 0 },
      { MESA_SHADER_VERTEX, nir_op_fmod, 41, 0, 2, 0 },
      { MESA_SHADER_VERTEX, nir_op_fmod, 10, 0, 1, 0 },
      { MESA_SHADER_VERTEX, nir_op_frem, 10, 0, 1, 0 },
      { MESA_SHADER_FRAGMENT, nir_op_fdiv, 0, 1, 0, 0 },
      { MESA_SHADER_FRAGMENT, nir_op_fdiv, 41, 0, 0, 0 },
   };
   for (unsigned n = 0; n < ARRAY_SIZE(cases); n++) {
      char *t = quotient(cases[n].stage, cases[n].op, cases[n].divisor, false, true);
      if (count(t, "rcp_vec") != cases[n].reciprocals || count(t, "\nfma") != cases[n].fmas ||
          count(t, "\ncmov_logical") != cases[n].choices)
         fail_msg("case %u: %s", n, t);
      free(t);
   }
   /* What rounds twice takes halves. */
   char *t = quotient(MESA_SHADER_VERTEX, nir_op_fdiv, 0, false, false);
   lacks(t, "\nfma");
   contains(t, "; 4097 ");
   contains(t, "\ncmov_logical");
   free(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_products),
      cmocka_unit_test(quotients),
      cmocka_unit_test(single_instructions),
      cmocka_unit_test(all_others),
      cmocka_unit_test(exactness),
      cmocka_unit_test(packing),
      cmocka_unit_test(literals),
      cmocka_unit_test(fused),
      cmocka_unit_test(constant_operands),
   };
   glsl_type_singleton_init_or_ref();
   int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
