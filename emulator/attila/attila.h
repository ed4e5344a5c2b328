/* SPDX-License-Identifier: MIT */
/*
 * ATTILA programs on the shader core: lifted once onto micro-operations, run 64 lanes wide.
 *
 * A lane is a thread.  The document has threads of one size, registers in banks, predicates and
 * jumps; every lane has a PC (core/lane_groups.h).  What reads outside the registers is constants
 * and vertex attributes; what leaves a thread is its outputs, its kill and its depth.
 */
#ifndef ATOLL_ATTILA_H
#define ATOLL_ATTILA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel.h"
#include "core/cache.h"
#include "core/core.h"
#include "bind/attribute.h"
#include "port/fetch.h"

/* What lifting depends on. */
struct at_source {
   const uint32_t *words;
   size_t num_dwords;
   bool pixel;     /* a fragment program: kills, depth, differences within a quad */
   bool interpret; /* make no machine code */
   /* The device's pipeline is around it (docs/attila-chip.rst): else there are no texture units,
    * attributes are arrays of the host's, and registers are given and taken by whoever runs it. */
   bool pipeline;
   uint16_t cubes; /* texture units that have cube maps */
};

/* A texture instruction. */
struct at_tex_ref {
   uint8_t unit; /* below AT_UNITS */
   struct td_lookup lookup;
};

#define AT_UNITS          16
#define AT_TEXTURES       18 /* resource of a stage that unit 0 has */
#define AT_UNIT_COMPARES  16 /* added to a unit's number: the coordinate's z is compared with */
#define AT_UNIT_TEXELS    32 /* added: coordinates count texels */
#define AT_PARAMETERS     32
#define AT_PIXEL_INPUTS   2 /* the first parameter, of four kinds: see docs/attila-chip.rst */
#define AT_VERTEX_OUTPUTS 4 /* the first parameter */

/* A lifted program, as far as its user sees it. */
struct at_program {
   struct core_program core; /* first */
   uint32_t num_inputs;      /* the highest number that is read, and one */
   uint32_t num_outputs;
   uint32_t output_row; /* of o0; a register is four rows, i0 is row 0 */
   /* In the pipeline, inputs that are read lie one after the other: the index of each, plus 1. */
   uint8_t input[256];
   uint8_t output_mask[256]; /* components of outputs that some instruction writes */
   bool pipeline, pixel, depth, kills_samples;
   uint32_t barycentric_row; /* of the pairs in the order of enum core_pair */
   uint32_t kill_row;        /* samples that are gone */
   uint16_t constants[2];    /* of PARAM and PARAM2, how many it may read */
   const struct at_tex_ref *tex;
   const uint8_t *attributes; /* that it loads */
   uint32_t num_tex, num_attributes;
   uint32_t table_dwords;   /* of at_bind.table */
   struct core_entry entry; /* in the pipeline */
   uint32_t num_rows;       /* of a wave's storage */
   uint32_t kept_rows;      /* later ones are temporaries: nothing is said of what they hold */
};

/* An attribute: elements of four dwords. */
struct at_attribute {
   const uint32_t *words;
   uint32_t count; /* of elements; those beyond read as zero */
};

#define AT_ATTRIBUTES 256

/* An attribute in the pipeline. */
struct at_element {
   struct td_vtx_bind fetch;
   uint32_t divisor; /* as in struct attribute */
   uint32_t base;    /* of the vertex or instance */
   bool twice;
};

/* What the lanes of a wave have in common.  An instruction of a wave takes a cycle for each of its
 * lanes. */
struct at_bind {
   struct core_bind core;     /* first */
   const uint32_t *constants; /* c0 first, four dwords each */
   uint32_t num_constants;    /* those beyond read as zero */
   struct at_attribute attribute[AT_ATTRIBUTES];
   /* In the pipeline: at_fill_table()'s, and [num_tex] and [num_attributes] of the program. */
   const uint32_t *table;
   const struct td_tex_bind *tex;
   const struct at_element *elements;
};

/** Fills `table` (at_program.table_dwords) with constants, of PARAM and PARAM2, and literals. */
void at_fill_table(const struct at_program *program, const uint32_t *const constants[2],
                   const uint32_t dwords[2], uint32_t *table);

struct td_views;

/** Texture units that have a cube map: at_source.cubes. */
uint16_t at_cube_units(const struct td_views *views);

/** Binds a program's textures: at_bind.tex. */
void at_bind_textures(const struct kernels *kernels, const struct at_program *program,
                      const struct td_views *views, struct td_tex_bind *tex);

/** A cache of programs of the pipeline.  core_source.stage is enum core_stage's vertex or pixel,
 *  state[0] the units that have cube maps. */
struct core_cache *at_cache_create(const struct kernels *kernels);

/* The executor of a kernel build. */
struct at_kernels {
   /* NULL: no memory. */
   struct at_program *(*lift)(const struct at_source *source);
   void (*free)(struct at_program *program);
};

extern const struct at_kernels at_kernels_sse2, at_kernels_avx2, at_kernels_avx512;

/* That of a build. */
const struct at_kernels *at_kernels_of(const struct kernels *kernels);

#endif
