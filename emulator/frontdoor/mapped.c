/* SPDX-License-Identifier: MIT */
/*
 * What clients have mapped of buffers.
 *
 * A mapping holds its buffer, as in the kernel: it may outlive the handle and the client, and what
 * lies in it is nobody else's.  Only the kernel knows when a program unmaps: atoll_client_munmap()
 * and the shim's munmap() tell us, but not all ways lead through them.  So the reference of a
 * mapping that we have not heard of any more is dropped when somebody looks into the kernel's list:
 * if enough buffers are held by mappings alone, or if memory is short.
 *
 * The list is read for where such a buffer's range of the device's memory, or its own file, is
 * mapped, wherever that is: a program may have moved the mapping.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "memory/arena.h"

#define BUCKETS 256u
/* Buffers that mappings alone hold, before somebody looks. */
#define MANY 64u

struct client_mapping {
   struct client_mapping *next; /* of its bucket */
   uintptr_t address;
   size_t length; /* whole pages */
   struct bo *bo; /* with a reference */
};

struct mapped {
   struct client_mapping *buckets[BUCKETS];
   uint32_t held; /* buffers that became held by mappings alone since somebody looked */
   uint32_t many; /* so many, and somebody looks */
};

struct mapped *
mapped_create(void)
{
   struct mapped *mapped = calloc(1, sizeof(*mapped));

   if (mapped)
      mapped->many = MANY;
   return mapped;
}

static struct client_mapping **
bucket(struct mapped *mapped, uintptr_t address)
{
   return &mapped->buckets[address / ARENA_PAGE % BUCKETS];
}

static size_t
whole_pages(size_t length)
{
   return (length + ARENA_PAGE - 1) & ~(size_t)(ARENA_PAGE - 1);
}

/* Takes out what is mapped at `address`, the last of them; NULL: nothing. */
static struct client_mapping *
take(struct mapped *mapped, uintptr_t address, size_t length)
{
   for (struct client_mapping **m = bucket(mapped, address); *m; m = &(*m)->next) {
      struct client_mapping *found = *m;

      if (found->address == address && found->length == length) {
         *m = found->next;
         return found;
      }
   }
   return NULL;
}

/* If mappings alone hold the buffer, so they did before. */
static void
drop(struct atoll_device *device, struct client_mapping *m)
{
   if (!m)
      return;
   m->bo->mapped--;
   if (atomic_load(&m->bo->references) == 1)
      share_forget(device, m->bo);
   bo_unref(m->bo);
   free(m);
}

bool
mapped_add(struct atoll_device *device, struct bo *bo, void *address, size_t length)
{
   struct client_mapping *m = malloc(sizeof(*m)), **first;

   if (!m)
      return false;
   /* In front in its bucket: of mappings at one address the latest is found first.  An earlier one
    * may have been moved. */
   first = bucket(device->mapped, (uintptr_t)address);
   *m = (struct client_mapping){ *first, (uintptr_t)address, whole_pages(length), bo_ref(bo) };
   *first = m;
   bo->mapped++;
   bo->touched = true;
   return true;
}

void
mapped_remove(struct atoll_device *device, void *address, size_t length)
{
   drop(device, take(device->mapped, (uintptr_t)address, whole_pages(length)));
}

static bool
is_known(const struct mapped *mapped, uintptr_t address)
{
   for (uint32_t b = 0; b < BUCKETS; b++)
      for (const struct client_mapping *m = mapped->buckets[b]; m; m = m->next)
         if (address >= m->address && address - m->address < m->length)
            return true;
   return false;
}

bool
mapped_at(const struct atoll_device *device, const void *address)
{
   struct mapped_file file;

   /* It may have been unmapped unheard, and be something else now. */
   return is_known(device->mapped, (uintptr_t)address) && mappings_file_at(address, &file) &&
          mapped_file_equals(&file, arena_file(device->arena));
}

/* ---- Those that nobody has told us of ---- */

static bool
is_held(const struct bo *bo)
{
   return !atomic_load(&bo->handles) && atomic_load(&bo->references) == bo->mapped;
}

struct look {
   struct bo *held; /* those to look for */
   const struct mapped_file *memory;
};

static struct bo *
find_held(const struct mapped *mapped)
{
   struct bo *held = NULL;

   for (uint32_t b = 0; b < BUCKETS; b++) {
      for (const struct client_mapping *m = mapped->buckets[b]; m; m = m->next) {
         if (m->bo->backing == BO_USER || !is_held(m->bo) || m->bo->look != BO_NOT_LOOKED_FOR)
            continue;
         m->bo->look = BO_NOT_SHOWN;
         m->bo->next_held = held;
         held = m->bo;
      }
   }
   return held;
}

/* Marks the buffers that a mapping shows some of. */
static bool
mark(void *data, const struct mapping *m)
{
   const struct look *look = data;
   const uint64_t end = m->offset + (m->end - m->start);
   const bool is_memory = mapped_file_equals(&m->file, look->memory);

   if (!m->shared)
      return true;
   for (struct bo *bo = look->held; bo; bo = bo->next_held)
      if (bo->backing == BO_ARENA
             ? is_memory && m->offset < bo->offset + bo->size && bo->offset < end
             : m->file.inode == bo->ino && m->file.major == major(bo->dev) &&
                  m->file.minor == minor(bo->dev))
         bo->look = BO_SHOWN;
   return true;
}

/* Takes out the mappings of buffers that are not shown, and of the client's own memory, which is
 * there without us. */
static struct client_mapping *
take_gone(struct mapped *mapped)
{
   struct client_mapping *gone = NULL;

   for (uint32_t b = 0; b < BUCKETS; b++) {
      for (struct client_mapping **c = &mapped->buckets[b]; *c;) {
         struct client_mapping *m = *c;

         if (m->bo->backing != BO_USER && m->bo->look != BO_NOT_SHOWN) {
            c = &m->next;
            continue;
         }
         *c = m->next;
         m->next = gone;
         gone = m;
      }
   }
   return gone;
}

void
mapped_sweep(struct atoll_device *device)
{
   struct mapped *mapped = device->mapped;
   struct look look = { find_held(mapped), arena_file(device->arena) };
   const bool known = mappings_read(mark, &look);
   struct client_mapping *gone = known ? take_gone(mapped) : NULL;

   mapped->held = 0;
   mapped->many = MANY;
   for (struct bo *bo = look.held; bo; bo = bo->next_held) {
      mapped->many += !known || bo->look == BO_SHOWN;
      bo->look = BO_NOT_LOOKED_FOR;
   }
   while (gone) {
      struct client_mapping *next = gone->next;

      drop(device, gone);
      gone = next;
   }
}

void
mapped_held(struct atoll_device *device)
{
   if (++device->mapped->held >= device->mapped->many)
      mapped_sweep(device);
}
