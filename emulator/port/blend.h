/* SPDX-License-Identifier: MIT */
/*
 * Blending, as lists: a row for each factor, operation and rule.  All else that knows them is made
 * from these: the enumerations, what a draw reads, the arithmetic, the loops and their names.
 */
#ifndef ATOLL_PORT_BLEND_H
#define ATOLL_PORT_BLEND_H

#include <stdbool.h>

/* What a factor reads besides the source. */
enum blend_reads {
   BLEND_READS_NONE,
   BLEND_READS_DST,
   BLEND_READS_SRC1,
};

/* clang-format off */

/* F(name, what it reads, value of component n): kernels take the value as it is written here, a
 * vector of pixels at a time, of the colours `c`; see cb/blend.h. */
#define BLEND_FACTORS(F)                                                                           \
   F(ZERO,                     NONE, zero)                                                         \
   F(ONE,                      NONE, one)                                                          \
   F(SRC_COLOR,                NONE, c->src[n])                                                    \
   F(ONE_MINUS_SRC_COLOR,      NONE, one - c->src[n])                                              \
   F(DST_COLOR,                DST,  c->dst[n])                                                    \
   F(ONE_MINUS_DST_COLOR,      DST,  one - c->dst[n])                                              \
   F(SRC_ALPHA,                NONE, c->src[3])                                                    \
   F(ONE_MINUS_SRC_ALPHA,      NONE, one - c->src[3])                                              \
   F(DST_ALPHA,                DST,  c->dst[3])                                                    \
   F(ONE_MINUS_DST_ALPHA,      DST,  one - c->dst[3])                                              \
   F(CONSTANT_COLOR,           NONE, vf_splat(c->constant[n]))                                     \
   F(ONE_MINUS_CONSTANT_COLOR, NONE, one - vf_splat(c->constant[n]))                               \
   F(CONSTANT_ALPHA,           NONE, vf_splat(c->constant[3]))                                     \
   F(ONE_MINUS_CONSTANT_ALPHA, NONE, one - vf_splat(c->constant[3]))                               \
   F(SRC_ALPHA_SATURATE,       DST,  n == 3 ? one : vf_min_second(c->src[3], one - c->dst[3]))     \
   F(SRC1_COLOR,               SRC1, c->src1[n])                                                   \
   F(ONE_MINUS_SRC1_COLOR,     SRC1, one - c->src1[n])                                             \
   F(SRC1_ALPHA,               SRC1, c->src1[3])                                                   \
   F(ONE_MINUS_SRC1_ALPHA,     SRC1, one - c->src1[3])

/* O(name, whether of terms, value): of the source's and the destination's term, which are colours
 * times factors, or of the colours themselves.  A destination with a factor of zero adds nothing: a
 * negative zero stays one. */
#define BLEND_OPS(O)                                                                               \
   O(ADD,              true,  dst_factor == FACTOR_ZERO ? s : s + d)                               \
   O(SUBTRACT,         true,  s - d)                                                               \
   O(REVERSE_SUBTRACT, true,  d - s)                                                               \
   O(MIN,              false, vf_min_second(s, d))                                                 \
   O(MAX,              false, vf_max_second(s, d))

/* R(name, source and destination factor of colour, then of alpha, operation of both): what most
 * draws ask for.  Each has loops of its own; what is not listed goes by loops for any.  Factors of
 * an operation that takes none count for nothing. */
#define BLENDING_RULES(R)                                                                          \
   R(OVER,               SRC_ALPHA, ONE_MINUS_SRC_ALPHA, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD)      \
   R(OVER_WITH_ALPHA,    SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ONE,       ONE_MINUS_SRC_ALPHA, ADD)      \
   R(OVER_KEEP_ALPHA,    SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ZERO,      ONE,                 ADD)      \
   R(OVER_PREMULTIPLIED, ONE,       ONE_MINUS_SRC_ALPHA, ONE,       ONE_MINUS_SRC_ALPHA, ADD)      \
   R(SUM,                ONE,       ONE,                 ONE,       ONE,                 ADD)      \
   R(WEIGHTED_SUM,       SRC_ALPHA, ONE,                 SRC_ALPHA, ONE,                 ADD)      \
   R(PRODUCT,            DST_COLOR, ZERO,                DST_COLOR, ZERO,                ADD)      \
   R(DOUBLE_PRODUCT,     DST_COLOR, SRC_COLOR,           DST_COLOR, SRC_COLOR,           ADD)      \
   R(MIN,                ONE,       ONE,                 ONE,       ONE,                 MIN)      \
   R(MAX,                ONE,       ONE,                 ONE,       ONE,                 MAX)
#define BLEND_RULES(R) R(COPY, ONE, ZERO, ONE, ZERO, ADD) BLENDING_RULES(R)

#define FACTOR(name, reads, value) FACTOR_##name,
#define OP(name, terms, value) BLEND_OP_##name,
#define RULE(name, ...) RULE_##name,
/* clang-format on */

enum blend_factor {
   BLEND_FACTORS(FACTOR) FACTORS,
};

enum blend_op {
   BLEND_OPS(OP) BLEND_OPS_COUNT,
};

enum blend_rule {
   BLEND_RULES(RULE) RULE_ANY,
};
#undef FACTOR
#undef OP
#undef RULE

/* Whether an operation is one of terms. */
static inline bool
blend_of_terms(unsigned op)
{
   switch (op) {
#define OP(name, of_terms, value) \
   case BLEND_OP_##name:          \
      return of_terms;
      BLEND_OPS(OP)
#undef OP
   default:
      return true;
   }
}

#endif
