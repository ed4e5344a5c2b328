/* SPDX-License-Identifier: MIT */
/*
 * A client's address space.  The mapped intervals are a sorted array, neighbours merged.  Workers
 * read it while a client thread adds to it, so it is guarded by a sequence count: a reader that
 * saw the count change starts again.  Outgrown arrays are kept until the end (they double, so
 * all of them together are no larger than the last), which makes a late reader's load harmless.
 */
#include "memory/space.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

#include "memory/arena.h"

/* Vector loads that start inside a mapping may look a little beyond the last byte of the space. */
#define GUARD (UINT64_C(1) << 16)

struct interval {
   _Atomic uint64_t start, end;
};

struct table {
   struct table *older;
   size_t room;
   struct interval intervals[];
};

struct vm {
   uint8_t *base;
   uint64_t size;             /* of the address space, bytes */
   _Atomic uint64_t sequence; /* odd while the table changes */
   _Atomic(struct table *) table;
   _Atomic size_t count;
   _Atomic size_t last_hit;
   pthread_mutex_t lock; /* of writers */
};

static struct table *
table_create(size_t room, struct table *older)
{
   struct table *table = calloc(1, sizeof(*table) + room * sizeof(table->intervals[0]));

   if (table) {
      table->room = room;
      table->older = older;
   }
   return table;
}

/* A forked child has no device that would look here, and must not write what is its parent's. */
static void
keep_from_children(void *base, uint64_t size)
{
   madvise(base, size, MADV_DONTFORK);
}

/* Reserves `size` bytes and the guard, if as much again is left to the rest of the program. */
static void *
reserve_addresses(uint64_t size)
{
   const uint64_t tried = 2 * size + GUARD;
   uint8_t *base = mmap(NULL, tried, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

   if (base == MAP_FAILED)
      return NULL;
   munmap(base + size + GUARD, tried - size - GUARD);
   keep_from_children(base, size + GUARD);
   return base;
}

struct vm *
vm_create(void)
{
   struct vm *vm = calloc(1, sizeof(*vm));
   struct table *table = table_create(64, NULL);
   uint64_t size = VM_SIZE_USUAL;
   void *base = reserve_addresses(size);

   while (!base && size > VM_SIZE_MIN) {
      size /= 2;
      base = reserve_addresses(size);
   }
   if (!vm || !table || !base) {
      if (base)
         munmap(base, size + GUARD);
      free(table);
      free(vm);
      errno = ENOMEM;
      return NULL;
   }
   vm->base = base;
   vm->size = size;
   atomic_init(&vm->table, table);
   pthread_mutex_init(&vm->lock, NULL);
   return vm;
}

void
vm_destroy(struct vm *vm)
{
   struct table *table;

   if (!vm)
      return;
   munmap(vm->base, vm->size + GUARD);
   table = atomic_load(&vm->table);
   while (table) {
      struct table *older = table->older;

      free(table);
      table = older;
   }
   pthread_mutex_destroy(&vm->lock);
   free(vm);
}

/* Changes are stored with release and read with acquire: a reader that sees one also sees the odd
 * count that was stored before it. */
static void
set(struct interval *i, uint64_t start, uint64_t end)
{
   atomic_store_explicit(&i->start, start, memory_order_release);
   atomic_store_explicit(&i->end, end, memory_order_release);
}

static uint64_t
start_of(const struct interval *i)
{
   return atomic_load_explicit(&i->start, memory_order_acquire);
}

static uint64_t
end_of(const struct interval *i)
{
   return atomic_load_explicit(&i->end, memory_order_acquire);
}

static void
begin_change(struct vm *vm)
{
   atomic_fetch_add(&vm->sequence, 1);
}

static void
end_change(struct vm *vm)
{
   atomic_fetch_add(&vm->sequence, 1);
}

/* Index of the first interval that ends after `va`. */
static size_t
find(const struct table *table, size_t count, uint64_t va)
{
   size_t low = 0, high = count;

   while (low < high) {
      size_t middle = low + (high - low) / 2;

      if (end_of(&table->intervals[middle]) > va)
         high = middle;
      else
         low = middle + 1;
   }
   return low;
}

/* Makes room for one more interval.  The new array is complete before it is published. */
static int
reserve(struct vm *vm)
{
   struct table *old = atomic_load(&vm->table), *grown;
   size_t count = atomic_load(&vm->count);

   if (count < old->room)
      return 0;
   grown = table_create(old->room * 2, old);
   if (!grown)
      return -ENOMEM;
   for (size_t i = 0; i < count; i++)
      set(&grown->intervals[i], start_of(&old->intervals[i]), end_of(&old->intervals[i]));
   atomic_store(&vm->table, grown);
   return 0;
}

static void
insert_at(struct vm *vm, struct table *table, size_t at, uint64_t start, uint64_t end)
{
   size_t count = atomic_load(&vm->count);

   for (size_t i = count; i > at; i--)
      set(&table->intervals[i], start_of(&table->intervals[i - 1]),
          end_of(&table->intervals[i - 1]));
   set(&table->intervals[at], start, end);
   atomic_store(&vm->count, count + 1);
}

static void
remove_at(struct vm *vm, struct table *table, size_t at)
{
   size_t count = atomic_load(&vm->count) - 1;

   for (size_t i = at; i < count; i++)
      set(&table->intervals[i], start_of(&table->intervals[i + 1]),
          end_of(&table->intervals[i + 1]));
   atomic_store(&vm->count, count);
}

int
vm_map(struct vm *vm, uint64_t va, const struct bo *bo)
{
   return vm_map_part(vm, va, bo, 0, bo->size);
}

int
vm_map_part(struct vm *vm, uint64_t va, const struct bo *bo, uint64_t offset, uint64_t size)
{
   struct table *table;
   uint64_t end = va + size;
   size_t at, count;
   int result;

   if (va % ARENA_PAGE || va >= vm->size || size > vm->size - va)
      return -EINVAL;

   pthread_mutex_lock(&vm->lock);
   result = reserve(vm);
   table = atomic_load(&vm->table);
   count = atomic_load(&vm->count);
   at = find(table, count, va);
   if (!result && at < count && start_of(&table->intervals[at]) < end)
      result = -EINVAL;
   if (!result &&
       bo_map(bo, vm->base + va, size, PROT_READ | PROT_WRITE, MAP_FIXED, offset) == MAP_FAILED)
      result = -errno;
   if (!result) {
      struct interval *last = at ? &table->intervals[at - 1] : NULL;
      struct interval *next = at < count ? &table->intervals[at] : NULL;
      bool joins_last = last && end_of(last) == va;
      bool joins_next = next && start_of(next) == end;

      keep_from_children(vm->base + va, size);
      begin_change(vm);
      if (joins_last && joins_next) {
         set(last, start_of(last), end_of(next));
         remove_at(vm, table, at);
      } else if (joins_last) {
         set(last, start_of(last), end);
      } else if (joins_next) {
         set(next, va, end_of(next));
      } else {
         insert_at(vm, table, at, va, end);
      }
      end_change(vm);
   }
   pthread_mutex_unlock(&vm->lock);
   return result;
}

void
vm_unmap(struct vm *vm, uint64_t va, uint64_t size)
{
   struct table *table;
   uint64_t end;
   size_t at;

   if (va >= vm->size || !size)
      return;
   if (size > vm->size - va)
      size = vm->size - va;
   end = va + size;

   pthread_mutex_lock(&vm->lock);
   /* Without memory for a split the upper part is forgotten too: it stays mapped on the host,
    * but the device no longer reaches it. */
   bool can_split = !reserve(vm);
   table = atomic_load(&vm->table);
   begin_change(vm);
   at = find(table, atomic_load(&vm->count), va);
   while (at < atomic_load(&vm->count) && start_of(&table->intervals[at]) < end) {
      struct interval *i = &table->intervals[at];
      uint64_t old_start = start_of(i), old_end = end_of(i);

      if (old_start < va && old_end > end && can_split) {
         insert_at(vm, table, at + 1, end, old_end);
         set(&table->intervals[at], old_start, va);
         break;
      }
      if (old_start < va) {
         set(i, old_start, va);
         at++;
      } else if (old_end > end) {
         set(i, end, old_end);
         break;
      } else {
         remove_at(vm, table, at);
      }
   }
   end_change(vm);
   mmap(vm->base + va, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
        0);
   keep_from_children(vm->base + va, size);
   pthread_mutex_unlock(&vm->lock);
}

uint64_t
vm_size(const struct vm *vm)
{
   return vm->size;
}

uint64_t
vm_extent(const struct vm *vm, uint64_t va, uint64_t want)
{
   struct vm *w = (struct vm *)vm; /* the hint is no part of the state */
   uint64_t sequence, start, end;

   if (va >= w->size)
      return 0;
   do {
      sequence = atomic_load_explicit(&w->sequence, memory_order_acquire);

      struct table *table = atomic_load_explicit(&w->table, memory_order_acquire);
      size_t count = atomic_load_explicit(&w->count, memory_order_acquire);
      size_t hint = atomic_load_explicit(&w->last_hit, memory_order_relaxed);

      /* A table published after the count was read is larger, never smaller. */
      if (count > table->room)
         count = table->room;
      start = end = 0;
      if (hint < count) {
         start = start_of(&table->intervals[hint]);
         end = end_of(&table->intervals[hint]);
      }
      if (va < start || va >= end) {
         size_t at = find(table, count, va);

         start = end = 0;
         if (at < count) {
            start = start_of(&table->intervals[at]);
            end = end_of(&table->intervals[at]);
            atomic_store_explicit(&w->last_hit, at, memory_order_relaxed);
         }
      }
   } while (sequence & 1 || atomic_load_explicit(&w->sequence, memory_order_acquire) != sequence);

   if (va < start || va >= end)
      return 0;
   return end - va < want ? end - va : want;
}

void *
vm_pointer(const struct vm *vm, uint64_t va)
{
   return vm->base + (va < vm->size ? va : vm->size);
}

/* How many of `size` bytes at `va` are mapped from byte `at` on; where none are, *hole of them lie
 * before the next page. */
static uint64_t
extent_or_hole(const struct vm *vm, uint64_t va, uint64_t at, uint64_t size, uint64_t *hole)
{
   const uint64_t rest = ARENA_PAGE - (va + at) % ARENA_PAGE;

   *hole = rest < size - at ? rest : size - at;
   return va + at < va ? 0 : vm_extent(vm, va + at, size - at);
}

uint64_t
vm_read(const struct vm *vm, uint64_t va, void *data, uint64_t size)
{
   uint64_t mapped = 0;

   for (uint64_t at = 0; at < size;) {
      uint64_t hole, extent = extent_or_hole(vm, va, at, size, &hole);

      if (extent) {
         memcpy((uint8_t *)data + at, vm->base + va + at, extent);
         mapped += extent;
         at += extent;
      } else {
         memset((uint8_t *)data + at, 0, hole);
         at += hole;
      }
   }
   return mapped;
}

uint64_t
vm_write(const struct vm *vm, uint64_t va, const void *data, uint64_t size)
{
   uint64_t mapped = 0;

   for (uint64_t at = 0; at < size;) {
      uint64_t hole, extent = extent_or_hole(vm, va, at, size, &hole);

      if (extent) {
         memcpy(vm->base + va + at, (const uint8_t *)data + at, extent);
         mapped += extent;
         at += extent;
      } else {
         at += hole;
      }
   }
   return mapped;
}

_Static_assert(sizeof(wchar_t) == 4, "a wide character is a dword: wmemset() fills fastest");

/* `dword` again and again from its byte `phase` on. */
static void
fill(uint8_t *to, uint32_t dword, unsigned phase, uint64_t size)
{
   const unsigned bits = 8 * (phase & 3), lead = (unsigned)(-(uintptr_t)to & 3);
   uint32_t from_here = bits ? dword >> bits | dword << (32 - bits) : dword;

   if (size >= 4 && lead) {
      memcpy(to, &from_here, lead);
      fill(to + lead, dword, phase + lead, size - lead);
      return;
   }
   wmemset((wchar_t *)to, (wchar_t)from_here, size / 4);
   memcpy(to + (size & ~UINT64_C(3)), &from_here, size & 3);
}

uint64_t
vm_fill(const struct vm *vm, uint64_t va, uint32_t dword, uint64_t size)
{
   uint64_t mapped = 0;

   for (uint64_t at = 0; at < size;) {
      uint64_t hole, extent = extent_or_hole(vm, va, at, size, &hole);

      if (extent) {
         fill(vm->base + va + at, dword, at & 3, extent);
         mapped += extent;
         at += extent;
      } else {
         at += hole;
      }
   }
   return mapped;
}

uint64_t
vm_generation(const struct vm *vm)
{
   return atomic_load_explicit(&((struct vm *)vm)->sequence, memory_order_acquire);
}
