/* SPDX-License-Identifier: MIT */
/*
 * Work groups, on an engine that does what a test tells it: entry values of every thread, rounds up
 * to barriers, waves that wait for other groups, budgets.
 */
#include "core/workgroup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MAX_STEPS 64u
#define ROWS      16u

/* What a wave does each time that it runs on. */
enum act {
   ACT_END,
   ACT_BARRIER,
   ACT_WAIT, /* for another group */
   ACT_SYNC, /* got past one, and waits at the next */
   ACT_FAULT,
};

struct wave_state {
   struct core_wave *wave;
   unsigned step;
};

static const uint8_t (*script)[4]; /* [wave][step] */
static struct {
   unsigned wave, step;
} ran[MAX_STEPS];
static unsigned num_ran, num_ended, num_faults;
static uint64_t ended_waves, budgets[MAX_STEPS];

static bool
start(void *state, struct core_wave *wave)
{
   struct wave_state *s = state;

   s->wave = wave;
   s->step = 0;
   wave->cycles = 0;
   return wave->active != 0;
}

static enum core_stop
resume(void *state, struct core_wave *wave, const struct core_observer *until)
{
   struct wave_state *s = state;
   const unsigned n = wave->wave_in_group, act = script[n][s->step];

   assert_true(num_ran < MAX_STEPS);
   budgets[num_ran] = wave->budget;
   ran[num_ran].wave = n;
   ran[num_ran++].step = s->step;
   wave->cycles += 100;
   wave->synced += act == ACT_SYNC;
   wave->faulted = act == ACT_FAULT;
   s->step += act != ACT_WAIT;
   assert_null(until);
   return act == ACT_BARRIER                   ? CORE_BARRIER
          : act == ACT_WAIT || act == ACT_SYNC ? CORE_WAITING
          : act == ACT_FAULT                   ? CORE_FAULT
                                               : CORE_DONE;
}

static const struct core_engine engine = {
   .name = "scripted",
   .place = "step",
   .state_bytes = sizeof(struct wave_state),
   .start = start,
   .resume = resume,
};
static const struct core_program program = { .engine = &engine };
static struct core_entry entry;
static const struct core_bind bind = { .program = &program, .entry = &entry };

static void
ended(void *context, const struct core_workgroup *group, const struct core_wave *wave)
{
   assert_ptr_equal(context, &num_ended);
   assert_ptr_equal(wave, &group->wave[wave->wave_in_group]);
   ended_waves |= UINT64_C(1) << wave->wave_in_group;
   num_ended++;
   num_faults += wave->faulted;
}

static struct core_dispatch
dispatch_of(uint32_t x, uint32_t y, uint32_t z)
{
   struct core_dispatch d = {
      .bind = &bind,
      .block = { x, y, z },
      .groups = { 3, 2, 2 },
      .first = { 10, 20, 30 },
      .num_rows = ROWS,
      .lds_bytes = 64,
      .slots = 4,
      .number = 7,
      .ended = ended,
   };

   memset(&entry, 0, sizeof(entry));
   num_ran = num_ended = num_faults = 0;
   ended_waves = 0;
   return d;
}

static void
test_size(void **state)
{
   static const struct {
      uint32_t block[3];
      bool ok;
      uint32_t threads, waves;
   } cases[] = {
      { { 1, 1, 1 }, true, 1, 1 },
      { { 64, 1, 1 }, true, 64, 1 },
      { { 5, 13, 1 }, true, 65, 2 },
      { { 2048, 1, 1 }, true, 2048, 32 },
      { { 2049, 1, 1 }, false, 0, 0 },
      { { 0, 1, 1 }, false, 0, 0 },
      { { 65536, 65536, 65536 }, false, 0, 0 },
      { { 2048, 2, 0 }, false, 0, 0 },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct core_dispatch d = { 0 };
      memcpy(d.block, cases[i].block, sizeof(d.block));
      assert_int_equal(core_dispatch_size(&d), cases[i].ok);
      assert_int_equal(d.threads, cases[i].threads);
      assert_int_equal(d.waves, cases[i].waves);
   }
}

/* Every value of every thread of a group of three waves. */
static void
check_entry(uint32_t x, uint32_t y, uint32_t z)
{
   static const uint8_t end[4][4] = { { ACT_END }, { ACT_END }, { ACT_END } };
   struct core_dispatch d = dispatch_of(x, y, z);
   struct core_workgroup *g = NULL;
   bool moved = false;

   script = end;
   assert_true(core_dispatch_size(&d));
   assert_int_equal(d.waves, 3);
   for (unsigned c = 0; c < 3; c++) {
      core_entry_take(&entry, CORE_THREAD + c, c);
      core_entry_take(&entry, CORE_GROUP + c, 3 + c);
      core_entry_take(&entry, CORE_GLOBAL + c, 6 + c);
   }
   core_entry_take(&entry, CORE_THREAD_XY, 9);
   core_entry_take(&entry, CORE_NUMBER, 11);
   assert_true(core_workgroup_reserve(&g, &d));
   memset(g->rows, 0xee, sizeof(wave_lane) * ROWS * 3);
   core_workgroup_begin(g, &d, 8, 100); /* x 2, y 0, z 1 of 3 x 2 x 2 */
   assert_true(core_workgroup_run(g, &d, &num_ended, &moved));
   assert_true(moved);
   assert_int_equal(num_ended, 3);
   for (uint32_t t = 0; t < d.threads; t++) {
      const wave_lane *rows = g->wave[t / WAVE_LANES].rows;
      const unsigned l = t % WAVE_LANES;
      const uint32_t at[3] = { t % x, t / x % y, t / (x * y) };
      const uint32_t group[3] = { 12, 20, 31 };
      for (unsigned c = 0; c < 3; c++) {
         assert_int_equal(rows[c][l], at[c]);
         assert_int_equal(rows[3 + c][l], group[c]);
         assert_int_equal(rows[6 + c][l], group[c] * d.block[c] + at[c]);
      }
      assert_int_equal(rows[9][l], at[0] | at[1] << 16);
      assert_int_equal(rows[10][l], 0xeeeeeeee); /* taken by nobody */
      assert_int_equal(rows[11][l], 8 * d.threads + t);
   }
   assert_true(g->wave[2].active == (UINT64_C(1) << (d.threads - 128)) - 1);
   assert_true(g->wave[1].active == ~UINT64_C(0));
   for (unsigned n = 0; n < 3; n++) {
      assert_int_equal(g->wave[n].slot, 100 + n);
      assert_int_equal(g->wave[n].identity.draw, 7);
      assert_int_equal(g->wave[n].identity.part, 8);
      assert_int_equal(g->wave[n].identity.wave, n);
      assert_int_equal(g->wave[n].identity.stage, CORE_COMPUTE);
   }
   core_workgroup_free(g);
}

/* Sizes that are no multiple of a wave; rows and slices of a power of two of threads, and others.
 */
static void
test_entry(void **state)
{
   check_entry(5, 7, 4);
   check_entry(8, 4, 5);
   check_entry(1, 2, 71);
   check_entry(16, 3, 3);
   check_entry(6, 8, 3);
}

/* Waves go on together after a barrier; those that ended are not waited for. */
static void
test_barriers(void **state)
{
   static const uint8_t acts[3][4] = {
      { ACT_BARRIER, ACT_BARRIER, ACT_END },
      { ACT_END },
      { ACT_BARRIER, ACT_FAULT },
   };
   static const unsigned order[][2] = {
      { 0, 0 }, { 1, 0 }, { 2, 0 }, { 0, 1 }, { 2, 1 }, { 0, 2 }
   };
   struct core_dispatch d = dispatch_of(192, 1, 1);
   struct core_workgroup *g = NULL;
   bool moved = false;

   script = acts;
   assert_true(core_dispatch_size(&d) && core_workgroup_reserve(&g, &d));
   memset(g->lds, 0xff, 64);
   core_workgroup_begin(g, &d, 0, 0);
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(g->shared.lds[i], 0);
   assert_true(core_workgroup_run(g, &d, &num_ended, &moved));
   assert_int_equal(num_ran, sizeof(order) / sizeof(*order));
   for (unsigned i = 0; i < num_ran; i++) {
      assert_int_equal(ran[i].wave, order[i][0]);
      assert_int_equal(ran[i].step, order[i][1]);
   }
   assert_int_equal(num_ended, 3);
   assert_int_equal(num_faults, 1);
   assert_int_equal(ended_waves, 7);
   core_workgroup_free(g);
}

/* A group says when all its waves wait for another group, and whether one of them got further. */
static void
test_stuck(void **state)
{
   static const uint8_t acts[2][4] = {
      { ACT_SYNC, ACT_WAIT },
      { ACT_BARRIER, ACT_END },
   };
   static const uint8_t released[2][4] = {
      { ACT_SYNC, ACT_END },
      { ACT_BARRIER, ACT_END },
   };
   struct core_dispatch d = dispatch_of(128, 1, 1);
   struct core_workgroup *g = NULL;
   bool moved = false;

   script = acts;
   assert_true(core_dispatch_size(&d) && core_workgroup_reserve(&g, &d));
   core_workgroup_begin(g, &d, 0, 0);
   assert_false(core_workgroup_run(g, &d, &num_ended, &moved));
   assert_true(moved);
   moved = false;
   assert_false(core_workgroup_run(g, &d, &num_ended, &moved));
   assert_false(moved);
   script = released;
   assert_true(core_workgroup_run(g, &d, &num_ended, &moved));
   assert_true(moved);
   assert_int_equal(ended_waves, 3);
   core_workgroup_free(g);
}

/* Waves share what is left; a wave that has run before may run on from there. */
static void
test_budget(void **state)
{
   static const uint8_t acts[2][4] = { { ACT_BARRIER, ACT_END }, { ACT_BARRIER, ACT_END } };
   struct core_dispatch d = dispatch_of(128, 1, 1);
   struct core_workgroup *g = NULL;
   uint64_t spent = 50;
   bool moved = false;

   script = acts;
   d.limit = 350;
   d.spent = &spent;
   assert_true(core_dispatch_size(&d) && core_workgroup_reserve(&g, &d));
   core_workgroup_begin(g, &d, 0, 0);
   assert_true(core_workgroup_run(g, &d, &num_ended, &moved));
   assert_int_equal(num_ran, 4);
   assert_int_equal(budgets[0], 300);
   assert_int_equal(budgets[1], 200);
   assert_int_equal(budgets[2], 200); /* it ran 100 before, and 100 are left */
   assert_int_equal(budgets[3], 100); /* nothing is left */
   assert_int_equal(spent, 450);
   core_workgroup_free(g);

   d.limit = UINT64_MAX;
   g = NULL;
   num_ran = 0;
   assert_true(core_workgroup_reserve(&g, &d));
   core_workgroup_begin(g, &d, 0, 0);
   assert_true(core_workgroup_run(g, &d, &num_ended, &moved));
   assert_true(budgets[0] < UINT64_C(1) << 31); /* an endless wave ends */
   core_workgroup_free(g);
}

/* Storage that was made for one dispatch serves smaller ones, and grows for larger ones. */
static void
test_storage(void **state)
{
   static const uint8_t end[32][4] = { { ACT_END } };
   static const uint32_t blocks[] = { 1, 2048, 64, 700 }, rows[] = { 4, 8, 16, 2 };
   struct core_workgroup *g = NULL;

   script = end;
   for (unsigned i = 0; i < 4; i++) {
      struct core_dispatch d = dispatch_of(blocks[i], 1, 1);
      struct core_bind scratch = bind;
      bool moved = false;

      scratch.scratch_bytes = 16 * i;
      d.bind = &scratch;
      d.num_rows = rows[i];
      assert_true(core_dispatch_size(&d) && core_workgroup_reserve(&g, &d));
      core_workgroup_begin(g, &d, 0, 0);
      num_ran = 0;
      assert_true(core_workgroup_run(g, &d, &num_ended, &moved));
      assert_int_equal(num_ended, d.waves);
      for (unsigned n = 0; n < d.waves; n++) {
         memset(g->wave[n].rows, (int)n, sizeof(wave_lane) * rows[i]);
         assert_int_equal(g->wave[n].scratch != NULL, i != 0);
         if (i)
            memset(g->wave[n].scratch, (int)n, 16 * i * WAVE_LANES);
      }
   }
   core_workgroup_free(g);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_size),  cmocka_unit_test(test_entry),  cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_stuck), cmocka_unit_test(test_budget), cmocka_unit_test(test_storage),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
