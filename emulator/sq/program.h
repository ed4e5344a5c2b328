/* SPDX-License-Identifier: MIT */
/*
 * A lifted program, as the lifter (lift*.c) builds it and the executor (run.c, and the handlers of
 * uop/) reads it.
 *
 * The control-flow program becomes an array of struct sq_cf with resolved targets.  An ALU clause
 * becomes two runs of micro-operations: one for waves without diverged lanes, of specialised and
 * fused operations, and one of operations that look at masks.  Both give the same
 * bits.
 *
 * Operands are offsets: of a register component in the wave's register storage (`file`, one
 * component of 64 lanes is 256 bytes), or of a dword in the table of values that are equal in all
 * lanes (`uni`: constants of the draw, literals, values found at run time).
 */
#ifndef ATOLL_SQ_PROGRAM_H
#define ATOLL_SQ_PROGRAM_H

#include "sq/sq.h"
#include "uop/binding.h"

#include "isa/cayman/cayman.h"

#define REG(gpr, chan) (((gpr)*4u + (chan)) * COMP_BYTES)
#define TEMP(n)        REG(128u + (n) / 4u, (n) % 4u)
#define STACK_MAX      1020u /* frames: four in each entry of the stack */
#define CALL_MAX       32u

/* Temporaries, in components after R127. */
enum {
   TEMP_PV = 0,      /* two sets of four: of the odd and the even groups */
   TEMP_GATHER = 8,  /* operands fetched through an index: slot * 3 + operand */
   TEMP_RESULT = 20, /* results that may not be written yet */
   TEMP_CHAIN = 24,  /* unrounded neighbours of *_PREV operations */
   TEMP_TRASH = 28,  /* results that nobody wants */
   TEMP_FETCH = 32,  /* fetch sources that the fetch overwrites */
   TEMP_T = 32,      /* slot t's, in ALU clauses, which do not fetch: */
   TEMP_T_GATHER = TEMP_T,
   TEMP_T_RESULT = TEMP_T + 3,
   TEMP_T_TRASH = TEMP_T + 4,
   TEMP_PS = TEMP_T + 5, /* of the odd and the even groups */
   TEMP_AR = TEMP_T + 7, /* what SET_CF_IDX copies */
   TEMP_GRAD = 44,       /* latched gradients: h x y z, v x y z */
   TEMP_OFFSET = 50,     /* latched texel offsets */
   TEMP_REDIRECT = 54,   /* results of slots that read each other's registers */
};

enum {
   FETCH_TEX,
   FETCH_VTX,
   FETCH_SEMANTIC, /* FETCH_VTX to the register that the draw's table names */
   FETCH_SCRATCH,
   FETCH_SCATTER,
   FETCH_GRADIENTS,     /* GET_GRADIENTS_H, _V */
   FETCH_SET_GRADIENTS, /* SET_GRADIENTS_H, _V */
   FETCH_KEEP_GRADIENTS,
   FETCH_SET_OFFSETS,
   FETCH_GDS,
   FETCH_TF_WRITE,
};

struct fetch {
   uint8_t kind;
   uint8_t op, inst_mod;
   uint8_t src_gpr, dst_gpr;
   bool src_rel, dst_rel;
   uint8_t src_sel[4], dst_sel[4];
   bool whole_quad;
   bool uses_gradients, uses_offsets;
   uint8_t resource_index, sampler_index; /* enum cayman_index_select */
   uint32_t ref;                          /* index in tex or vtx */
   /* Scratch. */
   bool indexed;
   uint8_t elem_size, burst;
   uint16_t array_base, array_size;
   /* GDS: op is an enum core_share_op. */
   bool ordered;    /* on the count of ordered allocations instead */
   bool commutes;   /* the order of lanes cannot be seen */
   bool append;     /* on an append counter: number `counter`, resource_index added */
   bool first_lane; /* one lane asks for all (BCAST_FIRST_REQ) */
   uint8_t counter;
   uint8_t semantic; /* FETCH_SEMANTIC */
   uint32_t origin;  /* of the instruction (struct uop); 0: that of its clause */
   uint32_t series;  /* FETCH_TEX that begins one: its index in series + 1; 0: it does not */
   uint8_t kept;     /* FETCH_TEX of a straight program: its kept lookup + 1; 0: it has none */
};

/* Lookups with operands that are kept from wave to wave (straight.c). */
#define SQ_KEPT_LOOKUPS 16u

/* JUMPTABLE_SEL: 0 to 3 are bytes of a loop constant. */
#define SQ_JUMPTABLE_INDEX_0 4u
#define SQ_JUMPTABLE_INDEX_1 5u

/* ALU: what a clause can do to the wave. */
enum sq_clause {
   SQ_CLAUSE_ANY,
   SQ_CLAUSE_QUIET, /* nothing but writing registers */
   SQ_CLAUSE_TEST,  /* one function of machine code with one predicate that changes the mask */
};

#define SQ_NO_ORIGIN UINT32_MAX

struct sq_cf {
   uint16_t op;
   uint8_t cond, pop_count, count, cf_const;
   bool valid_pixel_mode, whole_quad_mode;
   uint8_t jumptable_sel;
   uint32_t target; /* index in cfs */
   uint32_t pc;     /* CF index, for messages */
   uint32_t origin; /* see struct uop; SQ_NO_ORIGIN: that of what it holds */
   uint32_t cost;   /* cycles */
   uint32_t addr;   /* of WAIT_ACK and the like, as encoded */

   /* ALU: values found at the clause's start; for waves without and with inactive lanes.  While
    * it is lifted in program->code, bound in program->bound. */
   struct uop_run prologue, plain, masked;
   uint32_t first_fetch, num_fetches;

   /* EXPORT, MEM_* */
   uint8_t type, rw_gpr, index_gpr, elem_size, burst_count, comp_mask, sel[4];
   bool rw_rel;
   bool ends;     /* EXPORT: nothing after it writes registers */
   bool looks_up; /* TC of a straight program: all fetches have kept lookups */
   uint16_t array_base, array_size;
   uint8_t rat_id, rat_op, rat_index_mode;
   bool rat_compares_w; /* CMPXCHG compares with RW_GPR.w, else with z */
   /* GLOBAL_WAVE_SYNC; the resource's index mode is rat_index_mode. */
   uint8_t gws_op, gws_resource, gws_value_index;
   int32_t gws_value;
   uint8_t clause;         /* ALU: enum sq_clause, once it is bound */
   uint8_t test_op;        /* SQ_CLAUSE_TEST: enum uop_fail */
   bool has_barrier;       /* ALU: a GROUP_BARRIER is in the clause */
   uint16_t groups, slots; /* ALU: what the clause holds, literals not counted */
   uint32_t region;        /* the one that begins here, + 1; 0: none */
};

/* Instructions cfs[first] to cfs[end - 1], clauses, branches and a loop of such, that may be one
 * function of machine code (regions.c, region.c). */
#define SQ_REGION_LEAVES   8u
#define SQ_REGION_BRANCHES 4u /* in each other */
struct sq_region {
   uint32_t first, end;
   uint32_t loop, loop_end; /* LOOP_START_DX10 and LOOP_END; 0: there is no loop */
   uint8_t frames, entries; /* frames and sub-entries of the stack that it takes */
   uint32_t first_step, num_steps;
   /* Of the clauses of the loop's own level after which lanes break: the JUMP that follows, to the
    * LOOP_END, or 0. */
   uint32_t jumps[SQ_REGION_LEAVES];
   uint32_t num_leaves;
   /* Cycles of what is not in the loop, of an iteration without its LOOP_END up to the first such
    * JUMP, from there to the second, and so on; and of the LOOP_END. */
   uint64_t around, pieces[SQ_REGION_LEAVES + 1], turn;
   uint32_t plain, masked; /* where its code is */
};

struct program {
   struct sq_program head; /* first: what others see */
   struct sq_cf *cfs;
   uint32_t num_cfs, entry, fs_entry; /* fs_entry: UINT32_MAX without a fetch subroutine */
   struct uop_code code;
   struct uop_bound bound;
   struct {
      uint32_t first, end, life; /* see struct uop_bind_options */
   } temps;
   /* ALU clauses as they were lifted, which `code` has: by instruction, the values found at the
    * start and the clause for any lanes.  Once it is bound. */
   struct sq_lifted {
      struct uop_run prologue, clause;
   } * lifted;
   uint32_t *groups; /* origins of groups, ascending; none: a micro-operation's own is it */
   uint32_t num_groups;
   struct fetch *fetches;
   uint32_t num_fetches;
   struct td_tex_series *series;
   uint32_t num_series;
   struct sq_region *regions; /* of which there is code, once it is bound */
   uint32_t num_regions;
   struct uop_step *steps; /* of regions; bindings are numbers in cfs */
   uint32_t num_steps;
   uint32_t *clear; /* components to zero before the program starts */
   uint32_t num_clear;
   uint32_t clear_gprs; /* registers that may be indexed: cleared up to here */
   uint32_t stack_entries;
   unsigned fp_single, fp_double; /* MXCSR */
   uint8_t vliw;                  /* enum cayman_vliw */
   bool dx10_clamp, uses_parameters;
   bool tokens;  /* origins are those of IL: several CF instructions may be of one */
   bool forgets; /* see struct sq_program_source */
   struct uop_native_pool *pool; /* the same */
   /* No lane of a wave ever stops running outside of regions, and instructions follow each other up
    * to the END: see straight.c. */
   bool straight;
   bool exports_stay; /* ... and all that a wave of pixels exports may be left in registers */
   enum sq_stage stage;
   char message[160];
};

/** Lifts words, for no build; NULL: no memory. */
struct program *sq_lift_program(const struct sq_program_source *source);
void sq_program_release(struct program *p);
/** Whether lanes of its waves may become inactive; before it is bound. */
bool sq_may_diverge(const struct program *p);
/** Whether an ALU clause does nothing but write registers, but for predicates if `tests`; before it
 *  is bound. */
bool sq_is_quiet(const struct program *p, const struct sq_cf *cf, bool tests);
/** Whether it is straight: see above; before it is bound, provided that its regions become code. */
bool sq_is_straight(const struct program *p);
/** What a straight program's waves have alike: kept lookups, exports that stay. */
void sq_find_kept(struct program *p);
/** By instruction, SQ_DEAD_WORDS each: the components that nothing after it reads of what was in
 *  them (struct uop_binding), if it is a clause and the program is straight.  To be freed; NULL:
 *  not known, or no memory. */
#define SQ_DEAD_WORDS ((CORE_WAVE_ROWS + 63u) / 64u)
uint64_t *sq_find_dead(const struct program *p);
/** Finds its regions, before it is bound; false: no memory. */
bool sq_find_regions(struct program *p);
/** Prints what was lifted beside its listing; before it is bound. */
void sq_program_print(FILE *out, const struct program *p, const struct sq_program_source *source);

#endif
