/* SPDX-License-Identifier: MIT */
/*
 * Programs that a debugger has come across: their listings, and where a driver left notes, the
 * lines of IL that their instructions were made for.
 */
#ifndef ATOLL_TOOLS_SOURCES_H
#define ATOLL_TOOLS_SOURCES_H

#include "listing.h"
#include "notes.h"

struct source {
   uint64_t va;
   uint32_t words;
   bool noted; /* it has notes */
   struct notes notes;
   struct listing listing;
   uint32_t *lines; /* of IL, for each line of the listing; 0: unknown */
};

struct sources {
   struct source *list;
   unsigned count;
   size_t noted; /* bytes of their notes */
};

/** A program of a wave, until the next call; NULL: it does not lie in memory, or none is left. */
const struct source *sources_find(struct sources *s, const struct vm *vm,
                                  const struct core_program *program);
/** Memory may be another from here on. */
void sources_forget(struct sources *s);

/** The line of IL of an instruction; 0: unknown. */
uint32_t source_line(const struct source *s, uint32_t origin);
/** The first instruction of a line of IL, or of the next that has one, which *line becomes;
 *  LISTING_NONE: there is none. */
uint32_t source_origin(const struct source *s, uint32_t *line);

#endif
