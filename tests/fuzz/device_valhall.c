/* SPDX-License-Identifier: MIT */
/* Valhall programs in all stages of the device. */
#include "device.h"

#include "isa/valhall/valhall.h"

static bool
admit(uint8_t *instruction, bool pixel)
{
   struct valhall_instr instr;
   uint64_t word;

   memcpy(&word, instruction, sizeof(word));
   if (!valhall_decode(word, &instr, NULL))
      return false;
   const unsigned exec = valhall_info(instr.opcode)->exec;
   if (exec >= VALHALL_EXEC_UNDOCUMENTED || (!pixel && valhall_exec_is_fragment(exec)))
      return false;
   if (exec == VALHALL_EXEC_BRANCHZ || exec == VALHALL_EXEC_BLEND)
      instr.imm[0] = (instr.imm[0] & 15) - 8u;
   else if (exec == VALHALL_EXEC_LEA_BUF)
      instr.imm[0] = 13;
   word = valhall_encode(&instr);
   memcpy(instruction, &word, sizeof(word));
   return true;
}

FUZZ_ENTRY(device_valhall)
{
   static const uint8_t end[8] = { 0, 0, 0, 0, 0, 0xc0, 0x00, 0x78 }; /* NOP.end */
   static const struct fuzz_chip chip = { "valhall", 15, sizeof(end), end, admit };

   return fuzz_device(&chip, data, size);
}
