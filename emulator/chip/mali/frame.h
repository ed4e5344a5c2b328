/* SPDX-License-Identifier: MIT */
/*
 * A frame while it is rendered.  The tile buffer is a surface for each target: whole pixels of its
 * format in memory, in rows, a pixel's samples side by side.
 */
#ifndef ATOLL_CHIP_MALI_FRAME_H
#define ATOLL_CHIP_MALI_FRAME_H

#include "cb/cb.h"
#include "chip/mali/mali.h"
#include "memory/target.h"
#include "sc/sc.h"

#define MALI_TARGETS 8u

struct mali_target {
   struct target surface;        /* host NULL: there is none */
   bool raw;                     /* what lies there, each draw says */
   struct cb_channel channel[4]; /* of others */
   uint8_t numeric;              /* enum numeric */
};

struct mali_frame {
   const struct mali_env *env;
   uint32_t width, height;
   uint8_t log2_samples;
   int8_t sample_x[SC_MAX_SAMPLES], sample_y[SC_MAX_SAMPLES]; /* 1/16 pixel from the centre */
   bool point_origin_max_y;
   struct mali_box box; /* no pixel beyond is drawn */
   unsigned targets;
   struct mali_target target[MALI_TARGETS];
   struct target z, s;
   uint8_t z_format; /* enum depth_format */
};

/* Draws to it.  Where it is not done, `text` says why. */
enum mali_result mali_render(const struct mali_frame *frame, const struct mali_draw *draw,
                             char text[MALI_TEXT]);

/* Draws all pixels of its box, by a program that runs before the frame. */
enum mali_result mali_render_whole(const struct mali_frame *frame, struct mali_draw *draw,
                                   char text[MALI_TEXT]);

#endif
