/* SPDX-License-Identifier: MIT */
/*
 * Import: an IL program becomes blocks of scalar instructions.
 *
 * A first walk counts the writers of every register component and where they stand in the tree of
 * branches and loops.  A component with one writer, which stands before and around every reader, is
 * an SSA value; a plain copy into one is no instruction, its readers take the copied operand.  All
 * others become variables.  IL from NIR is almost wholly of the first kind.
 *
 * Arithmetic, fetches and inputs/outputs are in import_alu.c, import_fetch.c and import_io.c.
 */
#include "import.h"

#include <string.h>

void
im_unsupported(struct importer *im, const char *what)
{
   const struct il_op_info *info = im->inst ? il_op_info(im->inst->op) : NULL;
   cc_fail(im->c, "not implemented: %s (%s at instruction %u)", what, info ? info->name : "end",
           im->pos);
}

/* --- which components does a source read? ---------------------------------------------------- */

static unsigned
coord_mask(const struct importer *im, unsigned resource)
{
   if (resource >= 32) {
      return 15;
   }
   switch (im->resource[resource].type) {
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
   case IL_OP_DP2ADD:
      return 3;
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
   case IL_OP_IFC:
   case IL_OP_BREAKC:
   case IL_OP_CONTINUEC:
   case IL_OP_RESINFO:
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
      return 8;
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
      return s == 0 ? coord_mask(im, il_resource(inst)) : 1;
   case IL_OP_SAMPLE_G:
   case IL_OP_SAMPLE_C_G:
      return s == 0 ? coord_mask(im, il_resource(inst)) : 7;
   case IL_OP_LOAD:
      return 15;
   case IL_OP_EVAL_SNAPPED:
      return s == 0 ? il_dst_mask(&inst->dst[0]) : 3;
   case IL_OP_EVAL_SAMPLE_INDEX:
      return s == 0 ? il_dst_mask(&inst->dst[0]) : 1;
   default:
      break;
   }
   const struct il_op_info *info = il_op_info(inst->op);
   if (info && s >= info->srcs) {
      return 1; /* index sources */
   }
   return inst->ndst ? il_dst_mask(&inst->dst[0]) : 15;
}

/* --- first walk: writers and readers -----------------------------------------------------------
 */

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

static struct reg_comp *
temp_comp(struct importer *im, uint32_t num, unsigned comp)
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
      if (ref->type == IL_REGTYPE_INPUT) {
         im->input_indexed = true;
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
   for (unsigned c = 0; c < 4 && mark; c++) {
      unsigned sel = il_src_swz(src, c);
      if (!(mask >> c & 1) || sel > 3) {
         continue;
      }
      if (src->r.type == IL_REGTYPE_TEMP && src->r.num < im->num_temps) {
         note_read(im, temp_comp(im, src->r.num, sel));
      } else if (src->r.type == IL_REGTYPE_ITEMP && src->r.num < im->num_xarrays &&
                 !im->xarrays[src->r.num].indexed && src->r.imm < im->xarrays[src->r.num].size) {
         note_read(im, &im->xarrays[src->r.num].comps[src->r.imm * 4 + sel]);
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

/* Where component `comp` of a destination is kept, or NULL (an indexed array). */
static struct reg_comp *
dst_comp(struct importer *im, const struct il_dst *dst, unsigned comp)
{
   if (dst->r.type == IL_REGTYPE_TEMP && dst->r.num < im->num_temps) {
      return temp_comp(im, dst->r.num, comp);
   }
   if (dst->r.type == IL_REGTYPE_ITEMP && dst->r.num < im->num_xarrays) {
      if (im->xarrays[dst->r.num].indexed) {
         return NULL;
      }
      return dst->r.imm < im->xarrays[dst->r.num].size
                ? &im->xarrays[dst->r.num].comps[dst->r.imm * 4 + comp]
                : NULL;
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

static void
note_write(struct importer *im, struct reg_comp *r)
{
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
   im->temps = cc_alloc(im->c, sizeof(*im->temps) * 4 * im->num_temps);
   im->literals = cc_alloc(im->c, sizeof(*im->literals) * im->num_literals);
   im->xarrays = cc_alloc(im->c, sizeof(*im->xarrays) * im->num_xarrays);
}

static void
scan(struct importer *im)
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
         note_ref(im, &im->inst->dst[d].r, false);
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
         if (!info || info->category == IL_CAT_DECL || info->category == IL_CAT_MEMDECL) {
            continue;
         }
         if (pass == 1) {
            for (unsigned s = 0; s < inst->nsrc; s++) {
               note_src(im, &inst->src[s], im_src_mask(im, inst, s), true);
            }
         }
         for (unsigned d = 0; d < inst->ndst; d++) {
            for (unsigned comp = 0; comp < 4 && pass == 0; comp++) {
               struct reg_comp *r;
               if (il_dst_comp(&inst->dst[d], comp) != IL_MODCOMP_NOWRITE &&
                   (r = dst_comp(im, &inst->dst[d], comp))) {
                  note_write(im, r);
               }
            }
            if (pass == 1) {
               note_ref(im, &inst->dst[d].r, true);
            }
         }
         walk_regions(im, inst);
      }
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

/* --- operands ----------------------------------------------------------------------------------
 */

static value_id
comp_value(struct importer *im, struct reg_comp *r)
{
   if (!r->value) {
      r->value = r->variable ? cc_variable(im->c) : cc_value(im->c);
   }
   return r->value;
}

static struct operand
read_comp(struct importer *im, struct reg_comp *r)
{
   if (!r->defs) {
      return op_const(0); /* never written: anything will do */
   }
   if (r->has_alias) {
      return r->alias;
   }
   return op_value(comp_value(im, r));
}

struct operand
im_out_value(struct importer *im, const struct reg_comp *r)
{
   return read_comp(im, (struct reg_comp *)r);
}

/* An element of an array in scratch memory.  Components that one IL instruction reads share a
 * fetch. */
static struct operand
load_scratch(struct importer *im, const struct array *array, uint32_t number, uint32_t elem,
             struct operand index, unsigned sel)
{
   struct compiler *c = im->c;
   struct inst *load = im->last_load.fetch;

   if (!load || im->last_load.array != number || im->last_load.elem != elem ||
       im->last_load.origin != c->origin || !op_same(&im->last_load.index, &index)) {
      load = cc_scratch_load(c, array->base);
      struct cayman_mem *mem = &load->fetch[0].proto.mem;
      if (index.kind == OPERAND_NONE) {
         mem->array_base += elem;
      } else {
         mem->indexed = true;
         mem->array_size = array->size - 1;
         load->fetch[0].src[0] =
            elem ? op_value(im_emit2(im, CAYMAN_ALU_ADD_INT, index, op_const(elem))) : index;
      }
      cc_append(c, cc_block(c), load);
      im->last_load.fetch = load;
      im->last_load.array = number;
      im->last_load.elem = elem;
      im->last_load.origin = c->origin;
      im->last_load.index = index;
   }
   if (!load->fetch[0].dst[sel]) {
      load->fetch[0].dst[sel] = cc_value(c);
      c->values[load->fetch[0].dst[sel]].def = load;
   }
   return op_value(load->fetch[0].dst[sel]);
}

static struct operand
read_scratch(struct importer *im, const struct il_ref *ref, unsigned sel)
{
   const struct array *array = &im->c->arrays[im->xarrays[ref->num].array];
   struct operand index = op_none();
   uint32_t elem = ref->imm;

   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      index = im_plain(im, im_src(im, ref->index, 0));
      if (index.kind == OPERAND_CONST) {
         elem += index.value;
         index = op_none();
      } else if (index.kind != OPERAND_VALUE) {
         index = op_value(cc_mov(im->c, 0, index));
      }
   }
   if (index.kind == OPERAND_NONE && elem >= array->size) {
      return op_const(0);
   }
   return load_scratch(im, array, ref->num, elem, index, sel);
}

static struct operand
read_array(struct importer *im, const struct il_src *src, unsigned sel)
{
   const struct il_ref *ref = &src->r;
   if (ref->num >= im->num_xarrays || !im->xarrays[ref->num].comps) {
      im_unsupported(im, "array that is not declared");
   }
   if (!im->xarrays[ref->num].indexed) {
      return ref->imm < im->xarrays[ref->num].size
                ? read_comp(im, &im->xarrays[ref->num].comps[ref->imm * 4 + sel])
                : op_const(0);
   }
   if (im->c->arrays[im->xarrays[ref->num].array].scratch) {
      return read_scratch(im, ref, sel);
   }
   struct operand o = {
      .kind = OPERAND_ARRAY, .bank = im->xarrays[ref->num].array, .index = ref->imm, .chan = sel
   };
   value_id ar = 0;
   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      struct operand index = im_plain(im, im_src(im, ref->index, 0));
      if (index.kind == OPERAND_CONST) {
         o.index += index.value;
      } else {
         o.rel = true;
         if (o.index >= im->xarrays[ref->num].size) {
            o.index = 0; /* outside whatever the index is: any element will do */
         }
         ar = index.kind == OPERAND_VALUE ? index.value : cc_mov(im->c, 0, index);
      }
   }
   if (!o.rel && o.index >= im->xarrays[ref->num].size) {
      return op_const(0);
   }
   /* One index per instruction: every element is read by a MOV of its own. */
   struct inst *inst =
      cc_emit_inst(im->c, CAYMAN_ALU_MOV, cc_value(im->c), o, op_none(), op_none());
   inst->ar = ar;
   return op_value(inst->lane[0].dst);
}

static struct operand
read_constant(struct importer *im, const struct il_ref *ref, unsigned bank, unsigned base,
              unsigned sel)
{
   unsigned index = base + (ref->has_imm ? ref->imm : 0);

   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      struct operand dynamic = im_plain(im, im_src(im, ref->index, 0));
      if (dynamic.kind != OPERAND_CONST) {
         return im_indexed_constant(im, bank, index, dynamic, sel);
      }
      index += dynamic.value;
   }
   if (index >= 4096) {
      return op_const(0);
   }
   im->c->out->const_buffers |= 1u << bank;
   return op_kcache(bank, index, sel);
}

static struct operand
read_register(struct importer *im, const struct il_src *src, unsigned sel)
{
   const struct il_ref *ref = &src->r;

   switch (ref->type) {
   case IL_REGTYPE_TEMP:
      return ref->num < im->num_temps ? read_comp(im, temp_comp(im, ref->num, sel)) : op_const(0);
   case IL_REGTYPE_LITERAL:
      if (ref->num >= im->num_literals || !im->literals[ref->num]) {
         im_unsupported(im, "literal that is not declared");
      }
      return op_const(im->literals[ref->num][sel]);
   case IL_REGTYPE_CONST_BUFF:
      if (ref->num > IL_DRIVER_CB) {
         im_unsupported(im, "constant buffer above 15");
      }
      return read_constant(im, ref, ref->num, 0, sel);
   case IL_REGTYPE_IMMED_CONST_BUFF:
      if (im->icb && ref->rel == IL_ADDR_ABSOLUTE) {
         uint64_t at = 1 + 4 * (uint64_t)(ref->has_imm ? ref->imm : ref->num) + sel;
         return op_const(at < im->icb->ndata ? im->icb->data[at] : 0);
      }
      return read_constant(im, ref, IL_DRIVER_CB, CAYMAN_ICB_FIRST_VEC4, sel);
   case IL_REGTYPE_ITEMP:
      return read_array(im, src, sel);
   case IL_REGTYPE_INPUT:
      if (ref->rel != IL_ADDR_ABSOLUTE) {
         im_unsupported(im, "indexed input");
      }
      return im_input(im, ref->num, sel);
   case IL_REGTYPE_INPUT_COVERAGE_MASK:
      return im_coverage(im);
   default:
      im_unsupported(im, "source register type");
   }
}

struct operand
im_plain(struct importer *im, struct operand o)
{
   if (o.neg || o.abs) {
      return op_value(cc_mov(im->c, 0, o));
   }
   return o;
}

struct operand
im_src(struct importer *im, const struct il_src *src, unsigned comp)
{
   unsigned sel = il_src_swz(src, comp);
   struct operand o;

   if (src->dim2) {
      im_unsupported(im, "two-dimensional source");
   }
   if (sel == IL_COMPSEL_0) {
      o = op_const(0);
   } else if (sel == IL_COMPSEL_1) {
      o = op_const(0x3f800000);
   } else {
      o = read_register(im, src, sel & 3);
   }
   if (!src->has_mod) {
      return o;
   }
   if (src->flags & (IL_SRC_INVERT | IL_SRC_BIAS | IL_SRC_X2 | IL_SRC_SIGN | IL_SRC_CLAMP) ||
       src->divcomp != IL_DIVCOMP_NONE) {
      im_unsupported(im, "source modifier");
   }
   const struct il_op_info *info = il_op_info(im->inst->op);
   bool integer = info && (info->type == IL_TYPE_INT || info->type == IL_TYPE_UINT);
   if (integer) {
      if (il_src_abs(src)) {
         o = op_value(im_emit2(im, CAYMAN_ALU_MAX_INT, o,
                               op_value(im_emit2(im, CAYMAN_ALU_SUB_INT, op_const(0), o))));
      }
      if (il_src_neg(src, comp)) {
         o = op_value(im_emit2(im, CAYMAN_ALU_SUB_INT, op_const(0), o));
      }
      return o;
   }
   if (il_src_abs(src)) {
      o = op_abs(o);
   }
   if (il_src_neg(src, comp)) {
      o = op_neg(o);
   }
   return o;
}

/* --- emission ------------------------------------------------------------------------------------
 */

value_id
im_emit(struct importer *im, unsigned op, value_id dst, struct operand a, struct operand b,
        struct operand d)
{
   struct operand *src[3] = { &a, &b, &d };
   const struct cayman_alu_info *info = cayman_alu_info(op);

   for (unsigned i = 0; i < info->num_src; i++) {
      if (!cc_float_source(op) || (info->op3 && src[i]->abs)) {
         *src[i] = im_plain(im, *src[i]);
      }
   }
   return cc_emit(im->c, op, dst, a, b, d);
}

value_id
im_emit1(struct importer *im, unsigned op, struct operand a)
{
   return im_emit(im, op, 0, a, op_none(), op_none());
}

value_id
im_emit2(struct importer *im, unsigned op, struct operand a, struct operand b)
{
   return im_emit(im, op, 0, a, b, op_none());
}

value_id
im_emit3(struct importer *im, unsigned op, struct operand a, struct operand b, struct operand d)
{
   return im_emit(im, op, 0, a, b, d);
}

/* Is this operand the same wherever it is read? */
static bool
immutable(const struct compiler *c, const struct operand *o)
{
   switch (o->kind) {
   case OPERAND_CONST:
   case OPERAND_KCACHE:
      return true;
   case OPERAND_VALUE:
      return c->values[o->value].ssa;
   default:
      return false;
   }
}

static void
store_array(struct importer *im, const struct il_dst *dst, unsigned comp, struct operand o)
{
   const struct il_ref *ref = &dst->r;
   value_id ar = 0;
   uint32_t elem = ref->imm;
   bool rel = false;

   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      struct operand index = im_plain(im, im_src(im, ref->index, 0));
      if (index.kind == OPERAND_CONST) {
         elem += index.value;
      } else {
         rel = true;
         elem = elem < im->xarrays[ref->num].size ? elem : 0;
         ar = index.kind == OPERAND_VALUE ? index.value : cc_mov(im->c, 0, index);
      }
   }
   if (!rel && elem >= im->xarrays[ref->num].size) {
      return;
   }
   struct inst *inst = cc_emit_inst(im->c, CAYMAN_ALU_MOV, 0, o, op_none(), op_none());
   inst->lane[0].to_array = true;
   inst->lane[0].dst_rel = rel;
   inst->lane[0].array = im->xarrays[ref->num].array;
   inst->lane[0].array_elem = elem;
   inst->lane[0].array_chan = comp;
   inst->side_effect = true;
   inst->ar = ar;
}

/* Put the clamp on the instruction that made the value, if it was made for this IL instruction. */
static bool
clamp_maker(struct importer *im, struct operand o)
{
   struct block *b = cc_block(im->c);

   if (o.kind != OPERAND_VALUE || o.neg || o.abs || !im->c->values[o.value].ssa) {
      return false;
   }
   for (uint32_t i = b->num_insts; i-- > 0 && b->insts[i]->order == im->c->origin;) {
      struct inst *inst = b->insts[i];
      if (inst->kind != INST_ALU || inst->lane[0].to_array ||
          cayman_alu_info(inst->lane[0].op)->dst_type != CAYMAN_TYPE_F32) {
         continue;
      }
      bool reduction = cayman_alu_info(inst->lane[0].op)->flags & CAYMAN_ALU_FLAG_REDUCE;
      bool made = false;
      for (unsigned l = 0; l < inst->num_lanes; l++) {
         made |= inst->lane[l].dst == o.value;
      }
      if (made && (inst->num_lanes == 1 || reduction)) {
         for (unsigned l = 0; l < inst->num_lanes; l++) {
            inst->lane[l].clamp = true;
         }
         return true;
      }
   }
   return false;
}

/* All components that the instruction writes, in one go. */
static void
store_scratch(struct importer *im, const struct il_dst *dst, unsigned mask,
              const struct operand final[4])
{
   struct compiler *c = im->c;
   const struct il_ref *ref = &dst->r;
   const struct array *array = &c->arrays[im->xarrays[ref->num].array];
   struct operand index = op_none(), src[4] = { { 0 } };
   uint32_t elem = ref->imm;

   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      index = im_plain(im, im_src(im, ref->index, 0));
      if (index.kind == OPERAND_CONST) {
         elem += index.value;
         index = op_none();
      } else {
         index = op_value(elem ? im_emit2(im, CAYMAN_ALU_ADD_INT, index, op_const(elem))
                               : cc_mov(c, 0, index));
      }
   }
   if (index.kind == OPERAND_NONE && elem >= array->size) {
      return;
   }
   for (unsigned i = 0; i < 4; i++) {
      if (mask >> i & 1) {
         src[i] = op_value(cc_mov(c, 0, final[i]));
      }
   }
   struct inst *store = cc_scratch_store(c, array->base + (index.kind == OPERAND_NONE ? elem : 0));
   store->export.proto.comp_mask = mask;
   memcpy(store->export.src, src, sizeof(src));
   if (index.kind != OPERAND_NONE) {
      store->export.proto.type = CAYMAN_MEM_WRITE_IND_ACK;
      store->export.proto.array_size = array->size - 1;
      store->export.index = index;
   }
   cc_append(c, cc_block(c), store);
}

/* The destination's modifiers, for a result that is an operand. */
static struct operand
modify(struct importer *im, const struct il_dst *dst, struct operand o)
{
   static const float factor[8] = { 1, 2, 4, 8, 0.5f, 0.25f, 0.125f, 1 };

   if (!dst->has_mod) {
      return o;
   }
   if (dst->shift != IL_SHIFT_NONE) {
      o = op_value(im_emit2(im, CAYMAN_ALU_MUL_IEEE, o, op_float(factor[dst->shift & 7])));
   }
   if (dst->clamp) {
      if (clamp_maker(im, o)) {
         return o;
      }
      struct inst *mov =
         cc_emit_inst(im->c, CAYMAN_ALU_MOV, cc_value(im->c), o, op_none(), op_none());
      mov->lane[0].clamp = true;
      return op_value(mov->lane[0].dst);
   }
   return o;
}

/* Let the instruction that made `o` write `variable` itself: right if it has just been made for
 * this IL instruction and nothing has read or written the variable since. */
static bool
retarget(struct importer *im, struct operand o, value_id variable, uint32_t first_inst)
{
   struct block *b = cc_block(im->c);

   if (o.kind != OPERAND_VALUE || o.neg || o.abs || !im->c->values[o.value].ssa ||
       im->c->values[o.value].input) {
      return false;
   }
   for (uint32_t i = b->num_insts; i-- > first_inst;) {
      struct inst *inst = b->insts[i];
      if (inst->kind == INST_ALU && inst->num_lanes == 1 && inst->lane[0].dst == o.value) {
         inst->lane[0].dst = variable;
         return true;
      }
      if (inst->kind != INST_ALU) {
         return false;
      }
      if (inst->ar == variable || inst->ar == o.value) {
         return false;
      }
      for (unsigned l = 0; l < inst->num_lanes; l++) {
         unsigned n = cayman_alu_info(inst->lane[l].op)->num_src;
         for (unsigned s = 0; s < n; s++) {
            const struct operand *src = &inst->lane[l].src[s];
            if (src->kind == OPERAND_VALUE && (src->value == variable || src->value == o.value)) {
               return false;
            }
         }
         if (inst->lane[l].dst == variable) {
            return false;
         }
      }
   }
   return false;
}

/* Does another component take the same value? */
static bool
shared(const struct operand final[4], unsigned mask, unsigned comp)
{
   for (unsigned k = 0; k < 4; k++) {
      if (k != comp && (mask >> k & 1) && final[k].kind == OPERAND_VALUE &&
          final[k].value == final[comp].value) {
         return true;
      }
   }
   return false;
}

void
im_store(struct importer *im, const struct il_dst *dst, const struct operand result[4])
{
   struct compiler *c = im->c;
   struct operand final[4];
   unsigned mask = 0;

   if (dst->dim2) {
      im_unsupported(im, "two-dimensional destination");
   }
   for (unsigned i = 0; i < 4; i++) {
      switch (il_dst_comp(dst, i)) {
      case IL_MODCOMP_WRITE:
         final[i] = modify(im, dst, result[i]);
         mask |= 1u << i;
         break;
      case IL_MODCOMP_0:
         final[i] = op_const(0);
         mask |= 1u << i;
         break;
      case IL_MODCOMP_1:
         final[i] = op_const(0x3f800000);
         mask |= 1u << i;
         break;
      default:
         break;
      }
   }

   if (dst->r.type == IL_REGTYPE_ITEMP && dst->r.num < im->num_xarrays &&
       im->xarrays[dst->r.num].indexed && c->arrays[im->xarrays[dst->r.num].array].scratch) {
      store_scratch(im, dst, mask, final);
      return;
   }

   /* A variable that is a source of another component's copy must be read before it is written. */
   for (unsigned i = 0; i < 4; i++) {
      struct reg_comp *r;
      if (!(mask >> i & 1) || !(r = dst_comp(im, dst, i)) || !r->variable) {
         continue;
      }
      for (unsigned k = i + 1; k < 4; k++) {
         if ((mask >> k & 1) && final[k].kind == OPERAND_VALUE && r->value &&
             final[k].value == r->value) {
            final[k] = op_value(cc_mov(c, 0, final[k]));
         }
      }
   }

   uint32_t first_inst = 0;
   struct block *b = cc_block(c);
   for (first_inst = b->num_insts; first_inst > 0 && b->insts[first_inst - 1]->order == c->origin;
        first_inst--) {
   }
   for (unsigned i = 0; i < 4; i++) {
      if (!(mask >> i & 1)) {
         continue;
      }
      struct reg_comp *r = dst_comp(im, dst, i);
      if (!r) {
         if (dst->r.type == IL_REGTYPE_ITEMP) {
            if (im->xarrays[dst->r.num].indexed) {
               store_array(im, dst, i, final[i]);
            }
            continue;
         }
         im_unsupported(im, "destination register");
      }
      if (!r->variable && immutable(c, &final[i])) {
         if (final[i].kind == OPERAND_VALUE && !r->value && !final[i].neg && !final[i].abs &&
             !c->values[final[i].value].input) {
            r->value = final[i].value;
         } else {
            r->has_alias = true;
            r->alias = final[i];
         }
      } else if (!r->variable || shared(final, mask, i) ||
                 !retarget(im, final[i], comp_value(im, r), first_inst)) {
         cc_mov(c, comp_value(im, r), final[i]);
      }
   }
}

/* --- control flow -------------------------------------------------------------------------------
 */

static void
push(struct importer *im, bool loop)
{
   if (im->depth == sizeof(im->stack) / sizeof(im->stack[0])) {
      im_unsupported(im, "nesting deeper than 256");
   }
   im->stack[im->depth].loop = loop;
   im->stack[im->depth].block = im->c->num_blocks - 1;
   im->depth++;
}

static unsigned
pred_of_relop(unsigned relop, bool *swap)
{
   *swap = relop == IL_RELOP_LE || relop == IL_RELOP_LT;
   switch (relop) {
   case IL_RELOP_NE:
      return CAYMAN_ALU_PRED_SETNE;
   case IL_RELOP_EQ:
      return CAYMAN_ALU_PRED_SETE;
   case IL_RELOP_GE:
   case IL_RELOP_LE:
      return CAYMAN_ALU_PRED_SETGE;
   default:
      return CAYMAN_ALU_PRED_SETGT;
   }
}

/* End the block with a branch on the instruction's condition. */
static void
begin_if(struct importer *im, unsigned pred_op, struct operand a, struct operand b)
{
   struct compiler *c = im->c;

   if (!cc_float_source(pred_op)) {
      a = im_plain(im, a);
      b = im_plain(im, b);
   }
   struct inst *pred = cc_inst(c, INST_ALU);
   pred->shape = SHAPE_SCALAR;
   pred->num_lanes = 1;
   pred->side_effect = true;
   pred->lane[0].op = pred_op;
   pred->lane[0].update_exec = pred->lane[0].update_pred = true;
   pred->lane[0].src[0] = a;
   pred->lane[0].src[1] = b;
   cc_block(c)->pred = pred;
   push(im, false);
   cc_end_block(c, END_IF);
}

static void
begin_if_inst(struct importer *im, const struct il_inst *inst, bool logical, bool zero)
{
   if (logical) {
      begin_if(im, zero ? CAYMAN_ALU_PRED_SETE_INT : CAYMAN_ALU_PRED_SETNE_INT,
               im_src(im, &inst->src[0], 0), op_const(0));
   } else {
      bool swap;
      unsigned op = pred_of_relop(inst->ctl & 7, &swap);
      struct operand a = im_src(im, &inst->src[0], 0), b = im_src(im, &inst->src[1], 0);
      begin_if(im, op, swap ? b : a, swap ? a : b);
   }
}

static void
do_else(struct importer *im)
{
   struct compiler *c = im->c;
   struct loop_or_if *top = im->depth ? &im->stack[im->depth - 1] : NULL;

   if (!top || top->loop || c->blocks[top->block].end != END_IF) {
      im_unsupported(im, "else without if");
   }
   c->blocks[top->block].match = c->num_blocks - 1;
   top->block = c->num_blocks - 1;
   cc_end_block(c, END_ELSE);
}

static void
do_endif(struct importer *im)
{
   struct compiler *c = im->c;

   if (!im->depth || im->stack[im->depth - 1].loop) {
      im_unsupported(im, "endif without if");
   }
   im->depth--;
   c->blocks[im->stack[im->depth].block].match = c->num_blocks - 1;
   cc_end_block(c, END_ENDIF);
}

static void
do_endloop(struct importer *im)
{
   struct compiler *c = im->c;

   if (!im->depth || !im->stack[im->depth - 1].loop) {
      im_unsupported(im, "endloop without whileloop");
   }
   im->depth--;
   uint32_t start = im->stack[im->depth].block;
   c->blocks[start].match = c->num_blocks - 1;
   cc_block(c)->match = start;
   cc_end_block(c, END_ENDLOOP);
}

static void
do_jump(struct importer *im, enum block_end end)
{
   unsigned d = im->depth;

   while (d > 0 && !im->stack[d - 1].loop) {
      d--;
   }
   if (d == 0) {
      im_unsupported(im, "break or continue outside a loop");
   }
   cc_block(im->c)->match = im->stack[d - 1].block;
   cc_end_block(im->c, end);
}

static bool
flow(struct importer *im, const struct il_inst *inst)
{
   switch (inst->op) {
   case IL_OP_IF_LOGICALZ:
      begin_if_inst(im, inst, true, true);
      return true;
   case IL_OP_IF_LOGICALNZ:
      begin_if_inst(im, inst, true, false);
      return true;
   case IL_OP_IFC:
      begin_if_inst(im, inst, false, false);
      return true;
   case IL_OP_ELSE:
      do_else(im);
      return true;
   case IL_OP_ENDIF:
      do_endif(im);
      return true;
   case IL_OP_WHILE:
      push(im, true);
      cc_end_block(im->c, END_LOOP);
      im->c->out->num_loops++;
      return true;
   case IL_OP_ENDLOOP:
      do_endloop(im);
      return true;
   case IL_OP_BREAK:
      do_jump(im, END_BREAK);
      return true;
   case IL_OP_CONTINUE:
      do_jump(im, END_CONTINUE);
      return true;
   case IL_OP_BREAK_LOGICALZ:
   case IL_OP_BREAK_LOGICALNZ:
      begin_if_inst(im, inst, true, inst->op == IL_OP_BREAK_LOGICALZ);
      do_jump(im, END_BREAK);
      do_endif(im);
      return true;
   case IL_OP_CONTINUE_LOGICALZ:
   case IL_OP_CONTINUE_LOGICALNZ:
      begin_if_inst(im, inst, true, inst->op == IL_OP_CONTINUE_LOGICALZ);
      do_jump(im, END_CONTINUE);
      do_endif(im);
      return true;
   case IL_OP_BREAKC:
   case IL_OP_CONTINUEC:
      begin_if_inst(im, inst, false, false);
      do_jump(im, inst->op == IL_OP_BREAKC ? END_BREAK : END_CONTINUE);
      do_endif(im);
      return true;
   case IL_OP_RET_DYN:
   case IL_OP_RET:
      if (im->depth) {
         im_unsupported(im, "return inside a branch or loop");
      }
      im->ended = true;
      return true;
   case IL_OP_ENDMAIN:
   case IL_OP_END:
      im->ended = true;
      return true;
   default:
      return false;
   }
}

/* --- the pass
 * ------------------------------------------------------------------------------------- */

/* Arrays live in GPRs below this one as long as there is room, then in scratch memory. */
#define MAX_ARRAY_GPR 64

static void
make_arrays(struct importer *im)
{
   struct compiler *c = im->c;

   c->arrays = cc_alloc(c, sizeof(*c->arrays) * (im->num_xarrays + 1));
   for (uint32_t i = 0; i < im->num_xarrays; i++) {
      if (im->xarrays[i].indexed && im->xarrays[i].size) {
         im->xarrays[i].array = c->num_arrays;
         struct array *array = &c->arrays[c->num_arrays++];
         array->size = im->xarrays[i].size;
         if (c->first_free_gpr + array->size <= MAX_ARRAY_GPR) {
            array->gpr = c->first_free_gpr;
            c->first_free_gpr += array->size;
         } else {
            array->scratch = true;
            array->base = c->out->scratch_vec4s;
            c->out->scratch_vec4s += array->size;
         }
      }
   }
   if (c->num_arrays > 255 || c->out->scratch_vec4s > 4095) {
      cc_fail(c, "not implemented: more indexed arrays than scratch memory holds");
   }
}

void
cc_import(struct compiler *c)
{
   struct importer *im = cc_alloc(c, sizeof(*im));

   im->c = c;
   im->il = c->il;
   if (c->il->oom) {
      cc_fail(c, "the IL program is incomplete: out of memory");
   }
   switch (c->il->shader) {
   case IL_SHADER_VERTEX:
      c->out->stage = CAYMAN_STAGE_VS;
      break;
   case IL_SHADER_PIXEL:
      c->out->stage = CAYMAN_STAGE_PS;
      break;
   default:
      cc_fail(c, "not implemented: shader stage %u", c->il->shader);
   }

   scan(im);
   im_scan_inputs(im);
   cc_end_block(c, END_PROGRAM); /* makes the first block */
   im_begin(im);
   make_arrays(im);

   for (im->pos = 0; im->pos < c->il->ninsts && !im->ended; im->pos++) {
      const struct il_inst *inst = im->inst = &c->il->insts[im->pos];
      const struct il_op_info *info = il_op_info(inst->op);

      c->origin = im->pos + 1;
      if (!info) {
         im_unsupported(im, "opcode");
      }
      if (info->category == IL_CAT_DECL || info->category == IL_CAT_MEMDECL ||
          inst->op == IL_OP_NOP || inst->op == IL_OP_COMMENT) {
         continue;
      }
      if (!im_alu(im, inst) && !flow(im, inst) && !im_fetch(im, inst) && !im_sysval(im, inst)) {
         im_unsupported(im, "instruction");
      }
   }
   if (im->depth) {
      im_unsupported(im, "end inside a branch or loop");
   }
   im->inst = NULL;
   c->origin = 0;
   im_finish(im);
   cc_block(c)->end = END_PROGRAM;
   cc_count(c);
}
