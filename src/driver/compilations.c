/* SPDX-License-Identifier: MIT */
/*
 * Making CSOs final in threads beside the program's own, where processors are left for them.
 *
 * A forked child has none of these threads, and what they had in hand stays as it was.  There a CSO
 * of the parent's is final already or never will be (atoll_finish_shader), and nothing is queued
 * until the screen is connected anew (screen.c).  Device and memory are not a child's either
 * (winsys/winsys.h).
 */
#include "context.h"

#include "compiler/glsl_types.h"
#include "util/list.h"
#include "util/simple_mtx.h"
#include "util/u_cpu_detect.h"
#include "util/u_queue.h"

#include <pthread.h>
#include <stdlib.h>

#define COMPILER_THREADS 4    /* at most */
#define COMPILER_JOBS    1024 /* more are taken, too: the queue grows */

/* Process-wide by nature: forks are.  Of all screens with a queue. */
static simple_mtx_t screens_lock = SIMPLE_MTX_INITIALIZER;
static struct list_head screens = { &screens, &screens };
static pthread_once_t watch_forks = PTHREAD_ONCE_INIT;

/* What the thread that warms the compiler has locked of Mesa's own, nobody could unlock in a child.
 * It takes some milliseconds. */
static void
before_fork(void)
{
   simple_mtx_lock(&screens_lock);
   list_for_each_entry(struct atoll_screen, screen, &screens, compiling)
   {
      util_queue_fence_wait(&screen->warmed);
   }
}

static void
after_fork(void)
{
   simple_mtx_unlock(&screens_lock);
}

/* The queue's threads are not here: src/target/queues.c has emptied it. */
static void
in_child(void)
{
   list_for_each_entry(struct atoll_screen, screen, &screens, compiling)
   {
      screen->compiles_aside = false;
      simple_mtx_init(&screen->compilations_lock, mtx_plain);
   }
   simple_mtx_unlock(&screens_lock);
}

static void
watch(void)
{
   pthread_atfork(before_fork, after_fork, in_child);
}

static void
finish_job(void *shader, void *screen, int thread)
{
   atoll_begin_shader(shader);
}

/* Nobody waits for the job any more. Where it is dropped, no thread has it. */
static void
after_job(void *unused, void *screen, int thread)
{
   if (thread >= 0)
      atoll_touch_ahead(screen);
}

static void
warm_job(void *screen, void *unused, int thread)
{
   atoll_warm_compiler(screen);
}

bool
atoll_compile_aside(struct atoll_screen *screen, struct atoll_shader *shader)
{
   if (!screen->compiles_aside)
      return false;
   /* Mesa's queue cannot take a job while its threads become fewer. */
   simple_mtx_lock(&screen->compilations_lock);
   util_queue_add_job(&screen->compilations, shader, &shader->queued, finish_job, after_job, 0);
   simple_mtx_unlock(&screen->compilations_lock);
   atoll_reserve_ahead(screen);
   return true;
}

bool
atoll_drop_compilation(struct atoll_shader *shader)
{
   struct atoll_screen *screen = shader->screen;

   if (atoll_winsys_lost(shader->ws)) {
      if (!atoll_is_final(shader) || !util_queue_fence_is_signalled(&shader->queued))
         return false;
   } else if (screen->compiles_aside) {
      util_queue_drop_job(&screen->compilations, &shader->queued);
   }
   /* What the thread that had it wrote is seen by this one. */
   simple_mtx_lock(&shader->lock);
   simple_mtx_unlock(&shader->lock);
   return true;
}

/* Whether a CSO can be used without a wait (GL_COMPLETION_STATUS). */
static bool
is_finished(struct pipe_screen *pscreen, void *shader, enum pipe_shader_type stage)
{
   return atoll_is_final(shader) || atoll_winsys_lost(((const struct atoll_shader *)shader)->ws);
}

static void
set_max_compiler_threads(struct pipe_screen *pscreen, unsigned max)
{
   struct atoll_screen *screen = atoll_screen(pscreen);
   if (!screen->compiles_aside)
      return;
   simple_mtx_lock(&screen->compilations_lock);
   util_queue_adjust_num_threads(&screen->compilations, CLAMP(max, 1, COMPILER_THREADS), false);
   simple_mtx_unlock(&screen->compilations_lock);
}

/* A thread for each processor that is left beside the program's own. What is printed for debugging
 * comes in the order of creation. */
void
atoll_init_compilations(struct atoll_screen *screen)
{
   const int left = util_get_cpu_caps()->nr_cpus - 1;

   screen->base.is_parallel_shader_compilation_finished = is_finished;
   screen->base.set_max_shader_compiler_threads = set_max_compiler_threads;
   simple_mtx_init(&screen->compilations_lock, mtx_plain);
   if (left <= 0 || screen->debug ||
       !util_queue_init(&screen->compilations, "atoll:sh", COMPILER_JOBS,
                        (unsigned)MIN2(left, COMPILER_THREADS), UTIL_QUEUE_INIT_RESIZE_IF_FULL,
                        screen))
      return;
   /* Where a program ends without destroying anything, its threads outlive its last use of GLSL. */
   glsl_type_singleton_init_or_ref();
   pthread_once(&watch_forks, watch);
   util_queue_fence_init(&screen->warmed);
   simple_mtx_lock(&screens_lock);
   list_add(&screen->compiling, &screens);
   screen->compiles_aside = true;
   simple_mtx_unlock(&screens_lock);
   util_queue_add_job(&screen->compilations, screen, &screen->warmed, warm_job, NULL, 0);
}

void
atoll_finish_compilations(struct atoll_screen *screen)
{
   if (util_queue_is_initialized(&screen->compilations)) {
      simple_mtx_lock(&screens_lock);
      list_del(&screen->compiling);
      simple_mtx_unlock(&screens_lock);
      util_queue_destroy(&screen->compilations);
      util_queue_fence_destroy(&screen->warmed);
      free(screen->ahead);
      screen->ahead = NULL;
      glsl_type_singleton_decref();
   }
   simple_mtx_destroy(&screen->compilations_lock);
}
