/* SPDX-License-Identifier: MIT */
/*
 * Observed waves: where they stop, what is seen there by name, that a copy of a stopped wave goes
 * on as the wave does, and which memory its lanes access.  core/stepped.py runs whole programs so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "port/rat.h"
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

/* ---- Accesses ---- */

#define LANES UINT64_C(0x8000000000000005) /* that run: 0, 2 and 63 */

static struct list {
   struct core_access access[64];
   uint32_t origin[64];
   unsigned count;
} list;

static void
add(void *data, const struct core_wave *wave, const struct core_access *access)
{
   struct list *to = data;

   assert_true(to->count < 64);
   to->origin[to->count] = wave->origin;
   to->access[to->count++] = *access;
}

static unsigned next;

/* The next access that was told. */
static void
is(enum core_memory memory, unsigned how, unsigned lane, uint32_t number, uint64_t address,
   uint32_t bytes)
{
   const struct core_access *access = &list.access[next];

   assert_true(next < list.count);
   assert_string_equal(core_memory_name(access->memory), core_memory_name(memory));
   assert_int_equal(access->how, how);
   assert_int_equal(access->lane, lane);
   assert_int_equal(access->number, number);
   assert_int_equal(access->address, address);
   assert_int_equal(access->bytes, bytes);
   next++;
}

static void
lds(unsigned op, unsigned address, unsigned value)
{
   struct cayman_alu s = { .op = CAYMAN_ALU_LDS_IDX_OP, .lds_op = (uint8_t)op };

   s.src[0] = asm_gpr(address, 0);
   s.src[1] = asm_gpr(value, 0);
   asm_one(&a, s);
}

/* R0.x: 8 * lane; R1.x: lane, an element of targets; R2: data. */
static void
assemble_accesses(void)
{
   const struct cayman_cf scratch = { .op = CAYMAN_CF_MEM_WR_SCRATCH,
                                      .type = CAYMAN_MEM_WRITE,
                                      .rw_gpr = 2,
                                      .elem_size = 1,
                                      .comp_mask = 2,
                                      .array_base = 3,
                                      .array_size = 9,
                                      .barrier = true };
   const struct cayman_cf store = { .op = CAYMAN_CF_MEM_RAT_CACHELESS,
                                    .rat_id = 2,
                                    .rat_op = CAYMAN_RAT_STORE_DWORD,
                                    .type = CAYMAN_MEM_WRITE_IND,
                                    .rw_gpr = 2,
                                    .index_gpr = 1,
                                    .comp_mask = 5,
                                    .barrier = true };
   struct cayman_cf atomic = store;

   atomic.rat_op = CAYMAN_RAT_ADD_RTN;
   atomic.comp_mask = 15;
   asm_init(&a);
   lds(CAYMAN_LDS_WRITE, 0, 2);
   lds(CAYMAN_LDS_ADD_RET, 0, 2);
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 3, 0, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0)));
   lds(CAYMAN_LDS_USHORT_READ_RET, 2, 2);
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 3, 0, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_cf(&a, &scratch);
   asm_cf(&a, &store);
   asm_cf(&a, &atomic);
   assert_true(asm_finish(&a));
}

/* What each instruction reads and writes, lane by lane, and nothing else. */
static void
test_accesses(void **unused)
{
   static uint32_t local[1024], target[256], returns[256], copy_of[1024];
   static struct rat rats[RATS];
   struct core_group shared = { .lds = (uint8_t *)local,
                                .lds_bytes = sizeof(local),
                                .num_waves = 1 };
   const struct core_observer every = { .stops = always, .accessed = add, .data = &list };
   const unsigned lanes[] = { 0, 2, 63 };
   unsigned n = 0;

   (void)unused;
   rats[2] = (struct rat){ .base = (uint8_t *)target,
                           .kind = RAT_KIND_BUFFER,
                           .width = 256,
                           .height = 1,
                           .layers = 1,
                           .bytes = 4,
                           .returns = (uint8_t *)returns,
                           .return_bytes = sizeof(returns) };
   assemble_accesses();
   run_wave_init(&r, SQ_STAGE_CS);
   r.bind.rats = rats;
   r.wave.group = &shared;
   r.wave.active = r.wave.valid = LANES;
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      r.gpr[0][0][lane] = 8 * lane;
      r.gpr[1][0][lane] = lane;
      for (unsigned c = 0; c < 4; c++)
         r.gpr[2][c][lane] = 2 * lane + 1;
   }
   memcpy(&copy.gpr, &r.gpr, sizeof(r.gpr));
   assert_true(run_wave(&r, a.words, a.num_words));
   memcpy(copy_of, local, sizeof(local));

   memset(local, 0, sizeof(local));
   memset(target, 0, sizeof(target));
   memcpy(&r.gpr, &copy.gpr, sizeof(r.gpr));
   r.bind.consts = NULL;
   r.wave.active = r.wave.valid = LANES;
   list.count = next = 0;
   void *state = new_state(&r);
   assert_true(core_start(state, &r.wave));
   while (core_resume(state, &r.wave, &every) == CORE_STOPPED)
      n++;
   assert_true(n > 8);
   assert_memory_equal(local, copy_of, sizeof(local));

   for (unsigned l = 0; l < 3; l++)
      is(CORE_MEMORY_LDS, CORE_WRITES, lanes[l], 0, 8 * lanes[l], 4);
   for (unsigned l = 0; l < 3; l++)
      is(CORE_MEMORY_LDS, CORE_READS | CORE_WRITES, lanes[l], 0, 8 * lanes[l], 4);
   for (unsigned l = 0; l < 3; l++)
      is(CORE_MEMORY_LDS, CORE_READS, lanes[l], 0, 2 * lanes[l], 2);
   for (unsigned l = 0; l < 3; l++)
      is(CORE_MEMORY_SCRATCH, CORE_WRITES, lanes[l], 0, 4 * (3 * 2 + 1), 4);
   for (unsigned l = 0; l < 3; l++)
      for (unsigned c = 0; c < 4; c += 2)
         is(CORE_MEMORY_TARGET, CORE_WRITES, lanes[l], 2, 4 * lanes[l] + 4 * c, 4);
   for (unsigned l = 0; l < 3; l++) {
      is(CORE_MEMORY_TARGET, CORE_READS | CORE_WRITES, lanes[l], 2, 4 * lanes[l], 4);
      is(CORE_MEMORY_RETURNS, CORE_WRITES, lanes[l], 2, 4 * (2 * lanes[l] + 1), 4);
   }
   assert_int_equal(next, list.count);
   /* Each is told at the instruction that it is of. */
   for (unsigned k = 3; k < list.count; k++)
      assert_true(list.origin[k] != list.origin[0] && list.origin[k] < a.num_words);
   assert_int_equal(list.origin[0], list.origin[2]);

   /* Without one that asks, nothing is told. */
   list.count = 0;
   memcpy(&r.gpr, &copy.gpr, sizeof(r.gpr));
   assert_true(core_start(state, &r.wave));
   assert_int_equal(core_resume(state, &r.wave, NULL), CORE_DONE);
   assert_int_equal(list.count, 0);
   free(state);
   run_wave_free(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stops),
      cmocka_unit_test(test_until),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_accesses),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
