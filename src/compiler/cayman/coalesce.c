/* SPDX-License-Identifier: MIT */
/*
 * Copies between variables and SSA values, within a block.
 *
 *  1. An SSA value that is a copy of a variable is the variable, as long as that is not written
 *     again.
 *  2. A variable that becomes a copy of an SSA value is written by the value's own instruction, if
 *     nothing in between looks at the variable's old content, and the value's other readers find it
 *     in the variable.
 *  3. Other copies of what one slot has made from SSA values are made in the same way: the slot is
 *     the same, but nothing has to be waited for.
 *
 * What is left of phi webs is mostly of these two kinds.
 */
#include "ir.h"

#define MAX_DISTANCE 256

struct copy {
   value_id value;
   struct cc_operand is;
};

struct coalescer {
   struct compiler *c;
   struct copy *copies;
   uint32_t num_copies, cap_copies;
   struct inst *inst;
   /* rule 2 */
   value_id value, variable;
   uint32_t reads, writes, replaced;
};

static bool
is_copy(const struct inst *inst)
{
   return inst->kind == INST_ALU && inst->num_lanes == 1 && !inst->dead && !inst->ar &&
          inst->lane[0].op == CAYMAN_ALU_MOV && !inst->lane[0].to_array && inst->lane[0].dst &&
          !inst->lane[0].omod && inst->lane[0].src[0].kind == OPERAND_VALUE;
}

/* --- rule 1 ----------------------------------------------------------------------------------- */

static const struct copy *
find_copy(const struct coalescer *co, value_id v)
{
   for (uint32_t i = 0; i < co->num_copies; i++)
      if (co->copies[i].value == v)
         return &co->copies[i];
   return NULL;
}

static void
forget_copies(value_id *v, void *data)
{
   struct coalescer *co = data;
   uint32_t n = 0;

   for (uint32_t i = 0; i < co->num_copies; i++)
      if (co->copies[i].is.value != *v)
         co->copies[n++] = co->copies[i];
   co->num_copies = n;
}

/* May this operand carry the copy's modifiers? */
static bool
takes_modifiers(const struct coalescer *co, const struct cc_operand *o, const struct cc_operand *is)
{
   if (!is->neg && !is->abs)
      return true;
   if (co->inst->kind != INST_ALU)
      return false;
   for (unsigned l = 0; l < co->inst->num_lanes; l++) {
      const struct lane *lane = &co->inst->lane[l];
      for (unsigned i = 0; i < 3; i++)
         if (&lane->src[i] == o)
            return cc_float_source(lane->op) && !(is->abs && cayman_alu_info(lane->op)->op3);
   }
   return false;
}

static void
take_copy(struct cc_operand *o, void *data)
{
   struct coalescer *co = data;
   const struct copy *copy;

   if (o->kind != OPERAND_VALUE || !(copy = find_copy(co, o->value)) ||
       !takes_modifiers(co, o, &copy->is))
      return;
   struct cc_operand is = copy->is;
   if (o->abs) {
      is.abs = true;
      is.neg = o->neg;
   } else {
      is.neg ^= o->neg;
   }
   *o = is;
}

static void
propagate(struct coalescer *co, struct cc_block *b)
{
   struct compiler *c = co->c;

   co->num_copies = 0;
   for (uint32_t i = 0; i < b->num_insts; i++) {
      struct inst *inst = co->inst = b->insts[i];
      cc_visit_operands(inst, take_copy, co);
      cc_visit_dsts(inst, forget_copies, co);
      if (is_copy(inst) && !inst->lane[0].clamp && c->values[inst->lane[0].dst].ssa &&
          !c->values[inst->lane[0].src[0].value].ssa) {
         co->copies = cc_grow(c, co->copies, co->num_copies, &co->cap_copies, sizeof(*co->copies));
         co->copies[co->num_copies].value = inst->lane[0].dst;
         co->copies[co->num_copies++].is = inst->lane[0].src[0];
      }
   }
   if (b->pred) {
      co->inst = b->pred;
      cc_visit_operands(b->pred, take_copy, co);
   }
}

/* --- rule 2 ----------------------------------------------------------------------------------- */

static void
count_reads(struct cc_operand *o, void *data)
{
   struct coalescer *co = data;
   if (o->kind == OPERAND_VALUE) {
      co->reads += o->value == co->variable;
      co->replaced += o->value == co->value;
   }
}

static void
count_writes(value_id *v, void *data)
{
   struct coalescer *co = data;
   co->writes += *v == co->variable;
}

static void
replace_value(struct cc_operand *o, void *data)
{
   struct coalescer *co = data;
   if (o->kind == OPERAND_VALUE && o->value == co->value)
      o->value = co->variable;
}

static bool
can_write_variable(const struct inst *inst)
{
   if (inst->kind != INST_ALU || inst->keep)
      return false;
   return inst->shape != SHAPE_FIXED ||
          cayman_alu_info(inst->lane[0].op)->flags & CAYMAN_ALU_FLAG_REDUCE;
}

/* Is the clamp of a copy as good on the instruction that makes the value? */
static bool
move_clamp(struct coalescer *co, struct inst *def, bool clamp)
{
   if (!clamp)
      return true;
   if (co->c->values[co->value].uses != 1 ||
       cayman_alu_info(def->lane[0].op)->dst_type != CAYMAN_TYPE_F32)
      return false;
   for (unsigned l = 0; l < def->num_lanes; l++)
      def->lane[l].clamp = true;
   return true;
}

static void
coalesce(struct coalescer *co, struct cc_block *b, uint32_t at)
{
   struct compiler *c = co->c;
   struct inst *mov = b->insts[at];
   struct cc_operand src = mov->lane[0].src[0];

   co->variable = mov->lane[0].dst;
   co->value = src.value;
   struct inst *def = c->values[co->value].def;
   if (src.neg || src.abs || c->values[co->variable].ssa || !c->values[co->value].ssa || !def ||
       def->dead || def->sequence >= at || def->sequence >= b->num_insts ||
       b->insts[def->sequence] != def || at - def->sequence > MAX_DISTANCE ||
       !can_write_variable(def))
      return;
   /* Between the two, the variable must be left alone. */
   co->reads = co->writes = co->replaced = 0;
   uint32_t i;
   for (i = def->sequence + 1; i < at; i++) {
      if (!b->insts[i]->dead) {
         cc_visit_operands(b->insts[i], count_reads, co);
         cc_visit_dsts(b->insts[i], count_writes, co);
      }
   }
   if (co->reads || co->writes)
      return;
   /* After the copy, all other readers must come before the variable changes. */
   uint32_t uses = c->values[co->value].uses - 1;
   uint32_t last = at;
   for (i = at + 1; i < b->num_insts && co->replaced < uses && i - at <= MAX_DISTANCE; i++) {
      if (!b->insts[i]->dead) {
         cc_visit_operands(b->insts[i], count_reads, co);
         last = i;
         cc_visit_dsts(b->insts[i], count_writes, co);
         if (co->writes)
            break;
      }
   }
   bool in_pred = false;
   if (co->replaced < uses && !co->writes && i == b->num_insts && b->pred) {
      cc_visit_operands(b->pred, count_reads, co);
      in_pred = true;
   }
   if (co->replaced != uses || !move_clamp(co, def, mov->lane[0].clamp))
      return;
   for (i = def->sequence + 1; i <= last; i++)
      if (i != at)
         cc_visit_operands(b->insts[i], replace_value, co);
   if (in_pred)
      cc_visit_operands(b->pred, replace_value, co);
   for (unsigned l = 0; l < def->num_lanes; l++)
      if (def->lane[l].dst == co->value)
         def->lane[l].dst = co->variable;
   c->values[co->value].def = NULL;
   c->values[co->value].uses = 0;
   mov->dead = true;
}

/* --- rule 3 ----------------------------------------------------------------------------------- */

static void
make_again(struct coalescer *co, struct cc_block *b, uint32_t at)
{
   struct compiler *c = co->c;
   struct lane *lane = &b->insts[at]->lane[0];
   const struct cc_operand src = lane->src[0];
   struct inst *maker = NULL;

   if (src.neg || src.abs || lane->clamp)
      return;
   co->variable = src.value;
   for (uint32_t i = at; i-- > 0 && at - i <= MAX_DISTANCE && !maker;) {
      co->writes = 0;
      if (!b->insts[i]->dead)
         cc_visit_dsts(b->insts[i], count_writes, co);
      maker = co->writes ? b->insts[i] : NULL;
   }
   if (!maker || !cc_is_repeatable(c, maker))
      return;
   const value_id dst = lane->dst;
   *lane = maker->lane[0];
   lane->dst = dst;
}

void
cc_coalesce(struct compiler *c)
{
   struct coalescer co = { .c = c };

   for (uint32_t n = 0; n < c->num_blocks; n++)
      propagate(&co, &c->blocks[n]);
   cc_count(c);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct cc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++)
         b->insts[i]->sequence = i;
      for (uint32_t i = 0; i < b->num_insts; i++)
         if (is_copy(b->insts[i]))
            coalesce(&co, b, i);
      for (uint32_t i = 0; i < b->num_insts; i++)
         if (is_copy(b->insts[i]))
            make_again(&co, b, i);
   }
   cc_sweep(c);
}
