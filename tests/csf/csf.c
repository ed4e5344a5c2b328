/* SPDX-License-Identifier: MIT */
/* Command streams: each instruction by itself, flow, faults and what ends a stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "stream.h"

#define F(instruction, field) CS_AT_##instruction##_##field

static struct stream s;

static void
begin(void)
{
   assert_true(stream_init(&s));
}

static bool
said(const char *text)
{
   char all[4096];

   report_read(s.report, all, sizeof(all));
   return strstr(all, text);
}

static uint64_t
pair(unsigned n)
{
   return s.queue.regs[n] | (uint64_t)s.queue.regs[n + 1] << 32;
}

static void
add_move(unsigned n, uint64_t value)
{
   STREAM(&s, MOVE, { F(MOVE, destination), n }, { F(MOVE, immediate), value });
}

static void
add_move32(unsigned n, uint32_t value)
{
   STREAM(&s, MOVE32, { F(MOVE32, destination), n }, { F(MOVE32, immediate), value });
}

static uint64_t
memory(uint64_t address)
{
   uint64_t value;

   assert_int_equal(vm_read(s.vm, address, &value, 8), 8);
   return value;
}

static void
set_memory(uint64_t address, uint64_t value)
{
   assert_int_equal(vm_write(s.vm, address, &value, 8), 8);
}

static void
values(void **state)
{
   begin();
   add_move(2, UINT64_C(0xffff00000001));
   add_move32(5, 0xffffffff);
   STREAM(&s, ADD_IMMEDIATE32, { F(ADD_IMMEDIATE32, destination), 6 },
          { F(ADD_IMMEDIATE32, source), 5 }, { F(ADD_IMMEDIATE32, immediate), 3 });
   STREAM(&s, ADD_IMMEDIATE64, { F(ADD_IMMEDIATE64, destination), 8 },
          { F(ADD_IMMEDIATE64, source), 2 }, { F(ADD_IMMEDIATE64, immediate), (uint32_t)-2 });
   STREAM(&s, UMIN32, { F(UMIN32, destination), 10 }, { F(UMIN32, source1), 5 },
          { F(UMIN32, source2), 6 });
   assert_int_equal(stream_run(&s), CS_FINISHED);
   assert_true(pair(2) == UINT64_C(0xffff00000001));
   assert_int_equal(s.queue.regs[6], 2);
   assert_true(pair(8) == UINT64_C(0xfffeffffffff));
   assert_int_equal(s.queue.regs[10], 2);
   assert_int_equal(s.budget, 10000 - 5);
   stream_finish(&s);
}

/* The last register of all is one that pairs end in. */
static void
memory_accesses(void **state)
{
   begin();
   set_memory(STREAM_DATA, UINT64_C(0x2222222211111111));
   set_memory(STREAM_DATA + 8, UINT64_C(0x4444444433333333));
   add_move(94, STREAM_DATA + 4);
   STREAM(&s, LOAD_MULTIPLE, { F(LOAD_MULTIPLE, base), 80 }, { F(LOAD_MULTIPLE, mask), 0xb },
          { F(LOAD_MULTIPLE, address), 94 }, { F(LOAD_MULTIPLE, offset), (uint16_t)-4 });
   STREAM(&s, STORE_MULTIPLE, { F(STORE_MULTIPLE, base), 80 }, { F(STORE_MULTIPLE, mask), 0x9 },
          { F(STORE_MULTIPLE, address), 94 }, { F(STORE_MULTIPLE, offset), 28 });
   s.queue.regs[82] = 7;
   set_memory(STREAM_DATA + 32, 0);
   set_memory(STREAM_DATA + 40, UINT64_C(0x0000000066666666));
   assert_int_equal(stream_run(&s), CS_FINISHED);
   assert_int_equal(s.queue.regs[80], 0x11111111);
   assert_int_equal(s.queue.regs[81], 0x22222222);
   assert_int_equal(s.queue.regs[82], 7);
   assert_int_equal(s.queue.regs[83], 0x44444444);
   assert_true(memory(STREAM_DATA + 32) == UINT64_C(0x11111111));
   assert_true(memory(STREAM_DATA + 40) == UINT64_C(0x4444444466666666));
   stream_finish(&s);
}

static void
bad_memory(void **state)
{
   static const bool stores[] = { false, true };

   for (unsigned n = 0; n < 2; n++) {
      begin();
      add_move(2, STREAM_BASE + STREAM_BYTES - 4);
      if (stores[n])
         STREAM(&s, STORE_MULTIPLE, { F(STORE_MULTIPLE, base), 4 }, { F(STORE_MULTIPLE, mask), 3 },
                { F(STORE_MULTIPLE, address), 2 });
      else
         STREAM(&s, LOAD_MULTIPLE, { F(LOAD_MULTIPLE, base), 4 }, { F(LOAD_MULTIPLE, mask), 3 },
                { F(LOAD_MULTIPLE, address), 2 });
      add_move32(9, 1);
      assert_int_equal(stream_run(&s), CS_FATAL);
      assert_int_equal(s.queue.fatal, CS_BUS_FAULT);
      assert_int_equal(s.queue.fatal_at, STREAM_BASE + 8);
      assert_int_equal(s.queue.regs[9], 0);
      assert_true(said("which are not mapped"));
      /* For good. */
      assert_int_equal(stream_run(&s), CS_FATAL);
      stream_finish(&s);
   }
}

/* Ten times round, by each condition that a counter can end by. */
static void
branches(void **state)
{
   static const struct {
      unsigned condition;
      int32_t first, step;
      uint32_t rounds;
   } rows[] = {
      { CS_CONDITION_gt, 10, -1, 10 },      { CS_CONDITION_ge, 10, -1, 11 },
      { CS_CONDITION_ne, 10, -1, 10 },      { CS_CONDITION_lt, -10, 1, 10 },
      { CS_CONDITION_le, -10, 1, 11 },      { CS_CONDITION_eq, 1, -1, 2 },
      { CS_CONDITION_gt, INT32_MIN, 1, 1 },
   };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      begin();
      add_move32(4, (uint32_t)rows[n].first);
      STREAM(&s, ADD_IMMEDIATE32, { F(ADD_IMMEDIATE32, destination), 5 },
             { F(ADD_IMMEDIATE32, source), 5 }, { F(ADD_IMMEDIATE32, immediate), 1 });
      STREAM(&s, ADD_IMMEDIATE32, { F(ADD_IMMEDIATE32, destination), 4 },
             { F(ADD_IMMEDIATE32, source), 4 },
             { F(ADD_IMMEDIATE32, immediate), (uint32_t)rows[n].step });
      STREAM(&s, BRANCH, { F(BRANCH, condition), rows[n].condition }, { F(BRANCH, value), 4 },
             { F(BRANCH, offset), (uint16_t)-3 });
      assert_int_equal(stream_run(&s), CS_FINISHED);
      assert_int_equal(s.queue.regs[5], rows[n].rounds);
      stream_finish(&s);
   }
}

/* To the end of the buffer and no further, either way. */
static void
branch_bounds(void **state)
{
   static const struct {
      int offset;
      enum cs_result result;
   } rows[] = { { 1, CS_FINISHED }, { 2, CS_FATAL }, { -2, CS_FATAL } };

   for (unsigned n = 0; n < 3; n++) {
      begin();
      STREAM(&s, BRANCH, { F(BRANCH, condition), CS_CONDITION_always },
             { F(BRANCH, offset), (uint16_t)rows[n].offset });
      add_move32(4, 1);
      assert_int_equal(stream_run(&s), rows[n].result);
      assert_int_equal(s.queue.regs[4], 0);
      stream_finish(&s);
   }
}

/* A buffer calls another one, which jumps to a third and so comes back to the first. */
static void
calls(void **state)
{
   const uint64_t second = STREAM_BASE + 0x100, third = STREAM_BASE + 0x200;

   begin();
   s.words = 0x100 / 8;
   add_move(2, third);
   STREAM(&s, JUMP, { F(JUMP, address), 2 }, { F(JUMP, length), 4 });
   add_move32(20, 1); /* never */
   s.words = 0x200 / 8;
   add_move32(21, 1);
   s.words = 0;
   add_move(2, second);
   add_move32(3 + 1, 8);
   add_move32(5, 24);
   STREAM(&s, CALL, { F(CALL, address), 2 }, { F(CALL, length), 5 });
   add_move32(22, 1);
   assert_int_equal(stream_run(&s), CS_FINISHED);
   assert_int_equal(s.queue.regs[20], 0);
   assert_int_equal(s.queue.regs[21], 1);
   assert_int_equal(s.queue.regs[22], 1);
   stream_finish(&s);
}

static void
deep_calls(void **state)
{
   begin();
   add_move(2, STREAM_BASE);
   add_move32(4, 24);
   STREAM(&s, CALL, { F(CALL, address), 2 }, { F(CALL, length), 4 });
   assert_int_equal(stream_run(&s), CS_FATAL);
   assert_int_equal(s.queue.fatal, CS_CALL_STACK_OVERFLOW);
   assert_int_equal(s.budget, 10000 - 8 * 4);
   stream_finish(&s);
   begin();
   add_move(2, STREAM_BASE);
   add_move32(4, 12);
   STREAM(&s, CALL, { F(CALL, address), 2 }, { F(CALL, length), 4 });
   assert_int_equal(stream_run(&s), CS_FATAL);
   assert_int_equal(s.queue.fatal, CS_INSTRUCTION_INVALID);
   stream_finish(&s);
}

static void
endless(void **state)
{
   begin();
   STREAM(&s, BRANCH, { F(BRANCH, condition), CS_CONDITION_always },
          { F(BRANCH, offset), (uint16_t)-1 });
   assert_int_equal(stream_run(&s), CS_EXHAUSTED);
   assert_int_equal(s.budget, 0);
   assert_true(said("spent its budget"));
   stream_finish(&s);
}

/* Blocks until the value is there, and goes on from the same instruction. */
static void
synchronisation(void **state)
{
   begin();
   set_memory(STREAM_DATA, 4);
   set_memory(STREAM_DATA + 16, UINT64_C(0xffffffffffff));
   set_memory(STREAM_DATA + 24, UINT64_MAX);
   add_move(2, STREAM_DATA);
   add_move32(4, 5);
   STREAM(&s, SYNC_WAIT32, { F(SYNC_WAIT32, condition), CS_CONDITION_gt },
          { F(SYNC_WAIT32, address), 2 }, { F(SYNC_WAIT32, data), 4 });
   add_move(6, STREAM_DATA + 16);
   add_move(8, 2);
   STREAM(&s, SYNC_ADD64, { F(SYNC_ADD64, address), 6 }, { F(SYNC_ADD64, data), 8 });
   STREAM(&s, SYNC_SET32, { F(SYNC_SET32, address), 2 }, { F(SYNC_SET32, data), 8 },
          { F(SYNC_SET32, propagate), 1 });
   assert_int_equal(stream_run(&s), CS_BLOCKED);
   assert_int_equal(s.queue.regs[8], 0);
   set_memory(STREAM_DATA, 5);
   assert_int_equal(cs_run(&s.queue, &s.env), CS_BLOCKED);
   set_memory(STREAM_DATA, 0x80000000); /* as an unsigned number */
   assert_int_equal(cs_run(&s.queue, &s.env), CS_FINISHED);
   assert_true(memory(STREAM_DATA + 16) == UINT64_C(0x1000000000001));
   assert_true(memory(STREAM_DATA + 24) == UINT64_MAX); /* it propagates nothing */
   assert_true(memory(STREAM_DATA) == 2);
   stream_finish(&s);
}

/* An endpoint's fault goes on to others by way of memory, until a barrier. */
static void
errors(void **state)
{
   begin();
   s.answer = CS_ENDPOINT_FAULT;
   add_move(2, STREAM_DATA);
   add_move32(4, 1);
   STREAM(&s, RUN_COMPUTE, { F(RUN_COMPUTE, progress), 1 }, { F(RUN_COMPUTE, task_increment), 7 });
   STREAM(&s, RUN_FRAGMENT, { F(RUN_FRAGMENT, progress), 1 });
   STREAM(&s, SYNC_ADD32, { F(SYNC_ADD32, address), 2 }, { F(SYNC_ADD32, data), 4 },
          { F(SYNC_ADD32, propagate), 1 });
   STREAM(&s, STORE_STATE, { F(STORE_STATE, state), CS_STATE_error_status },
          { F(STORE_STATE, address), 2 }, { F(STORE_STATE, offset), 16 });
   STREAM(&s, ERROR_BARRIER, { F(NOP, ignored), 0 });
   STREAM(&s, STORE_STATE, { F(STORE_STATE, state), CS_STATE_error_status },
          { F(STORE_STATE, address), 2 }, { F(STORE_STATE, offset), 24 });
   STREAM(&s, SYNC_WAIT32, { F(SYNC_WAIT32, condition), CS_CONDITION_ge },
          { F(SYNC_WAIT32, address), 2 }, { F(SYNC_WAIT32, data), 4 },
          { F(SYNC_WAIT32, reject), 1 });
   STREAM(&s, STORE_STATE, { F(STORE_STATE, state), CS_STATE_error_status },
          { F(STORE_STATE, address), 2 }, { F(STORE_STATE, offset), 32 });
   STREAM(&s, SYNC_WAIT32, { F(SYNC_WAIT32, condition), CS_CONDITION_ge },
          { F(SYNC_WAIT32, address), 2 }, { F(SYNC_WAIT32, data), 4 });
   set_memory(STREAM_DATA + 24, UINT64_MAX);
   set_memory(STREAM_DATA + 32, UINT64_MAX);
   assert_int_equal(stream_run(&s), CS_FINISHED);
   assert_int_equal(s.endpoints, 1);
   assert_int_equal(s.queue.progress, 2);
   assert_true(memory(STREAM_DATA) == (UINT64_C(1) << 32 | 1));
   assert_true(memory(STREAM_DATA + 16) == CS_ENDPOINT_FAULT);
   assert_true(memory(STREAM_DATA + 24) == 0);
   assert_true(memory(STREAM_DATA + 32) == 0);
   assert_int_equal(s.queue.error, CS_INHERIT_FAULT);
   stream_finish(&s);
   begin();
   s.answer = CS_UNRECOVERABLE;
   STREAM(&s, RUN_IDVS, { F(RUN_IDVS, malloc), 1 });
   add_move32(4, 1);
   assert_int_equal(stream_run(&s), CS_FATAL);
   assert_int_equal(s.queue.fatal, CS_UNRECOVERABLE);
   assert_int_equal(s.queue.regs[4], 0);
   stream_finish(&s);
}

/* Progress, clocks, heaps, slots and handlers are the queue's. */
static void
queue_state(void **state)
{
   struct cs_queue group[2] = { 0 };

   begin();
   s.env.group = group;
   s.env.group_queues = 2;
   group[1].progress = 8;
   add_move(2, 9);
   add_move(4, STREAM_DATA);
   add_move32(6, 0x40);
   STREAM(&s, PROGRESS_STORE, { F(PROGRESS_STORE, source), 2 });
   STREAM(&s, WAIT, { F(WAIT, wait), 0xff }, { F(WAIT, progress), 1 });
   STREAM(&s, PROGRESS_LOAD, { F(PROGRESS_LOAD, destination), 10 });
   STREAM(&s, HEAP_SET, { F(HEAP_SET, address), 4 });
   STREAM(&s, HEAP_OPERATION, { F(HEAP_OPERATION, operation), CS_HEAP_tiling_started });
   STREAM(&s, HEAP_OPERATION, { F(HEAP_OPERATION, operation), CS_HEAP_tiling_completed });
   STREAM(&s, HEAP_OPERATION, { F(HEAP_OPERATION, operation), CS_HEAP_fragment_completed });
   STREAM(&s, FINISH_FRAGMENT, { F(FINISH_FRAGMENT, fragment_completed), 1 });
   STREAM(&s, SET_SB_ENTRY, { F(SET_SB_ENTRY, endpoint), 2 }, { F(SET_SB_ENTRY, other), 7 });
   STREAM(&s, SET_EXCEPTION_HANDLER, { F(SET_EXCEPTION_HANDLER, exception), CS_HANDLED_tiler_oom },
          { F(SET_EXCEPTION_HANDLER, address), 4 }, { F(SET_EXCEPTION_HANDLER, length), 6 });
   STREAM(&s, STORE_STATE, { F(STORE_STATE, state), CS_STATE_timestamp },
          { F(STORE_STATE, address), 4 });
   STREAM(&s, PROGRESS_WAIT, { F(PROGRESS_WAIT, queue), 1 }, { F(PROGRESS_WAIT, source), 2 });
   assert_int_equal(stream_run(&s), CS_BLOCKED);
   assert_true(pair(10) == 10);
   assert_true(s.queue.heap == STREAM_DATA && s.queue.handler == STREAM_DATA);
   assert_int_equal(s.queue.handler_length, 0x40);
   assert_int_equal(s.queue.tiling_started, 1);
   assert_int_equal(s.queue.tiling_completed, 1);
   assert_int_equal(s.queue.fragments_completed, 2);
   assert_int_equal(s.queue.endpoint_slot, 2);
   assert_int_equal(s.queue.other_slot, 7);
   assert_true(memory(STREAM_DATA) == stream_clock(NULL));
   group[1].progress = 9;
   assert_int_equal(cs_run(&s.queue, &s.env), CS_FINISHED);
   stream_finish(&s);
}

static void
checks(void **state)
{
   static const struct {
      uint64_t word;
      const char *plain, *strict;
   } rows[] = {
      { UINT64_C(10) << 56, "no such instruction", "no such instruction" },
      { UINT64_C(0xff) << 56, "no such instruction", "no such instruction" },
      { (uint64_t)CS_MOVE << 56 | UINT64_C(94) << 48, NULL, NULL },
      { (uint64_t)CS_MOVE << 56 | UINT64_C(95) << 48, "no such register", "no such register" },
      { (uint64_t)CS_MOVE << 56 | UINT64_C(93) << 48, NULL, "64 bits in an odd register" },
      { (uint64_t)CS_MOVE32 << 56 | UINT64_C(95) << 48, NULL, NULL },
      { (uint64_t)CS_MOVE32 << 56 | UINT64_C(96) << 48, "no such register", "no such register" },
      { (uint64_t)CS_MOVE32 << 56 | UINT64_C(1) << 40, NULL, "reserved bits are set" },
      { (uint64_t)CS_LOAD_MULTIPLE << 56 | UINT64_C(92) << 48 | 0xf << 16, NULL, NULL },
      { (uint64_t)CS_LOAD_MULTIPLE << 56 | UINT64_C(92) << 48 | 0x10 << 16, "no such register",
        "no such register" },
      { (uint64_t)CS_BRANCH << 56 | UINT64_C(7) << 28, "no such condition", "no such condition" },
      { (uint64_t)CS_FLUSH_CACHE2 << 56 | 2, NULL, "a value without a meaning" },
      { (uint64_t)CS_SET_SB_ENTRY << 56 | 8, "no such slot", "no such slot" },
      { (uint64_t)CS_TRACE_POINT << 56 | UINT64_C(90) << 32 | UINT64_C(7) << 40, "no such register",
        "no such register" },
   };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
      for (unsigned strict = 0; strict < 2; strict++) {
         const char *wrong = cs_check(rows[n].word, strict);
         const char *expected = strict ? rows[n].strict : rows[n].plain;

         assert_true(!wrong == !expected);
         if (wrong)
            assert_string_equal(wrong, expected);
      }
}

static void
texts(void **state)
{
   static const struct {
      uint64_t word;
      const char *text;
   } rows[] = {
      { UINT64_C(0x0148000000020000), "MOVE destination=d72 immediate=0x20000" },
      { UINT64_C(0x1400400000030008), "LOAD_MULTIPLE base=r0 mask=0x3 address=d64 offset=8" },
      { UINT64_C(0x160042001000fffc), "BRANCH condition=gt value=r66 offset=-4" },
      { UINT64_C(0x0300000100ff0000), "WAIT wait=0xff progress" },
      { UINT64_C(0x0700000000000000), "RUN_FRAGMENT tile_order=z_order" },
      { UINT64_C(0x28005a0300000000),
        "STORE_STATE state=error_status address=d90 offset=0 wait=0x0 signal=0" },
      { UINT64_C(0x0a00000000000001), "unknown 0x0a00000000000001" },
   };
   char text[256], little[8];

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      assert_int_equal(cs_print(rows[n].word, text, sizeof(text)), strlen(rows[n].text));
      assert_string_equal(text, rows[n].text);
      /* As much as fits. */
      assert_int_equal(cs_print(rows[n].word, little, sizeof(little)), strlen(rows[n].text));
      assert_memory_equal(little, rows[n].text, 7);
   }
}

/* Fields of an instruction share no bits, and stand together. */
static void
table(void **state)
{
   static const struct {
      uint8_t opcode;
      uint64_t bits;
   } fields[] = {
#define CS_FIELD(instruction, name, start, bits, kind) \
   { CS_##instruction, (UINT64_MAX >> (64 - (bits))) << (start) },
#include "csf/instructions.def"
   };
   uint64_t used[256] = { 0 };

   for (unsigned n = 0; n < sizeof(fields) / sizeof(fields[0]); n++) {
      const uint8_t opcode = fields[n].opcode;

      assert_false(used[opcode] & fields[n].bits);
      assert_false(fields[n].bits >> 56);
      assert_true(!used[opcode] || fields[n - 1].opcode == opcode);
      used[opcode] |= fields[n].bits;
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(values),          cmocka_unit_test(memory_accesses),
      cmocka_unit_test(bad_memory),      cmocka_unit_test(branches),
      cmocka_unit_test(branch_bounds),   cmocka_unit_test(calls),
      cmocka_unit_test(deep_calls),      cmocka_unit_test(endless),
      cmocka_unit_test(synchronisation), cmocka_unit_test(errors),
      cmocka_unit_test(queue_state),     cmocka_unit_test(checks),
      cmocka_unit_test(texts),           cmocka_unit_test(table),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
