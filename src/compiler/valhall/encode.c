/* SPDX-License-Identifier: MIT */
/*
 * Words: registers and uniforms become source bytes, and the numbers of the program are counted.
 */
#include "ir.h"

#include <stdlib.h>
#include <string.h>

#define REGISTERS_32 UINT64_C(0xffff00000000ffff)

static unsigned
constant_byte(uint32_t bits)
{
   unsigned n = 0;
   while (n < 31 && valhall_constant(n) != bits)
      n++;
   return VALHALL_SRC_CONST | n;
}

static unsigned
source_byte(const struct vc *c, const struct vc_operand *o, bool last, uint8_t *page)
{
   switch (o->kind) {
   case VC_VALUE:
      return (unsigned)(c->values[o->value].reg + o->comp) | (last ? VALHALL_SRC_LAST : 0);
   case VC_UNIFORM:
      *page = (uint8_t)(o->value >> 6);
      return VALHALL_SRC_UNIFORM | (o->value & 63);
   case VC_SPECIAL:
      *page = o->page;
      return VALHALL_SRC_SPECIAL | o->value << 1 | o->comp;
   default:
      return constant_byte(o->value);
   }
}

static uint64_t
encode(const struct vc *c, const struct vc_inst *inst, uint64_t *used)
{
   const struct valhall_info *info = valhall_info(inst->op);
   struct valhall_instr word = { .opcode = inst->op, .flow = inst->flow };
   unsigned written = vc_written(c, inst), staging = 0;

   for (unsigned n = 0; n < info->num_src; n++) {
      const struct vc_operand *o = &inst->src[n];
      word.src[n].byte = (uint8_t)source_byte(c, o, inst->last >> n & 1, &word.page);
      word.src[n].select = o->select;
      word.src[n].neg = o->neg;
      word.src[n].abs = o->abs;
      word.src[n].invert = o->invert;
   }
   if (info->shape == VALHALL_SHAPE_DEST || info->shape == VALHALL_SHAPE_PAIR) {
      word.dest = (uint8_t)(c->values[inst->dest].reg + inst->dest_comp);
      word.mask = 3;
   } else if (written) {
      word.staging[0].reg = c->values[inst->dest].reg;
      word.staging[0].count = (uint8_t)written;
      staging = 1;
   }
   if (inst->staging) {
      word.staging[staging].reg = c->values[inst->staging].reg;
      word.staging[staging].count = inst->staged;
   }
   memcpy(word.imm, inst->imm, sizeof(word.imm));
   memcpy(word.mod, inst->mod, sizeof(word.mod));
   *used |= valhall_reads(&word) | valhall_writes(&word);
   return valhall_encode(&word);
}

static void
count(struct shader_code *out, const struct vc_inst *inst)
{
   switch (valhall_info(inst->op)->unit) {
   case VALHALL_UNIT_FMA:
   case VALHALL_UNIT_CVT:
   case VALHALL_UNIT_SFU:
      out->num_alu_slots++;
      out->num_cf += inst->op == VALHALL_OP_BRANCHZ;
      break;
   default:
      out->num_fetches++;
      break;
   }
}

void
vc_encode(struct vc *c)
{
   struct shader_code *out = c->out;
   uint64_t used = 0;

   out->num_fetches = 0;
   out->num_dwords = 2 * c->num_code;
   out->words = malloc((out->num_dwords + 1) * sizeof(*out->words));
   out->places = malloc((c->num_code + 1) * sizeof(*out->places));
   if (!out->words || !out->places)
      vc_fail(c, "out of memory");
   for (uint32_t n = 0; n < c->num_code; n++) {
      uint64_t word = encode(c, c->code[n], &used);
      out->words[2 * n] = (uint32_t)word;
      out->words[2 * n + 1] = (uint32_t)(word >> 32);
      out->places[n] = c->code[n]->place;
      count(out, c->code[n]);
   }
   out->num_gprs = used & ~REGISTERS_32 ? 64 : 32;
   out->scratch_vec4s = (c->scratch_bytes + 15) / 16;
}
