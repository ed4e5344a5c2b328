/* SPDX-License-Identifier: MIT */
/*
 * The columns of alu.def, which makes one operation of an instruction of IL.
 *
 * A target includes it as rows of struct il_alu, by IL's opcode, and numbers operations its own
 * way.  The result is one for each component or, of an opcode that reads w alone, for all.
 */
#ifndef IL_ALU_H
#define IL_ALU_H

#include "il/il.h"

/* By what an instruction says which of three operations it is. */
enum il_alu_by {
   IL_ALU_BY_NOTHING,
   IL_ALU_BY_IEEE,     /* whether 0 * infinity is NaN; it is not */
   IL_ALU_BY_ZEROOP,   /* what is made of zero: infinity, the largest float, 0 */
   IL_ALU_BY_FIRSTBIT, /* the lowest bit, the highest, the highest that is not the sign */
};

/* Which of the sources the operands are: A to D, or zero. */
enum { IL_ALU_A, IL_ALU_B, IL_ALU_C, IL_ALU_D, IL_ALU_ZERO, IL_ALU_SOURCES };
#define IL_ALU_ABC                 \
   {                               \
      IL_ALU_A, IL_ALU_B, IL_ALU_C \
   }
#define IL_ALU_ACB                 \
   {                               \
      IL_ALU_A, IL_ALU_C, IL_ALU_B \
   }
#define IL_ALU_BAC                 \
   {                               \
      IL_ALU_B, IL_ALU_A, IL_ALU_C \
   }
#define IL_ALU_CBA                 \
   {                               \
      IL_ALU_C, IL_ALU_B, IL_ALU_A \
   }
#define IL_ALU_ZAB                    \
   {                                  \
      IL_ALU_ZERO, IL_ALU_A, IL_ALU_B \
   }

struct il_alu {
   bool known;
   uint8_t by; /* enum il_alu_by */
   uint8_t operand[3];
   uint16_t op[3];
};

/** The target's operation for an instruction. */
static inline unsigned
il_alu_op(const struct il_alu *row, const struct il_inst *inst)
{
   unsigned n = 0;

   if (row->by == IL_ALU_BY_IEEE)
      n = !il_ieee(inst);
   else if (row->by == IL_ALU_BY_ZEROOP)
      n = il_zeroop(inst) == IL_ZEROOP_FLTMAX ? 1 : il_zeroop(inst) == IL_ZEROOP_0 ? 2 : 0;
   else if (row->by == IL_ALU_BY_FIRSTBIT)
      n = il_firstbit(inst) == IL_FIRSTBIT_TYPE_LOW_UINT    ? 0
          : il_firstbit(inst) == IL_FIRSTBIT_TYPE_HIGH_UINT ? 1
                                                            : 2;
   return row->op[n];
}

#endif
