/* SPDX-License-Identifier: MIT */
/*
 * The listing as a list of lines: what the parser makes, what the printer prints and what the
 * assembler encodes.
 *
 * The format is that of AMD's assembly language guide for the R600 family, so a line may say what
 * an older chip has and the one at hand has not: C registers, or on Cayman a t: slot, PS, VTX
 * clauses, MEGAFETCH.  Such lines are read and printed, and carry the reason why the chip refuses
 * them.
 */
#ifndef CAYMAN_LISTING_H
#define CAYMAN_LISTING_H

#include "cayman.h"
#include "isa/text.h"

enum cayman_item_kind {
   CAYMAN_ITEM_TEXT,  /* a comment, a header option or an empty line, kept as it is */
   CAYMAN_ITEM_CF,    /* a control-flow instruction */
   CAYMAN_ITEM_SLOT,  /* one slot of an ALU group; `numbered`: the first of its group */
   CAYMAN_ITEM_FETCH, /* one instruction of a fetch or GDS clause */
   CAYMAN_ITEM_WORDS, /* WORDS ADDR(n): dwords that belong to no instruction */
   CAYMAN_ITEM_RAW,   /* WORDS without an address: dwords of a clause that are no instruction */
   CAYMAN_ITEM_END,   /* END_OF_PROGRAM */
};

/* Numbers above every one of Cayman's: names that only older chips have. */
enum {
   CAYMAN_FOREIGN_OP = 0x400,   /* + index in cayman_foreign_alu, _cf or _tex */
   CAYMAN_FOREIGN_CONST = 1024, /* source select of C0: the constant file */
   CAYMAN_FOREIGN_PS = 1000,    /* PS, where there is no slot t */
   CAYMAN_SRC_TEXT = 1001,      /* what no slot reads: i0.x, b3, CB0[5].y */
};

/* Properties that are kept as the text they are. */
#define CAYMAN_MAX_EXTRAS 4

struct cayman_span {
   const char *text; /* in the source text */
   uint32_t length;
};

struct cayman_item {
   uint8_t kind;     /* enum cayman_item_kind */
   uint8_t vliw;     /* enum cayman_vliw */
   uint8_t num_bits; /* BITS(...): the encoding, word for word */
   uint8_t num_extras;
   bool numbered, undefined; /* undefined: nothing but BITS says what the instruction is */
   bool has_addr, has_count; /* CF: ADDR and CNT are given */
   uint32_t number;          /* CF index, or count of the group or fetch */
   uint32_t line, column;    /* from 1 */
   const char *refused;      /* why the chip does not take it, or NULL */
   uint32_t refused_column;
   struct cayman_span extra[CAYMAN_MAX_EXTRAS];
   /* What may be spelled in several ways, as the text has it: a branch with its operands, the
    * pointer of a memory write, the name of a fetch, a masked destination. */
   struct cayman_span written;
   bool omitted;               /* a fetch: no source register or no buffer is named */
   struct cayman_span comment; /* at the end of the line, with its semicolon */
   uint32_t bits[8];
   union {
      struct cayman_cf cf;
      struct {
         struct cayman_alu alu;
         struct cayman_span name;            /* spelled otherwise than the guide's name */
         uint32_t literal[3];                /* value of source n if it is a literal */
         struct cayman_span operand_text[3]; /* of a literal without bits, PV(3) or 1.000000.x */
         int32_t previous[3];                /* the group that PV or PS comes from, or -1 */
         uint8_t num_src;
      } slot;
      struct cayman_fetch fetch;
      struct cayman_span text;
      struct {
         uint32_t addr;         /* in 8-byte units */
         const uint32_t *words; /* into the program, or NULL: first word in the pool */
         uint32_t first, count;
      } words;
   };
};

struct cayman_listing {
   enum cayman_vliw vliw;
   struct cayman_item *items;
   size_t num_items, capacity;
   uint32_t *pool; /* dwords of WORDS lines */
   size_t num_pool, pool_capacity;
};

/* Instructions that some chip of the family has not, and the guide or the assembly language
 * names. */
struct cayman_foreign {
   const char *name, *reason;
   uint8_t chips; /* those that have it: enum cayman_cf_chips */
};
extern const struct cayman_foreign cayman_foreign_alu[], cayman_foreign_cf[], cayman_foreign_tex[];
extern const unsigned cayman_num_foreign_alu, cayman_num_foreign_cf, cayman_num_foreign_tex;

/* Names of the format, shared by the printer and the parser. */
/* Of index modes.  X1 to X3 and X7 are undefined on Cayman; 9 to 11 are A0.y to A0.w, which older
 * chips have. */
extern const char *const cayman_index_name[12];
extern const char *const cayman_mova_name[8];    /* of MOVA destinations */
extern const char *const cayman_execute_name[4]; /* UPDATE_EXEC_MASK... */
extern const char *const cayman_bank_name[10];   /* VEC_012 ... SCL_221 */
extern const char *const cayman_cond_name[4];
extern const char *const cayman_gws_name[4];      /* SEMA_V ... */
extern const char *const cayman_mem_type_name[4]; /* _WRITE ... */

/* The name of a source select that is neither register, constant nor literal; NULL: none. */
const char *cayman_source_name(unsigned sel);

/* The name of an ALU or CF operation in a listing; NULL: undefined. */
const char *cayman_alu_listing_name(enum cayman_vliw vliw, unsigned op);
const char *cayman_cf_listing_name(unsigned op);

/* A scratch or ring write's name without its _WRITE. */
const char *cayman_mem_listing_name(unsigned op);

/* Sources that the listing of a slot shows. */
unsigned cayman_listed_sources(enum cayman_vliw vliw, const struct cayman_alu *alu);

/* Clear what the listing has no words for.  What then encodes to other bits than it came from needs
 * BITS. */
void cayman_normalise_cf(struct cayman_cf *cf);
void cayman_normalise_alu(enum cayman_vliw vliw, struct cayman_alu *alu);
void cayman_normalise_fetch(struct cayman_fetch *fetch);

/* Fill an item from words, for the chip that it names, and give it BITS if the text alone would not
 * give the words back.  `literal`: the group's four literals. */
void cayman_item_from_slot(struct cayman_item *item, const uint32_t words[2],
                           const struct cayman_alu *alu, const uint32_t literal[4]);
void cayman_item_from_fetch(struct cayman_item *item, const uint32_t words[4]);
/* `count` is 2, or 4 for an extended ALU instruction. */
void cayman_item_from_cf(struct cayman_item *item, const uint32_t *words, unsigned count,
                         const struct cayman_cf *cf);

/* Parse a text.  Spans of the listing point into it.  NULL and an error if it is no listing. */
struct cayman_listing *cayman_listing_parse(enum cayman_vliw vliw, const char *text, size_t length,
                                            struct isa_error *error);
void cayman_listing_free(struct cayman_listing *listing);

/* Encode a listing.  malloc()ed words, or NULL and an error. */
uint32_t *cayman_listing_encode(const struct cayman_listing *listing, size_t *num_dwords,
                                struct isa_error *error);

/* Whether END_OF_PROGRAM after that instruction (or NULL) is an instruction itself. */
bool cayman_end_is_instruction(enum cayman_vliw vliw, const struct cayman_item *above);

/* The value of a header option (NAME = value), or false. */
bool cayman_listing_option(const struct cayman_listing *listing, const char *name, uint32_t *value);

/* Print one line, newline included. */
void cayman_print_item(struct isa_text *t, const struct cayman_item *item,
                       const struct cayman_listing *listing);

/* The instruction alone: no number, no newline. */
void cayman_text_slot(struct isa_text *t, const struct cayman_item *item);
void cayman_text_fetch(struct isa_text *t, const struct cayman_item *item);
void cayman_text_cf(struct isa_text *t, const struct cayman_item *item);

/* One CF instruction of a walk: words in the encoding. */
unsigned cayman_encode_item_cf(enum cayman_vliw vliw, const struct cayman_cf *cf,
                               uint32_t words[4]);

#endif /* CAYMAN_LISTING_H */
