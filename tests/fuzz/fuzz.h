/* SPDX-License-Identifier: MIT */
/*
 * Fuzz targets: one entry each, called by libFuzzer (-Dfuzzers=true, clang) and by replay.c, which
 * runs the committed corpus in every build.  A target checks what must hold of any input; what
 * does not hold ends in abort().
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FUZZ_REPLAY
#define FUZZ_ENTRY(name)                              \
   int fuzz_##name(const uint8_t *data, size_t size); \
   int fuzz_##name(const uint8_t *data, size_t size)
#else
#define FUZZ_ENTRY(name) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libFuzzer does not see the function's comparisons: what it compares with shall not find its way
 * into an input. */
#ifdef __clang__
#define FUZZ_UNSEEN __attribute__((no_sanitize("coverage")))
#else
#define FUZZ_UNSEEN
#endif

/* A mutator of a target's own, which only libFuzzer calls. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#define FUZZ_CHECK(condition)                                                          \
   do {                                                                                \
      if (!(condition)) {                                                              \
         fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
         abort();                                                                      \
      }                                                                                \
   } while (0)

#endif /* TESTS_FUZZ_H */
