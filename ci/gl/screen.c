/* SPDX-License-Identifier: MIT */
/* What a compositor does with a card that has a screen: sets the mode with a picture that OpenGL
 * drew, flips to another, and waits for the flip by epoll.
 *
 *    gl-screen FILE    with ATOLL_SCREEN=FILE in the environment: the file has to show either
 *
 * libgbm is loaded by name, as in node.c. */
#define GL_GLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>

#define USE_SCANOUT (1u << 0)
#define USE_DRAW    (1u << 2)

struct gbm_device;
struct gbm_surface;
struct gbm_bo;
union gbm_handle {
   void *pointer;
   uint32_t u32;
   uint64_t u64;
};

static struct {
   struct gbm_device *(*create_device)(int fd);
   struct gbm_surface *(*surface_create)(struct gbm_device *gbm, uint32_t width, uint32_t height,
                                         uint32_t format, uint32_t flags);
   struct gbm_bo *(*surface_lock_front_buffer)(struct gbm_surface *surface);
   uint32_t (*bo_get_stride)(struct gbm_bo *bo);
   union gbm_handle (*bo_get_handle)(struct gbm_bo *bo);
} gbm;

static void
need(bool ok, const char *what)
{
   if (ok)
      return;
   fprintf(stderr, "gl-screen: %s failed (EGL error 0x%x)\n", what, eglGetError());
   exit(1);
}

static void
load_gbm(void)
{
   static const char *const names[] = { "gbm_create_device", "gbm_surface_create",
                                        "gbm_surface_lock_front_buffer", "gbm_bo_get_stride",
                                        "gbm_bo_get_handle" };
   void *library = dlopen("libgbm.so.1", RTLD_NOW), **slot = (void **)&gbm;
   need(library != NULL, "loading libgbm.so.1");
   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      slot[i] = dlsym(library, names[i]);
      need(slot[i] != NULL, names[i]);
   }
}

/* The connector's first mode, and the ids to set it. */
struct screen {
   int fd;
   uint32_t crtc, connector;
   struct drm_mode_modeinfo mode;
};

static struct screen
find_screen(int fd)
{
   struct screen screen = { .fd = fd };
   struct drm_mode_card_res res = { .count_crtcs = 1,
                                    .crtc_id_ptr = (uintptr_t)&screen.crtc,
                                    .count_connectors = 1,
                                    .connector_id_ptr = (uintptr_t)&screen.connector };
   struct drm_mode_get_connector con = { .count_modes = 1, .modes_ptr = (uintptr_t)&screen.mode };

   need(!ioctl(fd, DRM_IOCTL_SET_MASTER, 0), "becoming the card's master");
   need(!ioctl(fd, DRM_IOCTL_MODE_GETRESOURCES, &res) && res.count_connectors, "finding a screen");
   con.connector_id = screen.connector;
   need(!ioctl(fd, DRM_IOCTL_MODE_GETCONNECTOR, &con) && con.connection == 1, "finding its mode");
   return screen;
}

/* One colour, in bytes, as a framebuffer. */
static uint32_t
draw(const struct screen *screen, EGLDisplay display, EGLSurface surface, struct gbm_surface *from,
     uint32_t colour)
{
   struct drm_mode_fb_cmd2 cmd = { .width = screen->mode.hdisplay,
                                   .height = screen->mode.vdisplay,
                                   .pixel_format = DRM_FORMAT_XRGB8888 };
   struct gbm_bo *bo;

   glClearColor((float)(colour >> 16 & 0xff) / 255.0f, (float)(colour >> 8 & 0xff) / 255.0f,
                (float)(colour & 0xff) / 255.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   need(eglSwapBuffers(display, surface), "eglSwapBuffers");
   bo = gbm.surface_lock_front_buffer(from);
   need(bo != NULL, "gbm_surface_lock_front_buffer");
   cmd.handles[0] = gbm.bo_get_handle(bo).u32;
   cmd.pitches[0] = gbm.bo_get_stride(bo);
   need(!ioctl(screen->fd, DRM_IOCTL_MODE_ADDFB2, &cmd), "adding a framebuffer");
   return cmd.fb_id;
}

/* Exits unless every pixel of the file is of the colour. */
static void
check(const struct screen *screen, const char *path, uint32_t colour)
{
   unsigned width, height, most, x = 0;
   FILE *file = fopen(path, "rb");
   uint8_t pixel[3];

   need(file && fscanf(file, "P6 %u %u %u", &width, &height, &most) == 3 && fgetc(file) == '\n',
        "reading the picture's header");
   need(width == screen->mode.hdisplay && height == screen->mode.vdisplay && most == 255,
        "the picture's size");
   while (x < width * height && fread(pixel, 3, 1, file) == 1 &&
          (uint32_t)(pixel[0] << 16 | pixel[1] << 8 | pixel[2]) == colour)
      x++;
   if (x < width * height) {
      fprintf(stderr, "gl-screen: pixel %u, %u is not %06x\n", x % width, x / width, colour);
      exit(1);
   }
   fclose(file);
}

static void
flip(const struct screen *screen, uint32_t framebuffer)
{
   struct drm_mode_crtc_page_flip args = { .crtc_id = screen->crtc,
                                           .fb_id = framebuffer,
                                           .flags = DRM_MODE_PAGE_FLIP_EVENT,
                                           .user_data = 0x5eed };
   struct epoll_event waiting = { .events = EPOLLIN, .data.u32 = 7 }, got = { 0 };
   struct drm_event_vblank event;
   int epoll = epoll_create1(EPOLL_CLOEXEC);

   need(epoll >= 0 && !epoll_ctl(epoll, EPOLL_CTL_ADD, screen->fd, &waiting), "waiting by epoll");
   need(epoll_wait(epoll, &got, 1, 0) == 0, "having no event yet");
   need(!ioctl(screen->fd, DRM_IOCTL_MODE_PAGE_FLIP, &args), "flipping");
   need(epoll_wait(epoll, &got, 1, 30000) == 1 && got.data.u32 == 7, "hearing of the flip");
   need(read(screen->fd, &event, sizeof(event)) == sizeof(event), "reading the event");
   need(event.base.type == DRM_EVENT_FLIP_COMPLETE && event.user_data == args.user_data &&
           event.crtc_id == screen->crtc,
        "getting the flip's own event");
   close(epoll);
}

int
main(int argc, char **argv)
{
   static const EGLint wanted[] = {
      EGL_SURFACE_TYPE,    EGL_WINDOW_BIT, EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8,
      EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE
   };
   EGLConfig configs[64], config = NULL;
   EGLint count = 0;
   uint32_t one, other;

   if (argc != 2) {
      fprintf(stderr, "usage: gl-screen FILE\n");
      return 2;
   }
   load_gbm();
   int fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
   need(fd >= 0, "opening /dev/dri/card0");
   struct screen screen = find_screen(fd);
   struct gbm_device *device = gbm.create_device(fd);
   need(device != NULL, "gbm_create_device");
   EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL);
   need(display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL), "EGL on GBM");
   need(eglBindAPI(EGL_OPENGL_API) && eglChooseConfig(display, wanted, configs, 64, &count),
        "eglChooseConfig");
   for (EGLint i = 0; i < count; i++) {
      EGLint id = 0;
      eglGetConfigAttrib(display, configs[i], EGL_NATIVE_VISUAL_ID, &id);
      if ((uint32_t)id == DRM_FORMAT_XRGB8888)
         config = configs[i];
   }
   need(config != NULL, "finding a configuration of XRGB8888");
   struct gbm_surface *target =
      gbm.surface_create(device, screen.mode.hdisplay, screen.mode.vdisplay, DRM_FORMAT_XRGB8888,
                         USE_SCANOUT | USE_DRAW);
   need(target != NULL, "gbm_surface_create");
   EGLSurface surface = eglCreatePlatformWindowSurface(display, config, target, NULL);
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
   need(surface != EGL_NO_SURFACE && context != EGL_NO_CONTEXT &&
           eglMakeCurrent(display, surface, surface, context),
        "an OpenGL context");
   printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));

   one = draw(&screen, display, surface, target, 0x2060c0);
   struct drm_mode_crtc set = { .crtc_id = screen.crtc,
                                .fb_id = one,
                                .mode_valid = 1,
                                .mode = screen.mode,
                                .count_connectors = 1,
                                .set_connectors_ptr = (uintptr_t)&screen.connector };
   need(!ioctl(fd, DRM_IOCTL_MODE_SETCRTC, &set), "setting the mode");
   check(&screen, argv[1], 0x2060c0);
   other = draw(&screen, display, surface, target, 0xff8001);
   check(&screen, argv[1], 0x2060c0); /* which is not shown yet */
   flip(&screen, other);
   check(&screen, argv[1], 0xff8001);
   return 0;
}
