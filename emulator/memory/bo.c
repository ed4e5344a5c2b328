/* SPDX-License-Identifier: MIT */
/*
 * Backing of buffer objects.
 */
#include "memory/bo.h"
#include "memory/anonymous.h"
#include "memory/arena.h"
#include "memory/duplicate.h"
#include "memory/mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static struct bo *
bo_new(struct arena *arena, uint64_t size, enum bo_backing backing)
{
   struct bo *bo = calloc(1, sizeof(*bo));

   if (!bo) {
      errno = ENOMEM;
      return NULL;
   }
   atomic_init(&bo->references, 1);
   bo->arena = arena;
   bo->size = size;
   bo->backing = backing;
   bo->fd = -1;
   return bo;
}

struct bo *
bo_create(struct arena *arena, uint64_t size)
{
   struct bo *bo = bo_new(arena, size, BO_ARENA);
   int error;

   if (!bo)
      return NULL;
   bo->fd = arena_fd(arena);
   error = arena_alloc(arena, size, &bo->offset);
   if (error) {
      free(bo);
      errno = -error;
      return NULL;
   }
   return bo;
}

struct bo *
bo_create_user(struct arena *arena, void *address, uint64_t size)
{
   bool whole;
   void *copy = duplicate(address, size, arena_file(arena), &whole);
   struct bo *bo;

   if (!copy)
      return NULL;
   bo = bo_new(arena, size, BO_USER);
   if (!bo) {
      munmap(copy, size);
      errno = ENOMEM;
      return NULL;
   }
   bo->user = copy;
   bo->whole = whole;
   return bo;
}

static int
bo_adopt_file(struct bo *bo, int fd)
{
   struct stat st;

   if (file_status(fd, &st))
      return -errno;
   bo->fd = fd;
   bo->offset = 0;
   bo->dev = st.st_dev;
   bo->ino = st.st_ino;
   bo->backing = BO_FILE;
   return 0;
}

/* A sealed file of so many bytes, or a negative errno. */
static int
sealed_file(uint64_t size)
{
   const int fd = anonymous_file("atoll-buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING, NULL);
   int error;

   if (fd < 0)
      return -errno;
   if (!ftruncate(fd, (off_t)size) && !fcntl(fd, F_ADD_SEALS, SEALS))
      return fd;
   error = errno;
   close(fd);
   return -error;
}

struct bo *
bo_create_alone(struct arena *arena, uint64_t size)
{
   const int fd = sealed_file(size);
   struct bo *bo = fd < 0 ? NULL : bo_new(arena, size, BO_FILE);
   int error = fd < 0 ? fd : bo ? bo_adopt_file(bo, fd) : -ENOMEM;

   if (!error) {
      bo->inside = true;
      arena_count(arena, size);
      return bo;
   }
   if (fd >= 0)
      close(fd);
   free(bo);
   errno = -error;
   return NULL;
}

struct bo *
bo_create_file(struct arena *arena, int fd)
{
   int seals = fcntl(fd, F_GET_SEALS);
   struct stat st;
   struct bo *bo;
   int copy;

   if (seals < 0 || !(seals & F_SEAL_SHRINK)) {
      errno = EPERM;
      return NULL;
   }
   if (file_status(fd, &st))
      return NULL;
   if (st.st_size <= 0 || (uint64_t)st.st_size % ARENA_PAGE) {
      errno = EINVAL;
      return NULL;
   }
   copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
   if (copy < 0)
      return NULL;
   bo = bo_new(arena, (uint64_t)st.st_size, BO_FILE);
   if (!bo || bo_adopt_file(bo, copy)) {
      free(bo);
      close(copy);
      return NULL;
   }
   arena_count(arena, bo->size);
   return bo;
}

void
bo_unref(struct bo *bo)
{
   if (!bo || atomic_fetch_sub_explicit(&bo->references, 1, memory_order_acq_rel) != 1)
      return;
   switch (bo->backing) {
   case BO_ARENA:
      arena_free(bo->arena, bo->offset, bo->size);
      break;
   case BO_FILE:
      close(bo->fd);
      arena_uncount(bo->arena, bo->size);
      break;
   case BO_USER:
      munmap(bo->user, bo->size);
      break;
   }
   free(bo);
}

void *
bo_map(const struct bo *bo, void *address, size_t length, int prot, int flags, uint64_t offset)
{
   if (offset > bo->size || length > bo->size - offset) {
      errno = EINVAL;
      return MAP_FAILED;
   }
   if (bo->backing != BO_USER)
      return mmap(address, length, prot, MAP_SHARED | (flags & MAP_FIXED), bo->fd,
                  (off_t)(bo->offset + offset));

   void *mapped = address;

   if (!(flags & MAP_FIXED))
      mapped = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (mapped == MAP_FAILED ||
       (duplicate_again(mapped, (char *)bo->user + offset, length, bo->whole) &&
        !mprotect(mapped, length, prot)))
      return mapped;
   if (!(flags & MAP_FIXED)) {
      const int error = errno;

      munmap(mapped, length);
      errno = error;
   }
   return MAP_FAILED;
}

/* A mapping of some of a buffer. */
struct move {
   uint64_t address, length, offset; /* offset: in the buffer */
   int prot;
};

struct moves {
   const struct bo *bo;
   struct move *list;
   size_t count, room;
   bool no_memory;
};

static bool
add_move(void *data, const struct mapping *m)
{
   struct moves *moves = data;
   const struct bo *bo = moves->bo;
   const uint64_t low = m->offset > bo->offset ? m->offset : bo->offset;
   const uint64_t end = m->offset + (m->end - m->start);
   const uint64_t high = end < bo->offset + bo->size ? end : bo->offset + bo->size;

   if (!m->shared || !mapped_file_equals(&m->file, arena_file(bo->arena)) || low >= high)
      return true;
   if (moves->count == moves->room) {
      const size_t room = moves->room ? moves->room * 2 : 16;
      struct move *grown = realloc(moves->list, room * sizeof(*grown));

      moves->no_memory = !grown;
      if (!grown)
         return false;
      moves->list = grown;
      moves->room = room;
   }
   moves->list[moves->count++] = (struct move){
      .address = m->start + (low - m->offset),
      .length = high - low,
      .offset = low - bo->offset,
      .prot = (m->readable ? PROT_READ : 0) | (m->writable ? PROT_WRITE : 0),
   };
   return true;
}

/* Remaps what this process has mapped of an arena buffer to `fd`.  Only the kernel knows where
 * clients still have it mapped, so its list is read. */
static int
move_mappings(const struct bo *bo, int fd)
{
   struct moves moves = { .bo = bo };
   int result = !mappings_read(add_move, &moves) ? -EACCES : moves.no_memory ? -ENOMEM : 0;

   for (size_t i = 0; i < moves.count && !result; i++) {
      const struct move *m = &moves.list[i];

      if (mmap((void *)(uintptr_t)m->address, m->length, m->prot, MAP_SHARED | MAP_FIXED, fd,
               (off_t)m->offset) == MAP_FAILED)
         result = -errno;
   }
   free(moves.list);
   return result;
}

/* Copies what the file has of the buffer: pages that were never written stay without memory. */
static void
copy_data(const struct bo *bo, uint8_t *to, const uint8_t *from)
{
   const off_t end = (off_t)(bo->offset + bo->size);
   off_t at = (off_t)bo->offset;

   while (at < end) {
      off_t data = lseek(bo->fd, at, SEEK_DATA), hole;

      if (data < 0 && errno == ENXIO)
         return;
      /* A file system that does not know has data everywhere. */
      data = data < 0 ? at : data;
      hole = lseek(bo->fd, data, SEEK_HOLE);
      if (hole < 0 || hole > end)
         hole = end;
      if (data >= end)
         return;
      memcpy(to + (data - (off_t)bo->offset), from + (data - (off_t)bo->offset),
             (size_t)(hole - data));
      at = hole;
   }
}

int
bo_move_to_file(struct bo *bo)
{
   struct bo file = { 0 };
   void *old, *copy;
   int fd, result;

   if (bo->backing == BO_FILE)
      return 0;
   if (bo->backing == BO_USER)
      return -EOPNOTSUPP;

   fd = sealed_file(bo->size);
   if (fd < 0)
      return fd;
   old = mmap(NULL, bo->size, PROT_READ, MAP_SHARED, bo->fd, (off_t)bo->offset);
   copy = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (old != MAP_FAILED && copy != MAP_FAILED)
      copy_data(bo, copy, old);
   result = old == MAP_FAILED || copy == MAP_FAILED ? -ENOMEM : 0;
   if (old != MAP_FAILED)
      munmap(old, bo->size);
   if (copy != MAP_FAILED)
      munmap(copy, bo->size);
   if (!result)
      result = move_mappings(bo, fd);
   if (!result)
      result = bo_adopt_file(&file, fd);
   if (result) {
      close(fd);
      return result;
   }
   arena_count(bo->arena, bo->size);
   arena_free(bo->arena, bo->offset, bo->size);
   bo->fd = fd;
   bo->offset = 0;
   bo->dev = file.dev;
   bo->ino = file.ino;
   bo->backing = BO_FILE;
   return 0;
}
