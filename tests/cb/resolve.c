/* SPDX-License-Identifier: MIT */
/*
 * Averages of four samples of bytes, in each build: what sums of floats, in the samples' order and
 * rounded once, say of every pixel; pixels of other lanes and rows without lanes stay as they are.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include <cmocka.h>

#include <atoll/cayman/enums.h>

#include "canvas.h"

typedef void resolve_fn(struct tile *t, int32_t x, int32_t y, unsigned layer, uint64_t lanes);
resolve_fn cb_resolve_block_sse2, cb_resolve_block_avx2, cb_resolve_block_avx512;

static resolve_fn *const resolve[BUILDS] = { cb_resolve_block_sse2, cb_resolve_block_avx2,
                                             cb_resolve_block_avx512 };

#define SAMPLES    4
#define ROW        (CANVAS_SIDE * SAMPLES * 4)
#define LAST_BYTES (CANVAS_SIDE * ROW)

static uint32_t
average(const uint32_t samples[SAMPLES], unsigned bits)
{
   uint32_t pixel = 0;

   for (unsigned k = 0; k < 4; k++) {
      volatile float sum = 0;

      for (unsigned s = 0; s < SAMPLES; s++) {
         volatile const float v = (float)(samples[s] >> 8 * k & 255) / 255.0f;

         sum = s ? sum + v : v;
      }
      sum *= 0.25f;
      sum *= 255.0f;
      if (bits >> k & 1)
         pixel |= (uint32_t)rintf(sum) << 8 * k;
   }
   return pixel;
}

/* `memory`: of rows, after which there is nothing.  The last row is outside every second time. */
static void
check(struct canvas *c, unsigned build, uint8_t *memory, uint32_t *seed, unsigned round)
{
   const uint64_t random = (uint64_t)pick(seed, 1u << 16) << 48 | pick(seed, 1u << 20);
   const bool cut = round & 1;
   const uint64_t inside = cut ? UINT64_MAX >> 8 : UINT64_MAX;
   const uint64_t lanes = inside & (round % 3 ? UINT64_MAX : random);
   uint8_t *from = memory + (cut ? ROW : 0);
   uint32_t out[CANVAS_SIDE * CANVAS_SIDE];
   unsigned bits = 15;

   canvas_begin(c, FORMAT_R8G8B8A8, NUMERIC_UNORM, NULL);
   canvas_wave(c, true);
   if (round % 5 == 0) {
      const unsigned gone = pick(seed, 4);

      bits &= ~(1u << c->cb.target[0].channel[gone].shift / 8);
      c->cb.target[0].channel[gone].bits = 0;
   }
   c->cb.mode = CB_RESOLVE;
   c->cb.resolve_dst = c->cb.target[0].surface;
   c->cb.resolve_dst.host = c->pixels;
   c->cb.resolve_src = c->cb.target[0].surface;
   c->cb.resolve_src.host = from;
   c->cb.resolve_src.row_bytes = ROW;
   c->cb.resolve_src.slice_bytes = LAST_BYTES;
   c->cb.resolve_src.log2_samples = 2;
   memset(c->pixels, 0xa5, sizeof(c->pixels));
   for (size_t i = 0; i < LAST_BYTES - (cut ? ROW : 0); i++)
      from[i] = (uint8_t)(pick(seed, 8) ? pick(seed, 256) : pick(seed, 2) * 255);
   resolve[build](c->tile, 0, 0, 0, lanes);
   memcpy(out, c->pixels, sizeof(out));
   for (unsigned l = 0; l < CANVAS_SIDE * CANVAS_SIDE; l++) {
      uint32_t samples[SAMPLES], expected = 0xa5a5a5a5u;

      if (lanes >> l & 1) {
         memcpy(samples, from + (size_t)l * SAMPLES * 4, sizeof(samples));
         expected = average(samples, bits);
      }
      if (out[l] != expected)
         fail_msg("%s: round %u, pixel %u is %08x, expected %08x", builds[build].name, round, l,
                  out[l], expected);
   }
}

static void
averages(void **state)
{
   const size_t page = 4096;
   uint8_t *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

   assert_ptr_not_equal(p, MAP_FAILED);
   assert_int_equal(mprotect(p + page, page, PROT_NONE), 0);
   for (unsigned build = 0; build < BUILDS; build++) {
      uint32_t seed = 5;

      for (unsigned round = 0; round < 4000 && can_run(build); round++)
         check(*state, build, p + page - LAST_BYTES, &seed, round);
   }
   munmap(p, 2 * page);
}

static int
begin(void **state)
{
   *state = calloc(1, sizeof(struct canvas));
   return *state ? 0 : -1;
}

static int
end(void **state)
{
   canvas_free(*state);
   free(*state);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(averages, begin, end),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
