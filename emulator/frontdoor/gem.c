/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: the handles of a client, and where its buffers are mapped.
 *
 * Closing or unmapping a buffer must not take memory from under a submission.  One that is not
 * known to be finished with makes the buffer a zombie: its mapping goes when the last submission
 * that may use it has executed and none of the client's is executing.  What notices first removes
 * it: the thread that executed a submission, or a client that needs the addresses again.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frontdoor/capture.h"
#include "memory/arena.h"

static struct handle *
find(struct atoll_client *client, uint32_t handle)
{
   if (!handle || handle > client->num_handles || !client->handles[handle - 1].bo)
      return NULL;
   return &client->handles[handle - 1];
}

struct bo *
gem_lookup(struct atoll_client *client, uint32_t handle)
{
   struct handle *h;
   struct bo *bo;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   bo = h ? bo_ref(h->bo) : NULL;
   pthread_mutex_unlock(&client->lock);
   return bo;
}

uint32_t
gem_lookup_all(struct atoll_client *client, struct submit_buffer *buffers, uint32_t count)
{
   uint32_t n;

   pthread_mutex_lock(&client->lock);
   for (n = 0; n < count; n++) {
      const struct handle *h = find(client, buffers[n].handle);

      if (!h)
         break;
      buffers[n].bo = bo_ref(h->bo);
   }
   pthread_mutex_unlock(&client->lock);
   return n;
}

void
gem_unref_locked(struct atoll_device *device, struct bo *bo)
{
   const unsigned left = atomic_load(&bo->references) - 1;
   const bool held = left && left == bo->mapped;

   if (!left)
      share_forget(device, bo);
   bo_unref(bo);
   if (held)
      mapped_held(device);
}

void
gem_unref(struct atoll_device *device, struct bo *bo)
{
   pthread_mutex_lock(&device->lock);
   gem_unref_locked(device, bo);
   pthread_mutex_unlock(&device->lock);
}

void
gem_unref_all(struct atoll_device *device, const struct submit_buffer *buffers, uint32_t count)
{
   pthread_mutex_lock(&device->lock);
   for (uint32_t n = 0; n < count; n++)
      gem_unref_locked(device, buffers[n].bo);
   pthread_mutex_unlock(&device->lock);
}

/* A client's handle for it has been closed. */
static void
lose_handle(struct atoll_device *device, struct bo *bo)
{
   if (atomic_fetch_sub(&bo->handles, 1) != 1)
      return;
   pthread_mutex_lock(&device->lock);
   /* Unless it was opened by its name meanwhile. */
   if (!atomic_load(&bo->handles))
      share_unname(device, bo);
   pthread_mutex_unlock(&device->lock);
}

uint64_t
gem_address(struct atoll_client *client, uint32_t handle)
{
   struct handle *h;
   uint64_t va;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   va = h ? h->va : 0;
   pthread_mutex_unlock(&client->lock);
   return va;
}

uint32_t
gem_find_handle(const struct atoll_client *client, const struct bo *bo)
{
   for (uint32_t n = 0; n < client->num_handles; n++)
      if (client->handles[n].bo == bo)
         return n + 1;
   return 0;
}

/* Whether the client may have one more handle, of a buffer of that size. */
static bool
may_have(const struct atoll_client *client, uint64_t size)
{
   const struct options_limits *limits = &client->device->limits;

   if (client->used_handles >= limits->handles) {
      device_say_limit(client->device, "another buffer of a client", "handles", limits->handles);
      return false;
   }
   if (size > limits->client || client->bytes > limits->client - size) {
      device_say_limit(client->device, "a buffer of a client", "client", limits->client);
      return false;
   }
   return true;
}

uint32_t
gem_add_handle(struct atoll_client *client, struct bo *bo)
{
   uint32_t n;

   if (!may_have(client, bo->size))
      return 0;
   for (n = client->free_handle; n < client->num_handles; n++)
      if (!client->handles[n].bo)
         break;
   if (n == client->num_handles) {
      uint32_t grown = n ? n * 2 : 64;
      struct handle *handles =
         n < GEM_MAX_HANDLES ? realloc(client->handles, grown * sizeof(*handles)) : NULL;

      if (!handles)
         return 0;
      memset(handles + n, 0, (grown - n) * sizeof(*handles));
      client->handles = handles;
      client->num_handles = grown;
   }
   client->handles[n] = (struct handle){ .bo = bo_ref(bo) };
   if (atomic_fetch_add(&bo->handles, 1))
      bo->touched = true;
   client->used_handles++;
   client->bytes += bo->size;
   client->free_handle = n + 1;
   return n + 1;
}

/* The handle of a buffer that no other handle can name yet. */
static uint32_t
new_handle(struct atoll_client *client, struct bo *bo)
{
   uint32_t handle;

   pthread_mutex_lock(&client->lock);
   handle = gem_add_handle(client, bo);
   pthread_mutex_unlock(&client->lock);
   gem_unref(client->device, bo);
   return handle;
}

/* Buffers that gem_assign_va() finds addresses for begin at multiples of this, which suits every
 * surface, and have a hole of as much after them. */
#define VA_UNIT UINT64_C(65536)

static uint64_t
room_for(const struct bo *bo)
{
   return (bo->size + VA_UNIT - 1) / VA_UNIT * VA_UNIT + VA_UNIT;
}

/* Call with client->zombie_lock held, or with no other thread left. */
static void
unmap(struct atoll_client *client, uint64_t va, const struct bo *bo, bool assigned)
{
   vm_unmap(client->vm, va, bo->size);
   if (assigned)
      ranges_give(&client->free_va, va, room_for(bo));
   if (client->device->capture)
      capture_unmap(client->device->capture, client, va, bo->size);
}

void
gem_reap(struct atoll_client *client, uint64_t seq)
{
   struct zombie *done = NULL;

   pthread_mutex_lock(&client->zombie_lock);
   for (struct zombie **z = &client->zombies; *z;) {
      struct zombie *zombie = *z;

      if (zombie->seq > seq) {
         z = &zombie->next;
         continue;
      }
      *z = zombie->next;
      zombie->next = done;
      done = zombie;
      if (zombie->va)
         unmap(client, zombie->va, zombie->bo, zombie->assigned);
   }
   pthread_mutex_unlock(&client->zombie_lock);
   while (done) {
      struct zombie *next = done->next;

      gem_unref(client->device, done->bo);
      free(done);
      done = next;
   }
}

/* Lets go of a buffer and its mapping at `va` as soon as that is possible. */
static void
retire(struct atoll_client *client, struct bo *bo, uint64_t va, bool assigned)
{
   struct zombie *zombie = malloc(sizeof(*zombie));

   if (!zombie) {
      /* No memory to do it later: wait for all of the client's work, and unmap here. */
      queue_wait(client->device, atomic_load(&client->last_seq));
      pthread_mutex_lock(&client->running);
      pthread_mutex_lock(&client->zombie_lock);
      if (va)
         unmap(client, va, bo, assigned);
      pthread_mutex_unlock(&client->zombie_lock);
      pthread_mutex_unlock(&client->running);
      gem_unref(client->device, bo);
      return;
   }
   *zombie = (struct zombie){
      .bo = bo,
      .va = va,
      .seq = atomic_load(&client->last_seq),
      .assigned = assigned,
   };
   pthread_mutex_lock(&client->zombie_lock);
   zombie->next = client->zombies;
   client->zombies = zombie;
   pthread_mutex_unlock(&client->zombie_lock);
   if (!pthread_mutex_trylock(&client->running)) {
      gem_reap(client, atomic_load(&client->device->completed));
      pthread_mutex_unlock(&client->running);
   }
}

int
gem_close(struct atoll_client *client, uint32_t handle)
{
   struct handle *h;
   struct bo *bo;
   uint64_t va;
   bool assigned;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   if (!h) {
      pthread_mutex_unlock(&client->lock);
      return -EINVAL;
   }
   bo = h->bo;
   va = h->va;
   assigned = h->assigned;
   *h = (struct handle){ 0 };
   client->used_handles--;
   client->bytes -= bo->size;
   if (handle - 1 < client->free_handle)
      client->free_handle = handle - 1;
   lose_handle(client->device, bo);
   /* Inside the lock: a new mapping at these addresses must find the zombie. */
   retire(client, bo, va, assigned);
   pthread_mutex_unlock(&client->lock);
   return 0;
}

void
gem_release_all(struct atoll_client *client)
{
   gem_reap(client, UINT64_MAX);
   for (uint32_t n = 0; n < client->num_handles; n++) {
      struct handle *h = &client->handles[n];

      if (!h->bo)
         continue;
      if (h->va)
         unmap(client, h->va, h->bo, h->assigned);
      lose_handle(client->device, h->bo);
      gem_unref(client->device, h->bo);
      h->bo = NULL;
   }
}

/* Waits until what this client has closed is gone. */
static void
wait_and_reap(struct atoll_client *client)
{
   queue_wait(client->device, atomic_load(&client->last_seq));
   pthread_mutex_lock(&client->running);
   gem_reap(client, atomic_load(&client->device->completed));
   pthread_mutex_unlock(&client->running);
}

static bool
is_room(struct atoll_client *client, uint64_t size)
{
   const uint64_t memory = client->device->limits.memory;

   return size <= memory && arena_used(client->device->arena) <= memory - size;
}

bool
gem_make_room(struct atoll_client *client, uint64_t size)
{
   if (is_room(client, size))
      return true;
   wait_and_reap(client);
   pthread_mutex_lock(&client->device->lock);
   mapped_sweep(client->device);
   pthread_mutex_unlock(&client->device->lock);
   if (is_room(client, size))
      return true;
   device_say_limit(client->device, "a buffer", "memory", client->device->limits.memory);
   return false;
}

int
gem_create(struct atoll_client *client, uint64_t wanted, uint32_t domain, uint32_t *handle)
{
   uint64_t size = (wanted + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1);
   struct bo *bo;

   if (!wanted)
      return -EINVAL;
   if (size < wanted || size > vm_size(client->vm))
      return -ENOMEM;
   if (!gem_make_room(client, size))
      return -ENOMEM;
   bo = client->device->files ? bo_create_alone(client->device->arena, size)
                              : bo_create(client->device->arena, size);
   if (!bo)
      return -errno;
   bo->domain = domain;
   *handle = new_handle(client, bo);
   return *handle ? 0 : -ENOMEM;
}

int
gem_create_user(struct atoll_client *client, uint64_t address, uint64_t size, uint32_t domain,
                uint32_t *handle)
{
   struct bo *bo;

   if (client->device->files)
      return -EOPNOTSUPP; /* the memory is another process's */
   if (size > vm_size(client->vm))
      return -ENOMEM;
   bo = bo_create_user(client->device->arena, (void *)(uintptr_t)address, size);
   if (!bo)
      return -errno;
   bo->domain = domain;
   *handle = new_handle(client, bo);
   return *handle ? 0 : -ENOMEM;
}

static int
va_map(struct atoll_client *client, struct handle *h, uint64_t va)
{
   struct atoll_device *device = client->device;
   int result;

   pthread_mutex_lock(&device->lock);
   result = vm_map(client->vm, va, h->bo);
   pthread_mutex_unlock(&device->lock);
   if (result == -EINVAL) {
      /* Perhaps a buffer lies there that is closed but not gone, or went just now. */
      wait_and_reap(client);
      pthread_mutex_lock(&device->lock);
      result = vm_map(client->vm, va, h->bo);
      pthread_mutex_unlock(&device->lock);
   }
   if (!result) {
      h->va = va;
      if (device->capture)
         capture_map(device->capture, client, va, h->bo->size);
   }
   return result;
}

/* Takes addresses for `bo`; false when there are none. */
static bool
take_va(struct atoll_client *client, const struct bo *bo, uint64_t *va)
{
   const uint64_t start = client->device->driver->va_start;
   bool ok;

   pthread_mutex_lock(&client->zombie_lock);
   ok = client->free_va.free || ranges_init(&client->free_va, start, vm_size(client->vm) - start);
   ok = ok && ranges_take(&client->free_va, room_for(bo), va);
   pthread_mutex_unlock(&client->zombie_lock);
   return ok;
}

int
gem_assign_va(struct atoll_client *client, uint32_t handle, uint64_t *va)
{
   struct handle *h;
   int result = 0;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   if (!h) {
      result = -ENOENT;
   } else if (!h->va) {
      bool found = take_va(client, h->bo, va);

      if (!found) {
         /* Closed buffers may still hold their addresses. */
         wait_and_reap(client);
         found = take_va(client, h->bo, va);
      }
      result = found ? va_map(client, h, *va) : -ENOMEM;
      h->assigned = found && !result;
      if (found && result) {
         pthread_mutex_lock(&client->zombie_lock);
         ranges_give(&client->free_va, *va, room_for(h->bo));
         pthread_mutex_unlock(&client->zombie_lock);
      }
   }
   if (!result)
      *va = h->va;
   pthread_mutex_unlock(&client->lock);
   return result;
}

int
gem_map(struct atoll_client *client, uint32_t handle, uint64_t *va, bool *exists)
{
   struct handle *h;
   int result = 0;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   *exists = h && h->va;
   if (!h)
      result = -ENOENT;
   else if (h->va)
      *va = h->va;
   else
      result = va_map(client, h, *va);
   pthread_mutex_unlock(&client->lock);
   return result;
}

int
gem_unmap(struct atoll_client *client, uint32_t handle)
{
   struct handle *h;

   pthread_mutex_lock(&client->lock);
   h = find(client, handle);
   if (h && h->va) {
      retire(client, bo_ref(h->bo), h->va, h->assigned);
      h->va = 0;
      h->assigned = false;
   }
   pthread_mutex_unlock(&client->lock);
   return h ? 0 : -ENOENT;
}
