/* SPDX-License-Identifier: MIT */
/*
 * Texture fetches and queries of resources (7.5, pages 7-68, 7-76 to 7-101): operands as the
 * document has them become what the device's texture unit takes, which then does the rest.
 *
 *  1. The layer of an array is rounded to nearest even; it is z for the texture unit, wherever IL
 *     has it.  Coordinates of a cube are those of its face (cube() below).
 *  2. The reference of a compare is w; with a LOD or bias, which is w then, it is z.  Where z is a
 *     layer or a face, the LOD becomes gradients of 2^lod texels, a bias those of the quad times
 *     2^bias.
 *  3. Offsets are signed, with one fraction bit; of their eight bits the hardware has five, and
 *     ignores those above (7-90).  LOAD adds whole texels, and of a register's offsets
 *     (FETCH4_PO) the texture unit takes six bits.
 *  4. Indexed forms add an index to both numbers, that of the first active lane for the whole wave.
 *  5. Queries give 0 for what a kind of texture has not: the height of one dimension, the depth of
 *     two, of a single cube and of a buffer.
 */
#include "direct/lift.h"

#include "port/state.h"

#include <string.h>

/* A texture instruction with values as operands. */
struct sampling {
   uint16_t op; /* SAMPLE and its kind */
   uint8_t resource, sampler;
   uint8_t type; /* enum il_pixtex */
   bool unnorm, integer;
   uint8_t inst_mod;
   int8_t offset[3]; /* half texels */
   int8_t lod_bias;  /* four fraction bits */
   bool indexed;
   struct uop_operand index[2]; /* added to the resource's and the sampler's number */
   struct uop_operand coord[4]; /* as IL has them */
   struct uop_operand reference, lod;
   struct uop_operand extra[2][3]; /* gradients along x and y; offsets in the first */
   bool has_gradients, has_offsets;
   /* Of a cube, when the coordinates are placed: 1 / |2 major axis|, and the face, 0.0 to 5.0. */
   struct uop_operand over_major, face;
};

/* A texel offset as far as the hardware has it: five bits of the 7.1 number. */
static int8_t
sampling_offset(int offset)
{
   return (int8_t)(((offset + 16) & 31) - 16);
}

#define STAGE_COORD  ROW_STAGE
#define STAGE_EXTRA  (ROW_STAGE + 1) /* gradients along x and y, or offsets */
#define STAGE_RESULT (ROW_STAGE + 3)

#define HALF 0x3f000000u

struct direct_sample_kind {
   uint16_t il;
   uint8_t op;
   bool compare, lod, gradients, gather, offsets;
};

static const struct direct_sample_kind kinds[] = {
   { IL_OP_SAMPLE, TD_SAMPLE, false, false, false, false, false },
   { IL_OP_SAMPLE_B, TD_SAMPLE_LB, false, true, false, false, false },
   { IL_OP_SAMPLE_L, TD_SAMPLE_L, false, true, false, false, false },
   { IL_OP_SAMPLE_G, TD_SAMPLE_G, false, false, true, false, false },
   { IL_OP_SAMPLE_C, TD_SAMPLE_C, true, false, false, false, false },
   { IL_OP_SAMPLE_C_LZ, TD_SAMPLE_C_LZ, true, false, false, false, false },
   { IL_OP_SAMPLE_C_L, TD_SAMPLE_C_L, true, true, false, false, false },
   { IL_OP_SAMPLE_C_B, TD_SAMPLE_C_LB, true, true, false, false, false },
   { IL_OP_SAMPLE_C_G, TD_SAMPLE_C_G, true, false, true, false, false },
   { IL_OP_FETCH4, TD_GATHER4, false, false, false, true, false },
   { IL_OP_FETCH4_C, TD_GATHER4_C, true, false, false, true, false },
   { IL_OP_FETCH4_PO, TD_GATHER4_O, false, false, false, true, true },
   { IL_OP_FETCH4_PO_C, TD_GATHER4_C_O, true, false, false, true, true },
   { IL_OP_GETLOD, TD_GET_LOD, false, false, false, false, false },
};

static const struct direct_sample_kind *
kind_of(unsigned op)
{
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
      if (kinds[i].il == op)
         return &kinds[i];
   return NULL;
}

/* --- fetches ---------------------------------------------------------------------------------- */
static void
move_row(struct direct *d, uint32_t row, const struct uop_operand *v, unsigned count)
{
   for (unsigned c = 0; c < count; c++)
      direct_move(d, REG(row, c), v[c]);
}

static struct fetch *
new_fetch(struct direct *d, struct sq_cf *cf)
{
   struct program *p = d->p;

   if (!uop_grow(&d->b, (void **)&p->fetches, p->num_fetches, &d->cap_fetches,
                 sizeof(*p->fetches))) {
      d->no_fetch = (struct fetch){ 0 };
      return &d->no_fetch;
   }
   if (!cf->num_fetches)
      cf->first_fetch = p->num_fetches;
   cf->num_fetches++;
   p->fetches[p->num_fetches] = (struct fetch){ .dst_gpr = STAGE_RESULT,
                                                .src_sel = { 0, 1, 2, 3 },
                                                .dst_sel = { 0, 1, 2, 3 } };
   return &p->fetches[p->num_fetches++];
}

/* The result's registers as they are now. */
static void
take_results(struct direct *d, struct uop_operand r[4])
{
   for (unsigned c = 0; c < 4; c++) {
      r[c] = direct_at(direct_temp(d));
      direct_move(d, r[c].at, direct_row(STAGE_RESULT, c));
   }
}

/* CF_IDX0 and CF_IDX1 take the indices of resource and sampler. */
static void
set_indices(struct direct *d, const struct uop_operand *index)
{
   for (unsigned i = 0; i < 2; i++) {
      struct uop *u = uop_emit(&d->b, UOP_MOVA_INT, 0, index[i], index[i], index[i]);
      u->p.mova.to = i ? UOP_ADDRESS_INDEX_1 : UOP_ADDRESS_INDEX_0;
   }
}

void
direct_fetch_buffer(struct direct *d, const struct sq_vtx_ref *ref, struct uop_operand index,
                    struct uop_operand r[4])
{
   struct program *p = d->p;
   uint32_t *count = &p->head.num_vtx;

   direct_move(d, REG(STAGE_RESULT, 0), index);
   struct sq_cf *cf = direct_cf(d, CAYMAN_CF_TC);
   struct fetch *f = new_fetch(d, cf);
   f->kind = FETCH_VTX;
   f->src_gpr = STAGE_RESULT;
   f->resource_index = ref->indexed ? CAYMAN_CF_INDEX_0 : CAYMAN_CF_INDEX_NONE;
   if (!uop_grow(&d->b, (void **)&d->vtx, *count, &d->cap_vtx, sizeof(*d->vtx)))
      return;
   d->vtx[*count] = *ref;
   for (unsigned c = 0; c < 4; c++) {
      d->vtx[*count].fetch.swizzle[c] = (uint8_t)(SWIZZLE_X + c);
      r[c] = direct_row(STAGE_RESULT, c);
   }
   f->ref = (*count)++;
}

/* The instruction of the texture unit that `s` became. */
static void
fetch_texels(struct direct *d, const struct sampling *s, unsigned op, unsigned unnorm,
             const struct uop_operand coord[4], struct uop_operand r[4])
{
   struct program *p = d->p;
   uint32_t *count = &p->head.num_tex;
   bool gradients = s->has_gradients, offsets = s->has_offsets;

   move_row(d, STAGE_COORD, coord, 4);
   for (unsigned a = 0; a < 2 && (gradients || (offsets && !a)); a++)
      move_row(d, STAGE_EXTRA + a, s->extra[a], 3);
   if (s->indexed)
      set_indices(d, s->index);
   struct sq_cf *cf = direct_cf(d, CAYMAN_CF_TC);
   for (unsigned a = 0; a < 2 && (gradients || (offsets && !a)); a++) {
      struct fetch *f = new_fetch(d, cf);
      f->kind = offsets ? FETCH_SET_OFFSETS : FETCH_SET_GRADIENTS;
      f->op = offsets ? CAYMAN_TEX_SET_TEXTURE_OFFSETS
              : a     ? CAYMAN_TEX_SET_GRADIENTS_V
                      : CAYMAN_TEX_SET_GRADIENTS_H;
      f->src_gpr = (uint8_t)(STAGE_EXTRA + a);
   }
   struct fetch *f = new_fetch(d, cf);
   f->kind = FETCH_TEX;
   f->inst_mod = s->inst_mod;
   f->src_gpr = STAGE_COORD;
   f->uses_gradients = gradients;
   f->uses_offsets = offsets;
   f->resource_index = s->indexed ? CAYMAN_CF_INDEX_0 : CAYMAN_CF_INDEX_NONE;
   f->sampler_index = s->indexed ? CAYMAN_CF_INDEX_1 : CAYMAN_CF_INDEX_NONE;
   if (!uop_grow(&d->b, (void **)&d->tex, *count, &d->cap_tex, sizeof(*d->tex)))
      return;
   d->tex[*count] = (struct sq_tex_ref){
      .resource = (uint8_t)(DIRECT_RESOURCE_TEXTURE + s->resource),
      .sampler = s->sampler,
      .indexed = s->indexed,
      .lookup = { .op = (uint8_t)op,
                  .modifier = s->inst_mod,
                  .offset = { s->offset[0], s->offset[1], s->offset[2] },
                  .lod_bias = s->lod_bias,
                  .normalized = 7 & ~unnorm,
                  .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W } },
   };
   f->ref = (*count)++;
   take_results(d, r);
}

/* Width, height and depth of level `lod`, and how many levels there are. */
static void
size_of(struct direct *d, const struct sampling *s, struct uop_operand lod, struct uop_operand r[4])
{
   const struct uop_operand coord[4] = { lod, lod, lod, lod };
   struct sampling query = { .resource = s->resource,
                             .indexed = s->indexed,
                             .index = { s->index[0], s->index[1] } };

   fetch_texels(d, &query, TD_GET_RESINFO, 15, coord, r);
}

/* How the values change over a quad along x (axis 0) or y. */
static void
slopes_of(struct direct *d, unsigned axis, const struct uop_operand v[4], struct uop_operand r[4])
{
   move_row(d, STAGE_COORD, v, 4);
   struct sq_cf *cf = direct_cf(d, CAYMAN_CF_TC);
   struct fetch *f = new_fetch(d, cf);
   f->kind = FETCH_GRADIENTS;
   f->op = axis ? CAYMAN_TEX_GET_GRADIENTS_V : CAYMAN_TEX_GET_GRADIENTS_H;
   f->src_gpr = STAGE_COORD;
   d->p->head.core.needs_helpers = true;
   take_results(d, r);
}

/* --- coordinates ------------------------------------------------------------------------------ */

/* A layer: rounded, then limited by the texture unit. */
static struct uop_operand
layer(struct direct *d, struct uop_operand v)
{
   return DOP1(RNDNE, v);
}

/* Where a direction meets a cube: s and t on the face, from 1 to 2, and the face in z, with 8 added
 * for each cube of an array. */
static void
cube(struct direct *d, struct sampling *s, struct uop_operand coord[4])
{
   const struct uop_operand *dir = s->coord;
   struct uop_operand part[4];
   struct uop *u = uop_add(&d->b, UOP_CUBE_FACE);

   for (unsigned n = 0; n < 4; n++) {
      part[n] = direct_at(direct_temp(d));
      u[n].dst = part[n].at;
      if (n < 3)
         u[n].src[0] = dir[n];
   }
   struct uop_operand scale = DOP1(RECIP_IEEE, uop_abs(part[2]));
   for (unsigned n = 0; n < 2; n++)
      coord[n] = DOP3(MULADD_IEEE, part[n], scale, direct_literal(d, 0x3fc00000));
   coord[2] = s->face = part[3];
   s->over_major = scale;
   if (s->type == IL_USAGE_PIXTEX_CUBEMAP_ARRAY) {
      struct uop_operand number = DOP2(MAX_DX10, layer(d, dir[3]), direct_literal(d, 0));
      number = DOP2(MIN_DX10, number, direct_literal(d, 0x45000000)); /* 2048: more than fit */
      coord[2] = DOP3(MULADD_IEEE, number, direct_literal(d, 0x41000000), part[3]);
   }
}

/* The axes along which texels lie. */
static unsigned
axes_of(unsigned type)
{
   switch (type) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_1DARRAY:
      return 1;
   case IL_USAGE_PIXTEX_3D:
   case IL_USAGE_PIXTEX_CUBEMAP:
   case IL_USAGE_PIXTEX_CUBEMAP_ARRAY:
      return 3;
   default:
      return 2;
   }
}

static bool
is_cube(unsigned type)
{
   return type == IL_USAGE_PIXTEX_CUBEMAP || type == IL_USAGE_PIXTEX_CUBEMAP_ARRAY;
}

/* The texture unit's coordinates; whether z is taken. */
static bool
place_coordinates(struct direct *d, struct sampling *s, struct uop_operand coord[4])
{
   const struct uop_operand *c = s->coord;
   unsigned axes = axes_of(s->type);

   for (unsigned i = 0; i < 4; i++)
      coord[i] = i < axes ? c[i] : direct_literal(d, 0);
   switch (s->type) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_2D:
      return false;
   case IL_USAGE_PIXTEX_3D:
      return true;
   case IL_USAGE_PIXTEX_1DARRAY:
   case IL_USAGE_PIXTEX_2DARRAY:
      coord[2] = layer(d, c[axes]);
      return true;
   case IL_USAGE_PIXTEX_CUBEMAP:
   case IL_USAGE_PIXTEX_CUBEMAP_ARRAY:
      cube(d, s, coord);
      return true;
   default:
      direct_refuse(d, "a texture that is not sampled: buffers, several samples, unknown kinds");
      return false;
   }
}

/* Of integer formats the texture unit gathers from the nearest texel on: half a texel is taken
 * back. */
static void
move_half_texel(struct direct *d, const struct sampling *s, struct uop_operand coord[4])
{
   struct uop_operand size[4];

   if (!s->unnorm)
      size_of(d, s, direct_literal(d, 0), size);
   for (unsigned i = 0; i < 2; i++) {
      struct uop_operand back = direct_literal(d, HALF | 0x80000000);
      coord[i] = s->unnorm ? DOP2(ADD, coord[i], back)
                           : DOP3(MULADD_IEEE, DOP1(RECIP_IEEE, DOP1(UINT_TO_FLT, size[i])), back,
                                  coord[i]);
   }
}

/* Gradients instead of a bias: the quad's own times 2^bias.  Of a cube they are those of half the
 * direction that has a major axis of 1. */
static void
spread_bias(struct direct *d, struct sampling *s)
{
   struct uop_operand scale = DOP1(EXP_IEEE, s->lod), zero = direct_literal(d, 0), own[4];
   struct uop_operand in[4] = { zero, zero, zero, zero };
   const unsigned axes = axes_of(s->type);

   memcpy(in, s->coord, axes * sizeof(*in));
   for (unsigned a = 0; a < 2; a++) {
      slopes_of(d, a, in, own);
      for (unsigned i = 0; i < 3; i++) {
         s->extra[a][i] = i < axes ? DOP2(MUL_IEEE, own[i], scale) : zero;
         if (is_cube(s->type))
            s->extra[a][i] = DOP2(MUL_IEEE, s->extra[a][i], s->over_major);
      }
   }
}

/* Gradients instead of a LOD: both are a step of 2^lod texels along x, so that the footprint is as
 * long as it is wide.  Of a cube it lies in the plane of the face: along y on faces 0 and 1, those
 * of the x axis. */
static void
spread_lod(struct direct *d, struct sampling *s)
{
   struct uop_operand step = DOP1(EXP_IEEE, s->lod), zero = direct_literal(d, 0), size[4];

   if (!s->unnorm) {
      size_of(d, s, zero, size);
      step = DOP2(MUL_IEEE, DOP1(RECIP_IEEE, DOP1(UINT_TO_FLT, size[0])), step);
   }
   for (unsigned i = 0; i < 3; i++)
      s->extra[0][i] = zero;
   if (is_cube(s->type)) {
      struct uop_operand not_x = DOP2(ADD, s->face, direct_literal(d, 0xc0000000)); /* -2.0 */
      s->extra[0][0] = DOP3(CNDGE, not_x, step, zero);
      s->extra[0][1] = DOP3(CNDGE, not_x, zero, step);
   } else {
      s->extra[0][0] = step;
   }
   memcpy(s->extra[1], s->extra[0], sizeof(s->extra[1]));
}

/* Gradients that are given: as many as there are axes, those of a direction halved. */
static void
trim_gradients(struct direct *d, struct sampling *s)
{
   for (unsigned n = 0; n < 6; n++) {
      struct uop_operand *g = &s->extra[n / 3][n % 3];
      if (n % 3 >= axes_of(s->type))
         *g = direct_literal(d, 0);
      else if (is_cube(s->type))
         *g = DOP2(MUL_IEEE, *g, direct_literal(d, HALF));
   }
}

/* Samples, gathers or asks for the level of detail. */
static void
sample_values(struct direct *d, struct sampling *s, struct uop_operand r[4])
{
   const struct direct_sample_kind *k = kind_of(s->op);
   unsigned op = k->op, unnorm;
   struct uop_operand coord[4];
   bool z_taken = place_coordinates(d, s, coord);

   s->unnorm &= !is_cube(s->type); /* directions have no unit */
   unnorm = s->unnorm ? (1u << axes_of(s->type)) - 1 : 0;
   if (z_taken && s->type != IL_USAGE_PIXTEX_3D)
      unnorm |= 4;
   if (k->gather && s->integer)
      move_half_texel(d, s, coord);
   s->has_gradients = k->gradients;
   s->has_offsets = k->offsets;
   if (k->lod && k->compare && z_taken) {
      if (s->op == IL_OP_SAMPLE_C_B)
         spread_bias(d, s);
      else
         spread_lod(d, s);
      op = TD_SAMPLE_C_G;
      coord[3] = s->reference;
   } else if (k->lod) {
      coord[3] = s->lod;
      coord[2] = k->compare ? s->reference : coord[2];
   } else if (k->compare) {
      coord[3] = s->reference;
   }
   if (s->has_gradients)
      trim_gradients(d, s);
   s->has_gradients |= op == TD_SAMPLE_C_G;
   switch (op) {
   case TD_SAMPLE:
   case TD_SAMPLE_LB:
   case TD_SAMPLE_C:
   case TD_SAMPLE_C_LB:
   case TD_GET_LOD:
      d->p->head.core.needs_helpers = true;
      break;
   default:
      break;
   }
   fetch_texels(d, s, op, unnorm, coord, r);
   if (s->op == IL_OP_GETLOD) {
      /* x is the level that is accessed, y lambda: the texture unit has them the other way. */
      const struct uop_operand lambda = r[0];
      r[0] = r[1];
      r[1] = lambda;
      r[2] = r[3] = direct_literal(d, 0);
   }
}

/* --- instructions ----------------------------------------------------------------------------- */

/* The numbers of the instruction, its offsets and indices. */
static bool
read_numbers(struct direct *d, const struct il_inst *inst, struct sampling *s)
{
   unsigned n = il_resource(inst);

   *s = (struct sampling){ .op = inst->op,
                           .resource = (uint8_t)n,
                           .sampler = (uint8_t)il_sampler(inst),
                           .indexed = il_indexed(inst) };
   if (n >= IL_MAX_SRVS || !d->decl.resource[n].declared) {
      direct_refuse(d, "a resource that is not declared");
      return false;
   }
   s->type = d->decl.resource[n].type;
   s->unnorm = d->decl.resource[n].unnorm;
   s->integer = d->decl.resource[n].integer;
   if (s->indexed) {
      if (inst->nsrc < 2) {
         direct_refuse(d, "an indexed form without its two indices");
         return false;
      }
      s->type = inst->restype != IL_USAGE_PIXTEX_UNKNOWN ? (uint8_t)inst->restype : s->type;
      for (unsigned i = 0; i < 2; i++)
         s->index[i] = direct_src(d, &inst->src[inst->nsrc - 2 + i], 0);
   }
   for (unsigned i = 0; i < 3 && il_has_aoff(inst); i++)
      s->offset[i] = sampling_offset(il_aoff(inst, i));
   return true;
}

static void
sample(struct direct *d, const struct il_inst *inst, const struct direct_sample_kind *k)
{
   unsigned at = 1, mode = il_has_pri(inst) ? inst->pri >> 2 & 3 : IL_TEXCOORDMODE_UNKNOWN;
   struct sampling s;
   struct uop_operand r[4];

   if (!read_numbers(d, inst, &s))
      return;
   if (mode != IL_TEXCOORDMODE_UNKNOWN)
      s.unnorm = mode == IL_TEXCOORDMODE_UNNORMALIZED;
   s.lod_bias = (int8_t)il_lod_bias(inst);
   s.inst_mod = k->gather ? (uint8_t)il_gather_comp(inst) : 0;
   for (unsigned i = 0; i < 4; i++)
      s.coord[i] = direct_src(d, &inst->src[0], i);
   if (k->compare)
      s.reference = direct_src(d, &inst->src[at++], 0);
   if (k->lod)
      s.lod = direct_src(d, &inst->src[at], 0);
   for (unsigned i = 0; i < 6 && k->gradients; i++)
      s.extra[i / 3][i % 3] = direct_src(d, &inst->src[at + i / 3], i % 3);
   for (unsigned i = 0; i < 3 && k->offsets; i++)
      s.extra[0][i] = i < 2 ? direct_src(d, &inst->src[at], i) : direct_literal(d, 0);
   sample_values(d, &s, r);
   direct_store(d, &inst->dst[0], r);
}

/* Element x of a buffer, in its own format, or how many it has. */
static void
load_element(struct direct *d, const struct sampling *s, enum td_fetch_kind kind,
             struct uop_operand index, struct uop_operand r[4])
{
   const struct sq_vtx_ref ref = {
      .resource = (uint16_t)(DIRECT_RESOURCE_TEXTURE + s->resource),
      .indexed = s->indexed,
      .adds = CAYMAN_FETCH_NO_INDEX_OFFSET,
      .fetch = { .kind = (uint8_t)kind, .buffer_format = true },
   };
   if (s->indexed)
      set_indices(d, s->index);
   direct_fetch_buffer(d, &ref, index, r);
}

/* One texel, or one element of a buffer. */
static void
load_values(struct direct *d, struct sampling *s, struct uop_operand r[4])
{
   struct uop_operand coord[4], zero = direct_literal(d, 0);
   unsigned axes = axes_of(s->type), place = 2; /* of the layer */

   memcpy(coord, s->coord, sizeof(coord));
   for (unsigned i = 0; i < axes; i++) {
      int whole = s->offset[i] >> 1;
      if (whole)
         coord[i] = DOP2(ADD_INT, coord[i], direct_literal(d, (uint32_t)whole));
   }
   switch (s->type) {
   case IL_USAGE_PIXTEX_BUFFER:
      load_element(d, s, TD_FETCH_ELEMENTS, coord[0], r);
      return;
   case IL_USAGE_PIXTEX_1D:
      coord[1] = coord[2] = zero;
      break;
   case IL_USAGE_PIXTEX_1DARRAY:
      coord[place] = s->coord[1];
      coord[1] = zero;
      break;
   case IL_USAGE_PIXTEX_2D:
   case IL_USAGE_PIXTEX_2DMSAA:
      coord[place] = zero;
      break;
   case IL_USAGE_PIXTEX_3D:
   case IL_USAGE_PIXTEX_2DARRAY:
   case IL_USAGE_PIXTEX_2DARRAYMSAA:
      break;
   default:
      direct_refuse(d, "a load from a cube or an unknown kind of texture");
      return;
   }
   memset(s->offset, 0, sizeof(s->offset));
   fetch_texels(d, s, TD_LD, 15, coord, r);
}

static void
load(struct direct *d, const struct il_inst *inst)
{
   bool pointers = inst->op == IL_OP_LOAD_FPTR;
   struct sampling s;
   struct uop_operand r[4];

   if (!read_numbers(d, inst, &s))
      return;
   if (pointers && s.type != IL_USAGE_PIXTEX_2DMSAA && s.type != IL_USAGE_PIXTEX_2DARRAYMSAA) {
      direct_refuse(d, "fragment pointers of a texture without several samples");
      return;
   }
   for (unsigned i = 0; i < 3; i++)
      s.offset[i] = (int8_t)il_aoff(inst, i);
   for (unsigned i = 0; i < 4; i++)
      s.coord[i] = direct_src(d, &inst->src[0], i);
   s.inst_mod = pointers; /* the samples' positions, not the samples */
   load_values(d, &s, r);
   if (pointers)
      r[1] = r[2] = r[3] = r[0];
   direct_store(d, &inst->dst[0], r);
}

/* Components that this kind of texture has not are 0. */
static void
drop_missing(struct direct *d, unsigned type, struct uop_operand r[4])
{
   struct uop_operand zero = direct_literal(d, 0);

   switch (type) {
   case IL_USAGE_PIXTEX_1D:
      r[1] = r[2] = zero;
      break;
   case IL_USAGE_PIXTEX_2D:
   case IL_USAGE_PIXTEX_2DMSAA:
   case IL_USAGE_PIXTEX_CUBEMAP:
      r[2] = zero;
      break;
   default:
      break;
   }
}

static void
resinfo(struct direct *d, const struct il_inst *inst, const struct sampling *s,
        struct uop_operand r[4])
{
   struct uop_operand lod = direct_src(d, &inst->src[0], 0), zero = direct_literal(d, 0);

   if (s->type == IL_USAGE_PIXTEX_BUFFER) {
      load_element(d, s, TD_FETCH_COUNT, zero, r);
      r[0] = DOP3(CNDE_INT, lod, r[0], zero); /* of its one level */
      r[1] = r[2] = zero;
      r[3] = direct_literal(d, 1);
   } else {
      size_of(d, s, lod, r);
      drop_missing(d, s->type, r);
   }
   for (unsigned c = 0; c < 4 && !il_info_uint(inst); c++)
      r[c] = DOP1(UINT_TO_FLT, r[c]);
}

static void
sampleinfo(struct direct *d, const struct il_inst *inst, const struct sampling *s,
           struct uop_operand r[4])
{
   struct uop_operand zero = direct_literal(d, 0);
   const struct uop_operand coord[4] = { zero, zero, zero, zero };

   r[0] = r[1] = r[2] = r[3] = zero;
   if (s->type == IL_USAGE_PIXTEX_2DMSAA || s->type == IL_USAGE_PIXTEX_2DARRAYMSAA) {
      fetch_texels(d, s, TD_GET_SAMPLES, 15, coord, r);
      r[0] = il_info_uint(inst) ? r[3] : DOP1(UINT_TO_FLT, r[3]);
      r[1] = r[2] = r[3] = zero;
   }
}

/* Where a sample is in its pixel, from the centre.  A resource that is not declared stands for the
 * render target. */
void
direct_samplepos(struct direct *d, const struct il_inst *inst)
{
   unsigned n = il_resource(inst);
   const struct il_declared_resource *t = n < IL_MAX_SRVS ? &d->decl.resource[n] : NULL;
   struct uop_operand r[4], zero = direct_literal(d, 0), id = direct_src(d, &inst->src[0], 0);

   r[0] = r[1] = r[2] = r[3] = zero;
   if (!t || !t->declared || t->type == IL_USAGE_PIXTEX_2DMSAA ||
       t->type == IL_USAGE_PIXTEX_2DARRAYMSAA)
      for (unsigned i = 0; i < 2; i++)
         r[i] = DOP2(ADD, direct_sample_position(d, id, i), direct_literal(d, HALF | 0x80000000));
   direct_store(d, &inst->dst[0], r);
}

bool
direct_texture(struct direct *d, const struct il_inst *inst)
{
   const struct direct_sample_kind *k = kind_of(inst->op);
   struct sampling s;
   struct uop_operand r[4];

   if (k) {
      sample(d, inst, k);
      return true;
   }
   switch (inst->op) {
   case IL_OP_LOAD:
   case IL_OP_LOAD_FPTR:
      load(d, inst);
      return true;
   case IL_OP_DSX:
   case IL_OP_DSY:
   case IL_OP_FWIDTH:
      direct_derivative(d, inst);
      return true;
   case IL_OP_RESINFO:
   case IL_OP_SAMPLEINFO:
   case IL_OP_BUFINFO:
      if (!read_numbers(d, inst, &s))
         return true;
      if (inst->op == IL_OP_RESINFO) {
         resinfo(d, inst, &s, r);
      } else if (inst->op == IL_OP_SAMPLEINFO) {
         sampleinfo(d, inst, &s, r);
      } else {
         load_element(d, &s, TD_FETCH_COUNT, direct_literal(d, 0), r);
         r[1] = r[2] = r[3] = r[0];
      }
      direct_store(d, &inst->dst[0], r);
      return true;
   default:
      return false;
   }
}
