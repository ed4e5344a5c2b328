/* SPDX-License-Identifier: MIT */
/* Descriptors of the device: attributes, and buffers of texels that TEX_FETCH reads
 * (docs/valhall-chip.rst). */
#ifndef ATOLL_VALHALL_ELEMENT_H
#define ATOLL_VALHALL_ELEMENT_H

#include "port/views.h"
#include "valhall/valhall.h"

/** The element's number: instances are shared, and doubled strides take every other. */
static inline uint32_t
vh_element_index(const struct vh_device *d, const struct attribute *ref, uint32_t vertex,
                 uint32_t instance)
{
   const uint32_t n =
      ref->divisor ? instance / ref->divisor + d->start_instance : vertex + d->base_vertex;

   return ref->twice ? 2 * n : n;
}

/** The view that a handle names: slots of the table that is for it, or UINT32_MAX.  A Mali's tables
 *  are what its driver makes of them: of another table than the usual one, the number less one is
 *  in the upper half. */
static inline uint32_t
vh_slot(bool mali, uint32_t usual, uint32_t first, uint32_t table, uint32_t index)
{
   if (table == usual)
      return index < 4096 ? first + index : UINT32_MAX;
   return mali && table < 64 && index < 4096 ? (table + 1) << 16 | index : UINT32_MAX;
}

/** A lookup through a sampler of coordinates in texels is of such. */
static inline void
vh_take_texels(const struct vh_device *d, const struct td_views *views, struct td_lookup *lookup,
               uint32_t sampler)
{
   if (d->in_texels && d->in_texels(views, sampler))
      lookup->normalized &= (uint8_t)~7u;
}

/** The fetch of a texture buffer's texels, as the buffer describes them; `run` is NULL of what is
 *  none. */
static inline void
vh_bind_texels(const struct td_views *views, const struct kernels *kernels,
               struct td_vtx_bind *bind, uint32_t n)
{
   struct elements texels;

   bind->run = NULL;
   if (n < TD_VERTEX_BUFFERS && views->ops->buffer(views, n, &texels))
      kernels->td_bind_vtx(bind, &texels);
}

#endif
