/* SPDX-License-Identifier: MIT */
/*
 * Whether the device's engine takes a program of Cayman or of a five-slot chip; see
 * execution_isa.h.
 */
#include "execution_isa.h"

#include <stdio.h>

#include "isa/cayman/cayman.h"
#include "kernel.h"
#include "sq/sq.h"

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

static const char *
lift(enum cayman_vliw vliw, enum isa_stage stage, const struct isa_binary *b, char *error,
     size_t size)
{
   struct cayman_cf end = { .op = CAYMAN_CF_RETURN, .form = CAYMAN_CF_FORM_BRANCH };
   uint32_t fetch[2];
   struct sq_program_source source = { .vliw = vliw,
                                       .stage = device_stage(stage),
                                       .words = b->words,
                                       .num_words = b->num_dwords,
                                       .fetch_words = fetch,
                                       .num_fetch_words = 2,
                                       .pgm_resources = 16 | 8 << 8 };

   cayman_encode_cf_of(vliw, &end, fetch);

   struct sq_program *program = kernels_sse2.sq_lift(&source);

   if (!program)
      return "no memory";
   snprintf(error, size, "%s", program->core.error ? program->core.error : "");
   kernels_sse2.sq_program_free(program);
   return error[0] ? error : NULL;
}

const char *
execution_lift_cayman(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   return lift(CAYMAN_VLIW4, stage, b, error, size);
}

const char *
execution_lift_evergreen(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   return lift(CAYMAN_VLIW5, stage, b, error, size);
}

const char *
execution_lift_r700(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   return lift(CAYMAN_R700, stage, b, error, size);
}

const char *
execution_lift_r600(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   return lift(CAYMAN_R600, stage, b, error, size);
}
