/* SPDX-License-Identifier: MIT */
/*
 * The pipeline's formats: how the bits of textures, buffers and colour targets lie and what they
 * mean.  The rows are in include/atoll/formats.def.
 */
#ifndef ATOLL_PORT_FORMAT_H
#define ATOLL_PORT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include <atoll/format_numbers.h> /* enum format */

/* How bits become values: the classes of include/atoll/formats.def. */
enum format_class {
   CLASS_NONE,
   CLASS_PLAIN,
   CLASS_FLOAT,
   CLASS_FLOAT_INT,
   CLASS_SHARED_EXPONENT,
   CLASS_BLOCKS,
   CLASS_SUBSAMPLED,
};

/* What is made of the integers of CLASS_PLAIN. */
enum conversion {
   CONVERT_NORM, /* 0 to 1, or -1 to 1 */
   CONVERT_INT,
   CONVERT_SCALED, /* the same number as a float */
};

/* How an integer of a channel is read. */
enum channel_sign {
   CHANNEL_UNSIGNED,
   CHANNEL_SIGNED,
   CHANNEL_BIASED, /* less half of the range */
};

/* Bytes of an element that change ends, 2, 4 or 8 at a time. */
enum byte_swap {
   BYTE_SWAP_NONE,
   BYTE_SWAP_16,
   BYTE_SWAP_32,
   BYTE_SWAP_64,
};

struct format_channel {
   uint8_t pos, bits; /* bits 0: the format has no such channel */
};

struct format_info {
   uint8_t bytes, width, height; /* of an element, in texels */
   uint8_t cls;                  /* enum format_class */
   bool target;                  /* colours can be drawn to it */
   struct format_channel channel[4];
};

/* FORMAT_NONE has CLASS_NONE, no bytes and no channels. */
extern const struct format_info format_info[FORMATS];

/* Channels of a format, 0 to 4. */
static inline unsigned
format_channels(const struct format_info *format)
{
   unsigned n = 0;

   for (unsigned c = 0; c < 4; c++)
      n += format->channel[c].bits != 0;
   return n;
}

#endif
