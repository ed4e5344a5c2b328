/* SPDX-License-Identifier: MIT */
/*
 * Text and words: every instruction with every modifier there and back, the document's forms and
 * spellings, encodings worked out by hand, and errors with their lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/attila/attila.h"

static unsigned tried;

/* The instruction prints as something that assembles to the same words, without .bits. */
static void
there_and_back(const struct attila_inst *inst)
{
   uint32_t words[ATTILA_DWORDS];
   struct attila_program program;
   struct isa_error error;
   struct isa_text t = { 0 };

   attila_encode(inst, words);
   attila_print(&t, words);
   text_char(&t, 0);
   assert_false(t.failed);
   if (t.data[0] == '.')
      fail_msg("%s", t.data);
   if (!attila_parse(t.data, t.size - 1, &program, &error))
      fail_msg("%s: column %u: %s", t.data, error.column, error.text);
   if (program.num_insts != 1 || memcmp(program.words, words, sizeof(words)) != 0)
      fail_msg("%s: other words", t.data);
   attila_program_finish(&program);
   free(t.data);
   tried++;
}

/* One with operands of their own kind. */
static struct attila_inst
plain(unsigned op)
{
   const struct attila_info *info = attila_info(op);
   struct attila_inst inst = { .opcode = (uint8_t)op };

   switch (info->result) {
   case ATTILA_RESULT_NONE:
      break;
   case ATTILA_RESULT_PRED:
      inst.result_reg = 3;
      break;
   case ATTILA_RESULT_ADDR:
      inst.result_bank = ATTILA_ADDR;
      inst.mask = 15;
      break;
   default:
      inst.result_bank = ATTILA_TEMP;
      inst.result_reg = 5;
      inst.mask = 15;
      break;
   }
   for (unsigned n = 0; info->sources[n]; n++) {
      char kind = info->sources[n];
      struct attila_src *src = &inst.src[n];
      src->reg = (uint8_t)(n + 1);
      if (kind == 'v' || kind == 'i') {
         src->bank = ATTILA_TEMP;
         src->swizzle = ATTILA_SWIZZLE_XYZW;
      } else if (kind == 's' || kind == 'j') {
         src->bank = ATTILA_TEMP;
         src->swizzle = attila_broadcast(n);
      } else if (kind == 'l') {
         *src = (struct attila_src){ .bank = ATTILA_IMMEDIATE };
      }
   }
   return inst;
}

static void
each_source(unsigned op, unsigned n)
{
   const struct attila_info *info = attila_info(op);
   char kind = info->sources[n];
   struct attila_inst inst = plain(op);
   struct attila_src *src = &inst.src[n];

   if (kind == 'l' || kind == 't' || kind == 'n' || kind == 'a') {
      for (unsigned v = 0; v < 256; v++) {
         src->reg = kind == 'l' ? 0 : (uint8_t)v;
         inst.immediate = kind == 'l' ? v * 0x01010101u : 0;
         there_and_back(&inst);
      }
      return;
   }
   if (kind == 'b') {
      for (unsigned m = 0; m < 4; m++) {
         *src = (struct attila_src){ .absolute = m & 1, .negate = m >> 1 };
         there_and_back(&inst);
         if (!src->absolute) {
            src->bank = ATTILA_PARAM;
            there_and_back(&inst);
            src->bank = ATTILA_PARAM2;
            src->reg = 255;
            src->swizzle = attila_broadcast(2);
            there_and_back(&inst);
         }
      }
      return;
   }
   for (unsigned swizzle = 0; swizzle < 256; swizzle++) {
      src->swizzle = (uint8_t)swizzle;
      src->negate = swizzle & 1;
      src->absolute = swizzle >> 1 & 1;
      there_and_back(&inst);
   }
   for (unsigned bank = 0; bank <= ATTILA_PARAM2; bank++) {
      for (unsigned reg = 0; reg < 256; reg += 15) {
         src->bank = (uint8_t)bank;
         src->reg = (uint8_t)reg;
         there_and_back(&inst);
      }
   }
   /* Relative constants. */
   inst.relative = true;
   src->reg = 0;
   for (unsigned bits = 0; bits < 1 << 13; bits += 7) {
      src->bank = bits & 1 ? ATTILA_PARAM : ATTILA_PARAM2;
      inst.rel_reg = bits & 3;
      inst.rel_comp = bits >> 2 & 3;
      inst.rel_offset = (uint16_t)(bits >> 4);
      there_and_back(&inst);
   }
}

static void
each_immediate(unsigned op)
{
   static const uint32_t values[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x807fffff, 0x7f7fffff,
      0x7f800000, 0xff800000, 0x7fc00000, 0xffffffff, 0x7fffffff, 0x3dcccccd, 0x4b800000,
      0x5d5e0b6b, 0x322bcc77, 0xc2c80000, 0x00800000, 0x3f7fffff, 0x000003e8,
   };
   const struct attila_info *info = attila_info(op);
   struct attila_inst inst = plain(op);

   if (info->sources[1] == 'l')
      return;
   if (op == ATTILA_ARL)
      inst.src[0] = (struct attila_src){ 0 };
   for (unsigned m = 0; m < 4; m++) {
      inst.src[1] =
         (struct attila_src){ .bank = ATTILA_IMMEDIATE, .negate = m & 1, .absolute = m >> 1 };
      for (unsigned i = 0; i < sizeof(values) / sizeof(*values); i++) {
         inst.immediate = values[i];
         there_and_back(&inst);
      }
   }
}

static void
every_modifier(void **state)
{
   (void)state;
   for (unsigned op = 0; op < 256; op++) {
      const struct attila_info *info = attila_info(op);
      if (!info->name)
         continue;
      struct attila_inst inst = plain(op);
      for (unsigned flags = 0; flags < 256; flags++) {
         inst.end = flags & 1;
         inst.wait = flags >> 1 & 1;
         inst.predicated = flags >> 2 & 1;
         inst.invert_pred = inst.predicated && flags & 8;
         inst.pred = inst.predicated ? (uint8_t)(flags >> 3) : 0;
         there_and_back(&inst);
      }
      inst = plain(op);
      for (unsigned mask = 0; info->result > ATTILA_RESULT_NONE && mask < 32; mask++) {
         inst.mask = info->result == ATTILA_RESULT_PRED ? 0 : mask & 15;
         inst.saturate = mask >> 4;
         there_and_back(&inst);
         for (unsigned bank = 0; bank <= ATTILA_PARAM2; bank++) {
            inst.result_bank = info->result == ATTILA_RESULT_PRED ? 0 : (uint8_t)bank;
            inst.result_reg = (uint8_t)(mask * 37 + bank);
            there_and_back(&inst);
         }
      }
      for (unsigned n = 0; info->sources[n]; n++)
         each_source(op, n);
      if (info->forms & ATTILA_FORM_IMM)
         each_immediate(op);
   }
   print_message("%u instructions there and back\n", tried);
   assert_true(tried > 140000);
}

/* Worked out by hand from the document's tables of fields. */
static void
by_hand(void **state)
{
   (void)state;
   static const struct {
      const char *text;
      uint32_t words[ATTILA_DWORDS];
   } cases[] = {
      { "nop", { 0, 0, 0, 0 } },
      { "end", { 0x37, 0, 0, 0 } },
      { "nop end", { 0x100, 0, 0, 0 } },
      { "nop wait", { 0x200, 0, 0, 0 } },
      /* result TEMP (3) with all of the mask; sources IN and PARAM. */
      { "add r2, i1, c3",
        { 0x01 | 0u << 17 | 2u << 22, 3 | 15u << 4, 1 | 0x1bu << 8 | 2u << 16 | 3u << 24, 0x1b } },
      { "(!p3) mul_sat o1.x, -r0.y, |c300.zzzz|",
        { 0x17 | 1u << 10 | 1u << 11 | 3u << 12 | 3u << 17 | 1u << 20 | 5u << 22 | 1u << 26,
          1 | 1u << 3 | 8u << 4, 0 | 0x55u << 8 | 1u << 16 | 44u << 24, 0xaa } },
      { "add r0, r1, 1.0",
        { 0x01 | 3u << 17 | 6u << 22, 3 | 15u << 4, 1 | 0x1bu << 8, 0x3f800000 } },
      { "addi r0.w, r1.x, -2", { 0x02 | 3u << 17 | 6u << 22, 3 | 1u << 4, 1, 0xfffffffe } },
      { "jmp !p1, -3", { 0x36 | 1u << 20 | 6u << 22, 0, 1, 0xfffffffd } },
      { "jump true, 2", { 0x36 | 1u << 20 | 1u << 21 | 6u << 22, 0, 0, 2 } },
      { "setpgt !p2, r0.x, r1.w",
        { 0x1d | 3u << 17 | 3u << 22, 1u << 3, 0 | 2u << 16 | 1u << 24, 0xff } },
      { "mov r0, c[a1.z - 2]",
        { 0x16 | 2u << 17, 3 | 15u << 4 | 1u << 8 | 1u << 9 | 2u << 11 | 0x1feu << 13, 0x1bu << 8,
          0 } },
      { "tex r0, r1, t5", { 0x26 | 3u << 17, 3 | 15u << 4, 1 | 0x1bu << 8 | 5u << 24, 0 } },
      { "arl a0, 2.5", { 0x03 | 6u << 22, 4 | 15u << 4, 0, 0x40200000 } },
      { "mad r0, r1, r2, -r3.wzyx",
        { 0x13 | 3u << 17 | 3u << 22 | 3u << 27 | 1u << 30, 3 | 15u << 4, 1 | 0x1bu << 8 | 2u << 24,
          0x1b | 3u << 8 | 0xe4u << 16 } },
      { "andp p0, true, !p4", { 0x04 | 1u << 20 | 1u << 21 | 1u << 25, 0, 4u << 24, 0 } },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct attila_program program;
      struct isa_error error;
      if (!attila_parse(cases[i].text, strlen(cases[i].text), &program, &error))
         fail_msg("%s: %s", cases[i].text, error.text);
      if (memcmp(program.words, cases[i].words, sizeof(cases[i].words)) != 0) {
         fail_msg("%s: %08x %08x %08x %08x", cases[i].text, program.words[0], program.words[1],
                  program.words[2], program.words[3]);
      }
      attila_program_finish(&program);
   }
}

/* What may be written in more than one way, and how it is printed. */
static void
canonical(void **state)
{
   (void)state;
   static const char *const cases[][2] = {
      { "ADD R0, I1, C2", NULL },
      { "Add_sat r0.xyzw , i1.xyzw,c2 ; comment\n", "add_sat r0, i1, c2\n" },
      { "rcp r0.yzw, r1", "rcp r0.yzw, r1.x\n" },
      { "add r0, r1, -1.5 # negative\n", "add r0, r1, -1.5\n" },
      { "add r0, r1, -(1.5)", "add r0, r1, -(1.5)\n" },
      { "add r0, r1, -|1.5|", "add r0, r1, -|1.5|\n" },
      { "add r0, r1, 0x3f800000", "add r0, r1, 1.0\n" },
      { "add r0, r1, 0x7fc00000", "add r0, r1, 0x7FC00000\n" },
      { "add r0, r1, 1e10", "add r0, r1, 1e+10\n" },
      { "addi r0, r1, 0xffffffff", "addi r0, r1, -1\n" },
      { "fxmul acc.xy, r1, r2", "fxmul acc.xy, r1, r2\n" },
      { "fxmul r0.xy, r1, r2", "fxmul acc.xy, r1, r2\n" },
      { "fxmul r7.xy, r1, r2", "fxmul r7.xy, r1, r2\n" },
      { "top: nop\njump true, top", "nop\njmp true, -1\n" },
      { "jmp p0, over\nnop\nover: end", "jmp p0, 2\nnop\nend\n" },
      { "jmp !c5.y, 1\nend", "jmp !c5.y, 1\nend\n" },
      { "mov r0, c[a0.x+0]", "mov r0, c[a0.x]\n" },
      { "mov r0, c256[ a3.w -256 ]", "mov r0, c256[a3.w - 256]\n" },
      { "stpeqi p0, r0.x, 3", "setpeqi p0, r0.x, 3\n" },
      { ".scalar\nadd r0.x, r1.y, r2.z end", ".scalar\nadd r0.x, r1.y, r2.z end\n" },
      { ".bits 0x38, 0x0", ".bits 0x0000000000000038, 0x0000000000000000 ; undefined opcode\n" },
      { ".bits 0x37, 0x1", ".bits 0x0000000000000037, 0x0000000000000001 ; end\n" },
      { "end\n.dword 0x12", "end\n.dword 0x00000012\n" },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct isa_error error;
      char *text = isa_reprint(&isa_attila, cases[i][0], strlen(cases[i][0]), &error);
      if (!cases[i][1]) {
         assert_null(text);
         continue;
      }
      if (!text)
         fail_msg("%s: %s", cases[i][0], error.text);
      assert_string_equal(text, cases[i][1]);
      char *again = isa_reprint(&isa_attila, text, strlen(text), &error);
      assert_non_null(again);
      assert_string_equal(again, text);
      free(again);
      free(text);
   }
}

static void
errors(void **state)
{
   (void)state;
   static const struct {
      const char *text;
      unsigned line, column;
      const char *error;
   } cases[] = {
      { "", 0, 0, "there is no instruction" },
      { "nop\nfoo r0", 2, 1, "unknown instruction 'foo'" },
      { "+", 1, 1, "expected an instruction" },
      { "add r0, r1", 1, 11, "expected ','" },
      { "add r0, r1, q2", 1, 13, "expected a register: i, o, c, r or a and its number" },
      { "add r256, r1, r2", 1, 6, "there is no temporary 256, only 0 to 255" },
      { "mov r0, c512", 1, 10, "there is no constant 512, only 0 to 511" },
      { "mov r0, r", 1, 10, "expected a number" },
      { "mov r0.yx, r1", 1, 7, "expected a write mask: some of xyzw, in this order" },
      { "mov r0, r1.xy", 1, 11, "expected one or four components of xyzw" },
      { "mov r0, 1.0", 1, 9, "no immediate can stand here" },
      { "mad r0, r1, r2, 1.0", 1, 17, "no immediate can stand here" },
      { "add r0, r1, 1.2.3", 1, 13, "expected a number" },
      { "addi r0, r1, 1.5", 1, 14, "expected an integer" },
      { "addi r0, r1, 4294967296", 1, 14, "the number has more than 32 bits" },
      { "add r0, r1, 0x123456789", 1, 13, "more than 8 hexadecimal digits" },
      { "setpeq_sat p0, r0.x, r1.x", 1, 7, "this instruction has no _sat" },
      { "setpeq r0, r0.x, r1.x", 1, 8, "expected a predicate: p0 to p31" },
      { "(p32) nop", 1, 3, "there is no predicate 32, only 0 to 31" },
      { "add r0, c1, c[a0.x]", 1, 13, "constants of an instruction are relative, all or none" },
      { "add r0, c[a0.x], c[a1.x]", 1, 19, "an instruction has one relative constant only" },
      { "mov r0, c5[a0.x]", 1, 13, NULL },
      { "mov r0, c[a0.x + 256]", 1, 16, "the offset is outside -256 to 255" },
      { "mov r0, c[a4.x]", 1, 12, "there is no address register 4, only 0 to 3" },
      { "mov r0, c[r0.x]", 1, 11, "expected an address register" },
      { "mov r0, c[a0.q]", 1, 14, "expected one component of xyzw" },
      { "mov c[a0.x], r0", 1, 5, "a result is no relative constant" },
      { "jmp p0, there", 1, 9, "there is no label 'there'" },
      { "a: nop\na: end", 2, 1, "there is another label 'a'" },
      { "nop end end", 1, 9, "said twice" },
      { "nop r0", 1, 5, "unexpected text after the instruction" },
      { ".foo", 1, 1, "expected .scalar, .bits or .dword" },
      { "nop\n.scalar", 2, 1, ".scalar stands in front of the code" },
      { ".bits 5", 1, 7, "expected a number with 0x" },
      { ".bits 0x, 0x1", 1, 7, "expected hexadecimal digits" },
      { ".dword 0x1\nnop", 2, 1, ".dword is followed by an instruction" },
      { ".dword 0x1\n.dword 0x1\n.dword 0x1\n.dword 0x1", 4, 1,
        "four dwords are an instruction: .bits" },
      { "tex r0, r1, 3", 1, 13, "expected a texture unit: t and its number" },
      { "add r0, r1, -(r2)", 1, 15, "expected a number" },
      { "add r0, r1, |r2", 1, 16, "expected '|'" },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct attila_program program;
      struct isa_error error;
      if (attila_parse(cases[i].text, strlen(cases[i].text), &program, &error))
         fail_msg("taken: %s", cases[i].text);
      if (!cases[i].error) {
         assert_true(error.text[0]);
         continue;
      }
      if (strcmp(error.text, cases[i].error) != 0 || error.line != cases[i].line ||
          error.column != cases[i].column)
         fail_msg("%s: %u:%u: %s", cases[i].text, error.line, error.column, error.text);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_modifier),
      cmocka_unit_test(by_hand),
      cmocka_unit_test(canonical),
      cmocka_unit_test(errors),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
