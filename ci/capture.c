/* SPDX-License-Identifier: MIT */
/*
 * Takes one frame of an unmodified GLX program as a picture, the same frame on every driver.
 *
 * Loaded with LD_PRELOAD.  The program's clock (not its libraries') stands still within a frame and
 * moves 1/60 s with each glXSwapBuffers, so that an animation is a function of the frame's number.
 * Before the swap of frame ATOLL_CAPTURE_FRAME (the first is 1) the back buffer is read and written
 * to ATOLL_CAPTURE as a PNG, with GL_RENDERER as its text, and the process ends.
 *
 * Programs that look functions up (glmark2) are met in dlsym and glXGetProcAddress.
 */
#include <dlfcn.h>
#include <link.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define GL_GLEXT_PROTOTYPES 1
#include <GL/gl.h>
#include <GL/glx.h>

#define EXPORT __attribute__((visibility("default")))

enum { FIRST_SECOND = 1000, FRAMES_A_SECOND = 60 };

static unsigned frame; /* swaps so far */
static uintptr_t program_start, program_end;

/* What the program looked up and got a hook for: its libGL may be out of RTLD_NEXT's sight. */
static void *found_swap, *found_address;

/* dlsym itself is hooked, so the way to the real one is its version. */
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

static void *
real_address(void)
{
   if (!found_address)
      found_address = real("glXGetProcAddress");
   if (!found_address)
      found_address = real("glXGetProcAddressARB");
   return found_address;
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

EXPORT int
clock_gettime(clockid_t clock, struct timespec *now)
{
   static int (*next)(clockid_t, struct timespec *);

   if (!called_by_program(__builtin_return_address(0))) {
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

   if (!called_by_program(__builtin_return_address(0))) {
      if (!next)
         next = (int (*)(struct timeval *, void *))real("gettimeofday");
      return next(now, zone);
   }
   now->tv_sec = FIRST_SECOND + frame / FRAMES_A_SECOND;
   now->tv_usec = (long)(frame % FRAMES_A_SECOND) * (1000000 / FRAMES_A_SECOND);
   return 0;
}

static void
write_picture(const char *path)
{
   typedef void (*pixels_fn)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
   typedef void (*get_fn)(GLenum, GLint *);
   typedef void (*store_fn)(GLenum, GLint);
   typedef void (*bind_fn)(GLenum, GLuint);
   typedef const GLubyte *(*string_fn)(GLenum);
   void *(*address)(const char *) = (void *(*)(const char *))real_address();
   GLint viewport[4], framebuffer = 0, buffer = 0;
   png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB };
   uint8_t *pixels;

   if (!address) {
      fprintf(stderr, "capture: the program has no glXGetProcAddress\n");
      _exit(3);
   }
   ((get_fn)address("glGetIntegerv"))(GL_VIEWPORT, viewport);
   ((get_fn)address("glGetIntegerv"))(GL_READ_FRAMEBUFFER_BINDING, &framebuffer);
   ((get_fn)address("glGetIntegerv"))(GL_PIXEL_PACK_BUFFER_BINDING, &buffer);
   if (framebuffer)
      ((bind_fn)address("glBindFramebuffer"))(GL_READ_FRAMEBUFFER, 0);
   if (buffer)
      ((bind_fn)address("glBindBuffer"))(GL_PIXEL_PACK_BUFFER, 0);
   image.width = (unsigned)viewport[2];
   image.height = (unsigned)viewport[3];
   pixels = malloc((size_t)image.width * image.height * 3);
   if (!pixels)
      _exit(3);
   ((store_fn)address("glPixelStorei"))(GL_PACK_ALIGNMENT, 1);
   ((pixels_fn)address("glReadPixels"))(0, 0, viewport[2], viewport[3], GL_RGB, GL_UNSIGNED_BYTE,
                                        pixels);
   fprintf(stderr, "GL_RENDERER: %s\n", ((string_fn)address("glGetString"))(GL_RENDERER));
   if (!png_image_write_to_file(&image, path, 0, pixels, -viewport[2] * 3, NULL)) {
      fprintf(stderr, "capture: cannot write %s: %s\n", path, image.message);
      _exit(3);
   }
   _exit(0);
}

EXPORT void
glXSwapBuffers(Display *display, GLXDrawable drawable)
{
   const char *path = getenv("ATOLL_CAPTURE"), *wanted = getenv("ATOLL_CAPTURE_FRAME");

   frame++;
   if (path && frame >= (wanted ? strtoul(wanted, NULL, 10) : 1))
      write_picture(path);
   if (!found_swap)
      found_swap = real("glXSwapBuffers");
   ((void (*)(Display *, GLXDrawable))found_swap)(display, drawable);
}

/* What the program finds under NAME: a hook of ours, or NULL.  A sanitizer asks for the C library's
 * functions before any of them can be called: these are told apart without. */
static void *
hook(const char *name)
{
   if (name[0] != 'g' || name[1] != 'l' || name[2] != 'X')
      return NULL;
   if (!strcmp(name, "glXSwapBuffers"))
      return (void *)glXSwapBuffers;
   if (!strcmp(name, "glXGetProcAddress"))
      return (void *)glXGetProcAddress;
   if (!strcmp(name, "glXGetProcAddressARB"))
      return (void *)glXGetProcAddressARB;
   return NULL;
}

EXPORT __GLXextFuncPtr
glXGetProcAddress(const GLubyte *name)
{
   __GLXextFuncPtr (*next)(const GLubyte *) = (__GLXextFuncPtr(*)(const GLubyte *))real_address();
   void *ours = hook((const char *)name);

   if (!ours)
      return next(name);
   if (ours == (void *)glXSwapBuffers && !found_swap)
      found_swap = (void *)next(name);
   return (__GLXextFuncPtr)ours;
}

EXPORT __GLXextFuncPtr
glXGetProcAddressARB(const GLubyte *name)
{
   return glXGetProcAddress(name);
}

EXPORT void *
dlsym(void *restrict handle, const char *restrict name)
{
   void *ours = hook(name);

   if (!ours || !called_by_program(__builtin_return_address(0)))
      return look_up(handle, name);
   if (ours == (void *)glXSwapBuffers)
      found_swap = look_up(handle, name);
   else
      found_address = look_up(handle, name);
   return ours;
}
