/* SPDX-License-Identifier: MIT */
/*
 * The patterns of machine code that column `native` of uops.def names; native_op.c emits them.
 */
#ifndef ATOLL_UOP_NATIVE_FORM_H
#define ATOLL_UOP_NATIVE_FORM_H

enum native_form {
   FORM_NONE, /* interpreted */
   FORM_MOV,
   FORM_COMMUTES, /* float, operands in any order */
   FORM_MUL,      /* 0 * anything = 0 */
   FORM_MULADD,
   FORM_MULADD_IEEE,
   FORM_MAX,  /* code: MAXPS or MINPS, then AND or OR for equal ones; imm: 1 for DX10 */
   FORM_SET,  /* imm: comparison; 1.0 or 0 */
   FORM_TEST, /* the same, ~0 or 0 */
   FORM_FRACT,
   FORM_ROUND, /* imm: how */
   FORM_RECIPROCAL,
   FORM_RSQ,
   FORM_SQRT,
   FORM_EXP2,
   FORM_LOG2,
   FORM_SIN, /* of revolutions; imm: 1: the cosine */
   FORM_TO_INT,
   FORM_FROM_INT,
   FORM_TO_UINT,
   FORM_FROM_UINT,
   FORM_INT,       /* two operands, first and second as they are */
   FORM_INT_SHIFT, /* counts of five bits */
   FORM_NOT,
   FORM_INT_TEST, /* imm: enum int_test */
   FORM_SELECT,   /* float comparison with zero */
   FORM_INT_SELECT,
   FORM_DOT4,
   FORM_DOT4_IEEE,
   FORM_FMA,
   FORM_FRC,                /* a - floor(a), which may be 1 */
   FORM_ORDERED,            /* two floats, first and second as they are */
   FORM_ROOT_OF_RECIPROCAL, /* sqrt(1 / |a|) */
   FORM_BFI,
   FORM_BFE, /* imm: 1: signed */
   FORM_BFM,
   FORM_CARRY,  /* of a sum */
   FORM_BORROW, /* of a difference */
   FORM_MULHI,  /* the high dword of a product; imm: 1: signed */
   FORM_MUL24,  /* a product of the low 24 bits; imm: 1: and a sum */
   FORM_ALIGN,  /* 32 bits of two dwords */
   FORM_COPY,   /* bits as they are */
   FORM_INTERP,
   FORM_INTERP_LOAD,
   FORM_PRED, /* imm as for FORM_SET, FORM_INT_TEST */
   FORM_INT_PRED,
   FORM_KILL,
   FORM_INT_KILL,
   /* Doubles: */
   FORM_F64,     /* two operands */
   FORM_TEST_64, /* imm: comparison; ~0 or 0 */
   FORM_SELECT_64,
   FORM_FMA_64,
   FORM_RECIPROCAL_64,
   FORM_RSQ_64,
   FORM_SQRT_64,
   FORM_WIDEN_64, /* the float that is the high dword */
};

#endif
