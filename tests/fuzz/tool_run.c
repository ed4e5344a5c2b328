/* SPDX-License-Identifier: MIT */
/*
 * atoll-run as a program: the head of a file that says how to run it, and the program, compiled and
 * directly.  A head may ask for other files, or for more memory than a fuzzer should take; that is
 * its right, and such files are left out.
 */
#include "tool.h"

#include <ctype.h>

/* Does the text ask for a file, or has it a number of more than four digits, or a size of more than
 * two? */
static bool
asks_for_much(const uint8_t *text, size_t size)
{
   unsigned digits = 0;

   for (size_t i = 0; i < size; i++) {
      bool size_ends = text[i] == 'x' && digits > 2;
      digits = isxdigit(text[i]) ? digits + 1 : 0;
      if (text[i] == '@' || digits > 4 || size_ends)
         return true;
   }
   return false;
}

#define TEXTURES                                                                                  \
   "--texture=0=2d,8_8_8_8_unorm,4x4,levels=2,data=iota:20",                                      \
      "--texture=1=buffer,16_16_sint,8,data=iota:8", "--sampler=0=linear,mip=linear,wrap=mirror", \
      "--image=1=2darray,32_uint,4x4x2,data=iota:32", "--buffer=0=zero:64"

FUZZ_ENTRY(tool_run)
{
   static const struct fuzz_tool tool = {
      .main = atoll_run_main,
      .lines = { { "--budget=1" },
                 { "--budget=1", "--direct" },
                 { "--budget=1", "--buffer=0=iota:256", "--buffer=1=zero:64", "--dump=0" },
                 { "--budget=1", "--direct", "--buffer=0=iota:256", "--buffer=1=zero:64",
                   "--dump=0" },
                 { "--budget=1", "--isa=cayman", "--buffer=0=iota:256", "--const=0=iota:64" },
                 { "--budget=1", "--isa=attila", "--buffer=0=iota:256", "--buffer=1=zero:64" },
                 { "--budget=1", "--isa=valhall", "--buffer=0=iota:256", "--buffer=1=zero:64" },
                 { "--budget=1", TEXTURES, "--dump=1" },
                 { "--budget=1", "--direct", TEXTURES, "--dump=1" } },
      .num_lines = 9,
   };
   static const char mark[] = "; atoll-run:";
   size_t head = 1;

   if (!size || size > 16384)
      return 0;
   while (size - head > sizeof(mark) && !memcmp(data + head, mark, sizeof(mark) - 1)) {
      const uint8_t *end = memchr(data + head, '\n', size - head);
      head = end ? (size_t)(end - data) + 1 : size;
   }
   if (asks_for_much(data, head))
      return 0;
   return fuzz_tool_check(&tool, data, size);
}
