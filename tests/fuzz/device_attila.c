/* SPDX-License-Identifier: MIT */
/* ATTILA programs in the vertex and pixel stages of the device, which refuses others. */
#include "device.h"

#include "isa/attila/attila.h"

static bool
allowed(const uint8_t *instruction)
{
   uint32_t words[4];
   struct attila_inst inst;
   char text[200];

   memcpy(words, instruction, sizeof(words));
   attila_decode(words, &inst);
   return !attila_check(&inst, NULL, false, text, sizeof(text));
}

FUZZ_ENTRY(device_attila)
{
   static const uint8_t end[16] = { ATTILA_END };
   static const struct fuzz_chip chip = { "attila", sizeof(end), end, allowed };

   return fuzz_device(&chip, data, size);
}
