/* SPDX-License-Identifier: MIT */
/* See llvm_abi.h. */
#include "llvm_abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN_DWORDS  64u
#define FIRST_ARG     9u
#define MEMORY_DWORDS (1u << 26) /* 256 MB: machine.h counts dwords, LLVM's addresses bytes */

static bool
say(char *error, size_t size, const char *text)
{
   snprintf(error, size, "%s", text);
   return false;
}

static bool
make(struct machine_buffer *b, uint32_t count)
{
   b->words = calloc((size_t)count + MACHINE_PADDING, 4);
   b->count = b->words ? count : 0;
   return b->words != NULL;
}

/* The dword at which each buffer begins; the result is where the last one ends. */
static uint64_t
places(const struct machine *m, uint32_t place[MACHINE_BUFFERS])
{
   uint64_t at = ALIGN_DWORDS;

   for (unsigned i = 0; i < MACHINE_BUFFERS && at <= MEMORY_DWORDS; i++) {
      place[i] = (uint32_t)at;
      at += (m->buffer[i].count + (uint64_t)ALIGN_DWORDS - 1) / ALIGN_DWORDS * ALIGN_DWORDS;
   }
   return at;
}

static bool
lay_out_constants(struct llvm_abi *abi, struct machine *m, const uint32_t *place, char *error,
                  size_t size)
{
   struct machine_buffer *b = &m->constant[0];
   uint32_t count = FIRST_ARG;

   if (b->words)
      return abi->num_args == 0 || say(error, size, "arguments, and a constant buffer 0 as well");
   for (unsigned i = 0; i < abi->num_args; i++)
      count += abi->arg[i].buffer < 0 ? abi->arg[i].data.count : 1;
   if (!make(b, (count + 3) & ~3u))
      return say(error, size, "no memory");
   for (unsigned i = 0; i < 3; i++) {
      b->words[i] = m->groups[i];
      b->words[3 + i] = m->groups[i] * m->threads[i];
      b->words[6 + i] = m->threads[i];
   }
   uint32_t at = FIRST_ARG;
   for (unsigned i = 0; i < abi->num_args; i++) {
      const struct llvm_arg *a = &abi->arg[i];
      if (a->buffer >= 0) {
         if (!m->buffer[a->buffer].words) {
            snprintf(error, size, "argument %u is the address of buffer %d, which is not given", i,
                     a->buffer);
            return false;
         }
         b->words[at++] = 4 * place[a->buffer];
         continue;
      }
      memcpy(b->words + at, a->data.words, 4 * (size_t)a->data.count);
      at += a->data.count;
   }
   return true;
}

bool
llvm_abi_begin(struct llvm_abi *abi, struct machine *m, const uint32_t *text, uint32_t count,
               char *error, size_t size)
{
   uint32_t place[MACHINE_BUFFERS] = { 0 };
   const uint64_t end = places(m, place);

   if (end > MEMORY_DWORDS)
      return say(error, size, "more than 256 MB of buffers");
   if (!lay_out_constants(abi, m, place, error, size))
      return false;
   if (!make(&abi->places.memory, (uint32_t)end) || !make(&abi->places.text, count))
      return say(error, size, "no memory");
   memcpy(abi->places.text.words, text, 4 * (size_t)count);
   for (unsigned i = 0; i < MACHINE_BUFFERS; i++) {
      if (m->buffer[i].words)
         memcpy(abi->places.memory.words + place[i], m->buffer[i].words,
                4 * (size_t)m->buffer[i].count);
   }
   m->llvm = &abi->places;
   return true;
}

void
llvm_abi_end(const struct llvm_abi *abi, struct machine *m)
{
   uint32_t place[MACHINE_BUFFERS] = { 0 };

   if (!abi->places.memory.words)
      return;
   places(m, place);
   for (unsigned i = 0; i < MACHINE_BUFFERS; i++) {
      if (m->buffer[i].words)
         memcpy(m->buffer[i].words, abi->places.memory.words + place[i],
                4 * (size_t)m->buffer[i].count);
   }
}

void
llvm_abi_free(struct llvm_abi *abi)
{
   for (unsigned i = 0; i < abi->num_args; i++)
      free(abi->arg[i].data.words);
   free(abi->places.memory.words);
   free(abi->places.text.words);
}
