/* SPDX-License-Identifier: MIT */
/* What the files of the listing's printer share. */
#ifndef CAYMAN_PRINT_H
#define CAYMAN_PRINT_H

#include "listing.h"

/* R5, T0, R5[AL] */
void cayman_print_gpr(struct isa_text *t, unsigned gpr, bool rel, unsigned index_mode);

/* A register and its four selects, if they are not xyzw. */
void cayman_print_dst(struct isa_text *t, unsigned gpr, bool rel, const uint8_t sel[4]);

/* Properties that were kept as text, and BITS. */
void cayman_print_extras(struct isa_text *t, const struct cayman_item *item);
void cayman_print_bits(struct isa_text *t, const struct cayman_item *item);

/* What has been printed from `start` on, as the text that was read spelled it, but for blanks. */
void cayman_respell(struct isa_text *t, size_t start, const struct cayman_span *written);

#endif /* CAYMAN_PRINT_H */
