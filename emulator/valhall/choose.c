/* SPDX-License-Identifier: MIT */
/*
 * The Valhall executor of a kernel build.
 */
#include "valhall/valhall.h"

const struct vh_kernels *
vh_kernels_of(const struct kernels *kernels)
{
   return kernels == &kernels_avx512 ? &vh_kernels_avx512
          : kernels == &kernels_avx2 ? &vh_kernels_avx2
                                     : &vh_kernels_sse2;
}
