/* SPDX-License-Identifier: MIT */
/*
 * Memory that is not the driver's: gl-memory.  Exit code 0, and the number of cases, if all is
 * right; otherwise the reason is on stderr.
 *
 *  1. A buffer in private pages of the program's own (AMD_pinned_memory): the device reads what the
 *     program writes there and the program what the device writes, without any map; a pointer
 *     within a page is refused.
 *  2. A texture and a buffer in a memory object (EXT_memory_object_fd), with another process: it
 *     imports the same file, finds the texels and bytes that this one has drawn, and draws over
 *     them.  What does not fit is refused, and so is a file that could shrink.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
   SIDE = 48,         /* of the texture */
   TEXTURE_AT = 4096, /* in the memory object */
   BUFFER_AT = 256,
   BUFFER_BYTES = 512,
   PINNED_BYTES = 8192,
   OBJECT_BYTES = 1 << 18,
};

/* Of extensions, whose functions are in no library. */
static PFNGLCREATEMEMORYOBJECTSEXTPROC create_objects;
static PFNGLIMPORTMEMORYFDEXTPROC import_fd;
static PFNGLDELETEMEMORYOBJECTSEXTPROC delete_objects;
static PFNGLTEXSTORAGEMEM2DEXTPROC texture_storage;
static PFNGLBUFFERSTORAGEMEMEXTPROC buffer_storage;

static void
fail(const char *why)
{
   fprintf(stderr, "%s\n", why);
   exit(1);
}

/* ---- Pinned memory ---- */

static void
check_pinned(void)
{
   uint8_t *pages =
      mmap(NULL, PINNED_BYTES + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint8_t seen[PINNED_BYTES];
   unsigned names[2];

   if (pages == MAP_FAILED)
      fail("no pages");
   for (unsigned i = 0; i < PINNED_BYTES; i++)
      pages[i] = (uint8_t)(i * 7);
   glGenBuffers(2, names);
   glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, names[0]);
   glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, PINNED_BYTES, pages, GL_STREAM_COPY);
   if (glGetError() != GL_NO_ERROR)
      fail("pages cannot be pinned");
   for (unsigned i = 0; i < PINNED_BYTES; i++)
      if (pages[i] != (uint8_t)(i * 7))
         fail("pinning changes the program's bytes");

   glBindBuffer(GL_COPY_WRITE_BUFFER, names[1]);
   glBufferData(GL_COPY_WRITE_BUFFER, PINNED_BYTES, NULL, GL_STREAM_COPY);
   for (unsigned round = 0; round < 3; round++) {
      memset(pages, 0x30 + (int)round, PINNED_BYTES);
      glCopyBufferSubData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, GL_COPY_WRITE_BUFFER, 0, 0,
                          PINNED_BYTES);
      glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, PINNED_BYTES, seen);
      if (memcmp(seen, pages, PINNED_BYTES) != 0)
         fail("the device does not read what the program writes to pinned memory");
      memset(seen, 0x60 + (int)round, PINNED_BYTES);
      glBufferSubData(GL_COPY_WRITE_BUFFER, 0, PINNED_BYTES, seen);
      glCopyBufferSubData(GL_COPY_WRITE_BUFFER, GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, 16, 16,
                          PINNED_BYTES - 16);
      glFinish();
      if (pages[15] != 0x30 + round || memcmp(pages + 16, seen, PINNED_BYTES - 16) != 0)
         fail("the program does not read what the device writes to pinned memory");
   }

   glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, names[1]);
   glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, 4096, pages + 16, GL_STREAM_COPY);
   if (glGetError() == GL_NO_ERROR)
      fail("a pointer within a page is pinned");
   glDeleteBuffers(2, names);
   pages[0] = 1; /* they stay the program's */
   munmap(pages, PINNED_BYTES + 4096);
}

/* ---- Memory objects ---- */

static void
load_functions(void)
{
   create_objects = (PFNGLCREATEMEMORYOBJECTSEXTPROC)eglGetProcAddress("glCreateMemoryObjectsEXT");
   import_fd = (PFNGLIMPORTMEMORYFDEXTPROC)eglGetProcAddress("glImportMemoryFdEXT");
   delete_objects = (PFNGLDELETEMEMORYOBJECTSEXTPROC)eglGetProcAddress("glDeleteMemoryObjectsEXT");
   texture_storage = (PFNGLTEXSTORAGEMEM2DEXTPROC)eglGetProcAddress("glTexStorageMem2DEXT");
   buffer_storage = (PFNGLBUFFERSTORAGEMEMEXTPROC)eglGetProcAddress("glBufferStorageMemEXT");
}

static unsigned
import(int fd)
{
   unsigned object;
   create_objects(1, &object);
   import_fd(object, OBJECT_BYTES, GL_HANDLE_TYPE_OPAQUE_FD_EXT, dup(fd));
   return object;
}

struct shared {
   unsigned texture, buffer, framebuffer;
};

static struct shared
open_shared(int fd)
{
   unsigned object = import(fd);
   struct shared s;

   glGenTextures(1, &s.texture);
   glBindTexture(GL_TEXTURE_2D, s.texture);
   texture_storage(GL_TEXTURE_2D, 2, GL_RGBA8, SIDE, SIDE, object, TEXTURE_AT);
   glGenBuffers(1, &s.buffer);
   glBindBuffer(GL_COPY_READ_BUFFER, s.buffer);
   buffer_storage(GL_COPY_READ_BUFFER, BUFFER_BYTES, object, BUFFER_AT);
   glGenFramebuffers(1, &s.framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, s.framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s.texture, 1);
   /* Resources keep the memory. */
   delete_objects(1, &object);
   if (glGetError() != GL_NO_ERROR)
      fail("nothing can be made in a memory object");
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("a texture in a memory object is no target");
   return s;
}

/* Level 0 by the processor, level 1 by a clear, the buffer by both. */
static void
fill(const struct shared *s, uint8_t value)
{
   uint8_t texels[SIDE][SIDE][4], bytes[BUFFER_BYTES];

   for (unsigned i = 0; i < sizeof(texels); i++)
      ((uint8_t *)texels)[i] = (uint8_t)(i * 3 + value);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glClearColor((float)value / 255.0f, 0.0f, 1.0f, 0.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   memset(bytes, value, sizeof(bytes));
   unsigned other;
   glGenBuffers(1, &other);
   glBindBuffer(GL_COPY_WRITE_BUFFER, other);
   glBufferData(GL_COPY_WRITE_BUFFER, BUFFER_BYTES, bytes, GL_STATIC_DRAW);
   glCopyBufferSubData(GL_COPY_WRITE_BUFFER, GL_COPY_READ_BUFFER, 0, 0, BUFFER_BYTES);
   glDeleteBuffers(1, &other);
   glFinish();
}

static void
compare(const struct shared *s, uint8_t value, const char *who)
{
   uint8_t texels[SIDE][SIDE][4], half[SIDE / 2 * SIDE / 2][4], bytes[BUFFER_BYTES];
   bool right = true;

   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   for (unsigned i = 0; i < sizeof(texels); i++)
      right &= ((uint8_t *)texels)[i] == (uint8_t)(i * 3 + value);
   glReadPixels(0, 0, SIDE / 2, SIDE / 2, GL_RGBA, GL_UNSIGNED_BYTE, half);
   for (unsigned i = 0; i < SIDE / 2 * SIDE / 2; i++)
      right &= half[i][0] == value && half[i][1] == 0 && half[i][2] == 255 && half[i][3] == 0;
   glGetBufferSubData(GL_COPY_READ_BUFFER, 0, BUFFER_BYTES, bytes);
   for (unsigned i = 0; i < BUFFER_BYTES; i++)
      right &= bytes[i] == value;
   if (!right) {
      fprintf(stderr, "%s reads something else\n", who);
      exit(1);
   }
}

static void
check_refused(int fd)
{
   unsigned object = import(fd), texture;
   int unsealed = memfd_create("gl-memory", MFD_CLOEXEC);

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   texture_storage(GL_TEXTURE_2D, 1, GL_RGBA8, 512, 512, object, 0);
   if (glGetError() == GL_NO_ERROR)
      fail("a texture is larger than its memory object");
   delete_objects(1, &object);

   if (unsealed < 0 || ftruncate(unsealed, OBJECT_BYTES))
      fail("no memfd");
   object = import(unsealed);
   texture_storage(GL_TEXTURE_2D, 1, GL_RGBA8, SIDE, SIDE, object, 0);
   if (glGetError() == GL_NO_ERROR)
      fail("a memory object can be a file that shrinks under the device");
   delete_objects(1, &object);
   glDeleteTextures(1, &texture);
   close(unsealed);
}

/* The other process: gl-memory FD. */
static int
other_process(int fd)
{
   struct shared s = open_shared(fd);
   compare(&s, 11, "another process");
   fill(&s, 99);
   offscreen_close();
   return 0;
}

static void
check_objects(const char *self)
{
   int fd = memfd_create("gl-memory", MFD_ALLOW_SEALING), status = 0;
   char number[16];

   if (fd < 0 || ftruncate(fd, OBJECT_BYTES) || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
      fail("no sealed memfd");
   check_refused(fd);
   struct shared s = open_shared(fd);
   fill(&s, 11);
   compare(&s, 11, "this process");
   snprintf(number, sizeof(number), "%d", fd);
   pid_t child = fork();
   if (child == 0) {
      execl(self, self, number, (char *)NULL);
      _exit(127);
   }
   if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
      fail("the other process failed");
   compare(&s, 99, "this process, of what another has drawn,");
   close(fd);
}

int
main(int argc, char **argv)
{
   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   load_functions();
   if (argc == 2)
      return other_process(atoi(argv[1]));
   check_pinned();
   check_objects("/proc/self/exe");
   offscreen_close();
   puts("2");
   return 0;
}
