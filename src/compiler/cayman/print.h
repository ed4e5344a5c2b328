/* SPDX-License-Identifier: MIT */
/* The compiler's program as text (print.c), and the names that a reader of it needs. */
#ifndef CAYMAN_IR_PRINT_H
#define CAYMAN_IR_PRINT_H

#include "ir.h"

/* The fields of the words of a fetch, by enum cayman_fetch_kind, and of a CF instruction, by enum
 * cayman_cf_form: names of formats. */
struct cc_field {
   const char *format, *name;
   uint16_t field; /* for cayman_get() */
};
extern const struct cc_field cc_fields[];
extern const unsigned cc_num_fields;
extern const char *const cc_fetch_formats[][3], *const cc_cf_formats[][2];

extern const char *const cc_mem_names[8]; /* by enum cayman_mem_op */
extern const char *const cc_memory_names[], *const cc_space_names[], *const cc_end_names[];

/** Append the program to a text; with the IL instructions as comments, if their program is there.
 *  */
void cc_print(struct isa_text *t, const struct compiler *c, bool with_il);

#endif /* CAYMAN_IR_PRINT_H */
