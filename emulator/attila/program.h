/* SPDX-License-Identifier: MIT */
/*
 * A lifted ATTILA program, as lift.c builds it and run.c reads it.
 *
 * An instruction is a step: a run of micro-operations, then what it does to control and predicates.
 */
#ifndef ATOLL_ATTILA_PROGRAM_H
#define ATOLL_ATTILA_PROGRAM_H

#include "attila/attila.h"
#include "isa/attila/attila.h"
#include "uop/blocks.h"

/* Rows after the registers, from at_lifted.temp_row on. */
enum {
   AT_ACC = 0,     /* the accumulator: low dwords of the four components, then high ones */
   AT_SOURCE = 8,  /* coordinates of a texture */
   AT_RESULT = 12, /* what comes from memory */
   AT_PAIRS = 16,  /* barycentrics i and j of AT_NUM_PAIRS */
   AT_KILLED = 24, /* samples that are gone */
   AT_TEMPS = 25,
   AT_EXTRA_ROWS = AT_TEMPS + 64,
};

/* Pairs that inputs are interpolated from, in the order of their registers. */
#define AT_NUM_PAIRS 4
static const uint8_t at_pairs[AT_NUM_PAIRS] = {
   CORE_PERSP_CENTER,
   CORE_PERSP_CENTROID,
   CORE_LINEAR_CENTER,
   CORE_LINEAR_CENTROID,
};

/* Dwords of the table of values that are equal in all lanes. */
enum {
   AT_UNI_CONSTANTS = 0,
   AT_UNI_LITERALS = 4 * ATTILA_CONSTANTS,
};

/* A boolean operand. */
enum at_bool_kind {
   AT_BOOL_VALUE, /* `invert` is the value */
   AT_BOOL_PREDICATE,
   AT_BOOL_UNIFORM, /* true if it is not 0.0 */
   AT_BOOL_ROW,     /* the same in every lane */
};

struct at_bool {
   uint8_t kind; /* enum at_bool_kind */
   bool invert;
   uint32_t at; /* predicate, or offset in uni or file */
};

enum at_control {
   AT_NEXT,
   AT_JUMP, /* where operand 0 holds */
   AT_AND,  /* predicate `result` = operand 0 and operand 1 */
};

struct at_step {
   uint32_t first, count; /* in uops */
   bool end;
   bool predicated, invert_pred;
   uint8_t pred;
   bool sets_pred;  /* of its own, beside what AT_AND does */
   uint8_t control; /* enum at_control */
   uint8_t result;
   bool invert;
   struct at_bool operand[2];
   uint32_t target;
};

struct at_lifted {
   struct at_program head; /* first: what others see */
   struct at_step *steps;
   uint32_t num_steps;
   uint32_t first_step; /* of the instructions: 1 if a step in front interpolates inputs */
   struct uop_code code;
   struct uop_blocks blocks;
   struct uop_bound bound;
   uint32_t first[ATTILA_ADDR + 1]; /* row of register 0 of a bank */
   uint32_t temp_row;
   bool pixel, pipeline;
   uint16_t cubes;
   uint16_t *cleared; /* rows that a wave begins with zeros (clear.c), but for entry values */
   uint32_t num_cleared;
   struct at_tex_ref *tex;
   uint8_t *attributes;
   uint32_t cap_tex, cap_attributes;
   char message[200];
};

/* Lifts a program, for no build; NULL: no memory. */
struct at_lifted *at_lift(const struct at_source *source);
void at_release(struct at_lifted *program);

/* Fills `cleared`; false: no memory. */
bool at_find_cleared(struct at_lifted *program);

#endif
