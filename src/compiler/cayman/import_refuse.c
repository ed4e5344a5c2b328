/* SPDX-License-Identifier: MIT */
/* Why Cayman, or this compiler, has no code for an instruction of IL. */
#include "import.h"

static const struct {
   uint16_t op;
   const char *reason;
} reasons[] = {
   { IL_OP_INIT_SR, "shared registers, which Cayman has in its dynamic mode of registers alone" },
   { IL_OP_NOISE, "the document gives no algorithm" },
   { IL_OP_TEXWEIGHT, "stages of DX8: Cayman cannot return filter weights" },
   { IL_OP_SCATTER, "R520 only" },
   { IL_OP_D_TRIG_PREOP, "a table of Southern Islands'; Appendix B only names it" },
};

const char *
im_refusal(unsigned op)
{
   for (unsigned i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
      if (reasons[i].op == op)
         return reasons[i].reason;
   return NULL;
}
