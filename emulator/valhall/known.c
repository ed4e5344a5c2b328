/* SPDX-License-Identifier: MIT */
/*
 * Values that are known while a program is lifted: constants that move through registers within
 * straight code.  Handles, windows and offsets are mostly such, and their messages need not look at
 * lanes.  And floats that are no denormals where those are flushed.
 */
#include "valhall/program.h"

#include <string.h>

void
vh_forget(struct vh_lift *l)
{
   memset(l->known, 0, sizeof(l->known));
   memset(l->flushed, 0, sizeof(l->flushed));
}

bool
vh_operand_value(const struct vh_lift *l, const struct uop_operand *o, uint32_t *value)
{
   if (o->mods)
      return false;
   if (o->kind == UOP_LITERAL && o->at < l->p->code.num_literals) {
      *value = l->p->code.literals[o->at];
      return true;
   }
   if (o->kind != UOP_ROW || o->at / COMP_BYTES >= VH_ROWS || !l->known[o->at / COMP_BYTES])
      return false;
   *value = l->value[o->at / COMP_BYTES];
   return true;
}

/* Operations that give no denormal where the host flushes them. */
static bool
flushes(const struct uop *u)
{
   switch (u->op) {
   case UOP_ADD:
   case UOP_MUL_IEEE:
   case UOP_FMA:
   case UOP_MAX_DX10:
   case UOP_MIN_DX10:
   case UOP_TRUNC:
   case UOP_CEIL:
   case UOP_FLOOR:
   case UOP_RNDNE:
   case UOP_INT_TO_FLT:
   case UOP_UINT_TO_FLT:
   case UOP_RECIP_IEEE:
   case UOP_RECIPSQRT_IEEE:
   case UOP_VH_EXP:
   case UOP_VH_LOGD:
      return true;
   default:
      return false;
   }
}

bool
vh_is_flushed(const struct vh_lift *l, const struct uop_operand *o)
{
   const struct uop_code *code = &l->p->code;
   const struct uop *last = code->num_uops ? &code->uops[code->num_uops - 1] : NULL;
   struct uop_operand bits = *o;
   uint32_t value;

   bits.mods = 0;
   if (vh_operand_value(l, &bits, &value))
      return (value & 0x7fffffff) >= 0x00800000 || !(value & 0x7fffffff);
   if (o->kind != UOP_ROW || !l->host_flushes)
      return false;
   if (last && last->dst == o->at)
      return flushes(last);
   return o->at / COMP_BYTES < VH_REGISTERS && l->flushed[o->at / COMP_BYTES];
}

/* The result of an operation on known operands. */
static bool
evaluate(const struct vh_lift *l, const struct uop *u, uint32_t *result)
{
   uint32_t a, b;

   if (u->when || u->scale || u->clamp || !vh_operand_value(l, &u->src[0], &a))
      return false;
   if (u->op == UOP_MOV || u->op == UOP_COPY) {
      *result = a;
      return true;
   }
   if (!vh_operand_value(l, &u->src[1], &b))
      return false;
   switch (u->op) {
   case UOP_ADD_INT:
      *result = a + b;
      return true;
   case UOP_OR_INT:
      *result = a | b;
      return true;
   case UOP_AND_INT:
      *result = a & b;
      return true;
   case UOP_LSHL_INT:
      *result = a << (b & 31);
      return true;
   default:
      return false;
   }
}

static void
set(struct vh_lift *l, uint32_t row, bool known, uint32_t value)
{
   if (row < VH_ROWS) {
      l->known[row] = known;
      l->value[row] = value;
      l->flushed[row] = false;
   }
}

/* 64-bit sums, of pairs of rows. */
static bool
evaluate_pair(const struct vh_lift *l, const struct uop *u, uint64_t *result)
{
   uint32_t word[2][2];

   if (u->p.pair.op != UOP_PAIR_ADD)
      return false;
   for (unsigned n = 0; n < 2; n++) {
      for (unsigned high = 0; high < 2; high++) {
         struct uop_operand o = u->src[n];
         o.at += high * COMP_BYTES;
         if (o.kind != UOP_ROW || !vh_operand_value(l, &o, &word[n][high]))
            return false;
      }
   }
   *result = (word[0][0] | (uint64_t)word[0][1] << 32) + (word[1][0] | (uint64_t)word[1][1] << 32);
   return true;
}

void
vh_learn(struct vh_lift *l, uint32_t first)
{
   const struct uop_code *code = &l->p->code;
   bool message = false;

   for (uint32_t n = first; n < code->num_uops; n++) {
      const struct uop *u = &code->uops[n];
      const struct uop_info *info = &uop_infos[u->op];
      const uint32_t row = u->dst / COMP_BYTES;
      uint64_t wide;
      uint32_t value = 0;

      if (u->op == UOP_VH_MEMORY || u->op == UOP_VH_MESSAGE) {
         message = true;
      } else if (u->op == UOP_VH_PAIR) {
         const bool known = evaluate_pair(l, u, &wide);
         set(l, row, known, known ? (uint32_t)wide : 0);
         set(l, row + 1, known, known ? (uint32_t)(wide >> 32) : 0);
      } else if (info->result != UOP_RESULT_NONE) {
         const bool known = info->records == 1 && evaluate(l, u, &value);
         set(l, row, known, value);
         if (row < VH_ROWS)
            l->flushed[row] = info->records == 1 && flushes(u);
      }
   }
   if (message) {
      const uint64_t writes = valhall_writes(&l->instr);
      for (unsigned r = 0; r < VH_REGISTERS; r++)
         if (writes >> r & 1)
            l->known[r] = l->flushed[r] = false;
   }
}
