/* SPDX-License-Identifier: MIT */
/*
 * When a pass of a compiler runs.  Each compiler has a table of its passes in their order
 * (cayman/passes.def, valhall/passes.def, attila/passes.def):
 *
 *   PASS(name, when)   runs up to registers, and the program after it is printed if that is asked
 *   STEP(name)         runs when the compiler's entry says so: as often as registers want it
 *
 * Prototypes and calls of PASS rows, and the tests' check that every row has a case, are made from
 * that table: a new pass is a row there, a file, and the file's name in meson.build.
 */
#ifndef COMPILER_PASSES_H
#define COMPILER_PASSES_H

#include "compiler/shader.h"

enum pass_when {
   PASS_ALWAYS,
   PASS_REWRITES, /* not without optional rewriting */
   PASS_SCALAR,   /* in the form of the scalar machine */
   PASS_VECTORS,  /* a rewriting of vectors */
};

static inline bool
pass_runs(enum pass_when when, unsigned flags)
{
   const bool rewrites = !(flags & SHADER_COMPILE_NO_OPT), scalar = flags & SHADER_COMPILE_SCALAR;

   return when == PASS_ALWAYS     ? true
          : when == PASS_REWRITES ? rewrites
          : when == PASS_SCALAR   ? scalar
                                  : rewrites && !scalar;
}

#endif
