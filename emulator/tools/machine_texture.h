/* SPDX-License-Identifier: MIT */
/*
 * Textures, samplers and images of typed UAVs that a program runs with: what they are in plain
 * numbers, and from that memory and the descriptors of the texture unit.
 */
#ifndef ATOLL_MACHINE_TEXTURE_H
#define ATOLL_MACHINE_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/cayman/descriptors/tables.h"

#define MACHINE_TEXTURES 16 /* resource 18 + n */
#define MACHINE_SAMPLERS 16
#define MACHINE_IMAGES   8 /* UAVs that are no buffers of dwords */

#define MACHINE_RESOURCES 64 /* descriptors that an index can reach */

/* All textures of a program together, in bytes. */
#define MACHINE_TEXTURE_BYTES (UINT64_C(1) << 28)
#define MACHINE_IMAGE_BYTES   (UINT64_C(1) << 26) /* one image */

struct machine_texture {
   bool there, is_buffer;
   uint8_t dim; /* enum cayman_tex_dim, unless it is a buffer */
   uint8_t format, num_format;
   bool is_signed, srgb;
   uint8_t levels, samples;
   uint8_t select[4];             /* enum cayman_select of each component */
   uint32_t width, height, depth; /* depth: slices, layers, or cubes of an array */
   const uint32_t *data;          /* texels without gaps: level by level, layer by layer, row by
                                   * row, samples together; from the start again at the end; NULL:
                                   * zeros */
   uint32_t dwords;               /* of data */
};

struct machine_sampler {
   bool there;
   uint32_t words[3];
   struct cayman_border_color border;
};

struct rat;
struct vm;
struct arena;
struct bo;

/* Descriptors, and the memory that they point to. */
struct machine_views {
   struct vm *vm;
   struct arena *arena;
   struct bo *bo;
   uint32_t resource[MACHINE_RESOURCES][8]; /* by resource number of a stage */
   uint32_t sampler[MACHINE_SAMPLERS][3];
   struct cayman_border_color border[MACHINE_SAMPLERS];
   uint32_t image[MACHINE_IMAGES][8];    /* loads of an image */
   uint32_t returned[MACHINE_IMAGES][8]; /* what operations on an image return, without address */
   uint64_t image_va[MACHINE_IMAGES];
};

/** NULL, or what is wrong with a texture. */
const char *machine_texture_check(const struct machine_texture *t, bool image);

/** Memory with all textures and images in it.  False: out of memory, or more than
 *  MACHINE_TEXTURE_BYTES.  Finish it either way. */
bool machine_views_init(struct machine_views *v, const struct machine_texture *textures,
                        const struct machine_sampler *samplers,
                        const struct machine_texture *images);
void machine_views_finish(struct machine_views *v);

/** The descriptor of a texture, or of an image that is loaded from (CAYMAN_RESOURCE_UAV); NULL:
 *  there is none. */
const uint32_t *machine_views_words(const struct machine_views *v, unsigned resource);

/** What texture instructions find. */
struct cayman_tables machine_views_tables(const struct machine_views *v);

/** A typed UAV's target, without its return buffer. */
void machine_views_rat(const struct machine_views *v, const struct machine_texture *image,
                       unsigned n, struct rat *rat);

/** Dwords of an image without gaps, and what they are now; `out` may be NULL. */
uint32_t machine_views_read(const struct machine_views *v, const struct machine_texture *image,
                            unsigned n, uint32_t *out);

#endif
