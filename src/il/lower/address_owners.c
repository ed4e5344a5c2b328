/* SPDX-License-Identifier: MIT */
/*
 * Local data with owners (1.4, 7.2.10): R7xx's model becomes loads and stores of local data.
 *
 *  1. Each thread owns as many dwords as are declared, and writes there at a fixed offset.  It
 *     reads any owner's at any offset, both in dwords; owners are counted within a wave of 64.
 *  2. Relative: each wave has a part of its own.  Absolute: all waves share the first.  An
 *     instruction is absolute if it or the declaration says so.
 *  3. An exchange with the neighbours transposes what four threads have read: thread n of the four
 *     gets their components n.  It goes through four dwords of each thread, in an area of its own.
 *
 * Threads of a wave see in an instruction what all of them wrote in those in front of it: only
 * targets with waves of 64 have it (IL_CORE_OWNER).
 */
#include "formula.h"

#include "il/conventions.h"
#include "il/declare.h"

#define WAVE         64u
#define VECTOR_BYTES 16u

struct owners {
   uint64_t threads; /* of a group: whole waves */
   unsigned dwords;  /* that each owns */
   bool absolute, exchanges;
   unsigned area, exchange; /* numbers of local data */
};

/* --- what is declared ------------------------------------------------------------------------- */

static void
read_declarations(struct il_lower *l, struct owners *o)
{
   bool used[IL_MAX_AREAS + 1] = { false };
   const struct il_inst *group = NULL;

   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = &l->insts[n];
      switch (inst->op) {
      case IL_OP_DCL_LDS_SIZE_PER_THREAD:
         o->dwords = il_number(inst);
         break;
      case IL_OP_DCL_LDS_SHARING_MODE:
         o->absolute = il_number(inst) == IL_LDS_SHARING_MODE_ABSOLUTE;
         break;
      case IL_OP_DCL_LDS:
      case IL_OP_DCL_STRUCT_LDS:
         used[il_lds(inst)] = true;
         break;
      case IL_OP_DCL_MAX_THREAD_PER_GROUP: /* a row of them, if the program says no more */
         group = group ? group : inst;
         break;
      case IL_OP_DCL_NUM_THREAD_PER_GROUP:
         group = inst;
         break;
      case IL_OP_LDS_READ_VEC:
         o->exchanges |= il_exchange(inst);
         break;
      default:
         break;
      }
   }
   o->threads = 1;
   for (unsigned i = 0; group && i < 3 && i < group->ndata; i++)
      o->threads *= group->data[i] > IL_LDS_BYTES ? IL_LDS_BYTES : group->data[i];
   o->threads = (o->threads + WAVE - 1) / WAVE * WAVE;
   while (o->area < IL_MAX_AREAS && used[o->area])
      o->area++;
   o->exchange = o->area + 1;
   while (o->exchange < IL_MAX_AREAS && used[o->exchange])
      o->exchange++;
   if (o->area >= IL_MAX_AREAS || (o->exchanges && o->exchange >= IL_MAX_AREAS))
      lower_fail(l, "not implemented: no area of local data that is left for owners");
}

/* So many dwords of each thread. */
static void
declare(struct il_lower *l, unsigned area, uint64_t dwords)
{
   struct il_inst inst = { .op = IL_OP_DCL_LDS, .ctl = (uint16_t)area, .ndata = 1 };

   inst.data = lower_alloc(l, sizeof(*inst.data));
   inst.data[0] = dwords * 4 > UINT32_MAX ? UINT32_MAX : (uint32_t)dwords * 4;
   lower_add(l, &inst);
}

/* --- instructions ----------------------------------------------------------------------------- */

static struct il_src
thread_of(struct formula *f)
{
   return OP1(f, MOV, il_replicate(il_src(IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT, 0), 0));
}

/* Where the part of an owner begins; of a thread's number only that in its wave counts. */
static struct il_src
part_of(struct formula *f, const struct owners *o, struct il_src thread)
{
   struct il_src owner = OP2(f, AND, thread, BITS(f, WAVE - 1));

   if (!o->absolute && il_sharing_mode(f->inst) != IL_LDS_SHARING_MODE_ABSOLUTE) {
      struct il_src first = OP2(f, AND, thread_of(f), BITS(f, ~(WAVE - 1)));
      owner = OP2(f, I_OR, first, owner);
   }
   return OP2(f, U_MUL24, owner, BITS(f, 4 * o->dwords));
}

static struct il_src
plus(struct formula *f, struct il_src address, uint32_t bytes)
{
   return bytes ? OP2(f, I_ADD, address, BITS(f, bytes)) : address;
}

static void
load(struct formula *f, unsigned area, const struct il_dst *dst, struct il_src address)
{
   const struct il_src src[2] = { address, BITS(f, 0) };
   lower_emit(f->l, IL_OP_LDS_LOAD_VEC, area, dst, 2, src);
}

static void
store(struct formula *f, unsigned area, unsigned mask, struct il_src address, struct il_src value)
{
   const struct il_dst dst = il_dst_masked(il_dst(IL_REGTYPE_GENERIC_MEM, 0), mask);
   const struct il_src src[3] = { address, BITS(f, 0), value };
   lower_emit(f->l, IL_OP_LDS_STORE_VEC, area, &dst, 3, src);
}

static void
write(struct formula *f, const struct owners *o)
{
   struct il_src address = plus(f, part_of(f, o, thread_of(f)), 4 * il_owner_offset(f->inst));
   store(f, o->area, il_dst_mask(&f->dst), address, f->inst->src[0]);
}

static void
read(struct formula *f, const struct owners *o)
{
   struct il_src part = part_of(f, o, formula_component(f, 0, 0));
   struct il_src offset = OP2(f, I_SHL, formula_component(f, 0, 1), BITS(f, 2));
   struct il_src address = OP2(f, I_ADD, part, offset);

   if (!il_exchange(f->inst)) {
      load(f, o->area, &f->dst, address);
      return;
   }
   const uint32_t t = f->l->next_temp, r = t + 1;
   const struct il_dst all = lower_temp_dst(t, 15);
   f->l->next_temp += 2;
   load(f, o->area, &all, address);
   struct il_src thread = thread_of(f);
   struct il_src own = OP2(f, U_MUL24, thread, BITS(f, VECTOR_BYTES));
   store(f, o->exchange, 15, own, il_src(IL_REGTYPE_TEMP, t));
   struct il_src first = OP2(f, AND, own, BITS(f, ~(4 * VECTOR_BYTES - 1)));
   struct il_src column = OP2(f, I_SHL, OP2(f, AND, thread, BITS(f, 3)), BITS(f, 2));
   struct il_src from = OP2(f, I_OR, first, column);
   for (unsigned c = 0; c < 4; c++) {
      struct il_src at = plus(f, from, VECTOR_BYTES * c);
      lower_op(f->l, IL_OP_LDS_LOAD, o->exchange, r, 1u << c, 1, at, at, at);
   }
   const struct il_src value = il_src(IL_REGTYPE_TEMP, r);
   lower_emit(f->l, IL_OP_MOV, 0, &f->dst, 1, &value);
}

void
lower_address_owners(struct il_lower *l)
{
   struct owners o = { 0 };

   read_declarations(l, &o);
   if (o.dwords)
      declare(l, o.area, o.threads * o.dwords);
   if (o.exchanges)
      declare(l, o.exchange, o.threads * 4);
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);
      struct formula f = { .l = l, .inst = inst, .mask = 1 };

      if (!info || info->core != IL_CORE_OWNER) {
         lower_add(l, inst);
         continue;
      }
      if (!o.dwords)
         lower_fail(l, "not implemented: local data with owners that is not declared");
      if (inst->ndst != 1 || inst->nsrc != 1)
         lower_fail(l, "not implemented: %s without its operands", info->name);
      f.dst = inst->dst[0];
      l->scalar_room = 0;
      if (inst->op == IL_OP_LDS_READ_VEC)
         read(&f, &o);
      else
         write(&f, &o);
   }
   l->out->first_main = l->first_main;
}
