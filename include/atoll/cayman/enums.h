/* SPDX-License-Identifier: MIT */
/*
 * Values of the fields of registers.def and descriptors.def. Numbers are the hardware's, names
 * are AMD's with the register's block in front.
 */
#ifndef ATOLL_CAYMAN_ENUMS_H
#define ATOLL_CAYMAN_ENUMS_H

/* ---- VGT ---- */
/** VGT_PRIMITIVE_TYPE.PRIM_TYPE */
enum cayman_prim_type {
   DI_PT_NONE = 0x00,
   DI_PT_POINTLIST = 0x01,
   DI_PT_LINELIST = 0x02,
   DI_PT_LINESTRIP = 0x03,
   DI_PT_TRILIST = 0x04,
   DI_PT_TRIFAN = 0x05,
   DI_PT_TRISTRIP = 0x06,
   DI_PT_PATCH = 0x09,
   DI_PT_LINELIST_ADJ = 0x0A,
   DI_PT_LINESTRIP_ADJ = 0x0B,
   DI_PT_TRILIST_ADJ = 0x0C,
   DI_PT_TRISTRIP_ADJ = 0x0D,
   DI_PT_TRI_WITH_WFLAGS = 0x10,
   DI_PT_RECTLIST = 0x11,
   DI_PT_LINELOOP = 0x12,
   DI_PT_QUADLIST = 0x13,
   DI_PT_QUADSTRIP = 0x14,
   DI_PT_POLYGON = 0x15,
};

/** VGT_DRAW_INITIATOR.SOURCE_SELECT */
enum cayman_index_source {
   DI_SRC_SEL_DMA = 0,
   DI_SRC_SEL_IMMEDIATE = 1,
   DI_SRC_SEL_AUTO_INDEX = 2,
};

/** VGT_DMA_INDEX_TYPE.INDEX_TYPE, payload of INDEX_TYPE */
enum cayman_index_type {
   VGT_INDEX_16 = 0,
   VGT_INDEX_32 = 1,
};

/** VGT_GS_MODE.MODE */
enum cayman_gs_mode {
   GS_OFF = 0,
   GS_SCENARIO_A = 1,
   GS_SCENARIO_B = 2,
   GS_SCENARIO_G = 3,
};

/** VGT_GS_MODE.CUT_MODE: room for the cut bits of as many output vertices */
enum cayman_gs_cut {
   GS_CUT_1024 = 0,
   GS_CUT_512 = 1,
   GS_CUT_256 = 2,
   GS_CUT_128 = 3,
};

/** VGT_GS_OUT_PRIM_TYPE.OUTPRIM_TYPE */
enum cayman_gs_out_prim {
   OUTPRIM_TYPE_POINTLIST = 0,
   OUTPRIM_TYPE_LINESTRIP = 1,
   OUTPRIM_TYPE_TRISTRIP = 2,
};

/** VGT_SHADER_STAGES_EN: LS_EN, ES_EN, VS_EN */
enum cayman_stage_enable {
   LS_STAGE_OFF = 0,
   LS_STAGE_ON = 1,
   CS_STAGE_ON = 2,
   ES_STAGE_OFF = 0,
   ES_STAGE_DS = 1,
   ES_STAGE_REAL = 2,
   VS_STAGE_REAL = 0,
   VS_STAGE_DS = 1,
   VS_STAGE_COPY_SHADER = 2,
};

/** VGT_TF_PARAM: TYPE, PARTITIONING, TOPOLOGY */
enum cayman_tess {
   TESS_ISOLINE = 0,
   TESS_TRIANGLE = 1,
   TESS_QUAD = 2,
   PART_INTEGER = 0,
   PART_POW2 = 1,
   PART_FRAC_ODD = 2,
   PART_FRAC_EVEN = 3,
   OUTPUT_POINT = 0,
   OUTPUT_LINE = 1,
   OUTPUT_TRIANGLE_CW = 2,
   OUTPUT_TRIANGLE_CCW = 3,
};

/* ---- PA ---- */
/** PA_SU_SC_MODE_CNTL.POLYMODE_*_PTYPE */
enum cayman_polymode {
   POLYMODE_POINTS = 0,
   POLYMODE_LINES = 1,
   POLYMODE_TRIANGLES = 2,
};

/** PA_SU_VTX_CNTL: ROUND_MODE, QUANT_MODE */
enum cayman_vtx_round {
   VTX_TRUNCATE = 0,
   VTX_ROUND = 1,
   VTX_ROUND_TO_EVEN = 2,
   VTX_ROUND_TO_ODD = 3,
};
enum cayman_vtx_quant {
   VTX_QUANT_1_16TH = 0,
   VTX_QUANT_1_8TH = 1,
   VTX_QUANT_1_4TH = 2,
   VTX_QUANT_1_2 = 3,
   VTX_QUANT_1 = 4,
   VTX_QUANT_1_256TH = 5,
   VTX_QUANT_1_1024TH = 6,
   VTX_QUANT_1_4096TH = 7,
};

/** PA_SC_LINE_STIPPLE.AUTO_RESET_CNTL */
enum cayman_stipple_reset {
   STIPPLE_RESET_NEVER = 0,
   STIPPLE_RESET_EACH_PRIM = 1,
   STIPPLE_RESET_EACH_PACKET = 2,
};

/* ---- SPI ---- */
/** SPI_PS_INPUT_CNTL_n.DEFAULT_VAL: what an input reads that no output matches */
enum cayman_spi_default {
   SPI_DEFAULT_0000 = 0,
   SPI_DEFAULT_0001 = 1,
   SPI_DEFAULT_1110 = 2,
   SPI_DEFAULT_1111 = 3,
};

/** SPI_INTERP_CONTROL_0.PNT_SPRITE_OVRD_* */
enum cayman_sprite_override {
   SPI_PNT_SPRITE_SEL_0 = 0,
   SPI_PNT_SPRITE_SEL_1 = 1,
   SPI_PNT_SPRITE_SEL_S = 2,
   SPI_PNT_SPRITE_SEL_T = 3,
   SPI_PNT_SPRITE_SEL_NONE = 4,
};

/* ---- DB ---- */
/** ZFUNC, STENCILFUNC, SX_ALPHA_TEST_CONTROL.ALPHA_FUNC, DEPTH_COMPARE_FUNCTION */
enum cayman_compare {
   COMPARE_NEVER = 0,
   COMPARE_LESS = 1,
   COMPARE_EQUAL = 2,
   COMPARE_LEQUAL = 3,
   COMPARE_GREATER = 4,
   COMPARE_NOTEQUAL = 5,
   COMPARE_GEQUAL = 6,
   COMPARE_ALWAYS = 7,
};

/** DB_DEPTH_CONTROL.STENCILFAIL and its like */
enum cayman_stencil_op {
   STENCIL_KEEP = 0,
   STENCIL_ZERO = 1,
   STENCIL_REPLACE = 2,
   STENCIL_INCR = 3, /* saturates */
   STENCIL_DECR = 4, /* saturates */
   STENCIL_INVERT = 5,
   STENCIL_INCR_WRAP = 6,
   STENCIL_DECR_WRAP = 7,
};

/** DB_Z_INFO.FORMAT, DB_STENCIL_INFO.FORMAT */
enum cayman_depth_format {
   DB_Z_INVALID = 0,
   DB_Z_16 = 1,
   DB_Z_24 = 2, /* in 32 bits, depth in 23:0; the stencil is a plane of its own */
   DB_Z_32_FLOAT = 3,
   DB_STENCIL_INVALID = 0,
   DB_STENCIL_8 = 1,
};

/** DB_SHADER_CONTROL: Z_ORDER, CONSERVATIVE_Z_EXPORT, DB_SOURCE_FORMAT */
enum cayman_z_order {
   DB_LATE_Z = 0,
   DB_EARLY_Z_THEN_LATE_Z = 1,
   DB_RE_Z = 2,
   DB_EARLY_Z_THEN_RE_Z = 3,
};
enum cayman_conservative_z {
   DB_EXPORT_ANY_Z = 0,
   DB_EXPORT_LESS_THAN_Z = 1,
   DB_EXPORT_GREATER_THAN_Z = 2,
};
enum cayman_db_source {
   DB_EXPORT_FULL = 0,
   DB_EXPORT_FOUR16 = 1,
   DB_EXPORT_TWO = 2,
};

/** DB_RENDER_OVERRIDE.FORCE_* */
enum cayman_force {
   FORCE_OFF = 0,
   FORCE_ENABLE = 1,
   FORCE_DISABLE = 2,
};

/* ---- CB ---- */
/** CB_COLOR_CONTROL.MODE */
enum cayman_cb_mode {
   CB_MODE_DISABLE = 0,
   CB_MODE_NORMAL = 1,
   CB_MODE_ELIMINATE_FAST_CLEAR = 2,
   CB_MODE_RESOLVE = 3,
   CB_MODE_DECOMPRESS = 4,
   CB_MODE_FMASK_DECOMPRESS = 5,
};

/** CB_BLENDn_CONTROL.*SRCBLEND, *DESTBLEND */
enum cayman_blend_factor {
   BLEND_ZERO = 0x00,
   BLEND_ONE = 0x01,
   BLEND_SRC_COLOR = 0x02,
   BLEND_ONE_MINUS_SRC_COLOR = 0x03,
   BLEND_SRC_ALPHA = 0x04,
   BLEND_ONE_MINUS_SRC_ALPHA = 0x05,
   BLEND_DST_ALPHA = 0x06,
   BLEND_ONE_MINUS_DST_ALPHA = 0x07,
   BLEND_DST_COLOR = 0x08,
   BLEND_ONE_MINUS_DST_COLOR = 0x09,
   BLEND_SRC_ALPHA_SATURATE = 0x0A,
   BLEND_BOTH_SRC_ALPHA = 0x0B,
   BLEND_BOTH_INV_SRC_ALPHA = 0x0C,
   BLEND_CONST_COLOR = 0x0D,
   BLEND_ONE_MINUS_CONST_COLOR = 0x0E,
   BLEND_SRC1_COLOR = 0x0F,
   BLEND_INV_SRC1_COLOR = 0x10,
   BLEND_SRC1_ALPHA = 0x11,
   BLEND_INV_SRC1_ALPHA = 0x12,
   BLEND_CONST_ALPHA = 0x13,
   BLEND_ONE_MINUS_CONST_ALPHA = 0x14,
};

/** CB_BLENDn_CONTROL.*COMB_FCN */
enum cayman_comb_fcn {
   COMB_DST_PLUS_SRC = 0,
   COMB_SRC_MINUS_DST = 1,
   COMB_MIN_DST_SRC = 2,
   COMB_MAX_DST_SRC = 3,
   COMB_DST_MINUS_SRC = 4,
};

/** CB_COLORn_INFO.NUMBER_TYPE */
enum cayman_number_type {
   NUMBER_UNORM = 0,
   NUMBER_SNORM = 1,
   NUMBER_USCALED = 2,
   NUMBER_SSCALED = 3,
   NUMBER_UINT = 4,
   NUMBER_SINT = 5,
   NUMBER_SRGB = 6,
   NUMBER_FLOAT = 7,
};

/** CB_COLORn_INFO.COMP_SWAP */
enum cayman_comp_swap {
   SWAP_STD = 0,
   SWAP_ALT = 1,
   SWAP_STD_REV = 2,
   SWAP_ALT_REV = 3,
};

/** CB_COLORn_INFO.SOURCE_FORMAT */
enum cayman_cb_source {
   EXPORT_4C_32BPC = 0,
   EXPORT_4C_16BPC = 1,
   EXPORT_2C_32BPC = 2,
};

/** CB_COLORn_INFO.RESOURCE_TYPE, of a RAT */
enum cayman_rat_type {
   RAT_BUFFER = 0,
   RAT_TEXTURE1D = 1,
   RAT_TEXTURE1DARRAY = 2,
   RAT_TEXTURE2D = 3,
   RAT_TEXTURE2DARRAY = 4,
   RAT_TEXTURE3D = 5,
};

/** ARRAY_MODE of textures, colour and depth surfaces */
enum cayman_array_mode {
   ARRAY_LINEAR_GENERAL = 0,
   ARRAY_LINEAR_ALIGNED = 1,
   ARRAY_1D_TILED_THIN1 = 2,
   ARRAY_2D_TILED_THIN1 = 4,
};

/* ---- Formats ---- */
/**
 * DATA_FORMAT of textures, buffers and vertex fetch; CB_COLORn_INFO.FORMAT uses the same numbers
 * for those it has. Components are named from the highest bit down.
 */
enum cayman_format {
   FMT_INVALID = 0,
#define FORMAT(name, cayman, number, ...) FMT_##cayman = number,
#define UNREAD(cayman, number)            FMT_##cayman = number,
#include <atoll/formats.def>
};

/** NUM_FORMAT_ALL of textures and buffers */
enum cayman_resource_num_format {
   SQ_NUM_FORMAT_NORM = 0,
   SQ_NUM_FORMAT_INT = 1,
   SQ_NUM_FORMAT_SCALED = 2,
};

/** FORMAT_COMP_* */
enum cayman_format_comp {
   SQ_FORMAT_COMP_UNSIGNED = 0,
   SQ_FORMAT_COMP_SIGNED = 1,
   SQ_FORMAT_COMP_UNSIGNED_BIASED = 2,
};

/** SRF_MODE_ALL: how signed normalised values decode */
enum cayman_srf_mode {
   SRF_MODE_ZERO_CLAMP_MINUS_ONE = 0, /* max(c / (2^(n-1) - 1), -1) */
   SRF_MODE_NO_ZERO = 1,              /* (2c + 1) / (2^n - 1) */
};

/** ENDIAN_SWAP, ENDIAN */
enum cayman_endian {
   ENDIAN_NONE = 0,
   ENDIAN_8IN16 = 1,
   ENDIAN_8IN32 = 2,
   ENDIAN_8IN64 = 3,
};

/** DST_SEL_* of descriptors and fetch instructions */
enum cayman_select {
   SQ_SEL_X = 0,
   SQ_SEL_Y = 1,
   SQ_SEL_Z = 2,
   SQ_SEL_W = 3,
   SQ_SEL_0 = 4,
   SQ_SEL_1 = 5,
   SQ_SEL_MASK = 7, /* instructions only: component is not written */
};

/* ---- Textures and samplers ---- */
/** TEX_WORD0.DIM */
enum cayman_tex_dim {
   SQ_TEX_DIM_1D = 0,
   SQ_TEX_DIM_2D = 1,
   SQ_TEX_DIM_3D = 2,
   SQ_TEX_DIM_CUBEMAP = 3,
   SQ_TEX_DIM_1D_ARRAY = 4,
   SQ_TEX_DIM_2D_ARRAY = 5,
   SQ_TEX_DIM_2D_MSAA = 6,
   SQ_TEX_DIM_2D_ARRAY_MSAA = 7,
};

/** SAMPLER_WORD0.CLAMP_* */
enum cayman_clamp {
   SQ_TEX_WRAP = 0,
   SQ_TEX_MIRROR = 1,
   SQ_TEX_CLAMP_LAST_TEXEL = 2,
   SQ_TEX_MIRROR_ONCE_LAST_TEXEL = 3,
   SQ_TEX_CLAMP_HALF_BORDER = 4,
   SQ_TEX_MIRROR_ONCE_HALF_BORDER = 5,
   SQ_TEX_CLAMP_BORDER = 6,
   SQ_TEX_MIRROR_ONCE_BORDER = 7,
};

/** SAMPLER_WORD0: XY_MAG_FILTER, XY_MIN_FILTER; Z_FILTER, MIP_FILTER */
enum cayman_filter {
   SQ_TEX_XY_FILTER_POINT = 0,
   SQ_TEX_XY_FILTER_BILINEAR = 1,
   SQ_TEX_XY_FILTER_ANISO_POINT = 2,
   SQ_TEX_XY_FILTER_ANISO_BILINEAR = 3,
   SQ_TEX_Z_FILTER_NONE = 0,
   SQ_TEX_Z_FILTER_POINT = 1,
   SQ_TEX_Z_FILTER_LINEAR = 2,
};

/** SAMPLER_WORD0.FILTER_MODE: what becomes of the texels of a footprint */
enum cayman_tex_filter_mode {
   SQ_TEX_FILTER_MODE_BLEND = 0,
   SQ_TEX_FILTER_MODE_MIN = 1,
   SQ_TEX_FILTER_MODE_MAX = 2,
};

/** SAMPLER_WORD0.BORDER_COLOR_TYPE */
enum cayman_border {
   SQ_TEX_BORDER_COLOR_TRANS_BLACK = 0,
   SQ_TEX_BORDER_COLOR_OPAQUE_BLACK = 1,
   SQ_TEX_BORDER_COLOR_OPAQUE_WHITE = 2,
   SQ_TEX_BORDER_COLOR_REGISTER = 3,
};

#endif
