/* SPDX-License-Identifier: MIT */
/*
 * Random descriptors, instructions and coordinates: nothing is read outside the mapping (its
 * neighbours fault), nothing is written but the lanes asked for, and all builds agree.
 */
#include "harness.h"

#include "port/texture.h"
#include "chip/chip.h"

static struct vm space;

static int
setup(void **state)
{
   uint32_t seed = 77;
   test_vm_init(&space);
   for (unsigned i = 0; i < TEST_BYTES; i++)
      space.data[i] = (uint8_t)test_random(&seed);
   return 0;
}

static const uint32_t nasty[] = { 0,          0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00001u,
                                  0x3f800000, 0x7f7fffffu, 0xffffffffu, 0x00000001u, 0x7fffffffu };

static uint32_t
any_word(uint32_t *seed)
{
   uint32_t r = test_random(seed);
   if (r % 4 == 0)
      return nasty[(r >> 4) % 10];
   if (r % 4 == 1)
      return test_bits(test_random_float(seed, -3, 3));
   if (r % 4 == 2)
      return test_random(seed) % 64;
   return test_random(seed);
}

static void
textures_stay_inside(void **state)
{
   struct test_build builds[3];
   unsigned num_builds = test_builds(builds);
   uint32_t seed = 4242;
   struct test_lanes l[3];

   for (unsigned round = 0; round < 12000; round++) {
      struct test_words w;
      uint64_t lanes =
         round % 2 ? ~UINT64_C(0) : (uint64_t)test_random(&seed) << 32 | test_random(&seed);
      memset(&w, 0, sizeof(w));
      for (unsigned i = 0; i < 8; i++)
         w.resource[i] = test_random(&seed);
      for (unsigned i = 0; i < 3; i++)
         w.sampler[i] = test_random(&seed);
      for (unsigned i = 0; i < 4; i++)
         w.border.rgba[i] = any_word(&seed);
      if (round % 8)
         w.resource[7] = (w.resource[7] & 0x3fffffffu) | 2u << 30;
      /* Mostly near or inside the mapping, and small enough to fit. */
      if (round % 4) {
         w.resource[2] = (uint32_t)(TEST_VA >> 8) + test_random(&seed) % 4200 - 50;
         w.resource[3] = (uint32_t)(TEST_VA >> 8) + test_random(&seed) % 4200 - 50;
      }
      if (round % 3) {
         w.resource[0] = (w.resource[0] & 7) |
                         REG_FIELD(TEX_WORD0, PITCH, test_random(&seed) % 16) |
                         REG_FIELD(TEX_WORD0, TEX_WIDTH, test_random(&seed) % 130);
         w.resource[1] = (w.resource[1] & 0xf0000000u) |
                         REG_FIELD(TEX_WORD1, TEX_HEIGHT, test_random(&seed) % 60) |
                         REG_FIELD(TEX_WORD1, TEX_DEPTH, test_random(&seed) % 5);
         w.resource[5] = REG_FIELD(TEX_WORD5, LAST_LEVEL, test_random(&seed) % 10) |
                         REG_FIELD(TEX_WORD5, BASE_ARRAY, test_random(&seed) % 3) |
                         REG_FIELD(TEX_WORD5, LAST_ARRAY, test_random(&seed) % 6);
      }
      w.lookup = (struct td_lookup){
         .op = cayman_td_op[test_random(&seed) % 4 ? 16 + test_random(&seed) % 16
                                                   : test_random(&seed) % 32],
         .modifier = test_random(&seed) & 3,
         .lod_bias = (int8_t)(test_random(&seed) % 128) - 64,
         .normalized = test_random(&seed) & 7,
      };
      w.view = (struct cayman_view){
         .resource = w.resource,
         .sampler = round % 9 ? w.sampler : NULL,
         .border = round % 5 ? &w.border : NULL,
         .border_fractions = round % 2,
         .vm = &space,
         .pipes = chips[CHIP_CAYMAN].pipes,
      };
      for (unsigned i = 0; i < 4; i++)
         w.lookup.swizzle[i] = cayman_write[test_random(&seed) & 7];
      for (unsigned i = 0; i < 3; i++)
         w.lookup.offset[i] = (int8_t)(test_random(&seed) % 32) - 16;
      for (unsigned lane = 0; lane < 64; lane++) {
         for (unsigned c = 0; c < 4; c++)
            l[0].src[c][lane] = any_word(&seed);
         for (unsigned a = 0; a < 3; a++) {
            l[0].grad_h[a][lane] = test_float(any_word(&seed));
            l[0].grad_v[a][lane] = test_float(any_word(&seed));
            l[0].offset[a][lane] = any_word(&seed);
         }
      }
      for (unsigned b = 0; b < num_builds; b++) {
         if (b)
            l[b] = l[0];
         test_tex_run(&builds[b], &w, &l[b], lanes);
         for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < 64; lane++)
               if (!(lanes >> lane & 1))
                  assert_int_equal(l[b].out[c][lane], 0x5a5a5a5a);
         if (b && memcmp(l[b].out, l[0].out, sizeof(l[0].out)) != 0) {
            for (unsigned c = 0; c < 4; c++)
               for (unsigned lane = 0; lane < 64; lane++)
                  if (l[b].out[c][lane] != l[0].out[c][lane])
                     fail_msg("round %u op %u dim %u: %s %08x, %s %08x (lane %u component %u)",
                              round, w.lookup.op, w.resource[0] & 7, builds[0].name,
                              l[0].out[c][lane], builds[b].name, l[b].out[c][lane], lane, c);
         }
      }
   }
}

/* Textures of each format that end where the mapping does: lookups of their last texels, whichever
 * loop they take, read nothing after them, and get what they get of the same texture elsewhere. */
static void
last_texels_are_the_end(void **state)
{
   static const unsigned ops[] = { 3, 16, 19, 21, 23, 24 };
   static const unsigned clamps[] = { SQ_TEX_WRAP, SQ_TEX_CLAMP_LAST_TEXEL, SQ_TEX_MIRROR };
   struct test_build builds[3];
   const unsigned num_builds = test_builds(builds);
   struct test_lanes l[2], elsewhere;
   unsigned looked_up = 0;
   uint32_t seed = 99;

   for (unsigned format = 0; format < 64; format++) {
      const struct format_info *f = &format_info[cayman_format[format]];

      for (unsigned round = 0; f->bytes && round < 6 * 3 * 2 * 2; round++) {
         struct test_words w;
         struct test_tex t;

         test_tex_init(&t);
         t.format = format;
         t.num_format = round / 18 & 1;
         t.width = 64 * f->width;
         t.height = 4 * f->height;
         t.op = ops[round % 6];
         t.clamp[0] = t.clamp[1] = clamps[round / 6 % 3];
         t.mag = t.min = round / 36;
         t.inst_mod = test_random(&seed) & 3;
         test_tex_words(&t, &space, &w);

         const uint64_t bytes = w.levels[0].slice_bytes;

         if (bytes % 256)
            break; /* a bit or two a texel */
         memcpy(space.data, space.data + TEST_BYTES - bytes, bytes);
         memset(l, 0, sizeof(l));
         for (unsigned lane = 0; lane < 64; lane++) {
            /* The last two texels of the last two rows, and around them. */
            const float x = lane & 1 ? 1.0f - (float)(lane / 4 % 4) / (float)t.width : 0.5f;
            const float y = lane & 2 ? 1.0f - (float)(lane / 16) / (float)t.height : 0.9f;

            /* Of loads every second time rows of eight lanes, which end at the last one. */
            const unsigned column = round / 6 & 1 ? 7 - lane % 8 : lane % 4;

            l[0].src[0][lane] = t.op == 3 ? t.width - 1 - column : test_bits(x);
            l[0].src[1][lane] = t.op == 3 ? t.height - 1 - lane / 32 : test_bits(y);
         }
         elsewhere = l[0];
         test_tex_run(&builds[0], &w, &elsewhere, ~UINT64_C(0));
         w.resource[2] = (uint32_t)((TEST_VA + TEST_BYTES - bytes) >> 8);
         for (unsigned b = 0; b < num_builds; b++) {
            l[1] = l[0];
            test_tex_run(&builds[b], &w, &l[1], ~UINT64_C(0));
            assert_memory_equal(l[1].out, elsewhere.out, sizeof(elsewhere.out));
         }
         looked_up++;
      }
   }
   assert_true(looked_up >= 30 * 72);
}

/* Loads by rows of eight lanes get what lanes in another order get, outside of the texture, too. */
static void
rows_of_loads_are_its_texels(void **state)
{
   struct test_build builds[3];
   const unsigned num_builds = test_builds(builds);
   struct test_lanes rows, mixed;
   unsigned loaded = 0;

   for (unsigned format = 0; format < 64; format++) {
      const struct format_info *f = &format_info[cayman_format[format]];

      for (unsigned round = 0; f->bytes && f->width == 1 && round < 24; round++) {
         struct test_words w;
         struct test_tex t;

         test_tex_init(&t);
         t.format = format;
         t.num_format = round & 1;
         t.width = 64;
         t.height = 16;
         t.op = 3;
         test_tex_words(&t, &space, &w);
         memset(&rows, 0, sizeof(rows));
         mixed = rows;
         for (unsigned lane = 0; lane < 64; lane++) {
            rows.src[0][lane] = (round < 8 ? 7 * round : 44 + round) - 2 + lane % 8;
            rows.src[1][lane] = (round % 3 ? 4 : 10) + lane / 8;
            mixed.src[0][63 - lane] = rows.src[0][lane];
            mixed.src[1][63 - lane] = rows.src[1][lane];
         }
         for (unsigned b = 0; b < num_builds; b++) {
            test_tex_run(&builds[b], &w, &rows, ~UINT64_C(0));
            test_tex_run(&builds[b], &w, &mixed, ~UINT64_C(0));
            for (unsigned c = 0; c < 4; c++)
               for (unsigned lane = 0; lane < 64; lane++)
                  assert_int_equal(rows.out[c][lane], mixed.out[c][63 - lane]);
         }
         loaded++;
      }
   }
   assert_true(loaded >= 20 * 24);
   (void)state;
}

/* Descriptors are decoded once for as long as they are the same: those that differ in a bit, or in
 * the border's colour alone, are bound as if nothing had been bound before. */
static void
binds_do_not_depend_on_others(void **state)
{
   struct test_build builds[3];
   struct test_words w;
   struct test_tex t;

   (void)state;
   test_builds(builds);
   test_tex_init(&t);
   t.border_type = SQ_TEX_BORDER_COLOR_REGISTER;
   test_tex_words(&t, &space, &w);
   for (unsigned bit = 0; bit < 12 * 32; bit++) {
      uint32_t *const word = bit < 8 * 32    ? &w.resource[bit / 32]
                             : bit < 11 * 32 ? &w.sampler[bit / 32 - 8]
                                             : &w.border.rgba[bit % 4];

      for (unsigned twice = 0; twice < 2; twice++) {
         struct td_tex_bind bind, fresh;
         struct texture texture;
         struct sampler sampler;

         memset(&bind, 0xa5, sizeof(bind));
         memset(&fresh, 0xa5, sizeof(fresh));
         cayman_bind_tex(&builds[0].kernels, &bind, &w.lookup, &w.view);
         cayman_decode_sampler(&sampler, w.sampler, &w.border);
         const bool there = cayman_decode_texture(
            &texture, w.resource, &space, chips[CHIP_CAYMAN].pipes, sampler.mip == MIP_FILTER_NONE);
         builds[0].kernels.td_bind_tex(&fresh, &w.lookup, there ? &texture : NULL, &sampler);
         assert_memory_equal(&bind, &fresh, sizeof(bind));
         *word ^= 1u << bit % 32;
      }
   }
}

static void
buffers_stay_inside(void **state)
{
   struct test_build builds[3];
   unsigned num_builds = test_builds(builds);
   uint32_t seed = 555;

   for (unsigned round = 0; round < 12000; round++) {
      uint32_t words[8];
      wave_lane index, out[3][4];
      uint64_t lanes =
         round % 2 ? ~UINT64_C(0) : (uint64_t)test_random(&seed) << 32 | test_random(&seed);
      for (unsigned i = 0; i < 8; i++)
         words[i] = test_random(&seed);
      if (round % 8)
         words[7] |= 3u << 30;
      if (round % 4) {
         words[0] = (uint32_t)TEST_VA + test_random(&seed) % (uint32_t)TEST_BYTES - 100;
         words[1] = test_random(&seed) % (round % 3 ? 4096u : (uint32_t)TEST_BYTES * 2);
         words[2] &= ~0xffu;
      }
      struct td_fetch fetch = {
         .kind = round % 16 ? TD_FETCH_ELEMENTS : test_random(&seed) % 3,
         .buffer_format = test_random(&seed) & 1,
         .format = cayman_format[test_random(&seed) & 63],
         .conversion = cayman_conversion[test_random(&seed) & 3],
         .sign = cayman_sign[test_random(&seed) & 1],
         .no_zero = test_random(&seed) & 1,
         .byte_swap = test_random(&seed) % 4 ? BYTE_SWAP_NONE : test_random(&seed) & 3,
         .no_stride = round % 7 == 0,
         .offset = (uint16_t)(test_random(&seed) % 200),
      };
      const uint32_t add = round % 3 ? 0 : test_random(&seed);
      struct elements buffer;
      const bool there = cayman_decode_buffer(&buffer, words, &space);

      for (unsigned i = 0; i < 4; i++)
         fetch.swizzle[i] = cayman_write[test_random(&seed) & 7];
      for (unsigned lane = 0; lane < 64; lane++)
         index[lane] = round & 1 ? lane : any_word(&seed);
      for (unsigned b = 0; b < num_builds; b++) {
         struct td_vtx_bind bind;
         uint32_t *dst[4] = { out[b][0], out[b][1], out[b][2], out[b][3] };
         memset(&bind, 0xa5, sizeof(bind));
         memset(out[b], 0x5a, sizeof(out[b]));
         td_bind_fetch(&builds[b].kernels, &bind, &fetch, there ? &buffer : NULL, add);
         bind.run(&bind, index, dst, lanes);
         for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < 64; lane++)
               if (!(lanes >> lane & 1))
                  assert_int_equal(out[b][c][lane], 0x5a5a5a5a);
         if (b && memcmp(out[b], out[0], sizeof(out[0])) != 0)
            fail_msg("round %u: %s and %s differ", round, builds[0].name, builds[b].name);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(textures_stay_inside),
      cmocka_unit_test(last_texels_are_the_end),
      cmocka_unit_test(rows_of_loads_are_its_texels),
      cmocka_unit_test(binds_do_not_depend_on_others),
      cmocka_unit_test(buffers_stay_inside),
   };
   return cmocka_run_group_tests(tests, setup, NULL);
}
