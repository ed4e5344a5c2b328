/* SPDX-License-Identifier: MIT */
/*
 * Import of texture and derivative instructions (HD 6900 ISA 8.3, 9.4).
 *
 * Coordinates in the hardware's components: the array layer in z, rounded to nearest even and
 * marked unnormalised; the compare reference in w, or in z with an explicit LOD or bias: those are
 * in w.
 * Cube maps: CUBE gives (t, s, 2 * major axis, face); the coordinates are (s, t) / |2 major| + 1.5
 * and the layer is face + 8 * cube.
 */
#include "import.h"

#include <string.h>

/*
 * An `_ext` instruction adds an index to the numbers of its resource and sampler.  Both are the
 * same index, which goes to CF_IDX0, or constants.
 */
void
im_index_fetch(struct importer *im, const struct il_inst *inst, struct inst *fetch, unsigned last)
{
   struct fetch_op *f = &fetch->fetch[last];
   bool tex = f->proto.kind == CAYMAN_FETCH_TEX;

   if (!il_indexed(inst) || inst->nsrc < 2)
      return;
   struct cc_operand resource = im->resource_index, sampler = im->sampler_index;
   if (resource.kind == OPERAND_VALUE) {
      fetch->ar = resource.value;
      if (tex)
         f->proto.tex.resource_index_mode = CAYMAN_CF_INDEX_0;
      else
         f->proto.vtx.buffer_index_mode = CAYMAN_CF_INDEX_0;
   } else if (tex) {
      f->proto.tex.resource_id += resource.value;
   } else {
      f->proto.vtx.buffer_id += resource.value;
   }
   if (!tex)
      return;
   if (sampler.kind == OPERAND_CONST)
      f->proto.tex.sampler_id += sampler.value & 15;
   else if (op_same(&sampler, &resource))
      f->proto.tex.sampler_index_mode = CAYMAN_CF_INDEX_0;
   else
      im_unsupported(im, "indices of resource and sampler that differ");
}

/* Reads the indices once, for all fetches of the instruction. */
void
im_read_indices(struct importer *im, const struct il_inst *inst)
{
   im->resource_index = im->sampler_index = op_const(0);
   if (!il_indexed(inst) || inst->nsrc < 2)
      return;
   struct cc_operand *index[2] = { &im->resource_index, &im->sampler_index };
   for (unsigned i = 0; i < 2; i++) {
      *index[i] = im_plain(im, im_src(im, &inst->src[inst->nsrc - 2 + i], 0));
      if (i && op_same(index[0], index[1]))
         break;
      if (index[i]->kind == OPERAND_CONST && index[i]->value > 31)
         im_unsupported(im, "index of a texture");
   }
   if (im->resource_index.kind != OPERAND_CONST) {
      bool same = op_same(&im->resource_index, &im->sampler_index);
      im->resource_index = op_value(cc_mov(im->c, 0, im->resource_index));
      im->sampler_index = same ? im->resource_index : im->sampler_index;
   }
   /* Any of those that are declared may be meant. */
   for (unsigned n = il_resource(inst); n < 32; n++) {
      if (im->decl.resource[n].declared) {
         im->c->out->textures |= 1u << n;
         im->c->out->samplers |= 1u << n;
      }
   }
}

/* Whether coordinates count texels: as the instruction says, or the declaration. */
static bool
counts_texels(const struct importer *im, const struct il_inst *inst)
{
   unsigned mode = il_has_pri(inst) && il_op_info(inst->op)->ctl == IL_CTL_SAMPLE
                      ? inst->pri >> 2 & 3
                      : IL_TEXCOORDMODE_UNKNOWN;
   return mode == IL_TEXCOORDMODE_UNKNOWN ? im->decl.resource[il_resource(inst) & 31].unnorm
                                          : mode == IL_TEXCOORDMODE_UNNORMALIZED;
}

struct coords {
   struct cc_operand c[4];
   struct cc_operand face;       /* of a cube: 0.0 to 5.0 */
   struct cc_operand over_major; /* of a cube: 1 / |2 major axis| */
   unsigned unnorm;              /* bit per component */
   bool is_cube;
   bool z_used;
};

struct inst *
im_new_fetch(struct importer *im, unsigned count)
{
   struct compiler *c = im->c;
   struct inst *inst = cc_inst(c, INST_FETCH);

   inst->num_fetches = count;
   inst->fetch = cc_alloc(c, sizeof(*inst->fetch) * count);
   cc_append(c, cc_block(c), inst);
   return inst;
}

/* A fetch source must be a value or the constant 0 or 1.0. */
static struct cc_operand
fetch_src(struct importer *im, struct cc_operand o)
{
   if (o.kind == OPERAND_NONE)
      return op_const(0);
   if (o.kind == OPERAND_CONST && (o.value == 0 || o.value == 0x3f800000))
      return o;
   if (o.kind == OPERAND_VALUE && !o.neg && !o.abs)
      return o;
   return op_value(cc_mov(im->c, 0, o));
}

void
im_init_tex(struct importer *im, struct fetch_op *f, unsigned op, unsigned resource,
            unsigned sampler)
{
   struct cayman_tex *t = &f->proto.tex;

   f->proto.kind = CAYMAN_FETCH_TEX;
   t->op = op;
   t->resource_id = CAYMAN_RESOURCE_TEXTURE + resource;
   t->sampler_id = sampler;
   t->coord_type = 15;
   im->c->out->num_fetches++;
}

void
im_fetch_results(struct importer *im, struct inst *inst, struct fetch_op *f, unsigned mask,
                 struct cc_operand result[4])
{
   for (unsigned i = 0; i < 4; i++) {
      result[i] = op_const(0);
      if (mask >> i & 1) {
         f->dst[i] = cc_value(im->c);
         im->c->values[f->dst[i]].def = inst;
         result[i] = op_value(f->dst[i]);
      }
   }
}

/* A constant, if arithmetic on it meets neither denormals nor infinities. */
static bool
tame_constant(const struct cc_operand *o, float *f)
{
   if (o->kind != OPERAND_CONST)
      return false;
   const uint32_t bits = (o->abs ? o->value & 0x7fffffff : o->value) ^ (o->neg ? 0x80000000u : 0);
   memcpy(f, &bits, sizeof(*f));
   return *f == 0 || (*f > -1e10f && *f < -1e-10f) || (*f > 1e-10f && *f < 1e10f);
}

/* What CUBE and the operations after it make of a direction that is a constant: each rounds as C's
 * does. */
static bool
constant_cube(const struct cc_operand direction[3], struct coords *co)
{
   float v[3], s, t, major, face;

   for (unsigned i = 0; i < 3; i++)
      if (!tame_constant(&direction[i], &v[i]))
         return false;
   const float x = v[0], y = v[1], z = v[2];
   const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, az = z < 0 ? -z : z;
   if (az >= ax && az >= ay) {
      s = z < 0 ? -x : x;
      t = -y;
      major = az;
      face = z < 0 ? 5.0f : 4.0f;
   } else if (ay >= ax) {
      s = x;
      t = y < 0 ? -z : z;
      major = ay;
      face = y < 0 ? 3.0f : 2.0f;
   } else {
      s = x < 0 ? z : -z;
      t = -y;
      major = ax;
      face = x < 0 ? 1.0f : 0.0f;
   }
   if (major == 0)
      return false;
   const float inverse = 1.0f / (2.0f * major);
   const float over_s = s * inverse, over_t = t * inverse; /* no sum of it is contracted */
   co->over_major = op_float(inverse);
   co->c[0] = op_float(over_s + 1.5f);
   co->c[1] = op_float(over_t + 1.5f);
   co->c[2] = co->face = op_float(face);
   return true;
}

static void
computed_cube(struct importer *im, const struct cc_operand s[3], struct coords *co)
{
   static const uint8_t src0[4] = { 2, 2, 0, 1 }, src1[4] = { 1, 0, 2, 2 };
   struct compiler *c = im->c;
   value_id v[4];

   struct inst *cube = cc_alu_inst(c, SHAPE_FIXED, 4);
   for (unsigned i = 0; i < 4; i++) {
      v[i] = cc_value(c);
      c->values[v[i]].def = cube;
      cc_pin(c, v[i], i);
      cube->lane[i].op = CAYMAN_ALU_CUBE;
      cube->lane[i].slot = i;
      cube->lane[i].dst = v[i];
      cube->lane[i].src[0] = s[src0[i]];
      cube->lane[i].src[1] = s[src1[i]];
   }
   struct cc_operand inv = op_value(im_emit1(im, CAYMAN_ALU_RECIP_IEEE, op_abs(op_value(v[2]))));
   co->over_major = inv;
   co->c[0] = op_value(im_emit3(im, CAYMAN_ALU_MULADD_IEEE, op_value(v[1]), inv, op_float(1.5f)));
   co->c[1] = op_value(im_emit3(im, CAYMAN_ALU_MULADD_IEEE, op_value(v[0]), inv, op_float(1.5f)));
   co->c[2] = co->face = op_value(v[3]);
}

static void
cube_coords(struct importer *im, const struct il_inst *inst, bool array, bool layer,
            struct coords *co)
{
   struct cc_operand s[3];

   for (unsigned i = 0; i < 3; i++)
      s[i] = im_src(im, &inst->src[0], i);
   if (!constant_cube(s, co))
      computed_cube(im, s, co);
   if (array && layer) {
      struct cc_operand slice =
         op_value(im_emit1(im, CAYMAN_ALU_RNDNE, im_src(im, &inst->src[0], 3)));
      slice = op_value(im_emit2(im, CAYMAN_ALU_MAX_DX10, slice, op_float(0)));
      /* More than fit: 8 times a larger one would lose the face in the texture unit's limit. */
      slice = op_value(im_emit2(im, CAYMAN_ALU_MIN_DX10, slice, op_float(2048)));
      co->c[2] = op_value(im_emit3(im, CAYMAN_ALU_MULADD_IEEE, slice, op_float(8), co->face));
   }
   co->unnorm |= 4;
   co->is_cube = co->z_used = true;
}

static struct cc_operand
layer_coord(struct importer *im, struct cc_operand layer)
{
   return op_value(im_emit1(im, CAYMAN_ALU_RNDNE, layer));
}

static void
sample_coords(struct importer *im, const struct il_inst *inst, struct coords *co, bool layer)
{
   const struct il_src *src = &inst->src[0];
   unsigned axes = 0; /* along which texels lie */

   memset(co, 0, sizeof(*co));
   if (il_resource(inst) >= 32 || !im->decl.resource[il_resource(inst)].declared)
      im_unsupported(im, "texture that is not declared");
   switch (il_texture_type(&im->decl, inst)) {
   case IL_USAGE_PIXTEX_1D:
      axes = 1;
      break;
   case IL_USAGE_PIXTEX_2D:
      axes = 2;
      break;
   case IL_USAGE_PIXTEX_3D:
      axes = 3;
      co->z_used = true;
      break;
   case IL_USAGE_PIXTEX_1DARRAY:
   case IL_USAGE_PIXTEX_2DARRAY:
      axes = il_texture_type(&im->decl, inst) == IL_USAGE_PIXTEX_1DARRAY ? 1 : 2;
      if (layer) {
         co->c[2] = layer_coord(im, im_src(im, src, axes));
         co->unnorm = 4;
         co->z_used = true;
      }
      break;
   case IL_USAGE_PIXTEX_CUBEMAP:
      cube_coords(im, inst, false, layer, co);
      break;
   case IL_USAGE_PIXTEX_CUBEMAP_ARRAY:
      cube_coords(im, inst, true, layer, co);
      break;
   default:
      im_unsupported(im, "texture type");
   }
   for (unsigned i = 0; i < axes; i++)
      co->c[i] = im_src(im, src, i);
   if (counts_texels(im, inst))
      co->unnorm |= (1u << axes) - 1;
}

static void
finish_tex(struct importer *im, struct fetch_op *f, const struct coords *co,
           const struct il_inst *inst)
{
   for (unsigned i = 0; i < 4; i++)
      f->src[i] = co->c[i];
   f->proto.tex.coord_type = 15 & ~co->unnorm;
   f->proto.tex.lod_bias = il_lod_bias(inst);
   if (il_has_aoff(inst)) {
      for (unsigned i = 0; i < 3; i++) {
         /* Five bits of the eight; the hardware has no more, and IL ignores them then. */
         f->proto.tex.offset[i] = ((il_aoff(inst, i) + 16) & 31) - 16;
      }
   }
}

static void
gradient(struct importer *im, struct fetch_op *f, unsigned op, const struct coords *co,
         struct cc_operand g[3], const struct il_inst *inst)
{
   im_init_tex(im, f, op, il_resource(inst), il_sampler(inst));
   for (unsigned i = 0; i < 3; i++)
      f->src[i] = g[i];
   f->src[3] = op_const(0);
   if (co->unnorm & 3)
      f->proto.tex.coord_type = 15 & ~3;
}

/* How many gradient components the texture has. */
static unsigned
dimensions(unsigned type)
{
   switch (type) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_1DARRAY:
      return 1;
   case IL_USAGE_PIXTEX_2D:
   case IL_USAGE_PIXTEX_2DARRAY:
      return 2;
   default:
      return 3;
   }
}

static void
read_gradient(struct importer *im, const struct il_src *src, unsigned type, bool cube,
              struct cc_operand g[3])
{
   for (unsigned i = 0; i < 3; i++) {
      g[i] = i < dimensions(type) ? im_src(im, src, i) : op_const(0);
      if (cube)
         g[i] = op_value(im_emit2(im, CAYMAN_ALU_MUL_IEEE, g[i], op_float(0.5f)));
      g[i] = fetch_src(im, g[i]);
   }
}

/*
 * A shadow sample of an array or cube with LOD or bias: reference, layer and LOD do not fit beside
 * each other.  It becomes one with gradients, those of a bias here: the quad's own times 2^bias. 
 * Of a cube they are those of half the direction with a major axis of 1.
 */
static void
gradients_for_bias(struct importer *im, const struct il_inst *inst, unsigned type,
                   const struct coords *co, struct cc_operand bias, struct cc_operand g[2][3])
{
   struct cc_operand scale = op_value(im_emit1(im, CAYMAN_ALU_EXP_IEEE, bias));
   unsigned n = dimensions(type);
   struct cc_operand src[4];

   for (unsigned i = 0; i < 4; i++)
      src[i] = i < n ? fetch_src(im, im_src(im, &inst->src[0], i)) : op_const(0);
   for (unsigned v = 0; v < 2; v++) {
      struct inst *fetch = im_new_fetch(im, 1);
      struct cc_operand own[4];
      im_init_tex(im, &fetch->fetch[0], v ? CAYMAN_TEX_GET_GRADIENTS_V : CAYMAN_TEX_GET_GRADIENTS_H,
                  0, 0);
      fetch->fetch[0].proto.tex.resource_id = 0;
      fetch->fetch[0].proto.tex.coord_type = 0;
      memcpy(fetch->fetch[0].src, src, sizeof(src));
      im_fetch_results(im, fetch, &fetch->fetch[0], (1u << n) - 1, own);
      for (unsigned i = 0; i < 3; i++) {
         g[v][i] = op_const(0);
         if (i < n) {
            g[v][i] = op_value(im_emit2(im, CAYMAN_ALU_MUL_IEEE, own[i], scale));
            if (co->is_cube)
               g[v][i] = op_value(im_emit2(im, CAYMAN_ALU_MUL_IEEE, g[v][i], co->over_major));
         }
      }
   }
}

/*
 * Those of a LOD: both are a step of 2^lod texels along x, so that the footprint is as long as it
 * is wide.  Of a cube it lies in the plane of the face, along y on faces 0 and 1, those of the x
 * axis; gradients are of half the direction there, as a face's own coordinates, 0 to 1, are.
 */
static void
gradients_for_lod(struct importer *im, const struct il_inst *inst, const struct coords *co,
                  struct cc_operand lod, struct cc_operand g[2][3])
{
   struct cc_operand step = op_value(im_emit1(im, CAYMAN_ALU_EXP_IEEE, lod)), zero = op_const(0);
   struct cc_operand size[4];

   if (!(co->unnorm & 1)) {
      struct inst *fetch = im_new_fetch(im, 1);
      im_init_tex(im, &fetch->fetch[0], CAYMAN_TEX_GET_TEXTURE_RESINFO, il_resource(inst), 0);
      im_index_fetch(im, inst, fetch, 0);
      fetch->fetch[0].proto.tex.coord_type = 0;
      for (unsigned i = 0; i < 4; i++)
         fetch->fetch[0].src[i] = zero;
      im_fetch_results(im, fetch, &fetch->fetch[0], 1, size);
      struct cc_operand texel = op_value(im_emit1(
         im, CAYMAN_ALU_RECIP_IEEE, op_value(im_emit1(im, CAYMAN_ALU_UINT_TO_FLT, size[0]))));
      step = op_value(im_emit2(im, CAYMAN_ALU_MUL_IEEE, texel, step));
   }
   g[0][0] = step;
   g[0][1] = g[0][2] = zero;
   if (co->is_cube) {
      struct cc_operand not_x = E2(ADD, co->face, op_float(-2));
      g[0][0] = E3(CNDGE, not_x, step, zero);
      g[0][1] = E3(CNDGE, not_x, zero, step);
   }
   memcpy(g[1], g[0], sizeof(g[1]));
}

/*
 * Of integer formats GATHER4 takes the texel that is nearest and those after it, not the four that
 * bilinear filtering would weigh: the coordinates are moved by half a texel.
 */
static void
move_half_texel(struct importer *im, const struct il_inst *inst, struct coords *co)
{
   struct cc_operand size[4];

   if (!(co->unnorm & 3)) {
      struct inst *fetch = im_new_fetch(im, 1);
      im_init_tex(im, &fetch->fetch[0], CAYMAN_TEX_GET_TEXTURE_RESINFO, il_resource(inst), 0);
      im_index_fetch(im, inst, fetch, 0);
      fetch->fetch[0].proto.tex.coord_type = 0;
      for (unsigned i = 0; i < 4; i++)
         fetch->fetch[0].src[i] = op_const(0);
      im_fetch_results(im, fetch, &fetch->fetch[0], 3, size);
   }
   for (unsigned i = 0; i < 2; i++) {
      if (co->unnorm & 3) {
         co->c[i] = op_value(im_emit2(im, CAYMAN_ALU_ADD, co->c[i], op_float(-0.5f)));
      } else {
         struct cc_operand texel = op_value(im_emit1(
            im, CAYMAN_ALU_RECIP_IEEE, op_value(im_emit1(im, CAYMAN_ALU_UINT_TO_FLT, size[i]))));
         co->c[i] =
            op_value(im_emit3(im, CAYMAN_ALU_MULADD_IEEE, texel, op_float(-0.5f), co->c[i]));
      }
   }
}

struct sample_kind {
   uint16_t il;
   uint8_t op;
   int8_t compare, lod, grad; /* which source, -1: none */
   bool gather;
};

static const struct sample_kind kinds[] = {
   { IL_OP_SAMPLE, CAYMAN_TEX_SAMPLE, -1, -1, -1, false },
   { IL_OP_SAMPLE_B, CAYMAN_TEX_SAMPLE_LB, -1, 1, -1, false },
   { IL_OP_SAMPLE_L, CAYMAN_TEX_SAMPLE_L, -1, 1, -1, false },
   { IL_OP_SAMPLE_G, CAYMAN_TEX_SAMPLE_G, -1, -1, 1, false },
   { IL_OP_SAMPLE_C, CAYMAN_TEX_SAMPLE_C, 1, -1, -1, false },
   { IL_OP_SAMPLE_C_LZ, CAYMAN_TEX_SAMPLE_C_LZ, 1, -1, -1, false },
   { IL_OP_SAMPLE_C_L, CAYMAN_TEX_SAMPLE_C_L, 1, 2, -1, false },
   { IL_OP_SAMPLE_C_B, CAYMAN_TEX_SAMPLE_C_LB, 1, 2, -1, false },
   { IL_OP_SAMPLE_C_G, CAYMAN_TEX_SAMPLE_C_G, 1, -1, 2, false },
   { IL_OP_FETCH4, CAYMAN_TEX_GATHER4, -1, -1, -1, true },
   { IL_OP_FETCH4_C, CAYMAN_TEX_GATHER4_C, 1, -1, -1, true },
   { IL_OP_FETCH4_PO, CAYMAN_TEX_GATHER4_O, -1, -1, -1, true },
   { IL_OP_FETCH4_PO_C, CAYMAN_TEX_GATHER4_C_O, 1, -1, -1, true },
   { IL_OP_GETLOD, CAYMAN_TEX_GET_LOD, -1, -1, -1, false },
};

/* What sampling instructions give, before it is stored; false: not one of these. */
static bool
sample_values(struct importer *im, const struct il_inst *inst, unsigned mask,
              struct cc_operand result[4])
{
   const struct sample_kind *k = NULL;
   struct cc_operand g[2][3], offsets[3];
   struct coords co;
   unsigned count = 1;

   for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
      if (kinds[i].il == inst->op)
         k = &kinds[i];
   if (!k)
      return false;
   im_read_indices(im, inst);
   sample_coords(im, inst, &co, inst->op != IL_OP_GETLOD);
   unsigned type = il_texture_type(&im->decl, inst);

   if (k->gather && im->decl.resource[il_resource(inst)].integer)
      move_half_texel(im, inst, &co);
   bool from_lod = k->lod >= 0 && k->compare >= 0 && co.z_used;
   if (k->lod >= 0 && !from_lod) {
      co.c[3] = im_src(im, &inst->src[k->lod], 0);
      if (k->compare >= 0)
         co.c[2] = im_src(im, &inst->src[k->compare], 0);
   } else if (k->compare >= 0) {
      co.c[3] = im_src(im, &inst->src[k->compare], 0);
   }
   for (unsigned i = 0; i < 4; i++)
      co.c[i] = fetch_src(im, co.c[i]);

   bool offsets_var = inst->op == IL_OP_FETCH4_PO || inst->op == IL_OP_FETCH4_PO_C;
   if (k->grad >= 0) {
      read_gradient(im, &inst->src[k->grad], type, co.is_cube, g[0]);
      read_gradient(im, &inst->src[k->grad + 1], type, co.is_cube, g[1]);
      count = 3;
   } else if (from_lod) {
      struct cc_operand lod = im_src(im, &inst->src[k->lod], 0);
      if (inst->op == IL_OP_SAMPLE_C_B)
         gradients_for_bias(im, inst, type, &co, lod, g);
      else
         gradients_for_lod(im, inst, &co, lod, g);
      count = 3;
   } else if (offsets_var) {
      for (unsigned i = 0; i < 3; i++) {
         const struct il_src *src = &inst->src[il_op_info(inst->op)->srcs - 1];
         offsets[i] = i < 2 ? fetch_src(im, im_plain(im, im_src(im, src, i))) : op_const(0);
      }
      count = 2;
   }

   struct inst *fetch = im_new_fetch(im, count);
   struct fetch_op *f = &fetch->fetch[count - 1];
   im_init_tex(im, f, from_lod ? CAYMAN_TEX_SAMPLE_C_G : k->op, il_resource(inst),
               il_sampler(inst));
   finish_tex(im, f, &co, inst);
   im_index_fetch(im, inst, fetch, count - 1);
   if (k->gather)
      f->proto.tex.inst_mod = il_gather_comp(inst);
   if (count == 3) {
      gradient(im, &fetch->fetch[0], CAYMAN_TEX_SET_GRADIENTS_H, &co, g[0], inst);
      gradient(im, &fetch->fetch[1], CAYMAN_TEX_SET_GRADIENTS_V, &co, g[1], inst);
   } else if (offsets_var) {
      gradient(im, &fetch->fetch[0], CAYMAN_TEX_SET_TEXTURE_OFFSETS, &co, offsets, inst);
   }
   im->c->out->textures |= 1u << il_resource(inst);
   im->c->out->samplers |= 1u << il_sampler(inst);
   if (inst->op == IL_OP_GETLOD) {
      /* IL: x is the level that is accessed, y lambda; the hardware answers them the other way
       * round, whatever the ISA guide says. */
      mask = (mask & 1) << 1 | (mask >> 1 & 1);
   }
   im_fetch_results(im, fetch, f, mask, result);
   if (inst->op == IL_OP_GETLOD) {
      struct cc_operand lambda = result[0];
      result[0] = result[1];
      result[1] = lambda;
   }
   return true;
}

struct inst *
im_texel_fetch(struct importer *im, unsigned n, const struct cc_operand at[4])
{
   struct cc_operand s[4];

   for (unsigned i = 0; i < 4; i++) {
      s[i] = fetch_src(im, at[i].kind == OPERAND_NONE ? at[i] : im_plain(im, at[i]));
      if (s[i].kind == OPERAND_CONST && s[i].value)
         s[i] = op_value(cc_mov(im->c, 0, s[i])); /* 1.0f is no integer to be */
   }
   struct inst *fetch = im_new_fetch(im, 1);
   struct fetch_op *f = &fetch->fetch[0];

   im_init_tex(im, f, CAYMAN_TEX_LD, n, 0);
   f->proto.tex.coord_type = 0;
   memcpy(f->src, s, sizeof(s));
   return fetch;
}

static void
load_values(struct importer *im, const struct il_inst *inst, unsigned mask,
            struct cc_operand result[4])
{
   struct compiler *c = im->c;
   unsigned n = il_resource(inst);
   struct cc_operand s[4];

   if (n >= 32 || !im->decl.resource[n].declared)
      im_unsupported(im, "texture that is not declared");
   im_read_indices(im, inst);
   for (unsigned i = 0; i < 4; i++)
      s[i] = op_none();
   unsigned type = il_texture_type(&im->decl, inst);
   c->out->textures |= 1u << n;
   s[0] = im_src(im, &inst->src[0], 0);
   if (type == IL_USAGE_PIXTEX_BUFFER) {
      struct cc_operand index = im_plain(im, s[0]);
      if (il_aoff(inst, 0) >> 1)
         index = E2(ADD_INT, index, op_const((uint32_t)(il_aoff(inst, 0) >> 1)));
      if (index.kind != OPERAND_VALUE)
         index = op_value(cc_mov(c, 0, index));
      struct inst *fetch =
         im_buffer_fetch(im, CAYMAN_RESOURCE_TEXTURE + n, index, true, CAYMAN_VTX_FETCH);
      im_index_fetch(im, inst, fetch, 0);
      im_fetch_results(im, fetch, &fetch->fetch[0], mask, result);
      return;
   }

   unsigned layer = 0; /* source component of the layer or depth, for z */
   switch (type) {
   case IL_USAGE_PIXTEX_1D:
      break;
   case IL_USAGE_PIXTEX_1DARRAY:
      layer = 1;
      break;
   case IL_USAGE_PIXTEX_2D:
   case IL_USAGE_PIXTEX_2DMSAA:
      s[1] = im_src(im, &inst->src[0], 1);
      break;
   default:
      s[1] = im_src(im, &inst->src[0], 1);
      layer = 2;
      break;
   }
   if (layer)
      s[2] = im_src(im, &inst->src[0], layer);
   s[3] = im_src(im, &inst->src[0], 3);
   /* Not along the layers. */
   unsigned axes = type == IL_USAGE_PIXTEX_3D                 ? 3
                   : layer == 1 || type == IL_USAGE_PIXTEX_1D ? 1
                                                              : 2;
   for (unsigned i = 0; i < axes; i++) {
      int offset = il_aoff(inst, i) >> 1; /* whole texels */
      if (offset)
         s[i] = op_value(im_emit2(im, CAYMAN_ALU_ADD_INT, s[i], op_const((uint32_t)offset)));
   }
   struct inst *fetch = im_texel_fetch(im, n, s);
   struct fetch_op *f = &fetch->fetch[0];
   im_index_fetch(im, inst, fetch, 0);
   f->proto.tex.inst_mod =
      inst->op == IL_OP_LOAD_FPTR; /* the samples' fragments, not the samples */
   im_fetch_results(im, fetch, f, mask, result);
}

/* Four bits for each sample of a texel: where it is stored.  All components get them. */
static void
load_pointers(struct importer *im, const struct il_inst *inst, struct cc_operand result[4])
{
   unsigned n = il_resource(inst);

   unsigned type = il_texture_type(&im->decl, inst);
   if (n >= 32 || (type != IL_USAGE_PIXTEX_2DMSAA && type != IL_USAGE_PIXTEX_2DARRAYMSAA))
      im_unsupported(im, "fragment pointers of a texture without several samples");
   load_values(im, inst, 1, result);
   result[1] = result[2] = result[3] = result[0];
}

static void
gradients(struct importer *im, unsigned op, bool fine, const struct il_src *from, unsigned mask,
          struct cc_operand result[4])
{
   struct cc_operand src[4];

   for (unsigned i = 0; i < 4; i++) {
      src[i] = op_const(0);
      if (mask >> i & 1)
         src[i] = fetch_src(im, im_src(im, from, i));
   }
   struct inst *fetch = im_new_fetch(im, 1);
   struct fetch_op *f = &fetch->fetch[0];
   im_init_tex(im, f, op, 0, 0);
   f->proto.tex.resource_id = 0;
   f->proto.tex.coord_type = 0;
   f->proto.tex.inst_mod = fine;
   for (unsigned i = 0; i < 4; i++)
      f->src[i] = src[i];
   im_fetch_results(im, fetch, f, mask, result);
}

static void
derivative(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand result[4];

   gradients(im, inst->op == IL_OP_DSX ? CAYMAN_TEX_GET_GRADIENTS_H : CAYMAN_TEX_GET_GRADIENTS_V,
             il_fine(inst), &inst->src[0], il_dst_mask(&inst->dst[0]), result);
   im_store(im, &inst->dst[0], result);
}

/* |d/dx| + |d/dy| */
static void
width(struct importer *im, const struct il_inst *inst)
{
   unsigned mask = il_dst_mask(&inst->dst[0]);
   struct cc_operand slope[2][4], result[4];

   for (unsigned axis = 0; axis < 2; axis++) {
      gradients(im, axis ? CAYMAN_TEX_GET_GRADIENTS_V : CAYMAN_TEX_GET_GRADIENTS_H, 0,
                &inst->src[0], mask, slope[axis]);
   }
   for (unsigned i = 0; i < 4; i++)
      result[i] = mask >> i & 1 ? E2(ADD, op_abs(slope[0][i]), op_abs(slope[1][i])) : op_const(0);
   im_store(im, &inst->dst[0], result);
}

void
im_gradient(struct importer *im, unsigned axis, const value_id of[2], struct cc_operand result[4])
{
   struct inst *fetch = im_new_fetch(im, 1);
   struct fetch_op *f = &fetch->fetch[0];

   im_init_tex(im, f, axis ? CAYMAN_TEX_GET_GRADIENTS_V : CAYMAN_TEX_GET_GRADIENTS_H, 0, 0);
   f->proto.tex.resource_id = 0;
   f->proto.tex.coord_type = 0;
   for (unsigned i = 0; i < 4; i++)
      f->src[i] = i < 2 ? op_value(of[i]) : op_const(0);
   im_fetch_results(im, fetch, f, 3, result);
}

bool
im_fetch(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand result[4];

   if (inst->ndst == 1 && sample_values(im, inst, il_dst_mask(&inst->dst[0]), result)) {
      im_store(im, &inst->dst[0], result);
      return true;
   }
   switch (inst->op) {
   case IL_OP_LOAD:
      load_values(im, inst, il_dst_mask(&inst->dst[0]), result);
      im_store(im, &inst->dst[0], result);
      return true;
   case IL_OP_LOAD_FPTR:
      load_pointers(im, inst, result);
      im_store(im, &inst->dst[0], result);
      return true;
   case IL_OP_RESINFO:
   case IL_OP_BUFINFO:
   case IL_OP_SAMPLEINFO:
      im_info(im, inst);
      return true;
   case IL_OP_DSX:
   case IL_OP_DSY:
      derivative(im, inst);
      return true;
   case IL_OP_FWIDTH:
      width(im, inst);
      return true;
   default:
      return false;
   }
}
