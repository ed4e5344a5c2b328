/* SPDX-License-Identifier: MIT */
/* IL text: words, numbers, registers, sources and destinations (chapter 3, 2.2). */
#include "parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool
il_text_fail(struct parser *s, const char *what)
{
   return il_fail(s->err, s->line, (uint32_t)(s->at - s->line_start) + 1, "%s", what);
}

int
il_text_peek(const struct parser *s)
{
   return s->at < s->end ? (unsigned char)*s->at : -1;
}

bool
il_text_accept(struct parser *s, char c)
{
   if (il_text_peek(s) != c)
      return false;
   s->at++;
   return true;
}

/* Spaces and comments up to the end of the line (two slashes are 7.19's); slash-star comments may
 * hold newlines. */
void
il_text_skip_blank(struct parser *s)
{
   while (s->at < s->end) {
      if (*s->at == ' ' || *s->at == '\t' || *s->at == '\r') {
         s->at++;
      } else if (*s->at == ';' || (s->end - s->at >= 2 && s->at[0] == '/' && s->at[1] == '/')) {
         while (s->at < s->end && *s->at != '\n')
            s->at++;
      } else if (s->end - s->at >= 2 && s->at[0] == '/' && s->at[1] == '*') {
         s->at += 2;
         while (s->end - s->at >= 2 && !(s->at[0] == '*' && s->at[1] == '/')) {
            if (*s->at++ == '\n') {
               s->line++;
               s->line_start = s->at;
            }
         }
         s->at = s->end - s->at >= 2 ? s->at + 2 : s->end;
      } else {
         return;
      }
   }
}

void
il_text_skip_lines(struct parser *s)
{
   for (il_text_skip_blank(s); s->at < s->end && *s->at == '\n'; il_text_skip_blank(s)) {
      s->at++;
      s->line++;
      s->line_start = s->at;
   }
}

bool
il_text_word_char(int c)
{
   return c >= 0 && (isalnum(c) || c == '_');
}

/* Length of text when the input starts with it (any case) and a name cannot go on, else 0. */
size_t
il_text_matches(const struct parser *s, const char *text)
{
   size_t n = strlen(text);
   if (!n || (size_t)(s->end - s->at) < n || strncasecmp(s->at, text, n))
      return 0;
   int next = s->at + n < s->end ? (unsigned char)s->at[n] : -1;
   return next >= 0 && isalnum(next) ? 0 : n;
}

bool
il_text_expect(struct parser *s, char c)
{
   static const char what[][2] = { "(", ")", "[", "]", ",", "{", "}", "=" };
   il_text_skip_blank(s);
   if (il_text_accept(s, c)) {
      if (c == ',')
         il_text_skip_lines(s); /* more follows */
      return true;
   }
   for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++)
      if (what[i][0] == c) {
         char text[32];
         snprintf(text, sizeof(text), "expected '%s'", what[i]);
         return il_text_fail(s, text);
      }
   return il_text_fail(s, "unexpected character");
}

bool
il_text_uint(struct parser *s, uint32_t *v)
{
   uint64_t n = 0;
   unsigned base = 10, digits = 0;
   il_text_skip_blank(s);
   bool neg = il_text_accept(s, '-');
   if (s->end - s->at > 2 && s->at[0] == '0' && (s->at[1] | 32) == 'x') {
      s->at += 2;
      base = 16;
   }
   for (; s->at < s->end &&
          (base == 16 ? isxdigit((unsigned char)*s->at) : isdigit((unsigned char)*s->at));
        s->at++, digits++) {
      int c = *s->at | 32;
      n = n * base + (unsigned)(isdigit((unsigned char)*s->at) ? *s->at - '0' : c - 'a' + 10);
      if (n > UINT32_MAX)
         return il_text_fail(s, "the number does not fit 32 bits");
   }
   if (!digits)
      return il_text_fail(s, "expected a number");
   *v = neg ? (uint32_t)(0 - n) : (uint32_t)n;
   return true;
}

/* A literal component: a float when it has a point or an exponent, else an integer's bits. */
bool
il_text_literal(struct parser *s, uint32_t *v)
{
   char buf[64];
   size_t n = 0;
   bool is_float = false;
   il_text_skip_blank(s);
   const char *from = s->at;
   bool hex = s->end - from > 2 && from[0] == '0' && (from[1] | 32) == 'x';
   while (from + n < s->end && n < sizeof(buf) - 1) {
      int c = (unsigned char)from[n];
      if (!isalnum(c) && c != '.' && !((c == '-' || c == '+') && (!n || (from[n - 1] | 32) == 'e')))
         break;
      is_float |= c == '.' || (!hex && (c | 32) == 'e');
      buf[n++] = (char)c;
   }
   buf[n] = 0;
   if (!is_float || hex)
      return il_text_uint(s, v);
   char *stop;
   float f = strtof_l(buf, &stop, s->c_locale);
   if (stop == buf)
      return il_text_fail(s, "expected a number");
   s->at += stop - buf;
   if (il_text_peek(s) == 'f' || il_text_peek(s) == 'F')
      s->at++;
   memcpy(v, &f, 4);
   return true;
}

/* Length of a word that the input starts with, in any case, and that ends there; else 0. */
static size_t
word_matches(const struct parser *s, const char *text)
{
   size_t n = strlen(text);

   if ((size_t)(s->end - s->at) < n || strncasecmp(s->at, text, n) != 0 ||
       il_text_word_char(s->at + n < s->end ? (unsigned char)s->at[n] : -1))
      return 0;
   return n;
}

/* Names may begin with a digit (2d, 4x4, 0.5): the longest name wins over a number. */
bool
il_text_member(struct parser *s, const struct il_name *names, uint32_t *v)
{
   struct parser after; /* the prefix of the document's names */
   size_t best = 0, n;

   il_text_skip_blank(s);
   if (names) {
      after = *s;
      const struct il_name *end = names;
      while (end->text)
         end++;
      size_t prefix = strlen(end->member);
      bool whole =
         prefix && (size_t)(s->end - s->at) > prefix && !strncasecmp(s->at, end->member, prefix);
      after.at += whole ? prefix : 0;
      for (const struct il_name *m = names; m->text; m++) {
         n = word_matches(&after, m->text);
         if (!n && m->member && (whole || !isdigit((unsigned char)m->member[0])))
            n = word_matches(&after, m->member);
         if (n > best) {
            best = n;
            *v = m->value;
         }
      }
   }
   if (best) {
      s->at = after.at + best;
      return true;
   }
   if (names && !(il_text_peek(s) >= 0 && isdigit(il_text_peek(s))))
      return il_text_fail(s, "unknown name");
   return il_text_uint(s, v);
}

/* ---------------------------------------------------------------------------------- operands -- */

static const struct {
   const char *text;
   uint8_t type;
} reg_aliases[] = {
   { "oInterp", IL_REGTYPE_INTERP },
   { "oFog", IL_REGTYPE_FOG },
   { "oT", IL_REGTYPE_TEXCOORD },
   { "oPriColor", IL_REGTYPE_PRICOLOR },
   { "oSecColor", IL_REGTYPE_SECCOLOR },
   { "vTid", IL_REGTYPE_THREAD_ID_IN_GROUP_FLAT },
   { "vaTid", IL_REGTYPE_ABSOLUTE_THREAD_ID_FLAT },
   { "vTGroupid", IL_REGTYPE_THREAD_GROUP_ID_FLAT },
};

static bool
parse_reg_type(struct parser *s, uint8_t *type)
{
   size_t n = 0;
   while (s->at + n < s->end && isalpha((unsigned char)s->at[n]))
      n++;
   for (unsigned t = 0; n && t < IL_REGTYPE_LAST; t++) {
      const char *name = il_reg_info(t)->name;
      if (strlen(name) == n && !strncasecmp(name, s->at, n)) {
         /* v# is VERTEX or INPUT by the declarations (5.16, 5.55); the table has VERTEX first. */
         *type = t == IL_REGTYPE_VERTEX && !s->sm30_inputs ? IL_REGTYPE_INPUT : t;
         s->at += n;
         return true;
      }
   }
   for (size_t i = 0; n && i < sizeof(reg_aliases) / sizeof(reg_aliases[0]); i++)
      if (strlen(reg_aliases[i].text) == n && !strncasecmp(reg_aliases[i].text, s->at, n)) {
         *type = reg_aliases[i].type;
         s->at += n;
         return true;
      }
   return il_text_fail(s, "expected a register");
}

/* Whether an address register with its component comes next: a0.x. */
static bool
at_address(const struct parser *s)
{
   const char *at = s->at;

   if (s->end - at < 3 || (*at++ | 32) != 'a' || !isdigit((unsigned char)*at))
      return false;
   while (at < s->end && isdigit((unsigned char)*at))
      at++;
   return at < s->end && *at == '.';
}

/* [index + number]; what the number means is the caller's, and whether it stands there. */
static bool
parse_bracket(struct parser *s, struct il_ref *r, uint32_t *number, bool *has_number, bool is_index)
{
   *number = 0;
   *has_number = true;
   il_text_skip_blank(s);
   if (s->end - s->at > 2 && !strncasecmp(s->at, "aL", 2) &&
       !il_text_word_char((unsigned char)s->at[2])) {
      s->at += 2;
      r->rel = IL_ADDR_RELATIVE;
      r->rel_addr = 1u << 16;
   } else if (at_address(s)) {
      static const char comps[] = "xyzw01";
      uint32_t n;
      s->at++;
      if (!il_text_uint(s, &n) || n > 0xffff || !il_text_accept(s, '.') || il_text_peek(s) <= 0 ||
          !strchr(comps, il_text_peek(s)))
         return il_text_fail(s, "expected an address register component");
      r->rel = IL_ADDR_RELATIVE;
      r->rel_addr = n | (uint32_t)(strchr(comps, il_text_peek(s)) - comps) << 17;
      s->at++;
   } else if (il_text_peek(s) >= 0 && isalpha(il_text_peek(s))) {
      if (is_index)
         return il_text_fail(s, "an index may not be indexed itself (2.2.6)");
      r->rel = IL_ADDR_REG_RELATIVE;
      r->index = il_alloc(s->p, sizeof(*r->index));
      if (!r->index || !il_text_src(s, r->index, true))
         return false;
   } else {
      return il_text_uint(s, number) && il_text_expect(s, ']');
   }
   il_text_skip_blank(s);
   *has_number = il_text_accept(s, '+');
   if (*has_number && !il_text_uint(s, number))
      return false;
   return il_text_expect(s, ']');
}

static bool
parse_ref(struct parser *s, struct il_ref *r, struct il_ref **dim2, bool is_index)
{
   uint32_t number;
   bool digits = false, has_number;
   il_text_skip_blank(s);
   if (!parse_reg_type(s, &r->type))
      return false;
   if (il_text_peek(s) >= 0 && isdigit(il_text_peek(s))) {
      digits = true;
      if (!il_text_uint(s, &r->num))
         return false;
   }
   r->extended = r->num > 0xffff;
   if (!il_text_accept(s, '['))
      return true;
   if (!parse_bracket(s, r, &number, &has_number, is_index))
      return false;
   unsigned form = il_reg_info(r->type)->form;
   bool array = form == IL_FORM_ARRAY || form == IL_FORM_MEM;
   if (digits || array) {
      r->has_imm = has_number || !array; /* cb2[r0.x]: the index alone (2.2.6) */
      r->imm = number;
   } else {
      r->num = number;
      r->extended = number > 0xffff;
   }
   if (!il_text_accept(s, '['))
      return true;
   *dim2 = il_alloc(s->p, sizeof(**dim2));
   if (!*dim2 || !parse_bracket(s, *dim2, &number, &has_number, is_index))
      return false;
   if ((*dim2)->rel == IL_ADDR_REG_RELATIVE) {
      (*dim2)->has_imm = true;
      (*dim2)->imm = number;
   } else {
      (*dim2)->type = r->type;
      (*dim2)->num = number;
      (*dim2)->extended = number > 0xffff;
   }
   return true;
}

int
il_text_component(int c)
{
   static const char names[] = "xyzw01rgba";
   const char *at = c > 0 ? strchr(names, c | (isalpha(c) ? 32 : 0)) : NULL;
   if (!at)
      return -1;
   return (int)(at - names) < 6 ? (int)(at - names) : (int)(at - names) - 6;
}

static bool
parse_src_modifier(struct parser *s, struct il_src *src)
{
   static const struct {
      const char *text;
      uint8_t flags;
   } flags[] = {
      { "invert", IL_SRC_INVERT },       { "bias", IL_SRC_BIAS }, { "x2", IL_SRC_X2 },
      { "sign", IL_SRC_SIGN },           { "abs", IL_SRC_ABS },   { "clamp", IL_SRC_CLAMP },
      { "bx2", IL_SRC_BIAS | IL_SRC_X2 }
   };
   for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
      if (il_text_matches(s, flags[i].text)) {
         s->at += strlen(flags[i].text);
         src->flags |= flags[i].flags;
         return true;
      }
   if (il_text_matches(s, "neg")) {
      s->at += 3;
      if (!il_text_accept(s, '(')) {
         src->neg = 15;
         return true;
      }
      while (il_text_component(il_text_peek(s)) >= 0 && il_text_component(il_text_peek(s)) < 4)
         src->neg |= 1 << il_text_component(*s->at++);
      return il_text_expect(s, ')');
   }
   if (il_text_matches(s, "divcomp")) {
      uint32_t v;
      s->at += 7;
      if (!il_text_expect(s, '(') || !il_text_member(s, il_names_divcomp, &v) ||
          v > IL_DIVCOMP_UNKNOWN)
         return il_text_fail(s, "expected a divcomp");
      src->divcomp = v;
      return il_text_expect(s, ')');
   }
   return il_text_fail(s, "unknown source modifier");
}

/* Modifiers stand after the swizzle (3.6) or before it, as AMD's compilers wrote them.  The
 * components that they name are the operand's either way: those that the swizzle gives (2.2.7). */
static bool
parse_src_modifiers(struct parser *s, struct il_src *src)
{
   while (il_text_accept(s, '_')) {
      src->has_mod = true;
      if (!parse_src_modifier(s, src))
         return false;
   }
   return true;
}

bool
il_text_src(struct parser *s, struct il_src *src, bool is_index)
{
   *src = il_src(0, 0);
   if (!parse_ref(s, &src->r, &src->dim2, is_index) || !parse_src_modifiers(s, src))
      return false;
   if (il_text_accept(s, '.')) {
      unsigned n = 0;
      src->has_mod = true;
      while (n < 4 && il_text_component(il_text_peek(s)) >= 0)
         src->swz[n++] = il_text_component(*s->at++);
      if (!n)
         return il_text_fail(s, "expected a swizzle");
      for (; n < 4; n++)
         src->swz[n] = src->swz[n - 1];
   }
   return parse_src_modifiers(s, src);
}

/* Takes a scale or _sat; false: there is none.  No mask, which has underscores, too, begins so. */
static bool
parse_dst_modifier(struct parser *s, struct il_dst *d)
{
   static const struct il_name shifts[] = IL_NAMES(IL_SHIFT_LIST, "");
   struct parser word = *s;

   if (!il_text_accept(&word, '_'))
      return false;
   size_t n = il_text_matches(&word, "sat");
   d->clamp |= n != 0;
   for (const struct il_name *m = shifts; !n && m->text; m++)
      if ((n = il_text_matches(&word, m->text)))
         d->shift = (uint8_t)m->value;
   if (!n)
      return false;
   d->has_mod = true;
   s->at = word.at + n;
   return true;
}

bool
il_text_dst(struct parser *s, struct il_dst *d)
{
   *d = il_dst(0, 0);
   if (!parse_ref(s, &d->r, &d->dim2, false))
      return false;
   while (parse_dst_modifier(s, d)) {
   }
   if (!il_text_accept(s, '.'))
      return true;
   d->has_mod = true;
   memset(d->comp, IL_MODCOMP_NOWRITE, sizeof(d->comp));
   /* Positional where it may be (x_z_, _0, 11); letters that skip one name themselves (.xw). */
   for (unsigned pos = 0; pos < 4; pos++) {
      int c = il_text_component(il_text_peek(s));
      if (pos && parse_dst_modifier(s, d)) {
         break;
      } else if (il_text_peek(s) == '_') {
         s->at++;
      } else if (c == 4 || c == 5) {
         s->at++;
         d->comp[pos] = c == 4 ? IL_MODCOMP_0 : IL_MODCOMP_1;
      } else if (c >= 0) {
         s->at++;
         d->comp[c] = IL_MODCOMP_WRITE;
         if ((unsigned)c > pos)
            pos = (unsigned)c;
      } else if (pos == 0) {
         return il_text_fail(s, "expected a write mask");
      } else {
         break;
      }
   }
   while (parse_dst_modifier(s, d)) {
   }
   return true;
}
