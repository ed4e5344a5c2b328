/* SPDX-License-Identifier: MIT */
/* See error.h. */
#include "error.h"

#include <stdio.h>

bool
isa_vfail(struct isa_error *error, uint32_t line, uint32_t column, const char *format, va_list args)
{
   if (error) {
      error->line = line;
      error->column = column;
      vsnprintf(error->text, sizeof(error->text), format, args);
   }
   return false;
}

bool
isa_fail(struct isa_error *error, uint32_t line, uint32_t column, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   isa_vfail(error, line, column, format, args);
   va_end(args);
   return false;
}
