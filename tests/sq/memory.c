/* SPDX-License-Identifier: MIT */
/*
 * What lies outside a wave's registers: constants found at run time, scratch, gradients, the
 * program cache.
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

static struct asm_program a;
static struct run_wave r;

static bool
run(void)
{
   return asm_finish(&a) && run_wave(&r, a.words, a.num_words);
}

static void
mova(unsigned dst, struct cayman_alu_src src)
{
   struct cayman_alu s = { .op = CAYMAN_ALU_MOVA_INT, .mova_dst = (uint8_t)dst };
   s.src[0] = src;
   asm_one(&a, s);
}

/* Banks through CF_IDX0, dwords through AR and aL, the end of what is locked. */
static void
test_indexed_constants(void **state)
{
   static uint32_t bank[16][64 * 4];
   for (unsigned b = 0; b < 16; b++)
      for (unsigned n = 0; n < 256; n++)
         bank[b][n] = b << 16 | n;
   asm_init(&a);
   mova(CAYMAN_MOVA_CF_IDX0, asm_sel(CAYMAN_SRC_1_INT, 0));
   asm_alu_clause(&a, CAYMAN_CF_ALU);

   struct cayman_cf cf = { .op = CAYMAN_CF_ALU, .barrier = true, .extended = true };
   cf.kcache[0] = (struct cayman_kcache){ .bank = 2, .mode = CAYMAN_KCACHE_LOCK_1, .addr = 1 };
   cf.kcache[0].index_mode = CAYMAN_CF_INDEX_0;
   cf.kcache[1] = (struct cayman_kcache){ .bank = 5, .mode = CAYMAN_KCACHE_LOCK_2 };
   cf.kcache[2] = (struct cayman_kcache){ .bank = 7, .mode = CAYMAN_KCACHE_LOCK_1, .addr = 3 };
   mova(CAYMAN_MOVA_AR_X, asm_gpr(1, 0));
   struct cayman_alu s[4] = {
      asm_op1(CAYMAN_ALU_MOV, 2, 0, asm_sel(CAYMAN_SRC_KCACHE0 + 3, 2)),
      asm_op1(CAYMAN_ALU_MOV, 2, 1, asm_sel(CAYMAN_SRC_KCACHE1 + 4, 1)),
      asm_op1(CAYMAN_ALU_MOV, 2, 2, asm_sel(CAYMAN_SRC_KCACHE2 + 1, 0)),
      asm_op1(CAYMAN_ALU_MOV, 2, 3, asm_sel(CAYMAN_SRC_KCACHE2 + 20, 0)),
   };
   s[1].src[0].rel = true;
   asm_slots(&a, s, 4, NULL, 0);
   asm_clause(&a, &cf);

   run_wave_init(&r, SQ_STAGE_VS);
   for (unsigned b = 0; b < 16; b++) {
      r.kcache[b] = bank[b];
      r.kcache_bytes[b] = sizeof(bank[b]);
   }
   for (unsigned lane = 0; lane < 64; lane++)
      r.gpr[1][0][lane] = lane;
   assert_true(run());
   for (unsigned lane = 0; lane < 64; lane++) {
      assert_int_equal(r.gpr[2][0][lane], 3 << 16 | (64 + 3 * 4 + 2));
      uint32_t dword = (4 + lane) * 4 + 1;
      assert_int_equal(r.gpr[2][1][lane], dword < 128 ? 5u << 16 | dword : 0x7fffffffu);
      assert_int_equal(r.gpr[2][2][lane], 7 << 16 | (3 * 64 + 4));
      assert_int_equal(r.gpr[2][3][lane], 0x7fffffffu); /* only one line is locked */
   }
   run_wave_free(&r);

   /* A set that was not locked. */
   asm_init(&a);
   struct cayman_cf none = { .op = CAYMAN_CF_ALU, .barrier = true };
   asm_one(&a, s[0]);
   asm_clause(&a, &none);
   run_wave_init(&r, SQ_STAGE_VS);
   assert_false(run());
   assert_non_null(strstr(r.wave.fault, "not locked"));
   run_wave_free(&r);
}

/* Elements of scratch: one for each lane, by an index that differs; one for all, by an index; and
 * one without. */
enum { SPREAD, ALIKE, PLAIN, SCRATCHES };

static void
scratch_case(unsigned kind)
{
   const bool indexed = kind != PLAIN;

   asm_init(&a);
   struct cayman_cf w = { .op = CAYMAN_CF_MEM_WR_SCRATCH,
                          .type = indexed ? CAYMAN_MEM_WRITE_IND_ACK : CAYMAN_MEM_WRITE_ACK,
                          .rw_gpr = 2,
                          .index_gpr = 1,
                          .elem_size = 3,
                          .comp_mask = 15,
                          .array_base = indexed ? 0 : 4,
                          .array_size = 9,
                          .barrier = true };
   asm_cf(&a, &w);
   struct cayman_fetch f = { .kind = CAYMAN_FETCH_MEM };
   f.mem = (struct cayman_mem){ .op = CAYMAN_MEM_RD_SCRATCH,
                                .elem_size = 3,
                                .uncached = true,
                                .indexed = indexed,
                                .src_gpr = 1,
                                .dst_gpr = 3,
                                .dst_sel = { 3, 2, 1, CAYMAN_SEL_MASK },
                                .array_base = indexed ? 0 : 4,
                                .array_size = 9,
                                .data_format = CAYMAN_FMT_32_32_32_32 };
   asm_fetch(&a, &f);
   struct cayman_cf tc = { .op = CAYMAN_CF_TC, .barrier = true };
   asm_clause(&a, &tc);
   run_wave_init(&r, SQ_STAGE_VS);
   r.wave.active = r.wave.valid = ~2ull;
   for (unsigned lane = 0; lane < 64; lane++) {
      r.gpr[1][0][lane] = kind == SPREAD ? lane - 3 : lane == 1 ? 8 : 4; /* clamped to 0..9 */
      for (unsigned c = 0; c < 4; c++) {
         r.gpr[2][c][lane] = lane * 10 + c;
         r.gpr[3][c][lane] = 7777;
      }
   }
   assert_true(run());
   for (unsigned lane = 0; lane < 64; lane++) {
      int element = kind != SPREAD ? 4 : lane < 3 ? 0 : lane > 12 ? 9 : (int)lane - 3;
      const uint32_t *dwords = (const uint32_t *)r.scratch;
      if (lane == 1) {
         assert_int_equal(r.gpr[3][0][lane], 7777);
         assert_int_equal(dwords[(4 * 4 + 1) * 64 + lane], 0);
         continue;
      }
      assert_int_equal(dwords[(element * 4 + 1) * 64 + lane], lane * 10 + 1);
      assert_int_equal(r.gpr[3][0][lane], lane * 10 + 3);
      assert_int_equal(r.gpr[3][2][lane], lane * 10 + 1);
      assert_int_equal(r.gpr[3][3][lane], 7777);
   }
   run_wave_free(&r);
}

static void
test_scratch(void **state)
{
   for (unsigned kind = 0; kind < SCRATCHES; kind++)
      scratch_case(kind);
}

static void
test_gradients(void **state)
{
   for (unsigned fine = 0; fine < 2; fine++) {
      asm_init(&a);
      /* The third one writes the registers that it reads, the other way round. */
      for (unsigned n = 0; n < 3; n++) {
         const bool v = n == 1, swaps = n == 2;
         struct cayman_fetch f = { .kind = CAYMAN_FETCH_TEX };
         f.tex =
            (struct cayman_tex){ .op = v ? CAYMAN_TEX_GET_GRADIENTS_V : CAYMAN_TEX_GET_GRADIENTS_H,
                                 .inst_mod = (uint8_t)fine,
                                 .src_gpr = 1,
                                 .dst_gpr = (uint8_t)(swaps ? 1 : 2 + v),
                                 .src_sel = { 0, 1, 2, 3 },
                                 .dst_sel = { swaps, !swaps, CAYMAN_SEL_1, CAYMAN_SEL_MASK } };
         asm_fetch(&a, &f);
      }
      struct cayman_cf tc = { .op = CAYMAN_CF_TC, .barrier = true };
      asm_clause(&a, &tc);
      run_wave_init(&r, SQ_STAGE_PS);
      for (unsigned lane = 0; lane < 64; lane++) {
         float x = (float)(lane * lane), y = (float)(lane % 4 * 5);
         memcpy(&r.gpr[1][0][lane], &x, 4);
         memcpy(&r.gpr[1][1][lane], &y, 4);
      }
      assert_true(run());
      assert_true(r.program->core.needs_helpers);
      for (unsigned lane = 0; lane < 64; lane++) {
         unsigned q = lane & ~3u, row = fine ? lane & 2 : 0, column = fine ? lane & 1 : 0;
         float want_h = (float)((q + row + 1) * (q + row + 1)) - (float)((q + row) * (q + row));
         float want_v =
            (float)((q + column + 2) * (q + column + 2)) - (float)((q + column) * (q + column));
         float h, v, one;
         memcpy(&h, &r.gpr[2][0][lane], 4);
         memcpy(&v, &r.gpr[3][0][lane], 4);
         memcpy(&one, &r.gpr[3][2][lane], 4);
         assert_true(h == want_h && v == want_v && one == 1.0f);
         /* y is 5 for each column. */
         const float of_y = 5.0f;
         assert_memory_equal(&r.gpr[1][0][lane], &of_y, 4);
         assert_memory_equal(&r.gpr[1][1][lane], &want_h, 4);
         assert_memory_equal(&r.gpr[1][2][lane], &one, 4);
      }
      run_wave_free(&r);
   }
}

/* A hit needs equal words at an equal address; what was read before it was written is zero. */
static void
test_cache(void **state)
{
   asm_init(&a);
   asm_one(&a, asm_op2(CAYMAN_ALU_ADD_INT, 2, 0, asm_gpr(3, 0), asm_sel(CAYMAN_SRC_1_INT, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_export(&a, CAYMAN_EXPORT_PARAM, 0, 2);
   assert_true(asm_finish(&a));
   run_wave_init(&r, SQ_STAGE_VS);
   struct core_cache *cache = sq_cache_create(CAYMAN_VLIW4, r.kernels);
   assert_non_null(cache);
   struct sq_program_source source = r.source;
   source.words = a.words;
   source.num_words = a.num_words;
   const struct sq_program *first = sq_cache_get(cache, 0x1000, 0, &source);
   assert_non_null(first);
   assert_null(first->core.error);
   assert_int_equal(first->core.words_used, a.num_words);
   assert_ptr_equal(first, sq_cache_get(cache, 0x1000, 0, &source));
   /* Longer memory, the same program. */
   source.num_words += 16;
   assert_ptr_equal(first, sq_cache_get(cache, 0x1000, 0, &source));
   source.num_words -= 16;
   assert_ptr_not_equal(first, sq_cache_get(cache, 0x2000, 0, &source));
   static uint32_t other[64];
   memcpy(other, a.words, a.num_words * 4);
   other[a.num_words - 2] ^= 1; /* another register */
   source.words = other;
   const struct sq_program *second = sq_cache_get(cache, 0x1000, 0, &source);
   assert_ptr_not_equal(first, second);
   source.words = a.words;
   assert_ptr_equal(first, sq_cache_get(cache, 0x1000, 0, &source));
   source.pgm_resources ^= 1;
   assert_ptr_not_equal(first, sq_cache_get(cache, 0x1000, 0, &source));
   core_cache_destroy(cache);

   memset(r.gpr, 0xaa, sizeof(r.gpr));
   struct core_entry entry = { .filled = { 0xf } };
   r.bind.core.entry = &entry;
   assert_true(run_wave(&r, a.words, a.num_words));
   assert_int_equal(r.outputs.param[0][0][11], 1);
   run_wave_free(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_indexed_constants),
      cmocka_unit_test(test_scratch),
      cmocka_unit_test(test_gradients),
      cmocka_unit_test(test_cache),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
