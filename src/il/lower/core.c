/* SPDX-License-Identifier: MIT */
/*
 * Is a program of the core that back ends start from?  docs/il-core.rst says what that is; the
 * table's CORE column is most of it, registers and operands the rest.
 */
#include "pass.h"

#include "il/internal.h"
#include "il/model3.h"

struct search {
   const struct il_program *p;
   const char *problem; /* what has been found, or NULL */
};

static void
check_ref(const struct il_ref *r, void *data)
{
   struct search *s = data;
   const bool pixel = s->p->shader == IL_SHADER_PIXEL;

   if (r->rel == IL_ADDR_RELATIVE) {
      s->problem =
         il_rel_loop(r) ? "aL outside a counted loop" : "an address register that nothing writes";
   } else if (r->type == IL_REGTYPE_INPUT_ARG || r->type == IL_REGTYPE_OUTPUT_ARG) {
      s->problem = "an argument outside a macro";
   } else if ((pixel || s->p->shader == IL_SHADER_VERTEX) && il_model3_register(r->type, pixel)) {
      s->problem = "a register of shader model 3";
   } else if (r->type == IL_REGTYPE_SHADER_INSTANCE_ID && s->p->shader == IL_SHADER_HULL) {
      s->problem = "vInstanceID";
   } else if (r->type == IL_REGTYPE_GLOBAL) {
      s->problem = "global memory as a register";
   } else if (r->type == IL_REGTYPE_PERSIST) {
      s->problem = "persistent memory, which the R670 alone has";
   }
}

static const char *
check_opcode(const struct il_target_caps *caps, const struct il_program *p,
             const struct il_inst *inst, unsigned depth, bool phase)
{
   const struct il_op_info *info = il_op_info(inst->op);

   if (!info)
      return "a number that no opcode has";
   switch (info->core) {
   case IL_CORE_YES:
      if (info->flow == IL_FLOW_RETURN && depth)
         return "a return inside a block";
      return info->flow == IL_FLOW_RETURN && phase ? "a return inside a phase" : NULL;
   case IL_CORE_PHASE:
      return il_phase_runs(inst) > 1 ? "a phase that runs several times" : NULL;
   case IL_CORE_GRADIENT:
      return p->shader == IL_SHADER_PIXEL ? NULL : "a level without derivatives";
   case IL_CORE_OWNER:
   case IL_CORE_DOT:
   case IL_CORE_DIVIDE:
   case IL_CORE_INT64:
   case IL_CORE_DOUBLE:
      return caps->has >> info->core & 1 ? NULL : "an operation that the target has not";
   default:
      return "an opcode that is not of the core";
   }
}

bool
il_is_core(const struct il_program *p, const struct il_target_caps *caps, struct il_error *err)
{
   struct search s = { .p = p };
   unsigned depth = 0;
   bool phase = false;

   for (uint32_t n = 0; n < p->ninsts; n++) {
      const struct il_inst *inst = &p->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);
      char text[100] = "";

      depth = il_block_depth(depth, inst->op);
      if (info)
         phase = info->flow == IL_FLOW_PHASE || (phase && info->flow != IL_FLOW_ENDPHASE);
      s.problem = n < p->first_main ? "a macro" : check_opcode(caps, p, inst, depth, phase);
      if (!s.problem && lower_has_modifiers(inst))
         s.problem = "a modifier that is not of the core";
      if (!s.problem)
         lower_visit_refs(inst, check_ref, &s);
      if (s.problem) {
         if (info)
            il_print_inst(p, inst, text, sizeof(text));
         return il_fail(err, inst->offset, 0, "not implemented: %s: %.90s", s.problem, text);
      }
   }
   return true;
}
