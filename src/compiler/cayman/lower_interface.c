/* SPDX-License-Identifier: MIT */
/*
 * Lowering of calls through interfaces (IL 7.18).
 *
 *  1. FCALL's operand is added to the pointer's number; the sum indexes a table of the driver's,
 *     which tells the function table of that instance: dword n of IL_DRV_INTERFACES, 16 of them.
 *  2. The call's label selects a body from each function table that the pointer's declaration
 *     lists; the one whose table it is, is run.  None is where the driver's table names another.
 */
#include "lower.h"

#include "il/conventions.h"

#define MAX_TABLES 256

static const struct il_inst *
find(const struct il_program *p, unsigned op, uint32_t ctl_mask, uint32_t id)
{
   for (uint32_t n = p->first_main; n < p->ninsts; n++) {
      if (p->insts[n].op == op && (p->insts[n].ctl & ctl_mask) == id) {
         return &p->insts[n];
      }
   }
   return NULL;
}

/* The number of the instance's function table, in all components of a temp. */
static uint32_t
read_table(struct lowerer *l, uint32_t id, struct il_src instance)
{
   const uint32_t numbers[4] = { id, IL_MAX_INTERFACES - 1, 2, 3 }, ones[4] = { 1, 2, 3, 0 };
   struct il_src literal = il_src(IL_REGTYPE_LITERAL, lower_literal(l, numbers));
   struct il_src column = il_src(IL_REGTYPE_LITERAL, lower_literal(l, ones));
   struct il_src entry = il_src(IL_REGTYPE_CONST_BUFF, IL_DRIVER_CB);
   uint32_t t = l->next_temp, vec = t + 1;

   l->next_temp += 2;
   lower_op(l, IL_OP_I_ADD, 0, t, 1, 2, il_replicate(instance, il_src_swz(&instance, 0)),
            il_replicate(literal, 0), literal);
   lower_op(l, IL_OP_AND, 0, t, 1, 2, lower_temp(t, 0), il_replicate(literal, 1), literal);
   lower_op(l, IL_OP_U_SHR, 0, t, 2, 2, lower_temp(t, 0), il_replicate(literal, 2), literal);
   lower_op(l, IL_OP_AND, 0, t, 4, 2, lower_temp(t, 0), il_replicate(literal, 3), literal);
   entry.r.has_imm = true;
   entry.r.imm = IL_DRV_INTERFACES;
   entry.r.rel = IL_ADDR_REG_RELATIVE;
   entry.r.index = lower_copy(l, lower_temp(t, 1));
   lower_op(l, IL_OP_MOV, 0, vec, 15, 1, entry, entry, entry);
   for (unsigned i = 1; i < 4; i++) {
      lower_op(l, IL_OP_I_EQ, 0, t, 8, 2, lower_temp(t, 2), il_replicate(column, i - 1), column);
      lower_op(l, IL_OP_CMOV_LOGICAL, 0, vec, 1, 3, lower_temp(t, 3), lower_temp(vec, i),
               lower_temp(vec, 0));
   }
   return vec;
}

void
lower_interface(struct lowerer *l, const struct il_inst *fcall, struct il_src instance)
{
   uint32_t id = fcall->ctl & 0x3fff, label = fcall->ndata ? fcall->data[0] : 0;
   const struct il_inst *pointer = find(l->in, IL_OP_DCL_INTERFACE_PTR, 0x1fff, id);

   if (!pointer || pointer->ndata < 3) {
      cc_fail(l->c, "a call through interface %u, which is not declared", id);
   }
   if (id + (uint64_t)pointer->data[0] > IL_MAX_INTERFACES || pointer->ndata > 3 + MAX_TABLES) {
      cc_fail(l->c, "not implemented: interface pointers above %u, or of more than %u tables",
              IL_MAX_INTERFACES - 1, MAX_TABLES);
   }
   uint32_t table = read_table(l, id, instance), match = l->next_temp++;
   for (uint32_t n = 3; n < pointer->ndata; n++) {
      const uint32_t number[4] = { pointer->data[n] };
      const struct il_inst *functions =
         find(l->in, IL_OP_DCL_FUNCTION_TABLE, 0x3fff, pointer->data[n]);
      if (!functions || label + UINT64_C(1) >= functions->ndata) {
         cc_fail(l->c, "function table %u has no entry %u", pointer->data[n], label);
      }
      struct il_src wanted = il_replicate(il_src(IL_REGTYPE_LITERAL, lower_literal(l, number)), 0);
      lower_op(l, IL_OP_I_EQ, 0, match, 1, 2, lower_temp(table, 0), wanted, wanted);
      lower_if(l, IL_OP_IF_LOGICALNZ, lower_temp(match, 0));
      lower_call(l, functions->data[label + 1]);
      lower_flow(l, IL_OP_ENDIF);
   }
}
