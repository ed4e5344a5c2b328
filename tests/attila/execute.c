/* SPDX-License-Identifier: MIT */
/*
 * The device's executor against one thread at a time (thread.h): every instruction with random
 * operands, modifiers, masks and predicates, on special values and random ones; random programs
 * with jumps; equal bits in every kernel build, interpreted and as machine code.
 *
 *    test-attila-execute ROUNDS    more rounds than one
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#include <cmocka.h>

#include "attila/attila.h"

#include "thread.h"

#define MAX_ROWS   512
#define LDA_NUMBER 2

static const struct kernels *const builds[] = { &kernels_sse2, &kernels_avx2, &kernels_avx512 };
static unsigned num_builds, rounds = 1;
static uint64_t seed = 1, compared;

static wave_lane file[MAX_ROWS];
static struct core_wave wave;
static struct core_outputs outputs;
static struct at_bind bind;
static struct thread threads[WAVE_LANES];
static uint32_t constants[THREAD_CONSTANTS][4], vertices[THREAD_VERTICES][4];

static const uint32_t special[] = {
   0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
   0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff,
   0x40490fdb, 0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800001, 0x47000000, 0xc7000000, 0x4f000000,
   0x7fffffff, 0x4b7fffff, 0x42fe0000, 0xc3000000, 0x3effffff, 0x00000002, 0x00000005, 0x41200000,
};

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 32);
}

/* Special values, any bits, and floats of the size that programs have. */
static uint32_t
value(void)
{
   switch (rnd() % 4) {
   case 0:
      return special[rnd() % (sizeof(special) / sizeof(*special))];
   case 1:
      return rnd();
   case 2:
      return rnd() % 16;
   default:
      return (rnd() & 0x80ffffff) | (0x3c000000 + (rnd() & 0x07000000));
   }
}

static void
find_builds(void)
{
   num_builds = __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") ? 3
                : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")        ? 2
                                                                                         : 1;
}

static void
random_threads(void)
{
   for (unsigned n = 0; n < THREAD_CONSTANTS; n++)
      for (unsigned c = 0; c < 4; c++)
         constants[n][c] = value();
   for (unsigned n = 0; n < THREAD_VERTICES; n++)
      for (unsigned c = 0; c < 4; c++)
         vertices[n][c] = value();
   memset(threads, 0, sizeof(threads));
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      struct thread *t = &threads[lane];
      t->constants = (const uint32_t(*)[4])constants;
      t->vertices = (const uint32_t(*)[4])vertices;
      for (unsigned n = 0; n < THREAD_REGISTERS; n++)
         for (unsigned c = 0; c < 4; c++)
            t->in[n][c] = value();
   }
}

static struct core_bind
bind_core(const struct at_program *program, uint64_t instructions)
{
   return (struct core_bind){ .program = &program->core,
                              .entry = &core_entry_all,
                              .budget = instructions * WAVE_LANES };
}

static struct core_wave
wave_of(uint64_t active)
{
   return (struct core_wave){
      .rows = file, .bind = &bind.core, .outputs = &outputs, .active = active, .valid = active
   };
}

/* Runs what the threads have as inputs; the wave's rows stay in `file`. */
static void
run_wave(const struct at_program *program, uint64_t active)
{
   assert_true(program->num_rows <= MAX_ROWS);
   memset(file, 0, sizeof(file));
   for (unsigned n = 0; n < program->num_inputs && n < THREAD_REGISTERS; n++) {
      for (unsigned c = 0; c < 4; c++)
         for (unsigned lane = 0; lane < WAVE_LANES; lane++)
            file[4 * n + c][lane] = threads[lane].in[n][c];
   }
   bind = (struct at_bind){ .core = bind_core(program, 100000),
                            .constants = constants[0],
                            .num_constants = THREAD_CONSTANTS,
                            .attribute = { [LDA_NUMBER] = { vertices[0], THREAD_VERTICES } } };
   wave = wave_of(active);
   core_run(&wave);
   if (wave.faulted)
      fail_msg("instruction %u: %s", wave.fault_place, wave.fault);
}

static struct at_program *
lift(const struct at_kernels *kernels, bool interpret, const uint32_t *words, unsigned count)
{
   struct at_source source = {
      .words = words,
      .num_dwords = 4 * count,
      .pixel = true,
      .interpret = interpret,
   };
   struct at_program *program = kernels->lift(&source);
   assert_non_null(program);
   return program;
}

static bool
near(uint32_t got, double want, double tolerance)
{
   float f;
   memcpy(&f, &got, 4);
   if (isnan(want))
      return got == 0x7fc00000;
   if (isinf(want) || isinf((float)want))
      return f == (float)want || (!isinf(want) && fabs((double)f) > 3.4e38);
   return !isnan(f) &&
          (fabs((double)f - want) <= tolerance || (isinf(f) && fabs(want) + tolerance > 3.4e38));
}

/* The device's outputs against the threads'; o1 alone may be approximate. */
static void
compare(const struct at_program *program, const uint32_t *words, unsigned count, uint64_t active,
        const struct thread *approximate)
{
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      struct thread *t = &threads[lane];
      bool runs = active >> lane & 1;
      for (unsigned n = 0; runs && n < program->num_outputs; n++) {
         for (unsigned c = 0; c < 4; c++) {
            uint32_t got = file[program->output_row + 4 * n + c][lane];
            uint32_t want = t->out[n][c];
            const struct thread *a = approximate && n == 1 ? &approximate[lane] : NULL;
            bool ok = got == want;
            if (a && a->tolerance[c] > 0)
               ok = near(got, a->value[c], a->tolerance[c]);
            else if (a && (isnan(a->value[c]) || isinf(a->value[c])))
               ok = near(got, a->value[c], 0);
            if (!ok) {
               char *text = attila_listing(words, 4 * count, NULL);
               fail_msg("%s lane %u: o%u.%c = %08x, not %08x or %.9g\ni0 %08x %08x %08x %08x\n"
                        "i1 %08x %08x %08x %08x\ni2 %08x %08x %08x %08x",
                        text, lane, n, "xyzw"[c], got, want, a ? a->value[c] : 0, t->in[0][0],
                        t->in[0][1], t->in[0][2], t->in[0][3], t->in[1][0], t->in[1][1],
                        t->in[1][2], t->in[1][3], t->in[2][0], t->in[2][1], t->in[2][2],
                        t->in[2][3]);
            }
            compared++;
         }
      }
      assert_int_equal(wave.valid >> lane & 1, runs && !t->killed);
      assert_int_equal(outputs.depth_lanes >> lane & 1, runs && t->has_depth);
      if (runs && t->has_depth)
         assert_int_equal(outputs.z[0][lane], t->depth);
   }
}

/* ------------------------------------------------------------------------------------------------
 * Single instructions
 */

static struct attila_src
random_source(char kind, bool temp)
{
   static const uint8_t banks[] = { ATTILA_IN, ATTILA_IN, ATTILA_PARAM, ATTILA_PARAM2,
                                    ATTILA_TEMP };
   struct attila_src src = { .bank = banks[rnd() % (temp ? 5 : 4)] };

   if (kind == 'a')
      return (struct attila_src){ .reg = LDA_NUMBER };
   if (kind == 'b') {
      unsigned which = rnd() % 3;
      src = (struct attila_src){ .negate = rnd() & 1, .absolute = which == 0 };
      if (which == 1) {
         src.reg = rnd() & 3;
      } else if (which == 2) {
         src.bank = ATTILA_PARAM;
         src.reg = (uint8_t)rnd();
         src.swizzle = attila_broadcast(rnd() & 3);
      }
      return src;
   }
   src.reg = src.bank == ATTILA_PARAM    ? (uint8_t)rnd()
             : src.bank == ATTILA_PARAM2 ? (uint8_t)(rnd() % 60)
             : src.bank == ATTILA_TEMP   ? 0
                                         : (uint8_t)(rnd() % 3);
   src.swizzle = kind == 's' || kind == 'j' ? attila_broadcast(rnd() & 3)
                 : rnd() & 1                ? ATTILA_SWIZZLE_XYZW
                                            : (uint8_t)rnd();
   src.negate = !(rnd() & 3);
   src.absolute = !(rnd() & 3);
   return src;
}

static struct attila_inst
random_inst(unsigned op)
{
   const struct attila_info *info = attila_info(op);
   struct attila_inst inst = { .opcode = (uint8_t)op, .predicated = !(rnd() & 3) };
   bool constant = false;

   if (info->forms & ATTILA_FORM_ALWAYS)
      inst.predicated = false;
   if (inst.predicated) {
      inst.invert_pred = rnd() & 1;
      inst.pred = rnd() & 3;
   }
   if (info->result == ATTILA_RESULT_PRED) {
      inst.result_reg = rnd() & 3;
      inst.saturate = rnd() & 1;
   } else if (info->result != ATTILA_RESULT_NONE) {
      inst.result_bank = info->result == ATTILA_RESULT_ADDR ? ATTILA_ADDR : ATTILA_TEMP;
      inst.mask = rnd() & 1 ? 15 : (uint8_t)(1 + rnd() % 15);
      inst.saturate =
         (info->result == ATTILA_RESULT_FLOAT || info->result == ATTILA_RESULT_ANY) && !(rnd() & 3);
   }
   for (unsigned n = 0; info->sources[n]; n++) {
      inst.src[n] = random_source(info->sources[n], true);
      constant |= !inst.src[n].absolute || info->sources[n] != 'b'
                     ? inst.src[n].bank == ATTILA_PARAM || inst.src[n].bank == ATTILA_PARAM2
                     : false;
   }
   if (op == ATTILA_ANDP && inst.src[0].absolute && inst.src[1].absolute)
      inst.src[1] = (struct attila_src){ .reg = 1 };
   if (info->forms & ATTILA_FORM_IMM && info->sources[0] != 'b' && !(rnd() & 3)) {
      struct attila_src none = { .negate = inst.src[1].negate, .absolute = inst.src[1].absolute };
      inst.src[1] = none;
      inst.src[1].bank = ATTILA_IMMEDIATE;
      inst.immediate = value();
      if (op == ATTILA_ARL)
         inst.src[0] = (struct attila_src){ 0 };
      constant = false;
      for (unsigned n = 0; n < 3; n++) {
         constant |= attila_reads(&inst, info, n) &&
                     (inst.src[n].bank == ATTILA_PARAM || inst.src[n].bank == ATTILA_PARAM2);
      }
   }
   if (constant && rnd() & 1) {
      inst.relative = true;
      inst.rel_reg = 1;
      inst.rel_comp = rnd() & 3;
      inst.rel_offset = (uint16_t)(rnd() % 512);
      for (unsigned n = 0; n < 3; n++) {
         inst.src[n].reg = inst.src[n].bank == ATTILA_PARAM || inst.src[n].bank == ATTILA_PARAM2
                              ? 0
                              : inst.src[n].reg;
      }
   }
   return inst;
}

static unsigned
assemble(const char *text, uint32_t *words)
{
   struct attila_program program;
   struct isa_error error;
   if (!attila_parse(text, strlen(text), &program, &error))
      fail_msg("%u: %s", error.line, error.text);
   unsigned count = (unsigned)program.num_insts;
   memcpy(words, program.words, 16 * count);
   attila_program_finish(&program);
   return count;
}

/* Before the instruction: r0, accumulators, predicates and an address; after it: where its result
 * can be seen. */
static const char before[] =
   "mov r0, i3\nfxmul acc, i4, i5\nsetplt p0, i6.x, i6.y\n"
   "setpgt !p1, i6.z, i6.w\nsetpeqi p2, i7.x, 3\nmov a1, i7\nmov a0, i6\n";
static const char behind[] = "mov o1, r0\n(p0) mov o2.x, c0.x\n(p1) mov o2.y, c0.y\n"
                             "(!p2) mov o2.z, c1\n(p3) mov o2.w, c2\nmov o3, a0\n"
                             "fxmad o4, i1, i2\nend\n";

static void
every_instruction(void **state)
{
   (void)state;
   static uint32_t words[64 * 4];
   static struct thread last[WAVE_LANES];
   unsigned tried = 0;

   for (unsigned op = 0; op < 256; op++) {
      const struct attila_info *info = attila_info(op);
      if (!info->name || strchr(info->sources, 't') || strchr(info->sources, 'n') ||
          op == ATTILA_JMP || op == ATTILA_END || op == ATTILA_DDX || op == ATTILA_DDY ||
          op == ATTILA_ZXS || op == ATTILA_CHS)
         continue; /* not run yet, or below */
      for (unsigned variation = 0; variation < 60 * rounds; variation++) {
         struct attila_inst inst = random_inst(op);
         unsigned at = assemble(before, words), count = at + 1;
         attila_encode(&inst, words + 4 * at);
         count += assemble(behind, words + 4 * count);
         random_threads();
         uint64_t active = variation & 1 ? ~UINT64_C(0) : rnd() | (uint64_t)rnd() << 32 | 1;

         /* The reference, and how exact the result under test is. */
         for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
            struct thread *t = &threads[lane];
            struct attila_inst step;
            memset(&last[lane], 0, sizeof(last[lane]));
            for (unsigned pc = 0; pc < count; pc++) {
               attila_decode(words + 4 * pc, &step);
               if (!step.predicated || t->pred[step.pred] != step.invert_pred) {
                  thread_step(t, &step);
                  if (pc == at)
                     last[lane] = *t;
               }
            }
         }
         for (unsigned k = 0; k < 2 * num_builds; k++) {
            const struct at_kernels *kernels = at_kernels_of(builds[k / 2]);
            struct at_program *program = lift(kernels, k % 2 == 0, words, count);
            if (program->core.error) {
               char *text = attila_listing(words, 4 * count, NULL);
               fail_msg("%s%s", text, program->core.error);
            }
            static wave_lane first[MAX_ROWS];
            run_wave(program, active);
            if (k == 0) {
               compare(program, words, count, active, last);
               memcpy(first, file, sizeof(file));
            } else {
               assert_memory_equal(first, file, sizeof(wave_lane) * program->kept_rows);
            }
            kernels->free(program);
         }
         tried++;
      }
   }
   print_message("%u instructions, %llu values compared\n", tried, (unsigned long long)compared);
   assert_true(compared > 1000000);
}

/* ------------------------------------------------------------------------------------------------
 * Programs
 */

/* Random code with jumps ahead, all of which some threads do three times: r7.x counts. */
static void
jumps(void **state)
{
   (void)state;
   static const uint8_t ops[] = { ATTILA_ADD,     ATTILA_MUL,    ATTILA_MAD,    ATTILA_MOV,
                                  ATTILA_ADDI,    ATTILA_CMP,    ATTILA_SLT,    ATTILA_MAX,
                                  ATTILA_SETPGT,  ATTILA_SETPLT, ATTILA_SETPEQ, ATTILA_ANDP,
                                  ATTILA_SETPGTI, ATTILA_FXMUL,  ATTILA_FXMAD,  ATTILA_KIL };
   static uint32_t words[64 * 4];
   unsigned ran = 0, diverged = 0;

   for (unsigned n = 0; n < 400 * rounds; n++) {
      unsigned count = assemble(before, words);
      unsigned body = count;
      unsigned length = 8 + rnd() % 24;
      for (; count < body + length; count++) {
         struct attila_inst inst = random_inst(ops[rnd() % sizeof(ops)]);
         if (rnd() % 4 == 0) {
            inst = (struct attila_inst){ .opcode = ATTILA_JMP };
            inst.src[0] = random_source('b', false);
            inst.src[1].bank = ATTILA_IMMEDIATE;
            inst.immediate = 1 + rnd() % (body + length - count);
         } else if (rnd() % 16 == 0) {
            inst.end = true;
         }
         attila_encode(&inst, words + 4 * count);
      }
      count += assemble("addi r7.x, r7.x, 1\nsetplti p3, r7.x, 3\n", words + 4 * count);
      struct attila_inst back = { .opcode = ATTILA_JMP, .predicated = true, .pred = rnd() & 1 };
      back.src[0].reg = 3;
      back.src[1].bank = ATTILA_IMMEDIATE;
      back.immediate = body - count;
      attila_encode(&back, words + 4 * count++);
      count +=
         assemble("mov o0, r0\nmov o1, r7\nmov o2, a0\nfxmad o3, i1, i2\nend\n", words + 4 * count);

      random_threads();
      uint64_t active = n & 1 ? ~UINT64_C(0) : rnd() | (uint64_t)rnd() << 32 | 1;
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         assert_true(thread_run(&threads[lane], words, count, 10000));
         diverged += lane && threads[lane].out[1][0] != threads[0].out[1][0];
      }
      for (unsigned k = 0; k < 2 * num_builds; k++) {
         const struct at_kernels *kernels = at_kernels_of(builds[k / 2]);
         struct at_program *program = lift(kernels, k % 2 == 0, words, count);
         if (program->core.error) {
            char *text = attila_listing(words, 4 * count, NULL);
            fail_msg("%s%s", text, program->core.error);
         }
         run_wave(program, active);
         compare(program, words, count, active, NULL);
         kernels->free(program);
      }
      ran++;
   }
   print_message("%u programs with jumps, %u lanes that parted from the first\n", ran, diverged);
   assert_true(diverged > 100);
}

/* Differences within a quad: lanes 0 1 above, 2 3 below. */
static void
derivatives(void **state)
{
   (void)state;
   uint32_t words[8 * 4];
   unsigned count = assemble("ddx o0, -i0.yxzw\nddy o1, i0\nend\n", words);

   random_threads();
   for (unsigned k = 0; k < 2 * num_builds; k++) {
      const struct at_kernels *kernels = at_kernels_of(builds[k / 2]);
      struct at_program *program = lift(kernels, k % 2 == 0, words, count);
      assert_null(program->core.error);
      run_wave(program, ~UINT64_C(0));
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         for (unsigned c = 0; c < 4; c++) {
            static const uint8_t swizzle[4] = { 1, 0, 2, 3 };
            float left, right, above, below;
            memcpy(&left, &threads[lane & ~1u].in[0][swizzle[c]], 4);
            memcpy(&right, &threads[lane | 1].in[0][swizzle[c]], 4);
            memcpy(&above, &threads[lane & ~2u].in[0][c], 4);
            memcpy(&below, &threads[lane | 2].in[0][c], 4);
            float want[2] = { -right - -left, below - above };
            for (unsigned n = 0; n < 2; n++) {
               uint32_t bits;
               memcpy(&bits, &want[n], 4);
               bits = isnan(want[n]) ? 0x7fc00000 : bits;
               assert_int_equal(file[program->output_row + 4 * n + c][lane], bits);
            }
         }
      }
      kernels->free(program);
   }
}

/* What is refused, and what is a fault of the wave. */
static void
faults(void **state)
{
   (void)state;
   const struct at_kernels *kernels = at_kernels_of(builds[0]);
   uint32_t words[8 * 4];
   static const struct {
      const char *text, *error;
   } refused[] = {
      { "tex r0, i0, t0\nend", "instruction 0: there are no texture units around the program" },
      { "nop\nchs\nend", "instruction 1: not implemented: CHS, which needs samples" },
      { "mov r0, i0", "instruction 0: the program does not end" },
      { ".bits 0x99, 0x0", "instruction 0: undefined opcode 0x99" },
   };
   for (unsigned i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
      struct at_program *program = lift(kernels, false, words, assemble(refused[i].text, words));
      assert_string_equal(program->core.error, refused[i].error);
      bind = (struct at_bind){ .core = bind_core(program, 1000) };
      wave = wave_of(1);
      core_run(&wave);
      assert_true(wave.faulted);
      kernels->free(program);
   }
   struct at_program *program = lift(kernels, false, words, assemble("jmp true, 0", words));
   assert_null(program->core.error);
   wave = wave_of(1);
   bind = (struct at_bind){ .core = bind_core(program, 1000) };
   core_run(&wave);
   assert_true(wave.faulted);
   assert_string_equal(wave.fault, "the budget of instructions is used up");
   assert_int_equal(wave.cycles, 1001 * WAVE_LANES);
   kernels->free(program);
   program = lift(kernels, false, words, assemble("jmp !p0, 2\nend\nnop end", words));
   bind.core = bind_core(program, 2);
   wave = wave_of(~UINT64_C(0));
   core_run(&wave);
   assert_false(wave.faulted);
   kernels->free(program);
}

/* Any words: refused with a reason, or run to an end or a fault. */
static void
random_words(void **state)
{
   (void)state;
   static uint32_t words[16 * 4];
   unsigned ran = 0;

   random_threads();
   for (unsigned n = 0; n < 20000 * rounds; n++) {
      unsigned count = 1 + rnd() % 15;
      for (unsigned i = 0; i < count; i++) {
         struct attila_inst inst = random_inst(attila_info(n % 0x38)->name ? n % 0x38 : 0x16);
         if (rnd() % 8 == 0) {
            for (unsigned k = 0; k < 4; k++)
               words[4 * i + k] = rnd();
            continue;
         }
         if (i + 1 == count)
            inst.end = true;
         if (inst.opcode == ATTILA_JMP) {
            inst.immediate = rnd() % count - i;
            inst.src[1] = (struct attila_src){ .bank = ATTILA_IMMEDIATE };
         }
         attila_encode(&inst, words + 4 * i);
      }
      struct at_source source = { .words = words, .num_dwords = 4 * count, .pixel = n & 1 };
      const struct at_kernels *kernels = at_kernels_of(builds[0]);
      struct at_program *program = kernels->lift(&source);
      assert_non_null(program);
      if (program->core.error) {
         assert_true(program->core.error[0]);
      } else if (program->num_rows <= MAX_ROWS) {
         bind = (struct at_bind){ .core = bind_core(program, 50),
                                  .constants = constants[0],
                                  .num_constants = 2 };
         wave = wave_of(0xff00ff);
         memset(file, 0, sizeof(file));
         core_run(&wave);
         ran++;
      }
      kernels->free(program);
   }
   print_message("%u of random programs ran\n", ran);
   assert_true(ran > 1000);
}

int
main(int argc, char **argv)
{
   find_builds();
   if (argc > 1)
      rounds = (unsigned)strtoul(argv[1], NULL, 0);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_instruction), cmocka_unit_test(jumps),
      cmocka_unit_test(derivatives),       cmocka_unit_test(faults),
      cmocka_unit_test(random_words),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
