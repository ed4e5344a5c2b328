/* SPDX-License-Identifier: MIT */
/*
 * Notes: what a driver says of its programs and draws for debuggers and captures.
 *
 * A program's notes lie in memory after its machine code, at the first multiple of 256 bytes that
 * is free: a struct atoll_notes, then parts, each a struct atoll_note and its bytes, padded to a
 * multiple of 8.  Whatever keeps the memory keeps them.  A marker is a packet NOP with a payload
 * that begins with ATOLL_MARKER; its text is padded with null bytes.
 *
 * ATOLL_DEBUG=notes has the driver write both.  All numbers are little-endian.
 */
#ifndef ATOLL_NOTES_H
#define ATOLL_NOTES_H

#include <stdint.h>

#define ATOLL_NOTES_MAGIC "ATOLNOTE"
#define ATOLL_NOTES_ALIGN 256u

struct atoll_notes {
   char magic[8];  /* without a null byte */
   uint64_t va;    /* of the program */
   uint32_t bytes; /* of all, this included */
   uint32_t parts;
};

enum atoll_note_kind {
   ATOLL_NOTE_NAME, /* text: the stage, what Mesa calls the program, and its label */
   ATOLL_NOTE_GLSL, /* text: its source, if it has one source alone */
   ATOLL_NOTE_NIR,  /* text */
   ATOLL_NOTE_IL,   /* text */
   ATOLL_NOTE_MAP,  /* 32 bits for each 64 bits of code: the line of the IL that they were made
                     * for, from 1 on, or 0 */
   ATOLL_NOTE_KINDS
};

struct atoll_note {
   uint32_t kind;  /* enum atoll_note_kind; others are left out */
   uint32_t bytes; /* that follow, without their padding; texts have no null byte */
};

#define ATOLL_MARKER 0x4b52414du /* the first dword of a marker's payload */

#endif
