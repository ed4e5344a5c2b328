/* SPDX-License-Identifier: MIT */
/*
 * IL executed directly gives what the document says: results worked out by hand, so that a mistake
 * shared with the compiler is found, too.  Arithmetic and flow of control: each program runs as a
 * vertex shader with v0.x the lane's number; r0 at its end is compared.  Memory and the registers
 * of shader model 3 are in semantics_memory.c, the stages in semantics_stages.c.
 */
#include <math.h>

#include "semantic.h"

static struct semantic *state;

/* Runs `body` with r1 the lane's number; o32 is in `result`.  False and `error`: it is refused. */
static bool
run_after(const char *front, const char *body, wave_lane result[4], char *error, size_t size)
{
   static char text[16384];

   snprintf(text, sizeof(text),
            "%sil_vs_2_0\n"
            "dcl_cb cb0[4]\n"
            "dcl_input_generic v0\n"
            "dcl_output_generic o32\n"
            "dcl_literal l0, 0, 1, 2, 3\n"
            "dcl_literal l1, 0x3f800000, 0x40000000, 0x40400000, 0x40800000\n"
            "dcl_literal l2, 0x7f800000, 0xff800000, 0x7fc00000, 0x80000000\n"
            "dcl_literal l3, 4, 5, 31, 0xffffffff\n"
            "dcl_literal l4, 0x3f000000, 0xbf000000, 0x3fc00000, 0xbfc00000\n"
            "dcl_indexed_temp_array x0[4]\n"
            "mov r1, v0.x\n%send\n",
            front, body);
   if (!semantic_lift(state, text, error, size))
      return false;
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      state->file[1][0][lane] = lane;
   semantic_run(state);
   memcpy(result, semantic_output(state, 32), sizeof(wave_lane[4]));
   semantic_end(state);
   return true;
}

static bool
run(const char *body, wave_lane result[4], char *error, size_t size)
{
   return run_after("", body, result, error, size);
}

struct expected {
   const char *body;
   uint32_t value[4]; /* of every lane */
   const char *front; /* macros, or NULL */
};

static void
check(const struct expected *e, size_t count)
{
   wave_lane r[4];
   char error[256], body[8192];

   for (size_t i = 0; i < count; i++) {
      snprintf(body, sizeof(body), "%s\nmov o32, r0\n", e[i].body);
      if (!run_after(e[i].front ? e[i].front : "", body, r, error, sizeof(error)))
         fail_msg("%s: %s", e[i].body, error);
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         for (unsigned c = 0; c < 4; c++) {
            if (r[c][lane] != e[i].value[c]) {
               fail_msg("%s: %c of lane %u is %08x, not %08x", e[i].body, "xyzw"[c], lane,
                        r[c][lane], e[i].value[c]);
            }
         }
      }
   }
}
#define CHECK(table) check(table, sizeof(table) / sizeof(*(table)))

#define T 0xffffffffu
#define F 0u

static void
floats(void **unused)
{
   static const struct expected e[] = {
      { "add r0, l1, l1.yyyy", { 0x40400000, 0x40800000, 0x40a00000, 0x40c00000 } },
      { "sub r0, l1, l1.yyyy", { 0xbf800000, 0, 0x3f800000, 0x40000000 } },
      /* lrp by its formula: inf * 0 is NaN where src0 is 1, and not 0 */
      { "lrp r0, l1.xxxx, l1, l2", { 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x40800000 } },
      /* the third operand of dp2add is z: 1 * 1 + 2 * 2 + 3 */
      { "dp2add_ieee r0, l1, l1, l1", { 0x41000000, 0x41000000, 0x41000000, 0x41000000 } },
      /* what a short dot product leaves out does not change the sign of zero: -0 * 2 + -0 * 3 */
      { "dp2_ieee r0, l0.x_neg(xyzw), l1.yzzz",
        { 0x80000000, 0x80000000, 0x80000000, 0x80000000 } },
      { "dp3 r0, l1, l1", { 0x41600000, 0x41600000, 0x41600000, 0x41600000 } },
      /* without _ieee 0 * inf is 0 */
      { "mul r0, l0.xxxx, l2", { 0, 0, 0, 0 } },
      { "mul_ieee r0, l0.xxxx, l2", { 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x80000000 } },
      { "rnd r0, l4", { 0x3f800000, 0, 0x40000000, 0xbf800000 } },
      { "round_nearest r0, l4", { 0, 0x80000000, 0x40000000, 0xc0000000 } },
      /* a quotient that is a float is that float: 41, 287, 1927 and -123 by 41 */
      { "dcl_literal l40, 0x42240000, 0x438f8000, 0x44f0e000, 0xc2f60000\n"
        "div_zeroop(infinity) r0, l40, l40.xxxx",
        { 0x3f800000, 0x40e00000, 0x423c0000, 0xc0400000 } },
      { "dcl_literal l40, 0x42240000, 0x438f8000, 0x44f0e000, 0xc2f60000\n"
        "mod r0, l40, l40.xxxx",
        { 0, 0, 0, 0 } },
      { "div_zeroop(infinity) r0, l2, l0.xxxx",
        { 0x7f800000, 0xff800000, 0x7fc00000, 0x7fc00000 } },
      { "sgn r0, l2", { 0x3f800000, 0xbf800000, 0x3f800000, 0 } },
      { "ne r0, l2, l2", { F, F, T, F } },
      { "eq r0, l2, l2", { T, T, F, T } },
      { "rcp_zeroop(fltmax) r0, l0.x", { 0x7f7fffff, 0x7f7fffff, 0x7f7fffff, 0x7f7fffff } },
      { "rcp_zeroop(infinity) r0, l2", { 0xff800000, 0xff800000, 0xff800000, 0xff800000 } },
      { "div_zeroop(fltmax) r0, l4, l0.x", { 0x7f7fffff, 0xff7fffff, 0x7f7fffff, 0xff7fffff } },
      { "mov_sat r0, l2", { 0x3f800000, 0, 0, 0 } },
      { "mov_x2_sat r0, l4", { 0x3f800000, 0, 0x3f800000, 0 } },
      { "mov r0, l1.x011", { 0x3f800000, 0, 0x3f800000, 0x3f800000 } },
      { "mov r0, l1\ncmov r0, l2.w0xz, l2.xyzw",
        { 0x3f800000, 0x40000000, 0x7fc00000, 0x80000000 } },
      { "cmp_relop(ge)_cmpval(0.5) r0, l4, l0.wwww, l0.yyyy", { 3, 1, 3, 1 } },
      { "ftoi r0, l2", { 0x7fffffff, 0x80000000, 0, 0 } },
      { "ftou r0, l2", { 0xffffffff, 0, 0, 0 } },
      { "lit r0, l1.xyzw", { 0x3f800000, 0x3f800000, 0x41800000, 0x3f800000 } },
      { "f2f16_plusinf r0, l3", { 0, 0, 0, 0x7e00 } },
   };
   (void)unused;
   CHECK(e);
}

static void
ballots(void **unused)
{
#define EXTENDED "dcl_x_version 1\ndcl_literal l40, 1, 40, 0, 0\n"
   static const struct expected e[] = {
      { EXTENDED "x_sysval_id(lane) r1.x___\niand r1._y__, r1.x, l40.x\nx_ballot r0, r1.y",
        { 0xaaaaaaaa, 0xaaaaaaaa, 0, 0 } },
      /* among the first 40 all but the first vote; then the lanes vote that saw that */
      { EXTENDED "dcl_literal l41, 0xfffffffe, 0x000000ff, 0, 0\n"
                 "x_sysval_id(lane) r1.x___\nult r1._y__, r1.x, l40.y\nmov r2, l40.zzzz\n"
                 "if_logicalnz r1.y\nx_ballot r3, r1.x\nieq r2, r3, l41\niand r2.x___, r2.x, r2.y\n"
                 "endif\nx_ballot r0, r2.x",
        { 0xffffffff, 0x000000ff, 0, 0 } },
   };
#undef EXTENDED
   CHECK(e);
}

static void
integers(void **unused)
{
   static const struct expected e[] = {
      { "udiv r0, l3, l0", { T, 5, 15, 0x55555555 } },
      { "umod r0, l3, l0", { T, 0, 1, 0 } },
      { "ishl r0, l0.yyyy, l3", { 16, 32, 0x80000000, 0x80000000 } },
      { "ishr r0, l2.wwww, l3", { 0xf8000000, 0xfc000000, T, T } },
      { "iadd r0, l3, l3_neg(xy)", { 0, 0, 62, 0xfffffffe } },
      { "ibit_extract r0, l3.xxxx, l0, l3.wwww", { T, T, T, T } },
      { "ubit_extract r0, l3.xxxx, l0, l3.wwww", { 15, 15, 15, 15 } },
      { "ffb(lo) r0, l3", { 2, 0, 0, 0 } },
      { "ffb(hi) r0, l3", { 29, 29, 27, 0 } },
      { "imad r0, l3, l0, l0", { 0, 6, 64, 0 } },
      { "icarry r0, l3.wwww, l0", { 0, 1, 1, 1 } },
      { "cmov_logical r0, l0, l3.xxxx, l3.yyyy", { 5, 4, 4, 4 } },
      { "cmov_logical r0, l0, l4_abs, l4_neg(xyzw)",
        { 0xbf000000, 0x3f000000, 0x3fc00000, 0x3fc00000 } },
      { "cmov_logical r0, l2.wwxx_abs, l3.xxxx, l3.yyyy", { 5, 5, 4, 4 } },
      { "cmov_logical_sat r0, l0, l4, l4_x2", { 0x3f800000, 0, 0x3f800000, 0 } },
      { "mov x0[1], l1\nmov r2.x, l0.y\nmov r0, x0[r2.x]",
        { 0x3f800000, 0x40000000, 0x40400000, 0x40800000 } },
      { "umed3 r0, l3.xxxx, l3, l0.zzzz", { 4, 4, 4, 4 } },
   };
   (void)unused;
   CHECK(e);
}

/* 64 bits: the low dword in x and z. */
static void
wide(void **unused)
{
   static const struct expected e[] = {
      { "i64add r0, l3.wx, l0.yx", { 0, 5, 0, 5 } },
      { "i64negate r0, l0.yx", { T, T, T, T } },
      { "i64mul r0, l3.wx, l3.xx", { 0xfffffffc, 0xf, 0xfffffffc, 0xf } },
      { "u64div r0, l3.xx, l0.xx", { T, T, T, T } },
      { "i64shl r0, l0.yx, l3.z", { 0x80000000, 0, 0x80000000, 0 } },
      { "i64lt r0, l3.ww, l0.xx", { T, T, T, T } },
      { "u64lt r0, l3.ww, l0.xx", { F, F, F, F } },
      { "f2d r0, l1.x", { 0, 0x3ff00000, 0, 0x3ff00000 } },
      { "f2d r2.xy, l1.z\ndadd r0, r2.xy, r2.xy", { 0, 0x40180000, 0, 0x40180000 } },
      { "f2d r2.xy, l1.x\nf2d r3.xy, l1.z\nddiv r0, r2.xy, r3.xy",
        { 0x55555555, 0x3fd55555, 0x55555555, 0x3fd55555 } },
      { "f2d r2.xy, l2.x\ndtoi r0, r2.xy", { 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff } },
      { "itod r2.xy, l3.w\nd2f r0, r2.xy", { 0xbf800000, 0xbf800000, 0xbf800000, 0xbf800000 } },
      { "f2d r2.xy, l1.w\ndfrexp r0, r2.xy", { 0, 3, 0, 0x3fe00000 } },
   };
   (void)unused;
   CHECK(e);
}

/* What Appendix B only names means what it means to Southern Islands (docs/errata.rst). */
static void
named_only(void **unused)
{
   static const struct expected e[] = {
      /* quotient, divisor, dividend: the magnitude of the first, the sign of the others */
      { "div_fixup r0, l1.yyyy, l1.xxxx, l4", { 0x40000000, 0xc0000000, 0x40000000, 0xc0000000 } },
      { "div_fixup r0, l1.yyyy, l4, l4", { 0x40000000, 0x40000000, 0x40000000, 0x40000000 } },
      /* by zero: infinity of the sign, and NaN of zeros */
      { "div_fixup r0, l1.yyyy, l0.xxxx, l4", { 0x7f800000, 0xff800000, 0x7f800000, 0xff800000 } },
      { "div_fixup r0, l1.yyyy, l2.wwww, l4.xy00",
        { 0xff800000, 0x7f800000, 0x7fc00000, 0x7fc00000 } },
      /* infinite, NaN and zero dividends; an infinite divisor */
      { "div_fixup r0, l1.yyyy, l1.xxxx, l2", { 0x7f800000, 0xff800000, 0x7fc00000, 0x80000000 } },
      { "div_fixup r0, l1.yyyy, l2.xyzx, l4.xxxx", { 0, 0x80000000, 0x7fc00000, 0 } },
      { "div_fixup r0, l1.yyyy, l2.xxxx, l2.xyxy",
        { 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000 } },
      /* exponents 1 and 152 are 151 apart: below all denormals; 151 and 1 are not */
      { "dcl_literal l9, 0x00800000, 0x4c000000, 0x4b800000, 0\n"
        "div_fixup r0, l1.yyyy, l9.yzyz, l9.xxxx",
        { 0, 0x40000000, 0, 0x40000000 } },
      { "f2d r2.xy, l1.y\nf2d r3.xy, l4.y\nf2d r4.xy, l1.x\nddiv_fixup r0, r2.xy, r3.xy, r4.xy",
        { 0, 0xc0000000, 0, 0xc0000000 } },
      { "f2d r2.xy, l1.y\nf2d r3.xy, l0.x\nf2d r4.xy, l4.y\nddiv_fixup r0, r2.xy, r3.xy, r4.xy",
        { 0, 0xfff00000, 0, 0xfff00000 } },
      { "f2d r2.xy, l1.y\nf2d r3.xy, l0.x\nddiv_fixup r0, r2.xy, r3.xy, r3.xy",
        { 0, 0x7ff80000, 0, 0x7ff80000 } },
      /* of bytes 0 1 2 3 | 1 2 3 4 | 2 3 4 5 | 3 4 5 6 and 0 1 2 3: 0, 4, 8, 12, to words 1 to 4 */
      { "dcl_literal l9, 0x03020100, 0x07060504, 0, 0\ndcl_literal l10, 0x00020001, 0x00040003, 0, "
        "0\n"
        "qsad_u8 r0, l9, l9, l10",
        { 0x00060001, 0x0010000b, 0x00060001, 0x0010000b } },
      /* the byte that is zero does not count: 0, 3, 6, 9 */
      { "dcl_literal l9, 0x03020100, 0x07060504, 0, 0\ndcl_literal l10, 0x00020001, 0x00040003, 0, "
        "0\n"
        "mqsad_u8 r0, l9, l9, l10",
        { 0x00050001, 0x000d0009, 0x00050001, 0x000d0009 } },
      /* a word that overflows does not reach the next one */
      { "dcl_literal l9, 0, 0, 255, 0\ndcl_literal l10, 0x0000ffff, 0, 0, 0\n"
        "qsad_u8 r0, l9, l9.zzzz, l10",
        { 0x00ff00fe, 0x00ff00ff, 0x00ff00fe, 0x00ff00ff } },
   };
   (void)unused;
   CHECK(e);
}

/* Where the definition (il/inverse.h) has no rounding, and the document's bound everywhere. */
static void
inverse_functions(void **unused)
{
   static const struct expected e[] = {
      { "acos r0, l1.x", { 0, 0, 0, 0 } },
      { "acos r0, l1.x_neg(xyzw)", { 0x40490fdb, 0x40490fdb, 0x40490fdb, 0x40490fdb } },
      { "asin r0, l1.x", { 0x3fc90fdb, 0x3fc90fdb, 0x3fc90fdb, 0x3fc90fdb } },
      { "asin r0, l1.x_neg(xyzw)", { 0xbfc90fdb, 0xbfc90fdb, 0xbfc90fdb, 0xbfc90fdb } },
      { "atan r0, l0.x", { 0, 0, 0, 0 } },
      { "atan r0, l2.w", { 0x80000000, 0x80000000, 0x80000000, 0x80000000 } },
      { "atan r0, l2.x", { 0x3fc90fdb, 0x3fc90fdb, 0x3fc90fdb, 0x3fc90fdb } },
      { "atan r0, l2.y", { 0xbfc90fdb, 0xbfc90fdb, 0xbfc90fdb, 0xbfc90fdb } },
   };
   double worst[3] = { 0, 0, 0 };
   (void)unused;
   CHECK(e);

   semantic_begin(state, "il_vs_2_0\ndcl_input_generic v0\ndcl_output_generic o32\n"
                         "acos r0.x, v0.x\nasin r0.y, v0.x\natan r0.z, v0.y\nmov o32, r0\nend\n");
   for (unsigned n = 0; n < 4096; n++) {
      float in[2][WAVE_LANES];
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         unsigned k = n * WAVE_LANES + lane; /* -1 to 1, and as far as its tangent goes */
         in[0][lane] = (float)((double)k / (4096 * WAVE_LANES - 1) * 2 - 1);
         in[1][lane] = (float)tan((double)in[0][lane] * 1.5707);
         memcpy(&state->file[1][0][lane], &in[0][lane], 4);
         memcpy(&state->file[1][1][lane], &in[1][lane], 4);
      }
      semantic_run(state);
      const wave_lane *r = semantic_output(state, 32);
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         const double right[3] = { acos(in[0][lane]), asin(in[0][lane]), atan(in[1][lane]) };
         for (unsigned c = 0; c < 3; c++) {
            float got;
            memcpy(&got, &r[c][lane], 4);
            double error = fabs(got - right[c]);
            worst[c] = error > worst[c] || error != error ? error : worst[c];
         }
      }
   }
   semantic_end(state);
   for (unsigned c = 0; c < 3; c++)
      assert_true(worst[c] < 4e-6); /* the document asks for 0.002 */
}

/* Registers and literals of a macro are its own; arguments are copied before and after. */
static void
macros(void **unused)
{
   static const struct expected e[] = {
      { "mov r0, l1\nmov r2, l0\nmcall(3) (r2.x_z_), (l1)\nmov r0.__zw, r2.xxxz",
        { 0x3f800000, 0x40000000, 0x40000000, 0x40c00000 },
        "mdef(3)_out(1)_in(1)\ndcl_literal l0, 0x40000000, 0x40000000, 0x40000000, 0x40000000\n"
        "mul r0, in0, l0\nmov r2, l0.wwww\nmov out0, r0\nmend\n" },
      /* one in the other, twice; the inner one's registers are new each time */
      { "mcall(1) (r0), (l1.xyzw)",
        { 0x40800000, 0x41000000, 0x41400000, 0x41800000 },
        "mdef(0)_out(1)_in(2)\nadd out0, in0, in1\nmend\n"
        "mdef(1)_out(1)_in(1)\nmcall(0) (r0), (in0, in0)\nmcall(0) (out0), (r0, r0)\nmend\n" },
      /* with control flow inside: lanes differ */
      { "mcall(0) (r2.x, r3), (r1.x)\nieq r2.y, r2.x, r3.x\nmov r0, r2.yyyy",
        { T, T, T, T },
        "mdef(0)_out(2)_in(1)\ndcl_literal l0, 3, 0, 1, 7\niand r0.x, in0, l0.x\nmov out0, "
        "l0.yyyy\n"
        "whileloop\nige r0.y, out0.x, r0.x\nbreak_logicalnz r0.y\niadd out0, out0, l0.z\nendloop\n"
        "mov out1, r0.x\nmend\n" },
   };
   (void)unused;
   CHECK(e);
}

static void
arrays(void **unused)
{
   static const struct expected e[] = {
      /* outside an array nothing is written, and zero read */
      { "mov x0[0], l3\nmov r2, l3.w\nmov x0[r2.x+0], l0\nmov r0, x0[0]", { 4, 5, 31, T } },
      { "mov x0[3], l3\nmov r2, l0.z\nmov r0, x0[r2.x+1]", { 4, 5, 31, T } },
      { "mov r2, l3.x\nmov r0, x0[r2.x+0]", { 0, 0, 0, 0 } },
      { "mov r0, r9", { 0, 0, 0, 0 } },
   };
   (void)unused;
   CHECK(e);
}

static void
flow(void **unused)
{
   wave_lane r[4];
   char error[256];
   (void)unused;

   /* Falls through; a default in the middle takes what no case does, and falls through, too. */
   assert_true(run("mov r0, l0.xxxx\niand r2, r1, l0.wwww\n"
                   "switch r2.x\n"
                   "case 0\niadd r0.x, r0, l0.yyyy\n"
                   "default\niadd r0.y, r0, l0.yyyy\nbreak\n"
                   "case 2\niadd r0.z, r0, l0.yyyy\n"
                   "endswitch\nmov o32, r0\n",
                   r, error, sizeof(error)));
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      unsigned n = lane & 3;
      assert_int_equal(r[0][lane], n == 0);
      assert_int_equal(r[1][lane], n != 2);
      assert_int_equal(r[2][lane], n == 2);
   }

   /* A loop that lanes leave at different times, by a break in a switch that is none of its own. */
   assert_true(run("mov r0, l0.xxxx\n"
                   "whileloop\n"
                   "ige r2.x, r0, r1\nbreak_logicalnz r2.x\n"
                   "iadd r0.x, r0, l0.yyyy\n"
                   "switch r0.x\ncase 3\nbreak\nendswitch\n"
                   "ieq r2.x, r0.x, l3.y\ncontinue_logicalnz r2.x\n"
                   "iadd r0.y, r0, l0.yyyy\n"
                   "endloop\nmov o32, r0\n",
                   r, error, sizeof(error)));
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      assert_int_equal(r[0][lane], lane);
      assert_int_equal(r[1][lane], lane - (lane >= 5));
   }

   /* A return out of a loop in a subroutine; its caller goes on, and returns early itself. */
   assert_true(run("mov r0, l0.xxxx\nmov o32, l0.wwww\n"
                   "call 7\n"
                   "iadd r0.y, r0, l0.yyyy\n"
                   "ieq r2.x, r1.x, l3.x\nif_logicalnz r2.x\nret_dyn\nendif\n"
                   "mov o32, r0\nendmain\n"
                   "func 7\n"
                   "whileloop\nieq r2.x, r0.x, r1.x\nif_logicalnz r2.x\nret_dyn\nendif\n"
                   "iadd r0.x, r0, l0.yyyy\nendloop\nret\nendfunc\n",
                   r, error, sizeof(error)));
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      assert_int_equal(r[0][lane], lane == 4 ? 3 : lane);
      assert_int_equal(r[1][lane], lane == 4 ? 3 : 1);
   }

   /* Calls within calls: the 33rd is skipped. */
   assert_true(run("mov r0, l0.xxxx\ncall 1\nmov o32, r0\nendmain\n"
                   "func 1\niadd r0.x, r0, l0.yyyy\ncall 1\nret\nendfunc\n",
                   r, error, sizeof(error)));
   assert_int_equal(r[0][0], 32);
}

/* What is not executed says so. */
static void
refusals(void **unused)
{
   wave_lane r[4];
   char error[256];
   (void)unused;

   assert_false(run("noise_type(perlin1D) r0, l0\nmov o32, r0\n", r, error, sizeof(error)));
   assert_non_null(strstr(error, "no algorithm"));
   assert_non_null(strstr(error, "noise"));
   /* numbered as in the whole program, after the ten instructions that run() puts in front */
   assert_false(run("call 9\nendmain\n", r, error, sizeof(error)));
   assert_non_null(strstr(error, "label 9"));
   assert_non_null(strstr(error, "(call at instruction 10)"));
   assert_false(run("lrp r0, l0, l0, l0\nnoise_type(perlin1D) r0, l0\n", r, error, sizeof(error)));
   assert_non_null(strstr(error, "(noise at instruction 11)"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(floats),     cmocka_unit_test(integers),
      cmocka_unit_test(wide),       cmocka_unit_test(arrays),
      cmocka_unit_test(flow),       cmocka_unit_test(refusals),
      cmocka_unit_test(named_only), cmocka_unit_test(inverse_functions),
      cmocka_unit_test(macros),     cmocka_unit_test(ballots),
   };
   state = semantic_new();
   int failed = cmocka_run_group_tests(tests, NULL, NULL);
   free(state);
   return failed;
}
