/* SPDX-License-Identifier: MIT */
/*
 * Lowering of shader model 3's registers to inputs and outputs by link slot (il/model3.h), with the
 * declarations that those need.  vFace is made of the front face's flag.
 *
 * A program without such a register is left as it is.  Macros do not see these registers.
 */
#include "lower.h"

#include "il/conventions.h"
#include "il/model3.h"

#include <string.h>

struct model3 {
   struct lowerer l;
   struct compiler *c;
   struct il_model3 model;
   bool found;
   bool input[IL_LINK_COUNT], output[IL_LINK_COUNT]; /* declared */
   uint32_t face;                                    /* temp + 1 */
   uint32_t next_temp, next_literal;
};

static void
declare(struct model3 *m, bool output, unsigned slot, unsigned usage, unsigned interp)
{
   bool *declared = output ? &m->output[slot] : &m->input[slot];
   struct il_inst inst = { .op = output ? IL_OP_DCL_OUTPUT : IL_OP_DCL_INPUT, .ndst = 1 };

   if (*declared) {
      return;
   }
   *declared = true;
   inst.ctl = usage | (output ? 0 : interp << 5);
   inst.dst = cc_alloc(m->c, sizeof(*inst.dst));
   *inst.dst = il_dst(output ? IL_REGTYPE_OUTPUT : IL_REGTYPE_INPUT, slot);
   lower_add(&m->l, &inst);
}

static void
map_ref(struct lowerer *l, struct il_ref *r, void *data)
{
   struct model3 *m = data;
   struct il_model3_place place;
   char error[128];

   (void)l;
   if (!il_model3_register(r->type, m->model.pixel)) {
      return;
   }
   if (r->type == IL_REGTYPE_FACE && r->rel == IL_ADDR_ABSOLUTE) {
      r->type = IL_REGTYPE_TEMP;
      r->num = m->face - 1;
      return;
   }
   if (!il_model3_place(&m->model, r, &place, error, sizeof(error))) {
      cc_fail(m->c, "not implemented: %s", error);
   }
   declare(m, place.output, place.slot, place.usage, place.interp);
   r->type = place.output ? IL_REGTYPE_OUTPUT : IL_REGTYPE_INPUT;
   r->num = place.slot;
}

/* What a reference names, and the registers that are taken. */
static void
note_ref(const struct il_ref *r, void *data)
{
   struct model3 *m = data;

   m->found |= il_model3_register(r->type, m->model.pixel);
   if (r->type == IL_REGTYPE_FACE && m->model.pixel) {
      m->face = 1;
   }
   if (r->type == IL_REGTYPE_TEMP && r->num >= m->next_temp) {
      m->next_temp = r->num + 1;
   }
   if (r->type == IL_REGTYPE_LITERAL && r->num >= m->next_literal) {
      m->next_literal = r->num + 1;
   }
}

/* cmov_logical face, v96.x, 1.0, -1.0 */
static void
make_face(struct model3 *m)
{
   static const uint32_t signs[4] = { 0x3f800000, 0xbf800000, 0, 0 };
   struct il_inst literal = { .op = IL_OP_DCL_LITERAL, .nsrc = 1, .ndata = 4 };
   struct il_inst move = { .op = IL_OP_CMOV_LOGICAL, .ndst = 1, .nsrc = 3 };
   struct il_inst flag = { .op = IL_OP_DCL_INPUT,
                           .ndst = 1,
                           .ctl = IL_IMPORTUSAGE_ISFRONTFACE | IL_INTERPMODE_CONSTANT << 5 };
   struct il_src *src = cc_alloc(m->c, 4 * sizeof(*src));
   struct il_dst *dst = cc_alloc(m->c, 2 * sizeof(*dst));

   m->face = m->next_temp + 1;
   dst[0] = il_dst(IL_REGTYPE_TEMP, m->next_temp);
   dst[1] = il_dst(IL_REGTYPE_INPUT, IL_PS_INPUT_FRONT_FACE);
   src[3] = il_src(IL_REGTYPE_LITERAL, m->next_literal);
   src[0] = il_replicate(il_src(IL_REGTYPE_INPUT, IL_PS_INPUT_FRONT_FACE), 0);
   src[1] = il_replicate(src[3], 0);
   src[2] = il_replicate(src[3], 1);
   literal.src = &src[3];
   literal.data = cc_alloc(m->c, sizeof(signs));
   memcpy(literal.data, signs, sizeof(signs));
   flag.dst = &dst[1];
   move.dst = &dst[0];
   move.src = src;
   lower_add(&m->l, &flag);
   lower_add(&m->l, &literal);
   lower_add(&m->l, &move);
}

static bool
is_declaration(unsigned op)
{
   return op == IL_OP_DCLV || op == IL_OP_DCLVOUT || op == IL_OP_DCLPIN || op == IL_OP_DCLPI ||
          op == IL_OP_DCLPP;
}

void
lower_model3(struct compiler *c)
{
   const struct il_program *p = c->il;
   bool pixel = p->shader == IL_SHADER_PIXEL;

   if (!pixel && p->shader != IL_SHADER_VERTEX) {
      return;
   }
   struct model3 *m = cc_alloc(c, sizeof(*m));
   m->c = m->l.c = c;
   m->l.in = p;
   m->model.pixel = pixel;
   for (uint32_t n = 0; n < p->ninsts; n++) {
      lower_visit_refs(&p->insts[n], note_ref, m);
      if (n >= p->first_main) {
         il_model3_declare(&m->model, &p->insts[n]);
      }
   }
   if (!m->found) {
      return;
   }
   m->l.out = cc_alloc(c, sizeof(*m->l.out));
   *m->l.out = *p;
   m->l.out->ninsts = 0;
   m->l.out->insts = NULL;
   for (uint32_t n = 0; n < p->ninsts; n++) {
      m->l.place = n + 1;
      if (p->insts[n].op == IL_OP_DCLPI && p->insts[n].ctl & 0xeff) {
         cc_fail(c, "not implemented: dclpi that changes what is imported");
      }
      if (n == p->first_main && m->face) {
         make_face(m);
      }
      if (n < p->first_main) {
         lower_add(&m->l, &p->insts[n]);
      } else if (!is_declaration(p->insts[n].op)) {
         lower_copy_inst(&m->l, &p->insts[n], map_ref, m);
      }
   }
   c->il = m->l.out;
}
