/* SPDX-License-Identifier: MIT */
/*
 * Draws one small scene off screen and writes it as a PNG: gl-scene NAME FILE.  `gl-scene --list`
 * prints the names, and `gl-scene --list 21` of those that OpenGL 2.1 can draw.  Each scene
 * exercises one part of the pipeline, so that a picture that differs between two drivers says where
 * to look.  GL_RENDERER goes to stderr before anything is drawn, and a GL error fails the run.  The
 * exit code is 77 where the driver offers too little OpenGL.
 */
#include "offscreen.h"
#include "scene.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = SCENE_WIDTH, HEIGHT = SCENE_HEIGHT, TOO_LITTLE = 77 };

#define PI 3.14159265f

static void
perspective(void)
{
   glMatrixMode(GL_PROJECTION);
   glLoadIdentity();
   glFrustum(-1.0, 1.0, -0.75, 0.75, 1.5, 60.0);
   glMatrixMode(GL_MODELVIEW);
   glLoadIdentity();
}

static void
quad(float x0, float y0, float x1, float y1, float z)
{
   glBegin(GL_QUADS);
   glTexCoord2f(0, 0);
   glVertex3f(x0, y0, z);
   glTexCoord2f(1, 0);
   glVertex3f(x1, y0, z);
   glTexCoord2f(1, 1);
   glVertex3f(x1, y1, z);
   glTexCoord2f(0, 1);
   glVertex3f(x0, y1, z);
   glEnd();
}

/* Interpolated colour, nothing else. */
static void
scene_triangle(void)
{
   glBegin(GL_TRIANGLES);
   glColor3f(1, 0, 0);
   glVertex2f(-0.8f, -0.7f);
   glColor3f(0, 1, 0);
   glVertex2f(0.9f, -0.4f);
   glColor3f(0, 0, 1);
   glVertex2f(-0.1f, 0.8f);
   glEnd();
}

/* Fixed-function lighting, depth test, culling, matrices: a torus from a display list. */
static void
scene_torus(void)
{
   static const float light[] = { 3, 4, 5, 0 }, red[] = { 0.8f, 0.2f, 0.1f, 1 };
   static const float white[] = { 1, 1, 1, 1 };
   unsigned list = glGenLists(1);

   perspective();
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_CULL_FACE);
   glEnable(GL_LIGHTING);
   glEnable(GL_LIGHT0);
   glLightfv(GL_LIGHT0, GL_POSITION, light);
   glMaterialfv(GL_FRONT, GL_AMBIENT_AND_DIFFUSE, red);
   glMaterialfv(GL_FRONT, GL_SPECULAR, white);
   glMaterialf(GL_FRONT, GL_SHININESS, 40);
   glNewList(list, GL_COMPILE);
   for (int i = 0; i < 32; i++) {
      glBegin(GL_QUAD_STRIP);
      for (int j = 0; j <= 24; j++) {
         for (int k = 1; k >= 0; k--) {
            float u = (float)(i + k) * 2 * PI / 32, v = (float)j * 2 * PI / 24;
            float r = 2 + 0.8f * cosf(v);

            glNormal3f(cosf(u) * cosf(v), sinf(u) * cosf(v), sinf(v));
            glVertex3f(r * cosf(u), r * sinf(u), 0.8f * sinf(v));
         }
      }
      glEnd();
   }
   glEndList();
   for (int i = 0; i < 2; i++) {
      glLoadIdentity();
      glTranslatef(i ? 1.2f : -0.8f, 0, -7);
      glRotatef(i ? 100.0f : 40.0f, 1, 0.3f, 0);
      glCallList(list);
   }
}

/* A mipmapped floor to the horizon: bilinear to the left, trilinear to the right. */
static void
scene_mipmaps(void)
{
   static uint8_t texels[128][128][4];
   unsigned texture;

   for (int y = 0; y < 128; y++)
      for (int x = 0; x < 128; x++) {
         uint8_t *t = texels[y][x];

         t[0] = (x / 8 + y / 8) & 1 ? 255 : 40;
         t[1] = (uint8_t)(x * 2);
         t[2] = (uint8_t)(y * 2);
         t[3] = 255;
      }
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 128, 128, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenerateMipmap(GL_TEXTURE_2D);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
   glEnable(GL_TEXTURE_2D);
   perspective();
   glRotatef(80, -1, 0, 0);
   for (int side = 0; side < 2; side++) {
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                      side ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_NEAREST);
      glMatrixMode(GL_TEXTURE);
      glLoadIdentity();
      glScalef(8, 16, 1);
      glMatrixMode(GL_MODELVIEW);
      quad(side ? 0 : -20, 0, side ? 20 : 0, 50, -2);
   }
}

/* Blending, stencil, scissor and logic op. */
static void
scene_blend(void)
{
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_ALWAYS, 1, 0xff);
   glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
   glColor3f(0.2f, 0.3f, 0.4f);
   quad(-0.6f, -0.6f, 0.6f, 0.6f, 0);
   glStencilFunc(GL_EQUAL, 1, 0xff);
   glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   for (int i = 0; i < 6; i++) {
      glColor4f(i & 1 ? 1 : 0, i & 2 ? 1 : 0, i & 4 ? 1 : 0.5f, 0.4f);
      quad(-1 + 0.25f * (float)i, -0.8f, -0.3f + 0.25f * (float)i, 0.5f, 0);
   }
   glBlendFunc(GL_ONE, GL_ONE);
   glBlendEquation(GL_FUNC_REVERSE_SUBTRACT);
   glColor4f(0.3f, 0.1f, 0.2f, 1);
   quad(-0.5f, -0.2f, 0.5f, 0, 0);
   glDisable(GL_BLEND);
   glDisable(GL_STENCIL_TEST);
   glEnable(GL_SCISSOR_TEST);
   glScissor(200, 20, 90, 60);
   glEnable(GL_COLOR_LOGIC_OP);
   glLogicOp(GL_XOR);
   glColor3f(1, 1, 0);
   quad(-1, -1, 1, 1, 0);
}

/* A fragment shader with a loop that pixels leave at different times. */
static void
scene_loop(void)
{
   unsigned program = offscreen_program(
      "#version 130\n"
      "in vec2 position; out vec2 at;\n"
      "void main() { at = position * vec2(1.4, 1.1) - vec2(0.6, 0.0);\n"
      "              gl_Position = vec4(position, 0.0, 1.0); }\n",
      "#version 130\n"
      "in vec2 at; out vec4 colour; uniform int most;\n"
      "void main() {\n"
      "   vec2 z = at; int i;\n"
      "   for (i = 0; i < most; i++) {\n"
      "      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + at;\n"
      "      if (dot(z, z) > 4.0) break;\n"
      "   }\n"
      "   float t = float(i) / float(most);\n"
      "   colour = i == most ? vec4(0.0, 0.0, 0.0, 1.0)\n"
      "                      : vec4(sqrt(t), t, 0.5 + 0.5 * sin(20.0 * t), 1.0);\n"
      "}\n");

   glUseProgram(program);
   glUniform1i(glGetUniformLocation(program, "most"), 60);
   glBegin(GL_TRIANGLE_STRIP);
   for (int i = 0; i < 4; i++)
      glVertexAttrib2f(0, i & 1 ? 1 : -1, i & 2 ? 1 : -1);
   glEnd();
}

/* Points, wide lines, line stipple, polygon modes. */
static void
scene_lines(void)
{
   for (int i = 1; i <= 6; i++) {
      glLineWidth((float)i);
      glColor3f(1, (float)i / 6, 0);
      glBegin(GL_LINES);
      glVertex2f(-0.9f, 0.1f * (float)i);
      glVertex2f(-0.2f, 0.15f * (float)i - 0.4f);
      glEnd();
      glPointSize((float)i * 2);
      glBegin(GL_POINTS);
      glVertex2f(-0.9f + 0.12f * (float)i, -0.8f);
      glEnd();
   }
   glLineWidth(2);
   glEnable(GL_LINE_STIPPLE);
   glLineStipple(3, 0x5c3f);
   glBegin(GL_LINE_LOOP);
   glVertex2f(0, 0.2f);
   glVertex2f(0.9f, 0.3f);
   glVertex2f(0.6f, 0.9f);
   glEnd();
   glDisable(GL_LINE_STIPPLE);
   glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
   quad(0.1f, -0.9f, 0.5f, -0.1f, 0);
}

/* Polygon stipple, which stock r600 ignores. */
static void
scene_stipple(void)
{
   static uint8_t stipple[128];

   for (int i = 0; i < 128; i++)
      stipple[i] = (i / 4) & 4 ? 0xcc : 0x33;
   glEnable(GL_POLYGON_STIPPLE);
   glPolygonStipple(stipple);
   quad(-0.8f, -0.9f, 0.7f, 0.6f, 0);
}

/* Smooth lines of several widths in all directions, and smooth polygons. */
static void
scene_smooth(void)
{
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   glEnable(GL_LINE_SMOOTH);
   for (int i = 0; i < 48; i++) {
      float a = (float)i * 2 * PI / 48, c = cosf(a), s = sinf(a);

      glLineWidth(1 + (float)(i % 4) * 0.75f);
      glColor3f(1, 0.3f + (float)i / 70, i & 1 ? 1 : 0.2f);
      glBegin(GL_LINES);
      glVertex2f(-0.25f + 0.2f * c, 0.25f * s);
      glVertex2f(-0.25f + 0.7f * c, 0.9f * s);
      glEnd();
   }
   glEnable(GL_POLYGON_SMOOTH);
   glBegin(GL_TRIANGLES);
   for (int i = 0; i < 3; i++) {
      float a = 0.3f + (float)i * 2 * PI / 3;

      glColor3f(i == 0, i == 1, i == 2);
      glVertex2f(0.72f + 0.25f * cosf(a), 0.5f * sinf(a));
   }
   glEnd();
}

/* Rendering to two textures at once, one of them float, and reading both. */
static void
scene_targets(void)
{
   static const GLenum both[] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
   static const char *vertex = "#version 130\n"
                               "in vec2 position; out vec2 at;\n"
                               "void main() { at = position * 0.5 + 0.5;\n"
                               "              gl_Position = vec4(position, 0.0, 1.0); }\n";
   unsigned textures[2], framebuffer;
   int screen;
   unsigned write =
      offscreen_program(vertex, "#version 130\n"
                                "in vec2 at; out vec4 first; out vec4 second;\n"
                                "void main() { first = vec4(at, 0.5, 1.0);\n"
                                "   second = vec4(4.0 * sin(at.xyx * 9.0), -1.0); }\n");
   unsigned read =
      offscreen_program(vertex, "#version 130\n"
                                "in vec2 at; out vec4 colour;\n"
                                "uniform sampler2D a, b;\n"
                                "void main() { vec4 s = texture(b, at * 1.5);\n"
                                "   colour = texture(a, at.yx) * 0.5 + s * s / 32.0; }\n");

   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
   glGenTextures(2, textures);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   for (int i = 0; i < 2; i++) {
      glBindTexture(GL_TEXTURE_2D, textures[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, i ? GL_RGBA16F : GL_RGBA8, 64, 64, 0, GL_RGBA, GL_FLOAT, NULL);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, i ? GL_MIRRORED_REPEAT : GL_CLAMP_TO_EDGE);
      glFramebufferTexture2D(GL_FRAMEBUFFER, both[i], GL_TEXTURE_2D, textures[i], 0);
   }
   glDrawBuffers(2, both);
   glViewport(0, 0, 64, 64);
   glUseProgram(write);
   glRectf(-1, -1, 1, 1);
   glBindFramebuffer(GL_FRAMEBUFFER, (unsigned)screen);
   glViewport(0, 0, WIDTH, HEIGHT);
   glUseProgram(read);
   glUniform1i(glGetUniformLocation(read, "b"), 1);
   for (int i = 0; i < 2; i++) {
      glActiveTexture(GL_TEXTURE0 + (unsigned)i);
      glBindTexture(GL_TEXTURE_2D, textures[i]);
   }
   glRectf(-0.9f, -0.9f, 0.9f, 0.9f);
}

/* A cube map seen in a sphere, and indexed drawing from buffers with a user clip plane. */
static void
scene_cube(void)
{
   enum { RINGS = 24, SIDES = 32 };
   static float vertices[(RINGS + 1) * (SIDES + 1)][3];
   static uint16_t indices[RINGS * SIDES * 6];
   static uint8_t face[32][32][4];
   static const double plane[] = { 0.3, 1, 0, 0.6 };
   unsigned texture, buffers[2], n = 0;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
   for (unsigned i = 0; i < 6; i++) {
      for (int y = 0; y < 32; y++)
         for (int x = 0; x < 32; x++) {
            face[y][x][0] = (uint8_t)(i & 1 ? 255 : x * 8);
            face[y][x][1] = (uint8_t)(i & 2 ? 255 : y * 8);
            face[y][x][2] = (uint8_t)(i & 4 ? 255 : (x ^ y) * 8);
            face[y][x][3] = 255;
         }
      glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, GL_RGBA8, 32, 32, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, face);
   }
   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glEnable(GL_TEXTURE_CUBE_MAP);
   for (int r = 0; r <= RINGS; r++)
      for (int s = 0; s <= SIDES; s++) {
         float *v = vertices[r * (SIDES + 1) + s];
         float a = (float)r * PI / RINGS, b = (float)s * 2 * PI / SIDES;

         v[0] = sinf(a) * cosf(b);
         v[1] = cosf(a);
         v[2] = sinf(a) * sinf(b);
      }
   for (int r = 0; r < RINGS; r++)
      for (int s = 0; s < SIDES; s++) {
         int at = r * (SIDES + 1) + s;
         const int corner[6] = {
            at, at + 1, at + SIDES + 1, at + 1, at + SIDES + 2, at + SIDES + 1
         };

         for (int i = 0; i < 6; i++)
            indices[n++] = (uint16_t)corner[i];
      }
   glGenBuffers(2, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
   glVertexPointer(3, GL_FLOAT, 0, NULL);
   glTexCoordPointer(3, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
   glEnableClientState(GL_TEXTURE_COORD_ARRAY);
   perspective();
   glEnable(GL_DEPTH_TEST);
   glTranslatef(0, 0, -2.6f);
   glRotatef(30, 1, 1, 0);
   glClipPlane(GL_CLIP_PLANE0, plane);
   glEnable(GL_CLIP_PLANE0);
   glDrawElements(GL_TRIANGLES, (int)n, GL_UNSIGNED_SHORT, NULL);
}

static const struct scene early_scenes[] = {
   { "triangle", 11, scene_triangle }, { "torus", 11, scene_torus },
   { "mipmaps", 30, scene_mipmaps },   { "blend", 14, scene_blend },
   { "loop", 30, scene_loop },         { "lines", 11, scene_lines },
   { "stipple", 11, scene_stipple },   { "smooth", 11, scene_smooth },
   { "targets", 30, scene_targets },   { "cube", 15, scene_cube },
};

enum { EARLY_SCENES = sizeof(early_scenes) / sizeof(*early_scenes) };

static const struct scene *
scene_at(unsigned i)
{
   if (i < EARLY_SCENES)
      return &early_scenes[i];
   return i - EARLY_SCENES < num_stage_scenes ? &stage_scenes[i - EARLY_SCENES] : NULL;
}

static int
draw(const struct scene *scene, const char *path)
{
   unsigned error;

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   if (offscreen_version() < scene->version) {
      fprintf(stderr, "%s needs OpenGL %d.%d, and there is %s\n", scene->name, scene->version / 10,
              scene->version % 10, glGetString(GL_VERSION));
      return TOO_LITTLE;
   }
   offscreen_target(WIDTH, HEIGHT);
   glClearColor(0.1f, 0.1f, 0.15f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   scene->draw();
   if (!offscreen_write_png(path, WIDTH, HEIGHT)) {
      fprintf(stderr, "cannot write %s\n", path);
      return 1;
   }
   error = glGetError();
   if (error) {
      fprintf(stderr, "GL error 0x%x\n", error);
      return 1;
   }
   offscreen_close();
   return 0;
}

int
main(int argc, char **argv)
{
   if ((argc == 2 || argc == 3) && !strcmp(argv[1], "--list")) {
      int most = argc == 3 ? atoi(argv[2]) : INT_MAX;

      for (unsigned i = 0; scene_at(i); i++)
         if (scene_at(i)->version <= most)
            puts(scene_at(i)->name);
      return 0;
   }
   if (argc != 3) {
      fprintf(stderr, "usage: gl-scene NAME FILE.png | gl-scene --list [VERSION]\n");
      return 2;
   }
   for (unsigned i = 0; scene_at(i); i++)
      if (!strcmp(argv[1], scene_at(i)->name))
         return draw(scene_at(i), argv[2]);
   fprintf(stderr, "there is no scene '%s'\n", argv[1]);
   return 2;
}
