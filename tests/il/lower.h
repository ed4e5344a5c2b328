/* SPDX-License-Identifier: MIT */
/* Cases of the legaliser: IL before, IL after. */
#ifndef TESTS_IL_LOWER_H
#define TESTS_IL_LOWER_H

#include "common.h"

#include "il/lower/lower.h"

/* A target without any of the groups, and one with all. */
static const struct il_target_caps has_nothing = { 0 };
static const struct il_target_caps has_all = { UINT32_MAX };

static inline struct il_program *
parse_program(const char *text)
{
   struct il_error err;
   struct il_program *p = il_parse(text, strlen(text), &err);

   if (!p)
      fail_msg("%u:%u: %s in\n%s", err.where, err.column, err.text, text);
   return p;
}

/* What a program becomes, in canonical text; malloc()ed. */
static inline char *
lowered_text(const char *text, const struct il_target_caps *caps)
{
   struct il_program *p = parse_program(text), *lowered;
   struct il_error err;

   if (!il_lower(p, caps, &lowered, &err))
      fail_msg("%s in\n%s", err.text, text);
   if (!il_is_core(lowered ? lowered : p, caps, &err))
      fail_msg("behind the legaliser: %s in\n%s", err.text, text);
   char *result = il_print(lowered ? lowered : p);
   assert_non_null(result);
   il_program_free(lowered);
   il_program_free(p);
   return result;
}

static inline void
compare_text(const char *before, const char *after, const struct il_target_caps *caps)
{
   struct il_program *want = parse_program(after);
   char *is = lowered_text(before, caps), *should = il_print(want);

   if (strcmp(is, should) != 0)
      fail_msg("\n%s\nbecame\n%s\nnot\n%s", before, is, should);
   free(is);
   free(should);
   il_program_free(want);
}

/* Bodies of a pixel shader: registers end with r9 and literals with l9. */
#define HEAD "il_ps_2_0\ndcl_literal l9, 0, 0, 0, 0\nmov r9, l9\n"
/* The same with what the legaliser declares in front. */
#define CASE_OF(caps, before, constants, after) \
   compare_text(                                \
      HEAD before "\nend\n",                    \
      "il_ps_2_0\n" constants "\ndcl_literal l9, 0, 0, 0, 0\nmov r9, l9\n" after "\nend\n", caps)
#define CASE(before, constants, after) CASE_OF(&has_nothing, before, constants, after)
/* Left as it is. */
#define NEGCASE(text) compare_text(HEAD text "\nend\n", HEAD text "\nend\n", &has_all)

/* Refused, with these words. */
static inline void
refused(const char *text, const char *words)
{
   struct il_program *p = parse_program(text), *lowered = NULL;
   struct il_error err = { 0 };

   if (il_lower(p, &has_nothing, &lowered, &err) &&
       il_is_core(lowered ? lowered : p, &has_nothing, &err))
      fail_msg("not refused:\n%s", text);
   if (!strstr(err.text, words))
      fail_msg("\"%s\", not \"%s\":\n%s", err.text, words, text);
   il_program_free(lowered);
   il_program_free(p);
}

#endif
