/* SPDX-License-Identifier: MIT */
/* Small fixed tasks of kinds that real programs have, for gl-habits: what a task is, and what tasks
 * share. */
#pragma once

#include <stddef.h>

#include "offscreen.h"

/* Side of the target that every task finds bound: RGBA8 with 24 bits of depth and 8 of stencil. */
enum { HABIT_SIDE = 512 };

/* Numbers that a task's result is told by. */
enum { HABIT_SUMS = 16 };

struct habit {
   const char *name;
   int version; /* of OpenGL that it needs, 10 * major + minor */

   /* Once in a context of its own; then frame after frame.  The first frame's result is read by
    * `sum`, which for NULL is habit_sum_target(). */
   void (*start)(const struct habit *habit);
   void (*frame)(void);
   void (*sum)(double sums[static HABIT_SUMS]);

   /* For tasks that are a shader: declarations, and the body of main(). */
   const char *head, *body;
   int count; /* of whatever `start` or the frame repeats */
   int size;  /* of a work group, or of what `start` makes */

   const char *extension; /* that it needs, or NULL */
};

/* Tables of tasks, each ended by one without a name. */
extern const struct habit habits_compute[], habits_draws[], habits_old[], habits_pixels[],
   habits_stages[], habits_targets[];

/* The next of a series of numbers that look random, 32 bits. */
unsigned habit_noise(void);

/* Memory that is never NULL, zeroed; the process ends if there is none. */
void *habit_alloc(size_t bytes);

/* A buffer of `count` floats from 0 to 1, bound to `target`. */
unsigned habit_floats(GLenum target, unsigned count);

/* A texture of random bytes, bound to `target` of `unit`: RGBA8 with all its levels. */
unsigned habit_texture(GLenum target, unsigned unit, int side, int layers);

/* A program in use.  `habit_quad_program` has a vertex shader of version 3.30 for habit_quad(),
 * with `in vec2 uv` from 0 to 1 for the fragment shader. */
unsigned habit_program(const char *vertex, const char *fragment);
unsigned habit_quad_program(const char *fragment);
unsigned habit_stages(const struct offscreen_shader *shaders, unsigned count);

/* The whole viewport, two triangles. */
void habit_quad(void);

/* Where a uniform of the program in use is. */
int habit_uniform(const char *name);

/* A framebuffer object with a texture as its colour, bound; returns the texture. */
unsigned habit_texture_target(GLenum internal, int side, unsigned *framebuffer);

/* Means of the bound framebuffer's colour, times 255: four bands, four components each. */
void habit_sum_target(double sums[static HABIT_SUMS]);

/* Weighted means of `count` numbers in four parts, times `scale`, into sums[0] to sums[3]. */
void habit_sum_floats(double *sums, const float *values, unsigned count, double scale);
void habit_sum_uints(double *sums, const uint32_t *values, unsigned count);
