/* SPDX-License-Identifier: MIT */
/*
 * Takes one frame of an unmodified GLX or EGL program as a picture, the same frame on every driver.
 *
 * Loaded with LD_PRELOAD.  The program's clock (not its libraries') stands still within a frame and
 * moves 1/60 s with each swap of buffers, so that an animation is a function of the frame's number.
 * Before the swap of frame ATOLL_CAPTURE_FRAME (the first is 1) the back buffer is read and written
 * to ATOLL_CAPTURE as a PNG, GL_RENDERER goes to standard error, and the process ends.
 *
 * With ATOLL_CAPTURE_LOG set, every process that swaps buffers keeps a file of that name, a point
 * and its number: a line with GL_RENDERER, written before the first swap, and one with the swaps so
 * far.  Without ATOLL_CAPTURE nothing else happens, and the clock is the real one.
 *
 * With ATOLL_CAPTURE_OFFSCREEN set, an EGL program on X11 draws into a pbuffer of its window's size
 * on Mesa's surfaceless platform: so it meets a driver that this X server cannot show.
 *
 * Programs that look functions up (glmark2), and libraries that do it for them (SDL, GLFW,
 * libepoxy), are met in dlsym, glXGetProcAddress and eglGetProcAddress.
 */
#include <X11/Xlib.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EGL_EGLEXT_PROTOTYPES 1
#define GL_GLEXT_PROTOTYPES   1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glx.h>

#define EXPORT __attribute__((visibility("default")))

enum { FIRST_SECOND = 1000, FRAMES_A_SECOND = 60 };

static unsigned frame; /* swaps so far */
static uintptr_t program_start, program_end;

/* What the libraries offer under the name of a hook.  What the program looked up is remembered, as
 * its library may be out of RTLD_NEXT's sight. */
enum library_function {
   GLX_GET_PROC_ADDRESS,
   GLX_SWAP_BUFFERS,
   EGL_CHOOSE_CONFIG,
   EGL_CREATE_WINDOW_SURFACE,
   EGL_GET_CONFIG_ATTRIB,
   EGL_GET_DISPLAY,
   EGL_GET_PROC_ADDRESS,
   EGL_SWAP_BUFFERS,
   EGL_SWAP_BUFFERS_WITH_DAMAGE_EXT,
   EGL_SWAP_BUFFERS_WITH_DAMAGE_KHR,
   LIBRARY_FUNCTIONS
};

static const char *const function_names[LIBRARY_FUNCTIONS] = {
   [GLX_GET_PROC_ADDRESS] = "glXGetProcAddress",
   [GLX_SWAP_BUFFERS] = "glXSwapBuffers",
   [EGL_CHOOSE_CONFIG] = "eglChooseConfig",
   [EGL_CREATE_WINDOW_SURFACE] = "eglCreateWindowSurface",
   [EGL_GET_CONFIG_ATTRIB] = "eglGetConfigAttrib",
   [EGL_GET_DISPLAY] = "eglGetDisplay",
   [EGL_GET_PROC_ADDRESS] = "eglGetProcAddress",
   [EGL_SWAP_BUFFERS] = "eglSwapBuffers",
   [EGL_SWAP_BUFFERS_WITH_DAMAGE_EXT] = "eglSwapBuffersWithDamageEXT",
   [EGL_SWAP_BUFFERS_WITH_DAMAGE_KHR] = "eglSwapBuffersWithDamageKHR",
};

static void *found[LIBRARY_FUNCTIONS];

/* The window system that the program swaps buffers with. */
static bool uses_egl;

/* Of an EGL program off screen: its connection to X. */
static Display *x_display;

/* dlsym itself is hooked, so the way to the real one is its version.  The return address tells from
 * where RTLD_NEXT counts, so the last call is a jump, as meson.build has asked for: a sanitizer's
 * runtime would find itself as the next library, and hang. */
static void *
look_up(void *handle, const char *name)
{
   static void *(*next)(void *, const char *);

   if (!next)
      next = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
   return next(handle, name);
}

static void *
real(const char *name)
{
   return look_up(RTLD_NEXT, name);
}

/* Where a program's libraries open OpenGL's themselves, no other library sees these: by their names
 * they are found.  What is there in no library is an extension, and EGL's to find. */
static void *
opened(const char *name)
{
   static const char *const names[] = { "libGLX.so.0", "libGL.so.1", "libEGL.so.1" };
   void *function = NULL;

   for (unsigned i = 0; !function && i < sizeof(names) / sizeof(*names); i++) {
      void *handle = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);

      if (handle) {
         function = look_up(handle, name);
         dlclose(handle);
      }
   }
   return function;
}

static void *
library(enum library_function function)
{
   if (!found[function])
      found[function] = real(function_names[function]);
   if (!found[function])
      found[function] = opened(function_names[function]);
   if (!found[function] && function >= EGL_SWAP_BUFFERS_WITH_DAMAGE_EXT)
      found[function] =
         ((void *(*)(const char *))library(EGL_GET_PROC_ADDRESS))(function_names[function]);
   if (!found[function]) {
      fprintf(stderr, "capture: no library has %s\n", function_names[function]);
      _exit(3);
   }
   return found[function];
}

static int
first_object(struct dl_phdr_info *info, size_t size, void *data)
{
   for (int i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *header = &info->dlpi_phdr[i];

      if (header->p_type == PT_LOAD && (header->p_flags & PF_X)) {
         program_start = info->dlpi_addr + header->p_vaddr;
         program_end = program_start + header->p_memsz;
      }
   }
   return 1;
}

static int
called_by_program(void *return_address)
{
   if (!program_end)
      dl_iterate_phdr(first_object, NULL);
   return (uintptr_t)return_address >= program_start && (uintptr_t)return_address < program_end;
}

/* Whether whoever called is one of OpenGL's own libraries, which ask each other.  With a frame of
 * its own, since dlsym's must be gone at the end. */
__attribute__((noinline)) static bool
called_by_opengl(void *return_address)
{
   static const char *const names[] = { "libGL", "libEGL", "libOpenGL", "libgallium" };
   Dl_info info;
   const char *name;

   if (!dladdr(return_address, &info) || !info.dli_fname)
      return false;
   name = strrchr(info.dli_fname, '/');
   name = name ? name + 1 : info.dli_fname;
   for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
      if (!strncmp(name, names[i], strlen(names[i])))
         return true;
   return false;
}

static bool
clock_stands(void *return_address)
{
   return called_by_program(return_address) && getenv("ATOLL_CAPTURE");
}

EXPORT int
clock_gettime(clockid_t clock, struct timespec *now)
{
   static int (*next)(clockid_t, struct timespec *);

   if (!clock_stands(__builtin_return_address(0))) {
      if (!next)
         next = (int (*)(clockid_t, struct timespec *))real("clock_gettime");
      return next(clock, now);
   }
   now->tv_sec = FIRST_SECOND + frame / FRAMES_A_SECOND;
   now->tv_nsec = (long)(frame % FRAMES_A_SECOND) * (1000000000 / FRAMES_A_SECOND);
   return 0;
}

EXPORT int
gettimeofday(struct timeval *restrict now, void *restrict zone)
{
   static int (*next)(struct timeval *, void *);

   if (!clock_stands(__builtin_return_address(0))) {
      if (!next)
         next = (int (*)(struct timeval *, void *))real("gettimeofday");
      return next(now, zone);
   }
   now->tv_sec = FIRST_SECOND + frame / FRAMES_A_SECOND;
   now->tv_usec = (long)(frame % FRAMES_A_SECOND) * (1000000 / FRAMES_A_SECOND);
   return 0;
}

/* A function of OpenGL. */
static void *
gl(const char *name)
{
   void *(*address)(const char *) =
      (void *(*)(const char *))library(uses_egl ? EGL_GET_PROC_ADDRESS : GLX_GET_PROC_ADDRESS);

   return address(name);
}

static void
write_picture(const char *path)
{
   typedef void (*pixels_fn)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
   typedef void (*get_fn)(GLenum, GLint *);
   typedef void (*store_fn)(GLenum, GLint);
   typedef void (*bind_fn)(GLenum, GLuint);
   typedef const GLubyte *(*string_fn)(GLenum);
   GLint viewport[4], framebuffer = 0, buffer = 0;
   png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB };
   uint8_t *pixels;
   size_t count;

   ((get_fn)gl("glGetIntegerv"))(GL_VIEWPORT, viewport);
   ((get_fn)gl("glGetIntegerv"))(GL_READ_FRAMEBUFFER_BINDING, &framebuffer);
   ((get_fn)gl("glGetIntegerv"))(GL_PIXEL_PACK_BUFFER_BINDING, &buffer);
   if (framebuffer)
      ((bind_fn)gl("glBindFramebuffer"))(GL_READ_FRAMEBUFFER, 0);
   if (buffer)
      ((bind_fn)gl("glBindBuffer"))(GL_PIXEL_PACK_BUFFER, 0);
   image.width = (unsigned)viewport[2];
   image.height = (unsigned)viewport[3];
   count = (size_t)image.width * image.height;
   pixels = malloc(count * 4);
   if (!pixels)
      _exit(3);
   ((store_fn)gl("glPixelStorei"))(GL_PACK_ALIGNMENT, 1);
   /* OpenGL ES reads four channels and no fewer. */
   ((pixels_fn)gl("glReadPixels"))(0, 0, viewport[2], viewport[3], GL_RGBA, GL_UNSIGNED_BYTE,
                                   pixels);
   for (size_t i = 0; i < count; i++)
      memmove(pixels + 3 * i, pixels + 4 * i, 3);
   fprintf(stderr, "GL_RENDERER: %s\n", ((string_fn)gl("glGetString"))(GL_RENDERER));
   if (!png_image_write_to_file(&image, path, 0, pixels, -viewport[2] * 3, NULL)) {
      fprintf(stderr, "capture: cannot write %s: %s\n", path, image.message);
      _exit(3);
   }
   /* The drivers end as the program's libraries unload: they may have something to write. */
   if (getenv("ATOLL_COUNTS"))
      exit(0);
   _exit(0);
}

/* Into the file of this process. */
static void
note_frame(const char *prefix)
{
   typedef const GLubyte *(*string_fn)(GLenum);
   static int file = -1;
   static pid_t owner;
   static int start;
   char text[512];
   int length;

   if (owner != getpid()) {
      owner = getpid();
      snprintf(text, sizeof(text), "%s.%d", prefix, (int)owner);
      file = open(text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      start = snprintf(text, sizeof(text), "GL_RENDERER: %.400s\n",
                       (const char *)((string_fn)gl("glGetString"))(GL_RENDERER));
      if (file >= 0 && pwrite(file, text, (size_t)start, 0) != start)
         file = -1;
   }
   length = snprintf(text, sizeof(text), "frames: %010u\n", frame);
   if (file >= 0 && pwrite(file, text, (size_t)length, start) != length)
      file = -1;
}

static void
end_of_frame(void)
{
   const char *path = getenv("ATOLL_CAPTURE"), *wanted = getenv("ATOLL_CAPTURE_FRAME");
   const char *log = getenv("ATOLL_CAPTURE_LOG");

   frame++;
   if (log)
      note_frame(log);
   if (path && frame >= (wanted ? strtoul(wanted, NULL, 10) : 1))
      write_picture(path);
}

EXPORT void
glXSwapBuffers(Display *display, GLXDrawable drawable)
{
   end_of_frame();
   ((void (*)(Display *, GLXDrawable))library(GLX_SWAP_BUFFERS))(display, drawable);
}

EXPORT EGLBoolean
eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
   uses_egl = true;
   end_of_frame();
   return ((EGLBoolean(*)(EGLDisplay, EGLSurface))library(EGL_SWAP_BUFFERS))(display, surface);
}

static EGLBoolean
swap_with_damage(enum library_function function, EGLDisplay display, EGLSurface surface,
                 const EGLint *rectangles, EGLint count)
{
   typedef EGLBoolean (*swap_fn)(EGLDisplay, EGLSurface, const EGLint *, EGLint);

   uses_egl = true;
   end_of_frame();
   return ((swap_fn)library(function))(display, surface, rectangles, count);
}

EXPORT EGLBoolean
eglSwapBuffersWithDamageEXT(EGLDisplay display, EGLSurface surface, const EGLint *rectangles,
                            EGLint count)
{
   return swap_with_damage(EGL_SWAP_BUFFERS_WITH_DAMAGE_EXT, display, surface, rectangles, count);
}

EXPORT EGLBoolean
eglSwapBuffersWithDamageKHR(EGLDisplay display, EGLSurface surface, const EGLint *rectangles,
                            EGLint count)
{
   return swap_with_damage(EGL_SWAP_BUFFERS_WITH_DAMAGE_KHR, display, surface, rectangles, count);
}

/* EGL off screen
 * ----------------------------------------------------------------------------------- */

static bool
off_screen(void)
{
   return getenv("ATOLL_CAPTURE_OFFSCREEN") != NULL;
}

EXPORT EGLDisplay
eglGetPlatformDisplayEXT(EGLenum platform, void *native, const EGLint *attributes)
{
   typedef EGLDisplay (*display_fn)(EGLenum, void *, const EGLint *);
   display_fn next = (display_fn)((void *(*)(const char *))library(EGL_GET_PROC_ADDRESS))(
      "eglGetPlatformDisplayEXT");

   if (!next)
      return EGL_NO_DISPLAY;
   if (!off_screen())
      return next(platform, native, attributes);
   x_display = native;
   return next(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

EXPORT EGLDisplay
eglGetDisplay(EGLNativeDisplayType native)
{
   if (off_screen())
      return eglGetPlatformDisplayEXT(EGL_PLATFORM_X11_EXT, (void *)native, NULL);
   return ((EGLDisplay(*)(EGLNativeDisplayType))library(EGL_GET_DISPLAY))(native);
}

EXPORT EGLBoolean
eglChooseConfig(EGLDisplay display, const EGLint *attributes, EGLConfig *configs, EGLint size,
                EGLint *count)
{
   enum { MOST = 64 };
   EGLint changed[MOST];
   unsigned n = 0;

   for (; off_screen() && attributes && attributes[0] != EGL_NONE && n + 5 < MOST;
        attributes += 2) {
      if (attributes[0] != EGL_SURFACE_TYPE) {
         changed[n++] = attributes[0];
         changed[n++] = attributes[1];
      }
   }
   if (off_screen()) {
      changed[n++] = EGL_SURFACE_TYPE;
      changed[n++] = EGL_PBUFFER_BIT;
   }
   changed[n] = EGL_NONE;
   return ((EGLBoolean(*)(EGLDisplay, const EGLint *, EGLConfig *, EGLint, EGLint *))library(
      EGL_CHOOSE_CONFIG))(display, n ? changed : attributes, configs, size, count);
}

EXPORT EGLBoolean
eglGetConfigAttrib(EGLDisplay display, EGLConfig config, EGLint attribute, EGLint *value)
{
   typedef VisualID (*visual_fn)(Visual *);

   if (attribute == EGL_NATIVE_VISUAL_ID && off_screen() && x_display) {
      *value = (EGLint)((visual_fn)real("XVisualIDFromVisual"))(
         DefaultVisual(x_display, DefaultScreen(x_display)));
      return EGL_TRUE;
   }
   return ((EGLBoolean(*)(EGLDisplay, EGLConfig, EGLint, EGLint *))library(EGL_GET_CONFIG_ATTRIB))(
      display, config, attribute, value);
}

EXPORT EGLSurface
eglCreateWindowSurface(EGLDisplay display, EGLConfig config, EGLNativeWindowType window,
                       const EGLint *attributes)
{
   typedef EGLSurface (*window_fn)(EGLDisplay, EGLConfig, EGLNativeWindowType, const EGLint *);
   typedef EGLSurface (*pbuffer_fn)(EGLDisplay, EGLConfig, const EGLint *);
   typedef Status (*attributes_fn)(Display *, Window, XWindowAttributes *);
   XWindowAttributes of_window = { 0 };

   if (!off_screen() || !x_display)
      return ((window_fn)library(EGL_CREATE_WINDOW_SURFACE))(display, config, window, attributes);
   ((attributes_fn)real("XGetWindowAttributes"))(x_display, window, &of_window);
   return ((pbuffer_fn)((void *(*)(const char *))library(EGL_GET_PROC_ADDRESS))(
      "eglCreatePbufferSurface"))(
      display, config,
      (const EGLint[]){ EGL_WIDTH, of_window.width, EGL_HEIGHT, of_window.height, EGL_NONE });
}

/* Looking up --------------------------------------------------------------------------------------
 */

static const struct hook {
   const char *name;
   void *function;
   enum library_function next; /* LIBRARY_FUNCTIONS: found by the hook itself */
} hooks[] = {
   { "glXGetProcAddress", (void *)glXGetProcAddress, GLX_GET_PROC_ADDRESS },
   { "glXGetProcAddressARB", (void *)glXGetProcAddressARB, GLX_GET_PROC_ADDRESS },
   { "glXSwapBuffers", (void *)glXSwapBuffers, GLX_SWAP_BUFFERS },
   { "eglChooseConfig", (void *)eglChooseConfig, EGL_CHOOSE_CONFIG },
   { "eglCreateWindowSurface", (void *)eglCreateWindowSurface, EGL_CREATE_WINDOW_SURFACE },
   { "eglGetConfigAttrib", (void *)eglGetConfigAttrib, EGL_GET_CONFIG_ATTRIB },
   { "eglGetDisplay", (void *)eglGetDisplay, EGL_GET_DISPLAY },
   { "eglGetPlatformDisplayEXT", (void *)eglGetPlatformDisplayEXT, LIBRARY_FUNCTIONS },
   { "eglGetProcAddress", (void *)eglGetProcAddress, EGL_GET_PROC_ADDRESS },
   { "eglSwapBuffers", (void *)eglSwapBuffers, EGL_SWAP_BUFFERS },
   { "eglSwapBuffersWithDamageEXT", (void *)eglSwapBuffersWithDamageEXT,
     EGL_SWAP_BUFFERS_WITH_DAMAGE_EXT },
   { "eglSwapBuffersWithDamageKHR", (void *)eglSwapBuffersWithDamageKHR,
     EGL_SWAP_BUFFERS_WITH_DAMAGE_KHR },
};

/* What the program finds under NAME: a hook of ours, or NULL.  A sanitizer asks for the C library's
 * functions before any of them can be called: these are told apart without. */
static const struct hook *
hook(const char *name)
{
   if (!((name[0] == 'g' && name[1] == 'l' && name[2] == 'X') ||
         (name[0] == 'e' && name[1] == 'g' && name[2] == 'l')))
      return NULL;
   for (unsigned i = 0; i < sizeof(hooks) / sizeof(*hooks); i++)
      if (!strcmp(name, hooks[i].name))
         return &hooks[i];
   return NULL;
}

/* The hook, if the library has what it stands for. */
static void *
hooked(const struct hook *ours, void *theirs)
{
   if (theirs && ours->next != LIBRARY_FUNCTIONS && !found[ours->next])
      found[ours->next] = theirs;
   return theirs ? ours->function : NULL;
}

EXPORT __GLXextFuncPtr
glXGetProcAddress(const GLubyte *name)
{
   const struct hook *ours = hook((const char *)name);
   __GLXextFuncPtr theirs =
      ((__GLXextFuncPtr(*)(const GLubyte *))library(GLX_GET_PROC_ADDRESS))(name);

   return ours ? (__GLXextFuncPtr)hooked(ours, (void *)theirs) : theirs;
}

EXPORT __GLXextFuncPtr
glXGetProcAddressARB(const GLubyte *name)
{
   return glXGetProcAddress(name);
}

EXPORT __eglMustCastToProperFunctionPointerType
eglGetProcAddress(const char *name)
{
   typedef __eglMustCastToProperFunctionPointerType function;
   const struct hook *ours = hook(name);
   function theirs = ((function(*)(const char *))library(EGL_GET_PROC_ADDRESS))(name);

   return ours ? (function)hooked(ours, (void *)theirs) : theirs;
}

EXPORT void *
dlsym(void *restrict handle, const char *restrict name)
{
   const struct hook *ours = hook(name);

   if (ours && !called_by_opengl(__builtin_return_address(0)))
      return hooked(ours, look_up(handle, name));
   return look_up(handle, name);
}
