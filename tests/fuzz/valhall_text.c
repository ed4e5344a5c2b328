/* SPDX-License-Identifier: MIT */
/* atoll-as --isa valhall. */
#include "isa_checks.h"

FUZZ_ENTRY(valhall_text)
{
   check_isa_text(&isa_valhall, (const char *)data, size);
   return 0;
}
