/* SPDX-License-Identifier: MIT */
/*
 * The states of all blocks that context registers alone make; see draw.h.
 */
#include "chip/cayman/cayman.h"
#include "chip/cayman/draw.h"

/* The targets that a draw writes or reads; how many of `out`. */
static unsigned
find_targets(const struct cb_state *cb, const struct db_state *db,
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

void
cayman_decode_blocks(struct cayman_decoded *d, const struct regs *r, const struct vm *vm)
{
   const struct target *targets[CB_TARGETS + 4];

   cayman_decode_pa(&d->pa, r);
   cayman_decode_cb(&d->cb, r, vm);
   cayman_decode_db(&d->db, r, vm);
   cayman_decode_sc(&d->sc, r, targets, find_targets(&d->cb, &d->db, targets));
   cayman_decode_spi(&d->spi, r);
   cayman_decode_sx(&d->sx, r);
}
