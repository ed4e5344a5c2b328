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

static bool
refuse(struct isa_error *to, const struct valhall_error *from)
{
   *to = (struct isa_error){ .line = from->line, .column = from->column };
   snprintf(to->text, sizeof(to->text), "%s", from->text);
   return false;
}

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

static uint64_t *
join(const uint32_t *dwords, size_t count)
{
   uint64_t *words = malloc((count + 1) * sizeof(*words));
   for (size_t i = 0; words && i < count; i++) {
      words[i] = dwords[2 * i] | (uint64_t)dwords[2 * i + 1] << 32;
   }
   return words;
}

/* The line of instruction `number` (from 1) of a text that assembles. */
static unsigned
line_of(const char *text, size_t length, unsigned number)
{
   unsigned line = 0;
   for (size_t at = 0; at < length && number; line++) {
      const char *newline = memchr(text + at, '\n', length - at);
      size_t n = newline ? (size_t)(newline - text) - at : length - at, count;
      uint64_t *words = valhall_assemble(text + at, n, &count, NULL);
      number -= count != 0;
      free(words);
      at += n + 1;
   }
   return line;
}

/* A last line with the dword that is left over: its place in the text, or the length. */
static size_t
find_dword(const char *text, size_t length, uint32_t *dword)
{
   static const char name[] = "\n.dword 0x";
   size_t end = length;
   while (end && (text[end - 1] == '\n' || text[end - 1] == '\r' || text[end - 1] == ' ')) {
      end--;
   }
   size_t size = sizeof(name) - 1, at = end - 8 - size;
   if (end >= 8 + size - 1) {
      /* The line's beginning may be the text's. */
      bool first = end == 8 + size - 1;
      if (first ? !memcmp(text, name + 1, size - 1) : !memcmp(text + at, name, size)) {
         *dword = 0;
         for (size_t i = end - 8; i < end; i++) {
            char c = (char)(text[i] | 32);
            if ((text[i] < '0' || text[i] > '9') && (c < 'a' || c > 'f')) {
               return length;
            }
            *dword = *dword << 4 | (uint32_t)(text[i] <= '9' ? text[i] - '0' : c - 'a' + 10);
         }
         return first ? 0 : at + 1;
      }
   }
   return length;
}

static bool
assemble(const char *text, size_t length, const struct isa_limits *given, struct isa_binary *out,
         struct isa_error *error)
{
   struct valhall_error why = { 0 };
   uint32_t dword = 0;
   size_t count, code = find_dword(text, length, &dword);
   uint64_t *words = valhall_assemble(text, code, &count, &why);

   *out = (struct isa_binary){ NULL };
   *error = (struct isa_error){ 0 };
   if (!words) {
      return refuse(error, &why);
   }
   if (given) {
      struct valhall_limits limits = limits_of(given);
      if (code != length) {
         free(words);
         return valhall_fail(&why, 0, 0,
                             "a program has whole instructions: a dword is left over") ||
                refuse(error, &why);
      }
      if (!valhall_validate(words, count, &limits, &why)) {
         free(words);
         why.line = why.line ? line_of(text, length, why.line) : 0;
         return refuse(error, &why);
      }
   }
   out->words = malloc(8 * count + 8);
   if (!out->words) {
      free(words);
      snprintf(error->text, sizeof(error->text), "no memory");
      return false;
   }
   for (size_t i = 0; i < count; i++) {
      out->words[2 * i] = (uint32_t)words[i];
      out->words[2 * i + 1] = (uint32_t)(words[i] >> 32);
   }
   out->num_dwords = 2 * count;
   if (code != length) {
      out->words[out->num_dwords++] = dword;
   }
   free(words);
   return true;
}

static char *
disassemble(const uint32_t *dwords, size_t num_dwords, size_t *length)
{
   size_t size = 0;
   uint64_t *words = join(dwords, num_dwords / 2);
   char *text = words ? valhall_disassemble(words, num_dwords / 2, &size) : NULL;

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
   if (length) {
      *length = size;
   }
   return text;
}

static bool
validate(const uint32_t *dwords, size_t num_dwords, const struct isa_limits *given,
         struct isa_error *error)
{
   struct valhall_limits limits = limits_of(given);
   struct valhall_error why = { 0 };
   uint64_t *words = join(dwords, num_dwords / 2);
   bool ok = words && valhall_validate(words, num_dwords / 2, &limits, &why);

   *error = (struct isa_error){ 0 };
   if (!words) {
      snprintf(error->text, sizeof(error->text), "no memory");
   } else if (ok && num_dwords & 1) {
      ok = false;
      snprintf(error->text, sizeof(error->text),
               "a program has whole instructions: a dword is left over");
   } else if (!ok) {
      /* The words have no lines: the instruction's number goes into the message. */
      snprintf(error->text, sizeof(error->text), "instruction %u: %s", why.line, why.text);
   }
   free(words);
   return ok;
}

static char *
reprint(const char *text, size_t length, struct isa_error *error)
{
   struct isa_binary binary;
   if (!assemble(text, length, NULL, &binary, error)) {
      return NULL;
   }
   char *out = disassemble(binary.words, binary.num_dwords, NULL);
   if (!out) {
      snprintf(error->text, sizeof(error->text), "no memory");
   }
   isa_binary_finish(&binary);
   return out;
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
      if (value && (usual == 16 || !valhall_value(en, usual)->standard)) {
         usual = v;
      }
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
   for (unsigned n = 0; n < info->num_mod; n++) {
      instr.mod[n] = usual_value(valhall_mod_info(info->mod[n])->en);
   }
   instr.flow = info->exec == VALHALL_EXEC_BARRIER   ? VALHALL_FLOW_WAIT
                : info->exec == VALHALL_EXEC_BRANCHZ ? VALHALL_FLOW_RECONVERGE
                                                     : VALHALL_FLOW_NONE;
   for (unsigned n = 0; n < valhall_num_staging(info); n++) {
      unsigned least, most;
      instr.staging[n].reg = (uint8_t)(8 + 4 * n);
      instr.staging[n].count = 1;
      if (valhall_wanted_registers(&instr, n, &least, &most)) {
         instr.staging[n].count = (uint8_t)least;
      }
   }
   for (unsigned n = 0; n < info->num_mod && !valhall_validate_instr(&instr, &limits, NULL); n++) {
      unsigned en = valhall_mod_info(info->mod[n])->en, old = instr.mod[n];
      for (unsigned v = 0; v < 16; v++) {
         instr.mod[n] = (uint8_t)v;
         if (valhall_value(en, v) && valhall_validate_instr(&instr, &limits, NULL)) {
            return instr;
         }
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
   if (i >= VALHALL_OP_COUNT) {
      return false;
   }
   const struct valhall_info *info = valhall_info(i);
   struct valhall_instr instr = example(i);
   char line[VALHALL_TEXT_MAX];

   valhall_print(&instr, line);
   bool fragment = info->exec == VALHALL_EXEC_DISCARD || info->exec == VALHALL_EXEC_WAITS_TILE ||
                   info->exec == VALHALL_EXEC_WAITS_BLEND ||
                   info->exec == VALHALL_EXEC_WAITS_VARYING;
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
   .assemble = assemble,
   .disassemble = disassemble,
   .validate = validate,
   .reprint = reprint,
   .row = row,
};
