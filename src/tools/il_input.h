/* SPDX-License-Identifier: MIT */
/* Reading IL for the tools that take it: text or binary, errors reported with their lines. */
#ifndef ATOLL_IL_INPUT_H
#define ATOLL_IL_INPUT_H

#include <stdbool.h>

#include "il/il.h"

#include "tool.h"

/* The program in the file, or NULL: reported.  `hint`, or "": what follows the message about
 * dwords that are no stream. */
struct il_program *il_input_read(const struct tool_file *file, enum il_numbering numbering,
                                 const char *hint);

/* Whether it obeys the rules; else reported, at the line or dword of the instruction. */
bool il_input_validate(const struct tool_file *file, const struct il_program *p,
                       enum il_standard standard);

/* Report what is wrong with instruction `index`. */
void il_input_error(const struct tool_file *file, const struct il_program *p, unsigned index,
                    const char *text);

/* Report why a program is not compiled for Cayman, at the instruction that the message names. */
void il_input_not_compiled(const struct tool_file *file, const struct il_program *p,
                           const char *message);

/* Report why a program is not executed directly, likewise. */
void il_input_refused(const struct tool_file *file, const struct il_program *p,
                      const char *message);

#endif /* ATOLL_IL_INPUT_H */
