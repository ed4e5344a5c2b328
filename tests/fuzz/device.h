/* SPDX-License-Identifier: MIT */
/*
 * The device as a whole: the fuzzer's bytes are the programs of all stages of a draw, and of a
 * dispatch.
 *
 *    byte 0   bits 1:0 the stages: 0 vertex and pixel, 1 geometry, 2 tessellation, 3 both; bit
 *             2 points, else rectangles; bit 3 a dispatch as well; bit 6 stages that the chip has
 *             not, too; bit 7 instructions that no program of the stage may hold are left out, and
 *             numbers in them are cut, so that the others run
 *    byte 1   what descriptors and resources are made of
 *    rest     a sixth for each program, in the order of every_at
 *
 * What must hold: the submission ends, and the same input leaves the same memory.
 */
#ifndef TESTS_FUZZ_DEVICE_H
#define TESTS_FUZZ_DEVICE_H

#include "fuzz.h"

struct fuzz_chip {
   const char *isa;    /* ATOLL_ISA */
   uint8_t kinds;      /* of byte 0's bits 3:0, what it has */
   unsigned bytes;     /* of an instruction */
   const uint8_t *end; /* an instruction that ends a program */
   bool (*admit)(uint8_t *instruction, bool pixel);
   /* Where a program is no list of instructions: all of it, from any bytes. */
   void (*lay)(uint8_t *program, const uint8_t *data, size_t size, bool admitted);
};

int fuzz_device(const struct fuzz_chip *chip, const uint8_t *data, size_t size);

#endif /* TESTS_FUZZ_DEVICE_H */
