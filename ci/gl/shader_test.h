/* SPDX-License-Identifier: MIT */
/* Programs from piglit's .shader_test files, and from files of that form that have fewer stages. */
#pragma once

#include "offscreen.h"

enum shader_test_stage {
   SHADER_TEST_VERTEX,
   SHADER_TEST_GEOMETRY,
   SHADER_TEST_FRAGMENT,
   SHADER_TEST_STAGES,
};

struct shader_test {
   char *text;
   const char *source[SHADER_TEST_STAGES]; /* within the text, or NULL */
   char *made; /* the other side's source of a file that asks for it, else NULL */
};

/* Reads a file of at most 1 MB.  False if it cannot be read, or has a section of another kind of
 * shader, or none; then nothing is to be freed. */
bool shader_test_read(const char *path, struct shader_test *test);

/* A file that begins with `# either side` may have the vertex or the fragment shader alone.  The
 * other one is written here, from what GL says that the one reads or writes: all varyings differ
 * from vertex to vertex, and all that come count.  Needs a context.  False if there is a varying
 * that it cannot write, such as a member of a block. */
bool shader_test_complete(struct shader_test *test);

/* A new program of the shaders, which is not linked yet; 0 if one of them does not compile. */
unsigned shader_test_compile(const struct shader_test *test);

void shader_test_free(struct shader_test *test);
