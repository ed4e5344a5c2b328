/* SPDX-License-Identifier: MIT */
#ifndef ATOLL_SQ_NATIVE_MAP_H
#define ATOLL_SQ_NATIVE_MAP_H

#include <stddef.h>

/** Executable pages with a copy of the code, or NULL where the host refuses them. */
void *sq_code_map(const void *code, size_t bytes);
/** Gives them back; NULL is nothing. */
void sq_code_unmap(void *code, size_t bytes);

#endif
