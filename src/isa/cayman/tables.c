/* SPDX-License-Identifier: MIT */
/*
 * The opcode tables, indexed by the enums of cayman.h, and the proof that the lists are sound: no
 * two opcodes of one kind share a number (a duplicate initialiser, or a duplicate case label, is an
 * error).
 */
#include "cayman.h"

#include <string.h>

#pragma GCC diagnostic error "-Woverride-init"

/* NULL where the chip has no such operation. */
#define NAME(name, slots) CAYMAN_SLOTS_##slots == CAYMAN_SLOTS_NONE ? NULL : name

const struct cayman_alu_info cayman_alu_table[CAYMAN_VLIWS][CAYMAN_ALU_OP_COUNT + 1] = {
#define ALU(vliw_, index_, name_, srcs_, slots_, dst_, src_, flags_, op3_, text_) \
   [vliw_][index_] = {                                                            \
      .name = NAME(#name_, slots_),                                               \
      .text = text_,                                                              \
      .flags = CAYMAN_ALU_FLAG_##flags_,                                          \
      .num_src = srcs_,                                                           \
      .slots = CAYMAN_SLOTS_##slots_,                                             \
      .dst_type = CAYMAN_TYPE_##dst_,                                             \
      .src_type = CAYMAN_TYPE_##src_,                                             \
      .op3 = op3_,                                                                \
   },
#define CAYMAN_OP2(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text) \
   ALU(CAYMAN_VLIW4, op, name, srcs, slots, dst, src, flags, false, text)               \
   ALU(CAYMAN_VLIW5, op, name, srcs, five, dst, src, flags, false, text)                \
   ALU(CAYMAN_R700, op, name, srcs, r700, dst, src, flags, false, text)                 \
   ALU(CAYMAN_R600, op, name, srcs, six, dst, src, flags, false, text)
#define CAYMAN_OP3(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text)    \
   ALU(CAYMAN_VLIW4, CAYMAN_OP3_BASE + op, name, srcs, slots, dst, src, flags, true, text) \
   ALU(CAYMAN_VLIW5, CAYMAN_OP3_BASE + op, name, srcs, five, dst, src, flags, true, text)  \
   ALU(CAYMAN_R700, CAYMAN_OP3_BASE + op, name, srcs, r700, dst, src, flags, true, text)   \
   ALU(CAYMAN_R600, CAYMAN_OP3_BASE + op, name, srcs, six, dst, src, flags, true, text)
#include "opcodes.def"
};

/* The flags of column `flow`, as the rows spell them. */
enum {
   JUMPS = CAYMAN_FLOW_JUMPS,
   SKIPS = CAYMAN_FLOW_SKIPS,
   PUSHES = CAYMAN_FLOW_PUSHES,
   POPS = CAYMAN_FLOW_POPS,
   POPS_1 = CAYMAN_FLOW_POPS_1,
   POPS_2 = CAYMAN_FLOW_POPS_2,
   SWAPS = CAYMAN_FLOW_SWAPS,
   LOOPS = CAYMAN_FLOW_LOOPS,
   ENDS_LOOP = CAYMAN_FLOW_ENDS_LOOP,
   LEAVES_LOOP = CAYMAN_FLOW_LEAVES_LOOP,
   CALLS = CAYMAN_FLOW_CALLS,
   UNIFORM = CAYMAN_FLOW_UNIFORM,
   STRAIGHT = CAYMAN_FLOW_STRAIGHT,
   REGION = CAYMAN_FLOW_REGION,
   NAMES = CAYMAN_FLOW_NAMES,
   NEVER = CAYMAN_FLOW_NEVER,
};

/* Column r600: which of R600 and R700 have the instruction. */
#define NO      (-1)
#define R700(n) (-2)
#define HAVE(n) ((n) == NO ? 0 : (n) == R700() ? CAYMAN_CHIPS_R700 : CAYMAN_CHIPS_OLD)

static const struct cayman_cf_info cf_table[CAYMAN_CF_OP_COUNT] = {
#define CAYMAN_CF(name_, op_, r600_, form_, chips_, stages_, listed_, operand_, flow_, text_) \
   [CAYMAN_CF_##name_] = {                                                                    \
      .name = #name_,                                                                         \
      .text = text_,                                                                          \
      .listed = listed_,                                                                      \
      .form = CAYMAN_CF_FORM_##form_,                                                         \
      .chips = CAYMAN_CHIPS_##chips_ | HAVE(r600_),                                           \
      .operand = CAYMAN_OPERAND_##operand_,                                                   \
      .flow = flow_,                                                                          \
   },
#include "opcodes.def"
};

static const struct cayman_op_info lds_table[CAYMAN_LDS_OP_COUNT] = {
#define CAYMAN_LDS(name_, op_, srcs_, returns_, text_) \
   [op_] = { .name = "LDS_" #name_, .text = text_, .num_src = srcs_, .returns = returns_ },
#include "opcodes.def"
};

static const struct cayman_op_info gds_table[CAYMAN_GDS_OP_COUNT] = {
#define CAYMAN_GDS(name_, op_, srcs_, returns_, text_) \
   [op_] = { .name = #name_, .text = text_, .num_src = srcs_, .returns = returns_ },
#include "opcodes.def"
};

static const struct cayman_op_info rat_table[CAYMAN_RAT_OP_COUNT] = {
#define CAYMAN_RAT(name_, op_, text_) \
   [op_] = { .name = #name_, .text = text_, .num_src = 1, .returns = (op_) >= 32 },
#include "opcodes.def"
};

static const struct cayman_op_info tex_table[32] = {
#define CAYMAN_TEX(name_, op_, since_, text_) \
   [op_] = { .name = #name_, .text = text_, .num_src = 1, .returns = true },
#include "opcodes.def"
};

static const struct cayman_op_info vtx_table[32] = {
#define CAYMAN_VTX(name_, op_, since_, text_) \
   [op_] = { .name = #name_, .text = text_, .num_src = 1, .returns = true },
#include "opcodes.def"
};

/* TEX, VTX and MEM_INST share word 0 [4:0]: one switch over all of them does not compile if two
 * collide. */
static inline bool
fetch_opcodes_are_distinct(unsigned op)
{
   switch (op) {
#define CAYMAN_TEX(name_, op_, since_, text_) case op_:
#define CAYMAN_VTX(name_, op_, since_, text_) case op_:
#include "opcodes.def"
   case CAYMAN_MEM_INST_MEM:
      return true;
   default:
      return false;
   }
}

/* Every field lies within its word; that no two overlap and none is missing is checked by
 * tests/cayman/tables.c, which adds them up per word. */
#define CAYMAN_FIELD(format, field, lo, width, remark) \
   _Static_assert((lo) + (width) <= 32 && (width) > 0, #format " " #field);
#define CAYMAN_RESERVED(format, lo, width) \
   _Static_assert((lo) + (width) <= 32 && (width) > 0, #format " reserved");
#define CAYMAN_VLIW5_FIELD CAYMAN_FIELD
#include "formats.def"

const struct cayman_cf_info *
cayman_cf_info(unsigned op)
{
   static const struct cayman_cf_info none;
   return op < CAYMAN_CF_OP_COUNT ? &cf_table[op] : &none;
}

unsigned
cayman_cf_pops(unsigned op, unsigned pop_count)
{
   const unsigned flow = cayman_cf_info(op)->flow;

   return flow & CAYMAN_FLOW_POPS     ? pop_count
          : flow & CAYMAN_FLOW_POPS_1 ? 1
          : flow & CAYMAN_FLOW_POPS_2 ? 2
                                      : 0;
}

static const struct cayman_op_info no_op;

const struct cayman_op_info *
cayman_lds_info(unsigned op)
{
   return op < CAYMAN_LDS_OP_COUNT ? &lds_table[op] : &no_op;
}

const struct cayman_op_info *
cayman_gds_info(unsigned op)
{
   return op < CAYMAN_GDS_OP_COUNT ? &gds_table[op] : &no_op;
}

const struct cayman_op_info *
cayman_rat_info(unsigned op)
{
   return op < CAYMAN_RAT_OP_COUNT ? &rat_table[op] : &no_op;
}

const struct cayman_op_info *
cayman_tex_info(unsigned op)
{
   return op < 32 && fetch_opcodes_are_distinct(op) ? &tex_table[op] : &no_op;
}

const struct cayman_op_info *
cayman_vtx_info(unsigned op)
{
   return op < 32 ? &vtx_table[op] : &no_op;
}

enum cayman_vliw
cayman_vliw_of(const char *isa)
{
   static const char *const words[] = {
      [CAYMAN_VLIW4] = "cayman",
      [CAYMAN_VLIW5] = "evergreen",
      [CAYMAN_R700] = "r700",
      [CAYMAN_R600] = "r600",
   };
   enum cayman_vliw vliw = CAYMAN_VLIW4;

   while (vliw < CAYMAN_VLIWS && strcmp(words[vliw], isa) != 0)
      vliw++;
   return vliw;
}

const char *
cayman_vliw_name(enum cayman_vliw vliw)
{
   static const char *const names[] = { "Cayman", "Evergreen", "R700", "R600" };

   return names[vliw];
}

const char *
cayman_status_name(int status)
{
   switch (status) {
   case CAYMAN_OK:
      return "ok";
   case CAYMAN_END:
      return "end of program";
   case CAYMAN_ERR_TRUNCATED:
      return "the program ends inside an instruction";
   case CAYMAN_ERR_OPCODE:
      return "undefined opcode";
   case CAYMAN_ERR_FIELD:
      return "a field holds a reserved value or one that does not fit";
   case CAYMAN_ERR_RANGE:
      return "a clause or jump target lies outside the program";
   case CAYMAN_ERR_SLOTS:
      return "slots of a group are missing LAST or out of order";
   default:
      return "unknown status";
   }
}

unsigned
cayman_waves(unsigned num_gprs)
{
   const unsigned registers = 248, most = 24;
   unsigned waves = num_gprs ? registers / num_gprs : most;

   return waves < most ? waves : most;
}
