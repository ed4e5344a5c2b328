/* SPDX-License-Identifier: MIT */
/*
 * The table of instruction sets; each row is in a file of its own.
 */
#include "backend.h"

#include <atoll/device.h>

#define ISA(NAME, name) extern const struct atoll_backend atoll_backend_##name;
#include <atoll/isas.def>

const struct atoll_backend *
atoll_backend(uint32_t isa)
{
   static const struct atoll_backend *const backends[] = {
#define ISA(NAME, name) [ATOLL_ISA_##NAME] = &atoll_backend_##name,
#include <atoll/isas.def>
   };

   return isa < sizeof(backends) / sizeof(backends[0]) ? backends[isa] : NULL;
}
