/* SPDX-License-Identifier: MIT */
/*
 * Flow control (7.4) as the executor's control-flow instructions: branches PUSH, JUMP, ELSE and
 * POP, loops are left by breaks alone.
 *
 * A switch is a loop that is left at its end: a break leaves it, and lanes that a label lets in
 * stay in for the labels after it.  A continue inside leaves the switch first.
 */
#include "direct/lift.h"

#define UNKNOWN UINT32_MAX

static bool
is_loop(const struct direct_block *b)
{
   return b->kind == IL_FLOW_LOOP || b->kind == IL_FLOW_SWITCH;
}

static struct direct_block *
push(struct direct *d, enum il_flow kind, uint32_t start)
{
   if (d->depth == IL_MAX_DEPTH) {
      direct_refuse(d, "blocks nested deeper than %u", IL_MAX_DEPTH);
      d->depth--;
   }
   struct direct_block *b = &d->block[d->depth++];
   *b = (struct direct_block){ .kind = (uint8_t)kind, .start = start, .none = UNKNOWN };
   return b;
}

/* The open block, which must be of this kind. */
static struct direct_block *
top(struct direct *d, enum il_flow kind)
{
   if (!d->depth || d->block[d->depth - 1].kind != kind) {
      direct_refuse(d, "the end of a block that is not open");
      return &d->no_block;
   }
   return &d->block[d->depth - 1];
}

static uint32_t
here(const struct direct *d)
{
   return d->p->num_cfs;
}

static void
aim(struct direct *d, uint32_t cf, uint32_t target)
{
   if (cf < d->p->num_cfs)
      d->p->cfs[cf].target = target;
}

/* --- branches --------------------------------------------------------------------------------- */

void
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
   push(d, IL_FLOW_IF, here(d));
   direct_cf(d, CAYMAN_CF_JUMP);
}

static void
begin_else(struct direct *d)
{
   struct direct_block *b = top(d, IL_FLOW_IF);
   direct_close(d);
   aim(d, b->start, here(d));
   b->start = here(d);
   direct_cf(d, CAYMAN_CF_ELSE);
}

void
direct_branch_end(struct direct *d)
{
   struct direct_block *b = top(d, IL_FLOW_IF);
   direct_close(d);
   aim(d, b->start, here(d));
   direct_cf(d, CAYMAN_CF_POP)->pop_count = 1;
   d->depth -= d->depth != 0;
}

static void
compare(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand a = direct_src(d, &inst->src[0], 0), b = direct_src(d, &inst->src[1], 0);
   switch (il_relop(inst)) {
   case IL_RELOP_NE:
      direct_branch(d, UOP_PRED_SETNE, a, b);
      break;
   case IL_RELOP_EQ:
      direct_branch(d, UOP_PRED_SETE, a, b);
      break;
   case IL_RELOP_GE:
      direct_branch(d, UOP_PRED_SETGE, a, b);
      break;
   case IL_RELOP_GT:
      direct_branch(d, UOP_PRED_SETGT, a, b);
      break;
   case IL_RELOP_LE:
      direct_branch(d, UOP_PRED_SETGE, b, a);
      break;
   default:
      direct_branch(d, UOP_PRED_SETGT, b, a);
      break;
   }
}

/* Lanes for which the instruction's condition holds go on. */
static void
condition(struct direct *d, const struct il_inst *inst, enum il_test test)
{
   if (test == IL_TEST_RELATION) {
      compare(d, inst);
   } else {
      direct_branch(d, test == IL_TEST_ZERO ? UOP_PRED_SETE_INT : UOP_PRED_SETNE_INT,
                    direct_src(d, &inst->src[0], 0), direct_literal(d, 0));
   }
}

/* --- loops ------------------------------------------------------------------------------------ */
static struct direct_block *
begin_loop(struct direct *d, enum il_flow kind)
{
   const struct il_op_info *written = il_op_info(d->source->insts[d->place].op);

   direct_close(d);
   struct direct_block *b = push(d, kind, here(d));
   b->made = written && written->flow != kind;
   direct_cf(d, CAYMAN_CF_LOOP_START_DX10);
   return b;
}

static void
leave(struct direct *d, bool go_on)
{
   direct_cf(d, go_on ? CAYMAN_CF_LOOP_CONTINUE : CAYMAN_CF_LOOP_BREAK)->target = UNKNOWN;
}

/* The end of a loop's body, without what may have to follow it. */
static struct direct_block
end_loop(struct direct *d, enum il_flow kind)
{
   struct direct_block b = *top(d, kind);

   direct_close(d);
   uint32_t end = here(d);
   direct_cf(d, CAYMAN_CF_LOOP_END)->target = b.start + 1;
   aim(d, b.start, end + 1);
   for (uint32_t n = b.start; n < end && n < d->p->num_cfs; n++) {
      struct sq_cf *cf = &d->p->cfs[n];
      if ((cf->op == CAYMAN_CF_LOOP_BREAK || cf->op == CAYMAN_CF_LOOP_CONTINUE) &&
          cf->target == UNKNOWN)
         cf->target = end;
   }
   d->depth -= d->depth != 0;
   return b;
}

static struct direct_block *
innermost_loop(struct direct *d)
{
   for (unsigned n = d->depth; n > 0; n--)
      if (is_loop(&d->block[n - 1]))
         return &d->block[n - 1];
   return NULL;
}

static void
jump(struct direct *d, bool go_on)
{
   struct direct_block *b = innermost_loop(d);

   if (!b) {
      direct_refuse(d, "a break or continue outside a loop");
      return;
   }
   if (go_on && b->kind == IL_FLOW_SWITCH) {
      b->has_continue = true;
      direct_move(d, b->continued, direct_literal(d, ~0u));
      go_on = false;
   }
   leave(d, go_on);
}

bool
direct_in_block(const struct direct *d)
{
   for (unsigned n = 0; n < d->depth; n++)
      if (!d->block[n].made)
         return true;
   return false;
}

/* --- switch ----------------------------------------------------------------------------------- */

/* The labels of the switch that begins here: lanes that no case takes keep a value other than 0 at
 * `none`.  False: there is no default. */
static bool
lanes_without_case(struct direct *d, struct uop_operand selector, uint32_t none)
{
   unsigned depth = 0;
   bool has_default = false;

   direct_move(d, none, direct_literal(d, ~0u));
   for (uint32_t n = d->pos + 1; n < d->il->ninsts; n++) {
      const struct il_inst *inst = &d->il->insts[n];
      uint32_t pool = d->pool;
      if (inst->op == IL_OP_SWITCH) {
         depth++;
      } else if (inst->op == IL_OP_ENDSWITCH && depth-- == 0) {
         break;
      } else if (inst->op == IL_OP_DEFAULT && !depth) {
         has_default = true;
      } else if (inst->op == IL_OP_CASE && !depth && inst->ndata) {
         struct uop_operand other = DOP2(SETNE_INT, selector, direct_literal(d, inst->data[0]));
         direct_move(d, none, DOP2(AND_INT, direct_at(none), other));
         d->pool = pool;
      }
   }
   return has_default;
}

static void
begin_switch(struct direct *d, const struct il_inst *inst)
{
   uint32_t row = direct_rows(d, 1);
   struct uop_operand selector = direct_row(row, 0), zero = direct_literal(d, 0);

   direct_move(d, selector.at, direct_src(d, &inst->src[0], 0));
   direct_move(d, REG(row, 1), zero);
   direct_move(d, REG(row, 2), zero);
   bool has_default = lanes_without_case(d, selector, REG(row, 3));
   struct direct_block *b = begin_loop(d, IL_FLOW_SWITCH);
   b->selector = selector;
   b->matched = REG(row, 1);
   b->continued = REG(row, 2);
   b->none = has_default ? REG(row, 3) : UNKNOWN;
}

/* The switch that labels here belong to. */
static struct direct_block *
open_switch(struct direct *d)
{
   unsigned n = d->depth;
   if (n && d->block[n - 1].kind == IL_FLOW_SWITCH && !d->block[n - 1].label_open)
      return &d->block[n - 1];
   if (n > 1 && d->block[n - 1].kind == IL_FLOW_IF && d->block[n - 2].kind == IL_FLOW_SWITCH &&
       d->block[n - 2].label_open) {
      direct_branch_end(d);
      d->block[n - 2].label_open = false;
      return &d->block[n - 2];
   }
   direct_refuse(d, "a label or endswitch outside a switch");
   return NULL;
}

static void
label(struct direct *d, const struct il_inst *inst)
{
   struct direct_block *b = open_switch(d);
   if (!b)
      return;
   if (inst->op == IL_OP_DEFAULT && b->none == UNKNOWN)
      return;
   struct uop_operand fits =
      inst->op == IL_OP_DEFAULT
         ? direct_at(b->none)
         : DOP2(SETE_INT, b->selector, direct_literal(d, inst->ndata ? inst->data[0] : 0));
   direct_move(d, b->matched, DOP2(OR_INT, direct_at(b->matched), fits));
   b->label_open = true;
   direct_branch(d, UOP_PRED_SETNE_INT, direct_at(b->matched), direct_literal(d, 0));
}

static void
end_switch(struct direct *d)
{
   if (!open_switch(d))
      return;
   leave(d, false);
   struct direct_block ended = end_loop(d, IL_FLOW_SWITCH);
   if (ended.has_continue) { /* lanes that only passed the end on their way */
      direct_branch(d, UOP_PRED_SETNE_INT, direct_at(ended.continued), direct_literal(d, 0));
      jump(d, true);
      direct_branch_end(d);
   }
}

bool
direct_flow(struct direct *d, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);

   switch (info->flow) {
   case IL_FLOW_IF:
      condition(d, inst, info->test);
      return true;
   case IL_FLOW_ELSE:
      begin_else(d);
      return true;
   case IL_FLOW_ENDIF:
      direct_branch_end(d);
      return true;
   case IL_FLOW_LOOP:
      begin_loop(d, IL_FLOW_LOOP);
      return true;
   case IL_FLOW_ENDLOOP:
      end_loop(d, IL_FLOW_LOOP);
      return true;
   case IL_FLOW_BREAK:
   case IL_FLOW_CONTINUE:
      if (info->test != IL_TEST_NONE)
         condition(d, inst, info->test);
      jump(d, info->flow == IL_FLOW_CONTINUE);
      if (info->test != IL_TEST_NONE)
         direct_branch_end(d);
      return true;
   case IL_FLOW_SWITCH:
      begin_switch(d, inst);
      return true;
   case IL_FLOW_LABEL:
      label(d, inst);
      return true;
   case IL_FLOW_ENDSWITCH:
      end_switch(d);
      return true;
   default:
      return false;
   }
}
