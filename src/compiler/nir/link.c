/* SPDX-License-Identifier: MIT */
/* The link slots of varyings (il/conventions.h), and what a slot is declared as. */
#include "translate.h"

int
tr_link_slot(unsigned location)
{
   switch (location) {
   case VARYING_SLOT_POS:
      return IL_LINK_POSITION;
   case VARYING_SLOT_PSIZ:
      return IL_LINK_POINT_SIZE;
   case VARYING_SLOT_COL0:
      return IL_LINK_COLOR0;
   case VARYING_SLOT_COL1:
      return IL_LINK_COLOR1;
   case VARYING_SLOT_BFC0:
      return IL_LINK_BACK_COLOR0;
   case VARYING_SLOT_BFC1:
      return IL_LINK_BACK_COLOR1;
   case VARYING_SLOT_FOGC:
      return IL_LINK_FOG;
   case VARYING_SLOT_CLIP_VERTEX:
      return IL_LINK_CLIP_VERTEX;
   case VARYING_SLOT_CLIP_DIST0:
      return IL_LINK_CLIP_DISTANCE0;
   case VARYING_SLOT_CLIP_DIST1:
      return IL_LINK_CLIP_DISTANCE1;
   case VARYING_SLOT_CULL_DIST0:
      return IL_LINK_CULL_DISTANCE0;
   case VARYING_SLOT_CULL_DIST1:
      return IL_LINK_CULL_DISTANCE1;
   case VARYING_SLOT_PRIMITIVE_ID:
      return IL_LINK_PRIMITIVE_ID;
   case VARYING_SLOT_LAYER:
      return IL_LINK_LAYER;
   case VARYING_SLOT_VIEWPORT:
      return IL_LINK_VIEWPORT;
   case VARYING_SLOT_PNTC:
      return IL_LINK_POINT_COORD;
   default:
      if (location >= VARYING_SLOT_TEX0 && location <= VARYING_SLOT_TEX7)
         return IL_LINK_TEXCOORD0 + (location - VARYING_SLOT_TEX0);
      if (location >= VARYING_SLOT_VAR0 && location <= VARYING_SLOT_VAR31)
         return IL_LINK_GENERIC0 + (location - VARYING_SLOT_VAR0);
      return -1;
   }
}

enum il_importusage
tr_link_usage(unsigned slot)
{
   switch (slot) {
   case IL_LINK_POSITION:
      return IL_IMPORTUSAGE_POS;
   case IL_LINK_POINT_SIZE:
      return IL_IMPORTUSAGE_POINTSIZE;
   case IL_LINK_COLOR0:
   case IL_LINK_COLOR1:
      return IL_IMPORTUSAGE_COLOR;
   case IL_LINK_BACK_COLOR0:
   case IL_LINK_BACK_COLOR1:
      return IL_IMPORTUSAGE_BACKCOLOR;
   case IL_LINK_FOG:
      return IL_IMPORTUSAGE_FOG;
   case IL_LINK_CLIP_DISTANCE0:
   case IL_LINK_CLIP_DISTANCE1:
      return IL_IMPORTUSAGE_CLIPDISTANCE;
   case IL_LINK_CULL_DISTANCE0:
   case IL_LINK_CULL_DISTANCE1:
      return IL_IMPORTUSAGE_CULLDISTANCE;
   case IL_LINK_PRIMITIVE_ID:
      return IL_IMPORTUSAGE_PRIMITIVEID;
   case IL_LINK_LAYER:
      return IL_IMPORTUSAGE_RENDERTARGET_ARRAY_INDEX;
   case IL_LINK_VIEWPORT:
      return IL_IMPORTUSAGE_VIEWPORT_ARRAY_INDEX;
   default:
      return IL_IMPORTUSAGE_GENERIC;
   }
}
