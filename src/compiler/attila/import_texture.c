/* SPDX-License-Identifier: MIT */
/*
 * Import of sampling.  The unit knows what kind of texture it has; its number says whether z is
 * compared with and whether coordinates count texels (docs/attila-chip.rst).  w is the level or
 * what is added to it; a coordinate that IL divides by w is the machine's projection, where the
 * program does not mind what division by 0 gives: the largest number in IL, infinity here.
 */
#include "import.h"

static const struct {
   uint16_t il;
   uint8_t op;
   bool compare, lod, zero; /* lod: a source has it; zero: it is level 0 */
} kinds[] = {
   { IL_OP_SAMPLE, ATTILA_TEX, false, false, false },
   { IL_OP_SAMPLE_B, ATTILA_TXB, false, true, false },
   { IL_OP_SAMPLE_L, ATTILA_TXL, false, true, false },
   { IL_OP_SAMPLE_C, ATTILA_TEX, true, false, false },
   { IL_OP_SAMPLE_C_B, ATTILA_TXB, true, true, false },
   { IL_OP_SAMPLE_C_L, ATTILA_TXL, true, true, false },
   { IL_OP_SAMPLE_C_LZ, ATTILA_TXL, true, false, true },
};

/* How many coordinates the texture has. */
static unsigned
dimensions(struct importer *im, unsigned type)
{
   switch (type) {
   case IL_USAGE_PIXTEX_1D:
      return 1;
   case IL_USAGE_PIXTEX_2D:
      return 2;
   case IL_USAGE_PIXTEX_3D:
   case IL_USAGE_PIXTEX_CUBEMAP:
      return 3;
   default:
      ai_refuse(im, "a texture of this kind");
   }
}

static unsigned
unit(struct importer *im, const struct il_inst *inst, bool compare)
{
   const unsigned n = il_resource(inst);

   if (n >= ATTILA_UNITS || !im->decl.resource[n].declared)
      ai_refuse(im, "a texture that is not declared, or above 15");
   if (il_sampler(inst) != n)
      ai_refuse(im, "a texture with another one's sampler");
   if (im->decl.resource[n].integer)
      ai_refuse(im, "a texture of integers");
   im->c->out->textures |= 1u << n;
   im->c->out->samplers |= 1u << n;
   im->c->out->num_fetches++;
   /* The directions of a cube have no unit. */
   const bool texels =
      im->decl.resource[n].unnorm && im->decl.resource[n].type != IL_USAGE_PIXTEX_CUBEMAP;
   if (texels && im->decl.resource[n].type == IL_USAGE_PIXTEX_3D)
      ai_refuse(im, "three coordinates in texels");
   return n + (compare ? ATTILA_UNIT_COMPARES : 0) + (texels ? ATTILA_UNIT_TEXELS : 0);
}

static void
sample(struct importer *im, const struct il_inst *inst, unsigned k)
{
   const unsigned to = unit(im, inst, kinds[k].compare);
   const unsigned count = dimensions(im, im->decl.resource[il_resource(inst)].type);

   if (il_has_aoff(inst) || il_has_pri(inst) || il_has_sec(inst) || il_indexed(inst))
      ai_refuse(im, "texel offsets and other modifiers");
   if (inst->nsrc < 1u + kinds[k].compare + kinds[k].lod)
      ai_refuse(im, "these operands");
   if (kinds[k].compare && count == 3)
      ai_refuse(im, "a comparison with three coordinates");
   const unsigned mask = (1u << count) - 1;
   struct ac_src at = ai_src(im, &inst->src[0], mask);
   unsigned next = 1;
   if (kinds[k].compare || kinds[k].lod || kinds[k].zero) {
      uint32_t reg = ac_new_reg(im->c);
      ac_emit(im->c, ATTILA_MOV, reg, mask, 1, at, at, at);
      if (kinds[k].compare) {
         struct ac_src v = ai_comp(im, &inst->src[next++], 0);
         ac_emit(im->c, ATTILA_MOV, reg, 4, 1, v, v, v);
      }
      struct ac_src lod = kinds[k].zero ? ac_bits(0) : at;
      if (kinds[k].lod)
         lod = ai_comp(im, &inst->src[next], 0);
      if (kinds[k].lod || kinds[k].zero)
         ac_emit(im->c, ATTILA_MOV, reg, 8, 1, lod, lod, lod);
      at = ac_temp(reg);
   }
   /* What the unit does not look at is any component that there is. */
   const unsigned used =
      mask | (kinds[k].compare ? 4u : 0) | (kinds[k].lod || kinds[k].zero ? 8u : 0);
   for (unsigned c = 0; c < 4; c++) {
      if (!(used >> c & 1)) {
         at.swz[c] = at.swz[0];
         at.value[c] = at.value[0];
      }
   }
   struct ai_target t = ai_target(im, &inst->dst[0]);
   struct ac_src where = ac_register(ATTILA_IN, to);
   ai_op(im, &t, 15, kinds[k].op, 2, at, where, where);
   ai_done(im, &inst->dst[0], &t);
}

bool
ai_texture(struct importer *im, const struct il_inst *inst)
{
   if (inst->op == IL_OP_DSX || inst->op == IL_OP_DSY || inst->op == IL_OP_FWIDTH)
      return ai_alu(im, inst);
   for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
      if (kinds[k].il == inst->op) {
         sample(im, inst, k);
         return true;
      }
   }
   return false;
}
