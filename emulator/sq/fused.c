/* SPDX-License-Identifier: MIT */
/*
 * Specialised forms: one to four equal operations of a group at once, operand kinds fixed, no
 * modifiers, no masks.
 */
#include "sq/uop.h"

uop_fn *
K(sq_fused_fn)(const struct uop *u, unsigned n)
{
   return NULL;
}
