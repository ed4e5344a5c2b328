/* SPDX-License-Identifier: MIT */
/*
 * Writing captures (atoll/capture.h has the format).
 *
 * So that what a capture holds is well defined, submissions execute one at a time while capturing,
 * and the clock counts device cycles.
 */
#ifndef ATOLL_FRONTDOOR_CAPTURE_H
#define ATOLL_FRONTDOOR_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct atoll_client;
struct capture;
struct frontdoor_driver;

/* From the environment; NULL when there is nothing to do (or to do it with: says why).  A forked
 * child's file is another one: the process's number follows the name. */
struct capture *capture_open(const struct frontdoor_driver *driver, uint32_t isa, bool forked);
void capture_close(struct capture *capture);
/* In a forked child: its parent writes what is on its way to the file. */
void capture_forked(struct capture *capture);

void capture_map(struct capture *capture, const struct atoll_client *client, uint64_t va,
                 uint64_t size);
void capture_unmap(struct capture *capture, const struct atoll_client *client, uint64_t va,
                   uint64_t size);

/* Around a submission that executes between the two. `vas` are the buffers it names. */
void capture_before(struct capture *capture, const struct atoll_client *client, uint32_t ring,
                    const uint32_t *words, uint32_t num_words, const uint64_t *vas,
                    uint32_t num_vas);
void capture_after(struct capture *capture, const struct atoll_client *client);

#endif
