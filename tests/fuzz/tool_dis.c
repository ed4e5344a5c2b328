/* SPDX-License-Identifier: MIT */
/* atoll-dis as a program: what it prints of a file without header options, atoll-as makes the same
 * words of. */
#include "tool.h"

#include "container.h"

FUZZ_ENTRY(tool_dis)
{
   static const struct fuzz_tool tool = {
      .main = atoll_dis_main,
      .lines = { { NULL },
                 { "--validate" },
                 { "--validate", "--stage=ps", "--gprs=8" },
                 { "--isa=cayman" },
                 { "--isa=attila" },
                 { "--isa=valhall" } },
      .num_lines = 6,
   };
   static const char *const plain[] = { "--isa=cayman", NULL };
   static const char *const back[] = { "--no-validate", NULL };
   struct fuzz_output text, words;
   struct container c = { .words = data + 1, .num_bytes = size ? size - 1 : 0 };

   fuzz_tool_check(&tool, data, size);
   if (size < 5 || (container_is_elf(c.words, c.num_bytes) &&
                    (container_read(data + 1, size - 1, &c) || c.before_size || c.after_size)))
      return 0;
   if (!fuzz_tool_call(atoll_dis_main, plain, data + 1, size - 1, &text)) {
      FUZZ_CHECK(!fuzz_tool_call(atoll_as_main, back, (uint8_t *)text.out, text.out_size, &words));
      FUZZ_CHECK(words.out_size == c.num_bytes && !memcmp(words.out, c.words, c.num_bytes));
      free(words.out);
      free(words.err);
   }
   free(text.out);
   free(text.err);
   return 0;
}
