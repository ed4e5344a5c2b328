/* SPDX-License-Identifier: MIT */
/*
 * Folding: two instructions become one, or one a copy.  None of it changes a bit of any result:
 *
 *  1. A multiply with an add as its only reader becomes a MULADD: on Cayman it rounds the product,
 *     too.
 *  2. A comparison with one reader, which asks "is it true", is folded into the reader: a branch or
 *     a kill takes the comparison itself, a select the sign or zero test.
 *  3. The bits of 1.0 masked by a comparison, or selected by it against 0, are the comparison's
 *     float form.
 *  4. A select between equals is a copy.
 *  5. What only its own clamped copies read is clamped at once; a clamped constant is a constant.
 *  6. An operation on integers with a neutral operand is a copy.
 *  7. "Not" of a comparison is the opposite comparison; a choice by "not" is one between exchanged
 *     arms.
 *  8. What a boolean masks is a choice between that and 0, by what the boolean compares with 0.
 *  9. A sum of multiples of 2^n that is shifted right by n is the sum of the quotients, where no
 *     sum can be 2^32 or more: addresses of dwords, of what is known to be small.
 * 10. A double's sign that is cleared or turned over in its high dword is a modifier of what reads
 *     the double.
 * 11. The sum with what is taken from 0 is a difference.
 * 12. What constants alone make is a constant, where its bits are known (evaluate.c).
 * 13. Twice, four times or half of a result that nothing else reads is its output modifier, which
 *     only operations of up to two operands have (4.9.1).
 */
#include "ir.h"

#define ONE_BITS 0x3f800000u

/* The ALU instruction that made an SSA value, or NULL. */
static struct inst *
maker_of(struct compiler *c, const struct cc_operand *o)
{
   if (o->kind != OPERAND_VALUE)
      return NULL;
   const struct cc_value *v = &c->values[o->value];
   if (!v->ssa || !v->def || v->def->dead || v->def->kind != INST_ALU || v->def->num_lanes != 1 ||
       v->def->lane[0].dst != o->value || v->def->ar)
      return NULL;
   return v->def;
}

/* The same, if nothing but this operand reads the value. */
static struct inst *
only_maker(struct compiler *c, const struct cc_operand *o)
{
   struct inst *maker = maker_of(c, o);
   return maker && c->values[o->value].uses == 1 ? maker : NULL;
}

/* Operands that mean the same wherever they are read. */
static bool
movable(struct compiler *c, const struct lane *lane)
{
   unsigned n = cayman_alu_info(lane->op)->num_src;

   for (unsigned i = 0; i < n; i++) {
      const struct cc_operand *o = &lane->src[i];
      if (o->kind == OPERAND_ARRAY || o->kind == OPERAND_SPECIAL ||
          (o->kind == OPERAND_VALUE && !c->values[o->value].ssa))
         return false;
   }
   return true;
}

struct writes {
   const struct lane *lane;
   bool found;
};

static void
find_write(value_id *v, void *data)
{
   struct writes *w = data;
   for (unsigned i = 0; i < 3; i++)
      w->found |= w->lane->src[i].kind == OPERAND_VALUE && w->lane->src[i].value == *v;
}

/* Would the maker's operands read the same at the reader?  True if they are the same everywhere, or
 * if the maker stands in the same block and no variable among them is written in between. */
static bool
movable_to(struct compiler *c, const struct lane *lane, const struct inst *maker,
           const struct cc_block *b, uint32_t reader)
{
   struct writes w = { lane, false };

   if (movable(c, lane))
      return true;
   for (unsigned i = 0; i < 3; i++)
      if (lane->src[i].kind == OPERAND_ARRAY || lane->src[i].kind == OPERAND_SPECIAL)
         return false;
   for (uint32_t i = reader; i-- > 0;) {
      if (b->insts[i] == maker)
         return !w.found;
      if (!b->insts[i]->dead)
         cc_visit_dsts(b->insts[i], find_write, &w);
   }
   return false;
}

static void
count_use(struct cc_operand *o, void *data)
{
   struct compiler *c = data;
   if (o->kind == OPERAND_VALUE)
      c->values[o->value].uses++;
}

static void
take_over(struct compiler *c, struct inst *maker, const struct cc_operand *o)
{
   /* The maker's operands are read by the reader now, and by the maker if others read that. */
   if (--c->values[o->value].uses == 0)
      maker->dead = true;
   else
      cc_visit_operands(maker, count_use, c);
}

static bool
fuse_muladd(struct compiler *c, struct inst *add, const struct cc_block *b, uint32_t at)
{
   struct lane *lane = &add->lane[0];

   if (lane->op != CAYMAN_ALU_ADD || lane->omod)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      struct cc_operand product = lane->src[i], other = lane->src[1 - i];
      struct inst *mul = only_maker(c, &product);
      if (!mul || product.abs || other.abs)
         continue;
      struct lane *m = &mul->lane[0];
      unsigned op;
      if (m->op == CAYMAN_ALU_MUL_IEEE)
         op = CAYMAN_ALU_MULADD_IEEE;
      else if (m->op == CAYMAN_ALU_MUL)
         op = CAYMAN_ALU_MULADD;
      else
         continue;
      if (m->clamp || m->omod || m->src[0].abs || m->src[1].abs || !movable_to(c, m, mul, b, at))
         continue;
      take_over(c, mul, &product);
      lane->op = op;
      lane->src[0] = product.neg ? op_neg(m->src[0]) : m->src[0];
      lane->src[1] = m->src[1];
      lane->src[2] = other;
      return true;
   }
   return false;
}

struct compare {
   uint16_t set, pred, kill;
   uint16_t set_not, pred_not, kill_not; /* of the opposite; 0: there is none */
   bool swap;                            /* the opposite is of exchanged operands */
};

/* Comparisons, the predicate and kill with the same condition, and with the opposite one where
 * Cayman has it and no NaN can tell the difference. */
static const struct compare compares[] = {
#define COMPARE(set, cond, kill) \
   CAYMAN_ALU_SET##set, CAYMAN_ALU_PRED_SET##cond, CAYMAN_ALU_KILL##kill
   { COMPARE(E_DX10, E, E), COMPARE(NE_DX10, NE, NE), false },
   { COMPARE(NE_DX10, NE, NE), COMPARE(E_DX10, E, E), false },
   { COMPARE(GT_DX10, GT, GT), 0, 0, 0, false },
   { COMPARE(GE_DX10, GE, GE), 0, 0, 0, false },
   { COMPARE(E_INT, E_INT, E_INT), COMPARE(NE_INT, NE_INT, NE_INT), false },
   { COMPARE(NE_INT, NE_INT, NE_INT), COMPARE(E_INT, E_INT, E_INT), false },
   { COMPARE(GT_INT, GT_INT, GT_INT), COMPARE(GE_INT, GE_INT, GE_INT), true },
   { COMPARE(GE_INT, GE_INT, GE_INT), COMPARE(GT_INT, GT_INT, GT_INT), true },
   { COMPARE(GT_UINT, GT_UINT, GT_UINT), COMPARE(GE_UINT, GE_UINT, GE_UINT), true },
   { COMPARE(GE_UINT, GE_UINT, GE_UINT), COMPARE(GT_UINT, GT_UINT, GT_UINT), true },
#undef COMPARE
};

static const struct compare *
find_compare(unsigned op)
{
   for (unsigned i = 0; i < sizeof(compares) / sizeof(compares[0]); i++)
      if (compares[i].set == op)
         return &compares[i];
   return NULL;
}

/* "x != 0" or "x == 0" of a boolean in a branch or kill. */
static void
fold_condition(struct compiler *c, struct inst *inst, const struct cc_block *b, uint32_t at)
{
   struct lane *lane = &inst->lane[0];
   bool is_pred = lane->op == CAYMAN_ALU_PRED_SETNE_INT || lane->op == CAYMAN_ALU_PRED_SETE_INT;
   bool is_kill = lane->op == CAYMAN_ALU_KILLNE_INT || lane->op == CAYMAN_ALU_KILLE_INT;

   while ((is_pred || is_kill) && lane->src[1].kind == OPERAND_CONST && lane->src[1].value == 0 &&
          !lane->src[0].neg && !lane->src[0].abs) {
      bool wants_true = lane->op == CAYMAN_ALU_PRED_SETNE_INT || lane->op == CAYMAN_ALU_KILLNE_INT;
      struct cc_operand cond = lane->src[0];
      struct inst *maker = maker_of(c, &cond);
      if (!maker || !movable_to(c, &maker->lane[0], maker, b, at))
         return;
      struct lane *m = &maker->lane[0];
      if (m->op == CAYMAN_ALU_NOT_INT) {
         /* Of a boolean only; that the operand is one is known if a comparison made it. */
         struct inst *inner = maker_of(c, &m->src[0]);
         if (!inner || !find_compare(inner->lane[0].op))
            return;
         take_over(c, maker, &cond);
         lane->src[0] = m->src[0];
         lane->op = is_pred ? (wants_true ? CAYMAN_ALU_PRED_SETE_INT : CAYMAN_ALU_PRED_SETNE_INT)
                            : (wants_true ? CAYMAN_ALU_KILLE_INT : CAYMAN_ALU_KILLNE_INT);
         continue;
      }
      const struct compare *k = find_compare(m->op);
      unsigned op = !k           ? 0
                    : is_pred    ? (wants_true ? k->pred : k->pred_not)
                    : wants_true ? k->kill
                                 : k->kill_not;
      if (!op)
         return;
      const bool swap = !wants_true && k->swap;
      take_over(c, maker, &cond);
      lane->op = op;
      lane->src[0] = m->src[swap];
      lane->src[1] = m->src[!swap];
      return;
   }
}

static bool
is_zero(const struct cc_operand *o)
{
   return o->kind == OPERAND_CONST && (o->value & 0x7fffffff) == 0;
}

/* All bits set or none? */
static bool
is_boolean(struct compiler *c, const struct cc_operand *o, unsigned depth)
{
   const struct inst *maker = maker_of(c, o);

   if (o->neg || o->abs || !depth)
      return false;
   if (o->kind == OPERAND_CONST)
      return o->value == 0 || o->value == ~0u;
   if (!maker)
      return false;
   const struct lane *m = &maker->lane[0];
   switch (m->op) {
   case CAYMAN_ALU_NOT_INT:
      return is_boolean(c, &m->src[0], depth - 1);
   case CAYMAN_ALU_AND_INT:
   case CAYMAN_ALU_OR_INT:
   case CAYMAN_ALU_XOR_INT:
      return is_boolean(c, &m->src[0], depth - 1) && is_boolean(c, &m->src[1], depth - 1);
   case CAYMAN_ALU_CNDE_INT:
      return is_boolean(c, &m->src[1], depth - 1) && is_boolean(c, &m->src[2], depth - 1);
   default:
      return find_compare(m->op) != NULL;
   }
}

#define BOOLEAN_DEPTH 4

static void
fold_not(struct compiler *c, struct inst *inst, const struct cc_block *b, uint32_t at)
{
   struct lane *lane = &inst->lane[0];

   if (lane->op != CAYMAN_ALU_NOT_INT)
      return;
   struct cc_operand cond = lane->src[0];
   struct inst *maker = maker_of(c, &cond);
   const struct compare *k = maker ? find_compare(maker->lane[0].op) : NULL;
   if (!k || !k->set_not || !movable_to(c, &maker->lane[0], maker, b, at))
      return;
   const struct lane *m = &maker->lane[0];
   take_over(c, maker, &cond);
   lane->op = k->set_not;
   lane->src[0] = m->src[k->swap];
   lane->src[1] = m->src[!k->swap];
}

static bool
is_int_zero(const struct cc_operand *o)
{
   return o->kind == OPERAND_CONST && !o->value && !o->neg && !o->abs;
}

/* The choice by x that is the comparison of x with 0, and x: `*opposite`, if that holds where it
 * chooses the second arm.  0: there is none. */
static unsigned
choice_of(const struct lane *compare, struct cc_operand *x, bool *opposite)
{
   const struct cc_operand *a = &compare->src[0], *b = &compare->src[1];
   const bool first = is_int_zero(a);

   if (first == is_int_zero(b))
      return 0;
   *x = first ? *b : *a;
   switch (compare->op) {
   case CAYMAN_ALU_SETE_INT:
      *opposite = false;
      return CAYMAN_ALU_CNDE_INT;
   case CAYMAN_ALU_SETNE_INT:
      *opposite = true;
      return CAYMAN_ALU_CNDE_INT;
   case CAYMAN_ALU_SETGT_INT: /* 0 > x where x >= 0 does not hold */
      *opposite = first;
      return first ? CAYMAN_ALU_CNDGE_INT : CAYMAN_ALU_CNDGT_INT;
   case CAYMAN_ALU_SETGE_INT:
      *opposite = first;
      return first ? CAYMAN_ALU_CNDGT_INT : CAYMAN_ALU_CNDGE_INT;
   default:
      return 0;
   }
}

static void
fold_mask(struct compiler *c, struct inst *inst, const struct cc_block *b, uint32_t at)
{
   struct lane *lane = &inst->lane[0];

   for (unsigned i = 0; i < 2 && lane->op == CAYMAN_ALU_AND_INT; i++) {
      struct cc_operand mask = lane->src[i], other = lane->src[1 - i], x;
      struct inst *maker = maker_of(c, &mask);
      bool opposite = true;
      unsigned op;
      if (!maker || mask.neg || mask.abs || other.neg || other.abs ||
          !movable_to(c, &maker->lane[0], maker, b, at))
         continue;
      const struct lane *m = &maker->lane[0];
      if (m->op == CAYMAN_ALU_NOT_INT && is_boolean(c, &m->src[0], BOOLEAN_DEPTH)) {
         op = CAYMAN_ALU_CNDE_INT;
         x = m->src[0];
         opposite = false;
      } else {
         op = choice_of(m, &x, &opposite);
      }
      if (!op)
         continue;
      take_over(c, maker, &mask);
      lane->op = op;
      lane->src[0] = x;
      lane->src[1] = opposite ? op_const(0) : other;
      lane->src[2] = opposite ? other : op_const(0);
   }
}

/* A select on a comparison with zero is one instruction. */
static void
fold_select(struct compiler *c, struct inst *inst, const struct cc_block *block, uint32_t at)
{
   struct lane *lane = &inst->lane[0];

   if (lane->op != CAYMAN_ALU_CNDE_INT || lane->src[0].neg || lane->src[0].abs)
      return;
   struct cc_operand cond = lane->src[0];
   struct inst *maker = maker_of(c, &cond);
   if (!maker || !movable_to(c, &maker->lane[0], maker, block, at))
      return;
   struct lane *m = &maker->lane[0];
   struct cc_operand a = m->src[0], b = m->src[1];
   struct cc_operand if_true = lane->src[2], if_false = lane->src[1];
   unsigned op;
   bool opposite = false;
   switch (m->op) {
   case CAYMAN_ALU_NOT_INT:
      if (!is_boolean(c, &a, BOOLEAN_DEPTH))
         return;
      op = CAYMAN_ALU_CNDE_INT;
      break;
   case CAYMAN_ALU_SETE_INT:
   case CAYMAN_ALU_SETNE_INT:
   case CAYMAN_ALU_SETGT_INT:
   case CAYMAN_ALU_SETGE_INT:
      op = choice_of(m, &a, &opposite);
      if (!op)
         return;
      break;
   case CAYMAN_ALU_SETGT_DX10:
   case CAYMAN_ALU_SETGE_DX10:
   case CAYMAN_ALU_SETE_DX10:
      /* 0 > x is -x > 0, NaN included. */
      if (is_zero(&a) && !is_zero(&b)) {
         if (m->op != CAYMAN_ALU_SETE_DX10)
            b = op_neg(b);
         a = b;
         b = op_const(0);
      }
      if (!is_zero(&b) || a.abs)
         return;
      op = m->op == CAYMAN_ALU_SETGT_DX10   ? CAYMAN_ALU_CNDGT
           : m->op == CAYMAN_ALU_SETGE_DX10 ? CAYMAN_ALU_CNDGE
                                            : CAYMAN_ALU_CNDE;
      break;
   default:
      return;
   }
   take_over(c, maker, &cond);
   lane->op = op;
   lane->src[0] = a;
   lane->src[1] = opposite ? if_false : if_true;
   lane->src[2] = opposite ? if_true : if_false;
}

static bool
is_bits(const struct cc_operand *o, uint32_t bits)
{
   return o->kind == OPERAND_CONST && o->value == bits && !o->neg && !o->abs;
}

/* The bits of 1.0 under a comparison's mask, or a comparison's choice between 1.0 and 0: the
 * comparison that gives 1.0 or 0.0. */
static void
fold_one(struct compiler *c, struct inst *inst, const struct cc_block *block, uint32_t at)
{
   static const uint16_t ops[][2] = {
      { CAYMAN_ALU_SETE_DX10, CAYMAN_ALU_SETE },
      { CAYMAN_ALU_SETNE_DX10, CAYMAN_ALU_SETNE },
      { CAYMAN_ALU_SETGT_DX10, CAYMAN_ALU_SETGT },
      { CAYMAN_ALU_SETGE_DX10, CAYMAN_ALU_SETGE },
   };
   struct lane *lane = &inst->lane[0];
   unsigned mask_at = 0, opposite = 0;

   if (lane->op == CAYMAN_ALU_AND_INT) {
      mask_at = is_bits(&lane->src[0], ONE_BITS);
      if (!is_bits(&lane->src[1 - mask_at], ONE_BITS))
         return;
   } else if (lane->op == CAYMAN_ALU_CNDE_INT) {
      opposite = is_bits(&lane->src[1], ONE_BITS);
      if (!is_bits(&lane->src[2 - opposite], ONE_BITS) || !is_bits(&lane->src[1 + opposite], 0))
         return;
   } else {
      return;
   }
   struct cc_operand mask = lane->src[mask_at];
   struct inst *maker = maker_of(c, &mask);
   if (!maker || mask.neg || mask.abs || !movable_to(c, &maker->lane[0], maker, block, at))
      return;
   for (unsigned k = 0; k < sizeof(ops) / sizeof(ops[0]); k++) {
      /* Equal and not equal are opposites, of NaN, too. */
      if (maker->lane[0].op != ops[k][0] || (opposite && k > 1))
         continue;
      take_over(c, maker, &mask);
      lane->op = ops[k ^ opposite][1];
      lane->src[0] = maker->lane[0].src[0];
      lane->src[1] = maker->lane[0].src[1];
      lane->src[2] = op_none();
      return;
   }
}

/* An operation on integers that leaves one of its operands as it is. */
static void
fold_neutral(struct inst *inst)
{
   struct lane *lane = &inst->lane[0];
   const bool first = is_bits(&lane->src[0], lane->op == CAYMAN_ALU_AND_INT ? ~0u : 0);
   unsigned kept = 0;

   switch (lane->op) {
   case CAYMAN_ALU_ADD_INT:
   case CAYMAN_ALU_OR_INT:
   case CAYMAN_ALU_XOR_INT:
   case CAYMAN_ALU_AND_INT:
      kept = first;
      break;
   case CAYMAN_ALU_SUB_INT:
   case CAYMAN_ALU_LSHL_INT:
   case CAYMAN_ALU_LSHR_INT:
   case CAYMAN_ALU_ASHR_INT:
      break;
   default:
      return;
   }
   if (is_bits(&lane->src[1 - kept], lane->op == CAYMAN_ALU_AND_INT ? ~0u : 0)) {
      lane->op = CAYMAN_ALU_MOV;
      lane->src[0] = lane->src[kept];
      lane->src[1] = op_none();
   }
}

static void
fold_difference(struct compiler *c, struct inst *inst, const struct cc_block *b, uint32_t at)
{
   struct lane *lane = &inst->lane[0];

   for (unsigned i = 0; i < 2 && lane->op == CAYMAN_ALU_ADD_INT; i++) {
      struct cc_operand negated = lane->src[i], other = lane->src[1 - i];
      struct inst *maker = maker_of(c, &negated);
      if (!maker || maker->lane[0].op != CAYMAN_ALU_SUB_INT ||
          !is_bits(&maker->lane[0].src[0], 0) || !movable_to(c, &maker->lane[0], maker, b, at))
         continue;
      take_over(c, maker, &negated);
      lane->op = CAYMAN_ALU_SUB_INT;
      lane->src[0] = other;
      lane->src[1] = maker->lane[0].src[1];
   }
}

/* The constant that an operand is, or is a copy of; else itself. */
static struct cc_operand
constant_of(struct compiler *c, const struct cc_operand *o)
{
   const struct inst *maker = maker_of(c, o);
   const struct lane *m = maker ? &maker->lane[0] : NULL;

   if (!m || m->op != CAYMAN_ALU_MOV || m->clamp || m->omod || m->src[0].kind != OPERAND_CONST ||
       m->src[0].neg || m->src[0].abs)
      return *o;
   struct cc_operand constant = *o;
   constant.kind = OPERAND_CONST;
   constant.value = m->src[0].value;
   return constant;
}

static void
fold_constants(struct compiler *c, struct inst *inst)
{
   struct lane *lane = &inst->lane[0];
   struct cc_operand src[3];
   uint32_t bits;

   if (inst->ar || inst->keep || inst->side_effect || inst->shape != SHAPE_SCALAR || !lane->dst ||
       lane->clamp || lane->omod || lane->to_array || cayman_alu_info(lane->op)->flags)
      return;
   for (unsigned i = 0; i < 3; i++)
      src[i] = constant_of(c, &lane->src[i]);
   if (!cc_evaluate(lane->op, src, &bits))
      return;
   for (unsigned i = 0; i < cayman_alu_info(lane->op)->num_src; i++)
      if (lane->src[i].kind == OPERAND_VALUE)
         take_over(c, maker_of(c, &lane->src[i]), &lane->src[i]);
   lane->op = CAYMAN_ALU_MOV;
   lane->src[0] = op_const(bits);
   lane->src[1] = lane->src[2] = op_none();
}

/* How far bounded() looks. */
#define BOUND_DEPTH 4

/* The value is at most this. */
static uint32_t
bounded(struct compiler *c, const struct cc_operand *o, unsigned depth)
{
   const struct inst *maker = depth ? maker_of(c, o) : NULL;

   if (o->kind == OPERAND_CONST)
      return o->value;
   if (!maker)
      return UINT32_MAX;
   const struct cc_operand *src = maker->lane[0].src;
   const bool second = src[1].kind == OPERAND_CONST;
   switch (maker->lane[0].op) {
   case CAYMAN_ALU_AND_INT: {
      const uint32_t a = bounded(c, &src[0], depth - 1), b = bounded(c, &src[1], depth - 1);
      return a < b ? a : b;
   }
   case CAYMAN_ALU_LSHR_INT:
      return second ? UINT32_MAX >> (src[1].value & 31) : UINT32_MAX;
   case CAYMAN_ALU_BFE_UINT:
      return src[2].kind == OPERAND_CONST ? (1u << (src[2].value & 31)) - 1 : UINT32_MAX;
   case CAYMAN_ALU_ADD_INT: {
      const uint32_t a = bounded(c, &src[0], depth - 1), b = bounded(c, &src[1], depth - 1);
      return a + b < a ? UINT32_MAX : a + b;
   }
   default:
      return UINT32_MAX;
   }
}

static void
fold_shifted_sum(struct compiler *c, struct inst *inst, const struct cc_block *block, uint32_t at)
{
   struct lane *lane = &inst->lane[0];
   struct cc_operand sum = lane->src[0], term = sum, quotient = op_const(0);

   if (lane->op != CAYMAN_ALU_LSHR_INT || lane->src[1].kind != OPERAND_CONST)
      return;
   const unsigned bits = lane->src[1].value & 31;
   struct inst *add = maker_of(c, &sum);
   if (add && add->lane[0].op == CAYMAN_ALU_ADD_INT) {
      const unsigned known = add->lane[0].src[0].kind == OPERAND_CONST ? 0 : 1;
      const struct cc_operand *constant = &add->lane[0].src[known];
      if (constant->kind != OPERAND_CONST || constant->value & ((1u << bits) - 1))
         return;
      quotient.value = constant->value >> bits;
      term = add->lane[0].src[1 - known];
   } else {
      add = NULL;
   }
   struct inst *shift = maker_of(c, &term);
   if (!shift || shift->lane[0].op != CAYMAN_ALU_LSHL_INT ||
       !is_bits(&shift->lane[0].src[1], bits) || !movable_to(c, &shift->lane[0], shift, block, at))
      return;
   const struct cc_operand factor = shift->lane[0].src[0];
   const uint32_t most = bounded(c, &factor, BOUND_DEPTH);
   if (most > UINT32_MAX >> bits || most + quotient.value > UINT32_MAX >> bits)
      return;
   /* Of the makers the sum is the first that may have no reader left, then the product. */
   if (add)
      take_over(c, add, &sum);
   take_over(c, shift, &term);
   lane->op = quotient.value ? CAYMAN_ALU_ADD_INT : CAYMAN_ALU_MOV;
   lane->src[0] = factor;
   lane->src[1] = quotient.value ? quotient : op_none();
}

static void
fold_equal_arms(struct inst *inst)
{
   struct lane *lane = &inst->lane[0];

   switch (lane->op) {
   case CAYMAN_ALU_CNDE:
   case CAYMAN_ALU_CNDGT:
   case CAYMAN_ALU_CNDGE:
   case CAYMAN_ALU_CNDE_INT:
   case CAYMAN_ALU_CNDGT_INT:
   case CAYMAN_ALU_CNDGE_INT:
      if (op_same(&lane->src[1], &lane->src[2])) {
         lane->op = CAYMAN_ALU_MOV;
         lane->src[0] = lane->src[1];
         lane->src[1] = lane->src[2] = op_none();
      }
      break;
   default:
      break;
   }
}

/* The first clamped copy of each SSA value in a block. */
struct clamped {
   const struct cc_block *block;
   struct inst *copy;
};

/* A clamped copy of a constant is one of another constant, NaN and what is below the normal
 * numbers left out. */
static void
clamp_constant(struct lane *lane)
{
   const uint32_t bits = lane->src[0].value, exponent = bits >> 23 & 0xff;

   if (bits != 0 && (exponent == 0 || exponent == 0xff))
      return;
   lane->src[0] = op_const(bits >> 31 ? 0 : bits > ONE_BITS ? ONE_BITS : bits);
   lane->clamp = false;
}

/* What is read by clamped copies alone is clamped at once; all but the first of them copy the
 * first. */
static void
fold_clamp(struct compiler *c, struct inst *inst, const struct cc_block *b, struct clamped *clamped)
{
   struct lane *lane = &inst->lane[0];
   const struct cc_operand *o = &lane->src[0];

   if (lane->op != CAYMAN_ALU_MOV || !lane->clamp || lane->omod || o->neg || o->abs)
      return;
   if (o->kind == OPERAND_CONST) {
      clamp_constant(lane);
      return;
   }
   if (inst->ar || !maker_of(c, o))
      return;
   const value_id of = o->value;
   if (clamped[of].block == b && clamped[of].copy != inst) {
      const value_id first = clamped[of].copy->lane[0].dst;
      c->values[of].uses--;
      c->values[first].uses++;
      lane->src[0] = op_value(first);
      lane->clamp = false;
      inst = clamped[of].copy;
      lane = &inst->lane[0];
   } else if (lane->dst && c->values[lane->dst].ssa) {
      clamped[of] = (struct clamped){ .block = b, .copy = inst };
   }
   struct inst *maker = only_maker(c, &lane->src[0]);
   if (!lane->clamp || !maker || maker->keep || maker->shape == SHAPE_FIXED ||
       cayman_alu_info(maker->lane[0].op)->dst_type != CAYMAN_TYPE_F32 ||
       cayman_alu_info(maker->lane[0].op)->flags)
      return;
   maker->lane[0].clamp = true;
   lane->clamp = false;
}

/* The output modifier that multiplies by the constant; CAYMAN_OMOD_OFF: there is none. */
static unsigned
omod_of(const struct cc_operand *o)
{
   if (is_bits(o, 0x40000000))
      return CAYMAN_OMOD_M2;
   if (is_bits(o, 0x40800000))
      return CAYMAN_OMOD_M4;
   return is_bits(o, 0x3f000000) ? CAYMAN_OMOD_D2 : CAYMAN_OMOD_OFF;
}

/* The operation on floats, of up to two operands or a dot product, with a result that nothing but
 * this operand reads and nothing has changed yet; NULL. */
static struct inst *
modifiable_maker(struct compiler *c, const struct cc_operand *o)
{
   if (o->kind != OPERAND_VALUE || o->neg || o->abs)
      return NULL;
   const struct cc_value *v = &c->values[o->value];
   struct inst *maker = v->ssa && v->uses == 1 ? v->def : NULL;
   if (!maker || maker->dead || maker->kind != INST_ALU || maker->keep || maker->ar)
      return NULL;
   const struct lane *m = &maker->lane[0];
   const struct cayman_alu_info *info = cayman_alu_info(m->op);
   const bool reduces = info->flags == CAYMAN_ALU_FLAG_REDUCE;
   if (m->clamp || m->omod || info->op3 || info->dst_type != CAYMAN_TYPE_F32)
      return NULL;
   if (reduces ? maker->num_lanes != 4
               : info->flags || maker->num_lanes != 1 || maker->shape == SHAPE_FIXED)
      return NULL;
   return maker;
}

/* The product's clamp comes after the modifier, too. */
static void
fold_scale(struct compiler *c, struct inst *inst)
{
   struct lane *lane = &inst->lane[0];

   if ((lane->op != CAYMAN_ALU_MUL_IEEE && lane->op != CAYMAN_ALU_MUL) || lane->omod)
      return;
   const unsigned scale_at = lane->src[0].kind == OPERAND_CONST ? 0 : 1;
   const struct cc_operand scaled = lane->src[1 - scale_at];
   const unsigned omod = omod_of(&lane->src[scale_at]);
   struct inst *maker = omod ? modifiable_maker(c, &scaled) : NULL;
   if (!maker)
      return;
   for (unsigned l = 0; l < maker->num_lanes; l++) {
      maker->lane[l].omod = omod;
      maker->lane[l].clamp = lane->clamp;
   }
   lane->op = CAYMAN_ALU_MOV;
   lane->clamp = false;
   lane->src[0] = scaled;
   lane->src[1] = op_none();
}

static bool
takes_wide_signs(unsigned op)
{
   switch (op) {
   case CAYMAN_ALU_ADD_64:
   case CAYMAN_ALU_MIN_64:
   case CAYMAN_ALU_MAX_64:
   case CAYMAN_ALU_SETE_64:
   case CAYMAN_ALU_SETNE_64:
   case CAYMAN_ALU_SETGT_64:
   case CAYMAN_ALU_SETGE_64:
      return true;
   default:
      return false;
   }
}

/* Of the two slots the first one has the high dwords, and the modifiers. */
static void
fold_wide_signs(struct compiler *c, struct inst *inst, const struct cc_block *b, uint32_t at)
{
   struct lane *lane = &inst->lane[0];

   if (inst->num_lanes != 2 || inst->dead || !takes_wide_signs(lane->op))
      return;
   for (unsigned i = 0; i < 2; i++) {
      struct cc_operand *o = &lane->src[i];
      struct inst *maker;
      while ((maker = maker_of(c, o)) && movable_to(c, &maker->lane[0], maker, b, at)) {
         const struct lane *m = &maker->lane[0];
         const bool turns = m->op == CAYMAN_ALU_XOR_INT && is_bits(&m->src[1], 0x80000000u);
         const bool clears = m->op == CAYMAN_ALU_AND_INT && is_bits(&m->src[1], 0x7fffffff);
         struct cc_operand plain = m->src[0];
         if ((!turns && !clears) || plain.kind == OPERAND_CONST || plain.neg || plain.abs)
            break;
         plain.neg = o->neg ^ (turns && !o->abs);
         plain.abs = o->abs | clears;
         take_over(c, maker, o);
         *o = plain;
      }
   }
}

void
cc_fold(struct compiler *c)
{
   struct clamped *clamped = cc_alloc(c, c->num_values * sizeof(*clamped));

   for (uint32_t b = 0; b < c->num_blocks; b++) {
      struct cc_block *block = &c->blocks[b];
      for (uint32_t i = 0; i < block->num_insts; i++) {
         struct inst *inst = block->insts[i];
         if (inst->kind == INST_ALU)
            fold_wide_signs(c, inst, block, i);
         if (inst->kind != INST_ALU || inst->num_lanes != 1 || inst->dead)
            continue;
         fold_constants(c, inst);
         fuse_muladd(c, inst, block, i);
         fold_difference(c, inst, block, i);
         fold_not(c, inst, block, i);
         fold_select(c, inst, block, i);
         fold_shifted_sum(c, inst, block, i);
         fold_neutral(inst);
         fold_equal_arms(inst);
         fold_one(c, inst, block, i);
         fold_mask(c, inst, block, i);
         fold_scale(c, inst);
         fold_clamp(c, inst, block, clamped);
         fold_condition(c, inst, block, i);
      }
      if (block->pred)
         fold_condition(c, block->pred, block, block->num_insts);
   }
   cc_sweep(c); /* what was taken over has left the counts wrong */
}
