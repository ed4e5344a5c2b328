/* SPDX-License-Identifier: MIT */
/*
 * atoll-as --isa r600.  check_isa_text() checks what must hold of a text, and of the words that it
 * assembles to.
 */
#include "isa_checks.h"

FUZZ_ENTRY(r600_text)
{
   check_isa_text(&isa_r600, (const char *)data, size);
   return 0;
}
