/* SPDX-License-Identifier: MIT */
/* What the files of the lowering pass share: the program being written, and how to add to it. */
#ifndef CAYMAN_LOWER_H
#define CAYMAN_LOWER_H

#include "ir.h"

#include "il/il.h"

struct lowerer {
   struct compiler *c;
   const struct il_program *in;
   struct il_program *out;
   uint32_t cap;
   uint32_t place; /* 1 + il_place() of what is being lowered; all that is added gets it */
   uint32_t next_temp, next_literal;
   uint32_t literal;       /* 0, 1, ~0, 255 */
   uint32_t address;       /* temp of a0; 0: none */
   uint32_t loop_index;    /* temp whose x is aL; 0: none */
   uint32_t instance;      /* hull phases: temp that is vInstanceID; 0: none */
   unsigned calls, macros; /* open */
   unsigned expansions;
};

static inline struct il_src
lower_temp(uint32_t num, unsigned comp)
{
   return il_replicate(il_src(IL_REGTYPE_TEMP, num), comp);
}

static inline struct il_dst
lower_temp_dst(uint32_t num, unsigned mask)
{
   return il_dst_masked(il_dst(IL_REGTYPE_TEMP, num), mask);
}

static inline struct il_src *
lower_copy(struct lowerer *l, struct il_src src)
{
   struct il_src *copy = cc_alloc(l->c, sizeof(*copy));
   *copy = src;
   return copy;
}

/* lower_copy.c */
/** Changes a reference of a copy, whose own index has been changed. */
typedef void lower_ref_fn(struct lowerer *l, struct il_ref *r, void *data);
typedef void lower_visit_fn(const struct il_ref *r, void *data);
/** Appends an instruction as it is. */
struct il_inst *lower_add(struct lowerer *l, const struct il_inst *inst);
struct il_src lower_copy_src(struct lowerer *l, const struct il_src *from, lower_ref_fn *fn,
                             void *data);
struct il_dst lower_copy_dst(struct lowerer *l, const struct il_dst *from, lower_ref_fn *fn,
                             void *data);
/** Appends a copy. */
void lower_copy_inst(struct lowerer *l, const struct il_inst *from, lower_ref_fn *fn, void *data);
/** All references of an instruction, second dimensions and indices included. */
void lower_visit_refs(const struct il_inst *inst, lower_visit_fn *fn, void *data);

/* lower.c */
void lower_emit(struct lowerer *l, unsigned op, unsigned ctl, const struct il_dst *dst,
                unsigned nsrc, const struct il_src *src);
/** An instruction without operands, with a condition, or to components of a temp. */
void lower_flow(struct lowerer *l, unsigned op);
void lower_if(struct lowerer *l, unsigned op, struct il_src condition);
void lower_op(struct lowerer *l, unsigned op, unsigned ctl, uint32_t num, unsigned mask,
              unsigned nsrc, struct il_src a, struct il_src b, struct il_src c);
/** The number of a new literal. */
uint32_t lower_literal(struct lowerer *l, const uint32_t values[4]);
/** The body of a subroutine. */
void lower_call(struct lowerer *l, uint32_t label);

/* lower_matrix.c */
void lower_multiply(struct lowerer *l, struct il_dst dst, struct il_src vector,
                    struct il_src matrix, unsigned shape);
void lower_transpose(struct lowerer *l, struct il_dst dst, struct il_src matrix);
void lower_determinant(struct lowerer *l, struct il_dst dst, struct il_src matrix);

/* lower_model3.c */
/** Inputs and outputs instead of shader model 3's registers: c->il from here on. */
void lower_model3(struct compiler *c);

/* lower_interface.c */
/** A call through an interface; `instance` is its operand. */
void lower_interface(struct lowerer *l, const struct il_inst *fcall, struct il_src instance);

#endif /* CAYMAN_LOWER_H */
