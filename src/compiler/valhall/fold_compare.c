/* SPDX-License-Identifier: MIT */
/*
 * What reads a comparison's result compares itself, and the comparison goes.
 *
 *  1. A choice by a comparison is CSEL with its condition; CSEL's operands have no modifiers.
 *  2. 1 or 1.0 where a comparison holds, and 0 elsewhere, is the comparison with another type of
 *     result.
 *  3. A discard by a comparison of floats is DISCARD with its condition; by another one it asks
 *     whether the result is ~0, which is a NaN, or 0.
 *  4. That a comparison's result is ~0 or is not 0 is the result itself.
 *  5. What is not a condition's word is the other operand of the logical operation that reads it.
 *
 * A comparison that several read goes if all of them can do without it, and if the words that
 * they then name cost no more copies than there were.
 */
#include "ir.h"

#include <string.h>

static bool
is_zero(const struct vc_operand *o)
{
   return o->kind == VC_CONST && o->value == 0;
}

static bool
is_comparison(const struct vc_inst *inst)
{
   return (inst->op == VALHALL_OP_FCMP_OR_F32 || inst->op == VALHALL_OP_ICMP_OR_U32 ||
           inst->op == VALHALL_OP_ICMP_OR_S32) &&
          vc_get(inst, VALHALL_MOD_RESULT_TYPE) == VALHALL_RESULT_TYPE_M1;
}

/* What computes an operand, if that is a comparison. */
static struct vc_inst *
comparison_of(const struct vc *c, const struct vc_operand *o)
{
   if (o->kind != VC_VALUE || o->neg || o->abs || o->invert || o->select)
      return NULL;
   struct vc_inst *def = c->values[o->value].def;
   return def && !def->dead && is_comparison(def) ? def : NULL;
}

/* Asks by equality with zero, as `op` or its opposite does. */
static bool
asks_zero(const struct vc_inst *inst)
{
   const unsigned condition = vc_get(inst, VALHALL_MOD_CONDITION);
   return is_zero(&inst->src[1]) &&
          (condition == VALHALL_CONDITION_NE || condition == VALHALL_CONDITION_EQ);
}

/* The source that is a comparison's result and can be replaced by it; -1: none. */
static int
place_of(const struct vc *c, const struct vc_inst *inst)
{
   switch (inst->op) {
   case VALHALL_OP_CSEL_U32:
      return asks_zero(inst) && comparison_of(c, &inst->src[0]) ? 0 : -1;
   case VALHALL_OP_DISCARD_F32:
      return asks_zero(inst) && comparison_of(c, &inst->src[0]) ? 0 : -1;
   case VALHALL_OP_LSHIFT_AND_I32:
      if (!is_zero(&inst->src[1]) || vc_get(inst, VALHALL_MOD_NOT_RESULT))
         return -1;
      for (unsigned n = 0; n < 3; n += 2) {
         const struct vc_operand *other = &inst->src[2 - n];
         struct vc_operand asked = inst->src[n];
         asked.invert = false;
         if (other->kind == VC_CONST && !other->invert &&
             (other->value == 1 || other->value == 0x3f800000) && comparison_of(c, &asked))
            return (int)n;
      }
      return -1;
   default:
      return -1;
   }
}

static bool
has_modifiers(const struct vc_inst *def)
{
   for (unsigned n = 0; n < 2; n++)
      if (def->src[n].neg || def->src[n].abs || def->src[n].select)
         return true;
   return false;
}

/* The choice by a comparison. */
static uint16_t
csel_of(const struct vc_inst *def)
{
   return def->op == VALHALL_OP_FCMP_OR_F32   ? VALHALL_OP_CSEL_F32
          : def->op == VALHALL_OP_ICMP_OR_S32 ? VALHALL_OP_CSEL_S32
                                              : VALHALL_OP_CSEL_U32;
}

static void
copy_modifiers(struct vc_inst *to, const struct vc_inst *from)
{
   for (unsigned n = 0; n < VALHALL_MAX_MODS; n++)
      to->mod[n] = from->mod[n];
}

/* `inst` without the comparison that it reads; false: it needs that. */
static bool
without(const struct vc *c, const struct vc_inst *inst, struct vc_inst *result)
{
   const int place = place_of(c, inst);
   if (place < 0)
      return false;
   struct vc_operand asked = inst->src[place];
   asked.invert = false;
   const struct vc_inst *def = comparison_of(c, &asked);
   const bool inverse = inst->op != VALHALL_OP_LSHIFT_AND_I32 &&
                        vc_get(inst, VALHALL_MOD_CONDITION) == VALHALL_CONDITION_EQ;

   *result = *inst;
   result->src[0] = def->src[0];
   result->src[1] = def->src[1];
   switch (inst->op) {
   case VALHALL_OP_CSEL_U32:
      if (has_modifiers(def) || !is_zero(&def->src[2]))
         return false;
      if (inverse) {
         result->src[2] = inst->src[3];
         result->src[3] = inst->src[2];
      }
      result->op = csel_of(def);
      break;
   case VALHALL_OP_DISCARD_F32:
      if (inverse || def->op != VALHALL_OP_FCMP_OR_F32 || !is_zero(&def->src[2]))
         return false;
      break;
   default:
      if (inst->src[place].invert) {
         /* 0 where it holds */
         if (has_modifiers(def) || !is_zero(&def->src[2]))
            return false;
         result->op = csel_of(def);
         memset(result->mod, 0, sizeof(result->mod));
         result->src[2] = vc_bits(0);
         result->src[3] = inst->src[2 - place];
         break;
      }
      result->op = def->op;
      result->src[2] = def->src[2];
      copy_modifiers(result, def);
      vc_set(result, VALHALL_MOD_RESULT_TYPE,
             inst->src[2 - place].value == 1 ? VALHALL_RESULT_TYPE_I1 : VALHALL_RESULT_TYPE_F1);
      return true;
   }
   vc_set(result, VALHALL_MOD_CONDITION, vc_get(def, VALHALL_MOD_CONDITION));
   return true;
}

/* Whether a comparison's result is ~0, or is not 0: which is what it is. */
static void
skip_question(const struct vc *c, struct vc_operand *o)
{
   while (o->kind == VC_VALUE) {
      const struct vc_inst *def = c->values[o->value].def;
      if (!def || !is_comparison(def) || def->op == VALHALL_OP_FCMP_OR_F32 ||
          !is_zero(&def->src[2]) || !comparison_of(c, &def->src[0]) || def->src[1].select ||
          def->src[1].kind != VC_CONST)
         return;
      const unsigned condition = vc_get(def, VALHALL_MOD_CONDITION);
      if (!(condition == VALHALL_CONDITION_NE && def->src[1].value == 0) &&
          !(condition == VALHALL_CONDITION_EQ && def->src[1].value == ~0u))
         return;
      o->value = def->src[0].value;
      o->comp = def->src[0].comp;
   }
}

/* A word with all bits inverted: which; NONE: it is none. */
static struct vc_operand
inverse_of(const struct vc *c, const struct vc_operand *o)
{
   const struct vc_inst *def = o->kind == VC_VALUE && !o->neg && !o->abs && !o->invert && !o->select
                                  ? c->values[o->value].def
                                  : NULL;
   if (!def || def->dead || def->op != VALHALL_OP_LSHIFT_OR_I32 || !is_zero(&def->src[1]) ||
       !is_zero(&def->src[2]) || def->src[2].invert || !vc_get(def, VALHALL_MOD_NOT_RESULT) ||
       def->src[0].kind != VC_VALUE || def->src[0].select)
      return (struct vc_operand){ 0 };
   return def->src[0];
}

/* The last operand of a logical operation may be inverted. */
static void
skip_not(const struct vc *c, struct vc_inst *inst)
{
   if ((inst->op != VALHALL_OP_LSHIFT_AND_I32 && inst->op != VALHALL_OP_LSHIFT_OR_I32 &&
        inst->op != VALHALL_OP_LSHIFT_XOR_I32) ||
       !is_zero(&inst->src[1]) || inst->src[2].invert || inst->src[0].select)
      return;
   for (unsigned n = 0; n < 2; n++) {
      struct vc_operand o = inverse_of(c, &inst->src[n ? 0 : 2]);
      if (!o.kind)
         continue;
      if (n)
         inst->src[0] = inst->src[2];
      o.invert = true;
      inst->src[2] = o;
      return;
   }
}

static void
skip_questions(struct vc_operand *o, unsigned size, void *data)
{
   (void)size;
   skip_question(data, o);
}

/* Asking whether a comparison does not hold and discarding by that: discards by the comparison. */
static void
skip_inverse(const struct vc *c, struct vc_inst *inst)
{
   if (inst->op != VALHALL_OP_DISCARD_F32 ||
       vc_get(inst, VALHALL_MOD_CONDITION) != VALHALL_CONDITION_NE || !is_zero(&inst->src[1]))
      return;
   const struct vc_inst *def = comparison_of(c, &inst->src[0]);
   if (def && def->op != VALHALL_OP_FCMP_OR_F32 && asks_zero(def) && is_zero(&def->src[2]) &&
       vc_get(def, VALHALL_MOD_CONDITION) == VALHALL_CONDITION_EQ &&
       comparison_of(c, &def->src[0])) {
      inst->src[0] = def->src[0];
      vc_set(inst, VALHALL_MOD_CONDITION, VALHALL_CONDITION_EQ);
   }
}

struct gain {
   uint32_t readers; /* that can do without */
   int copies;       /* more than before */
};

static bool
goes(const struct vc *c, const struct gain *gains, uint32_t value)
{
   const struct gain *g = &gains[value];
   return g->readers && g->readers == c->values[value].uses &&
          g->copies <= (int)vc_copies(c->values[value].def);
}

/* What is gained is found first, of all readers, and then done. */
static void
read_without(struct vc *c)
{
   struct gain *gains = vc_alloc(c, c->num_values * sizeof(*gains));

   for (unsigned done = 0; done < 2; done++) {
      for (uint32_t n = 0; n < c->num_blocks; n++) {
         for (uint32_t i = 0; i < c->blocks[n].num_insts; i++) {
            struct vc_inst *inst = c->blocks[n].insts[i], result;
            if (!without(c, inst, &result))
               continue;
            const uint32_t value = inst->src[place_of(c, inst)].value;
            if (done && goes(c, gains, value))
               *inst = result;
            gains[value].readers += !done;
            gains[value].copies += done ? 0 : (int)vc_copies(&result) - (int)vc_copies(inst);
         }
      }
   }
   for (uint32_t v = 1; v < c->num_values; v++)
      if (goes(c, gains, v))
         c->values[v].def->dead = true;
}

void
vc_fold_compare(struct vc *c)
{
   vc_count_uses(c);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      for (uint32_t i = 0; i < c->blocks[n].num_insts; i++) {
         vc_visit(c->blocks[n].insts[i], skip_questions, c);
         skip_inverse(c, c->blocks[n].insts[i]);
         skip_not(c, c->blocks[n].insts[i]);
      }
      skip_question(c, &c->blocks[n].cond);
   }
   vc_count_uses(c);
   for (uint32_t v = 1; v < c->num_values; v++) {
      struct vc_inst *def = c->values[v].def;
      if (!c->values[v].uses && def && def->op < VALHALL_OP_COUNT && def->memory == VC_PURE)
         def->dead = true; /* not a reader */
   }
   vc_remove_dead(c);
   vc_count_uses(c);
   read_without(c);
   vc_remove_dead(c);
}
