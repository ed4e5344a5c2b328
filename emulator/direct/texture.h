/* SPDX-License-Identifier: MIT */
/*
 * A texture instruction with values as operands: what texture.c shares with texture_stage.c.
 * Kernels only.
 */
#ifndef ATOLL_DIRECT_TEXTURE_H
#define ATOLL_DIRECT_TEXTURE_H

#include "direct/lift.h"

struct direct_sampling {
   uint16_t op; /* SAMPLE and its kind; not read by direct_load() */
   uint8_t resource, sampler;
   uint8_t type; /* enum il_pixtex */
   bool unnorm, integer;
   uint8_t inst_mod;
   int8_t offset[3]; /* half texels */
   int8_t lod_bias;  /* four fraction bits */
   bool indexed;
   struct uop_operand index[2]; /* added to the resource's and the sampler's number */
   struct uop_operand coord[4]; /* as IL has them */
   struct uop_operand reference, lod;
   struct uop_operand extra[2][3]; /* gradients along x and y; offsets in the first */
   bool has_gradients, has_offsets;
   /* Of a cube, when the coordinates are placed: 1 / |2 major axis|, and the face, 0.0 to 5.0. */
   struct uop_operand over_major, face;
};

/* A texel offset as far as the hardware has it: five bits of the 7.1 number. */
static inline int8_t
direct_offset(int offset)
{
   return (int8_t)(((offset + 16) & 31) - 16);
}

/* Samples, gathers or asks for the level of detail. */
void direct_sample(struct direct *d, struct direct_sampling *s, struct uop_operand r[4]);
/* One texel, or one element of a buffer. */
void direct_load(struct direct *d, struct direct_sampling *s, struct uop_operand r[4]);

#endif
