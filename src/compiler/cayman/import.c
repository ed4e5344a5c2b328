/* SPDX-License-Identifier: MIT */
/*
 * Import: an IL program becomes blocks of scalar instructions.
 *
 * A first walk counts the writers of every register component and where they stand in the tree of
 * branches and loops.  A component with one writer, which stands before and around every reader, is
 * an SSA value; a plain copy into one is no instruction, its readers take the copied operand.  All
 * others become variables.  IL from NIR is almost wholly of the first kind.
 *
 * The first walk is in import_scan.c, stores to registers in import_store.c, control flow in
 * import_flow.c, arithmetic, fetches and inputs/outputs in import_alu.c, import_fetch.c and
 * import_io.c, geometry shaders in import_gs.c.
 */
#include "import.h"

#include <string.h>

void
im_unsupported(struct importer *im, const char *what)
{
   const struct il_op_info *info = im->inst ? il_op_info(im->inst->op) : NULL;
   cc_fail(im->c, "not implemented: %s (%s at instruction %u)", what, info ? info->name : "end",
           il_place(im->il, im->pos));
}

/* --- operands --- */

value_id
im_comp_value(struct importer *im, struct reg_comp *r)
{
   if (!r->value)
      r->value = r->variable ? cc_variable(im->c) : cc_value(im->c);
   return r->value;
}

static struct cc_operand
read_comp(struct importer *im, struct reg_comp *r)
{
   if (!r->defs)
      return op_const(0); /* never written: anything will do */
   if (r->has_alias)
      return r->alias;
   return op_value(im_comp_value(im, r));
}

struct cc_operand
im_out_value(struct importer *im, const struct reg_comp *r)
{
   return read_comp(im, (struct reg_comp *)r);
}

/* An element of an array in scratch memory.  Components that one IL instruction reads share a
 * fetch. */
static struct cc_operand
load_scratch(struct importer *im, const struct array *array, uint32_t number, uint32_t elem,
             struct cc_operand index, unsigned sel)
{
   struct compiler *c = im->c;
   struct inst *load = im->last_load.fetch;

   if (!load || im->last_load.array != number || im->last_load.elem != elem ||
       im->last_load.origin != c->origin || !op_same(&im->last_load.index, &index)) {
      load = cc_scratch_load(c, array->base, c->place);
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

static struct cc_operand
read_scratch(struct importer *im, const struct il_ref *ref, unsigned sel)
{
   const struct array *array = &im->c->arrays[im->xarrays[ref->num].array];
   struct cc_operand index = op_none();
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
   if (index.kind == OPERAND_NONE && elem >= array->size)
      return op_const(0);
   return load_scratch(im, array, ref->num, elem, index, sel);
}

struct cc_operand
im_array_element(struct importer *im, const struct il_src *src, unsigned sel)
{
   const struct il_ref *ref = &src->r;
   if (ref->num >= im->num_xarrays || !im->xarrays[ref->num].comps)
      im_unsupported(im, "array that is not declared");
   if (!im->xarrays[ref->num].indexed) {
      return ref->imm < im->xarrays[ref->num].size
                ? read_comp(im, &im->xarrays[ref->num].comps[ref->imm * 4 + sel])
                : op_const(0);
   }
   if (im->c->arrays[im->xarrays[ref->num].array].scratch)
      return read_scratch(im, ref, sel);
   struct cc_operand o = { .kind = OPERAND_ARRAY,
                           .bank = im->xarrays[ref->num].array,
                           .index = ref->imm,
                           .chan = im->xarrays[ref->num].chan[sel] };
   value_id ar = 0;
   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      struct cc_operand index = im_plain(im, im_src(im, ref->index, 0));
      if (index.kind == OPERAND_CONST) {
         o.index += index.value;
      } else {
         o.rel = true;
         if (o.index >= im->xarrays[ref->num].size)
            o.index = 0; /* outside whatever the index is: any element will do */
         ar = index.kind == OPERAND_VALUE ? index.value : cc_mov(im->c, 0, index);
      }
   }
   if (!o.rel && o.index >= im->xarrays[ref->num].size)
      return op_const(0);
   /* One index per instruction: every element is read by a MOV of its own. */
   struct inst *inst =
      cc_emit_inst(im->c, CAYMAN_ALU_MOV, cc_value(im->c), o, op_none(), op_none());
   inst->ar = ar;
   return op_value(inst->lane[0].dst);
}

static struct cc_operand
read_constant(struct importer *im, const struct il_ref *ref, unsigned bank, unsigned base,
              unsigned sel)
{
   unsigned index = base + (ref->has_imm ? ref->imm : 0);

   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      struct cc_operand dynamic = im_plain(im, im_src(im, ref->index, 0));
      if (dynamic.kind != OPERAND_CONST)
         return im_indexed_constant(im, bank, index, dynamic, sel);
      index += dynamic.value;
   }
   if (index >= 4096)
      return op_const(0);
   /* There are 16 banks: a constant of the buffer after them is fetched. */
   if (bank == IL_LAST_CB)
      return im_indexed_constant(im, bank, index, op_const(0), sel);
   im->c->out->const_buffers |= 1u << bank;
   return op_kcache(bank, index, sel);
}

/* Shader model 3: c#, i# and b# are constant buffers 0 to 2, but for what DEF and DEFB define; b#
 * is a dword. */
static struct cc_operand
read_old_constant(struct importer *im, const struct il_ref *ref, unsigned sel)
{
   bool is_bool = ref->type == IL_REGTYPE_CONST_BOOL;
   unsigned bank = is_bool ? 2 : ref->type == IL_REGTYPE_CONST_INT ? 1 : 0;
   const uint32_t *def = il_defined(&im->decl, ref);

   if (def)
      return op_const(def[is_bool ? 0 : sel]);
   if (is_bool) {
      struct il_ref dword = *ref;
      dword.num = ref->num / 4;
      return read_constant(im, &dword, bank, dword.num, ref->num % 4);
   }
   return read_constant(im, ref, bank, ref->has_imm ? 0 : ref->num, sel);
}

static struct cc_operand
read_register(struct importer *im, const struct il_src *src, unsigned sel)
{
   const struct il_ref *ref = &src->r;

   switch (ref->type) {
   case IL_REGTYPE_TEMP:
      return ref->num < im->decl.num_temps ? read_comp(im, im_temp_comp(im, ref->num, sel))
                                           : op_const(0);
   case IL_REGTYPE_LITERAL:
      if (ref->num >= im->decl.num_literals || !im->decl.literal[ref->num])
         im_unsupported(im, "literal that is not declared");
      return op_const(im->decl.literal[ref->num][sel]);
   case IL_REGTYPE_CONST_BUFF:
      if (ref->num > IL_LAST_CB)
         im_unsupported(im, "constant buffer above 16");
      return read_constant(im, ref, ref->num, 0, sel);
   case IL_REGTYPE_CONST_FLOAT:
   case IL_REGTYPE_CONST_INT:
   case IL_REGTYPE_CONST_BOOL:
      return read_old_constant(im, ref, sel);
   case IL_REGTYPE_TIMER:
      return op_special(sel ? CAYMAN_SRC_TIME_HI : CAYMAN_SRC_TIME_LO, 0);
   case IL_REGTYPE_IMMED_CONST_BUFF:
      if (im->decl.icb && ref->rel == IL_ADDR_ABSOLUTE) {
         uint64_t at = 4 * (uint64_t)(ref->has_imm ? ref->imm : ref->num) + sel;
         return op_const(at < im->decl.icb_dwords ? im->decl.icb[at] : 0);
      }
      return read_constant(im, ref, IL_DRIVER_CB, SHADER_ICB_FIRST_VEC4, sel);
   case IL_REGTYPE_ITEMP:
      return im_array_element(im, src, sel);
   case IL_REGTYPE_INPUTCP:
   case IL_REGTYPE_OUTPUTCP:
      return im_tess_point(im, src, sel);
   case IL_REGTYPE_PATCHCONST:
      return im_tess_patch(im, src, sel);
   case IL_REGTYPE_OCP_ID:
   case IL_REGTYPE_DOMAINLOCATION:
      return im_tess_value(im, ref->type, sel);
   case IL_REGTYPE_VPRIM:
   case IL_REGTYPE_SHADER_INSTANCE_ID:
      if (ref->type == IL_REGTYPE_VPRIM &&
          (im->c->out->stage == SHADER_STAGE_HS || im->c->out->tess.domain_shader))
         return im_tess_value(im, ref->type, sel);
      if (im->c->out->stage != SHADER_STAGE_GS)
         im_unsupported(im, "primitive or instance number outside a geometry shader");
      im->c->out->gs.uses_primitive_id |= ref->type == IL_REGTYPE_VPRIM;
      return op_value(ref->type == IL_REGTYPE_VPRIM ? im->primitive : im->invocation);
   case IL_REGTYPE_THREAD_ID_IN_GROUP:
   case IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT:
   case IL_REGTYPE_ABSOLUTE_THREAD_ID:
   case IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT:
   case IL_REGTYPE_THREAD_GROUP_ID:
   case IL_REGTYPE_THREAD_GROUP_ID_FLAT:
      return im_thread_id(im, ref->type, sel);
   case IL_REGTYPE_INPUT:
      if (src->dim2)
         return im_gs_input(im, src, sel);
      if (ref->rel != IL_ADDR_ABSOLUTE) {
         struct il_src element = im_input_element(im, src);
         return im_array_element(im, &element, sel);
      }
      return im_input(im, ref->num, sel);
   case IL_REGTYPE_INPUT_COVERAGE_MASK:
      return im_coverage(im);
   default:
      im_unsupported(im, "source register type");
   }
}

struct cc_operand
im_plain(struct importer *im, struct cc_operand o)
{
   if (o.neg || o.abs)
      return op_value(cc_mov(im->c, 0, o));
   return o;
}

static struct cc_operand
component(struct importer *im, const struct il_src *src, unsigned comp)
{
   unsigned sel = il_src_swz(src, comp);

   return sel == IL_COMPSEL_0   ? op_const(0)
          : sel == IL_COMPSEL_1 ? op_const(0x3f800000)
                                : read_register(im, src, sel & 3);
}

struct cc_operand
im_src(struct importer *im, const struct il_src *src, unsigned comp)
{
   struct cc_operand o;

   if (src->dim2 && (im->c->out->stage != SHADER_STAGE_GS || src->r.type != IL_REGTYPE_INPUT) &&
       src->r.type != IL_REGTYPE_INPUTCP && src->r.type != IL_REGTYPE_OUTPUTCP)
      im_unsupported(im, "two-dimensional source");
   o = component(im, src, comp);
   if (!src->has_mod)
      return o;
   const struct il_op_info *info = il_op_info(im->inst->op);
   if (info && (info->type == IL_TYPE_INT || info->type == IL_TYPE_UINT))
      return il_src_neg(src, comp) ? op_value(im_emit2(im, CAYMAN_ALU_SUB_INT, op_const(0), o)) : o;
   if (il_src_abs(src))
      o = op_abs(o);
   return il_src_neg(src, comp) ? op_neg(o) : o;
}

/* --- emission --- */

value_id
im_emit(struct importer *im, unsigned op, value_id dst, struct cc_operand a, struct cc_operand b,
        struct cc_operand d)
{
   struct cc_operand *src[3] = { &a, &b, &d };
   const struct cayman_alu_info *info = cayman_alu_info(op);

   for (unsigned i = 0; i < info->num_src; i++)
      if (!cc_float_source(op) || (info->op3 && src[i]->abs))
         *src[i] = im_plain(im, *src[i]);
   return cc_emit(im->c, op, dst, a, b, d);
}

value_id
im_emit1(struct importer *im, unsigned op, struct cc_operand a)
{
   return im_emit(im, op, 0, a, op_none(), op_none());
}

value_id
im_emit2(struct importer *im, unsigned op, struct cc_operand a, struct cc_operand b)
{
   return im_emit(im, op, 0, a, b, op_none());
}

value_id
im_emit3(struct importer *im, unsigned op, struct cc_operand a, struct cc_operand b,
         struct cc_operand d)
{
   return im_emit(im, op, 0, a, b, d);
}

/* --- the pass --- */

static bool
go_to(void *data, uint32_t pos)
{
   struct importer *im = data;

   im->pos = pos;
   im->inst = &im->il->insts[pos];
   im->c->origin = pos + 1;
   im->c->place = il_place(im->il, pos);
   return true;
}

static bool
import(void *data, const struct il_inst *inst, enum il_unit unit)
{
   static bool (*const units[IL_UNIT_COUNT])(struct importer *, const struct il_inst *) = {
      [IL_UNIT_ALU] = im_alu,          [IL_UNIT_WIDE] = im_alu64,    [IL_UNIT_TEXTURE] = im_fetch,
      [IL_UNIT_STREAM] = im_stream,    [IL_UNIT_SYSTEM] = im_sysval, [IL_UNIT_EMIT] = im_gs,
      [IL_UNIT_PHASE] = im_tess_phase, [IL_UNIT_MEMORY] = im_memory,
   };
   struct importer *im = data;

   if (units[unit] && units[unit](im, inst))
      return true;
   if (im_refusal(inst->op))
      cc_fail(im->c, "%s: %s", il_op_info(inst->op)->name, im_refusal(inst->op));
   return false;
}

static void
refuse(void *data, const char *what)
{
   im_unsupported(data, what);
}

void
cc_import(struct compiler *c)
{
   struct importer *im = cc_alloc(c, sizeof(*im));
   const struct il_walk_to to = { im, go_to, import, refuse, &im_flow };
   struct il_walk walk;

   walk.depth = 0;
   im->walk = &walk;
   im->c = c;
   im->il = c->il;
   c->place = c->entry = il_place(c->il, 0);
   im_scan(im);
   if (c->copy) {
      cc_end_block(c, END_PROGRAM);
      im_gs_copy(im);
      cc_end_program(c);
      c->place = SHADER_NO_PLACE;
      cc_count(c);
      return;
   }
   im_scan_inputs(im);
   cc_end_block(c, END_PROGRAM); /* makes the first block */
   im_begin(im);
   im_make_arrays(im);
   im_fill_input_array(im);
   il_walk(&walk, c->il, &to);
   im->inst = NULL;
   c->origin = 0;
   im_take_output_array(im);
   im_finish(im); /* where the last instruction is */
   cc_end_program(c);
   c->place = SHADER_NO_PLACE;
   cc_count(c);
}
