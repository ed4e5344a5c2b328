/* SPDX-License-Identifier: MIT */
/*
 * Listings give their words back, and words their listing: random programs, every opcode with
 * random fields, and texts of our own in the forms of AMD's guide, those of older chips included.
 *
 *    listing [PROGRAMS [SEED]]     so many random programs of 64 dwords; the test runs few
 */
#include "common.h"

static unsigned long num_programs = 3000;
static uint64_t first_seed = 1;

static void
check_words(const uint32_t *words, size_t count)
{
   size_t length, back_count;
   struct isa_error error;
   char *text = cayman_listing_text(words, count, &length);

   assert_non_null(text);
   uint32_t *back = cayman_assemble(text, length, &back_count, &error);
   if (!back) {
      print_message("%s", text);
      fail_msg("line %u, column %u: %s", error.line, error.column, error.text);
   }
   if (back_count != count || memcmp(back, words, count * 4) != 0) {
      print_message("%s", text);
      for (size_t i = 0; i < count || i < back_count; i++) {
         print_message("%3zu  %08x %08x\n", i, i < count ? words[i] : 0,
                       i < back_count ? back[i] : 0);
      }
      fail_msg("%zu words came back as %zu others", count, back_count);
   }
   char *again = cayman_listing_text(back, back_count, NULL);
   assert_string_equal(again, text);
   free(again);
   free(back);
   free(text);
}

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

/* --- every opcode, every field ---------------------------------------------------------------- */

struct field {
   const char *format;
   uint8_t lo, width;
};

static const struct field fields[] = {
#define CAYMAN_FIELD(format, field, lo, width, remark) { #format, lo, width },
#define CAYMAN_RESERVED(format, lo, width)             { #format, lo, width },
#include "isa/cayman/formats.def"
};

static unsigned num_checked;

/* `head` stands in front, CF words; the instruction's words with each field of each of its formats
 * at each value (fields over five bits: at nine values), the others as they are. */
static void
each_field(const uint32_t *head, unsigned num_head, const uint32_t *inst, unsigned num_inst,
           const char *const *formats)
{
   for (unsigned w = 0; w < num_inst && formats[w]; w++) {
      for (unsigned f = 0; f < sizeof(fields) / sizeof(*fields); f++) {
         if (strcmp(fields[f].format, formats[w]) != 0) {
            continue;
         }
         unsigned lo = fields[f].lo, width = fields[f].width;
         uint32_t mask = width >= 32 ? ~0u : (1u << width) - 1;
         unsigned values = width <= 5 ? 1u << width : 9;
         for (unsigned v = 0; v < values; v++) {
            uint32_t words[32] = { 0 };
            uint32_t value = width <= 5 ? v : v == 8 ? mask : mask / 8 * v;
            if (num_head)
               memcpy(words, head, num_head * sizeof(*words));
            memcpy(words + num_head, inst, num_inst * sizeof(*words));
            words[num_head + w] = (words[num_head + w] & ~(mask << lo)) | (value & mask) << lo;
            check_words(words, num_head + num_inst);
            num_checked++;
         }
      }
   }
}

static void
every_alu_field(void **state)
{
   (void)state;
   static const char *const op2[] = { "ALU_WORD0", "ALU_WORD1_OP2" };
   static const char *const op3[] = { "ALU_WORD0", "ALU_WORD1_OP3" };
   static const char *const lds[] = { "ALU_WORD0_LDS_IDX_OP", "ALU_WORD1_LDS_IDX_OP" };
   struct cayman_cf cf = {
      .op = CAYMAN_CF_ALU, .form = CAYMAN_CF_FORM_ALU, .addr = 2, .barrier = true
   };
   uint32_t head[4], inst[2];

   num_checked = 0;
   cayman_encode_cf(&cf, head);
   cf = (struct cayman_cf){ .op = CAYMAN_CF_END, .form = CAYMAN_CF_FORM_BRANCH, .barrier = true };
   cayman_encode_cf(&cf, head + 2);
   for (unsigned op = 0; op < CAYMAN_ALU_OP_COUNT; op++) {
      if (!cayman_alu_info(op)->name) {
         continue;
      }
      struct cayman_alu alu = { .op = (uint16_t)op,
                                .write_mask = op != CAYMAN_ALU_MOVA_INT,
                                .dst_gpr = 5,
                                .last = true,
                                .src = { { .sel = 1 }, { .sel = 130, .chan = 2 }, { .sel = 3 } } };
      cayman_encode_alu(&alu, inst);
      each_field(head, 4, inst, 2,
                 op == CAYMAN_ALU_LDS_IDX_OP ? lds
                 : op >= CAYMAN_OP3_BASE     ? op3
                                             : op2);
   }
   for (unsigned op = 0; op < CAYMAN_LDS_OP_COUNT; op++) {
      struct cayman_alu alu = { .op = CAYMAN_ALU_LDS_IDX_OP, .lds_op = (uint8_t)op, .last = true };
      cayman_encode_alu(&alu, inst);
      each_field(head, 4, inst, 2, lds);
   }
   print_message("%u ALU instructions\n", num_checked);
   assert_true(num_checked > 20000);
}

static void
every_fetch_field(void **state)
{
   (void)state;
   static const char *const tex[] = { "TEX_WORD0", "TEX_WORD1", "TEX_WORD2", NULL };
   static const char *const vtx[] = { "VTX_WORD0", "VTX_WORD1_GPR", "VTX_WORD2", NULL };
   static const char *const mem[] = { "MEM_RD_WORD0", "MEM_RD_WORD1", "MEM_RD_WORD2", NULL };
   static const char *const gds[] = { "MEM_GDS_WORD0", "MEM_GDS_WORD1", "MEM_GDS_WORD2", NULL };
   struct cayman_cf cf = { .op = CAYMAN_CF_TC, .form = CAYMAN_CF_FORM_BRANCH, .addr = 2 };
   uint32_t head[4];

   num_checked = 0;
   cayman_encode_cf(&cf, head);
   cf = (struct cayman_cf){ .op = CAYMAN_CF_END, .form = CAYMAN_CF_FORM_BRANCH, .barrier = true };
   cayman_encode_cf(&cf, head + 2);
   for (unsigned op = 0; op < 32; op++) {
      uint32_t inst[4] = { op };
      if (op == CAYMAN_MEM_INST_MEM) {
         for (unsigned mem_op = 0; mem_op < 8; mem_op++) {
            inst[0] = op | mem_op << 8;
            each_field(head, 4, inst, 4, mem_op >= 4 ? gds : mem);
         }
      } else if (cayman_tex_info(op)->name) {
         each_field(head, 4, inst, 4, tex);
      } else {
         each_field(head, 4, inst, 4, vtx);
      }
   }
   print_message("%u fetches\n", num_checked);
   assert_true(num_checked > 3000);
}

static void
every_cf_field(void **state)
{
   (void)state;
   static const char *const formats[][2] = {
      [CAYMAN_CF_FORM_NONE] = { "CF_WORD0", "CF_WORD1" },
      [CAYMAN_CF_FORM_BRANCH] = { "CF_WORD0", "CF_WORD1" },
      [CAYMAN_CF_FORM_GWS] = { "CF_GWS_WORD0", "CF_WORD1" },
      [CAYMAN_CF_FORM_ALU] = { "CF_ALU_WORD0", "CF_ALU_WORD1" },
      [CAYMAN_CF_FORM_ALU_EXT] = { "CF_ALU_WORD0_EXT", "CF_ALU_WORD1_EXT" },
      [CAYMAN_CF_FORM_MEM] = { "CF_ALLOC_EXPORT_WORD0", "CF_ALLOC_EXPORT_WORD1_BUF" },
      [CAYMAN_CF_FORM_RAT] = { "CF_ALLOC_EXPORT_WORD0_RAT", "CF_ALLOC_EXPORT_WORD1_BUF" },
      [CAYMAN_CF_FORM_EXPORT] = { "CF_ALLOC_EXPORT_WORD0", "CF_ALLOC_EXPORT_WORD1_SWIZ" },
   };
   num_checked = 0;
   for (unsigned op = 0; op < CAYMAN_CF_OP_COUNT; op++) {
      uint32_t inst[2] = { 1,
                           op >= CAYMAN_CF_ALU_BASE ? (op - CAYMAN_CF_ALU_BASE) << 26 : op << 22 };
      if (op >= CAYMAN_CF_ALU_BASE && op < CAYMAN_CF_ALU_BASE + 8) {
         continue; /* bit 29 makes it one of the upper eight */
      }
      each_field(NULL, 0, inst, 2, formats[cayman_cf_info(op)->form]);
   }
   print_message("%u control-flow instructions\n", num_checked);
   assert_true(num_checked > 20000);
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
      cmocka_unit_test(every_alu_field), cmocka_unit_test(every_fetch_field),
      cmocka_unit_test(every_cf_field),  cmocka_unit_test(listings),
      cmocka_unit_test(bad_texts),       cmocka_unit_test(automatic_layout),
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
