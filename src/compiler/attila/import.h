/* SPDX-License-Identifier: MIT */
/* What the files of the importer share. */
#ifndef ATTILA_IMPORT_H
#define ATTILA_IMPORT_H

#include "ir.h"

#include "compiler/front.h"
#include "il/walk.h"

#define AI_SLOTS      128 /* of inputs and outputs */
#define AI_ARRAYS     64
#define AI_ARRAY_SIZE 64 /* elements that chains of comparisons choose from */

struct importer {
   struct ac_compiler *c;
   const struct il_program *il;
   const struct il_inst *inst; /* NULL: after the last */
   uint32_t pos;

   struct il_declared decl;
   uint32_t array[AI_ARRAYS]; /* the first of an array's temporaries */

   struct {
      uint8_t used;        /* components */
      struct ac_src value; /* where it is */
   } input[AI_SLOTS];

   struct {
      uint8_t written; /* components */
      uint8_t bank;    /* ATTILA_OUT, or ATTILA_TEMP until the end */
      uint32_t reg;
   } output[AI_SLOTS];
   uint32_t depth_reg, edge_reg; /* AC_NO_REG: not written */
   uint16_t distance[8];         /* front_vertex_outputs() */
};

void __attribute__((noreturn)) ai_refuse(struct importer *im, const char *what);

/* import.c */
/** A source, modifiers applied, in the components of `mask`. */
struct ac_src ai_src(struct importer *im, const struct il_src *src, unsigned mask);
/** One component of it, in all four. */
struct ac_src ai_comp(struct importer *im, const struct il_src *src, unsigned comp);
/** The same as 1.0 where it has any bit and 0.0 where not. */
struct ac_src ai_truth(struct importer *im, const struct il_src *src, unsigned comp);

/** Where a result is written. */
struct ai_target {
   uint8_t bank;
   uint32_t reg;
   unsigned mask;
   bool sat;
   bool direct; /* is the destination itself; ai_done() has nothing to do */
};
struct ai_target ai_target(struct importer *im, const struct il_dst *dst);
/** Appends an operation that writes it, or the components of it in `mask`. */
struct ac_inst *ai_op(struct importer *im, const struct ai_target *t, unsigned mask, unsigned op,
                      unsigned num_src, struct ac_src a, struct ac_src b, struct ac_src d);
void ai_done(struct importer *im, const struct il_dst *dst, const struct ai_target *t);
/** Is component `c` of a destination kept as 1.0 and 0.0? */
bool ai_is_boolean(const struct importer *im, const struct il_dst *dst, unsigned c);

/** A new temporary with the result of an operation on components. */
struct ac_src ai_new(struct importer *im, unsigned op, unsigned mask, unsigned num_src,
                     struct ac_src a, struct ac_src b, struct ac_src d);
/* Operands are made in their order, whatever the compiler. */
#define NEW1(op, mask, a)                                    \
   ({                                                        \
      const struct ac_src new_a = (a);                       \
      ai_new(im, ATTILA_##op, mask, 1, new_a, new_a, new_a); \
   })
#define NEW2(op, mask, a, b)                                 \
   ({                                                        \
      const struct ac_src new_a = (a), new_b = (b);          \
      ai_new(im, ATTILA_##op, mask, 2, new_a, new_b, new_b); \
   })
#define NEW3(op, mask, a, b, d)                                  \
   ({                                                            \
      const struct ac_src new_a = (a), new_b = (b), new_d = (d); \
      ai_new(im, ATTILA_##op, mask, 3, new_a, new_b, new_d);     \
   })

/* import_io.c */
void ai_scan(struct importer *im);
void ai_begin(struct importer *im);
void ai_finish(struct importer *im);
struct ac_src ai_input(struct importer *im, uint32_t n);

/* import_alu.c, import_logic.c, import_texture.c.  False: not one of these. */
bool ai_alu(struct importer *im, const struct il_inst *inst);
bool ai_logic(struct importer *im, const struct il_inst *inst);
bool ai_texture(struct importer *im, const struct il_inst *inst);
bool ai_system(struct importer *im, const struct il_inst *inst);

/* import_flow.c */
extern const struct il_flow_to ai_flow;

#endif
