/* SPDX-License-Identifier: MIT */
/* The observer, and what the sanitizer is asked for; see sanitize.h. */
#include "sanitize/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct kind {
   const char *name;
   bool enabled;
} kinds[SANITIZE_KINDS] = {
#define KIND(id, name, enabled, ...) { #name, enabled },
#include "sanitize/kinds.def"
};

/* ------------------------------------------------------------------------------------------------
 * Settings
 */

static uint32_t
kinds_of(const char *word, size_t length)
{
   const uint32_t all = (1u << SANITIZE_KINDS) - 1;
   uint32_t some = 0;

   for (unsigned n = 0; n < SANITIZE_KINDS; n++) {
      if (strlen(kinds[n].name) == length && !strncmp(kinds[n].name, word, length))
         return 1u << n;
      some |= (uint32_t)kinds[n].enabled << n;
   }
   if (length == 3 && !strncmp(word, "all", 3))
      return all;
   if ((length == 7 && !strncmp(word, "default", 7)) || (length == 1 && *word == '1'))
      return some;
   return 0;
}

uint32_t
sanitize_kinds(const char *setting, char wrong[32])
{
   uint32_t out = 0;
   bool first = true;

   if (wrong)
      *wrong = 0;
   if (!setting || !strcmp(setting, "0"))
      return 0;
   while (*setting) {
      const size_t length = strcspn(setting, ",");
      const bool less = *setting == '-';
      const uint32_t named = kinds_of(setting + less, length - less);

      if (less && first)
         out = kinds_of("default", 7);
      out = less ? out & ~named : out | named;
      if (!named && length && wrong && !*wrong)
         snprintf(wrong, 32, "%.*s", (int)(length < 31 ? length : 31), setting);
      first = first && !length;
      setting += length + (setting[length] == ',');
   }
   return out;
}

/* The setting, with the process's number for %p; NULL: it is not set. */
static const char *
file_of(const char *name, char *room, size_t size)
{
   const char *value = getenv(name), *at = value ? strstr(value, "%p") : NULL;

   if (!value || !*value)
      return NULL;
   if (!at)
      return value;
   snprintf(room, size, "%.*s%d%s", (int)(at - value), value, (int)getpid(), at + 2);
   return room;
}

struct sanitizer *
sanitizer_from_environment(bool (*pixel)(const struct core_wave *wave, unsigned lane,
                                         int32_t at[2]))
{
   char wrong[32], json[4096], sarif[4096];
   const struct sanitizer_options options = {
      .kinds = sanitize_kinds(getenv("ATOLL_SANITIZE_SHADERS"), wrong),
      .json = file_of("ATOLL_SANITIZE_JSON", json, sizeof(json)),
      .sarif = file_of("ATOLL_SANITIZE_SARIF", sarif, sizeof(sarif)),
      .suppressions = file_of("ATOLL_SANITIZE_SUPPRESSIONS", NULL, 0),
      .pixel = pixel,
   };

   if (*wrong)
      fprintf(stderr, "atoll: ATOLL_SANITIZE_SHADERS: the sanitizer has no kind '%s'\n", wrong);
   return options.kinds ? sanitizer_create(&options) : NULL;
}

/* ------------------------------------------------------------------------------------------------
 * The observer
 */

void
sanitize_name(const struct sanitizer *s, const struct core_wave *wave, unsigned lane, char *text,
              size_t size)
{
   const struct core_identity *id = &wave->identity;
   int32_t at[2];

   if (id->stage == CORE_COMPUTE)
      snprintf(text, size, "invocation %u of group %u", id->wave * WAVE_LANES + lane, id->part);
   else if (id->stage == CORE_PIXEL && s->options.pixel && s->options.pixel(wave, lane, at))
      snprintf(text, size, "pixel %d,%d", at[0], at[1]);
   else
      snprintf(text, size, "lane %u of wave %u, part %u", lane, id->wave, id->part);
}

static void
begins(void *data, struct core_wave *wave)
{
   struct sanitizer *s = data;
   struct shadow *w = s->shadows;

   wave->observed = NULL;
   if (!wave->bind->program->registers)
      return; /* its engine does not tell enough */
   if (w)
      s->shadows = w->next;
   else
      w = calloc(1, sizeof(*w));
   if (!w)
      return;
   wave->observed = w;
   values_begin(s, wave, w);
   w->order = sanitize_looks_for(s, SANITIZE_ORDER) ? order_of(s, wave) : 0;
   access_begin(s, wave);
}

static void
ends(void *data, struct core_wave *wave)
{
   struct sanitizer *s = data;
   struct shadow *w = wave->observed;

   if (!w)
      return;
   access_end(s, wave);
   wave->observed = NULL;
   w->next = s->shadows;
   s->shadows = w;
}

struct sanitizer *
sanitizer_create(const struct sanitizer_options *options)
{
   struct sanitizer *s = calloc(1, sizeof(*s));

   if (!s)
      return NULL;
   s->options = *options;
   s->findings = findings_create(options);
   if (!s->findings) {
      free(s);
      return NULL;
   }
   s->observer = (struct core_observer){
      .begins = begins,
      .ends = ends,
      .accessed = access_seen,
      .micro = values_micro,
      .moved = values_moved,
      .data = s,
   };
   return s;
}

void
sanitizer_destroy(struct sanitizer *s)
{
   if (!s)
      return;
   findings_destroy(s->findings);
   access_forget(s);
   order_destroy(s->order);
   for (struct shadow *w = s->shadows, *next; w; w = next) {
      next = w->next;
      free(w);
   }
   for (unsigned n = 0; n < 2; n++)
      for (struct group_shadow *g = n ? s->in_use : s->groups, *next; g; g = next) {
         next = g->next;
         free(g);
      }
   free(s->makers);
   free(s);
}

const struct core_observer *
sanitizer_observer(const struct sanitizer *s)
{
   return &s->observer;
}

size_t
sanitizer_count(struct sanitizer *s)
{
   return findings_count(s->findings);
}

bool
sanitizer_read(struct sanitizer *s, size_t n, char *text, size_t size, uint8_t *kind)
{
   return findings_read(s->findings, n, text, size, kind);
}
