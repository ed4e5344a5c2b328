/* SPDX-License-Identifier: MIT */
/*
 * The table of instruction sets, and Cayman's part of it.
 */
#include "backend.h"

#include <atoll/cayman/registers.h>
#include <atoll/device.h>

#include "pipe/p_defines.h"
#include "pipe/p_screen.h"

#include "compiler/attila/attila_compile.h"
#include "compiler/cayman/cayman_compile.h"
#include "compiler/nir/nir_to_il.h"
#include "compiler/valhall/valhall_compile.h"
#include "il/conventions.h"

#define ALL_STAGES                                                                         \
   (1u << PIPE_SHADER_VERTEX | 1u << PIPE_SHADER_TESS_CTRL | 1u << PIPE_SHADER_TESS_EVAL | \
    1u << PIPE_SHADER_GEOMETRY | 1u << PIPE_SHADER_FRAGMENT | 1u << PIPE_SHADER_COMPUTE)

static const struct atoll_limits cayman_limits = {
   .stages = ALL_STAGES,
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

static const struct atoll_limits valhall_limits = {
   .stages = ALL_STAGES,
   .uniform_bytes = 65536 - 4096,
   .const_buffers = IL_MAX_CONST_BUFFERS,
   .temps = 4096,
   .sure = 1000,
   .wave = VALHALL_WAVE,
   .indirect_temps = true,
   .fuses = true,
   .integer_textures = true,
   .sample_mask = true,
};

static const struct atoll_backend backends[] = {
   [ATOLL_ISA_CAYMAN] = {
      .compiler = &cayman_compiler,
      .renderer = "AMD CAYMAN (atoll, ",
      .cache = "atoll-cayman",
      .limits = &cayman_limits,
      .resources_2 = 0, /* round to nearest even, denormals flushed */
      .fetch_writes_gprs = true,
      .build_fetch = cayman_build_fetch_shader,
   },
   [ATOLL_ISA_VALHALL] = {
      .compiler = &valhall_compiler,
      .renderer = "ATOLL VALHALL (",
      .cache = "atoll-valhall",
      .limits = &valhall_limits,
      /* As Cayman's; denormals of halves, which are the second kind, are kept. */
      .resources_2 = REG_FIELD(SQ_PGM_RESOURCES_2_VS, ALLOW_DOUBLE_DENORM_IN, 1) |
                     REG_FIELD(SQ_PGM_RESOURCES_2_VS, ALLOW_DOUBLE_DENORM_OUT, 1),
      .attributes_add_base = true,
      .build_fetch = atoll_build_attributes,
   },
   [ATOLL_ISA_ATTILA] = {
      .compiler = &attila_compiler,
      .renderer = "ATOLL ATTILA (",
      .cache = "atoll-attila",
      .limits = &atoll_attila_limits,
      .limit_caps = atoll_limit_attila,
      .attributes_add_base = true,
      .build_fetch = atoll_build_attributes,
   },
};

const struct atoll_backend *
atoll_backend(uint32_t isa)
{
   const bool there = isa < sizeof(backends) / sizeof(backends[0]) && backends[isa].compiler;
   return there ? &backends[isa] : NULL;
}
