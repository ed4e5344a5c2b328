/* SPDX-License-Identifier: MIT */
/*
 * What every instruction set says when it refuses a text or words: where, and which rule.
 */
#ifndef ISA_ERROR_H
#define ISA_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/** Where and why something was refused; line and column count from 1, 0: the whole input. */
struct isa_error {
   uint32_t line, column;
   char text[256];
};

/** Fills an error (may be NULL); the format is printf's.  Returns false. */
bool isa_fail(struct isa_error *error, uint32_t line, uint32_t column, const char *format, ...)
   __attribute__((format(printf, 4, 5)));
bool isa_vfail(struct isa_error *error, uint32_t line, uint32_t column, const char *format,
               va_list args) __attribute__((format(printf, 4, 0)));

#endif /* ISA_ERROR_H */
