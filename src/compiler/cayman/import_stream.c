/* SPDX-License-Identifier: MIT */
/*
 * Import of memory streams (IL 7.5: MEMIMPORT, MEMEXPORT; R670's): an import's element n is the
 * buffer that resource n describes, read in its own format, and export stream n is UAV n, typed.
 * Indices are floats and floored.
 */
#include "import.h"

static struct cc_operand
whole(struct importer *im, const struct il_src *src)
{
   return E1(FLT_TO_INT, E1(FLOOR, im_src(im, src, 0)));
}

static void
import(struct importer *im, const struct il_inst *inst)
{
   unsigned n = il_element(inst), mask = il_dst_mask(&inst->dst[0]);
   struct cc_operand result[4];
   struct inst *fetch = im_buffer_fetch(im, CAYMAN_RESOURCE_TEXTURE + n, whole(im, &inst->src[0]),
                                        true, CAYMAN_VTX_FETCH);

   if (n >= 32)
      im_unsupported(im, "element above 31");
   im->c->out->textures |= 1u << n;
   for (unsigned i = 0; i < 4; i++) {
      result[i] = op_const(0);
      if (mask >> i & 1) {
         fetch->fetch[0].dst[i] = cc_value(im->c);
         im->c->values[fetch->fetch[0].dst[i]].def = fetch;
         result[i] = op_value(fetch->fetch[0].dst[i]);
      }
   }
   im_store(im, &inst->dst[0], result);
}

static void export(struct importer *im, const struct il_inst *inst)
{
   unsigned n = il_export_stream(inst), offset = il_export_offset(inst);
   struct cc_operand index[3] = { whole(im, &inst->src[0]), op_none(), op_none() }, value[4];

   if (n >= IL_MAX_UAVS)
      im_unsupported(im, "export stream above 47");
   if (offset)
      index[0] = E2(ADD_INT, index[0], op_const(offset));
   for (unsigned i = 0; i < 4; i++)
      value[i] = im_export_src(im, im_src(im, &inst->src[1], i), false);
   struct inst *store = im_rat(im, n, CAYMAN_RAT_STORE_TYPED, index);
   for (unsigned i = 0; i < 4; i++)
      store->export.src[i] = value[i];
}

bool
im_stream(struct importer *im, const struct il_inst *inst)
{
   if (inst->op == IL_OP_MEMIMPORT && inst->ndst == 1 && inst->nsrc) {
      import(im, inst);
      return true;
   }
   if (inst->op == IL_OP_MEMEXPORT && inst->nsrc >= 2) {
      export(im, inst);
      return true;
   }
   return false;
}
