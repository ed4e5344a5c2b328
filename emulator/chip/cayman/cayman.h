/* SPDX-License-Identifier: MIT */
/*
 * Cayman's door to the pipeline: its registers become the state that blocks work on.
 *
 * Each function fills the state of one block from the register file, all of it.  Any values of
 * registers give a defined state: what a field does not name is what map.h says.
 */
#ifndef ATOLL_CHIP_CAYMAN_H
#define ATOLL_CHIP_CAYMAN_H

#include "core/core.h"
#include "regs.h"

struct cb_state;
struct db_state;
struct geometry;
struct pa_state;
struct sc_state;
struct spi_state;
struct sx_state;
struct rat;
struct target;
struct vgt_state;
struct vm;

/* Stages, topology, indices, streamout; the rest of the state is vgt_begin()'s.  NULL, or what the
 * registers name that there is not. */
const char *cayman_decode_vgt(struct vgt_state *s, const struct regs *r);

/* The stages that the draw's `vgt` has, as geometry_begin() takes them. */
const char *cayman_decode_geometry(struct geometry *g, const struct vgt_state *vgt,
                                   const struct regs *r);

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

/* Inputs of the pixel program; the rest of the state is spi_program()'s. */
void cayman_decode_spi(struct spi_state *s, const struct regs *r);

/* Alpha test and alpha to mask. */
void cayman_decode_sx(struct sx_state *s, const struct regs *r);

/* Of what is drawn: log2, at most 3. */
static inline unsigned
cayman_log2_samples(const struct regs *r)
{
   const unsigned log2 =
      REG_FIELD_GET(reg(r, REG_OF(r, PA_SC_AA_CONFIG)), PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES);

   return log2 > 3 ? 3 : log2;
}

/* LDS of a work group or of a group of patches: bytes. */
static inline uint32_t
cayman_lds_bytes(const struct regs *r)
{
   return (reg(r, R_SQ_LDS_ALLOC) & 0x3fff) * 4;
}

/* Random access targets of `mask` into rats[RATS]; the others become empty.  `table` is the
 * descriptor of a stage's table of them, or NULL: colour slots have them. */
void cayman_decode_rats(struct rat *rats, uint64_t mask, const uint32_t *table,
                        const struct regs *r, const struct vm *vm);

/* Where programs of a stage find their entry values, if they cannot say it themselves: what there
 * is, into a layout with no rows. */
void cayman_layout(struct core_layout *layout, enum core_stage stage, const struct regs *r);

#endif
