/* SPDX-License-Identifier: MIT */
/*
 * What operations on shared memory have alike: LDS and its output queue (lds.c), GDS and counters.
 * Kernels only.
 */
#ifndef ATOLL_UOP_LDS_H
#define ATOLL_UOP_LDS_H

#include "core/share.h"
#include "uop/tell.h"

#define OQ_MAX 64u /* entries of the LDS output queue */

/* Tells an observer of an operation of a lane on memory of `limit` bytes. */
static inline void
uop_tell_share(const struct exec *x, enum core_memory memory, uint64_t limit, unsigned op,
               bool returns, uint32_t offset, unsigned lane, const uint32_t s[3])
{
   struct core_share_access a[2];
   const unsigned count = core_share_accesses(op, returns, offset, s, a);

   for (unsigned n = 0; n < count; n++)
      uop_tell_access(
         x, &(struct core_access){
               .memory = (uint8_t)memory,
               .how = (uint8_t)((a[n].reads ? CORE_READS : 0u) | (a[n].writes ? CORE_WRITES : 0u)),
               .lane = (uint8_t)lane,
               .address = a[n].at,
               .bytes = a[n].bytes,
               .limit = limit,
               .value = op == CORE_SHARE_LOAD_STORE || n ? s[2] : s[1],
            });
}

#endif
