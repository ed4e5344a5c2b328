/* SPDX-License-Identifier: MIT */
/* What operations wait for and signal: points of timelines, and objects with one fence. */
#include "panthor/panthor.h"

#include <errno.h>
#include <stdlib.h>

/* Of one call.  Each wait looks at all signals before it. */
#define MAX_OPERATIONS (1u << 14)

/* Whether `s` is more of what a wait for `point` is for than `best`, an earlier signal or NULL: of
 * a point the nearest that includes it, and the last of those; or of any point the last. */
static bool
is_nearer(const struct panthor_signal *s, const struct panthor_signal *best, uint64_t point)
{
   return s->point >= point && (!best || !point || s->point <= best->point);
}

/* Whether an earlier stream or bind of the call signals it: *after. */
static bool
find_earlier(const struct panthor_call *call, uint32_t count, const struct syncobj *object,
             uint64_t point, uint32_t *after)
{
   const struct panthor_signal *best = NULL;

   for (uint32_t n = 0; n < count; n++)
      for (uint32_t k = 0; k < call->syncs[n].count; k++) {
         const struct panthor_signal *signal = &call->syncs[n].signals[k];

         if (signal->object == object && is_nearer(signal, best, point)) {
            best = signal;
            *after = n;
         }
      }
   return best;
}

static int
take_one(struct panthor_call *call, uint32_t n, const struct panthor_sync_op *op)
{
   const uint32_t type = op->flags & PANTHOR_SYNC_TYPE_MASK;
   struct panthor_stream *stream = call->work->streams ? &call->work->streams[n] : NULL;
   struct panthor_syncs *syncs = &call->syncs[n];
   struct syncobj *object;
   uint64_t seq = 0;
   uint32_t after;
   int result = 0;

   if (op->flags & ~(PANTHOR_SYNC_TYPE_MASK | PANTHOR_SYNC_SIGNAL) ||
       type > PANTHOR_SYNC_TYPE_TIMELINE ||
       (type == PANTHOR_SYNC_TYPE_SYNCOBJ && op->timeline_value))
      return -EINVAL;
   object = syncobj_get(call->client, op->handle);
   if (!object)
      return -ENOENT;
   if (op->flags & PANTHOR_SYNC_SIGNAL) {
      syncs->signals[syncs->count++] = (struct panthor_signal){ object, op->timeline_value };
      return 0;
   }
   if (!find_earlier(call, n, object, op->timeline_value, &after))
      result = syncobj_fence(call->client, object, op->timeline_value, &seq);
   else if (stream)
      stream->after[stream->num_after++] = after;
   syncobj_put(call->client, object);
   return result;
}

int
panthor_take_syncs(struct panthor_call *call, uint32_t n, const struct panthor_array *array)
{
   struct panthor_stream *stream = call->work->streams ? &call->work->streams[n] : NULL;
   void *structs;
   const struct panthor_sync_op *ops;
   int result;

   if (array->count > MAX_OPERATIONS - call->operations)
      return -ENOMEM;
   result = panthor_read_array(call->client, array, sizeof(*ops), sizeof(*ops), &structs);
   if (result || !array->count)
      return result;
   call->operations += array->count;
   ops = structs;
   call->syncs[n].signals = malloc(array->count * sizeof(*call->syncs[n].signals));
   if (stream)
      stream->after = malloc(array->count * sizeof(*stream->after));
   if (!call->syncs[n].signals || (stream && !stream->after))
      result = -ENOMEM;
   for (uint32_t k = 0; k < array->count && !result; k++)
      result = take_one(call, n, &ops[k]);
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
