/* SPDX-License-Identifier: MIT */
/*
 * Object files of LLVM's r600 target (llc -march=r600 -filetype=obj).
 *
 * 32-bit ELF of machine 224.  Functions of .symtab are kernels, one after the other in .text, each
 * with its own CF addresses; constant data lies in .text, too.  .AMDGPU.config has pairs of a
 * register's address and its value, three for each kernel, in the order of the kernels: registers
 * and stack (SQ_PGM_RESOURCES), DB_SHADER_CONTROL, and dwords of LDS (SQ_LDS_ALLOC).  Relocations
 * are addresses within .text, which LLVM reads as a buffer of its own.
 */
#ifndef ATOLL_LLVM_OBJECT_H
#define ATOLL_LLVM_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct llvm_object {
   uint32_t *text; /* all of .text, with addresses filled in; to free() */
   uint32_t num_dwords;
   uint32_t first, count; /* the kernel's dwords of it */
   uint32_t num_gprs, stack_entries, lds_bytes;
};

/* Is it an ELF file of this machine? */
bool llvm_object_is(const void *data, size_t size);

/* Reads a kernel by its name; NULL: the only one there is.  False: `error` says what is wrong. */
bool llvm_object_read(const void *data, size_t size, const char *kernel, struct llvm_object *o,
                      char *error, size_t error_size);

#endif /* ATOLL_LLVM_OBJECT_H */
