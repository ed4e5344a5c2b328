/* SPDX-License-Identifier: MIT */
/* Runs a kernel of kernels.cl on the host: the groups in order, the threads of one after the other,
 * or together where they meet at barriers. */
#include <pthread.h>
#include <stdint.h>

typedef void kernel_fn(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);

static __thread int thread, group;
static pthread_barrier_t meet;

int
host_thread(void)
{
   return thread;
}

int
host_group(void)
{
   return group;
}

void
barrier(void)
{
   pthread_barrier_wait(&meet);
}

struct start {
   kernel_fn *kernel;
   const intptr_t *arg;
   int thread, group;
};

static void *
start(void *data)
{
   const struct start *s = data;
   const intptr_t *a = s->arg;

   thread = s->thread;
   group = s->group;
   s->kernel(a[0], a[1], a[2], a[3], a[4], a[5]);
   return NULL;
}

/* Six arguments, at most 256 threads. */
void
host_run(kernel_fn *kernel, const intptr_t *arg, int threads, int groups, int together)
{
   struct start s[256];
   pthread_t id[256];

   for (int g = 0; g < groups; g++) {
      pthread_barrier_init(&meet, 0, (unsigned)threads);
      for (int t = 0; t < threads; t++) {
         s[t] = (struct start){ kernel, arg, t, g };
         if (together)
            pthread_create(&id[t], 0, start, &s[t]);
         else
            start(&s[t]);
      }
      for (int t = 0; together && t < threads; t++)
         pthread_join(id[t], 0);
      pthread_barrier_destroy(&meet);
   }
}
