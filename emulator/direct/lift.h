/* SPDX-License-Identifier: MIT */
/*
 * What the files that lift IL share.  Kernels only.
 */
#ifndef ATOLL_DIRECT_LIFT_H
#define ATOLL_DIRECT_LIFT_H

#include "direct/direct.h"
#include "il/conventions.h"
#include "il/il.h"
#include "il/model3.h"
#include "sq/program.h"

/* Rows of the wave's storage: the machine's registers and the executor's temporaries are below. */
#define ROW_STAGE        120u /* operands and results of what takes whole registers: fetches, RATs */
#define ROW_POOL         144u /* intermediate values of one instruction */
#define POOL_ROWS        96u
#define ROW_FIRST        (ROW_POOL + POOL_ROWS)
#define MAX_ROWS         8192u
#define MAX_ARRAYS       4096u
#define MAX_SRVS         32u
#define MAX_GDS          16u
#define MAX_DEPTH        256u
#define DIRECT_ADDRESSES 16u    /* a0 to a15 */
#define DIRECT_TABLES    16384u /* function tables */

_Static_assert(IL_MAX_UAVS == SQ_RATS, "UAV n is RAT n");

/* An operand as a micro-operation has it: an offset and a change of bits, (x & keep) ^ flip. */
struct value {
   uint32_t at, keep, flip;
   bool uni;
};

/* A 64-bit operand. */
struct wide {
   struct value lo, hi;
};

/* An open block of flow control. */
struct block {
   uint16_t op;    /* IL_OP_IF_LOGICALNZ for every if, IL_OP_WHILE for every loop, IL_OP_SWITCH */
   uint32_t start; /* CF index of LOOP_START, or of the JUMP or ELSE to be aimed at the end */
   bool leaves;    /* a return inside: lanes that returned leave at its end */
   uint32_t outer_index; /* counted loop: where the aL of the loop around it is kept; 0: it is aL */
   /* switch */
   struct value selector;
   uint32_t matched, none, continued; /* rows' offsets; none: UINT32_MAX without a default */
   bool label_open, has_continue;
};

/* A subroutine, or a call of one: its number, the phase of a hull shader that calls it (by its
 * counter; 0: none), and where it is. */
struct label {
   uint32_t number, context, place;
   bool used;
};

/* A macro that is being expanded: its registers lie one behind the other. */
struct macro {
   const struct macro *outer;
   unsigned depth;
   uint32_t row;
   uint32_t temps, ins, outs, literals;
   const struct il_inst **literal;
};

struct direct {
   struct lift l;
   struct program *p;
   const struct il_program *il;
   const struct il_inst *inst; /* being lifted */
   uint32_t pos;
   struct direct_program *out;
   struct uop no_uop[4]; /* what is written when memory is out */
   struct sq_cf no_cf;
   struct block no_block;
   struct fetch no_fetch;

   uint32_t clause; /* first uop of the open clause */
   bool barrier;    /* in the open clause */
   uint32_t pool;   /* components of the pool in use */
   uint32_t rows;   /* next free row */

   uint32_t *temp; /* by number: row, or 0 */
   uint32_t num_temps;
   const struct il_inst **literal, **def[3]; /* dcl_literal; def of c#, i#, b# */
   uint32_t num_literals, num_defs[3];
   struct {
      uint32_t row, size;
   } * array;
   uint32_t num_arrays;
   uint32_t icb, icb_dwords; /* first literal */
   const struct il_inst *interface[IL_MAX_INTERFACES], **function_table;

   struct {
      bool declared;
      uint8_t mode;
   } input[128];
   uint32_t input_row; /* PS */
   struct il_model3 model;

   struct area {
      uint32_t base, size, stride; /* bytes; stride 0: raw */
   } lds[16], gds[MAX_GDS];
   struct {
      unsigned dwords; /* that a thread owns */
      bool absolute, placed, exchange_placed;
      uint32_t base, exchange; /* bytes */
   } owner;
   uint32_t gds_bytes;
   bool has_counters; /* of append buffers, in front of the areas of global data */
   struct {
      bool declared, typed;
      uint8_t type;
      uint32_t stride;
   } uav[IL_MAX_UAVS], srv[MAX_SRVS];
   struct texture {
      bool declared, stage; /* by DCL_RESOURCE; by DCLPT */
      uint8_t type;         /* enum il_pixtex */
      bool unnorm, integer, vague;
   } texture[MAX_SRVS];

   /* GS, HS, DS */
   uint32_t points;                         /* vertices or control points that come in */
   uint32_t first_kept, last_kept;          /* rows that the launcher fills */
   uint32_t vertex_counter[DIRECT_STREAMS]; /* component */
   bool in_phase, patch_phase;
   bool flat;              /* dcl_x_flat_hs: vpc# is written, too */
   uint32_t phase_counter; /* component, or 0 */

   struct block block[MAX_DEPTH];
   unsigned depth;
   bool in_function;
   bool wrapped; /* this body is a loop that returns leave */
   unsigned body_depth;
   uint32_t returned;    /* component: lanes that have returned */
   uint32_t loop_index;  /* component: aL */
   uint32_t address_row; /* a0; 0: nothing writes one */
   struct label *labels, *calls;
   uint32_t num_labels, cap_labels, num_calls, cap_calls;
   const struct macro *macro;
   uint32_t expansions, expanded, num_lifted;
};

/* lift.c */
bool K(direct_lift)(const struct il_program *il, uint32_t pgm_resources_2,
                    struct direct_program *out, char *error, size_t error_size);
void K(direct_refuse)(struct direct *d, const char *format, ...)
   __attribute__((format(printf, 2, 3)));
uint32_t K(direct_rows)(struct direct *d, uint32_t count);
struct sq_cf *K(direct_cf)(struct direct *d, unsigned op);
void K(direct_close)(struct direct *d);
/** Lifts instructions `from` to `end` - 1. */
void K(direct_insts)(struct direct *d, uint32_t from, uint32_t end);
/** Adds an output's components to those that the program writes, or all of them behind an index. */
void K(direct_note_output)(struct direct *d, const struct il_dst *dst, bool patch);

/* operand.c */
struct value K(direct_literal)(struct direct *d, uint32_t bits);
struct value K(direct_row)(uint32_t row, unsigned chan);
struct value K(direct_at)(uint32_t offset);
/** A component of the pool. */
uint32_t K(direct_temp)(struct direct *d);
/** `count` empty micro-operations that stand together. */
struct uop *K(direct_uop)(struct direct *d, uop_fn *fn, unsigned count);
void K(direct_set)(struct uop *u, unsigned n, struct value v);
/** A lane-wise operation of the device into the pool. */
struct value K(direct_op)(struct direct *d, unsigned op, struct value a, struct value b,
                          struct value c);
void K(direct_move)(struct direct *d, uint32_t to, struct value v);
/** The index of a register; without one, a literal 0. */
struct value K(direct_index)(struct direct *d, const struct il_ref *r);
/** Component `comp` of source `s` of the instruction, modifiers applied as the opcode's type says.
 */
struct value K(direct_src)(struct direct *d, const struct il_src *src, unsigned comp);
/** Number `number` of `count` states of two bits in component `chan` of IL_DRV_DRAW2. */
struct value K(direct_state)(struct direct *d, unsigned chan, unsigned number, unsigned count);
/** The same without modifiers. */
struct value K(direct_bits)(struct direct *d, const struct il_src *src, unsigned comp);
struct wide K(direct_wide)(struct direct *d, const struct il_src *src);
/** The destination's scale and saturation. */
struct value K(direct_modify)(struct direct *d, const struct il_dst *dst, struct value v);
/** Where a component is kept; 0: nowhere, or at an index. */
uint32_t K(direct_place)(struct direct *d, const struct il_ref *r, unsigned comp);
void K(direct_store)(struct direct *d, const struct il_dst *dst, const struct value result[4]);

/* alu.c, alu_wide.c, call.c, flow.c, geometric.c, memory.c, pixel.c, stage.c, texture.c: true if
 * the instruction is of theirs */
bool K(direct_alu)(struct direct *d, const struct il_inst *inst);
struct value K(direct_divide)(struct direct *d, struct value a, struct value b, unsigned zeroop);
struct value K(direct_sign)(struct direct *d, struct value v);
bool K(direct_alu_wide)(struct direct *d, const struct il_inst *inst);
bool K(direct_geometric)(struct direct *d, const struct il_inst *inst);
bool K(direct_flow)(struct direct *d, const struct il_inst *inst);
bool K(direct_call)(struct direct *d, const struct il_inst *inst);
bool K(direct_memory)(struct direct *d, const struct il_inst *inst);
bool K(direct_pixel)(struct direct *d, const struct il_inst *inst);
void K(direct_pixel_begin)(struct direct *d);
void K(direct_memory_declare)(struct direct *d, const struct il_inst *inst);
bool K(direct_texture)(struct direct *d, const struct il_inst *inst);
void K(direct_texture_declare)(struct direct *d, const struct il_inst *inst);
/** The texel that a KILL samples. */
void K(direct_stage_texel)(struct direct *d, const struct il_inst *kill, struct value r[4]);
/** Element `index` of the buffer that `ref` names, in registers that the next fetch changes. */
void K(direct_fetch_buffer)(struct direct *d, const struct sq_vtx_ref *ref, struct value index,
                            struct value r[4]);
/** x or y of the position of a sample in its pixel. */
struct value K(direct_sample_position)(struct direct *d, struct value id, unsigned axis);
struct value K(direct_thread)(struct direct *d, unsigned type, unsigned comp);
struct value K(direct_flat_thread)(struct direct *d);
/** v + n */
struct value K(direct_add)(struct direct *d, struct value v, uint32_t n);
/** element * stride + offset; without a stride the element is bytes already. */
struct value K(direct_bytes)(struct direct *d, struct value element, uint32_t stride,
                             struct value offset);
/** An operation on local data, and what it returns. */
struct value K(direct_lds_op)(struct direct *d, unsigned op, struct value address, struct value a,
                              struct value b);
/** owner.c, uav.c */
void K(direct_owner_declare)(struct direct *d, const struct il_inst *inst);
bool K(direct_owner)(struct direct *d, const struct il_inst *inst);
bool K(direct_uav)(struct direct *d, const struct il_inst *inst);
bool K(direct_stage)(struct direct *d, const struct il_inst *inst);
/** Writes a component of vpc#. */
void K(direct_patch_store)(struct direct *d, const struct il_ref *r, unsigned comp, struct value v);
/** A register of a geometry, hull or domain shader; false: it is none. */
bool K(direct_stage_source)(struct direct *d, const struct il_src *src, unsigned chan,
                            struct value *v);
void K(direct_stage_begin)(struct direct *d);
void K(direct_stage_declare)(struct direct *d, const struct il_inst *inst);
/** Lanes for which the predicate operation holds go on, until the branch ends. */
void K(direct_branch)(struct direct *d, unsigned pred, struct value a, struct value b);
void K(direct_branch_end)(struct direct *d);
/** A body that runs `count` times, with the number of the turn in a component. */
void K(direct_repeat)(struct direct *d, uint32_t counter, uint32_t count);
void K(direct_repeat_end)(struct direct *d, uint32_t counter);
/** The condition of an instruction that has one. */
void K(direct_condition)(struct direct *d, const struct il_inst *inst, bool zero);
/** A loop that breaks leave: its beginning, what leaves it or goes on in it, its end. */
struct block *K(direct_loop)(struct direct *d, unsigned op);
void K(direct_leave)(struct direct *d, bool go_on);
struct block K(direct_loop_end)(struct direct *d, unsigned op);
struct block *K(direct_innermost_loop)(struct direct *d);

/* model3.c */
/** A register of shader model 3 as the input or output that it is. */
bool K(direct_old_ref)(struct direct *d, const struct il_ref *r, struct il_ref *to);
struct value K(direct_old_face)(struct direct *d);

/* call.c */
/** A body that returns leave, from this instruction on. */
void K(direct_body)(struct direct *d, uint32_t from);
void K(direct_body_end)(struct direct *d);
/** Active lanes leave it. */
void K(direct_return)(struct direct *d);
/** The body of main, and the subroutines behind it. */
void K(direct_calls_begin)(struct direct *d);
void K(direct_calls_end)(struct direct *d);
/** The row of a temporary, of a macro's argument or of an address register; 0: there is none. */
uint32_t K(direct_temp_row)(const struct direct *d, const struct il_ref *r);
/** Its declaration, or NULL. */
const struct il_inst *K(direct_literal_of)(const struct direct *d, uint32_t number);

/* op.c: micro-operations that IL alone needs */
void K(direct_uop_gather)(struct exec *x, const struct uop *u);
void K(direct_uop_scatter)(struct exec *x, const struct uop *u);
void K(direct_uop_constant)(struct exec *x, const struct uop *u);
void K(direct_uop_table)(struct exec *x, const struct uop *u);
void K(direct_uop_lane)(struct exec *x, const struct uop *u);
void K(direct_uop_wide)(struct exec *x, const struct uop *u);
void K(direct_uop_place)(struct exec *x, const struct uop *u);
void K(direct_uop_returned)(struct exec *x, const struct uop *u);
void K(direct_uop_point)(struct exec *x, const struct uop *u);
void K(direct_uop_share)(struct exec *x, const struct uop *u);
void K(direct_uop_load)(struct exec *x, const struct uop *u);
void K(direct_uop_face)(struct exec *x, const struct uop *u);
void K(direct_uop_shared_load)(struct exec *x, const struct uop *u);
void K(direct_uop_shared_store)(struct exec *x, const struct uop *u);
void K(direct_uop_shared_init)(struct exec *x, const struct uop *u);

#define DOP1(op, a)       K(direct_op)(d, CAYMAN_ALU_##op, a, a, a)
#define DOP2(op, a, b)    K(direct_op)(d, CAYMAN_ALU_##op, a, b, b)
#define DOP3(op, a, b, c) K(direct_op)(d, CAYMAN_ALU_##op, a, b, c)

static inline struct value
value_neg(struct value v)
{
   v.flip ^= 0x80000000u;
   return v;
}

static inline struct value
value_abs(struct value v)
{
   v.keep &= 0x7fffffffu;
   v.flip &= 0x7fffffffu;
   return v;
}

#endif
