/* SPDX-License-Identifier: MIT */
/*
 * The programs of a draw: what each is bound to, and what it reads.
 */
#ifndef ATOLL_STAGES_H
#define ATOLL_STAGES_H

#include "pass/internal.h"

/* Whether some program writes memory besides targets and rings. */
bool stages_write_memory(const struct stages *st);

/* Binds all stages of the draw and makes room for what they need; its VGT state and geometry stages
 * are ready.  `reuse`: a draw of the same programs and tables, without geometry stages, or
 * NULL.  False: out of memory. */
bool stages_bind(struct gfx *g, struct draw_state *s, const struct stages *st,
                 const struct draw_state *reuse);

/* What other vertices of a draw without stages in between are made with; `reuse` is a bind of VS
 * with the same tables.  NULL: out of memory. */
const struct core_bind *stages_rebind_vertices(struct gfx *g, const struct draw_state *s,
                                               const struct stages *st,
                                               const struct core_bind *reuse);

/* Whether a stage reads memory in `range`; PS alone. */
bool stages_read(const struct gfx *g, const struct stages *st, struct target_range range);
bool stages_pixels_read(const struct gfx *g, const struct stages *st, struct target_range range);

#endif
