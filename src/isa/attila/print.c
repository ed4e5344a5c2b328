/* SPDX-License-Identifier: MIT */
/*
 * Instructions as text, in the document's syntax:
 *
 *    (!p0) add_sat r0.xy, -|r1.yzwx|, c3 end
 *
 * Registers are i0 (IN), o0 (OUT), c0 to c511 (PARAM, PARAM2), r0 (TEMP), a0 (ADDR), p0
 * (predicates) and acc; c[a0.x + 3] is a relative constant, c256[a0.x + 3] one of PARAM2.  Texture
 * units are t0, samples s0, vertex attributes v0.  `wait` and `end` after an instruction are its
 * flags.
 */
#include "attila.h"

#include <stdio.h>
#include <string.h>

static const char components[] = "xyzw";

static void
print_int(struct isa_text *t, int64_t value)
{
   if (value < 0)
      text_char(t, '-');
   text_uint(t, (uint32_t)(value < 0 ? -value : value), 0, ' ');
}

/* The shortest number that is read back to the same bits, with a point or an exponent; what is no
 * number in hexadecimal. */
static void
print_float(struct isa_text *t, uint32_t bits)
{
   float value, back;
   char s[40];

   memcpy(&value, &bits, 4);
   if ((bits & 0x7f800000u) == 0x7f800000u) {
      text_hex(t, bits, 8);
      return;
   }
   for (int precision = 6; precision <= 9; precision++) {
      snprintf(s, sizeof(s), "%.*g", precision, (double)value);
      if (sscanf(s, "%f", &back) == 1 && !memcmp(&back, &value, 4))
         break;
   }
   /* Whatever the host's locale writes between digits is a point here. */
   bool point = false;
   for (const char *c = s; *c; c++) {
      if ((*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e') {
         text_char(t, *c);
         point |= *c == 'e';
      } else if (!point) {
         text_char(t, '.');
         point = true;
      }
   }
   if (!point)
      text_str(t, ".0");
}

static void
print_register(struct isa_text *t, const struct attila_inst *inst, unsigned bank, unsigned reg)
{
   static const char names[] = "iocrac";
   bool constant = bank == ATTILA_PARAM || bank == ATTILA_PARAM2;

   text_char(t, names[bank]);
   if (!constant || !inst->relative) {
      text_uint(t, reg + (bank == ATTILA_PARAM2 ? 256 : 0), 0, ' ');
      return;
   }
   int offset = attila_rel_offset(inst);
   text_str(t, bank == ATTILA_PARAM2 ? "256[a" : "[a");
   text_uint(t, inst->rel_reg, 0, ' ');
   text_char(t, '.');
   text_char(t, components[inst->rel_comp]);
   if (offset) {
      text_str(t, offset < 0 ? " - " : " + ");
      text_uint(t, (uint32_t)(offset < 0 ? -offset : offset), 0, ' ');
   }
   text_char(t, ']');
}

static void
print_swizzle(struct isa_text *t, unsigned swizzle, bool scalar)
{
   if (swizzle == attila_broadcast(swizzle & 3)) {
      text_char(t, '.');
      text_char(t, components[swizzle & 3]);
   } else if (scalar || swizzle != ATTILA_SWIZZLE_XYZW) {
      text_char(t, '.');
      for (unsigned c = 0; c < 4; c++)
         text_char(t, components[attila_select(swizzle, c)]);
   }
}

static void
print_boolean(struct isa_text *t, const struct attila_inst *inst, const struct attila_src *src)
{
   if (src->absolute) {
      text_str(t, src->negate ? "true" : "false");
      return;
   }
   if (src->negate)
      text_char(t, '!');
   if (src->bank == ATTILA_PARAM || src->bank == ATTILA_PARAM2) {
      print_register(t, inst, src->bank, src->reg);
      print_swizzle(t, src->swizzle, true);
   } else {
      text_char(t, 'p');
      text_uint(t, src->reg, 0, ' ');
   }
}

static void
print_source(struct isa_text *t, const struct attila_inst *inst, char kind, unsigned n)
{
   const struct attila_src *src = &inst->src[n];
   bool immediate = n == 1 && attila_is_immediate(inst);

   switch (kind) {
   case 'b':
      print_boolean(t, inst, src);
      return;
   case 'l':
      print_int(t, (int32_t)inst->immediate);
      return;
   case 't':
   case 'n':
   case 'a':
      text_char(t, kind == 't' ? 't' : kind == 'n' ? 's' : 'v');
      text_uint(t, src->reg, 0, ' ');
      return;
   default:
      break;
   }
   /* A minus before a number is the number's; before a parenthesis or a bar it is the modifier. */
   const char *open = src->absolute ? "|" : immediate && src->negate ? "(" : "";
   if (src->negate)
      text_char(t, '-');
   text_str(t, open);
   if (!immediate) {
      print_register(t, inst, src->bank, src->reg);
      print_swizzle(t, src->swizzle, kind == 's' || kind == 'j');
   } else if (kind == 'i' || kind == 'j') {
      print_int(t, (int32_t)inst->immediate);
   } else {
      print_float(t, inst->immediate);
   }
   text_str(t, *open == '(' ? ")" : open);
}

static void
print_result(struct isa_text *t, const struct attila_inst *inst, const struct attila_info *info)
{
   if (info->result == ATTILA_RESULT_PRED) {
      text_str(t, inst->saturate ? "!p" : "p");
      text_uint(t, inst->result_reg, 0, ' ');
      return;
   }
   if (info->result == ATTILA_RESULT_ACC && inst->result_bank == ATTILA_TEMP &&
       inst->result_reg == 0) {
      text_str(t, "acc");
   } else {
      static const char names[] = "iocrac";
      text_char(t, names[inst->result_bank]);
      text_uint(t, inst->result_reg + (inst->result_bank == ATTILA_PARAM2 ? 256u : 0), 0, ' ');
   }
   if (inst->mask != 15) {
      text_char(t, '.');
      for (unsigned c = 0; c < 4; c++)
         if (attila_writes(inst->mask, c))
            text_char(t, components[c]);
      if (!inst->mask)
         text_str(t, "none");
   }
}

static void
print_inst(struct isa_text *t, const struct attila_inst *inst)
{
   const struct attila_info *info = attila_info(inst->opcode);
   const char *comma = " ";

   if (inst->predicated) {
      text_str(t, inst->invert_pred ? "(!p" : "(p");
      text_uint(t, inst->pred, 0, ' ');
      text_str(t, ") ");
   }
   for (const char *c = info->name; *c; c++)
      text_char(t, *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c);
   if (info->result != ATTILA_RESULT_NONE) {
      if (inst->saturate && info->result != ATTILA_RESULT_PRED)
         text_str(t, "_sat");
      text_char(t, ' ');
      print_result(t, inst, info);
      comma = ", ";
   }
   for (unsigned n = 0; n < 3; n++) {
      if (attila_reads(inst, info, n)) {
         text_str(t, comma);
         print_source(t, inst, attila_source_kind(inst, info, n), n);
         comma = ", ";
      }
   }
   if (inst->wait)
      text_str(t, " wait");
   if (inst->end)
      text_str(t, " end");
}

/* ------------------------------------------------------------------------------------------------
 * What text cannot say
 */

static bool
normalise_source(struct attila_inst *inst, const struct attila_info *info, unsigned n)
{
   struct attila_src *src = &inst->src[n];
   bool immediate = n == 1 && attila_is_immediate(inst);
   char kind = attila_source_kind(inst, info, n);
   uint8_t reg = src->reg;

   if (kind == 'l') {
      *src = (struct attila_src){ .bank = ATTILA_IMMEDIATE };
      return immediate;
   }
   if (kind == 't' || kind == 'n' || kind == 'a') {
      *src = (struct attila_src){ .reg = reg };
      return !immediate;
   }
   if (immediate)
      return info->forms & ATTILA_FORM_IMM;
   bool constant = src->bank == ATTILA_PARAM || src->bank == ATTILA_PARAM2;
   if (kind == 'b') {
      if (src->absolute) {
         *src = (struct attila_src){ .absolute = true, .negate = src->negate };
         return true;
      }
      if (!constant) {
         *src = (struct attila_src){ .reg = reg, .negate = src->negate };
         return true;
      }
   }
   if (constant && inst->relative)
      src->reg = 0;
   return src->bank <= ATTILA_PARAM2;
}

bool
attila_normalise(struct attila_inst *inst)
{
   const struct attila_info *info = attila_info(inst->opcode);
   bool relative = false;

   if (!info->name)
      return false;
   if (!inst->predicated) {
      inst->invert_pred = false;
      inst->pred = 0;
   }
   for (unsigned n = 0; n < 3; n++) {
      struct attila_src *src = &inst->src[n];
      if (!attila_reads(inst, info, n)) {
         bool immediate = n == 1 && attila_is_immediate(inst);
         *src = (struct attila_src){ 0 };
         if (immediate)
            return false;
      } else if (!normalise_source(inst, info, n)) {
         return false;
      }
      relative |= src->bank == ATTILA_PARAM || src->bank == ATTILA_PARAM2;
   }
   if (!attila_is_immediate(inst))
      inst->immediate = 0;
   if (!relative || !inst->relative) {
      inst->relative = false;
      inst->rel_reg = inst->rel_comp = 0;
      inst->rel_offset = 0;
   }
   inst->reserved[0] = inst->reserved[1] = 0;
   switch (info->result) {
   case ATTILA_RESULT_NONE:
      inst->result_bank = inst->result_reg = inst->mask = 0;
      inst->saturate = false;
      break;
   case ATTILA_RESULT_PRED:
      inst->result_bank = inst->mask = 0;
      break;
   default:
      return inst->result_bank <= ATTILA_PARAM2;
   }
   return true;
}

void
attila_print(struct isa_text *t, const uint32_t words[ATTILA_DWORDS])
{
   struct attila_inst inst;
   uint32_t again[ATTILA_DWORDS];

   attila_decode(words, &inst);
   bool sayable = attila_normalise(&inst);
   attila_encode(&inst, again);
   if (sayable && !memcmp(again, words, sizeof(again))) {
      print_inst(t, &inst);
      return;
   }
   text_str(t, ".bits ");
   for (unsigned q = 0; q < 2; q++) {
      text_hex(t, words[2 * q + 1], 8);
      for (int shift = 28; shift >= 0; shift -= 4)
         text_char(t, "0123456789ABCDEF"[words[2 * q] >> shift & 15]);
      text_str(t, q ? " ; " : ", ");
   }
   if (sayable)
      print_inst(t, &inst);
   else
      text_str(t, attila_info(inst.opcode)->name ? "operands of another form" : "undefined opcode");
}

char *
attila_listing(const uint32_t *words, size_t num_dwords, size_t *length)
{
   struct isa_text t = { 0 };
   size_t i = 0;

   for (; num_dwords - i >= ATTILA_DWORDS; i += ATTILA_DWORDS) {
      attila_print(&t, words + i);
      text_char(&t, '\n');
   }
   for (; i < num_dwords; i++) {
      text_str(&t, ".dword ");
      text_hex(&t, words[i], 8);
      text_char(&t, '\n');
   }
   text_char(&t, '\0');
   if (t.failed) {
      free(t.data);
      return NULL;
   }
   if (length)
      *length = t.size - 1;
   return t.data;
}
