/* SPDX-License-Identifier: MIT */
/* How a draw's quads are worked on: a key, found once a draw. */
#ifndef ATOLL_PASS_QUADS_H
#define ATOLL_PASS_QUADS_H

#include <stddef.h>

#include "port/draw.h"

/* Of a draw that is otherwise ready. */
struct quads_key quads_key(const struct draw_state *draw);

/* The key in words. */
void quads_key_print(struct quads_key key, char *out, size_t size);

/* A line to stderr: the draw's key, and that of each colour target that it writes. */
void quads_print(const struct draw_state *draw);

#endif
