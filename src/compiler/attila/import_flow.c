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

/* Instructions say where blocks begin and end; they need no names. */
static uint32_t
part(struct importer *im, unsigned op)
{
   ac_flow(im->c, op);
   return 0;
}

static uint32_t
begin_if(void *data, const struct il_inst *inst)
{
   branch(data, inst, AC_IF);
   return 0;
}

static uint32_t
begin_else(void *data, uint32_t at)
{
   (void)at;
   return part(data, AC_ELSE);
}

static void
end_if(void *data, uint32_t at)
{
   (void)at;
   part(data, AC_ENDIF);
}

static uint32_t
begin_loop(void *data, enum il_flow kind)
{
   (void)kind;
   return part(data, AC_LOOP);
}

static void
end_loop(void *data, uint32_t at)
{
   (void)at;
   part(data, AC_ENDLOOP);
}

static void
leave(void *data, uint32_t at, bool go_on, const struct il_inst *inst)
{
   (void)at;
   branch(data, inst, go_on ? AC_CONTINUE : AC_BREAK);
}

const struct il_flow_to ai_flow = {
   .begin_if = begin_if,
   .begin_else = begin_else,
   .end_if = end_if,
   .begin_loop = begin_loop,
   .end_loop = end_loop,
   .leave = leave,
};
