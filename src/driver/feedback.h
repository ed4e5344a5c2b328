/* SPDX-License-Identifier: MIT */
/* What vertex shaders that Mesa interprets read and write: see feedback.c. */
#ifndef ATOLL_FEEDBACK_H
#define ATOLL_FEEDBACK_H

#include <stdbool.h>

struct draw_context;
struct nir_shader;

/** Give the interpreter of a draw context memory; false: there is none to be had. */
bool atoll_feedback_attach(struct draw_context *draw);

/** Has the loops of a vertex shader, in NIR, end when its time is up. */
void atoll_feedback_bound(struct nir_shader *nir);

/** A draw begins: its time is counted. */
void atoll_feedback_begin(struct draw_context *draw);

/** Forget the shader that has run: the next one may lie where it lay. */
void atoll_feedback_forget(struct draw_context *draw);

/** Take it away again, before the draw context ends. */
void atoll_feedback_detach(struct draw_context *draw);

#endif
