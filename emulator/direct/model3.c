/* SPDX-License-Identifier: MIT */
/*
 * Registers of shader model 3 and before: each is an input or an output by link slot, as
 * il/model3.h has it.  An input that a pixel shader reads is interpolated as its declaration says.
 * Macros do not see these registers.
 */
#include "direct/lift.h"

/* `r` by its slot.  False: it is no such register, or it is refused. */
bool
direct_old_ref(struct direct *d, const struct il_ref *r, struct il_ref *to)
{
   struct il_model3_place place;
   char error[128];

   if ((d->il->shader != IL_SHADER_VERTEX && !d->model.pixel) ||
       !il_model3_register(r->type, d->model.pixel) || r->type == IL_REGTYPE_FACE) {
      return false;
   }
   if (d->macro) {
      direct_refuse(d, "a register of shader model 3 inside a macro");
      return false;
   }
   if (!il_model3_place(&d->model, r, &place, error, sizeof(error))) {
      direct_refuse(d, "%s", error);
      return false;
   }
   *to = *r;
   to->type = place.output ? IL_REGTYPE_OUTPUT : IL_REGTYPE_INPUT;
   to->num = place.slot;
   if (!place.output && d->model.pixel && !d->input[place.slot].declared) {
      d->input[place.slot].declared = true;
      d->input[place.slot].mode = (uint8_t)place.interp;
   }
   return true;
}

/* 1.0 of a front face, else -1.0. */
struct uop_operand
direct_old_face(struct direct *d)
{
   struct uop_operand front = DOP2(SETGT_DX10, direct_row(4, 0), direct_literal(d, 0));

   return DOP3(CNDE_INT, front, direct_literal(d, 0xbf800000), direct_literal(d, 0x3f800000));
}
