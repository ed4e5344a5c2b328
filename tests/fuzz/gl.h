/* SPDX-License-Identifier: MIT */
/*
 * Targets that go through OpenGL: a context of its own for each input, and the driver that the
 * environment names.
 *
 * What must hold: whatever is called, the context that comes next draws what it should.
 */
#ifndef TESTS_FUZZ_GL_H
#define TESTS_FUZZ_GL_H

#include "fuzz.h"

#define GL_GLEXT_PROTOTYPES 1
#include <GL/gl.h>
#include <GL/glext.h>

#define FUZZ_GL_SIDE 16 /* pixels of the target, squared */

/* A compatibility context of the highest version, with a target bound; then it is gone. */
void fuzz_gl_begin(void);
void fuzz_gl_end(void);

/* A program of the stages that have a source, or 0: OpenGL refuses it. */
unsigned fuzz_gl_program(const char *vertex, const char *fragment);

/* Draws two triangles over the target with a program, and reads a pixel. */
void fuzz_gl_draw(unsigned program);

#endif /* TESTS_FUZZ_GL_H */
