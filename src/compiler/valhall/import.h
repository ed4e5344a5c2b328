/* SPDX-License-Identifier: MIT */
/* What the files of the import pass share. */
#ifndef VALHALL_IMPORT_H
#define VALHALL_IMPORT_H

#include "ir.h"

#include "compiler/front.h"
#include "il/walk.h"

#define MAX_INPUTS  IL_MAX_INPUTS
#define MAX_OUTPUTS IL_MAX_OUTPUTS

enum { OUT_DEPTH, OUT_STENCIL, OUT_MASK, OUT_EDGE_FLAG, OUT_SPECIAL_COUNT };

/* A way to a label: the block that jumps there, and what the variables are then. */
struct vim_way {
   uint32_t block;
   struct vc_operand *vars;
};

struct vim_label {
   struct vim_way *ways;
   uint32_t count, cap;
};

/* A branch, loop or switch that is open. */
struct vim_flow {
   bool loop, has_else, was_dead;
   uint32_t known;
   struct vim_label other; /* else; of a loop, continue; of a switch, default */
   struct vim_label end;
   uint32_t header;         /* of a loop */
   struct vc_inst **phis;   /* of a loop, by variable */
   struct vim_label *cases; /* of a switch, labels in their order */
   uint32_t num_cases, next_case;
};

struct vim {
   struct vc *c;
   const struct il_program *il;
   const struct il_inst *inst;
   uint32_t pos;
   struct il_walk *walk;
   struct il_declared decl;

   /* what variables are now */
   struct vc_operand *vars;
   uint32_t num_vars;
   bool dead;                 /* control does not come here */
   struct vc_operand **spare; /* snapshots that nobody needs any more */
   uint32_t num_spare, cap_spare;

   uint32_t retry_var; /* what an atomic operation that is tried again saw */
   uint32_t out_base, special_base;
   uint8_t out_written[MAX_OUTPUTS], special_written[OUT_SPECIAL_COUNT];
   bool out_indexed;   /* outputs are in thread storage */
   uint32_t out_array; /* byte in thread storage */

   uint32_t *array_base; /* variable, or byte in thread storage */

   uint8_t used[MAX_INPUTS]; /* components that are read */
   uint8_t param[IL_LINK_COUNT];
   unsigned num_gradients;   /* samples with gradients so far */
   uint32_t clock, clock_at; /* the time as the instruction there reads it, a pair */

   struct front_slots slots;
   uint32_t next[4]; /* variables of geometry programs: vertices emitted to each stream */
   /* tessellation */
   bool patch_phase;

   struct vim_flow *flow; /* that are open, of the program and made for one instruction */
   uint32_t depth, cap_flow;
};

void __attribute__((noreturn)) vim_unsupported(struct vim *im, const char *what);

/* --- import.c: operands --- */
/** Component of a source with its modifiers; float ones may be left on it. */
struct vc_operand vim_src(struct vim *im, const struct il_src *src, unsigned comp);
/** The same for operations that take none. */
struct vc_operand vim_bits(struct vim *im, const struct il_src *src, unsigned comp);
/** The index of a reference; 0 if it has none. */
struct vc_operand vim_index(struct vim *im, const struct il_ref *r);
/** A result as the destination's modifiers change it. */
struct vc_operand vim_modified(struct vim *im, const struct il_dst *dst, struct vc_operand v);
void vim_store(struct vim *im, const struct il_dst *dst, const struct vc_operand result[4]);
/** The same in all four. */
void vim_store1(struct vim *im, const struct il_dst *dst, struct vc_operand v);
struct vc_operand vim_constant(struct vim *im, unsigned bank, uint32_t element, unsigned comp);
struct vc_operand vim_indexed_constant(struct vim *im, unsigned bank, uint32_t element,
                                       struct vc_operand index, unsigned comp);
struct vc_operand vim_driver(struct vim *im, unsigned vec4, unsigned comp);
/** Component of an output as it is now. */
struct vc_operand vim_out(struct vim *im, unsigned reg, unsigned comp);
/** Reads or addresses n registers of thread storage. */
struct vc_operand vim_storage(struct vim *im, struct vc_operand offset, struct vc_operand inside);
struct vc_operand vim_float(float f);

bool vim_alu(struct vim *im, const struct il_inst *inst);

/* --- import_flow.c --- */
extern const struct il_flow_to vim_flow_to;
void vim_flow_begin(struct vim *im);
void vim_flow_end(struct vim *im);
/** Starts a branch on a condition, and ends it: for what is made of more than one block. */
void vim_if(struct vim *im, struct vc_operand cond, bool if_zero);
void vim_else(struct vim *im);
void vim_endif(struct vim *im);
/** A loop that changes a variable alone; leaves it where `cond` is not zero. */
void vim_loop(struct vim *im, uint32_t var);
void vim_break(struct vim *im, struct vc_operand cond);
void vim_endloop(struct vim *im);

/* --- import_io.c --- */
void vim_scan_inputs(struct vim *im);
struct vc_operand vim_input(struct vim *im, const struct il_src *src, unsigned comp);
struct vc_operand vim_system(struct vim *im, unsigned regtype, unsigned comp);
/** A word of the time. */
struct vc_operand vim_clock(struct vim *im, unsigned comp);
bool vim_sysval(struct vim *im, const struct il_inst *inst);
void vim_finish(struct vim *im);
void vim_vs_outputs(struct vim *im);
void vim_streamout(struct vim *im, unsigned stream);

/* --- import_memory.c --- */
bool vim_memory(struct vim *im, const struct il_inst *inst);
struct vc_operand vim_thread(struct vim *im, unsigned regtype, unsigned comp);

/* --- import_texture.c --- */
bool vim_texture(struct vim *im, const struct il_inst *inst);

/* --- import_stage.c --- */
bool vim_stage(struct vim *im, const struct il_inst *inst);
void vim_stage_begin(struct vim *im);
/** Inputs and outputs that geometry and tessellation have. */
bool vim_stage_source(struct vim *im, const struct il_src *src, unsigned comp,
                      struct vc_operand *v);
bool vim_stage_store(struct vim *im, const struct il_dst *dst, unsigned comp, struct vc_operand v);
void vim_stage_finish(struct vim *im);
void vim_copy(struct vim *im);

#endif /* VALHALL_IMPORT_H */
