/* SPDX-License-Identifier: MIT */
/*
 * The device's front door: the radeon kernel interface as function calls.
 *
 * Three clients use it: the in-process winsys, the DRM winsys through the render-node shim, and
 * stock r600 through the same shim.  Requests are the ioctl numbers and structs of libdrm's
 * radeon_drm.h and drm.h; memory is reached through mmap offsets.  No host pointer crosses it
 * but that of USERPTR.
 */
#ifndef ATOLL_DEVICE_H
#define ATOLL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ATOLL_API __attribute__((visibility("default")))
#else
#define ATOLL_API
#endif

/* RADEON_INFO request that only this device answers: the value is ATOLL_INFO_VERSION.  A driver
 * asks it before it takes a node for ours. */
#define ATOLL_INFO_MAGIC   0x41544f4cu
#define ATOLL_INFO_VERSION 1u

/* Another: the value is the instruction set of its shader cores, enum atoll_isa, which ATOLL_ISA
 * chooses when the device is created. */
#define ATOLL_INFO_ISA 0x41544f4du

enum atoll_isa {
#define ISA(NAME, name) ATOLL_ISA_##NAME,
#define STOCK_ISA       ISA
#include "isas.def"
   ATOLL_ISAS
};

/* Another: the bytes of the client's address space, in 64 bits; less than usual where the process's
 * own is limited.  A client that has asked has virtual addresses on chips, too, that drivers of the
 * kernel interface drive without; for that alone the value may be 0. */
#define ATOLL_INFO_VA_SIZE 0x41544f56u

/* Another: the client's number in the process, in 64 bits; never 0, and no other client's before or
 * after it.  Descriptors that answer the same are of one open node. */
#define ATOLL_INFO_CLIENT 0x41544f43u

/* A flag of the CS ioctl's beside RADEON_CS_*: the caller waits for the submission next, and so
 * executes it, and no other thread is woken for it. */
#define ATOLL_CS_WAITS 0x80000000u

/* Another: the resets that one of the client's contexts was the cause of.  The value is the address
 * of a struct atoll_guilt, of which the caller sets `context`. */
#define ATOLL_INFO_GUILT 0x41544f47u

#define ATOLL_GUILT_TEXT 240
struct atoll_guilt {
   uint32_t context;            /* as the CS ioctl's flags have it; never 0 */
   uint32_t count;              /* since the client was opened */
   char text[ATOLL_GUILT_TEXT]; /* what the last one was: a line, null-terminated */
};

/* Another: what the sanitizer for shaders found (docs/sanitizer.rst).  The value is the address of
 * a struct atoll_finding, of which the caller sets `number`; -ENOENT: there is none of it yet;
 * -ENODEV: nothing is looked for. */
#define ATOLL_INFO_FINDING 0x41544f53u

#define ATOLL_FINDING_TEXT 600
struct atoll_finding {
   uint32_t number;               /* from 0 on, in the process */
   char text[ATOLL_FINDING_TEXT]; /* a line, null-terminated */
};

/* A NOP packet's first dword of payload: the second is a number, equal in draws and dispatches with
 * no memory barrier between them.  For the sanitizer alone. */
#define ATOLL_NOTE_ORDER 0x41544f4fu

/* A flag of the CS ioctl's: the chunk of flags has a fourth dword, the number that the client gave
 * the context that it works for. */
#define ATOLL_CS_CONTEXT 0x40000000u

/* Another: the context never asked to be told of resets.  Its submissions may take any host time,
 * unless ATOLL_BUDGET says otherwise; the wall clock ends them. */
#define ATOLL_CS_PATIENT 0x20000000u

/* Another: a frame was presented since the submission before (RADEON_CS_END_OF_FRAME says with the
 * last submission of a frame that it is). */
#define ATOLL_CS_NEW_FRAME 0x10000000u

/* Others: the nanoseconds, in 64 bits, that a submission may take of a context that asked to be
 * told of resets, and of one that did not; 0: any time.  A driver that does a context's work itself
 * keeps to them. */
#define ATOLL_INFO_BUDGET   0x41544f42u
#define ATOLL_INFO_PATIENCE 0x41544f50u

/* Another: the seconds of its thread's processor time that a program's compilation may take; 0: any
 * number.  A driver keeps to them. */
#define ATOLL_INFO_COMPILE 0x41544f46u

struct atoll_device;
struct atoll_client;

/* The process's device, created on first use (one per process; it lives until exit).  A forked
 * child has one of its own: what the parent had opened of the parent's says ENODEV there.
 * NULL with errno set when it cannot be created. */
ATOLL_API struct atoll_device *atoll_device_get(void);

/* Which build this is: the version and, built from a git checkout, the commit, with -dirty after
 * it where files were changed. */
ATOLL_API const char *atoll_device_build(void);

/* What the device reported so far (malformed packets, faults): the newest lines that fit into
 * `buffer`, oldest first, null-terminated.  Returns the length. */
ATOLL_API size_t atoll_device_messages(struct atoll_device *device, char *buffer, size_t size);

/* One open of the node: its own handles and address space.  NULL with errno on failure. */
ATOLL_API struct atoll_client *atoll_client_open(struct atoll_device *device);

/* Waits for the client's submissions, then releases everything it owns. */
ATOLL_API void atoll_client_close(struct atoll_client *client);

/* From now on the client's ioctls may name memory of the program that is not there, as those of any
 * program may: they return -EFAULT.  Without this the caller vouches for its pointers, which saves
 * some microseconds a call. */
ATOLL_API void atoll_client_check_memory(struct atoll_client *client);

/* From now on the client is one of a render node: what the kernel keeps for the primary node, flink
 * names and mode setting, is refused with -EACCES. */
ATOLL_API void atoll_client_render(struct atoll_client *client);

/* Runs one ioctl.  `arg` points to the struct that `request` (DRM_IOCTL_*) names.
 * Returns 0 or a negative errno.  Thread-safe. */
ATOLL_API int atoll_client_ioctl(struct atoll_client *client, unsigned long request, void *arg);

/* Maps a buffer object at the offset that GEM_MMAP returned.  Returns the address or MAP_FAILED
 * with errno.  The buffer keeps its pages as long as it is mapped. */
ATOLL_API void *atoll_client_mmap(struct atoll_client *client, void *addr, size_t length, int prot,
                                  int flags, uint64_t offset);

/* Unmaps all of that, as munmap() does, with which itself the buffer may be kept for a while. */
ATOLL_API int atoll_client_munmap(struct atoll_client *client, void *addr, size_t length);

/* For a caller that sees a program's munmap(): it is about to be called. */
ATOLL_API void atoll_device_unmapping(struct atoll_device *device, void *addr, size_t length);

/* Whether `addr` lies in the device's memory as a client has it mapped. */
ATOLL_API bool atoll_device_mapped(struct atoll_device *device, const void *addr);

/* A descriptor that is readable when atoll_client_read() has something, once the client has used
 * ioctls of DRM's mode setting; -1 before.  It is the client's: nobody else closes or reads it. */
ATOLL_API int atoll_client_events(struct atoll_client *client);

/* What read() of the node gives: the event of a page flip.  Waits for one.  The bytes, or -1 with
 * errno; call it only where atoll_client_events() is none of -1. */
ATOLL_API ssize_t atoll_client_read(struct atoll_client *client, void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
