/* SPDX-License-Identifier: MIT */
/*
 * Texture stages of shader model 3 (pages 7-86, 7-103 to 7-114): stage n is resource n and sampler
 * n, of the kind that DCLPT declares; what names a stage becomes what names these.
 *
 *  1. What DCLPT leaves to state is refused, and so are filters that the instruction sets: they
 *     are the sampler's.
 *  2. A shadow load compares with src0.z, and has no offsets.  CENTROID is said of coordinates that
 *     are computed by here.
 *  3. TEXLDB's bias, or with `absolute` its level, is src1.w.  LODBIAS, which is added after the
 *     limits, stays (il_lod_bias()).
 *  4. TEXLDMS loads the texel that its coordinates lie in; the sample is src0.z plus bits 28:24 of
 *     the secondary modifier, where public streams have it.
 *  5. KILL of a sample is KILL of its texel.
 */
#include "formula.h"

#include "il/conventions.h"
#include "il/declare.h"

struct stage {
   bool declared, vague;
   uint8_t type; /* enum il_pixtex */
};

static void
declare(struct il_lower *l, struct stage *stages, const struct il_inst *inst)
{
   const unsigned n = il_stage(inst), coordinates = il_coord_mode(inst), type = il_stage_type(inst);
   struct il_inst resource = { .op = IL_OP_DCL_RESOURCE, .ndata = 1, .offset = inst->offset };

   if (n >= IL_MAX_STAGES)
      lower_fail(l, "not implemented: texture stage above %u", IL_MAX_STAGES - 1);
   stages[n] =
      (struct stage){ .declared = true,
                      .vague = type == IL_USAGE_PIXTEX_UNKNOWN ||
                               coordinates == IL_TEXCOORDMODE_UNKNOWN || il_clear_type(inst),
                      .type = (uint8_t)type };
   if (stages[n].vague)
      return;
   resource.ctl = (uint16_t)(il_ctl_resource(n) | il_ctl_resource_type(type) |
                             il_ctl_resource_unnorm(coordinates == IL_TEXCOORDMODE_UNNORMALIZED));
   resource.data = lower_alloc(l, sizeof(*resource.data));
   for (unsigned c = 0; c < 4; c++)
      resource.data[0] |= (uint32_t)IL_ELEMENTFORMAT_FLOAT << (20 + 3 * c);
   lower_add(l, &resource);
}

/* The texel in which the coordinates lie, and the sample's number as w. */
static struct il_src
sample_of(struct formula *f)
{
   const uint32_t number = il_has_sec(f->inst) ? f->inst->sec >> 24 & 31 : 0;
   const uint32_t t = f->l->next_temp++;

   for (unsigned c = 0; c < 3; c++) {
      struct il_src whole = OP1(f, FTOI, OP1(f, ROUND_NEG_INF, formula_component(f, 0, c)));
      if (c == 2 && number)
         whole = OP2(f, I_ADD, whole, BITS(f, number));
      lower_op(f->l, IL_OP_MOV, 0, t, c < 2 ? 1u << c : 8, 1, whole, whole, whole);
   }
   struct il_src zero = BITS(f, 0);
   lower_op(f->l, IL_OP_MOV, 0, t, 4, 1, zero, zero, zero);
   return il_src(IL_REGTYPE_TEMP, t);
}

/* The operation that names a resource, and its operands after the coordinates. */
static unsigned
choose(struct formula *f, bool shadow, struct il_src src[4], unsigned *nsrc)
{
   *nsrc = 1;
   if (shadow)
      src[(*nsrc)++] = formula_component(f, 0, 2);
   switch (f->inst->op) {
   case IL_OP_TEXLDB:
      src[(*nsrc)++] = formula_component(f, 1, 3);
      return il_texel_absolute(f->inst) ? (shadow ? IL_OP_SAMPLE_C_L : IL_OP_SAMPLE_L)
             : shadow                   ? IL_OP_SAMPLE_C_B
                                        : IL_OP_SAMPLE_B;
   case IL_OP_TEXLDD:
      src[(*nsrc)++] = f->inst->src[1];
      src[(*nsrc)++] = f->inst->src[2];
      return shadow ? IL_OP_SAMPLE_C_G : IL_OP_SAMPLE_G;
   case IL_OP_LOD:
      return IL_OP_GETLOD;
   default:
      return shadow ? IL_OP_SAMPLE_C : IL_OP_SAMPLE;
   }
}

static void
name(struct il_lower *l, const struct stage *stages, const struct il_inst *inst)
{
   const unsigned n = il_stage(inst);
   const bool texld = inst->op >= IL_OP_TEXLD && inst->op <= IL_OP_TEXLDMS;
   const bool shadow = texld && il_shadow_mode(inst) == IL_TEXSHADOWMODE_Z;
   const bool samples = inst->op == IL_OP_TEXLDMS;
   struct formula f = { .l = l, .inst = inst, .mask = 1 };
   struct il_inst out = { .op = IL_OP_LOAD, .ndst = 1, .nsrc = 1, .offset = inst->offset };

   if (n >= IL_MAX_STAGES || !stages[n].declared)
      lower_fail(l, "not implemented: a stage that is not declared");
   if (stages[n].vague || (texld && il_shadow_mode(inst) > IL_TEXSHADOWMODE_Z))
      lower_fail(l, "not implemented: a stage whose type, coordinates or shadows are state of the "
                    "driver's");
   if (texld && !samples && il_has_pri(inst) && inst->pri & 0x3ffff)
      lower_fail(l, "not implemented: filters of the instruction's own, which are the sampler's");
   if (samples && stages[n].type != IL_USAGE_PIXTEX_2DMSAA)
      lower_fail(l, "not implemented: a stage whose texture has one sample");
   if (shadow && !samples && stages[n].type != IL_USAGE_PIXTEX_1D &&
       stages[n].type != IL_USAGE_PIXTEX_2D)
      lower_fail(l, "not implemented: a shadow texture of three coordinates");
   l->scalar_room = 0;
   out.src = lower_alloc(l, 4 * sizeof(*out.src));
   out.dst = lower_alloc(l, sizeof(*out.dst));
   out.ctl = (uint16_t)(il_ctl_resource(n) | il_ctl_sampler(n));
   if (samples) {
      out.src[0] = sample_of(&f);
   } else {
      unsigned nsrc;
      out.src[0] = inst->src[0];
      out.op = (uint16_t)choose(&f, shadow, out.src, &nsrc);
      out.nsrc = (uint8_t)nsrc;
      if (texld && il_has_pri(inst) && inst->pri >> 18 & 127)
         il_set_pri(&out, inst->pri & 127u << 18);
   }
   if (texld && il_has_sec(inst) && (samples || !shadow)) {
      out.ctl |= (uint16_t)il_ctl_has_aoff(true);
      out.aoff = inst->sec & 0xffffff;
   }
   if (texld) {
      *out.dst = inst->dst[0];
      lower_add(l, &out);
      return;
   }
   /* LOD is for all components; KILL looks at all four. */
   const bool lod = inst->op == IL_OP_LOD;
   const uint32_t t = l->next_temp++;
   struct il_inst last = *inst;
   struct il_src texel = lod ? lower_temp(t, 0) : il_src(IL_REGTYPE_TEMP, t);
   *out.dst = lower_temp_dst(t, lod ? 1 : 15);
   lower_add(l, &out);
   last.op = lod ? IL_OP_MOV : IL_OP_KILL;
   last.ctl = 0;
   last.src = lower_index(l, texel);
   lower_add(l, &last);
}

bool
lower_is_stage(const struct il_inst *inst)
{
   return il_op_info(inst->op)->core == IL_CORE_STAGE ||
          (inst->op == IL_OP_KILL && il_kill_sample(inst));
}

void
lower_name_resources(struct il_lower *l)
{
   struct stage stages[IL_MAX_STAGES] = { { 0 } };

   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);

      if (inst->op == IL_OP_DCLPT)
         declare(l, stages, inst);
      else if (info && lower_is_stage(inst) && inst->nsrc == info->srcs && inst->ndst == info->dsts)
         name(l, stages, inst);
      else
         lower_add(l, inst); /* back ends refuse what has not its operands */
   }
   l->out->first_main = l->first_main;
}
