/* SPDX-License-Identifier: MIT */
/*
 * The line of statistics: that of Mesa's own compiler for this instruction set, so that the same
 * scripts read both.  A core's cycles by unit, of 64 FMA, 64 CVT and 16 SFU results, 16 halves of
 * varyings, 4 textures and one load or store a cycle.
 */
#include "describe.h"

#include <stdio.h>

#include "isa/valhall/valhall.h"

struct counts {
   unsigned instructions, fma, cvt, sfu, varying, texture, memory;
};

/* 32-bit words of a result. */
static unsigned
result_words(const struct valhall_info *info)
{
   return info->shape == VALHALL_SHAPE_PAIR ? 2 : info->shape == VALHALL_SHAPE_DEST;
}

/* Instructions without a register format have their type in the opcode. */
static unsigned
varying_halves(const struct valhall_info *info, const struct valhall_instr *instr)
{
   const unsigned format = valhall_get(instr, VALHALL_MOD_REGISTER_FORMAT);
   const bool half =
      format == VALHALL_REGISTER_FORMAT_F16 || format == VALHALL_REGISTER_FORMAT_S16 ||
      format == VALHALL_REGISTER_FORMAT_U16 || valhall_src_info(info->src[0])->bits == 16;
   return (valhall_get(instr, VALHALL_MOD_VECTOR_SIZE) + 1) * (half ? 1 : 2);
}

static void
count(const struct valhall_instr *instr, struct counts *n)
{
   const struct valhall_info *info = valhall_info(instr->opcode);

   n->instructions++;
   switch (info->unit) {
   case VALHALL_UNIT_FMA:
      n->fma += result_words(info);
      break;
   case VALHALL_UNIT_CVT:
      n->cvt += result_words(info);
      break;
   case VALHALL_UNIT_SFU:
      n->sfu += result_words(info);
      break;
   case VALHALL_UNIT_VARY:
      n->varying += varying_halves(info, instr);
      break;
   case VALHALL_UNIT_LS:
      n->memory++;
      break;
   case VALHALL_UNIT_TEX:
      n->texture++;
      break;
   case VALHALL_UNIT_VARTEX:
      n->varying += 4; /* two coordinates */
      n->texture++;
      break;
   }
}

static float
most(float a, float b)
{
   return a > b ? a : b;
}

void
valhall_describe(const struct shader_code *code, char text[SHADER_DESCRIPTION_MAX])
{
   struct counts n = { 0 };

   for (unsigned i = 0; i + 1 < code->num_dwords; i += 2) {
      const uint64_t word = code->words[i] | (uint64_t)code->words[i + 1] << 32;
      struct valhall_instr instr;
      if (valhall_decode(word, &instr, NULL))
         count(&instr, &n);
   }
   const float fma = (float)n.fma / 64, cvt = (float)n.cvt / 64, sfu = (float)n.sfu / 16;
   const float v = (float)n.varying / 16, t = (float)n.texture / 4, ls = (float)n.memory;
   const float cycles = most(most(most(fma, cvt), most(sfu, v)), most(t, ls));
   snprintf(text, SHADER_DESCRIPTION_MAX,
            "%u inst, %f cycles, %f fma, %f cvt, %f sfu, %f v, %f t, %f ls, %u quadwords, "
            "%u threads, %u loops, %u:%u spills:fills",
            n.instructions, cycles, fma, cvt, sfu, v, t, ls, code->num_dwords / 4,
            code->num_gprs <= 32 ? 2 : 1, code->num_loops, code->num_spilled, code->num_spilled);
}
