/* SPDX-License-Identifier: MIT */
/* See tool.h. */
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE (256u << 20)

int
tool_usage(const struct tool *tool, const char *format, ...)
{
   va_list args;

   if (tool->file) {
      char text[200];
      va_start(args, format);
      vsnprintf(text, sizeof(text), format, args);
      va_end(args);
      tool_error(tool->file, tool->line, 0, "%s", text);
      return TOOL_REFUSED;
   }
   fprintf(stderr, "%s: ", tool->name);
   va_start(args, format);
   vfprintf(stderr, format, args);
   va_end(args);
   fprintf(stderr, "\nTry '%s --help'.\n", tool->name);
   return TOOL_USAGE;
}

/* " [raw|elf]", the values that an option may have. */
static void
print_words(const char *words)
{
   const char *lead = " [";

   for (const char *p = words; *p; p += strspn(p, " ")) {
      size_t n = strcspn(p, " ");
      printf("%s%.*s", lead, (int)n, p);
      lead = "|";
      p += n;
   }
   printf("]");
}

static void
print_help(const struct tool *tool)
{
   printf("Usage: %s %s\n\n%s\n\n", tool->name, tool->usage, tool->summary);
   for (const struct tool_option *o = tool->options; o->name; o++) {
      char head[64];
      int n = 0;
      if (o->letter)
         n = snprintf(head, sizeof(head), "-%c, ", o->letter);
      else
         n = snprintf(head, sizeof(head), "    ");
      snprintf(head + n, sizeof(head) - (size_t)n, "--%s%s%s", o->name, o->value ? "=" : "",
               o->value ? o->value : "");
      if (strlen(head) > 26)
         printf("  %s\n%29s%s", head, "", o->help);
      else
         printf("  %-26s %s", head, o->help);
      if (o->words)
         print_words(o->words);
      printf("\n");
   }
   printf(
      "\nExit codes: 0 done, 1 the input was refused, 2 wrong command line, 3 system error%s%s.\n",
      tool->exit_codes ? ", " : "", tool->exit_codes ? tool->exit_codes : "");
}

/* A bash function that completes option names and the words of their values; what it leaves empty
 * readline completes as a file, and quotes. */
static void
print_completion(const struct tool *tool)
{
   char function[64];
   size_t n = 0;
   for (const char *c = tool->name; *c && n + 1 < sizeof(function); c++)
      function[n++] = *c == '-' ? '_' : *c;
   function[n] = 0;

   printf("# bash completion of %s\n_%s()\n{\n", tool->name, function);
   printf("   local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n");
   printf("   COMPREPLY=()\n");
   printf("   [[ $cur == = ]] && cur=\n");
   printf("   [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n");
   printf("   case $prev in\n");
   for (const struct tool_option *o = tool->options; o->name; o++) {
      if (!o->value)
         continue;
      printf("   --%s", o->name);
      if (o->letter)
         printf(" | -%c", o->letter);
      if (o->words)
         printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", o->words);
      else
         printf(") return ;;\n");
   }
   printf("   esac\n   if [[ $cur == -* ]]; then\n      COMPREPLY=($(compgen -W '");
   for (const struct tool_option *o = tool->options; o->name; o++)
      printf("%s--%s%s", o == tool->options ? "" : " ", o->name, o->value ? "=" : "");
   printf("' -- \"$cur\"))\n");
   printf("      [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n   fi\n}\n");
   printf("complete -o default -F _%s %s\n", function, tool->name);
}

static bool
system_error(const struct tool *tool, const char *name)
{
   fprintf(stderr, "%s: %s: %s\n", tool->name, name, strerror(errno));
   return false;
}

static int
leave(struct tool_args *args, int code)
{
   args->exit_code = code;
   return TOOL_ARG_EXIT;
}

/* What was asked for has been printed. */
static int
leave_told(struct tool_args *args)
{
   bool ok = fflush(stdout) == 0 && !ferror(stdout);
   return leave(args, ok || system_error(args->tool, "standard output") ? TOOL_OK : TOOL_SYSTEM);
}

/* An option has been recognised: take its value, deal with the common ones. */
static int
took(struct tool_args *args, const struct tool_option *o, const char *attached)
{
   args->value = NULL;
   if (o->value) {
      if (attached)
         args->value = attached;
      else if (args->at < args->argc)
         args->value = args->argv[args->at++];
      else
         return leave(args, tool_usage(args->tool, "--%s needs a value", o->name));
   } else if (attached) {
      return leave(args, tool_usage(args->tool, "--%s takes no value", o->name));
   }
   bool common =
      !strcmp(o->name, "help") || !strcmp(o->name, "version") || !strcmp(o->name, "completion");
   if (common && args->tool->file)
      return leave(args, tool_usage(args->tool, "--%s is for the command line", o->name));
   if (!strcmp(o->name, "help")) {
      print_help(args->tool);
      return leave_told(args);
   }
   if (!strcmp(o->name, "version")) {
      printf("%s (Atoll) %s\n", args->tool->name, ATOLL_VERSION);
      return leave_told(args);
   }
   if (!strcmp(o->name, "completion")) {
      if (strcmp(args->value, "bash") != 0)
         return leave(args, tool_usage(args->tool, "no completion for '%s'", args->value));
      print_completion(args->tool);
      return leave_told(args);
   }
   return (int)(o - args->tool->options);
}

static int
letter(struct tool_args *args)
{
   char c = *args->cluster++;
   for (const struct tool_option *o = args->tool->options; o->name; o++) {
      if (o->letter != c)
         continue;
      const char *attached = NULL;
      if (o->value) { /* -oFILE */
         attached = *args->cluster ? args->cluster : NULL;
         args->cluster = NULL;
      } else if (!*args->cluster) {
         args->cluster = NULL;
      }
      return took(args, o, attached);
   }
   return leave(args, tool_usage(args->tool, "unknown option -%c", c));
}

int
tool_next(struct tool_args *args)
{
   if (args->cluster && *args->cluster)
      return letter(args);
   if (args->at == 0)
      args->at = 1;
   if (args->at >= args->argc)
      return TOOL_ARG_END;
   const char *arg = args->argv[args->at++];
   if (args->only_files || arg[0] != '-' || !arg[1]) {
      if (args->input)
         return leave(args, tool_usage(args->tool, "more than one input file"));
      args->input = arg;
      return tool_next(args);
   }
   if (arg[1] != '-') {
      args->cluster = arg + 1;
      return letter(args);
   }
   if (!arg[2]) {
      args->only_files = true;
      return tool_next(args);
   }
   size_t n = strcspn(arg + 2, "=");
   for (const struct tool_option *o = args->tool->options; o->name; o++)
      if (strlen(o->name) == n && !memcmp(o->name, arg + 2, n))
         return took(args, o, arg[2 + n] ? arg + 2 + n + 1 : NULL);
   return leave(args, tool_usage(args->tool, "unknown option --%.*s", (int)n, arg + 2));
}

bool
tool_number(const struct tool *tool, const char *option, const char *value, uint32_t max,
            uint32_t *number)
{
   char *end;
   errno = 0;
   unsigned long v = strtoul(value, &end, 0);
   if (end == value || *end || *value == '-' || errno || v > max) {
      tool_usage(tool, "--%s=%s is not a number from 0 to %u", option, value, max);
      return false;
   }
   *number = (uint32_t)v;
   return true;
}

bool
tool_read(const struct tool *tool, const char *name, struct tool_file *file)
{
   return tool_read_up_to(tool, name, MAX_FILE, file);
}

bool
tool_read_up_to(const struct tool *tool, const char *name, size_t limit, struct tool_file *file)
{
   bool standard = !strcmp(name, "-");
   FILE *f = standard ? stdin : fopen(name, "rb");
   size_t capacity = 0, n;
   struct stat st;

   *file = (struct tool_file){ .name = standard ? "<stdin>" : name };
   if (!f)
      return system_error(tool, name);
   if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
      errno = EISDIR;
      fclose(f);
      return system_error(tool, name);
   }
   do {
      if (file->size + 1 >= capacity) {
         capacity = capacity ? 2 * capacity : 65536;
         char *data = capacity / 2 > limit ? NULL : realloc(file->data, capacity);
         if (!data) {
            errno = capacity / 2 > limit ? EFBIG : ENOMEM;
            free(file->data);
            fclose(f);
            return system_error(tool, name);
         }
         file->data = data;
      }
      n = fread(file->data + file->size, 1, capacity - file->size - 1, f);
      file->size += n;
   } while (n > 0);
   file->data[file->size] = 0;
   bool ok = !ferror(f);
   fclose(f);
   return ok || system_error(tool, name);
}

bool
tool_write(const struct tool *tool, const char *name, const void *data, size_t size)
{
   if (!name || !strcmp(name, "-")) {
      if (fwrite(data, 1, size, stdout) != size || fflush(stdout) != 0)
         return system_error(tool, "standard output");
      return true;
   }
   struct stat st;
   bool exists = stat(name, &st) == 0, regular = !exists || S_ISREG(st.st_mode);
   char *target = exists && regular ? realpath(name, NULL) : NULL; /* through symbolic links */
   const char *path = target ? target : name;
   size_t length = strlen(path);
   char *temporary = malloc(length + 16);
   if (!temporary) {
      free(target);
      return system_error(tool, name);
   }
   /* A device or pipe is written to as it is. */
   snprintf(temporary, length + 16, regular ? "%s.%u.tmp" : "%s", path,
            (unsigned)getpid() % 100000);
   FILE *f = fopen(temporary, "wb");
   bool ok = f != NULL;
   if (f) {
      ok = fwrite(data, 1, size, f) == size;
      ok = fclose(f) == 0 && ok;
      if (regular) {
         if (exists)
            chmod(temporary, st.st_mode & 07777); /* as it was */
         ok = ok && rename(temporary, path) == 0;
      }
   }
   if (!ok) {
      system_error(tool, name);
      if (f && regular)
         remove(temporary);
   }
   free(temporary);
   free(target);
   return ok;
}

void
tool_error(const struct tool_file *file, unsigned line, unsigned column, const char *format, ...)
{
   va_list args;
   const char *p = file->data, *end = file->data + file->size;

   for (unsigned n = 1; n < line && p < end; n++) {
      const char *next = memchr(p, '\n', (size_t)(end - p));
      p = next ? next + 1 : end;
   }
   const char *stop = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
   size_t length = (size_t)((stop ? stop : end) - p);
   if (length > 200)
      length = 200;
   if (line && !column) {
      column = 1;
      while (column < length && (p[column - 1] == ' ' || p[column - 1] == '\t'))
         column++;
   }
   fputs(file->name, stderr);
   if (line)
      fprintf(stderr, ":%u:%u", line, column);
   fputs(": error: ", stderr);
   va_start(args, format);
   vfprintf(stderr, format, args);
   va_end(args);
   fputc('\n', stderr);
   if (!line)
      return;
   fputs("  ", stderr);
   for (size_t i = 0; i < length; i++)
      fputc((unsigned char)p[i] >= 32 ? p[i] : p[i] == '\t' ? '\t' : '?', stderr);
   fputs("\n  ", stderr);
   for (size_t i = 0; i + 1 < column && i < length; i++)
      fputc(p[i] == '\t' ? '\t' : ' ', stderr);
   fputs("^\n", stderr);
}

bool
tool_is_text(const struct tool_file *file)
{
   return !memchr(file->data, 0, file->size < 512 ? file->size : 512);
}

uint32_t *
tool_words(const struct tool_file *file, size_t *count)
{
   if (file->size % 4) {
      tool_error(file, 0, 0, "%zu bytes are no whole number of dwords%s", file->size,
                 tool_is_text(file) ? "; is it a text?" : "");
      return NULL;
   }
   uint32_t *words = malloc(file->size + 4);
   if (!words) {
      tool_error(file, 0, 0, "no memory");
      return NULL;
   }
   for (size_t i = 0; i < file->size / 4; i++) {
      const unsigned char *b = (const unsigned char *)file->data + 4 * i;
      words[i] = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
   }
   *count = file->size / 4;
   return words;
}
