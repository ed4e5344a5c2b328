/* SPDX-License-Identifier: MIT */
/*
 * atoll-dis --isa r600.  check_isa_words() checks that words have a text that gives them back, and
 * that the validator says why it refuses any.
 */
#include "isa_checks.h"

FUZZ_ENTRY(r600_words)
{
   check_isa_bytes(&isa_r600, data, size);
   return 0;
}
