/* SPDX-License-Identifier: MIT */
/*
 * atoll-dis --isa r600: words that evergreen_words.c has of a later chip.
 */
#include "isa_checks.h"

FUZZ_ENTRY(r600_words)
{
   check_isa_bytes(&isa_r600, data, size);
   return 0;
}
