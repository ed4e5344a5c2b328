/* SPDX-License-Identifier: MIT */
/* Descriptors of the device: attributes, and buffers of texels that TEX_FETCH reads
 * (docs/valhall-chip.rst). */
#ifndef ATOLL_VALHALL_ELEMENT_H
#define ATOLL_VALHALL_ELEMENT_H

#include "td/views.h"
#include "valhall/valhall.h"

/** Decodes eight dwords; what is no attribute descriptor reads zero. */
static inline void
vh_decode_element(struct vh_vtx_ref *ref, const uint32_t *d)
{
   *ref = (struct vh_vtx_ref){
      .resource = d[0] >> 8 & 0xff,
      .divisor = d[2],
      .twice = d[1] >> 16 & 1,
      .desc = {
         .op = (d[0] & 15) == 5 ? 0 : UINT8_MAX,
         .fetch_type = 2, /* the index is what it is when it comes to the fetch */
         .data_format = d[1] & 63,
         .num_format = d[1] >> 8 & 3,
         .format_comp = d[1] >> 10 & 1,
         .srf_mode = d[1] >> 11 & 1,
         .endian = d[1] >> 12 & 3,
         .offset = (uint16_t)(d[0] >> 16),
      },
   };
   for (unsigned c = 0; c < 4; c++) {
      const unsigned sel = c < 3 ? d[1] >> (20 + 3 * c) & 7 : d[1] >> 29 & 7;
      ref->desc.dst_sel[c] = (uint8_t)sel;
   }
}

/** The element's number: instances are shared, and doubled strides take every other. */
static inline uint32_t
vh_element_index(const struct vh_device *d, const struct vh_vtx_ref *ref, uint32_t vertex,
                 uint32_t instance)
{
   const uint32_t n =
      ref->divisor ? instance / ref->divisor + d->start_instance : vertex + d->base_vertex;

   return ref->twice ? 2 * n : n;
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
