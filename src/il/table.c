/* SPDX-License-Identifier: MIT */
/* The opcode and register tables as data, made from opcodes.def and registers.def. */
#include "il.h"

#define NONE    IL_STAGE_NONE
#define ALL     IL_STAGE_ALL
#define VS      IL_STAGE_VS
#define PS      IL_STAGE_PS
#define GS      IL_STAGE_GS
#define CS      IL_STAGE_CS
#define HS      IL_STAGE_HS
#define DS      IL_STAGE_DS
#define KNOWN   true
#define UNKNOWN false

static const struct il_op_info op_rows[] = {
#define OP(val, id, text, ndst, nsrc, ty, control, words, cat, where, mod, shape, reads, fl, cond, \
           who, part, pg)                                                                          \
   { text,                                                                                         \
     pg,                                                                                           \
     val,                                                                                          \
     ndst,                                                                                         \
     nsrc,                                                                                         \
     IL_TYPE_##ty,                                                                                 \
     IL_CTL_##control,                                                                             \
     IL_DATA_##words,                                                                              \
     IL_CAT_##cat,                                                                                 \
     where,                                                                                        \
     IL_MODEL_##mod,                                                                               \
     IL_READS_##reads,                                                                             \
     IL_FLOW_##fl,                                                                                 \
     IL_TEST_##cond,                                                                               \
     IL_CORE_##who,                                                                                \
     IL_UNIT_##part,                                                                               \
     shape },
#include "opcodes.def"
#undef OP
};

#define NUM_ROWS (sizeof(op_rows) / sizeof(op_rows[0]))

/* il_op_info() indexes rows by number: the document's opcodes are dense from 0, ours from 0x4000.
 */
enum {
#define OP(val, id, ...) row_##id,
#include "opcodes.def"
#undef OP
};

#define OP(val, id, ...)                                                                      \
   _Static_assert((val) < 0x4000 ? row_##id == (val) : row_##id == (val)-0x4000 + IL_OP_LAST, \
                  "opcodes.def is out of order at " #id);
#include "opcodes.def"
#undef OP

static const struct il_reg_info reg_rows[] = {
#define REG(val, id, text, shape, n, acc, where, mod, section) \
   [val] = { text, IL_FORM_##shape, n, IL_ACCESS_##acc, where, IL_MODEL_##mod },
#include "registers.def"
#undef REG
};

_Static_assert(sizeof(reg_rows) / sizeof(reg_rows[0]) == IL_REGTYPE_LAST, "63 register types");

unsigned
il_block_depth(unsigned depth, unsigned opcode)
{
   const struct il_op_info *info = il_op_info(opcode);

   switch (info ? info->flow : IL_FLOW_NONE) {
   case IL_FLOW_IF:
   case IL_FLOW_LOOP:
   case IL_FLOW_SWITCH:
      return depth + 1;
   case IL_FLOW_ENDIF:
   case IL_FLOW_ENDLOOP:
   case IL_FLOW_ENDSWITCH:
      return depth ? depth - 1 : 0;
   default:
      return depth;
   }
}

bool
il_is_move(unsigned op)
{
   return op == IL_OP_MOV || op == IL_OP_INV_MOV || op == IL_OP_CMOV_LOGICAL;
}

unsigned
il_op_modifiers(const struct il_op_info *info)
{
   if (info->type == IL_TYPE_FLOAT || il_is_move(info->value))
      return IL_SRC_EACH;
   switch (info->type) {
   case IL_TYPE_DOUBLE:
      return IL_SRC_ABS | IL_SRC_NEG;
   case IL_TYPE_INT:
   case IL_TYPE_UINT:
   case IL_TYPE_INT64:
   case IL_TYPE_UINT64:
      return IL_SRC_NEG;
   default:
      return 0;
   }
}

enum il_part
il_src_part(const struct il_inst *inst, unsigned s)
{
   static const uint8_t parts[][3] = {
#define X(name, first, second, rest) { IL_PART_##first, IL_PART_##second, IL_PART_##rest },
      IL_READS_LIST(X)
#undef X
   };
   const struct il_op_info *info = il_op_info(inst->op);

   if (!info)
      return IL_PART_ALL;
   if (s >= info->srcs && info->data != IL_DATA_MACROCALL)
      return IL_PART_X;
   return (enum il_part)parts[info->reads][s < 2 ? s : 2];
}

unsigned
il_part_mask(enum il_part part, const struct il_inst *inst)
{
   unsigned mask = 0;

   switch (part) {
   case IL_PART_X:
      return 1;
   case IL_PART_XY:
      return 3;
   case IL_PART_XYZ:
      return 7;
   case IL_PART_Z:
      return 4;
   case IL_PART_W:
      return 8;
   case IL_PART_DST:
      return inst->ndst ? il_dst_mask(&inst->dst[0]) : 15;
   case IL_PART_FORCED:
      for (unsigned c = 0; c < 4 && inst->ndst; c++)
         mask |= (unsigned)(il_dst_comp(&inst->dst[0], c) != IL_MODCOMP_NOWRITE) << c;
      return mask;
   default:
      return 15;
   }
}

const struct il_op_info *
il_op_info(unsigned opcode)
{
   if (opcode < IL_OP_LAST)
      return &op_rows[opcode];
   if (opcode >= IL_OP_X_FIRST && opcode - IL_OP_X_FIRST + IL_OP_LAST < NUM_ROWS)
      return &op_rows[opcode - IL_OP_X_FIRST + IL_OP_LAST];
   return NULL;
}

const struct il_op_info *
il_op_row(unsigned i)
{
   return i < NUM_ROWS ? &op_rows[i] : NULL;
}

const struct il_reg_info *
il_reg_info(unsigned regtype)
{
   return regtype < IL_REGTYPE_LAST ? &reg_rows[regtype] : NULL;
}
