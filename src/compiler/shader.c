/* SPDX-License-Identifier: MIT */
/*
 * What all back ends' programs have in common.
 */
#include "compiler/shader.h"

#include <stdlib.h>
#include <string.h>

void
shader_code_finish(struct shader_code *code)
{
   free(code->words);
   free(code->places);
   free(code->icb);
   free(code->ir);
   memset(code, 0, sizeof(*code));
}
