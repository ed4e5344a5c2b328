/* SPDX-License-Identifier: MIT */
/*
 * Copies of texels, in both directions: every byte of every line arrives, and no other changes; and
 * the fourth channel of texels that have three.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "driver/copy.h"

enum { BYTES = 1 << 20 };

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525 + 1013904223;
   return *seed >> 8;
}

static void
compare(const struct atoll_lines *l, size_t skew, bool down, enum atoll_copying how)
{
   static uint8_t src[BYTES], dst[BYTES], expected[BYTES];
   uint32_t seed = (uint32_t)(l->bytes * 31 + l->lines);
   const size_t from = l->src_stride < 0 ? l->lines * (size_t)-l->src_stride : skew;

   for (size_t i = 0; i < BYTES; i++)
      src[i] = (uint8_t)next(&seed);
   memset(dst, 0xA5, BYTES);
   memset(expected, 0xA5, BYTES);
   for (unsigned z = 0; z < l->slices; z++)
      for (unsigned y = 0; y < l->lines; y++)
         memcpy(expected + z * l->dst_slice + y * l->dst_stride,
                src + from + z * l->src_slice + (ptrdiff_t)y * l->src_stride, l->bytes);
   atoll_copy_lines(dst, src + from, l, down, how);
   assert_memory_equal(dst, expected, BYTES);
}

static void
lines(void **state)
{
   static const struct atoll_lines cases[] = {
      /* Together: less than a chunk, some chunks, and a rest. */
      { 64, 1, 1, 64, 64, 64, 64 },
      { 100, 7, 2, 100, 700, 100, 700 },
      { 4096, 16, 3, 4096, 65536, 4096, 65536 },
      { 1000, 123, 2, 1000, 123000, 1000, 123000 },
      /* Apart: narrow lines, and some longer than a chunk. */
      { 1, 500, 2, 64, 32000, 1, 500 },
      { 63, 700, 1, 256, 0, 100, 0 },
      { 512, 99, 3, 1024, 102400, 512, 50688 },
      { 16384, 9, 1, 20480, 0, 16384, 0 },
      { 40001, 5, 2, 40960, 204800, 40001, 200005 },
      { 300, 200, 1, 512, 0, -301, 0 },
      { 0, 10, 1, 64, 0, 0, 0 },
      { 64, 0, 1, 64, 0, 64, 0 },
   };

   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
      for (unsigned way = 0; way < 6; way++)
         for (unsigned skew = 0; skew < 18; skew += 17)
            compare(&cases[i], skew, way & 1, (enum atoll_copying)(way / 2));
}

/* The source ends where the last texel does; what follows the destination stays. */
static void
widened(void **state)
{
   static const uint32_t lasts[] = { 0, 0x7f, 0, 0x3c00, 0, 0x3f800000 };
   uint32_t seed = 7;

   for (unsigned bytes = 1; bytes <= 4; bytes *= 2) {
      for (unsigned n = 0; n < 70; n++) {
         const bool turned = n & 1;
         const uint32_t last = lasts[bytes / 2 * 2 + (n >> 1 & 1)];
         uint8_t *src = malloc((size_t)n * 3 * bytes + 1), dst[70 * 16 + 16];

         assert_non_null(src);
         for (size_t i = 0; i < (size_t)n * 3 * bytes; i++)
            src[i] = (uint8_t)next(&seed);
         memset(dst, 0xA5, sizeof(dst));
         atoll_widen(dst, src, n, bytes, turned, last);
         for (unsigned i = 0; i < n; i++) {
            for (unsigned c = 0; c < 3; c++)
               assert_memory_equal(dst + (4 * i + c) * bytes,
                                   src + (3 * i + (turned ? 2 - c : c)) * bytes, bytes);
            assert_memory_equal(dst + (4 * i + 3) * bytes, &last, bytes);
         }
         assert_int_equal(dst[4 * n * bytes], 0xA5);
         free(src);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(lines), cmocka_unit_test(widened) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
