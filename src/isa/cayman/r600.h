/* SPDX-License-Identifier: MIT */
/*
 * The words of R600 and R700 as those of Evergreen, and back (r600.c).  Each function is total.
 */
#ifndef CAYMAN_R600_WORDS_H
#define CAYMAN_R600_WORDS_H

#include "cayman.h"

/** Control flow: the words in Evergreen's layout, but for CF_INST.  The instruction (enum
 *  cayman_cf_op), or CAYMAN_CF_OP_COUNT: the chip has none of this number. */
unsigned cayman_r600_read_cf(enum cayman_vliw vliw, const uint32_t words[2], uint32_t out[2]);

/** Makes the words of an instruction, that are Evergreen's, the chip's.  False: the chip cannot say
 *  it. */
bool cayman_r600_write_cf(enum cayman_vliw vliw, const struct cayman_cf *cf, uint32_t words[2]);

/** Word 1 of an ALU slot in Evergreen's layout, but for ALU_INST.  The operation (enum
 *  cayman_alu_op), or a number that none has. */
unsigned cayman_r600_read_alu(enum cayman_vliw vliw, uint32_t w1, uint32_t *out);

bool cayman_r600_write_alu(enum cayman_vliw vliw, const struct cayman_alu *alu, uint32_t *w1);

/** Whether the chip has the fetch of a number. */
bool cayman_r600_has_fetch(enum cayman_vliw vliw, unsigned inst);

#endif
