/* SPDX-License-Identifier: MIT */
/*
 * SQ: programs of Cayman and of the five-slot chips, lifted once and run 64 lanes wide.
 *
 * A program is decoded from the client's memory into an immutable array of micro-operations.
 * What it needs from a draw (constants, resources, samplers) is listed by the program and filled
 * into a struct sq_bind per draw; nothing is looked up by register number while a wave runs.
 */
#ifndef ATOLL_SQ_H
#define ATOLL_SQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel.h"
#include "bind/source.h"
#include "core/core.h"
#include "core/gws.h"
#include "port/rat.h"
#include "port/fetch.h"
#include "port/views.h"

#include "isa/cayman/cayman.h"

struct core_cache;
struct sq_counts;
struct uop_native_pool;     /* uop/native_map.h */
#define SQ_RAT_STORE_RAW 2u /* an operation of the older instruction set */

#define SQ_APPEND_COUNTERS 12u /* GDS_APPEND_COUNT_n */
#define SQ_SEMANTICS       32u /* SQ_VTX_SEMANTIC_n */
#define SQ_NO_SEMANTIC     0xffu

/* Registers that outlive a wave and are all waves'.  Machine code does not name them: only IL that
 * is executed directly does. */
#define SQ_SHARED 120u

enum sq_stage {
   SQ_STAGE_PS,
   SQ_STAGE_VS,
   SQ_STAGE_GS,
   SQ_STAGE_ES,
   SQ_STAGE_HS,
   SQ_STAGE_LS,
   SQ_STAGE_CS,
};

/* What lifting depends on; two sources with equal contents give the same program. */
struct sq_program_source {
   enum cayman_vliw vliw;
   enum sq_stage stage;
   const uint32_t *words;       /* program from PGM_START on */
   size_t num_words;            /* bound of the copy; the program ends at its END */
   const uint32_t *fetch_words; /* fetch subroutine (CALL_FS), or NULL */
   size_t num_fetch_words;
   uint32_t pgm_resources;              /* SQ_PGM_RESOURCES_<stage>: GPRs, stack, DX10_CLAMP */
   uint32_t pgm_resources_2;            /* rounding and denormal modes */
   uint32_t inputs[SOURCE_INPUT_WORDS]; /* SQ_STAGE_PS of R600 and R700: enum source_input */
   bool interpret;                      /* make no machine code */
   bool forgets;                        /* nothing looks at registers after the program's end */
   struct uop_native_pool *pool;        /* for its machine code; NULL: pages of its own */
};

/* A kcache constant the program reads at a fixed offset: `dword` counts from the bank's base. */
struct sq_const_ref {
   uint8_t bank;
   uint32_t dword;
};

/* A sampling instruction: the descriptor slots it names within its stage. */
struct sq_tex_ref {
   uint8_t resource, sampler;
   bool indexed; /* CF_IDX is added: bound when the instruction runs, not per draw */
   struct td_lookup lookup;
};

struct sq_vtx_ref {
   uint16_t resource; /* SQ_FETCH_RESOURCE and on: those of the fetch subroutine */
   bool indexed;
   uint8_t adds; /* enum cayman_fetch_type: what of the draw is added to the index */
   struct td_fetch fetch;
};
#define SQ_FETCH_RESOURCE TD_VERTEX_BUFFERS
/* Drivers have textures and constants below, and from here on what they store to: images, with the
 * format that is the buffer's, and storage buffers.  For reports alone. */
#define SQ_IMAGE_RESOURCE 112u

/* What is seen of a lifted program. */
struct sq_program {
   struct core_program core; /* first: what launchers see */
   const struct sq_const_ref *consts;
   const struct sq_tex_ref *tex;
   const struct sq_vtx_ref *vtx;
   uint32_t num_consts, num_tex, num_vtx;
   uint32_t num_gprs;
   uint32_t kcache_banks;          /* banks read at an offset known only at run time */
   uint32_t code_bytes;            /* of machine code for its ALU clauses; 0: interpreted */
   uint32_t alu_groups, alu_slots; /* that it has, without its fetch subroutine's */
   struct sq_counts *counts;       /* NULL: nobody counts what it executes (sq/counts.h) */
   uint32_t mrt_mask;              /* PS: colour exports that occur */
   uint64_t rats;                  /* mask of the RATs it names; all if it chooses one as it runs */
   bool rat_table; /* which lie in a table, not in colour slots (chip/cayman/rat.c) */
   bool uses_gds;
   bool counts_gds;     /* by one commutative operation, and asks for no result */
   bool uses_scatter;   /* MEM_EXPORT, RD_SCATTER */
   bool uses_semantics; /* vertex fetches by semantic */
   bool uses_stream;    /* MEM_STREAM */
};

/* Banks; IL that is executed directly has one constant buffer more. */
#define SQ_KCACHES   16
#define SQ_CONSTANTS (SQ_KCACHES + 1)

struct sq_kcache {
   const uint32_t *base; /* host address, NULL when unmapped */
   uint32_t bytes;
};

/* A fetch of a buffer that starts at the address of the ring that the stage reads: it reads the
 * launcher's ring instead. */
struct sq_ring_read {
   uint32_t ref; /* in program->vtx */
   struct elements buffer;
};

/* Everything of a draw that a wave of one stage reads. */
struct sq_bind {
   struct core_bind core;  /* first: what launchers see; its program is a struct sq_program */
   const uint32_t *consts; /* [program->num_consts] */
   const struct td_tex_bind *tex;        /* [program->num_tex] */
   const struct td_vtx_bind *vtx;        /* [program->num_vtx] */
   uint32_t base_vertex, start_instance; /* that they add */
   struct sq_kcache kcache[SQ_CONSTANTS];
   uint32_t bool_consts;     /* CF conditions BOOL and NOT_BOOL */
   uint32_t loop_consts[32]; /* SQ_LOOP_CONST: count 11:0, first index 23:12, step 31:24 */
   const struct vm *vm;
   const struct td_views *views;          /* for indexed resources and samplers; or NULL */
   const struct sq_ring_read *ring_reads; /* [num_ring_reads] */
   uint32_t num_ring_reads;
   const struct rat *rats; /* [RATS], or NULL */
   bool alone;             /* one wave after the other changes what is in them */
   uint8_t *gds;           /* NULL: none */
   uint32_t gds_bytes;
   uint32_t *append;        /* [SQ_APPEND_COUNTERS], or NULL */
   uint32_t *ordered_count; /* of ATOMIC_ORDERED_ALLOC_RET, or NULL */
   struct core_gws *gws;    /* [CORE_GWS], or NULL */
   wave_lane (*shared)[4];  /* [SQ_SHARED], or NULL */
   uint8_t *scatter;        /* what MEM_EXPORT writes; NULL: nothing is there */
   uint64_t scatter_dwords;
   const uint8_t *semantics; /* [SQ_SEMANTICS]: register n + 1 has semantic n's, or NULL */
};

static inline const struct sq_program *
sq_program_of(const struct sq_bind *bind)
{
   return (const struct sq_program *)bind->core.program;
}

/* ---- Entry registers (entry.c) ---- */

/** Of vertices and their like they are fixed, as stock r600 has them; for pixels and threads SPI's
 *  registers say. */
const struct core_entry *sq_entry(const struct core_program *program, enum core_stage stage,
                                  const struct core_layout *layout, struct core_entry *room);

/** A cache of programs of chips with so many slots (core/cache.h). */
struct core_cache *sq_cache_create(enum cayman_vliw vliw, const struct kernels *kernels);

/** The lifted form of `source`; see core_cache_get(). */
const struct sq_program *sq_cache_get(struct core_cache *cache, uint64_t va, uint64_t fetch_va,
                                      const struct sq_program_source *source);

#endif
