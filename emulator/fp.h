/* SPDX-License-Identifier: MIT */
/*
 * Modes of float arithmetic, as MXCSR has them.
 */
#ifndef ATOLL_FP_H
#define ATOLL_FP_H

#define FP_ROUND_NEAREST 0x0000u
#define FP_ROUND_DOWN    0x2000u
#define FP_ROUND_UP      0x4000u
#define FP_ROUND_ZERO    0x6000u
#define FP_FLUSH_IN      0x0040u /* denormal operands are zero */
#define FP_FLUSH_OUT     0x8000u /* denormal results are zero */
#define FP_DEFAULT       0x1f80u /* exceptions masked; or the flags above into it */
#define FP_FLAGS         0x003fu /* what has happened */

/* Of a mode as SET_MODE and SQ_PGM_RESOURCES_2 have it: rounding in bits 1:0, whether denormal
 * operands (bit 2) and results (bit 3) are kept. */
static inline unsigned
fp_mode(unsigned mode)
{
   static const unsigned rounds[4] = { FP_ROUND_NEAREST, FP_ROUND_UP, FP_ROUND_DOWN,
                                       FP_ROUND_ZERO };
   return FP_DEFAULT | rounds[mode & 3] | (mode & 4 ? 0 : FP_FLUSH_IN) |
          (mode & 8 ? 0 : FP_FLUSH_OUT);
}

/* Those of floats and of doubles in SQ_PGM_RESOURCES_2_<stage>. */
static inline unsigned
fp_mode_single(unsigned pgm_resources_2)
{
   return fp_mode((pgm_resources_2 & 3) | (pgm_resources_2 >> 4 & 3) << 2);
}

static inline unsigned
fp_mode_double(unsigned pgm_resources_2)
{
   return fp_mode((pgm_resources_2 >> 2 & 3) | (pgm_resources_2 >> 6 & 3) << 2);
}

#endif
