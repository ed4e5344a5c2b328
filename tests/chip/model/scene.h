/* SPDX-License-Identifier: MIT */
/*
 * What two chips are to draw and to compute: programs of an instruction set, and a memory of 64 KiB
 * with all that they read and write.
 *
 * The draw is a triangle with a texture of 8 x 8 texels and colours that are interpolated with
 * perspective, blended over a picture, where its depth is less than what is there.  The dispatch
 * writes 64 dwords.
 */
#ifndef ATOLL_TEST_CHIP_SCENE_H
#define ATOLL_TEST_CHIP_SCENE_H

#include <stdint.h>

#include "compiler/shader.h"

#define SCENE_VA    UINT64_C(0x1000000)
#define SCENE_BYTES 0x10000u

/* Bytes from SCENE_VA. */
#define VS_AT        0x0000u
#define PS_AT        0x0800u
#define CS_AT        0x1000u
#define FETCHES_AT   0x1800u /* what describes the vertices, as the instruction set has it */
#define CONSTANTS_AT 0x1a00u /* buffer 0 of each stage */
#define VERTICES_AT  0x1b00u
#define OUT_AT       0x1c00u
#define TEXTURE_AT   0x2000u
#define DRIVER_VS_AT 0x2800u /* buffer 15: what a compiler keeps there */
#define DRIVER_PS_AT 0x3000u
#define DRIVER_CS_AT 0x3800u
#define COLOR_AT     0x4000u
#define DEPTH_AT     0xa000u

#define CONSTANT_BYTES 256u
#define DRIVER_BYTES   0x800u
#define VERTEX_BYTES   48u /* position, texture coordinates, colour */
#define VERTICES       3u
#define OUT_BYTES      256u
#define PICTURE_SIZE   72u /* pixels of a row, and rows */
#define TEXTURE_SIZE   8u
#define TEXTURE_PITCH  64u /* texels */
#define GROUPS         4u

struct scene {
   unsigned isa; /* enum atoll_isa */
   struct shader_code vs, ps, cs;
   bool computes;     /* the instruction set has compute programs */
   bool keeps_halves; /* denormals of halves are kept: its compiler expects it */
   uint32_t *memory;  /* as it is before; [SCENE_BYTES / 4] */
};

/** Compiles the programs and fills the memory. */
void scene_make(struct scene *scene, unsigned isa);
void scene_free(struct scene *scene);

/** The dword that thread n writes. */
uint32_t scene_computed(uint32_t n);

#endif
