/* SPDX-License-Identifier: MIT */
/*
 * Decodes descriptors of vertex attributes; see attribute.h.
 */
#include "bind/attribute.h"

#include "port/format.h"
#include "port/state.h"
#include "port/views.h"

#define DESCRIPTOR_TYPE 5u

static unsigned
field(uint32_t word, unsigned first, unsigned bits)
{
   return word >> first & ((1u << bits) - 1);
}

void
bind_decode_attribute(struct attribute *out, const uint32_t *words)
{
   const bool there = field(words[0], 0, 4) == DESCRIPTOR_TYPE;
   const unsigned format = field(words[1], 0, 8), conversion = field(words[1], 8, 2);

   *out = (struct attribute){
      .view = TD_VERTEX_BUFFERS + field(words[0], 8, 8),
      .divisor = words[2],
      .twice = field(words[1], 16, 1),
      .fetch = {
         .kind = there ? TD_FETCH_ELEMENTS : TD_FETCH_NOTHING,
         .format = (uint8_t)(format < FORMATS ? format : FORMAT_NONE),
         .conversion = (uint8_t)(conversion <= CONVERT_SCALED ? conversion : CONVERT_NORM),
         .sign = field(words[1], 10, 1) ? CHANNEL_SIGNED : CHANNEL_UNSIGNED,
         .no_zero = field(words[1], 11, 1),
         .byte_swap = (uint8_t)field(words[1], 12, 2),
         .offset = (uint16_t)field(words[0], 16, 16),
      },
   };
   for (unsigned c = 0; c < 4; c++) {
      const unsigned select = field(words[1], 20 + 3 * c, 3);

      out->fetch.swizzle[c] = (uint8_t)(select <= SWIZZLE_1 ? select : SWIZZLE_NONE);
   }
}
