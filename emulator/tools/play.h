/* SPDX-License-Identifier: MIT */
/*
 * Runs a capture (atoll/capture.h) through the public interface of the device (atoll/device.h).
 */
#ifndef ATOLL_TOOLS_PLAY_H
#define ATOLL_TOOLS_PLAY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <atoll/capture.h>
#include <atoll/device.h>

#include "tools/tool.h"

#define PLAY_CLIENTS 256

struct play_buffer;

struct replayed {
   uint64_t id;
   struct atoll_client *client;
   struct play_buffer *buffers;
};

struct play {
   struct atoll_device *device;
   const struct tool *tool;
   const struct tool_file *file;
   struct atoll_capture_header header;
   const char *records; /* and their bytes: of the file, or unpacked */
   size_t size, at;     /* `at`: where it stands */
   char *unpacked;
   uint32_t frame;  /* of the next submission; 0: not known */
   uint64_t random; /* changes what is played; 0: as captured */
   struct replayed clients[PLAY_CLIENTS];
   atomic_bool quit;      /* set, by any thread: it ends after the record that runs */
   uint64_t mapped, most; /* bytes of buffers, all clients', and how many there may be */

   /* Called before a submission of the client's; NULL: nothing is. */
   void (*submits)(struct play *p, uint64_t client);
   /* Called after it, before memory is hashed; NULL: nothing is. */
   void (*submitted)(struct play *p, uint64_t client);
   /* Called after each with the hash of memory and the captured one; NULL: none is computed. */
   void (*hashed)(struct play *p, uint64_t client, uint64_t hash, uint64_t captured);
   void *data;
};

/** Reads a file into *file.  TOOL_OK, or the exit code after a message. */
int play_read(const struct tool *tool, const char *name, struct tool_file *file);

/** Reads the capture's header, unpacks it and makes the process's device, which must not be there
 *  yet; `memory` MiB of buffers and of what it unpacks to, 0: the usual.  The file must outlive *p.
 *  TOOL_OK, or the exit code after a message; play_close() in any case. */
int play_open(struct play *p, const struct tool *tool, const struct tool_file *file,
              uint32_t memory);
void play_close(struct play *p);

/** The two parts of play_open(): the capture's header and records, and the device that they are
 *  for; what the environment says by then is what it does. */
int play_load(struct play *p, const struct tool *tool, const struct tool_file *file,
              uint32_t memory);
int play_device(struct play *p);

/** Prints what the header says. */
void play_describe(const struct play *p);

/** A client by its number in the capture, while the capture is played; NULL: none. */
struct atoll_client *play_client(const struct play *p, uint64_t id);

/** The client's buffers, one after the other: address and bytes of the next from `va` on.  False:
 *  there is none. */
bool play_buffer_after(const struct play *p, uint64_t client, uint64_t *va, uint64_t *size);

/** Plays the whole file; false, after a message, when it has a record that cannot be replayed. */
bool play_run(struct play *p);

#endif
