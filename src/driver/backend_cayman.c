/* SPDX-License-Identifier: MIT */
/*
 * Cayman's part of the table of instruction sets, and that of the five-slot chips.
 */
#include "backend.h"

#include "pipe/p_defines.h"

#include "compiler/cayman/cayman_compile.h"
#include "compiler/nir/nir_to_il.h"
#include "il/conventions.h"

/* All that both have. */
#define LIMITS                                                                           \
   .stages = ATOLL_ALL_STAGES, .uniform_bytes = 65536 - 4096,                            \
   .const_buffers = IL_MAX_CONST_BUFFERS, .temps = 4096, .sure = 1000, .wave = 64,       \
   .counters = ATOLL_NIR_COUNTER_BYTES / 4, .indirect_temps = true, .draw_values = true, \
   .integer_textures = true, .sample_mask = true

static const struct atoll_limits cayman_limits = {
   LIMITS,
   .doubles = true,
};

static const struct atoll_limits evergreen_limits = {
   LIMITS,
   .fuses = true,
   .dots = true,
};

#define BACKEND(name, limits_, five)                                   \
   const struct atoll_backend atoll_backend_##name = {                 \
      .compiler = &name##_compiler,                                    \
      .cache = "atoll-" #name,                                         \
      .limits = &limits_,                                              \
      .resources_2 = 0, /* round to nearest even, denormals flushed */ \
      .five_slots = five,                                              \
      .fetch_writes_gprs = true,                                       \
      .build_fetch = name##_build_fetch_shader,                        \
   };

BACKEND(cayman, cayman_limits, false)
BACKEND(evergreen, evergreen_limits, true)
