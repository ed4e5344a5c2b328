/* SPDX-License-Identifier: MIT */
/*
 * AMD IL executed directly: a program is lifted to the device's micro-operations without becoming
 * machine code first, and runs on the same executor.  What the compiler made of a program can so be
 * compared with the program itself.
 *
 * Of the machine only what IL itself speaks of is used: a register of IL is a row of the wave's
 * register storage, after those of the machine, and stays there after the run.
 *
 * Entry registers (rows)
 *   VS  R0: x vertex id, z primitive id, w instance id; R1 + n: attribute n
 *   PS  R0-R2: barycentric pairs xy and zw, in the order of enum direct_bary; R3 position with
 *       w = w_clip, R4 front face (x, by its sign) and coverage (z), R5.w sample index.  The
 *       coefficients of input n are wave.coef[][n].
 *   GS  R0.z primitive, R1.w invocation; input_row: slot n of vertex v is row 64 v + n
 *   HS  a lane is an output control point of one patch.  R0.x primitive, R0.z control point;
 *       input_row: slot n of input control point p is row 64 p + n, alike in all lanes
 *   DS  R0.x R0.y point of the domain, R0.w primitive; input_row as for HS, and patch_row what the
 *       patch has, alike in all lanes
 *   CS  R0.xyz thread in its group, R1.xyz group
 * Constants are kcache banks, UAVs are RATs with their return buffers, resources are numbered as
 * struct sq_program lists them: DIRECT_RESOURCE_*.
 */
#ifndef ATOLL_DIRECT_H
#define ATOLL_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel.h"

struct il_program;

#define DIRECT_OUTPUTS 64
#define DIRECT_INPUTS  64
#define DIRECT_PATCH   32 /* outputs of the phases of a patch */
#define DIRECT_STREAMS 4

#define DIRECT_RESOURCE_TEXTURE 18u /* + n: texture or read-only buffer n */
#define DIRECT_RESOURCE_RETURN  64u /* + n: what operations on UAV n return */

enum direct_bary {
   DIRECT_PERSP_SAMPLE,
   DIRECT_PERSP_CENTER,
   DIRECT_PERSP_CENTROID,
   DIRECT_LINEAR_SAMPLE,
   DIRECT_LINEAR_CENTER,
   DIRECT_LINEAR_CENTROID,
};

enum direct_special {
   DIRECT_DEPTH,
   DIRECT_STENCIL,
   DIRECT_MASK,
   DIRECT_EDGE_FLAG,
   DIRECT_SPECIALS,
};

struct direct_program {
   struct sq_program *program; /* on the engine of the same kernels */
   uint32_t num_rows;          /* vec4 rows that a wave must have */

   /* Where results are after the run. */
   uint32_t output_row; /* o0; o# follow one another */
   uint32_t special_row;
   uint8_t output_mask[DIRECT_OUTPUTS]; /* components that the program writes; o[index]: all */
   uint8_t special_mask;                /* bit per enum direct_special */

   /* GS, HS, DS */
   uint32_t input_row;
   /* GS: vertex v of a stream, of those that wave.rings->emitted counts, has the outputs that
    * output_mask names, one a row, from row vertex_row + v * vertex_outputs on; 0: not used. */
   uint32_t vertex_row[DIRECT_STREAMS], vertex_outputs, max_vertices;
   /* HS: what the phases for the whole patch wrote, in the lane of control point 0; o# and
    * output_mask are the control point's. */
   uint32_t patch_row;
   uint8_t patch_mask[DIRECT_PATCH];

   /* CS */
   uint32_t block[3]; /* threads of a group, 0: not declared */
   uint32_t lds_bytes;
};

/** Lifts `il` for `kernels`.  `pgm_resources_2` has the modes of rounding and denormals, as
 *  SQ_PGM_RESOURCES_2_x has them.  False: `error` says what is not executed directly, or what is
 *  wrong with the program; any program is taken or refused. */
bool direct_lift(const struct kernels *kernels, const struct il_program *il,
                 uint32_t pgm_resources_2, struct direct_program *out, char *error,
                 size_t error_size);
void direct_free(const struct kernels *kernels, struct direct_program *program);

/** Why the instruction of an opcode is not executed directly whatever its operands; NULL if it is,
 *  or if it does nothing when a program runs. */
const char *direct_refusal(unsigned opcode);

#endif
