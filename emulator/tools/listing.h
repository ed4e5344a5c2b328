/* SPDX-License-Identifier: MIT */
/*
 * The text of a program, by lines, with the instruction that each line is.
 */
#ifndef ATOLL_TOOLS_LISTING_H
#define ATOLL_TOOLS_LISTING_H

#include <stdbool.h>
#include <stdint.h>

struct core_program;
struct vm;

#define LISTING_NONE UINT32_MAX /* a line that is no instruction */

struct listing_line {
   const char *text;
   uint32_t origin; /* core_wave.origin of it, or LISTING_NONE */
};

struct listing {
   uint64_t va;
   uint32_t unit; /* bytes from origin to origin */
   uint32_t bytes;
   uint32_t count;
   struct listing_line *lines;
   char *text;
};

/** Of a program that lies in memory.  False: it does not, or memory is out. */
bool listing_make(struct listing *l, const struct vm *vm, const struct core_program *program);
void listing_finish(struct listing *l);

/** The number of an instruction's line, from 0 on; LISTING_NONE: it has none. */
uint32_t listing_find(const struct listing *l, uint32_t origin);

#endif
