/* SPDX-License-Identifier: MIT */
/*
 * Two instructions become one, which gives the same bits.
 *
 *  1. The least of 1 and the greatest of -1 and x is x, clamped, and so is the greatest of 0 and
 *     x.  A clamp of what FADD, FMA, FMA_RSCALE_N, FMIN or FMAX computed for it alone is their own.
 *  2. AND, OR and XOR of two conditions are the third operand of the second one's comparison.
 *  3. AND, OR and XOR of a word that was shifted for it alone shift it themselves.
 *  4. A sign that was flipped, set or taken away is a modifier of what reads the number.
 */
#include "ir.h"

#include <string.h>

/* What computes an operand, if that is for it alone and where it is. */
static struct vc_inst *
own(const struct vc *c, const struct vc_inst *inst, const struct vc_operand *o)
{
   if (o->kind != VC_VALUE || o->neg || o->abs || o->invert || c->values[o->value].uses != 1)
      return NULL;
   struct vc_inst *def = c->values[o->value].def;
   return def && !def->dead && def->block == inst->block && def->op < VALHALL_OP_COUNT ? def : NULL;
}

static bool
is_zero(const struct vc_operand *o)
{
   return o->kind == VC_CONST && o->value == 0;
}

static bool
gives_float(unsigned op)
{
   return op == VALHALL_OP_FADD_F32 || op == VALHALL_OP_FMA_F32 || op == VALHALL_OP_FMIN_F32 ||
          op == VALHALL_OP_FMAX_F32 || op == VALHALL_OP_FMA_RSCALE_N_F32;
}

/* A logical operation with a constant that makes a float's sign another: `neg` and `abs` of `v`. */
static bool
changes_sign(const struct vc_inst *def, struct vc_operand *v)
{
   if (!def || def->dead || def->op >= VALHALL_OP_COUNT || !is_zero(&def->src[1]) ||
       def->src[0].kind == VC_CONST || def->src[0].invert || def->src[0].select ||
       def->src[2].kind != VC_CONST)
      return false;
   const uint32_t bits = def->src[2].invert ? ~def->src[2].value : def->src[2].value;
   const bool rest = bits == 0x7fffffff && def->op == VALHALL_OP_LSHIFT_AND_I32;
   const bool sign = bits == 0x80000000 &&
                     (def->op == VALHALL_OP_LSHIFT_OR_I32 || def->op == VALHALL_OP_LSHIFT_XOR_I32);

   if ((!rest && !sign) || vc_get(def, VALHALL_MOD_NOT_RESULT))
      return false;
   *v = def->src[0];
   v->abs = def->op != VALHALL_OP_LSHIFT_XOR_I32;
   v->neg = sign;
   return true;
}

static void
fold_signs(const struct vc *c, struct vc_inst *inst)
{
   if (inst->op >= VALHALL_OP_COUNT)
      return;
   const struct valhall_info *info = valhall_info(inst->op);

   for (unsigned n = 0; n < VALHALL_MAX_SRCS && inst->src[n].kind; n++) {
      struct vc_operand *o = &inst->src[n], v;

      while (valhall_src_info(info->src[n])->negabs && valhall_src_info(info->src[n])->bits == 32 &&
             o->kind == VC_VALUE && !o->select && changes_sign(c->values[o->value].def, &v)) {
         v.neg = o->neg ^ (v.neg && !o->abs);
         v.abs |= o->abs;
         *o = v;
      }
   }
}

/* The operand beside a constant. */
static const struct vc_operand *
beside(const struct vc_inst *inst, uint32_t bits, bool neg)
{
   for (unsigned n = 0; n < 2; n++) {
      const struct vc_operand *o = &inst->src[n];
      if (o->kind == VC_CONST && !o->abs && !o->select &&
          (o->value ^ (o->neg ? 0x80000000 : 0)) == (bits ^ (neg ? 0x80000000 : 0)))
         return &inst->src[!n];
   }
   return NULL;
}

/* min(max(x, -1), 1): a NaN is -1, as it is when it is clamped. */
static void
find_clamp(const struct vc *c, struct vc_inst *inst)
{
   const struct vc_operand *limited =
      inst->op == VALHALL_OP_FMIN_F32 && !vc_get(inst, VALHALL_MOD_CLAMP)
         ? beside(inst, 0x3f800000, false)
         : NULL;
   struct vc_inst *def = limited ? own(c, inst, limited) : NULL;
   const struct vc_operand *x =
      def && def->op == VALHALL_OP_FMAX_F32 && !vc_get(def, VALHALL_MOD_CLAMP)
         ? beside(def, 0x3f800000, true)
         : NULL;

   if (!x)
      return;
   inst->op = VALHALL_OP_FADD_F32;
   inst->src[0] = *x;
   inst->src[1] = vc_bits(0x80000000);
   memset(inst->mod, 0, sizeof(inst->mod));
   vc_set(inst, VALHALL_MOD_CLAMP, VALHALL_CLAMP_CLAMP_M1_1);
   def->dead = true;
}

/* max(x, 0), where what computes x can clamp it itself: a NaN is 0, and so is -0. */
static void
find_positive(const struct vc *c, struct vc_inst *inst)
{
   if (inst->op != VALHALL_OP_FMAX_F32 || vc_get(inst, VALHALL_MOD_CLAMP))
      return;
   const struct vc_operand *x = beside(inst, 0, false);
   const struct vc_inst *def = x && !x->select ? own(c, inst, x) : NULL;

   if (!def || !gives_float(def->op) || vc_get(def, VALHALL_MOD_CLAMP))
      return;
   inst->op = VALHALL_OP_FADD_F32;
   inst->src[0] = *x;
   inst->src[1] = vc_bits(0x80000000);
   memset(inst->mod, 0, sizeof(inst->mod));
   vc_set(inst, VALHALL_MOD_CLAMP, VALHALL_CLAMP_CLAMP_0_INF);
}

/* x + -0, clamped. */
static bool
fold_clamp(struct vc *c, struct vc_inst *inst)
{
   if (inst->op != VALHALL_OP_FADD_F32 || !vc_get(inst, VALHALL_MOD_CLAMP) ||
       !vc_is(inst->src[1], 0x80000000))
      return false;
   struct vc_inst *def = own(c, inst, &inst->src[0]);
   if (!def || !gives_float(def->op) || vc_get(def, VALHALL_MOD_CLAMP))
      return false;
   vc_set(def, VALHALL_MOD_CLAMP, vc_get(inst, VALHALL_MOD_CLAMP));
   uint32_t dest = inst->dest;
   def->dead = true;
   struct vc_inst moved = *def;
   moved.dead = false;
   moved.dest = dest;
   moved.place = inst->place;
   *inst = moved;
   c->values[dest].def = inst;
   return true;
}

static bool
is_comparison(unsigned op)
{
   return op == VALHALL_OP_FCMP_OR_F32 || op == VALHALL_OP_ICMP_OR_U32 ||
          op == VALHALL_OP_ICMP_OR_S32;
}

static bool
is_logic(unsigned op)
{
   return op == VALHALL_OP_LSHIFT_AND_I32 || op == VALHALL_OP_LSHIFT_OR_I32 ||
          op == VALHALL_OP_LSHIFT_XOR_I32;
}

/* A word that was shifted, as logic or by itself. */
static bool
is_shift(const struct vc_inst *inst)
{
   return (inst->op == VALHALL_OP_LSHIFT_OR_I32 || inst->op == VALHALL_OP_RSHIFT_OR_I32) &&
          is_zero(&inst->src[2]) && !inst->src[2].invert && !vc_get(inst, VALHALL_MOD_NOT_RESULT);
}

static bool
is_condition(const struct vc *c, const struct vc_operand *o)
{
   const struct vc_inst *def =
      o->kind == VC_VALUE && !o->neg && !o->abs && !o->invert ? c->values[o->value].def : NULL;
   return def && is_comparison(def->op);
}

/* A logical operation of two words, without a shift of its own. */
static bool
fold_logic(struct vc *c, struct vc_inst *inst)
{
   if (!is_logic(inst->op) || !is_zero(&inst->src[1]) || vc_get(inst, VALHALL_MOD_NOT_RESULT))
      return false;
   for (unsigned swap = 0; swap < 2; swap++) {
      struct vc_operand a = inst->src[swap ? 2 : 0], b = inst->src[swap ? 0 : 2];
      struct vc_inst *def = own(c, inst, &a);
      if (!def || a.invert)
         continue;
      if (inst->op != VALHALL_OP_LSHIFT_XOR_I32 && is_comparison(def->op) &&
          is_zero(&def->src[2]) && !b.invert && is_condition(c, &b)) {
         unsigned op = def->op;
         if (inst->op == VALHALL_OP_LSHIFT_AND_I32)
            op = op == VALHALL_OP_FCMP_OR_F32   ? VALHALL_OP_FCMP_AND_F32
                 : op == VALHALL_OP_ICMP_OR_S32 ? VALHALL_OP_ICMP_AND_S32
                                                : VALHALL_OP_ICMP_AND_U32;
         inst->op = (uint16_t)op;
         for (unsigned n = 0; n < VALHALL_MAX_MODS; n++)
            inst->mod[n] = def->mod[n];
         inst->src[0] = def->src[0];
         inst->src[1] = def->src[1];
         inst->src[2] = b;
         def->dead = true;
         return true;
      }
      if (is_shift(def)) {
         bool right = def->op == VALHALL_OP_RSHIFT_OR_I32;
         unsigned op = inst->op;
         if (right)
            op = op == VALHALL_OP_LSHIFT_AND_I32  ? VALHALL_OP_RSHIFT_AND_I32
                 : op == VALHALL_OP_LSHIFT_OR_I32 ? VALHALL_OP_RSHIFT_OR_I32
                                                  : VALHALL_OP_RSHIFT_XOR_I32;
         if (inst->src[0].invert)
            continue;
         inst->op = (uint16_t)op;
         for (unsigned n = 0; n < VALHALL_MAX_MODS; n++)
            inst->mod[n] = def->mod[n];
         inst->src[0] = def->src[0];
         inst->src[1] = def->src[1];
         inst->src[2] = b;
         def->dead = true;
         return true;
      }
   }
   return false;
}

void
vc_fold(struct vc *c)
{
   vc_count_uses(c);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         struct vc_inst *inst = b->insts[i];
         fold_signs(c, inst);
         find_clamp(c, inst);
         find_positive(c, inst);
         if (!fold_clamp(c, inst))
            fold_logic(c, inst);
      }
   }
   vc_remove_dead(c);
}
