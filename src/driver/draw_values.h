/* SPDX-License-Identifier: MIT */
/* Values that are the same in all of a draw (draw_values.c). */
#ifndef ATOLL_DRAW_VALUES_H
#define ATOLL_DRAW_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/nir/nir_to_il.h"

/** Compares the uniforms that steps load with those in `seen`, and stores them there: whether any
 * has changed.  Steps that load come first; more of them than `room` always have. */
bool atoll_loads_changed(const struct atoll_value_step *steps, unsigned count,
                         const uint32_t *uniforms, unsigned dwords, uint32_t *seen, unsigned room);

/** Runs steps that have been checked, over so many dwords of uniforms. */
void atoll_run_values(const struct atoll_value_step *steps, unsigned count,
                      const uint32_t *uniforms, unsigned dwords, uint32_t *out);

/** Whether steps stay within themselves and so many vec4s of values, and those that load come
 * first. */
bool atoll_check_values(const struct atoll_value_step *steps, unsigned count, unsigned vec4s);

#endif
