/* SPDX-License-Identifier: MIT */
/* Notes of programs, and markers, for debuggers and captures (atoll/notes.h). */
#ifndef ATOLL_DRIVER_NOTES_H
#define ATOLL_DRIVER_NOTES_H

#include <stddef.h>
#include <stdint.h>

struct il_program;
struct nir_shader;
struct pipe_context;
struct shader_code;

/** The notes of a program, for free(), without its address; NULL: there is no memory. */
void *atoll_make_notes(const struct nir_shader *nir, const struct il_program *il,
                       const struct shader_code *code, size_t *size);
/** Writes them to memory, with the program's address. */
void atoll_put_notes(void *to, const void *notes, size_t size, uint64_t va);

/** A packet that holds a text and does nothing. */
void atoll_emit_marker(struct pipe_context *pipe, const char *text, int length);

#endif
