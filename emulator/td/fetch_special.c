/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetch of elements of one to four dwords that lie wholly inside what may be read: elements
 * are loaded 16 bytes at a time and transposed to lane-minor components, but for those that follow
 * each other dword by dword, or are one and the same.  A wave of which an element is too close to
 * the end takes the general path.
 */
#include "port/quotient.h"
#include "td/rows.h"
#include "td/samplers.h"
#include "td/vtx.h"

/* Byte offsets of the elements; false: some element of a lane of the mask needs care. */
V_INLINE bool
find_offsets(const struct vtx *v, const uint32_t *index, uint64_t lanes, unsigned need,
             wave_lane offsets)
{
   vu most = vu_splat(0), stride = vu_splat(v->stride), offset = vu_splat(v->offset);

   for (unsigned n = 0; n < VECTORS; n++) {
      vu i = vu_keep(vm_lanes(lanes, n), vu_loadu(&index[n * VW]) + vu_splat(v->add));
      most = vu_max(most, i);
      vu_store(&offsets[n * VW], i * stride + offset);
   }
   uint32_t all[VW], max = 0;
   memcpy(all, &most, sizeof(all));
   for (unsigned i = 0; i < VW; i++)
      max = all[i] > max ? all[i] : max;
   uint64_t end = (uint64_t)max * v->stride + v->offset + need;
   return end <= v->safe && end <= UINT32_MAX;
}

/* One vector's worth of elements as components, where those of a row begin with dwords that follow
 * each other, or all are one: loads, or splats, and no transposition.  False: they are neither. */
V_INLINE bool
load_in_order(const uint8_t *base, const uint32_t *offsets, unsigned dwords, vf out[4])
{
   const vu apart = vu_load(offsets) - first_of_rows(offsets);
   const uint8_t *p = base + offsets[0], *q = base + offsets[VW - ROW_LANES];

   if (!vm_any(vu_ne(apart, steps_of_rows(4)))) {
      for (unsigned i = 0; i < dwords; i++)
         out[i] = (vf)load_rows(p + i * 4, q + i * 4);
      return true;
   }
   if (vm_any(vu_ne(apart, vu_splat(0))))
      return false;
   for (unsigned i = 0; i < dwords; i++) {
      uint32_t same[VW];

      memcpy(&same[0], p + i * 4, 4);
      memcpy(&same[VW - ROW_LANES], q + i * 4, 4);
      out[i] = (vf)first_of_rows(same);
   }
   return true;
}

/* A dword of each. */
V_INLINE vu
load_dwords(const uint8_t *base, const uint32_t *offsets)
{
   uint32_t each[VW] __attribute__((aligned(VW * 4)));
   vf v[4];

   if (load_in_order(base, offsets, 1, v))
      return (vu)v[0];
   for (unsigned i = 0; i < VW; i++)
      memcpy(&each[i], base + offsets[i], 4);
   return vu_load(each);
}

enum kind {
   FETCH_WORDS, /* dwords as they are */
   FETCH_BYTES, /* four unsigned normalised ones */
   FETCH_DECODED,
};

/* One vector's worth of elements as components. */
V_INLINE void
load_components(const uint8_t *base, const uint32_t *offsets, unsigned dwords, vf out[4])
{
   if (dwords == 1) {
      out[0] = (vf)load_dwords(base, offsets);
      return;
   }
   if (load_in_order(base, offsets, dwords, out))
      return;
   for (unsigned i = 0; i < 4; i++) {
      const float *p[VW / 4];
      for (unsigned q = 0; q < VW / 4; q++)
         p[q] = (const float *)(const void *)(base + offsets[4 * q + i]);
      out[i] = vf_load_quads(p);
   }
   vf_transpose_quads(out);
}

/* Channel c, of four constants. */
V_INLINE vf
bytes_of(const struct td_decode *d, vu texel, unsigned c)
{
   switch (d->channel[c].pos / 8) {
   case 0:
      return byte_quotient_nearest(texel, 0);
   case 1:
      return byte_quotient_nearest(texel, 1);
   case 2:
      return byte_quotient_nearest(texel, 2);
   default:
      return byte_quotient_nearest(texel, 3);
   }
}

/* The one component that is asked for, a dword of the element as it is; 4: there is no such, or
 * more. */
static unsigned
only_component(const struct vtx *v, uint32_t *const dst[4])
{
   unsigned only = 4, count = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (dst[i] && v->sel[i] <= SWIZZLE_1) {
         only = i;
         count++;
      }
   }
   return count == 1 && v->sel[only] <= SWIZZLE_W && v->decode.channel[v->sel[only]].bits ? only
                                                                                          : 4;
}

/* False: some element of a lane of the mask needs care. */
V_INLINE bool
fetch_component(const struct vtx *v, const uint32_t *index, uint32_t *dst, uint64_t lanes,
                unsigned dwords, unsigned channel)
{
   const uint8_t *base = v->base + channel * 4;
   wave_lane offsets;

   if (!find_offsets(v, index, lanes, dwords * 4, offsets))
      return false;
   for (unsigned n = 0; n < VECTORS; n++) {
      const vu x = load_dwords(base, &offsets[n * VW]);

      if (lanes == ~UINT64_C(0))
         vu_store(&dst[n * VW], x);
      else
         vu_store_masked(&dst[n * VW], vm_lanes(lanes, n), x);
   }
   return true;
}

/* Whether the components that an element has go where they are in it. */
V_INLINE bool
in_element_order(const struct vtx *v, uint32_t *const dst[4], unsigned dwords)
{
   for (unsigned i = 0; i < dwords; i++)
      if (!dst[i] || v->sel[i] != i || !v->decode.channel[i].bits)
         return false;
   return true;
}

/* Dwords of all lanes as they are, and nothing else. */
V_INLINE void
fetch_words(const struct vtx *v, const uint32_t *offsets, uint32_t *const dst[4], unsigned dwords)
{
   for (unsigned n = 0; n < VECTORS; n++) {
      vf c[4];

      load_components(v->base, &offsets[n * VW], dwords, c);
      for (unsigned i = 0; i < dwords; i++)
         vf_store(&dst[i][n * VW], c[i]);
   }
}

V_INLINE void
fetch(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4], uint64_t lanes,
      unsigned dwords, enum kind kind)
{
   const struct vtx *v = vtx_of(bind);
   const struct td_decode *d = &v->decode;
   wave_lane offsets;
   struct td_raw raw;

   if (kind == FETCH_WORDS && dwords > 1) {
      const unsigned only = only_component(v, dst);

      if (only < 4 && fetch_component(v, index, dst[only], lanes, dwords, v->sel[only]))
         return;
   }
   if (!find_offsets(v, index, lanes, dwords == 1 ? 4 : 16, offsets) ||
       (kind == FETCH_BYTES && !rounds_to_nearest())) {
      K(td_fetch_general)(bind, index, dst, lanes);
      return;
   }
   uint32_t one = td_one(d);
   if (kind == FETCH_WORDS && dwords == 4 && lanes == ~UINT64_C(0) &&
       in_element_order(v, dst, dwords)) {
      fetch_words(v, offsets, dst, dwords);
      return;
   }
   for (unsigned n = 0; n < VECTORS; n++) {
      vf c[4];
      load_components(v->base, &offsets[n * VW], dwords, c);
      if (kind == FETCH_DECODED)
         for (unsigned i = 0; i < dwords; i++)
            vf_store(&raw.dword[i][n * VW], c[i]);
      for (unsigned i = 0; i < 4; i++) {
         unsigned sel = v->sel[i];
         vu x;
         if (!dst[i] || sel > SWIZZLE_1)
            continue;
         if (sel > SWIZZLE_W || !d->channel[sel].bits)
            x = vu_splat(sel == SWIZZLE_1 || sel == SWIZZLE_W ? one : 0);
         else if (kind == FETCH_WORDS)
            x = (vu)c[sel];
         else if (kind == FETCH_BYTES)
            x = (vu)bytes_of(d, (vu)c[0], sel);
         else
            x = td_decode_channel(d, &raw, sel, n);
         if (lanes == ~UINT64_C(0))
            vu_store(&dst[i][n * VW], x);
         else
            vu_store_masked(&dst[i][n * VW], vm_lanes(lanes, n), x);
      }
   }
}

/* F(kind, dwords of an element) */
#define FETCHES(F) \
   F(WORDS, 1)     \
   F(WORDS, 2)     \
   F(WORDS, 3)     \
   F(WORDS, 4)     \
   F(BYTES, 1)     \
   F(DECODED, 1)   \
   F(DECODED, 2)   \
   F(DECODED, 3)   \
   F(DECODED, 4)
#define FETCH(kind, dwords)                                                                   \
   static void fetch_##kind##_##dwords(const struct td_vtx_bind *bind, const uint32_t *index, \
                                       uint32_t *const dst[4], uint64_t lanes)                \
   {                                                                                          \
      fetch(bind, index, dst, lanes, dwords, FETCH_##kind);                                   \
   }
FETCHES(FETCH)
#undef FETCH

td_vtx_fn *
K(td_fetch_special)(const struct vtx *v)
{
#define ROW(kind, dwords) \
   [FETCH_##kind][dwords] = { fetch_##kind##_##dwords, "fetch " #kind " " #dwords },
   static const struct {
      td_vtx_fn *run;
      const char *name;
   } table[3][5] = { FETCHES(ROW) };
#undef ROW
   const struct td_decode *d = &v->decode;
   bool words = d->cls == CLASS_FLOAT || (d->cls == CLASS_PLAIN && d->conversion == CONVERT_INT);
   enum kind kind = FETCH_DECODED;
   const char *why = NULL;

   if (d->byte_swap != BYTE_SWAP_NONE)
      why = "bytes change ends";
   else if (d->bytes % 4 || d->bytes == 0 || d->bytes > 16)
      why = "elements are not of one to four dwords";
   if (why) {
      K(td_print_fetch)(d, v->stride, NULL, why);
      return K(td_fetch_general);
   }
   for (unsigned c = 0; c < 4; c++)
      words &= d->channel[c].bits == 32 || d->channel[c].bits == 0;
   if (words)
      kind = FETCH_WORDS;
   else if (d->bytes == 4 && td_decode_can_unorm8(d))
      kind = FETCH_BYTES;
   K(td_print_fetch)(d, v->stride, table[kind][d->bytes / 4].name, NULL);
   return table[kind][d->bytes / 4].run;
}
