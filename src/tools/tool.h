/* SPDX-License-Identifier: MIT */
/*
 * What the command-line tools share: options from one table (which --help and --completion print
 * too), files, and errors with file, line, column and a caret.
 *
 * Exit codes are those of compilers: 0 done, 1 the input was refused, 2 the command line is wrong,
 * 3 the system failed (a file, memory).  Output goes to a temporary file that is renamed at the
 * end, so a failure leaves no partial output.
 */
#ifndef ATOLL_TOOL_H
#define ATOLL_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tool_exit {
   TOOL_OK = 0,
   TOOL_REFUSED = 1,
   TOOL_USAGE = 2,
   TOOL_SYSTEM = 3,
};

/** What stands between the head of a listing and its code. */
#define TOOL_LISTING_RULE "; ----- Disassembly -----\n"

struct tool_option {
   const char *name;  /* long name, without dashes */
   char letter;       /* short name, or 0 */
   const char *value; /* what the value is called in --help, or NULL: none */
   const char *words; /* the values there are, separated by blanks, or NULL: a file or a number */
   const char *help;
};

struct tool_file;

struct tool {
   const char *name;
   const char *usage;                 /* after the name */
   const char *summary;               /* what it does; lines of at most 90 columns */
   const struct tool_option *options; /* the last one has no name */
   const char *exit_codes;            /* of its own, after those all have: "4 ...", or NULL */
   /* Options of a line of a file instead of a command line: what is wrong with them is an error of
    * the file, and it has no --help.  NULL: a command line. */
   const struct tool_file *file;
   unsigned line;
};

/* Options that every tool has; tool_next() deals with them. */
#define TOOL_COMMON_OPTIONS                                           \
   { "completion", 0, "SHELL", "bash", "print a completion script" }, \
      { "help", 'h', NULL, NULL, "print this help" },                 \
      { "version", 0, NULL, NULL, "print the version" },              \
   {                                                                  \
      NULL, 0, NULL, NULL, NULL                                       \
   }

/* The command line being read. */
struct tool_args {
   const struct tool *tool;
   int argc, at;
   char **argv;
   const char *cluster; /* rest of a cluster of letters: -ab */
   bool only_files;     /* after -- */
   const char *value;   /* of the option last returned */
   const char *input;   /* the one argument that is no option; NULL without one */
   int exit_code;
};

enum {
   TOOL_ARG_END = -1,
   TOOL_ARG_EXIT = -2, /* leave with tool_args.exit_code: --help, or an error that was reported */
};

/* The index of the next option in the tool's table, or one of the above. */
int tool_next(struct tool_args *args);

/* Report a wrong command line; returns TOOL_USAGE. */
int tool_usage(const struct tool *tool, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* A file in memory, followed by a zero byte. */
struct tool_file {
   const char *name;
   char *data;
   size_t size;
};

/* Read a file, "-" for standard input; at most 256 MB.  False: reported. */
bool tool_read(const struct tool *tool, const char *name, struct tool_file *file);

/* The same with another limit, in bytes. */
bool tool_read_up_to(const struct tool *tool, const char *name, size_t limit,
                     struct tool_file *file);

/* Write a file at once, "-" or NULL for standard output.  False: reported. */
bool tool_write(const struct tool *tool, const char *name, const void *data, size_t size);

/* file:line:column: error: message, then the line and a caret.  Line 0: the whole file; column 0:
 * the line's first character. */
void tool_error(const struct tool_file *file, unsigned line, unsigned column, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

/* Does the file hold text?  Binary streams of words have zero bytes near their start. */
bool tool_is_text(const struct tool_file *file);

/* Its dwords (little endian), or NULL if the size is no multiple of four or memory is out
 * (reported).  free() them. */
uint32_t *tool_words(const struct tool_file *file, size_t *count);

/* The value of an option that is a number. */
bool tool_number(const struct tool *tool, const char *option, const char *value, uint32_t max,
                 uint32_t *number);

#endif /* ATOLL_TOOL_H */
