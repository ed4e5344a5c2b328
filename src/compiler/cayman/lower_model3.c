/* SPDX-License-Identifier: MIT */
/*
 * Lowering of shader model 3's registers (IL 5, tables 5.3 and 5.4) to inputs and outputs by link
 * slot, with the declarations that those need; see il/conventions.h for the slots.
 *
 *  1. v# is the vertex element that DCLV names; oVtxOut# and vPixIn# have the slot of the usage
 * that DCLVOUT and DCLPIN give them.  A register of several usages, and elements that arrive in
 * other components than their own, are refused.
 *  2. Registers of models before 3 have slots of their own: position, sprite size, fog, texture
 *     coordinates, primary and secondary colours (number 1: of back faces), and interpolators as
 *     generic ones.
 *  3. oC# is colour n, vWinCoord the position.  vFace is 1.0 or -1.0, made of the front face's
 * flag.
 *
 * A program without such a register is left as it is.  Macros do not see these registers.
 */
#include "lower.h"

#include "il/conventions.h"

#include <string.h>

#define MAX_DECLARED 256 /* registers of a kind */

enum { DECLARED_VERTEX, DECLARED_OUTPUT, DECLARED_INPUT, NUM_DECLARATIONS };
static const uint16_t declaration_op[NUM_DECLARATIONS] = { IL_OP_DCLV, IL_OP_DCLVOUT,
                                                           IL_OP_DCLPIN };

/* The declarations of a register by its number: the first, and whether there are more. */
struct declared {
   const struct il_inst *inst;
   bool several;
};

struct model3 {
   struct lowerer l;
   struct compiler *c;
   bool pixel, found;
   bool input[IL_LINK_COUNT], output[IL_LINK_COUNT]; /* declared */
   struct declared declared[NUM_DECLARATIONS][MAX_DECLARED];
   uint32_t face; /* temp + 1 */
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

/* Slot of a usage and its index; -1: none. */
static int
slot_of_usage(unsigned usage, unsigned index)
{
   static const struct {
      uint8_t usage, slot, count;
   } table[] = {
      { IL_IMPORTUSAGE_POS, IL_LINK_POSITION, 1 },
      { IL_IMPORTUSAGE_POINTSIZE, IL_LINK_POINT_SIZE, 1 },
      { IL_IMPORTUSAGE_COLOR, IL_LINK_COLOR0, 2 },
      { IL_IMPORTUSAGE_BACKCOLOR, IL_LINK_BACK_COLOR0, 2 },
      { IL_IMPORTUSAGE_FOG, IL_LINK_FOG, 1 },
      { IL_IMPORTUSAGE_CLIPDISTANCE, IL_LINK_CLIP_DISTANCE0, 2 },
      { IL_IMPORTUSAGE_GENERIC, IL_LINK_GENERIC0, IL_LINK_COUNT - IL_LINK_GENERIC0 },
   };

   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      if (table[i].usage == usage && index < table[i].count) {
         return table[i].slot + (int)index;
      }
   }
   return -1;
}

static void
note_declaration(struct model3 *m, const struct il_inst *inst)
{
   for (unsigned kind = 0; kind < NUM_DECLARATIONS; kind++) {
      if (inst->op == declaration_op[kind] && inst->ndst && inst->dst[0].r.num < MAX_DECLARED) {
         struct declared *d = &m->declared[kind][inst->dst[0].r.num];
         d->several = d->inst != NULL;
         d->inst = inst;
      }
   }
}

/* The one declaration of a register. */
static const struct il_inst *
declaration_of(const struct model3 *m, unsigned kind, uint32_t num)
{
   const struct declared none = { 0 }, *d = num < MAX_DECLARED ? &m->declared[kind][num] : &none;
   const char *name = il_op_info(declaration_op[kind])->name;

   if (d->several) {
      cc_fail(m->c, "not implemented: a register of several %ss", name);
   }
   if (!d->inst || (il_has_pri(d->inst) && d->inst->pri & 0xff)) {
      cc_fail(m->c, "not implemented: a register without %s, or with one of its components' own",
              name);
   }
   return d->inst;
}

/* Where the interpolator of a DCLPIN samples. */
static unsigned
interp_of(const struct il_inst *dcl, unsigned usage)
{
   uint32_t how = il_has_pri(dcl) ? dcl->pri >> 8 & 7 : 0; /* centroid, constant, no perspective */

   if (how & 2) {
      return IL_INTERPMODE_CONSTANT;
   }
   if (!how && usage == IL_IMPORTUSAGE_COLOR) {
      return IL_INTERPMODE_NOTUSED;
   }
   return how & 4 ? (how & 1 ? IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID
                             : IL_INTERPMODE_LINEAR_NOPERSPECTIVE)
                  : (how & 1 ? IL_INTERPMODE_LINEAR_CENTROID : IL_INTERPMODE_LINEAR);
}

/* A register that its declaration gives a usage. */
static void
map_declared(struct model3 *m, struct il_ref *r)
{
   const struct il_inst *dcl =
      declaration_of(m, m->pixel ? DECLARED_INPUT : DECLARED_OUTPUT, r->num);
   unsigned usage = dcl->ctl & 31;
   int slot = slot_of_usage(usage, dcl->ctl >> 5 & 255);

   if (slot < 0) {
      cc_fail(m->c, "not implemented: usage %u of a register of shader model 3", usage);
   }
   declare(m, !m->pixel, (unsigned)slot, usage, interp_of(dcl, usage));
   r->type = m->pixel ? IL_REGTYPE_INPUT : IL_REGTYPE_OUTPUT;
   r->num = (uint32_t)slot;
}

/* Registers whose names say what they are. */
static bool
map_named(struct model3 *m, struct il_ref *r)
{
   static const struct {
      uint8_t type, stages, slot, step, count, usage, interp;
   } table[] = {
      { IL_REGTYPE_POS, 1, IL_LINK_POSITION, 1, 1, IL_IMPORTUSAGE_POS, 0 },
      { IL_REGTYPE_SPRITE, 1, IL_LINK_POINT_SIZE, 1, 1, IL_IMPORTUSAGE_POINTSIZE, 0 },
      { IL_REGTYPE_FOG, 3, IL_LINK_FOG, 1, 1, IL_IMPORTUSAGE_FOG, IL_INTERPMODE_LINEAR },
      { IL_REGTYPE_TEXCOORD, 3, IL_LINK_TEXCOORD0, 1, 8, IL_IMPORTUSAGE_GENERIC,
        IL_INTERPMODE_LINEAR },
      { IL_REGTYPE_PRICOLOR, 3, IL_LINK_COLOR0, 2, 2, IL_IMPORTUSAGE_COLOR, 0 },
      { IL_REGTYPE_SECCOLOR, 3, IL_LINK_COLOR1, 2, 2, IL_IMPORTUSAGE_COLOR, 0 },
      { IL_REGTYPE_INTERP, 3, IL_LINK_GENERIC0, 1, 32, IL_IMPORTUSAGE_GENERIC,
        IL_INTERPMODE_LINEAR },
      { IL_REGTYPE_WINCOORD, 2, IL_LINK_POSITION, 1, 1, IL_IMPORTUSAGE_POS, IL_INTERPMODE_LINEAR },
      { IL_REGTYPE_SPRITECOORD, 2, IL_LINK_POINT_COORD, 1, 1, IL_IMPORTUSAGE_GENERIC,
        IL_INTERPMODE_LINEAR },
   };

   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      if (table[i].type != r->type || !(table[i].stages >> m->pixel & 1)) {
         continue;
      }
      unsigned number = il_reg_info(r->type)->form == IL_FORM_NUM ? r->num : 0, slot,
               usage = table[i].usage;
      if (number >= table[i].count) {
         cc_fail(m->c, "not implemented: register %u of a kind that has %u", number,
                 table[i].count);
      }
      slot = table[i].slot + number * table[i].step;
      if (usage == IL_IMPORTUSAGE_COLOR && number) {
         usage = IL_IMPORTUSAGE_BACKCOLOR;
      }
      declare(m, !m->pixel, slot, usage, table[i].interp);
      r->type = m->pixel ? IL_REGTYPE_INPUT : IL_REGTYPE_OUTPUT;
      r->num = slot;
      return true;
   }
   return false;
}

static bool is_model3(unsigned type, bool pixel);

static void
map_ref(struct lowerer *l, struct il_ref *r, void *data)
{
   struct model3 *m = data;

   (void)l;
   if (!is_model3(r->type, m->pixel)) {
      return;
   }
   if (r->rel != IL_ADDR_ABSOLUTE) {
      cc_fail(m->c, "not implemented: a register of shader model 3 at an index");
   }
   switch (r->type) {
   case IL_REGTYPE_VERTEX: {
      unsigned element = declaration_of(m, DECLARED_VERTEX, r->num)->ctl & 63;
      if (element > 31) {
         cc_fail(m->c, "not implemented: vertex element above 31");
      }
      declare(m, false, element, IL_IMPORTUSAGE_GENERIC, 0);
      r->type = IL_REGTYPE_INPUT;
      r->num = element;
      break;
   }
   case IL_REGTYPE_VOUTPUT:
   case IL_REGTYPE_PINPUT:
      map_declared(m, r);
      break;
   case IL_REGTYPE_PCOLOR:
      if (r->num > 7) {
         cc_fail(m->c, "not implemented: colour above 7");
      }
      declare(m, true, r->num, IL_IMPORTUSAGE_GENERIC, 0);
      r->type = IL_REGTYPE_OUTPUT;
      break;
   case IL_REGTYPE_FACE:
      r->type = IL_REGTYPE_TEMP;
      r->num = m->face - 1;
      break;
   default:
      map_named(m, r);
      break;
   }
}

/* Is it a register that map_ref() replaces? */
static bool
is_model3(unsigned type, bool pixel)
{
   switch (type) {
   case IL_REGTYPE_VERTEX:
   case IL_REGTYPE_VOUTPUT:
   case IL_REGTYPE_POS:
   case IL_REGTYPE_SPRITE:
      return !pixel;
   case IL_REGTYPE_PINPUT:
   case IL_REGTYPE_PCOLOR:
   case IL_REGTYPE_FACE:
   case IL_REGTYPE_WINCOORD:
   case IL_REGTYPE_SPRITECOORD:
      return pixel;
   case IL_REGTYPE_FOG:
   case IL_REGTYPE_TEXCOORD:
   case IL_REGTYPE_PRICOLOR:
   case IL_REGTYPE_SECCOLOR:
   case IL_REGTYPE_INTERP:
      return true;
   default:
      return false;
   }
}

/* What a reference names, and the registers that are taken. */
static void
note_ref(const struct il_ref *r, void *data)
{
   struct model3 *m = data;

   m->found |= is_model3(r->type, m->pixel);
   if (r->type == IL_REGTYPE_FACE && m->pixel) {
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
   m->pixel = pixel;
   for (uint32_t n = 0; n < p->ninsts; n++) {
      lower_visit_refs(&p->insts[n], note_ref, m);
      if (n >= p->first_main) {
         note_declaration(m, &p->insts[n]);
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
