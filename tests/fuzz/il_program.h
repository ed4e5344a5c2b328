/* SPDX-License-Identifier: MIT */
/* What must hold of any IL program that a reader accepts. */
#ifndef TESTS_FUZZ_IL_PROGRAM_H
#define TESTS_FUZZ_IL_PROGRAM_H

#include "compiler/cayman/cayman_compile.h"
#include "direct/direct.h"
#include "il/lower/lower.h"
#include "isa/cayman/cayman.h"
#include "kernel.h"

#include "fuzz.h"

/* Lifted as it is, and legalised, or refused, whatever it is; validated, and if valid compiled to
 * code that the validator of Cayman takes. */
static inline void
check_program(const struct il_program *p)
{
   struct il_error err;
   struct shader_code shader;
   char message[256];
   struct direct_program direct;

   if (p->ninsts <= 300) {
      message[0] = 0;
      if (direct_lift(kernels_choose(), p, 0, &direct, message, sizeof(message)))
         direct_free(kernels_choose(), &direct);
      else
         FUZZ_CHECK(message[0]);
   }
   /* For a target without anything, valid or not: a program of the core, or a message. */
   struct il_program *lowered;
   err.text[0] = 0;
   if (p->ninsts <= 300 && il_lower(p, &(struct il_target_caps){ 0 }, &lowered, &err)) {
      il_is_core(lowered ? lowered : p, &(struct il_target_caps){ 0 }, &err);
      il_program_free(lowered);
   } else if (p->ninsts <= 300) {
      FUZZ_CHECK(err.text[0]);
   }
   il_validate(p, IL_STD_2_4, &err);
   if (!il_validate(p, IL_STD_EXTENDED, &err) || p->ninsts > 300)
      return;
   if (cayman_compile(p, 0, &shader, message, sizeof(message))) {
      struct cayman_limits limits = { .num_gprs = shader.num_gprs,
                                      .num_clause_temps = 4,
                                      .pixel_shader = p->shader == IL_SHADER_PIXEL };
      if (!cayman_validate(shader.words, shader.num_dwords, &limits, message, sizeof(message))) {
         fprintf(stderr, "%s\n", message);
         FUZZ_CHECK(!"the compiler's code is legal");
      }
      shader_code_finish(&shader);
   } else {
      FUZZ_CHECK(message[0]);
   }
}

#endif /* TESTS_FUZZ_IL_PROGRAM_H */
