/* SPDX-License-Identifier: MIT */
/*
 * What a device's process may ask of the system once it has all that it needs: memory, threads,
 * time, and messages over the sockets that it has.  No file, no network, no other process, no
 * program.
 */
#ifndef ATOLL_PROCESS_CONFINE_H
#define ATOLL_PROCESS_CONFINE_H

/* Before there are threads, which inherit it; for good.  0 or an errno.  ATOLL_CONFINE=0 leaves
 * it. */
int confine(void);

#endif
