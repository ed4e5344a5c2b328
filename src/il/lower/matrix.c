/* SPDX-License-Identifier: MIT */
/* Matrix operations (7.19) as dot products and moves; a matrix is the registers from its first row
 * on. */
#include "formula.h"

static struct il_src
row_of(struct il_src src, unsigned row)
{
   const struct il_reg_info *info = il_reg_info(src.r.type);

   src.r.has_imm |= info->form == IL_FORM_ARRAY || info->form == IL_FORM_MEM;
   if (src.r.has_imm)
      src.r.imm += row;
   else
      src.r.num += row;
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

/* The vector times each row. */
void
formula_multiply_matrix(struct formula *f)
{
   static const uint8_t rows[8] = { 4, 3, 4, 3, 2 };
   const unsigned shape = il_matrix(f->inst);
   const bool four = shape == IL_MATRIX_4X4 || shape == IL_MATRIX_4X3;
   const struct il_src vector = f->inst->src[0], matrix = f->inst->src[1];
   struct il_lower *l = f->l;
   uint32_t t = l->next_temp++;
   struct il_src product = il_src(IL_REGTYPE_TEMP, t);

   for (unsigned i = 0; i < rows[shape]; i++) {
      lower_op(l, four ? IL_OP_DP4 : IL_OP_DP3, 1, t, 1u << i, 2, vector, row_of(matrix, i),
               vector);
   }
   lower_emit(l, IL_OP_MOV, 0, &f->dst, 1, &product);
}

void
formula_transpose(struct formula *f)
{
   struct il_lower *l = f->l;
   uint32_t t = l->next_temp;

   l->next_temp += 4;
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned k = 0; k < 4; k++) {
         struct il_src e = element(f->inst->src[0], k, i);
         lower_op(l, IL_OP_MOV, 0, t + i, 1u << k, 1, e, e, e);
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      struct il_src row = il_src(IL_REGTYPE_TEMP, t + i);
      struct il_dst to = f->dst;
      to.r.num += i;
      lower_emit(l, IL_OP_MOV, 0, &to, 1, &row);
   }
}

/* a * b - c * d of the last two rows, from columns j and k */
static struct il_src
minor_of(struct formula *f, struct il_src matrix, unsigned j, unsigned k)
{
   struct il_src t = MUL_IEEE(f, element(matrix, 2, k), element(matrix, 3, j));
   return MAD_IEEE(f, element(matrix, 2, j), element(matrix, 3, k), il_negate(t));
}

/* Cofactors along the first row, theirs along the second; minors of the last two. */
void
formula_determinant(struct formula *f)
{
   static const uint8_t column[4][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };
   const struct il_src matrix = f->inst->src[0];
   struct il_src minor[3][4], sum = { 0 };

   formula_scalars(f);
   for (unsigned j = 0; j < 3; j++)
      for (unsigned k = j + 1; k < 4; k++)
         minor[j][k] = minor_of(f, matrix, j, k);
   for (unsigned i = 0; i < 4; i++) {
      const uint8_t *at = column[i];
      struct il_src part = MUL_IEEE(f, element(matrix, 1, at[0]), minor[at[1]][at[2]]);
      part = MAD_IEEE(f, il_negate(element(matrix, 1, at[1])), minor[at[0]][at[2]], part);
      part = MAD_IEEE(f, element(matrix, 1, at[2]), minor[at[0]][at[1]], part);
      struct il_src first = element(matrix, 0, i);
      sum = i == 0 ? MUL_IEEE(f, first, part)
                   : MAD_IEEE(f, i & 1 ? il_negate(first) : first, part, sum);
   }
   formula_result(f, sum);
}
