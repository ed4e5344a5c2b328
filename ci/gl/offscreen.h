/* SPDX-License-Identifier: MIT */
/* An OpenGL context without a window, for the programs that check and measure drivers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define GL_GLEXT_PROTOTYPES 1
#include <GL/gl.h>
#include <GL/glext.h>

/* Creates a compatibility context (surfaceless EGL) and makes it current.  When the driver offers
 * none, says why on stderr and returns false. */
bool offscreen_open(void);
void offscreen_close(void);

/* The same of OpenGL ES, of the highest version that the driver has from 2.0 on. */
bool offscreen_open_es(void);

/* Makes a framebuffer object of width x height pixels, RGBA8 with 24 bits of depth and 8 of
 * stencil, current.  Returns its name. */
unsigned offscreen_target(int width, int height);

/* The same without depth and stencil, which OpenGL ES 2.0 has too. */
unsigned offscreen_color_target(int width, int height);

/* Compiles and links a program; ends the process with the log on stderr if it does not. */
unsigned offscreen_program(const char *vertex, const char *fragment);

/* One stage of a program. */
struct offscreen_shader {
   GLenum stage;
   const char *source;
};

/* Compile shaders and attach them to a program; link it.  Either ends the process with the log on
 * stderr if it does not. */
void offscreen_attach(unsigned program, const struct offscreen_shader *shaders, unsigned count);
void offscreen_link(unsigned program);

/* The context's version of OpenGL, 10 * major + minor. */
int offscreen_version(void);

/* Writes the colour of the bound framebuffer, bottom row last, as a PNG.  False: errno says why. */
bool offscreen_write_png(const char *path, int width, int height);

/* Microseconds of the monotonic clock. */
int64_t offscreen_now(void);
