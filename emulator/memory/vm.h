/* SPDX-License-Identifier: MIT */
/*
 * A client's GPU address space: a reservation of 8 GiB (in programs of 32 bits, 1 GiB), or of as
 * much as the process may have, in which a buffer object mapped at VA lies at base + VA.  What is
 * not mapped faults on access, so every access from outside data asks vm_extent() first; an access
 * beyond reads zero and writes nothing.
 *
 * Mappings only grow while work is queued: unmapping waits until the device is idle.
 */
#ifndef ATOLL_VM_H
#define ATOLL_VM_H

#include <stdbool.h>
#include <stdint.h>

/* The chip's size, which none exceeds; what a process without limits has of it; and the least that
 * is worth a start. */
#define VM_SIZE (UINT64_C(1) << 33)
#if UINTPTR_MAX > UINT32_MAX
#define VM_SIZE_USUAL VM_SIZE
#else
#define VM_SIZE_USUAL (UINT64_C(1) << 30)
#endif
#define VM_SIZE_MIN (UINT64_C(1) << 26)

struct vm;

/* Bytes of the address space: VM_SIZE_USUAL, halved until the process may reserve it. */
uint64_t vm_size(const struct vm *vm);

/* Bytes that are mapped without a hole from `va` on, at most `want`. */
uint64_t vm_extent(const struct vm *vm, uint64_t va, uint64_t want);

/* The host address of `va`; valid for vm_extent() bytes. */
void *vm_pointer(const struct vm *vm, uint64_t va);

/* Copies out of the address space; what is not mapped reads as zero.  Returns bytes mapped. */
uint64_t vm_read(const struct vm *vm, uint64_t va, void *data, uint64_t size);

/* Copies into the address space; what is not mapped is dropped.  Returns bytes written. */
uint64_t vm_write(const struct vm *vm, uint64_t va, const void *data, uint64_t size);

/* The same of `dword` again and again, from its first byte on. */
uint64_t vm_fill(const struct vm *vm, uint64_t va, uint32_t dword, uint64_t size);

/* Changes whenever a mapping does: cached pointers are valid while it stays equal. */
uint64_t vm_generation(const struct vm *vm);

#endif
