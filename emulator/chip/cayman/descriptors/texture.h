/* SPDX-License-Identifier: MIT */
/*
 * Cayman's descriptors of textures, samplers and buffers (HD 6900 ISA 5,
 * include/atoll/cayman/descriptors.def) as what the texture unit takes, port/texture.h.
 *
 * Any words give a defined result: what a field does not name is what map.h says.
 */
#ifndef ATOLL_CHIP_CAYMAN_DESCRIPTORS_TEXTURE_H
#define ATOLL_CHIP_CAYMAN_DESCRIPTORS_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "port/fetch.h"

struct elements;
struct kernels;
struct sampler;
struct texture;
struct vm;

struct cayman_border_color {
   uint32_t rgba[4]; /* float bits, or integers for integer formats */
};

/* What a texture instruction names. */
struct cayman_view {
   const uint32_t *resource; /* 8 dwords, or NULL */
   const uint32_t *sampler;  /* 3 dwords, or NULL: zeros */
   const struct cayman_border_color *border;
   const struct vm *vm;
   uint8_t pipes;         /* of the chip */
   bool border_fractions; /* and whether its borders are so (struct sampler) */
};

/** False: the words are no texture, nor a buffer, of which the size may be asked for.  `pipes`: the
 *  chip's.  With `base_only` no other level is read. */
bool cayman_decode_texture(struct texture *t, const uint32_t *words, const struct vm *vm,
                           uint8_t pipes, bool base_only);

/** NULL: zeros. */
void cayman_decode_sampler(struct sampler *s, const uint32_t *words,
                           const struct cayman_border_color *border);

/** What a buffer's descriptor says; false: it is none. */
bool cayman_decode_buffer(struct elements *buffer, const uint32_t *words, const struct vm *vm);

/** Binds a texture instruction. */
void cayman_bind_tex(const struct kernels *kernels, struct td_tex_bind *bind,
                     const struct td_lookup *lookup, const struct cayman_view *view);

#endif
