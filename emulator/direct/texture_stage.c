/* SPDX-License-Identifier: MIT */
/*
 * Texture stages of shader model 3 (pages 7-86, 7-103 to 7-114): stage n is resource n and sampler
 * n, of the kind that DCLPT declares.
 *
 *  1. What DCLPT leaves to state is refused, and so are filters that the instruction sets: they
 *     are the sampler's.
 *  2. A shadow load compares with src0.z, and has no offsets.  CENTROID is said of coordinates
 *     that are computed by here.
 *  3. TEXLDB's bias, or with `absolute` its level, is src1.w.  LODBIAS is added after the limits.
 *  4. TEXLDMS loads the texel that its coordinates lie in; the sample is src0.z plus bits 28:24 of
 *     the secondary modifier, where public streams have it.
 */
#include "direct/texture.h"

#include <string.h>

static void
load_sample(struct direct *d, const struct il_inst *inst, struct direct_sampling *s,
            struct uop_operand r[4])
{
   if (s->type != IL_USAGE_PIXTEX_2DMSAA) {
      direct_refuse(d, "a stage whose texture has one sample");
      return;
   }
   for (unsigned i = 0; i < 3; i++) {
      struct uop_operand c = s->coord[i];
      s->coord[i] = DOP1(FLT_TO_INT, DOP1(FLOOR, c));
   }
   unsigned number = il_has_sec(inst) ? inst->sec >> 24 & 31 : 0;
   s->coord[3] = s->coord[2];
   if (number)
      s->coord[3] = DOP2(ADD_INT, s->coord[3], direct_literal(d, number));
   direct_load(d, s, r);
}

static bool
read_stage(struct direct *d, const struct il_inst *inst, struct direct_sampling *s)
{
   unsigned n = il_stage(inst);
   bool texld = inst->op >= IL_OP_TEXLD && inst->op <= IL_OP_TEXLDMS;

   if (n >= 16 || !d->decl.resource[n].stage) {
      direct_refuse(d, "a stage that is not declared");
      return false;
   }
   if (d->decl.resource[n].vague || (texld && il_shadow_mode(inst) > IL_TEXSHADOWMODE_Z)) {
      direct_refuse(d, "a stage whose type, coordinates or shadows are state of the driver's");
      return false;
   }
   if (texld && inst->op != IL_OP_TEXLDMS && il_has_pri(inst) && inst->pri & 0x3ffff) {
      direct_refuse(d, "filters of the instruction's own, which are the sampler's");
      return false;
   }
   *s = (struct direct_sampling){ .resource = (uint8_t)n,
                                  .sampler = (uint8_t)n,
                                  .type = d->decl.resource[n].type,
                                  .unnorm = d->decl.resource[n].unnorm };
   for (unsigned i = 0; i < 4; i++)
      s->coord[i] = direct_src(d, &inst->src[0], i);
   for (unsigned i = 0; i < 3 && texld && il_has_sec(inst); i++) {
      int8_t offset = (int8_t)(inst->sec >> (8 * i));
      s->offset[i] = inst->op == IL_OP_TEXLDMS ? offset : direct_offset(offset);
   }
   return true;
}

/* The result of an instruction that names a stage. */
static void
texel(struct direct *d, const struct il_inst *inst, struct uop_operand r[4])
{
   bool texld = inst->op >= IL_OP_TEXLD && inst->op <= IL_OP_TEXLDMS;
   bool shadow = texld && il_shadow_mode(inst) == IL_TEXSHADOWMODE_Z;
   bool absolute = il_texel_absolute(inst);
   struct direct_sampling s;

   r[0] = r[1] = r[2] = r[3] = direct_literal(d, 0);
   if (!read_stage(d, inst, &s))
      return;
   if (inst->op == IL_OP_TEXLDMS) {
      load_sample(d, inst, &s, r);
      return;
   }
   if (shadow && s.type != IL_USAGE_PIXTEX_1D && s.type != IL_USAGE_PIXTEX_2D) {
      direct_refuse(d, "a shadow texture of three coordinates");
      return;
   }
   if (shadow) {
      s.reference = s.coord[2];
      memset(s.offset, 0, sizeof(s.offset));
   }
   switch (inst->op) {
   case IL_OP_TEXLDB:
      s.lod = direct_src(d, &inst->src[1], 3);
      s.op = absolute ? (shadow ? IL_OP_SAMPLE_C_L : IL_OP_SAMPLE_L)
             : shadow ? IL_OP_SAMPLE_C_B
                      : IL_OP_SAMPLE_B;
      break;
   case IL_OP_TEXLDD:
      for (unsigned i = 0; i < 6; i++)
         s.extra[i / 3][i % 3] = direct_src(d, &inst->src[1 + i / 3], i % 3);
      s.op = shadow ? IL_OP_SAMPLE_C_G : IL_OP_SAMPLE_G;
      break;
   case IL_OP_LOD:
      s.op = IL_OP_GETLOD;
      break;
   default:
      s.op = shadow ? IL_OP_SAMPLE_C : IL_OP_SAMPLE;
      break;
   }
   if (texld && il_has_pri(inst))
      s.lod_bias = (int8_t)((((inst->pri >> 18 & 127) + 64) & 127) - 64);
   direct_sample(d, &s, r);
   if (inst->op == IL_OP_LOD)
      r[1] = r[2] = r[3] = r[0];
}

bool
direct_texture_stage(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand r[4];

   texel(d, inst, r);
   direct_store(d, &inst->dst[0], r);
   return true;
}

void
direct_stage_texel(struct direct *d, const struct il_inst *kill, struct uop_operand r[4])
{
   texel(d, kill, r);
}
