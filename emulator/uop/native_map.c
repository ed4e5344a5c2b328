/* SPDX-License-Identifier: MIT */
/*
 * Memory for machine code.
 *
 * 1. Pages of a program's own are written first, executable after, never both.
 * 2. A pool has chunks of memory that are mapped twice, to write and to run: code goes there
 *    without a call of the system, without pages that are new, and without a change of their
 *    protection, for which every processor has to be told.  Code is taken from a chunk's start to
 *    its end, and again from its start when all that is in it has been given back.
 * 3. Where the host refuses the second mapping, or where code is long, it is as in 1.
 * 4. Code is the process's own.  A child of fork() does not get the mapping to write, and the one
 *    to run can never be made to be written: code that was made before the fork runs there, and
 *    what the child makes goes to chunks of its own.
 */
#include "uop/native_map.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHUNK_BYTES ((size_t)64 * 1024)
#define LONG_BYTES  (CHUNK_BYTES / 4)
#define ALIGN       ((size_t)64)

struct chunk {
   struct chunk *next;
   pid_t owner;          /* the process that has `write` */
   uint8_t *write, *run; /* MAP_FAILED: none */
   size_t used;
   uint32_t live; /* codes in it */
};

struct uop_native_pool {
   struct chunk *newest; /* code is taken from this one */
   bool refused;
};

bool
uop_native_wanted(void)
{
   const char *native = getenv("ATOLL_NATIVE");
   return !native || strcmp(native, "0") != 0;
}

static void *
own_pages(const void *code, size_t bytes)
{
   void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (p == MAP_FAILED)
      return NULL;
   memcpy(p, code, bytes);
   if (mprotect(p, bytes, PROT_READ | PROT_EXEC) != 0) {
      munmap(p, bytes);
      return NULL;
   }
   return p;
}

static void
free_chunk(struct chunk *c)
{
   if (c->write != MAP_FAILED && c->owner == getpid())
      munmap(c->write, CHUNK_BYTES);
   if (c->run != MAP_FAILED)
      munmap(c->run, CHUNK_BYTES);
   free(c);
}

static uint8_t *
view(int fd, int access)
{
   return mmap(NULL, CHUNK_BYTES, access, MAP_SHARED | MAP_POPULATE, fd, 0);
}

/* From now on the file can be mapped to be read and run alone, and no such mapping becomes another.
 * False: the kernel is older than 5.1. */
static bool
close_for_writing(int fd)
{
#ifdef F_SEAL_FUTURE_WRITE
   return fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
#else
   return false;
#endif
}

/* Both views; false: the host refuses. */
static bool
map_views(struct chunk *c, int fd)
{
   c->write = view(fd, PROT_READ | PROT_WRITE);
   if (c->write == MAP_FAILED)
      return false;
   const bool closed = close_for_writing(fd);
   c->run = view(fd, PROT_READ | PROT_EXEC);
   return c->run != MAP_FAILED && madvise(c->write, CHUNK_BYTES, MADV_DONTFORK) == 0 &&
          (closed || madvise(c->run, CHUNK_BYTES, MADV_DONTFORK) == 0);
}

/* NULL: no memory, or the host refuses. */
static struct chunk *
new_chunk(void)
{
   struct chunk *c = calloc(1, sizeof(*c));
   const int fd = c ? memfd_create("atoll-code", MFD_CLOEXEC | MFD_ALLOW_SEALING) : -1;

   if (fd < 0) {
      free(c);
      return NULL;
   }
   c->owner = getpid();
   c->write = c->run = MAP_FAILED;
   const bool ok = ftruncate(fd, (off_t)CHUNK_BYTES) == 0 && map_views(c, fd);
   close(fd);
   if (!ok) {
      free_chunk(c);
      return NULL;
   }
   return c;
}

struct uop_native_pool *
uop_native_pool_create(void)
{
   return calloc(1, sizeof(struct uop_native_pool));
}

void
uop_native_pool_destroy(struct uop_native_pool *pool)
{
   for (struct chunk *c = pool ? pool->newest : NULL, *next; c; c = next) {
      next = c->next;
      free_chunk(c);
   }
   free(pool);
}

/* A chunk with room for so much; NULL: there is none to be had. */
static struct chunk *
find_room(struct uop_native_pool *pool, size_t bytes)
{
   struct chunk *c = pool->newest;

   if (c && CHUNK_BYTES - c->used >= bytes && c->owner == getpid())
      return c;
   if (pool->refused)
      return NULL;
   c = new_chunk();
   if (!c) {
      pool->refused = true;
      return NULL;
   }
   c->next = pool->newest;
   pool->newest = c;
   return c;
}

void *
uop_native_map(struct uop_native_pool *pool, const void *code, size_t bytes)
{
   const size_t takes = (bytes + ALIGN - 1) & ~(ALIGN - 1);
   struct chunk *c = pool && bytes <= LONG_BYTES ? find_room(pool, takes) : NULL;

   if (!c)
      return own_pages(code, bytes);
   void *p = c->run + c->used;
   memcpy(c->write + c->used, code, bytes);
   c->used += takes;
   c->live++;
   return p;
}

void
uop_native_unmap(struct uop_native_pool *pool, void *code, size_t bytes)
{
   const uint8_t *at = code;

   if (!code)
      return;
   for (struct chunk **p = pool ? &pool->newest : NULL; p && *p; p = &(*p)->next) {
      struct chunk *c = *p;

      if (at < c->run || at >= c->run + CHUNK_BYTES)
         continue;
      if (--c->live)
         return;
      c->used = 0;
      if (c != pool->newest) {
         *p = c->next;
         free_chunk(c);
      }
      return;
   }
   munmap(code, bytes);
}
