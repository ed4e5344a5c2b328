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

struct value
K(direct_literal)(struct direct *d, uint32_t bits)
{
   return (struct value){ .at = K(lift_literal)(&d->l, bits), .keep = ~0u, .uni = true };
}

struct value
K(direct_at)(uint32_t offset)
{
   return (struct value){ .at = offset, .keep = ~0u };
}

struct value
K(direct_row)(uint32_t row, unsigned chan)
{
   return K(direct_at)(REG(row, chan));
}

uint32_t
K(direct_temp)(struct direct *d)
{
   if (d->pool == POOL_ROWS * 4) {
      K(direct_refuse)(d, "more intermediate values than there is room for");
      d->pool = 0;
   }
   uint32_t n = d->pool++;
   return REG(ROW_POOL + n / 4, n % 4);
}

struct uop *
K(direct_uop)(struct direct *d, uop_fn *fn, unsigned count)
{
   struct uop *first = NULL;

   for (unsigned n = 0; n < count; n++) {
      struct uop *u = K(lift_uop)(&d->l);
      if (!u) {
         return d->no_uop;
      }
      *u = (struct uop){ .length = 1, .keep = { ~0u, ~0u, ~0u } };
      first = u - n; /* the list may have moved */
   }
   first->fn = fn;
   first->length = (uint8_t)count;
   return first;
}

void
K(direct_set)(struct uop *u, unsigned n, struct value v)
{
   u->src[n] = v.at;
   u->keep[n] = v.keep;
   u->flip[n] = v.flip;
   u->uni |= (uint8_t)(v.uni << n);
   u->mods |= (uint8_t)((v.keep != ~0u || v.flip) << n);
}

struct value
K(direct_op)(struct direct *d, unsigned op, struct value a, struct value b, struct value c)
{
   uint32_t to = K(direct_temp)(d);
   struct uop *u = K(direct_uop)(d, K(sq_alu_fn)(op), 1);
   const struct value v[3] = { a, b, c };

   u->op = (uint16_t)op;
   u->dst = to;
   u->lanewise = true;
   for (unsigned n = 0; n < 3; n++) {
      K(direct_set)(u, n, v[n]);
   }
   return K(direct_at)(to);
}

void
K(direct_move)(struct direct *d, uint32_t to, struct value v)
{
   struct uop *u = K(direct_uop)(d, K(uop_copy), 1);
   u->dst = to;
   K(direct_set)(u, 0, v);
}

static struct value
clamped(struct direct *d, struct value v)
{
   uint32_t to = K(direct_temp)(d);
   struct uop *u = K(direct_uop)(d, K(sq_alu_fn)(CAYMAN_ALU_MOV), 1);
   u->op = CAYMAN_ALU_MOV;
   u->dst = to;
   u->clamp = true;
   K(direct_set)(u, 0, v);
   return K(direct_at)(to);
}

/* --- registers -------------------------------------------------------------------------------- */

static bool
indexed(const struct il_ref *r)
{
   return r->rel != IL_ADDR_ABSOLUTE;
}

struct value
K(direct_index)(struct direct *d, const struct il_ref *r)
{
   if (r->rel == IL_ADDR_REG_RELATIVE && r->index) {
      return K(direct_bits)(d, r->index, 0);
   }
   uint32_t number = r->rel_addr & 0xffff;
   if (r->rel_addr >> 16 & 1) {
      return K(direct_at)(d->loop_index);
   }
   if (!d->address_row || number >= DIRECT_ADDRESSES) {
      K(direct_refuse)(d, "an address register that nothing writes");
      return K(direct_literal)(d, 0);
   }
   return K(direct_row)(d->address_row + number, r->rel_addr >> 17 & 3);
}

/* Component `chan` of row + index + offset, of `size` rows. */
static struct value
gather(struct direct *d, uint32_t row, uint32_t size, uint32_t offset, struct value index,
       unsigned chan)
{
   uint32_t to = K(direct_temp)(d);
   struct uop *u = K(direct_uop)(d, K(direct_uop_gather), 1);
   u->dst = to;
   K(direct_set)(u, 0, index);
   u->imm[0] = row;
   u->imm[1] = chan;
   u->keep[1] = size;
   u->flip[1] = offset;
   return K(direct_at)(to);
}

static struct value
constant(struct direct *d, const struct il_ref *r, unsigned bank, unsigned chan)
{
   uint32_t element = r->has_imm ? r->imm : 0;
   if (bank > IL_DRIVER_CB) {
      K(direct_refuse)(d, "constant buffer above 15");
      return K(direct_literal)(d, 0);
   }
   if (!indexed(r)) {
      if (element >= 4096) {
         return K(direct_literal)(d, 0);
      }
      return (struct value){ .at = K(lift_const)(&d->l, bank, element * 4 + chan),
                             .keep = ~0u,
                             .uni = true };
   }
   struct value index = K(direct_index)(d, r);
   uint32_t to = K(direct_temp)(d);
   struct uop *u = K(direct_uop)(d, K(direct_uop_constant), 1);
   u->dst = to;
   K(direct_set)(u, 0, index);
   u->imm[0] = element;
   u->imm[1] = chan;
   u->aux = (uint8_t)bank;
   return K(direct_at)(to);
}

static struct value
immediate_constant(struct direct *d, const struct il_ref *r, unsigned chan)
{
   uint64_t at = 4 * (uint64_t)(r->has_imm ? r->imm : r->num) + chan;
   if (!indexed(r)) {
      return (struct value){ .at = at < d->icb_dwords ? d->icb + (uint32_t)at
                                                      : K(lift_literal)(&d->l, 0),
                             .keep = ~0u,
                             .uni = true };
   }
   struct value index = K(direct_index)(d, r);
   uint32_t to = K(direct_temp)(d);
   struct uop *u = K(direct_uop)(d, K(direct_uop_table), 1);
   u->dst = to;
   K(direct_set)(u, 0, index);
   u->src[1] = d->icb;
   u->uni |= 2;
   u->imm[0] = r->has_imm ? r->imm : 0;
   u->imm[1] = chan;
   u->keep[2] = d->icb_dwords;
   return K(direct_at)(to);
}

static struct value
array_element(struct direct *d, const struct il_ref *r, unsigned chan)
{
   if (r->num >= d->num_arrays || !d->array[r->num].size) {
      K(direct_refuse)(d, "an array that is not declared");
      return K(direct_literal)(d, 0);
   }
   uint32_t row = d->array[r->num].row, size = d->array[r->num].size;
   if (indexed(r)) {
      struct value index = K(direct_index)(d, r);
      return gather(d, row, size, r->imm, index, chan);
   }
   return r->imm < size ? K(direct_row)(row + r->imm, chan) : K(direct_literal)(d, 0);
}

static struct value
input(struct direct *d, const struct il_src *src, unsigned chan)
{
   const struct il_ref *r = &src->r;
   bool vertex = d->il->shader == IL_SHADER_VERTEX, pixel = d->il->shader == IL_SHADER_PIXEL;

   if (src->dim2 || (!vertex && !pixel)) {
      K(direct_refuse)(d, "inputs of this stage");
      return K(direct_literal)(d, 0);
   }
   if (indexed(r)) {
      struct value index = K(direct_index)(d, r);
      return gather(d, pixel ? d->input_row : 1, pixel ? DIRECT_INPUTS : 32,
                    r->has_imm ? r->imm : r->num, index, chan);
   }
   if (pixel && r->num == IL_PS_INPUT_FRONT_FACE) {
      return DOP2(SETGT_DX10, K(direct_row)(4, 0), K(direct_literal)(d, 0));
   }
   if (pixel && r->num == IL_PS_INPUT_SAMPLE_INDEX) {
      return K(direct_row)(5, 3);
   }
   if (vertex && r->num >= IL_VS_INPUT_VERTEX_ID && r->num <= IL_VS_INPUT_PRIMITIVE_ID) {
      static const uint8_t place[3] = { 0, 3, 2 };
      return chan ? K(direct_literal)(d, chan == 3 ? 0x3f800000 : 0)
                  : K(direct_row)(0, place[r->num - IL_VS_INPUT_VERTEX_ID]);
   }
   if (r->num >= (pixel ? DIRECT_INPUTS : 32)) {
      K(direct_refuse)(d, "input register out of range");
      return K(direct_literal)(d, 0);
   }
   return K(direct_row)(pixel ? d->input_row + r->num : 1 + r->num, chan);
}

static struct value
timer(struct direct *d, unsigned chan)
{
   uint32_t at = UNI_DYNAMIC | d->p->num_dynamic++;
   struct uop *u = K(direct_uop)(d, K(uop_load_special), 1);
   u->src[0] = at;
   u->uni = 1;
   u->imm[0] = chan ? CAYMAN_SRC_TIME_HI : CAYMAN_SRC_TIME_LO;
   return (struct value){ .at = at, .keep = ~0u, .uni = true };
}

/* c#, i# and b# of shader model 3 are constant buffers 0 to 2, b# dword by dword, but for those
 * that def and defb give. */
static struct value
defined(struct direct *d, unsigned kind, const struct il_ref *r, unsigned chan)
{
   const struct il_inst *def = r->num < d->num_defs[kind] ? d->def[kind][r->num] : NULL;
   struct il_ref element = *r;

   if (def && !indexed(r)) {
      return K(direct_literal)(d, chan < def->ndata ? def->data[chan] : 0);
   }
   element.imm = kind == 2 ? r->num / 4 : r->has_imm ? r->imm : r->num;
   element.has_imm = true;
   return constant(d, &element, kind, kind == 2 ? r->num % 4 : chan);
}

/* A register of all waves; only their numbers name them. */
static struct uop *
shared(struct direct *d, uop_fn *fn, const struct il_ref *r, unsigned chan)
{
   struct uop *u = K(direct_uop)(d, fn, 1);

   if (indexed(r) || r->num >= SQ_SHARED) {
      K(direct_refuse)(d, "a shared register above %u, or at an index", SQ_SHARED - 1);
   }
   u->imm[0] = r->num;
   u->imm[1] = chan;
   return u;
}

static struct value
reg(struct direct *d, const struct il_src *src, unsigned chan)
{
   const struct il_ref *r = &src->r;
   struct il_src slot = *src;
   struct value v;

   if (K(direct_old_ref)(d, r, &slot.r)) {
      return slot.r.type == IL_REGTYPE_INPUT ? input(d, &slot, chan)
                                             : K(direct_row)(d->out->output_row + slot.r.num, chan);
   }
   if (K(direct_stage_source)(d, src, chan, &v)) {
      return v;
   }
   switch (r->type) {
   case IL_REGTYPE_TEMP:
   case IL_REGTYPE_INPUT_ARG:
   case IL_REGTYPE_OUTPUT_ARG:
   case IL_REGTYPE_ADDR: {
      uint32_t row = K(direct_temp_row)(d, r);
      if (indexed(r)) {
         K(direct_refuse)(d, "a register at an index that is no element of an array");
      }
      return row ? K(direct_row)(row, chan) : K(direct_literal)(d, 0);
   }
   case IL_REGTYPE_SHARED_TEMP: {
      uint32_t to = K(direct_temp)(d);
      shared(d, K(direct_uop_shared_load), r, chan)->dst = to;
      return K(direct_at)(to);
   }
   case IL_REGTYPE_LITERAL: {
      const struct il_inst *literal = K(direct_literal_of)(d, r->num);
      if (literal) {
         return K(direct_literal)(d, literal->data[chan]);
      }
      K(direct_refuse)(d, "a literal that is not declared");
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
      return K(direct_row)(4, 2);
   case IL_REGTYPE_FACE:
      return K(direct_old_face)(d);
   case IL_REGTYPE_TIMER:
      return timer(d, chan);
   case IL_REGTYPE_THREAD_ID_IN_GROUP:
   case IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT:
   case IL_REGTYPE_ABSOLUTE_THREAD_ID:
   case IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT:
   case IL_REGTYPE_THREAD_GROUP_ID:
   case IL_REGTYPE_THREAD_GROUP_ID_FLAT:
      return K(direct_thread)(d, r->type, chan);
   default: {
      const struct il_reg_info *info = il_reg_info(r->type);
      K(direct_refuse)(d, "register type %s", info ? info->name : "?");
      break;
   }
   }
   return K(direct_literal)(d, 0);
}

/* --- sources ---------------------------------------------------------------------------------- */

struct value
K(direct_bits)(struct direct *d, const struct il_src *src, unsigned comp)
{
   unsigned sel = il_src_swz(src, comp);
   if (sel == IL_COMPSEL_0 || sel == IL_COMPSEL_1) {
      return K(direct_literal)(d, sel == IL_COMPSEL_1 ? 0x3f800000 : 0);
   }
   if (src->dim2 && src->r.type != IL_REGTYPE_INPUT && src->r.type != IL_REGTYPE_INPUTCP &&
       src->r.type != IL_REGTYPE_OUTPUTCP) {
      K(direct_refuse)(d, "two-dimensional operands");
   }
   return reg(d, src, sel & 3);
}

/* What may be done to floats alone, in front of divComp, in the document's order. */
static struct value
float_modifiers(struct direct *d, const struct il_src *src, unsigned comp)
{
   struct value v = K(direct_bits)(d, src, comp);

   if (src->flags & IL_SRC_INVERT) {
      v = DOP2(ADD, K(direct_literal)(d, 0x3f800000), value_neg(v));
   }
   if (src->flags & IL_SRC_BIAS) {
      v = DOP2(ADD, v, K(direct_literal)(d, 0xbf000000));
   }
   if (src->flags & IL_SRC_X2) {
      v = DOP2(MUL_IEEE, v, K(direct_literal)(d, 0x40000000));
   }
   return src->flags & IL_SRC_SIGN ? K(direct_sign)(d, v) : v;
}

/* Two bits of a dword of the driver's constants; 0 beyond `count` of them. */
struct value
K(direct_state)(struct direct *d, unsigned chan, unsigned number, unsigned count)
{
   struct value dword = { .at = K(lift_const)(&d->l, IL_DRIVER_CB, IL_DRV_DRAW2 * 4 + chan),
                          .keep = ~0u,
                          .uni = true };
   return number < count
             ? DOP3(BFE_UINT, dword, K(direct_literal)(d, 2 * number), K(direct_literal)(d, 2))
             : K(direct_literal)(d, 0);
}

/* divComp(unknown): the texture stage's state names the component that divides those in front of
 * it. */
static struct value
projected(struct direct *d, const struct il_src *src, unsigned comp, struct value v)
{
   const struct il_op_info *info = il_op_info(d->inst->op);

   if (info->ctl != IL_CTL_STAGE && info->ctl != IL_CTL_TEXLD) {
      K(direct_refuse)(d, "divComp(unknown) of what is no texture stage");
      return v;
   }
   struct value by = K(direct_state)(d, 3, d->inst->ctl & 255, 16), r = v;
   for (unsigned c = comp + 1; c < 4; c++) {
      struct value q = K(direct_divide)(d, v, float_modifiers(d, src, c), IL_ZEROOP_FLTMAX);
      r = DOP3(CNDE_INT, DOP2(XOR_INT, by, K(direct_literal)(d, c)), q, r);
   }
   return r;
}

struct value
K(direct_src)(struct direct *d, const struct il_src *src, unsigned comp)
{
   const struct il_op_info *info = il_op_info(d->inst->op);
   struct value v;

   if (!src->has_mod) {
      return K(direct_bits)(d, src, comp);
   }
   if (info && (info->type == IL_TYPE_INT || info->type == IL_TYPE_UINT)) {
      v = K(direct_bits)(d, src, comp);
      if (il_src_abs(src)) {
         v = DOP2(MAX_INT, v, DOP2(SUB_INT, K(direct_literal)(d, 0), v));
      }
      return il_src_neg(src, comp) ? DOP2(SUB_INT, K(direct_literal)(d, 0), v) : v;
   }
   v = float_modifiers(d, src, comp);
   if (src->divcomp != IL_DIVCOMP_NONE) {
      if (src->divcomp > IL_DIVCOMP_W) {
         v = projected(d, src, comp, v);
      } else if (comp < src->divcomp) {
         v = K(direct_divide)(d, v, float_modifiers(d, src, src->divcomp), IL_ZEROOP_FLTMAX);
      }
   }
   if (il_src_abs(src)) {
      v = value_abs(v);
   }
   if (il_src_neg(src, comp)) {
      v = value_neg(v);
   }
   return src->flags & IL_SRC_CLAMP ? clamped(d, v) : v;
}

struct wide
K(direct_wide)(struct direct *d, const struct il_src *src)
{
   return (struct wide){ K(direct_bits)(d, src, 0), K(direct_bits)(d, src, 1) };
}

/* --- destinations ----------------------------------------------------------------------------- */

uint32_t
K(direct_place)(struct direct *d, const struct il_ref *r, unsigned comp)
{
   struct il_ref slot;

   if (K(direct_old_ref)(d, r, &slot)) {
      r = &slot;
   }
   switch (r->type) {
   case IL_REGTYPE_TEMP:
   case IL_REGTYPE_INPUT_ARG:
   case IL_REGTYPE_OUTPUT_ARG:
   case IL_REGTYPE_ADDR:
      if (!K(direct_temp_row)(d, r) || indexed(r)) {
         K(direct_refuse)(d, "a register that is not there, or at an index");
         return 0;
      }
      return REG(K(direct_temp_row)(d, r), comp);
   case IL_REGTYPE_ITEMP:
      if (r->num >= d->num_arrays || !d->array[r->num].size) {
         K(direct_refuse)(d, "an array that is not declared");
         return 0;
      }
      return indexed(r) || r->imm >= d->array[r->num].size
                ? 0
                : REG(d->array[r->num].row + r->imm, comp);
   case IL_REGTYPE_OUTPUT:
      if (indexed(r)) {
         return 0;
      }
      if (r->num >= (d->patch_phase ? DIRECT_PATCH : DIRECT_OUTPUTS)) {
         K(direct_refuse)(d, "output register above %u", d->patch_phase ? 31 : 63);
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
      K(direct_refuse)(d, "writing register type %s", info ? info->name : "?");
      return 0;
   }
   }
}

static void
scatter(struct direct *d, const struct il_ref *r, unsigned comp, struct value v)
{
   struct value index = K(direct_index)(d, r);
   bool array = r->type == IL_REGTYPE_ITEMP;
   uint32_t offset = r->has_imm ? r->imm : array ? 0 : r->num;

   if (!array && d->patch_phase) { /* one of the patch's, whatever the index is */
      index = DOP2(AND_INT, DOP2(ADD_INT, index, K(direct_literal)(d, offset)),
                   K(direct_literal)(d, DIRECT_PATCH - 1));
      offset = 0;
   }
   struct uop *u = K(direct_uop)(d, K(direct_uop_scatter), 1);
   K(direct_set)(u, 0, v);
   K(direct_set)(u, 1, index);
   u->imm[0] = array            ? d->array[r->num].row
               : d->patch_phase ? d->out->patch_row
                                : d->out->output_row;
   u->imm[1] = comp;
   u->keep[2] = array ? d->array[r->num].size : d->patch_phase ? DIRECT_PATCH : DIRECT_OUTPUTS;
   u->flip[2] = offset;
}

struct value
K(direct_modify)(struct direct *d, const struct il_dst *dst, struct value v)
{
   static const uint32_t factor[8] = { 0x3f800000, 0x40000000, 0x40800000, 0x41000000,
                                       0x3f000000, 0x3e800000, 0x3e000000, 0x3f800000 };
   if (dst->has_mod && dst->shift != IL_SHIFT_NONE) {
      v = DOP2(MUL_IEEE, v, K(direct_literal)(d, factor[dst->shift & 7]));
   }
   return il_dst_sat(dst) ? clamped(d, v) : v;
}

void
K(direct_store)(struct direct *d, const struct il_dst *dst, const struct value result[4])
{
   struct value final[4];
   struct il_dst slot = *dst;

   if (dst->dim2) {
      K(direct_refuse)(d, "a two-dimensional destination");
   }
   if (K(direct_old_ref)(d, &dst->r, &slot.r)) {
      dst = &slot;
   }
   if (dst->r.type == IL_REGTYPE_OUTPUT && d->il->shader != IL_SHADER_GEOMETRY) {
      K(direct_note_output)(d, dst, d->patch_phase);
   }
   for (unsigned c = 0; c < 4; c++) {
      switch (il_dst_comp(dst, c)) {
      case IL_MODCOMP_WRITE:
         final[c] = K(direct_modify)(d, dst, result[c]);
         if (!final[c].uni && final[c].at < REG(ROW_POOL, 0)) {
            break; /* nothing writes the machine's own registers */
         }
         if (!final[c].uni && final[c].at >= REG(ROW_FIRST, 0)) {
            uint32_t to = K(direct_temp)(d);
            K(direct_move)(d, to, final[c]);
            final[c] = K(direct_at)(to);
         }
         break;
      case IL_MODCOMP_0:
      case IL_MODCOMP_1:
         final[c] = K(direct_literal)(d, il_dst_comp(dst, c) == IL_MODCOMP_1 ? 0x3f800000 : 0);
         break;
      default:
         break;
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      if (il_dst_comp(dst, c) == IL_MODCOMP_NOWRITE) {
         continue;
      }
      if (dst->r.type == IL_REGTYPE_SHARED_TEMP) {
         K(direct_set)(shared(d, K(direct_uop_shared_store), &dst->r, c), 0, final[c]);
         d->p->head.writes_memory = d->p->head.ordered = true;
         continue;
      }
      uint32_t to = K(direct_place)(d, &dst->r, c);
      if (to) {
         K(direct_move)(d, to, final[c]);
      } else if (dst->r.type == IL_REGTYPE_PATCHCONST) {
         K(direct_patch_store)(d, &dst->r, c, final[c]);
      } else if (indexed(&dst->r) && !d->p->head.error) {
         scatter(d, &dst->r, c, final[c]);
      }
   }
}
