/* SPDX-License-Identifier: MIT */
/*
 * Import of shader model 3's texture stages (7.5: TEXLD and its kind): each becomes the instruction
 * that names a resource and a sampler, both with the stage's number.
 *
 *  1. DCLPT says the texture's type and whether coordinates are normalised.  What it leaves to
 *     state that IL does not name is refused, and so are a sampler's filters set by the
 *     instruction: Cayman's has no field for them.
 *  2. A shadow sample compares with src0.z, and takes no offsets.
 *  3. The constant bias is a field of the fetch (HD 6900 ISA 9.4), added after clamping.
 *  4. CENTROID is said of the coordinates, which are computed by here.
 */
#include "import.h"

#include <string.h>

/* A register that only the instruction in hand reads, with these values. */
static struct il_src
spare(struct importer *im, unsigned n, const struct cc_operand value[4])
{
   memcpy(im->spare[n], value, sizeof(im->spare[n]));
   return il_src(REGTYPE_SPARE, n);
}

static void
read_all(struct importer *im, const struct il_src *src, struct cc_operand value[4])
{
   for (unsigned i = 0; i < 4; i++)
      value[i] = im_src(im, src, i);
}

/* One component in all of them. */
static struct il_src
spare_scalar(struct importer *im, unsigned n, struct cc_operand o)
{
   return spare(im, n, (struct cc_operand[4]){ o, o, o, o });
}

/* Texels of several samples at whole coordinates: x, y and the sample's number in z. */
static void
load_sample(struct importer *im, const struct il_inst *inst, struct il_inst *plain,
            struct il_src src[1])
{
   struct cc_operand c[4], whole[4];

   if (im->decl.resource[il_stage(inst)].type != IL_USAGE_PIXTEX_2DMSAA)
      im_unsupported(im, "a stage whose texture has one sample");
   read_all(im, &inst->src[0], c);
   for (unsigned i = 0; i < 3; i++)
      whole[i] = E1(FLT_TO_INT, E1(FLOOR, c[i]));
   unsigned number = il_has_sec(inst) ? inst->sec >> 24 & 31 : 0;
   whole[3] = number ? E2(ADD_INT, whole[2], op_const(number)) : whole[2];
   whole[2] = op_const(0);
   src[0] = spare(im, 0, whole);
   plain->op = IL_OP_LOAD;
   plain->nsrc = 1;
}

/* The plain operation, and the sources after the coordinates. */
static void
choose(struct importer *im, const struct il_inst *inst, struct il_inst *plain,
       const struct cc_operand coord[4], struct il_src src[3])
{
   bool shadow = il_shadow_mode(inst) == IL_TEXSHADOWMODE_Z;
   unsigned type = im->decl.resource[il_stage(inst)].type;

   if (shadow && type != IL_USAGE_PIXTEX_1D && type != IL_USAGE_PIXTEX_2D)
      im_unsupported(im, "a shadow texture of three coordinates");
   plain->nsrc = 1;
   if (shadow)
      src[plain->nsrc++] = spare_scalar(im, 1, coord[2]);
   switch (inst->op) {
   case IL_OP_TEXLDB: {
      bool absolute = il_texel_absolute(inst);
      src[plain->nsrc++] = spare_scalar(im, 2, im_src(im, &inst->src[1], 3));
      plain->op = absolute ? (shadow ? IL_OP_SAMPLE_C_L : IL_OP_SAMPLE_L)
                  : shadow ? IL_OP_SAMPLE_C_B
                           : IL_OP_SAMPLE_B;
      break;
   }
   case IL_OP_TEXLDD:
      src[plain->nsrc++] = inst->src[1];
      src[plain->nsrc++] = inst->src[2];
      plain->op = shadow ? IL_OP_SAMPLE_C_G : IL_OP_SAMPLE_G;
      break;
   case IL_OP_LOD:
      plain->op = IL_OP_GETLOD;
      break;
   default:
      plain->op = shadow ? IL_OP_SAMPLE_C : IL_OP_SAMPLE;
      break;
   }
}

/* The result of an instruction that names a stage.  False: it is not one of those. */
static bool
stage_values(struct importer *im, const struct il_inst *inst, unsigned mask,
             struct cc_operand result[4])
{
   unsigned n = il_stage(inst);
   bool texld = inst->op >= IL_OP_TEXLD && inst->op <= IL_OP_TEXLDMS;
   struct il_inst plain = *inst;
   struct cc_operand coord[4];
   struct il_src src[4];

   if (!texld && inst->op != IL_OP_LOD && inst->op != IL_OP_KILL)
      return false;
   if (n >= 16 || !im->decl.resource[n].declared)
      im_unsupported(im, "stage that is not declared");
   if (im->decl.resource[n].vague || (texld && il_shadow_mode(inst) > IL_TEXSHADOWMODE_Z))
      im_unsupported(im, "a stage whose type, coordinates or shadows are state of the driver's");
   if (texld && inst->op != IL_OP_TEXLDMS && il_has_pri(inst) && inst->pri & 0x3ffff)
      im_unsupported(im, "filters of the instruction's own");
   plain.ctl = il_ctl_resource(n) | il_ctl_sampler(n);
   plain.src = src;
   plain.restype = 0;
   if (texld && il_has_sec(inst)) {
      plain.ctl |= il_ctl_has_aoff(true);
      plain.aoff = inst->sec;
   }
   if (inst->op == IL_OP_TEXLDMS) {
      load_sample(im, inst, &plain, src);
      im_load_values(im, &plain, mask, result);
      return true;
   }
   read_all(im, &inst->src[0], coord);
   src[0] = spare(im, 0, coord);
   choose(im, inst, &plain, coord, src);
   if (plain.nsrc > 1 && texld && il_shadow_mode(inst))
      plain.ctl &= ~il_ctl_has_aoff(true);
   im->lod_bias = texld && il_has_pri(inst) ? (int)(inst->pri >> 18 & 127) : 0;
   im->lod_bias -= im->lod_bias & 64 ? 128 : 0;
   im_sample_values(im, &plain, inst->op == IL_OP_LOD ? 1 : mask, result);
   im->lod_bias = 0;
   if (inst->op == IL_OP_LOD)
      result[1] = result[2] = result[3] = result[0];
   return true;
}

bool
im_stage(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand result[4];

   if (inst->ndst != 1 || inst->op == IL_OP_KILL ||
       !stage_values(im, inst, il_dst_mask(&inst->dst[0]), result))
      return false;
   im_store(im, &inst->dst[0], result);
   return true;
}

void
im_stage_texel(struct importer *im, const struct il_inst *kill, struct cc_operand result[4])
{
   stage_values(im, kill, 15, result);
}
