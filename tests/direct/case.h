/* SPDX-License-Identifier: MIT */
/*
 * Random IL programs that are executed directly and compiled, and their comparison.
 *
 * A case is made from a number alone: the program, its inputs and how it is compiled.  Registers
 * r0-r7 hold values, r8 small indices, r100 and above count loops.  At the end the values go to
 * outputs (o32.. of vertex, o0.. of pixel shaders) or to UAV 0.
 */
#ifndef DIRECT_CASE_H
#define DIRECT_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/shader.h"
#include "il/il.h"
#include "isa/isa.h"
#include "machine_texture.h"
#include "core/core.h"

#define NUM_VALUES     8
#define NUM_CONSTS     24
#define NUM_LITERALS   24
#define NUM_ATTRS      4
#define ARRAY_SIZE     6
#define CS_THREADS     96 /* of a group: one wave and a half */
#define CS_GROUPS      2
#define UAV_DWORDS     (CS_THREADS * CS_GROUPS * NUM_VALUES * 4)
#define LDS_BYTES      1024
#define SRV_BUFFER     3 /* read-only */
#define SRV_STRUCTS    6 /* the same, of 16 bytes an element */
#define ARENA_BUFFER   4
#define NUM_UAVS       3 /* that have random contents; the arena begins as UAV 2 does */
#define IMPORT_ELEMENT 1
#define EXPORT_STREAM  5
#define OWNED_DWORDS   8 /* of local data that a thread owns */
#define GS_VERTICES    6 /* of an input primitive */
#define GS_CAPTURED    2 /* outputs, from o32 on, that streams other than 0 have */
#define PATCH_POINTS   4 /* control points, in and out */
#define PATCH_VALUES   8 /* outputs that the phases of a patch write */
#define HULL_FACTORS   4 /* of those the first: three edges and the inside of a triangle */
#define NUM_STAGES     6
#define TEXEL_DWORDS   1024 /* that textures are made of */
#define ROUGH_OUTPUT   7    /* of those that values go to: compared within a bound */

struct rng {
   uint64_t state;
};
uint32_t rng_next(struct rng *r);
/** 0 .. n - 1 */
unsigned rng_pick(struct rng *r, unsigned n);
/** Bits that find mistakes: random, small, extreme, NaN, infinity, denormals, halves of doubles. */
uint32_t rng_bits(struct rng *r);

/* Textures, samplers and images of typed UAVs (textures.c); kinds are enum il_pixtex. */
struct views {
   bool used;
   struct machine_texture texture[MACHINE_TEXTURES], image[MACHINE_IMAGES];
   struct machine_sampler sampler[MACHINE_SAMPLERS];
   unsigned kind[MACHINE_TEXTURES], image_kind[MACHINE_IMAGES];
   bool integer[MACHINE_TEXTURES], unnorm[MACHINE_TEXTURES];
   uint32_t texels[TEXEL_DWORDS];
};
void make_views(struct views *v, struct rng *r);

struct inputs {
   uint32_t constant[NUM_CONSTS][4];
   wave_lane attr[NUM_ATTRS][4]; /* VS */
   wave_lane ids[3];             /* VS: vertex, instance, primitive */
   float coef[64][4][3];         /* PS: p0, p10, p20 of every input */
   wave_lane bary[6][2], position[4], face[4], sample;
   wave_lane vertex[GS_VERTICES][NUM_ATTRS][4]; /* GS: a lane is a primitive */
   uint32_t point[PATCH_POINTS][NUM_ATTRS][4];  /* HS, DS */
   uint32_t patch[32][4];                       /* DS */
   uint32_t uav[NUM_UAVS][UAV_DWORDS];          /* before the run */
   struct views views;                          /* made before the program */
   struct shader_bound bound;                   /* the program's: about.bound */
};
void make_inputs(struct inputs *in, struct rng *r);

/* How a case is compiled and run: shader_compile_flags, and */
enum case_flags {
   CASE_COMPILE = SHADER_COMPILE_NO_OPT | SHADER_COMPILE_FEW_GPRS | SHADER_COMPILE_SCALAR,
   CASE_INTERPRET = 1 << 2, /* machine code of waves is interpreted */
   CASE_VALHALL = 1 << 4,   /* by Valhall's compiler, on the device's Valhall engine */
   CASE_ATTILA = 1 << 5,    /* the same of ATTILA: vertex and pixel programs */
   CASE_EVERGREEN = 1 << 6, /* the same of five-slot chips, on Cayman's engine */
};

/** Whether an instruction set is Cayman's, or that of other chips of the family. */
static inline bool
is_of_cayman(enum isa_id isa)
{
   return isa == ISA_ID_cayman || isa == ISA_ID_evergreen;
}

/** Which of them the flags name. */
enum isa_id isa_of(unsigned flags);
/** Its compiler. */
const struct shader_compiler *compiler_of(enum isa_id isa);

/** Opcodes and constructs that both direct execution and an instruction set's compiler have; found
 *  by trying each.  Prints those left out if `verbose`.  Operations that the compiler has a bound
 *  for (struct shader_bound) are compared within it, all others bit for bit. */
void choose_opcodes(enum isa_id isa, bool verbose);
/** Inputs as the device has them, for instruction sets that take them in another form: whole
 *  pixels, a face that is 1 or -1, barycentrics that lie in a plane. */
void fit_inputs(struct inputs *in);

struct about {
   bool mixed;    /* shader models are mixed, so that the validator has nothing to say of it */
   bool textures; /* it has instructions for textures or typed UAVs */
   uint32_t statements; /* index of the first one; what is in front gives every register a value */
   struct shader_bound bound; /* of output ROUGH_OUTPUT; all zero: it is exact */
};

/** A program of any stage, that uses the views. */
struct il_program *make_program(struct rng *r, enum il_shader stage, const struct views *views,
                                struct about *about);

enum outcome {
   SAME,
   DIFFERENT,
   NOT_COMPILED, /* `error` says what the compiler lacks */
   NOT_DIRECT,
   BROKEN, /* a fault, or an error of the test itself */
};

/** Which function table interface pointer n has, as the driver's constants say it. */
static inline uint32_t
interface_table(unsigned n)
{
   return n * 7 % 5;
}

/** UAV n of the compute program that was run last, executed directly. */
const uint32_t *group_uav(unsigned n);

/** Is a value another's, or within a bound of it? */
bool is_near(uint32_t direct, uint32_t compiled, const struct shader_bound *bound);

/** Runs both; `error` is the first difference, or why there is no answer. */
enum outcome run_case(const struct il_program *il, unsigned flags, uint32_t modes,
                      const struct inputs *in, char *error, size_t error_size);

/** Takes instructions from `first` on away as long as the outcome is the same.  The result shares
 *  the program's memory. */
struct il_program reduce(const struct il_program *il, uint32_t first, unsigned flags,
                         uint32_t modes, const struct inputs *in, enum outcome outcome);

#endif
