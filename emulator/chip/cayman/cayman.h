/* SPDX-License-Identifier: MIT */
/*
 * Cayman's door to the pipeline: its registers become the state that blocks work on.
 *
 * Each function fills the state of one block from the register file, all of it.  Any values of
 * registers give a defined state: what a field does not name is what map.h says.
 */
#ifndef ATOLL_CHIP_CAYMAN_H
#define ATOLL_CHIP_CAYMAN_H

#include "regs.h"

struct cb_state;
struct db_state;
struct pa_state;
struct sc_state;
struct sx_state;
struct target;
struct vm;

/* Viewports, clipping, culling, polygon mode and offset, points, lines. */
void cayman_decode_pa(struct pa_state *s, const struct regs *r);

/* Scissors, clip rectangles, line stipple, samples.  `targets` are those that the draw writes or
 * reads: all have at least what is drawn to. */
void cayman_decode_sc(struct sc_state *s, const struct regs *r, const struct target *const *targets,
                      unsigned count);

/* Depth and stencil: planes, tests, clears, copies. */
void cayman_decode_db(struct db_state *s, const struct regs *r, const struct vm *vm);

/* Colour targets, blending, masks, fast clears, resolve. */
void cayman_decode_cb(struct cb_state *s, const struct regs *r, const struct vm *vm);

/* Alpha test and alpha to mask. */
void cayman_decode_sx(struct sx_state *s, const struct regs *r);

#endif
