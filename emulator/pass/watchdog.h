/* SPDX-License-Identifier: MIT */
/*
 * The watchdog: a thread that ends a submission when its time is used up.
 *
 * Time is counted in two ways.  Host time is what the thread of the device that works most has of
 * its processor: a busy machine, or a program that is stopped, takes nothing from a submission.
 * The wall clock is there for what waits, and for a machine that is so busy that host time stands
 * still; a stopped process's does not run on.
 *
 * What executes is told through each worker's core_watch; it asks nothing of a clock.  The thread
 * looks at the submission under way some times a second, and sleeps while there is none.
 */
#ifndef ATOLL_WATCHDOG_H
#define ATOLL_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "port/worker.h"

struct watchdog;
struct workers;

/* Of the watches of `worker[threads]`, on which `workers` run; both outlive it.  NULL: no
 * memory. */
struct watchdog *watchdog_create(struct worker *worker, unsigned threads,
                                 const struct workers *workers);
void watchdog_destroy(struct watchdog *w);

/* A submission begins on the calling thread; it may take so many nanoseconds, 0: any number. */
void watchdog_begin(struct watchdog *w, int64_t host_ns, int64_t wall_ns);

/* It ends: nothing is under way, and nobody will be ended. */
void watchdog_end(struct watchdog *w);

enum watchdog_why { WATCHDOG_NOTHING, WATCHDOG_HOST, WATCHDOG_WALL };

/* Why the submission under way was ended. */
enum watchdog_why watchdog_said(const struct watchdog *w);

#endif
