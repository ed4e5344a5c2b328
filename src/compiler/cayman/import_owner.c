/* SPDX-License-Identifier: MIT */
/*
 * Import of local data with owners (IL 1.4, 7.2.10): R7xx's model, on Cayman's addressed local
 * data.
 *
 *  1. Each thread owns as many dwords as are declared, and writes there at a fixed offset.  It
 *     reads any owner's at any offset, both in dwords; owners are counted within a wave of 64.
 *  2. Relative: each wave has a part of its own.  Absolute: all waves share the first.  An
 *     instruction is absolute if it or the declaration says so.
 *  3. An exchange with the neighbours transposes what four threads have read: thread n of the four
 *     gets their components n.  It goes through four dwords a thread after the owners' parts; the
 *     four are of one wave, and a wave's operations on local data keep their order.
 */
#include "import.h"

#define WAVE       64
#define MAX_DWORDS 8192

/* Room for so many dwords of each thread of the group, whole waves of them. */
static uint32_t
place(struct importer *im, unsigned dwords)
{
   struct shader_code *out = im->c->out;
   unsigned threads = out->cs.block[0] * out->cs.block[1] * out->cs.block[2];
   uint32_t base = (out->cs.lds_dwords * 4 + 63) & ~63u; /* exchange() needs 64 bytes' alignment */

   out->cs.lds_dwords = base / 4 + (threads + WAVE - 1) / WAVE * WAVE * dwords;
   if (out->cs.lds_dwords > MAX_DWORDS)
      im_unsupported(im, "more than 32 KB of local data");
   return base;
}

/* First thread of the wave, or 0 if all waves share. */
static struct cc_operand
first_owner(struct importer *im, const struct il_inst *inst)
{
   if (im->decl.owner.absolute || il_sharing_mode(inst) == IL_LDS_SHARING_MODE_ABSOLUTE)
      return op_const(0);
   return E2(AND_INT, im_flat_thread(im), op_const(~(uint32_t)(WAVE - 1)));
}

static struct cc_operand
owner_address(struct importer *im, struct cc_operand first, struct cc_operand thread)
{
   struct cc_operand lane = E2(AND_INT, thread, op_const(WAVE - 1));
   struct cc_operand owner = E2(OR_INT, first, lane);

   return E3(MULADD_UINT24, owner, op_const(im->decl.owner.dwords * 4), op_const(im->owner.base));
}

static struct cc_operand
at(struct importer *im, struct cc_operand address, unsigned dwords)
{
   return dwords ? E2(ADD_INT, address, op_const(dwords * 4)) : address;
}

static void
write(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand address = owner_address(im, first_owner(im, inst), im_flat_thread(im));
   unsigned offset = il_owner_offset(inst);

   for (unsigned i = 0; i < 4; i++) {
      if (il_dst_mask(&inst->dst[0]) >> i & 1) {
         im_lds_inst(im, CAYMAN_LDS_WRITE, at(im, address, offset + i),
                     im_plain(im, im_src(im, &inst->src[0], i)), op_const(0));
      }
   }
}

static void
exchange(struct importer *im, struct cc_operand value[4])
{
   struct cc_operand thread = im_flat_thread(im);

   if (!im->owner.exchange_placed) {
      im->owner.exchange = place(im, 4);
      im->owner.exchange_placed = true;
   }
   struct cc_operand own = E3(MULADD_UINT24, thread, op_const(16), op_const(im->owner.exchange));
   for (unsigned i = 0; i < 4; i++)
      im_lds_inst(im, CAYMAN_LDS_WRITE, at(im, own, i), value[i], op_const(0));
   /* 16 bytes for each of the four, 4 for the component. */
   struct cc_operand column = E2(LSHL_INT, E2(AND_INT, thread, op_const(3)), op_const(2));
   struct cc_operand from = E3(BFI_INT, op_const(63), column, own);
   for (unsigned i = 0; i < 4; i++) {
      value[i] =
         im_lds_inst(im, CAYMAN_LDS_READ_RET, at(im, from, 4 * i), op_const(0), op_const(0));
   }
}

static void
read(struct importer *im, const struct il_inst *inst)
{
   bool exchanged = il_exchange(inst);
   unsigned mask = exchanged ? 15 : il_dst_mask(&inst->dst[0]);
   struct cc_operand thread = im_plain(im, im_src(im, &inst->src[0], 0)), result[4];
   struct cc_operand offset = E2(LSHL_INT, im_plain(im, im_src(im, &inst->src[0], 1)), op_const(2));
   struct cc_operand address =
      E2(ADD_INT, owner_address(im, first_owner(im, inst), thread), offset);

   for (unsigned i = 0; i < 4; i++) {
      result[i] = op_const(0);
      if (mask >> i & 1) {
         result[i] =
            im_lds_inst(im, CAYMAN_LDS_READ_RET, at(im, address, i), op_const(0), op_const(0));
      }
   }
   if (exchanged)
      exchange(im, result);
   im_store(im, &inst->dst[0], result);
}

bool
im_owner(struct importer *im, const struct il_inst *inst)
{
   if ((inst->op != IL_OP_LDS_READ_VEC && inst->op != IL_OP_LDS_WRITE_VEC) || !inst->ndst)
      return false;
   if (!im->decl.owner.dwords)
      im_unsupported(im, "local data with owners that is not declared");
   if (!im->owner.placed) {
      im->owner.base = place(im, im->decl.owner.dwords);
      im->owner.placed = true;
   }
   if (inst->op == IL_OP_LDS_READ_VEC)
      read(im, inst);
   else
      write(im, inst);
   return true;
}
