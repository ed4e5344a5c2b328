/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil tests (kernels).
 *
 * Early tests take an 8x8 block of one primitive, row-major; the usual cases have a function each
 * (format x comparison x write), chosen once per draw.  Late tests take one segment of a wave, in
 * which no pixel occurs twice, in quad order.
 *
 * A UNORM depth is compared as the integer that would be stored: round(z * max).
 */
#include <atoll/float_bits.h>

#include "port/quads.h"
#include "sx/test.h"
#include "db/db.h"
#include "sc/sc.h"
#include "cb/cb.h"

/* The range fragments' depths are limited to. */
struct z_range {
   float lo, hi;
   bool on;
};

static inline struct z_range
z_range(const struct draw_state *draw, const struct sc_prim *prim)
{
   const struct db_state *db = draw->db;
   const unsigned v = prim->viewport & (SC_VIEWPORTS - 1);
   struct z_range r = { 0.0f, 1.0f, db->z_format != DEPTH_FLOAT32 };

   if (db->viewport_clamp) {
      const float lo = draw->sc->z_min[v], hi = draw->sc->z_max[v];

      r.lo = !r.on || lo > 0.0f ? lo : 0.0f;
      r.hi = !r.on || hi < 1.0f ? hi : 1.0f;
      r.on = true;
   }
   return r;
}

V_INLINE vf
limit(vf z, struct z_range r)
{
   return r.on ? vf_clamp(z, r.lo, r.hi) : vf_canon(z);
}

/* A depth of 0 to 1 as an integer. */
V_INLINE vu
encode_unorm(unsigned format, vf z)
{
   return (vu)vi_round_raw(z * vf_splat(format == DEPTH_UNORM16 ? 65535.0f : 16777215.0f));
}

/* The stored form: an integer, or the float's bits. */
V_INLINE vu
encode_z(unsigned format, vf z)
{
   return format == DEPTH_UNORM16 || format == DEPTH_UNORM24
             ? encode_unorm(format, vf_clamp(z, 0.0f, 1.0f))
             : (vu)z;
}

V_INLINE vm
compare_z(unsigned format, unsigned func, vu fragment, vu memory)
{
   if (format == DEPTH_FLOAT32)
      return compare_float(func, (vf)fragment, (vf)memory);
   if (format == DEPTH_UNORM24)
      memory &= vu_splat(0xffffff);
   return compare_int(func, (vi)fragment, (vi)memory);
}

/* ---- Blocks ---- */

/* A block's rows in memory; blocks that hang over the surface's end are worked on in a copy. */
struct rows {
   uint8_t *base;
   uint32_t stride;
};

static struct rows
begin_rows(struct tile *t, const struct target *s, int32_t x, int32_t y, unsigned layer,
           uint8_t *copy)
{
   struct rows r = { target_pixel(s, (uint32_t)x, (uint32_t)y, layer), s->row_bytes };

   if ((uint32_t)y + PIXEL_BLOCK > s->height || (uint32_t)x + PIXEL_BLOCK > s->width) {
      const uint32_t w =
         s->width - (uint32_t)x < PIXEL_BLOCK ? s->width - (uint32_t)x : PIXEL_BLOCK;
      const uint32_t h =
         s->height - (uint32_t)y < PIXEL_BLOCK ? s->height - (uint32_t)y : PIXEL_BLOCK;

      memset(copy, 0, PIXEL_BLOCK * PIXEL_BLOCK * s->cpp);
      for (uint32_t i = 0; i < h; i++)
         memcpy(copy + i * PIXEL_BLOCK * s->cpp, r.base + (size_t)i * r.stride, w * s->cpp);
      r.base = copy;
      r.stride = PIXEL_BLOCK * s->cpp;
   }
   return r;
}

static void
end_rows(const struct target *s, int32_t x, int32_t y, unsigned layer, struct rows r,
         const uint8_t *copy)
{
   uint8_t *base = target_pixel(s, (uint32_t)x, (uint32_t)y, layer);

   if (r.base == base)
      return;
   const uint32_t w = s->width - (uint32_t)x < PIXEL_BLOCK ? s->width - (uint32_t)x : PIXEL_BLOCK;
   const uint32_t h = s->height - (uint32_t)y < PIXEL_BLOCK ? s->height - (uint32_t)y : PIXEL_BLOCK;
   for (uint32_t i = 0; i < h; i++)
      memcpy(base + (size_t)i * s->row_bytes, copy + i * PIXEL_BLOCK * s->cpp, w * s->cpp);
}

/* Vector n of a block of 32-bit or 16-bit values. */
V_INLINE vu
load_row32(struct rows r, unsigned n)
{
#if VW == 16
   __m256i a = _mm256_loadu_si256((const __m256i *)(r.base + (size_t)(2 * n) * r.stride));
   __m256i b = _mm256_loadu_si256((const __m256i *)(r.base + (size_t)(2 * n + 1) * r.stride));
   return (vu)_mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
#elif VW == 8
   return vu_loadu(r.base + (size_t)n * r.stride);
#else
   return vu_loadu(r.base + (size_t)(n / 2) * r.stride + n % 2 * 16);
#endif
}

V_INLINE void
store_row32(struct rows r, unsigned n, vm m, vu v, vu old)
{
#if VW == 16
   _mm256_mask_storeu_epi32(r.base + (size_t)(2 * n) * r.stride, (__mmask8)m,
                            _mm512_castsi512_si256((__m512i)v));
   _mm256_mask_storeu_epi32(r.base + (size_t)(2 * n + 1) * r.stride, (__mmask8)(m >> 8),
                            _mm512_extracti64x4_epi64((__m512i)v, 1));
#elif VW == 8
   vu_storeu(r.base + (size_t)n * r.stride, vu_select(m, v, old));
#else
   vu_storeu(r.base + (size_t)(n / 2) * r.stride + n % 2 * 16, vu_select(m, v, old));
#endif
}

V_INLINE vu
load_row16(struct rows r, unsigned n)
{
   uint16_t v[VW];
#if VW == 16
   memcpy(v, r.base + (size_t)(2 * n) * r.stride, 16);
   memcpy(v + 8, r.base + (size_t)(2 * n + 1) * r.stride, 16);
   return (vu)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)v));
#elif VW == 8
   memcpy(v, r.base + (size_t)n * r.stride, 16);
   return (vu)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)v));
#else
   memcpy(v, r.base + (size_t)(n / 2) * r.stride + n % 2 * 8, 8);
   return (vu)_mm_unpacklo_epi16(_mm_loadl_epi64((const __m128i *)v), _mm_setzero_si128());
#endif
}

V_INLINE void
store_row16(struct rows r, unsigned n, vm m, vu v, vu old)
{
   uint32_t wide[VW];
   uint16_t narrow[VW];

   vu_storeu(wide, vu_select(m, v, old));
   for (unsigned i = 0; i < VW; i++)
      narrow[i] = (uint16_t)wide[i];
#if VW == 16
   memcpy(r.base + (size_t)(2 * n) * r.stride, narrow, 16);
   memcpy(r.base + (size_t)(2 * n + 1) * r.stride, narrow + 8, 16);
#elif VW == 8
   memcpy(r.base + (size_t)n * r.stride, narrow, 16);
#else
   memcpy(r.base + (size_t)(n / 2) * r.stride + n % 2 * 8, narrow, 8);
#endif
}

/* Depth alone: compare and write, of the block's vectors [first, end). */
V_INLINE uint64_t
z_vectors(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t cover,
          unsigned format, unsigned func, bool write, unsigned first, unsigned end)
{
   const struct target *s = &t->draw->db->z;
   const struct z_range range = z_range(t->draw, prim);
   /* What an integer takes, in which a depth ends, and nothing else need be limited again. */
   const float lo = range.lo < 1.0f ? range.lo : 1.0f, hi = range.hi > 0.0f ? range.hi : 0.0f;
   struct rows rows = begin_rows(t, s, x, y, prim->layer, t->edge);
   const vi lane = vi_lane_index();
   const vf dx = vf_from_vi((lane & vi_splat(7)) + vi_splat(x - prim->x0));
   const vi ly = (vi)vu_shr((vu)lane, 3) + vi_splat(y - prim->y0);
   /* depth_at(), with what is the same in all rows outside of the loop: stores might be to it. */
   const vf across = vf_splat(prim->z[0]) + vf_splat(prim->z[1]) * dx;
   const vf down = vf_splat(prim->z[2]), offset = vf_splat(prim->z[3]);
#if VW == 4
   const vf dx4 = vf_from_vi((lane & vi_splat(7)) + vi_splat(x - prim->x0 + 4));
   const vf across4 = vf_splat(prim->z[0]) + vf_splat(prim->z[1]) * dx4;
#endif
   uint64_t pass = 0;

   for (unsigned n = first; n < end; n++) {
      vm m = vm_lanes(cover, n);
      const vf dy = vf_from_vi(ly + vi_splat((int32_t)(n * VW / 8)));
#if VW == 4
      const vf z = (n & 1 ? across4 : across) + down * dy + offset;
#else
      const vf z = across + down * dy + offset;
#endif
      const vu fragment =
         format == DEPTH_FLOAT32 ? (vu)limit(z, range) : encode_unorm(format, vf_clamp(z, lo, hi));
      const vu memory = format == DEPTH_UNORM16 ? load_row16(rows, n) : load_row32(rows, n);

      m = vm_and(m, compare_z(format, func, fragment, memory));
      pass |= vm_to_lanes(m, n);
      if (!write)
         continue;
      if (format == DEPTH_UNORM16)
         store_row16(rows, n, m, fragment, memory);
      else
         store_row32(rows, n, m, fragment, memory);
   }
   if (write)
      end_rows(s, x, y, prim->layer, rows, t->edge);
   return pass;
}

V_INLINE uint64_t
z_block(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t cover,
        unsigned format, unsigned func, bool write)
{
#if VW < 16
   /* Small primitives cover few rows. */
   if (~cover) {
      const unsigned first = (unsigned)__builtin_ctzll(cover) / VW;
      const unsigned last = (63u - (unsigned)__builtin_clzll(cover)) / VW;

      return z_vectors(t, prim, x, y, cover, format, func, write, first, last + 1);
   }
#endif
   return z_vectors(t, prim, x, y, cover, format, func, write, 0, VECTORS);
}

#define Z_BLOCK(name, format, func, write)                                                \
   static uint64_t name(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, \
                        uint64_t cover, unsigned sample)                                  \
   {                                                                                      \
      return z_block(t, prim, x, y, cover, format, func, write);                          \
   }
#define Z_BLOCKS(name, format, write)                        \
   Z_BLOCK(name##_never, format, TEST_NEVER, false)          \
   Z_BLOCK(name##_less, format, TEST_LESS, write)            \
   Z_BLOCK(name##_equal, format, TEST_EQUAL, write)          \
   Z_BLOCK(name##_lequal, format, TEST_LESS_EQUAL, write)    \
   Z_BLOCK(name##_greater, format, TEST_GREATER, write)      \
   Z_BLOCK(name##_notequal, format, TEST_NOT_EQUAL, write)   \
   Z_BLOCK(name##_gequal, format, TEST_GREATER_EQUAL, write) \
   Z_BLOCK(name##_always, format, TEST_ALWAYS, write)
Z_BLOCKS(z16_read, DEPTH_UNORM16, false)
Z_BLOCKS(z16_write, DEPTH_UNORM16, true)
Z_BLOCKS(z24_read, DEPTH_UNORM24, false)
Z_BLOCKS(z24_write, DEPTH_UNORM24, true)
Z_BLOCKS(z32_read, DEPTH_FLOAT32, false)
Z_BLOCKS(z32_write, DEPTH_FLOAT32, true)

#define Z_TABLE(name)                                                                          \
   {                                                                                           \
      name##_never, name##_less, name##_equal, name##_lequal, name##_greater, name##_notequal, \
         name##_gequal, name##_always                                                          \
   }
static db_block_fn *const z_blocks[4][2][8] = {
   [DEPTH_UNORM16] = { Z_TABLE(z16_read), Z_TABLE(z16_write) },
   [DEPTH_UNORM24] = { Z_TABLE(z24_read), Z_TABLE(z24_write) },
   [DEPTH_FLOAT32] = { Z_TABLE(z32_read), Z_TABLE(z32_write) },
};

/* ---- The general test, on arrays of lanes ---- */

struct lanes_args {
   const uint32_t *z;             /* fragment depths, floats within the range */
   uint32_t *z_mem, *s_mem;       /* memory, 64 lanes each; changed there */
   const uint32_t *s_ref;         /* per lane, or NULL: the face's */
   uint64_t back;                 /* lanes of back faces */
   uint64_t z_changed, s_changed; /* out */
};

V_INLINE vu
stencil_op(unsigned op, vu old, vu ref)
{
   switch (op) {
   case STENCIL_OP_ZERO:
      return vu_splat(0);
   case STENCIL_OP_REPLACE:
      return ref;
   case STENCIL_OP_INCREMENT_CLAMP:
      return vu_min(old + vu_splat(1), vu_splat(255));
   case STENCIL_OP_DECREMENT_CLAMP:
      return vu_max(old, vu_splat(1)) - vu_splat(1);
   case STENCIL_OP_INVERT:
      return ~old & vu_splat(255);
   case STENCIL_OP_INCREMENT_WRAP:
      return (old + vu_splat(1)) & vu_splat(255);
   case STENCIL_OP_DECREMENT_WRAP:
      return (old - vu_splat(1)) & vu_splat(255);
   default:
      return old;
   }
}

static uint64_t
test_lanes(const struct db_state *db, struct lanes_args *a, uint64_t cover)
{
   uint64_t pass = 0;

   a->z_changed = a->s_changed = 0;
   for (unsigned n = 0; n < VECTORS; n++) {
      const vm m = vm_lanes(cover, n);
      vm z_pass = m, s_pass = m;
      vu z_old = vu_splat(0), z_new = vu_splat(0);

      if (db->z_test || db->z_write) {
         z_new = encode_z(db->z_format, vf_load(a->z + n * VW));
         z_old = vu_load(a->z_mem + n * VW);
         z_pass = vm_and(m, compare_z(db->z_format, db->z_func, z_new, z_old));
      }
      if (db->stencil) {
         const vu old = vu_load(a->s_mem + n * VW);
         const vm back = vm_lanes(a->back, n);
         vu result = old;

         for (unsigned f = 0; f < 2; f++) {
            const struct db_face *face = &db->face[f];
            const vm on = f ? vm_and(m, back) : vm_andnot(m, back);

            if (!vm_any(on))
               continue;
            const vu ref =
               a->s_ref ? vu_load(a->s_ref + n * VW) & vu_splat(255) : vu_splat(face->ref);
            const vu mask = vu_splat(face->mask), write = vu_splat(face->write_mask);
            const vm ok = compare_int(face->func, (vi)(ref & mask), (vi)(old & mask));
            vu next = vu_select(
               vm_and(ok, z_pass), stencil_op(face->zpass, old, ref),
               vu_select(ok, stencil_op(face->zfail, old, ref), stencil_op(face->fail, old, ref)));

            next = (next & write) | (old & ~write);
            result = vu_select(on, next, result);
            s_pass = vm_andnot(s_pass, vm_andnot(on, ok));
         }
         vu_store(a->s_mem + n * VW, result);
         a->s_changed |= vm_to_lanes(vm_and(m, vu_ne(result, old)), n);
      }
      const vm ok = vm_and(z_pass, s_pass);
      pass |= vm_to_lanes(ok, n);
      if (db->z_write) {
         vu_store(a->z_mem + n * VW, vu_select(ok, z_new, z_old));
         a->z_changed |= vm_to_lanes(ok, n);
      }
      if (db->z_clear) {
         const vu clear = encode_z(db->z_format, vf_canon(vf_splat(db->z_clear_value)));

         vu_store_masked(a->z_mem + n * VW, m, clear);
         a->z_changed |= vm_to_lanes(m, n);
      }
      if (db->s_clear) {
         vu_store_masked(a->s_mem + n * VW, m, vu_splat(db->s_clear_value));
         a->s_changed |= vm_to_lanes(m, n);
      }
   }
   return pass;
}

static uint32_t
read_value(const uint8_t *p, unsigned bytes)
{
   if (bytes == 1)
      return *p;
   if (bytes == 2) {
      uint16_t v;
      memcpy(&v, p, sizeof(v));
      return v;
   }
   uint32_t v;
   memcpy(&v, p, sizeof(v));
   return v;
}

static void
write_value(uint8_t *p, unsigned bytes, uint32_t v)
{
   memcpy(p, &v, bytes);
}

/* Where a sample lies in the pixels of row-major lanes; mostly all four pixels have it alike. */
static vf
sample_offset(const int8_t table[4][SC_MAX_SAMPLES], vi index, unsigned sample)
{
   const int8_t first = table[0][sample];
   int32_t lane[VW];
   float out[VW];

   if (table[1][sample] == first && table[2][sample] == first && table[3][sample] == first)
      return vf_splat((float)first * 0.0625f);
   memcpy(lane, &index, sizeof(lane));
   for (unsigned i = 0; i < VW; i++)
      out[i] = (float)table[(lane[i] & 1) + (lane[i] >> 3 & 1) * 2][sample] * 0.0625f;
   return vf_loadu(out);
}

/* One sample of a block's pixels, row-major; `bytes` is the plane's cpp. */
V_INLINE void
load_plane(const struct target *s, const uint8_t *base, unsigned bytes, uint64_t lanes,
           wave_lane out)
{
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t v = 0;

      memcpy(&v, base + (size_t)(l >> 3) * s->row_bytes + ((l & 7) * bytes << s->log2_samples),
             bytes);
      out[l] = v;
   }
}

V_INLINE void
store_plane(const struct target *s, uint8_t *base, unsigned bytes, uint64_t lanes,
            const wave_lane in)
{
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);

      memcpy(base + (size_t)(l >> 3) * s->row_bytes + ((l & 7) * bytes << s->log2_samples), &in[l],
             bytes);
   }
}

/* Everything but the usual: stencil, clears, several samples. */
static uint64_t
general_block(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t cover,
              unsigned sample)
{
   const struct db_state *db = t->draw->db;
   const struct z_range range = z_range(t->draw, prim);
   /* A surface of fewer samples than are rasterised keeps what it has. */
   const size_t z_sample = (size_t)(sample & ((1u << db->z.log2_samples) - 1)) * db->z.cpp;
   const size_t s_sample = sample & ((1u << db->s.log2_samples) - 1);
   const bool use_z = db->z.host && (db->z_test || db->z_write || db->z_clear);
   const bool use_s = db->s.host && (db->stencil || db->s_clear);
   wave_lane z, z_mem, s_mem;
   struct lanes_args a = { z, z_mem, s_mem, NULL, prim->front_facing ? 0 : UINT64_MAX, 0, 0 };
   const vi lane = vi_lane_index();

   for (unsigned n = 0; n < VECTORS; n++) {
      const vi index = lane + vi_splat((int32_t)(n * VW));
      vf dx = vf_from_vi((index & vi_splat(7)) + vi_splat(x - prim->x0));
      vf dy = vf_from_vi((vi)vu_shr((vu)index, 3) + vi_splat(y - prim->y0));

      if (t->draw->sc->msaa && !t->draw->sc->over) {
         dx += sample_offset(t->draw->sc->sample_x, index, sample);
         dy += sample_offset(t->draw->sc->sample_y, index, sample);
      }
      vf_store(z + n * VW, limit(depth_at(prim, dx, dy), range));
      vu_store(z_mem + n * VW, vu_splat(0));
      vu_store(s_mem + n * VW, vu_splat(0));
   }
   uint8_t *z_base = use_z ? target_pixel(&db->z, (uint32_t)x, (uint32_t)y, prim->layer) : NULL;
   uint8_t *s_base = use_s ? target_pixel(&db->s, (uint32_t)x, (uint32_t)y, prim->layer) : NULL;
   if (use_z && db->z.cpp == 2)
      load_plane(&db->z, z_base + z_sample, 2, cover, z_mem);
   else if (use_z)
      load_plane(&db->z, z_base + z_sample, 4, cover, z_mem);
   if (use_s)
      load_plane(&db->s, s_base + s_sample, 1, cover, s_mem);
   const uint64_t pass = test_lanes(db, &a, cover);
   if (use_z && db->z.cpp == 2)
      store_plane(&db->z, z_base + z_sample, 2, a.z_changed & cover, z_mem);
   else if (use_z)
      store_plane(&db->z, z_base + z_sample, 4, a.z_changed & cover, z_mem);
   if (use_s)
      store_plane(&db->s, s_base + s_sample, 1, a.s_changed & cover, s_mem);
   return pass;
}

db_block_fn *
K(db_choose)(const struct tile *t)
{
   const struct db_state *db = t->draw->db;

   if (!db->active)
      return NULL;
   if (db->stencil || db->z_clear || db->s_clear || t->num_samples > 1 || db->z.log2_samples)
      return general_block;
   return z_blocks[db->z_format & 3][db->z_write][db->z_func & 7];
}

/* ---- Fills ---- */

/* Rows of `count` equal values. */
static void
fill_rows(uint8_t *p, uint32_t row_bytes, int32_t rows, uint32_t count, unsigned bytes,
          uint32_t value)
{
   if (bytes == 4) {
      fill_words(p, row_bytes, (unsigned)rows, count, value);
      return;
   }
   for (int32_t y = 0; y < rows; y++, p += row_bytes) {
      if (bytes == 1) {
         memset(p, (int)(value & 0xff), count);
         continue;
      }
      for (uint32_t i = 0; i < count; i++)
         memcpy(p + (size_t)i * 2, &value, 2);
   }
}

void
K(db_fill_rect)(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, int32_t w,
                int32_t h)
{
   const struct db_state *db = t->draw->db;
   const struct db_face *face = &db->face[prim->front_facing ? 0 : 1];

   if (db->z_write || db->z_clear) {
      const vf z = db->z_clear ? vf_canon(vf_splat(db->z_clear_value))
                               : limit(depth_at(prim, vf_splat(0.0f), vf_splat(0.0f)),
                                       z_range(t->draw, prim));
      uint32_t value[VW];

      vu_storeu(value, encode_z(db->z_format, z));
      if (db->z.cpp == 2)
         fill_rows(target_pixel(&db->z, (uint32_t)x, (uint32_t)y, prim->layer), db->z.row_bytes, h,
                   (uint32_t)w << db->z.log2_samples, 2, value[0]);
      else
         fill_rows(target_pixel(&db->z, (uint32_t)x, (uint32_t)y, prim->layer), db->z.row_bytes, h,
                   (uint32_t)w << db->z.log2_samples, 4, value[0]);
   }
   if (db->stencil || db->s_clear) {
      const uint32_t value = db->s_clear                         ? db->s_clear_value
                             : face->zpass == STENCIL_OP_REPLACE ? face->ref
                                                                 : 0;

      fill_rows(target_pixel(&db->s, (uint32_t)x, (uint32_t)y, prim->layer), db->s.row_bytes, h,
                (uint32_t)w << db->s.log2_samples, 1, value);
   }
}

/* ---- Waves ---- */

/* What a wave's depths are found from, by quad; what has no quad is as the first. */
struct wave_planes {
   float x[WAVE_QUADS], y[WAVE_QUADS]; /* first pixel, from its primitive's anchor */
   float lo[WAVE_QUADS], hi[WAVE_QUADS];
   const float *z[WAVE_QUADS];
   bool limited;
} __attribute__((aligned(64)));

static void
find_wave_planes(const struct tile *t, struct wave_planes *p)
{
   const struct pixel_wave *w = t->wave;

   for (unsigned q = 0; q < WAVE_QUADS; q++) {
      const unsigned from = q < w->num_quads ? q : 0;
      const struct sc_prim *prim = wave_prim(w, from);
      const struct z_range range = z_range(t->draw, prim);

      p->x[q] = (float)(w->x[from] - prim->x0);
      p->y[q] = (float)(w->y[from] - prim->y0);
      p->lo[q] = range.lo;
      p->hi[q] = range.hi;
      p->z[q] = prim->z;
      p->limited = range.on;
   }
}

void
K(db_depths)(struct tile *t, unsigned sample)
{
   const struct sc_state *sc = t->draw->sc;
   const struct db_state *db = t->draw->db;
   const bool exported = db->export_z && !db->forced_early;
   const unsigned end = (t->wave->num_quads * 4 + VW - 1) / VW;
   vf dx = quad_lane_x(), dy = quad_lane_y();
   struct wave_planes planes;

   find_wave_planes(t, &planes);
   if (t->num_samples > 1) {
      float x[VW] __attribute__((aligned(VW * 4))), y[VW] __attribute__((aligned(VW * 4)));

      for (unsigned l = 0; l < VW; l++) {
         x[l] = (float)sc->sample_x[l & 3][sample] * 0.0625f;
         y[l] = (float)sc->sample_y[l & 3][sample] * 0.0625f;
      }
      dx = vf_load(x);
      dy = vf_load(y);
   }
   for (unsigned n = 0; n < end; n++) {
      const vf plane = vf_load_quads(planes.z + n * (VW / 4));
      vf px = expand_quads(planes.x, n), py = expand_quads(planes.y, n);

      /* A sample's offset is added to its pixel's. */
      if (t->num_samples > 1) {
         px += quad_lane_x();
         py += quad_lane_y();
      }
      px += dx;
      py += dy;
      vf z = vf_quad_lane(plane, 0) + vf_quad_lane(plane, 1) * px + vf_quad_lane(plane, 2) * py +
             vf_quad_lane(plane, 3);
      if (exported)
         z = vf_select(vm_lanes(t->worker->outputs->depth_lanes, n),
                       vf_load(t->worker->outputs->z[0] + n * VW), z);
      if (planes.limited)
         z =
            vf_min_second(vf_max_second(z, expand_quads(planes.lo, n)), expand_quads(planes.hi, n));
      vf_store(t->z + n * VW, vf_canon(z));
   }
}

/* Where the quads of a wave lie in a plane of dwords, one a pixel; those that have a lane of the
 * mask.  A row outside the surface, of which no lane is covered, is `spare`. */
struct quad_rows {
   uint8_t *row[WAVE_QUADS][2];
   uint8_t spare[8];
};

static void
find_quad_rows(struct quad_rows *r, const struct pixel_wave *w, const struct target *s,
               uint64_t lanes)
{
   memset(r->spare, 0, sizeof(r->spare));
   for (unsigned q = 0; q < w->num_quads; q++) {
      const uint32_t y = (uint32_t)w->y[q];

      if (!(lanes >> q * 4 & 15))
         continue;
      r->row[q][0] = target_pixel(s, (uint32_t)w->x[q], y, wave_prim(w, q)->layer);
      r->row[q][1] = y + 1 < s->height ? r->row[q][0] + s->row_bytes : r->spare;
   }
}

static void
load_quad_rows(const struct quad_rows *r, unsigned quads, uint64_t lanes, wave_lane out)
{
   for (unsigned q = 0; q < quads; q++)
      if (lanes >> q * 4 & 15)
         _mm_store_si128(
            (__m128i *)(void *)(out + q * 4),
            _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(void *)r->row[q][0]),
                               _mm_loadl_epi64((const __m128i *)(void *)r->row[q][1])));
}

/* Lanes outside the mask must hold what was there. */
static void
store_quad_rows(const struct quad_rows *r, unsigned quads, uint64_t lanes, const wave_lane in)
{
   for (unsigned q = 0; q < quads; q++) {
      const __m128i v = _mm_load_si128((const __m128i *)(const void *)(in + q * 4));

      if (!(lanes >> q * 4 & 15))
         continue;
      _mm_storel_epi64((__m128i *)(void *)r->row[q][0], v);
      _mm_storel_epi64((__m128i *)(void *)r->row[q][1], _mm_unpackhi_epi64(v, v));
   }
}

uint64_t
K(db_lanes)(struct tile *t, uint64_t cover, unsigned sample)
{
   const struct pixel_wave *w = t->wave;
   const struct db_state *db = t->draw->db;
   /* A surface of fewer samples than are rasterised keeps what it has. */
   const size_t z_sample = (size_t)(sample & ((1u << db->z.log2_samples) - 1)) * db->z.cpp;
   const size_t s_sample = sample & ((1u << db->s.log2_samples) - 1);
   const bool use_z = db->z.host && (db->z_test || db->z_write || db->z_clear);
   const bool use_s = db->s.host && (db->stencil || db->s_clear);
   /* Depths of one sample, which go by quads. */
   const bool rows = use_z && db->z.cpp == 4 && !db->z.log2_samples;
   struct quad_rows quads;
   wave_lane z_mem, s_mem;
   struct lanes_args a = { t->z, z_mem, s_mem, NULL, 0, 0, 0 };

   if (!db->active)
      return cover;
   for (unsigned q = 0; q < w->num_quads; q++)
      if (!wave_prim(w, q)->front_facing)
         a.back |= UINT64_C(15) << q * 4;
   if (db->export_stencil && !db->forced_early)
      a.s_ref = t->worker->outputs->z[1];
   memset(z_mem, 0, sizeof(z_mem));
   memset(s_mem, 0, sizeof(s_mem));

   if (rows) {
      find_quad_rows(&quads, w, &db->z, cover);
      load_quad_rows(&quads, w->num_quads, cover, z_mem);
   }
   for (uint64_t m = (use_z && !rows) || use_s ? cover : 0; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m), q = l / 4;
      const uint32_t px = (uint32_t)w->x[q] + (l & 1), py = (uint32_t)w->y[q] + (l >> 1 & 1);
      const unsigned layer = wave_prim(w, q)->layer;

      if (use_z && !rows)
         z_mem[l] = read_value(target_pixel(&db->z, px, py, layer) + z_sample, db->z.cpp);
      if (use_s)
         s_mem[l] = target_pixel(&db->s, px, py, layer)[s_sample];
   }
   const uint64_t pass = test_lanes(db, &a, cover);
   if (rows)
      store_quad_rows(&quads, w->num_quads, a.z_changed & cover, z_mem);
   for (uint64_t m = ((use_z && !rows ? a.z_changed : 0) | (use_s ? a.s_changed : 0)) & cover; m;
        m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m), q = l / 4;
      const uint32_t px = (uint32_t)w->x[q] + (l & 1), py = (uint32_t)w->y[q] + (l >> 1 & 1);
      const unsigned layer = wave_prim(w, q)->layer;

      if (use_z && !rows && a.z_changed >> l & 1)
         write_value(target_pixel(&db->z, px, py, layer) + z_sample, db->z.cpp, z_mem[l]);
      if (use_s && a.s_changed >> l & 1)
         target_pixel(&db->s, px, py, layer)[s_sample] = (uint8_t)s_mem[l];
   }
   return pass;
}

void
K(db_load)(const struct tile *t, bool stencil, unsigned sample, uint64_t lanes, uint32_t *out)
{
   const struct pixel_wave *w = t->wave;
   const struct db_state *db = t->draw->db;
   const struct target *s = stencil ? &db->s : &db->z;
   const size_t at_sample = (size_t)(sample & ((1u << s->log2_samples) - 1)) * s->cpp;

   for (uint64_t m = s->host ? lanes : 0; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m), q = l / 4;
      const uint32_t px = (uint32_t)w->x[q] + (l & 1), py = (uint32_t)w->y[q] + (l >> 1 & 1);

      /* Lanes that are there for their quad alone may be outside. */
      if (q >= w->num_quads || px >= s->width || py >= s->height)
         continue;
      const uint32_t raw =
         read_value(target_pixel(s, px, py, wave_prim(w, q)->layer) + at_sample, s->cpp);
      if (stencil) {
         out[l] = raw & 0xff;
      } else if (db->z_format == DEPTH_FLOAT32) {
         out[l] = raw;
      } else {
         const uint32_t max = db->z_format == DEPTH_UNORM16 ? 0xffff : 0xffffff;
         const float z = (float)(raw & max) / (float)max;
         memcpy(&out[l], &z, sizeof(z));
      }
   }
}

/* ---- Copies to colour ---- */

/* Bits of a component that holds a depth. */
static uint32_t
depth_as(const struct cb_channel *c, unsigned format, uint32_t raw)
{
   const unsigned from = format == DEPTH_UNORM16 ? 16 : 24;
   const uint32_t max = format == DEPTH_UNORM16 ? 0xffff : 0xffffff;
   float z;

   if (format != DEPTH_FLOAT32 && c->type != NUMERIC_FLOAT && c->bits == from)
      return raw & max;
   if (format == DEPTH_FLOAT32)
      memcpy(&z, &raw, sizeof(z));
   else
      z = (float)(raw & max) / (float)max;
   if (c->type == NUMERIC_FLOAT) {
      uint32_t bits;

      memcpy(&bits, &z, sizeof(bits));
      return bits;
   }
   z = z > 0.0f ? z : 0.0f;
   z = z < 1.0f ? z : 1.0f;
   return (uint32_t)((double)z * (double)(0xffffffffu >> (32 - c->bits)) + 0.5);
}

void
K(db_copy_block)(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t cover)
{
   const struct db_state *db = t->draw->db;
   const struct cb_state *cb = t->draw->cb;
   const struct target *planes[2] = { db->copy_z ? &db->z : NULL, db->copy_s ? &db->s : NULL };

   for (unsigned i = 0; i < CB_TARGETS; i++) {
      const struct cb_target *target = &cb->target[i];

      if (!(cb->bound & 1u << i))
         continue;
      for (uint64_t m = cover; m; m &= m - 1) {
         const unsigned l = (unsigned)__builtin_ctzll(m);
         const uint32_t px = (uint32_t)x + (l & 7), py = (uint32_t)y + (l >> 3);
         uint8_t *to = target_pixel(&target->surface, px, py, prim->layer);

         for (unsigned plane = 0; plane < 2; plane++) {
            const struct target *s = planes[plane];
            const struct cb_channel *c = &target->channel[plane];
            uint32_t value, word, mask;

            if (!s)
               continue;
            if (plane && !c->bits && !db->copy_z)
               c = &target->channel[0];
            if (!c->bits || (c->bits == 32 && c->dword * 4u + 4 > target->surface.cpp))
               continue;
            value = read_value(target_pixel(s, px, py, prim->layer) +
                                  (db->copy_sample & ((1u << s->log2_samples) - 1)) * s->cpp,
                               s->cpp);
            if (!plane)
               value = depth_as(c, db->z_format, value);
            mask = 0xffffffffu >> (32 - c->bits) << c->shift;
            const unsigned bytes = target->surface.cpp < 4 ? target->surface.cpp : 4;
            word = read_value(to + c->dword * 4, bytes);
            write_value(to + c->dword * 4, bytes, (word & ~mask) | (value << c->shift & mask));
         }
      }
   }
}
