/* SPDX-License-Identifier: MIT */
/*
 * A lifted Valhall program, as lift*.c build it and run.c reads it.
 *
 * An instruction is a step: a run of micro-operations, then what it does to control.  Steps that
 * always follow one another are a block (uop/blocks.h).  The
 * micro-operations are SQ's (sq/alu.c) wherever one computes what is wanted; those that Valhall
 * alone needs are in alu.c.  Operands narrower than 32 bits are unpacked into temporaries, computed
 * as 32-bit values, and packed again.
 */
#ifndef ATOLL_VALHALL_PROGRAM_H
#define ATOLL_VALHALL_PROGRAM_H

#include "isa/valhall/valhall.h"
#include "uop/blocks.h"
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
   struct uop_operand condition; /* VH_BRANCH, VH_DISCARD */
};

/* A message (struct uop_message). */
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
   struct core_program core; /* first */
   struct vh_step *steps;
   uint32_t num_steps, cap_steps;
   struct uop_code code;
   struct uop_blocks blocks;
   struct uop_bound bound;
   struct vh_message *messages;
   uint32_t num_messages, cap_messages;
   char message[256];
};

struct vh_lift {
   struct vh_program *p;
   const struct vh_source *source;
   struct valhall_instr instr;
   const struct valhall_info *info;
   uint32_t pc;
   unsigned flush;       /* enum vh_flush, of what is read and computed now */
   struct uop_builder b; /* of p->code */
};

/* Building blocks (lift.c). */
struct uop_operand vh_temp(struct vh_lift *l);
struct uop_operand vh_literal(struct vh_lift *l, uint32_t value);
struct uop_operand vh_register(unsigned reg);
/* An operation into a new temporary. */
struct uop_operand vh_op(struct vh_lift *l, enum uop_id op, struct uop_operand a,
                         struct uop_operand b, struct uop_operand c);
/* One that has an immediate. */
struct uop_operand vh_imm(struct vh_lift *l, enum uop_id op, uint32_t imm, struct uop_operand a,
                          struct uop_operand b, struct uop_operand c);
void vh_move(struct vh_lift *l, struct uop_operand to, struct uop_operand from);
/* Half `high` (of a 64-bit source) of what source n names, without its selector. */
struct uop_operand vh_source_word(struct vh_lift *l, unsigned n, unsigned high);
/* A float, or what a half became, without denormals if the program flushes those of that format;
 * `least_half` says whether a half is there as its bits. */
struct uop_operand vh_flush(struct vh_lift *l, struct uop_operand a, bool half,
                            uint32_t least_half);
/* Element e of source n as a 32-bit value of the class. */
struct uop_operand vh_element(struct vh_lift *l, unsigned n, unsigned e, unsigned bits,
                              unsigned count, unsigned class);
void vh_lift_alu(struct vh_lift *l);
void vh_lift_pair(struct vh_lift *l);
void vh_lift_message(struct vh_lift *l);
void vh_fail(struct vh_lift *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Lifts a program, for no build; NULL: no memory. */
struct vh_program *vh_lift(const struct vh_source *source);
void vh_release(struct vh_program *program);

#endif
