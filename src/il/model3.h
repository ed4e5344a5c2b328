/* SPDX-License-Identifier: MIT */
/*
 * Which input or output a register of shader model 3 or before is (IL 5, tables 5.3 and 5.4), by
 * link slot; see conventions.h for the slots.
 *
 *  1. v# is the vertex element that DCLV names; oVtxOut# and vPixIn# have the slot of the usage
 *     that DCLVOUT and DCLPIN give them.  A register of several usages, and elements that arrive in
 *     other components than their own, are refused.
 *  2. Registers of models before 3 have slots of their own: position, sprite size, fog, texture
 *     coordinates, primary and secondary colours (number 1: of back faces), and interpolators as
 *     generic ones.
 *  3. oC# is colour n, vWinCoord the position.  vFace is no input but 1.0 or -1.0.
 */
#ifndef IL_MODEL3_H
#define IL_MODEL3_H

#include "il/il.h"

#define IL_MODEL3_REGISTERS 256 /* of a kind */

/* The declarations of registers by number: the first, and whether there are more. */
struct il_model3 {
   bool pixel;
   struct {
      const struct il_inst *inst;
      bool several;
   } declared[3][IL_MODEL3_REGISTERS];
};

struct il_model3_place {
   bool output;
   unsigned slot, usage, interp; /* il_importusage, il_interpmode of an input */
};

/* Takes note of what is a declaration. */
void il_model3_declare(struct il_model3 *m, const struct il_inst *inst);

/* Is it such a register, in a vertex or pixel shader? */
bool il_model3_register(unsigned type, bool pixel);

/* Where one is, vFace excepted.  False: `error` says what is wrong. */
bool il_model3_place(const struct il_model3 *m, const struct il_ref *r,
                     struct il_model3_place *place, char *error, size_t size);

#endif
