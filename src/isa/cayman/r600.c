/* SPDX-License-Identifier: MIT */
/*
 * The words of R600 and R700 as those of Evergreen, and back.
 *
 * These chips have Evergreen's instructions under other numbers (column r600 of opcodes.def), and
 * some fields in other bits:
 *
 *    control flow    7 bits of CF_INST from bit 23 on; of a clause's COUNT three, R700's fourth is
 *                    bit 19; VALID_PIXEL_MODE is bit 22
 *    exports         BURST_COUNT from bit 17 on; no MARK
 *    ALU, OP2        R600 has FOG_MERGE, and OMOD and ALU_INST one bit higher; R700 is as Evergreen
 *    fetches         no modifier, no index modes
 *
 * So a word is decoded in two steps, and encoded in two.
 */
#include "r600.h"

#define GET(word, field)  cayman_get(word, CAYMAN_##field)
#define PUT(field, value) cayman_put(CAYMAN_##field, value)

/* Values of column r600 (opcodes.def). */
#define NO           0xffffu
#define ONLY_R700    0x800u
#define R700(number) (ONLY_R700 | (number))

/* ALU forms, as in enum cayman_cf_op, have their numbers from here on. */
#define ALU_FORMS   0x80u
#define CF_NUMBERS  0x90u
#define OP2_NUMBERS 0x80u
#define OP3_NUMBERS 0x20u

/* Numbers of enum cayman_alu_op that no chip has. */
#define NO_OP2 0xffu
#define NO_OP3 (CAYMAN_OP3_BASE + 18u)

#define NUMBER_BRANCH  0u
#define NUMBER_GWS     0u
#define NUMBER_ALU     ALU_FORMS
#define NUMBER_ALU_EXT ALU_FORMS
#define NUMBER_MEM     0u
#define NUMBER_RAT     0u
#define NUMBER_EXPORT  0u

/* enum cayman_cf_op of a number; rows without one come after the numbers. */
static const uint16_t cf_of[CF_NUMBERS + CAYMAN_CF_OP_COUNT] = {
#define CAYMAN_CF(name, op, r600, form, chips, stages, listed, operand, flow, text)         \
   [(r600) == NO ? CF_NUMBERS + CAYMAN_CF_##name : ((r600) & ~ONLY_R700) + NUMBER_##form] = \
      CAYMAN_CF_##name + 1,
#include "opcodes.def"
};

static const uint16_t cf_number[CAYMAN_CF_OP_COUNT] = {
#define CAYMAN_CF(name, op, r600, form, chips, stages, listed, operand, flow, text) \
   [CAYMAN_CF_##name] = (r600),
#include "opcodes.def"
};

/* The same of the ALU: with Evergreen's numbers, to which 1 is added. */
#define HAS(slots) (CAYMAN_SLOTS_##slots != CAYMAN_SLOTS_NONE)
static const uint16_t op2_of[OP2_NUMBERS + CAYMAN_ALU_OP_COUNT] = {
#define CAYMAN_OP2(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text) \
   [HAS(six) ? (r600) : OP2_NUMBERS + (op)] = (op) + 1,
#include "opcodes.def"
};
static const uint8_t op2_number[CAYMAN_ALU_OP_COUNT] = {
#define CAYMAN_OP2(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text) \
   [op] = (r600),
#include "opcodes.def"
};
static const uint16_t op3_of[OP3_NUMBERS + OP3_NUMBERS] = {
#define CAYMAN_OP3(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text) \
   [HAS(six) ? (r600) : OP3_NUMBERS + (op)] = (op) + 1,
#include "opcodes.def"
};
static const uint8_t op3_number[OP3_NUMBERS] = {
#define CAYMAN_OP3(name, op, r600, srcs, slots, five, r700, six, dst, src, flags, text) \
   [op] = (r600),
#include "opcodes.def"
};

static bool
has_cf(enum cayman_vliw vliw, unsigned op)
{
   return op < CAYMAN_CF_OP_COUNT && (cayman_cf_info(op)->chips >> vliw & 1);
}

/* ---- Control flow ---- */

/* The 16 bits above those that mean the same; Evergreen's. */
static uint32_t
high_bits(enum cayman_vliw vliw, unsigned form, unsigned op, uint32_t w1)
{
   const uint32_t count = GET(w1, R600_CF_WORD1__COUNT) |
                          (vliw == CAYMAN_R700 ? GET(w1, R600_CF_WORD1__COUNT_3) << 3 : 0);
   uint32_t out = PUT(CF_WORD1__END_OF_PROGRAM, GET(w1, R600_CF_WORD1__END_OF_PROGRAM)) |
                  PUT(CF_WORD1__VALID_PIXEL_MODE, GET(w1, R600_CF_WORD1__VALID_PIXEL_MODE)) |
                  PUT(CF_WORD1__BARRIER, GET(w1, R600_CF_WORD1__BARRIER));

   if (form == CAYMAN_CF_FORM_BRANCH)
      return out | PUT(CF_WORD1__WHOLE_QUAD_MODE, GET(w1, R600_CF_WORD1__WHOLE_QUAD_MODE)) |
             PUT(CF_WORD1__COUNT,
                 op == CAYMAN_CF_CALL ? GET(w1, R600_CF_WORD1__CALL_COUNT) : count);
   return out | PUT(CF_ALLOC_EXPORT_WORD1_SWIZ__BURST_COUNT,
                    GET(w1, R600_CF_ALLOC_EXPORT_WORD1_SWIZ__BURST_COUNT));
}

/* enum cayman_cf_op of a word; CAYMAN_CF_OP_COUNT: the chip has no such instruction. */
static unsigned
cf_op(enum cayman_vliw vliw, uint32_t w1)
{
   const unsigned number =
      w1 >> 29 & 1 ? ALU_FORMS + GET(w1, CF_ALU_WORD1__CF_INST) : GET(w1, R600_CF_WORD1__CF_INST);
   const unsigned op =
      number < CF_NUMBERS && cf_of[number] ? cf_of[number] - 1u : CAYMAN_CF_OP_COUNT;

   return has_cf(vliw, op) ? op : CAYMAN_CF_OP_COUNT;
}

unsigned
cayman_r600_read_cf(enum cayman_vliw vliw, const uint32_t words[2], uint32_t out[2])
{
   const unsigned op = cf_op(vliw, words[1]);
   const struct cayman_cf_info *info = cayman_cf_info(op);

   out[0] = words[0];
   out[1] = words[1];
   switch (info->form) {
   case CAYMAN_CF_FORM_ALU:
      break;
   case CAYMAN_CF_FORM_BRANCH:
      out[0] = PUT(CF_WORD0__ADDR, GET(words[0], CF_WORD0__ADDR));
      out[1] = (words[1] & 0x3ff) | high_bits(vliw, info->form, op, words[1]);
      break;
   default:
      out[1] = (words[1] & 0xffff) | high_bits(vliw, info->form, op, words[1]);
      break;
   }
   /* Of types 2 and 3, R600's memory instructions read. */
   if (vliw == CAYMAN_R600 && info->form == CAYMAN_CF_FORM_MEM &&
       GET(words[0], CF_ALLOC_EXPORT_WORD0__TYPE) >= CAYMAN_MEM_WRITE_ACK)
      return CAYMAN_CF_OP_COUNT;
   return op;
}

bool
cayman_r600_write_cf(enum cayman_vliw vliw, const struct cayman_cf *cf, uint32_t words[2])
{
   const uint32_t w1 = words[1];
   uint32_t again[2], out = w1;

   if (!has_cf(vliw, cf->op))
      return false;
   if (cf->form != CAYMAN_CF_FORM_ALU) {
      out = PUT(R600_CF_WORD1__CF_INST, cf_number[cf->op]) |
            PUT(R600_CF_WORD1__END_OF_PROGRAM, GET(w1, CF_WORD1__END_OF_PROGRAM)) |
            PUT(R600_CF_WORD1__VALID_PIXEL_MODE, GET(w1, CF_WORD1__VALID_PIXEL_MODE)) |
            PUT(R600_CF_WORD1__BARRIER, GET(w1, CF_WORD1__BARRIER));
      if (cf->form == CAYMAN_CF_FORM_BRANCH) {
         out |=
            (w1 & 0x3ff) | PUT(R600_CF_WORD1__WHOLE_QUAD_MODE, GET(w1, CF_WORD1__WHOLE_QUAD_MODE));
         if (cf->op == CAYMAN_CF_CALL)
            out |= PUT(R600_CF_WORD1__CALL_COUNT, cf->count);
         else
            out |= PUT(R600_CF_WORD1__COUNT, cf->count) |
                   PUT(R600_CF_WORD1__COUNT_3, vliw == CAYMAN_R700 ? cf->count >> 3 : 0);
      } else {
         out |= (w1 & 0xffff) | PUT(R600_CF_ALLOC_EXPORT_WORD1_SWIZ__BURST_COUNT, cf->burst_count);
      }
   }
   const uint32_t made[2] = { words[0], out };

   words[1] = out;
   /* Fields that Evergreen alone has are lost. */
   if (cayman_r600_read_cf(vliw, made, again) != cf->op || again[0] != made[0])
      return false;
   if (cf->form == CAYMAN_CF_FORM_ALU)
      return true;
   const uint32_t inst = PUT(CF_WORD1__CF_INST, 0xff);

   return (again[1] & ~inst) == (w1 & ~inst);
}

/* ---- ALU ---- */

unsigned
cayman_r600_read_alu(enum cayman_vliw vliw, uint32_t w1, uint32_t *out)
{
   const bool op3 = w1 >> 15 & 7;
   unsigned number = GET(w1, ALU_WORD1_OP3__ALU_INST);

   *out = w1;
   if (op3)
      return op3_of[number] ? CAYMAN_OP3_BASE + op3_of[number] - 1u : NO_OP3;
   number = GET(w1, ALU_WORD1_OP2__ALU_INST);
   if (vliw == CAYMAN_R600) {
      number = GET(w1, R600_ALU_WORD1_OP2__ALU_INST);
      *out = (w1 & ~PUT(ALU_WORD1_OP2__OMOD, 3)) |
             PUT(ALU_WORD1_OP2__OMOD, GET(w1, R600_ALU_WORD1_OP2__OMOD));
   }
   return number < OP2_NUMBERS && op2_of[number] ? op2_of[number] - 1u : NO_OP2;
}

bool
cayman_r600_write_alu(enum cayman_vliw vliw, const struct cayman_alu *alu, uint32_t *w1)
{
   uint32_t w = *w1;

   if (!cayman_alu_info_of(vliw, alu->op)->name)
      return false;
   if (alu->op >= CAYMAN_OP3_BASE) {
      w &= ~PUT(ALU_WORD1_OP3__ALU_INST, 0x1f);
      *w1 = w | PUT(ALU_WORD1_OP3__ALU_INST, op3_number[alu->op - CAYMAN_OP3_BASE]);
      return true;
   }
   w &= ~(PUT(ALU_WORD1_OP2__ALU_INST, 0x7ff) | PUT(ALU_WORD1_OP2__OMOD, 3));
   if (vliw == CAYMAN_R600)
      w |= PUT(R600_ALU_WORD1_OP2__ALU_INST, op2_number[alu->op]) |
           PUT(R600_ALU_WORD1_OP2__OMOD, alu->omod);
   else
      w |= PUT(ALU_WORD1_OP2__ALU_INST, op2_number[alu->op]) | PUT(ALU_WORD1_OP2__OMOD, alu->omod);
   *w1 = w;
   /* AR is the only register that a program can name. */
   return alu->op != CAYMAN_ALU_MOVA_INT || alu->mova_dst == CAYMAN_MOVA_AR_X;
}

/* ---- Fetches ---- */

bool
cayman_r600_has_fetch(enum cayman_vliw vliw, unsigned inst)
{
   switch (inst) {
#define NEWER false
#define ALL   true
#define CAYMAN_TEX(name, op, since, text) \
   case op:                               \
      return since;
#define CAYMAN_VTX CAYMAN_TEX
#include "opcodes.def"
   case CAYMAN_MEM_INST_MEM:
      return vliw == CAYMAN_R700;
   default:
      return false;
   }
}
