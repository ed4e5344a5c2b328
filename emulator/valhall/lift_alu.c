/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic of Valhall in SQ's micro-operations: each element is unpacked to 32 bits, computed,
 * and packed.  Halves are computed as floats and rounded once: every sum, product and quotient of
 * two halves rounds right that way, and a fused multiply-add has an operation of its own.
 */
#include "valhall/program.h"

#include "arith.h"

#define SQ1(op, a)        K(vh_sq)(l, CAYMAN_ALU_##op, 1, a, a, a)
#define SQ2(op, a, b)     K(vh_sq)(l, CAYMAN_ALU_##op, 2, a, b, a)
#define SQ3(op, a, b, c)  K(vh_sq)(l, CAYMAN_ALU_##op, 3, a, b, c)
#define OWN(op, imm, ...) K(vh_own)(l, VH_##op, imm, __VA_ARGS__)
#define LIT(value)        K(vh_literal)(l, value)

static unsigned
mod(const struct vh_lift *l, enum valhall_modifier m)
{
   return valhall_get(&l->instr, m);
}

static uint32_t
ones(unsigned bits)
{
   return bits >= 32 ? ~0u : (1u << bits) - 1;
}

/* ------------------------------------------------------------------------------------------------
 * Parts
 */

/* ~0 where a holds against b by a condition, else 0. */
static struct vh_operand
compare(struct vh_lift *l, unsigned class, struct vh_operand a, struct vh_operand b)
{
   unsigned condition = mod(l, VALHALL_MOD_CONDITION);
   unsigned gt = class == VALHALL_CLASS_F   ? CAYMAN_ALU_SETGT_DX10
                 : class == VALHALL_CLASS_S ? CAYMAN_ALU_SETGT_INT
                                            : CAYMAN_ALU_SETGT_UINT;
   unsigned ge = class == VALHALL_CLASS_F   ? CAYMAN_ALU_SETGE_DX10
                 : class == VALHALL_CLASS_S ? CAYMAN_ALU_SETGE_INT
                                            : CAYMAN_ALU_SETGE_UINT;
   switch (condition) {
   case VALHALL_CONDITION_EQ:
      return class == VALHALL_CLASS_F ? SQ2(SETE_DX10, a, b) : SQ2(SETE_INT, a, b);
   case VALHALL_CONDITION_NE:
      return class == VALHALL_CLASS_F ? SQ2(SETNE_DX10, a, b) : SQ2(SETNE_INT, a, b);
   case VALHALL_CONDITION_GT:
      return K(vh_sq)(l, gt, 2, a, b, a);
   case VALHALL_CONDITION_LT:
      return K(vh_sq)(l, gt, 2, b, a, a);
   case VALHALL_CONDITION_GE:
      return K(vh_sq)(l, ge, 2, a, b, a);
   case VALHALL_CONDITION_LE:
      return K(vh_sq)(l, ge, 2, b, a, a);
   case VALHALL_CONDITION_GTLT:
      return SQ2(OR_INT, K(vh_sq)(l, gt, 2, a, b, a), K(vh_sq)(l, gt, 2, b, a, a));
   default:
      return OWN(TOTAL_ORDER, 0, a, b, a);
   }
}

/* Element e of a float source with its bits as they are, at the top of the word. */
static struct vh_operand
raw_float(struct vh_lift *l, unsigned n, unsigned e, unsigned bits, unsigned count)
{
   struct vh_operand r;
   if (bits == 32) {
      unsigned flush = l->flush;
      l->flush = VH_FLUSH_NONE;
      r = K(vh_element)(l, n, e, bits, count, VALHALL_CLASS_F);
      l->flush = flush;
      return r;
   }
   bool neg = l->instr.src[n].neg, abs = l->instr.src[n].abs;
   l->instr.src[n].neg = l->instr.src[n].abs = false;
   r = SQ2(LSHL_INT, K(vh_element)(l, n, e, bits, count, VALHALL_CLASS_U), LIT(16));
   l->instr.src[n].neg = neg;
   l->instr.src[n].abs = abs;
   r.keep = abs ? 0x7fffffffu : ~0u;
   r.flip = neg ? 0x80000000u : 0;
   return r;
}

static struct vh_operand
compare_elements(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   if (type->class == VALHALL_CLASS_F && mod(l, VALHALL_MOD_CONDITION) == VALHALL_CONDITION_TOTAL) {
      return OWN(TOTAL_ORDER, 0, raw_float(l, 0, e, type->bits, type->count),
                 raw_float(l, 1, e, type->bits, type->count), LIT(0));
   }
   return compare(l, type->class, K(vh_element)(l, 0, e, type->bits, type->count, type->class),
                  K(vh_element)(l, 1, e, type->bits, type->count, type->class));
}

/* A mask as the result type says. */
static struct vh_operand
encode_boolean(struct vh_lift *l, struct vh_operand m, unsigned bits)
{
   switch (mod(l, VALHALL_MOD_RESULT_TYPE)) {
   case VALHALL_RESULT_TYPE_M1:
      return m;
   case VALHALL_RESULT_TYPE_F1:
      return SQ2(AND_INT, m, LIT(bits == 16 ? 0x3c00 : bits == 8 ? 1 : 0x3f800000u));
   default:
      return SQ2(AND_INT, m, LIT(1));
   }
}

/* ICMP_MULTI: of the high words, with what the low words gave. */
static struct vh_operand
multi(struct vh_lift *l, const struct valhall_type_info *type)
{
   struct vh_operand a = K(vh_element)(l, 0, 0, 32, 1, type->class);
   struct vh_operand b = K(vh_element)(l, 1, 0, 32, 1, type->class);
   struct vh_operand low = SQ2(SETNE_INT, K(vh_source_word)(l, 2, 0), LIT(0));
   if (mod(l, VALHALL_MOD_RESULT_TYPE) == VALHALL_RESULT_TYPE_U1) {
      return compare(l, type->class, a, b);
   }
   struct vh_operand equal = SQ2(SETE_INT, a, b), r;
   unsigned gt = type->class == VALHALL_CLASS_S ? CAYMAN_ALU_SETGT_INT : CAYMAN_ALU_SETGT_UINT;
   switch (mod(l, VALHALL_MOD_CONDITION)) {
   case VALHALL_CONDITION_EQ:
      return SQ2(AND_INT, equal, low);
   case VALHALL_CONDITION_GT:
   case VALHALL_CONDITION_GE:
      r = K(vh_sq)(l, gt, 2, a, b, a);
      break;
   case VALHALL_CONDITION_LT:
   case VALHALL_CONDITION_LE:
      r = K(vh_sq)(l, gt, 2, b, a, a);
      break;
   default:
      return SQ2(OR_INT, SQ1(NOT_INT, equal), low);
   }
   return SQ2(OR_INT, r, SQ2(AND_INT, equal, low));
}

/* Rounds to an integral value. */
static struct vh_operand
round_integral(struct vh_lift *l, struct vh_operand a)
{
   switch (mod(l, VALHALL_MOD_ROUND_MODE)) {
   case VALHALL_ROUND_MODE_RTP:
      return SQ1(CEIL, a);
   case VALHALL_ROUND_MODE_RTN:
      return SQ1(FLOOR, a);
   case VALHALL_ROUND_MODE_RTZ:
      return SQ1(TRUNC, a);
   default:
      return SQ1(RNDNE, a);
   }
}

/* Into the range of a narrow type. */
static struct vh_operand
saturate(struct vh_lift *l, struct vh_operand a, unsigned bits, bool is_signed)
{
   if (bits == 32) {
      return a;
   }
   uint32_t max = ones(bits - is_signed);
   a = SQ2(MIN_INT, a, LIT(max));
   return SQ2(MAX_INT, a, LIT(is_signed ? ~max : 0));
}

static struct vh_operand
convert(struct vh_lift *l, unsigned e)
{
   const struct valhall_type_info *from = valhall_type_info(l->info->from);
   const struct valhall_type_info *to = valhall_type_info(l->info->to);
   struct vh_operand a = K(vh_element)(l, 0, e, from->bits, from->count, from->class);
   static const unsigned modes[4] = { FP_ROUND_NEAREST, FP_ROUND_UP, FP_ROUND_DOWN, FP_ROUND_ZERO };

   if (from->class == VALHALL_CLASS_F) {
      if (to->class == VALHALL_CLASS_F) {
         return SQ2(MAX_DX10, a, a); /* the value itself, or the canonical NaN */
      }
      a = round_integral(l, a);
      a = to->class == VALHALL_CLASS_S ? SQ1(FLT_TO_INT, a) : SQ1(FLT_TO_UINT, a);
      /* What is beyond 31 bits is beyond 16 either way. */
      if (to->class == VALHALL_CLASS_U && to->bits < 32) {
         return SQ2(MIN_UINT, a, LIT(ones(to->bits)));
      }
      return saturate(l, a, to->bits, to->class == VALHALL_CLASS_S);
   }
   if (to->class != VALHALL_CLASS_F) {
      return a;
   }
   bool rounds = from->bits == 32;
   if (rounds) {
      K(vh_emit)(l, K(vh_set_round), a, 1, &a)->imm[0] = modes[mod(l, VALHALL_MOD_ROUND_MODE)];
   }
   a = from->class == VALHALL_CLASS_S ? SQ1(INT_TO_FLT, a) : SQ1(UINT_TO_FLT, a);
   if (rounds) {
      K(vh_emit)(l, K(vh_set_round), a, 1, &a)->imm[0] = FP_ROUND_NEAREST;
   }
   return a;
}

/* Shift by the low bits of a byte, then logic. */
static struct vh_operand
shift_logic(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   unsigned exec = l->info->exec;
   bool left = exec == VALHALL_EXEC_LSHIFT_AND || exec == VALHALL_EXEC_LSHIFT_OR ||
               exec == VALHALL_EXEC_LSHIFT_XOR;
   bool is_signed = mod(l, VALHALL_MOD_SIGNED);
   struct vh_operand a = K(vh_element)(l, 0, e, type->bits, type->count,
                                       is_signed ? VALHALL_CLASS_S : VALHALL_CLASS_U);
   struct vh_operand n = K(vh_element)(l, 1, e, 8, type->count, VALHALL_CLASS_U);
   struct vh_operand b = K(vh_element)(l, 2, e, type->bits, type->count, VALHALL_CLASS_U), r;
   n = SQ2(AND_INT, n, LIT(type->bits - 1u));
   r = left ? SQ2(LSHL_INT, a, n) : is_signed ? SQ2(ASHR_INT, a, n) : SQ2(LSHR_INT, a, n);
   if (l->instr.src[2].invert) {
      b.flip = ~0u;
   }
   r = exec == VALHALL_EXEC_LSHIFT_AND || exec == VALHALL_EXEC_RSHIFT_AND ? SQ2(AND_INT, r, b)
       : exec == VALHALL_EXEC_LSHIFT_OR || exec == VALHALL_EXEC_RSHIFT_OR ? SQ2(OR_INT, r, b)
                                                                          : SQ2(XOR_INT, r, b);
   return mod(l, VALHALL_MOD_NOT_RESULT) ? SQ1(NOT_INT, r) : r;
}

static struct vh_operand
mux(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   struct vh_operand a = K(vh_element)(l, 0, e, type->bits, type->count, VALHALL_CLASS_U);
   struct vh_operand b = K(vh_element)(l, 1, e, type->bits, type->count, VALHALL_CLASS_U);
   struct vh_operand m = K(vh_element)(l, 2, e, type->bits, type->count, VALHALL_CLASS_U);
   switch (mod(l, VALHALL_MOD_MUX)) {
   case VALHALL_MUX_NEG:
      return SQ3(CNDE_INT, SQ2(AND_INT, m, LIT(1u << (type->bits - 1))), b, a);
   case VALHALL_MUX_INT_ZERO:
      return SQ3(CNDE_INT, m, a, b);
   case VALHALL_MUX_FP_ZERO:
      return SQ3(CNDE_INT, SQ2(AND_INT, m, LIT(ones(type->bits - 1u))), a, b);
   default:
      return SQ3(BFI_INT, m, a, b);
   }
}

/* 2^x for x = src0 * 2^-24, src1 the same as a float. */
static struct vh_operand
exponential(struct vh_lift *l)
{
   struct vh_operand x = K(vh_source_word)(l, 0, 0);
   struct vh_operand f = K(vh_element)(l, 1, 0, 32, 1, VALHALL_CLASS_F);
   struct vh_operand fraction = SQ1(INT_TO_FLT, SQ2(AND_INT, x, LIT(0xffffff)));
   fraction = SQ1(EXP_IEEE, SQ2(MUL_IEEE, fraction, LIT(0x33800000))); /* 2^-24 */
   struct vh_operand r = OWN(LDEXP, VALHALL_ROUND_MODE_RTE, fraction, SQ2(ASHR_INT, x, LIT(24)), x);
   return OWN(EXP_SPECIAL, 0, r, f, f);
}

static struct vh_operand
scaled_fma(struct vh_lift *l)
{
   struct vh_operand a = K(vh_element)(l, 0, 0, 32, 1, VALHALL_CLASS_F);
   struct vh_operand b = K(vh_element)(l, 1, 0, 32, 1, VALHALL_CLASS_F);
   struct vh_operand c = K(vh_element)(l, 2, 0, 32, 1, VALHALL_CLASS_F);
   struct vh_operand n = K(vh_source_word)(l, 3, 0), one = LIT(0x3f800000);
   switch (l->info->exec) {
   case VALHALL_EXEC_FMA_RSCALE_N: /* 0 * 0 + c */
      a = OWN(NO_ZERO_FACTOR, 0, a, b, a);
      b = OWN(NO_ZERO_FACTOR, 0, a, b, b);
      break;
   case VALHALL_EXEC_FMA_RSCALE_LEFT: /* a * 1 + c */
      b = SQ3(CNDE_INT, OWN(NO_ZERO_FACTOR, 0, a, b, one), one, b);
      break;
   case VALHALL_EXEC_FMA_RSCALE_SCALE16:
      n = SQ3(BFE_INT, n, LIT(0), LIT(16));
      break;
   default:
      break;
   }
   return OWN(LDEXP, VALHALL_ROUND_MODE_RTE, SQ3(FMA, a, b, c), n, n);
}

/* Turns of pi/32: sine and cosine are of turns of 2 pi. */
static struct vh_operand
table_angle(struct vh_lift *l)
{
   struct vh_operand k = SQ2(AND_INT, K(vh_source_word)(l, 0, 0), LIT(63));
   return SQ2(MUL_IEEE, SQ1(INT_TO_FLT, k), LIT(0x3c800000)); /* 1/64 */
}

static struct vh_operand
integer(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   bool is_signed = type->class == VALHALL_CLASS_S;
   struct vh_operand a = K(vh_element)(l, 0, e, type->bits, type->count, type->class), b;
   bool sat = mod(l, VALHALL_MOD_SATURATE), wide = type->bits == 32;

   if (l->info->num_imm) {
      uint32_t imm = l->instr.imm[0] >> e * type->bits;
      b = LIT(imm & ones(type->bits));
   } else {
      b = K(vh_element)(l, 1, e, type->bits, type->count, type->class);
   }
   switch (l->info->exec) {
   case VALHALL_EXEC_HADD:
      return OWN(HADD, is_signed | mod(l, VALHALL_MOD_RHADD) << 1, a, b, a);
   case VALHALL_EXEC_ISUB:
      if (sat && wide) {
         return OWN(SUB_SAT, is_signed, a, b, a);
      }
      a = SQ2(SUB_INT, a, b);
      break;
   case VALHALL_EXEC_IMUL:
      if (sat && wide) {
         return OWN(MUL_SAT, is_signed, a, b, a);
      }
      a = SQ2(MULLO_INT, a, b);
      if (sat && !is_signed) {
         /* A product of 16-bit numbers may have its sign bit set. */
         return SQ2(MIN_UINT, a, LIT(ones(type->bits)));
      }
      break;
   default:
      if (sat && wide) {
         return OWN(ADD_SAT, is_signed, a, b, a);
      }
      a = SQ2(ADD_INT, a, b);
      break;
   }
   return sat ? saturate(l, a, type->bits, is_signed) : a;
}

/* ------------------------------------------------------------------------------------------------
 * One element
 */
#define SOURCE(n) K(vh_element)(l, n, e, type->bits, type->count, type->class)

static struct vh_operand
float_element(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   bool half = type->bits == 16;
   switch (l->info->exec) {
   case VALHALL_EXEC_FADD:
      if (l->info->num_imm) {
         uint32_t imm = half ? l->instr.imm[0] >> 16 * e & 0xffff : l->instr.imm[0];
         struct vh_operand b = half ? SQ1(FLT16_TO_FLT32, LIT(imm)) : LIT(imm);
         return SQ2(ADD, SOURCE(0), K(vh_flush)(l, b, half, LEAST_HALF));
      }
      return SQ2(ADD, SOURCE(0), SOURCE(1));
   case VALHALL_EXEC_FMIN:
      return SQ2(MIN_DX10, SOURCE(0), SOURCE(1));
   case VALHALL_EXEC_FMAX:
      return SQ2(MAX_DX10, SOURCE(0), SOURCE(1));
   case VALHALL_EXEC_FMA:
      return half ? OWN(HALF_FMA, 0, SOURCE(0), SOURCE(1), SOURCE(2))
                  : SQ3(FMA, SOURCE(0), SOURCE(1), SOURCE(2));
   case VALHALL_EXEC_FROUND:
      return round_integral(l, SOURCE(0));
   case VALHALL_EXEC_FRCP:
      return SQ1(RECIP_IEEE, SOURCE(0));
   case VALHALL_EXEC_FRSQ:
      return SQ1(RECIPSQRT_IEEE, SOURCE(0));
   case VALHALL_EXEC_FLUSH:
      return OWN(FLUSH,
                 mod(l, VALHALL_MOD_NAN_MODE) | mod(l, VALHALL_MOD_FTZ) * FLUSH_FTZ |
                    mod(l, VALHALL_MOD_FLUSH_INF) * FLUSH_INF | half * FLUSH_HALF,
                 SOURCE(0), LIT(0), LIT(0));
   case VALHALL_EXEC_FREXPM:
      return OWN(FREXPM,
                 mod(l, VALHALL_MOD_SQRT) * FREXP_SQRT | mod(l, VALHALL_MOD_LOG) * FREXP_LOG,
                 SOURCE(0), LIT(0), LIT(0));
   case VALHALL_EXEC_FREXPE:
      return OWN(FREXPE,
                 mod(l, VALHALL_MOD_SQRT) * FREXP_SQRT | mod(l, VALHALL_MOD_LOG) * FREXP_LOG,
                 SOURCE(0), LIT(0), LIT(0));
   case VALHALL_EXEC_FLOGD: {
      struct vh_operand x = SOURCE(0), m = OWN(LOG_MANTISSA, 0, x, x, x);
      return OWN(LOGD, 0, x, m, SQ1(LOG_IEEE, m));
   }
   case VALHALL_EXEC_FADD_LSCALE: {
      struct vh_operand x = SOURCE(1);
      return SQ2(ADD, SOURCE(0), OWN(LOG_MANTISSA, 0, x, x, x));
   }
   case VALHALL_EXEC_LDEXP: {
      struct vh_operand n = K(vh_element)(l, 1, e, type->bits, type->count, VALHALL_CLASS_S);
      unsigned mode = mod(l, VALHALL_MOD_ROUND_MODE);
      return half ? OWN(HALF_LDEXP, mode, SOURCE(0), n, n) : OWN(LDEXP, mode, SOURCE(0), n, n);
   }
   case VALHALL_EXEC_FEXP:
      return exponential(l);
   case VALHALL_EXEC_CUBEFACE1:
   case VALHALL_EXEC_CUBEFACE2: {
      struct vh_operand x = SOURCE(0), y = SOURCE(1), z = SOURCE(2);
      if (l->info->exec == VALHALL_EXEC_CUBEFACE2) {
         return OWN(CUBE_FACE, 0, x, y, z);
      }
      x.keep = y.keep = z.keep = 0x7fffffffu;
      x.flip = y.flip = z.flip = 0;
      return SQ2(MAX_DX10, SQ2(MAX_DX10, x, y), z);
   }
   case VALHALL_EXEC_CUBE_SSEL:
      return OWN(CUBE_S, 0, SOURCE(0), SOURCE(1), K(vh_source_word)(l, 2, 0));
   case VALHALL_EXEC_CUBE_TSEL:
      return OWN(CUBE_T, 0, SOURCE(0), SOURCE(1), K(vh_source_word)(l, 2, 0));
   default:
      return scaled_fma(l);
   }
}

static struct vh_operand
integer_element(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   switch (l->info->exec) {
   case VALHALL_EXEC_MOV:
      return SQ1(MOV, SOURCE(0));
   case VALHALL_EXEC_NOT:
      return SQ1(NOT_INT, SOURCE(0));
   case VALHALL_EXEC_POPCOUNT:
      return SQ1(BCNT_INT, SOURCE(0));
   case VALHALL_EXEC_BITREV:
      return SQ1(BFREV_INT, SOURCE(0));
   case VALHALL_EXEC_CLZ:
      /* Without a bit set there is no highest one, ~0. */
      return SQ2(SUB_INT, SQ2(MIN_UINT, SQ1(FFBH_UINT, SOURCE(0)), LIT(32)), LIT(32u - type->bits));
   case VALHALL_EXEC_IABS: {
      struct vh_operand a = SOURCE(0);
      return SQ2(MAX_INT, a, SQ2(SUB_INT, LIT(0), a));
   }
   case VALHALL_EXEC_MUX:
      return mux(l, e, type);
   case VALHALL_EXEC_FSIN_TABLE:
      return SQ1(SIN, table_angle(l));
   case VALHALL_EXEC_FCOS_TABLE:
      return SQ1(COS, table_angle(l));
   case VALHALL_EXEC_FEXP_TABLE: {
      struct vh_operand k = SQ2(AND_INT, K(vh_source_word)(l, 0, 0), LIT(15));
      return SQ1(EXP_IEEE, SQ2(MUL_IEEE, SQ1(INT_TO_FLT, k), LIT(0x3d800000))); /* 1/16 */
   }
   case VALHALL_EXEC_LSHIFT_AND:
   case VALHALL_EXEC_RSHIFT_AND:
   case VALHALL_EXEC_LSHIFT_OR:
   case VALHALL_EXEC_RSHIFT_OR:
   case VALHALL_EXEC_LSHIFT_XOR:
   case VALHALL_EXEC_RSHIFT_XOR:
      return shift_logic(l, e, type);
   default:
      return integer(l, e, type);
   }
}

static struct vh_operand
element(struct vh_lift *l, unsigned e)
{
   const struct valhall_type_info *type = valhall_type_info(l->info->from);
   switch (l->info->exec) {
   case VALHALL_EXEC_CONVERT:
      return convert(l, e);
   case VALHALL_EXEC_CSEL:
   case VALHALL_EXEC_FSEL:
      return SQ3(CNDE_INT, compare_elements(l, e, type),
                 K(vh_element)(l, 3, e, type->bits, type->count, VALHALL_CLASS_U),
                 K(vh_element)(l, 2, e, type->bits, type->count, VALHALL_CLASS_U));
   case VALHALL_EXEC_ICMP_OR:
   case VALHALL_EXEC_FCMP_OR:
   case VALHALL_EXEC_ICMP_AND:
   case VALHALL_EXEC_FCMP_AND: {
      bool any = l->info->exec == VALHALL_EXEC_ICMP_OR || l->info->exec == VALHALL_EXEC_FCMP_OR;
      struct vh_operand r = compare_elements(l, e, type);
      struct vh_operand c =
         SQ2(SETNE_INT, K(vh_element)(l, 2, e, type->bits, type->count, VALHALL_CLASS_U), LIT(0));
      return encode_boolean(l, any ? SQ2(OR_INT, r, c) : SQ2(AND_INT, r, c), type->bits);
   }
   case VALHALL_EXEC_ICMP_MULTI:
      return encode_boolean(l, multi(l, type), 32);
   default:
      return type->class == VALHALL_CLASS_F ? float_element(l, e, type)
                                            : integer_element(l, e, type);
   }
}

/* ------------------------------------------------------------------------------------------------
 * Results
 */
static void
write_result(struct vh_lift *l, struct vh_operand r)
{
   struct vh_operand dest = K(vh_register)(l->instr.dest);
   if (l->instr.mask == 3) {
      K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_MOV), dest, 1, &r);
   } else {
      struct vh_operand src[3] = { LIT(l->instr.mask == 1 ? 0xffffu : 0xffff0000u), r, dest };
      K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_BFI_INT), dest, 3, src);
   }
}

/* Of operations on floats: is the result a choice, a boolean or an integer? */
static bool
gives_bits(const struct vh_lift *l)
{
   return l->info->exec == VALHALL_EXEC_FSEL || l->info->exec == VALHALL_EXEC_FCMP_OR ||
          l->info->exec == VALHALL_EXEC_FCMP_AND || l->info->exec == VALHALL_EXEC_FREXPE;
}

/* Does an operation give the bits of a half itself? */
static bool
gives_halves(const struct vh_lift *l)
{
   return l->info->exec == VALHALL_EXEC_FMA || l->info->exec == VALHALL_EXEC_LDEXP || gives_bits(l);
}

static struct vh_operand
finish_element(struct vh_lift *l, struct vh_operand r, const struct valhall_type_info *to)
{
   unsigned limits = mod(l, VALHALL_MOD_CLAMP);
   bool half = to->class == VALHALL_CLASS_F && to->bits == 16;
   if (half && gives_halves(l) && limits) {
      r = SQ1(FLT16_TO_FLT32, r);
   }
   if (limits) {
      r = OWN(CLAMP, limits, r, r, r);
   }
   if (half && (!gives_halves(l) || limits)) {
      r = OWN(HALF, mod(l, VALHALL_MOD_ROUND_MODE), r, r, r);
   }
   return to->class == VALHALL_CLASS_F && !gives_bits(l) ? K(vh_flush)(l, r, half, LEAST_HALF_BITS)
                                                         : r;
}

/* Elements side by side in a word. */
static struct vh_operand
pack(struct vh_lift *l, struct vh_operand all, struct vh_operand r, unsigned e, unsigned bits)
{
   if (bits == 32) {
      return r;
   }
   if (e) {
      r = SQ2(LSHL_INT, r, LIT(e * bits));
   }
   return SQ3(BFI_INT, LIT(ones(bits) << e * bits), r, all);
}

static void
lift_vector(struct vh_lift *l)
{
   const struct valhall_type_info *to = valhall_type_info(l->info->to);
   struct vh_operand all = LIT(0);
   unsigned kept = 0;
   for (unsigned e = 0; e < to->count; e++) {
      struct vh_operand r = finish_element(l, element(l, e), to);
      r = pack(l, all, r, e, to->bits);
      /* The next element takes the same temporaries, but for the one with the word so far. */
      if (to->count > 1) {
         if (e == 0) {
            all = K(vh_temp)(l);
            kept = l->temps;
         }
         K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_MOV), all, 1, &r);
         l->temps = kept;
      } else {
         all = r;
      }
   }
   write_result(l, all);
}

void
K(vh_lift_alu)(struct vh_lift *l)
{
   struct vh_operand src[3], r;
   switch (l->info->exec) {
   case VALHALL_EXEC_DISCARD:
      /* The last operation's result is the condition. */
      compare_elements(l, 0, valhall_type_info(l->info->from));
      return;
   case VALHALL_EXEC_PACK_HALVES: {
      struct vh_operand halves[2];
      for (unsigned n = 0; n < 2; n++) {
         halves[n] = finish_element(l, K(vh_element)(l, n, 0, 32, 1, VALHALL_CLASS_F),
                                    valhall_type_info(l->info->to));
      }
      write_result(l, pack(l, halves[0], halves[1], 1, 16));
      return;
   }
   case VALHALL_EXEC_MKVEC_HALVES:
      r = K(vh_element)(l, 0, 0, 16, 2, VALHALL_CLASS_U);
      write_result(l, pack(l, r, K(vh_element)(l, 1, 0, 16, 2, VALHALL_CLASS_U), 1, 16));
      return;
   case VALHALL_EXEC_MKVEC_BYTES:
      r = SQ2(LSHL_INT, K(vh_source_word)(l, 2, 0), LIT(16));
      r = pack(l, r, K(vh_element)(l, 0, 0, 8, 1, VALHALL_CLASS_U), 0, 8);
      write_result(l, pack(l, r, K(vh_element)(l, 1, 0, 8, 1, VALHALL_CLASS_U), 1, 8));
      return;
   case VALHALL_EXEC_IDP:
      write_result(l,
                   OWN(IDP, (l->info->to == VALHALL_TYPE_S32) | mod(l, VALHALL_MOD_SATURATE) << 1,
                       K(vh_source_word)(l, 0, 0), K(vh_source_word)(l, 1, 0),
                       K(vh_source_word)(l, 2, 0)));
      return;
   case VALHALL_EXEC_WMASK:
      src[0] = K(vh_source_word)(l, 0, 0);
      r = K(vh_temp)(l);
      K(vh_emit)(l, K(vh_wmask), r, 1, src)->imm[0] = mod(l, VALHALL_MOD_SUBGROUP_SIZE);
      write_result(l, r);
      return;
   case VALHALL_EXEC_CLPER: {
      src[0] = K(vh_source_word)(l, 0, 0);
      src[1] = K(vh_element)(l, 1, 0, 8, 1, VALHALL_CLASS_U);
      r = K(vh_temp)(l);
      struct uop *u = K(vh_emit)(l, K(vh_clper), r, 2, src);
      u->imm[0] = mod(l, VALHALL_MOD_SUBGROUP_SIZE) | mod(l, VALHALL_MOD_LANE_OPERATION) << 8;
      u->imm[1] = valhall_inactive_value(mod(l, VALHALL_MOD_INACTIVE_RESULT));
      write_result(l, r);
      return;
   }
   default:
      lift_vector(l);
      return;
   }
}

/* ------------------------------------------------------------------------------------------------
 * 64 bits
 */

/* Source n as a pair in two temporaries that follow each other. */
static struct vh_operand
pair_source(struct vh_lift *l, unsigned n, bool is_signed)
{
   struct vh_operand lo = K(vh_temp)(l), hi = K(vh_temp)(l), a[2];
   if (l->instr.src[n].select && valhall_src_info(l->info->src[n])->width) {
      a[0] = K(vh_element)(l, n, 0, 64, 1, is_signed ? VALHALL_CLASS_S : VALHALL_CLASS_U);
      a[1] = is_signed ? SQ2(ASHR_INT, a[0], LIT(31)) : LIT(0);
   } else {
      a[0] = K(vh_source_word)(l, n, 0);
      a[1] = K(vh_source_word)(l, n, 1);
   }
   for (unsigned i = 0; i < 2; i++) {
      if (l->instr.src[n].invert) {
         a[i].flip = ~0u;
      }
      K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_MOV), i ? hi : lo, 1, &a[i]);
   }
   return lo;
}

static struct vh_operand
pair_op(struct vh_lift *l, enum vh_pair op, unsigned imm, struct vh_operand a, struct vh_operand b)
{
   struct vh_operand r = K(vh_temp)(l), src[2] = { a, b };
   K(vh_temp)(l);
   struct uop *u = K(vh_emit)(l, K(vh_pair), r, 2, src);
   u->imm[0] = op;
   u->imm[1] = imm;
   return r;
}

static struct vh_operand
high_of(struct vh_operand a)
{
   a.offset += COMP_BYTES;
   return a;
}

static void
write_pair(struct vh_lift *l, struct vh_operand lo, struct vh_operand hi)
{
   K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_MOV), K(vh_register)(l->instr.dest), 1, &lo);
   K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_MOV), K(vh_register)((l->instr.dest + 1u) & 63), 1, &hi);
}

/* (a shifted) op b on both words. */
static void
pair_shift_logic(struct vh_lift *l)
{
   unsigned exec = l->info->exec;
   bool left = exec == VALHALL_EXEC_LSHIFT_AND || exec == VALHALL_EXEC_LSHIFT_OR ||
               exec == VALHALL_EXEC_LSHIFT_XOR;
   unsigned logic =
      exec == VALHALL_EXEC_LSHIFT_AND || exec == VALHALL_EXEC_RSHIFT_AND ? CAYMAN_ALU_AND_INT
      : exec == VALHALL_EXEC_LSHIFT_OR || exec == VALHALL_EXEC_RSHIFT_OR ? CAYMAN_ALU_OR_INT
                                                                         : CAYMAN_ALU_XOR_INT;
   bool is_signed = mod(l, VALHALL_MOD_SIGNED);
   struct vh_operand a = pair_source(l, 0, is_signed), n[2], b, r, word[2];
   n[0] = K(vh_temp)(l), n[1] = K(vh_temp)(l);
   struct vh_operand by = K(vh_element)(l, 1, 0, 8, 1, VALHALL_CLASS_U);
   K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_MOV), n[0], 1, &by);
   K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_MOV), n[1], 1, &by);
   b = pair_source(l, 2, false);
   r = pair_op(l, left ? VH_PAIR_SHL : is_signed ? VH_PAIR_SAR : VH_PAIR_SHR, 0, a, n[0]);
   for (unsigned i = 0; i < 2; i++) {
      word[i] = K(vh_sq)(l, logic, 2, i ? high_of(r) : r, i ? high_of(b) : b, r);
      if (mod(l, VALHALL_MOD_NOT_RESULT)) {
         word[i] = SQ1(NOT_INT, word[i]);
      }
   }
   write_pair(l, word[0], word[1]);
}

void
K(vh_lift_pair)(struct vh_lift *l)
{
   bool is_signed = valhall_type_info(l->info->from)->class == VALHALL_CLASS_S;
   bool sat = mod(l, VALHALL_MOD_SATURATE);
   struct vh_operand a, b, r;

   switch (l->info->exec) {
   case VALHALL_EXEC_NOT:
      a = pair_source(l, 0, false);
      write_pair(l, SQ1(NOT_INT, a), SQ1(NOT_INT, high_of(a)));
      return;
   case VALHALL_EXEC_IMULD:
      a = pair_source(l, 0, false);
      b = pair_source(l, 1, false);
      write_pair(l, SQ2(MULLO_UINT, a, b), SQ2(MULHI_UINT, a, b));
      return;
   case VALHALL_EXEC_CLPER: {
      struct vh_operand words[2], src[2];
      src[1] = K(vh_element)(l, 1, 0, 8, 1, VALHALL_CLASS_U);
      for (unsigned i = 0; i < 2; i++) {
         src[0] = K(vh_source_word)(l, 0, i);
         words[i] = K(vh_temp)(l);
         struct uop *u = K(vh_emit)(l, K(vh_clper), words[i], 2, src);
         u->imm[0] = mod(l, VALHALL_MOD_SUBGROUP_SIZE) | mod(l, VALHALL_MOD_LANE_OPERATION) << 8;
         u->imm[1] = valhall_inactive_value(mod(l, VALHALL_MOD_INACTIVE_RESULT));
      }
      write_pair(l, words[0], words[1]);
      return;
   }
   case VALHALL_EXEC_LSHIFT_AND:
   case VALHALL_EXEC_RSHIFT_AND:
   case VALHALL_EXEC_LSHIFT_OR:
   case VALHALL_EXEC_RSHIFT_OR:
   case VALHALL_EXEC_LSHIFT_XOR:
   case VALHALL_EXEC_RSHIFT_XOR:
      pair_shift_logic(l);
      return;
   case VALHALL_EXEC_SHADDX: {
      struct vh_operand n = K(vh_temp)(l), by = LIT(l->instr.imm[0]);
      K(vh_temp)(l);
      K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_MOV), n, 1, &by);
      K(vh_emit)(l, K(sq_alu_fn)(CAYMAN_ALU_MOV), high_of(n), 1, &by);
      a = pair_source(l, 0, is_signed);
      b = pair_op(l, VH_PAIR_SHL, 0, pair_source(l, 1, is_signed), n);
      r = pair_op(l, VH_PAIR_ADD, 0, a, b);
      break;
   }
   case VALHALL_EXEC_SEG_ADD: {
      bool neg = mod(l, VALHALL_MOD_NEG), null = mod(l, VALHALL_MOD_PRESERVE_NULL);
      a = pair_source(l, 0, false);
      b = pair_source(l, 1, false);
      r = pair_op(l,
                  null  ? neg ? VH_PAIR_SEG_SUB : VH_PAIR_SEG_ADD
                  : neg ? VH_PAIR_SUB
                        : VH_PAIR_ADD,
                  0, a, b);
      break;
   }
   case VALHALL_EXEC_ISUB:
      a = pair_source(l, 0, is_signed);
      b = pair_source(l, 1, is_signed);
      r = pair_op(l, sat ? VH_PAIR_SUB_SAT : VH_PAIR_SUB, is_signed, a, b);
      break;
   default:
      a = pair_source(l, 0, is_signed);
      b = pair_source(l, 1, is_signed);
      r = pair_op(l, sat ? VH_PAIR_ADD_SAT : VH_PAIR_ADD, is_signed, a, b);
      break;
   }
   write_pair(l, r, high_of(r));
}
