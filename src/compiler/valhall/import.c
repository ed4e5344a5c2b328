/* SPDX-License-Identifier: MIT */
/*
 * Import: walks the legalised IL once and makes SSA values of it (2.2.4 - 2.2.7).
 *
 * Components of registers are variables, each of which is an operand at any time: a move costs
 * nothing.  A variable that was never written is 0.  Arrays that are indexed lie in thread storage,
 * and an element outside of its array is at address 0, where nothing is.  Constant buffers 0 and 15
 * are uniforms as far as those reach, and else loaded by the vec4.
 */
#include "import.h"

#include <string.h>

#define NUM_FIRST_WORDS 192u /* of constant buffer 0 */
#define NUM_LAST_WORDS  64u  /* of constant buffer 15 */

void
vim_unsupported(struct vim *im, const char *what)
{
   char text[100] = "";
   if (im->inst && il_op_info(im->inst->op))
      il_print_inst(im->il, im->inst, text, sizeof(text));
   vc_fail(im->c, "not implemented: %s: %.90s", what, text);
}

struct vc_operand
vim_float(float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   return vc_bits(bits);
}

/* --- constants -------------------------------------------------------------------------------- */

static void
note_bank(struct vim *im, unsigned bank)
{
   if (bank > IL_LAST_CB)
      vim_unsupported(im, "constant buffer above 16");
   im->c->out->const_buffers |= 1u << bank;
}

struct vc_operand
vim_constant(struct vim *im, unsigned bank, uint32_t element, unsigned comp)
{
   uint32_t word = element * 4 + comp;

   note_bank(im, bank);
   if (element >= 65536)
      return vc_bits(0);
   if (bank == 0 && word < NUM_FIRST_WORDS)
      return vc_uniform(word);
   if (bank == IL_DRIVER_CB && word < NUM_LAST_WORDS)
      return vc_uniform(NUM_FIRST_WORDS + word);
   im->c->out->const_buffers_fetch |= 1u << bank;
   return vc_at(vc_load_buffer(im->c, bank, vc_bits(16 * element), 4, VC_PURE), comp);
}

struct vc_operand
vim_driver(struct vim *im, unsigned vec4, unsigned comp)
{
   return vim_constant(im, IL_DRIVER_CB, vec4, comp);
}

struct vc_operand
vim_indexed_constant(struct vim *im, unsigned bank, uint32_t element, struct vc_operand index,
                     unsigned comp)
{
   note_bank(im, bank);
   if (index.kind == VC_CONST)
      return vim_constant(im, bank, element + index.value, comp);
   im->c->out->const_buffers_fetch |= 1u << bank;
   /* What is beyond all buffers stays there when it becomes a byte. */
   struct vc_operand at = vc_add(im->c, index, vc_bits(element));
   at = vc_shl(im->c, vc_umin(im->c, at, vc_bits(0x00ffffff)), vc_bits(4));
   return vc_at(vc_load_buffer(im->c, bank, at, 4, VC_PURE), comp);
}

static struct vc_operand
immediate_constant(struct vim *im, const struct il_ref *r, unsigned comp)
{
   uint32_t element = r->has_imm ? r->imm : r->num;

   if (!im->decl.icb)
      return vc_bits(0);
   if (r->rel == IL_ADDR_ABSOLUTE) {
      uint64_t at = 4 * (uint64_t)element + comp;
      return vc_bits(at < im->decl.icb_dwords ? im->decl.icb[at] : 0);
   }
   struct vc_operand index = vc_add(im->c, vim_index(im, r), vc_bits(r->has_imm ? r->imm : 0));
   index = vc_umin(im->c, index, vc_bits(0x00ffff00)); /* 0 past the end of the table */
   return vim_indexed_constant(im, IL_DRIVER_CB, SHADER_ICB_FIRST_VEC4, index, comp);
}

/* --- arrays ----------------------------------------------------------------------------------- */

struct vc_operand
vim_storage(struct vim *im, struct vc_operand offset, struct vc_operand inside)
{
   struct vc *c = im->c;
   struct vc_operand words[2], zero = vc_bits(0);
   struct vc_operand base = vc_special(1, VALHALL_SPECIAL_1_THREAD_LOCAL_POINTER, 0);

   words[0] = vc_choose(c, inside, vc_add(c, base, offset), zero);
   words[1] = vc_choose(c, inside, vc_word(base, 1), zero);
   return vc_at(vc_collect(c, 2, words), 0);
}

/* The address of an element. */
static struct vc_operand
element_address(struct vim *im, uint32_t base, uint32_t size, const struct il_ref *r)
{
   struct vc *c = im->c;
   struct vc_operand index = vc_add(c, vim_index(im, r), vc_bits(r->imm));
   struct vc_operand inside =
      vc_compare(c, VALHALL_OP_ICMP_OR_U32, VALHALL_CONDITION_LT, index, vc_bits(size));

   if (index.kind == VC_CONST)
      inside = vc_bits(index.value < size ? ~0u : 0);
   return vim_storage(im, vc_add(c, vc_shl(c, index, vc_bits(4)), vc_bits(base)), inside);
}

static const struct il_declared_array *
array_of(struct vim *im, const struct il_ref *r)
{
   if (r->num >= im->decl.num_arrays || !im->decl.array[r->num].size)
      vim_unsupported(im, "an array that is not declared");
   return &im->decl.array[r->num];
}

static struct vc_operand
array_element(struct vim *im, const struct il_ref *r, unsigned comp)
{
   const struct il_declared_array *a = array_of(im, r);
   const uint32_t base = im->array_base[r->num];

   if (r->rel == IL_ADDR_ABSOLUTE && r->imm >= a->size)
      return vc_bits(0);
   if (!a->indexed)
      return im->vars[base + 4 * r->imm + comp];
   return vc_at(vc_load(im->c, element_address(im, base, a->size, r), 4 * (int)comp, 1, VC_READ),
                0);
}

/* --- sources ---------------------------------------------------------------------------------- */

struct vc_operand
vim_index(struct vim *im, const struct il_ref *r)
{
   return r->rel != IL_ADDR_ABSOLUTE && r->index ? vim_bits(im, r->index, 0) : vc_bits(0);
}

/* c#, i# and b# are constant buffers 0 to 2, b# by the dword, but for those that are defined. */
static struct vc_operand
defined(struct vim *im, unsigned kind, const struct il_ref *r, unsigned comp)
{
   const bool indexed = r->rel != IL_ADDR_ABSOLUTE;
   const uint32_t *def = il_defined(&im->decl, r);

   if (def)
      return vc_bits(def[comp]);
   uint32_t element = r->has_imm ? r->imm : r->num;
   if (kind == 2)
      return vim_constant(im, 2, r->num / 4, r->num % 4);
   return indexed ? vim_indexed_constant(im, kind, element, vim_index(im, r), comp)
                  : vim_constant(im, kind, element, comp);
}

static struct vc_operand
read_register(struct vim *im, const struct il_src *src, unsigned comp)
{
   const struct il_ref *r = &src->r;
   struct vc_operand v;

   if (vim_stage_source(im, src, comp, &v))
      return v;
   switch (r->type) {
   case IL_REGTYPE_TEMP:
      if (r->rel != IL_ADDR_ABSOLUTE)
         vim_unsupported(im, "a register at an index");
      return r->num < im->decl.num_temps ? im->vars[4 * r->num + comp] : vc_bits(0);
   case IL_REGTYPE_LITERAL:
      if (r->num >= im->decl.num_literals || !im->decl.literal[r->num])
         vim_unsupported(im, "a literal that is not declared");
      return vc_bits(im->decl.literal[r->num][comp]);
   case IL_REGTYPE_CONST_FLOAT:
      return defined(im, 0, r, comp);
   case IL_REGTYPE_CONST_INT:
      return defined(im, 1, r, comp);
   case IL_REGTYPE_CONST_BOOL:
      return defined(im, 2, r, 0);
   case IL_REGTYPE_CONST_BUFF:
      return r->rel == IL_ADDR_ABSOLUTE
                ? vim_constant(im, r->num, r->has_imm ? r->imm : 0, comp)
                : vim_indexed_constant(im, r->num, r->has_imm ? r->imm : 0, vim_index(im, r), comp);
   case IL_REGTYPE_IMMED_CONST_BUFF:
      return immediate_constant(im, r, comp);
   case IL_REGTYPE_ITEMP:
      return array_element(im, r, comp);
   case IL_REGTYPE_TIMER:
      return vim_clock(im, comp);
   case IL_REGTYPE_INPUT:
      return vim_input(im, src, comp);
   default:
      return vim_system(im, r->type, comp);
   }
}

static struct vc_operand
selected(struct vim *im, const struct il_src *src, unsigned comp)
{
   unsigned sel = il_src_swz(src, comp);

   if (sel == IL_COMPSEL_0 || sel == IL_COMPSEL_1)
      return vc_bits(sel == IL_COMPSEL_1 ? 0x3f800000 : 0);
   return read_register(im, src, sel & 3);
}

struct vc_operand
vim_src(struct vim *im, const struct il_src *src, unsigned comp)
{
   const struct il_op_info *info = il_op_info(im->inst->op);
   struct vc_operand v = selected(im, src, comp);

   if (info && (info->type == IL_TYPE_INT || info->type == IL_TYPE_UINT))
      return il_src_neg(src, comp) ? vc_sub(im->c, vc_bits(0), v) : v;
   if (il_src_abs(src)) {
      v.abs = true;
      v.neg = false;
   }
   if (il_src_neg(src, comp))
      v.neg = !v.neg;
   return v;
}

struct vc_operand
vim_bits(struct vim *im, const struct il_src *src, unsigned comp)
{
   return vc_plain(im->c, vim_src(im, src, comp));
}

/* --- destinations ----------------------------------------------------------------------------- */

struct vc_operand
vim_modified(struct vim *im, const struct il_dst *dst, struct vc_operand v)
{
   if (il_dst_scale(dst))
      v = vc_fmul(im->c, v, vc_bits((uint32_t)(127 + il_dst_scale(dst)) << 23));
   if (!il_dst_sat(dst))
      return vc_plain(im->c, v);
   struct vc_inst *inst = vc_new(im->c, VALHALL_OP_FADD_F32);
   inst->src[0] = v;
   inst->src[1] = vc_bits(0x80000000);
   vc_set(inst, VALHALL_MOD_CLAMP, VALHALL_CLAMP_CLAMP_0_1);
   return vc_plain(im->c, vc_emit(im->c, inst, 1));
}

static int
special_output(unsigned type)
{
   switch (type) {
   case IL_REGTYPE_DEPTH:
   case IL_REGTYPE_DEPTH_LE:
   case IL_REGTYPE_DEPTH_GE:
      return OUT_DEPTH;
   case IL_REGTYPE_STENCIL:
      return OUT_STENCIL;
   case IL_REGTYPE_OMASK:
      return OUT_MASK;
   case IL_REGTYPE_EDGEFLAG:
      return OUT_EDGE_FLAG;
   default:
      return -1;
   }
}

static void
store_component(struct vim *im, const struct il_dst *dst, unsigned comp, struct vc_operand v)
{
   const struct il_ref *r = &dst->r;
   int special = special_output(r->type);

   if (vim_stage_store(im, dst, comp, v))
      return;
   if (special >= 0) {
      im->vars[im->special_base + 4 * (unsigned)special + comp] = v;
      im->special_written[special] |= (uint8_t)(1u << comp);
   } else if (r->type == IL_REGTYPE_TEMP && r->rel == IL_ADDR_ABSOLUTE) {
      im->vars[4 * r->num + comp] = v;
   } else if (r->type == IL_REGTYPE_ITEMP) {
      const struct il_declared_array *a = array_of(im, r);
      const uint32_t base = im->array_base[r->num];
      if (a->indexed)
         vc_store(im->c, element_address(im, base, a->size, r), 4 * (int)comp, 1, &v);
      else if (r->imm < a->size)
         im->vars[base + 4 * r->imm + comp] = v;
   } else if (r->type == IL_REGTYPE_OUTPUT && im->out_indexed) {
      struct il_ref ref = *r;
      ref.imm = r->has_imm ? r->imm : r->num;
      vc_store(im->c, element_address(im, im->out_array, MAX_OUTPUTS, &ref), 4 * (int)comp, 1, &v);
   } else if (r->type == IL_REGTYPE_OUTPUT && r->num < MAX_OUTPUTS) {
      im->vars[im->out_base + 4 * r->num + comp] = v;
      im->out_written[r->num] |= (uint8_t)(1u << comp);
   } else {
      vim_unsupported(im, "destination");
   }
}

struct vc_operand
vim_out(struct vim *im, unsigned reg, unsigned comp)
{
   if (!im->out_indexed)
      return im->vars[im->out_base + 4 * reg + comp];
   struct vc_operand at = vc_special(1, VALHALL_SPECIAL_1_THREAD_LOCAL_POINTER, 0);
   return vc_at(vc_load(im->c, at, (int)(im->out_array + 16 * reg + 4 * comp), 1, VC_READ), 0);
}

void
vim_store(struct vim *im, const struct il_dst *dst, const struct vc_operand result[4])
{
   struct vc_operand final[4];

   for (unsigned comp = 0; comp < 4; comp++) {
      unsigned how = il_dst_comp(dst, comp);
      final[comp] = how == IL_MODCOMP_WRITE ? vim_modified(im, dst, result[comp])
                                            : vc_bits(how == IL_MODCOMP_1 ? 0x3f800000 : 0);
   }
   for (unsigned comp = 0; comp < 4; comp++)
      if (il_dst_comp(dst, comp) != IL_MODCOMP_NOWRITE)
         store_component(im, dst, comp, final[comp]);
}

void
vim_store1(struct vim *im, const struct il_dst *dst, struct vc_operand v)
{
   const struct vc_operand all[4] = { v, v, v, v };
   vim_store(im, dst, all);
}

/* --- the walks -------------------------------------------------------------------------------- */

static void *
allocate(void *data, size_t bytes)
{
   struct vim *im = data;
   return vc_alloc(im->c, bytes);
}

static void
refuse(void *data, uint32_t inst, const char *what)
{
   struct vim *im = data;
   im->inst = &im->il->insts[inst];
   vim_unsupported(im, what);
}

#define NEAR_BYTES      32000u /* that a load's offset reaches */
#define SPILL_BYTES     4096u  /* at least, for values that are spilled */
#define MAX_ARRAY_BYTES (16u * IL_ARRAY_VEC4S)

/* Variables, and bytes of thread storage, of what is declared. */
static void
prepare(struct vim *im)
{
   struct vc *c = im->c;
   const struct il_declare_to to = { allocate, refuse, im };

   il_declare(&im->decl, im->il, il_has_counters(c->source), &to);
   const char *wrong = front_describe(c->out, &im->decl, c->copy);
   if (wrong)
      vim_unsupported(im, wrong);
   im->slots.link = im->decl.link_slots;
   im->out_indexed = im->decl.outputs_indexed;
   im->array_base = vc_alloc(c, (im->decl.num_arrays + 1) * sizeof(*im->array_base));
   uint32_t vars = 4 * im->decl.num_temps, stored = 0;
   for (uint32_t n = 0; n < im->decl.num_arrays; n++)
      stored += im->decl.array[n].indexed ? 16 * im->decl.array[n].size : 0;
   if (stored > MAX_ARRAY_BYTES)
      vim_unsupported(im, "more than 61440 bytes of indexed arrays");
   if (im->out_indexed) {
      im->out_array = c->scratch_bytes;
      c->scratch_bytes += 16 * MAX_OUTPUTS;
   }
   /* Offsets of loads have 16 bits: what is after long arrays has its address in a register. */
   c->near = c->scratch_bytes;
   c->near_end = NEAR_BYTES;
   if (c->near + stored > NEAR_BYTES - SPILL_BYTES) {
      c->near_end = c->near + SPILL_BYTES;
      c->scratch_bytes = c->near_end;
   }
   for (uint32_t n = 0; n < im->decl.num_arrays; n++) {
      const struct il_declared_array *a = &im->decl.array[n];
      if (a->indexed) {
         im->array_base[n] = c->scratch_bytes;
         c->scratch_bytes += 16 * a->size;
      } else {
         im->array_base[n] = vars;
         vars += 4 * a->size;
      }
   }
   if (c->near_end == NEAR_BYTES)
      c->near = c->scratch_bytes;
   im->out_base = vars;
   im->special_base = vars + 4 * MAX_OUTPUTS;
   im->num_vars = im->special_base + 4 * OUT_SPECIAL_COUNT;
   for (unsigned n = 0; n < 4; n++)
      im->next[n] = im->num_vars++;
   im->retry_var = im->num_vars++;
   im->vars = vc_alloc(c, im->num_vars * sizeof(*im->vars));
   for (uint32_t v = 0; v < im->num_vars; v++)
      im->vars[v] = vc_bits(0);
}

static bool
go_to(void *data, uint32_t pos)
{
   struct vim *im = data;

   im->pos = pos;
   im->inst = &im->il->insts[pos];
   im->c->place = il_place(im->il, pos);
   return true;
}

static bool
import(void *data, const struct il_inst *inst, enum il_unit unit)
{
   static bool (*const units[IL_UNIT_COUNT])(struct vim *, const struct il_inst *) = {
      [IL_UNIT_ALU] = vim_alu,       [IL_UNIT_WIDE] = vim_alu,   [IL_UNIT_TEXTURE] = vim_texture,
      [IL_UNIT_SYSTEM] = vim_sysval, [IL_UNIT_EMIT] = vim_stage, [IL_UNIT_PHASE] = vim_stage,
      [IL_UNIT_MEMORY] = vim_memory,
   };

   return units[unit] && units[unit](data, inst);
}

static void
refuse_walk(void *data, const char *what)
{
   vim_unsupported(data, what);
}

void
vc_import(struct vc *c)
{
   struct vim *im = vc_alloc(c, sizeof(*im));
   const struct il_walk_to to = { im, go_to, import, refuse_walk, &vim_flow_to };
   struct il_walk walk;

   walk.depth = 0;
   im->walk = &walk;
   im->c = c;
   im->il = c->il;
   prepare(im);
   im->inst = NULL;
   c->place = il_place(im->il, 0);
   vim_flow_begin(im);
   if (c->copy) {
      vim_copy(im);
      vim_flow_end(im);
      return;
   }
   vim_scan_inputs(im);
   vim_stage_begin(im);
   il_walk(&walk, im->il, &to);
   vim_finish(im);
   vim_flow_end(im);
}
