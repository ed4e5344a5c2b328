/* SPDX-License-Identifier: MIT */
/* atoll-as as a program. */
#include "tool.h"

FUZZ_ENTRY(tool_as)
{
   static const struct fuzz_tool tool = {
      .main = atoll_as_main,
      .lines = { { "--format=elf" },
                 { "--no-validate" },
                 { "--reprint" },
                 { "--stage=ps", "--gprs=8" },
                 { "--isa=attila", "--format=elf" },
                 { "--isa=attila", "--reprint" },
                 { "--isa=valhall" },
                 { "--isa=valhall", "--reprint" } },
      .num_lines = 8,
   };
   return fuzz_tool_check(&tool, data, size);
}
