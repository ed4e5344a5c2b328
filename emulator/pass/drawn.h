/* SPDX-License-Identifier: MIT */
/*
 * A draw's state as a pass keeps it: what all blocks see (port/draw.h), and each block's own.
 */
#ifndef ATOLL_PASS_DRAWN_H
#define ATOLL_PASS_DRAWN_H

#include "cb/cb.h"
#include "db/db.h"
#include "pa/pa.h"
#include "port/draw.h"
#include "sc/sc.h"
#include "spi/spi.h"
#include "sx/sx.h"
#include "vgt/vgt.h"

/* A draw's state with that of all blocks.  What lies before `pa` is every draw's own; the rest may
 * be another one's. */
struct drawn {
   struct draw_state head; /* first */
   struct vgt_state vgt;
   struct pa_state pa;
   struct sc_state sc;
   struct spi_state spi;
   struct sx_state sx;
   struct db_state db;
   struct cb_state cb;
};

/* Lets the head point to the states after it. */
static inline void
drawn_link(struct drawn *d)
{
   d->head.vgt = &d->vgt;
   d->head.pa = &d->pa;
   d->head.sc = &d->sc;
   d->head.spi = &d->spi;
   d->head.sx = &d->sx;
   d->head.db = &d->db;
   d->head.cb = &d->cb;
}

/* The states of a draw that a chip hands over.  NULL `last`: the program's part of SPI's state is
 * still to come; else it is that of `last`. */
static inline void
drawn_take(struct drawn *d, const struct gfx_draw *draw, const struct draw_state *last)
{
   d->pa = *draw->pa;
   d->sc = *draw->sc;
   d->spi = last ? *last->spi : *draw->spi;
   d->sx = *draw->sx;
   d->db = *draw->db;
   d->cb = *draw->cb;
}

#endif
