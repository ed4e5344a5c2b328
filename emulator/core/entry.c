/* SPDX-License-Identifier: MIT */
/*
 * Rows of entry values that an engine need not clear.
 */
#include "core/core.h"

#define ALL ~UINT64_C(0)

const struct core_entry core_entry_all = { .filled = { ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL } };
