/* SPDX-License-Identifier: MIT */
/* What vertex shaders that Mesa interprets read and write: see feedback.c. */
#ifndef ATOLL_FEEDBACK_H
#define ATOLL_FEEDBACK_H

#include <stdbool.h>

struct draw_context;

/** Give the interpreter of a draw context memory; false: there is none to be had. */
bool atoll_feedback_attach(struct draw_context *draw);

/** Forget the shader that has run: the next one may lie where it lay. */
void atoll_feedback_forget(struct draw_context *draw);

/** Take it away again, before the draw context ends. */
void atoll_feedback_detach(struct draw_context *draw);

#endif
