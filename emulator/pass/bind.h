/* SPDX-License-Identifier: MIT */
/*
 * Binds: what one stage of a draw reads, resolved from the registers (struct sq_bind).
 */
#ifndef ATOLL_BIND_H
#define ATOLL_BIND_H

#include "pass/pass.h"
#include "memory/pool.h"
#include "sq/sq.h"
#include "memory/target.h"

struct bind_stage {
   enum sq_stage stage;
   uint32_t pgm_start, pgm_resources, pgm_resources_2; /* register addresses */
   uint32_t scratch_item; /* *TMP_RING_ITEMSIZE: dwords of scratch a lane has */
   uint32_t const_cache, const_size;
   uint32_t resource_base, sampler_base;
   uint32_t loop_base; /* of 32 loop constants; the stage's bools are word loop_base / 32 */
   bool fetch;         /* has a fetch subroutine */
};

/* bind_vs_inner: copy and domain shaders, which fetch no vertices; bind_es_domain: the same in
 * ES.  ES has VS's constants, resources and samplers. */
extern const struct bind_stage bind_ps, bind_vs, bind_vs_inner, bind_gs, bind_es, bind_es_domain,
   bind_hs, bind_ls, bind_cs;

/* The program that the registers name; NULL with *why. */
const struct sq_program *bind_program(struct sq_cache *cache, const struct bind_stage *stage,
                                      const struct regs *r, const struct vm *vm, const char **why);

/* Fills `bind` for `program`; arrays come from `pool`.  False on lack of memory.
 * With `reuse` (a bind of the same program, registers and address space), descriptors are taken
 * from there; constants are always read anew. */
bool bind_stage(struct sq_bind *bind, const struct sq_program *program,
                const struct bind_stage *stage, const struct regs *r, const struct vm *vm,
                const struct kernels *kernels, const struct sq_bind *reuse, struct pool *pool);

/* Lists the fetches of `program` whose descriptor starts at `va`, the address of a ring, in
 * `reads`, which has room for all of the program's.  Returns how many there are. */
uint32_t bind_ring_reads(struct sq_ring_read *reads, const struct sq_program *program,
                         const struct bind_stage *stage, const struct regs *r, uint64_t va);

/* Descriptor n of the stage; of zeros where there is none. */
const uint32_t *bind_resource(const struct bind_stage *stage, const struct regs *r, unsigned n);

/* Whether an instruction or constant of the stage reads memory in `range`. */
bool bind_reads(const struct sq_program *program, const struct bind_stage *stage,
                const struct regs *r, struct target_range range);

#endif
