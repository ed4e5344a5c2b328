/* SPDX-License-Identifier: MIT */
/*
 * Reads /proc/self/maps; see mappings.h.  A line is
 *
 *    7f00a000-7f00c000 rw-s 00002000 00:01 4711          /memfd:atoll-memory (deleted)
 */
#include "memory/mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The number at *text, which moves past it. */
static uint64_t
number(const char **text, unsigned base)
{
   uint64_t value = 0;

   for (;; (*text)++) {
      const char c = **text;
      const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                             : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                    : 16;

      if (digit >= base)
         return value;
      value = value * base + digit;
   }
}

static bool
expect(const char **text, char c)
{
   if (**text != c)
      return false;
   (*text)++;
   return true;
}

static bool
parse(const char *line, struct mapping *m)
{
   size_t length;

   *m = (struct mapping){ .start = number(&line, 16) };
   if (!expect(&line, '-'))
      return false;
   m->end = number(&line, 16);
   if (!expect(&line, ' ') || strnlen(line, 5) < 5)
      return false;
   m->readable = line[0] == 'r';
   m->writable = line[1] == 'w';
   m->shared = line[3] == 's';
   line += 5;
   m->offset = number(&line, 16);
   if (!expect(&line, ' '))
      return false;
   m->file.major = (uint32_t)number(&line, 16);
   if (!expect(&line, ':'))
      return false;
   m->file.minor = (uint32_t)number(&line, 16);
   if (!expect(&line, ' '))
      return false;
   m->file.inode = number(&line, 10);
   line += strspn(line, " ");
   length = strnlen(line, sizeof(m->name) - 1);
   memcpy(m->name, line, length);
   m->name[length] = 0;
   return true;
}

bool
mappings_read(bool (*look)(void *data, const struct mapping *mapping), void *data)
{
   char buffer[4096];
   size_t filled = 0;
   bool more = true, whole = true; /* the buffer begins with the beginning of a line */
   int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

   if (fd < 0)
      return false;
   while (more) {
      const ssize_t got = read(fd, buffer + filled, sizeof(buffer) - 1 - filled);
      char *line = buffer, *end;

      if (got < 0 && errno == EINTR)
         continue;
      if (got <= 0)
         break;
      filled += (size_t)got;
      buffer[filled] = 0;
      while (more && (end = strchr(line, '\n'))) {
         struct mapping m;

         *end = 0;
         if (whole && parse(line, &m))
            more = look(data, &m);
         whole = true;
         line = end + 1;
      }
      filled -= (size_t)(line - buffer);
      memmove(buffer, line, filled);
      if (more && filled == sizeof(buffer) - 1) {
         /* A name longer than that: what is known of the line is enough. */
         struct mapping m;

         if (whole && parse(buffer, &m))
            more = look(data, &m);
         whole = false;
         filled = 0;
      }
   }
   close(fd);
   return true;
}

struct search {
   uint64_t address;
   struct mapped_file *file;
   bool found;
};

static bool
look_at(void *data, const struct mapping *m)
{
   struct search *s = data;

   if (s->address < m->start || s->address >= m->end)
      return s->address >= m->end;
   *s->file = m->file;
   s->found = m->file.inode != 0;
   return false;
}

bool
mappings_file_at(const void *address, struct mapped_file *file)
{
   struct search s = { (uintptr_t)address, file, false };

   return mappings_read(look_at, &s) && s.found;
}
