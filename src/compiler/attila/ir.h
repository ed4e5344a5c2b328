/* SPDX-License-Identifier: MIT */
/*
 * The compiler's own program: ATTILA's instructions on temporaries without end, with structured
 * control flow between them.
 *
 * An instruction is the machine's, with vectors, swizzles and masks (component c of a mask is bit
 * c), but that a temporary's number is any and that an operand may be a literal of four values.
 * Instructions of flow stand among the others.  Predicates are the machine's: p0 is for sequences
 * of the importer, set right in front of what reads it; p1 for conditions, set right in front of
 * the flow that reads it.
 *
 * Passes, in their order; each is one file:
 *
 *    expand_integers   IL: operations on bits and divisions become loops and arithmetic
 *    infer_booleans    IL: which components hold 0 and ~0 alone; here they are 0.0 and 1.0
 *    import            IL becomes this program
 *    fold              copies and comparisons go into what reads them
 *    drop_dead         what nothing reads
 *    merge             equal operations on components of a register become one on vectors
 *    scalarize         for the scalar form: one component an instruction, where the machine can
 *    predicate         short branches become predicated instructions
 *    allocate          temporaries become registers
 *    encode            literals become immediates and constants, flow jumps; words
 */
#ifndef ATTILA_IR_H
#define ATTILA_IR_H

#include "compiler/memory.h"
#include <string.h>

#include "attila_compile.h"
#include "il/conventions.h"
#include "il/il.h"
#include "il/lower/lower.h"
#include "isa/attila/attila.h"

#define AC_NO_REG UINT32_MAX

/* Branches and loops inside each other, at most: as many as IL has.  The machine keeps nothing for
 * those that are open. */
#define AC_MAX_DEPTH IL_MAX_DEPTH

/* Banks that only this program has, after the machine's. */
enum {
   AC_LITERAL = 16,
};

/* Flow, after the machine's opcodes.  IF, BREAK and CONTINUE go by their predicate. */
enum {
   AC_IF = 256,
   AC_ELSE,
   AC_ENDIF,
   AC_LOOP,
   AC_ENDLOOP,
   AC_BREAK,
   AC_CONTINUE,
};

struct ac_src {
   uint8_t bank;      /* enum attila_bank, or AC_LITERAL */
   uint32_t reg;      /* texture unit, attribute or predicate, too */
   uint8_t swz[4];    /* of a literal, x y z w */
   bool neg, abs;     /* as in the machine */
   uint32_t value[4]; /* of a literal */
};

struct ac_inst {
   uint16_t op;
   bool dead;
   uint8_t bank; /* of the result */
   uint32_t reg;
   uint8_t mask;
   bool sat; /* of a predicate's result: inverted */
   bool predicated, invert;
   uint8_t pred;
   bool relative; /* constants, to a0.x */
   int16_t offset;
   struct ac_src src[3];
   uint32_t place; /* instruction of the IL program as written */
};

struct ac_compiler {
   const struct il_program *source, *il; /* as written; legalised */
   struct il_program *expanded, *former; /* of expand_integers.c, and what it began with; owned */
   unsigned flags;
   bool exact; /* the program does not let arithmetic be rearranged: NaNs count everywhere */
   struct shader_code *out;
   struct compile_memory mem;
   struct isa_text dump;

   struct ac_inst *insts;
   uint32_t num_insts, cap_insts;
   uint32_t num_regs;      /* temporaries so far */
   uint32_t place;         /* of what is emitted */
   const uint8_t *boolean; /* of component 4 * r# + c */
   uint32_t num_booleans;

   uint32_t (*literals)[4];
   uint32_t num_literals, cap_literals;
   uint32_t num_temps; /* registers that allocation used */
};

/* Memory of the compilation and its failure, which ends it (compiler/memory.h). */
#define ac_alloc(c, bytes)                     compile_alloc(&(c)->mem, bytes)
#define ac_grow(c, array, count, cap, element) compile_grow(&(c)->mem, array, count, cap, element)
#define ac_fail(c, ...)                        compile_fail(&(c)->mem, __VA_ARGS__)

/* build.c: operands, instructions, and what is known of them */
struct ac_src ac_temp(uint32_t reg);
struct ac_src ac_register(unsigned bank, uint32_t reg);
struct ac_src ac_bits(uint32_t value);
struct ac_src ac_float(float value);
/** One component of an operand in all four. */
struct ac_src ac_comp(struct ac_src s, unsigned c);
static inline struct ac_src
ac_neg(struct ac_src s)
{
   s.neg = !s.neg;
   return s;
}
static inline struct ac_src
ac_abs(struct ac_src s)
{
   s.abs = true;
   s.neg = false;
   return s;
}
uint32_t ac_new_reg(struct ac_compiler *c);
/** Appends an instruction that writes components of a temporary. */
struct ac_inst *ac_emit(struct ac_compiler *c, unsigned op, uint32_t reg, unsigned mask,
                        unsigned num_src, struct ac_src a, struct ac_src b, struct ac_src d);
/** Of predicates: result p`pred`. */
struct ac_inst *ac_set_pred(struct ac_compiler *c, unsigned op, unsigned pred, struct ac_src a,
                            struct ac_src b);
struct ac_inst *ac_flow(struct ac_compiler *c, unsigned op);

bool ac_is_flow(const struct ac_inst *i);
unsigned ac_num_src(const struct ac_inst *i);
/** Letter of source n: attila_info().sources. */
char ac_kind(const struct ac_inst *i, unsigned n);
/** Components of source n that are read, as positions in the swizzle. */
unsigned ac_read_mask(const struct ac_inst *i, unsigned n);
/** Is the operation done on each component by itself? */
bool ac_each(unsigned op);
/** Does it write components of a register? */
bool ac_writes(const struct ac_inst *i);
/** Components of temporary `reg` that an instruction reads. */
unsigned ac_reads_of(const struct ac_inst *i, unsigned bank, uint32_t reg);

/* The passes. */
#define PASS(name, when) void ac_##name(struct ac_compiler *c);
#include "passes.def"
/** NULL: there is nothing to expand. */
struct il_program *ac_expand_integers(struct ac_compiler *c);
void ac_infer_booleans(struct ac_compiler *c);
void ac_encode(struct ac_compiler *c);
/** Prints the program after a pass, if it is asked for. */
void ac_print_after(struct ac_compiler *c, const char *pass);

/** shader_compiler.bound; the table is import_alu.c's. */
bool ac_bound(unsigned il_op, struct shader_bound *bound);

#endif
