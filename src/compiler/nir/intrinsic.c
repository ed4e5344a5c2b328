/* SPDX-License-Identifier: MIT */
/* Intrinsics: inputs and outputs, constants, registers, system values, discard, derivatives. */
#include "translate.h"

#include <inttypes.h>

static struct il_src
input(struct translator *t, unsigned reg, unsigned mask, unsigned usage, unsigned interp)
{
   if (reg >= MAX_INPUTS) {
      tr_fail(t, "input %u is out of range", reg);
      reg = 0;
   }
   struct input_decl *in = &t->inputs[reg];
   if (in->mask && in->interp != interp)
      tr_fail(t, "not implemented: input %u is interpolated in two ways", reg);
   in->mask |= mask;
   in->usage = usage;
   in->interp = interp;
   return il_src(IL_REGTYPE_INPUT, reg);
}

void
tr_load_from(struct translator *t, const nir_def *def, struct il_src reg, unsigned first)
{
   const struct tr_value *d = tr_define(t, def, false);
   unsigned comps = MIN2(tr_dwords(def), 4);
   uint8_t s[4] = { first, first, first, first };
   for (unsigned n = 0; n < comps; n++)
      s[d->comp[n]] = MIN2(first + n, 3);
   struct il_src src = il_swizzle(reg, s[0], s[1], s[2], s[3]);
   tr_emit(t, IL_OP_MOV, 0, tr_dst(d, BITFIELD_MASK(comps)), 1, &src);
}

static void
load_system_input(struct translator *t, const nir_def *def, unsigned reg, unsigned usage,
                  unsigned interp)
{
   tr_load_from(t, def, input(t, reg, BITFIELD_MASK(def->num_components), usage, interp), 0);
}

/* ------------------------------------------------------------------------------------ inputs -- */

static unsigned
constant_offset(struct translator *t, const nir_src *src, const char *what)
{
   if (nir_src_is_const(*src))
      return nir_src_as_uint(*src);
   tr_fail(t, "not implemented: %s with a variable index", what);
   return 0;
}

static void
load_vs_input(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned reg =
      nir_intrinsic_base(intr) + constant_offset(t, &intr->src[0], "a vertex attribute");
   unsigned first = nir_intrinsic_component(intr);
   if (reg >= IL_VS_INPUT_VERTEX_ID) {
      tr_fail(t, "vertex attribute %u is out of range", reg);
      return;
   }
   unsigned mask = BITFIELD_MASK(intr->def.num_components) << first & 15;
   tr_load_from(t, &intr->def, input(t, reg, mask, IL_IMPORTUSAGE_GENERIC, IL_INTERPMODE_NOTUSED),
                first);
}

static enum il_interpmode
interp_of(const nir_intrinsic_instr *bary, unsigned slot)
{
   unsigned mode = nir_intrinsic_interp_mode(bary);
   bool color = slot == IL_LINK_COLOR0 || slot == IL_LINK_COLOR1 || slot == IL_LINK_BACK_COLOR0 ||
                slot == IL_LINK_BACK_COLOR1;
   bool linear = mode == INTERP_MODE_NOPERSPECTIVE;
   switch (bary->intrinsic) {
   case nir_intrinsic_load_barycentric_centroid:
      return linear ? IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID : IL_INTERPMODE_LINEAR_CENTROID;
   case nir_intrinsic_load_barycentric_sample:
      return linear ? IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE : IL_INTERPMODE_LINEAR_SAMPLE;
   default:
      if (color && mode == INTERP_MODE_NONE)
         return IL_INTERPMODE_NOTUSED; /* smooth or flat by the shade model */
      return linear ? IL_INTERPMODE_LINEAR_NOPERSPECTIVE : IL_INTERPMODE_LINEAR;
   }
}

/* gl_FrontFacing as the float input of older shaders: +1 or -1. */
static void
load_face_float(struct translator *t, const nir_def *def)
{
   struct il_src s[3] = {
      il_replicate(
         input(t, IL_PS_INPUT_FRONT_FACE, 1, IL_IMPORTUSAGE_ISFRONTFACE, IL_INTERPMODE_CONSTANT),
         0),
      tr_float(t, 1.0f),
      tr_float(t, -1.0f),
   };
   const struct tr_value *d = tr_define(t, def, false);
   tr_emit(t, IL_OP_CMOV_LOGICAL, 0, tr_dst(d, BITFIELD_MASK(def->num_components)), 3, s);
}

static void
load_position(struct translator *t, const nir_def *def, unsigned first)
{
   unsigned mask = BITFIELD_MASK(def->num_components) << first & 15;
   tr_load_from(
      t, def,
      input(t, IL_LINK_POSITION, mask, IL_IMPORTUSAGE_POS, IL_INTERPMODE_LINEAR_NOPERSPECTIVE),
      first);
}

/* The number of a sample to evaluate an input at: a target without samples has any number, and all
 * are at its centre.  The driver's constants have positions of 16, which is more than there can be:
 * the last of them is the centre. */
static struct il_src
sample_number(struct translator *t, const nir_src *number)
{
   const unsigned last = 15;

   if (nir_src_is_const(*number))
      return tr_bits(t, MIN2(nir_src_as_uint(*number), last));
   struct il_src s[2] = { tr_scalar(t, number->ssa, 0), tr_bits(t, last) };
   const nir_intrinsic_instr *intr = nir_src_as_intrinsic(*number);
   if (intr && intr->intrinsic == nir_intrinsic_load_sample_id)
      return s[0];
   const uint32_t temp = tr_temp(t);
   tr_emit(t, IL_OP_U_MIN, 0, il_dst_masked(il_dst(IL_REGTYPE_TEMP, temp), 1), 2, s);
   return il_replicate(il_src(IL_REGTYPE_TEMP, temp), 0);
}

static void
load_ps_input(struct translator *t, const nir_intrinsic_instr *intr)
{
   bool interpolated = intr->intrinsic == nir_intrinsic_load_interpolated_input;
   nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   unsigned location =
      sem.location + constant_offset(t, &intr->src[interpolated ? 1 : 0], "a pixel input");
   unsigned first = nir_intrinsic_component(intr);
   unsigned mask = BITFIELD_MASK(intr->def.num_components) << first & 15;

   if (location == VARYING_SLOT_FACE) {
      load_face_float(t, &intr->def);
      return;
   }
   if (location == VARYING_SLOT_POS) {
      load_position(t, &intr->def, first);
      return;
   }
   int slot = tr_link_slot(location);
   if (slot < 0) {
      tr_fail(t, "not implemented: pixel input %s",
              gl_varying_slot_name_for_stage(location, MESA_SHADER_FRAGMENT));
      return;
   }
   unsigned usage = tr_link_usage(slot);
   if (!interpolated) {
      tr_load_from(t, &intr->def, input(t, slot, mask, usage, IL_INTERPMODE_CONSTANT), first);
      return;
   }
   const nir_intrinsic_instr *bary = nir_src_as_intrinsic(intr->src[0]);
   if (!bary) {
      tr_fail(t, "internal: an interpolated input without barycentrics");
      return;
   }
   enum il_interpmode interp = interp_of(bary, slot);
   bool at_offset = bary->intrinsic == nir_intrinsic_load_barycentric_at_offset;
   bool at_sample = bary->intrinsic == nir_intrinsic_load_barycentric_at_sample;
   bool second = t->inputs[slot].mask && t->inputs[slot].interp != interp;
   if (!at_offset && !at_sample && !second) {
      tr_load_from(t, &intr->def, input(t, slot, mask, usage, interp), first);
      return;
   }
   /* A register has one mode; at other positions in the pixel its value is evaluated. */
   struct il_src s[2] = { input(t, slot, mask, usage,
                                t->inputs[slot].mask ? t->inputs[slot].interp : interp) };
   enum il_opcode op = IL_OP_EVAL_SNAPPED;
   unsigned nsrc = 2;
   if (at_offset) {
      s[1] = tr_vector(t, bary->src[0].ssa, 2);
   } else if (at_sample) {
      op = IL_OP_EVAL_SAMPLE_INDEX;
      s[1] = sample_number(t, &bary->src[0]);
   } else if (bary->intrinsic == nir_intrinsic_load_barycentric_centroid) {
      op = IL_OP_EVAL_CENTROID;
      nsrc = 1;
   } else if (bary->intrinsic == nir_intrinsic_load_barycentric_sample) {
      op = IL_OP_EVAL_SAMPLE_INDEX;
      s[1] = il_replicate(
         input(t, IL_PS_INPUT_SAMPLE_INDEX, 1, IL_IMPORTUSAGE_SAMPLE_INDEX, IL_INTERPMODE_CONSTANT),
         0);
   } else {
      s[1] = tr_bits(t, 0);
   }
   uint32_t temp = tr_temp(t);
   tr_emit(t, op, 0, il_dst_masked(il_dst(IL_REGTYPE_TEMP, temp), mask), nsrc, s);
   tr_load_from(t, &intr->def, il_src(IL_REGTYPE_TEMP, temp), first);
}

/* ----------------------------------------------------------------------------------- outputs -- */

void
tr_store_to(struct translator *t, const nir_intrinsic_instr *intr, struct il_dst reg,
            unsigned first, unsigned mask, bool alpha_one)
{
   const struct tr_value *v = tr_value(t, intr->src[0].ssa);
   uint8_t s[4] = { v->comp[0], v->comp[0], v->comp[0], v->comp[0] };
   mask = tr_dword_mask(mask, nir_src_bit_size(intr->src[0]));
   for (unsigned n = 0; n + first < 4; n++)
      if (mask >> n & 1)
         s[n + first] = v->comp[n];
   struct il_dst d = il_dst_masked(reg, mask << first & 15);
   if (alpha_one && d.comp[3] == IL_MODCOMP_WRITE) {
      d.comp[3] = IL_MODCOMP_1;
      d.has_mod = true;
   }
   struct il_src src = il_swizzle(il_src(v->type, v->num), s[0], s[1], s[2], s[3]);
   tr_emit(t, IL_OP_MOV, 0, d, 1, &src);
}

static void
store_color(struct translator *t, const nir_intrinsic_instr *intr, unsigned target)
{
   unsigned first = nir_intrinsic_component(intr), mask = nir_intrinsic_write_mask(intr);
   if (target >= 8) {
      tr_fail(t, "colour output %u is out of range", target);
      return;
   }
   t->color_mask[target] |= mask << first & 15;
   tr_store_to(t, intr, il_dst(IL_REGTYPE_OUTPUT, target), first, mask, t->key->alpha_to_one);
}

static void
store_ps_output(struct translator *t, const nir_intrinsic_instr *intr)
{
   nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   unsigned offset = constant_offset(t, &intr->src[1], "a pixel output");
   unsigned location = sem.location + offset;
   /* x of depth, y of stencil in the variables of old; intrinsics carry component 0 */
   unsigned mask = nir_intrinsic_write_mask(intr);
   switch (location) {
   case FRAG_RESULT_COLOR: {
      unsigned targets = MAX2(t->key->color_count, 1);
      if (sem.dual_source_blend_index) {
         store_color(t, intr, 1);
         break;
      }
      for (unsigned n = 0; n < targets && n < 8; n++)
         store_color(t, intr, n);
      break;
   }
   case FRAG_RESULT_DEPTH:
      t->writes_depth = true;
      tr_store_to(t, intr, il_dst(IL_REGTYPE_DEPTH, 0), 0, mask & 1, false);
      break;
   case FRAG_RESULT_STENCIL:
      tr_store_to(t, intr, il_dst(IL_REGTYPE_STENCIL, 0), 0, mask & 1, false);
      break;
   case FRAG_RESULT_SAMPLE_MASK:
      tr_store_to(t, intr, il_dst(IL_REGTYPE_OMASK, 0), 0, mask & 1, false);
      break;
   default:
      if (location < FRAG_RESULT_DATA0)
         tr_fail(t, "not implemented: pixel output %u", location);
      else
         store_color(t, intr, sem.dual_source_blend_index ? 1 : location - FRAG_RESULT_DATA0);
   }
}

static void
store_vs_output(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned location = nir_intrinsic_io_semantics(intr).location +
                       constant_offset(t, &intr->src[1], "a vertex output");
   unsigned first = nir_intrinsic_component(intr), mask = nir_intrinsic_write_mask(intr);

   if (location == VARYING_SLOT_EDGE) {
      t->uses_edge |= t->key->edge_flags;
      if (t->key->edge_flags)
         tr_store_to(t, intr, il_dst(IL_REGTYPE_EDGEFLAG, 0), 0, 1, false);
      return;
   }
   bool linked = t->key->as_es || t->key->as_ls;
   if (location == VARYING_SLOT_CLIP_VERTEX && !linked)
      return; /* has become clip distances */
   int slot = tr_link_slot(location);
   if (slot < 0) {
      tr_fail(t, "not implemented: vertex output %s",
              gl_varying_slot_name_for_stage(location, MESA_SHADER_VERTEX));
      return;
   }
   if (linked && !(t->key->link_slots >> slot & 1))
      return;
   t->output_mask[slot] |= mask << first & 15;
   tr_store_to(t, intr, il_dst(IL_REGTYPE_OUTPUT, slot), first, mask, false);
}

/* ------------------------------------------------------------------------- geometry shaders -- */

struct il_src
tr_vertex_register(struct translator *t, enum il_regtype type, const nir_src *vertex, unsigned slot)
{
   struct il_src s = il_src(type, 0);
   struct il_ref *dim2 = il_alloc(t->p, sizeof(*dim2));
   if (!dim2) {
      tr_fail(t, "out of memory");
      return s;
   }
   dim2->type = type;
   dim2->num = slot;
   s.dim2 = dim2;
   if (nir_src_is_const(*vertex)) {
      s.r.num = MIN2(nir_src_as_uint(*vertex), 0xffff);
      return s;
   }
   struct il_src index = tr_scalar(t, vertex->ssa, 0);
   s.r.rel = IL_ADDR_REG_RELATIVE;
   s.r.index = il_alloc(t->p, sizeof(*s.r.index));
   if (s.r.index)
      *s.r.index = index;
   else
      tr_fail(t, "out of memory");
   return s;
}

int
tr_slot_of(struct translator *t, const nir_intrinsic_instr *intr, const nir_src *offset,
           const char *what)
{
   unsigned location = nir_intrinsic_io_semantics(intr).location + constant_offset(t, offset, what);
   int slot = tr_link_slot(location);
   if (slot < 0)
      tr_fail(t, "not implemented: %s %s", what,
              gl_varying_slot_name_for_stage(location, t->nir->info.stage));
   return slot;
}

static void
load_vertex_input(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned first = nir_intrinsic_component(intr);
   int slot = tr_slot_of(t, intr, &intr->src[1], "an input of a vertex");
   if (slot < 0)
      return;
   t->vertex_input_mask[slot] |= BITFIELD_MASK(intr->def.num_components) << first & 15;
   tr_load_from(t, &intr->def, tr_vertex_register(t, IL_REGTYPE_INPUT, &intr->src[0], slot), first);
}

/* Programs that know of one stream only use the forms without one. */
static void
emit_or_cut(struct translator *t, const nir_intrinsic_instr *intr, enum il_opcode op,
            enum il_opcode stream_op)
{
   bool streams = t->nir->info.gs.active_stream_mask & ~1u;
   tr_emit0(t, streams ? stream_op : op, streams ? nir_intrinsic_stream_id(intr) : 0, 0, NULL);
}

/* ------------------------------------------------------------------- constants and registers -- */

static struct il_src
constant_element(struct translator *t, unsigned cb, unsigned elem, const struct il_src *index)
{
   t->cbs |= 1u << cb;
   return il_array_src(t->p, IL_REGTYPE_CONST_BUFF, cb, elem, index);
}

static void
load_zero(struct translator *t, const nir_def *def)
{
   const struct tr_value *d = tr_define(t, def, false);
   struct il_src zero = tr_bits(t, 0);
   tr_emit(t, IL_OP_MOV, 0, tr_dst(d, BITFIELD_MASK(def->num_components)), 1, &zero);
}

/* Takes a byte offset of the form (x << 4) + 16 n apart; most are, since elements are vec4s. */
static bool
element_of(nir_scalar offset, nir_scalar *index, unsigned *elem)
{
   if (nir_scalar_is_alu(offset) && nir_scalar_alu_op(offset) == nir_op_iadd) {
      nir_scalar constant = nir_scalar_chase_alu_src(offset, 1);
      if (!nir_scalar_is_const(constant) || nir_scalar_as_uint(constant) % 16 ||
          nir_scalar_as_uint(constant) >= 4096 * 16)
         return false;
      *elem += nir_scalar_as_uint(constant) / 16;
      offset = nir_scalar_chase_alu_src(offset, 0);
   }
   if (!nir_scalar_is_alu(offset) || nir_scalar_alu_op(offset) != nir_op_ishl)
      return false;
   nir_scalar shift = nir_scalar_chase_alu_src(offset, 1);
   if (!nir_scalar_is_const(shift) || nir_scalar_as_uint(shift) != 4)
      return false;
   *index = nir_scalar_chase_alu_src(offset, 0);
   return true;
}

static void
load_ubo_vec4(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned block = constant_offset(t, &intr->src[0], "a uniform block");
   unsigned cb = block == DRIVER_BLOCK ? IL_DRIVER_CB : il_constant_buffer(block);
   unsigned first = nir_intrinsic_component(intr);
   unsigned base = nir_intrinsic_base(intr);
   if (cb > IL_LAST_CB) {
      tr_fail(t, "uniform block %u is out of range", block);
      return;
   }
   if (nir_src_is_const(intr->src[1])) {
      uint64_t elem = (uint64_t)base + nir_src_as_uint(intr->src[1]);
      if (elem >= 4096)
         load_zero(t, &intr->def);
      else
         tr_load_from(t, &intr->def, constant_element(t, cb, elem, NULL), first);
      return;
   }
   struct il_src index = tr_scalar(t, intr->src[1].ssa, 0);
   tr_load_from(t, &intr->def, constant_element(t, cb, base, &index), first);
}

/* Large constants were laid out in vec4s.  Their byte offset picks one; where it may point into it,
 * the component is selected as well. */
static void
load_constant(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned base = nir_intrinsic_base(intr);
   t->uses_icb = true;
   if (base % 4) {
      tr_fail(t, "internal: a constant at byte %u", base);
      return;
   }
   if (nir_src_is_const(intr->src[0])) {
      unsigned byte = base + nir_src_as_uint(intr->src[0]);
      tr_load_from(t, &intr->def,
                   il_array_src(t->p, IL_REGTYPE_IMMED_CONST_BUFF, 0, byte / 16, NULL),
                   byte / 4 % 4);
      return;
   }
   nir_scalar chosen;
   unsigned elem = base / 16;
   if (base % 16 == 0 && element_of(nir_get_scalar(intr->src[0].ssa, 0), &chosen, &elem)) {
      struct il_src i = tr_scalar(t, chosen.def, chosen.comp);
      tr_load_from(t, &intr->def, il_array_src(t->p, IL_REGTYPE_IMMED_CONST_BUFF, 0, elem, &i), 0);
      return;
   }
   /* byte = offset + base; element = byte / 16 */
   uint32_t temp = tr_temp(t);
   struct il_dst x = il_dst_masked(il_dst(IL_REGTYPE_TEMP, temp), 1);
   struct il_dst y = il_dst_masked(il_dst(IL_REGTYPE_TEMP, temp), 2);
   struct il_src tx = il_replicate(il_src(IL_REGTYPE_TEMP, temp), 0);
   struct il_src ty = il_replicate(il_src(IL_REGTYPE_TEMP, temp), 1);
   struct il_src s[3] = { tr_scalar(t, intr->src[0].ssa, 0), tr_bits(t, base) };
   tr_emit(t, IL_OP_I_ADD, 0, y, 2, s);
   s[0] = ty;
   s[1] = tr_bits(t, 4);
   tr_emit(t, IL_OP_U_SHR, 0, x, 2, s);
   struct il_src row = il_array_src(t->p, IL_REGTYPE_IMMED_CONST_BUFF, 0, 0, &tx);

   unsigned align = nir_intrinsic_align_mul(intr);
   if (align >= 16 || intr->def.num_components > 1) {
      unsigned first = align >= 16 ? (base + nir_intrinsic_align_offset(intr)) / 4 % 4 : 0;
      tr_load_from(t, &intr->def, row, first);
      return;
   }
   /* One component of the row, by (byte / 4) % 4: two selects over halves. */
   uint32_t vec = tr_temp(t), bits = tr_temp(t), half = tr_temp(t);
   tr_emit(t, IL_OP_MOV, 0, il_dst(IL_REGTYPE_TEMP, vec), 1, &row);
   struct tr_value mask = tr_literal(t, (const uint32_t[]){ 4, 8 }, 2);
   struct il_src a[2] = { ty, il_swizzle(il_src(mask.type, mask.num), mask.comp[0], mask.comp[1],
                                         mask.comp[1], mask.comp[1]) };
   tr_emit(t, IL_OP_AND, 0, il_dst_masked(il_dst(IL_REGTYPE_TEMP, bits), 3), 2, a);
   struct il_src pick[3] = { il_replicate(il_src(IL_REGTYPE_TEMP, bits), 0),
                             il_swizzle(il_src(IL_REGTYPE_TEMP, vec), 1, 3, 3, 3),
                             il_swizzle(il_src(IL_REGTYPE_TEMP, vec), 0, 2, 2, 2) };
   tr_emit(t, IL_OP_CMOV_LOGICAL, 0, il_dst_masked(il_dst(IL_REGTYPE_TEMP, half), 3), 3, pick);
   struct il_src last[3] = { il_replicate(il_src(IL_REGTYPE_TEMP, bits), 1),
                             il_replicate(il_src(IL_REGTYPE_TEMP, half), 1),
                             il_replicate(il_src(IL_REGTYPE_TEMP, half), 0) };
   const struct tr_value *d = tr_define(t, &intr->def, false);
   tr_emit(t, IL_OP_CMOV_LOGICAL, 0, tr_dst(d, 1), 3, last);
}

static void
declare_register(struct translator *t, const nir_intrinsic_instr *intr)
{
   unsigned elems = nir_intrinsic_num_array_elems(intr), comps = nir_intrinsic_num_components(intr);
   unsigned bits = nir_intrinsic_bit_size(intr);
   comps *= bits == 64 ? 2 : 1;
   if (comps > 4 || (bits != 32 && bits != 64) || intr->def.index >= t->num_values) {
      tr_fail(t, "not implemented: a register of %u %u-bit components", comps, bits);
      return;
   }
   struct tr_value *v = &t->values[intr->def.index];
   v->known = true;
   for (unsigned c = 0; c < 4; c++)
      v->comp[c] = MIN2(c, comps - 1);
   if (!elems) {
      v->type = IL_REGTYPE_TEMP;
      v->num = tr_temp(t);
      return;
   }
   t->array_vec4s += elems;
   if (t->array_vec4s > IL_ARRAY_VEC4S) {
      tr_fail(t, "arrays at run-time indices take at least %" PRIu64 " bytes, and a thread has %u",
              t->array_vec4s * 16, IL_ARRAY_VEC4S * 16);
      return;
   }
   if (t->next_array == ARRAY_SIZE(t->array_size)) {
      tr_fail(t, "more than %u arrays at run-time indices", t->next_array);
      return;
   }
   v->type = IL_REGTYPE_ITEMP;
   v->num = t->next_array++;
   v->elems = elems;
   t->array_size[v->num] = elems;
}

/* The element of an array register, or the register itself.  `index` is NULL or the source. */
static bool
element(struct translator *t, const struct tr_value *v, unsigned base, const nir_src *index,
        struct il_src *idx)
{
   if (v->type != IL_REGTYPE_ITEMP) {
      if (base || index)
         tr_fail(t, "internal: a scalar register is indexed");
      return false;
   }
   if (index)
      *idx = tr_scalar(t, index->ssa, 0);
   return true;
}

static void
load_register(struct translator *t, const nir_intrinsic_instr *intr, const nir_src *index)
{
   const struct tr_value *v = tr_value(t, intr->src[0].ssa);
   unsigned base = nir_intrinsic_base(intr);
   struct il_src idx, src;
   if (element(t, v, base, index, &idx)) {
      if (!index && base >= v->elems) {
         load_zero(t, &intr->def);
         return;
      }
      src = il_array_src(t->p, IL_REGTYPE_ITEMP, v->num, base, index ? &idx : NULL);
   } else {
      src = il_src(v->type, v->num);
   }
   tr_load_from(t, &intr->def, src, 0);
}

static void
store_register(struct translator *t, const nir_intrinsic_instr *intr, const nir_src *index)
{
   const struct tr_value *v = tr_value(t, intr->src[1].ssa);
   unsigned base = nir_intrinsic_base(intr), mask = nir_intrinsic_write_mask(intr);
   struct il_src idx;
   struct il_dst dst;
   if (element(t, v, base, index, &idx)) {
      if (!index && base >= v->elems)
         return;
      dst = il_array_dst(t->p, IL_REGTYPE_ITEMP, v->num, base, index ? &idx : NULL);
   } else {
      dst = il_dst(v->type, v->num);
   }
   tr_store_to(t, intr, dst, 0, mask, false);
}

/* -------------------------------------------------------------------------------------- rest -- */

static void
system_value(struct translator *t, const nir_def *def, enum il_sysval id)
{
   const struct tr_value *d = tr_define(t, def, true);
   t->uses_sysval = true;
   tr_emit(t, IL_OP_X_SYSVAL, id, tr_dst(d, BITFIELD_MASK(def->num_components)), 0, NULL);
}

static void
ballot(struct translator *t, const nir_intrinsic_instr *intr)
{
   struct il_src s = tr_scalar(t, intr->src[0].ssa, 0);
   const struct tr_value *d = tr_define(t, &intr->def, true);
   t->uses_sysval = true;
   tr_emit(t, IL_OP_X_BALLOT, 0, tr_dst(d, BITFIELD_MASK(intr->def.num_components)), 1, &s);
}

/* A pixel that runs for its neighbours' derivatives alone covers nothing. */
static void
helper_invocation(struct translator *t, const nir_def *def)
{
   const struct tr_value *d = tr_define(t, def, false);
   struct il_src s[2] = { il_replicate(il_src(IL_REGTYPE_INPUT_COVERAGE_MASK, 0), 0),
                          tr_bits(t, 0) };
   tr_emit(t, IL_OP_I_EQ, 0, tr_dst(d, 1), 2, s);
}

static void
derivative(struct translator *t, const nir_intrinsic_instr *intr, enum il_opcode op, bool fine)
{
   const struct tr_value *d = tr_define(t, &intr->def, false);
   static const uint8_t same[4] = { 0, 1, 2, 3 };
   unsigned n = intr->def.num_components;
   struct il_src s = tr_src(tr_value(t, intr->src[0].ssa), same, d, n);
   tr_emit(t, op, fine ? 0x80 : 0, tr_dst(d, BITFIELD_MASK(n)), 1, &s);
}

static void
discard(struct translator *t, struct il_src condition)
{
   tr_emit0(t, IL_OP_DISCARD_LOGICALNZ, 0, 1, &condition);
}

void
tr_intrinsic(struct translator *t, const nir_intrinsic_instr *intr)
{
   bool ps = t->nir->info.stage == MESA_SHADER_FRAGMENT;
   const nir_def *def = &intr->def;

   if (tr_tess(t, intr))
      return;
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
      if (ps)
         load_ps_input(t, intr);
      else
         load_vs_input(t, intr);
      break;
   case nir_intrinsic_load_interpolated_input:
      load_ps_input(t, intr);
      break;
   case nir_intrinsic_load_barycentric_pixel:
   case nir_intrinsic_load_barycentric_centroid:
   case nir_intrinsic_load_barycentric_sample:
   case nir_intrinsic_load_barycentric_at_offset:
   case nir_intrinsic_load_barycentric_at_sample:
      break; /* read where they are used */
   case nir_intrinsic_store_output:
      if (ps)
         store_ps_output(t, intr);
      else
         store_vs_output(t, intr);
      break;
   case nir_intrinsic_load_ubo_vec4:
      load_ubo_vec4(t, intr);
      break;
   case nir_intrinsic_load_constant:
      load_constant(t, intr);
      break;
   case nir_intrinsic_decl_reg:
      declare_register(t, intr);
      break;
   case nir_intrinsic_load_reg:
      load_register(t, intr, NULL);
      break;
   case nir_intrinsic_load_reg_indirect:
      load_register(t, intr, &intr->src[1]);
      break;
   case nir_intrinsic_store_reg:
      store_register(t, intr, NULL);
      break;
   case nir_intrinsic_store_reg_indirect:
      store_register(t, intr, &intr->src[2]);
      break;
   case nir_intrinsic_load_user_clip_plane:
      tr_load_from(t, def,
                   constant_element(t, IL_DRIVER_CB,
                                    IL_DRV_CLIP_PLANE0 + nir_intrinsic_ucp_id(intr) % 8, NULL),
                   0);
      break;
   case nir_intrinsic_load_vertex_id:
      load_system_input(t, def, IL_VS_INPUT_VERTEX_ID, IL_IMPORTUSAGE_VERTEXID, 0);
      break;
   case nir_intrinsic_load_instance_id:
      load_system_input(t, def, IL_VS_INPUT_INSTANCE_ID, IL_IMPORTUSAGE_INSTANCEID, 0);
      break;
   case nir_intrinsic_load_per_vertex_input:
      load_vertex_input(t, intr);
      break;
   case nir_intrinsic_emit_vertex:
      emit_or_cut(t, intr, IL_OP_EMIT, IL_OP_EMIT_STREAM);
      break;
   case nir_intrinsic_end_primitive:
      emit_or_cut(t, intr, IL_OP_CUT, IL_OP_CUT_STREAM);
      break;
   case nir_intrinsic_load_invocation_id:
      tr_load_from(t, def, il_src(IL_REGTYPE_SHADER_INSTANCE_ID, 0), 0);
      break;
   case nir_intrinsic_load_primitive_id:
      if (t->nir->info.stage == MESA_SHADER_GEOMETRY) {
         tr_load_from(t, def, il_src(IL_REGTYPE_VPRIM, 0), 0);
         break;
      }
      load_system_input(t, def, ps ? IL_LINK_PRIMITIVE_ID : IL_VS_INPUT_PRIMITIVE_ID,
                        IL_IMPORTUSAGE_PRIMITIVEID, ps ? IL_INTERPMODE_CONSTANT : 0);
      break;
   case nir_intrinsic_load_layer_id:
      load_system_input(t, def, IL_LINK_LAYER, IL_IMPORTUSAGE_RENDERTARGET_ARRAY_INDEX,
                        IL_INTERPMODE_CONSTANT);
      break;
   case nir_intrinsic_load_frag_coord:
      load_position(t, def, 0);
      break;
   case nir_intrinsic_load_point_coord:
   case nir_intrinsic_load_point_coord_maybe_flipped:
      load_system_input(t, def, IL_LINK_POINT_COORD, IL_IMPORTUSAGE_GENERIC, IL_INTERPMODE_LINEAR);
      break;
   case nir_intrinsic_load_front_face:
      load_system_input(t, def, IL_PS_INPUT_FRONT_FACE, IL_IMPORTUSAGE_ISFRONTFACE,
                        IL_INTERPMODE_CONSTANT);
      break;
   case nir_intrinsic_load_front_face_fsign:
      load_face_float(t, def);
      break;
   case nir_intrinsic_load_sample_id:
      load_system_input(t, def, IL_PS_INPUT_SAMPLE_INDEX, IL_IMPORTUSAGE_SAMPLE_INDEX,
                        IL_INTERPMODE_CONSTANT);
      break;
   case nir_intrinsic_load_sample_mask_in:
      /* Read where it is: ATTILA can count its bits, and no others. */
      t->values[def->index] =
         (struct tr_value){ .known = true, .type = IL_REGTYPE_INPUT_COVERAGE_MASK };
      break;
   case nir_intrinsic_load_sample_pos:
   case nir_intrinsic_load_sample_pos_or_center:
      system_value(t, def, IL_SYSVAL_SAMPLE_POS);
      break;
   case nir_intrinsic_load_helper_invocation:
   case nir_intrinsic_is_helper_invocation:
      helper_invocation(t, def);
      break;
   case nir_intrinsic_load_base_vertex:
      system_value(t, def, IL_SYSVAL_BASE_VERTEX);
      break;
   case nir_intrinsic_load_first_vertex:
      system_value(t, def, IL_SYSVAL_FIRST_VERTEX);
      break;
   case nir_intrinsic_load_base_instance:
      system_value(t, def, IL_SYSVAL_BASE_INSTANCE);
      break;
   case nir_intrinsic_load_draw_id:
      system_value(t, def, IL_SYSVAL_DRAW_ID);
      break;
   case nir_intrinsic_load_view_index:
      t->cbs |= 1u << IL_DRIVER_CB;
      tr_load_from(t, def,
                   il_array_src(t->p, IL_REGTYPE_CONST_BUFF, IL_DRIVER_CB, IL_DRV_VIEW, NULL), 0);
      break;
   case nir_intrinsic_load_is_indexed_draw:
      system_value(t, def, IL_SYSVAL_IS_INDEXED_DRAW);
      break;
   case nir_intrinsic_load_subgroup_invocation:
      system_value(t, def, IL_SYSVAL_LANE);
      break;
   case nir_intrinsic_ballot:
      ballot(t, intr);
      break;
   case nir_intrinsic_shader_clock:
      tr_load_from(t, def, il_src(IL_REGTYPE_TIMER, 0), 0);
      break;
   case nir_intrinsic_demote:
   case nir_intrinsic_terminate:
      discard(t, tr_bits(t, ~0u));
      break;
   case nir_intrinsic_demote_if:
   case nir_intrinsic_terminate_if:
      discard(t, tr_scalar(t, intr->src[0].ssa, 0));
      break;
   case nir_intrinsic_ddx:
   case nir_intrinsic_ddx_coarse:
      derivative(t, intr, IL_OP_DSX, false);
      break;
   case nir_intrinsic_ddx_fine:
      derivative(t, intr, IL_OP_DSX, true);
      break;
   case nir_intrinsic_ddy:
   case nir_intrinsic_ddy_coarse:
      derivative(t, intr, IL_OP_DSY, false);
      break;
   case nir_intrinsic_ddy_fine:
      derivative(t, intr, IL_OP_DSY, true);
      break;
   default:
      if (tr_memory(t, intr))
         break;
      tr_fail(t, "not implemented: NIR intrinsic %s", nir_intrinsic_infos[intr->intrinsic].name);
   }
}
