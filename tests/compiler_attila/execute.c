/* SPDX-License-Identifier: MIT */
/*
 * Programs compiled for ATTILA and executed: values worked out by hand.
 *
 * A case is the body of a vertex program that reads r0 to r3, which are four vectors in bits, and
 * writes r10, and what is in r10 then.  It is compiled with all passes, without the optional ones
 * and for the scalar machine, with and without refactoringAllowed.
 */
#include "run.h"

#include "il/conventions.h"

#define F(x)        \
   (((union {       \
       float f;     \
       uint32_t u;  \
    }){ .f = (x) }) \
       .u)

#define NAN_BITS 0x7fc00000u
#define INF_BITS 0x7f800000u
#define ONES     0xffffffffu

struct hand {
   const char *body;
   uint32_t in[4][4], out[4];
   bool exact; /* without refactoringAllowed alone */
};

static void
check(const struct hand *h, bool rearranges)
{
   static struct run r;
   static char text[201000];

   snprintf(text, sizeof(text),
            "il_vs_2_0\ndcl_x_version 1\n%sdcl_cb cb0[16]\ndcl_input_usage(generic) v0\n"
            "dcl_input_usage(generic) v1\ndcl_input_usage(generic) v2\n"
            "dcl_input_usage(generic) v3\ndcl_output_usage(position) o0\n"
            "dcl_output_usage(generic) o32\nmov r0, v0\nmov r1, v1\nmov r2, v2\nmov r3, v3\n"
            "%s\nmov o0, r0\nmov o32, r10\nend\n",
            rearranges ? "dcl_global_flags refactoringAllowed\n" : "", h->body);
   memset(&r, 0, sizeof(r));
   for (unsigned n = 0; n < RUN_INPUTS; n++)
      for (unsigned l = 0; l < WAVE_LANES; l++)
         memcpy(r.inputs[n][l], h->in[n], 16);
   for (unsigned n = 0; n < 16; n++)
      for (unsigned c = 0; c < 4; c++)
         r.constants[n][c] = 100 * n + c;
   struct il_program *il = run_parse(text);
   for (unsigned f = 0; f < sizeof(run_flags) / sizeof(run_flags[0]); f++) {
      run_program(il, run_flags[f], &r);
      for (unsigned l = 0; l < WAVE_LANES; l++) {
         if (!memcmp(r.outputs[0][l], h->out, 16))
            continue;
         const uint32_t *got = r.outputs[0][l];
         fail_msg(
            "%s\nflags %u, rearranged %u, vertex %u: %08x %08x %08x %08x, not %08x %08x %08x %08x",
            h->body, run_flags[f], rearranges, l, got[0], got[1], got[2], got[3], h->out[0],
            h->out[1], h->out[2], h->out[3]);
      }
   }
   il_program_free(il);
}

static void
by_hand(void **state)
{
   /* clang-format off */
   const struct hand hands[] = {
   /* floats */
   { "add r10, r0, r1", { { F(1), F(2), F(-3), F(4) }, { F(.5f), F(2), F(3), F(-8) } }, { F(1.5f), F(4), F(0), F(-4) } },
   { "mul_ieee r10, r0.wzyx, r1_neg(xyzw)", { { F(1), F(2), F(3), F(4) }, { F(1), F(2), F(3), F(4) } }, { F(-4), F(-6), F(-6), F(-4) } },
   { "mad_ieee r10, r0, r1.x, r2", { { F(1), F(2), F(3), F(4) }, { F(2) }, { F(1), F(1), F(1), F(1) } }, { F(3), F(5), F(7), F(9) } },
   { "dp4_ieee r10, r0, r1", { { F(1), F(2), F(3), F(4) }, { F(2), F(3), F(4), F(5) } }, { F(40), F(40), F(40), F(40) } },
   { "dp3_ieee r10.xy, r0, r1\ndp2_ieee r10.zw, r0, r1", { { F(1), F(2), F(3), F(4) }, { F(2), F(3), F(4), F(5) } }, { F(20), F(20), F(8), F(8) } },
   { "mov_sat r10, r0", { { F(-1), F(.25f), F(7), NAN_BITS } }, { 0, F(.25f), F(1), 0 } },
   { "add_x2 r10, r0, r1", { { F(1), F(2), F(3), F(4) }, { F(1), F(1), F(1), F(1) } }, { F(4), F(6), F(8), F(10) } },
   { "mov r10, r0_abs\nmov r10.y, r0.y_abs_neg(xyzw)", { { F(-1), F(-2), F(3), F(-4) } }, { F(1), F(-2), F(3), F(4) } },
   { "rcp_vec_zeroop(infinity) r10, r0", { { F(4), F(-.5f), 0, F(1) } }, { F(.25f), F(-2), INF_BITS, F(1) } },
   { "sqrt_vec r10, r0", { { F(4), F(.25f), 0, INF_BITS } }, { F(2), F(.5f), 0, INF_BITS } },
   { "rsq_vec r10.xy, r0\nexp_vec r10.z, r0\nlog_vec r10.w, r0", { { F(4), F(.25f), F(3), F(8) } }, { F(.5f), F(2), F(8), F(3) } },
   { "frc r10, r0", { { F(1.25f), F(-1.25f), F(3), F(.5f) } }, { F(.25f), F(.75f), 0, F(.5f) } },
   { "round_neginf r10, r0", { { F(1.25f), F(-1.25f), F(3), F(-.5f) } }, { F(1), F(-2), F(3), F(-1) } },
   { "round_plusinf r10, r0", { { F(1.25f), F(-1.25f), F(3), F(4.5f) } }, { F(2), F(-1), F(3), F(5) } },
   { "round_z r10, r0", { { F(1.75f), F(-1.75f), F(3), F(16777217) } }, { F(1), F(-1), F(3), F(16777217) } },
   { "round_nearest r10, r0", { { F(2.5f), F(3.5f), F(-2.5f), F(8388609) } }, { F(2), F(4), F(-2), F(8388609) } },
   { "min_ieee r10.xy, r0, r1\nmax_ieee r10.zw, r0, r1", { { F(1), F(5), F(1), F(5) }, { F(2), F(3), F(2), F(3) } }, { F(1), F(3), F(2), F(5) } },
   { "min_ieee r10.xy, r0, r1\nmax_ieee r10.zw, r0, r1", { { NAN_BITS, F(5), NAN_BITS, F(5) }, { F(2), NAN_BITS, F(2), NAN_BITS } }, { F(2), F(5), F(2), F(5) }, true },
   { "min_ieee r10.xy, r0, r1\nmax_ieee r10.zw, r0, r1", { { 0, 0x80000000, 0, 0x80000000 }, { 0x80000000, 0, 0x80000000, 0 } }, { 0x80000000, 0x80000000, 0, 0 }, true },
   { "min_ieee r10.xy, r0, r1\nmax_ieee r10.zw, r0, r1", { { 0xffc00001, 0x7f800001, 0xffc00001, 0x7f800001 }, { 0x7fc00001, 0xffffffff, 0x7fc00001, 0xffffffff } }, { NAN_BITS, NAN_BITS, NAN_BITS, NAN_BITS }, true },
   { "round_plusinf r10.xy, r0\nround_nearest r10.zw, r0", { { 0xffc00001, 0x80000000, 0xffc00001, 0x80000000 } }, { NAN_BITS, 0x80000000, NAN_BITS, 0x80000000 }, true },
   { "round_z r10, r0", { { 0xffc00001, 0x80000000, 0, F(-.25f) } }, { NAN_BITS, 0x80000000, 0, 0x80000000 }, true },
   { "frc r10, r0", { { 0xb3000000, 0x80000001, F(-.25f), NAN_BITS } }, { 0x3f7fffff, 0x3f7fffff, F(.75f), NAN_BITS }, true },
   { "mov r10, r0_divcomp(w)", { { F(6), F(-6), 0, 0 } }, { 0x7f7fffff, 0xff7fffff, 0x7f7fffff, 0 }, true },
   { "mov r10, r0.x01y_bias", { { F(2), F(3) } }, { F(1.5f), F(-.5f), F(.5f), F(2.5f) } },
   /* conversions */
   { "ftoi_flr r10, r0", { { NAN_BITS, 0xffc00000, F(-1.5f), F(3e9f) } }, { 0x7fffffff, 0x80000000, (uint32_t)-2, 0x7fffffff }, true },
   { "ftoi_rpi r10, r0", { { 0x3effffff, F(8388609), F(-1.5f), 0xffc00000 } }, { 0, 8388609, ONES, 0x80000000 }, true },
   { "umod r10.xy, r0_neg(x), r1\nushr r10.zw, r0_neg(z), r1", { { 7, 7, 7, 7 }, { 16, 4, 28, 1 } }, { 9, 3, 15, 3 } },
   { "ushr r10.0yz1, r0, r1", { { 7, 7, 7, 7 }, { 1, 1, 2, 1 } }, { 0, 3, 1, F(1) } },
   /* nothing that is computed */
   { "mov r10, r0\nudiv r10.0__1, r0, r1\nishl r10._1__, r0, r1", { { 7, 7, 7, 7 } }, { 0, F(1), 7, F(1) } },
   { "iadd r12.xy, r0, r0\nmov r10.x, r12.y\nmov r10.yzw, r11", { { 5, 6 } }, { 12, 0, 0, 0 } },
   { "ftoi r10, r0", { { F(1.75f), F(-1.75f), F(3e9f), F(-3e9f) } }, { 1, ONES, 0x7fffffff, 0x80000000 } },
   { "ftoi r10, r0", { { F(0), F(-.5f), NAN_BITS, F(16777216) } }, { 0, 0, 0, 16777216 }, true },
   { "ftou r10, r0", { { F(1.75f), F(-1.75f), F(3e9f), F(1e10f) } }, { 1, 0, 3000000000u, ONES } },
   { "ftou r10, r0", { { F(2147483648.0f), NAN_BITS, F(4294967040.0f), F(.99f) } }, { 0x80000000, 0, 4294967040u, 0 } },
   { "itof r10, r0", { { 7, (uint32_t)-7, 0, 0x80000000 } }, { F(7), F(-7), 0, F(-2147483648.0f) } },
   { "itof r10, r0", { { 16777217, 0x7fffffff, 0x40000000, 0x3fffffff } }, { F(16777216), F(2147483648.0f), F(1073741824), F(1073741824) } },
   { "itof r10, r0", { { 16777219, (uint32_t)-16777219, 8388607, 8388608 } }, { F(16777220), F(-16777220), F(8388607), F(8388608) } },
   { "utof r10, r0", { { 3000000000u, ONES, 0x80000080, 0x80000081 } }, { F(3000000000.0f), F(4294967296.0f), F(2147483648.0f), F(2147483904.0f) } },
   /* comparisons */
   { "lt r10, r0, r1", { { F(1), F(2), F(3), NAN_BITS }, { F(2), F(2), F(1), F(1) } }, { ONES, 0, 0, 0 } },
   { "ge r10, r0, r1", { { F(1), F(2), F(3), F(-1) }, { F(2), F(2), F(1), F(1) } }, { 0, ONES, ONES, 0 } },
   { "eq r10.xy, r0, r1\nne r10.zw, r0, r1", { { F(1), F(2), F(3), F(0) }, { F(2), F(2), F(1), F(-0.0f) } }, { 0, ONES, ONES, 0 } },
   { "ge r10.x, r0, r1\neq r10.y, r0, r1\nne r10.z, r0, r1\nlt r10.w, r0, r1", { { NAN_BITS, NAN_BITS, NAN_BITS, NAN_BITS }, { F(2), F(2), F(1), F(1) } }, { 0, 0, ONES, 0 }, true },
   { "ilt r10.xy, r0, r1\nige r10.zw, r0, r1", { { 1, ONES, 1, ONES }, { 2, 1, 1, 1 } }, { ONES, ONES, ONES, 0 } },
   { "ieq r10.xy, r0, r1\nine r10.zw, r0, r1", { { 1, ONES, 1, 0x80000000 }, { 1, 1, 1, 0 } }, { ONES, 0, 0, ONES } },
   { "ult r10.xy, r0, r1\nuge r10.zw, r0, r1", { { 1, ONES, 1, ONES }, { 2, 1, 1, 1 } }, { ONES, 0, ONES, ONES } },
   /* booleans that stay numbers, and that become bits */
   { "lt r4, r0, r1\nlt r5, r1, r2\niand r6, r4, r5\ncmov_logical r10, r6, r0, r3", { { F(1), F(1), F(5), F(5) }, { F(2), F(2), F(2), F(2) }, { F(3), F(1), F(3), F(1) }, { 7, 7, 7, 7 } }, { F(1), 7, 7, 7 } },
   { "lt r4, r0, r1\nlt r5, r1, r2\nior r6, r4, r5\ninot r7, r6\nixor r7, r7, r4\nmov r10, r7", { { F(1), F(1), F(5), F(5) }, { F(2), F(2), F(2), F(2) }, { F(3), F(1), F(3), F(1) } }, { ONES, ONES, 0, ONES } },
   { "dcl_literal l0, 0x3F800000, 0x40000000, 0, 0\nlt r4, r0, r1\niand r10.xy, r4, l0.xyyy\nior r10.zw, r4, r2", { { F(1), F(1), F(1), F(5) }, { F(2), F(2), F(2), F(2) }, { 9, 9, 9, 9 } }, { F(1), F(2), ONES, 9 } },
   { "lt r4, r0, r1\nixor r10, r2, r4", { { F(1), F(1), F(5), F(5) }, { F(2), F(2), F(2), F(2) }, { 9, 0, 9, 0 } }, { ~9u, ONES, 9, 0 } },
   { "cmov_logical r10, r0, r1, r2", { { 1, 0, 0x80000000, ONES }, { 5, 6, 7, 8 }, { 1, 2, 3, 4 } }, { 5, 2, 7, 8 } },
   /* integers */
   { "iadd r10, r0, r1_neg(xyzw)", { { 5, 5, 0, 0x80000000 }, { 7, 5, 1, 1 } }, { (uint32_t)-2, 0, ONES, 0x7fffffff } },
   { "imul r10, r0, r1", { { 5, ONES, 0x10000, 3 }, { 7, 5, 0x10000, 0x80000000 } }, { 35, (uint32_t)-5, 0, 0x80000000 } },
   { "imin r10.xy, r0, r1\nimax r10.zw, r0, r1", { { 5, ONES, 5, ONES }, { 7, 1, 7, 1 } }, { 5, ONES, 7, 1 } },
   { "umin r10.xy, r0, r1\numax r10.zw, r0, r1", { { 5, ONES, 5, ONES }, { 7, 1, 7, 1 } }, { 5, 1, 7, ONES } },
   { "inegate r10, r0", { { 5, ONES, 0, 0x80000000 } }, { (uint32_t)-5, 1, 0, 0x80000000 } },
   { "iand r10, r0, r1", { { 0xff00ff00, 0, ONES, 0x12345678 }, { 0x0ff00ff0, 5, 5, 0xffff } }, { 0x0f000f00, 0, 5, 0x5678 } },
   { "ior r10, r0, r1", { { 0xff00ff00, 0, ONES, 0x12340000 }, { 0x0ff00ff0, 5, 5, 0x8765 } }, { 0xfff0fff0, 5, ONES, 0x12348765 } },
   { "ixor r10, r0, r1", { { 0xff00ff00, 0, ONES, 0x12345678 }, { 0x0ff00ff0, 5, 5, 0x12345678 } }, { 0xf0f0f0f0, 5, ~5u, 0 } },
   { "inot r10, r0", { { 0xff00ff00, 0, ONES, 1 } }, { 0x00ff00ff, ONES, 0, ~1u } },
   { "ishl r10, r0, r1", { { 1, 1, 3, 5 }, { 0, 31, 4, 33 } }, { 1, 0x80000000, 48, 10 } },
   { "ushr r10, r0, r1", { { 0x80000000, 0x80000000, 0xff, 5 }, { 0, 31, 4, 33 } }, { 0x80000000, 1, 15, 2 } },
   { "ishr r10, r0, r1", { { 0x80000000, 0x80000000, 0xff, (uint32_t)-5 }, { 0, 31, 4, 33 } }, { 0x80000000, ONES, 15, (uint32_t)-3 } },
   { "dcl_literal l0, 31, 3, 2, 0\nishr r10.x, r0, l0\nishl r10.y, r0, l0\nushr r10.z, r0, l0\nishr r10.w, r0, l0", { { 0x80000001, 5, 0xfffffff0, 77 } }, { ONES, 40, 0x3ffffffc, 77 } },
   { "udiv r10, r0, r1", { { 17, ONES, 16777215, 5 }, { 5, 3, 4096, 0 } }, { 3, 0x55555555, 4095, ONES } },
   { "umod r10, r0, r1", { { 17, ONES, 16777215, 5 }, { 5, 3, 4096, 0 } }, { 2, 0, 4095, ONES } },
   { "udiv r10, r0, r1", { { ONES, 0x80000000, 1, 0xfffffffe }, { 0x80000000, ONES, ONES, 0xffffffff } }, { 1, 0, 0, 0 } },
   /* flow */
   { "mov r10, r1\nif_logicalnz r0.x\nmov r10.x, r2\nelse\nmov r10.y, r2\nendif\nif_logicalz r0.x\nmov r10.z, r2\nendif", { { 1 }, { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, { 5, 2, 3, 4 } },
   { "mov r10, r1\nif_logicalnz r0.x\nmov r10.x, r2\nelse\nmov r10.y, r2\nendif\nif_logicalz r0.x\nmov r10.z, r2\nendif", { { 0 }, { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, { 1, 6, 7, 4 } },
   { "dcl_literal l0, 1, 3, 10, 0\nmov r4, l0.w\nmov r10, l0.w\nwhileloop\nige r5.x, r4.x, l0.z\nbreak_logicalnz r5.x\niadd r4.x, r4.x, l0.x\nieq r5.y, r4.x, l0.y\ncontinue_logicalnz r5.y\niadd r10.x, r10.x, r4.x\niadd r10.y, r10.y, l0.x\nendloop", { { 0 } }, { 52, 9, 0, 0 } },
   { "dcl_literal l0, 1, 3, 0, 0\nmov r4, l0.z\nmov r10, l0.z\nwhileloop\nilt r5.x, r4.x, r0.x\nif_logicalz r5.x\nbreak\nendif\nmov r6, l0.z\nwhileloop\nieq r5.x, r6.x, l0.y\nif_logicalnz r5.x\nbreak\nendif\niadd r6.x, r6.x, l0.x\niadd r10.x, r10.x, l0.x\nendloop\niadd r4.x, r4.x, l0.x\nendloop", { { 5 } }, { 15, 0, 0, 0 } },
   { "mov r10, r1\nifc_relop(ge) r0.x, r0.y\nmov r10.x, r2\nendif\nifc_relop(le) r0.x, r0.y\nmov r10.y, r2\nendif\nifc_relop(ne) r0.x, r0.y\nmov r10.z, r2\nendif\nifc_relop(gt) r0.x, r0.y\nmov r10.w, r2\nendif", { { F(2), F(2) }, { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, { 5, 6, 3, 4 } },
   /* arrays and constants at a run-time index */
   { "dcl_indexed_temp_array x0[3]\nmov x0[0], r1\nmov x0[1], r2\nmov x0[2], r3\nmov x0[r0.y], r1.w\nmov r10, x0[r0.x+1]", { { 1, 2 }, { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 9, 9, 9 } }, { 4, 4, 4, 4 } },
   { "dcl_indexed_temp_array x0[2]\nmov x0[0], r1\nmov x0[1], r2\nmov r10, x0[r0.x]", { { 2 }, { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, { 0, 0, 0, 0 } },
   { "mov r10, cb0[r0.x+1].wzyx", { { 2 } }, { 303, 302, 301, 300 } },
   { "mov r10, cb0[15]\nmov r10.y, cb0[0].w", { { 0 } }, { 1500, 3, 1502, 1503 } },
   { "dcl_cb icb[8], 1, 2, 3, 4, 5, 6, 7, 8\nmov r10, icb[r0.x]", { { 1 } }, { 5, 6, 7, 8 } },
   { "mov r4.x, r0.x\nmov r10.xyzw, r4.x\nmov r10.01__, r4", { { 9 } }, { 0, F(1), 9, 9 } },
};
   /* clang-format on */

   (void)state;
   for (unsigned n = 0; n < sizeof(hands) / sizeof(hands[0]); n++) {
      check(&hands[n], false);
      if (!hands[n].exact)
         check(&hands[n], true);
   }
}

/* More numbers at once than there are registers: four of them share one. */
static void
many_numbers(void **state)
{
   char body[12000] = "add r20.x, r0.x, r0.y\n";
   const unsigned last = 149; /* 130 of them, from 2 on */
   size_t at = strlen(body);

   (void)state;
   for (unsigned n = 21; n <= last; n++)
      at += (size_t)sprintf(body + at, "add r%u.x, r%u.x, r0.x\n", n, n - 1);
   at += (size_t)sprintf(body + at, "mov r10, r20.x\n");
   for (unsigned n = 21; n <= last; n++)
      at += (size_t)sprintf(body + at, "add r10.x, r10.x, r%u.x\n", n);
   assert_true(at < sizeof(body));
   const struct hand h = { body, { { F(1), F(1) } }, { F(8645), F(2), F(2), F(2) } };
   check(&h, false);
   check(&h, true);
}

/* As deep as IL's flow may be, with a loop in the middle of it: r0.x says how deep it goes. */
static void
deep_flow(void **state)
{
   enum { DEEP = IL_MAX_DEPTH - 1 };
   static char body[200000];
   const uint32_t went[] = { 0, 1, 31, 32, 63, 64, 255, 256, DEEP - 1, DEEP, DEEP + 200 };
   size_t at = (size_t)sprintf(body, "dcl_literal l0, 0, 1, 0, 0\nmov r10, l0.x\n");

   (void)state;
   for (unsigned n = 0; n < DEEP; n++)
      at += (size_t)sprintf(body + at, "ilt r4.x, r10.x, r0.x\nif_logicalnz r4.x\n"
                                       "iadd r10.x, r10.x, l0.y\n");
   at += (size_t)sprintf(body + at, "whileloop\niadd r10.y, r10.y, l0.y\nige r4.x, r10.y, r0.x\n"
                                    "break_logicalnz r4.x\nendloop\n");
   for (unsigned n = 0; n < DEEP; n++)
      at += (size_t)sprintf(body + at, "iadd r10.z, r10.z, l0.y\nelse\niadd r10.w, r10.w, r0.x\n"
                                       "endif\n");
   assert_true(at < sizeof(body));
   for (unsigned n = 0; n < sizeof(went) / sizeof(*went); n++) {
      const uint32_t x = went[n], depth = x < DEEP ? x : DEEP;
      const struct hand h = { body,
                              { { x } },
                              { depth, x < DEEP ? 0 : x, depth, x < DEEP ? x : 0 } };
      check(&h, false);
      check(&h, true);
   }
}

/* A constant component of a boolean is none. */
static void
constant_of_boolean(void **state)
{
   struct il_program *il =
      run_parse("il_ps_2_0\ndcl_input_usage(isfrontface)_interp(constant) v96\n"
                "dcl_input_usage(generic) v32\ndcl_output_usage(generic) o0\nmov r0, v32\n"
                "ixor r0, r0, v96.x01x\nmov o0, r0\nend\n");
   struct shader_code code;
   char error[256];

   (void)state;
   if (!attila_compiler.compile(il, 0, &code, error, sizeof(error)))
      fail_msg("%s", error);
   shader_code_finish(&code);
   il_program_free(il);
}

/* What cannot be said is refused, by name. */
static void
refused(void **state)
{
   static const struct {
      const char *text, *error;
   } cases[] = {
      { "il_cs_2_0\ndcl_num_thread_per_group 64\nend\n", "neither vertex nor pixel" },
      { "il_ps_2_0\ndcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)"
        "\ndcl_output_usage(generic) o0\nsample_g_resource(0)_sampler(0) r0, r1, r2, r3\nmov o0, "
        "r0\nend\n",
        "an operation that ATTILA has not (sample_g" },
      { "il_ps_2_0\ndcl_resource_id(0)_type(2darray)_fmtx(float)_fmty(float)_fmtz(float)_fmtw("
        "float)\ndcl_output_usage(generic) o0\nsample_resource(0)_sampler(0) r0, r1\nmov o0, "
        "r0\nend\n",
        "a texture of this kind" },
      { "il_ps_2_0\ndcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)"
        "\ndcl_output_usage(generic) o0\nsample_resource(0)_sampler(1) r0, r1\nmov o0, r0\nend\n",
        "another one's sampler" },
      { "il_vs_2_0\ndcl_cb cb1[4]\ndcl_output_usage(position) o0\nmov o0, cb1[0]\nend\n",
        "a constant buffer other than 0" },
      { "il_vs_2_0\ndcl_cb cb0[400]\ndcl_output_usage(position) o0\nmov o0, cb0[256]\nend\n",
        "behind the first 256" },
      { "il_vs_2_0\ndcl_output_usage(position) o0\nfma r0, r1, r2, r3\nmov o0, r0\nend\n", "fma" },
      { "il_vs_2_0\ndcl_output_usage(position) o0\nmul r0, r1, r2\nmov o0, r0\nend\n",
        "0 times infinity" },
      { "il_vs_2_0\ndcl_output_usage(position) o0\nicbits r0, r1\nmov o0, r0\nend\n", "icbits" },
   };
   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      struct il_program *il = run_parse(cases[n].text);
      struct shader_code code;
      char error[256];

      assert_false(attila_compiler.compile(il, 0, &code, error, sizeof(error)));
      if (!strstr(error, cases[n].error))
         fail_msg("%s\n%s", cases[n].text, error);
      assert_null(code.words);
      il_program_free(il);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand),   cmocka_unit_test(many_numbers),
      cmocka_unit_test(deep_flow), cmocka_unit_test(constant_of_boolean),
      cmocka_unit_test(refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
