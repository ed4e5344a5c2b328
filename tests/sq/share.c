/* SPDX-License-Identifier: MIT */
/*
 * LDS and GDS operations, tessellation factors, rings and emitted vertices.  What an operation does
 * to memory is restated here and compared over random operands, also beyond the end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_wave.h"
#include "core/core.h"
#include "core/share.h"

#define BYTES 512u

static struct asm_program a;
static struct run_wave r;
static struct core_group group;
static struct core_rings rings;
static uint32_t memory[BYTES / 4], expected[BYTES / 4 + 1];
static uint32_t seed = 12345;

static uint32_t
rnd(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 8 ^ seed << 16;
}

static bool
run(void)
{
   return asm_finish(&a) && run_wave(&r, a.words, a.num_words);
}

/* ---- The operations, restated ---- */
static uint32_t
get(uint32_t at, unsigned size)
{
   uint32_t v = 0;
   at &= ~(size - 1u);
   if (at <= BYTES - size)
      memcpy(&v, (uint8_t *)expected + at, size);
   return v;
}

static void
put(uint32_t at, uint32_t v, unsigned size)
{
   at &= ~(size - 1u);
   if (at <= BYTES - size)
      memcpy((uint8_t *)expected + at, &v, size);
}

static void
model(const char *name, uint32_t offset, uint32_t p, uint32_t d, uint32_t e, uint32_t out[2])
{
   char op[32];
   uint32_t old = get(p, 4), second = p + offset * 4;
   snprintf(op, sizeof(op), "%s", name);
   bool ret = strlen(op) > 4 && !strcmp(op + strlen(op) - 4, "_RET");
   if (ret)
      op[strlen(op) - 4] = 0;
   out[0] = ret ? old : 0;
   out[1] = 0;
   float fo, fd;
   memcpy(&fo, &old, 4);
   memcpy(&fd, &d, 4);
#define IS(s) (!strcmp(op, s))
   if (IS("ADD"))
      put(p, old + d, 4);
   else if (IS("SUB"))
      put(p, old - d, 4);
   else if (IS("RSUB"))
      put(p, d - old, 4);
   else if (IS("INC"))
      put(p, old >= d ? 0 : old + 1, 4);
   else if (IS("DEC"))
      put(p, old == 0 || old > d ? d : old - 1, 4);
   else if (IS("MIN_INT"))
      put(p, (int32_t)d < (int32_t)old ? d : old, 4);
   else if (IS("MAX_INT"))
      put(p, (int32_t)d > (int32_t)old ? d : old, 4);
   else if (IS("MIN_UINT"))
      put(p, d < old ? d : old, 4);
   else if (IS("MAX_UINT"))
      put(p, d > old ? d : old, 4);
   else if (IS("AND"))
      put(p, old & d, 4);
   else if (IS("OR"))
      put(p, old | d, 4);
   else if (IS("XOR"))
      put(p, old ^ d, 4);
   else if (IS("MSKOR"))
      put(p, (old & ~d) | e, 4);
   else if (IS("WRITE") || IS("XCHG"))
      put(p, d, 4);
   else if (IS("CMP_STORE") || IS("CMP_XCHG"))
      put(p, old == d ? e : old, 4);
   else if (IS("CMP_STORE_SPF") || IS("CMP_XCHG_SPF"))
      put(p, fo == fd ? e : old, 4);
   else if (IS("BYTE_WRITE"))
      put(p, d & 255, 1);
   else if (IS("SHORT_WRITE"))
      put(p, d & 65535, 2);
   else if (IS("WRITE_REL") || IS("WRITE2") || IS("XCHG_REL") || IS("XCHG2")) {
      if (IS("WRITE2") || IS("XCHG2"))
         second = p + offset * 256;
      out[1] = ret ? get(second, 4) : 0;
      put(p, d, 4);
      put(second, e, 4);
   } else if (IS("READ_REL"))
      out[1] = get(second, 4);
   else if (IS("READ2"))
      out[1] = get(d, 4);
   else if (IS("READWRITE"))
      put(d, e, 4);
   else if (IS("BYTE_READ"))
      out[0] = (uint32_t)(int8_t)get(p, 1);
   else if (IS("UBYTE_READ"))
      out[0] = get(p, 1);
   else if (IS("SHORT_READ"))
      out[0] = (uint32_t)(int16_t)get(p, 2);
   else if (IS("USHORT_READ"))
      out[0] = get(p, 2);
   else if (!IS("READ"))
      fail_msg("no model of %s", name);
#undef IS
}

/* Operands that meet: addresses of a small range, values that are often equal. */
static void
fill(void)
{
   for (unsigned n = 0; n < BYTES / 4; n++)
      memory[n] = expected[n] = rnd() & 1 ? rnd() : rnd() & 3;
   for (unsigned lane = 0; lane < 64; lane++) {
      unsigned kind = rnd() & 7;
      r.gpr[1][0][lane] = kind == 0 ? rnd() : kind == 1 ? BYTES - 4 + (rnd() & 7) : rnd() & 255;
      for (unsigned c = 1; c < 3; c++)
         r.gpr[1][c][lane] = rnd() & 1 ? rnd() : rnd() & 7;
      r.gpr[3][0][lane] = r.gpr[3][1][lane] = 7777;
   }
}

static void
check(const char *name, uint32_t offset, uint64_t lanes, bool queue, bool returns)
{
   for (unsigned lane = 0; lane < 64; lane++) {
      uint32_t out[2] = { 0 };
      if (lanes >> lane & 1)
         model(name, offset, r.gpr[1][0][lane], r.gpr[1][1][lane], r.gpr[1][2][lane], out);
      else if (!queue)
         out[0] = out[1] = 7777;
      if (!returns || (queue && !(lanes >> lane & 1)))
         continue;
      if (r.gpr[3][0][lane] != out[0] || r.gpr[3][1][lane] != out[1])
         fail_msg("%s lane %u: 0x%x 0x%x, not 0x%x 0x%x", name, lane, r.gpr[3][0][lane],
                  r.gpr[3][1][lane], out[0], out[1]);
   }
   if (memcmp(memory, expected, BYTES))
      fail_msg("%s leaves other memory", name);
}

static void
test_lds(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds), tested = 0;
   for (unsigned op = 0; op < CAYMAN_LDS_ATOMIC_ORDERED_ALLOC_RET; op++) {
      const struct cayman_op_info *info = cayman_lds_info(op);
      if (!info->name)
         continue;
      const char *name = strncmp(info->name, "LDS_", 4) ? info->name : info->name + 4;
      for (unsigned offset = 0; offset < 2; offset++) {
         asm_init(&a);
         struct cayman_alu s = { .op = CAYMAN_ALU_LDS_IDX_OP,
                                 .lds_op = (uint8_t)op,
                                 .lds_offset = (uint8_t)(offset ? 3 : 0) };
         for (unsigned n = 0; n < 3; n++)
            s.src[n] = asm_gpr(1, n);
         asm_one(&a, s);
         if (info->returns) {
            struct cayman_alu pop[2] = {
               asm_op1(CAYMAN_ALU_MOV, 3, 0, asm_sel(CAYMAN_SRC_LDS_OQ_A, 0)),
               asm_op1(CAYMAN_ALU_MOV, 3, 1, asm_sel(CAYMAN_SRC_LDS_OQ_B_POP, 0)),
            };
            asm_slots(&a, pop, 2, NULL, 0);
            asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 4, 0, asm_sel(CAYMAN_SRC_LDS_OQ_A, 0)));
         }
         asm_alu_clause(&a, CAYMAN_CF_ALU);
         for (unsigned b = 0; b < num_builds; b++) {
            run_wave_init(&r, SQ_STAGE_LS);
            r.kernels = builds[b];
            group = (struct core_group){ .lds = (uint8_t *)memory, .lds_bytes = BYTES };
            r.wave.group = &group;
            r.wave.active = r.wave.valid = b ? ~(1ull << 9) : ~0ull;
            fill();
            if (!b)
               assert_true(asm_finish(&a));
            assert_true(run_wave(&r, a.words, a.num_words));
            check(name, s.lds_offset, r.wave.active, true, info->returns);
            for (unsigned lane = 0; lane < 64; lane++)
               assert_int_equal(r.gpr[4][0][lane], 0); /* popped */
            run_wave_free(&r);
         }
      }
      tested++;
   }
   assert_int_equal(tested, 46);
}

/* Entries come out in the order of the reads; what does not fit is lost; no group, no memory. */
static void
test_queue(void **state)
{
   asm_init(&a);
   struct cayman_alu s = { .op = CAYMAN_ALU_LDS_IDX_OP, .lds_op = CAYMAN_LDS_READ_RET };
   for (unsigned n = 0; n < 3; n++) {
      s.src[0] = asm_gpr(1, n);
      asm_one(&a, s);
   }
   for (unsigned n = 0; n < 3; n++) {
      /* One group sees one head, however often it is named. */
      struct cayman_alu pop[2] = {
         asm_op1(CAYMAN_ALU_MOV, 3, n, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0)),
         asm_op1(CAYMAN_ALU_MOV, 4, 3, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0)),
      };
      asm_slots(&a, pop, 2, NULL, 0);
   }
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   run_wave_init(&r, SQ_STAGE_HS);
   group = (struct core_group){ .lds = (uint8_t *)memory, .lds_bytes = BYTES };
   r.wave.group = &group;
   for (unsigned n = 0; n < BYTES / 4; n++)
      memory[n] = n * 3;
   for (unsigned lane = 0; lane < 64; lane++)
      for (unsigned c = 0; c < 3; c++)
         r.gpr[1][c][lane] = (lane + c * 7) * 4;
   assert_true(run());
   for (unsigned lane = 0; lane < 64; lane++) {
      for (unsigned c = 0; c < 3; c++)
         assert_int_equal(r.gpr[3][c][lane], (lane + c * 7) * 3);
      assert_int_equal(r.gpr[4][3][lane], (lane + 14) * 3);
   }
   r.wave.group = NULL;
   assert_true(run_wave_again(&r));
   assert_int_equal(r.gpr[3][0][5], 0);
   run_wave_free(&r);

   asm_init(&a);
   s.src[0] = asm_gpr(1, 0);
   for (unsigned n = 0; n < 100; n++)
      asm_one(&a, s);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   for (unsigned n = 0; n < 100; n++)
      asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 3, 0, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   run_wave_init(&r, SQ_STAGE_HS);
   r.wave.group = &group;
   assert_true(run());
   assert_int_equal(r.gpr[3][0][0], 0);
   run_wave_free(&r);
}

static void
test_gds(void **state)
{
   unsigned tested = 0;
   for (unsigned op = 0; op < CAYMAN_GDS_ATOMIC_ORDERED_ALLOC_RET; op++) {
      const struct cayman_op_info *info = cayman_gds_info(op);
      if (!info->name)
         continue;
      const char *name = strncmp(info->name, "GDS_", 4) ? info->name : info->name + 4;
      asm_init(&a);
      struct cayman_fetch f = { .kind = CAYMAN_FETCH_GDS };
      f.gds = (struct cayman_gds){ .op = CAYMAN_MEM_GDS,
                                   .gds_op = (uint8_t)op,
                                   .src_gpr = 1,
                                   .src_sel = { 0, 1, 2 },
                                   .dst_gpr = 3,
                                   .dst_sel = { 0, 1, CAYMAN_SEL_MASK, CAYMAN_SEL_MASK } };
      asm_fetch(&a, &f);
      struct cayman_cf cf = { .op = CAYMAN_CF_GDS, .barrier = true };
      asm_clause(&a, &cf);
      run_wave_init(&r, SQ_STAGE_PS);
      r.bind.gds = (uint8_t *)memory;
      r.bind.gds_bytes = BYTES;
      r.wave.active = r.wave.valid = ~(1ull << 9);
      fill();
      assert_true(run());
      assert_true(r.program->core.writes_memory);
      check(name, 0, r.wave.active, false, info->returns);
      run_wave_free(&r);
      tested++;
   }
   assert_int_equal(tested, 46);
}

static void
test_tess_factors(void **state)
{
   asm_init(&a);
   struct cayman_fetch f = { .kind = CAYMAN_FETCH_GDS };
   f.gds = (struct cayman_gds){ .op = CAYMAN_MEM_TF_WRITE,
                                .src_gpr = 1,
                                .src_sel = { 0, 1, CAYMAN_SEL_0 },
                                .dst_sel = { 7, 7, 7, 7 } };
   asm_fetch(&a, &f);
   struct cayman_cf cf = { .op = CAYMAN_CF_GDS, .barrier = true };
   asm_clause(&a, &cf);
   run_wave_init(&r, SQ_STAGE_HS);
   group = (struct core_group){ .tf = (uint8_t *)memory, .tf_bytes = 40 };
   r.wave.group = &group;
   memset(memory, 0, sizeof(memory));
   for (unsigned lane = 0; lane < 64; lane++) {
      r.gpr[1][0][lane] = lane * 4;
      r.gpr[1][1][lane] = lane + 100;
   }
   assert_true(run());
   assert_false(r.program->core.writes_memory);
   for (unsigned n = 0; n < 20; n++)
      assert_int_equal(memory[n], n < 10 ? n + 100 : 0);
   run_wave_free(&r);
}

static void
test_rings(void **state)
{
   static uint32_t storage[64 * 32 + 4];
   for (unsigned ind = 0; ind < 2; ind++) {
      for (unsigned n = 0; n < 4; n++) {
         asm_init(&a);
         struct cayman_cf w = { .op =
                                   (uint16_t)(n ? CAYMAN_CF_MEM_RING1 + n - 1 : CAYMAN_CF_MEM_RING),
                                .type = ind ? CAYMAN_MEM_WRITE_IND : CAYMAN_MEM_WRITE,
                                .rw_gpr = 2,
                                .index_gpr = 1,
                                .elem_size = 3,
                                .burst_count = 1,
                                .comp_mask = 13,
                                .array_base = 4,
                                .array_size = 0xfff,
                                .barrier = true };
         asm_cf(&a, &w);
         run_wave_init(&r, SQ_STAGE_GS);
         memset(storage, 0xee, sizeof(storage));
         memset(&rings, 0, sizeof(rings));
         rings.ring[n] = (struct core_ring){ storage, 2, 32, 16 };
         r.wave.rings = &rings;
         r.wave.active = r.wave.valid = ~4ull;
         for (unsigned lane = 0; lane < 64; lane++) {
            r.gpr[1][0][lane] = (lane % 5) - 2;
            for (unsigned c = 0; c < 8; c++)
               r.gpr[2 + c / 4][c % 4][lane] = lane * 100 + c;
         }
         assert_true(run());
         for (unsigned d = 0; d < sizeof(storage) / 4; d++) {
            uint32_t want = 0xeeeeeeeeu;
            for (unsigned lane = 0; lane < 64; lane++) {
               for (unsigned c = 0; c < 8 && lane != 2; c++) {
                  int64_t at = 4 + (int)c + (ind ? ((int)(lane % 5) - 2) * 4 : 0);
                  if ((13 >> c % 4 & 1) && at >= 0 && at < 16 && d == 2 + lane * 32 + at)
                     want = lane * 100 + c;
               }
            }
            assert_int_equal(storage[d], want);
         }
         /* No rings: nothing happens. */
         r.wave.rings = NULL;
         assert_true(run_wave_again(&r));
         run_wave_free(&r);
      }
   }
}

/* Lanes 0..31 emit three vertices, the others one; strips are cut after the second. */
static void
test_emit(void **state)
{
   asm_init(&a);
   struct cayman_cf emit = { .op = CAYMAN_CF_EMIT_VERTEX, .count = 2, .barrier = true };
   struct cayman_cf emit_cut = { .op = CAYMAN_CF_EMIT_CUT_VERTEX, .count = 2, .barrier = true };
   struct cayman_cf cut = { .op = CAYMAN_CF_CUT_VERTEX, .count = 1, .barrier = true };
   asm_cf(&a, &emit);
   struct cayman_alu p = { .op = CAYMAN_ALU_PRED_SETE_INT,
                           .update_exec_mask = true,
                           .update_pred = true };
   p.src[0] = asm_gpr(1, 0);
   p.src[1] = asm_sel(CAYMAN_SRC_0, 0);
   asm_one(&a, p);
   asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
   asm_cf(&a, &emit_cut);
   asm_cf(&a, &emit);
   asm_branch(&a, CAYMAN_CF_POP, 4, 1);
   asm_cf(&a, &cut);
   for (unsigned limit = 0; limit < 5; limit++) {
      run_wave_init(&r, SQ_STAGE_GS);
      memset(&rings, 0, sizeof(rings));
      rings.max_verts = limit;
      r.wave.rings = &rings;
      for (unsigned lane = 32; lane < 64; lane++)
         r.gpr[1][0][lane] = 1;
      if (limit == 0)
         assert_true(run());
      else
         assert_true(run_wave(&r, a.words, a.num_words));
      for (unsigned lane = 0; lane < 64; lane++) {
         unsigned want = lane < 32 ? 3 : 1;
         assert_int_equal(rings.emitted[2][lane], want < limit ? want : limit);
         assert_int_equal(rings.emitted[0][lane], 0);
         assert_int_equal(rings.restart[1][0][lane], 1);
         assert_int_equal(rings.restart[2][0][lane], lane < 32 ? 1u << (limit < 2 ? limit : 2) : 0);
      }
      run_wave_free(&r);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lds),   cmocka_unit_test(test_queue),
      cmocka_unit_test(test_gds),   cmocka_unit_test(test_tess_factors),
      cmocka_unit_test(test_rings), cmocka_unit_test(test_emit),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
