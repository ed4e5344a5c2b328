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
#include "regs.h"

struct vm;

#define SPI_NO_PARAM 255

struct spi_input {
   uint8_t param; /* VS PARAM export, or SPI_NO_PARAM: reads `defaults` */
   bool flat;
   bool sprite; /* replaced on points */
   float defaults[4];
};

struct spi_state {
   uint32_t num_inputs;
   struct spi_input input[SPI_MAX_INPUTS];
   bool any_flat; /* some input is flat or a sprite */

   bool sprites; /* PNT_SPRITE_ENA */
   bool sprite_top_1;
   uint8_t sprite_sel[4]; /* enum cayman_sprite_override */

   /* Where the program has its entry values; of the position, also the place in the pixel. */
   struct core_entry entry;
   uint8_t num_pairs, pair[CORE_PAIRS]; /* barycentrics that it takes, enum core_pair */
   bool position, integers;             /* that it takes some of these */
   bool position_centroid, position_sample;
   bool constant; /* every wave of the draw gives one and the same result */
};

/* `ps` may be NULL: no program, no inputs. */
void spi_decode(struct spi_state *s, const struct regs *r, const struct vm *vm,
                const struct core_program *ps);

#endif
