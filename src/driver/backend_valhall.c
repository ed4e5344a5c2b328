/* SPDX-License-Identifier: MIT */
/*
 * Valhall's part of the table of instruction sets.
 */
#include "backend.h"

#include <atoll/cayman/registers.h>

#include "pipe/p_defines.h"

#include "compiler/valhall/valhall_compile.h"
#include "il/conventions.h"

static const struct atoll_limits limits = {
   .stages = ATOLL_ALL_STAGES,
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

const struct atoll_backend atoll_backend_valhall = {
   .compiler = &valhall_compiler,
   .renderer = "ATOLL VALHALL (",
   .cache = "atoll-valhall",
   .limits = &limits,
   /* As Cayman's; denormals of halves, which are the second kind, are kept. */
   .resources_2 = REG_FIELD(SQ_PGM_RESOURCES_2_VS, ALLOW_DOUBLE_DENORM_IN, 1) |
                  REG_FIELD(SQ_PGM_RESOURCES_2_VS, ALLOW_DOUBLE_DENORM_OUT, 1),
   .attributes_add_base = true,
   .build_fetch = atoll_build_attributes,
};
