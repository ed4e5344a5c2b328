/* SPDX-License-Identifier: MIT */
/*
 * DB: depth and stencil.  Depth and stencil are surfaces of their own, or share one's pixels.
 */
#ifndef ATOLL_DB_H
#define ATOLL_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/target.h"

struct db_face {
   uint8_t func;               /* enum test */
   uint8_t fail, zfail, zpass; /* enum stencil_op */
   uint8_t ref, mask, write_mask;
};

/* A chip fills in what it was told, and db_finish() the rest. */
struct db_state {
   struct target z, s; /* host NULL: no such plane */
   uint8_t z_format;   /* enum depth_format */
   /* Of a depth in memory.  0: all of z.cpp; less: the planes share their pixels, and the stencil
    * is in a byte of what is left. */
   uint8_t z_bytes;

   bool z_test;    /* compare with memory */
   bool z_write;   /* only where depth is tested, by whatever function */
   uint8_t z_func; /* enum test; TEST_ALWAYS when not testing */
   bool stencil;
   struct db_face face[2]; /* front, back */

   bool z_clear, s_clear; /* covered pixels get the clear values */
   float z_clear_value;
   uint8_t s_clear_value;

   bool copy_z, copy_s; /* depth or stencil goes to the colour target */
   uint8_t copy_sample;

   bool forced_early;         /* tests and writes come before the program, whatever it does */
   bool late_order;           /* tests shall come after it, unless they are forced to be early */
   bool coverage_after_tests; /* of those that come first: what the program sees of it */
   bool drops;                /* the program may drop pixels */
   bool export_z, export_stencil, export_mask; /* the program's values replace ours */
   bool viewport_clamp;
   bool count; /* samples that pass are counted */
   bool color_disable;

   /* What follows. */
   bool early;  /* tests and writes may happen before the pixel program */
   bool writes; /* depth or stencil memory may change */
   bool active; /* there is something to test or to write */
};

/* Bytes of a depth in memory; 0: of no format. */
unsigned db_depth_bytes(unsigned format);

/* Whether they share pixels. */
static inline bool
db_packed(const struct db_state *s)
{
   return s->z_bytes < s->z.cpp;
}

/* Leaves out what there is no plane for, and finds what follows. */
void db_finish(struct db_state *s);

/* Whether covered pixels of a draw of so many samples are overwritten whatever they hold; depth
 * that is not constant over the primitive is the caller's to exclude. */
bool db_overwrites(const struct db_state *s, unsigned samples);

/* Whether a draw with state b may join a pass of draws with state a. */
bool db_same_targets(const struct db_state *a, const struct db_state *b);

/* Memory the draw reads or writes through DB; returns how many ranges (at most 2). */
unsigned db_ranges(const struct db_state *s, struct target_range out[2]);

#endif
