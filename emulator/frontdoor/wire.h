/* SPDX-License-Identifier: MIT */
/*
 * Messages between a client and a device in another process, over a socket that keeps the bounds of
 * packets (SOCK_SEQPACKET).
 *
 * A message is a head, a list of ranges of the client's memory, the ioctl's struct, and the bytes
 * of the ranges that the device reads.  The answer has the same form: the struct as the device left
 * it, and of each range that it may write how many bytes it wrote, and these.  Addresses in structs
 * and arrays stay the client's: to the device they are names of ranges.
 *
 * A message is as many packets of WIRE_PACKET bytes as it needs, the last one shorter; a file
 * descriptor, at most one, comes with the first.  Each request has one answer, and the next request
 * follows that: what is to be done at the same time uses a channel of its own.
 *
 * Everything here is host order and size: both ends are programs of one build on one machine.
 */
#ifndef ATOLL_FRONTDOOR_WIRE_H
#define ATOLL_FRONTDOOR_WIRE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_VERSION 1u
#define WIRE_PACKET  32768u
/* A submission of the most dwords and buffers that there may be, and some. */
#define WIRE_MAX       (UINT32_C(3) << 19)
#define WIRE_RANGES    40u /* of a submission with 16 chunks: 33 */
#define WIRE_ARG       256u
#define WIRE_OUT_BYTES 4096u /* that the device writes, in all ranges */
#define WIRE_CHANNELS  256u /* of a client, the first included: as many threads can call at a time */

enum wire_kind {
   WIRE_CLIENT,  /* to a device's root: the descriptor is the first channel of another client */
   WIRE_HELLO,   /* a device's first message on it: `request` is WIRE_VERSION; with a status page */
   WIRE_CHANNEL, /* the descriptor is another channel of this client; no answer */
   WIRE_RENDER,  /* the client is one of a render node */
   WIRE_IOCTL,
   WIRE_MAP,      /* `length` bytes at mmap offset `offset`: a descriptor, and `offset` in it */
   WIRE_FINISH,   /* waits for all that the client has submitted */
   WIRE_MESSAGES, /* what atoll_device_messages() gives, in at most `length` bytes: one range */
};

enum wire_access { WIRE_IN = 1, WIRE_OUT = 2 };

struct wire_range {
   uint64_t address;
   uint32_t bytes;
   uint32_t access; /* enum wire_access */
};

struct wire_head {
   uint32_t bytes; /* of the message */
   uint32_t kind;
   uint32_t request; /* of an ioctl */
   int32_t result;   /* of an answer: 0 or a negative errno */
   uint32_t arg_bytes;
   uint32_t num_ranges;
   uint64_t offset, length;
};

struct wire_message {
   struct wire_head head;
   struct wire_range ranges[WIRE_RANGES];
   const uint8_t *in[WIRE_RANGES]; /* the range's bytes, NULL: none */
   const uint8_t *arg;
   uint32_t out_bytes; /* of ranges with WIRE_OUT */
};

/* Reads a message of `length` bytes, into which *message points.  False: it is none. */
bool wire_read(const void *bytes, size_t length, struct wire_message *message);

/* The same of an answer: each range that the device may write has no more bytes than `request`
 * offers, and WIRE_IN stands for its bytes, which are in `in`. */
bool wire_read_answer(const void *bytes, size_t length, const struct wire_message *request,
                      struct wire_message *answer);

/* A message under way, and the buffer that it was read into or is written from. */
struct wire_buffer {
   uint8_t *bytes;
   size_t length, room;
};

/* False: no memory, or more than WIRE_MAX. */
bool wire_append(struct wire_buffer *buffer, const void *bytes, size_t length);
/* Room for so many bytes more. */
bool wire_reserve(struct wire_buffer *buffer, size_t length);

/* Sends it, with the descriptor `fd` unless that is -1.  0 or an errno. */
int wire_send(int socket, struct wire_buffer *buffer, int fd);

/* Receives one; *fd is its descriptor, which becomes the caller's, or -1.  0 or an errno: EPIPE at
 * the end of the connection, EPROTO for what is no message. */
int wire_receive(int socket, struct wire_buffer *buffer, int *fd);

/* What the device writes for a client, and the client finds where the device is no more: one page,
 * of each client its own, which the client cannot write. */
struct client_status {
   _Atomic uint64_t executing; /* 0: none of its submissions, else STATUS_EXECUTING | context */
};
#define STATUS_EXECUTING (UINT64_C(1) << 32)
#define STATUS_BYTES     4096u

#endif
