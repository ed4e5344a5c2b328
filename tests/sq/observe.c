/* SPDX-License-Identifier: MIT */
/*
 * Observed waves: where they stop, what is seen there by name, and that a copy of a stopped wave
 * goes on as the wave does.  core/stepped.py runs whole programs so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_wave.h"

#define MAX_STOPS 64

static struct asm_program a;
static struct run_wave r, copy;

/* R1.x: 3 * R0.x + 1 in even lanes, one less in others; in two groups, a branch, an export. */
static void
assemble(void)
{
   asm_init(&a);
   asm_one(&a, asm_op3(CAYMAN_ALU_MULADD_IEEE, 1, 0, asm_gpr(0, 0), asm_gpr(0, 1), asm_gpr(0, 2)));
   asm_one(&a, asm_op2(CAYMAN_ALU_ADD, 2, 0, asm_gpr(1, 0), asm_gpr(0, 3)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_begin_diverged(&a, 3);
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 1, 0, asm_gpr(2, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_end_diverged(&a);
   asm_export(&a, CAYMAN_EXPORT_PARAM, 0, 1);
   assert_true(asm_finish(&a));
}

static void
fill(struct run_wave *run)
{
   const float one = 1, three = 3, minus = -1;

   memset(run->gpr, 0, sizeof(run->gpr));
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      const float v = (float)lane;

      memcpy(&run->gpr[0][0][lane], &v, 4);
      memcpy(&run->gpr[0][1][lane], &three, 4);
      memcpy(&run->gpr[0][2][lane], &one, 4);
      memcpy(&run->gpr[0][3][lane], &minus, 4);
      run->gpr[3][0][lane] = lane & 1 ? 0x3f800000u : 0;
   }
}

static void *
new_state(const struct run_wave *run)
{
   void *state = aligned_alloc(64, (run->program->core.engine->state_bytes + 63) & ~(size_t)63);

   assert_non_null(state);
   return state;
}

static bool
always(void *data, const struct core_wave *wave, uint32_t origin)
{
   (void)data;
   assert_int_equal(wave->origin, origin);
   return true;
}

static bool
at_one(void *data, const struct core_wave *wave, uint32_t origin)
{
   (void)wave;
   return origin == *(const uint32_t *)data;
}

/* The part of a state with a name. */
static struct core_seen
look(const void *state, const struct core_wave *wave, const char *name)
{
   struct core_seen seen;

   for (uint32_t n = 0; core_look(state, wave, n, &seen); n++)
      if (!strcmp(seen.name, name))
         return seen;
   fail_msg("nothing is called %s", name);
   return seen;
}

static void
load(void)
{
   assemble();
   run_wave_init(&r, SQ_STAGE_VS);
   fill(&r);
   assert_true(run_wave(&r, a.words, a.num_words));
   fill(&r);
   r.bind.consts = NULL;
}

/* Each machine word that is run, once: CF instructions and groups. */
static void
test_stops(void **unused)
{
   static const struct core_observer every = { .stops = always };
   uint32_t seen[MAX_STOPS];
   unsigned count = 0;
   float value;

   (void)unused;
   load();
   void *state = new_state(&r);
   assert_true(core_start(state, &r.wave));
   enum core_stop stop;
   while ((stop = core_resume(state, &r.wave, &every)) == CORE_STOPPED) {
      assert_true(count < MAX_STOPS);
      seen[count++] = r.wave.origin;
      memcpy(&value, &look(state, &r.wave, "R1.x").row[5], 4);
      if (count <= 3)
         assert_true(value == (count < 3 ? 0.0f : 16.0f));
      assert_int_equal(look(state, &r.wave, "launched").mask, ~UINT64_C(0));
   }
   assert_int_equal(stop, CORE_DONE);
   /* The clause, its two groups; every word lies in the program, and no two stops follow at one. */
   assert_int_equal(seen[0], 0);
   assert_int_equal(seen[2], seen[1] + 2);
   for (unsigned n = 1; n < count; n++) {
      assert_true(seen[n] < a.num_words);
      assert_int_not_equal(seen[n], seen[n - 1]);
   }
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      memcpy(&value, &r.outputs.param[0][0][lane], 4);
      assert_true(value == 3.0f * (float)lane + (lane & 1 ? 0.0f : 1.0f));
   }
   free(state);
   run_wave_free(&r);
}

/* A wave stops where it is asked to, and goes on at once after the last stop. */
static void
test_until(void **unused)
{
   uint32_t origin = 0;
   const struct core_observer one = { .stops = at_one, .data = &origin };
   struct core_observer every = { .stops = always };

   (void)unused;
   load();
   void *state = new_state(&r);
   assert_true(core_start(state, &r.wave));
   assert_int_equal(core_resume(state, &r.wave, &every), CORE_STOPPED);
   assert_int_equal(core_resume(state, &r.wave, &every), CORE_STOPPED);
   origin = r.wave.origin + 2;
   assert_int_equal(core_resume(state, &r.wave, &one), CORE_STOPPED);
   assert_int_equal(r.wave.origin, origin);
   assert_int_equal(core_resume(state, &r.wave, NULL), CORE_DONE);
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      float value;

      memcpy(&value, &r.outputs.param[0][0][lane], 4);
      assert_true(value == 3.0f * (float)lane + (lane & 1 ? 0.0f : 1.0f));
   }
   free(state);
   run_wave_free(&r);
}

/* At each stop, a copy of state, registers and outputs goes on in storage of its own and leaves
 * what the wave itself does. */
static void
test_copies(void **unused)
{
   static const struct core_observer every = { .stops = always };
   static struct core_outputs left;

   (void)unused;
   load();
   void *state = new_state(&r), *second = new_state(&r);
   const size_t bytes = r.program->core.engine->state_bytes;

   assert_true(core_start(state, &r.wave));
   while (core_resume(state, &r.wave, &every) == CORE_STOPPED) {
      /* Nothing. */
   }
   left = r.outputs;
   for (unsigned stops = 1;; stops++) {
      fill(&r);
      assert_true(core_start(state, &r.wave));
      unsigned n = 0;
      while (n < stops && core_resume(state, &r.wave, &every) == CORE_STOPPED)
         n++;
      if (n < stops)
         break;
      memcpy(second, state, bytes);
      copy = r;
      copy.wave.rows = copy.gpr[0];
      copy.wave.outputs = &copy.outputs;
      copy.wave.bind = &copy.bind.core;
      memset(state, 0xff, bytes);
      memset(r.gpr, 0xff, sizeof(r.gpr));
      assert_int_equal(core_resume(second, &copy.wave, NULL), CORE_DONE);
      assert_int_equal(copy.outputs.param_written, left.param_written);
      assert_memory_equal(copy.outputs.param[0][0], left.param[0][0], sizeof(left.param[0][0]));
      assert_true(stops < MAX_STOPS);
   }
   free(state);
   free(second);
   run_wave_free(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stops),
      cmocka_unit_test(test_until),
      cmocka_unit_test(test_copies),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
