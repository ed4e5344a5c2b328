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
   if (!*format) {
      return !*message;
   }
   if (*format == '%') {
      const char *rest = format + 1 + strspn(format + 1, "0123456789z") + 1;
      for (const char *m = message;; m++) {
         if (rule_matches(rest, m)) {
            return true;
         }
         if (!*m) {
            return false;
         }
      }
   }
   return *format == *message && rule_matches(format + 1, message + 1);
}

/* Rules behind `call` in the source at `path`, and how many of them have no message in `messages`
 * (a place may stand in front, up to ": "); those are printed. */
static inline unsigned
rules_without_case(const char *path, const char *call, const char *const *messages, size_t count,
                   unsigned *missing)
{
   enum { MAX_SOURCE = 1 << 18 };
   FILE *f = fopen(path, "rb");
   char *source = calloc(1, MAX_SOURCE);
   unsigned rules = 0;

   *missing = 0;
   if (!f || !source || fread(source, 1, MAX_SOURCE - 1, f) == 0) {
      abort();
   }
   fclose(f);
   for (char *at = source; (at = strstr(at, call)) != NULL; at += strlen(call)) {
      char *quote = strchr(at, '"'), *stop = strchr(at, ';');
      if (!quote || !stop || quote > stop || !strncmp(quote, "\"%s\"", 4)) {
         continue;
      }
      char format[200];
      size_t n = strcspn(quote + 1, "\"");
      if (n >= sizeof(format)) {
         abort();
      }
      memcpy(format, quote + 1, n);
      format[n] = 0;
      bool found = false;
      for (size_t i = 0; i < count && !found; i++) {
         const char *colon = strstr(messages[i], ": ");
         found = rule_matches(format, messages[i]) || (colon && rule_matches(format, colon + 2));
      }
      rules++;
      if (!found) {
         printf("no program breaks the rule \"%s\"\n", format);
         ++*missing;
      }
   }
   free(source);
   return rules;
}

#endif /* TESTS_RULE_CASES_H */
