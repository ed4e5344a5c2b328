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

/* The number that `name` is set to, `otherwise` when it is not set to one. */
uint64_t options_number(const char *name, uint64_t otherwise);

/* ATOLL_THREADS, or the number of CPUs this process may use (by affinity and by its control group's
 * quota); 1..64. */
unsigned options_threads(void);

/* Threads beyond these that work while other programs take the processors: none where ATOLL_THREADS
 * or a quota says how many there are. */
unsigned options_reserve(void);

/* Whether the process has one processor, and ATOLL_THREADS does not say how many threads to use. */
bool options_alone(void);

#endif
