/* SPDX-License-Identifier: MIT */
/* Texture instructions.  Source order in IL: coordinates, compare reference, then LOD, bias or
 * gradients; offsets are immediate; a texture chosen at run time adds two index sources. */
#include "translate.h"

struct tex {
   struct translator *t;
   const nir_tex_instr *tex;
   const nir_def *coord, *lod, *bias, *compare, *ddx, *ddy, *offset, *sample;
   const nir_def *texture_index, *sampler_index;
};

static enum il_pixtex
resource_type(const nir_tex_instr *tex)
{
   switch (tex->sampler_dim) {
   case GLSL_SAMPLER_DIM_1D:
      return tex->is_array ? IL_USAGE_PIXTEX_1DARRAY : IL_USAGE_PIXTEX_1D;
   case GLSL_SAMPLER_DIM_3D:
      return IL_USAGE_PIXTEX_3D;
   case GLSL_SAMPLER_DIM_CUBE:
      return tex->is_array ? IL_USAGE_PIXTEX_CUBEMAP_ARRAY : IL_USAGE_PIXTEX_CUBEMAP;
   case GLSL_SAMPLER_DIM_BUF:
      return IL_USAGE_PIXTEX_BUFFER;
   case GLSL_SAMPLER_DIM_MS:
      return tex->is_array ? IL_USAGE_PIXTEX_2DARRAYMSAA : IL_USAGE_PIXTEX_2DMSAA;
   default:
      return tex->is_array ? IL_USAGE_PIXTEX_2DARRAY : IL_USAGE_PIXTEX_2D;
   }
}

static bool
is_query(const nir_tex_instr *tex)
{
   return tex->op == nir_texop_txs || tex->op == nir_texop_query_levels ||
          tex->op == nir_texop_texture_samples || tex->op == nir_texop_lod;
}

static void
declare(struct translator *t, const nir_tex_instr *tex)
{
   unsigned n = tex->texture_index;
   if (n >= ARRAY_SIZE(t->resources) || tex->sampler_index >= 16) {
      tr_fail(t, "texture %u with sampler %u is out of range", n, tex->sampler_index);
      return;
   }
   struct resource_decl *r = &t->resources[n];
   unsigned type = resource_type(tex);
   bool unnorm = tex->sampler_dim == GLSL_SAMPLER_DIM_RECT;
   if (r->used && (r->type != type || r->unnorm != unnorm))
      tr_fail(t, "not implemented: texture %u is used with two targets", n);
   r->used = true;
   r->type = type;
   r->unnorm = unnorm;
   if (is_query(tex)) {
      if (!r->typed)
         r->format = IL_ELEMENTFORMAT_FLOAT;
      return;
   }
   nir_alu_type base = nir_alu_type_get_base_type(tex->dest_type);
   r->typed = true;
   r->format = base == nir_type_int    ? IL_ELEMENTFORMAT_SINT
               : base == nir_type_uint ? IL_ELEMENTFORMAT_UINT
                                       : IL_ELEMENTFORMAT_FLOAT;
}

static bool
collect(struct tex *x)
{
   const nir_tex_instr *tex = x->tex;
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      const nir_def *def = tex->src[i].src.ssa;
      switch (tex->src[i].src_type) {
      case nir_tex_src_coord:
         x->coord = def;
         break;
      case nir_tex_src_lod:
         x->lod = def;
         break;
      case nir_tex_src_bias:
         x->bias = def;
         break;
      case nir_tex_src_comparator:
         x->compare = def;
         break;
      case nir_tex_src_ddx:
         x->ddx = def;
         break;
      case nir_tex_src_ddy:
         x->ddy = def;
         break;
      case nir_tex_src_offset:
         x->offset = def;
         break;
      case nir_tex_src_ms_index:
         x->sample = def;
         break;
      case nir_tex_src_texture_offset:
         x->texture_index = def;
         break;
      case nir_tex_src_sampler_offset:
         x->sampler_index = def;
         break;
      default:
         tr_fail(x->t, "not implemented: texture source %u", tex->src[i].src_type);
         return false;
      }
   }
   return true;
}

/* Coordinates followed by zeros (7-90: what the target does not use must be 0). */
static struct il_src
coordinates(struct tex *x)
{
   const struct tr_value *v = tr_value(x->t, x->coord);
   uint8_t s[4];
   for (unsigned c = 0; c < 4; c++)
      s[c] = c < x->tex->coord_components ? v->comp[c] : IL_COMPSEL_0;
   return il_swizzle(il_src(v->type, v->num), s[0], s[1], s[2], s[3]);
}

/* Integer coordinates with the level or sample in w, for load. */
static struct il_src
load_coordinates(struct tex *x)
{
   const nir_def *w = x->tex->op == nir_texop_txf_ms ? x->sample : x->lod;
   if (!w || (nir_src_is_const(nir_src_for_ssa((nir_def *)w)) &&
              !nir_src_as_uint(nir_src_for_ssa((nir_def *)w))))
      return coordinates(x);
   uint32_t temp = tr_temp(x->t);
   struct il_src s = coordinates(x), level = tr_scalar(x->t, w, 0);
   tr_emit(x->t, IL_OP_MOV, 0, il_dst_masked(il_dst(IL_REGTYPE_TEMP, temp), 7), 1, &s);
   tr_emit(x->t, IL_OP_MOV, 0, il_dst_masked(il_dst(IL_REGTYPE_TEMP, temp), 8), 1, &level);
   return il_src(IL_REGTYPE_TEMP, temp);
}

static bool
is_const_zero(const nir_def *def)
{
   return def->parent_instr->type == nir_instr_type_load_const &&
          !nir_instr_as_load_const(def->parent_instr)->value[0].u32;
}

/* Fills in immediate offsets; false when they are not constant or too far. */
static bool
immediate_offsets(const struct tex *x, int out[3])
{
   out[0] = out[1] = out[2] = 0;
   if (!x->offset)
      return true;
   if (x->offset->parent_instr->type != nir_instr_type_load_const)
      return false;
   const nir_load_const_instr *lc = nir_instr_as_load_const(x->offset->parent_instr);
   for (unsigned c = 0; c < x->offset->num_components && c < 3; c++) {
      if (lc->value[c].i32 < -8 || lc->value[c].i32 > 7)
         return false;
      out[c] = lc->value[c].i32;
   }
   return true;
}

/* Indices of texture and sampler after the other sources; how many sources there are then. */
static unsigned
append_indices(struct tex *x, unsigned nsrc, struct il_src *src)
{
   if (x->texture_index || x->sampler_index) {
      src[nsrc++] = x->texture_index ? tr_scalar(x->t, x->texture_index, 0) : tr_bits(x->t, 0);
      src[nsrc++] = x->sampler_index ? tr_scalar(x->t, x->sampler_index, 0) : tr_bits(x->t, 0);
   }
   return nsrc;
}

/* An instruction that reads the texture, with its indices among the sources. */
static struct il_inst *
read_into(struct tex *x, enum il_opcode op, struct il_dst dst, unsigned nsrc,
          const struct il_src *src)
{
   const nir_tex_instr *tex = x->tex;
   const struct il_op_info *info = il_op_info(op);
   const bool indexed = x->texture_index || x->sampler_index;
   unsigned ctl = tex->texture_index | (indexed ? 0x1000 : 0);
   if (info->ctl == IL_CTL_SAMPLE)
      ctl |= il_ctl_sampler(tex->sampler_index);
   else if (info->ctl == IL_CTL_INFO)
      ctl |= 0x100; /* integers, not floats */
   struct il_inst *inst = tr_emit(x->t, op, ctl, dst, nsrc, src);
   if (inst && indexed)
      inst->restype = resource_type(tex);
   return inst;
}

static void
emit(struct tex *x, enum il_opcode op, unsigned nsrc, struct il_src *src, uint32_t pri,
     bool offsets)
{
   const nir_tex_instr *tex = x->tex;
   int o[3];
   nsrc = append_indices(x, nsrc, src);
   const struct tr_value *d = tr_define(x->t, &tex->def, true);
   struct il_inst *inst =
      read_into(x, op, tr_dst(d, BITFIELD_MASK(tex->def.num_components)), nsrc, src);
   if (!inst)
      return;
   if (pri)
      il_set_pri(inst, pri);
   if (offsets && immediate_offsets(x, o) && (o[0] | o[1] | o[2]))
      il_set_aoff(inst, o[0] * 2, o[1] * 2, o[2] * 2);
}

static void
sample(struct tex *x)
{
   const nir_tex_instr *tex = x->tex;
   struct translator *t = x->t;
   struct il_src s[6];
   unsigned n = 0;
   int o[3];
   enum il_opcode op;

   if (!immediate_offsets(x, o)) {
      tr_fail(t, "not implemented: a texel offset that is not a small constant");
      return;
   }
   s[n++] = coordinates(x);
   if (x->compare)
      s[n++] = tr_scalar(t, x->compare, 0);
   switch (tex->op) {
   case nir_texop_txb:
      op = x->compare ? IL_OP_SAMPLE_C_B : IL_OP_SAMPLE_B;
      s[n++] = tr_scalar(t, x->bias, 0);
      break;
   case nir_texop_txl:
      if (x->compare && is_const_zero(x->lod)) {
         op = IL_OP_SAMPLE_C_LZ;
         break;
      }
      op = x->compare ? IL_OP_SAMPLE_C_L : IL_OP_SAMPLE_L;
      s[n++] = tr_scalar(t, x->lod, 0);
      break;
   case nir_texop_txd:
      op = x->compare ? IL_OP_SAMPLE_C_G : IL_OP_SAMPLE_G;
      s[n++] = tr_vector(t, x->ddx, x->ddx->num_components);
      s[n++] = tr_vector(t, x->ddy, x->ddy->num_components);
      break;
   default:
      op = x->compare ? IL_OP_SAMPLE_C : IL_OP_SAMPLE;
   }
   emit(x, op, n, s, 0, true);
}

static void
gather(struct tex *x)
{
   struct il_src s[6];
   unsigned n = 0;
   int o[3];
   bool fixed = immediate_offsets(x, o);
   s[n++] = coordinates(x);
   if (x->compare)
      s[n++] = tr_scalar(x->t, x->compare, 0);
   if (!fixed)
      s[n++] = tr_vector(x->t, x->offset, 2);
   emit(x,
        x->compare ? (fixed ? IL_OP_FETCH4_C : IL_OP_FETCH4_PO_C)
                   : (fixed ? IL_OP_FETCH4 : IL_OP_FETCH4_PO),
        n, s, x->compare ? 0 : x->tex->component, fixed);
}

/* Size queries: resinfo gives (w, h, d, levels); a 1D array's layers are in y, as NIR wants them.
 */
static void
size(struct tex *x)
{
   struct il_src s[6];
   if (x->tex->sampler_dim == GLSL_SAMPLER_DIM_BUF) {
      emit(x, IL_OP_BUFINFO, 0, s, 0, false);
      return;
   }
   s[0] = x->lod ? tr_scalar(x->t, x->lod, 0) : tr_bits(x->t, 0);
   emit(x, IL_OP_RESINFO, 1, s, 0, false);
}

static void
levels(struct tex *x)
{
   struct translator *t = x->t;
   struct il_src s[3] = { tr_bits(t, 0) };
   uint32_t temp = tr_temp(t);
   unsigned nsrc = append_indices(x, 1, s);
   read_into(x, IL_OP_RESINFO, il_dst_masked(il_dst(IL_REGTYPE_TEMP, temp), 8), nsrc, s);
   const struct tr_value *d = tr_define(t, &x->tex->def, false);
   struct il_src w = il_replicate(il_src(IL_REGTYPE_TEMP, temp), 3);
   tr_emit(t, IL_OP_MOV, 0, tr_dst(d, 1), 1, &w);
}

void
tr_texture(struct translator *t, const nir_tex_instr *tex)
{
   struct tex x = { .t = t, .tex = tex };
   struct il_src s[6];
   if (!collect(&x))
      return;
   declare(t, tex);
   switch (tex->op) {
   case nir_texop_tex:
   case nir_texop_txb:
   case nir_texop_txl:
   case nir_texop_txd:
      sample(&x);
      break;
   case nir_texop_txf:
   case nir_texop_txf_ms:
      s[0] = load_coordinates(&x);
      emit(&x, IL_OP_LOAD, 1, s, 0, true);
      break;
   case nir_texop_tg4:
      gather(&x);
      break;
   case nir_texop_txs:
      size(&x);
      break;
   case nir_texop_query_levels:
      levels(&x);
      break;
   case nir_texop_texture_samples:
      emit(&x, IL_OP_SAMPLEINFO, 0, s, 0, false);
      break;
   case nir_texop_lod:
      s[0] = coordinates(&x);
      emit(&x, IL_OP_GETLOD, 1, s, 0, false);
      break;
   default:
      tr_fail(t, "not implemented: texture operation %u", tex->op);
   }
}
