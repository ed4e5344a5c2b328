/* SPDX-License-Identifier: MIT */
/*
 * Tables from the fields of Cayman's descriptors to the pipeline's enumerations; see map.h.
 */
#include "chip/cayman/descriptors/map.h"

#include <atoll/cayman/enums.h>

#include "port/format.h"
#include "port/state.h"
#include "port/tex_op.h"

#define FORMAT(name, cayman, number, ...) [number] = FORMAT_##name,
const uint8_t cayman_format[64] = {
#include <atoll/formats.def>
};

const uint8_t cayman_conversion[4] = {
   [SQ_NUM_FORMAT_NORM] = CONVERT_NORM,
   [SQ_NUM_FORMAT_INT] = CONVERT_INT,
   [SQ_NUM_FORMAT_SCALED] = CONVERT_SCALED,
   [3] = CONVERT_NORM,
};

const uint8_t cayman_sign[4] = {
   [SQ_FORMAT_COMP_UNSIGNED] = CHANNEL_UNSIGNED,
   [SQ_FORMAT_COMP_SIGNED] = CHANNEL_SIGNED,
   [SQ_FORMAT_COMP_UNSIGNED_BIASED] = CHANNEL_BIASED,
   [3] = CHANNEL_BIASED,
};

const uint8_t cayman_byte_swap[4] = {
   [ENDIAN_NONE] = BYTE_SWAP_NONE,
   [ENDIAN_8IN16] = BYTE_SWAP_16,
   [ENDIAN_8IN32] = BYTE_SWAP_32,
   [ENDIAN_8IN64] = BYTE_SWAP_64,
};

const uint8_t cayman_swizzle[8] = {
   [SQ_SEL_X] = SWIZZLE_X, [SQ_SEL_Y] = SWIZZLE_Y, [SQ_SEL_Z] = SWIZZLE_Z, [SQ_SEL_W] = SWIZZLE_W,
   [SQ_SEL_0] = SWIZZLE_0, [SQ_SEL_1] = SWIZZLE_1, [6] = SWIZZLE_0,        [7] = SWIZZLE_0,
};

const uint8_t cayman_write[8] = {
   [SQ_SEL_X] = SWIZZLE_X, [SQ_SEL_Y] = SWIZZLE_Y,       [SQ_SEL_Z] = SWIZZLE_Z,
   [SQ_SEL_W] = SWIZZLE_W, [SQ_SEL_0] = SWIZZLE_0,       [SQ_SEL_1] = SWIZZLE_1,
   [6] = SWIZZLE_NONE,     [SQ_SEL_MASK] = SWIZZLE_NONE,
};

const uint8_t cayman_texture_dim[8] = {
   [SQ_TEX_DIM_1D] = TEXTURE_1D,
   [SQ_TEX_DIM_2D] = TEXTURE_2D,
   [SQ_TEX_DIM_3D] = TEXTURE_3D,
   [SQ_TEX_DIM_CUBEMAP] = TEXTURE_CUBE,
   [SQ_TEX_DIM_1D_ARRAY] = TEXTURE_1D_ARRAY,
   [SQ_TEX_DIM_2D_ARRAY] = TEXTURE_2D_ARRAY,
   [SQ_TEX_DIM_2D_MSAA] = TEXTURE_2D_SAMPLES,
   [SQ_TEX_DIM_2D_ARRAY_MSAA] = TEXTURE_2D_ARRAY_SAMPLES,
};

const uint8_t cayman_wrap[8] = {
   [SQ_TEX_WRAP] = WRAP_REPEAT,
   [SQ_TEX_MIRROR] = WRAP_MIRRORED_REPEAT,
   [SQ_TEX_CLAMP_LAST_TEXEL] = WRAP_CLAMP_TO_EDGE,
   [SQ_TEX_MIRROR_ONCE_LAST_TEXEL] = WRAP_MIRROR_CLAMP_TO_EDGE,
   [SQ_TEX_CLAMP_HALF_BORDER] = WRAP_CLAMP_TO_HALF_BORDER,
   [SQ_TEX_MIRROR_ONCE_HALF_BORDER] = WRAP_MIRROR_CLAMP_TO_HALF_BORDER,
   [SQ_TEX_CLAMP_BORDER] = WRAP_CLAMP_TO_BORDER,
   [SQ_TEX_MIRROR_ONCE_BORDER] = WRAP_MIRROR_CLAMP_TO_BORDER,
};

const uint8_t cayman_filter[4] = {
   [SQ_TEX_XY_FILTER_POINT] = FILTER_POINT,
   [SQ_TEX_XY_FILTER_BILINEAR] = FILTER_LINEAR,
   [SQ_TEX_XY_FILTER_ANISO_POINT] = FILTER_ANISOTROPIC_POINT,
   [SQ_TEX_XY_FILTER_ANISO_BILINEAR] = FILTER_ANISOTROPIC_LINEAR,
};

const uint8_t cayman_mip_filter[4] = {
   [SQ_TEX_Z_FILTER_NONE] = MIP_FILTER_NONE,
   [SQ_TEX_Z_FILTER_POINT] = MIP_FILTER_POINT,
   [SQ_TEX_Z_FILTER_LINEAR] = MIP_FILTER_LINEAR,
   [3] = MIP_FILTER_POINT,
};

const uint8_t cayman_slice_filter[4] = {
   [SQ_TEX_Z_FILTER_NONE] = SLICE_FILTER_SAME,
   [SQ_TEX_Z_FILTER_POINT] = SLICE_FILTER_POINT,
   [SQ_TEX_Z_FILTER_LINEAR] = SLICE_FILTER_LINEAR,
   [3] = SLICE_FILTER_SAME,
};

const uint8_t cayman_reduction[4] = {
   [SQ_TEX_FILTER_MODE_BLEND] = REDUCTION_BLEND,
   [SQ_TEX_FILTER_MODE_MIN] = REDUCTION_MIN,
   [SQ_TEX_FILTER_MODE_MAX] = REDUCTION_MAX,
   [3] = REDUCTION_MAX,
};

const uint8_t cayman_border[4] = {
   [SQ_TEX_BORDER_COLOR_TRANS_BLACK] = BORDER_TRANSPARENT_BLACK,
   [SQ_TEX_BORDER_COLOR_OPAQUE_BLACK] = BORDER_OPAQUE_BLACK,
   [SQ_TEX_BORDER_COLOR_OPAQUE_WHITE] = BORDER_OPAQUE_WHITE,
   [SQ_TEX_BORDER_COLOR_REGISTER] = BORDER_CUSTOM,
};

/* TEX_INST, HD 6900 ISA 9.4. */
const uint8_t cayman_td_op[32] = {
   [3] = TD_LD,          [4] = TD_GET_RESINFO, [5] = TD_GET_SAMPLES,    [6] = TD_GET_LOD,
   [16] = TD_SAMPLE,     [17] = TD_SAMPLE_L,   [18] = TD_SAMPLE_LB,     [19] = TD_SAMPLE_LZ,
   [20] = TD_SAMPLE_G,   [21] = TD_GATHER4,    [22] = TD_SAMPLE_G_LB,   [23] = TD_GATHER4_O,
   [24] = TD_SAMPLE_C,   [25] = TD_SAMPLE_C_L, [26] = TD_SAMPLE_C_LB,   [27] = TD_SAMPLE_C_LZ,
   [28] = TD_SAMPLE_C_G, [29] = TD_GATHER4_C,  [30] = TD_SAMPLE_C_G_LB, [31] = TD_GATHER4_C_O,
};

const uint8_t cayman_test[8] = {
   [COMPARE_NEVER] = TEST_NEVER,          [COMPARE_LESS] = TEST_LESS,
   [COMPARE_EQUAL] = TEST_EQUAL,          [COMPARE_LEQUAL] = TEST_LESS_EQUAL,
   [COMPARE_GREATER] = TEST_GREATER,      [COMPARE_NOTEQUAL] = TEST_NOT_EQUAL,
   [COMPARE_GEQUAL] = TEST_GREATER_EQUAL, [COMPARE_ALWAYS] = TEST_ALWAYS,
};
