/* SPDX-License-Identifier: MIT */
/*
 * Ring writes and emitted vertices (core/rings.h), and binds that read a launcher's ring.
 */
#include "core/rings.h"
#include "memory/pool.h"
#include "sq/engine.h"
#include "uop/tell.h"

extern const struct kernels K(kernels);

void
K(sq_ring_write)(struct exec *x, const struct sq_cf *cf)
{
   if (!x->wave->rings)
      return;
   unsigned n = cf->op == CAYMAN_CF_MEM_RING ? 0 : cf->op - CAYMAN_CF_MEM_RING1 + 1u;
   const struct core_ring *ring = &x->wave->rings->ring[n];
   if (!ring->base)
      return;
   bool indexed = cf->type == CAYMAN_MEM_WRITE_IND || cf->type == CAYMAN_MEM_WRITE_IND_ACK;
   const uint32_t *index = (const uint32_t *)(x->file + REG(cf->index_gpr, 0));
   unsigned element = cf->elem_size + 1u;

   for (unsigned b = 0; b <= cf->burst_count; b++) {
      unsigned gpr = indexed_gpr(x, cf->rw_gpr + b, cf->rw_rel);
      if (gpr > 127)
         break;
      for (unsigned c = 0; c < element; c++) {
         if (!(cf->comp_mask >> c & 1))
            continue;
         const uint32_t *src = (const uint32_t *)(x->file + REG(gpr, c));
         for (uint64_t left = x->active; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(left);
            int64_t at = (int64_t)cf->array_base + b * element + c;
            if (indexed)
               at += (int64_t)(int32_t)index[lane] * element;
            uint32_t *to = at >= 0 && at < (int64_t)ring->item
                              ? ring->base + ring->first + (uint64_t)lane * ring->stride + at
                              : NULL;
            if (x->watcher)
               uop_tell_access(x, &(struct core_access){ .memory = CORE_MEMORY_RING,
                                                         .number = n,
                                                         .how = CORE_WRITES,
                                                         .lane = (uint8_t)lane,
                                                         .address = (uint64_t)at * 4,
                                                         .bytes = 4,
                                                         .limit = CORE_NO_LIMIT,
                                                         .host = to });
            if (to)
               *to = src[lane];
         }
      }
   }
}

void
K(sq_emit)(struct exec *x, const struct sq_cf *cf)
{
   struct core_rings *rings = x->wave->rings;
   if (!rings)
      return;
   unsigned stream = cf->count & 3;
   uint32_t limit = rings->max_verts < CORE_EMIT_VERTS ? rings->max_verts : CORE_EMIT_VERTS - 1;
   for (uint64_t left = x->active; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      uint32_t n = rings->emitted[stream][lane];
      if (cf->op != CAYMAN_CF_CUT_VERTEX && n < limit)
         rings->emitted[stream][lane] = ++n;
      if (cf->op != CAYMAN_CF_EMIT_VERTEX && n <= limit)
         rings->restart[stream][n / 32][lane] |= 1u << (n & 31);
   }
}

struct core_bind *
K(sq_with_ring)(const struct core_bind *core, const uint32_t *ring, uint64_t dwords,
                struct pool *pool)
{
   const struct sq_bind *bind = (const struct sq_bind *)core;
   const struct sq_program *program = sq_program_of(bind);
   struct sq_bind *out = pool_alloc(pool, sizeof(*out));

   if (!out)
      return NULL;
   *out = *bind;
   if (!bind->num_ring_reads)
      return &out->core;

   struct td_vtx_bind *vtx = pool_alloc(pool, program->num_vtx * sizeof(*vtx));

   if (!vtx)
      return NULL;
   memcpy(vtx, bind->vtx, program->num_vtx * sizeof(*vtx));
   for (uint32_t i = 0; i < bind->num_ring_reads; i++) {
      const struct sq_ring_read *read = &bind->ring_reads[i];
      struct elements buffer = read->buffer;

      buffer.ring = ring;
      buffer.ring_bytes = dwords * 4;
      td_bind_fetch(&K(kernels), &vtx[read->ref], &program->vtx[read->ref].fetch, &buffer, 0);
   }
   out->vtx = vtx;
   return &out->core;
}
