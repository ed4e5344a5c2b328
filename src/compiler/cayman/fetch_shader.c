/* SPDX-License-Identifier: MIT */
/*
 * The fetch shader: vertex element i into R(1+i), then RETURN.
 *
 * The index is R0.x (vertex) or R0.w (instance); the fetch type adds the draw's base.  A divisor
 * above one needs instance / divisor: the high half of instance * (2^32 / divisor + 1), computed in
 * the w of the element's own GPR.  It is exact while instance * divisor stays below 2^32.
 *
 * A resource's stride has 11 bits.  Elements 2048 bytes apart have a resource of half that stride,
 * and the index counts twice, in the same w.
 */
#include "cayman_compile.h"

#include "isa/cayman/cayman.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ELEMENTS      32
#define MAX_ELEMENT_BYTES 16
#define MAX_DIVIDE_SLOTS  125

static bool
encode_divide(enum cayman_vliw vliw, unsigned gpr, uint32_t divisor, uint32_t words[12],
              unsigned *count)
{
   const unsigned op = CAYMAN_ALU_MULHI_UINT;
   struct cayman_alu_group group;

   memset(&group, 0, sizeof(group));
   group.num_slots = cayman_alu_info_of(vliw, op)->slots == CAYMAN_SLOTS_T ? 1 : 4;
   for (unsigned s = 0; s < group.num_slots; s++) {
      struct cayman_alu *alu = &group.slot[s];
      alu->op = op;
      alu->trans = group.num_slots == 1;
      alu->dst_gpr = gpr;
      alu->dst_chan = alu->trans ? 3 : s;
      alu->bank_swizzle = alu->trans ? CAYMAN_SCL_212 : CAYMAN_VEC_012;
      alu->write_mask = alu->dst_chan == 3;
      alu->src[0].sel = 0;
      alu->src[0].chan = 3;
      alu->src[1].sel = CAYMAN_SRC_LITERAL;
      alu->src[1].chan = 0;
   }
   group.num_literals = 2;
   group.literal[0] = (uint32_t)((UINT64_C(1) << 32) / divisor) + 1;
   int n = cayman_encode_alu_group(vliw, &group, words);
   *count = n > 0 ? n : 0;
   return n > 0;
}

/* w = index + index */
static bool
encode_double(enum cayman_vliw vliw, const struct cayman_vertex_element *e, unsigned gpr,
              uint32_t words[12])
{
   struct cayman_alu_group group;

   memset(&group, 0, sizeof(group));
   group.num_slots = 1;
   struct cayman_alu *alu = &group.slot[0];
   alu->op = CAYMAN_ALU_ADD_INT;
   alu->dst_gpr = gpr;
   alu->dst_chan = 3;
   alu->write_mask = true;
   for (unsigned s = 0; s < 2; s++) {
      alu->src[s].sel = e->instance_divisor > 1 ? gpr : 0;
      alu->src[s].chan = e->instance_divisor ? 3 : 0;
   }
   return cayman_encode_alu_group(vliw, &group, words) == 2;
}

static bool
encode_element(enum cayman_vliw vliw, const struct cayman_vertex_element *e, unsigned gpr,
               uint32_t words[4])
{
   struct cayman_fetch fetch = { .kind = CAYMAN_FETCH_VTX };

   fetch.vtx.op = CAYMAN_VTX_FETCH;
   fetch.vtx.fetch_type =
      e->instance_divisor ? CAYMAN_FETCH_INSTANCE_DATA : CAYMAN_FETCH_VERTEX_DATA;
   fetch.vtx.buffer_id = e->resource;
   fetch.vtx.src_gpr = e->instance_divisor > 1 || e->twice ? gpr : 0;
   fetch.vtx.src_sel_x = e->instance_divisor || e->twice ? 3 : 0;
   fetch.vtx.dst_gpr = gpr;
   memcpy(fetch.vtx.dst_sel, e->dst_sel, 4);
   fetch.vtx.data_format = e->data_format;
   fetch.vtx.num_format_all = e->num_format;
   fetch.vtx.format_comp_all = e->is_signed;
   fetch.vtx.srf_mode_all = e->srf_no_zero;
   fetch.vtx.endian_swap = e->endian_swap;
   fetch.vtx.offset = e->offset;
   if (vliw == CAYMAN_VLIW5) {
      fetch.vtx.mega_fetch = true;
      fetch.vtx.mega_fetch_count = MAX_ELEMENT_BYTES - 1;
   }
   return cayman_encode_fetch(vliw, &fetch, words) == CAYMAN_OK;
}

static void
put_cf(uint32_t *words, struct cayman_cf *cf)
{
   cf->form = cayman_cf_info(cf->op)->form;
   cf->barrier = true;
   cayman_encode_cf(cf, words);
}

/* All divisions and after them all doublings. */
static bool
encode_indices(enum cayman_vliw vliw, const struct cayman_vertex_element *elements, unsigned count,
               uint32_t *alu, unsigned *divide_slots, unsigned *slots)
{
   unsigned dwords = 0;
   bool ok = true;

   for (unsigned i = 0; i < count && ok; i++) {
      if (elements[i].instance_divisor > 1) {
         unsigned n;
         ok = encode_divide(vliw, CAYMAN_VS_INPUT_GPR(i), elements[i].instance_divisor,
                            alu + dwords, &n);
         dwords += n;
      }
   }
   *divide_slots = dwords / 2;
   for (unsigned i = 0; i < count && ok; i++) {
      if (elements[i].twice) {
         ok = encode_double(vliw, &elements[i], CAYMAN_VS_INPUT_GPR(i), alu + dwords);
         dwords += 2;
      }
   }
   *slots = dwords / 2;
   return ok;
}

static unsigned
build(enum cayman_vliw vliw, const struct cayman_vertex_element *elements, unsigned count,
      uint32_t **out)
{
   uint32_t alu[MAX_ELEMENTS * 12 + 12];
   unsigned divide_slots = 0, alu_slots;

   *out = NULL;
   if (count > MAX_ELEMENTS ||
       !encode_indices(vliw, elements, count, alu, &divide_slots, &alu_slots))
      return 0;
   /* ALU clauses of at most 25 divisions of five slots with their literals (of two slots all are in
    * one), one of all doublings, TC clauses of 16. */
   unsigned divide_clauses = (divide_slots + MAX_DIVIDE_SLOTS - 1) / MAX_DIVIDE_SLOTS;
   unsigned alu_clauses = divide_clauses + (alu_slots > divide_slots);
   unsigned tc_clauses = (count + 15) / 16;
   unsigned num_cf = alu_clauses + tc_clauses + 1;
   unsigned alu_addr = num_cf, tc_addr = (alu_addr + alu_slots + 1) & ~1u;
   unsigned dwords = 2 * (tc_addr + 2 * count);
   uint32_t *words = calloc(dwords, sizeof(uint32_t));

   if (!words)
      return 0;
   unsigned cf = 0;
   for (unsigned i = 0; i < alu_clauses; i++) {
      unsigned first = i < divide_clauses ? MAX_DIVIDE_SLOTS * i : divide_slots;
      unsigned end = i < divide_clauses ? divide_slots : alu_slots;
      unsigned slots = end - first < MAX_DIVIDE_SLOTS ? end - first : MAX_DIVIDE_SLOTS;
      struct cayman_cf e = { .op = CAYMAN_CF_ALU, .addr = alu_addr + first, .count = slots - 1 };
      put_cf(words + 2 * cf++, &e);
   }
   for (unsigned i = 0; i < tc_clauses; i++) {
      unsigned n = count - 16 * i < 16 ? count - 16 * i : 16;
      struct cayman_cf e = { .op = CAYMAN_CF_TC, .addr = tc_addr + 32 * i, .count = n - 1 };
      put_cf(words + 2 * cf++, &e);
   }
   struct cayman_cf ret = { .op = CAYMAN_CF_RETURN };
   put_cf(words + 2 * cf, &ret);
   memcpy(words + 2 * alu_addr, alu, 2 * alu_slots * sizeof(uint32_t));
   for (unsigned i = 0; i < count; i++) {
      if (!encode_element(vliw, &elements[i], CAYMAN_VS_INPUT_GPR(i),
                          words + 2 * tc_addr + 4 * i)) {
         free(words);
         return 0;
      }
   }
   *out = words;
   return dwords;
}

unsigned
cayman_build_fetch_shader(const struct cayman_vertex_element *elements, unsigned count,
                          uint32_t **out)
{
   return build(CAYMAN_VLIW4, elements, count, out);
}

unsigned
evergreen_build_fetch_shader(const struct cayman_vertex_element *elements, unsigned count,
                             uint32_t **out)
{
   return build(CAYMAN_VLIW5, elements, count, out);
}
