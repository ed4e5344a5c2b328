/* SPDX-License-Identifier: MIT */
/*
 * A lifted Valhall program, as lift*.c build it and run.c reads it.
 *
 * An instruction is a step: a run of micro-operations, then what it does to control.  The
 * micro-operations are SQ's (sq/alu.c) wherever one computes what is wanted; those that Valhall
 * alone needs are in alu.c.  Operands narrower than 32 bits are unpacked into temporaries, computed
 * as 32-bit values, and packed again.
 */
#ifndef ATOLL_VALHALL_PROGRAM_H
#define ATOLL_VALHALL_PROGRAM_H

#include "isa/valhall/valhall.h"
#include "sq/program.h"
#include "valhall/valhall.h"

#define ROW(n) ((n)*COMP_BYTES)

/* Rows behind the registers. */
enum {
   ROW_LANE = VH_REGISTERS, /* lane in the warp */
   ROW_WARP,
   ROW_THREAD, /* thread_local_pointer, two rows */
   ROW_TEMP = ROW_THREAD + 2,
};

/* Dwords of the table of values that are equal in all lanes. */
enum {
   UNI_FAU = 0,
   UNI_SPECIAL_0 = VALHALL_UNIFORMS,
   UNI_WORKGROUP = UNI_SPECIAL_0 + 32,
   UNI_RESOURCES = UNI_WORKGROUP + 2,
   UNI_LITERALS = UNI_RESOURCES + 2,
};

enum vh_control {
   VH_NEXT,
   VH_BRANCH,
   VH_BARRIER,
   VH_DISCARD,
};

struct vh_step {
   uint32_t first, count; /* in uops */
   uint8_t control, flow;
   bool eq;         /* VH_BRANCH: taken if the condition is zero */
   uint8_t combine; /* VALHALL_COMBINE_* */
   int64_t target;
   struct uop condition; /* VH_BRANCH, VH_DISCARD: its operand 0 */
};

/* A message; uop.imm[0] is its number. */
struct vh_message {
   uint8_t exec;  /* enum valhall_exec */
   uint8_t bytes; /* of memory */
   uint8_t op;    /* atomic operation */
   uint8_t reg;   /* first staging register read or written */
   uint8_t count;
   uint8_t returned; /* register of the old value */
   uint8_t num_returned;
   uint8_t shift, width; /* loads: bit that the value goes to, and bits that it is extended to */
   bool is_signed, compare;
   int32_t offset;
};

struct vh_program {
   struct vh_step *steps;
   uint32_t num_steps, cap_steps;
   struct uop *uops;
   uint32_t num_uops, cap_uops;
   struct vh_message *messages;
   uint32_t num_messages, cap_messages;
   uint32_t *literals;
   uint32_t num_literals, cap_literals;
   const char *error;
   char message[256];
};

/* A wave while it runs: SQ's handlers see the first part. */
struct vh_exec {
   struct exec x;
   const struct vh_program *program;
   struct vh_wave *wave;
};

/* An operand of a micro-operation. */
struct vh_operand {
   uint32_t offset;
   bool uni;
   uint32_t keep, flip;
};

struct vh_lift {
   struct vh_program *p;
   const struct vh_source *source;
   struct valhall_instr instr;
   const struct valhall_info *info;
   uint32_t pc;
   unsigned temps; /* used by this instruction */
   unsigned flush; /* enum vh_flush, of what is read and computed now */
   bool oom;
   struct uop nowhere; /* what is emitted when memory is out */
};

/* Micro-operations of Valhall alone. */
enum vh_uop {
#define VH_UOP(name, value) VH_##name,
#include "valhall/uops.def"
   VH_UOP_COUNT
};

uop_fn *K(vh_uop_fn)(enum vh_uop op);
void K(vh_set_round)(struct exec *x, const struct uop *u);
void K(vh_pair)(struct exec *x, const struct uop *u);
void K(vh_wmask)(struct exec *x, const struct uop *u);
void K(vh_clper)(struct exec *x, const struct uop *u);
void K(vh_memory)(struct exec *x, const struct uop *u);

/* Immediates of some micro-operations. */
enum {
   FREXP_SQRT = 1,
   FREXP_LOG = 2,
   FLUSH_NAN = 3, /* VALHALL_NAN_MODE_* */
   FLUSH_FTZ = 4,
   FLUSH_INF = 8,
   FLUSH_HALF = 16, /* of a half that was made a float */
};

/* The least normal numbers: as floats, and the bits of the half. */
#define LEAST_FLOAT     0x00800000u
#define LEAST_HALF      0x38800000u
#define LEAST_HALF_BITS 0x0400u

/* What vh_pair() computes: uop.imm[0]. */
enum vh_pair {
   VH_PAIR_ADD,
   VH_PAIR_SUB,
   VH_PAIR_ADD_SAT,
   VH_PAIR_SUB_SAT,
   VH_PAIR_SHL,
   VH_PAIR_SHR,
   VH_PAIR_SAR,
   VH_PAIR_SEG_ADD, /* a null pointer stays one */
   VH_PAIR_SEG_SUB,
};

/* Building blocks (lift.c). */
struct vh_operand K(vh_temp)(struct vh_lift *l);
struct vh_operand K(vh_literal)(struct vh_lift *l, uint32_t value);
struct vh_operand K(vh_register)(unsigned reg);
struct uop *K(vh_emit)(struct vh_lift *l, uop_fn *fn, struct vh_operand to, unsigned num_src,
                       const struct vh_operand *src);
/* One of SQ's operations, or one of Valhall's, into a new temporary. */
struct vh_operand K(vh_sq)(struct vh_lift *l, unsigned op, unsigned num_src, struct vh_operand a,
                           struct vh_operand b, struct vh_operand c);
struct vh_operand K(vh_own)(struct vh_lift *l, enum vh_uop op, uint32_t imm, struct vh_operand a,
                            struct vh_operand b, struct vh_operand c);
/* Half `high` (of a 64-bit source) of what source n names, without its selector. */
struct vh_operand K(vh_source_word)(struct vh_lift *l, unsigned n, unsigned high);
/* A float, or what a half became, without denormals if the program flushes those of that format;
 * `least_half` says whether a half is there as its bits. */
struct vh_operand K(vh_flush)(struct vh_lift *l, struct vh_operand a, bool half,
                              uint32_t least_half);
/* Element e of source n as a 32-bit value of the class. */
struct vh_operand K(vh_element)(struct vh_lift *l, unsigned n, unsigned e, unsigned bits,
                                unsigned count, unsigned class);
void K(vh_lift_alu)(struct vh_lift *l);
void K(vh_lift_pair)(struct vh_lift *l);
void K(vh_lift_message)(struct vh_lift *l, struct vh_step *step);
void K(vh_fail)(struct vh_lift *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
