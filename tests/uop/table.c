/* SPDX-License-Identifier: MIT */
/*
 * Every lane-wise row of the table and every predicate, with random operands of every kind and
 * modifier, on special values and random ones: the general handler, the specialised ones, fused
 * ones and native code of every build, of one vector and of several a turn, give the same bits and
 * leave the same lanes, for waves with and without idle lanes; and so do runs of rows that read
 * each other's results.  What a row computes is judged elsewhere (tests/sq/ops.c, tests/attila,
 * tests/valhall, tests/direct); here, that all ways to compute it are one.
 *
 *    test-uop-table ROUNDS    more rounds than four
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fp.h"
#include "uop/bound.h"

#define ROWS     8u /* of operands */
#define RESULTS  8u
#define UNIFORMS 6u

typedef bool bind_fn(const struct uop_code *code, const struct uop_bind_options *options,
                     struct uop_binding *bindings, uint32_t count,
                     const struct uop_regions *regions, struct uop_bound *bound);
typedef void free_fn(struct uop_bound *bound);
bind_fn uop_bind_avx2, uop_bind_avx512;
free_fn uop_bound_free_avx2, uop_bound_free_avx512;

static const struct {
   const char *name;
   bind_fn *bind;
   free_fn *free;
} builds[] = {
   { "sse2", uop_bind_sse2, uop_bound_free_sse2 },
   { "avx2", uop_bind_avx2, uop_bound_free_avx2 },
   { "avx512", uop_bind_avx512, uop_bound_free_avx512 },
};
static unsigned num_builds, rounds = 4;
static uint64_t seed = 1;

static wave_lane file[ROWS + RESULTS], input[ROWS + RESULTS], first[ROWS + RESULTS];
static uint32_t uniforms[UNIFORMS + 1024]; /* and literals */

/* Who runs and is covered behind it. */
static struct lanes_left {
   uint64_t pred_next, valid, fail;
   bool fail_pending;
} left, first_left;

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 32);
}

static uint32_t
value(void)
{
   static const uint32_t special[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001, 0x007fffff,
      0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
      0x7f800001, 0xffffffff, 0x40490fdb, 0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800001,
      0x4f000000, 0xcf000000, 0x7fffffff, 0x00000020, 0x0000001f, 0x00000002, 0x41200000,
   };
   switch (rnd() % 4) {
   case 0:
      return special[rnd() % (sizeof(special) / sizeof(*special))];
   case 1:
      return rnd();
   case 2:
      return rnd() % 40;
   default:
      return (rnd() & 0x80ffffff) | (0x3c000000 + (rnd() & 0x07000000));
   }
}

static bool
is_tested(unsigned op)
{
   const struct uop_info *info = &uop_infos[op];
   bool value = info->effect == UOP_EFFECT_LANE || info->effect == UOP_EFFECT_QUAD;
   bool plain = info->params == UOP_PARAMS_none || info->params == UOP_PARAMS_immediate;
   bool row = info->result == UOP_RESULT_F || info->result == UOP_RESULT_B;
   if (info->params == UOP_PARAMS_predicate)
      return true;
   return value && plain && row && info->records == 1 && op != UOP_PART && op != UOP_TABLE_AT;
}

/* Operands of some of the first `rows` rows and elsewhere, of the same kinds. */
static void
random_operands(struct uop_builder *b, struct uop *u, const uint8_t kinds[3], unsigned rows)
{
   const struct uop_info *info = &uop_infos[u->op];

   for (unsigned s = 0; s < info->operands; s++) {
      struct uop_operand *o = &u->src[s];
      *o = kinds[s] == UOP_ROW       ? uop_row(rnd() % rows * COMP_BYTES)
           : kinds[s] == UOP_UNIFORM ? uop_uniform(rnd() % UNIFORMS)
                                     : uop_literal(b, value());
      if (info->kinds[s] == 'f')
         o->mods = rnd() % 4;
      else
         o->mods = rnd() % 4 == 0 ? UOP_NOT : 0;
   }
}

static void
random_kinds(uint8_t kinds[3])
{
   for (unsigned s = 0; s < 3; s++)
      kinds[s] = rnd() % 3 ? UOP_ROW : rnd() % 2 ? UOP_UNIFORM : UOP_LITERAL;
}

/* `count` operations of one kind, with results that nobody reads. */
static void
make(struct uop_builder *b, unsigned op, unsigned count)
{
   const struct uop_info *info = &uop_infos[op];
   uint8_t kinds[3];

   random_kinds(kinds);
   for (unsigned n = 0; n < count; n++) {
      struct uop *u = uop_add(b, op);
      u->dst = (ROWS + n) * COMP_BYTES;
      random_operands(b, u, kinds, ROWS);
      if (info->result == UOP_RESULT_F && count == 1) {
         u->scale = rnd() % 4 == 0 ? rnd() % 4 : 0;
         u->clamp = rnd() % 4 == 0;
      }
      if (count == 1 && rnd() % 8 == 0)
         u->when = rnd() % 3;
      if (info->params == UOP_PARAMS_immediate)
         u->p.immediate.bits = rnd() % 4;
      if (info->params == UOP_PARAMS_predicate) {
         u->p.predicate.update_pred = rnd() % 2;
         u->p.predicate.update_exec = rnd() % 2;
      }
      uop_normalise(u);
   }
}

/* `count` operations of any kind that machine code is made of, on `rows` rows: each reads what
 * others have written. */
static void
make_run(struct uop_builder *b, unsigned count, unsigned rows)
{
   static const uint8_t ops[] = {
      UOP_ADD,      UOP_MUL_IEEE, UOP_MULADD_IEEE, UOP_FMA,   UOP_MUL,       UOP_MULADD,
      UOP_MAX_DX10, UOP_MIN,      UOP_FRACT,       UOP_FLOOR, UOP_SETGT,     UOP_CNDGE,
      UOP_COPY,     UOP_ADD_INT,  UOP_XOR_INT,     UOP_MOV,   UOP_SETE_DX10, UOP_INT_TO_FLT,
   };

   for (unsigned n = 0; n < count; n++) {
      /* Most are those that long programs are made of. */
      struct uop *u = uop_add(b, ops[rnd() % (rnd() % 2 ? 4 : sizeof(ops))]);
      uint8_t kinds[3];

      random_kinds(kinds);
      u->dst = rnd() % rows * COMP_BYTES;
      random_operands(b, u, kinds, rows);
      uop_normalise(u);
   }
}

/* As many as can be done at once are one. */
static void
fuse(struct uop_code *code, unsigned count)
{
   const struct uop *all[4];
   for (unsigned n = 0; n < count; n++)
      all[n] = &code->uops[n];
   if (count > 1 && uop_can_fuse(all, count))
      code->uops[0].length = (uint8_t)count;
}

struct way {
   unsigned build;
   enum { INTERPRETED, NATIVE, NATIVE_WIDE, NUM_WAYS } how;
   bool masked;
};

static const char *const ways[] = { "interpreted", "native", "native, wide" };

static void
run(const struct uop_code *code, struct way w, uint64_t lanes, unsigned mode)
{
   const struct uop_bind_options options = {
      .native = w.how != INTERPRETED,
      .dx10_clamp = true,
      .wide_from = w.how == NATIVE_WIDE,
   };
   struct uop_run all = { 0, code->num_uops };
   struct uop_binding binding = {
      .plain = all,
      .masked = all,
      .native = true,
      .diverges = true,
      .kept = { UINT32_MAX, UINT32_MAX },
   };
   struct uop_bound bound = { 0 };
   struct exec x = {
      .file = (uint8_t *)file,
      .uni = uniforms,
      .lanes = w.masked ? lanes : ~UINT64_C(0),
      .launch = ~UINT64_C(0),
      .pred = UINT64_C(0x0123456789abcdef),
      .valid = UINT64_C(0xfedcba9876543210),
      .kills = true,
      .dx10_clamp = true,
      .fp_single = mode,
      .fp_now = mode,
      .fp_double = FP_DEFAULT,
   };

   assert_true(builds[w.build].bind(code, &options, &binding, 1, NULL, &bound));
   x.code = bound.native;
   if (code->num_literals)
      memcpy(uniforms + UNIFORMS, code->literals, 4 * code->num_literals);
   memcpy(file, input, sizeof(file));
   const struct uop_run *r = w.masked ? &binding.masked : &binding.plain;
   unsigned old = fp_enter(mode);
   uop_run_bound(&x, bound.uops + r->first, r->count);
   fp_leave(old);
   memset(&left, 0, sizeof(left));
   left.pred_next = x.pred_next;
   left.valid = x.valid;
   left.fail = x.fail;
   left.fail_pending = x.fail_pending;
   builds[w.build].free(&bound);
}

/* All give what the first one gives. */
static void
all_ways(struct uop_code *code)
{
   struct uop_run all = { 0, code->num_uops };
   char message[256];
   const unsigned mode = fp_mode(rnd() % 16);

   if (!uop_verify(code, all, message, sizeof(message)))
      fail_msg("%s", message);
   for (unsigned n = 0; n < ROWS + RESULTS; n++)
      for (unsigned l = 0; l < WAVE_LANES; l++)
         input[n][l] = value();
   for (unsigned n = 0; n < UNIFORMS; n++)
      uniforms[n] = value();
   const uint64_t lanes = rnd() | (uint64_t)rnd() << 32;
   for (unsigned masked = 0; masked < 2; masked++) {
      /* Fused, it is for whole waves alone. */
      uint8_t length = code->uops[0].length;
      code->uops[0].length = masked ? 1 : length;
      for (unsigned build = 0; build < num_builds; build++) {
         for (unsigned how = 0; how < NUM_WAYS; how++) {
            run(code, (struct way){ build, how, masked }, lanes, mode);
            if (build + how == 0) {
               memcpy(first, file, sizeof(file));
               first_left = left;
            } else if (memcmp(&first_left, &left, sizeof(left)) != 0) {
               uop_print(stderr, code, all, NULL, NULL);
               fail_msg("%s, %s, %s: other lanes run or are covered", builds[build].name, ways[how],
                        masked ? "masked" : "plain");
            } else if (memcmp(first, file, sizeof(file)) != 0) {
               uop_print(stderr, code, all, NULL, NULL);
               for (unsigned l = 0; l < WAVE_LANES; l++) {
                  for (unsigned n = 0; n < ROWS + RESULTS; n++) {
                     if (first[n][l] != file[n][l])
                        fail_msg("%s, %s, %s: lane %u of row %u is %08x, not %08x",
                                 builds[build].name, ways[how], masked ? "masked" : "plain", l, n,
                                 file[n][l], first[n][l]);
                  }
               }
            }
         }
      }
      code->uops[0].length = length;
   }
}

static void
all_ways_of(unsigned op, unsigned count)
{
   struct uop_code code = {
      .num_uniforms = UNIFORMS,
      .num_components = ROWS + RESULTS,
      .num_origins = 1,
   };
   struct uop_builder b = { .code = &code };

   make(&b, op, count);
   fuse(&code, count);
   all_ways(&code);
   uop_code_free(&code);
}

/* From values that leave registers for three vectors a turn to more than one vector has. */
static void
runs(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 150 * rounds; n++) {
      struct uop_code code = {
         .num_uniforms = UNIFORMS,
         .num_components = ROWS + RESULTS,
         .num_origins = 1,
      };
      struct uop_builder b = { .code = &code };

      make_run(&b, 2 + rnd() % (n % 8 ? 40 : 300), 2 + rnd() % (ROWS + RESULTS - 2));
      all_ways(&code);
      uop_code_free(&code);
   }
}

static void
rows(void **state)
{
   unsigned tried = 0, fused = 0;

   (void)state;
   for (unsigned op = 0; op < UOP_COUNT; op++) {
      if (!is_tested(op))
         continue;
      tried++;
      for (unsigned n = 0; n < 8 * rounds; n++)
         all_ways_of(op, 1);
      if (uop_infos[op].form != UOP_FORM_FUSED)
         continue;
      for (unsigned n = 0; n < 8 * rounds; n++)
         all_ways_of(op, 2 + n % 3);
      fused++;
   }
   print_message("%u rows, %u of them fused\n", tried, fused);
   assert_true(tried > 150 && fused == 9);
}

int
main(int argc, char **argv)
{
   num_builds = __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") ? 3
                : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")        ? 2
                                                                                         : 1;
   if (argc > 1)
      rounds = (unsigned)strtoul(argv[1], NULL, 0);
   const struct CMUnitTest tests[] = { cmocka_unit_test(rows), cmocka_unit_test(runs) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
