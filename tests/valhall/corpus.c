/* SPDX-License-Identifier: MIT */
/*
 * What Mesa's panfrost compiles and Mesa's disassembler prints (ci/panfrost makes such lists):
 * every word has the same text, every text the same word, and whole shaders obey the validator's
 * rules.
 *
 *    test-valhall-corpus [FILE]     another list than the sample beside this file
 *
 * A line is a word in hexadecimal, a blank and its text; `shader STAGE` begins a whole shader,
 * which lasts to the next such line.  Lines that begin with # are remarks.
 *
 * Two things are made equal: blanks at the end of a text, and the flags of TEX_GRADIENT, of which
 * Mesa's disassembler prints two by another name and two not at all (docs/errata.rst).
 */
#include "common.h"

#define MOST_REPORTS 40

static const char *path = CORPUS;

struct list {
   FILE *file;
   unsigned long line, words, shaders, wrong;
   bool seen[VALHALL_OP_COUNT];

   /* The shader that is being read. */
   bool inside;
   enum valhall_stage stage;
   unsigned long begin;
   uint64_t *shader;
   size_t count, capacity;
};

static void __attribute__((format(printf, 2, 3))) report(struct list *l, const char *format, ...)
{
   char text[600];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   if (l->wrong++ < MOST_REPORTS)
      print_message("%s:%lu: %s\n", path, l->line, text);
}

static void
end_shader(struct list *l)
{
   const struct valhall_limits limits = { .stage = l->stage };
   struct isa_error error;

   if (l->inside) {
      l->shaders++;
      if (!valhall_validate(l->shader, l->count, &limits, &error))
         report(l, "the shader at line %lu, instruction %u: %s", l->begin, error.line, error.text);
   }
   l->count = 0;
   l->inside = false;
}

static void
keep(struct list *l, uint64_t word)
{
   if (l->count == l->capacity) {
      l->capacity = l->capacity ? 2 * l->capacity : 1024;
      l->shader = realloc(l->shader, l->capacity * sizeof(*l->shader));
      assert_non_null(l->shader);
   }
   l->shader[l->count++] = word;
}

/* Takes the blanks from a text's end. */
static void
trim(char *text)
{
   size_t length = strlen(text);
   while (length && (text[length - 1] == ' ' || text[length - 1] == '\n'))
      text[--length] = 0;
}

/* Replaces a part of a text, if it is there, by one that is not longer. */
static void
replace(char *text, const char *part, const char *by)
{
   char *at = strstr(text, part);
   if (at) {
      memmove(at + strlen(by), at + strlen(part), strlen(at + strlen(part)) + 1);
      memcpy(at, by, strlen(by));
   }
}

/* A text as Mesa prints it.  False: it does not say all of the word. */
static bool
as_mesa(const struct valhall_instr *instr, char *text)
{
   trim(text);
   if (instr->opcode != VALHALL_OP_TEX_GRADIENT)
      return true;
   replace(text, ".force_delta_enable", "");
   replace(text, ".lod_bias_disable", ".lod_mode");
   replace(text, ".lod_clamp_disable", ".lod_mode");
   replace(text, ".derivative_enable", "");
   return false;
}

/* Both ways. */
static void
check(struct list *l, uint64_t word, const char *expected)
{
   struct valhall_instr instr;
   struct isa_error error;
   char text[VALHALL_TEXT_MAX], mesa[VALHALL_TEXT_MAX];

   l->words++;
   if (!valhall_decode(word, &instr, &error)) {
      report(l, "%s: %016llx is refused: %s", expected, (unsigned long long)word, error.text);
      return;
   }
   l->seen[instr.opcode] = true;
   valhall_print(&instr, text);
   strcpy(mesa, text);
   const char *whole = as_mesa(&instr, mesa) ? expected : text;
   if (strcmp(mesa, expected) != 0)
      report(l, "%s: printed as %s", expected, text);
   if (!valhall_parse(whole, strlen(whole), &instr, &error)) {
      report(l, "%s: column %u: %s", whole, error.column, error.text);
   } else if (valhall_encode(&instr) != word) {
      report(l, "%s: %016llx, not %016llx", whole, (unsigned long long)valhall_encode(&instr),
             (unsigned long long)word);
   }
}

static void
read_line(struct list *l, char *line)
{
   trim(line);
   if (!line[0] || line[0] == '#')
      return;
   if (!strncmp(line, "shader ", 7)) {
      end_shader(l);
      l->inside = true;
      l->begin = l->line;
      l->stage = strcmp(line + 7, "FRAGMENT") ? VALHALL_STAGE_OTHER : VALHALL_STAGE_FRAGMENT;
      return;
   }
   char *text;
   uint64_t word = strtoull(line, &text, 16);
   if (text == line || *text != ' ') {
      report(l, "a word and its text are expected");
      return;
   }
   check(l, word, text + 1);
   if (l->inside)
      keep(l, word);
}

static void
test_list(void **state)
{
   struct list l = { .file = fopen(path, "r") };
   char line[512];
   unsigned opcodes = 0;

   (void)state;
   if (!l.file)
      fail_msg("%s: cannot be read", path);
   while (fgets(line, sizeof(line), l.file)) {
      l.line++;
      read_line(&l, line);
   }
   fclose(l.file);
   end_shader(&l);
   free(l.shader);
   for (unsigned i = 0; i < VALHALL_OP_COUNT; i++)
      opcodes += l.seen[i];
   print_message("%lu words of %u opcodes, %lu whole shaders; %lu differ\n", l.words, opcodes,
                 l.shaders, l.wrong);
   assert_true(l.words >= 1000 && opcodes >= 100 && l.shaders >= 10);
   assert_int_equal(l.wrong, 0);
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      path = argv[1];
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_list),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
