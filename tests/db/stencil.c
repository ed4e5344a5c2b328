/* SPDX-License-Identifier: MIT */
/*
 * Stencil: every operation on every value, chosen by stencil and depth tests, under masks, with
 * faces of their own, before the program and after it; and values that the program exports.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "planes.h"

/* OpenGL 4.6, 17.3.3: values have eight bits. */
static unsigned
operate(unsigned op, unsigned old, unsigned ref)
{
   switch (op) {
   case STENCIL_OP_KEEP:
      return old;
   case STENCIL_OP_ZERO:
      return 0;
   case STENCIL_OP_REPLACE:
      return ref;
   case STENCIL_OP_INCREMENT_CLAMP:
      return old < 255 ? old + 1 : 255;
   case STENCIL_OP_DECREMENT_CLAMP:
      return old > 0 ? old - 1 : 0;
   case STENCIL_OP_INVERT:
      return 255 - old;
   case STENCIL_OP_INCREMENT_WRAP:
      return (old + 1) % 256;
   default:
      return (old + 255) % 256;
   }
}

/* An operation that all pixels take, on every value. */
static void
every_operation(void **state)
{
   struct planes *p = *state;

   for (unsigned i = 0; i < 8 * 4 * BUILDS; i++) {
      const unsigned op = i % 8, part = i / 8 % 4, build = i / 32;

      if (!can_run(build))
         continue;
      planes_begin(p, DEPTH_NONE, true);
      p->db.stencil = true;
      p->db.face[0] = (struct db_face){
         .func = TEST_ALWAYS, .zpass = (uint8_t)op, .ref = 0xb7, .mask = 255, .write_mask = 255
      };
      p->db.face[1] = p->db.face[0];
      db_finish(&p->db);
      for (unsigned pixel = 0; pixel < LANES; pixel++)
         p->s[pixel] = (uint8_t)(part * LANES + pixel);
      assert_true(builds[build].choose(p->tile)(p->tile, &p->front, 0, 0, UINT64_MAX, 0) ==
                  UINT64_MAX);
      for (unsigned pixel = 0; pixel < LANES; pixel++)
         assert_int_equal(p->s[pixel], operate(op, part * LANES + pixel, 0xb7));
   }
}

static struct db_face
any_face(uint32_t *seed)
{
   return (struct db_face){
      .func = (uint8_t)pick(seed, 8),
      .fail = (uint8_t)pick(seed, 8),
      .zfail = (uint8_t)pick(seed, 8),
      .zpass = (uint8_t)pick(seed, 8),
      .ref = (uint8_t)pick(seed, 256),
      .mask = (uint8_t)(pick(seed, 2) ? 255 : pick(seed, 256)),
      .write_mask = (uint8_t)(pick(seed, 2) ? 255 : pick(seed, 256)),
   };
}

/* Anything at all, of a block or a wave. */
static void
check_any(struct planes *p, unsigned build, bool wave, uint32_t *seed)
{
   const uint64_t cover = pick(seed, 2) ? UINT64_MAX : pick_lanes(seed);
   const bool depth = pick(seed, 4), exported = wave && !pick(seed, 3), back = pick(seed, 2);
   uint8_t old[LANES];
   uint16_t z[LANES];
   uint64_t want = 0, got;

   planes_begin(p, depth ? DEPTH_UNORM16 : DEPTH_NONE, true);
   p->db.z_test = depth;
   p->db.z_func = TEST_LESS;
   p->db.stencil = true;
   p->db.face[0] = any_face(seed);
   p->db.face[1] = any_face(seed);
   p->db.export_stencil = exported;
   db_finish(&p->db);
   p->front.z[0] = p->back.z[0] = 0.5f;
   planes_wave(p);
   for (unsigned lane = 0; lane < LANES; lane++) {
      const float half = 0.5f;

      z[lane] = (uint16_t)(32760 + pick(seed, 20));
      old[lane] = p->s[lane] = (uint8_t)(pick(seed, 3) ? pick(seed, 256) : pick(seed, 2) * 255);
      memcpy(p->z + lane * 2, &z[lane], 2);
      memcpy(&p->tile->z[lane], &half, 4);
      /* Only the low eight bits of an exported value count. */
      p->outputs->z[1][lane] = pick(seed, 1024);
   }
   if (wave)
      got = builds[build].lanes(p->tile, cover, 0);
   else
      got = builds[build].choose(p->tile)(p->tile, back ? &p->back : &p->front, 0, 0, cover, 0);
   for (unsigned lane = 0; lane < LANES; lane++) {
      const unsigned pixel = wave ? pixel_of(lane) : lane;
      const struct db_face *f = &p->db.face[wave ? lane / 4 & 1 : back];
      const unsigned ref = exported ? p->outputs->z[1][lane] & 255 : f->ref;
      const bool passes = holds(f->func, ref & f->mask, old[pixel] & f->mask);
      const bool near = !depth || 32768 < z[pixel];
      const unsigned op = !passes ? f->fail : !near ? f->zfail : f->zpass;
      unsigned value = operate(op, old[pixel], ref);

      value = (value & f->write_mask) | (old[pixel] & ~(unsigned)f->write_mask);
      if (!(cover >> lane & 1))
         value = old[pixel];
      else if (passes && near)
         want |= UINT64_C(1) << lane;
      if (p->s[pixel] != value)
         fail_msg("%s, %s: pixel %u, %02x by operation %u under %02x: %02x, expected %02x",
                  builds[build].name, wave ? "wave" : "block", pixel, old[pixel], op, f->write_mask,
                  p->s[pixel], value);
   }
   if (got != want)
      fail_msg("%s, %s: %016llx pass, expected %016llx", builds[build].name,
               wave ? "wave" : "block", (unsigned long long)got, (unsigned long long)want);
}

static void
any_state(void **state)
{
   uint32_t seed = 1;

   for (unsigned build = 0; build < BUILDS; build++)
      for (unsigned round = 0; round < 4000 && can_run(build); round++)
         check_any(*state, build, round & 1, &seed);
}

/* Clears come instead of what tests would leave. */
static void
clears(void **state)
{
   struct planes *p = *state;

   for (unsigned build = 0; build < BUILDS; build++) {
      if (!can_run(build))
         continue;
      planes_begin(p, DEPTH_UNORM16, true);
      p->db.z_clear = p->db.s_clear = true;
      p->db.z_clear_value = 0.25f;
      p->db.s_clear_value = 0x5a;
      db_finish(&p->db);
      assert_true(p->db.writes);
      builds[build].choose(p->tile)(p->tile, &p->front, 0, 0, 0xff, 0);
      for (unsigned pixel = 0; pixel < LANES; pixel++) {
         uint16_t z;

         memcpy(&z, p->z + pixel * 2, 2);
         assert_int_equal(p->s[pixel], pixel < 8 ? 0x5a : 0);
         assert_int_equal(z, pixel < 8 ? 16384 : 0);
      }
   }
}

/* What may be filled at once, and what may not. */
static void
overwrites(void **state)
{
   struct planes *p = *state;
   const struct db_face replace = {
      .func = TEST_ALWAYS, .zpass = STENCIL_OP_REPLACE, .mask = 255, .write_mask = 255
   };

   planes_begin(p, DEPTH_UNORM24, true);
   p->db.z_test = p->db.z_write = p->db.stencil = true;
   p->db.z_func = TEST_ALWAYS;
   p->db.face[0] = p->db.face[1] = replace;
   db_finish(&p->db);
   assert_true(db_overwrites(&p->db, 1));
   assert_false(db_overwrites(&p->db, 4));
   p->db.face[1].write_mask = 127;
   assert_false(db_overwrites(&p->db, 1));
   p->db.face[1] = replace;
   p->db.face[0].zpass = STENCIL_OP_INCREMENT_CLAMP;
   assert_false(db_overwrites(&p->db, 1));
   p->db.face[0] = replace;
   p->db.face[0].func = TEST_EQUAL;
   assert_false(db_overwrites(&p->db, 1));
   p->db.face[0] = replace;
   p->db.z_test = true;
   assert_false(db_overwrites(&p->db, 1));
}

static struct planes planes;

static int
setup(void **state)
{
   *state = &planes;
   return 0;
}

static int
teardown(void **state)
{
   planes_free(*state);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operation),
      cmocka_unit_test(any_state),
      cmocka_unit_test(clears),
      cmocka_unit_test(overwrites),
   };

   return cmocka_run_group_tests(tests, setup, teardown);
}
