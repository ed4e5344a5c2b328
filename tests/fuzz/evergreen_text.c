/* SPDX-License-Identifier: MIT */
/*
 * atoll-as --isa evergreen.  check_isa_text() checks what must hold of a text, and of the words
 * that it assembles to.
 */
#include "isa_checks.h"

FUZZ_ENTRY(evergreen_text)
{
   check_isa_text(&isa_evergreen, (const char *)data, size);
   return 0;
}
