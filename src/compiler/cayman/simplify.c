/* SPDX-License-Identifier: MIT */
/*
 * Copies and repetitions, before scheduling.  None of it changes a bit.
 *
 *  1. What reads a copy of a constant or of an SSA value reads the original: of a variable, as long
 *     as it is not written again in the block.
 *  2. Of equal instructions of a block the first is kept, so of questions for a texture's size, and
 *     of copies of a constant, which memory writes and fetches need, one outside of all branches
 *     and loops for all that follow.
 */
#include "ir.h"

#include <string.h>

struct simplify {
   struct compiler *c;
   struct cc_operand *is; /* by value; NONE: itself */
   struct inst *inst;
   struct lane *lane;   /* of the operand that is looked at, or NULL */
   value_id *variables; /* with an `is` that ends with the block */
   uint32_t num_variables, cap_variables;
   struct inst **table; /* of kept instructions by hash; what the block in hand needs of it */
   uint32_t table_size;
   struct inst *constants[16]; /* copies that stand where every lane comes by */
   unsigned num_constants;
   unsigned depth; /* branches and loops around the block */
};

static bool
has_class(unsigned op, unsigned flags)
{
   return (cayman_alu_info(op)->flags & flags) != 0;
}

static bool
is_64bit(unsigned op)
{
   const struct cayman_alu_info *info = cayman_alu_info(op);
   return info->dst_type == CAYMAN_TYPE_F64 || info->src_type == CAYMAN_TYPE_F64;
}

/* One lane that does nothing but compute one value. */
static bool
is_plain(const struct inst *inst)
{
   const struct lane *lane = &inst->lane[0];

   return inst->kind == INST_ALU && inst->num_lanes == 1 && inst->shape != SHAPE_FIXED &&
          !inst->dead && !inst->side_effect && !inst->keep && !inst->ar && !inst->pop &&
          !inst->pop_of && !inst->memory && lane->dst && !lane->to_array && !lane->update_exec &&
          !lane->update_pred && lane->op != CAYMAN_ALU_LDS_IDX_OP &&
          !cayman_alu_info(lane->op)->flags;
}

/* --- copies ----------------------------------------------------------------------------------- */

static void
read_original(struct simplify *s, struct cc_operand *o)
{
   if (o->kind != OPERAND_VALUE || s->is[o->value].kind == OPERAND_NONE)
      return;
   struct cc_operand is = s->is[o->value];
   if (is.kind == OPERAND_VALUE) {
      o->value = is.value;
      return;
   }
   if (!s->lane || s->inst->num_lanes != 1 || is_64bit(s->lane->op) ||
       s->lane->op == CAYMAN_ALU_LDS_IDX_OP ||
       has_class(s->lane->op, CAYMAN_ALU_FLAG_PARAM | CAYMAN_ALU_FLAG_MOVA))
      return;
   is.value = (o->abs ? is.value & 0x7fffffff : is.value) ^ (o->neg ? 0x80000000u : 0);
   *o = is;
}

static void
read_originals(struct simplify *s, struct inst *inst)
{
   s->inst = inst;
   s->lane = NULL;
   switch (inst->kind) {
   case INST_ALU:
      for (unsigned l = 0; l < inst->num_lanes; l++) {
         s->lane = &inst->lane[l];
         for (unsigned i = 0; i < cayman_alu_info(s->lane->op)->num_src; i++)
            read_original(s, &s->lane->src[i]);
      }
      break;
   case INST_FETCH:
      for (unsigned f = 0; f < inst->num_fetches; f++)
         for (unsigned i = 0; i < 4; i++)
            read_original(s, &inst->fetch[f].src[i]);
      break;
   default:
      for (unsigned i = 0; i < 4; i++) {
         struct cc_operand *o = &inst->export.src[i];
         /* Only exports have selects, and those only for 0 and 1. */
         if (inst->export.proto.form == CAYMAN_CF_FORM_EXPORT && o->kind == OPERAND_VALUE &&
             s->is[o->value].kind == OPERAND_CONST) {
            uint32_t bits = s->is[o->value].value;
            if (bits == 0 || bits == 0x3f800000)
               *o = op_const(bits);
            continue;
         }
         read_original(s, o);
      }
      break;
   }
}

static void
forget(value_id *v, void *data)
{
   struct simplify *s = data;
   if (!s->c->values[*v].ssa)
      s->is[*v] = op_none();
}

/* Whether an operand is the same wherever it is read, and may stand for a copy of it. */
static bool
is_original(const struct compiler *c, const struct cc_operand *o)
{
   return !o->neg && !o->abs &&
          (o->kind == OPERAND_CONST || (o->kind == OPERAND_VALUE && c->values[o->value].ssa));
}

/* A move that does nothing else, of what may stand for its result.  Where a variable that must be
 * in a given channel is read, the original is put there if it can be (collect.c). */
static bool
is_copy(const struct simplify *s, const struct inst *inst)
{
   const struct lane *lane = &inst->lane[0];

   return is_plain(inst) && lane->op == CAYMAN_ALU_MOV && !lane->clamp && !lane->omod &&
          is_original(s->c, &lane->src[0]) &&
          !(s->c->values[lane->dst].pinned && s->c->values[lane->dst].ssa);
}

static void
note_copy(struct simplify *s, const struct inst *inst)
{
   const struct lane *lane = &inst->lane[0];

   if (!is_copy(s, inst))
      return;
   s->is[lane->dst] = lane->src[0];
   if (!s->c->values[lane->dst].ssa) {
      s->variables =
         cc_grow(s->c, s->variables, s->num_variables, &s->cap_variables, sizeof(*s->variables));
      s->variables[s->num_variables++] = lane->dst;
   }
}

/* --- repetitions ------------------------------------------------------------------------------ */

static uint32_t
hash_operand(uint32_t h, const struct cc_operand *o)
{
   h = (h ^ (o->kind | o->chan << 4 | o->bank << 8 | (uint32_t)o->index << 16)) * 0x9e3779b1u;
   return (h ^ o->value ^ (uint32_t)(o->neg | o->abs << 1) << 30) * 0x85ebca6bu;
}

/* May what reads `b` read `a`?  A channel that is given has its reasons. */
static bool
same_place(const struct simplify *s, value_id a, value_id b)
{
   const struct cc_value *x = &s->c->values[a], *y = &s->c->values[b];

   return !b || (a && x->pinned == y->pinned && (!x->pinned || x->chan == y->chan));
}

/* Are the lanes' results the same, as far as the second one has one? */
static bool
same_result(const struct simplify *s, const struct inst *a, const struct inst *b)
{
   bool same = a->kind == b->kind && a->num_lanes == b->num_lanes;

   for (unsigned l = 0; same && l < a->num_lanes; l++) {
      const struct lane *x = &a->lane[l], *y = &b->lane[l];
      same = x->op == y->op && x->slot == y->slot && x->clamp == y->clamp && x->omod == y->omod &&
             same_place(s, x->dst, y->dst);
      for (unsigned i = 0; same && i < cayman_alu_info(x->op)->num_src; i++)
         same = op_same(&x->src[i], &y->src[i]);
   }
   return same;
}

/* Whether an operand without AR is the same wherever the block reads it. */
static bool
is_constant(const struct simplify *s, const struct cc_operand *o)
{
   switch (o->kind) {
   case OPERAND_CONST:
   case OPERAND_KCACHE:
      return true;
   case OPERAND_SPECIAL:
      return o->index == CAYMAN_SRC_SE_ID || o->index == CAYMAN_SRC_HW_WAVE_ID;
   default:
      return o->kind == OPERAND_VALUE && s->c->values[o->value].ssa;
   }
}

/* May another instruction like this one stand for it, and the other way round? */
static bool
is_repeatable(const struct simplify *s, const struct inst *inst)
{
   bool some = false;

   if (inst->kind != INST_ALU || inst->dead || inst->side_effect || inst->keep || inst->ar ||
       inst->pop || inst->pop_of || inst->memory)
      return false;
   for (unsigned l = 0; l < inst->num_lanes; l++) {
      const struct lane *lane = &inst->lane[l];
      const struct cc_value *v = &s->c->values[lane->dst];
      some |= lane->dst != 0;
      if ((lane->dst && !v->ssa) || lane->to_array || lane->update_exec || lane->update_pred ||
          has_class(lane->op, ~CAYMAN_ALU_FLAG_REDUCE))
         return false;
      for (unsigned i = 0; i < cayman_alu_info(lane->op)->num_src; i++) {
         const struct cc_operand *o = &lane->src[i];
         if (o->rel || !is_constant(s, o))
            return false;
      }
   }
   return some;
}

static uint32_t
hash_of(const struct inst *inst)
{
   uint32_t hash = inst->num_lanes;

   for (unsigned l = 0; l < inst->num_lanes; l++) {
      const struct lane *lane = &inst->lane[l];
      hash = (hash ^ lane->op) * 0xc2b2ae35u;
      for (unsigned i = 0; i < cayman_alu_info(lane->op)->num_src; i++)
         hash = hash_operand(hash, &lane->src[i]);
   }
   return hash ^ hash >> 15;
}

/* `kept` stands for an instruction like it. */
static void
stand_for(struct simplify *s, const struct inst *kept, struct inst *inst)
{
   for (unsigned l = 0; l < inst->num_lanes; l++)
      if (inst->lane[l].dst)
         s->is[inst->lane[l].dst] = op_value(kept->lane[l].dst);
   inst->dead = true;
}

/* A copy of a constant is there already, or is from now on. */
static bool
keep_constant(struct simplify *s, struct inst *inst)
{
   if (inst->lane[0].op != CAYMAN_ALU_MOV || inst->lane[0].src[0].kind != OPERAND_CONST)
      return false;
   for (unsigned i = 0; i < s->num_constants; i++) {
      if (same_result(s, s->constants[i], inst)) {
         stand_for(s, s->constants[i], inst);
         return true;
      }
   }
   if (!s->depth && s->num_constants < sizeof(s->constants) / sizeof(s->constants[0]))
      s->constants[s->num_constants++] = inst;
   return false;
}

/* Asks for the size of a texture that is the same wherever the block asks. */
static bool
is_size(const struct simplify *s, const struct inst *inst)
{
   if (inst->kind != INST_FETCH || inst->num_fetches != 1 || inst->dead || inst->side_effect ||
       inst->keep || inst->ar || inst->memory)
      return false;
   const struct fetch_op *fetch = &inst->fetch[0];
   if (fetch->proto.kind != CAYMAN_FETCH_TEX ||
       fetch->proto.tex.op != CAYMAN_TEX_GET_TEXTURE_RESINFO)
      return false;
   for (unsigned i = 0; i < 4; i++)
      if (fetch->src[i].rel || !is_constant(s, &fetch->src[i]) ||
          (fetch->dst[i] && !s->c->values[fetch->dst[i]].ssa))
         return false;
   return true;
}

/* Of two questions for the same size one gets all the answers. */
static bool
same_size(const struct simplify *s, const struct inst *a, const struct inst *b)
{
   if (a->kind != INST_FETCH)
      return false;
   const struct fetch_op *x = &a->fetch[0], *y = &b->fetch[0];
   bool same = !memcmp(&x->proto.tex, &y->proto.tex, sizeof(x->proto.tex));
   for (unsigned i = 0; same && i < 4; i++)
      same = op_same(&x->src[i], &y->src[i]) && (!x->dst[i] || same_place(s, x->dst[i], y->dst[i]));
   return same;
}

static void
keep_size(struct simplify *s, struct inst *inst)
{
   struct fetch_op *fetch = &inst->fetch[0];
   uint32_t at = fetch->proto.tex.resource_id * 0x9e3779b1u >> 16 & (s->table_size - 1);

   for (; s->table[at]; at = (at + 1) & (s->table_size - 1)) {
      if (!same_size(s, s->table[at], inst))
         continue;
      struct inst *kept = s->table[at];
      for (unsigned i = 0; i < 4; i++) {
         if (fetch->dst[i] && kept->fetch[0].dst[i]) {
            s->is[fetch->dst[i]] = op_value(kept->fetch[0].dst[i]);
         } else if (fetch->dst[i]) {
            kept->fetch[0].dst[i] = fetch->dst[i];
            s->c->values[fetch->dst[i]].def = kept;
         }
      }
      inst->dead = true;
      return;
   }
   s->table[at] = inst;
}

static void
keep_one(struct simplify *s, struct inst *inst)
{
   if (is_size(s, inst)) {
      keep_size(s, inst);
      return;
   }
   if (!is_repeatable(s, inst) || keep_constant(s, inst))
      return;
   uint32_t at = hash_of(inst) & (s->table_size - 1);
   for (; s->table[at]; at = (at + 1) & (s->table_size - 1)) {
      if (same_result(s, s->table[at], inst)) {
         stand_for(s, s->table[at], inst);
         return;
      }
   }
   s->table[at] = inst;
}

static void
simplify_block(struct simplify *s, struct cc_block *b)
{
   for (s->table_size = 16; s->table_size < 2 * b->num_insts; s->table_size *= 2) {
   }
   memset(s->table, 0, s->table_size * sizeof(*s->table));
   for (uint32_t i = 0; i < b->num_insts; i++) {
      struct inst *inst = b->insts[i];
      if (inst->dead)
         continue;
      read_originals(s, inst);
      if (is_copy(s, inst) && op_same(&s->is[inst->lane[0].dst], &inst->lane[0].src[0])) {
         inst->dead = true; /* the variable has it already */
         continue;
      }
      cc_visit_dsts(inst, forget, s);
      if (inst->kind == INST_ALU && has_class(inst->lane[0].op, CAYMAN_ALU_FLAG_MODE))
         memset(s->table, 0, s->table_size * sizeof(*s->table)); /* rounding may change */
      note_copy(s, inst);
      keep_one(s, inst);
   }
   if (b->pred)
      read_originals(s, b->pred);
   for (uint32_t i = 0; i < s->num_variables; i++)
      s->is[s->variables[i]] = op_none();
   s->num_variables = 0;
}

static void
index_original(struct cc_operand *o, void *data)
{
   struct simplify *s = data;
   if (o->kind == OPERAND_VALUE && s->is[o->value].kind == OPERAND_VALUE)
      o->value = s->is[o->value].value;
}

void
cc_simplify(struct compiler *c)
{
   struct simplify s = { .c = c, .table_size = 16 };
   uint32_t most = 0;

   for (uint32_t b = 0; b < c->num_blocks; b++)
      most = c->blocks[b].num_insts > most ? c->blocks[b].num_insts : most;
   while (s.table_size < 2 * most)
      s.table_size *= 2;
   s.is = cc_alloc(c, c->num_values * sizeof(*s.is));
   s.table = cc_alloc(c, s.table_size * sizeof(*s.table));
   for (uint32_t b = 0; b < c->num_blocks; b++) {
      const enum block_end end = c->blocks[b].end;
      simplify_block(&s, &c->blocks[b]);
      s.depth += end == END_IF || end == END_LOOP;
      s.depth -= end == END_ENDIF || end == END_ENDLOOP;
   }
   /* Indices and whatever else names a repetition. */
   for (uint32_t b = 0; b < c->num_blocks; b++) {
      for (uint32_t i = 0; i < c->blocks[b].num_insts; i++)
         cc_visit_operands(c->blocks[b].insts[i], index_original, &s);
      if (c->blocks[b].pred)
         cc_visit_operands(c->blocks[b].pred, index_original, &s);
   }
   cc_sweep(c);
}
