/* SPDX-License-Identifier: MIT */
/*
 * Open nodes.  A node's descriptor is that of an empty memfd of its own, so that every
 * descriptor call works on it; which descriptors lead to which client is kept here.
 *
 * Another process's node, which an X server has sent or a parent has left open, is known by the
 * memfd's name.  There is a device in each process, so that what it leads to is as if this process
 * had opened the node itself: a client of its own, with no buffers yet.
 *
 * Not all ways to close or to replace a descriptor are seen, and a child of vfork() that closes its
 * own has our memory.  So the table is a hint: a descriptor is looked at each time before it is
 * taken for a node's, and only the process that has these descriptors changes the table.
 */
#ifndef ATOLL_SHIM_NODES_H
#define ATOLL_SHIM_NODES_H

#include <stdbool.h>
#include <stddef.h>

struct atoll_client;
struct node;
struct tree_entry;

/* Opens the node that `entry` describes: a descriptor, or -1 with errno. */
int nodes_open(const struct tree_entry *entry, int flags);

/* The node of `fd`, which stays until nodes_done(), whoever closes the descriptor meanwhile;
 * NULL when it is none of ours.  With `search`, a descriptor that came to be unnoticed (by a system
 * call we do not see, or in another process) is found by its file. */
struct node *nodes_use(int fd, bool search);
/* Leaves errno. */
void nodes_done(struct node *node);
struct atoll_client *nodes_client(const struct node *node);
/* What nodes_open() was told. */
const struct tree_entry *nodes_entry(const struct node *node);

/* `copy` is a new descriptor of what `fd` is. */
void nodes_duplicate(int fd, int copy);

/* The program is about to unmap this. */
void nodes_unmapping(void *address, size_t length);

/* Whether a mapping of a buffer lies there. */
bool nodes_mapped(const void *address);

/* `fd` is about to be closed: it is no node's any more.  What nodes_closed() is to be told. */
struct node *nodes_closing(int fd);
/* It has been. */
void nodes_closed(int fd, struct node *node);
/* All from `first` to `last` have been closed. */
void nodes_closed_range(unsigned first, unsigned last);

#endif
