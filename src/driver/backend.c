/* SPDX-License-Identifier: MIT */
/*
 * The table of instruction sets, and Cayman's part of it.
 */
#include "backend.h"

#include <stdio.h>

#include <atoll/cayman/registers.h>
#include <atoll/device.h>

#include "pipe/p_defines.h"

#include "compiler/attila/attila_compile.h"
#include "compiler/cayman/cayman_compile.h"
#include "il/conventions.h"

static void
describe_cayman(const struct shader_code *code, char text[ATOLL_STATISTICS_MAX])
{
   snprintf(text, ATOLL_STATISTICS_MAX, "%u dw, %u gprs, %u alu_groups, %u loops, %u cf, %u stack",
            code->num_dwords, code->num_gprs, code->num_alu_groups, code->num_loops, code->num_cf,
            code->stack_size);
}

/* Cayman's and Valhall's: all that the device has. */
static const struct atoll_limits all = {
   .stages = 1u << PIPE_SHADER_VERTEX | 1u << PIPE_SHADER_TESS_CTRL | 1u << PIPE_SHADER_TESS_EVAL |
             1u << PIPE_SHADER_GEOMETRY | 1u << PIPE_SHADER_FRAGMENT | 1u << PIPE_SHADER_COMPUTE,
   .uniform_bytes = 65536 - 4096,
   .const_buffers = IL_MAX_CONST_BUFFERS,
   .temps = 256,
   .indirect_temps = true,
   .coverage = true,
};

static const struct atoll_backend backends[] = {
   [ATOLL_ISA_CAYMAN] = {
      .compiler = &cayman_compiler,
      .renderer = "AMD CAYMAN (atoll, ",
      .cache = "atoll-cayman",
      .limits = &all,
      .resources_2 = 0, /* round to nearest even, denormals flushed */
      .fetch_writes_gprs = true,
      .build_fetch = cayman_build_fetch_shader,
      .describe = describe_cayman,
   },
   [ATOLL_ISA_ATTILA] = {
      .compiler = &attila_compiler,
      .renderer = "ATOLL ATTILA (",
      .cache = "atoll-attila",
      .limits = &atoll_attila_limits,
      .limit_caps = atoll_limit_attila,
      .build_fetch = atoll_build_attributes,
      .describe = atoll_describe_attila,
   },
};

const struct atoll_backend *
atoll_backend(uint32_t isa)
{
   const bool there = isa < sizeof(backends) / sizeof(backends[0]) && backends[isa].compiler;
   return there ? &backends[isa] : NULL;
}
