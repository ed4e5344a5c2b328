/* SPDX-License-Identifier: MIT */
/*
 * Draws and dispatches what texts say: gl-script [--messages] FILE...  With --messages it prints
 * what the driver says of itself (KHR_debug).  A line that begins with `!` is a command:
 *
 *    !shader STAGE       the lines up to the next command are its source: vertex, control,
 *                        evaluation, geometry, pixel or compute
 *    !program            links the shaders so far, and uses the program
 *    !words UNIT N       a storage buffer of N words that hold 0, 1, 2 ...
 *    !constants UNIT N   a uniform buffer of N floats that hold 0, 1, 2 ...
 *    !texels UNIT N      a buffer texture of N texels of 32 bits that hold 0, 1, 2 ...
 *    !texture UNIT SIZE  a square texture with all its levels, and mipmaps between them
 *    !image UNIT SIZE    a square image of 32-bit integers, all 0
 *    !target SIZE        a square target, bound as the framebuffer
 *    !read UNIT          and as the texture of a unit
 *    !forget             what is in the target becomes undefined
 *    !uniform NAME X     a float; `!sampler NAME UNIT` an integer
 *    !dispatch X Y Z     groups
 *    !draw               a square over the whole target, in patches of three for evaluation shaders
 *    !barrier            glMemoryBarrier() of all
 *    !texture-barrier    glTextureBarrier()
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 18, WORDS_MAX = 1 << 16, SIZE_MAX_ = 256, SHADERS = 6 };

static const struct {
   const char *name;
   GLenum stage;
} stages[SHADERS] = {
   { "vertex", GL_VERTEX_SHADER },
   { "control", GL_TESS_CONTROL_SHADER },
   { "evaluation", GL_TESS_EVALUATION_SHADER },
   { "geometry", GL_GEOMETRY_SHADER },
   { "pixel", GL_FRAGMENT_SHADER },
   { "compute", GL_COMPUTE_SHADER },
};

struct run {
   struct offscreen_shader shaders[SHADERS];
   unsigned num_shaders, program, target, target_texture;
   bool patches;
};

static unsigned
buffer(GLenum target, unsigned unit, unsigned count, bool floats)
{
   static uint32_t words[WORDS_MAX];
   unsigned name;

   count = count < WORDS_MAX ? count : WORDS_MAX;
   for (unsigned n = 0; n < count; n++) {
      const float number = (float)n;

      words[n] = n;
      if (floats)
         memcpy(&words[n], &number, 4);
   }
   glGenBuffers(1, &name);
   glBindBuffer(target, name);
   glBufferData(target, 4 * (GLsizeiptr)count, words, GL_DYNAMIC_COPY);
   if (target != GL_TEXTURE_BUFFER)
      glBindBufferBase(target, unit, name);
   return name;
}

static void
texels(unsigned unit, unsigned count)
{
   const unsigned name = buffer(GL_TEXTURE_BUFFER, 0, count, false);
   unsigned texture;

   glGenTextures(1, &texture);
   glActiveTexture(GL_TEXTURE0 + unit);
   glBindTexture(GL_TEXTURE_BUFFER, texture);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, name);
}

/* `format`: of a texture with all levels or an image with one. */
static unsigned
texture(unsigned unit, unsigned size, GLenum format)
{
   static const uint32_t zeros[SIZE_MAX_ * SIZE_MAX_];
   const bool image = format == GL_R32UI;
   unsigned name, levels = 1;

   size = size < SIZE_MAX_ ? size : SIZE_MAX_;
   while (!image && size >> levels)
      levels++;
   glGenTextures(1, &name);
   glActiveTexture(GL_TEXTURE0 + unit);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexStorage2D(GL_TEXTURE_2D, (GLsizei)levels, format, (GLsizei)size, (GLsizei)size);
   for (unsigned l = 0; l < levels; l++)
      glTexSubImage2D(GL_TEXTURE_2D, (GLint)l, 0, 0, (GLsizei)(size >> l), (GLsizei)(size >> l),
                      image ? GL_RED_INTEGER : GL_RGBA, image ? GL_UNSIGNED_INT : GL_UNSIGNED_BYTE,
                      zeros);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                   image ? GL_NEAREST : GL_NEAREST_MIPMAP_NEAREST);
   if (image)
      glBindImageTexture(unit, name, 0, false, 0, GL_READ_WRITE, GL_R32UI);
   return name;
}

static void
target(struct run *r, unsigned size)
{
   r->target_texture = texture(15, size, GL_RGBA8);
   glGenFramebuffers(1, &r->target);
   glBindFramebuffer(GL_FRAMEBUFFER, r->target);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, r->target_texture,
                          0);
   glViewport(0, 0, (GLsizei)size, (GLsizei)size);
}

static void
read_target(const struct run *r, unsigned unit)
{
   glActiveTexture(GL_TEXTURE0 + unit);
   glBindTexture(GL_TEXTURE_2D, r->target_texture);
}

static void
forget(void)
{
   const GLenum attachment = GL_COLOR_ATTACHMENT0;

   glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &attachment);
}

static void
draw(const struct run *r)
{
   static const float corners[6][4] = { { -1, -1, 0, 1 }, { 1, -1, 0, 1 }, { -1, 1, 0, 1 },
                                        { -1, 1, 0, 1 },  { 1, -1, 0, 1 }, { 1, 1, 0, 1 } };
   unsigned name;

   glGenBuffers(1, &name);
   glBindBuffer(GL_ARRAY_BUFFER, name);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 4, GL_FLOAT, false, 0, NULL);
   glEnableVertexAttribArray(0);
   if (r->patches)
      glPatchParameteri(GL_PATCH_VERTICES, 3);
   glDrawArrays(r->patches ? GL_PATCHES : GL_TRIANGLES, 0, 6);
}

static void
link_program(struct run *r)
{
   r->program = glCreateProgram();
   glBindAttribLocation(r->program, 0, "position");
   offscreen_attach(r->program, r->shaders, r->num_shaders);
   offscreen_link(r->program);
   glUseProgram(r->program);
   r->patches = false;
   for (unsigned n = 0; n < r->num_shaders; n++)
      r->patches = r->patches || r->shaders[n].stage == GL_TESS_EVALUATION_SHADER;
   r->num_shaders = 0;
}

/* False: there is no such command. */
static bool
command(struct run *r, const char *line, const char *body)
{
   unsigned a = 0, b = 0, c = 0;
   char word[32], name[64];
   float number;

   if (sscanf(line, "!shader %31s", word) == 1) {
      for (unsigned n = 0; n < SHADERS && r->num_shaders < SHADERS; n++)
         if (!strcmp(word, stages[n].name)) {
            r->shaders[r->num_shaders++] = (struct offscreen_shader){ stages[n].stage, body };
            return true;
         }
      return false;
   }
   if (sscanf(line, "!words %u %u", &a, &b) == 2)
      buffer(GL_SHADER_STORAGE_BUFFER, a, b, false);
   else if (sscanf(line, "!constants %u %u", &a, &b) == 2)
      buffer(GL_UNIFORM_BUFFER, a, b, true);
   else if (sscanf(line, "!texels %u %u", &a, &b) == 2)
      texels(a, b);
   else if (sscanf(line, "!texture %u %u", &a, &b) == 2)
      texture(a, b, GL_RGBA8);
   else if (sscanf(line, "!image %u %u", &a, &b) == 2)
      texture(a, b, GL_R32UI);
   else if (sscanf(line, "!target %u", &a) == 1)
      target(r, a);
   else if (sscanf(line, "!read %u", &a) == 1)
      read_target(r, a);
   else if (sscanf(line, "!uniform %63s %f", name, &number) == 2)
      glUniform1f(glGetUniformLocation(r->program, name), number);
   else if (sscanf(line, "!sampler %63s %u", name, &a) == 2)
      glUniform1i(glGetUniformLocation(r->program, name), (GLint)a);
   else if (sscanf(line, "!dispatch %u %u %u", &a, &b, &c) == 3)
      glDispatchCompute(a, b, c);
   else if (!strcmp(line, "!program"))
      link_program(r);
   else if (!strcmp(line, "!draw"))
      draw(r);
   else if (!strcmp(line, "!forget"))
      forget();
   else if (!strcmp(line, "!barrier"))
      glMemoryBarrier(GL_ALL_BARRIER_BITS);
   else if (!strcmp(line, "!texture-barrier"))
      glTextureBarrier();
   else
      return false;
   return true;
}

/* Cuts the text up; false: it is not one. */
static bool
run(char *text)
{
   struct run r = { 0 };

   for (char *line = text, *next; line && *line; line = next) {
      char *end = strchr(line, '\n');

      if (*line != '!' || !end)
         return false;
      *end = 0;
      next = end[1] == '!' ? end + 1 : strstr(end + 1, "\n!");
      if (next && next != end + 1)
         *next++ = 0;
      if (!command(&r, line, end + 1)) {
         fprintf(stderr, "gl-script: '%s' is no command\n", line);
         return false;
      }
   }
   glFinish();
   glUseProgram(0);
   glDeleteProgram(r.program);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   return glGetError() == GL_NO_ERROR;
}

static void
message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text,
        const void *data)
{
   printf("message: %.*s\n", (int)length, text);
}

int
main(int argc, char **argv)
{
   static char text[LARGEST];
   int first = 1;

   if (!offscreen_open())
      return 1;
   if (offscreen_version() < 45)
      return 77;
   if (argc > 1 && !strcmp(argv[1], "--messages")) {
      glEnable(GL_DEBUG_OUTPUT);
      glDebugMessageCallback(message, NULL);
      first = 2;
   }
   for (int n = first; n < argc; n++) {
      FILE *in = fopen(argv[n], "r");
      const size_t size = in ? fread(text, 1, LARGEST - 1, in) : 0;

      text[size] = 0;
      if (in)
         fclose(in);
      if (!size || !run(text)) {
         fprintf(stderr, "gl-script: %s: wrong\n", argv[n]);
         return 2;
      }
   }
   offscreen_close();
   return 0;
}
