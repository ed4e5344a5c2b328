/* SPDX-License-Identifier: MIT */
/* The translator's state, shared by its files: program.c (control flow, declarations), alu.c,
 * intrinsic.c, memory.c, texture.c, value.c (where SSA values live).
 *
 * The NIR that arrives here has 32-bit and 64-bit values, phi webs as registers, indexed variables
 * as array registers, vec4 UBO loads and I/O intrinsics with constant offsets (lower.c sees to it).
 */
#ifndef ATOLL_TRANSLATE_H
#define ATOLL_TRANSLATE_H

#include "nir.h"

#include "il/conventions.h"
#include "il/il.h"
#include "nir_to_il.h"

/* Where a value is: a register, and which of its components holds component n of the value. */
struct tr_value {
   bool known;
   uint8_t type;   /* il_regtype: TEMP, LITERAL or ITEMP (array register) */
   uint32_t num;   /* register number */
   uint32_t elems; /* ITEMP: length */
   uint8_t comp[4];
};

struct input_decl {
   uint8_t mask;
   uint8_t usage;  /* il_importusage */
   uint8_t interp; /* il_interpmode */
};

struct resource_decl {
   bool used, typed; /* typed: the format is known from a fetch, not only from a query */
   uint8_t type;     /* il_pixtex */
   bool unnorm;
   uint8_t format; /* il_elementformat */
};

#define MAX_INPUTS 128

/* The uniform block that the driver's constants are to NIR, after those of Gallium. */
#define DRIVER_BLOCK IL_MAX_CONST_BUFFERS

struct translator {
   const nir_shader *nir;
   const struct atoll_nir_key *key;
   struct il_program *p;
   char *error;
   size_t error_size;
   bool failed;

   struct tr_value *values; /* by nir_def index */
   struct tr_value nowhere; /* for values that could not be placed; the error is recorded */
   uint32_t num_values;
   uint32_t next_temp;
   uint32_t scalars, scalars_used; /* temp that is being filled with scalars, components taken */
   uint32_t pair, pair_used;       /* the same for two-component values */
   uint32_t next_array;
   uint32_t array_size[256];
   uint64_t array_vec4s; /* of all of them */

   uint32_t (*literals)[4]; /* l#, with the number of components in use */
   uint8_t *literal_used;
   uint32_t num_literals, cap_literals;

   struct input_decl inputs[MAX_INPUTS];
   uint8_t vertex_input_mask[IL_LINK_COUNT]; /* GS: v[vertex][slot] */
   uint8_t output_mask[IL_LINK_COUNT];
   uint8_t color_mask[8];
   bool writes_depth, uses_sysval, uses_edge;
   uint32_t cbs;          /* bit n: cbN is read */
   unsigned driver_vec4s; /* of cb15 */
   bool uses_icb;
   struct resource_decl resources[256];
   struct atoll_nir_uavs uavs;
   struct atoll_nir_counters counters;
};

/* Records the first error: "not implemented: ..." and the like. */
void tr_fail(struct translator *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---------------------------------------------------------------------------------- lower.c -- */

/* Whether a product and a sum that need not be exact are rounded once: IL's fma, not its mad. */
bool tr_fuses(const nir_shader *nir);
/* Whether what is the same in all of a draw leaves the program (hoist_values.c). */
bool tr_hoists(const nir_shader *nir);
/* Whether an operation on what leaves the program may leave it, too. */
bool tr_hoists_op(nir_op op);

/* ---------------------------------------------------------------------------------- value.c -- */

/* A register for a value that will be written component by component (`positional` false), or by an
 * instruction that decides which component goes where (positional: component n in n). */
struct tr_value *tr_define(struct translator *t, const nir_def *def, bool positional);

/* Where a defined value is; fails for an undefined one. */
const struct tr_value *tr_value(struct translator *t, const nir_def *def);

/* A fresh temp of four components. */
uint32_t tr_temp(struct translator *t);

/* The destination that writes the components in `mask` of a value. */
struct il_dst tr_dst(const struct tr_value *v, unsigned mask);

/* Source that delivers component swz[n] of `v` where component n of the destination value `d` is
 * written, for n < comps. */
struct il_src tr_src(const struct tr_value *v, const uint8_t *swz, const struct tr_value *d,
                     unsigned comps);

/* Source with components 0..comps-1 of a value in x, y, ...; the last one repeated. */
struct il_src tr_vector(struct translator *t, const nir_def *def, unsigned comps);

/* Source with one component of a value everywhere. */
struct il_src tr_scalar(struct translator *t, const nir_def *def, unsigned comp);

/* Source with the same 32 bits everywhere. */
struct il_src tr_bits(struct translator *t, uint32_t bits);
struct il_src tr_float(struct translator *t, float f);

/* A literal of up to four components, as a value. */
struct tr_value tr_literal(struct translator *t, const uint32_t *bits, unsigned comps);

/* Emits with the error recorded when memory is out; may return NULL. */
struct il_inst *tr_emit(struct translator *t, enum il_opcode op, unsigned ctl, struct il_dst dst,
                        unsigned nsrc, const struct il_src *src);
struct il_inst *tr_emit0(struct translator *t, enum il_opcode op, unsigned ctl, unsigned nsrc,
                         const struct il_src *src);

/* ------------------------------------------------------------------------- one file a class -- */

void tr_alu(struct translator *t, const nir_alu_instr *alu);
void tr_intrinsic(struct translator *t, const nir_intrinsic_instr *intr);
void tr_texture(struct translator *t, const nir_tex_instr *tex);

/* memory.c: false for other intrinsics. */
bool tr_memory(struct translator *t, const nir_intrinsic_instr *intr);
void tr_declare_memory(struct translator *t);

/* The source that numbers an instruction's buffer or image; -1: it has neither. */
int tr_memory_index(const nir_intrinsic_instr *intr, bool *image);

/* Link slot of a varying, or -1; its usage as an input or output. */
int tr_link_slot(unsigned location);
enum il_importusage tr_link_usage(unsigned slot);

/* ------------------------------------------------------------------------------- alu64.c -- */

/* Components of a register that a value takes: one of 64 bits has two. */
unsigned tr_dwords(const nir_def *def);

/* A mask of components as one of dwords. */
unsigned tr_dword_mask(unsigned mask, unsigned bit_size);

/* An operation on 64-bit values; false: it is none. */
bool tr_alu64(struct translator *t, const nir_alu_instr *alu);

/* --------------------------------------------------------------------------- intrinsic.c -- */

/* mov of the components first.. of a register to a new value. */
void tr_load_from(struct translator *t, const nir_def *def, struct il_src reg, unsigned first);

/* Moves the stored components in `mask` to components first.. of a register. */
void tr_store_to(struct translator *t, const nir_intrinsic_instr *intr, struct il_dst reg,
                 unsigned first, unsigned mask, bool alpha_one);

/* type[vertex][slot] */
struct il_src tr_vertex_register(struct translator *t, enum il_regtype type, const nir_src *vertex,
                                 unsigned slot);

/* Link slot of a load or store; its offset has to be a constant.  -1: the error is set. */
int tr_slot_of(struct translator *t, const nir_intrinsic_instr *intr, const nir_src *offset,
               const char *what);

/* -------------------------------------------------------------------------------- tess.c -- */

/* An intrinsic of a tessellation shader; false: as in any other. */
bool tr_tess(struct translator *t, const nir_intrinsic_instr *intr);

/* What a hull shader declares of itself. */
void tr_declare_hull(struct translator *t);

/* ---------------------------------------------------------------------------- NIR lowerings -- */

/* 64-bit values one at a time, or as pairs where they are only moved. */
bool atoll_nir_lower_wide(nir_shader *nir);

/* Slots of control points by constant numbers only. */
bool atoll_nir_lower_points(nir_shader *nir);

/* idiv, irem and imod by way of udiv and umod, which IL has. */
bool atoll_nir_lower_signed_division(nir_shader *nir);

/* Quotients of floats, as near as can be. */
bool atoll_nir_lower_quotients(nir_shader *nir);

/* Products of matrices and vectors with as few products as there can be. */
bool atoll_nir_factor_sums(nir_shader *nir);

/* Unrolls loops, but for those that lanes leave early, each when its own condition holds. */
bool atoll_nir_unroll_loops(nir_shader *nir);

/* ---------------------------------------------------------------------------- hoist_values.c -- */

bool atoll_nir_hoist_values(nir_shader *nir, struct atoll_nir_values *values);

/* Vec4 indices without the byte offsets they came from. */
bool atoll_nir_lower_rows(nir_shader *nir);
bool atoll_nir_fold_rows(nir_shader *nir);

/* Uniform blocks by constant numbers only. */
bool atoll_nir_lower_blocks(nir_shader *nir);

/* Buffers and images by constant numbers only. */
bool atoll_nir_lower_memory(nir_shader *nir);

/* Images of several samples as buffers of texels. */
bool atoll_nir_lower_image_samples(nir_shader *nir);

/* Whether samples are identical by comparing them; makes variables. */
bool atoll_nir_lower_samples_identical(nir_shader *nir);

/* Atomic operations on floats as loops of exchanges; makes variables. */
bool atoll_nir_lower_float_atomics(nir_shader *nir);

/* Votes and values of other invocations as ballots; makes variables. */
bool atoll_nir_lower_subgroups(nir_shader *nir, unsigned wave);

/* Small elements of private arrays beside each other in vec4s, where there are too many; the last
 * pass but those that leave SSA form. */
bool atoll_nir_pack_arrays(nir_shader *nir);

/* What the key asks for. */
void atoll_nir_lower_key(nir_shader *nir, const struct atoll_nir_key *key);

/* From optimised SSA to what the translator takes. */
/* `values`: what the driver works out for the program; NULL: nothing. */
void atoll_nir_lower_late(nir_shader *nir, struct atoll_nir_values *values);

#endif
