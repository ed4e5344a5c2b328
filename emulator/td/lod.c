/* SPDX-License-Identifier: MIT */
/*
 * Level of detail.  rho is the larger of the lengths of the horizontal and the vertical gradient
 * in texels of the base level; lambda = log2(rho), or the shader's, plus the biases of sampler and
 * instruction, rounded to 8 fraction bits, then limited by the sampler.  One quad has one lambda
 * when it comes from derivatives, unless it lies on several faces of a cube.  A linear mip filter
 * splits it, a point one rounds it (halves down); it decides between minification and magnification
 * as it is after the limits (> 0).
 *
 * Anisotropy: N = ceil(longer / shorter), at most the ratio allowed; rho is then longer / N.
 */
#include "td/sample.h"

struct gradients {
   wave_lane h[3], v[3]; /* floats, in the coordinates' own units */
};

static uint64_t
whole_quads(uint64_t first_lanes)
{
   return (first_lanes & 0x1111111111111111ull) * 15;
}

/* Differences within quads; a pair that is not valid gives way to the other pair, then to 0. */
static void
quad_gradients(const struct tex *t, const struct td_coords *in, uint64_t valid, struct gradients *g)
{
   uint64_t h0 = whole_quads(valid & valid >> 1), h1 = whole_quads(valid >> 2 & valid >> 3);
   uint64_t v0 = whole_quads(valid & valid >> 2), v1 = whole_quads(valid >> 1 & valid >> 3);

   for (unsigned a = 0; a < 3; a++) {
      for (unsigned n = 0; n < VECTORS; n++) {
         vf c = vf_load(&in->s[a][n * VW]), zero = vf_splat(0.0f);
         vf q0 = vf_quad_lane(c, 0), q1 = vf_quad_lane(c, 1);
         vf q2 = vf_quad_lane(c, 2), q3 = vf_quad_lane(c, 3);
         vf h = vf_select(vm_lanes(h0, n), q1 - q0, vf_keep(vm_lanes(h1, n), q3 - q2));
         vf v = vf_select(vm_lanes(v0, n), q2 - q0, vf_keep(vm_lanes(v1, n), q3 - q1));
         bool used = a == 0 || (a == 1 && t->dim != TEXTURE_1D && t->dim != TEXTURE_1D_ARRAY) ||
                     (a == 2 && t->dim == TEXTURE_3D);
         vf_store(&g->h[a][n * VW], used ? h : zero);
         vf_store(&g->v[a][n * VW], used ? v : zero);
      }
   }
}

/* S, T and the major axis of a cube's face as signed axes of a direction: 1 + axis, negative for
 * the opposite sense. */
static const int8_t cube_axes[6][3] = {
   { -3, -2, 1 }, { 3, -2, -1 }, { 1, 3, 2 }, { 1, -3, -2 }, { 1, -2, 3 }, { -1, -2, -3 },
};

static float
along(const float v[3], int axis)
{
   return axis < 0 ? -v[-axis - 1] : v[axis - 1];
}

static float
get(const uint32_t *bits)
{
   float f;
   memcpy(&f, bits, 4);
   return f;
}

static void
put(uint32_t *bits, float f)
{
   memcpy(bits, &f, 4);
}

/* Face coordinates (0 to 1) of `lane` as seen from `face`, which may be another one: where the
 * plane of that face meets the direction.  A direction that is all but parallel to the plane, or
 * points away from it, is taken to meet it far out. */
static void
cube_project(const struct td_coords *in, unsigned lane, unsigned face, float st[2])
{
   const int8_t *from = cube_axes[in->face[lane]], *to = cube_axes[face];
   float s = get(&in->s[0][lane]), u = get(&in->s[1][lane]);
   if (in->face[lane] != face) {
      float local[3] = { s * 2 - 1, u * 2 - 1, 1 }, v[3];
      for (unsigned i = 0; i < 3; i++)
         v[(from[i] < 0 ? -from[i] : from[i]) - 1] = from[i] < 0 ? -local[i] : local[i];
      float major = along(v, to[2]);
      major = major > 0.015625f ? major : 0.015625f;
      s = along(v, to[0]) / major * 0.5f + 0.5f;
      u = along(v, to[1]) / major * 0.5f + 0.5f;
   }
   st[0] = s;
   st[1] = u;
}

/* Where a quad lies across an edge of a cube, every lane takes the differences on its own face: a
 * helper pixel beyond a primitive's edge is then as far away as the primitive's plane has it. */
static void
cube_gradients(const struct td_coords *in, struct gradients *g)
{
   for (unsigned q = 0; q < WAVE_LANES; q += 4) {
      const uint32_t *f = &in->face[q];
      if (f[0] == f[1] && f[0] == f[2] && f[0] == f[3])
         continue;
      for (unsigned l = 0; l < 4; l++) {
         float st[3][2];
         for (unsigned i = 0; i < 3; i++)
            cube_project(in, q + i, f[l], st[i]);
         for (unsigned a = 0; a < 2; a++) {
            put(&g->h[a][q + l], st[1][a] - st[0][a]);
            put(&g->v[a][q + l], st[2][a] - st[0][a]);
         }
      }
   }
}

/* Gradients that the shader gave.  Those of a cube are of half the direction, of which the major
 * axis is taken for 1: drivers do not pass its length. */
static void
given_gradients(const struct tex *t, const struct td_tex_args *args, const struct td_coords *in,
                struct gradients *g)
{
   memset(g, 0, sizeof(*g));
   unsigned axes = t->dim == TEXTURE_3D                                 ? 3
                   : t->dim == TEXTURE_1D || t->dim == TEXTURE_1D_ARRAY ? 1
                                                                        : 2;
   if (t->dim != TEXTURE_CUBE) {
      for (unsigned a = 0; a < axes; a++) {
         if (args->grad_h[a])
            lanes_copy(g->h[a], args->grad_h[a]);
         if (args->grad_v[a])
            lanes_copy(g->v[a], args->grad_v[a]);
      }
      return;
   }
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      const int8_t *axes_of = cube_axes[in->face[l]];
      for (unsigned d = 0; d < 2; d++) {
         const float *const *from = d ? args->grad_v : args->grad_h;
         float v[3], major;
         for (unsigned a = 0; a < 3; a++)
            v[a] = from[a] ? from[a][l] : 0;
         major = along(v, axes_of[2]);
         for (unsigned a = 0; a < 2; a++) {
            float c = get(&in->s[a][l]) * 2 - 1;
            put(d ? &g->v[a][l] : &g->h[a][l], along(v, axes_of[a]) - c * major);
         }
      }
   }
}

/* log2 of the footprint, and with anisotropy its longer axis. */
static void
find_rho(const struct tex *t, const struct gradients *g, wave_lane lambda, struct td_lod *lod)
{
   uint32_t size[3] = { tex_size(t->width, t->base), tex_size(t->height, t->base),
                        tex_size(t->depth, t->base) };

   for (unsigned n = 0; n < VECTORS; n++) {
      vf h2 = vf_splat(0.0f), v2 = vf_splat(0.0f);
      for (unsigned a = 0; a < 3; a++) {
         vf scale = vf_splat(t->normalized[a] || t->dim == TEXTURE_CUBE ? (float)size[a] : 1.0f);
         vf h = vf_load(&g->h[a][n * VW]) * scale, v = vf_load(&g->v[a][n * VW]) * scale;
         h2 = h2 + h * h;
         v2 = v2 + v * v;
      }
      vm longer = vf_ge(h2, v2);
      vf max2 = vf_select(longer, h2, v2);
      vf l = vf_log2(max2) * vf_splat(0.5f);
      vi taps = vi_splat(1);
      if (t->aniso) {
         vf min2 = vf_select(longer, v2, h2);
         vf ratio = vf_ceil(vf_sqrt(max2 / min2));
         ratio = vf_clamp(ratio, 1.0f, (float)(1u << t->aniso));
         taps = vi_trunc_raw(ratio);
         l = l - vf_log2(ratio);
         for (unsigned a = 0; a < 3; a++) {
            vf major = vf_select(longer, vf_load(&g->h[a][n * VW]), vf_load(&g->v[a][n * VW]));
            vf_store(&lod->major[a][n * VW], major);
         }
      }
      vf_store(&lambda[n * VW], l);
      vi_store(&lod->taps[n * VW], taps);
   }
}

void
K(td_find_lod)(const struct tex *t, const struct td_tex_args *args, const struct td_coords *in,
               struct td_lod *lod)
{
   bool explicit = t->op == TD_SAMPLE_L || t->op == TD_SAMPLE_C_L;
   bool zero = t->op == TD_SAMPLE_LZ || t->op == TD_SAMPLE_C_LZ;
   bool gradients = t->op == TD_SAMPLE_G || t->op == TD_SAMPLE_G_LB || t->op == TD_SAMPLE_C_G ||
                    t->op == TD_SAMPLE_C_G_LB;
   bool bias = t->op == TD_SAMPLE_LB || t->op == TD_SAMPLE_C_LB || t->op == TD_SAMPLE_G_LB ||
               t->op == TD_SAMPLE_C_G_LB;
   wave_lane lambda;

   if (t->levels == 0 && t->mag == t->min && !t->aniso && t->op != TD_GET_LOD) {
      /* Nothing depends on it. */
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&lod->level[0][n * VW], vu_splat(t->base));
      lod->linear = t->mag & 1 ? ~UINT64_C(0) : 0;
      lod->between = 0;
      return;
   }
   for (unsigned l = 0; l < WAVE_LANES; l++)
      lod->taps[l] = 1;
   if (explicit || zero) {
      if (zero)
         memset(lambda, 0, sizeof(lambda));
      else
         memcpy(lambda, args->src[3], sizeof(lambda));
   } else {
      struct gradients g;
      if (gradients) {
         given_gradients(t, args, in, &g);
      } else {
         quad_gradients(t, in, args->valid, &g);
         if (t->dim == TEXTURE_CUBE)
            cube_gradients(in, &g);
      }
      find_rho(t, &g, lambda, lod);
   }

   bool min_linear = t->min & 1, mag_linear = t->mag & 1;
   lod->between = lod->linear = 0;
   for (unsigned n = 0; n < VECTORS; n++) {
      vf l = vf_load(&lambda[n * VW]);
      if (bias)
         l = l + vf_loadu(&args->src[3][n * VW]);
      vi fixed = vi_round_raw(vf_clamp(l, -64.0f, 64.0f) * vf_splat(256.0f));
      fixed = fixed + vi_splat(t->lod_bias);
      vf_store(&lod->lambda[n * VW], vf_from_vi(fixed) * vf_splat(0x1p-8f));
      fixed = vi_max(fixed, vi_splat(t->min_lod));
      fixed = vi_min(fixed, vi_splat(t->max_lod));

      vm minify = vi_gt(fixed, vi_splat(0));
      vm linear = vm_or(min_linear ? minify : vm_none(), mag_linear ? vm_not(minify) : vm_none());
      lod->linear |= vm_to_lanes(linear, n);
      if (t->aniso) {
         bool in_min = t->min & 2, in_mag = t->mag & 2;
         vm many = vm_or(in_min ? minify : vm_none(), in_mag ? vm_not(minify) : vm_none());
         vi_store(&lod->taps[n * VW], vi_select(many, vi_load(&lod->taps[n * VW]), vi_splat(1)));
      }

      vi level, fraction = vi_splat(0), last = vi_splat(t->levels);
      if (t->mip == MIP_FILTER_NONE) {
         level = vi_splat(0);
      } else if (t->mip == MIP_FILTER_LINEAR) {
         fixed = vi_clamp(fixed, 0, t->levels << 8);
         level = vi_sar(fixed, 8);
         fraction = fixed & vi_splat(255);
      } else {
         level = vi_clamp(vi_sar(fixed + vi_splat(127), 8), 0, t->levels);
      }
      vf_store(&lod->clamped[n * VW],
               vf_from_vi(vi_splat(256) * level + fraction) * vf_splat(0x1p-8f));
      vi base = vi_splat(t->base);
      vi_store(&lod->level[0][n * VW], base + level);
      vi_store(&lod->level[1][n * VW], base + vi_min(level + vi_splat(1), last));
      vi_store(&lod->fraction[n * VW], fraction);
      lod->between |= vm_to_lanes(vi_ne(fraction, vi_splat(0)), n);
   }
}

/* GET_LOD: X is lambda before the limits, Y the level that would be accessed.  (The ISA guide has
 * them the other way round; drivers that ran on the hardware read them so.) */
void
K(td_lod_general)(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   const struct tex *t = tex_of(bind);
   struct td_coords in;
   struct td_lod lod;
   wave_lane color[4];

   td_read_coords(t, args, &in);
   K(td_find_lod)(t, args, &in, &lod);
   lanes_copy(color[0], lod.lambda);
   lanes_copy(color[1], lod.clamped);
   memset(color[2], 0, 2 * sizeof(wave_lane));
   K(td_write)(t, args, color);
}
