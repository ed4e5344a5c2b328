/* SPDX-License-Identifier: MIT */
/*
 * Setup of a batch's triangles, a vector of them at a time: first which are drawn at all (facing,
 * bounds), then edges and planes of those.
 *
 * Bit for bit what setup.c makes of one triangle.  Its 64-bit integers are doubles here: window
 * positions are below 2^23, so that products and their sums stay far below 2^53 and are exact.
 */
#include "pa/pa.h"
#include "pa/setup.h"
#include "sc/sc.h"
#include "simd_double.h"
#include "vgt/front.h"

/* Doubles are half as many a vector: [0] has the lower lanes. */
#define HALVES 2

/* A triangle's vertices, the provoking one first, and its number. */
struct candidate {
   uint16_t vertex[3], prim;
};

/* A vector of triangles; component k is vertex k's. */
struct corners {
   vf z[3], rw[3];
   vi x[3], y[3];
};

struct bounds {
   vi x0, y0, x1, y1;
};

static inline void
load_corners(const struct front *f, const struct candidate *tri, struct corners *c)
{
   for (unsigned k = 0; k < 3; k++) {
      vf v[4];

      for (unsigned i = 0; i < 4; i++) {
         const float *p[VW / 4];

         for (unsigned q = 0; q < VW / 4; q++)
            p[q] = &f->vertex[tri[4 * q + i].vertex[k]].z;
         v[i] = vf_load_quads(p);
      }
      vf_transpose_quads(v);
      c->z[k] = v[0];
      c->rw[k] = v[1];
      c->x[k] = (vi)v[2];
      c->y[k] = (vi)v[3];
   }
}

/* Pixels with centres that can be covered, cut to the draw's rectangle; see setup.c. */
static inline struct bounds
find_bounds(const struct sc_state *sc, const struct corners *c)
{
   const struct sc_rect *r = &sc->rect[0];
   const vi lo = vi_splat(sc->msaa ? 0 : 127), hi = vi_splat(sc->msaa ? 0 : 128);
   const vi left = vi_min(c->x[0], vi_min(c->x[1], c->x[2]));
   const vi right = vi_max(c->x[0], vi_max(c->x[1], c->x[2]));
   const vi top = vi_min(c->y[0], vi_min(c->y[1], c->y[2]));
   const vi bottom = vi_max(c->y[0], vi_max(c->y[1], c->y[2]));

   return (struct bounds){
      .x0 = vi_max(vi_sar(left + lo, 8), vi_splat(r->x0)),
      .y0 = vi_max(vi_sar(top + lo, 8), vi_splat(r->y0)),
      .x1 = vi_min(vi_sar(right - hi, 8), vi_splat(r->x1 - 1)),
      .y1 = vi_min(vi_sar(bottom - hi, 8), vi_splat(r->y1 - 1)),
   };
}

/* Twice the area in 1/65536 pixels; positive is clockwise. */
static inline vd
area_of(const struct corners *c, unsigned half)
{
   const vd x1 = vd_from_vi(c->x[1] - c->x[0], half), y1 = vd_from_vi(c->y[1] - c->y[0], half);
   const vd x2 = vd_from_vi(c->x[2] - c->x[0], half), y2 = vd_from_vi(c->y[2] - c->y[0], half);

   return x1 * y2 - x2 * y1;
}

/* Of VW candidates, those that are drawn. */
static inline uint32_t
choose(const struct front *f, const struct candidate *tri)
{
   const struct pa_state *pa = f->draw->pa;
   struct corners c;

   load_corners(f, tri, &c);
   const struct bounds b = find_bounds(f->draw->sc, &c);
   /* The conversion keeps sign and zero. */
   const vf area = vf_from_vd(area_of(&c, 0), area_of(&c, 1)), zero = vf_splat(0.0f);
   const vm positive = vf_gt(area, zero), negative = vf_lt(area, zero);
   const bool cull_negative = pa->front_cw ? pa->cull_back : pa->cull_front;
   const bool cull_positive = pa->front_cw ? pa->cull_front : pa->cull_back;
   const vm none = vm_none();
   const vm facing = vm_or(cull_positive ? none : positive, cull_negative ? none : negative);
   const vm empty = vm_or(vi_gt(b.x0, b.x1), vi_gt(b.y0, b.y1));

   return vm_bits(vm_andnot(facing, empty));
}

/* Weights of vertex 1 and 2 as planes over pixel centres, by half; relative to the anchor. */
struct weights {
   vd l1[HALVES][3], l2[HALVES][3];
};

static inline void
find_weights(const struct corners *c, const struct bounds *b, struct weights *w)
{
   for (unsigned h = 0; h < HALVES; h++) {
      const vd centre = vd_splat(128.0), pixel = vd_splat(256.0), zero = vd_splat(0.0);
      const vd xc = vd_from_vi(b->x0, h) * pixel + centre;
      const vd yc = vd_from_vi(b->y0, h) * pixel + centre;
      const vd x20 = vd_from_vi(c->x[0] - c->x[2], h), y20 = vd_from_vi(c->y[0] - c->y[2], h);
      const vd x01 = vd_from_vi(c->x[1] - c->x[0], h), y01 = vd_from_vi(c->y[1] - c->y[0], h);
      const vd y02 = vd_from_vi(c->y[2] - c->y[0], h), y10 = vd_from_vi(c->y[0] - c->y[1], h);
      const vd inv = vd_splat(1.0) / (x20 * y01 - x01 * y20);

      /* Integers have no negative zero: what is added takes it away. */
      w->l1[h][0] =
         (x20 * (yc - vd_from_vi(c->y[2], h)) - y20 * (xc - vd_from_vi(c->x[2], h)) + zero) * inv;
      w->l1[h][1] = y02 * pixel * inv;
      w->l1[h][2] = x20 * pixel * inv;
      w->l2[h][0] =
         (x01 * (yc - vd_from_vi(c->y[0], h)) - y01 * (xc - vd_from_vi(c->x[0], h)) + zero) * inv;
      w->l2[h][1] = y10 * pixel * inv;
      w->l2[h][2] = x01 * pixel * inv;
   }
}

/* Planes through the values at the three vertices. */
static inline void
find_plane(const struct weights *w, const vf v[3], vf out[3])
{
   vd o[HALVES][3];

   for (unsigned h = 0; h < HALVES; h++) {
      const vd v0 = vd_from_vf(v[0], h), zero = vd_splat(0.0);
      const vd d1 = vd_from_vf(v[1], h) - v0, d2 = vd_from_vf(v[2], h) - v0;

      for (unsigned k = 0; k < 3; k++)
         o[h][k] = (k == 0 ? v0 : zero) + w->l1[h][k] * d1 + w->l2[h][k] * d2;
   }
   for (unsigned k = 0; k < 3; k++)
      out[k] = vf_from_vd(o[0][k], o[1][k]);
}

static inline void
find_barycentrics(const struct weights *w, const vf rw[3], vf li[3], vf lj[3], vf pi[3], vf pj[3])
{
   for (unsigned k = 0; k < 3; k++) {
      li[k] = vf_from_vd(w->l1[0][k], w->l1[1][k]);
      lj[k] = vf_from_vd(w->l2[0][k], w->l2[1][k]);
      pi[k] = vf_from_vd(w->l1[0][k] * vd_from_vf(rw[1], 0), w->l1[1][k] * vd_from_vf(rw[1], 1));
      pj[k] = vf_from_vd(w->l2[0][k] * vd_from_vf(rw[2], 0), w->l2[1][k] * vd_from_vf(rw[2], 1));
   }
}

/* Programs with many draws have one triangle or two in most of them: of a vector with no more than
 * FEW triangles only FEW are written. */
enum { FEW = 4 };

/* Four words of each primitive, or of the first FEW, from `at` on. */
static inline void
store_row(struct sc_prim *p, size_t at, vf a, vf b, vf c, vf d, bool few)
{
   vf v[4] = { a, b, c, d };

   if (!few) {
      vf_store_rows((uint8_t *)p + at, sizeof(*p), a, b, c, d);
      return;
   }
   vf_transpose_quads(v);
   for (unsigned i = 0; i < FEW; i++)
      memcpy((uint8_t *)(p + i) + at, &v[i], 16);
}

/* The integers below or at v / 256, for integers v below 2^51. */
static inline void
store_floor(int64_t *to, vd v)
{
   /* The mantissa is then v + 2^51. */
   const vul bits = (vul)(v + vd_splat(0x1.8p52)) & vul_splat((UINT64_C(1) << 52) - 1);

   *(vul *)to = (bits >> 8) - vul_splat(UINT64_C(1) << 43);
}

/* Edges with the interior positive, and the fill rule in c; see setup.c. */
static inline void
store_edges(struct sc_prim *p, const struct corners *c, vm negative, bool few, vu *frac)
{
   int64_t constant[3][VW] __attribute__((aligned(64)));
   const vi flip = (vi)vu_from_mask(negative), zero = vi_splat(0), centre = vi_splat(128);
   vi a[3], b[3];

   *frac = vu_splat(0);
   for (unsigned k = 0; k < 3; k++) {
      const unsigned next = (k + 1) % 3;

      a[k] = ((c->y[k] - c->y[next]) ^ flip) - flip;
      b[k] = ((c->x[next] - c->x[k]) ^ flip) - flip;
      const vm top_left = vm_or(vi_gt(a[k], zero), vm_and(vi_eq(a[k], zero), vi_gt(b[k], zero)));
      const vi rule = (vi)vu_from_mask(vm_not(top_left));
      const vi x = centre - c->x[k], y = centre - c->y[k];

      for (unsigned h = 0; h < HALVES; h++)
         store_floor(constant[k] + h * (VW / HALVES), vd_from_vi(a[k], h) * vd_from_vi(x, h) +
                                                         vd_from_vi(b[k], h) * vd_from_vi(y, h) +
                                                         vd_from_vi(rule, h));
      /* The lowest bits of it, which 32 bits have, too. */
      *frac |= (((vu)a[k] * (vu)x + (vu)b[k] * (vu)y + (vu)rule) & vu_splat(255)) << (k * 8);
   }
   store_row(p, offsetof(struct sc_prim, a), (vf)a[0], (vf)a[1], (vf)a[2], (vf)zero, few);
   store_row(p, offsetof(struct sc_prim, b), (vf)b[0], (vf)b[1], (vf)b[2], (vf)zero, few);
   for (unsigned l = 0; l < (few ? FEW : VW); l++) {
      for (unsigned k = 0; k < 3; k++)
         p[l].c[k] = constant[k][l];
      p[l].c[3] = 0;
   }
}

/* Sets up VW candidates that are drawn, at p; of `few` the first ones alone. */
static inline __attribute__((always_inline)) void
set_up(struct front *f, const struct candidate *tri, struct sc_prim *p, bool few)
{
   const bool perspective = !f->draw->pa->persp_corr_dis;
   uint32_t number[VW] __attribute__((aligned(64))), param[3][VW] __attribute__((aligned(64)));
   struct corners c;
   struct weights w;
   vf z[3], pw[3], li[3], lj[3], pi[3], pj[3];
   vu frac;

   for (unsigned l = 0; l < VW; l++) {
      number[l] = f->prim_number[tri[l].prim];
      for (unsigned k = 0; k < 3; k++)
         param[k][l] = f->param_base + tri[l].vertex[k];
   }
   load_corners(f, tri, &c);
   const struct bounds b = find_bounds(f->draw->sc, &c);
   const vm negative = vf_lt(vf_from_vd(area_of(&c, 0), area_of(&c, 1)), vf_splat(0.0f));
   const vm front = f->draw->pa->front_cw ? vm_not(negative) : negative;
   const vm same_w = vm_and(vf_eq(c.rw[0], c.rw[1]), vf_eq(c.rw[0], c.rw[2]));
   const vu word = vu_splat(0xffff);
   const vu flags = vu_splat(3) | vu_keep(front, vu_splat(1u << 8));

   find_weights(&c, &b, &w);
   find_plane(&w, c.z, z);
   find_plane(&w, c.rw, pw);
   find_barycentrics(&w, c.rw, li, lj, pi, pj);
   store_edges(p, &c, negative, few, &frac);
#define ROW(field, a, b, c, d) \
   store_row(p, offsetof(struct sc_prim, field), (vf)(a), (vf)(b), (vf)(c), (vf)(d), few)
   ROW(min_x, ((vu)b.x0 & word) | vu_shl((vu)b.y0, 16), ((vu)b.x1 & word) | vu_shl((vu)b.y1, 16),
       flags, frac);
   ROW(x0, ((vu)b.x0 & word) | vu_shl((vu)b.y0, 16),
       vu_keep(perspective ? vm_not(same_w) : vm_none(), vu_splat(1)), vu_load(number), z[0]);
   ROW(z[1], z[1], z[2], vf_splat(0.0f), vu_load(param[0]));
   ROW(vertex[1], vu_load(param[1]), vu_load(param[2]), pw[0], pw[1]);
   ROW(pw[2], pw[2], pi[0], pi[1], pi[2]);
   ROW(pj, pj[0], pj[1], pj[2], li[0]);
   ROW(li[1], li[1], li[2], lj[0], lj[1]);
   ROW(lj[2], lj[2], vf_splat(0.0f), vf_splat(0.0f), vf_splat(0.0f));
#undef ROW
}

/* What not all draws have: layers and depth offsets. */
static void
finish(const struct front *f, const struct candidate *tri, struct sc_prim *p)
{
   const struct pa_state *pa = f->draw->pa;
   const struct pa_vertex *const v[3] = { &f->vertex[tri->vertex[0]], &f->vertex[tri->vertex[1]],
                                          &f->vertex[tri->vertex[2]] };

   /* As start_prim() in setup.c. */
   p->layer = v[0]->layer < f->draw->sc->layers ? v[0]->layer : 0;
   if (p->front_facing ? pa->offset_front : pa->offset_back)
      p->z[3] = K(pa_polygon_offset)(pa, p, !p->front_facing, v);
}

/* Asks for the lines of the next vector's primitives: they were last read by other processors, and
 * setup waits for nothing else. */
static inline void
fetch_ahead(const struct sc_prim *p, unsigned count)
{
   for (size_t at = 0; at < count * sizeof(*p); at += 64)
      __builtin_prefetch((const uint8_t *)p + at, 1);
}

static void
set_up_few(struct front *f, const struct candidate *tri, struct sc_prim *p)
{
   set_up(f, tri, p, true);
}

static void
set_up_all(struct front *f, const struct candidate *tri, struct sc_prim *p, unsigned drawn)
{
   for (unsigned i = 0; i < drawn; i += VW) {
      if (i + VW < drawn)
         fetch_ahead(p + i + VW, VW);
      set_up(f, tri + i, p + i, false);
   }
}

/* Sets up `count` candidates, for which there is room to the next whole vector. */
static void
draw(struct front *f, struct candidate *tri, unsigned count)
{
   const struct pa_state *pa = f->draw->pa;
   unsigned drawn = 0;

   for (unsigned i = count; i % VW; i++)
      tri[i] = tri[0];
   for (unsigned i = 0; i < count; i += VW) {
      uint32_t bits = choose(f, tri + i);

      if (count - i < VW)
         bits &= (1u << (count - i)) - 1;
      for (; bits; bits &= bits - 1)
         tri[drawn++] = tri[i + (unsigned)__builtin_ctz(bits)];
   }
   struct sc_prim *p = drawn ? pa_reserve(f, drawn + VW - 1) : NULL;

   if (!p)
      return;
   for (unsigned i = drawn; i % VW; i++)
      tri[i] = tri[0];
   fetch_ahead(p, drawn < VW ? drawn : VW);
   if (drawn <= FEW)
      set_up_few(f, tri, p);
   else
      set_up_all(f, tri, p, drawn);
   for (unsigned i = 0; i < drawn && (pa->use_layer || pa->offset_front || pa->offset_back); i++)
      finish(f, tri + i, p + i);
   f->batch->num_prims += drawn;
}

/* The vertices, the provoking one first. */
static inline struct candidate
rotate(const struct front *f, unsigned i)
{
   const uint16_t *v = f->prim[i];
   const unsigned r = f->provoking[i];
   struct candidate tri = { { v[0], v[1], v[2] }, (uint16_t)i };

   if (r) {
      tri.vertex[0] = v[r];
      tri.vertex[1] = v[r == 2 ? 0 : 2];
      tri.vertex[2] = v[r - 1];
   }
   return tri;
}

/* One triangle by itself: it is cut, or drawn as something else. */
static void
draw_apart(struct front *f, const struct candidate *tri, bool clip)
{
   const unsigned i = tri->prim, r = f->provoking[i];
   const struct pa_vertex *v[3];
   unsigned edges = f->edges[i];

   for (unsigned k = 0; k < 3; k++) {
      v[k] = &f->vertex[tri->vertex[k]];
      if (f->draw->pa->use_edge_flag && !v[k]->edge)
         edges &= ~(1u << (k + r) % 3);
   }
   edges = (edges >> r | edges << (3 - r)) & 7;
   if (clip)
      K(pa_clip_triangle)(f, i, v, edges);
   else
      K(pa_setup_triangle)(f, i, v, edges, NULL, NULL);
}

void
K(pa_triangles)(struct front *f)
{
   const struct pa_state *pa = f->draw->pa;
   const bool apart = pa->poly_mode || pa->use_viewport;
   struct candidate tri[BATCH_PRIMS + VW];
   unsigned count = 0;

   if (!apart && !(f->codes & (PA_REJECT | PA_NAN | PA_CLIP))) {
      /* Alone it takes less time than as one of a vector. */
      if (f->num_prims == 1) {
         const struct candidate one = rotate(f, 0);

         f->worker->counters.clip_primitives++;
         draw_apart(f, &one, false);
         return;
      }
      for (unsigned i = 0; i < f->num_prims; i++)
         tri[i] = rotate(f, i);
      f->worker->counters.clip_primitives += f->num_prims;
      draw(f, tri, f->num_prims);
      return;
   }
   for (unsigned i = 0; i < f->num_prims; i++) {
      struct candidate *t = &tri[count];

      *t = rotate(f, i);
      const uint32_t code[3] = { f->vertex[t->vertex[0]].code, f->vertex[t->vertex[1]].code,
                                 f->vertex[t->vertex[2]].code };
      const uint32_t any = code[0] | code[1] | code[2];

      if ((code[0] & code[1] & code[2] & PA_REJECT) || (any & PA_NAN))
         continue;
      f->worker->counters.clip_primitives++;
      if (!apart && !(any & PA_CLIP)) {
         count++;
         continue;
      }
      /* After those before it. */
      const struct candidate alone = *t;

      draw(f, tri, count);
      count = 0;
      draw_apart(f, &alone, any & PA_CLIP);
   }
   draw(f, tri, count);
}
