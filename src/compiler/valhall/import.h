/* SPDX-License-Identifier: MIT */
/* What the files of the import pass share. */
#ifndef VALHALL_IMPORT_H
#define VALHALL_IMPORT_H

#include "ir.h"

#include "il/conventions.h"
#include "il/il.h"

#define MAX_INPUTS  128
#define MAX_OUTPUTS 64
#define MAX_DEPTH   256

enum { OUT_DEPTH, OUT_STENCIL, OUT_MASK, OUT_EDGE_FLAG, OUT_SPECIAL_COUNT };

/* A way to a label: the block that jumps there, and what the variables are then. */
struct vi_way {
   uint32_t block;
   struct vc_operand *vars;
};

struct vi_label {
   struct vi_way *ways;
   uint32_t count, cap;
};

struct vi_flow {
   uint8_t kind; /* enum il_flow: IF, LOOP, SWITCH */
   bool has_else, has_default, was_dead;
   uint32_t known;
   struct vi_label other; /* IF: else; LOOP: continue */
   struct vi_label end;
   uint32_t header;                  /* LOOP */
   struct vc_inst **phis;            /* LOOP: by variable */
   struct vi_label *cases, fallback; /* SWITCH: of labels, in their order */
   uint32_t num_cases, next_case;
};

struct vi_input {
   bool declared;
   uint8_t mode;  /* enum il_interpmode */
   uint8_t usage; /* enum il_importusage */
   uint8_t param;
   uint8_t used;
};

struct vi_texture {
   bool declared, unnorm, integer;
   uint8_t type; /* enum il_pixtex */
};

struct im {
   struct vc *c;
   const struct il_program *il;
   const struct il_inst *inst;
   uint32_t pos;

   /* what variables are now */
   struct vc_operand *vars;
   uint32_t num_vars;
   bool dead;       /* control does not come here */
   bool *unreached; /* by block */
   uint32_t cap_unreached;
   struct vc_operand **spare; /* snapshots that nobody needs any more */
   uint32_t num_spare, cap_spare;

   uint32_t num_temps;
   uint32_t retry_var; /* what an atomic operation that is tried again saw */
   uint32_t out_base, special_base;
   uint8_t out_written[MAX_OUTPUTS], special_written[OUT_SPECIAL_COUNT];
   uint8_t out_declared[MAX_OUTPUTS];
   bool out_indexed;
   uint32_t out_array; /* byte in thread storage */

   const uint32_t **literals;
   uint32_t num_literals;
   const struct il_inst *icb;
   const struct il_inst **defs;
   uint32_t num_defs, cap_defs;
   struct vi_array {
      uint32_t size; /* elements */
      bool indexed;
      uint32_t base; /* variable, or byte in thread storage */
   } * arrays;
   uint32_t num_arrays;

   struct vi_input input[MAX_INPUTS];
   struct vi_texture texture[32];
   struct {
      bool declared, typed;
      uint8_t type;
      uint32_t stride;
   } uav[IL_MAX_UAVS];
   struct {
      uint32_t base, size, stride;
   } lds[16];
   struct {
      bool declared;
      uint32_t base, stride;
   } gds[16];
   uint32_t gds_bytes;
   struct {
      bool declared;
      uint32_t stride;
   } srv[128];
   bool counters;

   uint64_t link_slots; /* that go to the next stage, or come from the one before */
   /* geometry */
   unsigned in_vertices;
   struct {
      bool used;
      uint64_t slots;
      uint32_t next; /* variable: vertices emitted */
   } stream[4];
   /* tessellation */
   bool flat;
   uint64_t tess_read, tess_written, tess_own;

   struct vi_flow flow[MAX_DEPTH];
   unsigned depth;
   bool ended;
};

void __attribute__((noreturn)) vi_unsupported(struct im *im, const char *what);

/* --- import.c: operands --- */
/** Component of a source with its modifiers; float ones may be left on it. */
struct vc_operand vi_src(struct im *im, const struct il_src *src, unsigned comp);
/** The same for operations that take none. */
struct vc_operand vi_bits(struct im *im, const struct il_src *src, unsigned comp);
/** The index of a reference; 0 if it has none. */
struct vc_operand vi_index(struct im *im, const struct il_ref *r);
void vi_store(struct im *im, const struct il_dst *dst, const struct vc_operand result[4]);
/** The same in all four. */
void vi_store1(struct im *im, const struct il_dst *dst, struct vc_operand v);
struct vc_operand vi_constant(struct im *im, unsigned bank, uint32_t element, unsigned comp);
struct vc_operand vi_indexed_constant(struct im *im, unsigned bank, uint32_t element,
                                      struct vc_operand index, unsigned comp);
struct vc_operand vi_driver(struct im *im, unsigned vec4, unsigned comp);
unsigned vi_src_mask(const struct im *im, const struct il_inst *inst, unsigned s);
/** Component of an output as it is now. */
struct vc_operand vi_out(struct im *im, unsigned reg, unsigned comp);
/** Reads or addresses n registers of thread storage. */
struct vc_operand vi_storage(struct im *im, struct vc_operand offset, struct vc_operand inside);
struct vc_operand vi_float(float f);

bool vi_alu(struct im *im, const struct il_inst *inst);
struct vc_operand vi_divide(struct im *im, struct vc_operand a, struct vc_operand b);

/* --- import_flow.c --- */
bool vi_flow(struct im *im, const struct il_inst *inst);
void vi_flow_begin(struct im *im);
void vi_flow_end(struct im *im);
/** Starts a branch on a condition, and ends it: for what is made of more than one block. */
void vi_if(struct im *im, struct vc_operand cond, bool if_zero);
void vi_else(struct im *im);
void vi_endif(struct im *im);
/** A loop that changes a variable alone; leaves it where `cond` is not zero. */
void vi_loop(struct im *im, uint32_t var);
void vi_break(struct im *im, struct vc_operand cond);
void vi_endloop(struct im *im);

/* --- import_io.c --- */
void vi_declare(struct im *im, const struct il_inst *inst);
void vi_scan_inputs(struct im *im);
struct vc_operand vi_input(struct im *im, const struct il_src *src, unsigned comp);
struct vc_operand vi_system(struct im *im, unsigned regtype, unsigned comp);
bool vi_sysval(struct im *im, const struct il_inst *inst);
void vi_finish(struct im *im);
void vi_vs_outputs(struct im *im);
void vi_streamout(struct im *im, unsigned stream);

/* --- import_memory.c --- */
void vi_memory_declare(struct im *im, const struct il_inst *inst);
bool vi_memory(struct im *im, const struct il_inst *inst);
struct vc_operand vi_thread(struct im *im, unsigned regtype, unsigned comp);

/* --- import_texture.c --- */
void vi_texture_declare(struct im *im, const struct il_inst *inst);
bool vi_texture(struct im *im, const struct il_inst *inst);
unsigned vi_texture_type(const struct im *im, const struct il_inst *inst);

/* --- import_stage.c --- */
void vi_stage_declare(struct im *im, const struct il_inst *inst);
bool vi_stage(struct im *im, const struct il_inst *inst);
void vi_stage_begin(struct im *im);
/** Inputs and outputs that geometry and tessellation have. */
bool vi_stage_source(struct im *im, const struct il_src *src, unsigned comp, struct vc_operand *v);
bool vi_stage_store(struct im *im, const struct il_dst *dst, unsigned comp, struct vc_operand v);
void vi_stage_finish(struct im *im);
void vi_copy(struct im *im);

#endif /* VALHALL_IMPORT_H */
