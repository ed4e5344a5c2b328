/* SPDX-License-Identifier: MIT */
/*
 * Subroutines (7.4) are expanded where they are called.
 *
 *  1. What is left is the main part, a body; a phase of a hull shader is a body of its own.
 *  2. A return inside a block leaves a loop that stands around its body and is run once; loops and
 *     switches on the way out ask whether they are to be left.  What follows a return outside of
 *     blocks is dropped.
 *  3. The 33rd call on top of each other is skipped (7.14).
 *
 * Literals of subroutines are declared where they are used; they are constants.
 */
#include "pass.h"

#include <string.h>

#define MAX_NESTING 256

/* What a return leaves. */
struct frame {
   bool has_loop;
   uint32_t returned; /* temp: x is not zero once the frame has been left */
   struct {
      bool breaks; /* a loop or a switch: a break leaves it alone */
      bool left;   /* a return stands inside */
   } open[MAX_NESTING];
   unsigned depth;
};

struct inlining {
   struct il_lower *l;
   unsigned calls; /* open */
};

static void expand(struct inlining *in, uint32_t from, uint32_t end, struct frame *frame);

static enum il_flow
flow_of(const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);
   return info ? (enum il_flow)info->flow : IL_FLOW_NONE;
}

/* Where a phase ends that begins at `n`: its ENDPHASE, or `end`. */
static uint32_t
end_of_phase(const struct il_lower *l, uint32_t n, uint32_t end)
{
   while (n < end && flow_of(&l->insts[n]) != IL_FLOW_ENDPHASE)
      n++;
   return n;
}

/* Does a return stand inside a block, or under a condition? */
static bool
returns_inside(const struct il_lower *l, uint32_t from, uint32_t end)
{
   unsigned depth = 0;

   for (uint32_t n = from; n < end; n++) {
      const struct il_op_info *info = il_op_info(l->insts[n].op);
      depth = il_block_depth(depth, l->insts[n].op);
      if (info && info->flow == IL_FLOW_PHASE)
         n = end_of_phase(l, n, end);
      else if (info && info->flow == IL_FLOW_RETURN && (depth || info->test != IL_TEST_NONE))
         return true;
   }
   return false;
}

/* A body, left by its returns. */
static void
expand_body(struct inlining *in, uint32_t from, uint32_t end)
{
   struct il_lower *l = in->l;
   struct frame *frame = lower_alloc(l, sizeof(*frame));

   frame->has_loop = returns_inside(l, from, end);
   if (frame->has_loop) {
      struct il_src zero = lower_bits(l, 0);
      frame->returned = l->next_temp++;
      lower_op(l, IL_OP_MOV, 0, frame->returned, 1, 1, zero, zero, zero);
      lower_flow(l, IL_OP_WHILE);
   }
   expand(in, from, end, frame);
   if (frame->has_loop) {
      lower_flow(l, IL_OP_BREAK);
      lower_flow(l, IL_OP_ENDLOOP);
   }
}

static void
expand_return(struct il_lower *l, struct frame *frame)
{
   struct il_src ones = lower_bits(l, UINT32_MAX);

   lower_op(l, IL_OP_MOV, 0, frame->returned, 1, 1, ones, ones, ones);
   lower_flow(l, IL_OP_BREAK);
   for (unsigned d = 0; d < frame->depth; d++)
      frame->open[d].left = true;
}

static void
expand_call(struct inlining *in, uint32_t label)
{
   struct il_lower *l = in->l;

   if (in->calls == LOWER_MAX_CALLS)
      return;
   lower_count_expansion(l);
   for (uint32_t n = l->first_main; n < l->num_insts; n++) {
      if (flow_of(&l->insts[n]) != IL_FLOW_FUNC || !l->insts[n].ndata ||
          l->insts[n].data[0] != label)
         continue;
      uint32_t end = n + 1;
      while (end < l->num_insts && flow_of(&l->insts[end]) != IL_FLOW_ENDFUNC &&
             flow_of(&l->insts[end]) != IL_FLOW_FUNC)
         end++;
      in->calls++;
      expand_body(in, n + 1, end);
      in->calls--;
      return;
   }
   lower_fail(l, "a call of label %u, which no func has", label);
}

static void
open_block(struct il_lower *l, struct frame *frame, bool breaks)
{
   if (frame->depth == MAX_NESTING)
      lower_fail(l, "not implemented: nesting deeper than %u", MAX_NESTING);
   memset(&frame->open[frame->depth], 0, sizeof(frame->open[0]));
   frame->open[frame->depth++].breaks = breaks;
}

/* After the end of a loop or switch with a return in it, the return goes on. */
static void
close_block(struct il_lower *l, struct frame *frame)
{
   if (!frame->depth)
      return; /* back ends find this */
   frame->depth--;
   if (frame->open[frame->depth].breaks && frame->open[frame->depth].left)
      lower_if(l, IL_OP_BREAK_LOGICALNZ, lower_temp(frame->returned, 0));
}

/* A call or a return under its condition; false: it has none. */
static bool
begin_condition(struct il_lower *l, const struct il_op_info *info, const struct il_inst *inst)
{
   if (info->test == IL_TEST_NONE)
      return false;
   lower_if(l, info->test == IL_TEST_ZERO ? IL_OP_IF_LOGICALZ : IL_OP_IF_LOGICALNZ, inst->src[0]);
   return true;
}

static void
expand(struct inlining *in, uint32_t from, uint32_t end, struct frame *frame)
{
   struct il_lower *l = in->l;
   const struct il_inst *outer = l->at;
   bool over = false; /* what follows is never reached */

   for (uint32_t n = from; n < end && !over; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);
      bool under_condition;

      if (!info || (info->test != IL_TEST_NONE && !inst->nsrc)) {
         lower_add(l, inst); /* back ends refuse it */
         continue;
      }
      switch (info->flow) {
      case IL_FLOW_CALL:
         under_condition = begin_condition(l, info, inst);
         expand_call(in, inst->ndata ? inst->data[0] : 0);
         if (under_condition)
            lower_flow(l, IL_OP_ENDIF);
         break;
      case IL_FLOW_RETURN:
         if (info->test == IL_TEST_NONE && frame->depth == 0) {
            over = true;
            break;
         }
         under_condition = begin_condition(l, info, inst);
         expand_return(l, frame);
         if (under_condition)
            lower_flow(l, IL_OP_ENDIF);
         break;
      case IL_FLOW_PHASE:
         lower_add(l, inst);
         n = end_of_phase(l, n, end);
         expand_body(in, (uint32_t)(inst - l->insts) + 1, n);
         lower_flow(l, IL_OP_ENDPHASE);
         break;
      case IL_FLOW_IF:
         open_block(l, frame, false);
         lower_add(l, inst);
         break;
      case IL_FLOW_LOOP:
      case IL_FLOW_SWITCH:
         open_block(l, frame, true);
         lower_add(l, inst);
         break;
      case IL_FLOW_ENDIF:
      case IL_FLOW_ENDLOOP:
      case IL_FLOW_ENDSWITCH:
         lower_add(l, inst);
         close_block(l, frame);
         break;
      default:
         lower_add(l, inst);
         break;
      }
      l->at = inst;
   }
   l->at = outer;
}

void
lower_inline_calls(struct il_lower *l)
{
   struct inlining in = { .l = l };
   uint32_t end = l->first_main;

   while (end < l->num_insts && flow_of(&l->insts[end]) != IL_FLOW_END)
      end++;
   for (uint32_t n = 0; n < l->first_main; n++)
      lower_add(l, &l->insts[n]);
   l->out->first_main = l->first_main;
   expand_body(&in, l->first_main, end);
   if (l->num_insts)
      l->at = &l->insts[end < l->num_insts ? end : l->num_insts - 1];
   lower_flow(l, IL_OP_END);
}
