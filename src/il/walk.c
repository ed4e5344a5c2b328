/* SPDX-License-Identifier: MIT */
/* See walk.h. */
#include "walk.h"

const struct il_inst *
il_next_label(const struct il_program *il, uint32_t *at)
{
   unsigned depth = 0;

   for (uint32_t n = *at + 1; n < il->ninsts; n++) {
      const struct il_inst *inst = &il->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);
      if (!depth && info && info->flow == IL_FLOW_LABEL) {
         *at = n;
         return inst;
      }
      if (!depth && info && info->flow == IL_FLOW_ENDSWITCH)
         return NULL;
      depth = il_block_depth(depth, inst->op);
   }
   return NULL;
}

uint32_t
il_block_end(const struct il_program *il, uint32_t pos)
{
   unsigned depth = 0;

   for (uint32_t n = pos; n < il->ninsts; n++) {
      depth = il_block_depth(depth, il->insts[n].op);
      if (!depth)
         return n;
   }
   return il->ninsts - 1;
}

static void
refuse(const struct il_walk *w, const char *what)
{
   w->to->refuse(w->to->data, what);
}

static void
push(struct il_walk *w, const struct il_block *b)
{
   if (w->depth == IL_MAX_DEPTH)
      refuse(w, "blocks nested this deeply");
   else
      w->block[w->depth++] = *b;
}

/* NULL: refused. */
static struct il_block *
top(struct il_walk *w, enum il_flow kind)
{
   if (w->depth && w->block[w->depth - 1].kind == kind)
      return &w->block[w->depth - 1];
   refuse(w, "a part of a block that is not open");
   return NULL;
}

/* A break or continue of lanes that run, or under the condition of `inst`. */
static void
leave(struct il_walk *w, bool go_on, const struct il_inst *inst)
{
   const struct il_flow_to *to = w->to->flow;

   for (unsigned n = w->depth; n-- > 0;) {
      struct il_block *b = &w->block[n];
      if (b->kind == IL_FLOW_IF || (b->kind == IL_FLOW_SWITCH && go_on && !to->masks))
         continue;
      if (b->kind == IL_FLOW_SWITCH && go_on) {
         b->has_continue = true;
         to->masks->add(w->to->data, b->continued);
         go_on = false;
      }
      to->leave(w->to->data, b->at, go_on, inst);
      return;
   }
   refuse(w, "a break or continue outside a loop");
}

static void
leave_by(struct il_walk *w, bool go_on, const struct il_inst *inst)
{
   const struct il_flow_to *to = w->to->flow;

   if (!to->masks) {
      leave(w, go_on, inst);
   } else if (il_op_info(inst->op)->test == IL_TEST_NONE) {
      leave(w, go_on, NULL);
   } else {
      const uint32_t branch = to->begin_if(w->to->data, inst);
      leave(w, go_on, NULL);
      to->end_if(w->to->data, branch);
   }
}

/* --- switch ----------------------------------------------------------------------------------- */

static void
begin_switch(struct il_walk *w, const struct il_inst *inst, struct il_block *b)
{
   const struct il_flow_to *to = w->to->flow;

   if (!to->begin_switch) {
      refuse(w, "a switch");
      return;
   }
   to->begin_switch(w->to->data, b, inst);
   if (to->masks)
      b->at = to->begin_loop(w->to->data, IL_FLOW_SWITCH);
   push(w, b);
}

static void
close_label(struct il_walk *w, struct il_block *b)
{
   if (b->label_open)
      w->to->flow->end_if(w->to->data, b->label);
   b->label_open = false;
}

static void
label(struct il_walk *w, struct il_block *b, const struct il_inst *inst)
{
   const struct il_flow_to *to = w->to->flow;

   close_label(w, b);
   to->label(w->to->data, b, inst);
   if (to->masks) {
      b->label = to->masks->begin_if(w->to->data, b->matched);
      b->label_open = true;
   }
}

static void
end_switch(struct il_walk *w, struct il_block *b)
{
   const struct il_flow_to *to = w->to->flow;

   if (!to->masks) {
      to->end_switch(w->to->data, b->at);
      w->depth--;
      return;
   }
   close_label(w, b);
   to->leave(w->to->data, b->at, false, NULL);
   to->end_loop(w->to->data, b->at);
   w->depth--;
   if (b->has_continue) {
      const uint32_t branch = to->masks->begin_if(w->to->data, b->continued);
      leave(w, true, NULL);
      to->end_if(w->to->data, branch);
   }
}

/* --- the walk --------------------------------------------------------------------------------- */

/* False: it is no flow.  What the target makes of a block's begin is not yet inside. */
static bool
begin_block(struct il_walk *w, const struct il_inst *inst, enum il_flow flow)
{
   const struct il_flow_to *to = w->to->flow;
   struct il_block b = { .kind = (uint8_t)flow, .pos = w->pos };

   switch (flow) {
   case IL_FLOW_IF:
      b.at = to->begin_if(w->to->data, inst);
      push(w, &b);
      return true;
   case IL_FLOW_LOOP:
      b.at = to->begin_loop(w->to->data, flow);
      push(w, &b);
      return true;
   case IL_FLOW_SWITCH:
      begin_switch(w, inst, &b);
      return true;
   case IL_FLOW_BREAK:
   case IL_FLOW_CONTINUE:
      leave_by(w, flow == IL_FLOW_CONTINUE, inst);
      return true;
   default:
      return false;
   }
}

/* The same.  What the target makes of an end is still inside. */
static bool
continue_block(struct il_walk *w, const struct il_inst *inst, enum il_flow flow)
{
   const struct il_flow_to *to = w->to->flow;
   struct il_block *b;

   switch (flow) {
   case IL_FLOW_ELSE:
      if (!(b = top(w, IL_FLOW_IF)))
         return true;
      if (b->has_else)
         refuse(w, "a second else");
      b->has_else = true;
      b->at = to->begin_else(w->to->data, b->at);
      return true;
   case IL_FLOW_ENDIF:
      if ((b = top(w, IL_FLOW_IF))) {
         to->end_if(w->to->data, b->at);
         w->depth--;
      }
      return true;
   case IL_FLOW_ENDLOOP:
      if ((b = top(w, IL_FLOW_LOOP))) {
         to->end_loop(w->to->data, b->at);
         w->depth--;
      }
      return true;
   case IL_FLOW_LABEL:
      if ((b = top(w, IL_FLOW_SWITCH)))
         label(w, b, inst);
      return true;
   case IL_FLOW_ENDSWITCH:
      if ((b = top(w, IL_FLOW_SWITCH)))
         end_switch(w, b);
      return true;
   default:
      return false;
   }
}

/* False: the walk ends. */
static bool
step(struct il_walk *w, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);

   if (!info) {
      refuse(w, "an opcode without a row");
      return true;
   }
   if (info->flow == IL_FLOW_STATIC)
      return true;
   if (inst->ndst < info->dsts || inst->nsrc < info->srcs) {
      refuse(w, "an operand is missing");
      return true;
   }
   if (info->flow == IL_FLOW_END || (info->flow == IL_FLOW_RETURN && info->test == IL_TEST_NONE))
      return false;
   if (!begin_block(w, inst, info->flow) && !continue_block(w, inst, info->flow) &&
       !w->to->inst(w->to->data, inst, info->unit))
      refuse(w, "this instruction");
   return true;
}

bool
il_walk(struct il_walk *w, const struct il_program *il, const struct il_walk_to *to)
{
   bool ended = false;

   w->il = il;
   w->to = to;
   w->depth = 0;
   for (w->pos = 0; w->pos < il->ninsts && !ended; w->pos++) {
      if (!to->go_to(to->data, w->pos))
         return false;
      ended = !step(w, &il->insts[w->pos]);
   }
   if (w->depth)
      refuse(w, "an end inside a block");
   return ended;
}
