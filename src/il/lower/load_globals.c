/* SPDX-License-Identifier: MIT */
/*
 * Global memory, g[] (5.13), becomes loads and stores of a UAV.
 *
 *  1. An element is four dwords.  All of it is the raw UAV of the lowest number that the program
 *     does not declare.
 *  2. What an instruction reads is loaded before it, what it writes is stored after it: the
 *     components that its mask writes or forces, and no others.
 *  3. An element that no 32-bit byte address reaches is outside of any buffer: reads give 0, writes
 *     are dropped.
 */
#include "pass.h"

#include "il/conventions.h"

#define ELEMENT_SHIFT 4
#define LAST_ELEMENT  (UINT32_MAX >> ELEMENT_SHIFT)

struct globals {
   unsigned uav;
};

static int
declared_uav(const struct il_inst *inst)
{
   switch (inst->op) {
   case IL_OP_DCL_UAV:
      return (int)il_typed_uav(inst);
   case IL_OP_DCL_X_UAV:
      return (int)il_uav(inst);
   case IL_OP_DCL_RAW_UAV:
   case IL_OP_DCL_STRUCT_UAV:
   case IL_OP_DCL_ARENA_UAV:
   case IL_OP_DCL_TYPED_UAV:
   case IL_OP_DCL_TYPELESS_UAV:
      return (int)il_number(inst);
   default:
      return -1;
   }
}

static unsigned
free_uav(struct il_lower *l)
{
   uint64_t used = 0;

   for (uint32_t n = 0; n < l->num_insts; n++) {
      int uav = declared_uav(&l->insts[n]);
      if (uav >= 0 && uav < IL_MAX_UAVS)
         used |= UINT64_C(1) << uav;
   }
   for (unsigned n = 0; n < IL_MAX_UAVS; n++)
      if (!(used >> n & 1))
         return n;
   lower_fail(l, "not implemented: global memory beside %u UAVs", IL_MAX_UAVS);
}

static struct il_src
scalar(struct il_lower *l, unsigned op, struct il_src a, uint32_t b)
{
   const struct il_src none = { 0 };
   const uint32_t t = l->next_temp++;

   lower_op(l, op, 0, t, 1, 2, a, lower_bits(l, b), none);
   return lower_temp(t, 0);
}

/* The byte address of an element; its index, if it has one, has been changed already. */
static struct il_src
address_of(struct il_lower *l, const struct il_ref *r)
{
   const uint32_t element = r->has_imm ? r->imm : r->num;

   if (r->rel == IL_ADDR_ABSOLUTE || !r->index)
      return lower_bits(l, element <= LAST_ELEMENT ? element << ELEMENT_SHIFT : UINT32_MAX);
   struct il_src index = element ? scalar(l, IL_OP_I_ADD, *r->index, element) : *r->index;
   return scalar(l, IL_OP_I_SHL, scalar(l, IL_OP_U_MIN, index, LAST_ELEMENT), ELEMENT_SHIFT);
}

static uint32_t
load(struct il_lower *l, const struct globals *g, struct il_src address)
{
   const uint32_t t = l->next_temp++;
   struct il_dst dst = lower_temp_dst(t, 15);

   lower_emit(l, IL_OP_UAV_RAW_LOAD, il_ctl_uav(g->uav), &dst, 1, &address);
   return t;
}

static void
load_ref(struct il_lower *l, struct il_ref *r, void *data)
{
   if (r->type == IL_REGTYPE_GLOBAL)
      *r = (struct il_ref){ .type = IL_REGTYPE_TEMP, .num = load(l, data, address_of(l, r)) };
}

/* Components that an instruction writes or forces to 0 or 1. */
static unsigned
stored_mask(const struct il_dst *dst)
{
   unsigned mask = 0;

   for (unsigned c = 0; c < 4; c++)
      mask |= (unsigned)(il_dst_comp(dst, c) != IL_MODCOMP_NOWRITE) << c;
   return mask;
}

static void
store(struct il_lower *l, const struct globals *g, struct il_src address, uint32_t temp,
      unsigned mask)
{
   struct il_dst dst = il_dst_masked(il_dst(IL_REGTYPE_GENERIC_MEM, 0), mask);
   const struct il_src src[2] = { address, il_src(IL_REGTYPE_TEMP, temp) };

   lower_emit(l, IL_OP_UAV_RAW_STORE, il_ctl_number(g->uav), &dst, 2, src);
}

static void
copy(struct il_lower *l, struct globals *g, const struct il_inst *from)
{
   struct il_inst inst = *from;
   struct il_src address = { 0 };
   uint32_t temp = 0;
   unsigned mask = 0;

   inst.src = inst.nsrc ? lower_alloc(l, inst.nsrc * sizeof(*inst.src)) : NULL;
   inst.dst = inst.ndst ? lower_alloc(l, inst.ndst * sizeof(*inst.dst)) : NULL;
   for (unsigned i = 0; i < inst.nsrc; i++)
      inst.src[i] = lower_copy_src(l, &from->src[i], load_ref, g);
   for (unsigned i = 0; i < inst.ndst; i++) {
      struct il_dst *dst = &inst.dst[i];
      *dst = from->dst[i];
      if (dst->r.index)
         dst->r.index = lower_index(l, lower_copy_src(l, dst->r.index, load_ref, g));
      if (dst->r.type != IL_REGTYPE_GLOBAL)
         continue;
      if (dst->dim2 || inst.ndst > 1)
         lower_fail(l, "not implemented: global memory with two indices, or of several results");
      address = address_of(l, &dst->r);
      mask = stored_mask(dst);
      /* CMOV leaves alone what it does not move. */
      temp = inst.op == IL_OP_CMOV ? load(l, g, address) : l->next_temp++;
      dst->r = (struct il_ref){ .type = IL_REGTYPE_TEMP, .num = temp };
   }
   lower_add(l, &inst);
   if (mask)
      store(l, g, address, temp, mask);
}

void
lower_load_globals(struct il_lower *l)
{
   struct globals g = { .uav = free_uav(l) };

   lower_emit(l, IL_OP_DCL_RAW_UAV, il_ctl_number(g.uav), NULL, 0, NULL);
   for (uint32_t n = 0; n < l->num_insts; n++) {
      l->at = &l->insts[n];
      copy(l, &g, l->at);
   }
}
