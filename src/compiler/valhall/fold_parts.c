/* SPDX-License-Identifier: MIT */
/*
 * Halves and bytes of words are read as such.
 *
 *  1. A word masked to its lower half or byte, or shifted left and right again, is that part,
 *     widened: no constant is needed.
 *  2. A part that becomes a float is converted as it is.
 *  3. Two halves, one shifted up and the other one masked, are a vector of halves.
 */
#include "ir.h"

#include <string.h>

/* A part of a word: `select` of its source says which. */
struct part {
   struct vc_operand of;
   unsigned bits; /* 16 or 8; 0: it is none */
   unsigned number;
   bool is_signed;
};

static bool
is_plain(const struct vc_operand *o)
{
   return o->kind != VC_CONST && !o->neg && !o->abs && !o->invert && !o->select;
}

static const struct vc_inst *
maker(const struct vc *c, const struct vc_operand *o)
{
   if (o->kind != VC_VALUE || !is_plain(o))
      return NULL;
   const struct vc_inst *def = c->values[o->value].def;
   return def && !def->dead ? def : NULL;
}

static bool
is_count(const struct vc_operand *o, uint32_t count)
{
   return o->kind == VC_CONST && o->value == count;
}

/* A word that is shifted by a constant, and nothing else. */
static bool
is_shift(const struct vc_inst *inst, unsigned op)
{
   return inst->op == op && inst->src[1].kind == VC_CONST && vc_is(inst->src[2], 0) &&
          !inst->src[2].invert && !vc_get(inst, VALHALL_MOD_NOT_RESULT) && is_plain(&inst->src[0]);
}

/* Widened already? */
static struct part
widened(const struct vc_inst *inst)
{
   const struct vc_operand *o = &inst->src[0];
   struct part p = { .of = *o };

   if (inst->op != VALHALL_OP_U16_TO_U32 && inst->op != VALHALL_OP_S16_TO_S32 &&
       inst->op != VALHALL_OP_U8_TO_U32 && inst->op != VALHALL_OP_S8_TO_S32)
      return p;
   p.of.select = 0;
   p.is_signed = inst->op == VALHALL_OP_S16_TO_S32 || inst->op == VALHALL_OP_S8_TO_S32;
   if (inst->op == VALHALL_OP_U8_TO_U32 || inst->op == VALHALL_OP_S8_TO_S32) {
      p.bits = 8;
      p.number = o->select;
   } else if (o->select == VALHALL_SWIZZLES_16_BIT_H00 ||
              o->select == VALHALL_SWIZZLES_16_BIT_H11) {
      p.bits = 16;
      p.number = o->select == VALHALL_SWIZZLES_16_BIT_H11;
   }
   return p;
}

/* The part of a word that an instruction gives. */
static struct part
part_of(const struct vc *c, const struct vc_inst *inst)
{
   struct part p = widened(inst);

   if (p.bits)
      return p;
   if ((inst->op == VALHALL_OP_LSHIFT_AND_I32 || inst->op == VALHALL_OP_RSHIFT_AND_I32) &&
       !vc_get(inst, VALHALL_MOD_NOT_RESULT) && is_plain(&inst->src[0]) &&
       inst->src[1].kind == VC_CONST && inst->src[2].kind == VC_CONST && !inst->src[2].invert) {
      const bool byte = inst->src[2].value == 0xff, half = inst->src[2].value == 0xffff;
      const unsigned shift = inst->src[1].value;
      p.of = inst->src[0];
      if ((half || byte) && (!shift || inst->op == VALHALL_OP_RSHIFT_AND_I32))
         p.bits = half ? 16 : 8;
      if (p.bits && shift % p.bits)
         p.bits = 0;
      p.number = p.bits ? shift / p.bits : 0;
      return p;
   }
   if (!is_shift(inst, VALHALL_OP_RSHIFT_OR_I32))
      return p;
   p.is_signed = vc_get(inst, VALHALL_MOD_SIGNED);
   const unsigned shift = inst->src[1].value;
   const struct vc_inst *up = maker(c, &inst->src[0]);
   if (shift != 16 && shift != 24)
      return p;
   p.of = inst->src[0];
   p.bits = 32 - shift;
   p.number = shift / p.bits;
   if (up && is_shift(up, VALHALL_OP_LSHIFT_OR_I32) && up->src[1].value <= shift &&
       (shift - up->src[1].value) % p.bits == 0) {
      p.of = up->src[0];
      p.number = (shift - up->src[1].value) / p.bits;
   }
   return p;
}

static void
become(struct vc_inst *inst, unsigned op, const struct part *p)
{
   inst->op = (uint16_t)op;
   memset(inst->src, 0, sizeof(inst->src));
   memset(inst->mod, 0, sizeof(inst->mod));
   inst->src[0] = p->of;
   inst->src[0].select = (uint8_t)(p->bits == 8 ? p->number
                                   : p->number  ? VALHALL_SWIZZLES_16_BIT_H11
                                                : VALHALL_SWIZZLES_16_BIT_H00);
}

static void
widen(const struct vc *c, struct vc_inst *inst)
{
   const struct part p = part_of(c, inst);
   static const uint16_t ops[2][2] = { { VALHALL_OP_U8_TO_U32, VALHALL_OP_S8_TO_S32 },
                                       { VALHALL_OP_U16_TO_U32, VALHALL_OP_S16_TO_S32 } };

   if (p.bits && !widened(inst).bits)
      become(inst, ops[p.bits == 16][p.is_signed], &p);
}

static void
convert(const struct vc *c, struct vc_inst *inst)
{
   static const uint16_t ops[2][2] = { { VALHALL_OP_U8_TO_F32, VALHALL_OP_S8_TO_F32 },
                                       { VALHALL_OP_U16_TO_F32, VALHALL_OP_S16_TO_F32 } };

   if (inst->op != VALHALL_OP_S32_TO_F32 && inst->op != VALHALL_OP_U32_TO_F32)
      return;
   const struct vc_inst *def = maker(c, &inst->src[0]);
   const struct part p = def ? part_of(c, def) : (struct part){ .bits = 0 };
   /* A negative one is not what it is without a sign. */
   if (p.bits && !(p.is_signed && inst->op == VALHALL_OP_U32_TO_F32))
      become(inst, ops[p.bits == 16][p.is_signed], &p);
}

/* A half of what an operand is read of; its lower one. */
static struct part
low_half(const struct vc *c, const struct vc_operand *o)
{
   const struct vc_inst *def = maker(c, o);
   const struct part p = def ? part_of(c, def) : (struct part){ .bits = 0 };

   return p.bits == 16 ? p : (struct part){ .of = *o, .bits = 16 };
}

static void
become_vector(struct vc_inst *inst, const struct part *low, const struct part *high)
{
   struct vc_inst other;

   if (!low->number && high->number && vc_same(low->of, high->of)) {
      inst->op = VALHALL_OP_MOV_I32;
      memset(inst->src, 0, sizeof(inst->src));
      memset(inst->mod, 0, sizeof(inst->mod));
      inst->src[0] = low->of;
      return;
   }
   other = *inst;
   become(&other, VALHALL_OP_MKVEC_V2I16, high);
   become(inst, VALHALL_OP_MKVEC_V2I16, low);
   inst->src[1] = other.src[0];
}

/* (y << 16) | half, or the same by a mask. */
static void
collect_halves(const struct vc *c, struct vc_inst *inst)
{
   struct part low, high;

   if (!is_plain(&inst->src[0]))
      return;
   if (inst->op == VALHALL_OP_LSHIFT_OR_I32 && is_count(&inst->src[1], 16) &&
       !vc_get(inst, VALHALL_MOD_NOT_RESULT)) {
      const struct vc_inst *def = maker(c, &inst->src[2]);
      low = def ? part_of(c, def) : (struct part){ .bits = 0 };
      if (low.bits != 16 || low.is_signed)
         return;
      high = low_half(c, &inst->src[0]);
   } else if (inst->op == VALHALL_OP_MUX_I32 && vc_is(inst->src[2], 0xffff0000) &&
              vc_get(inst, VALHALL_MOD_MUX) == VALHALL_MUX_BIT && is_plain(&inst->src[1])) {
      const struct vc_inst *up = maker(c, &inst->src[0]);
      if (!up || !is_shift(up, VALHALL_OP_LSHIFT_OR_I32) || !is_count(&up->src[1], 16))
         return;
      low = low_half(c, &inst->src[1]);
      high = low_half(c, &up->src[0]);
   } else {
      return;
   }
   become_vector(inst, &low, &high);
}

void
vc_fold_parts(struct vc *c)
{
   vc_count_uses(c);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         convert(c, b->insts[i]);
         collect_halves(c, b->insts[i]);
         widen(c, b->insts[i]);
      }
   }
}
