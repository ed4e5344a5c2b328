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
 *  3. Bad memory: pages that the program unmaps while the device has them, a hole that it punches
 *     into a memory object, files and descriptors that are no memory, offsets and sizes beyond the
 *     end; more pages than are mapped, and pages of a file that could shrink under the device.  The
 *     process lives, what is there can be read, and the rest is an error.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
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

/* Of extensions: their functions are in no library. */
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

/* Pages that are gone from the program stay the device's. */
static void
check_unmapped(void)
{
   uint8_t *pages =
      mmap(NULL, PINNED_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint8_t seen[PINNED_BYTES];
   unsigned names[2];

   if (pages == MAP_FAILED)
      fail("no pages");
   memset(pages, 0x5a, PINNED_BYTES);
   glGenBuffers(2, names);
   glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, names[0]);
   glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, PINNED_BYTES, pages, GL_STREAM_COPY);
   glBindBuffer(GL_COPY_WRITE_BUFFER, names[1]);
   glBufferData(GL_COPY_WRITE_BUFFER, PINNED_BYTES, NULL, GL_STREAM_COPY);
   if (glGetError() != GL_NO_ERROR)
      fail("pages cannot be pinned");
   munmap(pages + PINNED_BYTES / 2, PINNED_BYTES / 2);
   mprotect(pages, PINNED_BYTES / 2, PROT_NONE);
   for (unsigned round = 0; round < 2; round++) {
      glCopyBufferSubData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, GL_COPY_WRITE_BUFFER, 0, 0,
                          PINNED_BYTES);
      glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, PINNED_BYTES, seen);
      for (unsigned i = 0; i < PINNED_BYTES; i++)
         if (seen[i] != 0x5a + round)
            fail("pages that the program has unmapped are not the device's any more");
      memset(seen, 0x5b, PINNED_BYTES);
      glBufferSubData(GL_COPY_WRITE_BUFFER, 0, PINNED_BYTES, seen);
      glCopyBufferSubData(GL_COPY_WRITE_BUFFER, GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, 0, 0,
                          PINNED_BYTES);
   }
   munmap(pages, PINNED_BYTES / 2);
   pages = mmap(NULL, PINNED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, PINNED_BYTES, pages, GL_STREAM_COPY);
   if (glGetError() == GL_NO_ERROR)
      fail("pages that nobody may read are pinned");
   glDeleteBuffers(2, names);
   munmap(pages, PINNED_BYTES);
   glFinish();
   while (glGetError() != GL_NO_ERROR)
      continue;
}

static bool
can_pin(uint8_t *pages, GLsizeiptr bytes)
{
   unsigned name;

   glGenBuffers(1, &name);
   glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, name);
   glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, bytes, pages, GL_STREAM_COPY);
   const bool can = glGetError() == GL_NO_ERROR;
   glDeleteBuffers(1, &name);
   return can;
}

/* What a file has beyond the mapping is not the program's to give; a file that can be cut shorter
 * would take the pages from under the device. */
static void
check_beyond(void)
{
   int fd = memfd_create("gl-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   uint8_t *pages =
      mmap(NULL, 4 * PINNED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

   if (fd < 0 || ftruncate(fd, 4 * PINNED_BYTES) ||
       mmap(pages, PINNED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != pages)
      fail("no pages");
   if (can_pin(pages, PINNED_BYTES))
      fail("pages of a file that can be cut shorter are pinned");
   if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK))
      fail("no sealed memfd");
   if (!can_pin(pages, PINNED_BYTES))
      fail("pages of a sealed file cannot be pinned");
   if (can_pin(pages, 2 * PINNED_BYTES))
      fail("more is pinned than is mapped");
   munmap(pages, PINNED_BYTES);
   if (can_pin(pages, PINNED_BYTES))
      fail("pages that are not there are pinned");
   munmap(pages, 4 * PINNED_BYTES);
   close(fd);
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

/* Whatever a texture is asked for in this file is an error. */
static void
refuse_file(int fd, const char *why)
{
   unsigned object = import(fd), texture;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   texture_storage(GL_TEXTURE_2D, 1, GL_RGBA8, SIDE, SIDE, object, 0);
   if (glGetError() == GL_NO_ERROR)
      fail(why);
   delete_objects(1, &object);
   glDeleteTextures(1, &texture);
   while (glGetError() != GL_NO_ERROR)
      continue;
   if (fd >= 0)
      close(fd);
}

static int
sealed(int seals)
{
   int fd = memfd_create("gl-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   if (fd < 0 || ftruncate(fd, OBJECT_BYTES) || fcntl(fd, F_ADD_SEALS, seals))
      fail("no sealed memfd");
   return fd;
}

static void
check_bad_files(void)
{
   char path[] = "/tmp/gl-memory-XXXXXX";
   int ends[2], file = mkstemp(path);

   if (file < 0 || unlink(path) || ftruncate(file, OBJECT_BYTES))
      fail("no file");
   refuse_file(file, "a memory object can be a file on a disk, which may shrink");
   refuse_file(-1, "a memory object is made of no descriptor");
   refuse_file(open("/dev/null", O_RDWR | O_CLOEXEC), "a memory object can be /dev/null");
   refuse_file(open("/", O_RDONLY | O_CLOEXEC), "a memory object can be a folder");
   if (pipe(ends))
      fail("no pipe");
   close(ends[1]);
   refuse_file(ends[0], "a memory object can be a pipe");
   refuse_file(socket(AF_UNIX, SOCK_STREAM, 0), "a memory object can be a socket");
   refuse_file(sealed(F_SEAL_SHRINK | F_SEAL_WRITE),
               "a memory object can be a file that nobody may write");
   int empty = memfd_create("gl-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   if (empty < 0 || fcntl(empty, F_ADD_SEALS, F_SEAL_SHRINK))
      fail("no sealed memfd");
   refuse_file(empty, "a memory object can be an empty file");
}

/* More than the file has, however the object was declared. */
static void
check_bad_places(void)
{
   static const uint64_t offsets[] = { OBJECT_BYTES,          OBJECT_BYTES - 256,
                                       UINT64_C(1) << 31,     UINT64_C(1) << 32,
                                       UINT64_C(1) << 63,     UINT64_MAX - 255,
                                       UINT64_MAX - 4096 + 1, 1 };
   int fd = sealed(F_SEAL_SHRINK);
   unsigned object, names[2];

   create_objects(1, &object);
   import_fd(object, UINT64_C(1) << 40, GL_HANDLE_TYPE_OPAQUE_FD_EXT, dup(fd));
   for (unsigned i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
      glGenTextures(1, &names[0]);
      glGenBuffers(1, &names[1]);
      glBindTexture(GL_TEXTURE_2D, names[0]);
      glBindBuffer(GL_COPY_READ_BUFFER, names[1]);
      texture_storage(GL_TEXTURE_2D, 1, GL_RGBA8, SIDE, SIDE, object, offsets[i]);
      if (glGetError() == GL_NO_ERROR)
         fail("a texture lies beyond the end of its memory object");
      buffer_storage(GL_COPY_READ_BUFFER, BUFFER_BYTES, object, offsets[i]);
      if (glGetError() == GL_NO_ERROR)
         fail("a buffer lies beyond the end of its memory object");
      glDeleteTextures(1, &names[0]);
      glDeleteBuffers(1, &names[1]);
   }
   while (glGetError() != GL_NO_ERROR)
      continue;
   delete_objects(1, &object);
   close(fd);
}

/* What the owner of the file may do to it while it is drawn to. */
static void
check_holes(void)
{
   int fd = sealed(F_SEAL_SHRINK | F_SEAL_GROW);
   struct shared s = open_shared(fd);
   uint8_t texels[SIDE][SIDE][4];

   fill(&s, 11);
   if (!ftruncate(fd, 0))
      fail("a file that is sealed shrinks");
   if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, OBJECT_BYTES))
      fail("no hole can be made");
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   for (unsigned i = 0; i < sizeof(texels); i++)
      if (((uint8_t *)texels)[i])
         fail("there is something in a hole");
   close(fd);
   fill(&s, 12);
   compare(&s, 12, "a program that made a hole");
   glDeleteTextures(1, &s.texture);
   glDeleteBuffers(1, &s.buffer);
   glDeleteFramebuffers(1, &s.framebuffer);
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
   check_unmapped();
   check_beyond();
   check_bad_files();
   check_bad_places();
   check_holes();
   offscreen_close();
   puts("7");
   return 0;
}
