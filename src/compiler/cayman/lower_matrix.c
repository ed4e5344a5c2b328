/* SPDX-License-Identifier: MIT */
/* Lowering of matrix operations (7.19) to dot products and moves; a matrix is the registers from
 * its first row on. */
#include "lower.h"

static struct il_src
row_of(struct il_src src, unsigned row)
{
   if (src.r.has_imm) {
      src.r.imm += row;
   } else {
      src.r.num += row;
   }
   return src;
}

static struct il_src
element(struct il_src matrix, unsigned row, unsigned column)
{
   struct il_src r = row_of(matrix, row);
   unsigned sel = il_src_swz(&r, column);
   bool negative = il_src_neg(&r, column);

   r = il_swizzle(r, sel, sel, sel, sel);
   r.neg = negative ? 15 : 0;
   return r;
}

static void
store(struct lowerer *l, struct il_dst dst, struct il_src src)
{
   lower_emit(l, IL_OP_MOV, 0, &dst, 1, &src);
}

void
lower_multiply(struct lowerer *l, struct il_dst dst, struct il_src vector, struct il_src matrix,
               unsigned shape)
{
   static const uint8_t rows[8] = { 4, 3, 4, 3, 2 };
   bool four = shape == IL_MATRIX_4X4 || shape == IL_MATRIX_4X3;
   uint32_t t = l->next_temp++;

   for (unsigned i = 0; i < rows[shape & 7]; i++) {
      lower_op(l, four ? IL_OP_DP4 : IL_OP_DP3, 1, t, 1u << i, 2, vector, row_of(matrix, i),
               vector);
   }
   store(l, dst, il_src(IL_REGTYPE_TEMP, t));
}

void
lower_transpose(struct lowerer *l, struct il_dst dst, struct il_src matrix)
{
   uint32_t t = l->next_temp;

   l->next_temp += 4;
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned k = 0; k < 4; k++) {
         struct il_src e = element(matrix, k, i);
         lower_op(l, IL_OP_MOV, 0, t + i, 1u << k, 1, e, e, e);
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      struct il_dst to = dst;
      to.r.num += i;
      store(l, to, il_src(IL_REGTYPE_TEMP, t + i));
   }
}

/* to.comp = a * b - c * d */
static void
minor_of(struct lowerer *l, uint32_t to, unsigned comp, struct il_src matrix, unsigned j,
         unsigned k)
{
   uint32_t t = l->next_temp++;
   struct il_src any = lower_temp(t, 0);

   lower_op(l, IL_OP_MUL, 1, t, 1, 2, element(matrix, 2, k), element(matrix, 3, j), any);
   lower_op(l, IL_OP_MAD, 1, to, 1u << comp, 3, element(matrix, 2, j), element(matrix, 3, k),
            il_negate(lower_temp(t, 0)));
}

/* Cofactors along the first row, theirs along the second; minors of the last two. */
void
lower_determinant(struct lowerer *l, struct il_dst dst, struct il_src matrix)
{
   static const uint8_t column[4][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };
   uint32_t m = l->next_temp, cofactor = m + 4, sum = m + 5;

   /* The minor of columns j < k is in component k of register m + j. */
   l->next_temp += 6;
   for (unsigned j = 0; j < 3; j++) {
      for (unsigned k = j + 1; k < 4; k++) {
         minor_of(l, m + j, k, matrix, j, k);
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      const uint8_t *at = column[i];
      struct il_src part = lower_temp(cofactor, i), total = lower_temp(sum, 0);
      lower_op(l, IL_OP_MUL, 1, cofactor, 1u << i, 2, element(matrix, 1, at[0]),
               lower_temp(m + at[1], at[2]), part);
      lower_op(l, IL_OP_MAD, 1, cofactor, 1u << i, 3, il_negate(element(matrix, 1, at[1])),
               lower_temp(m + at[0], at[2]), part);
      lower_op(l, IL_OP_MAD, 1, cofactor, 1u << i, 3, element(matrix, 1, at[2]),
               lower_temp(m + at[0], at[1]), part);
      struct il_src first = element(matrix, 0, i);
      if (i == 0) {
         lower_op(l, IL_OP_MUL, 1, sum, 1, 2, first, part, part);
      } else {
         lower_op(l, IL_OP_MAD, 1, sum, 1, 3, i & 1 ? il_negate(first) : first, part, total);
      }
   }
   store(l, dst, lower_temp(sum, 0));
}
