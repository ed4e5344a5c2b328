/* SPDX-License-Identifier: MIT */
/*
 * Textures, samplers and buffers as the texture unit takes them, whatever descriptors a chip has.
 *
 * A texture's levels are rows of elements: texels, or blocks of compressed formats.  The samples of
 * an element lie side by side.  Whatever is in these structures, results are defined: coordinates
 * are clamped to the sizes before they become addresses, and what is not mapped reads zero.
 */
#ifndef ATOLL_PORT_TEXTURE_H
#define ATOLL_PORT_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

struct vm;

#define TEXTURE_LEVELS 15

struct texture_level {
   uint64_t va;          /* of element (0, 0) of layer 0 */
   uint64_t slice_bytes; /* between layers or slices: a multiple of 8, less than 2^35 */
   uint32_t pitch;       /* bytes between rows */
};

struct texture {
   const struct vm *vm;
   uint8_t format;     /* enum format */
   uint8_t conversion; /* enum conversion */
   uint8_t sign[4];    /* of each channel: enum channel_sign */
   uint8_t byte_swap;  /* enum byte_swap */
   bool no_zero;       /* signed n bits are (2c + 1) / (2^n - 1) */
   bool srgb;
   uint8_t swizzle[4]; /* enum swizzle, no SWIZZLE_NONE */
   uint8_t dim;        /* enum texture_dim */
   uint8_t base_level, last_level;
   uint8_t samples;    /* 1, 2, 4, 8 or 16 */
   uint8_t anisotropy; /* at most so much of it, log2 */
   /* Texels of level 0, whichever the base level is; of a buffer, `width` is what the query for its
    * size answers. */
   uint32_t width, height, depth;
   uint32_t first_layer, layers;               /* cubes count six; 1 if it is no array */
   struct texture_level level[TEXTURE_LEVELS]; /* base_level to last_level; else left alone */
};

/* Levels of detail have eight fraction bits. */
struct sampler {
   uint8_t wrap[3];    /* enum wrap */
   uint8_t mag, min;   /* enum filter */
   uint8_t mip;        /* enum mip_filter */
   uint8_t slices;     /* enum slice_filter */
   uint8_t anisotropy; /* log2 of the most samples */
   uint8_t compare;    /* enum test: whether the reference passes against the texel */
   uint8_t reduction;  /* enum reduction */
   uint8_t border;     /* enum border */
   bool truncate;      /* coordinates become 1/256 texels towards minus infinity, not to nearest */
   bool cube_faces;    /* footprints end at a cube's edges */
   bool srgb;          /* in addition to the texture's */
   int16_t min_lod, max_lod, lod_bias;
   uint32_t border_color[4]; /* of BORDER_CUSTOM: float bits, or integers */
   bool border_fractions;    /* integers, too, are float bits: of the channel's largest value */
   uint8_t unused[3];        /* no padding: as bytes, too, equal ones are equal */
};

/* Elements of a buffer. */
struct elements {
   const struct vm *vm;
   bool counted;       /* what is asked for is their count */
   uint8_t format;     /* enum format */
   uint8_t conversion; /* enum conversion */
   uint8_t sign;       /* enum channel_sign, of all channels */
   uint8_t byte_swap;  /* enum byte_swap */
   bool no_zero;       /* as in struct texture */
   uint8_t swizzle[4]; /* of each register: enum swizzle */
   uint32_t count;     /* `counted` */
   uint32_t add;       /* to the index */
   uint32_t stride, offset;
   uint64_t va, size; /* bytes */
   /* A ring that the device keeps for itself: elements lie there instead; what does not lie wholly
    * inside reads zero.  NULL: in memory. */
   const void *ring;
   uint64_t ring_bytes;
};

#endif
