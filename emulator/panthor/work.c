/* SPDX-License-Identifier: MIT */
/*
 * Submissions.  All that one call hands over is one of the front door's jobs: its streams run as if
 * at once, each until it ends or waits for memory or another queue; those of one queue one after
 * the other.  When all that is left waits, it is given WAIT_MS, since the CPU may write; waiting is
 * charged as work is.
 */
#include "panthor/panthor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What streams of one call may spend (csf/csf.h): some seconds, of which each has as many units. */
#define UNITS_PER_MS UINT64_C(8192)
#define BUDGET       (4096 * UNITS_PER_MS)

#define WAIT_MS 200

uint64_t
panthor_budget(void)
{
   struct options_budget budget;

   options_budget(&budget);
   if (!budget.set)
      return BUDGET;
   if (budget.cycles)
      return budget.cycles;
   /* Not by the clock: what is ended is then the same on every machine. */
   return budget.host_ns ? (uint64_t)budget.host_ns / 1000 * UNITS_PER_MS / 1000 + 1 : UINT64_MAX;
}

/* ---- Calls ---- */

static void
drop_work(struct panthor_work *work)
{
   for (uint32_t n = 0; work->binds && n < work->count; n++)
      if (work->binds[n].bo)
         gem_unref(work->vm->device, work->binds[n].bo);
   for (uint32_t n = 0; work->streams && n < work->count; n++)
      free(work->streams[n].after);
   if (work->group)
      panthor_group_put(work->group);
   panthor_vm_put(work->vm);
   free(work->streams);
   free(work->binds);
   free(work);
}

int
panthor_begin_call(struct panthor_call *call, struct atoll_client *client, struct panthor_vm *vm,
                   struct panthor_group *group, uint32_t count)
{
   struct panthor_work *work = calloc(1, sizeof(*work));

   *call = (struct panthor_call){ client, work, calloc(count, sizeof(*call->syncs)), 0 };
   if (!work) {
      if (group)
         panthor_group_put(group);
      panthor_vm_put(vm);
      free(call->syncs);
      return -ENOMEM;
   }
   *work = (struct panthor_work){ .vm = vm, .group = group, .count = count };
   if (group)
      work->streams = calloc(count, sizeof(*work->streams));
   else
      work->binds = calloc(count, sizeof(*work->binds));
   if ((work->streams || work->binds) && call->syncs)
      return 0;
   drop_work(work);
   free(call->syncs);
   return -ENOMEM;
}

static int
submit(struct panthor_call *call)
{
   struct atoll_device *device = call->client->device;
   struct panthor_work *work = call->work;
   const bool shared = work->group && panthor_vm_is_shared(work->vm);
   const uint32_t count = work->count; /* it may have executed soon */
   struct job *job = malloc(sizeof(*job) + sizeof(work));
   uint64_t seq;

   if (!job) {
      drop_work(work);
      return -ENOMEM;
   }
   *job = (struct job){ .client = call->client, .num_words = sizeof(work) / 4 };
   memcpy(job->words, &work, sizeof(work));
   seq = queue_submit(device, job);
   for (uint32_t n = 0; n < count; n++)
      panthor_signal_syncs(call->client, &call->syncs[n], seq);
   if (device->synchronous || shared)
      queue_wait(device, seq);
   return 0;
}

int
panthor_end_call(struct panthor_call *call, int result)
{
   const uint32_t count = call->work->count;

   if (result)
      drop_work(call->work);
   else
      result = submit(call);
   for (uint32_t n = 0; n < count; n++)
      panthor_drop_syncs(call->client, &call->syncs[n]);
   free(call->syncs);
   return result;
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
   uint64_t budget;
   uint32_t first[CS_QUEUES]; /* of each queue's streams that have not ended; count: none */
};

static uint64_t
timestamp(void *data)
{
   return panthor_ticks(((const struct panthor_run *)data)->device);
}

/* The queue's first stream from `n` on. */
static uint32_t
find_stream(const struct panthor_work *work, uint32_t queue, uint32_t n)
{
   while (n < work->count && work->streams[n].queue != queue)
      n++;
   return n;
}

/* Whether all that it waits for has ended. */
static bool
is_ready(const struct panthor_work *work, uint32_t n)
{
   struct panthor_stream *stream = &work->streams[n];

   while (stream->num_after && work->streams[stream->after[stream->num_after - 1]].ended)
      stream->num_after--;
   return !stream->num_after;
}

/* The first stream that could run, but of queues in `blocked`; work->count: none. */
static uint32_t
choose(const struct run *run, uint32_t blocked)
{
   const struct panthor_work *work = run->work;
   uint32_t best = work->count;

   for (uint32_t queue = 0; queue < work->group->count; queue++)
      if (!(blocked >> queue & 1) && run->first[queue] < best && is_ready(work, run->first[queue]))
         best = run->first[queue];
   return best;
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
   struct panthor_run endpoints = { run->device, group };
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
      .data = &endpoints,
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
   run->first[stream->queue] = find_stream(run->work, stream->queue, n + 1);
   return true;
}

/* Whether any stream came further. */
static bool
run_each(struct run *run)
{
   const struct panthor_work *work = run->work;
   uint32_t blocked = 0, n;
   bool further = false;

   while (!work->group->state && (n = choose(run, blocked)) < work->count) {
      further |= run_stream(run, n);
      if (!work->streams[n].ended)
         blocked |= 1u << work->streams[n].queue;
   }
   return further;
}

static bool
is_ended(const struct run *run)
{
   bool ended = true;

   for (uint32_t queue = 0; queue < run->work->group->count; queue++)
      ended = ended && run->first[queue] == run->work->count;
   return ended || run->work->group->state;
}

static void
run_streams(struct run *run)
{
   const struct timespec pause = { .tv_nsec = 1000000 };
   unsigned waited = 0;

   for (uint32_t queue = 0; queue < run->work->group->count; queue++)
      run->first[queue] = find_stream(run->work, queue, 0);
   while (!is_ended(run)) {
      if (run_each(run)) {
         waited = 0;
      } else if (waited < WAIT_MS && run->budget >= UNITS_PER_MS) {
         waited++;
         run->budget -= UNITS_PER_MS;
         nanosleep(&pause, NULL);
      } else {
         panthor_say(run->device, "client %" PRIu64 ", group %" PRIu64 ": %s", run->client,
                     run->work->group->id,
                     waited < WAIT_MS ? "its streams wait for too long"
                                      : "nothing signals what its streams wait for");
         atomic_fetch_or(&run->work->group->state, PANTHOR_GROUP_TIMEDOUT);
      }
   }
}

void
panthor_execute(struct atoll_device *device, const struct job *job)
{
   struct panthor_work *work;

   memcpy(&work, job->words, sizeof(work));

   struct run run = { .device = device,
                      .client = job->client->id,
                      .work = work,
                      .budget = panthor_of(device)->budget };

   if (!work->group)
      run_binds(work);
   else if (work->count && !work->vm->unusable)
      run_streams(&run);
   else if (work->vm->unusable)
      atomic_fetch_or(&work->group->state, PANTHOR_GROUP_FATAL_FAULT);
   drop_work(work);
}
