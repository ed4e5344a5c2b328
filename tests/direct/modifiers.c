/* SPDX-License-Identifier: MIT */
/*
 * Modifiers of sources: each one, and some on top of each other, on operands of each type, executed
 * directly and as Cayman's, Valhall's and ATTILA's code.  What each gives is worked out here: what
 * Table 2.10 of the document has for the type in its order (2.2.7), and nothing else.
 */
#include "case.h"
#include "wave.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define OPERANDS 6 /* of a program: cb0[0] to cb0[5], results in o0 to o5 */
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum machines { CAYMAN = 1, VALHALL = 2, ATTILA = 4, ALL = 7 };

/* Operations that give their operand.  l0 is 0, -0.0, 1.0, all ones; l1 the least integer, 1. */
static const struct {
   const char *before, *after; /* the operand */
   enum il_type type;
   unsigned targets;
} operations[] = {
   { "mov r0, ", "", IL_TYPE_FLOAT, ALL },
   { "add r0, ", ", l0.y", IL_TYPE_FLOAT, ALL },
   { "mul_ieee r0, l0.z, ", "", IL_TYPE_FLOAT, ALL },
   { "sub r0, ", ", l0.x", IL_TYPE_FLOAT, ALL },
   { "cmov_logical r0, l0.w, ", ", r0", IL_TYPE_FLOAT, ALL },
   { "invariant_move r0, ", "", IL_TYPE_FLOAT, ALL },
   { "iadd r0, ", ", l0.x", IL_TYPE_INT, ALL },
   { "iadd r0, l0.x, ", "", IL_TYPE_INT, ALL },
   { "imax r0, ", ", l1.x", IL_TYPE_INT, CAYMAN | VALHALL },
   { "imad r0, ", ", l1.y, l0.x", IL_TYPE_INT, CAYMAN | VALHALL },
   { "umax r0, ", ", l0.x", IL_TYPE_UINT, CAYMAN | VALHALL },
   { "iand r0, ", ", l0.w", IL_TYPE_BITS, CAYMAN | VALHALL },
   { "ixor r0, l0.x, ", "", IL_TYPE_BITS, CAYMAN | VALHALL },
   { "ubit_insert r0, l0.x, l0.x, l0.x, ", "", IL_TYPE_BITS, CAYMAN | VALHALL },
   { "u64max r0, ", ", l0.x", IL_TYPE_UINT64, CAYMAN | VALHALL },
   { "i64add r0, ", ", l0.x", IL_TYPE_INT64, CAYMAN | VALHALL },
   { "dmov r0, ", "", IL_TYPE_DOUBLE, CAYMAN },
};

static const struct {
   const char *text;
   unsigned flags, neg, divcomp; /* neg: a bit of each component */
   bool whole;                   /* of 64-bit integers, too */
} modifiers[] = {
   { "", 0, 0, 0, true },
   { "_invert", IL_SRC_INVERT, 0, 0, true },
   { "_bias", IL_SRC_BIAS, 0, 0, true },
   { "_x2", IL_SRC_X2, 0, 0, true },
   { "_bx2", IL_SRC_BIAS | IL_SRC_X2, 0, 0, true },
   { "_sign", IL_SRC_SIGN, 0, 0, true },
   { "_abs", IL_SRC_ABS, 0, 0, true },
   { "_clamp", IL_SRC_CLAMP, 0, 0, true },
   { "_neg(xyzw)", 0, 15, 0, true },
   { "_neg(yw)", 0, 10, 0, false },
   { "_neg(xz)", 0, 5, 0, false },
   { "_divcomp(y)", 0, 0, IL_DIVCOMP_Y, true },
   { "_divcomp(z)", 0, 0, IL_DIVCOMP_Z, true },
   { "_divcomp(w)", 0, 0, IL_DIVCOMP_W, true },
   { "_abs_neg(xyzw)", IL_SRC_ABS, 15, 0, true },
   { "_abs_neg(y)_clamp", IL_SRC_ABS | IL_SRC_CLAMP, 2, 0, false },
   { "_neg(xyzw)_clamp", IL_SRC_CLAMP, 15, 0, true },
   { "_invert_bx2_sign_divcomp(w)_abs_neg(xyzw)_clamp", 0x3f, 15, IL_DIVCOMP_W, true },
   { "_bx2_divcomp(z)_neg(xyzw)", IL_SRC_BIAS | IL_SRC_X2, 15, IL_DIVCOMP_Z, true },
};

static const uint32_t patterns[][4] = {
   { 0x3f800000, 0x40000000, 0x3f000000, 0x40800000 }, /* 1, 2, 0.5, 4 */
   { 0xc0a00000, 0x3fc00000, 0xbf800000, 0x80000000 }, /* -5, 1.5, -1, -0 */
   { 0xbf400000, 0x3e800000, 0x00000000, 0xc0000000 }, /* -0.75, 0.25, 0, -2 */
   { 0x7f800000, 0xff800000, 0x41000000, 0xbf000000 }, /* infinities, 8, -0.5 */
   { 0x7fc00000, 0xc2f60000, 0x44000000, 0x3d800000 }, /* NaN, -123, 512, 0.0625 */
   { 0x7149f2ca, 0x42280000, 0xbe000000, 0x00000000 }, /* 1e30, 42, -0.125, 0 */
};

static uint32_t
bits_of(float f)
{
   uint32_t v;
   memcpy(&v, &f, 4);
   return v;
}

static float
float_of(uint32_t v)
{
   float f;
   memcpy(&f, &v, 4);
   return f;
}

static float
scaled(uint32_t v, unsigned flags)
{
   float x = float_of(v);

   if (flags & IL_SRC_INVERT)
      x = 1.0f - x;
   if (flags & IL_SRC_BIAS)
      x = x - 0.5f;
   if (flags & IL_SRC_X2)
      x = 2.0f * x;
   return !(flags & IL_SRC_SIGN) ? x : x < 0 ? -1.0f : x == 0 ? 0.0f : 1.0f;
}

static uint32_t
float_result(const uint32_t v[4], unsigned m, unsigned c)
{
   const unsigned flags = modifiers[m].flags, by = modifiers[m].divcomp;
   uint32_t r = v[c];

   if (flags & (IL_SRC_INVERT | IL_SRC_BIAS | IL_SRC_X2 | IL_SRC_SIGN))
      r = bits_of(scaled(v[c], flags));
   if (by && c < by) {
      const float a = float_of(r), b = scaled(v[by], flags);
      r = b == 0 ? (a < 0 ? 0xff7fffff : 0x7f7fffff) : bits_of(a * (1 / b));
   }
   if (flags & IL_SRC_ABS)
      r &= 0x7fffffff;
   if (modifiers[m].neg >> c & 1)
      r ^= 0x80000000;
   if (flags & IL_SRC_CLAMP) {
      const float x = float_of(r);
      r = x >= 1 ? 0x3f800000 : x > 0 ? r : 0;
   }
   return r;
}

static uint32_t
result(enum il_type type, const uint32_t v[4], unsigned m, unsigned c)
{
   const bool neg = modifiers[m].neg >> c & 1;
   uint64_t pair = (uint64_t)v[1] << 32 | v[0];

   switch (type) {
   case IL_TYPE_FLOAT:
      return float_result(v, m, c);
   case IL_TYPE_INT:
   case IL_TYPE_UINT:
      return neg ? 0 - v[c] : v[c];
   case IL_TYPE_DOUBLE: /* the sign bit of the high dword */
      if (modifiers[m].flags & IL_SRC_ABS)
         pair &= ~(UINT64_C(1) << 63);
      pair ^= (uint64_t)(modifiers[m].neg >> 1 & 1) << 63;
      return (uint32_t)(pair >> 32 * (c & 1));
   case IL_TYPE_INT64:
   case IL_TYPE_UINT64:
      pair = neg ? 0 - pair : pair;
      return (uint32_t)(pair >> 32 * (c & 1));
   default:
      return v[c];
   }
}

static bool
is_same(enum il_type type, uint32_t is, uint32_t should)
{
   return is == should || (type == IL_TYPE_FLOAT && isnan(float_of(is)) && isnan(float_of(should)));
}

static struct il_program *
make(unsigned op, unsigned m)
{
   char text[4096];
   struct il_error err;
   int n = snprintf(text, sizeof(text),
                    "il_ps_2_0\ndcl_cb cb0[24]\ndcl_literal l0, 0, 0x80000000, 1.0, -1\n"
                    "dcl_literal l1, 0x80000000, 1, 0, 0\nmov r0, l0.x\n");

   for (unsigned k = 0; k < OPERANDS; k++)
      n += snprintf(text + n, sizeof(text) - (size_t)n,
                    "dcl_output_usage(generic) o%u\nmov r1, cb0[%u]\n%sr1%s%s\nmov o%u, r0\n", k, k,
                    operations[op].before, modifiers[m].text, operations[op].after, k);
   snprintf(text + n, sizeof(text) - (size_t)n, "end\n");
   struct il_program *p = il_parse(text, strlen(text), &err);
   if (!p)
      fail_msg("line %u: %s in\n%s", err.where, err.text, text);
   return p;
}

static void
each(void **state)
{
   static struct inputs in;
   static const struct {
      const char *name;
      unsigned target, flag;
   } targets[] = { { "Cayman", CAYMAN, 0 },
                   { "Valhall", VALHALL, CASE_VALHALL },
                   { "ATTILA", ATTILA, CASE_ATTILA } };
   char error[256];
   struct rng r = { 1 };
   unsigned wrong = 0, ran = 0;

   (void)state;
   make_inputs(&in, &r);
   fit_inputs(&in);
   memset(&in.bound, 0, sizeof(in.bound));
   memset(&in.views, 0, sizeof(in.views));
   memcpy(in.constant, patterns, sizeof(patterns));
   for (unsigned n = 0; n < COUNT(operations) * COUNT(modifiers); n++) {
      const unsigned op = n / COUNT(modifiers), m = n % COUNT(modifiers);
      const enum il_type type = operations[op].type;

      if (!modifiers[m].whole && (type == IL_TYPE_INT64 || type == IL_TYPE_UINT64))
         continue;
      struct il_program *p = make(op, m);
      for (unsigned t = 0; t < COUNT(targets); t++) {
         for (unsigned flags = 0; flags < 4 && operations[op].targets & targets[t].target;
              flags++) {
            ran++;
            if (run_case(p, flags | targets[t].flag, 0, &in, error, sizeof(error)) == SAME)
               continue;
            print_message("%sr1%s%s, %s, flags %u: %s\n", operations[op].before, modifiers[m].text,
                          operations[op].after, targets[t].name, flags, error);
            wrong++;
         }
      }
      for (unsigned i = 0; i < OPERANDS * 4; i++) {
         const uint32_t is = wave_pixel(i / 4)[i % 4][5];
         const uint32_t should = result(type, patterns[i / 4], m, i % 4);
         if (!is_same(type, is, should)) {
            print_message("%sr1%s%s, operand %u.%c: %08x, not %08x\n", operations[op].before,
                          modifiers[m].text, operations[op].after, i / 4, "xyzw"[i % 4], is,
                          should);
            wrong++;
         }
      }
      il_program_free(p);
   }
   print_message("%u runs\n", ran);
   assert_int_equal(wrong, 0);
}

/* An index is what its register has, in an operation on floats as in one on integers. */
static void
indices(void **state)
{
   static const char *const lines[] = { "mov o0, cb0[r1.x_neg(xyzw)_x2+1]\n",
                                        "iadd o0, cb0[r1.x_neg(xyzw)_abs+1], l0.x\n" };
   static const unsigned flags[] = { 0, CASE_VALHALL, CASE_ATTILA };
   static struct inputs in;
   struct rng r = { 1 };
   char text[512], error[256];
   struct il_error err;

   (void)state;
   make_inputs(&in, &r);
   fit_inputs(&in);
   memset(&in.bound, 0, sizeof(in.bound));
   memcpy(in.constant, patterns, sizeof(patterns));
   for (unsigned n = 0; n < COUNT(lines); n++) {
      snprintf(text, sizeof(text),
               "il_ps_2_0\ndcl_cb cb0[24]\ndcl_output_usage(generic) o0\n"
               "dcl_literal l0, 0, 2, 0, 0\nmov r1, l0.y\n%send\n",
               lines[n]);
      struct il_program *p = il_parse(text, strlen(text), &err);
      if (!p)
         fail_msg("line %u: %s in\n%s", err.where, err.text, text);
      for (unsigned t = 0; t < COUNT(flags); t++)
         if (run_case(p, flags[t], 0, &in, error, sizeof(error)) != SAME)
            fail_msg("%s: %s", lines[n], error);
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(wave_pixel(0)[c][5], patterns[3][c]);
      il_program_free(p);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(each), cmocka_unit_test(indices) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
