/* SPDX-License-Identifier: MIT */
/*
 * Chooses the kernel build for this CPU.
 */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

const struct kernels *
kernels_choose(void)
{
   const char *want = getenv("ATOLL_SIMD");
   const struct kernels *builds[3] = { &kernels_sse2 };
   unsigned n = 1;

   __builtin_cpu_init();
   if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
       __builtin_cpu_supports("bmi2")) {
      builds[n++] = &kernels_avx2;
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
         builds[n++] = &kernels_avx512;
   }
   for (unsigned i = 0; want && i < n; i++)
      if (!strcmp(want, builds[i]->name))
         return builds[i];
   return builds[n - 1];
}
