/* SPDX-License-Identifier: MIT */
/*
 * Import of inputs and outputs at run-time indices: they become arrays like x#.  Inputs are copied
 * there at the top of the program, outputs are read from there at its end.
 */
#include "import.h"

void
im_reserve_io_arrays(struct importer *im)
{
   im->in_array.array = im->num_xarrays;
   im->out_array.array = im->num_xarrays + 1;
   im->num_xarrays += 2;
}

/* The array spans the registers that are declared, and the base of each index. */
static void
span(struct importer *im, struct io_array *a, uint32_t base, uint32_t first, uint32_t last)
{
   if (!a->indexed) {
      a->indexed = true;
      a->first = first;
      a->last = last;
   }
   a->first = base < a->first ? base : a->first;
   a->last = base > a->last ? base : a->last;
   if (a->last - a->first >= MAX_OUTPUTS) {
      im_unsupported(im, "indexed registers that lie far apart");
   }
   uint32_t size = a->last - a->first + 1;
   if (im->xarrays[a->array].size != size) {
      im->xarrays[a->array].size = size;
      im->xarrays[a->array].comps = cc_alloc(im->c, sizeof(struct reg_comp) * 4 * size);
   }
   im->xarrays[a->array].array = -1;
   im->xarrays[a->array].indexed = true;
}

void
im_index_inputs(struct importer *im, uint32_t base)
{
   uint32_t first = UINT32_MAX, last = 0;
   bool pixel = im->c->out->stage == CAYMAN_STAGE_PS;

   for (uint32_t n = pixel ? 1 : 0; n < (pixel ? (uint32_t)IL_LINK_COUNT : 32u); n++) {
      if (im->input[n].declared) {
         first = n < first ? n : first;
         last = n;
      }
   }
   if (base >= MAX_INPUTS || first > last) {
      im_unsupported(im, "indexed input out of range");
   }
   span(im, &im->in_array, base, first, last);
}

void
im_index_outputs(struct importer *im, uint32_t base)
{
   uint32_t first = UINT32_MAX, last = 0;

   for (uint32_t n = 0; n < MAX_OUTPUTS; n++) {
      if (im->out_declared[n]) {
         first = n < first ? n : first;
         last = n;
      }
   }
   if (base >= MAX_OUTPUTS || first > last || im->c->out->stage == CAYMAN_STAGE_GS) {
      im_unsupported(im, "indexed output of a geometry shader, or out of range");
   }
   span(im, &im->out_array, base, first, last);
}

static struct il_ref
element_of(const struct io_array *a, const struct il_ref *from)
{
   struct il_ref r = *from;

   r.type = IL_REGTYPE_ITEMP;
   r.num = a->array;
   r.has_imm = true;
   r.imm = from->num - a->first;
   return r;
}

bool
im_output_element(const struct importer *im, const struct il_dst *dst, struct il_dst *element)
{
   const struct io_array *a = &im->out_array;

   if (!a->indexed || dst->r.type != IL_REGTYPE_OUTPUT || dst->r.num < a->first ||
       dst->r.num > a->last) {
      return false;
   }
   *element = *dst;
   element->r = element_of(a, &dst->r);
   return true;
}

struct il_src
im_input_element(const struct importer *im, const struct il_src *src)
{
   struct il_src element = *src;

   element.r = element_of(&im->in_array, &src->r);
   return element;
}

void
im_fill_input_array(struct importer *im)
{
   const struct io_array *a = &im->in_array;

   for (uint32_t n = a->first; a->indexed && n <= a->last; n++) {
      struct il_dst dst = il_dst(IL_REGTYPE_ITEMP, a->array);
      struct operand value[4];
      if (!im->input[n].declared) {
         continue;
      }
      for (unsigned i = 0; i < 4; i++) {
         value[i] = im_input(im, n, i);
      }
      dst.r.has_imm = true;
      dst.r.imm = n - a->first;
      im_store(im, &dst, value);
   }
}

void
im_take_output_array(struct importer *im)
{
   const struct io_array *a = &im->out_array;

   for (uint32_t n = a->first; a->indexed && n <= a->last; n++) {
      struct il_src src = il_src(IL_REGTYPE_ITEMP, a->array);
      src.r.has_imm = true;
      src.r.imm = n - a->first;
      for (unsigned i = 0; i < 4; i++) {
         if (im->out_declared[n] >> i & 1) {
            im->out[n][i] = (struct reg_comp){ .defs = 1 };
            im->out[n][i].value = cc_mov(im->c, 0, im_array_element(im, &src, i));
         }
      }
   }
}
