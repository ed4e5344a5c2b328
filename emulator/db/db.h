/* SPDX-License-Identifier: MIT */
/*
 * DB: depth and stencil.  Depth and stencil are surfaces of their own.
 */
#ifndef ATOLL_DB_H
#define ATOLL_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "regs.h"
#include "memory/target.h"

struct vm;

struct db_face {
   uint8_t func;               /* enum cayman_compare */
   uint8_t fail, zfail, zpass; /* enum cayman_stencil_op */
   uint8_t ref, mask, write_mask;
};

struct db_state {
   struct target z, s; /* host NULL: no such plane */
   uint8_t z_format;   /* enum cayman_depth_format */

   bool z_test; /* compare with memory */
   bool z_write;
   uint8_t z_func; /* COMPARE_ALWAYS when not testing */
   bool stencil;
   struct db_face face[2]; /* front, back */

   bool z_clear, s_clear; /* covered pixels get the clear values */
   float z_clear_value;
   uint8_t s_clear_value;

   bool copy_z, copy_s; /* depth or stencil goes to the colour target */
   bool copy_centroid;
   uint8_t copy_sample;

   bool early;                /* tests and writes may happen before the pixel program */
   bool forced_early;         /* and must, whatever the program does */
   bool late_order;           /* Z_ORDER asks for late tests */
   bool coverage_after_tests; /* of those that come first: what the program sees of it */
   bool export_z, export_stencil, export_mask; /* the program's values replace ours */
   bool viewport_clamp;
   bool count;  /* samples that pass are counted */
   bool writes; /* depth or stencil memory may change */
   bool active; /* there is something to test or to write */
   bool color_disable;
};

void db_decode(struct db_state *s, const struct regs *r, const struct vm *vm);

/* Whether a draw with state b may join a pass whose draws have state a. */
bool db_same_targets(const struct db_state *a, const struct db_state *b);

/* Memory the draw reads or writes through DB; returns how many ranges (at most 2). */
unsigned db_ranges(const struct db_state *s, struct target_range out[2]);

#endif
