/* SPDX-License-Identifier: MIT */
/*
 * Counted loops (7-28) become loops that count, and aL, which indexes inside them, a temp.
 *
 * A temp has x: aL, y: its step, z: the rounds that are left, tested on top, so that a continue
 * counts too; aL begins one step lower.  The three numbers are bytes.  A loop with _repeat has no
 * aL of its own: that of the loop around it is seen.
 */
#include "pass.h"

#define MAX_NESTING 4096

struct loops {
   /* The temp with aL in its x, of each open loop; 0: none (0 is the program's own). */
   uint32_t temp[MAX_NESTING];
   unsigned depth;
};

static void
index_ref(struct il_lower *l, struct il_ref *r, void *data)
{
   const struct loops *loops = data;

   if (r->rel != IL_ADDR_RELATIVE || !il_rel_loop(r))
      return;
   if (!loops->depth || !loops->temp[loops->depth - 1])
      lower_fail(l, "not implemented: aL outside a counted loop");
   lower_index_ref(l, r, lower_temp(loops->temp[loops->depth - 1], 0));
}

static void
open_loop(struct il_lower *l, struct loops *loops, uint32_t temp)
{
   if (loops->depth == MAX_NESTING)
      lower_fail(l, "not implemented: loops nested deeper than %u", MAX_NESTING);
   uint32_t outer = loops->depth ? loops->temp[loops->depth - 1] : 0;
   loops->temp[loops->depth++] = temp ? temp : outer;
}

static void
begin(struct il_lower *l, struct loops *loops, const struct il_inst *inst)
{
   struct il_src counts = lower_copy_src(l, &inst->src[0], index_ref, loops), none = { 0 };
   uint32_t t = l->next_temp++;

   lower_op(l, IL_OP_AND, 0, t, 7, 2, il_swizzle(counts, 1, 2, 0, 0), lower_bits(l, 255), none);
   lower_op(l, IL_OP_I_ADD, 0, t, 1, 2, lower_temp(t, 0), il_negate(lower_temp(t, 1)), none);
   lower_flow(l, IL_OP_WHILE);
   lower_if(l, IL_OP_BREAK_LOGICALZ, lower_temp(t, 2));
   lower_op(l, IL_OP_I_ADD, 0, t, 4, 2, lower_temp(t, 2), lower_bits(l, UINT32_MAX), none);
   if (!il_repeat(inst))
      lower_op(l, IL_OP_I_ADD, 0, t, 1, 2, lower_temp(t, 0), lower_temp(t, 1), none);
   open_loop(l, loops, il_repeat(inst) ? 0 : t);
}

void
lower_count_loops(struct il_lower *l)
{
   struct loops *loops = lower_alloc(l, sizeof(*loops));

   l->next_temp += l->next_temp == 0;
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);

      if (inst->op == IL_OP_LOOP && inst->nsrc) {
         begin(l, loops, inst);
         continue;
      }
      if (info && info->flow == IL_FLOW_LOOP)
         open_loop(l, loops, 0);
      else if (info && info->flow == IL_FLOW_ENDLOOP && loops->depth)
         loops->depth--;
      lower_copy_inst(l, inst, index_ref, loops);
   }
   l->out->first_main = l->first_main;
}
