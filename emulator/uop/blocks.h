/* SPDX-License-Identifier: MIT */
/*
 * Straight code of programs with a PC a lane (Valhall, ATTILA).  Such a program is a list
 * of steps, one an instruction.  Steps that run one after the other, and are entered at the first
 * alone, are a block.  Its micro-operations are one run, which may be machine code, and the engine
 * looks at control, budget and lanes once a block.
 *
 * A lane's PC is always the first step of a block: the program's first, what is jumped to, and the
 * step after one that changes control.
 */
#ifndef ATOLL_UOP_BLOCKS_H
#define ATOLL_UOP_BLOCKS_H

#include "uop/binding.h"

struct uop_block {
   uint32_t first, count;        /* steps */
   struct uop_run code;          /* in struct uop_code */
   struct uop_run plain, masked; /* in struct uop_bound: for waves without and with idle lanes */
   uint32_t kept[2]; /* temporaries (components) that its last step looks at, or UINT32_MAX */
};

struct uop_blocks {
   struct uop_block *blocks;
   uint32_t count;
   uint32_t *of; /* [steps]: the block that a step is of */
};

/** Makes blocks of `count` steps.  `runs` has each step's micro-operations, which follow one
 *  another; `starts` says which steps begin a block.  False: no memory. */
bool uop_blocks_make(struct uop_blocks *b, uint32_t count, const struct uop_run *runs,
                     const bool *starts);
void uop_blocks_free(struct uop_blocks *b);

#endif
