/* SPDX-License-Identifier: MIT */
/*
 * Entries of the shader cache, with a hash that fits.
 *
 *    byte 0   bit 0: the variant has a copy shader; bit 1: the bytes are the whole entry
 *    rest     else the exclusive or with an entry that is right
 *
 * What must hold: an entry is refused and leaves nothing, or every count of it is within bounds,
 * and writing it gives an entry that reads the same.
 */
#include "fuzz.h"

#include "util/blob.h"
#include "util/macros.h"
#include "util/mesa-blake3.h"

#include "driver/context.h"
#include "driver/draw_values.h"

enum { HASH_BYTES = 32, WORDS = 24, CONSTANTS = 4, STEPS = 3 };

static const uint8_t entry_name[ATOLL_ENTRY_NAME] = "a name";

static void
drop(struct atoll_variant *v)
{
   free(v->words);
   free(v->icb);
   free(v->steps);
   v->words = v->icb = NULL;
   v->steps = NULL;
}

/* An entry with everything in it. */
static void
write_right(struct blob *blob, bool with_copy)
{
   static uint32_t words[WORDS], icb[CONSTANTS * 4];
   static struct atoll_value_step steps[STEPS] = { { ATOLL_VALUE_LOAD, { 7 } },
                                                   { ATOLL_VALUE_FMUL, { 0, 0 } },
                                                   { ATOLL_VALUE_STORE, { 1, 3 } } };
   struct atoll_variant copy = { .words = words, .icb = icb };
   struct atoll_variant v = { .words = words, .icb = icb, .steps = steps };

   v.p.num_dwords = copy.p.num_dwords = WORDS;
   v.p.num_icb = copy.p.num_icb = CONSTANTS;
   v.p.num_params = v.p.num_inputs = 4;
   v.p.num_steps = STEPS;
   v.p.first_value = ALIGN_POT(IL_DRV_SIZE + CONSTANTS, ATOLL_VALUES_VEC4S);
   v.p.value_vec4s = 1;
   v.copy = with_copy ? &copy : NULL;
   atoll_write_entry(blob, entry_name, &v);
}

static void
seal(uint8_t *data, size_t size)
{
   struct mesa_blake3 hash;

   _mesa_blake3_init(&hash);
   _mesa_blake3_update(&hash, entry_name, sizeof(entry_name));
   _mesa_blake3_update(&hash, data + HASH_BYTES, size - HASH_BYTES);
   _mesa_blake3_final(&hash, data);
}

static void
check(const struct atoll_variant *v)
{
   FUZZ_CHECK(atoll_is_program(&v->p));
   FUZZ_CHECK(atoll_check_values(v->steps, v->p.num_steps, v->p.value_vec4s));
   FUZZ_CHECK(v->words && !v->icb == !v->p.num_icb && !v->steps == !v->p.num_steps);
}

FUZZ_ENTRY(driver_cache)
{
   struct atoll_variant copy = { 0 }, v = { 0 };
   struct blob blob;

   if (size < 1 || size > 65536)
      return 0;
   v.copy = data[0] & 1 ? &copy : NULL;
   blob_init(&blob);
   if (data[0] & 2) {
      const uint8_t none[HASH_BYTES] = { 0 };
      blob_write_bytes(&blob, none, sizeof(none));
      blob_write_bytes(&blob, data + 1, size - 1);
   } else {
      write_right(&blob, v.copy != NULL);
      for (size_t n = 0; n < size - 1 && HASH_BYTES + n < blob.size; n++)
         blob.data[HASH_BYTES + n] ^= data[1 + n];
   }
   FUZZ_CHECK(!blob.out_of_memory);
   seal(blob.data, blob.size);
   if (!atoll_read_entry(blob.data, blob.size, entry_name, &v)) {
      FUZZ_CHECK(!v.words && !copy.words && !v.icb && !copy.icb && !v.steps && !copy.steps);
   } else {
      struct blob again;

      check(&v);
      if (v.copy)
         check(&copy);
      blob_init(&again);
      atoll_write_entry(&again, entry_name, &v);
      FUZZ_CHECK(again.size == blob.size && !memcmp(again.data, blob.data, blob.size));
      blob_finish(&again);
      drop(&v);
      drop(&copy);
   }
   blob_finish(&blob);
   return 0;
}
