/* SPDX-License-Identifier: MIT */
/* What a texture instruction does. */
#ifndef ATOLL_PORT_TEX_OP_H
#define ATOLL_PORT_TEX_OP_H

#include <stdbool.h>

/* Queries, lookups, then lookups that compare: all from TD_SAMPLE_C to TD_GATHER4_C_O. */
enum td_op {
   TD_NOTHING, /* results are zero */
   TD_LD,
   TD_GET_RESINFO,
   TD_GET_SAMPLES,
   TD_GET_LOD,
   TD_SAMPLE,
   TD_SAMPLE_L,
   TD_SAMPLE_LB,
   TD_SAMPLE_LZ,
   TD_SAMPLE_G,
   TD_GATHER4,
   TD_SAMPLE_G_LB,
   TD_GATHER4_O,
   TD_SAMPLE_C,
   TD_SAMPLE_C_L,
   TD_SAMPLE_C_LB,
   TD_SAMPLE_C_LZ,
   TD_SAMPLE_C_G,
   TD_GATHER4_C,
   TD_SAMPLE_C_G_LB,
   TD_GATHER4_C_O,
   TD_OPS,
};

/* Whether it is a lookup by coordinates that gives a colour. */
static inline bool
td_op_samples(unsigned op)
{
   switch (op) {
   case TD_SAMPLE:
   case TD_SAMPLE_L:
   case TD_SAMPLE_LB:
   case TD_SAMPLE_LZ:
   case TD_SAMPLE_G:
   case TD_SAMPLE_G_LB:
   case TD_SAMPLE_C:
   case TD_SAMPLE_C_L:
   case TD_SAMPLE_C_LB:
   case TD_SAMPLE_C_LZ:
   case TD_SAMPLE_C_G:
   case TD_SAMPLE_C_G_LB:
      return true;
   default:
      return false;
   }
}

#endif
