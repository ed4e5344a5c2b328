/* SPDX-License-Identifier: MIT */
/*
 * Where the device's time goes, for what limits many processors.
 *
 * ATOLL_TIMES=FILE asks for it: at the device's end a line of JSON is added to FILE.  In seconds,
 * but for `threads` and counts:
 *
 *    threads      workers, ATOLL_THREADS
 *    wall         from the device's start to its end
 *    processor    of the whole process, as far as in that time
 *    submissions  executed; `device`: the time of their execution, on one thread
 *    commands     that thread's outside jobs: packets, decoding of draws, binding of programs
 *    front, tiles, compute, each with
 *       alone_jobs, alone  jobs of one item, too small, or bound to an order: one thread's
 *       jobs, items, wall  jobs that are all workers'
 *       wait               of wall: the calling thread has no item left, and waits for others'
 *       work, longest      items' time added up; the longest item of each job added up
 *       paper              by number of threads: of each job the longer of work / threads and its
 *                          longest item, added up.  No schedule of these items is faster
 *
 * wall, device and wait are by the wall clock, and what else runs on the machine is in them; the
 * rest is processor time.
 */
#ifndef ATOLL_PASS_TIMES_H
#define ATOLL_PASS_TIMES_H

#include <stdbool.h>
#include <stdint.h>

struct times;

enum times_phase {
   TIMES_FRONT,
   TIMES_TILES,
   TIMES_COMPUTE,
   TIMES_PHASES,
};

/* NULL without a file name, or on lack of memory.  All of the rest but times_item() and the
 * clocks is the thread's that executes submissions.  times_phase(), times_begin(), times_end() and
 * times_close() may be given NULL. */
struct times *times_open(const char *file, unsigned threads);

/* Writes the line, and frees. */
void times_close(struct times *t);

void times_begin(struct times *t);
void times_end(struct times *t);

/* What the next jobs are. */
void times_phase(struct times *t, enum times_phase phase);

/* A job: `together` on all workers.  Its items are over when times_job_end() is called, and the
 * caller has none left at times_job_wait(). */
void times_job(struct times *t, bool together, uint32_t items);
void times_item(struct times *t, unsigned worker, int64_t ns);
void times_job_wait(struct times *t);
void times_job_end(struct times *t);

int64_t times_now(void);
int64_t times_spent(void); /* the calling thread's processor time */

#endif
