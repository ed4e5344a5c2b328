/* SPDX-License-Identifier: MIT */
/*
 * Cayman's numbers as those of micro-operations and of shared memory: what lifting maps.
 */
#ifndef ATOLL_SQ_NUMBERS_H
#define ATOLL_SQ_NUMBERS_H

#include "core/share.h"
#include "isa/cayman/cayman.h"
#include "uop/uop.h"

/* EXECUTE_MASK_OP, a field of two bits */
static inline enum uop_fail
sq_fail(unsigned op)
{
   return op == CAYMAN_EXECUTE_MASK_DEACTIVATE ? UOP_FAIL_DEACTIVATE
          : op == CAYMAN_EXECUTE_MASK_BREAK    ? UOP_FAIL_BREAK
          : op == CAYMAN_EXECUTE_MASK_CONTINUE ? UOP_FAIL_CONTINUE
                                               : UOP_FAIL_KILL;
}

/* CF_INDEX_MODE */
static inline enum uop_index
sq_index(unsigned mode)
{
   return mode == CAYMAN_CF_INDEX_0   ? UOP_INDEX_0
          : mode == CAYMAN_CF_INDEX_1 ? UOP_INDEX_1
                                      : UOP_INDEX_NONE;
}

/* The destination of MOVA_INT; the program counter cannot be written. */
static inline enum uop_address
sq_address(unsigned to)
{
   switch (to) {
   case CAYMAN_MOVA_AR_X:
      return UOP_ADDRESS_REGISTER;
   case CAYMAN_MOVA_CF_IDX0:
      return UOP_ADDRESS_INDEX_0;
   case CAYMAN_MOVA_CF_IDX1:
      return UOP_ADDRESS_INDEX_1;
   case CAYMAN_MOVA_CLAUSE_GLOBAL_0:
   case CAYMAN_MOVA_CLAUSE_GLOBAL_0 + 1:
   case CAYMAN_MOVA_CLAUSE_GLOBAL_0 + 2:
   case CAYMAN_MOVA_CLAUSE_GLOBAL_0 + 3:
      return (enum uop_address)(UOP_ADDRESS_GLOBAL_BYTE_0 + to - CAYMAN_MOVA_CLAUSE_GLOBAL_0);
   default:
      return UOP_ADDRESS_NONE;
   }
}

/* An ALU source that is state of the wave; UOP_SPECIAL_COUNT: it is not. */
static inline enum uop_special_source
sq_special(unsigned sel)
{
   switch (sel) {
   case CAYMAN_SRC_CLAUSE_GLOBAL:
      return UOP_SPECIAL_CLAUSE_GLOBAL;
   case CAYMAN_SRC_TIME_HI:
      return UOP_SPECIAL_TIME_HI;
   case CAYMAN_SRC_TIME_LO:
      return UOP_SPECIAL_TIME_LO;
   case CAYMAN_SRC_MASK_HI:
      return UOP_SPECIAL_MASK_HI;
   case CAYMAN_SRC_MASK_LO:
      return UOP_SPECIAL_MASK_LO;
   case CAYMAN_SRC_LOOP_IDX:
      return UOP_SPECIAL_LOOP_INDEX;
   case CAYMAN_SRC_LDS_SIZE:
      return UOP_SPECIAL_LDS_SIZE;
   case CAYMAN_SRC_HW_WAVE_ID:
      return UOP_SPECIAL_WAVE_SLOT;
   case CAYMAN_SRC_WAVE_ID_IN_GRP:
      return UOP_SPECIAL_WAVE_IN_GROUP;
   case CAYMAN_SRC_NUM_THREADGRP_WAVES:
      return UOP_SPECIAL_WAVES_OF_GROUP;
   default:
      return UOP_SPECIAL_COUNT;
   }
}

/* Those of LDS and GDS, which are the same (HD 6900 ISA 8.6, 9.6), are core's where one dword is
 * read and written. */
#define SAME(mine, cores) \
   _Static_assert((unsigned)CAYMAN_LDS_##mine == (unsigned)CORE_ATOMIC_##cores, #mine)
SAME(ADD, ADD);
SAME(SUB, SUB);
SAME(RSUB, RSUB);
SAME(INC, INC);
SAME(DEC, DEC);
SAME(MIN_INT, MIN_INT);
SAME(MAX_INT, MAX_INT);
SAME(MIN_UINT, MIN_UINT);
SAME(MAX_UINT, MAX_UINT);
SAME(AND, AND);
SAME(OR, OR);
SAME(XOR, XOR);
SAME(MSKOR, MSKOR);
SAME(WRITE, EXCHANGE);
SAME(CMP_STORE, COMPARE);
SAME(CMP_STORE_SPF, COMPARE_FLOAT);
#undef SAME

/* The operation of an LDS or GDS opcode, `*offset` being IDX_OFFSET in dwords and becoming that of
 * the second dword in bytes. */
static inline enum core_share_op
sq_share_op(unsigned op, uint32_t *offset)
{
   switch (op) {
   case CAYMAN_LDS_WRITE2:
   case CAYMAN_LDS_XCHG2_RET:
      *offset *= 256;
      return CORE_SHARE_EXCHANGE_TWO;
   case CAYMAN_LDS_WRITE_REL:
   case CAYMAN_LDS_XCHG_REL_RET:
      *offset *= 4;
      return CORE_SHARE_EXCHANGE_TWO;
   case CAYMAN_LDS_READ_REL_RET:
      *offset *= 4;
      return CORE_SHARE_LOAD_TWO;
   case CAYMAN_LDS_READ2_RET:
      return CORE_SHARE_LOAD_BOTH;
   case CAYMAN_LDS_READWRITE_RET:
      return CORE_SHARE_LOAD_STORE;
   case CAYMAN_LDS_BYTE_WRITE:
      return CORE_SHARE_STORE_8;
   case CAYMAN_LDS_SHORT_WRITE:
      return CORE_SHARE_STORE_16;
   case CAYMAN_LDS_BYTE_READ_RET:
      return CORE_SHARE_LOAD_S8;
   case CAYMAN_LDS_UBYTE_READ_RET:
      return CORE_SHARE_LOAD_U8;
   case CAYMAN_LDS_SHORT_READ_RET:
      return CORE_SHARE_LOAD_S16;
   case CAYMAN_LDS_USHORT_READ_RET:
      return CORE_SHARE_LOAD_U16;
   default:
      /* 32 more: the same, and what was there is the result. */
      return (op & 31) <= CAYMAN_LDS_CMP_STORE_SPF ? (enum core_share_op)(op & 31)
                                                   : CORE_SHARE_LOAD;
   }
}

#endif
