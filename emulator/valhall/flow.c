/* SPDX-License-Identifier: MIT */
/*
 * Control flow of a Valhall program before it is lifted: which of the words from its address on are
 * the program, which are blend programs that it calls, and which registers it may read before it
 * writes them.
 *
 * A call (BRANCHZI) goes to the first word of a blend program, or returns to a word: IADD_IMM made
 * its address of the program counter.
 */
#include "valhall/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- Addresses of words ---- */

static bool
is_behind(uint32_t split, int64_t pc)
{
   return split && pc >= split;
}

uint64_t
vh_address_of(uint32_t split, const uint64_t address[2], uint32_t pc)
{
   return is_behind(split, pc) ? address[1] + 8 * (uint64_t)(pc - split)
                               : address[0] + 8 * (uint64_t)pc;
}

int64_t
vh_place_behind(uint32_t split, size_t count, uint32_t pc, int64_t offset)
{
   const int64_t to = (int64_t)pc + 1 + offset;

   return to < 0 || to >= (int64_t)count || is_behind(split, to) != is_behind(split, pc) ? -1 : to;
}

int64_t
vh_place_at(uint32_t split, const uint64_t address[2], size_t count, uint32_t pc, uint32_t low)
{
   const uint64_t va = (vh_address_of(split, address, pc) & ~(uint64_t)UINT32_MAX) | low;
   const uint64_t words = split ? split - 1 : count;

   if (va % 8)
      return -1;
   if (va >= address[0] && (va - address[0]) / 8 < words)
      return (int64_t)((va - address[0]) / 8);
   if (split && va >= address[1] && (va - address[1]) / 8 < count - split)
      return (int64_t)((va - address[1]) / 8) + split;
   return -1;
}

/* ---- From instruction to instruction ---- */

uint32_t
vh_blend_program(const struct vh_text *text, const struct valhall_instr *instr)
{
   const unsigned byte = instr->src[0].byte, entry = byte >> 1 & 15;

   if (!valhall_src_is_special(byte) || instr->page != 0 ||
       entry < VALHALL_SPECIAL_0_BLEND_DESCRIPTOR_0 || entry > VALHALL_SPECIAL_0_BLEND_DESCRIPTOR_7)
      return 0;
   return text->blend[entry - VALHALL_SPECIAL_0_BLEND_DESCRIPTOR_0];
}

/* BLEND hands its colour over and goes on after the words that call a blend program, or goes on to
 * these. */
static bool
hands_over(const struct vh_text *text, const struct valhall_instr *instr)
{
   return text->device && valhall_info(instr->opcode)->exec == VALHALL_EXEC_BLEND &&
          !vh_blend_program(text, instr);
}

static int64_t
jump_of(const struct vh_text *text, const struct valhall_instr *instr, uint32_t pc)
{
   const unsigned exec = valhall_info(instr->opcode)->exec;

   if (exec == VALHALL_EXEC_BRANCHZ)
      return vh_place_behind(text->split, text->count, pc, (int32_t)instr->imm[0]);
   if (hands_over(text, instr))
      return vh_place_behind(text->split, text->count, pc, instr->imm[0]);
   return -1;
}

static bool
is_call(const struct valhall_instr *instr)
{
   return valhall_info(instr->opcode)->exec == VALHALL_EXEC_BRANCHZI;
}

/* A branch on a constant that every lane takes. */
static bool
is_jump(const struct valhall_instr *instr)
{
   const unsigned byte = instr->src[0].byte;

   return (valhall_info(instr->opcode)->exec == VALHALL_EXEC_BRANCHZ || is_call(instr)) &&
          valhall_src_is_constant(byte) && instr->src[0].select == VALHALL_COMBINE_NONE &&
          (valhall_constant(byte & 31) == 0) == (valhall_get(instr, VALHALL_MOD_EQ) != 0);
}

/* Where the first of two programs of a vertex ends, the second begins. */
static bool
goes_to_second(const struct vh_text *text, const struct valhall_instr *instr, uint32_t pc)
{
   return text->second && pc < text->second && instr->flow == VALHALL_FLOW_END;
}

static bool
falls_through(const struct vh_text *text, const struct valhall_instr *instr)
{
   if (hands_over(text, instr))
      return false;
   if (text->device && valhall_info(instr->opcode)->exec == VALHALL_EXEC_BLEND)
      return true;
   return instr->flow != VALHALL_FLOW_END && !is_jump(instr);
}

/* The word that an instruction makes the address of; -1: none. */
static int64_t
names(const struct vh_text *text, const struct valhall_instr *instr, uint32_t pc)
{
   const unsigned byte = instr->src[0].byte;

   if (instr->opcode != VALHALL_OP_IADD_IMM_I32 || instr->page != 3 ||
       !valhall_src_is_special(byte) || (byte & 1) ||
       (byte >> 1 & 15) != VALHALL_SPECIAL_3_PROGRAM_COUNTER || instr->imm[0] % 8)
      return -1;
   return vh_place_behind(text->split, text->count, pc, (int32_t)instr->imm[0] / 8);
}

/* Follows control from a root on. */
static void
follow(const struct vh_text *text, uint32_t root, struct vh_reach *reach, uint32_t *stack)
{
   bool *const target = reach->target;
   uint32_t depth = 0;

   stack[depth++] = root;
   while (depth) {
      uint32_t pc = stack[--depth];
      for (;; pc++) {
         struct valhall_instr instr;

         if (pc >= text->count || reach->reached[pc])
            break;
         reach->reached[pc] = true;
         reach->count = reach->count > pc ? reach->count : pc + 1;
         if (!valhall_decode(text->words[pc], &instr, NULL))
            break;
         const int64_t named = names(text, &instr, pc);
         if (named >= 0)
            reach->entry[named] = true;
         const int64_t next[2] = {
            instr.flow == VALHALL_FLOW_END ? -1 : jump_of(text, &instr, pc),
            named,
         };
         for (unsigned n = 0; n < 2; n++) {
            if (next[n] < 0)
               continue;
            if (!target[next[n]])
               stack[depth++] = (uint32_t)next[n]; /* each word at most once */
            target[next[n]] = true;
         }
         if (!falls_through(text, &instr))
            break;
      }
   }
}

static bool
begin_reach(struct vh_reach *reach, size_t count)
{
   *reach = (struct vh_reach){
      .reached = calloc(count + 1, sizeof(*reach->reached)),
      .target = calloc(count + 1, sizeof(*reach->target)),
      .entry = calloc(count + 1, sizeof(*reach->entry)),
   };
   return reach->reached && reach->target && reach->entry;
}

void
vh_end_reach(struct vh_reach *reach)
{
   free(reach->reached);
   free(reach->target);
   free(reach->entry);
}

bool
vh_find_reached(const struct vh_text *text, struct vh_reach *reach)
{
   uint32_t *stack = malloc((text->count + 1) * sizeof(*stack));
   const bool ok = begin_reach(reach, text->count) && stack;

   if (ok && text->second) {
      reach->target[text->second] = true;
      follow(text, text->second, reach, stack);
   }
   for (unsigned n = 0; ok && text->split && n < VH_BLENDS; n++) {
      if (!text->blend[n])
         continue;
      reach->target[text->blend[n]] = reach->entry[text->blend[n]] = true;
      follow(text, text->blend[n], reach, stack);
   }
   if (ok)
      follow(text, 0, reach, stack);
   free(stack);
   return ok;
}

/* ---- Texts ---- */

/* Nothing decodes to it: control that falls off a program stops there. */
#define NO_INSTRUCTION UINT64_MAX

/* Words of a path that control comes to from the roots, which it holds at those offsets. */
static bool
measure(const struct vh_text place, const uint32_t *roots, unsigned num_roots, uint32_t *count)
{
   uint32_t *stack = malloc((place.count + 1) * sizeof(*stack));
   struct vh_reach reach;
   const bool ok = begin_reach(&reach, place.count) && stack;

   for (unsigned n = 0; ok && n < num_roots; n++)
      follow(&place, roots[n], &reach, stack);
   *count = reach.count;
   vh_end_reach(&reach);
   free(stack);
   return ok;
}

bool
vh_make_text(struct vh_text *text, const struct vh_source *source)
{
   uint32_t roots[VH_BLENDS], low[VH_BLENDS] = { 0 }, behind, num_roots = 0;
   const uint32_t start = 0;

   *text = (struct vh_text){
      .words = source->words,
      .count = source->count,
      .program = (uint32_t)source->count,
      .address = { source->address, source->blend_address },
      .device = source->device,
      .mali = source->mali,
      .second = source->second < source->count ? source->second : 0,
   };
   if (!source->device || !source->num_blend_words)
      return true;
   text->blend_words = source->num_blend_words < 4 ? (uint32_t)source->num_blend_words : 4;
   memcpy(low, source->blend_words, text->blend_words * sizeof(*source->blend_words));
   for (unsigned n = 0; n < VH_BLENDS; n++) {
      const uint32_t offset = low[n] - (uint32_t)source->blend_address;

      if (low[n] && offset % 8 == 0 && offset / 8 < source->num_blend_words)
         text->blend[n] = roots[num_roots++] = offset / 8;
   }
   if (!num_roots)
      return true;

   struct vh_text place = *text;
   place.words = source->blend_words;
   place.count = source->num_blend_words;
   if (!measure(*text, &start, 1, &text->program) || !measure(place, roots, num_roots, &behind))
      return false;
   text->split = text->program + 1;
   text->count = text->split + behind;
   text->joined = malloc(text->count * sizeof(*text->joined));
   if (!text->joined)
      return false;
   memcpy(text->joined, source->words, text->program * sizeof(*text->joined));
   text->joined[text->program] = NO_INSTRUCTION;
   memcpy(&text->joined[text->split], source->blend_words, behind * sizeof(*text->joined));
   text->words = text->joined;
   text->blend_words = behind > text->blend_words ? behind : text->blend_words;
   for (unsigned n = 0; n < VH_BLENDS; n++)
      text->blend[n] += text->blend[n] ? text->split : 0;
   return true;
}

/* ---- Registers ---- */

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

/* Registers with values that matter: the offset that a varying's load names matters only where it
 * is one. */
static uint64_t
reads(const struct vh_text *text, const struct valhall_instr *instr, bool plain_coverage)
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   const unsigned mode = valhall_get(instr, VALHALL_MOD_SAMPLE_MODE);
   uint64_t all = 0;

   if (!text->device)
      return valhall_reads(instr);
   switch (info->exec) {
   case VALHALL_EXEC_LD_VAR:
   case VALHALL_EXEC_LD_VAR_BUF:
   case VALHALL_EXEC_LD_VAR_SPECIAL:
      for (unsigned n = mode == VALHALL_SAMPLE_MODE_EXPLICIT ? 0 : 1; n < info->num_src; n++)
         all |= bit_of(instr, n);
      return all;
   case VALHALL_EXEC_LEA_BUF:
      return text->mali ? bit_of(instr, 0) : 0;
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

/* Registers that are the second program's own. */
#define VERTEX_KEPT (((UINT64_C(1) << VH_VERTEX_KEPT) - 1) << VH_VERTEX_FIRST)

/* What is live at all the words that a call may go to. */
static uint64_t
live_at_calls(const struct vh_reach *reach, const uint64_t *live)
{
   uint64_t all = 0;

   for (uint32_t pc = 0; pc < reach->count; pc++)
      if (reach->entry[pc])
         all |= live[pc];
   return all;
}

uint64_t
vh_live_at_entry(const struct vh_text *text, const struct vh_reach *reach, bool plain_coverage)
{
   const uint32_t count = reach->count;
   uint64_t *live = calloc(count + 1, sizeof(*live)), entry = ~UINT64_C(0);
   bool calls = false;

   for (unsigned pass = 0; live && pass < PASSES; pass++) {
      const uint64_t called = calls ? live_at_calls(reach, live) : 0;
      bool changed = false;

      for (uint32_t pc = count; pc-- > 0;) {
         struct valhall_instr instr;
         uint64_t in = 0;

         if (!reach->reached[pc] || !valhall_decode(text->words[pc], &instr, NULL))
            continue;
         const int64_t to = jump_of(text, &instr, pc);
         if (falls_through(text, &instr))
            in |= live[pc + 1];
         if (to >= 0 && to < (int64_t)count)
            in |= live[to];
         if (goes_to_second(text, &instr, pc))
            in |= live[text->second] & ~VERTEX_KEPT;
         if (is_call(&instr)) {
            changed |= !calls;
            calls = true;
            in |= called;
         }
         in = (in & ~replaces(&instr)) | reads(text, &instr, plain_coverage);
         if (valhall_info(instr.opcode)->shape == VALHALL_SHAPE_DEST && instr.mask != 3)
            in |= valhall_writes(&instr);
         changed |= in != live[pc];
         live[pc] = in;
      }
      if (!changed) {
         entry = count ? live[0] | (text->second ? VERTEX_KEPT : 0) : 0;
         break;
      }
   }
   free(live);
   return entry;
}
