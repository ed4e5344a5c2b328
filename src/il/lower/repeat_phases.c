/* SPDX-License-Identifier: MIT */
/*
 * Phases of a hull shader that run several times become loops of one run; vInstanceID is the loop's
 * counter, and zero in a phase that runs once (7-25).
 */
#include "pass.h"

struct phase {
   bool open;
   uint32_t counter; /* temp */
   uint32_t runs;
};

static void
rename_ref(struct il_lower *l, struct il_ref *r, void *data)
{
   const struct phase *phase = data;

   (void)l;
   if (r->type == IL_REGTYPE_SHADER_INSTANCE_ID && phase->open) {
      r->type = IL_REGTYPE_TEMP;
      r->num = phase->counter;
   }
}

static void
begin(struct il_lower *l, struct phase *phase, const struct il_inst *inst)
{
   struct il_inst once = *inst;
   struct il_src zero = lower_bits(l, 0);
   uint32_t done = l->next_temp + 1;

   phase->open = true;
   phase->counter = l->next_temp;
   phase->runs = il_phase_runs(inst);
   l->next_temp += 2;
   once.ctl = il_op_info(inst->op)->ctl == IL_CTL_PHASE; /* runs */
   lower_add(l, &once);
   lower_op(l, IL_OP_MOV, 0, phase->counter, 15, 1, zero, zero, zero);
   if (phase->runs > 1) {
      lower_flow(l, IL_OP_WHILE);
      lower_op(l, IL_OP_U_GE, 0, done, 1, 2, lower_temp(phase->counter, 0),
               lower_bits(l, phase->runs), zero);
      lower_if(l, IL_OP_BREAK_LOGICALNZ, lower_temp(done, 0));
   }
}

static void
end(struct il_lower *l, struct phase *phase, const struct il_inst *inst)
{
   struct il_src one = lower_bits(l, 1);

   if (phase->open && phase->runs > 1) {
      lower_op(l, IL_OP_I_ADD, 0, phase->counter, 15, 2, il_src(IL_REGTYPE_TEMP, phase->counter),
               one, one);
      lower_flow(l, IL_OP_ENDLOOP);
   }
   phase->open = false;
   lower_add(l, inst);
}

void
lower_repeat_phases(struct il_lower *l)
{
   struct phase phase = { 0 };

   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);

      if (info && info->flow == IL_FLOW_PHASE)
         begin(l, &phase, inst);
      else if (info && info->flow == IL_FLOW_ENDPHASE)
         end(l, &phase, inst);
      else
         lower_copy_inst(l, inst, rename_ref, &phase);
   }
   l->out->first_main = l->first_main;
}
