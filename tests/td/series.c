/* SPDX-License-Identifier: MIT */
/*
 * Lookups done at once (struct td_tex_series) beside the same lookups one after the other, in all
 * builds: random textures, samplers, coordinates, registers and lanes.
 */
#include "harness.h"

#define REGISTERS 24

struct registers {
   wave_lane row[REGISTERS][4];
};

static struct vm space;
static struct test_build builds[3];
static unsigned num_builds;

static int
setup(void **state)
{
   uint32_t seed = 5;

   num_builds = test_builds(builds);
   test_vm_init(&space);
   for (unsigned i = 0; i < TEST_BYTES; i++)
      space.data[i] = (uint8_t)test_random(&seed);
   return 0;
}

static void
random_texture(uint32_t *seed, struct test_tex *t)
{
   static const unsigned formats[] = { FMT_8, FMT_8_8, FMT_8_8_8_8, FMT_8_8_8_8 };
   const bool filters = test_random(seed) & 1;

   test_tex_init(t);
   t->format = formats[test_random(seed) % 4];
   t->width = 1 + test_random(seed) % (test_random(seed) % 4 ? 100 : 6);
   t->height = 1 + test_random(seed) % (test_random(seed) % 4 ? 60 : 6);
   t->op = 16 + test_random(seed) % 4;
   for (unsigned a = 0; a < 2; a++)
      t->clamp[a] = test_random(seed) & 1 ? SQ_TEX_WRAP : SQ_TEX_CLAMP_LAST_TEXEL;
   t->unnormalized = test_random(seed) % 8 == 0;
   if (t->unnormalized)
      t->clamp[0] = t->clamp[1] = SQ_TEX_CLAMP_LAST_TEXEL;
   t->mag = t->min = filters;
   t->truncate = filters ? test_random(seed) % 4 == 0 : test_random(seed) % 4 != 0;
   for (unsigned c = 0; c < 4 && test_random(seed) & 1; c++)
      t->sel[c] = test_random(seed) % 6;
   if (test_random(seed) % 4 == 0) {
      t->last_level = 2;
      t->base_level = test_random(seed) % 3;
   }
}

/* The last page that may be read ends where the texture does. */
static void
place_at_end(const struct test_tex *t, struct test_words *w)
{
   const struct surface_level *l = &w->levels[t->last_level];
   const uint64_t last = t->last_level ? w->mips + l->offset : l->offset;
   const uint64_t bytes = (last + l->slice_bytes * l->slices + 255) / 256 * 256;
   const uint32_t by = (uint32_t)((TEST_BYTES - bytes) >> 8);

   w->resource[2] += by;
   w->resource[3] += by;
}

/* Of quads side by side that read texels side by side, more or less; or of any bits. */
static void
random_rows(uint32_t *seed, const struct test_tex *t, struct registers *r)
{
   const bool any = test_random(seed) % 6 == 0;
   const float step = test_random(seed) & 1 ? 1.0f : test_random_float(seed, 0.2f, 3.0f);
   const float turn = test_random(seed) % 3 ? 0.0f : test_random_float(seed, -0.3f, 0.3f);
   const float x0 = test_random_float(seed, -4.0f, (float)t->width);
   const float y0 = test_random_float(seed, -4.0f, (float)t->height);

   for (unsigned n = 0; n < REGISTERS; n++) {
      for (unsigned c = 0; c < 4; c++) {
         const float by = (float)(test_random(seed) % 5) - 2.0f + 0.3f;
         const bool along_y = test_random(seed) & 1;

         for (unsigned i = 0; i < 64; i++) {
            const float x = (float)(i / 4 % 4 * 2 + (i & 1));
            const float y = (float)(i / 16 * 2 + (i >> 1 & 1));
            float v = along_y ? y0 + by + (y - x * turn) * step : x0 + by + (x + y * turn) * step;

            if (!t->unnormalized)
               v /= (float)(along_y ? t->height : t->width);
            r->row[n][c][i] = any ? test_random(seed) : test_bits(v);
         }
      }
   }
   if (test_random(seed) % 8 == 0)
      r->row[1][0][test_random(seed) % 64] = 0x7fc00000u;
}

static uint8_t
place_of(uint32_t *list, uint32_t *count, uint32_t at)
{
   uint32_t n = 0;

   while (n < *count && list[n] != at)
      n++;
   if (n == *count)
      list[(*count)++] = at;
   return (uint8_t)n;
}

static void
random_series(uint32_t *seed, const struct td_lookup *lookup, struct td_tex_series *s)
{
   const unsigned wanted = 1 + test_random(seed) % TD_SERIES_MAX;
   bool written[REGISTERS * 4] = { false };

   memset(s, 0, sizeof(*s));
   for (unsigned tries = 0; tries < 100 && s->count < wanted; tries++) {
      const uint32_t x = test_random(seed) % (REGISTERS * 4 / (tries < 50 ? 8 : 1));
      const uint32_t y = test_random(seed) % (REGISTERS * 4);
      const uint32_t to = test_random(seed) % REGISTERS;

      if (written[x] || written[y])
         continue;
      s->lookup[s->count].coord[0] =
         place_of(s->coord[0], &s->num_coords[0], x * (uint32_t)sizeof(wave_lane));
      s->lookup[s->count].coord[1] =
         place_of(s->coord[1], &s->num_coords[1], y * (uint32_t)sizeof(wave_lane));
      s->lookup[s->count++].to = to * 4 * (uint32_t)sizeof(wave_lane);
      for (unsigned c = 0; c < 4; c++)
         written[to * 4 + c] |= lookup->swizzle[c] != SWIZZLE_NONE;
   }
}

static void
run_singly(const struct td_tex_bind *bind, const struct td_lookup *lookup,
           const struct td_tex_series *s, struct registers *r, uint64_t lanes)
{
   static const wave_lane zeros;
   uint8_t *const registers = (uint8_t *)r;

   for (unsigned i = 0; i < s->count; i++) {
      struct td_tex_args args = { .lanes = lanes, .valid = ~UINT64_C(0) };

      for (unsigned c = 0; c < 4; c++) {
         uint32_t *to = (uint32_t *)(void *)(registers + s->lookup[i].to + c * sizeof(wave_lane));
         args.dst[c] = lookup->swizzle[c] == SWIZZLE_NONE ? NULL : to;
         args.src[c] = zeros;
      }
      for (unsigned a = 0; a < 2; a++)
         args.src[a] = (const uint32_t *)(void *)(registers + s->coord[a][s->lookup[i].coord[a]]);
      bind->run(bind, &args);
   }
}

static void
equal_to_single_lookups(void **state)
{
   static struct registers start, singly, at_once, first;
   unsigned done = 0;
   uint32_t seed = 77;

   for (unsigned round = 0; round < 12000; round++) {
      struct test_tex t;
      struct test_words w;
      struct td_tex_series s;
      uint64_t lanes = ~UINT64_C(0);

      random_texture(&seed, &t);
      test_tex_words(&t, &space, &w);
      place_at_end(&t, &w);
      for (unsigned c = 0; c < 4 && round & 1; c++)
         w.lookup.swizzle[c] = cayman_write[test_random(&seed) & 7];
      if (round % 4 == 1)
         w.lookup.swizzle[3] = SWIZZLE_NONE;
      if (round % 3 == 0)
         lanes = (uint64_t)test_random(&seed) << 32 | test_random(&seed);
      random_rows(&seed, &t, &start);
      random_series(&seed, &w.lookup, &s);
      for (unsigned b = 0; b < num_builds; b++) {
         struct td_tex_bind bind;

         memset(&bind, 0xa5, sizeof(bind));
         cayman_bind_tex(&builds[b].kernels, &bind, &w.lookup, &w.view);
         singly = start;
         run_singly(&bind, &w.lookup, &s, &singly, lanes);
         if (b == 0)
            first = singly;
         assert_memory_equal(&singly, &first, sizeof(first));
         if (!bind.run_series)
            continue;
         done++;
         at_once = start;
         bind.run_series(&bind, &s, (uint8_t *)&at_once, lanes);
         if (memcmp(&at_once, &singly, sizeof(singly)) != 0)
            fail_msg("round %u, %s: %u lookups at once leave something else", round, builds[b].name,
                     s.count);
      }
   }
   /* All but those of several levels, and what the special samplers leave to the general one. */
   assert_true(done > 12000 * num_builds / 2);
}

/* Whoever asks for levels, other formats or dimensions has no series. */
static void
only_of_one_level(void **state)
{
   for (unsigned b = 0; b < num_builds; b++) {
      for (unsigned which = 0; which < 6; which++) {
         struct test_tex t;
         struct test_words w;
         struct td_tex_bind bind;

         test_tex_init(&t);
         t.last_level = which == 1 || which == 2 ? 2 : 0;
         t.mip = which == 1;
         t.mag = which == 2 || which == 3;
         t.min = which == 3;
         t.format = which == 4 ? FMT_16_16 : FMT_8_8_8_8;
         t.dim = which == 5 ? SQ_TEX_DIM_2D_ARRAY : SQ_TEX_DIM_2D;
         t.op = 16;
         test_tex_words(&t, &space, &w);
         memset(&bind, 0xa5, sizeof(bind));
         cayman_bind_tex(&builds[b].kernels, &bind, &w.lookup, &w.view);
         assert_int_equal(bind.run_series != NULL, which == 0 || which == 3);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_to_single_lookups),
      cmocka_unit_test(only_of_one_level),
   };
   return cmocka_run_group_tests(tests, setup, NULL);
}
