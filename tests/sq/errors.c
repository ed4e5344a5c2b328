/* SPDX-License-Identifier: MIT */
/*
 * Prints the worst error of each transcendental over all 2^32 operands, with a hash of all results.
 * Usage: sq-errors [name...]
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arith_kernel.h"

static double
truth(const char *name, double x)
{
   if (!strcmp(name, "rcp"))
      return 1 / x;
   if (!strcmp(name, "rsq"))
      return 1 / sqrt(x);
   if (!strcmp(name, "sqrt"))
      return sqrt(x);
   if (!strcmp(name, "exp2"))
      return exp2(x);
   if (!strcmp(name, "log2"))
      return log2(x);
   double turn = 6.283185307179586476925 * (x - rint(x));
   return !strcmp(name, "sin") ? sin(turn) : cos(turn);
}

int
main(int argc, char **argv)
{
   static const char *const all[] = { "rcp", "rsq", "sqrt", "exp2", "log2", "sin", "cos" };
   const struct arith_case *cases =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? arith_cases_avx512
      : __builtin_cpu_supports("avx2")                                        ? arith_cases_avx2
                                                                              : arith_cases_sse2;
   for (unsigned n = 0; n < sizeof(all) / sizeof(*all); n++) {
      bool wanted = argc < 2;
      for (int k = 1; k < argc; k++)
         wanted |= !strcmp(argv[k], all[n]);
      const struct arith_case *c = cases;
      while (strcmp(c->name, all[n]))
         c++;
      if (!wanted)
         continue;

      bool turns = n >= 5;
      double worst_ulp = 0, worst_abs = 0;
      uint32_t at_ulp = 0, at_abs = 0;
      uint64_t hash = 0xcbf29ce484222325ull;
      wave_lane in, out;
      for (uint64_t base = 0; base < 1ull << 32; base += 64) {
         for (unsigned lane = 0; lane < 64; lane++)
            in[lane] = (uint32_t)(base + lane);
         c->run(in, out, 0x9fc0);
         for (unsigned lane = 0; lane < 64; lane++) {
            float x, got;
            hash = (hash ^ out[lane]) * 0x100000001b3ull;
            memcpy(&x, &in[lane], 4);
            memcpy(&got, &out[lane], 4);
            /* Finite operands and results of normal size. */
            if (!isnormal(x) || (turns && fabsf(x) > 256))
               continue;
            double want = truth(all[n], x);
            if (!(fabs(want) >= 0x1p-126 && fabs(want) < 0x1p128) || !isfinite(got))
               continue;
            int e;
            frexp(want, &e);
            double error = fabs((double)got - want), ulps = ldexp(error, 24 - e);
            if (error > worst_abs)
               worst_abs = error, at_abs = in[lane];
            if (ulps > worst_ulp)
               worst_ulp = ulps, at_ulp = in[lane];
         }
      }
      if (turns)
         printf("%-5s %.3g absolute at %08x", all[n], worst_abs, at_abs);
      else
         printf("%-5s %.4f ulp at %08x", all[n], worst_ulp, at_ulp);
      printf(", hash %016llx\n", (unsigned long long)hash);
      fflush(stdout);
   }
   return 0;
}
