/* SPDX-License-Identifier: MIT */
/*
 * Calls through interfaces (IL 7.18) become calls under conditions.
 *
 *  1. FCALL's operand is added to the pointer's number; the sum indexes a table of the driver's,
 *     which tells the function table of that instance: dword n of IL_DRV_INTERFACES, 16 of them.
 *  2. The call's label selects a body from each function table that the pointer's declaration
 *     lists; the one of that table is called.  None is where the driver's table names another.
 */
#include "pass.h"

#include "il/conventions.h"

#define MAX_TABLES 256

static const struct il_inst *
find(const struct il_lower *l, unsigned op, uint32_t id)
{
   for (uint32_t n = l->first_main; n < l->num_insts; n++) {
      const struct il_inst *inst = &l->insts[n];
      uint32_t number =
         op == IL_OP_DCL_INTERFACE_PTR ? il_interface(inst) : (uint32_t)il_number(inst);
      if (inst->op == op && number == id)
         return inst;
   }
   return NULL;
}

/* The number of the instance's function table, in x of the temp that is returned. */
static uint32_t
read_table(struct il_lower *l, uint32_t id, struct il_src instance)
{
   struct il_src entry = il_src(IL_REGTYPE_CONST_BUFF, IL_DRIVER_CB), none = { 0 };
   uint32_t t = l->next_temp, vec = t + 1;

   l->next_temp += 2;
   lower_op(l, IL_OP_I_ADD, 0, t, 1, 2, il_replicate(instance, il_src_swz(&instance, 0)),
            lower_bits(l, id), none);
   lower_op(l, IL_OP_AND, 0, t, 1, 2, lower_temp(t, 0), lower_bits(l, IL_MAX_INTERFACES - 1), none);
   lower_op(l, IL_OP_U_SHR, 0, t, 2, 2, lower_temp(t, 0), lower_bits(l, 2), none);
   lower_op(l, IL_OP_AND, 0, t, 4, 2, lower_temp(t, 0), lower_bits(l, 3), none);
   entry.r.has_imm = true;
   entry.r.imm = IL_DRV_INTERFACES;
   entry.r.rel = IL_ADDR_REG_RELATIVE;
   entry.r.index = lower_index(l, lower_temp(t, 1));
   lower_op(l, IL_OP_MOV, 0, vec, 15, 1, entry, none, none);
   for (unsigned i = 1; i < 4; i++) {
      lower_op(l, IL_OP_I_EQ, 0, t, 8, 2, lower_temp(t, 2), lower_bits(l, i), none);
      lower_op(l, IL_OP_CMOV_LOGICAL, 0, vec, 1, 3, lower_temp(t, 3), lower_temp(vec, i),
               lower_temp(vec, 0));
   }
   return vec;
}

static void
call(struct il_lower *l, uint32_t label)
{
   struct il_inst inst = { .op = IL_OP_CALL, .ndata = 1, .offset = l->at->offset };

   inst.data = lower_alloc(l, sizeof(label));
   inst.data[0] = label;
   lower_add(l, &inst);
}

static void
select_body(struct il_lower *l, const struct il_inst *fcall)
{
   uint32_t id = il_number(fcall), label = fcall->ndata ? fcall->data[0] : 0;
   const struct il_inst *pointer = find(l, IL_OP_DCL_INTERFACE_PTR, id);

   if (!pointer || pointer->ndata < 3)
      lower_fail(l, "a call through interface %u, which is not declared", id);
   if (id + (uint64_t)pointer->data[0] > IL_MAX_INTERFACES || pointer->ndata > 3 + MAX_TABLES) {
      lower_fail(l, "not implemented: interface pointers above %u, or of more than %u tables",
                 IL_MAX_INTERFACES - 1, MAX_TABLES);
   }
   uint32_t table = read_table(l, id, fcall->src[0]), match = l->next_temp++;
   for (uint32_t n = 3; n < pointer->ndata; n++) {
      const struct il_inst *functions = find(l, IL_OP_DCL_FUNCTION_TABLE, pointer->data[n]);
      if (!functions || label + UINT64_C(1) >= functions->ndata)
         lower_fail(l, "function table %u has no entry %u", pointer->data[n], label);
      struct il_src wanted = lower_bits(l, pointer->data[n]);
      lower_op(l, IL_OP_I_EQ, 0, match, 1, 2, lower_temp(table, 0), wanted, wanted);
      lower_if(l, IL_OP_IF_LOGICALNZ, lower_temp(match, 0));
      call(l, functions->data[label + 1]);
      lower_flow(l, IL_OP_ENDIF);
   }
}

void
lower_select_bodies(struct il_lower *l)
{
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);

      if (inst->op == IL_OP_FCALL && inst->nsrc)
         select_body(l, inst);
      else if (!info || info->core != IL_CORE_INTERFACE)
         lower_add(l, inst);
   }
   l->out->first_main = l->first_main;
}
