/* SPDX-License-Identifier: MIT */
/*
 * What the files that lift IL share.
 */
#ifndef ATOLL_DIRECT_LIFT_H
#define ATOLL_DIRECT_LIFT_H

#include "direct/direct.h"
#include "il/declare.h"
#include "il/walk.h"
#include "sq/program.h"

/* Rows of the wave's storage: the machine's registers and the executor's temporaries are below. */
#define ROW_STAGE 120u /* for what takes whole registers: fetches, RATs */
#define ROW_POOL  144u /* intermediate values of one instruction */
#define POOL_ROWS 96u
#define ROW_FIRST (ROW_POOL + POOL_ROWS)
#define MAX_ROWS  8192u

_Static_assert(IL_MAX_UAVS == RATS, "UAV n is RAT n");

/* A 64-bit operand. */
struct direct_wide {
   struct uop_operand lo, hi;
};

struct direct {
   struct program *p;
   struct uop_builder b; /* of p->code */
   struct sq_const_ref *consts;
   struct sq_tex_ref *tex;
   struct sq_vtx_ref *vtx;
   uint32_t cap_consts, cap_tex, cap_vtx, cap_cfs, cap_fetches;
   const struct il_program *source; /* as written: messages and origins are of this one */
   const struct il_program *il;     /* legalised */
   const struct il_inst *inst;      /* being lifted */
   uint32_t pos;                    /* its index */
   uint32_t place;                  /* il_place() of it */
   struct direct_program *out;
   struct sq_cf no_cf; /* what is written when memory is out */
   struct fetch no_fetch;

   uint32_t clause; /* first uop of the open clause */
   bool barrier;    /* in the open clause */
   uint32_t pool;   /* components of the pool in use */
   uint32_t rows;   /* next free row */

   struct direct_temp *temp; /* by number; temp.c */
   uint32_t num_temps, *free_rows, num_free_rows;
   struct il_declared decl;
   uint32_t *array_row;      /* of x#, by number */
   uint32_t icb, icb_dwords; /* first literal */

   uint32_t input_row; /* PS */

   /* GS, HS, DS */
   uint32_t points;                         /* vertices or control points that come in */
   uint32_t first_kept, last_kept;          /* rows that the launcher fills */
   uint32_t vertex_counter[DIRECT_STREAMS]; /* component */
   bool in_phase, patch_phase;
   uint32_t patch_branch;

   struct il_walk walk;
};

/* lift.c */
/** Lifts; `out` has the program, not bound to any build. */
bool direct_lift_program(const struct il_program *il, uint32_t pgm_resources_2,
                         struct direct_program *out, char *error, size_t error_size);
void direct_refuse(struct direct *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint32_t direct_rows(struct direct *d, uint32_t count);
struct sq_cf *direct_cf(struct direct *d, unsigned op);
void direct_close(struct direct *d);
/** Adds an output's components to those that the program writes, or all of them at an index. */
void direct_note_output(struct direct *d, const struct il_dst *dst, bool patch);

/* operand.c */
struct uop_operand direct_literal(struct direct *d, uint32_t bits);
struct uop_operand direct_row(uint32_t row, unsigned chan);
struct uop_operand direct_at(uint32_t offset);
/** A component of the pool. */
uint32_t direct_temp(struct direct *d);
/** A dword of a constant buffer of the draw. */
struct uop_operand direct_const(struct direct *d, unsigned bank, uint32_t dword);
/** What the wave knows of itself: an enum uop_special_source. */
struct uop_operand direct_special(struct direct *d, unsigned source);
/** Component `to` = component `chan` of vec4 index + element of a constant buffer. */
void direct_element(struct direct *d, uint32_t to, unsigned bank, uint32_t element, unsigned chan,
                    struct uop_operand index);
/** Which rows an operation on an array is of. */
void direct_array(struct uop *u, uint32_t row, uint32_t rows, uint32_t offset, unsigned chan);
/** A lane-wise operation into the pool. */
struct uop_operand direct_op(struct direct *d, enum uop_id op, struct uop_operand a,
                             struct uop_operand b, struct uop_operand c);
void direct_move(struct direct *d, uint32_t to, struct uop_operand v);
/** The index of a register; without one, a literal 0. */
struct uop_operand direct_index(struct direct *d, const struct il_ref *r);
/** Component `comp` of source `s` of the instruction, modifiers applied as the opcode's type says.
 */
struct uop_operand direct_src(struct direct *d, const struct il_src *src, unsigned comp);
/** The same without modifiers. */
struct uop_operand direct_bits(struct direct *d, const struct il_src *src, unsigned comp);
struct direct_wide direct_wide(struct direct *d, const struct il_src *src);
/** The destination's scale and saturation. */
struct uop_operand direct_modify(struct direct *d, const struct il_dst *dst, struct uop_operand v);
/** Where a component is kept; 0: nowhere, or at an index. */
uint32_t direct_place(struct direct *d, const struct il_ref *r, unsigned comp);
void direct_store(struct direct *d, const struct il_dst *dst, const struct uop_operand result[4]);

/* What the units of IL's table make of an instruction; false: there is no meaning for it. */
bool direct_alu(struct direct *d, const struct il_inst *inst);
bool direct_alu_wide(struct direct *d, const struct il_inst *inst);
bool direct_memory(struct direct *d, const struct il_inst *inst);
bool direct_texture(struct direct *d, const struct il_inst *inst);
bool direct_stream(struct direct *d, const struct il_inst *inst);
bool direct_system(struct direct *d, const struct il_inst *inst);
bool direct_emit(struct direct *d, const struct il_inst *inst);
bool direct_phase(struct direct *d, const struct il_inst *inst);
/** INIT_SR: what cb0[0] says becomes of the shared registers. */
bool direct_init_shared(struct direct *d);

/* pixel.c, texture.c */
void direct_pixel_begin(struct direct *d);
void direct_derivative(struct direct *d, const struct il_inst *inst);
void direct_samplepos(struct direct *d, const struct il_inst *inst);
/** Element `index` of the buffer that `ref` names, in registers that the next fetch changes. */
void direct_fetch_buffer(struct direct *d, const struct sq_vtx_ref *ref, struct uop_operand index,
                         struct uop_operand r[4]);
/** x or y of the position of a sample in its pixel. */
struct uop_operand direct_sample_position(struct direct *d, struct uop_operand id, unsigned axis);

/* memory.c, uav.c */
struct uop_operand direct_thread(struct direct *d, unsigned type, unsigned comp);
/** v + n */
struct uop_operand direct_add(struct direct *d, struct uop_operand v, uint32_t n);
/** element * stride + offset; without a stride the element is bytes already. */
struct uop_operand direct_bytes(struct direct *d, struct uop_operand element, uint32_t stride,
                                struct uop_operand offset);
/** An operation on local data, and what it returns. */
struct uop_operand direct_lds_op(struct direct *d, unsigned op, bool returns,
                                 struct uop_operand address, struct uop_operand a,
                                 struct uop_operand b);
bool direct_uav(struct direct *d, const struct il_inst *inst);
bool direct_srv(struct direct *d, const struct il_inst *inst);

/* stage.c */
/** Writes a component of vpc#. */
void direct_patch_store(struct direct *d, const struct il_ref *r, unsigned comp,
                        struct uop_operand v);
/** A register of a geometry, hull or domain shader; false: it is none. */
bool direct_stage_source(struct direct *d, const struct il_src *src, unsigned chan,
                         struct uop_operand *v);
void direct_stage_begin(struct direct *d);

/* flow.c */
extern const struct il_flow_to direct_flow;
/** Lanes for which the predicate operation holds go on, until the branch that it names ends. */
uint32_t direct_branch(struct direct *d, unsigned pred, struct uop_operand a, struct uop_operand b);
void direct_branch_end(struct direct *d, uint32_t jump);
/** Does the instruction at hand stand inside a block of the program as written? */
bool direct_in_block(const struct direct *d);

/* temp.c */
/** Which temporaries there are, and where they are mentioned. */
void direct_temps_measure(struct direct *d);
/** Gives rows to those that the instruction at d->pos writes, and takes back those that nothing
 *  after it reads. */
void direct_temps_place(struct direct *d);
void direct_temps_free(struct direct *d);
/** The row of a temporary; 0: nothing writes it. */
uint32_t direct_temp_row(const struct direct *d, uint32_t number);

#define DOP1(op, a)       direct_op(d, UOP_##op, a, a, a)
#define DOP2(op, a, b)    direct_op(d, UOP_##op, a, b, b)
#define DOP3(op, a, b, c) direct_op(d, UOP_##op, a, b, c)

#endif
