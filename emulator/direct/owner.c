/* SPDX-License-Identifier: MIT */
/*
 * Local data with owners (1.4, 7.2.10): every thread owns as many dwords as are declared, writes
 * its own at a fixed offset, and reads any owner's of its wave at any offset, both in dwords.
 * Relative: a wave of 64 has a part of its own.  Absolute: all waves share the first.  An exchange
 * with the neighbours gives thread n of four, one after the other, their components n.
 */
#include "direct/lift.h"

#include "core/share.h"

/* Bytes for so many dwords of each thread, whole waves of them. */
static uint32_t
place(struct direct *d, unsigned dwords)
{
   const uint32_t *block = d->out->block;
   uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
   uint64_t waves = (threads + WAVE_LANES - 1) / WAVE_LANES;
   uint32_t base = (d->out->lds_bytes + 63) & ~63u;

   if (base + waves * WAVE_LANES * 4 * dwords > CORE_LDS_BYTES) {
      direct_refuse(d, "more than %u KB of shared data", CORE_LDS_BYTES / 1024);
      return 0;
   }
   d->out->lds_bytes = base + (uint32_t)waves * WAVE_LANES * 4 * dwords;
   return base;
}

/* The part of an owner; of a thread's number only that in its wave counts. */
static struct uop_operand
part_of(struct direct *d, const struct il_inst *inst, struct uop_operand thread)
{
   struct uop_operand in_wave = direct_literal(d, WAVE_LANES - 1);
   struct uop_operand owner = DOP2(AND_INT, thread, in_wave);

   if (!d->decl.owner.absolute && il_sharing_mode(inst) != IL_LDS_SHARING_MODE_ABSOLUTE) {
      struct uop_operand first = DOP2(AND_INT, direct_flat_thread(d), DOP1(NOT_INT, in_wave));
      owner = DOP2(ADD_INT, owner, first);
   }
   return direct_bytes(d, owner, 4 * d->decl.owner.dwords, direct_literal(d, d->owner.base));
}

/* Through four dwords of each thread. */
static void
exchange(struct direct *d, struct uop_operand v[4])
{
   struct uop_operand thread = direct_flat_thread(d);

   if (!d->owner.exchange_placed) {
      d->owner.exchange = place(d, 4);
      d->owner.exchange_placed = true;
   }
   struct uop_operand base = direct_literal(d, d->owner.exchange);
   struct uop_operand own = direct_bytes(d, thread, 16, base);
   for (unsigned c = 0; c < 4; c++)
      direct_lds_store(d, direct_add(d, own, 4 * c), v[c]);
   struct uop_operand first = DOP2(AND_INT, thread, direct_literal(d, ~3u));
   struct uop_operand column =
      DOP2(LSHL_INT, DOP2(AND_INT, thread, direct_literal(d, 3)), direct_literal(d, 2));
   struct uop_operand from = DOP2(ADD_INT, direct_bytes(d, first, 16, base), column);
   for (unsigned c = 0; c < 4; c++)
      v[c] = direct_lds_load(d, direct_add(d, from, 16 * c));
}

bool
direct_owner(struct direct *d, const struct il_inst *inst)
{
   bool read = inst->op == IL_OP_LDS_READ_VEC, exchanged = read && il_exchange(inst);
   struct uop_operand v[4], zero = direct_literal(d, 0);

   if (!d->decl.owner.dwords) {
      direct_refuse(d, "local data with owners that is not declared");
      return true;
   }
   if (!d->owner.placed) {
      d->owner.base = place(d, d->decl.owner.dwords);
      d->owner.placed = true;
   }
   unsigned mask = exchanged ? 15 : il_dst_mask(&inst->dst[0]);
   struct uop_operand thread = read ? direct_src(d, &inst->src[0], 0) : direct_flat_thread(d);
   struct uop_operand offset =
      read ? DOP2(LSHL_INT, direct_src(d, &inst->src[0], 1), direct_literal(d, 2))
           : direct_literal(d, 4 * (il_owner_offset(inst)));
   struct uop_operand address = DOP2(ADD_INT, part_of(d, inst, thread), offset);
   for (unsigned c = 0; c < 4; c++) {
      v[c] = zero;
      if (!(mask >> c & 1))
         continue;
      if (read)
         v[c] = direct_lds_load(d, direct_add(d, address, 4 * c));
      else
         direct_lds_store(d, direct_add(d, address, 4 * c), direct_src(d, &inst->src[0], c));
   }
   if (exchanged)
      exchange(d, v);
   if (read)
      direct_store(d, &inst->dst[0], v);
   return true;
}
