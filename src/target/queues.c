/* SPDX-License-Identifier: MIT */
/*
 * Mesa's queues of jobs in a forked child, which has none of their threads: of the shader cache, of
 * threaded contexts, of the driver's compilations.
 *
 * What was queued in the parent is the parent's: in the child it counts as done.  A thread that
 * adds a job in the child runs it.  Nothing waits for a thread that is not there: no job, nor the
 * queue's end, with which exit() begins.
 *
 * Mesa is linked as it is: the linker sends the calls here (--wrap).
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/list.h"
#include "util/simple_mtx.h"
#include "util/u_queue.h"

bool __real_util_queue_init(struct util_queue *queue, const char *name, unsigned max_jobs,
                            unsigned num_threads, unsigned flags, void *global_data);
bool __wrap_util_queue_init(struct util_queue *queue, const char *name, unsigned max_jobs,
                            unsigned num_threads, unsigned flags, void *global_data);
void __real_util_queue_destroy(struct util_queue *queue);
void __wrap_util_queue_destroy(struct util_queue *queue);
void __real_util_queue_add_job(struct util_queue *queue, void *job, struct util_queue_fence *fence,
                               util_queue_execute_func execute, util_queue_execute_func cleanup,
                               const size_t job_size);
void __wrap_util_queue_add_job(struct util_queue *queue, void *job, struct util_queue_fence *fence,
                               util_queue_execute_func execute, util_queue_execute_func cleanup,
                               const size_t job_size);

/* A queue that exists. */
struct known {
   struct list_head link;
   struct util_queue *queue;
   bool ending;   /* somebody destroys it */
   bool orphaned; /* its threads are the parent's */
};

/* Process-wide by nature: forks are. */
static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;
static struct list_head all = { &all, &all };
static bool have_orphans; /* changes in a forked child only, before it has threads */

static void
before_fork(void)
{
   simple_mtx_lock(&lock);
}

static void
after_fork(void)
{
   simple_mtx_unlock(&lock);
}

/* The queue's locks may be held, and waited for, by threads that are not here. */
static void
orphan(struct util_queue *queue, bool ending)
{
   mtx_init(&queue->lock, mtx_plain);
   cnd_init(&queue->has_queued_cond);
   cnd_init(&queue->has_space_cond);
   queue->num_threads = 0;
   /* Nobody asks for its jobs then, which may be gone. */
   if (ending)
      return;
   for (int i = 0; i < queue->max_jobs; i++) {
      if (queue->jobs[i].job && queue->jobs[i].fence)
         util_queue_fence_signal(queue->jobs[i].fence);
      queue->jobs[i] = (struct util_queue_job){ 0 };
   }
   queue->read_idx = queue->write_idx = queue->num_queued = 0;
   queue->total_jobs_size = 0;
}

static void
in_child(void)
{
   list_for_each_entry(struct known, k, &all, link)
   {
      if (!k->orphaned)
         orphan(k->queue, k->ending);
      k->orphaned = have_orphans = true;
   }
   simple_mtx_unlock(&lock);
}

static void
watch(void)
{
   pthread_atfork(before_fork, after_fork, in_child);
}

/* The lock is held. */
static struct known *
find(const struct util_queue *queue)
{
   list_for_each_entry(struct known, k, &all, link)
   {
      if (k->queue == queue)
         return k;
   }
   return NULL;
}

bool
__wrap_util_queue_init(struct util_queue *queue, const char *name, unsigned max_jobs,
                       unsigned num_threads, unsigned flags, void *global_data)
{
   static pthread_once_t watched = PTHREAD_ONCE_INIT;
   struct known *k = calloc(1, sizeof(*k));

   pthread_once(&watched, watch);
   /* A fork takes the lock, so that no child has the queue without its entry in the list. */
   simple_mtx_lock(&lock);
   const bool ok =
      k && __real_util_queue_init(queue, name, max_jobs, num_threads, flags, global_data);
   if (ok) {
      k->queue = queue;
      list_add(&k->link, &all);
   }
   simple_mtx_unlock(&lock);
   if (!ok) {
      memset(queue, 0, sizeof(*queue));
      free(k);
   }
   return ok;
}

void
__wrap_util_queue_destroy(struct util_queue *queue)
{
   simple_mtx_lock(&lock);
   struct known *k = find(queue);
   if (k)
      k->ending = true;
   simple_mtx_unlock(&lock);
   __real_util_queue_destroy(queue);
   simple_mtx_lock(&lock);
   if (k)
      list_del(&k->link);
   simple_mtx_unlock(&lock);
   free(k);
}

static bool
is_orphaned(const struct util_queue *queue)
{
   simple_mtx_lock(&lock);
   const struct known *k = find(queue);
   const bool orphaned = k && k->orphaned;
   simple_mtx_unlock(&lock);
   return orphaned;
}

void
__wrap_util_queue_add_job(struct util_queue *queue, void *job, struct util_queue_fence *fence,
                          util_queue_execute_func execute, util_queue_execute_func cleanup,
                          const size_t job_size)
{
   if (!have_orphans || !is_orphaned(queue)) {
      __real_util_queue_add_job(queue, job, fence, execute, cleanup, job_size);
      return;
   }
   execute(job, queue->global_data, 0);
   if (cleanup)
      cleanup(job, queue->global_data, 0);
}
