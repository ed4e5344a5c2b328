/* SPDX-License-Identifier: MIT */
/*
 * Import of texture fetches, queries of resources and derivatives (7.5, pages 7-68, 7-76 to 7-101).
 *
 *  1. Staging registers are, of these in this order what there is: x, y, z, the layer as an
 *     integer, the reference of a comparison, the offsets, the level or bias, two words of a
 *     gradient.
 *  2. Levels and biases are signed numbers of 8.8 bits, offsets whole texels in bytes; byte 2 is
 *     the sample, byte 3 the level of a fetch.
 *  3. Of a cube, x and y are those of the face; its number takes the upper three bits of x.
 *  4. Coordinates in texels, those of rectangles, are a bit beside the narrow handle.
 *  5. A program may have eight samples with gradients: further ones become a level.  Gradients of a
 *     cube are those of the direction with a major axis of 1, which is what IL has.
 *  6. Queries read the texture's record (table 8 of docs/valhall-chip.rst).
 */
#include "import.h"

#include <string.h>

#define OP(name) VALHALL_OP_##name

#define MAX_GRADIENTS 8u
#define TABLE_SAMPLER 3u
#define TABLE_TEXTURE 4u
#define TABLE_RECORD  8u
#define IN_TEXELS     1u /* coordinates are: of the upper word of a narrow handle */

enum { WIDTH, HEIGHT, LAYERS, LEVELS, SAMPLES }; /* dwords of a record */

struct kind {
   uint16_t il, op;
   bool compare, lod, bias, gradients, zero, offsets;
};

static const struct kind kinds[] = {
   { IL_OP_SAMPLE, OP(TEX_SINGLE), false, false, false, false, false, false },
   { IL_OP_SAMPLE_B, OP(TEX_SINGLE), false, true, true, false, false, false },
   { IL_OP_SAMPLE_L, OP(TEX_SINGLE), false, true, false, false, false, false },
   { IL_OP_SAMPLE_G, OP(TEX_SINGLE), false, false, false, true, false, false },
   { IL_OP_SAMPLE_C, OP(TEX_SINGLE), true, false, false, false, false, false },
   { IL_OP_SAMPLE_C_LZ, OP(TEX_SINGLE), true, false, false, false, true, false },
   { IL_OP_SAMPLE_C_L, OP(TEX_SINGLE), true, true, false, false, false, false },
   { IL_OP_SAMPLE_C_B, OP(TEX_SINGLE), true, true, true, false, false, false },
   { IL_OP_SAMPLE_C_G, OP(TEX_SINGLE), true, false, false, true, false, false },
   { IL_OP_FETCH4, OP(TEX_GATHER), false, false, false, false, false, false },
   { IL_OP_FETCH4_C, OP(TEX_GATHER), true, false, false, false, false, false },
   { IL_OP_FETCH4_PO, OP(TEX_GATHER), false, false, false, false, false, true },
   { IL_OP_FETCH4_PO_C, OP(TEX_GATHER), true, false, false, false, false, true },
   { IL_OP_GETLOD, OP(TEX_GRADIENT), false, false, false, false, false, false },
};

/* --- what a kind of texture has --------------------------------------------------------------- */

static bool
is_cube(unsigned type)
{
   return type == IL_USAGE_PIXTEX_CUBEMAP || type == IL_USAGE_PIXTEX_CUBEMAP_ARRAY;
}

static bool
is_array(unsigned type)
{
   return type == IL_USAGE_PIXTEX_1DARRAY || type == IL_USAGE_PIXTEX_2DARRAY ||
          type == IL_USAGE_PIXTEX_2DARRAYMSAA || type == IL_USAGE_PIXTEX_CUBEMAP_ARRAY;
}

static bool
is_multisampled(unsigned type)
{
   return type == IL_USAGE_PIXTEX_2DMSAA || type == IL_USAGE_PIXTEX_2DARRAYMSAA;
}

/* The axes along which texels lie; of a cube those of a direction. */
static unsigned
axes_of(unsigned type)
{
   switch (type) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_1DARRAY:
   case IL_USAGE_PIXTEX_BUFFER:
      return 1;
   case IL_USAGE_PIXTEX_3D:
   case IL_USAGE_PIXTEX_CUBEMAP:
   case IL_USAGE_PIXTEX_CUBEMAP_ARRAY:
      return 3;
   default:
      return 2;
   }
}

static unsigned
dimension(unsigned type)
{
   if (is_cube(type))
      return VALHALL_DIMENSION_CUBE;
   return VALHALL_DIMENSION_1D + axes_of(type) - 1;
}

/* --- parts of a message ----------------------------------------------------------------------- */

struct fetch {
   unsigned type, resource, sampler;
   bool unnorm, integer, indexed;
   struct vc_operand index[2]; /* of the resource and the sampler */
   struct vc_operand coord[4]; /* as IL has them */
   struct vc_operand words[8]; /* staging registers */
   unsigned count;
};

static void
add(struct fetch *f, struct vc_operand v)
{
   f->words[f->count++] = v;
}

static void
read_numbers(struct vim *im, const struct il_inst *inst, struct fetch *f)
{
   struct shader_code *out = im->c->out;
   unsigned n = il_resource(inst);

   *f = (struct fetch){ .resource = n, .sampler = il_sampler(inst), .indexed = il_indexed(inst) };
   if (il_op_info(inst->op)->ctl != IL_CTL_SAMPLE)
      f->sampler = 0;
   if (n >= 32 || !im->decl.resource[n].declared)
      vim_unsupported(im, "a resource that is not declared");
   f->type = il_texture_type(&im->decl, inst);
   f->unnorm = im->decl.resource[n].unnorm && !is_cube(f->type);
   f->integer = im->decl.resource[n].integer;
   out->textures |= 1u << n;
   if (f->indexed) {
      if (inst->nsrc < 2)
         vim_unsupported(im, "an indexed form without its two indices");
      for (unsigned i = 0; i < 2; i++)
         f->index[i] = vim_bits(im, &inst->src[inst->nsrc - 2 + i], 0);
      out->textures |= ~0u << n; /* any after it */
      out->samplers |= ~0u << f->sampler;
   }
}

static struct vc_operand
handles(struct vim *im, const struct fetch *f, bool texels)
{
   struct vc *c = im->c;
   struct vc_operand words[2] = { vc_bits(TABLE_TEXTURE << 27 | f->resource << 16 |
                                          TABLE_SAMPLER << 11 | f->sampler),
                                  vc_bits(texels ? IN_TEXELS : 0) };
   if (f->indexed) {
      words[0] = vc_add(c, words[0], vc_shl(c, f->index[0], vc_bits(16)));
      words[0] = vc_add(c, words[0], f->index[1]);
   }
   return vc_at(vc_collect(c, 2, words), 0);
}

/* Dword `n` of the texture's record.  The first four come together. */
static struct vc_operand
record(struct vim *im, const struct fetch *f, unsigned n)
{
   struct vc *c = im->c;
   const bool first = n < 4;
   struct vc_inst *inst = vc_new(c, first ? OP(LD_BUFFER_I128) : OP(LD_BUFFER_I32));
   inst->src[0] = vc_bits(first ? 0 : 4 * n);
   inst->src[1] = vc_bits(TABLE_RECORD << 24 | f->resource);
   if (f->indexed)
      inst->src[1] = vc_add(c, f->index[0], inst->src[1]);
   vc_set(inst, VALHALL_MOD_UNSIGNED, 1);
   return vc_word(vc_emit(c, inst, first ? 4 : 1), first ? n : 0);
}

static struct vc_operand
to_float(struct vc *c, struct vc_operand v)
{
   return vc_op1(c, OP(U32_TO_F32), v);
}

/* A float as a number of 8.8 bits. */
static struct vc_operand
fixed_level(struct vc *c, struct vc_operand v)
{
   struct vc_inst *scale = vc_new(c, OP(FMA_F32)), *fixed = vc_new(c, OP(F32_TO_S32));
   scale->src[0] = v;
   scale->src[1] = vc_bits(0x3d800000); /* 1/16: levels are within -16 and 16 */
   scale->src[2] = vc_bits(0x80000000);
   vc_set(scale, VALHALL_MOD_CLAMP, VALHALL_CLAMP_CLAMP_M1_1);
   fixed->src[0] = vc_fmul(c, vc_emit(c, scale, 1), vc_bits(0x45800000));
   vc_set(fixed, VALHALL_MOD_ROUND_MODE, VALHALL_ROUND_MODE_RTE);
   return vc_emit(c, fixed, 1);
}

static struct vc_operand
layer_number(struct vc *c, struct vc_operand v)
{
   struct vc_inst *inst = vc_new(c, OP(F32_TO_U32));
   if (vc_is(v, 0))
      return v;
   inst->src[0] = v;
   vc_set(inst, VALHALL_MOD_ROUND_MODE, VALHALL_ROUND_MODE_RTE);
   return vc_emit(c, inst, 1);
}

/* Where a direction meets its face. */
static void
add_face(struct vim *im, struct fetch *f)
{
   struct vc *c = im->c;
   const struct vc_operand *d = f->coord;
   struct vc_operand most = vc_op3(c, OP(CUBEFACE1), d[0], d[1], d[2]);
   struct vc_operand face = vc_op3(c, OP(CUBEFACE2_V9), d[0], d[1], d[2]);
   struct vc_operand scale = vc_fmul(c, vc_op1(c, OP(FRCP_F32), most), vc_bits(0x3f000000));
   struct vc_operand st[2] = { vc_op3(c, OP(CUBE_SSEL), d[2], d[0], face),
                               vc_op3(c, OP(CUBE_TSEL), d[1], d[2], face) };
   for (unsigned n = 0; n < 2; n++) {
      struct vc_inst *inst = vc_new(c, OP(FMA_F32));
      inst->src[0] = scale;
      inst->src[1] = st[n];
      inst->src[2] = vc_bits(0x3f000000);
      vc_set(inst, VALHALL_MOD_CLAMP, VALHALL_CLAMP_CLAMP_0_1);
      st[n] = vc_emit(c, inst, 1);
   }
   add(f, vc_bfi(c, vc_bits(0x1fffffff), st[0], face));
   add(f, st[1]);
}

/* x, y, z and the layer of a sample. */
static void
add_coordinates(struct vim *im, struct fetch *f)
{
   struct vc *c = im->c;
   unsigned axes = axes_of(f->type);

   switch (f->type) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_2D:
   case IL_USAGE_PIXTEX_3D:
   case IL_USAGE_PIXTEX_CUBEMAP:
   case IL_USAGE_PIXTEX_CUBEMAP_ARRAY:
   case IL_USAGE_PIXTEX_1DARRAY:
   case IL_USAGE_PIXTEX_2DARRAY:
      break;
   default:
      vim_unsupported(im, "a texture that is not sampled");
   }
   if (is_cube(f->type))
      add_face(im, f);
   else
      for (unsigned i = 0; i < axes; i++)
         add(f, f->coord[i]);
   if (is_array(f->type))
      add(f, layer_number(c, f->coord[axes]));
}

/* Offsets of a load, whole texels in bytes. */
static uint32_t
offset_word(const struct il_inst *inst)
{
   uint32_t word = 0;
   for (unsigned i = 0; i < 3; i++)
      word |= (uint32_t)(uint8_t)(il_aoff(inst, i) >> 1) << 8 * i;
   return word;
}

/* Those of a sample: five of their bits count, the first of which is half a texel (7-90). */
static uint32_t
sample_offsets(struct vim *im, const struct il_inst *inst)
{
   uint32_t word = 0;
   for (unsigned i = 0; i < 3; i++) {
      const int offset = ((il_aoff(inst, i) + 16) & 31) - 16;
      if (offset & 1)
         vim_unsupported(im, "an offset of half a texel");
      word |= (uint32_t)(uint8_t)(offset / 2) << 8 * i;
   }
   return word;
}

static struct vc_operand
byte_of(struct vc *c, struct vc_operand v, unsigned byte)
{
   return vc_shl(c, vc_and(c, v, vc_bits(0xff)), vc_bits(8 * byte));
}

/* Two words that say how a sample moves with the pixel. */
static struct vc_operand
gradient_words(struct vim *im, const struct fetch *f, const struct vc_operand g[6])
{
   struct vc *c = im->c;
   struct vc_operand words[6];
   unsigned axes = axes_of(f->type), count = 0;

   for (unsigned d = 0; d < 2; d++)
      for (unsigned i = 0; i < axes; i++)
         words[count++] = g[3 * d + i];
   struct vc_inst *inst = vc_new(c, OP(TEX_GRADIENT));
   inst->memory = VC_READ;
   inst->src[0] = handles(im, f, false);
   inst->staging = vc_collect(c, count, words);
   inst->staged = (uint8_t)count;
   vc_set(inst, VALHALL_MOD_DIMENSION, dimension(f->type));
   vc_set(inst, VALHALL_MOD_REGISTER_TYPE, VALHALL_REGISTER_TYPE_U);
   vc_set(inst, VALHALL_MOD_REGISTER_WIDTH, VALHALL_REGISTER_WIDTH_32);
   vc_set(inst, VALHALL_MOD_WRITE_MASK, VALHALL_WRITE_MASK_RG);
   vc_set(inst, VALHALL_MOD_DERIVATIVE_ENABLE, 1);
   return vc_emit(c, inst, 2);
}

static struct vc_operand
logarithm(struct vc *c, struct vc_operand v)
{
   struct vc_inst *exponent = vc_new(c, OP(FREXPE_F32)), *real = vc_new(c, OP(S32_TO_F32));
   exponent->src[0] = v;
   vc_set(exponent, VALHALL_MOD_LOG, 1);
   real->src[0] = vc_emit(c, exponent, 1);
   return vc_fma(c, vc_op1(c, OP(FLOGD_F32), v),
                 vc_op2(c, OP(FADD_LSCALE_F32), vc_bits(0xbf800000), v), vc_emit(c, real, 1));
}

/* Gradients of a direction along its face: less what moves the direction's point away from it. */
static void
along_face(struct vc *c, const struct fetch *f, const struct vc_operand g[6],
           struct vc_operand result[6])
{
   const struct vc_operand *d = f->coord;
   struct vc_operand most = vc_op3(c, OP(CUBEFACE1), d[0], d[1], d[2]);
   struct vc_operand scale = vc_op1(c, OP(FRCP_F32), most), point[3];
   struct vc_operand face = vc_shr(c, vc_op3(c, OP(CUBEFACE2_V9), d[0], d[1], d[2]), vc_bits(30),
                                   false); /* 0: x, 1: y, 2: z */

   for (unsigned i = 0; i < 3; i++)
      point[i] = vc_fmul(c, d[i], scale);
   for (unsigned n = 0; n < 2; n++) {
      const struct vc_operand *v = &g[3 * n];
      struct vc_operand away[3];
      for (unsigned i = 0; i < 3; i++)
         away[i] = vc_fmul(c, v[i], point[i]); /* of the major axis, which is 1 or -1 */
      struct vc_operand major =
         vc_csel(c, OP(CSEL_U32), VALHALL_CONDITION_EQ, face, vc_bits(1), away[1], away[2]);
      major = vc_csel(c, OP(CSEL_U32), VALHALL_CONDITION_EQ, face, vc_bits(0), away[0], major);
      for (unsigned i = 0; i < 3; i++)
         result[3 * n + i] = vc_fadd(c, v[i], vc_negate(vc_fmul(c, major, point[i])));
   }
}

/* log2 of the longer gradient in texels. */
static struct vc_operand
level_of_gradients(struct vim *im, const struct fetch *f, const struct vc_operand given[6])
{
   struct vc *c = im->c;
   struct vc_operand length[2], scale[3], on_face[6];
   const struct vc_operand *g = given;
   unsigned axes = axes_of(f->type);

   for (unsigned i = 0; i < axes; i++) {
      scale[i] = to_float(c, record(im, f, is_cube(f->type) ? WIDTH : WIDTH + i));
      if (f->unnorm)
         scale[i] = vc_bits(0x3f800000);
   }
   if (is_cube(f->type)) {
      along_face(c, f, given, on_face);
      g = on_face;
      scale[0] = scale[1] = scale[2] = vc_fmul(c, scale[0], vc_bits(0x3f000000));
   }
   for (unsigned d = 0; d < 2; d++) {
      length[d] = vc_bits(0);
      for (unsigned i = 0; i < axes; i++) {
         struct vc_operand texels = vc_fmul(c, g[3 * d + i], scale[i]);
         length[d] = vc_fma(c, texels, texels, length[d]);
      }
   }
   return vc_fmul(c, logarithm(c, vc_op2(c, OP(FMAX_F32), length[0], length[1])),
                  vc_bits(0x3f000000));
}

static struct vc_operand
emit(struct vim *im, const struct fetch *f, struct vc_inst *inst)
{
   struct vc *c = im->c;

   inst->src[0] = handles(im, f, f->unnorm && inst->op != OP(TEX_FETCH));
   inst->staging = vc_collect(c, f->count, f->words);
   inst->staged = (uint8_t)f->count;
   vc_set(inst, VALHALL_MOD_DIMENSION, dimension(f->type));
   vc_set(inst, VALHALL_MOD_REGISTER_TYPE,
          f->integer ? VALHALL_REGISTER_TYPE_U : VALHALL_REGISTER_TYPE_F);
   vc_set(inst, VALHALL_MOD_REGISTER_WIDTH, VALHALL_REGISTER_WIDTH_32);
   if (vc_has(inst->op, VALHALL_MOD_ARRAY_ENABLE))
      vc_set(inst, VALHALL_MOD_ARRAY_ENABLE, is_array(f->type));
   inst->memory = VC_READ;
   return vc_emit(c, inst, vc_get(inst, VALHALL_MOD_WRITE_MASK) == VALHALL_WRITE_MASK_RG ? 2 : 4);
}

/* The level that would be accessed, and lambda. */
static void
get_level(struct vim *im, const struct il_inst *inst, struct fetch *f)
{
   struct vc *c = im->c;
   struct vc_operand r[4];

   add_coordinates(im, f);
   if (is_array(f->type))
      f->count--; /* it has no part in it */
   for (unsigned n = 0; n < 2; n++) {
      struct vc_inst *gradient = vc_new(c, OP(TEX_GRADIENT));
      vc_set(gradient, VALHALL_MOD_WRITE_MASK, VALHALL_WRITE_MASK_RG);
      vc_set(gradient, VALHALL_MOD_FORCE_DELTA_ENABLE, 1);
      vc_set(gradient, VALHALL_MOD_LOD_CLAMP_DISABLE, n);
      struct vc_operand word = emit(im, f, gradient);
      word.select = VALHALL_SWIZZLES_16_BIT_H00;
      r[n] = vc_fmul(c, vc_op1(c, OP(S16_TO_F32), word), vc_bits(0x3b800000));
   }
   r[2] = r[3] = vc_bits(0);
   vim_store(im, &inst->dst[0], r);
}

static void
sample(struct vim *im, const struct il_inst *inst, const struct kind *k)
{
   struct vc *c = im->c;
   unsigned at = 1, mode = il_has_pri(inst) ? inst->pri >> 2 & 3 : IL_TEXCOORDMODE_UNKNOWN;
   struct vc_operand reference = vc_bits(0), level = vc_bits(0), g[6], r[4];
   struct fetch f;

   if (il_lod_bias(inst))
      vim_unsupported(im, "a bias that is added after the level's limits");
   read_numbers(im, inst, &f);
   c->out->samplers |= 1u << f.sampler;
   if (mode != IL_TEXCOORDMODE_UNKNOWN)
      f.unnorm = mode == IL_TEXCOORDMODE_UNNORMALIZED && !is_cube(f.type);
   for (unsigned i = 0; i < 4; i++)
      f.coord[i] = vim_bits(im, &inst->src[0], i);
   if (k->op == OP(TEX_GRADIENT)) {
      get_level(im, inst, &f);
      return;
   }
   if (k->compare)
      reference = vim_bits(im, &inst->src[at++], 0);
   if (k->lod)
      level = vim_src(im, &inst->src[at], 0);
   for (unsigned i = 0; i < 6 && k->gradients; i++)
      g[i] = vim_src(im, &inst->src[at + i / 3], i % 3);
   const uint32_t offsets = k->offsets ? 0 : sample_offsets(im, inst);
   struct vc_inst *message = vc_new(c, k->op);
   add_coordinates(im, &f);
   if (k->compare)
      add(&f, reference);
   vc_set(message, VALHALL_MOD_SHADOW, k->compare);
   if (k->offsets) {
      struct vc_operand word = vc_or(c, byte_of(c, vim_bits(im, &inst->src[at], 0), 0),
                                     byte_of(c, vim_bits(im, &inst->src[at], 1), 1));
      add(&f, word);
   } else if (offsets) {
      add(&f, vc_bits(offsets));
   }
   vc_set(message, VALHALL_MOD_TEXEL_OFFSET, k->offsets || offsets);
   if (k->op == OP(TEX_GATHER)) {
      vc_set(message, VALHALL_MOD_FETCH_COMPONENT, il_gather_comp(inst));
   } else if (k->zero || (k->lod && !k->bias && vc_is(level, 0))) {
      vc_set(message, VALHALL_MOD_LOD_MODE, VALHALL_LOD_MODE_ZERO);
   } else if (k->lod) {
      add(&f, fixed_level(c, level));
      vc_set(message, VALHALL_MOD_LOD_MODE,
             k->bias ? VALHALL_LOD_MODE_COMPUTED_BIAS : VALHALL_LOD_MODE_EXPLICIT);
   } else if (k->gradients && im->num_gradients == MAX_GRADIENTS) {
      add(&f, fixed_level(c, level_of_gradients(im, &f, g)));
      vc_set(message, VALHALL_MOD_LOD_MODE, VALHALL_LOD_MODE_EXPLICIT);
   } else if (k->gradients) {
      im->num_gradients++;
      struct vc_operand words = gradient_words(im, &f, g);
      add(&f, words);
      add(&f, vc_word(words, 1));
      vc_set(message, VALHALL_MOD_LOD_MODE, VALHALL_LOD_MODE_GRDESC);
   } else {
      vc_set(message, VALHALL_MOD_LOD_MODE, VALHALL_LOD_MODE_COMPUTED);
   }
   if (f.count > 7)
      vim_unsupported(im, "a sample of more than seven words");
   struct vc_operand v = emit(im, &f, message);
   for (unsigned i = 0; i < 4; i++)
      r[i] = vc_word(v, i);
   vim_store(im, &inst->dst[0], r);
}

/* --- loads ------------------------------------------------------------------------------------ */

static void
load(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   struct vc_operand r[4], word;
   struct fetch f;

   if (inst->op == IL_OP_LOAD_FPTR)
      vim_unsupported(im, "fragment pointers");
   read_numbers(im, inst, &f);
   if (is_cube(f.type) || f.type == IL_USAGE_PIXTEX_UNKNOWN)
      vim_unsupported(im, "a load from a cube or an unknown kind of texture");
   unsigned axes = axes_of(f.type);
   struct vc_inst *message = vc_new(c, OP(TEX_FETCH));
   for (unsigned i = 0; i < axes + is_array(f.type); i++)
      add(&f, vim_bits(im, &inst->src[0], i));
   if (f.type == IL_USAGE_PIXTEX_BUFFER) {
      f.words[0] = vc_add(c, f.words[0], vc_bits((uint32_t)(il_aoff(inst, 0) >> 1)));
   } else {
      word = vc_umin(c, vim_bits(im, &inst->src[0], 3), vc_bits(255));
      word = vc_shl(c, word, vc_bits(is_multisampled(f.type) ? 16 : 24));
      word = vc_or(c, word, vc_bits(offset_word(inst) & (axes == 3 ? 0xffffff : 0xffff)));
      add(&f, word);
      vc_set(message, VALHALL_MOD_TEXEL_OFFSET, 1);
   }
   struct vc_operand v = emit(im, &f, message);
   for (unsigned i = 0; i < 4; i++)
      r[i] = vc_word(v, i);
   vim_store(im, &inst->dst[0], r);
}

/* --- queries ---------------------------------------------------------------------------------- */

/* What a level has: 0 beyond the last one. */
static struct vc_operand
of_level(struct vim *im, const struct fetch *f, struct vc_operand level, struct vc_operand v)
{
   return vc_csel(im->c, OP(CSEL_U32), VALHALL_CONDITION_LT, level, record(im, f, LEVELS), v,
                  vc_bits(0));
}

static struct vc_operand
side(struct vim *im, const struct fetch *f, unsigned n, struct vc_operand level)
{
   struct vc *c = im->c;
   struct vc_operand one = vc_bits(1), v = vc_shr(c, record(im, f, n), level, false);

   v = vc_csel(c, OP(CSEL_U32), VALHALL_CONDITION_GT, v, one, v, one);
   return of_level(im, f, level, v);
}

/* A sixth. */
static struct vc_operand
cubes(struct vc *c, struct vc_operand faces)
{
   struct vc_inst *inst = vc_new(c, OP(IMULD_U64));
   inst->src[0] = faces;
   inst->src[1] = vc_bits(0xaaaaaaab);
   inst->src[0].select = inst->src[1].select = VALHALL_SWIZZLES_64_BIT_W0;
   return vc_shr(c, vc_word(vc_emit(c, inst, 2), 1), vc_bits(2), false);
}

static void
resinfo(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   struct vc_operand r[4], level = vim_bits(im, &inst->src[0], 0), zero = vc_bits(0);
   struct fetch f;

   read_numbers(im, inst, &f);
   r[1] = r[2] = zero;
   if (f.type == IL_USAGE_PIXTEX_BUFFER) {
      r[0] = vc_choose(c, level, zero, record(im, &f, WIDTH));
      r[3] = vc_bits(1);
   } else {
      unsigned axes = is_cube(f.type) ? 2 : axes_of(f.type);
      for (unsigned i = 0; i < axes; i++)
         r[i] = side(im, &f, WIDTH + i, level);
      if (is_array(f.type)) {
         struct vc_operand layers = record(im, &f, LAYERS);
         if (is_cube(f.type))
            layers = cubes(c, layers);
         r[axes] = r[2] = of_level(im, &f, level, layers); /* of one dimension both y and z */
      }
      r[3] = record(im, &f, LEVELS);
   }
   for (unsigned i = 0; i < 4 && !il_info_uint(inst); i++)
      r[i] = to_float(c, r[i]);
   vim_store(im, &inst->dst[0], r);
}

static void
other_info(struct vim *im, const struct il_inst *inst)
{
   struct vc_operand r[4], zero = vc_bits(0);
   struct fetch f;

   read_numbers(im, inst, &f);
   if (inst->op == IL_OP_BUFINFO) {
      vim_store1(im, &inst->dst[0], record(im, &f, WIDTH));
      return;
   }
   r[0] = is_multisampled(f.type) ? record(im, &f, SAMPLES) : zero;
   if (!il_info_uint(inst))
      r[0] = to_float(im->c, r[0]);
   r[1] = r[2] = r[3] = zero;
   vim_store(im, &inst->dst[0], r);
}

/* --- derivatives ------------------------------------------------------------------------------ */

static struct vc_operand
of_lane(struct vc *c, struct vc_operand v, struct vc_operand lane)
{
   struct vc_inst *inst = vc_new(c, OP(CLPER_I32));
   inst->src[0] = v;
   inst->src[1] = lane;
   inst->src[1].select = VALHALL_LANES_8_BIT_B00;
   vc_set(inst, VALHALL_MOD_SUBGROUP_SIZE, VALHALL_SUBGROUP_SIZE_SUBGROUP4);
   inst->memory = VC_READ; /* which lanes run has a part in it */
   return vc_emit(c, inst, 1);
}

/* The difference along an axis of the quad: the first one's, or if fine the lane's own. */
static struct vc_operand
difference(struct vim *im, struct vc_operand v, unsigned axis, bool fine)
{
   struct vc *c = im->c;
   struct vc_operand first = vc_bits(0), bit = vc_bits(axis ? 2 : 1);

   if (fine)
      first = vc_and(c, vc_special(3, VALHALL_SPECIAL_3_LANE_ID, 0), vc_bits(axis ? 1 : 2));
   struct vc_operand second = vc_or(c, first, bit);
   return vc_fadd(c, of_lane(c, v, second), vc_negate(of_lane(c, v, first)));
}

static void
derivative(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   struct vc_operand r[4];
   unsigned mask = il_dst_mask(&inst->dst[0]);

   for (unsigned i = 0; i < 4; i++) {
      r[i] = vc_bits(0);
      if (!(mask >> i & 1))
         continue;
      struct vc_operand v = vim_bits(im, &inst->src[0], i);
      if (inst->op != IL_OP_FWIDTH) {
         r[i] = difference(im, v, inst->op == IL_OP_DSY, il_fine(inst));
         continue;
      }
      struct vc_operand d[2];
      for (unsigned axis = 0; axis < 2; axis++) {
         d[axis] = difference(im, v, axis, false);
         d[axis].abs = true;
      }
      r[i] = vc_fadd(c, d[0], d[1]);
   }
   vim_store(im, &inst->dst[0], r);
}

bool
vim_texture(struct vim *im, const struct il_inst *inst)
{
   for (unsigned n = 0; n < sizeof(kinds) / sizeof(*kinds); n++) {
      if (kinds[n].il == inst->op) {
         sample(im, inst, &kinds[n]);
         return true;
      }
   }
   switch (inst->op) {
   case IL_OP_LOAD:
   case IL_OP_LOAD_FPTR:
      load(im, inst);
      return true;
   case IL_OP_RESINFO:
      resinfo(im, inst);
      return true;
   case IL_OP_SAMPLEINFO:
   case IL_OP_BUFINFO:
      other_info(im, inst);
      return true;
   case IL_OP_DSX:
   case IL_OP_DSY:
   case IL_OP_FWIDTH:
      derivative(im, inst);
      return true;
   default:
      return false;
   }
}
