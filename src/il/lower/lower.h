/* SPDX-License-Identifier: MIT */
/*
 * Legalisation: any program of IL becomes one of a small core, which back ends start from.
 *
 * What the language has for its writers' comfort (macros, subroutines, interfaces, counted loops,
 * matrices, the register models of old shaders) always goes.  What a machine may or may not have
 * goes if the target's list says that it has not.  docs/il-core.rst says what is left.
 */
#ifndef IL_LOWER_H
#define IL_LOWER_H

#include "il/il.h"

/** What a target has; a bit mask of 1 << enum il_core of the groups it takes as they are. */
struct il_target_caps {
   uint32_t has;
};

/** Legalises a program for a target.
 *
 *  @param p        a complete program; not changed
 *  @param lowered  NULL if `p` had nothing to legalise and is to be used itself; else a new
 *                  program, which shares with `p` what it left alone: free it before `p`
 *  @param err      where: the instruction's il_inst.offset
 *  @return false: the program cannot be legalised, or memory is out; `err` says why */
bool il_lower(const struct il_program *p, const struct il_target_caps *caps,
              struct il_program **lowered, struct il_error *err);

/** Is a program of the core, for a target?  False: `err` names the first instruction that is not.
 *  */
bool il_is_core(const struct il_program *p, const struct il_target_caps *caps,
                struct il_error *err);

#endif
