/* SPDX-License-Identifier: MIT */
/* Dispatches: shader programs with their tables, uniforms and storage, and what ends one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../csf/stream.h"
#include "chip/mali/mali.h"
#include "isa/error.h"
#include "isa/valhall/valhall.h"

#define BINARY   STREAM_BASE
#define SHADER   (STREAM_BASE + 0x400)
#define STORAGE  (STREAM_BASE + 0x440)
#define TABLES   (STREAM_BASE + 0x480)
#define BUFFERS  (STREAM_BASE + 0x500)
#define UNIFORMS (STREAM_BASE + 0x600)
#define DATA     STREAM_DATA
#define WORDS    64u /* of the buffer */

static struct stream s;
static struct mali_compute job;
static char text[MALI_TEXT];

static void
put(uint64_t va, const void *data, size_t bytes)
{
   assert_int_equal(vm_write(s.vm, va, data, bytes), bytes);
}

/* A program of these words, with buffer 0 of table 1, two groups of 16 threads, and as uniforms
 * 2, the buffer's handle, and 4.  After the program lies what is none. */
static void
begin_words(const uint64_t *words, size_t count)
{
   const uint32_t shader[8] = { MALI_TYPE_shader, 0, (uint32_t)BINARY };
   const uint32_t storage[8] = { 0 };
   /* Of tables, the upper byte of an address says of which kind they are. */
   const uint64_t tables[4] = { 0, 0, BUFFERS | UINT64_C(1) << 56, 32 };
   const uint32_t buffer[8] = { 9, WORDS * 4, (uint32_t)DATA };
   const uint32_t uniforms[4] = { 2, 1u << 24, 4 };

   assert_true(stream_init(&s));
   vm_fill(s.vm, STREAM_BASE, UINT32_MAX, STREAM_BYTES);
   put(BINARY, words, count * 8);
   put(SHADER, shader, sizeof(shader));
   put(STORAGE, storage, sizeof(storage));
   put(TABLES, tables, sizeof(tables));
   put(BUFFERS, buffer, sizeof(buffer));
   put(UNIFORMS, uniforms, sizeof(uniforms));
   vm_fill(s.vm, DATA, 0x55555555, WORDS * 4);
   job = (struct mali_compute){
      .resources = TABLES | 2,
      .uniforms = UNIFORMS | UINT64_C(2) << 56,
      .program = SHADER,
      .storage = STORAGE,
      .group_size = 15,
      .groups = { 2, 1, 1 },
   };
}

static void
begin(const char *program)
{
   struct isa_error error = { 0 };
   size_t count;
   uint64_t *words = valhall_assemble(program, strlen(program), &count, &error);

   assert_non_null(words);
   begin_words(words, count);
   free(words);
}

static enum mali_result
run(void)
{
   const struct mali_env env = { .vm = s.vm, .budget = &s.budget };

   return mali_compute(&env, &job, text);
}

static uint32_t
word(unsigned n)
{
   uint32_t value;

   assert_int_equal(vm_read(s.vm, DATA + 4 * n, &value, 4), 4);
   return value;
}

/* Each thread stores its number. */
static const char numbers[] = "LSHIFT_OR.i32 r4, r60, u0.b00, 0x0\n"
                              "LEA_BUFFER.slot0.wait0 @r2:r3, r4, u1\n"
                              "STORE.i32.slot0.wait0 @r60, r2, offset:0\n"
                              "NOP.end";

static void
stores(void **state)
{
   begin(numbers);
   assert_int_equal(run(), MALI_DONE);
   for (unsigned n = 0; n < WORDS; n++)
      assert_int_equal(word(n), n < 32 ? n : 0x55555555);
   stream_finish(&s);
}

static void
no_groups(void **state)
{
   begin(numbers);
   job.groups[1] = 0;
   assert_int_equal(run(), MALI_DONE);
   assert_int_equal(word(0), 0x55555555);
   stream_finish(&s);
}

/* Each is wrong in one way. */
static void
refused(void **state)
{
   enum {
      UNMAPPED_SHADER,
      TYPE,
      UNMAPPED_STORAGE,
      MANY_UNIFORMS,
      UNMAPPED_UNIFORMS,
      THREADS,
      GROUPS,
      BUDGET,
      FLUSH,
      KINDS
   };
   static const enum mali_result results[KINDS] = {
      [UNMAPPED_SHADER] = MALI_UNMAPPED,
      [TYPE] = MALI_FAULT,
      [UNMAPPED_STORAGE] = MALI_UNMAPPED,
      [MANY_UNIFORMS] = MALI_FAULT,
      [UNMAPPED_UNIFORMS] = MALI_UNMAPPED,
      [THREADS] = MALI_FAULT,
      [GROUPS] = MALI_EXHAUSTED,
      [BUDGET] = MALI_EXHAUSTED,
      [FLUSH] = MALI_MISSING,
   };

   for (unsigned n = 0; n < KINDS; n++) {
      const uint32_t type = 7, flush = MALI_TYPE_shader | MALI_FLUSH_abrupt << 17;

      begin(numbers);
      *text = 0;
      switch (n) {
      case UNMAPPED_SHADER:
         job.program = 0x100;
         break;
      case TYPE:
         put(SHADER, &type, 4);
         break;
      case UNMAPPED_STORAGE:
         job.storage = STREAM_BASE + STREAM_BYTES - 16;
         break;
      case MANY_UNIFORMS:
         job.uniforms |= UINT64_C(0xff) << 56;
         break;
      case UNMAPPED_UNIFORMS:
         job.uniforms = UINT64_C(1) << 56 | 0x100;
         break;
      case THREADS:
         job.group_size = 0x3fffffff;
         break;
      case GROUPS:
         job.groups[0] = job.groups[1] = job.groups[2] = UINT32_MAX;
         break;
      case BUDGET:
         s.budget = 1;
         break;
      default:
         put(SHADER, &flush, 4);
      }
      assert_int_equal(run(), results[n]);
      assert_true(*text);
      assert_int_equal(word(16), 0x55555555);
      stream_finish(&s);
   }
}

/* A load from nowhere, and a message that is not implemented. */
static void
faults(void **state)
{
   static const uint64_t load_tile = UINT64_C(0x0078b20473813c42);

   begin("LOAD.i32.unsigned.slot0.wait0 @r3, r0, offset:0\nNOP.end");
   assert_int_equal(run(), MALI_UNMAPPED);
   assert_non_null(strstr(text, "not mapped"));
   stream_finish(&s);
   begin_words(&load_tile, 1);
   assert_int_equal(run(), MALI_MISSING);
   assert_non_null(strstr(text, "LD_TILE"));
   stream_finish(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(stores),
      cmocka_unit_test(no_groups),
      cmocka_unit_test(refused),
      cmocka_unit_test(faults),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
