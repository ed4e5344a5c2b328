/* SPDX-License-Identifier: MIT */
/* See listing.h. */
#include "listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "isa/cayman/cayman.h"
#include "isa/isa.h"
#include "memory/vm.h"

#define MAX_WORDS (1u << 20) /* of a program that is listed */

static const char mark[] = "<<<";

/* The mark and the dword, as the comment of the instruction that begins there. */
static const char *
mark_instruction(uint32_t at, void *data)
{
   char *comment = data;

   snprintf(comment, 24, "%s%" PRIu32, mark, 2 * at);
   return comment;
}

/* Instructions of one size, a line each. */
static char *
list_fixed(const struct isa *isa, const uint32_t *words, uint32_t count)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);

   for (uint32_t n = 0; file && n < count / isa->dwords; n++) {
      char *one = isa->disassemble(words + (size_t)n * isa->dwords, isa->dwords, NULL);

      if (!one)
         break;
      fprintf(file, "%4" PRIu32 "  %.*s  ; %s%" PRIu32 "\n", n, (int)strcspn(one, "\n"), one, mark,
              n);
      free(one);
   }
   if (file)
      fclose(file);
   return text;
}

/* Lines of a text, without the marks and the comments that they are. */
static bool
split(struct listing *l)
{
   uint32_t lines = 1;

   for (const char *c = l->text; *c; c++)
      lines += *c == '\n';
   l->lines = calloc(lines, sizeof(*l->lines));
   for (char *line = l->text; l->lines && *line;) {
      char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end, *at;
      uint32_t origin = LISTING_NONE;

      *end = 0;
      at = strstr(line, mark);
      if (at) {
         origin = (uint32_t)strtoul(at + strlen(mark), NULL, 10);
         while (at > line && (at[-1] == ' ' || at[-1] == ';'))
            at--;
         *at = 0;
      }
      l->lines[l->count++] = (struct listing_line){ line, origin };
      line = next;
   }
   return l->lines;
}

bool
listing_make(struct listing *l, const struct vm *vm, const struct core_program *program)
{
   const struct isa *isa = isa_find(program->engine->name, strlen(program->engine->name));
   const uint32_t count = program->words_used;
   uint32_t *words = NULL;
   char comment[24];

   *l = (struct listing){ .va = program->va, .bytes = count * 4 };
   if (!isa || !program->va || !vm || !count || count > MAX_WORDS ||
       !(words = malloc(count * sizeof(*words))))
      return false;
   l->unit = isa->dwords ? 4 * isa->dwords : 4;
   vm_read(vm, program->va, words, count * sizeof(*words));
   const enum cayman_vliw vliw = cayman_vliw_of(isa->name);
   if (vliw < CAYMAN_VLIWS)
      l->text = cayman_listing_commented(vliw, words, count, mark_instruction, comment, NULL);
   else if (isa->dwords)
      l->text = list_fixed(isa, words, count);
   free(words);
   if (l->text && split(l))
      return true;
   listing_finish(l);
   return false;
}

void
listing_finish(struct listing *l)
{
   free(l->lines);
   free(l->text);
   *l = (struct listing){ 0 };
}

uint32_t
listing_find(const struct listing *l, uint32_t origin)
{
   for (uint32_t n = 0; n < l->count; n++)
      if (l->lines[n].origin == origin)
         return n;
   return LISTING_NONE;
}
