/* SPDX-License-Identifier: MIT */
/* Page ranges of one sparse memfd. */
#include "memory/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "memory/anonymous.h"
#include "memory/ranges.h"

struct arena {
   int fd;
   struct mapped_file file; /* the same, as the list of mappings names it */
   bool bounded;            /* its file system may run out of pages */
   pthread_mutex_t lock;
   struct ranges free;
   uint64_t used;
};

/* How the list of mappings names the file: as it names a mapping of it. */
static bool
identify(int fd, struct mapped_file *file)
{
   void *page = mmap(NULL, ARENA_PAGE, PROT_NONE, MAP_SHARED, fd, 0);
   struct stat st;
   bool known;

   if (page == MAP_FAILED)
      return false;
   known = mappings_file_at(page, file);
   munmap(page, ARENA_PAGE);
   /* Without a list nobody will compare. */
   if (!known && !fstat(fd, &st))
      *file = (struct mapped_file){ major(st.st_dev), minor(st.st_dev), st.st_ino };
   return true;
}

struct arena *
arena_create(uint64_t size)
{
   struct arena *arena = calloc(1, sizeof(*arena));
   bool ok;

   if (!arena)
      return NULL;
   ok = ranges_init(&arena->free, 0, size);
   arena->fd = anonymous_file("atoll-memory", MFD_CLOEXEC, &arena->bounded);
   if (!ok || arena->fd < 0 || ftruncate(arena->fd, (off_t)size) ||
       !identify(arena->fd, &arena->file)) {
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

static bool
make_private(void *data, const struct mapping *m)
{
   const struct arena *arena = data;

   if (m->shared && mapped_file_equals(&m->file, &arena->file))
      mmap((void *)(uintptr_t)m->start, m->end - m->start,
           (m->readable ? PROT_READ : 0) | (m->writable ? PROT_WRITE : 0),
           MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, arena->fd, (off_t)m->offset);
   return true;
}

void
arena_forked(struct arena *arena)
{
   mappings_read(make_private, arena);
   close(arena->fd);
   arena->fd = -1;
}

const struct mapped_file *
arena_file(const struct arena *arena)
{
   return &arena->file;
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

void
arena_count(struct arena *arena, uint64_t size)
{
   pthread_mutex_lock(&arena->lock);
   arena->used += size;
   pthread_mutex_unlock(&arena->lock);
}

void
arena_uncount(struct arena *arena, uint64_t size)
{
   pthread_mutex_lock(&arena->lock);
   arena->used -= size;
   pthread_mutex_unlock(&arena->lock);
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
