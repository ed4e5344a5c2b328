/* SPDX-License-Identifier: MIT */
/*
 * Values that are the same in all of a draw leave the program: the driver works them out whenever
 * uniforms change, and the program reads them as it reads uniforms.
 *
 *    a = u.x * u.y          a = driver constant
 *    b = a + input     ->   b = a + input
 *
 *  1. Such a value is made of constants and uniforms (cb0 at a constant index) by operations of
 *     the table below, which give the same bits on any processor: nothing is rounded otherwise
 *     than in the program, so `exact` makes no difference.
 *  2. What is read by no instruction that stays goes; what is read by one is stored for it.
 *  3. Copies and signs of such values are no operations: instructions read through them.  They
 *     stay where what reads them stays.
 *  4. A vector of which not all components are such values stays.
 *  5. A branch stays where it is, and its condition with it if that is one comparison: it would
 *     take as many instructions.
 *  6. Values are stored in the order of the program, a vector in one vec4: what is computed
 *     together is read together.
 */
#include "translate.h"

#include "nir_builder.h"

enum kind {
   VARIES,
   GIVEN, /* a constant, a uniform, or a copy or a sign of a value */
   MADE,  /* by an operation */
};

struct hoist {
   struct atoll_nir_values *values;
   uint8_t *kind;    /* enum kind, by scalar */
   uint16_t *step;   /* by scalar: the step that makes it, + 1 */
   uint16_t *stored; /* by def: the first dword that it is stored to, + 1 */
   nir_def *row[ATOLL_MAX_VALUE_VEC4S];
   unsigned dwords; /* stored so far */
   bool failed;     /* too many steps, or no memory */
};

static const uint8_t ops[nir_num_opcodes] = {
   [nir_op_fneg] = ATOLL_VALUE_FNEG,     [nir_op_fabs] = ATOLL_VALUE_FABS,
   [nir_op_fsat] = ATOLL_VALUE_FSAT,     [nir_op_fadd] = ATOLL_VALUE_FADD,
   [nir_op_fmul] = ATOLL_VALUE_FMUL,     [nir_op_ffma] = ATOLL_VALUE_FFMA,
   [nir_op_fmin] = ATOLL_VALUE_FMIN,     [nir_op_fmax] = ATOLL_VALUE_FMAX,
   [nir_op_frcp] = ATOLL_VALUE_FRCP,     [nir_op_frsq] = ATOLL_VALUE_FRSQ,
   [nir_op_fsqrt] = ATOLL_VALUE_FSQRT,   [nir_op_ffloor] = ATOLL_VALUE_FFLOOR,
   [nir_op_ffract] = ATOLL_VALUE_FFRACT, [nir_op_flt32] = ATOLL_VALUE_FLT,
   [nir_op_fge32] = ATOLL_VALUE_FGE,     [nir_op_feq32] = ATOLL_VALUE_FEQ,
   [nir_op_fneu32] = ATOLL_VALUE_FNEU,   [nir_op_ilt32] = ATOLL_VALUE_ILT,
   [nir_op_ige32] = ATOLL_VALUE_IGE,     [nir_op_ieq32] = ATOLL_VALUE_IEQ,
   [nir_op_ine32] = ATOLL_VALUE_INE,     [nir_op_ult32] = ATOLL_VALUE_ULT,
   [nir_op_uge32] = ATOLL_VALUE_UGE,     [nir_op_b32csel] = ATOLL_VALUE_SELECT,
   [nir_op_iadd] = ATOLL_VALUE_IADD,     [nir_op_ineg] = ATOLL_VALUE_INEG,
   [nir_op_imul] = ATOLL_VALUE_IMUL,     [nir_op_iand] = ATOLL_VALUE_IAND,
   [nir_op_ior] = ATOLL_VALUE_IOR,       [nir_op_ixor] = ATOLL_VALUE_IXOR,
   [nir_op_inot] = ATOLL_VALUE_INOT,     [nir_op_ishl] = ATOLL_VALUE_ISHL,
   [nir_op_ishr] = ATOLL_VALUE_ISHR,     [nir_op_ushr] = ATOLL_VALUE_USHR,
   [nir_op_imin] = ATOLL_VALUE_IMIN,     [nir_op_imax] = ATOLL_VALUE_IMAX,
   [nir_op_umin] = ATOLL_VALUE_UMIN,     [nir_op_umax] = ATOLL_VALUE_UMAX,
   [nir_op_i2f32] = ATOLL_VALUE_I2F,
};

static size_t
index_of(nir_scalar s)
{
   return (size_t)s.def->index * 4 + s.comp;
}

static bool
is_copy(const nir_alu_instr *alu)
{
   return alu->op == nir_op_mov || nir_op_is_vec(alu->op) || alu->op == nir_op_b2b32;
}

static bool
is_sign(const nir_alu_instr *alu)
{
   return alu->op == nir_op_fneg || alu->op == nir_op_fabs;
}

/* The factors of a sum of products. */
static unsigned
num_products(const nir_alu_instr *alu)
{
   return alu->op == nir_op_fdot2   ? 2
          : alu->op == nir_op_fdot3 ? 3
          : alu->op == nir_op_fdot4 ? 4
                                    : 0;
}

static bool
is_known(const nir_alu_instr *alu)
{
   return ops[alu->op] || num_products(alu) || alu->op == nir_op_b2f32 || alu->op == nir_op_b2i32;
}

bool
tr_hoists_op(nir_op op)
{
   return ops[op];
}

/* The dword of a uniform that component `comp` of a load is; false: it is none of cb0's, or nowhere
 * that is known. */
static bool
uniform_of(const nir_instr *instr, unsigned comp, unsigned *dword)
{
   if (instr->type != nir_instr_type_intrinsic)
      return false;
   const nir_intrinsic_instr *intr = nir_instr_as_intrinsic((nir_instr *)instr);
   if (intr->intrinsic != nir_intrinsic_load_ubo_vec4 || !nir_src_is_const(intr->src[0]) ||
       nir_src_as_uint(intr->src[0]) != 0 || !nir_src_is_const(intr->src[1]))
      return false;
   const uint64_t row = (uint64_t)nir_intrinsic_base(intr) + nir_src_as_uint(intr->src[1]);
   const unsigned at = nir_intrinsic_component(intr) + comp;
   *dword = (unsigned)(row * 4 + at);
   return row < 4096 && at < 4;
}

static bool
is_small(const nir_def *def)
{
   return def->bit_size == 32 && def->num_components <= 4;
}

static enum kind
kind_of_source(const struct hoist *h, const nir_alu_src *src, unsigned comp)
{
   return is_small(src->src.ssa) ? h->kind[(size_t)src->src.ssa->index * 4 + src->swizzle[comp]]
                                 : VARIES;
}

static void
find_kinds_of_alu(struct hoist *h, const nir_alu_instr *alu)
{
   uint8_t *kind = &h->kind[(size_t)alu->def.index * 4];
   const unsigned num_src = nir_op_infos[alu->op].num_inputs, products = num_products(alu);
   bool all = true;

   if (is_copy(alu)) {
      for (unsigned c = 0; c < alu->def.num_components; c++) {
         const bool vec = alu->op != nir_op_mov && alu->op != nir_op_b2b32;
         kind[c] =
            kind_of_source(h, &alu->src[vec ? c : 0], vec ? 0 : c) == VARIES ? VARIES : GIVEN;
      }
      return;
   }
   for (unsigned s = 0; s < num_src && all; s++)
      for (unsigned c = 0; c < (products ? products : alu->def.num_components); c++)
         all &= kind_of_source(h, &alu->src[s], c) != VARIES;
   for (unsigned c = 0; c < alu->def.num_components && all && is_known(alu); c++)
      kind[c] = is_sign(alu) ? GIVEN : MADE;
}

static void
find_kinds(struct hoist *h, nir_instr *instr)
{
   nir_def *def = nir_instr_def(instr);
   unsigned dword;

   if (!def || !is_small(def))
      return;
   if (instr->type == nir_instr_type_alu) {
      find_kinds_of_alu(h, nir_instr_as_alu(instr));
      return;
   }
   for (unsigned c = 0; c < def->num_components; c++)
      if (instr->type == nir_instr_type_load_const || uniform_of(instr, c, &dword))
         h->kind[(size_t)def->index * 4 + c] = GIVEN;
}

/* --- what stays ------------------------------------------------------------------------------- */

static bool
is_hoisted(const struct hoist *h, const nir_instr *instr, enum kind least)
{
   if (instr->type != nir_instr_type_alu)
      return false;
   const nir_def *def = &nir_instr_as_alu((nir_instr *)instr)->def;
   for (unsigned c = 0; c < def->num_components; c++)
      if (!is_small(def) || h->kind[(size_t)def->index * 4 + c] < least)
         return false;
   return true;
}

/* Does an instruction that stays read it?  Instructions after it are marked already. */
static bool
is_read(const struct hoist *h, nir_instr *instr)
{
   const nir_def *def = nir_instr_def(instr);
   bool given = true;

   for (unsigned s = 0; s < nir_op_infos[nir_instr_as_alu(instr)->op].num_inputs; s++)
      for (unsigned c = 0; c < def->num_components; c++)
         given &= kind_of_source(h, &nir_instr_as_alu(instr)->src[s], c) == GIVEN;
   nir_foreach_use_including_if(src, def)
   {
      if (nir_src_is_if(src) ? !given : nir_src_parent_instr(src)->pass_flags)
         return true;
   }
   return false;
}

/* --- steps ------------------------------------------------------------------------------------ */

static uint16_t
add_step(struct hoist *h, unsigned op, unsigned a, unsigned b, unsigned c)
{
   struct atoll_nir_values *v = h->values;

   if (v->num_steps == ATOLL_MAX_VALUE_STEPS) {
      h->failed = true;
      return 0;
   }
   v->steps[v->num_steps] = (struct atoll_value_step){ (uint16_t)op, { a, b, c } };
   return v->num_steps++;
}

static uint16_t
add_constant(struct hoist *h, uint32_t bits)
{
   return add_step(h, ATOLL_VALUE_CONST, 0, bits & 0xffff, bits >> 16);
}

static uint16_t value_of(struct hoist *h, nir_scalar s);

static nir_scalar
source_of(const nir_alu_instr *alu, unsigned s, unsigned comp)
{
   return nir_get_scalar(alu->src[s].src.ssa, alu->src[s].swizzle[comp]);
}

/* The products are rounded, and so is each sum, from the first one on: as the device does it. */
static uint16_t
add_products(struct hoist *h, const nir_alu_instr *alu)
{
   uint16_t sum = 0;

   for (unsigned i = 0; i < num_products(alu); i++) {
      const uint16_t a = value_of(h, source_of(alu, 0, i)), b = value_of(h, source_of(alu, 1, i));
      const uint16_t product = add_step(h, ATOLL_VALUE_FMUL, a, b, 0);
      sum = i ? add_step(h, ATOLL_VALUE_FADD, sum, product, 0) : product;
   }
   return sum;
}

static uint16_t
add_alu(struct hoist *h, const nir_alu_instr *alu, unsigned comp)
{
   uint16_t src[3] = { 0 };

   if (num_products(alu))
      return add_products(h, alu);
   for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++)
      src[s] = value_of(h, source_of(alu, s, comp));
   if (alu->op == nir_op_b2f32 || alu->op == nir_op_b2i32) {
      const uint16_t one = add_constant(h, alu->op == nir_op_b2i32 ? 1 : 0x3f800000);
      return add_step(h, ATOLL_VALUE_IAND, src[0], one, 0);
   }
   return add_step(h, ops[alu->op], src[0], src[1], src[2]);
}

static uint16_t
value_of(struct hoist *h, nir_scalar s)
{
   uint16_t *step = &h->step[index_of(s)], value;
   const nir_instr *instr = s.def->parent_instr;
   unsigned dword;

   if (*step || h->failed)
      return *step ? *step - 1 : 0;
   if (instr->type == nir_instr_type_load_const) {
      value = add_constant(h, (uint32_t)nir_scalar_as_uint(s));
   } else if (uniform_of(instr, s.comp, &dword)) {
      value = add_step(h, ATOLL_VALUE_LOAD, dword, 0, 0);
   } else {
      const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
      if (nir_op_is_vec(alu->op))
         value = value_of(h, source_of(alu, s.comp, 0));
      else if (is_copy(alu))
         value = value_of(h, source_of(alu, 0, s.comp));
      else
         value = add_alu(h, alu, s.comp);
   }
   *step = value + 1;
   return value;
}

/* --- the program ------------------------------------------------------------------------------ */

/* The dwords that a value is stored to; false: there is no room. */
static bool
store(struct hoist *h, nir_def *def)
{
   const unsigned count = def->num_components, before = h->values->num_steps;
   unsigned at = h->dwords;
   uint16_t value[4];

   if (at % 4 + count > 4)
      at = (at + 3) & ~3u;
   if (at + count > 4 * ATOLL_MAX_VALUE_VEC4S)
      return false;
   for (unsigned c = 0; c < count; c++)
      value[c] = value_of(h, nir_get_scalar(def, c));
   for (unsigned c = 0; c < count; c++)
      add_step(h, ATOLL_VALUE_STORE, value[c], at + c, 0);
   if (h->failed) {
      h->values->num_steps = before;
      return false;
   }
   h->dwords = at + count;
   h->stored[def->index] = at + 1;
   return true;
}

static void
load(struct hoist *h, nir_builder *b, nir_def *def, unsigned at)
{
   nir_def **row = &h->row[at / 4];

   if (!*row) {
      b->cursor = nir_before_impl(b->impl);
      *row = nir_load_ubo_vec4(b, 4, 32, nir_imm_int(b, DRIVER_BLOCK),
                               nir_imm_int(b, (int)(h->values->first + at / 4)));
   }
   b->cursor = nir_before_instr(def->parent_instr);
   nir_def_rewrite_uses(def, nir_channels(b, *row, BITFIELD_MASK(def->num_components) << at % 4));
}

static void
find_stored(struct hoist *h, nir_function_impl *impl)
{
   nir_foreach_block(block, impl)
   {
      nir_foreach_instr(instr, block)
      {
         instr->pass_flags = 0;
         find_kinds(h, instr);
      }
   }
   nir_foreach_block_reverse(block, impl)
   {
      nir_foreach_instr_reverse(instr, block) instr->pass_flags =
         !is_hoisted(h, instr, GIVEN) || (!is_hoisted(h, instr, MADE) && is_read(h, instr));
   }
   nir_foreach_block(block, impl)
   {
      nir_foreach_instr(instr, block)
      {
         if (is_hoisted(h, instr, MADE) && is_read(h, instr) && !store(h, nir_instr_def(instr)))
            return;
      }
   }
}

static void
hoist(struct hoist *h, nir_function_impl *impl)
{
   const unsigned count = impl->ssa_alloc;
   nir_builder b = nir_builder_create(impl);

   find_stored(h, impl);
   nir_foreach_block(block, impl)
   {
      nir_foreach_instr_safe(instr, block)
      {
         nir_def *def = nir_instr_def(instr);
         if (def && def->index < count && h->stored[def->index])
            load(h, &b, def, h->stored[def->index] - 1u);
      }
   }
}

/* Whether source i of a step is another one's value. */
static bool
reads_value(unsigned op, unsigned i)
{
   return op == ATOLL_VALUE_STORE ? i == 0 : op != ATOLL_VALUE_LOAD && op != ATOLL_VALUE_CONST;
}

/* Steps that load come first: a look at them says whether the others have to be taken again.
 * `now`: room for a number by step. */
static void
load_first(const struct atoll_nir_values *v, uint16_t *now, struct atoll_value_step *sorted)
{
   unsigned count = 0;

   for (unsigned n = 0; n < v->num_steps; n++)
      if (v->steps[n].op == ATOLL_VALUE_LOAD)
         now[n] = (uint16_t)count++;
   for (unsigned n = 0; n < v->num_steps; n++)
      if (v->steps[n].op != ATOLL_VALUE_LOAD)
         now[n] = (uint16_t)count++;
   for (unsigned n = 0; n < v->num_steps; n++) {
      struct atoll_value_step *step = &sorted[now[n]];
      *step = v->steps[n];
      for (unsigned i = 0; i < 3 && reads_value(step->op, i); i++)
         step->src[i] = now[step->src[i]];
   }
}

bool
atoll_nir_hoist_values(nir_shader *nir, struct atoll_nir_values *values)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   struct hoist *h = calloc(1, sizeof(*h));

   nir_index_ssa_defs(impl);
   if (h) {
      const size_t defs = impl->ssa_alloc;
      h->values = values;
      h->kind = calloc(defs * 4, sizeof(*h->kind));
      h->step = calloc(defs * 4, sizeof(*h->step));
      h->stored = calloc(defs, sizeof(*h->stored));
      values->steps = malloc(ATOLL_MAX_VALUE_STEPS * sizeof(*values->steps));
      struct atoll_value_step *sorted = malloc(ATOLL_MAX_VALUE_STEPS * sizeof(*sorted));
      uint16_t *now = malloc(ATOLL_MAX_VALUE_STEPS * sizeof(*now));
      /* After the driver's own constants and the program's tables, at a multiple of what buffers
       * are aligned to: where a program reads nothing else, there need be nothing else. */
      values->first =
         ALIGN_POT(IL_DRV_SIZE + DIV_ROUND_UP(nir->constant_data_size, 16), ATOLL_VALUES_VEC4S);
      if (h->kind && h->step && h->stored && values->steps && sorted && now) {
         hoist(h, impl);
         load_first(values, now, sorted);
         struct atoll_value_step *steps = values->steps;
         values->steps = sorted;
         sorted = steps;
      }
      free(sorted);
      free(now);
      values->vec4s = DIV_ROUND_UP(h->dwords, 4);
      free(h->kind);
      free(h->step);
      free(h->stored);
   }
   free(h);
   const bool progress = values->vec4s != 0;
   if (!progress) {
      free(values->steps);
      *values = (struct atoll_nir_values){ 0 };
   }
   nir_metadata_preserve(impl, progress ? nir_metadata_control_flow : nir_metadata_all);
   return progress;
}
