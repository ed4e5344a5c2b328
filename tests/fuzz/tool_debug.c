/* SPDX-License-Identifier: MIT */
/*
 * Captures, by atoll-debug as a program: lists, and the history of a pixel.  What must hold: it
 * ends with 0, or with 1 and an error.
 */
#include "tool.h"

#ifndef FUZZ_REPLAY
#include "captures.h"
#endif

FUZZ_ENTRY(tool_debug)
{
   static const char *const lines[2][FUZZ_WORDS] = { { "--list", "--memory=64" },
                                                     { "--why=3,3", "--target=0", "--memory=64" } };
   struct fuzz_output o;

   if (size > 1 << 20)
      return 0;
   fuzz_tool_device();
   const int code = fuzz_capture_call(atoll_debug_main, lines[size % 16 != 0], data, size, &o);
   if ((code != 0 && code != 1) || (code == 1) != (strstr(o.err, "error: ") != NULL)) {
      fprintf(stderr, "exit code %d:\n%s%s", code, o.err, o.out);
      FUZZ_CHECK(!"an exit code, and what is printed with it");
   }
   free(o.out);
   free(o.err);
   return 0;
}
