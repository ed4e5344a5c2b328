/* SPDX-License-Identifier: MIT */
/* The list of instruction sets, and what they have in common; see isa.h. */
#include "isa.h"

#include <stdlib.h>
#include <string.h>

#include "isa/text.h"

static const struct isa *const list[ISA_COUNT] = {
#define ISA(NAME, name) [ISA_ID_##name] = &isa_##name,
#define STOCK_ISA       ISA
#include <atoll/isas.def>
};

const char isa_names[] =
#define ISA(NAME, name) #name " "
#define STOCK_ISA       ISA
#include <atoll/isas.def>
   ;

const struct isa *
isa_at(unsigned id)
{
   return id < ISA_COUNT ? list[id] : NULL;
}

const struct isa *
isa_find(const char *name, size_t length)
{
   for (unsigned id = 0; id < ISA_COUNT; id++)
      if (strlen(list[id]->name) == length && !memcmp(list[id]->name, name, length))
         return list[id];
   return NULL;
}

bool
isa_stage_find(const char *name, enum isa_stage *stage)
{
   static const struct {
      char name[3];
      enum isa_stage stage;
   } stages[] = {
      { "ps", ISA_STAGE_PIXEL },
      { "vs", ISA_STAGE_VERTEX },
      { "fs", ISA_STAGE_FETCH },
      { "cs", ISA_STAGE_COMPUTE },
   };
   for (unsigned i = 0; i < sizeof(stages) / sizeof(*stages); i++) {
      if (!strcmp(stages[i].name, name)) {
         *stage = stages[i].stage;
         return true;
      }
   }
   return false;
}

/* A binary's text with what stands around the code, and frees the binary. */
static char *
print_binary(const struct isa *isa, struct isa_binary *binary)
{
   size_t size = 0;
   char *code = isa->disassemble(binary->words, binary->num_dwords, &size);
   struct isa_text t = { 0 };

   text_add(&t, binary->before, binary->before_size);
   text_add(&t, code ? code : "", size);
   text_add(&t, binary->after, binary->after_size);
   text_char(&t, 0);
   if (!code || t.failed) {
      free(t.data);
      t.data = NULL;
   }
   free(code);
   isa_binary_finish(binary);
   return t.data;
}

char *
isa_reprint(const struct isa *isa, const char *text, size_t length, struct isa_error *error)
{
   struct isa_binary binary;

   if (isa->reprint)
      return isa->reprint(text, length, error);
   if (!isa->assemble(text, length, NULL, &binary, error))
      return NULL;
   char *out = print_binary(isa, &binary);
   if (!out)
      isa_fail(error, 0, 0, "no memory");
   return out;
}

void
isa_binary_finish(struct isa_binary *binary)
{
   free(binary->words);
   free(binary->before);
   free(binary->after);
   memset(binary, 0, sizeof(*binary));
}
