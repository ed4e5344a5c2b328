/* SPDX-License-Identifier: MIT */
/*
 * Captures: everything clients gave to the device, in a file that replays to the same results.
 * ATOLL_CS_CAPTURE=FILE writes one; atoll-replay runs it.
 *
 * Memory that only the device wrote is not in the file, since replaying writes it again: before a
 * submission, the pages of its buffers that differ from what they were after the one before.  So
 * that this is well defined, submissions execute one at a time while capturing, and the clock
 * counts device cycles.
 *
 * The file: CAPTURE_MAGIC, then records of four 64-bit words and a payload.
 */
#ifndef ATOLL_CAPTURE_H
#define ATOLL_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#define CAPTURE_MAGIC "ATOLLCP1"
#define CAPTURE_PAGE  4096u

enum capture_kind {
   CAPTURE_MAP = 1,       /* a: VA, b: bytes */
   CAPTURE_UNMAP = 2,     /* a: VA, b: bytes */
   CAPTURE_PAGE_DATA = 3, /* a: VA; payload: a page */
   CAPTURE_SUBMIT = 4,    /* a: ring, b: dwords; payload: the IB, padded to 8 bytes */
   CAPTURE_HASH = 5,      /* a: hash of all mapped memory seen so far, after the submission */
};

struct capture_record {
   uint64_t kind, client, a, b;
};

struct atoll_client;
struct capture;
struct job;
struct vm;

/* From the environment; NULL when there is nothing to do (or to do it with: says why). */
struct capture *capture_open(void);
void capture_close(struct capture *capture);

void capture_map(struct capture *capture, const struct atoll_client *client, uint64_t va,
                 uint64_t size);
void capture_unmap(struct capture *capture, const struct atoll_client *client, uint64_t va,
                   uint64_t size);

/* Around a submission that executes between the two. `vas` are the buffers it names. */
void capture_before(struct capture *capture, const struct atoll_client *client, uint32_t ring,
                    const uint32_t *words, uint32_t num_words, const uint64_t *vas,
                    uint32_t num_vas);
void capture_after(struct capture *capture, const struct atoll_client *client);

/* The memory of one client as a capture sees it: hashes of pages. */
struct capture_space {
   struct capture_mapping *mappings; /* sorted by VA */
   uint32_t count, room;
};
struct capture_mapping {
   uint64_t va, size;
   uint64_t *hashes; /* of each page */
   bool used;        /* named by a submission */
};
bool capture_space_map(struct capture_space *space, uint64_t va, uint64_t size);
void capture_space_unmap(struct capture_space *space, uint64_t va);
/* Rehashes the used mappings; returns the hash of all of them. */
uint64_t capture_space_hash(struct capture_space *space, const struct vm *vm);
void capture_space_finish(struct capture_space *space);

#endif
