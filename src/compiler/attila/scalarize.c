/* SPDX-License-Identifier: MIT */
/*
 * For the scalar machine: what works on each component by itself becomes an instruction for each.
 * What that machine has no form of (texture units, attributes, LOG and kills) stays as it is.
 */
#include "ir.h"

static bool
splits(const struct ac_inst *i)
{
   return !ac_is_flow(i) && ac_writes(i) && (i->mask & (i->mask - 1)) &&
          attila_info(i->op)->forms & ATTILA_FORM_SOA;
}

/* Does one of the instructions read what an earlier one has written? */
static bool
reads_itself(const struct ac_inst *i)
{
   return ac_reads_of(i, i->bank, i->reg) & i->mask;
}

static void
add(struct ac_compiler *to, const struct ac_inst *i)
{
   to->insts = ac_grow(to, to->insts, to->num_insts, &to->cap_insts, sizeof(*to->insts));
   to->insts[to->num_insts++] = *i;
}

void
ac_scalarize(struct ac_compiler *c)
{
   struct ac_inst *old = c->insts;
   const uint32_t count = c->num_insts;

   c->insts = NULL;
   c->num_insts = c->cap_insts = 0;
   for (uint32_t n = 0; n < count; n++) {
      const struct ac_inst *i = &old[n];
      if (!splits(i)) {
         add(c, i);
         continue;
      }
      const bool apart = reads_itself(i);
      const uint32_t reg = apart ? ac_new_reg(c) : i->reg;
      for (unsigned k = 0; k < 4; k++) {
         struct ac_inst one = *i;
         if (!(i->mask >> k & 1))
            continue;
         one.mask = (uint8_t)(1u << k);
         if (apart) {
            one.reg = reg;
            one.bank = ATTILA_TEMP;
         }
         for (unsigned s = 0; s < ac_num_src(i) && ac_each(i->op); s++)
            one.src[s] = ac_comp(i->src[s], k);
         if (i->op == ATTILA_DDX || i->op == ATTILA_DDY)
            one.src[0] = ac_comp(i->src[0], k);
         add(c, &one);
      }
      for (unsigned k = 0; k < 4 && apart; k++) {
         struct ac_inst move = { .op = ATTILA_MOV,
                                 .bank = i->bank,
                                 .reg = i->reg,
                                 .predicated = i->predicated,
                                 .invert = i->invert,
                                 .pred = i->pred,
                                 .place = i->place };
         if (!(i->mask >> k & 1))
            continue;
         move.mask = (uint8_t)(1u << k);
         move.src[0] = ac_comp(ac_temp(reg), k);
         add(c, &move);
      }
   }
}
