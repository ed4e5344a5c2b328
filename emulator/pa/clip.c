/* SPDX-License-Identifier: MIT */
/*
 * PA's clipper: cuts triangles (Sutherland-Hodgman) and lines by the planes that some vertex is
 * beyond: near, far, w, user planes, exported distances, and the guard band that setup can hold.
 *
 * A cut vertex is kept as weights of the primitive's own vertices; setup makes the parts' planes
 * from them, so that parameters stay those of the whole primitive, with and without perspective.
 * A crossing is always computed from the inside vertex to the outside one: two primitives that
 * share an edge get the same point.
 *
 * Where the whole triangle's planes can be found, what is left of it has these: it is as deep, bit
 * for bit, as if it was not cut, and a polygon offset follows the whole triangle's slope.
 *
 * Weights are doubles: a vertex may lie some 10^15 pixels away, and what is left of its edge is
 * still where it was.
 *
 * A line is cut where its middle leaves the guard band, and is as wide as it was: setup lets its
 * corners lie beyond.  Its pattern goes on as if it was not cut (OpenGL leaves that open), where
 * both ends are in front of the eye.
 */
#include <string.h>

#include "vgt/front.h"
#include "pa/pa.h"
#include "pa/setup.h"

#define MAX_PLANES 24 /* near, far, w, 4 guard, 6 ucp, 8 distances */
#define MAX_VERTS  (3 + MAX_PLANES)

/* Smallest w that is kept: 1/w stays finite. */
#define MIN_W 1e-30f

struct corner {
   double weight[3];
   bool edge; /* the edge to the next corner is the application's */
};

struct plane {
   double d[3]; /* distances of the primitive's vertices; inside is >= 0 */
};

static void
add_plane(struct plane *planes, unsigned *num, double a, double b, double c)
{
   struct plane *p = &planes[(*num)++];

   p->d[0] = a;
   p->d[1] = b;
   p->d[2] = c;
}

/* The planes that at least one of the n vertices is beyond. */
static unsigned
gather_planes(const struct front *f, const struct pa_vertex *const *v, unsigned n,
              struct plane planes[MAX_PLANES])
{
   const struct pa_state *pa = f->draw->pa;
   const struct pa_viewport *vp = &pa->viewport[v[0]->viewport];
   uint32_t code = 0;
   unsigned num = 0;
   double d[4][3];

   for (unsigned i = 0; i < n; i++)
      code |= v[i]->code;
   memset(d, 0, sizeof(d));

   if (code & PA_W || code & PA_GUARD) {
      for (unsigned i = 0; i < n; i++)
         d[0][i] = (double)v[i]->clip[3] - MIN_W;
      add_plane(planes, &num, d[0][0], d[0][1], d[0][2]);
   }
   if (code & PA_NEAR) {
      for (unsigned i = 0; i < n; i++)
         d[0][i] = v[i]->clip[2] + (pa->dx_clip_space ? 0.0 : (double)v[i]->clip[3]);
      add_plane(planes, &num, d[0][0], d[0][1], d[0][2]);
   }
   if (code & PA_FAR) {
      for (unsigned i = 0; i < n; i++)
         d[0][i] = (double)v[i]->clip[3] - v[i]->clip[2];
      add_plane(planes, &num, d[0][0], d[0][1], d[0][2]);
   }
   for (unsigned p = 0; p < PA_UCPS; p++) {
      const float *u = pa->ucp[p];

      if (!(code & PA_UCP << p))
         continue;
      for (unsigned i = 0; i < n; i++)
         d[0][i] = v[i]->clip[0] * u[0] + v[i]->clip[1] * u[1] + v[i]->clip[2] * u[2] +
                   v[i]->clip[3] * u[3];
      add_plane(planes, &num, d[0][0], d[0][1], d[0][2]);
   }
   for (unsigned p = 0; p < PA_CLIP_DISTS; p++) {
      if (!(code & PA_DIST << p))
         continue;
      for (unsigned i = 0; i < n; i++)
         d[0][i] = f->dist[v[i] - f->vertex][p];
      add_plane(planes, &num, d[0][0], d[0][1], d[0][2]);
   }
   /* A vertex beyond the eye (w < 0) may come to lie anywhere once cut: always guard it. */
   if (code & (PA_GUARD | PA_W)) {
      const double xs = vp->xs, xo = vp->xo, ys = vp->ys, yo = vp->yo;

      for (unsigned i = 0; i < n; i++) {
         const float *c = v[i]->clip;
         /* One pixel inside the limits, for rounding. */
         d[0][i] = xs * c[0] + (xo - (PA_MIN_XY + 1)) * c[3];
         d[1][i] = ((PA_MAX_XY - 1) - xo) * c[3] - xs * c[0];
         d[2][i] = ys * c[1] + (yo - (PA_MIN_XY + 1)) * c[3];
         d[3][i] = ((PA_MAX_XY - 1) - yo) * c[3] - ys * c[1];
      }
      for (unsigned k = 0; k < 4; k++)
         add_plane(planes, &num, d[k][0], d[k][1], d[k][2]);
   }
   return num;
}

static double
distance(const struct plane *p, const struct corner *c)
{
   return p->d[0] * c->weight[0] + p->d[1] * c->weight[1] + p->d[2] * c->weight[2];
}

/* The point between `in` and `out` where the distance is zero. */
static struct corner
crossing(const struct corner *in, double d_in, const struct corner *out, double d_out)
{
   const double t = d_in / (d_in - d_out);
   struct corner c = { .edge = false };

   for (unsigned k = 0; k < 3; k++)
      c.weight[k] = in->weight[k] + t * (out->weight[k] - in->weight[k]);
   return c;
}

static int32_t
limit_xy(int32_t v)
{
   return v < PA_MIN_XY * 256 ? PA_MIN_XY * 256 : v > PA_MAX_XY * 256 ? PA_MAX_XY * 256 : v;
}

/* Makes a vertex of a corner, within what setup can hold. */
static void
build_vertex(const struct front *f, const struct pa_vertex *const *v, unsigned n,
             const struct corner *c, struct pa_vertex *out)
{
   *out = *v[0];
   out->code = 0;
   out->edge = true;
   out->param = PA_NO_PARAM;
   for (unsigned i = 0; i < n; i++)
      if (c->weight[i] == 1.0)
         out->param = v[i]->param;
   for (unsigned k = 0; k < 4; k++) {
      double sum = 0.0;

      for (unsigned i = 0; i < n; i++)
         sum += c->weight[i] * v[i]->clip[k];
      out->clip[k] = (float)sum;
   }
   K(pa_to_window)(f->draw->pa, out);
   for (unsigned i = 1; i < 3; i++) {
      const float weight = i < n ? (float)c->weight[i] : 0.0f;

      out->persp[i - 1] = weight;
      out->linear[i - 1] = i < n ? weight * v[i]->clip[3] * out->rw : 0.0f;
   }
   out->fx = limit_xy(out->fx);
   out->fy = limit_xy(out->fy);
}

/* Whether a triangle's planes can be found without cutting it: its vertices are in front of the
 * eye, where window positions can tell, and so near to what is seen that single precision holds. */
static bool
holds_planes(const struct pa_vertex *const v[3])
{
   const int32_t far = PA_FAR_XY * 256;
   float least = v[0]->rw, most = v[0]->rw;

   for (unsigned i = 0; i < 3; i++) {
      if (!(v[i]->z >= -1.0f && v[i]->z <= 2.0f) || v[i]->fx < -far || v[i]->fx > far ||
          v[i]->fy < -far || v[i]->fy > far)
         return false;
      least = v[i]->rw < least ? v[i]->rw : least;
      most = v[i]->rw > most ? v[i]->rw : most;
   }
   return least > 0.0f && most < 256.0f * least;
}

void
K(pa_clip_triangle)(struct front *f, unsigned prim, const struct pa_vertex *const v[3],
                    unsigned edges)
{
   struct plane planes[MAX_PLANES];
   struct corner poly[2][MAX_VERTS];
   const unsigned num_planes = gather_planes(f, v, 3, planes);
   unsigned count = 3, now = 0;

   memset(poly[0], 0, 3 * sizeof(poly[0][0]));
   for (unsigned i = 0; i < 3; i++) {
      poly[0][i].weight[i] = 1.0;
      poly[0][i].edge = edges >> i & 1;
   }
   for (unsigned p = 0; p < num_planes && count; p++) {
      const struct corner *src = poly[now];
      struct corner *dst = poly[!now];
      unsigned n = 0;

      for (unsigned i = 0; i < count; i++) {
         const struct corner *a = &src[i], *b = &src[i + 1 == count ? 0 : i + 1];
         const double da = distance(&planes[p], a), db = distance(&planes[p], b);
         const bool a_in = da >= 0.0, b_in = db >= 0.0;

         /* Rounding, and distances that are no numbers, may cross a plane more than twice: such a
          * polygon is dropped when it outgrows its storage. */
         if (n + 2 > MAX_VERTS)
            return;
         if (a_in)
            dst[n++] = *a;
         if (a_in && !b_in) {
            /* From here to the next corner runs the cut. */
            dst[n++] = crossing(a, da, b, db);
         } else if (!a_in && b_in) {
            dst[n] = crossing(b, db, a, da);
            dst[n++].edge = a->edge;
         }
      }
      count = n;
      now = !now;
   }
   if (count < 3)
      return;

   const uint32_t params[3] = { v[0]->param, v[1]->param, v[2]->param };
   const struct pa_vertex *const *whole = holds_planes(v) ? v : NULL;
   struct pa_vertex out[MAX_VERTS];

   for (unsigned i = 0; i < count; i++)
      build_vertex(f, v, 3, &poly[now][i], &out[i]);
   for (unsigned i = 1; i + 1 < count; i++) {
      const struct pa_vertex *tri[3] = { &out[0], &out[i], &out[i + 1] };
      const unsigned e = (i == 1 && poly[now][0].edge ? 1u : 0) | (poly[now][i].edge ? 2u : 0) |
                         (i + 2 == count && poly[now][i + 1].edge ? 4u : 0);

      K(pa_setup_triangle)(f, prim, tri, e, params, whole);
   }
}

void
K(pa_clip_line)(struct front *f, unsigned prim, const struct pa_vertex *const v[2],
                unsigned provoking)
{
   const struct pa_state *pa = f->draw->pa;
   struct plane planes[MAX_PLANES];
   /* Setup's vertex 0 is the provoking one. */
   const struct pa_vertex *const own[2] = { v[provoking], v[!provoking] };
   const uint32_t params[3] = { own[0]->param, own[1]->param, own[1]->param };
   const unsigned num_planes = gather_planes(f, v, 2, planes);
   double t0 = 0.0, t1 = 1.0;
   struct pa_vertex a, b;

   for (unsigned p = 0; p < num_planes; p++) {
      const double d0 = planes[p].d[0], d1 = planes[p].d[1];

      if (d0 < 0.0 && d1 < 0.0) {
         if (pa->line_stipple)
            K(pa_advance_stipple)(f, v[0], v[1]);
         return;
      }
      if (d0 < 0.0) {
         const double t = 1.0 - d1 / (d1 - d0);

         t0 = t > t0 ? t : t0;
      } else if (d1 < 0.0) {
         const double t = d0 / (d0 - d1);

         t1 = t < t1 ? t : t1;
      }
   }
   if (!(t0 < t1)) {
      if (pa->line_stipple)
         K(pa_advance_stipple)(f, v[0], v[1]);
      return;
   }

   const struct corner ca = { .weight = { provoking ? t0 : 1.0 - t0, provoking ? 1.0 - t0 : t0 } };
   const struct corner cb = { .weight = { provoking ? t1 : 1.0 - t1, provoking ? 1.0 - t1 : t1 } };

   build_vertex(f, own, 2, &ca, &a);
   build_vertex(f, own, 2, &cb, &b);
   if (pa->line_stipple && t0 > 0.0)
      K(pa_advance_stipple)(f, v[0], &a);
   K(pa_setup_line)(f, prim, &a, &b, own[0], params, 1);
   if (pa->line_stipple && t1 < 1.0)
      K(pa_advance_stipple)(f, &b, v[1]);
}
