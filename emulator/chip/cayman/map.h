/* SPDX-License-Identifier: MIT */
/*
 * From the values of Cayman's fields to the pipeline's enumerations (port/state.h and the blocks'
 * own): a table for each, with an entry for every value that the field can hold.
 */
#ifndef ATOLL_CHIP_CAYMAN_MAP_H
#define ATOLL_CHIP_CAYMAN_MAP_H

#include <stdint.h>

/* VGT_PRIMITIVE_TYPE.PRIM_TYPE to enum topology; TOPOLOGY_NONE: no type. */
extern const uint8_t cayman_topology[64];

/* VGT_GS_OUT_PRIM_TYPE.OUTPRIM_TYPE to enum topology; TOPOLOGY_NONE: no type. */
extern const uint8_t cayman_gs_topology[64];

/* PA_SU_SC_MODE_CNTL.POLYMODE_*_PTYPE to enum polygon_mode; points, where the field names none. */
extern const uint8_t cayman_polygon_mode[8];

/* Functions of tests, which are three bits wherever they are, to enum test. */
extern const uint8_t cayman_test[8];

#endif
