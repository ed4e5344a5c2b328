/* SPDX-License-Identifier: MIT */
/*
 * The compiler's program from its text, for tests of single passes: what print.c prints before
 * scheduling, instructions divided by semicolons or line ends.
 *
 * A name's suffixes (%5.x!:R3) may stand anywhere it stands.  Blocks and what is left out of the
 * end of a program need not be written; the instruction before an `if` is its condition.  An offset
 * (@12) that is left out is 0.
 */
#ifndef IR_TEXT_H
#define IR_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cayman/ir.h"

typedef void ir_pass(struct compiler *c);

/** The program, of a pixel shader; what is wrong with the text fails the test.  ir_end() frees it.
 *  */
struct compiler *ir_begin(const char *text);
void ir_end(struct compiler *c);

/** Run a pass; its failure fails the test. */
void ir_run(struct compiler *c, ir_pass *pass);

/** The program as text, malloc()ed. */
char *ir_print(const struct compiler *c);

/** The value of this number. */
static inline const struct cc_value *
ir_value(const struct compiler *c, value_id v)
{
   return &c->values[v];
}

/** A pass makes one program of the other. */
void ir_case(ir_pass *pass, const char *before, const char *after, const char *file, int line);

/** Cases of a file's pass, `PASS`: what it makes of a program, and a program that it leaves alone.
 *  */
#define CASE(before, after) ir_case(PASS, before, after, __FILE__, __LINE__)
#define NEGCASE(unchanged)  ir_case(PASS, unchanged, unchanged, __FILE__, __LINE__)

/** Keeps values alive. */
#define OUT(components) "EXPORT (" components ") {effect}"

#endif /* IR_TEXT_H */
