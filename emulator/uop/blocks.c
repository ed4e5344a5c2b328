/* SPDX-License-Identifier: MIT */
/*
 * Makes blocks of steps (blocks.h).
 */
#include "uop/blocks.h"

#include <stdlib.h>
#include <string.h>

bool
uop_blocks_make(struct uop_blocks *b, uint32_t count, const struct uop_run *runs,
                const bool *starts)
{
   uint32_t blocks = 0;

   for (uint32_t n = 0; n < count; n++)
      blocks += n == 0 || starts[n];
   b->blocks = calloc(blocks ? blocks : 1, sizeof(*b->blocks));
   b->of = calloc(count ? count : 1, sizeof(*b->of));
   b->count = 0;
   if (!b->blocks || !b->of) {
      uop_blocks_free(b);
      return false;
   }
   for (uint32_t n = 0; n < count; n++) {
      if (n == 0 || starts[n]) {
         b->blocks[b->count++] = (struct uop_block){
            .first = n,
            .code = { runs[n].first, 0 },
            .kept = { UINT32_MAX, UINT32_MAX },
         };
      }
      struct uop_block *block = &b->blocks[b->count - 1];
      block->count++;
      block->code.count += runs[n].count;
      b->of[n] = b->count - 1;
   }
   return true;
}

void
uop_blocks_free(struct uop_blocks *b)
{
   free(b->blocks);
   free(b->of);
   memset(b, 0, sizeof(*b));
}
