/* SPDX-License-Identifier: MIT */
/*
 * The device's answer to coverage (src/tools/execution.h): a program is taken when it can be
 * lifted.
 */
#include "tools/execution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "direct/direct.h"
#include "execution_isa.h"
#include "kernel.h"

static execution_lift_fn *const lifters[ISA_COUNT] = {
#define ISA(NAME, name) [ISA_ID_##name] = execution_lift_##name,
#define STOCK_ISA       ISA
#include <atoll/isas.def>
};

bool
execution_takes(const struct isa *isa, enum isa_stage stage, const struct isa_binary *binary,
                char *error, size_t size)
{
   const char *refused = lifters[isa->id](stage, binary, error, size);

   if (refused && refused != error)
      snprintf(error, size, "%s", refused);
   return !refused;
}

bool
execution_takes_il(const struct il_program *program, char *error, size_t size)
{
   const struct kernels *kernels = kernels_choose();
   struct direct_program direct;

   if (!direct_lift(kernels, program, 0, &direct, error, size))
      return false;
   direct_free(kernels, &direct);
   return true;
}

const char *
execution_il_refusal(unsigned opcode)
{
   return direct_refusal(opcode);
}
