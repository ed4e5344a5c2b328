/* SPDX-License-Identifier: MIT */
/*
 * PA: primitive assembly, clipping, culling and setup.
 *
 * Screen coordinates are 24.8 fixed point (quantised to 1/256 pixel), y grows
 * downwards in memory order.  The vertices of what is left of a primitive after clipping lie within
 * [PA_MIN_XY, PA_MAX_XY] pixels, so that edge equations fit (see struct sc_prim); the corners of a
 * wide line may lie half its width beyond, and those of rectangles, which are not cut, up to
 * PA_FAR_XY.
 */
#ifndef ATOLL_PA_H
#define ATOLL_PA_H

#include <stdbool.h>
#include <stdint.h>

#include "port/limits.h"

#define PA_MIN_XY    (-8192)
#define PA_MAX_XY    24575
#define PA_FAR_XY    32767 /* farthest that a position is told apart from those beyond */
#define PA_VIEWPORTS 16
#define PA_UCPS      6

struct pa_viewport {
   float xs, xo, ys, yo, zs, zo;
};

struct pa_state {
   struct pa_viewport viewport[PA_VIEWPORTS];
   float ucp[PA_UCPS][4];
   uint32_t ucp_mask;       /* planes of ucp[] that clip */
   uint32_t clip_dist_mask; /* exported distances that clip */
   uint32_t cull_dist_mask; /* exported distances that only reject */
   uint8_t misc_export;     /* POS export index, 0: none */
   uint8_t dist_export[2];  /* POS export index of distances 0-3 and 4-7, 0: none */
   bool use_point_size, use_edge_flag, use_layer, use_viewport;
   bool clip; /* view volume clipping is on */
   bool clip_near, clip_far;
   bool dx_clip_space; /* near plane at z = 0 */
   bool kill_all;      /* nothing is rasterised */
   bool xy_divided, z_divided, w_is_w;
   /* Positions are the window's x, y, z and 1 / w: of viewports that change nothing, and with
    * the other three as OpenGL has them. */
   bool in_window;
   float disc_x, disc_y; /* discard adjustment of the guard band, >= 1 */

   bool cull_front, cull_back, front_cw;
   bool poly_mode;
   uint8_t poly_front, poly_back; /* enum polygon_mode */
   bool offset_front, offset_back, offset_para;
   float offset_scale[2], offset_units[2], offset_clamp; /* [0] front, [1] back */
   bool offset_float;
   bool provoking_last, persp_corr_dis;
   bool pixel_center_integer;

   float point_half_w, point_half_h; /* pixels */
   float point_min, point_max;       /* half sizes for exported sizes */
   float line_half;                  /* pixels */
   bool line_expand;                 /* the width is across the line, not along the minor axis */
   bool line_square;                 /* ends are at right angles to the line */
   bool line_stipple;
   bool line_stipple_anew; /* each line begins its pattern */
};

#endif
