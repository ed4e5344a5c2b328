/* SPDX-License-Identifier: MIT */
/* atoll-dis --isa valhall. */
#include "isa_checks.h"

FUZZ_ENTRY(valhall_words)
{
   check_isa_bytes(&isa_valhall, data, size);
   return 0;
}
