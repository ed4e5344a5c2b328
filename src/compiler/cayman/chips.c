/* SPDX-License-Identifier: MIT */
/*
 * The chips that the compiler has code for, a row each.
 */
#include "ir.h"

const struct cc_chip cc_chips[CAYMAN_VLIWS] = {
   [CAYMAN_VLIW4] = {
      .vliw = CAYMAN_VLIW4,
      .num_slots = 4,
      .doubles = true,
      .compared = 2,
      .gathered = { 0, 1, 2, 3 },
   },
   [CAYMAN_VLIW5] = {
      .vliw = CAYMAN_VLIW5,
      .num_slots = 5,
      .index_from_ar = true,
      .clauses_leave = true,
      .push_apart = true,
      .last_ends = true,
      .mega_fetches = true,
      .compared = 3,
      .gathered = { 1, 2, 0, 3 },
   },
};
