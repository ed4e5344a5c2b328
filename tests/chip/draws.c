/* SPDX-License-Identifier: MIT */
/*
 * A chip made for tests draws and computes what Cayman does, byte for byte, with programs of each
 * instruction set.  The program is run once for each: ATOLL_ISA says what the device has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <atoll/device.h>

#include "front_door.h"
#include "model/model.h"

static struct scene scene;
static uint32_t expected[SCENE_BYTES / 4]; /* what the front door made of it */

static const char *const names[] = {
#define ISA(NAME, name) [ATOLL_ISA_##NAME] = #name,
#include <atoll/isas.def>
};

static int
make(void **state)
{
   const char *word = getenv("ATOLL_ISA");
   unsigned isa = 0;

   (void)state;
   while (isa < sizeof(names) / sizeof(*names) && word && strcmp(word, names[isa]))
      isa++;
   assert_true(isa < sizeof(names) / sizeof(*names));
   scene_make(&scene, isa);
   front_door_run(&scene, expected);
   return 0;
}

static int
forget(void **state)
{
   (void)state;
   scene_free(&scene);
   return 0;
}

/* Where the memory of the model differs from `expected`, in bytes from `from` on. */
static void
expect_alike(const struct model *m, uint32_t from, uint32_t bytes, const char *what)
{
   for (uint32_t n = from / 4; n < (from + bytes) / 4; n++)
      if (model_memory(m)[n] != expected[n])
         fail_msg("%s: dword %u is %08x, of Cayman's %08x", what, n - from / 4, model_memory(m)[n],
                  expected[n]);
}

static bool
differs(uint32_t at, unsigned x, unsigned y)
{
   const uint32_t n = at / 4 + PICTURE_SIZE * y + x;

   return expected[n] != scene.memory[n];
}

/* The scene shows what it is to show: depths are written where colours are, and what was nearer in
 * the left half hides some of the triangle, not all. */
static void
the_scene_has_it_all(void **state)
{
   unsigned drawn = 0, hidden = 0, seen = 0;

   (void)state;
   for (unsigned y = 0; y < PICTURE_SIZE; y++) {
      for (unsigned x = 0; x < PICTURE_SIZE; x++) {
         drawn += differs(DEPTH_AT, x, y);
         assert_true(differs(DEPTH_AT, x, y) || !differs(COLOR_AT, x, y));
      }
      if (differs(DEPTH_AT, PICTURE_SIZE / 2, y)) {
         seen += differs(DEPTH_AT, PICTURE_SIZE / 2 - 1, y);
         hidden += !differs(DEPTH_AT, PICTURE_SIZE / 2 - 1, y);
      }
   }
   print_message("%s: %u pixels drawn; of the middle's rows, %u seen and %u hidden\n",
                 names[scene.isa], drawn, seen, hidden);
   assert_true(drawn > 500 && drawn < PICTURE_SIZE * PICTURE_SIZE / 2);
   assert_true(seen > 5 && hidden > 5);
}

static void
draws_what_cayman_draws(void **state)
{
   (void)state;
   for (unsigned threads = 1; threads <= 2; threads++) {
      struct model *m = model_create(&scene, threads);

      assert_non_null(m);
      assert_int_equal(model_draw(m), 0);
      expect_alike(m, COLOR_AT, 4 * PICTURE_SIZE * PICTURE_SIZE, "colours");
      expect_alike(m, DEPTH_AT, 4 * PICTURE_SIZE * PICTURE_SIZE, "depths");
      if (scene.computes) {
         assert_int_equal(model_dispatch(m), 0);
         expect_alike(m, OUT_AT, OUT_BYTES, "computed");
      }
      expect_alike(m, 0, SCENE_BYTES, "all else");
      model_destroy(m);
   }
}

static void
computes_what_it_should(void **state)
{
   (void)state;
   for (uint32_t n = 0; n < OUT_BYTES / 4; n++)
      assert_int_equal(expected[OUT_AT / 4 + n], scene.computes ? scene_computed(n) : 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_scene_has_it_all),
      cmocka_unit_test(draws_what_cayman_draws),
      cmocka_unit_test(computes_what_it_should),
   };

   return cmocka_run_group_tests(tests, make, forget);
}
