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
   switch (inst->op) {
   case IL_OP_DP2:
      return 3;
   case IL_OP_DP2ADD:
      return s == 2 ? 4 : 3;
   case IL_OP_DP3:
      return 7;
   case IL_OP_DP4:
      return 15;
   case IL_OP_IF_LOGICALZ:
   case IL_OP_IF_LOGICALNZ:
   case IL_OP_BREAK_LOGICALZ:
   case IL_OP_BREAK_LOGICALNZ:
   case IL_OP_CONTINUE_LOGICALZ:
   case IL_OP_CONTINUE_LOGICALNZ:
   case IL_OP_DISCARD_LOGICALZ:
   case IL_OP_DISCARD_LOGICALNZ:
   case IL_OP_SWITCH:
   case IL_OP_IFC:
   case IL_OP_BREAKC:
   case IL_OP_CONTINUEC:
   case IL_OP_RESINFO:
   case IL_OP_SAMPLEPOS:
      return 1;
   case IL_OP_RCP:
   case IL_OP_RSQ:
   case IL_OP_SQRT:
   case IL_OP_EXP:
   case IL_OP_LOG:
   case IL_OP_SIN:
   case IL_OP_COS:
   case IL_OP_POW:
   case IL_OP_EXN:
   case IL_OP_LN:
   case IL_OP_ACOS:
   case IL_OP_ASIN:
   case IL_OP_ATAN:
   case IL_OP_TAN:
   case IL_OP_SINCOS:
   case IL_OP_DXSINCOS:
   case IL_OP_EXPP:
   case IL_OP_LOGP:
      return 8;
   case IL_OP_QSAD_U8:
   case IL_OP_MQSAD_U8:
      return 3;
   case IL_OP_CRS:
   case IL_OP_DIST:
   case IL_OP_LEN:
      return 7;
   case IL_OP_DST:
   case IL_OP_LIT:
   case IL_OP_NRM:
   case IL_OP_REFLECT:
   case IL_OP_FACEFORWARD:
   case IL_OP_F_2_U4:
   case IL_OP_SAD_4:
   case IL_OP_COLORCLAMP:
   case IL_OP_PROJECT:
      return 15;
   case IL_OP_CMOV: {
      unsigned mask = 0;
      for (unsigned c = 0; c < 4; c++) {
         mask |= (unsigned)(il_dst_comp(&inst->dst[0], c) != IL_MODCOMP_NOWRITE) << c;
      }
      return mask;
   }
   case IL_OP_SAMPLE:
   case IL_OP_SAMPLE_B:
   case IL_OP_SAMPLE_L:
   case IL_OP_SAMPLE_C:
   case IL_OP_SAMPLE_C_LZ:
   case IL_OP_SAMPLE_C_L:
   case IL_OP_SAMPLE_C_B:
   case IL_OP_FETCH4:
   case IL_OP_FETCH4_C:
   case IL_OP_GETLOD:
      return s == 0 ? coord_mask(im, inst) : 1;
   case IL_OP_FETCH4_PO:
   case IL_OP_FETCH4_PO_C:
      return s == 0 ? coord_mask(im, inst) : 3;
   case IL_OP_SAMPLE_G:
   case IL_OP_SAMPLE_C_G:
      return s == 0 ? coord_mask(im, inst) : 7;
   case IL_OP_LOAD:
   case IL_OP_LOAD_FPTR:
   case IL_OP_TEXLD:
   case IL_OP_TEXLDB:
   case IL_OP_TEXLDD:
   case IL_OP_TEXLDMS:
   case IL_OP_LOD:
   case IL_OP_KILL:
   case IL_OP_MEMEXPORT:
   case IL_OP_MEMIMPORT:
      return 15;
   case IL_OP_EVAL_SNAPPED:
      return s == 0 ? il_dst_mask(&inst->dst[0]) : 3;
   case IL_OP_EVAL_SAMPLE_INDEX:
      return s == 0 ? il_dst_mask(&inst->dst[0]) : 1;
   default:
      break;
   }
   const struct il_op_info *info = il_op_info(inst->op);
   if (info && (info->category == IL_CAT_LDS || info->category == IL_CAT_UAV ||
                info->category == IL_CAT_GDS || info->category == IL_CAT_SRV)) {
      return 15; /* addresses and values, by the kind of memory */
   }
   if (info && (info->type == IL_TYPE_DOUBLE || info->type == IL_TYPE_INT64 ||
                info->type == IL_TYPE_UINT64)) {
      return 3;
   }
   if (inst->op == IL_OP_F_2_D || inst->op == IL_OP_ITOD || inst->op == IL_OP_UTOD) {
      return 1;
   }
   if (info && s >= info->srcs) {
      return 1; /* index sources */
   }
   return inst->ndst ? il_dst_mask(&inst->dst[0]) : 15;
}

/* --- first walk: writers and readers ---------------------------------------------------------- */

static bool
region_encloses(const struct importer *im, uint32_t outer, uint32_t inner)
{
   while (inner != outer && inner != 0) {
      inner = im->region_parent[inner];
   }
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
   if (r->defs && (r->def_pos >= im->pos || !region_encloses(im, r->def_region, im->region))) {
      r->variable = true;
   }
}

static void note_src(struct importer *im, const struct il_src *src, unsigned mask, bool mark);

static void
note_ref(struct importer *im, const struct il_ref *ref, bool mark)
{
   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      if (ref->type == IL_REGTYPE_ITEMP && ref->num < im->num_xarrays) {
         im->xarrays[ref->num].indexed = true;
      }
      note_src(im, ref->index, 1, mark);
   } else if (ref->rel == IL_ADDR_RELATIVE) {
      im_unsupported(im, "addressing through a0 or aL");
   }
}

static void
note_src(struct importer *im, const struct il_src *src, unsigned mask, bool mark)
{
   note_ref(im, &src->r, mark);
   if (src->has_mod && src->divcomp != IL_DIVCOMP_NONE) {
      mask = 15; /* one component divides the others */
   }
   if (src->r.type == IL_REGTYPE_INPUT && src->r.rel == IL_ADDR_REG_RELATIVE && !src->dim2) {
      im_index_inputs(im, src->r.num);
   }
   for (unsigned c = 0; c < 4 && mark; c++) {
      unsigned sel = il_src_swz(src, c);
      if (!(mask >> c & 1) || sel > 3) {
         continue;
      }
      if (src->r.type == IL_REGTYPE_TEMP && src->r.num < im->num_temps) {
         note_read(im, im_temp_comp(im, src->r.num, sel));
      } else if (src->r.type == IL_REGTYPE_ITEMP && src->r.num < im->num_xarrays) {
         im->xarrays[src->r.num].used |= 1u << sel;
         if (!im->xarrays[src->r.num].indexed && src->r.imm < im->xarrays[src->r.num].size) {
            note_read(im, &im->xarrays[src->r.num].comps[src->r.imm * 4 + sel]);
         }
      }
   }
}

static struct reg_comp *
out_comps(struct importer *im, const struct il_ref *ref)
{
   switch (ref->type) {
   case IL_REGTYPE_OUTPUT:
      if (ref->num >= MAX_OUTPUTS) {
         im_unsupported(im, "output register out of range");
      }
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

   if (im_output_element(im, dst, &element)) {
      return NULL;
   }
   if (dst->r.type == IL_REGTYPE_TEMP && dst->r.num < im->num_temps) {
      return im_temp_comp(im, dst->r.num, comp);
   }
   if (dst->r.type == IL_REGTYPE_ITEMP && dst->r.num < im->num_xarrays) {
      if (im->xarrays[dst->r.num].indexed) {
         return NULL;
      }
      return dst->r.imm < im->xarrays[dst->r.num].size
                ? &im->xarrays[dst->r.num].comps[dst->r.imm * 4 + comp]
                : NULL;
   }
   if (dst->r.type == IL_REGTYPE_GENERIC_MEM || dst->r.type == IL_REGTYPE_PATCHCONST ||
       (dst->r.type == IL_REGTYPE_OUTPUT && im->c->out->stage == CAYMAN_STAGE_HS)) {
      return NULL;
   }
   struct reg_comp *out = out_comps(im, &dst->r);
   if (!out) {
      im_unsupported(im, "destination register type");
   }
   if (dst->r.rel != IL_ADDR_ABSOLUTE) {
      im_unsupported(im, "indexed output");
   }
   return &out[comp];
}

/* R: where component COMP of REF is kept, if that is not in an indexed array. */
static void
note_write(struct importer *im, const struct il_ref *ref, unsigned comp, struct reg_comp *r)
{
   if (ref->type == IL_REGTYPE_ITEMP && ref->num < im->num_xarrays) {
      im->xarrays[ref->num].used |= 1u << comp;
   }
   if (!r) {
      return;
   }
   r->variable |= im->inst->op == IL_OP_CMOV; /* keeps what it had */
   r->defs++;
   r->def_pos = im->pos;
   r->def_region = im->region;
   if (r->defs > 1) {
      r->variable = true;
   }
}

static void
walk_regions(struct importer *im, const struct il_inst *inst)
{
   switch (inst->op) {
   case IL_OP_IF_LOGICALZ:
   case IL_OP_IF_LOGICALNZ:
   case IL_OP_IFC:
   case IL_OP_WHILE:
      enter_region(im);
      break;
   case IL_OP_SWITCH:
      enter_region(im);
      enter_region(im); /* what stands behind a label */
      break;
   case IL_OP_ENDSWITCH:
      im->region = im->region_parent[im->region_parent[im->region]];
      break;
   case IL_OP_CASE:
   case IL_OP_DEFAULT:
   case IL_OP_ELSE:
      im->region = im->region_parent[im->region];
      enter_region(im);
      break;
   case IL_OP_ENDIF:
   case IL_OP_ENDLOOP:
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
         if (r->type == IL_REGTYPE_TEMP && r->num >= im->num_temps) {
            im->num_temps = r->num + 1;
         }
      }
      if (inst->op == IL_OP_DCL_LITERAL && inst->nsrc) {
         uint32_t n = inst->src[0].r.num;
         im->num_literals = n >= im->num_literals ? n + 1 : im->num_literals;
      } else if (inst->op == IL_OP_DCL_INDEXED_TEMP_ARRAY && inst->nsrc) {
         uint32_t n = inst->src[0].r.num;
         im->num_xarrays = n >= im->num_xarrays ? n + 1 : im->num_xarrays;
      }
      if (im->num_temps > 65536 || im->num_literals > 65536 || im->num_xarrays > 4096) {
         im_unsupported(im, "register number above 65535");
      }
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
         if (r->imm > 4096) {
            im_unsupported(im, "array of more than 4096 elements");
         }
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
             im->c->out->stage != CAYMAN_STAGE_HS) {
            im_index_outputs(im, dst->r.num);
         }
      }
      for (unsigned s = 0; s < im->inst->nsrc; s++) {
         note_src(im, &im->inst->src[s], 0, false);
      }
   }
   for (int pass = 0; pass < 2; pass++) {
      start_regions(im);
      for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
         const struct il_inst *inst = im->inst = &im->il->insts[im->pos];
         const struct il_op_info *info = il_op_info(inst->op);
         if (!info || info->category == IL_CAT_DECL) {
            continue;
         }
         if (pass == 1) {
            for (unsigned s = 0; s < inst->nsrc; s++) {
               note_src(im, &inst->src[s], im_src_mask(im, inst, s), true);
            }
         }
         for (unsigned d = 0; d < inst->ndst; d++) {
            for (unsigned comp = 0; comp < 4 && pass == 0; comp++) {
               if (il_dst_comp(&inst->dst[d], comp) != IL_MODCOMP_NOWRITE) {
                  note_write(im, &inst->dst[d].r, comp, im_dst_comp(im, &inst->dst[d], comp));
               }
            }
            if (pass == 1) {
               note_ref(im, &inst->dst[d].r, true);
            }
         }
         walk_regions(im, inst);
      }
   }
   if (im->c->out->stage == CAYMAN_STAGE_GS) {
      im_gs_scan(im);
   }
   /* Outputs are read at the program's end. */
   im->region = 0;
   for (unsigned o = 0; o < MAX_OUTPUTS; o++) {
      for (unsigned comp = 0; comp < 4; comp++) {
         note_read(im, &im->out[o][comp]);
      }
   }
   for (unsigned o = 0; o < OUT_SPECIAL_COUNT; o++) {
      note_read(im, &im->out_special[o][0]);
   }
   start_regions(im);
}
