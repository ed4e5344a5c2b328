/* SPDX-License-Identifier: MIT */
/*
 * Direct execution as its users see it: lifting for a kernel build, and the list of what is not
 * executed.
 */
#include "direct/lift.h"
#include "uop/native_map.h"

#include <stdio.h>
#include <string.h>

bool
direct_lift(const struct kernels *kernels, const struct il_program *il, uint32_t pgm_resources_2,
            struct direct_program *out, char *error, size_t error_size)
{
   if (!direct_lift_program(il, pgm_resources_2, out, error, error_size))
      return false;
   if (!kernels->sq_bind(out->program, uop_native_wanted())) {
      direct_free(kernels, out);
      snprintf(error, error_size, "out of memory");
      return false;
   }
   return true;
}

void
direct_free(const struct kernels *kernels, struct direct_program *program)
{
   if (program->program)
      kernels->sq_program_free(program->program);
   memset(program, 0, sizeof(*program));
}

/* Opcodes, or all of a range of them up to `last`. */
static const struct {
   uint16_t first, last;
   const char *why;
} refused[] = {
#define ONE(op, why)              \
   {                              \
      IL_OP_##op, IL_OP_##op, why \
   }
#define RANGE(a, b, why)        \
   {                            \
      IL_OP_##a, IL_OP_##b, why \
   }
   ONE(NOISE, "the document gives no algorithm"),
   ONE(TEXWEIGHT,
       "the weights are those of the filter, whose precision the document does not give"),
   ONE(SCATTER, "R520 only: how coordinates make an address is not in the document"),
   ONE(PRECOMP, "Appendix B names it, nothing says what its dwords mean"),
   ONE(D_TRIG_PREOP, "Appendix B names it, nothing says what it does"),
#undef ONE
#undef RANGE
};

const char *
direct_refusal(unsigned opcode)
{
   for (unsigned i = 0; i < sizeof(refused) / sizeof(*refused); i++)
      if (opcode >= refused[i].first && opcode <= refused[i].last)
         return refused[i].why;
   return NULL;
}
