/* SPDX-License-Identifier: MIT */
/*
 * Programs as text: an instruction, a `.word` or nothing on a line, remarks after `;` and on lines
 * that begin with `#`.  A `.dword` may end it: half a word that is left over.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WORDS (1u << 24)

struct line {
   const char *text;
   size_t length;
   uint32_t number;
   struct isa_error *error;
};

static bool
is_blank(char c)
{
   return c == ' ' || c == '\t' || c == '\r';
}

/* What follows `.word` and `.dword`: 0x, digits for so many bits, and nothing else. */
static bool
parse_bits(const struct line *l, size_t at, unsigned bits, uint64_t *value)
{
   const char *text = l->text;
   unsigned digits = 0;
   *value = 0;
   while (at < l->length && is_blank(text[at]))
      at++;
   bool hex = at + 2 <= l->length && text[at] == '0' && (text[at + 1] | 32) == 'x';
   for (at += hex ? 2 : 0; hex && at < l->length; at++, digits++) {
      char c = text[at], lower = (char)(c | 32);
      if ((c < '0' || c > '9') && (lower < 'a' || lower > 'f'))
         break;
      if (*value >> (bits - 4)) {
         return isa_fail(l->error, l->number, (uint32_t)at + 1, "a %s has %u bits",
                         bits == 64 ? "word" : "dword", bits);
      }
      *value = *value << 4 | (uint64_t)(c <= '9' ? c - '0' : lower - 'a' + 10);
   }
   while (digits && at < l->length && is_blank(text[at]))
      at++;
   if (!digits || at < l->length) {
      return isa_fail(l->error, l->number, (uint32_t)at + 1, "expected 0x and up to %u digits",
                      bits / 4);
   }
   return true;
}

static bool
append(struct valhall_program *p, uint64_t word, const struct line *l)
{
   if (p->count == MAX_WORDS) {
      return isa_fail(l->error, l->number, 0, "the program is longer than %u instructions",
                      MAX_WORDS);
   }
   if (p->count == p->capacity) {
      size_t capacity = p->capacity ? 2 * p->capacity : 64;
      uint64_t *words = realloc(p->words, capacity * sizeof(*words));
      p->words = words ? words : p->words;
      uint32_t *lines = realloc(p->lines, capacity * sizeof(*lines));
      p->lines = lines ? lines : p->lines;
      if (!words || !lines)
         return isa_fail(l->error, 0, 0, "no memory");
      p->capacity = capacity;
   }
   p->words[p->count] = word;
   p->lines[p->count++] = l->number;
   return true;
}

static bool
starts_with(const struct line *l, size_t at, const char *name)
{
   size_t n = strlen(name);
   return l->length - at >= n && !memcmp(l->text + at, name, n);
}

static bool
read_line(struct valhall_program *p, struct line *l)
{
   size_t blank = 0;
   const char *remark = memchr(l->text, ';', l->length);
   l->length = remark ? (size_t)(remark - l->text) : l->length;
   while (blank < l->length && is_blank(l->text[blank]))
      blank++;
   if (blank == l->length || l->text[blank] == '#')
      return true;
   if (p->has_dword)
      return isa_fail(l->error, l->number, (uint32_t)blank + 1, "nothing follows .dword");
   uint64_t word;
   if (starts_with(l, blank, ".dword")) {
      p->has_dword = parse_bits(l, blank + 6, 32, &word);
      p->dword = (uint32_t)word;
      return p->has_dword;
   }
   if (starts_with(l, blank, ".word"))
      return parse_bits(l, blank + 5, 64, &word) && append(p, word, l);
   struct valhall_instr instr;
   if (!valhall_parse(l->text, l->length, &instr, l->error)) {
      if (l->error)
         l->error->line = l->number;
      return false;
   }
   return append(p, valhall_encode(&instr), l);
}

bool
valhall_read(const char *text, size_t length, struct valhall_program *program,
             struct isa_error *error)
{
   struct line l = { .error = error };
   bool ok = true;

   *program = (struct valhall_program){ NULL };
   for (size_t at = 0; ok && at < length; at += l.length + 1) {
      const char *newline = memchr(text + at, '\n', length - at);
      size_t n = newline ? (size_t)(newline - text) - at : length - at;
      l.text = text + at;
      l.length = n;
      l.number++;
      ok = read_line(program, &l);
      l.length = n;
   }
   if (!ok)
      valhall_program_finish(program);
   return ok;
}

void
valhall_program_finish(struct valhall_program *program)
{
   free(program->words);
   free(program->lines);
   *program = (struct valhall_program){ NULL };
}

uint64_t *
valhall_words(const uint32_t *dwords, size_t num_dwords, size_t *count)
{
   *count = num_dwords / 2;
   uint64_t *words = malloc((*count + 1) * sizeof(*words));
   for (size_t i = 0; words && i < *count; i++)
      words[i] = dwords[2 * i] | (uint64_t)dwords[2 * i + 1] << 32;
   return words;
}

uint64_t *
valhall_assemble(const char *text, size_t length, size_t *count, struct isa_error *error)
{
   struct valhall_program program;

   *count = 0;
   if (!valhall_read(text, length, &program, error))
      return NULL;
   if (program.has_dword) {
      valhall_program_finish(&program);
      isa_fail(error, 0, 0, "a program has whole instructions: a dword is left over");
      return NULL;
   }
   uint64_t *words = program.words ? program.words : malloc(sizeof(*words));
   if (!words)
      isa_fail(error, 0, 0, "no memory");
   *count = program.count;
   program.words = NULL;
   valhall_program_finish(&program);
   return words;
}
