/* SPDX-License-Identifier: MIT */
/*
 * Where in a pixel inputs are evaluated: gl-interpolate.  Exit code 0, and the number of cases, if
 * all is right; otherwise each case that failed is on stderr.
 *
 * An input is its own position in the window.  It is evaluated at each sample, by a number that the
 * compiler knows or not, at an offset, and at the centroid of a pixel that is wholly covered, in
 * targets with and without samples, with each qualifier.  A target without samples has its centre
 * for each sample, whatever its number; one with samples has what the driver says of each.
 */
#include "offscreen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, TOO_LITTLE = 77 };

static unsigned cases, failed;

static const char vertex_source[] =
   "#version 400\n"
   "out vec2 smooth_in; centroid out vec2 centroid_in; sample out vec2 sample_in;\n"
   "noperspective out vec2 linear_in;\n"
   "uniform float side;\n"
   "void main() {\n"
   "   vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0;\n"
   "   smooth_in = centroid_in = sample_in = linear_in = p * side * 0.5;\n"
   "   gl_Position = vec4(p - 1.0, 0.0, 1.0); }\n";

/* Each case is an expression, and where in the pixel its value is to be: the sample `number`, the
 * offset from the centre, the own sample, or wherever there are samples, and else the centre. */
enum where { AT_SAMPLE, AT_OFFSET, AT_OWN, AT_ANY };

static const struct expression {
   const char *text;
   enum where where;
   int number;
   float x, y;
} expressions[] = {
   { "smooth_in", AT_OFFSET, 0, 0, 0 },
   { "linear_in", AT_OFFSET, 0, 0, 0 },
   { "centroid_in", AT_ANY, 0, 0, 0 },
   { "interpolateAtCentroid(smooth_in)", AT_ANY, 0, 0, 0 },
   { "interpolateAtCentroid(linear_in)", AT_ANY, 0, 0, 0 },
   { "interpolateAtOffset(smooth_in, vec2(0))", AT_OFFSET, 0, 0, 0 },
   { "interpolateAtOffset(smooth_in, vec2(0.25, -0.375))", AT_OFFSET, 0, 0.25f, -0.375f },
   { "interpolateAtOffset(linear_in, vec2(-0.5, 0.125) * one)", AT_OFFSET, 0, -0.5f, 0.125f },
   { "interpolateAtOffset(centroid_in, vec2(0.25, -0.375))", AT_OFFSET, 0, 0.25f, -0.375f },
   { "interpolateAtOffset(sample_in, vec2(0.25, -0.375))", AT_OFFSET, 0, 0.25f, -0.375f },
   { "interpolateAtSample(smooth_in, 0)", AT_SAMPLE, 0, 0, 0 },
   { "interpolateAtSample(smooth_in, 1)", AT_SAMPLE, 1, 0, 0 },
   { "interpolateAtSample(smooth_in, 3)", AT_SAMPLE, 3, 0, 0 },
   { "interpolateAtSample(linear_in, 2)", AT_SAMPLE, 2, 0, 0 },
   { "interpolateAtSample(centroid_in, 1)", AT_SAMPLE, 1, 0, 0 },
   { "interpolateAtSample(sample_in, 1)", AT_SAMPLE, 1, 0, 0 },
   { "interpolateAtSample(smooth_in, 0 * int(one))", AT_SAMPLE, 0, 0, 0 },
   { "interpolateAtSample(smooth_in, 1 * int(one))", AT_SAMPLE, 1, 0, 0 },
   { "interpolateAtSample(smooth_in, 2 + int(gl_FragCoord.x) / 100)", AT_SAMPLE, 2, 0, 0 },
   { "interpolateAtSample(linear_in, 3 * int(one))", AT_SAMPLE, 3, 0, 0 },
   { "interpolateAtSample(smooth_in, 16)", AT_SAMPLE, 16, 0, 0 },
   { "interpolateAtSample(smooth_in, 17 * int(one))", AT_SAMPLE, 17, 0, 0 },
   { "interpolateAtSample(smooth_in, -1)", AT_SAMPLE, 99, 0, 0 },
   { "interpolateAtSample(linear_in, -5 * int(one))", AT_SAMPLE, 99, 0, 0 },
   { "interpolateAtSample(linear_in, 0x7fffffff * int(one))", AT_SAMPLE, 99, 0, 0 },
   { "interpolateAtSample(smooth_in, gl_SampleID)", AT_OWN, 0, 0, 0 },
   { "sample_in", AT_OWN, 0, 0, 0 },
   { "floor(gl_FragCoord.xy) + gl_SamplePosition", AT_OWN, 0, 0, 0 },
};

enum { EXPRESSIONS = sizeof(expressions) / sizeof(*expressions) };

static unsigned
program_of(const char *expression)
{
   char source[2048];

   snprintf(source, sizeof(source),
            "#version 400\n"
            "in vec2 smooth_in; centroid in vec2 centroid_in; sample in vec2 sample_in;\n"
            "noperspective in vec2 linear_in;\n"
            "uniform float one; out vec4 colour;\n"
            "void main() { colour = vec4(%s, 0.0, 1.0); }\n",
            expression);
   return offscreen_program(vertex_source, source);
}

/* A texture of as many samples as there are (0: without), as the target. */
static unsigned
target_of(int samples, unsigned *texture)
{
   const GLenum kind = samples ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
   unsigned framebuffer;

   glGenTextures(1, texture);
   glBindTexture(kind, *texture);
   if (samples)
      glTexImage2DMultisample(kind, samples, GL_RGBA32F, SIDE, SIDE, GL_TRUE);
   else
      glTexImage2D(kind, 0, GL_RGBA32F, SIDE, SIDE, 0, GL_RGBA, GL_FLOAT, NULL);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kind, *texture, 0);
   glViewport(0, 0, SIDE, SIDE);
   return framebuffer;
}

/* All samples of all pixels, by a program that draws one of them after the other. */
static void
read_samples(unsigned texture, int sample, float pixels[SIDE][SIDE][4])
{
   static unsigned program;
   unsigned plain, framebuffer;

   if (!program)
      program = offscreen_program(
         "#version 400\n"
         "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0,\n"
         "                                 0.0, 1.0); }\n",
         "#version 400\n"
         "uniform sampler2DMS image; uniform int number; out vec4 colour;\n"
         "void main() { colour = texelFetch(image, ivec2(gl_FragCoord.xy), number); }\n");
   framebuffer = target_of(0, &plain);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
   glUseProgram(program);
   glUniform1i(glGetUniformLocation(program, "number"), sample);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, pixels);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteTextures(1, &plain);
}

static void
check(const struct expression *e, int samples)
{
   float pixels[SIDE][SIDE][4], places[16][2];
   unsigned texture, framebuffer = target_of(samples, &texture), program = program_of(e->text);
   bool good = true;

   /* Then all of a pixel's samples are evaluated, or may be. */
   const bool each = e->where == AT_OWN;
   for (int s = 0; s < samples; s++)
      glGetMultisamplefv(GL_SAMPLE_POSITION, (unsigned)s, places[s]);
   glUseProgram(program);
   glUniform1f(glGetUniformLocation(program, "one"), 1.0f);
   glUniform1f(glGetUniformLocation(program, "side"), (float)SIDE);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   if (e->where == AT_SAMPLE && samples && e->number >= samples)
      goto end; /* whatever it is */
   for (int s = 0; s < (samples ? samples : 1); s++) {
      if (samples)
         read_samples(texture, s, pixels);
      else
         glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, pixels);
      for (int y = 0; y < SIDE; y++) {
         for (int x = 0; x < SIDE; x++) {
            float at[2] = { 0.5f + e->x, 0.5f + e->y };
            if (samples && (each || e->where == AT_SAMPLE))
               memcpy(at, places[each ? s : e->number], sizeof(at));
            const float dx = pixels[y][x][0] - (float)x - at[0];
            const float dy = pixels[y][x][1] - (float)y - at[1];
            const float most = e->where == AT_ANY && samples ? 0.5f : 0.002f;
            if (good && !(fabsf(dx) < most && fabsf(dy) < most)) {
               fprintf(stderr, "%s, %d samples: in sample %d of (%d, %d) %g %g and not %g %g\n",
                       e->text, samples, s, x, y, (double)(pixels[y][x][0] - (float)x),
                       (double)(pixels[y][x][1] - (float)y), (double)at[0], (double)at[1]);
               good = false;
            }
         }
      }
   }
   cases++;
   failed += !good;
end:
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteTextures(1, &texture);
}

int
main(void)
{
   int most = 0;

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   if (offscreen_version() < 40) {
      fprintf(stderr, "OpenGL 4.0 is needed, and there is %s\n", glGetString(GL_VERSION));
      return TOO_LITTLE;
   }
   glGetIntegerv(GL_MAX_SAMPLES, &most);
   for (int samples = 0; samples <= most; samples = samples ? 2 * samples : 2)
      for (unsigned i = 0; i < EXPRESSIONS; i++)
         check(&expressions[i], samples);
   if (glGetError() != GL_NO_ERROR) {
      fprintf(stderr, "an error\n");
      failed++;
   }
   offscreen_close();
   printf("%u\n", cases);
   return failed ? 1 : 0;
}
