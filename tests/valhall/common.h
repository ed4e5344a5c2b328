/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the Valhall library share.
 */
#ifndef TESTS_VALHALL_COMMON_H
#define TESTS_VALHALL_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/valhall/valhall.h"

/* splitmix64 */
static inline uint64_t
random_next(uint64_t *state)
{
   uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

/* A random word of the row: the opcode's bits, and random ones where the row has fields. */
static inline uint64_t
random_word(const struct valhall_info *info, uint64_t *state)
{
   uint64_t bits = random_next(state);
   /* Flows and pages that decode most of the time, and the bits that a shape demands. */
   uint64_t word = (bits & info->fields & ~info->mask) | info->match;
   word &= ~(UINT64_C(0x3f) << 57);
   word |= (random_next(state) % 11) << 59;
   if (bits & 1)
      word |= (random_next(state) & 3) << 57;
   switch (info->shape) {
   case VALHALL_SHAPE_NONE:
      word = (word & ~(UINT64_C(0xfe) << 40)) | UINT64_C(0xc0) << 40;
      break;
   case VALHALL_SHAPE_ATOMIC:
      word |= UINT64_C(0xc0) << 40;
      break;
   case VALHALL_SHAPE_READ:
      word = (word & ~(UINT64_C(0xc0) << 40)) | UINT64_C(0x40) << 40;
      break;
   case VALHALL_SHAPE_WRITE:
   case VALHALL_SHAPE_VARTEX:
      word = (word & ~(UINT64_C(0xc0) << 40)) | UINT64_C(0x80) << 40;
      break;
   default:
      break;
   }
   return word;
}

static inline void
assert_contains(const char *text, const char *part)
{
   if (!strstr(text, part))
      fail_msg("\"%s\" does not contain \"%s\"", text, part);
}

#endif /* TESTS_VALHALL_COMMON_H */
