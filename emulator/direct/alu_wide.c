/* SPDX-License-Identifier: MIT */
/*
 * Doubles (7.2.5, 7.2.8, 7.7, 7.12), as far as the legaliser leaves them: two components of a
 * register, the low dword in x or z.  Sources are read in .xy, the result is for .xy and .zw alike;
 * a comparison's mask is for all components.
 */
#include "direct/lift.h"

/* A double's sign is that of its high dword. */
static struct direct_wide
double_src(struct direct *d, const struct il_src *src)
{
   struct direct_wide v = direct_wide(d, src);
   if (il_src_abs(src))
      v.hi = uop_abs(v.hi);
   if (il_src_neg(src, 1))
      v.hi = uop_neg(v.hi);
   return v;
}

/* A device operation on `count` doubles. */
static struct direct_wide
f64(struct direct *d, unsigned op, unsigned count, const struct direct_wide *v)
{
   uint32_t lo = direct_temp(d), hi = direct_temp(d);
   struct uop *u = uop_add(&d->b, op);

   u[0].p.f64.doubles = (uint8_t)count;
   u[0].p.f64.writes = 3;
   u[0].dst = lo;
   u[1].dst = hi;
   for (unsigned n = 0; n < count; n++) {
      u[n].src[0] = v[n].hi;
      u[n].src[1] = v[n].lo;
   }
   return (struct direct_wide){ direct_at(lo), direct_at(hi) };
}

static struct direct_wide
choose(struct direct *d, struct uop_operand zero, struct direct_wide yes, struct direct_wide no)
{
   return (struct direct_wide){ DOP3(CNDE_INT, zero, yes.lo, no.lo),
                                DOP3(CNDE_INT, zero, yes.hi, no.hi) };
}

/* The one that is no NaN, if one is. */
static struct direct_wide
min_max(struct direct *d, unsigned op, const struct direct_wide v[2])
{
   const struct direct_wide again[2] = { v[1], v[1] };
   struct direct_wide r = f64(d, op, 2, v);
   return choose(d, f64(d, UOP_SETNE_64, 2, again).lo, r, v[0]);
}

/* x: 0, y: exponent, zw: mantissa. */
static void
split(struct direct *d, const struct il_src *src, struct uop_operand r[4])
{
   struct direct_wide v = double_src(d, src);
   for (unsigned c = 0; c < 4; c++)
      r[c] = direct_at(direct_temp(d));
   struct uop *u = uop_add(&d->b, UOP_FREXP_64);
   u[0].p.f64.doubles = 1;
   u[0].p.f64.writes = 15;
   u[0].src[0] = v.hi;
   u[0].src[1] = v.lo;
   for (unsigned c = 0; c < 4; c++)
      u[c].dst = r[c].at;
}

/* 1 / x or 1 / sqrt(x); of zero what the instruction says (6.33). */
static struct direct_wide
inverse(struct direct *d, bool root, struct direct_wide v)
{
   unsigned zeroop = il_zeroop(d->inst);
   const struct direct_wide zero = { direct_literal(d, 0), direct_literal(d, 0) };
   unsigned op = zeroop == IL_ZEROOP_FLTMAX ? root ? UOP_RECIPSQRT_CLAMPED_64 : UOP_RECIP_CLAMPED_64
                 : root                     ? UOP_RECIPSQRT_64
                                            : UOP_RECIP_64;
   struct direct_wide r = f64(d, op, 1, &v);
   if (zeroop == IL_ZEROOP_0)
      r = choose(d, f64(d, UOP_SETNE_64, 2, (const struct direct_wide[]){ v, zero }).lo, zero, r);
   return r;
}

/* Scale and saturation of a double; of NaN 0. */
static struct direct_wide
modify(struct direct *d, const struct il_dst *dst, struct direct_wide v)
{
   struct uop_operand zero = direct_literal(d, 0);

   if (il_dst_scale(dst)) {
      struct direct_wide by = { zero,
                                direct_literal(d, (uint32_t)(1023 + il_dst_scale(dst)) << 20) };
      v = f64(d, UOP_MUL_64, 2, (const struct direct_wide[]){ v, by });
   }
   if (il_dst_sat(dst)) {
      struct direct_wide one = { zero, direct_literal(d, 0x3ff00000) };
      v = f64(d, UOP_MAX_64, 2, (const struct direct_wide[]){ v, { zero, zero } });
      v = f64(d, UOP_MIN_64, 2, (const struct direct_wide[]){ v, one });
   }
   return v;
}

static bool
gives_double(unsigned op)
{
   switch (op) {
   case IL_OP_D_2_F:
   case IL_OP_DEQ:
   case IL_OP_DNE:
   case IL_OP_DGE:
   case IL_OP_DLT:
      return false;
   default:
      return true;
   }
}

static bool
doubles(struct direct *d, const struct il_inst *inst, struct direct_wide *r)
{
   static const struct {
      uint16_t il, op;
   } plain[] = {
      { IL_OP_D_ADD, UOP_ADD_64 },         { IL_OP_D_MUL, UOP_MUL_64 },
      { IL_OP_D_MULADD, UOP_FMA_64 },      { IL_OP_D_FRAC, UOP_FRACT_64 },
      { IL_OP_D_2_F, UOP_FLT64_TO_FLT32 }, { IL_OP_DEQ, UOP_SETE_64 },
      { IL_OP_DNE, UOP_SETNE_64 },         { IL_OP_DGE, UOP_SETGE_64 },
   };
   struct direct_wide v[3];

   if (inst->op == IL_OP_F_2_D) {
      v[0] = (struct direct_wide){ direct_literal(d, 0), direct_src(d, &inst->src[0], 0) };
      *r = f64(d, UOP_FLT32_TO_FLT64, 1, v);
      return true;
   }
   for (unsigned n = 0; n < inst->nsrc && n < 3; n++)
      v[n] = double_src(d, &inst->src[n]);
   for (unsigned i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
      if (plain[i].il == inst->op) {
         *r = f64(d, plain[i].op, inst->nsrc, v);
         if (inst->op == IL_OP_D_2_F)
            r->hi = r->lo;
         return true;
      }
   }
   switch (inst->op) {
   case IL_OP_DLT:
      *r = f64(d, UOP_SETGT_64, 2, (const struct direct_wide[]){ v[1], v[0] });
      return true;
   case IL_OP_D_MOV:
      *r = v[0];
      return true;
   case IL_OP_D_MIN:
      *r = min_max(d, UOP_MIN_64, v);
      return true;
   case IL_OP_D_MAX:
      *r = min_max(d, UOP_MAX_64, v);
      return true;
   case IL_OP_D_LDEXP:
      v[1] = direct_wide(d, &inst->src[1]);
      if (il_src_neg(&inst->src[1], 0))
         v[1].lo = DOP2(SUB_INT, direct_literal(d, 0), v[1].lo);
      v[1].hi = v[1].lo; /* the exponent is where a high dword would be */
      *r = f64(d, UOP_LDEXP_64, 2, v);
      return true;
   case IL_OP_D_RCP:
   case IL_OP_D_RSQ:
      *r = inverse(d, inst->op == IL_OP_D_RSQ, v[0]);
      return true;
   case IL_OP_D_SQRT:
      *r = f64(d, UOP_SQRT_64, 1, v);
      return true;
   default:
      return false;
   }
}

bool
direct_alu_wide(struct direct *d, const struct il_inst *inst)
{
   struct il_dst dst = inst->dst[0];
   struct uop_operand four[4];
   struct direct_wide r;

   if (inst->op == IL_OP_D_FREXP) {
      split(d, &inst->src[0], four);
      direct_store(d, &dst, four);
      return true;
   }
   if (!doubles(d, inst, &r))
      return false;
   if (inst->op != IL_OP_D_2_F) {
      if (gives_double(inst->op))
         r = modify(d, &dst, r);
      dst.clamp = false;
      dst.shift = IL_SHIFT_NONE;
   }
   four[0] = four[2] = r.lo;
   four[1] = four[3] = r.hi;
   direct_store(d, &dst, four);
   return true;
}
