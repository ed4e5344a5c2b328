/* SPDX-License-Identifier: MIT */
/* Page ranges of one sparse memfd. */
#include "memory/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/anonymous.h"
#include "memory/ranges.h"

struct arena {
   int fd;
   bool bounded; /* its file system may run out of pages */
   pthread_mutex_t lock;
   struct ranges free;
   uint64_t used;
};

struct arena *
arena_create(uint64_t size)
{
   struct arena *arena = calloc(1, sizeof(*arena));
   bool ok;

   if (!arena)
      return NULL;
   ok = ranges_init(&arena->free, 0, size);
   arena->fd = anonymous_file("atoll-memory", MFD_CLOEXEC, &arena->bounded);
   if (!ok || arena->fd < 0 || ftruncate(arena->fd, (off_t)size)) {
      int error = errno;

      if (arena->fd >= 0)
         close(arena->fd);
      ranges_finish(&arena->free);
      free(arena);
      errno = error;
      return NULL;
   }
   pthread_mutex_init(&arena->lock, NULL);
   return arena;
}

void
arena_destroy(struct arena *arena)
{
   if (!arena)
      return;
   close(arena->fd);
   pthread_mutex_destroy(&arena->lock);
   ranges_finish(&arena->free);
   free(arena);
}

/* The allocator may be locked in a forked child, so lines are read into a fixed buffer. */
void
arena_forked(const struct arena *arena)
{
   char buffer[8192];
   size_t filled = 0;
   ssize_t got;
   struct stat st;
   int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

   if (maps < 0)
      return;
   if (fstat(arena->fd, &st)) {
      close(maps);
      return;
   }
   while ((got = read(maps, buffer + filled, sizeof(buffer) - 1 - filled)) > 0) {
      char *line = buffer, *end;

      filled += (size_t)got;
      buffer[filled] = '\0';
      while ((end = strchr(line, '\n'))) {
         uint64_t from, to, offset, ino;
         unsigned major, minor;
         char mode[5];

         *end = '\0';
         if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64, &from, &to,
                    mode, &offset, &major, &minor, &ino) == 7 &&
             ino == st.st_ino && mode[3] == 's')
            mmap((void *)(uintptr_t)from, to - from,
                 (mode[0] == 'r' ? PROT_READ : 0) | (mode[1] == 'w' ? PROT_WRITE : 0),
                 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, arena->fd, (off_t)offset);
         line = end + 1;
      }
      filled -= (size_t)(line - buffer);
      memmove(buffer, line, filled);
      if (filled == sizeof(buffer) - 1)
         filled = 0; /* a name of such a length is not ours */
   }
   close(maps);
}

int
arena_alloc(struct arena *arena, uint64_t size, uint64_t *offset)
{
   bool found;

   pthread_mutex_lock(&arena->lock);
   found = ranges_take(&arena->free, size, offset);
   if (found)
      arena->used += size;
   pthread_mutex_unlock(&arena->lock);
   if (found && arena->bounded && fallocate(arena->fd, 0, (off_t)*offset, (off_t)size)) {
      arena_free(arena, *offset, size);
      return -ENOMEM;
   }
   return found ? 0 : -ENOMEM;
}

void
arena_free(struct arena *arena, uint64_t offset, uint64_t size)
{
   /* A kernel without hole punching would hand out old contents: overwrite them instead. */
   if (fallocate(arena->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
                 (off_t)size)) {
      static const char zeros[4096];

      for (uint64_t at = 0; at < size; at += sizeof(zeros))
         if (pwrite(arena->fd, zeros, sizeof(zeros), (off_t)(offset + at)) < 0)
            break;
   }
   pthread_mutex_lock(&arena->lock);
   arena->used -= size;
   ranges_give(&arena->free, offset, size);
   pthread_mutex_unlock(&arena->lock);
}

int
arena_fd(const struct arena *arena)
{
   return arena->fd;
}

uint64_t
arena_used(struct arena *arena)
{
   uint64_t used;

   pthread_mutex_lock(&arena->lock);
   used = arena->used;
   pthread_mutex_unlock(&arena->lock);
   return used;
}
