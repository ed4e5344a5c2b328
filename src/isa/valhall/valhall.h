/* SPDX-License-Identifier: MIT */
/*
 * The Valhall instruction set (Mali-G57 class, version 9): numbers, decoded form, decoder, encoder,
 * text, and validator.
 *
 * All of it is made from one list, opcodes.def.  An instruction is one 64-bit word.  The library
 * knows no Mesa and no device.  The text is that of Mesa's assembler and disassembler of this
 * instruction set; what differs is listed in docs/valhall.rst.
 *
 * Every function is total: any word decodes, or is refused with the rule that it breaks.
 */
#ifndef VALHALL_H
#define VALHALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/error.h"

#define VALHALL_MAX_SRCS    4
#define VALHALL_MAX_MODS    14
#define VALHALL_MAX_IMMS    2
#define VALHALL_MAX_STAGING 2
#define VALHALL_REGISTERS   64
#define VALHALL_UNIFORMS    256 /* 32-bit words, 128 slots of 64 bits */
#define VALHALL_WARP        16

enum valhall_opcode {
#define VALHALL_OP(id, ...) VALHALL_OP_##id,
#include "opcodes.def"
   VALHALL_OP_COUNT
};

enum valhall_unit {
   VALHALL_UNIT_FMA,
   VALHALL_UNIT_CVT,
   VALHALL_UNIT_SFU,
   /* From here on: messages, which finish later and signal a slot. */
   VALHALL_UNIT_NONE,
   VALHALL_UNIT_LS,
   VALHALL_UNIT_VARY,
   VALHALL_UNIT_TEX,
   VALHALL_UNIT_VARTEX,
};

/* What bits 40 to 47 are, and how many registers an instruction moves. */
enum valhall_shape {
   VALHALL_SHAPE_NONE,   /* neither result nor registers: 0xc0 */
   VALHALL_SHAPE_DEST,   /* a register and a mask of its halves */
   VALHALL_SHAPE_PAIR,   /* a 64-bit result */
   VALHALL_SHAPE_WRITE,  /* a message writes as many registers as bits 33..35 say */
   VALHALL_SHAPE_READ,   /* a message reads as many registers as bits 33..35 say */
   VALHALL_SHAPE_TEX,    /* reads those of 40..45, writes those of 16..21 (bits 36..38 and one) */
   VALHALL_SHAPE_ATOMIC, /* the same with flags in bits 46..47 */
   VALHALL_SHAPE_VARTEX, /* writes those of 40..45 (bits 36..38 and one) */
};

enum valhall_enum {
   VALHALL_ENUM_FLAG, /* one bit, printed when set */
#define VALHALL_ENUM(id, text) VALHALL_ENUM_##id,
#include "enums.def"
   VALHALL_ENUM_COUNT
};

/* VALHALL_<ENUM>_<VALUE> */
enum valhall_value {
#define VALHALL_VALUE(en, id, number, text, standard) VALHALL_##en##_##id = (number),
#include "enums.def"
};

enum valhall_modifier {
   VALHALL_MOD_NO,
#define VALHALL_MOD(id, ...) VALHALL_MOD_##id,
#include "fields.def"
   VALHALL_MOD_COUNT
};

enum valhall_source {
   VALHALL_SRC_NO,
#define VALHALL_SRC(id, ...) VALHALL_SRC_##id,
#include "fields.def"
   VALHALL_SRC_COUNT
};

/* What the executor does, and on elements of which type. */
enum valhall_exec {
#define VALHALL_EXEC(id, text) VALHALL_EXEC_##id,
#include "fields.def"
   VALHALL_EXEC_COUNT
};

enum valhall_type {
#define VALHALL_TYPE(id, bits, count, class) VALHALL_TYPE_##id,
#include "fields.def"
   VALHALL_TYPE_COUNT
};

enum valhall_class { VALHALL_CLASS_U, VALHALL_CLASS_S, VALHALL_CLASS_F };

/** Elements of a type. */
struct valhall_type_info {
   uint8_t bits, count, class; /* class: enum valhall_class */
};

/** A value of an enum. */
struct valhall_value_info {
   const char *name;
   uint8_t en, value; /* en: enum valhall_enum */
   bool standard;     /* not printed, and meant where nothing is said */
};

/** A field with a name in the text, after the instruction's name. */
struct valhall_mod_info {
   const char *name;
   uint8_t lo, width, en;
};

/** How an operand is selected from what its source byte names. */
struct valhall_src_info {
   uint8_t bits;  /* of an element: 8, 16, 32, 64 */
   bool negabs;   /* has .neg and .abs */
   bool invert;   /* has .not */
   bool wide;     /* a 64-bit address: the next source comes two bytes on */
   uint8_t en;    /* of its selector; VALHALL_ENUM_FLAG: none */
   uint8_t lo[3]; /* low bit of the selector, by the source's number */
   uint8_t width;
};

struct valhall_imm_info {
   const char *name;
   uint8_t lo, width;
   bool is_signed;
};

/** A row of the table. */
struct valhall_info {
   const char *name;
   const char *text; /* what it does, one line */
   uint16_t opcode;
   uint8_t op2_lo;
   uint16_t op2_mask, op2;
   uint8_t unit, shape;
   uint8_t num_src, num_imm, num_mod;
   uint8_t src[VALHALL_MAX_SRCS]; /* enum valhall_source */
   uint8_t mod[VALHALL_MAX_MODS]; /* enum valhall_modifier, in the order of the text */
   struct valhall_imm_info imm[VALHALL_MAX_IMMS + 1]; /* ended by one without a name */
   uint8_t exec, from, to; /* enum valhall_exec, valhall_type of operands and of the result */
   uint64_t match, mask;   /* the opcode's bits */
   uint64_t fields;        /* all bits that have a meaning */
};

/** Rows are indexed by enum valhall_opcode. */
const struct valhall_info *valhall_info(unsigned opcode);
const struct valhall_mod_info *valhall_mod_info(unsigned mod);
const struct valhall_src_info *valhall_src_info(unsigned kind);
const struct valhall_type_info *valhall_type_info(unsigned type);
/** What the executor does for rows of this kind, in words. */
const char *valhall_exec_text(unsigned exec);
/** Whether only fragment programs have such rows. */
bool valhall_exec_is_fragment(unsigned exec);
/** The name of a value, or NULL: reserved. */
const struct valhall_value_info *valhall_value(unsigned en, unsigned value);
/** The value of that name (`length` bytes), or NULL. */
const struct valhall_value_info *valhall_value_named(unsigned en, const char *name, size_t length);
/** What an enum is called in a message. */
const char *valhall_enum_text(unsigned en);
/** The constants that a source byte names. */
#define VALHALL_CONSTANTS 32u
const uint32_t *valhall_constants(void);
/** One of them. */
uint32_t valhall_constant(unsigned index);
/** What CLPER reads of a lane that does not run, by its inactive result. */
uint32_t valhall_inactive_value(unsigned value);
/** Low bit of source n's byte in a row's word. */
unsigned valhall_src_lo(const struct valhall_info *info, unsigned n);
/** Bits of the number of registers that staging operand n has, and of the first register. */
unsigned valhall_num_staging(const struct valhall_info *info);

/* ------------------------------------------------------------------------------------------------
 * Decoded instructions
 */

/* Source bytes: 00 register, 01 register that is not read again, 10 uniform of the page, 110 one of
 * the constants, 111 special of the page. */
#define VALHALL_SRC_LAST    0x40
#define VALHALL_SRC_UNIFORM 0x80
#define VALHALL_SRC_CONST   0xc0
#define VALHALL_SRC_SPECIAL 0xe0

static inline bool
valhall_src_is_register(unsigned byte)
{
   return byte < 0x80;
}
static inline bool
valhall_src_is_uniform(unsigned byte)
{
   return (byte & 0xc0) == VALHALL_SRC_UNIFORM;
}
static inline bool
valhall_src_is_constant(unsigned byte)
{
   return (byte & 0xe0) == VALHALL_SRC_CONST;
}
static inline bool
valhall_src_is_special(unsigned byte)
{
   return (byte & 0xe0) == VALHALL_SRC_SPECIAL;
}

struct valhall_instr {
   uint16_t opcode; /* enum valhall_opcode */
   uint8_t flow;    /* VALHALL_FLOW_* */
   uint8_t page;
   uint8_t dest, mask; /* register; halves: 1 low, 2 high, 3 both */
   struct {
      uint8_t byte, select;
      bool neg, abs, invert;
   } src[VALHALL_MAX_SRCS];
   struct {
      uint8_t reg, count;
   } staging[VALHALL_MAX_STAGING]; /* in the order of the text: written ones first */
   uint32_t imm[VALHALL_MAX_IMMS];
   uint8_t mod[VALHALL_MAX_MODS]; /* by position in the row */
};

/** Takes a word apart.  False: the word has no meaning; `error` (may be NULL) has the rule. */
bool valhall_decode(uint64_t word, struct valhall_instr *instr, struct isa_error *error);

/** The word of an instruction with fields in range (as decoding and reading text leave them). */
uint64_t valhall_encode(const struct valhall_instr *instr);

/** The value of a modifier, or 0 if the row has it not. */
unsigned valhall_get(const struct valhall_instr *instr, enum valhall_modifier mod);

/** Bit per register that an instruction reads, and writes. */
uint64_t valhall_reads(const struct valhall_instr *instr);
uint64_t valhall_writes(const struct valhall_instr *instr);

#define VALHALL_TEXT_MAX 320

/** One line without its end, at most VALHALL_TEXT_MAX bytes with the zero; returns its length. */
size_t valhall_print(const struct valhall_instr *instr, char text[VALHALL_TEXT_MAX]);

/** Reads one line.  False: `error` has the column. */
bool valhall_parse(const char *text, size_t length, struct valhall_instr *instr,
                   struct isa_error *error);

/* ------------------------------------------------------------------------------------------------
 * Programs
 */

/** A program that was read; valhall_program_finish() frees it. */
struct valhall_program {
   uint64_t *words;
   uint32_t *lines; /* of each word, from 1 */
   size_t count, capacity;
   bool has_dword; /* half a word is left over after them */
   uint32_t dword;
};

/**
 * Text to a program: an instruction a line; `.word 0x...` for any bits, `.dword 0x...` at the end;
 * what follows a `;`, and lines that begin with `#`, are remarks.  False: `error`, and nothing in
 * `program`.
 */
bool valhall_read(const char *text, size_t length, struct valhall_program *program,
                  struct isa_error *error);
void valhall_program_finish(struct valhall_program *program);

/** Dwords in the order of memory, the low one of a word first, to words; free() them.  A last one
 * without another is left.  NULL: no memory. */
uint64_t *valhall_words(const uint32_t *dwords, size_t num_dwords, size_t *count);

/** The words of a text alone, which are whole.  NULL: `error`.  free() them. */
uint64_t *valhall_assemble(const char *text, size_t length, size_t *count, struct isa_error *error);

/**
 * Words to text that assembles to them, whatever they are.  What does not decode, or does not print
 * in a way that gives the same bits, is a `.word` with the reason.  NULL: no memory.  free() it.
 */
char *valhall_disassemble(const uint64_t *words, size_t count, size_t *length);

enum valhall_stage {
   VALHALL_STAGE_FRAGMENT,
   VALHALL_STAGE_BLEND, /* called by a fragment shader: slots 6 and 7 were waited on */
   VALHALL_STAGE_OTHER, /* neither: no DISCARD, varyings, tile buffer, blending */
};

struct valhall_limits {
   unsigned registers; /* 32 (r0..r15 and r48..r63) or 64; 0: 64 */
   enum valhall_stage stage;
};

/** The rules about one instruction: what its sources may name, pairs, stage.  False: `error`. */
bool valhall_validate_instr(const struct valhall_instr *instr, const struct valhall_limits *limits,
                            struct isa_error *error);

/** All rules, of instructions and between them.  False: `error`, its line the instruction from 1.
 */
bool valhall_validate(const uint64_t *words, size_t count, const struct valhall_limits *limits,
                      struct isa_error *error);

#endif /* VALHALL_H */
