/* SPDX-License-Identifier: MIT */
/*
 * Cayman's part of the table of instruction sets.
 */
#include "backend.h"

#include "pipe/p_defines.h"

#include "compiler/cayman/cayman_compile.h"
#include "compiler/nir/nir_to_il.h"
#include "il/conventions.h"

static const struct atoll_limits limits = {
   .stages = ATOLL_ALL_STAGES,
   .uniform_bytes = 65536 - 4096,
   .const_buffers = IL_MAX_CONST_BUFFERS,
   .temps = 4096,
   .sure = 1000,
   .wave = 64,
   .counters = ATOLL_NIR_COUNTER_BYTES / 4,
   .indirect_temps = true,
   .doubles = true,
   .draw_values = true,
   .integer_textures = true,
   .sample_mask = true,
};

const struct atoll_backend atoll_backend_cayman = {
   .compiler = &cayman_compiler,
   .renderer = "AMD CAYMAN (atoll, ",
   .cache = "atoll-cayman",
   .limits = &limits,
   .resources_2 = 0, /* round to nearest even, denormals flushed */
   .fetch_writes_gprs = true,
   .build_fetch = cayman_build_fetch_shader,
};
