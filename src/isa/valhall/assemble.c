/* SPDX-License-Identifier: MIT */
/*
 * Programs as text: an instruction, a `.word` or nothing on a line, remarks behind `;` and on lines
 * that begin with `#`.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WORDS (1u << 24)

static bool
parse_word(const char *text, size_t length, size_t at, uint64_t *word, struct valhall_error *error)
{
   unsigned digits = 0;
   *word = 0;
   while (at < length && (text[at] == ' ' || text[at] == '\t')) {
      at++;
   }
   if (at + 2 > length || text[at] != '0' || (text[at + 1] | 32) != 'x') {
      return valhall_fail(error, 1, (unsigned)at + 1, "expected 0x and up to 16 digits");
   }
   for (at += 2; at < length; at++, digits++) {
      char c = text[at], lower = (char)(c | 32);
      if ((c < '0' || c > '9') && (lower < 'a' || lower > 'f')) {
         break;
      }
      if (*word >> 60) {
         return valhall_fail(error, 1, (unsigned)at + 1, "a word has 64 bits");
      }
      *word = *word << 4 | (uint64_t)(c <= '9' ? c - '0' : lower - 'a' + 10);
   }
   while (at < length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')) {
      at++;
   }
   if (!digits || at < length) {
      return valhall_fail(error, 1, (unsigned)at + 1, "expected 0x and up to 16 digits");
   }
   return true;
}

uint64_t *
valhall_assemble(const char *text, size_t length, size_t *count, struct valhall_error *error)
{
   size_t capacity = 64, at = 0;
   uint64_t *words = malloc(capacity * sizeof(*words));
   unsigned line = 0;

   *count = 0;
   while (words && at < length) {
      const char *begin = text + at;
      const char *newline = memchr(begin, '\n', length - at);
      size_t n = newline ? (size_t)(newline - begin) : length - at;
      at += n + 1;
      line++;

      const char *remark = memchr(begin, ';', n);
      n = remark ? (size_t)(remark - begin) : n;
      size_t blank = 0;
      while (blank < n && (begin[blank] == ' ' || begin[blank] == '\t' || begin[blank] == '\r')) {
         blank++;
      }
      if (blank == n || begin[blank] == '#') {
         continue;
      }
      struct valhall_instr instr;
      uint64_t word;
      bool ok;
      if (n - blank >= 5 && !memcmp(begin + blank, ".word", 5)) {
         ok = parse_word(begin, n, blank + 5, &word, error);
      } else {
         ok = valhall_parse(begin, n, &instr, error);
         word = ok ? valhall_encode(&instr) : 0;
      }
      if (!ok || *count == MAX_WORDS) {
         if (ok) {
            valhall_fail(error, line, 0, "the program is longer than %u instructions", MAX_WORDS);
         } else if (error) {
            error->line = line;
         }
         free(words);
         return NULL;
      }
      if (*count == capacity) {
         capacity *= 2;
         uint64_t *more = realloc(words, capacity * sizeof(*words));
         if (!more) {
            free(words);
            words = NULL;
            break;
         }
         words = more;
      }
      words[(*count)++] = word;
   }
   if (!words) {
      valhall_fail(error, 0, 0, "no memory");
   }
   return words;
}
