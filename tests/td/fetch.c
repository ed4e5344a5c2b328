/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetches of elements in every order: one after the other, all the same, by rows of any
 * length, at random, up to the last byte of the buffer and beyond; of one to four dwords, some or
 * all of them asked for, in all builds, against the bytes themselves.
 */
#include "harness.h"
#include "port/texture.h"

#define BYTES 4096u

static struct test_build builds[3];
static unsigned num_builds;
static uint8_t data[BYTES] __attribute__((aligned(64)));
static uint32_t seed = 1;

static int
setup(void **state)
{
   num_builds = test_builds(builds);
   for (unsigned i = 0; i < BYTES; i++)
      data[i] = (uint8_t)test_random(&seed);
   return 0;
}

static void
check(const wave_lane index, unsigned dwords, unsigned asked, uint32_t stride, uint32_t offset,
      uint64_t lanes)
{
   static const uint8_t formats[] = { FORMAT_R32, FORMAT_R32G32, FORMAT_R32G32B32,
                                      FORMAT_R32G32B32A32 };
   const struct elements elements = {
      .format = formats[dwords - 1],
      .conversion = CONVERT_INT,
      .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
      .stride = stride,
      .offset = offset,
      .ring = data,
      .ring_bytes = BYTES,
   };

   for (unsigned b = 0; b < num_builds; b++) {
      static wave_lane out[4];
      uint32_t *dst[4];
      struct td_vtx_bind bind;

      memset(out, 0xee, sizeof(out));
      for (unsigned c = 0; c < 4; c++)
         dst[c] = asked >> c & 1 ? out[c] : NULL;
      builds[b].kernels.td_bind_vtx(&bind, &elements);
      bind.run(&bind, index, dst, lanes);
      for (unsigned l = 0; l < WAVE_LANES; l++) {
         const uint64_t at = (uint64_t)index[l] * stride + offset;

         for (unsigned c = 0; c < 4; c++) {
            uint32_t expected = c == 3 ? 1 : 0;

            if (!(lanes >> l & 1 && asked >> c & 1))
               expected = 0xeeeeeeee;
            else if (c < dwords && at + 4 * dwords <= BYTES)
               memcpy(&expected, data + at + 4 * c, 4);
            else if (c < dwords)
               expected = 0;
            if (out[c][l] != expected)
               fail_msg("%s: %u dwords, stride %u, lane %u, element %u: component %u is %08x, not "
                        "%08x",
                        builds[b].name, dwords, stride, l, index[l], c, out[c][l], expected);
         }
      }
   }
}

static void
orders(void **state)
{
   for (unsigned n = 0; n < 4000; n++) {
      const unsigned dwords = 1 + n % 4, order = n / 4 % 5;
      const uint32_t stride = n % 3 ? 4 : 4 * (1 + test_random(&seed) % 5);
      const uint32_t row = 1 + test_random(&seed) % 32, pitch = test_random(&seed) % 64;
      const uint32_t first = test_random(&seed) % (n % 16 ? 400 : 1100);
      const uint64_t some = test_random(&seed) | (uint64_t)test_random(&seed) << 32;
      wave_lane index;

      for (unsigned l = 0; l < WAVE_LANES; l++)
         index[l] = order == 0   ? first + l
                    : order == 1 ? first
                    : order == 2 ? first + l / row * pitch + l % row
                    : order == 3 ? first + l / row
                                 : test_random(&seed) % 200;
      const unsigned asked = n / 20 % 3 ? 15 : 1u << n / 60 % 4;

      check(index, dwords, asked, stride, 4 * (test_random(&seed) % 8),
            n % 5 ? ~UINT64_C(0) : some);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(orders) };
   return cmocka_run_group_tests(tests, setup, NULL);
}
