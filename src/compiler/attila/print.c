/* SPDX-License-Identifier: MIT */
/*
 * The compiler's program as text: the machine's syntax, with literals in parentheses, %n for
 * temporaries and flow as words.
 */
#include "ir.h"

#include "isa/text.h"

static const char letters[] = "xyzw";

static void
print_source(struct isa_text *t, const struct ac_inst *i, unsigned n)
{
   static const char *const banks[] = { "i", "o", "c", "%", "a", "c256+", "", "" };
   const struct ac_src *s = &i->src[n];
   const unsigned read = ac_read_mask(i, n);
   const char kind = ac_kind(i, n);

   text_str(t, s->neg ? "-" : "");
   text_str(t, s->abs ? "|" : "");
   if (s->bank == AC_LITERAL) {
      text_char(t, '(');
      for (unsigned c = 0; c < 4; c++) {
         if (!(read >> c & 1))
            continue;
         text_hex(t, s->value[c], 8);
         text_str(t, read >> (c + 1) ? " " : "");
      }
      text_char(t, ')');
   } else {
      text_str(t, kind == 't' ? "t" : kind == 'a' ? "v" : kind == 'b' ? "p" : banks[s->bank & 7]);
      if (i->relative && (s->bank == ATTILA_PARAM || s->bank == ATTILA_PARAM2)) {
         text_str(t, "[a0.x + ");
         text_uint(t, (uint32_t)i->offset, 0, ' ');
         text_char(t, ']');
      } else {
         text_uint(t, s->reg, 0, ' ');
      }
      if (read)
         text_char(t, '.');
      for (unsigned c = 0; c < 4; c++)
         if (read >> c & 1)
            text_char(t, letters[s->swz[c]]);
   }
   text_str(t, s->abs ? "|" : "");
}

static void
print_name(struct isa_text *t, const char *name)
{
   for (; *name; name++)
      text_char(t, *name >= 'A' && *name <= 'Z' ? (char)(*name + 32) : *name);
}

static void
print_inst(struct isa_text *t, const struct ac_inst *i)
{
   static const char *const flow[] = {
      "if", "else", "endif", "loop", "endloop", "break", "continue"
   };
   const char *comma = " ";

   if (i->predicated) {
      text_str(t, i->invert ? "(!p" : "(p");
      text_uint(t, i->pred, 0, ' ');
      text_str(t, ") ");
   }
   if (ac_is_flow(i)) {
      text_str(t, flow[i->op - AC_IF]);
      return;
   }
   const struct attila_info *info = attila_info(i->op);
   const bool pred = info->result == ATTILA_RESULT_PRED;
   print_name(t, info->name);
   if (i->sat && !pred)
      text_str(t, "_sat");
   if (info->result != ATTILA_RESULT_NONE) {
      static const char *const banks[] = { "i", "o", "c", "%", "a", "c", "", "" };
      text_str(t, pred ? (i->sat ? " !p" : " p") : " ");
      text_str(t, pred ? "" : banks[i->bank & 7]);
      text_uint(t, i->reg, 0, ' ');
      if (!pred)
         text_char(t, '.');
      for (unsigned c = 0; c < 4; c++)
         if (i->mask >> c & 1)
            text_char(t, letters[c]);
      comma = ", ";
   }
   for (unsigned n = 0; n < ac_num_src(i); n++) {
      text_str(t, comma);
      print_source(t, i, n);
      comma = ", ";
   }
}

void
ac_print_after(struct ac_compiler *c, const char *pass)
{
   unsigned depth = 1;

   if (!(c->flags & SHADER_COMPILE_PRINT_IR))
      return;
   text_str(&c->dump, "; after ");
   text_str(&c->dump, pass);
   text_char(&c->dump, '\n');
   for (uint32_t n = 0; n < c->num_insts; n++) {
      const struct ac_inst *i = &c->insts[n];
      depth -= i->op == AC_ELSE || i->op == AC_ENDIF || i->op == AC_ENDLOOP;
      for (unsigned k = 0; k < depth; k++)
         text_str(&c->dump, "   ");
      print_inst(&c->dump, i);
      text_char(&c->dump, '\n');
      depth += i->op == AC_IF || i->op == AC_ELSE || i->op == AC_LOOP;
   }
}
