/* SPDX-License-Identifier: MIT */
/*
 * Sums of sums times a factor, which products of matrices and a vector are, by components:
 *
 *    (a0 b00 + a1 b01 + ...) v0 + (a0 b10 + a1 b11 + ...) v1 + ... + a0 c0 + a1 c1 + ... + rest
 *
 * becomes
 *
 *    a0 (b00 v0 + b10 v1 + ... + c0) + a1 (b01 v0 + b11 v1 + ... + c1) + ... + rest
 *
 * What is in parentheses then is the same for all components of the result: the product of the last
 * matrix and the vector.  GLSL multiplies from left to right, and its P * M * v is 64 products and
 * 16 more, where P * (M * v) is 32.
 *
 *  1. Nothing that is exact is touched: the sums are rounded at other steps.  So two shaders with
 *     the same expression may differ in the last bits of it, unless it is `invariant`.
 *  2. Nor are sums and products that something else reads: they have to be there all the same.
 *  3. Nor are b's and v's that nothing else reads: no other component has the same parentheses, and
 *     without one nothing is gained.
 *  4. Nor are sums with a's and b's that are all uniforms, where these leave the program
 *     (hoist_values.c): a product of two matrices is done once for all of a draw then.
 *  5. Nor is what has two a's more than v's: the fewer components, the more it could lose.
 */
#include "translate.h"

#include "nir_builder.h"

#define MAX_TERMS 32

/* What is added, and its factors if it is a product that nothing else reads. */
struct term {
   nir_scalar value;
   nir_scalar factor[2];
   bool is_product;
   bool taken;
};

struct sum {
   struct term term[MAX_TERMS];
   unsigned count;
};

/* The sum times a factor: the factor, and the sum's products, the one with a[k] as number k. */
struct scaled_sum {
   nir_scalar by;
   nir_scalar b[MAX_TERMS];
};

static bool
is_op(nir_scalar s, nir_op op)
{
   return nir_scalar_is_alu(s) && nir_scalar_alu_op(s) == op && s.def->num_components == 1 &&
          s.def->bit_size == 32 && !nir_instr_as_alu(s.def->parent_instr)->exact;
}

/* Nothing else than one operand reads it. */
static bool
is_read_once(nir_scalar s)
{
   return list_is_singular(&s.def->uses) &&
          !nir_src_is_if(list_first_entry(&s.def->uses, nir_src, use_link));
}

/* False: there are too many terms. */
static bool
add_terms(struct sum *sum, nir_scalar s, bool root)
{
   if (is_op(s, nir_op_fadd) && (root || is_read_once(s)))
      return add_terms(sum, nir_scalar_chase_alu_src(s, 0), false) &&
             add_terms(sum, nir_scalar_chase_alu_src(s, 1), false);
   if (sum->count == MAX_TERMS)
      return false;
   struct term *t = &sum->term[sum->count++];
   *t = (struct term){ .value = s, .is_product = is_op(s, nir_op_fmul) && is_read_once(s) };
   for (unsigned i = 0; t->is_product && i < 2; i++)
      t->factor[i] = nir_scalar_chase_alu_src(s, i);
   return true;
}

/* A product that is not taken yet and has the factor, which becomes its first one; or NULL. */
static struct term *
find_product(struct sum *sum, nir_scalar factor)
{
   for (unsigned n = 0; n < sum->count; n++) {
      struct term *t = &sum->term[n];
      if (!t->is_product || t->taken)
         continue;
      for (unsigned i = 0; i < 2; i++) {
         if (!nir_scalar_equal(t->factor[i], factor))
            continue;
         t->factor[i] = t->factor[0];
         t->factor[0] = factor;
         return t;
      }
   }
   return NULL;
}

/* The sum that a product has as a factor, which becomes its first one.  False: it has none, or one
 * of anything but products. */
static bool
inner_sum(struct term *t, struct sum *inner)
{
   for (unsigned i = 0; t->is_product && i < 2; i++) {
      if (!is_op(t->factor[i], nir_op_fadd) || !is_read_once(t->factor[i]))
         continue;
      const nir_scalar s = t->factor[i];
      bool products = true;
      inner->count = 0;
      products = add_terms(inner, s, true);
      for (unsigned n = 0; n < inner->count; n++)
         products &= inner->term[n].is_product;
      if (!products)
         continue;
      t->factor[i] = t->factor[0];
      t->factor[0] = s;
      return true;
   }
   return false;
}

/* The sums of the products' sums as rows of one matrix. */
struct rows {
   nir_scalar a[MAX_TERMS];
   unsigned num_a;
   struct scaled_sum sum[MAX_TERMS];
   unsigned num_sums;
};

/* Which factors of the first sum do the others have, too?  False: not each of its products has
 * one. */
static bool
find_common(struct rows *rows, struct sum inner[], unsigned count)
{
   rows->num_a = inner[0].count;
   for (unsigned k = 0; k < inner[0].count; k++) {
      const struct term *first = &inner[0].term[k];
      bool found = false;
      for (unsigned i = 0; i < 2 && !found; i++) {
         struct term *of[MAX_TERMS] = { NULL };
         rows->a[k] = first->factor[i];
         found = true;
         for (unsigned n = 0; n < count && found; n++) {
            of[n] = n ? find_product(&inner[n], rows->a[k]) : &inner[0].term[k];
            found = of[n] != NULL && inner[n].count == rows->num_a;
         }
         for (unsigned n = 0; n < count && found; n++) {
            of[n]->taken = true;
            rows->sum[n].b[k] = of[n]->factor[n ? 1 : 1 - i];
         }
      }
      if (!found)
         return false;
   }
   return true;
}

/* Does more than one instruction read this component? */
static bool
is_shared(nir_scalar s)
{
   unsigned readers = 0;

   nir_foreach_use_including_if(src, s.def)
   {
      if (nir_src_is_if(src) || nir_src_parent_instr(src)->type != nir_instr_type_alu) {
         readers++;
         continue;
      }
      const nir_alu_instr *alu = nir_instr_as_alu(nir_src_parent_instr(src));
      const nir_alu_src *operand = container_of(src, nir_alu_src, src);
      const unsigned count = nir_ssa_alu_instr_src_components(alu, (unsigned)(operand - alu->src));
      bool reads = false;
      for (unsigned i = 0; i < count; i++)
         reads |= operand->swizzle[i] == s.comp;
      readers += reads;
   }
   return readers > 1;
}

/* Can other sums have the same columns? */
static bool
may_share(const struct rows *rows)
{
   bool shared = true;

   for (unsigned n = 0; n < rows->num_sums; n++) {
      shared &= is_shared(rows->sum[n].by);
      for (unsigned k = 0; k < rows->num_a; k++)
         shared &= is_shared(rows->sum[n].b[k]);
   }
   return shared;
}

static bool
is_uniform(nir_scalar s)
{
   const nir_instr *instr = s.def->parent_instr;

   if (instr->type != nir_instr_type_intrinsic)
      return instr->type == nir_instr_type_load_const;
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic((nir_instr *)instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_load_uniform:
      return nir_src_is_const(intr->src[0]);
   case nir_intrinsic_load_ubo:
   case nir_intrinsic_load_ubo_vec4:
      return nir_src_is_const(intr->src[0]) && !nir_src_as_uint(intr->src[0]) &&
             nir_src_is_const(intr->src[1]);
   default:
      return false;
   }
}

static bool
is_hoisted(const nir_shader *nir, const struct rows *rows)
{
   bool uniform = tr_hoists(nir);

   for (unsigned k = 0; k < rows->num_a && uniform; k++) {
      uniform &= is_uniform(nir_scalar_resolved(rows->a[k].def, rows->a[k].comp));
      for (unsigned n = 0; n < rows->num_sums && uniform; n++)
         uniform &= is_uniform(nir_scalar_resolved(rows->sum[n].b[k].def, rows->sum[n].b[k].comp));
   }
   return uniform;
}

static nir_def *
component(nir_builder *b, nir_scalar s)
{
   return nir_channel(b, s.def, s.comp);
}

static nir_def *
product(nir_builder *b, nir_scalar x, nir_scalar y)
{
   return nir_fmul(b, component(b, x), component(b, y));
}

static nir_def *
plus(nir_builder *b, nir_def *sum, nir_def *term)
{
   return sum ? nir_fadd(b, sum, term) : term;
}

static nir_def *
build(nir_builder *b, const struct rows *rows, struct sum *outer)
{
   nir_def *result = NULL;

   for (unsigned k = 0; k < rows->num_a; k++) {
      struct term *c = find_product(outer, rows->a[k]);
      nir_def *column = c ? component(b, c->factor[1]) : NULL;
      for (unsigned n = 0; n < rows->num_sums; n++)
         column = plus(b, column, product(b, rows->sum[n].b[k], rows->sum[n].by));
      if (c)
         c->taken = true;
      result = plus(b, result, nir_fmul(b, component(b, rows->a[k]), column));
   }
   for (unsigned n = 0; n < outer->count; n++)
      if (!outer->term[n].taken)
         result = plus(b, result, component(b, outer->term[n].value));
   return result;
}

/* Part of a larger sum, which is looked at instead. */
static bool
is_inner(nir_scalar s)
{
   if (!is_read_once(s))
      return false;
   nir_instr *reader = nir_src_parent_instr(list_first_entry(&s.def->uses, nir_src, use_link));
   return reader->type == nir_instr_type_alu &&
          is_op(nir_get_scalar(&nir_instr_as_alu(reader)->def, 0), nir_op_fadd);
}

struct factoring {
   struct sum outer, inner[MAX_TERMS];
   struct rows rows;
};

static bool
factor(nir_builder *b, nir_alu_instr *alu, void *data)
{
   const nir_scalar root = nir_get_scalar(&alu->def, 0);
   struct factoring *f = data;

   if (alu->op != nir_op_fadd || !is_op(root, nir_op_fadd) || is_inner(root))
      return false;
   f->outer.count = 0;
   f->rows.num_sums = 0;
   if (!add_terms(&f->outer, root, true))
      return false;
   for (unsigned n = 0; n < f->outer.count; n++) {
      struct term *t = &f->outer.term[n];
      if (!inner_sum(t, &f->inner[f->rows.num_sums]))
         continue;
      t->taken = true;
      f->rows.sum[f->rows.num_sums++].by = t->factor[1];
   }
   if (f->rows.num_sums < 2 || !find_common(&f->rows, f->inner, f->rows.num_sums) ||
       f->rows.num_a > f->rows.num_sums + 1 || !may_share(&f->rows) ||
       is_hoisted(b->shader, &f->rows))
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   nir_def_replace(&alu->def, build(b, &f->rows, &f->outer));
   return true;
}

bool
atoll_nir_factor_sums(nir_shader *nir)
{
   struct factoring *f = malloc(sizeof(*f));
   const bool progress = f && nir_shader_alu_pass(nir, factor, nir_metadata_control_flow, f);

   free(f);
   return progress;
}
