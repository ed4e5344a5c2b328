/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetch: one element per lane from a buffer (HD 6900 ISA 9.3), and the size of a buffer.
 *
 * The byte offset of an element is (index + what is added to it) * stride + offset; the sum of
 * indices wraps at 32 bits, the rest does not.  Bytes at or beyond the buffer's size, and bytes
 * that are not mapped, read zero; an element that lies across the end keeps its first bytes,
 * because drivers fetch three-component vertices with four-component formats.
 */
#include "memory/vm.h"
#include "td/decode.h"
#include "port/fetch.h"
#include "td/vtx.h"

static void
write_component(uint32_t *dst, const wave_lane v, uint64_t lanes)
{
   for (unsigned n = 0; n < VECTORS; n++)
      vu_store_masked(&dst[n * VW], vm_lanes(lanes, n), vu_load(&v[n * VW]));
}

static void
write_constant(uint32_t *dst, uint32_t v, uint64_t lanes)
{
   for (unsigned n = 0; n < VECTORS; n++)
      vu_store_masked(&dst[n * VW], vm_lanes(lanes, n), vu_splat(v));
}

static void
run_zero(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4],
         uint64_t lanes)
{
   const struct vtx *v = vtx_of(bind);
   for (unsigned i = 0; i < 4; i++)
      if (dst[i] && v->sel[i] <= SWIZZLE_1)
         write_constant(dst[i], v->sel[i] == SWIZZLE_1 ? td_one(&v->decode) : 0, lanes);
}

static void
run_count(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4],
          uint64_t lanes)
{
   const struct vtx *v = vtx_of(bind);
   for (unsigned i = 0; i < 4; i++)
      if (dst[i] && v->sel[i] <= SWIZZLE_1)
         write_constant(dst[i], v->sel[i] == SWIZZLE_X ? v->count : v->sel[i] == SWIZZLE_1, lanes);
}

void
K(td_fetch_general)(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4],
                    uint64_t lanes)
{
   const struct vtx *v = vtx_of(bind);
   const struct td_decode *d = &v->decode;
   unsigned bytes = d->bytes, dwords = (bytes + 3) / 4;
   const uint8_t *p[WAVE_LANES];
   uint8_t copy[WAVE_LANES][16];
   struct td_raw raw;

   for (uint64_t m = lanes; m; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctzll(m);
      uint64_t at = (uint64_t)(uint32_t)(index[l] + v->add) * v->stride + v->offset;
      if (at + bytes <= v->safe) {
         p[l] = v->base + at;
         continue;
      }
      memset(copy[l], 0, bytes);
      if (at < v->size)
         vm_read(v->space, v->va + at, copy[l], v->size - at < bytes ? v->size - at : bytes);
      p[l] = copy[l];
   }
   for (unsigned i = dwords; i < 4; i++)
      memset(raw.dword[i], 0, sizeof(wave_lane));
   td_raw_load(&raw, p, bytes, lanes);
   td_raw_swap(&raw, d->byte_swap, dwords);
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = v->sel[i];
      if (!dst[i] || sel > SWIZZLE_1)
         continue;
      if (sel > SWIZZLE_W) {
         write_constant(dst[i], sel == SWIZZLE_1 ? td_one(d) : 0, lanes);
         continue;
      }
      wave_lane out;
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&out[n * VW], td_decode_channel(d, &raw, sel, n));
      write_component(dst[i], out, lanes);
   }
}

void
K(td_bind_vtx)(struct td_vtx_bind *bind, const struct elements *elements)
{
   const uint8_t s = elements->sign, signs[4] = { s, s, s, s };
   struct vtx *v = (struct vtx *)(void *)bind->state;

   memset(v, 0, sizeof(*v));
   v->space = elements->vm;
   for (unsigned i = 0; i < 4; i++)
      v->sel[i] = elements->swizzle[i];
   bind->run = run_zero;
   if (elements->counted) {
      v->count = elements->count;
      bind->run = run_count;
      return;
   }
   td_decode_init(&v->decode, elements->format, elements->conversion, signs, elements->no_zero,
                  elements->byte_swap, false);
   if (v->decode.cls == CLASS_NONE || format_info[elements->format].width > 1) {
      v->decode.cls = CLASS_NONE;
      return;
   }

   v->va = elements->va;
   v->size = elements->size;
   v->stride = elements->stride;
   v->offset = elements->offset;
   v->add = elements->add;
   if (elements->ring) {
      v->size = 0;
      v->safe = elements->ring_bytes;
      v->base = elements->ring;
   } else {
      v->safe = v->va < VM_SIZE ? vm_extent(v->space, v->va, v->size) : 0;
      v->base = v->safe ? vm_pointer(v->space, v->va) : NULL;
   }
   bind->run = K(td_fetch_special)(v);
}

void
K(td_vtx_element)(const struct td_vtx_bind *bind, uint32_t index, struct td_element *e)
{
   const struct vtx *v = vtx_of(bind);

   *e = (struct td_element){
      .at = (uint64_t)(uint32_t)(index + v->add) * v->stride + v->offset,
      .size = v->size > v->safe ? v->size : v->safe,
      .bytes = v->decode.bytes,
   };
   if (v->base && e->at <= v->safe && v->safe - e->at >= e->bytes)
      e->host = v->base + e->at;
}
