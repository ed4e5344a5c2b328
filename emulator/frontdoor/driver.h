/* SPDX-License-Identifier: MIT */
/*
 * What a GPU's kernel interface adds to what all have in common: a table of facts and functions.
 * The front door calls down through it and knows no driver by name; a driver includes the front
 * door's headers, never the other way round.
 */
#ifndef ATOLL_FRONTDOOR_DRIVER_H
#define ATOLL_FRONTDOOR_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atoll_client;
struct atoll_device;
struct job;
struct remote_driver;

struct frontdoor_driver {
   /* What DRM's VERSION answers. */
   const char *name, *date, *description;
   int major, minor, patch;

   uint64_t memory;        /* bytes that all buffers together may have */
   uint64_t va_start;      /* first address of a client's address space */
   uint32_t import_domain; /* bo->domain of a buffer from outside */
   bool syncobjs;          /* clients may have them (syncobj.h) */

   /* Makes the GPU (device->gpu) when everything else of the device stands.  0 or an errno. */
   int (*start)(struct atoll_device *device);
   /* Ends its threads when nothing is queued any more; ioctls may still come. */
   void (*stop)(struct atoll_device *device);

   /* A client's state on the GPU (client->context).  NULL on lack of memory. */
   void *(*open)(void);
   void (*close)(void *context);

   /* An ioctl of the driver's own range, counted from DRM_COMMAND_BASE; `arg` is a copy of the
    * client's struct.  0 or a negative errno. */
   int (*ioctl)(struct atoll_client *client, unsigned nr, void *arg);

   /* Maps what is no buffer: an mmap offset of the driver's own.  NULL: it is none of these. */
   void *(*map)(struct atoll_client *client, void *addr, size_t length, int prot, int flags,
                uint64_t offset);

   /* The submission that runs ends as soon as it can, and what it has done does not count.  From
    * any thread; where none runs yet, nothing. */
   void (*abandon)(struct atoll_device *device);

   /* What clients of a device in another process know of these (remote_internal.h). */
   const struct remote_driver *remote;

   /* Runs a submission to its end, memory effects included; on the queue's thread, or on
    * one that waits for it. */
   void (*execute)(struct atoll_device *device, const struct job *job);

   /* What the GPU has counted since it was made, for captures; how many there are, at most
    * ATOLL_CAPTURE_COUNTERS_MAX.  While nothing executes.  NULL: it is not captured. */
   unsigned (*counted)(const struct atoll_device *device, uint64_t *counters);
};

#endif
