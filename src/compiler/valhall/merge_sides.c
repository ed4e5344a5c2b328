/* SPDX-License-Identifier: MIT */
/*
 * Two sides of a branch that do the same to different things become one: what differs is chosen
 * in front of it, and so are the results.  Indices of images known at run time only are such
 * branches, since IL names its images by numbers.
 *
 *  1. Each side is a list of instructions without branches; there are as many in both, in the same
 *     order, and two of the same number differ in operands alone.
 *  2. An operand is a result of the same number of its own side, or the same on both sides, or a
 *     register that is chosen.  The number of an image may differ: the message that takes it from a
 *     register stands for the one that has it in its word.
 *  3. Choices are fewer than instructions that go.
 *  4. Nothing there asks what other lanes do.  What one side writes the other one cannot see: each
 *     side writes once, if it writes, to images of different numbers, and reads no memory that
 *     changes.
 */
#include "ir.h"

#include <string.h>

#define OP(name)   VALHALL_OP_##name
#define MAX_INSTS  48u /* of a side */
#define MAX_MERGES 16u

struct side {
   struct vc_inst *insts[MAX_INSTS];
   uint32_t count, blocks, last;
};

struct merge {
   struct vc *c;
   uint32_t block;
   struct side side[2]; /* where the condition is not zero, and where it is */
   uint32_t join;
   unsigned cost;
};

/* --- the sides -------------------------------------------------------------------------------- */

static bool
may_be_shared(const struct vc_inst *inst)
{
   if (inst->op == VC_COLLECT)
      return true;
   if (inst->op >= VALHALL_OP_COUNT)
      return false;
   const struct valhall_info *info = valhall_info(inst->op);

   switch (info->exec) {
   case VALHALL_EXEC_CLPER:
   case VALHALL_EXEC_WMASK:
   case VALHALL_EXEC_DISCARD:
      return false;
   default:
      return !vc_is_message(inst->op) || info->unit == VALHALL_UNIT_LS;
   }
}

/* The instructions from a block on, to where ways meet; false: there are branches. */
static bool
walk(const struct vc *c, uint32_t n, struct side *s, uint32_t *join)
{
   while (true) {
      const struct vc_block *b = &c->blocks[n];
      if (b->num_preds != 1 || b->cond.kind || b->num_insts > MAX_INSTS - s->count)
         return false;
      for (uint32_t i = 0; i < b->num_insts; i++) {
         if (!may_be_shared(b->insts[i]))
            return false;
         s->insts[s->count++] = b->insts[i];
      }
      s->blocks++;
      s->last = n;
      const uint32_t next = b->falls ? n + 1 : b->jumps ? b->target : 0;
      if (next <= n)
         return false;
      if (c->blocks[next].num_preds == 2) {
         *join = next;
         return true;
      }
      n = next;
   }
}

/* Nothing but the two sides stands between the branch and where they meet. */
static bool
is_diamond(const struct merge *m)
{
   const struct vc *c = m->c;
   const struct vc_block *join = &c->blocks[m->join];
   uint32_t unreached = 0;

   for (uint32_t n = m->block + 1; n < m->join; n++)
      unreached += !c->blocks[n].num_preds;
   for (unsigned k = 0; k < 2; k++)
      if (join->preds[0] != m->side[k].last && join->preds[1] != m->side[k].last)
         return false;
   return m->join - m->block - 1 == m->side[0].blocks + m->side[1].blocks + unreached;
}

/* --- what is the same ------------------------------------------------------------------------- */

/* Where a side makes a value; `count`: nowhere. */
static uint32_t
place_in(const struct side *s, uint32_t value)
{
   uint32_t n = value ? 0 : s->count;
   while (n < s->count && s->insts[n]->dest != value)
      n++;
   return n;
}

/* An operand of the second side as the first one has it. */
static struct vc_operand
mapped(const struct merge *m, struct vc_operand o)
{
   const uint32_t at = o.kind == VC_VALUE ? place_in(&m->side[1], o.value) : m->side[1].count;
   if (at < m->side[1].count)
      o.value = m->side[0].insts[at]->dest;
   return o;
}

static bool
is_own(const struct side *s, struct vc_operand o)
{
   return o.kind == VC_VALUE && place_in(s, o.value) < s->count;
}

static bool
is_plain(struct vc_operand o)
{
   return !o.neg && !o.abs && !o.invert && !o.select;
}

static bool
needs_register(struct vc_operand o)
{
   for (unsigned n = 0; n < 32 && o.kind == VC_CONST; n++)
      if (valhall_constant(n) == o.value)
         return false;
   return o.kind == VC_CONST;
}

/* Counts what it costs to choose; false: it cannot be done. */
static bool
can_choose(struct merge *m, struct vc_operand a, struct vc_operand b)
{
   if (!a.kind || !b.kind || !is_plain(a) || !is_plain(b))
      return false;
   m->cost += 1 + needs_register(a) + needs_register(b);
   return true;
}

static bool
operands_fit(struct merge *m, struct vc_operand a, struct vc_operand b, bool chosen)
{
   if (vc_same(a, mapped(m, b)))
      return is_own(&m->side[0], a) == is_own(&m->side[1], b);
   return chosen && !is_own(&m->side[0], a) && !is_own(&m->side[1], b) && can_choose(m, a, b);
}

static bool
names_image(unsigned op)
{
   return op == OP(LEA_TEX_IMM) || op == OP(LD_TEX_IMM);
}

/* The handle of an image that is named in the word. */
static struct vc_operand
handle_of(const struct vc_inst *inst)
{
   const bool index_first = inst->op == OP(LD_TEX_IMM);
   return vc_bits(inst->imm[index_first] << 24 | inst->imm[!index_first]);
}

static bool
has_other_image(const struct vc_inst *a, const struct vc_inst *b)
{
   return names_image(a->op) && !vc_same(handle_of(a), handle_of(b));
}

/* A store to, or an atomic operation on, images of different numbers. */
static bool
writes_apart(const struct merge *m, const struct vc_inst *a, const struct vc_inst *b)
{
   const uint32_t x = place_in(&m->side[0], a->src[0].value);
   const uint32_t y = place_in(&m->side[1], b->src[0].value);

   return a->src[0].kind == VC_VALUE && b->src[0].kind == VC_VALUE && x == y &&
          x < m->side[0].count && has_other_image(m->side[0].insts[x], m->side[1].insts[y]);
}

static bool
insts_fit(struct merge *m, const struct vc_inst *a, const struct vc_inst *b)
{
   const bool list = a->op == VC_COLLECT;

   if (a->op != b->op || a->memory != b->memory || a->num_list != b->num_list ||
       !a->dest != !b->dest || a->staged != b->staged || memcmp(a->mod, b->mod, sizeof(a->mod)) ||
       m->c->values[a->dest].size != m->c->values[b->dest].size)
      return false;
   if (has_other_image(a, b)) {
      if (!can_choose(m, handle_of(a), handle_of(b)))
         return false;
   } else if (memcmp(a->imm, b->imm, sizeof(a->imm))) {
      return false;
   }
   if (a->memory == VC_WRITE && !writes_apart(m, a, b))
      return false;
   if (!operands_fit(m, vc_at(a->staging, 0), vc_at(b->staging, 0), false))
      return false;
   for (uint32_t n = 0; n < (list ? a->num_list : valhall_info(a->op)->num_src); n++) {
      const bool known = !list && vc_is_message(a->op) && a->src[n].kind == VC_CONST;
      if (!operands_fit(m, list ? a->list[n] : a->src[n], list ? b->list[n] : b->src[n],
                        list || (vc_src_size(a, n) == 1 && !known)))
         return false;
   }
   return true;
}

static bool
results_fit(struct merge *m)
{
   const struct vc_block *join = &m->c->blocks[m->join];
   const unsigned first = join->preds[0] == m->side[0].last ? 0 : 1;

   for (uint32_t i = 0; i < join->num_insts && join->insts[i]->op == VC_PHI; i++) {
      if (!m->c->values[join->insts[i]->dest].uses)
         continue;
      const struct vc_operand a = join->insts[i]->list[first];
      const struct vc_operand b = mapped(m, join->insts[i]->list[!first]);
      if (!vc_same(a, b) && !can_choose(m, a, b))
         return false;
   }
   return true;
}

static bool
sides_fit(struct merge *m)
{
   unsigned gone = 0, reads = 0, writes = 0;

   for (uint32_t n = 0; n < m->side[0].count; n++) {
      const struct vc_inst *a = m->side[0].insts[n];
      gone += a->op != VC_COLLECT;
      reads += a->memory == VC_READ;
      writes += a->memory == VC_WRITE;
      if (!insts_fit(m, a, m->side[1].insts[n]))
         return false;
   }
   return results_fit(m) && m->cost < gone && writes <= 1 && !(reads && writes);
}

/* --- one of two ------------------------------------------------------------------------------- */

static struct vc_inst *
append(struct merge *m, struct vc_inst *inst)
{
   vc_insert(m->c, m->block, m->c->blocks[m->block].num_insts, inst);
   return inst;
}

static struct vc_operand
choose(struct merge *m, struct vc_operand a, struct vc_operand b)
{
   struct vc *c = m->c;

   b = mapped(m, b);
   if (vc_same(a, b))
      return a;
   struct vc_inst *inst = vc_new(c, OP(CSEL_U32));
   inst->src[0] = c->blocks[m->block].cond;
   inst->src[1] = vc_bits(0);
   inst->src[2] = a;
   inst->src[3] = b;
   vc_set(inst, VALHALL_MOD_CONDITION, VALHALL_CONDITION_NE);
   inst->dest = vc_value(c, 1);
   c->values[inst->dest].def = append(m, inst);
   return vc_at(inst->dest, 0);
}

/* The image's number comes from a register. */
static void
choose_image(struct merge *m, struct vc_inst *a, const struct vc_inst *b)
{
   static const uint8_t mods[] = { VALHALL_MOD_VECTOR_SIZE, VALHALL_MOD_REGISTER_FORMAT };
   const unsigned op = a->op == OP(LD_TEX_IMM) ? OP(LD_TEX) : OP(LEA_TEX);
   const struct vc_inst old = *a, standard = *vc_new(m->c, op);

   a->src[2] = choose(m, handle_of(a), handle_of(b));
   a->op = (uint16_t)op;
   memset(a->imm, 0, sizeof(a->imm));
   memcpy(a->mod, standard.mod, sizeof(a->mod));
   for (unsigned n = 0; n < sizeof(mods); n++)
      if (vc_has(op, mods[n]) && vc_has(old.op, mods[n]))
         vc_set(a, mods[n], vc_get(&old, mods[n]));
}

static void
merge_insts(struct merge *m, struct vc_inst *a, const struct vc_inst *b)
{
   m->c->place = a->place;
   for (uint32_t n = 0; n < a->num_list; n++)
      a->list[n] = choose(m, a->list[n], b->list[n]);
   for (unsigned n = 0; a->op < VALHALL_OP_COUNT && n < valhall_info(a->op)->num_src; n++)
      a->src[n] = choose(m, a->src[n], b->src[n]);
   if (has_other_image(a, b))
      choose_image(m, a, b);
   append(m, a);
}

static void
do_merge(struct merge *m)
{
   struct vc *c = m->c;
   struct vc_block *join = &c->blocks[m->join];
   const unsigned first = join->preds[0] == m->side[0].last ? 0 : 1;

   for (uint32_t n = 0; n < m->side[0].count; n++)
      merge_insts(m, m->side[0].insts[n], m->side[1].insts[n]);
   for (uint32_t i = 0; i < join->num_insts && join->insts[i]->op == VC_PHI; i++) {
      struct vc_inst *phi = join->insts[i];
      c->place = phi->place;
      phi->dead = !c->values[phi->dest].uses;
      if (phi->dead)
         continue;
      phi->list[0] = choose(m, phi->list[first], phi->list[!first]);
      phi->num_list = 1;
   }
   for (uint32_t n = m->block; n < m->join; n++) {
      struct vc_block *b = &c->blocks[n];
      if (n > m->block) {
         b->num_insts = 0;
         b->num_preds = 0;
         vc_edge(c, n - 1, n);
      }
      b->cond = (struct vc_operand){ 0 };
      b->jumps = false;
      b->falls = true;
   }
   join->num_preds = 0;
   vc_edge(c, m->join - 1, m->join);
   vc_simplify(c);
   vc_count_uses(c);
}

static bool
try_block(struct vc *c, uint32_t n)
{
   const struct vc_block *b = &c->blocks[n];
   struct merge m = { .c = c, .block = n };
   uint32_t other;

   if (!b->jumps || !b->falls || !b->cond.kind || b->cond.kind == VC_CONST || !is_plain(b->cond) ||
       b->target <= n || !walk(c, n + 1, &m.side[!b->eq], &m.join) ||
       !walk(c, b->target, &m.side[b->eq], &other) || m.join != other ||
       m.side[0].count != m.side[1].count || !is_diamond(&m) || !sides_fit(&m))
      return false;
   do_merge(&m);
   return true;
}

void
vc_merge_sides(struct vc *c)
{
   unsigned merges = 0;

   vc_count_uses(c);
   for (uint32_t n = c->num_blocks; n-- > 0 && merges < MAX_MERGES;)
      merges += try_block(c, n);
}
