/* SPDX-License-Identifier: MIT */
/*
 * Valhall's struct isa, and a small program for every row of its table.
 *
 * An instruction is two dwords, the low one first.  A dword left over at the end of a program has a
 * line of its own, `.dword`.
 */
#include "isa/isa.h"

#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct valhall_limits
limits_of(const struct isa_limits *given)
{
   return (struct valhall_limits){
      .registers = given->num_gprs && given->num_gprs <= 32 ? 32 : 64,
      .stage = given->stage == ISA_STAGE_ANY || given->stage == ISA_STAGE_PIXEL
                  ? VALHALL_STAGE_FRAGMENT
                  : VALHALL_STAGE_OTHER,
   };
}

static const char left_over[] = "a program has whole instructions: a dword is left over";

/* The rules; their errors get the line of the text. */
static bool
validate_program(const struct valhall_program *p, const struct isa_limits *given,
                 struct isa_error *error)
{
   struct valhall_limits limits = limits_of(given);

   if (p->has_dword)
      return isa_fail(error, 0, 0, left_over);
   if (!valhall_validate(p->words, p->count, &limits, error)) {
      error->line = error->line ? p->lines[error->line - 1] : 0;
      return false;
   }
   return true;
}

static bool
assemble(const char *text, size_t length, const struct isa_limits *given, struct isa_binary *out,
         struct isa_error *error)
{
   struct valhall_program p;

   *out = (struct isa_binary){ NULL };
   *error = (struct isa_error){ 0 };
   if (!valhall_read(text, length, &p, error))
      return false;
   bool ok = !given || validate_program(&p, given, error);
   if (ok) {
      out->words = malloc(8 * p.count + 8);
      ok = out->words || isa_fail(error, 0, 0, "no memory");
   }
   for (size_t i = 0; ok && i < p.count; i++) {
      out->words[2 * i] = (uint32_t)p.words[i];
      out->words[2 * i + 1] = (uint32_t)(p.words[i] >> 32);
   }
   out->num_dwords = ok ? 2 * p.count : 0;
   if (ok && p.has_dword)
      out->words[out->num_dwords++] = p.dword;
   valhall_program_finish(&p);
   return ok;
}

static char *
disassemble(const uint32_t *dwords, size_t num_dwords, size_t *length)
{
   size_t size = 0, count;
   uint64_t *words = valhall_words(dwords, num_dwords, &count);
   char *text = words ? valhall_disassemble(words, count, &size) : NULL;

   free(words);
   if (text && num_dwords & 1) {
      char *more = realloc(text, size + 24);
      if (!more) {
         free(text);
         return NULL;
      }
      text = more;
      size += (size_t)sprintf(text + size, ".dword 0x%08" PRIx32 "\n", dwords[num_dwords - 1]);
   }
   if (length)
      *length = size;
   return text;
}

static bool
validate(const uint32_t *dwords, size_t num_dwords, const struct isa_limits *given,
         struct isa_error *error)
{
   struct valhall_limits limits = limits_of(given);
   struct isa_error why = { 0 };
   size_t count;
   uint64_t *words = valhall_words(dwords, num_dwords, &count);
   bool ok = words && valhall_validate(words, count, &limits, &why);

   *error = (struct isa_error){ 0 };
   if (!words) {
      isa_fail(error, 0, 0, "no memory");
   } else if (!ok) {
      /* The words have no lines: the instruction's number goes into the message. */
      isa_fail(error, 0, 0, "instruction %u: %.220s", why.line, why.text);
   } else if (num_dwords & 1) {
      ok = isa_fail(error, 0, 0, left_over);
   }
   free(words);
   return ok;
}

/* ------------------------------------------------------------------------------------------------
 * Rows
 */

/* The standard value of an enum, or its first. */
static uint8_t
usual_value(unsigned en)
{
   unsigned usual = 16;
   for (unsigned v = 16; v-- > 0;) {
      const struct valhall_value_info *value = valhall_value(en, v);
      if (value && (usual == 16 || !valhall_value(en, usual)->standard))
         usual = v;
   }
   return (uint8_t)(usual & 15);
}

/* An instruction of the row that obeys the rules: registers that are pairs, the standard value or
 * the first of every modifier, or another where a rule wants it. */
static struct valhall_instr
example(unsigned opcode)
{
   const struct valhall_info *info = valhall_info(opcode);
   const struct valhall_limits limits = { .stage = VALHALL_STAGE_FRAGMENT };
   struct valhall_instr instr = { .opcode = (uint16_t)opcode, .dest = 8, .mask = 3 };

   for (unsigned n = 0; n < info->num_src; n++) {
      const struct valhall_src_info *src = valhall_src_info(info->src[n]);
      instr.src[n].byte = (uint8_t)(2 * n);
      instr.src[n].select = src->width ? usual_value(src->en) : 0;
   }
   for (unsigned n = 0; n < info->num_mod; n++)
      instr.mod[n] = usual_value(valhall_mod_info(info->mod[n])->en);
   instr.flow = info->exec == VALHALL_EXEC_BARRIER   ? VALHALL_FLOW_WAIT
                : info->exec == VALHALL_EXEC_BRANCHZ ? VALHALL_FLOW_RECONVERGE
                                                     : VALHALL_FLOW_NONE;
   for (unsigned n = 0; n < valhall_num_staging(info); n++) {
      unsigned least, most;
      instr.staging[n].reg = (uint8_t)(8 + 4 * n);
      instr.staging[n].count = 1;
      if (valhall_wanted_registers(&instr, n, &least, &most))
         instr.staging[n].count = (uint8_t)least;
   }
   for (unsigned n = 0; n < info->num_mod && !valhall_validate_instr(&instr, &limits, NULL); n++) {
      unsigned en = valhall_mod_info(info->mod[n])->en, old = instr.mod[n];
      for (unsigned v = 0; v < 16; v++) {
         instr.mod[n] = (uint8_t)v;
         if (valhall_value(en, v) && valhall_validate_instr(&instr, &limits, NULL))
            return instr;
      }
      instr.mod[n] = (uint8_t)old;
   }
   return instr;
}

static bool
row(unsigned i, struct isa_row *row)
{
   static const char *const units[] = {
      [VALHALL_UNIT_FMA] = "FMA",   [VALHALL_UNIT_CVT] = "CVT",   [VALHALL_UNIT_SFU] = "SFU",
      [VALHALL_UNIT_NONE] = "NONE", [VALHALL_UNIT_LS] = "LS",     [VALHALL_UNIT_VARY] = "V",
      [VALHALL_UNIT_TEX] = "T",     [VALHALL_UNIT_VARTEX] = "VT",
   };
   if (i >= VALHALL_OP_COUNT)
      return false;
   const struct valhall_info *info = valhall_info(i);
   struct valhall_instr instr = example(i);
   char line[VALHALL_TEXT_MAX];

   valhall_print(&instr, line);
   const bool fragment = valhall_exec_is_fragment(info->exec);
   *row = (struct isa_row){ .kind = units[info->unit],
                            .name = info->name,
                            .number = info->opcode,
                            .shown_as = info->name,
                            .stage = fragment ? ISA_STAGE_PIXEL : ISA_STAGE_COMPUTE };
   snprintf(row->text, sizeof(row->text), "NOP.wait\n%s\nNOP.wait012\nNOP.end\n", line);
   return true;
}

const struct isa isa_valhall = {
   .id = ISA_ID_valhall,
   .name = "valhall",
   .title = "Valhall (Mali-G57)",
   .raw = ".word",
   .dwords = 2,
   .assemble = assemble,
   .disassemble = disassemble,
   .validate = validate,
   .row = row,
};
