/* SPDX-License-Identifier: MIT */
/*
 * Whether the device takes a Valhall program; see execution_isa.h.
 */
#include "execution_isa.h"

#include <stdio.h>
#include <stdlib.h>

#include "isa/valhall/valhall.h"
#include "valhall/valhall.h"

const char *
execution_lift_valhall(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   size_t count;
   uint64_t *words = valhall_words(b->words, b->num_dwords, &count);
   /* The device runs all that a tool does. */
   struct vh_source source = {
      .words = words,
      .count = count,
      .device = true,
      .stage = stage == ISA_STAGE_COMPUTE ? CORE_COMPUTE : CORE_PIXEL,
   };

   struct core_program *program = words ? vh_kernels_sse2.lift(&source) : NULL;
   const char *reason = program ? program->error : "no memory";
   snprintf(error, size, "%s", reason ? reason : "");
   if (program)
      vh_kernels_sse2.free(program);
   free(words);
   return error[0] ? error : NULL;
}
