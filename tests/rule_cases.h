/* SPDX-License-Identifier: MIT */
/*
 * Reads a validator's source for the messages of its rules, and looks for those that no case of a
 * test expects.
 */
#ifndef TESTS_RULE_CASES_H
#define TESTS_RULE_CASES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does a message match a format, its conversions standing for anything? */
static inline bool
rule_matches(const char *format, const char *message)
{
   if (!*format)
      return !*message;
   if (*format == '%') {
      const char *rest = format + 1 + strspn(format + 1, "0123456789.*lz") + 1;
      for (const char *m = message;; m++) {
         if (rule_matches(rest, m))
            return true;
         if (!*m)
            return false;
      }
   }
   return *format == *message && rule_matches(format + 1, message + 1);
}

enum { RULE_MAX = 400 };

/* The next string of a statement, its parts joined, into `format`; where it ends, or NULL. */
static inline const char *
rule_string(const char *at, const char *stop, char format[RULE_MAX])
{
   size_t n = 0;

   at = at < stop ? memchr(at, '"', (size_t)(stop - at)) : NULL;
   if (!at)
      return NULL;
   while (*at == '"') {
      size_t length = strcspn(at + 1, "\"");
      if (n + length >= RULE_MAX)
         abort();
      memcpy(format + n, at + 1, length);
      n += length;
      at += length + 2;
      size_t blank = strspn(at, " \n");
      at += at[blank] == '"' ? blank : 0;
   }
   format[n] = 0;
   return at;
}

/* A position may stand in front of a message, up to ": ". */
static inline bool
rule_has_case(const char *format, const char *const *messages, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      const char *colon = strstr(messages[i], ": ");
      if (rule_matches(format, messages[i]) || (colon && rule_matches(format, colon + 2)))
         return true;
   }
   return false;
}

/* A copy of `text` with every `from` made `to`; malloc()ed. */
static inline char *
rule_neighbour(const char *text, const char *from, const char *to)
{
   size_t n = strlen(from), longest = strlen(text) * (strlen(to) + 1) + 1;
   char *copy = calloc(1, longest), *out = copy;

   if (!copy || !strstr(text, from))
      abort();
   while (*text) {
      if (strncmp(text, from, n) == 0) {
         out = stpcpy(out, to);
         text += n;
      } else {
         *out++ = *text++;
      }
   }
   return copy;
}

/* Rules after `call` in the source at `path`, and how many of them have no message in `messages`;
 * those are printed.  A statement may hold several: every string with a blank in it is one. */
static inline unsigned
rules_without_case(const char *path, const char *call, const char *const *messages, size_t count,
                   unsigned *missing)
{
   enum { MAX_SOURCE = 1 << 18 };
   FILE *f = fopen(path, "rb");
   char *source = calloc(1, MAX_SOURCE);
   unsigned rules = 0;

   *missing = 0;
   if (!f || !source || fread(source, 1, MAX_SOURCE - 1, f) == 0)
      abort();
   fclose(f);
   for (const char *at = source; (at = strstr(at, call)) != NULL; at += strlen(call)) {
      const char *stop = strchr(at, ';'), *next = at;
      char format[RULE_MAX];
      while (stop && (next = rule_string(next, stop, format)) != NULL) {
         if (!strchr(format, ' '))
            continue;
         rules++;
         if (!rule_has_case(format, messages, count)) {
            printf("no program breaks the rule \"%s\"\n", format);
            ++*missing;
         }
      }
   }
   free(source);
   return rules;
}

#endif /* TESTS_RULE_CASES_H */
