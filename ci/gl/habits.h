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

   /* Once in a context of its own, the program of the last fields in use; NULL: nothing. */
   void (*start)(void);
   /* Frame after frame: `frame`, or `each` for every number below `count`, or, where both are NULL,
    * a draw of `count` vertices as `mode`. */
   void (*frame)(void);
   void (*each)(int i);
   GLenum mode;
   /* Reads the first frame's result; NULL: habit_sum_target(). */
   void (*sum)(double sums[static HABIT_SUMS]);

   int count; /* of whatever `start` or the frame repeats */
   int size;  /* of a work group, or of what `start` makes */

   const char *extension; /* that it needs, or NULL */

   /* For tasks that are a shader: declarations, and the body of main(). */
   const char *head, *body;
   /* The program's stages.  Beside one of them, NULL is habit_quad()'s vertex shader and a fragment
    * shader that writes `in vec4 v`. */
   const char *vertex, *control, *evaluation, *geometry, *fragment;
};

/* The task that runs. */
extern const struct habit *habit;

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

/* A program in use, of these stages alone. */
unsigned habit_stages(const struct offscreen_shader *shaders, unsigned count);
/* The same; NULL as in struct habit.  The vertex shader for habit_quad() is of version 3.30 and
 * gives the fragment shader `in vec2 uv` from 0 to 1. */
unsigned habit_program(const char *vertex, const char *fragment);

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
