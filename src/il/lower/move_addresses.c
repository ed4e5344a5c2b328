/* SPDX-License-Identifier: MIT */
/*
 * The address registers a# (MOVA, 7-189) become temps, and what they index is indexed by those.
 */
#include "pass.h"

#define MAX_ADDRESS 16

static void
rename_ref(struct il_lower *l, struct il_ref *r, void *data)
{
   const uint32_t first = *(const uint32_t *)data;

   if (r->type == IL_REGTYPE_ADDR && r->num < MAX_ADDRESS) {
      r->type = IL_REGTYPE_TEMP;
      r->num += first;
   }
   if (r->rel != IL_ADDR_RELATIVE || il_rel_loop(r))
      return;
   if (il_rel_register(r) >= MAX_ADDRESS) {
      lower_fail(l, "not implemented: address register %u, above %u", il_rel_register(r),
                 MAX_ADDRESS - 1);
   }
   lower_index_ref(l, r, lower_temp(first + il_rel_register(r), il_rel_component(r)));
}

/* Floor, or the nearest with _round, of each component. */
static void
move(struct il_lower *l, const struct il_inst *inst, uint32_t first)
{
   struct il_dst dst = lower_copy_dst(l, &inst->dst[0], rename_ref, &first);
   struct il_src src = lower_copy_src(l, &inst->src[0], rename_ref, &first);
   uint32_t t = l->next_temp++;
   struct il_src rounded = il_src(IL_REGTYPE_TEMP, t);

   lower_op(l, il_round(inst) ? IL_OP_ROUND_NEAR : IL_OP_ROUND_NEG_INF, 0, t, 15, 1, src, src, src);
   lower_emit(l, IL_OP_FTOI, 0, &dst, 1, &rounded);
}

void
lower_move_addresses(struct il_lower *l)
{
   uint32_t first = l->next_temp;

   l->next_temp += MAX_ADDRESS;
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];

      if (inst->op == IL_OP_MOVA && inst->ndst && inst->nsrc)
         move(l, inst, first);
      else
         lower_copy_inst(l, inst, rename_ref, &first);
   }
   l->out->first_main = l->first_main;
}
