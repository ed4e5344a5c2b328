/* SPDX-License-Identifier: MIT */
/*
 * What engines ask of TD: texture and vertex fetch.
 *
 * A bind is one instruction with the texture and sampler that it names (texture.h): a pointer to
 * the specialised kernel and what it needs, worked out once.  Binds are made per draw, or while a
 * wave runs where it chooses textures itself.
 */
#ifndef ATOLL_PORT_FETCH_H
#define ATOLL_PORT_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "lanes.h"

/* A texture instruction: what it asks for, of whichever texture and sampler. */
struct td_lookup {
   uint8_t op;         /* enum td_op */
   uint8_t modifier;   /* TD_GATHER4: the component; TD_LD: 1, samples are addressed as stored */
   int8_t offset[3];   /* signed, one fraction bit */
   int8_t lod_bias;    /* signed, four fraction bits */
   uint8_t normalized; /* bit n: coordinate n is */
   uint8_t swizzle[4]; /* of each register: enum swizzle */
   bool plain_gather;  /* not as Cayman gathers integers (td/sample.c) */
};

/* A vertex fetch: what it reads, of whichever buffer. */
enum td_fetch_kind {
   TD_FETCH_ELEMENTS,
   TD_FETCH_COUNT, /* how many elements the buffer has */
   TD_FETCH_NOTHING,
};

struct td_fetch {
   uint8_t kind;       /* enum td_fetch_kind */
   bool buffer_format; /* format, conversion, sign, no_zero and byte_swap are the buffer's, and its
                        * swizzle comes before this one */
   uint8_t format;     /* enum format */
   uint8_t conversion; /* enum conversion */
   uint8_t sign;       /* enum channel_sign, of all channels */
   uint8_t byte_swap;  /* enum byte_swap */
   bool no_zero;       /* as in struct texture */
   uint8_t swizzle[4]; /* of each register: enum swizzle */
   bool no_stride;     /* every index reads the same element */
   uint16_t offset;    /* bytes */
};

/* One execution of a sampling instruction. */
struct td_tex_args {
   const uint32_t *src[4]; /* coordinates after SRC_SEL: 64 lanes each, never NULL */
   /* Register components after DST_SEL order; NULL = masked.  They may be coordinates: none is
    * written before all have been read. */
   uint32_t *dst[4];
   uint64_t lanes; /* lanes to write */
   uint64_t idle;  /* others, the registers of which are not read: anything may be written there */
   uint64_t valid; /* lanes with coordinates that mean something (for LOD of quads) */
   const float *grad_h[3], *grad_v[3]; /* latched by SET_GRADIENTS_*, or NULL */
   const uint32_t *offset[3];          /* latched by SET_TEXTURE_OFFSETS, or NULL */
   /* Of a comparison, beside all coordinates.  NULL: it is where Cayman has it, in w, or in z and
    * instead of a layer or face where a level or bias is in w. */
   const uint32_t *reference;
};

struct td_tex_bind;
typedef void td_tex_fn(const struct td_tex_bind *bind, const struct td_tex_args *args);

/* Lookups through one bind, one after the other: all they differ in is registers.  None reads
 * coordinates that one before it writes.  `coord`s and `to`s are bytes from a wave's registers. */
#define TD_SERIES_MAX 16
struct td_tex_series {
   uint32_t count;
   uint32_t num_coords[2];           /* different ones, of x and of y, */
   uint32_t coord[2][TD_SERIES_MAX]; /* and where they are: 64 lanes each */
   struct {
      uint8_t coord[2]; /* which of them */
      uint32_t to;      /* component 0 of the result; the other three follow */
   } lookup[TD_SERIES_MAX];
};

/* What the series does, in the default mode of float arithmetic, of the operands of which only x
 * and y matter.  Components that the instruction masks stay as they are. */
typedef void td_tex_series_fn(const struct td_tex_bind *bind, const struct td_tex_series *series,
                              uint8_t *registers, uint64_t lanes);

/* Fixed size, so that a draw can keep arrays of them; `state` is TD's own. */
struct td_tex_bind {
   td_tex_fn *run;
   td_tex_series_fn *run_series; /* NULL: one after the other */
   bool multisampled;            /* the texture is */
   uint64_t state[61];
};

/* An element of a buffer, as one index names it. */
struct td_element {
   uint64_t at, size; /* bytes from the buffer's start; of the buffer */
   uint32_t bytes;
   const uint8_t *host; /* where it is; NULL: it is not there, or not in one run of memory */
};

struct td_vtx_bind;
typedef void td_vtx_fn(const struct td_vtx_bind *bind, const uint32_t *index,
                       uint32_t *const dst[4], uint64_t lanes);

struct td_vtx_bind {
   td_vtx_fn *run;
   uint64_t state[30];
};

#endif
