/* SPDX-License-Identifier: MIT */
/*
 * SAMPLE and GATHER4 for every format, dimension, wrap mode and filter: the general path.  What
 * specialised paths compute must equal it bit for bit.
 *
 * Steps, each over the 64 lanes: level of detail (8 fraction bits), texel coordinates per axis (8
 * fraction bits), then per corner of the filter footprint fetch, decode, swizzle, border, compare
 * and a weighted sum in fixed order (x fastest, then y, z, mip, anisotropic tap).  A corner of
 * weight zero adds nothing, whatever its texel holds.  A sampler may ask for the least or greatest
 * of these texels instead of the sum.
 *
 * 8-bit unsigned normalised texels are summed as integers (exact in a float: 255 * 65536 < 2^24)
 * and divided once at the end.
 */
#include "td/sample.h"

/* ---------------------------------------------------------------------------------------------
 * Texel coordinates
 */

/* Of one axis: the two texels, the upper one's weight in 1/256, and which are border. */
struct axis {
   wave_lane i[2];
   wave_lane weight;
   uint64_t border[2];
};

/* Texel `x` of an axis of `n` texels under a wrap mode; *border: lanes that read the border.
 * `near`: x is at most one outside. */
static inline vi
wrap_texel(unsigned mode, bool near, vi x, vi n, vm linear, vm *border)
{
   vi zero = vi_splat(0), last = n - vi_splat(1);

   *border = vm_none();
   switch (mode) {
   case WRAP_REPEAT:
      if (near) {
         x = vi_select(vi_lt(x, zero), last, x);
         return vi_select(vi_gt(x, last), x - n, x);
      }
      return td_modulo(x, n);
   case WRAP_MIRRORED_REPEAT: {
      vi m = td_modulo(x, n + n);
      return vi_select(vi_ge(m, n), n + n - vi_splat(1) - m, m);
   }
   case WRAP_MIRROR_CLAMP_TO_EDGE:
   case WRAP_MIRROR_CLAMP_TO_HALF_BORDER:
   case WRAP_MIRROR_CLAMP_TO_BORDER:
      x = vi_select(vi_lt(x, zero), vi_splat(-1) - x, x);
      break;
   default:
      break;
   }
   vm outside = vm_or(vi_lt(x, zero), vi_gt(x, last));
   if (mode == WRAP_CLAMP_TO_BORDER || mode == WRAP_MIRROR_CLAMP_TO_BORDER)
      *border = outside;
   else if (mode == WRAP_CLAMP_TO_HALF_BORDER || mode == WRAP_MIRROR_CLAMP_TO_HALF_BORDER)
      *border = vm_and(outside, linear);
   return vi_min(vi_max(x, zero), last);
}

/* Coordinates of one axis.  `s` is as the shader gave it (normalised or in texels), `offset` in
 * half texels, or NULL.  `raw`: leave texels -1 and n as they are where they are filtered (seamless
 * cubes); one alone is of its face. */
static void
find_texels(const struct tex *t, unsigned a, const wave_lane s, const wave_lane size,
            uint64_t linear, const int32_t *offset, bool raw, struct axis *axis)
{
   unsigned mode = t->clamp[a];
   bool near = t->normalized[a] && !offset;

   axis->border[0] = axis->border[1] = 0;
   for (unsigned n = 0; n < VECTORS; n++) {
      vf u = vf_load(&s[n * VW]);
      vi count = vi_load(&size[n * VW]);
      vf fcount = vf_from_vi(count);
      vm lin = vm_lanes(linear, n);

      if (t->normalized[a]) {
         if (mode == WRAP_REPEAT)
            u = vf_max_second(u - vf_floor(u), vf_splat(0.0f));
         else if (mode == WRAP_MIRRORED_REPEAT)
            u = vf_max_second(u - vf_splat(2.0f) * vf_floor(u * vf_splat(0.5f)), vf_splat(0.0f));
         u = u * fcount;
      }
      if (offset)
         u = u + vf_from_vi(vi_load(&offset[n * VW])) * vf_splat(0.5f);
      if (mode == WRAP_CLAMP_TO_HALF_BORDER)
         u = vf_min_second(vf_max_second(u, vf_splat(0.0f)), fcount);
      else if (mode == WRAP_MIRROR_CLAMP_TO_HALF_BORDER)
         u = vf_min_second(vf_max_second(u, vf_neg(fcount)), fcount);
      u = u * vf_splat(256.0f);
      u = t->truncate ? vf_floor(u) : vf_rndne(u);
      vi fixed = vi_trunc_raw(vf_clamp(u, -0x1p29f, 0x1p29f));
      fixed = vi_select(lin, fixed - vi_splat(128), fixed);

      vi i0 = vi_sar(fixed, 8), i1 = vi_select(lin, i0 + vi_splat(1), i0);
      vi weight = (vi)vu_keep(lin, (vu)fixed & vu_splat(255));
      vm border[2] = { vm_none(), vm_none() };
      if (raw) {
         vi least = vi_select(lin, vi_splat(-1), vi_splat(0));
         vi most = vi_select(lin, count, count - vi_splat(1));
         i0 = vi_min(vi_max(i0, least), most);
         i1 = vi_min(vi_max(i1, least), most);
      } else {
         i0 = wrap_texel(mode, near, i0, count, lin, &border[0]);
         i1 = wrap_texel(mode, near, i1, count, lin, &border[1]);
      }
      vi_store(&axis->i[0][n * VW], i0);
      vi_store(&axis->i[1][n * VW], i1);
      vi_store(&axis->weight[n * VW], weight);
      axis->border[0] |= vm_to_lanes(border[0], n);
      axis->border[1] |= vm_to_lanes(border[1], n);
   }
}

/* ---------------------------------------------------------------------------------------------
 * Seamless cubes
 */

/* Direction of texel (x, y) of a face of n texels: doubled, so that centres are integers. */
static void
cube_direction(unsigned face, int32_t a, int32_t b, int32_t n, int32_t v[3])
{
   /* a, b: along S and T, HD 6900 ISA 8.2 CUBE. */
   switch (face) {
   case 0:
      v[0] = n, v[1] = -b, v[2] = -a;
      break;
   case 1:
      v[0] = -n, v[1] = -b, v[2] = a;
      break;
   case 2:
      v[0] = a, v[1] = n, v[2] = b;
      break;
   case 3:
      v[0] = a, v[1] = -n, v[2] = -b;
      break;
   case 4:
      v[0] = a, v[1] = -b, v[2] = n;
      break;
   default:
      v[0] = -a, v[1] = -b, v[2] = -n;
      break;
   }
}

/* Moves a texel that lies one beyond an edge to the face it is on.  False: it lies beyond a
 * corner, where there is no texel. */
static bool
cube_cross_edge(int32_t n, uint32_t *face, uint32_t *x, uint32_t *y)
{
   int32_t a = 2 * (int32_t)*x + 1 - n, b = 2 * (int32_t)*y + 1 - n, v[3], s, t;
   bool out_x = a < -n || a > n, out_y = b < -n || b > n;

   if (!out_x && !out_y)
      return true;
   if (out_x && out_y) {
      *x = a < 0 ? 0 : (uint32_t)n - 1;
      *y = b < 0 ? 0 : (uint32_t)n - 1;
      return false;
   }
   cube_direction(*face, a, b, n, v);
   /* The axis that is out by more than n is the new face's. */
   if (v[0] > n || v[0] < -n) {
      *face = v[0] < 0;
      s = v[0] < 0 ? v[2] : -v[2];
      t = -v[1];
   } else if (v[1] > n || v[1] < -n) {
      *face = 2 + (v[1] < 0);
      s = v[0];
      t = v[1] < 0 ? -v[2] : v[2];
   } else {
      *face = 4 + (v[2] < 0);
      s = v[2] < 0 ? -v[0] : v[0];
      t = -v[1];
   }
   s = (s + n - 1) / 2, t = (t + n - 1) / 2;
   s = s < 0 ? 0 : s >= n ? n - 1 : s;
   t = t < 0 ? 0 : t >= n ? n - 1 : t;
   *x = (uint32_t)s;
   *y = (uint32_t)t;
   return true;
}

/* ---------------------------------------------------------------------------------------------
 * The footprint at one level
 */
struct footprint {
   struct axis axis[3];
   wave_lane slice; /* 2D: layer, with cubes' face in `face`; 3D: unused */
   wave_lane face, size;
   unsigned corners; /* 1, 2, 4 or 8 */
   bool seamless;
};

static void
find_footprint(const struct tex *t, const struct td_tex_args *args, const struct td_coords *in,
               const wave_lane level, uint64_t linear, uint64_t linear_z, struct footprint *f)
{
   wave_lane sizes[3], offsets[3];
   const int32_t *offset[3] = { NULL, NULL, NULL };
   unsigned axes = t->dim == TEXTURE_3D                                 ? 3
                   : t->dim == TEXTURE_1D || t->dim == TEXTURE_1D_ARRAY ? 1
                                                                        : 2;

   for (unsigned a = 0; a < axes; a++) {
      uint32_t base = a == 0 ? t->width : a == 1 ? t->height : t->depth;
      for (unsigned n = 0; n < VECTORS; n++) {
         vi size = (vi)vu_shrv(vu_splat(base), vu_load(&level[n * VW]));
         vi_store(&sizes[a][n * VW], vi_max(size, vi_splat(1)));
      }
      if (t->op == TD_GATHER4_O || t->op == TD_GATHER4_C_O) {
         for (unsigned n = 0; n < VECTORS && args->offset[a]; n++)
            vi_store(&offsets[a][n * VW], td_lane_offset(args, a, n));
         offset[a] = args->offset[a] ? (const int32_t *)offsets[a] : NULL;
      } else if (t->offset[a]) {
         for (unsigned n = 0; n < VECTORS; n++)
            vi_store(&offsets[a][n * VW], vi_splat(t->offset[a]));
         offset[a] = (const int32_t *)offsets[a];
      }
   }
   bool cube = t->dim == TEXTURE_CUBE;
   f->seamless = cube && t->cube_wrap;
   f->corners = linear ? 2 : 1;
   find_texels(t, 0, in->s[0], sizes[0], linear, offset[0], f->seamless, &f->axis[0]);
   if (axes > 1) {
      f->corners = linear ? 4 : 1;
      find_texels(t, 1, in->s[1], sizes[1], linear, offset[1], f->seamless, &f->axis[1]);
   } else {
      memset(&f->axis[1], 0, sizeof(f->axis[1]));
   }
   memset(&f->axis[2], 0, sizeof(f->axis[2]));
   if (axes == 3) {
      find_texels(t, 2, in->s[2], sizes[2], linear_z, offset[2], false, &f->axis[2]);
      if (linear | linear_z)
         f->corners = 8;
   }
   memcpy(f->slice, in->layer, sizeof(f->slice));
   memcpy(f->face, in->face, sizeof(f->face));
   memcpy(f->size, sizes[0], sizeof(f->size));
}

/* Weights of the corners; those of a cube's missing corners go to the other three. */
static void
find_weights(const struct tex *t, const struct footprint *f, wave_lane weight[8])
{
   bool raw_scale = t->decode.unorm8;

   for (unsigned n = 0; n < VECTORS; n++) {
      vi full = vi_splat(256);
      vi x1 = vi_load(&f->axis[0].weight[n * VW]), y1 = vi_load(&f->axis[1].weight[n * VW]);
      vi z1 = vi_load(&f->axis[2].weight[n * VW]);
      vf w[4];
      w[0] = vf_from_vi(full - x1) * vf_from_vi(full - y1);
      w[1] = vf_from_vi(x1) * vf_from_vi(full - y1);
      w[2] = vf_from_vi(full - x1) * vf_from_vi(y1);
      w[3] = vf_from_vi(x1) * vf_from_vi(y1);
      for (unsigned k = 0; k < 4; k++) {
         vf scaled = raw_scale ? w[k] : w[k] * vf_splat(0x1p-16f);
         if (f->corners <= 4) {
            vf_store(&weight[k][n * VW], scaled);
         } else {
            vf_store(&weight[k][n * VW], scaled * vf_from_vi(full - z1) * vf_splat(0x1p-8f));
            vf_store(&weight[k + 4][n * VW], scaled * vf_from_vi(z1) * vf_splat(0x1p-8f));
         }
      }
   }
   if (!f->seamless || f->corners < 4)
      return;
   uint64_t missing = 0;
   for (unsigned n = 0; n < VECTORS; n++) {
      vu size = vu_load(&f->size[n * VW]);
      vm x_in = vm_and(vu_lt(vu_load(&f->axis[0].i[0][n * VW]), size),
                       vu_lt(vu_load(&f->axis[0].i[1][n * VW]), size));
      vm y_in = vm_and(vu_lt(vu_load(&f->axis[1].i[0][n * VW]), size),
                       vu_lt(vu_load(&f->axis[1].i[1][n * VW]), size));
      missing |= vm_to_lanes(vm_not(vm_or(x_in, y_in)), n);
   }
   for (uint64_t m = missing; m; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctzll(m);
      for (unsigned k = 0; k < 4; k++) {
         uint32_t x = f->axis[0].i[k & 1][l], y = f->axis[1].i[k >> 1][l];
         if (x < f->size[l] || y < f->size[l])
            continue;
         float *w[4] = { (float *)&weight[0][l], (float *)&weight[1][l], (float *)&weight[2][l],
                         (float *)&weight[3][l] };
         float share = *w[k] / 3.0f;
         for (unsigned j = 0; j < 4; j++)
            *w[j] = j == k ? 0.0f : *w[j] + share;
         break;
      }
   }
}

#define ALL_COMPONENTS 15u

/* The texels of one corner as components: swizzled, border colours filled in, compared.  Those that
 * are not asked for (bits) become 0. */
static void
read_corner(const struct tex *t, const struct td_coords *in, const wave_lane level,
            const struct footprint *f, unsigned k, uint64_t lanes, unsigned components,
            wave_lane color[4])
{
   const struct axis *a = f->axis;
   unsigned kx = k & 1, ky = k >> 1 & 1, kz = k >> 2;
   uint64_t border = a[0].border[kx] | a[1].border[ky] | a[2].border[kz];
   const uint32_t *x = a[0].i[kx], *y = a[1].i[ky];
   wave_lane cx, cy, slice;

   if (t->dim == TEXTURE_3D)
      memcpy(slice, a[2].i[kz], sizeof(slice));
   else
      memcpy(slice, f->slice, sizeof(slice));
   if (f->seamless) {
      uint64_t beyond = 0;
      for (unsigned n = 0; n < VECTORS; n++) {
         vu size = vu_load(&f->size[n * VW]);
         vm inside = vm_and(vu_lt(vu_load(&x[n * VW]), size), vu_lt(vu_load(&y[n * VW]), size));
         beyond |= vm_to_lanes(vm_not(inside), n);
         vu_store(&slice[n * VW], vu_load(&slice[n * VW]) + vu_load(&f->face[n * VW]));
      }
      if (beyond) {
         memcpy(cx, x, sizeof(cx));
         memcpy(cy, y, sizeof(cy));
         for (uint64_t m = beyond; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctzll(m);
            uint32_t face = f->face[l];
            cube_cross_edge((int32_t)f->size[l], &face, &cx[l], &cy[l]);
            slice[l] += face - f->face[l];
         }
         x = cx, y = cy;
      }
   } else if (t->dim == TEXTURE_CUBE) {
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&slice[n * VW], vu_load(&slice[n * VW]) + vu_load(&f->face[n * VW]));
   }

   struct td_raw raw;
   const struct td_decode *d = &t->decode;
   /* Every lane's texel is inside, border or not: taking all is faster than choosing. */
   if (t->inside && !(t->shift_x | t->shift_y))
      lanes = ~UINT64_C(0);
   else
      lanes &= ~border;
   K(td_fetch_texels)(t, level, x, y, slice, NULL, lanes, &raw);
   /* A compare reads the depth wherever the resource's swizzle has put it. */
   unsigned depth = 0;
   while (depth < 3 && t->sel[depth] > SWIZZLE_W)
      depth++;
   for (unsigned c = t->compare ? depth : 0; c < (t->compare ? depth + 1 : 4); c++) {
      unsigned sel = t->sel[c];
      if (!(components >> c & 1) && !t->compare) {
         lanes_clear((uint8_t *)color[c]);
         continue;
      }
      if (sel <= SWIZZLE_W)
         td_decode_wave(d, &raw, sel, color[c]);
      else
         for (unsigned n = 0; n < VECTORS; n++)
            vu_store(&color[c][n * VW], vu_splat(sel == SWIZZLE_1 ? td_one(d) : 0));
      for (unsigned n = 0; n < VECTORS && border; n++) {
         vu v = vu_load(&color[c][n * VW]);
         vu_store(&color[c][n * VW], vu_select(vm_lanes(border, n), vu_splat(t->border[c]), v));
      }
   }
   if (!t->compare)
      return;
   for (unsigned n = 0; n < VECTORS; n++) {
      vf texel = vf_load(&color[depth][n * VW]);
      vm pass = td_compare(t->compare_func, vf_load(&in->ref[n * VW]), texel);
      for (unsigned c = 0; c < 4; c++) {
         unsigned sel = components >> c & 1 ? t->sel[c] : SWIZZLE_0;
         vu v = sel <= SWIZZLE_W ? vu_keep(pass, vu_splat(F32_ONE))
                                 : vu_splat(sel == SWIZZLE_1 ? F32_ONE : 0);
         vu_store(&color[c][n * VW], v);
      }
   }
}

/* Where several texels or levels count, the least or greatest value of each component instead of
 * their weighted sum: joins `v` of the lanes to what they have. */
static void
reduce(const struct tex *t, uint64_t lanes, const wave_lane v[4], wave_lane color[4])
{
   const bool least = t->reduction == REDUCTION_MIN;

   for (unsigned n = 0; n < VECTORS; n++) {
      const vm on = vm_lanes(lanes, n);

      for (unsigned c = 0; c < 4; c++) {
         const vf old = vf_load(&color[c][n * VW]), new = vf_load(&v[c][n * VW]);
         const vm better = least ? vf_lt(new, old) : vf_lt(old, new);

         vf_store(&color[c][n * VW], vf_select(vm_and(on, better), new, old));
      }
   }
}

/* Corners of the footprint that have a weight, reduced; scaled like sums. */
static void
reduce_level(const struct tex *t, const struct td_coords *in, const wave_lane level,
             const struct footprint *f, const wave_lane weight[8], uint64_t lanes,
             wave_lane color[4])
{
   const vf scale = vf_splat(t->decode.unorm8 ? 65536.0f : 1.0f);
   uint64_t have = 0;
   wave_lane corner[4];

   for (unsigned k = 0; k < f->corners; k++) {
      uint64_t used = 0;

      for (unsigned n = 0; n < VECTORS; n++)
         used |= vm_to_lanes(vf_ne(vf_load(&weight[k][n * VW]), vf_splat(0.0f)), n);
      if (!(used & lanes))
         continue;
      read_corner(t, in, level, f, k, lanes & used, ALL_COMPONENTS, corner);
      for (unsigned n = 0; n < VECTORS && t->decode.unorm8; n++)
         for (unsigned c = 0; c < 4; c++)
            vf_store(&corner[c][n * VW], vf_load(&corner[c][n * VW]) * scale);
      for (unsigned n = 0; n < VECTORS; n++) {
         const vm first = vm_lanes(used & ~have, n);

         for (unsigned c = 0; c < 4; c++)
            vu_store(&color[c][n * VW],
                     vu_select(first, vu_load(&corner[c][n * VW]), vu_load(&color[c][n * VW])));
      }
      reduce(t, used & have, corner, color);
      have |= used;
   }
}

/* The filtered colour at one level, not yet divided when unorm8. */
static void
sample_level(const struct tex *t, const struct td_tex_args *args, const struct td_coords *in,
             const wave_lane level, uint64_t linear, uint64_t linear_z, uint64_t lanes,
             wave_lane color[4])
{
   const unsigned components = td_components(t, args);
   struct footprint f;
   wave_lane weight[8], corner[4];

   find_footprint(t, args, in, level, linear, linear_z, &f);
   if (f.corners == 1 && !t->decode.unorm8) {
      read_corner(t, in, level, &f, 0, lanes, components, color);
      return;
   }
   find_weights(t, &f, weight);
   memset(color, 0, 4 * sizeof(wave_lane));
   if (t->reduction) {
      reduce_level(t, in, level, &f, (const wave_lane *)weight, lanes, color);
      return;
   }
   for (unsigned k = 0; k < f.corners; k++) {
      uint64_t used = 0;
      for (unsigned n = 0; n < VECTORS; n++)
         used |= vm_to_lanes(vf_ne(vf_load(&weight[k][n * VW]), vf_splat(0.0f)), n);
      if (!(used & lanes))
         continue;
      read_corner(t, in, level, &f, k, lanes & used, components, corner);
      for (unsigned n = 0; n < VECTORS; n++) {
         vf w = vf_load(&weight[k][n * VW]);
         vm on = vm_lanes(used, n);
         for (unsigned c = 0; c < 4; c++) {
            if (!(components >> c & 1))
               continue;
            vf sum = vf_load(&color[c][n * VW]), v = vf_load(&corner[c][n * VW]);
            /* A point-sampled lane keeps its texel's bits. */
            vm whole = vf_eq(w, vf_splat(t->decode.unorm8 ? 65536.0f : 1.0f));
            vf add = t->decode.unorm8 ? sum + v * w : vf_select(whole, v, sum + v * w);
            vf_store(&color[c][n * VW], vf_select(on, add, sum));
         }
      }
   }
}

/* Brings sums of unorm8 to [0, 1]; others become canonical where they are sums. */
static void
finish_level(const struct tex *t, uint64_t filtered, wave_lane color[4])
{
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned n = 0; n < VECTORS; n++) {
         vf v = vf_load(&color[c][n * VW]);
         if (t->decode.unorm8)
            v = v / vf_splat(255.0f * 65536.0f);
         else
            v = vf_select(vm_lanes(filtered, n), vf_canon(v), v);
         vf_store(&color[c][n * VW], v);
      }
   }
}

/* Between two levels, `fraction` in 1/256. */
static void
blend_levels(const struct tex *t, const wave_lane fraction, uint64_t filtered,
             const wave_lane upper[4], wave_lane color[4])
{
   for (unsigned n = 0; n < VECTORS; n++) {
      vi f1 = vi_load(&fraction[n * VW]), f0 = vi_splat(256) - f1;
      vm none = vi_eq(f1, vi_splat(0));
      for (unsigned c = 0; c < 4; c++) {
         vf a = vf_load(&color[c][n * VW]), b = vf_load(&upper[c][n * VW]), r;
         if (t->decode.unorm8) {
            vu sum = (vu)vi_trunc_raw(a) * (vu)f0 + (vu)vi_trunc_raw(b) * (vu)f1;
            r = vf_from_vu(sum) / vf_splat(255.0f * 65536.0f * 256.0f);
         } else {
            vf scale = vf_splat(0x1p-8f);
            r = a * (vf_from_vi(f0) * scale) + b * (vf_from_vi(f1) * scale);
            vf one = vf_select(vm_lanes(filtered, n), vf_canon(a), a);
            r = vf_select(none, one, vf_canon(r));
         }
         vf_store(&color[c][n * VW], r);
      }
   }
}

/* ---------------------------------------------------------------------------------------------
 * Entry points
 */
static void
sample_mips(const struct tex *t, const struct td_tex_args *args, const struct td_coords *in,
            const struct td_lod *lod, uint64_t lanes, wave_lane color[4])
{
   uint64_t linear = lod->linear;
   uint64_t linear_z = t->z_filter == SLICE_FILTER_LINEAR  ? ~UINT64_C(0)
                       : t->z_filter == SLICE_FILTER_POINT ? 0
                                                           : linear;

   sample_level(t, args, in, lod->level[0], linear, linear_z, lanes, color);
   if (lod->between & lanes) {
      wave_lane upper[4];
      sample_level(t, args, in, lod->level[1], linear, linear_z, lanes & lod->between, upper);
      if (t->reduction) {
         reduce(t, lod->between, (const wave_lane *)upper, color);
         finish_level(t, 0, color);
      } else {
         blend_levels(t, lod->fraction, linear | linear_z, upper, color);
      }
   } else {
      finish_level(t, linear | linear_z, color);
   }
}

/* Taps along the longer axis of the pixel's footprint; the sum is in order of the taps. */
static void
sample_aniso(const struct tex *t, const struct td_tex_args *args, struct td_coords *in,
             const struct td_lod *lod, wave_lane color[4])
{
   wave_lane centre[3], tap[4];
   uint32_t most = 1;

   for (uint64_t m = args->lanes; m; m &= m - 1) {
      uint32_t taps = lod->taps[__builtin_ctzll(m)];
      most = taps > most ? taps : most;
   }
   if (most == 1) {
      sample_mips(t, args, in, lod, args->lanes, color);
      return;
   }
   memcpy(centre, in->s, sizeof(centre));
   memset(color, 0, 4 * sizeof(wave_lane));
   for (uint32_t i = 0; i < most; i++) {
      uint64_t lanes = 0;
      for (unsigned n = 0; n < VECTORS; n++) {
         vi taps = vi_load(&lod->taps[n * VW]);
         vf at = (vf_splat((float)i) + vf_splat(0.5f)) / vf_from_vi(taps) - vf_splat(0.5f);
         lanes |= vm_to_lanes(vi_gt(taps, vi_splat((int32_t)i)), n);
         for (unsigned a = 0; a < 3; a++) {
            vf step = vf_load(&lod->major[a][n * VW]);
            vf_store(&in->s[a][n * VW], vf_load(&centre[a][n * VW]) + step * at);
         }
      }
      lanes &= args->lanes;
      sample_mips(t, args, in, lod, lanes, tap);
      if (t->reduction && i) {
         reduce(t, lanes, (const wave_lane *)tap, color);
         continue;
      }
      for (unsigned n = 0; n < VECTORS; n++) {
         vm on = vm_lanes(lanes, n);
         for (unsigned c = 0; c < 4; c++) {
            vf sum = vf_load(&color[c][n * VW]);
            vf v = vf_load(&tap[c][n * VW]);
            vf_store(&color[c][n * VW], vf_select(on, i ? sum + v : v, sum));
         }
      }
   }
   for (unsigned n = 0; n < VECTORS && !t->reduction; n++) {
      vi taps = vi_load(&lod->taps[n * VW]);
      for (unsigned c = 0; c < 4; c++) {
         vf sum = vf_load(&color[c][n * VW]);
         vf mean = vf_canon(sum / vf_from_vi(taps));
         vf_store(&color[c][n * VW], vf_select(vi_eq(taps, vi_splat(1)), sum, mean));
      }
   }
}

void
K(td_sample_general)(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   const struct tex *t = tex_of(bind);
   struct td_coords in;
   struct td_lod lod;
   wave_lane color[4];

   td_read_coords(t, args, &in);
   K(td_find_lod)(t, args, &in, &lod);
   if (t->aniso)
      sample_aniso(t, args, &in, &lod, color);
   else
      sample_mips(t, args, &in, &lod, args->lanes, color);
   K(td_write)(t, args, color);
}

/* The four texels that bilinear filtering would weigh, of one component, from the base level:
 * (0,1), (1,1), (1,0), (0,0).  Of integer formats the hardware takes the texels to the right of
 * and below the nearest one instead, which drivers make up for. */
void
K(td_gather_general)(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   static const uint8_t order[4] = { 2, 3, 1, 0 };
   const struct tex *t = tex_of(bind);
   const unsigned component = t->compare ? 0 : t->modifier & 3;
   struct td_coords in;
   struct footprint f;
   wave_lane level, out[4], corner[4];

   td_read_coords(t, args, &in);
   if (td_decode_is_int(&t->decode) && !t->plain_gather) {
      for (unsigned a = 0; a < 2; a++) {
         uint32_t base = tex_size(a ? t->height : t->width, t->base);
         float half = t->normalized[a] ? 0.5f / (float)base : 0.5f;
         for (unsigned n = 0; n < VECTORS; n++)
            vf_store(&in.s[a][n * VW], vf_load(&in.s[a][n * VW]) + vf_splat(half));
      }
   }
   for (unsigned l = 0; l < WAVE_LANES; l++)
      level[l] = t->base;
   find_footprint(t, args, &in, level, ~UINT64_C(0), 0, &f);
   for (unsigned i = 0; i < 4; i++) {
      unsigned k = order[i];
      read_corner(t, &in, level, &f, f.corners == 2 ? k & 1 : k, args->lanes, 1u << component,
                  corner);
      lanes_copy(out[i], corner[component]);
      if (t->decode.unorm8)
         for (unsigned n = 0; n < VECTORS; n++)
            vf_store(&out[i][n * VW], vf_load(&out[i][n * VW]) / vf_splat(255.0f));
   }
   K(td_write)(t, args, out);
}
