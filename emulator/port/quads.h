/* SPDX-License-Identifier: MIT */
/*
 * What the pixel blocks share while a tile is worked on (kernels only).
 *
 * Two orders of lanes occur.  An 8x8 block under test is row-major: lane y * 8 + x.  A wave is in
 * quads: lane quad * 4 + (y & 1) * 2 + (x & 1), the quads of a block row-major.  lanes_to_quads()
 * converts masks.
 *
 * Quads that survive scan conversion and early tests join struct pixel_wave in primitive order
 * and leave it sixteen at a time.  A block of one primitive with quads that all survive is a
 * wave of its own; it may overtake pending quads of the same primitive.  When a pixel comes a
 * second time in a wave, a new segment begins; segments retire one after the other.  Where the
 * program reads what the draw writes, a new wave begins instead.
 */
#ifndef ATOLL_PORT_QUADS_H
#define ATOLL_PORT_QUADS_H

#include "arith.h"
#include "kernel.h"
#include "port/draw.h"
#include "port/limits.h"
#include "port/primitive.h"
#include "port/worker.h"
#include "core/core.h"

/* Coefficient blocks: those of the wave being filled and of the one before. */
#define PIXEL_COEF_SLOTS 32
#define PIXEL_BLOCK      8 /* pixels */
#define TILE_QUADS       (TILE_SIZE / 2)

/* Whole vectors are stored after the quads that there are. */
#define WAVE_QUADS_ROOM (2 * WAVE_QUADS)

struct pixel_wave {
   unsigned num_quads;
   uint16_t segments; /* bit q: quad q begins a segment */
   bool one_prim;     /* prim[0] and coef[0] hold for all quads */
   bool block;        /* the sixteen quads of one block of one primitive */
   uint8_t kinds;     /* bit n: of a quad's primitive prim_kind() is n */
   /* Top left pixels; the same from the primitives' anchors, where these differ. */
   int32_t x[WAVE_QUADS_ROOM] __attribute__((aligned(64))), y[WAVE_QUADS_ROOM];
   int32_t from_x[WAVE_QUADS_ROOM], from_y[WAVE_QUADS_ROOM];
   const struct sc_prim *prim[WAVE_QUADS_ROOM];
   const struct spi_coef (*coef[WAVE_QUADS_ROOM])[4];
   uint64_t sample[SC_MAX_SAMPLES]; /* covered lanes; [0] alone without multisampling */
   uint64_t before[SC_MAX_SAMPLES]; /* the same before early tests, where quads_key.before */
};

/* What the pending wave is made of, see pass/pack.h: by quad its number in its block, its run and
 * its lanes; by run its block, its primitive and its coefficients. */
struct quad_runs {
   unsigned count;
   uint8_t quad[WAVE_QUADS_ROOM] __attribute__((aligned(64))), run[WAVE_QUADS_ROOM];
   uint8_t lanes[WAVE_QUADS_ROOM];
   int32_t x[WAVE_QUADS] __attribute__((aligned(64))), y[WAVE_QUADS];
   int32_t anchor_x[WAVE_QUADS], anchor_y[WAVE_QUADS];
   const struct sc_prim *prim[WAVE_QUADS];
   const struct spi_coef (*coef[WAVE_QUADS])[4];
};

struct tile;

/* Tests and writes depth of one 8x8 block of one primitive; returns the lanes that pass. */
typedef uint64_t db_block_fn(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y,
                             uint64_t cover, unsigned sample);

struct tile {
   struct worker *worker;
   const struct draw_state *draw;
   const struct batch *batch;
   int32_t x0, y0; /* of the tile */

   /* Of the draw. */
   struct quads_key key;
   bool begun;                   /* `core` has what all waves have alike */
   bool const_ready;             /* the constant program has run */
   uint64_t const_lanes;         /* ~0, or 0 when it killed itself */
   unsigned num_samples;         /* that are tested and written */
   unsigned num_covered;         /* that are rasterised: as many, or more (sc_state.over) */
   db_block_fn *db_block;        /* NULL: nothing to test or write */
   uint32_t fill[CB_TARGETS][4]; /* PIXEL_FILL: the pixel */

   uint64_t before[SC_MAX_SAMPLES]; /* pixel_wave.before of the block at hand */

   /* Quads of this tile that the segment under construction holds, those of a block together. */
   uint16_t serial;
   uint16_t seen[TILE_QUADS * TILE_QUADS];

   /* Coefficients: blocks of num_inputs, used one after the other. */
   unsigned coef_next;
   const struct sc_prim *coef_prim; /* the newest block holds its coefficients */
   struct spi_coef coef[PIXEL_COEF_SLOTS * SPI_MAX_INPUTS][4] __attribute__((aligned(64)));

   struct probe *probe; /* of the draw, where the tile has its pixel; else NULL */

   struct pixel_wave *wave;   /* the one that is run: pending or whole */
   struct pixel_wave pending; /* under construction */
   struct quad_runs runs;     /* of it */
   struct pixel_wave whole;   /* of blocks that need no packing */
   struct core_wave core;
   struct core_kept kept;

   /* Scratch of DB and CB, in wave order. */
   wave_lane z;              /* float: the fragment's depth */
   wave_lane old[4], raw[4]; /* pixels before and after */
   wave_lane color[4];
   uint8_t edge[PIXEL_BLOCK * PIXEL_BLOCK * 16] __attribute__((aligned(64)));
};

/* ---- Masks ---- */

/* A block's row-major lanes in quad order. */
static inline uint64_t
lanes_to_quads(uint64_t m)
{
   uint64_t t = (m ^ m >> 4) & UINT64_C(0x00f000f000f000f0);
   m ^= t ^ t << 4;
   t = (m ^ m >> 2) & UINT64_C(0x0c0c0c0c0c0c0c0c);
   return m ^ t ^ t << 2;
}

/* Row-major lanes with x in [x0, x1] and y in [y0, y1], 0..7. */
static inline uint64_t
lanes_in_rect(unsigned x0, unsigned y0, unsigned x1, unsigned y1)
{
   uint64_t row = (0xffu << x0 & 0xffu >> (7 - x1));
   uint64_t rows = UINT64_MAX << y0 * 8 & UINT64_MAX >> (7 - y1) * 8;

   return row * UINT64_C(0x0101010101010101) & rows;
}

/* The reverse. */
static inline uint64_t
lanes_to_rows(uint64_t m)
{
   uint64_t t = (m ^ m >> 2) & UINT64_C(0x0c0c0c0c0c0c0c0c);
   m ^= t ^ t << 2;
   t = (m ^ m >> 4) & UINT64_C(0x00f000f000f000f0);
   return m ^ t ^ t << 4;
}

static inline const struct sc_prim *
wave_prim(const struct pixel_wave *w, unsigned quad)
{
   return w->prim[w->one_prim ? 0 : quad];
}

/* What says which planes a primitive's entry values are of. */
static inline unsigned
prim_kind(const struct sc_prim *prim)
{
   return prim->point ? 2 : prim->perspective;
}

/* ---- Memory ---- */

V_INLINE void
store_words(uint8_t *p, uint32_t value, unsigned count)
{
   const vu v = vu_splat(value);

   for (; count >= VW; count -= VW, p += VW * 4)
      vu_storeu(p, v);
   for (; count; count--, p += 4)
      memcpy(p, &value, 4);
}

/* A rectangle of dwords of one value.  What has it already is only read, 64 dwords at a time: a
 * screen's background mostly does when it is cleared, and lines that nobody changes are neither
 * taken from other processors' caches nor written back.  Reading first what will change costs more
 * than it saves, so a few of them are looked at before. */
V_INLINE void
fill_words(uint8_t *p, size_t row_bytes, unsigned rows, unsigned count, uint32_t value)
{
   unsigned same = 0;

   for (unsigned k = 0; k < 4; k++) {
      uint32_t word;
      memcpy(&word, p + (rows * (2 * k + 1) / 8) * row_bytes + count * (2 * (k ^ 2) + 1) / 8 * 4,
             4);
      same += word == value;
   }
   for (unsigned y = 0; y < rows; y++, p += row_bytes) {
      unsigned at = 0;

      for (; same && at + 64 <= count; at += 64) {
         const vu v = vu_splat(value);
         vu differ = vu_splat(0);

         for (unsigned n = 0; n < VECTORS; n++)
            differ |= vu_loadu(p + (at + n * VW) * 4) ^ v;
         if (vm_any(vu_ne(differ, vu_splat(0))))
            store_words(p + at * 4, value, 64);
      }
      store_words(p + at * 4, value, count - at);
   }
}

/* ---- Planes ---- */

/* p at pixel offset (dx, dy) from its anchor; every user evaluates in this order. */
V_INLINE vf
plane_at(const float p[3], vf dx, vf dy)
{
   return vf_splat(p[0]) + vf_splat(p[1]) * dx + vf_splat(p[2]) * dy;
}

/* A primitive's depth. */
V_INLINE vf
depth_at(const struct sc_prim *prim, vf dx, vf dy)
{
   return plane_at(prim->z, dx, dy) + vf_splat(prim->z[3]);
}

/* Element n's quads of an array with one value per quad, each in its four lanes. */
V_INLINE vf
expand_quads(const float *per_quad, unsigned n)
{
#if VW == 16
   const __m512i index = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
   return (vf)_mm512_permutexvar_ps(index, _mm512_castps128_ps512(_mm_load_ps(per_quad + n * 4)));
#elif VW == 8
   const __m256i index = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
   double both;

   memcpy(&both, per_quad + n * 2, sizeof(both));
   return (vf)_mm256_permutevar_ps(_mm256_castpd_ps(_mm256_set1_pd(both)), index);
#else
   return vf_splat(per_quad[n]);
#endif
}

/* Pixel offsets within a quad, of vector lanes. */
V_INLINE vf
quad_lane_x(void)
{
   return vf_from_vi(vi_lane_index() & vi_splat(1));
}
V_INLINE vf
quad_lane_y(void)
{
   return vf_from_vi((vi)vu_shr((vu)vi_lane_index(), 1) & vi_splat(1));
}

/* ---- The blocks' entries ---- */

/* Runs a wave through program, tests and colour. */
void K(pixel_run)(struct tile *t, struct pixel_wave *w);

/* SPI: coefficients of a primitive, valid until PIXEL_COEF_SLOTS others were asked for. */
const struct spi_coef (*K(spi_coefs)(struct tile *t, const struct sc_prim *prim))[4];
/* SPI: fills the entry registers from *t->wave and runs the program.  Returns covered lanes that
 * were exported and not killed. */
uint64_t K(spi_run)(struct tile *t, uint64_t cover, unsigned sample);

/* DB: chooses the block test of the draw; NULL when there is nothing to do. */
db_block_fn *K(db_choose)(const struct tile *t);
/* DB: overwrites a whole rectangle of pixels, all samples. */
void K(db_fill_rect)(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, int32_t w,
                     int32_t h);
/* DB: late tests of one segment of the wave; returns the lanes that pass.  The fragments' depth
 * is in t->z. */
uint64_t K(db_lanes)(struct tile *t, uint64_t cover, unsigned sample);
/* DB: puts the fragments' depth at a sample into t->z. */
void K(db_depths)(struct tile *t, unsigned sample);
/* DB: depth or stencil of a sample of the wave's pixels; zero where there is none. */
void K(db_load)(const struct tile *t, bool stencil, unsigned sample, uint64_t lanes, uint32_t *out);
/* DB: copies depth or stencil of a block to the colour target. */
void K(db_copy_block)(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y,
                      uint64_t cover);

/* CB: writes the exports of one segment (lanes) at a sample to every target. */
void K(cb_lanes)(struct tile *t, uint64_t lanes, unsigned sample);
/* CB: the same of a whole block of a draw's only target; false: that has no path of its own for
 * it.  Not for SSE2. */
bool K(cb_block)(struct tile *t);
/* CB: the same at all samples. */
void K(cb_lanes_all)(struct tile *t, uint64_t lanes);
/* CB: components of a sample of the wave's pixels as they will be with what it stored. */
void K(cb_load)(const struct tile *t, unsigned target, unsigned sample, uint64_t lanes,
                uint32_t *const out[4]);
/* CB: writes what the wave's lanes stored to a sample of every target. */
void K(cb_store)(struct tile *t, uint64_t lanes, unsigned sample);
/* CB: packs the constant exports into t->fill. */
void K(cb_pack_constant)(struct tile *t);
/* CB: writes t->fill to lanes (row-major, per sample) of a block. */
void K(cb_fill_block)(struct tile *t, int32_t x, int32_t y, unsigned layer,
                      const uint64_t *samples);
/* CB: writes t->fill to a whole rectangle of pixels. */
void K(cb_fill_rect)(struct tile *t, int32_t x, int32_t y, int32_t w, int32_t h, unsigned layer);
/* CB: averages samples of target 0 into the resolve target. */
void K(cb_resolve_block)(struct tile *t, int32_t x, int32_t y, unsigned layer, uint64_t lanes);
/* CB: writes out pending fast clears of a tile. */
void K(cb_expand_clears)(const struct cb_state *cb, int32_t x, int32_t y);

#endif
