/* SPDX-License-Identifier: MIT */
/*
 * A draw while it becomes the pipeline's state.  What takes a part of it returns false where the
 * draw cannot be made, after mali_say().
 */
#ifndef ATOLL_CHIP_MALI_MAKING_H
#define ATOLL_CHIP_MALI_MAKING_H

#include <stdbool.h>
#include <stdint.h>

#include "cb/cb.h"
#include "chip/mali/frame.h"
#include "chip/mali/tables.h"
#include "db/db.h"
#include "pa/pa.h"
#include "pass/programs.h"
#include "sc/sc.h"
#include "spi/spi.h"
#include "sx/sx.h"
#include "vgt/vgt.h"

struct mali_making {
   const struct mali_frame *frame;
   const struct mali_draw *draw;
   char *text;
   bool whole; /* it has no vertices: all pixels are drawn */
   enum mali_result result;
   struct mali_stage vertex, pixel;
   struct stages stages;
   struct vgt_state vgt;
   struct pa_state pa;
   struct sc_state sc;
   struct spi_state spi;
   struct sx_state sx;
   struct db_state db;
   struct cb_state cb;
   bool has_constant; /* of blending, in `cb` */
   uint32_t *indices; /* of one byte, as words */
};

/* Says why a draw cannot be made.  Returns false. */
__attribute__((format(printf, 3, 4))) bool mali_say(struct mali_making *m, enum mali_result result,
                                                    const char *format, ...);

/* Words of a descriptor, which it prints when tracing. */
bool mali_read_words(struct mali_making *m, enum mali_descriptor descriptor, uint64_t address,
                     uint32_t *words, unsigned count);

/* blend.c: colours, of which cb and sx are filled in. */
bool mali_take_colors(struct mali_making *m);

#endif
