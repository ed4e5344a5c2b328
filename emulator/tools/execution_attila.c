/* SPDX-License-Identifier: MIT */
/*
 * Whether the device takes an ATTILA program; see execution_isa.h.
 */
#include "execution_isa.h"

#include <stdio.h>

#include "attila/attila.h"

const char *
execution_lift_attila(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   struct at_source source = { .words = b->words,
                               .num_dwords = b->num_dwords,
                               .pixel = stage == ISA_STAGE_PIXEL,
                               .pipeline = true };
   struct at_program *program = at_kernels_sse2.lift(&source);

   if (!program)
      return "no memory";
   snprintf(error, size, "%s", program->core.error ? program->core.error : "");
   at_kernels_sse2.free(program);
   return error[0] ? error : NULL;
}
