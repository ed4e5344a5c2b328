/* SPDX-License-Identifier: MIT */
/* IL text to programs (chapter 3).
 *
 * One instruction a line; `;` and slash-star comments; mnemonics and names in any case; modifiers
 * in any order; the spellings of the document and of AMD's own tools both accepted.  Total: any
 * bytes give a program or one error with line and column.
 */
#include "fields.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct parser {
   const char *at, *end, *line_start;
   uint32_t line;
   struct il_program *p;
   struct il_error *err;
   bool sm30_inputs; /* dclv or initv was seen: v# is VERTEX */
   locale_t c_locale;
};

static bool
fail(struct parser *s, const char *what)
{
   return il_fail(s->err, s->line, (uint32_t)(s->at - s->line_start) + 1, "%s", what);
}

static int
peek(const struct parser *s)
{
   return s->at < s->end ? (unsigned char)*s->at : -1;
}

static bool
accept(struct parser *s, char c)
{
   if (peek(s) != c)
      return false;
   s->at++;
   return true;
}

/* Spaces and comments up to the end of the line; slash-star comments may hold newlines. */
static void
skip_blank(struct parser *s)
{
   while (s->at < s->end) {
      if (*s->at == ' ' || *s->at == '\t' || *s->at == '\r') {
         s->at++;
      } else if (*s->at == ';') {
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

static void
skip_lines(struct parser *s)
{
   for (skip_blank(s); s->at < s->end && *s->at == '\n'; skip_blank(s)) {
      s->at++;
      s->line++;
      s->line_start = s->at;
   }
}

static bool
word_char(int c)
{
   return c >= 0 && (isalnum(c) || c == '_');
}

/* Length of text when the input starts with it (any case) and a name cannot go on, else 0. */
static size_t
matches(const struct parser *s, const char *text)
{
   size_t n = strlen(text);
   if (!n || (size_t)(s->end - s->at) < n || strncasecmp(s->at, text, n))
      return 0;
   int next = s->at + n < s->end ? (unsigned char)s->at[n] : -1;
   return next >= 0 && isalnum(next) ? 0 : n;
}

static bool
expect(struct parser *s, char c)
{
   static const char what[][2] = { "(", ")", "[", "]", ",", "{", "}", "=" };
   skip_blank(s);
   if (accept(s, c))
      return true;
   for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++)
      if (what[i][0] == c) {
         char text[32];
         snprintf(text, sizeof(text), "expected '%s'", what[i]);
         return fail(s, text);
      }
   return fail(s, "unexpected character");
}

static bool
parse_uint(struct parser *s, uint32_t *v)
{
   uint64_t n = 0;
   unsigned base = 10, digits = 0;
   skip_blank(s);
   bool neg = accept(s, '-');
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
         return fail(s, "the number does not fit 32 bits");
   }
   if (!digits)
      return fail(s, "expected a number");
   *v = neg ? (uint32_t)(0 - n) : (uint32_t)n;
   return true;
}

/* A literal component: a float when it has a point or an exponent, else an integer's bits. */
static bool
parse_literal(struct parser *s, uint32_t *v)
{
   char buf[64];
   size_t n = 0;
   bool is_float = false;
   skip_blank(s);
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
      return parse_uint(s, v);
   char *stop;
   float f = strtof_l(buf, &stop, s->c_locale);
   if (stop == buf)
      return fail(s, "expected a number");
   s->at += stop - buf;
   if (peek(s) == 'f' || peek(s) == 'F')
      s->at++;
   memcpy(v, &f, 4);
   return true;
}

static bool
parse_member(struct parser *s, const struct il_name *names, uint32_t *v)
{
   size_t best = 0;
   skip_blank(s);
   if (names == NULL || (peek(s) >= 0 && isdigit(peek(s)))) {
      /* Names may begin with a digit (2d, 4x4, 0.5): the longest name wins over a number. */
      for (const struct il_name *n = names; n && n->text; n++)
         if (matches(s, n->text) > best) {
            best = matches(s, n->text);
            *v = n->value;
         }
      if (!best)
         return parse_uint(s, v);
      s->at += best;
      return true;
   }
   for (const struct il_name *n = names; n->text; n++) {
      size_t len = strlen(n->text);
      if ((size_t)(s->end - s->at) >= len && len > best && !strncasecmp(s->at, n->text, len) &&
          !word_char(s->at + len < s->end ? (unsigned char)s->at[len] : -1)) {
         best = len;
         *v = n->value;
      }
   }
   if (!best)
      return fail(s, "unknown name");
   s->at += best;
   return true;
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
   return fail(s, "expected a register");
}

static bool parse_src(struct parser *s, struct il_src *src, bool is_index);

/* [index + number]; what the number means is the caller's. */
static bool
parse_bracket(struct parser *s, struct il_ref *r, uint32_t *number, bool is_index)
{
   *number = 0;
   skip_blank(s);
   if (s->end - s->at > 2 && !strncasecmp(s->at, "aL", 2) && !word_char((unsigned char)s->at[2])) {
      s->at += 2;
      r->rel = IL_ADDR_RELATIVE;
      r->rel_addr = 1u << 16;
   } else if (s->end - s->at > 2 && (s->at[0] | 32) == 'a' && isdigit((unsigned char)s->at[1])) {
      static const char comps[] = "xyzw01";
      uint32_t n;
      s->at++;
      if (!parse_uint(s, &n) || n > 0xffff || !accept(s, '.') || peek(s) <= 0 ||
          !strchr(comps, peek(s)))
         return fail(s, "expected an address register component");
      r->rel = IL_ADDR_RELATIVE;
      r->rel_addr = n | (uint32_t)(strchr(comps, peek(s)) - comps) << 17;
      s->at++;
   } else if (peek(s) >= 0 && isalpha(peek(s))) {
      if (is_index)
         return fail(s, "an index may not be indexed itself (2.2.6)");
      r->rel = IL_ADDR_REG_RELATIVE;
      r->index = il_alloc(s->p, sizeof(*r->index));
      if (!r->index || !parse_src(s, r->index, true))
         return false;
   } else {
      return parse_uint(s, number) && expect(s, ']');
   }
   skip_blank(s);
   if (accept(s, '+') && !parse_uint(s, number))
      return false;
   return expect(s, ']');
}

static bool
parse_ref(struct parser *s, struct il_ref *r, struct il_ref **dim2, bool is_index)
{
   uint32_t number;
   bool digits = false;
   skip_blank(s);
   if (!parse_reg_type(s, &r->type))
      return false;
   if (peek(s) >= 0 && isdigit(peek(s))) {
      digits = true;
      if (!parse_uint(s, &r->num))
         return false;
   }
   r->extended = r->num > 0xffff;
   if (!accept(s, '['))
      return true;
   if (!parse_bracket(s, r, &number, is_index))
      return false;
   unsigned form = il_reg_info(r->type)->form;
   if (digits || form == IL_FORM_ARRAY || form == IL_FORM_MEM) {
      r->has_imm = true;
      r->imm = number;
   } else {
      r->num = number;
      r->extended = number > 0xffff;
   }
   if (!accept(s, '['))
      return true;
   *dim2 = il_alloc(s->p, sizeof(**dim2));
   if (!*dim2 || !parse_bracket(s, *dim2, &number, is_index))
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

static int
component(int c)
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
      if (matches(s, flags[i].text)) {
         s->at += strlen(flags[i].text);
         src->flags |= flags[i].flags;
         return true;
      }
   if (matches(s, "neg")) {
      s->at += 3;
      if (!accept(s, '(')) {
         src->neg = 15;
         return true;
      }
      while (component(peek(s)) >= 0 && component(peek(s)) < 4)
         src->neg |= 1 << component(*s->at++);
      return expect(s, ')');
   }
   if (matches(s, "divcomp")) {
#define X(m, v, t) { t, v },
      static const struct il_name names[] = { IL_DIVCOMP_LIST(X){ NULL, 0 } };
#undef X
      uint32_t v;
      s->at += 7;
      if (!expect(s, '(') || !parse_member(s, names, &v) || v > IL_DIVCOMP_UNKNOWN)
         return fail(s, "expected a divcomp");
      src->divcomp = v;
      return expect(s, ')');
   }
   return fail(s, "unknown source modifier");
}

static bool
parse_src(struct parser *s, struct il_src *src, bool is_index)
{
   *src = il_src(0, 0);
   if (!parse_ref(s, &src->r, &src->dim2, is_index))
      return false;
   if (accept(s, '.')) {
      unsigned n = 0;
      src->has_mod = true;
      while (n < 4 && component(peek(s)) >= 0)
         src->swz[n++] = component(*s->at++);
      if (!n)
         return fail(s, "expected a swizzle");
      for (; n < 4; n++)
         src->swz[n] = src->swz[n - 1];
   }
   while (accept(s, '_')) {
      src->has_mod = true;
      if (!parse_src_modifier(s, src))
         return false;
   }
   return true;
}

static bool
parse_dst(struct parser *s, struct il_dst *d)
{
   *d = il_dst(0, 0);
   if (!parse_ref(s, &d->r, &d->dim2, false))
      return false;
   if (!accept(s, '.'))
      return true;
   d->has_mod = true;
   memset(d->comp, IL_MODCOMP_NOWRITE, sizeof(d->comp));
   /* Positional where it may be (x_z_, _0, 11); letters out of place name themselves (.xw). */
   for (unsigned pos = 0; pos < 4; pos++) {
      int c = component(peek(s));
      if (peek(s) == '_') {
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
         return fail(s, "expected a write mask");
      } else {
         break;
      }
   }
   return true;
}

/* -------------------------------------------------------------------------------- suffixes -- */

struct building {
   struct il_inst inst;
   const struct il_op_info *info;
   const struct il_field *fields;
   uint32_t data0;
   bool sat;
   uint8_t shift;
};

static void
set_field(struct building *b, const struct il_field *f, uint32_t v)
{
   uint32_t mask = (uint32_t)(((uint64_t)1 << f->width) - 1);
   uint32_t bits = (v & mask) << f->shift;
   switch (f->where) {
   case IL_IN_CTL:
      b->inst.ctl = (b->inst.ctl & ~(mask << f->shift)) | bits;
      break;
   case IL_IN_PRI:
      b->inst.pri = (b->inst.pri & ~(mask << f->shift)) | bits;
      b->inst.ctl |= 0x8000;
      break;
   case IL_IN_DATA:
      b->data0 = (b->data0 & ~(mask << f->shift)) | bits;
      break;
   }
}

static bool
parse_field(struct parser *s, struct building *b, const struct il_field *f)
{
   uint32_t v = 1;
   if (f->form != IL_FIELD_FLAG) {
      if (!expect(s, '(') || !parse_member(s, f->names, &v))
         return false;
      if (b->inst.op == IL_OP_DCL_RESOURCE && f->names == il_names_pixtex) {
         skip_blank(s);
         if (accept(s, ',')) {
            skip_blank(s);
            if (!matches(s, "unnorm"))
               return fail(s, "expected 'unnorm'");
            s->at += 6;
            b->inst.ctl |= 0x8000;
         }
      }
      if (!expect(s, ')'))
         return false;
      if ((uint64_t)v >> f->width)
         return fail(s, "the value does not fit its field");
   }
   set_field(b, f, v);
   return true;
}

/* Texel offsets in halves: "1", "-0.5", "7.5". */
static bool
parse_half(struct parser *s, int *out)
{
   uint32_t v;
   skip_blank(s);
   bool neg = accept(s, '-');
   if (!parse_uint(s, &v) || v > 64)
      return fail(s, "a texel offset is -64 to 63.5 (7-83)");
   int n = (int)v * 2;
   if (accept(s, '.')) {
      n += peek(s) == '5';
      while (peek(s) >= 0 && isdigit(peek(s)))
         s->at++;
   }
   *out = neg ? -n : n;
   return true;
}

static bool
parse_offsets(struct parser *s, struct building *b)
{
   if (!expect(s, '('))
      return false;
   b->inst.ctl |= 0x2000;
   b->inst.aoff = 0;
   for (unsigned i = 0; i < 3; i++) {
      int n = 0;
      if (!parse_half(s, &n))
         return false;
      b->inst.aoff |= (uint32_t)(n & 0xff) << (8 * i);
      skip_blank(s);
      if (!accept(s, ','))
         return expect(s, ')');
   }
   uint32_t high;
   if (!parse_uint(s, &high))
      return false;
   b->inst.aoff |= high << 24;
   return expect(s, ')');
}

static bool
parse_hex_suffix(struct parser *s, uint32_t *v)
{
   return expect(s, '(') && parse_uint(s, v) && expect(s, ')');
}

static bool
parse_precise(struct parser *s, struct building *b)
{
   b->inst.has_prefix = true;
   b->inst.prefix = 15;
   if (!accept(s, '('))
      return true;
   b->inst.prefix = 0;
   while (component(peek(s)) >= 0 && component(peek(s)) < 4)
      b->inst.prefix |= 1 << component(*s->at++);
   return expect(s, ')');
}

enum generic_suffix {
   GEN_NONE,
   GEN_PREC,
   GEN_EXT,
   GEN_RESTYPE,
   GEN_OFFSET,
   GEN_PRI,
   GEN_SEC,
   GEN_CTL,
   GEN_DATA,
   GEN_SAT,
   GEN_SHIFT, /* + il_shift */
};

static bool
parse_generic(struct parser *s, struct building *b, unsigned which)
{
   uint32_t v = 0;
   switch (which) {
   case GEN_PREC:
      return parse_precise(s, b);
   case GEN_EXT:
      b->inst.ctl |= 0x1000;
      return true;
   case GEN_RESTYPE:
      return expect(s, '(') && parse_member(s, il_names_pixtex, &b->inst.restype) && expect(s, ')');
   case GEN_OFFSET:
      return parse_offsets(s, b);
   case GEN_PRI:
      if (!parse_hex_suffix(s, &v))
         return false;
      b->inst.pri |= v;
      b->inst.ctl |= 0x8000;
      return true;
   case GEN_SEC:
      if (!parse_hex_suffix(s, &v))
         return false;
      b->inst.sec = v;
      b->inst.ctl |= 0x4000;
      return true;
   case GEN_CTL:
      if (!parse_hex_suffix(s, &v) || v > 0xffff)
         return fail(s, "control bits are 16");
      b->inst.ctl |= v;
      return true;
   case GEN_DATA:
      if (!parse_hex_suffix(s, &v))
         return false;
      b->data0 |= v;
      return true;
   case GEN_SAT:
      b->sat = true;
      return true;
   default:
      b->shift = which - GEN_SHIFT;
      return true;
   }
}

static bool
parse_suffix(struct parser *s, struct building *b)
{
   static const struct {
      const char *text;
      uint8_t which;
   } generic[] = {
      { "prec", GEN_PREC },
      { "ext", GEN_EXT },
      { "resourcetype", GEN_RESTYPE },
      { "aoffimmi", GEN_OFFSET },
      { "addroffimmi", GEN_OFFSET },
      { "pri", GEN_PRI },
      { "sec", GEN_SEC },
      { "ctl", GEN_CTL },
      { "data", GEN_DATA },
      { "sat", GEN_SAT },
      { "x2", GEN_SHIFT + IL_SHIFT_X2 },
      { "x4", GEN_SHIFT + IL_SHIFT_X4 },
      { "x8", GEN_SHIFT + IL_SHIFT_X8 },
      { "d2", GEN_SHIFT + IL_SHIFT_D2 },
      { "d4", GEN_SHIFT + IL_SHIFT_D4 },
      { "d8", GEN_SHIFT + IL_SHIFT_D8 },
   };
   size_t best = 0, n;
   const struct il_field *field = NULL, *member_of = NULL;
   unsigned which = GEN_NONE;
   uint32_t member = 0;

   for (const struct il_field *f = b->fields; f->name; f++) {
      if (f->form != IL_FIELD_OPERAND && (n = matches(s, f->name)) > best) {
         best = n;
         field = f;
      }
      /* dcl_input_primitive_triangle, and dcl_input_position for dcl_input_usage(position) */
      bool bare =
         f->form == IL_FIELD_SUFFIX || (f->form == IL_FIELD_ENUM && !strcmp(f->name, "usage"));
      for (const struct il_name *m = bare ? f->names : NULL; m && m->text; m++)
         if ((n = matches(s, m->text)) > best) {
            best = n;
            member_of = f;
            member = m->value;
         }
   }
   for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++)
      if ((n = matches(s, generic[i].text)) > best) {
         best = n;
         which = generic[i].which;
      }
   if (!best)
      return fail(s, "unknown suffix");
   s->at += best;
   if (which)
      return parse_generic(s, b, which);
   if (member_of && (!field || strlen(field->name) < best)) {
      set_field(b, member_of, member);
      return true;
   }
   return parse_field(s, b, field);
}

/* ------------------------------------------------------------------------------------ data -- */

struct words {
   uint32_t *v;
   uint32_t n, cap;
};

static bool
push(struct parser *s, struct words *w, uint32_t v)
{
   if (w->n == w->cap) {
      uint32_t cap = w->cap ? w->cap * 2 : 16;
      uint32_t *mem = cap > w->cap ? il_alloc(s->p, (size_t)cap * 4) : NULL;
      if (!mem)
         return fail(s, "out of memory");
      if (w->n)
         memcpy(mem, w->v, (size_t)w->n * 4);
      w->v = mem;
      w->cap = cap;
   }
   w->v[w->n++] = v;
   return true;
}

static bool
parse_list(struct parser *s, struct words *w, uint32_t want, bool comma_first)
{
   uint32_t v;
   for (uint32_t i = 0; !want || i < want; i++) {
      skip_blank(s);
      if ((i || comma_first) && !accept(s, ',')) {
         if (want)
            return fail(s, "expected ',' and another value");
         return true;
      }
      if (!parse_literal(s, &v) || !push(s, w, v))
         return false;
   }
   return true;
}

static bool
parse_braces(struct parser *s, struct words *w, uint32_t *count)
{
   uint32_t v;
   *count = 0;
   if (!expect(s, '=') || !expect(s, '{'))
      return false;
   skip_blank(s);
   while (!accept(s, '}')) {
      if (*count && !expect(s, ','))
         return false;
      if (!parse_uint(s, &v) || !push(s, w, v))
         return false;
      ++*count;
      skip_blank(s);
   }
   return true;
}

static bool
parse_data(struct parser *s, struct building *b, bool any)
{
   struct words w = { 0 };
   uint32_t count, v;
   bool ok = true;
   switch (b->info->data) {
   case IL_DATA_NONE:
   case IL_DATA_MACROCALL:
      return true;
   case IL_DATA_FORMATS:
   case IL_DATA_MACRODEF:
      ok = push(s, &w, b->data0);
      break;
   case IL_DATA_WORD:
   case IL_DATA_BOOL:
   case IL_DATA_LABEL:
   case IL_DATA_FLOAT:
      ok = parse_list(s, &w, 1, any);
      break;
   case IL_DATA_WORD2:
      ok = parse_list(s, &w, 2, any);
      break;
   case IL_DATA_FLOAT4:
   case IL_DATA_BITS4:
      ok = parse_list(s, &w, 4, any);
      break;
   case IL_DATA_DIMS:
      ok = parse_list(s, &w, 0, any);
      if (ok && (w.n < 1 || w.n > 3))
         return fail(s, "one to three sizes");
      b->inst.ctl |= w.n;
      break;
   case IL_DATA_STRING:
   case IL_DATA_BLOB:
      ok = parse_list(s, &w, 0, any);
      if (ok && (!w.n || (w.v[0] & 0xffff) != w.n - 1))
         return fail(s, "the first value must be the number of values behind it");
      break;
   case IL_DATA_TABLE:
      ok = push(s, &w, 0) && parse_braces(s, &w, &count);
      if (ok)
         w.v[0] = count;
      break;
   case IL_DATA_INTERFACE:
      for (unsigned i = 0; ok && i < 2; i++)
         ok = expect(s, '[') && parse_uint(s, &v) && expect(s, ']') && push(s, &w, v);
      ok = ok && push(s, &w, 0) && parse_braces(s, &w, &count);
      if (ok)
         w.v[2] = count;
      break;
   case IL_DATA_DCL_CB:
      if (!(b->inst.ctl & 0x8000))
         return true;
      s->at += 3;
      ok = expect(s, '[') && parse_uint(s, &count) && expect(s, ']') && push(s, &w, count) &&
           parse_list(s, &w, 0, true);
      if (ok && w.n - 1 != count)
         return fail(s, "icb[n] must be followed by n values");
      break;
   }
   b->inst.data = w.v;
   b->inst.ndata = w.n;
   return ok;
}

/* ---------------------------------------------------------------------------- instructions -- */

static const struct {
   const char *text;
   uint16_t op;
} op_aliases[] = {
   { "and", IL_OP_AND },
   { "emitcut", IL_OP_EMIT_THEN_CUT },
   { "nt", IL_OP_NE },
   { "round_posinf", IL_OP_ROUND_PLUS_INF },
   { "d_add", IL_OP_D_ADD },
   { "dcl_num_instance", IL_OP_DCL_NUM_INSTANCES },
   { "buifinfo", IL_OP_BUFINFO },
   { "dmove", IL_OP_D_MOVC },
};

static const struct il_op_info *
parse_mnemonic(struct parser *s)
{
   const struct il_op_info *best = NULL;
   size_t len = 0, n;
   for (unsigned i = 0; il_op_row(i); i++) {
      const struct il_op_info *row = il_op_row(i);
      if ((row->name[0] | 32) == (peek(s) | 32) && (n = matches(s, row->name)) > len) {
         best = row;
         len = n;
      }
   }
   for (size_t i = 0; i < sizeof(op_aliases) / sizeof(op_aliases[0]); i++)
      if ((n = matches(s, op_aliases[i].text)) > len) {
         best = il_op_info(op_aliases[i].op);
         len = n;
      }
   s->at += len;
   return best;
}

static bool
parse_global_flags(struct parser *s, struct building *b)
{
#define X(m, v, t) { t, v },
   static const struct il_name names[] = { IL_GLOBAL_FLAG_LIST(X){ NULL, 0 } };
#undef X
   uint32_t v;
   skip_blank(s);
   if (peek(s) < 0 || peek(s) == '\n')
      return true;
   do {
      if (!parse_member(s, names, &v))
         return false;
      if (v < 4)
         b->inst.ctl |= 1 << v;
      skip_blank(s);
   } while (accept(s, '|'));
   return true;
}

static bool
parse_call_operands(struct parser *s, struct building *b)
{
   struct il_dst dst[16];
   struct il_src src[16];
   unsigned n = 0;
   if (!expect(s, '('))
      return false;
   for (skip_blank(s); !accept(s, ')'); skip_blank(s), n++) {
      if (n == 16 || (n && !expect(s, ',')) || !parse_dst(s, &dst[n]))
         return fail(s, "expected at most 16 destinations");
   }
   b->inst.ndst = n;
   if (n && !(b->inst.dst = il_alloc(s->p, n * sizeof(*dst))))
      return false;
   if (n)
      memcpy(b->inst.dst, dst, n * sizeof(*dst));
   n = 0;
   if (!expect(s, ',') || !expect(s, '('))
      return false;
   for (skip_blank(s); !accept(s, ')'); skip_blank(s), n++) {
      if (n == 16 || (n && !expect(s, ',')) || !parse_src(s, &src[n], false))
         return fail(s, "expected at most 16 sources");
   }
   b->inst.nsrc = n;
   if (n && !(b->inst.src = il_alloc(s->p, n * sizeof(*src))))
      return false;
   if (n)
      memcpy(b->inst.src, src, n * sizeof(*src));
   return true;
}

static bool
parse_operands(struct parser *s, struct building *b)
{
   bool any = false;
   for (const struct il_field *f = b->fields; f->name; f++)
      if (f->form == IL_FIELD_OPERAND) {
         uint32_t v;
         skip_blank(s);
         size_t n = strlen(f->name);
         if ((size_t)(s->end - s->at) >= n && !strncasecmp(s->at, f->name, n))
            s->at += n;
         if (!parse_member(s, f->names, &v) || (uint64_t)v >> f->width)
            return fail(s, "the value does not fit its field");
         set_field(b, f, v);
         any = true;
      }
   if (b->info->ctl == IL_CTL_GLOBAL_FLAGS)
      return parse_global_flags(s, b);
   if (b->info->data == IL_DATA_MACROCALL)
      return parse_call_operands(s, b);
   if (b->info->data == IL_DATA_DCL_CB) {
      skip_blank(s);
      if (s->end - s->at >= 4 && !strncasecmp(s->at, "icb", 3))
         b->inst.ctl |= 0x8000;
   }
   b->inst.ndst = b->info->dsts;
   b->inst.nsrc = il_inst_num_srcs(b->info, &b->inst);
   if (b->inst.ndst && !(b->inst.dst = il_alloc(s->p, b->inst.ndst * sizeof(struct il_dst))))
      return false;
   if (b->inst.nsrc && !(b->inst.src = il_alloc(s->p, b->inst.nsrc * sizeof(struct il_src))))
      return false;
   for (unsigned i = 0; i < b->inst.ndst; i++, any = true)
      if ((any && !expect(s, ',')) || !parse_dst(s, &b->inst.dst[i]))
         return false;
   for (unsigned i = 0; i < b->inst.nsrc; i++, any = true)
      if ((any && !expect(s, ',')) || !parse_src(s, &b->inst.src[i], false))
         return false;
   if (!b->inst.ndst && (b->sat || b->shift))
      return fail(s, "_sat and scales need a destination");
   if (b->sat || b->shift) {
      b->inst.dst[0].has_mod = true;
      b->inst.dst[0].clamp = b->sat;
      b->inst.dst[0].shift = b->shift;
   }
   skip_blank(s);
   return parse_data(s, b, any);
}

static bool
parse_inst(struct parser *s)
{
   struct building b = { 0 };
   const char *from = s->at;
   b.inst.offset = s->line;
   b.info = parse_mnemonic(s);
   if (!b.info)
      return fail(s, "unknown instruction");
   if (!b.info->shape_known || b.info->value == IL_OP_PREFIX) {
      s->at = from;
      return fail(s, "the operands of this instruction are not documented");
   }
   b.inst.op = b.info->value;
   b.fields = il_fields(b.info->ctl, b.inst.op);
   if (b.inst.op == IL_OP_DCLV || b.inst.op == IL_OP_INITV)
      s->sm30_inputs = true;
   while (peek(s) == '_' || peek(s) == '(') {
      if (accept(s, '_')) {
         if (!parse_suffix(s, &b))
            return false;
         continue;
      }
      const struct il_field *f = b.fields;
      while (f->name && f->form != IL_FIELD_PAREN)
         f++;
      if (!f->name)
         return fail(s, "unexpected '('");
      if (!parse_field(s, &b, f))
         return false;
   }
   if (word_char(peek(s)))
      return fail(s, "unknown instruction");
   if (!parse_operands(s, &b))
      return false;
   struct il_inst *inst = il_emit(s->p, b.inst.op, 0, NULL, 0, NULL);
   if (!inst)
      return fail(s, "out of memory");
   *inst = b.inst;
   return true;
}

static bool
parse_header(struct parser *s)
{
   static const char *const stages[] = { "il_vs", "il_ps", "il_gs", "il_cs", "il_hs", "il_ds" };
   uint32_t v;
   for (unsigned i = 0; i < 6; i++) {
      size_t n = matches(s, stages[i]);
      if (!n)
         continue;
      s->at += n;
      s->p->shader = i;
      if (s->end - s->at > 1 && s->at[0] == '_' && isdigit((unsigned char)s->at[1])) {
         s->at++;
         if (!parse_uint(s, &v) || v > 255)
            return fail(s, "a version is 0 to 255");
         s->p->major = v;
         s->p->minor = 0;
         if (s->end - s->at > 1 && s->at[0] == '_' && isdigit((unsigned char)s->at[1])) {
            s->at++;
            if (!parse_uint(s, &v) || v > 255)
               return fail(s, "a version is 0 to 255");
            s->p->minor = v;
         }
      }
      while (accept(s, '_')) {
         if (matches(s, "mp"))
            s->p->multipass = true;
         else if (matches(s, "rt"))
            s->p->realtime = true;
         else
            return fail(s, "unknown suffix of the header");
         s->at += 2;
      }
      s->p->first_main = s->p->ninsts;
      return true;
   }
   return fail(s, "expected il_vs, il_ps, il_gs, il_cs, il_hs or il_ds");
}

static bool
parse_program(struct parser *s)
{
   bool header = false;
   for (skip_lines(s); s->at < s->end; skip_lines(s)) {
      if (!header && s->end - s->at >= 3 && !strncasecmp(s->at, "il_", 3)) {
         header = true;
         if (!parse_header(s))
            return false;
      } else {
         bool macro = s->p->ninsts && s->p->insts[s->p->ninsts - 1].op != IL_OP_MACROEND;
         if (!header && !macro && !matches(s, "mdef"))
            return fail(s, "a program starts with its header (3)");
         if (header && s->p->ninsts && s->p->insts[s->p->ninsts - 1].op == IL_OP_END)
            return fail(s, "text behind end (4.1)");
         if (!parse_inst(s))
            return false;
      }
      skip_blank(s);
      if (s->at < s->end && *s->at != '\n')
         return fail(s, "unexpected text behind the instruction");
   }
   if (!header)
      return fail(s, "there is no program");
   if (!s->p->ninsts || s->p->insts[s->p->ninsts - 1].op != IL_OP_END)
      return fail(s, "the program has no end (4.1)");
   return true;
}

struct il_program *
il_parse(const char *text, size_t len, struct il_error *err)
{
   struct parser s = { .at = text, .end = text + len, .line_start = text, .line = 1, .err = err };
   s.p = il_program_new(IL_SHADER_VERTEX);
   s.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
   bool ok = s.p && s.c_locale;
   if (!ok)
      il_fail(err, 0, 0, "out of memory");
   ok = ok && parse_program(&s);
   if (ok && s.p->oom)
      ok = il_fail(err, s.line, 0, "out of memory");
   if (s.c_locale)
      freelocale(s.c_locale);
   if (ok)
      return s.p;
   il_program_free(s.p);
   return NULL;
}
