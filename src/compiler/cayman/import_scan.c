/* SPDX-License-Identifier: MIT */
/*
 * Import, first walk: which components an instruction reads, how often and where in the tree of
 * branches and loops each register component is written, and whether all readers come behind and
 * inside that place.
 */
#include "import.h"

/* --- which components does a source read? ---------------------------------------------------- */

static unsigned
coord_mask(const struct importer *im, const struct il_inst *inst)
{
   switch (im_texture_type(im, inst)) {
   case IL_USAGE_PIXTEX_1D:
   case IL_USAGE_PIXTEX_BUFFER:
      return 1;
   case IL_USAGE_PIXTEX_2D:
   case IL_USAGE_PIXTEX_1DARRAY:
      return 3;
   case IL_USAGE_PIXTEX_3D:
   case IL_USAGE_PIXTEX_2DARRAY:
   case IL_USAGE_PIXTEX_CUBEMAP:
      return 7;
   default:
      return 15;
   }
}

unsigned
im_src_mask(const struct importer *im, const struct il_inst *inst, unsigned s)
{
   enum il_part part = il_src_part(inst, s);
   return part == IL_PART_COORD ? coord_mask(im, inst) : il_part_mask(part, inst);
}

/* --- first walk: writers and readers ---------------------------------------------------------- */

static bool
region_encloses(const struct importer *im, uint32_t outer, uint32_t inner)
{
   while (inner != outer && inner != 0)
      inner = im->region_parent[inner];
   return inner == outer;
}

static void
enter_region(struct importer *im)
{
   im->region_parent = cc_grow(im->c, im->region_parent, im->num_regions, &im->cap_regions,
                               sizeof(*im->region_parent));
   im->region_parent[im->num_regions] = im->region;
   im->region = im->num_regions++;
}

struct reg_comp *
im_temp_comp(struct importer *im, uint32_t num, unsigned comp)
{
   return &im->temps[num * 4 + comp];
}

static void
note_read(struct importer *im, struct reg_comp *r)
{
   if (r->defs && (r->def_pos >= im->pos || !region_encloses(im, r->def_region, im->region)))
      r->variable = true;
}

static void note_src(struct importer *im, const struct il_src *src, unsigned mask, bool mark);

static void
note_ref(struct importer *im, const struct il_ref *ref, bool mark)
{
   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      if (ref->type == IL_REGTYPE_ITEMP && ref->num < im->num_xarrays)
         im->xarrays[ref->num].indexed = true;
      note_src(im, ref->index, 1, mark);
   } else if (ref->rel == IL_ADDR_RELATIVE) {
      im_unsupported(im, "addressing through a0 or aL");
   }
}

static void
note_src(struct importer *im, const struct il_src *src, unsigned mask, bool mark)
{
   note_ref(im, &src->r, mark);
   if (src->has_mod && src->divcomp != IL_DIVCOMP_NONE)
      mask = 15; /* one component divides the others */
   if (src->r.type == IL_REGTYPE_INPUT && src->r.rel == IL_ADDR_REG_RELATIVE && !src->dim2)
      im_index_inputs(im, src->r.num);
   for (unsigned c = 0; c < 4 && mark; c++) {
      unsigned sel = il_src_swz(src, c);
      if (!(mask >> c & 1) || sel > 3)
         continue;
      if (src->r.type == IL_REGTYPE_TEMP && src->r.num < im->num_temps) {
         note_read(im, im_temp_comp(im, src->r.num, sel));
      } else if (src->r.type == IL_REGTYPE_ITEMP && src->r.num < im->num_xarrays) {
         im->xarrays[src->r.num].used |= 1u << sel;
         if (!im->xarrays[src->r.num].indexed && src->r.imm < im->xarrays[src->r.num].size)
            note_read(im, &im->xarrays[src->r.num].comps[src->r.imm * 4 + sel]);
      }
   }
}

static struct reg_comp *
out_comps(struct importer *im, const struct il_ref *ref)
{
   switch (ref->type) {
   case IL_REGTYPE_OUTPUT:
      if (ref->num >= MAX_OUTPUTS)
         im_unsupported(im, "output register out of range");
      return im->out[ref->num];
   case IL_REGTYPE_DEPTH:
   case IL_REGTYPE_DEPTH_LE:
   case IL_REGTYPE_DEPTH_GE:
      return im->out_special[OUT_DEPTH];
   case IL_REGTYPE_STENCIL:
      return im->out_special[OUT_STENCIL];
   case IL_REGTYPE_OMASK:
      return im->out_special[OUT_MASK];
   case IL_REGTYPE_EDGEFLAG:
      return im->out_special[OUT_EDGE_FLAG];
   default:
      return NULL;
   }
}

struct reg_comp *
im_dst_comp(struct importer *im, const struct il_dst *dst, unsigned comp)
{
   struct il_dst element;

   if (im_output_element(im, dst, &element))
      return NULL;
   if (dst->r.type == IL_REGTYPE_TEMP && dst->r.num < im->num_temps)
      return im_temp_comp(im, dst->r.num, comp);
   if (dst->r.type == IL_REGTYPE_ITEMP && dst->r.num < im->num_xarrays) {
      if (im->xarrays[dst->r.num].indexed)
         return NULL;
      return dst->r.imm < im->xarrays[dst->r.num].size
                ? &im->xarrays[dst->r.num].comps[dst->r.imm * 4 + comp]
                : NULL;
   }
   if (dst->r.type == IL_REGTYPE_GENERIC_MEM || dst->r.type == IL_REGTYPE_PATCHCONST ||
       (dst->r.type == IL_REGTYPE_OUTPUT && im->c->out->stage == SHADER_STAGE_HS))
      return NULL;
   struct reg_comp *out = out_comps(im, &dst->r);
   if (!out)
      im_unsupported(im, "destination register type");
   if (dst->r.rel != IL_ADDR_ABSOLUTE)
      im_unsupported(im, "indexed output");
   return &out[comp];
}

/* R: where component COMP of REF is kept, if that is not in an indexed array. */
static void
note_write(struct importer *im, const struct il_ref *ref, unsigned comp, struct reg_comp *r)
{
   if (ref->type == IL_REGTYPE_ITEMP && ref->num < im->num_xarrays)
      im->xarrays[ref->num].used |= 1u << comp;
   if (!r)
      return;
   r->variable |= im->inst->op == IL_OP_CMOV; /* keeps what it had */
   r->defs++;
   r->def_pos = im->pos;
   r->def_region = im->region;
   if (r->defs > 1)
      r->variable = true;
}

static void
walk_regions(struct importer *im, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);

   switch (info ? info->flow : IL_FLOW_NONE) {
   case IL_FLOW_IF:
   case IL_FLOW_LOOP:
      enter_region(im);
      break;
   case IL_FLOW_SWITCH:
      enter_region(im);
      enter_region(im); /* what stands behind a label */
      break;
   case IL_FLOW_ENDSWITCH:
      im->region = im->region_parent[im->region_parent[im->region]];
      break;
   case IL_FLOW_LABEL:
   case IL_FLOW_ELSE:
      im->region = im->region_parent[im->region];
      enter_region(im);
      break;
   case IL_FLOW_ENDIF:
   case IL_FLOW_ENDLOOP:
      im->region = im->region_parent[im->region];
      break;
   default:
      break;
   }
}

static void
start_regions(struct importer *im)
{
   im->num_regions = 0;
   im->region = 0;
   enter_region(im);
   im->region_parent[0] = 0;
}

static void
scan_sizes(struct importer *im)
{
   for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
      const struct il_inst *inst = &im->il->insts[im->pos];
      im->inst = inst;
      for (unsigned d = 0; d < inst->ndst; d++) {
         const struct il_ref *r = &inst->dst[d].r;
         if (r->type == IL_REGTYPE_TEMP && r->num >= im->num_temps)
            im->num_temps = r->num + 1;
      }
      if (inst->op == IL_OP_DCL_LITERAL && inst->nsrc) {
         uint32_t n = inst->src[0].r.num;
         im->num_literals = n >= im->num_literals ? n + 1 : im->num_literals;
      } else if (inst->op == IL_OP_DCL_INDEXED_TEMP_ARRAY && inst->nsrc) {
         uint32_t n = inst->src[0].r.num;
         im->num_xarrays = n >= im->num_xarrays ? n + 1 : im->num_xarrays;
      }
      if (im->num_temps > 65536 || im->num_literals > 65536 || im->num_xarrays > 4096)
         im_unsupported(im, "register number above 65535");
   }
   im_reserve_io_arrays(im);
   im->temps = cc_alloc(im->c, sizeof(*im->temps) * 4 * im->num_temps);
   im->literals = cc_alloc(im->c, sizeof(*im->literals) * im->num_literals);
   im->xarrays = cc_alloc(im->c, sizeof(*im->xarrays) * im->num_xarrays);
}

void
im_scan(struct importer *im)
{
   scan_sizes(im);
   for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
      im->inst = &im->il->insts[im->pos];
      if (im->inst->op == IL_OP_DCL_INDEXED_TEMP_ARRAY && im->inst->nsrc) {
         const struct il_ref *r = &im->inst->src[0].r;
         if (r->imm > 4096)
            im_unsupported(im, "array of more than 4096 elements");
         im->xarrays[r->num].size = r->imm;
         im->xarrays[r->num].array = -1;
         im->xarrays[r->num].comps = cc_alloc(im->c, sizeof(struct reg_comp) * 4 * r->imm);
      } else {
         im_declare(im, im->inst);
      }
   }
   /* Which arrays are indexed must be known before writers are counted. */
   for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
      im->inst = &im->il->insts[im->pos];
      for (unsigned d = 0; d < im->inst->ndst; d++) {
         const struct il_dst *dst = &im->inst->dst[d];
         note_ref(im, &dst->r, false);
         if (dst->r.type == IL_REGTYPE_OUTPUT && dst->r.rel == IL_ADDR_REG_RELATIVE &&
             im->c->out->stage != SHADER_STAGE_HS)
            im_index_outputs(im, dst->r.num);
      }
      for (unsigned s = 0; s < im->inst->nsrc; s++)
         note_src(im, &im->inst->src[s], 0, false);
   }
   for (int pass = 0; pass < 2; pass++) {
      start_regions(im);
      for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
         const struct il_inst *inst = im->inst = &im->il->insts[im->pos];
         const struct il_op_info *info = il_op_info(inst->op);
         if (!info || info->category == IL_CAT_DECL)
            continue;
         if (pass == 1)
            for (unsigned s = 0; s < inst->nsrc; s++)
               note_src(im, &inst->src[s], im_src_mask(im, inst, s), true);
         for (unsigned d = 0; d < inst->ndst; d++) {
            for (unsigned comp = 0; comp < 4 && pass == 0; comp++)
               if (il_dst_comp(&inst->dst[d], comp) != IL_MODCOMP_NOWRITE)
                  note_write(im, &inst->dst[d].r, comp, im_dst_comp(im, &inst->dst[d], comp));
            if (pass == 1)
               note_ref(im, &inst->dst[d].r, true);
         }
         walk_regions(im, inst);
      }
   }
   if (im->c->out->stage == SHADER_STAGE_GS)
      im_gs_scan(im);
   /* Outputs are read at the program's end. */
   im->region = 0;
   for (unsigned o = 0; o < MAX_OUTPUTS; o++)
      for (unsigned comp = 0; comp < 4; comp++)
         note_read(im, &im->out[o][comp]);
   for (unsigned o = 0; o < OUT_SPECIAL_COUNT; o++)
      note_read(im, &im->out_special[o][0]);
   start_regions(im);
}
