/* SPDX-License-Identifier: MIT */
/*
 * Making and changing a client's address space; vm.h is the readers' side of it.
 */
#ifndef ATOLL_SPACE_H
#define ATOLL_SPACE_H

#include <stdint.h>

#include "memory/bo.h"
#include "memory/vm.h"

/* An empty address space.  NULL with errno. */
struct vm *vm_create(void);
void vm_destroy(struct vm *vm);

/* Maps all of `bo` at `va`.  0, -EINVAL when it is not page-aligned, leaves the address space or
 * overlaps a mapping, or another negative errno.  Readers may be at work. */
int vm_map(struct vm *vm, uint64_t va, const struct bo *bo);

/* The same of `size` bytes of it, whole pages, from `offset` on, which lie in it. */
int vm_map_part(struct vm *vm, uint64_t va, const struct bo *bo, uint64_t offset, uint64_t size);

/* Removes what is mapped in [va, va + size).  No reader may be at work in it. */
void vm_unmap(struct vm *vm, uint64_t va, uint64_t size);

#endif
