/* SPDX-License-Identifier: MIT */
/*
 * Import of results: what an IL instruction computed goes to the components of its destination,
 * with the destination's modifiers.  A copy into an SSA component is no instruction; a variable is
 * written by the instruction that made the value wherever that is right.
 */
#include "import.h"

#include <string.h>

static bool
immutable(const struct compiler *c, const struct cc_operand *o)
{
   switch (o->kind) {
   case OPERAND_CONST:
   case OPERAND_KCACHE:
      return true;
   case OPERAND_VALUE:
      return c->values[o->value].ssa;
   default:
      return false;
   }
}

static void
store_array(struct importer *im, const struct il_dst *dst, unsigned comp, struct cc_operand o)
{
   const struct il_ref *ref = &dst->r;
   value_id ar = 0;
   uint32_t elem = ref->imm;
   bool rel = false;

   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      struct cc_operand index = im_plain(im, im_src(im, ref->index, 0));
      if (index.kind == OPERAND_CONST) {
         elem += index.value;
      } else {
         rel = true;
         elem = elem < im->xarrays[ref->num].size ? elem : 0;
         ar = index.kind == OPERAND_VALUE ? index.value : cc_mov(im->c, 0, index);
      }
   }
   if (!rel && elem >= im->xarrays[ref->num].size)
      return;
   struct inst *inst = cc_emit_inst(im->c, CAYMAN_ALU_MOV, 0, o, op_none(), op_none());
   inst->lane[0].to_array = true;
   inst->lane[0].dst_rel = rel;
   inst->lane[0].array = im->xarrays[ref->num].array;
   inst->lane[0].array_elem = elem;
   inst->lane[0].array_chan = im->xarrays[ref->num].chan[comp];
   inst->side_effect = true;
   inst->ar = ar;
}

struct read_of {
   value_id value;
   bool found;
};

static void
note_read_of(struct cc_operand *o, void *data)
{
   struct read_of *read = data;
   read->found |= o->kind == OPERAND_VALUE && o->value == read->value;
}

/* Put the clamp on the instruction that made the value, if it was made for this IL instruction and
 * no other result is made of it. */
static bool
clamp_maker(struct importer *im, struct cc_operand o)
{
   struct cc_block *b = cc_block(im->c);
   struct read_of read = { .value = o.value };

   if (o.kind != OPERAND_VALUE || o.neg || o.abs || !im->c->values[o.value].ssa)
      return false;
   for (uint32_t i = b->num_insts; i-- > 0 && b->insts[i]->origin == im->c->origin;) {
      struct inst *inst = b->insts[i];
      cc_visit_operands(inst, note_read_of, &read);
      if (read.found)
         return false;
      if (inst->kind != INST_ALU || inst->lane[0].to_array ||
          cayman_alu_info(inst->lane[0].op)->dst_type != CAYMAN_TYPE_F32)
         continue;
      bool reduction = cayman_alu_info(inst->lane[0].op)->flags & CAYMAN_ALU_FLAG_REDUCE;
      bool made = false;
      for (unsigned l = 0; l < inst->num_lanes; l++)
         made |= inst->lane[l].dst == o.value;
      if (made && (inst->num_lanes == 1 || reduction)) {
         for (unsigned l = 0; l < inst->num_lanes; l++)
            inst->lane[l].clamp = true;
         return true;
      }
   }
   return false;
}

/* All components that the instruction writes, in one go. */
static void
store_scratch(struct importer *im, const struct il_dst *dst, unsigned mask,
              const struct cc_operand final[4])
{
   struct compiler *c = im->c;
   const struct il_ref *ref = &dst->r;
   const struct array *array = &c->arrays[im->xarrays[ref->num].array];
   struct cc_operand index = op_none(), src[4] = { { 0 } };
   uint32_t elem = ref->imm;

   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      index = im_plain(im, im_src(im, ref->index, 0));
      if (index.kind == OPERAND_CONST) {
         elem += index.value;
         index = op_none();
      } else {
         index = op_value(elem ? im_emit2(im, CAYMAN_ALU_ADD_INT, index, op_const(elem))
                               : cc_mov(c, 0, index));
      }
   }
   if (index.kind == OPERAND_NONE && elem >= array->size)
      return;
   for (unsigned i = 0; i < 4; i++)
      if (mask >> i & 1)
         src[i] = op_value(cc_mov(c, 0, final[i]));
   struct inst *store =
      cc_scratch_store(c, array->base + (index.kind == OPERAND_NONE ? elem : 0), c->place);
   store->export.proto.comp_mask = mask;
   memcpy(store->export.src, src, sizeof(src));
   if (index.kind != OPERAND_NONE) {
      store->export.proto.type = CAYMAN_MEM_WRITE_IND_ACK;
      store->export.proto.array_size = array->size - 1;
      store->export.index[0] = index;
   }
   cc_append(c, cc_block(c), store);
}

/* The destination's modifiers, for a result that is an operand. */
struct cc_operand
im_modify(struct importer *im, const struct il_dst *dst, struct cc_operand o)
{
   if (!dst->has_mod)
      return o;
   if (il_dst_scale(dst)) {
      const struct cc_operand factor = op_const((uint32_t)(127 + il_dst_scale(dst)) << 23);
      o = op_value(im_emit2(im, CAYMAN_ALU_MUL_IEEE, o, factor));
   }
   if (dst->clamp) {
      if (clamp_maker(im, o))
         return o;
      struct inst *mov =
         cc_emit_inst(im->c, CAYMAN_ALU_MOV, cc_value(im->c), o, op_none(), op_none());
      mov->lane[0].clamp = true;
      return op_value(mov->lane[0].dst);
   }
   return o;
}

/* Let the instruction that made `o` write `variable` itself: right if it has just been made for
 * this IL instruction and nothing has read or written the variable since. */
static bool
retarget(struct importer *im, struct cc_operand o, value_id variable, uint32_t first_inst)
{
   struct cc_block *b = cc_block(im->c);

   if (o.kind != OPERAND_VALUE || o.neg || o.abs || !im->c->values[o.value].ssa ||
       im->c->values[o.value].input)
      return false;
   for (uint32_t i = b->num_insts; i-- > first_inst;) {
      struct inst *inst = b->insts[i];
      if (inst->kind == INST_ALU && inst->num_lanes == 1 && inst->lane[0].dst == o.value) {
         if (inst->keep)
            return false;
         inst->lane[0].dst = variable;
         return true;
      }
      if (inst->kind != INST_ALU)
         return false;
      if (inst->ar == variable || inst->ar == o.value)
         return false;
      for (unsigned l = 0; l < inst->num_lanes; l++) {
         unsigned n = cayman_alu_info(inst->lane[l].op)->num_src;
         for (unsigned s = 0; s < n; s++) {
            const struct cc_operand *src = &inst->lane[l].src[s];
            if (src->kind == OPERAND_VALUE && (src->value == variable || src->value == o.value))
               return false;
         }
         if (inst->lane[l].dst == variable)
            return false;
      }
   }
   return false;
}

/* Does another component take the same value? */
static bool
shared(const struct cc_operand final[4], unsigned mask, unsigned comp)
{
   for (unsigned k = 0; k < 4; k++)
      if (k != comp && (mask >> k & 1) && final[k].kind == OPERAND_VALUE &&
          final[k].value == final[comp].value)
         return true;
   return false;
}

void
im_store(struct importer *im, const struct il_dst *dst, const struct cc_operand result[4])
{
   struct compiler *c = im->c;
   struct cc_operand final[4];
   struct il_dst element;
   unsigned mask = 0;

   if (im_output_element(im, dst, &element))
      dst = &element;

   if (dst->dim2)
      im_unsupported(im, "two-dimensional destination");
   for (unsigned i = 0; i < 4; i++) {
      switch (il_dst_comp(dst, i)) {
      case IL_MODCOMP_WRITE:
         final[i] = im_modify(im, dst, result[i]);
         mask |= 1u << i;
         break;
      case IL_MODCOMP_0:
         final[i] = op_const(0);
         mask |= 1u << i;
         break;
      case IL_MODCOMP_1:
         final[i] = op_const(0x3f800000);
         mask |= 1u << i;
         break;
      default:
         break;
      }
   }

   if ((dst->r.type == IL_REGTYPE_OUTPUT || dst->r.type == IL_REGTYPE_PATCHCONST) &&
       c->out->stage == SHADER_STAGE_HS) {
      im_tess_store(im, dst, mask, final);
      return;
   }
   if (dst->r.type == IL_REGTYPE_ITEMP && dst->r.num < im->num_xarrays &&
       im->xarrays[dst->r.num].indexed && c->arrays[im->xarrays[dst->r.num].array].scratch) {
      store_scratch(im, dst, mask, final);
      return;
   }

   /* A variable that is a source of another component's copy must be read before it is written. */
   for (unsigned i = 0; i < 4; i++) {
      struct reg_comp *r;
      if (!(mask >> i & 1) || !(r = im_dst_comp(im, dst, i)) || !r->variable)
         continue;
      for (unsigned k = i + 1; k < 4; k++)
         if ((mask >> k & 1) && final[k].kind == OPERAND_VALUE && r->value &&
             final[k].value == r->value)
            final[k] = op_value(cc_mov(c, 0, final[k]));
   }

   uint32_t first_inst = 0;
   struct cc_block *b = cc_block(c);
   for (first_inst = b->num_insts; first_inst > 0 && b->insts[first_inst - 1]->origin == c->origin;
        first_inst--) {
   }
   for (unsigned i = 0; i < 4; i++) {
      if (!(mask >> i & 1))
         continue;
      struct reg_comp *r = im_dst_comp(im, dst, i);
      if (!r) {
         if (dst->r.type == IL_REGTYPE_ITEMP) {
            if (im->xarrays[dst->r.num].indexed)
               store_array(im, dst, i, final[i]);
            continue;
         }
         im_unsupported(im, "destination register");
      }
      if (!r->variable && immutable(c, &final[i])) {
         if (final[i].kind == OPERAND_VALUE && !r->value && !final[i].neg && !final[i].abs &&
             !c->values[final[i].value].input) {
            r->value = final[i].value;
         } else {
            r->has_alias = true;
            r->alias = final[i];
         }
      } else if (!r->variable || shared(final, mask, i) ||
                 !retarget(im, final[i], im_comp_value(im, r), first_inst)) {
         cc_mov(c, im_comp_value(im, r), final[i]);
      }
   }
}
