/* SPDX-License-Identifier: MIT */
/* The table of opcodes; words to instructions and back, from the lists. */
#include "attila.h"

#include <string.h>

#define SOA    ATTILA_FORM_SOA
#define IMM    ATTILA_FORM_IMM
#define PIXEL  ATTILA_FORM_PIXEL
#define ALWAYS ATTILA_FORM_ALWAYS

/* Names are upper case in the list and lower case in a text. */
static const struct attila_info infos[256] = {
#define ATTILA_OP(name, opcode, kind, result, sources, forms, lift, how, text) \
   [opcode] = { #name, #kind, text, sources, ATTILA_RESULT_##result, forms },
#include "opcodes.def"
};
#undef IMM

const struct attila_info *
attila_info(unsigned opcode)
{
   static const struct attila_info none = { NULL };
   return opcode < 256 ? &infos[opcode] : &none;
}

static bool
same_name(const char *upper, const char *name, size_t length)
{
   size_t i = 0;
   for (; i < length && upper[i]; i++) {
      char c = name[i];
      if (upper[i] != (c >= 'a' && c <= 'z' ? c - 32 : c))
         return false;
   }
   return i == length && !upper[i];
}

int
attila_find(const char *name, size_t length)
{
   /* Headings and tables of the document spell some in another way. */
   static const struct {
      const char *name;
      uint8_t opcode;
   } others[] = {
      { "JUMP", ATTILA_JMP },       { "SETPPEQ", ATTILA_SETPEQ }, { "STPEQI", ATTILA_SETPEQI },
      { "STPGTI", ATTILA_SETPGTI }, { "STPLTI", ATTILA_SETPLTI },
   };
   for (unsigned i = 0; i < sizeof(others) / sizeof(*others); i++)
      if (same_name(others[i].name, name, length))
         return others[i].opcode;
   for (int i = 0; i < 256; i++)
      if (infos[i].name && same_name(infos[i].name, name, length))
         return i;
   return -1;
}

static uint64_t
mask_of(unsigned width)
{
   return (UINT64_C(1) << width) - 1;
}

#define IN_ALL true
#define IN_REG !immediate
#define IN_IMM immediate

void
attila_decode(const uint32_t words[ATTILA_DWORDS], struct attila_inst *inst)
{
   const uint64_t q[2] = { words[0] | (uint64_t)words[1] << 32,
                           words[2] | (uint64_t)words[3] << 32 };
   bool immediate = false;

   memset(inst, 0, sizeof(*inst));
   /* The first qword says which form the second has. */
#define ATTILA_FIELD(form, member, qword, lo, width) \
   if ((qword) == 1)                                 \
      immediate = attila_is_immediate(inst);         \
   if (IN_##form)                                    \
      inst->member = (typeof(inst->member))(q[qword] >> (lo)&mask_of(width));
#include "fields.def"
}

void
attila_encode(const struct attila_inst *inst, uint32_t words[ATTILA_DWORDS])
{
   uint64_t q[2] = { 0, 0 };
   bool immediate = attila_is_immediate(inst);

#define ATTILA_FIELD(form, member, qword, lo, width) \
   if (IN_##form)                                    \
      q[qword] |= ((uint64_t)inst->member & mask_of(width)) << (lo);
#include "fields.def"
   for (unsigned i = 0; i < ATTILA_DWORDS; i++)
      words[i] = (uint32_t)(q[i / 2] >> (32 * (i % 2)));
}
