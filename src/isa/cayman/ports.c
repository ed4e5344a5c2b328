/* SPDX-License-Identifier: MIT */
/*
 * GPR read ports (4.7.7, 4.7.8).
 *
 *  1. Operands are read in three cycles.  A bank swizzle says in which cycle each operand is read.
 *  2. In one cycle each of the four channels' banks delivers one GPR.  Slots that read the same GPR
 *     and channel in the same cycle share it.
 *  3. If operand 1 is the same register and channel as operand 0 it costs nothing.
 *  4. Constants, literals, PV and the inline values take no cycle.
 *  5. Interpolation needs VEC_210 (7.3.2); a direct LDS read wants operand 0 in cycle 0, 1 in
 *     cycle 1.
 *  6. Slot t reads with what the others leave of the ports, by a bank swizzle of its own.  It has
 *     at most two constants, which take its first cycles: a GPR, PV or PS that it reads beside them
 *     comes in a later one.  Rule 3 is not its.
 */
#include "cayman.h"

#include <string.h>

struct ports {
   /* GPR + 1 (128 added for a relative one: its register is not known) read in cycle, channel */
   uint16_t read[3][4];
};

static uint16_t
port_key(const struct cayman_alu_src *src)
{
   return src->sel + 1 + (src->rel ? 128 : 0);
}

static bool
reserve_gpr(struct ports *ports, const struct cayman_alu_src *src, unsigned cycle)
{
   uint16_t *port = &ports->read[cycle][src->chan & 3];

   if (*port != 0 && *port != port_key(src))
      return false;
   *port = port_key(src);
   return true;
}

/* Constants of a draw, inline ones and literals */
static bool
is_constant(unsigned sel)
{
   unsigned set, index;

   return cayman_src_is_kcache(sel, &set, &index) ||
          (sel >= CAYMAN_SRC_0 && sel <= CAYMAN_SRC_LITERAL);
}

/* Rule 6 */
static bool
reserve_trans(struct ports *ports, const struct cayman_alu *alu, unsigned num_src, unsigned swizzle)
{
   unsigned constants = 0;

   if (swizzle >= CAYMAN_SCALAR_SWIZZLE_COUNT)
      return false;
   for (unsigned i = 0; i < num_src; i++)
      constants += is_constant(alu->src[i].sel);
   if (constants > 2)
      return false;
   for (unsigned i = 0; i < num_src; i++) {
      const struct cayman_alu_src *src = &alu->src[i];
      const unsigned cycle = cayman_scalar_cycle[swizzle][i];
      const bool gpr = cayman_src_is_gpr(src->sel);
      if ((gpr || src->sel == CAYMAN_SRC_PV || src->sel == CAYMAN_SRC_PS) && cycle < constants)
         return false;
      if (gpr && !reserve_gpr(ports, src, cycle))
         return false;
   }
   return true;
}

static bool
reserve(enum cayman_vliw vliw, struct ports *ports, const struct cayman_alu *alu, unsigned swizzle)
{
   unsigned num_src = cayman_alu_info_of(vliw, alu->op)->num_src;

   if (alu->trans)
      return reserve_trans(ports, alu, num_src, swizzle);
   if (swizzle >= CAYMAN_BANK_SWIZZLE_COUNT)
      return false;
   for (unsigned i = 0; i < num_src && i < 3; i++) {
      const struct cayman_alu_src *src = &alu->src[i];
      if (!cayman_src_is_gpr(src->sel))
         continue;
      if (i == 1 && src->sel == alu->src[0].sel && src->chan == alu->src[0].chan &&
          src->rel == alu->src[0].rel)
         continue;
      if (!reserve_gpr(ports, src, cayman_bank_cycle[swizzle][i]))
         return false;
   }
   return true;
}

static bool
swizzle_allowed(const struct cayman_alu *alu, unsigned swizzle)
{
   switch (alu->op) {
   case CAYMAN_ALU_INTERP_XY:
   case CAYMAN_ALU_INTERP_ZW:
   case CAYMAN_ALU_INTERP_X:
   case CAYMAN_ALU_INTERP_Z:
      return swizzle == CAYMAN_VEC_210;
   default:
      return true;
   }
}

static bool
assign_from(enum cayman_vliw vliw, struct cayman_alu *slots, unsigned num_slots, unsigned n,
            const struct ports *before)
{
   if (n == num_slots)
      return true;
   for (unsigned swizzle = 0; swizzle < CAYMAN_BANK_SWIZZLE_COUNT; swizzle++) {
      struct ports ports = *before;
      if (swizzle_allowed(&slots[n], swizzle) && reserve(vliw, &ports, &slots[n], swizzle) &&
          assign_from(vliw, slots, num_slots, n + 1, &ports)) {
         slots[n].bank_swizzle = swizzle;
         return true;
      }
   }
   return false;
}

bool
cayman_read_ports(enum cayman_vliw vliw, struct cayman_alu *slots, unsigned num_slots, bool assign)
{
   struct ports ports;

   memset(&ports, 0, sizeof(ports));
   if (num_slots > CAYMAN_MAX_SLOTS)
      return false;
   if (assign)
      return assign_from(vliw, slots, num_slots, 0, &ports);
   for (unsigned i = 0; i < num_slots; i++)
      if (!swizzle_allowed(&slots[i], slots[i].bank_swizzle) ||
          !reserve(vliw, &ports, &slots[i], slots[i].bank_swizzle))
         return false;
   return true;
}
