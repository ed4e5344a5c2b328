/* SPDX-License-Identifier: MIT */
/*
 * A Mali of v10: what its endpoints do with the descriptors that command streams name.
 */
#ifndef ATOLL_CHIP_MALI_H
#define ATOLL_CHIP_MALI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct gfx;
struct mali_draws;
struct mali_rows;
struct vm;

/* MALI_AT_descriptor_field: its word, first bit and bits. */
enum mali_field {
#define MALI_FIELD(descriptor, name, word, start, bits, kind) \
   MALI_AT_##descriptor##_##name = (word) << 16 | (start) << 8 | (bits),
#include "chip/mali/descriptors.def"
};

/* MALI_kind_name. */
enum mali_value {
#define MALI_VALUE(kind, name, number) MALI_##kind##_##name = number,
#include "chip/mali/descriptors.def"
};

enum mali_descriptor {
#define MALI_DESCRIPTOR(name, words) MALI_##name,
#include "chip/mali/descriptors.def"
};

/* In words. */
enum mali_words {
#define MALI_DESCRIPTOR(name, words) MALI_WORDS_##name = words,
#include "chip/mali/descriptors.def"
};

static inline uint64_t
mali_field(const uint32_t *words, enum mali_field field)
{
   const uint32_t *w = words + (field >> 16);
   const unsigned bits = field & 0xff;
   const uint64_t value = bits > 32 ? w[0] | (uint64_t)w[1] << 32 : w[0];

   return value >> (field >> 8 & 0xff) & (UINT64_MAX >> (64 - bits));
}

/* Prints a descriptor's fields, a line each, but those that are zero. */
void mali_print(FILE *file, enum mali_descriptor descriptor, const uint32_t *words);

struct mali_env {
   struct vm *vm;
   bool trace;       /* print descriptors to stderr */
   uint64_t *budget; /* runs of pixels that are written come off */
   struct gfx *gfx;  /* what draws; NULL: nothing does */
   struct mali_draws *draws;
   struct mali_rows *rows; /* copies of textures; NULL: textures that need one are missing */
};

/* The box of pixels that RUN_FRAGMENT names; its ends are inside. */
struct mali_box {
   uint32_t min_x, min_y, max_x, max_y;
};

enum mali_result {
   MALI_DONE,
   MALI_MISSING,   /* it asks for what is not implemented */
   MALI_UNMAPPED,  /* what it names is not mapped */
   MALI_EXHAUSTED, /* its budget is spent */
   MALI_FAULT,     /* a shader faults */
};

/* What RUN_COMPUTE's registers say. */
struct mali_compute {
   uint64_t resources; /* address of the tables, their number in the lower six bits */
   uint64_t uniforms;  /* address of 64-bit words, their number in the upper eight bits */
   uint64_t program, storage;
   uint32_t group_size; /* a descriptor GROUP_SIZE */
   uint32_t groups[3];
};

#define MALI_TEXT 160

/* Renders the framebuffer of the descriptor at `address` in `box`: the draws that its tiler has.
 * Where it is not done, `text` says why. */
enum mali_result mali_fragment(const struct mali_env *env, uint64_t address,
                               const struct mali_box *box, char text[MALI_TEXT]);

/* Runs all its work groups, one after the other.  Where it is not done, `text` says why. */
enum mali_result mali_compute(const struct mali_env *env, const struct mali_compute *job,
                              char text[MALI_TEXT]);

/* What a program runs with. */
struct mali_run {
   uint64_t resources, uniforms, program, storage; /* as struct mali_compute's */
};

/* What RUN_IDVS's registers say, or a draw in memory. */
struct mali_draw {
   struct mali_run position, varying, fragment;
   uint32_t count, instances, first_index, base_vertex, first_instance;
   uint64_t indices;
   uint32_t index_bytes;   /* of all of them */
   uint32_t scissor[2];    /* a descriptor SCISSOR */
   uint32_t min_z, max_z;  /* float bits */
   uint32_t varying_bytes; /* of a vertex */
   uint64_t blends;        /* address, and in the lower four bits their number */
   uint64_t depth_stencil, occlusion;
   uint32_t primitive;   /* a descriptor PRIMITIVE_FLAGS */
   uint32_t flags[2];    /* DRAW_FLAGS */
   uint32_t size;        /* of points and lines, float bits */
   bool first_provoking; /* the tiler's */
};

/* Adds a draw to those of the tiler at an address.  Where it is not done, `text` says why. */
enum mali_result mali_idvs(const struct mali_env *env, uint64_t tiler, struct mali_draw *draw,
                           char text[MALI_TEXT]);

/* The draws that a group's tilers hold; NULL: no memory. */
struct mali_draws *mali_draws_create(void);
void mali_draws_destroy(struct mali_draws *draws);

#endif
