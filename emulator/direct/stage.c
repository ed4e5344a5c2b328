/* SPDX-License-Identifier: MIT */
/*
 * What geometry, hull and domain shaders have of their own (7.2.8, 7.2.9, 7.4.5): vertices and
 * control points as inputs, emitted vertices, the phases of a patch.
 *
 * An emitted vertex is a copy of all outputs, in rows of its own; the executor counts vertices and
 * cuts as it does for machine code.  A hull shader's lanes are the output control points of one
 * patch.  A phase for the whole patch runs in the lane of control point 0; what it writes is the
 * patch's, and it reads control points across lanes.  A flat hull shader has no phases, and what it
 * writes to the patch all lanes have at once.
 */
#include "direct/lift.h"

#define MAX_POINTS 32u

static bool
is_tessellation(const struct direct *d)
{
   return d->il->shader == IL_SHADER_HULL || d->il->shader == IL_SHADER_DOMAIN;
}

/* Which output an emitted vertex has in each slot. */
static void
lay_out_vertices(struct direct *d)
{
   struct direct_program *out = d->out;

   for (uint32_t n = 0; n < d->il->ninsts; n++) {
      const struct il_inst *inst = &d->il->insts[n];
      if (!il_emits(inst))
         continue;
      const unsigned stream = il_stream_of(inst) % DIRECT_STREAMS;
      if (!out->vertex_row[stream]) {
         d->vertex_counter[stream] = REG(direct_rows(d, 1), 0);
         out->vertex_row[stream] = 1;
      }
   }
   for (unsigned n = 0; n < DIRECT_OUTPUTS; n++)
      out->vertex_outputs += out->output_mask[n] != 0;
   for (unsigned s = 0; s < DIRECT_STREAMS; s++)
      if (out->vertex_row[s])
         out->vertex_row[s] = direct_rows(d, out->max_vertices * out->vertex_outputs);
}

void
direct_stage_begin(struct direct *d)
{
   struct direct_program *out = d->out;

   if (d->il->shader == IL_SHADER_GEOMETRY) {
      d->points = d->decl.gs.vertices;
      if (!d->points) {
         direct_refuse(d, "a geometry shader without input primitive");
         return;
      }
      lay_out_vertices(d);
   } else if (is_tessellation(d)) {
      d->points = MAX_POINTS;
      out->patch_row = direct_rows(d, DIRECT_PATCH);
      if (d->il->shader == IL_SHADER_DOMAIN)
         d->first_kept = out->patch_row;
   } else {
      return;
   }
   out->input_row = direct_rows(d, d->points * DIRECT_INPUTS);
   d->first_kept = d->first_kept ? d->first_kept : out->input_row;
   d->last_kept = d->rows;
}

/* --- inputs ----------------------------------------------------------------------------------- */

/* An element of rows that are `step` apart. */
static struct uop_operand
element(struct direct *d, const struct il_ref *r, uint32_t row, uint32_t step, uint32_t count,
        unsigned chan)
{
   uint32_t n = r->has_imm ? r->imm : r->num;

   if (r->rel == IL_ADDR_ABSOLUTE)
      return n < count ? direct_row(row + n * step, chan) : direct_literal(d, 0);
   struct uop_operand index = direct_index(d, r);
   index = DOP2(ADD_INT, index, direct_literal(d, n));
   uint32_t to = direct_temp(d);
   /* An index beyond the last may not wrap around when it is multiplied. */
   index = DOP2(MIN_UINT, index, direct_literal(d, count));
   index = DOP2(MULLO_UINT, index, direct_literal(d, step));
   direct_array(uop_emit(&d->b, UOP_ARRAY_LOAD, to, index, index, index), row,
                (count - 1) * step + 1, 0, chan);
   return direct_at(to);
}

/* vocp[point][slot]: the output of another lane. */
static struct uop_operand
output_point(struct direct *d, const struct il_ref *r, unsigned slot, unsigned chan)
{
   struct uop_operand index = direct_literal(d, r->has_imm ? r->imm : r->num);

   if (r->rel != IL_ADDR_ABSOLUTE)
      index = DOP2(ADD_INT, direct_index(d, r), index);
   uint32_t to = direct_temp(d);
   direct_array(uop_emit(&d->b, UOP_LANE_READ, to, index, index, index), d->out->output_row + slot,
                1, 0, chan);
   return direct_at(to);
}

static struct uop_operand
domain_location(struct direct *d, unsigned chan)
{
   struct uop_operand one = direct_literal(d, 0x3f800000);

   if (chan < 2)
      return direct_row(0, chan);
   /* Barycentric coordinates of a triangle add up to 1. */
   return chan == 2
             ? DOP2(ADD, DOP2(ADD, one, uop_neg(direct_row(0, 0))), uop_neg(direct_row(0, 1)))
             : direct_literal(d, 0);
}

/* v[vertex][slot], vicp[point][slot], vocp[point][slot] */
static struct uop_operand
point_input(struct direct *d, const struct il_src *src, unsigned chan)
{
   const struct il_ref *slot = src->dim2;

   if (!slot || slot->rel != IL_ADDR_ABSOLUTE || slot->num >= DIRECT_INPUTS) {
      direct_refuse(d, "an input that is indexed or out of range");
      return direct_literal(d, 0);
   }
   return src->r.type == IL_REGTYPE_OUTPUTCP
             ? output_point(d, &src->r, slot->num, chan)
             : element(d, &src->r, d->out->input_row + slot->num, DIRECT_INPUTS, d->points, chan);
}

bool
direct_stage_source(struct direct *d, const struct il_src *src, unsigned chan,
                    struct uop_operand *v)
{
   unsigned shader = d->il->shader;
   bool hull = shader == IL_SHADER_HULL, geometry = shader == IL_SHADER_GEOMETRY;

   if (!hull && !geometry && shader != IL_SHADER_DOMAIN)
      return false;
   switch (src->r.type) {
   case IL_REGTYPE_INPUT:
   case IL_REGTYPE_VERTEX:
   case IL_REGTYPE_INPUTCP:
   case IL_REGTYPE_OUTPUTCP:
      *v = point_input(d, src, chan);
      return true;
   case IL_REGTYPE_PATCHCONST:
      *v = element(d, &src->r, d->out->patch_row, 1, DIRECT_PATCH, chan);
      return true;
   case IL_REGTYPE_DOMAINLOCATION:
      *v = domain_location(d, chan);
      return true;
   case IL_REGTYPE_OCP_ID:
      *v = direct_row(0, 2);
      return true;
   case IL_REGTYPE_VPRIM:
      *v = direct_row(0, hull ? 0 : geometry ? 2 : 3);
      return true;
   case IL_REGTYPE_SHADER_INSTANCE_ID:
      *v = geometry ? direct_row(1, 3) : direct_literal(d, 0);
      return true;
   default:
      return false;
   }
}

void
direct_patch_store(struct direct *d, const struct il_ref *r, unsigned comp, struct uop_operand v)
{
   struct uop_operand index = direct_literal(d, r->has_imm ? r->imm : r->num);

   if (!d->decl.tess.flat) {
      direct_refuse(d, "a patch constant written outside a flat hull shader");
      return;
   }
   if (r->rel != IL_ADDR_ABSOLUTE)
      index = DOP2(ADD_INT, direct_index(d, r), index);
   direct_array(uop_emit(&d->b, UOP_ARRAY_SHARE, 0, v, index, index), d->out->patch_row,
                DIRECT_PATCH, 0, comp);
}

/* --- emitted vertices ------------------------------------------------------------------------- */
static void
emit(struct direct *d, unsigned stream)
{
   struct direct_program *out = d->out;
   uint32_t counter = d->vertex_counter[stream];
   struct uop_operand outputs = direct_literal(d, out->vertex_outputs);
   struct uop_operand first = DOP2(MULLO_UINT, direct_at(counter), outputs);
   uint32_t place = 0;

   for (unsigned n = 0; n < DIRECT_OUTPUTS; n++) {
      for (unsigned c = 0; c < 4; c++) {
         if (!(out->output_mask[n] >> c & 1))
            continue;
         struct uop *u =
            uop_emit(&d->b, UOP_ARRAY_STORE, 0, direct_row(out->output_row + n, c), first, first);
         direct_array(u, out->vertex_row[stream], out->max_vertices * out->vertex_outputs, place,
                      c);
      }
      place += out->output_mask[n] != 0;
   }
   struct uop_operand next = DOP2(ADD_INT, direct_at(counter), direct_literal(d, 1));
   direct_move(d, counter, DOP2(MIN_UINT, next, direct_literal(d, out->max_vertices)));
   direct_cf(d, CAYMAN_CF_EMIT_VERTEX)->count = (uint8_t)stream;
}

bool
direct_emit(struct direct *d, const struct il_inst *inst)
{
   const unsigned stream = il_stream_of(inst);

   if (stream >= DIRECT_STREAMS) {
      direct_refuse(d, "a stream above %u", DIRECT_STREAMS - 1);
      return true;
   }
   if (il_emits(inst))
      emit(d, stream);
   if (il_cuts(inst))
      direct_cf(d, CAYMAN_CF_CUT_VERTEX)->count = (uint8_t)stream;
   return true;
}

/* --- phases ----------------------------------------------------------------------------------- */
static void
begin_phase(struct direct *d, const struct il_inst *inst)
{
   if (d->walk.depth || d->in_phase) {
      direct_refuse(d, "a phase inside a block");
      return;
   }
   d->in_phase = true;
   d->patch_phase = inst->op != IL_OP_HS_CP_PHASE;
   if (d->patch_phase)
      d->patch_branch = direct_branch(d, UOP_PRED_SETE_INT, direct_row(0, 2), direct_literal(d, 0));
}

static void
end_phase(struct direct *d)
{
   if (!d->in_phase) {
      direct_refuse(d, "endphase without a phase");
      return;
   }
   if (d->patch_phase)
      direct_branch_end(d, d->patch_branch);
   if (d->walk.depth)
      direct_refuse(d, "the end of a phase inside a block");
   d->in_phase = d->patch_phase = false;
}

bool
direct_phase(struct direct *d, const struct il_inst *inst)
{
   if (il_op_info(inst->op)->flow == IL_FLOW_PHASE)
      begin_phase(d, inst);
   else
      end_phase(d);
   return true;
}
