/* SPDX-License-Identifier: MIT */
/* What the readers and writers of IL share. */
#ifndef IL_INTERNAL_H
#define IL_INTERNAL_H

#include "il.h"

/* Whether control bits 14 and 15 announce modifier dwords.  They do unless the opcode's field
 * takes the bits for itself (7.2.3, 7.5, 7.15; notes on MACRODEF). */
static inline bool
il_ctl_has_modifier_bits(enum il_ctl kind)
{
   switch (kind) {
   case IL_CTL_FIRSTBIT:
   case IL_CTL_STREAM:
   case IL_CTL_PHASE:
   case IL_CTL_TS_DOMAIN:
   case IL_CTL_TS_PARTITION:
   case IL_CTL_TS_OUTPUT:
   case IL_CTL_RESOURCE:
   case IL_CTL_DCL_CB:
   case IL_CTL_UAV_RAW:
   case IL_CTL_ARENA:
   case IL_CTL_MACRO:
   case IL_CTL_PREFIX:
   case IL_CTL_DCL_UAV:
   case IL_CTL_X_UAV:
      return false;
   default:
      return true;
   }
}

static inline bool
il_inst_has_pri(const struct il_op_info *info, const struct il_inst *inst)
{
   return il_has_pri(inst) && il_ctl_has_modifier_bits(info->ctl);
}

static inline bool
il_inst_has_sec(const struct il_op_info *info, const struct il_inst *inst)
{
   return il_has_sec(inst) && il_ctl_has_modifier_bits(info->ctl);
}

/* The family with a resource type and an address offset by bits 12 and 13. */
static inline bool
il_inst_has_restype(const struct il_op_info *info, const struct il_inst *inst)
{
   return il_indexed(inst) &&
          (info->ctl == IL_CTL_SAMPLE || info->ctl == IL_CTL_LOAD || info->ctl == IL_CTL_INFO);
}

static inline bool
il_inst_has_aoff(const struct il_op_info *info, const struct il_inst *inst)
{
   return il_has_aoff(inst) && (info->ctl == IL_CTL_SAMPLE || info->ctl == IL_CTL_LOAD);
}

/* Operand counts with index sources, for everything but macro calls. */
static inline unsigned
il_inst_num_srcs(const struct il_op_info *info, const struct il_inst *inst)
{
   if (info->data == IL_DATA_DCL_CB)
      return il_immediate(inst) ? 0 : 1;
   if (!il_indexed(inst))
      return info->srcs;
   switch (info->ctl) {
   case IL_CTL_SAMPLE:
   case IL_CTL_LOAD:
   case IL_CTL_INFO:
      return info->srcs + 2;
   case IL_CTL_SRV:
      return info->srcs + 1;
   default:
      return info->srcs;
   }
}

/* Fills an error; returns false so that callers can `return il_fail(...)`. */
bool il_fail(struct il_error *err, uint32_t where, uint32_t column, const char *fmt, ...)
   __attribute__((format(printf, 4, 5)));

#endif
