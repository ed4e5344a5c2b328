/* SPDX-License-Identifier: MIT */
/*
 * SC: scan conversion, and the limits of a draw in pixels.
 *
 * PA asks sc_state for rectangles before it bins: a primitive's min/max must lie within
 * rect[prim.viewport].  SC then tests coverage, clip rectangles and line stipple per pixel.
 *
 * Line stipple: for sc_prim.line the plane stipple[] holds the pattern's counter: pixels along
 * the line's major axis since the pattern began (0 at the first pixel of a line or, where the
 * pattern runs on, of the strip).  PA keeps the count; SC looks up the pattern.
 */
#ifndef ATOLL_SC_H
#define ATOLL_SC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "port/limits.h"

/* Pixels [x0, x1) x [y0, y1); empty when x0 >= x1 or y0 >= y1. */
struct sc_rect {
   int32_t x0, y0, x1, y1;
};

struct sc_state {
   /* Per viewport: screen, window, generic and viewport scissors and the targets' extent. */
   struct sc_rect rect[SC_VIEWPORTS];
   struct sc_rect bounds;                          /* smallest rectangle around all of rect[] */
   uint32_t width, height;                         /* extent common to all bound targets */
   uint32_t layers;                                /* of the bound target with most, at least 1 */
   float z_min[SC_VIEWPORTS], z_max[SC_VIEWPORTS]; /* of window depth, ordered */

   bool cliprects;         /* the rule is not "always" */
   uint16_t cliprect_rule; /* bit n: n = which of the four rectangles hold the pixel */
   struct sc_rect cliprect[4];

   bool line_stipple;
   uint16_t line_pattern; /* bit 0 first */
   uint32_t line_repeat;  /* counter steps per pattern bit, at least 1 */

   bool msaa;               /* samples lie apart; else all at the pixel's centre */
   uint8_t log2_samples;    /* rasterised samples; 0 = one */
   bool over;               /* more than are stored: the program gets the coverage, and tests and
                               writes see one sample, at the centre, where any is covered */
   uint8_t log2_iter;       /* PS runs once per sample when not 0: for all of them, where
                               software asks for some at least */
   uint16_t sample_mask[4]; /* per pixel of a quad */
   /* Sample positions in 1/16 pixel from the centre, per pixel of a quad. */
   int8_t sample_x[4][SC_MAX_SAMPLES], sample_y[4][SC_MAX_SAMPLES];
   uint8_t centroid_order[SC_MAX_SAMPLES];
};

#endif
