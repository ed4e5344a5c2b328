/* SPDX-License-Identifier: MIT */
/*
 * What the driver does in another way for another instruction set: a row of a table for each.  The
 * device says at the start which it executes (ATOLL_INFO_ISA); nothing else in the driver asks.
 */
#ifndef ATOLL_BACKEND_H
#define ATOLL_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cayman_vertex_element;
struct pipe_caps;
struct shader_compiler;

/** What shaders may ask for. */
struct atoll_limits {
   uint32_t stages;        /* bit per enum pipe_shader_type */
   unsigned uniform_bytes; /* of constant buffer 0, GL's own state not counted */
   unsigned const_buffers; /* of a stage */
   unsigned temps;
   unsigned sure;     /* instructions of NIR for which there always are registers */
   unsigned wave;     /* invocations of a subgroup */
   unsigned counters; /* atomic counters of a buffer, in global data; 0: in storage buffers */
   bool indirect_temps;
   bool doubles; /* in machine code; else they are integers' work */
   bool fuses;   /* without doubles: a product and sum that need not be exact are rounded once, */
   bool dots;    /* and sums of products are an operation */
   bool integer_textures;
   bool draw_values; /* what a program makes of uniforms alone the driver does (draw_values.c) */
   bool sample_mask; /* pixel shaders write one */
};

struct atoll_backend {
   const struct shader_compiler *compiler;
   const char *renderer; /* GL_RENDERER up to what follows the bracket; NULL: the chip's name */
   const char *cache;    /* what the disk cache takes the chip for */

   const struct atoll_limits *limits;
   /** Takes back what the device as a whole has and its programs cannot use; NULL: nothing. */
   void (*limit_caps)(struct pipe_caps *caps);

   /** SQ_PGM_RESOURCES_2_* of every stage: rounding and denormals. */
   uint32_t resources_2;
   /** The chip has five slots (docs/chips.rst): registers that are not at Cayman's address
    * (EVERGREEN_REG of atoll/cayman/registers.def), all targets as many samples as are rasterised,
    * and borders of integers that are fractions. */
   bool five_slots;
   /** The fetch shader writes element n to GPR 1 + n of the vertex program that calls it. */
   bool fetch_writes_gprs;
   /** Programs see vertices without the draw's first one, which attributes add. */
   bool attributes_add_base;

   /** What SQ_PGM_START_FS points to for `count` elements: malloc()ed dwords in `*words`, and their
    * number; 0 if memory is out or a value does not fit. */
   unsigned (*build_fetch)(const struct cayman_vertex_element *elements, unsigned count,
                           uint32_t **words);
};

#define ATOLL_ALL_STAGES                                                                   \
   (1u << PIPE_SHADER_VERTEX | 1u << PIPE_SHADER_TESS_CTRL | 1u << PIPE_SHADER_TESS_EVAL | \
    1u << PIPE_SHADER_GEOMETRY | 1u << PIPE_SHADER_FRAGMENT | 1u << PIPE_SHADER_COMPUTE)

/** The row of an enum atoll_isa, or NULL: the driver has no compiler for it. */
const struct atoll_backend *atoll_backend(uint32_t isa);

/* attributes.c */
unsigned atoll_build_attributes(const struct cayman_vertex_element *elements, unsigned count,
                                uint32_t **words);

#endif
