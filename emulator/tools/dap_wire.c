/* SPDX-License-Identifier: MIT */
/* See dap_wire.h.  What comes may be anything: lengths are bounded, and so is how deep it nests. */
#include "dap_wire.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define MAX_HEADER  4096u
#define MAX_MESSAGE (4u << 20)
#define MAX_DEPTH   32
#define MAX_NUMBER  (INT64_C(1) << 53) /* what JSON numbers are exact to */

/* Whether more has come. */
static bool
fill(struct dap_wire *w)
{
   ssize_t size;

   if (w->count == w->room) {
      const size_t room = w->room ? 2 * w->room : 65536;
      char *bytes = room <= 2 * (MAX_HEADER + MAX_MESSAGE) ? realloc(w->bytes, room) : NULL;

      w->gone = w->gone || !bytes;
      if (!bytes)
         return false;
      w->bytes = bytes;
      w->room = room;
   }
   do
      size = read(w->in, w->bytes + w->count, w->room - w->count);
   while (size < 0 && errno == EINTR);
   w->gone = size <= 0;
   w->count += size > 0 ? (size_t)size : 0;
   return size > 0;
}

static void
drop(struct dap_wire *w, size_t size)
{
   w->count -= size;
   memmove(w->bytes, w->bytes + size, w->count);
}

/* The length that a header gives, of at most MAX_MESSAGE; -1: none. */
static long
content_length(const char *header, size_t size)
{
   static const char name[] = "Content-Length:";
   const char *end = header + size;

   while (header < end) {
      const char *line = header, *stop = memchr(line, '\n', (size_t)(end - line));

      if ((size_t)(end - line) > sizeof(name) && !strncasecmp(line, name, sizeof(name) - 1)) {
         const char *digit = line + sizeof(name) - 1;
         long length = 0;

         while (digit < end && (*digit == ' ' || *digit == '\t'))
            digit++;
         if (digit == end || *digit < '0' || *digit > '9')
            return -1;
         for (; digit < end && *digit >= '0' && *digit <= '9'; digit++) {
            length = 10 * length + (*digit - '0');
            if (length > (long)MAX_MESSAGE)
               return -1;
         }
         return length;
      }
      header = stop ? stop + 1 : end;
   }
   return -1;
}

struct json_object *
dap_read(struct dap_wire *w)
{
   while (!w->gone || w->count) {
      const char *end = w->count ? memmem(w->bytes, w->count, "\r\n\r\n", 4) : NULL;
      const size_t header = end ? (size_t)(end - w->bytes) + 4 : 0;
      long length;

      if (!end) {
         if (w->count > MAX_HEADER || !fill(w))
            break;
         continue;
      }
      length = content_length(w->bytes, header);
      if (length < 0)
         break;
      while (w->count < header + (size_t)length)
         if (!fill(w))
            break;
      if (w->count < header + (size_t)length)
         break;

      struct json_tokener *tokener = json_tokener_new_ex(MAX_DEPTH);
      struct json_object *message =
         tokener ? json_tokener_parse_ex(tokener, w->bytes + header, (int)length) : NULL;

      json_tokener_free(tokener);
      drop(w, header + (size_t)length);
      if (message && json_object_is_type(message, json_type_object))
         return message;
      json_object_put(message);
   }
   w->gone = true;
   w->count = 0;
   return NULL;
}

bool
dap_has(struct dap_wire *w)
{
   struct pollfd fd = { .fd = w->in, .events = POLLIN };

   return w->count || (!w->gone && poll(&fd, 1, 0) > 0);
}

void
dap_send(struct dap_wire *w, const char *type, struct json_object *message)
{
   const char *text;
   size_t length;

   dap_add_number(message, "seq", ++w->seq);
   dap_add_text(message, "type", type);
   text = json_object_to_json_string_length(message, JSON_C_TO_STRING_PLAIN, &length);
   fprintf(w->out, "Content-Length: %zu\r\n\r\n", length);
   fwrite(text, 1, length, w->out);
   fflush(w->out);
   json_object_put(message);
}

/* ---- Members ---- */

struct json_object *
dap_member(const struct json_object *object, const char *name)
{
   struct json_object *member = NULL;

   return json_object_is_type(object, json_type_object) &&
                json_object_object_get_ex(object, name, &member)
             ? member
             : NULL;
}

const char *
dap_text(const struct json_object *object, const char *name)
{
   struct json_object *member = dap_member(object, name);

   return json_object_is_type(member, json_type_string) ? json_object_get_string(member) : NULL;
}

int64_t
dap_number(const struct json_object *object, const char *name, int64_t otherwise)
{
   struct json_object *member = dap_member(object, name);

   int64_t number;

   if (!json_object_is_type(member, json_type_int))
      return otherwise;
   number = json_object_get_int64(member);
   return number < -MAX_NUMBER ? -MAX_NUMBER : number > MAX_NUMBER ? MAX_NUMBER : number;
}

bool
dap_flag(const struct json_object *object, const char *name)
{
   struct json_object *member = dap_member(object, name);

   return json_object_is_type(member, json_type_boolean) && json_object_get_boolean(member);
}

size_t
dap_elements(const struct json_object *object, const char *name)
{
   struct json_object *member = dap_member(object, name);

   return json_object_is_type(member, json_type_array) ? json_object_array_length(member) : 0;
}

void
dap_add_text(struct json_object *object, const char *name, const char *text)
{
   json_object_object_add(object, name, json_object_new_string(text));
}

void
dap_add_format(struct json_object *object, const char *name, const char *format, ...)
{
   char text[512];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   dap_add_text(object, name, text);
}

void
dap_add_number(struct json_object *object, const char *name, int64_t number)
{
   json_object_object_add(object, name, json_object_new_int64(number));
}

void
dap_add_flag(struct json_object *object, const char *name, bool flag)
{
   json_object_object_add(object, name, json_object_new_boolean(flag));
}

void
dap_add_bytes(struct json_object *object, const char *name, const void *bytes, size_t size)
{
   static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
   const unsigned char *from = bytes;
   char *text = malloc(size / 3 * 4 + 5), *to = text;

   for (size_t n = 0; text && n < size; n += 3) {
      const size_t left = size - n;
      const uint32_t bits = (uint32_t)from[n] << 16 | (left > 1 ? (uint32_t)from[n + 1] << 8 : 0) |
                            (left > 2 ? from[n + 2] : 0);

      *to++ = digits[bits >> 18];
      *to++ = digits[bits >> 12 & 63];
      *to++ = left > 1 ? digits[bits >> 6 & 63] : '=';
      *to++ = left > 2 ? digits[bits & 63] : '=';
   }
   if (text)
      *to = 0;
   dap_add_text(object, name, text ? text : "");
   free(text);
}
