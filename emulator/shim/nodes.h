/* SPDX-License-Identifier: MIT */
/*
 * Open render nodes.  A node's descriptor is that of an empty memfd of its own, so that every
 * descriptor call works on it; which descriptors lead to which client is kept here.
 */
#ifndef ATOLL_SHIM_NODES_H
#define ATOLL_SHIM_NODES_H

#include <stdbool.h>

struct atoll_client;

/* Opens the node: a descriptor, or -1 with errno. */
int nodes_open(int flags);

/* The client behind `fd`, NULL when it is no node of ours.  With `search`, a descriptor that came
 * to be unnoticed (by a system call we do not see) is found by its file. */
struct atoll_client *nodes_client(int fd, bool search);

/* `copy` is a new descriptor of what `fd` is. */
void nodes_duplicate(int fd, int copy);

/* `fd` has been closed. */
void nodes_closed(int fd);

#endif
