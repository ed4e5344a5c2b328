/* SPDX-License-Identifier: MIT */
/*
 * Operations on what the waves of a work group share (struct core_group).
 *
 * LDS and GDS know the same operations (HD 6900 ISA 8.6, 9.6).  Addresses are bytes; a dword's low
 * two bits are ignored.  Writes beyond the end are dropped, reads there give zero.
 */
#ifndef ATOLL_SQ_SHARE_H
#define ATOLL_SQ_SHARE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "isa/cayman/cayman.h"

static inline uint32_t
sq_share_load(const uint8_t *mem, uint32_t bytes, uint32_t at)
{
   uint32_t v = 0;
   at &= ~3u;
   if (at < bytes && bytes - at >= 4)
      memcpy(&v, mem + at, 4);
   return v;
}

static inline void
sq_share_store(uint8_t *mem, uint32_t bytes, uint32_t at, uint32_t v)
{
   at &= ~3u;
   if (at < bytes && bytes - at >= 4)
      memcpy(mem + at, &v, 4);
}

/* The new value of a dword under an operation that reads and writes one dword; `op` is an
 * enum cayman_lds_op below BYTE_WRITE, without the bit of the returning forms (32). */
static inline uint32_t
sq_atomic(unsigned op, uint32_t old, uint32_t a, uint32_t b)
{
   switch (op) {
   case CAYMAN_LDS_ADD:
      return old + a;
   case CAYMAN_LDS_SUB:
      return old - a;
   case CAYMAN_LDS_RSUB:
      return a - old;
   case CAYMAN_LDS_INC:
      return old >= a ? 0 : old + 1;
   case CAYMAN_LDS_DEC:
      return old == 0 || old > a ? a : old - 1;
   case CAYMAN_LDS_MIN_INT:
      return (int32_t)old < (int32_t)a ? old : a;
   case CAYMAN_LDS_MAX_INT:
      return (int32_t)old > (int32_t)a ? old : a;
   case CAYMAN_LDS_MIN_UINT:
      return old < a ? old : a;
   case CAYMAN_LDS_MAX_UINT:
      return old > a ? old : a;
   case CAYMAN_LDS_AND:
      return old & a;
   case CAYMAN_LDS_OR:
      return old | a;
   case CAYMAN_LDS_XOR:
      return old ^ a;
   case CAYMAN_LDS_MSKOR:
      return (old & ~a) | b;
   case CAYMAN_LDS_WRITE:
      return a;
   case CAYMAN_LDS_CMP_STORE:
      return old == a ? b : old;
   case CAYMAN_LDS_CMP_STORE_SPF: {
      /* As floats, in integers: the wave's denormal mode has no part in it. */
      bool zeros = !((old | a) << 1), number = (old & 0x7fffffffu) <= 0x7f800000u;
      return zeros || (old == a && number) ? b : old;
   }
   default:
      return old;
   }
}

/* Whether operations of this kind, returning nothing, leave the same in any order. */
static inline bool
sq_share_commutes(unsigned op)
{
   switch (op) {
   case CAYMAN_LDS_ADD:
   case CAYMAN_LDS_SUB:
   case CAYMAN_LDS_MIN_INT:
   case CAYMAN_LDS_MAX_INT:
   case CAYMAN_LDS_MIN_UINT:
   case CAYMAN_LDS_MAX_UINT:
   case CAYMAN_LDS_AND:
   case CAYMAN_LDS_OR:
   case CAYMAN_LDS_XOR:
      return true;
   default:
      return false;
   }
}

/* Such an operation, while other workers do the same. */
static inline void
sq_share_together(uint8_t *mem, uint32_t bytes, unsigned op, uint32_t at, uint32_t a)
{
   at &= ~3u;
   if (at >= bytes || bytes - at < 4)
      return;
   uint32_t *dword = (uint32_t *)(void *)(mem + at), old = __atomic_load_n(dword, __ATOMIC_RELAXED);
   while (!__atomic_compare_exchange_n(dword, &old, sq_atomic(op, old, a, 0), true,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
   }
}

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
      out[0] = sq_share_load(mem, bytes, a);
      out[1] = sq_share_load(mem, bytes, second);
      sq_share_store(mem, bytes, a, s[1]);
      sq_share_store(mem, bytes, second, s[2]);
      break;
   case CAYMAN_LDS_READ_RET:
      out[0] = sq_share_load(mem, bytes, a);
      break;
   case CAYMAN_LDS_READ_REL_RET:
      out[0] = sq_share_load(mem, bytes, a);
      out[1] = sq_share_load(mem, bytes, a + offset * 4);
      break;
   case CAYMAN_LDS_READ2_RET:
      out[0] = sq_share_load(mem, bytes, a);
      out[1] = sq_share_load(mem, bytes, s[1]);
      break;
   case CAYMAN_LDS_READWRITE_RET:
      out[0] = sq_share_load(mem, bytes, a);
      sq_share_store(mem, bytes, s[1], s[2]);
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
      out[0] = sq_share_load(mem, bytes, a);
      if ((op & 31) <= CAYMAN_LDS_CMP_STORE_SPF)
         sq_share_store(mem, bytes, a, sq_atomic(op & 31, out[0], s[1], s[2]));
      break;
   }
}

#endif
