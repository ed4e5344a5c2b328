/* SPDX-License-Identifier: MIT */
/*
 * Windows of every depth: gl-depth-visuals.
 *
 * For each number of bits of depth that GLX's visuals and EGL's configurations have, with and
 * without stencil, a window in which two slopes cross: the nearer one is seen, and the depth that
 * is read back is its own, as near as so many bits can be.  There are windows of 16, 24 and 32 bits
 * through both.  A line for each window that shows something else, then how many held.
 */
#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64, BITS = 32 };

static Display *display;
static unsigned cases, held;

static void
check(const char *door, int bits, int stencil, const char *what, bool good)
{
   cases++;
   held += good;
   if (!good)
      printf("%s, %d bits of depth, %d of stencil: %s\n", door, bits, stencil, what);
}

/* From 0 to 1, or back. */
static void
slope(bool back)
{
   glColor3f(!back, 0, back);
   glBegin(GL_QUADS);
   glVertex3f(-1, -1, back ? 1 : -1);
   glVertex3f(1, -1, back ? -1 : 1);
   glVertex3f(1, 1, back ? -1 : 1);
   glVertex3f(-1, 1, back ? 1 : -1);
   glEnd();
}

static void
draw_and_check(const char *door, int bits, int stencil)
{
   static uint8_t pixels[SIZE][SIZE][4];
   static uint32_t depth[SIZE][SIZE];
   /* Steps of 32-bit integers; floats have 24 bits. */
   const int64_t slack = INT64_C(2) << (32 - (bits < 24 ? bits : 24));
   bool seen = true, exact = true;
   int offered;

   glViewport(0, 0, SIZE, SIZE);
   glEnable(GL_DEPTH_TEST);
   glClearDepth(0.75);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   slope(false);
   slope(true);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depth);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const bool back = x >= SIZE / 2;
         const double z = (back ? SIZE - x - 0.5 : x + 0.5) / SIZE;
         seen &= pixels[y][x][0] == (back ? 0 : 255) && pixels[y][x][2] == (back ? 255 : 0);
         exact &= llabs((int64_t)depth[y][x] - (int64_t)(z * UINT32_MAX)) <= slack;
      }
   }
   glGetIntegerv(GL_DEPTH_BITS, &offered);
   check(door, bits, stencil, "another number of bits", offered == bits);
   check(door, bits, stencil, "another picture", seen);
   check(door, bits, stencil, "other depths", exact);
   check(door, bits, stencil, "an error", glGetError() == GL_NO_ERROR);
}

static Window
window(VisualID id)
{
   XVisualInfo wanted = { .visualid = id };
   int count;
   XVisualInfo *visual = XGetVisualInfo(display, VisualIDMask, &wanted, &count);
   Window w = 0;

   if (visual) {
      XSetWindowAttributes attributes = {
         .colormap =
            XCreateColormap(display, DefaultRootWindow(display), visual->visual, AllocNone),
      };
      w = XCreateWindow(display, DefaultRootWindow(display), 0, 0, SIZE, SIZE, 0, visual->depth,
                        InputOutput, visual->visual, CWColormap | CWBorderPixel, &attributes);
      XMapWindow(display, w);
   }
   XFree(visual);
   return w;
}

static void
run_glx(bool *depths)
{
   bool done[BITS + 1][2] = { { false } };
   int count = 0;
   GLXFBConfig *configs = glXGetFBConfigs(display, DefaultScreen(display), &count);

   for (int n = 0; n < count; n++) {
      int bits, stencil, samples, red, type, drawable, id;
      glXGetFBConfigAttrib(display, configs[n], GLX_DEPTH_SIZE, &bits);
      glXGetFBConfigAttrib(display, configs[n], GLX_STENCIL_SIZE, &stencil);
      glXGetFBConfigAttrib(display, configs[n], GLX_SAMPLES, &samples);
      glXGetFBConfigAttrib(display, configs[n], GLX_RED_SIZE, &red);
      glXGetFBConfigAttrib(display, configs[n], GLX_RENDER_TYPE, &type);
      glXGetFBConfigAttrib(display, configs[n], GLX_DRAWABLE_TYPE, &drawable);
      glXGetFBConfigAttrib(display, configs[n], GLX_VISUAL_ID, &id);
      if (bits <= 0 || bits > BITS || done[bits][stencil > 0] || samples > 1 || red != 8 ||
          !(type & GLX_RGBA_BIT) || !(drawable & GLX_WINDOW_BIT))
         continue;
      const Window w = window((VisualID)id);
      GLXContext context = glXCreateNewContext(display, configs[n], GLX_RGBA_TYPE, NULL, True);
      if (w && context && glXMakeCurrent(display, w, context)) {
         if (!cases)
            fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
         done[bits][stencil > 0] = depths[bits] = true;
         draw_and_check("GLX", bits, stencil);
         glXMakeCurrent(display, None, NULL);
      }
      if (context)
         glXDestroyContext(display, context);
      XDestroyWindow(display, w);
   }
   XFree(configs);
}

static void
run_egl(bool *depths)
{
   bool done[BITS + 1][2] = { { false } };
   static EGLConfig configs[4096];
   EGLDisplay egl = eglGetDisplay(display);
   int count = 0;

   if (!eglInitialize(egl, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
       !eglGetConfigs(egl, configs, 4096, &count))
      count = 0;
   for (int n = 0; n < count; n++) {
      int bits, stencil, samples, red, surface, api, id;
      eglGetConfigAttrib(egl, configs[n], EGL_DEPTH_SIZE, &bits);
      eglGetConfigAttrib(egl, configs[n], EGL_STENCIL_SIZE, &stencil);
      eglGetConfigAttrib(egl, configs[n], EGL_SAMPLES, &samples);
      eglGetConfigAttrib(egl, configs[n], EGL_RED_SIZE, &red);
      eglGetConfigAttrib(egl, configs[n], EGL_SURFACE_TYPE, &surface);
      eglGetConfigAttrib(egl, configs[n], EGL_RENDERABLE_TYPE, &api);
      eglGetConfigAttrib(egl, configs[n], EGL_NATIVE_VISUAL_ID, &id);
      if (bits <= 0 || bits > BITS || done[bits][stencil > 0] || samples > 1 || red != 8 ||
          !(surface & EGL_WINDOW_BIT) || !(api & EGL_OPENGL_BIT))
         continue;
      const Window w = window((VisualID)id);
      EGLSurface s = w ? eglCreateWindowSurface(egl, configs[n], w, NULL) : EGL_NO_SURFACE;
      EGLContext context = eglCreateContext(egl, configs[n], EGL_NO_CONTEXT, NULL);
      if (s && context && eglMakeCurrent(egl, s, s, context)) {
         done[bits][stencil > 0] = depths[bits] = true;
         draw_and_check("EGL", bits, stencil);
         eglMakeCurrent(egl, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      }
      if (context)
         eglDestroyContext(egl, context);
      if (s)
         eglDestroySurface(egl, s);
      XDestroyWindow(display, w);
   }
   eglTerminate(egl);
}

int
main(void)
{
   bool glx[BITS + 1] = { false }, egl[BITS + 1] = { false };

   display = XOpenDisplay(NULL);
   if (!display) {
      fprintf(stderr, "no X display\n");
      return 1;
   }
   run_glx(glx);
   run_egl(egl);
   for (int bits = 16; bits <= 32; bits += 8) {
      check("GLX", bits, 0, "no window", glx[bits]);
      check("EGL", bits, 0, "no window", egl[bits]);
   }
   printf("%u of %u\n", held, cases);
   return held != cases;
}
