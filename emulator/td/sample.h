/* SPDX-License-Identifier: MIT */
/*
 * What the steps of sampling hand to each other.  For kernels only.
 */
#ifndef ATOLL_TD_SAMPLE_H
#define ATOLL_TD_SAMPLE_H

#include "td/tex.h"

/* A sampling instruction's operands after the steps that depend on the dimension alone. */
struct td_coords {
   wave_lane s[3];  /* floats: as given; cubes' without the 1 that the shader adds */
   wave_lane layer; /* counted from layer 0 of the texture; a cube's first face */
   wave_lane face;  /* 0 to 5; 0 if not a cube */
   wave_lane ref;   /* of compares */
};

struct td_lod {
   wave_lane level[2], fraction; /* lower and upper level, weight of the upper in 1/256 */
   uint64_t between;             /* lanes with a fraction that is not 0 */
   uint64_t linear;              /* lanes that filter linearly within a level */
   wave_lane taps;               /* anisotropic samples, 1 to 16 */
   wave_lane major[3];           /* floats: the footprint's longer axis, as coordinates are */
   wave_lane lambda, clamped;    /* floats: relative to the base level, before and after limits */
};

V_INLINE vm
td_compare(unsigned func, vf ref, vf texel)
{
   switch (func) {
   case TEST_NEVER:
      return vm_none();
   case TEST_LESS:
      return vf_lt(ref, texel);
   case TEST_EQUAL:
      return vf_eq(ref, texel);
   case TEST_LESS_EQUAL:
      return vf_le(ref, texel);
   case TEST_GREATER:
      return vf_gt(ref, texel);
   case TEST_NOT_EQUAL:
      return vf_ne(ref, texel);
   case TEST_GREATER_EQUAL:
      return vf_ge(ref, texel);
   default:
      return vm_all();
   }
}

/* Where the reference of a comparison is: with a level or bias in W it is in Z (what drivers emit;
 * the ISA guide says W). */
V_INLINE const uint32_t *
td_reference(const struct tex *t, const struct td_tex_args *args)
{
   const bool in_z = t->op == TD_SAMPLE_C_L || t->op == TD_SAMPLE_C_LB || t->op == TD_SAMPLE_C_G_LB;

   return args->reference ? args->reference : args->src[in_z ? 2 : 3];
}

/* Whether it is limited to 0 to 1. */
V_INLINE bool
td_limits_reference(const struct tex *t)
{
   return t->decode.cls == CLASS_PLAIN && t->decode.conversion == CONVERT_NORM;
}

/* x modulo n, for |x| < 2^23 and 0 < n <= 2^15. */
V_INLINE vi
td_modulo(vi x, vi n)
{
   vi q = vi_trunc_raw(vf_floor(vf_from_vi(x) / vf_from_vi(n)));
   vi r = x - q * n;
   r = vi_select(vi_lt(r, vi_splat(0)), r + n, r);
   return vi_select(vi_ge(r, n), r - n, r);
}

/* Offsets in half texels that lanes of an instruction with these have in registers: six bits of
 * texels, signed. */
V_INLINE vi
td_lane_offset(const struct td_tex_args *args, unsigned a, unsigned n)
{
   const vu o = vu_loadu(&args->offset[a][n * VW]) + vu_splat(32);
   const vi texels = (vi)(o & vu_splat(63)) - vi_splat(32);

   return texels + texels;
}

static inline void
td_read_coords(const struct tex *t, const struct td_tex_args *args, struct td_coords *in)
{
   bool cube = t->dim == TEXTURE_CUBE;
   const uint32_t *reference = td_reference(t, args);
   const bool limit = td_limits_reference(t);

   for (unsigned n = 0; n < VECTORS; n++) {
      vf s = vf_loadu(&args->src[0][n * VW]), u = vf_loadu(&args->src[1][n * VW]);
      vf z = vf_loadu(&args->src[2][n * VW]);
      vi layer = vi_splat((int32_t)t->base_array), face = vi_splat(0);
      vi index = vi_trunc_raw(vf_clamp(vf_rndne(z), 0.0f, 65535.0f));

      if (cube) {
         vi cubes = vi_min(vi_sar(index, 3), vi_splat((int32_t)(t->num_layers / 6) - 1));
         face = vi_min(index & vi_splat(7), vi_splat(5));
         layer = layer + cubes * vi_splat(6);
         s = s - vf_splat(1.0f);
         u = u - vf_splat(1.0f);
      } else {
         layer = layer + vi_min(index, vi_splat((int32_t)t->num_layers - 1));
      }
      vf_store(&in->s[0][n * VW], s);
      vf_store(&in->s[1][n * VW], u);
      vf_store(&in->s[2][n * VW], z);
      vi_store(&in->layer[n * VW], layer);
      vi_store(&in->face[n * VW], face);
      vf ref = vf_loadu(&reference[n * VW]);
      vf_store(&in->ref[n * VW], limit ? vf_saturate(ref) : ref);
   }
}

/* Level of detail from derivatives, gradients or the shader (lod.c). */
void K(td_find_lod)(const struct tex *t, const struct td_tex_args *args, const struct td_coords *in,
                    struct td_lod *lod);

#endif
