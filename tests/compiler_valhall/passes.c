/* SPDX-License-Identifier: MIT */
/*
 * What passes of Valhall's compiler make of an instruction or two: IL, and the words' text.
 *
 * CASE: the text of the whole program, but for what stores the result in every case.  A case reads
 * constants (cb0) and writes r0 to storage buffer 0.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/valhall/valhall_compile.h"
#include "il/il.h"
#include "isa/valhall/valhall.h"

static const char before[] = "il_cs_2_0\ndcl_num_thread_per_group 16\ndcl_raw_uav_id(0)\n"
                             "dcl_cb cb0[300]\ndcl_cb cb1[4]\ndcl_literal l0, 0, 1, 7, 100\n"
                             "dcl_literal l1, 1.0, 2.0, 0.3, -1.0\n";
static const char after[] = "\nuav_raw_store_id(0) mem.x, vTidInGrp.z, r0.x\nend\n";

/* The lines of the store: its buffer's handle, the address, and itself. */
static bool
stores(const char *line, size_t length)
{
   static const char *const parts[] = { "#0x6000000", "LEA_BUFFER", "STORE.i32", "NOP.end" };
   for (unsigned n = 0; n < sizeof(parts) / sizeof(*parts); n++) {
      const char *found = strstr(line, parts[n]);
      if (found && found < line + length)
         return true;
   }
   return false;
}

/* The text of what is compiled of a whole program; to be freed. */
static char *
compile_program(const char *text, unsigned flags)
{
   char error[256];
   struct il_error where;
   struct shader_code code;
   size_t count, length;

   struct il_program *p = il_parse(text, strlen(text), &where);
   if (!p)
      fail_msg("%u: %s", where.where, where.text);
   if (!valhall_compiler.compile(p, flags, &code, error, sizeof(error)))
      fail_msg("%s: %s", text, error);
   assert_true(valhall_compiler.validate(&code, error, sizeof(error)));
   uint64_t *words = valhall_words(code.words, code.num_dwords, &count);
   char *out = valhall_disassemble(words, count, &length), *result = calloc(1, length + 1);
   memcpy(result, out, length);
   free(out);
   free(words);
   shader_code_finish(&code);
   il_program_free(p);
   return result;
}

static void
check(const char *body, const char *expected)
{
   char text[2048], kept[2048] = "";

   snprintf(text, sizeof(text), "%s%s%s", before, body, after);
   char *whole = compile_program(text, 0);
   for (const char *line = whole, *end; (end = strchr(line, '\n')); line = end + 1)
      if (!stores(line, (size_t)(end - line)))
         strncat(kept, line, (size_t)(end - line) + 1);
   assert_string_equal(kept, expected);
   free(whole);
}

static void
check_whole(const char *text, const char *expected)
{
   char *whole = compile_program(text, 0);
   assert_string_equal(whole, expected);
   free(whole);
}

#define CASE(body, expected)  check(body, expected)
#define WHOLE(text, expected) check_whole(text, expected)

/* Modifiers of operands and results cost nothing; `mad` rounds twice, `fma` once. */
static void
test_import(void **state)
{
   (void)state;
   CASE("add r0.x, cb0[0].x_neg(xyzw), cb0[0].y_abs", "FADD.f32.wait0 r2, u0.neg, u1.abs\n");
   CASE("mul_ieee r0.x, cb0[0].x, cb0[0].x", "FMA.f32.wait0 r2, u0, u0, 0x0.neg\n");
   CASE("mad_ieee r0.x, cb0[0].x, cb0[0].x, cb0[0].y",
        "FMA.f32 r0, u0, u0, 0x0.neg\nFADD.f32 r2, ^r0, u1\n");
   CASE("fma r0.x, cb0[0].x, cb0[0].x, cb0[0].y", "FMA.f32.wait0 r2, u0, u0, u1\n");
}

/* Ballots are of a warp, and both words of the time are read at once. */
static void
test_waves(void **state)
{
   (void)state;
   CASE("x_ballot r0, vTidInGrp.z", "WMASK r2, r56\n");
   CASE("x_sysval_id(lane) r1\niadd r0.x, r1.x, vTidInGrp.z", "IADD.u32 r2, lane_id.w0, r56\n");
   CASE("mov r1.xy, Tmr.xy\niadd r0.x, r1.x, r1.y",
        "IADD_IMM.i32 r0, 0x0, #0x9000000\n"
        "LD_BUFFER.i64.unsigned.slot0 @r0:r1, 0x0, ^r0\nIADD.u32 r0, ^r0, ^r1\n");
}

/* Constants: of the table, its bytes, inverted or negative, or in the word. */
static void
test_legalize(void **state)
{
   (void)state;
   CASE("add r0.x, cb0[0].x, l1.w", "FADD.f32.wait0 r2, u0, 0x3F800000.neg\n");
   CASE("iadd r0.x, cb0[0].x, l0.z", "IADD.u32.wait0 r2, u0, 0x7060504.b3\n");
   CASE("iadd r0.x, vTidInGrp.z, l0.w", "IADD_IMM.i32 r2, r56, #0x64\n");
   CASE("add r0.x, vTidInGrp.z, l1.z", "FADD_IMM.f32 r2, r56, #0x3E99999A\n");
   /* A half of a word, as a float; a byte by the operand that selects one. */
   CASE("dcl_literal l2, 0.5, -4.0, 0, 0\nmul_ieee r1.x, vTidInGrp.z, l2.x\nadd r0.x, r1.x, l2.y",
        "FMA.f32 r0, r56, 0x38000000.h1, 0x0.neg\nFADD.f32 r2, ^r0, 0x44000000.neg.h1\n");
   CASE("iand r0.x, vTidInGrp.z, l0.z", "LSHIFT_AND.i32 r2, 0x7060504.b3, 0x3020100.b00, r56\n");
   /* Two words of one 64-bit slot can be named, of two they cannot: both of one come at once, or
    * what others want, too. */
   CASE("add r1.x, cb0[0].x, cb0[1].x\nadd r1.y, cb0[0].y, cb0[1].y\nadd r0.x, r1.x, r1.y",
        "IADD.u64 r0, u4, 0x0\nFADD.f32 r0, u0, ^r0\nFADD.f32 r1, u1, ^r1\n"
        "FADD.f32 r2, ^r0, ^r1\n");
   CASE("mul_ieee r1.xy, cb0[0].xy, cb0[1].x\nadd r0.x, r1.x, r1.y",
        "MOV.i32 r0, u4\nFMA.f32 r1, u0, r0, 0x0.neg\nFMA.f32 r0, u1, ^r0, 0x0.neg\n"
        "FADD.f32 r2, ^r1, ^r0\n");
   CASE("add r0.x, cb0[0].x, cb0[0].z", "MOV.i32 r0, u2\nFADD.f32 r2, u0, ^r0\n");
}

static void
test_fold(void **state)
{
   (void)state;
   CASE("add_sat r0.x, cb0[0].x, cb0[0].y", "FADD.f32.clamp_0_1.wait0 r2, u0, u1\n");
   CASE("lt r1.x, vTidInGrp.z, cb0[0].x\ncmov_logical r0.x, r1.x, cb0[0].y, l0.x",
        "FCMP_OR.f32.lt.m1 r0, r56, u0, 0x0\nCSEL.u32.ne r2, ^r0, 0x0, u1, 0x0\n");
   CASE("ishl r1.x, vTidInGrp.z, l0.z\nior r0.x, r1.x, cb0[0].x",
        "LSHIFT_OR.i32 r2, r56, 0x7060504.b33, u0\n");
   CASE("dcl_literal l2, 5, -1.0, 0, 0\nadd r1.x, cb0[0].x, cb0[0].y\nmax r1.x, r1.x, l2.y\n"
        "min r0.x, r1.x, l1.x",
        "FADD.f32.clamp_m1_1.wait0 r2, u0, u1\n");
   CASE("inegate r1.x, cb0[0].x\niadd r0.x, vTidInGrp.z, r1.x", "ISUB.u32 r2, r56, u0\n");
   CASE("dcl_literal l2, 4, 8, 28, 0\nibit_extract r0.x, l2.x, l2.y, vTidInGrp.z",
        "LSHIFT_OR.i32 r0, r56, 0x17161514.b00, 0x0\nRSHIFT_OR.i32.signed r2, ^r0, 0x1F1E1D1C.b00, "
        "0x0\n");
   CASE("lt r1.x, vTidInGrp.z, l0.x\nige r1.y, vTidInGrp.z, l0.x\niand r0.x, r1.x, r1.y",
        "ICMP_OR.s32.ge.m1 r0, r56, 0x0, 0x0\nFCMP_AND.f32.lt.m1 r2, r56, 0x0, ^r0\n");
}

/* A clamp of what computes no float stays apart. */
static void
test_fold_not(void **state)
{
   (void)state;
   CASE("f2f16_sat r0.x, cb0[0].x", "V2F32_TO_V2F16 r0, u0, 0x0\n"
                                    "FADD.f32.clamp_0_1 r2, ^r0, 0x0.neg\n");
   /* A clamp that nobody reads is none. */
   CASE("add r1.x, cb0[0].x, cb0[0].y\nmov_sat r2.x, r1.x\nadd r0.x, r1.x, vTidInGrp.z",
        "FADD.f32 r0, u0, u1\nFADD.f32 r2, ^r0, r56\n");
   CASE("ilt r1.x, vTidInGrp.z, cb0[0].x\ncmov_logical r2.x, r1.x, cb0[0].y, l0.x\nmov r0.x, r1.x",
        "ICMP_OR.s32.lt.m1 r2, r56, u0, 0x0\n");
}

/* Signs are the reader's, if it is one of floats. */
static void
test_fold_signs(void **state)
{
   (void)state;
   CASE("mov r1.x, cb0[0].x_neg(xyzw)\nmul_ieee r0.x, r1.x, r1.x_neg(xyzw)",
        "FMA.f32.wait0 r2, u0.neg, u0, 0x0.neg\n");
   CASE("mov r1.x, cb0[0].x_abs_neg(xyzw)\nadd r0.x, r1.x_neg(xyzw), r1.x_abs",
        "FADD.f32.wait0 r2, u0.abs, u0.abs\n");
   CASE("mov r1.x, cb0[0].x_neg(xyzw)\niadd r0.x, r1.x, l0.y",
        "MOV.i32 r0, 0x7FFFFFFF\nLSHIFT_XOR.i32 r0, u0, 0x3020100.b00, ^r0.not\n"
        "IADD.u32 r2, ^r0, 0x3020100.b1\n");
}

/* What reads a comparison compares itself: choices, discards, and numbers of a condition. */
static void
test_fold_compare(void **state)
{
   (void)state;
   CASE("lt r1.x, vTidInGrp.z, cb0[0].x\nand r0.x, r1.x, l1.x",
        "FCMP_OR.f32.lt.f1 r2, r56, u0, 0x0\n");
   CASE("ige r1.x, vTidInGrp.z, cb0[0].x\nand r0.x, l0.y, r1.x",
        "ICMP_OR.s32.ge.i1 r2, r56, u0, 0x0\n");
   CASE("lt r1.x, vTidInGrp.z, cb0[0].x\nand r1.y, r1.x, l1.x\n"
        "cmov_logical r1.z, r1.x, l1.y, vTidInGrp.z\nadd r0.x, r1.y, r1.z",
        "FCMP_OR.f32.lt.f1 r0, r56, u0, 0x0\nCSEL.f32.lt r1, r56, u0, 0x40000000, r56\n"
        "FADD.f32 r2, ^r0, ^r1\n");
   /* Two of three that have no room for one more constant; and all where there is. */
   CASE("lt r1.x, vTidInGrp.z, cb0[0].x\ninot r1.y, r1.x\niand r1.x, r1.x, l1.x\n"
        "iand r1.y, r1.y, l1.x\nadd r0.x, r1.x, r1.y",
        "FCMP_OR.f32.lt.m1 r0, r56, u0, 0x0\nLSHIFT_AND.i32 r1, r0, 0x3020100.b00, 0x3F800000\n"
        "LSHIFT_AND.i32 r0, 0x3F800000, 0x3020100.b00, ^r0.not\nFADD.f32 r2, ^r1, ^r0\n");
   CASE("add r2.x, vTidInGrp.z, l1.x\nlt r1.x, vTidInGrp.z, r2.x\ninot r1.y, r1.x\n"
        "iand r1.x, r1.x, l1.x\niand r1.y, r1.y, l1.x\nadd r0.x, r1.x, r1.y",
        "FADD.f32 r0, r56, 0x3F800000\nFCMP_OR.f32.lt.f1 r1, r56, r0, 0x0\n"
        "CSEL.f32.lt r0, r56, ^r0, 0x0, 0x3F800000\nFADD.f32 r2, ^r1, ^r0\n");
   /* It is needed as it is. */
   CASE("lt r1.x, vTidInGrp.z, cb0[0].x\nand r1.y, r1.x, l1.x\niadd r0.x, r1.y, r1.x",
        "FCMP_OR.f32.lt.m1 r0, r56, u0, 0x0\nLSHIFT_AND.i32 r1, r0, 0x3020100.b00, 0x3F800000\n"
        "IADD.u32 r2, ^r1, ^r0\n");
   /* That a condition holds is the condition. */
   CASE("lt r1.x, vTidInGrp.z, cb0[0].x\nine r1.y, r1.x, l0.x\niadd r0.x, r1.y, l0.z",
        "FCMP_OR.f32.lt.m1 r0, r56, u0, 0x0\nIADD.u32 r2, ^r0, 0x7060504.b3\n");
   WHOLE("il_ps_2_0\ndcl_cb cb0[1]\ndcl_input_usage(generic)_interp(linear) v32\n"
         "dcl_output_usage(generic) o0\nlt r0.x, v32.x, cb0[0].x\ndiscard_logicalnz r0.x\n"
         "mov o0, v32\nend\n",
         "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store.wait0 @r0:r1:r2:r3, ^r61, index:0x0\n"
         "DISCARD.f32.lt.wait0126 r0, u0\nATEST.wait @r4, ^r60, r3, atest_datum.w0\n"
         "BLEND.slot0.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, ^r4, target:0x0\n");
}

/* Halves and bytes are read as such. */
static void
test_fold_parts(void **state)
{
   (void)state;
#define PARTS "dcl_literal l2, 65535, 255, 16, 24\n"
   CASE(PARTS "iand r0.x, vTidInGrp.z, l2.x", "U16_TO_U32 r2, r56.h00\n");
   CASE(PARTS "ushr r1.x, vTidInGrp.z, l2.z\niand r1.x, r1.x, l2.y\nutof r0.x, r1.x",
        "U8_TO_F32 r2, r56.b2\n");
   CASE(PARTS "ishl r1.x, vTidInGrp.z, l2.z\nishr r1.x, r1.x, l2.z\nitof r0.x, r1.x",
        "S16_TO_F32 r2, r56.h00\n");
   CASE(PARTS "iand r1.x, vTidInGrp.z, l2.x\nishl r1.y, cb0[0].x, l2.z\nior r0.x, r1.x, r1.y",
        "MKVEC.v2i16 r2, r56.h00, u0.h00\n");
   CASE(PARTS "ubit_insert r0.x, l2.z, l2.z, cb0[0].x, vTidInGrp.z",
        "MKVEC.v2i16 r2, r56.h00, u0.h00\n");
   /* Both halves of one word are the word; a sign is none of a number without one. */
   CASE(PARTS "ushr r1.x, vTidInGrp.z, l2.z\nubit_insert r0.x, l2.z, l2.z, r1.x, vTidInGrp.z",
        "MOV.i32 r2, r56\n");
   CASE(PARTS "ishr r1.x, vTidInGrp.z, l2.z\nutof r0.x, r1.x",
        "S16_TO_S32 r0, r56.h11\nU32_TO_F32 r2, ^r0\n");
   CASE(PARTS "ushr r1.x, vTidInGrp.z, l2.z\niand r1.x, r1.x, l2.x\nushr r0.x, r1.x, l0.z",
        "U16_TO_U32 r0, r56.h11\nRSHIFT_OR.i32 r2, ^r0, 0x7060504.b33, 0x0\n");
}

/* What is at least 0 is clamped by what computes it; comparisons of constants are known. */
static void
test_known(void **state)
{
   (void)state;
   CASE("add r1.x, cb0[0].x, cb0[0].y\nmax r0.x, r1.x, l0.x",
        "FADD.f32.clamp_0_inf.wait0 r2, u0, u1\n");
   CASE("max r0.x, vTidInGrp.z, l0.x", "FMAX.f32 r2, r56, 0x0\n");
   CASE("add r1.x, cb0[0].x, cb0[0].y\nmax r1.y, r1.x, l0.x\nadd r0.x, r1.x, r1.y",
        "FADD.f32 r0, u0, u1\nFMAX.f32 r1, r0, 0x0\nFADD.f32 r2, ^r0, ^r1\n");
   CASE("ult r1.x, l0.y, l0.z\ncmov_logical r0.x, r1.x, vTidInGrp.z, l0.z", "");
   CASE("ilt r1.x, l0.z, l0.y\ncmov_logical r0.x, r1.x, l0.z, vTidInGrp.z", "");
   /* Known offsets of local data are in the words. */
   CASE("dcl_lds_id(0) 1024\ndcl_literal l2, 300, 0, 0, 0\nlds_load_id(0) r0.x, l2.x",
        "LOAD.i32.unsigned.slot0 @r2, workgroup_local_pointer.w0, offset:300\n");
}

/* Two sides that store to different images are one, but not if they store to the same. */
static void
test_merge_sides(void **state)
{
   (void)state;
#define SIDES(other)                                                                \
   "il_cs_2_0\ndcl_num_thread_per_group 16\ndcl_uav_id(0)_type(2d)_fmtx(uint)\n"    \
   "dcl_uav_id(1)_type(2d)_fmtx(uint)\ndcl_cb cb0[1]\nif_logicalnz cb0[0].x\n"      \
   "uav_store_id(0) vTidInGrp.zzzz, vTidInGrp.zzzz\nelse\nuav_store_id(" other ") " \
   "vTidInGrp.zzzz, vTidInGrp.zzzz\nendif\nend\n"
   WHOLE(SIDES("1"), "IADD_IMM.i32 r0, 0x0, #0xFFFF\n"
                     "CSEL.u32.lt r0, r56, ^r0, r56, ^r0\n"
                     "LSHIFT_OR.i32 r0, ^r0, 0x13121110.b00, ^r0\n"
                     "IADD_IMM.i32 r1, 0x0, #0x5000000\n"
                     "IADD_IMM.i32 r2, 0x0, #0x5000001\n"
                     "CSEL.u32.ne r1, u0, 0x0, ^r1, ^r2\n"
                     "LEA_TEX.slot0 @r4:r5:r6, ^r0, 0x0, ^r1\n"
                     "MOV.i32 r0, r56\n"
                     "MOV.i32 r1, r56\n"
                     "MOV.i32 r2, r56\n"
                     "MOV.i32.wait0 r3, ^r56\n"
                     "ST_CVT.slot1.v4.auto @r0:r1:r2:r3, ^r4, ^r6, offset:0x0\n"
                     "NOP.end \n");
   WHOLE(SIDES("0"), "BRANCHZ.eq u0, offset:10\n"
                     "IADD_IMM.i32 r0, 0x0, #0xFFFF\n"
                     "CSEL.u32.lt r0, r56, ^r0, r56, ^r0\n"
                     "LSHIFT_OR.i32 r0, ^r0, 0x13121110.b00, ^r0\n"
                     "LEA_TEX_IMM.slot0 @r4:r5:r6, ^r0, 0x0, table:0x5, index:0x0\n"
                     "MOV.i32 r0, r56\n"
                     "MOV.i32 r1, r56\n"
                     "MOV.i32 r2, r56\n"
                     "MOV.i32.wait0 r3, ^r56\n"
                     "ST_CVT.slot1.v4.auto @r0:r1:r2:r3, ^r4, ^r6, offset:0x0\n"
                     "BRANCHZ.eq 0x0, offset:9\n"
                     "IADD_IMM.i32 r0, 0x0, #0xFFFF\n"
                     "CSEL.u32.lt r0, r56, ^r0, r56, ^r0\n"
                     "LSHIFT_OR.i32 r0, ^r0, 0x13121110.b00, ^r0\n"
                     "LEA_TEX_IMM.slot1 @r4:r5:r6, ^r0, 0x0, table:0x5, index:0x0\n"
                     "MOV.i32 r0, r56\n"
                     "MOV.i32 r1, r56\n"
                     "MOV.i32 r2, r56\n"
                     "MOV.i32.wait1 r3, ^r56\n"
                     "ST_CVT.slot2.v4.auto @r0:r1:r2:r3, ^r4, ^r6, offset:0x0\n"
                     "NOP.end \n");
#undef SIDES
}

/* Loads stand after the branch that their readers are after, where registers do not suffice. */
static void
test_sink(void **state)
{
   char text[4096], error[256];
   struct il_error where;
   struct shader_code code;
   int length = snprintf(text, sizeof(text), "%s", before);

   (void)state;
   for (unsigned n = 0; n < 40; n++)
      length += snprintf(text + length, sizeof(text) - (size_t)length, "mov r%u.x, cb0[%u].x\n",
                         n + 1, n + 100);
   for (unsigned n = 0; n < 40; n++)
      length += snprintf(text + length, sizeof(text) - (size_t)length,
                         "if_logicalnz cb0[%u].x\nadd r0.x, r0.x, r%u.x\nendif\n", n, n + 1);
   snprintf(text + length, sizeof(text) - (size_t)length, "%s", after);
   struct il_program *p = il_parse(text, strlen(text), &where);
   if (!p)
      fail_msg("%s", where.text);
   assert_true(valhall_compiler.compile(p, 0, &code, error, sizeof(error)));
   assert_int_equal(code.num_gprs, 32);
   assert_int_equal(code.num_spilled, 0);
   shader_code_finish(&code);
   il_program_free(p);
}

/* One wait for all messages that are sent together. */
static void
test_schedule(void **state)
{
   (void)state;
   CASE("add r1.x, cb1[1].y, l1.x\nadd r1.y, cb1[2].y, l1.z\nadd r0.x, r1.x, r1.y",
        "IADD_IMM.i32 r0, 0x0, #0x10\nIADD_IMM.i32 r2, 0x0, #0x1\n"
        "LD_BUFFER.i64.unsigned.slot0 @r0:r1, ^r0, r2\nIADD_IMM.i32 r3, 0x0, #0x20\n"
        "LD_BUFFER.i64.unsigned.slot0 @r2:r3, ^r3, ^r2\nFADD.f32 r0, ^r1, 0x3F800000\n"
        "FADD_IMM.f32 r1, ^r3, #0x3E99999A\nFADD.f32 r0, ^r0, ^r1\n");
   WHOLE("il_vs_2_0\ndcl_input_generic v0\ndcl_input_generic v1\ndcl_output_usage(position) o0\n"
         "mul_ieee r0.xy, v0, v0\nadd r0.xy, r0, v1\nmov o0.xy, r0\nend\n",
         "LD_ATTR_IMM.v2.auto.slot0 @r0:r1, r60, r61, index:0x0, table:0x1\n"
         "LD_ATTR_IMM.v2.auto.slot0 @r2:r3, ^r60, ^r61, index:0x1, table:0x1\n"
         "LEA_BUF_IMM.slot0.wait0 @r4:r5, ^r59, table:0xD, index:0x0\n"
         "FMA.f32 r0, ^r0, ^r0, 0x0.neg\nFMA.f32 r1, ^r1, ^r1, 0x0.neg\n"
         "FADD.f32 r0, ^r0, ^r2\nFADD.f32 r1, ^r1, ^r3\n"
         "MOV.i32 r2, 0x0\nMOV.i32 r3, 0x3F800000\nSTORE.i128.slot1.end @r0:r1:r2:r3, ^r4, "
         "offset:0\n");
}

/* Two registers of a vector at once, if an instruction can name both words. */
static void
test_lower_ssa(void **state)
{
   (void)state;
   WHOLE("il_ps_2_0\ndcl_cb cb0[1]\ndcl_output_usage(generic) o0\nmov o0, cb0[0]\nend\n",
         "MOV.i32.wait0126 r0, atest_datum.w0\nATEST @r4, ^r60, u3, ^r0\nIADD.u64 r0, u0, 0x0\n"
         "IADD.u64.wait r2, u2, 0x0\n"
         "BLEND.slot2.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, ^r4, target:0x0\n");
   WHOLE("il_ps_2_0\ndcl_literal l0, 1.0, 0.0, 0.0, 1.0\ndcl_output_usage(generic) o0\nmov o0, "
         "l0\nend\n",
         "IADD.u64.wait0126 r0, 0x3F800000, 0x0\n"
         "ATEST @r4, ^r60, 0x3F800000, atest_datum.w0\n"
         "MOV.i32 r2, 0x0\nMOV.i32.wait r3, 0x3F800000\n"
         "BLEND.slot2.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, ^r4, target:0x0\n");
}

/* One load brings what is read of a vector, and its slot is waited on before that alone. */
static void
test_drop_dead(void **state)
{
   (void)state;
   CASE("add r0.x, cb1[2].y, cb1[2].x",
        "IADD_IMM.i32 r0, 0x0, #0x20\nIADD_IMM.i32 r1, 0x0, #0x1\n"
        "LD_BUFFER.i64.unsigned.slot0 @r0:r1, ^r0, ^r1\nFADD.f32 r0, ^r1, ^r0\n");
}

#define PIXEL(kind)                                                \
   "il_ps_2_0\ndcl_input_generic_interp(linear) v32\n"             \
   "dcl_input_generic_interp(linear) v33\ndcl_output_generic o0\n" \
   "dcl_resource_id(1)_type(" kind ")_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"

/* A parameter that a sample alone reads, as it is, needs no message of its own. */
static void
test_sample_parameter(void **state)
{
   (void)state;
   WHOLE(PIXEL("2d") "sample_resource(1)_sampler(1) r0, v33\nmov o0, r0\nend\n",
         "IADD_IMM.i32 r0, 0x0, #0x20011801\n"
         "MOV.i32 r1, 0x0\n"
         "VAR_TEX_BUF_SINGLE.slot0.center_store.f.32.2d.computed.wait0126 @r0:r1:r2:r3, ^r0, ^r1\n"
         "ATEST.wait @r4, ^r60, r3, atest_datum.w0\n"
         "BLEND.slot2.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, ^r4, target:0x0\n");
   WHOLE(PIXEL("3d") "sample_resource(1)_sampler(1) r0, v33\nmov o0, r0\nend\n",
         "IADD_IMM.i32 r0, 0x0, #0x20011801\n"
         "MOV.i32 r1, 0x0\n"
         "VAR_TEX_BUF_SINGLE.slot0.center_store.f.32.3d.computed.wait0126 @r0:r1:r2:r3, ^r0, ^r1\n"
         "ATEST.wait @r4, ^r60, r3, atest_datum.w0\n"
         "BLEND.slot2.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, ^r4, target:0x0\n");
   WHOLE("il_ps_2_0\ndcl_input_generic_interp(noperspective) v32\n"
         "dcl_output_generic o0\n"
         "dcl_resource_id(1)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
         "sample_resource(1)_sampler(1) r0, v32\nmov o0, r0\nend\n",
         "IADD_IMM.i32 r0, 0x0, #0x20011801\n"
         "MOV.i32 r1, 0x1000000\n"
         "VAR_TEX_SINGLE.slot0.center_store.f.32.2d.computed.wait0126 @r0:r1:r2:r3, ^r0, ^r1\n"
         "ATEST.wait @r4, ^r60, r3, atest_datum.w0\n"
         "BLEND.slot2.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, ^r4, target:0x0\n");
   /* Swizzled, or read by others, too. */
   WHOLE(PIXEL("2d") "sample_resource(1)_sampler(1) r0, v33.yxzw\nmov o0, r0\nend\n",
         "LD_VAR_BUF_IMM.f32.slot0.v2.src_f32.center.store @r0:r1, ^r61, index:0x0\n"
         "IADD_IMM.i32 r2, 0x0, #0x20011801\n"
         "MOV.i32.wait0 r3, 0x0\n"
         "MOV.i32 r4, ^r1\n"
         "MOV.i32 r5, ^r0\n"
         "TEX_SINGLE.slot1.f.32.2d.computed.wait0126 @r0:r1:r2:r3, @r4:r5, ^r2\n"
         "ATEST.wait @r4, ^r60, r3, atest_datum.w0\n"
         "BLEND.slot0.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, ^r4, target:0x0\n");
   WHOLE(PIXEL("2d") "sample_resource(1)_sampler(1) r0, v33\nadd o0, r0, v33.x\nend\n",
         "LD_VAR_BUF_IMM.f32.slot0.v2.src_f32.center.store @r4:r5, ^r61, index:0x0\n"
         "IADD_IMM.i32 r0, 0x0, #0x20011801\n"
         "MOV.i32.wait0 r1, 0x0\n"
         "TEX_SINGLE.slot1.f.32.2d.computed.wait1 @r0:r1:r2:r3, @r4:r5, ^r0\n"
         "FADD.f32 r0, ^r0, r4\n"
         "FADD.f32 r1, ^r1, r4\n"
         "FADD.f32 r2, ^r2, r4\n"
         "FADD.f32.wait0126 r3, ^r3, ^r4\n"
         "ATEST.wait @r4, ^r60, r3, atest_datum.w0\n"
         "BLEND.slot1.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, ^r4, target:0x0\n");
}

/* --- one pass --------------------------------------------------------------------------------- */

/* A body of IL, and a line that the compiler's program has after a pass and had not before it.
 * Passes that the program is not printed after are seen in the words. */
static const struct {
   const char *pass, *body, *line;
   unsigned flags;
   bool words; /* the line is one of the words' text */
} cases[] = {
   /* clang-format off */
   { "import", "add r0.x, cb0[0].x_neg(xyzw), cb0[0].y_abs", "FADD.f32 -u0, |u1|" },
   { "fold_compare", "ige r1.x, vTidInGrp.z, cb0[0].x\nand r0.x, l0.y, r1.x", "ICMP_OR.s32.ge.i1 " },
   { "fold", "add_sat r0.x, cb0[0].x, cb0[0].y", "FADD.f32.clamp_0_1 u0, u1" },
   { "fold_parts", "dcl_literal l2, 65535, 0, 0, 0\niand r0.x, vTidInGrp.z, l2.x", "U16_TO_U32 " },
   { "drop_dead", "add r0.x, cb1[2].y, cb1[2].x", "LD_BUFFER.i64.unsigned 0x20, 0x1" },
   { "legalize", "add r0.x, vTidInGrp.z, l1.z", "FADD_IMM.f32 " },
   { "lower_ssa", "mov r0.x, cb0[1].y\nif_logicalnz cb0[0].x\nmov r0.x, cb0[1].x\nendif", "MOV.i32 u5" },
   { "schedule", "add r1.x, cb1[1].y, l1.x\nadd r1.y, cb1[2].y, l1.z\nadd r0.x, r1.x, r1.y", "LD_BUFFER.i64.unsigned.slot0 @r2:r3, ^r3, ^r2\n", .words = true },
   { "find_live", "add r0.x, vTidInGrp.z, l1.z", "LEA_BUFFER.slot0.wait0 @r0:r1, ^r56, ^r0\n", .words = true },
   { "allocate", "add r0.x, vTidInGrp.z, l1.z", "FADD_IMM.f32 r2, r56, #0x3E99999A\n", .words = true },
   { "flow", "mov r0.x, vTidInGrp.z", "STORE.i32.slot1.end @r56", .words = true },
   { "encode", "mov r0.x, vTidInGrp.z", "LEA_BUFFER.slot0.wait0 @r0:r1, r56, ^r0", .words = true },
   /* clang-format on */
};

/* Passes that one line cannot show, and the tests of theirs here. */
#define MORE(X)                                                       \
   X(simplify, test_simplify)                                         \
   X(sample_parameter, test_sample_parameter) /* of pixel programs */ \
   X(merge_sides, test_merge_sides)                                   \
   X(sink, test_sink)                                                 \
   X(split, test_few_registers)                                       \
   X(spill, test_few_registers)

static const char *
section(const char *ir, const char *heading, size_t *length)
{
   const char *at = strstr(ir, heading);
   if (!at)
      return NULL;
   at += strlen(heading);
   const char *end = strstr(at, "; after ");
   *length = end ? (size_t)(end - at) : strlen(at);
   return at;
}

/* Whether the program has the line after a pass; and before it, after the one in front. */
static bool
has_line(const char *ir, const char *pass, const char *line, bool *before)
{
   char heading[40], text[16384];
   size_t length = 0;

   snprintf(heading, sizeof(heading), "; after %s\n", pass);
   const char *at = section(ir, heading, &length);
   if (!at)
      fail_msg("no program after %s", pass);
   snprintf(text, sizeof(text), "%.*s", (int)length, at);
   const bool after_it = strstr(text, line) != NULL;
   snprintf(text, sizeof(text), "%.*s", (int)(at - strlen(heading) - ir), ir);
   const char *last = NULL;
   for (const char *n = text; (n = strstr(n, "; after ")); n++)
      last = n;
   *before = last && strstr(last, line);
   return after_it;
}

static void
test_lines(void **state)
{
   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
      char text[2048], error[256];
      struct il_error where;
      struct shader_code code;
      bool before_it = false, found;

      snprintf(text, sizeof(text), "%sdcl_raw_uav_id(1)\ndcl_raw_uav_id(2)\n%s%s", before,
               cases[n].body, after);
      if (cases[n].words) {
         char *whole = compile_program(text, cases[n].flags);
         found = strstr(whole, cases[n].line) != NULL;
         if (!found)
            print_message("%s", whole);
         free(whole);
      } else {
         struct il_program *p = il_parse(text, strlen(text), &where);
         if (!p)
            fail_msg("%u: %s", where.where, where.text);
         if (!valhall_compiler.compile(p, cases[n].flags | SHADER_COMPILE_PRINT_IR, &code, error,
                                       sizeof(error)))
            fail_msg("%s", error);
         found = has_line(code.ir, cases[n].pass, cases[n].line, &before_it);
         if (!found)
            print_message("%s", code.ir);
         shader_code_finish(&code);
         il_program_free(p);
      }
      if (!found || before_it)
         fail_msg("%s: \"%s\" %s", cases[n].pass, cases[n].line,
                  found ? "stands there before the pass" : "is missing");
   }
}

/* A choice between the same value is none. */
static void
test_simplify(void **state)
{
   (void)state;
   CASE("if_logicalnz cb0[0].x\nmov r0.x, vTidInGrp.z\nelse\nmov r0.x, vTidInGrp.z\nendif", "");
}

/* With few registers, more values than those at once go to thread storage, what is preloaded
 * too. */
static void
test_few_registers(void **state)
{
   char text[4096], error[256];
   struct il_error where;
   struct shader_code code;
   int length = snprintf(text, sizeof(text), "%s", before);

   (void)state;
   for (unsigned n = 0; n < 40; n++)
      length += snprintf(text + length, sizeof(text) - (size_t)length,
                         "mul_ieee r%u.x, vTidInGrp.z, cb0[%u].x\n", n + 1, n);
   for (unsigned n = 0; n < 40; n++)
      length += snprintf(text + length, sizeof(text) - (size_t)length,
                         "mad_ieee r0.x, r0.x, r0.x, r%u.x\n", n + 1);
   snprintf(text + length, sizeof(text) - (size_t)length, "%s", after);
   struct il_program *p = il_parse(text, strlen(text), &where);
   if (!p)
      fail_msg("%s", where.text);
   assert_true(valhall_compiler.compile(p, SHADER_COMPILE_FEW_GPRS | SHADER_COMPILE_PRINT_IR, &code,
                                        error, sizeof(error)));
   assert_true(code.num_spilled > 0);
   assert_non_null(strstr(code.ir, "; after split\n"));
   assert_non_null(strstr(code.ir, "; after spill\n"));
   shader_code_finish(&code);
   il_program_free(p);
}

/* Every row of the compiler's table has a case. */
static void
test_all_passes(void **state)
{
   static const char *const passes[] = {
#define PASS(name, when) #name,
#define STEP(name)       #name,
#include "compiler/valhall/passes.def"
   };
   static const char *const more[] = {
#define X(name, test) #name,
      MORE(X)
#undef X
   };

   (void)state;
   for (unsigned n = 0; n < sizeof(passes) / sizeof(*passes); n++) {
      bool found = false;
      for (unsigned k = 0; k < sizeof(cases) / sizeof(*cases); k++)
         found |= !strcmp(cases[k].pass, passes[n]);
      for (unsigned k = 0; k < sizeof(more) / sizeof(*more); k++)
         found |= !strcmp(more[k], passes[n]);
      if (!found)
         fail_msg("the pass %s has no case", passes[n]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_import),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_all_passes),
      cmocka_unit_test(test_simplify),
      cmocka_unit_test(test_few_registers),
      cmocka_unit_test(test_legalize),
      cmocka_unit_test(test_fold),
      cmocka_unit_test(test_fold_not),
      cmocka_unit_test(test_fold_signs),
      cmocka_unit_test(test_drop_dead),
      cmocka_unit_test(test_waves),
      cmocka_unit_test(test_fold_compare),
      cmocka_unit_test(test_fold_parts),
      cmocka_unit_test(test_known),
      cmocka_unit_test(test_merge_sides),
      cmocka_unit_test(test_sink),
      cmocka_unit_test(test_schedule),
      cmocka_unit_test(test_lower_ssa),
      cmocka_unit_test(test_sample_parameter),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
