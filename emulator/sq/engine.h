/* SPDX-License-Identifier: MIT */
/*
 * What the files that run Cayman's programs share.  Kernels only.
 */
#ifndef ATOLL_SQ_ENGINE_H
#define ATOLL_SQ_ENGINE_H

#include "sq/program.h"
#include "uop/bound.h"

void K(sq_gds)(struct exec *x, const struct fetch *f, uint64_t lanes); /* gds.c */

/* Global wave synchronisation (gws.c).  False: the wave waits. */
bool K(sq_gws)(struct exec *x, const struct sq_cf *cf);

/* Rings and emitted vertices (ring.c). */
void K(sq_ring_write)(struct exec *x, const struct sq_cf *cf);
void K(sq_emit)(struct exec *x, const struct sq_cf *cf);
struct core_bind *K(sq_with_ring)(const struct core_bind *bind, const uint32_t *ring,
                                  uint64_t dwords, struct pool *pool);

/* Random access targets (rat.c). */
void K(sq_rat)(struct exec *x, const struct sq_cf *cf);

/* What CF_IDX0 or CF_IDX1 adds (enum cayman_index_select). */
static inline int64_t
cf_index(const struct exec *x, unsigned mode)
{
   return mode == CAYMAN_CF_INDEX_0 ? x->cf_idx[0] : mode == CAYMAN_CF_INDEX_1 ? x->cf_idx[1] : 0;
}

/* A register with aL added; outside the program's registers it is R0 (4.6.3). */
static inline unsigned
indexed_gpr(const struct exec *x, unsigned gpr, bool relative)
{
   if (!relative)
      return gpr;
   int64_t n = (int64_t)gpr + x->loop_index;
   return n >= 0 && n < (int64_t)x->program->head.num_gprs ? (unsigned)n : 0;
}

/* Lanes with registers that nothing reads: others of its quad may see a lane's. */
static inline uint64_t
sq_idle(const struct exec *x)
{
   return ~(x->program->head.core.needs_helpers ? lanes_whole_quads(x->launch) : x->launch);
}

/* Fetch clauses and exports (memory.c). */
void K(sq_fetch_clause)(struct exec *x, const struct sq_cf *cf);
/** The register that a semantic goes to; 0: none. */
unsigned K(sq_semantic_gpr)(const struct sq_bind *bind, uint8_t semantic);
/** One instruction of such a clause. */
void K(sq_fetch_one)(struct exec *x, const struct fetch *f);
/** Operands of a lookup with fetch.kept, but for lanes. */
void K(sq_lookup_args)(struct exec *x, const struct fetch *f, struct td_tex_args *args);
/** A clause of such lookups (sq_cf.looks_up), `kept` having all of the program's, in the default
 *  mode of arithmetic. */
void K(sq_look_up)(struct exec *x, const struct sq_cf *cf, struct td_tex_args *kept);
void K(sq_export)(struct exec *x, const struct sq_cf *cf);
void K(sq_stream_write)(struct exec *x, const struct sq_cf *cf);
void K(sq_scratch_write)(struct exec *x, const struct sq_cf *cf);
void K(sq_scatter_write)(struct exec *x, const struct sq_cf *cf);

/** A region, for the lanes that are active: there are some (region.c).  False: it used up the
 *  budget, the wave's cycles and fault_place say where. */
bool K(sq_run_region)(struct exec *x, const struct sq_region *r, uint64_t budget);

/** A wave of a straight program to its end (straight.c); it has lanes, and no outputs yet. */
void K(sq_run_straight)(struct core_wave *wave, uint64_t budget);
/** The same of one with a core_kept that is ready. */
void K(sq_run_again)(struct core_wave *wave, uint64_t budget);

/** Binds a lifted program to this build; false: no memory.  `native`: as machine code, where that
 *  is known how. */
bool K(sq_bind)(struct sq_program *program, bool native);
struct sq_program *K(sq_lift)(const struct sq_program_source *source);
void K(sq_program_free)(struct sq_program *program);

/* Runs them, and IL's (run.c); of five slots under another name. */
extern const struct core_engine K(sq_engines)[CAYMAN_VLIWS], K(sq_checked_engines)[CAYMAN_VLIWS];

#endif
