/* SPDX-License-Identifier: MIT */
/*
 * Import of structured control flow: each piece ends the block that is being built.
 */
#include "import.h"

static void
push(struct importer *im, bool loop)
{
   if (im->depth == sizeof(im->stack) / sizeof(im->stack[0])) {
      im_unsupported(im, "nesting deeper than 256");
   }
   im->stack[im->depth].loop = loop;
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
im_begin_if(struct importer *im, unsigned pred_op, struct operand a, struct operand b)
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
begin_if_inst(struct importer *im, const struct il_inst *inst, bool logical, bool zero)
{
   if (logical) {
      im_begin_if(im, zero ? CAYMAN_ALU_PRED_SETE_INT : CAYMAN_ALU_PRED_SETNE_INT,
                  im_src(im, &inst->src[0], 0), op_const(0));
   } else {
      bool swap;
      unsigned op = pred_of_relop(inst->ctl & 7, &swap);
      struct operand a = im_src(im, &inst->src[0], 0), b = im_src(im, &inst->src[1], 0);
      im_begin_if(im, op, swap ? b : a, swap ? a : b);
   }
}

static void
do_else(struct importer *im)
{
   struct compiler *c = im->c;
   struct loop_or_if *top = im->depth ? &im->stack[im->depth - 1] : NULL;

   if (!top || top->loop || c->blocks[top->block].end != END_IF) {
      im_unsupported(im, "else without if");
   }
   c->blocks[top->block].match = c->num_blocks - 1;
   top->block = c->num_blocks - 1;
   cc_end_block(c, END_ELSE);
}

void
im_end_if(struct importer *im)
{
   struct compiler *c = im->c;

   if (!im->depth || im->stack[im->depth - 1].loop) {
      im_unsupported(im, "endif without if");
   }
   im->depth--;
   c->blocks[im->stack[im->depth].block].match = c->num_blocks - 1;
   cc_end_block(c, END_ENDIF);
}

static void
do_endloop(struct importer *im)
{
   struct compiler *c = im->c;

   if (!im->depth || !im->stack[im->depth - 1].loop) {
      im_unsupported(im, "endloop without whileloop");
   }
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

   while (d > 0 && !im->stack[d - 1].loop) {
      d--;
   }
   if (d == 0) {
      im_unsupported(im, "break or continue outside a loop");
   }
   cc_block(im->c)->match = im->stack[d - 1].block;
   cc_end_block(im->c, end);
}

bool
im_flow(struct importer *im, const struct il_inst *inst)
{
   switch (inst->op) {
   case IL_OP_IF_LOGICALZ:
      begin_if_inst(im, inst, true, true);
      return true;
   case IL_OP_IF_LOGICALNZ:
      begin_if_inst(im, inst, true, false);
      return true;
   case IL_OP_IFC:
      begin_if_inst(im, inst, false, false);
      return true;
   case IL_OP_ELSE:
      do_else(im);
      return true;
   case IL_OP_ENDIF:
      im_end_if(im);
      return true;
   case IL_OP_WHILE:
      push(im, true);
      cc_end_block(im->c, END_LOOP);
      im->c->out->num_loops++;
      return true;
   case IL_OP_ENDLOOP:
      do_endloop(im);
      return true;
   case IL_OP_BREAK:
      do_jump(im, END_BREAK);
      return true;
   case IL_OP_CONTINUE:
      do_jump(im, END_CONTINUE);
      return true;
   case IL_OP_BREAK_LOGICALZ:
   case IL_OP_BREAK_LOGICALNZ:
      begin_if_inst(im, inst, true, inst->op == IL_OP_BREAK_LOGICALZ);
      do_jump(im, END_BREAK);
      im_end_if(im);
      return true;
   case IL_OP_CONTINUE_LOGICALZ:
   case IL_OP_CONTINUE_LOGICALNZ:
      begin_if_inst(im, inst, true, inst->op == IL_OP_CONTINUE_LOGICALZ);
      do_jump(im, END_CONTINUE);
      im_end_if(im);
      return true;
   case IL_OP_BREAKC:
   case IL_OP_CONTINUEC:
      begin_if_inst(im, inst, false, false);
      do_jump(im, inst->op == IL_OP_BREAKC ? END_BREAK : END_CONTINUE);
      im_end_if(im);
      return true;
   case IL_OP_RET_DYN:
   case IL_OP_RET:
      if (im->depth) {
         im_unsupported(im, "return inside a branch or loop");
      }
      im->ended = true;
      return true;
   case IL_OP_ENDMAIN:
   case IL_OP_END:
      im->ended = true;
      return true;
   default:
      return false;
   }
}
