/* SPDX-License-Identifier: MIT */
/* The device's environment variables. */
#ifndef ATOLL_OPTIONS_H
#define ATOLL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether ATOLL_DEBUG's comma-separated list holds `word`. */
bool options_debug(const char *word);

/* Whether `name` is set to something but "", "0" or "false". */
bool options_flag(const char *name);

/* Whether `name` is set to `value`. */
bool options_word(const char *name, const char *value);

/* What a submission may take, by ATOLL_BUDGET.  Host time is what pass/watchdog.h calls so. */
struct options_budget {
   uint64_t cycles;          /* 0: any number */
   int64_t host_ns, wall_ns; /* 0: any time */
   /* By the wall clock, alone, of contexts that hear of no reset; 0: as others. */
   int64_t patient_ns;
   bool set;
};

/* A number of seconds, with or without an `s` after it, a number of device cycles with a `c`, or
 * `none`.  Without it, and by the wall clock, it is what docs/environment.rst says.  False: the
 * variable is something else, which is said, and *budget as without it. */
bool options_budget(struct options_budget *budget);

/* What a process and each client of the device may have at a time, by ATOLL_LIMITS; and how long a
 * program's compilation may take, of its thread's processor time. */
struct options_limits {
   uint64_t memory, client; /* bytes of buffers: of all clients, of one */
   uint32_t handles;        /* of a client */
   uint32_t compile;        /* seconds; 0: any time */
};

/* A comma-separated list of NAME=NUMBER, of bytes with K, M or G after it.  What is not named stays
 * as it is in *limits, and so does all where something is wrong: false. */
bool options_limits(struct options_limits *limits);

/* ATOLL_THREADS, or the number of CPUs this process may use (by affinity and by its control group's
 * quota); 1..64. */
unsigned options_threads(void);

/* Threads beyond these that work while other programs take the processors: none where ATOLL_THREADS
 * or a quota says how many there are. */
unsigned options_reserve(void);

/* Whether the process has one processor, and ATOLL_THREADS does not say how many threads to use. */
bool options_alone(void);

#endif
