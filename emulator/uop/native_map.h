/* SPDX-License-Identifier: MIT */
#ifndef ATOLL_UOP_NATIVE_MAP_H
#define ATOLL_UOP_NATIVE_MAP_H

#include <stdbool.h>
#include <stddef.h>

/** False if ATOLL_NATIVE=0 asks for interpretation. */
bool uop_native_wanted(void);
/** Executable pages with a copy of the code, or NULL where the host refuses them. */
void *uop_native_map(const void *code, size_t bytes);
/** Gives them back; NULL is nothing. */
void uop_native_unmap(void *code, size_t bytes);

#endif
