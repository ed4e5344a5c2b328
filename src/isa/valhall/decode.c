/* SPDX-License-Identifier: MIT */
/*
 * Words to decoded instructions and back.
 *
 * A word is refused if a bit that has no meaning is set, or a field holds a value that has none, so
 * that what decodes also prints, and what prints reads back as the same word.
 */
#include "internal.h"

static unsigned
get(uint64_t word, unsigned lo, unsigned width)
{
   return (unsigned)(word >> lo & ((UINT64_C(1) << width) - 1));
}

/* Bits 46 and 47 of a shape, or -1: they are the row's own. */
static int
staging_flags(unsigned shape)
{
   switch (shape) {
   case VALHALL_SHAPE_READ:
      return 1;
   case VALHALL_SHAPE_WRITE:
   case VALHALL_SHAPE_VARTEX:
      return 2;
   case VALHALL_SHAPE_ATOMIC:
   case VALHALL_SHAPE_NONE:
      return 3;
   default:
      return -1;
   }
}

static bool
decode_source(uint64_t word, const struct valhall_info *info, unsigned n,
              struct valhall_instr *instr, struct isa_error *error)
{
   const struct valhall_src_info *src = valhall_src_info(info->src[n]);
   unsigned byte = get(word, valhall_src_lo(info, n), 8);

   instr->src[n].byte = (uint8_t)byte;
   if (src->negabs) {
      instr->src[n].neg = get(word, VALHALL_NEG_BIT(n), 1);
      instr->src[n].abs = get(word, VALHALL_NEG_BIT(n) + 1, 1);
   }
   if (src->invert)
      instr->src[n].invert = get(word, VALHALL_NOT_BIT, 1);
   if (src->width) {
      instr->src[n].select = (uint8_t)get(word, src->lo[n], src->width);
      if (!valhall_value(src->en, instr->src[n].select)) {
         return isa_fail(error, 0, 0, "source %u: %s %u is reserved", n, valhall_enum_text(src->en),
                         instr->src[n].select);
      }
   }
   if (valhall_src_is_special(byte) &&
       !valhall_value(valhall_page_enum(instr->page), byte >> 1 & 15)) {
      return isa_fail(error, 0, 0, "source %u: page %u has no special value %u", n, instr->page,
                      byte >> 1 & 15);
   }
   return true;
}

static bool
decode_staging(uint64_t word, const struct valhall_info *info, struct valhall_instr *instr,
               struct isa_error *error)
{
   int flags = staging_flags(info->shape);
   uint64_t own = 0;

   for (unsigned n = 0; n < info->num_mod; n++) {
      const struct valhall_mod_info *mod = valhall_mod_info(info->mod[n]);
      own |= ((UINT64_C(1) << mod->width) - 1) << mod->lo;
   }
   if (flags >= 0 && get(word, 46, 2) != (unsigned)flags) {
      return isa_fail(error, 0, 0, "bits 46 and 47 must be %d for an instruction that %s", flags,
                      info->shape == VALHALL_SHAPE_NONE ? "gives no result"
                      : flags == 1                      ? "reads staging registers"
                      : flags == 2                      ? "writes staging registers"
                                                        : "reads and writes staging registers");
   }
   if (info->shape == VALHALL_SHAPE_TEX && (word & ~own) >> 46 & 3)
      return isa_fail(error, 0, 0, "bits 46 and 47 beyond the register widths must be zero");
   if (info->shape == VALHALL_SHAPE_NONE && (word & ~own) >> 40 & 0x3f)
      return isa_fail(error, 0, 0, "bits 40 to 45 must be zero: there is no result");
   for (unsigned n = 0; n < valhall_num_staging(info); n++) {
      struct valhall_staging s = valhall_staging(info, n);
      unsigned reg = get(word, s.reg_lo, 6), count = get(word, s.count_lo, 3) + s.bias;
      if (count == 0 && reg != 0)
         return isa_fail(error, 0, 0, "r%u begins no staging registers: their number is zero", reg);
      if (reg + count > VALHALL_REGISTERS) {
         return isa_fail(error, 0, 0, "staging registers r%u to r%u reach beyond r63", reg,
                         reg + count - 1);
      }
      instr->staging[n].reg = (uint8_t)reg;
      instr->staging[n].count = (uint8_t)count;
   }
   return true;
}

bool
valhall_decode(uint64_t word, struct valhall_instr *instr, struct isa_error *error)
{
   unsigned opcode = valhall_find(word);
   bool fau = false;

   *instr = (struct valhall_instr){ 0 };
   if (word >> 63)
      return isa_fail(error, 0, 0, "bit 63 is reserved and must be zero");
   if (opcode == VALHALL_OP_COUNT) {
      unsigned number = get(word, 48, 9);
      return isa_fail(error, 0, 0,
                      valhall_has_opcode(number) ? "opcode 0x%03x has no such secondary opcode"
                                                 : "opcode 0x%03x is undefined",
                      number);
   }
   const struct valhall_info *info = valhall_info(opcode);
   if (word & ~info->fields) {
      unsigned bit = (unsigned)__builtin_ctzll(word & ~info->fields);
      return isa_fail(error, 0, 0, "%s: bit %u is reserved and must be zero", info->name, bit);
   }
   instr->opcode = (uint16_t)opcode;
   instr->page = (uint8_t)get(word, 57, 2);
   instr->flow = (uint8_t)get(word, 59, 4);
   if (!valhall_value(VALHALL_ENUM_FLOW, instr->flow))
      return isa_fail(error, 0, 0, "flow %u is reserved", instr->flow);
   for (unsigned n = 0; n < info->num_src; n++) {
      if (!decode_source(word, info, n, instr, error))
         return false;
      unsigned byte = instr->src[n].byte;
      fau |= valhall_src_is_uniform(byte) || valhall_src_is_special(byte);
   }
   if (instr->page && !fau) {
      return isa_fail(error, 0, 0, "page %u is named, but no source is uniform or special",
                      instr->page);
   }
   for (unsigned n = 0; n < info->num_imm; n++) {
      const struct valhall_imm_info *imm = &info->imm[n];
      instr->imm[n] = get(word, imm->lo, imm->width);
      if (imm->is_signed && instr->imm[n] >> (imm->width - 1) & 1)
         instr->imm[n] |= ~0u << imm->width;
   }
   for (unsigned n = 0; n < info->num_mod; n++) {
      const struct valhall_mod_info *mod = valhall_mod_info(info->mod[n]);
      instr->mod[n] = (uint8_t)get(word, mod->lo, mod->width);
      if (mod->en != VALHALL_ENUM_FLAG && !valhall_value(mod->en, instr->mod[n])) {
         return isa_fail(error, 0, 0, "%s %u is reserved", valhall_enum_text(mod->en),
                         instr->mod[n]);
      }
   }
   if (info->shape == VALHALL_SHAPE_DEST || info->shape == VALHALL_SHAPE_PAIR) {
      instr->dest = (uint8_t)get(word, 40, 6);
      instr->mask = (uint8_t)get(word, 46, 2);
      if (!instr->mask)
         return isa_fail(error, 0, 0, "the mask of the result's halves is empty");
      return true;
   }
   return decode_staging(word, info, instr, error);
}

uint64_t
valhall_encode(const struct valhall_instr *instr)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   uint64_t word = info->match;
   int flags = staging_flags(info->shape);

   word |= (uint64_t)(instr->page & 3) << 57 | (uint64_t)(instr->flow & 15) << 59;
   if (info->shape == VALHALL_SHAPE_DEST || info->shape == VALHALL_SHAPE_PAIR)
      word |= (uint64_t)(instr->dest & 63) << 40 | (uint64_t)(instr->mask & 3) << 46;
   else if (flags >= 0)
      word |= (uint64_t)flags << 46;
   for (unsigned n = 0; n < valhall_num_staging(info); n++) {
      struct valhall_staging s = valhall_staging(info, n);
      word |= (uint64_t)(instr->staging[n].reg & 63) << s.reg_lo;
      word |= (uint64_t)((instr->staging[n].count - s.bias) & 7) << s.count_lo;
   }
   for (unsigned n = 0; n < info->num_src; n++) {
      const struct valhall_src_info *src = valhall_src_info(info->src[n]);
      word |= (uint64_t)instr->src[n].byte << valhall_src_lo(info, n);
      if (src->negabs) {
         word |= (uint64_t)instr->src[n].neg << VALHALL_NEG_BIT(n);
         word |= (uint64_t)instr->src[n].abs << (VALHALL_NEG_BIT(n) + 1);
      }
      if (src->invert)
         word |= (uint64_t)instr->src[n].invert << VALHALL_NOT_BIT;
      if (src->width)
         word |= (uint64_t)instr->src[n].select << src->lo[n];
   }
   for (unsigned n = 0; n < info->num_imm; n++) {
      const struct valhall_imm_info *imm = &info->imm[n];
      word |= (instr->imm[n] & ((UINT64_C(1) << imm->width) - 1)) << imm->lo;
   }
   for (unsigned n = 0; n < info->num_mod; n++) {
      const struct valhall_mod_info *mod = valhall_mod_info(info->mod[n]);
      word |= (uint64_t)instr->mod[n] << mod->lo;
   }
   return word;
}

static uint64_t
range(unsigned reg, unsigned count)
{
   if (reg >= VALHALL_REGISTERS || count == 0)
      return 0;
   uint64_t mask = count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
   return mask << reg;
}

uint64_t
valhall_reads(const struct valhall_instr *instr)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   uint64_t mask = 0;

   for (unsigned n = 0; n < info->num_src; n++) {
      const struct valhall_src_info *src = valhall_src_info(info->src[n]);
      if (valhall_src_is_register(instr->src[n].byte)) {
         /* A selector of a 64-bit source takes a part of one register. */
         bool pair = src->bits == 64 && instr->src[n].select == 0;
         mask |= range(instr->src[n].byte & 63, pair ? 2 : 1);
      }
   }
   for (unsigned n = 0; n < valhall_num_staging(info); n++)
      if (!valhall_staging(info, n).written)
         mask |= range(instr->staging[n].reg, instr->staging[n].count);
   /* What a mask leaves of a register is kept. */
   if (info->shape == VALHALL_SHAPE_DEST && instr->mask != 3)
      mask |= range(instr->dest, 1);
   return mask;
}

uint64_t
valhall_writes(const struct valhall_instr *instr)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   uint64_t mask = 0;

   if (info->shape == VALHALL_SHAPE_DEST)
      mask |= range(instr->dest, 1);
   else if (info->shape == VALHALL_SHAPE_PAIR)
      mask |= range(instr->dest, 2);
   for (unsigned n = 0; n < valhall_num_staging(info); n++)
      if (valhall_staging(info, n).written)
         mask |= range(instr->staging[n].reg, instr->staging[n].count);
   return mask;
}
