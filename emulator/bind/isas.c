/* SPDX-License-Identifier: MIT */
/*
 * The binder of each instruction set.
 */
#include <atoll/device.h>

#include "bind/binder.h"

#define ISA(NAME, name) extern const struct binder binder_##name;
#define STOCK_ISA       ISA
#include <atoll/isas.def>

const struct binder *
binder_of(unsigned isa)
{
   static const struct binder *const all[] = {
#define ISA(NAME, name) [ATOLL_ISA_##NAME] = &binder_##name,
#define STOCK_ISA       ISA
#include <atoll/isas.def>
   };

   return isa < sizeof(all) / sizeof(*all) ? all[isa] : NULL;
}
