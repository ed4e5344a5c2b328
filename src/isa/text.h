/* SPDX-License-Identifier: MIT */
/*
 * A growing string for the texts of instruction sets, and the number formats that they use.
 * Written by hand because a listing is read by people and by tests over millions of instructions:
 * stdio is ten times slower.
 */
#ifndef ISA_TEXT_H
#define ISA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct isa_text {
   char *data; /* not terminated */
   size_t size, capacity;
   bool failed; /* memory ran out: data is incomplete */
};

/* Room for `count` more bytes; false if memory is out. */
static inline bool
text_reserve(struct isa_text *t, size_t count)
{
   if (t->capacity - t->size >= count)
      return true;
   size_t capacity = t->capacity ? 2 * t->capacity : 4096;
   while (capacity - t->size < count)
      capacity *= 2;
   char *data = t->failed ? NULL : realloc(t->data, capacity);
   if (!data) {
      t->failed = true;
      return false;
   }
   t->data = data;
   t->capacity = capacity;
   return true;
}

static inline void
text_add(struct isa_text *t, const char *s, size_t length)
{
   if (length && text_reserve(t, length)) {
      memcpy(t->data + t->size, s, length);
      t->size += length;
   }
}

static inline void
text_str(struct isa_text *t, const char *s)
{
   text_add(t, s, strlen(s));
}

static inline void
text_char(struct isa_text *t, char c)
{
   if (text_reserve(t, 1))
      t->data[t->size++] = c;
}

/* Blanks up to `column` bytes after `start`. */
static inline void
text_pad(struct isa_text *t, size_t start, size_t column)
{
   while (!t->failed && t->size - start < column)
      text_char(t, ' ');
}

/* Decimal, right-aligned in `width` with `fill`. */
static inline void
text_uint(struct isa_text *t, uint32_t value, unsigned width, char fill)
{
   char digits[16];
   unsigned n = sizeof(digits);
   do {
      digits[--n] = (char)('0' + value % 10);
      value /= 10;
   } while (value);
   while (sizeof(digits) - n < width && n > 0)
      digits[--n] = fill;
   text_add(t, digits + n, sizeof(digits) - n);
}

/* 0x, upper case, at least `width` digits. */
static inline void
text_hex(struct isa_text *t, uint32_t value, unsigned width)
{
   char digits[8];
   unsigned n = sizeof(digits);
   do {
      digits[--n] = "0123456789ABCDEF"[value & 15];
      value >>= 4;
   } while (value);
   while (sizeof(digits) - n < width && n > 0)
      digits[--n] = '0';
   text_add(t, "0x", 2);
   text_add(t, digits + n, sizeof(digits) - n);
}

/* NAME(value) with a blank in front. */
static inline void
text_property(struct isa_text *t, const char *name, uint32_t value)
{
   text_char(t, ' ');
   text_str(t, name);
   text_char(t, '(');
   text_uint(t, value, 0, ' ');
   text_char(t, ')');
}

#endif /* ISA_TEXT_H */
