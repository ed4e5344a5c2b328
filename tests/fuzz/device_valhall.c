/* SPDX-License-Identifier: MIT */
/* Valhall programs in all stages of the device. */
#include "device.h"

#include "isa/valhall/valhall.h"

static bool
allowed(const uint8_t *instruction)
{
   struct valhall_instr instr;
   uint64_t word;

   memcpy(&word, instruction, sizeof(word));
   return valhall_decode(word, &instr, NULL) &&
          valhall_info(instr.opcode)->exec < VALHALL_EXEC_WAITS_ATTRIBUTE;
}

FUZZ_ENTRY(device_valhall)
{
   static const uint8_t end[8] = { 0, 0, 0, 0, 0, 0xc0, 0x00, 0x78 }; /* NOP.end */
   static const struct fuzz_chip chip = { "valhall", sizeof(end), end, allowed };

   return fuzz_device(&chip, data, size);
}
