/* SPDX-License-Identifier: MIT */
/* What tests of the device with Valhall shader cores share: programs from text, and registers. */
#ifndef ATOLL_TEST_DEVICE_VALHALL_H
#define ATOLL_TEST_DEVICE_VALHALL_H

#include <stdlib.h>

#include "isa/valhall/valhall.h"
#include "state.h"

/* Puts a program there. */
static inline void
place(struct door *d, uint32_t at, const char *text)
{
   struct isa_error error;
   size_t count;
   uint64_t *words = valhall_assemble(text, strlen(text), &count, &error);

   if (!words)
      fail_msg("line %u: %s", error.line, error.text);
   memcpy((uint8_t *)d->mem + at, words, count * 8);
   free(words);
}

static inline void
program(struct ib *ib, uint32_t start, uint32_t resources, uint32_t at)
{
   context(ib, start, (uint32_t)((VA_BASE + at) >> 8));
   context(ib, resources, REG_FIELD(SQ_PGM_RESOURCES_VS, NUM_GPRS, 64));
   context(ib, resources + 4,
           REG_FIELD(SQ_PGM_RESOURCES_2_VS, ALLOW_SINGLE_DENORM_IN, 1) |
              REG_FIELD(SQ_PGM_RESOURCES_2_VS, ALLOW_DOUBLE_DENORM_IN, 1));
}

#endif
