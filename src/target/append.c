/* SPDX-License-Identifier: MIT */
/*
 * Text that Mesa appends to a string, formatted once.
 *
 * Mesa formats it twice, first to know how long it is: each shader's compilation begins with a list
 * of all versions of GLSL, which so takes a thirtieth of a small program's time.  The linker sends
 * its calls here (--wrap).  What is long goes on to Mesa.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/ralloc.h"

#define SHORT_BYTES 128

bool __wrap_ralloc_asprintf_append(char **string, const char *format, ...) PRINTFLIKE(2, 3);

bool
__wrap_ralloc_asprintf_append(char **string, const char *format, ...)
{
   char text[SHORT_BYTES];
   va_list args;
   bool ok;

   va_start(args, format);
   const int length = vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   if (*string && length >= 0 && length < SHORT_BYTES)
      return ralloc_str_append(string, text, strlen(*string), (size_t)length);
   va_start(args, format);
   ok = ralloc_vasprintf_append(string, format, args);
   va_end(args);
   return ok;
}
