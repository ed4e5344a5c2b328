/* SPDX-License-Identifier: MIT */
/* atoll-dis --isa evergreen. */
#include "isa_checks.h"

FUZZ_ENTRY(evergreen_words)
{
   check_isa_bytes(&isa_evergreen, data, size);
   return 0;
}
