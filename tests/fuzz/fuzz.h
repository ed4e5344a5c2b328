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
#define FUZZ_ENTRY(name) int fuzz_##name(const uint8_t *data, size_t size)
#else
#define FUZZ_ENTRY(name) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
#endif

int fuzz_attila_text(const uint8_t *data, size_t size);
int fuzz_attila_words(const uint8_t *data, size_t size);
int fuzz_cayman_text(const uint8_t *data, size_t size);
int fuzz_cayman_words(const uint8_t *data, size_t size);
int fuzz_container(const uint8_t *data, size_t size);
int fuzz_device_attila(const uint8_t *data, size_t size);
int fuzz_device_valhall(const uint8_t *data, size_t size);
int fuzz_il_text(const uint8_t *data, size_t size);
int fuzz_il_binary(const uint8_t *data, size_t size);
int fuzz_tool_as(const uint8_t *data, size_t size);
int fuzz_tool_dis(const uint8_t *data, size_t size);
int fuzz_tool_il(const uint8_t *data, size_t size);
int fuzz_tool_ilc(const uint8_t *data, size_t size);
int fuzz_tool_run(const uint8_t *data, size_t size);
int fuzz_valhall_text(const uint8_t *data, size_t size);
int fuzz_valhall_words(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                          \
   do {                                                                                \
      if (!(condition)) {                                                              \
         fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
         abort();                                                                      \
      }                                                                                \
   } while (0)

#endif /* TESTS_FUZZ_H */
