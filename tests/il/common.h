/* SPDX-License-Identifier: MIT */
/* One program per opcode, for the round-trip tests. */
#ifndef TESTS_IL_COMMON_H
#define TESTS_IL_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "il/il.h"

static inline bool
has_index_bit(const struct il_op_info *info)
{
   return info->ctl == IL_CTL_SAMPLE || info->ctl == IL_CTL_LOAD || info->ctl == IL_CTL_INFO ||
          info->ctl == IL_CTL_SRV;
}

/* Control values worth trying: all clear, all fields at 1, indexed, with offset, with a modifier.
 */
static inline unsigned
variant_ctl(const struct il_op_info *info, unsigned variant)
{
   switch (variant) {
   case 0:
      return info->ctl == IL_CTL_DIMS ? 2 : 0;
   case 1:
      return info->ctl == IL_CTL_DIMS ? 1 : info->ctl == IL_CTL_DCL_CB ? 0x8000 : 0x0001;
   case 2:
      return has_index_bit(info) ? 0x1002 : info->ctl == IL_CTL_DIMS ? 3 : 0x0002;
   default:
      return info->ctl == IL_CTL_SAMPLE   ? 0xf203
             : info->ctl == IL_CTL_LOAD   ? 0xb003
             : info->ctl == IL_CTL_DIMS   ? 2
             : info->ctl == IL_CTL_DCL_CB ? 0x8000
                                          : 0x0000;
   }
}

/* A program that holds one instruction of the row, with operands that use most forms. */
static inline struct il_program *
one_inst(const struct il_op_info *info, unsigned variant)
{
   struct il_program *p = il_program_new(IL_SHADER_PIXEL);
   unsigned ctl = variant_ctl(info, variant);
   unsigned nsrc = info->srcs;
   if (info->data == IL_DATA_DCL_CB)
      nsrc = ctl & 0x8000 ? 0 : 1;
   else if (has_index_bit(info) && (ctl & 0x1000))
      nsrc += info->ctl == IL_CTL_SRV ? 1 : 2;

   struct il_src idx = il_replicate(il_src(IL_REGTYPE_TEMP, 9), IL_COMPSEL_Z_B);
   struct il_src srcs[6] = {
      il_src(IL_REGTYPE_TEMP, 1),
      il_negate(il_swizzle(il_src(IL_REGTYPE_LITERAL, 2), 3, 2, 1, 0)),
      il_array_src(p, IL_REGTYPE_CONST_BUFF, 3, 7, &idx),
      il_absolute(il_array_src(p, IL_REGTYPE_ITEMP, 4, 5, NULL)),
      il_replicate(il_src(IL_REGTYPE_INPUT, 5), 1),
      il_src(IL_REGTYPE_TEMP, 70000),
   };
   srcs[5].r.extended = true;
   if (info->data == IL_DATA_DCL_CB)
      srcs[0] = il_array_src(p, IL_REGTYPE_CONST_BUFF, 1, 16, NULL);
   struct il_dst dst = il_dst_masked(il_dst(IL_REGTYPE_TEMP, 8), variant ? 5 : 15);
   if (variant == 2)
      dst = il_dst_saturate(il_array_dst(p, IL_REGTYPE_ITEMP, 1, 2, &idx));

   uint32_t data[8] = { 0x3f800000, 2, 3, 0xdeadbeef, 5, 6, 7, 8 };
   unsigned ndata = 0;
   switch (info->data) {
   case IL_DATA_WORD:
   case IL_DATA_FLOAT:
   case IL_DATA_BOOL:
   case IL_DATA_LABEL:
      ndata = 1;
      break;
   case IL_DATA_WORD2:
      ndata = 2;
      break;
   case IL_DATA_FLOAT4:
   case IL_DATA_BITS4:
      ndata = 4;
      break;
   case IL_DATA_FORMATS:
      ndata = 1;
      data[0] = 5u << 20 | 3u << 23 | 4u << 26 | 2u << 29;
      break;
   case IL_DATA_MACRODEF:
      ndata = 1;
      data[0] = 0x10203;
      break;
   case IL_DATA_DIMS:
      ndata = ctl;
      break;
   case IL_DATA_STRING:
   case IL_DATA_BLOB:
      ndata = 3;
      data[0] = 2;
      break;
   case IL_DATA_TABLE:
      ndata = 4;
      data[0] = 3;
      break;
   case IL_DATA_INTERFACE:
      ndata = 5;
      data[2] = 2;
      break;
   case IL_DATA_DCL_CB:
      ndata = ctl & 0x8000 ? 5 : 0;
      data[0] = 4;
      break;
   default:
      break;
   }
   struct il_inst *inst =
      il_emit_data(p, info->value, ctl, info->dsts ? &dst : NULL, nsrc, srcs, ndata, data);
   assert_non_null(inst);
   if (info->ctl == IL_CTL_SAMPLE && variant == 3) {
      inst->pri = 0x1a;
      inst->sec = 0x77;
   }
   if (variant >= 2 && has_index_bit(info))
      inst->restype = IL_USAGE_PIXTEX_2DARRAY;
   if (variant == 3 && (ctl & 0x2000))
      inst->aoff = 0xfe | 0x0d << 8 | 0x80 << 16;
   if (variant == 1)
      il_set_prec(inst, info->value & 15);
   il_emit(p, IL_OP_END, 0, NULL, 0, NULL);
   assert_false(p->oom);
   return p;
}

#endif
