/* SPDX-License-Identifier: MIT */
/*
 * The Cayman instruction set (Radeon HD 6900, VLIW4): numbers, decoded forms, decoder, encoder,
 * listing, program walker and validator; and that of the five-slot chips before it (R600, R700,
 * Evergreen and Northern Islands), which is the same but for what a function's `vliw` asks.
 *
 * A group of a five-slot chip has a slot t after x, y, z, w.  It takes the transcendental
 * operations, which nothing else does, and any other that is of one slot, may stand there, and has
 * the channel of a slot that is taken: no bit says so.  Its result is read as PS by the next group.
 * A program ends with the instruction that says so.
 *
 * All of it is made from two lists, opcodes.def and formats.def.  Section numbers in this library
 * are those of AMD's HD 6900 series ISA guide.  The library knows no Mesa and no device.
 *
 * Fields of the decoded structures hold what the word holds: a count that the hardware stores minus
 * one is stored minus one here too.  Every decoder is total: any bits give a filled structure; an
 * undefined opcode or value is reported by the return value, never trapped on.
 */
#ifndef CAYMAN_H
#define CAYMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "isa/error.h"

/** Which of the family: how many slots a group has. */
enum cayman_vliw {
   CAYMAN_VLIW4, /* Cayman */
   CAYMAN_VLIW5, /* Evergreen, Northern Islands */
   CAYMAN_R700,  /* five slots as well; other words (r600.c) */
   CAYMAN_R600,
   CAYMAN_VLIWS,
};

/** Whether a group has a slot t, and what came with it. */
static inline bool
cayman_five_slots(enum cayman_vliw vliw)
{
   return vliw != CAYMAN_VLIW4;
}

/** Whether the words are R600's or R700's. */
static inline bool
cayman_old_words(enum cayman_vliw vliw)
{
   return vliw == CAYMAN_R700 || vliw == CAYMAN_R600;
}

/** As messages name it. */
const char *cayman_vliw_name(enum cayman_vliw vliw);

/** The chips that an instruction set's word names (include/atoll/isas.def); CAYMAN_VLIWS: none of
 *  the family. */
enum cayman_vliw cayman_vliw_of(const char *isa);

#define CAYMAN_MAX_SLOTS       5
#define CAYMAN_SLOT_T          4                          /* after x, y, z, w */
#define CAYMAN_MAX_GROUP_WORDS (2 * CAYMAN_MAX_SLOTS + 4) /* slots and literals */

/* ------------------------------------------------------------------------------------------------
 * Opcodes
 */

/* How a control-flow instruction is laid out (9.1). */
enum cayman_cf_form {
   CAYMAN_CF_FORM_NONE, /* undefined opcode */
   CAYMAN_CF_FORM_BRANCH,
   CAYMAN_CF_FORM_GWS,
   CAYMAN_CF_FORM_ALU,
   CAYMAN_CF_FORM_ALU_EXT,
   CAYMAN_CF_FORM_MEM,
   CAYMAN_CF_FORM_RAT,
   CAYMAN_CF_FORM_EXPORT,
};

/* ALU forms carry their four-bit opcode from CAYMAN_CF_ALU_BASE up: bit 29 of word 1 tells them
 * apart in the word, this bit tells them apart in the enum. */
#define CAYMAN_CF_ALU_BASE 0x100

/* And what five-slot chips alone have is from here on: Cayman has other instructions of the same
 * numbers. */
#define CAYMAN_CF_VLIW5_BASE 0x200
/* The same of R600 and R700; of the ALU they have no other. */
#define CAYMAN_CF_OLD_BASE 0x320

enum cayman_cf_chips {
   CAYMAN_CHIPS_VLIW4 = 1 << CAYMAN_VLIW4,
   CAYMAN_CHIPS_VLIW5 = 1 << CAYMAN_VLIW5,
   CAYMAN_CHIPS_BOTH = CAYMAN_CHIPS_VLIW4 | CAYMAN_CHIPS_VLIW5,
   CAYMAN_CHIPS_R700 = 1 << CAYMAN_R700,
   CAYMAN_CHIPS_R600 = 1 << CAYMAN_R600,
   CAYMAN_CHIPS_OLD = CAYMAN_CHIPS_R700 | CAYMAN_CHIPS_R600,
};

enum cayman_cf_op {
#define CAYMAN_CF_BASE_BRANCH  0
#define CAYMAN_CF_BASE_GWS     0
#define CAYMAN_CF_BASE_ALU     CAYMAN_CF_ALU_BASE
#define CAYMAN_CF_BASE_ALU_EXT CAYMAN_CF_ALU_BASE
#define CAYMAN_CF_BASE_MEM     0
#define CAYMAN_CF_BASE_RAT     0
#define CAYMAN_CF_BASE_EXPORT  0
#define CAYMAN_CF_FROM_VLIW4   0
#define CAYMAN_CF_FROM_VLIW5   CAYMAN_CF_VLIW5_BASE
#define CAYMAN_CF_FROM_BOTH    0
#define CAYMAN_CF_FROM_OLD     CAYMAN_CF_OLD_BASE
#define CAYMAN_CF(name, op, r600, form, chips, stages, listed, operand, flow, text) \
   CAYMAN_CF_##name = (op) + CAYMAN_CF_BASE_##form + CAYMAN_CF_FROM_##chips,
#include "opcodes.def"
   CAYMAN_CF_OP_COUNT = CAYMAN_CF_OLD_BASE + 0x80,
};

enum cayman_gws_op {
#define CAYMAN_GWS(name, op, text) CAYMAN_GWS_##name = (op),
#include "opcodes.def"
};

enum cayman_rat_op {
#define CAYMAN_RAT(name, op, text) CAYMAN_RAT_##name = (op),
#include "opcodes.def"
   CAYMAN_RAT_OP_COUNT = 64,
};

/* OP2 opcodes are their own number; OP3 opcodes start at CAYMAN_OP3_BASE. */
#define CAYMAN_OP3_BASE 0x100

enum cayman_alu_op {
#define CAYMAN_OP2(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text) \
   CAYMAN_ALU_##name = (op),
#define CAYMAN_OP3(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text) \
   CAYMAN_ALU_##name = (op) + CAYMAN_OP3_BASE,
#include "opcodes.def"
   CAYMAN_ALU_OP_COUNT = CAYMAN_OP3_BASE + 32,
};

enum cayman_lds_op {
#define CAYMAN_LDS(name, op, srcs, returns, text) CAYMAN_LDS_##name = (op),
#include "opcodes.def"
   CAYMAN_LDS_OP_COUNT = 64,
};

enum cayman_tex_op {
#define CAYMAN_TEX(name, op, since, text) CAYMAN_TEX_##name = (op),
#include "opcodes.def"
};

enum cayman_vtx_op {
#define CAYMAN_VTX(name, op, since, text) CAYMAN_VTX_##name = (op),
#include "opcodes.def"
};

enum cayman_mem_op {
#define CAYMAN_MEM_RD(name, op, text)  CAYMAN_MEM_RD_##name = (op),
#define CAYMAN_MEM_GDS(name, op, text) CAYMAN_MEM_##name = (op),
#include "opcodes.def"
};

enum cayman_gds_op {
#define CAYMAN_GDS(name, op, srcs, returns, text) CAYMAN_GDS_##name = (op),
#include "opcodes.def"
   CAYMAN_GDS_OP_COUNT = 64,
};

/* Which slots of a group an ALU instruction takes (4.1, 4.3, 8.2). */
enum cayman_slots {
   CAYMAN_SLOTS_ANY,        /* one, its DST_CHAN; of five, t as well */
   CAYMAN_SLOTS_VECTOR,     /* of five: one, its DST_CHAN */
   CAYMAN_SLOTS_T,          /* of five: t */
   CAYMAN_SLOTS_PAIR,       /* x and y, or z and w: 64-bit */
   CAYMAN_SLOTS_PAIR_XY,    /* x and y only */
   CAYMAN_SLOTS_PAIR_ZW,    /* z and w only */
   CAYMAN_SLOTS_QUAD,       /* all four */
   CAYMAN_SLOTS_XYZ,        /* the same operation in x, y and z; w too when the result is for w */
   CAYMAN_SLOTS_NEXT,       /* reads the next channel's result: x, y or z */
   CAYMAN_SLOTS_INTERLEAVE, /* x reads z's result, y reads w's */
   CAYMAN_SLOTS_X,
   CAYMAN_SLOTS_W,
   CAYMAN_SLOTS_NONE, /* there is no such operation */
};

enum cayman_type {
   CAYMAN_TYPE_NONE,
   CAYMAN_TYPE_F32,
   CAYMAN_TYPE_I32,
   CAYMAN_TYPE_U32,
   CAYMAN_TYPE_B32,
   CAYMAN_TYPE_F64,
};

enum cayman_alu_flags {
   CAYMAN_ALU_FLAG_0 = 0,
   CAYMAN_ALU_FLAG_PRED = 1 << 0,   /* writes the predicate */
   CAYMAN_ALU_FLAG_KILL = 1 << 1,   /* kills pixels */
   CAYMAN_ALU_FLAG_MOVA = 1 << 2,   /* writes AR.X, CF_IDX0/1, ... instead of a GPR */
   CAYMAN_ALU_FLAG_REDUCE = 1 << 3, /* PV.X holds the result, whatever slot writes it */
   CAYMAN_ALU_FLAG_PARAM = 1 << 4,  /* reads a PS parameter from LDS */
   CAYMAN_ALU_FLAG_BARRIER = 1 << 5,
   CAYMAN_ALU_FLAG_MODE = 1 << 6,
   CAYMAN_ALU_FLAG_FLAGS = 1 << 7, /* reads or writes the exception flags */
   CAYMAN_ALU_FLAG_LDS = 1 << 8,   /* carrier of an LDS operation */
};

/** What an ALU opcode is. */
struct cayman_alu_info {
   const char *name; /* as the guide prints it, without prefix; NULL: undefined opcode */
   const char *text; /* what it does, one line */
   uint16_t flags;   /* enum cayman_alu_flags */
   uint8_t num_src;  /* operands read, 0-3 */
   uint8_t slots;    /* enum cayman_slots */
   uint8_t dst_type; /* enum cayman_type; CLAMP and OMOD need F32 */
   uint8_t src_type; /* enum cayman_type; NEG and ABS need F32 or F64 */
   bool op3;
};

/** What stands in a listing with a control-flow instruction's name. */
enum cayman_cf_operand {
   CAYMAN_OPERAND_NONE,
   CAYMAN_OPERAND_LOOP,   /* i0: the loop constant */
   CAYMAN_OPERAND_TARGET, /* 02: the instruction to go to */
   CAYMAN_OPERAND_POPS,   /* (1): frames */
   CAYMAN_OPERAND_ACKS,   /* OUTSTANDING_ACKS <= 1 */
   CAYMAN_OPERAND_GWS,    /* the operation of global wave sync */
   CAYMAN_OPERAND_STREAM, /* STREAM(1), where it is not 0 */
};

/** What a control-flow instruction does to the lanes and to control (chapter 3). */
enum cayman_cf_flow {
   CAYMAN_FLOW_JUMPS = 1 << 0,       /* ADDR is an instruction of the program */
   CAYMAN_FLOW_SKIPS = 1 << 1,       /* what lies before ADDR may be left out */
   CAYMAN_FLOW_PUSHES = 1 << 2,      /* one frame, first of all */
   CAYMAN_FLOW_POPS = 1 << 3,        /* POP_COUNT frames */
   CAYMAN_FLOW_POPS_1 = 1 << 4,      /* one frame, last of all */
   CAYMAN_FLOW_POPS_2 = 1 << 5,      /* two */
   CAYMAN_FLOW_SWAPS = 1 << 6,       /* active lanes and those that took the other branch */
   CAYMAN_FLOW_LOOPS = 1 << 7,       /* begins a loop */
   CAYMAN_FLOW_ENDS_LOOP = 1 << 8,   /* goes back, or leaves it */
   CAYMAN_FLOW_LEAVES_LOOP = 1 << 9, /* must stand in one */
   CAYMAN_FLOW_CALLS = 1 << 10,      /* goes to, or comes from, where structure does not show */
   CAYMAN_FLOW_UNIFORM = 1 << 11,  /* active lanes stay as they are, but for an ALU's predicates */
   CAYMAN_FLOW_STRAIGHT = 1 << 12, /* may stand in a program that runs from its start to its end */
   CAYMAN_FLOW_REGION = 1 << 13,   /* may stand in branches and loops that are compiled as one */
   CAYMAN_FLOW_NAMES = 1 << 14,    /* ADDR is such an instruction, and control does not go there */
   CAYMAN_FLOW_NEVER = 1 << 15,    /* the wave would sleep, and nothing here can wake it */
};

/** What a control-flow opcode is. */
struct cayman_cf_info {
   const char *name; /* NULL: undefined opcode */
   const char *text;
   const char *listed; /* the name in AMD's listings */
   uint8_t form;       /* enum cayman_cf_form */
   uint8_t chips;      /* enum cayman_cf_chips */
   uint8_t operand;    /* enum cayman_cf_operand */
   uint16_t flow;      /* enum cayman_cf_flow */
};

/** What an LDS, GDS, RAT or fetch opcode is. */
struct cayman_op_info {
   const char *name; /* NULL: undefined opcode */
   const char *text;
   uint8_t num_src;
   bool returns; /* gives a value back */
};

/* By opcode; the last one is that of what is none. */
extern const struct cayman_alu_info cayman_alu_table[CAYMAN_VLIWS][CAYMAN_ALU_OP_COUNT + 1];

/** Never NULL: an undefined opcode has a NULL name. */
static inline const struct cayman_alu_info *
cayman_alu_info_of(enum cayman_vliw vliw, unsigned op)
{
   return &cayman_alu_table[vliw][op < CAYMAN_ALU_OP_COUNT ? op : CAYMAN_ALU_OP_COUNT];
}

/** Cayman's.  Compilers ask more often than for anything else. */
static inline const struct cayman_alu_info *
cayman_alu_info(unsigned op)
{
   return cayman_alu_info_of(CAYMAN_VLIW4, op);
}

/** Of an instruction that either has, by its number in enum cayman_cf_op. */
const struct cayman_cf_info *cayman_cf_info(unsigned op);
/** How many frames the instruction pops for itself. */
unsigned cayman_cf_pops(unsigned op, unsigned pop_count);
const struct cayman_op_info *cayman_lds_info(unsigned op);
const struct cayman_op_info *cayman_gds_info(unsigned op);
const struct cayman_op_info *cayman_rat_info(unsigned op);
const struct cayman_op_info *cayman_tex_info(unsigned op);
const struct cayman_op_info *cayman_vtx_info(unsigned op);

/** Waves of a program with `num_gprs` registers that a SIMD runs at a time: it has 256 registers of
 *  64 lanes, less the clause temporaries of two running waves, and room for 24 waves (HD 6900
 *  ISA). */
unsigned cayman_waves(unsigned num_gprs);

/* ------------------------------------------------------------------------------------------------
 * Field values (chapter 9)
 */

enum cayman_cond {
   CAYMAN_COND_ACTIVE = 0,
   CAYMAN_COND_FALSE = 1,
   CAYMAN_COND_BOOL = 2,
   CAYMAN_COND_NOT_BOOL = 3,
};

enum cayman_index_select { /* CF_INDEX_MODE */
                           CAYMAN_CF_INDEX_NONE = 0,
                           CAYMAN_CF_INDEX_0 = 1,
                           CAYMAN_CF_INDEX_1 = 2,
};

enum cayman_kcache_mode {
   CAYMAN_KCACHE_NOP = 0,
   CAYMAN_KCACHE_LOCK_1 = 1,
   CAYMAN_KCACHE_LOCK_2 = 2,
   CAYMAN_KCACHE_LOCK_LOOP_INDEX = 3,
};

enum cayman_export_type {
   CAYMAN_EXPORT_PIXEL = 0,
   CAYMAN_EXPORT_POS = 1,
   CAYMAN_EXPORT_PARAM = 2,
};

enum cayman_mem_type {
   CAYMAN_MEM_WRITE = 0,
   CAYMAN_MEM_WRITE_IND = 1,
   CAYMAN_MEM_WRITE_ACK = 2,
   CAYMAN_MEM_WRITE_IND_ACK = 3,
};

enum cayman_sel {
   CAYMAN_SEL_X = 0,
   CAYMAN_SEL_Y = 1,
   CAYMAN_SEL_Z = 2,
   CAYMAN_SEL_W = 3,
   CAYMAN_SEL_0 = 4,
   CAYMAN_SEL_1 = 5,
   CAYMAN_SEL_MASK = 7,
};

/* ALU source selects (9.2).  0-127 are GPRs.  448 + n is interpolation parameter n, not printed in
 * the guide. */
enum cayman_src {
   CAYMAN_SRC_GPR = 0,
   CAYMAN_SRC_KCACHE0 = 128,
   CAYMAN_SRC_KCACHE1 = 160,
   CAYMAN_SRC_LDS_BASE_ADDR = 217,
   CAYMAN_SRC_LDS_SIZE = 218,
   CAYMAN_SRC_LDS_OQ_A = 219,
   CAYMAN_SRC_LDS_OQ_B = 220,
   CAYMAN_SRC_LDS_OQ_A_POP = 221,
   CAYMAN_SRC_LDS_OQ_B_POP = 222,
   CAYMAN_SRC_LDS_DIRECT_A = 223,
   CAYMAN_SRC_LDS_DIRECT_B = 224,
   CAYMAN_SRC_CLAUSE_GLOBAL = 225,
   CAYMAN_SRC_TIME_HI = 227,
   CAYMAN_SRC_TIME_LO = 228,
   CAYMAN_SRC_MASK_HI = 229,
   CAYMAN_SRC_MASK_LO = 230,
   CAYMAN_SRC_HW_WAVE_ID = 231,
   CAYMAN_SRC_SIMD_ID = 232,
   CAYMAN_SRC_SE_ID = 233,
   CAYMAN_SRC_HW_THREADGRP_ID = 234,
   CAYMAN_SRC_WAVE_ID_IN_GRP = 235,
   CAYMAN_SRC_NUM_THREADGRP_WAVES = 236,
   CAYMAN_SRC_HW_ALU_ODD = 237,
   CAYMAN_SRC_LOOP_IDX = 238,
   CAYMAN_SRC_PARAM_BASE_ADDR = 240,
   CAYMAN_SRC_NEW_PRIM_MASK = 241,
   CAYMAN_SRC_PRIM_MASK_HI = 242,
   CAYMAN_SRC_PRIM_MASK_LO = 243,
   CAYMAN_SRC_1_DBL_L = 244,
   CAYMAN_SRC_1_DBL_M = 245,
   CAYMAN_SRC_0_5_DBL_L = 246,
   CAYMAN_SRC_0_5_DBL_M = 247,
   CAYMAN_SRC_0 = 248,
   CAYMAN_SRC_1 = 249,
   CAYMAN_SRC_1_INT = 250,
   CAYMAN_SRC_M_1_INT = 251,
   CAYMAN_SRC_0_5 = 252,
   CAYMAN_SRC_LITERAL = 253,
   CAYMAN_SRC_PV = 254,
   CAYMAN_SRC_PS = 255, /* VLIW5: the previous group's t */
   CAYMAN_SRC_KCACHE2 = 256,
   CAYMAN_SRC_KCACHE3 = 288,
   CAYMAN_SRC_PARAM = 448,
   CAYMAN_SRC_PARAM_LAST = 480,
};

enum cayman_index_mode {
   CAYMAN_INDEX_AR_X = 0,
   CAYMAN_INDEX_LOOP = 4,
   CAYMAN_INDEX_GLOBAL = 5,
   CAYMAN_INDEX_GLOBAL_AR_X = 6,
};

enum cayman_pred_sel {
   CAYMAN_PRED_SEL_OFF = 0,
   CAYMAN_PRED_SEL_ZERO = 2,
   CAYMAN_PRED_SEL_ONE = 3,
};

enum cayman_omod {
   CAYMAN_OMOD_OFF = 0,
   CAYMAN_OMOD_M2 = 1,
   CAYMAN_OMOD_M4 = 2,
   CAYMAN_OMOD_D2 = 3,
};

/* What becomes of lanes that fail a PRED_SET with UPDATE_EXEC_MASK. */
enum cayman_execute_mask_op {
   CAYMAN_EXECUTE_MASK_DEACTIVATE = 0,
   CAYMAN_EXECUTE_MASK_BREAK = 1,
   CAYMAN_EXECUTE_MASK_CONTINUE = 2,
   CAYMAN_EXECUTE_MASK_KILL = 3,
};

/* In which of the three read cycles operands 0, 1, 2 are read. */
enum cayman_bank_swizzle {
   CAYMAN_VEC_012 = 0,
   CAYMAN_VEC_021 = 1,
   CAYMAN_VEC_120 = 2,
   CAYMAN_VEC_102 = 3,
   CAYMAN_VEC_201 = 4,
   CAYMAN_VEC_210 = 5,
   CAYMAN_BANK_SWIZZLE_COUNT = 6,
};

/* The same of slot t. */
enum cayman_scalar_swizzle {
   CAYMAN_SCL_210 = 0,
   CAYMAN_SCL_122 = 1,
   CAYMAN_SCL_212 = 2,
   CAYMAN_SCL_221 = 3,
   CAYMAN_SCALAR_SWIZZLE_COUNT = 4,
};

enum cayman_mova_dst {
   CAYMAN_MOVA_AR_X = 0,
   CAYMAN_MOVA_CF_PC = 1,
   CAYMAN_MOVA_CF_IDX0 = 2,
   CAYMAN_MOVA_CF_IDX1 = 3,
   CAYMAN_MOVA_CLAUSE_GLOBAL_0 = 4, /* bits 7:0; 5, 6, 7 are the next bytes */
};

enum cayman_fetch_type {
   CAYMAN_FETCH_VERTEX_DATA = 0,
   CAYMAN_FETCH_INSTANCE_DATA = 1,
   CAYMAN_FETCH_NO_INDEX_OFFSET = 2,
};

enum cayman_num_format {
   CAYMAN_NUM_FORMAT_NORM = 0,
   CAYMAN_NUM_FORMAT_INT = 1,
   CAYMAN_NUM_FORMAT_SCALED = 2,
};

/* DATA_FORMAT of fetches and resources. */
enum cayman_data_format {
   CAYMAN_FMT_INVALID = 0,
#define FORMAT(name, cayman, number, ...) CAYMAN_FMT_##cayman = number,
#define UNREAD(cayman, number)            CAYMAN_FMT_##cayman = number,
#include <atoll/formats.def>
};

/* MEM_INST: word 0 [4:0] of a memory fetch, next to the TEX and VTX opcodes. */
#define CAYMAN_MEM_INST_MEM 2

/* ------------------------------------------------------------------------------------------------
 * Words and fields
 */

/* CAYMAN_<FORMAT>__<FIELD> = low bit | width << 8 */
enum cayman_field {
#define CAYMAN_FIELD(format, field, lo, width, remark) \
   CAYMAN_##format##__##field = (lo) | (width) << 8,
#define CAYMAN_VLIW5_FIELD                         CAYMAN_FIELD
#define CAYMAN_OLD_FIELD(format, field, lo, width) CAYMAN_FIELD(format, field, lo, width, "")
#include "formats.def"
};

/** Value of a field (a CAYMAN_<FORMAT>__<FIELD>) in a word. */
static inline uint32_t
cayman_get(uint32_t word, unsigned field)
{
   unsigned lo = field & 31, width = field >> 8;
   return (word >> lo) & (width >= 32 ? 0xffffffffu : (1u << width) - 1);
}

/** The field's bits of a word with `value` in it; surplus bits of the value are dropped. */
static inline uint32_t
cayman_put(unsigned field, uint32_t value)
{
   unsigned lo = field & 31, width = field >> 8;
   return (value & (width >= 32 ? 0xffffffffu : (1u << width) - 1)) << lo;
}

/* ------------------------------------------------------------------------------------------------
 * Decoded instructions
 */

enum cayman_status {
   CAYMAN_OK = 0,
   CAYMAN_END = 1,            /* walker: the CF program is over */
   CAYMAN_ERR_TRUNCATED = -1, /* words end inside the instruction */
   CAYMAN_ERR_OPCODE = -2,    /* opcode not defined */
   CAYMAN_ERR_FIELD = -3,     /* a field value that the encoder cannot store, or is reserved */
   CAYMAN_ERR_RANGE = -4,     /* a clause or jump leaves the program */
   CAYMAN_ERR_SLOTS = -5,     /* group without LAST within its slots, or slots out of order */
};

/** A status in words, for messages. */
const char *cayman_status_name(int status);

struct cayman_kcache {
   uint8_t bank, mode; /* mode: enum cayman_kcache_mode */
   uint8_t addr;       /* in lines of 16 vec4 constants */
   uint8_t index_mode; /* enum cayman_index_select; from ALU_EXTENDED */
};

/** One control-flow instruction; `op` and `form` say which fields matter. */
struct cayman_cf {
   uint16_t op;  /* enum cayman_cf_op */
   uint8_t form; /* enum cayman_cf_form */
   bool barrier;
   bool valid_pixel_mode;
   bool whole_quad_mode; /* ALU forms; VLIW5: branches, too */
   bool end;             /* VLIW5: nothing follows it; not of ALU forms */
   bool alt_const;       /* ALU forms */
   bool mark;            /* memory forms: counts for the next ack */

   uint32_t addr; /* BRANCH, ALU: 8-byte units from the program's start */
   uint8_t count; /* BRANCH: fetches - 1, call count, stream; ALU: slots - 1 (0-127) */
   uint8_t pop_count;
   uint8_t cf_const;
   uint8_t cond; /* enum cayman_cond */
   uint8_t jumptable_sel;

   bool extended; /* an ALU_EXTENDED has been merged in: kcache[2..3] and index modes */
   struct cayman_kcache kcache[4];

   /* EXPORT, MEM, RAT */
   uint8_t type;        /* enum cayman_export_type or cayman_mem_type */
   uint16_t array_base; /* EXPORT, MEM */
   uint16_t array_size; /* MEM, RAT: elements - 1 */
   uint8_t rw_gpr, index_gpr;
   bool rw_rel;
   uint8_t elem_size;   /* dwords - 1 */
   uint8_t burst_count; /* GPRs - 1 */
   uint8_t comp_mask;   /* MEM, RAT */
   uint8_t sel[4];      /* EXPORT: enum cayman_sel */
   uint8_t rat_id, rat_op, rat_index_mode;

   /* GWS */
   uint16_t gws_value;
   uint8_t gws_resource, gws_op, gws_val_index_mode, gws_rsrc_index_mode;
   bool gws_sign;
};

struct cayman_alu_src {
   uint16_t sel; /* enum cayman_src or GPR number */
   uint8_t chan; /* 0-3 = x y z w; of a literal, which of the group's dwords */
   bool rel, neg, abs;
};

/** One slot of an ALU group. */
struct cayman_alu {
   uint16_t op; /* enum cayman_alu_op */
   uint8_t dst_gpr;
   uint8_t dst_chan; /* also the slot, */
   bool trans;       /* but for this: slot t */
   bool dst_rel;
   bool write_mask; /* OP3: always true */
   bool clamp;
   uint8_t omod; /* enum cayman_omod; 0 if update_exec_mask */
   uint8_t bank_swizzle;
   bool last;
   uint8_t pred_sel;
   uint8_t index_mode;
   bool update_pred;
   bool update_exec_mask;
   uint8_t execute_mask_op; /* enum cayman_execute_mask_op, if update_exec_mask */
   uint8_t mova_dst;        /* MOVA_INT: the 7-bit destination instead of dst_gpr */
   uint8_t lds_op;          /* LDS_IDX_OP: enum cayman_lds_op */
   uint8_t lds_offset;      /* LDS_IDX_OP: IDX_OFFSET, 0-63 dwords */
   struct cayman_alu_src src[3];
};

/** One instruction group: slots in x, y, z, w, t order, then its literals. */
struct cayman_alu_group {
   struct cayman_alu slot[CAYMAN_MAX_SLOTS];
   uint8_t num_slots;
   uint8_t num_literals; /* 0, 2 or 4 dwords */
   uint8_t num_dwords;   /* encoded size: 2 * num_slots + num_literals */
   uint32_t literal[4];  /* beyond num_literals: 0 */
};

struct cayman_tex {
   uint8_t op; /* enum cayman_tex_op */
   uint8_t inst_mod;
   bool fetch_whole_quad, alt_const;
   uint8_t resource_id, sampler_id;
   uint8_t resource_index_mode, sampler_index_mode; /* enum cayman_index_select */
   uint8_t src_gpr, dst_gpr;
   bool src_rel, dst_rel;
   uint8_t src_sel[4]; /* enum cayman_sel */
   uint8_t dst_sel[4];
   int8_t lod_bias;    /* four fraction bits, -64..63 */
   uint8_t coord_type; /* bit i: coordinate i is normalised */
   int8_t offset[3];   /* one fraction bit, -16..15 */
};

struct cayman_vtx {
   uint8_t op; /* enum cayman_vtx_op */
   uint8_t fetch_type;
   bool fetch_whole_quad;
   uint8_t buffer_id, buffer_index_mode;
   uint8_t src_gpr;
   bool src_rel;
   uint8_t src_sel_x, src_sel_y;
   uint8_t structured_read;
   bool lds_req, coalesced_read;
   bool mega_fetch;          /* VLIW5 */
   uint8_t mega_fetch_count; /* VLIW5: bytes - 1 */
   uint8_t dst_gpr;          /* SEMANTIC: unused */
   uint8_t semantic_id;      /* SEMANTIC */
   bool dst_rel;
   uint8_t dst_sel[4];
   bool use_const_fields; /* format, num_format, comp and srf mode come from the resource */
   uint8_t data_format, num_format_all;
   bool format_comp_all; /* signed */
   bool srf_mode_all;    /* no zero */
   uint16_t offset;      /* bytes */
   uint8_t endian_swap;
   bool const_buf_no_stride, alt_const;
};

struct cayman_mem {
   uint8_t op; /* CAYMAN_MEM_RD_SCRATCH or _SCATTER */
   uint8_t elem_size;
   bool fetch_whole_quad, uncached, indexed;
   uint8_t src_gpr;
   bool src_rel;
   uint8_t src_sel_x, src_sel_y;
   uint8_t burst_count;
   bool lds_req, coalesced_read;
   uint8_t dst_gpr;
   bool dst_rel;
   uint8_t dst_sel[4];
   uint8_t data_format, num_format_all;
   bool format_comp_all, srf_mode_all;
   uint16_t array_base, array_size;
   uint8_t endian_swap;
};

struct cayman_gds {
   uint8_t op;     /* CAYMAN_MEM_GDS or CAYMAN_MEM_TF_WRITE */
   uint8_t gds_op; /* enum cayman_gds_op */
   uint8_t src_gpr, src_rel_mode, src_sel[3];
   uint8_t dst_gpr, dst_rel_mode, dst_sel[4];
   uint8_t src_gpr2; /* dword offset GPR */
   uint8_t uav_index_mode, uav_id;
   bool alloc_consume, bcast_first_req;
};

enum cayman_fetch_kind {
   CAYMAN_FETCH_NONE,
   CAYMAN_FETCH_TEX,
   CAYMAN_FETCH_VTX,
   CAYMAN_FETCH_MEM,
   CAYMAN_FETCH_GDS,
};

/** One 128-bit instruction of a TC or GDS clause. */
struct cayman_fetch {
   uint8_t kind; /* enum cayman_fetch_kind */
   union {
      struct cayman_tex tex;
      struct cayman_vtx vtx;
      struct cayman_mem mem;
      struct cayman_gds gds;
   };
};

/* ------------------------------------------------------------------------------------------------
 * Decoder and encoder
 */

/** Decode one 64-bit CF instruction.  `out` is always filled.  CAYMAN_ERR_OPCODE: op undefined. */
int cayman_decode_cf(enum cayman_vliw vliw, const uint32_t words[2], struct cayman_cf *out);

/** Merge an ALU_EXTENDED prefix into the ALU instruction that follows it. */
void cayman_merge_extended(const struct cayman_cf *ext, struct cayman_cf *alu);

/** Decode one ALU slot (two dwords).  CAYMAN_ERR_OPCODE: op undefined, fields are filled.  Of those
 *  that may stand in t or elsewhere, only the group says which. */
int cayman_decode_alu(enum cayman_vliw vliw, const uint32_t words[2], struct cayman_alu *out);

/** Decode one group of at most `num_dwords` dwords.  On CAYMAN_OK, `out->num_dwords` were used; on
 * an error the slots decoded so far are there.  Slots are in memory order, not indexed by channel.
 */
int cayman_decode_alu_group(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords,
                            struct cayman_alu_group *out);

/** Whether an operation runs in slot t of a group in which the channels of `taken` (a mask) are. */
bool cayman_alu_is_trans(enum cayman_vliw vliw, const struct cayman_alu *alu, unsigned taken);

/** Decode one 128-bit instruction of a TC clause (TEX, VTX, MEM_RD) or a GDS clause. */
int cayman_decode_fetch(enum cayman_vliw vliw, const uint32_t words[4], struct cayman_fetch *out);

/** Encode.  Each returns CAYMAN_OK, or CAYMAN_ERR_FIELD/OPCODE if a value does not fit its field;
 *  `words` is written in full either way (surplus bits dropped). */
int cayman_encode_cf_of(enum cayman_vliw vliw, const struct cayman_cf *cf, uint32_t words[2]);
/** Of Cayman, or of Evergreen: `cf->op` says which. */
int cayman_encode_cf(const struct cayman_cf *cf, uint32_t words[2]);
/** The ALU_EXTENDED prefix that goes before cayman_encode_cf() of an extended ALU instruction. */
int cayman_encode_extended(const struct cayman_cf *alu, uint32_t words[2]);
int cayman_encode_alu(enum cayman_vliw vliw, const struct cayman_alu *alu, uint32_t words[2]);
int cayman_encode_fetch(enum cayman_vliw vliw, const struct cayman_fetch *fetch, uint32_t words[4]);

/** Encode a group: sets LAST on the final slot only and appends num_literals dwords.  Returns the
 *  number of dwords, or an error.  `words` has room for CAYMAN_MAX_GROUP_WORDS; of Cayman 12 do. */
int cayman_encode_alu_group(enum cayman_vliw vliw, const struct cayman_alu_group *group,
                            uint32_t *words);

/** True if one of the operand *fields* of the slot selects a literal, used by the operation or not:
 *  that is what makes the hardware fetch literals (4.7.6). */
bool cayman_alu_selects_literal(const struct cayman_alu *alu, unsigned *max_chan);

static inline bool
cayman_src_is_gpr(unsigned sel)
{
   return sel < 128;
}

/** If `sel` is a kcache select: true, set 0-3 and index 0-31 within the set's window. */
static inline bool
cayman_src_is_kcache(unsigned sel, unsigned *set, unsigned *index)
{
   if (sel >= 128 && sel < 192)
      *set = (sel - 128) >> 5;
   else if (sel >= 256 && sel < 320)
      *set = 2 + ((sel - 256) >> 5);
   else
      return false;
   *index = sel & 31;
   return true;
}

/* The read cycle (0-2) of operand `n` under a bank swizzle (4.7.7). */
extern const uint8_t cayman_bank_cycle[CAYMAN_BANK_SWIZZLE_COUNT][3];
extern const uint8_t cayman_scalar_cycle[CAYMAN_SCALAR_SWIZZLE_COUNT][3];

/* ------------------------------------------------------------------------------------------------
 * Programs
 */

/** Walks the control-flow program in memory order, up to the END (or, in a fetch shader, the
 * RETURN) after the last jump target. */
struct cayman_walk {
   enum cayman_vliw vliw;
   const uint32_t *words;
   size_t num_dwords;
   uint32_t pc;       /* CF index of the instruction last returned (its prefix, if extended) */
   uint32_t next;     /* CF index of the next one */
   uint32_t farthest; /* farthest jump target seen */
   bool done;
};

void cayman_walk_init(struct cayman_walk *w, enum cayman_vliw vliw, const uint32_t *words,
                      size_t num_dwords);

/** The next CF instruction, ALU_EXTENDED merged.  CAYMAN_OK, CAYMAN_END or an error; after an error
 * of the opcode the walk may go on, after any other it is over. */
int cayman_walk_next(struct cayman_walk *w, struct cayman_cf *cf);

/** The clause of an ALU, TC or GDS instruction: pointer to its first dword and its length, both
 *  within the program, or CAYMAN_ERR_RANGE. */
int cayman_clause(const uint32_t *words, size_t num_dwords, const struct cayman_cf *cf,
                  const uint32_t **clause, size_t *clause_dwords);

/** Does the CF instruction own a clause of ALU slots / fetches / GDS operations? */
bool cayman_cf_is_alu(const struct cayman_cf *cf);
bool cayman_cf_is_fetch(const struct cayman_cf *cf);
bool cayman_cf_is_gds(const struct cayman_cf *cf);

/** A whole program in AMD's listing format, malloc()ed and terminated; its length in bytes in
 * `*length` (may be NULL).  Any words have a listing, and cayman_assemble() gives them back.  NULL
 * when memory is out. */
char *cayman_listing_text(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords,
                          size_t *length);

/** A comment for the instruction that begins with 8 bytes number `at` of the program, or NULL. */
typedef const char *cayman_comment_fn(uint32_t at, void *data);

/** The same with comments after the instructions. */
char *cayman_listing_commented(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords,
                               cayman_comment_fn *comment, void *data, size_t *length);

/** Assemble a listing of Cayman: malloc()ed words and their number, or NULL and the error.  Header
 * options before and after the code are read over. */
uint32_t *cayman_assemble(const char *text, size_t length, size_t *num_dwords,
                          struct isa_error *error);

/** Parse a listing, of that chip or of an older one of the family, and print it in the form that
 * cayman_listing_text() uses.  malloc()ed and terminated, or NULL and the error. */
char *cayman_reprint(enum cayman_vliw vliw, const char *text, size_t length,
                     struct isa_error *error);

/** Print a whole program of Cayman in AMD's listing format, or of either chip.  Never fails; damage
 *  is printed as such. */
void cayman_disassemble(FILE *f, const uint32_t *words, size_t num_dwords);
void cayman_disassemble_for(FILE *f, enum cayman_vliw vliw, const uint32_t *words,
                            size_t num_dwords);

/** One instruction, without line number or newline. */
void cayman_print_alu_slot(FILE *f, enum cayman_vliw vliw, const struct cayman_alu *alu,
                           const uint32_t literal[4]);
void cayman_print_fetch(FILE *f, const struct cayman_fetch *fetch);

/* ------------------------------------------------------------------------------------------------
 * Validator
 */

/** What the validator must know about the program's surroundings. */
struct cayman_limits {
   enum cayman_vliw vliw;
   unsigned num_gprs;         /* R0..R(num_gprs - 1) exist */
   unsigned num_clause_temps; /* R(128 - n)..R127, normally 4 */
   unsigned stack_entries;    /* 0: do not check */
   bool fetch_shader;         /* ends with RETURN */
   bool pixel_shader;
};

/** Check a program against the rules of the ISA guide: opcodes and fields, clause bounds and sizes,
 *  slots, 64-bit pairs, read ports, kcache locks, literals, PV, MOVA, predicates, stack depth,
 *  ends.  Returns true if it is legal; otherwise false and a message "CF 3, group 2, slot y: ..."
 *  in `error`. */
bool cayman_validate(const uint32_t *words, size_t num_dwords, const struct cayman_limits *limits,
                     char *error, size_t error_size);

/** Can these slots read their operands in one group?  Chooses bank swizzles if `assign` is set,
 *  otherwise checks those that are there (4.7.7, 4.7.8). */
bool cayman_read_ports(enum cayman_vliw vliw, struct cayman_alu *slots, unsigned num_slots,
                       bool assign);

#endif /* CAYMAN_H */
