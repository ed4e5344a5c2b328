/* SPDX-License-Identifier: MIT */
/*
 * The device's answer to coverage (src/tools/execution.h): a program is taken when it can be
 * lifted.
 */
#include "tools/execution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attila/attila.h"
#include "direct/direct.h"
#include "isa/cayman/cayman.h"
#include "isa/valhall/valhall.h"
#include "kernel.h"
#include "sq/sq.h"
#include "valhall/valhall.h"

static enum sq_stage
device_stage(enum isa_stage stage)
{
   switch (stage) {
   case ISA_STAGE_PIXEL:
      return SQ_STAGE_PS;
   case ISA_STAGE_GEOMETRY:
      return SQ_STAGE_GS;
   case ISA_STAGE_HULL:
      return SQ_STAGE_HS;
   case ISA_STAGE_COMPUTE:
      return SQ_STAGE_CS;
   default:
      return SQ_STAGE_VS;
   }
}

/* Why the device does not take a program, or NULL; in *error there is room for a reason. */
static const char *
lift_cayman(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   const uint32_t fetch[2] = { 0, (uint32_t)CAYMAN_CF_RETURN << 22 };
   struct sq_program_source source = { .stage = device_stage(stage),
                                       .words = b->words,
                                       .num_words = b->num_dwords,
                                       .fetch_words = fetch,
                                       .num_fetch_words = 2,
                                       .pgm_resources = 16 | 8 << 8 };
   struct sq_program *program = kernels_sse2.sq_lift(&source);

   if (!program)
      return "no memory";
   snprintf(error, size, "%s", program->core.error ? program->core.error : "");
   kernels_sse2.sq_program_free(program);
   return error[0] ? error : NULL;
}

static const char *
lift_attila(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
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

static const char *
lift_valhall(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
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

static const char *(*const lifters[ISA_COUNT])(enum isa_stage stage, const struct isa_binary *b,
                                               char *error, size_t size) = {
   [ISA_ID_cayman] = lift_cayman,
   [ISA_ID_attila] = lift_attila,
   [ISA_ID_valhall] = lift_valhall,
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
