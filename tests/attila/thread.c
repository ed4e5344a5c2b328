/* SPDX-License-Identifier: MIT */
/* See thread.h. */
#include "thread.h"

#include <math.h>
#include <string.h>

static float
as_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

/* A NaN is canonical. */
static uint32_t
as_bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return isnan(f) ? 0x7fc00000u : u;
}

static void
read_register(const struct thread *t, const struct attila_inst *inst, const struct attila_src *src,
              uint32_t value[4])
{
   static const uint32_t zero[4];
   const uint32_t *from = zero;
   int64_t n = src->reg;

   switch (src->bank) {
   case ATTILA_IN:
      from = t->in[n];
      break;
   case ATTILA_TEMP:
      from = t->temp[n];
      break;
   case ATTILA_ADDR:
      from = t->addr[n];
      break;
   case ATTILA_IMMEDIATE:
      for (unsigned c = 0; c < 4; c++)
         value[c] = inst->immediate;
      return;
   default:
      if (inst->relative) {
         int offset = inst->rel_offset >= 256 ? inst->rel_offset - 512 : inst->rel_offset;
         n = (int64_t)(int32_t)t->addr[inst->rel_reg][inst->rel_comp] + offset;
      }
      n += src->bank == ATTILA_PARAM2 ? 256 : 0;
      from = n >= 0 && n < THREAD_CONSTANTS ? t->constants[n] : zero;
      break;
   }
   for (unsigned c = 0; c < 4; c++)
      value[c] = from[src->swizzle >> (6 - 2 * c) & 3];
}

static void
read_source(const struct thread *t, const struct attila_inst *inst, unsigned n, bool integer,
            uint32_t value[4])
{
   struct attila_src src = inst->src[n];
   if (src.bank == ATTILA_IMMEDIATE)
      src.swizzle = 0;
   read_register(t, inst, &src, value);
   for (unsigned c = 0; c < 4; c++) {
      if (integer) {
         if (src.absolute && (int32_t)value[c] < 0)
            value[c] = 0u - value[c];
         value[c] = src.negate ? 0u - value[c] : value[c];
      } else {
         value[c] = src.absolute ? value[c] & 0x7fffffff : value[c];
         value[c] ^= src.negate ? 0x80000000u : 0;
      }
   }
}

static bool
read_boolean(const struct thread *t, const struct attila_inst *inst, unsigned n)
{
   const struct attila_src *src = &inst->src[n];
   uint32_t value[4];

   if (src->absolute)
      return src->negate;
   if (src->bank == ATTILA_PARAM || src->bank == ATTILA_PARAM2) {
      read_register(t, inst, src, value);
      return (as_float(value[0]) != 0) != src->negate;
   }
   return t->pred[src->reg] != src->negate;
}

static int64_t
to_fixed(float f)
{
   double d = (double)f * 65536;
   return isnan(f) ? 0 : d < INT32_MIN ? INT32_MIN : d > INT32_MAX ? INT32_MAX : llrint(d);
}

static void
approximate(struct thread *t, unsigned c, double value, double relative, double absolute)
{
   t->value[c] = value;
   t->tolerance[c] = isinf(value) ? 1e-7 : fabs(value) * relative + absolute;
}

static uint32_t
floor_int(float f)
{
   double d = floor((double)f);
   if (isnan(f))
      return signbit(f) ? INT32_MIN : INT32_MAX;
   return (uint32_t)(d < INT32_MIN ? INT32_MIN : d > INT32_MAX ? INT32_MAX : (int32_t)d);
}

/* What is known exactly goes to r; the rest to value and tolerance. */
static void
compute(struct thread *t, unsigned op, const uint32_t s[3][4], uint32_t r[4])
{
   float a[4], b[4], c[4];
   const double ulp = 0x1p-23;

   for (unsigned i = 0; i < 4; i++) {
      a[i] = as_float(s[0][i]);
      b[i] = as_float(s[1][i]);
      c[i] = as_float(s[2][i]);
   }
   /* Reductions and functions of one component first. */
   float x = a[0];
   float sum = a[0] * b[0];
   sum += a[1] * b[1];
   sum += a[2] * b[2];
   for (unsigned i = 0; i < 4; i++) {
      switch (op) {
      case ATTILA_ADD:
         r[i] = as_bits(a[i] + b[i]);
         break;
      case ATTILA_ADDI:
         r[i] = s[0][i] + s[1][i];
         break;
      case ATTILA_MULI:
         r[i] = s[0][i] * s[1][i];
         break;
      case ATTILA_ARL:
         r[i] = floor_int(a[i]);
         break;
      case ATTILA_DP3:
         r[i] = as_bits(sum);
         break;
      case ATTILA_DP4: {
         float all = sum + a[3] * b[3];
         r[i] = as_bits(all);
         break;
      }
      case ATTILA_DPH:
         r[i] = as_bits(sum + b[3]);
         break;
      case ATTILA_FLR:
         r[i] = as_bits(floorf(a[i]));
         break;
      case ATTILA_FRC:
         r[i] = as_bits(a[i] - floorf(a[i]));
         break;
      case ATTILA_MAD: {
         float product = a[i] * b[i];
         r[i] = as_bits(product + c[i]);
         break;
      }
      case ATTILA_MUL:
         r[i] = as_bits(a[i] * b[i]);
         break;
      case ATTILA_MAX:
         r[i] = as_bits(a[i] > b[i] ? a[i] : b[i]);
         break;
      case ATTILA_MIN:
         r[i] = as_bits(a[i] < b[i] ? a[i] : b[i]);
         break;
      case ATTILA_MOV:
         r[i] = s[0][i];
         break;
      case ATTILA_SGE:
         r[i] = as_bits(a[i] < b[i] ? 0.0f : 1.0f);
         break;
      case ATTILA_SLT:
         r[i] = as_bits(a[i] < b[i] ? 1.0f : 0.0f);
         break;
      case ATTILA_CMP:
      case ATTILA_CMPKIL:
         r[i] = a[i] < 0 ? s[1][i] : s[2][i];
         break;
      case ATTILA_RCP:
         r[i] = as_bits(1.0f / x);
         break;
      case ATTILA_RSQ:
         r[i] = as_bits(sqrtf(1.0f / fabsf(x)));
         break;
      case ATTILA_EX2:
         approximate(t, i, exp2((double)x), 2 * ulp, 0x1p-149);
         break;
      case ATTILA_LG2:
         approximate(t, i, x < 0 ? NAN : log2((double)x), 4 * ulp, 2 * ulp);
         break;
      case ATTILA_COS:
      case ATTILA_SIN:
         if (fabsf(x) > 4194304.0f && !isinf(x))
            r[i] = op == ATTILA_COS ? 0x3f800000 : 0;
         else
            approximate(t, i, op == ATTILA_COS ? cos((double)x) : sin((double)x), 0, 3e-7);
         break;
      default:
         break;
      }
   }
   switch (op) {
   case ATTILA_DST:
      r[0] = 0x3f800000;
      r[1] = as_bits(a[1] * b[1]);
      r[2] = s[0][2];
      r[3] = s[1][3];
      break;
   case ATTILA_EXP:
      r[0] = as_bits((float)exp2(floor((double)x)));
      r[1] = as_bits(x - floorf(x));
      approximate(t, 2, exp2((double)x), 2 * ulp, 0x1p-149);
      r[3] = 0x3f800000;
      break;
   case ATTILA_LOG:
      r[0] = as_bits(logbf(x));
      r[1] = x != 0 && isfinite(x) ? as_bits(scalbnf(fabsf(x), -ilogbf(x))) : 0x7fc00000;
      approximate(t, 2, log2(fabs((double)x)), 4 * ulp, 2 * ulp);
      r[3] = 0x3f800000;
      break;
   case ATTILA_LIT: {
      float y = a[1] < 0 ? 0 : a[1], w = a[3] < 128 ? a[3] : 128;
      x = x < 0 ? 0 : x;
      w = w > -128 ? w : -128;
      w = isnan(a[3]) ? -128 : w;
      r[0] = r[3] = 0x3f800000;
      r[1] = as_bits(x);
      if (isnan(a[0]))
         r[1] = s[0][0];
      if (!(x > 0)) {
         r[2] = 0;
      } else {
         double power = isnan(y) && w == 0 ? 1 : pow(fabs((double)y), (double)w);
         double log = y > 0 ? fabs(log2((double)y) * (double)w) : 0;
         approximate(t, 2, power, isfinite(log) ? (4 * log + 4) * ulp : 0, 0x1p-126);
      }
      break;
   }
   default:
      break;
   }
}

static void
saturate(struct thread *t, uint32_t r[4])
{
   for (unsigned i = 0; i < 4; i++) {
      float f = as_float(r[i]);
      r[i] = as_bits(f > 0 ? (f < 1 ? f : 1) : 0);
      t->value[i] = t->value[i] > 0 ? fmin(t->value[i], 1) : 0;
   }
}

void
thread_step(struct thread *t, const struct attila_inst *inst)
{
   const struct attila_info *info = attila_info(inst->opcode);
   uint32_t s[3][4] = { { 0 } }, r[4] = { 0 };
   bool pred = false;

   memset(t->value, 0, sizeof(t->value));
   memset(t->tolerance, 0, sizeof(t->tolerance));
   if (inst->opcode == ATTILA_ANDP) {
      t->pred[inst->result_reg] =
         (read_boolean(t, inst, 0) && read_boolean(t, inst, 1)) != inst->saturate;
      return;
   }
   for (unsigned n = 0; n < 3 && info->sources[n]; n++) {
      char kind = info->sources[n];
      bool immediate = inst->opcode == ATTILA_ARL && inst->src[1].bank == ATTILA_IMMEDIATE;
      if (kind != 'a')
         read_source(t, inst, immediate ? 1 : n, kind == 'i' || kind == 'j', s[n]);
   }
   float x = as_float(s[0][0]), y = as_float(s[1][0]);
   switch (inst->opcode) {
   case ATTILA_SETPEQ:
      pred = x == y;
      break;
   case ATTILA_SETPGT:
      pred = x > y;
      break;
   case ATTILA_SETPLT:
      pred = x < y;
      break;
   case ATTILA_SETPEQI:
      pred = s[0][0] == s[1][0];
      break;
   case ATTILA_SETPGTI:
      pred = (int32_t)s[0][0] > (int32_t)s[1][0];
      break;
   case ATTILA_SETPLTI:
      pred = (int32_t)s[0][0] < (int32_t)s[1][0];
      break;
   case ATTILA_KIL:
      for (unsigned c = 0; c < 4; c++)
         t->killed |= as_float(s[0][c]) < 0;
      break;
   case ATTILA_ZXP:
      t->has_depth = true;
      t->depth = s[0][0];
      break;
   case ATTILA_LDA:
      for (unsigned c = 0; c < 4; c++)
         r[c] = s[0][0] < THREAD_VERTICES ? t->vertices[s[0][0]][c] : 0;
      break;
   case ATTILA_FXMUL:
   case ATTILA_FXMAD:
   case ATTILA_FXMAD2:
      for (unsigned c = 0; c < 4; c++) {
         uint64_t sum = (uint64_t)(to_fixed(as_float(s[0][c])) * to_fixed(as_float(s[1][c])));
         if (inst->opcode == ATTILA_FXMAD) {
            sum += (uint64_t)t->acc[c];
            r[c] = as_bits((float)(int64_t)sum / 4294967296.0f);
         } else if (attila_writes(inst->mask, c)) {
            sum += inst->opcode == ATTILA_FXMAD2 ? (uint64_t)to_fixed(as_float(s[2][c])) << 16 : 0;
            t->acc[c] = (int64_t)sum;
         }
      }
      break;
   default:
      compute(t, inst->opcode, s, r);
      break;
   }
   if (info->result == ATTILA_RESULT_PRED) {
      t->pred[inst->result_reg] = pred != inst->saturate;
      return;
   }
   if (info->result == ATTILA_RESULT_NONE || info->result == ATTILA_RESULT_ACC)
      return;
   for (unsigned c = 0; inst->opcode == ATTILA_CMPKIL && c < 4; c++)
      t->killed |= attila_writes(inst->mask, c) && as_float(r[c]) < 0;
   if (inst->saturate)
      saturate(t, r);
   uint32_t *to = inst->result_bank == ATTILA_OUT    ? t->out[inst->result_reg]
                  : inst->result_bank == ATTILA_TEMP ? t->temp[inst->result_reg]
                                                     : t->addr[inst->result_reg];
   for (unsigned c = 0; c < 4; c++)
      if (attila_writes(inst->mask, c))
         to[c] = r[c];
      else
         t->value[c] = t->tolerance[c] = 0;
}

bool
thread_run(struct thread *t, const uint32_t *words, unsigned count, unsigned budget)
{
   struct attila_inst inst;

   for (unsigned pc = 0; pc < count && budget > 0; budget--) {
      attila_decode(words + 4 * pc, &inst);
      bool runs = !inst.predicated || t->pred[inst.pred] != inst.invert_pred;
      bool jumps = inst.opcode == ATTILA_JMP && runs && read_boolean(t, &inst, 0);
      if (runs && inst.opcode != ATTILA_JMP)
         thread_step(t, &inst);
      if (inst.end || inst.opcode == ATTILA_END)
         return true;
      pc += jumps ? inst.immediate : 1;
   }
   return false;
}
