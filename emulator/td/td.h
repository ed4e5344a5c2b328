/* SPDX-License-Identifier: MIT */
/*
 * TD: texture and vertex fetch.
 *
 * A bind is one instruction with its descriptors resolved: a pointer to the specialised kernel
 * and what it needs, decoded once.  Binds are made per draw (cheap when descriptors repeat: TD
 * keeps decoded resources), or while a wave runs for indexed resources.
 */
#ifndef ATOLL_TD_H
#define ATOLL_TD_H

#include <stdbool.h>
#include <stdint.h>

#include "lanes.h"

struct vm;

struct td_border {
   uint32_t rgba[4]; /* float bits, or integers for integer formats */
};

/* What selects a sampler: the instruction's fields (from the lifter) and the descriptors (from
 * the draw). */
struct td_tex_desc {
   /* Instruction. */
   uint8_t op; /* opcode as in the instruction word (enum cayman_tex_op) */
   uint8_t inst_mod;
   int8_t offset[3];   /* signed, one fraction bit */
   int8_t lod_bias;    /* signed, four fraction bits */
   uint8_t coord_type; /* bits 0-3: x,y,z,w normalised */
   uint8_t dst_sel[4]; /* 0-3 xyzw, 4 zero, 5 one, 7 masked */
   bool fetch_whole_quad;
   bool plain_gather; /* not as the hardware gathers integers (sample.c) */
   /* Draw. */
   const uint32_t *resource; /* 8 dwords */
   const uint32_t *sampler;  /* 3 dwords, or NULL */
   const struct td_border *border;
   const struct vm *vm;
};

/* One execution of a sampling instruction. */
struct td_tex_args {
   const uint32_t *src[4]; /* coordinates after SRC_SEL: 64 lanes each, never NULL */
   /* Register components after DST_SEL order; NULL = masked.  They may be coordinates: none is
    * written before all have been read. */
   uint32_t *dst[4];
   uint64_t lanes; /* lanes to write */
   uint64_t idle;  /* others, in which nobody reads registers: anything may be written there */
   uint64_t valid; /* lanes whose coordinates mean something (for LOD of quads) */
   const float *grad_h[3], *grad_v[3]; /* latched by SET_GRADIENTS_*, or NULL */
   const uint32_t *offset[3];          /* latched by SET_TEXTURE_OFFSETS, or NULL */
   /* Of a comparison, beside all coordinates.  NULL: it is where Cayman has it, in w, or in z and
    * in place of a layer or face where a level or bias is in w. */
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

/* What the series does, in the default mode of float arithmetic, of whose operands only x and y
 * matter.  Components that the instruction masks stay as they are. */
typedef void td_tex_series_fn(const struct td_tex_bind *bind, const struct td_tex_series *series,
                              uint8_t *registers, uint64_t lanes);

/* Fixed size, so that a draw can keep arrays of them; `state` is TD's own. */
struct td_tex_bind {
   td_tex_fn *run;
   td_tex_series_fn *run_series; /* NULL: one after the other */
   uint64_t state[62];
};

struct td_vtx_desc {
   /* Instruction. */
   uint8_t op;         /* VFETCH, SEMANTIC, GET_BUFFER_RESINFO, READ_SCRATCH ... */
   uint8_t fetch_type; /* 0 vertex data, 1 instance data, 2 no index offset */
   bool use_const_fields;
   uint8_t data_format, num_format, format_comp, srf_mode, endian;
   uint16_t offset; /* bytes */
   uint8_t src_sel; /* component of the index register */
   uint8_t dst_sel[4];
   bool const_buf_no_stride;
   /* Draw. */
   const uint32_t *resource;             /* 8 dwords */
   uint32_t base_vertex, start_instance; /* added to the index by fetch_type */
   /* A ring that the device keeps for itself: elements lie there instead of at the descriptor's
    * address; what does not lie wholly inside reads zero.  NULL: in memory, as the descriptor
    * says. */
   const void *ring;
   uint64_t ring_bytes;
   const struct vm *vm;
};

struct td_vtx_bind;
typedef void td_vtx_fn(const struct td_vtx_bind *bind, const uint32_t *index,
                       uint32_t *const dst[4], uint64_t lanes);

struct td_vtx_bind {
   td_vtx_fn *run;
   uint64_t state[30];
};

#endif
