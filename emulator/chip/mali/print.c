/* SPDX-License-Identifier: MIT */
/* Descriptors by name, from the table. */
#include "chip/mali/mali.h"

#include <inttypes.h>
#include <string.h>

enum kind {
   NUMBER,
   LESS_ONE,
   LOG2,
   FLAG,
   ADDRESS,
   FLOAT,
   HEX,
   FRAME_SHADER,
   Z_INTERNAL,
   ZS_FORMAT,
   S_FORMAT,
   BLOCK,
   MSAA,
   WRITEBACK,
   INTERNAL,
   FORMAT,
   TYPE,
   FLUSH,
   ATTRIBUTE,
   DIMENSION,
   PLANE,
   CLUMP,
   REDUCTION,
   WRAP,
   MIP,
   LOD,
   TEST,
   STENCIL,
   BLEND,
   OPERAND_A,
   OPERAND_B,
   OPERAND_C,
   CLAMP,
   Z_SOURCE,
   PRIMITIVE,
   INDEX,
   SIZE,
   KILL,
   OCCLUSION,
};

static const struct {
   enum mali_descriptor descriptor;
   const char *name;
   enum mali_field at;
   enum kind kind;
} fields[] = {
#define MALI_FIELD(descriptor, name, word, start, bits, kind) \
   { MALI_##descriptor, #name, MALI_AT_##descriptor##_##name, kind },
#include "chip/mali/descriptors.def"
};

static const struct {
   enum kind kind;
   uint32_t number;
   const char *name;
} values[] = {
#define MALI_VALUE(kind, name, number) { kind, number, #name },
#include "chip/mali/descriptors.def"
};

static const char *const names[] = {
#define MALI_DESCRIPTOR(name, words) #name,
#include "chip/mali/descriptors.def"
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *
value_name(enum kind kind, uint64_t number)
{
   for (size_t n = 0; n < COUNT(values); n++)
      if (values[n].kind == kind && values[n].number == number)
         return values[n].name;
   return NULL;
}

static void
print_value(FILE *file, enum kind kind, uint64_t value)
{
   const char *name = value_name(kind, value);
   const uint32_t bits = (uint32_t)value;
   float number;

   switch (kind) {
   case LESS_ONE:
      fprintf(file, "%" PRIu64, value + 1);
      break;
   case LOG2:
      fprintf(file, "%u", 1u << value);
      break;
   case ADDRESS:
   case HEX:
      fprintf(file, "0x%" PRIx64, value);
      break;
   case FLOAT:
      memcpy(&number, &bits, sizeof(number));
      fprintf(file, "%.9g", (double)number);
      break;
   default:
      if (name)
         fprintf(file, "%s", name);
      else
         fprintf(file, "%" PRIu64, value);
   }
}

void
mali_print(FILE *file, enum mali_descriptor descriptor, const uint32_t *words)
{
   fprintf(file, "atoll: %s\n", names[descriptor]);
   for (size_t n = 0; n < COUNT(fields); n++) {
      uint64_t value;

      if (fields[n].descriptor != descriptor)
         continue;
      value = mali_field(words, fields[n].at);
      if (!value)
         continue;
      fprintf(file, "atoll:    %s = ", fields[n].name);
      print_value(file, fields[n].kind, value);
      fprintf(file, "\n");
   }
}
