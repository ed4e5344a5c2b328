/* SPDX-License-Identifier: MIT */
/*
 * Lookups of neighbouring instructions at once (struct td_tex_series): of 8-bit unsigned normalised
 * channels on one level, point or bilinear, with the results that special.c has for each.
 *
 * Neighbours share coordinates, as a filter's taps do: of each is found once where its texels are
 * along its axis, and whether those of a vector are in windows (window.h).  A window holds what its
 * row of lanes reads if the columns span no more than it has and the rows are one: each axis says
 * its part.  Where a wave is a grid (grid.h), columns and rows of it are found instead.
 */
#include "td/bilinear.h"
#include "td/grid.h"
#include "td/samplers.h"
#include "td/special.h"

/* The level that all lanes are on. */
struct level {
   const uint8_t *base;
   uint32_t width, height, pitch;
   int32_t end; /* where the last window begins */
};

V_INLINE struct level
level_of_series(const struct tex *t, unsigned bytes)
{
   struct level l = {
      .base = (const uint8_t *)(uintptr_t)t->level[t->base].base,
      .width = tex_size(t->width, t->base),
      .height = tex_size(t->height, t->base),
      .pitch = t->level[t->base].pitch,
   };

   l.end = (int32_t)window_end(l.width, l.height, l.pitch, bytes);
   return l;
}

/* ---------------------------------------------------------------------------------------------
 * Coordinates
 */

/* Of an x: columns of the left texels, and of bilinear filters the right ones. */
struct columns {
   wave_lane at;     /* bytes from a row's first texel */
   wave_lane index;  /* in the window */
   wave_lane step;   /* bytes to the right texel */
   wave_lane weight; /* column_weights() */
   int32_t last;     /* where the last window begins */
   bool held;        /* by windows, in all vectors */
   bool neighbours;
};

/* Of a y: rows of the upper texels, and of bilinear filters the lower ones. */
struct rows {
   wave_lane at[2];  /* bytes from the level's first row */
   wave_lane weight; /* row_weights() */
   int32_t last;
   bool held;
};

/* The largest of what window_first() gave: each row of lanes has one. */
V_INLINE int32_t
last_of(vi first)
{
#if WINDOWS
   return first[0] > first[2] ? first[0] : first[2];
#else
   return first[0];
#endif
}

/* The texels of an axis: of bilinear filters (`sums`) both.  `usual`: see point_axis(). */
V_INLINE struct axis_texels
find_texels(const struct tex *t, unsigned axis, bool sums, bool wraps, bool usual, vf u,
            uint32_t size)
{
   if (sums)
      return find_axis(t, &byte_footing, axis, wraps, 0, u, vu_splat(0), vi_splat((int32_t)size));
   return (struct axis_texels){ .low = point_axis(t, axis, wraps, u, size, true, usual) };
}

V_INLINE void
find_columns(const struct tex *t, const struct level *l, const uint8_t *u, bool sums, bool wraps,
             bool usual, unsigned bytes, struct columns *out)
{
   vu misses = vu_splat(0), apart = vu_splat(0);
   vi last = vi_splat(0);

   for (unsigned n = 0; n < VECTORS; n++) {
      const struct axis_texels x =
         find_texels(t, 0, sums, wraps, usual, vf_loadu(u + n * VW * 4), l->width);
      const vu first = window_first((vu)x.low), index = (vu)x.low - first;

      vu_store(&out->at[n * VW], (vu)x.low * vu_splat(bytes));
      vu_store(&out->index[n * VW], index);
      misses = misses | vu_shr(sums ? index | (index + vu_splat(1)) : index, window_shift(1));
      last = vi_max(last, (vi)first);
      if (!sums)
         continue;
      vu_store(&out->step[n * VW], (vu)(x.high - x.low) * vu_splat(bytes));
      vu_store(&out->weight[n * VW], column_weights((vu)x.weight));
      apart = apart | (vu)(x.high - x.low - vi_splat(1));
   }
   out->last = last_of(last) * (int32_t)bytes;
   out->neighbours = !vm_any(vu_ne(apart, vu_splat(0)));
   out->held = WINDOWS && !vm_any(vu_ne(misses | apart, vu_splat(0)));
}

V_INLINE void
find_rows_of(const struct tex *t, const struct level *l, const uint8_t *u, bool sums, bool wraps,
             bool usual, struct rows *out)
{
   vu misses = vu_splat(0);
   vi last = vi_splat(0);

   for (unsigned n = 0; n < VECTORS; n++) {
      const struct axis_texels y =
         find_texels(t, 1, sums, wraps, usual, vf_loadu(u + n * VW * 4), l->height);
      const vi texel[2] = { y.low, y.high };

      for (unsigned i = 0; i < 1u + sums; i++) {
         const vu at = (vu)texel[i] * vu_splat(l->pitch), first = window_first(at);

         vu_store(&out->at[i][n * VW], at);
         misses = misses | (at ^ first);
         last = vi_max(last, (vi)first);
      }
      if (sums)
         vu_store(&out->weight[n * VW], row_weights((vu)y.weight));
   }
   out->last = last_of(last);
   out->held = WINDOWS && !vm_any(vu_ne(misses, vu_splat(0)));
}

/* Whether windows have all that a lookup reads. */
V_INLINE bool
held(const struct level *l, const struct columns *c, const struct rows *r)
{
   return WINDOWS && c->held && r->held && (int64_t)c->last + r->last <= l->end;
}

#if WINDOWS
/* Vector n's windows in row 0 or 1 of a lookup that is held(). */
V_INLINE struct window
read_window(const struct level *l, const struct columns *c, const struct rows *r, unsigned row,
            unsigned n, unsigned bytes)
{
   const uint32_t *x = &c->at[n * VW], *y = &r->at[row][n * VW];

   return (struct window){ window_load(l->base + (uint32_t)(x[0] + y[0]), bytes),
                           window_load(l->base + (uint32_t)(x[2] + y[2]), bytes) };
}
#endif

/* ---------------------------------------------------------------------------------------------
 * Results
 */
struct results {
   uint64_t lanes;
   uint32_t to[4];   /* bytes from component 0 to where channels are written in order */
   uint8_t from[4];  /* of registers: a channel, 4 for 0, 5 for 1, 7 for nothing */
   uint8_t channels; /* those, as bits */
   uint8_t in_order; /* so many channels in order; 0: by `from` */
   bool constants;   /* beside them */
};

V_INLINE struct results
results_of(const struct tex *t, uint64_t lanes)
{
   struct results r = { .lanes = lanes, .constants = t->constants };

   for (unsigned i = 0; i < 4; i++)
      r.from[i] = t->also[i];
   for (unsigned c = 0; c < 4; c++)
      if (t->first[c] >= 0) {
         r.to[c] = (uint32_t)t->first[c] * sizeof(wave_lane);
         r.from[t->first[c]] = (uint8_t)c;
      }
   for (unsigned i = 0; i < 4; i++)
      r.channels |= r.from[i] <= SWIZZLE_W ? (uint8_t)(1u << r.from[i]) : 0;
   r.in_order = ~lanes ? 0 : t->in_order;
   return r;
}

V_INLINE void
write_one(const struct results *r, uint8_t *to, unsigned i, unsigned n, vf v)
{
   vf_store_masked(to + i * sizeof(wave_lane) + n * VW * 4, vm_lanes(r->lanes, n), v);
}

/* What a lookup writes that is no channel. */
V_INLINE void
write_constants_of(const struct results *r, uint8_t *to)
{
   for (unsigned i = 0; i < 4 && r->constants; i++)
      for (unsigned n = 0; n < VECTORS && (r->from[i] == SWIZZLE_0 || r->from[i] == SWIZZLE_1); n++)
         write_one(r, to, i, n, vf_splat(r->from[i] == SWIZZLE_1 ? 1.0f : 0.0f));
}

/* Vector n; the first `count` channels in order, or (0) as r->from has it. */
V_INLINE void
write_colors(const struct results *r, uint8_t *to, unsigned n, const vf color[4], unsigned count)
{
#pragma GCC unroll 4
   for (unsigned c = 0; c < count; c++)
      vf_store(to + r->to[c] + n * VW * 4, color[c]);
   for (unsigned i = 0; i < 4 && !count; i++)
      if (r->from[i] <= SWIZZLE_W)
         write_one(r, to, i, n, color[r->from[i]]);
}

V_INLINE void
write_texels(const struct results *r, uint8_t *to, unsigned n, vu texels, unsigned count)
{
   vf color[4];

#pragma GCC unroll 4
   for (unsigned c = 0; c < 4; c++)
      color[c] = c < count || (!count && (r->channels >> c & 1)) ? byte_quotient_nearest(texels, c)
                                                                 : vf_splat(0.0f);
   write_colors(r, to, n, color, count);
}

/* ---------------------------------------------------------------------------------------------
 * Lookups
 */

/* What all lookups of a series read. */
struct found {
   struct level level;
   struct columns columns[TD_SERIES_MAX];
   struct rows rows[TD_SERIES_MAX];
};

V_INLINE void
look_up_points(const struct found *f, const struct td_tex_series *s, struct results r,
               uint8_t *registers, unsigned bytes, unsigned count)
{
   const struct level l = f->level;

   for (unsigned i = 0; i < s->count; i++) {
      const struct columns *x = &f->columns[s->lookup[i].coord[0]];
      const struct rows *y = &f->rows[s->lookup[i].coord[1]];
      uint8_t *to = registers + s->lookup[i].to;

#if WINDOWS
      if (held(&l, x, y)) {
#pragma GCC unroll 8
         for (unsigned n = 0; n < VECTORS; n++)
            write_texels(
               &r, to, n,
               window_take(read_window(&l, x, y, 0, n, bytes), vu_load(&x->index[n * VW])), count);
         write_constants_of(&r, to);
         continue;
      }
#endif
      for (unsigned n = 0; n < VECTORS; n++) {
         const vu at = vu_load(&x->at[n * VW]) + vu_load(&y->at[0][n * VW]);

         write_texels(&r, to, n, load_texels(l.base, at, bytes, l.end), count);
      }
      write_constants_of(&r, to);
   }
}

#if WINDOWS
/* What all lookups of a series read from a wave that is a grid. */
struct grids {
   struct grid_level level;
   struct grid_columns columns[TD_SERIES_MAX];
   struct grid_rows rows[TD_SERIES_MAX];
};

/* False: they do not. */
V_INLINE bool
find_grids(const struct tex *t, const struct td_tex_series *s, const struct results *r,
           const uint8_t *registers, unsigned bytes, bool sums, struct grids *g)
{
   const struct footing *f = sums ? &byte_footing : NULL;

   if (bytes == 4 ? r->in_order < 3 : r->in_order != bytes)
      return false;
   g->level = grid_level(t, t->base);
   for (unsigned i = 0; i < s->num_coords[0]; i++) {
      const uint8_t *u = registers + s->coord[0][i];

      if (!find_grid_columns(t, &g->level, f, u, bytes, &g->columns[i]))
         return false;
   }
   for (unsigned i = 0; i < s->num_coords[1]; i++) {
      const uint8_t *u = registers + s->coord[1][i];

      if (!find_grid_rows(t, &g->level, f, u, &g->rows[i]))
         return false;
   }
   for (unsigned i = 0; i < s->count; i++)
      if (!grid_holds(&g->level, &g->columns[s->lookup[i].coord[0]],
                      &g->rows[s->lookup[i].coord[1]], bytes))
         return false;
   return true;
}

V_INLINE void
look_up_grid(const struct grid_level *l, const struct grid_columns *x, const struct grid_rows *y,
             const struct results *r, uint8_t *to, unsigned bytes, bool sums, bool wide,
             unsigned count)
{
   uint32_t *at[4];

#pragma GCC unroll 4
   for (unsigned c = 0; c < count; c++) {
      at[c] = (uint32_t *)(void *)(to + r->to[c]);
      /* Or the compiler keeps addresses of all vectors from one lookup to the next, in memory. */
      __asm__("" : "+r"(at[c]));
   }
#pragma GCC unroll 4
   for (unsigned k = 0; k < GRID_PAIRS; k++)
      grid_look_up(l, x, y, NULL, NULL, k, bytes, sums, wide, at, count);
   write_constants_of(r, to);
}

V_INLINE void
look_up_grids(const struct grids *g, const struct td_tex_series *s, const struct results *r,
              uint8_t *registers, unsigned bytes, bool sums, unsigned count)
{
   for (unsigned i = 0; i < s->count; i++) {
      const struct grid_columns *x = &g->columns[s->lookup[i].coord[0]];
      const struct grid_rows *y = &g->rows[s->lookup[i].coord[1]];
      uint8_t *to = registers + s->lookup[i].to;

      if (x->wide)
         look_up_grid(&g->level, x, y, r, to, bytes, sums, true, count);
      else
         look_up_grid(&g->level, x, y, r, to, bytes, sums, false, count);
   }
}

V_INLINE bool
run_grids(const struct tex *t, const struct td_tex_series *s, const struct results *r,
          uint8_t *registers, unsigned bytes, bool sums)
{
   struct grids g;

   if (!find_grids(t, s, r, registers, bytes, sums, &g))
      return false;
   if (bytes == 4 && r->in_order == 4)
      look_up_grids(&g, s, r, registers, bytes, sums, 4);
   else
      look_up_grids(&g, s, r, registers, bytes, sums, bytes == 4 ? 3 : bytes);
   return true;
}
#endif

/* The texels of a lookup that no windows hold. */
V_INLINE void
load_corners(const struct tex *t, const struct columns *x, const struct rows *y, unsigned bytes,
             struct footprint *p, union pairs *pairs)
{
   for (unsigned n = 0; n < VECTORS; n++) {
      const vu at = vu_load(&x->at[n * VW]);

      vu_store(&p->row[0][n * VW], at + vu_load(&y->at[0][n * VW]));
      vu_store(&p->row[1][n * VW], at + vu_load(&y->at[1][n * VW]));
      vu_store(&p->step[n * VW], vu_load(&x->step[n * VW]));
   }
   p->neighbours = x->neighbours;
   p->at_once = bytes == 4 && !gathers_are_quick();
   load_pairs(t, p, bytes, pairs);
}

V_INLINE void
look_up_sums(const struct tex *t, const struct found *f, const struct td_tex_series *s,
             struct results r, uint8_t *registers, unsigned bytes, unsigned count)
{
   const struct level l = f->level;

   for (unsigned i = 0; i < s->count; i++) {
      const struct columns *x = &f->columns[s->lookup[i].coord[0]];
      const struct rows *y = &f->rows[s->lookup[i].coord[1]];
      const bool windows = held(&l, x, y);
      uint8_t *to = registers + s->lookup[i].to;
      struct footprint p;
      union pairs pairs;

      p.windows = p.at_once = false;
      if (!windows)
         load_corners(t, x, y, bytes, &p, &pairs);
      for (unsigned n = 0; n < VECTORS; n++) {
         vu left[2], right[2], sum[4];
         vf color[4];

         for (unsigned row = 0; row < 2; row++) {
#if WINDOWS
            if (windows) {
               const struct window w = read_window(&l, x, y, row, n, bytes);
               const vu index = vu_load(&x->index[n * VW]);

               left[row] = window_take(w, index);
               right[row] = window_take(w, index + vu_splat(1));
               continue;
            }
#endif
            read_pairs(t, &p, &pairs, bytes, false, row, n, &left[row], &right[row]);
         }
         sum_texels(left, right, vu_load(&x->weight[n * VW]), vu_load(&y->weight[n * VW]), sum);
         for (unsigned c = 0; c < 4; c++)
            color[c] = sum_quotient(sum[c], true);
         write_colors(&r, to, n, color, count);
      }
      write_constants_of(&r, to);
   }
}

V_INLINE void
look_up_all(const struct tex *t, const struct found *f, const struct td_tex_series *s,
            struct results r, uint8_t *registers, unsigned bytes, bool sums, unsigned count)
{
   if (sums)
      look_up_sums(t, f, s, r, registers, bytes, count);
   else
      look_up_points(f, s, r, registers, bytes, count);
}

V_INLINE void
run_series(const struct td_tex_bind *bind, const struct td_tex_series *s, uint8_t *registers,
           uint64_t lanes, unsigned bytes, bool sums)
{
   const struct tex *t = tex_of(bind);
   const bool usual = sums || (t->truncate && t->key.normalized);
   const bool wraps[2] = { tex_wraps(t, 0), tex_wraps(t, 1) };
   const struct results r = results_of(t, lanes);
   struct found f;

#if WINDOWS
   if (run_grids(t, s, &r, registers, bytes, sums))
      return;
#endif
   f.level = level_of_series(t, bytes);
   for (unsigned i = 0; i < s->num_coords[0]; i++) {
      const uint8_t *u = registers + s->coord[0][i];

      if (!usual)
         find_columns(t, &f.level, u, sums, wraps[0], false, bytes, &f.columns[i]);
      else if (wraps[0])
         find_columns(t, &f.level, u, sums, true, true, bytes, &f.columns[i]);
      else
         find_columns(t, &f.level, u, sums, false, true, bytes, &f.columns[i]);
   }
   for (unsigned i = 0; i < s->num_coords[1]; i++) {
      const uint8_t *u = registers + s->coord[1][i];

      if (!usual)
         find_rows_of(t, &f.level, u, sums, wraps[1], false, &f.rows[i]);
      else if (wraps[1])
         find_rows_of(t, &f.level, u, sums, true, true, &f.rows[i]);
      else
         find_rows_of(t, &f.level, u, sums, false, true, &f.rows[i]);
   }
   /* Loops of their own: what most lookups write. */
   switch (sums && r.in_order == 1 ? 0 : r.in_order) {
   case 4:
      look_up_all(t, &f, s, r, registers, bytes, sums, 4);
      break;
   case 3:
      look_up_all(t, &f, s, r, registers, bytes, sums, 3);
      break;
   case 1:
      look_up_all(t, &f, s, r, registers, bytes, sums, 1);
      break;
   default:
      look_up_all(t, &f, s, r, registers, bytes, sums, 0);
      break;
   }
}

#define SAMPLER(loop, kind, size)                                                                \
   void K(td_series_##loop##_##kind##_##size)(const struct td_tex_bind *bind,                    \
                                              const struct td_tex_series *s, uint8_t *registers, \
                                              uint64_t lanes)                                    \
   {                                                                                             \
      run_series(bind, s, registers, lanes, size, LOOP_##loop == LOOP_linear);                   \
   }
SERIES_SAMPLERS(SAMPLER)
