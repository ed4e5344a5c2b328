/* SPDX-License-Identifier: MIT */
/* ATTILA programs in the vertex and pixel stages of the device, which refuses others. */
#include "device.h"

#include "isa/attila/attila.h"

static bool
admit(uint8_t *instruction, bool pixel)
{
   const struct isa_limits limits = { .stage = pixel ? ISA_STAGE_PIXEL : ISA_STAGE_VERTEX };
   uint32_t words[4];
   struct attila_inst inst;
   char text[200];

   memcpy(words, instruction, sizeof(words));
   attila_decode(words, &inst);
   inst.result_reg &= 15; /* a program has 117 at most */
   for (unsigned n = 0; n < 3; n++)
      inst.src[n].reg &= 15;
   if (inst.opcode == ATTILA_ZXS || inst.opcode == ATTILA_CHS ||
       attila_check(&inst, &limits, false, text, sizeof(text)))
      return false;
   attila_encode(&inst, words);
   memcpy(instruction, words, sizeof(words));
   return true;
}

FUZZ_ENTRY(device_attila)
{
   static const uint8_t end[16] = { ATTILA_END };
   static const struct fuzz_chip chip = { "attila", 4, sizeof(end), end, admit };

   return fuzz_device(&chip, data, size);
}
