/* SPDX-License-Identifier: MIT */
/*
 * Submissions.  All that one call hands over is one of the front door's jobs: its streams run as if
 * at once, each until it ends or waits for memory or another queue; those of one queue one after
 * the other.  When all that is left waits, it is given WAIT_MS, since the CPU may write.
 */
#include "panthor/panthor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What streams of one call may spend (csf/csf.h): some seconds. */
#define BUDGET (UINT64_C(1) << 25)

#define WAIT_MS 200

void
panthor_drop_work(struct panthor_work *work)
{
   for (uint32_t n = 0; work->binds && n < work->count; n++)
      if (work->binds[n].bo)
         gem_unref(work->vm->device, work->binds[n].bo);
   if (work->group)
      panthor_group_put(work->group);
   panthor_vm_put(work->vm);
   free(work->streams);
   free(work->binds);
   free(work);
}

int
panthor_submit(struct atoll_client *client, struct panthor_work *work,
               const struct panthor_syncs *syncs, uint32_t count)
{
   struct atoll_device *device = client->device;
   const bool shared = work->group && panthor_vm_is_shared(work->vm);
   struct job *job = malloc(sizeof(*job) + sizeof(work));
   uint64_t seq;

   if (!job) {
      panthor_drop_work(work);
      return -ENOMEM;
   }
   *job = (struct job){ .client = client, .num_words = sizeof(work) / 4 };
   memcpy(job->words, &work, sizeof(work));
   seq = queue_submit(device, job);
   for (uint32_t n = 0; n < count; n++)
      panthor_signal_syncs(client, &syncs[n], seq);
   if (device->synchronous || shared)
      queue_wait(device, seq);
   return 0;
}

/* ---- Binds ---- */

static void
run_binds(const struct panthor_work *work)
{
   for (uint32_t n = 0; n < work->count; n++)
      if (panthor_do_bind(work->vm, &work->binds[n])) {
         panthor_say(work->vm->device, "a queued bind failed: the address space is lost");
         work->vm->unusable = true;
         return;
      }
}

/* ---- Streams ---- */

struct run {
   struct atoll_device *device;
   uint64_t client;
   const struct panthor_work *work;
   uint64_t budget, ended; /* bit n: stream n */
};

static uint64_t
timestamp(void *data)
{
   return panthor_ticks(data);
}

/* The streams that have to end before it: those it waits for, and those of its queue. */
static uint64_t
before(const struct panthor_work *work, uint32_t n)
{
   uint64_t mask = work->streams[n].after;

   for (uint32_t k = 0; k < n; k++)
      if (work->streams[k].queue == work->streams[n].queue)
         mask |= UINT64_C(1) << k;
   return mask;
}

static void
lose(const struct run *run, uint32_t state, uint32_t queue)
{
   atomic_fetch_or(&run->work->group->state, state);
   atomic_fetch_or(&run->work->group->fatal_queues, 1u << queue);
}

/* Whether it came any further; ends the group where it cannot. */
static bool
run_stream(struct run *run, uint32_t n)
{
   struct panthor_stream *stream = &run->work->streams[n];
   struct panthor_group *group = run->work->group;
   struct cs_queue *queue = &group->queues[stream->queue];
   const uint64_t spent = run->budget;
   char name[64];
   const struct cs_env env = {
      .vm = run->work->vm->vm,
      .report = run->device->report,
      .name = name,
      .trace = panthor_of(run->device)->trace,
      .strict = panthor_of(run->device)->strict,
      .group = group->queues,
      .group_queues = group->count,
      .budget = &run->budget,
      .timestamp = timestamp,
      .cycles = timestamp,
      .endpoint = panthor_endpoint,
      .data = run->device,
   };

   snprintf(name, sizeof(name), "client %" PRIu64 ", group %" PRIu64 ", queue %u", run->client,
            group->id, stream->queue);
   if (!stream->begun)
      cs_begin(queue, stream->address, stream->bytes);
   stream->begun = true;
   switch (cs_run(queue, &env)) {
   case CS_BLOCKED:
      return run->budget < spent;
   case CS_FINISHED:
      break;
   case CS_FATAL:
      panthor_say(run->device, "%s stops: exception 0x%x at 0x%" PRIx64, name, queue->fatal,
                  queue->fatal_at);
      lose(run, PANTHOR_GROUP_FATAL_FAULT, stream->queue);
      break;
   case CS_EXHAUSTED:
      panthor_say(run->device, "%s stops: its streams do not end", name);
      lose(run, PANTHOR_GROUP_TIMEDOUT, stream->queue);
      break;
   }
   if (queue->error)
      report_message(run->device->report, "%s: a stream ends with error 0x%x", name, queue->error);
   /* As the kernel's own instructions after it. */
   queue->error = CS_OK;
   stream->ended = true;
   run->ended |= UINT64_C(1) << n;
   return true;
}

/* Whether any stream came further. */
static bool
run_each(struct run *run)
{
   const struct panthor_work *work = run->work;
   bool further = false;

   for (uint32_t n = 0; n < work->count && !work->group->state; n++)
      if (!work->streams[n].ended && !(before(work, n) & ~run->ended))
         further |= run_stream(run, n);
   return further;
}

static bool
is_ended(const struct run *run)
{
   return run->work->group->state || run->ended == UINT64_MAX >> (64 - run->work->count);
}

static void
run_streams(struct run *run)
{
   const struct timespec pause = { .tv_nsec = 1000000 };
   unsigned waited = 0;

   while (!is_ended(run)) {
      if (run_each(run)) {
         waited = 0;
      } else if (waited++ < WAIT_MS) {
         nanosleep(&pause, NULL);
      } else {
         panthor_say(run->device,
                     "client %" PRIu64 ", group %" PRIu64 ": nothing signals what its "
                     "streams wait for",
                     run->client, run->work->group->id);
         atomic_fetch_or(&run->work->group->state, PANTHOR_GROUP_TIMEDOUT);
      }
   }
}

void
panthor_execute(struct atoll_device *device, const struct job *job)
{
   struct panthor_work *work;

   memcpy(&work, job->words, sizeof(work));

   struct run run = { .device = device, .client = job->client->id, .work = work, .budget = BUDGET };

   if (!work->group)
      run_binds(work);
   else if (work->count && !work->vm->unusable)
      run_streams(&run);
   else if (work->vm->unusable)
      atomic_fetch_or(&work->group->state, PANTHOR_GROUP_FATAL_FAULT);
   panthor_drop_work(work);
}
