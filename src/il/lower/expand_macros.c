/* SPDX-License-Identifier: MIT */
/*
 * Macros (7.19) are expanded where they are called, with registers and literals of their own:
 * arguments are copied into temps before, results out of temps after.
 */
#include "pass.h"

/* The registers and literals of an expansion: the first of its own. */
struct renaming {
   uint32_t temps, literals, ins, outs;
};

static void expand(struct il_lower *l, uint32_t from, uint32_t end, const struct renaming *names,
                   unsigned depth);

static void
rename_ref(struct il_lower *l, struct il_ref *r, void *data)
{
   const struct renaming *names = data;

   (void)l;
   if (!names)
      return;
   switch (r->type) {
   case IL_REGTYPE_TEMP:
      r->num += names->temps;
      break;
   case IL_REGTYPE_LITERAL:
      r->num += names->literals;
      break;
   case IL_REGTYPE_INPUT_ARG:
      r->type = IL_REGTYPE_TEMP;
      r->num += names->ins;
      break;
   case IL_REGTYPE_OUTPUT_ARG:
      r->type = IL_REGTYPE_TEMP;
      r->num += names->outs;
      break;
   default:
      break;
   }
}

static void
note_ref(const struct il_ref *r, void *data)
{
   struct renaming *most = data;
   uint32_t *max = r->type == IL_REGTYPE_TEMP         ? &most->temps
                   : r->type == IL_REGTYPE_LITERAL    ? &most->literals
                   : r->type == IL_REGTYPE_INPUT_ARG  ? &most->ins
                   : r->type == IL_REGTYPE_OUTPUT_ARG ? &most->outs
                                                      : NULL;
   if (max && r->num >= *max)
      *max = r->num + 1;
}

/* First instruction of a macro's body; the program's first if there is no such macro. */
static uint32_t
find_body(const struct il_lower *l, unsigned macro)
{
   for (uint32_t n = 0; n < l->first_main; n++)
      if (l->insts[n].op == IL_OP_MACRODEF && il_number(&l->insts[n]) == macro)
         return n + 1;
   return l->first_main;
}

static void
expand_call(struct il_lower *l, const struct il_inst *call, const struct renaming *caller,
            unsigned depth)
{
   struct renaming names, count = { 0 };
   uint32_t from = find_body(l, il_number(call)), end = from;

   if (from == l->first_main)
      lower_fail(l, "a call of macro %u, which is not defined", il_number(call));
   if (depth == LOWER_MAX_CALLS)
      lower_fail(l, "macros that call each other without end");
   lower_count_expansion(l);
   for (; end < l->first_main && l->insts[end].op != IL_OP_MACROEND; end++)
      lower_visit_refs(&l->insts[end], note_ref, &count);
   count.ins = call->nsrc > count.ins ? call->nsrc : count.ins;
   count.outs = call->ndst > count.outs ? call->ndst : count.outs;
   names.temps = l->next_temp;
   names.ins = names.temps + count.temps;
   names.outs = names.ins + count.ins;
   l->next_temp = names.outs + count.outs;
   names.literals = l->next_literal;
   l->next_literal += count.literals;

   for (unsigned i = 0; i < call->nsrc; i++) {
      struct il_dst dst = lower_temp_dst(names.ins + i, 15);
      struct il_src src = lower_copy_src(l, &call->src[i], rename_ref, (void *)caller);
      lower_emit(l, IL_OP_MOV, 0, &dst, 1, &src);
   }
   expand(l, from, end, &names, depth + 1);
   l->at = call;
   for (unsigned i = 0; i < call->ndst; i++) {
      struct il_dst dst = lower_copy_dst(l, &call->dst[i], rename_ref, (void *)caller);
      struct il_src src = il_src(IL_REGTYPE_TEMP, names.outs + i);
      lower_emit(l, IL_OP_MOV, 0, &dst, 1, &src);
   }
}

/* `names`: NULL outside of macros. */
static void
expand(struct il_lower *l, uint32_t from, uint32_t end, const struct renaming *names,
       unsigned depth)
{
   for (uint32_t n = from; n < end; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);

      if (inst->op == IL_OP_MACROCALL)
         expand_call(l, inst, names, depth);
      else if (names && info && info->flow == IL_FLOW_RETURN)
         lower_fail(l, "not implemented: a return inside a macro");
      else
         lower_copy_inst(l, inst, rename_ref, (void *)names);
   }
}

void
lower_expand_macros(struct il_lower *l)
{
   expand(l, l->first_main, l->num_insts, NULL, 0);
}
