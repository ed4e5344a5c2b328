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

/* Lets the head point to the states behind it. */
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

/* The same states, wherever those of `from` lie. */
static inline void
drawn_copy(struct drawn *d, const struct draw_state *from)
{
   d->head = *from;
   d->vgt = *from->vgt;
   d->pa = *from->pa;
   d->sc = *from->sc;
   d->spi = *from->spi;
   d->sx = *from->sx;
   d->db = *from->db;
   d->cb = *from->cb;
}

/* The targets that a draw writes or reads; how many of `out`. */
static inline unsigned
drawn_targets(const struct cb_state *cb, const struct db_state *db,
              const struct target *out[CB_TARGETS + 4])
{
   unsigned n = 0;

   for (unsigned i = 0; i < CB_TARGETS; i++)
      if (cb->bound & 1u << i)
         out[n++] = &cb->target[i].surface;
   out[n++] = &cb->resolve_src;
   out[n++] = &cb->resolve_dst;
   out[n++] = &db->z;
   out[n++] = &db->s;
   return n;
}

#endif
