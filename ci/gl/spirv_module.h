/* SPDX-License-Identifier: MIT */
/*
 * A good SPIR-V module, instruction by instruction: a compute program with a block, a constant to
 * specialise, a call, a branch, a loop and an extended instruction.  What programs damage.
 */
#pragma once

#include <stdint.h>

#define HEADER 5
#define MAGIC  0x07230203u

/* An instruction: its opcode and its operands. */
#define LENGTH(...)   (sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))
#define OP(code, ...) (uint32_t)(LENGTH(0, __VA_ARGS__) << 16 | (code)), __VA_ARGS__
#define OP0(code)     (uint32_t)(1 << 16 | (code))
#define TEXT(a, b, c, d) \
   ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum {
   GLSL = 1,
   MAIN,
   ID,
   VOID,
   FUNCTION_VOID,
   UINT,
   UVEC3,
   POINTER_IN_UVEC3,
   POINTER_IN_UINT,
   ARRAY,
   BLOCK,
   POINTER_BLOCK,
   BUFFER,
   POINTER_UINT,
   ZERO,
   ONE,
   FOUR,
   TEN,
   SPECIAL,
   BOOL,
   FUNCTION_UINT,
   TWICE,
   PARAMETER,
   TWICE_BODY,
   DOUBLED,
   BODY,
   AT,
   INDEX,
   LOOP,
   COUNTER,
   NEXT,
   SUM,
   NEXT_SUM,
   TEST,
   AGAIN,
   CONTINUE,
   AFTER,
   CALLED,
   LARGER,
   BIG,
   THEN,
   JOIN,
   CHOSEN,
   ELEMENT,
   LOOP_BODY,
   BOUND,
};

/* result[i] = i < 4 ? max(2 * sum, 10) : i, where sum is 0 + 1 + ... of SPECIAL terms. */
static const uint32_t good[] = {
   MAGIC,
   0x00010000,
   0,
   BOUND,
   0,
   OP(17, 1), /* Capability Shader */
   OP(11, GLSL, TEXT('G', 'L', 'S', 'L'), TEXT('.', 's', 't', 'd'), TEXT('.', '4', '5', '0'), 0),
   OP(14, 0, 1),                                     /* MemoryModel Logical GLSL450 */
   OP(15, 5, MAIN, TEXT('m', 'a', 'i', 'n'), 0, ID), /* EntryPoint GLCompute */
   OP(16, MAIN, 17, 1, 1, 1),                        /* LocalSize */
   OP(71, ID, 11, 28),                               /* BuiltIn GlobalInvocationId */
   OP(71, SPECIAL, 1, 7),                            /* SpecId 7 */
   OP(71, ARRAY, 6, 4),                              /* ArrayStride 4 */
   OP(72, BLOCK, 0, 35, 0),                          /* Offset 0 */
   OP(71, BLOCK, 3),                                 /* BufferBlock */
   OP(71, BUFFER, 34, 0),                            /* DescriptorSet 0 */
   OP(71, BUFFER, 33, 0),                            /* Binding 0 */
   OP(19, VOID),
   OP(33, FUNCTION_VOID, VOID),
   OP(21, UINT, 32, 0),
   OP(20, BOOL),
   OP(23, UVEC3, UINT, 3),
   OP(32, POINTER_IN_UVEC3, 1, UVEC3), /* Input */
   OP(32, POINTER_IN_UINT, 1, UINT),
   OP(59, POINTER_IN_UVEC3, ID, 1), /* Variable */
   OP(29, ARRAY, UINT),             /* TypeRuntimeArray */
   OP(30, BLOCK, ARRAY),
   OP(32, POINTER_BLOCK, 2, BLOCK), /* Uniform */
   OP(59, POINTER_BLOCK, BUFFER, 2),
   OP(32, POINTER_UINT, 2, UINT),
   OP(43, UINT, ZERO, 0), /* Constant */
   OP(43, UINT, ONE, 1),
   OP(43, UINT, FOUR, 4),
   OP(43, UINT, TEN, 10),
   OP(50, UINT, SPECIAL, 3), /* SpecConstant */
   OP(33, FUNCTION_UINT, UINT, UINT),
   OP(54, UINT, TWICE, 0, FUNCTION_UINT), /* Function */
   OP(55, UINT, PARAMETER),
   OP(248, TWICE_BODY),                          /* Label */
   OP(128, UINT, DOUBLED, PARAMETER, PARAMETER), /* IAdd */
   OP(254, DOUBLED),                             /* ReturnValue */
   OP0(56),                                      /* FunctionEnd */
   OP(54, VOID, MAIN, 0, FUNCTION_VOID),
   OP(248, BODY),
   OP(65, POINTER_IN_UINT, AT, ID, ZERO), /* AccessChain */
   OP(61, UINT, INDEX, AT),               /* Load */
   OP(249, LOOP),                         /* Branch */
   OP(248, LOOP),
   OP(245, UINT, COUNTER, ZERO, BODY, NEXT, CONTINUE), /* Phi */
   OP(245, UINT, SUM, ZERO, BODY, NEXT_SUM, CONTINUE),
   OP(246, AFTER, CONTINUE, 0), /* LoopMerge */
   OP(249, TEST),
   OP(248, TEST),
   OP(176, BOOL, AGAIN, COUNTER, SPECIAL), /* ULessThan */
   OP(250, AGAIN, LOOP_BODY, AFTER),       /* BranchConditional */
   OP(248, LOOP_BODY),
   OP(249, CONTINUE),
   OP(248, CONTINUE),
   OP(128, UINT, NEXT_SUM, SUM, COUNTER),
   OP(128, UINT, NEXT, COUNTER, ONE),
   OP(249, LOOP),
   OP(248, AFTER),
   OP(57, UINT, CALLED, TWICE, SUM),            /* FunctionCall */
   OP(12, UINT, LARGER, GLSL, 41, CALLED, TEN), /* ExtInst UMax */
   OP(176, BOOL, BIG, INDEX, FOUR),
   OP(247, JOIN, 0), /* SelectionMerge */
   OP(250, BIG, THEN, JOIN),
   OP(248, THEN),
   OP(249, JOIN),
   OP(248, JOIN),
   OP(245, UINT, CHOSEN, LARGER, THEN, INDEX, AFTER),
   OP(65, POINTER_UINT, ELEMENT, BUFFER, ZERO, INDEX),
   OP(62, ELEMENT, CHOSEN), /* Store */
   OP0(253),                /* Return */
   OP0(56),
};
