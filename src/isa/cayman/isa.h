/* SPDX-License-Identifier: MIT */
/* Cayman and the five-slot chips as instruction sets among others (isa/isa.h). */
#ifndef CAYMAN_ISA_H
#define CAYMAN_ISA_H

#include "isa/isa.h"

#include "cayman.h"

/* A row of opcodes.def with a program that holds it; see struct isa. */
bool cayman_row(enum cayman_vliw vliw, unsigned i, struct isa_row *row);

#endif /* CAYMAN_ISA_H */
