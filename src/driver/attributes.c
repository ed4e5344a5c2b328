/* SPDX-License-Identifier: MIT */
/*
 * Attribute descriptors (docs/valhall-chip.rst): vertex elements for programs that load them by
 * number.
 */
#include "backend.h"

#include <stdlib.h>

#include <atoll/format_numbers.h>

#include "compiler/cayman/cayman_compile.h"

#define DESCRIPTOR_DWORDS 8
#define DESCRIPTOR_TYPE   5

/* The pipeline's number of each of Cayman's. */
static const uint8_t format_of[64] = {
#define FORMAT(name, cayman, number, ...) [number] = FORMAT_##name,
#include <atoll/formats.def>
};

unsigned
atoll_build_attributes(const struct cayman_vertex_element *elements, unsigned count,
                       uint32_t **words)
{
   /* Without elements it is one that no program reads: there is an address to name. */
   const unsigned num_dwords = DESCRIPTOR_DWORDS * (count ? count : 1);
   uint32_t *out = calloc(num_dwords, sizeof(*out));

   *words = out;
   if (!out)
      return 0;
   for (unsigned i = 0; i < count; i++, out += DESCRIPTOR_DWORDS) {
      const struct cayman_vertex_element *e = &elements[i];
      out[0] = DESCRIPTOR_TYPE | (uint32_t)e->resource << 8 | (uint32_t)e->offset << 16;
      out[1] = format_of[e->data_format & 63] | (uint32_t)e->num_format << 8 |
               (uint32_t)e->is_signed << 10 | (uint32_t)e->srf_no_zero << 11 |
               (uint32_t)e->endian_swap << 12 | (uint32_t)e->twice << 16;
      for (unsigned c = 0; c < 4; c++)
         out[1] |= (uint32_t)e->dst_sel[c] << (20 + 3 * c);
      out[2] = e->instance_divisor;
   }
   return num_dwords;
}
