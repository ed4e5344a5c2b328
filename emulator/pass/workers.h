/* SPDX-License-Identifier: MIT */
/*
 * Worker threads: the calling thread and count - 1 others run the same job over numbered items.
 */
#ifndef ATOLL_WORKERS_H
#define ATOLL_WORKERS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct times;
struct workers;

/* A job's item; `worker` is 0 for the calling thread. */
typedef void workers_fn(void *data, unsigned worker, uint32_t item);

/* NULL on failure.  The first that is started calls `begin` (which may be NULL) before it looks for
 * work.  `count` includes the calling thread.  `reserve` more work, as workers count,
 * count + 1 and on, while other programs take the processors: the system divides them among threads
 * that want to run, and what one holds that was sent away the others need not wait for at once.
 * `times` sees all jobs, or is NULL. */
struct workers *workers_create(unsigned count, unsigned reserve, void (*begin)(void),
                               struct times *times);
void workers_destroy(struct workers *w);

/* The processor clocks of the threads that it started at first, at most `most`; how many.  From any
 * thread. */
unsigned workers_clocks(const struct workers *w, clockid_t *clock, unsigned most);

/* Runs fn for items 0 .. items - 1, each once, in any order; returns when all are done.  With
 * `alone` the calling thread does it all: waking a sleeping worker costs tens of microseconds. */
void workers_run(struct workers *w, workers_fn *fn, void *data, uint32_t items, bool alone);

#endif
