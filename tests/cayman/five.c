/* SPDX-License-Identifier: MIT */
/*
 * The five-slot chips: which slot of a group runs what, words that were encoded by hand, and
 * listings of random words.
 */
#include "round_trip.h"

/* One slot: the operation, the channel, and whether it ends the group. */
static void
put_slot(uint32_t words[2], unsigned op, unsigned chan, bool last)
{
   struct cayman_alu alu = { .op = (uint16_t)op, .dst_chan = (uint8_t)chan, .last = last };

   alu.write_mask = true;
   assert_int_equal(cayman_encode_alu(CAYMAN_VLIW5, &alu, words), CAYMAN_OK);
}

/* Operations with their channels; the slots that run them, or NULL: no group. */
static const struct {
   struct {
      uint16_t op;
      uint8_t chan;
   } slot[6];
   unsigned count;
   const char *runs;
} groups[] = {
   { { { CAYMAN_ALU_ADD, 0 } }, 1, "x" },
   { { { CAYMAN_ALU_ADD, 3 } }, 1, "w" },
   { { { CAYMAN_ALU_RECIP_IEEE, 0 } }, 1, "t" },
   { { { CAYMAN_ALU_ADD, 0 }, { CAYMAN_ALU_MUL, 0 } }, 2, "xt" },
   { { { CAYMAN_ALU_ADD, 2 }, { CAYMAN_ALU_COS, 1 } }, 2, "zt" },
   { { { CAYMAN_ALU_ADD, 0 }, { CAYMAN_ALU_ADD, 3 }, { CAYMAN_ALU_MOV, 0 } }, 3, "xwt" },
   { { { CAYMAN_ALU_ADD, 0 },
       { CAYMAN_ALU_ADD, 1 },
       { CAYMAN_ALU_ADD, 2 },
       { CAYMAN_ALU_ADD, 3 },
       { CAYMAN_ALU_ADD, 2 } },
     5,
     "xyzwt" },
   /* t cannot run it */
   { { { CAYMAN_ALU_ADD, 0 }, { CAYMAN_ALU_FMA, 0 } }, 2, NULL },
   /* t is the last one */
   { { { CAYMAN_ALU_COS, 0 }, { CAYMAN_ALU_ADD, 1 } }, 2, NULL },
   { { { CAYMAN_ALU_COS, 0 }, { CAYMAN_ALU_SIN, 1 } }, 2, NULL },
   /* the others ascend */
   { { { CAYMAN_ALU_ADD, 1 }, { CAYMAN_ALU_ADD, 0 } }, 2, NULL },
   /* no more than five */
   { { { CAYMAN_ALU_ADD, 0 },
       { CAYMAN_ALU_ADD, 1 },
       { CAYMAN_ALU_ADD, 2 },
       { CAYMAN_ALU_ADD, 3 },
       { CAYMAN_ALU_COS, 0 },
       { CAYMAN_ALU_ADD, 0 } },
     6,
     NULL },
};

static void
slots_of_groups(void **state)
{
   (void)state;
   for (unsigned i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
      uint32_t words[12];
      struct cayman_alu_group g;

      for (unsigned n = 0; n < groups[i].count; n++)
         put_slot(words + 2 * n, groups[i].slot[n].op, groups[i].slot[n].chan,
                  n + 1 == groups[i].count);
      const int status = cayman_decode_alu_group(CAYMAN_VLIW5, words, 2 * groups[i].count, &g);
      if (!groups[i].runs) {
         assert_int_equal(status, CAYMAN_ERR_SLOTS);
         continue;
      }
      assert_int_equal(status, CAYMAN_OK);
      assert_int_equal(g.num_slots, strlen(groups[i].runs));
      for (unsigned n = 0; n < g.num_slots; n++) {
         const bool trans = groups[i].runs[n] == 't';
         assert_int_equal(g.slot[n].trans, trans);
         if (!trans)
            assert_int_equal("xyzw"[g.slot[n].dst_chan], groups[i].runs[n]);
      }
   }
}

/* Bits of a five-slot chip and of Cayman that mean different things. */
static void
words_by_hand(void **state)
{
   (void)state;
   static const struct {
      const char *text;
      uint32_t words[8];
      unsigned count;
   } programs[] = {
      /* END_OF_PROGRAM is bit 21, WHOLE_QUAD_MODE of a branch bit 30 */
      { "NOP NO_BARRIER\nEND_OF_PROGRAM\n", { 0, 1u << 21 }, 2 },
      { "NOP END_OF_PROGRAM\n", { 0, 1u << 31 | 1u << 21 }, 2 },
      { "NOP WHOLE_QUAD_MODE END_OF_PROGRAM\n", { 0, 3u << 30 | 1u << 21 }, 2 },
      { "EXP_DONE: POS0, R1\nEND_OF_PROGRAM\n",
        { 60 | 1u << 13 | 1u << 15, 1u << 31 | 84u << 22 | 1u << 21 | 0x688 },
        2 },
      /* an ALU clause has no such bit: a NOP comes after it */
      { "ALU: ADDR(2) CNT(1)\n 0 t: RECIP_IEEE R2.w, R0.y SCL_221\nEND_OF_PROGRAM\n",
        { 2, 1u << 31 | 8u << 26, 0, 1u << 31 | 1u << 21, 1u << 31 | 1u << 10,
          3u << 29 | 2u << 21 | 3u << 18 | 134u << 7 | 1u << 4 },
        6 },
      /* 14 is ALU_BREAK, Cayman's ALU_VALID_PIXEL_MODE */
      { "ALU_BREAK: ADDR(2) CNT(1)\n 0 x: MOV R2.x, PS\nNOP END_OF_PROGRAM\n",
        { 2, 1u << 31 | 14u << 26, 0, 1u << 31 | 1u << 21, 1u << 31 | 255,
          2u << 21 | 25u << 7 | 1u << 4 },
        6 },
      /* a mega-fetch of 12 bytes */
      { "VTX: ADDR(2) CNT(1) END_OF_PROGRAM\nWORDS ADDR(1): 0 0\nWORDS ADDR(2): 0x2c000000 0xd1000 "
        "0x80000 0\n",
        { 2, 1u << 31 | 2u << 22 | 1u << 21, 0, 0, 0x2c000000, 0xd1000, 0x80000, 0 },
        8 },
   };
   for (unsigned i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
      struct isa_binary binary;
      struct isa_error error;

      if (!isa_evergreen.assemble(programs[i].text, strlen(programs[i].text), NULL, &binary,
                                  &error))
         fail_msg("%s%u:%u: %s", programs[i].text, error.line, error.column, error.text);
      assert_int_equal(binary.num_dwords, programs[i].count);
      assert_memory_equal(binary.words, programs[i].words, 4 * programs[i].count);
      free(round_trip_of(&isa_evergreen, binary.words, binary.num_dwords));
      free(binary.words);
      free(binary.before);
      free(binary.after);
   }
   char *text = round_trip_of(&isa_evergreen, programs[6].words, 8);
   assert_non_null(strstr(text, "VFETCH R0, R0.x, f0 MEGAFETCH(11)"));
   free(text);
}

/* Encoder and decoder are inverse for every operation with random fields. */
static void
codec(void **state)
{
   (void)state;
   uint64_t seed = 5;

   for (unsigned op = 0; op < CAYMAN_ALU_OP_COUNT; op++)
      for (unsigned i = 0; i < 100 && cayman_alu_info_of(CAYMAN_VLIW5, op)->name; i++)
         slot_is_inverse(CAYMAN_VLIW5, op, &seed);
   unsigned found = 0;
   for (unsigned number = 0; number < 256; number++) {
      for (unsigned alu = 0; alu < 2; alu++) {
         uint32_t in[2] = { random_word(&seed), 0 }, out[2];
         struct cayman_cf cf;
         in[1] = alu ? (number & 15) << 26 | 1u << 29 : (number & 0x7f) << 22 | 1u << 21;
         if ((alu && number > 15) || (!alu && number > 127) ||
             cayman_decode_cf(CAYMAN_VLIW5, in, &cf) != CAYMAN_OK)
            continue;
         found += !alu || number > 7;
         assert_int_equal(cayman_encode_cf(&cf, out), CAYMAN_OK);
         assert_int_equal(out[1], in[1]);
         assert_int_equal(cf.end, !alu);
      }
   }
   assert_int_equal(found, 73 + 4 - 14); /* 4 that Cayman has not, 14 that it has alone */
}

/* The same of R700 or R600, with a number of theirs; whether they have such an operation. */
static bool
old_slot_is_inverse(enum cayman_vliw vliw, unsigned number, bool op3, uint64_t *seed)
{
   const unsigned shift = vliw == CAYMAN_R600 ? 8 : 7;
   uint32_t in[2] = { random_word(seed), random_word(seed) }, out[2];
   struct cayman_alu alu;

   if (op3 && (number & 31) < 4) /* those are no numbers of OP3 */
      return false;
   if (op3)
      in[1] = (in[1] & ~(0x1fu << 13)) | (number & 31) << 13;
   else /* without FOG_MERGE of R600 */
      in[1] = (in[1] & ~(0x7ffu << 7 | (shift == 8 ? 1u << 5 : 0))) | number << shift |
              (shift == 8 ? in[1] & 1u << 7 : 0);
   if (!op3 && number == 24)
      in[1] &= ~(127u << 21); /* MOVA_INT: AR */
   if (cayman_decode_alu(vliw, in, &alu) != CAYMAN_OK)
      return false;
   assert_int_equal(cayman_encode_alu(vliw, &alu, out), CAYMAN_OK);
   assert_int_equal(out[0], in[0]);
   assert_int_equal(out[1], in[1]);
   return true;
}

/* The same of R700 and R600, of which the words are others; and numbers of theirs. */
static void
old_codec(void **state)
{
   static const struct {
      enum cayman_vliw vliw;
      uint16_t op;
      uint32_t w1;
   } slots[] = {
      { CAYMAN_R700, CAYMAN_ALU_MOV, 25u << 7 },
      { CAYMAN_R600, CAYMAN_ALU_MOV, 25u << 8 },
      { CAYMAN_R700, CAYMAN_ALU_RECIP_IEEE, 0x66u << 7 },
      { CAYMAN_R600, CAYMAN_ALU_RECIP_IEEE, 0x66u << 8 },
      { CAYMAN_R700, CAYMAN_ALU_DOT4, 0x50u << 7 },
      { CAYMAN_R600, CAYMAN_ALU_MOVA_GPR_INT, 0x60u << 8 },
      { CAYMAN_R700, CAYMAN_ALU_MULADD, 0x10u << 13 },
      { CAYMAN_R600, CAYMAN_ALU_CNDE, 0x18u << 13 },
   };
   static const struct {
      enum cayman_vliw vliw;
      uint16_t op;
      uint8_t count;
      uint32_t w1;
   } flow[] = {
      { CAYMAN_R700, CAYMAN_CF_TC, 15, 1u << 23 | 1u << 19 | 7u << 10 },
      { CAYMAN_R600, CAYMAN_CF_TC, 7, 1u << 23 | 7u << 10 },
      { CAYMAN_R700, CAYMAN_CF_VC_TC, 2, 3u << 23 | 2u << 10 },
      { CAYMAN_R600, CAYMAN_CF_CALL, 33, 18u << 23 | 33u << 13 },
      { CAYMAN_R600, CAYMAN_CF_EXPORT_DONE, 0, 40u << 23 },
      { CAYMAN_R700, CAYMAN_CF_MEM_STREAM0_BUF3, 0, 35u << 23 },
      { CAYMAN_R600, CAYMAN_CF_ALU_BREAK, 0, 14u << 26 },
   };
   uint64_t seed = 6;

   (void)state;
   for (size_t i = 0; i < sizeof(slots) / sizeof(*slots); i++) {
      const uint32_t words[2] = { 0, slots[i].w1 };
      struct cayman_alu alu;

      assert_int_equal(cayman_decode_alu(slots[i].vliw, words, &alu), CAYMAN_OK);
      assert_int_equal(alu.op, slots[i].op);
   }
   for (size_t i = 0; i < sizeof(flow) / sizeof(*flow); i++) {
      const uint32_t words[2] = { 0, flow[i].w1 };
      struct cayman_cf cf;

      assert_int_equal(cayman_decode_cf(flow[i].vliw, words, &cf), CAYMAN_OK);
      assert_int_equal(cf.op, flow[i].op);
      assert_int_equal(cf.count, flow[i].count);
   }
   for (enum cayman_vliw vliw = CAYMAN_R700; vliw <= CAYMAN_R600; vliw++) {
      unsigned found = 0, operations = 0;

      for (unsigned n = 0; n < 128 * 20; n++)
         operations += old_slot_is_inverse(vliw, n / 20, n % 2, &seed);
      assert_true(operations > 1500);
      for (unsigned number = 0; number < 128; number++)
         for (unsigned i = 0; i < 20; i++) {
            const uint32_t end = random_word(&seed) & 1u << 21;
            const uint32_t in[2] = { random_word(&seed) & 0x1fff, number << 23 | end };
            uint32_t out[2];
            struct cayman_cf cf;

            if (cayman_decode_cf(vliw, in, &cf) != CAYMAN_OK || cayman_cf_is_alu(&cf))
               continue;
            found += i == 0;
            assert_int_equal(cayman_encode_cf_of(vliw, &cf, out), CAYMAN_OK);
            assert_int_equal(out[0], in[0]);
            assert_int_equal(out[1], in[1]);
            assert_int_equal(cf.end, end != 0);
         }
      assert_int_equal(found, vliw == CAYMAN_R700 ? 33 : 29);
      /* Random words have a listing that gives them back. */
      for (unsigned i = 0; i < 1000; i++) {
         uint32_t words[64];
         struct cayman_cf cf = { .op = CAYMAN_CF_ALU, .form = CAYMAN_CF_FORM_ALU, .addr = 4 };

         for (unsigned n = 0; n < 64; n++)
            words[n] = i % 2 ? random_word(&seed) & random_word(&seed) : random_word(&seed);
         cf.count = (uint8_t)(random_word(&seed) % 20);
         cayman_encode_cf_of(vliw, &cf, words);
         cf = (struct cayman_cf){ .op = CAYMAN_CF_VC, .form = CAYMAN_CF_FORM_BRANCH, .addr = 26 };
         cf.count = 2;
         cayman_encode_cf_of(vliw, &cf, words + 2);
         free(round_trip_of(vliw == CAYMAN_R700 ? &isa_r700 : &isa_r600, words, 64));
      }
   }
}

static void
random_listings(void **state)
{
   (void)state;
   uint64_t seed = 55;

   for (unsigned i = 0; i < 3000; i++) {
      uint32_t words[64];
      const bool tame = i % 2;

      for (unsigned n = 0; n < 64; n++)
         words[n] = tame ? random_word(&seed) & random_word(&seed) : random_word(&seed);
      /* A clause of ALU words that are mostly operations, a clause of fetches. */
      struct cayman_cf cf = { .op = CAYMAN_CF_ALU, .form = CAYMAN_CF_FORM_ALU, .addr = 4 };
      cf.count = (uint8_t)(random_word(&seed) % 20);
      cayman_encode_cf(&cf, words);
      cf = (struct cayman_cf){ .op = CAYMAN_CF_VC, .form = CAYMAN_CF_FORM_BRANCH, .addr = 26 };
      cf.count = 2;
      cf.end = random_word(&seed) & 1;
      cayman_encode_cf(&cf, words + 2);
      for (unsigned n = 8; n < 48; n += 2) {
         const unsigned op = random_word(&seed) % CAYMAN_ALU_OP_COUNT;
         if (op >= CAYMAN_OP3_BASE + 4)
            words[n + 1] = (words[n + 1] & ~(0x1fu << 13)) | (op - CAYMAN_OP3_BASE) << 13;
         else
            words[n + 1] = (words[n + 1] & ~(0x7ffu << 7)) | (op & 255) << 7;
      }
      for (unsigned n = 52; n < 64; n += 4)
         words[n] &= ~31u;
      free(round_trip_of(&isa_evergreen, words, 64));
   }
}

/* A group that can be read is, whatever its bank swizzles were. */
static void
assigned_ports(void **state)
{
   (void)state;
   uint64_t seed = 9;
   unsigned readable = 0;

   for (unsigned i = 0; i < 2000; i++) {
      struct cayman_alu slots[CAYMAN_MAX_SLOTS];
      memset(slots, 0, sizeof(slots));
      for (unsigned n = 0; n < CAYMAN_MAX_SLOTS; n++) {
         slots[n].op = n == CAYMAN_SLOT_T ? CAYMAN_ALU_MUL_LIT : CAYMAN_ALU_ADD;
         slots[n].trans = n == CAYMAN_SLOT_T;
         slots[n].dst_chan = n & 3;
         for (unsigned s = 0; s < 3; s++) {
            const uint32_t r = random_word(&seed);
            slots[n].src[s].sel = r & 7 ? r >> 4 & 7 : CAYMAN_SRC_1;
            slots[n].src[s].chan = r >> 8 & 3;
         }
      }
      if (!cayman_read_ports(CAYMAN_VLIW5, slots, CAYMAN_MAX_SLOTS, true))
         continue;
      readable++;
      assert_true(cayman_read_ports(CAYMAN_VLIW5, slots, CAYMAN_MAX_SLOTS, false));
      assert_true(slots[CAYMAN_SLOT_T].bank_swizzle < CAYMAN_SCALAR_SWIZZLE_COUNT);
   }
   assert_in_range(readable, 20, 1900);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(slots_of_groups), cmocka_unit_test(words_by_hand),
      cmocka_unit_test(codec),           cmocka_unit_test(old_codec),
      cmocka_unit_test(random_listings), cmocka_unit_test(assigned_ports),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
