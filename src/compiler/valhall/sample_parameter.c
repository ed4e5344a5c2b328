/* SPDX-License-Identifier: MIT */
/*
 * A sample at a parameter as it is interpolated becomes one message, VAR_TEX_BUF_SINGLE or
 * VAR_TEX_SINGLE, instead of LD_VAR_BUF or LD_VAR, a wait and TEX_SINGLE.
 *
 *  1. The coordinates, and the reference of a comparison after them, are components of one
 *     parameter that follow one another (of LD_VAR, from its first), taken at the pixel's centre,
 *     and nobody else reads the parameter: it would be interpolated twice.
 *  2. There are no offsets, layers, directions of a cube, levels or gradients but the one that the
 *     quad gives, or zero.
 *  3. The handle is the narrow one, and known: its upper word says nothing but that coordinates
 *     are normalised, so that the parameter's byte or handle stands there, and no instruction more
 *     is needed for it.
 *  4. All four components come: three at least are wanted.
 */
#include "ir.h"

#define OP(name) VALHALL_OP_##name

/* The instruction that makes a value; NULL: none does, or others read it, too. */
static struct vc_inst *
maker(const struct vc *c, uint32_t value, unsigned uses)
{
   return c->values[value].uses == uses ? c->values[value].def : NULL;
}

/* The parameter that the staging registers are components of: what loads it, which message takes it
 * instead, and what that names it by. */
struct parameter {
   struct vc_inst *load;
   unsigned op;
   uint32_t name;
};

static bool
find_parameter(const struct vc *c, const struct vc_inst *inst, unsigned count,
               struct parameter *found)
{
   struct vc_inst *load;
   struct vc_inst *vector = maker(c, inst->staging, 1);
   struct vc_operand first;

   if (!vector || vector->op != VC_COLLECT || vector->num_list != count)
      return false;
   first = vector->list[0];
   for (unsigned i = 0; i < count; i++) {
      const struct vc_operand *o = &vector->list[i];
      if (o->kind != VC_VALUE || o->neg || o->abs || o->invert || o->select ||
          o->value != first.value || o->comp != first.comp + i)
         return false;
   }
   load = maker(c, first.value, count);
   if (!load || !vc_has(load->op, VALHALL_MOD_SAMPLE_MODE) ||
       vc_get(load, VALHALL_MOD_SAMPLE_MODE) != VALHALL_SAMPLE_MODE_CENTER)
      return false;
   *found = (struct parameter){ load, OP(VAR_TEX_BUF_SINGLE), 4u * first.comp };
   switch (load->op) {
   case OP(LD_VAR_BUF_IMM_F32):
      found->name += load->imm[0];
      return vc_get(load, VALHALL_MOD_SOURCE_FORMAT) == VALHALL_SOURCE_FORMAT_SRC_F32;
   case OP(LD_VAR_BUF_F32):
      found->name += load->src[1].value;
      return load->src[1].kind == VC_CONST &&
             vc_get(load, VALHALL_MOD_SOURCE_FORMAT) == VALHALL_SOURCE_FORMAT_SRC_F32;
   case OP(LD_VAR_IMM):
      found->op = OP(VAR_TEX_SINGLE);
      found->name = load->imm[0] << 24 | load->imm[1];
      return !first.comp &&
             vc_get(load, VALHALL_MOD_REGISTER_FORMAT) == VALHALL_REGISTER_FORMAT_F32;
   default:
      return false;
   }
}

/* What a sample is given; 0: it is none of those that take a parameter. */
static unsigned
given(const struct vc_inst *inst)
{
   static const uint8_t coordinates[4] = {
      [VALHALL_DIMENSION_1D] = 1, [VALHALL_DIMENSION_2D] = 2, [VALHALL_DIMENSION_3D] = 3
   };
   const unsigned lod = inst->op == OP(TEX_SINGLE) ? vc_get(inst, VALHALL_MOD_LOD_MODE) : 0;

   if (inst->op != OP(TEX_SINGLE) || vc_get(inst, VALHALL_MOD_WIDE_INDICES) ||
       vc_get(inst, VALHALL_MOD_ARRAY_ENABLE) || vc_get(inst, VALHALL_MOD_TEXEL_OFFSET) ||
       (lod != VALHALL_LOD_MODE_COMPUTED && lod != VALHALL_LOD_MODE_ZERO) ||
       vc_get(inst, VALHALL_MOD_REGISTER_WIDTH) != VALHALL_REGISTER_WIDTH_32)
      return 0;
   const unsigned count = coordinates[vc_get(inst, VALHALL_MOD_DIMENSION) & 3];
   return count ? count + vc_get(inst, VALHALL_MOD_SHADOW) : 0;
}

static bool
takes_parameter(struct vc *c, struct vc_inst *inst)
{
   const unsigned count = given(inst);
   struct vc_inst *handles, *message;
   struct parameter parameter;

   if (!count || count != inst->staged || !find_parameter(c, inst, count, &parameter))
      return false;
   const unsigned mask = vc_get(inst, VALHALL_MOD_WRITE_MASK);
   handles = inst->src[0].kind == VC_VALUE ? maker(c, inst->src[0].value, 1) : NULL;
   if ((mask != 15 && mask != 7) || !handles || handles->op != VC_COLLECT ||
       handles->num_list != 2 || handles->list[0].kind != VC_CONST || !vc_is(handles->list[1], 0))
      return false;

   handles->list[1] = vc_bits(parameter.name);
   message = vc_new(c, parameter.op);
   message->memory = inst->memory;
   message->place = inst->place;
   message->dest = inst->dest;
   message->src[0] = inst->src[0];
   message->src[1] = vc_word(inst->src[0], 1);
   vc_set(message, VALHALL_MOD_SAMPLE_AND_UPDATE_MODE, VALHALL_SAMPLE_AND_UPDATE_MODE_CENTER_STORE);
   vc_set(message, VALHALL_MOD_REGISTER_TYPE, vc_get(inst, VALHALL_MOD_REGISTER_TYPE));
   vc_set(message, VALHALL_MOD_VARYING_TEXTURE_REGISTER_WIDTH,
          VALHALL_VARYING_TEXTURE_REGISTER_WIDTH_32);
   vc_set(message, VALHALL_MOD_DIMENSION, vc_get(inst, VALHALL_MOD_DIMENSION));
   vc_set(message, VALHALL_MOD_SHADOW, vc_get(inst, VALHALL_MOD_SHADOW));
   vc_set(message, VALHALL_MOD_LOD_MODE, vc_get(inst, VALHALL_MOD_LOD_MODE));
   c->values[inst->dest].size = 4;
   parameter.load->dead = c->values[inst->staging].def->dead = true;
   *inst = *message;
   return true;
}

void
vc_sample_parameter(struct vc *c)
{
   bool any = false;

   if (c->out->stage != SHADER_STAGE_PS)
      return;
   vc_count_uses(c);
   for (uint32_t n = 0; n < c->num_blocks; n++)
      for (uint32_t i = 0; i < c->blocks[n].num_insts; i++)
         any |= takes_parameter(c, c->blocks[n].insts[i]);
   if (any)
      vc_remove_dead(c);
}
