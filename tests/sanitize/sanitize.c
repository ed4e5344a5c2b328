/* SPDX-License-Identifier: MIT */
/*
 * The sanitizer over machine code: each kind is found where it is used, and not where what is bad
 * is thrown away; settings, suppressions and files.
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

#include "run_wave.h"
#include "sanitize/internal.h"
#include "sanitize/sanitize.h"

#define ALL ((1u << SANITIZE_KINDS) - 1)

static struct asm_program a;
static struct run_wave r;
static struct core_group group;
static uint32_t memory[CORE_LDS_BYTES / 4];
static const struct core_entry only_r0 = { .filled = { 15 } };

/* What is found in the program, of pixels if they export. */
static struct sanitizer *
look(const struct sanitizer_options *options, bool pixels, const struct core_entry *entry)
{
   struct sanitizer *s = sanitizer_create(options);

   assert_non_null(s);
   assert_true(asm_finish(&a));
   run_wave_init(&r, pixels ? SQ_STAGE_PS : SQ_STAGE_CS);
   r.bind.core.observer = sanitizer_observer(s);
   r.bind.core.entry = entry;
   r.wave.identity.stage = pixels ? CORE_PIXEL : CORE_COMPUTE;
   group = (struct core_group){ .lds = (uint8_t *)memory, .lds_bytes = 1024, .num_waves = 1 };
   r.wave.group = pixels ? NULL : &group;
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      const float number = (float)lane;

      r.gpr[0][0][lane] = 4 * lane;       /* an address */
      r.gpr[0][1][lane] = 4 * (lane ^ 1); /* the neighbour's */
      r.gpr[0][2][lane] = lane & 1;
      memcpy(&r.gpr[0][3][lane], &number, 4);
   }
   assert_true(run_wave(&r, a.words, a.num_words));
   assert_null(r.wave.observed);
   assert_null(group.observed);
   run_wave_free(&r);
   return s;
}

/* The kinds that it reports, a bit each. */
static uint32_t
kinds(struct sanitizer *s)
{
   uint32_t out = 0;
   char text[600];
   uint8_t kind;

   for (size_t n = 0; sanitizer_read(s, n, text, sizeof(text), &kind); n++) {
      assert_true(strstr(text, " program at 0x"));
      out |= 1u << kind;
   }
   sanitizer_destroy(s);
   return out;
}

static void
expect(bool pixels, const struct core_entry *entry, uint32_t expected)
{
   const struct sanitizer_options options = { .kinds = ALL, .quiet = true };

   assert_int_equal(kinds(look(&options, pixels, entry)), expected);
}

static void
one(unsigned op, unsigned dst, struct cayman_alu_src src)
{
   asm_one(&a, asm_op1(op, dst, 0, src));
}

static void
end_pixels(unsigned gpr)
{
   struct cayman_cf cf = {
      .op = CAYMAN_CF_EXPORT_DONE, .barrier = true, .type = CAYMAN_EXPORT_PIXEL, .rw_gpr = gpr
   };

   asm_alu_clause(&a, CAYMAN_CF_ALU);
   for (unsigned c = 1; c < 4; c++)
      cf.sel[c] = CAYMAN_SEL_1;
   asm_cf(&a, &cf);
}

/* What nobody wrote: exported, moved and exported; and what somebody did. */
static void
test_registers(void **unused)
{
   (void)unused;
   asm_init(&a);
   one(CAYMAN_ALU_MOV, 2, asm_gpr(1, 0));
   one(CAYMAN_ALU_MOV, 3, asm_gpr(2, 0));
   end_pixels(3);
   expect(true, &only_r0, 1u << SANITIZE_REGISTER);
   expect(true, &core_entry_all, 0);

   asm_init(&a);
   one(CAYMAN_ALU_MOV, 3, asm_gpr(2, 0)); /* which nobody uses */
   one(CAYMAN_ALU_MOV, 3, asm_sel(CAYMAN_SRC_1, 0));
   end_pixels(3);
   expect(true, &only_r0, 0);

   /* An AND with a zero takes nothing of it. */
   asm_init(&a);
   asm_one(&a, asm_op2(CAYMAN_ALU_AND_INT, 3, 0, asm_gpr(2, 0), asm_sel(CAYMAN_SRC_0, 0)));
   end_pixels(3);
   expect(true, &only_r0, 0);
   asm_init(&a);
   asm_one(&a, asm_op2(CAYMAN_ALU_AND_INT, 3, 0, asm_gpr(2, 0), asm_sel(CAYMAN_SRC_1_INT, 0)));
   end_pixels(3);
   expect(true, &only_r0, 1u << SANITIZE_REGISTER);

   /* A branch on it. */
   asm_init(&a);
   asm_begin_diverged(&a, 4);
   asm_end_diverged(&a);
   one(CAYMAN_ALU_MOV, 3, asm_sel(CAYMAN_SRC_1, 0));
   end_pixels(3);
   expect(true, &only_r0, 1u << SANITIZE_REGISTER);
}

/* 1 / x with a lane that has x = 0, exported, selected away, and clamped. */
static void
test_divisions(void **unused)
{
   (void)unused;
   asm_init(&a);
   one(CAYMAN_ALU_RECIP_IEEE, 3, asm_gpr(0, 3));
   end_pixels(3);
   expect(true, &core_entry_all, 1u << SANITIZE_DIVISION);

   asm_init(&a);
   one(CAYMAN_ALU_RECIP_IEEE, 3, asm_gpr(0, 3));
   asm_one(&a,
           asm_op3(CAYMAN_ALU_CNDE, 3, 0, asm_gpr(0, 3), asm_sel(CAYMAN_SRC_1, 0), asm_gpr(3, 0)));
   end_pixels(3);
   expect(true, &core_entry_all, 0);

   asm_init(&a);
   one(CAYMAN_ALU_RECIP_IEEE, 3, asm_gpr(0, 3));
   asm_one(&a, asm_op2(CAYMAN_ALU_MIN_DX10, 3, 0, asm_gpr(3, 0), asm_sel(CAYMAN_SRC_1, 0)));
   end_pixels(3);
   expect(true, &core_entry_all, 0);

   /* inf - inf is a NaN of the division's. */
   asm_init(&a);
   one(CAYMAN_ALU_RECIP_IEEE, 3, asm_gpr(0, 3));
   struct cayman_alu_src minus = asm_gpr(3, 0);
   minus.neg = true;
   asm_one(&a, asm_op2(CAYMAN_ALU_ADD, 3, 0, asm_gpr(3, 0), minus));
   end_pixels(3);
   expect(true, &core_entry_all, 1u << SANITIZE_DIVISION);
}

static void
test_numbers(void **unused)
{
   struct cayman_alu_src minus = asm_gpr(0, 3);

   (void)unused;
   minus.neg = true;
   asm_init(&a);
   one(CAYMAN_ALU_SQRT_IEEE, 3, minus);
   end_pixels(3);
   expect(true, &core_entry_all, 1u << SANITIZE_NAN);

   asm_init(&a);
   one(CAYMAN_ALU_SQRT_IEEE, 3, minus);
   asm_one(&a, asm_op2(CAYMAN_ALU_MAX_DX10, 3, 0, asm_gpr(3, 0), asm_sel(CAYMAN_SRC_1, 0)));
   end_pixels(3);
   expect(true, &core_entry_all, 0);

   asm_init(&a);
   struct cayman_alu scale =
      asm_op2(CAYMAN_ALU_MUL_IEEE, 3, 0, asm_gpr(0, 3), asm_sel(CAYMAN_SRC_LITERAL, 0));
   asm_slots(&a, &scale, 1, (const uint32_t[]){ 0x7f000000u }, 1);
   end_pixels(3);
   expect(true, &core_entry_all, 1u << SANITIZE_INFINITY);

   asm_init(&a);
   asm_slots(&a, &scale, 1, (const uint32_t[]){ 0x4f000000u }, 1);
   one(CAYMAN_ALU_FLT_TO_INT, 3, asm_gpr(3, 0));
   end_pixels(3);
   expect(true, &core_entry_all, 1u << SANITIZE_CONVERSION);

   asm_init(&a);
   asm_one(&a, asm_op2(CAYMAN_ALU_LSHL_INT, 3, 0, asm_sel(CAYMAN_SRC_1_INT, 0), asm_gpr(0, 0)));
   end_pixels(3);
   expect(true, &core_entry_all, 1u << SANITIZE_SHIFT);
}

static void
lds(unsigned op, struct cayman_alu_src address, struct cayman_alu_src value)
{
   asm_one(&a, (struct cayman_alu){ .op = CAYMAN_ALU_LDS_IDX_OP,
                                    .lds_op = (uint8_t)op,
                                    .src = { address, value, asm_sel(CAYMAN_SRC_0, 0) } });
}

/* Each lane writes its dword and reads its neighbour's, which decides a branch. */
static void
exchange(bool barrier, bool everyone)
{
   asm_init(&a);
   if (!everyone)
      asm_begin_diverged(&a, 5);
   lds(CAYMAN_LDS_WRITE, asm_gpr(0, 0), asm_gpr(0, 3));
   if (!everyone) {
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      asm_end_diverged(&a);
   }
   if (barrier)
      asm_one(&a, (struct cayman_alu){ .op = CAYMAN_ALU_GROUP_BARRIER });
   lds(CAYMAN_LDS_READ_RET, asm_gpr(0, 1), asm_sel(CAYMAN_SRC_0, 0));
   one(CAYMAN_ALU_MOV, 4, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_begin_diverged(&a, 4);
   asm_end_diverged(&a);
}

static void
test_shared(void **unused)
{
   (void)unused;
   exchange(false, true);
   expect(false, &core_entry_all, 1u << SANITIZE_RACE);
   exchange(true, true);
   expect(false, &core_entry_all, 0);
   /* R5.x is zero: nobody writes. */
   exchange(true, false);
   expect(false, &core_entry_all, 1u << SANITIZE_SHARED);
}

static void
test_barriers(void **unused)
{
   (void)unused;
   asm_init(&a);
   asm_one(&a, asm_op2(CAYMAN_ALU_AND_INT, 5, 0, asm_gpr(0, 2), asm_sel(CAYMAN_SRC_1_INT, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_begin_diverged(&a, 5);
   asm_one(&a, (struct cayman_alu){ .op = CAYMAN_ALU_GROUP_BARRIER });
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_end_diverged(&a);
   expect(false, &core_entry_all, 1u << SANITIZE_BARRIER);
}

/* A write beyond the end, and a read that decides a branch. */
static void
test_bounds(void **unused)
{
   static const uint32_t far[] = { 4096 };

   (void)unused;
   for (unsigned reads = 0; reads < 2; reads++) {
      struct cayman_alu add =
         asm_op2(CAYMAN_ALU_ADD_INT, 4, 0, asm_gpr(0, 0), asm_sel(CAYMAN_SRC_LITERAL, 0));

      asm_init(&a);
      asm_slots(&a, &add, 1, far, 1);
      lds(reads ? CAYMAN_LDS_READ_RET : CAYMAN_LDS_WRITE, asm_gpr(4, 0), asm_gpr(0, 3));
      if (reads)
         one(CAYMAN_ALU_MOV, 4, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0));
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      asm_begin_diverged(&a, 4);
      asm_end_diverged(&a);
      expect(false, &core_entry_all, 1u << SANITIZE_BOUNDS);
   }
}

static void
test_settings(void **unused)
{
   char wrong[32];

   (void)unused;
   assert_int_equal(sanitize_kinds(NULL, wrong), 0);
   assert_int_equal(sanitize_kinds("", wrong), 0);
   assert_int_equal(sanitize_kinds("0", wrong), 0);
   assert_int_equal(sanitize_kinds("all", wrong), ALL);
   assert_int_equal(sanitize_kinds("races,nan", wrong), 1u << SANITIZE_RACE | 1u << SANITIZE_NAN);
   assert_int_equal(sanitize_kinds("all,-shifts", wrong), ALL & ~(1u << SANITIZE_SHIFT));
   assert_int_equal(sanitize_kinds("-races", wrong),
                    sanitize_kinds("default", NULL) & ~(1u << SANITIZE_RACE));
   assert_int_equal(sanitize_kinds("1", wrong), sanitize_kinds("default", NULL));
   assert_int_equal(*wrong, 0);
   assert_int_equal(sanitize_kinds("races,rases", wrong), 1u << SANITIZE_RACE);
   assert_string_equal(wrong, "rases");
}

static void
read_file(const char *path, char *text, size_t size)
{
   FILE *in = fopen(path, "r");

   assert_non_null(in);
   text[fread(text, 1, size - 1, in)] = 0;
   fclose(in);
}

/* A finding is in the files with its count, unless it is suppressed; kinds that are not asked for
 * are not looked for. */
static void
test_files(void **unused)
{
   char folder[] = "/tmp/atoll-sanitize-XXXXXX", json[64], sarif[64], lines[64], text[8192];
   struct sanitizer_options options = { .kinds = ALL, .quiet = true, .json = json, .sarif = sarif };
   struct sanitizer *s;

   (void)unused;
   assert_non_null(mkdtemp(folder));
   snprintf(json, sizeof(json), "%s/a.json", folder);
   snprintf(sarif, sizeof(sarif), "%s/a.sarif", folder);
   snprintf(lines, sizeof(lines), "%s/lines", folder);
   for (unsigned suppressed = 0; suppressed < 2; suppressed++) {
      FILE *out = fopen(lines, "w");

      assert_non_null(out);
      fputs("# what is known\nnan *\n", out);
      fputs(suppressed ? "races *shared memory*\n" : "races *an image*\n", out);
      fclose(out);
      options.suppressions = lines;
      exchange(false, true);
      s = look(&options, false, &core_entry_all);
      assert_int_equal(sanitizer_count(s), suppressed ? 0 : 1);
      sanitizer_destroy(s);
      read_file(json, text, sizeof(text));
      assert_int_equal(strstr(text, "\"kind\": \"races\"") == NULL, suppressed);
      assert_int_equal(strstr(text, "\"count\": 64") == NULL, suppressed);
      read_file(sarif, text, sizeof(text));
      assert_non_null(strstr(text, "\"id\": \"races\""));
      assert_int_equal(strstr(text, "\"ruleId\": \"races\"") == NULL, suppressed);
   }
   options.suppressions = NULL;
   options.kinds = ALL & ~(1u << SANITIZE_RACE);
   s = look(&options, false, &core_entry_all);
   assert_int_equal(sanitizer_count(s), 0);
   sanitizer_destroy(s);
   unlink(json);
   unlink(sarif);
   unlink(lines);
   rmdir(folder);
}

/* Each draw has the last order that was told before it, however many there are. */
static void
test_order(void **state)
{
   const struct sanitizer_options options = { .kinds = ALL };
   struct sanitizer *s = sanitizer_create(&options);
   static struct core_wave wave;

   assert_non_null(s);
   for (uint32_t n = 1; n <= 300; n++)
      sanitizer_order(s, 7, 2 * n, n << 8);
   wave.identity.submission = 7;
   for (uint32_t draw = 0; draw <= 601; draw++) {
      wave.identity.draw = draw;
      assert_int_equal(order_of(s, &wave), draw / 2 << 8);
   }
   wave.identity.submission = 8;
   assert_int_equal(order_of(s, &wave), 0);
   sanitizer_destroy(s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_registers), cmocka_unit_test(test_divisions),
      cmocka_unit_test(test_numbers),   cmocka_unit_test(test_shared),
      cmocka_unit_test(test_barriers),  cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_settings),  cmocka_unit_test(test_files),
      cmocka_unit_test(test_order),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
