/* SPDX-License-Identifier: MIT */
/*
 * Import of flow control (7.4): blocks, and values where ways meet.
 *
 *  1. Blocks are made in the order in which they will stand, and all jumps but a loop's own go
 *     forward: lanes that part meet again since those furthest back run first.
 *  2. A loop closes in one block, its last; `continue` jumps there.
 *  3. A switch is a chain of comparisons in front of its labels, which jump to them; a label falls
 *     into the next one.
 *  4. A label waits for its block; each way to it brings along what the variables are.  Where they
 *     differ, a VC_PHI has one operand for each way, in the order of the block's predecessors.
 *     Variables that a loop writes get theirs at its head.
 *  5. After a jump, up to the next label, nothing is reached: what is imported there is dropped.
 */
#include "import.h"

#include <string.h>

static struct vc_operand *
snapshot(struct vim *im)
{
   struct vc_operand *vars = im->num_spare ? im->spare[--im->num_spare]
                                           : vc_alloc(im->c, (im->num_vars + 1) * sizeof(*vars));
   memcpy(vars, im->vars, im->num_vars * sizeof(*vars));
   return vars;
}

static void
discard_snapshot(struct vim *im, struct vc_operand *vars)
{
   im->spare = vc_grow(im->c, im->spare, im->num_spare, &im->cap_spare, sizeof(*im->spare));
   im->spare[im->num_spare++] = vars;
}

static uint32_t
here(const struct vim *im)
{
   return im->c->num_blocks - 1;
}

static uint32_t
new_block(struct vim *im)
{
   uint32_t b = vc_block(im->c);
   unsigned loops = 0;
   for (unsigned n = 0; n < im->depth; n++)
      loops += im->flow[n].loop;
   im->c->blocks[b].loop_depth = loops;
   return b;
}

/* The block that is open jumps to a label. */
static void
jump_to(struct vim *im, struct vim_label *label)
{
   if (im->dead)
      return;
   label->ways = vc_grow(im->c, label->ways, label->count, &label->cap, sizeof(*label->ways));
   label->ways[label->count++] = (struct vim_way){ here(im), snapshot(im) };
   im->c->blocks[here(im)].jumps = true;
}

/* Dead code goes on in a block of its own. */
static void
die(struct vim *im)
{
   uint32_t b = new_block(im);
   (void)b;
   im->dead = true;
}

static void
jump(struct vim *im, struct vim_label *label)
{
   jump_to(im, label);
   die(im);
}

/* Jumps by a condition, and goes on after it if that does not hold. */
static void
branch(struct vim *im, struct vim_label *label, struct vc_operand cond, bool if_zero)
{
   uint32_t from = here(im);
   struct vc_block *b = &im->c->blocks[from];

   if (im->dead) {
      new_block(im);
      return;
   }
   b->cond = cond;
   b->eq = if_zero;
   jump_to(im, label);
   im->c->blocks[from].falls = true;
   vc_edge(im->c, from, new_block(im));
}

/* A choice for variable `n` at the head of block `to`. */
static struct vc_inst *
phi(struct vim *im, uint32_t to, unsigned ways)
{
   struct vc *c = im->c;
   struct vc_inst *inst = vc_new(c, VC_PHI);
   inst->list = vc_alloc(c, ways * sizeof(*inst->list));
   inst->num_list = ways;
   inst->dest = vc_value(c, 1);
   c->values[inst->dest].def = inst;
   vc_insert(c, to, c->blocks[to].num_insts, inst);
   return inst;
}

/* Variables are compared as bytes by runs of this many first: of thousands few differ. */
#define RUN 64

static bool
runs_equal(const struct vim_label *label, uint32_t v, uint32_t end)
{
   const struct vc_operand *first = label->ways[0].vars + v;

   for (uint32_t n = 1; n < label->count; n++)
      if (memcmp(first, label->ways[n].vars + v, (end - v) * sizeof(*first)) != 0)
         return false;
   return true;
}

/* Variables from `v` to before `end` at the head of block `to`, where the label's ways meet. */
static void
join(struct vim *im, const struct vim_label *label, uint32_t to, uint32_t v, uint32_t end)
{
   for (; v < end; v++) {
      struct vc_operand first = label->ways[0].vars[v];
      bool same = true;
      for (uint32_t n = 1; n < label->count && same; n++)
         same = vc_same(first, label->ways[n].vars[v]);
      if (!same) {
         struct vc_inst *inst = phi(im, to, label->count);
         for (uint32_t n = 0; n < label->count; n++)
            inst->list[n] = label->ways[n].vars[v];
         first = vc_at(inst->dest, 0);
      }
      im->vars[v] = first;
   }
}

/* The label's block begins here; the open block falls into it. */
static void
place(struct vim *im, struct vim_label *label)
{
   struct vc *c = im->c;
   uint32_t from = here(im);
   bool falls = !im->dead;

   if (falls) {
      label->ways = vc_grow(c, label->ways, label->count, &label->cap, sizeof(*label->ways));
      label->ways[label->count++] = (struct vim_way){ from, snapshot(im) };
      c->blocks[from].falls = true;
   }
   if (!label->count) {
      die(im);
      return;
   }
   uint32_t to = new_block(im);
   im->dead = false;
   for (uint32_t n = 0; n < label->count; n++) {
      vc_edge(c, label->ways[n].block, to);
      if (!(falls && n + 1 == label->count))
         c->blocks[label->ways[n].block].target = to;
   }
   for (uint32_t v = 0; v < im->num_vars; v += RUN) {
      uint32_t end = v + RUN < im->num_vars ? v + RUN : im->num_vars;
      if (!runs_equal(label, v, end))
         join(im, label, to, v, end);
      else
         memcpy(im->vars + v, label->ways[0].vars + v, (end - v) * sizeof(*im->vars));
   }
   for (uint32_t n = 0; n < label->count; n++)
      discard_snapshot(im, label->ways[n].vars);
   label->count = 0;
}

static struct vim_flow *
push(struct vim *im, bool loop)
{
   im->flow = vc_grow(im->c, im->flow, im->depth, &im->cap_flow, sizeof(*im->flow));
   struct vim_flow *f = &im->flow[im->depth++];
   *f = (struct vim_flow){ .loop = loop, .was_dead = im->dead, .known = vc_known(im->c) };
   return f;
}

/* What has been opened last. */
static struct vim_flow *
top(struct vim *im)
{
   return &im->flow[im->depth - 1];
}

/* --- branches --------------------------------------------------------------------------------- */

void
vim_if(struct vim *im, struct vc_operand cond, bool if_zero)
{
   struct vim_flow *f = push(im, false);
   branch(im, &f->other, cond, !if_zero);
}

void
vim_else(struct vim *im)
{
   struct vim_flow *f = top(im);
   f->has_else = true;
   jump(im, &f->end);
   vc_forget(im->c, f->known);
   place(im, &f->other);
}

void
vim_endif(struct vim *im)
{
   struct vim_flow *f = top(im);
   vc_forget(im->c, f->known);
   place(im, f->has_else ? &f->end : &f->other);
   im->depth--;
}

/* Whether the instruction's condition holds: a word that is zero or not. */
static struct vc_operand
condition(struct vim *im, const struct il_inst *inst, bool *if_zero)
{
   static const uint8_t relations[8] = {
      [IL_RELOP_NE] = VALHALL_CONDITION_NE, [IL_RELOP_EQ] = VALHALL_CONDITION_EQ,
      [IL_RELOP_GE] = VALHALL_CONDITION_GE, [IL_RELOP_GT] = VALHALL_CONDITION_GT,
      [IL_RELOP_LE] = VALHALL_CONDITION_LE, [IL_RELOP_LT] = VALHALL_CONDITION_LT,
   };
   enum il_test test = il_op_info(inst->op)->test;

   *if_zero = test == IL_TEST_ZERO;
   if (test == IL_TEST_RELATION) {
      return vc_compare(im->c, VALHALL_OP_FCMP_OR_F32, relations[il_relop(inst) & 7],
                        vim_src(im, &inst->src[0], 0), vim_src(im, &inst->src[1], 0));
   }
   return vim_bits(im, &inst->src[0], 0);
}

/* --- loops ------------------------------------------------------------------------------------ */

static void
mark(struct vim *im, bool *written, uint32_t base)
{
   for (unsigned c = 0; c < 4; c++)
      if (base + c < im->num_vars)
         written[base + c] = true;
}

/* Variables that instructions write; of a register all components. */
static void
mark_written(struct vim *im, uint32_t from, uint32_t to, bool *written)
{
   for (uint32_t n = from; n <= to; n++) {
      const struct il_inst *inst = &im->il->insts[n];
      for (unsigned d = 0; d < inst->ndst; d++) {
         const struct il_ref *r = &inst->dst[d].r;
         if (r->type == IL_REGTYPE_TEMP && r->num < im->decl.num_temps)
            mark(im, written, 4 * r->num);
         else if (r->type == IL_REGTYPE_ITEMP && r->num < im->decl.num_arrays &&
                  !im->decl.array[r->num].indexed && r->imm < im->decl.array[r->num].size)
            mark(im, written, im->array_base[r->num] + 4 * r->imm);
         else if (r->type == IL_REGTYPE_OUTPUT && r->num < MAX_OUTPUTS)
            mark(im, written, im->out_base + 4 * r->num);
         else if (r->type != IL_REGTYPE_ITEMP)
            for (unsigned s = 0; s < OUT_SPECIAL_COUNT; s++)
               mark(im, written, im->special_base + 4 * s);
      }
      for (unsigned s = 0; s < 4; s++)
         if (im->slots.stream[s].used)
            written[im->next[s]] = true;
   }
}

/* A loop that writes the variables that are marked. */
static void
begin_loop_of(struct vim *im, const bool *written)
{
   struct vc *c = im->c;
   struct vim_flow *f = push(im, true);
   uint32_t from = here(im);

   f->phis = vc_alloc(c, (im->num_vars + 1) * sizeof(*f->phis));
   f->header = new_block(im);
   if (im->dead)
      return;
   c->blocks[from].falls = true;
   vc_edge(c, from, f->header);
   for (uint32_t v = 0; v < im->num_vars; v++) {
      if (written[v]) {
         f->phis[v] = phi(im, f->header, 2);
         f->phis[v]->list[0] = im->vars[v];
         im->vars[v] = vc_at(f->phis[v]->dest, 0);
      }
   }
}

void
vim_loop(struct vim *im, uint32_t var)
{
   bool *written = vc_alloc(im->c, im->num_vars + 1);
   written[var] = true;
   begin_loop_of(im, written);
}

void
vim_break(struct vim *im, struct vc_operand cond)
{
   branch(im, &top(im)->end, cond, false);
}

void
vim_endloop(struct vim *im)
{
   struct vc *c = im->c;
   struct vim_flow *f = top(im);

   if (f->other.count)
      place(im, &f->other);
   if (!f->was_dead) {
      for (uint32_t v = 0; v < im->num_vars; v++)
         if (f->phis[v] && im->dead)
            f->phis[v]->num_list = 1;
         else if (f->phis[v])
            f->phis[v]->list[1] = im->vars[v];
      if (!im->dead) {
         struct vc_block *b = &c->blocks[here(im)];
         b->jumps = true;
         b->target = f->header;
         vc_edge(c, here(im), f->header);
      }
   }
   vc_forget(c, f->known);
   im->depth--;
   struct vim_label end = f->end;
   die(im);
   place(im, &end);
}

void
vim_flow_begin(struct vim *im)
{
   vc_block(im->c);
   im->dead = false;
}

/* What is not reached goes. */
void
vim_flow_end(struct vim *im)
{
   struct vc *c = im->c;
   for (uint32_t n = 1; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      if (!b->num_preds) {
         b->num_insts = 0;
         b->jumps = b->falls = false;
         b->cond.kind = VC_NONE;
      }
   }
}

/* --- the walk's flow, named by its depth ------------------------------------------------------ */

static uint32_t
begin_if(void *data, const struct il_inst *inst)
{
   struct vim *im = data;
   bool if_zero;
   struct vc_operand cond = condition(im, inst, &if_zero);

   vim_if(im, cond, if_zero);
   return im->depth - 1;
}

static uint32_t
begin_else(void *data, uint32_t at)
{
   vim_else(data);
   return at;
}

static void
end_if(void *data, uint32_t at)
{
   (void)at;
   vim_endif(data);
}

static uint32_t
begin_loop(void *data, enum il_flow kind)
{
   struct vim *im = data;
   bool *written = vc_alloc(im->c, im->num_vars + 1);

   (void)kind;
   mark_written(im, im->pos, il_block_end(im->il, im->pos), written);
   begin_loop_of(im, written);
   return im->depth - 1;
}

static void
end_loop(void *data, uint32_t at)
{
   (void)at;
   vim_endloop(data);
}

static void
leave(void *data, uint32_t at, bool go_on, const struct il_inst *inst)
{
   struct vim *im = data;
   struct vim_label *label = go_on ? &im->flow[at].other : &im->flow[at].end;
   bool if_zero;

   if (il_op_info(inst->op)->test == IL_TEST_NONE) {
      jump(im, label);
      return;
   }
   struct vc_operand cond = condition(im, inst, &if_zero);
   branch(im, label, cond, if_zero);
}

static void
begin_switch(void *data, struct il_block *b, const struct il_inst *inst)
{
   struct vim *im = data;
   struct vc *c = im->c;
   struct vc_operand selector = vim_bits(im, &inst->src[0], 0);
   struct vim_flow *f = push(im, false);
   const struct il_inst *i;
   uint32_t at = im->pos;
   bool has_default = false;

   b->at = im->depth - 1;
   f->cases = vc_alloc(c, (il_block_end(im->il, at) - at + 1) * sizeof(*f->cases));
   while ((i = il_next_label(im->il, &at))) {
      if (i->op == IL_OP_DEFAULT) {
         has_default = true;
      } else {
         struct vc_operand fits = vc_compare(c, VALHALL_OP_ICMP_OR_U32, VALHALL_CONDITION_EQ,
                                             selector, vc_bits(il_label_value(i)));
         branch(im, &f->cases[f->num_cases++], fits, false);
      }
   }
   jump(im, has_default ? &f->other : &f->end);
}

static void
switch_label(void *data, const struct il_block *b, const struct il_inst *inst)
{
   struct vim *im = data;
   struct vim_flow *f = &im->flow[b->at];

   vc_forget(im->c, f->known);
   if (inst->op == IL_OP_DEFAULT)
      place(im, &f->other);
   else if (f->next_case < f->num_cases)
      place(im, &f->cases[f->next_case++]);
}

static void
end_switch(void *data, uint32_t at)
{
   struct vim *im = data;
   struct vim_label end = im->flow[at].end;

   vc_forget(im->c, im->flow[at].known);
   im->depth--;
   place(im, &end);
}

const struct il_flow_to vim_flow_to = {
   .begin_if = begin_if,
   .begin_else = begin_else,
   .end_if = end_if,
   .begin_loop = begin_loop,
   .end_loop = end_loop,
   .leave = leave,
   .begin_switch = begin_switch,
   .label = switch_label,
   .end_switch = end_switch,
};
