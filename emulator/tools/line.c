/* SPDX-License-Identifier: MIT */
/* See line.h. */
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ATOLL_LIBEDIT
#include <histedit.h>
#include <stdint.h>

#define HISTORY_LINES 1000

struct line {
   EditLine *edit;
   History *history;
   const char *prompt;
   const char *(*word)(void *data, const struct line_context *c, unsigned n);
   void *data;
};

static struct line *
line_of(EditLine *edit)
{
   struct line *l = NULL;

   el_get(edit, EL_CLIENTDATA, &l);
   return l;
}

static char *
prompt_of(EditLine *edit)
{
   return (char *)(uintptr_t)line_of(edit)->prompt;
}

/* The words before the one that ends at the cursor, and where that begins. */
static const char *
split(const LineInfo *info, struct line_context *c)
{
   const char *at = info->buffer;

   c->count = 0;
   for (;;) {
      const char *begin;

      while (at < info->cursor && *at == ' ')
         at++;
      begin = at;
      while (at < info->cursor && *at != ' ')
         at++;
      if (at == info->cursor)
         return begin;
      if (c->count < sizeof(c->words) / sizeof(*c->words))
         snprintf(c->words[c->count], sizeof(*c->words), "%.*s", (int)(at - begin), begin);
      c->count++;
   }
}

/* Adds what all words have in common that may stand there, or lists them. */
static unsigned char
complete(EditLine *edit, int key)
{
   const struct line *l = line_of(edit);
   const LineInfo *info = el_line(edit);
   struct line_context c;
   const char *begin = split(info, &c), *word;
   const size_t have = (size_t)(info->cursor - begin);
   char common[64] = "", rest[66];
   unsigned found = 0;

   (void)key;
   for (unsigned n = 0; (word = l->word(l->data, &c, n)); n++) {
      size_t same = 0;

      if (strncmp(word, begin, have) != 0)
         continue;
      if (!found++) {
         snprintf(common, sizeof(common), "%s", word);
         continue;
      }
      while (common[same] && common[same] == word[same])
         same++;
      common[same] = 0;
   }
   if (!found || strlen(common) < have)
      return CC_REFRESH_BEEP;
   snprintf(rest, sizeof(rest), "%s%s", common + have, found == 1 ? " " : "");
   if (*rest)
      return el_insertstr(edit, rest) ? CC_REFRESH_BEEP : CC_REFRESH;
   putchar('\n');
   for (unsigned n = 0; (word = l->word(l->data, &c, n)); n++)
      if (!strncmp(word, begin, have))
         printf("%s  ", word);
   putchar('\n');
   fflush(stdout);
   return CC_REDISPLAY;
}

struct line *
line_open(const char *prompt,
          const char *(*word)(void *data, const struct line_context *c, unsigned n), void *data)
{
   struct line *l = calloc(1, sizeof(*l));
   HistEvent event;

   if (!l)
      return NULL;
   *l = (struct line){ .prompt = prompt, .word = word, .data = data };
   l->edit = el_init("atoll", stdin, stdout, stderr);
   l->history = history_init();
   if (!l->edit || !l->history) {
      line_close(l);
      return NULL;
   }
   history(l->history, &event, H_SETSIZE, HISTORY_LINES);
   history(l->history, &event, H_SETUNIQUE, 1);
   el_set(l->edit, EL_CLIENTDATA, l);
   el_set(l->edit, EL_PROMPT, prompt_of);
   el_set(l->edit, EL_EDITOR, "emacs");
   el_set(l->edit, EL_HIST, history, l->history);
   el_set(l->edit, EL_SIGNAL, 1);
   el_set(l->edit, EL_ADDFN, "atoll-complete", "Complete a word", complete);
   el_set(l->edit, EL_BIND, "^I", "atoll-complete", NULL);
   return l;
}

bool
line_read(struct line *l, char *text, size_t size)
{
   HistEvent event;
   int count = 0;
   const char *line = el_gets(l->edit, &count);

   if (!line || count <= 0)
      return false;
   snprintf(text, size, "%s", line);
   if (count > 1)
      history(l->history, &event, H_ENTER, line);
   return true;
}

void
line_close(struct line *l)
{
   if (!l)
      return;
   if (l->edit)
      el_end(l->edit);
   if (l->history)
      history_end(l->history);
   free(l);
}

#else

struct line *
line_open(const char *prompt,
          const char *(*word)(void *data, const struct line_context *c, unsigned n), void *data)
{
   (void)prompt;
   (void)word;
   (void)data;
   return NULL;
}

bool
line_read(struct line *l, char *text, size_t size)
{
   (void)l;
   (void)text;
   (void)size;
   return false;
}

void
line_close(struct line *l)
{
   (void)l;
}

#endif
