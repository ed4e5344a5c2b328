/* SPDX-License-Identifier: MIT */
/*
 * What a window shows while the next picture is already being drawn, and what a back buffer holds:
 * gl-turns glx|egl.
 *
 * Every swap is seen by what asks X on the same connection, in order.  A frame that begins with a
 * clear, and one that goes on with what the last one left, alternate.  A window that the program
 * has made larger is drawn to as a whole by the next frame; one that others have, once the program
 * has its event.  A window that is gone ends nothing.
 */
#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 200, HEIGHT = 100 };

static bool failed;
static Display *display;
static Window window;
static EGLDisplay egl; /* NULL: by GLX */
static EGLSurface surface;

static void
swap(void)
{
   if (egl)
      eglSwapBuffers(egl, surface);
   else
      glXSwapBuffers(display, window);
}

static void
expect(const char *when, unsigned got, unsigned rgb, int x, int y)
{
   if (got == rgb)
      return;
   printf("%s: %06x at %d, %d, not %06x\n", when, got, x, y, rgb);
   failed = true;
}

/* Of the window, from its upper left corner. */
static void
expect_x(const char *when, int x, int y, unsigned rgb)
{
   XImage *image = XGetImage(display, window, x, y, 1, 1, AllPlanes, ZPixmap);

   expect(when, image ? (unsigned)XGetPixel(image, 0, 0) & 0xFFFFFF : ~0u, rgb, x, y);
   if (image)
      XDestroyImage(image);
}

/* Of the back buffer, from its lower left corner. */
static void
expect_back(const char *when, int x, int y, unsigned rgb)
{
   unsigned char p[4] = { 0 };

   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
   expect(when, (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2], rgb, x, y);
}

static void
clear_to(unsigned rgb)
{
   glClearColor((float)(rgb >> 16 & 255) / 255, (float)(rgb >> 8 & 255) / 255,
                (float)(rgb & 255) / 255, 1);
   glClear(GL_COLOR_BUFFER_BIT);
}

/* A square in the lower left corner. */
static void
clear_corner(unsigned rgb)
{
   glEnable(GL_SCISSOR_TEST);
   glScissor(0, 0, 10, 10);
   clear_to(rgb);
   glDisable(GL_SCISSOR_TEST);
}

static unsigned
color_of(unsigned frame)
{
   return (frame * 40503u & 0xFF) << 16 | (frame * 97u & 0xFF) << 8 | (frame & 0xFF);
}

static void
draw_frames(const char *when, unsigned first, unsigned count, int width, int height)
{
   for (unsigned i = first; i < first + count; i++) {
      clear_to(color_of(i));
      swap();
      expect_x(when, 1, 1, color_of(i));
      expect_x(when, width - 1, height - 1, color_of(i));
   }
}

/* As a game does: nothing is asked of X between frames. */
static void
draw_silent_frames(unsigned first, unsigned count)
{
   for (unsigned i = first; i < first + count; i++) {
      clear_to(color_of(i));
      swap();
   }
}

static void
wait_for(int type)
{
   XEvent event;

   do
      XNextEvent(display, &event);
   while (event.type != type);
}

/* Which EGL has configurations for. */
static XVisualInfo *
default_visual(void)
{
   XVisualInfo wanted = { .visualid = XVisualIDFromVisual(DefaultVisual(display, 0)) };
   int count;

   return XGetVisualInfo(display, VisualIDMask, &wanted, &count);
}

/* A context of EGL on the program's own connection. */
static bool
make_egl_current(void)
{
   static const EGLint wanted[] = { EGL_SURFACE_TYPE,
                                    EGL_WINDOW_BIT,
                                    EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT,
                                    EGL_RED_SIZE,
                                    8,
                                    EGL_GREEN_SIZE,
                                    8,
                                    EGL_BLUE_SIZE,
                                    8,
                                    EGL_NONE };
   EGLConfig configs[256];
   EGLint count = 0;

   egl = eglGetDisplay((EGLNativeDisplayType)display);
   if (!egl || !eglInitialize(egl, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
       !eglChooseConfig(egl, wanted, configs, 256, &count))
      return false;
   XWindowAttributes has;
   XGetWindowAttributes(display, window, &has);
   for (EGLint i = 0; i < count && !surface; i++) {
      EGLint visual = 0;
      eglGetConfigAttrib(egl, configs[i], EGL_NATIVE_VISUAL_ID, &visual);
      if ((VisualID)visual != XVisualIDFromVisual(has.visual))
         continue;
      surface = eglCreateWindowSurface(egl, configs[i], window, NULL);
      EGLContext context = eglCreateContext(egl, configs[i], EGL_NO_CONTEXT, NULL);
      return eglMakeCurrent(egl, surface, surface, context);
   }
   return false;
}

int
main(int argc, char **argv)
{
   const bool by_egl = argc > 1 && !strcmp(argv[1], "egl");
   static int attributes[] = {
      GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8, None
   };
   display = XOpenDisplay(NULL);
   XVisualInfo *visual = display && by_egl ? default_visual()
                         : display         ? glXChooseVisual(display, 0, attributes)
                                           : NULL;
   if (!visual) {
      printf("no display, or no visual for OpenGL\n");
      return 1;
   }
   Window root = DefaultRootWindow(display);
   XSetWindowAttributes set = {
      .colormap = XCreateColormap(display, root, visual->visual, AllocNone),
      .event_mask = ExposureMask | StructureNotifyMask,
   };
   window = XCreateWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, visual->depth, InputOutput,
                          visual->visual, CWColormap | CWEventMask, &set);
   XMapWindow(display, window);
   wait_for(Expose);
   GLXContext context = by_egl ? NULL : glXCreateContext(display, visual, NULL, True);
   if (by_egl ? !make_egl_current() : !glXMakeCurrent(display, window, context)) {
      printf("no context\n");
      return 1;
   }
   printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));

   draw_frames("frames that clear", 1, 6, WIDTH, HEIGHT);

   /* What the last frame left is below what is drawn over it. */
   draw_silent_frames(7, 5);
   clear_corner(0xFF0000);
   expect_back("over the last frame", 5, 5, 0xFF0000);
   expect_back("over the last frame", 50, 50, color_of(11));
   swap();
   expect_x("over the last frame", 5, HEIGHT - 6, 0xFF0000);
   expect_x("over the last frame", 50, 50, color_of(11));
   swap();
   expect_x("swapped again", 5, HEIGHT - 6, 0xFF0000);
   expect_x("swapped again", 50, 50, color_of(11));
   draw_silent_frames(12, 5);
   expect_back("read after a swap", 50, 50, color_of(16));
   swap();
   expect_x("read after a swap", 50, 50, color_of(16));
   draw_silent_frames(17, 5);
   clear_to(0x00FF00);
   if (!by_egl) {
      glReadBuffer(GL_FRONT);
      expect_back("the front buffer", 50, 50, color_of(21));
      glReadBuffer(GL_BACK);
   }
   swap();
   expect_x("after the front buffer", 50, 50, 0x00FF00);

   /* A copy of the back buffer; its texture stays. */
   unsigned texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   draw_silent_frames(22, 5);
   glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 16, 16, 0);
   unsigned char texels[16 * 16][4] = { 0 };
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   expect("copied after a swap",
          (unsigned)texels[40][0] << 16 | (unsigned)texels[40][1] << 8 | texels[40][2],
          color_of(26), 8, 2);

   draw_silent_frames(30, 5);
   XResizeWindow(display, window, 2 * WIDTH, 2 * HEIGHT);
   draw_frames("made larger", 35, 3, 2 * WIDTH, 2 * HEIGHT);
   wait_for(ConfigureNotify);

   Display *other = XOpenDisplay(NULL);
   draw_silent_frames(40, 5);
   XResizeWindow(other, window, 3 * WIDTH, 2 * HEIGHT);
   XSync(other, False);
   wait_for(ConfigureNotify);
   draw_silent_frames(45, 1);
   expect_x("made larger by others", 3 * WIDTH - 1, 2 * HEIGHT - 1, color_of(45));
   draw_frames("made larger by others", 46, 3, 3 * WIDTH, 2 * HEIGHT);

   draw_silent_frames(50, 5);
   XDestroyWindow(other, window);
   XSync(other, False);
   draw_silent_frames(55, 4);

   if (by_egl) {
      eglMakeCurrent(egl, NULL, NULL, NULL);
      eglTerminate(egl);
   } else {
      glXMakeCurrent(display, None, NULL);
      glXDestroyContext(display, context);
   }
   XCloseDisplay(other);
   XCloseDisplay(display);
   return failed;
}
