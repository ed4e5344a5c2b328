/* SPDX-License-Identifier: MIT */
/*
 * Integers that ATTILA has no instructions for, as IL of those that it has: add, multiply and
 * compare.  Exact for all values, in loops over bits from the top one on, which is the sign; what
 * shaders do have a shorter way around them.
 *
 *  1. A shift to the left multiplies by a power of two.
 *  2. A shift to the right by n takes the upper 32 - n bits.  One of the sign by 31 is left alone:
 *     it is a comparison.
 *  3. And, or and exclusive or, if neither operand is a boolean that is known to be one: if the
 *     first happens to be 0 or ~0, it chooses; else bit by bit.
 *  4. A division of numbers below 2^24 goes by the float reciprocal and is corrected by one; others
 *     are divided as by hand.  By 0: ~0.
 */
#include "ir.h"

struct expander {
   struct ac_compiler *c;
   struct il_program *p;
   uint32_t next_temp, next_literal;
   uint32_t place;
};

static struct il_inst *
placed(struct expander *e, struct il_inst *i)
{
   if (!i || e->p->oom)
      ac_fail(e->c, "out of memory");
   i->place = e->place;
   return i;
}

static struct il_src
literal(struct expander *e, uint32_t bits)
{
   const uint32_t data[4] = { bits, bits, bits, bits };
   struct il_src s = il_src(IL_REGTYPE_LITERAL, e->next_literal++);

   placed(e, il_emit_data(e->p, IL_OP_DCL_LITERAL, 0, NULL, 1, &s, 4, data));
   return il_replicate(s, 0);
}

static void
emit(struct expander *e, unsigned op, unsigned ctl, struct il_src to, unsigned num_src,
     struct il_src a, struct il_src b, struct il_src d)
{
   const struct il_src src[3] = { a, b, d };
   struct il_dst dst = il_dst_masked(il_dst(IL_REGTYPE_TEMP, to.r.num), 1);
   placed(e, il_emit(e->p, (enum il_opcode)op, ctl, &dst, num_src, src));
}

static struct il_src
new_temp(struct expander *e)
{
   return il_replicate(il_src(IL_REGTYPE_TEMP, e->next_temp++), 0);
}

/* A new temp with a result, or into one that there is. */
static struct il_src
value(struct expander *e, unsigned op, unsigned num_src, struct il_src a, struct il_src b,
      struct il_src d)
{
   struct il_src to = new_temp(e);
   emit(e, op,
        op == IL_OP_MUL       ? il_ctl_ieee(1)
        : op == IL_OP_RCP_VEC ? IL_ZEROOP_INFINITY
                              : 0,
        to, num_src, a, b, d);
   return to;
}
/* Operands are made in their order, whatever the compiler. */
#define OP1(op, a)                               \
   ({                                            \
      const struct il_src op_a = (a);            \
      value(e, IL_OP_##op, 1, op_a, op_a, op_a); \
   })
#define OP2(op, a, b)                             \
   ({                                             \
      const struct il_src op_a = (a), op_b = (b); \
      value(e, IL_OP_##op, 2, op_a, op_b, op_b);  \
   })
#define OP3(op, a, b, d)                                      \
   ({                                                         \
      const struct il_src op_a = (a), op_b = (b), op_d = (d); \
      value(e, IL_OP_##op, 3, op_a, op_b, op_d);              \
   })
#define SET(to, op, num, a, b, d)                             \
   ({                                                         \
      const struct il_src op_a = (a), op_b = (b), op_d = (d); \
      emit(e, IL_OP_##op, 0, to, num, op_a, op_b, op_d);      \
   })
#define SET1(to, op, a)       SET(to, op, 1, a, op_a, op_a)
#define SET2(to, op, a, b)    SET(to, op, 2, a, b, op_b)
#define SET3(to, op, a, b, d) SET(to, op, 3, a, b, d)

static void
flow(struct expander *e, unsigned op, const struct il_src *condition)
{
   placed(e, il_emit(e->p, (enum il_opcode)op, 0, NULL, condition != NULL, condition));
}

/* Begins a loop of `count` rounds. */
static struct il_src
begin_loop(struct expander *e, struct il_src count)
{
   struct il_src number = OP1(MOV, literal(e, 0));

   flow(e, IL_OP_WHILE, NULL);
   struct il_src done = OP2(I_GE, number, count);
   flow(e, IL_OP_BREAK_LOGICALNZ, &done);
   SET2(number, I_ADD, number, literal(e, 1));
   return number;
}

static void
end_loop(struct expander *e)
{
   flow(e, IL_OP_ENDLOOP, NULL);
}

/* r = 2 r + bit */
static void
append_bit(struct expander *e, struct il_src r, struct il_src bit)
{
   SET2(r, I_ADD, r, r);
   SET3(r, CMOV_LOGICAL, bit, OP2(I_ADD, r, literal(e, 1)), r);
}

static bool
known(const struct il_program *p, const struct il_src *s, uint32_t *bits)
{
   if (s->r.type != IL_REGTYPE_LITERAL || (s->has_mod && (s->flags || s->neg)))
      return false;
   for (uint32_t n = 0; n < p->ninsts; n++) {
      const struct il_inst *i = &p->insts[n];
      if (i->op == IL_OP_DCL_LITERAL && i->nsrc && i->ndata >= 4 && i->src[0].r.num == s->r.num) {
         const unsigned sel = il_src_swz(s, 0);
         *bits = sel < 4 ? i->data[sel] : sel == IL_COMPSEL_1 ? 0x3f800000 : 0;
         return true;
      }
   }
   return false;
}

/* A register of its own, of an integer that may be negated: a move would take it for a float. */
static struct il_src
integer(struct expander *e, struct il_src s)
{
   return s.neg ? OP2(I_ADD, s, literal(e, 0)) : OP1(MOV, s);
}

/* --- shifts --- */

/* The sum or product of what bits 0 to 4 of a count stand for. */
static struct il_src
of_count(struct expander *e, struct il_src count, bool power)
{
   struct il_src bits = OP2(I_MUL, count, literal(e, 1u << 27));
   struct il_src r = OP1(MOV, literal(e, power));

   for (unsigned b = 5; b-- > 0;) {
      struct il_src set = OP2(I_LT, bits, literal(e, 0));
      struct il_src next =
         power ? OP2(I_MUL, r, literal(e, 1u << (1u << b))) : OP2(I_ADD, r, literal(e, 1u << b));
      SET3(r, CMOV_LOGICAL, set, next, r);
      SET2(bits, I_ADD, bits, bits);
   }
   return r;
}

static struct il_src
shift_left(struct expander *e, struct il_src x, struct il_src count)
{
   uint32_t n;

   if (known(e->p, &count, &n))
      return OP2(I_MUL, x, literal(e, 1u << (n & 31)));
   return OP2(I_MUL, x, of_count(e, count, true));
}

static struct il_src
shift_right(struct expander *e, struct il_src x, struct il_src count, bool is_signed)
{
   uint32_t n;
   struct il_src bits = integer(e, x), left;
   struct il_src r = is_signed ? OP2(I_SHR, x, literal(e, 31)) : OP1(MOV, literal(e, 0));
   struct il_src result = OP1(I_NOT, OP1(I_NOT, r)); /* bits, not a boolean */

   if (known(e->p, &count, &n))
      left = literal(e, 32 - (n & 31));
   else
      left = OP2(I_ADD, literal(e, 32), il_negate(of_count(e, count, false)));
   begin_loop(e, left);
   append_bit(e, result, OP2(I_LT, bits, literal(e, 0)));
   SET2(bits, I_ADD, bits, bits);
   end_loop(e);
   return result;
}

/* --- operations on bits --- */

static struct il_src
bitwise(struct expander *e, unsigned op, struct il_src a, struct il_src b)
{
   struct il_src x = OP1(MOV, a), y = OP1(MOV, b), zero = literal(e, 0), ones = literal(e, ~0u);
   struct il_src yes = op == IL_OP_AND ? y : op == IL_OP_I_OR ? ones : OP1(I_NOT, y);
   struct il_src r = OP3(CMOV_LOGICAL, x, yes, op == IL_OP_AND ? zero : y);
   struct il_src simple = OP2(I_OR, OP2(I_EQ, x, zero), OP2(I_EQ, x, ones));

   flow(e, IL_OP_IF_LOGICALZ, &simple);
   SET1(r, MOV, zero);
   begin_loop(e, literal(e, 32));
   struct il_src left = OP2(I_LT, x, zero), right = OP2(I_LT, y, zero);
   append_bit(e, r, value(e, op, 2, left, right, right));
   SET2(x, I_ADD, x, x);
   SET2(y, I_ADD, y, y);
   end_loop(e);
   flow(e, IL_OP_ENDIF, NULL);
   return r;
}

/* --- division --- */

static void
divide_small(struct expander *e, struct il_src n, struct il_src d, struct il_src q, struct il_src r)
{
   struct il_src f = OP2(MUL, OP1(UTOF, n), OP1(RCP_VEC, OP1(UTOF, d)));

   SET1(q, FTOI, f);
   SET2(r, I_ADD, n, il_negate(OP2(I_MUL, q, d)));
   struct il_src below = OP2(I_LT, r, literal(e, 0));
   SET3(q, CMOV_LOGICAL, below, OP2(I_ADD, q, literal(e, ~0u)), q);
   SET3(r, CMOV_LOGICAL, below, OP2(I_ADD, r, d), r);
   struct il_src above = OP2(I_GE, r, d);
   SET3(q, CMOV_LOGICAL, above, OP2(I_ADD, q, literal(e, 1)), q);
   SET3(r, CMOV_LOGICAL, above, OP2(I_ADD, r, il_negate(d)), r);
}

static void
divide_large(struct expander *e, struct il_src n, struct il_src d, struct il_src q, struct il_src r)
{
   struct il_src bits = OP1(MOV, n), zero = literal(e, 0);

   SET1(q, MOV, zero);
   SET1(r, MOV, zero);
   begin_loop(e, literal(e, 32));
   struct il_src carry = OP2(I_LT, r, zero);
   append_bit(e, r, OP2(I_LT, bits, zero));
   SET2(bits, I_ADD, bits, bits);
   struct il_src takes = OP2(I_OR, carry, OP2(U_GE, r, d));
   append_bit(e, q, takes);
   SET3(r, CMOV_LOGICAL, takes, OP2(I_ADD, r, il_negate(d)), r);
   end_loop(e);
}

static struct il_src
divide(struct expander *e, struct il_src a, struct il_src b, bool remainder)
{
   struct il_src n = integer(e, a), d = integer(e, b), limit = literal(e, 1u << 24);
   struct il_src q = new_temp(e), r = new_temp(e);
   struct il_src small = OP2(AND, OP2(U_LT, n, limit), OP2(U_LT, d, limit));

   flow(e, IL_OP_IF_LOGICALNZ, &small);
   divide_small(e, n, d, q, r);
   flow(e, IL_OP_ELSE, NULL);
   divide_large(e, n, d, q, r);
   flow(e, IL_OP_ENDIF, NULL);
   return OP3(CMOV_LOGICAL, d, remainder ? r : q, literal(e, ~0u));
}

/* --- the pass --- */

/* Component c of an operand, in all four. */
static struct il_src
component(const struct il_src *s, unsigned c)
{
   struct il_src r = *s;

   for (unsigned k = 0; k < 4; k++)
      r.swz[k] = (uint8_t)il_src_swz(s, c);
   r.neg = il_src_neg(s, c) ? 15 : 0;
   if (!r.has_mod)
      r.flags = r.divcomp = r.reserved = 0;
   r.has_mod = true;
   return r;
}

static bool
is_boolean(const struct expander *e, const struct il_src *s)
{
   const unsigned sel = il_src_swz(s, 0);
   uint32_t bits;

   if (s->flags || s->neg)
      return false;
   if (sel > 3)
      return sel == IL_COMPSEL_0;
   if (known(e->c->il, s, &bits))
      return bits == 0 || bits == UINT32_MAX;
   if (s->r.type == IL_REGTYPE_INPUT)
      return e->c->il->shader == IL_SHADER_PIXEL && s->r.num == IL_PS_INPUT_FRONT_FACE;
   return s->r.type == IL_REGTYPE_TEMP && 4 * (uint64_t)s->r.num + sel < e->c->num_booleans &&
          e->c->boolean[4 * (size_t)s->r.num + sel];
}

static bool
expands(const struct expander *e, const struct il_inst *inst, unsigned c)
{
   uint32_t bits;

   if (inst->nsrc < 2 || !inst->ndst)
      return false;
   const struct il_src a = component(&inst->src[0], c), b = component(&inst->src[1], c);
   switch (inst->op) {
   case IL_OP_AND:
   case IL_OP_I_OR:
   case IL_OP_I_XOR:
      return !is_boolean(e, &a) && !is_boolean(e, &b);
   case IL_OP_I_SHR:
      return !known(e->c->il, &b, &bits) || bits != 31;
   case IL_OP_I_SHL:
   case IL_OP_U_SHR:
   case IL_OP_U_DIV:
   case IL_OP_U_MOD:
      return true;
   default:
      return false;
   }
}

/* Does it write nothing that is computed? */
static bool
computes_nothing(const struct il_inst *inst)
{
   switch (inst->op) {
   case IL_OP_AND:
   case IL_OP_I_OR:
   case IL_OP_I_XOR:
   case IL_OP_I_SHL:
   case IL_OP_I_SHR:
   case IL_OP_U_SHR:
   case IL_OP_U_DIV:
   case IL_OP_U_MOD:
      return inst->ndst && !il_dst_mask(&inst->dst[0]);
   default:
      return false;
   }
}

static bool
any_expands(const struct expander *e, const struct il_inst *inst)
{
   if (computes_nothing(inst))
      return true;
   for (unsigned c = 0; c < 4 && inst->ndst; c++)
      if (il_dst_mask(&inst->dst[0]) >> c & 1 && expands(e, inst, c))
         return true;
   return false;
}

static struct il_src
expand(struct expander *e, const struct il_inst *inst, unsigned c)
{
   const struct il_src a = component(&inst->src[0], c), b = component(&inst->src[1], c);

   if (!expands(e, inst, c))
      return value(e, inst->op, 2, a, b, b);
   switch (inst->op) {
   case IL_OP_I_SHL:
      return shift_left(e, a, b);
   case IL_OP_I_SHR:
   case IL_OP_U_SHR:
      return shift_right(e, a, b, inst->op == IL_OP_I_SHR);
   case IL_OP_U_DIV:
   case IL_OP_U_MOD:
      return divide(e, a, b, inst->op == IL_OP_U_MOD);
   default:
      return bitwise(e, inst->op, a, b);
   }
}

static void
copy(struct expander *e, const struct il_inst *inst)
{
   struct il_inst *to = il_emit(e->p, (enum il_opcode)inst->op, inst->ctl, NULL, 0, NULL);

   if (!to || e->p->oom)
      ac_fail(e->c, "out of memory");
   *to = *inst;
   to->place = e->place;
}

static void
expand_inst(struct expander *e, const struct il_inst *inst)
{
   struct il_src result[4];
   const unsigned mask = il_dst_mask(&inst->dst[0]);

   for (unsigned c = 0; c < 4; c++)
      if (mask >> c & 1)
         result[c] = expand(e, inst, c);
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask >> c & 1))
         continue;
      struct il_dst dst = il_dst_masked(inst->dst[0], 1u << c);
      placed(e, il_emit(e->p, IL_OP_MOV, 0, &dst, 1, &result[c]));
   }
   /* Components that are 0 or 1 whatever the result. */
   struct il_dst rest = inst->dst[0];
   bool fixed = false;
   for (unsigned c = 0; c < 4; c++) {
      const unsigned how = il_dst_comp(&inst->dst[0], c);
      const bool here = how == IL_MODCOMP_0 || how == IL_MODCOMP_1;
      rest.comp[c] = here ? (uint8_t)how : IL_MODCOMP_NOWRITE;
      fixed |= here;
   }
   if (fixed) {
      const struct il_src zero = literal(e, 0);
      rest.has_mod = true;
      placed(e, il_emit(e->p, IL_OP_MOV, 0, &rest, 1, &zero));
   }
}

static void
count_reference(struct expander *e, const struct il_ref *r)
{
   for (; r; r = r->index ? &r->index->r : NULL) {
      uint32_t *next = r->type == IL_REGTYPE_TEMP      ? &e->next_temp
                       : r->type == IL_REGTYPE_LITERAL ? &e->next_literal
                                                       : NULL;
      if (next && r->num >= *next)
         *next = r->num < 1u << 24 ? r->num + 1 : 1u << 24;
   }
}

static void
count_registers(struct expander *e)
{
   il_foreach(inst, e->c->il)
   {
      for (unsigned k = 0; k < inst->nsrc; k++)
         count_reference(e, &inst->src[k].r);
      for (unsigned k = 0; k < inst->ndst; k++)
         count_reference(e, &inst->dst[k].r);
   }
}

struct il_program *
ac_expand_integers(struct ac_compiler *c)
{
   struct expander e = { .c = c };
   bool any = false;

   for (uint32_t n = 0; n < c->il->ninsts && !any; n++)
      any = any_expands(&e, &c->il->insts[n]);
   if (!any)
      return NULL;
   e.p = il_program_new((enum il_shader)c->il->shader);
   if (!e.p)
      ac_fail(c, "out of memory");
   c->expanded = e.p; /* whoever catches a failure frees it */
   count_registers(&e);
   if (e.next_temp > 60000 || e.next_literal > 60000)
      ac_fail(c, "not implemented: more than 60000 temporaries or literals");
   for (uint32_t n = 0; n < c->il->ninsts; n++) {
      const struct il_inst *inst = &c->il->insts[n];
      e.place = il_place(c->il, n) + 1;
      if (any_expands(&e, inst))
         expand_inst(&e, inst);
      else
         copy(&e, inst);
      if (e.p->ninsts > 1u << 20)
         ac_fail(c, "not implemented: a program of this length");
   }
   return e.p;
}
