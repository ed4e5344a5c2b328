/* SPDX-License-Identifier: MIT */
/* A second opinion on sampled colours; see reference.c. */
#ifndef TEST_TD_REFERENCE_H
#define TEST_TD_REFERENCE_H

#include "harness.h"

/* The colour at `coord` (as the instruction takes it) and an explicit level of detail.  Formats:
 * 8, 8_8_8_8 (also sRGB), 5_6_5, 16, 32_FLOAT, 32_32_32_FLOAT, 32_32_32_32_FLOAT. */
void reference_sample(const struct test_tex *t, const struct test_words *w, const struct vm *space,
                      const double coord[3], double lod, double ref, double out[4]);

#endif
