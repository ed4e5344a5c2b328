/* SPDX-License-Identifier: MIT */
/*
 * Listings give their words back, and words their listing: random programs, and texts of our own in
 * the forms of AMD's guide, those of older chips included.
 *
 *    listing [PROGRAMS [SEED]]     so many random programs of 64 dwords; the test runs few
 */
#include "round_trip.h"

static unsigned long num_programs = 3000;
static uint64_t first_seed = 1;

/* A CF program whose clauses hold random words of known opcodes. */
static void
random_clauses(uint64_t *seed, uint32_t *words, size_t count)
{
   struct cayman_cf cf = { .op = CAYMAN_CF_ALU, .form = CAYMAN_CF_FORM_ALU, .barrier = true };
   unsigned slots = random_word(seed) % 20;

   for (size_t i = 0; i < count; i++) {
      words[i] = random_word(seed);
   }
   cf.addr = 4;
   cf.count = (uint8_t)slots;
   cayman_encode_cf(&cf, words);
   cf = (struct cayman_cf){ .op = random_word(seed) % 2 ? CAYMAN_CF_TC : CAYMAN_CF_GDS,
                            .form = CAYMAN_CF_FORM_BRANCH,
                            .addr = 26,
                            .count = (uint8_t)(random_word(seed) % 3) };
   cayman_encode_cf(&cf, words + 2);
   uint32_t op = random_word(seed) % 90; /* anything, and END soon */
   words[5] = (words[5] & ~(0xffu << 22)) | op << 22;
   cf = (struct cayman_cf){ .op = CAYMAN_CF_END, .form = CAYMAN_CF_FORM_BRANCH };
   cayman_encode_cf(&cf, words + 6);
   for (size_t i = 8; i + 1 < 52; i += 2) {
      /* OP2 with an opcode that fits, or OP3 */
      if (random_word(seed) % 3) {
         words[i + 1] &= ~(0x700u << 7);
      }
      words[i] |= random_word(seed) % 4 ? 0x80000000u : 0;
   }
   for (size_t i = 52; i + 3 < count; i += 4) {
      if (random_word(seed) % 2) {
         words[i + 3] = 0;
      }
   }
}

static void
random_programs(void **state)
{
   (void)state;
   uint64_t seed = first_seed;
   uint32_t words[64];

   for (unsigned long n = 0; n < num_programs; n++) {
      switch (n % 3) {
      case 0:
         for (unsigned i = 0; i < 64; i++) {
            words[i] = random_word(&seed);
         }
         break;
      case 1: /* fewer bits: more small addresses and known opcodes */
         for (unsigned i = 0; i < 64; i++) {
            words[i] = random_word(&seed) & random_word(&seed) & random_word(&seed);
         }
         break;
      default:
         random_clauses(&seed, words, 64);
         break;
      }
      check_words(words, 1 + random_word(&seed) % 64);
      check_words(words, 64);
   }
}

/* --- texts ------------------------------------------------------------------------------------ */

static char *
read_data(const char *name)
{
   char path[500];
   snprintf(path, sizeof(path), "%s/%s", TEST_DATA, name);
   FILE *f = fopen(path, "rb");
   assert_non_null(f);
   char *text = calloc(1, 65536);
   assert_true(fread(text, 1, 65535, f) > 0);
   fclose(f);
   return text;
}

static void
listings(void **state)
{
   (void)state;
   struct isa_error error;
   size_t count;

   for (unsigned i = 0; i < 2; i++) {
      char *text = read_data(i ? "older.txt" : "cayman.txt");
      char *again = cayman_reprint(text, strlen(text), &error);
      if (!again) {
         fail_msg("line %u, column %u: %s", error.line, error.column, error.text);
      }
      assert_string_equal(again, text);
      uint32_t *words = cayman_assemble(text, strlen(text), &count, &error);
      if (i) {
         assert_null(words);
         assert_int_equal(error.line, 6);
         assert_string_equal(error.text, "not for Cayman: waterfalls ended with R700");
      } else {
         if (!words) {
            fail_msg("line %u, column %u: %s", error.line, error.column, error.text);
         }
         /* The code alone, without the options around it. */
         char *code = cayman_listing_text(words, count, NULL);
         char *start = strstr(text, "00 ALU"), *end = strstr(text, "\nSQ_PGM");
         *end = 0;
         assert_string_equal(code, start);
         free(code);
      }
      free(words);
      free(again);
      free(text);
   }
}

/* What is wrong, and where. */
static void
bad_texts(void **state)
{
   (void)state;
#define ALU "00 ALU: ADDR(2) CNT(1)\n 0 "
   static const struct {
      const char *text;
      unsigned line, column;
      const char *error;
   } cases[] = {
      { "", 0, 0, "the text holds no instruction" },
      { "; nothing\n", 0, 0, "the text holds no instruction" },
      { "00 FOO\n", 1, 4, "unknown instruction 'FOO'" },
      { "01 NOP\n", 1, 1, "CF instruction 1 stands at 0" },
      { "00 NOP FOO\n", 1, 8, "unknown property 'FOO'" },
      { "00 NOP CLAMP\n", 1, 8, "CLAMP does not belong to this instruction" },
      { "00 NOP KCACHE0(CB0:0-15)\n", 1, 8, "KCACHE0 does not belong to this instruction" },
      { "00 NOP ! \n", 1, 8, "expected the end of the line or a property" },
      { "00 JUMP ADDR(16777216)\n", 1, 14, "16777216 is more than the field holds" },
      { "00 JUMP ADDR(99999999999)\n", 1, 14, "number does not fit 32 bits" },
      { "00 JUMP ADDR()\n", 1, 14, "expected a number" },
      { "00 ALU: ADDR(2) CNT(2)\n 0 x: MOV R0.x, R0.x\n", 1, 1, "CNT(2), but the clause has 1" },
      { "00 ALU: ADDR(2) CNT(0)\n", 1, 17, "a clause has at least one instruction" },
      { "00 ALU:\n", 1, 1, "a clause without instructions needs ADDR and CNT" },
      { "00 ALU: KCACHE0(CB0:3-18)\n", 1, 21, "a window is 16 or 32 constants" },
      { "00 ALU: ADDR(0) CNT(1)\n 0 x: MOV R0.x, R0.x\n", 1, 1, "overlaps what stands at" },
      { " 0 x: MOV R0.x, R0.x\n", 1, 2, "no clause instruction stands above this" },
      { ALU "x: FOO R0.x\n", 2, 7, "unknown ALU operation 'FOO'" },
      { ALU "x: MOV R0.y, R0.x\n", 2, 13, "slot x writes channel x only" },
      { ALU "x: MOV R128.x, R0.x\n", 2, 12, "128 is more than the field holds" },
      { ALU "x: MOV R0.x\n", 2, 15, "MOV has 1 operands, not 0" },
      { ALU "x: MOV R0.x, R0.x, R1.x\n", 2, 21, "MOV has 1 operands" },
      { ALU "x: MULADD R0.x, |R0.x|, R1.x, R1.x\n", 2, 20,
        "three-operand instructions have no abs" },
      { ALU "x: MULADD*2 R0.x, R0.x, R1.x, R1.x\n", 2, 13,
        "three-operand instructions have no out" },
      { ALU "x: MULADD ____, R0.x, R1.x, R1.x\n", 2, 14,
        "three-operand instructions always write" },
      { ALU "x: MOV R0.x, R1[A0.x].x\n   y: MOV R0.y, PS0\n", 3, 17, "not for Cayman: PS is" },
      { ALU "x: ADD R0.x, R1[A0.x].x, R1[AL].x\n", 2, 29, "an instruction has one index" },
      { ALU "x: MOV R0.x, 3.0f\n", 2, 17, "3.0f is no inline constant" },
      { ALU "x: MOV R0.x, (abc).x\n", 2, 18, "expected a number" },
      { ALU "x: MOV R0.x, (0x1).q\n", 2, 22, "expected a channel" },
      { ALU "y: MOV R0.y, R0.x\n   x: MOV R0.x, R0.x\n", 3, 4,
        "slots of a group stand in the order" },
      { ALU "x: ADD R0.x, (1.0f).x, (2.0f).x\n", 2, 2, "the group's literal .x has two values" },
      { ALU "t: MOV R0.x, R0.x\n", 2, 4, "not for Cayman: Cayman has no t unit" },
      { ALU "x: RECIP_INT R0.x, R0.x\n", 2, 7, "not for Cayman: older parts: signed integer" },
      { ALU "x: MOV R0.x, C5.x\n", 2, 17, "not for Cayman: C registers" },
      { ALU "x: MOV R0.x, R1[A0.w].x\n", 2, 20, "not for Cayman: Cayman indexes with A0.x alone" },
      { "00 VTX: ADDR(2) CNT(1)\n 0 VFETCH R0, R0.x, f0\n", 1, 4, "not for Cayman: older parts" },
      { "00 TEX: ADDR(2) CNT(1)\n 0 VFETCH R0, R0.x, f0 MEGAFETCH(3)\n", 2, 24,
        "not for Cayman: Cayman has no mega" },
      { "00 TEX:\n 0 x: MOV R0.x, R0.x\n", 2, 2, "an ALU instruction in a fetch clause" },
      { "00 ALU:\n 0 VFETCH R0, R0.x, f0\n", 2, 2, "a fetch in an ALU clause" },
      { "00 TEX:\n 0 SAMPLE R0, R0, t0, s32\n", 2, 24, "32 is more than the field holds" },
      { "00 TEX:\n 0 SAMPLE R0, R0, t0, s0 XOFFSET(9.5)\n", 2, 34, "out of the field's range" },
      { "00 TEX:\n 0 SAMPLE R0, R0, t0, s0 XOFFSET(0.25)\n", 2, 34,
        "the field has 1 fraction bits" },
      { "00 MEM_EXPORT_WRITE_IND: DWORD_PTR[0], R0, ELEM_SIZE(3)\n", 1, 26,
        "the _IND form needs an index" },
      { "00 MEM_RING_WRITE_IND: DWORD_PTR[0+R1.y], R0, ELEM_SIZE(3)\n", 1, 38,
        "the index is component x" },
      { "00 MEM_RAT_WRITE: RAT(0) FOO, R0, R1\n", 1, 26, "unknown RAT operation" },
      { "00 UNDEFINED\n", 1, 1, "an UNDEFINED instruction needs BITS" },
      { "00 NOP BITS(1)\n", 1, 14, "instructions have an even number of words" },
      { "WORDS ADDR(9999999): 1\n", 1, 1, "the program ends behind" },
      { "WORDS ADDR(0):\n", 1, 15, "expected words" },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct isa_error error;
      size_t count;
      uint32_t *words = cayman_assemble(cases[i].text, strlen(cases[i].text), &count, &error);
      if (words || error.line != cases[i].line || error.column != cases[i].column ||
          strncmp(error.text, cases[i].error, strlen(cases[i].error)) != 0) {
         fail_msg("'%s' gives %u:%u: %s, not %u:%u: %s", cases[i].text, words ? 0 : error.line,
                  words ? 0 : error.column, words ? "words" : error.text, cases[i].line,
                  cases[i].column, cases[i].error);
      }
   }
}

/* Without addresses the assembler lays clauses out itself. */
static void
automatic_layout(void **state)
{
   (void)state;
   static const char text[] = "ALU:\n x: MOV R0.x, R1.x\nTEX:\nVFETCH R1, R0.x, f0\n"
                              "EXP_DONE: PARAM0, R0\nEND_OF_PROGRAM\n";
   struct isa_error error;
   size_t count;
   uint32_t *words = cayman_assemble(text, sizeof(text) - 1, &count, &error);
   assert_non_null(words);
   char *listing = cayman_listing_text(words, count, NULL);
   assert_string_equal(listing, "00 ALU: ADDR(4) CNT(1)\n"
                                "      0  x: MOV         R0.x,  R1.x\n"
                                "01 TEX: ADDR(6) CNT(1)\n"
                                "      1  VFETCH R1, R0.x, f0\n"
                                "02 EXP_DONE: PARAM0, R0\n"
                                "END_OF_PROGRAM\n");
   free(listing);
   free(words);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(listings),
      cmocka_unit_test(bad_texts),
      cmocka_unit_test(automatic_layout),
      cmocka_unit_test(random_programs),
   };
   if (argc > 1) {
      num_programs = strtoul(argv[1], NULL, 0);
   }
   if (argc > 2) {
      first_seed = strtoull(argv[2], NULL, 0);
   }
   return cmocka_run_group_tests(tests, NULL, NULL);
}
