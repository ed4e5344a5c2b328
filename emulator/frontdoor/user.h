/* SPDX-License-Identifier: MIT */
/*
 * The memory of a client's program, as ioctl arguments name it.
 *
 * A client that is not part of us (atoll_client_check_memory()) may name memory that is not there,
 * or takes it away as we read: its memory is copied by the kernel, which says EFAULT where a copy
 * of our own would end the program.  Where the kernel forbids that, the copy is ours after all.
 *
 * A client in another process has no memory here: what its message holds is a window of it.
 */
#ifndef ATOLL_USER_H
#define ATOLL_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atoll_client;

#define USER_RANGES 16

/* Memory of a client in another process: ranges of addresses, with bytes that are read from `in`
 * (NULL: none are), and those that are written to `out`. */
struct user_window {
   unsigned count;
   const struct user_view {
      uint64_t address;
      size_t bytes;
      const uint8_t *in;
      uint8_t *out;    /* NULL: it is not written */
      size_t *written; /* how many bytes from the start have been */
   } * views;
};

/* From now on this is all the memory that a client has to which this thread answers; NULL: the
 * process's own. */
void user_set_window(const struct user_window *window);

/* `bytes` at the client's `address` go to `to`; bytes may be 0. */
struct user_range {
   void *to;
   uint64_t address;
   size_t bytes;
};

/* All ranges, at most USER_RANGES of them, by one copy; false: EFAULT. */
bool user_read(const struct atoll_client *client, const struct user_range *ranges, unsigned count);

/* The other way round; false: EFAULT, and some of it may be written. */
bool user_write(const struct atoll_client *client, uint64_t address, const void *from,
                size_t bytes);

#endif
