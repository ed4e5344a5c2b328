/* SPDX-License-Identifier: MIT */
/*
 * Every operation that computes against an independent formula: special values against each other,
 * and random ones; all builds give the same bits.
 *
 *    test-valhall-operations [WAVES]     so many random waves of 64 lanes (default 100; 16000 are a
 *                                        million values of each operation)
 */
#include "run.h"

#include "formulas.h"

static unsigned long num_waves = 100;

/* ------------------------------------------------------------------------------------------------
 * Cases
 */
struct test {
   const char *text;
   formula *reference;
   char type; /* of operands */
   char to;   /* of results, if another */
   int n;
   /* 0: exact; else so many units of a float's last bit, or of 2^-24 absolute. */
   unsigned tolerance;
};

#include "operations.def"

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof(*(a)))

static uint32_t
special_value(unsigned i)
{
   static const uint32_t values[] = {
      0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000,
      0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
      0x7f800001, 0x3f000000, 0x3effffff, 0x3f000001, 0x40200000, 0xc0200000, 0x4b000000,
      0x4b7fffff, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f7fffff, 0x4f800000, 0x477fe000,
      0x477ff000, 0x477fefff, 0x33800000, 0x33000000, 0x33000001, 0x38800000, 0x387fffff,
      0x7fffffff, 0xffffffff, 0x00010001, 0x80008000, 0x7fff7fff, 0x7f7f7f7f, 0x80808080,
      0x01010101, 0xffff0000, 0x0000ffff, 0x7c007c00, 0xfc00fc00, 0x7e017e01, 0x04000400,
      0x03ff03ff, 0x7bff7bff, 0x3c003c00, 0xbc00bc00, 0x00000020, 0x0000001f, 0x00200020,
      0x3c013c00, 0x38003800, 0x38013801, 0x3e003e00, 0x42004200, 0xffffffe0, 0x00ff00ff,
      0x5a5a5a5a,
   };
   return values[i % (sizeof(values) / sizeof(*values))];
}

static uint32_t
test_value(unsigned long wave, unsigned lane, unsigned n, uint64_t *seed)
{
   uint64_t r = random_next(seed);
   /* The first 64 waves: all pairs of special values; then random bits, floats near one, small
    * numbers, and specials in between. */
   if (wave < 64)
      return special_value(n == 0 ? lane : n == 1 ? (unsigned)wave + lane : (unsigned)(r % 64));
   switch (r % 8) {
   case 0:
      return special_value((unsigned)(r >> 8));
   case 1:
      return 0x3f800000 + (uint32_t)((int32_t)(r >> 32) >> 5);
   case 2:
      return (uint32_t)(r >> 32) % 200 - 100;
   case 3:
      return (uint32_t)(0x3800 + (r >> 40 & 0xfff)) | (uint32_t)(0x3800 + (r >> 52)) << 16;
   default:
      return (uint32_t)(r >> 32);
   }
}

static bool
is_close(uint32_t a, uint32_t b, unsigned ulps)
{
   float x = to_f(a), y = to_f(b);
   if (a == b)
      return true;
   int64_t d = (int64_t)(a & 0x7fffffff) - (int64_t)(b & 0x7fffffff);
   return ulps && !isnan(x) && !isnan(y) &&
          ((llabs(d) <= ulps && a >> 31 == b >> 31) || fabsf(x - y) <= ulps * 0x1p-24f);
}

/* ------------------------------------------------------------------------------------------------
 * Denormals: an operation on what the flush modes leave of its operands gives what they leave of
 * its result.
 */
static const struct flushed {
   formula *reference;
   unsigned operands; /* that are floats */
   bool result;       /* is one */
} flushed[] = {
   { ref_fadd, 2, true },     { ref_fma, 3, true },     { ref_minmax, 2, true },
   { ref_round, 1, true },    { ref_pack, 2, true },    { ref_reciprocal, 1, true },
   { ref_ldexp, 1, true },    { ref_imm, 1, true },     { ref_to_int, 1, false },
   { ref_compare, 2, false }, { ref_select, 2, false },
};

/* How it is flushed; NULL: it is no operation on floats. */
static const struct flushed *
find_flushed(const struct test *test)
{
   for (unsigned i = 0; types[(unsigned char)test->type].is_float && i < ARRAY_LENGTH(flushed); i++)
      if (flushed[i].reference == test->reference)
         return &flushed[i];
   return NULL;
}

static uint32_t
flush_word(uint32_t v, const struct type *t, unsigned flush)
{
   if (!t->is_float || flush == VH_FLUSH_NONE || (flush == VH_FLUSH_FLOATS && t->bits == 16))
      return v;
   if (t->bits == 32)
      return fpclassify(to_f(v)) == FP_SUBNORMAL ? from_f(copysignf(0, to_f(v))) : v;
   for (unsigned at = 0; at < 32; at += 16)
      if (fabs(half_value(v >> at & 0xffff)) < 0x1p-14)
         v &= ~(0x7fffu << at);
   return v;
}

/* False: reported. */
static bool
expect(const struct test *test, struct in in, const struct machine *m, unsigned flush)
{
   const struct type *from = &types[(unsigned char)test->type];
   const struct flushed *how = flush ? find_flushed(test) : NULL;
   bool pair = test->to == 'p';
   const struct type *to = pair ? from : test->to ? &types[(unsigned char)test->to] : from;
   uint64_t want = 0, got = m->file[4][in.lane], mask = pair ? ~UINT64_C(0) : UINT32_MAX;

   for (unsigned n = 0; how && n < how->operands; n++)
      in.r[n] = flush_word(in.r[n], from, flush);
   if (pair) {
      got |= (uint64_t)m->file[5][in.lane] << 32;
      want = test->reference(&in, from, 0, test->n);
   } else {
      for (unsigned e = 0; e < 32 / to->bits; e++) {
         uint64_t r = test->reference(&in, from, e, test->n);
         want |= (r & ((UINT64_C(1) << to->bits) - 1)) << e * to->bits;
      }
   }
   want &= mask;
   if (how && how->result)
      want = flush_word((uint32_t)want, to, flush);
   if (got != want && !is_close((uint32_t)got, (uint32_t)want, test->tolerance)) {
      print_message("%s: of %08x %08x %08x %08x, flush mode %u: %016llx, not %016llx\n", test->text,
                    in.r[0], in.r[1], in.r[2], in.r[3], flush, (unsigned long long)got,
                    (unsigned long long)want);
      return false;
   }
   return true;
}

/* One wave of values through all builds.  False: reported. */
static bool
run_wave(const struct test *test, struct machine *const *m, unsigned num_builds, unsigned long wave,
         uint64_t *seed, unsigned flush)
{
   for (unsigned n = 0; n < 4; n++)
      for (unsigned lane = 0; lane < WAVE_LANES; lane++)
         m[0]->file[n][lane] = test_value(wave, lane, n, seed);
   for (unsigned b = 0; b < num_builds; b++) {
      memcpy(m[b]->file, m[0]->file, 4 * sizeof(wave_lane));
      assert_true(run_lanes(m[b], ~UINT64_C(0)));
      assert_memory_equal(m[b]->file[4], m[0]->file[4], 2 * sizeof(wave_lane));
   }
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      struct in in = { .lane = lane };
      for (unsigned n = 0; n < 4; n++)
         in.r[n] = m[0]->file[n][lane];
      in.pair[0] = in.r[0] | (uint64_t)in.r[1] << 32;
      in.pair[1] = in.r[2] | (uint64_t)in.r[3] << 32;
      if (!expect(test, in, m[0], flush))
         return false;
   }
   return true;
}

/* Operations in a flush mode; those that it does not touch are left out but in mode 0. */
static void
run_all(unsigned flush)
{
   const struct vh_kernels *builds[3];
   unsigned num_builds = run_builds(builds), wrong = 0, count = 0;
   struct machine *m[3];

   for (unsigned b = 0; b < num_builds; b++) {
      m[b] = aligned_alloc(64, (sizeof(**m) + 63) & ~63u);
      assert_non_null(m[b]);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(tests); i++) {
      uint64_t seed = i;
      char text[256];
      if (flush && !find_flushed(&tests[i]))
         continue;
      snprintf(text, sizeof(text), "%s\nNOP.end", tests[i].text);
      for (unsigned b = 0; b < num_builds; b++)
         run_load_flush(m[b], builds[b], text, flush);
      bool right = true;
      for (unsigned long wave = 0; wave < num_waves && right; wave++)
         right = run_wave(&tests[i], m, num_builds, wave, &seed, flush);
      wrong += !right;
      count++;
      for (unsigned b = 0; b < num_builds; b++)
         run_unload(m[b]);
   }
   print_message("%u operations, %lu values each, %u builds\n", count, 64 * num_waves, num_builds);
   for (unsigned b = 0; b < num_builds; b++)
      free(m[b]);
   assert_true(count > (flush ? 50 : 500));
   assert_int_equal(wrong, 0);
}

static void
test_operations(void **state)
{
   run_all(VH_FLUSH_NONE);
}

static void
test_flushed(void **state)
{
   run_all(VH_FLUSH_FLOATS);
   run_all(VH_FLUSH_ALL);
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      num_waves = strtoul(argv[1], NULL, 0);
   const struct CMUnitTest unit_tests[] = {
      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_flushed),
   };
   return cmocka_run_group_tests(unit_tests, NULL, NULL);
}
