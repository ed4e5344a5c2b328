/* SPDX-License-Identifier: MIT */
/* What the files of the import pass share. */
#ifndef CAYMAN_IMPORT_H
#define CAYMAN_IMPORT_H

#include "ir.h"

#include "compiler/front.h"
#include "il/walk.h"

/* One component of an IL register that holds values: r#, o#. */
struct reg_comp {
   value_id value;   /* 0: not met yet */
   uint32_t defs;    /* writers in IL */
   uint32_t def_pos; /* of the only writer: instruction and region */
   uint32_t def_region;
   bool variable;  /* written more than once, or read where the writer may not have run */
   bool has_alias; /* SSA and only a copy: readers take `alias` */
   struct cc_operand alias;
};

#define MAX_INPUTS  IL_MAX_INPUTS
#define MAX_OUTPUTS IL_MAX_OUTPUTS

enum { OUT_DEPTH, OUT_STENCIL, OUT_MASK, OUT_EDGE_FLAG, OUT_SPECIAL_COUNT };

struct importer {
   struct compiler *c;
   const struct il_program *il;
   const struct il_inst *inst; /* being imported */
   uint32_t pos;
   struct il_walk *walk;
   struct il_declared decl;

   struct reg_comp *temps; /* 4 per register */
   struct reg_comp out[MAX_OUTPUTS][4];
   struct reg_comp out_special[OUT_SPECIAL_COUNT][4];

   struct {
      uint32_t size;
      bool indexed;
      uint8_t used;    /* components, a mask */
      uint8_t chan[4]; /* where each is kept, of those used */
      int32_t array;
      struct reg_comp *comps;
   } * xarrays;
   uint32_t num_xarrays;

   uint8_t used[MAX_INPUTS];     /* components that are read */
   uint8_t param[IL_LINK_COUNT]; /* SPI's number */
   value_id input[MAX_INPUTS][4];
   /* inputs and outputs that are indexed live in arrays of their own, after those declared */
   struct io_array {
      bool indexed;
      uint32_t array;       /* number among xarrays */
      uint32_t first, last; /* registers */
   } in_array, out_array;

   /* system values, loaded once */
   value_id front_face, fragcoord_w;
   int8_t bary_gpr[SHADER_BARY_COUNT]; /* pair number, -1 unused */
   value_id bary_i[SHADER_BARY_COUNT], bary_j[SHADER_BARY_COUNT];
   value_id position[4], face[4], fixed_pt[4];

   /* ES and GS: import_gs.c */
   struct front_slots slots;
   value_id vertex_offset[6], primitive, invocation;
   struct {
      struct inst *fetch; /* of a slot of a vertex, good in its block and, if `lasting`, after it */
      uint32_t block;
      bool lasting;
   } (*vertex_fetch)[MAX_OUTPUTS]; /* six of each */
   struct {
      struct inst *fetch;
      uint32_t slot, base, origin;
      struct cc_operand index;
   } last_vertex;
   struct gs_stream {
      bool counted;     /* some emits stand in branches or loops: `next` says where */
      value_id next;    /* in vec4s */
      uint32_t emitted; /* not counted: vertices so far */
   } stream[4];

   /* compute, local data and UAVs: import_cs.c */
   value_id thread[3], group[3], return_place;

   /* tessellation: import_tess.c */
   value_id tess_reg[4]; /* R0 */
   struct cc_operand hs_point;
   bool hs_patch_phase;
   uint32_t patch_branch;

   uint32_t *region_parent;
   uint32_t num_regions, cap_regions, region;

   uint32_t pairs; /* operations of doubles in two slots so far */
   /* the last element read from an array in scratch memory, for its other components */
   struct {
      struct inst *fetch;
      uint32_t array, elem, origin;
      struct cc_operand index;
   } last_load;

   struct cc_operand resource_index, sampler_index; /* of the fetch being imported */

   /* the last vec4 read from a constant buffer at a run-time index */
   struct {
      struct inst *fetch;
      uint32_t bank, base, origin, block;
      struct cc_operand index;
   } last_constant;
};

void __attribute__((noreturn)) im_unsupported(struct importer *im, const char *what);

/** Component `comp` of a source, swizzle and modifiers applied. */
struct cc_operand im_src(struct importer *im, const struct il_src *src, unsigned comp);

/** Component `sel` of an array's element, without modifiers. */
struct cc_operand im_array_element(struct importer *im, const struct il_src *src, unsigned sel);

/** The same without float modifiers left on it: for operations that have none. */
struct cc_operand im_plain(struct importer *im, struct cc_operand o);

/** Emit with operands made legal for the operation. */
value_id im_emit(struct importer *im, unsigned op, value_id dst, struct cc_operand a,
                 struct cc_operand b, struct cc_operand d);
/* The same as operands, named by Cayman's operation. */
#define E1(op, x)       op_value(im_emit1(im, CAYMAN_ALU_##op, x))
#define E2(op, x, y)    op_value(im_emit2(im, CAYMAN_ALU_##op, x, y))
#define E3(op, x, y, z) op_value(im_emit3(im, CAYMAN_ALU_##op, x, y, z))
value_id im_emit1(struct importer *im, unsigned op, struct cc_operand a);
value_id im_emit2(struct importer *im, unsigned op, struct cc_operand a, struct cc_operand b);
value_id im_emit3(struct importer *im, unsigned op, struct cc_operand a, struct cc_operand b,
                  struct cc_operand d);

/** The value of a register component, made when it is first met. */
value_id im_comp_value(struct importer *im, struct reg_comp *r);

/** Store result component values: mask, forced components, saturation and shift are applied. */
void im_store(struct importer *im, const struct il_dst *dst, const struct cc_operand result[4]);

/** A result with the destination's scale and saturation. */
struct cc_operand im_modify(struct importer *im, const struct il_dst *dst, struct cc_operand o);

/* import_flow.c */
extern const struct il_flow_to im_flow;
/** Begins a branch on a predicate operation, and names it; its else does, too. */
uint32_t im_begin_if(struct importer *im, unsigned pred_op, struct cc_operand a,
                     struct cc_operand b);
uint32_t im_else(struct importer *im, uint32_t branch);
void im_end_if(struct importer *im, uint32_t branch);

/* import_alu.c */
bool im_alu(struct importer *im, const struct il_inst *inst);
/** Which of a reciprocal's forms a zeroop means. */
unsigned im_zero_op(unsigned zeroop, unsigned ieee, unsigned clamped, unsigned ff);

/* import_alu64.c */
bool im_alu64(struct importer *im, const struct il_inst *inst);

/* import_query.c */
void im_info(struct importer *im, const struct il_inst *inst);
void im_sample_place(struct importer *im, const struct il_inst *inst, struct cc_operand result[4]);

/* import_fetch.c */
void im_init_tex(struct importer *im, struct fetch_op *f, unsigned op, unsigned resource,
                 unsigned sampler);
/** Values for the result's components that are wanted. */
void im_fetch_results(struct importer *im, struct inst *inst, struct fetch_op *f, unsigned mask,
                      struct cc_operand result[4]);
bool im_fetch(struct importer *im, const struct il_inst *inst);
/** vec4 of a constant buffer at a run-time index, through the fetch unit. */
struct cc_operand im_indexed_constant(struct importer *im, unsigned bank, unsigned base,
                                      struct cc_operand index, unsigned comp);

/** A fetch instruction of `count` fetches at the end of the current block. */
struct inst *im_new_fetch(struct importer *im, unsigned count);
/** Names a resource by its number plus an index at run time, which is in im->resource_index. */
void im_index_fetch(struct importer *im, const struct il_inst *inst, struct inst *fetch,
                    unsigned last);
void im_read_indices(struct importer *im, const struct il_inst *inst);

/** A fetch of texels by their numbers and level, not yet with results, from texture `n` (counted
 *  from CAYMAN_RESOURCE_TEXTURE). */
struct inst *im_texel_fetch(struct importer *im, unsigned n, const struct cc_operand at[4]);
/** A fetch from a buffer, not yet with results: with the format of its descriptor, or of four
 *  dwords. */
struct inst *im_buffer_fetch(struct importer *im, unsigned resource, struct cc_operand index,
                             bool const_fields, unsigned op);
/** How two values change from pixel to pixel: along x (axis 0) or y. */
void im_gradient(struct importer *im, unsigned axis, const value_id of[2],
                 struct cc_operand result[4]);
/** A vec4 of the stage's ring at dword `index` + `offset`; not yet with results. */
struct inst *im_ring_fetch(struct importer *im, struct cc_operand index, unsigned offset);

/* import_stream.c */
bool im_stream(struct importer *im, const struct il_inst *inst);

/* import_gs.c */
void im_gs_scan(struct importer *im);
void im_gs_begin(struct importer *im);
struct cc_operand im_gs_input(struct importer *im, const struct il_src *src, unsigned sel);
bool im_gs(struct importer *im, const struct il_inst *inst);
void im_es_finish(struct importer *im);
void im_gs_copy(struct importer *im);

/* import_cs.c */
void im_cs_begin(struct importer *im);
/** A component of a register that says which thread this is. */
struct cc_operand im_thread_id(struct importer *im, unsigned type, unsigned comp);
bool im_memory(struct importer *im, const struct il_inst *inst);
/** The threads of a work group wait for each other. */
void im_barrier(struct importer *im);

/** The thread's number in its wave. */
struct cc_operand im_lane(struct importer *im);

/** An access of UAV n; what it takes is for the caller to fill in. */
struct inst *im_rat(struct importer *im, unsigned n, unsigned op, const struct cc_operand index[3]);

/** element * stride + offset + base */
struct cc_operand im_struct_address(struct importer *im, struct cc_operand element, uint32_t stride,
                                    struct cc_operand offset, uint32_t base);

/** An operation on local data; its result if it returns one. */
struct cc_operand im_lds_inst(struct importer *im, unsigned op, struct cc_operand address,
                              struct cc_operand a, struct cc_operand b);

/** Stores component `comp` of a vector at the address, and in the same instruction the next one
 *  after it, if `mask` has that, too: the last component that is stored. */
unsigned im_lds_write(struct importer *im, struct cc_operand address, unsigned mask, unsigned comp,
                      const struct cc_operand value[4]);

/* import_tess.c */
void im_tess_begin(struct importer *im);
struct cc_operand im_tess_point(struct importer *im, const struct il_src *src, unsigned sel);
struct cc_operand im_tess_patch(struct importer *im, const struct il_src *src, unsigned sel);
struct cc_operand im_tess_value(struct importer *im, unsigned type, unsigned comp);
void im_tess_store(struct importer *im, const struct il_dst *dst, unsigned mask,
                   const struct cc_operand value[4]);
bool im_tess_phase(struct importer *im, const struct il_inst *inst);
void im_ls_finish(struct importer *im);
void im_hs_finish(struct importer *im);

/* import_gds.c */
bool im_gds(struct importer *im, const struct il_inst *inst);
/** An operation on global data, without results; sources are values, 0 or 1.0. */
struct inst *im_gds_inst(struct importer *im, unsigned op, const struct cc_operand src[3]);

/* import_io.c */
/** An export or memory write at the end of the current block, sources to be filled in. */
struct inst *im_export(struct importer *im, unsigned cf_op, unsigned type, unsigned base);
/** A source of it: a value, or 0 or 1.0 where constants may be. */
struct cc_operand im_export_src(struct importer *im, struct cc_operand o, bool constants);
unsigned im_out_written(const struct importer *im, unsigned reg);
void im_stream_out(struct importer *im, unsigned stream);
void im_finish_vs(struct importer *im);
struct cc_operand im_input(struct importer *im, unsigned reg, unsigned comp);
struct cc_operand im_coverage(struct importer *im);
/** eval_*; false: not one of these. */
bool im_evaluate(struct importer *im, const struct il_inst *inst);
void im_scan_inputs(struct importer *im);
void im_begin(struct importer *im);
void im_finish(struct importer *im);
struct cc_operand im_out_value(struct importer *im, const struct reg_comp *r);

/* import_sysval.c */
bool im_sysval(struct importer *im, const struct il_inst *inst);

/** x or y of a sample of the pixel, in 0..1. */
struct cc_operand im_sample_position(struct importer *im, struct cc_operand id, unsigned comp);

/* import_refuse.c */
/** Why there is no code for an operation, or NULL. */
const char *im_refusal(unsigned op);

/* import_array.c */
/** GPRs or scratch memory for all indexed arrays. */
void im_make_arrays(struct importer *im);
/** Room for the arrays of inputs and outputs after the declared ones. */
void im_reserve_io_arrays(struct importer *im);
/** An input or output is indexed from register `base` on. */
void im_index_inputs(struct importer *im, uint32_t base);
void im_index_outputs(struct importer *im, uint32_t base);
/** True, and a reference to the array's element: the output lives in the array. */
bool im_output_element(const struct importer *im, const struct il_dst *dst, struct il_dst *element);
/** An input at a run-time index as an element of the array. */
struct il_src im_input_element(const struct importer *im, const struct il_src *src);
void im_fill_input_array(struct importer *im);
void im_take_output_array(struct importer *im);

/* import_scan.c */
void im_scan(struct importer *im);
struct reg_comp *im_temp_comp(struct importer *im, uint32_t num, unsigned comp);
/** Where component `comp` of a destination is kept, or NULL (an indexed array). */
struct reg_comp *im_dst_comp(struct importer *im, const struct il_dst *dst, unsigned comp);
/** Components of source `s` (as selected, after the swizzle) that the instruction reads. */

#endif /* CAYMAN_IMPORT_H */
