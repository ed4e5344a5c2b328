/* SPDX-License-Identifier: MIT */
/*
 * Writing captures (atoll/capture.h has the format).
 *
 * So that what a capture holds is well defined, submissions execute one at a time while capturing,
 * and the clock counts device cycles.  ATOLL_CS_FRAMES says which frames are captured; a frame ends
 * where the driver says so with a submission (job.begins_frame, job.ends_frame).
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

/* A submission comes; `begins`: a frame ended before it.  Whether it is wanted. */
bool capture_frame(struct capture *capture, bool begins);

struct capture_buffer {
   uint64_t va;
   bool touched; /* others than the device may have written to it */
};

struct capture_submission {
   uint32_t ring;
   const uint32_t *words;
   uint32_t num_words;
   const struct capture_buffer *buffers; /* that it names */
   uint32_t num_buffers;
   bool begins_frame;
};

/* Around a submission that executes between the two, while nothing else does. */
void capture_before(struct capture *capture, const struct atoll_client *client,
                    const struct capture_submission *submission);
void capture_after(struct capture *capture, const struct atoll_client *client);

#endif
