/* SPDX-License-Identifier: MIT */
/* atoll-as --isa evergreen. */
#include "isa_checks.h"

FUZZ_ENTRY(evergreen_text)
{
   check_isa_text(&isa_evergreen, (const char *)data, size);
   return 0;
}
