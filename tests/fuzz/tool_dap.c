/* SPDX-License-Identifier: MIT */
/*
 * Messages of the Debug Adapter Protocol, by atoll-debug --dap as a program: each line of an input
 * is a message, and gets its length in front; an input that begins with a null byte is the stream
 * itself.  What must hold: it ends with 0, or with 1; what it sends are messages.
 */
#include <json-c/json.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tool.h"

#define MAX_BYTES 4096u

/* The stream, on descriptor 0. */
static void
put_stream(const uint8_t *data, size_t size)
{
   const int fd = memfd_create("messages", 0);

   FUZZ_CHECK(fd >= 0);
   if (!data[0]) {
      FUZZ_CHECK(write(fd, data + 1, size - 1) == (ssize_t)size - 1);
   } else {
      for (size_t at = 0; at < size;) {
         const uint8_t *end = memchr(data + at, '\n', size - at);
         const size_t length = end ? (size_t)(end - data) - at : size - at;

         dprintf(fd, "Content-Length: %zu\r\n\r\n", length);
         FUZZ_CHECK(write(fd, data + at, length) == (ssize_t)length);
         at += length + 1;
      }
   }
   lseek(fd, 0, SEEK_SET);
   FUZZ_CHECK(dup2(fd, STDIN_FILENO) == STDIN_FILENO);
   close(fd);
}

static bool
are_messages(const char *text, size_t size)
{
   while (size) {
      unsigned length;
      int header = 0;

      if (sscanf(text, "Content-Length: %u %n", &length, &header) != 1 || !header ||
          length > size - (size_t)header)
         return false;

      struct json_tokener *tokener = json_tokener_new();
      struct json_object *message = json_tokener_parse_ex(tokener, text + header, (int)length);
      const bool good = json_object_is_type(message, json_type_object);

      json_object_put(message);
      json_tokener_free(tokener);
      if (!good)
         return false;
      text += (size_t)header + length;
      size -= (size_t)header + length;
   }
   return true;
}

FUZZ_ENTRY(tool_dap)
{
   static const char *const line[FUZZ_WORDS] = { "--dap", "--memory=64", FUZZ_CAPTURE };
   struct fuzz_output o;

   if (!size || size > MAX_BYTES)
      return 0;
   fuzz_tool_device();
   put_stream(data, size);
   const int code = fuzz_tool_words(atoll_debug_main, line, &o);
   if ((code != 0 && code != 1) || !are_messages(o.out, o.out_size)) {
      fprintf(stderr, "exit code %d:\n%s%s", code, o.err, o.out);
      FUZZ_CHECK(!"an exit code, and messages");
   }
   free(o.out);
   free(o.err);
   return 0;
}
