/* SPDX-License-Identifier: MIT */
/*
 * Pages for machine code: written first, executable after, never both.
 */
#include "uop/native_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool
uop_native_wanted(void)
{
   const char *native = getenv("ATOLL_NATIVE");
   return !native || strcmp(native, "0") != 0;
}

void *
uop_native_map(const void *code, size_t bytes)
{
   void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (p == MAP_FAILED)
      return NULL;
   memcpy(p, code, bytes);
   if (mprotect(p, bytes, PROT_READ | PROT_EXEC) != 0) {
      munmap(p, bytes);
      return NULL;
   }
   return p;
}

void
uop_native_unmap(void *code, size_t bytes)
{
   if (code)
      munmap(code, bytes);
}
