/* SPDX-License-Identifier: MIT */
/*
 * What every instruction set can do, for tools, tests and programs that work with any of them.
 *
 * An instruction set is a folder with one table of its instructions, and a struct isa through which
 * the rest reaches it.  Words are dwords in the order of memory, whatever the size of an
 * instruction.  Input is never trusted: any text and any words give a result or an error.
 */
#ifndef ISA_H
#define ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/error.h"

enum isa_id {
#define ISA(NAME, name) ISA_ID_##name,
#define STOCK_ISA       ISA
#include <atoll/isas.def>
   ISA_COUNT,
};

/** Their names, separated by blanks: what --isa takes. */
extern const char isa_names[];

/* What a program is part of, as far as rules depend on it. */
enum isa_stage {
   ISA_STAGE_ANY, /* what the program itself says, or nothing in particular */
   ISA_STAGE_PIXEL,
   ISA_STAGE_VERTEX,
   ISA_STAGE_GEOMETRY,
   ISA_STAGE_HULL,
   ISA_STAGE_COMPUTE,
   ISA_STAGE_FETCH, /* Cayman, Evergreen: a fetch subroutine */
};

/* The stages that can be asked for by name. */
#define ISA_STAGE_NAMES "ps vs fs cs"

/** A stage by its name.  False: there is none. */
bool isa_stage_find(const char *name, enum isa_stage *stage);

/** What a validator is told about a program's surroundings. */
struct isa_limits {
   unsigned num_gprs; /* registers; 0: what the program says, or as many as there can be */
   enum isa_stage stage;
};

/** An assembled program; isa_binary_finish() frees it. */
struct isa_binary {
   uint32_t *words;
   size_t num_dwords;
   char *before, *after; /* what the text says around the code, kept as text; not terminated */
   size_t before_size, after_size;
};
void isa_binary_finish(struct isa_binary *binary);

/** A row of an instruction set's table, with a small program that holds it. */
struct isa_row {
   const char *kind; /* the list it stands in */
   const char *name;
   unsigned number;
   const char *absent;   /* NULL, or why it is a name without an instruction */
   const char *shown_as; /* what the text of the program must contain, or NULL */
   enum isa_stage stage; /* of the program */
   char text[1024];
};

/** Everything about an instruction set.  Strings and words that are returned are malloc()ed. */
struct isa {
   enum isa_id id;
   const char *name;  /* as in atoll/isas.def */
   const char *title; /* for people */
   const char *raw;   /* what stands in a text for words it has no other way to say */
   unsigned dwords;   /* of an instruction; 0: it varies */

   /** A text to words.  `limits` not NULL: the program is validated, too.  False: an error, and
    * nothing in `out`. */
   bool (*assemble)(const char *text, size_t length, const struct isa_limits *limits,
                    struct isa_binary *out, struct isa_error *error);

   /** Words to a text that assembles to the same words, zero-terminated; its length in *length (may
    * be NULL).  NULL: no memory. */
   char *(*disassemble)(const uint32_t *words, size_t num_dwords, size_t *length);

   /** Whether a program obeys the rules; otherwise the first that it breaks. */
   bool (*validate)(const uint32_t *words, size_t num_dwords, const struct isa_limits *limits,
                    struct isa_error *error);

   /** For isa_reprint(), or NULL where the text holds nothing but what its words say. */
   char *(*reprint)(const char *text, size_t length, struct isa_error *error);

   /** Row `i` in the order of the table; false after the last. */
   bool (*row)(unsigned i, struct isa_row *row);
};

#define ISA(NAME, name) extern const struct isa isa_##name;
#define STOCK_ISA       ISA
#include <atoll/isas.def>

/** A text in its canonical form, zero-terminated.  NULL: an error. */
char *isa_reprint(const struct isa *isa, const char *text, size_t length, struct isa_error *error);

/** By number, or NULL after the last. */
const struct isa *isa_at(unsigned id);

/** By name, or NULL. */
const struct isa *isa_find(const char *name, size_t length);

#endif /* ISA_H */
