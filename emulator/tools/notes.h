/* SPDX-License-Identifier: MIT */
/*
 * Notes of programs and markers, as atoll/notes.h has them, read from a client's memory and
 * packets.
 */
#ifndef ATOLL_TOOLS_NOTES_H
#define ATOLL_TOOLS_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <atoll/notes.h>

struct vm;

/* Bytes of notes that a debugger keeps; of programs that it sees later it takes none. */
#define NOTES_KEPT ((size_t)256 << 20)

struct notes {
   char *bytes;                        /* all of them, NULL: there are none */
   size_t size;                        /* that `bytes` has */
   const char *text[ATOLL_NOTE_KINDS]; /* null-terminated; NULL: there is none */
   const uint32_t *map;
   uint32_t map_count; /* of 64 bits of code */
};

/** "glsl" and so on; NULL: of that number there is no text. */
const char *notes_name(unsigned kind);

/** Of `size` bytes, which are taken over and free()d in any case.  False: they are no notes. */
bool notes_take(struct notes *notes, char *bytes, size_t size);

/** Of the program at `va`, of so many bytes.  False: it has none. */
bool notes_read(struct notes *notes, const struct vm *vm, uint64_t va, uint32_t bytes);
/** The next notes of any program from *va on, and before `end`; *va is then the program's address
 *  and *next that of what comes after its notes.  *vain, 0 at first, counts the bytes that were
 *  read of what is none, and ends the search.  False: there are none. */
bool notes_next(struct notes *notes, const struct vm *vm, uint64_t *va, uint64_t end,
                uint64_t *next, uint64_t *vain);
void notes_finish(struct notes *notes);

/** The line of the IL that a dword of the code was made for, from 1 on; 0: unknown. */
uint32_t notes_line(const struct notes *notes, uint32_t dword);

/** A line of a text, from 1 on, and its length; NULL: there is none. */
const char *notes_text(const char *text, uint32_t line, int *length);

/** The text of a marker, cut to `size` bytes with the null byte, without what is not printable.
 *  False: the packet, which is whole, is none. */
bool notes_marker(const uint32_t *packet, char *text, size_t size);

#endif
