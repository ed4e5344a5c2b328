/* SPDX-License-Identifier: MIT */
/*
 * Conditions of breakpoints: a register, mask or constant of a stopped wave, compared with a
 * number.
 */
#ifndef ATOLL_TOOLS_CONDITION_H
#define ATOLL_TOOLS_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

struct core_wave;

enum condition_op {
   CONDITION_NONE,
   CONDITION_EQ,
   CONDITION_NE,
   CONDITION_LT,
   CONDITION_LE,
   CONDITION_GT,
   CONDITION_GE,
   CONDITION_NAN
};

struct condition {
   uint8_t op;    /* enum condition_op; NONE: there is no condition */
   bool is_float; /* the number has a point: bits are floats then, else signed integers */
   char name[24];
   double number;
};

/** Of three words: NAME == NUMBER, != < <= > >=, or NAME is nan.  False: they are none. */
bool condition_read(struct condition *c, const char *name, const char *op, const char *number);

/** The lanes for which it holds; a mask or constant has it for all or none. */
uint64_t condition_lanes(const struct condition *c, const struct core_wave *wave,
                         const void *state);

#endif
