/* SPDX-License-Identifier: MIT */
/* The ATTILA executor of a kernel build. */
#include "attila/attila.h"

const struct at_kernels *
at_kernels_of(const struct kernels *kernels)
{
   return kernels == &kernels_avx512 ? &at_kernels_avx512
          : kernels == &kernels_avx2 ? &at_kernels_avx2
                                     : &at_kernels_sse2;
}
