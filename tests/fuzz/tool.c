/* SPDX-License-Identifier: MIT */
/* See tool.h.  The file is one in memory; what the tool prints is collected by standing in for the
 * C library's streams. */
#include "tool.h"

#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <atoll/capture.h>

int
fuzz_tool_words(int (*tool)(int argc, char **argv), const char *const *words,
                struct fuzz_output *output)
{
   char *argv[FUZZ_WORDS + 3] = { (char *)(uintptr_t) "tool" };
   FILE *out = stdout, *err = stderr;
   int argc = 1;

   for (unsigned i = 0; i <= FUZZ_WORDS && words[i]; i++)
      argv[argc++] = (char *)(uintptr_t)words[i];
   stdout = open_memstream(&output->out, &output->out_size);
   stderr = open_memstream(&output->err, &output->err_size);
   FUZZ_CHECK(stdout && stderr);
   const int code = tool(argc, argv);
   fclose(stdout);
   fclose(stderr);
   stdout = out;
   stderr = err;
   return code;
}

int
fuzz_tool_call(int (*tool)(int argc, char **argv), const char *const *options, const uint8_t *data,
               size_t size, struct fuzz_output *output)
{
   const char *words[FUZZ_WORDS + 2] = { NULL };
   char name[64];
   unsigned count = 0;
   const int fd = memfd_create("fuzz", 0);

   FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
   snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
   while (count < FUZZ_WORDS && options[count]) {
      words[count] = options[count];
      count++;
   }
   words[count] = name;
   const int code = fuzz_tool_words(tool, words, output);
   close(fd);
   return code;
}

int
fuzz_capture_call(int (*tool)(int argc, char **argv), const char *const *options,
                  const uint8_t *data, size_t size, struct fuzz_output *output)
{
   struct atoll_capture_header header;
   uint8_t *packed;

   if (size < sizeof(header) || size % 8)
      return fuzz_tool_call(tool, options, data, size, output);
   memcpy(&header, data, sizeof(header));
   if (memcmp(header.magic, ATOLL_CAPTURE_MAGIC, 8) || header.version != 4 || header.bytes > size)
      return fuzz_tool_call(tool, options, data, size, output);

   const size_t room = ZSTD_compressBound(size - header.bytes);

   packed = malloc(header.bytes + room);
   FUZZ_CHECK(packed);
   memcpy(packed, data, header.bytes);
   size = header.bytes +
          ZSTD_compress(packed + header.bytes, room, data + header.bytes, size - header.bytes, 1);
   const int code = fuzz_tool_call(tool, options, packed, size, output);
   free(packed);
   return code;
}

int
fuzz_tool_check(const struct fuzz_tool *tool, const uint8_t *data, size_t size)
{
   static const char mark[] = "error: ";
   struct fuzz_output o;

   if (size == 0)
      return 0;
   const char *const *options = tool->lines[data[0] % tool->num_lines];
   int code = fuzz_tool_call(tool->main, options, data + 1, size - 1, &o);
   const char *first = strstr(o.err, mark);
   if (code < 0 || code > 1 || (code && o.out_size) || (code == 1) != (first != NULL)) {
      fprintf(stderr, "exit code %d:\n%s%s", code, o.err, o.out);
      FUZZ_CHECK(!"an exit code, and what is printed with it");
   }
   free(o.out);
   free(o.err);
   return 0;
}
