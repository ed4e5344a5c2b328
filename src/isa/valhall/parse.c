/* SPDX-License-Identifier: MIT */
/*
 * One line of text to a decoded instruction.  The table says which operands there are; what is
 * ambiguous in the text is not in the table: of the modifiers that know a word, the longest word
 * and then the first that has no value yet takes it.
 */
#include "internal.h"

#include <stdio.h>
#include <string.h>

struct reader {
   const char *text;
   size_t at, end;
   const struct valhall_info *info;
   struct valhall_instr *instr;
   struct isa_error *error;
   int page; /* of the uniform and special sources so far, or -1 */
};

#define FAIL(r, at, ...) isa_fail((r)->error, 1, (unsigned)(at) + 1, __VA_ARGS__)

static bool
is_space(char c)
{
   return c == ' ' || c == '\t' || c == '\r';
}

static void
skip_space(struct reader *r)
{
   while (r->at < r->end && is_space(r->text[r->at]))
      r->at++;
}

static bool
is_word(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Length of the word at `at`. */
static size_t
word_length(const struct reader *r, size_t at)
{
   size_t n = 0;
   while (at + n < r->end && is_word(r->text[at + n]))
      n++;
   return n;
}

static bool
take(struct reader *r, char c)
{
   if (r->at < r->end && r->text[r->at] == c) {
      r->at++;
      return true;
   }
   return false;
}

/* Decimal, or hexadecimal after 0x; up to 32 bits. */
static bool
read_number(struct reader *r, uint64_t max, uint32_t *number)
{
   size_t start = r->at, digits;
   uint64_t value = 0;
   bool hex = r->at + 1 < r->end && r->text[r->at] == '0' && (r->text[r->at + 1] | 32) == 'x';

   r->at += hex ? 2 : 0;
   digits = r->at;
   for (; r->at < r->end; r->at++) {
      char c = r->text[r->at], lower = (char)(c | 32);
      unsigned digit = c >= '0' && c <= '9'                  ? (unsigned)(c - '0')
                       : hex && lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a' + 10)
                                                             : 99;
      if (digit == 99)
         break;
      value = value * (hex ? 16 : 10) + digit;
      if (value > max)
         return FAIL(r, start, "the number is larger than %llu", (unsigned long long)max);
   }
   if (r->at == digits) {
      r->at = start;
      return FAIL(r, start, "expected a number");
   }
   *number = (uint32_t)value;
   return true;
}

/* r0 to r63. */
static bool
read_register(struct reader *r, unsigned *reg)
{
   uint32_t number = 0;
   if (!take(r, 'r'))
      return FAIL(r, r->at, "expected a register, r0 to r63");
   if (!read_number(r, VALHALL_REGISTERS - 1, &number))
      return false;
   *reg = number;
   return true;
}

/* The word of an enum at the cursor, the longest one that a dot or the end follows. */
static const struct valhall_value_info *
longest(const struct reader *r, unsigned en, size_t *length)
{
   const struct valhall_value_info *best = NULL;
   for (unsigned v = 0; v < 16; v++) {
      const struct valhall_value_info *info = valhall_value(en, v);
      size_t n = info ? strlen(info->name) : 0;
      if (!info || (best && n <= *length) || r->at + n > r->end ||
          memcmp(r->text + r->at, info->name, n) != 0 ||
          (info->standard && !strcmp(info->name, "none")) ||
          (r->at + n < r->end && is_word(r->text[r->at + n])))
         continue;
      best = info;
      *length = n;
   }
   return best;
}

/* One modifier after the instruction's name. */
static bool
read_modifier(struct reader *r, bool *has_flow, bool given[VALHALL_MAX_MODS])
{
   const struct valhall_info *info = r->info;
   size_t length = 0, best_length = 0, word = word_length(r, r->at);
   const struct valhall_value_info *value;
   unsigned best = VALHALL_MAX_MODS, best_value = 0;
   bool twice = false;

   value = longest(r, VALHALL_ENUM_FLOW, &length);
   if (value) {
      if (*has_flow)
         return FAIL(r, r->at, "an instruction has one flow only");
      *has_flow = true;
      r->instr->flow = value->value;
      r->at += length;
      return true;
   }
   for (unsigned n = 0; n < info->num_mod; n++) {
      const struct valhall_mod_info *mod = valhall_mod_info(info->mod[n]);
      unsigned number = 1;
      if (mod->en != VALHALL_ENUM_FLAG) {
         length = 0;
         value = longest(r, mod->en, &length);
         if (!value)
            continue;
         number = value->value;
      } else if (strlen(mod->name) == word && !memcmp(mod->name, r->text + r->at, word)) {
         length = word;
      } else {
         continue;
      }
      twice |= given[n];
      if (!given[n] && length > best_length) {
         best = n;
         best_length = length;
         best_value = number;
      }
   }
   if (best == VALHALL_MAX_MODS) {
      return FAIL(r, r->at,
                  twice ? "%.*s: the modifier is there already"
                        : "%.*s is no modifier of this instruction",
                  (int)(word < 32 ? word : 32), r->text + r->at);
   }
   given[best] = true;
   r->instr->mod[best] = (uint8_t)best_value;
   r->at += best_length;
   return true;
}

/* Name and modifiers. */
static bool
read_head(struct reader *r)
{
   size_t start = r->at, best = 0;
   unsigned opcode = VALHALL_OP_COUNT;
   bool has_flow = false, given[VALHALL_MAX_MODS] = { false };

   for (unsigned i = 0; i < VALHALL_OP_COUNT; i++) {
      const char *name = valhall_info(i)->name;
      size_t n = strlen(name);
      if (n > best && start + n <= r->end && !memcmp(name, r->text + start, n) &&
          (start + n == r->end || !is_word(r->text[start + n]))) {
         opcode = i;
         best = n;
      }
   }
   if (opcode == VALHALL_OP_COUNT) {
      size_t n = word_length(r, start);
      return FAIL(r, start, "no instruction is called %.*s", (int)(n < 40 ? n : 40),
                  r->text + start);
   }
   r->instr->opcode = (uint16_t)opcode;
   r->info = valhall_info(opcode);
   r->at = start + best;
   while (take(r, '.'))
      if (!read_modifier(r, &has_flow, given))
         return false;
   if (r->at < r->end && !is_space(r->text[r->at]))
      return FAIL(r, r->at, "expected . or a blank after %s", r->info->name);
   for (unsigned n = 0; n < r->info->num_mod; n++) {
      const struct valhall_mod_info *mod = valhall_mod_info(r->info->mod[n]);
      if (given[n] || mod->en == VALHALL_ENUM_FLAG)
         continue;
      unsigned v = 0;
      const struct valhall_value_info *value;
      while (v < 16 && !((value = valhall_value(mod->en, v)) && value->standard))
         v++;
      if (v == 16)
         return FAIL(r, start, "%s needs a %s", r->info->name, valhall_enum_text(mod->en));
      r->instr->mod[n] = (uint8_t)v;
   }
   return true;
}

static bool
read_dest(struct reader *r)
{
   unsigned reg = 0;
   if (!read_register(r, &reg))
      return false;
   r->instr->dest = (uint8_t)reg;
   r->instr->mask = 3;
   if (take(r, '.')) {
      if (!take(r, 'h') || r->at == r->end || (r->text[r->at] != '0' && r->text[r->at] != '1'))
         return FAIL(r, r->at, "the mask of a result is h0 or h1");
      r->instr->mask = r->text[r->at++] == '0' ? 1 : 2;
   }
   return true;
}

static bool
read_staging(struct reader *r, unsigned n)
{
   struct valhall_staging s = valhall_staging(r->info, n);
   size_t start = r->at;
   unsigned count = 0, base = 0;

   if (!take(r, '@'))
      return FAIL(r, start, "expected staging registers, @r0 and so on");
   if (r->at < r->end && r->text[r->at] == 'r') {
      do {
         unsigned reg = 0;
         size_t at = r->at;
         if (!read_register(r, &reg))
            return false;
         base = count ? base : reg;
         if (reg != base + count)
            return FAIL(r, at, "staging registers follow each other");
         count++;
      } while (take(r, ':'));
   }
   if (count > 7u + s.bias || count < s.bias) {
      return FAIL(r, start, "%u staging registers; there can be %u to %u", count, s.bias,
                  7u + s.bias);
   }
   r->instr->staging[n].reg = (uint8_t)base;
   r->instr->staging[n].count = (uint8_t)count;
   return true;
}

static bool
set_page(struct reader *r, size_t at, unsigned page)
{
   if (r->page >= 0 && r->page != (int)page) {
      return FAIL(r, at, "uniforms and special values of pages %d and %u in one instruction",
                  r->page, page);
   }
   r->page = (int)page;
   r->instr->page = (uint8_t)page;
   return true;
}

/* What a source byte names. */
static bool
read_operand(struct reader *r, uint8_t *byte)
{
   size_t start = r->at, word = word_length(r, start);
   bool last = take(r, '^');
   char c = r->at < r->end ? r->text[r->at] : 0;
   char after = r->at + 1 < r->end ? r->text[r->at + 1] : 0;
   uint32_t number = 0;

   if (last || (c == 'r' && after >= '0' && after <= '9')) {
      unsigned reg = 0;
      if (!read_register(r, &reg))
         return false;
      *byte = (uint8_t)(reg | (last ? VALHALL_SRC_LAST : 0));
      return true;
   }
   if (c == 'u' && after >= '0' && after <= '9') {
      r->at++;
      if (!read_number(r, VALHALL_UNIFORMS - 1, &number) || !set_page(r, start, number >> 6))
         return false;
      *byte = (uint8_t)(VALHALL_SRC_UNIFORM | (number & 63));
      return true;
   }
   if (c == '0' && (after | 32) == 'x') {
      if (!read_number(r, 0xffffffffu, &number))
         return false;
      for (unsigned i = 0; i < 32; i++) {
         if (valhall_constant(i) == number) {
            *byte = (uint8_t)(VALHALL_SRC_CONST | i);
            return true;
         }
      }
      return FAIL(r, start, "0x%X is not one of the 32 constants", (unsigned)number);
   }
   if (word > 3 && !memcmp(r->text + start, "imm", 3)) {
      r->at += 3;
      if (!read_number(r, 31, &number))
         return false;
      *byte = (uint8_t)(VALHALL_SRC_CONST | number);
      return true;
   }
   for (unsigned page = 0; page < 4; page++) {
      const struct valhall_value_info *special =
         valhall_value_named(valhall_page_enum(page), r->text + start, word);
      if (word && special) {
         r->at += word;
         if (!set_page(r, start, page))
            return false;
         if (r->at + 2 >= r->end || memcmp(r->text + r->at, ".w", 2) != 0 ||
             (r->text[r->at + 2] != '0' && r->text[r->at + 2] != '1'))
            return FAIL(r, r->at, "a special value needs .w0 or .w1");
         *byte = (uint8_t)(VALHALL_SRC_SPECIAL | special->value << 1 | (r->text[r->at + 2] & 1));
         r->at += 3;
         return true;
      }
   }
   return FAIL(r, start, "expected a register, a uniform, a constant or a special value");
}

static bool
is_at(const struct reader *r, size_t length, const char *word)
{
   return strlen(word) == length && !memcmp(word, r->text + r->at, length);
}

static bool
read_source(struct reader *r, unsigned n)
{
   const struct valhall_src_info *src = valhall_src_info(r->info->src[n]);
   bool selected = !src->width;

   if (!read_operand(r, &r->instr->src[n].byte))
      return false;
   while (take(r, '.')) {
      size_t length = word_length(r, r->at);
      bool *flag = src->negabs && is_at(r, length, "neg")   ? &r->instr->src[n].neg
                   : src->negabs && is_at(r, length, "abs") ? &r->instr->src[n].abs
                   : src->invert && is_at(r, length, "not") ? &r->instr->src[n].invert
                                                            : NULL;
      const struct valhall_value_info *value =
         src->width ? valhall_value_named(src->en, r->text + r->at, length) : NULL;
      if (flag && !*flag) {
         *flag = true;
      } else if (value && !selected && value->value < 1u << src->width) {
         r->instr->src[n].select = value->value;
         selected = true;
      } else {
         return FAIL(r, r->at,
                     flag || value ? "%.*s: the source has such a modifier already"
                                   : "%.*s is no modifier of this source",
                     (int)(length < 32 ? length : 32), r->text + r->at);
      }
      r->at += length;
   }
   for (unsigned v = 0; !selected && v < 1u << src->width; v++) {
      const struct valhall_value_info *value = valhall_value(src->en, v);
      if (value && value->standard) {
         r->instr->src[n].select = (uint8_t)v;
         selected = true;
      }
   }
   if (!selected)
      return FAIL(r, r->at, "the source needs a %s", valhall_enum_text(src->en));
   return true;
}

static bool
read_immediate(struct reader *r, unsigned n)
{
   const struct valhall_imm_info *imm = &r->info->imm[n];
   size_t start = r->at, length = word_length(r, r->at);
   uint32_t number = 0;

   if (!strcmp(imm->name, "constant")) {
      if (!take(r, '#'))
         return FAIL(r, start, "expected an immediate, #0x0 to #0xffffffff");
   } else {
      if (!is_at(r, length, imm->name))
         return FAIL(r, start, "expected %s:", imm->name);
      r->at += length;
      if (!take(r, ':'))
         return FAIL(r, r->at, "expected : after %s", imm->name);
   }
   bool negative = imm->is_signed && take(r, '-');
   uint64_t max = imm->is_signed ? (UINT64_C(1) << (imm->width - 1)) - !negative
                                 : (UINT64_C(1) << imm->width) - 1;
   if (!read_number(r, max, &number))
      return false;
   r->instr->imm[n] = negative ? 0u - number : number;
   return true;
}

bool
valhall_parse(const char *text, size_t length, struct valhall_instr *instr, struct isa_error *error)
{
   struct reader r = { text, 0, length, NULL, instr, error, -1 };
   unsigned operand = 0;

   *instr = (struct valhall_instr){ 0 };
   skip_space(&r);
   if (!read_head(&r))
      return false;
   const struct valhall_info *info = r.info;
   unsigned dests = info->shape == VALHALL_SHAPE_DEST || info->shape == VALHALL_SHAPE_PAIR;
   unsigned staging = valhall_num_staging(info);
   unsigned count = dests + staging + info->num_src + info->num_imm;

   skip_space(&r);
   for (; operand < count; operand++) {
      unsigned n = operand;
      bool ok;
      if (operand && !take(&r, ','))
         return FAIL(&r, r.at, "expected , and operand %u of %u", operand + 1, count);
      skip_space(&r);
      if (n < dests)
         ok = read_dest(&r);
      else if ((n -= dests) < staging)
         ok = read_staging(&r, n);
      else if ((n -= staging) < info->num_src)
         ok = read_source(&r, n);
      else
         ok = read_immediate(&r, n - info->num_src);
      if (!ok)
         return false;
      skip_space(&r);
   }
   if (r.at < r.end)
      return FAIL(&r, r.at, "%s has %u operands", info->name, count);
   return true;
}
