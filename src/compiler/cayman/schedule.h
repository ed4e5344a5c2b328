/* SPDX-License-Identifier: MIT */
/* What the files of the scheduler share: the dependence graph, the filling of groups, how many
 * values are alive, and what a schedule costs. */
#ifndef CAYMAN_SCHEDULE_H
#define CAYMAN_SCHEDULE_H

#include "ir.h"

/** What decides between instructions that are as urgent, and what else a schedule may do in another
 * way: each is better for some blocks. */
enum tie {
   TIE_ORDER,    /* program order */
   TIE_READERS,  /* first what most others wait for */
   TIE_CHANNELS, /* first what has least choice among the slots */
   TIE_SHUFFLED, /* no matter */
   TIE_MASK = 0xff,
   EAGER = 1 << 8,      /* fetches go as fetch_is_urgent() says */
   LAST_SLOTS = 1 << 9, /* of slots that are alike the last one is taken, not the first */
   FIRST_READY =
      1 << 10,       /* as urgent as it has waited: what reads the same constants is together */
   COARSE = 1 << 11, /* paths of 2 n and 2 n + 1 groups are as urgent */
};

/** Build successor lists, heights and predecessor counts of a block's instructions (depend.c). */
void cc_depend(struct compiler *c, struct cc_block *b);

/* An operand as the read ports see it. */
struct port_operand {
   uint32_t key; /* 0: takes no port */
   uint8_t chan;
   bool constant;  /* of a draw, inline or literal: what slot t has two of at most */
   bool forwarded; /* PV or PS */
};

/** A group being filled (fill.c). */
struct filler {
   struct compiler *c;
   struct clause *clause;
   const struct group *previous; /* in the same clause, or NULL */
   value_id forwarded[CC_SLOTS]; /* by channel: what of it PV has, and what PS has */
   struct group group;
   struct port_operand port[CC_SLOTS][3];
   uint32_t literal[4];
   unsigned num_literals;
   uint32_t kcache_pair[2];
   unsigned num_kcache_pairs;
   struct kcache_lock lock[4]; /* as the clause's would be with this group */
   bool has_pred, has_kill, has_mova, has_ar, has_barrier;
   unsigned num_slots;
   bool last_slots;        /* of free slots that are alike the last one is taken */
   bool only_t;            /* what may stand in slot t is tried there */
   unsigned *channel_load; /* values per channel so far: spreads free choices */
};

void cc_fill_begin(struct filler *f, struct compiler *c, struct clause *clause,
                   const struct group *previous, unsigned *channel_load);

/** Try to put an instruction into the group.  False: it does not fit; nothing has changed. */
bool cc_fill(struct filler *f, struct inst *inst);

/** 64-bit slots that the group takes. */
unsigned cc_fill_size(const struct filler *f);

struct cc_pressed {
   uint32_t left; /* operands of instructions that are not scheduled yet */
   bool alive;
};

/** Values alive while a block is scheduled (pressure.c). */
struct cc_pressure {
   const struct cc_block *b;
   struct cc_pressed *value; /* by value, `count` of them: later ones are not looked at */
   uint32_t count;
   uint32_t words; /* of the block's sets of live values */
   int alive;      /* values */
   int change;
};

/** Before a block is scheduled; `p` is zero before the first. */
void cc_pressure_begin(struct cc_pressure *p, struct compiler *c, const struct cc_block *b);

/** The instruction is scheduled. */
void cc_pressure_take(struct cc_pressure *p, struct inst *inst);

/** By how much `alive` would grow with it. */
int cc_pressure_of(struct cc_pressure *p, struct inst *inst);

/** Fewer groups than this the block cannot have (schedule_cost.c). */
uint32_t cc_fewest_groups(const struct compiler *c, const struct cc_block *b);

/** Instructions that are ready, or will be (ready.c). */
struct cc_ready {
   struct inst **inst;
   uint32_t count, cap;
   uint32_t num_sorted; /* by urgency, from the first on */
};

static inline void
cc_ready_add(struct compiler *c, struct cc_ready *r, struct inst *inst)
{
   if (r->count == r->cap)
      r->inst = cc_grow(c, r->inst, r->count, &r->cap, sizeof(*r->inst));
   r->inst[r->count++] = inst;
}

/** An empty list that has the memory of another one. */
static inline struct cc_ready
cc_ready_again(struct cc_ready r)
{
   r.count = r.num_sorted = 0;
   return r;
}

/** By urgency: users of AR, growth, height, rank, sequence. */
void cc_ready_sort(struct cc_ready *r);

/** The most `groups` of any of them, or `most`. */
uint32_t cc_ready_groups(const struct cc_ready *r, uint32_t most);

/** What of a block is not scheduled yet (schedule_cost.c). */
struct cc_left {
   unsigned num_slots; /* of a group */
   uint32_t slots;     /* that groups must have for it at least */
   uint32_t trans;     /* of these t */
   uint32_t fetches, exports;
};

void cc_left_begin(struct cc_left *left, const struct compiler *c, const struct cc_block *b);
void cc_left_take(struct cc_left *left, const struct inst *inst);

/** What that costs at least, as cc_block_cost() counts, if one instruction of it and what waits for
 *  that take `longest` groups. */
uint32_t cc_left_cost(const struct cc_left *left, uint32_t longest);

/** Groups of the block's schedule. */
uint32_t cc_num_groups(const struct cc_block *b);

/** Groups and clauses: one costs about a group. */
uint32_t cc_block_cost(const struct cc_block *b);

#endif /* CAYMAN_SCHEDULE_H */
