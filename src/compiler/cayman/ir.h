/* SPDX-License-Identifier: MIT */
/*
 * The compiler's program between IL and machine words.
 *
 * A program is a list of blocks in program order; each ends in one instruction of structured
 * control flow. Instructions work on scalar values.  A value that is written once, above all its
 * readers, is an SSA value (`ssa`): operands may refer to it from anywhere.  The others (phi webs,
 * outputs written in branches) are variables.
 *
 * What the hardware groups is one instruction here: an ALU instruction has 1-4 lanes that are
 * issued in one group, a fetch instruction has 1-3 fetches that stay together in a clause
 * (gradients, offsets and their sample).
 *
 * Passes, each a file, in this order:
 *   import*.c    IL to this form
 *   fold.c       two instructions become one
 *   drop_dead.c  drop what is unused
 *   simplify.c   copies and repetitions
 *   coalesce.c   copies of variables
 *   shorten_flow.c  breaks and continues without branches, branches without an empty side
 *   limit_constants.c  no more of constant buffers than a group can read
 *   collect.c    tie values that must share a GPR; copies where they cannot
 *   schedule.c   order, groups, channels, clauses
 *   allocate.c   GPR numbers; spill.c if they do not suffice
 *   drop_moves.c moves between values that got the same register
 *   encode.c     words
 */
#ifndef CAYMAN_IR_H
#define CAYMAN_IR_H

#include "cayman_compile.h"

#include "isa/cayman/cayman.h"
#include "isa/text.h"

#include "compiler/memory.h"

struct il_program;

/* Value 0 is "none". */
typedef uint32_t value_id;

struct cc_value {
   struct inst *def; /* the writer of an SSA value; NULL for inputs and variables */
   uint32_t defs;    /* writers in the program as it stands */
   uint32_t uses;    /* operands that read it */
   uint32_t tuple;   /* values of one tuple share a GPR; 0: alone */
   int16_t gpr;      /* -1: not allocated */
   int8_t chan;      /* -1: not chosen */
   bool ssa;
   bool pinned;  /* chan is given, not chosen by the scheduler */
   bool input;   /* loaded by the hardware before the program: gpr and chan are given */
   bool passing; /* between the memory of a spilled value and one instruction */
};

enum operand_kind {
   OPERAND_NONE,
   OPERAND_VALUE,
   OPERAND_CONST,   /* 32 bits known now */
   OPERAND_KCACHE,  /* constant buffer, read directly */
   OPERAND_SPECIAL, /* a source select of its own: interpolation parameter, PV, ... */
   OPERAND_ARRAY,   /* element of an indexable array of GPRs */
};

struct cc_operand {
   uint8_t kind; /* enum operand_kind */
   bool neg, abs;
   bool rel;       /* ARRAY: AR is added to the element */
   uint8_t chan;   /* KCACHE, SPECIAL, ARRAY */
   uint8_t bank;   /* KCACHE: constant buffer; ARRAY: array */
   uint16_t index; /* KCACHE: vec4; SPECIAL: select; ARRAY: element */
   uint32_t value; /* VALUE: value_id; CONST: bits */
};

enum inst_kind {
   INST_ALU,
   INST_FETCH,
   INST_EXPORT, /* EXPORT and memory writes */
};

enum memory_access {
   MEMORY_NONE,
   MEMORY_READ,
   MEMORY_WRITE,
   MEMORY_BARRIER, /* nothing of any space crosses it */
};

enum memory_space {
   SPACE_SCRATCH,
   SPACE_LDS,
   SPACE_UAV,
   SPACE_GDS,
   SPACE_COUNT,
};

enum alu_shape {
   SHAPE_SCALAR, /* one lane, any slot */
   SHAPE_XYZ,    /* one lane, issued in x, y, z (and w if the result is for w) */
   SHAPE_QUAD,   /* one lane, issued in all four slots */
   SHAPE_FIXED,  /* lanes in the slots that `slot` names */
   SHAPE_TRANS,  /* one lane, in slot t */
};

struct lane {
   uint16_t op;  /* enum cayman_alu_op */
   uint8_t slot; /* SHAPE_FIXED */
   bool clamp;
   uint8_t omod;
   bool update_exec, update_pred;
   uint8_t mask_op; /* update_exec: enum cayman_execute_mask_op, of lanes that fail */
   uint8_t mova_dst;
   uint8_t lds_op;         /* LDS_IDX_OP: enum cayman_lds_op */
   bool to_array, dst_rel; /* writes an array element instead of a value */
   uint8_t array, array_chan;
   uint16_t array_elem;
   value_id dst;
   struct cc_operand src[3];
};

struct fetch_op {
   struct cayman_fetch proto; /* GPRs and selects are filled in at the end */
   struct cc_operand src[4];  /* VALUE, CONST 0 or 1.0, or NONE */
   value_id dst[4];           /* receives component i of the result; 0: dropped */
};

#define CC_GROWS 100

struct inst {
   uint8_t kind;  /* enum inst_kind */
   uint8_t shape; /* enum alu_shape */
   uint8_t num_lanes;
   uint8_t num_fetches;
   uint8_t terms;  /* DOT4_IEEE of 2 or 3 products, which may become a chain of DOT_IEEE; 0: not */
   uint8_t memory; /* enum memory_access, */
   uint8_t space;  /* of an enum memory_space */
   bool side_effect; /* never dropped, kept in order with others of its kind */
   bool keep;        /* never dropped */
   bool dead;
   uint32_t place;  /* index of the instruction of the IL as written that it was made for */
   uint32_t origin; /* importing: compiler.origin */
   /* LDS operation that returns something: the copy from the queue, which the scheduler puts into
    * the next group.  Its result is an SSA value. */
   struct inst *pop, *pop_of;
   /* ALU: the value that must be in AR.X; others: the value that must be in CF_IDX0. */
   value_id ar;
   union {
      struct lane lane[4];
      struct fetch_op *fetch;
      struct {
         struct cayman_cf proto;
         struct cc_operand src[4];   /* VALUE, CONST 0 or 1.0, NONE: masked */
         struct cc_operand index[4]; /* memory writes with an index: x; RAT: x, y, z */
      } export;
   };

   /* scheduling */
   struct inst **succ;
   uint8_t *succ_latency;
   uint32_t num_succ, cap_succ;
   uint32_t num_preds, preds_left;
   uint32_t height;   /* longest path to the block's end, in groups */
   uint32_t groups;   /* that it and what waits for it take at least */
   uint32_t order;    /* scheduling: earliest time */
   uint32_t sequence; /* scheduling: number in the block as imported */
   uint32_t urgency;  /* scheduling: of the height what counts; the highest first */
   uint32_t rank;     /* scheduling: of two that are as urgent the lower one goes first */
   bool feeds_slots;  /* scheduling: an instruction of several slots waits for it */
   int8_t growth; /* scheduling, where registers are short: of values alive; CC_GROWS: it grows */
   bool scheduled;
};

enum block_end {
   END_PROGRAM,
   END_IF,
   END_ELSE,
   END_ENDIF,
   END_LOOP, /* a loop begins after this block */
   END_ENDLOOP,
   END_BREAK,
   END_CONTINUE,
};

#define CC_SLOTS CAYMAN_MAX_SLOTS
#define CC_T     CAYMAN_SLOT_T

/* What the scheduler makes of a block: groups and fetches in clauses. */
struct group {
   struct inst *part[CC_SLOTS]; /* the instructions issued in it, distinct */
   uint8_t num_parts;
   struct inst *slot[CC_SLOTS]; /* with a lane in slot x, y, z, w, t; NULL: empty */
   uint8_t lane[CC_SLOTS];
   bool is_nop; /* keeps a distance */
   uint32_t position;
};

enum clause_kind {
   CLAUSE_ALU,
   CLAUSE_FETCH,
   CLAUSE_EXPORT, /* one export or memory write */
};

struct kcache_lock {
   uint8_t bank;
   uint8_t line;  /* of 16 vec4s */
   uint8_t lines; /* 1 or 2; 0: unused */
};

struct clause {
   uint8_t kind; /* enum clause_kind */
   bool push_before, kills;
   bool gds; /* FETCH: of GDS instructions */
   struct group *groups;
   uint32_t num_groups, cap_groups;
   uint32_t num_slots; /* ALU: 64-bit slots, literals included */
   struct kcache_lock lock[4];
   struct inst **insts; /* FETCH, EXPORT */
   uint32_t num_insts, cap_insts;
   uint32_t num_fetches;
   uint32_t first_position;
};

struct cc_block {
   struct inst **insts;
   uint32_t num_insts, cap_insts;
   enum block_end end;
   struct inst *pred; /* END_IF: the PRED_SET; BREAK, CONTINUE: that of those that stay, or NULL */
   uint32_t match;    /* IF: the ELSE or ENDIF block; ELSE: ENDIF; LOOP: ENDLOOP; ENDLOOP: LOOP;
                       * BREAK, CONTINUE: the LOOP */
   uint32_t loop_depth;
   uint32_t place; /* of what ends it, as inst.place */

   struct clause *clauses;
   uint32_t num_clauses, cap_clauses;
   uint32_t made_clauses; /* by all schedules so far: a later one uses their memory again */
   uint32_t first_position, end_position;
   uint64_t *live_in, *live_out;
};

/* Values that share a GPR, each in a channel of its own. */
struct tuple {
   value_id member[4];
   uint8_t count;
};

struct array {
   bool scratch; /* in scratch memory, from vec4 `base` on */
   uint32_t base;
   uint32_t size;    /* elements, GPRs */
   int16_t gpr;      /* first */
   uint8_t channels; /* of these GPRs, a mask */
};

struct last;
struct array_channel;
struct cc_pressure;

/* What the compiler does in another way for another chip of the family (chips.c); which operation
 * may stand in which slot is in isa/cayman/opcodes.def. */
struct cc_chip {
   enum cayman_vliw vliw;
   uint8_t num_slots;   /* of a group: with t five */
   bool index_from_ar;  /* MOVA writes AR alone, and SET_CF_IDX0 copies it to CF_IDX0 */
   bool clauses_leave;  /* lanes leave a loop by ALU_BREAK and ALU_CONTINUE, not by the PRED_SET */
   bool push_apart;     /* ALU_PUSH_BEFORE may damage the stack where an entry of it begins */
   bool last_ends;      /* the last instruction says that it is; there is no END */
   bool doubles;        /* has operations on them */
   bool mega_fetches;   /* fetches of vertices say how many bytes they want */
   uint8_t compared;    /* component of what a comparing operation on a RAT compares with */
   uint8_t gathered[4]; /* of a gather's texels those that Cayman has as x, y, z, w */
};

extern const struct cc_chip cc_chips[CAYMAN_VLIWS];

struct compiler {
   const struct cc_chip *chip;
   const struct il_program *source; /* the IL as written */
   const struct il_program *il;     /* from il_lower() on: as lowered */
   unsigned flags;
   bool copy; /* the copy shader of a geometry program is wanted */
   struct shader_code *out;
   struct compile_memory mem;
   struct {
      struct isa_text text;
      size_t begin, size; /* of the last program in it */
   } dump;                /* of cc_print_after() */

   struct cc_value *values;
   uint32_t num_values, cap_values;
   struct tuple *tuples; /* 0 is unused */
   uint32_t num_tuples, cap_tuples;
   struct cc_block *blocks;
   uint32_t num_blocks, cap_blocks;
   struct array *arrays;
   uint32_t num_arrays;
   uint32_t origin;         /* IL instruction being imported, + 1; 0 before and after them all */
   uint32_t place;          /* its index in the IL as written; SHADER_NO_PLACE after importing */
   uint32_t entry;          /* the index for what comes before all instructions: the first one's */
   unsigned first_free_gpr; /* below: loaded by the hardware or arrays */
   uint32_t num_positions;
   struct last *depend_last;            /* depend.c's tables */
   struct array_channel *depend_arrays; /* by array and channel */
   uint32_t num_depend_last, depend_epoch;
   struct cc_pressure *pressure; /* the scheduler's */
   uint32_t num_live_words;      /* of the blocks' sets of live values */
   uint64_t *live_room;          /* all of these sets */
   size_t live_room_words;
   int most_alive;    /* values that the scheduler tries to stay within; 0: as many as there are */
   unsigned order;    /* enum tie: the scheduler's first order; the others are by what differs */
   uint32_t window;   /* how far the scheduler may run ahead of program order */
   bool keep_program; /* a schedule for which the program would have to be changed is none */
   bool no_schedule;  /* there was none */
   bool memory_written;
   bool remade; /* collect made a value again instead of copying it */
   bool done;   /* the words are there */
};

/* --- context (compile.c) -------------------------------------------------------------------- */

/* Memory of the compilation and its failure, which ends it (compiler/memory.h). */
#define cc_alloc(c, bytes)                     compile_alloc(&(c)->mem, bytes)
#define cc_grow(c, array, count, cap, element) compile_grow(&(c)->mem, array, count, cap, element)
#define cc_fail(c, ...)                        compile_fail(&(c)->mem, __VA_ARGS__)

/** Add the program to the dump, under the name of the pass that it comes from, if
 *  SHADER_COMPILE_PRINT_IR asks for it (print.c). */
void cc_print_after(struct compiler *c, const char *pass);

/* --- building (build.c) --------------------------------------------------------------------- */

value_id cc_value(struct compiler *c); /* an SSA value */
value_id cc_variable(struct compiler *c);
value_id cc_input(struct compiler *c, unsigned gpr, unsigned chan);

/** Give a value its channel. */
void cc_pin(struct compiler *c, value_id v, unsigned chan);

struct cc_operand op_none(void);
struct cc_operand op_value(value_id v);
struct cc_operand op_const(uint32_t bits);
struct cc_operand op_float(float f);
struct cc_operand op_kcache(unsigned bank, unsigned index, unsigned chan);
struct cc_operand op_special(unsigned select, unsigned chan);
struct cc_operand op_neg(struct cc_operand o);
struct cc_operand op_abs(struct cc_operand o);
bool op_same(const struct cc_operand *a, const struct cc_operand *b);

struct cc_block *cc_block(struct compiler *c); /* the one being built */
void cc_end_block(struct compiler *c, enum block_end end);
void cc_end_program(struct compiler *c);

/** An ALU instruction without destination at the end of the current block. */
struct inst *cc_alu_inst(struct compiler *c, unsigned shape, unsigned num_lanes);
/** An instruction that is in no block yet: one for the IL instruction that is being imported, and
 *  one that a later pass adds for an instruction: it gets the index of that. */
struct inst *cc_inst(struct compiler *c, enum inst_kind kind);
struct inst *cc_inst_for(struct compiler *c, enum inst_kind kind, const struct inst *of);
/** A copy of an operand to a new SSA value, added for an instruction; in no block yet. */
struct inst *cc_copy_for(struct compiler *c, struct cc_operand from, const struct inst *of);
/** Can the instruction be done again anywhere after it, in one slot, for the same result? */
bool cc_is_repeatable(const struct compiler *c, const struct inst *inst);
void cc_append(struct compiler *c, struct cc_block *b, struct inst *inst);

/** Emit an operation with its natural shape into `dst` (0: a new SSA value); returns the
 *  destination. */
value_id cc_emit(struct compiler *c, unsigned op, value_id dst, struct cc_operand a,
                 struct cc_operand b, struct cc_operand d);
struct inst *cc_emit_inst(struct compiler *c, unsigned op, value_id dst, struct cc_operand a,
                          struct cc_operand b, struct cc_operand d);
value_id cc_mov(struct compiler *c, value_id dst, struct cc_operand a);

unsigned cc_shape_of(const struct compiler *c, unsigned op);

/** The inline constant that has these bits, if any: its select, and whether it must be negated
 * (only right for float operands). */
bool cc_inline_constant(uint32_t bits, bool is_float, unsigned *select, bool *negate);

/** Does the operation read its operands as floats, so that NEG and ABS work? */
bool cc_float_source(unsigned op);

/** The values that an instruction reads or writes, one call each. */
void cc_visit_operands(struct inst *inst, void (*fn)(struct cc_operand *o, void *data), void *data);
void cc_visit_dsts(struct inst *inst, void (*fn)(value_id *v, void *data), void *data);

/* --- passes --------------------------------------------------------------------------------- */

#define PASS(name, when) void cc_##name(struct compiler *c);
#include "passes.def"

/* The bits that an operation makes of constants; false: they are not known. */
bool cc_evaluate(unsigned op, const struct cc_operand src[3], uint32_t *bits);
void cc_collect(struct compiler *c);
void cc_schedule(struct compiler *c);
/** False: not everything fits; `*lifetime` then tells how long each value lives. */
bool cc_allocate(struct compiler *c, uint32_t **lifetime);

/** Move up to `count` values to scratch memory, of those that live for more than `shortest`
 * positions.  False: there are none. */
bool cc_spill(struct compiler *c, const uint32_t *lifetime, uint32_t shortest, unsigned count);

/** A store to or a load from a vec4 of scratch memory, not yet in a block; components are for the
 *  caller to fill in. */
struct inst *cc_scratch_store(struct compiler *c, uint32_t vec4, uint32_t place);
struct inst *cc_scratch_load(struct compiler *c, uint32_t vec4, uint32_t place);

/* GPRs that SHADER_COMPILE_FEW_GPRS leaves. */
#define CC_FEW_GPRS 18

/** Leave out moves of a register to itself, which two values came to share. */
void cc_drop_moves(struct compiler *c);

void cc_encode(struct compiler *c);

/** Group `n` of an ALU clause for encoding, registers and all.  False: its operands cannot be read
 *  together. */
bool cc_encode_group(struct compiler *c, const struct clause *clause, uint32_t n,
                     struct cayman_alu_group *out);

/** Does an operand of `op` take the result of an instruction of the previous group from PV or PS?
 *  Then the slot that left it there, but of a reduction x. */
bool cc_is_forwarded(const struct compiler *c, const struct group *previous, unsigned op,
                     const struct cc_operand *o, unsigned *slot);

/** The lanes of a group as slots: which lane of which instruction is in slot x, y, z, w, t is in
 *  group->slot and group->lane. */
struct lane *cc_group_lane(const struct group *g, unsigned slot);

/** Kcache set and select of an operand under a clause's locks; -1: not locked. */
int cc_kcache_select(const struct clause *clause, const struct cc_operand *o);

/** Recount uses and writers of every value. */
void cc_count(struct compiler *c);

/** Take dead instructions out of their blocks, and recount. */
void cc_sweep(struct compiler *c);

#endif /* CAYMAN_IR_H */
