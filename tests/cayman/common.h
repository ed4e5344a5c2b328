/* SPDX-License-Identifier: MIT */
/* What the tests of Cayman's machine code share: their headers, and random words. */
#ifndef TESTS_CAYMAN_COMMON_H
#define TESTS_CAYMAN_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/cayman/cayman.h"

static inline uint32_t
random_word(uint64_t *seed)
{
   *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(*seed >> 32) ^ (uint32_t)(*seed >> 13);
}

/* Encoder and decoder are inverse for an operation with random fields. */
static inline void
slot_is_inverse(enum cayman_vliw vliw, unsigned op, uint64_t *seed)
{
   const uint32_t low = random_word(seed), high = random_word(seed);
   const uint32_t in[2] = { low, op >= CAYMAN_OP3_BASE
                                    ? (high & ~(0x1fu << 13)) | (op - CAYMAN_OP3_BASE) << 13
                                    : (high & ~(0x7ffu << 7)) | op << 7 };
   uint32_t out[2];
   struct cayman_alu alu;

   assert_int_equal(cayman_decode_alu(vliw, in, &alu), CAYMAN_OK);
   assert_int_equal(alu.op, op);
   assert_int_equal(cayman_encode_alu(vliw, &alu, out), CAYMAN_OK);
   assert_int_equal(out[0], in[0]);
   assert_int_equal(out[1], in[1]);
}

#endif
