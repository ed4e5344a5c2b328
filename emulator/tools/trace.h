/* SPDX-License-Identifier: MIT */
/*
 * What waves of some draws did, step by step, and from that what a value was made of.
 *
 * A step is a micro-operation, a fetch, an export or a store: the rows of registers that it takes
 * and writes, the lanes, and the results.  What a value was made of is found backwards: the last
 * step before that wrote the row in the lane, then what that took, and so on.  Two ways lead to
 * other waves: memory (rings, LDS, buffers), to the step that wrote it there last, and inputs of
 * pixels, to the exports of the primitive's vertices.
 *
 * Steps are told by engines of Cayman's instruction sets (core_program.registers).
 */
#ifndef ATOLL_TOOLS_TRACE_H
#define ATOLL_TOOLS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core_observer;
struct trace;

/** NULL: no memory. */
struct trace *trace_create(void);
void trace_destroy(struct trace *t);

/** Waves of this draw are kept, of its batch of vertices and its tile of pixels (both as in
 *  core_identity.part); of no more than TRACE_DRAWS.  Those of dispatches are all kept. */
#define TRACE_DRAWS 6u
void trace_want(struct trace *t, uint32_t submission, uint32_t draw, uint32_t batch, uint32_t tile);

/** To be set while the capture is played, on one thread. */
const struct core_observer *trace_observer(const struct trace *t);

/** Whether there was no room for all. */
bool trace_lost(const struct trace *t);

/* Where a fragment is in waves. */
struct trace_fragment {
   uint32_t submission, draw, round;
   uint32_t part, wave; /* of its pixel wave */
   bool ran;            /* else one wave ran for all pixels */
   uint8_t lane;
   uint32_t batch, vertex[3]; /* of its primitive, in the batch */
   const uint8_t *param;      /* the export of the vertices that is the pixel program's input n */
   unsigned num_params;
   uint8_t target;
};

/* An instruction that the value depends on. */
struct trace_line {
   uint8_t stage; /* enum core_stage */
   uint32_t submission, draw;
   uint64_t program;
   uint32_t group, origin; /* where the debugger stops for it (core_wave.origin), and its own */
   unsigned distance;      /* instructions on the shortest way to the value */
   bool decides;           /* which lanes run, and no value */
   char text[128];         /* the instruction */
   char values[256];       /* what it gave, and which constants and memory it had */
};

/* Lines in the order of stages and programs. */
#define TRACE_LINES 64u
struct trace_lines {
   struct trace_line line[TRACE_LINES];
   unsigned count, left_out;
   char race[160]; /* of shared memory, on the way; or empty */
};

/** What made the components (a bit each) of the fragment's colour. */
void trace_color(struct trace *t, const struct trace_fragment *f, unsigned components,
                 struct trace_lines *out);
/** The same of the depth that the pixel program exports. */
void trace_depth(struct trace *t, const struct trace_fragment *f, struct trace_lines *out);
/** Which instructions discarded it. */
void trace_discard(struct trace *t, const struct trace_fragment *f, struct trace_lines *out);
/** What made the positions of the primitive's vertices. */
void trace_position(struct trace *t, const struct trace_fragment *f, struct trace_lines *out);
/** What made what an invocation stored last at `host`.  False: none did; *submission and *draw are
 *  the dispatch or draw. */
bool trace_stored(struct trace *t, const void *host, uint32_t bytes, struct trace_lines *out,
                  uint32_t *submission, uint32_t *draw);

#endif
