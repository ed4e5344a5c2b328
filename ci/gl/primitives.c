/* SPDX-License-Identifier: MIT */
/*
 * What triangles, lines and points cover, and how deep they are, by OpenGL's rules.
 *
 *    gl-primitives [depth] [lines] [smooth-lines] [points] [rectangles]
 *
 * Without an argument all of them.  Exit code 0, and the number of cases, if all hold; otherwise
 * the first that does not is on stderr.  Cases that the context has no feature for are left out.
 */
#include "offscreen.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 96 };

static unsigned cases;
static uint8_t pixels[SIDE][SIDE][4], others[SIDE][SIDE][4];
static uint32_t seed;

__attribute__((format(printf, 1, 2), noreturn)) static void
fail(const char *format, ...)
{
   va_list args;

   va_start(args, format);
   vfprintf(stderr, format, args);
   va_end(args);
   fputc('\n', stderr);
   exit(1);
}

/* From 0 up to 1. */
static float
any(void)
{
   seed = seed * 1664525u + 1013904223u;
   return (float)(seed >> 8) / 16777216.0f;
}

/* A framebuffer; deleted with its buffers by the next one. */
static void
target(GLenum depth, int samples)
{
   static unsigned framebuffer, buffers[2];

   glDeleteFramebuffers(1, &framebuffer);
   glDeleteRenderbuffers(2, buffers);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(2, buffers);
   glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, SIDE, SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
   if (depth) {
      glBindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, depth, SIDE, SIDE);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
   }
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("a framebuffer is not complete");
   glViewport(0, 0, SIDE, SIDE);
   glClearColor(0, 0, 0, 0);
}

/* The target's colours; of a multisampled one the mean. */
static void
read_pixels(uint8_t out[SIDE][SIDE][4], int samples)
{
   unsigned from[2], plain = 0, buffer = 0;

   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, (int *)&from[0]);
   if (samples) {
      glGenFramebuffers(1, &plain);
      glGenRenderbuffers(1, &buffer);
      glBindRenderbuffer(GL_RENDERBUFFER, buffer);
      glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, plain);
      glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
      glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, plain);
   }
   glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, out);
   glBindFramebuffer(GL_FRAMEBUFFER, from[0]);
   glDeleteFramebuffers(1, &plain);
   glDeleteRenderbuffers(1, &buffer);
}

/* ---- Depth ---- */

struct vertex {
   float at[4];
};

static void
triangle(const struct vertex v[3])
{
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 3; i++)
      glVertex4fv(v[i].at);
   glEnd();
}

/* Pixels with a full channel. */
static unsigned
count_full(unsigned channel)
{
   unsigned count = 0;

   read_pixels(pixels, 0);
   for (unsigned i = 0; i < SIDE * SIDE; i++)
      count += pixels[i / SIDE][i % SIDE][channel] == 255;
   return count;
}

static void
set_vertex(struct vertex *v, float x, float y, float z, float w)
{
   *v = (struct vertex){ { x * w, y * w, z * w, w } };
}

static void
any_triangle(struct vertex v[3], float z)
{
   for (unsigned i = 0; i < 3; i++) {
      const float x = any() * 2 - 1, y = any() * 2 - 1;

      set_vertex(&v[i], x, y, z, 0.5f + 2 * any());
   }
}

/* A triangle of one depth, whatever its vertices' w, has that of a rectangle of w = 1 in all of its
 * pixels, and with an offset of the least difference in none. */
static void
check_flat(const char *what, const struct vertex v[3], float z)
{
   unsigned covered, equal, offset;

   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_ALWAYS);
   glDepthMask(GL_TRUE);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glColor4f(0, 0, 0, 1);
   glBegin(GL_TRIANGLE_STRIP);
   for (unsigned i = 0; i < 4; i++)
      glVertex3f(i & 1 ? 1.5f : -1.5f, i & 2 ? 1.5f : -1.5f, z);
   glEnd();
   glDepthMask(GL_FALSE);
   glColor4f(1, 0, 0, 1);
   triangle(v);
   glDepthFunc(GL_EQUAL);
   glColor4f(1, 1, 0, 1);
   triangle(v);
   glEnable(GL_POLYGON_OFFSET_FILL);
   glPolygonOffset(0, 1);
   glColor4f(1, 1, 1, 1);
   triangle(v);
   glDisable(GL_POLYGON_OFFSET_FILL);
   glDisable(GL_DEPTH_TEST);
   glDepthMask(GL_TRUE);
   covered = count_full(0);
   equal = count_full(1);
   offset = count_full(2);
   if (equal != covered || offset)
      fail("%s, depth %g: of %u pixels %u have it, and %u with an offset", what, (double)z, covered,
           equal, offset);
   cases++;
}

/* No pixel of a triangle has the same depth once it is offset by the least difference. */
static void
check_distinct(const char *what, const struct vertex v[3], float units)
{
   unsigned same;

   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_ALWAYS);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glColor4f(1, 0, 0, 1);
   triangle(v);
   glDepthFunc(GL_EQUAL);
   glEnable(GL_POLYGON_OFFSET_FILL);
   glPolygonOffset(0, units);
   glColor4f(1, 1, 0, 1);
   triangle(v);
   glDisable(GL_POLYGON_OFFSET_FILL);
   glDisable(GL_DEPTH_TEST);
   same = count_full(1);
   if (same)
      fail("%s: %u of %u pixels have the depth that they have with an offset of %g", what, same,
           count_full(0), (double)units);
   cases++;
}

/* What a clip plane leaves of a triangle is as deep as it was. */
static void
check_cut(const char *what, const struct vertex v[3])
{
   const double plane[4] = { any() - 0.5, any() - 0.5, 0, 0.2 * (any() - 0.5) };
   unsigned left = 0, equal;

   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_ALWAYS);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glColor4f(1, 1, 1, 1);
   glColorMask(GL_FALSE, GL_FALSE, GL_TRUE, GL_FALSE);
   triangle(v);
   glClipPlane(GL_CLIP_PLANE0, plane);
   glEnable(GL_CLIP_PLANE0);
   glDepthMask(GL_FALSE);
   glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_FALSE);
   triangle(v);
   glDepthFunc(GL_EQUAL);
   glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_FALSE);
   triangle(v);
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   glDepthMask(GL_TRUE);
   glDisable(GL_CLIP_PLANE0);
   glDisable(GL_DEPTH_TEST);
   equal = count_full(1);
   /* A pixel at the cut may be of the part alone. */
   for (unsigned i = 0; i < SIDE * SIDE; i++) {
      const uint8_t *p = pixels[i / SIDE][i % SIDE];

      left += p[0] && p[2];
   }
   if (left != equal)
      fail("%s: %u of %u pixels are as deep as without a clip plane", what, equal, left);
   cases++;
}

static void
depth_cases(void)
{
   static const struct {
      GLenum format;
      const char *name;
   } formats[] = {
      { GL_DEPTH_COMPONENT16, "16 bits" },
      { GL_DEPTH_COMPONENT24, "24 bits" },
      { GL_DEPTH_COMPONENT32F, "32 bits of float" },
   };
   /* From a report. */
   static const float xy[3][2] = { { 0.688f, -0.216f }, { -0.981f, -0.719f }, { 0.938f, 0.922f } };
   static const float w[3] = { 1.378f, 1.806f, 1.313f };
   /* Of these the product with w is exact. */
   static const float flat[] = { 0, 0.5f, 0.25f, 0.125f, 0.03125f };
   const bool zero_to_one = offscreen_version() >= 45, floats = offscreen_version() >= 30;
   struct vertex v[3];

   for (unsigned f = 0; f < (floats ? 3 : 2); f++) {
      target(formats[f].format, 0);
      seed = 1;
      for (unsigned range = 0; range < (zero_to_one ? 2 : 1); range++) {
         if (zero_to_one)
            glClipControl(GL_LOWER_LEFT, range ? GL_ZERO_TO_ONE : GL_NEGATIVE_ONE_TO_ONE);
         for (unsigned i = 0; i < sizeof(flat) / sizeof(*flat); i++) {
            /* A float of 0 has no exponent that a difference could be told by. */
            if (range && f == 2 && flat[i] == 0)
               continue;
            for (unsigned k = 0; k < 3; k++)
               set_vertex(&v[k], xy[k][0], xy[k][1], flat[i], w[k]);
            check_flat(formats[f].name, v, flat[i]);
            for (unsigned n = 0; n < 12; n++) {
               any_triangle(v, flat[i]);
               check_flat(formats[f].name, v, flat[i]);
            }
         }
      }
      if (zero_to_one)
         glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
      for (unsigned n = 0; n < 40; n++) {
         any_triangle(v, 0);
         for (unsigned k = 0; k < 3; k++)
            v[k].at[2] = (any() * 1.8f - 0.9f) * v[k].at[3];
         check_distinct(formats[f].name, v, n % 2 ? 1 : -1);
         check_cut(formats[f].name, v);
      }
   }
}

/* ---- Lines ---- */

enum line_kind { ALIASED, SMOOTH, SAMPLED };

static const char *const line_kinds[] = { "aliased", "smooth", "multisampled" };

static void
line(double x0, double y0, double x1, double y1)
{
   glBegin(GL_LINES);
   glVertex2d(x0 / SIDE * 2 - 1, y0 / SIDE * 2 - 1);
   glVertex2d(x1 / SIDE * 2 - 1, y1 / SIDE * 2 - 1);
   glEnd();
}

static void
begin_lines(enum line_kind kind, float width)
{
   glLineWidth(width);
   if (kind == SMOOTH) {
      glEnable(GL_LINE_SMOOTH);
      glEnable(GL_BLEND);
      glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   }
   glColor4f(1, 1, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
}

static void
end_lines(uint8_t out[SIDE][SIDE][4], enum line_kind kind)
{
   glDisable(GL_LINE_SMOOTH);
   glDisable(GL_BLEND);
   read_pixels(out, kind == SAMPLED ? 4 : 0);
}

/* Sum of a picture in whole pixels, and of the differences from the other. */
static double
sum(void)
{
   double total = 0;

   for (unsigned i = 0; i < SIDE * SIDE; i++)
      total += pixels[i / SIDE][i % SIDE][0] / 255.0;
   return total;
}

static double
difference(void)
{
   double total = 0;

   for (unsigned i = 0; i < SIDE * SIDE; i++)
      total += abs(pixels[i / SIDE][i % SIDE][0] - others[i / SIDE][i % SIDE][0]) / 255.0;
   return total;
}

/* A line with ends `far` pixels away on both sides, or on one, is what a line between the same
 * directions is that ends near the target. */
static void
check_far(enum line_kind kind, float width, double angle, double far, bool both)
{
   const double c = cos(angle), s = sin(angle), x = SIDE * 0.47, y = SIDE * 0.54, near = 300;
   const double first = both ? 1 : 0.2 * SIDE;

   begin_lines(kind, width);
   line(x - c * (both ? near : first), y - s * (both ? near : first), x + c * near, y + s * near);
   end_lines(others, kind);
   begin_lines(kind, width);
   line(x - c * (both ? far : first), y - s * (both ? far : first), x + c * far, y + s * far);
   end_lines(pixels, kind);
   /* Ends are floats: the line may be a little beside. */
   const double off = difference(), all = sum(), allowed = 4 + far * 0x1p-23 * SIDE;
   if (all < SIDE / 2 * (double)width / 2 || off > allowed)
      fail("%s line, width %g, angle %g, %s %g pixels away: covers %g pixels, %g other than near",
           line_kinds[kind], (double)width, angle, both ? "ends" : "one end", far, all, off);
   cases++;
}

/* A line along an edge of the target, of which one half of the width is outside. */
static void
check_edge(enum line_kind kind, float width, unsigned edge)
{
   const double in = 0.5, out = SIDE - 0.5, a = -20, b = SIDE + 20;
   const double expected = ((double)width + 1) / 2 * SIDE;

   begin_lines(kind, width);
   switch (edge) {
   case 0:
      line(a, in, b, in);
      break;
   case 1:
      line(a, out, b, out);
      break;
   case 2:
      line(in, a, in, b);
      break;
   default:
      line(out, b, out, a);
      break;
   }
   end_lines(pixels, kind);
   if (fabs(sum() - expected) > 0.06 * expected)
      fail("%s line, width %g, along edge %u: covers %g pixels and not %g", line_kinds[kind],
           (double)width, edge, sum(), expected);
   cases++;
}

/* The pattern of a line goes on where it is cut: the pixels that it shows are those of a line that
 * begins a whole number of patterns later. */
static void
check_stipple(double away, int factor, unsigned direction, bool strip)
{
   const double period = 16.0 * factor, y = 40.5, begin = -5.25;
   const double start = begin - period * floor(away / period), end = SIDE + 400.5;

   for (unsigned i = 0; i < 2; i++) {
      const double p[3] = { i ? start : begin, strip && i ? begin : end, end };

      begin_lines(ALIASED, 1);
      glEnable(GL_LINE_STIPPLE);
      glLineStipple(factor, 0x1c2f);
      glBegin(GL_LINE_STRIP);
      for (unsigned k = 0; k < (strip && i ? 3 : 2); k++) {
         const double at = (direction & 1 ? SIDE - p[k] : p[k]) / SIDE * 2 - 1;
         const double across = y / SIDE * 2 - 1;

         glVertex2d(direction & 2 ? across : at, direction & 2 ? at : across);
      }
      glEnd();
      glDisable(GL_LINE_STIPPLE);
      end_lines(i ? pixels : others, ALIASED);
   }
   /* A line that is cut may be a little beside along itself. */
   if (sum() < SIDE / 4 || difference() > 2 + away * 0x1p-22 * SIDE)
      fail("stippled %s from %g pixels away, factor %d, direction %u: %g pixels, %g others",
           strip ? "strip" : "line", away, factor, direction, sum(), difference());
   cases++;
}

static const double away[] = { 9000, 30000, 1e5, 3e6, 1e8 };

static void
lines_of(enum line_kind kind)
{
   static const float widths[] = { 1, 2.5f, 7, 40 };

   target(0, kind == SAMPLED ? 4 : 0);
   for (unsigned n = 0; n < sizeof(widths) / sizeof(*widths); n++) {
      const float width = kind == ALIASED ? roundf(widths[n]) : widths[n];

      for (unsigned a = 0; a < 16; a++)
         for (unsigned k = 0; k < sizeof(away) / sizeof(*away); k++)
            check_far(kind, width, 0.05 + a * 0.39, away[k], (a + k) & 1);
      for (unsigned edge = 0; edge < 4 && (kind != ALIASED || (int)width & 1); edge++)
         check_edge(kind, width, edge);
   }
}

static void
smooth_line_cases(void)
{
   lines_of(SMOOTH);
}

static void
line_cases(void)
{
   int samples = 0;

   if (offscreen_version() >= 30)
      glGetIntegerv(GL_MAX_SAMPLES, &samples);
   lines_of(ALIASED);
   if (samples >= 4)
      lines_of(SAMPLED);
   target(0, 0);
   for (unsigned direction = 0; direction < 4; direction++)
      for (unsigned k = 0; k < 4; k++)
         for (unsigned strip = 0; strip < 2; strip++)
            check_stipple(k ? away[k - 1] : 700, 1 + (int)direction, direction, strip);
}

/* ---- Points ---- */

enum point_kind {
   PLAIN,  /* neither sprite nor smooth */
   SPRITE, /* a sprite */
   ROUND,  /* smooth */
   POINT_KINDS
};

static const char *const point_kinds[] = { "plain", "sprite", "smooth" };

enum size_from { FROM_STATE, FROM_ATTENUATION, FROM_PROGRAM, SIZES_FROM };

static const char *const sizes_from[] = { "glPointSize()", "attenuation", "a program" };

static unsigned
point_program(void)
{
   static unsigned program;

   if (!program)
      program = offscreen_program("uniform float size;\n"
                                  "void main() {\n"
                                  "   gl_Position = gl_Vertex;\n"
                                  "   gl_FrontColor = gl_Color;\n"
                                  "   gl_PointSize = size;\n"
                                  "}\n",
                                  "void main() { gl_FragColor = gl_Color; }\n");
   return program;
}

/* Draws a white point of the size at (x, y), of pixels. */
static void
point(enum point_kind kind, enum size_from from, float size, double x, double y)
{
   static const float one[3] = { 1, 0, 0 };
   const float attenuation[3] = { 0.25f, 0, 0 };

   if (kind == ROUND) {
      glEnable(GL_POINT_SMOOTH);
      glEnable(GL_BLEND);
      glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   }
   if (kind == SPRITE)
      glEnable(GL_POINT_SPRITE);
   glPointSize(from == FROM_STATE ? size : from == FROM_ATTENUATION ? size / 2 : 5);
   if (from == FROM_ATTENUATION)
      glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, attenuation);
   if (from == FROM_PROGRAM) {
      glUseProgram(point_program());
      glUniform1f(glGetUniformLocation(point_program(), "size"), size);
      glEnable(GL_VERTEX_PROGRAM_POINT_SIZE);
   }
   glClear(GL_COLOR_BUFFER_BIT);
   glColor4f(1, 1, 1, 1);
   glBegin(GL_POINTS);
   glVertex2d(x / SIDE * 2 - 1, y / SIDE * 2 - 1);
   glEnd();
   glUseProgram(0);
   glDisable(GL_VERTEX_PROGRAM_POINT_SIZE);
   glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, one);
   glDisable(GL_POINT_SMOOTH);
   glDisable(GL_POINT_SPRITE);
   glDisable(GL_BLEND);
}

/* Whether pixel `at` is within a point of the size at `centre`, along one axis: 1, 0, or -1 where
 * OpenGL leaves it open. */
static int
within(enum point_kind kind, float size, double centre, int at)
{
   if (kind == PLAIN) {
      const int width = (int)fmaxf(1, floorf(size + 0.5f));
      const int first = (int)floor(width % 2 ? centre : centre + 0.5) - width / 2;

      return at >= first && at < first + width;
   }
   const double beside = fabs(at + 0.5 - centre) - fmaxf(size, 1) / 2;

   return fabs(beside) < 1.0 / 8 ? -1 : beside < 0;
}

static void
check_square(enum point_kind kind, enum size_from from, float size, double x, double y)
{
   point(kind, from, size, x, y);
   read_pixels(pixels, 0);
   for (int py = 0; py < SIDE; py++)
      for (int px = 0; px < SIDE; px++) {
         const int in_x = within(kind, size, x, px), in_y = within(kind, size, y, py);
         const int want = in_x == 0 || in_y == 0 ? 0 : in_x < 0 || in_y < 0 ? -1 : 1;

         if (want >= 0 && pixels[py][px][0] != 255 * want)
            fail("%s point of size %g from %s at (%g, %g): pixel (%d, %d) is %s", point_kinds[kind],
                 (double)size, sizes_from[from], x, y, px, py, want ? "missing" : "covered");
      }
   cases++;
}

/* The area of the circle around `centre` that is in a pixel. */
static double
circle_in(double radius, double x, double y, int px, int py)
{
   enum { PARTS = 32 };
   unsigned count = 0;

   if (fabs(px + 0.5 - x) > radius + 1 || fabs(py + 0.5 - y) > radius + 1)
      return 0;
   for (unsigned i = 0; i < PARTS * PARTS; i++) {
      const double dx = px + (i % PARTS + 0.5) / PARTS - x, dy = py + (i / PARTS + 0.5) / PARTS - y;

      count += dx * dx + dy * dy < radius * radius;
   }
   return count / (double)(PARTS * PARTS);
}

/* Alpha is the area of the circle in each pixel. */
static void
check_circle(enum size_from from, float size, double x, double y)
{
   const double radius = fmaxf(size, 1) / 2;

   point(ROUND, from, size, x, y);
   read_pixels(pixels, 0);
   for (int py = 0; py < SIDE; py++)
      for (int px = 0; px < SIDE; px++) {
         const double want = circle_in(radius, x, y, px, py);

         /* The sixteenth of a pixel that a sample may be from its edge, and the sizes there are. */
         if (fabs(pixels[py][px][0] / 255.0 - want) > 0.08)
            fail("smooth point of size %g from %s at (%g, %g): pixel (%d, %d) has %g and not %g",
                 (double)size, sizes_from[from], x, y, px, py, pixels[py][px][0] / 255.0, want);
      }
   const bool inside = x > radius && y > radius && x < SIDE - radius && y < SIDE - radius;
   if (inside && fabs(sum() - radius * radius * acos(-1)) > 0.05 * radius * radius + 0.05)
      fail("smooth point of size %g: area %g", (double)size, sum());
   cases++;
}

/* Samples of a multisampled point: its area, at least 1. */
static void
check_samples(enum point_kind kind, enum size_from from, float size, double x, double y)
{
   const double side = fmaxf(size, 1), most = (side + 0.5) * (side + 0.5);
   const double least = (side - 0.5) * (side - 0.5);

   point(kind, from, size, x, y);
   read_pixels(pixels, 4);
   if (sum() < least || sum() > most)
      fail("multisampled %s point of size %g from %s: %g pixels", point_kinds[kind], (double)size,
           sizes_from[from], sum());
   cases++;
}

static void
point_cases(void)
{
   static const float sizes[] = { 0.01f, 0.3f, 0.5f,   1,    1.25f, 1.75f, 2,
                                  2.25f, 3,    3.625f, 4.9f, 8,     9.25f, 31 };
   static const double at[][2] = { { 40, 40 },     { 40.5, 40.5 },   { 41.25, 39.75 },
                                   { 2.5, 50.25 }, { 93.75, 94.25 }, { 30.9, 60.1 } };
   int samples = 0;

   if (offscreen_version() >= 30)
      glGetIntegerv(GL_MAX_SAMPLES, &samples);
   target(0, 0);
   for (unsigned s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
      for (unsigned k = 0; k < sizeof(at) / sizeof(*at); k++)
         for (unsigned from = 0; from < SIZES_FROM; from++) {
            check_square(PLAIN, from, sizes[s], at[k][0], at[k][1]);
            check_square(SPRITE, from, sizes[s], at[k][0], at[k][1]);
            check_circle(from, sizes[s], at[k][0], at[k][1]);
         }
   /* Half of it is outside the target. */
   for (unsigned from = 0; from < SIZES_FROM; from++)
      for (unsigned k = 0; k < 4; k++)
         check_square(PLAIN, from, 61, k & 1 ? SIDE - 0.5 : 0.5, k & 2 ? SIDE - 0.5 : 0.5);
   /* Nor is one dropped for a middle outside, as it is by the letter of OpenGL. */
   for (unsigned from = 0; from < SIZES_FROM; from++)
      for (unsigned k = 0; k < 4; k++)
         check_square(SPRITE, from, 200, k & 1 ? SIDE + 80 : -80, k & 2 ? SIDE + 70.5 : -70.5);
   /* The limits that a program sets. */
   glPointParameterf(GL_POINT_SIZE_MIN, 4);
   glPointParameterf(GL_POINT_SIZE_MAX, 7);
   for (unsigned from = 0; from < FROM_PROGRAM; from++) {
      point(PLAIN, from, 2, 40.5, 40.5);
      read_pixels(pixels, 0);
      if (sum() != 16)
         fail("GL_POINT_SIZE_MIN 4, from %s: %g pixels", sizes_from[from], sum());
      point(PLAIN, from, 20, 40.5, 40.5);
      read_pixels(pixels, 0);
      if (sum() != 49)
         fail("GL_POINT_SIZE_MAX 7, from %s: %g pixels", sizes_from[from], sum());
      cases += 2;
   }
   glPointParameterf(GL_POINT_SIZE_MIN, 0);
   glPointParameterf(GL_POINT_SIZE_MAX, 1024);
   if (samples < 4)
      return;
   target(0, 4);
   for (unsigned s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
      for (unsigned from = 0; from < SIZES_FROM; from++)
         for (unsigned kind = 0; kind < POINT_KINDS; kind++)
            check_samples(kind, from, sizes[s], 40.25, 40.75);
}

/* ---- Rectangles ---- */

/* A copy that is stretched far beyond the target fills it. */
static void
rectangle_cases(void)
{
   static const int away[] = { 100, 5000, 9000, 20000, 25000, 32000 };
   unsigned source, to;

   if (offscreen_version() < 30)
      return;
   source = offscreen_target(SIDE, SIDE);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   target(0, 0);
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, (int *)&to);
   for (unsigned i = 0; i < sizeof(away) / sizeof(*away); i++) {
      const int d = away[i];

      glClear(GL_COLOR_BUFFER_BIT);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
      glBlitFramebuffer(0, 0, SIDE, SIDE, -d, -d, d, d, GL_COLOR_BUFFER_BIT, GL_LINEAR);
      glBindFramebuffer(GL_FRAMEBUFFER, to);
      if (count_full(0) != SIDE * SIDE)
         fail("a copy from -%d to %d fills %u pixels", d, d, count_full(0));
      cases++;
   }
   glDeleteFramebuffers(1, &source);
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*run)(void);
   } groups[] = {
      { "depth", depth_cases },
      { "lines", line_cases },
      { "smooth-lines", smooth_line_cases },
      { "points", point_cases },
      { "rectangles", rectangle_cases },
   };

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   for (unsigned i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
      bool asked = argc == 1;

      for (int k = 1; k < argc; k++)
         asked |= !strcmp(argv[k], groups[i].name);
      if (asked)
         groups[i].run();
   }
   if (glGetError() != GL_NO_ERROR)
      fail("an error");
   offscreen_close();
   printf("%u\n", cases);
   return 0;
}
