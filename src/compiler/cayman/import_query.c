/* SPDX-License-Identifier: MIT */
/*
 * Fetches from buffers (HD 6900 ISA 8.3, 9.3), constants at a run-time index, and queries of
 * resources (IL 7.5).
 *
 *  1. What a kind of texture has not is 0: the height of one dimension, the depth of two, of a
 *     single cube and of a buffer, the samples of a texture that has one.
 *  2. Cayman cannot tell the cubes of an array: they are a constant of the driver's.
 */
#include "import.h"

#include "il/conventions.h"

struct inst *
im_buffer_fetch(struct importer *im, unsigned resource, struct cc_operand index, bool const_fields,
                unsigned op)
{
   struct inst *inst = im_new_fetch(im, 1);
   struct cayman_vtx *v = &inst->fetch[0].proto.vtx;

   inst->fetch[0].proto.kind = CAYMAN_FETCH_VTX;
   v->op = op;
   v->fetch_type = CAYMAN_FETCH_NO_INDEX_OFFSET;
   v->buffer_id = resource;
   v->use_const_fields = const_fields;
   if (!const_fields) {
      v->data_format = CAYMAN_FMT_32_32_32_32_FLOAT;
      v->srf_mode_all = true;
   }
   inst->fetch[0].src[0] = index;
   im->c->out->num_fetches++;
   return inst;
}

struct inst *
im_ring_fetch(struct importer *im, struct cc_operand index, unsigned offset)
{
   struct inst *inst = im_buffer_fetch(im, CAYMAN_RESOURCE_RING, index, false, CAYMAN_VTX_FETCH);
   inst->fetch[0].proto.vtx.offset = offset * 4;
   return inst;
}

struct cc_operand
im_indexed_constant(struct importer *im, unsigned bank, unsigned base, struct cc_operand index,
                    unsigned comp)
{
   struct compiler *c = im->c;
   struct cc_operand wanted = index;
   uint32_t wanted_base = base;

   if (base > 4095)
      return op_const(0);
   /* Components of one vec4 share a fetch, as long as the index is known to be the same. */
   struct inst *fetch = im->last_constant.fetch;
   bool lasting = index.kind == OPERAND_VALUE && c->values[index.value].ssa;
   if (fetch && im->last_constant.bank == bank && im->last_constant.base == base &&
       im->last_constant.block == c->num_blocks && op_same(&im->last_constant.index, &index) &&
       (lasting || im->last_constant.origin == c->origin)) {
      if (!fetch->fetch[0].dst[comp]) {
         fetch->fetch[0].dst[comp] = cc_value(c);
         c->values[fetch->fetch[0].dst[comp]].def = fetch;
      }
      return op_value(fetch->fetch[0].dst[comp]);
   }
   const bool known = index.kind == OPERAND_CONST;
   if (index.kind != OPERAND_VALUE || index.neg || index.abs)
      index = op_value(cc_mov(c, 0, index));
   if (base && bank != IL_DRIVER_CB && !known) {
      /* A program's own index may be negative, and a fetch's index is unsigned. */
      index = op_value(im_emit2(im, CAYMAN_ALU_ADD_INT, index, op_const(base)));
      base = 0;
   }
   fetch = im_buffer_fetch(im, CAYMAN_RESOURCE_CONST + bank, index, false, CAYMAN_VTX_FETCH);
   fetch->fetch[0].proto.vtx.offset = base * 16;
   c->out->const_buffers_fetch |= 1u << bank;
   fetch->fetch[0].dst[comp] = cc_value(c);
   c->values[fetch->fetch[0].dst[comp]].def = fetch;
   im->last_constant.fetch = fetch;
   im->last_constant.bank = bank;
   im->last_constant.base = wanted_base;
   im->last_constant.origin = c->origin;
   im->last_constant.block = c->num_blocks;
   im->last_constant.index = wanted;
   return op_value(fetch->fetch[0].dst[comp]);
}

static bool
has_samples(unsigned type)
{
   return type == IL_USAGE_PIXTEX_2DMSAA || type == IL_USAGE_PIXTEX_2DARRAYMSAA;
}

/* Components of RESINFO that a kind of texture has. */
static unsigned
sizes_of(unsigned type)
{
   switch (type) {
   case IL_USAGE_PIXTEX_1D:
      return 1 | 8;
   case IL_USAGE_PIXTEX_2D:
   case IL_USAGE_PIXTEX_2DMSAA:
   case IL_USAGE_PIXTEX_CUBEMAP:
      return 3 | 8;
   default:
      return 15;
   }
}

/* Elements, in x. */
static struct inst *
count_elements(struct importer *im, const struct il_inst *inst, struct cc_operand result[4])
{
   struct inst *fetch = im_buffer_fetch(im, CAYMAN_RESOURCE_TEXTURE + il_resource(inst),
                                        op_const(0), true, CAYMAN_VTX_GET_BUFFER_RESINFO);

   im_index_fetch(im, inst, fetch, 0);
   im_fetch_results(im, fetch, &fetch->fetch[0], 1, result);
   return fetch;
}

static void
count_samples(struct importer *im, const struct il_inst *inst, struct cc_operand result[4])
{
   struct inst *fetch = im_new_fetch(im, 1);
   struct cc_operand four[4];

   im_init_tex(im, &fetch->fetch[0], CAYMAN_TEX_GET_NUMBER_OF_SAMPLES, il_resource(inst), 0);
   im_index_fetch(im, inst, fetch, 0);
   for (unsigned i = 0; i < 4; i++)
      fetch->fetch[0].src[i] = op_const(0);
   im_fetch_results(im, fetch, &fetch->fetch[0], 8, four); /* the count is in w */
   result[0] = four[3];
}

/* The cubes of the array that is meant, of a level that there is. */
static struct cc_operand
count_cubes(struct importer *im, const struct il_inst *inst, struct cc_operand width)
{
   struct cc_operand index = im->resource_index, cubes;
   unsigned n = il_resource(inst);

   if (il_indexed(inst) && index.kind != OPERAND_CONST) {
      struct cc_operand number = E2(AND_INT, E2(ADD_INT, index, op_const(n)), op_const(31));
      struct cc_operand row = E2(LSHR_INT, number, op_const(2)), part[4];
      for (unsigned i = 0; i < 4; i++)
         part[i] = im_indexed_constant(im, IL_DRIVER_CB, IL_DRV_CUBES, row, i);
      struct cc_operand odd = E2(AND_INT, number, op_const(1)),
                        high = E2(AND_INT, number, op_const(2));
      cubes = E3(CNDE_INT, high, E3(CNDE_INT, odd, part[0], part[1]),
                 E3(CNDE_INT, odd, part[2], part[3]));
   } else {
      n = (n + (il_indexed(inst) ? index.value : 0)) & 31;
      im->c->out->const_buffers |= 1u << IL_DRIVER_CB;
      cubes = im_plain(im, op_kcache(IL_DRIVER_CB, IL_DRV_CUBES + n / 4, n % 4));
   }
   return E3(CNDE_INT, width, op_const(0), cubes);
}

static void
size_of(struct importer *im, const struct il_inst *inst, unsigned mask, struct cc_operand result[4])
{
   unsigned type = il_texture_type(&im->decl, inst);
   struct cc_operand lod = im_plain(im, im_src(im, &inst->src[0], 0));

   if (type == IL_USAGE_PIXTEX_BUFFER) {
      if (mask & 1) {
         count_elements(im, inst, result);
         result[0] = E3(CNDE_INT, lod, result[0], op_const(0)); /* of its one level */
      }
      result[3] = op_const(1);
      return;
   }
   if (lod.kind != OPERAND_VALUE && !(lod.kind == OPERAND_CONST && lod.value == 0))
      lod = op_value(cc_mov(im->c, 0, lod));
   bool cubes = type == IL_USAGE_PIXTEX_CUBEMAP_ARRAY && (mask & 4);
   unsigned wanted = mask & sizes_of(type);
   wanted = cubes ? (wanted & ~4u) | 1 : wanted;
   if (wanted) {
      struct inst *fetch = im_new_fetch(im, 1);
      im_init_tex(im, &fetch->fetch[0], CAYMAN_TEX_GET_TEXTURE_RESINFO, il_resource(inst), 0);
      im_index_fetch(im, inst, fetch, 0);
      fetch->fetch[0].proto.tex.coord_type = 0;
      for (unsigned i = 0; i < 4; i++)
         fetch->fetch[0].src[i] = lod;
      im_fetch_results(im, fetch, &fetch->fetch[0], wanted, result);
   }
   if (cubes)
      result[2] = count_cubes(im, inst, result[0]);
}

void
im_info(struct importer *im, const struct il_inst *inst)
{
   unsigned n = il_resource(inst), mask = il_dst_mask(&inst->dst[0]);
   struct cc_operand result[4];

   if (n >= 32 || !im->decl.resource[n].declared)
      im_unsupported(im, "texture that is not declared");
   im_read_indices(im, inst);
   im->c->out->textures |= 1u << n;
   for (unsigned i = 0; i < 4; i++)
      result[i] = op_const(0);
   switch (inst->op) {
   case IL_OP_BUFINFO:
      count_elements(im, inst, result);
      result[1] = result[2] = result[3] = result[0];
      break;
   case IL_OP_SAMPLEINFO:
      if (has_samples(il_texture_type(&im->decl, inst)) && (mask & 1))
         count_samples(im, inst, result);
      break;
   default:
      size_of(im, inst, mask, result);
      break;
   }
   for (unsigned i = 0; i < 4 && inst->op != IL_OP_BUFINFO && !il_info_uint(inst); i++)
      if ((mask >> i & 1) && result[i].kind == OPERAND_CONST)
         result[i] = result[i].value ? op_float(1) : op_const(0);
      else if (mask >> i & 1)
         result[i] = op_value(im_emit1(im, CAYMAN_ALU_UINT_TO_FLT, result[i]));
   im_store(im, &inst->dst[0], result);
}

/* Where a sample is in its pixel, from the centre; 0 for a texture of one sample.  A resource that
 * is not declared stands for the render target. */
void
im_sample_place(struct importer *im, const struct il_inst *inst, struct cc_operand result[4])
{
   unsigned n = il_resource(inst);
   bool target =
      n >= 32 || !im->decl.resource[n].declared || has_samples(il_texture_type(&im->decl, inst));
   struct cc_operand id = im_plain(im, im_src(im, &inst->src[0], 0));

   for (unsigned i = 0; i < 4; i++) {
      result[i] =
         i < 2 && target ? E2(ADD, im_sample_position(im, id, i), op_float(-0.5f)) : op_const(0);
   }
}
