/* SPDX-License-Identifier: MIT */
/*
 * The programs of a draw: which stages the registers ask for, and what each is bound to.
 */
#ifndef ATOLL_STAGES_H
#define ATOLL_STAGES_H

#include "pass/bind.h"
#include "pass/internal.h"

enum {
   STAGE_LS,
   STAGE_HS,
   STAGE_ES,
   STAGE_GS,
   STAGE_VS,
   STAGE_PS,
   STAGES,
};

/* Stages that a draw does not have are NULL. */
struct stages {
   const struct bind_stage *stage[STAGES];
   const struct sq_program *program[STAGES];
};

/* Finds the programs; NULL, or what is wrong with one. */
const char *stages_find(struct gfx *g, struct stages *st, const struct regs *r,
                        const struct vm *vm);

/* Where the draw has the bind of a stage; only of stages that it has. */
struct sq_bind *stages_bind_of(struct draw_state *s, unsigned n);

/* Binds all stages of the draw, whose VGT state is decoded, and makes room for what they need.
 * `same`: a draw of the same programs, registers and address space, without geometry stages, or
 * NULL.  Returns NULL, or why the draw cannot be. */
const char *stages_bind(struct gfx *g, struct draw_state *s, const struct stages *st,
                        const struct regs *r, const struct draw_state *same);

/* Whether a stage reads memory in `range`. */
bool stages_read(const struct stages *st, const struct regs *r, struct target_range range);

#endif
