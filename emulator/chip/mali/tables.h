/* SPDX-License-Identifier: MIT */
/*
 * What a stage's handles name: tables of resources in memory, and in them descriptors.
 *
 * Table 0 has constant buffers, 1 attributes, 3 samplers, 4 textures; attributes say in which table
 * their buffers are.  A table that is not there, or is not mapped, is empty.
 */
#ifndef ATOLL_CHIP_MALI_TABLES_H
#define ATOLL_CHIP_MALI_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "bind/source.h"
#include "chip/mali/mali.h"
#include "chip/mali/rows.h"
#include "port/views.h"

#define MALI_ATTRIBUTES 64u

enum mali_table {
   MALI_TABLE_CONSTANTS,
   MALI_TABLE_ATTRIBUTES,
   MALI_TABLE_SAMPLERS = 3,
   MALI_TABLE_TEXTURES,
};

/* Begins with what engines see. */
struct mali_views {
   struct td_views views;
   uint64_t resources; /* address of the tables */
   uint32_t num_tables;
   struct mali_rows *rows; /* copies of textures; NULL: there are none */
   bool trace;             /* print descriptors of textures */
};

/* A stage of a draw. */
struct mali_stage {
   struct bind_source source; /* first */
   struct mali_views views;
   uint64_t uniforms; /* address */
   uint32_t uniform_bytes;
   struct source_words program;
   uint32_t attributes[MALI_ATTRIBUTES][8]; /* as bind/attribute.h has them */
   uint32_t num_attributes;
   uint32_t scratch_bytes;     /* of a lane */
   struct source_words blends; /* programs of blending, as the binder has them */
};

/* Words of descriptor `n` of a table; false: it is not there, or of another type. */
bool mali_read_descriptor(const struct mali_views *views, uint32_t table, uint32_t n, unsigned type,
                          uint32_t words[8]);

/* Makes the copies that the stage's textures need; each descriptor costs a unit.  Where one cannot
 * be read, *why says why. */
enum mali_result mali_take_textures(const struct mali_views *views, uint64_t *budget,
                                    const char **why);

extern const struct source_ops mali_source_ops;
extern const struct td_views_ops mali_views_ops;

#endif
