/* SPDX-License-Identifier: MIT */
/* Decoder and encoder are inverse for every opcode with random fields, but for reserved bits; any
 * bits decode to something defined. */
#include "common.h"
#include "formats.h"

#define ROUNDS 200

static uint32_t
mask_of(const char *format)
{
   uint32_t defined = 0;
#define CAYMAN_FIELD(f, field, lo, width, remark) \
   if (!strcmp(#f, format))                       \
      defined |= (uint32_t)(((UINT64_C(1) << (width)) - 1) << (lo));
#include "isa/cayman/formats.def"
   assert_int_not_equal(defined, 0);
   return defined;
}

static void
check_cf(uint32_t w0, uint32_t w1)
{
   uint32_t in[2] = { w0, w1 }, out[2];
   struct cayman_cf cf;

   assert_int_equal(cayman_decode_cf(CAYMAN_VLIW4, in, &cf), CAYMAN_OK);
   assert_int_equal(cayman_encode_cf(&cf, out), CAYMAN_OK);
   assert_int_equal(out[0], w0 & mask_of(cf_formats[cf.form][0]));
   assert_int_equal(out[1], w1 & mask_of(cf_formats[cf.form][1]));
}

static void
control_flow(void **state)
{
   (void)state;
   uint64_t seed = 1;
   unsigned found = 0;
   for (unsigned op = 0; op < CAYMAN_CF_OP_COUNT; op++) {
      if (!(cayman_cf_info(op)->chips & CAYMAN_CHIPS_VLIW4))
         continue;
      found++;
      for (unsigned i = 0; i < ROUNDS; i++) {
         uint32_t w0 = random_word(&seed), w1 = random_word(&seed);
         if (op >= CAYMAN_CF_ALU_BASE)
            w1 = (w1 & ~(0xfu << 26)) | (op - CAYMAN_CF_ALU_BASE) << 26;
         else
            w1 = (w1 & ~(0xffu << 22)) | op << 22;
         check_cf(w0, w1);
      }
   }
   assert_int_equal(found, 36 + 8 + 2 + 27);
   assert_int_equal(cayman_cf_info(CAYMAN_CF_MEM_WR_SCRATCH)->form, CAYMAN_CF_FORM_MEM);
   assert_int_equal(cayman_cf_info(CAYMAN_CF_MEM_RAT_CACHELESS)->form, CAYMAN_CF_FORM_RAT);
}

static void
alu_slots(void **state)
{
   (void)state;
   uint64_t seed = 2;
   for (unsigned op = 0; op < CAYMAN_ALU_OP_COUNT; op++) {
      if (!cayman_alu_info(op)->name)
         continue;
      for (unsigned i = 0; i < ROUNDS; i++)
         slot_is_inverse(CAYMAN_VLIW4, op, &seed);
   }
}

static void
fetches(void **state)
{
   (void)state;
   uint64_t seed = 3;
   unsigned kinds = 0;
   for (unsigned i = 0; i < 40000; i++) {
      uint32_t in[4] = { random_word(&seed), random_word(&seed), random_word(&seed), 0 }, out[4];
      struct cayman_fetch fetch;
      if (cayman_decode_fetch(CAYMAN_VLIW4, in, &fetch) != CAYMAN_OK)
         continue;
      kinds |= 1u << fetch.kind;
      assert_int_equal(cayman_encode_fetch(CAYMAN_VLIW4, &fetch, out), CAYMAN_OK);
      for (unsigned w = 0; w < 3; w++) {
         uint32_t mask = mask_of(fetch_formats[fetch.kind][w]);
         if (w == 1 && fetch.kind == CAYMAN_FETCH_VTX && fetch.vtx.op == CAYMAN_VTX_SEMANTIC)
            mask = mask_of("VTX_WORD1_SEM");
         assert_int_equal(out[w], in[w] & mask);
      }
      assert_int_equal(out[3], 0);
   }
   assert_int_equal(kinds, 0x1e);
}

static void
lds_offsets(void **state)
{
   (void)state;
   for (unsigned offset = 0; offset < 64; offset++) {
      struct cayman_alu alu = { .op = CAYMAN_ALU_LDS_IDX_OP, .lds_op = 52, .lds_offset = offset },
                        back;
      uint32_t words[2];
      assert_int_equal(cayman_encode_alu(CAYMAN_VLIW4, &alu, words), CAYMAN_OK);
      assert_int_equal(cayman_decode_alu(CAYMAN_VLIW4, words, &back), CAYMAN_OK);
      assert_int_equal(back.lds_offset, offset);
      assert_int_equal(back.lds_op, 52);
   }
}

static void
values_that_do_not_fit(void **state)
{
   (void)state;
   uint32_t words[4];
   struct cayman_alu op3 = { .op = CAYMAN_ALU_MULADD, .write_mask = true };
   assert_int_equal(cayman_encode_alu(CAYMAN_VLIW4, &op3, words), CAYMAN_OK);
   op3.src[0].abs = true;
   assert_int_equal(cayman_encode_alu(CAYMAN_VLIW4, &op3, words), CAYMAN_ERR_FIELD);
   struct cayman_alu unknown = { .op = 7 };
   assert_int_equal(cayman_encode_alu(CAYMAN_VLIW4, &unknown, words), CAYMAN_ERR_OPCODE);
   struct cayman_cf cf = { .op = CAYMAN_CF_JUMP, .form = CAYMAN_CF_FORM_BRANCH, .addr = 1u << 24 };
   assert_int_equal(cayman_encode_cf(&cf, words), CAYMAN_ERR_FIELD);
   cf.addr = 3;
   cf.form = CAYMAN_CF_FORM_ALU;
   assert_int_equal(cayman_encode_cf(&cf, words), CAYMAN_ERR_FIELD);
   struct cayman_fetch tex = { .kind = CAYMAN_FETCH_TEX, .tex = { .op = CAYMAN_TEX_SAMPLE } };
   assert_int_equal(cayman_encode_fetch(CAYMAN_VLIW4, &tex, words), CAYMAN_OK);
   tex.tex.offset[0] = 16;
   assert_int_equal(cayman_encode_fetch(CAYMAN_VLIW4, &tex, words), CAYMAN_ERR_FIELD);
}

/* Any words: groups, programs, listings end and stay inside. */
static void
noise(void **state)
{
   (void)state;
   uint64_t seed = 4;
   FILE *null = fopen("/dev/null", "w");
   assert_non_null(null);
   for (unsigned n = 0; n < 300; n++) {
      size_t count = random_word(&seed) % 64;
      uint32_t *words = malloc(count * 4 + 1);
      struct cayman_limits limits = { .num_gprs = 16, .num_clause_temps = 4 };
      char error[100];
      for (size_t i = 0; i < count; i++) {
         words[i] = random_word(&seed);
         if (n % 2)
            words[i] &= random_word(&seed); /* fewer bits: more small addresses and known opcodes */
      }
      struct cayman_alu_group group;
      cayman_decode_alu_group(CAYMAN_VLIW4, words, count, &group);
      assert_true(group.num_slots <= 4 && group.num_dwords <= count);
      cayman_disassemble(null, words, count);
      cayman_validate(words, count, &limits, error, sizeof(error));
      free(words);
   }
   fclose(null);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(control_flow),
      cmocka_unit_test(alu_slots),
      cmocka_unit_test(fetches),
      cmocka_unit_test(lds_offsets),
      cmocka_unit_test(values_that_do_not_fit),
      cmocka_unit_test(noise),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
