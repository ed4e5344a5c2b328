/* SPDX-License-Identifier: MIT */
/*
 * Windows of one display that as many threads draw to at once, each of which has locked the display
 * while it swaps.  Every window shows its last picture, and nobody waits for ever.
 */
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum { WINDOWS = 12, SIZE = 40, FRAMES = 100 };

static Display *display;
static XVisualInfo *visual;
static Window window[WINDOWS];
static pthread_barrier_t barrier;

static void
draw(unsigned number, unsigned frame)
{
   glClearColor(0, (float)number / 255, (float)frame / 255, 1);
   glClear(GL_COLOR_BUFFER_BIT);
}

static void *
run(void *data)
{
   const unsigned n = (unsigned)((Window *)data - window);
   GLXContext context = glXCreateContext(display, visual, NULL, True);

   glXMakeCurrent(display, window[n], context);
   if (!n)
      printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   /* Making a context and locking the display do not go together, whatever the driver is. */
   pthread_barrier_wait(&barrier);
   for (unsigned i = 1; i <= FRAMES; i++) {
      draw(n, i);
      XLockDisplay(display);
      glXSwapBuffers(display, window[n]);
      XUnlockDisplay(display);
   }
   pthread_barrier_wait(&barrier);
   glXMakeCurrent(display, None, NULL);
   glXDestroyContext(display, context);
   return NULL;
}

int
main(void)
{
   static int attributes[] = {
      GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8, None
   };
   pthread_t thread[WINDOWS];
   bool failed = false;

   XInitThreads();
   display = XOpenDisplay(NULL);
   visual = display ? glXChooseVisual(display, 0, attributes) : NULL;
   if (!visual) {
      printf("no display, or no visual for OpenGL\n");
      return 1;
   }
   Window root = DefaultRootWindow(display);
   XSetWindowAttributes set = {
      .colormap = XCreateColormap(display, root, visual->visual, AllocNone),
      .override_redirect = True,
   };
   pthread_barrier_init(&barrier, NULL, WINDOWS);
   for (int n = 0; n < WINDOWS; n++) {
      window[n] = XCreateWindow(display, root, n * SIZE, 0, SIZE, SIZE, 0, visual->depth,
                                InputOutput, visual->visual, CWColormap | CWOverrideRedirect, &set);
      XMapWindow(display, window[n]);
   }
   XSync(display, False);
   for (unsigned n = 0; n < WINDOWS; n++)
      pthread_create(&thread[n], NULL, run, &window[n]);
   for (unsigned n = 0; n < WINDOWS; n++)
      pthread_join(thread[n], NULL);
   for (unsigned n = 0; n < WINDOWS; n++) {
      XImage *image = XGetImage(display, window[n], 5, 5, 1, 1, AllPlanes, ZPixmap);
      const unsigned long got = image ? XGetPixel(image, 0, 0) & 0xFFFFFF : ~0ul;

      if (got != (n << 8 | FRAMES)) {
         printf("window %u shows %06lx\n", n, got);
         failed = true;
      }
      if (image)
         XDestroyImage(image);
   }
   XCloseDisplay(display);
   return failed;
}
