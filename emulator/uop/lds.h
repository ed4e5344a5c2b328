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

/* Tells an observer of an operation of a lane. */
static inline void
uop_tell_share(const struct exec *x, enum core_memory memory, unsigned op, bool returns,
               uint32_t offset, unsigned lane, const uint32_t s[3])
{
   struct core_share_access a[2];
   const unsigned count = core_share_accesses(op, returns, offset, s, a);

   for (unsigned n = 0; n < count; n++)
      uop_tell(x, memory, 0, (a[n].reads ? CORE_READS : 0u) | (a[n].writes ? CORE_WRITES : 0u),
               lane, a[n].at, a[n].bytes);
}

#endif
