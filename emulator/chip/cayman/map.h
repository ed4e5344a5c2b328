/* SPDX-License-Identifier: MIT */
/*
 * From the values of Cayman's fields to the pipeline's enumerations (port/state.h and the blocks'
 * own): a table for each, with an entry for every value that the field can hold.
 */
#ifndef ATOLL_CHIP_CAYMAN_MAP_H
#define ATOLL_CHIP_CAYMAN_MAP_H

#include <stdint.h>

#include "chip/cayman/descriptors/map.h"

/* VGT_PRIMITIVE_TYPE.PRIM_TYPE to enum topology; TOPOLOGY_NONE: no type. */
extern const uint8_t cayman_topology[64];

/* VGT_GS_OUT_PRIM_TYPE.OUTPRIM_TYPE to enum topology; TOPOLOGY_NONE: no type. */
extern const uint8_t cayman_gs_topology[64];

/* PA_SU_SC_MODE_CNTL.POLYMODE_*_PTYPE to enum polygon_mode; points, where the field names none. */
extern const uint8_t cayman_polygon_mode[8];

/* VGT_TF_PARAM.TYPE, .PARTITIONING, .TOPOLOGY to the enumerations of vgt/tessellator.h;
 * TESS_DOMAINS, TESS_TOPOLOGIES: none.  Of the partitioning, two bits count. */
extern const uint8_t cayman_tess_domain[4];
extern const uint8_t cayman_tess_partitioning[8];
extern const uint8_t cayman_tess_topology[8];

/* SPI_INTERP_CONTROL_0.PNT_SPRITE_OVRD_* to enum spi_sprite; SPI_SPRITE_NONE, where it names
 * none. */
extern const uint8_t cayman_sprite[8];

/* DB_DEPTH_CONTROL.STENCILFAIL and its like to enum stencil_op. */
extern const uint8_t cayman_stencil_op[8];

/* DB_Z_INFO.FORMAT to enum depth_format. */
extern const uint8_t cayman_depth_format[4];

/* CB_BLENDn_CONTROL.*SRCBLEND, *DESTBLEND to enum blend_factor; zero, where the field names none.
 */
extern const uint8_t cayman_blend_factor[32];

/* CB_BLENDn_CONTROL.*COMB_FCN to enum blend_op; a sum, where the field names none. */
extern const uint8_t cayman_blend_op[8];

/* CB_COLORn_INFO.NUMBER_TYPE to enum numeric. */
extern const uint8_t cayman_numeric[8];

/* By COMP_SWAP and a format's number of components less one: the colours (0 red to 3 alpha) that
 * its components hold, from the lowest bit up. */
extern const uint8_t cayman_order[4][4][4];

#endif
