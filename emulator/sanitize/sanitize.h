/* SPDX-License-Identifier: MIT */
/*
 * The sanitizer for shaders: an observer (core/core.h) that looks at what programs of all stages
 * execute and reports what is wrong with it: the kinds of kinds.def.
 *
 * Some are reported where they happen: races and barriers (access.c), and memory barriers that are
 * missing between draws (order.c).  The others are bad
 * values, and a bad value is no fault as long as it is thrown away: compilers compute for both
 * sides of a condition, load whole vectors, and leave channels as they were.  So a bad value is
 * followed from the operation that made it through registers and shared memory (values.c), and
 * reported where it is used: exported, stored, branched on, or an address that is written.
 *
 * A finding (findings.c) is a kind, a program and its two instructions.  It is reported once, with
 * the first invocation that has it, and counted.
 *
 * Waves are observed one by one (the device has one worker then), so that the findings and their
 * order do not depend on how many threads there are.
 */
#ifndef ATOLL_SANITIZE_H
#define ATOLL_SANITIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core_observer;
struct core_wave;
struct sanitizer;

enum sanitize_kind {
#define KIND(id, ...) SANITIZE_##id,
#include "sanitize/kinds.def"
   SANITIZE_KINDS
};

struct sanitizer_options {
   uint32_t kinds;           /* a bit each */
   const char *json, *sarif; /* files that are written after each finding and at the end; or NULL */
   const char *suppressions; /* a file; or NULL */
   bool quiet;               /* nothing on standard error */
   /* The pixel of a lane of a wave of pixels; false: it is not known.  NULL: none is. */
   bool (*pixel)(const struct core_wave *wave, unsigned lane, int32_t at[2]);
};

/** The kinds that a setting names: a list of names with commas between them, `all`, `default` (as
 *  is `1`); a minus sign before a name takes it away.  0: it names nothing, or "" or "0".  *wrong,
 *  if not NULL, is the first word that is no kind. */
uint32_t sanitize_kinds(const char *setting, char wrong[32]);

/** NULL: no memory. */
struct sanitizer *sanitizer_create(const struct sanitizer_options *options);
/** The same by the process's environment (docs/sanitizer.rst); NULL, too, if it is not asked for.
 */
struct sanitizer *sanitizer_from_environment(bool (*pixel)(const struct core_wave *wave,
                                                           unsigned lane, int32_t at[2]));
/** Says how often each finding occurred, and writes the files. */
void sanitizer_destroy(struct sanitizer *s);

const struct core_observer *sanitizer_observer(const struct sanitizer *s);

/** From draw or dispatch `number` of the submission on, what draws do has this order: there is no
 *  memory barrier between two of the same.  0: it is not known, as before the first call. */
void sanitizer_order(struct sanitizer *s, uint32_t submission, uint32_t number, uint32_t order);

/** How many findings there are; thread-safe, as the next one. */
size_t sanitizer_count(struct sanitizer *s);
/** The text of finding n, null-terminated, as much of it as there is room for, and its kind. */
bool sanitizer_read(struct sanitizer *s, size_t n, char *text, size_t size, uint8_t *kind);

#endif
