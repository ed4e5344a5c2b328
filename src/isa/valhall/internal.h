/* SPDX-License-Identifier: MIT */
/*
 * What the files of the Valhall library share.
 */
#ifndef VALHALL_INTERNAL_H
#define VALHALL_INTERNAL_H

#include "valhall.h"

/* Bits of source n: negation, and absolute value above it; inversion of source 2. */
#define VALHALL_NEG_BIT(n) (34 + 2 * (2 - (n)))
#define VALHALL_NOT_BIT    35

/* Where a row keeps a set of staging registers. */
struct valhall_staging {
   uint8_t reg_lo;   /* of the first register, 6 bits */
   uint8_t count_lo; /* of their number, 3 bits */
   uint8_t bias;     /* what the number is stored less by */
   bool written;
};

/* The set that operand n is; n below valhall_num_staging(). */
struct valhall_staging valhall_staging(const struct valhall_info *info, unsigned n);

/* The row of a word, or VALHALL_OP_COUNT. */
unsigned valhall_find(uint64_t word);
bool valhall_has_opcode(unsigned opcode);

/* The first constant of the same value. */
unsigned valhall_constant_first(unsigned index);

/* The enum of the special values of a page; VALHALL_ENUM_FLAG: the page has none. */
unsigned valhall_page_enum(unsigned page);

/* How many staging registers operand n must have, at least and at most.  False: any. */
bool valhall_wanted_registers(const struct valhall_instr *instr, unsigned n, unsigned *least,
                              unsigned *most);

#endif /* VALHALL_INTERNAL_H */
