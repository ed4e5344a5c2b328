/* SPDX-License-Identifier: MIT */
/*
 * Address spaces and buffers.  A mapping holds its buffer, whatever the client does with handles,
 * until something else is mapped at its addresses or they are unmapped.
 *
 * Maps where nothing lies may be made while submissions execute; all that removes a mapping waits
 * until none does (client->running).
 */
#include "panthor/panthor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory/arena.h"

/* The least that a client leaves of an address space to the kernel. */
#define KERNEL_BYTES (UINT64_C(256) << 20)

/* bo->domain: its flags, and the id of the one address space that may map it. */
#define DOMAIN_VM_SHIFT 8

/* ---- Mappings; all with vm->lock held ---- */

/* The first mapping that ends after `va`. */
static size_t
find(const struct panthor_vm *vm, uint64_t va)
{
   size_t low = 0, high = vm->count;

   while (low < high) {
      const size_t middle = low + (high - low) / 2;

      if (vm->mappings[middle].va + vm->mappings[middle].size > va)
         high = middle;
      else
         low = middle + 1;
   }
   return low;
}

static bool
is_free(const struct panthor_vm *vm, uint64_t va, uint64_t size)
{
   const size_t at = find(vm, va);

   return at == vm->count || vm->mappings[at].va >= va + size;
}

/* Room for two more. */
static bool
reserve(struct panthor_vm *vm)
{
   const size_t room = vm->room ? vm->room * 2 : 64;
   struct panthor_mapping *grown;

   if (vm->count + 2 <= vm->room)
      return true;
   grown = realloc(vm->mappings, room * sizeof(*grown));
   if (!grown)
      return false;
   vm->mappings = grown;
   vm->room = room;
   return true;
}

static void
insert(struct panthor_vm *vm, size_t at, const struct panthor_mapping *m)
{
   memmove(vm->mappings + at + 1, vm->mappings + at, (vm->count - at) * sizeof(*m));
   vm->mappings[at] = *m;
   vm->count++;
}

static void
remove_at(struct panthor_vm *vm, size_t at)
{
   struct bo *bo = vm->mappings[at].bo;

   vm->count--;
   memmove(vm->mappings + at, vm->mappings + at + 1, (vm->count - at) * sizeof(vm->mappings[0]));
   gem_unref(vm->device, bo);
}

/* With room for one more. */
static void
unmap(struct panthor_vm *vm, uint64_t va, uint64_t size)
{
   const uint64_t end = va + size;
   size_t at = find(vm, va);

   vm_unmap(vm->vm, va, size);
   while (at < vm->count && vm->mappings[at].va < end) {
      struct panthor_mapping *m = &vm->mappings[at];
      const uint64_t m_end = m->va + m->size;

      if (m_end > end) {
         const struct panthor_mapping rest = { end, m_end - end, m->bo };

         if (m->va < va) {
            bo_ref(m->bo);
            m->size = va - m->va;
            insert(vm, at + 1, &rest);
         } else {
            *m = rest;
         }
         break;
      }
      if (m->va < va) {
         m->size = va - m->va;
         at++;
      } else {
         remove_at(vm, at);
      }
   }
}

/* With room for two more. */
static int
map(struct panthor_vm *vm, uint64_t va, struct bo *bo, uint64_t offset, uint64_t size)
{
   const struct panthor_mapping m = { va, size, bo };
   int result;

   unmap(vm, va, size);
   pthread_mutex_lock(&vm->device->lock);
   result = vm_map_part(vm->vm, va, bo, offset, size);
   pthread_mutex_unlock(&vm->device->lock);
   if (!result) {
      bo_ref(bo);
      insert(vm, find(vm, va), &m);
   }
   return result;
}

int
panthor_vm_map(struct panthor_vm *vm, uint64_t va, struct bo *bo, uint64_t offset, uint64_t size)
{
   int result;

   pthread_mutex_lock(&vm->lock);
   result = reserve(vm) ? map(vm, va, bo, offset, size) : -ENOMEM;
   pthread_mutex_unlock(&vm->lock);
   return result;
}

int
panthor_vm_unmap(struct panthor_vm *vm, uint64_t va, uint64_t size)
{
   bool room;

   pthread_mutex_lock(&vm->lock);
   room = reserve(vm);
   if (room)
      unmap(vm, va, size);
   pthread_mutex_unlock(&vm->lock);
   return room ? 0 : -ENOMEM;
}

bool
panthor_vm_is_shared(struct panthor_vm *vm)
{
   bool shared = false;

   pthread_mutex_lock(&vm->lock);
   pthread_mutex_lock(&vm->device->lock);
   for (size_t n = 0; n < vm->count && !shared; n++)
      shared = vm->mappings[n].bo->backing == BO_FILE;
   pthread_mutex_unlock(&vm->device->lock);
   pthread_mutex_unlock(&vm->lock);
   return shared;
}

/* ---- Address spaces ---- */

static struct panthor_table
table(const struct atoll_client *client)
{
   return (struct panthor_table){ panthor_client_of(client)->vms, PANTHOR_VMS };
}

struct panthor_vm *
panthor_vm_get(struct atoll_client *client, uint32_t id)
{
   const struct panthor_table vms = table(client);

   return (struct panthor_vm *)panthor_get_handle(client, &vms, id);
}

void
panthor_vm_put(struct panthor_vm *vm)
{
   if (!vm || atomic_fetch_sub(&vm->object.references, 1) != 1)
      return;
   vm_destroy(vm->vm);
   for (size_t n = 0; n < vm->count; n++)
      gem_unref(vm->device, vm->mappings[n].bo);
   free(vm->mappings);
   ranges_finish(&vm->kernel);
   pthread_mutex_destroy(&vm->lock);
   free(vm);
}

static struct panthor_vm *
new_vm(struct atoll_device *device, uint64_t range)
{
   struct panthor_vm *vm = calloc(1, sizeof(*vm));

   if (!vm)
      return NULL;
   vm->vm = vm_create();
   if (!vm->vm || vm_size(vm->vm) <= range ||
       !ranges_init(&vm->kernel, range, vm_size(vm->vm) - range)) {
      vm_destroy(vm->vm);
      free(vm);
      return NULL;
   }
   vm->object.references = 1;
   vm->device = device;
   vm->user_range = range;
   pthread_mutex_init(&vm->lock, NULL);
   return vm;
}

static int
create_vm(struct atoll_client *client, struct panthor_vm_create *args)
{
   const struct panthor_table vms = table(client);
   const uint64_t all = vm_size(client->vm);
   uint64_t range = args->user_va_range;
   struct panthor_vm *vm;

   if (args->flags || range > all - KERNEL_BYTES)
      return -EINVAL;
   range = range ? range / ARENA_PAGE * ARENA_PAGE : all / 2;
   vm = new_vm(client->device, range);
   if (!vm)
      return -ENOMEM;
   args->id = panthor_add_handle(client, &vms, &vm->object);
   if (!args->id) {
      panthor_vm_put(vm);
      return -ENOSPC;
   }
   args->user_va_range = range;
   return 0;
}

static int
destroy_vm(struct atoll_client *client, const struct panthor_vm_destroy *args)
{
   const struct panthor_table vms = table(client);
   struct panthor_vm *vm;

   if (args->pad)
      return -EINVAL;
   vm = (struct panthor_vm *)panthor_remove_handle(client, &vms, args->id);
   if (!vm)
      return -EINVAL;
   panthor_vm_put(vm);
   return 0;
}

static int
vm_state(struct atoll_client *client, struct panthor_vm_get_state *args)
{
   struct panthor_vm *vm = panthor_vm_get(client, args->vm_id);

   if (!vm)
      return -EINVAL;
   args->state = vm->unusable ? PANTHOR_VM_UNUSABLE : PANTHOR_VM_USABLE;
   panthor_vm_put(vm);
   return 0;
}

/* ---- Binding ---- */

int
panthor_do_bind(struct panthor_vm *vm, const struct panthor_bind *bind)
{
   switch (bind->type) {
   case PANTHOR_BIND_MAP:
      return panthor_vm_map(vm, bind->va, bind->bo, bind->offset, bind->size);
   case PANTHOR_BIND_UNMAP:
      return panthor_vm_unmap(vm, bind->va, bind->size);
   default:
      return 0;
   }
}

/* Whether the bind can be done while submissions execute: it removes nothing. */
static bool
try_bind(struct panthor_vm *vm, const struct panthor_bind *bind, int *result)
{
   bool can;

   pthread_mutex_lock(&vm->lock);
   can = bind->type == PANTHOR_BIND_MAP && is_free(vm, bind->va, bind->size);
   if (can)
      *result = reserve(vm) ? map(vm, bind->va, bind->bo, bind->offset, bind->size) : -ENOMEM;
   pthread_mutex_unlock(&vm->lock);
   return can;
}

/* Takes a map's buffer. */
static int
take_map(struct atoll_client *client, uint32_t vm_id, const struct panthor_vm_bind_op *op,
         struct panthor_bind *bind)
{
   struct bo *bo = gem_lookup(client, op->bo_handle);
   uint32_t owner;

   if (!bo)
      return -EINVAL;
   owner = bo->domain >> DOMAIN_VM_SHIFT;
   if (op->bo_offset > bo->size || op->size > bo->size - op->bo_offset ||
       (owner && owner != vm_id)) {
      gem_unref(client->device, bo);
      return -EINVAL;
   }
   bind->bo = bo;
   return 0;
}

static int
take_bind(struct atoll_client *client, const struct panthor_vm *vm, uint32_t vm_id,
          const struct panthor_vm_bind_op *op, bool queued, struct panthor_bind *bind)
{
   const uint32_t flags = op->flags & ~PANTHOR_BIND_TYPE_MASK;

   *bind = (struct panthor_bind){ op->flags & PANTHOR_BIND_TYPE_MASK, op->va, op->size,
                                  op->bo_offset, NULL };
   if ((op->va | op->size | op->bo_offset) % ARENA_PAGE || op->size > vm->user_range ||
       op->va > vm->user_range - op->size || (!queued && op->syncs.count))
      return -EINVAL;
   switch (bind->type) {
   case PANTHOR_BIND_MAP:
      if (flags & ~(PANTHOR_BIND_READONLY | PANTHOR_BIND_NOEXEC | PANTHOR_BIND_UNCACHED) ||
          !op->size)
         return -EINVAL;
      return vm->unusable ? -EINVAL : take_map(client, vm_id, op, bind);
   case PANTHOR_BIND_UNMAP:
      return flags || op->bo_handle || op->bo_offset || !op->size ? -EINVAL : 0;
   case PANTHOR_BIND_SYNC_ONLY:
      return flags || op->bo_handle || op->bo_offset || op->va || op->size || !queued ||
                   !op->syncs.count
                ? -EINVAL
                : 0;
   default:
      return -EINVAL;
   }
}

/* One after the other, now; *done of them. */
static int
bind_now(struct atoll_client *client, struct panthor_vm *vm, uint32_t vm_id,
         const struct panthor_vm_bind_op *ops, uint32_t count, uint32_t *done)
{
   int result = 0;

   for (*done = 0; *done < count && !result; ++*done) {
      struct panthor_bind bind;

      result = take_bind(client, vm, vm_id, &ops[*done], false, &bind);
      if (!result && !try_bind(vm, &bind, &result)) {
         pthread_mutex_lock(&client->running);
         result = panthor_do_bind(vm, &bind);
         pthread_mutex_unlock(&client->running);
      }
      if (bind.bo)
         gem_unref(client->device, bind.bo);
      if (result)
         break;
   }
   return result;
}

/* All of them as one submission. */
static int
bind_queued(struct atoll_client *client, struct panthor_vm *vm, uint32_t vm_id,
            const struct panthor_vm_bind_op *ops, uint32_t count)
{
   struct panthor_call call;
   int result;

   atomic_fetch_add(&vm->object.references, 1);
   result = panthor_begin_call(&call, client, vm, NULL, count);
   if (result)
      return result;
   for (uint32_t n = 0; n < count && !result; n++) {
      result = take_bind(client, vm, vm_id, &ops[n], true, &call.work->binds[n]);
      if (!result)
         result = panthor_take_syncs(&call, n, &ops[n].syncs);
   }
   return panthor_end_call(&call, result);
}

static int
bind_ioctl(struct atoll_client *client, struct panthor_vm_bind *args)
{
   struct panthor_vm *vm;
   void *ops;
   int result;

   if (args->flags & ~PANTHOR_VM_BIND_ASYNC)
      return -EINVAL;
   vm = panthor_vm_get(client, args->vm_id);
   if (!vm)
      return -EINVAL;
   result = panthor_read_array(client, &args->ops, sizeof(struct panthor_vm_bind_op),
                               sizeof(struct panthor_vm_bind_op), &ops);
   if (!result && args->ops.count) {
      if (args->flags & PANTHOR_VM_BIND_ASYNC)
         result = bind_queued(client, vm, args->vm_id, ops, args->ops.count);
      else
         result = bind_now(client, vm, args->vm_id, ops, args->ops.count, &args->ops.count);
      free(ops);
   }
   panthor_vm_put(vm);
   return result;
}

/* ---- Buffers ---- */

static int
create_bo(struct atoll_client *client, struct panthor_bo_create *args)
{
   struct panthor_vm *vm = NULL;
   int result;

   if (!args->size || args->pad || args->flags & ~PANTHOR_BO_NO_MMAP)
      return -EINVAL;
   if (args->exclusive_vm_id) {
      vm = panthor_vm_get(client, args->exclusive_vm_id);
      if (!vm)
         return -EINVAL;
      panthor_vm_put(vm);
   }
   result = gem_create(client, args->size, args->flags | args->exclusive_vm_id << DOMAIN_VM_SHIFT,
                       &args->handle);
   if (!result)
      args->size = (args->size + ARENA_PAGE - 1) / ARENA_PAGE * ARENA_PAGE;
   return result;
}

static int
mmap_offset(struct atoll_client *client, struct panthor_bo_mmap_offset *args)
{
   struct bo *bo;
   bool can;

   if (args->pad)
      return -EINVAL;
   bo = gem_lookup(client, args->handle);
   if (!bo)
      return -ENOENT;
   can = !(bo->domain & PANTHOR_BO_NO_MMAP);
   gem_unref(client->device, bo);
   if (!can)
      return -EINVAL;
   args->offset = (uint64_t)args->handle << GEM_MMAP_SHIFT;
   return 0;
}

int
panthor_memory_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   switch (nr) {
   case PANTHOR_VM_CREATE:
      return create_vm(client, arg);
   case PANTHOR_VM_DESTROY:
      return destroy_vm(client, arg);
   case PANTHOR_VM_BIND:
      return bind_ioctl(client, arg);
   case PANTHOR_VM_GET_STATE:
      return vm_state(client, arg);
   case PANTHOR_BO_CREATE:
      return create_bo(client, arg);
   default:
      return mmap_offset(client, arg);
   }
}
