/* SPDX-License-Identifier: MIT */
/* How a draw's quads are worked on: what its state changes about its key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/core.h"
#include "pass/drawn.h"
#include "pass/quads.h"
#include "port/state.h"

static struct drawn drawn;
static struct core_program program;
static struct core_bind bind;
static uint8_t memory[64];

/* One sample of one colour target and a depth test, of a program that is not constant. */
static void
begin(void)
{
   memset(&drawn, 0, sizeof(drawn));
   memset(&program, 0, sizeof(program));
   drawn_link(&drawn);
   bind = (struct core_bind){ .program = &program };
   drawn.head.ps = &bind;
   drawn.cb.mode = CB_COLORS;
   drawn.cb.bound = 1;
   drawn.db.z.host = memory;
   drawn.db.z_test = drawn.db.z_write = true;
   drawn.db.z_func = TEST_LESS;
}

static void
expect(const char *words)
{
   char text[128];

   db_finish(&drawn.db);
   quads_key_print(quads_key(&drawn.head), text, sizeof(text));
   assert_string_equal(text, words);
}

static void
modes(void **state)
{
   (void)state;
   begin(), expect("pack early simple plain");
   /* A constant colour fills, unless it is blended, masked or dropped. */
   begin(), drawn.spi.constant = true, expect("fill early simple plain");
   begin(), drawn.spi.constant = true, drawn.cb.target[0].key.reads = 1;
   expect("pack early simple plain");
   begin(), drawn.spi.constant = true, drawn.cb.target[0].key.rule = RULE_SUM;
   expect("pack early simple plain");
   begin(), drawn.spi.constant = program.uses_kill = true, expect("pack simple");
   begin(), drawn.spi.constant = drawn.cb.dual_source = true, expect("pack early simple plain");
   /* Without a colour there is depth alone. */
   begin(), drawn.cb.bound = 0, expect("depth_only early simple");
   begin(), drawn.cb.mode = CB_OFF, expect("depth_only early simple");
   begin(), drawn.sx.kill_all = true, expect("depth_only early simple no_color");
   begin(), drawn.cb.bound = 0, program.writes_memory = true, expect("pack early simple");
   begin(), program.error = "none", expect("depth_only early simple");
   /* Copies and resolves run no program. */
   begin(), drawn.db.copy_z = true, expect("copy early simple overwrites");
   begin(), drawn.cb.mode = CB_RESOLVE, expect("resolve early simple");
}

static void
tests_and_samples(void **state)
{
   (void)state;
   begin(), program.uses_kill = true, expect("pack simple");
   begin(), drawn.sx.alpha_test = true, expect("pack simple");
   begin(), drawn.db.export_z = true, expect("pack simple");
   begin(), drawn.db.export_z = drawn.db.forced_early = true, expect("pack early simple plain");
   /* What is dropped after a test that neither writes nor counts was tested all the same. */
   begin(), program.uses_kill = true, drawn.db.z_write = false, expect("pack early simple plain");
   begin(), program.uses_kill = drawn.db.count = true, drawn.db.z_write = false;
   expect("pack count simple");
   begin(), drawn.db.late_order = program.writes_memory = true, expect("pack simple");
   begin(), drawn.db.z_func = TEST_ALWAYS, expect("pack early simple plain overwrites");
   /* Samples. */
   begin(), drawn.sc.log2_samples = 2;
   memset(drawn.sc.sample_mask, 255, sizeof(drawn.sc.sample_mask));
   drawn.db.z.log2_samples = 2;
   expect("pack early");
   drawn.spi.entry.place[CORE_COVERAGE] = 1;
   expect("pack early before");
   drawn.db.coverage_after_tests = true;
   drawn.sc.sample_mask[2] = 7;
   expect("pack early masked");
   begin(), drawn.sc.cliprects = true, expect("pack early plain");
   begin(), drawn.sc.line_stipple = true, expect("pack early plain");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(modes),
      cmocka_unit_test(tests_and_samples),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
