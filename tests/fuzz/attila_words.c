/* SPDX-License-Identifier: MIT */
/* atoll-dis --isa attila. */
#include "isa_checks.h"

FUZZ_ENTRY(attila_words)
{
   check_isa_bytes(&isa_attila, data, size);
   return 0;
}
