/* SPDX-License-Identifier: MIT */
/*
 * The pipeline's own enumerations: what a draw's state means, whichever chip it came from.
 *
 * Numbers are the pipeline's and stand in no register or descriptor.  A chip has one table for each
 * of them, in its folder under chip/, from its own numbers to these.
 */
#ifndef ATOLL_PORT_STATE_H
#define ATOLL_PORT_STATE_H

#include "port/blend.h" /* enum blend_factor, blend_op, blend_rule */

/* ---- Primitives ---- */

/* How vertices make primitives. */
enum topology {
   TOPOLOGY_NONE, /* nothing is drawn */
   TOPOLOGY_POINTS,
   TOPOLOGY_LINES,
   TOPOLOGY_LINE_STRIP,
   TOPOLOGY_LINE_LOOP,
   TOPOLOGY_TRIANGLES,
   TOPOLOGY_TRIANGLE_STRIP,
   TOPOLOGY_TRIANGLE_FAN,
   TOPOLOGY_QUADS,
   TOPOLOGY_QUAD_STRIP,
   TOPOLOGY_POLYGON,
   TOPOLOGY_RECTANGLES, /* of three corners each; the fourth follows from them */
   TOPOLOGY_LINES_ADJACENCY,
   TOPOLOGY_LINE_STRIP_ADJACENCY,
   TOPOLOGY_TRIANGLES_ADJACENCY,
   TOPOLOGY_TRIANGLE_STRIP_ADJACENCY,
   TOPOLOGY_PATCHES,
   TOPOLOGIES,
};

/* What a polygon is drawn as. */
enum polygon_mode {
   POLYGON_POINTS,
   POLYGON_LINES,
   POLYGON_FILL,
};

/* ---- Tests ---- */

/* A comparison that passes: of depth, stencil, alpha, or of a texture's depth. */
enum test {
   TEST_NEVER,
   TEST_LESS,
   TEST_EQUAL,
   TEST_LESS_EQUAL,
   TEST_GREATER,
   TEST_NOT_EQUAL,
   TEST_GREATER_EQUAL,
   TEST_ALWAYS,
};

/* What becomes of a stencil value. */
enum stencil_op {
   STENCIL_OP_KEEP,
   STENCIL_OP_ZERO,
   STENCIL_OP_REPLACE,
   STENCIL_OP_INCREMENT_CLAMP,
   STENCIL_OP_DECREMENT_CLAMP,
   STENCIL_OP_INVERT,
   STENCIL_OP_INCREMENT_WRAP,
   STENCIL_OP_DECREMENT_WRAP,
};

/* How a depth lies in memory. */
enum depth_format {
   DEPTH_NONE,
   DEPTH_UNORM16,
   DEPTH_UNORM24, /* the low bits of 32; a stencil is a plane of its own */
   DEPTH_FLOAT32,
};

/* ---- Colours ---- */

/* What the bits of a component in memory are. */
enum numeric {
   NUMERIC_UNORM, /* 0 to 1 */
   NUMERIC_SNORM, /* -1 to 1 */
   NUMERIC_USCALED,
   NUMERIC_SSCALED, /* integers, of floats that are not normalised */
   NUMERIC_UINT,
   NUMERIC_SINT, /* integers, of integers */
   NUMERIC_SRGB, /* unsigned normalised, on sRGB's curve */
   NUMERIC_FLOAT,
};

/* ---- Textures ---- */

enum wrap {
   WRAP_REPEAT,
   WRAP_MIRRORED_REPEAT,
   WRAP_CLAMP_TO_EDGE,
   WRAP_MIRROR_CLAMP_TO_EDGE,
   WRAP_CLAMP_TO_HALF_BORDER, /* half a texel of border is reached: OpenGL's old GL_CLAMP */
   WRAP_MIRROR_CLAMP_TO_HALF_BORDER,
   WRAP_CLAMP_TO_BORDER,
   WRAP_MIRROR_CLAMP_TO_BORDER,
};

/* Of a level's texels, of magnified or minified textures.  Bit 0: linear; bit 1: along the longer
 * axis of the footprint. */
enum filter {
   FILTER_POINT,
   FILTER_LINEAR,
   FILTER_ANISOTROPIC_POINT,
   FILTER_ANISOTROPIC_LINEAR,
};

/* Between levels. */
enum mip_filter {
   MIP_FILTER_NONE, /* the base level alone */
   MIP_FILTER_POINT,
   MIP_FILTER_LINEAR,
};

/* Between slices of a 3D texture. */
enum slice_filter {
   SLICE_FILTER_SAME, /* as within them */
   SLICE_FILTER_POINT,
   SLICE_FILTER_LINEAR,
};

/* What becomes of the texels of a footprint. */
enum reduction {
   REDUCTION_BLEND,
   REDUCTION_MIN,
   REDUCTION_MAX,
};

/* What lies beyond a texture's edges. */
enum border {
   BORDER_TRANSPARENT_BLACK,
   BORDER_OPAQUE_BLACK,
   BORDER_OPAQUE_WHITE,
   BORDER_CUSTOM,
};

/* Where a component of a result comes from. */
enum swizzle {
   SWIZZLE_X,
   SWIZZLE_Y,
   SWIZZLE_Z,
   SWIZZLE_W,
   SWIZZLE_0,
   SWIZZLE_1,
   SWIZZLE_NONE, /* it is not written */
};

/* Which dimensions a texture or image has. */
enum texture_dim {
   TEXTURE_1D,
   TEXTURE_2D,
   TEXTURE_3D,
   TEXTURE_CUBE,
   TEXTURE_1D_ARRAY,
   TEXTURE_2D_ARRAY,
   TEXTURE_2D_SAMPLES,
   TEXTURE_2D_ARRAY_SAMPLES,
   TEXTURE_BUFFER, /* of which only the size can be asked for */
};

#endif
