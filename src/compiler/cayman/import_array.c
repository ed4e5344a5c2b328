/* SPDX-License-Identifier: MIT */
/*
 * Arrays at run-time indices: x#, and inputs and outputs, which become arrays like x#.  Inputs are
 * copied there at the top of the program, outputs are read from there at its end.
 */
#include "import.h"

/* Arrays live in GPRs below this one as long as there is room, then in scratch memory. */
#define MAX_ARRAY_GPR     64
#define FEW_MAX_ARRAY_GPR (CC_FEW_GPRS - 8)

/* Channels of the GPRs of `host` that no array has, for `array`; false if it does not fit there. */
static bool
share_gprs(const struct compiler *c, struct array *array, const struct array *host, uint8_t used,
           uint8_t chan[4])
{
   uint8_t taken = 0;

   if (host->scratch || host->size < array->size)
      return false;
   for (const struct array *other = c->arrays; other < array; other++)
      taken |= !other->scratch && other->gpr == host->gpr ? other->channels : 0;
   if (__builtin_popcount(used) + __builtin_popcount(taken) > 4)
      return false;
   array->gpr = host->gpr;
   for (unsigned i = 0; i < 4; i++) {
      if (used >> i & 1) {
         chan[i] = taken >> i & 1 ? (unsigned)__builtin_ctz(~(taken | used)) : i;
         taken |= 1u << chan[i];
         array->channels |= 1u << chan[i];
      }
   }
   return true;
}

/* Memory for an array: beside others in the same GPRs, or in GPRs of its own, or scratch memory. */
static void
place_array(struct importer *im, struct array *array, uint8_t used, uint8_t chan[4])
{
   struct compiler *c = im->c;
   const unsigned max = c->flags & SHADER_COMPILE_FEW_GPRS ? FEW_MAX_ARRAY_GPR : MAX_ARRAY_GPR;

   for (const struct array *host = c->arrays; host < array; host++)
      if (share_gprs(c, array, host, used, chan))
         return;
   array->channels = used;
   if (c->first_free_gpr + array->size <= max) {
      array->gpr = c->first_free_gpr;
      c->first_free_gpr += array->size;
   } else {
      array->scratch = true;
      array->base = c->out->scratch_vec4s;
      c->out->scratch_vec4s += array->size;
   }
}

void
im_make_arrays(struct importer *im)
{
   struct compiler *c = im->c;

   c->arrays = cc_alloc(c, sizeof(*c->arrays) * (im->num_xarrays + 1));
   uint32_t *order = cc_alloc(c, sizeof(*order) * (im->num_xarrays + 1)), count = 0;
   for (uint32_t i = 0; i < im->num_xarrays; i++) {
      if (im->xarrays[i].indexed && !im->xarrays[i].size)
         im_unsupported(im, "indexed array that is not declared, or has no elements");
      if (im->xarrays[i].indexed) {
         uint32_t at = count++;
         for (; at > 0 && im->xarrays[order[at - 1]].size < im->xarrays[i].size; at--)
            order[at] = order[at - 1];
         order[at] = i;
      }
      if (count > 255)
         cc_fail(c, "not implemented: more than 255 indexed arrays");
   }
   /* The longest first: the others fit into its GPRs. */
   for (uint32_t k = 0; k < count; k++) {
      const uint32_t i = order[k];
      for (unsigned chan = 0; chan < 4; chan++)
         im->xarrays[i].chan[chan] = chan;
      im->xarrays[i].array = c->num_arrays;
      struct array *array = &c->arrays[c->num_arrays++];
      array->size = im->xarrays[i].size;
      place_array(im, array, im->xarrays[i].used, im->xarrays[i].chan);
   }
   if (c->out->scratch_vec4s > 4095)
      cc_fail(c, "not implemented: more indexed arrays than scratch memory holds");
}

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
   if (a->last - a->first >= MAX_OUTPUTS)
      im_unsupported(im, "indexed registers that lie far apart");
   uint32_t size = a->last - a->first + 1;
   if (im->xarrays[a->array].size != size) {
      im->xarrays[a->array].size = size;
      im->xarrays[a->array].comps = cc_alloc(im->c, sizeof(struct reg_comp) * 4 * size);
   }
   im->xarrays[a->array].array = -1;
   im->xarrays[a->array].indexed = true;
   im->xarrays[a->array].used = 15;
}

void
im_index_inputs(struct importer *im, uint32_t base)
{
   uint32_t first = UINT32_MAX, last = 0;
   bool pixel = im->c->out->stage == SHADER_STAGE_PS;

   for (uint32_t n = pixel ? 1 : 0; n < (pixel ? (uint32_t)IL_LINK_COUNT : 32u); n++) {
      if (im->decl.input[n].declared) {
         first = n < first ? n : first;
         last = n;
      }
   }
   if (base >= MAX_INPUTS || first > last)
      im_unsupported(im, "indexed input out of range");
   span(im, &im->in_array, base, first, last);
}

void
im_index_outputs(struct importer *im, uint32_t base)
{
   uint32_t first = UINT32_MAX, last = 0;

   for (uint32_t n = 0; n < MAX_OUTPUTS; n++) {
      if (im->decl.output[n]) {
         first = n < first ? n : first;
         last = n;
      }
   }
   if (base >= MAX_OUTPUTS || first > last || im->c->out->stage == SHADER_STAGE_GS)
      im_unsupported(im, "indexed output of a geometry shader, or out of range");
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
       dst->r.num > a->last)
      return false;
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
      struct cc_operand value[4];
      if (!im->decl.input[n].declared)
         continue;
      for (unsigned i = 0; i < 4; i++)
         value[i] = im_input(im, n, i);
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
         if (im->decl.output[n] >> i & 1) {
            im->out[n][i] = (struct reg_comp){ .defs = 1 };
            im->out[n][i].value = cc_mov(im->c, 0, im_array_element(im, &src, i));
         }
      }
   }
}
