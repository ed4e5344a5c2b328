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

#endif
