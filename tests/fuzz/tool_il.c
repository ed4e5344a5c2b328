/* SPDX-License-Identifier: MIT */
/* atoll-il as a program. */
#include "tool.h"

FUZZ_ENTRY(tool_il)
{
   static const struct fuzz_tool tool = {
      .main = atoll_il_main,
      .lines = { { NULL },
                 { "--to=binary" },
                 { "--check", "--std=2.4" },
                 { "--no-validate" },
                 { "--no-validate", "--to=binary", "--numbering=document" },
                 { "--numbering=document" } },
      .num_lines = 6,
   };
   return fuzz_tool_check(&tool, data, size);
}
