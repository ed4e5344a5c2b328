/* SPDX-License-Identifier: MIT */
/* Groups of queues: making them, and handing streams to them. */
#include "panthor/panthor.h"

#include <errno.h>
#include <stdlib.h>

#include "chip/mali/mali.h"
#include "panthor/chip.h"

#define RING_MIN 4096u
#define RING_MAX 65536u

#define QUEUE_PRIORITIES 16u

static struct panthor_table
table(const struct atoll_client *client)
{
   return (struct panthor_table){ panthor_client_of(client)->groups, PANTHOR_GROUPS };
}

/* A reference to the group of that handle, or NULL. */
static struct panthor_group *
get(struct atoll_client *client, uint32_t handle)
{
   const struct panthor_table groups = table(client);

   return (struct panthor_group *)panthor_get_handle(client, &groups, handle);
}

void
panthor_group_put(struct panthor_group *group)
{
   if (atomic_fetch_sub(&group->object.references, 1) != 1)
      return;
   panthor_vm_put(group->vm);
   mali_draws_destroy(group->draws);
   free(group);
}

/* Whether `most` of the cores in `mask` can be meant. */
static bool
is_mask(uint64_t mask, unsigned most, uint64_t present)
{
   return !(mask & ~present) && most <= (unsigned)__builtin_popcountll(mask);
}

static int
check(const struct panthor_group_create *args, const struct panthor_queue_create *queues)
{
   const uint64_t cores = (UINT64_C(1) << MALI_CORES) - 1;

   if (args->pad || args->priority >= PANTHOR_PRIORITIES ||
       !is_mask(args->compute_core_mask, args->max_compute_cores, cores) ||
       !is_mask(args->fragment_core_mask, args->max_fragment_cores, cores) ||
       !is_mask(args->tiler_core_mask, args->max_tiler_cores, 1))
      return -EINVAL;
   if (args->priority > PANTHOR_PRIORITY_MEDIUM)
      return -EACCES;
   for (uint32_t n = 0; n < args->queues.count; n++) {
      const uint32_t ring = queues[n].ringbuf_size;

      if (queues[n].priority >= QUEUE_PRIORITIES || queues[n].pad[0] || queues[n].pad[1] ||
          queues[n].pad[2] || ring < RING_MIN || ring > RING_MAX || ring & (ring - 1))
         return -EINVAL;
   }
   return 0;
}

/* Takes over the reference to `vm`. */
static int
add(struct atoll_client *client, struct panthor_vm *vm, uint32_t queues, uint32_t *handle)
{
   const struct panthor_table groups = table(client);
   struct panthor_group *group = calloc(1, sizeof(*group));

   if (!group) {
      panthor_vm_put(vm);
      return -ENOMEM;
   }
   group->object.references = 1;
   group->vm = vm;
   group->count = queues;
   group->id = atomic_fetch_add(&panthor_client_of(client)->groups_made, 1) + 1;
   *handle = panthor_add_handle(client, &groups, &group->object);
   if (*handle)
      return 0;
   panthor_group_put(group);
   return -ENOSPC;
}

static int
create(struct atoll_client *client, struct panthor_group_create *args)
{
   void *queues;
   int result;

   if (!args->queues.count || args->queues.count > CS_QUEUES)
      return -EINVAL;
   result = panthor_read_array(client, &args->queues, sizeof(struct panthor_queue_create),
                               sizeof(struct panthor_queue_create), &queues);
   if (result)
      return result;
   result = check(args, queues);
   free(queues);
   if (!result) {
      struct panthor_vm *vm = panthor_vm_get(client, args->vm_id);

      result = vm ? add(client, vm, args->queues.count, &args->group_handle) : -EINVAL;
   }
   return result;
}

static int
destroy(struct atoll_client *client, const struct panthor_group_destroy *args)
{
   const struct panthor_table groups = table(client);
   struct panthor_group *group;

   if (args->pad)
      return -EINVAL;
   group = (struct panthor_group *)panthor_remove_handle(client, &groups, args->group_handle);
   if (!group)
      return -EINVAL;
   panthor_group_put(group);
   return 0;
}

static int
get_state(struct atoll_client *client, struct panthor_group_get_state *args)
{
   struct panthor_group *group;

   if (args->pad)
      return -EINVAL;
   group = get(client, args->group_handle);
   if (!group)
      return -EINVAL;
   args->state = group->state;
   args->fatal_queues = group->fatal_queues;
   panthor_group_put(group);
   return 0;
}

static int
check_submit(const struct panthor_group *group, const struct panthor_queue_submit *submit)
{
   return submit->pad || submit->queue_index >= group->count || submit->stream_size % 8 ||
                submit->stream_addr % 64 || !submit->stream_size != !submit->stream_addr
             ? -EINVAL
             : 0;
}

static int
take_streams(struct panthor_call *call, const struct panthor_queue_submit *submits)
{
   struct panthor_work *work = call->work;
   int result = 0;

   for (uint32_t n = 0; n < work->count && !result; n++) {
      work->streams[n] = (struct panthor_stream){ .queue = submits[n].queue_index,
                                                  .bytes = submits[n].stream_size,
                                                  .address = submits[n].stream_addr };
      result = check_submit(work->group, &submits[n]);
      if (!result)
         result = panthor_take_syncs(call, n, &submits[n].syncs);
   }
   return result;
}

/* Takes over the reference to `group`. */
static int
submit_streams(struct atoll_client *client, struct panthor_group *group,
               const struct panthor_queue_submit *submits, uint32_t count)
{
   struct panthor_call call;
   int result;

   atomic_fetch_add(&group->vm->object.references, 1);
   result = panthor_begin_call(&call, client, group->vm, group, count);
   if (result)
      return result;
   return panthor_end_call(
      &call, group->state || group->vm->unusable ? -EINVAL : take_streams(&call, submits));
}

static int
submit(struct atoll_client *client, const struct panthor_group_submit *args)
{
   const uint32_t count = args->queue_submits.count;
   struct panthor_group *group;
   void *submits;
   int result;

   if (args->pad)
      return -EINVAL;
   group = get(client, args->group_handle);
   if (!group)
      return -EINVAL;
   result = panthor_read_array(client, &args->queue_submits, sizeof(struct panthor_queue_submit),
                               sizeof(struct panthor_queue_submit), &submits);
   if (result || !count) {
      panthor_group_put(group);
      return result;
   }
   result = submit_streams(client, group, submits, count);
   free(submits);
   return result;
}

int
panthor_group_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   switch (nr) {
   case PANTHOR_GROUP_CREATE:
      return create(client, arg);
   case PANTHOR_GROUP_DESTROY:
      return destroy(client, arg);
   case PANTHOR_GROUP_SUBMIT:
      return submit(client, arg);
   default:
      return get_state(client, arg);
   }
}
