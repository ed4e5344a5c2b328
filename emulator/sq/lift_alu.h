/* SPDX-License-Identifier: MIT */
/*
 * An ALU clause while it is lifted (lift_alu.c, lift_operand.c).
 */
#ifndef ATOLL_SQ_LIFT_ALU_H
#define ATOLL_SQ_LIFT_ALU_H

#include "sq/lift.h"

#define NO_PV UINT32_MAX

struct uops {
   struct uop *u;
   uint32_t count, cap;
};

/* A unit of execution within a group: one micro-operation, or four records of one. */
struct task {
   struct uop u[4];
   unsigned records;
   unsigned results; /* bit n: u[n].dst is written */
   uint32_t reads[20];
   unsigned num_reads;
   bool simple; /* one lane-wise record without side effects */
};

struct clause {
   struct lift *l;
   const struct cayman_cf *cf;
   struct uops prologue, plain, masked;
   uint32_t origin;               /* of the group at hand */
   uint32_t pv[CAYMAN_MAX_SLOTS]; /* where the previous group's results are */
   unsigned parity;

   /* The group. */
   struct cayman_alu_group g;
   const struct cayman_alu *slot[CAYMAN_MAX_SLOTS];
   bool pv_wanted[CAYMAN_MAX_SLOTS]; /* by the next group */
   struct uops pre, post;
   struct task tasks[6];
   unsigned num_tasks;
   uint32_t new_pv[CAYMAN_MAX_SLOTS];
   bool commit_pred;
   uint32_t lds_head[2]; /* where the group has the heads of the LDS queues, or NO_PV */
   bool lds_pop;
   bool has_barrier; /* the clause */
   bool keeps_ar;    /* the clause has a SET_CF_IDX: what MOVA_INT writes is kept in TEMP_AR */
   unsigned ar_age;  /* groups since; 0: there was none */

   struct uop nowhere; /* what is written when memory is out */
};

static inline const struct cayman_alu_info *
clause_info(const struct clause *c, unsigned op)
{
   return cayman_alu_info_of(c->l->vliw, op);
}

/** The number of a slot among x, y, z, w, t: its result is the previous one of that number for the
 *  next group. */
static inline unsigned
slot_number(const struct cayman_alu *a)
{
   return a->trans ? CAYMAN_SLOT_T : a->dst_chan & 3u;
}

/** A new micro-operation, zero but for its length, at the end of a list. */
struct uop *clause_push(struct clause *c, struct uops *list);
void clause_append(struct clause *c, struct uops *to, const struct uop *u, unsigned count);
/** Sets operand n of a record of task t, or of none; `from` is the slot's operand, `plain` leaves
 *  its modifiers out. */
void clause_operand(struct clause *c, struct task *t, struct uop *u, unsigned n,
                    const struct cayman_alu *a, unsigned from, bool plain);

#endif
