/* SPDX-License-Identifier: MIT */
/* Binary streams: every opcode out and in again to the same bits; damaged streams end in an error.
 */
#include "common.h"

#include "../rule_cases.h"

static void
every_opcode(void **state)
{
   struct il_error err;
   unsigned rows = 0, written = 0;
   for (unsigned i = 0; il_op_row(i); i++, rows++) {
      const struct il_op_info *info = il_op_row(i);
      if (!info->shape_known || info->value == IL_OP_PREFIX || info->value == IL_OP_MACRODEF ||
          info->value == IL_OP_END)
         continue;
      for (unsigned variant = 0; variant < 4; variant++) {
         struct il_program *p = one_inst(info, variant);
         uint32_t n, m;
         uint32_t *a = il_write(p, IL_NUMBERING_STREAM, &n, &err);
         if (!a)
            fail_msg("%s: %s", info->name, err.text);
         struct il_program *q = il_read(a, n, IL_NUMBERING_STREAM, &err);
         if (!q)
            fail_msg("%s: %s at %u", info->name, err.text, err.where);
         uint32_t *b = il_write(q, IL_NUMBERING_STREAM, &m, &err);
         assert_non_null(b);
         assert_int_equal(n, m);
         assert_memory_equal(a, b, n * 4);
         assert_int_equal(q->insts[0].op, info->value);
         /* No shorter stream may pass: every dword was needed. */
         for (uint32_t cut = 0; cut < n; cut++) {
            struct il_program *r = il_read(a, cut, IL_NUMBERING_STREAM, &err);
            assert_null(r);
         }
         written++;
         free(a);
         free(b);
         il_program_free(p);
         il_program_free(q);
      }
   }
   /* 482 opcodes, MOVA and the extensions. */
   assert_int_equal(rows, 483 + 9);
   /* Left out: UNKNOWN and six of unknown shape; PREFIX, MACRODEF and END have tests of their own.
    */
   assert_int_equal(written, 4 * (483 + 9 - 7 - 3));
}

static void
numbering(void **state)
{
   struct il_error err;
   uint32_t n;
   struct il_program *p = il_program_new(IL_SHADER_VERTEX);
   struct il_dst d = il_dst(IL_REGTYPE_TEMP, 0);
   struct il_src s[2] = { il_src(IL_REGTYPE_TEMP, 1), il_src(IL_REGTYPE_TEMP, 2) };
   il_emit(p, IL_OP_MOV, 0, &d, 1, s);
   il_emit(p, IL_OP_MUL, 1, &d, 2, s);
   il_emit(p, IL_OP_END, 0, NULL, 0, NULL);

   uint32_t *w = il_write(p, IL_NUMBERING_STREAM, &n, &err);
   assert_int_equal(w[2] & 0xffff, 71);
   assert_int_equal(w[5] & 0xffff, 73);
   free(w);
   w = il_write(p, IL_NUMBERING_DOCUMENT, &n, &err);
   assert_int_equal(w[2] & 0xffff, 71);
   assert_int_equal(w[5] & 0xffff, 72);
   struct il_program *q = il_read(w, n, IL_NUMBERING_DOCUMENT, &err);
   assert_true(il_equal(p, q));
   il_program_free(q);
   free(w);
   il_program_free(p);

   p = il_program_new(IL_SHADER_VERTEX);
   il_emit(p, IL_OP_MOVA, 0, &d, 1, s);
   il_emit(p, IL_OP_END, 0, NULL, 0, NULL);
   assert_null(il_write(p, IL_NUMBERING_DOCUMENT, &n, &err));
   il_program_free(p);
}

/* The source operands of section 2.2.8. */
static void
document_examples(void **state)
{
   struct il_error err;
   /* mov r0, x5[r2.x+6].y   and   mov r0, cb[r6.w+2][r2.x+4].y */
   const uint32_t stream[] = {
      0,
      0x00010200,
      71,
      4u << 16,
      5 | 30u << 16 | 1u << 22 | 2u << 23 | 1u << 26,
      0x1111,
      2 | 4u << 16 | 1u << 22,
      0x0000,
      6,
      71,
      4u << 16,
      0 | 31u << 16 | 1u << 22 | 2u << 23 | 1u << 25 | 1u << 26,
      0x1111,
      6 | 4u << 16 | 1u << 22,
      0x3333,
      2,
      2u << 23 | 1u << 26,
      2 | 4u << 16 | 1u << 22,
      0x0000,
      4,
      40,
   };
   uint32_t n;
   struct il_program *p = il_read(stream, sizeof(stream) / 4, IL_NUMBERING_STREAM, &err);
   assert_non_null(p);
   uint32_t *w = il_write(p, IL_NUMBERING_STREAM, &n, &err);
   assert_int_equal(n, sizeof(stream) / 4);
   assert_memory_equal(w, stream, sizeof(stream));
   char *text = il_print(p);
   assert_non_null(strstr(text, "mov r0, x5[r2.x+6].y\n"));
   assert_non_null(strstr(text, "mov r0, cb[r6.w+2][r2.x+4].y\n"));
   free(text);
   free(w);
   il_program_free(p);
}

/* An array's element that is the index alone: relative mode 2 and no immediate, as AMD's compiler
 * writes cb2[r0.x] and x0[r0.x], sources and destination; and with an address register. */
static void
index_alone(void **state)
{
   struct il_error err;
   const uint32_t stream[] = {
      0,
      0x00010200,
      /* dcl_cb cb2[8]; dcl_indexed_temp_array x0[4] */
      IL_OP_DCL_CONST_BUFFER,
      2 | 31u << 16 | 1u << 26,
      8,
      IL_OP_DCL_INDEXED_TEMP_ARRAY,
      30u << 16 | 1u << 26,
      4,
      /* mov r1, cb2[r0.x].yyyy */
      71,
      1 | 4u << 16,
      0x015f0002,
      0x1111,
      4u << 16 | 1u << 22,
      0x0000,
      /* mov x0[r0.z], x0[r0.x] */
      71,
      30u << 16 | 2u << 23,
      4u << 16 | 1u << 22,
      0x2222,
      30u << 16 | 2u << 23,
      4u << 16 | 1u << 22,
      0x0000,
      /* mov r1, x0[a1.y] */
      71,
      1 | 4u << 16,
      30u << 16 | 1u << 23,
      1u << 17 | 1,
      40,
   };
   static const char wanted[] = "mov r1, cb2[r0.x].y\n"
                                "mov x0[r0.z], x0[r0.x]\n"
                                "mov r1, x0[a1.y]\n"
                                "end\n";
   uint32_t n, m;
   struct il_program *p = il_read(stream, sizeof(stream) / 4, IL_NUMBERING_STREAM, &err);
   if (!p)
      fail_msg("%u: %s", err.where, err.text);
   assert_true(il_validate(p, IL_STD_2_4, &err));
   char *text = il_print(p);
   assert_non_null(strstr(text, wanted));
   struct il_program *q = il_parse(text, strlen(text), &err);
   assert_true(il_equal(p, q));
   uint32_t *w = il_write(p, IL_NUMBERING_STREAM, &n, &err);
   uint32_t *v = il_write(q, IL_NUMBERING_STREAM, &m, &err);
   assert_int_equal(n, sizeof(stream) / 4);
   assert_int_equal(m, n);
   assert_memory_equal(w, stream, sizeof(stream));
   assert_memory_equal(v, stream, sizeof(stream));
   free(text);
   free(v);
   free(w);
   il_program_free(p);
   il_program_free(q);
}

/* A stream for every error of the reader, with the message in full. */
static const struct {
   uint32_t count, words[8]; /* after a header, but for those with no_header */
   bool no_header;
   const char *error;
} refused[] = {
#define REFUSED(error, ...)                                                  \
   {                                                                         \
      sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, { __VA_ARGS__ }, false, error \
   }
   REFUSED("the stream has no END (4.1)", 75),
   REFUSED("1 dwords after END (4.1)", 40, 0),
   REFUSED("opcode 483 does not exist", 483, 40),
   REFUSED("opcode 473 (div_scale): its operands are not documented", 473, 40),
   REFUSED("opcode 0 (unknown): its operands are not documented", 0, 40),
   REFUSED("the stream ends inside an instruction", 71),
   REFUSED("register type 63 does not exist (5)", 71, 63u << 16, 4u << 16, 40),
   REFUSED("addressing mode 3 does not exist (6.1)", 71, 4u << 16 | 3u << 23, 4u << 16, 40),
   REFUSED("reserved bits of an extended register number", 71, 4u << 16 | 1u << 31, 0x10000, 40),
   REFUSED("a second dimension has no modifier and no third (2.2.8)", 71, 4u << 16 | 1u << 25,
           4u << 16 | 1u << 22, 40),
   REFUSED("component selector 6 does not exist (6.4)", 71, 4u << 16, 4u << 16 | 1u << 22, 6, 40),
   REFUSED("divComp 7 does not exist (6.6)", 71, 4u << 16, 4u << 16 | 1u << 22, 7u << 21, 40),
   REFUSED("shift scale 7 does not exist (6.26)", 71, 4u << 16 | 1u << 22, 7u << 9, 4u << 16, 40),
   REFUSED("an index may not be indexed itself (2.2.6)", 71, 4u << 16, 30u << 16 | 2u << 23,
           30u << 16 | 2u << 23, 4u << 16, 40),
   REFUSED("dcl_cb: the stream ends inside its data", 118 | 1u << 31, 1000, 40),
   REFUSED("reserved bits of a prefix (7.3)", 353 | 16u << 16, 75, 40),
   REFUSED("a prefix before a prefix (7.3)", 353, 353, 75, 40),
   REFUSED("a macro call has at most 255 operands of a kind", 347, 256, 40),
#undef REFUSED
   { 3, { 0, 9u << 16, 40 }, true, "shader type 9 does not exist (6.25)" },
   { 1, { 0 }, true, "the stream ends inside its header" },
};
enum { NUM_REFUSED = sizeof(refused) / sizeof(*refused) };

static void
refusals(void **state)
{
   const char *messages[NUM_REFUSED];
   unsigned missing;

   for (unsigned i = 0; i < NUM_REFUSED; i++) {
      uint32_t words[10] = { 0, 0x00010200 }, header = refused[i].no_header ? 0 : 2;
      struct il_error err;
      memcpy(words + header, refused[i].words, sizeof(refused[i].words));
      assert_null(il_read(words, header + refused[i].count, IL_NUMBERING_STREAM, &err));
      assert_string_equal(err.text, refused[i].error);
      messages[i] = refused[i].error;
   }
   assert_true(rules_without_case(IL_SOURCES "/binary.c", "il_fail(r->err", messages, NUM_REFUSED,
                                  &missing) >= 18);
   assert_int_equal(missing, 0);
}

/* Random dwords never crash the reader, and what it accepts it writes back as it was. */
static void
random_streams(void **state)
{
   uint64_t seed = 12345;
   unsigned accepted = 0;
   for (unsigned i = 0; i < 200000; i++) {
      uint32_t w[16];
      struct il_error err;
      unsigned n = 3 + i % 13;
      for (unsigned k = 0; k < n; k++) {
         seed = seed * 6364136223846793005u + 1442695040888963407u;
         w[k] = (uint32_t)(seed >> 33) & (i & 1 ? 0x000001ff : 0xc57f01ff);
      }
      w[0] = 0;
      w[1] = 0x10200;
      w[n - 1] = IL_OP_END;
      struct il_program *p = il_read(w, n, IL_NUMBERING_STREAM, &err);
      if (!p)
         continue;
      uint32_t m;
      uint32_t *back = il_write(p, IL_NUMBERING_STREAM, &m, &err);
      assert_non_null(back);
      assert_int_equal(m, n);
      assert_memory_equal(w, back, n * 4);
      il_validate(p, IL_STD_EXTENDED, &err);
      char *text = il_print(p);
      free(text);
      free(back);
      il_program_free(p);
      accepted++;
   }
   assert_true(accepted > 1000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_opcode),      cmocka_unit_test(numbering),
      cmocka_unit_test(document_examples), cmocka_unit_test(index_alone),
      cmocka_unit_test(refusals),          cmocka_unit_test(random_streams),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
