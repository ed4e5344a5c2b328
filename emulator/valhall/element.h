/* SPDX-License-Identifier: MIT */
/* Descriptors of the device: attributes, and buffers of texels that TEX_FETCH reads
 * (docs/valhall-chip.rst). */
#ifndef ATOLL_VALHALL_ELEMENT_H
#define ATOLL_VALHALL_ELEMENT_H

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "regs.h"
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

static inline bool
vh_is_buffer(const uint32_t *resource)
{
   return resource && REG_FIELD_GET(resource[7], BUF_WORD7, TYPE) == SQ_RESOURCE_BUFFER;
}

/** The fetch of a texture buffer's texels: format and all are the resource's. */
static inline struct cayman_vertex_fetch
vh_texel_buffer(const uint32_t *resource, const struct vm *vm)
{
   return (struct cayman_vertex_fetch){
      .fetch_type = 2,
      .use_const_fields = true,
      .dst_sel = { 0, 1, 2, 3 },
      .resource = resource,
      .vm = vm,
   };
}

#endif
