/* SPDX-License-Identifier: MIT */
/*
 * Where the components of colour formats lie: what targets take of the list of formats.
 */
#include "port/channel.h"

#include "port/format.h"
#include "port/state.h"

unsigned
cb_channels(struct cb_channel channel[4], unsigned format, unsigned numeric,
            const uint8_t order[4][4])
{
   const struct format_info *f = &format_info[format];
   const unsigned count = f->target ? format_channels(f) : 0;

   for (unsigned n = 0; n < count; n++) {
      const unsigned color = order ? order[count - 1][n] & 3 : n;
      struct cb_channel *c = &channel[color];

      c->bits = f->channel[n].bits;
      c->dword = f->channel[n].pos / 32;
      c->shift = f->channel[n].pos % 32;
      c->type = (uint8_t)numeric;
      if (f->cls == CLASS_FLOAT || (f->cls == CLASS_FLOAT_INT && !n))
         c->type = NUMERIC_FLOAT;
      else if (f->cls == CLASS_FLOAT_INT)
         c->type = NUMERIC_UINT;
      else if (numeric == NUMERIC_FLOAT && (c->bits < 16 || c->bits == 24))
         c->type = NUMERIC_UNORM;
      /* Alpha is linear, and only 8-bit components are curved. */
      else if (numeric == NUMERIC_SRGB && (color == 3 || c->bits != 8))
         c->type = NUMERIC_UNORM;
   }
   return count ? f->bytes : 0;
}
