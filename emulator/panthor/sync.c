/* SPDX-License-Identifier: MIT */
/* What operations wait for and signal: points of timelines, and objects with one fence. */
#include "panthor/panthor.h"

#include <errno.h>
#include <stdlib.h>

/* Whether an earlier operation of the call signals it. */
static bool
find_earlier(const struct panthor_syncs *earlier, uint32_t count, const struct syncobj *object,
             uint64_t point, uint64_t *after)
{
   bool found = false;

   for (uint32_t n = 0; n < count; n++)
      for (uint32_t k = 0; k < earlier[n].count; k++) {
         const struct panthor_signal *signal = &earlier[n].signals[k];

         if (signal->object == object && signal->point >= point) {
            found = true;
            *after |= UINT64_C(1) << n % 64;
         }
      }
   return found;
}

static int
take_one(struct atoll_client *client, const struct panthor_sync_op *op,
         const struct panthor_syncs *earlier, uint32_t num_earlier, uint64_t *after,
         struct panthor_syncs *syncs)
{
   const uint32_t type = op->flags & PANTHOR_SYNC_TYPE_MASK;
   struct syncobj *object;
   uint64_t seq = 0;
   int result = 0;

   if (op->flags & ~(PANTHOR_SYNC_TYPE_MASK | PANTHOR_SYNC_SIGNAL) ||
       type > PANTHOR_SYNC_TYPE_TIMELINE ||
       (type == PANTHOR_SYNC_TYPE_SYNCOBJ && op->timeline_value))
      return -EINVAL;
   object = syncobj_get(client, op->handle);
   if (!object)
      return -ENOENT;
   if (op->flags & PANTHOR_SYNC_SIGNAL) {
      syncs->signals[syncs->count++] = (struct panthor_signal){ object, op->timeline_value };
      return 0;
   }
   if (!find_earlier(earlier, num_earlier, object, op->timeline_value, after))
      result = syncobj_fence(client, object, op->timeline_value, &seq);
   syncobj_put(client, object);
   return result;
}

int
panthor_take_syncs(struct atoll_client *client, const struct panthor_array *array,
                   const struct panthor_syncs *earlier, uint32_t num_earlier, uint64_t *after,
                   struct panthor_syncs *syncs)
{
   void *structs;
   const struct panthor_sync_op *ops;
   int result = panthor_read_array(client, array, sizeof(*ops), sizeof(*ops), &structs);

   if (result || !array->count)
      return result;
   ops = structs;
   syncs->signals = malloc(array->count * sizeof(*syncs->signals));
   if (!syncs->signals)
      result = -ENOMEM;
   for (uint32_t n = 0; n < array->count && !result; n++)
      result = take_one(client, &ops[n], earlier, num_earlier, after, syncs);
   free(structs);
   return result;
}

void
panthor_signal_syncs(struct atoll_client *client, const struct panthor_syncs *syncs, uint64_t seq)
{
   for (uint32_t n = 0; n < syncs->count; n++)
      syncobj_set(client, syncs->signals[n].object, syncs->signals[n].point, seq);
}

void
panthor_drop_syncs(struct atoll_client *client, struct panthor_syncs *syncs)
{
   for (uint32_t n = 0; n < syncs->count; n++)
      syncobj_put(client, syncs->signals[n].object);
   free(syncs->signals);
   *syncs = (struct panthor_syncs){ 0 };
}
