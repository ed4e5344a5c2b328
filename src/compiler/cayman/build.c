/* SPDX-License-Identifier: MIT */
/* Building blocks of the compiler's program: values, operands, instructions, blocks. */
#include "ir.h"

#include <string.h>

static value_id
new_value(struct compiler *c)
{
   if (c->num_values == 0)
      c->num_values = 1; /* 0 is none */
   c->values = cc_grow(c, c->values, c->num_values, &c->cap_values, sizeof(*c->values));
   struct cc_value *v = &c->values[c->num_values];
   memset(v, 0, sizeof(*v));
   v->gpr = -1;
   v->chan = -1;
   return c->num_values++;
}

value_id
cc_value(struct compiler *c)
{
   value_id v = new_value(c);
   c->values[v].ssa = true;
   return v;
}

value_id
cc_variable(struct compiler *c)
{
   return new_value(c);
}

value_id
cc_input(struct compiler *c, unsigned gpr, unsigned chan)
{
   value_id v = new_value(c);
   c->values[v].ssa = true;
   c->values[v].input = true;
   c->values[v].gpr = gpr;
   c->values[v].chan = chan;
   return v;
}

void
cc_pin(struct compiler *c, value_id v, unsigned chan)
{
   c->values[v].chan = chan;
   c->values[v].pinned = true;
}

struct cc_operand
op_none(void)
{
   return (struct cc_operand){ .kind = OPERAND_NONE };
}

struct cc_operand
op_value(value_id v)
{
   return (struct cc_operand){ .kind = OPERAND_VALUE, .value = v };
}

struct cc_operand
op_const(uint32_t bits)
{
   return (struct cc_operand){ .kind = OPERAND_CONST, .value = bits };
}

struct cc_operand
op_float(float f)
{
   uint32_t bits;
   memcpy(&bits, &f, sizeof(bits));
   return op_const(bits);
}

struct cc_operand
op_kcache(unsigned bank, unsigned index, unsigned chan)
{
   return (struct cc_operand){ .kind = OPERAND_KCACHE, .bank = bank, .index = index, .chan = chan };
}

struct cc_operand
op_special(unsigned select, unsigned chan)
{
   return (struct cc_operand){ .kind = OPERAND_SPECIAL, .index = select, .chan = chan };
}

struct cc_operand
op_neg(struct cc_operand o)
{
   if (o.kind == OPERAND_CONST && !o.abs && !o.neg)
      o.value ^= 0x80000000u;
   else
      o.neg = !o.neg;
   return o;
}

struct cc_operand
op_abs(struct cc_operand o)
{
   if (o.kind == OPERAND_CONST && !o.abs && !o.neg) {
      o.value &= 0x7fffffffu;
   } else {
      o.abs = true;
      o.neg = false;
   }
   return o;
}

bool
op_same(const struct cc_operand *a, const struct cc_operand *b)
{
   return a->kind == b->kind && a->neg == b->neg && a->abs == b->abs && a->rel == b->rel &&
          a->chan == b->chan && a->bank == b->bank && a->index == b->index && a->value == b->value;
}

struct cc_block *
cc_block(struct compiler *c)
{
   return &c->blocks[c->num_blocks - 1];
}

void
cc_end_block(struct compiler *c, enum block_end end)
{
   unsigned depth = 0;

   if (c->num_blocks) {
      cc_block(c)->end = end;
      cc_block(c)->place = c->place;
      depth = cc_block(c)->loop_depth;
      if (end == END_LOOP)
         depth++;
      else if (end == END_ENDLOOP)
         depth--;
   }
   c->blocks = cc_grow(c, c->blocks, c->num_blocks, &c->cap_blocks, sizeof(*c->blocks));
   memset(&c->blocks[c->num_blocks], 0, sizeof(*c->blocks));
   c->blocks[c->num_blocks].loop_depth = depth;
   c->num_blocks++;
}

void
cc_end_program(struct compiler *c)
{
   cc_block(c)->end = END_PROGRAM;
   cc_block(c)->place = c->place;
}

void
cc_append(struct compiler *c, struct cc_block *b, struct inst *inst)
{
   b->insts = cc_grow(c, b->insts, b->num_insts, &b->cap_insts, sizeof(*b->insts));
   b->insts[b->num_insts++] = inst;
}

struct inst *
cc_inst(struct compiler *c, enum inst_kind kind)
{
   struct inst *inst = cc_alloc(c, sizeof(*inst));
   inst->kind = kind;
   inst->origin = c->origin;
   inst->place = c->place;
   return inst;
}

struct inst *
cc_inst_for(struct compiler *c, enum inst_kind kind, const struct inst *of)
{
   struct inst *inst = cc_inst(c, kind);
   inst->place = of->place;
   return inst;
}

struct inst *
cc_copy_for(struct compiler *c, struct cc_operand from, const struct inst *of)
{
   struct inst *mov = cc_inst_for(c, INST_ALU, of);

   mov->shape = SHAPE_SCALAR;
   mov->num_lanes = 1;
   mov->lane[0].op = CAYMAN_ALU_MOV;
   mov->lane[0].src[0] = from;
   mov->lane[0].dst = cc_value(c);
   c->values[mov->lane[0].dst].def = mov;
   return mov;
}

bool
cc_is_repeatable(const struct compiler *c, const struct inst *inst)
{
   const struct lane *lane = &inst->lane[0];

   if (inst->kind != INST_ALU || inst->shape != SHAPE_SCALAR || inst->num_lanes != 1 ||
       inst->dead || inst->side_effect || inst->keep || inst->ar || inst->pop || inst->pop_of ||
       inst->memory || !lane->dst || lane->to_array || lane->update_exec || lane->update_pred ||
       cayman_alu_info(lane->op)->flags)
      return false;
   for (unsigned i = 0; i < cayman_alu_info(lane->op)->num_src; i++) {
      const struct cc_operand *o = &lane->src[i];
      if (o->kind != OPERAND_CONST && o->kind != OPERAND_KCACHE &&
          (o->kind != OPERAND_VALUE || !c->values[o->value].ssa))
         return false;
   }
   return true;
}

struct inst *
cc_alu_inst(struct compiler *c, unsigned shape, unsigned num_lanes)
{
   struct inst *inst = cc_inst(c, INST_ALU);
   inst->shape = shape;
   inst->num_lanes = num_lanes;
   cc_append(c, cc_block(c), inst);
   return inst;
}

unsigned
cc_shape_of(const struct compiler *c, unsigned op)
{
   switch (cayman_alu_info_of(c->chip->vliw, op)->slots) {
   case CAYMAN_SLOTS_T:
      return SHAPE_TRANS;
   case CAYMAN_SLOTS_XYZ:
      return SHAPE_XYZ;
   case CAYMAN_SLOTS_QUAD:
      return SHAPE_QUAD;
   default:
      return SHAPE_SCALAR;
   }
}

struct inst *
cc_emit_inst(struct compiler *c, unsigned op, value_id dst, struct cc_operand a,
             struct cc_operand b, struct cc_operand d)
{
   struct inst *inst = cc_alu_inst(c, cc_shape_of(c, op), 1);

   inst->lane[0].op = op;
   inst->lane[0].dst = dst;
   inst->lane[0].src[0] = a;
   inst->lane[0].src[1] = b;
   inst->lane[0].src[2] = d;
   if (dst && c->values[dst].ssa)
      c->values[dst].def = inst;
   return inst;
}

value_id
cc_emit(struct compiler *c, unsigned op, value_id dst, struct cc_operand a, struct cc_operand b,
        struct cc_operand d)
{
   if (!dst)
      dst = cc_value(c);
   cc_emit_inst(c, op, dst, a, b, d);
   return dst;
}

value_id
cc_mov(struct compiler *c, value_id dst, struct cc_operand a)
{
   return cc_emit(c, CAYMAN_ALU_MOV, dst, a, op_none(), op_none());
}

bool
cc_inline_constant(uint32_t bits, bool is_float, unsigned *select, bool *negate)
{
   *negate = false;
   switch (bits) {
   case 0:
      *select = CAYMAN_SRC_0;
      return true;
   case 0x3f800000:
      *select = CAYMAN_SRC_1;
      return true;
   case 0x3f000000:
      *select = CAYMAN_SRC_0_5;
      return true;
   case 1:
      *select = CAYMAN_SRC_1_INT;
      return true;
   case 0xffffffff:
      *select = CAYMAN_SRC_M_1_INT;
      return true;
   default:
      break;
   }
   if (is_float && (bits & 0x80000000u)) {
      *negate = true;
      switch (bits) {
      case 0x80000000u:
         *select = CAYMAN_SRC_0;
         return true;
      case 0xbf800000u:
         *select = CAYMAN_SRC_1;
         return true;
      case 0xbf000000u:
         *select = CAYMAN_SRC_0_5;
         return true;
      default:
         *negate = false;
         break;
      }
   }
   return false;
}

bool
cc_float_source(unsigned op)
{
   /* Of doubles one of two operands would have them: they are made plain before. */
   return cayman_alu_info(op)->src_type == CAYMAN_TYPE_F32 && op != CAYMAN_ALU_FLT32_TO_FLT64;
}

static void
visit_index(struct inst *inst, void (*fn)(struct cc_operand *o, void *data), void *data)
{
   if (inst->ar) {
      struct cc_operand ar = op_value(inst->ar);
      fn(&ar, data);
      inst->ar = ar.value;
   }
}

void
cc_visit_operands(struct inst *inst, void (*fn)(struct cc_operand *o, void *data), void *data)
{
   switch (inst->kind) {
   case INST_ALU:
      for (unsigned l = 0; l < inst->num_lanes; l++) {
         unsigned n = cayman_alu_info(inst->lane[l].op)->num_src;
         for (unsigned i = 0; i < n; i++)
            fn(&inst->lane[l].src[i], data);
      }
      visit_index(inst, fn, data);
      break;
   case INST_FETCH:
      visit_index(inst, fn, data);
      for (unsigned f = 0; f < inst->num_fetches; f++)
         for (unsigned i = 0; i < 4; i++)
            fn(&inst->fetch[f].src[i], data);
      break;
   case INST_EXPORT:
      visit_index(inst, fn, data);
      for (unsigned i = 0; i < 4; i++)
         fn(&inst->export.src[i], data);
      for (unsigned i = 0; i < 3; i++)
         fn(&inst->export.index[i], data);
      break;
   }
}

void
cc_visit_dsts(struct inst *inst, void (*fn)(value_id *v, void *data), void *data)
{
   if (inst->kind == INST_ALU) {
      for (unsigned l = 0; l < inst->num_lanes; l++)
         if (inst->lane[l].dst)
            fn(&inst->lane[l].dst, data);
   } else if (inst->kind == INST_FETCH) {
      for (unsigned f = 0; f < inst->num_fetches; f++) {
         for (unsigned i = 0; i < 4; i++)
            if (inst->fetch[f].dst[i])
               fn(&inst->fetch[f].dst[i], data);
      }
   }
}

static void
count_use(struct cc_operand *o, void *data)
{
   struct compiler *c = data;
   if (o->kind == OPERAND_VALUE)
      c->values[o->value].uses++;
}

static void
count_def(value_id *v, void *data)
{
   struct compiler *c = data;
   c->values[*v].defs++;
}

void
cc_count(struct compiler *c)
{
   for (uint32_t v = 0; v < c->num_values; v++)
      c->values[v].uses = c->values[v].defs = 0;
   for (uint32_t b = 0; b < c->num_blocks; b++) {
      for (uint32_t i = 0; i < c->blocks[b].num_insts; i++) {
         cc_visit_operands(c->blocks[b].insts[i], count_use, c);
         cc_visit_dsts(c->blocks[b].insts[i], count_def, c);
      }
      if (c->blocks[b].pred)
         cc_visit_operands(c->blocks[b].pred, count_use, c);
   }
}

void
cc_sweep(struct compiler *c)
{
   for (uint32_t b = 0; b < c->num_blocks; b++) {
      uint32_t n = 0;
      for (uint32_t i = 0; i < c->blocks[b].num_insts; i++)
         if (!c->blocks[b].insts[i]->dead)
            c->blocks[b].insts[n++] = c->blocks[b].insts[i];
      c->blocks[b].num_insts = n;
   }
   cc_count(c);
}
