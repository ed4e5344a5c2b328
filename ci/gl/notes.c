/* SPDX-License-Identifier: MIT */
/*
 * What a capture keeps of KHR_debug and of sources: gl-notes.
 *
 * Two draws of a program with a label, each after a marker: the first of two triangles that cover
 * the picture, the second of one.
 */
#include "offscreen.h"

#include <stdio.h>

enum { SIDE = 16 };

static const char vertex[] = "#version 430\n"
                             "layout(location = 0) in vec2 position;\n"
                             "void main() { gl_Position = vec4(position, 0.0, 1.0); }\n";

/* The product is a line of IL of its own. */
static const char fragment[] = "#version 430\n"
                               "uniform vec4 tint;\n"
                               "layout(location = 0) out vec4 color;\n"
                               "void main() {\n"
                               "   float light = gl_FragCoord.x * gl_FragCoord.y;\n"
                               "   color = sqrt(light) * tint;\n"
                               "}\n";

static void
mark(const char *text)
{
   glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1,
                        GL_DEBUG_SEVERITY_NOTIFICATION, -1, text);
}

int
main(void)
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   const struct offscreen_shader shaders[] = { { GL_VERTEX_SHADER, vertex },
                                               { GL_FRAGMENT_SHADER, fragment } };
   unsigned program;

   if (!offscreen_open())
      return 77;
   fprintf(stderr, "%s\n", (const char *)glGetString(GL_RENDERER));
   offscreen_target(SIDE, SIDE);
   program = glCreateProgram();
   glObjectLabel(GL_PROGRAM, program, -1, "the tinted one");
   offscreen_attach(program, shaders, 2);
   offscreen_link(program);
   glUseProgram(program);
   glUniform4f(glGetUniformLocation(program, "tint"), 0.01f, 0.02f, 0.03f, 1.0f);
   glEnableVertexAttribArray(0);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   mark("the whole");
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   mark("a half, \033[1m not more");
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glFinish();
   offscreen_close();
   return 0;
}
