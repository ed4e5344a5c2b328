/* SPDX-License-Identifier: MIT */
/*
 * Import of geometry programs and what stands around them, and of the stages of tessellation.
 *
 *   ES    at its end, a vec4 for each link slot that the geometry program reads, into its item of
 *         the ring (window 1)
 *   GS    inputs are loads from the ring of all vertices; an emit stores the outputs of its
 *         stream in the primitive's item of the stream's ring (window 2 + stream), at the offset
 *         that a counter says, and rings the stream's bell (window 6)
 *   VS    the copy program: loads a vertex, streams it out, and stores what stream 0 has
 *   LS, HS, DS   local data is laid out as compiler/shader.h says of tess; factors go to window 7
 *
 * HS's outputs are memory: a store to o# is a store to local data at once.  Its phases for the
 * whole patch run in the lane of control point 0, after a barrier; that lane hands over the
 * factors, too.
 */
#include "import.h"

#include <string.h>

#define WINDOW_RING    1u
#define WINDOW_STREAM  2u
#define WINDOW_BELLS   6u
#define WINDOW_FACTORS 7u
#define BELL_CUT       16u

#define R_FIRST_VERTEX 50u /* geometry, copy */
#define R_STREAM       51u /* copy */
#define R_POINT        55u /* control */
#define R_U            55u /* evaluation */
#define R_FACTORS      57u /* control */
#define R_GS_PRIMITIVE 57u
#define R_NUMBER       58u /* before a control program: vertex; geometry: invocation; else primitive */

/* --- layouts ---------------------------------------------------------------------------------- */

static void
lay_out_streams(struct vim *im)
{
   uint32_t at;
   const char *wrong = front_lay_out_streams(im->c->out, &im->decl, &im->slots, &at);

   if (wrong) {
      im->inst = &im->il->insts[at];
      vim_unsupported(im, wrong);
   }
}

static void
begin_geometry(struct vim *im)
{
   struct shader_code *out = im->c->out;

   lay_out_streams(im);
   if (!im->decl.gs.vertices)
      vim_unsupported(im, "a geometry program without input primitive");
   im->slots.link = im->slots.read;
   out->gs.input_slots = im->slots.link;
   out->gs.input_dwords = 4 * (im->slots.link ? front_slot_count(im->slots.link) : 1);
   if (!out->gs.invocations)
      out->gs.invocations = 1;
}

void
vim_stage_begin(struct vim *im)
{
   bool geometry = im->il->shader == IL_SHADER_GEOMETRY, hull = im->il->shader == IL_SHADER_HULL;

   if (!geometry && !hull && im->il->shader != IL_SHADER_DOMAIN)
      return;
   front_scan_slots(&im->decl, &im->slots);
   if (geometry) {
      begin_geometry(im);
      return;
   }
   const char *wrong = front_lay_out_patch(im->c->out, &im->decl, &im->slots);
   if (wrong)
      vim_unsupported(im, wrong);
}

/* --- geometry --------------------------------------------------------------------------------- */

static struct vc_operand
vertex_byte(struct vim *im, struct vc_operand index, uint32_t base)
{
   struct vc *c = im->c;

   if (index.kind == VC_CONST) {
      uint32_t n = base + index.value;
      return vc_preloaded(c, R_FIRST_VERTEX + (n < im->decl.gs.vertices ? n : 0));
   }
   struct vc_operand v = vc_preloaded(c, R_FIRST_VERTEX);
   for (unsigned n = 1; n < im->decl.gs.vertices; n++) {
      v = vc_csel(c, VALHALL_OP_CSEL_U32, VALHALL_CONDITION_EQ, index, vc_bits(n - base),
                  vc_preloaded(c, R_FIRST_VERTEX + n), v);
   }
   return v;
}

static struct vc_operand
geometry_input(struct vim *im, const struct il_src *src, unsigned comp)
{
   struct vc *c = im->c;
   const struct il_ref *r = &src->r;
   uint32_t base = r->has_imm ? r->imm : r->num;

   if (!src->dim2 || src->dim2->rel != IL_ADDR_ABSOLUTE || src->dim2->num >= IL_LINK_COUNT)
      vim_unsupported(im, "input that is indexed or out of range");
   struct vc_operand index = vim_index(im, r);
   if (index.kind == VC_CONST && base + index.value >= im->decl.gs.vertices)
      return vc_bits(0);
   struct vc_operand at = vc_address(c, vc_window(c, WINDOW_RING), vertex_byte(im, index, base));
   int place = 16 * (int)front_slot_index(im->slots.link, src->dim2->num);
   return vc_at(vc_load(c, at, place, 4, VC_PURE), comp);
}

static void
ring_bell(struct vc *c, unsigned byte)
{
   struct vc_operand word = vc_bits(0);
   vc_store(c, vc_window(c, WINDOW_BELLS), (int)byte, 1, &word);
}

/* Components that are declared but never written are 0. */
static void
store_slot(struct vim *im, struct vc_operand at, int offset, unsigned slot)
{
   struct vc_operand v[4];
   for (unsigned i = 0; i < 4; i++)
      v[i] = vim_out(im, slot, i);
   vc_store(im->c, at, offset, 4, v);
}

static void
emit_vertex(struct vim *im, unsigned stream)
{
   struct vc *c = im->c;
   struct shader_code *out = c->out;
   struct vc_operand *next = &im->vars[im->next[stream]];
   uint64_t slots = im->slots.stream[stream].slots;

   if (slots) {
      struct vc_operand place = vc_umin(c, *next, vc_bits(out->gs.max_vertices));
      struct vc_operand at =
         vc_address(c, vc_window(c, WINDOW_STREAM + stream),
                    vc_mul(c, place, vc_bits(4 * out->gs.vertex_dwords[stream])));
      for (unsigned n = 0; n < MAX_OUTPUTS; n++)
         if (slots >> n & 1)
            store_slot(im, at, 16 * (int)front_slot_index(slots, n), n);
   }
   ring_bell(c, 4 * stream);
   *next = vc_add(c, *next, vc_bits(1));
}

/* --- the copy program ------------------------------------------------------------------------- */

/* Makes the outputs those of the vertex in a stream's ring. */
static void
load_vertex(struct vim *im, unsigned stream)
{
   struct vc *c = im->c;
   uint64_t slots = im->slots.stream[stream].slots;
   struct vc_operand at =
      vc_address(c, vc_window(c, WINDOW_STREAM), vc_preloaded(c, R_FIRST_VERTEX));

   for (unsigned n = 0; n < MAX_OUTPUTS; n++) {
      im->out_written[n] = 0;
      if (!(slots >> n & 1))
         continue;
      uint32_t v = vc_load(c, at, 16 * (int)front_slot_index(slots, n), 4, VC_READ);
      for (unsigned i = 0; i < 4; i++)
         im->vars[im->out_base + 4 * n + i] = vc_at(v, i);
      im->out_written[n] = im->decl.output[n];
   }
}

void
vim_copy(struct vim *im)
{
   struct vc *c = im->c;
   bool several = false;

   lay_out_streams(im);
   im->inst = NULL;
   im->out_indexed = false;
   for (unsigned s = 1; s < 4; s++)
      several |= im->slots.stream[s].used;
   for (unsigned s = 1; s < 4; s++) {
      if (!im->slots.stream[s].used || !im->slots.stream[s].slots)
         continue;
      vim_if(im,
             vc_compare(c, VALHALL_OP_ICMP_OR_U32, VALHALL_CONDITION_EQ, vc_preloaded(c, R_STREAM),
                        vc_bits(s)),
             false);
      load_vertex(im, s);
      vim_streamout(im, s);
      vim_endif(im);
   }
   /* Vertices of other streams are loaded too, and stored where nobody looks. */
   load_vertex(im, 0);
   if (several)
      vim_if(im, vc_preloaded(c, R_STREAM), true);
   vim_streamout(im, 0);
   if (several)
      vim_endif(im);
   vim_vs_outputs(im);
}

/* --- local data of a patch -------------------------------------------------------------------- */

static struct vc_operand
local_base(void)
{
   return vc_special(1, VALHALL_SPECIAL_1_WORKGROUP_LOCAL_POINTER, 0);
}

/* Where what follows the input control points begins. */
static struct vc_operand
outputs_byte(struct vim *im)
{
   return vim_driver(im, IL_DRV_TESS, 0);
}

static struct vc_operand
point_byte(struct vim *im, struct vc_operand point, uint64_t slots)
{
   return vc_mul(im->c, point, vc_bits(16 * front_slot_count(slots)));
}

/* The address of an output control point, and of a slot in it. */
static struct vc_operand
output_point(struct vim *im, struct vc_operand point, unsigned slot, int *offset)
{
   struct vc *c = im->c;
   const struct shader_code *out = c->out;
   uint64_t slots = out->stage == SHADER_STAGE_HS ? im->slots.written : im->slots.read;
   uint32_t base = FRONT_PATCH_BYTES;

   if (im->slots.own >> slot & 1) {
      base += out->tess.output_points * out->tess.output_bytes;
      slots = im->slots.own;
   }
   *offset = (int)(base + 16 * front_slot_index(slots, slot));
   return vc_address(c, local_base(), vc_add(c, outputs_byte(im), point_byte(im, point, slots)));
}

static struct vc_operand
point_input(struct vim *im, const struct il_src *src, unsigned comp)
{
   struct vc *c = im->c;
   const struct il_ref *r = &src->r;
   int offset;

   if (!src->dim2 || src->dim2->rel != IL_ADDR_ABSOLUTE || src->dim2->num >= IL_LINK_COUNT)
      vim_unsupported(im, "control point input that is indexed or out of range");
   unsigned slot = src->dim2->num;
   struct vc_operand point = vc_add(c, vim_index(im, r), vc_bits(r->has_imm ? r->imm : r->num)), at;
   if (c->out->stage != SHADER_STAGE_HS || r->type == IL_REGTYPE_OUTPUTCP) {
      at = output_point(im, point, slot, &offset);
   } else {
      at = vc_address(c, local_base(), point_byte(im, point, im->slots.read));
      offset = 16 * (int)front_slot_index(im->slots.read, slot);
   }
   return vc_at(vc_load(c, at, offset + 4 * (int)comp, 1, VC_READ), 0);
}

/* The address of the patch's vec4 `n` + index. */
static struct vc_operand
patch_vector(struct vim *im, const struct il_ref *r)
{
   struct vc *c = im->c;
   /* Within the 32 vec4s whatever the index is. */
   struct vc_operand n = vc_add(c, vim_index(im, r), vc_bits(r->has_imm ? r->imm : r->num));
   n = vc_shl(c, vc_and(c, n, vc_bits(31)), vc_bits(4));
   return vc_address(c, local_base(), vc_add(c, outputs_byte(im), n));
}

static struct vc_operand
domain_location(struct vc *c, unsigned comp)
{
   if (comp < 2)
      return vc_preloaded(c, R_U + comp);
   if (comp == 3)
      return vc_bits(0);
   /* Barycentric coordinates of a triangle add up to 1. */
   struct vc_operand rest = vc_fadd(c, vc_bits(0x3f800000), vc_negate(vc_preloaded(c, R_U)));
   return vc_fadd(c, rest, vc_negate(vc_preloaded(c, R_U + 1)));
}

bool
vim_stage_source(struct vim *im, const struct il_src *src, unsigned comp, struct vc_operand *v)
{
   unsigned shader = im->il->shader;
   bool geometry = shader == IL_SHADER_GEOMETRY, hull = shader == IL_SHADER_HULL;
   struct vc *c = im->c;

   if (!geometry && !hull && shader != IL_SHADER_DOMAIN)
      return false;
   switch (src->r.type) {
   case IL_REGTYPE_INPUT:
   case IL_REGTYPE_VERTEX:
      if (!geometry)
         return false;
      *v = geometry_input(im, src, comp);
      return true;
   case IL_REGTYPE_INPUTCP:
   case IL_REGTYPE_OUTPUTCP:
      *v = point_input(im, src, comp);
      return true;
   case IL_REGTYPE_PATCHCONST:
      *v = vc_at(vc_load(c, patch_vector(im, &src->r), 4 * (int)comp, 1, VC_READ), 0);
      return true;
   case IL_REGTYPE_DOMAINLOCATION:
      *v = domain_location(c, comp);
      return true;
   case IL_REGTYPE_OCP_ID:
      *v = vc_preloaded(c, R_POINT);
      return true;
   case IL_REGTYPE_VPRIM:
      *v = vc_preloaded(c, geometry ? R_GS_PRIMITIVE : R_NUMBER);
      return true;
   case IL_REGTYPE_SHADER_INSTANCE_ID:
      *v = geometry ? vc_preloaded(c, R_NUMBER) : vc_bits(0);
      return true;
   default:
      return false;
   }
}

/* Stores of a hull program to outputs. */
bool
vim_stage_store(struct vim *im, const struct il_dst *dst, unsigned comp, struct vc_operand v)
{
   struct vc *c = im->c;
   bool patch = im->patch_phase || dst->r.type == IL_REGTYPE_PATCHCONST;
   int offset;

   if (c->out->stage != SHADER_STAGE_HS ||
       (dst->r.type != IL_REGTYPE_OUTPUT && dst->r.type != IL_REGTYPE_PATCHCONST))
      return false;
   if (patch) {
      vc_store(c, patch_vector(im, &dst->r), 4 * (int)comp, 1, &v);
      return true;
   }
   if (dst->r.rel != IL_ADDR_ABSOLUTE || dst->r.num >= MAX_OUTPUTS)
      vim_unsupported(im, "indexed output of a control point");
   if (!((im->slots.written | im->slots.own) >> dst->r.num & 1))
      return true; /* nobody reads it */
   struct vc_operand at = output_point(im, vc_preloaded(c, R_POINT), dst->r.num, &offset);
   vc_store(c, at, offset + 4 * (int)comp, 1, &v);
   return true;
}

/* --- phases ----------------------------------------------------------------------------------- */

static void
barrier(struct vim *im)
{
   struct vc_inst *inst = vc_new(im->c, VALHALL_OP_BARRIER);
   inst->memory = VC_WRITE;
   vc_set(inst, VALHALL_MOD_SLOT, VALHALL_SLOT_SLOT7);
   vc_append(im->c, inst);
}

/* From here on the lane of control point 0 alone. */
static void
begin_patch(struct vim *im)
{
   barrier(im);
   im->patch_phase = true;
   vim_if(im, vc_preloaded(im->c, R_POINT), true);
}

bool
vim_stage(struct vim *im, const struct il_inst *inst)
{
   unsigned stage = im->c->out->stage;

   if (stage == SHADER_STAGE_GS && (il_emits(inst) || il_cuts(inst))) {
      unsigned stream = il_stream_of(inst);
      if (il_emits(inst))
         emit_vertex(im, stream);
      if (il_cuts(inst))
         ring_bell(im->c, BELL_CUT + 4 * stream);
      return true;
   }
   if (stage != SHADER_STAGE_HS)
      return false;
   switch (inst->op) {
   case IL_OP_HS_FORK_PHASE:
   case IL_OP_HS_JOIN_PHASE:
      if (!im->patch_phase) {
         if (im->walk->depth)
            vim_unsupported(im, "a phase inside a block");
         begin_patch(im);
      }
      return true;
   case IL_OP_HS_CP_PHASE:
   case IL_OP_ENDPHASE:
      return true;
   default:
      return false;
   }
}

/* --- factors ---------------------------------------------------------------------------------- */

static void
finish_hull(struct vim *im)
{
   struct vc *c = im->c;
   int dword[FRONT_FACTORS];
   const char *wrong = front_find_factors(c->out, &im->decl, dword);

   if (wrong)
      vim_unsupported(im, wrong);
   if (!im->patch_phase)
      begin_patch(im);
   struct vc_operand from = vc_address(c, local_base(), outputs_byte(im));
   struct vc_operand to = vc_address(c, vc_window(c, WINDOW_FACTORS), vc_preloaded(c, R_FACTORS));
   for (int k = 0; k < FRONT_FACTORS; k++) {
      if (dword[k] < 0)
         continue;
      struct vc_operand v = vc_at(vc_load(c, from, 4 * dword[k], 1, VC_READ), 0);
      vc_store(c, to, 4 * k, 1, &v);
   }
   vim_endif(im);
}

/* A vertex for the control program. */
static void
finish_local(struct vim *im)
{
   struct vc *c = im->c;
   uint64_t slots = im->slots.link;
   struct vc_operand at =
      vc_address(c, local_base(), point_byte(im, vc_preloaded(c, R_NUMBER), slots));

   for (unsigned n = 0; n < MAX_OUTPUTS; n++)
      if (slots >> n & 1 && im->out_written[n])
         store_slot(im, at, 16 * (int)front_slot_index(slots, n), n);
   c->out->tess.output_bytes = 16 * front_slot_count(slots);
}

void
vim_stage_finish(struct vim *im)
{
   switch (im->c->out->stage) {
   case SHADER_STAGE_ES:
      for (unsigned n = 0; n < MAX_OUTPUTS; n++)
         if (im->slots.link >> n & 1)
            store_slot(im, vc_window(im->c, WINDOW_RING),
                       16 * (int)front_slot_index(im->slots.link, n), n);
      break;
   case SHADER_STAGE_LS:
      finish_local(im);
      break;
   case SHADER_STAGE_HS:
      finish_hull(im);
      break;
   default:
      break; /* everything has been written */
   }
}
