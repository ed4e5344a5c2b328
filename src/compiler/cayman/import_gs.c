/* SPDX-License-Identifier: MIT */
/*
 * Import of geometry shaders and what stands around them.
 *
 *   ES    at its end, one MEM_RING for each link slot that the geometry shader reads: a vec4 of the
 *         vertex, in the order of slots
 *   GS    R0.x y w, R1.x y z are where the vertices begin in the ring, in dwords; R0.z the
 *         primitive, R1.w the invocation.  Inputs are fetched where they are first read.  At an
 *         EMIT the outputs go to the stream's ring, vertex after vertex: at a fixed offset if all
 *         of the stream's emits stand outside of branches and loops, else where a counter says.
 *   VS    the copy shader: R0.x has the vertex's offset in the ring and, from bit 30 on, its
 *         stream.  It fetches, streams out, and exports what stream 0 has.
 */
#include "import.h"

#include <string.h>

/* --- layout of emitted vertices --------------------------------------------------------------- */

static void
lay_out_streams(struct importer *im)
{
   const char *wrong = front_lay_out_streams(im->c->out, &im->decl, &im->slots, &im->pos);

   if (wrong) {
      im->inst = &im->il->insts[im->pos];
      im_unsupported(im, wrong);
   }
   for (unsigned n = 0; n < 4; n++) {
      const struct front_stream *s = &im->slots.stream[n];
      /* An offset that ARRAY_BASE cannot name needs an index. */
      im->stream[n].counted = s->in_block || s->emits * front_slot_count(s->slots) * 4 > 8192;
   }
}

/* Outputs live in variables, each in its channel, so that an emit can write them as they are. */
void
im_gs_scan(struct importer *im)
{
   for (unsigned o = 0; o < MAX_OUTPUTS; o++)
      for (unsigned comp = 0; comp < 4; comp++)
         im->out[o][comp].variable = im->out[o][comp].defs != 0;
}

void
im_gs_begin(struct importer *im)
{
   static const uint8_t gpr[6] = { 0, 0, 0, 1, 1, 1 }, chan[6] = { 0, 1, 3, 0, 1, 2 };
   struct compiler *c = im->c;
   struct shader_code *out = c->out;

   lay_out_streams(im);
   im->vertex_fetch = cc_alloc(c, sizeof(*im->vertex_fetch) * 6);
   if (!im->decl.gs.vertices)
      im_unsupported(im, "a geometry shader without input primitive");
   for (unsigned v = 0; v < 6; v++)
      im->vertex_offset[v] = cc_input(c, gpr[v], chan[v]);
   im->primitive = cc_input(c, 0, 2);
   im->invocation = cc_input(c, 1, 3);
   c->first_free_gpr = 2;
   if (!out->gs.invocations)
      out->gs.invocations = 1;

   for (unsigned n = 0; n < IL_LINK_COUNT; n++)
      if (im->used[n])
         im->slots.link |= (uint64_t)1 << n;
   out->gs.input_slots = im->slots.link;
   unsigned vec4s = front_slot_count(im->slots.link);
   out->gs.input_dwords = (vec4s ? vec4s : 1) * 4;

   for (unsigned o = 0; o < MAX_OUTPUTS; o++) {
      for (unsigned comp = 0; comp < 4; comp++)
         if (im->out[o][comp].defs)
            cc_pin(c, im_comp_value(im, &im->out[o][comp]), comp);
   }
   for (unsigned n = 0; n < 4; n++) {
      struct gs_stream *s = &im->stream[n];
      if (im->slots.stream[n].used && s->counted) {
         s->next = cc_variable(c);
         cc_pin(c, s->next, 0);
         cc_mov(c, s->next, op_const(0));
      }
   }
}

/* --- inputs ----------------------------------------------------------------------------------- */

static struct cc_operand
result_of(struct importer *im, struct inst *fetch, unsigned comp)
{
   if (!fetch->fetch[0].dst[comp]) {
      fetch->fetch[0].dst[comp] = cc_value(im->c);
      im->c->values[fetch->fetch[0].dst[comp]].def = fetch;
   }
   return op_value(fetch->fetch[0].dst[comp]);
}

/* Where the vertex begins that only an index at run time names. */
static struct cc_operand
chosen_vertex(struct importer *im, struct cc_operand index, unsigned base)
{
   struct cc_operand offset = op_value(im->vertex_offset[0]);

   for (unsigned v = 1; v < im->decl.gs.vertices; v++) {
      struct cc_operand is =
         op_value(im_emit2(im, CAYMAN_ALU_SETE_INT, index, op_const((uint32_t)(v - base))));
      offset =
         op_value(im_emit3(im, CAYMAN_ALU_CNDE_INT, is, offset, op_value(im->vertex_offset[v])));
   }
   return offset;
}

struct cc_operand
im_gs_input(struct importer *im, const struct il_src *src, unsigned sel)
{
   struct compiler *c = im->c;
   const struct il_ref *ref = &src->r;
   uint32_t slot = src->dim2->num, vertex = ref->has_imm ? ref->imm : ref->num;
   struct cc_operand index = op_none();

   if (src->dim2->rel != IL_ADDR_ABSOLUTE || slot >= IL_LINK_COUNT)
      im_unsupported(im, "input that is indexed or out of range");
   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      index = im_plain(im, im_src(im, ref->index, 0));
      if (index.kind == OPERAND_CONST) {
         vertex += index.value;
         index = op_none();
      }
   }
   unsigned offset = 4 * front_slot_index(im->slots.link, slot);
   if (index.kind != OPERAND_NONE) {
      if (!im->last_vertex.fetch || im->last_vertex.slot != slot ||
          im->last_vertex.base != vertex || im->last_vertex.origin != c->origin ||
          !op_same(&im->last_vertex.index, &index)) {
         im->last_vertex.fetch = im_ring_fetch(im, chosen_vertex(im, index, vertex), offset);
         im->last_vertex.slot = slot;
         im->last_vertex.base = vertex;
         im->last_vertex.origin = c->origin;
         im->last_vertex.index = index;
      }
      return result_of(im, im->last_vertex.fetch, sel);
   }
   if (vertex >= im->decl.gs.vertices)
      return op_const(0);
   if (!im->vertex_fetch[vertex][slot].fetch ||
       (!im->vertex_fetch[vertex][slot].lasting &&
        im->vertex_fetch[vertex][slot].block != c->num_blocks)) {
      im->vertex_fetch[vertex][slot].fetch =
         im_ring_fetch(im, op_value(im->vertex_offset[vertex]), offset);
      im->vertex_fetch[vertex][slot].block = c->num_blocks;
      im->vertex_fetch[vertex][slot].lasting = im->walk->depth == 0;
   }
   return result_of(im, im->vertex_fetch[vertex][slot].fetch, sel);
}

/* --- emits ------------------------------------------------------------------------------------ */

static void
signal_vertex(struct importer *im, unsigned op, unsigned stream)
{
   struct inst *inst = im_export(im, op, 0, 0);
   inst->export.proto.count = stream;
}

/* A vec4 to a ring; components that are declared but never written are 0. */
static struct inst *
write_ring(struct importer *im, unsigned op, unsigned slot, unsigned base)
{
   struct cc_operand src[4] = { { 0 } };
   unsigned mask = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (im->out[slot][i].defs || (im->decl.output[slot] >> i & 1)) {
         src[i] = im_export_src(im, im_out_value(im, &im->out[slot][i]), false);
         mask |= 1u << i;
      }
   }
   if (!mask)
      return NULL;
   struct inst *store = im_export(im, op, CAYMAN_MEM_WRITE, base);
   memcpy(store->export.src, src, sizeof(src));
   store->export.proto.elem_size = 3;
   store->export.proto.array_size = 0xfff;
   store->export.proto.comp_mask = mask;
   return store;
}

static void
emit_vertex(struct importer *im, unsigned stream)
{
   static const uint16_t ring[4] = { CAYMAN_CF_MEM_RING, CAYMAN_CF_MEM_RING1, CAYMAN_CF_MEM_RING2,
                                     CAYMAN_CF_MEM_RING3 };
   struct gs_stream *s = &im->stream[stream];
   const uint64_t slots = im->slots.stream[stream].slots;
   unsigned vec4s = im->c->out->gs.vertex_dwords[stream] / 4;

   for (unsigned n = 0; n < MAX_OUTPUTS; n++) {
      if (!(slots >> n & 1))
         continue;
      unsigned place = front_slot_index(slots, n);
      unsigned base = 4 * (s->counted ? place : s->emitted * vec4s + place);
      struct inst *store = write_ring(im, ring[stream], n, base);
      if (store && s->counted) {
         store->export.proto.type = CAYMAN_MEM_WRITE_IND;
         store->export.index[0] = op_value(s->next);
      }
   }
   signal_vertex(im, CAYMAN_CF_EMIT_VERTEX, stream);
   s->emitted++;
   if (s->counted)
      cc_emit(im->c, CAYMAN_ALU_ADD_INT, s->next, op_value(s->next), op_const(vec4s), op_none());
}

bool
im_gs(struct importer *im, const struct il_inst *inst)
{
   if (im->c->out->stage != SHADER_STAGE_GS || (!il_cuts(inst) && !il_emits(inst)))
      return false;
   unsigned stream = il_stream_of(inst);
   if (il_emits(inst))
      emit_vertex(im, stream);
   if (il_cuts(inst))
      signal_vertex(im, CAYMAN_CF_CUT_VERTEX, stream);
   return true;
}

/* --- the stages around it --------------------------------------------------------------------- */

void
im_es_finish(struct importer *im)
{
   for (unsigned n = 0; n < MAX_OUTPUTS; n++)
      if (im->slots.link >> n & 1)
         write_ring(im, CAYMAN_CF_MEM_RING, n, 4 * front_slot_index(im->slots.link, n));
}

/* Makes the values of outputs those of the vertex in a stream's ring. */
static void
fetch_vertex(struct importer *im, unsigned stream, struct cc_operand offset)
{
   uint64_t slots = im->slots.stream[stream].slots;

   for (unsigned n = 0; n < MAX_OUTPUTS; n++) {
      for (unsigned i = 0; i < 4; i++)
         im->out[n][i] = (struct reg_comp){ 0 };
      if (!(slots >> n & 1))
         continue;
      struct inst *fetch = im_ring_fetch(im, offset, 4 * front_slot_index(slots, n));
      for (unsigned i = 0; i < 4; i++) {
         if (im->decl.output[n] >> i & 1) {
            im->out[n][i].defs = 1;
            im->out[n][i].value = result_of(im, fetch, i).value;
         }
      }
   }
}

void
im_gs_copy(struct importer *im)
{
   struct compiler *c = im->c;
   struct cc_operand place = op_value(cc_input(c, 0, 0)), offset = place, stream = op_const(0);
   bool several = false;

   lay_out_streams(im);
   im->inst = NULL;
   c->first_free_gpr = 1;
   for (unsigned s = 1; s < 4; s++)
      several |= im->slots.stream[s].used;
   if (several) {
      offset = op_value(im_emit2(im, CAYMAN_ALU_AND_INT, place, op_const(0x3fffffff)));
      stream = op_value(im_emit2(im, CAYMAN_ALU_LSHR_INT, place, op_const(30)));
   }
   for (unsigned s = 1; s < 4; s++) {
      if (im->slots.stream[s].used && im->slots.stream[s].slots) {
         const uint32_t branch = im_begin_if(im, CAYMAN_ALU_PRED_SETE_INT, stream, op_const(s));
         fetch_vertex(im, s, offset);
         im_stream_out(im, s);
         im_end_if(im, branch);
      }
   }
   /* Vertices of other streams fetch too, and export what nobody looks at. */
   fetch_vertex(im, 0, offset);
   if (several) {
      const uint32_t branch = im_begin_if(im, CAYMAN_ALU_PRED_SETE_INT, stream, op_const(0));
      im_stream_out(im, 0);
      im_end_if(im, branch);
   } else {
      im_stream_out(im, 0);
   }
   im_finish_vs(im);
}
