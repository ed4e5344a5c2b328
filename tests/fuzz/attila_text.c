/* SPDX-License-Identifier: MIT */
/* atoll-as --isa attila. */
#include "isa_checks.h"

FUZZ_ENTRY(attila_text)
{
   check_isa_text(&isa_attila, (const char *)data, size);
   return 0;
}
