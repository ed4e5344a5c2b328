/* SPDX-License-Identifier: MIT */
/* Makes a texture of an X pixmap and draws it: each of its rows arrives where it belongs, also
 * after the pixmap has changed while the texture was in use. */
#define GL_GLEXT_PROTOTYPES   1
#define GLX_GLXEXT_PROTOTYPES 1
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdio.h>

/* No multiple of what any layout of textures aligns its rows to. */
enum { WIDTH = 100, HEIGHT = 60, CELL = 10 };

typedef void (*bind_fn)(Display *, GLXDrawable, int, const int *);
typedef void (*release_fn)(Display *, GLXDrawable, int);

/* The colour of a cell, 0xRRGGBB. */
static unsigned
cell(int x, int y, int round)
{
   return (unsigned)(x * 25 + round) << 16 | (unsigned)(y * 40) << 8 | (unsigned)(x + y) * 15;
}

static void
paint(Display *display, Pixmap pixmap, GC gc, int round)
{
   for (int y = 0; y < HEIGHT / CELL; y++) {
      for (int x = 0; x < WIDTH / CELL; x++) {
         XSetForeground(display, gc, cell(x, y, round));
         XFillRectangle(display, pixmap, gc, x * CELL, y * CELL, CELL, CELL);
      }
   }
   XSync(display, False);
}

static void
draw(bool upside_down)
{
   float top = upside_down ? 1 : -1;

   glBegin(GL_QUADS);
   glTexCoord2f(0, 0), glVertex2f(-1, top);
   glTexCoord2f(1, 0), glVertex2f(1, top);
   glTexCoord2f(1, 1), glVertex2f(1, -top);
   glTexCoord2f(0, 1), glVertex2f(-1, -top);
   glEnd();
}

/* How many pixels differ from what was painted. */
static int
compare(int round)
{
   static unsigned char pixels[HEIGHT][WIDTH][4];
   int wrong = 0;

   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
         const unsigned char *p = pixels[HEIGHT - 1 - y][x];
         unsigned got = (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2];

         if (got == cell(x / CELL, y / CELL, round))
            continue;
         if (!wrong++)
            printf("round %d: %06x at %d, %d, not %06x\n", round, got, x, y,
                   cell(x / CELL, y / CELL, round));
      }
   }
   return wrong;
}

/* The first of the configurations with eight bits a channel: more come first. */
static GLXFBConfig
eight_bits(Display *display, GLXFBConfig *configs, int count)
{
   for (int i = 0; i < count; i++) {
      int red = 0;

      glXGetFBConfigAttrib(display, configs[i], GLX_RED_SIZE, &red);
      if (red == 8)
         return configs[i];
   }
   return NULL;
}

int
main(void)
{
   static const int wanted[] = { GLX_DRAWABLE_TYPE,
                                 GLX_PIXMAP_BIT | GLX_PBUFFER_BIT,
                                 GLX_BIND_TO_TEXTURE_RGB_EXT,
                                 True,
                                 GLX_BIND_TO_TEXTURE_TARGETS_EXT,
                                 GLX_TEXTURE_2D_BIT_EXT,
                                 GLX_RED_SIZE,
                                 8,
                                 GLX_GREEN_SIZE,
                                 8,
                                 GLX_BLUE_SIZE,
                                 8,
                                 GLX_ALPHA_SIZE,
                                 0,
                                 None };
   static const int texture[] = { GLX_TEXTURE_TARGET_EXT, GLX_TEXTURE_2D_EXT,
                                  GLX_TEXTURE_FORMAT_EXT, GLX_TEXTURE_FORMAT_RGB_EXT, None };
   static const int size[] = { GLX_PBUFFER_WIDTH, WIDTH, GLX_PBUFFER_HEIGHT, HEIGHT, None };
   bind_fn bind = (bind_fn)glXGetProcAddress((const GLubyte *)"glXBindTexImageEXT");
   release_fn release = (release_fn)glXGetProcAddress((const GLubyte *)"glXReleaseTexImageEXT");
   Display *display = XOpenDisplay(NULL);
   int count = 0, wrong = 0, inverted = 0;
   GLXFBConfig *configs =
      display ? glXChooseFBConfig(display, DefaultScreen(display), wanted, &count) : NULL;

   GLXFBConfig config = eight_bits(display, configs, count);

   if (!config || !bind || !release) {
      printf("no display, or none with textures of pixmaps\n");
      return 1;
   }
   Pixmap pixmap = XCreatePixmap(display, DefaultRootWindow(display), WIDTH, HEIGHT, 24);
   GC gc = XCreateGC(display, pixmap, 0, NULL);
   GLXPixmap drawable = glXCreatePixmap(display, config, pixmap, texture);
   GLXPbuffer pbuffer = glXCreatePbuffer(display, config, size);
   GLXContext context = glXCreateNewContext(display, config, GLX_RGBA_TYPE, NULL, True);

   glXMakeContextCurrent(display, pbuffer, pbuffer, context);
   printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   glXGetFBConfigAttrib(display, config, GLX_Y_INVERTED_EXT, &inverted);
   glEnable(GL_TEXTURE_2D);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   for (int round = 0; round < 4; round++) {
      paint(display, pixmap, gc, round);
      bind(display, drawable, GLX_FRONT_LEFT_EXT, NULL);
      draw(inverted);
      /* In every other round the texture is still in use when it is made again. */
      if (round % 2)
         wrong += compare(round);
      release(display, drawable, GLX_FRONT_LEFT_EXT);
   }
   if (wrong)
      printf("%d pixels are wrong\n", wrong);
   glXMakeCurrent(display, None, NULL);
   XCloseDisplay(display);
   return wrong != 0;
}
