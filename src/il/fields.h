/* SPDX-License-Identifier: MIT */
/* The text of control, modifier and data bits: for each il_ctl the fields in the order in which
 * they are printed.  Printer and parser walk the same lists, so that neither knows a field the
 * other does not.
 */
#ifndef IL_FIELDS_H
#define IL_FIELDS_H

#include "internal.h"

/* A member of an enumeration.  A list ends with a NULL text and the prefix of the document's
 * names. */
struct il_name {
   const char *text; /* what is printed for the value, if it is the first of its names */
   uint16_t value;
   const char *member; /* the document's name after the prefix: LINEAR of IL_INTERPMODE_LINEAR */
};

/* The list of one of the lists of enums.def; `...`: what else some members are called. */
#define IL_NAME(m, v, t) { t, v, #m },
#define IL_NAMES(list, prefix, ...) \
   {                                \
      list(IL_NAME) __VA_ARGS__     \
      {                             \
         NULL, 0, prefix            \
      }                             \
   }

enum il_field_form {
   IL_FIELD_FLAG,    /* _name when the bit is set */
   IL_FIELD_UINT,    /* _name(5) */
   IL_FIELD_ENUM,    /* _name(member) */
   IL_FIELD_PAREN,   /* (member) or (5) directly after the mnemonic */
   IL_FIELD_OPERAND, /* a word or number after the mnemonic and a space; name is a prefix of it */
   IL_FIELD_SUFFIX,  /* _member */
};

enum il_field_where { IL_IN_CTL, IL_IN_PRI, IL_IN_DATA };

struct il_field {
   const char *name;
   uint8_t form;  /* il_field_form */
   uint8_t where; /* il_field_where */
   uint8_t shift, width;
   bool omit_zero;
   const struct il_name *names; /* members, ended by a NULL text; NULL: numbers */
};

/* Fields of a control layout, ended by a NULL name.  op tells the few opcodes apart that share a
 * layout but not the words. */
const struct il_field *il_fields(enum il_ctl ctl, unsigned op);

/* Control bits that carry structure (modifiers present, indexed, offset), not printed as fields. */
uint16_t il_structural_bits(enum il_ctl ctl);

extern const struct il_name il_names_pixtex[], il_names_global_flag[], il_names_divcomp[];

#endif
