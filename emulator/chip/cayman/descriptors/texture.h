/* SPDX-License-Identifier: MIT */
/*
 * Cayman's descriptors of textures, samplers and buffers (HD 6900 ISA 5,
 * include/atoll/cayman/descriptors.def) as what the texture unit takes, td/texture.h.
 *
 * Any words give a defined result: what a field does not name is what map.h says.
 */
#ifndef ATOLL_CHIP_CAYMAN_DESCRIPTORS_TEXTURE_H
#define ATOLL_CHIP_CAYMAN_DESCRIPTORS_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "td/td.h"

struct elements;
struct kernels;
struct sampler;
struct td_views;
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
};

/* VC_INST, HD 6900 ISA 9.3. */
enum cayman_vertex_op {
   CAYMAN_VERTEX_FETCH = 0,
   CAYMAN_VERTEX_SEMANTIC = 1,
   CAYMAN_VERTEX_BUFFER_RESINFO = 14,
};

/* A vertex fetch. */
struct cayman_vertex_fetch {
   /* Instruction; fields are as in its words. */
   uint8_t op;
   uint8_t fetch_type; /* 0 vertex data, 1 instance data, 2 no index offset */
   bool use_const_fields;
   uint8_t data_format, num_format, format_comp, srf_mode, endian;
   uint16_t offset; /* bytes */
   uint8_t src_sel; /* component of the index register */
   uint8_t dst_sel[4];
   bool const_buf_no_stride;
   /* Draw. */
   const uint32_t *resource;             /* 8 dwords, or NULL */
   uint32_t base_vertex, start_instance; /* added to the index by fetch_type */
   const void *ring;                     /* see struct elements */
   uint64_t ring_bytes;
   const struct vm *vm;
};

/** False: the words are no texture, nor a buffer, of which the size may be asked for.  With
 *  `base_only` no other level is read. */
bool cayman_decode_texture(struct texture *t, const uint32_t *words, const struct vm *vm,
                           bool base_only);

/** NULL: zeros. */
void cayman_decode_sampler(struct sampler *s, const uint32_t *words,
                           const struct cayman_border_color *border);

/** What a buffer's descriptor says; false: it is none. */
bool cayman_decode_buffer(struct elements *buffer, const uint32_t *words, const struct vm *vm);

/** What a fetch reads of a buffer, or of none: what has no format reads zero.  Of `fetch` the
 *  instruction and what is added to its index count. */
void cayman_fetch_elements(struct elements *e, const struct cayman_vertex_fetch *fetch,
                           const struct elements *buffer);

/** The same of the fetch's descriptor, memory and ring. */
void cayman_decode_elements(struct elements *e, const struct cayman_vertex_fetch *fetch);

/** Binds a texture instruction. */
void cayman_bind_tex(const struct kernels *kernels, struct td_tex_bind *bind,
                     const struct td_lookup *lookup, const struct cayman_view *view);

/** Binds a vertex fetch. */
void cayman_bind_vtx(const struct kernels *kernels, struct td_vtx_bind *bind,
                     const struct cayman_vertex_fetch *fetch);

/** The same, of view n, or of no views. */
void cayman_views_bind_vtx(const struct td_views *views, const struct kernels *kernels,
                           struct td_vtx_bind *bind, const struct cayman_vertex_fetch *fetch,
                           uint32_t n);

#endif
