/* SPDX-License-Identifier: MIT */
/*
 * One fragment of IL a program, compiled and executed on the device's shader core, against a
 * formula: bit for bit where the result is defined to the bit, within a bound where it is an
 * approximation. Operands are special values of floats, integers and doubles, 64 lanes a run, over
 * several runs.
 */
#ifndef CASE_H
#define CASE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "il/conventions.h"

/** The expected r0 for the vectors in r1, r2 and r3; `want` comes in as the first of them. */
typedef void formula(const uint32_t v[3][4], uint32_t want[4]);

struct kase {
   const char *text; /* from r1, r2 and r3 to r0, which begins as r1 */
   formula *want;
   unsigned mask;   /* components that are compared */
   float tolerance; /* 0: bit for bit; else relative, and absolute below 1 */
};

enum values { FLOATS, MODERATE, INTEGERS, DOUBLES, WIDE_INTEGERS };

/** Constant buffers 0 to 2 of the programs. */
extern uint32_t case_constants[3][16][4];
/** Driver constants. */
extern uint32_t case_driver[IL_DRV_SIZE][4];

/** Compile and run each case, with every set of flags, on operands of these kinds.  `before` stands
 *  in front of the program (macros), or is "". */
void run_cases(const char *before, const struct kase *cases, unsigned count, enum values a,
               enum values b, enum values c, unsigned runs);

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/** All components alike. */
#define ALL_OF(want, value) want[0] = want[1] = want[2] = want[3] = (value);

/* --- floats as the device has them: denormals flushed, one NaN ------------------------------- */

static inline float
as_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

static inline uint32_t
bits_of(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return u;
}

static inline float
in(uint32_t u)
{
   return as_float(u & 0x7f800000 ? u : u & 0x80000000);
}

static inline uint32_t
out(float f)
{
   uint32_t u = bits_of(f);
   return f != f ? 0x7fc00000 : u & 0x7f800000 ? u : u & 0x80000000;
}

/* What is tiny after rounding to 24 bits, not what is a denormal then, is flushed. */
static inline float
mul(float a, float b)
{
   double p = (double)a * b;
   if (fabs(p) < 0x1p-100 && fabsf((float)(p * 0x1p64)) < 0x1p-62f)
      return copysignf(0, (float)copysign(1, p));
   return in(out(a * b));
}

static inline float
add(float a, float b)
{
   return in(out(a + b));
}

static inline float
mad(float a, float b, float c)
{
   return add(mul(a, b), c);
}

static inline double
as_double(uint64_t u)
{
   double d;
   memcpy(&d, &u, 8);
   return d;
}

static inline uint64_t
double_bits(double d)
{
   uint64_t u;
   memcpy(&u, &d, 8);
   return d != d                      ? 0x7ff8000000000000ull
          : u & 0x7ff0000000000000ull ? u
                                      : u & 0x8000000000000000ull;
}

/* A double operand: denormals are zero. */
static inline double
wide(const uint32_t *v)
{
   return as_double(double_bits(as_double((uint64_t)v[1] << 32 | v[0])));
}

static inline uint64_t
both(const uint32_t *v)
{
   return (uint64_t)v[1] << 32 | v[0];
}

#endif /* CASE_H */
