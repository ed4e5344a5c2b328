/* SPDX-License-Identifier: MIT */
/*
 * Operands of IL instructions (2.2.4 - 2.2.7, Table 2.10): registers become offsets in the wave's
 * storage or in the table of uniform values; modifiers and indices become micro-operations in front
 * of the instruction's own.
 *
 * All sources are read before any component is written.  Of what the document leaves open: a
 * register never written reads as 0, an element outside its array or buffer too, and is not
 * written; divComp divides as div does.
 */
#include "direct/lift.h"

/* --- micro-operations ------------------------------------------------------------------------- */

struct uop_operand
direct_literal(struct direct *d, uint32_t bits)
{
   return uop_literal(&d->b, bits);
}

struct uop_operand
direct_at(uint32_t offset)
{
   return uop_row(offset);
}

struct uop_operand
direct_const(struct direct *d, unsigned bank, uint32_t dword)
{
   uint32_t *count = &d->p->head.num_consts;

   for (uint32_t n = *count; n-- > 0 && n + 256 > *count;)
      if (d->consts[n].bank == bank && d->consts[n].dword == dword)
         return uop_uniform(n);
   if (!uop_grow(&d->b, (void **)&d->consts, *count, &d->cap_consts, sizeof(*d->consts)))
      return uop_uniform(0);
   d->consts[*count] = (struct sq_const_ref){ (uint8_t)bank, dword };
   return uop_uniform((*count)++);
}

struct uop_operand
direct_row(uint32_t row, unsigned chan)
{
   return direct_at(REG(row, chan));
}

uint32_t
direct_temp(struct direct *d)
{
   if (d->pool == POOL_ROWS * 4) {
      direct_refuse(d, "more intermediate values than there is room for");
      d->pool = 0;
   }
   uint32_t n = d->pool++;
   return REG(ROW_POOL + n / 4, n % 4);
}

struct uop_operand
direct_op(struct direct *d, enum uop_id op, struct uop_operand a, struct uop_operand b,
          struct uop_operand c)
{
   uint32_t to = direct_temp(d);
   uop_emit(&d->b, op, to, a, b, c);
   return direct_at(to);
}

void
direct_move(struct direct *d, uint32_t to, struct uop_operand v)
{
   uop_emit(&d->b, UOP_COPY, to, v, v, v);
}

void
direct_element(struct direct *d, uint32_t to, unsigned bank, uint32_t element, unsigned chan,
               struct uop_operand index)
{
   struct uop *u = uop_emit(&d->b, UOP_CONSTANT_AT, to, index, index, index);
   u->p.element.bank = (uint8_t)bank;
   u->p.element.number = element;
   u->p.element.comp = (uint8_t)chan;
}

/* Rows of four components, one of which an index chooses. */
void
direct_array(struct uop *u, uint32_t row, uint32_t rows, uint32_t offset, unsigned chan)
{
   u->p.array.row = row;
   u->p.array.rows = rows;
   u->p.array.offset = offset;
   u->p.array.chan = (uint8_t)chan;
}

/* --- registers -------------------------------------------------------------------------------- */

static bool
indexed(const struct il_ref *r)
{
   return r->rel != IL_ADDR_ABSOLUTE;
}

struct uop_operand
direct_index(struct direct *d, const struct il_ref *r)
{
   return r->index ? direct_bits(d, r->index, 0) : direct_literal(d, 0);
}

/* Component `chan` of row + index + offset, of `size` rows. */
static struct uop_operand
gather(struct direct *d, uint32_t row, uint32_t size, uint32_t offset, struct uop_operand index,
       unsigned chan)
{
   uint32_t to = direct_temp(d);
   direct_array(uop_emit(&d->b, UOP_ARRAY_LOAD, to, index, index, index), row, size, offset, chan);
   return direct_at(to);
}

static struct uop_operand
constant(struct direct *d, const struct il_ref *r, unsigned bank, unsigned chan)
{
   uint32_t element = r->has_imm ? r->imm : 0;
   if (bank > IL_LAST_CB) {
      direct_refuse(d, "constant buffer above 16");
      return direct_literal(d, 0);
   }
   if (!indexed(r)) {
      if (element >= 4096)
         return direct_literal(d, 0);
      return direct_const(d, bank, element * 4 + chan);
   }
   struct uop_operand index = direct_index(d, r);
   uint32_t to = direct_temp(d);
   direct_element(d, to, bank, element, chan, index);
   return direct_at(to);
}

static struct uop_operand
immediate_constant(struct direct *d, const struct il_ref *r, unsigned chan)
{
   uint64_t at = 4 * (uint64_t)(r->has_imm ? r->imm : r->num) + chan;
   const struct uop_operand first = { .kind = UOP_LITERAL, .at = d->icb };
   if (!indexed(r)) {
      return at < d->icb_dwords
                ? (struct uop_operand){ .kind = UOP_LITERAL, .at = d->icb + (uint32_t)at }
                : direct_literal(d, 0);
   }
   struct uop_operand index = direct_index(d, r);
   if (!d->icb_dwords)
      return direct_literal(d, 0); /* there is no table */
   uint32_t to = direct_temp(d);
   struct uop *u = uop_emit(&d->b, UOP_TABLE_AT, to, index, first, first);
   u->p.table.element = r->has_imm ? r->imm : 0;
   u->p.table.chan = (uint8_t)chan;
   u->p.table.dwords = d->icb_dwords;
   return direct_at(to);
}

static struct uop_operand
array_element(struct direct *d, const struct il_ref *r, unsigned chan)
{
   if (r->num >= d->decl.num_arrays || !d->decl.array[r->num].size) {
      direct_refuse(d, "an array that is not declared");
      return direct_literal(d, 0);
   }
   uint32_t row = d->array_row[r->num], size = d->decl.array[r->num].size;
   if (indexed(r)) {
      struct uop_operand index = direct_index(d, r);
      return gather(d, row, size, r->imm, index, chan);
   }
   return r->imm < size ? direct_row(row + r->imm, chan) : direct_literal(d, 0);
}

static struct uop_operand
input(struct direct *d, const struct il_src *src, unsigned chan)
{
   const struct il_ref *r = &src->r;
   bool vertex = d->il->shader == IL_SHADER_VERTEX, pixel = d->il->shader == IL_SHADER_PIXEL;

   if (src->dim2 || (!vertex && !pixel)) {
      direct_refuse(d, "inputs of this stage");
      return direct_literal(d, 0);
   }
   if (indexed(r)) {
      struct uop_operand index = direct_index(d, r);
      return gather(d, pixel ? d->input_row : 1, pixel ? DIRECT_INPUTS : 32,
                    r->has_imm ? r->imm : r->num, index, chan);
   }
   if (pixel && r->num == IL_PS_INPUT_FRONT_FACE)
      return DOP2(SETGT_DX10, direct_row(4, 0), direct_literal(d, 0));
   if (pixel && r->num == IL_PS_INPUT_SAMPLE_INDEX)
      return direct_row(5, 3);
   if (vertex && r->num >= IL_VS_INPUT_VERTEX_ID && r->num <= IL_VS_INPUT_PRIMITIVE_ID) {
      static const uint8_t place[3] = { 0, 3, 2 };
      return chan ? direct_literal(d, chan == 3 ? 0x3f800000 : 0)
                  : direct_row(0, place[r->num - IL_VS_INPUT_VERTEX_ID]);
   }
   if (r->num >= (pixel ? DIRECT_INPUTS : 32)) {
      direct_refuse(d, "input register out of range");
      return direct_literal(d, 0);
   }
   return direct_row(pixel ? d->input_row + r->num : 1 + r->num, chan);
}

/* What the wave knows of itself: an enum uop_special_source. */
struct uop_operand
direct_special(struct direct *d, unsigned source)
{
   struct uop_operand v = uop_dynamic(&d->b);
   struct uop *u = uop_add(&d->b, UOP_LOAD_SPECIAL);
   u->dst = v.at;
   u->p.special.source = (uint8_t)source;
   return v;
}

static struct uop_operand
timer(struct direct *d, unsigned chan)
{
   return direct_special(d, chan ? UOP_SPECIAL_TIME_HI : UOP_SPECIAL_TIME_LO);
}

/* c#, i# and b# of shader model 3 are constant buffers 0 to 2, b# dword by dword, but for those
 * that def and defb give. */
static struct uop_operand
defined(struct direct *d, unsigned kind, const struct il_ref *r, unsigned chan)
{
   const uint32_t *def = il_defined(&d->decl, r);
   struct il_ref element = *r;

   if (def)
      return direct_literal(d, def[kind == 2 ? 0 : chan]);
   element.imm = kind == 2 ? r->num / 4 : r->has_imm ? r->imm : r->num;
   element.has_imm = true;
   return constant(d, &element, kind, kind == 2 ? r->num % 4 : chan);
}

/* A register of all waves; only their numbers name them. */
static struct uop *
shared(struct direct *d, enum uop_id op, const struct il_ref *r, unsigned chan)
{
   struct uop *u = uop_add(&d->b, op);

   if (indexed(r) || r->num >= SQ_SHARED)
      direct_refuse(d, "a shared register above %u, or at an index", SQ_SHARED - 1);
   u->p.shared.reg = r->num;
   u->p.shared.chan = (uint8_t)chan;
   return u;
}

static struct uop_operand
reg(struct direct *d, const struct il_src *src, unsigned chan)
{
   const struct il_ref *r = &src->r;
   struct uop_operand v;

   if (direct_stage_source(d, src, chan, &v))
      return v;
   switch (r->type) {
   case IL_REGTYPE_TEMP: {
      uint32_t row = direct_temp_row(d, r->num);
      if (indexed(r))
         direct_refuse(d, "a register at an index that is no element of an array");
      return row ? direct_row(row, chan) : direct_literal(d, 0);
   }
   case IL_REGTYPE_SHARED_TEMP: {
      uint32_t to = direct_temp(d);
      shared(d, UOP_SHARED_LOAD, r, chan)->dst = to;
      return direct_at(to);
   }
   case IL_REGTYPE_LITERAL: {
      const uint32_t *literal = r->num < d->decl.num_literals ? d->decl.literal[r->num] : NULL;
      if (literal)
         return direct_literal(d, literal[chan]);
      direct_refuse(d, "a literal that is not declared");
      break;
   }
   case IL_REGTYPE_CONST_FLOAT:
      return defined(d, 0, r, chan);
   case IL_REGTYPE_CONST_INT:
      return defined(d, 1, r, chan);
   case IL_REGTYPE_CONST_BOOL:
      return defined(d, 2, r, 0);
   case IL_REGTYPE_CONST_BUFF:
      return constant(d, r, r->num, chan);
   case IL_REGTYPE_IMMED_CONST_BUFF:
      return immediate_constant(d, r, chan);
   case IL_REGTYPE_ITEMP:
      return array_element(d, r, chan);
   case IL_REGTYPE_INPUT:
      return input(d, src, chan);
   case IL_REGTYPE_INPUT_COVERAGE_MASK:
      return direct_row(4, 2);
   case IL_REGTYPE_TIMER:
      return timer(d, chan);
   case IL_REGTYPE_THREAD_ID_IN_GROUP:
   case IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT:
   case IL_REGTYPE_ABSOLUTE_THREAD_ID:
   case IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT:
   case IL_REGTYPE_THREAD_GROUP_ID:
   case IL_REGTYPE_THREAD_GROUP_ID_FLAT:
      return direct_thread(d, r->type, chan);
   default: {
      const struct il_reg_info *info = il_reg_info(r->type);
      direct_refuse(d, "register type %s", info ? info->name : "?");
      break;
   }
   }
   return direct_literal(d, 0);
}

/* --- sources ---------------------------------------------------------------------------------- */

struct uop_operand
direct_bits(struct direct *d, const struct il_src *src, unsigned comp)
{
   unsigned sel = il_src_swz(src, comp);
   if (sel == IL_COMPSEL_0 || sel == IL_COMPSEL_1)
      return direct_literal(d, sel == IL_COMPSEL_1 ? 0x3f800000 : 0);
   if (src->dim2 && src->r.type != IL_REGTYPE_INPUT && src->r.type != IL_REGTYPE_INPUTCP &&
       src->r.type != IL_REGTYPE_OUTPUTCP)
      direct_refuse(d, "two-dimensional operands");
   return reg(d, src, sel & 3);
}

struct uop_operand
direct_src(struct direct *d, const struct il_src *src, unsigned comp)
{
   const struct il_op_info *info = il_op_info(d->inst->op);
   struct uop_operand v = direct_bits(d, src, comp);

   if (info && (info->type == IL_TYPE_INT || info->type == IL_TYPE_UINT))
      return il_src_neg(src, comp) ? DOP2(SUB_INT, direct_literal(d, 0), v) : v;
   if (il_src_abs(src))
      v = uop_abs(v);
   return il_src_neg(src, comp) ? uop_neg(v) : v;
}

struct direct_wide
direct_wide(struct direct *d, const struct il_src *src)
{
   return (struct direct_wide){ direct_bits(d, src, 0), direct_bits(d, src, 1) };
}

/* --- destinations ----------------------------------------------------------------------------- */

uint32_t
direct_place(struct direct *d, const struct il_ref *r, unsigned comp)
{
   switch (r->type) {
   case IL_REGTYPE_TEMP:
      if (!direct_temp_row(d, r->num) || indexed(r)) {
         direct_refuse(d, "a register that is not there, or at an index");
         return 0;
      }
      return REG(direct_temp_row(d, r->num), comp);
   case IL_REGTYPE_ITEMP:
      if (r->num >= d->decl.num_arrays || !d->decl.array[r->num].size) {
         direct_refuse(d, "an array that is not declared");
         return 0;
      }
      return indexed(r) || r->imm >= d->decl.array[r->num].size
                ? 0
                : REG(d->array_row[r->num] + r->imm, comp);
   case IL_REGTYPE_OUTPUT:
      if (indexed(r))
         return 0;
      if (r->num >= (d->patch_phase ? DIRECT_PATCH : DIRECT_OUTPUTS)) {
         direct_refuse(d, "output register above %u", d->patch_phase ? 31 : 63);
         return 0;
      }
      return REG((d->patch_phase ? d->out->patch_row : d->out->output_row) + r->num, comp);
   case IL_REGTYPE_DEPTH:
   case IL_REGTYPE_DEPTH_LE:
   case IL_REGTYPE_DEPTH_GE:
      return REG(d->out->special_row + DIRECT_DEPTH, comp);
   case IL_REGTYPE_STENCIL:
      return REG(d->out->special_row + DIRECT_STENCIL, comp);
   case IL_REGTYPE_OMASK:
      return REG(d->out->special_row + DIRECT_MASK, comp);
   case IL_REGTYPE_EDGEFLAG:
      return REG(d->out->special_row + DIRECT_EDGE_FLAG, comp);
   case IL_REGTYPE_PATCHCONST:
      return 0; /* never a lane's own */
   default: {
      const struct il_reg_info *info = il_reg_info(r->type);
      direct_refuse(d, "writing register type %s", info ? info->name : "?");
      return 0;
   }
   }
}

static void
scatter(struct direct *d, const struct il_ref *r, unsigned comp, struct uop_operand v)
{
   struct uop_operand index = direct_index(d, r);
   bool array = r->type == IL_REGTYPE_ITEMP;
   uint32_t offset = r->has_imm ? r->imm : array ? 0 : r->num;

   if (!array && d->patch_phase) { /* one of the patch's, whatever the index is */
      index = DOP2(AND_INT, DOP2(ADD_INT, index, direct_literal(d, offset)),
                   direct_literal(d, DIRECT_PATCH - 1));
      offset = 0;
   }
   uint32_t row = array            ? d->array_row[r->num]
                  : d->patch_phase ? d->out->patch_row
                                   : d->out->output_row;
   uint32_t rows = array            ? d->decl.array[r->num].size
                   : d->patch_phase ? DIRECT_PATCH
                                    : DIRECT_OUTPUTS;
   direct_array(uop_emit(&d->b, UOP_ARRAY_STORE, 0, v, index, index), row, rows, offset, comp);
}

struct uop_operand
direct_modify(struct direct *d, const struct il_dst *dst, struct uop_operand v)
{
   if (il_dst_scale(dst))
      v = DOP2(MUL_IEEE, v, direct_literal(d, (uint32_t)(127 + il_dst_scale(dst)) << 23));
   if (!il_dst_sat(dst))
      return v;
   uint32_t to = direct_temp(d);
   uop_emit(&d->b, UOP_MOV, to, v, v, v)->clamp = true;
   return direct_at(to);
}

void
direct_store(struct direct *d, const struct il_dst *dst, const struct uop_operand result[4])
{
   struct uop_operand final[4];

   if (dst->dim2)
      direct_refuse(d, "a two-dimensional destination");
   if (dst->r.type == IL_REGTYPE_OUTPUT && d->il->shader != IL_SHADER_GEOMETRY)
      direct_note_output(d, dst, d->patch_phase);
   for (unsigned c = 0; c < 4; c++) {
      switch (il_dst_comp(dst, c)) {
      case IL_MODCOMP_WRITE:
         final[c] = direct_modify(d, dst, result[c]);
         if (final[c].kind == UOP_ROW && final[c].at < REG(ROW_POOL, 0))
            break; /* nothing writes the machine's own registers */
         if (final[c].kind == UOP_ROW && final[c].at >= REG(ROW_FIRST, 0)) {
            uint32_t to = direct_temp(d);
            direct_move(d, to, final[c]);
            final[c] = direct_at(to);
         }
         break;
      case IL_MODCOMP_0:
      case IL_MODCOMP_1:
         final[c] = direct_literal(d, il_dst_comp(dst, c) == IL_MODCOMP_1 ? 0x3f800000 : 0);
         break;
      default:
         break;
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      if (il_dst_comp(dst, c) == IL_MODCOMP_NOWRITE)
         continue;
      if (dst->r.type == IL_REGTYPE_SHARED_TEMP) {
         shared(d, UOP_SHARED_STORE, &dst->r, c)->src[0] = final[c];
         d->p->head.core.writes_memory = d->p->head.core.ordered = true;
         continue;
      }
      uint32_t to = direct_place(d, &dst->r, c);
      if (to)
         direct_move(d, to, final[c]);
      else if (dst->r.type == IL_REGTYPE_PATCHCONST)
         direct_patch_store(d, &dst->r, c, final[c]);
      else if (indexed(&dst->r) && !d->p->head.core.error)
         scatter(d, &dst->r, c, final[c]);
   }
}
