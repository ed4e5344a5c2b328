/* SPDX-License-Identifier: MIT */
/*
 * What a pixel program takes of its inputs and of what the pipeline makes for it.
 */
#include "spi/spi.h"

void
spi_program(struct spi_state *s, const struct core_program *ps)
{
   const uint16_t *slot = s->entry.place;

   s->num_pairs = 0;
   s->position = s->integers = false;
   for (unsigned p = 0; p < CORE_PAIRS; p++)
      if (slot[CORE_BARYCENTRIC + 2 * p] && slot[CORE_BARYCENTRIC + 2 * p + 1])
         s->pair[s->num_pairs++] = (uint8_t)p;
   for (unsigned c = 0; c < 4; c++)
      s->position |= slot[CORE_POSITION + c] != 0;
   for (unsigned v = CORE_FACE; v <= CORE_LAYER; v++)
      s->integers |= slot[v] != 0;

   /* Counts are of all waves, so all have to run. */
   s->constant = !ps->lane_varying && !ps->writes_memory && !ps->error && !ps->counted;
}
