/* SPDX-License-Identifier: MIT */
/*
 * A lifted program, as the lifter (lift*.c) builds it and the executor (run.c, alu*.c) reads it.
 *
 * The control-flow program becomes an array of struct sq_cf with resolved targets.  An ALU clause
 * becomes two runs of micro-operations: one for a wave none of whose lanes has diverged, whose
 * operations are specialised and fused, and one whose operations look at masks.  Both give the same
 * bits.
 *
 * Operands are offsets: of a register component in the wave's register storage (`file`, one
 * component of 64 lanes is 256 bytes), or of a dword in the table of values that are equal in all
 * lanes (`uni`: constants of the draw, literals, values found at run time).
 */
#ifndef ATOLL_SQ_PROGRAM_H
#define ATOLL_SQ_PROGRAM_H

#include "sq/sq.h"

#include "isa/cayman/cayman.h"

#define COMP_BYTES     256u
#define REG(gpr, chan) (((gpr)*4u + (chan)) * COMP_BYTES)
#define TEMP(n)        REG(128u + (n) / 4u, (n) % 4u)
#define UNI_MAX        16384u
#define STACK_MAX      256u
#define CALL_MAX       32u
#define OQ_MAX         64u /* entries of the LDS output queue */

/* Temporaries, in components behind R127. */
enum {
   TEMP_PV = 0,        /* two sets of four: of the odd and the even groups */
   TEMP_GATHER = 8,    /* operands fetched through an index: slot * 3 + operand */
   TEMP_RESULT = 20,   /* results that may not be written yet */
   TEMP_CHAIN = 24,    /* unrounded neighbours of *_PREV operations */
   TEMP_TRASH = 28,    /* results that nobody wants */
   TEMP_FETCH = 32,    /* fetch sources that the fetch overwrites */
   TEMP_GRAD = 44,     /* latched gradients: h x y z, v x y z */
   TEMP_OFFSET = 50,   /* latched texel offsets */
   TEMP_REDIRECT = 54, /* results of slots that read each other's registers */
};

struct exec;
struct uop;
typedef void uop_fn(struct exec *x, const struct uop *u);

struct uop {
   uop_fn *fn;
   uint32_t dst;     /* offset in file */
   uint32_t src[3];  /* offset in file or, where `uni` has the operand's bit, in uni */
   uint32_t keep[3]; /* operand modifiers: (x & keep) ^ flip */
   uint32_t flip[3];
   uint16_t op;
   uint8_t uni;  /* bit n: operand n is one value for all lanes */
   uint8_t mods; /* bit n: operand n has modifiers */
   uint8_t omod; /* enum cayman_omod */
   bool clamp;
   uint8_t pred_sel; /* enum cayman_pred_sel */
   uint8_t length;   /* uops this one consumes, at least 1 */
   bool update_pred, update_exec;
   bool lanewise;   /* one value per lane from others of that lane, nothing else */
   uint8_t exec_op; /* enum cayman_execute_mask_op */
   uint8_t aux;     /* by operation */
   uint32_t imm[2]; /* by operation */
};

struct uop_run {
   uint32_t first, count; /* in program->uops */
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
   /* GDS: op is an enum cayman_gds_op. */
   bool append;     /* on an append counter: number `counter`, resource_index added */
   bool first_lane; /* one lane asks for all (BCAST_FIRST_REQ) */
   uint8_t counter;
   uint8_t semantic; /* FETCH_SEMANTIC */
};

/* JUMPTABLE_SEL: 0 to 3 are bytes of a loop constant. */
#define SQ_JUMPTABLE_INDEX_0 4u
#define SQ_JUMPTABLE_INDEX_1 5u

struct sq_cf {
   uint16_t op;
   uint8_t cond, pop_count, count, cf_const;
   bool valid_pixel_mode, whole_quad_mode;
   uint8_t jumptable_sel;
   uint32_t target; /* index in cfs */
   uint32_t pc;     /* CF index, for messages */
   uint32_t cost;   /* cycles */
   uint32_t addr;   /* of WAIT_ACK and the like, as encoded */

   struct uop_run prologue; /* ALU: values found at the clause's start */
   struct uop_run plain, masked;
   uint32_t first_fetch, num_fetches;

   /* EXPORT, MEM_* */
   uint8_t type, rw_gpr, index_gpr, elem_size, burst_count, comp_mask, sel[4];
   bool rw_rel;
   uint16_t array_base, array_size;
   uint8_t rat_id, rat_op, rat_index_mode;
   /* GLOBAL_WAVE_SYNC; the resource's index mode is rat_index_mode. */
   uint8_t gws_op, gws_resource, gws_value_index;
   int32_t gws_value;
   bool has_barrier; /* ALU: a GROUP_BARRIER is in the clause */
   uint16_t groups, slots; /* ALU: what the clause holds, literals not counted */
};

struct program {
   struct sq_program head; /* first: what others see */
   struct sq_cf *cfs;
   uint32_t num_cfs, entry, fs_entry; /* fs_entry: UINT32_MAX without a fetch subroutine */
   struct uop *uops;
   uint32_t num_uops;
   struct fetch *fetches;
   uint32_t num_fetches;
   uint32_t *literals;
   uint32_t num_literals, num_dynamic;
   uint32_t *clear; /* components to zero before the program starts */
   uint32_t num_clear;
   uint32_t clear_gprs; /* registers that may be indexed: cleared up to here */
   uint32_t stack_entries;
   unsigned fp_single, fp_double; /* MXCSR */
   bool dx10_clamp, uses_parameters;
   void *code; /* of native.c, or NULL */
   enum sq_stage stage;
   char message[160];
};

/* A wave while it runs. */
struct exec {
   uint8_t *file;
   uint32_t *uni;
   uint64_t lanes;     /* lanes that write: active, narrowed by VPM or widened by WQM */
   uint64_t launch;    /* lanes that were ever there */
   uint64_t pred;      /* predicate of this clause */
   uint64_t pred_next; /* the same from the next group on */
   bool masked;        /* lanes is not launch */
   bool dx10_clamp;

   uint64_t active, branch, cont, brk; /* states of lanes */
   uint64_t valid;
   uint64_t fail; /* lanes failing an UPDATE_EXEC_MASK of this clause */
   uint8_t fail_op;
   bool fail_pending;

   int32_t loop_index; /* aL */
   int32_t cf_idx[2];
   uint32_t clause_global;
   unsigned fp_single, fp_double, fp_now;
   wave_lane ar;
   const struct spi_coef (*coef[WAVE_QUADS])[4]; /* of every quad, also of those without lanes */
   uint32_t same_coef; /* bit per vector: its quads are of one primitive */

   const struct program *program;
   struct sq_wave *wave;

   /* LDS, and its output queue: entries of A and B. */
   uint8_t *lds;
   uint32_t lds_bytes;
   uint32_t oq_head, oq_count;
   wave_lane (*oq)[2];
   bool waits; /* at a GROUP_BARRIER */

   bool at_barrier; /* of global wave synchronisation, which had opened so often when it came */
   uint32_t opened;
};

/* Micro-operations (alu.c and its kin). */
uop_fn *K(sq_alu_fn)(unsigned op); /* generic form of a lane-wise operation, or NULL */
/* The form of a lone operation for its kinds of operands and modifiers, or NULL. */
uop_fn *K(sq_single_fn)(const struct uop *u, bool masked);
/* A specialised form of `n` equal operations starting at u, or NULL. */
uop_fn *K(sq_fused_fn)(const struct uop *u, unsigned n);
/* Puts an operation's operands in the order that the specialised forms have. */
void K(sq_normalise)(struct uop *u);
unsigned K(fp_mode)(unsigned round, bool denorm_in, bool denorm_out); /* MXCSR */

void K(uop_copy)(struct exec *x, const struct uop *u);
void K(uop_gather)(struct exec *x, const struct uop *u);
void K(uop_gather_const)(struct exec *x, const struct uop *u);
void K(uop_scatter)(struct exec *x, const struct uop *u);
void K(uop_load_const)(struct exec *x, const struct uop *u);
void K(uop_load_special)(struct exec *x, const struct uop *u);
void K(uop_commit_pred)(struct exec *x, const struct uop *u);
void K(uop_set_mode)(struct exec *x, const struct uop *u);
void K(uop_mova)(struct exec *x, const struct uop *u);
void K(uop_dot4)(struct exec *x, const struct uop *u);
void K(uop_max4)(struct exec *x, const struct uop *u);
void K(uop_cube)(struct exec *x, const struct uop *u);
void K(uop_pack4)(struct exec *x, const struct uop *u);
void K(uop_interp)(struct exec *x, const struct uop *u);
void K(uop_interp_load)(struct exec *x, const struct uop *u);
void K(uop_f64)(struct exec *x, const struct uop *u);

/* LDS (lds.c). */
void K(uop_lds)(struct exec *x, const struct uop *u);
void K(uop_lds_head)(struct exec *x, const struct uop *u);
void K(uop_lds_pop)(struct exec *x, const struct uop *u);
void K(uop_set_lds_size)(struct exec *x, const struct uop *u);
void K(uop_barrier)(struct exec *x, const struct uop *u);
void K(uop_lds_direct)(struct exec *x, const struct uop *u);
void K(sq_gds)(struct exec *x, const struct fetch *f, uint64_t lanes); /* gds.c */

/* Global wave synchronisation (gws.c).  False: the wave waits. */
bool K(sq_gws)(struct exec *x, const struct sq_cf *cf);

/* Rings and emitted vertices (ring.c). */
void K(sq_ring_write)(struct exec *x, const struct sq_cf *cf);
void K(sq_emit)(struct exec *x, const struct sq_cf *cf);

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

/* Fetch clauses and exports (memory.c). */
void K(sq_fetch_clause)(struct exec *x, const struct sq_cf *cf);
void K(sq_export)(struct exec *x, const struct sq_cf *cf);
void K(sq_stream_write)(struct exec *x, const struct sq_cf *cf);
void K(sq_scratch_write)(struct exec *x, const struct sq_cf *cf);
void K(sq_scatter_write)(struct exec *x, const struct sq_cf *cf);

struct sq_program *K(sq_lift)(const struct sq_program_source *source);
void K(sq_program_free)(struct sq_program *program);
void K(sq_run)(const struct sq_program *program, struct sq_wave *wave);

/* The same in pieces, for waves that wait for each other (kernel.h). */
struct flow;
size_t K(sq_flow_size)(void);
bool K(sq_start)(struct flow *flow, const struct sq_program *program, struct sq_wave *wave);
bool K(sq_resume)(struct flow *flow);

/* Lifter. */
struct lift {
   struct program *p;
   const struct sq_program_source *source;
   uint32_t cap_uops, cap_fetches, cap_literals, cap_cfs, cap_consts, cap_tex, cap_vtx;
   struct sq_const_ref *consts;
   struct sq_tex_ref *tex;
   struct sq_vtx_ref *vtx;
   bool oom;
   uint32_t pc; /* of the CF instruction being lifted */
   bool fetch_shader, latches;
   bool rat_loads; /* NOP_RTN */
   uint8_t rat_op; /* the commutative RAT operation that the program has */
   /* What has certainly been written: bit per component, and whether writes are certain now. */
   uint8_t written[128], read_early[128];
   int depth;
   bool unsure;
};

/* Which table a uniform operand's index is for, until the tables' sizes are known. */
#define UNI_CONST   0x00000000u
#define UNI_LITERAL 0x40000000u
#define UNI_DYNAMIC 0x80000000u
#define UNI_TABLE   0xc0000000u

void K(lift_error)(struct lift *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Room for one more element of `size` bytes in a list; false on lack of memory. */
bool K(lift_grow)(struct lift *l, void **array, uint32_t count, uint32_t *cap, size_t size);
struct uop *K(lift_uop)(struct lift *l);
uint32_t K(lift_literal)(struct lift *l, uint32_t value);
uint32_t K(lift_const)(struct lift *l, unsigned bank, uint32_t dword);
/** Gives uniform operands their places, once the sizes of the tables are known. */
void K(lift_resolve)(struct program *p);
void K(lift_read)(struct lift *l, unsigned gpr, unsigned chan);
void K(lift_write)(struct lift *l, unsigned gpr, unsigned chan);
/* The program reaches `burst` + 1 elements of `size` dwords in an array of scratch. */
void K(lift_scratch)(struct lift *l, unsigned base, unsigned array, unsigned burst, unsigned size);
void K(lift_scatter)(struct lift *l); /* the program reads or writes the scatter buffer */
void K(lift_alu_clause)(struct lift *l, const struct cayman_cf *cf, const uint32_t *words,
                        size_t num_dwords, struct sq_cf *out);
void K(lift_fetch_clause)(struct lift *l, const uint32_t *words, unsigned count, struct sq_cf *out);

#endif
