/* SPDX-License-Identifier: MIT */
/* Machine code as files hold it: raw words, or an ELF file that names their instruction set. */
#ifndef ATOLL_CODE_H
#define ATOLL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa.h"

#include "tool.h"

/* --isa in a table of options. */
#define CODE_ISA_OPTION(help)            \
   {                                     \
      "isa", 'i', "ISA", isa_names, help \
   }

struct code {
   const struct isa *isa;
   uint32_t *words;
   size_t num_dwords;
   const char *before, *after; /* in the file; not terminated */
   size_t before_size, after_size;
};

/* The instruction set that --isa names, or NULL: reported. */
const struct isa *code_isa(const struct tool *tool, const char *name);

/* The program in a file.  `given` is what --isa says, or NULL: what the file says, else Cayman.
 * False: reported.  free() the words. */
bool code_read(const struct tool_file *file, const struct isa *given, struct code *code);

#endif /* ATOLL_CODE_H */
