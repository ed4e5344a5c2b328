/* SPDX-License-Identifier: MIT */
/*
 * Gallium's formats as the hardware's fields: textures, colour targets, depth targets, vertex
 * fetch. What these functions refuse, the driver does not expose.
 */
#ifndef ATOLL_FORMAT_H
#define ATOLL_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_defines.h"
#include "util/format/u_formats.h"

/** Fields of TEX_WORD4 and TEX_WORD7 that a format decides. */
struct atoll_tex_format {
   uint8_t format;     /* enum cayman_format */
   uint8_t num_format; /* enum cayman_resource_num_format */
   uint8_t signs;      /* bit i: component i is signed */
   bool degamma;
   uint8_t swizzle[4]; /* PIPE_SWIZZLE_* of what the shader expects */
   bool stencil;       /* reads the stencil plane */
};
bool atoll_tex_format(enum pipe_format format, struct atoll_tex_format *out);

/** Fields of CB_COLORn_INFO. */
struct atoll_cb_format {
   uint8_t format, number_type, swap;
   bool integer;
   bool alpha_one; /* the format has no alpha: blending reads 1 */
};
bool atoll_cb_format(enum pipe_format format, struct atoll_cb_format *out);

/** enum cayman_depth_format of the depth plane, DB_Z_INVALID if there is none. */
bool atoll_db_format(enum pipe_format format, unsigned *z_format, bool *stencil);

/** Whether fixed-point depth of the format is floats in memory: no depth target has 32 bits of
 * another kind.  The processor reads and writes integers (transfer.c), and shaders limit what they
 * compare with it to 0 to 1. */
bool atoll_depth_is_floats(enum pipe_format format);

/** Fields of a vertex fetch or of a buffer resource. */
struct atoll_vtx_format {
   uint8_t format, num_format;
   bool is_signed;
   uint8_t components; /* of the format that is fetched */
   uint8_t excess;     /* bytes that the fetch reads beyond the element */
   uint8_t swizzle[4]; /* PIPE_SWIZZLE_* */
};
bool atoll_vtx_format(enum pipe_format format, struct atoll_vtx_format *out);

/** PIPE_SWIZZLE_* to enum cayman_select. */
unsigned atoll_select(unsigned swizzle);

struct pipe_screen;
bool atoll_is_format_supported(struct pipe_screen *screen, enum pipe_format format,
                               enum pipe_texture_target target, unsigned sample_count,
                               unsigned storage_sample_count, unsigned bind);

#endif
