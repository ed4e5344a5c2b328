/* SPDX-License-Identifier: MIT */
/*
 * What the cache of lifted programs holds: thousands of programs that come and go stay within a
 * limit, and those that a draw may have found stay.  (What a hit is: memory.c.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cache.h"
#include "run_wave.h"

enum { PROGRAMS = 4000, LIMIT = 1 << 20 };

static struct asm_program a;
static struct run_wave r;

/* A program that differs from others in a literal, each at an address of its own. */
static const struct sq_program *
get(struct core_cache *cache, enum sq_stage stage, uint32_t number)
{
   struct sq_program_source source = r.source;

   asm_init(&a);
   for (unsigned n = 0; n < 8; n++) {
      struct cayman_alu slot =
         asm_op2(CAYMAN_ALU_ADD_INT, 2 + n, 0, asm_gpr(3, 0), asm_sel(CAYMAN_SRC_LITERAL, 0));
      asm_slots(&a, &slot, 1, &number, 1);
   }
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_export(&a, stage == SQ_STAGE_PS ? CAYMAN_EXPORT_PIXEL : CAYMAN_EXPORT_PARAM, 0, 2);
   assert_true(asm_finish(&a));
   source.stage = stage;
   source.words = a.words;
   source.num_words = a.num_words;
   const struct sq_program *program = sq_cache_get(cache, (uint64_t)number << 8, 0, &source);
   assert_non_null(program);
   assert_null(program->core.error);
   return program;
}

/* A quarter above the limit at most, as much as one program more than trimmed away. */
static void
test_bounded(void **state)
{
   size_t most = 0, one;
   unsigned trims = 0;

   run_wave_init(&r, SQ_STAGE_VS);
   struct core_cache *cache = sq_cache_create(CAYMAN_VLIW4, r.kernels);
   assert_non_null(cache);
   assert_int_equal(core_cache_bytes(cache), 0);
   const struct sq_program *kept = get(cache, SQ_STAGE_VS, PROGRAMS);
   one = core_cache_bytes(cache);
   assert_true(one > a.num_words * 4 + sizeof(struct sq_program));
   for (uint32_t n = 0; n < PROGRAMS; n++) {
      get(cache, SQ_STAGE_VS, n);
      /* Used between all others, so never the oldest. */
      assert_ptr_equal(get(cache, SQ_STAGE_VS, PROGRAMS), kept);
      if (core_cache_bytes(cache) > LIMIT) {
         core_cache_trim(cache, LIMIT / 4 * 3);
         assert_true(core_cache_bytes(cache) <= LIMIT / 4 * 3);
         trims++;
      }
      most = core_cache_bytes(cache) > most ? core_cache_bytes(cache) : most;
   }
   assert_true(most <= LIMIT);
   assert_true(most > LIMIT / 2);
   /* All of them would have been this much. */
   assert_true(trims > 3 && one * PROGRAMS > 4 * (size_t)LIMIT);
   /* What went comes again, and what it holds is counted again. */
   size_t before = core_cache_bytes(cache);
   get(cache, SQ_STAGE_VS, 0);
   assert_true(core_cache_bytes(cache) > before);
   core_cache_destroy(cache);
}

/* Of each stage the last stays, however little may be held. */
static void
test_last_stays(void **state)
{
   run_wave_init(&r, SQ_STAGE_VS);
   struct core_cache *cache = sq_cache_create(CAYMAN_VLIW4, r.kernels);
   assert_non_null(cache);
   const struct sq_program *vertex, *pixel;
   get(cache, SQ_STAGE_VS, 1);
   vertex = get(cache, SQ_STAGE_VS, 2);
   size_t one = core_cache_bytes(cache) / 2;
   get(cache, SQ_STAGE_PS, 3);
   get(cache, SQ_STAGE_PS, 4);
   pixel = get(cache, SQ_STAGE_PS, 3);
   core_cache_trim(cache, 0);
   assert_in_range(core_cache_bytes(cache), one, 3 * one);
   assert_ptr_equal(get(cache, SQ_STAGE_VS, 2), vertex);
   assert_ptr_equal(get(cache, SQ_STAGE_PS, 3), pixel);
   size_t two = core_cache_bytes(cache);
   get(cache, SQ_STAGE_VS, 1);
   get(cache, SQ_STAGE_PS, 4);
   assert_true(core_cache_bytes(cache) > two);
   core_cache_destroy(cache);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounded),
      cmocka_unit_test(test_last_stays),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
