/* SPDX-License-Identifier: MIT */
/*
 * The walk over a program of the core, for every compiler and for direct execution: one loop over
 * the instructions, and the blocks of flow control that are open (7.4).
 *
 *  1. What has no effect where it stands is left out.  A return or an end, outside of blocks, ends
 *     the walk.
 *  2. An end closes the innermost block, which is of its kind; a branch has one else.
 *  3. A break leaves the innermost loop or switch, a continue the innermost loop.
 *  4. Where branches are execution masks (struct il_masks) there is no switch.  It is a loop that
 *     is left at its end, so that a break leaves it.  After each label is a branch for the lanes
 *     that have met a label that fits: they go on into the next one.  A continue inside notes its
 *     lanes and leaves the switch; after the end they go on with the loop.  A break or continue
 *     that has a condition is one without, in a branch.
 *
 * Blocks that a target makes for one instruction, or outside of the walk, are its own.
 */
#ifndef IL_WALK_H
#define IL_WALK_H

#include "il/conventions.h"
#include "il/il.h"

struct il_block {
   uint8_t kind; /* enum il_flow: IF, LOOP or SWITCH */
   bool has_else;
   uint32_t pos; /* of the instruction that opens it */
   uint32_t at;  /* the target's name of it */
   /* a switch of masks: the target's names of what is compared with labels, and of sets of lanes:
    * no case fits; a label that fits has been met; a continue has been met */
   uint32_t selector, none, matched, continued;
   uint32_t label; /* `at` of the branch after the last label, if one is open */
   bool label_open, has_continue;
};

/* What a target makes of flow.  A condition is the instruction's (il_op_info.test); `at` is how the
 * target names a branch or loop that is open. */
struct il_flow_to {
   uint32_t (*begin_if)(void *data, const struct il_inst *inst);
   uint32_t (*begin_else)(void *data, uint32_t at);
   void (*end_if)(void *data, uint32_t at);
   /** `kind`: IL_FLOW_LOOP, or IL_FLOW_SWITCH of masks. */
   uint32_t (*begin_loop)(void *data, enum il_flow kind);
   void (*end_loop)(void *data, uint32_t at);
   /** Leaves a loop or switch, or goes on with a loop; `inst`: under its condition, if it has one;
    *  NULL: always. */
   void (*leave)(void *data, uint32_t at, bool go_on, const struct il_inst *inst);
   /** Fills in `at` or, of masks, the other four names.  NULL: the target has no switch. */
   void (*begin_switch)(void *data, struct il_block *b, const struct il_inst *inst);
   /** Of masks: adds the lanes that the label fits to those that have met one. */
   void (*label)(void *data, const struct il_block *b, const struct il_inst *inst);
   void (*end_switch)(void *data, uint32_t at); /* not of masks */
   const struct il_masks *masks;                /* NULL: branches are jumps */
};

struct il_masks {
   /** The lanes that run are in a set from now on. */
   void (*add)(void *data, uint32_t lanes);
   /** A branch for the lanes of a set. */
   uint32_t (*begin_if)(void *data, uint32_t lanes);
};

struct il_walk_to {
   void *data;
   /** The instruction at hand.  False: the walk ends. */
   bool (*go_to)(void *data, uint32_t pos);
   /** All but flow.  False: the target has no meaning for it. */
   bool (*inst)(void *data, const struct il_inst *inst, enum il_unit unit);
   /** Something cannot be.  If it returns, go_to() ends the walk. */
   void (*refuse)(void *data, const char *what);
   const struct il_flow_to *flow;
};

struct il_walk {
   const struct il_program *il;
   const struct il_walk_to *to;
   uint32_t pos;
   unsigned depth; /* blocks that are open */
   struct il_block block[IL_MAX_DEPTH];
};

/** Walks over a program.
 *  @return whether it met an end */
bool il_walk(struct il_walk *w, const struct il_program *il, const struct il_walk_to *to);

/** The label after *at, which is a switch or one of its labels, and *at is it then.  NULL: the
 *  switch has no more. */
const struct il_inst *il_next_label(const struct il_program *il, uint32_t *at);

/** What a label compares the selector with; a default: nothing of meaning. */
static inline uint32_t
il_label_value(const struct il_inst *inst)
{
   return inst->ndata ? inst->data[0] : 0;
}

/** The instruction that closes the block that the one at `pos` opens. */
uint32_t il_block_end(const struct il_program *il, uint32_t pos);

#endif
