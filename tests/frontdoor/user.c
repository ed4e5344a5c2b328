/* SPDX-License-Identifier: MIT */
/*
 * Copies from and to a client's program: of ranges with holes and ends, by the kernel where the
 * client is checked, which says what is not there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "frontdoor/device.h"
#include "frontdoor/user.h"

static uint64_t
at(const void *p)
{
   return (uintptr_t)p;
}

/* A page, and one after it that may not be touched. */
static uint8_t *
two_pages(void)
{
   uint8_t *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

   assert_ptr_not_equal(p, MAP_FAILED);
   assert_int_equal(mprotect(p + 4096, 4096, PROT_NONE), 0);
   return p;
}

static void
reads(void **state)
{
   for (unsigned checked = 0; checked < 2; checked++) {
      const struct atoll_client client = { .check_memory = checked };
      uint8_t from[USER_RANGES * 3], to[USER_RANGES * 3 + 1] = { 0 };
      struct user_range ranges[USER_RANGES];

      for (unsigned n = 0; n < sizeof(from); n++)
         from[n] = (uint8_t)(n + 1);
      /* As many as there may be, in the other order; some are empty, one of these nowhere. */
      for (unsigned n = 0; n < USER_RANGES; n++)
         ranges[n] = (struct user_range){ to + 3 * n, at(from + 3 * (USER_RANGES - 1 - n)), n % 4 };
      for (unsigned n = 0; n < USER_RANGES; n += 4)
         ranges[n].address = 0;
      assert_true(user_read(&client, ranges, USER_RANGES));
      for (unsigned n = 0; n < USER_RANGES; n++)
         for (unsigned k = 0; k < 3; k++)
            assert_int_equal(to[3 * n + k], k < n % 4 ? from[3 * (USER_RANGES - 1 - n) + k] : 0);
      assert_int_equal(to[sizeof(to) - 1], 0);
      assert_true(user_read(&client, ranges, 0));
      /* Bytes from nowhere. */
      ranges[2].address = 0;
      assert_false(user_read(&client, ranges, USER_RANGES));
      assert_true(user_read(&client, ranges, 2));
   }
}

static void
writes(void **state)
{
   for (unsigned checked = 0; checked < 2; checked++) {
      const struct atoll_client client = { .check_memory = checked };
      uint8_t to[6] = { 9, 9, 9, 9, 9, 9 };

      assert_true(user_write(&client, at(to + 1), "abcd", 4));
      assert_memory_equal(to,
                          "\x09"
                          "abcd"
                          "\x09",
                          6);
      assert_true(user_write(&client, at(to), "x", 0));
      assert_true(user_write(&client, 0, "x", 0));
      assert_false(user_write(&client, 0, "x", 1));
      assert_memory_equal(to,
                          "\x09"
                          "abcd"
                          "\x09",
                          6);
   }
}

/* What a checked client names wrongly: addresses that no process has, pages that are not there, and
 * ranges that begin well. */
static void
wrong(void **state)
{
   const struct atoll_client client = { .check_memory = true };
   uint8_t *page = two_pages(), to[64];
   const struct iovec local = { to, 1 }, remote = { page, 1 };
   const uint64_t bad[] = { at(page + 4096), at(page + 4095),  1, 4096, UINT64_MAX,
                            UINT64_MAX - 3,  UINT64_C(1) << 63 };

   if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != 1)
      skip(); /* nothing is checked here */
   memset(page, 0x11, 4096);
   for (unsigned n = 0; n < sizeof(bad) / sizeof(*bad); n++) {
      const struct user_range ranges[] = { { to, at(page), 8 },
                                           { to + 8, bad[n], 8 },
                                           { to + 16, at(page), 8 } };

      assert_false(user_read(&client, ranges, 3));
      assert_false(user_read(&client, ranges + 1, 1));
      assert_false(user_write(&client, bad[n], to, 8));
   }
   /* More than there is. */
   assert_false(user_read(&client, &(struct user_range){ to, at(page), SIZE_MAX }, 1));
   assert_false(user_read(
      &client, (struct user_range[]){ { to, at(page), SIZE_MAX }, { to, at(page), 1 } }, 2));
   /* To the last byte all is well, and a page that may only be read is not written. */
   assert_true(user_read(&client, &(struct user_range){ to, at(page + 4096 - 64), 64 }, 1));
   assert_int_equal(to[63], 0x11);
   assert_true(user_write(&client, at(page + 4032), to, 64));
   assert_int_equal(mprotect(page, 4096, PROT_READ), 0);
   assert_false(user_write(&client, at(page), to, 1));
   assert_true(user_read(&client, &(struct user_range){ to, at(page), 1 }, 1));
   munmap(page, 8192);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads),
      cmocka_unit_test(writes),
      cmocka_unit_test(wrong),
   };

   return cmocka_run_group_tests_name("frontdoor/user", tests, NULL, NULL);
}
