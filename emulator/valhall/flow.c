/* SPDX-License-Identifier: MIT */
/*
 * Control flow of a Valhall program before it is lifted: which of the words behind its address are
 * the program, and which registers it may read before it writes them.
 */
#include "valhall/program.h"

#include <stdlib.h>
#include <string.h>

/* BLEND goes on behind the words that call a blend program: this device has none. */
static int64_t
jump_of(const struct valhall_instr *instr, uint32_t pc, bool device)
{
   const unsigned exec = valhall_info(instr->opcode)->exec;

   if (exec == VALHALL_EXEC_BRANCHZ)
      return (int64_t)pc + 1 + (int32_t)instr->imm[0];
   if (exec == VALHALL_EXEC_BLEND && device)
      return (int64_t)pc + 1 + instr->imm[0];
   return -1;
}

/* A branch on a constant that every lane takes. */
static bool
is_jump(const struct valhall_instr *instr)
{
   const unsigned byte = instr->src[0].byte;

   return valhall_info(instr->opcode)->exec == VALHALL_EXEC_BRANCHZ &&
          valhall_src_is_constant(byte) && instr->src[0].select == VALHALL_COMBINE_NONE &&
          (valhall_constant(byte & 31) == 0) == (valhall_get(instr, VALHALL_MOD_EQ) != 0);
}

static bool
falls_through(const struct valhall_instr *instr, bool device)
{
   return instr->flow != VALHALL_FLOW_END && !is_jump(instr) &&
          !(valhall_info(instr->opcode)->exec == VALHALL_EXEC_BLEND && device);
}

bool
vh_find_reached(const struct vh_source *source, bool *reached, bool *target, uint32_t *count)
{
   uint32_t *stack = malloc((source->count + 1) * sizeof(*stack)), depth = 0;

   *count = 0;
   if (!stack)
      return false;
   stack[depth++] = 0;
   while (depth) {
      uint32_t pc = stack[--depth];
      for (;; pc++) {
         struct valhall_instr instr;

         if (pc >= source->count || reached[pc])
            break;
         reached[pc] = true;
         *count = pc >= *count ? pc + 1 : *count;
         if (!valhall_decode(source->words[pc], &instr, NULL))
            break;
         const int64_t to =
            instr.flow == VALHALL_FLOW_END ? -1 : jump_of(&instr, pc, source->device);
         if (to >= 0 && to < (int64_t)source->count) {
            if (!target[to])
               stack[depth++] = (uint32_t)to; /* each word at most once */
            target[to] = true;
         }
         if (!falls_through(&instr, source->device))
            break;
      }
   }
   free(stack);
   return true;
}

/* Registers that an instruction wholly writes. */
static uint64_t
replaces(const struct valhall_instr *instr)
{
   const struct valhall_info *info = valhall_info(instr->opcode);

   if (info->shape == VALHALL_SHAPE_DEST && instr->mask != 3)
      return 0;
   if ((info->exec == VALHALL_EXEC_LOAD || info->exec == VALHALL_EXEC_LD_BUFFER) &&
       valhall_type_info(info->from)->bits < 32)
      return 0;
   return valhall_writes(instr);
}

static uint64_t
bit_of(const struct valhall_instr *instr, unsigned source)
{
   const unsigned byte = instr->src[source].byte;

   return valhall_src_is_register(byte) ? UINT64_C(1) << (byte & 63) : 0;
}

/* Registers whose values matter: the place that a varying's load names is only looked at where it
 * is an offset. */
static uint64_t
reads(const struct valhall_instr *instr, bool device, bool plain_coverage)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   const unsigned mode = valhall_get(instr, VALHALL_MOD_SAMPLE_MODE);
   uint64_t all = 0;

   if (!device)
      return valhall_reads(instr);
   switch (info->exec) {
   case VALHALL_EXEC_LD_VAR:
   case VALHALL_EXEC_LD_VAR_BUF:
   case VALHALL_EXEC_LD_VAR_SPECIAL:
      for (unsigned n = mode == VALHALL_SAMPLE_MODE_EXPLICIT ? 0 : 1; n < info->num_src; n++)
         all |= bit_of(instr, n);
      return all;
   case VALHALL_EXEC_LEA_BUF:
      return 0;
   case VALHALL_EXEC_BLEND:
      for (unsigned n = 0; n < instr->staging[0].count; n++)
         all |= UINT64_C(1) << ((instr->staging[0].reg + n) & 63);
      return all | bit_of(instr, 0);
   case VALHALL_EXEC_ATEST:
      return plain_coverage ? 0 : bit_of(instr, 0);
   case VALHALL_EXEC_ZS_EMIT:
      for (unsigned n = 0; n < (plain_coverage ? 2u : 3u); n++)
         all |= bit_of(instr, n);
      return all;
   default:
      return valhall_reads(instr);
   }
}

#define PASSES 16u

uint64_t
vh_live_at_entry(const struct vh_source *source, const bool *reached, uint32_t count,
                 bool plain_coverage)
{
   uint64_t *live = calloc(count + 1, sizeof(*live)), entry = ~UINT64_C(0);

   for (unsigned pass = 0; live && pass < PASSES; pass++) {
      bool changed = false;

      for (uint32_t pc = count; pc-- > 0;) {
         struct valhall_instr instr;
         uint64_t in = 0;

         if (!reached[pc] || !valhall_decode(source->words[pc], &instr, NULL))
            continue;
         const int64_t to = jump_of(&instr, pc, source->device);
         if (falls_through(&instr, source->device))
            in |= live[pc + 1];
         if (to >= 0 && to < (int64_t)count)
            in |= live[to];
         in = (in & ~replaces(&instr)) | reads(&instr, source->device, plain_coverage);
         if (valhall_info(instr.opcode)->shape == VALHALL_SHAPE_DEST && instr.mask != 3)
            in |= valhall_writes(&instr);
         changed |= in != live[pc];
         live[pc] = in;
      }
      if (!changed) {
         entry = count ? live[0] : 0;
         break;
      }
   }
   free(live);
   return entry;
}
