/* SPDX-License-Identifier: MIT */
/*
 * SPI: pixel inputs and wave launch.
 *
 * The lead-in of a draw matches every PS input to a VS parameter; the front end fills
 * batch.params from input[]: the exported parameter, or `defaults`.  Flat shading, sprites and
 * the planes are made here at launch from prim.vertex[0..2] ([0] is the provoking vertex).
 *
 * Points: barycentrics i and j of a point are its sprite coordinates s and t (s grows with x,
 * t with y, both 0..1 across the point, in sc_prim.sprite), so its other planes are constant.
 */
#ifndef ATOLL_SPI_H
#define ATOLL_SPI_H

#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"
#include "port/limits.h"

#define SPI_NO_PARAM 255

struct spi_input {
   uint8_t param; /* VS PARAM export, or SPI_NO_PARAM: reads `defaults` */
   bool flat;
   bool sprite; /* replaced on points */
   float defaults[4];
};

/* What a component of an input is on points, where the input is replaced. */
enum spi_sprite {
   SPI_SPRITE_NONE, /* as it was */
   SPI_SPRITE_0,
   SPI_SPRITE_1,
   SPI_SPRITE_S,
   SPI_SPRITE_T,
};

struct spi_state {
   /* A chip's. */
   uint32_t num_inputs;
   struct spi_input input[SPI_MAX_INPUTS];
   bool any_flat; /* some input is flat or a sprite */

   bool sprites;
   bool sprite_top_1;                       /* t grows upwards */
   uint8_t sprite_sel[4];                   /* enum spi_sprite */
   bool position_centroid, position_sample; /* where in the pixel its position is */

   /* Of the program: where it has its entry values. */
   struct core_entry entry;
   uint8_t num_pairs, pair[CORE_PAIRS]; /* barycentrics that it takes, enum core_pair */
   bool position, integers;             /* that it takes some of these */
   bool constant;                       /* every wave of the draw gives one and the same result */
};

/* Adds what the pixel program takes: it has its entry values where s->entry says. */
void spi_program(struct spi_state *s, const struct core_program *ps);

#endif
