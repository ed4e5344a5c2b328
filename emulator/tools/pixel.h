/* SPDX-License-Identifier: MIT */
/*
 * What pixels in memory mean, and targets as pictures.
 */
#ifndef ATOLL_TOOLS_PIXEL_H
#define ATOLL_TOOLS_PIXEL_H

#include <stdbool.h>
#include <stdint.h>

#include "port/channel.h"

struct probe_draw;
struct tool;
struct vm;

/** The value of a component of the pixel at `bytes`: of normalised ones from -1 or 0 to 1. */
double pixel_component(const struct cb_channel *c, const uint8_t *bytes);

/** The depth in a word of a surface; `format` is enum depth_format. */
double pixel_depth(unsigned format, uint32_t word);

/** The first layer that a draw sees of its colour target as PNG, or with `depth` of its depth, in
 *  grey.  Samples are averaged, values clamped to what 8 bits hold: 0 to 1, and integers to 0 to
 *  255.  An exit code, after a message. */
int pixel_write(const struct tool *tool, const char *path, const struct vm *vm,
                const struct probe_draw *draw, unsigned target, bool depth);

#endif
