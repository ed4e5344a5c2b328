/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetch: one element per lane from a buffer (HD 6900 ISA 9.3), and the size of a buffer.
 *
 * The byte offset of an element is (index + the instruction's vertex or instance base) * stride +
 * OFFSET; the sum of indices wraps at 32 bits, the rest does not.  Bytes at or beyond the buffer's
 * size, and bytes that are not mapped, read zero; an element that lies across the end keeps its
 * first bytes, because drivers fetch three-component vertices with four-component formats.
 */
#include <atoll/cayman/descriptors.h>

#include "memory/vm.h"
#include "td/decode.h"
#include "td/td.h"
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
      if (dst[i] && v->sel[i] <= SQ_SEL_1)
         write_constant(dst[i], v->sel[i] == SQ_SEL_1 ? td_one(&v->decode) : 0, lanes);
}

static void
run_count(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4],
          uint64_t lanes)
{
   const struct vtx *v = vtx_of(bind);
   for (unsigned i = 0; i < 4; i++)
      if (dst[i] && v->sel[i] <= SQ_SEL_1)
         write_constant(dst[i], v->sel[i] == SQ_SEL_X ? v->count : v->sel[i] == SQ_SEL_1, lanes);
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
   td_raw_swap(&raw, d->endian, dwords);
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = v->sel[i];
      if (!dst[i] || sel > SQ_SEL_1)
         continue;
      if (sel > SQ_SEL_W) {
         write_constant(dst[i], sel == SQ_SEL_1 ? td_one(d) : 0, lanes);
         continue;
      }
      wave_lane out;
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&out[n * VW], td_decode_channel(d, &raw, sel, n));
      write_component(dst[i], out, lanes);
   }
}

void
K(td_bind_vtx)(struct td_vtx_bind *bind, const struct td_vtx_desc *desc)
{
   struct vtx *v = (struct vtx *)(void *)bind->state;
   const uint32_t *w = desc->resource;

   memset(v, 0, sizeof(*v));
   v->space = desc->vm;
   for (unsigned i = 0; i < 4; i++)
      v->sel[i] = desc->dst_sel[i];
   bind->run = run_zero;
   if (!w || REG_FIELD_GET(w[7], BUF_WORD7, TYPE) != SQ_RESOURCE_BUFFER)
      return;
   if (desc->op == TD_GET_BUFFER_RESINFO) {
      v->count = w[4];
      bind->run = run_count;
      return;
   }
   if (desc->op != TD_FETCH && desc->op != TD_SEMANTIC)
      return;

   unsigned format = desc->data_format, num = desc->num_format, comp = desc->format_comp;
   unsigned srf = desc->srf_mode, endian = desc->endian;
   if (desc->use_const_fields) {
      const uint8_t res[8] = {
         (uint8_t)REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_X),
         (uint8_t)REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_Y),
         (uint8_t)REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_Z),
         (uint8_t)REG_FIELD_GET(w[3], BUF_WORD3, DST_SEL_W),
         SQ_SEL_0,
         SQ_SEL_1,
         SQ_SEL_0,
         SQ_SEL_MASK,
      };
      format = REG_FIELD_GET(w[2], BUF_WORD2, DATA_FORMAT);
      num = REG_FIELD_GET(w[2], BUF_WORD2, NUM_FORMAT_ALL);
      comp = REG_FIELD_GET(w[2], BUF_WORD2, FORMAT_COMP_ALL);
      srf = REG_FIELD_GET(w[2], BUF_WORD2, SRF_MODE_ALL);
      endian = REG_FIELD_GET(w[2], BUF_WORD2, ENDIAN_SWAP);
      for (unsigned i = 0; i < 4; i++) {
         uint8_t sel = res[v->sel[i] & 7];
         /* A masked component of the resource still writes its register. */
         v->sel[i] = v->sel[i] <= SQ_SEL_W && sel > SQ_SEL_1 ? SQ_SEL_0 : sel;
      }
   }
   unsigned comps[4] = { comp & 1, comp & 1, comp & 1, comp & 1 };
   td_decode_init(&v->decode, format, num, comps, srf, endian, false);
   if (v->decode.cls == TD_INVALID || td_formats[format & 63].block_w > 1) {
      v->decode.cls = TD_INVALID;
      return;
   }

   v->va = w[0] | (uint64_t)REG_FIELD_GET(w[2], BUF_WORD2, BASE_ADDRESS_HI) << 32;
   v->size = (uint64_t)w[1] + 1;
   v->stride = desc->const_buf_no_stride ? 0 : REG_FIELD_GET(w[2], BUF_WORD2, STRIDE);
   v->offset = desc->offset;
   v->add = desc->fetch_type == 0   ? desc->base_vertex
            : desc->fetch_type == 1 ? desc->start_instance
                                    : 0;
   if (desc->ring) {
      v->size = 0;
      v->safe = desc->ring_bytes;
      v->base = desc->ring;
   } else {
      v->safe = v->va < VM_SIZE ? vm_extent(v->space, v->va, v->size) : 0;
      v->base = v->safe ? vm_pointer(v->space, v->va) : NULL;
   }
   td_vtx_fn *special = K(td_fetch_special)(v);
   bind->run = special ? special : K(td_fetch_general);
}
