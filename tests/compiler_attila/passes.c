/* SPDX-License-Identifier: MIT */
/*
 * Passes of ATTILA's compiler, a line each: a body of IL, and a line that the program has after a
 * pass, or has not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/attila/attila_compile.h"
#include "il/il.h"

static const struct {
   const char *pass, *body, *line; /* a body that is no whole program is one of a VS */
   bool absent;
   unsigned flags;
   const char *covers; /* the pass that it is a case of; NULL: the one after which it looks */
} cases[] = {
   /* clang-format off */
   { "import", "mov r0, v0\nadd r10, r0, r0", "add %10.xyzw, %0.xyzw, %0.xyzw" },
   { "import", "il_ps_2_0\ndcl_output_usage(generic) o0\nicbits r0, vCoverageMask.x\nmov o0, r0\nend\n", "mov %0.xyzw, i1.yyyy" },
   { "fold", "mov r0, v0\nmov r1, r0.wzyx\nadd r10, r1, r1_neg(xyzw)", "add %10.xyzw, %11.wzyx, -%11.wzyx" },
   { "fold", "lt r0.x, v0.x, v0.y\nmov r10, v0\nif_logicalnz r0.x\nmov r10.x, v0.y\nendif", "setplt p1, %11.x, %11.y" },
   { "fold", "lt r0.x, v0.x, v0.y\ninot r0.y, r0.x\nmov r10, v0\nif_logicalnz r0.y\nmov r10.x, v0.y\nendif", "setplt !p1, %11.x, %11.y" },
   { "fold", "ilt r0.x, v0.x, v0.y\nmov r10, v0\nif_logicalz r0.x\nmov r10.x, v0.y\nendif", "setplti p1, %11.x, %11.y" },
   /* a register that is written again is no copy */
   { "fold", "mov r0, v0\nmov r1, r0\nmov r0, v0.wzyx\nadd r10, r1, r1", "add %10.xyzw, %11.xyzw, %11.xyzw" },
   { "fold", "mov r0, v0\nwhileloop\nmov r1, r0\nadd r0, r0, r0\nbreak_logicalnz r0.x\nadd r10, r1, r1\nendloop", "add %10.xyzw, %1.xyzw, %1.xyzw" },
   { "drop_dead", "mov r0, v0\nadd r1, r0, r0\nmov r10.xyzw, r1.x", "add %1.x, %11.x, %11.x" },
   { "drop_dead", "add r1, v0, v0\nmov r10, v0", "add %1", true },
   { "merge", "add r10.x, v0.x, v0.y\nadd r10._y, v0.z, v0.y\nadd r10.__z, v0.w, v0.y\nadd r10.___w, v0.x, v0.x", "add %10.xyzw, %11.xzwx, %11.yyyx" },
   /* not past what it reads */
   { "merge", "mov r10, v0\nadd r10.x, v0.x, v0.y\nadd r10._y, r10.x, v0.y\nmov r10.zw, v0", "add %10.xy, ", true },
   { "scalarize", "add r10, v0, v0.wzyx", "add %10.z, %11.z, %11.y", false, SHADER_COMPILE_SCALAR },
   { "predicate", "mov r10, v0\nif_logicalnz v0.x\nadd r10.x, v0.y, v0.z\nelse\nadd r10.x, v0.y, v0.w\nendif", "(!p1) add %10.x, %11.y, %11.w" },
   { "predicate", "mov r10, v0\nwhileloop\nlt r0.x, r10.x, v0.y\nif_logicalnz r0.x\nbreak\nendif\nadd r10, r10, r10\nendloop", "(p1) break" },
   /* passes of IL, seen in what is imported of it */
   { "import", "lt r0.x, v0.x, v0.y\nmov r10, v0\nand r10.x, r0.x, v0.y", ".x, -%0.x, %", false, 0, "infer_booleans" },
   { "import", "mov r10, v0\nishr r10.x, v0.x, v0.y", "muli ", false, 0, "expand_integers" },
   { "encode", "mov r10, v0", "lda ", false },
   { "allocate", "add r0, v0, v0\nadd r1, r0, r0\nadd r10, r1, r1", "add %0.xyzw, %0.xyzw, %0.xyzw" },
   /* clang-format on */
};

static const char *
after(const char *ir, const char *pass, size_t *length)
{
   char heading[40];
   snprintf(heading, sizeof(heading), "; after %s\n", pass);
   const char *at = strstr(ir, heading);
   if (!at)
      return NULL;
   at += strlen(heading);
   const char *end = strstr(at, "; after ");
   *length = end ? (size_t)(end - at) : strlen(at);
   return at;
}

static void
lines(void **state)
{
   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      char text[2000], part[8000], error[256];
      struct il_error il_error;
      struct shader_code code;
      size_t length = 0;

      snprintf(text, sizeof(text),
               !strncmp(cases[n].body, "il_", 3)
                  ? "%s"
                  : "il_vs_2_0\ndcl_global_flags refactoringAllowed\ndcl_input_usage(generic) v0\n"
                    "dcl_output_usage(position) o0\n%s\nmov o0, r10\nend\n",
               cases[n].body);
      struct il_program *il = il_parse(text, strlen(text), &il_error);
      if (!il)
         fail_msg("%s\nline %u: %s", text, il_error.where, il_error.text);
      if (!attila_compiler.compile(il, cases[n].flags | SHADER_COMPILE_PRINT_IR, &code, error,
                                   sizeof(error)))
         fail_msg("%s\n%s", text, error);
      if (!strcmp(cases[n].pass, "encode")) {
         FILE *words = fmemopen(part, sizeof(part), "w");
         assert_non_null(words);
         attila_compiler.disassemble(words, code.words, code.num_dwords);
         fclose(words);
      } else {
         const char *ir = after(code.ir, cases[n].pass, &length);
         assert_non_null(ir);
         snprintf(part, sizeof(part), "%.*s", (int)length, ir);
      }
      if (!strstr(part, cases[n].line) != cases[n].absent)
         fail_msg("case %u, after %s: %s %s\n%s", n, cases[n].pass, cases[n].absent ? "with" : "no",
                  cases[n].line, part);
      shader_code_finish(&code);
      il_program_free(il);
   }
}

/* Every row of the compiler's table has a case. */
static void
all_passes(void **state)
{
   static const char *const passes[] = {
#define PASS(name, when) #name,
#define STEP(name)       #name,
#include "compiler/attila/passes.def"
   };

   (void)state;
   for (unsigned n = 0; n < sizeof(passes) / sizeof(*passes); n++) {
      bool found = false;
      for (unsigned k = 0; k < sizeof(cases) / sizeof(*cases); k++)
         found |= !strcmp(cases[k].covers ? cases[k].covers : cases[k].pass, passes[n]);
      if (!found)
         fail_msg("the pass %s has no case", passes[n]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(lines), cmocka_unit_test(all_passes) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
