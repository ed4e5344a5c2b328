/* SPDX-License-Identifier: MIT */
/*
 * What all back ends take of IL in the same way: stages, declarations, inputs and outputs, as
 * struct shader_code tells them to a driver.
 */
#ifndef COMPILER_FRONT_H
#define COMPILER_FRONT_H

#include "compiler/shader.h"
#include "il/declare.h"

/** The stage that a program is compiled for, and what it declares of itself; `copy`: it is the copy
 *  program of a geometry program.
 *  @return NULL, or what is not implemented or cannot be */
const char *front_describe(struct shader_code *out, const struct il_declared *d, bool copy);

/** Is an input of a pixel program no parameter: the position, the face or the sample? */
bool front_is_system_input(unsigned input);

/** Numbers the parameters of a pixel program, which are the inputs of which components are read.
 *  @param used   by input
 *  @param param  by input, filled for parameters
 *  @return NULL, or what cannot be */
const char *front_number_parameters(struct shader_code *out, const struct il_declared *d,
                                    const uint8_t used[IL_LINK_COUNT],
                                    uint8_t param[IL_LINK_COUNT]);

/** The barycentrics of an interpolation, enum shader_bary; -1: it has none. */
int front_bary(unsigned mode);
/** Is it without perspective? */
bool front_is_linear(unsigned mode);

/** What a vertex program hands on as it ends: the vectors after the position, and parameters.
 *  @param written  components of each output that are written
 *  @param edge     so is the edge flag
 *  @param distance fills in, for each component of the two vectors of distances, 4 * output +
 *                  component, or FRONT_NO_DISTANCE
 *  @return NULL, or what cannot be */
#define FRONT_NO_DISTANCE UINT16_MAX
const char *front_vertex_outputs(struct shader_code *out, const uint8_t written[IL_MAX_OUTPUTS],
                                 bool edge, uint16_t distance[8]);

/** Does it have a vector of point size, edge flag, layer and viewport? */
static inline bool
front_has_misc(const struct shader_code *out)
{
   return out->vs.writes_point_size || out->vs.writes_edge_flag || out->vs.writes_layer ||
          out->vs.writes_viewport;
}

/** One output, or a part of one, that goes to a buffer of transform feedback. */
struct front_capture {
   unsigned buffer, output, mask;
   unsigned offset; /* dwords */
};

/** Goes over what is captured of a stream, noting it in `out`: from declaration *at on.
 *  @return whether there is one more; *wrong is set if a declaration cannot be */
bool front_next_capture(struct shader_code *out, const struct il_program *il, unsigned stream,
                        uint32_t *at, struct front_capture *capture, const char **wrong);

/* What stages hand each other in memory: a vec4 for each slot of a vertex or control point, in the
 * order of slots (front_slots.c). */
struct front_slots {
   uint64_t link;         /* that go to the next stage, or that a geometry program reads */
   uint64_t read;         /* of vertices and control points */
   uint64_t written, own; /* of control points; own: that the hull program alone reads back */
   struct front_stream {
      uint64_t slots; /* of an emitted vertex */
      bool used;
      bool in_block; /* an emit stands inside a block */
      uint32_t emits;
   } stream[4];
};

#define FRONT_PATCH_BYTES 512u /* of the patch's own outputs */
#define FRONT_FACTORS     6

static inline unsigned
front_slot_count(uint64_t slots)
{
   return (unsigned)__builtin_popcountll(slots);
}

/** The vec4 of a slot. */
static inline unsigned
front_slot_index(uint64_t slots, unsigned slot)
{
   return front_slot_count(slots & ((UINT64_C(1) << slot) - 1));
}

/** What a geometry program emits to each stream.
 *  @param at  an instruction that cannot be
 *  @return NULL, or what cannot be */
const char *front_lay_out_streams(struct shader_code *out, const struct il_declared *d,
                                  struct front_slots *s, uint32_t *at);

/** Notes the slots that a program reads. */
void front_scan_slots(const struct il_declared *d, struct front_slots *s);

/** What control points and the patch take of local data, from the slots that are read.
 *  @return NULL, or what cannot be */
const char *front_lay_out_patch(struct shader_code *out, const struct il_declared *d,
                                struct front_slots *s);

/** The dword of the patch's outputs that each tessellation factor is, -1: none.
 *  @return NULL, or what cannot be */
const char *front_find_factors(const struct shader_code *out, const struct il_declared *d,
                               int dword[FRONT_FACTORS]);

#endif
