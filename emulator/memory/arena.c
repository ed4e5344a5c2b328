/* SPDX-License-Identifier: MIT */
/*
 * Page ranges of one sparse memfd.  The free ranges are kept sorted and merged, and the smallest
 * that fits is taken: buffers come in few sizes, so holes are reused exactly.
 */
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

struct range {
   uint64_t offset, size;
};

struct arena {
   int fd;
   pthread_mutex_t lock;
   struct range *free;
   size_t num_free, max_free;
   uint64_t used;
};

struct arena *
arena_create(uint64_t size)
{
   struct arena *arena = calloc(1, sizeof *arena);

   if (!arena)
      return NULL;
   arena->max_free = 64;
   arena->free = calloc(arena->max_free, sizeof *arena->free);
   arena->fd = memfd_create("atoll-memory", MFD_CLOEXEC);
   if (!arena->free || arena->fd < 0 || ftruncate(arena->fd, (off_t)size)) {
      int error = errno;

      if (arena->fd >= 0)
         close(arena->fd);
      free(arena->free);
      free(arena);
      errno = error;
      return NULL;
   }
   pthread_mutex_init(&arena->lock, NULL);
   arena->free[0] = (struct range){ 0, size };
   arena->num_free = 1;
   return arena;
}

void
arena_destroy(struct arena *arena)
{
   if (!arena)
      return;
   close(arena->fd);
   pthread_mutex_destroy(&arena->lock);
   free(arena->free);
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
   while ((got = read(maps, buffer + filled, sizeof buffer - 1 - filled)) > 0) {
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
      if (filled == sizeof buffer - 1)
         filled = 0; /* a name of such a length is not ours */
   }
   close(maps);
}

int
arena_alloc(struct arena *arena, uint64_t size, uint64_t *offset)
{
   size_t best = SIZE_MAX;

   pthread_mutex_lock(&arena->lock);
   for (size_t i = 0; i < arena->num_free; i++) {
      if (arena->free[i].size < size)
         continue;
      if (best == SIZE_MAX || arena->free[i].size < arena->free[best].size)
         best = i;
      if (arena->free[i].size == size)
         break;
   }
   if (best != SIZE_MAX) {
      struct range *r = &arena->free[best];

      *offset = r->offset;
      r->offset += size;
      r->size -= size;
      if (!r->size) {
         arena->num_free--;
         memmove(r, r + 1, (arena->num_free - best) * sizeof *r);
      }
      arena->used += size;
   }
   pthread_mutex_unlock(&arena->lock);
   return best == SIZE_MAX ? -ENOMEM : 0;
}

void
arena_free(struct arena *arena, uint64_t offset, uint64_t size)
{
   size_t i = 0;

   /* A kernel without hole punching would hand out old contents: overwrite them instead. */
   if (fallocate(arena->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
                 (off_t)size)) {
      static const char zeros[4096];

      for (uint64_t at = 0; at < size; at += sizeof zeros)
         if (pwrite(arena->fd, zeros, sizeof zeros, (off_t)(offset + at)) < 0)
            break;
   }

   pthread_mutex_lock(&arena->lock);
   arena->used -= size;
   while (i < arena->num_free && arena->free[i].offset < offset)
      i++;

   bool joins_last = i > 0 && arena->free[i - 1].offset + arena->free[i - 1].size == offset;
   bool joins_next = i < arena->num_free && offset + size == arena->free[i].offset;

   if (joins_last && joins_next) {
      arena->free[i - 1].size += size + arena->free[i].size;
      arena->num_free--;
      memmove(&arena->free[i], &arena->free[i + 1], (arena->num_free - i) * sizeof *arena->free);
   } else if (joins_last) {
      arena->free[i - 1].size += size;
   } else if (joins_next) {
      arena->free[i].offset = offset;
      arena->free[i].size += size;
   } else {
      if (arena->num_free == arena->max_free) {
         size_t max = arena->max_free * 2;
         struct range *grown = realloc(arena->free, max * sizeof *grown);

         if (!grown) {
            /* The range is lost to this process, its pages are not. */
            pthread_mutex_unlock(&arena->lock);
            return;
         }
         arena->free = grown;
         arena->max_free = max;
      }
      memmove(&arena->free[i + 1], &arena->free[i], (arena->num_free - i) * sizeof *arena->free);
      arena->free[i] = (struct range){ offset, size };
      arena->num_free++;
   }
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
