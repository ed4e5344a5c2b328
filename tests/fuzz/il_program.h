/* SPDX-License-Identifier: MIT */
/* What must hold of any IL program that a reader accepts. */
#ifndef TESTS_FUZZ_IL_PROGRAM_H
#define TESTS_FUZZ_IL_PROGRAM_H

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"
#include "isa/cayman/cayman.h"

#include "fuzz.h"

/* Validated, and if valid compiled to code that the validator of Cayman takes. */
static inline void
check_program(const struct il_program *p)
{
   struct il_error err;
   struct cayman_shader shader;
   char message[256];

   il_validate(p, IL_STD_2_4, &err);
   if (!il_validate(p, IL_STD_EXTENDED, &err) || p->ninsts > 300) {
      return;
   }
   if (cayman_compile(p, 0, &shader, message, sizeof(message))) {
      struct cayman_limits limits = { .num_gprs = shader.num_gprs,
                                      .num_clause_temps = 4,
                                      .pixel_shader = p->shader == IL_SHADER_PIXEL };
      if (!cayman_validate(shader.words, shader.num_dwords, &limits, message, sizeof(message))) {
         fprintf(stderr, "%s\n", message);
         FUZZ_CHECK(!"the compiler's code is legal");
      }
      cayman_shader_finish(&shader);
   } else {
      FUZZ_CHECK(message[0]);
   }
}

#endif /* TESTS_FUZZ_IL_PROGRAM_H */
