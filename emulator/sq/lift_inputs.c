/* SPDX-License-Identifier: MIT */
/*
 * What SPI of R600 and R700 does before a pixel program: input n is interpolated into register n.
 *
 * Later chips leave that to the program, by operations that these have not.  Here a clause of the
 * same operations, in Evergreen's words, stands before the program's own, so that both chips get
 * the same bits.  The barycentrics that it reads are in registers above those of the program.
 */
#include "sq/lift.h"

#include <string.h>

/* Where a pair's i is; j is in the channel after it. */
struct pair {
   uint8_t gpr, chan;
};

/* Registers of the pairs that inputs name, two pairs each, from `gpr` on; how many. */
static unsigned
find_pairs(const struct sq_program_source *source, unsigned gpr, struct pair out[CORE_PAIRS])
{
   unsigned count = 0;

   for (unsigned p = 0; p < CORE_PAIRS; p++)
      if (source_input_pairs(source->inputs) >> p & 1) {
         out[p] = (struct pair){ (uint8_t)(gpr + count / 2), (uint8_t)(count % 2 * 2) };
         count++;
      }
   return (count + 1) / 2;
}

/* A slot of Evergreen's. */
static void
put(uint32_t words[2], unsigned op, unsigned chan, unsigned gpr, bool write)
{
   struct cayman_alu alu = { .op = (uint16_t)op, .dst_chan = (uint8_t)chan, .last = chan == 3 };

   alu.dst_gpr = (uint8_t)gpr;
   alu.write_mask = write;
   cayman_encode_alu(CAYMAN_VLIW5, &alu, words);
}

static void
put_source(uint32_t words[2], unsigned n, unsigned sel, unsigned chan)
{
   words[0] |= n ? cayman_put(CAYMAN_ALU_WORD0__SRC1_SEL, sel) |
                      cayman_put(CAYMAN_ALU_WORD0__SRC1_CHAN, chan)
                 : cayman_put(CAYMAN_ALU_WORD0__SRC0_SEL, sel) |
                      cayman_put(CAYMAN_ALU_WORD0__SRC0_CHAN, chan);
}

/* The operations of input n: one group of P0, or two that interpolate z and w, and x and y. */
static unsigned
put_input(uint32_t words[16], unsigned n, const struct pair *pair)
{
   unsigned count = 0;

   for (unsigned chan = 0; chan < 4 && !pair; chan++, count += 2) {
      put(words + count, CAYMAN_ALU_INTERP_LOAD_P0, chan, n, true);
      put_source(words + count, 0, CAYMAN_SRC_PARAM + n, chan);
   }
   for (unsigned group = 0; group < 2 && pair; group++)
      for (unsigned chan = 0; chan < 4; chan++, count += 2) {
         put(words + count, group ? CAYMAN_ALU_INTERP_XY : CAYMAN_ALU_INTERP_ZW, chan, n,
             (chan < 2) == group);
         put_source(words + count, 0, pair->gpr, pair->chan + 1u - chan % 2);
         put_source(words + count, 1, CAYMAN_SRC_PARAM + n, 0);
      }
   return count;
}

void
lift_inputs(struct lift *l, struct sq_cf *out)
{
   const struct sq_program_source *source = l->source;
   const unsigned first = l->p->head.num_gprs;
   struct cayman_cf cf = { .op = CAYMAN_CF_ALU, .form = CAYMAN_CF_FORM_ALU };
   const enum cayman_vliw vliw = l->vliw;
   struct pair pairs[CORE_PAIRS];
   uint32_t words[SOURCE_INPUTS * 16];
   size_t count = 0;

   if (first + find_pairs(source, first, pairs) > 128) {
      lift_error(l, "%u registers and barycentrics are more than there are", first);
      return;
   }
   for (unsigned n = 0; n < SOURCE_INPUTS; n++) {
      const unsigned input = source_input(source->inputs, n);

      if (input != SOURCE_INPUT_NONE)
         count += put_input(words + count, n,
                            input >= SOURCE_INPUT_FLAT ? NULL : &pairs[input - SOURCE_INPUT_PAIR]);
   }
   l->vliw = CAYMAN_VLIW5;
   l->words = NULL;
   lift_alu_clause(l, &cf, words, count, out);
   l->vliw = vliw;
}
