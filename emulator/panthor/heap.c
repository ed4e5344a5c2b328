/* SPDX-License-Identifier: MIT */
/*
 * Tiler heaps: a context and chunks in the kernel's part of an address space.  A chunk begins with
 * the address of the next one, and its size in pages.  The tiler itself takes nothing from them.
 */
#include "panthor/panthor.h"

#include <errno.h>

#include "memory/arena.h"

#define CHUNK_MIN  (128u << 10)
#define CHUNK_MAX  (8u << 20)
#define MAX_CHUNKS 256u

/* Links the chunks, which follow the context. */
static void
write_chunks(const struct panthor_vm *vm, uint64_t first, uint32_t size, uint32_t count)
{
   for (uint32_t n = 0; n < count; n++) {
      const uint64_t next = n + 1 < count ? first + (uint64_t)(n + 1) * size : 0;
      const uint64_t header = next | size / ARENA_PAGE;

      vm_write(vm->vm, first + (uint64_t)n * size, &header, sizeof(header));
   }
}

/* A buffer of `heap->size` bytes in the kernel's part of its address space. */
static int
map(struct atoll_client *client, struct panthor_heap *heap)
{
   struct panthor_vm *vm = heap->vm;
   struct bo *bo;
   int result;

   if (!gem_make_room(client, heap->size))
      return -ENOMEM;
   bo = bo_create(client->device->arena, heap->size);
   if (!bo)
      return -ENOMEM;
   pthread_mutex_lock(&vm->lock);
   result = ranges_take(&vm->kernel, heap->size, &heap->va) ? 0 : -ENOMEM;
   pthread_mutex_unlock(&vm->lock);
   if (!result) {
      result = panthor_vm_map(vm, heap->va, bo, 0, heap->size);
      if (result) {
         pthread_mutex_lock(&vm->lock);
         ranges_give(&vm->kernel, heap->va, heap->size);
         pthread_mutex_unlock(&vm->lock);
      }
   }
   gem_unref(client->device, bo);
   return result;
}

static void
unmap(struct atoll_client *client, const struct panthor_heap *heap)
{
   pthread_mutex_lock(&client->running);
   if (!panthor_vm_unmap(heap->vm, heap->va, heap->size)) {
      pthread_mutex_lock(&heap->vm->lock);
      ranges_give(&heap->vm->kernel, heap->va, heap->size);
      pthread_mutex_unlock(&heap->vm->lock);
   }
   pthread_mutex_unlock(&client->running);
   panthor_vm_put(heap->vm);
}

static int
create(struct atoll_client *client, struct panthor_tiler_heap_create *args)
{
   struct panthor_client *c = panthor_client_of(client);
   struct panthor_heap heap;
   uint32_t n = 0;
   int result;

   if (!args->initial_chunk_count || args->initial_chunk_count > args->max_chunks ||
       args->initial_chunk_count > MAX_CHUNKS || args->chunk_size % ARENA_PAGE ||
       args->chunk_size < CHUNK_MIN || args->chunk_size > CHUNK_MAX)
      return -EINVAL;
   heap.vm = panthor_vm_get(client, args->vm_id);
   if (!heap.vm)
      return -EINVAL;
   heap.size = ARENA_PAGE + (uint64_t)args->chunk_size * args->initial_chunk_count;
   result = map(client, &heap);
   if (result) {
      panthor_vm_put(heap.vm);
      return result;
   }
   write_chunks(heap.vm, heap.va + ARENA_PAGE, args->chunk_size, args->initial_chunk_count);
   pthread_mutex_lock(&c->lock);
   while (n < PANTHOR_HEAPS && c->heaps[n].vm)
      n++;
   if (n < PANTHOR_HEAPS)
      c->heaps[n] = heap;
   pthread_mutex_unlock(&c->lock);
   if (n == PANTHOR_HEAPS) {
      unmap(client, &heap);
      return -ENOSPC;
   }
   args->handle = n + 1;
   args->tiler_heap_ctx_gpu_va = heap.va;
   args->first_heap_chunk_gpu_va = heap.va + ARENA_PAGE;
   return 0;
}

static int
destroy(struct atoll_client *client, const struct panthor_tiler_heap_destroy *args)
{
   struct panthor_client *c = panthor_client_of(client);
   struct panthor_heap heap = { .vm = NULL };

   if (args->pad)
      return -EINVAL;
   pthread_mutex_lock(&c->lock);
   if (args->handle && args->handle <= PANTHOR_HEAPS) {
      heap = c->heaps[args->handle - 1];
      c->heaps[args->handle - 1].vm = NULL;
   }
   pthread_mutex_unlock(&c->lock);
   if (!heap.vm)
      return -EINVAL;
   unmap(client, &heap);
   return 0;
}

int
panthor_heap_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   return nr == PANTHOR_TILER_HEAP_CREATE ? create(client, arg) : destroy(client, arg);
}
