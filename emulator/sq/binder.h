/* SPDX-License-Identifier: MIT */
/*
 * Cayman's binder (binder.c), and its part that binds what a program writes (binder_memory.c).
 */
#ifndef ATOLL_SQ_BINDER_H
#define ATOLL_SQ_BINDER_H

#include "bind/binder.h"

extern const struct binder binder_cayman;

bool sq_bind_memory(const struct bind_share *share, struct core_bind *core,
                    const struct bind_source *source, bool *ordered);

#endif
