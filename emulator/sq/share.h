/* SPDX-License-Identifier: MIT */
/*
 * LDS and GDS operations: both know the same (HD 6900 ISA 8.6, 9.6), on core/share.h.
 */
#ifndef ATOLL_SQ_SHARE_H
#define ATOLL_SQ_SHARE_H

#include "core/share.h"
#include "isa/cayman/cayman.h"

/* The numbers of the instruction set are core's own. */
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

/* One lane's LDS or GDS operation: sources s, what the instruction returns in out (A, B).
 * `offset` is IDX_OFFSET in dwords. */
static inline void
sq_share_op(uint8_t *mem, uint32_t bytes, unsigned op, uint32_t offset, const uint32_t s[3],
            uint32_t out[2])
{
   uint32_t a = s[0], second;
   out[0] = out[1] = 0;
   switch (op) {
   case CAYMAN_LDS_WRITE_REL:
   case CAYMAN_LDS_WRITE2:
   case CAYMAN_LDS_XCHG_REL_RET:
   case CAYMAN_LDS_XCHG2_RET:
      second = a + offset * ((op & 31) == CAYMAN_LDS_WRITE2 ? 256 : 4);
      out[0] = core_share_load(mem, bytes, a);
      out[1] = core_share_load(mem, bytes, second);
      core_share_store(mem, bytes, a, s[1]);
      core_share_store(mem, bytes, second, s[2]);
      break;
   case CAYMAN_LDS_READ_RET:
      out[0] = core_share_load(mem, bytes, a);
      break;
   case CAYMAN_LDS_READ_REL_RET:
      out[0] = core_share_load(mem, bytes, a);
      out[1] = core_share_load(mem, bytes, a + offset * 4);
      break;
   case CAYMAN_LDS_READ2_RET:
      out[0] = core_share_load(mem, bytes, a);
      out[1] = core_share_load(mem, bytes, s[1]);
      break;
   case CAYMAN_LDS_READWRITE_RET:
      out[0] = core_share_load(mem, bytes, a);
      core_share_store(mem, bytes, s[1], s[2]);
      break;
   case CAYMAN_LDS_BYTE_WRITE:
      if (a < bytes)
         mem[a] = (uint8_t)s[1];
      break;
   case CAYMAN_LDS_SHORT_WRITE: {
      uint16_t v = (uint16_t)s[1];
      a &= ~1u;
      if (a < bytes && bytes - a >= 2)
         memcpy(mem + a, &v, 2);
      break;
   }
   case CAYMAN_LDS_BYTE_READ_RET:
      out[0] = a < bytes ? (uint32_t)(int8_t)mem[a] : 0;
      break;
   case CAYMAN_LDS_UBYTE_READ_RET:
      out[0] = a < bytes ? mem[a] : 0;
      break;
   case CAYMAN_LDS_SHORT_READ_RET:
   case CAYMAN_LDS_USHORT_READ_RET: {
      uint16_t v = 0;
      a &= ~1u;
      if (a < bytes && bytes - a >= 2)
         memcpy(&v, mem + a, 2);
      out[0] = op == CAYMAN_LDS_SHORT_READ_RET ? (uint32_t)(int16_t)v : v;
      break;
   }
   default:
      out[0] = core_share_load(mem, bytes, a);
      if ((op & 31) <= CAYMAN_LDS_CMP_STORE_SPF)
         core_share_store(mem, bytes, a, core_atomic(op & 31, out[0], s[1], s[2]));
      break;
   }
}

#endif
