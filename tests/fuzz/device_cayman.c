/* SPDX-License-Identifier: MIT */
/*
 * Cayman programs in all stages of the device.  The first quarter of a program's bytes are its
 * control-flow instructions, the rest their clauses; what an instruction names lies in the program,
 * and registers are few, so that much of it runs.
 */
#include "device.h"

#include "isa/cayman/cayman.h"

#define PROGRAM 1024u /* bytes */
#define UNITS   (PROGRAM / 8)
#define FLOWS   (UNITS / 4)

static void
admit_slot(uint32_t words[2])
{
   struct cayman_alu alu;

   cayman_decode_alu(CAYMAN_VLIW4, words, &alu);
   alu.dst_gpr &= 15;
   for (unsigned n = 0; n < 3; n++)
      if (cayman_src_is_gpr(alu.src[n].sel))
         alu.src[n].sel &= 15;
   cayman_encode_alu(CAYMAN_VLIW4, &alu, words);
}

static void
admit_fetch(uint32_t words[4])
{
   struct cayman_fetch fetch;

   cayman_decode_fetch(CAYMAN_VLIW4, words, &fetch);
   if (fetch.kind == CAYMAN_FETCH_TEX)
      fetch.tex.src_gpr &= 15, fetch.tex.dst_gpr &= 15, fetch.tex.resource_id &= 3;
   if (fetch.kind == CAYMAN_FETCH_VTX)
      fetch.vtx.src_gpr &= 15, fetch.vtx.dst_gpr &= 15, fetch.vtx.buffer_id &= 3;
   if (fetch.kind != CAYMAN_FETCH_NONE)
      cayman_encode_fetch(CAYMAN_VLIW4, &fetch, words);
}

static void
admit_flow(uint32_t *program, uint32_t words[2])
{
   struct cayman_cf cf;

   cayman_decode_cf(CAYMAN_VLIW4, words, &cf);
   cf.rw_gpr &= 15;
   cf.index_gpr &= 15;
   if (cayman_cf_is_alu(&cf)) {
      cf.count &= 15;
      cf.addr = FLOWS + cf.addr % (UNITS - FLOWS - 16);
      for (unsigned n = 0; n <= cf.count; n++)
         admit_slot(program + 2 * (cf.addr + n));
   } else if (cayman_cf_is_fetch(&cf) || cayman_cf_is_gds(&cf)) {
      cf.count &= 3;
      cf.addr = (FLOWS + cf.addr % (UNITS - FLOWS - 8)) & ~1u;
      for (unsigned n = 0; n <= cf.count; n++)
         admit_fetch(program + 2 * cf.addr + 4 * n);
   } else {
      cf.addr %= FLOWS + 1;
   }
   cayman_encode_cf(&cf, words);
   cayman_decode_cf(CAYMAN_VLIW4, words, &cf);
   FUZZ_CHECK(!(cayman_cf_is_alu(&cf) || cayman_cf_is_fetch(&cf) || cayman_cf_is_gds(&cf)) ||
              cf.addr + cf.count < UNITS);
}

static void
lay(uint8_t *to, const uint8_t *data, size_t size, bool admitted)
{
   const struct cayman_cf end = { .op = CAYMAN_CF_END };
   const size_t flows = size / 4 < FLOWS * 8 ? size / 4 / 8 * 8 : FLOWS * 8;
   uint32_t program[PROGRAM / 4] = { 0 }, words[2];

   memcpy(program, data, flows);
   size = size - flows < PROGRAM - FLOWS * 8 ? size - flows : PROGRAM - FLOWS * 8;
   memcpy(program + FLOWS * 2, data + flows, size);
   for (unsigned n = 0; admitted && n < flows / 8; n++)
      admit_flow(program, program + 2 * n);
   cayman_encode_cf(&end, words);
   memcpy(program + flows / 4, words, sizeof(words));
   memcpy(to, program, PROGRAM);
}

FUZZ_ENTRY(device_cayman)
{
   static const struct fuzz_chip chip = { .isa = "cayman", .kinds = 15, .lay = lay };

   return fuzz_device(&chip, data, size);
}
