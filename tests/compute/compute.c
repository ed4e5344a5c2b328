/* SPDX-License-Identifier: MIT */
/*
 * Work groups, their LDS and barriers, random access targets and GDS: what a dispatch leaves in
 * memory, for any number of worker threads and by each kernel build; and what hostile ones do.
 */
#include "launch.h"

/* Every thread once, with the right numbers, whatever the shape. */
static void
ids(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 7, 5, 3 }, .groups = { 3, 2, 4 }, .elements = OUT_MAX };
   const uint32_t strides[] = { 7, 35, 105, 315, 630 };
   struct cayman_alu s;

   /* R2.x = x + 7 y + 35 z + 105 X + 315 Y + 630 Z; R3.x = that and 0x1000. */
   asm_init(&a);
   s = asm_op1(CAYMAN_ALU_MOV, 2, 0, asm_gpr(0, 0));
   asm_one(&a, s);
   for (unsigned n = 0; n < 5; n++) {
      s = asm_op3(CAYMAN_ALU_MULADD_UINT24, 2, 0, asm_gpr((n + 1) / 3, (n + 1) % 3), lit(),
                  asm_gpr(2, 0));
      asm_slots(&a, &s, 1, &strides[n], 1);
   }
   s = asm_op2(CAYMAN_ALU_ADD_INT, 3, 0, asm_gpr(2, 0), lit());
   asm_slots(&a, &s, 1, (const uint32_t[]){ 0x1000 }, 1);
   alu();
   rat(CAYMAN_RAT_STORE_TYPED, 3, 2);
   launch(&d, &l);
   for (uint32_t n = 0; n < OUT_MAX; n++)
      assert_int_equal(out(&d)[n], n < 105 * 24 ? n + 0x1000 : 0);
   door_end(&d);
}

/* Waves meet at a barrier: each reads what another has written to LDS, twice. */
static void
barriers(void **state)
{
   struct door d = door_begin();
   const struct launch l = {
      .block = { 200, 1, 1 }, .groups = { 5, 1, 1 }, .lds_dwords = 200, .elements = OUT_MAX
   };
   struct cayman_alu s[2];

   asm_init(&a);
   number(200);
   shift(3, 0, 2);
   lds(CAYMAN_LDS_WRITE, asm_gpr(3, 0), asm_gpr(2, 0));
   barrier();
   /* R4.x = (199 - x) * 4 */
   s[0] = asm_op2(CAYMAN_ALU_SUB_INT, 4, 0, lit(), asm_gpr(3, 0));
   asm_slots(&a, s, 1, (const uint32_t[]){ 199 * 4 }, 1);
   lds(CAYMAN_LDS_READ_RET, asm_gpr(4, 0), asm_gpr(4, 0));
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 5, 0, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0)));
   barrier();
   lds(CAYMAN_LDS_ADD, asm_gpr(4, 0), asm_sel(CAYMAN_SRC_1_INT, 0));
   barrier();
   lds(CAYMAN_LDS_READ_RET, asm_gpr(3, 0), asm_gpr(3, 0));
   s[0] = asm_op2(CAYMAN_ALU_ADD_INT, 5, 0, asm_sel(CAYMAN_SRC_LDS_OQ_A_POP, 0), asm_gpr(5, 0));
   asm_one(&a, s[0]);
   alu();
   rat(CAYMAN_RAT_STORE_TYPED, 5, 2);
   launch(&d, &l);
   for (uint32_t n = 0; n < 1000; n++) {
      const uint32_t g = n / 200, x = n % 200;

      assert_int_equal(out(&d)[n], (g * 200 + 199 - x) + (g * 200 + x + 1));
   }
   door_end(&d);
}

/* Exchange on one dword: a chain in the order of groups, waves, lanes. */
static void
exchange(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 130, 1, 1 }, .groups = { 9, 1, 1 }, .elements = OUT_MAX };
   struct cayman_alu s[3];

   asm_init(&a);
   number(130);
   s[0] = asm_op2(CAYMAN_ALU_ADD_INT, 3, 0, asm_gpr(2, 0), asm_sel(CAYMAN_SRC_1_INT, 0));
   s[1] = asm_op1(CAYMAN_ALU_MOV, 3, 1, asm_gpr(0, 0));
   asm_slots(&a, s, 2, NULL, 0);
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 4, 0, asm_sel(CAYMAN_SRC_0, 0)));
   alu();
   rat(CAYMAN_RAT_XCHG_RTN, 3, 4);
   fetch_return(0);
   asm_one(&a, asm_op2(CAYMAN_ALU_ADD_INT, 2, 0, asm_gpr(2, 0), asm_sel(CAYMAN_SRC_1_INT, 0)));
   alu();
   rat(CAYMAN_RAT_STORE_TYPED, 5, 2);
   launch(&d, &l);
   assert_int_equal(out(&d)[0], 9 * 130);
   for (uint32_t n = 0; n < 9 * 130; n++)
      assert_int_equal(out(&d)[n + 1], n);
   door_end(&d);
}

/* 400 groups of 256 threads each add `value` to one of eight dwords; each dword is `sum` then. */
static void
add_up(struct cayman_alu_src value, uint32_t sum)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 256, 1, 1 }, .groups = { 40, 10, 1 }, .elements = OUT_MAX };
   struct cayman_alu s;

   asm_init(&a);
   s = asm_op2(CAYMAN_ALU_AND_INT, 2, 0, asm_gpr(0, 0), lit());
   asm_slots(&a, &s, 1, (const uint32_t[]){ 7 }, 1);
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 3, 0, value));
   alu();
   rat(CAYMAN_RAT_ADD, 3, 2);
   launch(&d, &l);
   for (uint32_t n = 0; n < 8; n++)
      assert_int_equal(out(&d)[n], sum);
   assert_int_equal(out(&d)[8], 0);
   door_end(&d);
}

/* Additions without a result: on all workers, and none is lost. */
static void
sums(void **state)
{
   add_up(asm_gpr(1, 0), 780 * 10 * 32);
}

/* A wave's number in its group is all that a program may see, whatever worker runs it. */
static void
wave_numbers(void **state)
{
   add_up(asm_sel(CAYMAN_SRC_HW_WAVE_ID, 0), (0 + 1 + 2 + 3) * 64 / 8 * 400);
}

/* Texels of an array's view, in its format; the component mask; what lies outside. */
static void
images(void **state)
{
   struct door d = door_begin();
   const struct launch l = {
      .block = { 12, 8, 4 }, .groups = { 1, 1, 1 }, .elements = 1, .image = true
   };
   const uint32_t scale = 0x3b808081; /* 1 / 255 */

   memset(out(&d), 0x55, RETURNS - OUT);
   asm_init(&a);
   for (unsigned c = 0; c < 3; c++) {
      struct cayman_alu s;

      s = asm_op2(CAYMAN_ALU_ADD_INT, 3, c, asm_gpr(0, c), lit());
      asm_slots(&a, &s, 1, (const uint32_t[]){ 16 * (c + 1) }, 1);
      asm_one(&a, asm_op1(CAYMAN_ALU_INT_TO_FLT, 3, c, asm_gpr(3, c)));
      s = asm_op2(CAYMAN_ALU_MUL_IEEE, 3, c, asm_gpr(3, c), lit());
      asm_slots(&a, &s, 1, &scale, 1);
   }
   alu();
   rat(CAYMAN_RAT_STORE_TYPED, 3, 0);
   a.cf[a.num_cfs - 1].comp_mask = 7;
   launch(&d, &l);
   for (uint32_t n = 0; n < OUT_MAX; n++) {
      const uint32_t x = n % 64, y = n / 64 % 8, z = n / 512 - 1;
      const bool inside = x < 10 && y < 6 && z < 2;
      const uint32_t want =
         inside ? 0x55000000 | (48 + z) << 16 | (32 + y) << 8 | (16 + x) : 0x55555555;

      if (out(&d)[n] != want)
         fail_msg("texel %u,%u of layer %u is 0x%08x, not 0x%08x", x, y, z, out(&d)[n], want);
   }
   door_end(&d);
}

/* Texels come back through the return buffer; outside they are zero. */
static void
loads(void **state)
{
   struct door d = door_begin();
   const struct launch l = {
      .block = { 12, 8, 4 }, .groups = { 1, 1, 1 }, .elements = 384, .image = true
   };
   struct cayman_alu s;

   for (uint32_t n = 0; n < 3 * 512; n++)
      out(&d)[n] = n * 0x9e3779b9u;
   asm_init(&a);
   s = asm_op3(CAYMAN_ALU_MULADD_UINT24, 2, 0, asm_gpr(0, 1), lit(), asm_gpr(0, 0));
   asm_slots(&a, &s, 1, (const uint32_t[]){ 12 }, 1);
   s = asm_op3(CAYMAN_ALU_MULADD_UINT24, 2, 0, asm_gpr(0, 2), lit(), asm_gpr(2, 0));
   asm_slots(&a, &s, 1, (const uint32_t[]){ 96 }, 1);
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 3, 1, asm_gpr(2, 0)));
   alu();
   rat(CAYMAN_RAT_NOP_RTN, 3, 0);
   fetch_return(2);
   rat(CAYMAN_RAT_STORE_TYPED, 5, 2);
   a.cf[a.num_cfs - 1].rat_id = 1;
   launch(&d, &l);
   for (uint32_t n = 0; n < 384; n++) {
      const uint32_t x = n % 12, y = n / 12 % 8, z = n / 96;
      const bool inside = x < 10 && y < 6 && z < 2;

      assert_int_equal(d.mem[SECOND / 4 + n],
                       inside ? ((z + 1) * 512 + y * 64 + x) * 0x9e3779b9u : 0);
   }
   door_end(&d);
}

/* Counters in GDS. */
static void
counters(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 70, 1, 1 }, .groups = { 3, 1, 1 }, .elements = OUT_MAX };
   struct cayman_fetch f = { .kind = CAYMAN_FETCH_GDS };
   struct cayman_cf gds = { .op = CAYMAN_CF_GDS, .barrier = true };
   struct cayman_alu s[2];
   struct ib ib = { 0 };

   asm_init(&a);
   number(70);
   s[0] = asm_op1(CAYMAN_ALU_MOV, 3, 0, lit());
   s[1] = asm_op1(CAYMAN_ALU_MOV, 3, 1, asm_sel(CAYMAN_SRC_1_INT, 0));
   asm_slots(&a, s, 2, (const uint32_t[]){ 12 }, 1);
   alu();
   f.gds = (struct cayman_gds){ .op = CAYMAN_MEM_GDS,
                                .gds_op = CAYMAN_GDS_ADD_RET,
                                .src_gpr = 3,
                                .src_sel = { 0, 1, CAYMAN_SEL_0 },
                                .dst_gpr = 5,
                                .dst_sel = { 0, 7, 7, 7 } };
   asm_fetch(&a, &f);
   asm_clause(&a, &gds);
   rat(CAYMAN_RAT_STORE_TYPED, 5, 2);
   assert_true(asm_finish(&a));
   memcpy((uint8_t *)d.mem + PROGRAM, a.words, a.num_words * 4);
   out(&d)[1000] = 50;
   IB_ADD(&ib, PM4_CP_DMA, VA_BASE + OUT + 4000, CP_DMA_DST_GDS << 20, 12, 0, CP_DMA_DAS | 4);
   launch_ib(&ib, &l);
   IB_ADD(&ib, PM4_EVENT_WRITE_EOS, 0x2f | 6 << 8, VA_BASE + OUT + 4004, EOS_GDS_TO_MEM << 29,
          3 | 1 << 16);
   door_run(&d, &ib);
   assert_int_equal(out(&d)[1001], 50 + 210);
   for (uint32_t n = 0; n < 210; n++)
      assert_int_equal(out(&d)[n], 50 + n);
   door_end(&d);
}

/* ---- Hostile ---- */

/* Waves that meet at barriers for ever; one wave that waits where the others do not. */
static void
endless(void **state)
{
   struct door d = door_begin();
   struct launch l = { .block = { 192, 1, 1 }, .groups = { 70, 1, 1 }, .elements = OUT_MAX };

   asm_init(&a);
   const unsigned loop = asm_branch(&a, CAYMAN_CF_LOOP_START_DX10, 3, 0);
   barrier();
   alu();
   asm_branch(&a, CAYMAN_CF_LOOP_END, loop + 1, 0);
   launch(&d, &l);
   assert_true(door_said("cycle budget exhausted"));
   still_alive(&d);

   /* Only lanes below 64 go to the barrier. */
   asm_init(&a);
   number(192);
   struct cayman_alu p = asm_op2(CAYMAN_ALU_PRED_SETGT_INT, 0, 0, lit(), asm_gpr(0, 0));
   p.write_mask = false;
   p.update_exec_mask = p.update_pred = true;
   asm_slots(&a, &p, 1, (const uint32_t[]){ 64 }, 1);
   asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
   barrier();
   alu();
   asm_branch(&a, CAYMAN_CF_POP, 3, 1);
   rat(CAYMAN_RAT_STORE_TYPED, 2, 2);
   l.groups[0] = 2;
   launch(&d, &l);
   for (uint32_t n = 0; n < 384; n++)
      assert_int_equal(out(&d)[n], n);
   door_end(&d);
}

/* Groups of no or too many threads; more groups than anybody can run. */
static void
shapes(void **state)
{
   struct door d = door_begin();
   uint32_t before, after;
   struct launch l = { .block = { 0, 1, 1 }, .groups = { 1, 1, 1 }, .elements = 4 };

   asm_init(&a);
   number(4);
   alu();
   rat(CAYMAN_RAT_STORE_TYPED, 2, 2);
   launch(&d, &l);
   assert_true(door_said("no or too many threads"));
   l.block[0] = l.block[1] = l.block[2] = 0xffffffff;
   launch(&d, &l);
   l.block[0] = l.block[1] = l.block[2] = 1;
   l.groups[0] = l.groups[1] = l.groups[2] = 0xffffffff;
   assert_int_equal(door_info(d.c, RADEON_INFO_GPU_RESET_COUNTER, &before), 0);
   launch(&d, &l);
   assert_int_equal(door_info(d.c, RADEON_INFO_GPU_RESET_COUNTER, &after), 0);
   assert_int_equal(after, before + 1);
   l.groups[1] = 0;
   launch(&d, &l);
   still_alive(&d);
   door_end(&d);
}

/* Dwords of the component mask, one after the other, and the bits of a mask: thread n's dwords are
 * 4n to 4n + 3. */
static void
masked(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 64, 1, 1 }, .groups = { 2, 1, 1 }, .elements = OUT_MAX };
   const uint32_t data[2] = { 0x12340000, 0x00ab0000 }, mask[2] = { 0x00ff0000, 2 };
   struct cayman_cf cf = { .op = CAYMAN_CF_MEM_RAT,
                           .type = CAYMAN_MEM_WRITE_IND_ACK,
                           .rat_op = CAYMAN_RAT_STORE_DWORD,
                           .rw_gpr = 3,
                           .index_gpr = 4,
                           .comp_mask = 11, /* x, y, w */
                           .barrier = true };
   struct cayman_alu s[4];

   memset(out(&d), 0xee, RETURNS - OUT);
   asm_init(&a);
   number(64);
   shift(4, 2, 2);
   s[0] = asm_op2(CAYMAN_ALU_ADD_INT, 3, 0, asm_gpr(2, 0), lit());
   s[1] = asm_op1(CAYMAN_ALU_MOV, 3, 1, asm_gpr(2, 0));
   s[2] = asm_op1(CAYMAN_ALU_MOV, 3, 2, asm_gpr(2, 0));
   s[3] = asm_op1(CAYMAN_ALU_MOV, 3, 3, asm_gpr(4, 0));
   asm_slots(&a, s, 4, data, 1);
   alu();
   asm_cf(&a, &cf);
   s[0] = asm_op2(CAYMAN_ALU_ADD_INT, 3, 0, asm_gpr(2, 0), lit());
   s[1] = asm_op1(CAYMAN_ALU_MOV, 3, 3, asm_sel(CAYMAN_SRC_LITERAL, 1));
   asm_slots(&a, s, 2, (const uint32_t[]){ data[1], mask[0] }, 2);
   s[0] = asm_op2(CAYMAN_ALU_ADD_INT, 4, 0, asm_gpr(4, 0), lit());
   asm_slots(&a, s, 1, &mask[1], 1);
   alu();
   cf.rat_op = CAYMAN_RAT_MSKOR;
   cf.comp_mask = 15;
   asm_cf(&a, &cf);
   launch(&d, &l);
   for (uint32_t n = 0; n < 128; n++) {
      assert_int_equal(out(&d)[4 * n], n + data[0]);
      assert_int_equal(out(&d)[4 * n + 1], n);
      assert_int_equal(out(&d)[4 * n + 2], (0xeeeeeeee & ~mask[0]) | (n + data[1]));
      assert_int_equal(out(&d)[4 * n + 3], 4 * n);
   }
   door_end(&d);
}

/* Elements anywhere: what lies around the target stays as it is. */
static void
outside(void **state)
{
   static const uint8_t ops[] = {
      CAYMAN_RAT_STORE_TYPED, CAYMAN_RAT_STORE_DWORD, CAYMAN_RAT_STORE_SHORT,
      CAYMAN_RAT_STORE_BYTE,  CAYMAN_RAT_XCHG_RTN,    CAYMAN_RAT_CMPXCHG_INT_RTN,
      CAYMAN_RAT_NOP_RTN,     CAYMAN_RAT_INC_UINT,    CAYMAN_RAT_MSKOR,
   };
   struct door d = door_begin();
   const struct launch l = {
      .block = { 256, 1, 1 }, .groups = { 64, 1, 1 }, .lds_dwords = 4, .elements = 64
   };

   for (unsigned n = 0; n < sizeof(ops); n++) {
      struct cayman_alu s[2];

      memset(out(&d), 0xee, RETURNS - OUT);
      asm_init(&a);
      number(256);
      /* R3.x = number * 0x9e3779b9 >> 6 and the like: far and near. */
      s[0] = asm_op2(CAYMAN_ALU_LSHL_INT, 3, 0, asm_gpr(2, 0), asm_gpr(2, 0));
      s[1] = asm_op2(CAYMAN_ALU_ADD_INT, 3, 1, asm_gpr(2, 0), lit());
      asm_slots(&a, s, 2, (const uint32_t[]){ n & 1 ? 0xffffff00u : 0x4000 }, 1);
      lds(CAYMAN_LDS_XCHG_RET, asm_gpr(3, 0), asm_gpr(3, 1));
      lds(CAYMAN_LDS_BYTE_WRITE, asm_gpr(3, 1), asm_gpr(3, 1));
      alu();
      rat(ops[n], 3, 3);
      rat(ops[n], 2, 2);
      launch(&d, &l);
      for (uint32_t i = 64; i < OUT_MAX; i++)
         assert_int_equal(out(&d)[i], 0xeeeeeeee);
   }
   still_alive(&d);
   door_end(&d);
}

static uint32_t
next_random(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8 ^ *seed << 16;
}

/* Programs with some bits turned: nothing worse than a fault comes of it. */
static void
turned_bits(void **state)
{
   struct door d = door_begin();
   const struct launch l = {
      .block = { 100, 1, 1 }, .groups = { 3, 1, 1 }, .lds_dwords = 64, .elements = 256
   };
   struct cayman_cf cf = { .op = CAYMAN_CF_MEM_RING,
                           .type = CAYMAN_MEM_WRITE_IND,
                           .rw_gpr = 2,
                           .index_gpr = 3,
                           .elem_size = 3,
                           .comp_mask = 15,
                           .array_size = 0xfff,
                           .barrier = true };
   struct cayman_cf gds = { .op = CAYMAN_CF_GDS, .barrier = true };
   struct cayman_fetch f = { .kind = CAYMAN_FETCH_GDS };
   static uint32_t words[4096];
   uint32_t seed = 1;

   asm_init(&a);
   number(100);
   shift(3, 0, 2);
   lds(CAYMAN_LDS_WRITE, asm_gpr(3, 0), asm_gpr(2, 0));
   barrier();
   lds(CAYMAN_LDS_READ2_RET, asm_gpr(3, 0), asm_gpr(2, 0));
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 4, 0, asm_sel(CAYMAN_SRC_LDS_OQ_B_POP, 0)));
   alu();
   f.gds = (struct cayman_gds){ .op = CAYMAN_MEM_GDS,
                                .gds_op = CAYMAN_GDS_XCHG2_RET,
                                .src_gpr = 2,
                                .src_sel = { 0, 1, 2 },
                                .dst_gpr = 5,
                                .dst_sel = { 0, 1, 4, 5 } };
   asm_fetch(&a, &f);
   asm_clause(&a, &gds);
   asm_cf(&a, &cf);
   cf.op = CAYMAN_CF_MEM_WR_SCRATCH;
   asm_cf(&a, &cf);
   cf.op = CAYMAN_CF_EMIT_CUT_VERTEX;
   asm_cf(&a, &cf);
   rat(CAYMAN_RAT_XCHG_RTN, 3, 4);
   fetch_return(0);
   rat(CAYMAN_RAT_STORE_TYPED, 5, 2);
   assert_true(asm_finish(&a));
   assert_true(a.num_words <= sizeof(words) / 4);
   memcpy(words, a.words, a.num_words * 4);
   for (unsigned n = 0; n < 1500; n++) {
      struct ib ib = { 0 };

      memcpy((uint8_t *)d.mem + PROGRAM, words, a.num_words * 4);
      for (unsigned turn = 0; turn <= n % 4; turn++)
         d.mem[PROGRAM / 4 + next_random(&seed) % a.num_words] ^= 1u << (next_random(&seed) & 31);
      launch_ib(&ib, &l);
      door_run(&d, &ib);
   }
   still_alive(&d);
   door_end(&d);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(ids),         cmocka_unit_test(barriers),     cmocka_unit_test(exchange),
      cmocka_unit_test(sums),        cmocka_unit_test(wave_numbers), cmocka_unit_test(images),
      cmocka_unit_test(loads),       cmocka_unit_test(counters),     cmocka_unit_test(endless),
      cmocka_unit_test(shapes),      cmocka_unit_test(masked),       cmocka_unit_test(outside),
      cmocka_unit_test(turned_bits),
   };

   return launch_main(argc, argv, "compute", tests, sizeof(tests) / sizeof(*tests));
}
