/* SPDX-License-Identifier: MIT */
/*
 * Open nodes.  A node's descriptor is that of an empty memfd of its own, so that every
 * descriptor call works on it; which descriptors lead to which client is kept here.
 *
 * Another process's node, which an X server has sent or a parent has left open, is known by the
 * memfd's name.  There is a device in each process, so that what it leads to is as if this process
 * had opened the node itself: a client of its own, with no buffers yet.
 */
#ifndef ATOLL_SHIM_NODES_H
#define ATOLL_SHIM_NODES_H

#include <stdbool.h>
#include <stddef.h>

struct atoll_client;

struct tree_entry;

/* Opens the node that `entry` describes: a descriptor, or -1 with errno. */
int nodes_open(const struct tree_entry *entry, int flags);

/* The client behind `fd`, NULL when it is no node of ours.  With `search`, a descriptor that came
 * to be unnoticed (by a system call we do not see, or in another process) is found by its file. */
struct atoll_client *nodes_client(int fd, bool search);

/* What nodes_open() was told of an open node: for its descriptors that nodes_client() knows. */
const struct tree_entry *nodes_entry(int fd);

/* `copy` is a new descriptor of what `fd` is. */
void nodes_duplicate(int fd, int copy);

/* The program is about to unmap this. */
void nodes_unmapping(void *address, size_t length);

/* `fd` has been closed. */
void nodes_closed(int fd);

#endif
