/* SPDX-License-Identifier: MIT */
/*
 * Blocks become one list of instructions, with jumps and what each has to do after itself.
 *
 *  1. Messages that follow one another without a wait have one of slots 0 to 2, the next ones the
 *     next. In front of an instruction that reads or writes a register that a message brings, its
 *     slot is waited on, as late as that: the wait is the flow of the instruction before, of one
 *     from after it that may as well stand there, or of a NOP.
 *  2. ATEST and ZS_EMIT want the flow wait0126 in front of them, BLEND wait.  BARRIER has wait.
 *  3. A branch by a register has the flow reconverge, and so has what falls into the target of
 *     one.
 *  4. The last instruction ends the program: a BLEND, too, since there are no blend programs.
 */
#include "ir.h"

#include <string.h>

#define NO_BLOCK UINT32_MAX

struct state {
   uint64_t pending[3]; /* registers that messages of a slot bring */
};

static uint64_t
registers(const struct vc *c, const struct vc_operand *o, unsigned size)
{
   if (o->kind != VC_VALUE)
      return 0;
   return ((UINT64_C(1) << size) - 1) << (c->values[o->value].reg + o->comp);
}

struct touch {
   const struct vc *c;
   uint64_t mask;
};

static void
touch(struct vc_operand *o, unsigned size, void *data)
{
   struct touch *t = data;
   t->mask |= registers(t->c, o, size);
}

static uint64_t
written(const struct vc *c, const struct vc_inst *inst)
{
   unsigned count = vc_written(c, inst);
   return count ? ((UINT64_C(1) << count) - 1) << (c->values[inst->dest].reg + inst->dest_comp) : 0;
}

/* Slots to wait on in front of an instruction. */
static unsigned
wanted(const struct vc *c, struct vc_inst *inst, const struct state *s)
{
   struct touch t = { c, written(c, inst) };
   unsigned slots = 0;

   vc_visit(inst, touch, &t);
   for (unsigned n = 0; n < 3; n++)
      slots |= (unsigned)((s->pending[n] & t.mask) != 0) << n;
   return slots;
}

static void
pass(const struct vc *c, struct vc_inst *inst, struct state *s, unsigned waits)
{
   for (unsigned n = 0; n < 3; n++)
      if (waits >> n & 1)
         s->pending[n] = 0;
   if (inst->op == VALHALL_OP_BARRIER)
      memset(s, 0, sizeof(*s));
   else if (vc_is_message(inst->op))
      s->pending[inst->slot] |= written(c, inst);
}

/* A copy within a register. */
static bool
is_nothing(const struct vc *c, const struct vc_inst *inst)
{
   return inst->op == VALHALL_OP_MOV_I32 && inst->src[0].kind == VC_VALUE &&
          c->values[inst->dest].reg + inst->dest_comp ==
             c->values[inst->src[0].value].reg + inst->src[0].comp;
}

/* The flow that an instruction wants in front of it. */
static unsigned
flow_before(const struct vc *c, struct vc_inst *inst, const struct state *s, bool *blended)
{
   switch (inst->op) {
   case VALHALL_OP_ATEST:
   case VALHALL_OP_ZS_EMIT:
      return VALHALL_FLOW_WAIT0126;
   case VALHALL_OP_BLEND:
      if (!*blended) {
         *blended = true;
         return VALHALL_FLOW_WAIT;
      }
      break;
   default:
      break;
   }
   return wanted(c, inst, s); /* the flows that wait are the masks of their slots */
}

static unsigned
slots_of(unsigned flow)
{
   return flow == VALHALL_FLOW_WAIT0126 || flow == VALHALL_FLOW_WAIT ? 7 : flow;
}

/* --- the list --------------------------------------------------------------------------------- */

static struct vc_inst *
add(struct vc *c, struct vc_inst *inst)
{
   c->code = vc_grow(c, c->code, c->num_code, &c->cap_code, sizeof(*c->code));
   c->code[c->num_code++] = inst;
   return inst;
}

/* Something that carries a flow at the end of the list: the last instruction of this block, or a
 * NOP. */
static void
carry(struct vc *c, unsigned flow, uint32_t first)
{
   struct vc_inst *last = c->num_code > first ? c->code[c->num_code - 1] : NULL;

   if (last && last->flow == flow)
      return;
   if (!last || last->flow != VALHALL_FLOW_NONE) {
      uint32_t place = c->place;
      c->place = last ? last->place : place;
      last = add(c, vc_new(c, VALHALL_OP_NOP));
      c->place = place;
   }
   last->flow = (uint8_t)flow;
}

#define FAR 8u /* how far a carrier is looked for */

/* Registers that an instruction reads. */
static uint64_t
read_by(const struct vc *c, struct vc_inst *inst)
{
   struct touch t = { c, 0 };
   vc_visit(inst, touch, &t);
   return t.mask;
}

/* Would a flow in front of instruction i of the block need a NOP?  Then what stands after it and
 * does as well in front of it goes there. */
static void
bring_carrier(struct vc *c, struct vc_block *b, uint32_t i, uint32_t first, const struct state *s)
{
   const struct vc_inst *last = c->num_code > first ? c->code[c->num_code - 1] : NULL;
   uint64_t reads = 0, writes = 0;

   if (last && last->flow == VALHALL_FLOW_NONE)
      return;
   for (uint32_t k = i; k < b->num_insts && k <= i + FAR; k++) {
      struct vc_inst *inst = b->insts[k];
      const uint64_t in = read_by(c, inst), out = written(c, inst);
      const bool free = k > i && inst->memory == VC_PURE && !vc_is_message(inst->op) &&
                        !is_nothing(c, inst) && !(writes & (in | out)) && !(reads & out);
      if (free && !wanted(c, inst, s)) {
         memmove(b->insts + i + 1, b->insts + i, (k - i) * sizeof(*b->insts));
         b->insts[i] = inst;
         inst->last = 0; /* others may read the same after it now */
         return;
      }
      reads |= in;
      writes |= out;
   }
}

static bool is_empty(const struct vc *c, uint32_t n);

/* Nothing stands between the end of block `from` and block `to`. */
static bool
follows(const struct vc *c, uint32_t from, uint32_t to)
{
   if (to <= from)
      return false;
   for (uint32_t n = from + 1; n < to; n++)
      if (!is_empty(c, n))
         return false;
   return true;
}

/* Where control goes that does not jump; NO_BLOCK: nowhere. */
static uint32_t
falls_into(const struct vc *c, uint32_t n)
{
   const struct vc_block *b = &c->blocks[n];
   if (b->falls)
      return n + 1;
   return b->jumps && follows(c, n, b->target) ? b->target : NO_BLOCK;
}

static bool
is_empty(const struct vc *c, uint32_t n)
{
   const struct vc_block *b = &c->blocks[n];
   for (uint32_t i = 0; i < b->num_insts; i++)
      if (!is_nothing(c, b->insts[i]))
         return false;
   return !b->jumps || follows(c, n, b->target);
}

static void
add_jump(struct vc *c, uint32_t n, uint32_t first, struct state *s)
{
   struct vc_block *b = &c->blocks[n];
   struct vc_inst *branch = vc_new(c, VALHALL_OP_BRANCHZ);
   bool always = b->cond.kind == VC_NONE;

   branch->src[0] = always ? vc_bits(0) : b->cond;
   vc_set(branch, VALHALL_MOD_EQ, always || b->eq);
   unsigned flow = wanted(c, branch, s);
   if (flow)
      carry(c, flow, first);
   pass(c, branch, s, flow);
   branch->flow = b->cond.kind == VC_VALUE ? VALHALL_FLOW_RECONVERGE : VALHALL_FLOW_NONE;
   branch->imm[0] = b->target; /* a block, until all are placed */
   add(c, branch);
}

/* Messages that are sent before any of them is waited on have one slot. */
static void
assign_slots(struct vc *c)
{
   struct state sent = { { 0 } };
   unsigned slot = 0;

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         struct vc_inst *inst = b->insts[i];
         bool blended = false;
         if (is_nothing(c, inst))
            continue;
         if (flow_before(c, inst, &sent, &blended) || inst->op == VALHALL_OP_BARRIER) {
            sent.pending[0] = 0;
            slot = (slot + 1) % 3;
         }
         if (!vc_has(inst->op, VALHALL_MOD_SLOT) || inst->op == VALHALL_OP_BARRIER)
            continue;
         inst->slot = (uint8_t)slot;
         vc_set(inst, VALHALL_MOD_SLOT, VALHALL_SLOT_SLOT0 + slot);
         sent.pending[0] |= written(c, inst);
      }
      if (registers(c, &b->cond, 1) & sent.pending[0]) {
         sent.pending[0] = 0;
         slot = (slot + 1) % 3;
      }
   }
}

/* What is pending on entry to blocks. */
static void
solve(struct vc *c, struct state *in)
{
   bool changed = true;

   while (changed) {
      changed = false;
      for (uint32_t n = 0; n < c->num_blocks; n++) {
         struct vc_block *b = &c->blocks[n];
         struct state s = in[n];
         bool blended = false;
         for (uint32_t i = 0; i < b->num_insts; i++)
            if (!is_nothing(c, b->insts[i]))
               pass(c, b->insts[i], &s, slots_of(flow_before(c, b->insts[i], &s, &blended)));
         for (unsigned way = 0; way < 2; way++) {
            uint32_t to = way ? n + 1 : b->target;
            if (way ? !b->falls : !b->jumps)
               continue;
            for (unsigned k = 0; k < 3; k++) {
               changed |= (s.pending[k] & ~in[to].pending[k]) != 0;
               in[to].pending[k] |= s.pending[k];
            }
         }
      }
   }
}

static void
add_block(struct vc *c, uint32_t n, struct state s)
{
   struct vc_block *b = &c->blocks[n];
   uint32_t first = c->num_code;
   bool blended = false;

   c->block_at[n] = first;
   c->place = b->place;
   for (uint32_t i = 0; i < b->num_insts; i++) {
      bool before = blended;
      if (is_nothing(c, b->insts[i]))
         continue;
      if (flow_before(c, b->insts[i], &s, &before))
         bring_carrier(c, b, i, first, &s);
      struct vc_inst *inst = b->insts[i];
      unsigned flow = flow_before(c, inst, &s, &blended);
      c->place = inst->place;
      if (flow)
         carry(c, flow, first);
      pass(c, inst, &s, slots_of(flow));
      inst->flow = inst->op == VALHALL_OP_BARRIER ? VALHALL_FLOW_WAIT : VALHALL_FLOW_NONE;
      add(c, inst);
   }
   c->place = b->place;
   if (b->jumps && !follows(c, n, b->target))
      add_jump(c, n, first, &s);
   uint32_t to = falls_into(c, n);
   if (to != NO_BLOCK) {
      /* Blocks without instructions are passed through; all of them begin at the same one. */
      bool meets = false;
      while (is_empty(c, to) && falls_into(c, to) != NO_BLOCK)
         to = falls_into(c, to);
      for (uint32_t k = n + 1; k <= to && !meets; k++)
         meets = c->divergent[k];
      if (meets)
         carry(c, VALHALL_FLOW_RECONVERGE, first);
   } else if (!b->jumps && (n == 0 || b->num_preds)) {
      carry(c, VALHALL_FLOW_END, first);
   }
}

void
vc_flow(struct vc *c)
{
   struct state *in = vc_alloc(c, (c->num_blocks + 1) * sizeof(*in));

   assign_slots(c);
   solve(c, in);
   c->divergent = vc_alloc(c, c->num_blocks + 1);
   for (uint32_t n = 0; n < c->num_blocks; n++)
      if (c->blocks[n].jumps && c->blocks[n].cond.kind == VC_VALUE)
         c->divergent[c->blocks[n].target] = true;
   c->block_at = vc_alloc(c, (c->num_blocks + 1) * sizeof(*c->block_at));
   for (uint32_t n = 0; n < c->num_blocks; n++)
      add_block(c, n, in[n]);
   c->block_at[c->num_blocks] = c->num_code;
   for (uint32_t n = 0; n < c->num_code; n++) {
      struct vc_inst *inst = c->code[n];
      if (inst->op == VALHALL_OP_BRANCHZ) {
         c->out->num_loops += c->block_at[inst->imm[0]] <= n;
         inst->imm[0] = c->block_at[inst->imm[0]] - n - 1;
      }
   }
}
