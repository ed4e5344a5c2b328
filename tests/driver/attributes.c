/* SPDX-License-Identifier: MIT */
/*
 * Attribute descriptors, bit by bit as docs/valhall-chip.rst has them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <atoll/format_numbers.h>

#include "compiler/cayman/cayman_compile.h"
#include "driver/backend.h"

static void
fields(void **state)
{
   const struct cayman_vertex_element elements[2] = {
      {
         .resource = 3,
         .offset = 0x7ff,
         .data_format = 0x22,
         .num_format = 2,
         .is_signed = true,
         .endian_swap = 1,
         .dst_sel = { 2, 1, 0, 5 },
         .instance_divisor = 7,
      },
      { .resource = 15,
        .data_format = 0x1a,
        .srf_no_zero = true,
        .dst_sel = { 0, 4, 4, 5 },
        .twice = true },
   };
   static const uint32_t expected[16] = {
      /* 5 | 3 << 8 | 0x7ff << 16;
       * FORMAT_R32G32B32A32 | 2 << 8 | 1 << 10 | 1 << 12 | 2 << 20 | 1 << 23 | 5 << 29 */
      0x07ff0305,
      0xa0a01600 | FORMAT_R32G32B32A32,
      7,
      0,
      0,
      0,
      0,
      0,
      /* 5 | 15 << 8; FORMAT_R8G8B8A8 | 1 << 11 | 1 << 16 | 4 << 23 | 4 << 26 | 5 << 29 */
      0x00000f05,
      0xb2010800 | FORMAT_R8G8B8A8,
      0,
      0,
      0,
      0,
      0,
      0,
   };
   uint32_t *words;

   assert_int_equal(atoll_build_attributes(elements, 2, &words), 16);
   assert_memory_equal(words, expected, sizeof(expected));
   free(words);
}

/* There is something to point to. */
static void
none(void **state)
{
   static const uint32_t expected[8];
   uint32_t *words;

   assert_int_equal(atoll_build_attributes(NULL, 0, &words), 8);
   assert_memory_equal(words, expected, sizeof(expected));
   free(words);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(fields), cmocka_unit_test(none) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
