/* SPDX-License-Identifier: MIT */
/*
 * Unsigned integers of 128 bits, in two words: 32-bit targets have no such type.  Shifts take any
 * count; what leaves at an end is lost, except where a name says otherwise.
 */
#ifndef ATOLL_UOP_U128_H
#define ATOLL_UOP_U128_H

#include <stdbool.h>
#include <stdint.h>

struct u128 {
   uint64_t hi, lo;
};

static inline struct u128
u128_from(uint64_t lo)
{
   return (struct u128){ 0, lo };
}

static inline bool
u128_is_zero(struct u128 v)
{
   return !(v.hi | v.lo);
}

/* Leading zeros; 128 of zero. */
static inline unsigned
u128_clz(struct u128 v)
{
   return v.hi   ? (unsigned)__builtin_clzll(v.hi)
          : v.lo ? 64 + (unsigned)__builtin_clzll(v.lo)
                 : 128;
}

/* -1, 0 or 1, as a is less than b, equal or greater. */
static inline int
u128_compare(struct u128 a, struct u128 b)
{
   return a.hi != b.hi ? (a.hi > b.hi) - (a.hi < b.hi) : (a.lo > b.lo) - (a.lo < b.lo);
}

static inline struct u128
u128_add(struct u128 a, struct u128 b)
{
   const uint64_t lo = a.lo + b.lo;
   return (struct u128){ a.hi + b.hi + (lo < a.lo), lo };
}

static inline struct u128
u128_sub(struct u128 a, struct u128 b)
{
   return (struct u128){ a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo };
}

/* The whole product. */
static inline struct u128
u128_multiply(uint64_t a, uint64_t b)
{
   const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
   const uint64_t low = a0 * b0, high = a1 * b1;
   const uint64_t one = a1 * b0 + (low >> 32); /* at most (2^32 - 1) * 2^32 */
   const uint64_t other = a0 * b1 + (uint32_t)one;

   return (struct u128){ high + (one >> 32) + (other >> 32), other << 32 | (uint32_t)low };
}

static inline struct u128
u128_left(struct u128 v, unsigned n)
{
   if (n >= 128)
      return u128_from(0);
   if (n >= 64)
      return (struct u128){ v.lo << (n - 64), 0 };
   return n ? (struct u128){ v.hi << n | v.lo >> (64 - n), v.lo << n } : v;
}

static inline struct u128
u128_right(struct u128 v, unsigned n)
{
   if (n >= 128)
      return u128_from(0);
   if (n >= 64)
      return u128_from(v.hi >> (n - 64));
   return n ? (struct u128){ v.hi >> n, v.lo >> n | v.hi << (64 - n) } : v;
}

/* The lowest n bits. */
static inline struct u128
u128_low(struct u128 v, unsigned n)
{
   return n >= 128 ? v : u128_sub(v, u128_left(u128_right(v, n), n));
}

/* To the right; of what is lost, any bit set sets the lowest one. */
static inline struct u128
u128_right_jam(struct u128 v, unsigned n)
{
   struct u128 kept = u128_right(v, n);
   kept.lo |= !u128_is_zero(u128_low(v, n));
   return kept;
}

#endif
