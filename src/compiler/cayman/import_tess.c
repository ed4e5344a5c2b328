/* SPDX-License-Identifier: MIT */
/*
 * Import of the stages of tessellation.  One patch a work group; its local data:
 *
 *   0                        input control points: one vec4 for each link slot that HS reads, in
 *                            the order of slots, vertex after vertex
 *   IL_DRV_TESS.x            32 vec4s: what the fork and join phases write, output n in vec4 n
 *   IL_DRV_TESS.x + 512      output control points, laid out like the input ones, by the slots
 *                            that DS reads
 *   after them               the same again, by the slots that only HS itself reads back
 *
 *   LS    R0.x vertex, R0.y vertex of the patch, R0.w instance
 *   HS    R0.x primitive, R0.z output control point, R0.w where the factors go
 *   DS    R0.x R0.y the point in the domain, R0.w primitive; runs as VS or ES
 *
 * HS runs once for each output control point.  Its outputs are memory: a store to o# is a store to
 * local data at once.  The phases for the whole patch run in the lane of control point 0, after a
 * barrier; it also hands over the factors at the end.
 *
 * A flat hull shader (dcl_x_flat_hs) is that first phase alone.
 */
#include "import.h"

#include <string.h>

static struct cc_operand
tess_constant(struct importer *im, unsigned chan)
{
   im->c->out->const_buffers |= 1u << IL_DRIVER_CB;
   return op_kcache(IL_DRIVER_CB, IL_DRV_TESS, chan);
}

void
im_tess_begin(struct importer *im)
{
   struct compiler *c = im->c;

   for (unsigned i = 0; i < 4; i++)
      im->tess_reg[i] = cc_input(c, 0, i);
   c->first_free_gpr = 1;
   if (c->out->stage == SHADER_STAGE_HS)
      im->hs_point = op_value(im->tess_reg[2]);
   front_scan_slots(&im->decl, &im->slots);
   const char *wrong = front_lay_out_patch(c->out, &im->decl, &im->slots);
   if (wrong)
      im_unsupported(im, wrong);
}

/* --- local data ------------------------------------------------------------------------------- */

/* Byte address of component `comp` of a slot of a control point. */
static struct cc_operand
point_address(struct importer *im, struct cc_operand point, uint64_t slots, unsigned slot,
              unsigned comp, uint32_t base)
{
   uint32_t stride = 16 * front_slot_count(slots);
   uint32_t at = 16 * front_slot_index(slots, slot) + 4 * comp + base;
   struct cc_operand address;

   if (point.kind == OPERAND_CONST)
      address = op_const(point.value * stride + at);
   else
      address = E3(MULADD_UINT24, point, op_const(stride), op_const(at));
   return address;
}

/* The same of an output control point. */
static struct cc_operand
output_address(struct importer *im, struct cc_operand point, unsigned slot, unsigned comp)
{
   const struct shader_code *out = im->c->out;
   bool hull = out->stage == SHADER_STAGE_HS;
   uint64_t slots = hull ? im->slots.written : im->slots.read;
   uint32_t base = FRONT_PATCH_BYTES;

   if (im->slots.own >> slot & 1) {
      base += out->tess.output_points * out->tess.output_bytes;
      slots = im->slots.own;
   }
   if (point.kind == OPERAND_CONST)
      return E2(ADD_INT, point_address(im, point, slots, slot, comp, base), tess_constant(im, 0));
   /* Where the point begins is the same for all of it. */
   uint32_t stride = 16 * front_slot_count(slots);
   struct cc_operand first = E3(MULADD_UINT24, point, op_const(stride), tess_constant(im, 0));
   return E2(ADD_INT, first, op_const(base + 16 * front_slot_index(slots, slot) + 4 * comp));
}

static struct cc_operand
load(struct importer *im, struct cc_operand address)
{
   return im_lds_inst(im, CAYMAN_LDS_READ_RET, address, op_const(0), op_const(0));
}

/* The registers of these stages are in no other. */
static void
check_stage(struct importer *im)
{
   if (im->c->out->stage != SHADER_STAGE_HS && !im->c->out->tess.domain_shader)
      im_unsupported(im, "a register of tessellation in another stage");
}

/* vicp[point][slot], vocp[point][slot] */
struct cc_operand
im_tess_point(struct importer *im, const struct il_src *src, unsigned sel)
{
   const struct il_ref *ref = &src->r;
   bool hull = im->c->out->stage == SHADER_STAGE_HS;
   bool output = !hull || ref->type == IL_REGTYPE_OUTPUTCP;
   uint32_t first = ref->has_imm ? ref->imm : ref->num;
   struct cc_operand point = op_const(first);

   check_stage(im);
   if (!src->dim2 || src->dim2->rel != IL_ADDR_ABSOLUTE || src->dim2->num >= IL_LINK_COUNT)
      im_unsupported(im, "control point input that is indexed or out of range");
   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      point = im_plain(im, im_src(im, ref->index, 0));
      point = point.kind == OPERAND_CONST ? op_const(point.value + first)
              : first                     ? E2(ADD_INT, point, op_const(first))
                                          : point;
   }
   return load(im, output ? output_address(im, point, src->dim2->num, sel)
                          : point_address(im, point, im->slots.read, src->dim2->num, sel, 0));
}

/* vpc[n] */
struct cc_operand
im_tess_patch(struct importer *im, const struct il_src *src, unsigned sel)
{
   const struct il_ref *ref = &src->r;
   uint32_t n = ref->has_imm ? ref->imm : ref->num;

   check_stage(im);
   if (n >= 32)
      im_unsupported(im, "patch constant above 31");
   struct cc_operand address = op_const(16 * n + 4 * sel);
   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index) {
      struct cc_operand index = im_plain(im, im_src(im, ref->index, 0));
      address = E2(ADD_INT, E2(LSHL_INT, index, op_const(4)), address);
   }
   return load(im, E2(ADD_INT, address, tess_constant(im, 0)));
}

struct cc_operand
im_tess_value(struct importer *im, unsigned type, unsigned comp)
{
   bool hull = im->c->out->stage == SHADER_STAGE_HS;

   check_stage(im);
   switch (type) {
   case IL_REGTYPE_OCP_ID:
      if (!hull)
         im_unsupported(im, "the number of an output control point outside a hull shader");
      return im->hs_point;
   case IL_REGTYPE_DOMAINLOCATION:
      if (comp < 2)
         return op_value(im->tess_reg[comp]);
      /* barycentric coordinates of a triangle add up to 1 */
      return comp == 2 ? E2(ADD, E2(ADD, op_float(1), op_neg(op_value(im->tess_reg[0]))),
                            op_neg(op_value(im->tess_reg[1])))
                       : op_const(0);
   default: /* VPRIM */
      return op_value(im->tess_reg[hull ? 0 : 3]);
   }
}

/* A store of a hull shader to an output, or to the patch's. */
void
im_tess_store(struct importer *im, const struct il_dst *dst, unsigned mask,
              const struct cc_operand value[4])
{
   const struct il_ref *ref = &dst->r;
   uint32_t n = ref->has_imm ? ref->imm : ref->num;
   bool patch = im->hs_patch_phase || ref->type == IL_REGTYPE_PATCHCONST;

   struct cc_operand index = op_none();
   if (ref->rel == IL_ADDR_REG_RELATIVE && ref->index && patch) {
      /* Within the 32 vec4s whatever the index is. */
      index = E2(ADD_INT, im_plain(im, im_src(im, ref->index, 0)), op_const(n));
      index = E2(LSHL_INT, E2(AND_INT, index, op_const(31)), op_const(4));
      n = 0;
   } else if (ref->rel != IL_ADDR_ABSOLUTE) {
      im_unsupported(im, "indexed output of a control point");
   }
   if (n >= (patch ? 32u : MAX_OUTPUTS))
      im_unsupported(im, "output out of range");
   if (!patch && !((im->slots.written | im->slots.own) >> n & 1))
      return; /* nobody reads it */
   for (unsigned i = 0; i < 4; i++) {
      if (!(mask >> i & 1))
         continue;
      struct cc_operand address = patch
                                     ? E2(ADD_INT, tess_constant(im, 0), op_const(16 * n + 4 * i))
                                     : output_address(im, im->hs_point, n, i);
      if (index.kind != OPERAND_NONE)
         address = E2(ADD_INT, address, index);
      i = im_lds_write(im, address, mask, i, value);
   }
}

/* --- phases ----------------------------------------------------------------------------------- */

/* From here to the end for the lane of control point 0 alone. */
static void
begin_patch(struct importer *im)
{
   im_barrier(im);
   im->hs_patch_phase = true;
   im->patch_branch =
      im_begin_if(im, CAYMAN_ALU_PRED_SETE_INT, op_value(im->tess_reg[2]), op_const(0));
}

/* A phase that runs for the whole patch begins; the lowering pass has made its loop. */
bool
im_tess_phase(struct importer *im, const struct il_inst *inst)
{
   if (im->c->out->stage != SHADER_STAGE_HS)
      return false;
   switch (inst->op) {
   case IL_OP_HS_CP_PHASE:
      return true;
   case IL_OP_HS_FORK_PHASE:
   case IL_OP_HS_JOIN_PHASE:
      if (!im->hs_patch_phase) {
         if (im->walk->depth)
            im_unsupported(im, "a phase inside a block");
         begin_patch(im);
      }
      return true;
   case IL_OP_ENDPHASE:
      return true;
   default:
      return false;
   }
}

void
im_ls_finish(struct importer *im)
{
   uint64_t slots = im->slots.link;

   for (unsigned n = 0; n < MAX_OUTPUTS; n++) {
      struct cc_operand value[4];
      unsigned mask = 0;
      for (unsigned i = 0; (slots >> n & 1) && i < 4; i++) {
         if (im->out[n][i].defs) {
            value[i] = im_out_value(im, &im->out[n][i]);
            mask |= 1u << i;
         }
      }
      for (unsigned i = 0; i < 4; i++) {
         if (mask >> i & 1) {
            struct cc_operand address =
               point_address(im, op_value(im->tess_reg[1]), slots, n, i, 0);
            i = im_lds_write(im, address, mask, i, value);
         }
      }
   }
   im->c->out->tess.output_bytes = 16 * front_slot_count(slots);
}

void
im_hs_finish(struct importer *im)
{
   const bool uses_gds = im->c->out->uses_gds; /* factors go by GDS clauses, too */
   int dword[FRONT_FACTORS];
   const char *wrong = front_find_factors(im->c->out, &im->decl, dword);

   if (wrong)
      im_unsupported(im, wrong);
   if (!im->hs_patch_phase)
      begin_patch(im);
   for (unsigned k = 0; k < FRONT_FACTORS; k++) {
      if (dword[k] < 0)
         continue;
      struct cc_operand value =
         load(im, E2(ADD_INT, tess_constant(im, 0), op_const(4 * (unsigned)dword[k])));
      struct cc_operand at = E2(ADD_INT, op_value(im->tess_reg[3]), op_const(4 * k));
      const struct cc_operand src[3] = { at, value, op_const(0) };
      struct inst *write = im_gds_inst(im, CAYMAN_GDS_ADD, src);
      write->fetch[0].proto.gds.op = CAYMAN_MEM_TF_WRITE;
      write->fetch[0].proto.gds.gds_op = 0;
      write->memory = MEMORY_NONE; /* each has an address of its own: one clause for all */
   }
   im->c->out->uses_gds = uses_gds;
   im_end_if(im, im->patch_branch);
}
