/* SPDX-License-Identifier: MIT */
/*
 * Decoded instructions to text: name, modifiers and flow; then the result or staging registers, the
 * sources and the immediates, as Mesa's disassembler orders and spells them.
 */
#include "internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct out {
   char *text;
   size_t length;
   bool operand; /* one was printed */
};

static void __attribute__((format(printf, 2, 3))) add(struct out *out, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   int n = vsnprintf(out->text + out->length, VALHALL_TEXT_MAX - out->length, format, args);
   va_end(args);
   if (n > 0) {
      out->length += (size_t)n;
      if (out->length >= VALHALL_TEXT_MAX)
         out->length = VALHALL_TEXT_MAX - 1;
   }
}

static void
next_operand(struct out *out)
{
   if (out->operand)
      add(out, ", ");
   out->operand = true;
}

static void
print_value(struct out *out, unsigned en, unsigned value)
{
   const struct valhall_value_info *info = valhall_value(en, value);
   if (info && !info->standard)
      add(out, ".%s", info->name);
}

static void
print_source(struct out *out, const struct valhall_instr *instr, unsigned n)
{
   const struct valhall_src_info *src = valhall_src_info(valhall_info(instr->opcode)->src[n]);
   unsigned byte = instr->src[n].byte;

   if (valhall_src_is_register(byte)) {
      add(out, "%sr%u", byte & VALHALL_SRC_LAST ? "^" : "", byte & 63);
   } else if (valhall_src_is_uniform(byte)) {
      add(out, "u%u", (byte & 63) | instr->page << 6);
   } else if (valhall_src_is_special(byte)) {
      const struct valhall_value_info *special =
         valhall_value(valhall_page_enum(instr->page), byte >> 1 & 15);
      add(out, "%s.w%u", special ? special->name : "reserved", byte & 1);
   } else if (valhall_constant_first(byte & 31) != (byte & 31)) {
      /* The table holds zero twice: the number tells them apart. */
      add(out, "imm%u", byte & 31);
   } else {
      add(out, "0x%" PRIX32, valhall_constant(byte & 31));
   }
   if (instr->src[n].neg)
      add(out, ".neg");
   if (instr->src[n].abs)
      add(out, ".abs");
   if (src->width)
      print_value(out, src->en, instr->src[n].select);
   if (instr->src[n].invert)
      add(out, ".not");
}

size_t
valhall_print(const struct valhall_instr *instr, char text[VALHALL_TEXT_MAX])
{
   const struct valhall_info *info = valhall_info(instr->opcode);
   struct out out = { text, 0, false };

   text[0] = 0;
   add(&out, "%s", info->name);
   for (unsigned n = 0; n < info->num_mod; n++) {
      const struct valhall_mod_info *mod = valhall_mod_info(info->mod[n]);
      if (mod->en != VALHALL_ENUM_FLAG)
         print_value(&out, mod->en, instr->mod[n]);
      else if (instr->mod[n])
         add(&out, ".%s", mod->name);
   }
   print_value(&out, VALHALL_ENUM_FLOW, instr->flow);
   add(&out, " ");

   if (info->shape == VALHALL_SHAPE_DEST || info->shape == VALHALL_SHAPE_PAIR) {
      next_operand(&out);
      add(&out, "r%u%s", instr->dest, instr->mask == 1 ? ".h0" : instr->mask == 2 ? ".h1" : "");
   }
   for (unsigned n = 0; n < valhall_num_staging(info); n++) {
      next_operand(&out);
      add(&out, "@");
      for (unsigned i = 0; i < instr->staging[n].count; i++)
         add(&out, "%sr%u", i ? ":" : "", instr->staging[n].reg + i);
   }
   for (unsigned n = 0; n < info->num_src; n++) {
      next_operand(&out);
      print_source(&out, instr, n);
   }
   for (unsigned n = 0; n < info->num_imm; n++) {
      const struct valhall_imm_info *imm = &info->imm[n];
      next_operand(&out);
      if (imm->is_signed)
         add(&out, "%s:%" PRId32, imm->name, (int32_t)instr->imm[n]);
      else if (!strcmp(imm->name, "constant"))
         add(&out, "#0x%" PRIX32, instr->imm[n]);
      else
         add(&out, "%s:0x%" PRIX32, imm->name, instr->imm[n]);
   }
   return out.length;
}

char *
valhall_disassemble(const uint64_t *words, size_t count, size_t *length)
{
   /* Either kind of line fits. */
   size_t capacity = 1, at = 0;
   char *text = NULL;

   for (size_t i = 0; i < count; i++) {
      struct valhall_instr instr;
      struct isa_error error;
      char line[VALHALL_TEXT_MAX];

      if (valhall_decode(words[i], &instr, &error))
         valhall_print(&instr, line);
      else
         snprintf(line, sizeof(line), ".word 0x%016" PRIx64 " ; %s", words[i], error.text);
      size_t n = strlen(line);
      if (!text || at + n + 2 > capacity) {
         capacity = 2 * capacity + n + 64;
         char *more = realloc(text, capacity);
         if (!more) {
            free(text);
            return NULL;
         }
         text = more;
      }
      memcpy(text + at, line, n);
      at += n;
      text[at++] = '\n';
   }
   if (!text)
      text = malloc(1);
   if (text)
      text[at] = 0;
   *length = at;
   return text;
}
