/* SPDX-License-Identifier: MIT */
/*
 * Positions of vertices: clip codes, the viewport transform, user clip planes and distances.
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
   const float xy = pa->xy_divided ? 1.0f : rw, z = pa->z_divided ? 1.0f : rw;
   const int32_t half = pa->pixel_center_integer ? 128 : 0;

   v->rw = rw;
   v->fx = to_fixed(v->clip[0] * xy * vp->xs + vp->xo) + half;
   v->fy = to_fixed(v->clip[1] * xy * vp->ys + vp->yo) + half;
   v->z = v->clip[2] * z * vp->zs + vp->zo;
}

/* A number that there is none of is the first. */
static uint32_t
existing_or_first(uint32_t v, uint32_t limit)
{
   return v < limit ? v : 0;
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
   const bool w_is_w = pa->w_is_w, xy_divided = pa->xy_divided, z_divided = pa->z_divided;
   const bool full = pa->clip;
   wave_lane code;
   float wz[WAVE_LANES] __attribute__((aligned(64))), rw[WAVE_LANES] __attribute__((aligned(64)));
   int32_t fx[WAVE_LANES] __attribute__((aligned(64))), fy[WAVE_LANES] __attribute__((aligned(64)));
   const int32_t half = pa->pixel_center_integer ? 128 : 0;

   if (!has_pos) {
      for (unsigned l = 0; l < lanes; l++) {
         memset(&f->vertex[base + l], 0, sizeof(f->vertex[0]));
         f->vertex[base + l].code = PA_NAN;
      }
      return;
   }

   for (unsigned l = 0; l < WAVE_LANES; l += VW) {
      const vf cx = vf_load(x + l), cy = vf_load(y + l), cz = vf_load(z + l), cw = vf_load(w + l);
      const vf one = vf_splat(1.0f), zero = vf_splat(0.0f);
      const vf r = w_is_w ? one / cw : cw, xy = xy_divided ? one : r, zd = z_divided ? one : r;
      const vi px = to_fixed_vector(cx * xy * vf_splat(vp->xs) + vf_splat(vp->xo)) + vi_splat(half);
      const vi py = to_fixed_vector(cy * xy * vf_splat(vp->ys) + vf_splat(vp->yo)) + vi_splat(half);
      const vf dx = cw * vf_splat(disc_x), dy = cw * vf_splat(disc_y);
      /* Inf - inf and NaN - NaN are not zero. */
      const vf numbers = (cx - cx) + (cy - cy) + (cz - cz) + (cw - cw);
      const vi lo = vi_splat(PA_MIN_XY * 256), hi = vi_splat(PA_MAX_XY * 256);
      const vm guard =
         vm_or(vm_or(vi_lt(px, lo), vi_gt(px, hi)), vm_or(vi_lt(py, lo), vi_gt(py, hi)));

      vf_store(rw + l, r);
      vf_store(wz + l, cz * zd * vf_splat(vp->zs) + vf_splat(vp->zo));
      vi_store(fx + l, px);
      vi_store(fy + l, py);
      vu_store(
         code + l,
         vu_keep(vf_gt(-dx, cx), vu_splat(PA_LEFT)) | vu_keep(vf_gt(cx, dx), vu_splat(PA_RIGHT)) |
            vu_keep(vf_gt(-dy, cy), vu_splat(PA_BOTTOM)) |
            vu_keep(vf_gt(cy, dy), vu_splat(PA_TOP)) |
            vu_keep(vf_gt(-cw * vf_splat(near_w), cz), vu_splat(PA_NEAR)) |
            vu_keep(vf_gt(cz, cw), vu_splat(PA_FAR)) | vu_keep(vf_ge(zero, cw), vu_splat(PA_W)) |
            vu_keep(vf_isnan(numbers), vu_splat(PA_NAN)) | vu_keep(guard, vu_splat(PA_GUARD)));
   }
   uint32_t keep = PA_NAN | PA_GUARD | PA_W;

   if (full)
      keep |= PA_LEFT | PA_RIGHT | PA_BOTTOM | PA_TOP;
   if (pa->clip_near)
      keep |= PA_NEAR;
   if (pa->clip_far)
      keep |= PA_FAR;
   if (xy_divided)
      keep &= ~PA_W;

   for (unsigned l = 0; l < lanes; l++) {
      struct pa_vertex *v = &f->vertex[base + l];

      v->clip[0] = x[l];
      v->clip[1] = y[l];
      v->clip[2] = z[l];
      v->clip[3] = w[l];
      v->z = wz[l];
      v->rw = rw[l];
      v->fx = fx[l];
      v->fy = fy[l];
      v->code = code[l] & keep;
      v->param = f->param_base + base + l;
      v->point_size = misc ? ((const float *)m[0])[l] : 0.0f;
      v->edge = pa->use_edge_flag && misc ? ((const float *)m[1])[l] != 0.0f : true;
      v->layer = pa->use_layer && misc ? existing_or_first(m[2][l], 0x10000) : 0;
      v->viewport = pa->use_viewport && misc ? existing_or_first(m[3][l], PA_VIEWPORTS) : 0;
      if (v->viewport) {
         K(pa_to_window)(pa, v);
         v->code &= ~(uint32_t)PA_GUARD;
         if (v->fx < PA_MIN_XY * 256 || v->fx > PA_MAX_XY * 256 || v->fy < PA_MIN_XY * 256 ||
             v->fy > PA_MAX_XY * 256)
            v->code |= PA_GUARD;
      }
   }

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
