/* SPDX-License-Identifier: MIT */
/* atoll-ilc as a program: any valid IL through to machine code, in each of its forms. */
#include "tool.h"

FUZZ_ENTRY(tool_ilc)
{
   static const struct fuzz_tool tool = {
      .main = atoll_ilc_main,
      .lines = { { "--stats", "--places", "--dump-ir" },
                 { "--format=elf" },
                 { "--format=raw", "--no-opt" },
                 { "--std=2.4" },
                 { "--numbering=document" } },
      .num_lines = 5,
   };
   if (size > 16384)
      return 0;
   return fuzz_tool_check(&tool, data, size);
}
