/* SPDX-License-Identifier: MIT */
/*
 * A debugger of captures: it stops before packets and before instructions of waves, and shows the
 * wave.
 *
 * A stop is a number: how many packets and instructions came before it.  One thread plays the
 * capture, so the same number is the same stop each time, and a step back is another run up to a
 * smaller one.
 */
#ifndef ATOLL_TOOLS_DEBUGGER_H
#define ATOLL_TOOLS_DEBUGGER_H

#include <stdio.h>

#include "core/core.h"
#include "play.h"
#include "sources.h"

/** Reads commands from `commands` (NULL: none) and then, unless `batch`, from standard input.  An
 *  exit code: of `batch`, TOOL_REFUSED when a command was refused. */
int debugger_run(struct play *p, FILE *commands, bool batch);

/* ---- What is shown (look.c) ---- */

/* Where the debugger has stopped before an instruction. */
struct look {
   const struct core_wave *wave;
   const void *state;
   unsigned lane;
   uint64_t client;
   const struct vm *vm; /* of the client; NULL: unknown */
   struct sources sources;
   const char *marker; /* the newest before the draw; NULL: there was none */
};

/** "pixel" and so on. */
const char *look_stage(unsigned stage);
/** The number of a stage that is called so, or CORE_STAGES. */
unsigned look_find_stage(const char *name);

/** Where an instruction of the wave's program lies; 0: not in memory, or in a fetch subroutine. */
uint64_t look_address(const struct core_wave *wave, uint32_t origin);

/** One line: the wave and its instruction. */
void look_where(const struct look *l);
/** From the lane to the draw. */
void look_backtrace(const struct look *l);
/** The instructions around the one that runs next. */
void look_list(const struct look *l, unsigned lines);
/** The line of IL that it was made for, and those around it; nothing: the program has no notes. */
void look_il(struct look *l, unsigned lines);
/** A text of the program's notes, "glsl" and so on.  False: it has none. */
bool look_text(struct look *l, const char *name);
/** A register, mask or constant, of the lane or of all.  False: there is none of that name. */
bool look_print(const struct look *l, const char *name, bool all);
/** All of a kind, enum core_seen_kind; registers that are zero in the lane are left out. */
void look_all(const struct look *l, unsigned kind);
/** Dwords of memory, or of the group's LDS. */
void look_memory(const struct vm *vm, uint64_t va, unsigned count);
void look_lds(const struct look *l, uint64_t address, unsigned count);

#endif
