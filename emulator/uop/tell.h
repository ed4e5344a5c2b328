/* SPDX-License-Identifier: MIT */
/*
 * What handlers tell an observer of memory.  Kernels only.
 */
#ifndef ATOLL_UOP_TELL_H
#define ATOLL_UOP_TELL_H

#include "core/core.h"
#include "uop/exec.h"

/* An access of a lane; x->watcher is not NULL. */
static inline void
uop_tell_access(const struct exec *x, const struct core_access *access)
{
   x->watcher->accessed(x->watcher->data, x->wave, access);
}

/* The same of which no more is known. */
static inline void
uop_tell(const struct exec *x, enum core_memory memory, uint32_t number, unsigned how,
         unsigned lane, uint64_t address, uint32_t bytes)
{
   const struct core_access access = { .memory = (uint8_t)memory,
                                       .how = (uint8_t)how,
                                       .lane = (uint8_t)lane,
                                       .number = number,
                                       .address = address,
                                       .bytes = bytes,
                                       .limit = CORE_NO_LIMIT };

   uop_tell_access(x, &access);
}

/* The same of lanes with 32-bit numbers: number * scale + offset is the address. */
static inline void
uop_tell_lanes(const struct exec *x, enum core_memory memory, uint32_t number, unsigned how,
               uint64_t lanes, const uint32_t *at, uint32_t scale, uint64_t offset, uint32_t bytes)
{
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);

      uop_tell(x, memory, number, how, lane, (uint64_t)at[lane] * scale + offset, bytes);
   }
}

/* Lookups of lanes in a texture. */
static inline void
uop_tell_texture(const struct exec *x, uint32_t number, uint64_t lanes)
{
   for (; x->watcher && lanes; lanes &= lanes - 1)
      uop_tell(x, CORE_MEMORY_TEXTURE, number, CORE_READS, (unsigned)__builtin_ctzll(lanes), 0, 0);
}

#endif
