/* SPDX-License-Identifier: MIT */
/*
 * Memory that waves share: local memory of a work group, the global data share, dwords of buffers.
 *
 * Addresses are bytes; the low two bits of a dword's are ignored.  Writes beyond the end are
 * dropped, reads there give zero.
 */
#ifndef ATOLL_CORE_SHARE_H
#define ATOLL_CORE_SHARE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t
core_share_load(const uint8_t *mem, uint32_t bytes, uint32_t at)
{
   uint32_t v = 0;
   at &= ~3u;
   if (at < bytes && bytes - at >= 4)
      memcpy(&v, mem + at, 4);
   return v;
}

static inline void
core_share_store(uint8_t *mem, uint32_t bytes, uint32_t at, uint32_t v)
{
   at &= ~3u;
   if (at < bytes && bytes - at >= 4)
      memcpy(mem + at, &v, 4);
}

/* Operations that read and write one dword. */
enum core_atomic {
   CORE_ATOMIC_ADD,
   CORE_ATOMIC_SUB,
   CORE_ATOMIC_RSUB,
   CORE_ATOMIC_INC, /* up to the operand, then zero */
   CORE_ATOMIC_DEC, /* from the operand down to zero, then again */
   CORE_ATOMIC_MIN_INT,
   CORE_ATOMIC_MAX_INT,
   CORE_ATOMIC_MIN_UINT,
   CORE_ATOMIC_MAX_UINT,
   CORE_ATOMIC_AND,
   CORE_ATOMIC_OR,
   CORE_ATOMIC_XOR,
   CORE_ATOMIC_MSKOR, /* clears the bits of a, sets those of b */
   CORE_ATOMIC_EXCHANGE,
   CORE_ATOMIC_COMPARE = 16, /* becomes b where it is a */
   CORE_ATOMIC_COMPARE_FLOAT,
   CORE_ATOMICS,
};

/* The new value of a dword; what is no operation changes nothing. */
static inline uint32_t
core_atomic(unsigned op, uint32_t old, uint32_t a, uint32_t b)
{
   switch (op) {
   case CORE_ATOMIC_ADD:
      return old + a;
   case CORE_ATOMIC_SUB:
      return old - a;
   case CORE_ATOMIC_RSUB:
      return a - old;
   case CORE_ATOMIC_INC:
      return old >= a ? 0 : old + 1;
   case CORE_ATOMIC_DEC:
      return old == 0 || old > a ? a : old - 1;
   case CORE_ATOMIC_MIN_INT:
      return (int32_t)old < (int32_t)a ? old : a;
   case CORE_ATOMIC_MAX_INT:
      return (int32_t)old > (int32_t)a ? old : a;
   case CORE_ATOMIC_MIN_UINT:
      return old < a ? old : a;
   case CORE_ATOMIC_MAX_UINT:
      return old > a ? old : a;
   case CORE_ATOMIC_AND:
      return old & a;
   case CORE_ATOMIC_OR:
      return old | a;
   case CORE_ATOMIC_XOR:
      return old ^ a;
   case CORE_ATOMIC_MSKOR:
      return (old & ~a) | b;
   case CORE_ATOMIC_EXCHANGE:
      return a;
   case CORE_ATOMIC_COMPARE:
      return old == a ? b : old;
   case CORE_ATOMIC_COMPARE_FLOAT: {
      /* In integers: the wave's denormal mode has no part in it. */
      bool zeros = !((old | a) << 1), number = (old & 0x7fffffffu) <= 0x7f800000u;
      return zeros || (old == a && number) ? b : old;
   }
   default:
      return old;
   }
}

/* Operations of a lane on shared memory.  Those below CORE_ATOMICS are enum core_atomic; others
 * have addresses and sizes of their own. */
enum core_share_op {
   CORE_SHARE_EXCHANGE_TWO = CORE_ATOMICS, /* the dwords at a and at a + offset */
   CORE_SHARE_LOAD,
   CORE_SHARE_LOAD_TWO,   /* at a and at a + offset */
   CORE_SHARE_LOAD_BOTH,  /* at a and at b */
   CORE_SHARE_LOAD_STORE, /* loads at a, stores c at b */
   CORE_SHARE_STORE_8,
   CORE_SHARE_STORE_16,
   CORE_SHARE_LOAD_S8,
   CORE_SHARE_LOAD_U8,
   CORE_SHARE_LOAD_S16,
   CORE_SHARE_LOAD_U16,
   CORE_SHARE_OPS,
};

/* How many operands it has, the address a among them. */
static inline unsigned
core_share_operands(unsigned op)
{
   switch (op) {
   case CORE_ATOMIC_MSKOR:
   case CORE_ATOMIC_COMPARE:
   case CORE_ATOMIC_COMPARE_FLOAT:
   case CORE_SHARE_EXCHANGE_TWO:
   case CORE_SHARE_LOAD_STORE:
      return 3;
   case CORE_SHARE_LOAD:
   case CORE_SHARE_LOAD_TWO:
   case CORE_SHARE_LOAD_S8:
   case CORE_SHARE_LOAD_U8:
   case CORE_SHARE_LOAD_S16:
   case CORE_SHARE_LOAD_U16:
      return 1;
   default:
      return 2;
   }
}

/* One lane's: s is a, b, c; `out` takes what was found, at a and, of two dwords, at the other. */
static inline void
core_share_op(uint8_t *mem, uint32_t bytes, unsigned op, uint32_t offset, const uint32_t s[3],
              uint32_t out[2])
{
   uint32_t a = s[0];
   uint16_t half = (uint16_t)s[1];

   out[0] = out[1] = 0;
   switch (op) {
   case CORE_SHARE_EXCHANGE_TWO:
      out[0] = core_share_load(mem, bytes, a);
      out[1] = core_share_load(mem, bytes, a + offset);
      core_share_store(mem, bytes, a, s[1]);
      core_share_store(mem, bytes, a + offset, s[2]);
      break;
   case CORE_SHARE_LOAD:
      out[0] = core_share_load(mem, bytes, a);
      break;
   case CORE_SHARE_LOAD_TWO:
      out[0] = core_share_load(mem, bytes, a);
      out[1] = core_share_load(mem, bytes, a + offset);
      break;
   case CORE_SHARE_LOAD_BOTH:
      out[0] = core_share_load(mem, bytes, a);
      out[1] = core_share_load(mem, bytes, s[1]);
      break;
   case CORE_SHARE_LOAD_STORE:
      out[0] = core_share_load(mem, bytes, a);
      core_share_store(mem, bytes, s[1], s[2]);
      break;
   case CORE_SHARE_STORE_8:
      if (a < bytes)
         mem[a] = (uint8_t)s[1];
      break;
   case CORE_SHARE_STORE_16:
      a &= ~1u;
      if (a < bytes && bytes - a >= 2)
         memcpy(mem + a, &half, 2);
      break;
   case CORE_SHARE_LOAD_S8:
      out[0] = a < bytes ? (uint32_t)(int8_t)mem[a] : 0;
      break;
   case CORE_SHARE_LOAD_U8:
      out[0] = a < bytes ? mem[a] : 0;
      break;
   case CORE_SHARE_LOAD_S16:
   case CORE_SHARE_LOAD_U16:
      half = 0;
      a &= ~1u;
      if (a < bytes && bytes - a >= 2)
         memcpy(&half, mem + a, 2);
      out[0] = op == CORE_SHARE_LOAD_S16 ? (uint32_t)(int16_t)half : half;
      break;
   default:
      out[0] = core_share_load(mem, bytes, a);
      core_share_store(mem, bytes, a, core_atomic(op, out[0], s[1], s[2]));
      break;
   }
}

/* What an operation reads and writes: at most two accesses, in `out`; how many.  `returns`: it
 * gives what it found, so that a plain store reads, too. */
struct core_share_access {
   uint32_t at;
   uint8_t bytes;
   bool reads, writes;
};

static inline unsigned
core_share_accesses(unsigned op, bool returns, uint32_t offset, const uint32_t s[3],
                    struct core_share_access out[2])
{
   const bool half =
      op == CORE_SHARE_STORE_16 || op == CORE_SHARE_LOAD_S16 || op == CORE_SHARE_LOAD_U16;
   const bool byte =
      op == CORE_SHARE_STORE_8 || op == CORE_SHARE_LOAD_S8 || op == CORE_SHARE_LOAD_U8;
   const uint32_t aligned = byte ? ~0u : half ? ~1u : ~3u;
   const bool store = op == CORE_ATOMIC_EXCHANGE || op == CORE_SHARE_EXCHANGE_TWO ||
                      op == CORE_SHARE_STORE_8 || op == CORE_SHARE_STORE_16;

   out[0] = out[1] = (struct core_share_access){
      .at = s[0] & aligned,
      .bytes = byte   ? 1
               : half ? 2
                      : 4,
      .reads = !store || returns,
      .writes = store || op < CORE_ATOMICS,
   };
   switch (op) {
   case CORE_SHARE_EXCHANGE_TWO:
   case CORE_SHARE_LOAD_TWO:
      out[1].at = (s[0] + offset) & ~3u;
      return 2;
   case CORE_SHARE_LOAD_BOTH:
      out[1].at = s[1] & ~3u;
      return 2;
   case CORE_SHARE_LOAD_STORE:
      out[1] = (struct core_share_access){ .at = s[1] & ~3u, .bytes = 4, .writes = true };
      return 2;
   default:
      return 1;
   }
}

/* Whether operations of this kind, returning nothing, leave the same in any order. */
static inline bool
core_atomic_commutes(unsigned op)
{
   switch (op) {
   case CORE_ATOMIC_ADD:
   case CORE_ATOMIC_SUB:
   case CORE_ATOMIC_MIN_INT:
   case CORE_ATOMIC_MAX_INT:
   case CORE_ATOMIC_MIN_UINT:
   case CORE_ATOMIC_MAX_UINT:
   case CORE_ATOMIC_AND:
   case CORE_ATOMIC_OR:
   case CORE_ATOMIC_XOR:
      return true;
   default:
      return false;
   }
}

/* One on a dword of memory that other workers may change: theirs and this one happen one by one.
 * What was there before. */
static inline uint32_t
core_atomic_at(uint32_t *dword, unsigned op, uint32_t a, uint32_t b)
{
   uint32_t old = __atomic_load_n(dword, __ATOMIC_RELAXED);

   while (!__atomic_compare_exchange_n(dword, &old, core_atomic(op, old, a, b), true,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      /* `old` is what was found. */
   }
   return old;
}

/* The same on a dword of shared memory, returning nothing. */
static inline void
core_share_together(uint8_t *mem, uint32_t bytes, unsigned op, uint32_t at, uint32_t a)
{
   at &= ~3u;
   if (at < bytes && bytes - at >= 4)
      core_atomic_at((uint32_t *)(void *)(mem + at), op, a, 0);
}

#endif
