/* SPDX-License-Identifier: MIT */
/*
 * From the values of the fields of Cayman's descriptors and fetch instructions to the pipeline's
 * enumerations (port/state.h, port/format.h, port/tex_op.h): a table for each, with an entry for
 * every value that the field can hold.
 */
#ifndef ATOLL_CHIP_CAYMAN_DESCRIPTORS_MAP_H
#define ATOLL_CHIP_CAYMAN_DESCRIPTORS_MAP_H

#include <stdint.h>

/* DATA_FORMAT to enum format; FORMAT_NONE, where the device reads zero. */
extern const uint8_t cayman_format[64];

/* NUM_FORMAT_ALL to enum conversion; normalised, where the field names none. */
extern const uint8_t cayman_conversion[4];

/* FORMAT_COMP_* to enum channel_sign; biased, where the field names none. */
extern const uint8_t cayman_sign[4];

/* ENDIAN_SWAP to enum byte_swap. */
extern const uint8_t cayman_byte_swap[4];

/* DST_SEL_* of a resource to enum swizzle; zero, where the field names none. */
extern const uint8_t cayman_swizzle[8];

/* DST_SEL_* of an instruction to enum swizzle; not written, where the field names none. */
extern const uint8_t cayman_write[8];

/* TEX_WORD0.DIM to enum texture_dim. */
extern const uint8_t cayman_texture_dim[8];

/* SAMPLER_WORD0.CLAMP_* to enum wrap. */
extern const uint8_t cayman_wrap[8];

/* SAMPLER_WORD0.XY_*_FILTER to enum filter. */
extern const uint8_t cayman_filter[4];

/* SAMPLER_WORD0.MIP_FILTER to enum mip_filter; the nearest level, where the field names none. */
extern const uint8_t cayman_mip_filter[4];

/* SAMPLER_WORD0.Z_FILTER to enum slice_filter; as within slices, where the field names none. */
extern const uint8_t cayman_slice_filter[4];

/* SAMPLER_WORD0.FILTER_MODE to enum reduction; the greatest, where the field names none. */
extern const uint8_t cayman_reduction[4];

/* SAMPLER_WORD0.BORDER_COLOR_TYPE to enum border. */
extern const uint8_t cayman_border[4];

/* TEX_INST to enum td_op; TD_NOTHING, where it does nothing that a texture takes part in. */
extern const uint8_t cayman_td_op[32];

/* Functions of tests, which are three bits wherever they are, to enum test. */
extern const uint8_t cayman_test[8];

#endif
