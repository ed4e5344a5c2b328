/* SPDX-License-Identifier: MIT */
/*
 * PA's assembly and setup: decides what becomes of each primitive of a batch (rejected, cut, drawn
 * as triangle, line or point), and computes edges and planes of struct sc_prim.
 *
 * Facing: with y growing downwards, a negative cross product is counter-clockwise.
 *
 * Fill rule: a pixel centre on an edge belongs to the primitive if the edge is a left one, or a
 * horizontal top one; edge values are exact integers, so shared edges neither overlap nor gap.
 *
 * Planes are computed in double from the fixed-point positions and stored in single precision
 * relative to the primitive's first pixel.
 */
#include <math.h>
#include <string.h>

#include "port/state.h"
#include <atoll/float_bits.h>

#include "vgt/front.h"
#include "sc/sc.h"
#include "vgt/vgt.h"
#include "pa/pa.h"
#include "pa/setup.h"

static struct sc_prim *
new_prim(struct front *f)
{
   /* Some room to begin with. */
   return pa_reserve(f, f->prim_capacity ? 1 : f->num_prims + 8);
}

struct point {
   int32_t x, y;
};

static inline int32_t
min_i(int32_t a, int32_t b)
{
   return a < b ? a : b;
}

static inline int32_t
max_i(int32_t a, int32_t b)
{
   return a > b ? a : b;
}

/* Pixels with centres that can be covered by [x0, x1] x [y0, y1] (24.8), cut to the draw's
 * rectangle. False: none. */
static bool
set_bounds(const struct front *f, struct sc_prim *p, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   const struct sc_state *sc = f->draw->sc;
   const struct sc_rect *r = &sc->rect[p->viewport];
   /* With several samples a pixel counts when any part of it is touched. */
   const int32_t lo = sc->msaa ? 0 : 127, hi = sc->msaa ? 0 : 128;

   x0 = max_i((x0 + lo) >> 8, r->x0);
   y0 = max_i((y0 + lo) >> 8, r->y0);
   x1 = min_i((x1 - hi) >> 8, r->x1 - 1);
   y1 = min_i((y1 - hi) >> 8, r->y1 - 1);
   if (x0 > x1 || y0 > y1)
      return false;
   p->min_x = x0;
   p->min_y = y0;
   p->max_x = x1;
   p->max_y = y1;
   p->x0 = x0;
   p->y0 = y0;
   return true;
}

/* Edge equations of the convex polygon q[0..n), interior to be positive; `flip` when its cross
 * product is negative.  Bit k of `include`/`exclude` overrides the fill rule on edge k. */
static void
set_edges(struct sc_prim *p, const struct point *q, unsigned n, bool flip, unsigned include,
          unsigned exclude)
{
   p->num_edges = n;
   for (unsigned k = 0; k < n; k++) {
      const struct point *i = &q[k], *j = &q[k + 1 == n ? 0 : k + 1];
      int32_t a = i->y - j->y, b = j->x - i->x;

      if (flip) {
         a = -a;
         b = -b;
      }
      int64_t c = (int64_t)128 * a + (int64_t)128 * b - (int64_t)a * i->x - (int64_t)b * i->y;
      const bool top_left = a > 0 || (a == 0 && b > 0);

      if (!(top_left || (include >> k & 1)) || (exclude >> k & 1))
         c -= 1;
      p->a[k] = a;
      p->b[k] = b;
      p->c[k] = c >> 8;
      p->c_frac[k] = c & 255;
   }
   for (unsigned k = n; k < 4; k++) {
      p->a[k] = p->b[k] = 0;
      p->c[k] = 0;
      p->c_frac[k] = 0;
   }
}

/* Weights of vertex 1 and 2 as planes over pixel centres, relative to the anchor. */
struct weights {
   double l1[3], l2[3];
};

static void
triangle_weights(struct weights *w, const struct sc_prim *p, const struct pa_vertex *const v[3],
                 int64_t area)
{
   const double inv = 1.0 / (double)area;
   const int64_t xc = (int64_t)p->x0 * 256 + 128, yc = (int64_t)p->y0 * 256 + 128;
   const int64_t x20 = v[0]->fx - v[2]->fx, y20 = v[0]->fy - v[2]->fy;
   const int64_t x01 = v[1]->fx - v[0]->fx, y01 = v[1]->fy - v[0]->fy;

   w->l1[0] = (double)(x20 * (yc - v[2]->fy) - y20 * (xc - v[2]->fx)) * inv;
   w->l1[1] = (double)(-y20 * 256) * inv;
   w->l1[2] = (double)(x20 * 256) * inv;
   w->l2[0] = (double)(x01 * (yc - v[0]->fy) - y01 * (xc - v[0]->fx)) * inv;
   w->l2[1] = (double)(-y01 * 256) * inv;
   w->l2[2] = (double)(x01 * 256) * inv;
}

/* A plane through the values at the three vertices. */
static void
plane(float out[3], const struct weights *w, double v0, double v1, double v2)
{
   for (unsigned k = 0; k < 3; k++)
      out[k] = (float)((k == 0 ? v0 : 0.0) + w->l1[k] * (v1 - v0) + w->l2[k] * (v2 - v0));
}

static void
set_planes(const struct front *f, struct sc_prim *p, const struct weights *w,
           const struct pa_vertex *v0, const struct pa_vertex *v1, const struct pa_vertex *v2,
           const uint32_t params[3])
{
   const double r0 = v0->rw, r1 = v1->rw, r2 = v2->rw;

   p->perspective = !(v0->rw == v1->rw && v0->rw == v2->rw) && !f->draw->pa->persp_corr_dis;
   plane(p->z, w, v0->z, v1->z, v2->z);
   p->z[3] = 0.0f;
   plane(p->pw, w, r0, r1, r2);
   if (params) {
      plane(p->li, w, v0->linear[0], v1->linear[0], v2->linear[0]);
      plane(p->lj, w, v0->linear[1], v1->linear[1], v2->linear[1]);
      plane(p->pi, w, v0->persp[0] * r0, v1->persp[0] * r1, v2->persp[0] * r2);
      plane(p->pj, w, v0->persp[1] * r0, v1->persp[1] * r1, v2->persp[1] * r2);
      memcpy(p->vertex, params, sizeof(p->vertex));
      return;
   }
   for (unsigned k = 0; k < 3; k++) {
      p->li[k] = (float)w->l1[k];
      p->lj[k] = (float)w->l2[k];
      p->pi[k] = (float)(w->l1[k] * r1);
      p->pj[k] = (float)(w->l2[k] * r2);
   }
   p->vertex[0] = v0->param;
   p->vertex[1] = v1->param;
   p->vertex[2] = v2->param;
}

static float
abs_f(float v)
{
   return v < 0.0f ? -v : v;
}

float
K(pa_polygon_offset)(const struct pa_state *pa, const struct sc_prim *p, bool back,
                     const struct pa_vertex *const v[3])
{
   const float dx = abs_f(p->z[1]), dy = abs_f(p->z[2]);
   const float slope = dx > dy ? dx : dy;
   float unit = pa->offset_units[back];

   if (pa->offset_float) {
      /* The unit is relative to the largest exponent among the vertices. */
      float m = 0.0f;
      union {
         float f;
         uint32_t u;
      } e;

      for (unsigned i = 0; i < 3; i++)
         m = abs_f(v[i]->z) > m ? abs_f(v[i]->z) : m;
      e.f = m;
      e.u &= F32_EXPONENT;
      unit *= e.f;
   }
   float o = slope * pa->offset_scale[back] + unit;

   if (pa->offset_clamp > 0.0f && o > pa->offset_clamp)
      o = pa->offset_clamp;
   if (pa->offset_clamp < 0.0f && o < pa->offset_clamp)
      o = pa->offset_clamp;
   return o == o ? o : 0.0f;
}

/* What every primitive has.  A layer that the targets do not have is the first one (the rule of
 * Direct3D 11, which OpenGL admits). */
static void
start_prim(struct front *f, struct sc_prim *p, unsigned prim, const struct pa_vertex *provoking)
{
   p->layer = provoking->layer < f->draw->sc->layers ? provoking->layer : 0;
   p->viewport = provoking->viewport;
   p->primitive_id = f->prim_number[prim];
   p->point = p->line = false;
   p->perspective = false;
   p->front_facing = true;
}

/* The pixel that planes of the triangle are from, as if it was not cut. */
static void
set_anchor(const struct front *f, struct sc_prim *p, const struct pa_vertex *const v[3])
{
   const struct sc_state *sc = f->draw->sc;
   const struct sc_rect *r = &sc->rect[p->viewport];
   const int32_t lo = sc->msaa ? 0 : 127;

   p->x0 = max_i((min_i(v[0]->fx, min_i(v[1]->fx, v[2]->fx)) + lo) >> 8, r->x0);
   p->y0 = max_i((min_i(v[0]->fy, min_i(v[1]->fy, v[2]->fy)) + lo) >> 8, r->y0);
}

static int64_t
cross(const struct pa_vertex *const v[3])
{
   return (int64_t)(v[1]->fx - v[0]->fx) * (v[2]->fy - v[0]->fy) -
          (int64_t)(v[2]->fx - v[0]->fx) * (v[1]->fy - v[0]->fy);
}

void
K(pa_setup_triangle)(struct front *f, unsigned prim, const struct pa_vertex *const v[3],
                     unsigned edges, const uint32_t params[3],
                     const struct pa_vertex *const whole[3])
{
   const struct pa_state *pa = f->draw->pa;
   const struct pa_vertex *const *const of = whole ? whole : v; /* the planes */
   const int64_t area = cross(v), of_area = whole ? cross(whole) : area;
   const bool front = (of_area < 0) != pa->front_cw;

   if ((area == 0 || of_area == 0) && !pa->poly_mode)
      return;
   if (front ? pa->cull_front : pa->cull_back)
      return;

   const bool offset = front ? pa->offset_front : pa->offset_back;
   float line_offset = 0.0f;
   struct sc_prim scratch;
   struct weights w;

   if (pa->poly_mode) {
      const unsigned type = front ? pa->poly_front : pa->poly_back;

      if (type != POLYGON_FILL) {
         const uint32_t own[3] = { v[0]->param, v[1]->param, v[2]->param };
         const uint32_t first = f->batch->num_prims;
         struct pa_vertex corner[3];

         /* The offset of a polygon drawn as lines or points is the polygon's. */
         if (offset && of_area) {
            scratch.x0 = v[0]->fx >> 8;
            scratch.y0 = v[0]->fy >> 8;
            triangle_weights(&w, &scratch, of, of_area);
            set_planes(f, &scratch, &w, of[0], of[1], of[2], whole ? NULL : params);
            line_offset = K(pa_polygon_offset)(pa, &scratch, !front, of);
         }
         for (unsigned i = 0; i < 3; i++) {
            corner[i] = *v[i];
            for (unsigned k = 0; !params && k < 2; k++)
               corner[i].persp[k] = corner[i].linear[k] = i == k + 1 ? 1.0f : 0.0f;
         }
         for (unsigned i = 0; i < 3; i++) {
            const struct pa_vertex *a = &corner[i], *b = &corner[i == 2 ? 0 : i + 1];

            if (!(edges >> i & 1))
               continue;
            if (type == POLYGON_LINES)
               K(pa_setup_line)(f, prim, a, b, v[0], params ? params : own, front ? 1 : 0);
            else
               K(pa_setup_point)(f, prim, a, params ? params[0] : own[0], front ? 1 : 0);
         }
         for (uint32_t i = first; i < f->batch->num_prims; i++)
            f->batch->prims[i].z[3] = line_offset;
         return;
      }
      if (area == 0 || of_area == 0)
         return;
   }

   struct sc_prim *p = new_prim(f);

   if (!p)
      return;
   start_prim(f, p, prim, v[0]);
   p->front_facing = front;
   const struct point q[3] = { { v[0]->fx, v[0]->fy },
                               { v[1]->fx, v[1]->fy },
                               { v[2]->fx, v[2]->fy } };

   if (!set_bounds(f, p, min_i(q[0].x, min_i(q[1].x, q[2].x)), min_i(q[0].y, min_i(q[1].y, q[2].y)),
                   max_i(q[0].x, max_i(q[1].x, q[2].x)), max_i(q[0].y, max_i(q[1].y, q[2].y))))
      return;
   set_edges(p, q, 3, area < 0, 0, 0);
   if (whole)
      set_anchor(f, p, whole);
   triangle_weights(&w, p, of, of_area);
   set_planes(f, p, &w, of[0], of[1], of[2], whole ? NULL : params);
   if (offset)
      p->z[3] = K(pa_polygon_offset)(pa, p, !front, of);
   f->batch->num_prims++;
}

void
K(pa_setup_rect)(struct front *f, unsigned prim, const struct pa_vertex *const v[3])
{
   const int64_t area = cross(v);
   struct weights w;
   struct sc_prim *p;

   /* A rectangle is not cut: its corners may lie as far away as positions can tell. */
   for (unsigned i = 0; i < 3; i++)
      if (v[i]->fx < -PA_FAR_XY * 256 || v[i]->fx > PA_FAR_XY * 256 ||
          v[i]->fy < -PA_FAR_XY * 256 || v[i]->fy > PA_FAR_XY * 256)
         return;
   if (area == 0 || !(p = new_prim(f)))
      return;
   start_prim(f, p, prim, v[0]);
   const struct point q[4] = { { v[0]->fx, v[0]->fy },
                               { v[1]->fx, v[1]->fy },
                               { v[1]->fx + v[2]->fx - v[0]->fx, v[1]->fy + v[2]->fy - v[0]->fy },
                               { v[2]->fx, v[2]->fy } };
   int32_t x0 = q[0].x, x1 = q[0].x, y0 = q[0].y, y1 = q[0].y;

   for (unsigned i = 1; i < 4; i++) {
      x0 = min_i(x0, q[i].x);
      x1 = max_i(x1, q[i].x);
      y0 = min_i(y0, q[i].y);
      y1 = max_i(y1, q[i].y);
   }
   if (!set_bounds(f, p, x0, y0, x1, y1))
      return;
   set_edges(p, q, 4, area < 0, 0, 0);
   triangle_weights(&w, p, v, area);
   set_planes(f, p, &w, v[0], v[1], v[2], NULL);
   f->batch->num_prims++;
}

static float
exported_half(const struct pa_state *pa, float size)
{
   float half = size * 0.5f;

   half = half > pa->point_min ? half : pa->point_min; /* also for NaN */
   return half < pa->point_max ? half : pa->point_max;
}

void
K(pa_setup_point)(struct front *f, unsigned prim, const struct pa_vertex *v, uint32_t provoking,
                  int facing)
{
   const struct pa_state *pa = f->draw->pa;
   struct sc_prim *p;
   struct weights w;

   if (v->param == PA_NO_PARAM || !(p = new_prim(f)))
      return;
   start_prim(f, p, prim, v);
   const float half_w = pa->use_point_size ? exported_half(pa, v->point_size) : pa->point_half_w;
   const float half_h = pa->use_point_size ? exported_half(pa, v->point_size) : pa->point_half_h;
   const int32_t hw = (int32_t)((half_w < 8192.0f ? half_w : 8192.0f) * 256.0f);
   const int32_t hh = (int32_t)((half_h < 8192.0f ? half_h : 8192.0f) * 256.0f);
   /* The square is cut to what edges can hold; its sprite coordinates are not. */
   const int32_t x0 = max_i(v->fx - hw, PA_MIN_XY * 256), x1 = min_i(v->fx + hw, PA_MAX_XY * 256);
   const int32_t y0 = max_i(v->fy - hh, PA_MIN_XY * 256), y1 = min_i(v->fy + hh, PA_MAX_XY * 256);

   if (x0 >= x1 || y0 >= y1 || !set_bounds(f, p, x0, y0, x1, y1))
      return;
   const struct point q[4] = { { x0, y0 }, { x1, y0 }, { x1, y1 }, { x0, y1 } };

   memset(&w, 0, sizeof(w));
   set_edges(p, q, 4, false, 0, 0);
   set_planes(f, p, &w, v, v, v, NULL);
   p->vertex[0] = provoking;
   p->point = true;
   p->front_facing = facing;
   p->sprite[0] = (float)((p->x0 * 256.0 + 128.0 - (v->fx - hw)) / (2.0 * hw));
   p->sprite[1] = (float)(256.0 / (2.0 * hw));
   p->sprite[2] = p->sprite[4] = 0.0f;
   p->sprite[3] = (float)((p->y0 * 256.0 + 128.0 - (v->fy - hh)) / (2.0 * hh));
   p->sprite[5] = (float)(256.0 / (2.0 * hh));
   f->batch->num_prims++;
}

/* Half of a line's width, 24.8, from its middle to its first edge.  The width spans a parallelogram
 * along the minor axis; with several samples it may be the width across the line, and the ends may
 * be square to it. */
static struct point
half_width(const struct pa_state *pa, int32_t dx, int32_t dy, bool x_major)
{
   const int32_t h = max_i((int32_t)(pa->line_half * 256.0f), 1);
   double along, length;

   if (!pa->line_expand && !pa->line_square)
      return (struct point){ x_major ? 0 : h, x_major ? h : 0 };
   along = x_major ? (dx < 0 ? -dx : dx) : (dy < 0 ? -dy : dy);
   length = sqrt((double)dx * dx + (double)dy * dy);
   if (pa->line_square) {
      /* Turned as the parallelogram's: towards +y where x grows, towards +x where y does. */
      const double scale = (pa->line_expand ? h : h * along / length) / length;
      const double sign = x_major ? (dx < 0 ? -1 : 1) : (dy > 0 ? -1 : 1);

      return (struct point){ (int32_t)(-dy * scale * sign), (int32_t)(dx * scale * sign) };
   }
   const int32_t wide = (int32_t)(h * length / along);
   return (struct point){ x_major ? 0 : wide, x_major ? wide : 0 };
}

/* The draw's count of pixels for the pattern of lines, which repeats. */
static void
count_stipple(struct draw_state *draw, double pixels)
{
   const double period = 16.0 * draw->sc->line_repeat;
   const double count = draw->stipple_count + pixels, periods = count / period;

   draw->stipple_count =
      periods < 0x1p52 ? (float)(count - period * (double)(int64_t)periods) : 0.0f;
}

void
K(pa_advance_stipple)(struct front *f, const struct pa_vertex *from, const struct pa_vertex *to)
{
   const struct pa_state *pa = f->draw->pa;
   const struct pa_viewport *vp = &pa->viewport[from->viewport];

   if (!(from->rw > 0.0f && to->rw > 0.0f))
      return;
   const double r0 = pa->xy_divided ? 1.0 : from->rw, r1 = pa->xy_divided ? 1.0 : to->rw;
   const double dx = (to->clip[0] * r1 - from->clip[0] * r0) * vp->xs;
   const double dy = (to->clip[1] * r1 - from->clip[1] * r0) * vp->ys;
   const double x = dx < 0.0 ? -dx : dx, y = dy < 0.0 ? -dy : dy;

   count_stipple(f->draw, x > y ? x : y);
}

/* The first end of a line belongs to it and the last does not, which gives connected lines each
 * pixel once. */
void
K(pa_setup_line)(struct front *f, unsigned prim, const struct pa_vertex *from,
                 const struct pa_vertex *to, const struct pa_vertex *provoking,
                 const uint32_t params[3], int facing)
{
   const struct pa_state *pa = f->draw->pa;
   const int32_t dx = to->fx - from->fx, dy = to->fy - from->fy;
   const bool x_major = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
   const int64_t length = x_major ? (dx < 0 ? -dx : dx) : (dy < 0 ? -dy : dy);
   const float counter = f->draw->stipple_count;
   struct sc_prim *p;
   struct weights w;

   if (pa->line_stipple)
      count_stipple(f->draw, (double)length / 256.0);
   if (length == 0 || !(p = new_prim(f)))
      return;
   start_prim(f, p, prim, provoking);
   const struct point half = half_width(pa, dx, dy, x_major);
   const int32_t hx = half.x, hy = half.y;
   const int32_t reach_x = hx < 0 ? -hx : hx, reach_y = hy < 0 ? -hy : hy;
   const struct point q[4] = { { from->fx - hx, from->fy - hy },
                               { to->fx - hx, to->fy - hy },
                               { to->fx + hx, to->fy + hy },
                               { from->fx + hx, from->fy + hy } };
   const int32_t x0 = min_i(from->fx, to->fx) - reach_x, x1 = max_i(from->fx, to->fx) + reach_x;
   const int32_t y0 = min_i(from->fy, to->fy) - reach_y, y1 = max_i(from->fy, to->fy) + reach_y;

   if (!set_bounds(f, p, x0, y0, x1, y1))
      return;
   /* Edge 1 is the last end, edge 3 the first. */
   set_edges(p, q, 4, x_major ? dx < 0 : dy > 0, 1u << 3, 1u << 1);

   /* Weight of `to` along the major axis. */
   const double step = 256.0 / (double)length;
   const int32_t start = x_major ? from->fx : from->fy;
   const int32_t anchor = (x_major ? p->x0 : p->y0) * 256 + 128;
   const double sign = (x_major ? dx : dy) < 0 ? -1.0 : 1.0;
   const double t = sign * (double)(anchor - start) / (double)length;
   const unsigned axis = x_major ? 1 : 2;

   memset(&w, 0, sizeof(w));
   w.l1[0] = t;
   w.l1[axis] = sign * step;
   set_planes(f, p, &w, from, to, from, params);
   p->line = true;
   p->front_facing = facing;
   p->stipple[0] = counter + (float)(t * (double)length / 256.0);
   p->stipple[axis] = (float)sign;
   p->stipple[3 - axis] = 0.0f;
   f->batch->num_prims++;
}

static void
line(struct front *f, unsigned i)
{
   const struct pa_vertex *v[2] = { &f->vertex[f->prim[i][0]], &f->vertex[f->prim[i][1]] };
   const uint32_t any = v[0]->code | v[1]->code;

   if (f->draw->pa->line_stipple_anew || f->first_of_strip[i])
      f->draw->stipple_count = 0.0f;
   if ((v[0]->code & v[1]->code & PA_REJECT) || (any & PA_NAN)) {
      if (f->draw->pa->line_stipple && !(any & PA_NAN))
         K(pa_advance_stipple)(f, v[0], v[1]);
      return;
   }
   f->worker->counters.clip_primitives++;
   if (any & PA_CLIP) {
      K(pa_clip_line)(f, i, v, f->provoking[i]);
      return;
   }

   const unsigned provoking = f->provoking[i];
   const uint32_t params[3] = { v[provoking]->param, v[!provoking]->param, v[!provoking]->param };

   for (unsigned k = 0; k < 2; k++) {
      struct pa_vertex *e = &f->vertex[f->prim[i][k]];

      e->persp[0] = e->linear[0] = k == provoking ? 0.0f : 1.0f;
      e->persp[1] = e->linear[1] = 0.0f;
   }
   K(pa_setup_line)(f, i, v[0], v[1], v[provoking], params, 1);
}

void
K(pa_batch)(struct front *f)
{
   f->worker->counters.clip_invocations += f->num_prims;
   switch ((enum vgt_kind)f->draw->vgt->kind) {
   case VGT_TRIANGLES:
      K(pa_triangles)(f);
      break;
   case VGT_LINES:
      for (unsigned i = 0; i < f->num_prims; i++)
         line(f, i);
      break;
   case VGT_POINTS:
      for (unsigned i = 0; i < f->num_prims; i++) {
         const struct pa_vertex *v = &f->vertex[f->prim[i][0]];

         if (v->code & (PA_REJECT | PA_NAN | PA_GUARD))
            continue;
         f->worker->counters.clip_primitives++;
         K(pa_setup_point)(f, i, v, v->param, 1);
      }
      break;
   case VGT_RECTS:
      for (unsigned i = 0; i < f->num_prims; i++) {
         const struct pa_vertex *v[3] = { &f->vertex[f->prim[i][0]], &f->vertex[f->prim[i][1]],
                                          &f->vertex[f->prim[i][2]] };

         if ((v[0]->code | v[1]->code | v[2]->code) & PA_NAN)
            continue;
         f->worker->counters.clip_primitives++;
         K(pa_setup_rect)(f, i, v);
      }
      break;
   }
}
