/* SPDX-License-Identifier: MIT */
/* What the files of the text reader share: its position in the text, and its words. */
#ifndef IL_PARSE_H
#define IL_PARSE_H

#include "fields.h"

#include <locale.h>

struct parser {
   const char *at, *end, *line_start;
   uint32_t line;
   struct il_program *p;
   struct il_error *err;
   bool sm30_inputs; /* dclv or initv was seen: v# is VERTEX */
   locale_t c_locale;
};

/* Each moves on past what it has taken; those that answer false have reported the error, but for
 * il_text_accept(). */
bool il_text_fail(struct parser *s, const char *what);
int il_text_peek(const struct parser *s);
bool il_text_accept(struct parser *s, char c);
void il_text_skip_blank(struct parser *s);
void il_text_skip_lines(struct parser *s);
bool il_text_word_char(int c);
size_t il_text_matches(const struct parser *s, const char *text);
bool il_text_expect(struct parser *s, char c);
bool il_text_uint(struct parser *s, uint32_t *v);
bool il_text_literal(struct parser *s, uint32_t *v);
bool il_text_member(struct parser *s, const struct il_name *names, uint32_t *v);
int il_text_component(int c);
bool il_text_src(struct parser *s, struct il_src *src, bool is_index);
bool il_text_dst(struct parser *s, struct il_dst *d);

#endif
