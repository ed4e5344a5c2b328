/* SPDX-License-Identifier: MIT */
/*
 * Captures, by atoll-replay as a program.  What must hold: it ends with 0, with 4 where memory is
 * not as captured, or with 1 and an error.
 */
#include "tool.h"

#ifndef FUZZ_REPLAY
#include "captures.h"
#endif

FUZZ_ENTRY(tool_replay)
{
   static const char *const line[FUZZ_WORDS] = { "--memory=64" };
   struct fuzz_output o;

   if (size > 1 << 20)
      return 0;
   fuzz_tool_device();
   const int code = fuzz_capture_call(atoll_replay_main, line, data, size, &o);
   if ((code != 0 && code != 1 && code != 4) || (code == 1) != (strstr(o.err, "error: ") != NULL)) {
      fprintf(stderr, "exit code %d:\n%s%s", code, o.err, o.out);
      FUZZ_CHECK(!"an exit code, and what is printed with it");
   }
   free(o.out);
   free(o.err);
   return 0;
}
