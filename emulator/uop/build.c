/* SPDX-License-Identifier: MIT */
/*
 * The builder of lifted micro-operations, for the lifters of every instruction set: lists that
 * grow, literals that are shared, temporaries that live as long as the lifter says.
 */
#include <stdlib.h>
#include <string.h>

#include "uop/uop.h"

/* Literals are looked for among so many: few programs repeat one from farther away. */
#define SHARED_LITERALS 256u

void
uop_code_free(struct uop_code *code)
{
   free(code->uops);
   free(code->literals);
   memset(code, 0, sizeof(*code));
}

bool
uop_grow(struct uop_builder *b, void **array, uint32_t count, uint32_t *cap, size_t size)
{
   if (count < *cap)
      return true;
   uint32_t n = *cap ? *cap * 2 : 32;
   void *p = n > *cap ? realloc(*array, n * size) : NULL;
   if (!p) {
      b->oom = true;
      return false;
   }
   *array = p;
   *cap = n;
   return true;
}

struct uop *
uop_add(struct uop_builder *b, enum uop_id op)
{
   struct uop_code *code = b->code;
   unsigned records = uop_infos[op].records;
   uint32_t first = code->num_uops;

   for (unsigned n = 0; n < records; n++) {
      if (!uop_grow(b, (void **)&code->uops, first + n, &b->cap_uops, sizeof(*code->uops))) {
         memset(b->nowhere, 0, sizeof(b->nowhere));
         return b->nowhere;
      }
      code->uops[first + n] =
         (struct uop){ .op = n ? UOP_PART : (uint16_t)op, .length = 1, .origin = b->origin };
   }
   code->num_uops += records;
   code->uops[first].length = (uint8_t)records;
   return &code->uops[first];
}

struct uop *
uop_emit(struct uop_builder *b, enum uop_id op, uint32_t dst, struct uop_operand a,
         struct uop_operand b0, struct uop_operand c)
{
   const struct uop_operand src[3] = { a, b0, c };
   struct uop *u = uop_add(b, op);

   u->dst = dst;
   for (unsigned n = 0; n < uop_infos[op].operands; n++)
      u->src[n] = src[n];
   return u;
}

struct uop_operand
uop_literal(struct uop_builder *b, uint32_t value)
{
   struct uop_code *code = b->code;
   uint32_t n = code->num_literals > SHARED_LITERALS ? code->num_literals - SHARED_LITERALS : 0;

   while (n < code->num_literals && code->literals[n] != value)
      n++;
   if (n == code->num_literals) {
      b->full |= n == UNI_MAX;
      if (b->full ||
          !uop_grow(b, (void **)&code->literals, n, &b->cap_literals, sizeof(*code->literals)))
         return (struct uop_operand){ .kind = UOP_LITERAL, .at = 0 };
      code->literals[code->num_literals++] = value;
   }
   return (struct uop_operand){ .kind = UOP_LITERAL, .at = n };
}

void
uop_settle(struct uop_builder *b, uint32_t to, struct uop_operand from)
{
   const struct uop_code *code = b->code;
   struct uop *last = code->num_uops ? &code->uops[code->num_uops - 1] : NULL;

   /* Lane-wise operations read a lane before they write it, so `to` may be an operand, too. */
   if (last && !b->oom && from.kind == UOP_ROW && !from.mods && last->dst == from.at &&
       from.at >= b->first_temp * COMP_BYTES && last->origin == b->origin && last->length == 1 &&
       last->op != UOP_PART && uop_infos[last->op].effect == UOP_EFFECT_LANE &&
       (uop_infos[last->op].result == UOP_RESULT_F || uop_infos[last->op].result == UOP_RESULT_B))
      last->dst = to;
   else
      uop_emit(b, UOP_MOV, to, from, from, from);
}

struct uop_operand
uop_temp(struct uop_builder *b)
{
   uint32_t n = b->first_temp + b->next_temp;

   if (n >= b->end_temp) {
      b->out_of_temps = true;
      return uop_row(b->first_temp * COMP_BYTES);
   }
   b->next_temp++;
   return uop_row(n * COMP_BYTES);
}

void
uop_free_temps(struct uop_builder *b, uint32_t keep)
{
   b->next_temp = keep;
}

unsigned
uop_uniforms(const struct uop *u)
{
   unsigned mask = 0;

   for (unsigned n = 0; n < 3; n++)
      mask |= (unsigned)uop_is_uniform(&u->src[n]) << n;
   return mask;
}

/* Factors and summands commute: NaN results are all the same. */
void
uop_normalise(struct uop *u)
{
   const struct uop_info *info = &uop_infos[u->op];

   if (info->form != UOP_FORM_FUSED || info->operands < 2 || uop_is_uniform(&u->src[0]) ||
       !uop_is_uniform(&u->src[1]))
      return;
   struct uop_operand first = u->src[0];
   u->src[0] = u->src[1];
   u->src[1] = first;
}

bool
uop_can_fuse(const struct uop *const *u, unsigned n)
{
   if (n < 2 || n > 4 || uop_infos[u[0]->op].form != UOP_FORM_FUSED)
      return false;
   unsigned kinds = uop_uniforms(u[0]);
   if (kinds & 2) /* normalised, only two uniforms have that */
      return false;
   for (unsigned s = 0; s < n; s++)
      if (u[s]->op != u[0]->op || uop_uniforms(u[s]) != kinds || u[s]->scale || u[s]->clamp ||
          u[s]->when)
         return false;
   return true;
}
