/* SPDX-License-Identifier: MIT */
/* Fields of descriptors, for tests that write them. */
#ifndef TESTS_CHIP_MALI_SET_H
#define TESTS_CHIP_MALI_SET_H

#include "chip/mali/mali.h"

static inline void
mali_set(uint32_t *words, enum mali_field field, uint64_t value)
{
   const unsigned word = field >> 16, start = field >> 8 & 0xff, bits = field & 0xff;

   if (bits > 32) {
      words[word] = (uint32_t)value;
      words[word + 1] = (uint32_t)(value >> 32);
      return;
   }
   words[word] &= ~(uint32_t)((UINT64_MAX >> (64 - bits)) << start);
   words[word] |= (uint32_t)(value << start);
}

#endif
