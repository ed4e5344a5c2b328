/* SPDX-License-Identifier: MIT */
/* NIR to AMD IL: what the driver calls.
 *
 *   screen     atoll_nir_options(...)  -> pipe_screen.get_compiler_options; options of this file
 *              expect the caps listed at atoll_nir_options().
 *   CSO        atoll_nir_lower(nir, &so, wave)  once, at creation (or finalize_nir)
 *   variant    atoll_nir_to_il(nir, &key, &so, ...)  any number of times, from any thread
 *
 * The meaning of the IL is il/conventions.h.
 */
#ifndef ATOLL_NIR_TO_IL_H
#define ATOLL_NIR_TO_IL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "il/conventions.h"
#include "il/il.h"

struct nir_shader;
struct nir_shader_compiler_options;
struct pipe_stream_output_info;

/* State outside the shader that changes its code. Zero is a good key for any shader. */
struct atoll_nir_key {
   /* pixel shader */
   bool poly_stipple;     /* discard by the rows in IL_DRV_STIPPLE */
   bool point_smooth;     /* alpha times the area of a round point in the pixel; needs the point
                           * coordinate */
   bool line_smooth;      /* alpha times the share of IL_SMOOTH_SAMPLES that are covered */
   bool poly_smooth;      /* as line_smooth */
   bool alpha_to_one;     /* alpha of all colours is 1, */
   uint8_t alpha_samples; /* and was coverage of so many samples before (0: it was none), */
   bool alpha_dither;     /* dithered over a quad */
   bool own_sample;       /* runs per sample: gl_SampleMaskIn has that sample's bit alone */
   bool no_samples;       /* multisampling is off, on a target that has samples */
   bool target_samples;   /* the targets, which the shader reads, have several samples */
   bool target_layers;    /* or layers */
   bool one_source;       /* blending reads no second source: what is written to it is dropped */
   uint8_t
      color_count; /* colour buffers: gl_FragColor is written to so many (0 means 1), and what is
                         * written to others is dropped (0: nothing is) */
   /* vertex and tessellation shaders */
   bool edge_flags;   /* export the edge flag if the shader writes one */
   bool primitive_id; /* export the primitive's number; not with as_es or as_ls */
   bool whole_points; /* the size of a point is a whole number; also geometry shaders */
   bool as_es;        /* a geometry shader follows, */
   bool as_ls;        /* or a tessellation control shader; after that comes an evaluation shader, */
   uint64_t link_slots; /* which reads these: shader_code.gs or .tess.input_slots */
   uint8_t tess_domain; /* control shader: enum tess_primitive_mode of the evaluation shader */
   uint16_t block[3];   /* compute shader without a size of its groups: that size */
   /* any shader */
   bool counters_in_memory; /* atomic counters are operations on their buffers, and not in GDS */
   uint32_t limited_references; /* textures, a bit each: what is compared with their texels is
                                 * limited to 0 to 1 */
};

/* The textures that targets are to a shader that reads them; z of colour buffers is IL_DRV_TARGETS'
 * and the layer. */
enum {
   ATOLL_NIR_TARGET_COLOR = 16, /* .. 23 */
   ATOLL_NIR_TARGET_DEPTH = 24,
   ATOLL_NIR_TARGET_STENCIL = 25,
};

/* Unordered access views, by IL's numbers. */
#define ATOLL_NIR_UAVS IL_MAX_UAVS

enum atoll_nir_uav_kind {
   ATOLL_NIR_NO_UAV,
   ATOLL_NIR_BUFFER,
   ATOLL_NIR_IMAGE,
};

struct atoll_nir_uav {
   uint8_t kind;  /* enum atoll_nir_uav_kind */
   uint8_t index; /* Gallium's shader buffer or image; ATOLL_NIR_FIRST_COUNTERS + n: counters' n */
   uint8_t type;  /* image: enum il_pixtex */
};

struct atoll_nir_uavs {
   unsigned count; /* more than there are: the shader cannot be compiled */
   struct atoll_nir_uav uav[ATOLL_NIR_UAVS];
};

/* Atomic counters that the state tracker left as such lie in global data: those of buffer n from
 * byte n * ATOLL_NIR_COUNTER_BYTES on.  Where the key has them in memory, their buffers are UAVs
 * beside the storage buffers. */
#define ATOLL_NIR_COUNTER_BUFFERS 16
#define ATOLL_NIR_COUNTER_BYTES   4096
#define ATOLL_NIR_FIRST_COUNTERS  16

/* What a lowered shader's UAVs are. */
void atoll_nir_uavs(const struct nir_shader *nir, bool counters_in_memory,
                    struct atoll_nir_uavs *out);

struct atoll_nir_counters {
   uint16_t bytes[ATOLL_NIR_COUNTER_BUFFERS]; /* of each buffer, from its start: may be touched */
   uint16_t used, changed;                    /* bit per buffer */
};

/* The textures of a lowered shader that are looked up with a comparison, a bit each. */
uint32_t atoll_nir_compares(const struct nir_shader *nir);

/* Quotients and remainders of doubles, before nir_lower_doubles() makes long code of each. */
bool atoll_nir_lower_wide_quotients(struct nir_shader *nir);

/* What a lowered shader's counters are, in global data. */
void atoll_nir_counters(const struct nir_shader *nir, struct atoll_nir_counters *out);

/* What a program makes of uniforms (cb0) alone is the same in all of a draw: the driver works it
 * out whenever they change, and the program reads it from cb15.  Steps in order, those that load
 * first; the result of step n is value n.  Values are 32 bits; floats as Cayman's, denormals being
 * zero (driver/draw_values.c). */
enum atoll_value_op {
   ATOLL_VALUE_LOAD,  /* dword src[0] of cb0; 0 beyond its end */
   ATOLL_VALUE_CONST, /* src[1] | src[2] << 16 */
   ATOLL_VALUE_STORE, /* value src[0] to dword src[1] of what the program reads; no value itself */
   ATOLL_VALUE_FNEG,
   ATOLL_VALUE_FABS,
   ATOLL_VALUE_FSAT,
   ATOLL_VALUE_FADD,
   ATOLL_VALUE_FMUL,
   ATOLL_VALUE_FFMA, /* rounded once */
   ATOLL_VALUE_FMIN,
   ATOLL_VALUE_FMAX,
   ATOLL_VALUE_FRCP,
   ATOLL_VALUE_FRSQ,
   ATOLL_VALUE_FSQRT,
   ATOLL_VALUE_FFLOOR,
   ATOLL_VALUE_FFRACT,
   ATOLL_VALUE_FLT, /* comparisons: ~0 or 0 */
   ATOLL_VALUE_FGE,
   ATOLL_VALUE_FEQ,
   ATOLL_VALUE_FNEU,
   ATOLL_VALUE_ILT,
   ATOLL_VALUE_IGE,
   ATOLL_VALUE_IEQ,
   ATOLL_VALUE_INE,
   ATOLL_VALUE_ULT,
   ATOLL_VALUE_UGE,
   ATOLL_VALUE_SELECT, /* src[0] is not 0: src[1], else src[2] */
   ATOLL_VALUE_IADD,
   ATOLL_VALUE_INEG,
   ATOLL_VALUE_IMUL,
   ATOLL_VALUE_IAND,
   ATOLL_VALUE_IOR,
   ATOLL_VALUE_IXOR,
   ATOLL_VALUE_INOT,
   ATOLL_VALUE_ISHL, /* by the low five bits */
   ATOLL_VALUE_ISHR,
   ATOLL_VALUE_USHR,
   ATOLL_VALUE_IMIN,
   ATOLL_VALUE_IMAX,
   ATOLL_VALUE_UMIN,
   ATOLL_VALUE_UMAX,
   ATOLL_VALUE_I2F,
   ATOLL_VALUE_OPS
};

struct atoll_value_step {
   uint16_t op; /* enum atoll_value_op */
   uint16_t src[3];
};

#define ATOLL_MAX_VALUE_STEPS 2048
#define ATOLL_MAX_VALUE_VEC4S 64
#define ATOLL_VALUES_VEC4S    16 /* they begin at a multiple of it */

struct atoll_nir_values {
   struct atoll_value_step *steps; /* malloc()ed; NULL: there are none */
   unsigned num_steps;
   unsigned first, vec4s; /* where in cb15 the program reads them */
};

/* Compiler options for the screen, the same for all stages.  Without `doubles` operations on them
 * become calls of a library in integers.  With `doubles` or `fuses` the target multiplies and adds
 * in one instruction that rounds once, and it is used for all that is not exact; with `fuses` and
 * without `dots` also for dot products, which it does not have.
 *
 * They are made for these caps: fs_coord_* either way, fs_position_is_sysval and
 * fs_face_is_integer_sysval and fs_point_is_sysval either way, two_sided_color false (the state
 * tracker selects back colours), flatshade true, alpha_test true, clip_planes 8 (planes in
 * IL_DRV_CLIP_PLANE0 when the shader writes gl_ClipVertex, else the clipper's own),
 * point_size_fixed as wanted, packed_uniforms false, nir_samplers_as_deref false,
 * nir_images_as_deref false. */
const struct nir_shader_compiler_options *atoll_nir_options(bool doubles, bool fuses, bool dots);

/* Brings a shader as Gallium hands it over (I/O lowered or not, from GLSL, ARB programs or TGSI)
 * into the form the translator takes, and optimises it.  `so` may be NULL; its register_index
 * fields become VARYING_SLOT_* numbers (so call it once for a map).  A map that the linker left in
 * the NIR is preferred.  `wave`: invocations that the target's ballots are of, at most 64. */
void atoll_nir_lower(struct nir_shader *nir, struct pipe_stream_output_info *so, unsigned wave);

/* The IL of a lowered shader.  The NIR is cloned, not changed.  NULL, and why in `error`, for what
 * is not implemented or when memory is out.  `values` gets what the driver has to work out for each
 * draw; with NULL the program does all of it. */
struct il_program *atoll_nir_to_il(const struct nir_shader *nir, const struct atoll_nir_key *key,
                                   const struct pipe_stream_output_info *so,
                                   struct atoll_nir_values *values, char *error, size_t error_size);

#endif
