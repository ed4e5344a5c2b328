/* SPDX-License-Identifier: MIT */
/*
 * Engines that are checked: ATOLL_STEP=1 stops every wave before each of its instructions, and
 * ATOLL_WAVES names a file that gets a line for each program that was lifted and for each wave that
 * ended, of what it left.  So two runs can be compared wave for wave, one at full speed and one
 * instruction by instruction.  At full speed, what an engine keeps from wave to wave is moved to
 * other memory before each.
 *
 * An engine is checked by another one that stands before it: nothing is asked while a wave runs at
 * full speed.
 */
#ifndef ATOLL_CORE_STEP_H
#define ATOLL_CORE_STEP_H

#include "core/core.h"

/** Gives a program that was lifted its engine, or the one that checks it. */
void core_set_engine(struct core_program *program, const struct core_engine *engine,
                     const struct core_engine *checked);

bool core_step_start(void *state, struct core_wave *wave);
enum core_stop core_step_resume(void *state, struct core_wave *wave,
                                const struct core_observer *until);
bool core_step_look(const void *state, const struct core_wave *wave, uint32_t n,
                    struct core_seen *seen);
void core_step_run(struct core_wave *wave);

/* Bytes of core_engine.state_bytes before those of the engine that is checked. */
#define CORE_STEP_HEAD 64u

/* The members of an engine that checks `engine`, but for what they have in common. */
#define CORE_CHECKS(engine)                                                      \
   .start = core_step_start, .resume = core_step_resume, .look = core_step_look, \
   .run = core_step_run, .inner = &(engine)

#endif
