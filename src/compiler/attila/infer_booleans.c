/* SPDX-License-Identifier: MIT */
/*
 * Finds the components of IL's temps that hold nothing but 0 and ~0: all that write them are
 * comparisons, operations on such components, and moves of them or of literals of these values.
 * Of those that refer to each other in a circle (loops) it is assumed until the opposite is found.
 */
#include "ir.h"

#include <stdlib.h>

struct inference {
   const struct il_program *p;
   uint8_t *boolean;
   uint32_t count;
   const uint32_t **literals;
   uint32_t num_literals;
};

static bool
is_boolean(const struct inference *f, const struct il_src *src, unsigned c)
{
   const unsigned sel = il_src_swz(src, c);

   if (src->dim2 || il_src_modifiers(src))
      return false;
   if (sel > 3)
      return sel == IL_COMPSEL_0;
   if (src->r.rel != IL_ADDR_ABSOLUTE)
      return false;
   if (src->r.type == IL_REGTYPE_LITERAL && src->r.num < f->num_literals &&
       f->literals[src->r.num]) {
      const uint32_t v = f->literals[src->r.num][sel];
      return v == 0 || v == UINT32_MAX;
   }
   if (src->r.type == IL_REGTYPE_INPUT)
      return f->p->shader == IL_SHADER_PIXEL && src->r.num == IL_PS_INPUT_FRONT_FACE;
   return src->r.type == IL_REGTYPE_TEMP && 4 * (uint64_t)src->r.num + sel < f->count &&
          f->boolean[4 * (size_t)src->r.num + sel];
}

static bool
is_literal(const struct inference *f, const struct il_src *src, unsigned c, uint32_t value)
{
   const unsigned sel = il_src_swz(src, c);
   return src->r.type == IL_REGTYPE_LITERAL && sel < 4 && src->r.num < f->num_literals &&
          f->literals[src->r.num] && f->literals[src->r.num][sel] == value && !src->flags &&
          !src->neg;
}

static bool
makes_boolean(const struct inference *f, const struct il_inst *inst, unsigned c)
{
   switch (inst->op) {
   case IL_OP_LT:
   case IL_OP_GE:
   case IL_OP_EQ:
   case IL_OP_NE:
   case IL_OP_I_EQ:
   case IL_OP_I_NE:
   case IL_OP_I_LT:
   case IL_OP_I_GE:
   case IL_OP_U_LT:
   case IL_OP_U_GE:
      return true;
   case IL_OP_AND:
   case IL_OP_I_OR:
   case IL_OP_I_XOR:
      return is_boolean(f, &inst->src[0], c) && is_boolean(f, &inst->src[1], c);
   case IL_OP_I_NOT:
   case IL_OP_MOV:
      return is_boolean(f, &inst->src[0], c);
   case IL_OP_CMOV_LOGICAL:
      return is_boolean(f, &inst->src[1], c) && is_boolean(f, &inst->src[2], c);
   case IL_OP_I_SHR:
      return is_literal(f, &inst->src[1], c, 31);
   default:
      return false;
   }
}

static bool
visit(struct inference *f, const struct il_inst *inst)
{
   bool changed = false;

   for (unsigned d = 0; d < inst->ndst; d++) {
      const struct il_dst *dst = &inst->dst[d];
      if (dst->r.type != IL_REGTYPE_TEMP)
         continue;
      for (unsigned c = 0; c < 4; c++) {
         const enum il_modcomp how = il_dst_comp(dst, c);
         const size_t at = 4 * (size_t)dst->r.num + c;
         if (how == IL_MODCOMP_NOWRITE || at >= f->count || !f->boolean[at])
            continue;
         const struct il_op_info *info = il_op_info(inst->op);
         if (how == IL_MODCOMP_WRITE && !(dst->has_mod && (dst->clamp || dst->shift)) && info &&
             inst->nsrc >= info->srcs && makes_boolean(f, inst, c))
            continue;
         f->boolean[at] = 0;
         changed = true;
      }
   }
   return changed;
}

static uint32_t
count_temps(const struct il_program *p)
{
   uint32_t temps = 0;
   il_foreach(inst, p)
   {
      for (unsigned d = 0; d < inst->ndst; d++)
         if (inst->dst[d].r.type == IL_REGTYPE_TEMP && inst->dst[d].r.num < 65536 &&
             inst->dst[d].r.num >= temps)
            temps = inst->dst[d].r.num + 1;
   }
   return temps;
}

void
ac_infer_booleans(struct ac_compiler *c)
{
   struct inference f = { .p = c->il };
   bool changed = true;

   f.count = 4 * count_temps(c->il);
   f.boolean = ac_alloc(c, f.count + 1);
   memset(f.boolean, 1, f.count);
   il_foreach(inst, c->il)
   {
      if (inst->op == IL_OP_DCL_LITERAL && inst->nsrc && inst->src[0].r.num < 65536 &&
          inst->src[0].r.num >= f.num_literals)
         f.num_literals = inst->src[0].r.num + 1;
   }
   f.literals = ac_alloc(c, (f.num_literals + 1) * sizeof(*f.literals));
   il_foreach(inst, c->il)
   {
      if (inst->op == IL_OP_DCL_LITERAL && inst->nsrc && inst->ndata >= 4 &&
          inst->src[0].r.num < f.num_literals)
         f.literals[inst->src[0].r.num] = inst->data;
   }
   while (changed) {
      changed = false;
      il_foreach(inst, c->il) changed |= visit(&f, inst);
   }
   c->boolean = f.boolean;
   c->num_booleans = f.count;
}
