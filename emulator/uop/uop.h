/* SPDX-License-Identifier: MIT */
/*
 * Micro-operations as lifters make them: what every instruction set's machine code, and IL that is
 * executed directly, become before they run.
 *
 * They have two lives.  Lifted (this file), a micro-operation is an id, operands and typed
 * parameters: it depends on no kernel build, can be printed and verified, and knows which word of
 * the program it came from.  Bound (bound.h), it has the handler of the build that runs it, offsets
 * instead of operands, or is a part of native code.  uops.def has a row for each.
 *
 * A program has two kinds of values.  The register file has one component (64 lanes of 32 bits,
 * COMP_BYTES) after another.  The table of uniform values has a dword for each value that is equal
 * in all lanes: first what the draw gives, then the program's literals, then what is found as it
 * runs.
 */
#ifndef ATOLL_UOP_H
#define ATOLL_UOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COMP_BYTES 256u
#define UNI_MAX    16384u /* dwords of the table of uniform values */

enum uop_id {
#define UOP(name, ...) UOP_##name,
#include "uop/uops.def"
   UOP_COUNT
};

enum uop_result { UOP_RESULT_NONE, UOP_RESULT_F, UOP_RESULT_B, UOP_RESULT_U, UOP_RESULT_R };

enum uop_effect {
   UOP_EFFECT_LANE,
   UOP_EFFECT_QUAD,
   UOP_EFFECT_WAVE,
   UOP_EFFECT_MEMORY,
   UOP_EFFECT_STATE,
   UOP_EFFECT_MASK,
   UOP_EFFECT_WAIT,
};

enum uop_form { UOP_FORM_NONE, UOP_FORM_PLAIN, UOP_FORM_MODS, UOP_FORM_FUSED };

enum uop_params_kind {
   UOP_PARAMS_none,
   UOP_PARAMS_predicate,
   UOP_PARAMS_group,
   UOP_PARAMS_f64,
   UOP_PARAMS_interp,
   UOP_PARAMS_register,
   UOP_PARAMS_constant,
   UOP_PARAMS_special,
   UOP_PARAMS_mode,
   UOP_PARAMS_mova,
   UOP_PARAMS_lds,
   UOP_PARAMS_queue,
   UOP_PARAMS_direct,
   UOP_PARAMS_array,
   UOP_PARAMS_element,
   UOP_PARAMS_table,
   UOP_PARAMS_buffer,
   UOP_PARAMS_shared,
   UOP_PARAMS_immediate,
   UOP_PARAMS_pair,
   UOP_PARAMS_subgroup,
   UOP_PARAMS_message,
   UOP_PARAMS_setp,
   UOP_PARAMS_fixed,
};

/* A row of the table; the columns are explained there. */
struct uop_info {
   const char *name;
   const char *kinds; /* of operands, a letter each */
   uint8_t result, operands, effect, params, form;
   uint8_t records, cost;
};

extern const struct uop_info uop_infos[UOP_COUNT];

/* Changes of an operand's bits, done in this order. */
enum {
   UOP_ABS = 1, /* clears bit 31 */
   UOP_NEG = 2, /* flips bit 31 */
   UOP_NOT = 4, /* flips all */
};

enum uop_operand_kind {
   UOP_NONE,
   UOP_ROW,     /* at: byte offset of a component in the register file */
   UOP_UNIFORM, /* at: index of a value that the draw gives */
   UOP_LITERAL, /* at: index in the program's literals */
   UOP_DYNAMIC, /* at: index of a value found at run time */
};

struct uop_operand {
   uint8_t kind; /* enum uop_operand_kind */
   uint8_t mods; /* UOP_ABS and so on */
   uint32_t at;
};

/* Which of the running lanes write a result. */
enum uop_when { UOP_ALWAYS, UOP_UNLESS_PRED, UOP_IF_PRED };

/* Factor of a float result; then it is clamped to [0, 1] if that is asked for. */
enum uop_scale { UOP_SCALE_1, UOP_SCALE_2, UOP_SCALE_4, UOP_SCALE_HALF };

/* What becomes of a lane that fails a predicate that updates the execution mask. */
#define UOP_FAILS(X) \
   X(DEACTIVATE)     \
   X(BREAK)          \
   X(CONTINUE)       \
   X(KILL)
enum uop_fail {
#define X(name) UOP_FAIL_##name,
   UOP_FAILS(X)
#undef X
      UOP_FAIL_COUNT,
};

struct uop_predicate {
   bool update_pred, update_exec;
   uint8_t exec_op; /* enum uop_fail */
};

/* Records that write, a bit each. */
struct uop_group {
   uint8_t writes;
};

struct uop_f64 {
   uint8_t writes, doubles; /* operands that there are */
   struct uop_predicate predicate;
};

struct uop_interp {
   uint8_t input, comp;
   uint8_t which; /* INTERP_LOAD: 0 P0, 1 P10, 2 P20 */
};

/* Register gpr + AR.X or aL, channel chan. */
struct uop_register {
   uint8_t gpr, chan;
   bool by_loop;
};

/* Indices of the wave that a number of a bank may be relative to. */
enum uop_index { UOP_INDEX_NONE, UOP_INDEX_0, UOP_INDEX_1 };

/* A dword of a kcache bank found at run time. */
struct uop_constant {
   uint32_t dword, end; /* in the bank; end: of the locked lines */
   uint8_t bank;
   uint8_t bank_index; /* enum uop_index */
   bool moves;         /* the lock moves with aL */
   bool by_loop;       /* the dword is indexed by aL */
};

/* State of the wave that can be an operand: one value for all lanes. */
#define UOP_SPECIALS(X) \
   X(CLAUSE_GLOBAL)     \
   X(TIME_HI)           \
   X(TIME_LO)           \
   X(MASK_HI)           \
   X(MASK_LO)           \
   X(LOOP_INDEX)        \
   X(LDS_SIZE)          \
   X(WAVE_SLOT)         \
   X(WAVE_IN_GROUP)     \
   X(WAVES_OF_GROUP)
enum uop_special_source {
#define X(name) UOP_SPECIAL_##name,
   UOP_SPECIALS(X)
#undef X
      UOP_SPECIAL_COUNT,
};

struct uop_special {
   uint8_t source; /* enum uop_special_source */
};

/* Rounding (bits 1:0) and denormals (bits 3:2) of floats and doubles, as SET_MODE has them. */
struct uop_mode {
   uint8_t single_mode, double_mode;
};

/* What MOVA_INT writes: a value a lane for indexed registers, or the first lane's. */
#define UOP_ADDRESSES(X) \
   X(NONE)               \
   X(REGISTER)           \
   X(INDEX_0)            \
   X(INDEX_1)            \
   X(GLOBAL_BYTE_0)      \
   X(GLOBAL_BYTE_1)      \
   X(GLOBAL_BYTE_2)      \
   X(GLOBAL_BYTE_3)
enum uop_address {
#define X(name) UOP_ADDRESS_##name,
   UOP_ADDRESSES(X)
#undef X
      UOP_ADDRESS_COUNT,
};

struct uop_mova {
   uint8_t to; /* enum uop_address */
};

struct uop_lds {
   uint8_t op;      /* enum core_share_op */
   bool returns;    /* to the queue */
   uint32_t offset; /* bytes; of operations on two dwords */
};

/* Of the LDS's output queues: A or B. */
struct uop_queue {
   uint8_t number;
};

/* LDS_DIRECT: dword offset + lane * stride. */
struct uop_direct {
   uint32_t offset, stride;
};

/* Rows from `row` on, of which an operand chooses one; it counts from `offset`. */
struct uop_array {
   uint32_t row, rows, offset; /* rows of four components */
   uint8_t chan;
};

/* Component `comp` of element operand + number; `bank`: of which buffer. */
struct uop_element {
   uint32_t number;
   uint8_t bank, comp;
};

/* Dword 4 * (operand + element) + chan of a table of literals that operand 1 begins. */
struct uop_table {
   uint32_t element, dwords;
   uint8_t chan;
};

/* A random access target. */
struct uop_buffer {
   uint8_t number;
   uint32_t offset; /* dwords */
};

struct uop_shared {
   uint32_t reg;
   uint8_t chan;
};

struct uop_immediate {
   uint32_t bits;
};

enum uop_pair_op {
   UOP_PAIR_ADD,
   UOP_PAIR_SUB,
   UOP_PAIR_ADD_SAT,
   UOP_PAIR_SUB_SAT,
   UOP_PAIR_SHL,
   UOP_PAIR_SHR,
   UOP_PAIR_SAR,
   UOP_PAIR_SEG_ADD, /* a null pointer stays one */
   UOP_PAIR_SEG_SUB,
};

struct uop_pair {
   uint8_t op; /* enum uop_pair_op */
   bool is_signed;
};

struct uop_subgroup {
   uint8_t size;      /* VALHALL_SUBGROUP_SIZE_* */
   uint8_t operation; /* VALHALL_LANE_OPERATION_* */
   uint32_t inactive; /* what an inactive lane gives */
};

/* Index in the program's messages. */
struct uop_message {
   uint32_t number;
};

enum uop_compare {
   UOP_EQUAL,
   UOP_GREATER,
   UOP_LESS,
   UOP_INTEGER = 4, /* the same of signed integers */
};

struct uop_setp {
   uint8_t predicate, compare; /* enum uop_compare */
   bool invert;
};

struct uop_fixed {
   uint32_t low, high; /* of the accumulator: byte offsets in the register file */
   bool adds;          /* operand 2 is added */
   bool ends;          /* the accumulator is added, and the sum is the result */
};

union uop_params {
   struct uop_predicate predicate;
   struct uop_group group;
   struct uop_f64 f64;
   struct uop_interp interp;
   struct uop_register reg;
   struct uop_constant constant;
   struct uop_special special;
   struct uop_mode mode;
   struct uop_mova mova;
   struct uop_lds lds;
   struct uop_queue queue;
   struct uop_direct direct;
   struct uop_array array;
   struct uop_element element;
   struct uop_table table;
   struct uop_buffer buffer;
   struct uop_shared shared;
   struct uop_immediate immediate;
   struct uop_pair pair;
   struct uop_subgroup subgroup;
   struct uop_message message;
   struct uop_setp setp;
   struct uop_fixed fixed;
};

#define UOP_RECORDS 4u /* at most, that are one */

struct uop {
   uint16_t op;    /* enum uop_id */
   uint8_t length; /* micro-operations that are one: its records, or equal ones done at once */
   uint8_t when;   /* enum uop_when */
   uint8_t scale;  /* enum uop_scale */
   bool clamp;
   uint32_t dst;    /* byte offset in the register file; result U: index of a dynamic value */
   uint32_t origin; /* index of the instruction of the program that it is of */
   struct uop_operand src[3];
   union uop_params p;
};

/* Micro-operations that stand together. */
struct uop_run {
   uint32_t first, count;
};

/* What is lifted of any program.  The engine owns it; uop_code_free() frees what it points to. */
struct uop_code {
   struct uop *uops;
   uint32_t num_uops;
   uint32_t *literals;
   uint32_t num_literals;
   uint32_t num_uniforms; /* values that the draw gives */
   uint32_t num_dynamic;
   uint32_t num_components; /* of the register file that it may name */
   uint32_t num_origins;
   uint32_t num_messages, num_predicates; /* what parameters may name */
};

void uop_code_free(struct uop_code *code);

/* ------------------------------------------------------------------------------------------------
 * Building (build.c).  Lack of memory is remembered and leaves what is returned writable.
 */
struct uop_builder {
   struct uop_code *code;
   uint32_t cap_uops, cap_literals;
   uint32_t origin; /* of what is emitted */
   bool oom;
   bool full; /* more literals than the table has room for */

   /* Temporaries: components [first_temp, end_temp) of the register file. */
   uint32_t first_temp, end_temp, next_temp;
   bool out_of_temps;

   struct uop nowhere[4]; /* what is written when memory is out */
};

/** Room for one more element of `size` bytes in a list; false on lack of memory. */
bool uop_grow(struct uop_builder *b, void **array, uint32_t count, uint32_t *cap, size_t size);

/** A new micro-operation of as many records as the table says, without operands: the first of
 *  them.  Valid until the next is made. */
struct uop *uop_add(struct uop_builder *b, enum uop_id op);

/** The same with operands, as many as the operation has. */
struct uop *uop_emit(struct uop_builder *b, enum uop_id op, uint32_t dst, struct uop_operand a,
                     struct uop_operand b0, struct uop_operand c);

/** The literal, one that is there already if it is among the last 256. */
struct uop_operand uop_literal(struct uop_builder *b, uint32_t value);

/** Moves a value to a row, `from` without modifiers being read by nothing that follows: what was
 *  emitted last for the same instruction writes there itself where it can. */
void uop_settle(struct uop_builder *b, uint32_t to, struct uop_operand from);

/** A component that nothing else uses until uop_free_temps(). */
struct uop_operand uop_temp(struct uop_builder *b);
/** Gives back all temporaries but the first `keep`. */
void uop_free_temps(struct uop_builder *b, uint32_t keep);

static inline struct uop_operand
uop_row(uint32_t at)
{
   return (struct uop_operand){ .kind = UOP_ROW, .at = at };
}

static inline struct uop_operand
uop_uniform(uint32_t index)
{
   return (struct uop_operand){ .kind = UOP_UNIFORM, .at = index };
}

static inline struct uop_operand
uop_dynamic(struct uop_builder *b)
{
   return (struct uop_operand){ .kind = UOP_DYNAMIC, .at = b->code->num_dynamic++ };
}

static inline struct uop_operand
uop_neg(struct uop_operand v)
{
   v.mods ^= UOP_NEG;
   return v;
}

static inline struct uop_operand
uop_abs(struct uop_operand v)
{
   v.mods = UOP_ABS;
   return v;
}

static inline struct uop_operand
uop_not(struct uop_operand v)
{
   v.mods ^= UOP_NOT;
   return v;
}

static inline bool
uop_is_uniform(const struct uop_operand *v)
{
   return v->kind > UOP_ROW;
}

/** One bit for each operand that is equal in all lanes. */
unsigned uop_uniforms(const struct uop *u);

/** Orders the first two operands of an operation that commutes as the specialised forms have them:
 *  the uniform one first. */
void uop_normalise(struct uop *u);

/** Whether u[0] to u[n - 1] can be done at once, each operand read before any result is written. */
bool uop_can_fuse(const struct uop *const *u, unsigned n);

/* ------------------------------------------------------------------------------------------------
 * Looking at what is there
 */

/** Prints run `run` of a program, a line each, with what it came from in front: `listing`, if not
 *  NULL, prints what origin n was. */
void uop_print(FILE *out, const struct uop_code *code, struct uop_run run,
               void (*listing)(FILE *out, void *data, uint32_t origin), void *data);
/** One of them, without a line feed. */
void uop_print_one(FILE *out, const struct uop_code *code, const struct uop *u);

/** Checks a run against the table: operands, results, parameters, groups.  False: `message` says
 *  what is wrong. */
bool uop_verify(const struct uop_code *code, struct uop_run run, char *message, size_t size);

#endif
