/* SPDX-License-Identifier: MIT */
/*
 * A small encoder of x86-64 instructions: of vectors, in VEX forms on ymm registers or EVEX forms
 * on zmm ones (Intel SDM volume 2, 2.3 and 2.7); of mask registers; and the few of general
 * registers that a loop needs.  It knows how to write them down, not what they mean; the code goes
 * to a buffer that grows up to a limit.
 */
#ifndef ATOLL_UOP_X86_H
#define ATOLL_UOP_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct x86 {
   uint8_t *code;
   size_t len, cap, limit;
   bool full; /* out of memory or at the limit: the code is useless */
   bool evex; /* zmm; otherwise ymm */
};

/* General registers, as an instruction names them. */
enum {
   X86_AX = 0,
   X86_CX = 1,
   X86_DX = 2,
   X86_BX = 3,
   X86_SI = 6,
   X86_DI = 7,
   X86_R8 = 8,
   X86_R9 = 9,
   X86_R10 = 10,
   X86_R11 = 11
};

/* An instruction: opcode, map (1: 0F, 2: 0F38, 3: 0F3A), prefix (0: none, 1: 66, 2: F3, 3: F2); of
 * 64-bit lanes. */
#define X86_OP(map, prefix, opcode)   ((map) << 12 | (prefix) << 8 | (opcode))
#define X86_OP64(map, prefix, opcode) (1 << 15 | X86_OP(map, prefix, opcode))
enum {
   X86_MOVUPS_LOAD = X86_OP(1, 0, 0x10),
   X86_MOVAPS_LOAD = X86_OP(1, 0, 0x28),
   X86_MOVAPS_STORE = X86_OP(1, 0, 0x29),
   X86_MOVMSKPS = X86_OP(1, 0, 0x50), /* VEX, to a general register */
   X86_BROADCASTSS = X86_OP(2, 1, 0x18),
   X86_BROADCASTB = X86_OP(2, 1, 0x78),     /* VEX */
   X86_BROADCAST_QUAD = X86_OP(2, 1, 0x1a), /* VEX: of 128 bits; EVEX: the same */
   X86_INSERT_QUAD = X86_OP(3, 1, 0x18),    /* the same */
   X86_PERMILPS = X86_OP(3, 1, 0x04),
   X86_ADDPS = X86_OP(1, 0, 0x58),
   X86_MULPS = X86_OP(1, 0, 0x59),
   X86_SUBPS = X86_OP(1, 0, 0x5c),
   X86_MINPS = X86_OP(1, 0, 0x5d),
   X86_DIVPS = X86_OP(1, 0, 0x5e),
   X86_MAXPS = X86_OP(1, 0, 0x5f),
   X86_SQRTPS = X86_OP(1, 0, 0x51),
   X86_FMADD132PS = X86_OP(2, 1, 0x98), /* first = first * last + second */
   X86_FMADD213PS = X86_OP(2, 1, 0xa8), /* first = second * first + last */
   X86_FMADD231PS = X86_OP(2, 1, 0xb8), /* first = second * last + first */
   X86_FMA_SUBTRACTS = X86_OP(0, 0, 2), /* added to one of these: the sum's operand negated, */
   X86_FMA_NEGATES = X86_OP(0, 0, 4),   /* the product negated */
   X86_ANDPS = X86_OP(1, 0, 0x54),
   X86_ANDNPS = X86_OP(1, 0, 0x55), /* ~first & second */
   X86_ORPS = X86_OP(1, 0, 0x56),
   X86_XORPS = X86_OP(1, 0, 0x57),
   X86_CVTDQ2PS = X86_OP(1, 0, 0x5b),
   X86_CVTTPS2DQ = X86_OP(1, 2, 0x5b),
   X86_CVTTPS2UDQ = X86_OP(1, 0, 0x78), /* EVEX */
   X86_CVTUDQ2PS = X86_OP(1, 3, 0x7a),  /* EVEX */
   X86_ROUNDPS = X86_OP(3, 1, 0x08),    /* EVEX: RNDSCALEPS */
   X86_CMPPS = X86_OP(1, 0, 0xc2),      /* EVEX: to a mask register */
   X86_BLENDVPS = X86_OP(3, 1, 0x4a),   /* VEX */
   X86_BLENDMPS = X86_OP(2, 1, 0x65),   /* EVEX */
   X86_PMOVM2D = X86_OP(2, 2, 0x38),    /* EVEX, from a mask register */
   X86_PCMPD = X86_OP(3, 1, 0x1f),      /* EVEX */
   X86_PCMPUD = X86_OP(3, 1, 0x1e),     /* EVEX */
   X86_PCMPEQD = X86_OP(1, 1, 0x76),    /* VEX */
   X86_PCMPGTD = X86_OP(1, 1, 0x66),    /* VEX */
   X86_PADDD = X86_OP(1, 1, 0xfe),
   X86_PSUBD = X86_OP(1, 1, 0xfa),
   X86_PMULLD = X86_OP(2, 1, 0x40),
   X86_PMINSD = X86_OP(2, 1, 0x39),
   X86_PMAXSD = X86_OP(2, 1, 0x3d),
   X86_PMINUD = X86_OP(2, 1, 0x3b),
   X86_PMAXUD = X86_OP(2, 1, 0x3f),
   X86_PSLLVD = X86_OP(2, 1, 0x47),
   X86_PSRLVD = X86_OP(2, 1, 0x45),
   X86_PSRAVD = X86_OP(2, 1, 0x46),
   X86_SHIFTD_BY = X86_OP(1, 1, 0x72), /* enum x86_shift as the register, to the second */
   X86_MOVSHDUP = X86_OP(1, 2, 0x16),
   X86_PMULUDQ = X86_OP64(1, 1, 0xf4),
   X86_PERMPS = X86_OP(2, 1, 0x16),   /* lanes of the last by numbers in the second */
   X86_CVTPS2PD = X86_OP(1, 0, 0x5a), /* of the lower half of the last */
   X86_UNPCKLPS = X86_OP(1, 0, 0x14),
   X86_UNPCKHPS = X86_OP(1, 0, 0x15),
   X86_SHUFPS = X86_OP(1, 0, 0xc6),
   X86_ADDPD = X86_OP64(1, 1, 0x58),
   X86_MULPD = X86_OP64(1, 1, 0x59),
   X86_DIVPD = X86_OP64(1, 1, 0x5e),
   X86_SQRTPD = X86_OP64(1, 1, 0x51),
   X86_FMADD213PD = X86_OP64(2, 1, 0xa8),
   X86_CMPPD = X86_OP64(1, 1, 0xc2), /* EVEX: to a mask register */
   X86_MOVAPD_LOAD = X86_OP64(1, 1, 0x28),
   X86_BLENDMPD = X86_OP64(2, 1, 0x65), /* EVEX */
   X86_PMOVM2Q = X86_OP64(2, 2, 0x38),  /* EVEX, from a mask register */
};

/* Comparisons of CMPPS, and of PCMPD. */
enum {
   X86_EQ_OQ = 0,
   X86_LT_OQ = 17,
   X86_LE_OQ = 18,
   X86_UNORD_Q = 3,
   X86_NEQ_UQ = 4,
   X86_NLT_UQ = 21
};
enum x86_shift { X86_SHIFT_RIGHT = 2, X86_SHIFT_ARITHMETIC = 4, X86_SHIFT_LEFT = 6 };
enum { X86_INT_EQ = 0, X86_INT_LT = 1, X86_INT_LE = 2, X86_INT_NE = 4 };

/* Instructions of general registers, of 64 bits unless the name says how many.  Those of one
 * operand have a digit in the field of the first. */
#define X86_GENERAL(digit, opcode) ((digit) << 8 | (opcode))
enum {
   X86_64 = 1 << 12,
   X86_16 = 1 << 13,
   X86_MOV_LOAD = X86_64 | X86_GENERAL(0, 0x8b),
   X86_MOV_STORE = X86_64 | X86_GENERAL(0, 0x89),
   X86_MOV16_STORE = X86_16 | X86_GENERAL(0, 0x89),
   X86_MOV8_STORE = X86_GENERAL(0, 0x88),
   X86_CMP = X86_64 | X86_GENERAL(0, 0x3b),
   X86_XOR = X86_64 | X86_GENERAL(0, 0x33),
   X86_TEST = X86_64 | X86_GENERAL(0, 0x85),
   X86_TEST32 = X86_GENERAL(0, 0x85),
   X86_ADD_BYTE = X86_64 | X86_GENERAL(0, 0x83),  /* a byte follows, */
   X86_ADD_DWORD = X86_64 | X86_GENERAL(0, 0x81), /* a dword */
   X86_ROR = X86_64 | X86_GENERAL(1, 0xc1),       /* a byte */
   X86_INC = X86_64 | X86_GENERAL(0, 0xff),
   X86_DEC32 = X86_GENERAL(1, 0xff),
   X86_NOT32 = X86_GENERAL(2, 0xf7),
};

/* Jumps over 32 bits of distance: one byte of opcode, or 0F and another. */
enum x86_jump { X86_JMP = 0xe9, X86_JZ = 0x84, X86_JNZ = 0x85, X86_JBE = 0x86, X86_JA = 0x87 };

/* Instructions of 16-bit mask registers. */
enum x86_mask {
   X86_KANDW = 0x41,
   X86_KANDNW = 0x42, /* ~first & second */
   X86_KORW = 0x45,
   X86_KXORW = 0x47,
};

/* The last operand: a register, or memory, whole or one dword for all lanes (EVEX only). */
struct x86_rm {
   bool mem, splat;
   uint8_t reg; /* or the base: one that needs no SIB byte */
   int32_t disp;
};

static inline void
x86_byte(struct x86 *x, unsigned byte)
{
   if (x->len == x->cap) {
      size_t cap = x->cap ? x->cap * 2 : 4096;
      uint8_t *code = cap <= x->limit ? realloc(x->code, cap) : NULL;
      if (!code) {
         x->full = true;
         x->len = 0; /* go on over what is there, if anything is */
         if (!x->cap)
            return;
      } else {
         x->code = code;
         x->cap = cap;
      }
   }
   x->code[x->len++] = (uint8_t)byte;
}

static inline void
x86_dword(struct x86 *x, uint32_t v)
{
   for (unsigned n = 0; n < 4; n++)
      x86_byte(x, v >> (n * 8) & 255);
}

/* ModRM and displacement; `unit` is what a byte of displacement counts. */
static inline void
x86_modrm(struct x86 *x, unsigned reg, struct x86_rm rm, int32_t unit)
{
   reg = (reg & 7) << 3;
   if (!rm.mem) {
      x86_byte(x, 0xc0 | reg | (rm.reg & 7));
      return;
   }
   int32_t scaled = rm.disp / unit;
   if (rm.disp == 0) {
      x86_byte(x, reg | (rm.reg & 7));
   } else if (rm.disp % unit == 0 && scaled >= -128 && scaled <= 127) {
      x86_byte(x, 0x40 | reg | (rm.reg & 7));
      x86_byte(x, (uint8_t)scaled);
   } else {
      x86_byte(x, 0x80 | reg | (rm.reg & 7));
      x86_dword(x, (uint32_t)rm.disp);
   }
}

/* op reg, second, rm.  `second` is 0 where the instruction has none.  `mask` and `zero` are EVEX's:
 * lanes outside mask register `mask` (0: all lanes) keep what reg has, or become zero. */
static inline void
x86_vec_masked(struct x86 *x, unsigned op, unsigned reg, unsigned second, struct x86_rm rm,
               unsigned mask, bool zero)
{
   const unsigned map = op >> 12 & 7, prefix = op >> 8 & 3, opcode = op & 255, wide = op >> 15 << 7;

   if (x->evex) {
      bool narrow = op == X86_BROADCASTSS, quad = op == X86_BROADCAST_QUAD || op == X86_INSERT_QUAD;
      unsigned high = rm.mem ? 0 : rm.reg >> 4 & 1;
      x86_byte(x, 0x62);
      x86_byte(x, (~reg >> 3 & 1) << 7 | (high ^ 1) << 6 | (~rm.reg >> 3 & 1) << 5 |
                     (~reg >> 4 & 1) << 4 | map);
      x86_byte(x, wide | (~second & 15) << 3 | 4 | prefix);
      x86_byte(x, (unsigned)zero << 7 | 2 << 5 | (unsigned)(rm.mem && rm.splat) << 4 |
                     (~second >> 4 & 1) << 3 | mask);
      x86_byte(x, opcode);
      x86_modrm(x, reg, rm, narrow || rm.splat ? 4 : quad ? 16 : 64);
      return;
   }
   x86_byte(x, 0xc4);
   x86_byte(x, (~reg >> 3 & 1) << 7 | 1 << 6 | (~rm.reg >> 3 & 1) << 5 | map);
   x86_byte(x, wide | (~second & 15) << 3 | 4 | prefix);
   x86_byte(x, opcode);
   x86_modrm(x, reg, rm, 1);
}

static inline void
x86_vec(struct x86 *x, unsigned op, unsigned reg, unsigned second, struct x86_rm rm)
{
   x86_vec_masked(x, op, reg, second, rm, 0, false);
}

/* The same, followed by a byte (rounding, comparison, a fourth register). */
static inline void
x86_vec_imm(struct x86 *x, unsigned op, unsigned reg, unsigned second, struct x86_rm rm,
            unsigned imm)
{
   x86_vec_masked(x, op, reg, second, rm, 0, false);
   x86_byte(x, imm);
}

static inline struct x86_rm
x86_reg(unsigned reg)
{
   return (struct x86_rm){ .reg = (uint8_t)reg };
}

static inline struct x86_rm
x86_mem(unsigned base, int32_t disp)
{
   return (struct x86_rm){ .mem = true, .reg = (uint8_t)base, .disp = disp };
}

/* op reg, rm, or rm, reg for a store.  An instruction of one operand has its digit for `reg`. */
static inline void
x86_general(struct x86 *x, unsigned op, unsigned reg, struct x86_rm rm)
{
   const unsigned wide = op & X86_64 ? 8 : 0, rex = wide | (reg >> 3 & 1) << 2 | rm.reg >> 3;

   if (op & X86_16)
      x86_byte(x, 0x66);
   if (rex)
      x86_byte(x, 0x40 | rex);
   x86_byte(x, op & 255);
   x86_modrm(x, reg, rm, 1);
}

/* op reg, of one operand. */
static inline void
x86_general_1(struct x86 *x, unsigned op, unsigned reg)
{
   x86_general(x, op, op >> 8 & 7, x86_reg(reg));
}

static inline void
x86_add(struct x86 *x, unsigned reg, int32_t value)
{
   if (value >= -128 && value <= 127) {
      x86_general_1(x, X86_ADD_BYTE, reg);
      x86_byte(x, (uint8_t)value);
   } else {
      x86_general_1(x, X86_ADD_DWORD, reg);
      x86_dword(x, (uint32_t)value);
   }
}

static inline void
x86_rotate_right(struct x86 *x, unsigned reg, unsigned bits)
{
   x86_general_1(x, X86_ROR, reg);
   x86_byte(x, bits);
}

/* The low half of one of the first eight; the high half becomes 0. */
static inline void
x86_mov32_value(struct x86 *x, unsigned reg, uint32_t value)
{
   x86_byte(x, 0xb8 | reg);
   x86_dword(x, value);
}

static inline void
x86_push(struct x86 *x, unsigned reg)
{
   x86_byte(x, 0x50 | reg);
}

static inline void
x86_pop(struct x86 *x, unsigned reg)
{
   x86_byte(x, 0x58 | reg);
}

/* The end of a function that has used vectors: vzeroupper, ret. */
static inline void
x86_return(struct x86 *x)
{
   x86_byte(x, 0xc5);
   x86_byte(x, 0xf8);
   x86_byte(x, 0x77);
   x86_byte(x, 0xc3);
}

/* A jump; returns what x86_link() needs to fill in its target. */
static inline size_t
x86_jump(struct x86 *x, enum x86_jump op)
{
   if (op != X86_JMP)
      x86_byte(x, 0x0f);
   x86_byte(x, op);
   x86_dword(x, 0);
   return x->len - 4;
}

/* A VEX form of two bytes; `l` is its vector length bit. */
static inline void
x86_mask_form(struct x86 *x, unsigned opcode, bool l, unsigned reg, unsigned second,
              struct x86_rm rm)
{
   x86_byte(x, 0xc5);
   x86_byte(x, (~reg >> 3 & 1) << 7 | (~second & 15) << 3 | (unsigned)l << 2);
   x86_byte(x, opcode);
   x86_modrm(x, reg, rm, 1);
}

static inline void
x86_mask(struct x86 *x, enum x86_mask op, unsigned dst, unsigned first, unsigned second)
{
   x86_mask_form(x, op, true, dst, first, x86_reg(second));
}

/* kmovw: from a mask register or memory; the base is one of the first eight registers. */
static inline void
x86_mask_load(struct x86 *x, unsigned dst, struct x86_rm from)
{
   x86_mask_form(x, 0x90, false, dst, 0, from);
}

static inline void
x86_mask_store(struct x86 *x, unsigned from, struct x86_rm to)
{
   x86_mask_form(x, 0x91, false, from, 0, to);
}

static inline void
x86_mask_to_general(struct x86 *x, unsigned dst, unsigned from)
{
   x86_mask_form(x, 0x93, false, dst, 0, x86_reg(from));
}

/* vldmxcsr, from memory; the base is one of the first eight registers. */
static inline void
x86_load_mxcsr(struct x86 *x, struct x86_rm from)
{
   x86_mask_form(x, 0xae, false, 2, 0, from);
}

/* kortestw: the zero flag says that both are empty. */
static inline void
x86_mask_test(struct x86 *x, unsigned first, unsigned second)
{
   x86_mask_form(x, 0x98, false, first, 0, x86_reg(second));
}

/* Puts how far `at` (four bytes written earlier) is from `to` in it. */
static inline void
x86_link(struct x86 *x, size_t at, size_t to)
{
   if (x->full)
      return;
   uint32_t v = (uint32_t)(to - (at + 4));
   memcpy(x->code + at, &v, 4);
}

#endif
