/* SPDX-License-Identifier: MIT */
/*
 * The primitives of emulator/arith.h as functions on 64 values, one set per kernel build.
 */
#ifndef SQ_ARITH_KERNEL_H
#define SQ_ARITH_KERNEL_H

#include <stdint.h>

#include "core/core.h"

struct arith_case {
   const char *name;
   /** out = f(in, a rotation of in, another) under an MXCSR value. */
   void (*run)(const wave_lane in, wave_lane out, unsigned mode);
};

#define ARITH_MAX 32
extern const struct arith_case arith_cases_sse2[ARITH_MAX], arith_cases_avx2[ARITH_MAX],
   arith_cases_avx512[ARITH_MAX];

#endif
