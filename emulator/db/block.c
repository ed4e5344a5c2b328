/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil of 8x8 blocks of one primitive, row-major, before the program (kernels).  The
 * usual cases have a function each, chosen once per draw.
 */
#include "db/test.h"

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
   /* A depth that becomes an integer is limited to the range and to 0 to 1 at once. */
   const float lo = range.lo < 1.0f ? range.lo : 1.0f, hi = range.hi > 0.0f ? range.hi : 0.0f;
   struct rows rows = begin_rows(t, s, x, y, prim->layer, t->edge);
   const vi lane = vi_lane_index();
   const vf dx = vf_from_vi((lane & vi_splat(7)) + vi_splat(x - prim->x0));
   const vi ly = (vi)vu_shr((vu)lane, 3) + vi_splat(y - prim->y0);
   /* depth_at(), with what all rows share out of the loop: the compiler must assume that the loop's
    * stores change it. */
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

/* A function for each format and test, with and without writing. */
#define EACH_TEST(Z, format, write) \
   Z(format, NEVER, write)          \
   Z(format, LESS, write)           \
   Z(format, EQUAL, write)          \
   Z(format, LESS_EQUAL, write)     \
   Z(format, GREATER, write)        \
   Z(format, NOT_EQUAL, write)      \
   Z(format, GREATER_EQUAL, write)  \
   Z(format, ALWAYS, write)
#define EACH_BLOCK(Z)           \
   EACH_TEST(Z, UNORM16, false) \
   EACH_TEST(Z, UNORM16, true)  \
   EACH_TEST(Z, UNORM24, false) \
   EACH_TEST(Z, UNORM24, true)  \
   EACH_TEST(Z, FLOAT32, false) \
   EACH_TEST(Z, FLOAT32, true)

#define INSTANCE(format, test, write)                                                    \
   static uint64_t format##_##test##_##write(struct tile *t, const struct sc_prim *prim, \
                                             int32_t x, int32_t y, uint64_t cover,       \
                                             unsigned sample)                            \
   {                                                                                     \
      return z_block(t, prim, x, y, cover, DEPTH_##format, TEST_##test, write);          \
   }
EACH_BLOCK(INSTANCE)
#undef INSTANCE

#define ROW(format, test, write) [DEPTH_##format][write][TEST_##test] = format##_##test##_##write,
static db_block_fn *const z_blocks[4][2][8] = { EACH_BLOCK(ROW) };
#undef ROW

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

/* One sample of a block's pixels, row-major: `bytes` of each, that are `step` apart. */
V_INLINE void
load_plane(const struct target *s, const uint8_t *base, unsigned bytes, unsigned step,
           uint64_t lanes, wave_lane out)
{
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t v = 0;

      memcpy(&v, base + (size_t)(l >> 3) * s->row_bytes + ((l & 7) * step << s->log2_samples),
             bytes);
      out[l] = v;
   }
}

V_INLINE void
store_plane(const struct target *s, uint8_t *base, unsigned bytes, unsigned step, uint64_t lanes,
            const wave_lane in)
{
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);

      memcpy(base + (size_t)(l >> 3) * s->row_bytes + ((l & 7) * step << s->log2_samples), &in[l],
             bytes);
   }
}

/* Everything but the usual: stencil, clears, several samples, planes that share pixels. */
static uint64_t
general_block(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t cover,
              unsigned sample)
{
   const struct db_state *db = t->draw->db;
   const struct z_range range = z_range(t->draw, prim);
   /* A surface of fewer samples than are rasterised keeps what it has. */
   const size_t z_sample = (size_t)(sample & ((1u << db->z.log2_samples) - 1)) * db->z.cpp;
   const size_t s_sample = (size_t)(sample & ((1u << db->s.log2_samples) - 1)) * db->s.cpp;
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
   if (use_z && db_packed(db))
      load_plane(&db->z, z_base + z_sample, db->z_bytes, db->z.cpp, cover, z_mem);
   else if (use_z && db->z.cpp == 2)
      load_plane(&db->z, z_base + z_sample, 2, 2, cover, z_mem);
   else if (use_z)
      load_plane(&db->z, z_base + z_sample, 4, 4, cover, z_mem);
   if (use_s)
      load_plane(&db->s, s_base + s_sample, 1, db->s.cpp, cover, s_mem);
   const uint64_t pass = K(db_test)(db, &a, cover);
   if (use_z && db_packed(db))
      store_plane(&db->z, z_base + z_sample, db->z_bytes, db->z.cpp, a.z_changed & cover, z_mem);
   else if (use_z && db->z.cpp == 2)
      store_plane(&db->z, z_base + z_sample, 2, 2, a.z_changed & cover, z_mem);
   else if (use_z)
      store_plane(&db->z, z_base + z_sample, 4, 4, a.z_changed & cover, z_mem);
   if (use_s)
      store_plane(&db->s, s_base + s_sample, 1, db->s.cpp, a.s_changed & cover, s_mem);
   return pass;
}

db_block_fn *
K(db_choose)(const struct tile *t)
{
   const struct db_state *db = t->draw->db;

   if (!db->active)
      return NULL;
   if (db->stencil || db->z_clear || db->s_clear || t->num_samples > 1 || db->z.log2_samples ||
       db_packed(db))
      return general_block;
   return z_blocks[db->z_format & 3][db->z_write][db->z_func & 7];
}

/* ---- Fills ---- */

/* Rows of `count` equal values of a plane, that are `step` apart. */
static void
fill_steps(uint8_t *p, uint32_t row_bytes, int32_t rows, uint32_t count, unsigned bytes,
           unsigned step, uint32_t value)
{
   for (int32_t y = 0; y < rows; y++, p += row_bytes)
      for (uint32_t i = 0; i < count; i++)
         memcpy(p + (size_t)i * step, &value, bytes);
}

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
      if (db_packed(db))
         fill_steps(target_pixel(&db->z, (uint32_t)x, (uint32_t)y, prim->layer), db->z.row_bytes, h,
                    (uint32_t)w << db->z.log2_samples, db->z_bytes, db->z.cpp, value[0]);
      else if (db->z.cpp == 2)
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

      if (db->s.cpp > 1)
         fill_steps(target_pixel(&db->s, (uint32_t)x, (uint32_t)y, prim->layer), db->s.row_bytes, h,
                    (uint32_t)w << db->s.log2_samples, 1, db->s.cpp, value);
      else
         fill_rows(target_pixel(&db->s, (uint32_t)x, (uint32_t)y, prim->layer), db->s.row_bytes, h,
                   (uint32_t)w << db->s.log2_samples, 1, value);
   }
}
