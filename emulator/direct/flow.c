/* SPDX-License-Identifier: MIT */
/*
 * Flow control (7.4) as the executor's control-flow instructions: branches PUSH, JUMP, ELSE and
 * POP, loops are left by breaks alone.
 *
 * A switch is a loop that is left at its end: a break leaves it, and lanes that a label lets in
 * stay in for the labels behind it.  A continue inside leaves the switch first.  Loops and switches
 * let lanes that have returned (call.c) out at their ends.
 */
#include "direct/lift.h"

#define UNKNOWN UINT32_MAX

static bool
is_loop(const struct block *b)
{
   return b->op == IL_OP_WHILE || b->op == IL_OP_SWITCH || b->op == IL_OP_FUNC;
}

static struct block *
push(struct direct *d, unsigned op, uint32_t start)
{
   if (d->depth == MAX_DEPTH) {
      direct_refuse(d, "blocks nested deeper than 256");
      d->depth--;
   }
   struct block *b = &d->block[d->depth++];
   *b = (struct block){ .op = (uint16_t)op, .start = start, .none = UNKNOWN };
   return b;
}

/* The open block, which must be of this kind. */
static struct block *
top(struct direct *d, unsigned op)
{
   if (!d->depth || d->block[d->depth - 1].op != op) {
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
   if (cf < d->p->num_cfs) {
      d->p->cfs[cf].target = target;
   }
}

/* --- branches --------------------------------------------------------------------------------- */

void
direct_branch(struct direct *d, unsigned pred, struct uop_operand a, struct uop_operand b)
{
   uint32_t trash = direct_temp(d);

   direct_close(d);
   struct uop *u = uop_emit(&d->b, pred, trash, a, b, b);
   u->p.predicate.update_exec = true;
   u->p.predicate.exec_op = CAYMAN_EXECUTE_MASK_DEACTIVATE;
   direct_close(d);
   if (d->p->num_cfs) {
      d->p->cfs[d->p->num_cfs - 1].op = CAYMAN_CF_ALU_PUSH_BEFORE;
   }
   push(d, IL_OP_IF_LOGICALNZ, here(d));
   direct_cf(d, CAYMAN_CF_JUMP);
}

static void
begin_else(struct direct *d)
{
   struct block *b = top(d, IL_OP_IF_LOGICALNZ);
   direct_close(d);
   aim(d, b->start, here(d));
   b->start = here(d);
   direct_cf(d, CAYMAN_CF_ELSE);
}

void
direct_branch_end(struct direct *d)
{
   struct block *b = top(d, IL_OP_IF_LOGICALNZ);
   direct_close(d);
   aim(d, b->start, here(d));
   direct_cf(d, CAYMAN_CF_POP)->pop_count = 1;
   d->depth -= d->depth != 0;
}

void
direct_condition(struct direct *d, const struct il_inst *inst, bool zero)
{
   struct uop_operand a = direct_src(d, &inst->src[0], 0);
   direct_branch(d, zero ? UOP_PRED_SETE_INT : UOP_PRED_SETNE_INT, a, direct_literal(d, 0));
}

static void
compare(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand a = direct_src(d, &inst->src[0], 0), b = direct_src(d, &inst->src[1], 0);
   switch (inst->ctl & 7) {
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

/* --- loops ------------------------------------------------------------------------------------ */
struct block *
direct_loop(struct direct *d, unsigned op)
{
   direct_close(d);
   struct block *b = push(d, op, here(d));
   direct_cf(d, CAYMAN_CF_LOOP_START_DX10);
   return b;
}

void
direct_leave(struct direct *d, bool go_on)
{
   direct_cf(d, go_on ? CAYMAN_CF_LOOP_CONTINUE : CAYMAN_CF_LOOP_BREAK)->target = UNKNOWN;
}

/* The end of a loop's body, without what may have to follow it. */
struct block
direct_loop_end(struct direct *d, unsigned op)
{
   struct block b = *top(d, op);

   direct_close(d);
   uint32_t end = here(d);
   direct_cf(d, CAYMAN_CF_LOOP_END)->target = b.start + 1;
   aim(d, b.start, end + 1);
   for (uint32_t n = b.start; n < end && n < d->p->num_cfs; n++) {
      struct sq_cf *cf = &d->p->cfs[n];
      if ((cf->op == CAYMAN_CF_LOOP_BREAK || cf->op == CAYMAN_CF_LOOP_CONTINUE) &&
          cf->target == UNKNOWN) {
         cf->target = end;
      }
   }
   d->depth -= d->depth != 0;
   return b;
}

struct block *
direct_innermost_loop(struct direct *d)
{
   for (unsigned n = d->depth; n > 0; n--) {
      if (is_loop(&d->block[n - 1])) {
         return &d->block[n - 1];
      }
   }
   return NULL;
}

static void
jump(struct direct *d, bool go_on)
{
   struct block *b = direct_innermost_loop(d);

   if (!b || b->op == IL_OP_FUNC) {
      direct_refuse(d, "a break or continue outside a loop");
      return;
   }
   if (go_on && b->op == IL_OP_SWITCH) {
      b->has_continue = true;
      direct_move(d, b->continued, direct_literal(d, ~0u));
      go_on = false;
   }
   direct_leave(d, go_on);
}

/* Behind a loop or switch: lanes that only passed its end on their way. */
static void
pass_on(struct direct *d, const struct block *ended)
{
   if (ended->leaves) {
      direct_branch(d, UOP_PRED_SETNE_INT, direct_at(d->returned), direct_literal(d, 0));
      direct_return(d);
      direct_branch_end(d);
   }
   if (ended->has_continue) {
      direct_branch(d, UOP_PRED_SETNE_INT, direct_at(ended->continued), direct_literal(d, 0));
      jump(d, true);
      direct_branch_end(d);
   }
}

/* The low bytes of three numbers are the count, what aL begins with, and its step (7-28).  With
 * _repeat aL stays what it is; the loop around has its own back behind the end. */
static void
counted_loop(struct direct *d, const struct il_inst *inst)
{
   uint32_t row = direct_rows(d, 1), counter = REG(row, 0);
   struct uop_operand byte = direct_literal(d, 255), number[3];
   bool repeat = inst->ctl & 1;

   for (unsigned n = 0; n < 3; n++) {
      number[n] = DOP2(AND_INT, direct_bits(d, &inst->src[0], n), byte);
   }
   direct_move(d, counter, number[0]);
   if (!repeat) {
      direct_move(d, REG(row, 1), number[2]);
      direct_move(d, REG(row, 2), direct_at(d->loop_index));
      /* It begins a step lower, since each turn begins with a step. */
      direct_move(d, d->loop_index, DOP2(SUB_INT, number[1], direct_row(row, 1)));
   }
   struct block *b = direct_loop(d, IL_OP_WHILE);
   b->outer_index = repeat ? 0 : REG(row, 2);
   direct_branch(d, UOP_PRED_SETE_INT, direct_at(counter), direct_literal(d, 0));
   jump(d, false);
   direct_branch_end(d);
   direct_move(d, counter, DOP2(SUB_INT, direct_at(counter), direct_literal(d, 1)));
   if (!repeat) {
      direct_move(d, d->loop_index, DOP2(ADD_INT, direct_at(d->loop_index), direct_row(row, 1)));
   }
}

void
direct_repeat(struct direct *d, uint32_t counter, uint32_t count)
{
   direct_move(d, counter, direct_literal(d, 0));
   direct_loop(d, IL_OP_WHILE);
   direct_branch(d, UOP_PRED_SETE_INT, direct_at(counter), direct_literal(d, count));
   jump(d, false);
   direct_branch_end(d);
}

void
direct_repeat_end(struct direct *d, uint32_t counter)
{
   direct_move(d, counter, DOP2(ADD_INT, direct_at(counter), direct_literal(d, 1)));
   direct_loop_end(d, IL_OP_WHILE);
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
   struct block *b = direct_loop(d, IL_OP_SWITCH);
   b->selector = selector;
   b->matched = REG(row, 1);
   b->continued = REG(row, 2);
   b->none = has_default ? REG(row, 3) : UNKNOWN;
}

/* The switch whose labels may stand here. */
static struct block *
open_switch(struct direct *d)
{
   unsigned n = d->depth;
   if (n && d->block[n - 1].op == IL_OP_SWITCH && !d->block[n - 1].label_open) {
      return &d->block[n - 1];
   }
   if (n > 1 && d->block[n - 1].op == IL_OP_IF_LOGICALNZ && d->block[n - 2].op == IL_OP_SWITCH &&
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
   struct block *b = open_switch(d);
   if (!b) {
      return;
   }
   if (inst->op == IL_OP_DEFAULT && b->none == UNKNOWN) {
      return;
   }
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
   if (!open_switch(d)) {
      return;
   }
   direct_leave(d, false);
   struct block ended = direct_loop_end(d, IL_OP_SWITCH);
   pass_on(d, &ended);
}

bool
direct_flow(struct direct *d, const struct il_inst *inst)
{
   unsigned op = inst->op;

   switch (op) {
   case IL_OP_IF_LOGICALZ:
   case IL_OP_IF_LOGICALNZ:
      direct_condition(d, inst, op == IL_OP_IF_LOGICALZ);
      return true;
   case IL_OP_IFNZ:
      direct_condition(d, inst, false);
      return true;
   case IL_OP_IFC:
      compare(d, inst);
      return true;
   case IL_OP_ELSE:
      begin_else(d);
      return true;
   case IL_OP_ENDIF:
      direct_branch_end(d);
      return true;
   case IL_OP_WHILE:
      direct_loop(d, IL_OP_WHILE);
      return true;
   case IL_OP_LOOP:
      counted_loop(d, inst);
      return true;
   case IL_OP_ENDLOOP: {
      struct block ended = direct_loop_end(d, IL_OP_WHILE);
      if (ended.outer_index) {
         direct_move(d, d->loop_index, direct_at(ended.outer_index));
      }
      pass_on(d, &ended);
      return true;
   }
   case IL_OP_BREAK:
   case IL_OP_CONTINUE:
      jump(d, op == IL_OP_CONTINUE);
      return true;
   case IL_OP_BREAKC:
   case IL_OP_CONTINUEC:
      compare(d, inst);
      jump(d, op == IL_OP_CONTINUEC);
      direct_branch_end(d);
      return true;
   case IL_OP_BREAK_LOGICALZ:
   case IL_OP_BREAK_LOGICALNZ:
      direct_condition(d, inst, op == IL_OP_BREAK_LOGICALZ);
      jump(d, false);
      direct_branch_end(d);
      return true;
   case IL_OP_CONTINUE_LOGICALZ:
   case IL_OP_CONTINUE_LOGICALNZ:
      direct_condition(d, inst, op == IL_OP_CONTINUE_LOGICALZ);
      jump(d, true);
      direct_branch_end(d);
      return true;
   case IL_OP_SWITCH:
      begin_switch(d, inst);
      return true;
   case IL_OP_CASE:
   case IL_OP_DEFAULT:
      label(d, inst);
      return true;
   case IL_OP_ENDSWITCH:
      end_switch(d);
      return true;
   default:
      return false;
   }
}
