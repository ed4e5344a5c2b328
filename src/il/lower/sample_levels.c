/* SPDX-License-Identifier: MIT */
/*
 * Samples with a level from derivatives (7.6), in programs that have none: threads of a compute
 * program are no neighbours in a picture.  They take level 0, and a bias counts from there.
 */
#include "pass.h"

#include <string.h>

/* The same with a level of its own: the operand after the coordinates and, of comparisons, the
 * reference, which was the bias. */
static const struct {
   uint16_t op, with_level;
   bool add_level;
} samples[] = {
   { IL_OP_SAMPLE, IL_OP_SAMPLE_L, true },
   { IL_OP_SAMPLE_B, IL_OP_SAMPLE_L, false },
   { IL_OP_SAMPLE_C, IL_OP_SAMPLE_C_LZ, false },
   { IL_OP_SAMPLE_C_B, IL_OP_SAMPLE_C_L, false },
};

/* A level of 0, after the coordinates and before what indexes resource and sampler. */
static void
add_level(struct il_lower *l, struct il_inst *inst)
{
   struct il_src *src = lower_alloc(l, (inst->nsrc + 1u) * sizeof(*src));

   src[0] = inst->src[0];
   src[1] = lower_bits(l, 0);
   memcpy(src + 2, inst->src + 1, (inst->nsrc - 1u) * sizeof(*src));
   inst->src = src;
   inst->nsrc++;
}

void
lower_sample_levels(struct il_lower *l)
{
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      struct il_inst *added = lower_add(l, inst);

      for (unsigned i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
         if (samples[i].op != inst->op || !inst->nsrc)
            continue;
         added->op = samples[i].with_level;
         if (samples[i].add_level)
            add_level(l, added);
      }
   }
   l->out->first_main = l->first_main;
}
