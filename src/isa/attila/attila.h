/* SPDX-License-Identifier: MIT */
/*
 * The ATTILA shader instruction set: numbers, decoded form, codec, text, validator.
 *
 * All of it is made from two lists, opcodes.def and fields.def.  The document is the ATTILA Shader
 * ISA; what it leaves open or gets wrong is decided in docs/errata.rst.  The library knows no Mesa
 * and no device.
 *
 * An instruction is 16 bytes: four dwords, the lower half of a qword first.  Every decoder is
 * total.
 */
#ifndef ATTILA_H
#define ATTILA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa.h"
#include "isa/text.h"

#define ATTILA_DWORDS 4 /* of an instruction */

#define ATTILA_ADDRESSES  4
#define ATTILA_PREDICATES 32
#define ATTILA_CONSTANTS  512 /* PARAM 0-255, PARAM2 256-511 */

enum attila_op {
#define ATTILA_OP(name, opcode, ...) ATTILA_##name = opcode,
#include "opcodes.def"
};

enum attila_bank {
   ATTILA_IN = 0,
   ATTILA_OUT = 1,
   ATTILA_PARAM = 2,
   ATTILA_TEMP = 3,
   ATTILA_ADDR = 4,
   ATTILA_PARAM2 = 5,
   ATTILA_IMMEDIATE = 6,
};

enum attila_result {
   ATTILA_RESULT_NONE,
   ATTILA_RESULT_FLOAT,
   ATTILA_RESULT_INT,
   ATTILA_RESULT_ANY,
   ATTILA_RESULT_ADDR,
   ATTILA_RESULT_PRED,
   ATTILA_RESULT_ACC,
};

enum attila_forms {
   ATTILA_FORM_IMM = 1 << 0,
   ATTILA_FORM_SOA = 1 << 1,
   ATTILA_FORM_PIXEL = 1 << 2,
   ATTILA_FORM_ALWAYS = 1 << 3,
};

/** What an opcode is. */
struct attila_info {
   const char *name; /* as it is written, lower case; NULL: undefined or reserved */
   const char *kind;
   const char *text;    /* what it does, one line */
   const char *sources; /* a letter for each, see opcodes.def */
   uint8_t result;      /* enum attila_result */
   uint8_t forms;       /* enum attila_forms */
};

/** Never NULL. */
const struct attila_info *attila_info(unsigned opcode);

/** The opcode of a name of `length` characters, in the document's spellings, too; -1: none. */
int attila_find(const char *name, size_t length);

/* A swizzle has the selector of x in its two highest bits. */
#define ATTILA_SWIZZLE_XYZW 0x1b
static inline unsigned
attila_select(unsigned swizzle, unsigned component)
{
   return swizzle >> (6 - 2 * component) & 3;
}
/** One component in all four. */
static inline uint8_t
attila_broadcast(unsigned component)
{
   return (uint8_t)(component * 0x55);
}

/* A write mask has x in its highest bit. */
static inline bool
attila_writes(unsigned mask, unsigned component)
{
   return mask >> (3 - component) & 1;
}

struct attila_src {
   uint8_t bank; /* enum attila_bank */
   uint8_t reg, swizzle;
   bool negate, absolute; /* of a predicate: invert; an immediate: its value is `negate` */
};

/** An instruction; members are the fields of fields.def. */
struct attila_inst {
   uint8_t opcode;
   bool end, wait;
   bool predicated, invert_pred;
   uint8_t pred;
   struct attila_src src[3];
   uint8_t result_bank, result_reg;
   bool saturate;
   uint8_t mask;
   bool relative;
   uint8_t rel_reg, rel_comp;
   uint16_t rel_offset; /* nine bits, signed */
   uint32_t immediate;
   uint16_t reserved[2];
};

/** Is source 2 in the instruction? */
static inline bool
attila_is_immediate(const struct attila_inst *inst)
{
   return inst->src[1].bank == ATTILA_IMMEDIATE;
}

/** The offset of relative constants, -256 to 255. */
static inline int
attila_rel_offset(const struct attila_inst *inst)
{
   return (int)((inst->rel_offset ^ 0x100u) & 0x1ff) - 0x100;
}

/** Sources that the instruction names; of ARL with an immediate, source 2 alone. */
static inline bool
attila_reads(const struct attila_inst *inst, const struct attila_info *info, unsigned n)
{
   if (inst->opcode == ATTILA_ARL && attila_is_immediate(inst))
      return n == 1;
   return info->name && info->sources[0] &&
          (n == 0 || (info->sources[1] && n == 1) ||
           (info->sources[1] && info->sources[2] && n == 2));
}

/** The letter of source n. */
static inline char
attila_source_kind(const struct attila_inst *inst, const struct attila_info *info, unsigned n)
{
   return inst->opcode == ATTILA_ARL ? 'v' : info->sources[n];
}

void attila_decode(const uint32_t words[ATTILA_DWORDS], struct attila_inst *inst);
void attila_encode(const struct attila_inst *inst, uint32_t words[ATTILA_DWORDS]);

/** Clears what the text of an instruction does not say.  False: it has no text. */
bool attila_normalise(struct attila_inst *inst);

/** One instruction without newline; one that the text cannot say as .bits. */
void attila_print(struct isa_text *t, const uint32_t words[ATTILA_DWORDS]);

/** A whole program; see struct isa. */
char *attila_listing(const uint32_t *words, size_t num_dwords, size_t *length);

/** What a text says. */
struct attila_program {
   uint32_t *words;
   uint32_t *lines; /* of each instruction, from 1 */
   size_t num_insts;
   size_t num_dwords; /* with those after the last instruction */
   size_t capacity;   /* of words */
   bool scalar;       /* .scalar: for the scalar machine */
};
void attila_program_finish(struct attila_program *program);

/** Parse a text.  False: an error, and nothing in `program`. */
bool attila_parse(const char *text, size_t length, struct attila_program *program,
                  struct isa_error *error);

/** The rule that one instruction breaks, or NULL; `buffer` holds it. */
const char *attila_check(const struct attila_inst *inst, const struct isa_limits *limits,
                         bool scalar, char *buffer, size_t size);

/** Does control never go on after the instruction? */
bool attila_leaves(const struct attila_inst *inst);

/** Dwords of the program that `words` begin with: up to the first instruction after which control
 * never goes on and which no jump leads beyond.  0: it does not end. */
size_t attila_length(const uint32_t *words, size_t num_dwords);

/** Check a program; `bad` (may be NULL) gets the number of the instruction. */
bool attila_validate(const uint32_t *words, size_t num_dwords, const struct isa_limits *limits,
                     bool scalar, size_t *bad, char *message, size_t size);

/** See struct isa. */
bool attila_row(unsigned i, struct isa_row *row);

#endif /* ATTILA_H */
