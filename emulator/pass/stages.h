/* SPDX-License-Identifier: MIT */
/*
 * The programs of a draw: which stages the registers ask for, and what each is bound to.
 */
#ifndef ATOLL_STAGES_H
#define ATOLL_STAGES_H

#include "chip/cayman/bind.h"
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
   enum core_stage role[STAGES];
   const struct core_program *program[STAGES];
   struct bind_source source; /* but for the stage */
};

/* Finds the programs; NULL, or what is wrong with one. */
const char *stages_find(struct gfx *g, struct stages *st, const struct regs *r,
                        const struct vm *vm);

/* Binds what the programs write besides targets and rings; `r` holds the append counters.  False:
 * out of memory. */
bool stages_bind_memory(struct gfx *g, struct draw_state *s, const struct stages *st,
                        struct regs *r);

/* Binds all stages of the draw, whose VGT state is decoded, and makes room for what they need.
 * `same`: a draw of the same programs, registers and address space, without geometry stages, or
 * NULL.  Returns NULL, or why the draw cannot be. */
const char *stages_bind(struct gfx *g, struct draw_state *s, const struct stages *st,
                        const struct regs *r, const struct draw_state *same);

/* Whether a stage reads memory in `range`; PS alone. */
bool stages_read(const struct gfx *g, const struct stages *st, struct target_range range);
bool stages_pixels_read(const struct gfx *g, const struct stages *st, struct target_range range);

#endif
