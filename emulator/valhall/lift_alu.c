/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic of Valhall in SQ's micro-operations: each element is unpacked to 32 bits, computed,
 * and packed.  Halves are computed as floats and rounded once: every sum, product and quotient of
 * two halves rounds right that way, and a fused multiply-add has an operation of its own.
 */
#include "fp.h"
#include "uop/scalar.h"
#include "valhall/program.h"

#define OP1(op, a)        vh_op(l, UOP_##op, a, none, none)
#define OP2(op, a, b)     vh_op(l, UOP_##op, a, b, none)
#define OP3(op, a, b, c)  vh_op(l, UOP_##op, a, b, c)
#define IMM(op, imm, ...) vh_imm(l, UOP_VH_##op, imm, __VA_ARGS__)
#define LIT(value)        vh_literal(l, value)

/* An operand that an operation has not. */
static const struct uop_operand none;

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
static struct uop_operand
compare(struct vh_lift *l, unsigned class, struct uop_operand a, struct uop_operand b)
{
   unsigned condition = mod(l, VALHALL_MOD_CONDITION);
   unsigned gt = class == VALHALL_CLASS_F   ? UOP_SETGT_DX10
                 : class == VALHALL_CLASS_S ? UOP_SETGT_INT
                                            : UOP_SETGT_UINT;
   unsigned ge = class == VALHALL_CLASS_F   ? UOP_SETGE_DX10
                 : class == VALHALL_CLASS_S ? UOP_SETGE_INT
                                            : UOP_SETGE_UINT;
   switch (condition) {
   case VALHALL_CONDITION_EQ:
      return class == VALHALL_CLASS_F ? OP2(SETE_DX10, a, b) : OP2(SETE_INT, a, b);
   case VALHALL_CONDITION_NE:
      return class == VALHALL_CLASS_F ? OP2(SETNE_DX10, a, b) : OP2(SETNE_INT, a, b);
   case VALHALL_CONDITION_GT:
      return vh_op(l, gt, a, b, a);
   case VALHALL_CONDITION_LT:
      return vh_op(l, gt, b, a, a);
   case VALHALL_CONDITION_GE:
      return vh_op(l, ge, a, b, a);
   case VALHALL_CONDITION_LE:
      return vh_op(l, ge, b, a, a);
   case VALHALL_CONDITION_GTLT:
      return OP2(OR_INT, vh_op(l, gt, a, b, a), vh_op(l, gt, b, a, a));
   default:
      return IMM(TOTAL_ORDER, 0, a, b, a);
   }
}

/* Element e of a float source with its bits as they are, at the top of the word. */
static struct uop_operand
raw_float(struct vh_lift *l, unsigned n, unsigned e, unsigned bits, unsigned count)
{
   struct uop_operand r;
   if (bits == 32) {
      unsigned flush = l->flush;
      l->flush = VH_FLUSH_NONE;
      r = vh_element(l, n, e, bits, count, VALHALL_CLASS_F);
      l->flush = flush;
      return r;
   }
   bool neg = l->instr.src[n].neg, abs = l->instr.src[n].abs;
   l->instr.src[n].neg = l->instr.src[n].abs = false;
   r = OP2(LSHL_INT, vh_element(l, n, e, bits, count, VALHALL_CLASS_U), LIT(16));
   l->instr.src[n].neg = neg;
   l->instr.src[n].abs = abs;
   r.mods = (uint8_t)((abs ? UOP_ABS : 0) | (neg ? UOP_NEG : 0));
   return r;
}

static struct uop_operand
compare_elements(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   if (type->class == VALHALL_CLASS_F && mod(l, VALHALL_MOD_CONDITION) == VALHALL_CONDITION_TOTAL) {
      return IMM(TOTAL_ORDER, 0, raw_float(l, 0, e, type->bits, type->count),
                 raw_float(l, 1, e, type->bits, type->count), LIT(0));
   }
   return compare(l, type->class, vh_element(l, 0, e, type->bits, type->count, type->class),
                  vh_element(l, 1, e, type->bits, type->count, type->class));
}

/* A mask as the result type says. */
static struct uop_operand
encode_boolean(struct vh_lift *l, struct uop_operand m, unsigned bits)
{
   switch (mod(l, VALHALL_MOD_RESULT_TYPE)) {
   case VALHALL_RESULT_TYPE_M1:
      return m;
   case VALHALL_RESULT_TYPE_F1:
      return OP2(AND_INT, m, LIT(bits == 16 ? 0x3c00 : bits == 8 ? 1 : 0x3f800000u));
   default:
      return OP2(AND_INT, m, LIT(1));
   }
}

/* ICMP_MULTI: of the high words, with what the low words gave. */
static struct uop_operand
multi(struct vh_lift *l, const struct valhall_type_info *type)
{
   struct uop_operand a = vh_element(l, 0, 0, 32, 1, type->class);
   struct uop_operand b = vh_element(l, 1, 0, 32, 1, type->class);
   struct uop_operand low = OP2(SETNE_INT, vh_source_word(l, 2, 0), LIT(0));
   if (mod(l, VALHALL_MOD_RESULT_TYPE) == VALHALL_RESULT_TYPE_U1)
      return compare(l, type->class, a, b);
   struct uop_operand equal = OP2(SETE_INT, a, b), r;
   unsigned gt = type->class == VALHALL_CLASS_S ? UOP_SETGT_INT : UOP_SETGT_UINT;
   switch (mod(l, VALHALL_MOD_CONDITION)) {
   case VALHALL_CONDITION_EQ:
      return OP2(AND_INT, equal, low);
   case VALHALL_CONDITION_GT:
   case VALHALL_CONDITION_GE:
      r = vh_op(l, gt, a, b, a);
      break;
   case VALHALL_CONDITION_LT:
   case VALHALL_CONDITION_LE:
      r = vh_op(l, gt, b, a, a);
      break;
   default:
      return OP2(OR_INT, OP1(NOT_INT, equal), low);
   }
   return OP2(OR_INT, r, OP2(AND_INT, equal, low));
}

/* Rounds to an integral value. */
static struct uop_operand
round_integral(struct vh_lift *l, struct uop_operand a)
{
   switch (mod(l, VALHALL_MOD_ROUND_MODE)) {
   case VALHALL_ROUND_MODE_RTP:
      return OP1(CEIL, a);
   case VALHALL_ROUND_MODE_RTN:
      return OP1(FLOOR, a);
   case VALHALL_ROUND_MODE_RTZ:
      return OP1(TRUNC, a);
   default:
      return OP1(RNDNE, a);
   }
}

/* Into the range of a narrow type. */
static struct uop_operand
saturate(struct vh_lift *l, struct uop_operand a, unsigned bits, bool is_signed)
{
   if (bits == 32)
      return a;
   uint32_t max = ones(bits - is_signed);
   a = OP2(MIN_INT, a, LIT(max));
   return OP2(MAX_INT, a, LIT(is_signed ? ~max : 0));
}

static struct uop_operand
convert(struct vh_lift *l, unsigned e)
{
   const struct valhall_type_info *from = valhall_type_info(l->info->from);
   const struct valhall_type_info *to = valhall_type_info(l->info->to);
   struct uop_operand a = vh_element(l, 0, e, from->bits, from->count, from->class);
   static const unsigned modes[4] = { FP_ROUND_NEAREST, FP_ROUND_UP, FP_ROUND_DOWN, FP_ROUND_ZERO };

   if (from->class == VALHALL_CLASS_F) {
      if (to->class == VALHALL_CLASS_F)
         return OP2(MAX_DX10, a, a); /* the value itself, or the canonical NaN */
      a = round_integral(l, a);
      a = to->class == VALHALL_CLASS_S ? OP1(FLT_TO_INT, a) : OP1(FLT_TO_UINT, a);
      /* What is beyond 31 bits is beyond 16 either way. */
      if (to->class == VALHALL_CLASS_U && to->bits < 32)
         return OP2(MIN_UINT, a, LIT(ones(to->bits)));
      return saturate(l, a, to->bits, to->class == VALHALL_CLASS_S);
   }
   if (to->class != VALHALL_CLASS_F)
      return a;
   /* A program's own mode is to the nearest. */
   bool rounds = from->bits == 32 && mod(l, VALHALL_MOD_ROUND_MODE) != VALHALL_ROUND_MODE_RTE;
   if (rounds)
      uop_add(&l->b, UOP_VH_SET_ROUND)->p.immediate.bits = modes[mod(l, VALHALL_MOD_ROUND_MODE)];
   /* What has fewer bits is positive as a signed number, too. */
   a = from->class == VALHALL_CLASS_S || from->bits < 32 ? OP1(INT_TO_FLT, a) : OP1(UINT_TO_FLT, a);
   if (rounds)
      uop_add(&l->b, UOP_VH_SET_ROUND)->p.immediate.bits = FP_ROUND_NEAREST;
   return a;
}

/* Shift by the low bits of a byte, then logic. */
static struct uop_operand
shift_logic(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   unsigned exec = l->info->exec;
   bool left = exec == VALHALL_EXEC_LSHIFT_AND || exec == VALHALL_EXEC_LSHIFT_OR ||
               exec == VALHALL_EXEC_LSHIFT_XOR;
   bool is_signed = mod(l, VALHALL_MOD_SIGNED);
   struct uop_operand a =
      vh_element(l, 0, e, type->bits, type->count, is_signed ? VALHALL_CLASS_S : VALHALL_CLASS_U);
   struct uop_operand n = vh_element(l, 1, e, 8, type->count, VALHALL_CLASS_U);
   struct uop_operand b = vh_element(l, 2, e, type->bits, type->count, VALHALL_CLASS_U), r;
   n = OP2(AND_INT, n, LIT(type->bits - 1u));
   r = left ? OP2(LSHL_INT, a, n) : is_signed ? OP2(ASHR_INT, a, n) : OP2(LSHR_INT, a, n);
   if (l->instr.src[2].invert)
      b = uop_not(b);
   r = exec == VALHALL_EXEC_LSHIFT_AND || exec == VALHALL_EXEC_RSHIFT_AND ? OP2(AND_INT, r, b)
       : exec == VALHALL_EXEC_LSHIFT_OR || exec == VALHALL_EXEC_RSHIFT_OR ? OP2(OR_INT, r, b)
                                                                          : OP2(XOR_INT, r, b);
   return mod(l, VALHALL_MOD_NOT_RESULT) ? OP1(NOT_INT, r) : r;
}

static struct uop_operand
mux(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   struct uop_operand a = vh_element(l, 0, e, type->bits, type->count, VALHALL_CLASS_U);
   struct uop_operand b = vh_element(l, 1, e, type->bits, type->count, VALHALL_CLASS_U);
   struct uop_operand m = vh_element(l, 2, e, type->bits, type->count, VALHALL_CLASS_U);
   switch (mod(l, VALHALL_MOD_MUX)) {
   case VALHALL_MUX_NEG:
      return OP3(CNDE_INT, OP2(AND_INT, m, LIT(1u << (type->bits - 1))), b, a);
   case VALHALL_MUX_INT_ZERO:
      return OP3(CNDE_INT, m, a, b);
   case VALHALL_MUX_FP_ZERO:
      return OP3(CNDE_INT, OP2(AND_INT, m, LIT(ones(type->bits - 1u))), a, b);
   default:
      return OP3(BFI_INT, m, a, b);
   }
}

/* 2^x for x = src0 * 2^-24, src1 the same as a float. */
static struct uop_operand
exponential(struct vh_lift *l)
{
   struct uop_operand x = vh_source_word(l, 0, 0);
   struct uop_operand f = raw_float(l, 1, 0, 32, 1);
   struct uop_operand fraction = OP1(INT_TO_FLT, OP2(AND_INT, x, LIT(0xffffff)));
   fraction = OP1(EXP_IEEE, OP2(MUL_IEEE, fraction, LIT(0x33800000))); /* 2^-24 */
   return OP3(VH_EXP, fraction, x, f);
}

static struct uop_operand
scaled_fma(struct vh_lift *l)
{
   /* FMA flushes what it is given where the host does; where a program asks for zeros it
    * needs them before. */
   const bool asks = !l->host_flushes || l->info->exec == VALHALL_EXEC_FMA_RSCALE_N ||
                     l->info->exec == VALHALL_EXEC_FMA_RSCALE_LEFT;
   struct uop_operand a =
      asks ? vh_element(l, 0, 0, 32, 1, VALHALL_CLASS_F) : raw_float(l, 0, 0, 32, 1);
   struct uop_operand b =
      asks ? vh_element(l, 1, 0, 32, 1, VALHALL_CLASS_F) : raw_float(l, 1, 0, 32, 1);
   struct uop_operand c =
      asks ? vh_element(l, 2, 0, 32, 1, VALHALL_CLASS_F) : raw_float(l, 2, 0, 32, 1);
   struct uop_operand n = vh_source_word(l, 3, 0), one = LIT(0x3f800000), r;
   uint32_t scale;
   switch (l->info->exec) {
   case VALHALL_EXEC_FMA_RSCALE_N: /* 0 * 0 + c */
      a = IMM(NO_ZERO_FACTOR, 0, a, b, a);
      b = IMM(NO_ZERO_FACTOR, 0, a, b, b);
      break;
   case VALHALL_EXEC_FMA_RSCALE_LEFT: /* a * 1 + c */
      b = OP3(CNDE_INT, IMM(NO_ZERO_FACTOR, 0, a, b, one), one, b);
      break;
   case VALHALL_EXEC_FMA_RSCALE_SCALE16:
      n = OP3(BFE_INT, n, LIT(0), LIT(16));
      break;
   default:
      break;
   }
   r = OP3(FMA, a, b, c);
   if (!vh_operand_value(l, &n, &scale) || scale > 126)
      return IMM(LDEXP, VALHALL_ROUND_MODE_RTE, r, n, n);
   /* A power of two that loses no bits. */
   return scale ? OP2(MUL_IEEE, r, LIT((127 + scale) << 23)) : r;
}

/* Multiples of pi/32; the micro-operations take multiples of 2 pi. */
static struct uop_operand
table_angle(struct vh_lift *l)
{
   struct uop_operand k = OP2(AND_INT, vh_source_word(l, 0, 0), LIT(63));
   return OP2(MUL_IEEE, OP1(INT_TO_FLT, k), LIT(0x3c800000)); /* 1/64 */
}

static struct uop_operand
integer(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   bool is_signed = type->class == VALHALL_CLASS_S;
   struct uop_operand a = vh_element(l, 0, e, type->bits, type->count, type->class), b;
   bool sat = mod(l, VALHALL_MOD_SATURATE), wide = type->bits == 32;

   if (l->info->num_imm) {
      uint32_t imm = l->instr.imm[0] >> e * type->bits;
      b = LIT(imm & ones(type->bits));
   } else {
      b = vh_element(l, 1, e, type->bits, type->count, type->class);
   }
   switch (l->info->exec) {
   case VALHALL_EXEC_HADD:
      return IMM(HADD, is_signed | mod(l, VALHALL_MOD_RHADD) << 1, a, b, a);
   case VALHALL_EXEC_ISUB:
      if (sat && wide)
         return IMM(SUB_SAT, is_signed, a, b, a);
      a = OP2(SUB_INT, a, b);
      break;
   case VALHALL_EXEC_IMUL:
      if (sat && wide)
         return IMM(MUL_SAT, is_signed, a, b, a);
      a = OP2(MULLO_INT, a, b);
      if (sat && !is_signed) {
         /* A product of 16-bit numbers may have its sign bit set. */
         return OP2(MIN_UINT, a, LIT(ones(type->bits)));
      }
      break;
   default:
      if (sat && wide)
         return IMM(ADD_SAT, is_signed, a, b, a);
      a = OP2(ADD_INT, a, b);
      break;
   }
   return sat ? saturate(l, a, type->bits, is_signed) : a;
}

/* ------------------------------------------------------------------------------------------------
 * One element
 */
#define SOURCE(n) vh_element(l, n, e, type->bits, type->count, type->class)

static struct uop_operand
float_element(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   bool half = type->bits == 16;
   switch (l->info->exec) {
   case VALHALL_EXEC_FADD:
      if (l->info->num_imm) {
         uint32_t imm = half ? l->instr.imm[0] >> 16 * e & 0xffff : l->instr.imm[0];
         struct uop_operand b = half ? OP1(FLT16_TO_FLT32, LIT(imm)) : LIT(imm);
         return OP2(ADD, SOURCE(0), vh_flush(l, b, half, LEAST_HALF));
      }
      return OP2(ADD, SOURCE(0), SOURCE(1));
   case VALHALL_EXEC_FMIN:
      return OP2(MIN_DX10, SOURCE(0), SOURCE(1));
   case VALHALL_EXEC_FMAX:
      return OP2(MAX_DX10, SOURCE(0), SOURCE(1));
   case VALHALL_EXEC_FMA:
      return half ? IMM(HALF_FMA, 0, SOURCE(0), SOURCE(1), SOURCE(2))
                  : OP3(FMA, SOURCE(0), SOURCE(1), SOURCE(2));
   case VALHALL_EXEC_FROUND:
      return round_integral(l, SOURCE(0));
   case VALHALL_EXEC_FRCP:
      return OP1(RECIP_IEEE, SOURCE(0));
   case VALHALL_EXEC_FRSQ:
      return OP1(RECIPSQRT_IEEE, SOURCE(0));
   case VALHALL_EXEC_FLUSH:
      return IMM(FLUSH,
                 mod(l, VALHALL_MOD_NAN_MODE) | mod(l, VALHALL_MOD_FTZ) * FLUSH_FTZ |
                    mod(l, VALHALL_MOD_FLUSH_INF) * FLUSH_INF | half * FLUSH_HALF,
                 SOURCE(0), LIT(0), LIT(0));
   case VALHALL_EXEC_FREXPM:
      return IMM(FREXPM,
                 mod(l, VALHALL_MOD_SQRT) * FREXP_SQRT | mod(l, VALHALL_MOD_LOG) * FREXP_LOG,
                 SOURCE(0), LIT(0), LIT(0));
   case VALHALL_EXEC_FREXPE:
      return IMM(FREXPE,
                 mod(l, VALHALL_MOD_SQRT) * FREXP_SQRT | mod(l, VALHALL_MOD_LOG) * FREXP_LOG,
                 SOURCE(0), LIT(0), LIT(0));
   case VALHALL_EXEC_FLOGD: {
      struct uop_operand x = SOURCE(0), m = IMM(LOG_MANTISSA, 0, x, x, x);
      return IMM(LOGD, 0, x, m, OP1(LOG_IEEE, m));
   }
   case VALHALL_EXEC_FADD_LSCALE: {
      struct uop_operand x = SOURCE(1);
      return OP2(ADD, SOURCE(0), IMM(LOG_MANTISSA, 0, x, x, x));
   }
   case VALHALL_EXEC_LDEXP: {
      struct uop_operand n = vh_element(l, 1, e, type->bits, type->count, VALHALL_CLASS_S);
      unsigned mode = mod(l, VALHALL_MOD_ROUND_MODE);
      return half ? IMM(HALF_LDEXP, mode, SOURCE(0), n, n) : IMM(LDEXP, mode, SOURCE(0), n, n);
   }
   case VALHALL_EXEC_FEXP:
      return exponential(l);
   case VALHALL_EXEC_CUBEFACE1:
   case VALHALL_EXEC_CUBEFACE2: {
      struct uop_operand x = SOURCE(0), y = SOURCE(1), z = SOURCE(2);
      if (l->info->exec == VALHALL_EXEC_CUBEFACE2)
         return IMM(CUBE_FACE, 0, x, y, z);
      x = uop_abs(x), y = uop_abs(y), z = uop_abs(z);
      return OP2(MAX_DX10, OP2(MAX_DX10, x, y), z);
   }
   case VALHALL_EXEC_CUBE_SSEL:
      return IMM(CUBE_S, 0, SOURCE(0), SOURCE(1), vh_source_word(l, 2, 0));
   case VALHALL_EXEC_CUBE_TSEL:
      return IMM(CUBE_T, 0, SOURCE(0), SOURCE(1), vh_source_word(l, 2, 0));
   default:
      return scaled_fma(l);
   }
}

static struct uop_operand
integer_element(struct vh_lift *l, unsigned e, const struct valhall_type_info *type)
{
   switch (l->info->exec) {
   case VALHALL_EXEC_MOV:
      return OP1(MOV, SOURCE(0));
   case VALHALL_EXEC_NOT:
      return OP1(NOT_INT, SOURCE(0));
   case VALHALL_EXEC_POPCOUNT:
      return OP1(BCNT_INT, SOURCE(0));
   case VALHALL_EXEC_BITREV:
      return OP1(BFREV_INT, SOURCE(0));
   case VALHALL_EXEC_CLZ:
      /* Without a bit set there is no highest one, ~0. */
      return OP2(SUB_INT, OP2(MIN_UINT, OP1(FFBH_UINT, SOURCE(0)), LIT(32)), LIT(32u - type->bits));
   case VALHALL_EXEC_IABS: {
      struct uop_operand a = SOURCE(0);
      return OP2(MAX_INT, a, OP2(SUB_INT, LIT(0), a));
   }
   case VALHALL_EXEC_MUX:
      return mux(l, e, type);
   case VALHALL_EXEC_FSIN_TABLE:
      return OP1(SIN, table_angle(l));
   case VALHALL_EXEC_FCOS_TABLE:
      return OP1(COS, table_angle(l));
   case VALHALL_EXEC_FEXP_TABLE: {
      struct uop_operand k = OP2(AND_INT, vh_source_word(l, 0, 0), LIT(15));
      return OP1(EXP_IEEE, OP2(MUL_IEEE, OP1(INT_TO_FLT, k), LIT(0x3d800000))); /* 1/16 */
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

static struct uop_operand
element(struct vh_lift *l, unsigned e)
{
   const struct valhall_type_info *type = valhall_type_info(l->info->from);
   switch (l->info->exec) {
   case VALHALL_EXEC_CONVERT:
      return convert(l, e);
   case VALHALL_EXEC_CSEL:
   case VALHALL_EXEC_FSEL:
      return OP3(CNDE_INT, compare_elements(l, e, type),
                 vh_element(l, 3, e, type->bits, type->count, VALHALL_CLASS_U),
                 vh_element(l, 2, e, type->bits, type->count, VALHALL_CLASS_U));
   case VALHALL_EXEC_ICMP_OR:
   case VALHALL_EXEC_FCMP_OR:
   case VALHALL_EXEC_ICMP_AND:
   case VALHALL_EXEC_FCMP_AND: {
      bool any = l->info->exec == VALHALL_EXEC_ICMP_OR || l->info->exec == VALHALL_EXEC_FCMP_OR;
      struct uop_operand r = compare_elements(l, e, type);
      struct uop_operand c =
         OP2(SETNE_INT, vh_element(l, 2, e, type->bits, type->count, VALHALL_CLASS_U), LIT(0));
      return encode_boolean(l, any ? OP2(OR_INT, r, c) : OP2(AND_INT, r, c), type->bits);
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
write_result(struct vh_lift *l, struct uop_operand r)
{
   struct uop_operand dest = vh_register(l->instr.dest);
   if (l->instr.mask == 3) {
      uop_settle(&l->b, dest.at, r);
   } else {
      struct uop_operand src[3] = { LIT(l->instr.mask == 1 ? 0xffffu : 0xffff0000u), r, dest };
      uop_emit(&l->b, UOP_BFI_INT, dest.at, src[0], src[1], src[2]);
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

/* A result of which the mode has made what a minimum makes of its operands. */
static bool
flushes_itself(const struct vh_lift *l)
{
   switch (l->info->exec) {
   case VALHALL_EXEC_FADD:
   case VALHALL_EXEC_FMA:
   case VALHALL_EXEC_FMIN:
   case VALHALL_EXEC_FMAX:
      return true;
   default:
      return false;
   }
}

/* A NaN is the lower end, and -0 at 0 is the greater zero: as of maxima and minima. */
static struct uop_operand
clamp(struct vh_lift *l, struct uop_operand a, unsigned limits)
{
   if (limits & VALHALL_CLAMP_CLAMP_0_INF)
      a = OP2(MAX_DX10, a, LIT(0));
   else
      a = OP2(MAX_DX10, a, LIT(0xbf800000));
   return limits & VALHALL_CLAMP_CLAMP_M1_1 ? OP2(MIN_DX10, a, LIT(0x3f800000)) : a;
}

static struct uop_operand
finish_element(struct vh_lift *l, struct uop_operand r, const struct valhall_type_info *to)
{
   unsigned limits = mod(l, VALHALL_MOD_CLAMP);
   bool half = to->class == VALHALL_CLASS_F && to->bits == 16;
   if (half && gives_halves(l) && limits)
      r = OP1(FLT16_TO_FLT32, r);
   if (limits && !half && flushes_itself(l))
      r = clamp(l, r, limits);
   else if (limits)
      r = IMM(CLAMP, limits, r, r, r);
   if (half && (!gives_halves(l) || limits))
      r = IMM(HALF, mod(l, VALHALL_MOD_ROUND_MODE), r, r, r);
   return to->class == VALHALL_CLASS_F && !gives_bits(l) ? vh_flush(l, r, half, LEAST_HALF_BITS)
                                                         : r;
}

/* Elements side by side in a word. */
static struct uop_operand
pack(struct vh_lift *l, struct uop_operand all, struct uop_operand r, unsigned e, unsigned bits)
{
   if (bits == 32)
      return r;
   if (e)
      r = OP2(LSHL_INT, r, LIT(e * bits));
   return OP3(BFI_INT, LIT(ones(bits) << e * bits), r, all);
}

static void
lift_vector(struct vh_lift *l)
{
   const struct valhall_type_info *to = valhall_type_info(l->info->to);
   struct uop_operand all = LIT(0);
   unsigned kept = 0;
   for (unsigned e = 0; e < to->count; e++) {
      struct uop_operand r = finish_element(l, element(l, e), to);
      r = pack(l, all, r, e, to->bits);
      /* The next element takes the same temporaries, but for the one with the word so far. */
      if (to->count > 1) {
         if (e == 0) {
            all = vh_temp(l);
            kept = l->b.next_temp;
         }
         uop_settle(&l->b, all.at, r);
         uop_free_temps(&l->b, kept);
      } else {
         all = r;
      }
   }
   write_result(l, all);
}

/* What another lane has. */
static struct uop_operand
clper(struct vh_lift *l, struct uop_operand value, struct uop_operand lane)
{
   struct uop_operand r = vh_temp(l);
   struct uop *u = uop_emit(&l->b, UOP_VH_CLPER, r.at, value, lane, none);
   u->p.subgroup.size = (uint8_t)mod(l, VALHALL_MOD_SUBGROUP_SIZE);
   u->p.subgroup.operation = (uint8_t)mod(l, VALHALL_MOD_LANE_OPERATION);
   u->p.subgroup.inactive = valhall_inactive_value(mod(l, VALHALL_MOD_INACTIVE_RESULT));
   return r;
}

void
vh_lift_alu(struct vh_lift *l)
{
   struct uop_operand src[3], r;
   switch (l->info->exec) {
   case VALHALL_EXEC_DISCARD:
      /* The last operation's result is the condition. */
      compare_elements(l, 0, valhall_type_info(l->info->from));
      return;
   case VALHALL_EXEC_PACK_HALVES: {
      struct uop_operand halves[2];
      for (unsigned n = 0; n < 2; n++) {
         halves[n] = finish_element(l, vh_element(l, n, 0, 32, 1, VALHALL_CLASS_F),
                                    valhall_type_info(l->info->to));
      }
      write_result(l, pack(l, halves[0], halves[1], 1, 16));
      return;
   }
   case VALHALL_EXEC_MKVEC_HALVES:
      r = vh_element(l, 0, 0, 16, 2, VALHALL_CLASS_U);
      write_result(l, pack(l, r, vh_element(l, 1, 0, 16, 2, VALHALL_CLASS_U), 1, 16));
      return;
   case VALHALL_EXEC_MKVEC_BYTES:
      r = OP2(LSHL_INT, vh_source_word(l, 2, 0), LIT(16));
      r = pack(l, r, vh_element(l, 0, 0, 8, 1, VALHALL_CLASS_U), 0, 8);
      write_result(l, pack(l, r, vh_element(l, 1, 0, 8, 1, VALHALL_CLASS_U), 1, 8));
      return;
   case VALHALL_EXEC_IDP:
      write_result(l,
                   IMM(IDP, (l->info->to == VALHALL_TYPE_S32) | mod(l, VALHALL_MOD_SATURATE) << 1,
                       vh_source_word(l, 0, 0), vh_source_word(l, 1, 0), vh_source_word(l, 2, 0)));
      return;
   case VALHALL_EXEC_WMASK:
      src[0] = vh_source_word(l, 0, 0);
      r = vh_temp(l);
      uop_emit(&l->b, UOP_VH_WMASK, r.at, src[0], none, none)->p.subgroup.size =
         (uint8_t)mod(l, VALHALL_MOD_SUBGROUP_SIZE);
      write_result(l, r);
      return;
   case VALHALL_EXEC_CLPER: {
      src[0] = vh_source_word(l, 0, 0);
      src[1] = vh_element(l, 1, 0, 8, 1, VALHALL_CLASS_U);
      write_result(l, clper(l, src[0], src[1]));
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
static struct uop_operand
pair_source(struct vh_lift *l, unsigned n, bool is_signed)
{
   struct uop_operand lo = vh_temp(l), hi = vh_temp(l), a[2];
   if (l->instr.src[n].select && valhall_src_info(l->info->src[n])->width) {
      a[0] = vh_element(l, n, 0, 64, 1, is_signed ? VALHALL_CLASS_S : VALHALL_CLASS_U);
      a[1] = is_signed ? OP2(ASHR_INT, a[0], LIT(31)) : LIT(0);
   } else {
      a[0] = vh_source_word(l, n, 0);
      a[1] = vh_source_word(l, n, 1);
   }
   for (unsigned i = 0; i < 2; i++) {
      if (l->instr.src[n].invert)
         a[i] = uop_not(a[i]);
      vh_move(l, i ? hi : lo, a[i]);
   }
   return lo;
}

static struct uop_operand
pair_op(struct vh_lift *l, enum uop_pair_op op, bool is_signed, struct uop_operand a,
        struct uop_operand b)
{
   struct uop_operand r = vh_temp(l);
   vh_temp(l);
   struct uop *u = uop_emit(&l->b, UOP_VH_PAIR, r.at, a, b, none);
   u->p.pair.op = (uint8_t)op;
   u->p.pair.is_signed = is_signed;
   return r;
}

static struct uop_operand
high_of(struct uop_operand a)
{
   a.at += COMP_BYTES;
   return a;
}

static void
write_pair(struct vh_lift *l, struct uop_operand lo, struct uop_operand hi)
{
   vh_move(l, vh_register(l->instr.dest), lo);
   vh_move(l, vh_register((l->instr.dest + 1u) & 63), hi);
}

/* (a shifted) op b on both words. */
static void
pair_shift_logic(struct vh_lift *l)
{
   unsigned exec = l->info->exec;
   bool left = exec == VALHALL_EXEC_LSHIFT_AND || exec == VALHALL_EXEC_LSHIFT_OR ||
               exec == VALHALL_EXEC_LSHIFT_XOR;
   unsigned logic = exec == VALHALL_EXEC_LSHIFT_AND || exec == VALHALL_EXEC_RSHIFT_AND ? UOP_AND_INT
                    : exec == VALHALL_EXEC_LSHIFT_OR || exec == VALHALL_EXEC_RSHIFT_OR
                       ? UOP_OR_INT
                       : UOP_XOR_INT;
   bool is_signed = mod(l, VALHALL_MOD_SIGNED);
   struct uop_operand a = pair_source(l, 0, is_signed), n[2], b, r, word[2];
   n[0] = vh_temp(l), n[1] = vh_temp(l);
   struct uop_operand by = vh_element(l, 1, 0, 8, 1, VALHALL_CLASS_U);
   vh_move(l, n[0], by);
   vh_move(l, n[1], by);
   b = pair_source(l, 2, false);
   r = pair_op(l, left ? UOP_PAIR_SHL : is_signed ? UOP_PAIR_SAR : UOP_PAIR_SHR, false, a, n[0]);
   for (unsigned i = 0; i < 2; i++) {
      word[i] = vh_op(l, logic, i ? high_of(r) : r, i ? high_of(b) : b, r);
      if (mod(l, VALHALL_MOD_NOT_RESULT))
         word[i] = OP1(NOT_INT, word[i]);
   }
   write_pair(l, word[0], word[1]);
}

/* The idiom that moves a pair: 0 is added. */
static bool
moves_pair(const struct vh_lift *l)
{
   const unsigned byte = l->instr.src[1].byte;
   return valhall_src_is_constant(byte) && !valhall_constant(byte & 31) &&
          !l->instr.src[0].select && !l->instr.src[1].select;
}

void
vh_lift_pair(struct vh_lift *l)
{
   bool is_signed = valhall_type_info(l->info->from)->class == VALHALL_CLASS_S;
   bool sat = mod(l, VALHALL_MOD_SATURATE);
   struct uop_operand a, b, r;

   switch (l->info->exec) {
   case VALHALL_EXEC_NOT:
      a = pair_source(l, 0, false);
      write_pair(l, OP1(NOT_INT, a), OP1(NOT_INT, high_of(a)));
      return;
   case VALHALL_EXEC_IMULD:
      a = pair_source(l, 0, false);
      b = pair_source(l, 1, false);
      write_pair(l, OP2(MULLO_UINT, a, b), OP2(MULHI_UINT, a, b));
      return;
   case VALHALL_EXEC_CLPER: {
      struct uop_operand words[2], src[2];
      src[1] = vh_element(l, 1, 0, 8, 1, VALHALL_CLASS_U);
      for (unsigned i = 0; i < 2; i++) {
         src[0] = vh_source_word(l, 0, i);
         words[i] = clper(l, src[0], src[1]);
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
      struct uop_operand n = vh_temp(l), by = LIT(l->instr.imm[0]);
      vh_temp(l);
      vh_move(l, n, by);
      vh_move(l, high_of(n), by);
      a = pair_source(l, 0, is_signed);
      b = pair_op(l, UOP_PAIR_SHL, false, pair_source(l, 1, is_signed), n);
      r = pair_op(l, UOP_PAIR_ADD, false, a, b);
      break;
   }
   case VALHALL_EXEC_SEG_ADD: {
      bool neg = mod(l, VALHALL_MOD_NEG), null = mod(l, VALHALL_MOD_PRESERVE_NULL);
      a = pair_source(l, 0, false);
      b = pair_source(l, 1, false);
      r = pair_op(l,
                  null  ? neg ? UOP_PAIR_SEG_SUB : UOP_PAIR_SEG_ADD
                  : neg ? UOP_PAIR_SUB
                        : UOP_PAIR_ADD,
                  0, a, b);
      break;
   }
   case VALHALL_EXEC_ISUB:
      a = pair_source(l, 0, is_signed);
      b = pair_source(l, 1, is_signed);
      r = pair_op(l, sat ? UOP_PAIR_SUB_SAT : UOP_PAIR_SUB, is_signed, a, b);
      break;
   default:
      if (moves_pair(l)) {
         write_pair(l, vh_source_word(l, 0, 0), vh_source_word(l, 0, 1));
         return;
      }
      a = pair_source(l, 0, is_signed);
      b = pair_source(l, 1, is_signed);
      r = pair_op(l, sat ? UOP_PAIR_ADD_SAT : UOP_PAIR_ADD, is_signed, a, b);
      break;
   }
   write_pair(l, r, high_of(r));
}
