/* SPDX-License-Identifier: MIT */
/*
 * Immediates of scalar micro-operations.
 */
#ifndef ATOLL_UOP_SCALAR_H
#define ATOLL_UOP_SCALAR_H

/* VH_FREXPM, VH_FREXPE; VH_FLUSH */
enum {
   FREXP_SQRT = 1,
   FREXP_LOG = 2,
   FLUSH_NAN = 3, /* VALHALL_NAN_MODE_* */
   FLUSH_FTZ = 4,
   FLUSH_INF = 8,
   FLUSH_HALF = 16, /* of a half that was made a float */
};

/* VH_FTZ: the least normal numbers, as floats, and the bits of the half. */
#define LEAST_FLOAT     0x00800000u
#define LEAST_HALF      0x38800000u
#define LEAST_HALF_BITS 0x0400u

#endif
