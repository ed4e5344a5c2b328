/* SPDX-License-Identifier: MIT */
/*
 * Lines that are typed at a terminal, with editing, history and completion (libedit's).
 */
#ifndef ATOLL_TOOLS_LINE_H
#define ATOLL_TOOLS_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* The word that is completed: the words before it. */
struct line_context {
   unsigned count;
   char words[4][32];
};

struct line;

/** `word` gives the n-th word that may stand there; NULL: there are no more.  NULL: there is no
 *  editing, or no terminal that has it. */
struct line *line_open(const char *prompt,
                       const char *(*word)(void *data, const struct line_context *c, unsigned n),
                       void *data);
/** The next line, cut to `size` bytes.  False: there is none. */
bool line_read(struct line *l, char *text, size_t size);
void line_close(struct line *l);

#endif
