/* SPDX-License-Identifier: MIT */
/*
 * Machine code for one micro-operation: the instructions that the interpreter's code (lane.c,
 * emulator/arith.h) comes down to, in the same order of roundings.
 *
 * NaNs: float operations give some NaN where the interpreter gives the canonical one.  The slot
 * says so (any_nan), and the canonical one is put there before the bits are seen: by a store, by a
 * move or selection, by an integer operation.  Arithmetic and comparisons do not see them.
 */
#include "uop/native_emit.h"
#include "uop/native_form.h"

#if VW > 4

/* The table's column: form, immediate and instruction in one number, which goes through macros as
 * one argument. */
#define N(form, imm, code) (FORM_##form | (imm) << 8 | (uint32_t)(code) << 16)
static const uint32_t lowerings[UOP_COUNT] = {
#define UOP(name, handler, result, operands, kinds, effects, params, records, cost, native) \
   [UOP_##name] = native,
#include "uop/uops.def"
};

struct lowering {
   uint8_t form, imm;
   uint16_t code;
};

static struct lowering
lowering_of(const struct bound_uop *u)
{
   const uint32_t l = lowerings[u->op];
   return (struct lowering){ (uint8_t)l, (uint8_t)(l >> 8), (uint16_t)(l >> 16) };
}

/* operand() knows how. */
static bool
known_modifiers(const struct bound_uop *u)
{
   for (unsigned k = 0; k < 3; k++) {
      bool plain = u->flip[k] == 0 || u->flip[k] == 0x80000000u;
      if (!plain && (u->flip[k] != ~0u || u->keep[k] != ~0u))
         return false;
   }
   return true;
}

bool
K(native_can)(const struct bound_uop *u)
{
   for (unsigned r = 0; r < u->length; r++)
      if (!known_modifiers(u + r))
         return false;
   const unsigned form = lowering_of(u).form;

   return !u->when && form != FORM_NONE && u->length == uop_infos[u->op].records &&
          (form < FORM_F64 || K(native_can_64)(u, form));
}

bool
K(native_is_64)(const struct bound_uop *u)
{
   return lowering_of(u).form >= FORM_F64;
}

/* Whether it does the same in every rounding mode. */
static bool
any_mode(const struct bound_uop *u)
{
   switch (lowering_of(u).form) {
   case FORM_MOV:
      return !u->scale && !u->clamp;
   case FORM_COPY:
   case FORM_INT:
   case FORM_INT_SHIFT:
   case FORM_NOT:
   case FORM_INT_TEST:
   case FORM_INT_SELECT:
   case FORM_BFI:
   case FORM_BFE:
   case FORM_BFM:
   case FORM_CARRY:
   case FORM_BORROW:
   case FORM_MULHI:
   case FORM_MUL24:
   case FORM_ALIGN:
      return true;
   default:
      return false;
   }
}

unsigned
K(native_weight)(const struct bound_uop *u)
{
   switch (lowering_of(u).form) {
   case FORM_EXP2:
   case FORM_LOG2:
   case FORM_SIN:
      return 24;
   default:
      return 1;
   }
}

bool
K(native_is_predicate)(const struct bound_uop *u)
{
   const unsigned form = lowering_of(u).form;
   return form >= FORM_PRED && form <= FORM_INT_KILL;
}

bool
K(native_is_arithmetic)(const struct bound_uop *u)
{
   switch (lowering_of(u).form) {
   case FORM_COMMUTES:
   case FORM_MUL:
   case FORM_MULADD:
   case FORM_MULADD_IEEE:
   case FORM_MAX:
   case FORM_FRACT:
   case FORM_ROUND:
   case FORM_RECIPROCAL:
   case FORM_RSQ:
   case FORM_SQRT:
   case FORM_EXP2:
   case FORM_LOG2:
   case FORM_SIN:
   case FORM_FMA:
   case FORM_FRC:
      return true;
   default:
      return false;
   }
}

/* The product with 0 * anything = 0. */
static unsigned
legacy_product(struct native *n, struct native_value a, struct native_value b)
{
   unsigned x = K(native_load)(n, &a), y = K(native_load)(n, &b), r = float_result(n);
   struct native_value zero = native_constant(NATIVE_ZERO);
#if VW == 16
   for (unsigned s = 0; s < n->strips; s++) {
      x86_vec_imm(&n->x, X86_CMPPS, 1 + s, native_reg(n, x, s), native_rm(n, &zero, s), X86_NEQ_UQ);
      x86_vec_masked(&n->x, X86_CMPPS, 1 + s, native_reg(n, y, s), native_rm(n, &zero, s), 1 + s,
                     false);
      x86_byte(&n->x, X86_NEQ_UQ);
      x86_vec_masked(&n->x, X86_MULPS, native_reg(n, r, s), native_reg(n, x, s),
                     x86_reg(native_reg(n, y, s)), 1 + s, true);
   }
#else
   struct mask p = new_mask(n, 0), q = new_mask(n, 1);
   compare(n, p, X86_NEQ_UQ, x, zero);
   compare(n, q, X86_NEQ_UQ, y, zero);
   three(n, X86_ANDPS, p.first, p.first, native_in(q.first));
   three(n, X86_MULPS, r, x, native_in(y));
   three(n, X86_ANDPS, r, r, native_in(p.first));
   K(native_release)(n, p.first);
   K(native_release)(n, q.first);
#endif
   return r;
}

static unsigned
product(struct native *n, const struct bound_uop *u, bool legacy)
{
   struct native_value a = operand(n, u, 0, false), b = operand(n, u, 1, false);
   if (legacy)
      return legacy_product(n, a, b);
   unsigned r = float_result(n);
   commutes(n, X86_MULPS, r, a, b);
   return r;
}

/* ------------------------------------------------------------------------------------------------
 * Operations
 */
static unsigned
sum(struct native *n, const struct bound_uop *u)
{
   /* x + -y is x - y in every mode of rounding. */
   for (unsigned k = 0; k < 2; k++) {
      if (!only_negated(u, k))
         continue;
      struct native_value a = operand(n, u, 1 - k, false);
      struct native_value b = usable(n, K(native_operand)(n, u, k));
      unsigned r = float_result(n);
      three(n, X86_SUBPS, r, K(native_load)(n, &a), b);
      return r;
   }
   struct native_value a = operand(n, u, 0, false), b = operand(n, u, 1, false);
   unsigned r = float_result(n);
   commutes(n, X86_ADDPS, r, a, b);
   return r;
}

static unsigned
product_and_sum(struct native *n, const struct bound_uop *u, bool legacy)
{
   unsigned r = product(n, u, legacy);
   bool minus = only_negated(u, 2);
   struct native_value c = minus ? usable(n, K(native_operand)(n, u, 2)) : operand(n, u, 2, false);
   three(n, minus ? X86_SUBPS : X86_ADDPS, r, r, c);
   return r;
}

/* Operand v as the mode takes it and gives it: denormals flushed or kept. */
static unsigned
flushed(struct native *n, struct native_value v)
{
   const unsigned to = K(native_take)(n);

   three(n, X86_MULPS, to, K(native_load)(n, &v), native_constant(NATIVE_ONE));
   return to;
}

/* Of a value and a literal, which is no NaN: the instruction gives its second operand where one is
 * a NaN, or both are zero.  That is right for the literal but in two cases: zeros of which the
 * other sign may be wanted, and a NaN that is to stay, being the second operand.  False: one of
 * them. */
static bool
extreme_of_literal(struct native *n, const struct bound_uop *u, unsigned code, bool dx10,
                   unsigned *result)
{
   uint32_t bits;
   const unsigned k = plain_literal(n, u, 1, &bits) ? 1 : 0;

   if (!plain_literal(n, u, k, &bits) || (!(bits << 1) && (bits || code != X86_MAXPS)))
      return false;
   const bool keeps_nan = k == 0 && !dx10;
   if (keeps_nan && !bits)
      return false;
   /* What would be flushed is on the other side of a literal that is greater, or less. */
   const bool hides = bits && (bits >> 31) == (code == X86_MINPS);
   struct native_value a = operand(n, u, 1 - k, false), c = operand(n, u, k, false);
   const unsigned x = hides ? K(native_load)(n, &a) : flushed(n, a);
   const unsigned r = float_result(n);
   if (keeps_nan)
      three(n, code, r, K(native_load)(n, &c), native_in(x));
   else
      three(n, code, r, x, c);
   n->slot[r].any_nan = keeps_nan;
   *result = r;
   return true;
}

/* Whether the slot of a value may have the result: nothing but operands of u is in it, and nothing
 * reads them again. */
static bool
ends_here(const struct native *n, const struct bound_uop *u, struct native_value v)
{
   if (v.kind != NATIVE_SLOT)
      return false;
   const struct native_slot *slot = &n->slot[v.slot];
   if (slot->fixed || slot->splat)
      return false;
   for (unsigned h = 0; h < slot->count; h++) {
      bool ends = slot->holds[h] == u->dst / COMP_BYTES;
      for (unsigned k = 0; k < uop_infos[u->op].operands && !ends; k++)
         ends = !(u->uni >> k & 1) && slot->holds[h] == u->src[k] / COMP_BYTES &&
                n->then[k] == NATIVE_DEAD;
      if (!ends)
         return false;
   }
   return true;
}

/* The result takes the slot of one of the operands: of one that is not needed any more, if there is
 * one. */
static unsigned
product_and_sum_at_once(struct native *n, const struct bound_uop *u)
{
   struct native_value v[3];
   unsigned code = 0;
   for (unsigned k = 0; k < 3; k++) {
      const bool minus = only_negated(u, k);
      v[k] = minus ? usable(n, K(native_operand)(n, u, k)) : operand(n, u, k, false);
      if (minus)
         code = k == 2 ? code + X86_FMA_SUBTRACTS : code ^ X86_FMA_NEGATES;
   }
   /* One of the factors has to be in a slot, and goes first. */
   if (v[0].kind != NATIVE_SLOT && v[1].kind == NATIVE_SLOT) {
      struct native_value t = v[0];
      v[0] = v[1], v[1] = t;
   }
   K(native_load)(n, &v[0]);
   for (unsigned k = 1; k < 3; k++)
      if (v[k].kind == NATIVE_FILE && n->at[v[k].offset / COMP_BYTES] >= 0)
         K(native_load)(n, &v[k]); /* it was the same */

   unsigned r;
   if (ends_here(n, u, v[2])) {
      r = v[2].slot;
      three(n, code + X86_FMADD231PS, r, v[0].slot, v[1]);
   } else {
      unsigned other = 1;
      if (!ends_here(n, u, v[0]) && ends_here(n, u, v[1])) {
         r = v[1].slot;
         other = 0;
      } else if (ends_here(n, u, v[0])) {
         r = v[0].slot;
      } else {
         r = K(native_take)(n);
         two(n, X86_MOVAPS_LOAD, r, v[0]);
      }
      if (v[other].kind == NATIVE_SLOT)
         three(n, code + X86_FMADD213PS, r, v[other].slot, v[2]);
      else
         three(n, code + X86_FMADD132PS, r, K(native_load)(n, &v[2]), v[other]);
   }
   while (n->slot[r].count)
      K(native_forget)(n, n->slot[r].holds[0]);
   n->slot[r].any_nan = n->slot[r].computed = true;
   n->slot[r].is_mask = false;
   return r;
}

static unsigned
extreme(struct native *n, const struct bound_uop *u, unsigned code, bool dx10)
{
   unsigned of_literal;
   if (extreme_of_literal(n, u, code, dx10, &of_literal))
      return of_literal;
   struct native_value a = operand(n, u, 0, false), b = operand(n, u, 1, false);
   unsigned x = flushed(n, a), y = flushed(n, b), r = float_result(n);
   struct mask m = new_mask(n, 0);
   three(n, code, r, x, native_in(y));
   /* Of equal ones (zeros) the right sign. */
   compare(n, m, X86_EQ_OQ, x, native_in(y));
   unsigned both = K(native_take)(n);
   three(n, code == X86_MAXPS ? X86_ANDPS : X86_ORPS, both, x, native_in(y));
   merge(n, m, r, native_in(both));
   if (dx10) {
      compare(n, m, X86_UNORD_Q, y, native_in(y));
      merge(n, m, r, native_in(x));
   }
   return r;
}

/* m ? b : c */
static unsigned
selected(struct native *n, struct mask m, struct native_value b, struct native_value c)
{
   unsigned r = K(native_take)(n);
   if (m.inverted) {
      struct native_value t = b;
      b = c, c = t;
   }
#if VW == 16
   unsigned from = K(native_load)(n, &c);
   for (unsigned s = 0; s < n->strips; s++) {
      x86_vec_masked(&n->x, X86_BLENDMPS, native_reg(n, r, s), native_reg(n, from, s),
                     native_rm(n, &b, s), m.first + s, false);
   }
#else
   unsigned from = K(native_load)(n, &c);
   for (unsigned s = 0; s < n->strips; s++) {
      x86_vec_imm(&n->x, X86_BLENDVPS, native_reg(n, r, s), native_reg(n, from, s),
                  native_rm(n, &b, s), native_reg(n, m.first, s) << 4);
   }
#endif
   return r;
}

/* Whether a NaN of operand k may be made the canonical one after the selection. */
static bool
nan_can_wait(const struct native *n, const struct bound_uop *u, unsigned k)
{
   const unsigned component = u->src[k] / COMP_BYTES;
   uint32_t bits;

   if (u->uni >> k & 1)
      return plain_literal(n, u, k, &bits);
   return !(u->mods >> k & 1) && component < n->components && n->at[component] >= 0 &&
          n->slot[n->at[component]].computed;
}

/* Operand 1 where the test holds for operand 0, else operand 2. */
static unsigned
selection(struct native *n, const struct bound_uop *u, const struct lowering *l)
{
   const bool bits = l->form == FORM_INT_SELECT;
   const bool waits = nan_can_wait(n, u, 1) && nan_can_wait(n, u, 2);
   struct native_value a = operand(n, u, 0, bits);
   struct native_value b = operand(n, u, 1, !waits), c = operand(n, u, 2, !waits);
   const bool any_nan = (b.kind == NATIVE_SLOT && n->slot[b.slot].any_nan) ||
                        (c.kind == NATIVE_SLOT && n->slot[c.slot].any_nan);
   struct mask m;

   if (!bits) {
      const unsigned x = K(native_load)(n, &a);
      m = new_mask(n, 0);
      compare(n, m, l->imm, x, native_constant(NATIVE_ZERO));
   } else if (VW == 8 && a.kind == NATIVE_SLOT &&
              (l->imm == TEST_GE || (n->slot[a.slot].is_mask && l->imm == TEST_EQ))) {
      /* Signs decide. */
      m = (struct mask){ a.slot, true };
   } else {
      m = K(native_int_compare)(n, l->imm, a, native_constant(NATIVE_ZERO));
   }
   const unsigned r = selected(n, m, b, c);
   n->slot[r].any_nan = any_nan;
   n->slot[r].computed = waits;
   return r;
}

static void
output(struct native *n, const struct bound_uop *u, unsigned r)
{
   if (u->scale || u->clamp)
      n->slot[r].is_mask = false;
   if (u->scale) {
      unsigned by = u->scale == UOP_SCALE_2   ? NATIVE_TWO
                    : u->scale == UOP_SCALE_4 ? NATIVE_FOUR
                                              : NATIVE_HALF;
      three(n, X86_MULPS, r, r, native_constant(by));
      n->slot[r].any_nan = true;
   }
   if (u->clamp) {
      bool to_zero = n->options->dx10_clamp;
      struct mask m = { 0 };
      if (!to_zero) {
         m = new_mask(n, 0);
         compare(n, m, X86_UNORD_Q, r, native_in(r));
      }
      three(n, X86_MAXPS, r, r, native_constant(NATIVE_ZERO));
      three(n, X86_MINPS, r, r, native_constant(NATIVE_ONE));
      if (!to_zero)
         merge(n, m, r, native_constant(NATIVE_NAN));
      n->slot[r].any_nan = false;
   }
}

static void
move(struct native *n, const struct bound_uop *u, bool post)
{
   bool changed = u->mods & 1;
   struct native_value v = operand(n, u, 0, changed);
   unsigned r = K(native_load)(n, &v);
   if (post) {
      if (!changed) {
         unsigned copy = K(native_take)(n);
         two(n, X86_MOVAPS_LOAD, copy, native_in(r));
         r = copy;
      }
      output(n, u, r);
   }
   K(native_define)(n, u->dst, r);
}

static void
unpin(struct native *n)
{
   for (unsigned s = 0; s < NATIVE_SLOTS; s++)
      n->slot[s].pinned = false;
}

static void
dot4(struct native *n, const struct bound_uop *u, bool legacy)
{
   unsigned total = product(n, u, legacy);
   for (unsigned s = 1; s < 4; s++) {
      unpin(n);
      n->slot[total].pinned = true;
      three(n, X86_ADDPS, total, total, native_in(product(n, u + s, legacy)));
   }
   output(n, u, total);
   for (unsigned s = 0; s < 4; s++)
      if (u->p.group.writes >> s & 1)
         K(native_define)(n, u[s].dst, total);
}

/* A jump over what is written next: test r8, r8 if `unless`; linked by
 * end_jump(). */
static size_t
begin_jump(struct native *n, bool unless)
{
   if (!unless)
      return x86_jump(&n->x, X86_JMP);
   x86_general(&n->x, X86_TEST, X86_R8, x86_reg(X86_R8));
   return x86_jump(&n->x, X86_JZ);
}

static void
end_jump(struct native *n, size_t at)
{
   x86_link(&n->x, at, n->x.len);
}

/* r = the coefficients of each quad's primitive: P0 P10 P20 in its lanes. */
static void
load_quads(struct native *n, unsigned r, int32_t offset)
{
   for (unsigned s = 0; s < n->strips; s++) {
      for (unsigned q = 0; q < VW / 4; q++) {
         unsigned reg = native_reg(n, r, s);
         const int32_t quad = (int32_t)((s * (VW / 4) + q) * 8);

         x86_general(&n->x, X86_MOV_LOAD, X86_R10, x86_mem(X86_R9, quad));
         if (q == 0)
            x86_vec(&n->x, X86_BROADCAST_QUAD, reg, 0, x86_mem(X86_R10, offset));
         else
            x86_vec_imm(&n->x, X86_INSERT_QUAD, reg, reg, x86_mem(X86_R10, offset), q);
      }
   }
}

static void
spread(struct native *n, unsigned dst, unsigned from, unsigned lane)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_vec_imm(&n->x, X86_PERMILPS, native_reg(n, dst, s), 0, x86_reg(native_reg(n, from, s)),
                  lane * 0x55);
}

static void
splat_coefficient(struct native *n, unsigned dst, int32_t offset)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_vec(&n->x, X86_BROADCASTSS, native_reg(n, dst, s), 0, x86_mem(X86_R8, offset));
}

/* (P0 + P10 * i) + P20 * j, or one of the three.  Where all quads are of one
 * primitive its coefficients are at r8, otherwise r9 has a pointer for each
 * quad. */
static unsigned
interpolated(struct native *n, const struct bound_uop *u)
{
   const bool load = u->op == UOP_INTERP_LOAD;
   const int32_t offset =
      (int32_t)((u->p.interp.input * 4u + u->p.interp.comp) * sizeof(struct spi_coef));
   unsigned i = 0, j = 0, t = 0;
   if (!load) {
      struct native_value a = operand(n, u, 0, false), b = operand(n, u, 1, false);
      i = K(native_load)(n, &a), j = K(native_load)(n, &b);
      t = K(native_take)(n);
   }
   unsigned p = K(native_take)(n), r = load ? K(native_take)(n) : float_result(n);

   size_t several = begin_jump(n, true);
   if (load) {
      splat_coefficient(n, r, offset + (int32_t)u->p.interp.which * 4);
   } else {
      splat_coefficient(n, r, offset);
      splat_coefficient(n, p, offset + 4);
      three(n, X86_MULPS, p, p, native_in(i));
      three(n, X86_ADDPS, r, r, native_in(p));
      splat_coefficient(n, t, offset + 8);
      three(n, X86_MULPS, t, t, native_in(j));
      three(n, X86_ADDPS, r, r, native_in(t));
   }
   size_t join = begin_jump(n, false);
   end_jump(n, several);
   load_quads(n, p, offset);
   if (load) {
      spread(n, r, p, u->p.interp.which);
   } else {
      spread(n, r, p, 0);
      spread(n, t, p, 1);
      three(n, X86_MULPS, t, t, native_in(i));
      three(n, X86_ADDPS, r, r, native_in(t));
      spread(n, t, p, 2);
      three(n, X86_MULPS, t, t, native_in(j));
      three(n, X86_ADDPS, r, r, native_in(t));
   }
   end_jump(n, join);
   return r;
}

/* The first mask of a run is collected in r11 over the loop's iterations: a load of all its bits
 * right after many small stores would have to wait for them. */
static bool
collects(const struct native *n)
{
   return n->passes == 0 && !n->flow;
}

void
K(native_store_pass)(struct native *n, struct mask m)
{
   const bool collect = collects(n);
   const int32_t at = (int32_t)offsetof(struct exec, pass) - (int32_t)offsetof(struct exec, lanes) +
                      (int32_t)(n->passes++ * 8) - (int32_t)(native_step(n) / 8);
#if VW == 16
   for (unsigned s = 0; s < n->strips; s++) {
      if (collect) {
         x86_mask_to_general(&n->x, X86_R10, m.first + s);
         x86_general(&n->x, X86_MOV16_STORE, X86_R10, x86_reg(X86_R11));
         x86_rotate_right(&n->x, X86_R11, 16);
         continue;
      }
      x86_mask_store(&n->x, m.first + s, x86_mem(X86_CX, at + (int32_t)(s * (VW / 8))));
   }
#else
   for (unsigned s = 0; s < n->strips; s++) {
      x86_vec(&n->x, X86_MOVMSKPS, X86_R10, 0, x86_reg(native_reg(n, m.first, s)));
      if (m.inverted)
         x86_general_1(&n->x, X86_NOT32, X86_R10);
      if (collect) {
         x86_general(&n->x, X86_MOV8_STORE, X86_R10, x86_reg(X86_R11));
         x86_rotate_right(&n->x, X86_R11, 8);
         continue;
      }
      x86_general(&n->x, X86_MOV8_STORE, X86_R10, x86_mem(X86_CX, at + (int32_t)s));
   }
#endif
}

/* Lanes that pass get 0.0, those of a kill 1.0; the others get the other of the two. */
static void
predicate(struct native *n, const struct bound_uop *u, const struct lowering *l)
{
   const bool bits = l->form == FORM_INT_PRED || l->form == FORM_INT_KILL;
   const bool kill = l->form == FORM_KILL || l->form == FORM_INT_KILL;
   struct native_value a = operand(n, u, 0, bits), b = operand(n, u, 1, bits);
   struct mask m;
   unsigned r;

   if (bits) {
      m = K(native_int_compare)(n, l->imm, a, b);
   } else {
      r = K(native_load)(n, &a);
      m = new_mask(n, 0);
      compare(n, m, l->imm, r, b);
   }
   if (n->flow)
      K(native_flow_pass)(n, u, m.first, m.inverted);
   else
      K(native_store_pass)(n, m);
   if (!n->wanted)
      return;
   r = selected(n, m, native_constant(kill ? NATIVE_ONE : NATIVE_ZERO),
                native_constant(kill ? NATIVE_ZERO : NATIVE_ONE));
   output(n, u, r);
   K(native_define)(n, u->dst, r);
}

static unsigned
result(struct native *n, const struct bound_uop *u, const struct lowering *l)
{
   struct native_value a, b;
   struct mask m;
   unsigned r;
   switch (l->form) {
   case FORM_COMMUTES:
      return l->code == X86_ADDPS ? sum(n, u) : product(n, u, false);
   case FORM_MUL:
      return product(n, u, true);
   case FORM_MULADD:
      return product_and_sum(n, u, true);
   case FORM_MULADD_IEEE:
      return product_and_sum(n, u, false);
   case FORM_MAX:
      return extreme(n, u, l->code, l->imm);
   case FORM_SET:
   case FORM_TEST:
      a = operand(n, u, 0, false), b = operand(n, u, 1, false);
      r = K(native_load)(n, &a);
      m = new_mask(n, 0);
      compare(n, m, l->imm, r, b);
      if (l->form == FORM_TEST)
         return mask_to_bits(n, m);
      r = K(native_take)(n);
      keep(n, m, r, native_constant(NATIVE_ONE));
      n->slot[r].computed = true;
      return r;
   case FORM_FRACT:
      a = operand(n, u, 0, false);
      r = float_result(n);
      rounded(n, r, a, 9);
      three(n, X86_SUBPS, r, K(native_load)(n, &a), native_in(r));
      /* The smaller of it and the last below 1; a NaN in the second operand stays. */
      b = native_constant(NATIVE_BELOW_ONE);
      three(n, X86_MINPS, r, K(native_load)(n, &b), native_in(r));
      return r;
   case FORM_ROUND:
      a = operand(n, u, 0, false);
      r = float_result(n);
      rounded(n, r, a, l->imm);
      three(n, X86_MULPS, r, r, native_constant(NATIVE_ONE));
      return r;
   case FORM_RECIPROCAL:
   case FORM_RSQ:
      a = operand(n, u, 0, false);
      r = float_result(n);
      if (l->form == FORM_RSQ) {
         two(n, X86_SQRTPS, r, a);
         a = native_in(r);
      }
      b = native_constant(NATIVE_ONE);
      three(n, X86_DIVPS, r, K(native_load)(n, &b), a);
      return r;
   case FORM_SQRT:
      a = operand(n, u, 0, false);
      r = float_result(n);
      two(n, X86_SQRTPS, r, a);
      return r;
   case FORM_EXP2:
      return K(native_exp2)(n, u);
   case FORM_LOG2:
      return K(native_log2)(n, u);
   case FORM_SIN:
      return K(native_sine)(n, u, l->imm);
   case FORM_FMA:
      return product_and_sum_at_once(n, u);
   case FORM_FRC:
      a = operand(n, u, 0, false);
      r = float_result(n);
      rounded(n, r, a, 9);
      three(n, X86_SUBPS, r, K(native_load)(n, &a), native_in(r));
      return r;
   case FORM_ORDERED:
      a = operand(n, u, 0, false), b = operand(n, u, 1, false);
      r = float_result(n);
      three(n, l->code, r, K(native_load)(n, &a), b);
      return r;
   case FORM_ROOT_OF_RECIPROCAL:
      a = operand(n, u, 0, false), b = native_constant(NATIVE_ONE);
      r = float_result(n);
      three(n, X86_ANDPS, r, K(native_load)(n, &a), native_constant(NATIVE_MAGNITUDE));
      three(n, X86_DIVPS, r, K(native_load)(n, &b), native_in(r));
      two(n, X86_SQRTPS, r, native_in(r));
      return r;
   case FORM_BFI:
      return K(native_bit_field_insert)(n, u);
   case FORM_BFE:
      return l->imm ? K(native_signed_bit_field)(n, u) : K(native_bit_field)(n, u);
   case FORM_BFM:
      return K(native_bit_field_mask)(n, u);
   case FORM_CARRY:
   case FORM_BORROW:
      return K(native_carry)(n, u, l->form == FORM_BORROW);
   case FORM_MULHI:
      return K(native_high_product)(n, u, l->imm);
   case FORM_MUL24:
      return K(native_product_24)(n, u, l->imm);
   case FORM_ALIGN:
      return K(native_align_bits)(n, u);
   case FORM_TO_INT:
      return K(native_to_int)(n, u);
   case FORM_FROM_INT:
      a = operand(n, u, 0, true);
      r = K(native_take)(n);
      two(n, X86_CVTDQ2PS, r, a);
      n->slot[r].computed = true;
      return r;
   case FORM_TO_UINT:
      return K(native_to_uint)(n, u);
   case FORM_FROM_UINT:
      return K(native_from_uint)(n, u);
   case FORM_INT_SHIFT:
      return K(native_shift)(n, u, l->code);
   case FORM_INT:
      a = operand(n, u, 0, true), b = operand(n, u, 1, true);
      r = K(native_take)(n);
      three(n, l->code, r, K(native_load)(n, &a), b);
      return r;
   case FORM_NOT:
      a = operand(n, u, 0, true);
      r = K(native_take)(n);
      three(n, X86_XORPS, r, K(native_load)(n, &a), native_constant(NATIVE_ALL_BITS));
      return r;
   case FORM_INT_TEST:
      a = operand(n, u, 0, true), b = operand(n, u, 1, true);
      return mask_to_bits(n, K(native_int_compare)(n, l->imm, a, b));
   case FORM_SELECT:
   case FORM_INT_SELECT:
      return selection(n, u, l);
   default:
      return K(native_take)(n); /* native_can() said no */
   }
}

void
K(native_emit)(struct native *n, const struct bound_uop *u)
{
   const struct lowering l = lowering_of(u);
   unsigned r;

   if (l.form >= FORM_F64) {
      K(native_emit_64)(n, u, l.form, l.imm, l.code);
      unpin(n);
      return;
   }
   if (!any_mode(u))
      K(native_mode)(n, false);
   switch (l.form) {
   case FORM_COPY:
      move(n, u, false);
      break;
   case FORM_MOV:
      move(n, u, u->scale || u->clamp);
      break;
   case FORM_DOT4:
   case FORM_DOT4_IEEE:
      dot4(n, u, l.form == FORM_DOT4);
      break;
   case FORM_PRED:
   case FORM_INT_PRED:
   case FORM_KILL:
   case FORM_INT_KILL:
      predicate(n, u, &l);
      break;
   default:
      r = l.form == FORM_INTERP || l.form == FORM_INTERP_LOAD ? interpolated(n, u)
                                                              : result(n, u, &l);
      if (uop_infos[u->op].result == UOP_RESULT_F)
         output(n, u, r);
      K(native_define)(n, u->dst, r);
      break;
   }
   unpin(n);
}

#endif
