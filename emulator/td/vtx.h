/* SPDX-License-Identifier: MIT */
/*
 * A vertex fetch: the private face of td_vtx_bind.  For kernels only.
 */
#ifndef ATOLL_TD_VTX_H
#define ATOLL_TD_VTX_H

#include "port/state.h"
#include "td/decode.h"
#include "port/fetch.h"
#include "port/texture.h"

struct vtx {
   const struct vm *space;
   const uint8_t *base; /* of the first byte */
   uint64_t safe;       /* bytes from base on that may be read directly */
   uint64_t va, size;
   uint32_t stride, offset, add, count;
   uint8_t sel[4]; /* per register: enum swizzle */
   struct td_decode decode;
};

_Static_assert(sizeof(struct vtx) <= sizeof(((struct td_vtx_bind *)0)->state), "bind is too small");

V_INLINE const struct vtx *
vtx_of(const struct td_vtx_bind *bind)
{
   return (const struct vtx *)(const void *)bind->state;
}

/* Any format. */
void K(td_fetch_general)(const struct td_vtx_bind *bind, const uint32_t *index,
                         uint32_t *const dst[4], uint64_t lanes);

/* What reads the elements, and a line about it if ATOLL_DEBUG has `td`. */
td_vtx_fn *K(td_fetch_special)(const struct vtx *v);

/* The entries of struct kernels. */
void K(td_bind_vtx)(struct td_vtx_bind *bind, const struct elements *elements);
void K(td_vtx_element)(const struct td_vtx_bind *bind, uint32_t index, struct td_element *e);

#endif
