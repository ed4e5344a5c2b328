/* SPDX-License-Identifier: MIT */
/*
 * Import of structured control flow: each part ends the block that is being built.
 */
#include "import.h"

static void
push(struct importer *im, bool loop)
{
   if (im->depth == IL_MAX_DEPTH)
      im_unsupported(im, "deeper nesting");
   im->stack = cc_grow(im->c, im->stack, im->depth, &im->cap_stack, sizeof(*im->stack));
   im->stack[im->depth] = (struct loop_or_if){ .loop = loop };
   im->stack[im->depth].block = im->c->num_blocks - 1;
   im->depth++;
}

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

void
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
   push(im, false);
   cc_end_block(c, END_IF);
}

static void
begin_if_inst(struct importer *im, const struct il_inst *inst, enum il_test test)
{
   if (test != IL_TEST_RELATION) {
      im_begin_if(im, test == IL_TEST_ZERO ? CAYMAN_ALU_PRED_SETE_INT : CAYMAN_ALU_PRED_SETNE_INT,
                  im_src(im, &inst->src[0], 0), op_const(0));
   } else {
      bool swap;
      unsigned op = pred_of_relop(il_relop(inst), &swap);
      struct cc_operand a = im_src(im, &inst->src[0], 0), b = im_src(im, &inst->src[1], 0);
      im_begin_if(im, op, swap ? b : a, swap ? a : b);
   }
}

void
im_else(struct importer *im)
{
   struct compiler *c = im->c;
   struct loop_or_if *top = im->depth ? &im->stack[im->depth - 1] : NULL;

   if (!top || top->loop || c->blocks[top->block].end != END_IF)
      im_unsupported(im, "else without if");
   c->blocks[top->block].match = c->num_blocks - 1;
   top->block = c->num_blocks - 1;
   cc_end_block(c, END_ELSE);
}

void
im_end_if(struct importer *im)
{
   struct compiler *c = im->c;

   if (!im->depth || im->stack[im->depth - 1].loop)
      im_unsupported(im, "endif without if");
   im->depth--;
   c->blocks[im->stack[im->depth].block].match = c->num_blocks - 1;
   cc_end_block(c, END_ENDIF);
}

static void
do_endloop(struct importer *im)
{
   struct compiler *c = im->c;

   if (!im->depth || !im->stack[im->depth - 1].loop || im->stack[im->depth - 1].is_switch)
      im_unsupported(im, "endloop without whileloop");
   im->depth--;
   uint32_t start = im->stack[im->depth].block;
   c->blocks[start].match = c->num_blocks - 1;
   cc_block(c)->match = start;
   cc_end_block(c, END_ENDLOOP);
}

static void
do_jump(struct importer *im, enum block_end end)
{
   unsigned d = im->depth;

   while (d > 0 && !im->stack[d - 1].loop)
      d--;
   if (d == 0)
      im_unsupported(im, "break or continue outside a loop");
   if (im->stack[d - 1].is_switch && end == END_CONTINUE) {
      /* Leave the switch first; after it, go on with the loop. */
      im->stack[d - 1].has_continue = true;
      cc_mov(im->c, im->stack[d - 1].continued, op_const(0xffffffff));
      end = END_BREAK;
   }
   cc_block(im->c)->match = im->stack[d - 1].block;
   cc_end_block(im->c, end);
}

/* --- switch ---
 *
 * A loop that is left at its end, so that a break leaves it; after each label a branch for the
 * lanes that have met a label that fits: those go on into the next one. */

/* No case of this switch fits; 0 if it has no default. */
static value_id
no_case(struct importer *im, struct cc_operand selector)
{
   value_id none = 0;
   unsigned depth = 0;
   bool has_default = false;

   for (uint32_t n = im->pos + 1; n < im->il->ninsts; n++) {
      const struct il_inst *inst = &im->il->insts[n];
      if (inst->op == IL_OP_SWITCH) {
         depth++;
      } else if (inst->op == IL_OP_ENDSWITCH && depth-- == 0) {
         break;
      } else if (inst->op == IL_OP_DEFAULT && !depth) {
         has_default = true;
      } else if (inst->op == IL_OP_CASE && !depth && inst->ndata) {
         value_id other = im_emit2(im, CAYMAN_ALU_SETNE_INT, selector, op_const(inst->data[0]));
         none = none ? im_emit2(im, CAYMAN_ALU_AND_INT, op_value(none), op_value(other)) : other;
      }
   }
   if (has_default && !none)
      none = cc_mov(im->c, 0, op_const(0xffffffff));
   return has_default ? none : 0;
}

static void
begin_switch(struct importer *im, const struct il_inst *inst)
{
   struct compiler *c = im->c;
   struct cc_operand selector = op_value(cc_mov(c, 0, im_plain(im, im_src(im, &inst->src[0], 0))));
   value_id none = no_case(im, selector);
   value_id matched = cc_variable(c), continued = cc_variable(c);

   cc_mov(c, matched, op_const(0));
   cc_mov(c, continued, op_const(0));
   push(im, true);
   struct loop_or_if *top = &im->stack[im->depth - 1];
   top->is_switch = true;
   top->selector = selector;
   top->matched = matched;
   top->none = none;
   top->continued = continued;
   cc_end_block(c, END_LOOP);
}

/* The innermost block, if it is a switch or stands right after one of its labels. */
static struct loop_or_if *
innermost_switch(struct importer *im)
{
   unsigned d = im->depth;

   if (d && im->stack[d - 1].is_switch && !im->stack[d - 1].label_open)
      return &im->stack[d - 1];
   if (d > 1 && !im->stack[d - 1].loop && im->stack[d - 2].is_switch && im->stack[d - 2].label_open)
      return &im->stack[d - 2];
   im_unsupported(im, "a label or endswitch outside a switch");
}

static void
close_label(struct importer *im, struct loop_or_if *s)
{
   if (s->label_open) {
      im_end_if(im);
      s->label_open = false;
   }
}

static void
do_label(struct importer *im, const struct il_inst *inst)
{
   struct loop_or_if *s = innermost_switch(im);
   struct cc_operand fits;

   close_label(im, s);
   if (inst->op == IL_OP_DEFAULT) {
      fits = op_value(s->none);
   } else {
      fits = op_value(
         im_emit2(im, CAYMAN_ALU_SETE_INT, s->selector, op_const(inst->ndata ? inst->data[0] : 0)));
   }
   cc_emit(im->c, CAYMAN_ALU_OR_INT, s->matched, op_value(s->matched), fits, op_none());
   s->label_open = true;
   im_begin_if(im, CAYMAN_ALU_PRED_SETNE_INT, op_value(s->matched), op_const(0));
}

static void
do_endswitch(struct importer *im)
{
   struct loop_or_if *s = innermost_switch(im);

   close_label(im, s);
   do_jump(im, END_BREAK);
   s->is_switch = false;
   struct loop_or_if ended = *s;
   do_endloop(im);
   if (ended.has_continue) {
      im_begin_if(im, CAYMAN_ALU_PRED_SETNE_INT, op_value(ended.continued), op_const(0));
      do_jump(im, END_CONTINUE);
      im_end_if(im);
   }
}

bool
im_flow(struct importer *im, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);

   switch (info->flow) {
   case IL_FLOW_IF:
      begin_if_inst(im, inst, info->test);
      return true;
   case IL_FLOW_ELSE:
      im_else(im);
      return true;
   case IL_FLOW_ENDIF:
      im_end_if(im);
      return true;
   case IL_FLOW_LOOP:
      push(im, true);
      cc_end_block(im->c, END_LOOP);
      im->c->out->num_loops++;
      return true;
   case IL_FLOW_ENDLOOP:
      do_endloop(im);
      return true;
   case IL_FLOW_SWITCH:
      begin_switch(im, inst);
      return true;
   case IL_FLOW_LABEL:
      do_label(im, inst);
      return true;
   case IL_FLOW_ENDSWITCH:
      do_endswitch(im);
      return true;
   case IL_FLOW_BREAK:
   case IL_FLOW_CONTINUE:
      if (info->test != IL_TEST_NONE)
         begin_if_inst(im, inst, info->test);
      do_jump(im, info->flow == IL_FLOW_BREAK ? END_BREAK : END_CONTINUE);
      if (info->test != IL_TEST_NONE)
         im_end_if(im);
      return true;
   case IL_FLOW_RETURN:
      if (info->test != IL_TEST_NONE)
         return false;
      if (im->depth)
         im_unsupported(im, "return inside a branch or loop");
      im->ended = true;
      return true;
   case IL_FLOW_END:
      im->ended = true;
      return true;
   default:
      return false;
   }
}
