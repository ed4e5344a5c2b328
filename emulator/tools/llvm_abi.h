/* SPDX-License-Identifier: MIT */
/*
 * What LLVM's r600 target expects when its kernels start (atoll-run --abi=llvm).
 *
 *   global memory   bytes from 0 on: written as RAT 0, read as resource 1.  Buffers lie in it in
 *                   the order of their numbers, each at a multiple of 256, the first at 256: 0 is
 *                   no address.
 *   constant data   .text, resource 2
 *   constants       bank 0, and resource 3: groups, threads of all groups, threads of a group, x, y
 *                   and z each, then the arguments from dword 9 on
 */
#ifndef ATOLL_LLVM_ABI_H
#define ATOLL_LLVM_ABI_H

#include "machine.h"

#define LLVM_ARGS 32

struct llvm_arg {
   int buffer; /* its address; below 0: the data */
   struct machine_buffer data;
};

struct llvm_abi {
   struct machine_llvm places;
   struct llvm_arg arg[LLVM_ARGS];
   unsigned num_args;
};

/* Lays out the machine's buffers and arguments; `text` has `count` dwords.  Constant buffer 0 stays
 * if it was given.  False: `error` says why. */
bool llvm_abi_begin(struct llvm_abi *abi, struct machine *m, const uint32_t *text, uint32_t count,
                    char *error, size_t size);

/* Copies the buffers back as they are after the run. */
void llvm_abi_end(const struct llvm_abi *abi, struct machine *m);

void llvm_abi_free(struct llvm_abi *abi);

#endif /* ATOLL_LLVM_ABI_H */
