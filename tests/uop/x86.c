/* SPDX-License-Identifier: MIT */
/*
 * The x86-64 encoder: bytes beside the text that an assembler turns into them (GNU as, with long
 * displacements where the encoder writes such).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "uop/x86.h"

static struct x86 x;

static void
expect(const char *text, const void *bytes, size_t count)
{
   assert_false(x.full);
   if (x.len != count || memcmp(x.code, bytes, count)) {
      print_error("%s gives", text);
      for (size_t n = 0; n < x.len; n++)
         print_error(" %02x", x.code[n]);
      fail_msg("%s", "");
   }
   x.len = 0;
}
#define CASE(code, text, bytes)                \
   do {                                        \
      code;                                    \
      expect(text, bytes, sizeof(bytes) - 1u); \
   } while (0)

static void
general(void **state)
{
   CASE(x86_general(&x, X86_MOV_LOAD, X86_R10, x86_mem(X86_R9, 24)), "mov r10, [r9 + 24]",
        "\x4d\x8b\x51\x18");
   CASE(x86_general(&x, X86_MOV_STORE, X86_R11, x86_mem(X86_CX, 0x1234)), "mov [rcx + 0x1234], r11",
        "\x4c\x89\x99\x34\x12\x00\x00");
   CASE(x86_general(&x, X86_MOV_STORE, X86_CX, x86_reg(X86_BX)), "mov rbx, rcx", "\x48\x89\xcb");
   CASE(x86_general(&x, X86_MOV16_STORE, X86_R10, x86_reg(X86_R11)), "mov r11w, r10w",
        "\x66\x45\x89\xd3");
   CASE(x86_general(&x, X86_MOV8_STORE, X86_R10, x86_reg(X86_R11)), "mov r11b, r10b",
        "\x45\x88\xd3");
   CASE(x86_general(&x, X86_MOV8_STORE, X86_R10, x86_mem(X86_CX, -200)), "mov [rcx - 200], r10b",
        "\x44\x88\x91\x38\xff\xff\xff");
   CASE(x86_general(&x, X86_CMP, X86_R11, x86_mem(X86_BX, 8)), "cmp r11, [rbx + 8]",
        "\x4c\x3b\x5b\x08");
   CASE(x86_general(&x, X86_XOR, X86_R11, x86_reg(X86_R11)), "xor r11, r11", "\x4d\x33\xdb");
   CASE(x86_general(&x, X86_TEST, X86_R8, x86_reg(X86_R8)), "test r8, r8", "\x4d\x85\xc0");
   CASE(x86_general(&x, X86_TEST32, X86_R10, x86_reg(X86_R10)), "test r10d, r10d", "\x45\x85\xd2");
   CASE(x86_general_1(&x, X86_INC, X86_R11), "inc r11", "\x49\xff\xc3");
   CASE(x86_general_1(&x, X86_DEC32, X86_AX), "dec eax", "\xff\xc8");
   CASE(x86_general_1(&x, X86_NOT32, X86_R10), "not r10d", "\x41\xf7\xd2");
   CASE(x86_add(&x, X86_CX, 127), "add rcx, 127", "\x48\x83\xc1\x7f");
   CASE(x86_add(&x, X86_R9, -128), "add r9, -128", "\x49\x83\xc1\x80");
   CASE(x86_add(&x, X86_DI, 128), "add rdi, 128", "\x48\x81\xc7\x80\x00\x00\x00");
   CASE(x86_rotate_right(&x, X86_R11, 16), "ror r11, 16", "\x49\xc1\xcb\x10");
   CASE(x86_mov32_value(&x, X86_AX, 4), "mov eax, 4", "\xb8\x04\x00\x00\x00");
   CASE(x86_push(&x, X86_BX), "push rbx", "\x53");
   CASE(x86_pop(&x, X86_BX), "pop rbx", "\x5b");
   CASE(x86_return(&x), "vzeroupper; ret", "\xc5\xf8\x77\xc3");
}

static void
jumps(void **state)
{
   size_t at;

   CASE(x86_link(&x, x86_jump(&x, X86_JMP), 0), "jmp to itself", "\xe9\xfb\xff\xff\xff");
   CASE(x86_link(&x, x86_jump(&x, X86_JNZ), 0), "jnz to itself", "\x0f\x85\xfa\xff\xff\xff");
   at = x86_jump(&x, X86_JBE);
   x86_return(&x);
   x86_link(&x, at, x.len);
   expect("jbe over four bytes", "\x0f\x86\x04\x00\x00\x00\xc5\xf8\x77\xc3", 10);
   CASE(x86_jump(&x, X86_JZ), "jz", "\x0f\x84\x00\x00\x00\x00");
   CASE(x86_jump(&x, X86_JA), "ja", "\x0f\x87\x00\x00\x00\x00");
}

static void
masks(void **state)
{
   CASE(x86_mask(&x, X86_KANDW, 6, 6, 1), "kandw k6, k6, k1", "\xc5\xcc\x41\xf1");
   CASE(x86_mask(&x, X86_KANDNW, 3, 7, 3), "kandnw k3, k7, k3", "\xc5\xc4\x42\xdb");
   CASE(x86_mask(&x, X86_KORW, 4, 4, 1), "korw k4, k4, k1", "\xc5\xdc\x45\xe1");
   CASE(x86_mask(&x, X86_KXORW, 3, 3, 3), "kxorw k3, k3, k3", "\xc5\xe4\x47\xdb");
   CASE(x86_mask_load(&x, 3, x86_reg(6)), "kmovw k3, k6", "\xc5\xf8\x90\xde");
   CASE(x86_mask_load(&x, 7, x86_mem(X86_CX, 2)), "kmovw k7, [rcx + 2]", "\xc5\xf8\x90\x79\x02");
   CASE(x86_mask_store(&x, 3, x86_mem(X86_BX, 0x400)), "kmovw [rbx + 0x400], k3",
        "\xc5\xf8\x91\x9b\x00\x04\x00\x00");
   CASE(x86_mask_to_general(&x, X86_R10, 2), "kmovw r10d, k2", "\xc5\x78\x93\xd2");
   CASE(x86_mask_test(&x, 6, 7), "kortestw k6, k7", "\xc5\xf8\x98\xf7");
}

static void
vectors(void **state)
{
   CASE(x86_vec(&x, X86_ADDPS, 1, 2, x86_reg(3)), "vaddps ymm1, ymm2, ymm3",
        "\xc4\xe1\x6c\x58\xcb");
   CASE(x86_vec(&x, X86_MOVAPS_LOAD, 9, 0, x86_mem(X86_DI, -64)), "vmovaps ymm9, [rdi - 64]",
        "\xc4\x61\x7c\x28\x4f\xc0");
   CASE(x86_vec_imm(&x, X86_CMPPS, 1, 2, x86_reg(11), X86_NEQ_UQ), "vcmpneqps ymm1, ymm2, ymm11",
        "\xc4\xc1\x6c\xc2\xcb\x04");
   CASE(x86_vec_imm(&x, X86_SHIFTD_BY, X86_SHIFT_LEFT, 2, x86_reg(12), 19),
        "vpslld ymm2, ymm12, 19", "\xc4\xc1\x6d\x72\xf4\x13");
   CASE(x86_vec(&x, X86_UNPCKHPS, 1, 2, x86_reg(9)), "vunpckhps ymm1, ymm2, ymm9",
        "\xc4\xc1\x6c\x15\xc9");
   CASE(x86_vec(&x, X86_FMADD213PD, 1, 2, x86_reg(3)), "vfmadd213pd ymm1, ymm2, ymm3",
        "\xc4\xe2\xed\xa8\xcb");
   CASE(x86_load_mxcsr(&x, x86_mem(X86_BX, 64)), "vldmxcsr [rbx + 64]", "\xc5\xf8\xae\x53\x40");
   CASE(x86_load_mxcsr(&x, x86_mem(X86_BX, 320)), "vldmxcsr [rbx + 320]",
        "\xc5\xf8\xae\x93\x40\x01\x00\x00");
   x.evex = true;
   CASE(x86_vec_imm(&x, X86_SHUFPS, 1, 18, x86_reg(3), 0xdd), "vshufps zmm1, zmm18, zmm3, 0xdd",
        "\x62\xf1\x6c\x40\xc6\xcb\xdd");
   CASE(x86_vec_imm(&x, X86_SHIFTD_BY, X86_SHIFT_ARITHMETIC, 20, x86_reg(9), 31),
        "vpsrad zmm20, zmm9, 31", "\x62\xd1\x5d\x40\x72\xe1\x1f");
   CASE(x86_vec(&x, X86_ADDPD, 4, 5, x86_reg(22)), "vaddpd zmm4, zmm5, zmm22",
        "\x62\xb1\xd5\x48\x58\xe6");
   CASE(x86_vec(&x, X86_SQRTPD, 1, 0, x86_reg(30)), "vsqrtpd zmm1, zmm30",
        "\x62\x91\xfd\x48\x51\xce");
   CASE(x86_vec_imm(&x, X86_CMPPD, 1, 3, x86_reg(4), 30), "vcmpgt_oqpd k1, zmm3, zmm4",
        "\x62\xf1\xe5\x48\xc2\xcc\x1e");
   CASE(x86_vec_masked(&x, X86_MOVAPD_LOAD, 7, 0, x86_mem(X86_DX, 64), 5, false),
        "vmovapd zmm7 {k5}, [rdx + 64]", "\x62\xf1\xfd\x4d\x28\x7a\x01");
   CASE(x86_vec_masked(&x, X86_BLENDMPD, 2, 3, x86_reg(4), 1, false),
        "vblendmpd zmm2 {k1}, zmm3, zmm4", "\x62\xf2\xe5\x49\x65\xd4");
   CASE(x86_vec(&x, X86_PMOVM2Q, 9, 0, x86_reg(1)), "vpmovm2q zmm9, k1",
        "\x62\x72\xfe\x48\x38\xc9");
   CASE(x86_vec(&x, X86_ADDPS, 17, 2, x86_reg(30)), "vaddps zmm17, zmm2, zmm30",
        "\x62\x81\x6c\x48\x58\xce");
   CASE(x86_vec_masked(&x, X86_MOVAPS_LOAD, 1, 0, x86_mem(X86_DX, 128), 3, true),
        "vmovaps zmm1{k3}{z}, [rdx + 128]", "\x62\xf1\x7c\xcb\x28\x4a\x02");
   x.evex = false;
}

/* Beyond its limit the encoder says so, and writes nowhere else. */
static void
full(void **state)
{
   struct x86 small = { .limit = 4096 };

   for (unsigned n = 0; n < 5000; n++)
      x86_push(&small, X86_AX);
   assert_true(small.full);
   assert_int_equal(small.cap, 4096);
   free(small.code);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(general), cmocka_unit_test(jumps), cmocka_unit_test(masks),
      cmocka_unit_test(vectors), cmocka_unit_test(full),
   };
   int result;

   x.limit = 4096;
   result = cmocka_run_group_tests_name("x86", tests, NULL, NULL);
   free(x.code);
   return result;
}
