/* SPDX-License-Identifier: MIT */
/*
 * Import of control flow.  A condition is p1, set right in front of the instruction that goes by
 * it.
 */
#include "import.h"

/* p1 where a relation of two floats holds; false: it is the opposite. */
static bool
relation(struct importer *im, const struct il_inst *inst)
{
   static const struct {
      uint8_t op;
      bool invert, equal; /* equal: holds for what is equal, too */
   } ops[] = {
      [IL_RELOP_NE] = { ATTILA_SETPEQ, true, false },
      [IL_RELOP_EQ] = { ATTILA_SETPEQ, false, false },
      [IL_RELOP_GE] = { ATTILA_SETPGT, false, true },
      [IL_RELOP_GT] = { ATTILA_SETPGT, false, false },
      [IL_RELOP_LE] = { ATTILA_SETPLT, false, true },
      [IL_RELOP_LT] = { ATTILA_SETPLT, false, false },
   };
   const unsigned r = il_relop(inst);

   if (r >= sizeof(ops) / sizeof(ops[0]))
      ai_refuse(im, "a relation of this number");
   struct ac_src a = ai_comp(im, &inst->src[0], 0), b = ai_comp(im, &inst->src[1], 0);
   ac_set_pred(im->c, ops[r].op, 1, a, b);
   if (ops[r].equal) { /* neither greater nor equal is what does not hold */
      ac_set_pred(im->c, ATTILA_SETPEQ, 0, a, b);
      struct ac_src p0 = ac_register(0, 0), p1 = ac_register(0, 1);
      ac_set_pred(im->c, ATTILA_ANDP, 1, ac_neg(p1), ac_neg(p0));
      return false;
   }
   return !ops[r].invert;
}

/* Whether p1 holds where the flow is to be taken. */
static bool
condition(struct importer *im, const struct il_inst *inst)
{
   const enum il_test test = il_op_info(inst->op)->test;

   if (test == IL_TEST_RELATION)
      return relation(im, inst);
   ac_set_pred(im->c, ATTILA_SETPGT, 1, ai_truth(im, &inst->src[0], 0), ac_float(0));
   return test == IL_TEST_NONZERO;
}

static void
branch(struct importer *im, const struct il_inst *inst, unsigned op)
{
   const bool always = il_op_info(inst->op)->test == IL_TEST_NONE;
   const bool holds = always || condition(im, inst);
   struct ac_inst *i = ac_flow(im->c, op);

   i->predicated = !always;
   i->invert = !holds;
   i->pred = always ? 0 : 1;
}

static void
open_block(struct importer *im, bool loop)
{
   if (im->depth == AC_MAX_DEPTH)
      ai_refuse(im, "flow is nested too deeply");
   im->loop[im->depth++] = loop;
   im->loops += loop;
}

static void
close_block(struct importer *im, bool loop)
{
   if (!im->depth || im->loop[im->depth - 1] != loop)
      ai_refuse(im, "blocks that are not inside each other");
   im->depth--;
   im->loops -= loop;
}

bool
ai_flow(struct importer *im, const struct il_inst *inst)
{
   switch (il_op_info(inst->op)->flow) {
   case IL_FLOW_IF:
      branch(im, inst, AC_IF);
      open_block(im, false);
      return true;
   case IL_FLOW_ELSE:
      close_block(im, false);
      ac_flow(im->c, AC_ELSE);
      open_block(im, false);
      return true;
   case IL_FLOW_ENDIF:
      close_block(im, false);
      ac_flow(im->c, AC_ENDIF);
      return true;
   case IL_FLOW_LOOP:
      ac_flow(im->c, AC_LOOP);
      open_block(im, true);
      return true;
   case IL_FLOW_ENDLOOP:
      close_block(im, true);
      ac_flow(im->c, AC_ENDLOOP);
      return true;
   case IL_FLOW_BREAK:
   case IL_FLOW_CONTINUE:
      if (!im->loops)
         ai_refuse(im, "a break outside a loop");
      branch(im, inst, il_op_info(inst->op)->flow == IL_FLOW_BREAK ? AC_BREAK : AC_CONTINUE);
      return true;
   case IL_FLOW_RETURN:
      if (im->depth)
         ai_refuse(im, "a return inside a branch or loop");
      im->ended = true;
      return true;
   case IL_FLOW_END:
      im->ended = true;
      return true;
   default:
      return false;
   }
}
