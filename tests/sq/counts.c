/* SPDX-License-Identifier: MIT */
/*
 * What ATOLL_COUNTS counts, in every build, interpreted and in machine code: a clause each time a
 * wave with lanes runs it, its groups and slots without literals, and the line of the file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/cache.h"
#include "run_wave.h"
#include "sq/counts.h"

static struct asm_program a;
static struct run_wave r;

static struct cayman_alu
add(unsigned chan, struct cayman_alu_src to)
{
   return asm_op2(CAYMAN_ALU_ADD_INT, 1, chan, asm_gpr(1, chan), to);
}

/* A clause of two groups and three slots five times, and one without lanes. */
static void
assemble(void)
{
   const struct cayman_cf start = { .op = CAYMAN_CF_LOOP_START, .cf_const = 3, .barrier = true };
   const struct cayman_alu both[2] = { add(0, asm_sel(CAYMAN_SRC_LITERAL, 0)),
                                       add(1, asm_sel(CAYMAN_SRC_1_INT, 0)) };
   const uint32_t literal[2] = { 7, 0 };

   asm_init(&a);
   unsigned s = asm_cf(&a, &start);
   asm_slots(&a, both, 2, literal, 2);
   asm_one(&a, add(2, asm_sel(CAYMAN_SRC_1_INT, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   unsigned e = asm_branch(&a, CAYMAN_CF_LOOP_END, s + 1, 0);
   a.cf[s].addr = e + 1;
   unsigned none = asm_branch(&a, CAYMAN_CF_PUSH, 0, 0);
   a.cf[none].addr = none + 1;
   a.cf[none].cond = CAYMAN_COND_FALSE;
   asm_one(&a, add(3, asm_sel(CAYMAN_SRC_1_INT, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_branch(&a, CAYMAN_CF_POP, none + 3, 1);
   asm_export(&a, CAYMAN_EXPORT_PARAM, 0, 1);
   assert_true(asm_finish(&a));
}

static void
test_counts(void **state)
{
   const struct kernels *builds[3];
   const unsigned num_builds = run_wave_builds(builds);

   assemble();
   for (unsigned n = 0; n < 2 * num_builds; n++) {
      char path[] = "/tmp/atoll-counts-XXXXXX", line[4096];
      int fd = mkstemp(path);
      assert_true(fd >= 0);
      close(fd);
      setenv("ATOLL_COUNTS", path, 1);

      run_wave_init(&r, SQ_STAGE_VS);
      r.kernels = builds[n / 2];
      r.source.interpret = n & 1;
      r.source.words = a.words;
      r.source.num_words = a.num_words;
      r.bind.loop_consts[3] = 5;
      struct core_cache *cache = sq_cache_create(CAYMAN_VLIW4, r.kernels);
      assert_non_null(cache);
      r.program = sq_cache_get(cache, 0x1000, 0, &r.source);
      assert_non_null(r.program);
      assert_null(r.program->core.error);
      assert_true(run_wave_again(&r));
      assert_int_equal(r.gpr[1][0][63], 35);
      assert_int_equal(r.gpr[1][3][63], 0);
      /* A wave of one lane counts as much; the same words elsewhere are the same program. */
      r.wave.active = r.wave.valid = 2;
      r.program = sq_cache_get(cache, 0x2000, 0, &r.source);
      assert_true(run_wave_again(&r));
      assert_int_equal(r.program->counts->groups, 20);
      core_cache_destroy(cache);
      unsetenv("ATOLL_COUNTS");

      FILE *f = fopen(path, "r");
      assert_non_null(f);
      assert_non_null(fgets(line, sizeof(line), f));
      const char want[] = "VS\t2\t10\t20\t30\t0\t64\t3\t4\t";
      assert_memory_equal(line, want, sizeof(want) - 1);
      assert_int_equal(strlen(line), sizeof(want) - 1 + 8 * a.num_words + 1);
      assert_null(fgets(line, sizeof(line), f));
      fclose(f);
      unlink(path);
      run_wave_free(&r);
   }
}

/* Nobody asked: nothing is counted. */
static void
test_off(void **state)
{
   assemble();
   unsetenv("ATOLL_COUNTS");
   run_wave_init(&r, SQ_STAGE_VS);
   r.source.words = a.words;
   r.source.num_words = a.num_words;
   struct core_cache *cache = sq_cache_create(CAYMAN_VLIW4, r.kernels);
   assert_non_null(cache);
   assert_null(sq_cache_get(cache, 0x1000, 0, &r.source)->counts);
   core_cache_destroy(cache);
   run_wave_free(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts), cmocka_unit_test(test_off) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
