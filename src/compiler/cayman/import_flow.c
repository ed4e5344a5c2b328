/* SPDX-License-Identifier: MIT */
/*
 * Import of structured control flow: each part ends the block that is being built.  Branches are
 * execution masks; a branch or loop is named by the block that ends in its last part.
 */
#include "import.h"

/* Ends the block that is being built, and names it. */
static uint32_t
end_block(struct importer *im, enum block_end end)
{
   const uint32_t block = im->c->num_blocks - 1;

   cc_end_block(im->c, end);
   return block;
}

/* --- branches --------------------------------------------------------------------------------- */

static unsigned
pred_of_relop(unsigned relop, bool *swap)
{
   *swap = relop == IL_RELOP_LE || relop == IL_RELOP_LT;
   switch (relop) {
   case IL_RELOP_NE:
      return CAYMAN_ALU_PRED_SETNE;
   case IL_RELOP_EQ:
      return CAYMAN_ALU_PRED_SETE;
   case IL_RELOP_GE:
   case IL_RELOP_LE:
      return CAYMAN_ALU_PRED_SETGE;
   default:
      return CAYMAN_ALU_PRED_SETGT;
   }
}

uint32_t
im_begin_if(struct importer *im, unsigned pred_op, struct cc_operand a, struct cc_operand b)
{
   struct compiler *c = im->c;

   if (!cc_float_source(pred_op)) {
      a = im_plain(im, a);
      b = im_plain(im, b);
   }
   struct inst *pred = cc_inst(c, INST_ALU);
   pred->shape = SHAPE_SCALAR;
   pred->num_lanes = 1;
   pred->side_effect = true;
   pred->lane[0].op = pred_op;
   pred->lane[0].update_exec = pred->lane[0].update_pred = true;
   pred->lane[0].src[0] = a;
   pred->lane[0].src[1] = b;
   cc_block(c)->pred = pred;
   return end_block(im, END_IF);
}

uint32_t
im_else(struct importer *im, uint32_t branch)
{
   im->c->blocks[branch].match = im->c->num_blocks - 1;
   return end_block(im, END_ELSE);
}

void
im_end_if(struct importer *im, uint32_t branch)
{
   im->c->blocks[branch].match = im->c->num_blocks - 1;
   end_block(im, END_ENDIF);
}

static uint32_t
begin_if(void *data, const struct il_inst *inst)
{
   struct importer *im = data;
   const enum il_test test = il_op_info(inst->op)->test;
   struct cc_operand a = im_src(im, &inst->src[0], 0);
   bool swap;

   if (test != IL_TEST_RELATION)
      return im_begin_if(
         im, test == IL_TEST_ZERO ? CAYMAN_ALU_PRED_SETE_INT : CAYMAN_ALU_PRED_SETNE_INT, a,
         op_const(0));
   const unsigned op = pred_of_relop(il_relop(inst), &swap);
   struct cc_operand b = im_src(im, &inst->src[1], 0);
   return im_begin_if(im, op, swap ? b : a, swap ? a : b);
}

static uint32_t
begin_else(void *data, uint32_t branch)
{
   return im_else(data, branch);
}

static void
end_if(void *data, uint32_t branch)
{
   im_end_if(data, branch);
}

/* --- loops ------------------------------------------------------------------------------------ */

static uint32_t
begin_loop(void *data, enum il_flow kind)
{
   struct importer *im = data;

   im->c->out->num_loops += kind == IL_FLOW_LOOP;
   return end_block(im, END_LOOP);
}

static void
end_loop(void *data, uint32_t start)
{
   struct importer *im = data;

   im->c->blocks[start].match = im->c->num_blocks - 1;
   cc_block(im->c)->match = start;
   end_block(im, END_ENDLOOP);
}

static void
leave(void *data, uint32_t start, bool go_on, const struct il_inst *inst)
{
   struct importer *im = data;

   (void)inst; /* masks leave without a condition */
   cc_block(im->c)->match = start;
   end_block(im, go_on ? END_CONTINUE : END_BREAK);
}

/* --- switch ------------------------------------------------------------------------------------ *
 *
 * Its names are values; a set of lanes has those in which a variable is not 0. */

/* No case of this switch fits; 0 if it has no default. */
static value_id
no_case(struct importer *im, uint32_t at, struct cc_operand selector)
{
   const struct il_inst *label;
   value_id none = 0;
   bool has_default = false;

   while ((label = il_next_label(im->il, &at))) {
      if (label->op == IL_OP_DEFAULT) {
         has_default = true;
      } else {
         value_id other =
            im_emit2(im, CAYMAN_ALU_SETNE_INT, selector, op_const(il_label_value(label)));
         none = none ? im_emit2(im, CAYMAN_ALU_AND_INT, op_value(none), op_value(other)) : other;
      }
   }
   if (has_default && !none)
      none = cc_mov(im->c, 0, op_const(0xffffffff));
   return has_default ? none : 0;
}

static void
begin_switch(void *data, struct il_block *b, const struct il_inst *inst)
{
   struct importer *im = data;
   struct compiler *c = im->c;

   b->selector = cc_mov(c, 0, im_plain(im, im_src(im, &inst->src[0], 0)));
   b->none = no_case(im, b->pos, op_value(b->selector));
   b->matched = cc_variable(c);
   b->continued = cc_variable(c);
   cc_mov(c, b->matched, op_const(0));
   cc_mov(c, b->continued, op_const(0));
}

static void
label(void *data, const struct il_block *b, const struct il_inst *inst)
{
   struct importer *im = data;
   value_id fits = b->none;

   if (inst->op != IL_OP_DEFAULT)
      fits =
         im_emit2(im, CAYMAN_ALU_SETE_INT, op_value(b->selector), op_const(il_label_value(inst)));
   cc_emit(im->c, CAYMAN_ALU_OR_INT, b->matched, op_value(b->matched), op_value(fits), op_none());
}

static void
add(void *data, uint32_t lanes)
{
   struct importer *im = data;
   cc_mov(im->c, lanes, op_const(0xffffffff));
}

static uint32_t
begin_if_in(void *data, uint32_t lanes)
{
   return im_begin_if(data, CAYMAN_ALU_PRED_SETNE_INT, op_value(lanes), op_const(0));
}

static const struct il_masks masks = { .add = add, .begin_if = begin_if_in };

const struct il_flow_to im_flow = {
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
