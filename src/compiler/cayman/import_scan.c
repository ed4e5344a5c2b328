/* SPDX-License-Identifier: MIT */
/*
 * Import, first walk: which components an instruction reads, how often and where in the tree of
 * branches and loops each register component is written, and whether all readers come after it
 * and inside the same branch or loop.
 */
#include "import.h"

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

static void
note_src(const struct il_src *src, unsigned mask, void *data)
{
   struct importer *im = data;

   for (unsigned c = 0; c < 4; c++) {
      unsigned sel = il_src_swz(src, c);
      if (!(mask >> c & 1) || sel > 3)
         continue;
      if (src->r.type == IL_REGTYPE_TEMP && src->r.num < im->decl.num_temps) {
         note_read(im, im_temp_comp(im, src->r.num, sel));
      } else if (src->r.type == IL_REGTYPE_ITEMP && src->r.num < im->num_xarrays) {
         im->xarrays[src->r.num].used |= 1u << sel;
         if (!im->xarrays[src->r.num].indexed && src->r.imm < im->xarrays[src->r.num].size)
            note_read(im, &im->xarrays[src->r.num].comps[src->r.imm * 4 + sel]);
      }
   }
}

/* Inputs and outputs at an index at run time are arrays. */
static void
index_input(const struct il_src *src, unsigned mask, void *data)
{
   (void)mask;
   if (src->r.type == IL_REGTYPE_INPUT && src->r.rel == IL_ADDR_REG_RELATIVE && !src->dim2)
      im_index_inputs(data, src->r.num);
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
   if (dst->r.type == IL_REGTYPE_TEMP && dst->r.num < im->decl.num_temps)
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
      enter_region(im); /* what follows a label */
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

static void *
allocate(void *data, size_t bytes)
{
   struct importer *im = data;
   return cc_alloc(im->c, bytes);
}

static void
refuse(void *data, uint32_t inst, const char *what)
{
   struct importer *im = data;
   im->inst = &im->il->insts[inst];
   im->pos = inst;
   im_unsupported(im, what);
}

static void
declare(struct importer *im)
{
   const struct il_declare_to to = { allocate, refuse, im };

   il_declare(&im->decl, im->il, il_has_counters(im->c->source), &to);
   const char *wrong = front_describe(im->c->out, &im->decl, im->c->copy);
   if (wrong)
      im_unsupported(im, wrong);
   im->slots.link = im->decl.link_slots;
   im->num_xarrays = im->decl.num_arrays;
   im_reserve_io_arrays(im);
   im->temps = cc_alloc(im->c, sizeof(*im->temps) * 4 * im->decl.num_temps);
   im->xarrays = cc_alloc(im->c, sizeof(*im->xarrays) * im->num_xarrays);
   for (uint32_t n = 0; n < im->decl.num_arrays; n++) {
      im->xarrays[n].size = im->decl.array[n].size;
      im->xarrays[n].indexed = im->decl.array[n].indexed;
      im->xarrays[n].array = -1;
      if (im->xarrays[n].size)
         im->xarrays[n].comps = cc_alloc(im->c, sizeof(struct reg_comp) * 4 * im->xarrays[n].size);
   }
}

void
im_scan(struct importer *im)
{
   declare(im);
   for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
      im->inst = &im->il->insts[im->pos];
      for (unsigned d = 0; d < im->inst->ndst; d++) {
         const struct il_ref *r = &im->inst->dst[d].r;
         if (r->type == IL_REGTYPE_OUTPUT && r->rel == IL_ADDR_REG_RELATIVE &&
             im->c->out->stage != SHADER_STAGE_HS)
            im_index_outputs(im, r->num);
      }
      il_visit_reads(&im->decl, im->inst, index_input, im);
   }
   for (int pass = 0; pass < 2; pass++) {
      start_regions(im);
      for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
         const struct il_inst *inst = im->inst = &im->il->insts[im->pos];
         const struct il_op_info *info = il_op_info(inst->op);
         if (!info || info->category == IL_CAT_DECL)
            continue;
         if (pass == 1)
            il_visit_reads(&im->decl, inst, note_src, im);
         for (unsigned d = 0; d < inst->ndst; d++) {
            for (unsigned comp = 0; comp < 4 && pass == 0; comp++)
               if (il_dst_comp(&inst->dst[d], comp) != IL_MODCOMP_NOWRITE)
                  note_write(im, &inst->dst[d].r, comp, im_dst_comp(im, &inst->dst[d], comp));
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
