/* SPDX-License-Identifier: MIT */
/*
 * What dispatches write and read besides targets: append counters, the scatter buffer, combined
 * forms, LDS read by address, scratch, fetches by semantic; and waves that wait for other groups.
 * For any number of worker threads and by each kernel build.
 */
#include "launch.h"

static void
mov(unsigned dst, unsigned chan, uint32_t value)
{
   struct cayman_alu s = asm_op1(CAYMAN_ALU_MOV, dst, chan, lit());

   asm_slots(&a, &s, 1, &value, 1);
}

static void
gds(struct cayman_gds op)
{
   struct cayman_fetch f = { .kind = CAYMAN_FETCH_GDS };
   struct cayman_cf cf = { .op = CAYMAN_CF_GDS, .barrier = true };

   op.op = CAYMAN_MEM_GDS;
   f.gds = op;
   asm_fetch(&a, &f);
   asm_clause(&a, &cf);
}

static void
wait_ack(void)
{
   asm_cf(&a, &(struct cayman_cf){ .op = CAYMAN_CF_WAIT_ACK, .barrier = true });
}

static void
store(unsigned data)
{
   rat(CAYMAN_RAT_STORE_TYPED, data, 2);
}

/* The program into memory, and the dispatch into `ib`. */
static void
launch_after(struct door *d, struct ib *ib, const struct launch *l)
{
   assert_true(asm_finish(&a));
   assert_true(a.num_words * 4 <= OUT);
   memcpy((uint8_t *)d->mem + PROGRAM, a.words, a.num_words * 4);
   launch_ib(ib, l);
}

#define COUNTER(n) ((REG_AT(GDS_APPEND_COUNT_0, n) - CAYMAN_CONTEXT_BASE) / 4 << 16)

/* Adds a packet with the compute bit: counters are context registers. */
static void
add_compute(struct ib *ib, enum pm4_opcode op, const uint32_t *payload, uint32_t count)
{
   const uint32_t at = ib->count;

   ib_add(ib, op, payload, count);
   ib->words[at] |= PM4_COMPUTE_BIT;
}
#define ADD_COMPUTE(ib, op, ...)                          \
   add_compute(ib, op, (const uint32_t[]){ __VA_ARGS__ }, \
               sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static void
store_counter(struct ib *ib, unsigned counter, uint32_t va)
{
   ADD_COMPUTE(ib, PM4_EVENT_WRITE_EOS, 0x2f | 6 << 8, va, EOS_APPEND_TO_MEM << 29,
               REG_AT(GDS_APPEND_COUNT_0, counter) / 4);
}

/* Counters from memory, the packet, GDS and a register; alloc, consume; one by index; what returns
 * nothing is on GDS; no counter after the last; values ascend with group, wave and lane. */
static void
append(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 130, 1, 1 }, .groups = { 5, 1, 1 }, .elements = OUT_MAX };
   struct cayman_gds op = { .gds_op = CAYMAN_GDS_ADD_RET,
                            .src_gpr = 3,
                            .src_sel = { 0, 1, CAYMAN_SEL_0 },
                            .dst_gpr = 5,
                            .dst_sel = { 0, 7, 7, 7 },
                            .uav_id = 3,
                            .alloc_consume = true };
   struct cayman_alu index = asm_op1(CAYMAN_ALU_MOVA_INT, 0, 0, lit());
   struct ib ib = { 0 };

   asm_init(&a);
   number(130);
   mov(3, 0, 0x7fffffff); /* no address of anything */
   mov(3, 1, 1);
   index.mova_dst = CAYMAN_MOVA_CF_IDX1;
   index.write_mask = false;
   asm_slots(&a, &index, 1, (const uint32_t[]){ 4 }, 1);
   alu();
   gds(op);
   op.gds_op = CAYMAN_GDS_SUB_RET, op.uav_id = 11, op.dst_gpr = 6;
   gds(op);
   op.gds_op = CAYMAN_GDS_ADD_RET, op.uav_id = 1, op.uav_index_mode = CAYMAN_CF_INDEX_1;
   gds(op);
   op.uav_id = 9;
   op.dst_gpr = 7;
   gds(op);
   mov(3, 0, 16);
   alu();
   op.gds_op = CAYMAN_GDS_ADD, op.uav_id = 3, op.uav_index_mode = 0;
   gds(op);
   asm_one(&a, asm_op2(CAYMAN_ALU_ADD_INT, 5, 0, asm_gpr(5, 0), asm_gpr(7, 0)));
   alu();
   store(5);

   out(&d)[1000] = 70;
   ADD_COMPUTE(&ib, PM4_SET_APPEND_CNT, COUNTER(3) | APPEND_COUNT_FROM_MEM, VA_BASE + OUT + 4000,
               0);
   ADD_COMPUTE(&ib, PM4_SET_APPEND_CNT, COUNTER(11) | APPEND_COUNT_FROM_PACKET, 1000, 0);
   IB_ADD(&ib, PM4_CP_DMA, 500, CP_DMA_SRC_DATA << 29 | CP_DMA_DST_GDS << 20, 20, 0,
          CP_DMA_DAS | 4);
   ADD_COMPUTE(&ib, PM4_SET_APPEND_CNT, COUNTER(5) | APPEND_COUNT_FROM_GDS, 20, 0);
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_GDS_ADDR_BASE - CAYMAN_CONTEXT_BASE) / 4, 77);
   ADD_COMPUTE(&ib, PM4_SET_APPEND_CNT, COUNTER(0) | APPEND_COUNT_FROM_REGISTER,
               R_GDS_ADDR_BASE / 4, 0);
   launch_after(&d, &ib, &l);
   for (unsigned n = 0; n < 4; n++)
      store_counter(&ib, (const unsigned[]){ 3, 11, 5, 0 }[n], VA_BASE + OUT + 4004 + 4 * n);
   IB_ADD(&ib, PM4_EVENT_WRITE_EOS, 0x2f | 6 << 8, VA_BASE + OUT + 4020, EOS_GDS_TO_MEM << 29,
          4 | 1 << 16);
   door_run(&d, &ib);
   for (uint32_t n = 0; n < 650; n++)
      assert_int_equal(out(&d)[n], 70 + n);
   assert_int_equal(out(&d)[1001], 70 + 650);
   assert_int_equal(out(&d)[1002], 1000 - 650);
   assert_int_equal(out(&d)[1003], 500 + 650);
   assert_int_equal(out(&d)[1004], 77);
   assert_int_equal(out(&d)[1005], 650);
   door_end(&d);
}

/* Packets that name no counter, or GDS beyond its end, are reported and do nothing. */
static void
append_nowhere(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   IB_ADD(&ib, PM4_SET_APPEND_CNT, COUNTER(12), 1, 0);
   IB_ADD(&ib, PM4_SET_APPEND_CNT, COUNTER(0) - 0x10000, 1, 0);
   IB_ADD(&ib, PM4_SET_APPEND_CNT, 0xffff0000, 1, 0);
   IB_ADD(&ib, PM4_SET_APPEND_CNT, COUNTER(2) | APPEND_COUNT_FROM_GDS, 65533, 0);
   IB_ADD(&ib, PM4_SET_APPEND_CNT, COUNTER(2) | APPEND_COUNT_FROM_REGISTER, 0xffff, 0);
   IB_ADD(&ib, PM4_SET_APPEND_CNT, COUNTER(2) | APPEND_COUNT_FROM_MEM, 16, 0);
   IB_ADD(&ib, PM4_EVENT_WRITE_EOS, 0x2f | 6 << 8, VA_BASE + OUT, EOS_APPEND_TO_MEM << 29, 0);
   out(&d)[0] = 5;
   door_run(&d, &ib);
   assert_true(door_said("is no append counter"));
   assert_true(door_said("reads GDS byte 65533"));
   assert_int_equal(out(&d)[0], 5);
   still_alive(&d);
   door_end(&d);
}

/* Each wave asks once for as many values as it has lanes; all its lanes hear of it. */
static void
ordered_alloc(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 130, 1, 1 }, .groups = { 4, 1, 1 }, .elements = OUT_MAX };
   struct ib ib = { 0 };

   asm_init(&a);
   number(130);
   mov(3, 0, 64 | 0xff00); /* seven bits count */
   mov(5, 0, 0);
   alu();
   gds((struct cayman_gds){ .gds_op = CAYMAN_GDS_ATOMIC_ORDERED_ALLOC_RET,
                            .src_gpr = 3,
                            .src_sel = { 0, CAYMAN_SEL_0, CAYMAN_SEL_0 },
                            .dst_gpr = 5,
                            .dst_sel = { 0, 7, 7, 7 },
                            .bcast_first_req = true });
   store(5);
   launch_after(&d, &ib, &l);
   launch_ib(&ib, &l); /* the count begins again */
   door_run(&d, &ib);
   for (uint32_t n = 0; n < 520; n++)
      assert_int_equal(out(&d)[n], (n / 130 * 3 + n % 130 / 64) * 64);
   door_end(&d);
}

#define SCATTER_DWORDS 1024u

static void
set_scatter(struct ib *ib)
{
   set(ib, R_SX_SCATTER_EXPORT_BASE, (VA_BASE + SECOND) >> 8);
   set(ib, R_SX_SCATTER_EXPORT_SIZE, SCATTER_DWORDS * 4 / 256);
}

/* Bursts of two registers of two dwords each, from ARRAY_BASE + 4 n on; read back, swapped.  What
 * follows the buffer is neither written nor read. */
static void
scatter(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 100, 1, 1 }, .groups = { 3, 1, 1 }, .elements = OUT_MAX };
   struct cayman_cf export = { .op = CAYMAN_CF_MEM_EXPORT,
                               .type = CAYMAN_MEM_WRITE_IND_ACK,
                               .rw_gpr = 3,
                               .index_gpr = 6,
                               .elem_size = 1,
                               .burst_count = 1,
                               .comp_mask = 3,
                               .array_base = 8,
                               .mark = true,
                               .barrier = true };
   struct cayman_fetch f = { .kind = CAYMAN_FETCH_MEM };
   struct ib ib = { 0 };

   asm_init(&a);
   number(100);
   shift(6, 2, 2);
   for (unsigned n = 0; n < 4; n++) {
      struct cayman_alu s = asm_op2(CAYMAN_ALU_ADD_INT, 3 + n / 2, n % 2, asm_gpr(2, 0), lit());

      asm_slots(&a, &s, 1, (const uint32_t[]){ 1000 * (n + 1) }, 1);
   }
   alu();
   asm_cf(&a, &export);
   wait_ack();
   f.mem = (struct cayman_mem){ .op = CAYMAN_MEM_RD_SCATTER,
                                .elem_size = 1,
                                .uncached = true,
                                .indexed = true,
                                .src_gpr = 6,
                                .burst_count = 1,
                                .dst_gpr = 7,
                                .dst_sel = { 1, 0, 4, 5 },
                                .data_format = CAYMAN_FMT_32_32,
                                .array_base = 8 };
   asm_fetch(&a, &f);
   asm_clause(&a, &(struct cayman_cf){ .op = CAYMAN_CF_TC, .barrier = true });
   /* R7 + R8 of the two: y x, y x. */
   asm_one(&a, asm_op2(CAYMAN_ALU_ADD_INT, 5, 0, asm_gpr(7, 0), asm_gpr(8, 1)));
   alu();
   store(5);
   memset(out(&d), 0xee, RETURNS - OUT);
   set_scatter(&ib);
   launch_after(&d, &ib, &l);
   door_run(&d, &ib);
   for (uint32_t n = 0; n < SCATTER_DWORDS + 64; n++) {
      const uint32_t v = n - 8, want = v / 4 + 1000 * (v % 4 + 1);

      assert_int_equal(d.mem[SECOND / 4 + n], n >= 8 && n < SCATTER_DWORDS ? want : 0xeeeeeeee);
   }
   for (uint32_t n = 0; n < 300; n++)
      assert_int_equal(out(&d)[n], 4 * n + 8 < SCATTER_DWORDS ? 5000 + 2 * n : 0);
   door_end(&d);
}

/* Data and address in one register. */
static void
combined(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 64, 1, 1 }, .groups = { 2, 1, 1 }, .elements = OUT_MAX };
   struct cayman_cf cf = { .op = CAYMAN_CF_MEM_EXPORT_COMBINED,
                           .type = CAYMAN_MEM_WRITE_ACK,
                           .rw_gpr = 3,
                           .index_gpr = 1,
                           .comp_mask = 15,
                           .array_base = 16,
                           .mark = true,
                           .barrier = true };
   struct ib ib = { 0 };
   struct cayman_alu s;

   asm_init(&a);
   number(64);
   s = asm_op2(CAYMAN_ALU_ADD_INT, 3, 0, asm_gpr(2, 0), lit());
   asm_slots(&a, &s, 1, (const uint32_t[]){ 100 }, 1);
   s = asm_op2(CAYMAN_ALU_ADD_INT, 3, 1, asm_gpr(2, 0), lit());
   asm_slots(&a, &s, 1, (const uint32_t[]){ 500 }, 1);
   s = asm_op2(CAYMAN_ALU_LSHL_INT, 3, 3, asm_gpr(2, 0), asm_sel(CAYMAN_SRC_1_INT, 0));
   asm_one(&a, s);
   alu();
   asm_cf(&a, &cf);
   /* Only the first dword, elsewhere. */
   cf.comp_mask = 9;
   cf.array_base = 400;
   asm_cf(&a, &cf);
   /* RATs take the element from w: sums, then stores. */
   cf.op = CAYMAN_CF_MEM_RAT_COMBINED;
   cf.comp_mask = 15;
   cf.rat_op = CAYMAN_RAT_ADD;
   asm_cf(&a, &cf);
   asm_cf(&a, &cf);
   s = asm_op2(CAYMAN_ALU_ADD_INT, 3, 3, asm_gpr(3, 3), lit());
   asm_slots(&a, &s, 1, (const uint32_t[]){ 301 }, 1);
   alu();
   cf.op = CAYMAN_CF_MEM_RAT_COMBINED_CACHELESS;
   cf.rat_op = CAYMAN_RAT_STORE_TYPED;
   asm_cf(&a, &cf);
   set_scatter(&ib);
   launch_after(&d, &ib, &l);
   door_run(&d, &ib);
   for (uint32_t n = 0; n < 128; n++) {
      const uint32_t *s2 = d.mem + SECOND / 4;

      assert_int_equal(s2[16 + 2 * n], 100 + n);
      assert_int_equal(s2[17 + 2 * n], 500 + n);
      assert_int_equal(s2[400 + 2 * n], 100 + n);
      assert_int_equal(s2[401 + 2 * n], 0);
      assert_int_equal(out(&d)[2 * n], 2 * (100 + n));
      assert_int_equal(out(&d)[301 + 2 * n], 100 + n);
   }
   door_end(&d);

   /* No index and no burst. */
   cf.op = CAYMAN_CF_MEM_EXPORT_COMBINED;
   cf.burst_count = 1;
   asm_init(&a);
   asm_cf(&a, &cf);
   d = door_begin();
   launch(&d, &l);
   assert_true(door_said("MEM_EXPORT_COMBINED with an index or a burst"));
   door_end(&d);
}

/* Both buses: lane n of each wave reads dwords 3 + n and 200 - 128 + 3 n; beyond the end is zero.
 */
static void
lds_direct(void **state)
{
   struct door d = door_begin();
   const struct launch l = {
      .block = { 200, 1, 1 }, .groups = { 2, 1, 1 }, .lds_dwords = 200, .elements = OUT_MAX
   };
   struct cayman_alu s;

   asm_init(&a);
   number(200);
   shift(3, 0, 2);
   lds(CAYMAN_LDS_WRITE, asm_gpr(3, 0), asm_gpr(2, 0));
   barrier();
   s = asm_op2(CAYMAN_ALU_SUB_INT, 5, 0, asm_sel(CAYMAN_SRC_LDS_DIRECT_B, 0),
               asm_sel(CAYMAN_SRC_LDS_DIRECT_A, 0));
   asm_slots(&a, &s, 1, (const uint32_t[]){ 3 | 1 << 13, 72 | 3 << 13 }, 2);
   alu();
   store(5);
   launch(&d, &l);
   for (uint32_t n = 0; n < 400; n++) {
      const uint32_t lane = n % 200 % 64, first = n / 200 * 200;
      const uint32_t b = 72 + 3 * lane < 200 ? first + 72 + 3 * lane : 0;

      assert_int_equal(out(&d)[n], b - (first + 3 + lane));
   }
   door_end(&d);
}

static void
sync_cf(unsigned op, unsigned resource, uint32_t value)
{
   struct cayman_cf cf = { .op = CAYMAN_CF_GLOBAL_WAVE_SYNC,
                           .gws_op = (uint8_t)op,
                           .gws_resource = (uint8_t)resource,
                           .gws_value = (uint16_t)(value & 1023),
                           .gws_sign = value >> 31,
                           .barrier = true };

   asm_cf(&a, &cf);
}

/* Waves of all groups meet: each adds to a sum, and after the barrier sees all of it; twice, with a
 * barrier of the group between. */
static void
global_barrier(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 130, 1, 1 }, .groups = { 7, 1, 1 }, .elements = OUT_MAX };

   asm_init(&a);
   number(130);
   mov(3, 0, 1);
   mov(4, 0, 2000);
   asm_slots(&a,
             (struct cayman_alu[]){ asm_op1(CAYMAN_ALU_MOV, 6, 0, asm_gpr(2, 0)),
                                    asm_op1(CAYMAN_ALU_MOV, 3, 1, asm_gpr(2, 0)) },
             2, NULL, 0);
   alu();
   for (unsigned turn = 0; turn < 2; turn++) {
      rat(CAYMAN_RAT_ADD, 3, 4);
      sync_cf(CAYMAN_GWS_BARRIER, 5, 7 * 3);
      barrier();
      alu();
      rat(CAYMAN_RAT_NOP_RTN, 3, 4);
      fetch_return(6);
      store(5);
      asm_slots(&a,
                (struct cayman_alu[]){ asm_op2(CAYMAN_ALU_ADD_INT, 2, 0, asm_gpr(2, 0), lit()) }, 1,
                (const uint32_t[]){ 1000 }, 1);
      alu();
      sync_cf(CAYMAN_GWS_BARRIER, 5, 7 * 3);
   }
   launch(&d, &l);
   for (uint32_t n = 0; n < 910; n++) {
      assert_int_equal(out(&d)[n], 910);
      assert_int_equal(out(&d)[1000 + n], 1820);
   }
   door_end(&d);
}

/* A wave that finds nothing waits until another gives; the groups in flight try in their order, and
 * a counter keeps its value from dispatch to dispatch. */
static void
semaphores(void **state)
{
   struct door d = door_begin();
   struct launch l = { .block = { 1, 1, 1 }, .groups = { 1, 1, 1 }, .elements = OUT_MAX };

   asm_init(&a);
   sync_cf(CAYMAN_GWS_INIT, 2, (uint32_t)-1);
   launch(&d, &l);
   /* A group waits, and gives on; the last two give one before: with that the last can begin. */
   asm_init(&a);
   number(1);
   mov(3, 1, 1);
   alu();
   struct cayman_alu p = asm_op2(CAYMAN_ALU_PRED_SETGE_INT, 0, 0, asm_gpr(2, 0), lit());
   p.write_mask = false;
   p.update_exec_mask = p.update_pred = true;
   asm_slots(&a, &p, 1, (const uint32_t[]){ 8 }, 1);
   asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
   sync_cf(CAYMAN_GWS_SEMA_V, 2, 0); /* nothing happens without an active lane */
   asm_branch(&a, CAYMAN_CF_POP, 4, 1);
   sync_cf(CAYMAN_GWS_SEMA_P, 2, 0);
   gds((struct cayman_gds){ .gds_op = CAYMAN_GDS_ADD_RET,
                            .src_gpr = 3,
                            .src_sel = { CAYMAN_SEL_0, 1, CAYMAN_SEL_0 },
                            .dst_gpr = 5,
                            .dst_sel = { 0, 7, 7, 7 } });
   sync_cf(CAYMAN_GWS_SEMA_V, 2, 0);
   store(5);
   l.groups[0] = 10;
   launch(&d, &l);
   for (uint32_t n = 0; n < 10; n++)
      assert_int_equal(out(&d)[n], n == 9 ? 0 : n + 1);

   /* Nobody gives any more. */
   asm_init(&a);
   number(1);
   sync_cf(CAYMAN_GWS_INIT, 3, 2);
   sync_cf(CAYMAN_GWS_SEMA_P, 3, 0);
   alu();
   store(2);
   sync_cf(CAYMAN_GWS_BARRIER, 4, 1023);
   l.groups[0] = 3;
   launch(&d, &l);
   assert_true(door_said("3 groups wait for waves that will not come"));
   still_alive(&d);
   door_end(&d);
}

/* An array of 3000 elements; one of which the register allows 100 dwords. */
static void
scratch(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 70, 1, 1 }, .groups = { 2, 1, 1 }, .elements = OUT_MAX };

   for (unsigned named = 0; named < 2; named++) {
      struct cayman_cf write = { .op = CAYMAN_CF_MEM_WR_SCRATCH,
                                 .type = CAYMAN_MEM_WRITE_IND_ACK,
                                 .rw_gpr = 2,
                                 .index_gpr = 3,
                                 .elem_size = 3,
                                 .comp_mask = 1,
                                 .array_size = 2999,
                                 .mark = true,
                                 .barrier = true };
      struct cayman_fetch f = { .kind = CAYMAN_FETCH_MEM };
      struct ib ib = { 0 };

      /* Element 2999 - number, or 139 - number. */
      asm_init(&a);
      number(70);
      struct cayman_alu s = asm_op2(CAYMAN_ALU_SUB_INT, 3, 0, lit(), asm_gpr(2, 0));
      asm_slots(&a, &s, 1, (const uint32_t[]){ named ? 139 : 2999 }, 1);
      alu();
      asm_cf(&a, &write);
      wait_ack();
      f.mem = (struct cayman_mem){ .op = CAYMAN_MEM_RD_SCRATCH,
                                   .elem_size = 3,
                                   .uncached = true,
                                   .indexed = true,
                                   .src_gpr = 3,
                                   .dst_gpr = 5,
                                   .dst_sel = { 0, 7, 7, 7 },
                                   .data_format = CAYMAN_FMT_32_32_32_32,
                                   .array_size = 2999 };
      asm_fetch(&a, &f);
      asm_clause(&a, &(struct cayman_cf){ .op = CAYMAN_CF_TC, .barrier = true });
      store(5);
      set(&ib, R_SQ_LSTMP_RING_ITEMSIZE, named ? 100 : 0);
      launch_after(&d, &ib, &l);
      memset(out(&d), 0xee, 4000);
      door_run(&d, &ib);
      for (uint32_t n = 0; n < 140; n++)
         assert_int_equal(out(&d)[n], !named || (139 - n) * 4 < 100 ? n : 0);
   }
   door_end(&d);
}

/* Too much for the host: one message, and no dispatch. */
static void
scratch_beyond(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 2048, 1, 1 }, .groups = { 1, 1, 1 }, .elements = OUT_MAX };
   struct cayman_cf write = { .op = CAYMAN_CF_MEM_WR_SCRATCH,
                              .type = CAYMAN_MEM_WRITE_IND,
                              .elem_size = 3,
                              .comp_mask = 1,
                              .array_base = 8191,
                              .array_size = 4095,
                              .barrier = true };
   struct ib ib = { 0 };

   asm_init(&a);
   asm_cf(&a, &write);
   set(&ib, R_SQ_LSTMP_RING_ITEMSIZE, 0);
   launch_after(&d, &ib, &l);
   door_run(&d, &ib);
   assert_true(door_said("bytes of scratch for each of 2048 threads"));
   still_alive(&d);
   door_end(&d);
}

/* The table says which register a fetch writes. */
static void
semantics(void **state)
{
   struct door d = door_begin();
   const struct launch l = { .block = { 64, 1, 1 }, .groups = { 2, 1, 1 }, .elements = OUT_MAX };
   struct cayman_fetch f = { .kind = CAYMAN_FETCH_VTX };
   struct ib ib = { 0 };

   for (uint32_t n = 0; n < 256; n++)
      d.mem[RETURNS / 4 + n] = 3 * n;
   asm_init(&a);
   number(64);
   mov(8, 0, 0);
   alu();
   f.vtx = (struct cayman_vtx){ .op = CAYMAN_VTX_SEMANTIC,
                                .fetch_type = CAYMAN_FETCH_NO_INDEX_OFFSET,
                                .buffer_id = 160,
                                .src_gpr = 2,
                                .semantic_id = 42,
                                .dst_sel = { 0, 7, 7, 7 },
                                .data_format = CAYMAN_FMT_32,
                                .num_format_all = CAYMAN_NUM_FORMAT_INT };
   asm_fetch(&a, &f);
   f.vtx.semantic_id = 43; /* in no entry: dropped */
   asm_fetch(&a, &f);
   asm_clause(&a, &(struct cayman_cf){ .op = CAYMAN_CF_TC, .barrier = true });
   store(8);
   for (unsigned n = 0; n < 32; n++)
      set(&ib, REG_AT(SQ_VTX_SEMANTIC_0, n), n == 7 || n == 9 ? 42 : 0xff);
   launch_after(&d, &ib, &l);
   door_run(&d, &ib);
   for (uint32_t n = 0; n < 128; n++)
      assert_int_equal(out(&d)[n], 3 * n);
   door_end(&d);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(append),         cmocka_unit_test(append_nowhere),
      cmocka_unit_test(ordered_alloc),  cmocka_unit_test(scatter),
      cmocka_unit_test(combined),       cmocka_unit_test(lds_direct),
      cmocka_unit_test(global_barrier), cmocka_unit_test(semaphores),
      cmocka_unit_test(scratch),        cmocka_unit_test(scratch_beyond),
      cmocka_unit_test(semantics),
   };

   return launch_main(argc, argv, "memory", tests, sizeof(tests) / sizeof(*tests));
}
