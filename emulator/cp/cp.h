/* SPDX-License-Identifier: MIT */
/*
 * CP: the command processor.  It parses an IB, keeps the register file, starts draws and writes
 * what queries and fences ask for.
 *
 * It runs ahead of the graphics pipe: cayman_draw() may only collect work.  Whatever touches memory
 * or counters from here first ends the pass (cp_flush()); end-of-pipe writes are kept until then,
 * in order.
 */
#ifndef ATOLL_CP_H
#define ATOLL_CP_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/chip.h"
#include "regs.h"

struct gfx;
struct report;
struct vm;

/* GDS, in bytes. */
#define CP_GDS_BYTES 65536u

struct cp_state;

/* The command processor of a chip as one client sees it.  NULL on lack of memory. */
struct cp_state *cp_create(enum chip_id chip);
void cp_destroy(struct cp_state *cp);

/* What an IB is run with. */
struct cp_env {
   struct gfx *gfx;
   struct vm *vm;
   struct report *report;
   uint64_t client, seq;          /* for messages */
   bool trace;                    /* print every packet to stderr */
   uint64_t (*ticks)(void *data); /* the clock that timestamps follow */
   void *ticks_data;
   /* Is told of each packet, which is whole, before it runs, and with NULL of the end.  NULL:
    * nothing is. */
   void (*packet)(void *data, uint32_t at, const uint32_t *words);
   void *packet_data;
};

/* Whether the submission may go on with so many bytes, which then count. */
bool cp_may_copy(const struct cp_env *env, uint64_t bytes);

/* Runs an IB of the graphics ring to its end, memory effects included.  Malformed packets are
 * reported and skipped; where the next packet cannot be found the rest of the IB is dropped. */
void cp_execute(struct cp_state *cp, const struct cp_env *env, const uint32_t *words,
                uint32_t num_words);

#endif
