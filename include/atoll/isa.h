/* SPDX-License-Identifier: MIT */
/*
 * libatoll-isa: AMD IL and machine code for other programs.
 *
 * Link with `pkg-config --cflags --libs atoll-isa`.  The library has no global state; any function
 * may be called from any thread on different objects.  Input is never trusted: text, streams and
 * words of any content give a result or a message.  Strings and word arrays that are returned are
 * the caller's, freed with atoll_isa_free().
 */
#ifndef ATOLL_ISA_H
#define ATOLL_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ATOLL_ISA_API __attribute__((visibility("default")))
#else
#define ATOLL_ISA_API
#endif

/** Changes when a program built against an older header must be rebuilt. */
#define ATOLL_ISA_VERSION 1
ATOLL_ISA_API unsigned atoll_isa_version(void);

/** Frees what a function of this library returned as text or words; NULL is allowed. */
ATOLL_ISA_API void atoll_isa_free(void *pointer);

/** Why something was refused.  `line` and `column` count from 1; 0 where there is no text.  For
 * binary IL `line` is the dword. */
struct atoll_isa_message {
   unsigned line, column;
   char text[256];
};

/* --- Any instruction set ---------------------------------------------------------------------- */

/** The name of an instruction set, as the functions below take it: 0 is "cayman"; NULL after the
 * last. */
ATOLL_ISA_API const char *atoll_isa_name(unsigned index);

/** A text to words; NULL and a message if it is none. */
ATOLL_ISA_API uint32_t *atoll_isa_assemble(const char *isa, const char *text, size_t length,
                                           size_t *num_dwords, struct atoll_isa_message *message);

/** Words to a text, zero-terminated, its length in *length (may be NULL).  Any words have a text,
 * and atoll_isa_assemble() gives them back.  NULL: no memory, or no such instruction set. */
ATOLL_ISA_API char *atoll_isa_disassemble(const char *isa, const uint32_t *words, size_t num_dwords,
                                          size_t *length);

enum atoll_isa_stage {
   ATOLL_ISA_STAGE_ANY,
   ATOLL_ISA_STAGE_PIXEL,
   ATOLL_ISA_STAGE_VERTEX,
   ATOLL_ISA_STAGE_COMPUTE
};

/** Whether a program obeys the rules of its instruction set; otherwise the first one it breaks.
 * `num_gprs`: the registers there are; 0: as many as there can be. */
ATOLL_ISA_API bool atoll_isa_validate(const char *isa, const uint32_t *words, size_t num_dwords,
                                      enum atoll_isa_stage stage, unsigned num_gprs,
                                      struct atoll_isa_message *message);

/* --- Cayman ----------------------------------------------------------------------------------- */

/** A listing in AMD's format to words; NULL and a message if it is none. */
ATOLL_ISA_API uint32_t *atoll_cayman_assemble(const char *text, size_t length, size_t *num_dwords,
                                              struct atoll_isa_message *message);

/** Words to a listing, zero-terminated, its length in *length (may be NULL).  Any words have a
 * listing, and atoll_cayman_assemble() gives them back.  NULL: no memory. */
ATOLL_ISA_API char *atoll_cayman_disassemble(const uint32_t *words, size_t num_dwords,
                                             size_t *length);

enum atoll_cayman_stage {
   ATOLL_CAYMAN_PIXEL,
   ATOLL_CAYMAN_OTHER,
   ATOLL_CAYMAN_FETCH /* a subroutine that ends with RET */
};

/** Whether a program obeys the rules of the ISA guide; otherwise the first one it breaks.
 * `num_gprs`: R0 to R(n-1) exist, beside four clause temporaries.  `stack_entries`: 0, any. */
ATOLL_ISA_API bool atoll_cayman_validate(const uint32_t *words, size_t num_dwords,
                                         enum atoll_cayman_stage stage, unsigned num_gprs,
                                         unsigned stack_entries, struct atoll_isa_message *message);

/* --- IL --------------------------------------------------------------------------------------- */

/** An IL program. */
struct atoll_il;

enum atoll_il_flags {
   ATOLL_IL_DOCUMENT_NUMBERS = 1 << 0, /* opcodes as Appendix B numbers them; else as streams do */
   ATOLL_IL_STANDARD_2_4 = 1 << 1      /* no extensions */
};

/** Text to a program.  NULL and a message if it is no IL. */
ATOLL_ISA_API struct atoll_il *atoll_il_parse(const char *text, size_t length,
                                              struct atoll_isa_message *message);

/** A binary stream to a program. */
ATOLL_ISA_API struct atoll_il *atoll_il_read(const uint32_t *words, size_t num_dwords,
                                             unsigned flags, struct atoll_isa_message *message);

ATOLL_ISA_API void atoll_il_destroy(struct atoll_il *il);

/** The program in canonical text, zero-terminated.  NULL: no memory. */
ATOLL_ISA_API char *atoll_il_print(const struct atoll_il *il);

/** The program as a binary stream. */
ATOLL_ISA_API uint32_t *atoll_il_write(const struct atoll_il *il, unsigned flags,
                                       size_t *num_dwords, struct atoll_isa_message *message);

/** Whether it obeys the rules of the language. */
ATOLL_ISA_API bool atoll_il_validate(const struct atoll_il *il, unsigned flags,
                                     struct atoll_isa_message *message);

/* --- IL to Cayman ----------------------------------------------------------------------------- */

enum atoll_compile_flags {
   ATOLL_COMPILE_NO_OPT = 1 << 0 /* no optional rewriting */
};

/** What was compiled; words are freed with atoll_isa_free(). */
struct atoll_cayman_program {
   uint32_t *words;
   size_t num_dwords;
   unsigned num_gprs, stack_entries, scratch_vec4s;
   unsigned alu_groups, alu_slots, loops, cf_instructions, fetches;
};

/** Validate and compile.  False and a message if the program breaks a rule or says what is not
 * implemented; `out` is then empty. */
ATOLL_ISA_API bool atoll_il_compile_cayman(const struct atoll_il *il, unsigned flags,
                                           struct atoll_cayman_program *out,
                                           struct atoll_isa_message *message);

#ifdef __cplusplus
}
#endif

#endif /* ATOLL_ISA_H */
