/* SPDX-License-Identifier: MIT */
/*
 * A stage of a draw or dispatch, as a chip describes it to the instruction set of its shader cores.
 *
 * An instruction set knows what a program reads by number: constant buffer 3, texture 18.  A chip
 * knows what lies there, from registers, descriptors in memory or otherwise.  Each asks the other
 * through this header alone, so that any chip can have any instruction set.
 */
#ifndef ATOLL_BIND_SOURCE_H
#define ATOLL_BIND_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/core.h"
#include "memory/target.h"

struct bind_source;
struct kernels;
struct pool;
struct rat;
struct td_views;
struct vm;

/* Stages of the pipeline.  ES and copy shader are those of a draw with a geometry shader. */
enum {
   STAGE_LS,
   STAGE_HS,
   STAGE_ES,
   STAGE_GS,
   STAGE_VS,
   STAGE_PS,
   STAGES,
   STAGE_CS = STAGES, /* of a dispatch, which has no other */
};

/* What a chip points to in memory for the stage. */
enum source_code {
   SOURCE_PROGRAM,
   SOURCE_FETCHES, /* a vertex program's: what its instruction set has vertices described by */
   SOURCE_BLENDS,  /* programs that a pixel program calls to blend */
};

/* Words in memory, of which a program may need fewer. */
struct source_words {
   uint64_t va;           /* 0: the stage has none */
   const uint32_t *words; /* NULL: nothing is mapped there */
   size_t count;
};

struct source_buffer {
   uint8_t *base; /* NULL: nothing is mapped */
   uint64_t bytes;
};

#define SOURCE_LOOPS     32u
#define SOURCE_SEMANTICS 32u
#define SOURCE_BUFFERS   16u /* constant buffers; those from here on are views of their number */

/* What a chip answers; each but for `code`, `constants`, `keep` and `layout` may be NULL. */
struct source_ops {
   struct source_words (*code)(const struct bind_source *source, enum source_code part);

   /* Constant buffer n below SOURCE_BUFFERS, as far as it is said to go, and as far as it is
    * mapped. */
   struct target_range (*constants)(const struct bind_source *source, unsigned n);

   /* Whether coordinates of lookups through sampler n are in texels, whatever instructions say;
    * NULL: they never are. */
   bool (*in_texels)(const struct td_views *views, uint32_t n);

   /* What uniforms are; NULL: as the instruction set has them in constant buffers. */
   struct target_range (*uniforms)(const struct bind_source *source);

   /* The same views, as they are now, for as long as the draw lives.  `reuse`: what it gave for an
    * earlier draw with the same, or NULL.  NULL: no memory. */
   const struct td_views *(*keep)(const struct bind_source *source, const struct td_views *reuse);

   /* Whether view n, read to its end, reaches into `range`; NULL: each may. */
   bool (*view_reads)(const struct bind_source *source, uint32_t n, struct target_range range);

   /* Where programs that cannot say it themselves find the values of pixels and threads, into a
    * layout that has none. */
   void (*layout)(const struct bind_source *source, struct core_layout *layout);

   /* The random access targets of the mask into rats[RATS], the others empty; NULL: none. */
   void (*rats)(const struct bind_source *source, uint64_t mask, struct rat *rats);

   /* Memory that is written without a target; NULL: none. */
   struct source_buffer (*scatter)(const struct bind_source *source);

   /* Which vertex semantic each register takes; NULL: none. */
   void (*semantics)(const struct bind_source *source, uint8_t out[SOURCE_SEMANTICS]);
};

/* What the words of a program do not say of it: registers and stack in state[0], modes in
 * state[1], and from state[2] on what a chip loads before it. */
#define SOURCE_STATE        6
#define SOURCE_STATE_INPUTS 2 /* the first of SOURCE_INPUT_WORDS */

/* What R600 and R700 load into the registers of a pixel program before it starts: a nibble for each
 * of the first registers, eight of them a word. */
#define SOURCE_INPUTS      32u
#define SOURCE_INPUT_WORDS 4u
enum source_input {
   SOURCE_INPUT_NONE,
   SOURCE_INPUT_PAIR, /* the parameter of the register's number, by this enum core_pair */
   SOURCE_INPUT_FLAT = SOURCE_INPUT_PAIR + CORE_PAIRS,
};

static inline unsigned
source_input(const uint32_t words[SOURCE_INPUT_WORDS], unsigned n)
{
   return words[n / 8] >> n % 8 * 4 & 15;
}

/** A bit per enum core_pair that they name. */
static inline uint8_t
source_input_pairs(const uint32_t words[SOURCE_INPUT_WORDS])
{
   unsigned pairs = 0;

   for (unsigned n = 0; n < SOURCE_INPUTS; n++) {
      const unsigned input = source_input(words, n);

      if (input >= SOURCE_INPUT_PAIR && input < SOURCE_INPUT_FLAT)
         pairs |= 1u << (input - SOURCE_INPUT_PAIR);
   }
   return (uint8_t)pairs;
}
#define SOURCE_REGISTERS(gprs, stack) ((gprs) | (stack) << 8)
#define SOURCE_CLAMP_NAN              (1u << 21) /* clamping a NaN gives zero */
#define SOURCE_KEEP_SINGLES           (1u << 4)  /* denormal operands of float operations */
#define SOURCE_KEEP_OTHERS            (1u << 6)  /* of doubles, or of halves */
#define SOURCE_ALL_TARGETS            (1u << 29) /* the first colour is that of all */
#define SOURCE_RAT_TABLE              (1u << 31) /* there are RATS random access targets */
/* Valhall alone: tables, vertices and registers are as a Mali has them, and words state[0] after
 * its first one a vertex program has another, which makes the varyings (0: there is none). */
#define SOURCE_MALI (1u << 30)
/* Of state[1], what no register says. */
#define SOURCE_NO_REGISTER (SOURCE_ALL_TARGETS | SOURCE_MALI)

/* A chip's own follows. */
struct bind_source {
   const struct source_ops *ops;
   const struct td_views *views; /* as they are while a draw is handed over */
   const struct vm *vm;
   const struct kernels *kernels;
   struct pool *pool;            /* gfx_pool()'s: what binds are made of */
   enum core_stage role;         /* what the stage is to the graphics interface, */
   uint8_t stage;                /* and in the pipeline */
   uint8_t factors;              /* tessellation factors of a patch */
   bool sprite_top;              /* t of the point coordinate grows upwards */
   uint32_t state[SOURCE_STATE]; /* see above */
   uint32_t base_vertex, start_instance;

   /* What control flow may read. */
   const uint32_t *loops; /* [SOURCE_LOOPS]: count 11:0, first index 23:12, step 31:24; or NULL */
   uint32_t bools;

   uint32_t *append; /* counters that programs change, or NULL */
};

#endif
