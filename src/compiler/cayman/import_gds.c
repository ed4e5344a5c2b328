/* SPDX-License-Identifier: MIT */
/*
 * Import of global data share (HD 6900 ISA 8.5): an instruction of a GDS clause takes a byte
 * address and up to two values from one GPR, and may return the old value.
 *
 * Areas follow each other in the order of their declarations.  The counters of append
 * buffers are dwords of GDS, counter n of UAV n, in front of the areas where a program has both.
 */
#include "import.h"

struct inst *
im_gds_inst(struct importer *im, unsigned op, const struct cc_operand src[3])
{
   struct inst *inst = im_new_fetch(im, 1);
   struct fetch_op *f = &inst->fetch[0];

   f->proto.kind = CAYMAN_FETCH_GDS;
   f->proto.gds.op = CAYMAN_MEM_GDS;
   f->proto.gds.gds_op = op;
   for (unsigned i = 0; i < 3; i++)
      f->src[i] = src[i];
   inst->keep = op != CAYMAN_GDS_READ_RET;
   inst->memory = inst->keep ? MEMORY_WRITE : MEMORY_READ;
   inst->space = SPACE_GDS;
   im->c->out->uses_gds = true;
   return inst;
}

/* The operation; its result if it returns one. */
static struct cc_operand
operate(struct importer *im, unsigned op, struct cc_operand address, struct cc_operand a,
        struct cc_operand b)
{
   const struct cc_operand src[3] = { im_export_src(im, address, true), im_export_src(im, a, true),
                                      im_export_src(im, b, true) };
   struct inst *inst = im_gds_inst(im, op, src);

   if (!cayman_gds_info(op)->returns)
      return op_none();
   inst->fetch[0].dst[0] = cc_value(im->c);
   im->c->values[inst->fetch[0].dst[0]].def = inst;
   return op_value(inst->fetch[0].dst[0]);
}

static void
store_result(struct importer *im, const struct il_inst *inst, struct cc_operand r)
{
   const struct cc_operand result[4] = { r, r, r, r };
   im_store(im, &inst->dst[0], result);
}

/* Returning forms are 32 above the others. */
static const struct {
   uint16_t il, il_read;
   uint8_t op;
} ops[] = {
   { IL_OP_GDS_ADD, IL_OP_GDS_READ_ADD, CAYMAN_GDS_ADD },
   { IL_OP_GDS_SUB, IL_OP_GDS_READ_SUB, CAYMAN_GDS_SUB },
   { IL_OP_GDS_RSUB, IL_OP_GDS_READ_RSUB, CAYMAN_GDS_RSUB },
   { IL_OP_GDS_INC, IL_OP_GDS_READ_INC, CAYMAN_GDS_INC },
   { IL_OP_GDS_DEC, IL_OP_GDS_READ_DEC, CAYMAN_GDS_DEC },
   { IL_OP_GDS_MIN, IL_OP_GDS_READ_MIN, CAYMAN_GDS_MIN_INT },
   { IL_OP_GDS_MAX, IL_OP_GDS_READ_MAX, CAYMAN_GDS_MAX_INT },
   { IL_OP_GDS_UMIN, IL_OP_GDS_READ_UMIN, CAYMAN_GDS_MIN_UINT },
   { IL_OP_GDS_UMAX, IL_OP_GDS_READ_UMAX, CAYMAN_GDS_MAX_UINT },
   { IL_OP_GDS_AND, IL_OP_GDS_READ_AND, CAYMAN_GDS_AND },
   { IL_OP_GDS_OR, IL_OP_GDS_READ_OR, CAYMAN_GDS_OR },
   { IL_OP_GDS_XOR, IL_OP_GDS_READ_XOR, CAYMAN_GDS_XOR },
   { IL_OP_GDS_MSKOR, IL_OP_GDS_READ_MSKOR, CAYMAN_GDS_MSKOR },
   { IL_OP_GDS_CMP_STORE, IL_OP_GDS_READ_CMP_XCHG, CAYMAN_GDS_CMP_STORE },
   { 0, IL_OP_GDS_READ_XCHG, CAYMAN_GDS_XCHG_RET - 32 },
   { IL_OP_GDS_STORE, 0, CAYMAN_GDS_WRITE },
   { 0, IL_OP_GDS_LOAD, CAYMAN_GDS_READ_RET - 32 },
};

/* An alloc gives the counter, which then goes up; a consume takes one off and gives what is left:
 * the number of the element that it takes. */
static bool
append_buffer(struct importer *im, const struct il_inst *inst)
{
   bool alloc = inst->op == IL_OP_APPEND_BUF_ALLOC;
   unsigned n = il_number(inst);

   if ((!alloc && inst->op != IL_OP_APPEND_BUF_CONSUME) || inst->ndst != 1)
      return false;
   if (n >= IL_MAX_COUNTERS)
      im_unsupported(im, "UAV above 11");
   struct cc_operand old = operate(im, alloc ? CAYMAN_GDS_ADD_RET : CAYMAN_GDS_SUB_RET,
                                   op_const(4 * n), op_const(1), op_const(0));
   store_result(im, inst, alloc ? old : E2(ADD_INT, old, op_const(0xffffffff)));
   return true;
}

/* Appendix B only names semaphores; they are those of global wave sync (HD 6900 ISA 3.8), begin
 * with what an index register can hold, and a wave does once what all its threads ask for. */
#define MAX_COUNT 255

static bool
semaphore(struct importer *im, const struct il_inst *inst)
{
   static const struct {
      uint16_t il;
      uint8_t op;
   } table[] = {
      { IL_OP_SEMAPHORE_INIT, CAYMAN_GWS_INIT },
      { IL_OP_SEMAPHORE_SIGNAL, CAYMAN_GWS_SEMA_V },
      { IL_OP_SEMAPHORE_WAIT, CAYMAN_GWS_SEMA_P },
   };
   unsigned n = il_number(inst), k = 0;

   while (k < 3 && table[k].il != inst->op)
      k++;
   if (k == 3 || (inst->op == IL_OP_SEMAPHORE_INIT && !inst->nsrc))
      return false;
   if (n > 15)
      im_unsupported(im, "semaphore above 15");
   struct cc_operand value = op_const(0);
   if (inst->op == IL_OP_SEMAPHORE_INIT)
      value = E2(MIN_UINT, im_plain(im, im_src(im, &inst->src[0], 0)), op_const(MAX_COUNT));
   bool immediate = value.kind == OPERAND_CONST;
   if (!immediate)
      value = im_export_src(im, value, false);
   struct inst *sync = im_export(im, CAYMAN_CF_GLOBAL_WAVE_SYNC, 0, 0);
   sync->export.proto.gws_op = table[k].op;
   sync->export.proto.gws_resource = n;
   sync->memory = MEMORY_BARRIER;
   if (immediate) {
      sync->export.proto.gws_value = value.value;
   } else {
      sync->export.proto.gws_val_index_mode = CAYMAN_CF_INDEX_0;
      sync->ar = value.value;
   }
   return true;
}

bool
im_gds(struct importer *im, const struct il_inst *inst)
{
   unsigned n = il_number(inst);

   if (append_buffer(im, inst) || semaphore(im, inst))
      return true;
   for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
      bool returns = ops[i].il_read == inst->op;
      if ((!returns && ops[i].il != inst->op) || !inst->nsrc)
         continue;
      if (n >= 16 || !im->decl.gds[n].declared)
         im_unsupported(im, "global data that is not declared");
      struct cc_operand address = im_plain(im, im_src(im, &inst->src[0], 0));
      struct cc_operand value[2] = { op_const(0), op_const(0) };
      if (im->decl.gds[n].stride) {
         address =
            im_struct_address(im, address, im->decl.gds[n].stride,
                              im_plain(im, im_src(im, &inst->src[0], 1)), im->decl.gds[n].base);
      } else if (im->decl.gds[n].base) {
         address = E2(ADD_INT, address, op_const(im->decl.gds[n].base));
      }
      for (unsigned k = 1; k < inst->nsrc && k < 3; k++)
         value[k - 1] = im_plain(im, im_src(im, &inst->src[k], 0));
      struct cc_operand r =
         operate(im, ops[i].op + (returns ? 32 : 0), address, value[0], value[1]);
      if (returns)
         store_result(im, inst, r);
      return true;
   }
   return false;
}
