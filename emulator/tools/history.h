/* SPDX-License-Identifier: MIT */
/*
 * What atoll-debug says of a capture's draws, and of a pixel's history.
 */
#ifndef ATOLL_TOOLS_HISTORY_H
#define ATOLL_TOOLS_HISTORY_H

#include "play.h"

/* Which pixel, and of which surface. */
struct history_question {
   bool asked, by_draw, by_target, by_layer;
   uint32_t x, y, sample, layer;
   uint32_t submission, draw;
   uint32_t target; /* surface of the list; by_draw: colour target */
   bool expects;    /* colours, and of which: the component that is farthest from it counts */
   double expected[4];
};

/** Lists surfaces and draws.  An exit code. */
int history_list(struct play *p);

/** A pixel's memory, once the capture is played: `bytes` of it, of a client's. */
struct history_memory {
   uint64_t client, va;
   uint32_t bytes;
};
/** Finds it.  An exit code, after a message. */
int history_find(struct play *p, const struct history_question *q, struct history_memory *memory);

/** Prints the history of a pixel and the verdict.  An exit code. */
int history_why(struct play *p, const struct history_question *q);

#endif
