/* SPDX-License-Identifier: MIT */
/*
 * A program while it is made: generate.c makes its operands and statements, memory.c those that use
 * memory, extras.c those that GL has no use for, programs.c what stands around them.
 */
#ifndef DIRECT_MAKER_H
#define DIRECT_MAKER_H

#include "case.h"

#include "il/conventions.h"

#define INDEX          8  /* r8: 0 to 3 in every component */
#define SCRATCH        9  /* r9: addresses */
#define INDICES        10 /* r10: of resources */
#define ROUGH          11 /* r11: results that have a bound; goes to output ROUGH_OUTPUT */
#define LEVEL          12 /* r12: a level, or what is added to it */
#define COUNTERS       100
#define MACRO_COUNTERS 16
#define L_SMALL        NUM_LITERALS        /* 0, 1, 2, 3 */
#define L_LOOP         (NUM_LITERALS + 1)  /* 0, rounds, 1, ~0 */
#define L_MASKS        (NUM_LITERALS + 2)  /* address masks */
#define L_TEXEL        (NUM_LITERALS + 30) /* masks of coordinates of texels */
#define L_SCALE        (NUM_LITERALS + 31)
#define L_RANGE        (NUM_LITERALS + 32) /* of operands that a bound holds for */
#define L_LEAST        (NUM_LITERALS + 34) /* the same, the least magnitude */
#define L_ONE          (NUM_LITERALS + 35) /* 1.0 */
#define L_PLACE        (NUM_LITERALS + 33) /* 256, -128, 1 / 256, 1 - 1 / 256 */
#define L_LEVEL        (NUM_LITERALS + 36) /* 256, 1 / 256, the least and the greatest level */
#define L_FACE         (NUM_LITERALS + 37) /* two directions: factors, then what is added */
#define MAX_GRADIENTS  8                   /* of a Valhall program */
#define MAX_STMTS      60
#define NUM_MACROS     2
#define MAX_EXPANSIONS 4

struct maker {
   struct rng *r;
   struct il_program *p;
   enum il_shader stage;
   unsigned loops, stmts, loop_depth, depth;
   bool mixed, in_function, returns;
   bool patch; /* in a phase for the whole patch */
   bool has_patch_phase;
   /* A vertex or pixel shader uses memory; then no derivative sees what a pixel that was discarded
    * got back. */
   bool stage_memory;
   bool extended;          /* dcl_x_version stands in front */
   bool old;               /* registers and memory streams of shader model 3 */
   bool in_macro, counted; /* in a counted loop, which has aL */
   unsigned num_macros, expansions;
   struct {
      unsigned ins, outs;
   } macro[NUM_MACROS];
   bool flat; /* a hull shader without phases */
   bool textures;
   unsigned gradients; /* samples that have some */
   const struct views *views;
   const struct rough *rough; /* what ROUGH is made by, or NULL */
};

/* An operation with results that are compared within a bound. */
struct rough {
   uint16_t op;
   struct shader_bound bound;
};
/** One of them for the program; NULL: there is none. */
const struct rough *choose_rough(struct maker *m);

static inline unsigned
pick(struct maker *m, unsigned n)
{
   return rng_pick(m->r, n);
}

/** What both sides have, found by trying it (choose_opcodes()). */
struct offers {
   bool returns; /* early ones */
   bool calls;
   bool owners; /* local data with owners, semaphores */
   bool shared; /* global data, append counters */
   bool ballots;
   bool modifiers, sign; /* of sources; that one of them */
   bool switches;
   bool memory;        /* buffers of any stage */
   bool old, streams;  /* shader model 3; memory streams */
   bool state;         /* what the driver's state decides */
   bool samples, flat; /* inputs at each sample; flat ones that keep their bits */
   bool coarse;        /* derivatives of two by two pixels */
   bool large_arrays;
   /* Positions in a pixel and levels are 256ths, offsets whole texels; coordinates are normalised,
    * and those of a cube on its face, before the texture unit has them. */
   bool snaps;
   bool stages;   /* textures of shader model 3 */
   bool pointers; /* fragment pointers */
   bool units;    /* a texture has the sampler of its number, and no more than OpenGL 2.1 knows */
   bool doubles, double_results, ieee_alone;
};
extern struct offers offers;

/** A component of r8. */
struct il_src index_source(struct maker *m);
/** An input of the stage. */
struct il_src any_input(struct maker *m);
/** The first of the outputs that values go to. */
unsigned output_base(const struct maker *m);
/** r8 &= 3 */
void keep_index_small(struct maker *m);
void statements(struct maker *m, unsigned count);
/** Components of r0 to r7. */
struct il_dst value_register(struct maker *m);
/** Anything that can be read, without a modifier that only floats have. */
struct il_src any_operand(struct maker *m);
/** r9.x: something, cut to component `mask` of L_MASKS. */
struct il_src masked_address(struct maker *m, unsigned mask);
/** A component of something. */
struct il_src one_component(struct maker *m);

/* memory.c */
void local_data(struct maker *m);
void owned_data(struct maker *m);
void barrier(struct maker *m);
/** Operations on UAVs 1 and 2; on global data, counters and a read-only buffer. */
void global_data(struct maker *m);
void shared_data(struct maker *m);
void read_buffer(struct maker *m);
/** Of UAV 1 or the arena. */
void part_of_dword(struct maker *m);
void semaphore(struct maker *m);

/* programs.c */
void declare_literals(struct maker *m);

/* extras.c */
void make_macros(struct maker *m);
void declare_extras(struct maker *m);
/** False: nothing was added. */
bool extra_statement(struct maker *m);
struct il_src old_register(struct maker *m);
/** b0 or b1, of which def gives one that is true. */
struct il_src old_boolean(struct maker *m);
void move_address(struct maker *m);

/* textures.c */
void declare_textures(struct maker *m);
/** False: the program has no textures. */
bool texture_statement(struct maker *m);

#endif
