/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic over the components of vectors and the rows of matrices (7.11): dot products, cross
 * product, lengths, reflection, matrices in consecutive registers.  Where text and formula of a
 * page disagree: len and dist are of three components (the text), reflect and faceforward of four.
 */
#include "direct/lift.h"

/* ((x + y) + z) + w; components that are left out are products of zeros, negative ones by the IEEE
 * rules, so that they do not change the sign of a sum of zero. */
static struct uop_operand
dot(struct direct *d, const struct uop_operand *a, const struct uop_operand *b, unsigned n,
    bool ieee)
{
   uint32_t to = direct_temp(d);
   struct uop_operand zero = direct_literal(d, 0);
   struct uop_operand other = ieee ? direct_literal(d, 0x80000000) : zero;
   struct uop *u = uop_add(&d->b, ieee ? UOP_DOT4_IEEE : UOP_DOT4);

   for (unsigned c = 0; c < 4; c++) {
      u[c].src[0] = c < n ? a[c] : zero;
      u[c].src[1] = c < n ? b[c] : other;
   }
   u->dst = to;
   u->p.group.writes = 1;
   return direct_at(to);
}

static void
sources(struct direct *d, const struct il_src *src, unsigned n, struct uop_operand v[4])
{
   for (unsigned c = 0; c < n; c++) {
      v[c] = direct_src(d, src, c);
   }
}

static struct uop_operand
dot_sources(struct direct *d, const struct il_inst *inst, unsigned n)
{
   struct uop_operand a[4], b[4];
   sources(d, &inst->src[0], n, a);
   sources(d, &inst->src[1], n, b);
   return dot(d, a, b, n, il_ieee(inst));
}

static void
cross(struct direct *d, const struct il_inst *inst, struct uop_operand r[4])
{
   struct uop_operand a[4], b[4];
   sources(d, &inst->src[0], 3, a);
   sources(d, &inst->src[1], 3, b);
   for (unsigned c = 0; c < 3; c++) {
      unsigned p = (c + 1) % 3, q = (c + 2) % 3;
      r[c] = DOP3(MULADD_IEEE, a[p], b[q], uop_neg(DOP2(MUL_IEEE, a[q], b[p])));
   }
   r[3] = direct_literal(d, 0);
}

static struct uop_operand
root(struct direct *d, const struct uop_operand *v, unsigned n)
{
   return DOP1(SQRT_IEEE, dot(d, v, v, n, true));
}

static void
normalize(struct direct *d, const struct il_inst *inst, struct uop_operand r[4])
{
   struct uop_operand v[4], sum, f;
   sources(d, &inst->src[0], 4, v);
   sum = dot(d, v, v, inst->ctl & 4 ? 4 : 3, true);
   switch (inst->ctl & 3) {
   case IL_ZEROOP_FLTMAX:
      f = DOP1(RECIPSQRT_CLAMPED, sum);
      break;
   case IL_ZEROOP_0:
      f = DOP1(RECIPSQRT_FF, sum);
      break;
   default:
      f = DOP1(RECIPSQRT_IEEE, sum);
      break;
   }
   for (unsigned c = 0; c < 4; c++) {
      r[c] = DOP2(MUL_IEEE, v[c], f);
   }
}

static void
reflect(struct direct *d, const struct il_inst *inst, struct uop_operand r[4])
{
   struct uop_operand a[4], b[4];
   sources(d, &inst->src[0], 4, a);
   sources(d, &inst->src[1], 4, b);
   struct uop_operand twice = DOP2(MUL_IEEE, dot(d, a, b, 4, true), direct_literal(d, 0x40000000));
   struct uop_operand length = a[0];
   if (inst->ctl & 1) {
      length = dot(d, b, b, 4, true);
   }
   for (unsigned c = 0; c < 4; c++) {
      struct uop_operand v = inst->ctl & 1 ? DOP2(MUL_IEEE, length, a[c]) : a[c];
      r[c] = DOP3(MULADD_IEEE, uop_neg(twice), b[c], v);
   }
}

/* Row n of a matrix that starts at a source. */
static void
row(struct direct *d, const struct il_src *src, unsigned n, struct uop_operand v[4])
{
   struct il_src at = *src;
   if (at.r.type == IL_REGTYPE_CONST_BUFF || at.r.type == IL_REGTYPE_ITEMP) {
      at.r.imm += n;
   } else {
      at.r.num += n;
   }
   sources(d, &at, 4, v);
}

/* The row whose registers the first source names, times the rows of the matrix. */
static void
multiply_matrix(struct direct *d, const struct il_inst *inst, struct uop_operand r[4])
{
   static const uint8_t length[5] = { 4, 4, 3, 3, 3 }, rows[5] = { 4, 3, 4, 3, 2 };
   unsigned kind = (inst->ctl & 7) < 5 ? inst->ctl & 7 : 0;
   struct uop_operand v[4], m[4];

   sources(d, &inst->src[0], 4, v);
   for (unsigned c = 0; c < 4; c++) {
      r[c] = direct_literal(d, 0);
      if (c < rows[kind]) {
         row(d, &inst->src[1], c, m);
         r[c] = dot(d, v, m, length[kind], true);
      }
   }
}

/* a * b - c * d, both products rounded. */
static struct uop_operand
minor(struct direct *d, struct uop_operand a, struct uop_operand b, struct uop_operand c,
      struct uop_operand e)
{
   return DOP3(MULADD_IEEE, a, b, uop_neg(DOP2(MUL_IEEE, c, e)));
}

/* By the first row; the minors of the last two rows serve twice. */
static struct uop_operand
determinant(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand m[4][4], sum = { 0 };
   for (unsigned n = 0; n < 4; n++) {
      row(d, &inst->src[0], n, m[n]);
   }
   for (unsigned c = 0; c < 4; c++) {
      unsigned k[3], n = 0;
      for (unsigned i = 0; i < 4; i++) {
         if (i != c) {
            k[n++] = i;
         }
      }
      struct uop_operand p = minor(d, m[2][k[1]], m[3][k[2]], m[2][k[2]], m[3][k[1]]);
      struct uop_operand q = minor(d, m[2][k[0]], m[3][k[2]], m[2][k[2]], m[3][k[0]]);
      struct uop_operand s = minor(d, m[2][k[0]], m[3][k[1]], m[2][k[1]], m[3][k[0]]);
      struct uop_operand cofactor =
         DOP3(MULADD_IEEE, uop_neg(m[1][k[1]]), q, DOP2(MUL_IEEE, m[1][k[0]], p));
      cofactor = DOP3(MULADD_IEEE, m[1][k[2]], s, cofactor);
      sum = c == 0 ? DOP2(MUL_IEEE, m[0][0], cofactor)
                   : DOP3(MULADD_IEEE, c & 1 ? uop_neg(m[0][c]) : m[0][c], cofactor, sum);
   }
   return sum;
}

static void
transpose(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand m[4][4];
   for (unsigned n = 0; n < 4; n++) {
      row(d, &inst->src[0], n, m[n]);
      for (unsigned c = 0; c < 4; c++) {
         uint32_t to = direct_temp(d);
         direct_move(d, to, m[n][c]);
         m[n][c] = direct_at(to);
      }
   }
   for (unsigned n = 0; n < 4; n++) {
      struct il_dst dst = inst->dst[0];
      const struct uop_operand r[4] = { m[0][n], m[1][n], m[2][n], m[3][n] };
      dst.r.num += n;
      direct_store(d, &dst, r);
   }
}

bool
direct_geometric(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand r[4], v[4], w[4];

   if (inst->ndst != 1) {
      return false;
   }
   switch (inst->op) {
   case IL_OP_DP2:
      r[0] = dot_sources(d, inst, 2);
      break;
   case IL_OP_DP3:
      r[0] = dot_sources(d, inst, 3);
      break;
   case IL_OP_DP4:
      r[0] = dot_sources(d, inst, 4);
      break;
   case IL_OP_DP2ADD:
      r[0] = DOP2(ADD, dot_sources(d, inst, 2), direct_src(d, &inst->src[2], 2));
      break;
   case IL_OP_LEN:
      sources(d, &inst->src[0], 3, v);
      r[0] = root(d, v, 3);
      break;
   case IL_OP_DIST:
      sources(d, &inst->src[0], 3, v);
      sources(d, &inst->src[1], 3, w);
      for (unsigned c = 0; c < 3; c++) {
         v[c] = DOP2(ADD, v[c], uop_neg(w[c]));
      }
      r[0] = root(d, v, 3);
      break;
   case IL_OP_DET:
      r[0] = determinant(d, inst);
      break;
   case IL_OP_CRS:
      cross(d, inst, r);
      direct_store(d, &inst->dst[0], r);
      return true;
   case IL_OP_FACEFORWARD:
      sources(d, &inst->src[0], 4, v);
      sources(d, &inst->src[1], 4, w);
      v[0] = direct_sign(d, dot(d, v, w, 4, true));
      for (unsigned c = 0; c < 4; c++) {
         r[c] = DOP2(MUL_IEEE, direct_src(d, &inst->src[2], c), v[0]);
      }
      direct_store(d, &inst->dst[0], r);
      return true;
   case IL_OP_NRM:
      normalize(d, inst, r);
      direct_store(d, &inst->dst[0], r);
      return true;
   case IL_OP_REFLECT:
      reflect(d, inst, r);
      direct_store(d, &inst->dst[0], r);
      return true;
   case IL_OP_MMUL:
      multiply_matrix(d, inst, r);
      direct_store(d, &inst->dst[0], r);
      return true;
   case IL_OP_TRANSPOSE:
      transpose(d, inst);
      return true;
   default:
      return false;
   }
   r[1] = r[2] = r[3] = r[0];
   direct_store(d, &inst->dst[0], r);
   return true;
}
