/* SPDX-License-Identifier: MIT */
/* The list of instruction sets; see isa.h. */
#include "isa.h"

#include <stdlib.h>
#include <string.h>

static const struct isa *const list[ISA_COUNT] = {
#define I(name) [ISA_ID_##name] = &isa_##name,
   ISA_LIST(I)
#undef I
};

const struct isa *
isa_at(unsigned id)
{
   return id < ISA_COUNT ? list[id] : NULL;
}

const struct isa *
isa_find(const char *name, size_t length)
{
   for (unsigned id = 0; id < ISA_COUNT; id++) {
      if (strlen(list[id]->name) == length && !memcmp(list[id]->name, name, length)) {
         return list[id];
      }
   }
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

void
isa_binary_finish(struct isa_binary *binary)
{
   free(binary->words);
   free(binary->before);
   free(binary->after);
   memset(binary, 0, sizeof(*binary));
}
