/* SPDX-License-Identifier: MIT */
/*
 * Draws and dispatches as CP starts them, with registers: decoded, and handed to the pipeline.
 */
#ifndef ATOLL_CHIP_CAYMAN_DRAW_H
#define ATOLL_CHIP_CAYMAN_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "cb/cb.h"
#include "chip/cayman/source.h"
#include "db/db.h"
#include "pa/pa.h"
#include "pass/programs.h"
#include "sc/sc.h"
#include "spi/spi.h"
#include "sx/sx.h"

struct gfx;
struct regs;
struct vm;

/* A draw packet. */
struct cayman_draw {
   struct regs *regs; /* dirty bits are taken and cleared */
   const struct vm *vm;
   bool indexed;
   unsigned index_bytes; /* 2 or 4 */
   uint64_t index_va;
   uint64_t index_max;        /* indices that may be read from index_va */
   const uint32_t *immediate; /* DRAW_INDEX_IMMD: packet data (count indices), or NULL */
   uint32_t count;            /* indices or vertices */
   uint32_t instances;
};

/* A dispatch packet. */
struct cayman_dispatch {
   struct regs *regs; /* append counters are counted there */
   const struct vm *vm;
   uint32_t groups[3];
};

/* What a client's registers were decoded to.  All zero before the first draw. */
struct cayman_decoded {
   struct pa_state pa;
   struct sc_state sc;
   struct spi_state spi;
   struct sx_state sx;
   struct db_state db;
   struct cb_state cb;
   struct cayman_source source[STAGES];
   struct stages stages; /* found for a pass, */
   uint64_t pass;        /* of this number; 0: for none */
   const struct vm *vm;  /* that addresses are of */
   uint64_t vm_generation;
   uint64_t state, tables, constants; /* their numbers, struct gfx_draw's */
};

/* Decodes the states of all blocks.  Their targets are host addresses of `vm`. */
void cayman_decode_blocks(struct cayman_decoded *decoded, const struct regs *regs,
                          const struct vm *vm);

void cayman_draw(struct cayman_decoded *decoded, struct gfx *gfx, const struct cayman_draw *draw);
void cayman_dispatch(struct gfx *gfx, const struct cayman_dispatch *dispatch);

#endif
