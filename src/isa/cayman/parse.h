/* SPDX-License-Identifier: MIT */
/*
 * What the files of the listing's parser share: the scanner, the table of names, one function a
 * kind of line.
 *
 * Functions return false once an error has been noted; the first one stands.  Nothing in the text
 * reaches an assert, and every loop moves forward in the text.
 */
#ifndef CAYMAN_PARSE_H
#define CAYMAN_PARSE_H

#include "listing.h"

enum name_class {
   NAME_ALU,
   NAME_LDS,
   NAME_CF,
   NAME_MEM, /* value: CF opcode, without the _WRITE... */
   NAME_TEX,
   NAME_VTX,
   NAME_GDS,
   NAME_RAT,
   NAME_SOURCE,
   NAME_PROPERTY,
};

struct name {
   const char *text;
   uint8_t length;
   uint8_t class;
   uint16_t value;
};

#define NAME_TABLE 2048

struct parser {
   const char *text, *end; /* the whole */
   const char *p;          /* here */
   const char *line_start;
   uint32_t line;
   enum cayman_vliw vliw;
   struct isa_error *error;
   struct cayman_listing *listing;
   bool ends; /* END_OF_PROGRAM stood on an instruction's line */
   struct name names[NAME_TABLE];
};

/* Note an error at `at`. */
bool cayman_parse_fail(struct parser *ps, const char *at, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

/* The chip has not got this: note why, once a line. */
void cayman_parse_refuse(struct parser *ps, struct cayman_item *item, const char *at,
                         const char *reason);

/* Look a name up: its value, or -1. */
int cayman_parse_name(const struct parser *ps, enum name_class class, const char *text,
                      size_t length);
void cayman_parse_add_name(struct parser *ps, enum name_class class, const char *text,
                           unsigned value);

static inline bool
is_digit(char c)
{
   return c >= '0' && c <= '9';
}

static inline bool
is_word(char c)
{
   return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The character `n` ahead, or 0 after the text. */
static inline char
peek(const struct parser *ps, size_t n)
{
   return (size_t)(ps->end - ps->p) > n ? ps->p[n] : 0;
}

static inline void
skip_blanks(struct parser *ps)
{
   while (ps->p < ps->end && (*ps->p == ' ' || *ps->p == '\t' || *ps->p == '\r'))
      ps->p++;
}

/* The word that starts here: length 0 if none does. */
static inline struct cayman_span
scan_word(struct parser *ps)
{
   const char *start = ps->p;
   while (ps->p < ps->end && is_word(*ps->p))
      ps->p++;
   return (struct cayman_span){ start, (uint32_t)(ps->p - start) };
}

static inline bool
accept_char(struct parser *ps, char c)
{
   skip_blanks(ps);
   if (peek(ps, 0) != c || ps->p == ps->end)
      return false;
   ps->p++;
   return true;
}

bool cayman_expect_char(struct parser *ps, char c);

/* The text from `start` to here. */
static inline struct cayman_span
span_from(const struct parser *ps, const char *start)
{
   return (struct cayman_span){ start, (uint32_t)(ps->p - start) };
}

/* The text s, as a prefix of what follows. */
bool cayman_accept_text(struct parser *ps, const char *s);

/* A number, decimal or 0x, at most `max`. */
bool cayman_scan_uint(struct parser *ps, uint32_t max, uint32_t *value);

/* (number), the bracketed value of a property. */
bool cayman_scan_bracketed(struct parser *ps, uint32_t max, uint32_t *value);

/* R5, T0, then maybe [AL] or another index. */
bool cayman_scan_gpr(struct parser *ps, struct cayman_item *item, uint8_t *gpr, bool *rel,
                     uint8_t *index_mode);

/* [AL] or another index, of which the bracket stands here. */
bool cayman_scan_index(struct parser *ps, struct cayman_item *item, bool *rel, uint8_t *index_mode);

/* .xyzw: up to four selects; `count` says how many there were. */
bool cayman_scan_selects(struct parser *ps, uint8_t sel[4], unsigned *count);

/* .x: a channel. */
bool cayman_scan_channel(struct parser *ps, uint8_t *chan);

/* Kinds of lines, after number and name. */
bool cayman_parse_slot(struct parser *ps, struct cayman_item *item, char unit);
bool cayman_parse_fetch(struct parser *ps, struct cayman_item *item, struct cayman_span name,
                        bool *known);
bool cayman_parse_properties(struct parser *ps, struct cayman_item *item);
void cayman_parse_add_properties(struct parser *ps);
void cayman_parse_add_alu_names(struct parser *ps);
void cayman_parse_add_fetch_names(struct parser *ps);

#endif /* CAYMAN_PARSE_H */
