/* SPDX-License-Identifier: MIT */
/*
 * Control flow, lanes and memory of Valhall against scalar references: branches and loops that
 * diverge, WMASK and CLPER with lanes missing, barriers between waves, loads, stores and atomic
 * operations, DISCARD; and programs of random words, which end.
 */
#include "run.h"

#define ALL ~UINT64_C(0)

static const struct vh_kernels *builds[3];
static unsigned num_builds;
static struct machine *m;

/* Memory of the machine as dwords. */
static uint32_t
get32(unsigned offset)
{
   uint32_t v;
   memcpy(&v, m->memory + offset, 4);
   return v;
}

static void
put32(unsigned offset, uint32_t v)
{
   memcpy(m->memory + offset, &v, 4);
}

static void
put64(unsigned offset, uint64_t v)
{
   memcpy(m->memory + offset, &v, 8);
}

/* r0:r1 holds the address of offset + stride * lane in all lanes. */
static void
put_address(unsigned reg, unsigned offset, unsigned stride)
{
   for (unsigned i = 0; i < WAVE_LANES; i++) {
      uint64_t va = MEMORY_BASE + offset + (uint64_t)stride * i;
      m->file[reg][i] = (uint32_t)va;
      m->file[reg + 1][i] = (uint32_t)(va >> 32);
   }
}

static void
test_loop(void **state)
{
   static const char text[] = "IADD_IMM.i32.reconverge r1, 0x0, #0x0\n"
                              "IADD.u32 r2, r2, r0\n"
                              "IADD_IMM.i32 r1, r1, #0x1\n"
                              "ICMP_OR.u32.lt.m1 r3, r1, r0, 0x0\n"
                              "BRANCHZ.reconverge r3, offset:-4\n"
                              "WMASK r4, 0xFFFFFFFF\n"
                              "NOP.end";
   for (unsigned b = 0; b < num_builds; b++) {
      run_load(m, builds[b], text);
      for (unsigned i = 0; i < WAVE_LANES; i++)
         m->file[0][i] = i * 7 % 23;
      assert_true(run_lanes(m, ALL));
      for (unsigned i = 0; i < WAVE_LANES; i++) {
         unsigned n = i * 7 % 23;
         assert_int_equal(m->file[2][i], n * (n ? n : 1));
         /* All are together again. */
         assert_int_equal(m->file[4][i], 0xffff);
      }
      run_unload(m);
   }
}

/* Each side of a branch sees its own lanes, and all meet after it. */
static void
test_branch(void **state)
{
   static const char text[] = "BRANCHZ.eq.reconverge r0, offset:2\n"
                              "WMASK r4, 0xFFFFFFFF\n"
                              "BRANCHZ 0xFFFFFFFF, offset:1\n"
                              "WMASK r4, 0xFFFFFFFF\n"
                              "WMASK r5, 0xFFFFFFFF\n"
                              "NOP.end";
   uint64_t seed = 5;
   for (unsigned round = 0; round < 50; round++) {
      uint64_t taken = random_next(&seed), active = random_next(&seed) | 1;
      run_load(m, builds[round % num_builds], text);
      for (unsigned i = 0; i < WAVE_LANES; i++)
         m->file[0][i] = taken >> i & 1;
      assert_true(run_lanes(m, active));
      for (unsigned i = 0; i < WAVE_LANES; i++) {
         uint64_t warp = active >> (i & ~15u) & 0xffff, side = taken >> (i & ~15u) & 0xffff;
         if (active >> i & 1) {
            assert_int_equal(m->file[4][i], warp & (taken >> i & 1 ? side : ~side));
            assert_int_equal(m->file[5][i], warp);
         } else {
            assert_int_equal(m->file[4][i], 0);
         }
      }
      run_unload(m);
   }
}

/* Parts of a condition. */
static void
test_conditions(void **state)
{
   static const struct {
      const char *text;
      uint32_t value;
      bool taken;
   } cases[] = {
      { "BRANCHZ.reconverge r0, offset:1", 0x10000, true },
      { "BRANCHZ.reconverge r0, offset:1", 0, false },
      { "BRANCHZ.eq.reconverge r0, offset:1", 0, true },
      { "BRANCHZ.reconverge r0.h0, offset:1", 0x10000, false },
      { "BRANCHZ.reconverge r0.h0, offset:1", 0x8000, true },
      { "BRANCHZ.reconverge r0.h1, offset:1", 0x10000, true },
      { "BRANCHZ.eq.reconverge r0.h1, offset:1", 0x10000, false },
      { "BRANCHZ.reconverge r0.and, offset:1", 0x10000, false },
      { "BRANCHZ.reconverge r0.and, offset:1", 0x10002, true },
      { "BRANCHZ.reconverge r0.lowbits, offset:1", 0x20002, false },
      { "BRANCHZ.reconverge r0.lowbits, offset:1", 0x10000, true },
   };
   for (unsigned c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
      char text[200];
      snprintf(text, sizeof(text), "%s\nMOV.i32.reconverge r1, 0xFFFFFFFF\nNOP.end", cases[c].text);
      run_load(m, builds[c % num_builds], text);
      m->file[0][3] = cases[c].value;
      assert_true(run_lanes(m, 8));
      assert_int_equal(m->file[1][3], cases[c].taken ? 0 : 0xffffffff);
      run_unload(m);
   }
}

static void
test_clper(void **state)
{
   static const char *const ops[4] = { "", ".xor", ".accumulate", ".shift" };
   static const char *const types[8] = { "i32",   "v2u16", "v4u8", "s32",
                                         "v2s16", "v4s8",  "u64",  "s64" };
   uint64_t seed = 6;
   for (unsigned c = 0; c < 16 * 8; c++) {
      unsigned size_code = c & 3, op = c >> 2 & 3, size = 2u << size_code, type = c >> 4;
      uint64_t active = random_next(&seed);
      char text[200];
      snprintf(text, sizeof(text),
               "CLPER.%s.subgroup%u%s.smin r4, r0, r3.b00\nWMASK.subgroup%u r6, r2\nNOP.end",
               types[type], size, ops[op], size);
      run_load(m, builds[c % num_builds], text);
      for (unsigned i = 0; i < WAVE_LANES; i++) {
         m->file[0][i] = 100 + i;
         m->file[1][i] = 200 + i;
         m->file[2][i] = random_next(&seed) & 1;
         m->file[3][i] = (uint32_t)(random_next(&seed) % size) | 0xabcd00;
      }
      assert_true(run_lanes(m, active));
      for (unsigned i = 0; i < WAVE_LANES; i++) {
         unsigned first = i - i % size, n = m->file[3][i] & 255;
         int other = op == 0   ? (int)n
                     : op == 1 ? (int)(i % size ^ n)
                     : op == 2 ? (int)(i % size + n)
                               : (int)(i % size) - (int)n;
         bool there = other >= 0 && other < (int)size && active >> (first + (unsigned)other) & 1;
         uint32_t mask = 0;
         for (unsigned k = 0; k < size; k++)
            mask |= (uint32_t)(m->file[2][first + k] && active >> (first + k) & 1) << k;
         if (active >> i & 1) {
            assert_int_equal(m->file[4][i], there ? 100 + first + (unsigned)other : 0x80000000);
            assert_int_equal(m->file[5][i], type < 6 ? 0
                                            : there  ? 200 + first + (unsigned)other
                                                     : 0x80000000);
            assert_int_equal(m->file[6][i], mask);
         }
      }
      run_unload(m);
   }
}

/* Two waves of a group, each up to the barrier. */
static void
test_barrier(void **state)
{
   static const char text[] = "STORE.i32.slot0.wait0 @r2, r0, offset:0\n"
                              "BARRIER.slot7.wait\n"
                              "LOAD.i32.unsigned.slot0.wait0 @r3, r4, offset:0\n"
                              "NOP.end";
   struct machine *other = aligned_alloc(64, (sizeof(*other) + 63) & ~63u);
   assert_non_null(other);
   for (unsigned b = 0; b < num_builds; b++) {
      run_load(m, builds[b], text);
      put_address(0, 0, 4);
      put_address(4, 256, 4);
      memcpy(other, m, sizeof(*m));
      struct machine *both[2] = { m, other };
      void *state[2];
      memcpy(other->file[0], m->file[4], 2 * sizeof(wave_lane));
      memcpy(other->file[4], m->file[0], 2 * sizeof(wave_lane));
      for (unsigned w = 0; w < 2; w++) {
         both[w]->bind.memory.context = m->memory;
         both[w]->bind.core.program = m->program;
         both[w]->wave = (struct core_wave){ .rows = both[w]->file,
                                             .bind = &both[w]->bind.core,
                                             .outputs = &both[w]->outputs,
                                             .active = ALL };
         for (unsigned i = 0; i < WAVE_LANES; i++)
            both[w]->file[2][i] = 1000 * (w + 1) + i;
         state[w] = aligned_alloc(64, (m->program->engine->state_bytes + 63) & ~(size_t)63);
         assert_non_null(state[w]);
         assert_true(core_start(state[w], &both[w]->wave));
         assert_int_equal(core_resume(state[w], &both[w]->wave, NULL), CORE_BARRIER);
      }
      for (unsigned w = 0; w < 2; w++) {
         assert_int_equal(core_resume(state[w], &both[w]->wave, NULL), CORE_DONE);
         free(state[w]);
         assert_false(both[w]->wave.faulted);
         for (unsigned i = 0; i < WAVE_LANES; i++)
            assert_int_equal(both[w]->file[3][i], 1000 * (2 - w) + i);
      }
      run_unload(m);
   }
   free(other);
}

static void
test_loads(void **state)
{
   static const struct {
      const char *name;
      unsigned count;
      uint32_t want[4]; /* of f1 82 73 94 a5 .. in registers that hold 0x11223344 */
   } cases[] = {
      { "i8.unsigned", 1, { 0x112233f1 } },
      { "i8.b2.unsigned", 1, { 0x11f13344 } },
      { "i8.h0", 1, { 0x1122fff1 } },
      { "i8.h1.unsigned", 1, { 0x00f13344 } },
      { "i8.w0", 1, { 0xfffffff1 } },
      { "i8.w0.unsigned", 1, { 0xf1 } },
      { "i8.d0", 2, { 0xfffffff1, 0xffffffff } },
      { "i8.d0.unsigned", 2, { 0xf1, 0 } },
      { "i16", 1, { 0x112282f1 } },
      { "i16.h1", 1, { 0x82f13344 } },
      { "i16.w0", 1, { 0xffff82f1 } },
      { "i16.d0", 2, { 0xffff82f1, 0xffffffff } },
      { "i24", 1, { 0x007382f1 } },
      { "i32", 1, { 0x947382f1 } },
      { "i32.d0", 2, { 0x947382f1, 0xffffffff } },
      { "i32.d0.unsigned", 2, { 0x947382f1, 0 } },
      { "i48", 2, { 0x947382f1, 0xffffb6a5 } },
      { "i48.unsigned", 2, { 0x947382f1, 0xb6a5 } },
      { "i64", 2, { 0x947382f1, 0xd8c7b6a5 } },
      { "i96", 3, { 0x947382f1, 0xd8c7b6a5, 0x1cfbeae9 } },
      { "i128", 4, { 0x947382f1, 0xd8c7b6a5, 0x1cfbeae9, 0x504f3e2d } },
   };
   static const char *const staging[5] = { "", "@r4", "@r4:r5", "@r4:r5:r6", "@r4:r5:r6:r7" };
   static const uint32_t data[4] = { 0x947382f1, 0xd8c7b6a5, 0x1cfbeae9, 0x504f3e2d };
   for (unsigned c = 0; c < 2 * sizeof(cases) / sizeof(*cases); c++) {
      unsigned k = c / 2, buffer = c & 1;
      char text[200];
      snprintf(text, sizeof(text), "%s.%s.slot0.end %s, %s", buffer ? "LD_BUFFER" : "LOAD",
               cases[k].name, staging[cases[k].count], buffer ? "r2, r3" : "r0, offset:-4");
      run_load(m, builds[c % num_builds], text);
      memcpy(m->memory + 1024, data, sizeof(data));
      put_address(0, 1028, 0);
      /* Table 1 has two descriptors, of which number 1 is a buffer at 1020. */
      put64(16, MEMORY_BASE + 512);
      put32(24, 64);
      put32(512 + 32, 9);
      put32(512 + 36, 20);
      put64(512 + 40, MEMORY_BASE + 1020);
      m->file[2][5] = 4;
      m->file[3][5] = 1 << 24 | 1;
      for (unsigned r = 4; r < 8; r++)
         m->file[r][5] = 0x11223344;
      assert_true(run_lanes(m, 32));
      for (unsigned r = 0; r < 4; r++) {
         uint32_t want = r < cases[k].count ? cases[k].want[r] : 0x11223344;
         if (m->file[4 + r][5] != want)
            fail_msg("%s: register %u is %08x, not %08x", text, r, m->file[4 + r][5], want);
      }
      run_unload(m);
   }
}

static void
test_stores(void **state)
{
   static const char *const names[8] = { "i8", "i16", "i24", "i32", "i48", "i64", "i96", "i128" };
   static const unsigned bytes[8] = { 1, 2, 3, 4, 6, 8, 12, 16 };
   static const char *const staging[5] = { "", "@r4", "@r4:r5", "@r4:r5:r6", "@r4:r5:r6:r7" };
   for (unsigned c = 0; c < 8; c++) {
      char text[200];
      snprintf(text, sizeof(text), "STORE.%s.slot0.end %s, r0, offset:2", names[c],
               staging[(bytes[c] + 3) / 4]);
      run_load(m, builds[c % num_builds], text);
      put_address(0, 0, 32);
      memset(m->memory, 0xee, 4096);
      for (unsigned r = 0; r < 4; r++)
         for (unsigned i = 0; i < WAVE_LANES; i++)
            m->file[4 + r][i] = 0x03020100 + 0x04040404 * r + 0x10101010 * (i & 7);
      assert_true(run_lanes(m, 0xff));
      for (unsigned i = 0; i < 16; i++) {
         for (unsigned k = 0; k < 32; k++) {
            bool stored = i < 8 && k >= 2 && k < 2 + bytes[c];
            assert_int_equal(m->memory[32 * i + k], stored ? (k - 2) + 16 * (i & 7) : 0xee);
         }
      }
      run_unload(m);
   }
}

/* Beyond a buffer, in a table or descriptor that is not there, where nothing is mapped: zero. */
static void
test_bounds(void **state)
{
   static const struct {
      uint32_t offset, handle;
      bool there;
   } cases[] = {
      { 0, 1 << 24, true },      { 12, 1 << 24, true },
      { 13, 1 << 24, false },    { 0xffffffff, 1 << 24, false },
      { 0, 1 << 24 | 1, false }, { 0, 9 << 24, false },
      { 0, 0, false },           { 0, 0xffffffff, false },
   };
   for (unsigned c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
      run_load(m, builds[c % num_builds], "LD_BUFFER.i32.slot0.end @r4, r2, r3");
      memset(m->memory + 1024, 0x77, 64);
      put64(16, MEMORY_BASE + 512);
      put32(24, 32);
      put32(512, 9);
      put32(516, 16);
      put64(520, MEMORY_BASE + 1024);
      m->file[2][0] = cases[c].offset;
      m->file[3][0] = cases[c].handle;
      m->file[4][0] = 5;
      assert_true(run_lanes(m, 1));
      assert_int_equal(m->file[4][0], cases[c].there ? 0x77777777 : 0);
      run_unload(m);
   }
   run_load(m, builds[0],
            "LOAD.i64.slot0.wait0 @r4:r5, r0, offset:0\n"
            "STORE.i64.slot0 @r6:r7, r0, offset:0\nLEA_BUFFER.slot0.end @r2:r3, r8, r9");
   m->file[0][0] = m->file[1][0] = 0xfffffffc;
   m->file[8][0] = 12;
   put64(16, MEMORY_BASE + 512);
   put32(24, 32);
   put32(512, 9);
   put32(516, 16);
   put64(520, MEMORY_BASE + 1024);
   m->file[9][0] = 1 << 24;
   assert_true(run_lanes(m, 1));
   assert_int_equal(m->file[4][0] | m->file[5][0], 0);
   assert_int_equal(m->file[2][0], (uint32_t)(MEMORY_BASE + 1036));
   assert_int_equal(m->file[3][0], MEMORY_BASE >> 32);
   run_unload(m);
}

static uint64_t
combined(const char *op, uint64_t old, uint64_t v, bool wide)
{
   int64_t so = wide ? (int64_t)old : (int32_t)old, sv = wide ? (int64_t)v : (int32_t)v;
   return !strcmp(op, "aadd")     ? old + v
          : !strcmp(op, "asmin")  ? so < sv ? old : v
          : !strcmp(op, "asmax")  ? so > sv ? old : v
          : !strcmp(op, "aumin")  ? old < v ? old : v
          : !strcmp(op, "aumax")  ? old > v ? old : v
          : !strcmp(op, "aand")   ? old & v
          : !strcmp(op, "aor")    ? old | v
          : !strcmp(op, "axor")   ? old ^ v
          : !strcmp(op, "axchg")  ? v
          : !strcmp(op, "ainc")   ? old + 1
          : !strcmp(op, "adec")   ? old - 1
          : !strcmp(op, "aumax1") ? old > 1 ? old : 1
          : !strcmp(op, "asmax1") ? so > 1 ? old : 1
                                  : old | 1;
}

/* All lanes on one address, in ascending order. */
static void
test_atomics(void **state)
{
   static const char *const ops[] = {
      "aadd", "asmin", "asmax", "aumin", "aumax",  "aand",   "aor",
      "axor", "axchg", "ainc",  "adec",  "aumax1", "asmax1", "aor1"
   };
   uint64_t seed = 7;
   for (unsigned c = 0; c < 4 * sizeof(ops) / sizeof(*ops); c++) {
      const char *op = ops[c / 4];
      bool wide = c & 1, with_one = c / 4 >= 9, returns = with_one || c & 2;
      char text[200];
      const char *type = wide ? "i64" : "i32", *value = wide ? "@r4:r5" : "@r4";
      const char *result = wide ? "@r6:r7" : "@r6";
      if (with_one) {
         snprintf(text, sizeof(text), "ATOM1_RETURN.%s.slot0.%s.end %s, r0, offset:0x4", type, op,
                  result);
      } else if (returns) {
         snprintf(text, sizeof(text), "ATOM_RETURN.%s.slot0.%s.end %s, %s, r0, offset:0x4", type,
                  op, result, value);
      } else {
         snprintf(text, sizeof(text), "ATOM.%s.slot0.%s.end %s, r0, offset:0x4", type, op, value);
      }
      run_load(m, builds[c % num_builds], text);
      put_address(0, 60, 0);
      uint64_t old = random_next(&seed), active = random_next(&seed);
      put64(64, old);
      for (unsigned i = 0; i < WAVE_LANES; i++) {
         m->file[4][i] = (uint32_t)random_next(&seed);
         m->file[5][i] = (uint32_t)random_next(&seed);
      }
      assert_true(run_lanes(m, active));
      for (unsigned i = 0; i < WAVE_LANES; i++) {
         uint64_t v = m->file[4][i] | (uint64_t)m->file[5][i] << 32, mask = wide ? ALL : UINT32_MAX;
         if (!(active >> i & 1))
            continue;
         if (returns) {
            assert_int_equal(m->file[6][i], (uint32_t)old);
            if (wide)
               assert_int_equal(m->file[7][i], old >> 32);
         }
         old = (combined(op, old & mask, v & mask, wide) & mask) | (old & ~mask);
      }
      assert_int_equal(get32(64), (uint32_t)old);
      assert_int_equal(get32(68), old >> 32);
      run_unload(m);
   }
   /* Compare and exchange: the new value, and the expected one. */
   run_load(m, builds[0], "ATOM_RETURN.i32.slot0.axchg.compare.end @r6, @r4:r5, r0, offset:0x0");
   put_address(0, 64, 0);
   put32(64, 10);
   for (unsigned i = 0; i < WAVE_LANES; i++) {
      m->file[4][i] = 11 + i;
      m->file[5][i] = 10 + (i == 3 ? 77 : i);
   }
   assert_true(run_lanes(m, ALL));
   assert_int_equal(get32(64),
                    13); /* lanes 0, 1 and 2; 3 expected something else, so do all after */
   assert_int_equal(m->file[6][3], 13);
   run_unload(m);
}

static void
test_discard(void **state)
{
   for (unsigned b = 0; b < num_builds; b++) {
      run_load(m, builds[b],
               "DISCARD.f32.lt r0, 0x0\nMOV.i32.discard r1, 0xFFFFFFFF\n"
               "WMASK.end r2, 0xFFFFFFFF");
      for (unsigned i = 0; i < WAVE_LANES; i++)
         m->file[0][i] = i % 3 ? 0x3f800000 : 0xbf800000;
      assert_true(run_lanes(m, ALL));
      for (unsigned i = 0; i < WAVE_LANES; i++) {
         assert_int_equal(m->wave.valid >> i & 1, i % 3 != 0);
         assert_int_equal(m->file[1][i], 0xffffffff);
         assert_int_equal(m->file[2][i], i % 3 ? m->wave.valid >> (i & ~15u) & 0xffff : 0);
      }
      run_unload(m);
   }
}

static void
test_specials(void **state)
{
   run_load(m, builds[0],
            "MOV.i32 r0, lane_id.w0\nMOV.i32 r1, warp_id.w0\nMOV.i32 r2, program_counter.w0\n"
            "MOV.i32 r3, thread_local_pointer.w0\nMOV.i32 r4, workgroup_local_pointer.w0\n"
            "MOV.i32 r5, thread_local_pointer.w1\nMOV.i32 r6, sample.w1\nMOV.i32 r7, u200\n"
            "MOV.i32 r8.h0, 0xFFFFFFFF\nMOV.i32.end r9.h1, 0xFFFFFFFF");
   m->bind.special_0[VALHALL_SPECIAL_0_SAMPLE][1] = 77;
   m->uniforms[200] = 88;
   for (unsigned i = 0; i < WAVE_LANES; i++)
      m->file[8][i] = m->file[9][i] = 0x12345678;
   assert_true(run_lanes(m, ALL));
   for (unsigned i = 0; i < WAVE_LANES; i++) {
      assert_int_equal(m->file[0][i], i % 16);
      assert_int_equal(m->file[1][i], i / 16);
      assert_int_equal(m->file[2][i], (uint32_t)(MEMORY_BASE + 24));
      assert_int_equal(m->file[3][i], (uint32_t)(MEMORY_BASE + 0x8000) + 64 * i);
      assert_int_equal(m->file[4][i], (uint32_t)(MEMORY_BASE + 0xc000));
      assert_int_equal(m->file[5][i], MEMORY_BASE >> 32);
      assert_int_equal(m->file[6][i], 77);
      assert_int_equal(m->file[7][i], 88);
      assert_int_equal(m->file[8][i], 0x1234ffff);
      assert_int_equal(m->file[9][i], 0xffff5678);
   }
   run_unload(m);
}

static void
test_faults(void **state)
{
   static const struct {
      const char *text, *fault;
   } cases[] = {
      { "BRANCHZ 0xFFFFFFFF, offset:-1\nNOP.end", "budget" },
      { "MOV.i32 r0, r1", "control leaves the program" },
      { "BRANCHZ 0xFFFFFFFF, offset:5", "a branch leaves the program" },
      { "BRANCHZ 0xFFFFFFFF, offset:-5", "a branch leaves the program" },
   };
   for (unsigned c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
      run_load_unchecked(m, builds[c % num_builds], cases[c].text);
      assert_false(run_lanes(m, ALL));
      assert_contains(m->wave.fault, cases[c].fault);
      run_unload(m);
   }
   static const uint64_t undefined = UINT64_C(0x8000000000000000);
   struct vh_source sources[2] = { { &undefined, 1, 0, 0 },
                                   { &undefined, 1, 0, VH_FLUSH_ALL + 1 } };
   static const char *const errors[2] = { "bit 63", "flush mode 3" };
   for (unsigned c = 0; c < 2; c++) {
      struct core_program *p = builds[0]->lift(&sources[c]);
      assert_contains(p->error, errors[c]);
      builds[0]->free(p);
   }
}

/* What waits for a pipeline, or is in no document, is decoded; a program that holds it does not
 * run, and says why. */
static void
test_waiting(void **state)
{
   uint64_t seed = 9;
   unsigned waiting = 0, undocumented = 0;
   for (unsigned op = 0; op < VALHALL_OP_COUNT; op++) {
      const struct valhall_info *info = valhall_info(op);
      struct valhall_instr instr;
      if (info->exec < VALHALL_EXEC_LD_ATTR)
         continue;
      uint64_t words[2] = { 0, UINT64_C(0x7800c00000000000) }; /* NOP.end */
      do {
         words[0] = random_word(info, &seed);
      } while (!valhall_decode(words[0], &instr, NULL) || instr.opcode != op);
      struct vh_source source = { words, 2, 0, VH_FLUSH_NONE };
      run_lift(m, builds[op % num_builds], &source);
      const char *error = m->program->error;
      assert_non_null(error);
      assert_contains(error, info->name);
      assert_contains(error, valhall_exec_text(info->exec));
      run_bind(m);
      assert_false(run_lanes(m, ALL));
      assert_contains(m->wave.fault, error);
      run_unload(m);
      undocumented += info->exec == VALHALL_EXEC_UNDOCUMENTED;
      waiting++;
   }
   assert_int_equal(waiting, 45);
   assert_int_equal(undocumented, 7);
}

/* One lane alone, with what test_divergence() has in its programs; how many instructions it ran. */
static unsigned
run_scalar(const uint64_t *words, size_t count, uint32_t r[16])
{
   struct valhall_instr i = { .flow = VALHALL_FLOW_NONE };
   unsigned ran = 0;
   for (size_t pc = 0; pc < count && i.flow != VALHALL_FLOW_END; pc++, ran++) {
      assert_true(valhall_decode(words[pc], &i, NULL));
      uint32_t a = r[i.src[0].byte & 15], b = r[i.src[1].byte & 15];
      switch (i.opcode) {
      case VALHALL_OP_IADD_U32:
         r[i.dest] = a + b;
         break;
      case VALHALL_OP_ISUB_U32:
         r[i.dest] = a - b;
         break;
      case VALHALL_OP_IMUL_I32:
         r[i.dest] = a * b;
         break;
      case VALHALL_OP_CSEL_S32:
         r[i.dest] = r[(int32_t)a < (int32_t)b ? i.src[2].byte & 15 : i.src[3].byte & 15];
         break;
      case VALHALL_OP_IADD_IMM_I32:
         r[i.dest] = a + i.imm[0];
         break;
      case VALHALL_OP_BRANCHZ:
         a = i.src[0].select == VALHALL_COMBINE_H0   ? a & 0xffff
             : i.src[0].select == VALHALL_COMBINE_H1 ? a >> 16
                                                     : a;
         if ((a == 0) == (valhall_get(&i, VALHALL_MOD_EQ) != 0))
            pc += (size_t)(int64_t)(int32_t)i.imm[0];
         break;
      default:
         assert_int_equal(i.opcode, VALHALL_OP_NOP);
         break;
      }
   }
   return ran;
}

/* Random code with branches ahead, some of it three times: each lane does what it does alone. */
static void
test_divergence(void **state)
{
   static const char *const ops[] = { "IADD.u32", "ISUB.u32", "IMUL.i32" };
   static const char *const parts[] = { "", ".h0", ".h1" };
   uint64_t seed = 10;
   unsigned parted = 0;
   for (unsigned round = 0; round < 500; round++) {
      unsigned length = 8 + (unsigned)(random_next(&seed) % 24), at = 0;
      char text[40 * 48];
      for (unsigned n = 0; n < length; n++) {
         uint64_t x = random_next(&seed);
         unsigned to = x & 7, a = x >> 3 & 7, b = x >> 6 & 7, c = x >> 9 & 7, d = x >> 12 & 7;
         char *line = text + at;
         size_t size = sizeof(text) - at;
         at += (unsigned)(x >> 32 & 3
                             ? x >> 34 & 3
                                  ? snprintf(line, size, "%s r%u, r%u, r%u\n", ops[(x >> 36) % 3],
                                             to, a, b)
                                  : snprintf(line, size, "CSEL.s32.lt r%u, r%u, r%u, r%u, r%u\n",
                                             to, a, b, c, d)
                             : snprintf(line, size, "BRANCHZ%s.reconverge r%u%s, offset:%u\n",
                                        x & 1 ? ".eq" : "", a, parts[(x >> 40) % 3],
                                        (unsigned)(x >> 48) % (length - n)));
      }
      snprintf(text + at, sizeof(text) - at,
               "IADD_IMM.i32 r8, r8, #0xFFFFFFFF\nBRANCHZ.reconverge r8, offset:-%u\nNOP.end",
               2 + (unsigned)(random_next(&seed) % length));
      size_t count;
      uint64_t *words = valhall_assemble(text, strlen(text), &count, NULL);
      uint64_t active = random_next(&seed) | 1;
      uint32_t lanes[WAVE_LANES][16] = { { 0 } };
      unsigned longest = 0;
      assert_non_null(words);
      run_load_unchecked(m, builds[round % num_builds], text);
      for (unsigned i = 0; i < WAVE_LANES; i++) {
         for (unsigned n = 0; n < 8; n++) {
            uint32_t v = (uint32_t)random_next(&seed);
            lanes[i][n] = v & 3 ? v : v & 4 ? v >> 16 << 16 : v >> 24 & 1;
         }
         lanes[i][8] = 1 + (uint32_t)(random_next(&seed) % 3);
         for (unsigned n = 0; n < 16; n++)
            m->file[n][i] = lanes[i][n];
         if (active >> i & 1) {
            unsigned ran = run_scalar(words, count, lanes[i]);
            longest = ran > longest ? ran : longest;
         }
      }
      assert_true(run_lanes(m, active));
      parted += m->wave.cycles / WAVE_LANES > longest;
      for (unsigned i = 0; i < WAVE_LANES; i++) {
         for (unsigned n = 0; n < 16 && active >> i & 1; n++) {
            if (m->file[n][i] != lanes[i][n]) {
               fail_msg("%s\nlane %u: r%u is %08x, not %08x", text, i, n, m->file[n][i],
                        lanes[i][n]);
            }
         }
      }
      run_unload(m);
      free(words);
   }
   print_message("in %u programs lanes ran apart\n", parted);
   assert_true(parted > 50);
}

/* Random programs end, and all builds agree on what they leave. */
static void
test_random_programs(void **state)
{
   struct machine *first = aligned_alloc(64, (sizeof(*first) + 63) & ~63u);
   uint64_t seed = 8;
   unsigned ran = 0;
   assert_non_null(first);
   for (unsigned round = 0; round < 400; round++) {
      uint64_t words[24];
      size_t count = 0;
      while (count < 23) {
         struct valhall_instr instr;
         unsigned op = (unsigned)(random_next(&seed) % VALHALL_OP_COUNT);
         unsigned exec = valhall_info(op)->exec;
         uint64_t word = random_word(valhall_info(op), &seed);
         if (exec >= VALHALL_EXEC_LD_ATTR || !valhall_decode(word, &instr, NULL))
            continue;
         words[count++] = word;
      }
      words[count++] = UINT64_C(0x7800c00000000000); /* NOP.end */
      struct vh_source source = { words, count, MEMORY_BASE };
      for (unsigned b = 0; b < num_builds; b++) {
         uint64_t data = round;
         run_lift(m, builds[b], &source);
         if (m->program->error)
            fail_msg("%s", m->program->error);
         run_bind(m);
         m->bind.core.budget = 2000 * WAVE_LANES;
         for (unsigned r = 0; r < VH_REGISTERS; r++)
            for (unsigned i = 0; i < WAVE_LANES; i++)
               m->file[r][i] = (uint32_t)random_next(&data);
         ran += run_lanes(m, random_next(&data));
         run_unload(m);
         if (b == 0) {
            memcpy(first, m, sizeof(*m));
         } else {
            assert_memory_equal(first->file, m->file, VH_REGISTERS * sizeof(wave_lane));
            assert_memory_equal(first->memory, m->memory, MEMORY_SIZE);
         }
      }
   }
   print_message("%u runs came to their end\n", ran);
   assert_true(ran > 0);
   free(first);
}

/* ---- What an observer is told of memory ---- */

static struct list {
   struct core_access access[32];
   uint32_t origin[32];
   unsigned count;
} list;

static bool
always(void *data, const struct core_wave *wave, uint32_t origin)
{
   (void)data, (void)wave, (void)origin;
   return true;
}

static void
add(void *data, const struct core_wave *wave, const struct core_access *access)
{
   struct list *to = data;

   assert_true(to->count < 32);
   to->origin[to->count] = wave->origin;
   to->access[to->count++] = *access;
}

/* Lanes 3 and 20 store, load and add, lane 20 in the memory of its group. */
static void
test_accesses(void **state)
{
   static const char text[] = "STORE.i16.slot0.wait0 @r4, r0, offset:2\n"
                              "LOAD.i64.slot0.wait0 @r6:r7, r0, offset:8\n"
                              "ATOM.i32.slot0.aadd.end @r4, r0, offset:0x4";
   static const struct core_observer watch = { .stops = always, .accessed = add, .data = &list };
   static const unsigned offset[3] = { 2, 8, 4 }, bytes[3] = { 2, 8, 4 };
   static const uint8_t how[3] = { CORE_WRITES, CORE_READS, CORE_READS | CORE_WRITES };
   static uint8_t lds[4096];
   struct core_group group = { .lds = lds, .lds_bytes = sizeof(lds), .num_waves = 1 };

   for (unsigned b = 0; b < num_builds; b++) {
      run_load(m, builds[b], text);
      put_address(0, 0, 16);
      const uint64_t in_group = m->bind.workgroup_storage + 48;
      m->file[0][20] = (uint32_t)in_group;
      m->file[1][20] = (uint32_t)(in_group >> 32);
      m->bind.core.program = m->program;
      m->bind.core.observer = &watch;
      m->wave = (struct core_wave){ .rows = m->file,
                                    .bind = &m->bind.core,
                                    .outputs = &m->outputs,
                                    .group = &group,
                                    .active = 1 << 3 | 1 << 20 };
      list.count = 0;
      core_run(&m->wave);
      assert_false(m->wave.faulted);
      assert_int_equal(list.count, 6);
      for (unsigned n = 0; n < 6; n++) {
         const struct core_access *a = &list.access[n];
         const unsigned lane = n % 2 ? 20 : 3;

         assert_int_equal(list.origin[n], n / 2);
         assert_int_equal(a->memory, n % 2 ? CORE_MEMORY_LDS : CORE_MEMORY_SPACE);
         assert_int_equal(a->lane, lane);
         assert_int_equal(a->how, how[n / 2]);
         assert_int_equal(a->bytes, bytes[n / 2]);
         assert_true(a->address == (n % 2 ? 48 : MEMORY_BASE + 16 * 3) + offset[n / 2]);
      }
      m->bind.core.observer = NULL;
      run_unload(m);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loop),       cmocka_unit_test(test_branch),
      cmocka_unit_test(test_conditions), cmocka_unit_test(test_divergence),
      cmocka_unit_test(test_clper),      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_loads),      cmocka_unit_test(test_stores),
      cmocka_unit_test(test_bounds),     cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_discard),    cmocka_unit_test(test_specials),
      cmocka_unit_test(test_faults),     cmocka_unit_test(test_waiting),
      cmocka_unit_test(test_accesses),   cmocka_unit_test(test_random_programs),
   };
   num_builds = run_builds(builds);
   m = aligned_alloc(64, (sizeof(*m) + 63) & ~63u);
   int failed = m ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
   free(m);
   return failed;
}
