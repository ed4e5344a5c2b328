/* SPDX-License-Identifier: MIT */
/* The DMA engine: copies between buffers and between linear and tiled surfaces. */
#ifndef ATOLL_DMA_H
#define ATOLL_DMA_H

#include <stdint.h>

#include "cp/cp.h"

/* Runs an IB of the DMA ring (env->gfx is not used).  A malformed packet is reported; where the
 * next one cannot be found the rest of the IB is dropped. */
void dma_execute(const struct cp_env *env, const uint32_t *words, uint32_t num_words);

#endif
