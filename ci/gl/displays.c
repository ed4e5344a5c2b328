/* SPDX-License-Identifier: MIT */
/*
 * Two X displays at once: gl-displays ONE OTHER.  A thread for each opens its own connection, GLX
 * context and window, and draws frames of a colour that counts; what each server then shows in the
 * window must be its thread's last frame.  Exit code 0 if so; otherwise the reason is on stderr.
 */
#define GL_GLEXT_PROTOTYPES 1
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 100, FRAMES = 30 };

static void
fail(const char *display, const char *why)
{
   fprintf(stderr, "display %s: %s\n", display, why);
   exit(1);
}

/* Red and green count the frames; blue tells the displays apart. */
static void
draw(int frame, int blue)
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

   glClear(GL_COLOR_BUFFER_BIT);
   glColor3ub((GLubyte)(frame * 5), (GLubyte)(255 - frame * 5), (GLubyte)blue);
   glEnableClientState(GL_VERTEX_ARRAY);
   glVertexPointer(2, GL_FLOAT, 0, corners);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

struct job {
   const char *name;
   int blue;
};

static void *
run(void *data)
{
   int attributes[] = { GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 8, GLX_DEPTH_SIZE, 24, None };
   const struct job *job = data;
   Display *display = XOpenDisplay(job->name);
   XSetWindowAttributes window_attributes = { .event_mask = ExposureMask };
   const int last = FRAMES - 1;
   XVisualInfo *visual;
   GLXContext context;
   XImage *image;
   Window window;
   XEvent event;

   if (!display)
      fail(job->name, "cannot be opened");
   visual = glXChooseVisual(display, DefaultScreen(display), attributes);
   if (!visual)
      fail(job->name, "offers no visual");
   window_attributes.colormap =
      XCreateColormap(display, RootWindow(display, visual->screen), visual->visual, AllocNone);
   window_attributes.override_redirect = True;
   window = XCreateWindow(display, RootWindow(display, visual->screen), job->blue, 0, SIZE, SIZE, 0,
                          visual->depth, InputOutput, visual->visual,
                          CWColormap | CWEventMask | CWOverrideRedirect, &window_attributes);
   context = glXCreateContext(display, visual, NULL, True);
   if (!context)
      fail(job->name, "creates no context");
   XMapWindow(display, window);
   XWindowEvent(display, window, ExposureMask, &event);
   if (!glXMakeCurrent(display, window, context))
      fail(job->name, "the context cannot be made current");
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   for (int frame = 0; frame < FRAMES; frame++) {
      draw(frame, job->blue);
      glXSwapBuffers(display, window);
   }
   glFinish();
   glXWaitGL();
   image = XGetImage(display, window, 0, 0, SIZE, SIZE, AllPlanes, ZPixmap);
   if (!image)
      fail(job->name, "shows no window");
   for (int at = 0; at < SIZE; at++) {
      const unsigned long right = (unsigned long)(last * 5) << 16 |
                                  (unsigned long)(255 - last * 5) << 8 | (unsigned)job->blue;

      if ((XGetPixel(image, at, at) & 0xffffff) != right)
         fail(job->name, "shows something else than the last frame");
   }
   XDestroyImage(image);
   glXMakeCurrent(display, None, NULL);
   glXDestroyContext(display, context);
   XDestroyWindow(display, window);
   XFreeColormap(display, window_attributes.colormap);
   XFree(visual);
   XCloseDisplay(display);
   return NULL;
}

int
main(int argc, char **argv)
{
   struct job jobs[2];
   pthread_t threads[2];

   if (argc != 3) {
      fprintf(stderr, "usage: gl-displays DISPLAY OTHER\n");
      return 2;
   }
   XInitThreads();
   for (int i = 0; i < 2; i++) {
      jobs[i] = (struct job){ argv[i + 1], 40 + 100 * i };
      if (pthread_create(&threads[i], NULL, run, &jobs[i]))
         fail(jobs[i].name, "no second thread");
   }
   for (int i = 0; i < 2; i++)
      pthread_join(threads[i], NULL);
   return 0;
}
