/* SPDX-License-Identifier: MIT */
/* Reads and draws a window's front buffer: after a swap it holds what was swapped in, a drawing to
 * a part of it leaves the rest, and X shows the same.  Where X has nothing to give, since the
 * window is not shown, lies beyond the screen, or has become smaller, the front buffer is what was
 * drawn to it, and the program goes on. */
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WIDTH  200
#define HEIGHT 100

static bool failed;

static void
expect(const char *when, int x, int y, unsigned rgb)
{
   unsigned char p[4] = { 0 };
   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
   unsigned got = (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2];
   if (got != rgb) {
      printf("%s: the front buffer has %06x at %d, %d, not %06x\n", when, got, x, y, rgb);
      failed = true;
   }
}

static void
expect_x(Display *display, Window window, int x, int y, unsigned rgb)
{
   XImage *image = XGetImage(display, window, x, HEIGHT - 1 - y, 1, 1, AllPlanes, ZPixmap);
   unsigned got = image ? (unsigned)XGetPixel(image, 0, 0) & 0xFFFFFF : ~0u;
   if (got != rgb) {
      printf("X has %06x at %d, %d, not %06x\n", got, x, y, rgb);
      failed = true;
   }
   if (image)
      XDestroyImage(image);
}

static Window
make_window(Display *display, const XVisualInfo *visual)
{
   Window root = DefaultRootWindow(display);
   XSetWindowAttributes set = {
      .colormap = XCreateColormap(display, root, visual->visual, AllocNone),
      .event_mask = ExposureMask,
   };
   return XCreateWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, visual->depth, InputOutput,
                        visual->visual, CWColormap | CWEventMask, &set);
}

/* Draws to the front buffer and reads it back, whatever X makes of the window. */
static void
draw_front(const char *when, float green)
{
   glDrawBuffer(GL_FRONT);
   glReadBuffer(GL_FRONT);
   glClearColor(0, green, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   expect(when, 5, 5, green == 1 ? 0x00FF00 : 0);
   glFlush();
   expect(when, 5, 5, green == 1 ? 0x00FF00 : 0);
}

int
main(void)
{
   static int attributes[] = {
      GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8, None
   };
   Display *display = XOpenDisplay(NULL);
   XVisualInfo *visual = display ? glXChooseVisual(display, 0, attributes) : NULL;
   if (!visual) {
      printf("no display, or no visual for OpenGL\n");
      return 1;
   }
   Window window = make_window(display, visual);
   XMapWindow(display, window);
   XEvent event;
   XNextEvent(display, &event);
   GLXContext context = glXCreateContext(display, visual, NULL, True);
   glXMakeCurrent(display, window, context);
   printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));

   glClearColor(0, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glXSwapBuffers(display, window);
   glReadBuffer(GL_FRONT);
   expect("after a swap", 5, 5, 0x00FF00);

   glDrawBuffer(GL_FRONT);
   glEnable(GL_SCISSOR_TEST);
   glScissor(0, 0, WIDTH / 4, HEIGHT / 2);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   expect("drawn to", 5, 5, 0xFF0000);
   glFlush();
   expect("drawn to and flushed", 5, 5, 0xFF0000);
   expect("beside a drawing", WIDTH / 2, 80, 0x00FF00);
   XSync(display, False);
   expect_x(display, window, 5, 5, 0xFF0000);
   expect_x(display, window, WIDTH / 2, 80, 0x00FF00);

   glDrawBuffer(GL_BACK);
   glDisable(GL_SCISSOR_TEST);
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glXSwapBuffers(display, window);
   expect("after a second swap", 5, 5, 0x0000FF);

   /* X refuses to give what the screen does not hold. */
   XMoveWindow(display, window, -WIDTH / 2, 0);
   XSync(display, False);
   draw_front("half beyond the screen", 1);
   XUnmapWindow(display, window);
   XSync(display, False);
   draw_front("no longer shown", 0);
   Window hidden = make_window(display, visual);
   glXMakeCurrent(display, hidden, context);
   draw_front("never shown", 1);
   /* The front buffer is as large as the window was. */
   XResizeWindow(display, hidden, WIDTH / 2, HEIGHT / 2);
   XMapWindow(display, hidden);
   XSync(display, False);
   unsigned char row[4 * WIDTH];
   glReadPixels(0, 0, WIDTH, 1, GL_RGBA, GL_UNSIGNED_BYTE, row);

   glXMakeCurrent(display, None, NULL);
   glXDestroyContext(display, context);
   XCloseDisplay(display);
   return failed;
}
