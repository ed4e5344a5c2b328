/* SPDX-License-Identifier: MIT */
/*
 * Lines of statistics: Valhall's against counts made by hand, in the form that Mesa's scripts
 * read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/valhall/valhall_compile.h"
#include "isa/valhall/valhall.h"

static void
describe(const char *text, unsigned num_gprs, char line[SHADER_DESCRIPTION_MAX])
{
   struct isa_error error;
   size_t count;
   uint64_t *words = valhall_assemble(text, strlen(text), &count, &error);
   assert_non_null(words);
   uint32_t *dwords = malloc(count * sizeof(*words));
   assert_non_null(dwords);
   for (size_t i = 0; i < count; i++) {
      dwords[2 * i] = (uint32_t)words[i];
      dwords[2 * i + 1] = (uint32_t)(words[i] >> 32);
   }
   const struct shader_code code = {
      .words = dwords,
      .num_dwords = (unsigned)(2 * count),
      .num_gprs = num_gprs,
      .num_loops = 1,
      .num_spilled = 2,
   };
   valhall_compiler.describe(&code, line);
   free(dwords);
   free(words);
}

static void
valhall(void **state)
{
   char line[SHADER_DESCRIPTION_MAX];

   /* A square root's 1/16 cycle, a varying's 8 halves of 16, a buffer's load of one. */
   describe("FRSQ.f32 r1, u6\n"
            "FADD.f32 r2, r1, u6\n"
            "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store @r4:r5:r6:r7, r61, index:0xA0\n"
            "LD_BUFFER.i32.unsigned.slot0 @r1, ^r1, r0\n",
            32, line);
   assert_string_equal(line,
                       "4 inst, 1.000000 cycles, 0.015625 fma, 0.000000 cvt, 0.062500 sfu, "
                       "0.500000 v, 0.000000 t, 1.000000 ls, 2 quadwords, 2 threads, 1 loops, "
                       "2:2 spills:fills");
   /* Halves of varyings: three of 16 a cycle; nothing else runs. */
   describe("LD_VAR_BUF.f16.slot0.v3.src_f32.center.store @r2:r3, r61, ^r1\n"
            "NOP.end\n",
            64, line);
   assert_string_equal(line,
                       "2 inst, 0.187500 cycles, 0.000000 fma, 0.000000 cvt, 0.000000 sfu, "
                       "0.187500 v, 0.000000 t, 0.000000 ls, 1 quadwords, 1 threads, 1 loops, "
                       "2:2 spills:fills");
}

/* The longest line fits. */
static void
long_lines(void **state)
{
   char line[SHADER_DESCRIPTION_MAX];
   const struct shader_code code = { .num_gprs = 64, .num_loops = ~0u, .num_spilled = ~0u };

   valhall_compiler.describe(&code, line);
   assert_non_null(strstr(line, "4294967295:4294967295 spills:fills"));
   assert_true(strlen(line) + 7 * 12 + 2 * 10 < SHADER_DESCRIPTION_MAX);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(valhall), cmocka_unit_test(long_lines) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
