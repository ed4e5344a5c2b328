/* SPDX-License-Identifier: MIT */
/*
 * atoll-dis --isa r700: words that evergreen_words.c has of a later chip.
 */
#include "isa_checks.h"

FUZZ_ENTRY(r700_words)
{
   check_isa_bytes(&isa_r700, data, size);
   return 0;
}
