/* SPDX-License-Identifier: MIT */
/* The parser's table of names, and its scanner: numbers, registers and selects. */
#include "parse.h"

/* ------------------------------------------------------------------------------------------------
 * Names
 */

static unsigned
hash(enum name_class class, const char *text, size_t length)
{
   uint32_t h = 2166136261u ^ class;
   for (size_t i = 0; i < length; i++)
      h = (h ^ (uint8_t)text[i]) * 16777619u;
   return (h ^ h >> 15) % NAME_TABLE;
}

void
cayman_parse_add_name(struct parser *ps, enum name_class class, const char *text, unsigned value)
{
   size_t length = strlen(text);
   unsigned i = hash(class, text, length);

   while (ps->names[i].text)
      i = (i + 1) % NAME_TABLE;
   ps->names[i] = (struct name){ text, (uint8_t)length, (uint8_t) class, (uint16_t)value };
}

int
cayman_parse_name(const struct parser *ps, enum name_class class, const char *text, size_t length)
{
   for (unsigned i = hash(class, text, length); ps->names[i].text; i = (i + 1) % NAME_TABLE) {
      const struct name *n = &ps->names[i];
      if (n->class == class && n->length == length && memcmp(n->text, text, length) == 0)
         return n->value;
   }
   return -1;
}

/* ------------------------------------------------------------------------------------------------
 * Scanner
 */

bool
cayman_expect_char(struct parser *ps, char c)
{
   if (accept_char(ps, c))
      return true;
   return cayman_parse_fail(ps, ps->p, "expected '%c'", c);
}

bool
cayman_accept_text(struct parser *ps, const char *s)
{
   size_t n = strlen(s);
   if ((size_t)(ps->end - ps->p) < n || memcmp(ps->p, s, n) != 0)
      return false;
   ps->p += n;
   return true;
}

static int
digit_value(char c)
{
   if (is_digit(c))
      return c - '0';
   if (c >= 'a' && c <= 'f')
      return c - 'a' + 10;
   return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

bool
cayman_scan_uint(struct parser *ps, uint32_t max, uint32_t *value)
{
   const char *start = ps->p;
   uint64_t v = 0;
   int base = 10;

   if (peek(ps, 0) == '0' && (peek(ps, 1) == 'x' || peek(ps, 1) == 'X')) {
      base = 16;
      ps->p += 2;
   }
   const char *digits = ps->p;
   while (ps->p < ps->end && digit_value(*ps->p) < base) {
      v = v * base + digit_value(*ps->p++);
      if (v > UINT32_MAX)
         return cayman_parse_fail(ps, start, "number does not fit 32 bits");
   }
   if (ps->p == digits)
      return cayman_parse_fail(ps, start, "expected a number");
   if (v > max) {
      return cayman_parse_fail(ps, start, "%u is more than the field holds, which is %u",
                               (uint32_t)v, max);
   }
   *value = (uint32_t)v;
   return true;
}

bool
cayman_scan_bracketed(struct parser *ps, uint32_t max, uint32_t *value)
{
   if (!cayman_expect_char(ps, '('))
      return false;
   skip_blanks(ps);
   return cayman_scan_uint(ps, max, value) && cayman_expect_char(ps, ')');
}

bool
cayman_scan_channel(struct parser *ps, uint8_t *chan)
{
   static const char names[] = "xyzw";
   const char *found;

   if (peek(ps, 0) != '.' || !peek(ps, 1) || !(found = strchr(names, peek(ps, 1))))
      return cayman_parse_fail(ps, ps->p, "expected a channel: .x, .y, .z or .w");
   *chan = (uint8_t)(found - names);
   ps->p += 2;
   return true;
}

bool
cayman_scan_selects(struct parser *ps, uint8_t sel[4], unsigned *count)
{
   static const char names[] = "xyzw01?_";
   const char *start = ps->p, *found;

   *count = 0;
   if (peek(ps, 0) != '.')
      return true;
   ps->p++;
   while (peek(ps, 0) && (found = strchr(names, peek(ps, 0)))) {
      if (*count == 4)
         return cayman_parse_fail(ps, ps->p, "more than four selects");
      sel[(*count)++] = (uint8_t)(found - names);
      ps->p++;
   }
   if (*count == 0)
      return cayman_parse_fail(ps, start, "expected selects of x, y, z, w, 0, 1 or _");
   return true;
}

bool
cayman_scan_gpr(struct parser *ps, struct cayman_item *item, uint8_t *gpr, bool *rel,
                uint8_t *index_mode)
{
   char kind = peek(ps, 0);
   uint32_t n;

   if ((kind != 'R' && kind != 'T') || !is_digit(peek(ps, 1)))
      return cayman_parse_fail(ps, ps->p, "expected a register, R0 to R127 or T0 to T3");
   ps->p++;
   if (!cayman_scan_uint(ps, kind == 'R' ? 127 : 127, &n))
      return false;
   *gpr = (uint8_t)(kind == 'R' ? n : 127 - n);
   *rel = false;
   if (peek(ps, 0) != '[')
      return true;
   return cayman_scan_index(ps, item, rel, index_mode);
}

bool
cayman_scan_index(struct parser *ps, struct cayman_item *item, bool *rel, uint8_t *index_mode)
{
   ps->p++;
   for (unsigned mode = 0; mode < 12; mode++) {
      const char *at = ps->p;
      if (cayman_accept_text(ps, cayman_index_name[mode])) {
         if (peek(ps, 0) != ']') {
            ps->p = at; /* Ga and Ga0.x */
            continue;
         }
         ps->p++;
         *rel = true;
         if (mode >= 9)
            cayman_parse_refuse(ps, item, at, "Cayman indexes with A0.x alone");
         *index_mode = (uint8_t)mode;
         return true;
      }
   }
   return cayman_parse_fail(ps, ps->p, "expected an index: A0.x, AL, Ga or Ga0.x");
}
