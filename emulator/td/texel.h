/* SPDX-License-Identifier: MIT */
/* Which texel LD reads (load.c), for observers.  Kernels only. */
#ifndef ATOLL_TD_TEXEL_H
#define ATOLL_TD_TEXEL_H

#include "kernel.h"
#include "port/fetch.h"

bool K(td_tex_texel)(const struct td_tex_bind *bind, const uint32_t at[4], struct td_element *e);

#endif
