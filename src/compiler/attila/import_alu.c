/* SPDX-License-Identifier: MIT */
/*
 * Import of arithmetic on floats and integers, and conversions between them.
 *
 * The machine has no conversion from integers.  LOG takes a float apart exactly, whatever its bits
 * mean: of x + 2^23 as the bits of a float 2^(e - 127) * m, the value x is (e - 1 + m - 1) * 2^23.
 * That is good below 2^30; 2^30 and 2^31 are taken off before and added to e after.  Both parts
 * are exact, so the sum is rounded once.
 */
#include "import.h"

/* Operations of one result component from the same component of the sources. */
static const struct {
   uint16_t il;
   uint8_t op, num_src;
   bool ieee; /* only in that form */
} plain[] = {
   { IL_OP_MOV, ATTILA_MOV, 1, false },
   { IL_OP_ADD, ATTILA_ADD, 2, false },
   { IL_OP_MUL, ATTILA_MUL, 2, true },
   { IL_OP_MAD, ATTILA_MAD, 3, true },
   { IL_OP_ROUND_NEG_INF, ATTILA_FLR, 1, false },
   { IL_OP_I_ADD, ATTILA_ADDI, 2, false },
   { IL_OP_I_MUL, ATTILA_MULI, 2, false },
   { IL_OP_U_MUL, ATTILA_MULI, 2, false },
   { IL_OP_DSX, ATTILA_DDX, 1, false },
   { IL_OP_DSY, ATTILA_DDY, 1, false },
};

/* Operations that take one component and write it to all.  Where the machine's is another than
 * IL's, there is a bound: roots are of the magnitude, and rounded twice. */
static const struct {
   uint16_t il;
   uint8_t op;
   bool differs;
   struct shader_bound bound;
} scalar[] = {
   { IL_OP_RCP_VEC, ATTILA_RCP },
   { IL_OP_EXP_VEC, ATTILA_EX2 },
   { IL_OP_LOG_VEC, ATTILA_LG2 },
   { IL_OP_RSQ_VEC, ATTILA_RSQ, true, { .ulps = 2, .least = 0x1p-126f, .magnitude = true } },
   { IL_OP_SQRT_VEC, ATTILA_RSQ, true, { .ulps = 3, .least = 0x1p-126f, .magnitude = true } },
   { IL_OP_SIN_VEC, ATTILA_SIN, true, { .absolute = 0x1p-20f, .range = 4 } },
   { IL_OP_COS_VEC, ATTILA_COS, true, { .absolute = 0x1p-20f, .range = 4 } },
};

bool
ac_bound(unsigned il_op, struct shader_bound *bound)
{
   for (unsigned n = 0; n < sizeof(scalar) / sizeof(scalar[0]); n++) {
      if (scalar[n].il == il_op && scalar[n].differs) {
         *bound = scalar[n].bound;
         return true;
      }
   }
   return false;
}

/* A target to write in parts: not a register that a source is in. */
static struct ai_target
apart(struct importer *im, const struct il_inst *inst)
{
   struct ai_target t = ai_target(im, &inst->dst[0]);

   for (unsigned s = 0; s < inst->nsrc && t.direct; s++) {
      const struct il_ref *r = &inst->src[s].r;
      if ((r->type == IL_REGTYPE_TEMP && t.bank == ATTILA_TEMP && r->num == t.reg) ||
          r->type == IL_REGTYPE_ITEMP) {
         t.direct = t.sat = false;
         t.bank = ATTILA_TEMP;
         t.reg = ac_new_reg(im->c);
      }
   }
   return t;
}

static void
finish(struct importer *im, const struct il_inst *inst, const struct ai_target *t,
       struct ac_src value)
{
   ai_op(im, t, 15, ATTILA_MOV, 1, value, value, value);
   ai_done(im, &inst->dst[0], t);
}

static void
import_plain(struct importer *im, const struct il_inst *inst, unsigned op, unsigned num_src)
{
   struct ai_target t = ai_target(im, &inst->dst[0]);
   struct ac_src s[3] = { { 0 } };

   for (unsigned n = 0; n < num_src; n++)
      s[n] = ai_src(im, &inst->src[n], t.mask);
   ai_op(im, &t, 15, op, num_src, s[0], s[1], s[2]);
   ai_done(im, &inst->dst[0], &t);
}

static void
import_scalar(struct importer *im, const struct il_inst *inst, unsigned op)
{
   struct ai_target t = apart(im, inst);

   for (unsigned c = 0; c < 4; c++) {
      if (!(t.mask >> c & 1))
         continue;
      struct ac_src v = ai_comp(im, &inst->src[0], c);
      if (inst->op == IL_OP_SQRT_VEC) { /* of 0 and infinity, too */
         v = ac_comp(NEW1(RSQ, 1, v), 0);
         ai_op(im, &t, 1u << c, ATTILA_RCP, 1, v, v, v);
      } else {
         ai_op(im, &t, 1u << c, op, 1, v, v, v);
      }
   }
   ai_done(im, &inst->dst[0], &t);
}

/* --- sums of products --- */

static void
import_dot(struct importer *im, const struct il_inst *inst, unsigned count)
{
   struct ai_target t = ai_target(im, &inst->dst[0]);
   const unsigned mask = (1u << count) - 1;
   struct ac_src a = ai_src(im, &inst->src[0], mask), b = ai_src(im, &inst->src[1], mask);

   if (!il_ieee(inst) && im->c->exact)
      ai_refuse(im, "a product in which 0 times infinity is 0");
   if (count > 2 && !(im->c->flags & SHADER_COMPILE_SCALAR)) {
      ai_op(im, &t, 15, count == 3 ? ATTILA_DP3 : ATTILA_DP4, 2, a, b, b);
      ai_done(im, &inst->dst[0], &t);
      return;
   }
   struct ac_src sum = ac_comp(NEW2(MUL, 1, ac_comp(a, 0), ac_comp(b, 0)), 0);
   for (unsigned c = 1; c < count; c++)
      sum = ac_comp(NEW3(MAD, 1, ac_comp(a, c), ac_comp(b, c), sum), 0);
   finish(im, inst, &t, sum);
}

/* Where NaNs count, the one that operations give for any; -0 changes nothing else. */
static struct ac_src
quiet(struct importer *im, struct ac_src x, unsigned mask)
{
   return im->c->exact ? NEW2(ADD, mask, x, ac_bits(0x80000000)) : x;
}

static struct ac_src
plain_size(struct ac_src x)
{
   x.neg = false;
   return ac_abs(x);
}

/* The machine's max is a > b ? a : b.  Where NaNs count, the result is also b where a is one; of
 * zeros of both signs -0 is the less. */
static void
import_extreme(struct importer *im, const struct il_inst *inst, bool least)
{
   struct ac_compiler *cc = im->c;
   struct ai_target t = ai_target(im, &inst->dst[0]);
   struct ac_src a = ai_src(im, &inst->src[0], t.mask), b = ai_src(im, &inst->src[1], t.mask);

   if (!cc->exact) {
      ai_op(im, &t, 15, least ? ATTILA_MIN : ATTILA_MAX, 2, a, b, b);
      ai_done(im, &inst->dst[0], &t);
      return;
   }
   struct ac_src r = NEW1(MOV, t.mask, a);
   for (unsigned c = 0; c < 4; c++) {
      if (!(t.mask >> c & 1))
         continue;
      const struct ac_src x = ac_comp(a, c), y = ac_comp(b, c);
      ac_set_pred(cc, least ? ATTILA_SETPLT : ATTILA_SETPGT, 0, y, x);
      ac_emit(cc, ATTILA_MOV, r.reg, 1u << c, 1, y, y, y)->predicated = true;
      ac_set_pred(cc, ATTILA_SETPEQ, 0, x, x)->sat = true;
      ac_emit(cc, ATTILA_MOV, r.reg, 1u << c, 1, y, y, y)->predicated = true;
      struct ac_src size = NEW2(ADD, 1, plain_size(x), plain_size(y));
      struct ac_src sum = least ? NEW2(ADD, 1, ac_neg(x), ac_neg(y)) : NEW2(ADD, 1, x, y);
      ac_set_pred(cc, ATTILA_SETPEQ, 0, ac_comp(size, 0), ac_float(0));
      sum = ac_comp(least ? ac_neg(sum) : sum, 0);
      ac_emit(cc, ATTILA_MOV, r.reg, 1u << c, 1, sum, y, y)->predicated = true;
   }
   finish(im, inst, &t, quiet(im, r, t.mask));
}

/* --- rounding --- */

/* A magnitude with x's sign.  Where NaNs count, zeros have signs, too. */
static struct ac_src
with_sign(struct importer *im, struct ac_src magnitude, struct ac_src x, unsigned mask)
{
   struct ac_src positive = magnitude;

   if (im->c->exact)
      positive = NEW3(CMP, mask, ac_neg(x), magnitude, x);
   return NEW3(CMP, mask, x, ac_neg(magnitude), positive);
}

static struct ac_src
truncated(struct importer *im, struct ac_src x, unsigned mask)
{
   return with_sign(im, NEW1(FLR, mask, ac_abs(x)), x, mask);
}

/* To nearest even: added to 2^23, what is below it loses its fraction. */
static struct ac_src
rounded(struct importer *im, struct ac_src x, unsigned mask)
{
   const struct ac_src two23 = ac_float(8388608);
   struct ac_src t = NEW2(ADD, mask, ac_abs(x), two23);

   t = NEW2(ADD, mask, t, ac_float(-8388608));
   t = with_sign(im, t, x, mask);
   return NEW3(CMP, mask, NEW2(ADD, mask, ac_abs(x), ac_float(-8388608)), t, x);
}

/* A literal loses nothing by being in a register; what has modifiers gets rid of them. */
static struct ac_src
bare(struct importer *im, struct ac_src x, unsigned mask)
{
   return x.neg || x.abs ? NEW1(MOV, mask, x) : x;
}

static void
import_round(struct importer *im, const struct il_inst *inst)
{
   struct ai_target t = ai_target(im, &inst->dst[0]);
   struct ac_src x = bare(im, ai_src(im, &inst->src[0], t.mask), t.mask);

   if (inst->op == IL_OP_ROUND_PLUS_INF)
      x = quiet(im, ac_neg(NEW1(FLR, t.mask, ac_neg(x))), t.mask);
   else if (inst->op == IL_OP_ROUND_ZERO)
      x = truncated(im, quiet(im, x, t.mask), t.mask);
   else
      x = rounded(im, quiet(im, x, t.mask), t.mask);
   finish(im, inst, &t, x);
}

/* The machine's is 1 of what lies right below 0; IL's is the last float below it. */
static void
import_fraction(struct importer *im, const struct il_inst *inst)
{
   struct ai_target t = ai_target(im, &inst->dst[0]);
   struct ac_src x = ai_src(im, &inst->src[0], t.mask), last = ac_bits(0x3f7fffff);

   if (im->c->exact)
      ai_op(im, &t, 15, ATTILA_MIN, 2, last, NEW1(FRC, t.mask, x), x);
   else
      ai_op(im, &t, 15, ATTILA_FRC, 1, x, x, x);
   ai_done(im, &inst->dst[0], &t);
}

/* --- conversions --- */

/* The floor of a float; in a3 until the next one. */
static struct ac_src
floor_of(struct importer *im, struct ac_src x, unsigned mask)
{
   ac_emit(im->c, ATTILA_ARL, 3, mask, 1, x, x, x)->bank = ATTILA_ADDR;
   struct ac_src a = ac_register(ATTILA_ADDR, 3);
   return NEW1(MOV, mask, a);
}

/* Where NaNs count: r is `values` where x is none of the numbers. */
static void
replace_nans(struct importer *im, struct ac_src r, struct ac_src x, struct ac_src values,
             unsigned mask)
{
   for (unsigned c = 0; c < 4 && im->c->exact; c++) {
      if (!(mask >> c & 1))
         continue;
      const struct ac_src v = ac_comp(values, c);
      ac_set_pred(im->c, ATTILA_SETPEQ, 0, ac_comp(x, c), ac_comp(x, c))->sat = true;
      ac_emit(im->c, ATTILA_MOV, r.reg, 1u << c, 1, v, v, v)->predicated = true;
   }
}

/* The same where what is no number is 0. */
static struct ac_src
floor_to_integer(struct importer *im, struct ac_src x, unsigned mask)
{
   struct ac_src r = floor_of(im, x, mask);

   replace_nans(im, r, x, ac_bits(0), mask);
   return r;
}

/* The same of `floored`, and the limit of its sign where x is no number. */
static struct ac_src
floor_to_limit(struct importer *im, struct ac_src x, struct ac_src floored, unsigned mask)
{
   struct ac_src r = floor_of(im, floored, mask);

   if (!im->c->exact)
      return r;
   struct ac_src limit = NEW1(MOV, mask, ac_bits(0x7fffffff)), least = ac_bits(0x80000000);
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask >> c & 1))
         continue;
      ac_set_pred(im->c, ATTILA_SETPLTI, 0, ac_comp(x, c), ac_bits(0));
      ac_emit(im->c, ATTILA_MOV, limit.reg, 1u << c, 1, least, least, least)->predicated = true;
   }
   replace_nans(im, r, x, limit, mask);
   return r;
}

/* floor(x), and 1 more from a half on: a sum with a half would be rounded. */
static struct ac_src
half_up(struct importer *im, struct ac_src x, unsigned mask)
{
   struct ac_src f = NEW1(FLR, mask, x), rest = NEW2(ADD, mask, x, ac_neg(f));
   struct ac_src more = NEW2(SGE, mask, rest, ac_float(0.5f));

   return NEW2(ADD, mask, f, more);
}

static void
import_to_integer(struct importer *im, const struct il_inst *inst)
{
   struct ai_target t = ai_target(im, &inst->dst[0]);
   struct ac_src x = bare(im, ai_src(im, &inst->src[0], t.mask), t.mask);

   switch (inst->op) {
   case IL_OP_FTOI:
      x = floor_to_integer(im, truncated(im, x, t.mask), t.mask);
      break;
   case IL_OP_FTOI_FLR:
      x = floor_to_limit(im, x, x, t.mask);
      break;
   case IL_OP_FTOI_RPI:
      x = floor_to_limit(im, x, half_up(im, x, t.mask), t.mask);
      break;
   default: { /* FTOU: 2^31 is taken off and added as an integer; a NaN is 0 */
      struct ac_src two31 = ac_float(2147483648.0f);
      x = NEW2(MAX, t.mask, x, ac_float(0));
      struct ac_src upper = NEW2(SGE, t.mask, x, two31);
      struct ac_src rest = NEW3(CMP, t.mask, ac_neg(upper), NEW2(ADD, t.mask, x, ac_neg(two31)), x);
      struct ac_src low = floor_to_integer(im, rest, t.mask);
      struct ac_src high = NEW3(CMP, t.mask, ac_neg(upper), ac_bits(0x80000000), ac_bits(0));
      x = NEW2(ADDI, t.mask, low, high);
      break;
   }
   }
   finish(im, inst, &t, x);
}

/* See the top of the file. */
static struct ac_src
unsigned_to_float(struct importer *im, struct ac_src u)
{
   struct ac_compiler *c = im->c;
   static const struct {
      uint8_t op;
      uint32_t limit, take;
      float add;
   } steps[] = {
      { ATTILA_SETPLTI, 0, 0x80000000, 256 },
      { ATTILA_SETPGTI, 0x3fffffff, 0xc0000000, 128 },
   };
   struct ac_src x = ac_comp(NEW2(ADDI, 1, u, ac_bits(0)), 0);
   struct ac_src e = ac_comp(NEW1(MOV, 1, ac_float(125)), 0);

   for (unsigned n = 0; n < 2; n++) {
      ac_set_pred(c, steps[n].op, 0, x, ac_bits(steps[n].limit));
      ac_emit(c, ATTILA_ADDI, x.reg, 1, 2, x, ac_bits(steps[n].take), x)->predicated = true;
      ac_emit(c, ATTILA_ADD, e.reg, 1, 2, e, ac_float(steps[n].add), e)->predicated = true;
   }
   x = ac_comp(NEW2(ADDI, 1, x, ac_bits(0x00800000)), 0);
   struct ac_src parts = NEW1(LOG, 3, x);
   e = NEW2(ADD, 1, ac_comp(parts, 0), e);
   e = NEW2(ADD, 1, ac_comp(e, 0), ac_comp(parts, 1));
   return ac_comp(NEW2(MUL, 1, ac_comp(e, 0), ac_float(8388608)), 0);
}

static void
import_to_float(struct importer *im, const struct il_inst *inst)
{
   struct ai_target t = apart(im, inst);

   for (unsigned c = 0; c < 4; c++) {
      if (!(t.mask >> c & 1))
         continue;
      struct ac_src x = ai_comp(im, &inst->src[0], c);
      if (x.neg || x.abs)
         x = ac_comp(NEW2(ADDI, 1, x, ac_bits(0)), 0);
      if (inst->op == IL_OP_UTOF) {
         x = unsigned_to_float(im, x);
      } else {
         struct ac_src size = unsigned_to_float(im, ac_abs(x));
         ac_set_pred(im->c, ATTILA_SETPLTI, 0, x, ac_bits(0));
         ac_emit(im->c, ATTILA_MOV, size.reg, 1, 1, ac_neg(size), x, x)->predicated = true;
         x = size;
      }
      ai_op(im, &t, 1u << c, ATTILA_MOV, 1, x, x, x);
   }
   ai_done(im, &inst->dst[0], &t);
}

/* --- the rest --- */

/* The machine counts no bits, but the rasterizer samples. */
static void
import_count(struct importer *im, const struct il_inst *inst)
{
   const struct il_src *s = &inst->src[0];

   if (s->r.type != IL_REGTYPE_INPUT_COVERAGE_MASK || il_src_swz(s, 0) != 0 || s->flags || s->neg ||
       im->c->out->stage != SHADER_STAGE_PS)
      ai_refuse(im, "a count of bits");
   struct ai_target t = ai_target(im, &inst->dst[0]);
   struct ac_src v = ac_comp(ac_register(ATTILA_IN, ATTILA_PS_FACE), 1);

   im->c->out->ps.face_gpr = 0;
   finish(im, inst, &t, v);
}

static void
import_fwidth(struct importer *im, const struct il_inst *inst)
{
   struct ai_target t = ai_target(im, &inst->dst[0]);
   struct ac_src x = ai_src(im, &inst->src[0], t.mask);
   struct ac_src right = NEW1(DDX, t.mask, x), below = NEW1(DDY, t.mask, x);

   ai_op(im, &t, 15, ATTILA_ADD, 2, ac_abs(right), ac_abs(below), x);
   ai_done(im, &inst->dst[0], &t);
}

static bool
in_tables(struct importer *im, const struct il_inst *inst)
{
   for (unsigned n = 0; n < sizeof(plain) / sizeof(plain[0]); n++) {
      if (plain[n].il != inst->op)
         continue;
      if (plain[n].ieee && !il_ieee(inst) && im->c->exact)
         ai_refuse(im, "a product in which 0 times infinity is 0");
      import_plain(im, inst, plain[n].op, plain[n].num_src);
      return true;
   }
   for (unsigned n = 0; n < sizeof(scalar) / sizeof(scalar[0]); n++) {
      if (scalar[n].il != inst->op)
         continue;
      if (inst->op == IL_OP_RCP_VEC && il_zeroop(inst) != IL_ZEROOP_INFINITY && im->c->exact)
         ai_refuse(im, "a reciprocal of 0 that is not infinity");
      import_scalar(im, inst, scalar[n].op);
      return true;
   }
   return false;
}

bool
ai_alu(struct importer *im, const struct il_inst *inst)
{
   if (in_tables(im, inst))
      return true;
   switch (inst->op) {
   case IL_OP_DP2:
   case IL_OP_DP3:
   case IL_OP_DP4:
      import_dot(im, inst, inst->op == IL_OP_DP2 ? 2 : inst->op == IL_OP_DP3 ? 3 : 4);
      return true;
   case IL_OP_MIN:
   case IL_OP_MAX:
      import_extreme(im, inst, inst->op == IL_OP_MIN);
      return true;
   case IL_OP_ROUND_PLUS_INF:
   case IL_OP_ROUND_ZERO:
   case IL_OP_ROUND_NEAR:
      import_round(im, inst);
      return true;
   case IL_OP_FTOI:
   case IL_OP_FTOI_FLR:
   case IL_OP_FTOI_RPI:
   case IL_OP_FTOU:
      import_to_integer(im, inst);
      return true;
   case IL_OP_ITOF:
   case IL_OP_UTOF:
      import_to_float(im, inst);
      return true;
   case IL_OP_FRC:
      import_fraction(im, inst);
      return true;
   case IL_OP_I_COUNTBITS:
      import_count(im, inst);
      return true;
   case IL_OP_FWIDTH:
      import_fwidth(im, inst);
      return true;
   default:
      return false;
   }
}
