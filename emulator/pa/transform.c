/* SPDX-License-Identifier: MIT */
/*
 * Positions of vertices: clip codes, the viewport transform, user clip planes and distances.
 *
 * Depth is the quotient z / w, rounded once, and not z times the reciprocal that interpolation
 * needs: vertices with one quotient have one depth, whatever their w, and their triangle has a
 * constant plane.  An error of x and y in the last bit is far below their fixed point.
 *
 * Where programs give positions in the window, these are taken as they are; the clip coordinates
 * that would give them are what is cut.
 */
#include "pa/pa.h"
#include "vgt/front.h"

#include "simd.h"

/* 24.8 fixed point of a window coordinate, nearest. */
static inline int32_t
to_fixed(float v)
{
   float t = v * 256.0f;

   t = t < 8388607.0f ? t : 8388607.0f; /* also for NaN */
   t = t > -8388608.0f ? t : -8388608.0f;
   return (int32_t)(t + (t < 0.0f ? -0.5f : 0.5f));
}

static inline vi
to_fixed_vector(vf v)
{
   const vf lo = vf_splat(-8388608.0f), hi = vf_splat(8388607.0f), zero = vf_splat(0.0f);
   vf t = v * vf_splat(256.0f);

   t = vf_select(vf_gt(hi, t), t, hi);
   t = vf_select(vf_gt(t, lo), t, lo);
   return vi_trunc_raw(t + vf_select(vf_gt(zero, t), vf_splat(-0.5f), vf_splat(0.5f)));
}

void
K(pa_to_window)(const struct pa_state *pa, struct pa_vertex *v)
{
   const struct pa_viewport *vp = &pa->viewport[v->viewport];
   const float rw = pa->w_is_w ? 1.0f / v->clip[3] : v->clip[3];
   const float xy = pa->xy_divided ? 1.0f : rw;
   const float z = pa->z_divided ? v->clip[2]
                   : pa->w_is_w  ? v->clip[2] / v->clip[3]
                                 : v->clip[2] * rw;
   const int32_t half = pa->pixel_center_integer ? 128 : 0;

   v->rw = rw;
   v->fx = to_fixed(v->clip[0] * xy * vp->xs + vp->xo) + half;
   v->fy = to_fixed(v->clip[1] * xy * vp->ys + vp->yo) + half;
   v->z = z * vp->zs + vp->zo;
}

/* Layer, viewport and edge flag as a word of struct pa_vertex.  A number out of range becomes 0. */
#define MISC (1u << 24)
_Static_assert(offsetof(struct pa_vertex, layer) + 2 == offsetof(struct pa_vertex, viewport) &&
                  offsetof(struct pa_vertex, layer) + 3 == offsetof(struct pa_vertex, edge),
               "layer, viewport and edge flag are a word");

static inline vu
misc_word(const struct pa_state *pa, const wave_lane *m, unsigned l)
{
   const vu layer = vu_load(m[2] + l), viewport = vu_load(m[3] + l);
   vu word = vu_splat(MISC);

   if (pa->use_edge_flag)
      word = vu_keep(vf_ne(vf_load(m[1] + l), vf_splat(0.0f)), word);
   if (pa->use_layer)
      word |= vu_keep(vu_lt(layer, vu_splat(0x10000)), layer);
   if (pa->use_viewport)
      word |= vu_keep(vu_lt(viewport, vu_splat(PA_VIEWPORTS)), vu_shl(viewport, 16));
   return word;
}

/* Four words of a vector of vertices, from `at` on. */
static inline void
store_row(struct pa_vertex *p, size_t at, vf a, vf b, vf c, vf d)
{
   vf_store_rows((uint8_t *)p + at, sizeof(*p), a, b, c, d);
}

/* Those that chose another viewport than the first. */
static void
move_to_viewports(struct front *f, uint32_t base, unsigned lanes)
{
   for (unsigned l = 0; l < lanes; l++) {
      struct pa_vertex *v = &f->vertex[base + l];

      if (!v->viewport)
         continue;
      K(pa_to_window)(f->draw->pa, v);
      v->code &= ~(uint32_t)PA_GUARD;
      if (v->fx < PA_MIN_XY * 256 || v->fx > PA_MAX_XY * 256 || v->fy < PA_MIN_XY * 256 ||
          v->fy > PA_MAX_XY * 256)
         v->code |= PA_GUARD;
      f->codes |= v->code;
   }
}

/* Clip codes and window positions of one wave's vertices. */
void
K(pa_transform)(struct front *f, uint32_t base, unsigned lanes)
{
   const struct pa_state *pa = f->draw->pa;
   const struct core_outputs *e = f->worker->outputs;
   const bool has_pos = e->pos_written & 1;
   const float *x = (const float *)e->pos[0][0], *y = (const float *)e->pos[0][1];
   const float *z = (const float *)e->pos[0][2], *w = (const float *)e->pos[0][3];
   const bool misc = pa->misc_export && (e->pos_written >> pa->misc_export & 1);
   const wave_lane *m = e->pos[pa->misc_export & 3];
   const float disc_x = pa->disc_x, disc_y = pa->disc_y;
   const struct pa_viewport *vp = &pa->viewport[0];
   const float near_w = pa->dx_clip_space ? 0.0f : 1.0f;
   const bool in_window = pa->in_window, w_is_w = pa->w_is_w && !in_window;
   const bool xy_divided = pa->xy_divided || in_window, z_divided = pa->z_divided || in_window;
   const bool full = pa->clip;
   const int32_t half = pa->pixel_center_integer ? 128 : 0;

   if (!has_pos) {
      for (unsigned l = 0; l < lanes; l++) {
         memset(&f->vertex[base + l], 0, sizeof(f->vertex[0]));
         f->vertex[base + l].code = PA_NAN;
      }
      f->codes |= PA_NAN;
      return;
   }

   uint32_t keep = PA_NAN | PA_GUARD | PA_W;

   if (full)
      keep |= PA_LEFT | PA_RIGHT | PA_BOTTOM | PA_TOP;
   if (pa->clip_near)
      keep |= PA_NEAR;
   if (pa->clip_far)
      keep |= PA_FAR;
   if (pa->xy_divided)
      keep &= ~PA_W;

   vu codes = vu_splat(0);

   for (unsigned l = 0; l < lanes; l += VW) {
      vf cx = vf_load(x + l), cy = vf_load(y + l), cz = vf_load(z + l), cw = vf_load(w + l);
      const vf one = vf_splat(1.0f), zero = vf_splat(0.0f);
      const vf r = w_is_w ? one / cw : cw, xy = xy_divided ? one : r;
      const vf depth = z_divided ? cz : w_is_w ? cz / cw : cz * r;
      const vi px = to_fixed_vector(cx * xy * vf_splat(vp->xs) + vf_splat(vp->xo)) + vi_splat(half);
      const vi py = to_fixed_vector(cy * xy * vf_splat(vp->ys) + vf_splat(vp->yo)) + vi_splat(half);

      if (in_window) {
         cw = one / cw;
         cx *= cw;
         cy *= cw;
         cz *= cw;
      }
      const vf dx = cw * vf_splat(disc_x), dy = cw * vf_splat(disc_y);
      /* Inf - inf and NaN - NaN are not zero. */
      const vf numbers = (cx - cx) + (cy - cy) + (cz - cz) + (cw - cw);
      const vi lo = vi_splat(PA_MIN_XY * 256), hi = vi_splat(PA_MAX_XY * 256);
      const vm guard =
         vm_or(vm_or(vi_lt(px, lo), vi_gt(px, hi)), vm_or(vi_lt(py, lo), vi_gt(py, hi)));
      const vu code =
         vu_splat(keep) &
         (vu_keep(vf_gt(-dx, cx), vu_splat(PA_LEFT)) | vu_keep(vf_gt(cx, dx), vu_splat(PA_RIGHT)) |
          vu_keep(vf_gt(-dy, cy), vu_splat(PA_BOTTOM)) | vu_keep(vf_gt(cy, dy), vu_splat(PA_TOP)) |
          vu_keep(vf_gt(-cw * vf_splat(near_w), cz), vu_splat(PA_NEAR)) |
          vu_keep(vf_gt(cz, cw), vu_splat(PA_FAR)) | vu_keep(vf_ge(zero, cw), vu_splat(PA_W)) |
          vu_keep(vf_isnan(numbers), vu_splat(PA_NAN)) | vu_keep(guard, vu_splat(PA_GUARD)));
      const vi lane = vi_lane_index() + vi_splat((int32_t)l);
      const vu param = (vu)lane + vu_splat(f->param_base + base);
      struct pa_vertex *v = &f->vertex[base + l];

      codes |= vu_keep(vi_lt(lane, vi_splat((int32_t)lanes)), code);
      store_row(v, offsetof(struct pa_vertex, clip), cx, cy, cz, cw);
      store_row(v, offsetof(struct pa_vertex, z), depth * vf_splat(vp->zs) + vf_splat(vp->zo), r,
                (vf)px, (vf)py);
      store_row(v, offsetof(struct pa_vertex, code), (vf)code, (vf)param,
                misc ? vf_load(m[0] + l) : zero, (vf)(misc ? misc_word(pa, m, l) : vu_splat(MISC)));
   }
   for (unsigned n = 0; n < VW; n++)
      f->codes |= codes[n];
   if (pa->use_viewport && misc)
      move_to_viewports(f, base, lanes);

   if (pa->ucp_mask | pa->clip_dist_mask | pa->cull_dist_mask)
      f->codes |= PA_ALL_UCP | PA_ALL_DIST | PA_ALL_CULL;
   if (pa->ucp_mask) {
      for (unsigned l = 0; l < lanes; l++) {
         struct pa_vertex *v = &f->vertex[base + l];

         for (unsigned p = 0; p < PA_UCPS; p++) {
            const float *u = pa->ucp[p];
            const float d =
               v->clip[0] * u[0] + v->clip[1] * u[1] + v->clip[2] * u[2] + v->clip[3] * u[3];

            if ((pa->ucp_mask >> p & 1) && !(d >= 0.0f))
               v->code |= PA_UCP << p;
         }
      }
   }
   if (pa->clip_dist_mask | pa->cull_dist_mask) {
      for (unsigned d = 0; d < PA_CLIP_DISTS; d++) {
         const unsigned export = pa->dist_export[d / 4] & 3;
         const bool written = export && (e->pos_written >> export & 1);
         const float *src = (const float *)e->pos[export][d & 3];

         for (unsigned l = 0; l < lanes; l++) {
            const float v = written ? src[l] : 0.0f;

            f->dist[base + l][d] = v;
            if (!(v >= 0.0f)) {
               if (pa->clip_dist_mask >> d & 1)
                  f->vertex[base + l].code |= PA_DIST << d;
               if (pa->cull_dist_mask >> d & 1)
                  f->vertex[base + l].code |= PA_CULL << d;
            }
         }
      }
   }
}
