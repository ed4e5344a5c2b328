/* SPDX-License-Identifier: MIT */
/*
 * Memory for machine code: what is put there runs, alone and in a pool, and its memory is taken
 * again; a forked child cannot write what its parent runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "uop/native_map.h"

/* mov eax, n; ret */
enum { CODE_BYTES = 6 };

static void
make_code(uint8_t *code, uint32_t n)
{
   code[0] = 0xb8;
   memcpy(code + 1, &n, sizeof(n));
   code[5] = 0xc3;
}

static uint32_t
run(const void *code)
{
   uint32_t (*fn)(void);

   memcpy(&fn, &code, sizeof(fn));
   return fn();
}

/* As long as `bytes`, and gives n. */
static void *
map(struct uop_native_pool *pool, size_t bytes, uint32_t n)
{
   uint8_t *code = calloc(1, bytes);
   void *address;

   assert_non_null(code);
   make_code(code, n);
   address = uop_native_map(pool, code, bytes);
   free(code);
   assert_non_null(address);
   return address;
}

static void
own_pages(void **state)
{
   void *first = map(NULL, CODE_BYTES, 1), *second = map(NULL, 100000, 2);

   assert_int_equal(run(first), 1);
   assert_int_equal(run(second), 2);
   uop_native_unmap(NULL, first, CODE_BYTES);
   assert_int_equal(run(second), 2);
   uop_native_unmap(NULL, second, 100000);
   uop_native_unmap(NULL, NULL, 0);
}

/* More than a chunk holds, of all lengths, given back in another order. */
static void
pool_of_many(void **state)
{
   enum { COUNT = 200, STEP = 67 };
   struct uop_native_pool *pool = uop_native_pool_create();
   void *address[COUNT];
   size_t bytes[COUNT];

   assert_non_null(pool);
   for (unsigned round = 0; round < 3; round++) {
      for (unsigned n = 0; n < COUNT; n++) {
         bytes[n] = CODE_BYTES + n * n;
         address[n] = map(pool, bytes[n], round * COUNT + n);
      }
      for (unsigned n = 0; n < COUNT; n++)
         assert_int_equal(run(address[n]), round * COUNT + n);
      for (unsigned n = 0; n < COUNT; n++) {
         const unsigned k = n * STEP % COUNT;

         assert_int_equal(run(address[k]), round * COUNT + k);
         uop_native_unmap(pool, address[k], bytes[k]);
      }
   }
   uop_native_pool_destroy(pool);
   uop_native_pool_destroy(NULL);
}

/* What is given back is taken again, and never while something is in the chunk. */
static void
mapped_again(void **state)
{
   struct uop_native_pool *pool = uop_native_pool_create();
   void *first = map(pool, CODE_BYTES, 1), *second = map(pool, CODE_BYTES, 2), *third;

   /* Where the host refuses chunks each has a page. */
   const bool pooled = (uintptr_t)first / 4096 == (uintptr_t)second / 4096;

   assert_ptr_not_equal(first, second);
   uop_native_unmap(pool, first, CODE_BYTES);
   third = map(pool, CODE_BYTES, 3);
   assert_ptr_not_equal(third, second);
   assert_int_equal(run(second), 2);
   assert_int_equal(run(third), 3);
   uop_native_unmap(pool, second, CODE_BYTES);
   uop_native_unmap(pool, third, CODE_BYTES);
   void *fourth = map(pool, CODE_BYTES, 4);
   if (pooled)
      assert_ptr_equal(first, fourth);
   assert_int_equal(run(fourth), 4);
   uop_native_pool_destroy(pool);
}

/* Tries to write each mapping of a pool's.  0: it cannot; what is there runs, and so does what is
 * made anew. */
static int
try_to_write(struct uop_native_pool *pool, void *code)
{
   FILE *maps = fopen("/proc/self/maps", "r");
   char line[512];

   while (maps && fgets(line, sizeof(line), maps)) {
      unsigned long from, to;
      char mode[5];

      if (!strstr(line, "atoll-code") || sscanf(line, "%lx-%lx %4s", &from, &to, mode) != 3)
         continue;
      if (mode[1] == 'w' || !mprotect((void *)from, to - from, PROT_READ | PROT_WRITE))
         return 1;
   }
   if (run(code) != 1)
      return 2;

   void *own = map(pool, CODE_BYTES, 5);
   if (run(own) != 5 || run(code) != 1)
      return 3;
   uop_native_unmap(pool, own, CODE_BYTES);
   uop_native_unmap(pool, code, CODE_BYTES);
   uop_native_pool_destroy(pool);
   return 0;
}

static void
forked(void **state)
{
   struct uop_native_pool *pool = uop_native_pool_create();
   void *code = map(pool, CODE_BYTES, 1), *more;
   int status;
   pid_t child = fork();

   assert_true(child >= 0);
   if (!child)
      _exit(try_to_write(pool, code));
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_int_equal(run(code), 1);
   more = map(pool, CODE_BYTES, 2);
   assert_int_equal(run(more), 2);
   uop_native_pool_destroy(pool);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(own_pages),
      cmocka_unit_test(pool_of_many),
      cmocka_unit_test(mapped_again),
      cmocka_unit_test(forked),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
