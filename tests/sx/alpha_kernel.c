/* SPDX-License-Identifier: MIT */
/* One build's alpha test and alpha to mask; see alpha.c. */
#include "kernel.h"
#include "sx/test.h"

uint64_t K(test_alpha)(const struct sx_state *s, const uint32_t *alpha);
uint64_t K(test_mask)(const struct sx_state *s, const uint32_t *alpha, unsigned sample,
                      unsigned samples);

uint64_t
K(test_alpha)(const struct sx_state *s, const uint32_t *alpha)
{
   return sx_alpha_test(s, alpha);
}

uint64_t
K(test_mask)(const struct sx_state *s, const uint32_t *alpha, unsigned sample, unsigned samples)
{
   return sx_alpha_mask(s, alpha, sample, samples);
}
