/* SPDX-License-Identifier: MIT */
/* Listings in AMD's format: words beside their text. */
#include "common.h"

static void
slot_text(void **state)
{
   static const struct {
      uint32_t words[2];
      const char *text;
   } cases[] = {
      /* MOV R1.x, R2.y */
      { { 0x80000402, 0x00200c90 }, "x: MOV         R1.x,  R2.y" },
      /* MOV ____, -|R2.y| in w; the register that is not written is kept */
      { { 0x80001402, 0x60200c81 }, "w: MOV         ____,  -|R2.y|  GPR(1)" },
      /* MULADD_IEEE R3.z, R0.x, KC0[1].y, 0.5f with CLAMP */
      { { 0x80902000, 0xc06300fc }, "z: MULADD_IEEE R3.z,  R0.x,  KC0[1].y,  0.5f  CLAMP" },
   };
   (void)state;
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const uint32_t literal[4] = { 0 };
      struct cayman_alu alu;
      char *text;
      size_t size;
      FILE *f = open_memstream(&text, &size);
      assert_int_equal(cayman_decode_alu(CAYMAN_VLIW4, cases[i].words, &alu), CAYMAN_OK);
      cayman_print_alu_slot(f, CAYMAN_VLIW4, &alu, literal);
      fclose(f);
      assert_string_equal(text, cases[i].text);
      free(text);
   }
}

static void
program_text(void **state)
{
   (void)state;
   uint32_t words[24] = { 0 };
   struct cayman_cf alu = { .op = CAYMAN_CF_ALU,
                            .form = CAYMAN_CF_FORM_ALU,
                            .addr = 3,
                            .count = 1,
                            .barrier = true,
                            .kcache = { { .bank = 1, .mode = CAYMAN_KCACHE_LOCK_1 } } };
   struct cayman_cf export = { .op = CAYMAN_CF_EXPORT_DONE,
                               .form = CAYMAN_CF_FORM_EXPORT,
                               .elem_size = 3, /* as LLVM and stock r600 write */
                               .barrier = true,
                               .sel = { 0, 1, 2, CAYMAN_SEL_1 } };
   struct cayman_cf end = { .op = CAYMAN_CF_END, .form = CAYMAN_CF_FORM_BRANCH, .barrier = true };
   struct cayman_alu_group group = { .num_slots = 1, .num_literals = 2, .literal = { 0x3fc00000 } };
   group.slot[0] = (struct cayman_alu){ .op = CAYMAN_ALU_MUL_IEEE,
                                        .write_mask = true,
                                        .src = { { .sel = CAYMAN_SRC_KCACHE0 + 2, .chan = 3 },
                                                 { .sel = CAYMAN_SRC_LITERAL } } };
   assert_int_equal(cayman_encode_cf(&alu, words), CAYMAN_OK);
   assert_int_equal(cayman_encode_cf(&export, words + 2), CAYMAN_OK);
   assert_int_equal(cayman_encode_cf(&end, words + 4), CAYMAN_OK);
   assert_int_equal(cayman_encode_alu_group(CAYMAN_VLIW4, &group, words + 6), 4);

   char *text;
   size_t size;
   FILE *f = open_memstream(&text, &size);
   cayman_disassemble(f, words, 10);
   fclose(f);
   assert_string_equal(text, "00 ALU: ADDR(3) CNT(2) KCACHE0(CB1:0-15)\n"
                             "      0  x: MUL_IEEE    R0.x,  KC0[2].w,  (0x3FC00000, 1.5f).x\n"
                             "01 EXP_DONE: PIX0, R0.xyz1 ELEM_SIZE(3)\n"
                             "END_OF_PROGRAM\n");
   free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(slot_text),
      cmocka_unit_test(program_text),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
