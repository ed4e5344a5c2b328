/* SPDX-License-Identifier: MIT */
/*
 * Entries of the shader cache: what is written is read; damaged, cut, lengthened or renamed ones
 * are refused; and whoever makes a hash that fits gets no count beyond its bounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/blob.h"
#include "util/macros.h"
#include "util/mesa-blake3.h"

#include "driver/context.h"
#include "driver/draw_values.h"

enum {
   HASH_BYTES = 32,
   WORDS = 30,
   CONSTANTS = 5,
   STEPS = 3,
   FIRST_VALUE = ALIGN_POT(IL_DRV_SIZE + CONSTANTS, ATOLL_VALUES_VEC4S),
};

static const uint8_t the_name[ATOLL_ENTRY_NAME] = "the name of it";

static void
fill(struct atoll_program *p, unsigned n)
{
   memset(p, 0, sizeof(*p));
   p->num_gprs = (uint8_t)(3 + n);
   p->num_params = 32;
   p->num_inputs = 32;
   p->num_dwords = WORDS + n;
   p->num_icb = n ? 0 : CONSTANTS;
   p->num_steps = n ? 0 : STEPS;
   p->first_value = n ? 0 : FIRST_VALUE;
   p->value_vec4s = n ? 0 : 1;
   p->uavs.count = ATOLL_NIR_UAVS;
   for (unsigned i = 0; i < ATOLL_NIR_UAVS; i++)
      p->uavs.uav[i] =
         i < ATOLL_MAX_BUFFERS
            ? (struct atoll_nir_uav){ ATOLL_NIR_BUFFER, (uint8_t)i, 0 }
            : (struct atoll_nir_uav){ ATOLL_NIR_IMAGE, (uint8_t)(i - ATOLL_MAX_BUFFERS), 2 };
   p->counters.bytes[15] = ATOLL_NIR_COUNTER_BYTES;
   p->per_sample = true;
   strcpy(p->statistics, "much");
}

/* A variant, with a copy shader. */
static struct atoll_variant copy, variant = { .copy = &copy };
static uint32_t words[WORDS + 1], icb[CONSTANTS * 4];
static struct atoll_value_step steps[STEPS] = {
   { ATOLL_VALUE_LOAD, { 7 } },
   { ATOLL_VALUE_FMUL, { 0, 0 } },
   { ATOLL_VALUE_STORE, { 1, 3 } },
};

static void
write_it(struct blob *blob)
{
   for (unsigned i = 0; i < WORDS + 1; i++)
      words[i] = i * 0x01020304;
   for (unsigned i = 0; i < CONSTANTS * 4; i++)
      icb[i] = i * 7;
   fill(&variant.p, 0);
   fill(&copy.p, 1);
   variant.words = copy.words = words;
   variant.icb = icb;
   variant.steps = steps;
   copy.icb = NULL;
   blob_init(blob);
   atoll_write_entry(blob, the_name, &variant);
   assert_false(blob->out_of_memory);
}

static void
drop(struct atoll_variant *v)
{
   for (; v; v = v->copy) {
      free(v->words);
      free(v->icb);
      free(v->steps);
      v->words = v->icb = NULL;
      v->steps = NULL;
   }
}

static void
round_trip(void **state)
{
   struct atoll_variant read_copy = { 0 }, read = { .copy = &read_copy };
   struct blob blob;

   write_it(&blob);
   assert_true(atoll_read_entry(blob.data, blob.size, the_name, &read));
   assert_memory_equal(&read.p, &variant.p, sizeof(read.p));
   assert_memory_equal(&read_copy.p, &copy.p, sizeof(read.p));
   assert_memory_equal(read.words, words, WORDS * 4);
   assert_memory_equal(read_copy.words, words, (WORDS + 1) * 4);
   assert_memory_equal(read.icb, icb, sizeof(icb));
   assert_null(read_copy.icb);
   assert_memory_equal(read.steps, steps, sizeof(steps));
   assert_null(read_copy.steps);
   drop(&read);
   blob_finish(&blob);
}

static void
refuse(const uint8_t *data, size_t size, const uint8_t *name, bool with_copy)
{
   struct atoll_variant read_copy = { 0 }, read = { .copy = with_copy ? &read_copy : NULL };

   assert_false(atoll_read_entry(data, size, name, &read));
   assert_null(read.words);
   assert_null(read_copy.words);
   assert_null(read.icb);
}

static void
damaged(void **state)
{
   uint8_t other[ATOLL_ENTRY_NAME];
   struct blob blob;

   write_it(&blob);
   for (size_t at = 0; at < blob.size; at++) {
      blob.data[at] ^= 1u << at % 8;
      refuse(blob.data, blob.size, the_name, true);
      blob.data[at] ^= 1u << at % 8;
   }
   for (size_t size = 0; size < blob.size; size++)
      refuse(blob.data, size, the_name, true);
   memcpy(other, the_name, sizeof(other));
   other[19] ^= 1;
   refuse(blob.data, blob.size, other, true);
   refuse(blob.data, blob.size, the_name, false); /* two programs where there is one */
   blob_finish(&blob);
}

/* With a hash that fits. */
static void
forge(struct blob *blob, size_t size)
{
   struct mesa_blake3 hash;

   _mesa_blake3_init(&hash);
   _mesa_blake3_update(&hash, the_name, sizeof(the_name));
   _mesa_blake3_update(&hash, blob->data + HASH_BYTES, size - HASH_BYTES);
   _mesa_blake3_final(&hash, blob->data);
}

static void
forged(void **state)
{
   struct blob blob;
   uint32_t seed = 5;
   unsigned taken = 0;

   for (unsigned n = 0; n < 20000; n++) {
      struct atoll_variant read_copy = { 0 }, read = { .copy = &read_copy };
      size_t size;

      write_it(&blob);
      for (unsigned k = 0; k < 1 + n % 3; k++) {
         seed = seed * 1664525 + 1013904223;
         /* In the program, where the counts are. */
         blob.data[HASH_BYTES + (seed >> 8) % sizeof(struct atoll_program)] = (uint8_t)(seed >> 3);
      }
      size = n % 7 ? blob.size : blob.size - n % 97;
      forge(&blob, size);
      if (atoll_read_entry(blob.data, size, the_name, &read)) {
         assert_true(read.p.num_params <= ARRAY_SIZE(read.p.param_slot));
         assert_true(read.p.num_inputs <= ARRAY_SIZE(read.p.inputs));
         assert_true(atoll_check_values(read.steps, read.p.num_steps, read.p.value_vec4s));
         assert_true(read.p.uavs.count <= ARRAY_SIZE(read.p.uavs.uav));
         assert_true(strnlen(read.p.statistics, sizeof(read.p.statistics)) <
                     sizeof(read.p.statistics));
         for (unsigned i = 0; i < read.p.uavs.count; i++)
            assert_true(read.p.uavs.uav[i].index <
                        (read.p.uavs.uav[i].kind == ATOLL_NIR_IMAGE    ? ATOLL_MAX_IMAGES
                         : read.p.uavs.uav[i].kind == ATOLL_NIR_BUFFER ? ATOLL_MAX_BUFFERS
                                                                       : 256));
         taken++;
         drop(&read);
      }
      blob_finish(&blob);
   }
   assert_true(taken > 100);
}

static void
bounds(void **state)
{
   struct atoll_program p;

   fill(&p, 0);
   assert_true(atoll_is_program(&p));
#define REFUSED(change)                   \
   do {                                   \
      fill(&p, 0);                        \
      change;                             \
      assert_false(atoll_is_program(&p)); \
   } while (0)
   REFUSED(p.num_params = 33);
   REFUSED(p.num_inputs = 33);
   REFUSED(p.num_steps = ATOLL_MAX_VALUE_STEPS + 1);
   REFUSED(p.value_vec4s = ATOLL_MAX_VALUE_VEC4S + 1);
   REFUSED(p.first_value = IL_DRV_SIZE + CONSTANTS - 1); /* among the tables */
   REFUSED(p.first_value = UINT32_MAX);
   REFUSED(p.first_value++); /* at no multiple of what buffers are aligned to */
   REFUSED((p.only_values = true, p.num_steps = 0));
   REFUSED(p.num_icb = UINT32_MAX / 16 + 2);
   REFUSED(p.num_dwords = UINT32_MAX / 4 + 2);
   REFUSED(p.scratch_dw = UINT32_MAX);
   REFUSED(p.uavs.count = ATOLL_NIR_UAVS + 1);
   REFUSED(p.uavs.uav[3].index = ATOLL_MAX_BUFFERS);
   REFUSED(p.uavs.uav[ATOLL_MAX_BUFFERS].index = ATOLL_MAX_IMAGES);
   REFUSED(p.uavs.uav[0].kind = 3);
   REFUSED(p.counters.bytes[0] = ATOLL_NIR_COUNTER_BYTES + 1);
   REFUSED(memset(p.statistics, 'x', sizeof(p.statistics)));
   REFUSED(memset(&p.per_sample, 2, 1));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trip),
      cmocka_unit_test(damaged),
      cmocka_unit_test(forged),
      cmocka_unit_test(bounds),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
