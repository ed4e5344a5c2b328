/* SPDX-License-Identifier: MIT */
/*
 * Scalar reference of Cayman's lane-wise operations, written from the guide and apart from the
 * kernels: plain C on one value.
 */
#ifndef SQ_REFERENCE_H
#define SQ_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/** The result bits of a one-slot operation; false if the reference does not know it exactly.
 *  Denormals are flushed, rounding is to nearest. */
bool reference_op(unsigned op, uint32_t a, uint32_t b, uint32_t c, uint32_t *result);

/** Transcendentals: the true value for a flushed operand, and how many ulp may be between. */
bool reference_approximate(unsigned op, uint32_t a, double *value, double *ulp);

/** Operands worth trying: zeros, ones, denormals, limits, NaNs, powers, integers. */
extern const uint32_t reference_operands[];
extern const unsigned reference_num_operands;

/** A generator with a fixed sequence. */
uint32_t reference_random(uint64_t *state);

#endif
