/* SPDX-License-Identifier: MIT */
/* See model3.h. */
#include "il/model3.h"

#include <stdio.h>

#include "il/conventions.h"

enum { VERTEX, OUTPUT, INPUT, KINDS };
static const uint16_t declaration_op[KINDS] = { IL_OP_DCLV, IL_OP_DCLVOUT, IL_OP_DCLPIN };

void
il_model3_declare(struct il_model3 *m, const struct il_inst *inst)
{
   for (unsigned kind = 0; kind < KINDS; kind++) {
      if (inst->op == declaration_op[kind] && inst->ndst &&
          inst->dst[0].r.num < IL_MODEL3_REGISTERS) {
         uint32_t n = inst->dst[0].r.num;
         m->declared[kind][n].several = m->declared[kind][n].inst != NULL;
         m->declared[kind][n].inst = inst;
      }
   }
}

bool
il_model3_register(unsigned type, bool pixel)
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

   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
      if (table[i].usage == usage && index < table[i].count)
         return table[i].slot + (int)index;
   return -1;
}

/* Where the interpolator of a DCLPIN samples. */
static unsigned
interp_of(const struct il_inst *dcl, unsigned usage)
{
   uint32_t how = il_has_pri(dcl) ? dcl->pri >> 8 & 7 : 0; /* centroid, constant, no perspective */

   if (how & 2)
      return IL_INTERPMODE_CONSTANT;
   if (!how && usage == IL_IMPORTUSAGE_COLOR)
      return IL_INTERPMODE_NOTUSED;
   return how & 4 ? (how & 1 ? IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID
                             : IL_INTERPMODE_LINEAR_NOPERSPECTIVE)
                  : (how & 1 ? IL_INTERPMODE_LINEAR_CENTROID : IL_INTERPMODE_LINEAR);
}

/* The one declaration of a register, or NULL. */
static const struct il_inst *
declaration_of(const struct il_model3 *m, unsigned kind, uint32_t n, char *error, size_t size)
{
   const char *name = il_op_info(declaration_op[kind])->name;
   const struct il_inst *inst = n < IL_MODEL3_REGISTERS ? m->declared[kind][n].inst : NULL;

   if (inst && m->declared[kind][n].several) {
      snprintf(error, size, "a register of several %ss", name);
      return NULL;
   }
   if (!inst || (il_has_pri(inst) && inst->pri & 0xff)) {
      snprintf(error, size, "a register without %s, or with one of its components' own", name);
      return NULL;
   }
   return inst;
}

/* A register that its declaration gives a usage. */
static bool
declared(const struct il_model3 *m, uint32_t n, struct il_model3_place *place, char *error,
         size_t size)
{
   const struct il_inst *dcl = declaration_of(m, m->pixel ? INPUT : OUTPUT, n, error, size);

   if (!dcl)
      return false;
   unsigned usage = il_input_usage(dcl);
   int slot = slot_of_usage(usage, il_usage_index(dcl));
   if (slot < 0) {
      snprintf(error, size, "usage %u of a register of shader model 3", usage);
      return false;
   }
   *place = (struct il_model3_place){ !m->pixel, (unsigned)slot, usage, interp_of(dcl, usage) };
   return true;
}

/* Registers with names that say what they are. */
static bool
named(const struct il_model3 *m, const struct il_ref *r, struct il_model3_place *place, char *error,
      size_t size)
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
      if (table[i].type != r->type || !(table[i].stages >> m->pixel & 1))
         continue;
      unsigned number = il_reg_info(r->type)->form == IL_FORM_NUM ? r->num : 0;
      if (number >= table[i].count) {
         snprintf(error, size, "register %u of a kind that has %u", number, table[i].count);
         return false;
      }
      bool back = table[i].usage == IL_IMPORTUSAGE_COLOR && number;
      *place = (struct il_model3_place){ !m->pixel, table[i].slot + number * table[i].step,
                                         back ? IL_IMPORTUSAGE_BACKCOLOR : table[i].usage,
                                         table[i].interp };
      return true;
   }
   snprintf(error, size, "a register of shader model 3 that this stage has not");
   return false;
}

bool
il_model3_place(const struct il_model3 *m, const struct il_ref *r, struct il_model3_place *place,
                char *error, size_t size)
{
   const struct il_inst *dcl;

   if (r->rel != IL_ADDR_ABSOLUTE) {
      snprintf(error, size, "a register of shader model 3 at an index");
      return false;
   }
   switch (r->type) {
   case IL_REGTYPE_VERTEX:
      dcl = declaration_of(m, VERTEX, r->num, error, size);
      if (dcl && il_element(dcl) > 31) {
         snprintf(error, size, "vertex element above 31");
         return false;
      }
      *place =
         (struct il_model3_place){ false, dcl ? il_element(dcl) : 0, IL_IMPORTUSAGE_GENERIC, 0 };
      return dcl != NULL;
   case IL_REGTYPE_VOUTPUT:
   case IL_REGTYPE_PINPUT:
      return declared(m, r->num, place, error, size);
   case IL_REGTYPE_PCOLOR:
      if (r->num > 7) {
         snprintf(error, size, "colour above 7");
         return false;
      }
      *place = (struct il_model3_place){ true, r->num, IL_IMPORTUSAGE_GENERIC, 0 };
      return true;
   default:
      return named(m, r, place, error, size);
   }
}
