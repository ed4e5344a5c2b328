/* SPDX-License-Identifier: MIT */
/*
 * A Mali of v10: what its endpoints do with the descriptors that command streams name.
 */
#ifndef ATOLL_CHIP_MALI_H
#define ATOLL_CHIP_MALI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

/* Renders the framebuffer of the descriptor at `address` in `box`, of which no tile has a
 * primitive.  Where it is not done, *what is a text. */
enum mali_result mali_fragment(const struct mali_env *env, uint64_t address,
                               const struct mali_box *box, const char **what);

/* What RUN_COMPUTE's registers say. */
struct mali_compute {
   uint64_t resources; /* address of the tables, their number in the lower six bits */
   uint64_t uniforms;  /* address of 64-bit words, their number in the upper eight bits */
   uint64_t program, storage;
   uint32_t group_size; /* a descriptor GROUP_SIZE */
   uint32_t groups[3];
};

#define MALI_TEXT 160

/* Runs all its work groups, one after the other.  Where it is not done, `text` says why. */
enum mali_result mali_compute(const struct mali_env *env, const struct mali_compute *job,
                              char text[MALI_TEXT]);

#endif
