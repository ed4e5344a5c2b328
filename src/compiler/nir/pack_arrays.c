/* SPDX-License-Identifier: MIT */
/* Private arrays with several elements in a vec4.
 *
 * An element of IL's indexed arrays is a vec4, whatever is in it, and a thread has room for
 * IL_ARRAY_VEC4S of them.
 *
 *  1. While a program's arrays fit, each of their elements has a vec4 to itself: an access is one
 *     instruction.
 *  2. Else elements of one and two dwords share vec4s, and if that is not enough, those of three
 *     do, too: dword k of element n is dword n * size + k of the array.
 *  3. A read selects among the components of a vec4; a write reads the vec4, changes it and writes
 *     it back, which nobody sees between: the array is the thread's own.
 *
 * What does not fit then is refused by the translator.
 */
#include "translate.h"

#include "nir_builder.h"

struct packing {
   nir_builder b;
   unsigned size;    /* dwords of an element, 1 to 3 */
   nir_def *packed;  /* the array of vec4s */
   unsigned element; /* bits of its components: 32 or 64 */
};

static unsigned
element_dwords(const nir_intrinsic_instr *decl)
{
   return nir_intrinsic_num_components(decl) * DIV_ROUND_UP(nir_intrinsic_bit_size(decl), 32);
}

static unsigned
packed_rows(const nir_intrinsic_instr *decl)
{
   return DIV_ROUND_UP(nir_intrinsic_num_array_elems(decl) * element_dwords(decl), 4);
}

/* Vec4s that arrays take when those of up to `most` dwords an element are packed. */
static uint64_t
rows_of_all(nir_function_impl *impl, unsigned most)
{
   uint64_t sum = 0;
   nir_foreach_reg_decl(decl, impl)
   {
      if (nir_intrinsic_num_array_elems(decl))
         sum +=
            element_dwords(decl) <= most ? packed_rows(decl) : nir_intrinsic_num_array_elems(decl);
   }
   return sum;
}

/* The number of an element. */
static nir_def *
element_of(struct packing *p, const nir_intrinsic_instr *access, nir_def *index)
{
   const unsigned base = nir_intrinsic_base(access);
   return index ? nir_iadd_imm(&p->b, index, base) : nir_imm_int(&p->b, base);
}

static nir_def *
read_row(struct packing *p, nir_def *row)
{
   return nir_load_reg_indirect(&p->b, 4, 32, p->packed, row);
}

/* ~0 where bit `bit` of a dword's number is set. */
static nir_def *
test_bit(struct packing *p, nir_def *dword, unsigned bit)
{
   nir_builder *b = &p->b;
   return nir_ine32(b, nir_iand_imm(b, dword, 1u << bit), nir_imm_int(b, 0));
}

static nir_def *
read_dword(struct packing *p, nir_def *dword)
{
   nir_builder *b = &p->b;
   nir_def *row = read_row(p, nir_ushr_imm(b, dword, 2));
   nir_def *odd = test_bit(p, dword, 0);
   nir_def *low = nir_b32csel(b, odd, nir_channel(b, row, 1), nir_channel(b, row, 0));
   nir_def *high = nir_b32csel(b, odd, nir_channel(b, row, 3), nir_channel(b, row, 2));
   return nir_b32csel(b, test_bit(p, dword, 1), high, low);
}

static void
write_dword(struct packing *p, nir_def *dword, nir_def *value)
{
   nir_builder *b = &p->b;
   nir_def *at = nir_ushr_imm(b, dword, 2), *comp = nir_iand_imm(b, dword, 3);
   nir_def *row = read_row(p, at), *changed[4];
   for (unsigned i = 0; i < 4; i++)
      changed[i] =
         nir_b32csel(b, nir_ieq32(b, comp, nir_imm_int(b, i)), value, nir_channel(b, row, i));
   nir_store_reg_indirect(b, nir_vec(b, changed, 4), p->packed, at, .write_mask = 15);
}

/* Elements of two dwords lie in one half of a vec4. */
static void
read_pair(struct packing *p, nir_def *element, nir_def *out[2])
{
   nir_builder *b = &p->b;
   nir_def *row = read_row(p, nir_ushr_imm(b, element, 1)), *odd = test_bit(p, element, 0);
   for (unsigned i = 0; i < 2; i++)
      out[i] = nir_b32csel(b, odd, nir_channel(b, row, 2 + i), nir_channel(b, row, i));
}

static void
write_pair(struct packing *p, nir_def *element, nir_def *const value[2], unsigned mask)
{
   nir_builder *b = &p->b;
   nir_def *at = nir_ushr_imm(b, element, 1), *odd = test_bit(p, element, 0);
   nir_def *row = read_row(p, at), *changed[4];
   for (unsigned i = 0; i < 4; i++) {
      nir_def *old = nir_channel(b, row, i), *now = value[i & 1];
      changed[i] = !(mask >> (i & 1) & 1) ? old
                   : i < 2                ? nir_b32csel(b, odd, old, now)
                                          : nir_b32csel(b, odd, now, old);
   }
   nir_store_reg_indirect(b, nir_vec(b, changed, 4), p->packed, at, .write_mask = 15);
}

static void
replace_load(struct packing *p, nir_intrinsic_instr *load)
{
   nir_builder *b = &p->b;
   nir_def *dwords[3];

   b->cursor = nir_before_instr(&load->instr);
   const bool indirect = load->intrinsic == nir_intrinsic_load_reg_indirect;
   nir_def *element = element_of(p, load, indirect ? load->src[1].ssa : NULL);
   if (p->size == 2) {
      read_pair(p, element, dwords);
   } else {
      nir_def *first = nir_imul_imm(b, element, p->size);
      for (unsigned k = 0; k < p->size; k++)
         dwords[k] = read_dword(p, nir_iadd_imm(b, first, k));
   }
   nir_def *value = p->element == 64 ? nir_pack_64_2x32_split(b, dwords[0], dwords[1])
                                     : nir_vec(b, dwords, p->size);
   nir_def_replace(&load->def, value);
}

static void
replace_store(struct packing *p, nir_intrinsic_instr *store)
{
   nir_builder *b = &p->b;
   nir_def *value = store->src[0].ssa, *dwords[3];
   unsigned mask = nir_intrinsic_write_mask(store);

   b->cursor = nir_before_instr(&store->instr);
   const bool indirect = store->intrinsic == nir_intrinsic_store_reg_indirect;
   nir_def *element = element_of(p, store, indirect ? store->src[2].ssa : NULL);
   if (p->element == 64) {
      dwords[0] = nir_unpack_64_2x32_split_x(b, value);
      dwords[1] = nir_unpack_64_2x32_split_y(b, value);
      mask = 3;
   } else {
      for (unsigned k = 0; k < p->size; k++)
         dwords[k] = nir_channel(b, value, k);
   }
   if (p->size == 2) {
      write_pair(p, element, dwords, mask);
   } else {
      nir_def *first = nir_imul_imm(b, element, p->size);
      u_foreach_bit(k, mask) write_dword(p, nir_iadd_imm(b, first, k), dwords[k]);
   }
   nir_instr_remove(&store->instr);
}

static void
pack_array(nir_function_impl *impl, nir_intrinsic_instr *decl)
{
   struct packing p = {
      .b = nir_builder_at(nir_before_impl(impl)),
      .size = element_dwords(decl),
      .element = nir_intrinsic_bit_size(decl),
   };

   p.packed = nir_decl_reg(&p.b, 4, 32, packed_rows(decl));
   nir_foreach_reg_load_safe(load, decl)
      replace_load(&p, nir_instr_as_intrinsic(nir_src_parent_instr(load)));
   nir_foreach_reg_store_safe(store, decl)
      replace_store(&p, nir_instr_as_intrinsic(nir_src_parent_instr(store)));
   nir_instr_remove(&decl->instr);
}

bool
atoll_nir_pack_arrays(nir_shader *nir)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   bool progress = false;

   if (rows_of_all(impl, 0) > IL_ARRAY_VEC4S) {
      const unsigned most = rows_of_all(impl, 2) > IL_ARRAY_VEC4S ? 3 : 2;
      nir_foreach_reg_decl_safe(decl, impl)
      {
         if (nir_intrinsic_num_array_elems(decl) && element_dwords(decl) <= most) {
            pack_array(impl, decl);
            progress = true;
         }
      }
   }
   nir_metadata_preserve(impl, progress ? nir_metadata_control_flow : nir_metadata_all);
   return progress;
}
