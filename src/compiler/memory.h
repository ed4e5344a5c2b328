/* SPDX-License-Identifier: MIT */
/*
 * Memory of a compilation, all of which goes when it ends, and how it ends early: compile_fail()
 * writes the message and leaves through a longjmp to where `failed` was set.  So does what takes
 * more memory than any honest program, or longer than it may.
 */
#ifndef COMPILER_MEMORY_H
#define COMPILER_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct compile_chunk;

struct compile_memory {
   struct compile_chunk *chunks;
   size_t bytes; /* of all of them */
   unsigned seconds, looks;
   int64_t deadline_ns; /* of the thread's processor time; 0: none */
   char *error;         /* where the message goes */
   size_t error_size;
   jmp_buf failed;
};

/** Begins a compilation that may take as long as its flags say (SHADER_COMPILE_SECONDS). */
void compile_begin(struct compile_memory *m, unsigned flags, char *error, size_t error_size);
/** Fails when its time is over; what allocates is looked at now and then without it. */
void compile_look(struct compile_memory *m);
/** Zeroed memory, aligned to 16 bytes; fails when memory is out. */
void *compile_alloc(struct compile_memory *m, size_t bytes);
/** Room for one more element of an array of `count`, which grows by doubling. */
void *compile_grow(struct compile_memory *m, void *array, uint32_t count, uint32_t *cap,
                   size_t element);
void __attribute__((noreturn, format(printf, 2, 3)))
compile_fail(struct compile_memory *m, const char *format, ...);
void compile_free(struct compile_memory *m);

#endif
