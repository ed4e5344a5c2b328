/* SPDX-License-Identifier: MIT */
/*
 * Building instructions, and what the machine's table says of them.
 */
#include "ir.h"

struct ac_src
ac_register(unsigned bank, uint32_t reg)
{
   return (struct ac_src){ .bank = (uint8_t)bank, .reg = reg, .swz = { 0, 1, 2, 3 } };
}

struct ac_src
ac_temp(uint32_t reg)
{
   return ac_register(ATTILA_TEMP, reg);
}

struct ac_src
ac_bits(uint32_t value)
{
   struct ac_src s = ac_register(AC_LITERAL, 0);
   for (unsigned c = 0; c < 4; c++)
      s.value[c] = value;
   return s;
}

struct ac_src
ac_float(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return ac_bits(bits);
}

struct ac_src
ac_comp(struct ac_src s, unsigned comp)
{
   const uint8_t select = s.swz[comp];
   const uint32_t value = s.value[comp];
   for (unsigned c = 0; c < 4; c++) {
      s.swz[c] = s.bank == AC_LITERAL ? (uint8_t)c : select;
      s.value[c] = value;
   }
   return s;
}

uint32_t
ac_new_reg(struct ac_compiler *c)
{
   return c->num_regs++;
}

static struct ac_inst *
append(struct ac_compiler *c, unsigned op)
{
   c->insts = ac_grow(c, c->insts, c->num_insts, &c->cap_insts, sizeof(*c->insts));
   struct ac_inst *i = &c->insts[c->num_insts++];
   *i = (struct ac_inst){ .op = (uint16_t)op, .place = c->place };
   return i;
}

struct ac_inst *
ac_emit(struct ac_compiler *c, unsigned op, uint32_t reg, unsigned mask, unsigned num_src,
        struct ac_src a, struct ac_src b, struct ac_src d)
{
   struct ac_inst *i = append(c, op);
   const struct ac_src none = { 0 };
   i->bank = ATTILA_TEMP;
   i->reg = reg;
   i->mask = (uint8_t)mask;
   i->src[0] = a;
   i->src[1] = num_src > 1 ? b : none;
   i->src[2] = num_src > 2 ? d : none;
   return i;
}

struct ac_inst *
ac_set_pred(struct ac_compiler *c, unsigned op, unsigned pred, struct ac_src a, struct ac_src b)
{
   struct ac_inst *i = ac_emit(c, op, pred, 0, 2, a, b, b);
   i->bank = 0;
   return i;
}

struct ac_inst *
ac_flow(struct ac_compiler *c, unsigned op)
{
   return append(c, op);
}

bool
ac_is_flow(const struct ac_inst *i)
{
   return i->op >= AC_IF;
}

unsigned
ac_num_src(const struct ac_inst *i)
{
   return ac_is_flow(i) ? 0 : (unsigned)strlen(attila_info(i->op)->sources);
}

char
ac_kind(const struct ac_inst *i, unsigned n)
{
   return attila_info(i->op)->sources[n];
}

bool
ac_each(unsigned op)
{
   switch (op) {
#define EACH       true
#define OWN        true
#define SCALAR     false
#define OWN_SCALAR false
#define BUILD      false
#define WAITS      false
#define ATTILA_OP(name, opcode, kind, result, sources, forms, lift, how, text) \
   case opcode:                                                                \
      return lift;
#include "isa/attila/opcodes.def"
   default:
      return false;
   }
}

bool
ac_writes(const struct ac_inst *i)
{
   return !ac_is_flow(i) && attila_info(i->op)->result != ATTILA_RESULT_NONE &&
          attila_info(i->op)->result != ATTILA_RESULT_PRED;
}

unsigned
ac_read_mask(const struct ac_inst *i, unsigned n)
{
   switch (ac_kind(i, n)) {
   case 's':
   case 'j':
      return 1;
   case 'v':
   case 'i':
      break;
   default:
      return 0;
   }
   switch (i->op) {
   case ATTILA_DP3:
      return 7;
   case ATTILA_LDA:
   case ATTILA_ZXP:
      return 1;
   case ATTILA_DDX:
   case ATTILA_DDY:
      return i->mask;
   default:
      return ac_each(i->op) ? i->mask : 15;
   }
}

unsigned
ac_reads_of(const struct ac_inst *i, unsigned bank, uint32_t reg)
{
   unsigned mask = 0;
   for (unsigned n = 0; n < ac_num_src(i); n++) {
      const struct ac_src *s = &i->src[n];
      const unsigned read = ac_read_mask(i, n);
      if (s->bank != bank || s->reg != reg)
         continue;
      for (unsigned c = 0; c < 4; c++)
         if (read >> c & 1)
            mask |= 1u << s->swz[c];
   }
   return mask;
}
