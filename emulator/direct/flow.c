/* SPDX-License-Identifier: MIT */
/*
 * Flow control (7.4) as the executor's control-flow instructions: branches PUSH, JUMP, ELSE and
 * POP, loops are left by breaks alone.  Branches are execution masks; a branch or loop is named by
 * the instruction that waits for its target.
 */
#include "direct/lift.h"

#define UNKNOWN UINT32_MAX

static uint32_t
here(const struct direct *d)
{
   return d->p->num_cfs;
}

/* The instruction is there, if memory is. */
static void
aim(struct direct *d, uint32_t cf, uint32_t target)
{
   if (cf < d->p->num_cfs)
      d->p->cfs[cf].target = target;
}

/* --- branches --------------------------------------------------------------------------------- */

uint32_t
direct_branch(struct direct *d, unsigned pred, struct uop_operand a, struct uop_operand b)
{
   uint32_t trash = direct_temp(d);

   direct_close(d);
   struct uop *u = uop_emit(&d->b, pred, trash, a, b, b);
   u->p.predicate.update_exec = true;
   u->p.predicate.exec_op = UOP_FAIL_DEACTIVATE;
   direct_close(d);
   if (d->p->num_cfs)
      d->p->cfs[d->p->num_cfs - 1].op = CAYMAN_CF_ALU_PUSH_BEFORE;
   const uint32_t jump = here(d);
   direct_cf(d, CAYMAN_CF_JUMP);
   return jump;
}

void
direct_branch_end(struct direct *d, uint32_t jump)
{
   direct_close(d);
   aim(d, jump, here(d));
   direct_cf(d, CAYMAN_CF_POP)->pop_count = 1;
}

static uint32_t
compare(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand a = direct_src(d, &inst->src[0], 0), b = direct_src(d, &inst->src[1], 0);
   switch (il_relop(inst)) {
   case IL_RELOP_NE:
      return direct_branch(d, UOP_PRED_SETNE, a, b);
   case IL_RELOP_EQ:
      return direct_branch(d, UOP_PRED_SETE, a, b);
   case IL_RELOP_GE:
      return direct_branch(d, UOP_PRED_SETGE, a, b);
   case IL_RELOP_GT:
      return direct_branch(d, UOP_PRED_SETGT, a, b);
   case IL_RELOP_LE:
      return direct_branch(d, UOP_PRED_SETGE, b, a);
   default:
      return direct_branch(d, UOP_PRED_SETGT, b, a);
   }
}

static uint32_t
begin_if(void *data, const struct il_inst *inst)
{
   struct direct *d = data;
   const enum il_test test = il_op_info(inst->op)->test;

   if (test == IL_TEST_RELATION)
      return compare(d, inst);
   return direct_branch(d, test == IL_TEST_ZERO ? UOP_PRED_SETE_INT : UOP_PRED_SETNE_INT,
                        direct_src(d, &inst->src[0], 0), direct_literal(d, 0));
}

static uint32_t
begin_else(void *data, uint32_t jump)
{
   struct direct *d = data;

   direct_close(d);
   const uint32_t other = here(d);
   aim(d, jump, other);
   direct_cf(d, CAYMAN_CF_ELSE);
   return other;
}

static void
end_if(void *data, uint32_t jump)
{
   direct_branch_end(data, jump);
}

/* --- loops ------------------------------------------------------------------------------------ */

static uint32_t
begin_loop(void *data, enum il_flow kind)
{
   struct direct *d = data;

   (void)kind;
   direct_close(d);
   const uint32_t start = here(d);
   direct_cf(d, CAYMAN_CF_LOOP_START_DX10);
   return start;
}

static void
leave(void *data, uint32_t start, bool go_on, const struct il_inst *inst)
{
   (void)start;
   (void)inst; /* masks leave without a condition */
   direct_cf(data, go_on ? CAYMAN_CF_LOOP_CONTINUE : CAYMAN_CF_LOOP_BREAK)->target = UNKNOWN;
}

static void
end_loop(void *data, uint32_t start)
{
   struct direct *d = data;

   direct_close(d);
   const uint32_t end = here(d);
   direct_cf(d, CAYMAN_CF_LOOP_END)->target = start + 1;
   aim(d, start, end + 1);
   for (uint32_t n = start; n < end && n < d->p->num_cfs; n++) {
      struct sq_cf *cf = &d->p->cfs[n];
      if ((cf->op == CAYMAN_CF_LOOP_BREAK || cf->op == CAYMAN_CF_LOOP_CONTINUE) &&
          cf->target == UNKNOWN)
         cf->target = end;
   }
}

bool
direct_in_block(const struct direct *d)
{
   for (unsigned n = 0; n < d->walk.depth; n++) {
      const struct il_block *b = &d->walk.block[n];
      const uint32_t place = il_place(d->il, b->pos);
      const struct il_op_info *written =
         il_op_info(d->source->insts[place < d->source->ninsts ? place : 0].op);
      if (b->kind != IL_FLOW_LOOP || !written || written->flow == IL_FLOW_LOOP)
         return true; /* else what returns leave, a loop that the legaliser has made */
   }
   return false;
}

/* --- switch ------------------------------------------------------------------------------------ *
 *
 * Its names are components; a set of lanes has those in which one is not 0. */

static void
begin_switch(void *data, struct il_block *b, const struct il_inst *inst)
{
   struct direct *d = data;
   const uint32_t row = direct_rows(d, 1);
   const struct il_inst *label;
   uint32_t at = b->pos;

   b->selector = REG(row, 0);
   b->matched = REG(row, 1);
   b->continued = REG(row, 2);
   b->none = REG(row, 3);
   direct_move(d, b->selector, direct_src(d, &inst->src[0], 0));
   direct_move(d, b->matched, direct_literal(d, 0));
   direct_move(d, b->continued, direct_literal(d, 0));
   direct_move(d, b->none, direct_literal(d, ~0u));
   while ((label = il_next_label(d->il, &at))) {
      const uint32_t pool = d->pool;
      if (label->op != IL_OP_DEFAULT) {
         struct uop_operand other =
            DOP2(SETNE_INT, direct_at(b->selector), direct_literal(d, il_label_value(label)));
         direct_move(d, b->none, DOP2(AND_INT, direct_at(b->none), other));
      }
      d->pool = pool;
   }
}

static void
label(void *data, const struct il_block *b, const struct il_inst *inst)
{
   struct direct *d = data;
   struct uop_operand fits = direct_at(b->none);

   if (inst->op != IL_OP_DEFAULT)
      fits = DOP2(SETE_INT, direct_at(b->selector), direct_literal(d, il_label_value(inst)));
   direct_move(d, b->matched, DOP2(OR_INT, direct_at(b->matched), fits));
}

static void
add(void *data, uint32_t lanes)
{
   struct direct *d = data;
   direct_move(d, lanes, direct_literal(d, ~0u));
}

static uint32_t
begin_if_in(void *data, uint32_t lanes)
{
   struct direct *d = data;
   return direct_branch(d, UOP_PRED_SETNE_INT, direct_at(lanes), direct_literal(d, 0));
}

static const struct il_masks masks = { .add = add, .begin_if = begin_if_in };

const struct il_flow_to direct_flow = {
   .begin_if = begin_if,
   .begin_else = begin_else,
   .end_if = end_if,
   .begin_loop = begin_loop,
   .end_loop = end_loop,
   .leave = leave,
   .begin_switch = begin_switch,
   .label = label,
   .masks = &masks,
};
