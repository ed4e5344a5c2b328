/* SPDX-License-Identifier: MIT */
/*
 * atoll-as --isa r600: text that evergreen_text.c has of a later chip.
 */
#include "isa_checks.h"

FUZZ_ENTRY(r600_text)
{
   check_isa_text(&isa_r600, (const char *)data, size);
   return 0;
}
