/* SPDX-License-Identifier: MIT */
/*
 * Tasks of gl-habits that older programs have: fixed functions, immediate mode and display lists,
 * lighting and fog, stencils and accumulation, bitmaps and evaluators.
 */
#include "habits.h"

#include <math.h>
#include <stdlib.h>

static unsigned list, texture, target;
static float *arrays;
static uint8_t bitmap[64];

static void
sphere(int slices)
{
   for (int y = 0; y < slices; y++) {
      float a = (float)y * 3.1415927f / (float)slices,
            b = (float)(y + 1) * 3.1415927f / (float)slices;

      glBegin(GL_TRIANGLE_STRIP);
      for (int x = 0; x <= slices; x++) {
         float c = (float)x * 6.2831853f / (float)slices;

         glNormal3f(sinf(a) * cosf(c), sinf(a) * sinf(c), cosf(a));
         glTexCoord2f((float)x / (float)slices, (float)y / (float)slices);
         glVertex3f(sinf(a) * cosf(c), sinf(a) * sinf(c), cosf(a));
         glNormal3f(sinf(b) * cosf(c), sinf(b) * sinf(c), cosf(b));
         glTexCoord2f((float)x / (float)slices, (float)(y + 1) / (float)slices);
         glVertex3f(sinf(b) * cosf(c), sinf(b) * sinf(c), cosf(b));
      }
      glEnd();
   }
}

/* Lights of every kind: directions, points, spots. */
static void
light(int count, bool two_sides)
{
   for (int i = 0; i < count; i++) {
      const float position[4] = { sinf((float)i), cosf((float)i), 1, (float)(i & 1) };
      const float colour[4] = { 0.3f, 0.2f + (float)i * 0.03f, 0.4f, 1 };

      glLightfv(GL_LIGHT0 + (unsigned)i, GL_POSITION, position);
      glLightfv(GL_LIGHT0 + (unsigned)i, GL_DIFFUSE, colour);
      glLightfv(GL_LIGHT0 + (unsigned)i, GL_SPECULAR, colour);
      if (i % 4 == 3)
         glLightf(GL_LIGHT0 + (unsigned)i, GL_SPOT_CUTOFF, 60);
      glEnable(GL_LIGHT0 + (unsigned)i);
   }
   glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, two_sides);
   glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 20);
   glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, (const float[4]){ 0.5f, 0.5f, 0.5f, 1 });
   glEnable(GL_LIGHTING);
   glEnable(GL_NORMALIZE);
   glEnable(GL_DEPTH_TEST);
}

static void
start_immediate(void)
{
   light(1, false);
}

static void
draw_spheres(void (*draw)(void))
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glMatrixMode(GL_MODELVIEW);
   for (int i = 0; i < habit->count; i++) {
      glLoadIdentity();
      glTranslatef((float)(i % habit->size) * 2 / (float)habit->size - 0.9f,
                   (float)(i / habit->size) * 2 / (float)habit->size - 0.9f, 0);
      glRotatef((float)i * 30, 0, 1, 0);
      glScalef(0.9f / (float)habit->size, 0.9f / (float)habit->size, 0.3f);
      draw();
   }
}

static void
coarse_sphere(void)
{
   sphere(12);
}

static void
draw_immediate(void)
{
   draw_spheres(coarse_sphere);
}

static void
call_list(void)
{
   glCallList(list);
}

static void
start_list(void)
{
   start_immediate();
   list = glGenLists(1);
   glNewList(list, GL_COMPILE);
   sphere(24);
   glEndList();
}

static void
draw_lists(void)
{
   draw_spheres(call_list);
}

static void
start_many_lights(void)
{
   start_list();
   light(8, true);
}

static void
start_fog(void)
{
   start_list();
   glEnable(GL_FOG);
   glFogi(GL_FOG_MODE, GL_EXP2);
   glFogf(GL_FOG_DENSITY, 1.5f);
   glFogfv(GL_FOG_COLOR, (const float[4]){ 0.5f, 0.6f, 0.7f, 1 });
   glEnable(GL_ALPHA_TEST);
   glAlphaFunc(GL_GREATER, 0.3f);
   glEnable(GL_CLIP_PLANE0);
   glClipPlane(GL_CLIP_PLANE0, (const double[4]){ 1, 1, 0, 0.5 });
}

static void
start_generated(void)
{
   start_list();
   habit_texture(GL_TEXTURE_2D, 0, 64, 1);
   glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);
   glTexGeni(GL_T, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);
   glEnable(GL_TEXTURE_GEN_S);
   glEnable(GL_TEXTURE_GEN_T);
   glEnable(GL_TEXTURE_2D);
}

/* Two textures combined. */
static void
start_combined(void)
{
   for (unsigned i = 0; i < 2; i++) {
      habit_texture(GL_TEXTURE_2D, i, 128, 1);
      glActiveTexture(GL_TEXTURE0 + i);
      glEnable(GL_TEXTURE_2D);
      glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
      glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, i ? GL_INTERPOLATE : GL_ADD_SIGNED);
      glTexEnvi(GL_TEXTURE_ENV, GL_SRC2_RGB, GL_PRIMARY_COLOR);
   }
   glActiveTexture(GL_TEXTURE0);
}

static void
draw_combined(int i)
{
   glBegin(GL_QUADS);
   for (int k = 0; k < 4; k++) {
      float x = (float)(k == 1 || k == 2), y = (float)(k >> 1);

      glColor4f(x, y, 0.5f, 1);
      glMultiTexCoord2f(GL_TEXTURE0, x * 3, y * 3);
      glMultiTexCoord2f(GL_TEXTURE1, x * 2, y);
      glVertex2f(x * 2 - 1, y * 2 - 1);
   }
   glEnd();
}

/* Arrays in the program's own memory. */
static void
start_arrays(void)
{
   arrays = realloc(arrays, sizeof(float) * 5 * (size_t)habit->count);
   if (!arrays)
      arrays = habit_alloc(sizeof(float) * 5 * (size_t)habit->count);
   for (int i = 0; i < habit->count * 5; i++)
      arrays[i] = (float)(habit_noise() & 0xffff) / 65536;
   for (int i = 0; i < habit->count; i++) {
      arrays[i * 5] = (float)(i / 3 % 80) / 40 - 1 + arrays[i * 5] * 0.03f;
      arrays[i * 5 + 1] = (float)(i / 240) / 40 - 1 + arrays[i * 5 + 1] * 0.03f;
   }
   glVertexPointer(2, GL_FLOAT, 20, arrays);
   glColorPointer(3, GL_FLOAT, 20, arrays + 2);
   glEnableClientState(GL_VERTEX_ARRAY);
   glEnableClientState(GL_COLOR_ARRAY);
}

static void
start_text(void)
{
   for (int i = 0; i < 64; i++)
      bitmap[i] = (uint8_t)habit_noise();
}

static void
draw_text(void)
{
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   for (int i = 0; i < habit->count; i++) {
      if (i % 50 == 0) {
         glColor3f(1, (float)i / (float)habit->count, 0.3f);
         glRasterPos2f(-0.95f, (float)(i / 50) / 15 - 0.9f);
      }
      glBitmap(8, 13, 0, 0, 9, 0, bitmap + i % 40);
   }
}

static void
draw_pixels(void)
{
   static uint32_t pixels[128 * 128];

   for (int i = 0; i < 128 * 128; i++)
      pixels[i] = (uint32_t)i * 2654435761u;
   for (int i = 0; i < habit->count; i++) {
      glRasterPos2f((float)(i % 4) / 2 - 1, (float)(i / 4) / 2 - 1);
      glDrawPixels(128, 128, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   }
}

static void
copy_pixels(int i)
{
   glRasterPos2f((float)(i % 4) / 2 - 1, (float)(i / 4 + 1) / 2 - 1);
   glCopyPixels(0, 0, 128, 128, GL_COLOR);
}

static void
start_pixels(void)
{
   if (habit->size)
      draw_pixels();
}

static void
start_evaluators(void)
{
   float points[4][4][3];

   for (int y = 0; y < 4; y++)
      for (int x = 0; x < 4; x++) {
         points[y][x][0] = (float)x * 0.6f - 0.9f;
         points[y][x][1] = (float)y * 0.6f - 0.9f;
         points[y][x][2] = (float)((x ^ y) & 1);
      }
   glMap2f(GL_MAP2_VERTEX_3, 0, 1, 3, 4, 0, 1, 12, 4, points[0][0]);
   glEnable(GL_MAP2_VERTEX_3);
   glEnable(GL_AUTO_NORMAL);
   glMapGrid2f(habit->count, 0, 1, habit->count, 0, 1);
   light(1, false);
}

static void
draw_evaluators(void)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEvalMesh2(GL_FILL, 0, habit->count, 0, habit->count);
}

/* Shadow volumes: faces counted in the stencil, then darkness where the count is not zero. */
static void
start_stencil(void)
{
   start_list();
   glDisable(GL_LIGHTING);
}

static void
draw_stencil_shadows(void)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glDisable(GL_STENCIL_TEST);
   glLoadIdentity();
   glColor3f(0.8f, 0.7f, 0.5f);
   glRectf(-1, -1, 1, 1);
   glEnable(GL_STENCIL_TEST);
   glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
   glDepthMask(GL_FALSE);
   glStencilFunc(GL_ALWAYS, 0, 255);
   glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_INCR_WRAP, GL_KEEP);
   glStencilOpSeparate(GL_BACK, GL_KEEP, GL_DECR_WRAP, GL_KEEP);
   for (int i = 0; i < habit->count; i++) {
      glLoadIdentity();
      glTranslatef((float)(i % habit->size) * 2 / (float)habit->size - 0.8f,
                   (float)(i / habit->size) * 2 / (float)habit->size - 0.8f, -0.05f);
      glScalef(0.12f, 0.12f, 0.12f);
      glCallList(list);
   }
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   glDepthMask(GL_TRUE);
   glStencilFunc(GL_NOTEQUAL, 0, 255);
   glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
   glDisable(GL_DEPTH_TEST);
   glLoadIdentity();
   glColor3f(0.2f, 0.1f, 0.1f);
   glRectf(-1, -1, 1, 1);
   glEnable(GL_DEPTH_TEST);
}

/* What an accumulation buffer did, by a target of floats. */
static void
start_accumulation(void)
{
   int bound;

   start_list();
   glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
   target = (unsigned)bound;
   habit_texture(GL_TEXTURE_2D, 0, 128, 1);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, HABIT_SIDE, HABIT_SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
}

static void
draw_accumulation(void)
{
   for (int i = 0; i < 4; i++) {
      glDisable(GL_TEXTURE_2D);
      glDisable(GL_BLEND);
      glEnable(GL_LIGHTING);
      glEnable(GL_DEPTH_TEST);
      glMatrixMode(GL_PROJECTION);
      glLoadIdentity();
      glTranslatef((float)i * 0.01f, 0, 0);
      draw_spheres(call_list);
      glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, HABIT_SIDE, HABIT_SIDE);
      glDisable(GL_LIGHTING);
      glDisable(GL_DEPTH_TEST);
      glEnable(GL_TEXTURE_2D);
      glLoadIdentity();
      glEnable(GL_BLEND);
      glBlendFunc(GL_ONE, GL_ONE);
      glColor4f(0.25f, 0.25f, 0.25f, 0.25f);
      glBegin(GL_QUADS);
      for (int k = 0; k < 4; k++) {
         glTexCoord2f((float)(k == 1 || k == 2), (float)(k >> 1));
         glVertex2f((float)(k == 1 || k == 2) * 2 - 1, (float)(k >> 1) * 2 - 1);
      }
      glEnd();
   }
}

/* Lines as drawings have them: smooth, dashed, thousands of short strips. */
static void
start_drawing(void)
{
   if (habit->size & 1) {
      glEnable(GL_LINE_SMOOTH);
      glEnable(GL_BLEND);
      glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   }
   if (habit->size & 2) {
      glEnable(GL_LINE_STIPPLE);
      glLineStipple(2, 0x3f3f);
   }
}

static void
draw_drawing(int i)
{
   float a = (float)i * 0.37f;

   glColor3f(0.5f + 0.5f * sinf(a), 0.5f, 1);
   glBegin(GL_LINE_STRIP);
   for (int k = 0; k < 12; k++) {
      glVertex2f(sinf(a) * 0.9f + cosf((float)k) * 0.05f,
                 cosf(a * 1.7f) * 0.9f + sinf((float)k) * 0.05f);
   }
   glEnd();
}

static void
start_polygon_stipple(void)
{
   uint8_t pattern[128];

   start_list();
   for (int i = 0; i < 128; i++)
      pattern[i] = (uint8_t)(i & 4 ? 0xaa : 0x55);
   glEnable(GL_POLYGON_STIPPLE);
   glPolygonStipple(pattern);
}

static void
start_flat(void)
{
   start_list();
   glShadeModel(GL_FLAT);
   glEnable(GL_POLYGON_OFFSET_FILL);
   glPolygonOffset(1, 1);
   glEnable(GL_CULL_FACE);
}

/* Picking: names of what is under a point, by the selection mode. */
static unsigned hits[1024];

static void
select_spheres(void)
{
   glSelectBuffer(1024, hits);
   glRenderMode(GL_SELECT);
   glInitNames();
   glPushName(0);
   draw_spheres(call_list);
   glRenderMode(GL_RENDER);
   draw_spheres(call_list);
}

const struct habit habits_old[] = {
   { "immediate-mode", 21, start_immediate, draw_immediate, .count = 64, .size = 8 },
   { "display-lists", 21, start_list, draw_lists, .count = 64, .size = 8 },
   { "eight-lights", 21, start_many_lights, draw_lists, .count = 36, .size = 6 },
   { "fog-and-clip-planes", 21, start_fog, draw_lists, .count = 36, .size = 6 },
   { "sphere-map", 21, start_generated, draw_lists, .count = 36, .size = 6 },
   { "flat-and-culled", 21, start_flat, draw_lists, .count = 64, .size = 8 },
   { "texture-combiners", 21, start_combined, .each = draw_combined, .count = 2 },
   { "arrays-in-memory", 21, start_arrays, .mode = GL_TRIANGLES, .count = 19200 },
   { "bitmap-text", 21, start_text, draw_text, .count = 1000 },
   { "draw-pixels", 21, start_pixels, draw_pixels, .count = 16 },
   { "copy-pixels", 21, start_pixels, .each = copy_pixels, .count = 12, .size = 1 },
   { "evaluators", 21, start_evaluators, draw_evaluators, .count = 48 },
   { "stencil-shadows", 21, start_stencil, draw_stencil_shadows, .count = 36, .size = 6 },
   { "accumulation", 21, start_accumulation, draw_accumulation, .count = 16, .size = 4 },
   { "drawing", 21, start_drawing, .each = draw_drawing, .count = 2000 },
   { "drawing-smooth", 21, start_drawing, .each = draw_drawing, .count = 500, .size = 1 },
   { "drawing-dashed", 21, start_drawing, .each = draw_drawing, .count = 500, .size = 2 },
   { "polygon-stipple", 21, start_polygon_stipple, draw_lists, .count = 36, .size = 6 },
   { "selection", 21, start_list, select_spheres, .count = 16, .size = 4 },
   { 0 },
};
