/* SPDX-License-Identifier: MIT */
/*
 * Findings: counted, printed once, and written to files.
 *
 * Two findings are one if kind, program, stage and both instructions are the same.  Suppressions
 * are lines of a file, `KIND PATTERN`, of a kind's name or `*` and of a shell pattern that the
 * whole text of the finding has to match; `#` begins a comment.
 *
 * The files are written anew with each finding, so that a program that is killed leaves what was
 * found so far, and at the end with the counts.  Each is whole: it takes the name of the one
 * before.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sanitize/internal.h"

#define FINDINGS_MAX     4096u /* that are told apart; others are one */
#define SUPPRESSIONS_MAX 1024u

static const struct kind {
   const char *name, *level, *text;
} kinds[SANITIZE_KINDS] = {
#define KIND(id, name, enabled, level, uses, text) { #name, level, text },
#include "sanitize/kinds.def"
};

static const char *const stages[CORE_STAGES] = {
   [CORE_VERTEX] = "vertex",         [CORE_LOCAL] = "vertex",      [CORE_CONTROL] = "control",
   [CORE_EVALUATION] = "evaluation", [CORE_GEOMETRY] = "geometry", [CORE_COPY] = "copy",
   [CORE_PIXEL] = "pixel",           [CORE_COMPUTE] = "compute",
};

const char *
findings_stage(unsigned stage)
{
   return stages[stage];
}

struct one {
   uint64_t program, count;
   uint32_t words, first, second, variant;
   uint32_t submission, draw;
   uint8_t kind, stage;
   bool suppressed;
   char *text; /* NULL: it was not told */
};

struct findings {
   struct sanitizer_options options;
   pthread_mutex_t lock;
   struct one *all;
   size_t count;
   size_t shown;  /* of them, those that are not suppressed */
   uint64_t lost; /* beyond FINDINGS_MAX */
   char *json, *sarif;
   struct {
      char *kind, *pattern;
   } suppression[SUPPRESSIONS_MAX];
   unsigned num_suppressions;
};

/* ------------------------------------------------------------------------------------------------
 * Suppressions
 */

static void
read_suppression(struct findings *f, char *line, const char *path, unsigned number)
{
   const size_t start = strspn(line, " \t");
   char *kind = line + start, *pattern;

   line[strcspn(line, "\r\n")] = 0;
   if (!*kind || *kind == '#')
      return;
   pattern = kind + strcspn(kind, " \t");
   if (*pattern)
      *pattern++ = 0;
   pattern += strspn(pattern, " \t");
   if (!*pattern || f->num_suppressions == SUPPRESSIONS_MAX) {
      fprintf(stderr, "atoll: sanitizer: %s:%u: %s\n", path, number,
              *pattern ? "too many suppressions" : "a kind and a pattern are expected");
      return;
   }
   kind = strdup(kind);
   pattern = strdup(pattern);
   if (!kind || !pattern) {
      free(kind);
      free(pattern);
      return;
   }
   f->suppression[f->num_suppressions].kind = kind;
   f->suppression[f->num_suppressions++].pattern = pattern;
}

static void
read_suppressions(struct findings *f, const char *path)
{
   FILE *in = fopen(path, "re");
   char line[1024];

   if (!in) {
      fprintf(stderr, "atoll: sanitizer: the suppressions %s cannot be read\n", path);
      return;
   }
   for (unsigned n = 1; fgets(line, sizeof(line), in); n++)
      read_suppression(f, line, path, n);
   fclose(in);
}

static bool
is_suppressed(const struct findings *f, const struct one *one)
{
   for (unsigned n = 0; n < f->num_suppressions; n++)
      if ((!strcmp(f->suppression[n].kind, "*") ||
           !strcmp(f->suppression[n].kind, kinds[one->kind].name)) &&
          !fnmatch(f->suppression[n].pattern, one->text, 0))
         return true;
   return false;
}

/* ------------------------------------------------------------------------------------------------
 * Files
 */

/* A string of JSON. */
static void
quote(FILE *out, const char *text)
{
   fputc('"', out);
   for (const unsigned char *c = (const unsigned char *)text; *c; c++)
      if (*c == '"' || *c == '\\')
         fprintf(out, "\\%c", *c);
      else if (*c < 32 || *c > 126)
         fprintf(out, "\\u%04x", *c);
      else
         fputc(*c, out);
   fputc('"', out);
}

static void
write_json(FILE *out, const struct findings *f)
{
   const char *before = "";

   fprintf(out, "{\n  \"tool\": \"atoll\",\n  \"findings\": [");
   for (size_t n = 0; n < f->count; n++) {
      const struct one *one = &f->all[n];

      if (!one->text || one->suppressed)
         continue;
      fprintf(out,
              "%s\n    { \"kind\": \"%s\", \"level\": \"%s\", \"stage\": \"%s\", \"program\": "
              "\"0x%" PRIx64 "\", \"words\": %" PRIu32 ",\n      \"submission\": %" PRIu32
              ", \"draw\": %" PRIu32 ", \"count\": %" PRIu64,
              before, kinds[one->kind].name, kinds[one->kind].level, stages[one->stage],
              one->program, one->words, one->submission, one->draw, one->count);
      if (one->first != UINT32_MAX)
         fprintf(out, ", \"first\": %" PRIu32, one->first);
      if (one->second != UINT32_MAX)
         fprintf(out, ", \"second\": %" PRIu32, one->second);
      fprintf(out, ",\n      \"text\": ");
      quote(out, one->text);
      fprintf(out, " }");
      before = ",";
   }
   fprintf(out, "\n  ]\n}\n");
}

/* SARIF 2.1.0. */
static void
write_sarif(FILE *out, const struct findings *f)
{
   const char *before = "";

   fprintf(out,
           "{\n"
           "  \"version\": \"2.1.0\",\n  \"runs\": [{\n    \"tool\": { \"driver\": { \"name\": "
           "\"atoll\", \"rules\": [");
   for (unsigned n = 0; n < SANITIZE_KINDS; n++) {
      fprintf(out, "%s\n      { \"id\": \"%s\", \"shortDescription\": { \"text\": ", n ? "," : "",
              kinds[n].name);
      quote(out, kinds[n].text);
      fprintf(out, " }, \"defaultConfiguration\": { \"level\": \"%s\" } }", kinds[n].level);
   }
   fprintf(out, "\n    ] } },\n    \"results\": [");
   for (size_t n = 0; n < f->count; n++) {
      const struct one *one = &f->all[n];

      if (!one->text || one->suppressed)
         continue;
      fprintf(out,
              "%s\n      { \"ruleId\": \"%s\", \"ruleIndex\": %u, \"level\": \"%s\", "
              "\"occurrenceCount\": %" PRIu64 ",\n        \"message\": { \"text\": ",
              before, kinds[one->kind].name, one->kind, kinds[one->kind].level,
              one->count ? one->count : 1);
      quote(out, one->text);
      fprintf(out,
              " },\n        \"locations\": [{ \"logicalLocations\": [{ \"kind\": \"function\", "
              "\"fullyQualifiedName\": \"%s program 0x%" PRIx64 "\" }] }] }",
              stages[one->stage], one->program);
      before = ",";
   }
   fprintf(out, "\n    ]\n  }]\n}\n");
}

static void
write_file(const struct findings *f, const char *path,
           void (*write)(FILE *out, const struct findings *f))
{
   char *room;
   struct stat there;
   FILE *out;

   if (!path || asprintf(&room, "%s.new", path) < 0)
      return;
   /* A pipe, or a terminal, is written to as it is. */
   const bool direct = !lstat(path, &there) && !S_ISREG(there.st_mode);
   out = fopen(direct ? path : room, "we");
   if (out) {
      write(out, f);
      if (fclose(out) || (!direct && rename(room, path)))
         out = NULL;
   }
   if (!out)
      fprintf(stderr, "atoll: sanitizer: %s could not be written\n", path);
   free(room);
}

static void
write_files(const struct findings *f)
{
   write_file(f, f->json, write_json);
   write_file(f, f->sarif, write_sarif);
}

/* ------------------------------------------------------------------------------------------------
 * Findings
 */

struct findings *
findings_create(const struct sanitizer_options *options)
{
   struct findings *f = calloc(1, sizeof(*f));

   if (!f)
      return NULL;
   f->options = *options;
   pthread_mutex_init(&f->lock, NULL);
   f->all = calloc(FINDINGS_MAX, sizeof(*f->all));
   f->json = options->json ? strdup(options->json) : NULL;
   f->sarif = options->sarif ? strdup(options->sarif) : NULL;
   if (!f->all || (options->json && !f->json) || (options->sarif && !f->sarif)) {
      findings_destroy(f);
      return NULL;
   }
   if (options->suppressions)
      read_suppressions(f, options->suppressions);
   write_files(f);
   return f;
}

void
findings_destroy(struct findings *f)
{
   if (!f)
      return;
   if (f->all) {
      write_files(f);
      for (size_t n = 0; n < f->count; n++)
         if (f->all[n].text && !f->all[n].suppressed && f->all[n].count > 1 && !f->options.quiet)
            fprintf(stderr, "atoll: sanitizer: %" PRIu64 " times: %s\n", f->all[n].count,
                    f->all[n].text);
      if (f->lost && !f->options.quiet)
         fprintf(stderr, "atoll: sanitizer: %" PRIu64 " more, for which there was no room\n",
                 f->lost);
   }
   for (size_t n = 0; n < f->count; n++)
      free(f->all[n].text);
   for (unsigned n = 0; n < f->num_suppressions; n++) {
      free(f->suppression[n].kind);
      free(f->suppression[n].pattern);
   }
   free(f->all);
   free(f->json);
   free(f->sarif);
   pthread_mutex_destroy(&f->lock);
   free(f);
}

static struct one *
find(struct findings *f, const struct finding *finding)
{
   const struct core_program *program = finding->wave->bind->program;

   for (size_t n = f->count; n-- > 0;) {
      struct one *one = &f->all[n];

      if (one->kind == finding->kind && one->first == finding->first &&
          one->second == finding->second && one->variant == finding->variant &&
          one->program == program->va && one->words == program->words_used &&
          one->stage == finding->wave->identity.stage)
         return one;
   }
   return NULL;
}

bool
findings_add(struct findings *f, const struct finding *finding)
{
   const struct core_wave *wave = finding->wave;
   bool made = false;

   pthread_mutex_lock(&f->lock);
   struct one *one = find(f, finding);
   if (one) {
      one->count++;
   } else if (f->count == FINDINGS_MAX) {
      f->lost++;
   } else {
      f->all[f->count++] = (struct one){
         .program = wave->bind->program->va,
         .count = 1,
         .words = wave->bind->program->words_used,
         .first = finding->first,
         .second = finding->second,
         .variant = finding->variant,
         .submission = wave->identity.submission,
         .draw = wave->identity.draw,
         .kind = finding->kind,
         .stage = wave->identity.stage,
      };
      made = true;
   }
   pthread_mutex_unlock(&f->lock);
   return made;
}

void
findings_tell(struct findings *f, const struct finding *finding, const char *format, ...)
{
   const struct core_wave *wave = finding->wave;
   char what[512], *text;
   va_list args;

   va_start(args, format);
   vsnprintf(what, sizeof(what), format, args);
   va_end(args);
   pthread_mutex_lock(&f->lock);
   struct one *one = find(f, finding);
   if (one && !one->text &&
       asprintf(&text,
                "%s: %s program at 0x%" PRIx64 " (%" PRIu32 " words), %s %" PRIu32
                " of submission %" PRIu32 ": %s",
                kinds[one->kind].name, stages[one->stage], one->program, one->words,
                one->stage == CORE_COMPUTE ? "dispatch" : "draw", wave->identity.draw,
                wave->identity.submission, what) >= 0) {
      one->text = text;
      one->suppressed = is_suppressed(f, one);
      f->shown += !one->suppressed;
      if (!one->suppressed && !f->options.quiet)
         fprintf(stderr, "atoll: sanitizer: %s\n", text);
      if (!one->suppressed)
         write_files(f);
   }
   pthread_mutex_unlock(&f->lock);
}

size_t
findings_count(struct findings *f)
{
   pthread_mutex_lock(&f->lock);
   const size_t count = f->shown;
   pthread_mutex_unlock(&f->lock);
   return count;
}

bool
findings_read(struct findings *f, size_t wanted, char *text, size_t size, uint8_t *kind)
{
   bool there = false;

   pthread_mutex_lock(&f->lock);
   for (size_t n = 0; n < f->count && !there; n++) {
      const struct one *one = &f->all[n];

      if (!one->text || one->suppressed || wanted--)
         continue;
      snprintf(text, size, "%s", one->text);
      *kind = one->kind;
      there = true;
   }
   pthread_mutex_unlock(&f->lock);
   return there;
}
